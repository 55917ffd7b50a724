/* What steps took: a sample of each, their medians, and the peaks of all. */

#include "runtime/train/training/training_internal.h"

#include "runtime/base/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

vdnn_status vdnn_training_reserve_sample(vdnn_training_run *run)
{
    if (run->sample_count + (size_t)(run->begun - run->step) < run->sample_capacity)
        return VDNN_OK;
    size_t capacity = run->sample_capacity == 0 ? FIRST_CAPACITY : 2 * run->sample_capacity;
    vdnn_sample *grown = vdnn_heap_realloc(run->samples, capacity, sizeof *grown);
    if (grown == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu steps", capacity);
    run->samples = grown;
    run->sample_capacity = capacity;
    return VDNN_OK;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The median of one member over the samples from `first` on that have it; not a number: none has.
 * `scratch` can hold them. */
static double median_from(const vdnn_training_run *run, size_t first, size_t offset,
                          double *scratch)
{
    size_t n = 0;
    for (size_t i = first; i < run->sample_count; i++) {
        memcpy(&scratch[n], (const char *)&run->samples[i] + offset, sizeof scratch[n]);
        if (!isnan(scratch[n]))
            n++;
    }
    qsort(scratch, n, sizeof *scratch, by_value);
    return n == 0 ? (double)NAN : (scratch[(n - 1) / 2] + scratch[n / 2]) / 2.0;
}

/* By the plan that is run now, once a step of it was timed. Its first step also loads code and
 * touches memory for the first time, so it counts only where no other was timed. */
static double median(const vdnn_training_run *run, size_t offset, double *scratch)
{
    const size_t first = run->times.count > 0 ? run->first_sample : 0;
    const double others = median_from(run, first + 1, offset, scratch);
    return isnan(others) ? median_from(run, first, offset, scratch) : others;
}

double vdnn_training_steps_per_second(const vdnn_training_run *run)
{
    return run->wall_seconds > 0.0 ? (double)run->sample_count / run->wall_seconds : 0.0;
}

vdnn_status vdnn_training_measure(const vdnn_training_run *run, vdnn_measured *measured)
{
    double *scratch = vdnn_heap_calloc(run->sample_count + 1, sizeof *scratch);
    if (scratch == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the medians of %zu steps",
                                run->sample_count);
    vdnn_measured fresh = run->measured;
    fresh.step_seconds = median(run, offsetof(vdnn_sample, seconds), scratch);
    fresh.first_step_seconds = run->sample_count == 0 ? (double)NAN : run->samples[0].wall_seconds;
    fresh.stall_seconds = median(run, offsetof(vdnn_sample, stall_seconds), scratch);
    fresh.exposed_copy_seconds = median(run, offsetof(vdnn_sample, exposed_copy_seconds), scratch);
    fresh.exposed_reduce_seconds =
        median(run, offsetof(vdnn_sample, exposed_reduce_seconds), scratch);
    fresh.images_per_second =
        run->sample_count == 0
            ? (double)NAN
            : vdnn_training_steps_per_second(run) * (double)run->request.setup->graph->step_batch;
    vdnn_heap_free(scratch);
    *measured = fresh;
    return VDNN_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void vdnn_training_take_peaks(vdnn_training_run *run, const vdnn_executor_result *result)
{
    const vdnn_device *device = run->request.setup->device;
    vdnn_measured *measured = &run->measured;
    for (int t = 0; t < VDNN_TIER_COUNT; t++) {
        measured->peak_bytes[t] = larger(measured->peak_bytes[t], result->live_peak_bytes[t]);
        measured->span_bytes[t] =
            larger(measured->span_bytes[t], vdnn_device_high_water(device, (vdnn_tier)t));
    }
    measured->offload_bytes = result->offload_bytes;
    measured->prefetch_bytes = result->prefetch_bytes;
    measured->spill_bytes = result->spill_bytes;
    measured->fill_bytes = result->fill_bytes;
    run->moved_bytes += result->offload_bytes + result->prefetch_bytes;
}

vdnn_sample vdnn_training_add_sample(vdnn_training_run *run, const vdnn_executor_result *result)
{
    double begin = run->mark_seconds;
    run->mark_seconds = vdnn_training_now(run);
    vdnn_sample sample = {.step = run->step + 1,
                          .loss = result->loss,
                          .seconds = (double)NAN,
                          .stall_seconds = (double)NAN,
                          .exposed_copy_seconds = (double)NAN,
                          .exposed_reduce_seconds = (double)NAN,
                          .wall_seconds = run->mark_seconds - begin};
    if (result->timed) {
        const vdnn_timeline *timeline = vdnn_executor_timeline(run->executor);
        sample.seconds = result->seconds;
        sample.stall_seconds = result->stall_seconds;
        const vdnn_overlap overlap = vdnn_timeline_overlap(timeline);
        vdnn_lost_time_add(timeline, &overlap, &run->lost);
        vdnn_step_times_add(&run->times, timeline, result->seconds);
        sample.exposed_copy_seconds = overlap.exposed_seconds;
        sample.exposed_reduce_seconds = overlap.exposed_reduce_seconds;
    }
    run->samples[run->sample_count++] = sample;
    run->wall_seconds += sample.wall_seconds;
    return sample;
}
