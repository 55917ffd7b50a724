#include "runtime/profile_measure.h"

#include "alloc/heap.h"
#include "runtime/random.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
    EVENTS = 2,
    RUNS = 3,
    MORE_SAMPLES = 4, /* all are measured where they are no more times those of a short run */
    PATTERN_BYTES = 1 << 20,
    SMALL_COPY_BYTES = 64,
    MOST_RATE_BYTES = 32 << 20, /* moved to measure a rate */
    LEAST_RATE_BYTES = 1 << 20,
    UPDATE_ARRAYS = 3,
    LINE_BYTES = 64,
    MOST_OTHERS_BYTES = 8 << 20, /* more than the caches of the cores, less than what they share */
    SGD_TRAFFIC = 5,             /* floats read and written for each weight */
};

/* One run is cut down to about this much work; on a card, which so little does not fill, to more.
 */
static const double run_flops = 2e9, run_bytes = 128e6;
static const double card_run_flops = 50e9, card_run_bytes = 8e9;
/* A run that takes so long is not repeated: it is far above any noise. */
static const double long_run_seconds = 0.1;
/* What times are scaled with from a few samples to the whole batch: only their ratio matters, and
 * only to layers whose weights weigh more than their maps. */
static const double nominal_flops_per_second = 100e9, nominal_bytes_per_second = 10e9;

struct vdnn_profile_measure {
    vdnn_device *device; /* borrowed */
    const vdnn_device_properties *properties;
    size_t working_bytes;
    size_t reserved_bytes;
    size_t filled_bytes; /* the device tier's first bytes that still hold the pattern */
    float *pattern;      /* small normals: neither zeros nor denormals, which take other times */
    vdnn_step_context context;
    /* Read by every thread before a run, as what other layers work on is in a step: a run that
     * finds its maps where the last one left them takes half of the time. NULL: the host's caches
     * are not the device's. */
    char *others;
    size_t others_bytes;
    long seen; /* of it, so that it is read */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static vdnn_status make_others(vdnn_profile_measure *measure)
{
    size_t bytes =
        measure->working_bytes < MOST_OTHERS_BYTES ? measure->working_bytes : MOST_OTHERS_BYTES;
    measure->others = vdnn_heap_calloc(bytes, 1);
    if (measure->others == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
    memset(measure->others, 1, bytes); /* pages of zeros may all be one */
    measure->others_bytes = bytes;
    return VDNN_OK;
}

vdnn_status vdnn_profile_measure_create(vdnn_device *device, size_t working_bytes,
                                        vdnn_profile_measure **measure)
{
    vdnn_profile_measure *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
    made->device = device;
    made->working_bytes = working_bytes;
    made->properties = vdnn_device_describe(device);
    made->context = (vdnn_step_context){.lr = 1e-4, .momentum = 0.9};
    vdnn_status status = VDNN_NO_MEMORY;
    made->pattern = vdnn_heap_calloc(PATTERN_BYTES, 1);
    if (made->pattern == NULL) {
        (void)vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
        goto fail;
    }
    for (uint32_t i = 0; i < PATTERN_BYTES / sizeof(float); i += 2) {
        const uint32_t counter[4] = {i, 0, 0, 0};
        uint32_t bits[4];
        vdnn_random_philox(0, counter, bits);
        vdnn_random_normal(bits[0], bits[1], made->pattern + i);
        made->pattern[i] *= 0.1f;
        made->pattern[i + 1] *= 0.1f;
    }
    status = vdnn_device_grow_events(device, EVENTS);
    if (status == VDNN_OK && made->properties->shares_host_memory)
        status = make_others(made);
    if (status != VDNN_OK)
        goto fail;
    *measure = made;
    return VDNN_OK;
fail:
    vdnn_heap_free(made->others);
    vdnn_heap_free(made->pattern);
    vdnn_heap_free(made);
    return status;
}

void vdnn_profile_measure_destroy(vdnn_profile_measure *measure)
{
    if (measure == NULL)
        return;
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        (void)vdnn_device_reserve(measure->device, (vdnn_tier)tier, 0);
    vdnn_heap_free(measure->others);
    vdnn_heap_free(measure->pattern);
    vdnn_heap_free(measure);
}

/* Fills the device tier up to `bytes` with the pattern. */
static vdnn_status fill(vdnn_profile_measure *measure, size_t bytes)
{
    size_t at = measure->filled_bytes;
    while (at < bytes) {
        size_t phase = at % PATTERN_BYTES, part = PATTERN_BYTES - phase;
        if (part > bytes - at)
            part = bytes - at;
        vdnn_status status =
            vdnn_device_write(measure->device, at, (const char *)measure->pattern + phase, part);
        if (status != VDNN_OK)
            return status;
        at += part;
    }
    if (measure->filled_bytes < bytes)
        measure->filled_bytes = bytes;
    return VDNN_OK;
}

/* Makes the device tier at least so large. All of it is touched, so that no run pays for new pages.
 */
static vdnn_status need(vdnn_profile_measure *measure, size_t bytes)
{
    if (bytes <= measure->reserved_bytes)
        return VDNN_OK;
    measure->reserved_bytes = measure->filled_bytes = 0;
    vdnn_status status = vdnn_device_reserve(measure->device, VDNN_TIER_DEVICE, bytes);
    if (status != VDNN_OK)
        return status;
    measure->reserved_bytes = bytes;
    return fill(measure, bytes);
}

/* ---- timing ---------------------------------------------------------------------------------- */

/* Enqueues operations under the first events of a round; they must be EVENTS at most. */
typedef vdnn_status enqueue(vdnn_profile_measure *measure, void *argument);

/* From the first start of the `events` that the operation has to the last end. */
static vdnn_status time_once(vdnn_profile_measure *measure, enqueue *operation, int events,
                             void *argument, double *seconds)
{
    vdnn_status status = vdnn_device_round(measure->device);
    if (status != VDNN_OK)
        return status;
    status = operation(measure, argument);
    vdnn_status late = vdnn_device_synchronize(measure->device);
    if (status == VDNN_OK)
        status = late;
    if (status != VDNN_OK)
        return status;
    double first = HUGE_VAL, last = 0;
    for (int e = 0; e < events; e++) {
        double start, end;
        vdnn_device_times(measure->device, e, &start, &end);
        first = fmin(first, start);
        last = fmax(last, end);
    }
    *seconds = last > first ? last - first : 1e-9;
    return VDNN_OK;
}

static double median_of_three(const double v[RUNS])
{
    double low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
    return v[2] < low ? low : v[2] > high ? high : v[2];
}

static vdnn_status time_median(vdnn_profile_measure *measure, enqueue *operation, int events,
                               void *argument, double *seconds)
{
    double warm_up, runs[RUNS];
    vdnn_status status = time_once(measure, operation, events, argument, &warm_up);
    if (status == VDNN_OK && warm_up > long_run_seconds) {
        *seconds = warm_up;
        return VDNN_OK;
    }
    for (int i = 0; status == VDNN_OK && i < RUNS; i++)
        status = time_once(measure, operation, events, argument, &runs[i]);
    if (status == VDNN_OK)
        *seconds = median_of_three(runs);
    return status;
}

/* ---- one pass of a layer --------------------------------------------------------------------- */

static int64_t samples_of(const vdnn_layer *layer)
{
    return layer->x[0].dims[VDNN_N];
}

static double nominal_seconds(const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_layer_flops(layer, pass) / nominal_flops_per_second +
           vdnn_layer_bytes(layer, pass) / nominal_bytes_per_second;
}

/* A copy with fewer samples; only copy->x is owned by it. */
static vdnn_status cut_layer(const vdnn_layer *layer, int64_t samples, vdnn_layer *copy)
{
    *copy = *layer;
    copy->x = vdnn_heap_calloc((size_t)layer->input_count, sizeof *copy->x);
    if (copy->x == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it", layer->name);
    for (int32_t i = 0; i < layer->input_count; i++) {
        copy->x[i] = layer->x[i];
        copy->x[i].dims[VDNN_N] = samples;
    }
    copy->param_count = 0;
    copy->param_bytes = copy->trainable_bytes = 0;
    vdnn_status status = layer->def->infer(copy);
    if (status != VDNN_OK) {
        vdnn_heap_free(copy->x);
        return status;
    }
    copy->y.layout = layer->y.layout;
    copy->aux_bytes = layer->def->aux_bytes == NULL ? 0 : layer->def->aux_bytes(copy);
    return VDNN_OK;
}

static int64_t samples_for_a_short_run(const vdnn_profile_measure *measure, const vdnn_layer *layer,
                                       vdnn_pass pass)
{
    bool is_card = !measure->properties->shares_host_memory;
    double samples = (double)samples_of(layer);
    double map_bytes = vdnn_layer_bytes(layer, pass) - (double)layer->param_bytes;
    double by_flops =
        (is_card ? card_run_flops : run_flops) * samples / (vdnn_layer_flops(layer, pass) + 1);
    double by_bytes =
        (is_card ? card_run_bytes : run_bytes) * samples / (map_bytes > 1 ? map_bytes : 1);
    double fewest = by_flops < by_bytes ? by_flops : by_bytes;
    if (fewest >= samples)
        return samples_of(layer);
    return fewest < 1 ? 1 : (int64_t)fewest;
}

/* The memory of a run, in the order
 *
 *     | w x y dy: read | y aux dx dw labels workspace: written |
 *                      ^ written_from; what is before it keeps the pattern from one run to the next
 */
typedef struct memory_loan {
    vdnn_layer layer;
    vdnn_kernel_args args;
    void **x, **dx;
    size_t labels_offset, written_from, bytes;
} memory_loan;

typedef struct cursor {
    char *base; /* NULL: only counts */
    size_t used;
} cursor;

static void *take(cursor *at, size_t bytes)
{
    void *block = at->base == NULL ? NULL : at->base + at->used;
    at->used += (bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    return block;
}

/* `needs`: what the passes that will run read; `writes`: 1 << pass of each. */
static void lay_out(memory_loan *loan, char *base, vdnn_needs needs, unsigned passes,
                    size_t workspace_bytes)
{
    const vdnn_layer *layer = &loan->layer;
    bool forward = passes & 1U << VDNN_FORWARD, data = passes & 1U << VDNN_BACKWARD_DATA;
    bool in_place = layer->in_place;
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    cursor at = {base, 0};
    size_t y_bytes = vdnn_desc_bytes(&layer->y), x_offset, dy_offset;

    if (needs & VDNN_NEEDS_W)
        loan->args.w = take(&at, layer->param_bytes);
    x_offset = at.used;
    for (int32_t i = 0; i < layer->input_count && (needs & VDNN_NEEDS_X); i++)
        loan->x[i] = take(&at, vdnn_desc_bytes(&layer->x[i]));
    if (needs & VDNN_NEEDS_Y && !forward)
        loan->args.y = take(&at, y_bytes);
    dy_offset = at.used;
    if (passes & ~(1U << VDNN_FORWARD))
        loan->args.dy = take(&at, y_bytes);
    loan->written_from = forward && in_place    ? x_offset
                         : data && over_dy >= 0 ? dy_offset
                                                : at.used;

    if (forward)
        loan->args.y = in_place ? loan->x[0] : take(&at, y_bytes);
    if (layer->aux_bytes > 0 && (forward || needs & VDNN_NEEDS_AUX))
        loan->args.aux = take(&at, layer->aux_bytes);
    for (int32_t i = 0; i < layer->input_count && data; i++)
        if (layer->wants_dx[i])
            loan->dx[i] = i == over_dy ? loan->args.dy : take(&at, vdnn_desc_bytes(&layer->x[i]));
    if (passes & ~(1U << VDNN_FORWARD) && layer->trainable_bytes > 0)
        loan->args.dw = take(&at, layer->trainable_bytes);
    loan->labels_offset = at.used;
    loan->args.labels = take(&at, (size_t)samples_of(layer) * sizeof(int32_t));
    loan->args.workspace = take(&at, workspace_bytes);
    loan->args.x = loan->x;
    loan->args.dx = loan->dx;
    loan->bytes = at.used;
}

static vdnn_status write_labels(vdnn_profile_measure *measure, const memory_loan *loan)
{
    int64_t samples = samples_of(&loan->layer);
    int32_t *labels = vdnn_heap_calloc((size_t)samples, sizeof *labels);
    if (labels == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile: no memory to measure");
    for (int64_t i = 0; i < samples; i++)
        labels[i] = (int32_t)(i % loan->layer.classes);
    vdnn_status status = vdnn_device_write(measure->device, loan->labels_offset, labels,
                                           (size_t)samples * sizeof *labels);
    vdnn_heap_free(labels);
    return status;
}

typedef struct kernel_run {
    vdnn_kernel *kernel;
    vdnn_kernel_args *args;
    size_t bytes;
} kernel_run;

static vdnn_status run_kernel(void *argument, void *stream)
{
    kernel_run *run = argument;
    run->args->stream = stream;
    return vdnn_kernel_run(run->kernel, run->args);
}

static vdnn_status read_others(void *argument, void *stream)
{
    vdnn_profile_measure *measure = argument;
    const char *others = measure->others;
    int64_t lines = (int64_t)(measure->others_bytes / LINE_BYTES);
    long seen = 0;
    (void)stream;
#pragma omp parallel for num_threads(measure->properties->threads) reduction(+ : seen)
    for (int64_t i = 0; i < lines; i++)
        seen += others[i * LINE_BYTES];
    measure->seen += seen;
    return VDNN_OK;
}

/* Event 0 is the kernel's. */
static vdnn_status enqueue_kernel(vdnn_profile_measure *measure, void *argument)
{
    const kernel_run *run = argument;
    const vdnn_launch others = {.run = read_others, .argument = measure};
    if (measure->others != NULL) {
        vdnn_status status =
            vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 1, NULL, 0, &others);
        if (status != VDNN_OK)
            return status;
    }
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, run->bytes};
    vdnn_launch launch = {
        .run = run_kernel, .argument = argument, .extents = &all, .extent_count = 1};
    return vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch);
}

/* *cut: to so many samples, or fewer where they take more than a run's share of memory; to all
 * where the algorithm refuses a part of them. */
static vdnn_status cut_for_a_run(const vdnn_profile_measure *measure, const vdnn_layer *layer,
                                 vdnn_pass pass, const vdnn_algorithm *algorithm, int64_t samples,
                                 vdnn_layer *cut)
{
    vdnn_status status;
    size_t share_bytes = measure->working_bytes / 2;
    for (;; samples /= 2) {
        size_t workspace_bytes = 0;
        status = cut_layer(layer, samples, cut);
        if (status != VDNN_OK)
            return status;
        bool refuses = vdnn_algorithm_refusal(algorithm, cut, pass) != NULL;
        if (refuses && samples < samples_of(layer)) {
            vdnn_heap_free(cut->x);
            return cut_layer(layer, samples_of(layer), cut);
        }
        if (!refuses)
            status = vdnn_algorithm_workspace(algorithm, cut, pass, measure->properties->threads,
                                              &workspace_bytes);
        double bytes = (double)workspace_bytes + vdnn_layer_bytes(cut, pass);
        if (status != VDNN_OK || samples == 1 || bytes <= (double)share_bytes)
            break;
        vdnn_heap_free(cut->x);
    }
    if (status != VDNN_OK)
        vdnn_heap_free(cut->x);
    return status;
}

static vdnn_status loan_init(const vdnn_profile_measure *measure, memory_loan *loan,
                             const vdnn_layer *layer, vdnn_pass pass,
                             const vdnn_algorithm *algorithm, int64_t samples)
{
    vdnn_status status = cut_for_a_run(measure, layer, pass, algorithm, samples, &loan->layer);
    if (status != VDNN_OK) {
        loan->layer.x = NULL;
        return status;
    }
    loan->x = vdnn_heap_calloc((size_t)layer->input_count, sizeof *loan->x);
    loan->dx = vdnn_heap_calloc((size_t)layer->input_count, sizeof *loan->dx);
    if (loan->x == NULL || loan->dx == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it", layer->name);
    return VDNN_OK;
}

static void loan_fini(memory_loan *loan)
{
    vdnn_heap_free(loan->layer.x);
    vdnn_heap_free(loan->x);
    vdnn_heap_free(loan->dx);
}

static const vdnn_algorithm *any_forward(const vdnn_layer *layer, const char *device)
{
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->layer_type, layer->def->type) == 0 && strcmp(row->device, device) == 0 &&
            vdnn_algorithm_refusal(row, layer, VDNN_FORWARD) == NULL)
            return row;
    }
    return NULL;
}

/* Lends memory to both kernels (`first` may be NULL) and runs them. */
static vdnn_status time_kernel(vdnn_profile_measure *measure, memory_loan *loan, vdnn_kernel *first,
                               vdnn_kernel *timed, double *seconds)
{
    vdnn_needs needs = loan->layer.needs[timed->pass];
    unsigned passes = 1U << timed->pass;
    size_t workspace_bytes = timed->workspace_bytes;
    if (first != NULL || timed->pass == VDNN_FORWARD) {
        needs |= VDNN_NEEDS_X | VDNN_NEEDS_W;
        passes |= 1U << VDNN_FORWARD;
    }
    if (first != NULL && first->workspace_bytes > workspace_bytes)
        workspace_bytes = first->workspace_bytes;

    lay_out(loan, NULL, needs, passes, workspace_bytes);
    vdnn_status status = need(measure, loan->bytes);
    if (status == VDNN_OK)
        status = fill(measure, loan->written_from);
    if (status != VDNN_OK)
        return status;
    measure->filled_bytes = loan->written_from;
    lay_out(loan, vdnn_device_base(measure->device, VDNN_TIER_DEVICE), needs, passes,
            workspace_bytes);
    status = write_labels(measure, loan);
    if (status == VDNN_OK && first != NULL)
        status = time_once(measure, enqueue_kernel, 1,
                           &(kernel_run){first, &loan->args, loan->bytes}, seconds);
    if (status == VDNN_OK)
        status = time_median(measure, enqueue_kernel, 1,
                             &(kernel_run){timed, &loan->args, loan->bytes}, seconds);
    return status;
}

/* Of a pass over some of the samples: what it took, what it nominally takes, and how many they
 * were. */
typedef struct timing {
    double seconds, nominal;
    int64_t samples;
} timing;

static vdnn_status time_samples(vdnn_profile_measure *measure, const vdnn_layer *layer,
                                vdnn_pass pass, const vdnn_algorithm *algorithm, int64_t samples,
                                timing *result)
{
    int threads = measure->properties->threads;
    vdnn_kernel *timed = NULL, *first = NULL;
    double measured = 0;
    memory_loan loan = {.args.context = &measure->context};
    vdnn_status status = loan_init(measure, &loan, layer, pass, algorithm, samples);
    if (status != VDNN_OK)
        goto fail;
    status = vdnn_kernel_create(algorithm, &loan.layer, pass, threads, &timed);
    if (status != VDNN_OK)
        goto fail;
    /* What forward saved cannot be made up: an argmax beyond its window would write anywhere. */
    if (pass != VDNN_FORWARD && layer->needs[pass] & VDNN_NEEDS_AUX) {
        const vdnn_algorithm *forward = any_forward(&loan.layer, algorithm->device);
        if (forward == NULL) {
            status = vdnn_status_fail(VDNN_DEVICE, "layer '%s': no forward algorithm on %s",
                                      layer->name, algorithm->device);
            goto fail;
        }
        status = vdnn_kernel_create(forward, &loan.layer, VDNN_FORWARD, threads, &first);
        if (status != VDNN_OK)
            goto fail;
    }
    status = time_kernel(measure, &loan, first, timed, &measured);
    if (status == VDNN_OK)
        *result = (timing){measured, nominal_seconds(&loan.layer, pass), samples_of(&loan.layer)};
fail:
    vdnn_kernel_destroy(first);
    vdnn_kernel_destroy(timed);
    loan_fini(&loan);
    return status;
}

/* What does not grow with the samples, such as the transform of a filter, weighs more in a part of
 * them than in all: another part tells how much of the time each further sample takes. */
static double extend(const timing *few, const timing *more, int64_t samples)
{
    double average = more->seconds / (double)more->samples;
    double further = (more->seconds - few->seconds) / (double)(more->samples - few->samples);
    further = fmin(fmax(further, average / 4), average);
    return more->seconds + further * (double)(samples - more->samples);
}

vdnn_status vdnn_profile_measure_pass(vdnn_profile_measure *measure, const vdnn_layer *layer,
                                      vdnn_pass pass, const vdnn_algorithm *algorithm,
                                      double worth_seconds, double *seconds)
{
    int64_t all = samples_of(layer);
    timing few, more;
    vdnn_status status = time_samples(measure, layer, pass, algorithm,
                                      samples_for_a_short_run(measure, layer, pass), &few);
    if (status != VDNN_OK)
        return status;
    double scaled = few.seconds * (nominal_seconds(layer, pass) / few.nominal);
    bool is_worth = few.samples < all && few.seconds < long_run_seconds && scaled < worth_seconds;
    if (is_worth) {
        int64_t samples = all <= MORE_SAMPLES * few.samples ? all : 2 * few.samples;
        status = time_samples(measure, layer, pass, algorithm, samples, &more);
        if (status == VDNN_OK && more.samples > few.samples)
            scaled = extend(&few, &more, all);
    }
    if (status == VDNN_OK)
        *seconds = scaled;
    return status;
}

/* ---- rates ----------------------------------------------------------------------------------- */

typedef struct tier_copy {
    vdnn_stream_id stream;
    vdnn_tier to, from;
    size_t offset, bytes;
} tier_copy;

static vdnn_status enqueue_tier_copy(vdnn_profile_measure *measure, const tier_copy *copy,
                                     int32_t event)
{
    return vdnn_device_copy(measure->device, copy->stream, event, NULL, 0,
                            (vdnn_extent){copy->to, copy->offset, copy->bytes},
                            (vdnn_extent){copy->from, copy->offset, copy->bytes});
}

static vdnn_status enqueue_copy(vdnn_profile_measure *measure, void *argument)
{
    return enqueue_tier_copy(measure, argument, 0);
}

/* Two at once. */
static vdnn_status enqueue_both(vdnn_profile_measure *measure, void *argument)
{
    const tier_copy *copies = argument;
    vdnn_status status = enqueue_tier_copy(measure, &copies[0], 0);
    return status == VDNN_OK ? enqueue_tier_copy(measure, &copies[1], 1) : status;
}

typedef struct update {
    vdnn_profile_measure *measure;
    int64_t count; /* floats of each array */
} update;

static vdnn_status run_update(void *argument, void *stream)
{
    const update *work = argument;
    const vdnn_profile_measure *measure = work->measure;
    float *w = vdnn_device_base(measure->device, VDNN_TIER_DEVICE);
    return vdnn_elementwise_find(measure->properties->kind)
        ->sgd(w, w + work->count, w + 2 * work->count, work->count, measure->properties->threads,
              &measure->context, stream);
}

static vdnn_status enqueue_update(vdnn_profile_measure *measure, void *argument)
{
    const update *work = argument;
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, UPDATE_ARRAYS * (size_t)work->count * sizeof(float)};
    vdnn_launch launch = {
        .run = run_update, .argument = argument, .extents = &all, .extent_count = 1};
    return vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &launch);
}

static vdnn_status run_pause(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    (void)nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    return VDNN_OK;
}

static vdnn_status run_nothing(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    return VDNN_OK;
}

/* Two operations, the second enqueued while the first still runs: what lies between them is what
 * each operation of a full stream costs. */
static vdnn_status time_launch(vdnn_profile_measure *measure, double *seconds)
{
    const vdnn_launch pause = {.run = run_pause}, nothing = {.run = run_nothing};
    double runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        vdnn_status status = vdnn_device_round(measure->device);
        if (status == VDNN_OK)
            status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &pause);
        if (status == VDNN_OK)
            status = vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 1, NULL, 0, &nothing);
        vdnn_status late = vdnn_device_synchronize(measure->device);
        if (status != VDNN_OK || late != VDNN_OK)
            return status != VDNN_OK ? status : late;
        double start, begin, end;
        vdnn_device_times(measure->device, 0, &start, &begin);
        vdnn_device_times(measure->device, 1, &start, &end);
        runs[i] = end > begin ? end - begin : 1e-9;
    }
    *seconds = median_of_three(runs);
    return VDNN_OK;
}

static size_t rate_bytes(size_t working_bytes)
{
    size_t share = working_bytes / 4 / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    if (share > MOST_RATE_BYTES)
        return MOST_RATE_BYTES;
    return share < LEAST_RATE_BYTES ? LEAST_RATE_BYTES : share;
}

vdnn_status vdnn_profile_measure_rates(vdnn_profile_measure *measure,
                                       double rates[VDNN_PROFILE_RATE_COUNT])
{
    size_t bytes = rate_bytes(measure->working_bytes);
    update all = {measure, (int64_t)(bytes / sizeof(float) / UPDATE_ARRAYS)};
    size_t half = bytes / 2 / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    tier_copy out = {VDNN_STREAM_OUT, VDNN_TIER_HOST, VDNN_TIER_DEVICE, 0, bytes};
    tier_copy in = {VDNN_STREAM_IN, VDNN_TIER_DEVICE, VDNN_TIER_HOST, 0, bytes};
    tier_copy both[] = {{VDNN_STREAM_OUT, VDNN_TIER_HOST, VDNN_TIER_DEVICE, 0, half},
                        {VDNN_STREAM_IN, VDNN_TIER_DEVICE, VDNN_TIER_HOST, half, half}};
    tier_copy small = {VDNN_STREAM_OUT, VDNN_TIER_HOST, VDNN_TIER_DEVICE, 0, SMALL_COPY_BYTES};
    double out_seconds = 0, in_seconds = 0, both_seconds = 0, small_seconds = 0, update_seconds = 0,
           launch_seconds = 0;

    measure->reserved_bytes = measure->filled_bytes = 0; /* what passes took is more than this */
    vdnn_status status = vdnn_device_reserve(measure->device, VDNN_TIER_DEVICE, 0);
    if (status == VDNN_OK)
        status = need(measure, bytes);
    if (status == VDNN_OK)
        status = vdnn_device_reserve(measure->device, VDNN_TIER_HOST, bytes);
    if (status == VDNN_OK)
        status = time_median(measure, enqueue_copy, 1, &out, &out_seconds);
    if (status == VDNN_OK)
        status = time_median(measure, enqueue_copy, 1, &in, &in_seconds);
    if (status == VDNN_OK)
        status = time_median(measure, enqueue_both, 2, both, &both_seconds);
    if (status == VDNN_OK)
        status = time_median(measure, enqueue_copy, 1, &small, &small_seconds);
    measure->filled_bytes = 0;
    if (status == VDNN_OK)
        status = time_median(measure, enqueue_update, 1, &all, &update_seconds);
    if (status == VDNN_OK)
        status = time_launch(measure, &launch_seconds);
    (void)vdnn_device_reserve(measure->device, VDNN_TIER_HOST, 0);
    if (status != VDNN_OK)
        return status;
    rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second] = (double)bytes / out_seconds;
    rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second] = (double)bytes / in_seconds;
    rates[VDNN_PROFILE_RATE_copy_both_bytes_per_second] = 2 * (double)half / both_seconds;
    rates[VDNN_PROFILE_RATE_copy_latency_seconds] = small_seconds;
    rates[VDNN_PROFILE_RATE_elementwise_bytes_per_second] =
        SGD_TRAFFIC * sizeof(float) * (double)all.count / update_seconds;
    rates[VDNN_PROFILE_RATE_launch_seconds] = launch_seconds;
    return VDNN_OK;
}
