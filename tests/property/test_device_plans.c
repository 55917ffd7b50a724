/* Plans of several devices that share each batch: sums beside backward, buckets, shares of the
 * state; broken ones, and some that do not go together, are refused. */

#include "runtime/checker/checker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/shared_case.h"
#include "tests/support/vdnn_test.h"

/* ---- plans ----------------------------------------------------------------------------------- */

/* The sum of a block runs while the backward of the block before it in the network does. */
static void sums_run_beside_backward(void **state)
{
    (void)state;
    vdnn_shared_device d = {.first = 0};
    vdnn_shared_shape(&d, vdnn_shared_plain, &(vdnn_shared_kind){.devices = 2, .micros = 1}, 0);
    vdnn_shared_plan(&d, VDNN_SHARED_KEEP);
    const vdnn_plan *own = d.c.plan;
    int beside = 0, sums = 0;
    for (int32_t i = 0; i < own->step_count; i++) {
        const vdnn_step *step = &own->steps[i];
        if (step->kind != VDNN_STEP_REDUCE)
            continue;
        assert_int_equal(step->stream, VDNN_STREAM_REDUCE);
        assert_true(step->seconds > 0);
        sums++;
        for (int32_t k = i + 1; k < own->step_count; k++) {
            if (own->steps[k].kind == VDNN_STEP_UPDATE && own->steps[k].layer == step->layer)
                break;
            beside += own->steps[k].kind == VDNN_STEP_RUN;
        }
    }
    assert_int_equal(sums, 4);
    assert_true(beside >= sums - 1);
    vdnn_training_case_end(&d.c);
}

static int32_t count_sums(const vdnn_plan *plan, size_t *most, size_t *last)
{
    int32_t count = 0;
    *most = *last = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_REDUCE) {
            *last = plan->steps[i].bytes;
            *most = *last > *most ? *last : *most;
            count++;
        }
    return count;
}

static void expect_title(const vdnn_plan *plan, int32_t sum, const char *title)
{
    vdnn_text text = {0};
    const int32_t step = vdnn_plan_edit_find(plan, VDNN_STEP_REDUCE, -1, sum);
    vdnn_step_title(&text, plan, &plan->steps[step]);
    assert_string_equal(text.data, title);
    vdnn_text_fini(&text);
}

/* fc's gradient has 2,016 bytes, those of right, left and conv1 1,100, 140 and 456. A bucket is
 * full with no less than are left, so that the last one is small; nor with less than a sixteenth of
 * what is decided. */
static void small_gradients_are_summed_together(void **state)
{
    static const struct {
        size_t bytes;
        int32_t sums;
        size_t most, last;
        const char *title; /* of the last one in traces */
    } rows[] = {
        {0, 4, 2016, 456, "reduce conv1"},
        {1500, 3, 2016, 256 + 456, "reduce left to conv1"},
        {2500, 2, 2048 + 1100, 256 + 456, "reduce left to conv1"},
        {1 << 20, 1, 2048 + 1280 + 256 + 456, 2048 + 1280 + 256 + 456, "reduce fc to conv1"}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        vdnn_shared_device d = {.first = 0};
        size_t most, last;
        vdnn_shared_shape(&d, vdnn_shared_plain, &(vdnn_shared_kind){.devices = 2, .micros = 1}, 0);
        vdnn_shared_plan_in_buckets(&d, (vdnn_reduce_buckets){.bytes = rows[r].bytes});
        assert_int_equal(count_sums(d.c.plan, &most, &last), rows[r].sums);
        assert_int_equal(most, rows[r].most);
        assert_int_equal(last, rows[r].last);
        expect_title(d.c.plan, rows[r].sums - 1, rows[r].title);
        vdnn_training_case_end(&d.c);
    }
}

/* Each further bucket that is handed in before one is used leaves more compute to hide a sum. */
static void sums_are_used_as_late_as_is_decided(void **state)
{
    int32_t updates_before = INT32_MAX;
    (void)state;
    for (int32_t lag = 0; lag < 3; lag++) {
        vdnn_shared_device d = {.first = 0};
        vdnn_shared_shape(&d, vdnn_shared_plain, &(vdnn_shared_kind){.devices = 2, .micros = 1}, 0);
        vdnn_shared_plan_in_buckets(&d, (vdnn_reduce_buckets){.lag = lag});
        const int32_t last = vdnn_plan_edit_find(d.c.plan, VDNN_STEP_REDUCE, -1, 3);
        int32_t updates = 0;
        for (int32_t i = 0; i < last; i++)
            updates += d.c.plan->steps[i].kind == VDNN_STEP_UPDATE;
        assert_true(updates < updates_before);
        updates_before = updates;
        vdnn_training_case_end(&d.c);
    }
    assert_int_equal(updates_before, 0);
}

typedef struct breaker {
    vdnn_shared_device d;
    vdnn_plan *good;
    int32_t first, second; /* sums over devices */
} breaker;

static breaker begin_breaking(const char *text, vdnn_shared_manner how)
{
    breaker b = {.first = 0};
    vdnn_shared_shape(&b.d, text, &(vdnn_shared_kind){.devices = 3, .micros = 2}, 0);
    vdnn_shared_plan(&b.d, how);
    b.good = b.d.c.plan;
    assert_ok(vdnn_checker_check(b.good, vdnn_tier_unlimited));
    assert_true(vdnn_plan_edit_is_ordered(b.good));
    b.first = vdnn_plan_edit_find(b.good, VDNN_STEP_REDUCE, -1, 0);
    b.second = vdnn_plan_edit_find(b.good, VDNN_STEP_REDUCE, -1, 1);
    assert_true(b.first > 0 && b.second > 0);
    return b;
}

static void expect_refused(vdnn_plan *broken, const char *message)
{
    vdnn_plan_edit_expect_refused(broken, message);
    vdnn_plan_destroy(broken);
}

/* The step that reads what a sum over devices wrote. */
static int32_t reader_of(const vdnn_plan *plan, int32_t sum)
{
    for (int32_t i = sum + 1; i < plan->step_count; i++) {
        const vdnn_access *dw = vdnn_plan_edit_access(plan, i, VDNN_BIND_DW);
        if (dw != NULL && (dw->mode & VDNN_READ) != 0 && dw->writer == sum)
            return i;
    }
    fail_msg("nothing reads the sum");
    return -1;
}

static void remove_waits_for(vdnn_plan *plan, int32_t step, int32_t target)
{
    for (int32_t k = plan->steps[step].wait_count - 1; k >= 0; k--)
        if (plan->waits[plan->steps[step].first_wait + k] == target)
            vdnn_plan_edit_remove_wait(plan, step, k);
}

static void break_sum(const breaker *b, int32_t sum)
{
    vdnn_plan *broken = vdnn_plan_edit_copy(b->good); /* a gradient that is not summed */
    vdnn_plan_edit_remove(broken, sum);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or twice */
    vdnn_plan_edit_duplicate(broken, sum);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or in part */
    broken->steps[sum].bytes -= sizeof(float);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good);
    broken->steps[sum].bytes -= sizeof(float);
    vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->bytes -= sizeof(float);
    expect_refused(broken, "a sum over devices of");

    broken = vdnn_plan_edit_copy(b->good); /* or read before its sum */
    remove_waits_for(broken, reader_of(broken, sum), sum);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or of another layer */
    broken->steps[sum].layer = broken->steps[sum == b->first ? b->second : b->first].layer;
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or of another micro-batch */
    broken->steps[sum].micro = 0;
    expect_refused(broken, NULL);
}

/* The gradient of the last micro-batch is summed over the devices before those of the others are
 * added. */
static void sum_too_early(const breaker *b)
{
    vdnn_plan *broken = vdnn_plan_edit_copy(b->good);
    int32_t at = b->first;
    while (at > 0 && broken->steps[at].kind != VDNN_STEP_ACCUMULATE)
        at--;
    assert_int_equal(broken->steps[at].layer, broken->steps[b->first].layer);
    vdnn_plan_edit_move(broken, b->first, at);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);
}

/* The last step of a kind that accesses a buffer, before another step. */
static int32_t before(const vdnn_plan *plan, int32_t step, vdnn_step_kind kind, vdnn_bind bind,
                      int32_t buffer)
{
    for (int32_t i = step - 1; i > 0; i--) {
        const vdnn_access *access = vdnn_plan_edit_access(plan, i, bind);
        if (plan->steps[i].kind == kind && access != NULL && access->buffer == buffer)
            return i;
    }
    fail_msg("no such step");
    return -1;
}

static void a_bucket_is_not_touched_once_it_is_handed_in(void **state)
{
    vdnn_shared_device d = {.first = 0};
    (void)state;
    vdnn_shared_shape(&d, vdnn_shared_normal, &(vdnn_shared_kind){.devices = 2, .micros = 1}, 0);
    vdnn_shared_plan_in_buckets(&d, (vdnn_reduce_buckets){.bytes = (size_t)1 << 20});
    const vdnn_plan *good = d.c.plan;
    assert_ok(vdnn_checker_check(good, vdnn_tier_unlimited));
    const int32_t sum = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 0),
                  bucket = vdnn_plan_edit_access(good, sum, VDNN_BIND_DST)->buffer,
                  run = before(good, sum, VDNN_STEP_RUN, VDNN_BIND_DW, bucket),
                  average = before(good, sum, VDNN_STEP_AVERAGE, VDNN_BIND_DW, bucket);

    vdnn_plan *broken = vdnn_plan_edit_copy(good); /* a gradient is written behind the sum */
    vdnn_plan_edit_move(broken, sum, run);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or while it is taken */
    while (broken->steps[sum].wait_count > 0)
        vdnn_plan_edit_remove_wait(broken, sum, 0);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or statistics are read when they are summed */
    vdnn_plan_edit_move(broken, average, sum);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or one gradient of the bucket is not summed */
    broken->steps[sum].bytes -= 256;
    vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->bytes -= 256;
    expect_refused(broken, "a sum over devices of");
    vdnn_training_case_end(&d.c);
}

static void broken_sums_over_devices_are_refused(void **state)
{
    static const char *const texts[] = {vdnn_shared_plain, vdnn_shared_clipped, vdnn_shared_tied};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        breaker b =
            begin_breaking(texts[t], t % 2 == 0 ? VDNN_SHARED_BY_NEED : VDNN_SHARED_BUCKETS_AWAY);
        break_sum(&b, b.first);
        break_sum(&b, b.second);
        sum_too_early(&b);
        b.d.c.graph->devices = 1;
        b.d.c.graph->step_batch = b.d.c.graph->batch;
        expect_refused(vdnn_plan_edit_copy(b.good), NULL);
        b.d.c.graph->devices = 3;
        b.d.c.graph->step_batch = b.d.c.graph->batch - 1;
        expect_refused(vdnn_plan_edit_copy(b.good), "are no share of a step of");
        vdnn_training_case_end(&b.d.c);
    }
}

static void break_gather(const vdnn_shared_device *d, int32_t gather)
{
    const vdnn_plan *good = d->c.plan;
    const int32_t update = vdnn_plan_edit_access(good, gather, VDNN_BIND_DST)->writer;

    vdnn_plan *broken = vdnn_plan_edit_copy(good); /* what the others updated is missing */
    vdnn_plan_edit_remove(broken, gather);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or is gathered twice */
    vdnn_plan_edit_duplicate(broken, gather);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or in part */
    broken->steps[gather].bytes -= sizeof(float);
    expect_refused(broken, "of a block are gathered");

    broken = vdnn_plan_edit_copy(good); /* or before it is updated */
    remove_waits_for(broken, gather, update);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or as it was then */
    vdnn_plan_edit_access(broken, gather, VDNN_BIND_DST)->writer = -1;
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or of another layer */
    broken->steps[gather].layer = broken->steps[gather].layer == 0 ? 1 : 0;
    expect_refused(broken, NULL);
}

/* What is kept of offloaded parameters is what was gathered. */
static void keep_what_was_updated(const vdnn_shared_device *d, int32_t gather)
{
    const vdnn_plan *good = d->c.plan;
    for (int32_t i = gather + 1; i < good->step_count; i++) {
        const vdnn_access *from = vdnn_plan_edit_access(good, i, VDNN_BIND_SRC);
        if (good->steps[i].kind != VDNN_STEP_COPY_OUT || from->writer != gather)
            continue;
        vdnn_plan *broken = vdnn_plan_edit_copy(good);
        remove_waits_for(broken, i, gather);
        expect_refused(broken, NULL);
        return;
    }
    fail_msg("nothing is kept of what was gathered");
}

static void broken_shares_are_refused(void **state)
{
    static const char *const texts[] = {vdnn_shared_plain, vdnn_shared_clipped, vdnn_shared_tied};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        vdnn_shared_device d = {.first = 0};
        vdnn_shared_shape(&d, texts[t],
                          &(vdnn_shared_kind){.devices = 3, .micros = 2, .shards = true}, 0);
        vdnn_shared_plan(&d, t % 2 == 0 ? VDNN_SHARED_AWAY : VDNN_SHARED_BUCKETS);
        vdnn_plan *good = d.c.plan;
        assert_ok(vdnn_checker_check(good, vdnn_tier_unlimited));
        assert_true(vdnn_plan_edit_is_ordered(good));
        const int32_t first = vdnn_plan_edit_find(good, VDNN_STEP_GATHER, -1, 0);
        break_gather(&d, first);
        break_gather(&d, vdnn_plan_edit_find(good, VDNN_STEP_GATHER, -1, 1));
        if (t % 2 == 0)
            keep_what_was_updated(&d, first);
        d.c.graph->shards = false; /* all of it is updated, by state of a share */
        expect_refused(vdnn_plan_edit_copy(good), NULL);
        d.c.graph->shards = true;
        vdnn_training_case_end(&d.c);
    }
}

/* The state of so many devices takes the memory of one, but for what fills up lines. */
static void each_device_keeps_the_state_of_its_share(void **state)
{
    (void)state;
    for (int32_t devices = 2; devices <= VDNN_SHARED_MOST_DEVICES; devices++) {
        vdnn_shared_device whole = {.first = 0}, share = {.first = 0};
        vdnn_shared_kind kind = {.devices = devices, .micros = 1};
        vdnn_shared_shape(&whole, vdnn_shared_normal, &kind, 0);
        kind.shards = true;
        vdnn_shared_shape(&share, vdnn_shared_normal, &kind, 0);
        vdnn_shared_plan(&whole, VDNN_SHARED_KEEP);
        vdnn_shared_plan(&share, VDNN_SHARED_KEEP);
        const size_t saved = vdnn_graph_shard_saves(share.c.graph),
                     all = vdnn_graph_all_state_bytes(whole.c.graph),
                     own = vdnn_graph_all_state_bytes(share.c.graph);
        assert_int_equal(vdnn_graph_shard_saves(whole.c.graph), 0);
        assert_int_equal(own + saved, all);
        assert_int_equal(share.c.plan->by_category[VDNN_CATEGORY_optimizer], own);
        assert_int_equal(whole.c.plan->by_category[VDNN_CATEGORY_optimizer], all);
        assert_true(own * (size_t)devices >= all / 2 && own < all);
        vdnn_training_case_end(&whole.c);
        vdnn_training_case_end(&share.c);
    }
}

/* ---- plans of all devices -------------------------------------------------------------------- */

enum { TOGETHER = 3 };

static void expect_apart(const vdnn_shared_device *list, int32_t number, vdnn_plan *broken,
                         const char *message)
{
    const vdnn_plan *plans[TOGETHER] = {NULL};
    for (int32_t d = 0; d < TOGETHER; d++)
        plans[d] = d == number ? broken : list[d].c.plan;
    assert_status(vdnn_checker_check_devices(plans, TOGETHER), VDNN_INTERNAL);
    assert_message(message);
    vdnn_plan_destroy(broken);
}

static void exchange_sums(vdnn_plan *plan, int32_t a, int32_t b)
{
    const vdnn_step first = plan->steps[a];
    plan->steps[a].layer = plan->steps[b].layer;
    plan->steps[a].bytes = plan->steps[b].bytes;
    plan->steps[b].layer = first.layer;
    plan->steps[b].bytes = first.bytes;
}

static void break_together(const vdnn_shared_device *list, int32_t number)
{
    const vdnn_plan *good = list[number].c.plan;
    const int32_t first = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 0),
                  second = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 1),
                  last = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 3);
    vdnn_plan *broken = vdnn_plan_edit_copy(good);
    exchange_sums(broken, first, second);
    expect_apart(list, number, broken, "sum 1 over the devices: device 0 sums");
    broken = vdnn_plan_edit_copy(good);
    broken->steps[second].bytes += 4;
    expect_apart(list, number, broken, "sum 2 over the devices");
    broken = vdnn_plan_edit_copy(good); /* a block is summed at another place of its bucket */
    vdnn_plan_edit_access(broken, vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, -1, 1),
                          VDNN_BIND_DW)
        ->first += VDNN_ALIGNMENT;
    expect_apart(list, number, broken, "device 0 sums the gradient of");
    broken = vdnn_plan_edit_copy(good);
    vdnn_plan_edit_remove(broken, last);
    expect_apart(list, number, broken, "of nothing");
    broken = vdnn_plan_edit_copy(good);
    vdnn_plan_edit_duplicate(broken, last);
    expect_apart(list, number, broken, "sum 5 over the devices");
}

static void plans_that_do_not_go_together_are_refused(void **state)
{
    vdnn_shared_device list[TOGETHER] = {{.first = 0}};
    const vdnn_plan *plans[TOGETHER] = {NULL};
    (void)state;
    for (int32_t d = 0; d < TOGETHER; d++) {
        vdnn_shared_shape(&list[d], vdnn_shared_plain,
                          &(vdnn_shared_kind){.devices = TOGETHER, .micros = 1}, d);
        vdnn_shared_plan(&list[d], d == 1 ? VDNN_SHARED_BY_NEED : VDNN_SHARED_KEEP);
        plans[d] = list[d].c.plan;
    }
    assert_ok(vdnn_checker_check_devices(plans, TOGETHER));
    for (int32_t d = 0; d < TOGETHER; d++)
        break_together(list, d);
    assert_status(vdnn_checker_check_devices(plans, 2), VDNN_INTERNAL);
    assert_message("plans a step of 7 samples on 3 devices");
    plans[0] = plans[2]; /* 2, 2 and 2 of 7 samples */
    assert_status(vdnn_checker_check_devices(plans, TOGETHER), VDNN_INTERNAL);
    assert_message("compute 6 samples of a step of 7");
    for (int32_t d = 0; d < TOGETHER; d++)
        vdnn_training_case_end(&list[d].c);
}

static void kernels_that_would_wait_for_others_in_vain_are_refused(void **state)
{
    vdnn_shared_device list[2] = {{.first = 0}};
    const vdnn_plan *plans[2];
    (void)state;
    for (int32_t d = 0; d < 2; d++) {
        vdnn_shared_shape(&list[d], d == 0 ? vdnn_shared_synced : vdnn_shared_half_synced,
                          &(vdnn_shared_kind){.devices = 2, .micros = 1}, d);
        vdnn_shared_plan(&list[d], VDNN_SHARED_KEEP);
        plans[d] = list[d].c.plan;
    }
    assert_status(vdnn_checker_check_devices(plans, 2), VDNN_INTERNAL);
    assert_message(
        "device 0 computes forward of norm2, micro-batch 0 together with the others when "
        "device 1 does backward_data of norm1, micro-batch 0");
    for (int32_t d = 0; d < 2; d++)
        vdnn_training_case_end(&list[d].c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_run_beside_backward),
        cmocka_unit_test(small_gradients_are_summed_together),
        cmocka_unit_test(sums_are_used_as_late_as_is_decided),
        cmocka_unit_test(a_bucket_is_not_touched_once_it_is_handed_in),
        cmocka_unit_test(broken_shares_are_refused),
        cmocka_unit_test(each_device_keeps_the_state_of_its_share),
        cmocka_unit_test(broken_sums_over_devices_are_refused),
        cmocka_unit_test(plans_that_do_not_go_together_are_refused),
        cmocka_unit_test(kernels_that_would_wait_for_others_in_vain_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
