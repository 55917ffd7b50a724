#include "tests/support/plan_breaker.h"

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_decisions.h"
#include "tests/support/vdnn_test.h"

void vdnn_plan_breaker_begin(const vdnn_plan_breaker *b)
{
    assert_ok(vdnn_checker_check(b->c.plan, vdnn_tier_unlimited));
}

void vdnn_plan_breaker_begin_eagerly(vdnn_plan_breaker *b)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_eager_decisions(b->c.graph, VDNN_SYNC_BY_NEED, &decisions));
    assert_ok(vdnn_planner_plan(b->c.graph, b->c.profile, &decisions, &b->c.plan));
    vdnn_decisions_fini(&decisions);
    vdnn_plan_breaker_begin(b);
}

vdnn_plan *vdnn_plan_breaker_fresh(vdnn_plan_breaker *b)
{
    vdnn_plan_destroy(b->broken);
    b->broken = vdnn_plan_edit_copy(b->c.plan);
    return b->broken;
}

void vdnn_plan_breaker_expect_run_once(vdnn_plan_breaker *b, vdnn_pass pass, int32_t layer,
                                       int32_t n)
{
    vdnn_plan *broken = vdnn_plan_breaker_fresh(b);
    vdnn_plan_edit_mute(broken, vdnn_plan_edit_find_run(broken, pass, layer, n));
    vdnn_plan_edit_expect_refused(broken, NULL);
    broken = vdnn_plan_breaker_fresh(b);
    vdnn_plan_edit_duplicate(broken, vdnn_plan_edit_find_run(broken, pass, layer, n));
    vdnn_plan_edit_expect_refused(broken, NULL);
}

void vdnn_plan_breaker_end(vdnn_plan_breaker *b)
{
    vdnn_plan_destroy(b->broken);
    vdnn_training_case_end(&b->c);
}
