#include "layers/cpu/native.h"
#include "layers/norm/batchnorm.h"
#include "layers/stage.h"

#include <math.h>
#include <string.h>

/* Channels are processed in groups of LANES, which are contiguous in a sample of either layout:
 *
 *     nChw16c   | cell 0: channels 0 .. 15 | cell 1 | ...      lane = channel of the group
 *     nchw      | channel 0: its cells | channel 1 | ...       lane = cell % LANES, one channel
 *                                                              after the other
 *
 * So one pair of inner loops, over runs in which element i belongs to lane i % LANES, serves both:
 * if lanes are cells, sums are folded over them and constants repeated. The batch is divided into
 * slices by its shape alone; their sums are added in order, so that bits do not depend on the
 * threads. Then, for `sync`, those of the devices. */

enum { LANES = 16, CHUNK = 64 * LANES, TASKS = 64 };

/* Per slice and group: sum of a and of a * b. In double, in which such products are exact, no
 * accuracy is lost to means far from 0. */
typedef struct sums {
    double a[LANES], ab[LANES];
} sums;

/* out = scale * (x - mean) + shift, and + factor * dy in backward. */
typedef struct constants {
    vdnn_native_cell mean, scale, shift, factor;
} constants;

typedef struct work {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    const vdnn_desc *desc; /* of x, and of all other maps */
    int64_t cells, groups, slices;
    sums *parts;   /* slices x groups, in the workspace */
    double *joint; /* after them: of all devices | sums of a | of ab | values |; NULL: this device
                      is all */
    double values; /* that each sum is of */
} work;

/* ---- whole cells ----------------------------------------------------------------------------- */

typedef void sum_cells(const void *a, const void *b, int64_t count, sums *into);
typedef void write_cells(const void *x, const void *dy, void *out, int64_t count,
                         const constants *by);

VDNN_CPU_CLONES static void sum_f32(const void *a, const void *b, int64_t count, sums *into)
{
    const float *restrict first = a, *restrict second = b;
    sums s = *into;
    for (int64_t i = 0; i < count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            s.a[lane] += (double)first[i + lane];
            s.ab[lane] += (double)first[i + lane] * (double)second[i + lane];
        }
    *into = s;
}

/* The few digits of bf16 are exact in f32 sums of a chunk. */
VDNN_CPU_CLONES static void sum_bf16(const void *a, const void *b, int64_t count, sums *into)
{
    vdnn_native_cell sum = {0}, product = {0};
    for (int64_t i = 0; i < count; i += LANES) {
        vdnn_native_cell first, second;
        vdnn_native_load_cell(VDNN_BF16, a, i, &first);
        vdnn_native_load_cell(VDNN_BF16, b, i, &second);
        sum += first;
        product += first * second;
    }
    for (int lane = 0; lane < LANES; lane++) {
        into->a[lane] += (double)sum[lane];
        into->ab[lane] += (double)product[lane];
    }
}

/* What is written: y, y of a relu after it, dx, which may be dy. */
enum { NORMALIZE, NORMALIZE_AND_CUT, GRADIENT, KINDS };

VDNN_NATIVE_INLINE void write_cells_of(vdnn_dtype dtype, int kind, const void *x, const void *dy,
                                       void *out, int64_t count, const constants *by)
{
    const constants c = *by;
    for (int64_t i = 0; i < count; i += LANES) {
        vdnn_native_cell cell, gradient;
        vdnn_native_load_cell(dtype, x, i, &cell);
        cell = c.scale * (cell - c.mean) + c.shift;
        if (kind == GRADIENT) {
            vdnn_native_load_cell(dtype, dy, i, &gradient);
            cell = c.factor * gradient + cell;
        }
        if (kind == NORMALIZE_AND_CUT) /* NaN is propagated, as by relu */
            cell = (vdnn_native_cell)((vdnn_native_words)cell & ~(vdnn_native_words)(cell <= 0));
        vdnn_native_store_cell(dtype, out, i, &cell);
    }
}

#define DEFINE_WRITE(name, dtype, kind)                                                            \
    VDNN_CPU_CLONES static void name(const void *x, const void *dy, void *out, int64_t count,      \
                                     const constants *by)                                          \
    {                                                                                              \
        write_cells_of(dtype, kind, x, dy, out, count, by);                                        \
    }
DEFINE_WRITE(normalize_f32, VDNN_F32, NORMALIZE)
DEFINE_WRITE(normalize_and_cut_f32, VDNN_F32, NORMALIZE_AND_CUT)
DEFINE_WRITE(gradient_f32, VDNN_F32, GRADIENT)
DEFINE_WRITE(normalize_bf16, VDNN_BF16, NORMALIZE)
DEFINE_WRITE(normalize_and_cut_bf16, VDNN_BF16, NORMALIZE_AND_CUT)
DEFINE_WRITE(gradient_bf16, VDNN_BF16, GRADIENT)

static write_cells *const writers[][KINDS] = {
    [VDNN_F32] = {normalize_f32, normalize_and_cut_f32, gradient_f32},
    [VDNN_BF16] = {normalize_bf16, normalize_and_cut_bf16, gradient_bf16}};

/* ---- maps ------------------------------------------------------------------------------------ */

static bool is_blocked(const work *w)
{
    return w->desc->layout == VDNN_NCHW16C;
}

/* Channels of the group, without padding. */
static int64_t width_of(const work *w, int64_t group)
{
    int64_t left = w->desc->dims[VDNN_C] - group * LANES;
    return left < LANES ? left : LANES;
}

/* A row: where element i belongs to lane i % LANES. A group of a sample is one row if it is
 * blocked, one for each channel if it is plain. */
static int64_t rows_of(const work *w, int64_t group)
{
    return is_blocked(w) ? 1 : width_of(w, group);
}

static int64_t row_count(const work *w)
{
    return is_blocked(w) ? w->cells * LANES : w->cells;
}

static int64_t row_place(const work *w, int64_t sample, int64_t group, int64_t row)
{
    return (sample * vdnn_desc_channels(w->desc) + group * LANES + row) * w->cells;
}

/* What is left of a row after its last whole cell, as one with zeros after it. */
typedef struct last_cell {
    float values[LANES]; /* or as many bf16 in the first half */
} last_cell;

static last_cell last_cell_of(vdnn_dtype dtype, const void *map, int64_t place, int64_t count)
{
    last_cell cell = {{0}};
    memcpy(cell.values, vdnn_native_const_at(dtype, map, place),
           (size_t)count * vdnn_dtype_bytes(dtype));
    return cell;
}

static vdnn_native_range slice_of(const work *w, int64_t slice)
{
    int64_t samples = w->desc->dims[VDNN_N];
    return (vdnn_native_range){samples * slice / w->slices, samples * (slice + 1) / w->slices};
}

static int64_t shorter(int64_t count)
{
    return count < CHUNK ? count : CHUNK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void sum_row(const work *w, int64_t place, sums *into)
{
    const vdnn_dtype dtype = w->desc->dtype;
    const void *a = w->kernel->pass == VDNN_FORWARD ? w->args->x[0] : w->args->dy;
    const void *b = w->args->x[0];
    sum_cells *sum = dtype == VDNN_F32 ? sum_f32 : sum_bf16;
    const int64_t rest = row_count(w) % LANES, whole = row_count(w) - rest;
    for (int64_t i = 0; i < whole; i += CHUNK)
        sum(vdnn_native_const_at(dtype, a, place + i), vdnn_native_const_at(dtype, b, place + i),
            shorter(whole - i), into);
    if (rest == 0)
        return;
    const last_cell last_a = last_cell_of(dtype, a, place + whole, rest),
                    last_b = last_cell_of(dtype, b, place + whole, rest);
    sum(last_a.values, last_b.values, LANES, into);
}

static void fold(const sums *row, double *a, double *ab)
{
    for (int lane = 0; lane < LANES; lane++) {
        *a += row->a[lane];
        *ab += row->ab[lane];
    }
}

static void sum_slice(const work *w, int64_t slice, int64_t group)
{
    sums total = {{0}, {0}};
    vdnn_native_range samples = slice_of(w, slice);
    for (int64_t n = samples.begin; n < samples.end; n++)
        for (int64_t row = 0; row < rows_of(w, group); row++) {
            int64_t place = row_place(w, n, group, row);
            if (is_blocked(w)) {
                sum_row(w, place, &total);
                continue;
            }
            sums one = {{0}, {0}};
            sum_row(w, place, &one);
            fold(&one, &total.a[row], &total.ab[row]);
        }
    w->parts[slice * w->groups + group] = total;
}

/* Leaves the sums of all slices in the first. */
static void add_slices(const work *w, int64_t group)
{
    sums *total = &w->parts[group];
    for (int64_t slice = 1; slice < w->slices; slice++) {
        const sums *part = &w->parts[slice * w->groups + group];
        for (int lane = 0; lane < LANES; lane++) {
            total->a[lane] += part->a[lane];
            total->ab[lane] += part->ab[lane];
        }
    }
}

/* Of the device, in every lane. */
static const sums *sums_of(const work *w, int64_t group)
{
    return &w->parts[group];
}

/* Of all devices. */
static sums joint_sums_of(const work *w, int64_t group)
{
    sums total = {{0}, {0}};
    if (w->joint == NULL)
        return *sums_of(w, group);
    const int64_t stored = vdnn_desc_channels(w->desc);
    for (int64_t lane = 0; lane < LANES && group * LANES + lane < stored; lane++) {
        total.a[lane] = w->joint[group * LANES + lane];
        total.ab[lane] = w->joint[stored + group * LANES + lane];
    }
    return total;
}

/* The sums of this device become those of all. */
static vdnn_status join_sums(work *w)
{
    const vdnn_kernel_devices *devices = w->args->devices;
    const int64_t stored = vdnn_desc_channels(w->desc);
    for (int64_t c = 0; c < stored; c++) {
        w->joint[c] = sums_of(w, c / LANES)->a[c % LANES];
        w->joint[stored + c] = sums_of(w, c / LANES)->ab[c % LANES];
    }
    w->joint[2 * stored] = w->values;
    vdnn_status status = devices->sum(devices->context, w->joint, 2 * (size_t)stored + 1);
    w->values = w->joint[2 * stored];
    return status;
}

/* ---- what becomes of the sums ---------------------------------------------------------------- */

static float *param_of(const vdnn_layer *layer, void *block, int param)
{
    return (float *)(void *)((char *)block + layer->params[param].offset);
}

static void save_statistics(const work *w, int64_t group)
{
    const sums total = joint_sums_of(w, group);
    int64_t stored = vdnn_desc_channels(w->desc);
    float *mean = (float *)w->args->aux + group * LANES, *variance = mean + stored;
    for (int lane = 0; lane < LANES && group * LANES + lane < stored; lane++) {
        double middle = total.a[lane] / w->values;
        double square = total.ab[lane] / w->values - middle * middle;
        mean[lane] = (float)middle;
        variance[lane] = (float)(square < 0 ? 0 : square);
    }
}

static double inverse_deviation(const work *w, float variance)
{
    const vdnn_batchnorm_config *norm = w->kernel->layer->config;
    return 1 / sqrt((double)variance + norm->eps);
}

/* Turns the sums over dy and dy * x into those over dy and dy * (x - mean) / deviation: the
 * gradients of bias and weight. */
static sums gradients_of(const work *w, int64_t group, sums total)
{
    const float *mean = (const float *)w->args->aux + group * LANES;
    const float *variance = mean + vdnn_desc_channels(w->desc);
    for (int64_t lane = 0; lane < width_of(w, group); lane++)
        total.ab[lane] = (total.ab[lane] - (double)mean[lane] * total.a[lane]) *
                         inverse_deviation(w, variance[lane]);
    return total;
}

/* Of the device's own samples: gradients are summed over the devices later. The batch's statistics
 * are stored as the gradients of the running ones. */
static void save_gradients(const work *w, int64_t group)
{
    const vdnn_layer *layer = w->kernel->layer;
    const sums total = gradients_of(w, group, *sums_of(w, group));
    const float *mean = w->args->aux, *variance = mean + vdnn_desc_channels(w->desc);
    double unbias = w->values / (w->values - 1);
    for (int64_t lane = 0; lane < width_of(w, group); lane++) {
        int64_t c = group * LANES + lane;
        param_of(layer, w->args->dw, VDNN_BATCHNORM_WEIGHT)[c] = (float)total.ab[lane];
        param_of(layer, w->args->dw, VDNN_BATCHNORM_BIAS)[c] = (float)total.a[lane];
        param_of(layer, w->args->dw, VDNN_BATCHNORM_MEAN)[c] = mean[c];
        param_of(layer, w->args->dw, VDNN_BATCHNORM_VARIANCE)[c] =
            (float)((double)variance[c] * unbias);
    }
}

static void finish_group(const work *w, int64_t group)
{
    if (w->kernel->pass == VDNN_FORWARD)
        save_statistics(w, group);
    else
        save_gradients(w, group);
}

/* ---- maps from maps -------------------------------------------------------------------------- */

static bool has_running_statistics(const work *w)
{
    return w->kernel->layer->is_frozen || w->args->context->evaluate;
}

/* y = weight / deviation * (x - mean) + bias */
static void forward_constants(const work *w, int64_t group, constants *by)
{
    const vdnn_layer *layer = w->kernel->layer;
    bool running = has_running_statistics(w);
    const float *mean = running ? param_of(layer, w->args->w, VDNN_BATCHNORM_MEAN) : w->args->aux;
    const float *variance = running ? param_of(layer, w->args->w, VDNN_BATCHNORM_VARIANCE)
                                    : mean + vdnn_desc_channels(w->desc);
    for (int64_t lane = 0; lane < width_of(w, group); lane++) {
        int64_t c = group * LANES + lane;
        double weight = (double)param_of(layer, w->args->w, VDNN_BATCHNORM_WEIGHT)[c];
        by->mean[lane] = mean[c];
        by->scale[lane] = (float)(weight * inverse_deviation(w, variance[c]));
        by->shift[lane] = param_of(layer, w->args->w, VDNN_BATCHNORM_BIAS)[c];
    }
}

/* With h = (x - mean) / deviation:
 * dx = weight / deviation * (dy - sum of dy / n - h * sum of dy * h / n) */
static void backward_constants(const work *w, int64_t group, constants *by)
{
    const vdnn_layer *layer = w->kernel->layer;
    const sums total = gradients_of(w, group, joint_sums_of(w, group));
    const float *mean = w->args->aux, *variance = mean + vdnn_desc_channels(w->desc);
    for (int64_t lane = 0; lane < width_of(w, group); lane++) {
        int64_t c = group * LANES + lane;
        double inverse = inverse_deviation(w, variance[c]);
        double factor = (double)param_of(layer, w->args->w, VDNN_BATCHNORM_WEIGHT)[c] * inverse;
        by->mean[lane] = mean[c];
        by->factor[lane] = (float)factor;
        by->scale[lane] = (float)(-factor * inverse * total.ab[lane] / w->values);
        by->shift[lane] = (float)(-factor * total.a[lane] / w->values);
    }
}

/* Of a frozen layer, whose statistics do not depend on x: dx = weight / deviation * dy */
static void frozen_constants(const work *w, int64_t group, constants *by)
{
    forward_constants(w, group, by);
    memset(&by->mean, 0, sizeof by->mean);
    memset(&by->shift, 0, sizeof by->shift);
}

/* The constants of one channel in every lane. */
static constants spread(const constants *by, int64_t channel)
{
    constants one;
    for (int lane = 0; lane < LANES; lane++) {
        one.mean[lane] = by->mean[channel];
        one.scale[lane] = by->scale[channel];
        one.shift[lane] = by->shift[channel];
        one.factor[lane] = by->factor[channel];
    }
    return one;
}

static int kind_of(const work *w)
{
    if (w->kernel->pass != VDNN_FORWARD)
        return w->kernel->layer->is_frozen ? NORMALIZE : GRADIENT;
    return w->kernel->layer->epilogue == VDNN_EPILOGUE_RELU ? NORMALIZE_AND_CUT : NORMALIZE;
}

/* A frozen layer's dx is dy, scaled as x is in forward. */
static void write_row(const work *w, int64_t place, const constants *by)
{
    const vdnn_dtype dtype = w->desc->dtype;
    const bool forward = w->kernel->pass == VDNN_FORWARD;
    const int kind = kind_of(w);
    const void *dy = w->args->dy, *x = forward || kind == GRADIENT ? w->args->x[0] : dy;
    void *out = forward ? w->args->y : w->args->dx[0];
    const int64_t rest = row_count(w) % LANES, whole = row_count(w) - rest;
    write_cells *write_to = writers[dtype][kind];
    write_to(vdnn_native_const_at(dtype, x, place),
             kind == GRADIENT ? vdnn_native_const_at(dtype, dy, place) : NULL,
             vdnn_native_at(dtype, out, place), whole, by);
    if (rest == 0)
        return;
    const last_cell last_x = last_cell_of(dtype, x, place + whole, rest);
    last_cell last = kind == GRADIENT ? last_cell_of(dtype, dy, place + whole, rest) : last_x;
    write_to(last_x.values, last.values, last.values, LANES, by);
    memcpy(vdnn_native_at(dtype, out, place + whole), last.values,
           (size_t)rest * vdnn_dtype_bytes(dtype));
}

/* Last to first: what was summed last is still in a cache. */
static void write_slice(const work *w, int64_t slice, int64_t group)
{
    constants all = {{0}, {0}, {0}, {0}};
    vdnn_native_range samples = slice_of(w, slice);
    if (w->kernel->pass == VDNN_FORWARD)
        forward_constants(w, group, &all);
    else if (w->kernel->layer->is_frozen)
        frozen_constants(w, group, &all);
    else
        backward_constants(w, group, &all);
    for (int64_t n = samples.end - 1; n >= samples.begin; n--)
        for (int64_t row = 0; row < rows_of(w, group); row++) {
            constants by = is_blocked(w) ? all : spread(&all, row);
            write_row(w, row_place(w, n, group, row), &by);
        }
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* What a pass does to its groups: the order is sum, finish, write. */
typedef struct parts_of_pass {
    bool sums, writes;
} parts_of_pass;

static void run_group(const work *w, parts_of_pass does, int64_t group)
{
    for (int64_t slice = 0; slice < w->slices && does.sums; slice++)
        sum_slice(w, slice, group);
    if (does.sums) {
        add_slices(w, group);
        finish_group(w, group);
    }
    for (int64_t slice = w->slices; slice > 0 && does.writes; slice--)
        write_slice(w, slice - 1, group);
}

/* Used if there are too few groups to keep all threads busy with one each; reuses the data in their
 * caches. And if devices sum together, which they do once for all groups. */
static vdnn_status run_slices(work *w, parts_of_pass does, int threads)
{
    (void)threads; /* unused without OpenMP */
    int64_t tasks = w->groups * w->slices;
    vdnn_status status = VDNN_OK;
    if (does.sums) {
#pragma omp parallel for num_threads(threads)
        for (int64_t task = 0; task < tasks; task++)
            sum_slice(w, task / w->groups, task % w->groups);
        for (int64_t group = 0; group < w->groups; group++)
            add_slices(w, group);
        status = w->joint == NULL ? VDNN_OK : join_sums(w);
        for (int64_t group = 0; group < w->groups && status == VDNN_OK; group++)
            finish_group(w, group);
    }
    if (does.writes && status == VDNN_OK) {
#pragma omp parallel for num_threads(threads)
        for (int64_t task = 0; task < tasks; task++)
            write_slice(w, task / w->groups, task % w->groups);
    }
    return status;
}

static int64_t groups_of(const vdnn_layer *layer)
{
    return (layer->y.dims[VDNN_C] + LANES - 1) / LANES;
}

static int64_t slices_of(const vdnn_layer *layer)
{
    int64_t enough = (TASKS + groups_of(layer) - 1) / groups_of(layer);
    return enough < layer->y.dims[VDNN_N] ? enough : layer->y.dims[VDNN_N];
}

static size_t parts_bytes(const vdnn_layer *layer)
{
    return (size_t)(groups_of(layer) * slices_of(layer)) * sizeof(sums);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = parts_bytes(kernel->layer) +
             vdnn_layer_joint_count(kernel->layer, kernel->pass) * sizeof(double);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    work w = {.kernel = kernel,
              .args = args,
              .desc = &layer->x[0],
              .cells = layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W],
              .groups = groups_of(layer),
              .slices = slices_of(layer),
              .parts = args->workspace,
              .values =
                  (double)(layer->y.dims[VDNN_N] * layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W])};
    bool has_statistics = layer->is_frozen || (kernel->pass == VDNN_FORWARD &&
                                               (args->context->evaluate || args->recompute));
    parts_of_pass does = {.sums = !has_statistics, .writes = kernel->pass != VDNN_BACKWARD_FILTER};
    if (args->devices != NULL && does.sums && vdnn_layer_joint_count(layer, kernel->pass) > 0)
        w.joint = (double *)(void *)((char *)args->workspace + parts_bytes(layer));
    if (w.joint != NULL || w.groups < 2 * (int64_t)kernel->threads)
        return run_slices(&w, does, kernel->threads);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t group = 0; group < w.groups; group++)
        run_group(&w, does, group);
    return VDNN_OK;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    if (layer->x[0].dtype != VDNN_F32 && layer->x[0].dtype != VDNN_BF16)
        return "the data type of the input is neither f32 nor bf16";
    if (vdnn_layout_is_nhwc(layer->x[0].layout))
        return "the layout of the input is nhwc";
    return NULL;
}

const vdnn_algorithm vdnn_batchnorm_native = {
    .layer_type = "batchnorm",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .refusal = refusal,
    .workspace = workspace,
    .run = run,
};
