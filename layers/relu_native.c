#include "layers/native.h"

/* NaN is passed on, both ways: only what is known to be at most zero is cut. A bf16 is looked at as
 * an integer: its order is that of its numbers, where the sign is clear. */
enum { BF16_SIGN = 0x8000, BF16_MINUS_INFINITY = 0xff80 };

static inline uint16_t is_positive(uint16_t x)
{
    return (uint16_t)((x != 0) & ((x < BF16_SIGN) | (x > BF16_MINUS_INFINITY)));
}

VDNN_NATIVE_CLONES static void forward_f32(const float *x, float *y, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] <= 0 ? 0.0F : x[i];
}

VDNN_NATIVE_CLONES static void forward_bf16(const uint16_t *x, uint16_t *y, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        y[i] = is_positive(x[i]) ? x[i] : 0;
}

/* One byte a value, 1 where it passes; then a bit a value: the product moves the lowest bits of
 * eight bytes into the highest byte. */
enum { RUN = 256 };

static inline void pack_bits(const uint8_t bytes[RUN], int64_t count, uint8_t *mask)
{
    for (int64_t i = 0; i < count; i += 8) {
        uint64_t eight = 0;
        for (unsigned lane = 0; lane < 8; lane++)
            eight |= (uint64_t)bytes[i + lane] << (8 * lane);
        mask[i / 8] = (uint8_t)(eight * UINT64_C(0x0102040810204080) >> 56);
    }
}

VDNN_NATIVE_CLONES static void mask_f32(const float *y, uint8_t *mask, int64_t count)
{
    uint8_t bytes[RUN] = {0};
    for (int64_t first = 0; first < count; first += RUN) {
        int64_t run = count - first < RUN ? count - first : RUN;
        if (run < RUN)
            memset(bytes, 0, sizeof bytes);
        for (int64_t i = 0; i < run; i++)
            bytes[i] = !(y[first + i] <= 0);
        pack_bits(bytes, run, mask + first / 8);
    }
}

VDNN_NATIVE_CLONES static void mask_bf16(const uint16_t *y, uint8_t *mask, int64_t count)
{
    uint8_t bytes[RUN] = {0};
    for (int64_t first = 0; first < count; first += RUN) {
        int64_t run = count - first < RUN ? count - first : RUN;
        if (run < RUN)
            memset(bytes, 0, sizeof bytes);
        for (int64_t i = 0; i < run; i++)
            bytes[i] = (uint8_t)is_positive(y[first + i]);
        pack_bits(bytes, run, mask + first / 8);
    }
}

VDNN_NATIVE_CLONES static void backward_by_y_f32(const float *y, const float *dy, float *dx,
                                                 int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dx[i] = y[i] <= 0 ? 0.0F : dy[i];
}

VDNN_NATIVE_CLONES static void backward_by_y_bf16(const uint16_t *y, const uint16_t *dy,
                                                  uint16_t *dx, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        dx[i] = is_positive(y[i]) ? dy[i] : 0;
}

VDNN_NATIVE_CLONES static void select_bf16(const uint8_t *mask, const uint16_t *dy, uint16_t *dx,
                                           int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (unsigned lane = 0; lane < 8; lane++)
            dx[i + lane] = (uint16_t)(dy[i + lane] & (0U - (mask[i / 8] >> lane & 1U)));
    for (; i < count; i++)
        dx[i] = mask[i / 8] >> (i % 8) & 1 ? dy[i] : 0;
}

static void forward_block(vdnn_dtype dtype, const void *x, void *y, uint8_t *mask, int64_t count)
{
    if (dtype == VDNN_F32)
        forward_f32(x, y, count);
    else
        forward_bf16(x, y, count);
    if (mask != NULL && dtype == VDNN_F32)
        mask_f32(y, mask, count);
    else if (mask != NULL)
        mask_bf16(y, mask, count);
}

/* By y where there is one, else by the mask, which begins with this block. */
static void backward_block(vdnn_dtype dtype, const void *y, const uint8_t *mask, const void *dy,
                           void *dx, int64_t count)
{
    if (dtype == VDNN_F32 && y != NULL)
        backward_by_y_f32(y, dy, dx, count);
    else if (dtype == VDNN_F32)
        vdnn_native_select(mask, 1, dy, dx, (vdnn_native_range){0, count});
    else if (y != NULL)
        backward_by_y_bf16(y, dy, dx, count);
    else
        select_bf16(mask, dy, dx, count);
}

static void run_block(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                      vdnn_native_range range)
{
    vdnn_dtype dtype = kernel->layer->y.dtype;
    int64_t count = range.end - range.begin;
    bool forward = kernel->pass == VDNN_FORWARD;
    bool by_y = kernel->layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_Y;
    uint8_t *mask = kernel->layer->aux_bytes > 0 ? (uint8_t *)args->aux + range.begin / 8 : NULL;
    void *y = forward || by_y ? vdnn_native_at(dtype, args->y, range.begin) : NULL;
    if (forward)
        forward_block(dtype, vdnn_native_at(dtype, args->x[0], range.begin), y, mask, count);
    else
        backward_block(dtype, y, mask, vdnn_native_at(dtype, args->dy, range.begin),
                       vdnn_native_at(dtype, args->dx[0], range.begin), count);
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
    .refusal = vdnn_native_refusal_blocked,
    .run = run,
};
