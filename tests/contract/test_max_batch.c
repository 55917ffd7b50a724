/* --max-batch: each batch that it names was planned as a run of that batch is, and is the best of
 * its kind. */

#include "tests/support/run_program.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct scene {
    const char *folder, *words; /* of every run: the network, the machine, the budgets */
} scene;

/* What a dry run of the scene's words and `more` writes; the reference is the caller's. */
static json_t *plan(const scene *s, int code, const char *more)
{
    vdnn_test_run run;
    const char *path = vdnn_test_path(s->folder, "run.json");
    vdnn_test_program(&run, s->folder, "vdnnrun %s --dry-run --quiet --json @/run.json %s",
                      s->words, more);
    vdnn_test_expect(&run, code, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(path);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void expect_close(double a, double b)
{
    if (fabs(a - b) > 1e-6 * fabs(b))
        fail_msg("%.12g, not %.12g", a, b);
}

/* Returns the plan of a run that has the row's rate. */
static json_t *check_rate(const scene *s, const char *more, const json_t *row)
{
    json_t *root = plan(s, 0, more), *own = json_object_get(root, "plan");
    expect_close(number(root, "batch") / number(own, "step_seconds"),
                 number(row, "images_per_second"));
    json_incref(own);
    json_decref(root);
    return own;
}

/* A run of that batch has the row's rate, and takes the row's memory. */
static void check_row(const scene *s, const char *policy, const json_t *row)
{
    char more[160];
    (void)snprintf(more, sizeof more, "%s --batch %.0f", policy, number(row, "batch"));
    json_t *own = check_rate(s, more, row);
    expect_close(number(own, "arena_bytes"), number(row, "arena_bytes"));
    expect_close(number(own, "oracle_step_seconds") / number(own, "step_seconds"),
                 number(row, "relative_speed"));
    json_decref(own);
}

static void check_accumulated(const scene *s, const json_t *row)
{
    char more[160];
    const json_t *accumulate = json_object_get(row, "accumulate");
    if (json_is_null(accumulate))
        return;
    const int count = (int)number(accumulate, "micro_batches");
    (void)snprintf(more, sizeof more, "--policy base --batch %.0f --accumulate %d",
                   number(row, "batch"), count);
    json_decref(check_rate(s, more, accumulate));
    if (count == 1)
        return;
    (void)snprintf(more, sizeof more, "--policy base --batch %.0f --accumulate %d",
                   number(row, "batch"), count - 1);
    json_decref(plan(s, 4, more));
}

static json_t *max_batch(const scene *s, const char *policy)
{
    char more[160];
    (void)snprintf(more, sizeof more, "%s --max-batch", policy);
    json_t *root = plan(s, 0, more), *found = json_object_get(root, "max_batch");
    assert_non_null(found);
    json_incref(found);
    json_decref(root);
    return found;
}

static void check_choices(const json_t *found)
{
    const json_t *rows = json_object_get(found, "rows");
    const json_t *largest = json_object_get(found, "largest"),
                 *fastest = json_object_get(found, "fastest"),
                 *at_speed = json_object_get(found, "at_speed");
    double before = 0.0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        assert_true(number(row, "batch") > before);
        before = number(row, "batch");
        assert_true(number(row, "images_per_second") <= number(fastest, "images_per_second"));
        if (number(row, "relative_speed") >= 0.9)
            assert_true(number(at_speed, "batch") >= before);
    }
    assert_true(number(largest, "batch") == before);
    assert_true(json_is_null(at_speed) || number(at_speed, "relative_speed") >= 0.9);
}

/* One sample more is refused. */
static void check_largest(const scene *s, const char *policy, const json_t *largest)
{
    char more[160];
    (void)snprintf(more, sizeof more, "%s --batch %.0f", policy, number(largest, "batch") + 1);
    json_decref(plan(s, 4, more));
}

static void check(const scene *s, const char *policy)
{
    static const char *const choices[] = {"largest", "fastest", "at_speed"};
    json_t *found = max_batch(s, policy);
    const json_t *rows = json_object_get(found, "rows");
    check_choices(found);
    for (size_t i = 0; i < json_array_size(rows); i += 3)
        check_row(s, policy, json_array_get(rows, i));
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const json_t *row = json_object_get(found, choices[i]);
        if (json_is_null(row))
            continue;
        check_row(s, policy, row);
        check_accumulated(s, row);
    }
    check_largest(s, policy, json_object_get(found, "largest"));
    json_decref(found);
}

TEST_IN_FOLDER(every_batch_named_is_what_it_says)
{
    static const char *const policies[] = {"--policy all", "--policy dyn"};
    const scene known = {*state, "--model alexnet --device sim:titan-x-maxwell --device-mem 1GiB"},
                small = {*state,
                         "--model @/net.yaml --device sim:t4 --device-mem 4MiB --host-mem 4MiB"},
                tight = {*state,
                         "--model @/net.yaml --device sim:t4 --device-mem 96KiB --host-mem 4MiB"};
    vdnn_test_network(*state);
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
        check(&known, policies[p]);
    check(&small, "--policy base --algo m");
    check(&small, "--policy dyn");
    check(&tight, "--policy opt --plan-trials 10");
}

/* The batch asked for says nothing about others. */
TEST_IN_FOLDER(a_batch_that_does_not_fit_is_no_refusal)
{
    static const char words[] = "vdnnrun --model alexnet --device sim:titan-x-maxwell "
                                "--device-mem 1GiB --max-batch --quiet --batch 4000";
    vdnn_test_run run;
    vdnn_test_program(&run, *state, words);
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "the largest that fits: "));
    assert_non_null(strstr(run.out, "the most images/s: "));
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(where_no_batch_fits_that_is_said)
{
    vdnn_test_run_to(*state, 4, "no batch of alexnet fits this budget under policy dyn",
                     "vdnnrun --model alexnet --device sim:t4 --device-mem 1MiB --max-batch");
}

TEST_IN_FOLDER(batches_of_several_devices_are_theirs_together)
{
    const scene one = {*state, "--model alexnet --device sim:t4 --device-mem 1GiB"},
                two = {*state, "--model alexnet --device sim:t4 --device-mem 1GiB --devices 2"};
    json_t *alone = max_batch(&one, "--policy conv"), *both = max_batch(&two, "--policy conv");
    const double largest = number(json_object_get(alone, "largest"), "batch"),
                 shared = number(json_object_get(both, "largest"), "batch");
    assert_true(shared > 1.8 * largest && shared <= 2 * largest);
    json_decref(alone);
    json_decref(both);
}

TEST_IN_FOLDER(times_of_a_device_that_computes_are_scaled)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --device cpu --device-mem 4MiB --max-batch "
                      "--save @/weights");
    vdnn_test_expect(&run, 0, "looking for the largest batch that fits");
    assert_non_null(strstr(run.out, "scaled from those measured with batch 8"));
    vdnn_test_run_free(&run);
    assert_int_not_equal(access(vdnn_test_path(*state, "weights"), F_OK), 0);
}

TEST_IN_FOLDER(a_recorded_device_has_one_batch)
{
    vdnn_test_network(*state);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --device cpu --dry-run --profile @/profile");
    vdnn_test_run_to(*state, 2, "has the times of batch 8 alone",
                     "vdnnrun --model @/net.yaml --device sim:@/profile --max-batch");
}
