#include "layers/count.h"
#include "layers/norm/cpu_row_sums.h"
#include "layers/norm/layernorm.h"
#include "layers/stage.h"

#include <math.h>

/* A row is read from memory once: it stays in the first cache while its sums and then its values
 * are computed, and is widened once more for each of them where maps are bf16.
 *
 * The gradients of the parameters are sums over rows. Rows are divided into slices by their number
 * alone; each slice has separate sums in the workspace, which are added in order, so that bits do
 * not depend on the threads:
 *
 *     workspace   | slice 0: dw, db | slice 1: dw, db | ...
 */

enum { MOST_SLICES = 32, LEAST_ROWS = 8, CHUNK = VDNN_NATIVE_BLOCK };

/* n = (x - mean) * r; mean is 0 in an RMS norm. */
typedef struct statistics {
    float mean, r;
} statistics;

typedef struct work {
    const vdnn_kernel_args *args;
    vdnn_dtype dtype;
    vdnn_layernorm_shape shape;
    float eps;
    const float *weight, *bias; /* NULL: none; or the pass does not read it */
    int64_t slices;
    bool wants_dx, wants_dw, has_db;
} work;

/* ---- chunks of a row ------------------------------------------------------------------------- */

VDNN_CPU_CLONES static void normalize(const float *x, float *restrict y, int64_t count,
                                      statistics by, const float *weight)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = (x[i] - by.mean) * by.r * weight[i];
}

VDNN_CPU_CLONES static void normalize_and_shift(const float *x, float *restrict y, int64_t count,
                                                statistics by, const float *weight,
                                                const float *bias)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = (x[i] - by.mean) * by.r * weight[i] + bias[i];
}

/* The sums of g and of g n. */
VDNN_CPU_CLONES static void add_gradients(const float *x, const float *dy, const float *weight,
                                          int64_t count, statistics by, vdnn_row_sum *of_g,
                                          vdnn_row_sum *of_gn)
{
    VDNN_ROW_SUM(of_g, count, dy[i] * weight[i]);
    VDNN_ROW_SUM(of_gn, count, dy[i] * weight[i] * ((x[i] - by.mean) * by.r));
}

VDNN_CPU_CLONES static void add_to_parameters(const float *x, const float *dy, int64_t count,
                                              statistics by, float *restrict dw, float *restrict db)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dw[i] += dy[i] * ((x[i] - by.mean) * by.r);
    if (db != NULL)
#pragma omp simd
        for (int64_t i = 0; i < count; i++)
            db[i] += dy[i];
}

/* dx may be dy. */
VDNN_CPU_CLONES static void differentiate(const float *x, const float *dy, const float *weight,
                                          float *dx, int64_t count, statistics by, float mean_g,
                                          float mean_gn)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dx[i] = by.r * (dy[i] * weight[i] - mean_g - (x[i] - by.mean) * by.r * mean_gn);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The chunk of the row from its element `first` on, as elements of the map. */
static vdnn_native_range chunk_of(const work *w, int64_t row, int64_t first)
{
    const int64_t begin = row * w->shape.width + first;
    return (vdnn_native_range){begin, begin + vdnn_count_min(w->shape.width - first, CHUNK)};
}

static float *statistics_of(const work *w, int64_t row)
{
    return (float *)w->args->aux + row * w->shape.statistics;
}

static statistics read_statistics(const work *w, int64_t row)
{
    const float *at = statistics_of(w, row);
    return w->shape.statistics == 2 ? (statistics){at[0], at[1]} : (statistics){0, at[0]};
}

static statistics compute_statistics(const work *w, int64_t row)
{
    float buffer[CHUNK], mean = 0, *at = statistics_of(w, row);
    const float width = (float)w->shape.width;
    if (w->shape.statistics == 2) {
        vdnn_row_sum sum = {{0}};
        for (int64_t first = 0; first < w->shape.width; first += CHUNK) {
            vdnn_native_range chunk = chunk_of(w, row, first);
            vdnn_row_sum_values(vdnn_native_read(w->dtype, w->args->x[0], chunk, buffer),
                                chunk.end - chunk.begin, &sum);
        }
        mean = vdnn_row_sum_end(&sum) / width;
        *at++ = mean;
    }
    vdnn_row_sum squares = {{0}};
    for (int64_t first = 0; first < w->shape.width; first += CHUNK) {
        vdnn_native_range chunk = chunk_of(w, row, first);
        vdnn_row_sum_squares(vdnn_native_read(w->dtype, w->args->x[0], chunk, buffer),
                             chunk.end - chunk.begin, mean, &squares);
    }
    *at = 1 / sqrtf(vdnn_row_sum_end(&squares) / width + w->eps);
    return (statistics){mean, *at};
}

static void forward_row(const work *w, int64_t row)
{
    float buffers[2][CHUNK];
    const statistics by = w->args->recompute ? read_statistics(w, row) : compute_statistics(w, row);
    for (int64_t first = 0; first < w->shape.width; first += CHUNK) {
        vdnn_native_range chunk = chunk_of(w, row, first);
        const float *x = vdnn_native_read(w->dtype, w->args->x[0], chunk, buffers[0]);
        float *y = vdnn_native_write_begin(w->dtype, w->args->y, chunk, buffers[1]);
        const int64_t count = chunk.end - chunk.begin;
        if (w->bias == NULL)
            normalize(x, y, count, by, w->weight + first);
        else
            normalize_and_shift(x, y, count, by, w->weight + first, w->bias + first);
        vdnn_native_write_end(w->dtype, w->args->y, chunk, y);
    }
}

static void write_dx(const work *w, int64_t row, statistics by, float mean_g, float mean_gn)
{
    float buffers[3][CHUNK];
    void *dx = w->args->dx[0];
    for (int64_t first = 0; first < w->shape.width; first += CHUNK) {
        vdnn_native_range chunk = chunk_of(w, row, first);
        const float *x = vdnn_native_read(w->dtype, w->args->x[0], chunk, buffers[0]);
        const float *dy = vdnn_native_read(w->dtype, w->args->dy, chunk, buffers[1]);
        float *to = vdnn_native_write_begin(w->dtype, dx, chunk, buffers[2]);
        differentiate(x, dy, w->weight + first, to, chunk.end - chunk.begin, by, mean_g, mean_gn);
        vdnn_native_write_end(w->dtype, dx, chunk, to);
    }
}

/* Adds the row to a slice's sums, and writes its dx. */
static void backward_row(const work *w, int64_t row, float *dw, float *db)
{
    float buffers[2][CHUNK];
    vdnn_row_sum of_g = {{0}}, of_gn = {{0}};
    const float width = (float)w->shape.width;
    const statistics by = read_statistics(w, row);
    for (int64_t first = 0; first < w->shape.width; first += CHUNK) {
        vdnn_native_range chunk = chunk_of(w, row, first);
        const int64_t count = chunk.end - chunk.begin;
        const float *x = vdnn_native_read(w->dtype, w->args->x[0], chunk, buffers[0]);
        const float *dy = vdnn_native_read(w->dtype, w->args->dy, chunk, buffers[1]);
        if (w->wants_dw)
            add_to_parameters(x, dy, count, by, dw + first, w->has_db ? db + first : NULL);
        if (w->wants_dx)
            add_gradients(x, dy, w->weight + first, count, by, &of_g, &of_gn);
    }
    const float mean_g = w->shape.statistics == 2 ? vdnn_row_sum_end(&of_g) / width : 0;
    if (w->wants_dx)
        write_dx(w, row, by, mean_g, vdnn_row_sum_end(&of_gn) / width);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static int64_t slices_of(const vdnn_layer *layer)
{
    const int64_t rows = vdnn_layernorm_shape_of(layer).rows;
    return vdnn_count_clamp(rows / LEAST_ROWS, 1, MOST_SLICES);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    *bytes = vdnn_layer_writes_dw(layer, kernel->pass)
                 ? (size_t)slices_of(layer) * layer->trainable_bytes
                 : 0;
    return VDNN_OK;
}

static void backward_slice(const work *w, int64_t slice, float *sums)
{
    const int64_t begin = w->shape.rows * slice / w->slices;
    const int64_t end = w->shape.rows * (slice + 1) / w->slices;
    float *db = sums == NULL ? NULL : sums + w->shape.width;
    if (sums != NULL)
        memset(sums, 0, (size_t)(w->has_db ? 2 : 1) * (size_t)w->shape.width * sizeof *sums);
    for (int64_t row = begin; row < end; row++)
        backward_row(w, row, sums, db);
}

VDNN_CPU_CLONES static void add_slice(const float *restrict from, float *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

/* dw and db of a range of both, one after the other, from those of the slices. */
static void join_slices(const float *sums, int64_t slices, int64_t stride, vdnn_native_range range,
                        float *dw)
{
    const int64_t count = range.end - range.begin;
    memcpy(dw + range.begin, sums + range.begin, (size_t)count * sizeof *dw);
    for (int64_t slice = 1; slice < slices; slice++)
        add_slice(sums + slice * stride + range.begin, dw + range.begin, count);
}

static void backward(const work *w, const vdnn_kernel *kernel)
{
    const int64_t stride = (int64_t)(kernel->layer->trainable_bytes / sizeof(float));
    float *sums = w->wants_dw ? w->args->workspace : NULL;
#pragma omp parallel for num_threads(kernel->threads) schedule(dynamic)
    for (int64_t slice = 0; slice < w->slices; slice++)
        backward_slice(w, slice, sums == NULL ? NULL : sums + slice * stride);
    if (!w->wants_dw)
        return;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t first = 0; first < stride; first += CHUNK / 8)
        join_slices(sums, w->slices, stride,
                    (vdnn_native_range){first, vdnn_count_min(first + CHUNK / 8, stride)},
                    w->args->dw);
}

/* ---- the row of the table -------------------------------------------------------------------- */

static const float *param_at(const vdnn_layer *layer, const vdnn_kernel_args *args, int32_t p)
{
    if (args->w == NULL || p >= layer->param_count)
        return NULL;
    return (const float *)(const void *)((const char *)args->w + layer->params[p].offset);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_layernorm_config *norm = layer->config;
    const work w = {.args = args,
                    .dtype = layer->y.dtype,
                    .shape = vdnn_layernorm_shape_of(layer),
                    .eps = (float)norm->eps,
                    .weight = param_at(layer, args, 0),
                    .bias = param_at(layer, args, 1),
                    .slices = slices_of(layer),
                    .wants_dx = kernel->pass == VDNN_BACKWARD_DATA,
                    .wants_dw = vdnn_layer_writes_dw(layer, kernel->pass),
                    .has_db = layer->param_count > 1};
    if (kernel->pass != VDNN_FORWARD) {
        backward(&w, kernel);
        return VDNN_OK;
    }
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t row = 0; row < w.shape.rows; row++)
        forward_row(&w, row);
    return VDNN_OK;
}

#define ROW(kind)                                                                                  \
    const vdnn_algorithm vdnn_##kind##_native = {                                                  \
        .layer_type = #kind,                                                                       \
        .name = "native",                                                                          \
        .device = "cpu",                                                                           \
        .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,      \
        .deterministic = true,                                                                     \
        .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,                          \
        .refusal = vdnn_native_refusal,                                                            \
        .workspace = workspace,                                                                    \
        .run = run,                                                                                \
    }

ROW(layernorm);
ROW(rmsnorm);
