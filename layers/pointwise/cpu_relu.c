#include "layers/cpu/native.h"
#include "runtime/base/machine/simd.h"

/* NaN is propagated in both passes: only values known to be at most zero become zero. A bf16 is
 * compared as an integer, which has the same order without the sign. */
enum { BF16_SIGN = 0x8000, BF16_MINUS_INFINITY = 0xff80 };

static inline bool is_positive(uint16_t x)
{
    return (x != 0) & ((x < BF16_SIGN) | (x > BF16_MINUS_INFINITY));
}

/* 16-bit values are selected by a bitwise and: gcc does not vectorize them otherwise. */
static inline uint16_t all_ones_if(bool condition)
{
    return (uint16_t) - (uint16_t)condition;
}

VDNN_CPU_CLONES static void forward_f32(const float *x, float *y, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] <= 0 ? 0.0F : x[i];
}

VDNN_CPU_CLONES static void forward_bf16(const uint16_t *x, uint16_t *y, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = is_positive(x[i]) ? x[i] : 0;
}

/* One byte per value, all ones if it passes; then one bit per value. */
enum { RUN = 256 };

static void pack_bits(const uint8_t bytes[RUN], int64_t count, uint8_t *mask)
{
#if VDNN_SIMD_X86
    for (int64_t i = 0; i < count; i += 16) {
        unsigned bits = (unsigned)_mm_movemask_epi8(_mm_loadu_si128((const void *)(bytes + i)));
        mask[i / 8] = (uint8_t)bits;
        if (i + 8 < count)
            mask[i / 8 + 1] = (uint8_t)(bits >> 8);
    }
#else
    for (int64_t i = 0; i < count; i++)
        mask[i / 8] = (uint8_t)((i % 8 == 0 ? 0 : mask[i / 8]) | (bytes[i] & 1) << i % 8);
#endif
}

VDNN_CPU_CLONES static void test_f32(const float *y, uint8_t *bytes, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        bytes[i] = y[i] <= 0 ? 0 : 0xff;
}

VDNN_CPU_CLONES static void test_bf16(const uint16_t *y, uint8_t *bytes, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        bytes[i] = is_positive(y[i]) ? 0xff : 0;
}

static void make_mask(vdnn_dtype dtype, const void *y, uint8_t *mask, int64_t count)
{
    uint8_t bytes[RUN] = {0};
    for (int64_t first = 0; first < count; first += RUN) {
        int64_t run = count - first < RUN ? count - first : RUN;
        memset(bytes + run, 0, (size_t)(RUN - run));
        if (dtype == VDNN_F32)
            test_f32((const float *)y + first, bytes, run);
        else
            test_bf16((const uint16_t *)y + first, bytes, run);
        pack_bits(bytes, run, mask + first / 8);
    }
}

VDNN_CPU_CLONES static void backward_by_y_f32(const float *y, const float *dy, float *dx,
                                              int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dx[i] = y[i] <= 0 ? 0.0F : dy[i];
}

VDNN_CPU_CLONES static void backward_by_y_bf16(const uint16_t *y, const uint16_t *dy, uint16_t *dx,
                                               int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dx[i] = dy[i] & all_ones_if(is_positive(y[i]));
}

VDNN_CPU_CLONES static void select_bf16(const uint8_t *mask, const uint16_t *dy, uint16_t *dx,
                                        int64_t count)
{
    enum { RUN_OF_BITS = 16 };
    static const uint16_t bit[RUN_OF_BITS] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                              1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                              1 << 12, 1 << 13, 1 << 14, 1 << 15};
    int64_t i = 0;
    for (; i + RUN_OF_BITS <= count; i += RUN_OF_BITS) {
        uint16_t bits = (uint16_t)(mask[i / 8] | mask[i / 8 + 1] << 8);
#pragma omp simd
        for (int k = 0; k < RUN_OF_BITS; k++)
            dx[i + k] = dy[i + k] & all_ones_if((bits & bit[k]) == bit[k]);
    }
    for (; i < count; i++)
        dx[i] = mask[i / 8] >> (i % 8) & 1 ? dy[i] : 0;
}

static void forward_block(vdnn_dtype dtype, const void *x, void *y, uint8_t *mask, int64_t count)
{
    if (dtype == VDNN_F32)
        forward_f32(x, y, count);
    else
        forward_bf16(x, y, count);
    if (mask != NULL)
        make_mask(dtype, y, mask, count);
}

static void backward_by_y(vdnn_dtype dtype, const void *y, const void *dy, void *dx, int64_t count)
{
    if (dtype == VDNN_F32)
        backward_by_y_f32(y, dy, dx, count);
    else
        backward_by_y_bf16(y, dy, dx, count);
}

static void backward_by_mask(vdnn_dtype dtype, const uint8_t *mask, const void *dy, void *dx,
                             int64_t count)
{
    if (dtype == VDNN_F32)
        vdnn_native_select(mask, 1, dy, dx, (vdnn_native_range){0, count});
    else
        select_bf16(mask, dy, dx, count);
}

static void run_block(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                      vdnn_native_range range)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_dtype dtype = layer->y.dtype;
    int64_t count = range.end - range.begin;
    uint8_t *masks = args->aux;
    if (kernel->pass == VDNN_FORWARD) {
        forward_block(dtype, vdnn_native_at(dtype, args->x[0], range.begin),
                      vdnn_native_at(dtype, args->y, range.begin),
                      layer->aux_bytes > 0 ? masks + range.begin / 8 : NULL, count);
        return;
    }
    const void *dy = vdnn_native_at(dtype, args->dy, range.begin);
    void *dx = vdnn_native_at(dtype, args->dx[0], range.begin);
    if (layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_Y)
        backward_by_y(dtype, vdnn_native_at(dtype, args->y, range.begin), dy, dx, count);
    else
        backward_by_mask(dtype, masks + range.begin / 8, dy, dx, count);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_stored(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
        run_block(kernel, args, vdnn_native_block(block, count));
    return VDNN_OK;
}

const vdnn_algorithm vdnn_relu_native = {
    .layer_type = "relu",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .run = run,
};
