#include "layers/count.h"
#include "layers/norm/cpu_row_sums.h"
#include "layers/norm/groupnorm.h"

#include <math.h>

/* A row is read from memory once where the caches hold it: its sums and then its values are
 * computed channel by channel, in chunks of a channel's cells.
 *
 * The gradients of the parameters are sums over the samples of what each channel of each sample
 * adds, which are written to the workspace and added in their order, so that bits do not depend on
 * the threads:
 *
 *     workspace   | sample 0: of dw, of db | sample 1: of dw, of db | ...
 */

enum { CHUNK = VDNN_NATIVE_BLOCK };

/* n = (x - mean) * r */
typedef struct statistics {
    float mean, r;
} statistics;

typedef struct work {
    const vdnn_kernel_args *args;
    vdnn_dtype dtype;
    vdnn_groupnorm_shape shape;
    float eps;
    const float *weight, *bias; /* NULL: none; or the pass does not read it */
    bool wants_dx, wants_dw;
} work;

/* ---- chunks of a channel --------------------------------------------------------------------- */

VDNN_CPU_CLONES static void normalize(const float *x, float *restrict y, int64_t count,
                                      statistics by, float weight, float bias)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = (x[i] - by.mean) * by.r * weight + bias;
}

VDNN_CPU_CLONES static void add_products(const float *x, const float *dy, int64_t count,
                                         statistics by, vdnn_row_sum *sum)
{
    VDNN_ROW_SUM(sum, count, dy[i] * ((x[i] - by.mean) * by.r));
}

/* dx may be dy. */
VDNN_CPU_CLONES static void differentiate(const float *x, const float *dy, float *dx, int64_t count,
                                          statistics by, float weight, statistics of_g)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dx[i] = by.r * (dy[i] * weight - of_g.mean - (x[i] - by.mean) * by.r * of_g.r);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t channels_of(const work *w)
{
    return w->shape.groups * w->shape.channels;
}

/* The first channel of a row, of all samples' one after the other. */
static int64_t first_plane(const work *w, int64_t row)
{
    return row * w->shape.channels;
}

/* The chunk from cell `first` of a channel on, as elements of the map. */
static vdnn_native_range chunk_of(const work *w, int64_t plane, int64_t first)
{
    const int64_t begin = plane * w->shape.cells + first;
    return (vdnn_native_range){begin, begin + vdnn_count_min(w->shape.cells - first, CHUNK)};
}

static float weight_of(const work *w, int64_t plane)
{
    return w->weight == NULL ? 1 : w->weight[plane % channels_of(w)];
}

static statistics compute_statistics(const work *w, int64_t row)
{
    float buffer[CHUNK], *at = (float *)w->args->aux + 2 * row;
    const int64_t size = w->shape.channels * w->shape.cells, begin = row * size;
    vdnn_row_sum sum = {{0}}, squares = {{0}};
    for (int64_t first = 0; first < size; first += CHUNK) {
        vdnn_native_range chunk = {begin + first, begin + vdnn_count_min(first + CHUNK, size)};
        vdnn_row_sum_values(vdnn_native_read(w->dtype, w->args->x[0], chunk, buffer),
                            chunk.end - chunk.begin, &sum);
    }
    at[0] = vdnn_row_sum_end(&sum) / (float)size;
    for (int64_t first = 0; first < size; first += CHUNK) {
        vdnn_native_range chunk = {begin + first, begin + vdnn_count_min(first + CHUNK, size)};
        vdnn_row_sum_squares(vdnn_native_read(w->dtype, w->args->x[0], chunk, buffer),
                             chunk.end - chunk.begin, at[0], &squares);
    }
    at[1] = 1 / sqrtf(vdnn_row_sum_end(&squares) / (float)size + w->eps);
    return (statistics){at[0], at[1]};
}

static statistics read_statistics(const work *w, int64_t row)
{
    const float *at = (const float *)w->args->aux + 2 * row;
    return (statistics){at[0], at[1]};
}

static void forward_row(const work *w, int64_t row)
{
    float buffers[2][CHUNK];
    const statistics by = w->args->recompute ? read_statistics(w, row) : compute_statistics(w, row);
    const int64_t begin = first_plane(w, row);
    for (int64_t plane = begin; plane < begin + w->shape.channels; plane++)
        for (int64_t first = 0; first < w->shape.cells; first += CHUNK) {
            vdnn_native_range chunk = chunk_of(w, plane, first);
            const float *x = vdnn_native_read(w->dtype, w->args->x[0], chunk, buffers[0]);
            float *y = vdnn_native_write_begin(w->dtype, w->args->y, chunk, buffers[1]);
            normalize(x, y, chunk.end - chunk.begin, by, weight_of(w, plane),
                      w->bias == NULL ? 0 : w->bias[plane % channels_of(w)]);
            vdnn_native_write_end(w->dtype, w->args->y, chunk, y);
        }
}

/* The sums of dy and of dy n over a channel. */
static void sum_plane(const work *w, int64_t plane, statistics by, float *of_dy, float *of_dyn)
{
    float buffers[2][CHUNK];
    vdnn_row_sum plain = {{0}}, products = {{0}};
    for (int64_t first = 0; first < w->shape.cells; first += CHUNK) {
        vdnn_native_range chunk = chunk_of(w, plane, first);
        const float *x = vdnn_native_read(w->dtype, w->args->x[0], chunk, buffers[0]);
        const float *dy = vdnn_native_read(w->dtype, w->args->dy, chunk, buffers[1]);
        vdnn_row_sum_values(dy, chunk.end - chunk.begin, &plain);
        add_products(x, dy, chunk.end - chunk.begin, by, &products);
    }
    *of_dy = vdnn_row_sum_end(&plain);
    *of_dyn = vdnn_row_sum_end(&products);
}

static void write_dx(const work *w, int64_t plane, statistics by, statistics of_g)
{
    float buffers[3][CHUNK];
    void *dx = w->args->dx[0];
    for (int64_t first = 0; first < w->shape.cells; first += CHUNK) {
        vdnn_native_range chunk = chunk_of(w, plane, first);
        const float *x = vdnn_native_read(w->dtype, w->args->x[0], chunk, buffers[0]);
        const float *dy = vdnn_native_read(w->dtype, w->args->dy, chunk, buffers[1]);
        float *to = vdnn_native_write_begin(w->dtype, dx, chunk, buffers[2]);
        differentiate(x, dy, to, chunk.end - chunk.begin, by, weight_of(w, plane), of_g);
        vdnn_native_write_end(w->dtype, dx, chunk, to);
    }
}

static void backward_row(const work *w, int64_t row)
{
    const statistics by = read_statistics(w, row);
    const int64_t begin = first_plane(w, row), all = channels_of(w);
    const float size = (float)(w->shape.channels * w->shape.cells);
    float *sums = w->args->workspace;
    statistics of_g = {0, 0};
    for (int64_t plane = begin; plane < begin + w->shape.channels; plane++) {
        float of_dy, of_dyn;
        sum_plane(w, plane, by, &of_dy, &of_dyn);
        of_g.mean += weight_of(w, plane) * of_dy;
        of_g.r += weight_of(w, plane) * of_dyn;
        if (!w->wants_dw)
            continue;
        sums[plane / all * 2 * all + plane % all] = of_dyn;
        sums[plane / all * 2 * all + all + plane % all] = of_dy;
    }
    of_g.mean /= size;
    of_g.r /= size;
    for (int64_t plane = begin; plane < begin + w->shape.channels && w->wants_dx; plane++)
        write_dx(w, plane, by, of_g);
}

/* ---- parameters ------------------------------------------------------------------------------ */

VDNN_CPU_CLONES static void add_sample(const float *restrict from, float *restrict to,
                                       int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

static void join_samples(const work *w)
{
    const int64_t count = 2 * channels_of(w), samples = w->shape.rows / w->shape.groups;
    const float *sums = w->args->workspace;
    memcpy(w->args->dw, sums, (size_t)count * sizeof *sums);
    for (int64_t n = 1; n < samples; n++)
        add_sample(sums + n * count, w->args->dw, count);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    *bytes = vdnn_layer_writes_dw(layer, kernel->pass)
                 ? (size_t)layer->x[0].dims[VDNN_N] * layer->trainable_bytes
                 : 0;
    return VDNN_OK;
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
    const vdnn_groupnorm_config *norm = layer->config;
    const work w = {.args = args,
                    .dtype = layer->y.dtype,
                    .shape = vdnn_groupnorm_shape_of(layer),
                    .eps = (float)norm->eps,
                    .weight = param_at(layer, args, 0),
                    .bias = param_at(layer, args, 1),
                    .wants_dx = kernel->pass == VDNN_BACKWARD_DATA,
                    .wants_dw = vdnn_layer_writes_dw(layer, kernel->pass)};
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t row = 0; row < w.shape.rows; row++)
        if (kernel->pass == VDNN_FORWARD)
            forward_row(&w, row);
        else
            backward_row(&w, row);
    if (w.wants_dw)
        join_samples(&w);
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

ROW(groupnorm);
ROW(instancenorm);
