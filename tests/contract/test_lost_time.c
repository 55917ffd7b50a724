/* After a run: where its steps lost time. A simulated device takes the time that was planned, so
 * that what a run measured there is what the report of its plan says. */

#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

#include <math.h>
#include <stdio.h>
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

TEST_IN_FOLDER(a_run_tells_where_it_lost_time)
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

TEST_IN_FOLDER(a_run_that_loses_next_to_nothing_says_nothing_of_it)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model vgg16 --device sim:h100 --steps 3");
    vdnn_test_expect(&run, 0, "a step took");
    assert_null(strstr(run.err, "most time lost"));
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(a_simulated_run_loses_what_its_plan_says)
{
#define NETWORK "--model googlenet --batch 64 --device sim:titan-x-maxwell --device-mem 700MiB "
    vdnn_test_run_to(*state, 0, "most time lost to waiting, ",
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

/* The line of a name in the table, and its numbers in seconds. */
static const char *line_of(const char *table, const char *name, double seconds[5])
{
    char begin[64];
    int read = 0;
    (void)snprintf(begin, sizeof begin, "\n%s ", name);
    const char *line = strstr(table, begin);
    assert_non_null(line);
    line += strlen(begin);
    assert_int_equal(sscanf(line, "%lf %lf %lf %lf %lf%n", &seconds[0], &seconds[1], &seconds[2],
                            &seconds[3], &seconds[4], &read),
                     5);
    for (int i = 0; i < 5; i++)
        seconds[i] *= 1e-3;
    return line + read;
}

/* To half of the last digit of a millisecond's thousandths. */
static void expect_seconds(double found, double wanted)
{
    if (fabs(found - wanted) > 0.5e-6 + 1e-12)
        fail_msg("%.9f in the table, %.9f in the JSON", found, wanted);
}

static json_t *named(json_t *layers, const char *name)
{
    size_t i;
    json_t *layer;
    json_array_foreach(layers, i, layer)
    {
        if (strcmp(vdnn_test_text_at(layer, "name"), name) == 0)
            return layer;
    }
    fail_msg("no layer %s", name);
    return NULL;
}

/* The table has the JSON's numbers, its actions, and their sums, which are the step. */
TEST_IN_FOLDER(a_verbose_run_lists_all_layers)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model resnet50 --batch 16 --device sim:titan-x-maxwell "
                      "--device-mem 1GiB --policy dyn --steps 3 --verbose --json @/run.json");
    vdnn_test_expect(&run, 0, "");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json")),
           *measured = vdnn_test_object_at(root, "measured"),
           *split = vdnn_test_object_at(measured, "split"), *layer;
    double numbers[5], recomputed = 0;
    size_t i;
    json_array_foreach(json_object_get(measured, "layers"), i, layer)
    {
        const char *name = vdnn_test_text_at(layer, "name"),
                   *rest = line_of(run.out, name, numbers),
                   *action =
                       vdnn_test_text_at(named(json_object_get(root, "layers"), name), "action");
        json_t *lost = vdnn_test_object_at(layer, "lost");
        const double recompute = vdnn_test_number_at(lost, "recompute_seconds");
        expect_seconds(numbers[0], vdnn_test_number_at(layer, "forward_seconds"));
        expect_seconds(numbers[1], vdnn_test_number_at(layer, "backward_seconds") - recompute);
        expect_seconds(numbers[2], vdnn_test_number_at(lost, "stall_seconds"));
        expect_seconds(numbers[3], vdnn_test_number_at(lost, "exposed_copy_seconds"));
        expect_seconds(numbers[4], recompute);
        assert_memory_equal(rest + strspn(rest, " "), action, strlen(action));
        recomputed += recompute;
    }
    assert_true(i > 100 && recomputed > 0);
    (void)line_of(run.out, "all", numbers);
    expect_seconds(numbers[0] + numbers[1], vdnn_test_number_at(split, "compute_seconds"));
    expect_seconds(numbers[2], vdnn_test_number_at(split, "stall_seconds"));
    expect_seconds(numbers[3], vdnn_test_number_at(split, "exposed_copy_seconds"));
    expect_seconds(numbers[4], vdnn_test_number_at(split, "recompute_seconds"));
    json_decref(root);
    vdnn_test_run_free(&run);
}

/* Of three devices; frees the root. */
static void check_devices(json_t *root)
{
    json_t *measured = vdnn_test_object_at(root, "measured"),
           *all = json_object_get(root, "per_device"), *device;
    const size_t worst = (size_t)vdnn_test_integer_at(measured, "lost_device");
    double most = 0;
    size_t d;
    assert_int_equal(json_array_size(all), 3);
    json_array_foreach(all, d, device)
    {
        json_t *own = vdnn_test_object_at(device, "measured");
        check_worst_first(json_object_get(own, "lost"), 10);
        check_layers(own, vdnn_test_object_at(own, "split"));
        most = fmax(most, sum_of(vdnn_test_object_at(own, "split"), 1));
    }
    json_t *told = vdnn_test_object_at(json_array_get(all, worst), "measured");
    assert_true(sum_of(vdnn_test_object_at(told, "split"), 1) >= most);
    assert_true(json_equal(json_object_get(measured, "lost"), json_object_get(told, "lost")));
    assert_true(json_equal(json_object_get(measured, "layers"), json_object_get(told, "layers")));
    json_decref(root);
}

/* Each of several tells, in this process or in one of its own; the one that lost the most is told
 * of. */
TEST_IN_FOLDER(the_device_that_lost_the_most_is_told_of)
{
    assert_non_null(vdnn_test_network(*state));
    check_devices(vdnn_test_run_json(*state, "--devices 3 --batch 7 --policy all --steps 4"));
    check_devices(
        vdnn_test_run_json(*state, "--launch 3 --threads 1 --batch 7 --policy all --steps 4"));
}
