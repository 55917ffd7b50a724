/* The time of enqueued operations.
 *
 * A run, on the compute stream:
 *
 *     | hold ......................... | sweep | fresh |*** run ***|
 *     the host enqueues all up to here ^                ^ timed     ^
 *
 * The measured time is that of the device alone, as in a step:
 *   hold   keeps the stream busy until everything after it is enqueued, so that a card never waits
 *          for the host
 *   sweep  evicts the caches, as the data of other layers does: operands are read from memory
 *   fresh  puts the output of the step before into a card's cache again, as far as it fits
 * A card that was idle first works for a while, until its clocks have risen.
 */

#include "runtime/measure/measure_internal.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

enum {
    RUNS = 3,     /* the middle one counts: one may be disturbed */
    ATTEMPTS = 3, /* of a run that the host did not keep up with: the second one knows how long
                     that takes, the third is for a host that was disturbed */
    SWEEPS_AT_ONCE = 16, /* between two waits of the host: enough that a card is hardly idle */
    LEAD_MARGIN = 2,     /* of the next hold over what the host took: enqueuing varies by that */
};

/* Of a hold. At least the time of some forty launches of 5 us each; at most what a step can have
 * enqueued ahead, since beyond that a step would wait for the host too. */
static const double least_lead_seconds = 200e-6, most_lead_seconds = 20e-3;

/* An idle card's clocks rise within this time under load, and stay high for this time without. */
static const double wake_seconds = 0.3, idle_seconds = 0.2;

/* On the CPU the first run of a kernel that takes this long is as long as the next: 0.997 of it in
 * the middle of 66 runs of VGG-16, and 0.96 to 1.03 nine times of ten. */
static const double even_seconds = 20e-3;

/* Below the resolution of any clock. */
static const double least_seconds = 1e-9;

double vdnn_measure_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- conditions ------------------------------------------------------------------------------ */

enum { MOST_CONDITIONS = 3, EVENTS = VDNN_MEASURE_EVENTS + MOST_CONDITIONS };

/* The part of a buffer still in a cache after it was written from begin to end. */
static vdnn_extent cached_part(vdnn_extent all, size_t cache_bytes)
{
    size_t most = cache_bytes / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    size_t lost = all.bytes > most ? all.bytes - most : 0;
    return (vdnn_extent){all.tier, all.offset + lost, all.bytes - lost};
}

/* Returns how many there are. */
static int choose_conditions(const vdnn_measure *measure, const vdnn_timed *timed,
                             double lead_seconds, vdnn_condition list[MOST_CONDITIONS])
{
    size_t cache_bytes = measure->properties->cache_bytes;
    int count = 0;
    if (lead_seconds > 0)
        list[count++] = vdnn_condition_hold(measure, lead_seconds);
    if (timed->is_step)
        list[count++] = vdnn_condition_sweep(measure);
    if (timed->is_step && cache_bytes > 0)
        list[count++] = vdnn_condition_fill(measure, cached_part(timed->fresh, cache_bytes));
    return count;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct run {
    double seconds;
    double host_seconds; /* that the host took to enqueue it, conditions included */
    long turns_lost;     /* how often other programs took a core from this process meanwhile */
} run;

static vdnn_usage read_usage(void)
{
    struct rusage all;
    if (getrusage(RUSAGE_SELF, &all) != 0)
        return (vdnn_usage){.turns_lost = 0};
    return (vdnn_usage){.turns_lost = all.ru_nivcsw,
                        .cpu_seconds =
                            (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
                            1e-6 * (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec)};
}

static vdnn_usage (*usage_now)(void) = read_usage;

void vdnn_measure_set_usage(vdnn_usage (*fresh)(void))
{
    usage_now = fresh == NULL ? read_usage : fresh;
}

void vdnn_measure_begin_kernel(vdnn_measure *measure, const vdnn_kernel *kernel)
{
    measure->kernel_threads = kernel->threads;
    measure->usage = usage_now();
}

/* A card computes without this process. */
void vdnn_measure_end_kernel(vdnn_measure *measure)
{
    vdnn_usage now = measure->properties->enqueues ? measure->usage : usage_now();
    measure->usage = (vdnn_usage){.turns_lost = now.turns_lost - measure->usage.turns_lost,
                                  .cpu_seconds = now.cpu_seconds - measure->usage.cpu_seconds};
}

/* A kernel from which other programs took a core takes the processor's time by as many threads as
 * it has, or a little longer: what it waited for its turns is not its own. */
static double without_others(const vdnn_measure *measure, double seconds)
{
    const vdnn_usage *usage = &measure->usage;
    if (usage->turns_lost == 0 || usage->cpu_seconds <= 0)
        return seconds;
    return fmin(seconds, usage->cpu_seconds / (double)measure->kernel_threads);
}

static double span_of(const vdnn_device *device, int32_t event_count)
{
    double first = HUGE_VAL, last = 0;
    for (int32_t e = 0; e < event_count; e++) {
        double start, end;
        vdnn_device_times(device, e, &start, &end);
        first = fmin(first, start);
        last = fmax(last, end);
    }
    return fmax(last - first, least_seconds);
}

static vdnn_status run_once(vdnn_measure *measure, const vdnn_timed *timed, double lead_seconds,
                            run *result)
{
    vdnn_condition list[MOST_CONDITIONS];
    int count = choose_conditions(measure, timed, lead_seconds, list);
    vdnn_status status = vdnn_device_round(measure->device);
    if (status != VDNN_OK)
        return status;
    double begin = vdnn_measure_now();
    measure->usage = (vdnn_usage){.turns_lost = 0};
    int32_t last = VDNN_MEASURE_EVENTS - 1;
    for (int i = 0; status == VDNN_OK && i < count; i++) {
        const vdnn_launch launch = vdnn_condition_launch(&list[i]);
        status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, ++last, NULL, 0, &launch);
    }
    VDNN_IF_OK(status, timed->enqueue(measure, timed->argument, &last, count > 0));
    double host_seconds = vdnn_measure_now() - begin;
    vdnn_status late = vdnn_device_synchronize(measure->device);
    measure->worked_until = vdnn_measure_now();
    VDNN_IF_OK(status, late);
    if (status == VDNN_OK)
        *result =
            (run){.seconds = without_others(measure, span_of(measure->device, timed->event_count)),
                  .host_seconds = host_seconds,
                  .turns_lost = measure->usage.turns_lost};
    return status;
}

/* Whether the stream was held from before the host began to enqueue until it had done so. */
static bool is_kept_up(const run *own, double lead_seconds)
{
    return lead_seconds <= 0 || own->host_seconds <= lead_seconds;
}

/* A run that the host keeps up with, or the last attempt: operations that make the host wait for
 * the card do so in a step too. *lead_seconds grows if it was too short. */
static vdnn_status run_ahead(vdnn_measure *measure, const vdnn_timed *timed, double *lead_seconds,
                             run *result)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        vdnn_status status = run_once(measure, timed, *lead_seconds, result);
        if (status != VDNN_OK || is_kept_up(result, *lead_seconds))
            return status;
        *lead_seconds = fmin(LEAD_MARGIN * result->host_seconds, most_lead_seconds);
    }
    return VDNN_OK;
}

vdnn_status vdnn_measure_do(vdnn_measure *measure, const vdnn_launch *launch, int32_t times)
{
    vdnn_status status = vdnn_device_round(measure->device);
    if (status != VDNN_OK)
        return status;
    for (int32_t e = 0; status == VDNN_OK && e < times; e++)
        status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, e, NULL, 0, launch);
    vdnn_status late = vdnn_device_synchronize(measure->device);
    measure->worked_until = vdnn_measure_now();
    return status == VDNN_OK ? late : status;
}

/* ---- several runs ---------------------------------------------------------------------------- */

/* A card that was idle for a moment needs no longer than that to reach its clocks again. */
static vdnn_status wake(vdnn_measure *measure)
{
    double begin = vdnn_measure_now(), idle = begin - measure->worked_until;
    if (!measure->properties->enqueues || idle < idle_seconds)
        return VDNN_OK;
    vdnn_condition sweep = vdnn_condition_sweep(measure);
    const vdnn_launch launch = vdnn_condition_launch(&sweep);
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && vdnn_measure_now() - begin < fmin(idle, wake_seconds))
        status = vdnn_measure_do(measure, &launch, SWEEPS_AT_ONCE);
    return status;
}

/* Sorts them. */
static double middle(double *seconds, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && seconds[k] < seconds[k - 1]; k--) {
            double smaller = seconds[k];
            seconds[k] = seconds[k - 1];
            seconds[k - 1] = smaller;
        }
    return seconds[count / 2];
}

/* The middle one of the least disturbed runs, and the spread of these if they are all. */
static vdnn_run_time time_of(const run *runs, int count)
{
    double each[RUNS];
    int kept = 0;
    long fewest = runs[0].turns_lost;
    for (int i = 1; i < count; i++)
        fewest = runs[i].turns_lost < fewest ? runs[i].turns_lost : fewest;
    for (int i = 0; i < count; i++)
        if (runs[i].turns_lost == fewest)
            each[kept++] = runs[i].seconds;
    double seconds = middle(each, kept);
    return (vdnn_run_time){.seconds = seconds,
                           .spread = kept < RUNS ? HUGE_VAL : (each[kept - 1] - each[0]) / seconds};
}

static double limit_or_none(double seconds)
{
    return seconds > 0 ? seconds : HUGE_VAL;
}

/* Whether the warm-up is the time. In it libraries load kernels, and the host may be late by as
 * much: it counts only if the stream was held that long, and that an algorithm is slow is believed
 * of a card only after another run. Where a time is expected, that one decides: if long warm-ups
 * alone were the time, and short ones measured again, it would be too long. */
static bool is_warm_up_enough(const vdnn_measure *measure, const vdnn_repetition *repetition,
                              const run *warm_up, double lead_seconds)
{
    double own = warm_up->seconds, expected = repetition->expected_seconds;
    double known = expected > 0 ? expected : own;
    bool is_card = measure->properties->enqueues;
    bool is_brief = !is_card && own > limit_or_none(repetition->brief_seconds);
    bool is_even = !is_card && expected > even_seconds;
    return is_kept_up(warm_up, lead_seconds) &&
           (known > VDNN_MEASURE_LONG_SECONDS || is_brief || is_even);
}

/* Whether a run after the warm-up needs no further ones: it is slower than all that is of interest.
 */
static bool is_run_enough(const vdnn_repetition *repetition, const run *own)
{
    double known = repetition->expected_seconds > 0 ? repetition->expected_seconds : own->seconds;
    return known > limit_or_none(repetition->enough_seconds);
}

vdnn_status vdnn_measure_median(vdnn_measure *measure, const vdnn_timed *timed,
                                vdnn_run_time *result)
{
    const vdnn_repetition *repetition = &timed->repetition;
    double lead = timed->is_held || measure->properties->enqueues ? least_lead_seconds : 0;
    run warm_up, runs[RUNS];
    int count = 0;
    vdnn_status status = wake(measure);
    VDNN_IF_OK(status, run_once(measure, timed, lead, &warm_up));
    if (status != VDNN_OK)
        return status;
    bool is_enough = is_warm_up_enough(measure, repetition, &warm_up, lead);
    if (is_enough)
        runs[count++] = warm_up;
    for (; status == VDNN_OK && count < RUNS && !is_enough; count++) {
        status = run_ahead(measure, timed, &lead, &runs[count]);
        is_enough = status == VDNN_OK && is_run_enough(repetition, &runs[count]);
    }
    if (status != VDNN_OK)
        return status;
    *result = time_of(runs, count);
    result->is_brief = result->seconds > limit_or_none(repetition->brief_seconds);
    return VDNN_OK;
}

/* ---- what an operation costs ------------------------------------------------------------------
 */

static vdnn_status run_nothing(void *argument, void *stream)
{
    const vdnn_measure *measure = argument;
    return measure->conditions->hold(0, stream);
}

static vdnn_status enqueue_nothing(vdnn_measure *measure, void *argument, const int32_t *waits,
                                   int32_t wait_count)
{
    const vdnn_launch nothing = {.run = run_nothing, .argument = argument};
    vdnn_status status = VDNN_OK;
    for (int32_t e = 0; status == VDNN_OK && e < VDNN_MEASURE_EVENTS; e++)
        status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, e, waits, wait_count,
                                    &nothing);
    return status;
}

/* The time of empty operations in a full stream, each with its event. On a card it lies between an
 * operation's start and end; on the CPU between two operations, while a thread fetches the next. */
vdnn_status vdnn_measure_launch(vdnn_measure *measure)
{
    const vdnn_timed timed = {.enqueue = enqueue_nothing,
                              .argument = measure,
                              .event_count = VDNN_MEASURE_EVENTS,
                              .is_held = true};
    double inside[VDNN_MEASURE_EVENTS];
    vdnn_run_time all;
    vdnn_status status = vdnn_device_grow_events(measure->device, EVENTS);
    VDNN_IF_OK(status, vdnn_measure_median(measure, &timed, &all));
    if (status != VDNN_OK)
        return status;
    for (int32_t e = 0; e < VDNN_MEASURE_EVENTS; e++) {
        double start, end;
        vdnn_device_times(measure->device, e, &start, &end);
        inside[e] = end - start;
    }
    measure->launch_seconds = all.seconds / VDNN_MEASURE_EVENTS;
    measure->empty_seconds = fmin(middle(inside, VDNN_MEASURE_EVENTS), measure->launch_seconds);
    return VDNN_OK;
}

double vdnn_measure_without_launch(const vdnn_measure *measure, double seconds)
{
    return fmax(seconds - measure->empty_seconds, least_seconds);
}
