#include "layers/conv/cuda_conv.h"
#include "layers/cuda/epilogue.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/conv/conv_work.h"
#include "layers/cuda/blas.h"
}

/* Winograd's minimal filtering F(4 x 4, 3 x 3) (Lavin and Gray, Fast Algorithms for Convolutional
 * Neural Networks, CVPR 2016): a map is cut into tiles of 6 x 6 cells that overlap by two, each of
 * which becomes 36 points, and at each point a convolution is one product over channels:
 *
 *     forward           y = A^T [ (G w G^T) (B^T x B) ] A
 *     backward data     the same of dy, with the kernel flipped
 *     backward filter   dw = G^T [ (A dy A^T) (B^T x B) ] G, summed over tiles
 *
 * The products are cuBLAS's, 36 in a batch, for some samples at a time:
 *
 *     workspace   | weight (36, outputs, channels) | read (36, channels, tiles) |
 *                 | written (36, outputs, tiles) |
 *
 * A quarter of the multiplications of the direct convolution are left, and 2 * 2.25 times the maps
 * are written and read in addition: it pays if C * K / (C + K), the operations per byte moved, is
 * above the card's operations per byte: from about 64 channels on. Points are f32 for maps of any
 * type: products in fewer bits would lose accuracy to cancellation in the transforms. */

enum { TILE = 4, SIDE = 6, POINTS = SIDE * SIDE, TAPS = 3, MANY = 16 };

static const int whole_batch = 1 << 30, many = MANY;

/* ---- transforms of a line -------------------------------------------------------------------- */

/* B^T */
struct read_line {
    enum { IN = SIDE, OUT = SIDE };

    static __device__ __forceinline__ void apply(const float *d, float *to)
    {
        to[0] = 4 * d[0] - 5 * d[2] + d[4];
        to[1] = -4 * (d[1] + d[2]) + (d[3] + d[4]);
        to[2] = 4 * (d[1] - d[2]) - (d[3] - d[4]);
        to[3] = 2 * (d[3] - d[1]) + (d[4] - d[2]);
        to[4] = 2 * (d[1] - d[3]) + (d[4] - d[2]);
        to[5] = 4 * d[1] - 5 * d[3] + d[5];
    }
};

/* A^T */
struct write_line {
    enum { IN = SIDE, OUT = TILE };

    static __device__ __forceinline__ void apply(const float *m, float *to)
    {
        float sum = m[1] + m[2], difference = m[1] - m[2];
        float far_sum = m[3] + m[4], far_difference = m[3] - m[4];
        to[0] = m[0] + sum + far_sum;
        to[1] = difference + 2 * far_difference;
        to[2] = sum + 4 * far_sum;
        to[3] = difference + 8 * far_difference + m[5];
    }
};

/* A */
struct expand_line {
    enum { IN = TILE, OUT = SIDE };

    static __device__ __forceinline__ void apply(const float *y, float *to)
    {
        float even = y[0] + y[2], odd = y[1] + y[3];
        float far_even = y[0] + 4 * y[2], far_odd = 2 * y[1] + 8 * y[3];
        to[0] = y[0];
        to[1] = even + odd;
        to[2] = even - odd;
        to[3] = far_even + far_odd;
        to[4] = far_even - far_odd;
        to[5] = y[3];
    }
};

/* G */
struct weight_line {
    enum { IN = TAPS, OUT = SIDE };

    static __device__ __forceinline__ void apply(const float *w, float *to)
    {
        float even = w[0] + w[2], far_even = w[0] + 4 * w[2];
        to[0] = w[0] / 4;
        to[1] = (even + w[1]) / -6;
        to[2] = (even - w[1]) / -6;
        to[3] = (far_even + 2 * w[1]) / 24;
        to[4] = (far_even - 2 * w[1]) / 24;
        to[5] = w[2];
    }
};

/* G^T */
struct gradient_line {
    enum { IN = SIDE, OUT = TAPS };

    static __device__ __forceinline__ void apply(const float *u, float *to)
    {
        float sum = u[1] + u[2], far_sum = u[3] + u[4];
        to[0] = u[0] / 4 - sum / 6 + far_sum / 24;
        to[1] = (u[2] - u[1]) / 6 + (u[3] - u[4]) / 12;
        to[2] = (far_sum - sum) / 6 + u[5];
    }
};

/* Line * in * Line^T */
template <class Line>
static __device__ __forceinline__ void transform(const float (&in)[Line::IN][Line::IN],
                                                 float (&out)[Line::OUT][Line::OUT])
{
    float half[Line::IN][Line::OUT];
    for (int i = 0; i < Line::IN; i++)
        Line::apply(in[i], half[i]);
    for (int j = 0; j < Line::OUT; j++) {
        float column[Line::IN], made[Line::OUT];
        for (int i = 0; i < Line::IN; i++)
            column[i] = half[i][j];
        Line::apply(column, made);
        for (int i = 0; i < Line::OUT; i++)
            out[i][j] = made[i];
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Maps of some samples and planes, divided into tiles whose first cells are TILE apart and begin
 * `pad` before the map. */
typedef struct tile_grid {
    int64_t samples, planes; /* planes of a sample */
    int in[2], across[2];    /* cells; tiles */
    int pad[2];
    vdnn_cuda_divisor by_width, each; /* tiles of a row, of a sample */
    vdnn_cuda_divisor by_tiles;       /* tiles of all samples */
    int64_t tiles;
} tile_grid;

typedef struct tile_place {
    int64_t plane; /* of all samples */
    int first[2];
} tile_place;

static __device__ __forceinline__ tile_place place_of(const tile_grid &g, int64_t i)
{
    int64_t channel = i / g.by_tiles, tile = i - channel * g.tiles;
    int own = (int)(tile % g.each);
    tile_place place = {};
    place.plane = tile / g.each * g.planes + channel;
    place.first[0] = own / g.by_width * TILE - g.pad[0];
    place.first[1] = own % g.by_width * TILE - g.pad[1];
    return place;
}

static __device__ __forceinline__ bool is_inside(const tile_grid &g, int h, int v)
{
    return h >= 0 && h < g.in[0] && v >= 0 && v < g.in[1];
}

/* Cells to points; a thread has the tile of one channel, its neighbour the next tile, so that
 * writes of each point are contiguous. */
template <class Line>
__global__ static void read_tiles(const float *map, float *points, tile_grid g)
{
    int64_t i = vdnn_cuda_index(), count = g.planes * g.tiles;
    if (i >= count)
        return;
    tile_place place = place_of(g, i);
    const float *plane = map + place.plane * g.in[0] * g.in[1];
    float cells[Line::IN][Line::IN], made[SIDE][SIDE];
    for (int h = 0; h < Line::IN; h++)
        for (int v = 0; v < Line::IN; v++) {
            int row = place.first[0] + h, column = place.first[1] + v;
            cells[h][v] = is_inside(g, row, column) ? plane[(int64_t)row * g.in[1] + column] : 0.0F;
        }
    transform<Line>(cells, made);
    for (int p = 0; p < POINTS; p++)
        points[p * count + i] = made[p / SIDE][p % SIDE];
}

__global__ static void write_tiles(const float *points, vdnn_cuda_epilogue epilogue, float *map,
                                   tile_grid g)
{
    int64_t i = vdnn_cuda_index(), count = g.planes * g.tiles;
    if (i >= count)
        return;
    tile_place place = place_of(g, i);
    float *plane = map + place.plane * g.in[0] * g.in[1];
    int64_t channel = i / g.by_tiles;
    float own[SIDE][SIDE], cells[TILE][TILE];
    for (int p = 0; p < POINTS; p++)
        own[p / SIDE][p % SIDE] = points[p * count + i];
    transform<write_line>(own, cells);
    for (int h = 0; h < TILE; h++)
        for (int v = 0; v < TILE; v++) {
            int row = place.first[0] + h, column = place.first[1] + v;
            if (is_inside(g, row, column))
                plane[(int64_t)row * g.in[1] + column] = epilogue.of(channel, cells[h][v]);
        }
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Points as (36, rows, columns): rows are outputs and columns channels, or, with the kernel
 * flipped, vice versa. */
__global__ static void read_weights(const float *w, float *points, int64_t channels, bool is_turned,
                                    int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int64_t output = i / channels, channel = i % channels, outputs = count / channels;
    float taps[TAPS][TAPS], made[SIDE][SIDE];
    for (int t = 0; t < TAPS * TAPS; t++) {
        int from = is_turned ? TAPS * TAPS - 1 - t : t;
        taps[t / TAPS][t % TAPS] = w[i * TAPS * TAPS + from];
    }
    transform<weight_line>(taps, made);
    int64_t to = is_turned ? channel * outputs + output : i;
    for (int p = 0; p < POINTS; p++)
        points[p * count + to] = made[p / SIDE][p % SIDE];
}

__global__ static void write_gradient(const float *points, float *dw, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    float own[SIDE][SIDE], taps[TAPS][TAPS];
    for (int p = 0; p < POINTS; p++)
        own[p / SIDE][p % SIDE] = points[p * count + i];
    transform<gradient_line>(own, taps);
    for (int t = 0; t < TAPS * TAPS; t++)
        dw[i * TAPS * TAPS + t] = taps[t / TAPS][t % TAPS];
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* From a map of `in` planes to one of `out`, some samples at a time. */
typedef struct winograd_run {
    const vdnn_cuda_stream *stream;
    tile_grid read, made; /* of a run's samples */
    int64_t in, out;
    float *weight, *read_points, *made_points;
    vdnn_cuda_epilogue epilogue;
} winograd_run;

static int64_t tiles_of(int cells)
{
    return (cells + TILE - 1) / TILE;
}

/* Tiles over `made`, a map of the plan's; `read` is seen through windows that begin `pad` before.
 */
static void set_grids(winograd_run *r, const int *read, const int *made, const int *pad,
                      int64_t samples)
{
    tile_grid g = {};
    g.samples = samples;
    for (int d = 0; d < 2; d++)
        g.across[d] = (int)tiles_of(made[d]);
    g.by_width = g.across[1];
    g.each = (int64_t)g.across[0] * g.across[1];
    g.tiles = samples * g.each.by;
    g.by_tiles = g.tiles;
    r->read = r->made = g;
    r->read.planes = r->in;
    r->made.planes = r->out;
    for (int d = 0; d < 2; d++) {
        r->read.in[d] = read[d];
        r->read.pad[d] = pad[d];
        r->made.in[d] = made[d];
    }
}

static winograd_run run_of(const vdnn_kernel *kernel, int64_t samples)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    winograd_run r = {};
    bool is_data = kernel->pass == VDNN_BACKWARD_DATA;
    int turned[2] = {TAPS - 1 - c.pad[0], TAPS - 1 - c.pad[1]};
    r.in = is_data ? c.outputs : c.channels;
    r.out = is_data ? c.channels : c.outputs;
    set_grids(&r, is_data ? c.out : c.in, is_data ? c.in : c.out, is_data ? turned : c.pad,
              samples);
    return r;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    winograd_run r = run_of(kernel, vdnn_cuda_conv_samples(kernel, 0));
    int64_t points = r.in * r.out + (r.in + r.out) * r.read.tiles;
    *bytes = vdnn_cuda_epilogue_room(kernel, (size_t)(POINTS * points) * sizeof(float));
    return VDNN_OK;
}

static void lend(winograd_run *r, void *block)
{
    r->weight = static_cast<float *>(block);
    r->read_points = r->weight + POINTS * r->in * r->out;
    r->made_points = r->read_points + POINTS * r->in * r->read.tiles;
}

template <class Line>
static void read_map(const winograd_run &r, const tile_grid &g, const float *map, float *points)
{
    VDNN_LAUNCH(read_tiles<Line>, vdnn_cuda_blocks(g.planes * g.tiles), VDNN_CUDA_THREADS,
                r.stream->handle, map, points, g);
}

/* made (out x tiles) = weight (out x in) * read (in x tiles), at each point; row-major. */
static vdnn_status multiply_maps(const winograd_run &r)
{
    int64_t tiles = r.read.tiles;
    vdnn_cuda_product p = {};
    p.m = (int)tiles;
    p.n = (int)r.out;
    p.k = (int)r.in;
    p.a = r.read_points;
    p.a_step = r.in * tiles;
    p.b = r.weight;
    p.b_step = r.in * r.out;
    p.c = r.made_points;
    p.c_step = r.out * tiles;
    p.count = POINTS;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

/* weight (out x in) = made (out x tiles) * read^T (tiles x in), added from run to run. */
static vdnn_status multiply_gradients(const winograd_run &r, bool is_first)
{
    int64_t tiles = r.read.tiles;
    vdnn_cuda_product p = {};
    p.a_is = CUBLAS_OP_T;
    p.m = (int)r.in;
    p.n = (int)r.out;
    p.k = (int)tiles;
    p.a = r.read_points;
    p.a_step = r.in * tiles;
    p.b = r.made_points;
    p.b_step = r.out * tiles;
    p.c = r.weight;
    p.c_step = r.in * r.out;
    p.count = POINTS;
    p.beta = is_first ? 0 : 1;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

static int64_t elements_of(const tile_grid &g, int64_t samples)
{
    return samples * g.planes * g.in[0] * g.in[1];
}

static vdnn_status run_maps(const winograd_run &r, const void *from, void *to, int64_t first)
{
    read_map<read_line>(r, r.read, static_cast<const float *>(from) + elements_of(r.read, first),
                        r.read_points);
    VDNN_TRY(multiply_maps(r));
    VDNN_LAUNCH(write_tiles, vdnn_cuda_blocks(r.made.planes * r.made.tiles), VDNN_CUDA_THREADS,
                r.stream->handle, r.made_points, r.epilogue,
                static_cast<float *>(to) + elements_of(r.made, first), r.made);
    return vdnn_cuda_launched("convolution by Winograd");
}

static vdnn_status run_gradients(const winograd_run &r, const void *x, const void *dy,
                                 int64_t first)
{
    read_map<read_line>(r, r.read, static_cast<const float *>(x) + elements_of(r.read, first),
                        r.read_points);
    read_map<expand_line>(r, r.made, static_cast<const float *>(dy) + elements_of(r.made, first),
                          r.made_points);
    return multiply_gradients(r, first == 0);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t samples = layer->y.dims[VDNN_N], most = vdnn_cuda_conv_samples(kernel, 0);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool is_data = kernel->pass == VDNN_BACKWARD_DATA,
         is_filter = kernel->pass == VDNN_BACKWARD_FILTER;
    vdnn_status status = VDNN_OK;
    winograd_run r = run_of(kernel, most);
    int64_t count = r.in * r.out;
    lend(&r, args->workspace);
    if (!is_filter)
        VDNN_LAUNCH(read_weights, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->w), r.weight, is_data ? r.out : r.in, is_data,
                    count);
    for (int64_t first = 0; status == VDNN_OK && first < samples; first += most) {
        r = run_of(kernel, vdnn_cuda_conv_samples(kernel, first));
        r.stream = vdnn_cuda_stream_of(args);
        r.epilogue = vdnn_cuda_epilogue_of(kernel, args);
        lend(&r, args->workspace);
        status = is_filter ? run_gradients(r, args->x[0], args->dy, first)
                           : run_maps(r, is_data ? args->dy : args->x[0],
                                      is_data ? args->dx[0] : args->y, first);
    }
    if (status == VDNN_OK && is_filter) {
        VDNN_LAUNCH(write_gradient, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, r.weight,
                    static_cast<float *>(args->dw), count);
        status = vdnn_cuda_launched("gradient of a weight by Winograd");
    }
    return vdnn_cuda_epilogue_gradient(kernel, args, status);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = INT32_MAX;
    const char *why = vdnn_cuda_conv_refusal(kernel);
    if (why != nullptr)
        return why;
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    if (kernel->layer->y.dtype == VDNN_BF16)
        return "its points are f32, which gains nothing over bf16 products";
    for (int d = 0; d < 2; d++)
        if (c.kernel[d] != TAPS || c.stride[d] != 1 || c.dilation[d] != 1)
            return "it supports only 3 x 3 kernels with stride 1 and dilation 1";
    if (c.groups != 1)
        return "it supports one group only";
    if (run_of(kernel, vdnn_cuda_conv_samples(kernel, 0)).read.tiles > MOST)
        return "a map has more than 2^31 tiles";
    if (*static_cast<const int *>(kernel->algorithm->variant) < whole_batch &&
        kernel->layer->y.dims[VDNN_N] <= vdnn_cuda_conv_samples(kernel, 0))
        return "the batch is not larger than its slices: winograd is the same";
    return vdnn_cuda_blas_lack();
}

static constexpr vdnn_algorithm row_of(const char *name, const int *samples)
{
    return vdnn_cuda_working(vdnn_cuda_pictures(vdnn_cuda_row("conv", name, VDNN_CUDA_ALL_PASSES,
                                                              refusal, run, workspace, samples)),
                             vdnn_conv_winograd_work, TILE);
}

const vdnn_algorithm vdnn_conv_winograd_cuda = row_of("winograd", &whole_batch);
const vdnn_algorithm vdnn_conv_winograd_16_cuda = row_of("winograd_16", &many);
