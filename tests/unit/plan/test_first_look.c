/* A profile that a training can begin with before all its rows are measured. */

#include "tests/support/vdnn_test.h"

#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/measure/measure.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"
#include "tests/support/files.h"
#include "tests/support/run_program.h"
#include "tests/support/test_profile.h"

#include <math.h>
#include <string.h>

/* Two layers are equal; the heaviest is in the middle. */
static const char network[] = "name: net\ninput: {channels: 2, height: 12, width: 12}\nclasses: 3\n"
                              "batch: 4\nlayers:\n"
                              "  - {name: conv1, type: conv, out: 4, kernel: 3, pad: 1}\n"
                              "  - {name: conv2, type: conv, out: 16, kernel: 5, pad: 2}\n"
                              "  - {name: conv3, type: conv, out: 4, kernel: 1}\n"
                              "  - {name: conv4, type: conv, out: 4, kernel: 3, pad: 1}\n"
                              "  - {name: conv5, type: conv, out: 4, kernel: 3, pad: 1}\n"
                              "  - {name: pool1, type: maxpool, kernel: 2}\n"
                              "  - {name: fc1, type: fc, out: 3}\n"
                              "  - {name: loss, type: softmax_loss}\n";

typedef struct rig {
    vdnn_graph *graph;
    vdnn_device *device;
    vdnn_profile_store *store;
} rig;

static void set_up(rig *r)
{
    vdnn_model *model = NULL;
    const vdnn_graph_options options = {
        .micro_batches = 1, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    *r = (rig){.graph = NULL};
    assert_ok(vdnn_model_parse(network, strlen(network), "net.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &r->graph));
    vdnn_model_destroy(model);
    assert_ok(vdnn_device_open("cpu", &(vdnn_device_options){.threads = 1}, &r->device));
    assert_ok(vdnn_profile_store_create("k", &r->store));
}

static void tear_down(rig *r)
{
    vdnn_profile_store_destroy(r->store);
    vdnn_device_close(r->device);
    vdnn_graph_destroy(r->graph);
}

static vdnn_look look_for(const rig *r, double seconds, vdnn_profile **profile)
{
    vdnn_look look = {.seconds = seconds};
    assert_ok(vdnn_measured_profile_look(r->graph, r->device, r->store, NULL, &look, profile));
    return look;
}

static size_t count_provisional(const vdnn_profile_store *store)
{
    size_t count = 0;
    for (size_t i = 0; i < vdnn_profile_store_row_count(store); i++)
        count += vdnn_profile_store_row(store, i).is_provisional;
    return count;
}

/* The same algorithms as of a whole profile, in the same order of workspaces, but for times. */
static void expect_alike(const rig *r, const vdnn_profile *a, const vdnn_profile *b)
{
    for (int32_t l = 0; l < r->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const int32_t count = a->layers[l].choice_count[p];
            assert_int_equal(count, b->layers[l].choice_count[p]);
            for (int32_t k = 0; k < count; k++) {
                const vdnn_choice *choice = &a->layers[l].choices[p][k];
                const int32_t other =
                    vdnn_profile_find(b, l, (vdnn_pass)p, choice->algorithm->name);
                assert_true(other >= 0 && isfinite(choice->seconds) && choice->seconds > 0);
                assert_int_equal(choice->workspace_bytes,
                                 b->layers[l].choices[p][other].workspace_bytes);
            }
        }
}

/* Even with no time for a single one. */
TEST(every_row_has_a_time_and_later_looks_choose_the_same)
{
    rig r;
    vdnn_profile *first = NULL, *second = NULL, *whole = NULL;
    set_up(&r);
    vdnn_look look = look_for(&r, 1e-9, &first);
    assert_true(look.measured == 2 && look.fresh > 20 && look.whole_seconds > 0.1);
    assert_int_equal(count_provisional(r.store), vdnn_profile_store_row_count(r.store));
    assert_true(vdnn_profile_store_rate(r.store, VDNN_PROFILE_RATE_launch_seconds) > 0);
    look = look_for(&r, 0.1, &second);
    assert_true(look.measured == 0 && look.fresh == 0);
    vdnn_test_profile_same(first, second);
    assert_ok(vdnn_measured_profile_create(r.graph, r.device, r.store, NULL, &whole));
    assert_int_equal(count_provisional(r.store), 0);
    expect_alike(&r, first, whole);
    vdnn_profile_destroy(second);
    look = look_for(&r, 1e-9, &second);
    assert_true(look.whole_seconds == 0);
    vdnn_test_profile_same(whole, second);
    vdnn_profile_destroy(first);
    vdnn_profile_destroy(second);
    vdnn_profile_destroy(whole);
    tear_down(&r);
}

/* Of the heaviest pass the algorithms that the device lists first; what was not measured seems
 * slower than what was. */
TEST(what_decides_most_is_measured_first)
{
    rig r;
    vdnn_profile *profile = NULL;
    set_up(&r);
    const vdnn_look look = look_for(&r, 1e-9, &profile);
    int pass = VDNN_FORWARD;
    for (int p = 0; p < VDNN_PASS_COUNT; p++)
        if (vdnn_measure_nominal_seconds(&r.graph->layers[1], (vdnn_pass)p) >
            vdnn_measure_nominal_seconds(&r.graph->layers[1], (vdnn_pass)pass))
            pass = p;
    const vdnn_choice *heaviest = profile->layers[1].choices[pass];
    const vdnn_algorithm *algorithm, *likely[2] = {NULL};
    double slower = 0;
    for (size_t next = 0, i = 0;
         i < 2 && (algorithm = vdnn_device_algorithm(r.device, "conv", &next)) != NULL;) {
        const int32_t found = vdnn_profile_find(profile, 1, (vdnn_pass)pass, algorithm->name);
        if (found < 0)
            continue;
        slower = fmax(slower, heaviest[found].seconds);
        likely[i++] = algorithm;
    }
    for (int32_t k = 0; k < profile->layers[1].choice_count[pass]; k++)
        assert_true(heaviest[k].algorithm == likely[0] || heaviest[k].algorithm == likely[1] ||
                    heaviest[k].seconds > slower);
    assert_true(look.measured == 2 && look.fresh > 20);
    vdnn_profile_destroy(profile);
    tear_down(&r);
}

/* Where all are measured in that time, none is estimated. */
TEST(a_network_that_is_measured_soon_is_measured_whole)
{
    rig r;
    vdnn_profile *profile = NULL;
    set_up(&r);
    const vdnn_look look = look_for(&r, 1000, &profile);
    assert_true(look.whole_seconds == 0);
    assert_int_equal(count_provisional(r.store), 0);
    assert_true(vdnn_profile_store_row_count(r.store) > 20);
    vdnn_profile_destroy(profile);
    tear_down(&r);
}

TEST(a_first_look_survives_every_allocation_that_fails)
{
    rig r;
    set_up(&r);
    vdnn_profile *kernels = NULL;
    (void)look_for(&r, 1e-9, &kernels); /* the device keeps some */
    vdnn_profile_destroy(kernels);
    const size_t live = vdnn_heap_live_count();
    bool failed = true;
    for (size_t n = 1; failed; n += 1 + n / 16) {
        vdnn_profile_store *store = NULL;
        vdnn_profile *profile = NULL;
        vdnn_look look = {.seconds = 1e-9};
        assert_ok(vdnn_profile_store_create("k", &store));
        vdnn_heap_fail_after(n);
        const vdnn_status status =
            vdnn_measured_profile_look(r.graph, r.device, store, NULL, &look, &profile);
        vdnn_heap_fail_after(0);
        assert_int_equal(status == VDNN_OK, profile != NULL);
        failed = status != VDNN_OK || n < 40;
        vdnn_profile_destroy(profile);
        vdnn_profile_store_destroy(store);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
    tear_down(&r);
}

/* Of a network that takes long to measure: the second training has the same algorithms, and so the
 * same bits. */
TEST_IN_FOLDER(a_training_begins_soon_and_the_next_one_is_the_same)
{
    vdnn_test_run runs[2];
    vdnn_text text = {0};
    vdnn_text_put(&text, "name: net\ninput: {channels: 8, height: 16, width: 16}\nclasses: 3\n"
                         "batch: 2\nlayers:\n");
    for (int i = 0; i < 40; i++)
        vdnn_text_add(&text, "  - {name: conv%d, type: conv, out: %d, kernel: 3, pad: 1}\n", i,
                      8 + i);
    vdnn_text_put(&text, "  - {name: fc, type: fc, out: 3}\n"
                         "  - {name: loss, type: softmax_loss}\n");
    vdnn_test_write_below(*state, "net.yaml", text.data);
    vdnn_text_fini(&text);
    for (int i = 0; i < 2; i++) {
        vdnn_test_program(&runs[i], *state,
                          "VDNN_NO_CACHE=0 XDG_CACHE_HOME=@ vdnnrun --model @/net.yaml --steps 2 "
                          "--lr 1e-9 --save @/w%d.safetensors",
                          i);
        vdnn_test_expect(&runs[i], 0,
                         i == 0 ? "a first look at the network: " : "those of a first look; ");
        vdnn_test_run_free(&runs[i]);
    }
    vdnn_test_same_files(*state, "w0.safetensors", "w1.safetensors");
    vdnn_test_run_to(*state, 0, "a first look at the network: ",
                     "vdnnrun --model @/net.yaml --steps 2 --lr 1e-9 --launch 2");
}
