/* Measuring one pass of a layer, on as many of its samples as keep a run short. */

#include "alloc/heap.h"
#include "runtime/profile_measure_internal.h"

#include <math.h>
#include <string.h>

enum {
    MORE_SAMPLES = 4, /* all are measured where they are no more times those of a short run */
    /* Times the samples of a short run, where much of its time may not grow with them. */
    HEAVY_SAMPLES = 8,
    /* Bytes of a transformed filter for each of its own, and how often they may go through memory.
     */
    TRANSFORM_GROWTH = 8,
    TRANSFORM_PASSES = 4,
    LINE_BYTES = 64,
};

/* One run is cut down to about this much work; on a card, which so little does not fill, to more.
 */
static const double run_flops = 2e9, run_bytes = 128e6;
static const double card_run_flops = 50e9, card_run_bytes = 8e9;
/* What times are scaled with from a few samples to the whole batch: only their ratio matters, and
 * only to layers whose weights weigh more than their maps. */
static const double nominal_flops_per_second = 100e9, nominal_bytes_per_second = 10e9;

/* ---- fewer samples --------------------------------------------------------------------------- */

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

/* ---- the memory of a run --------------------------------------------------------------------- */

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

/* ---- a run ----------------------------------------------------------------------------------- */

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
    vdnn_status status = vdnn_profile_measure_need(measure, loan->bytes);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_fill(measure, loan->written_from);
    if (status != VDNN_OK)
        return status;
    measure->filled_bytes = loan->written_from;
    lay_out(loan, vdnn_device_base(measure->device, VDNN_TIER_DEVICE), needs, passes,
            workspace_bytes);
    status = write_labels(measure, loan);
    if (status == VDNN_OK && first != NULL)
        status = vdnn_profile_measure_once(measure, enqueue_kernel, 1,
                                           &(kernel_run){first, &loan->args, loan->bytes}, seconds);
    if (status == VDNN_OK)
        status = vdnn_profile_measure_median(
            measure, enqueue_kernel, 1, &(kernel_run){timed, &loan->args, loan->bytes}, seconds);
    return status;
}

/* ---- the whole batch ------------------------------------------------------------------------- */

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
    further = fmin(fmax(further, average / HEAVY_SAMPLES), average);
    return more->seconds + further * (double)(samples - more->samples);
}

/* Of a run's time, what may not grow with the samples: a filter is transformed, or its gradient. */
static double most_fixed_seconds(const vdnn_layer *layer)
{
    double bytes = (double)TRANSFORM_GROWTH * TRANSFORM_PASSES * (double)layer->trainable_bytes;
    return bytes / nominal_bytes_per_second;
}

/* How many samples a second run takes; none where the first one says enough. `ratio`: nominal time
 * of the whole batch to that of these samples; `fixed`: seconds of the first run that fewer samples
 * might take too. */
static int64_t samples_for_more(const timing *few, int64_t all, double ratio, double fixed,
                                double worth_seconds)
{
    bool is_heavy = fixed > few->seconds / 4;
    if (few->samples == all || (few->seconds - fixed) * ratio + fixed >= worth_seconds ||
        (few->seconds >= VDNN_MEASURE_LONG_SECONDS && !is_heavy))
        return 0;
    if (all <= (is_heavy ? HEAVY_SAMPLES : MORE_SAMPLES) * few->samples)
        return all;
    return (is_heavy ? HEAVY_SAMPLES : 2) * few->samples;
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
    double ratio = nominal_seconds(layer, pass) / few.nominal, scaled = few.seconds * ratio;
    double fixed = fmin(most_fixed_seconds(layer), few.seconds);
    int64_t samples = samples_for_more(&few, all, ratio, fixed, worth_seconds);
    if (samples > 0) {
        status = time_samples(measure, layer, pass, algorithm, samples, &more);
        if (status == VDNN_OK && more.samples > few.samples)
            scaled = extend(&few, &more, all);
    }
    if (status == VDNN_OK)
        *seconds = scaled;
    return status;
}
