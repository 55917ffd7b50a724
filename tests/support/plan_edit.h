#ifndef VDNN_TESTS_SUPPORT_PLAN_EDIT_H
#define VDNN_TESTS_SUPPORT_PLAN_EDIT_H

/* Plans to break: a writable copy, the edits of the checker's tests, and a slow checker of order
 * and memory that compares every pair.
 *
 * Invariant: an edit leaves the lists well formed; only what it names is broken.
 * Threads: one.
 *
 *     vdnn_plan *broken = vdnn_plan_edit_copy(plan);
 *     vdnn_plan_edit_remove_wait(broken, step, 0);
 *     assert_status(vdnn_checker_check(broken, ...), VDNN_INTERNAL);
 *     vdnn_plan_destroy(broken);
 */

#include "runtime/plan/plan.h"

/* Aborts the test where there is no memory. */
vdnn_plan *vdnn_plan_edit_copy(const vdnn_plan *plan);

void vdnn_plan_edit_remove_wait(vdnn_plan *plan, int32_t step, int32_t wait);
void vdnn_plan_edit_add_wait(vdnn_plan *plan, int32_t step, int32_t target);
/* The first wait of `step` becomes one for `target`; the step must have a wait. */
void vdnn_plan_edit_redirect_wait(vdnn_plan *plan, int32_t step, int32_t target);
/* A compute step becomes a join that holds what it touched. */
void vdnn_plan_edit_mute(vdnn_plan *plan, int32_t step);
/* The same step once more, right before it. */
void vdnn_plan_edit_duplicate(vdnn_plan *plan, int32_t step);
/* Another size of a buffer, for all accesses of it too but those of kernels, which take a map's own
 * bytes. */
void vdnn_plan_edit_resize(vdnn_plan *plan, int32_t buffer, size_t bytes);
/* A step elsewhere in the list; waits and writers follow, also where they come to lie behind. */
void vdnn_plan_edit_move(vdnn_plan *plan, int32_t from, int32_t to);
/* A step without one of its accesses; plan->accesses has no gap. */
void vdnn_plan_edit_remove_access(vdnn_plan *plan, int32_t step, int32_t access);
/* No step in its place; who waits for it waits for the one before it on its stream. */
void vdnn_plan_edit_remove(vdnn_plan *plan, int32_t step);
/* An access of another buffer: of all of it where it was of all of the first, but for kernels,
 * which take a map's own bytes. */
void vdnn_plan_edit_take(vdnn_plan *plan, vdnn_access *access, int32_t buffer);
/* One more buffer like another, in the same place or behind all of its tier; returns its index. */
int32_t vdnn_plan_edit_add_buffer(vdnn_plan *plan, int32_t like, bool in_its_place);
/* Makes first and last steps of buffers what the accesses say; spans what the buffers take; and the
 * writer that each read names the last one before it in the list. */
void vdnn_plan_edit_refresh(vdnn_plan *plan);
void vdnn_plan_edit_fit_spans(vdnn_plan *plan);
void vdnn_plan_edit_name_writers(vdnn_plan *plan);

/* The index of the n-th step (from 0) of a kind, of any layer where `layer` is -1; -1: there is
 * none. */
int32_t vdnn_plan_edit_find(const vdnn_plan *plan, vdnn_step_kind kind, int32_t layer, int32_t n);
/* The n-th run of a pass. */
int32_t vdnn_plan_edit_find_run(const vdnn_plan *plan, vdnn_pass pass, int32_t layer, int32_t n);
/* The first buffer of a class; -1: none. */
int32_t vdnn_plan_edit_find_buffer(const vdnn_plan *plan, vdnn_class class);
/* The step's access with this bind; NULL: none. */
vdnn_access *vdnn_plan_edit_access(const vdnn_plan *plan, int32_t step, vdnn_bind bind);

/* The checker refuses it, for a reason with this text in it; NULL: for any. */
void vdnn_plan_edit_expect_refused(vdnn_plan *broken, const char *message);

/* True when, by looking at every pair: all steps come after begin and before end; buffers that
 * share bytes are never accessed out of order; each read comes after its write and no other write
 * between or beside them. */
bool vdnn_plan_edit_is_ordered(const vdnn_plan *plan);

#endif
