/* Plans of two devices that agree with each other or not: the order of what they do together, and
 * what the executor takes of their sums. */

#include "runtime/checker/checker.h"
#include "runtime/exec/jobs.h"
#include "tests/support/plan_edit.h"
#include "tests/support/shared_case.h"
#include "tests/support/vdnn_test.h"

/* Two devices of one network, whose plans are as good as drawn. */
static void plan_two(vdnn_shared_device list[2], const char *text, vdnn_shared_manner first,
                     vdnn_shared_manner second)
{
    for (int32_t d = 0; d < 2; d++) {
        list[d] = (vdnn_shared_device){.first = 0};
        vdnn_shared_shape(&list[d], text, &(vdnn_shared_kind){.devices = 2, .micros = 1}, d);
        vdnn_shared_plan(&list[d], d == 0 ? first : second);
    }
}

static vdnn_status check_two(const vdnn_plan *first, const vdnn_plan *second)
{
    const vdnn_plan *plans[2] = {first, second};
    return vdnn_checker_check_devices(plans, 2);
}

static void end_two(vdnn_shared_device list[2])
{
    vdnn_training_case_end(&list[0].c);
    vdnn_training_case_end(&list[1].c);
}

/* But for the sums that it reports, by itself. */
static void expect_good(const vdnn_plan *plan)
{
    if (vdnn_checker_check(plan, vdnn_tier_unlimited) != VDNN_OK)
        assert_message("the plan claims");
}

/* On the first device a sum waits for a joint run, on the second the run for the sum. The sums of
 * both are in one order, and so are the runs. */
static void sums_and_runs_that_wait_for_each_other_are_refused(void **state)
{
    vdnn_shared_device list[2];
    (void)state;
    for (int32_t d = 0; d < 2; d++) { /* sums are used some layers later */
        list[d] = (vdnn_shared_device){.first = 0};
        vdnn_shared_shape(&list[d], vdnn_shared_synced,
                          &(vdnn_shared_kind){.devices = 2, .micros = 1}, d);
        vdnn_shared_plan_in_buckets(&list[d], (vdnn_reduce_buckets){.lag = 3});
    }
    assert_ok(check_two(list[0].c.plan, list[1].c.plan));
    vdnn_plan *late = vdnn_plan_edit_copy(list[0].c.plan),
              *early = vdnn_plan_edit_copy(list[1].c.plan);
    int32_t run = vdnn_plan_edit_find(late, VDNN_STEP_REDUCE, -1, 0);
    while (late->steps[run].kind != VDNN_STEP_RUN ||
           vdnn_layer_joint_count(&late->graph->layers[late->steps[run].layer],
                                  late->steps[run].pass) == 0)
        run++;
    int32_t sum = run;
    while (late->steps[sum].kind != VDNN_STEP_REDUCE)
        sum--;
    vdnn_plan_edit_add_wait(early, run, sum);
    vdnn_plan_edit_move(late, sum, run);
    vdnn_plan_edit_add_wait(late, run, run - 1);
    vdnn_plan_edit_refresh(late);
    expect_good(late);
    expect_good(early);
    assert_status(check_two(late, early), VDNN_INTERNAL);
    assert_message("each may wait for the other");
    assert_message("device 0 computes backward_data of norm2, micro-batch 0 with the others when "
                   "device 1 sums");
    vdnn_plan_destroy(late);
    vdnn_plan_destroy(early);
    end_two(list);
}

/* What a device keeps, offloads or waits for changes no order of what it does with the others. */
static void plans_of_one_network_go_together(void **state)
{
    (void)state;
    for (vdnn_shared_manner how = VDNN_SHARED_BY_NEED; how < VDNN_SHARED_BUCKETS_AWAY; how++) {
        vdnn_shared_device list[2];
        plan_two(list, vdnn_shared_synced, VDNN_SHARED_KEEP, how);
        assert_ok(check_two(list[0].c.plan, list[1].c.plan));
        end_two(list);
    }
}

/* The gradient comes from a copy, which is of no layer, instead of the sum. */
static void a_sum_of_no_layer_is_told(void **state)
{
    vdnn_shared_device list[2];
    (void)state;
    plan_two(list, vdnn_shared_plain, VDNN_SHARED_KEEP, VDNN_SHARED_BY_NEED);
    vdnn_plan *broken = vdnn_plan_edit_copy(list[1].c.plan);
    vdnn_access *dw = vdnn_plan_edit_access(
        broken, vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, -1, 0), VDNN_BIND_DW);
    const int32_t copy = vdnn_plan_edit_find(broken, VDNN_STEP_COPY_IN, -1, 0);
    assert_true(copy >= 0);
    dw->writer = copy;
    assert_status(check_two(list[0].c.plan, broken), VDNN_INTERNAL);
    assert_message("device 0 sums the gradient of fc");
    dw->writer = -1;
    assert_status(check_two(list[0].c.plan, broken), VDNN_INTERNAL);
    assert_message("with that of nothing");
    vdnn_plan_destroy(broken);
    end_two(list);
}

/* One more copy, right behind a step and after it alone, of all of a buffer. */
static int32_t add_copy(vdnn_plan *plan, vdnn_step_kind kind, int32_t behind, int32_t from,
                        int32_t to)
{
    const int32_t like = vdnn_plan_edit_find(plan, kind, -1, 0);
    vdnn_plan_edit_duplicate(plan, like);
    behind += like <= behind;
    const int32_t copy = like <= behind ? behind : behind + 1;
    vdnn_plan_edit_move(plan, like, copy);
    vdnn_step *step = &plan->steps[copy];
    step->bytes = plan->buffers[from].bytes;
    step->micro = plan->graph->micro_batches - 1;
    step->wait_count = 0;
    vdnn_plan_edit_add_wait(plan, copy, copy - 1);
    for (int side = 0; side < 2; side++) {
        vdnn_access *own =
            vdnn_plan_edit_access(plan, copy, side == 0 ? VDNN_BIND_SRC : VDNN_BIND_DST);
        own->buffer = side == 0 ? from : to;
        own->first = 0;
        own->bytes = step->bytes;
    }
    return copy;
}

/* The first sum goes to the host and comes back before its update. */
static void send_sum_away(vdnn_plan *plan)
{
    const int32_t sum = vdnn_plan_edit_find(plan, VDNN_STEP_REDUCE, -1, 0),
                  bucket = vdnn_plan_edit_access(plan, sum, VDNN_BIND_DST)->buffer,
                  back = vdnn_plan_edit_add_buffer(plan, bucket, false);
    vdnn_plan_edit_fit_spans(plan);
    const int32_t away = vdnn_plan_edit_add_buffer(plan, bucket, false);
    plan->buffers[away].tier = VDNN_TIER_HOST;
    plan->buffers[away].offset =
        (plan->span_bytes[VDNN_TIER_HOST] + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    vdnn_plan_edit_fit_spans(plan);
    int32_t reader = sum;
    while (plan->steps[reader].kind != VDNN_STEP_UPDATE ||
           vdnn_plan_edit_access(plan, reader, VDNN_BIND_DW)->writer != sum)
        reader++;
    const int32_t layer = plan->steps[reader].layer;
    const int32_t out = add_copy(plan, VDNN_STEP_COPY_OUT, sum, bucket, away),
                  in = add_copy(plan, VDNN_STEP_COPY_IN, out, away, back),
                  update = vdnn_plan_edit_find(plan, VDNN_STEP_UPDATE, layer, 0);
    vdnn_plan_edit_access(plan, update, VDNN_BIND_DW)->buffer = back;
    vdnn_plan_edit_add_wait(plan, update, in);
    vdnn_plan_edit_name_writers(plan);
    vdnn_plan_edit_refresh(plan);
}

/* The blocks whose shares the executor takes the first sum of. */
static int32_t summed_blocks(const vdnn_plan *plan)
{
    const vdnn_device_options options = {.threads = 1, .event_count = 1};
    vdnn_device *device;
    vdnn_jobs *jobs;
    assert_ok(vdnn_device_open("cpu", &options, &device));
    for (int tier = 0; tier < VDNN_TIER_FILE; tier++)
        assert_ok(vdnn_device_reserve(device, (vdnn_tier)tier, plan->span_bytes[tier]));
    assert_ok(vdnn_jobs_create(plan, device, &jobs));
    const int32_t count =
        jobs->list[vdnn_plan_edit_find(plan, VDNN_STEP_REDUCE, -1, 0)].block_count;
    vdnn_jobs_destroy(jobs);
    vdnn_device_close(device);
    return count;
}

/* Each device takes its share of the sum from what the update is proven to read. */
static void a_sum_of_shares_that_comes_back_is_taken(void **state)
{
    vdnn_shared_device d = {.first = 0};
    (void)state;
    vdnn_shared_shape(&d, vdnn_shared_plain,
                      &(vdnn_shared_kind){.devices = 2, .micros = 1, .shards = true}, 0);
    vdnn_shared_plan(&d, VDNN_SHARED_BY_NEED);
    assert_int_equal(summed_blocks(d.c.plan), 1);
    vdnn_plan *edited = vdnn_plan_edit_copy(d.c.plan);
    send_sum_away(edited);
    expect_good(edited);
    assert_int_equal(summed_blocks(edited), 1);
    vdnn_plan_destroy(edited);
    vdnn_training_case_end(&d.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_runs_that_wait_for_each_other_are_refused),
        cmocka_unit_test(plans_of_one_network_go_together),
        cmocka_unit_test(a_sum_of_no_layer_is_told),
        cmocka_unit_test(a_sum_of_shares_that_comes_back_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
