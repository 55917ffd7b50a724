#include "runtime/planner/planner.h"

#include "runtime/planner/workbench/workbench.h"

#include <string.h>

static vdnn_status build(const vdnn_graph *graph, const vdnn_profile *profile,
                         const vdnn_decisions *decisions, bool training, vdnn_plan **plan)
{
    vdnn_workbench bench = {.graph = graph, .profile = profile};
    vdnn_plan made;
    vdnn_status status = vdnn_workbench_plan(&bench, decisions, training, &made);
    if (status == VDNN_OK)
        status = vdnn_plan_copy(&made, plan);
    vdnn_workbench_fini(&bench);
    return status;
}

vdnn_status vdnn_planner_plan(const vdnn_graph *graph, const vdnn_profile *profile,
                              const vdnn_decisions *decisions, vdnn_plan **plan)
{
    return build(graph, profile, decisions, true, plan);
}

vdnn_status vdnn_planner_plan_evaluation(const vdnn_graph *graph, const vdnn_profile *profile,
                                         const vdnn_plan *training, vdnn_plan **plan)
{
    vdnn_decisions decisions;
    vdnn_status status = vdnn_decisions_init(&decisions, graph);
    if (status != VDNN_OK)
        return status;
    decisions.policy = training->policy;
    decisions.algo = training->algo;
    decisions.copies = training->copies;
    decisions.loads = training->loads;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_algorithm *algorithm = training->algorithms[l][VDNN_FORWARD];
        if (algorithm == NULL) /* done by the layer before it */
            continue;
        int32_t choice = vdnn_profile_find(profile, l, VDNN_FORWARD, algorithm->name);
        decisions.choice[l][VDNN_FORWARD] = choice < 0 ? 0 : choice;
    }
    memcpy(decisions.params, training->params,
           (size_t)graph->layer_count * sizeof *decisions.params);
    status = build(graph, profile, &decisions, false, plan);
    vdnn_decisions_fini(&decisions);
    return status;
}
