#include "tests/support/checked_plan.h"

#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_decisions.h"
#include "tests/support/test_profile.h"

#include <string.h>

static const char network[] =
    "name: checked\n"
    "input: {channels: 3, height: 16, width: 16}\n"
    "classes: 4\n"
    "batch: 2\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: drop1, type: dropout, p: 0.5}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: pool, type: maxpool, kernel: 2}\n"
    "  - {name: left, type: conv, from: pool, out: 4, kernel: 1}\n"
    "  - {name: right, type: conv, from: pool, out: 4, kernel: 3, pad: 1}\n"
    "  - {name: both, type: concat, from: [left, right, pool]}\n"
    "  - {name: conv3, type: conv, out: 8, kernel: 3}\n"
    "  - {name: relu3, type: relu}\n"
    "  - {name: fc, type: fc, out: 4}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0, epochs: 1}\n";

vdnn_status vdnn_test_checked_status(const vdnn_plan *plan)
{
    return vdnn_checker_check(plan, vdnn_tier_unlimited);
}

static vdnn_decisions decide(const vdnn_graph *graph, vdnn_loads loads, bool uses_files)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_eager_decisions(graph, VDNN_SYNC_BY_NEED, &decisions));
    decisions.maps[graph->tensors[graph->layers[VDNN_TEST_BOTH].output].map].action =
        VDNN_RECOMPUTE;
    decisions.loads = loads;
    decisions.load_layer = loads == VDNN_LOADS_LATE ? VDNN_TEST_CONV1 : 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        decisions.maps[m].spills = uses_files ? m % 2 : 0;
    return decisions;
}

vdnn_plan *vdnn_test_checked_plan(const vdnn_graph *graph, const vdnn_profile *profile,
                                  vdnn_loads loads, bool uses_files)
{
    vdnn_decisions decisions = decide(graph, loads, uses_files);
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_planner_plan(graph, profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    return plan;
}

vdnn_plan *vdnn_test_checked_evaluation(const vdnn_test_checked *f, vdnn_loads loads)
{
    vdnn_decisions decisions = decide(f->graph, loads, false);
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_planner_plan_evaluation(f->graph, f->profile, &decisions, &plan));
    vdnn_decisions_fini(&decisions);
    return plan;
}

vdnn_graph *vdnn_test_checked_graph(void)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_model *model;
    vdnn_graph *graph;
    assert_ok(vdnn_model_parse(network, sizeof network - 1, "checked.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

int vdnn_test_checked_set_up(void **state)
{
    static vdnn_test_checked f;
    f.graph = vdnn_test_checked_graph();
    assert_ok(vdnn_test_profile_of(f.graph, VDNN_TEST_ROWS_FAKE, &f.profile));
    f.plan = vdnn_test_checked_plan(f.graph, f.profile, VDNN_LOADS_OWN, false);
    f.ahead = vdnn_test_checked_plan(f.graph, f.profile, VDNN_LOADS_AHEAD, false);
    f.late = vdnn_test_checked_plan(f.graph, f.profile, VDNN_LOADS_LATE, false);
    f.files = vdnn_test_checked_plan(f.graph, f.profile, VDNN_LOADS_OWN, true);
    f.broken = vdnn_plan_edit_copy(f.plan);
    *state = &f;
    return 0;
}

int vdnn_test_checked_tear_down(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan_destroy(f->broken);
    vdnn_plan_destroy(f->files);
    vdnn_plan_destroy(f->late);
    vdnn_plan_destroy(f->ahead);
    vdnn_plan_destroy(f->plan);
    vdnn_profile_destroy(f->profile);
    vdnn_graph_destroy(f->graph);
    return 0;
}

vdnn_plan *vdnn_test_checked_copy(vdnn_test_checked *f, const vdnn_plan *plan)
{
    vdnn_plan_destroy(f->broken);
    f->broken = vdnn_plan_edit_copy(plan);
    return f->broken;
}

vdnn_plan *vdnn_test_checked_fresh(vdnn_test_checked *f)
{
    return vdnn_test_checked_copy(f, f->plan);
}

int32_t vdnn_test_step_of(const vdnn_plan *plan, vdnn_step_kind kind, int32_t n)
{
    const int32_t step = vdnn_plan_edit_find(plan, kind, -1, n);
    assert_true(step >= 0);
    return step;
}

vdnn_access *vdnn_test_access_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind)
{
    vdnn_access *access = vdnn_plan_edit_access(plan, step, bind);
    assert_non_null(access);
    return access;
}

vdnn_buffer *vdnn_test_buffer_of(const vdnn_plan *plan, int32_t step, vdnn_bind bind)
{
    return &plan->buffers[vdnn_test_access_of(plan, step, bind)->buffer];
}

bool vdnn_test_uses_files(vdnn_step_kind kind)
{
    return kind == VDNN_STEP_SPILL || kind == VDNN_STEP_FILL;
}

int vdnn_test_checked_refusals_without(vdnn_test_checked *f, const vdnn_plan *plan,
                                       vdnn_step_kind waiter, vdnn_step_kind awaited,
                                       const char *part)
{
    int refusals = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].wait_count; k++) {
            const int32_t wait = plan->waits[plan->steps[i].first_wait + k];
            if (plan->steps[i].kind != waiter || plan->steps[wait].kind != awaited)
                continue;
            vdnn_plan *broken = vdnn_test_checked_copy(f, plan);
            vdnn_plan_edit_remove_wait(broken, i, k);
            if (vdnn_test_checked_status(broken) == VDNN_INTERNAL &&
                strstr(vdnn_status_message(), part) != NULL)
                refusals++;
        }
    return refusals;
}
