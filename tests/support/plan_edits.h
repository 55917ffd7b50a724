#ifndef VDNN_TESTS_SUPPORT_PLAN_EDITS_H
#define VDNN_TESTS_SUPPORT_PLAN_EDITS_H

/* The kinds of edits of plan_editor.h, by what they change, and how they draw what that is; not
 * included elsewhere.
 *
 *     plan_edits_order.c    when steps run
 *     plan_edits_memory.c   where buffers lie, how large they are, which buffer is which
 *     plan_edits_values.c   what is copied, recomputed and summed
 *     plan_edits_claims.c   what the plan says of itself
 *
 * Threads: one.
 */

#include "runtime/plan/plan.h"
#include "tests/support/plan_surgery.h"
#include "tests/support/vdnn_test.h"

/* function, name */
#define VDNN_EDIT_TABLE(X)                                                                         \
    X(move_step, "a step is moved over others")                                                    \
    X(pull_step, "a step comes earlier with all that it needs")                                    \
    X(read_earlier, "a step comes right behind a write that it reads")                             \
    X(swap_on_stream, "two steps of a stream are swapped")                                         \
    X(insert_join, "a join is inserted")                                                           \
    X(add_wait, "a step waits for one more")                                                       \
    X(order_lanes, "a sum over devices is ordered with a run")                                     \
    X(spread, "no buffers share memory")                                                           \
    X(share_place, "a buffer takes memory that is free then")                                      \
    X(resize_any, "a buffer is resized")                                                           \
    X(resize_home, "a home is resized")                                                            \
    X(take_place, "a buffer is used as another")                                                   \
    X(write_over_kept, "a value is written over what is kept")                                     \
    X(keep_norm, "the norm is written over what is kept")                                          \
    X(copy_over_kept, "one more copy is written over what is kept")                                \
    X(cut_buffer, "a buffer is cut in two")                                                        \
    X(copy_through, "a value goes by way of the host")                                             \
    X(sum_by_host, "a sum goes by way of the host")                                                \
    X(split_copy, "a copy is split")                                                               \
    X(skip_copy, "a copy is left out")                                                             \
    X(do_twice, "a step is done twice")                                                            \
    X(insert_recompute, "a recompute is inserted")                                                 \
    X(change_algorithm, "another algorithm in one micro-batch")                                    \
    X(mix_micro_batches, "micro-batches are mixed")                                                \
    X(split_sum, "a sum over devices is split")                                                    \
    X(swap_sums, "two sums are swapped")                                                           \
    X(load_elsewhere, "the next batch is loaded elsewhere")                                        \
    X(exchange_runs, "a run and its recompute change kinds")                                       \
    X(reorder_norms, "norms are taken in another order")                                           \
    X(turn_sum, "a sum is written to its other side")                                              \
    X(fuse_update, "a run updates what it has the gradient of")                                    \
    X(flip_decision, "the plan says something else of itself")                                     \
    X(corrupt, "a corruption is made consistent")

#define X(edit, name) bool vdnn_edit_##edit(vdnn_plan *plan, vdnn_test_rng *rng);
VDNN_EDIT_TABLE(X)
#undef X

/* Kinds of steps, as bits. */
static const unsigned vdnn_edits_copies = 1U << VDNN_STEP_COPY_OUT | 1U << VDNN_STEP_COPY_IN |
                                          1U << VDNN_STEP_SPILL | 1U << VDNN_STEP_FILL,
                      vdnn_edits_any = ~0U;

/* In [low, high]; high where there is nothing else. */
int32_t vdnn_edits_pick(vdnn_test_rng *rng, int32_t low, int32_t high);
bool vdnn_edits_one_in(vdnn_test_rng *rng, int32_t count);
/* A step between begin and end. */
int32_t vdnn_edits_draw_inner(vdnn_test_rng *rng, const vdnn_plan *plan);
/* Of these one of some kinds, as bits; -1: there is none. */
int32_t vdnn_edits_draw_of_kinds(vdnn_test_rng *rng, const vdnn_plan *plan, unsigned kinds);
/* An access of such a step with any of the bits of a mode; *step: which. NULL: after some tries
 * none was found. */
vdnn_access *vdnn_edits_draw_access(vdnn_test_rng *rng, const vdnn_plan *plan, unsigned kinds,
                                    unsigned mode, int32_t *step);
/* Any, half of the time one that is kept between training steps, or is on its way there; -1: there
 * is none. */
int32_t vdnn_edits_draw_buffer(vdnn_test_rng *rng, const vdnn_plan *plan);

#endif
