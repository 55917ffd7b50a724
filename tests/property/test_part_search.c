/* The search in parts and chains, over random networks on a simulated card, in budgets in which
 * whole layers do not fit or are slow: whatever it tries can be planned. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/random_model.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* More samples than a small network has, so that its layers can be cut. */
enum { NETWORKS = 200, LEAST_NETWORKS = 12, BUDGETS = 3, TRIALS = 500, MORE_SAMPLES = 8 };

typedef struct row {
    bool fits;
    size_t arena_bytes, smallest_bytes;
    int cut_layers, chained_layers;
} row;

static int count_layers(json_t *layers, const char *key, json_int_t least)
{
    int count = 0;
    size_t l;
    json_t *layer;
    json_array_foreach(layers, l, layer)
    {
        json_t *value = json_object_get(layer, key);
        count += json_is_integer(value) ? json_integer_value(value) > least : json_is_true(value);
    }
    return count;
}

static row report_of(const char *model, size_t device_bytes)
{
    char device_mem[32];
    (void)snprintf(device_mem, sizeof device_mem, "%zu", device_bytes);
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = model,
                                          .device = "sim:models/devices/titan-x-maxwell.yaml",
                                          .device_mem = device_mem,
                                          .planning =
                                              vdnn_test_topic(planning, .plan_trials = TRIALS)};
    vdnn_report *report;
    vdnn_text text = {0};
    assert_ok(vdnn_report_create(&options, NULL, "opt", &report));
    assert_ok(vdnn_report_write(report, VDNN_REPORT_JSON, &text));
    json_t *root = json_loads(text.data, 0, NULL),
           *own = json_array_get(json_object_get(root, "policies"), 0),
           *layers = json_object_get(own, "layers");
    const row made = {.fits = json_is_true(json_object_get(own, "fits")),
                      .arena_bytes = (size_t)vdnn_test_integer_at(own, "arena_bytes"),
                      .smallest_bytes = (size_t)vdnn_test_integer_at(own, "smallest_bytes"),
                      .cut_layers = count_layers(layers, "parts", 1),
                      .chained_layers = count_layers(layers, "chained", 0)};
    json_decref(root);
    vdnn_text_fini(&text);
    vdnn_report_destroy(report);
    return made;
}

static void write_model(uint64_t seed, const char *path)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    vdnn_text text = {0};
    request.batch *= MORE_SAMPLES;
    request.micro_batches = 1;
    request.missing = 0;
    request.parts = 1;
    assert_ok(vdnn_random_model_write(&request, &text));
    vdnn_test_write_file(path, text.data, strlen(text.data));
    vdnn_text_fini(&text);
}

static void whatever_it_tries_can_be_planned(void **state)
{
    char path[300];
    int plans = 0, cut = 0, chained = 0;
    (void)snprintf(path, sizeof path, "%s", vdnn_test_path(*state, "drawn.yaml"));
    const int count = vdnn_test_count_for_share(NETWORKS, LEAST_NETWORKS);
    for (int n = 0; n < count; n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_test_rng rng = {seed};
        write_model(seed, path);
        const row whole = report_of(path, (size_t)1 << 40);
        for (int b = 0; b < BUDGETS; b++) {
            const size_t above = (whole.arena_bytes - whole.smallest_bytes) / 100 *
                                 (size_t)vdnn_test_between(&rng, 0, 40),
                         budget = whole.smallest_bytes + above;
            const row own = report_of(path, budget);
            if (!own.fits || own.arena_bytes > budget)
                fail_msg("seed %llu: %zu bytes in a budget of %zu", (unsigned long long)seed,
                         own.arena_bytes, budget);
            plans++;
            cut += own.cut_layers > 0;
            chained += own.chained_layers > 0;
        }
    }
    print_message("of %d plans %d have layers in parts, %d chains\n", plans, cut, chained);
    assert_true(cut > 0 && chained > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whatever_it_tries_can_be_planned, vdnn_test_make_folder,
                                        vdnn_test_remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
