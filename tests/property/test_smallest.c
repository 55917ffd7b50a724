/* The smallest budget of random networks, under every policy, data type and number of devices, with
 * an evaluation in the same arena or without: its plan takes all of it, one byte less is refused,
 * and so is everything below; everything above fits, in no less than the smallest, and as fast as
 * the search's plan. The checker accepts each plan. */

#include "runtime/checker/checker.h"
#include "runtime/fit/attempt.h"
#include "runtime/setup/run_options.h"
#include "tests/support/files.h"
#include "tests/support/random_model.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 500, BELOW = 3, ABOVE = 3, MOST_TRIALS = 60 };

static const vdnn_messages silent;

typedef struct rig {
    vdnn_run_options options;
    vdnn_setup setup;
    vdnn_policy_patience patience;
    int64_t trials;
    vdnn_fit_request request;
    char text[1024]; /* for messages */
} rig;

static bool lasts(void *argument, int64_t trials)
{
    return trials < *(const int64_t *)argument;
}

static const char *pick(vdnn_test_rng *rng, const char *const *list, size_t count)
{
    return list[vdnn_test_random(rng) % count];
}

#define PICK(rng, list) pick(rng, list, sizeof(list) / sizeof *(list))

static void write_network(const char *path, uint64_t seed)
{
    vdnn_random_model model = vdnn_random_model_small(seed);
    vdnn_text text = {0};
    model.batch = 3 + (int64_t)(seed % 4); /* for two or three devices */
    model.micro_batches = 1;
    model.missing = 0;
    assert_ok(vdnn_random_model_write(&model, &text));
    vdnn_test_write_file(path, text.data, text.length);
    vdnn_text_fini(&text);
}

/* False where there is no such network: a share is too small for it, or a layer is refused. */
static bool begin(rig *r, const char *path, vdnn_test_rng *rng)
{
    static const char *const devices[] = {"sim:models/devices/h100.yaml",
                                          "sim:models/devices/titan-x-maxwell.yaml",
                                          "sim:models/devices/t4.yaml"},
                             *const dtypes[] = {"f32", "tf32", "bf16", "f16"},
                             *const policies[] = {"base", "all", "conv", "dyn", "opt", "opt"},
                             *const algos[] = {"m", "p"}, *const rules[] = {"lean", "paper"},
                             *const hosts[] = {"64GiB", "64GiB", "8KiB"};
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = path,
                                          .device = PICK(rng, devices),
                                          .dtype = PICK(rng, dtypes),
                                          .policy = PICK(rng, policies),
                                          .algo = PICK(rng, algos),
                                          .rules = vdnn_test_between(rng, 0, 4) == 0 ? rules[1]
                                                                                     : rules[0],
                                          .host_mem = PICK(rng, hosts),
                                          .devices = vdnn_test_between(rng, 1, 3),
                                          .threads = 1,
                                          .dry_run = true};
    *r = (rig){.trials = vdnn_test_between(rng, 0, MOST_TRIALS)};
    r->patience = (vdnn_policy_patience){lasts, &r->trials};
    vdnn_status status = vdnn_run_options_init(&options, &r->options);
    if (status == VDNN_OK)
        status = vdnn_setup_begin(&r->options, &silent, &r->setup);
    if (status == VDNN_OK)
        status = vdnn_setup_measure(&r->options, &silent, &r->setup);
    if (status != VDNN_OK)
        return false;
    r->request = (vdnn_fit_request){.setup = &r->setup,
                                    .policy = r->options.policy,
                                    .algo = r->options.algo,
                                    .patience = &r->patience,
                                    .tests = vdnn_test_between(rng, 0, 2) == 0};
    (void)snprintf(r->text, sizeof r->text,
                   "%.500s %s %s --policy %s --algo %s --rules %s --host-mem %s "
                   "--devices %d, %d trials",
                   path, options.device, options.dtype, options.policy, options.algo, options.rules,
                   options.host_mem, (int)options.devices, (int)r->trials);
    return true;
}

static void end(rig *r)
{
    vdnn_setup_end(&r->setup);
    vdnn_run_options_fini(&r->options);
}

/* What a plan under the budget takes; 0: it is refused, and *smallest is named. */
static size_t take(rig *r, size_t budget, size_t *smallest)
{
    vdnn_fit_plans plans = {0};
    r->setup.budget_bytes[VDNN_TIER_DEVICE] = budget;
    const vdnn_status status = vdnn_fit_plan(&r->request, &plans);
    const size_t bytes = plans.span_bytes[VDNN_TIER_DEVICE];
    *smallest = plans.smallest_bytes;
    if (status == VDNN_OK)
        assert_ok(vdnn_checker_check(plans.training, r->setup.budget_bytes));
    vdnn_fit_plans_fini(&plans);
    if (status == VDNN_NO_FIT)
        return 0;
    assert_ok(status);
    if (bytes == 0 || bytes > budget)
        fail_msg("%s: %zu bytes in a budget of %zu", r->text, bytes, budget);
    return bytes;
}

/* Seconds of a step of the plan, or of the policy's own; HUGE_VAL: nothing fits. */
static double step_seconds(rig *r, size_t budget, bool is_attempt)
{
    vdnn_fit_plans plans = {0};
    r->setup.budget_bytes[VDNN_TIER_DEVICE] = budget;
    const vdnn_status status = is_attempt ? vdnn_attempt_plan(&r->request, budget, &plans)
                                          : vdnn_fit_plan(&r->request, &plans);
    const double seconds = status == VDNN_OK ? plans.training->step_seconds : HUGE_VAL;
    vdnn_fit_plans_fini(&plans);
    return seconds;
}

/* A plan that the search finds is used, also where it takes less than the smallest budget. */
static void expect_speed(rig *r, size_t budget)
{
    const double seconds = step_seconds(r, budget, false), searched = step_seconds(r, budget, true);
    if (seconds > searched)
        fail_msg("%s: a step under %zu takes %g s, the search found %g s", r->text, budget, seconds,
                 searched);
}

static void expect_refusal(rig *r, size_t budget, size_t smallest)
{
    size_t named;
    const size_t bytes = take(r, budget, &named);
    if (bytes > 0 || named != smallest)
        fail_msg("%s: the smallest is %zu; a plan under %zu takes %zu, or %zu is named", r->text,
                 smallest, budget, bytes, named);
}

static void expect_plan(rig *r, size_t budget, size_t least, size_t most)
{
    size_t named;
    const size_t bytes = take(r, budget, &named);
    if (bytes < least || bytes > most)
        fail_msg("%s: the smallest is %zu; a plan under %zu takes %zu", r->text, least, budget,
                 bytes);
}

static void check(rig *r, vdnn_test_rng *rng)
{
    size_t smallest;
    assert_int_equal(take(r, 1, &smallest), 0);
    if (smallest == 0) /* the host is too small */
        return;
    expect_plan(r, smallest, smallest, smallest);
    expect_speed(r, smallest);
    expect_refusal(r, smallest - 1, smallest);
    for (int i = 0; i < BELOW; i++)
        expect_refusal(r,
                       (size_t)vdnn_test_between(rng, (int64_t)smallest / 2, (int64_t)smallest - 1),
                       smallest);
    for (int i = 0; i < ABOVE; i++) {
        const size_t more =
            smallest + (size_t)vdnn_test_between(rng, 0, (int64_t)smallest >> 3 * i);
        expect_plan(r, more, smallest, more);
        expect_speed(r, more);
    }
}

static void the_smallest_budget_is_what_its_plan_takes(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    int checked = 0;
    for (int i = 0; i < vdnn_test_count(CASES); i++) {
        rig r;
        char path[512];
        const uint64_t seed = vdnn_test_random(&rng);
        (void)snprintf(path, sizeof path, "%s/net.yaml", (const char *)*state);
        write_network(path, seed);
        if (begin(&r, path, &rng)) {
            check(&r, &rng);
            checked++;
        }
        end(&r);
    }
    print_message("%d smallest budgets\n", checked);
    assert_true(checked > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_smallest_budget_is_what_its_plan_takes,
                                        vdnn_test_make_folder, vdnn_test_remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
