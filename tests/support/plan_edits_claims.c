#include "tests/support/plan_edits.h"

#include "tests/support/plan_corruptions.h"
#include "tests/support/plan_edit.h"

#include <string.h>

/* ---- the batch ---------------------------------------------------------------------------------
 */

/* What is loaded for the next step goes to another buffer, which the plan names, and where it is
 * taken from, or not. */
bool vdnn_edit_load_elsewhere(vdnn_plan *plan, vdnn_test_rng *rng)
{
    if (!vdnn_plan_loads_ahead(plan))
        return false;
    const int32_t input = vdnn_edits_pick(rng, 0, plan->graph->input_count - 1),
                  old = plan->ahead[input];
    const int32_t fresh = vdnn_plan_edit_add_buffer(plan, old, vdnn_edits_one_in(rng, 3));
    const int32_t half = plan->step_count / 2;
    vdnn_plan_surgery_redirect(plan, vdnn_edits_one_in(rng, 2) ? 0 : half, plan->step_count, old,
                               fresh);
    plan->ahead[input] = fresh;
    if (plan->arrived[input] == old && vdnn_edits_one_in(rng, 2))
        plan->arrived[input] = fresh;
    else if (plan->loads == VDNN_LOADS_LATE && vdnn_edits_one_in(rng, 2))
        plan->buffers[plan->arrived[input]].offset = plan->buffers[fresh].offset;
    if (vdnn_edits_one_in(rng, 2))
        plan->buffers[old].persistent = false;
    return true;
}

/* ---- what the plan says of itself --------------------------------------------------------------
 */

bool vdnn_edit_flip_decision(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t layer = vdnn_edits_pick(rng, 0, plan->graph->layer_count - 1),
                  input = vdnn_edits_pick(rng, 0, plan->graph->input_count - 1);
    int32_t *home = vdnn_edits_one_in(rng, 2) ? plan->param_buffer : plan->state_buffer;
    switch (vdnn_edits_pick(rng, 0, 4)) {
    case 0:
        plan->copies =
            plan->copies == VDNN_WEIGHTS_KEPT ? VDNN_WEIGHTS_CONVERTED : VDNN_WEIGHTS_KEPT;
        return true;
    case 1:
        plan->loads = (vdnn_loads)vdnn_edits_pick(rng, 0, VDNN_LOADS_COUNT - 1);
        return true;
    case 2:
        plan->training = !plan->training;
        return true;
    case 3:
        plan->ahead[input] = plan->arrived[input] = plan->ahead[0];
        return true;
    default:
        if (home[layer] >= 0) /* a copy takes its place, which nothing is written to */
            home[layer] = vdnn_plan_edit_add_buffer(plan, home[layer], vdnn_edits_one_in(rng, 2));
        return home[layer] >= 0;
    }
}

/* ---- corruptions that are then consistent ------------------------------------------------------
 */

bool vdnn_edit_corrupt(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_plan_edit_refresh(plan);
    return vdnn_corruption_apply(
        (size_t)vdnn_edits_pick(rng, 0, (int32_t)vdnn_corruption_count() - 1), plan, rng);
}
