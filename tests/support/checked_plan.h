#ifndef VDNN_TESTS_SUPPORT_CHECKED_PLAN_H
#define VDNN_TESTS_SUPPORT_CHECKED_PLAN_H

/* What the tests of the checker break: good plans of one network. Together they have every kind of
 * step but those of clipped gradients, of several devices and of micro-batches.
 *
 * Invariant: the good plans are never changed, and one copy is alive at a time. All tests of a
 * program share them: who changes the graph undoes it. Threads: one.
 *
 *     vdnn_plan *broken = vdnn_test_checked_fresh(*state);   // the one before is gone
 *     const int32_t out = vdnn_test_step_of(broken, VDNN_STEP_COPY_OUT, 0);
 *     vdnn_test_buffer_of(broken, out, VDNN_BIND_SRC)->last_step--;
 *     assert_refused(broken, "its accesses from");
 *
 *     return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"
#include "tests/support/vdnn_test.h"

/* The network's layers: a fork, a concat, activations in place, a max pool with its argmax. */
enum {
    VDNN_TEST_CONV1,
    VDNN_TEST_DROP1,
    VDNN_TEST_CONV2,
    VDNN_TEST_RELU2,
    VDNN_TEST_POOL,
    VDNN_TEST_LEFT,
    VDNN_TEST_RIGHT,
    VDNN_TEST_BOTH,
    VDNN_TEST_CONV3,
    VDNN_TEST_RELU3,
    VDNN_TEST_FC,
    VDNN_TEST_LOSS
};

typedef struct vdnn_test_checked {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_plan *plan;   /* all offloaded, but the concat recomputed, by need: good */
    vdnn_plan *ahead;  /* the same with batches loaded ahead: good */
    vdnn_plan *late;   /* the same with batches loaded late: good */
    vdnn_plan *files;  /* the same, and half of the maps go on to the file tier: good */
    vdnn_plan *broken; /* a copy of one of them */
} vdnn_test_checked;

/* For cmocka: *state is a vdnn_test_checked. */
int vdnn_test_checked_set_up(void **state);
int vdnn_test_checked_tear_down(void **state);

/* One more graph of the network; the caller's to destroy. */
vdnn_graph *vdnn_test_checked_graph(void);
/* All offloaded, but the concat recomputed, by need; with `uses_files`, half of the maps go on to
 * the file tier. The caller's to destroy. */
vdnn_plan *vdnn_test_checked_plan(const vdnn_graph *graph, const vdnn_profile *profile,
                                  vdnn_loads loads, bool uses_files);

/* That of an evaluation in the arena of f->plan, f->ahead or f->late; the caller's to destroy. */
vdnn_plan *vdnn_test_checked_evaluation(const vdnn_test_checked *f, vdnn_loads loads);

/* A copy to break, which the fixture owns: of any plan, or of f->plan. */
vdnn_plan *vdnn_test_checked_copy(vdnn_test_checked *f, const vdnn_plan *plan);
vdnn_plan *vdnn_test_checked_fresh(vdnn_test_checked *f);

/* What the checker says under unlimited budgets. */
vdnn_status vdnn_test_checked_status(const vdnn_plan *plan);
/* It refuses the plan as it is, for a reason with `part` in it. */
#define assert_refused(plan, part)                                                                 \
    do {                                                                                           \
        assert_status(vdnn_test_checked_status(plan), VDNN_INTERNAL);                              \
        assert_message(part);                                                                      \
    } while (0)
/* Removes each wait of one kind of step for another, one at a time; counts the refusals that say
 * `part`. */
int vdnn_test_checked_refusals_without(vdnn_test_checked *f, const vdnn_plan *plan,
                                       vdnn_step_kind waiter, vdnn_step_kind awaited,
                                       const char *part);

/* The n-th step of a kind, the access of a step with that bind, and its buffer; without one, the
 * test fails. */
int32_t vdnn_test_step_of(const vdnn_plan *plan, vdnn_step_kind kind, int32_t n);
vdnn_access *vdnn_test_access_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind);
vdnn_buffer *vdnn_test_buffer_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind);
/* Such steps are of plans with the file tier alone. */
bool vdnn_test_uses_files(vdnn_step_kind kind);

#endif
