/* After a run: where its steps lost time. A simulated device takes the time that was planned, so
 * that what a run measured there is what the report of its plan says. */

#include "tests/support/run_json.h"

#include <math.h>
#include <string.h>

static const char *const parts[] = {"compute_seconds", "stall_seconds", "exposed_copy_seconds",
                                    "recompute_seconds"};
enum { PARTS = sizeof parts / sizeof *parts };

static double sum_of(json_t *split, int first)
{
    double sum = 0;
    for (int k = first; k < PARTS; k++) {
        const double seconds = vdnn_test_number_at(split, parts[k]);
        assert_true(seconds >= 0);
        sum += seconds;
    }
    return sum;
}

static void check_worst_first(json_t *lost, size_t most)
{
    double before = HUGE_VAL;
    size_t i;
    json_t *one;
    assert_true(json_array_size(lost) <= most);
    json_array_foreach(lost, i, one)
    {
        const double own = sum_of(one, 1);
        const char *pass = vdnn_test_text_at(one, "pass");
        assert_true(own > 0 && own <= before);
        assert_true(strlen(vdnn_test_text_at(one, "layer")) > 0);
        assert_true(strcmp(pass, "forward") == 0 || strcmp(pass, "backward") == 0);
        before = own;
    }
}

/* Layers lose, and compute, no more than the step does. */
static void check_layers(json_t *measured, json_t *split)
{
    double lost = 0, kernels = 0;
    size_t i;
    json_t *layer;
    json_array_foreach(json_object_get(measured, "layers"), i, layer)
    {
        lost += sum_of(vdnn_test_object_at(layer, "lost"), 1);
        kernels += vdnn_test_number_at(layer, "forward_seconds") +
                   vdnn_test_number_at(layer, "backward_seconds");
    }
    assert_true(lost <= sum_of(split, 1) * (1 + 1e-9));
    assert_true(kernels > 0 && kernels <= vdnn_test_number_at(split, "compute_seconds") +
                                              vdnn_test_number_at(split, "recompute_seconds") +
                                              1e-9);
}

static void a_run_tells_where_it_lost_time(void **state)
{
    assert_non_null(vdnn_test_network(*state));
    json_t *root = vdnn_test_run_json(*state, "--policy all --steps 4"),
           *measured = vdnn_test_object_at(root, "measured"),
           *split = vdnn_test_object_at(measured, "split");
    const double share = vdnn_test_number_at(measured, "hidden_copy_share");
    assert_true(share >= 0 && share <= 1);
    assert_true(sum_of(split, 0) > 0);
    check_worst_first(json_object_get(measured, "lost"), 10);
    check_layers(measured, split);
    json_decref(root);
}

static void a_simulated_run_loses_what_its_plan_says(void **state)
{
#define NETWORK "--model googlenet --batch 64 --device sim:titan-x-maxwell --device-mem 700MiB "
    vdnn_test_run_to(*state, 0, "lost the most: ",
                     "vdnnrun " NETWORK "--policy all --algo p --steps 3 --json @/run.json");
    vdnn_test_run_to(*state, 0, "", "vdnnreport " NETWORK "--policies all --json @/report.json");
    json_t *run = vdnn_test_json(vdnn_test_path(*state, "run.json")),
           *report = vdnn_test_json(vdnn_test_path(*state, "report.json")),
           *row = json_array_get(json_object_get(report, "policies"), 1);
    json_t *ran = vdnn_test_object_at(vdnn_test_object_at(run, "measured"), "split"),
           *planned = vdnn_test_object_at(vdnn_test_object_at(row, "step"), "split");
    const double step = vdnn_test_number_at(row, "step_seconds");
    assert_string_equal(vdnn_test_text_at(row, "algo"), "p");
    assert_true(vdnn_test_number_at(planned, "exposed_copy_seconds") > 0.01 * step);
    for (int k = 0; k < PARTS; k++)
        assert_true(fabs(vdnn_test_number_at(ran, parts[k]) -
                         vdnn_test_number_at(planned, parts[k])) <= 1e-6 * step);
    json_t *first =
               json_array_get(json_object_get(vdnn_test_object_at(run, "measured"), "lost"), 0),
           *wanted = json_array_get(json_object_get(vdnn_test_object_at(row, "step"), "lost"), 0);
    assert_string_equal(vdnn_test_text_at(first, "layer"), vdnn_test_text_at(wanted, "layer"));
    check_layers(vdnn_test_object_at(run, "measured"), ran);
    json_decref(run);
    json_decref(report);
#undef NETWORK
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, vdnn_test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_run_tells_where_it_lost_time),
        TEST(a_simulated_run_loses_what_its_plan_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
