/* Plans of several devices on one clock, made by hand. */

#include "runtime/planner/clock/together.h"
#include "tests/support/vdnn_test.h"

/* Backward of two layers, the first one's sum beside the second, and an update behind both. The
 * memory of a sum is the link's: 12 bytes a second. */
enum { FIRST, SUM, SECOND, UPDATE, STEPS };

typedef struct device {
    vdnn_step steps[STEPS];
    int32_t waits[3];
    vdnn_plan plan;
} device;

static const vdnn_layer_def moving = {.type = "moving"};
static vdnn_layer layer = {.def = &moving};
static const vdnn_graph summing = {.devices = 2, .layers = &layer, .layer_count = 1},
                        sharing = {
                            .devices = 2, .layers = &layer, .layer_count = 1, .shards = true};

/* `seconds` of each kernel. */
static void make(device *d, double seconds, size_t sum_bytes)
{
    *d = (device){
        .steps =
            {[FIRST] = {.kind = VDNN_STEP_RUN, .seconds = seconds},
             [SUM] = {.kind = VDNN_STEP_REDUCE,
                      .stream = VDNN_STREAM_REDUCE,
                      .bytes = sum_bytes,
                      .first_wait = 0,
                      .wait_count = 1},
             [SECOND] = {.kind = VDNN_STEP_RUN, .seconds = seconds, .first_wait = 1},
             [UPDATE] = {.kind = VDNN_STEP_UPDATE, .seconds = 1, .first_wait = 1, .wait_count = 2}},
        .waits = {FIRST, SUM, SECOND},
    };
    d->plan = (vdnn_plan){.graph = &summing,
                          .steps = d->steps,
                          .step_count = STEPS,
                          .waits = d->waits,
                          .wait_count = 3};
}

static const vdnn_rates rates = {.copy_out_bytes_per_second = 12,
                                 .copy_in_bytes_per_second = 12,
                                 .reduce = {.ways = {{1, 1, 12}},
                                            .way_count = 1,
                                            .half = {1, 0.5, 12},
                                            .crossing = VDNN_REDUCE_CROSSES_ONCE}};

static void a_sum_begins_when_the_last_device_has_come_to_it(void **state)
{
    (void)state;
    /*   0  |2 first|2 second|............|1 update|
     *                       |1+2 sum ....|
     *   1  |4 first .......|4 second ....|1 update|        0 to 9             */
    device devices[2];
    vdnn_together_times times[2];
    make(&devices[0], 2, 24);
    make(&devices[1], 4, 24);
    const vdnn_plan *plans[] = {&devices[0].plan, &devices[1].plan};
    assert_ok(vdnn_together_run(plans, 2, &rates, 1, times));
    assert_true(times[0].step_seconds == 8 && times[1].step_seconds == 9);
    assert_true(times[0].exposed_reduce_seconds == 3);
    assert_true(times[1].exposed_reduce_seconds == 0);
}

/* It is half of a sum. */
static void a_sum_of_shares_takes_what_a_half_does(void **state)
{
    (void)state;
    device own;
    vdnn_together_times times[2];
    make(&own, 1, 24);
    own.plan.graph = &sharing;
    const vdnn_plan *plans[] = {&own.plan, &own.plan};
    assert_ok(vdnn_together_run(plans, 2, &rates, 1, times));
    assert_true(times[0].step_seconds == 1 + 2 + 1 && times[0].exposed_reduce_seconds == 1);
    own.plan.graph = &summing;
    assert_ok(vdnn_together_run(plans, 2, &rates, 1, times));
    assert_true(times[0].step_seconds == 1 + 3 + 1);
}

/* As it goes through both devices of a link, and through the link once. */
static void devices_of_one_link_do_not_share_it_with_their_own_sum(void **state)
{
    (void)state;
    device own;
    vdnn_together_times times[4];
    make(&own, 4, 24);
    const vdnn_plan *plans[] = {&own.plan, &own.plan, &own.plan, &own.plan};
    for (int32_t on_one_link = 1; on_one_link <= 4; on_one_link++) {
        assert_ok(vdnn_together_run(plans, 4, &rates, on_one_link, times));
        for (int d = 0; d < 4; d++)
            assert_true(times[d].step_seconds == 9);
    }
    vdnn_rates each = rates;
    each.reduce.crossing = VDNN_REDUCE_CROSSES_EACH; /* 1 + 2 * 2 seconds, from 4 on */
    assert_ok(vdnn_together_run(plans, 4, &each, 2, times));
    assert_true(times[0].step_seconds == 10 && times[0].exposed_reduce_seconds == 1);
}

static void a_thousand_devices_are_as_quick_as_a_few_and_take_as_long(void **state)
{
    (void)state;
    enum { MANY = 1024, LARGER = 700 };
    device larger, smaller;
    const vdnn_plan *plans[MANY];
    vdnn_together_times times[MANY];
    make(&larger, 4, 24);
    make(&smaller, 2, 24);
    for (int d = 0; d < MANY; d++)
        plans[d] = d < LARGER ? &larger.plan : &smaller.plan;
    assert_ok(vdnn_together_run(plans, MANY, &rates, 32, times));
    for (int d = 0; d < MANY; d++)
        assert_true(times[d].step_seconds == (d < LARGER ? 9 : 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_begins_when_the_last_device_has_come_to_it),
        cmocka_unit_test(a_sum_of_shares_takes_what_a_half_does),
        cmocka_unit_test(devices_of_one_link_do_not_share_it_with_their_own_sum),
        cmocka_unit_test(a_thousand_devices_are_as_quick_as_a_few_and_take_as_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
