#include "runtime/train/advice/trials.h"

#include "runtime/train/training/training.h"

#include <math.h>

/* Of all trials together, as planned and then as they are; and of a visit, in which steps are
 * timed. */
static const double MOST_SECONDS = 15, VISIT_SECONDS = 0.05;

enum { MOST_STEPS = 16, FEWEST_ROUNDS = 3 };

/* ---- how many -------------------------------------------------------------------------------- */

static double planned_seconds(const vdnn_trial *trial)
{
    return trial->plans.training->step_seconds;
}

static double seconds_per_sample(const vdnn_trial *trial)
{
    return planned_seconds(trial) / (double)trial->setup.graph->step_batch;
}

/* In a visit, after the first. */
static int64_t step_count(const vdnn_trial *trial)
{
    return (int64_t)fmin(fmax(ceil(VISIT_SECONDS / planned_seconds(trial)), 1), MOST_STEPS);
}

static double round_seconds(const vdnn_trials *trials)
{
    double seconds = 0;
    for (size_t i = 0; i < trials->count; i++)
        if (!trials->list[i].is_left_out)
            seconds +=
                (double)(1 + step_count(&trials->list[i])) * planned_seconds(&trials->list[i]);
    return seconds;
}

/* The slowest per sample of those that are left, but not the first; 0: none is. */
static size_t slowest(const vdnn_trials *trials)
{
    size_t found = 0;
    for (size_t i = 1; i < trials->count; i++)
        if (!trials->list[i].is_left_out &&
            (found == 0 ||
             seconds_per_sample(&trials->list[i]) > seconds_per_sample(&trials->list[found])))
            found = i;
    return found;
}

/* How many rounds there is time for, of what is left. */
static size_t choose(vdnn_trials *trials)
{
    size_t last = slowest(trials);
    while (last > 0 && FEWEST_ROUNDS * round_seconds(trials) > MOST_SECONDS) {
        trials->list[last].is_left_out = true;
        last = slowest(trials);
    }
    const double rounds = MOST_SECONDS / round_seconds(trials);
    return last == 0 ? 0 : (size_t)fmin(rounds, VDNN_TRIAL_ROUNDS);
}

/* ---- a visit --------------------------------------------------------------------------------- */

/* Of the options what a step's time depends on, and nothing that is read or written. */
static void strip(const vdnn_session_options *options, vdnn_session_options *own,
                  vdnn_dataset_options *dataset, vdnn_output_options *output,
                  vdnn_trust_options *trust)
{
    *dataset = (vdnn_dataset_options){.size = sizeof *dataset};
    *output = (vdnn_output_options){.size = sizeof *output, .names = options->output->names};
    *trust = (vdnn_trust_options){.size = sizeof *trust, .on_nan = "warn"};
    *own = *options;
    own->data = "synthetic";
    own->init = own->save = own->checkpoint = own->resume = NULL;
    own->dataset = dataset;
    own->output = output;
    own->trust = trust;
}

/* The mean of its steps, but for the first. */
static vdnn_status visit(const vdnn_session_options *options, const vdnn_messages *messages,
                         const vdnn_trial *trial, double *step_seconds)
{
    const int64_t count = 1 + step_count(trial);
    vdnn_session_options own;
    vdnn_dataset_options dataset;
    vdnn_output_options output;
    vdnn_trust_options trust;
    vdnn_training_run run;
    double first = 0;
    strip(options, &own, &dataset, &output, &trust);
    own.steps = count;
    const vdnn_training_request request = {
        .options = &own, .messages = messages, .setup = &trial->setup, .plans = &trial->plans};
    VDNN_TRY(vdnn_training_begin(&request, &run));
    vdnn_status status = VDNN_OK;
    while (run.step < count && status == VDNN_OK) {
        status = vdnn_training_step(&run, count, NULL);
        if (run.step == 1)
            first = run.wall_seconds;
    }
    *step_seconds = (run.wall_seconds - first) / (double)(count - 1);
    vdnn_training_end(&run);
    return status;
}

/* The first rounds are always made, on a busy machine too. */
static bool has_time(const vdnn_trials *trials, double begun)
{
    return trials->rounds < FEWEST_ROUNDS ||
           vdnn_device_now(trials->list[0].setup.device) - begun < MOST_SECONDS;
}

/* Every second round the other way, so that what drifts meets all alike. */
static vdnn_status make_round(const vdnn_session_options *options, const vdnn_messages *messages,
                              vdnn_trials *trials)
{
    /* Only what ends the run: what a step says of itself is of no use. */
    const vdnn_messages quiet = {
        .size = sizeof quiet, .interrupted = messages->interrupted, .context = messages->context};
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < trials->count && status == VDNN_OK; i++) {
        vdnn_trial *own = &trials->list[trials->rounds % 2 == 0 ? i : trials->count - 1 - i];
        if (own->is_left_out)
            continue;
        status = vdnn_messages_interrupted(messages);
        VDNN_IF_OK(status, visit(options, &quiet, own, &own->step_seconds[trials->rounds]));
    }
    return status;
}

static void release(const vdnn_trials *trials)
{
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        (void)vdnn_device_reserve(trials->list[0].setup.device, (vdnn_tier)t, 0);
}

vdnn_status vdnn_trials_run(const vdnn_session_options *options, const vdnn_messages *messages,
                            vdnn_trials *trials)
{
    const size_t rounds = trials->count > 1 ? choose(trials) : 0;
    vdnn_status status = VDNN_OK;
    if (rounds == 0)
        return VDNN_OK;
    const double begun = vdnn_device_now(trials->list[0].setup.device);
    vdnn_messages_log(messages, VDNN_LOG_INFO, "timing steps of what fits, in turns");
    while (trials->rounds < rounds && status == VDNN_OK && has_time(trials, begun)) {
        status = make_round(options, messages, trials);
        trials->rounds += status == VDNN_OK;
    }
    release(trials);
    if (status == VDNN_OK || vdnn_messages_interrupted(messages) != VDNN_OK)
        return status;
    vdnn_messages_log(messages, VDNN_LOG_DEBUG, "no steps were timed: %s", vdnn_status_message());
    trials->rounds = 0;
    return VDNN_OK;
}
