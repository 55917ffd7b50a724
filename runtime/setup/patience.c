#include "runtime/setup/patience.h"

#include <time.h>

/* A report plans for every card, or for every budget: it has less time for each. */
static const double preset_seconds[] = {
    [VDNN_PATIENCE_OF_RUN] = 2, [VDNN_PATIENCE_OF_REPORT] = 0.2};

/* Of processes that must find the same plan. */
enum { PRESET_TRIALS = 2000 };

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What failed for an interruption fails again behind the plan, where the run ends. */
static bool is_interrupted(vdnn_patience *own)
{
    if (vdnn_messages_interrupted(own->messages) == VDNN_OK)
        return false;
    if (!own->told)
        vdnn_messages_log(own->messages, VDNN_LOG_WARN,
                          "the search for a plan was interrupted: the best so far is taken");
    own->told = true;
    return true;
}

static bool lasts(void *argument, int64_t trials)
{
    vdnn_patience *own = argument;
    bool enough = own->trials > 0 ? trials >= own->trials : now() >= own->until_seconds;
    return !enough && !is_interrupted(own);
}

void vdnn_patience_begin(vdnn_patience_kind kind, const vdnn_run_options *options,
                         const vdnn_messages *messages, vdnn_patience *patience)
{
    double seconds = options->ask.planning->has_plan_seconds ? options->ask.planning->plan_seconds
                                                             : preset_seconds[kind];
    if (options->stages > 0) /* each is searched for by itself */
        seconds /= options->stages;
    *patience = (vdnn_patience){.of_policy = {lasts, patience},
                                .messages = messages,
                                .trials = options->ask.planning->plan_trials == 0 &&
                                                  options->ask.process->ranks > 1
                                              ? PRESET_TRIALS
                                              : options->ask.planning->plan_trials,
                                .until_seconds = now() + seconds};
}
