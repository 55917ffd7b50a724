#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/pointwise/activation.h"

/* Values, and derivatives by x or y, times dy. `slope` is leaky_relu's, and the factor of scale. */

VDNN_MATH_INLINE float gelu(float x, float slope)
{
    float bell;
    (void)slope;
    return x * vdnn_math_normal(x, &bell);
}

VDNN_MATH_INLINE float gelu_back(float x, float dy, float slope)
{
    const float at_zero = 0.398942280F; /* 1 / sqrt(2 pi), the density there */
    float bell, below = vdnn_math_normal(x, &bell);
    (void)slope;
    return dy * (below + x * (at_zero * bell));
}

/* 2u of the header, and twice its derivative. From 20 on its logistic function is 0 or 1, and both
 * stay finite. */
VDNN_MATH_INLINE float gelu_inner(float x, float *derivative)
{
    const float scale = 1.59576912F, cube = 0.0713548163F; /* 2 sqrt(2 / pi), times 0.044715 */
    float near = vdnn_math_signed(vdnn_math_at_most(fabsf(x), 20.0F), x), square = near * near;
    *derivative = scale + 3.0F * cube * square;
    return near * (scale + cube * square);
}

VDNN_MATH_INLINE float gelu_tanh(float x, float slope)
{
    float derivative;
    (void)slope;
    return x * vdnn_math_sigmoid(gelu_inner(x, &derivative));
}

VDNN_MATH_INLINE float gelu_tanh_back(float x, float dy, float slope)
{
    float derivative, rest, s = vdnn_math_sigmoid_pair(gelu_inner(x, &derivative), &rest);
    (void)slope;
    return dy * (s + x * (derivative * (s * rest)));
}

VDNN_MATH_INLINE float silu(float x, float slope)
{
    (void)slope;
    return x * vdnn_math_sigmoid(x);
}

VDNN_MATH_INLINE float silu_back(float x, float dy, float slope)
{
    float rest, s = vdnn_math_sigmoid_pair(x, &rest);
    (void)slope;
    return dy * (s * (1.0F + x * rest));
}

VDNN_MATH_INLINE float tanh_of(float x, float slope)
{
    (void)slope;
    return vdnn_math_tanh(x);
}

VDNN_MATH_INLINE float tanh_back(float y, float dy, float slope)
{
    (void)slope;
    return dy * (1.0F - y * y);
}

VDNN_MATH_INLINE float sigmoid(float x, float slope)
{
    (void)slope;
    return vdnn_math_sigmoid(x);
}

VDNN_MATH_INLINE float sigmoid_back(float y, float dy, float slope)
{
    (void)slope;
    return dy * (y * (1.0F - y));
}

VDNN_MATH_INLINE float pick(bool condition, float yes, float no)
{
    return vdnn_math_float(vdnn_math_choose(condition, vdnn_math_bits(yes), vdnn_math_bits(no)));
}

VDNN_MATH_INLINE float relu6(float x, float slope)
{
    (void)slope;
    return pick(x <= 0, 0.0F, vdnn_math_at_most(x, 6.0F));
}

VDNN_MATH_INLINE float relu6_back(float y, float dy, float slope)
{
    (void)slope;
    return pick((y <= 0) | (y >= 6), 0.0F, dy);
}

VDNN_MATH_INLINE float leaky_relu(float x, float slope)
{
    return pick(x > 0, x, x * slope);
}

VDNN_MATH_INLINE float leaky_relu_back(float y, float dy, float slope)
{
    return pick(y > 0, dy, dy * slope);
}

VDNN_MATH_INLINE float hardswish(float x, float slope)
{
    float above = x + 3.0F;
    (void)slope;
    return x * (pick(above <= 0, 0.0F, vdnn_math_at_most(above, 6.0F)) * (1.0F / 6.0F));
}

VDNN_MATH_INLINE float hardswish_back(float x, float dy, float slope)
{
    float between = dy * (x * (1.0F / 3.0F) + 0.5F);
    (void)slope;
    return pick(x < -3, 0.0F, pick(x > 3, dy, between));
}

VDNN_MATH_INLINE float scale(float x, float slope)
{
    return slope * x;
}

VDNN_MATH_INLINE float scale_back(float from, float dy, float slope)
{
    (void)from;
    return slope * dy;
}

/* ---- loops ----------------------------------------------------------------------------------- */

typedef struct function {
    void (*forward)(const float *x, float *y, int64_t count, float slope);
    void (*backward)(const float *from, const float *dy, float *dx, int64_t count, float slope);
    bool is_zero_at_zero; /* padding stays zero */
    /* The same on bf16, without f32 in between; NULL: there is none. dy NULL: forward. */
    void (*on_bf16)(const uint16_t *from, const uint16_t *dy, uint16_t *to, int64_t count);
} function;

/* A bf16 has the order of its bits as an integer, except that NaN is above all numbers, and that
 * negative ones are all below 0. */
typedef int16_t signed_halves __attribute__((vector_size(2 * VDNN_NATIVE_LANES)));

VDNN_NATIVE_INLINE void relu6_cell(const uint16_t *from, const uint16_t *dy, uint16_t *to)
{
    const int16_t six = 0x40C0, magnitude = 0x7FFF, infinity = 0x7F80, quiet = 0x40;
    signed_halves x, made;
    memcpy(&x, from, sizeof x);
    const signed_halves is_nan = (x & magnitude) > infinity;
    if (dy != NULL) {
        memcpy(&made, dy, sizeof made);
        made &= is_nan | ((x > 0) & (x < six));
    } else {
        const signed_halves is_above = x > six;
        made = (is_above & six) | (~is_above & x & (x > 0));
        made = (is_nan & (x | quiet)) | (~is_nan & made);
    }
    memcpy(to, &made, sizeof made);
}

VDNN_CPU_CLONES static void relu6_bf16(const uint16_t *from, const uint16_t *dy, uint16_t *to,
                                       int64_t count)
{
    enum { LANES = VDNN_NATIVE_LANES };
    uint16_t last[2][LANES] = {{0}};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        relu6_cell(from + i, dy == NULL ? NULL : dy + i, to + i);
    if (i == count)
        return;
    const size_t rest = (size_t)(count - i) * sizeof *to;
    memcpy(last[0], from + i, rest);
    if (dy != NULL)
        memcpy(last[1], dy + i, rest);
    relu6_cell(last[0], dy == NULL ? NULL : last[1], last[0]);
    memcpy(to + i, last[0], rest);
}

#define LOOPS(name, value, derivative)                                                             \
    VDNN_CPU_CLONES static void name##_forward(const float *x, float *y, int64_t count,            \
                                               float slope)                                        \
    {                                                                                              \
        _Pragma("omp simd") for (int64_t i = 0; i < count; i++) y[i] = value(x[i], slope);         \
    }                                                                                              \
    VDNN_CPU_CLONES static void name##_backward(const float *from, const float *dy, float *dx,     \
                                                int64_t count, float slope)                        \
    {                                                                                              \
        _Pragma("omp simd") for (int64_t i = 0; i < count; i++) dx[i] =                            \
            derivative(from[i], dy[i], slope);                                                     \
    }

/* Name, value, derivative, whether the value at 0 is 0, and the loop on bf16. That of gelu's second
 * word is next to that of its first. */
#define FUNCTION_TABLE(X)                                                                          \
    X(gelu, gelu, gelu_back, true, NULL)                                                           \
    X(gelu_tanh, gelu_tanh, gelu_tanh_back, true, NULL)                                            \
    X(silu, silu, silu_back, true, NULL)                                                           \
    X(tanh, tanh_of, tanh_back, true, NULL)                                                        \
    X(sigmoid, sigmoid, sigmoid_back, false, NULL)                                                 \
    X(relu6, relu6, relu6_back, true, relu6_bf16)                                                  \
    X(leaky_relu, leaky_relu, leaky_relu_back, true, NULL)                                         \
    X(hardswish, hardswish, hardswish_back, true, NULL)                                            \
    X(scale, scale, scale_back, true, NULL)

#define X(name, value, derivative, is_zero, bf16) LOOPS(name, value, derivative)
FUNCTION_TABLE(X)
#undef X

enum {
#define X(name, value, derivative, is_zero, bf16) AT_##name,
    FUNCTION_TABLE(X)
#undef X
};

static const function functions[] = {
#define X(name, value, derivative, is_zero, bf16) {name##_forward, name##_backward, is_zero, bf16},
    FUNCTION_TABLE(X)
#undef X
};

/* ---- maps ------------------------------------------------------------------------------------ */

static void forward_block(const function *of, const vdnn_layer *layer, const vdnn_kernel_args *args,
                          vdnn_native_range range, float slope)
{
    float buffers[2][VDNN_NATIVE_BLOCK];
    vdnn_dtype dtype = layer->y.dtype;
    if (dtype == VDNN_BF16 && of->on_bf16 != NULL) {
        of->on_bf16((const uint16_t *)args->x[0] + range.begin, NULL,
                    (uint16_t *)args->y + range.begin, range.end - range.begin);
        return;
    }
    const float *x = vdnn_native_read(dtype, args->x[0], range, buffers[0]);
    float *y = vdnn_native_write_begin(dtype, args->y, range, buffers[1]);
    of->forward(x, y, range.end - range.begin, slope);
    vdnn_native_write_end(dtype, args->y, range, y);
}

static void backward_block(const function *of, const vdnn_layer *layer,
                           const vdnn_kernel_args *args, vdnn_native_range range, float slope)
{
    float buffers[3][VDNN_NATIVE_BLOCK];
    vdnn_dtype dtype = layer->y.dtype;
    const void *map = vdnn_activation_source(layer, args);
    if (dtype == VDNN_BF16 && of->on_bf16 != NULL) {
        of->on_bf16((const uint16_t *)map + range.begin, (const uint16_t *)args->dy + range.begin,
                    (uint16_t *)args->dx[0] + range.begin, range.end - range.begin);
        return;
    }
    const float *from = vdnn_native_read(dtype, map, range, buffers[0]);
    const float *dy = vdnn_native_read(dtype, args->dy, range, buffers[1]);
    float *dx = vdnn_native_write_begin(dtype, args->dx[0], range, buffers[2]);
    of->backward(from, dy, dx, range.end - range.begin, slope);
    vdnn_native_write_end(dtype, args->dx[0], range, dx);
}

/* The lanes of the last block of channels that no channel has. */
static void clear_padding(const vdnn_desc *y, void *map, int threads)
{
    const int64_t cells = y->dims[VDNN_H] * y->dims[VDNN_W];
    const int64_t blocks = vdnn_desc_channels(y) / VDNN_NATIVE_LANES;
    const int64_t used = y->dims[VDNN_C] - (blocks - 1) * VDNN_NATIVE_LANES;
    const size_t bytes = (size_t)(VDNN_NATIVE_LANES - used) * vdnn_dtype_bytes(y->dtype);
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads)
    for (int64_t n = 0; n < y->dims[VDNN_N]; n++) {
        const int64_t last = ((n + 1) * blocks - 1) * cells;
        for (int64_t cell = 0; cell < cells; cell++)
            memset(vdnn_native_at(y->dtype, map, (last + cell) * VDNN_NATIVE_LANES + used), 0,
                   bytes);
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_activation_config *config = layer->config;
    const function *of = (const function *)kernel->algorithm->variant + config->approximate;
    const float slope = (float)config->slope;
    const int64_t count = vdnn_desc_stored(&layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        if (kernel->pass == VDNN_FORWARD)
            forward_block(of, layer, args, range, slope);
        else
            backward_block(of, layer, args, range, slope);
    }
    if (kernel->pass == VDNN_FORWARD && !of->is_zero_at_zero &&
        vdnn_desc_channels(&layer->y) != layer->y.dims[VDNN_C])
        clear_padding(&layer->y, args->y, kernel->threads);
    return VDNN_OK;
}

#define ROW(kind)                                                                                  \
    const vdnn_algorithm vdnn_##kind##_native = {                                                  \
        .layer_type = #kind,                                                                       \
        .name = "native",                                                                          \
        .device = "cpu",                                                                           \
        .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,                                   \
        .deterministic = true,                                                                     \
        .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,                          \
        .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,                        \
        .variant = &functions[AT_##kind],                                                          \
        .refusal = vdnn_native_refusal_blocked,                                                    \
        .run = run,                                                                                \
    }

ROW(gelu);
ROW(silu);
ROW(tanh);
ROW(sigmoid);
ROW(relu6);
ROW(leaky_relu);
ROW(hardswish);
ROW(scale);
