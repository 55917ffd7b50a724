#include "runtime/planner/planner.h"

#include "runtime/planner/workbench/workbench.h"

vdnn_status vdnn_planner_plan(const vdnn_graph *graph, const vdnn_profile *profile,
                              const vdnn_decisions *decisions, vdnn_plan **plan)
{
    vdnn_workbench bench = {.graph = graph, .profile = profile};
    vdnn_status status = vdnn_workbench_keep(&bench, decisions, plan);
    vdnn_workbench_fini(&bench);
    return status;
}

vdnn_status vdnn_planner_plan_evaluation(const vdnn_graph *graph, const vdnn_profile *profile,
                                         const vdnn_decisions *training, vdnn_plan **plan)
{
    vdnn_workbench bench = {.graph = graph, .profile = profile};
    vdnn_status status = vdnn_workbench_keep_evaluation(&bench, training, plan);
    vdnn_workbench_fini(&bench);
    return status;
}
