/* How many of a layer's samples a run has, and the time of the whole batch extrapolated from it.
 *
 * On the CPU a run is short, and the time of the batch extrapolated; of the fastest algorithms a
 * longer one is measured again (settle.h). A card is fast enough for the whole batch, except for
 * algorithms that are far slower than others: for these a short run is enough. */

#include "layers/part.h"
#include "runtime/measure/measure_internal.h"

#include <math.h>

/* ---- how much is enough ---------------------------------------------------------------------- */

/* FLOPs and bytes of a short run: on the CPU some 20 ms at 100 GFLOP/s and 6 GB/s, far above any
 * noise; on a card enough to fill it, some 50 ms at a hundredth of its peak. */
typedef struct work {
    double flops, bytes;
} work;

static const work short_run = {2e9, 128e6}, short_run_of_card = {50e9, 8e9};

enum {
    /* A batch of this many short runs is run completely. */
    MORE_SAMPLES = 4,
    /* The most that a second run has, as a multiple of the first. */
    MOST_MORE_SAMPLES = 8,
    /* Bytes of a transformed filter per byte of the filter (64 points of 9 taps are 7, half the
     * spectrum of a Fourier tile of 32 x 32 for 5 x 5 taps is 44), and how often filters and their
     * transforms may go through memory. */
    TRANSFORM_GROWTH = 64,
    FIXED_PASSES = 4,
    /* A run of more samples than this has a multiple: kernels take samples in groups. */
    SAMPLE_GROUP = 8,
};

/* Of a run's time, what may not grow with the samples: less than the first does not matter; more
 * than the second does even where a run is long. */
static const double light_share = 1.0 / 16, heavy_share = 0.25;

/* Of measuring again: long enough for dozens of time slices of other programs, and for maps that no
 * cache holds; and a run of the whole batch that, after a warm-up, need not be repeated. */
static const double again_seconds = 0.1, again_once_seconds = 0.02;

/* Runs of a card that differ by less than this share agree, and so would further ones. On the CPU
 * three runs in a row may agree where those of a second later do not: others share its cores. */
static const double agreeing_spread = 0.05;

/* A time that is this many times the expected one was disturbed, or another is as long. */
static const double disturbed_growth = 2;

/* Of what a card has free: its libraries take memory when they are first used. */
static const double share_of_free = 0.9;

/* Of the network's data, on the CPU, where the copy of a part is beside the network's own data. */
static const double share_of_host = 0.5;

/* What times are scaled with from a few samples to the whole batch: only their ratio matters, and
 * only to layers whose weights weigh more than their maps. */
static const double nominal_flops_per_second = 100e9, nominal_bytes_per_second = 10e9;

/* ---- fewer samples --------------------------------------------------------------------------- */

/* What is measured, and by which algorithm. */
typedef struct question {
    vdnn_measure *measure;
    const vdnn_layer *layer;
    vdnn_pass pass;
    const vdnn_algorithm *algorithm;
    vdnn_measure_limits limits;
    bool is_again; /* it was measured before: a run of again_once_seconds is enough */
} question;

static int64_t samples_of(const vdnn_layer *layer)
{
    return layer->x[0].dims[VDNN_N];
}

static bool is_card(const question *q)
{
    return !q->measure->properties->shares_host_memory;
}

double vdnn_measure_nominal_seconds(const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_layer_flops(layer, pass) / nominal_flops_per_second +
           vdnn_layer_bytes(layer, pass) / nominal_bytes_per_second;
}

/* The layer with fewer samples, also where they depend on each other: only its time is of interest.
 */
static vdnn_status cut_layer(const vdnn_layer *layer, int64_t samples, vdnn_layer *part)
{
    vdnn_part few = vdnn_part_whole(layer);
    few.samples = samples;
    return vdnn_part_init(layer, &few, part);
}

/* Of a few samples most of the time would be that of the parameters. */
static bool is_heavy(const question *q)
{
    double fixed = FIXED_PASSES * (double)q->layer->param_bytes / nominal_bytes_per_second;
    return !is_card(q) && fixed > heavy_share * vdnn_measure_nominal_seconds(q->layer, q->pass);
}

static int64_t samples_of_a_short_run(const question *q)
{
    if (is_heavy(q))
        return samples_of(q->layer);
    const work *most = is_card(q) ? &short_run_of_card : &short_run;
    double samples = (double)samples_of(q->layer);
    double flops = vdnn_layer_flops(q->layer, q->pass);
    double map_bytes = vdnn_layer_bytes(q->layer, q->pass) - (double)q->layer->param_bytes;
    double fewest = samples * fmin(most->flops / (flops + 1), most->bytes / fmax(map_bytes, 1));
    if (fewest >= samples)
        return samples_of(q->layer);
    return fewest < 1 ? 1 : (int64_t)fewest;
}

/* The memory of a run: on the CPU half of the network's data, since other programs use the memory
 * too; on a card all of that, if it is free. */
static double share_bytes(const question *q)
{
    const vdnn_measure *measure = q->measure;
    double working = (double)measure->working_bytes;
    double free = share_of_free * (double)measure->properties->free_bytes;
    return is_card(q) ? fmin(working, free - (double)measure->others_bytes)
                      : share_of_host * working;
}

/* The next number to try of an algorithm that does not support `samples`: it may take them in
 * groups alone, of which one is enough; else all of them. */
static int64_t samples_beyond(const question *q, int64_t samples)
{
    int64_t all = samples_of(q->layer);
    return samples < SAMPLE_GROUP && all > SAMPLE_GROUP ? SAMPLE_GROUP : all;
}

/* *part: that many samples, or fewer if they take more than a run's share of memory; more if the
 * algorithm does not support so few. */
static vdnn_status cut_for_a_run(const question *q, int64_t samples, vdnn_layer *part)
{
    for (bool is_raised = false;; samples = is_raised ? samples : samples / 2) {
        vdnn_offer offer = {0};
        VDNN_TRY(cut_layer(q->layer, samples, part));
        vdnn_status status =
            vdnn_device_ask(q->measure->device, q->algorithm, part, q->pass, &offer);
        double bytes = (double)offer.workspace_bytes + vdnn_layer_bytes(part, q->pass);
        bool refuses = offer.refusal != NULL;
        bool is_small = samples == 1 || is_raised || bytes <= share_bytes(q);
        if (status == VDNN_OK && !refuses && is_small)
            return VDNN_OK;
        vdnn_part_fini(part);
        if (status != VDNN_OK)
            return status;
        if (refuses && samples == samples_of(q->layer))
            return vdnn_status_fail(VDNN_DEVICE, "%s", offer.refusal);
        if (refuses) {
            samples = samples_beyond(q, samples);
            is_raised = true;
        }
    }
}

/* ---- the whole batch ------------------------------------------------------------------------- */

/* Of a pass over some of the samples. */
typedef struct timing {
    vdnn_run_time run;
    double fixed_seconds; /* at most so much of it does not grow with the samples */
    double ratio;         /* of the whole batch's nominal time to that of these samples */
    int64_t samples;
} timing;

static double scaled_seconds(const timing *own)
{
    return own->run.seconds * own->ratio;
}

/* What does not grow with the samples: the parameters' way through memory, and that of the
 * transforms of a filter or of its gradient, which are in the workspace of an algorithm that
 * transforms. */
static vdnn_status find_fixed_seconds(const question *q, const vdnn_layer *part, double *seconds)
{
    vdnn_offer offer = {0};
    vdnn_status status = vdnn_device_ask(q->measure->device, q->algorithm, part, q->pass, &offer);
    double transforms =
        q->algorithm->multiplies_all
            ? 0
            : fmin(TRANSFORM_GROWTH * (double)part->trainable_bytes, (double)offer.workspace_bytes);
    double bytes = FIXED_PASSES * ((double)part->param_bytes + transforms);
    *seconds = bytes / nominal_bytes_per_second;
    return status;
}

/* The least time of the whole batch, if a run over the samples took that long. */
static double least_seconds(const timing *own, double seconds)
{
    double fixed = fmin(own->fixed_seconds, seconds);
    return (seconds - fixed) * own->ratio + fixed;
}

/* The other way round: a run that takes longer shows that the whole batch does. */
static double seconds_of_a_part(const timing *own, double whole_seconds)
{
    double fixed = fmin(own->fixed_seconds, whole_seconds);
    return fixed + (whole_seconds - fixed) / own->ratio;
}

static vdnn_status time_part(const question *q, const vdnn_layer *part, double expected,
                             timing *own)
{
    const vdnn_repetition repetition = {
        .enough_seconds =
            q->is_again ? again_once_seconds : seconds_of_a_part(own, q->limits.worth_seconds),
        .brief_seconds = seconds_of_a_part(own, q->limits.brief_seconds),
        .expected_seconds = isfinite(expected) && !is_card(q) ? expected / own->ratio : 0};
    return vdnn_measure_part(q->measure, part, q->pass, q->algorithm, &repetition, &own->run);
}

/* `expected`: of the whole batch; HUGE_VAL if nothing is known yet. *tried: the samples of the run,
 * also if it failed. */
static vdnn_status time_some(const question *q, int64_t samples, double expected, timing *result,
                             int64_t *tried)
{
    vdnn_layer part;
    VDNN_TRY(cut_for_a_run(q, samples, &part));
    timing own = {.ratio = vdnn_measure_nominal_seconds(q->layer, q->pass) /
                           vdnn_measure_nominal_seconds(&part, q->pass),
                  .samples = samples_of(&part)};
    *tried = own.samples;
    vdnn_status status = find_fixed_seconds(q, &part, &own.fixed_seconds);
    VDNN_IF_OK(status, time_part(q, &part, expected, &own));
    if (status == VDNN_OK && scaled_seconds(&own) > disturbed_growth * expected) {
        timing second = own;
        status = time_part(q, &part, expected, &second);
        own = second.run.seconds < own.run.seconds ? second : own;
    }
    vdnn_part_fini(&part);
    if (status == VDNN_OK)
        *result = own;
    return status;
}

bool vdnn_measure_lacks_memory(vdnn_status status)
{
    return status == VDNN_NO_MEMORY || status == VDNN_NO_FIT;
}

/* With as many of the samples as the machine has memory for. Whether the whole batch fits is for a
 * plan to say, which may need less of it at a time. */
static vdnn_status time_samples(const question *q, int64_t samples, double expected, timing *result)
{
    int64_t tried = samples, asked;
    vdnn_status status;
    do {
        asked = samples;
        status = time_some(q, asked, expected, result, &tried);
        samples = tried / 2;
    } while (vdnn_measure_lacks_memory(status) && samples > 0 && tried <= asked);
    return status;
}

/* Time that does not grow with the samples weighs more in a part than in the whole batch: a second
 * part gives the time per further sample. The difference of two noisy times is noisier than both,
 * so it counts only as far as the bound of that time allows. */
static double extend(const timing *few, const timing *more, int64_t samples)
{
    double seconds = more->run.seconds, average = seconds / (double)more->samples;
    double least = (seconds - more->fixed_seconds) / (double)more->samples;
    double further = (seconds - few->run.seconds) / (double)(more->samples - few->samples);
    further = fmax(further, fmax(least, average / MOST_MORE_SAMPLES));
    return seconds + fmin(further, average) * (double)(samples - more->samples);
}

/* Samples of a second run; 0 if the first one is enough, or there is no memory for more samples. On
 * the CPU as many as make the time that does not grow with them a small share of it. */
static int64_t samples_for_more(const question *q, const timing *few, int64_t wanted)
{
    int64_t all = samples_of(q->layer);
    double seconds = few->run.seconds, fixed = fmin(few->fixed_seconds, seconds);
    double share = fixed / seconds;
    bool is_worth = least_seconds(few, seconds) < q->limits.worth_seconds;
    if (few->samples == all || few->samples < wanted || !is_worth)
        return 0;
    if (is_card(q))
        return all;
    if (share <= light_share)
        return 0;
    if (seconds >= VDNN_MEASURE_LONG_SECONDS && share <= heavy_share)
        return 0;
    int64_t multiple = (int64_t)fmin(ceil(share / light_share), MOST_MORE_SAMPLES);
    if (all <= (multiple > MORE_SAMPLES ? multiple : MORE_SAMPLES) * few->samples)
        return all;
    return multiple > 1 ? multiple * few->samples : 0;
}

vdnn_status vdnn_measure_pass(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const vdnn_measure_limits *limits,
                              vdnn_pass_time *result)
{
    const question q = {measure, layer, pass, algorithm, *limits, false};
    int64_t wanted = samples_of_a_short_run(&q), all = samples_of(layer);
    timing few, last;
    vdnn_status status = time_samples(&q, wanted, HUGE_VAL, &few);
    if (status != VDNN_OK)
        return status;
    double scaled = scaled_seconds(&few);
    int64_t samples = few.run.is_brief ? 0 : samples_for_more(&q, &few, wanted);
    last = few;
    if (samples > 0) {
        question more = q;
        more.is_again = !is_card(&q);
        status = time_samples(&more, samples, scaled, &last);
    }
    if (status != VDNN_OK)
        return status;
    *result = (vdnn_pass_time){
        .seconds = last.samples > few.samples ? extend(&few, &last, all) : scaled,
        .is_exact = is_card(&q) && last.samples == all && last.run.spread <= agreeing_spread,
        .is_brief = few.run.is_brief};
    return VDNN_OK;
}

/* As many as take long enough; all, if half of them do. */
static int64_t samples_for_again(const question *q, double expected)
{
    int64_t all = samples_of(q->layer), least = samples_of_a_short_run(q);
    double samples = (double)all * again_seconds / expected;
    if (is_card(q) || 2 * samples >= (double)all)
        return all;
    int64_t whole = (int64_t)samples;
    whole = whole > SAMPLE_GROUP ? whole / SAMPLE_GROUP * SAMPLE_GROUP : whole;
    return whole > least ? whole : least;
}

bool vdnn_measure_fails_alone(vdnn_status status)
{
    return vdnn_measure_lacks_memory(status) || status == VDNN_DEVICE;
}

vdnn_status vdnn_measure_pass_again(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                                    const vdnn_algorithm *algorithm, double *seconds)
{
    const question q = {measure, layer, pass, algorithm, {HUGE_VAL, HUGE_VAL}, true};
    timing own;
    vdnn_status status = time_samples(&q, samples_for_again(&q, *seconds), *seconds, &own);
    if (status == VDNN_OK)
        *seconds = scaled_seconds(&own);
    return status;
}
