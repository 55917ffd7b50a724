/* Over many budgets, from the smallest to what it takes without any limit, opt is exact, stays
 * within each, is never slower with more memory, and moves nothing where that is not required. */

#include "runtime/vdnn.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>

/* Those of a short check come first. */
static const char *const networks[] = {"lenet",       "alexnet",     "overfeat",   "vgg16",
                                       "vgg19",       "googlenet",   "squeezenet", "resnet50",
                                       "densenet121", "inception_v3"};

enum { NETWORKS = sizeof networks / sizeof *networks, LEAST_NETWORKS = 3, TRIALS = 150 };
enum { BUDGETS = 200 };

/* What opt takes under one budget. */
typedef struct cell {
    size_t budget_bytes, arena_bytes, offload_bytes;
    bool fits;
    double step_seconds, recompute_seconds;
} cell;

/* The first budget is a byte less than the smallest, the last is what the plan of unlimited memory
 * takes. */
typedef struct curve {
    const char *network;
    int count;
    cell cells[BUDGETS + 1];
} curve;

static curve curves[NETWORKS];
static int curve_count;

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *report_of(const char *network, const char *budgets)
{
    char model[64];
    (void)snprintf(model, sizeof model, "models/%s.yaml", network);
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = model,
                                          .device = "sim:models/devices/titan-x-maxwell.yaml",
                                          .device_mem = "1024GiB",
                                          .planning =
                                              vdnn_test_topic(planning, .plan_trials = TRIALS),
                                          .report = vdnn_test_topic(report, .budgets = budgets)};
    vdnn_report *report;
    vdnn_text text = {0};
    assert_ok(vdnn_report_create(&options, NULL, "opt", &report));
    assert_ok(vdnn_report_write(report, VDNN_REPORT_JSON, &text));
    json_t *root = json_loads(text.data, 0, NULL);
    assert_non_null(root);
    vdnn_text_fini(&text);
    vdnn_report_destroy(report);
    return root;
}

static cell read_cell(json_t *budget)
{
    json_t *policy = json_array_get(json_object_get(budget, "policies"), 0);
    cell own = {.budget_bytes = (size_t)vdnn_test_integer_at(budget, "budget_bytes"),
                .fits = json_is_true(json_object_get(policy, "fits"))};
    if (!own.fits)
        return own;
    own.arena_bytes = (size_t)vdnn_test_integer_at(policy, "arena_bytes");
    own.offload_bytes = (size_t)vdnn_test_integer_at(policy, "offload_bytes");
    own.step_seconds = vdnn_test_number_at(policy, "step_seconds");
    own.recompute_seconds = vdnn_test_number_at(policy, "recompute_seconds");
    return own;
}

/* Of these budgets, which are given in descending order. */
static void fill_curve(curve *own, size_t smallest, size_t most)
{
    vdnn_text list = {0};
    const int steps = own->count - 2;
    for (int i = steps; i >= 0; i--)
        vdnn_text_add(&list, "%zu,", smallest + (most - smallest) / (size_t)steps * (size_t)i);
    vdnn_text_add(&list, "%zu", smallest - 1);
    json_t *root = report_of(own->network, list.data), *budgets = json_object_get(root, "budgets");
    assert_int_equal(json_array_size(budgets), own->count);
    for (int i = 0; i < own->count; i++)
        own->cells[own->count - 1 - i] = read_cell(json_array_get(budgets, (size_t)i));
    json_decref(root);
    vdnn_text_fini(&list);
}

static int plan_curves(void **state)
{
    (void)state;
    const int asked = vdnn_test_count(NETWORKS);
    curve_count = asked < LEAST_NETWORKS ? LEAST_NETWORKS : asked;
    for (int n = 0; n < curve_count; n++) {
        json_t *root = report_of(networks[n], NULL),
               *row = json_array_get(json_object_get(root, "policies"), 0);
        curves[n] = (curve){.network = networks[n], .count = vdnn_test_count(BUDGETS) + 1};
        fill_curve(&curves[n], (size_t)vdnn_test_integer_at(row, "smallest_bytes"),
                   (size_t)vdnn_test_integer_at(row, "arena_bytes"));
        json_decref(root);
    }
    return 0;
}

/* ---- what holds of all of them --------------------------------------------------------------- */

static void its_smallest_budget_is_exact(void **state)
{
    (void)state;
    for (int n = 0; n < curve_count; n++)
        for (int i = 0; i < curves[n].count; i++)
            assert_int_equal(curves[n].cells[i].fits, i > 0);
}

static void it_stays_within_each_budget(void **state)
{
    (void)state;
    for (int n = 0; n < curve_count; n++)
        for (int i = 1; i < curves[n].count; i++)
            assert_true(curves[n].cells[i].arena_bytes <= curves[n].cells[i].budget_bytes);
}

static void more_memory_never_takes_more_time(void **state)
{
    (void)state;
    for (int n = 0; n < curve_count; n++)
        for (int i = 2; i < curves[n].count; i++) {
            const cell *less = &curves[n].cells[i - 1], *more = &curves[n].cells[i];
            if (more->step_seconds > less->step_seconds)
                fail_msg("%s: %.9g s with %zu bytes, %.9g s with %zu", curves[n].network,
                         less->step_seconds, less->budget_bytes, more->step_seconds,
                         more->budget_bytes);
        }
}

/* The last plan of all moves nothing; so does any other under a budget that it would fit. */
static void nothing_is_moved_where_the_budget_is_enough(void **state)
{
    (void)state;
    for (int n = 0; n < curve_count; n++) {
        const size_t enough = curves[n].cells[curves[n].count - 1].arena_bytes;
        for (int i = 1; i < curves[n].count; i++) {
            const cell *at = &curves[n].cells[i];
            if (at->budget_bytes >= enough && (at->offload_bytes > 0 || at->recompute_seconds > 0))
                fail_msg("%s: %zu bytes are offloaded, %g s recomputed with %zu bytes",
                         curves[n].network, at->offload_bytes, at->recompute_seconds,
                         at->budget_bytes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_smallest_budget_is_exact),
        cmocka_unit_test(it_stays_within_each_budget),
        cmocka_unit_test(more_memory_never_takes_more_time),
        cmocka_unit_test(nothing_is_moved_where_the_budget_is_enough),
    };
    return cmocka_run_group_tests(tests, plan_curves, NULL);
}
