#include "layers/norm/cuda_rows.h"

extern "C" {
#include "layers/count.h"
#include "layers/norm/layernorm.h"
}

/* Bytes moved per element of f32: forward 8; backward 12 for dx, and 8 for the gradients of the
 * parameters. Of bf16 half. A block has a row, whose elements it reads again from the caches for
 * each sum and for what it writes:
 *
 *     forward_rows    x              ->  mean and r of the row, y
 *     backward_rows   x, dy          ->  dx
 *     sum_columns     x, dy          ->  parts: | slice 0: dw, db | slice 1 ... |, of rows
 *     join_columns    parts          ->  dw, db
 *
 * Slices are divided by shapes alone. */

enum {
    MOST_SLICES = 64,
    COLUMNS = 32, /* of a block that sums them */
    LEAST_ROWS = 8
};

template <class T, int THREADS>
__global__ static void forward_rows(vdnn_norm_rows s, const T *x, const float *w, const float *b,
                                    float *statistics, T *y)
{
    int64_t row = blockIdx.x;
    float *own = statistics + row * s.statistics;
    x += row * s.width;
    y += row * s.width;
    if (!s.recompute)
        vdnn_norm_find<T, THREADS>(s, x, own);
    float mean = s.statistics == 2 ? own[0] : 0, r = own[s.statistics - 1];
    vdnn_norm_each<T, THREADS>(s, [&](const auto &at) {
        vdnn_cuda_eight of_x = at.load(x), of_w = at.load(w), of_b = {};
        if (b != nullptr)
            of_b = at.load(b);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            of_x.at[k] = (of_x.at[k] - mean) * r * of_w.at[k] + of_b.at[k];
        at.store(y, of_x);
    });
}

/* dx may be dy: a place is read before it is written. */
template <class T, int THREADS>
__global__ static void backward_rows(vdnn_norm_rows s, const T *x, const T *dy, const float *w,
                                     const float *statistics, T *dx)
{
    int64_t row = blockIdx.x;
    const float *own = statistics + row * s.statistics;
    float mean = s.statistics == 2 ? own[0] : 0, r = own[s.statistics - 1];
    float of_g = 0, of_gn = 0;
    x += row * s.width;
    dy += row * s.width;
    dx += row * s.width;
    vdnn_norm_each<T, THREADS>(s, [&](const auto &at) {
        vdnn_cuda_eight of_x = at.load(x), g = at.load(dy), of_w = at.load(w);
        of_g += vdnn_norm_total(at, [&](int k) { return g.at[k] * of_w.at[k]; });
        of_gn += vdnn_norm_total(
            at, [&](int k) { return g.at[k] * of_w.at[k] * ((of_x.at[k] - mean) * r); });
    });
    float mean_g = s.statistics == 2 ? vdnn_norm_mean<THREADS>(s, of_g) : 0;
    float mean_gn = vdnn_norm_mean<THREADS>(s, of_gn);
    vdnn_norm_each<T, THREADS>(s, [&](const auto &at) {
        vdnn_cuda_eight of_x = at.load(x), g = at.load(dy), of_w = at.load(w);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            g.at[k] = r * (g.at[k] * of_w.at[k] - mean_g - (of_x.at[k] - mean) * r * mean_gn);
        at.store(dx, g);
    });
}

template <class T>
__global__ static void sum_columns(vdnn_norm_rows s, const T *x, const T *dy,
                                   const float *statistics, float *parts, int64_t slices,
                                   bool has_db)
{
    constexpr int LANES = VDNN_CUDA_THREADS / COLUMNS;
    int64_t column = (int64_t)blockIdx.x * COLUMNS + (int)threadIdx.x % COLUMNS;
    int64_t slice = blockIdx.y, end = (slice + 1) * s.rows / slices;
    float dw = 0, db = 0;
    for (int64_t row = slice * s.rows / slices + (int)threadIdx.x / COLUMNS;
         row < end && column < s.width; row += LANES) {
        const float *own = statistics + row * s.statistics;
        float mean = s.statistics == 2 ? own[0] : 0, r = own[s.statistics - 1];
        float of_dy = (float)dy[row * s.width + column];
        dw += of_dy * (((float)x[row * s.width + column] - mean) * r);
        db += of_dy;
    }
    dw = vdnn_cuda_sum_lanes<float, VDNN_CUDA_THREADS, COLUMNS>(dw);
    db = vdnn_cuda_sum_lanes<float, VDNN_CUDA_THREADS, COLUMNS>(db);
    if ((int)threadIdx.x >= COLUMNS || column >= s.width)
        return;
    parts += slice * (has_db ? 2 : 1) * s.width + column;
    parts[0] = dw;
    if (has_db)
        parts[s.width] = db;
}

__global__ static void join_columns(const float *parts, int64_t slices, int64_t count, float *dw)
{
    int64_t i = vdnn_cuda_index();
    float sum = 0;
    for (int64_t slice = 0; slice < slices && i < count; slice++)
        sum += parts[slice * count + i];
    if (i < count)
        dw[i] = sum;
}

static int64_t slices_of(const vdnn_layer *layer)
{
    return vdnn_count_clamp(vdnn_layernorm_shape_of(layer).rows / LEAST_ROWS, 1, MOST_SLICES);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    *bytes = vdnn_layer_writes_dw(layer, kernel->pass)
                 ? (size_t)slices_of(layer) * layer->trainable_bytes
                 : 0;
    return VDNN_OK;
}

/* Parameters of no multiple of four elements leave the bias where packs cannot be read. */
template <class T>
static vdnn_norm_rows rows_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_layernorm_shape shape = vdnn_layernorm_shape_of(layer);
    auto config = static_cast<const vdnn_layernorm_config *>(layer->config);
    bool forward = kernel->pass == VDNN_FORWARD;
    bool is_aligned = vdnn_norm_are_aligned<T>(kernel, args, shape.width) &&
                      vdnn_cuda_are_aligned(vdnn_norm_param(layer, args, 0),
                                            forward ? vdnn_norm_param(layer, args, 1) : nullptr);
    return {shape.rows,         shape.width,     shape.statistics,
            (float)config->eps, args->recompute, is_aligned};
}

template <class T, int THREADS>
static void run_rows(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                     const vdnn_norm_rows &s)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    auto rows = (unsigned)s.rows;
    auto x = static_cast<const T *>(args->x[0]);
    const float *w = vdnn_norm_param(layer, args, 0);
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH((forward_rows<T, THREADS>), rows, THREADS, stream, s, x, w,
                    vdnn_norm_param(layer, args, 1), static_cast<float *>(args->aux),
                    static_cast<T *>(args->y));
    else
        VDNN_LAUNCH((backward_rows<T, THREADS>), rows, THREADS, stream, s, x,
                    static_cast<const T *>(args->dy), w, static_cast<const float *>(args->aux),
                    static_cast<T *>(args->dx[0]));
}

/* Before dx, which may be written over dy. */
template <class T>
static void run_columns(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                        const vdnn_norm_rows &s)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    auto parts = static_cast<float *>(args->workspace);
    auto count = (int64_t)(kernel->layer->trainable_bytes / sizeof(float));
    const int64_t slices = slices_of(kernel->layer);
    const dim3 grid((unsigned)((s.width + COLUMNS - 1) / COLUMNS), (unsigned)slices);
    VDNN_LAUNCH(sum_columns<T>, grid, VDNN_CUDA_THREADS, stream, s,
                static_cast<const T *>(args->x[0]), static_cast<const T *>(args->dy),
                static_cast<const float *>(args->aux), parts, slices,
                kernel->layer->param_count > 1);
    VDNN_LAUNCH(join_columns, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, parts, slices,
                count, static_cast<float *>(args->dw));
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_norm_rows s = rows_of<T>(kernel, args);
    if (vdnn_layer_writes_dw(kernel->layer, kernel->pass))
        run_columns<T>(kernel, args, s);
    if (kernel->pass != VDNN_BACKWARD_FILTER) {
        if (s.width <= VDNN_NORM_FEW_THREADS * VDNN_CUDA_EIGHT)
            run_rows<T, VDNN_NORM_FEW_THREADS>(kernel, args, s);
        else
            run_rows<T, VDNN_CUDA_THREADS>(kernel, args, s);
    }
    return vdnn_cuda_launched("layernorm");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

static constexpr vdnn_algorithm layernorm_row(const char *type)
{
    return vdnn_cuda_invariant(
        vdnn_cuda_row(type, "native", VDNN_CUDA_ALL_PASSES, vdnn_cuda_refusal, run, workspace),
        VDNN_CUDA_DATA_PASSES);
}

const vdnn_algorithm vdnn_layernorm_native_cuda = layernorm_row("layernorm");
const vdnn_algorithm vdnn_rmsnorm_native_cuda = layernorm_row("rmsnorm");
