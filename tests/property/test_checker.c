/* The checker as a whole: it passes good plans, agrees with a slow one (plan_edit.h) that compares
 * every pair, over random plans, and withstands any numbers and the lack of memory. What each of
 * its rules refuses: test_checker_*.c. */

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"

#include <string.h>

static void the_good_plan_passes(void **state)
{
    vdnn_test_checked *f = *state;
    assert_ok(vdnn_checker_check(f->plan, f->plan->span_bytes));
    assert_ok(vdnn_checker_check(f->ahead, f->ahead->span_bytes));
    assert_ok(vdnn_test_checked_status(f->broken));
    assert_true(vdnn_plan_edit_is_ordered(f->plan));
    assert_true(vdnn_plan_edit_is_ordered(f->ahead));
    assert_ok(vdnn_checker_check(f->late, f->late->span_bytes));
    assert_true(vdnn_plan_edit_is_ordered(f->late));
    assert_ok(vdnn_checker_check(f->files, f->files->span_bytes));
    assert_true(vdnn_plan_edit_is_ordered(f->files));
    for (vdnn_step_kind kind = VDNN_STEP_JOIN; kind <= VDNN_STEP_STORE; kind++) {
        const vdnn_plan *plan = kind == VDNN_STEP_TAKE ? f->ahead : f->plan;
        if (kind != VDNN_STEP_NORM &&   /* of plans that clip */
            kind != VDNN_STEP_REDUCE && /* test_device_plans.c, like the next */
            kind != VDNN_STEP_GATHER && kind != VDNN_STEP_AVERAGE && /* test_micro_batches.c */
            vdnn_step_row_of(kind)->cost != VDNN_COST_PEER)          /* test_stages.c */
            (void)vdnn_test_step_of(vdnn_test_uses_files(kind) ? f->files : plan, kind, 0);
    }
}

/* ---- properties ------------------------------------------------------------------------------ */

/* The two checkers agree on a plan whose order or addresses were changed; its peaks may be others
 * then. */
static void compare_with_slow_checker(const vdnn_plan *plan, const char *what, int32_t step,
                                      uint64_t seed)
{
    const bool accepted = vdnn_test_checked_status(plan) == VDNN_OK ||
                          strstr(vdnn_status_message(), "the plan claims") != NULL;
    const bool ordered = vdnn_plan_edit_is_ordered(plan);
    if (accepted != ordered)
        print_error("seed %llu, %s at %d: %s, but it is %s ordered (%s)\n",
                    (unsigned long long)seed, what, step, accepted ? "accepted" : "refused",
                    ordered ? "well" : "not", accepted ? "" : vdnn_status_message());
    assert_int_equal(accepted, ordered);
}

static vdnn_plan *draw_plan(uint64_t seed, vdnn_graph **graph)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.layers = 3 + request.layers / 3;
    vdnn_test_rng rng = {seed};
    vdnn_profile *profile;
    vdnn_decisions decisions;
    vdnn_plan *plan;
    assert_ok(vdnn_random_model_graph(&request, (vdnn_rules)(seed % 2), graph));
    assert_ok(vdnn_test_profile_of(*graph, VDNN_TEST_ROWS_FAKE, &profile));
    assert_ok(vdnn_random_decisions(*graph, profile, &rng, &decisions));
    assert_ok(vdnn_planner_plan(*graph, profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    vdnn_profile_destroy(profile);
    return plan;
}

static void a_plan_without_one_wait_is_refused_exactly_when_its_order_is_broken(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_graph *graph;
        vdnn_plan *plan = draw_plan(seed, &graph);
        compare_with_slow_checker(plan, "nothing changed", 0, seed);
        for (int32_t i = 0; i < plan->step_count; i++)
            for (int32_t k = 0; k < plan->steps[i].wait_count; k++) {
                vdnn_plan *broken = vdnn_plan_edit_copy(plan);
                vdnn_plan_edit_remove_wait(broken, i, k);
                compare_with_slow_checker(broken, "wait removed", i, seed);
                vdnn_plan_destroy(broken);
            }
        vdnn_plan_destroy(plan);
        vdnn_graph_destroy(graph);
    }
}

static void a_plan_with_a_moved_buffer_is_refused_exactly_when_bytes_collide(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(200); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_test_rng rng = {~seed};
        vdnn_graph *graph;
        vdnn_plan *plan = draw_plan(seed, &graph);
        for (int k = 0; k < 20; k++) {
            vdnn_plan *broken = vdnn_plan_edit_copy(plan);
            const int32_t b = (int32_t)vdnn_test_between(&rng, 0, plan->buffer_count - 1);
            vdnn_buffer *buffer = &broken->buffers[b];
            const size_t alignment = vdnn_tier_alignment(buffer->tier),
                         span = broken->span_bytes[buffer->tier];
            const int64_t room = (int64_t)((span - buffer->bytes) / alignment);
            buffer->offset = alignment * (size_t)vdnn_test_between(&rng, 0, room);
            vdnn_plan_edit_fit_spans(broken);
            compare_with_slow_checker(broken, "buffer moved", b, seed);
            vdnn_plan_destroy(broken);
        }
        vdnn_plan_destroy(plan);
        vdnn_graph_destroy(graph);
    }
}

static void scramble(void *items, int64_t count, size_t size, vdnn_test_rng *rng)
{
    static const int32_t values[] = {-1, 0, 1, 2, 7, 64, INT32_MAX, INT32_MIN};
    if (count == 0)
        return;
    int32_t word = values[vdnn_test_between(rng, 0, 7)];
    if (vdnn_test_between(rng, 0, 1) == 0)
        word = (int32_t)vdnn_test_between(rng, 0, 200);
    const int64_t last = count * (int64_t)(size / sizeof word) - 1;
    memcpy((int32_t *)items + vdnn_test_between(rng, 0, last), &word, sizeof word);
}

/* Words that are pointers or raw booleans are left alone: no value of them is a plan. */
static void scramble_step(vdnn_step *step, vdnn_test_rng *rng)
{
    int32_t *const words[] = {&step->layer,
                              &step->first_access,
                              &step->access_count,
                              &step->first_wait,
                              &step->wait_count,
                              (int32_t *)&step->kind,
                              (int32_t *)&step->stream,
                              (int32_t *)&step->pass,
                              (int32_t *)&step->bytes};
    scramble(words[vdnn_test_between(rng, 0, 8)], 1, sizeof(int32_t), rng);
}

static void scramble_buffer(vdnn_buffer *buffer, vdnn_test_rng *rng)
{
    int32_t *const words[] = {(int32_t *)&buffer->class,
                              (int32_t *)&buffer->tier,
                              &buffer->layer,
                              &buffer->map,
                              (int32_t *)&buffer->bytes,
                              (int32_t *)&buffer->offset,
                              &buffer->first_step,
                              &buffer->last_step};
    scramble(words[vdnn_test_between(rng, 0, 7)], 1, sizeof(int32_t), rng);
}

static void a_plan_of_scrambled_numbers_never_harms_the_checker(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    int refused = 0;
    const int count = vdnn_test_count(50000);
    for (int n = 0; n < count; n++) {
        vdnn_plan *broken = vdnn_test_checked_fresh(f);
        for (int64_t k = vdnn_test_between(&rng, 1, 3); k > 0; k--)
            switch (vdnn_test_between(&rng, 0, 4)) {
            case 0:
                scramble(broken->accesses, broken->access_count, sizeof *broken->accesses, &rng);
                break;
            case 1:
                scramble(broken->waits, broken->wait_count, sizeof *broken->waits, &rng);
                break;
            case 2:
                scramble_step(&broken->steps[vdnn_test_between(&rng, 0, broken->step_count - 1)],
                              &rng);
                break;
            case 3:
                scramble_buffer(
                    &broken->buffers[vdnn_test_between(&rng, 0, broken->buffer_count - 1)], &rng);
                break;
            default:
                scramble(broken->param_buffer, broken->graph->layer_count, sizeof(int32_t), &rng);
            }
        refused += vdnn_test_checked_status(broken) != VDNN_OK;
    }
    assert_true(refused > count / 2);
}

static void checking_without_memory_fails_cleanly(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_status status = VDNN_NO_MEMORY;
    size_t n = 0;
    const size_t live = vdnn_heap_live_count();
    while (status == VDNN_NO_MEMORY) {
        vdnn_heap_fail_after(++n);
        status = vdnn_test_checked_status(f->plan);
        vdnn_heap_fail_after(0);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
    assert_ok(status);
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_plan_passes),
        cmocka_unit_test(a_plan_without_one_wait_is_refused_exactly_when_its_order_is_broken),
        cmocka_unit_test(a_plan_with_a_moved_buffer_is_refused_exactly_when_bytes_collide),
        cmocka_unit_test(a_plan_of_scrambled_numbers_never_harms_the_checker),
        cmocka_unit_test(checking_without_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
