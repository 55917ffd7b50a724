#include "runtime/fit/device_times.h"

#include "runtime/planner/clock/link.h"

#include <math.h>

double vdnn_device_times_taken(const vdnn_plan *plan, const vdnn_rates *rates,
                               double exposed_seconds)
{
    double seconds = 0;
    if (rates->reduce.way_count == 0)
        return 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (vdnn_step_row_of(step->kind)->cost == VDNN_COST_REDUCE)
            seconds += vdnn_link_reduce_seconds(rates, vdnn_step_reduce_part(plan->graph, step),
                                                step->bytes);
    }
    return rates->reduce.compute_share * fmax(seconds - exposed_seconds, 0);
}

vdnn_status vdnn_device_times_find(const vdnn_setup *setup, const vdnn_plan *const *plans,
                                   int32_t count, vdnn_together_times *times)
{
    const vdnn_rates rates = vdnn_profile_rates(setup->profile);
    VDNN_TRY(vdnn_together_run(plans, count, &rates, setup->properties.link_devices, times));
    for (int32_t d = 0; d < count; d++)
        times[d].step_seconds +=
            vdnn_device_times_taken(plans[d], &rates, times[d].exposed_reduce_seconds);
    return VDNN_OK;
}
