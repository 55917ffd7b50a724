/* Buckets of gradients as they are chosen: on the clock, within the budget, the same on all
 * devices. */

#include "runtime/checker/checker.h"
#include "tests/support/policy_ask.h"
#include "tests/support/policy_case.h"
#include "tests/support/vdnn_test.h"

/* Two large gradients and small ones. */
static const char network[] =
    "name: small\n"
    "input: {channels: 3, height: 16, width: 16}\n"
    "classes: 10\n"
    "batch: 7\n"
    "layers:\n"
    "  - repeat: {count: 8, layers: [{name: 'conv{i}', type: conv, out: 16, kernel: 3, pad: 1}]}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: fc1, type: fc, out: 64}\n"
    "  - {name: fc2, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n";

enum { DEVICES = 4, BATCH = 7 };

static void open_case(vdnn_policy_case *c, int32_t device, const vdnn_reduce_buckets *given,
                      double latency_seconds)
{
    const vdnn_graph_options options = {.batch = vdnn_graph_share(BATCH, DEVICES, device),
                                        .devices = DEVICES,
                                        .step_batch = BATCH,
                                        .buckets = given,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32};
    vdnn_policy_case_open(c, network, &options, VDNN_ALGO_P);
    c->profile->reduce = (vdnn_reduce_rates){
        .ways = {{.latency_seconds = latency_seconds, .traffic = 1.5, .bytes_per_second = 1e15}},
        .way_count = 1};
}

static vdnn_plan *plan_of(const vdnn_policy_case *c, const char *policy)
{
    vdnn_plan *plan;
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find(policy), &c->request, &plan, NULL));
    assert_ok(vdnn_checker_check(plan, c->request.budget_bytes));
    return plan;
}

static int count_sums(const vdnn_plan *plan)
{
    int count = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        count += plan->steps[i].kind == VDNN_STEP_REDUCE;
    return count;
}

/* With a latency of half a step each, ten sums would take five steps. */
static void slow_sums_are_few(void **state)
{
    static const char *const policies[] = {"base", "all", "conv", "dyn"};
    (void)state;
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        vdnn_policy_case c;
        open_case(&c, 0, NULL, 0);
        vdnn_plan *alone = plan_of(&c, policies[p]);
        c.profile->reduce.ways[0].latency_seconds = alone->step_seconds / 2;
        vdnn_plan *few = plan_of(&c, policies[p]);
        assert_int_equal(count_sums(alone), 10);
        assert_in_range(count_sums(few), 1, 4);
        assert_true(few->step_seconds < 3 * alone->step_seconds);
        vdnn_plan_destroy(alone);
        vdnn_plan_destroy(few);
        vdnn_policy_case_close(&c);
    }
}

/* A plan that fits with a sum for each block alone is not refused because of buckets. */
static void buckets_take_spare_memory_alone(void **state)
{
    vdnn_policy_case c;
    int smaller = 0;
    (void)state;
    open_case(&c, 0, NULL, 0);
    vdnn_plan *alone = plan_of(&c, "base");
    const size_t bytes = alone->span_bytes[VDNN_TIER_DEVICE];
    c.profile->reduce.ways[0].latency_seconds = alone->step_seconds / 2;
    vdnn_plan_destroy(alone);
    for (size_t spare = 0; spare < (size_t)1 << 17; spare += 1 << 14) {
        c.request.budget_bytes[VDNN_TIER_DEVICE] = bytes + spare;
        vdnn_plan *plan = plan_of(&c, "base");
        smaller += count_sums(plan) < 10;
        vdnn_plan_destroy(plan);
    }
    assert_true(smaller > 0);
    vdnn_policy_case_close(&c);
}

/* What is decided for the first device is given to one with a smaller share. */
static void all_devices_have_the_same_buckets(void **state)
{
    static const double latencies[] = {0, 1e-4, 1e-2};
    (void)state;
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        vdnn_policy_case first, last;
        open_case(&first, 0, NULL, latencies[i]);
        vdnn_plan *plan = plan_of(&first, "dyn");
        open_case(&last, DEVICES - 1, &plan->buckets, 0);
        vdnn_plan *lesser = plan_of(&last, "dyn");
        const vdnn_plan *const plans[DEVICES] = {plan, plan, plan, lesser};
        assert_ok(vdnn_checker_check_devices(plans, DEVICES));
        assert_int_equal(count_sums(plan), count_sums(lesser));
        vdnn_plan_destroy(plan);
        vdnn_plan_destroy(lesser);
        vdnn_policy_case_close(&first);
        vdnn_policy_case_close(&last);
    }
}

/* Beside its own gradients the first device has those that the others send. */
static void the_device_that_gathers_has_memory_for_all(void **state)
{
    static const size_t large = 64 * 1024 * 4; /* more than the largest gradient */
    vdnn_policy_case cases[2];
    vdnn_plan *made[2] = {NULL};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const vdnn_graph_options options = {.batch = 1,
                                            .devices = DEVICES,
                                            .step_batch = DEVICES,
                                            .reduce = VDNN_REDUCE_GATHER,
                                            .gathers = i == 0,
                                            .buckets = i == 0 ? NULL : &made[0]->buckets,
                                            .rules = VDNN_RULES_LEAN,
                                            .dtype = VDNN_F32};
        vdnn_policy_case_open(&cases[i], network, &options, VDNN_ALGO_P);
        made[i] = plan_of(&cases[i], "base");
    }
    size_t most[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int32_t s = 0; s < made[i]->step_count; s++)
            for (int32_t k = 0; k < made[i]->steps[s].access_count; k++) {
                const vdnn_access *access = &made[i]->accesses[made[i]->steps[s].first_access + k];
                if (access->bind != VDNN_BIND_STAGED)
                    continue;
                assert_int_equal(access->bytes, (DEVICES - 1) * made[i]->steps[s].bytes);
                most[i] = access->bytes > most[i] ? access->bytes : most[i];
            }
    assert_true(most[0] > large && most[1] == 0);
    assert_true(made[0]->peak_bytes[VDNN_TIER_DEVICE] > made[1]->peak_bytes[VDNN_TIER_DEVICE]);
    const vdnn_plan *const good[DEVICES] = {made[0], made[1], made[1], made[1]},
                           *const broken[DEVICES] = {made[1], made[0], made[1], made[1]};
    assert_ok(vdnn_checker_check_devices(good, DEVICES));
    assert_status(vdnn_checker_check_devices(broken, DEVICES), VDNN_INTERNAL);
    assert_message("has not the memory for those of the others");
    for (int i = 0; i < 2; i++) {
        vdnn_plan_destroy(made[i]);
        vdnn_policy_case_close(&cases[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_sums_are_few),
        cmocka_unit_test(buckets_take_spare_memory_alone),
        cmocka_unit_test(all_devices_have_the_same_buckets),
        cmocka_unit_test(the_device_that_gathers_has_memory_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
