#ifndef VDNN_TESTS_SUPPORT_PLAN_INTERPRETER_H
#define VDNN_TESTS_SUPPORT_PLAN_INTERPRETER_H

/* A brute-force interpreter of plans: runs two consecutive training steps with values instead of
 * numbers, in every order that streams and waits admit, and says whether each byte that is read is
 * the one that the network means (plan_meaning.h).
 *
 *     before     which step is complete when another starts: the closure of streams and waits, bit
 *                by bit
 *     memory     for each range of bytes that a step wrote, what is in it
 *     a read     of each byte the last write before it: right if it is the same in every order,
 *                which it is if all other writes of the byte come before that one, or after the
 *                read; and if it wrote this byte of this value
 *
 * It shares no code with the checker or the planner, and knows none of their rules, but the form:
 * what the checker requires of plans although it may do no harm. That is, in vdnn_plan_form:
 *
 *     aligned   offsets are multiples of what their tier requires
 *     ordered   buffers on the same bytes are used one after the other, what is kept shares none,
 *               and each read names its writer (vdnn_plan_edit_is_ordered), also where nothing
 *               reads what is spoiled
 *     kept      a buffer that is kept between training steps says so, no other does; layers that
 *               share a block name the same
 *     once      no pass, load, sum of squares, update or store is done twice
 *     whole     a copy moves all of a block of parameters, of a map each byte to its place in it; a
 *               step without a kernel accesses whole buffers, or what it sums or copies of a map
 *     used      a buffer that is not kept is accessed
 *     own       bytes are read by way of the buffer that they were written by, although they may
 *               still be right where another was before; a kernel's are at their place in it
 *
 * Invariant: of a plan whose indexes are inside its lists; nothing is changed.
 * Threads: one.
 *
 *     vdnn_plan_finding finding;
 *     vdnn_plan_interpret(plan, budget_bytes, &finding);
 *     if (finding.verdict == VDNN_PLAN_WRONG) print_error("%s\n", finding.what);
 */

#include "runtime/plan/plan.h"

typedef enum vdnn_plan_verdict {
    VDNN_PLAN_RIGHT, /* every byte is */
    VDNN_PLAN_FORM,  /* every byte is, but not the form */
    VDNN_PLAN_WRONG,
    VDNN_PLAN_VERDICTS
} vdnn_plan_verdict;

typedef struct vdnn_plan_finding {
    vdnn_plan_verdict verdict;
    char what[160]; /* the first thing that is wrong */
} vdnn_plan_finding;

/* A range of bytes that a step sums over the devices, as far as they are the gradient of a block.
 */
typedef struct vdnn_plan_sum {
    int32_t step, layer; /* whose block */
    size_t place;        /* of the first byte, among those that the step takes */
    size_t first, bytes; /* of the gradient */
} vdnn_plan_sum;

typedef struct vdnn_plan_sums {
    vdnn_plan_sum *list; /* in the order of the steps, of each in that of its bytes; owned */
    int32_t count, room;
} vdnn_plan_sums;

/* Within budgets of each tier. Aborts the test where there is no memory. */
void vdnn_plan_interpret(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT],
                         vdnn_plan_finding *finding);

/* Likewise, and what the plan of one device sums over all in a training step. */
void vdnn_plan_interpret_sums(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT],
                              vdnn_plan_finding *finding, vdnn_plan_sums *sums);
/* An evaluation beside a training: it finds what that keeps, and leaves it as it is. */
void vdnn_plan_interpret_beside(const vdnn_plan *training, const vdnn_plan *evaluation,
                                const size_t budget_bytes[VDNN_TIER_COUNT],
                                vdnn_plan_finding *finding);

/* NULL, or which rule of form is broken. */
const char *vdnn_plan_form(const vdnn_plan *plan);

#endif
