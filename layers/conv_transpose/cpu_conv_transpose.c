#include "layers/conv_transpose/conv_transpose.h"

#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/registry.h"

/* The bias and its gradient; all else are passes of a convolution. A plane of y has one channel, or
 * a block of them abreast: element i of it has lane i % 16, whose bias is repeated, or whose sums
 * are of one channel. */

enum { LANES = VDNN_NATIVE_LANES, BLOCK = VDNN_NATIVE_BLOCK };

VDNN_CPU_CLONES static void add_lanes(float *restrict y, const float *restrict bias, int64_t count)
{
    for (int64_t i = 0; i < count; i += LANES) {
        const int64_t lanes = vdnn_count_min(count - i, LANES);
#pragma omp simd
        for (int64_t lane = 0; lane < lanes; lane++)
            y[i + lane] += bias[lane];
    }
}

VDNN_CPU_CLONES static void sum_lanes(const float *restrict dy, double *restrict sums,
                                      int64_t count)
{
    for (int64_t i = 0; i < count; i += LANES) {
        const int64_t lanes = vdnn_count_min(count - i, LANES);
#pragma omp simd
        for (int64_t lane = 0; lane < lanes; lane++)
            sums[lane] += (double)dy[i + lane];
    }
}

/* Of y: its planes, the elements of each, and how many blocks of channels a sample has. */
typedef struct bias_shape {
    int64_t channels, lanes, elements, blocks, planes;
} bias_shape;

static bias_shape shape_of(const vdnn_desc *y)
{
    bias_shape s = {.channels = y->dims[VDNN_C],
                    .lanes = vdnn_native_lanes(y),
                    .planes = vdnn_native_planes(y)};
    s.elements = y->dims[VDNN_H] * y->dims[VDNN_W] * s.lanes;
    s.blocks = s.planes / y->dims[VDNN_N];
    return s;
}

static const float *bias_at(const vdnn_layer *layer, const void *block)
{
    return (const float *)(const void *)((const char *)block + layer->params[1].offset);
}

static void spread_bias(const bias_shape *s, const float *bias, int64_t block, float lanes[LANES])
{
    for (int64_t lane = 0; lane < LANES; lane++) {
        const int64_t channel = s->lanes == 1 ? block : block * LANES + lane;
        lanes[lane] = channel < s->channels ? bias[channel] : 0;
    }
}

static void add_bias(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *y = &kernel->layer->y;
    const bias_shape s = shape_of(y);
    const float *bias = bias_at(kernel->layer, args->w);
    const int64_t pieces = vdnn_count_pieces(s.elements, BLOCK);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t item = 0; item < s.planes * pieces; item++) {
        float lanes[LANES], buffer[BLOCK];
        const int64_t plane = item / pieces, first = item % pieces * BLOCK;
        const int64_t begin = plane * s.elements + first;
        const vdnn_native_range range = {begin, begin + vdnn_count_min(s.elements - first, BLOCK)};
        spread_bias(&s, bias, plane % s.blocks, lanes);
        (void)vdnn_native_read(y->dtype, args->y, range, buffer);
        float *to = vdnn_native_write_begin(y->dtype, args->y, range, buffer);
        add_lanes(to, lanes, range.end - range.begin);
        vdnn_native_write_end(y->dtype, args->y, range, buffer);
    }
}

static void sum_bias(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *y = &kernel->layer->y;
    const bias_shape s = shape_of(y);
    float *gradient = (float *)(void *)((char *)args->dw + kernel->layer->params[1].offset);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < s.blocks; block++) {
        double sums[LANES] = {0}, all = 0;
        float buffer[BLOCK];
        for (int64_t plane = block; plane < s.planes; plane += s.blocks)
            for (int64_t i = 0; i < s.elements; i += BLOCK) {
                const int64_t begin = plane * s.elements + i;
                const vdnn_native_range range = {begin,
                                                 begin + vdnn_count_min(s.elements - i, BLOCK)};
                sum_lanes(vdnn_native_read(y->dtype, args->dy, range, buffer), sums,
                          range.end - range.begin);
            }
        for (int64_t lane = 0; lane < LANES; lane++) {
            all += sums[lane];
            if (s.lanes > 1 && block * LANES + lane < s.channels)
                gradient[block * LANES + lane] = (float)sums[lane];
        }
        if (s.lanes == 1)
            gradient[block] = (float)all;
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    VDNN_TRY(vdnn_conv_mirror_run(kernel, args));
    if (kernel->layer->param_count > 1 && kernel->pass == VDNN_FORWARD)
        add_bias(kernel, args);
    if (kernel->layer->param_count > 1 && kernel->pass == VDNN_BACKWARD_FILTER)
        sum_bias(kernel, args);
    return VDNN_OK;
}

#define DATA_PASSES (1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA)

#define ROW(id, invariant, reference)                                                              \
    const vdnn_algorithm vdnn_conv_transpose_##id = {                                              \
        .layer_type = "conv_transpose",                                                            \
        .name = #id,                                                                               \
        .device = "cpu",                                                                           \
        .passes = DATA_PASSES | 1U << VDNN_BACKWARD_FILTER,                                        \
        .deterministic = true,                                                                     \
        .multiplies_all = true,                                                                    \
        .batch_invariant = (invariant),                                                            \
        .is_reference = (reference),                                                               \
        .variant = &vdnn_conv_##id,                                                                \
        .ask = vdnn_conv_mirror_ask,                                                               \
        .create = vdnn_conv_mirror_create,                                                         \
        .destroy = vdnn_conv_mirror_destroy,                                                       \
        .run = run,                                                                                \
    }

ROW(direct, 0, false);
ROW(gemm, DATA_PASSES, true);
ROW(gemm_16, DATA_PASSES, false);
