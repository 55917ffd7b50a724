#include "tests/support/plan_edits.h"

enum { NONE = -1, TRIES = 48 };

int32_t vdnn_edits_pick(vdnn_test_rng *rng, int32_t low, int32_t high)
{
    return vdnn_plan_surgery_pick(rng, low, high);
}

bool vdnn_edits_one_in(vdnn_test_rng *rng, int32_t count)
{
    return vdnn_edits_pick(rng, 0, count - 1) == 0;
}

int32_t vdnn_edits_draw_inner(vdnn_test_rng *rng, const vdnn_plan *plan)
{
    return vdnn_edits_pick(rng, 1, plan->step_count - 2);
}

/* Of one of some kinds, as bits; NONE: there is none. */
int32_t vdnn_edits_draw_of_kinds(vdnn_test_rng *rng, const vdnn_plan *plan, unsigned kinds)
{
    int32_t found = 0, drawn = NONE;
    for (int32_t i = 1; i < plan->step_count - 1; i++)
        if ((kinds & 1U << plan->steps[i].kind) != 0 && vdnn_edits_one_in(rng, ++found))
            drawn = i;
    return drawn;
}

/* An access of a step of some kinds; *step: which. NULL: after some tries none was found. */
vdnn_access *vdnn_edits_draw_access(vdnn_test_rng *rng, const vdnn_plan *plan, unsigned kinds,
                                    unsigned mode, int32_t *step)
{
    for (int i = 0; i < TRIES; i++) {
        *step = vdnn_edits_draw_of_kinds(rng, plan, kinds);
        if (*step == NONE || plan->steps[*step].access_count == 0)
            continue;
        const vdnn_step *own = &plan->steps[*step];
        vdnn_access *access =
            &plan->accesses[own->first_access + vdnn_edits_pick(rng, 0, own->access_count - 1)];
        if ((access->mode & mode) != 0)
            return access;
    }
    return NULL;
}

/* Half of the time what is kept between training steps, or is on its way there. */
int32_t vdnn_edits_draw_buffer(vdnn_test_rng *rng, const vdnn_plan *plan)
{
    int32_t found = 0, drawn = NONE;
    if (vdnn_edits_one_in(rng, 2))
        return vdnn_edits_pick(rng, 0, plan->buffer_count - 1);
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if ((vdnn_plan_is_kept(&plan->buffers[b]) || vdnn_plan_has_arrived(&plan->buffers[b])) &&
            vdnn_edits_one_in(rng, ++found))
            drawn = b;
    return drawn;
}
