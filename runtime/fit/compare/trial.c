#include "runtime/fit/compare/trial.h"

#include <string.h>

bool vdnn_trial_is_possible(const vdnn_setup *setup)
{
    return !setup->properties.simulated && setup->graph->devices == 1;
}

double vdnn_trial_seconds(const vdnn_trials *trials, size_t trial, double *spread)
{
    double seconds[VDNN_TRIAL_ROUNDS];
    memcpy(seconds, trials->list[trial].step_seconds, sizeof seconds);
    const double median = vdnn_pace_median(seconds, trials->rounds);
    *spread = (seconds[trials->rounds - 1] - seconds[0]) / (2 * median);
    return median;
}

vdnn_pace vdnn_trial_pace(const vdnn_trials *trials, size_t trial)
{
    const vdnn_trial *first = &trials->list[0], *own = &trials->list[trial];
    const double samples =
        (double)own->setup.graph->step_batch / (double)first->setup.graph->step_batch;
    const double planned =
        samples * first->plans.training->step_seconds / own->plans.training->step_seconds;
    double ratios[VDNN_TRIAL_ROUNDS];
    for (size_t r = 0; r < trials->rounds; r++)
        ratios[r] = samples * first->step_seconds[r] / own->step_seconds[r];
    return vdnn_pace_measured(ratios, trials->rounds, planned);
}

void vdnn_trials_fini(vdnn_trials *trials)
{
    for (size_t i = trials->count; i-- > 0;) {
        vdnn_trial *own = &trials->list[i];
        vdnn_fit_plans_fini(&own->plans);
        if (own->setup.graph != trials->list[0].setup.graph)
            vdnn_fit_derived_end(&own->setup);
    }
    *trials = (vdnn_trials){.count = 0};
}
