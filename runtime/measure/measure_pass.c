/* A pass of a layer, over all of its samples: the memory of its kernel, and its runs. */

#include "layers/part.h"
#include "layers/stage.h"
#include "runtime/base/heap.h"
#include "runtime/measure/measure_internal.h"

#include <math.h>

#include <string.h>

/* ---- the memory of a run --------------------------------------------------------------------- */

/* In the order; labels that are numbers are after x
 *
 *     | w x y dy: read | y aux dx dw labels workspace: written |
 *                      ^ written_from; memory before it keeps the pattern between runs
 */
typedef struct memory_loan {
    const vdnn_layer *layer; /* borrowed */
    vdnn_kernel_args args;
    void **x, **dx;
    size_t labels_offset, written_from, bytes;
    size_t fresh_offset, fresh_bytes; /* written by the layer before: x; or after: dy */
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

/* Of a part of the channels, whose parameters are where those of the whole are: up to the last one.
 */
static size_t block_bytes(const vdnn_layer *layer, size_t bytes)
{
    for (int32_t p = 0; p < layer->param_count; p++) {
        size_t end = layer->params[p].offset + layer->params[p].bytes;
        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

/* The buffers that are read. */
static void lay_out_operands(memory_loan *loan, cursor *at, vdnn_needs needs, unsigned passes)
{
    const vdnn_layer *layer = loan->layer;
    bool forward = passes & 1U << VDNN_FORWARD, data = passes & 1U << VDNN_BACKWARD_DATA;
    bool backward = passes & ~(1U << VDNN_FORWARD);
    if (needs & VDNN_NEEDS_W)
        loan->args.w = take(at, block_bytes(layer, layer->param_bytes));
    size_t x_offset = at->used;
    for (int32_t i = 0; i < layer->input_count && (needs & VDNN_NEEDS_X); i++)
        loan->x[i] = take(at, vdnn_desc_bytes(&layer->x[i]));
    size_t x_end = at->used;
    if (!vdnn_desc_is_integer(&layer->labels))
        loan->args.labels = take(at, vdnn_desc_bytes(&layer->labels));
    if (needs & VDNN_NEEDS_Y && !forward)
        loan->args.y = take(at, vdnn_desc_bytes(&layer->y));
    size_t dy_offset = at->used;
    if (backward)
        loan->args.dy = take(at, vdnn_desc_bytes(&layer->y));
    loan->written_from = forward && layer->in_place                  ? x_offset
                         : data && vdnn_layer_dx_over_dy(layer) >= 0 ? dy_offset
                                                                     : at->used;
    loan->fresh_offset = backward ? dy_offset : x_offset;
    loan->fresh_bytes = backward ? at->used - dy_offset : x_end - x_offset;
}

/* `needs`: what the passes that will run read; `passes`: 1 << pass of each. */
static void lay_out(memory_loan *loan, char *base, vdnn_needs needs, unsigned passes,
                    size_t workspace_bytes)
{
    const vdnn_layer *layer = loan->layer;
    bool forward = passes & 1U << VDNN_FORWARD, data = passes & 1U << VDNN_BACKWARD_DATA;
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    cursor at = {base, 0};
    lay_out_operands(loan, &at, needs, passes);
    if (forward)
        loan->args.y = layer->in_place ? loan->x[0] : take(&at, vdnn_desc_bytes(&layer->y));
    if (layer->aux_bytes > 0 && (forward || needs & VDNN_NEEDS_AUX))
        loan->args.aux = take(&at, layer->aux_bytes);
    for (int32_t i = 0; i < layer->input_count && data; i++)
        if (layer->wants_dx[i])
            loan->dx[i] = i == over_dy ? loan->args.dy : take(&at, vdnn_desc_bytes(&layer->x[i]));
    if (passes & ~(1U << VDNN_FORWARD) && layer->trainable_bytes > 0)
        loan->args.dw = take(&at, block_bytes(layer, layer->trainable_bytes));
    loan->labels_offset = at.used;
    if (vdnn_desc_is_integer(&layer->labels))
        loan->args.labels = take(&at, vdnn_desc_bytes(&layer->labels));
    loan->args.workspace = take(&at, workspace_bytes);
    loan->args.x = loan->x;
    loan->args.dx = loan->dx;
    loan->bytes = at.used;
}

/* Two arrays for as many inputs. */
static vdnn_status loan_init(memory_loan *loan, const vdnn_layer *layer,
                             const vdnn_step_context *context)
{
    size_t count = (size_t)layer->input_count;
    *loan = (memory_loan){.layer = layer, .args = {.context = context, .weight = 1}};
    loan->x = vdnn_heap_calloc(2 * count, sizeof *loan->x);
    if (loan->x == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it", layer->name);
    loan->dx = loan->x + count;
    return VDNN_OK;
}

static void loan_fini(memory_loan *loan)
{
    vdnn_heap_free(loan->x);
}

/* Tokens cannot be invented either: the pattern would be beyond the vocabulary. From the first of
 * them on the memory no longer holds it. */
static vdnn_status number_inputs(vdnn_measure *measure, const memory_loan *loan)
{
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < loan->layer->input_count && status == VDNN_OK; i++) {
        const vdnn_desc *x = &loan->layer->x[i];
        if (loan->x[i] == NULL || !vdnn_desc_is_integer(x))
            continue;
        size_t offset = (size_t)((char *)loan->x[i] - vdnn_measure_base(measure));
        if (measure->filled_bytes > offset)
            measure->filled_bytes = offset;
        status = vdnn_measure_number(measure, offset, vdnn_desc_count(x), x->below);
    }
    return status;
}

/* Memory for the buffers that the kernels read and write, and numbers in those that they read. */
static vdnn_status lend(vdnn_measure *measure, memory_loan *loan, const vdnn_kernel *first,
                        const vdnn_kernel *timed)
{
    const vdnn_layer *layer = loan->layer;
    vdnn_needs needs = layer->needs[timed->pass];
    unsigned passes = 1U << timed->pass;
    size_t workspace_bytes = timed->workspace_bytes;
    if (first != NULL || timed->pass == VDNN_FORWARD) {
        needs |= VDNN_NEEDS_X | VDNN_NEEDS_W;
        passes |= 1U << VDNN_FORWARD;
    }
    if (first != NULL && first->workspace_bytes > workspace_bytes)
        workspace_bytes = first->workspace_bytes;

    lay_out(loan, NULL, needs, passes, workspace_bytes);
    vdnn_status status = vdnn_measure_need(measure, loan->bytes);
    if (status == VDNN_DEVICE)
        return VDNN_NO_FIT;
    VDNN_IF_OK(status, vdnn_measure_fill(measure, loan->written_from));
    if (status != VDNN_OK)
        return status;
    measure->filled_bytes = loan->written_from;
    lay_out(loan, vdnn_measure_base(measure), needs, passes, workspace_bytes);
    VDNN_TRY(number_inputs(measure, loan));
    const vdnn_desc *labels = &layer->labels;
    return vdnn_desc_is_integer(labels) && labels->below > 0
               ? vdnn_measure_number(measure, loan->labels_offset, vdnn_desc_count(labels),
                                     labels->below)
               : VDNN_OK;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct kernel_run {
    vdnn_measure *measure;
    vdnn_kernel *kernel;
    vdnn_kernel_args *args;
    vdnn_extent extent; /* all buffers */
} kernel_run;

static vdnn_status run_kernel(void *argument, void *stream)
{
    kernel_run *run = argument;
    run->args->stream = stream;
    vdnn_measure_begin_kernel(run->measure, run->kernel);
    vdnn_status status = vdnn_kernel_run(run->kernel, run->args);
    vdnn_measure_end_kernel(run->measure);
    return status;
}

static vdnn_launch launch_of(kernel_run *run)
{
    return (vdnn_launch){
        .run = run_kernel, .argument = run, .extents = &run->extent, .extent_count = 1};
}

static vdnn_status enqueue_kernel(vdnn_measure *measure, void *argument, const int32_t *waits,
                                  int32_t wait_count)
{
    const vdnn_launch launch = launch_of(argument);
    return vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, waits, wait_count, &launch);
}

/* Gives memory to both kernels (`first` may be NULL) and runs them. */
static vdnn_status time_kernel(vdnn_measure *measure, memory_loan *loan, vdnn_kernel *first,
                               vdnn_kernel *kernel, const vdnn_repetition *repetition,
                               vdnn_run_time *result)
{
    vdnn_status status = lend(measure, loan, first, kernel);
    if (status != VDNN_OK)
        return status;
    vdnn_extent all = vdnn_measure_extent(measure, 0, loan->bytes);
    if (first != NULL) {
        kernel_run forward = {measure, first, &loan->args, all};
        const vdnn_launch launch = launch_of(&forward);
        status = vdnn_measure_do(measure, &launch, 1);
    }
    loan->args.adds_dw = loan->layer->adds_dw;
    kernel_run run = {measure, kernel, &loan->args, all};
    const vdnn_timed timed = {
        .enqueue = enqueue_kernel,
        .argument = &run,
        .event_count = 1,
        .is_step = true,
        .fresh = vdnn_measure_extent(measure, loan->fresh_offset, loan->fresh_bytes),
        .repetition = *repetition};
    VDNN_IF_OK(status, vdnn_measure_median(measure, &timed, result));
    if (status == VDNN_OK)
        result->seconds = vdnn_measure_without_launch(measure, result->seconds);
    return status;
}

/* ---- the kernels ----------------------------------------------------------------------------- */

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

/* *first: the forward whose auxiliary tensor a backward pass needs, NULL if it needs none. That
 * tensor cannot be invented: an argmax beyond its window would write anywhere.
 */
static vdnn_status create_first(const vdnn_layer *layer, vdnn_pass pass, const char *device,
                                int threads, vdnn_kernel **first)
{
    if (pass == VDNN_FORWARD || (layer->needs[pass] & VDNN_NEEDS_AUX) == 0)
        return VDNN_OK;
    const vdnn_algorithm *forward = any_forward(layer, device);
    if (forward == NULL)
        return vdnn_status_fail(VDNN_DEVICE, "layer '%s': no forward algorithm on %s", layer->name,
                                device);
    return vdnn_kernel_create(forward, layer, VDNN_FORWARD, threads, first);
}

vdnn_status vdnn_measure_part(vdnn_measure *measure, const vdnn_layer *part, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const vdnn_repetition *repetition,
                              vdnn_run_time *result)
{
    int threads = measure->properties->threads;
    vdnn_kernel *timed = NULL, *first = NULL;
    memory_loan loan;
    vdnn_status status = loan_init(&loan, part, &measure->context);
    VDNN_IF_OK(status, vdnn_device_kernel(measure->device, algorithm, part, pass, &timed));
    VDNN_IF_OK(status, create_first(part, pass, algorithm->device, threads, &first));
    VDNN_IF_OK(status, time_kernel(measure, &loan, first, timed, repetition, result));
    vdnn_kernel_destroy(first);
    vdnn_kernel_destroy(timed);
    loan_fini(&loan);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Of the largest value: kernels that were wrong were so by tenths, and no right one in bf16 is by
 * more than a hundredth. */
static const double trusted_difference = 0.02;

static const vdnn_algorithm *reference_of(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                          vdnn_pass pass)
{
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (row->is_reference && strcmp(row->layer_type, algorithm->layer_type) == 0 &&
            strcmp(row->device, algorithm->device) == 0 &&
            vdnn_algorithm_refusal(row, layer, pass) == NULL)
            return row;
    }
    return NULL;
}

/* A piece of what a pass writes. */
typedef struct written {
    const void *at;
    size_t bytes;
    vdnn_dtype dtype;
} written;

/* The pieces, and how many there are, up to VDNN_LAYER_PARAMS. */
static int list_written(const memory_loan *loan, vdnn_pass pass, written pieces[VDNN_LAYER_PARAMS])
{
    const vdnn_layer *layer = loan->layer;
    const vdnn_kernel_args *args = &loan->args;
    int count = 0;
    if (pass == VDNN_FORWARD)
        pieces[count++] = (written){args->y, vdnn_desc_bytes(&layer->y), layer->y.dtype};
    else if (pass == VDNN_BACKWARD_DATA)
        pieces[count++] = (written){args->dx[0], vdnn_desc_bytes(&layer->x[0]), layer->x[0].dtype};
    for (int32_t p = 0; p < layer->param_count && pass == VDNN_BACKWARD_FILTER; p++)
        if (layer->params[p].trainable)
            pieces[count++] = (written){(const char *)args->dw + layer->params[p].offset,
                                        layer->params[p].bytes, VDNN_F32};
    return count;
}

static size_t values_in(const written *piece)
{
    return piece->bytes / vdnn_dtype_bytes(piece->dtype);
}

/* Runs the pass once; *values: all that it writes, as f32, to be freed. */
static vdnn_status take_values(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                               const vdnn_algorithm *algorithm, float **values, size_t *count)
{
    vdnn_kernel *kernel = NULL;
    memory_loan loan;
    written pieces[VDNN_LAYER_PARAMS];
    vdnn_status status = loan_init(&loan, layer, &measure->context);
    VDNN_IF_OK(status, vdnn_device_kernel(measure->device, algorithm, layer, pass, &kernel));
    VDNN_IF_OK(status, lend(measure, &loan, NULL, kernel));
    if (status == VDNN_OK) {
        kernel_run run = {measure, kernel, &loan.args, vdnn_measure_extent(measure, 0, loan.bytes)};
        const vdnn_launch launch = launch_of(&run);
        status = vdnn_measure_do(measure, &launch, 1);
    }
    int piece_count = status == VDNN_OK ? list_written(&loan, pass, pieces) : 0;
    size_t bytes = 0;
    *count = 0;
    for (int i = 0; i < piece_count; i++) {
        *count += values_in(&pieces[i]);
        bytes = pieces[i].bytes > bytes ? pieces[i].bytes : bytes;
    }
    *values = status == VDNN_OK ? vdnn_heap_calloc(*count + 1, sizeof **values) : NULL;
    char *raw = status == VDNN_OK ? vdnn_heap_calloc(bytes + 1, 1) : NULL;
    if (status == VDNN_OK && (*values == NULL || raw == NULL))
        status =
            vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to compare it", layer->name);
    float *to = *values;
    for (int i = 0; i < piece_count && status == VDNN_OK; i++) {
        size_t offset = (size_t)((const char *)pieces[i].at - vdnn_measure_base(measure));
        status = vdnn_device_read(measure->device, raw, VDNN_TIER_DEVICE,
                                  measure->others_bytes + offset, pieces[i].bytes);
        if (status == VDNN_OK)
            vdnn_stage_widen(pieces[i].dtype, raw, to, (int64_t)values_in(&pieces[i]));
        to += values_in(&pieces[i]);
    }
    vdnn_heap_free(raw);
    vdnn_kernel_destroy(kernel);
    loan_fini(&loan);
    return status;
}

/* As a share of the largest of them. */
static double difference_of(const float *values, const float *others, size_t count)
{
    double difference = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        double own = (double)values[i], other = (double)others[i];
        if (!isfinite(own) && isfinite(other))
            return HUGE_VAL;
        difference = fmax(difference, fabs(own - other));
        largest = fmax(largest, fabs(other));
    }
    return difference == 0 ? 0 : difference / largest;
}

/* The algorithm first: what it does not write is not what the reference wrote there. */
static vdnn_status compare_part(vdnn_measure *measure, const vdnn_layer *part, vdnn_pass pass,
                                const vdnn_algorithm *algorithm, const vdnn_algorithm *reference)
{
    float *values = NULL, *others = NULL;
    size_t count = 0, other_count = 0;
    vdnn_status status = take_values(measure, part, pass, algorithm, &values, &count);
    VDNN_IF_OK(status, take_values(measure, part, pass, reference, &others, &other_count));
    double difference = status == VDNN_OK ? difference_of(values, others, count) : 0;
    vdnn_heap_free(values);
    vdnn_heap_free(others);
    if (status != VDNN_OK || difference <= trusted_difference)
        return status;
    return vdnn_status_fail(VDNN_DEVICE,
                            "its values differ from those of %s by %.2g of the largest, so it is "
                            "not trusted with this kernel, stride and padding",
                            reference->name, difference);
}

vdnn_status vdnn_measure_compare(vdnn_measure *measure, const vdnn_layer *layer, vdnn_pass pass,
                                 const vdnn_algorithm *algorithm)
{
    static const int64_t some[] = {2, 8, INT64_MAX}; /* some algorithms take a group at a time */
    const vdnn_algorithm *reference = reference_of(algorithm, layer, pass);
    if (reference == NULL || reference == algorithm)
        return VDNN_OK;
    int64_t all = layer->x[0].dims[VDNN_N];
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        vdnn_part few = vdnn_part_whole(layer);
        vdnn_layer part;
        vdnn_offer offer;
        few.samples = some[i] < all ? some[i] : all;
        VDNN_TRY(vdnn_part_init(layer, &few, &part));
        vdnn_status status = vdnn_device_ask(measure->device, algorithm, &part, pass, &offer);
        bool is_taken = status == VDNN_OK && offer.refusal == NULL;
        if (is_taken)
            status = compare_part(measure, &part, pass, algorithm, reference);
        vdnn_part_fini(&part);
        if (is_taken || status != VDNN_OK || few.samples == all)
            return status;
    }
    return VDNN_OK;
}
