#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/loss/number_loss.h"

enum { LANES = VDNN_NATIVE_LANES };

/* Of a block of elements. */
typedef struct tally {
    double loss;
    int64_t right; /* on the side of 1/2 that their labels are on */
} tally;

typedef struct number_loss {
    tally (*sum)(const float *x, const float *t, float weight, int64_t count);
    void (*slopes)(const float *x, const float *t, float weight, float scale, float *dx,
                   int64_t count);
} number_loss;

VDNN_MATH_INLINE float mse(float x, float t, float weight)
{
    (void)weight;
    return (x - t) * (x - t);
}

VDNN_MATH_INLINE float mse_slope(float x, float t, float weight)
{
    (void)weight;
    return 2.0F * (x - t);
}

VDNN_MATH_INLINE int32_t mse_is_right(float x, float t)
{
    (void)x;
    (void)t;
    return 0;
}

VDNN_MATH_INLINE float bce(float x, float t, float weight)
{
    const float both = vdnn_math_log1p(vdnn_math_decay(-vdnn_math_at_most(fabsf(x), 88.0F)));
    const float no = x < 0 ? 0.0F : x, yes = no - x; /* the larger of x or -x and 0; NaN stays */
    return weight * t * (both + yes) + (1.0F - t) * (both + no);
}

VDNN_MATH_INLINE float bce_slope(float x, float t, float weight)
{
    float rest, s = vdnn_math_sigmoid_pair(x, &rest);
    return (1.0F - t) * s - weight * t * rest;
}

VDNN_MATH_INLINE int32_t bce_is_right(float x, float t)
{
    return (x > 0) == (t > 0.5F);
}

/* A block's sum is of LANES interleaved ones, in this order. */
#define NUMBER_LOSS(name)                                                                          \
    VDNN_CPU_CLONES static tally name##_sum(const float *x, const float *t, float weight,          \
                                            int64_t count)                                         \
    {                                                                                              \
        double losses[LANES] = {0};                                                                \
        int32_t rights[LANES] = {0};                                                               \
        tally sum = {0};                                                                           \
        int64_t i = 0;                                                                             \
        for (; i + LANES <= count; i += LANES)                                                     \
            _Pragma("omp simd") for (int lane = 0; lane < LANES; lane++)                           \
            {                                                                                      \
                losses[lane] += (double)name(x[i + lane], t[i + lane], weight);                    \
                rights[lane] += name##_is_right(x[i + lane], t[i + lane]);                         \
            }                                                                                      \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            sum.loss += losses[lane];                                                              \
            sum.right += rights[lane];                                                             \
        }                                                                                          \
        for (; i < count; i++) {                                                                   \
            sum.loss += (double)name(x[i], t[i], weight);                                          \
            sum.right += name##_is_right(x[i], t[i]);                                              \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    VDNN_CPU_CLONES static void name##_slopes(const float *x, const float *t, float weight,        \
                                              float scale, float *dx, int64_t count)               \
    {                                                                                              \
        _Pragma("omp simd") for (int64_t i = 0; i < count; i++) dx[i] =                            \
            scale * name##_slope(x[i], t[i], weight);                                              \
    }                                                                                              \
    static const number_loss name##_loss = {name##_sum, name##_slopes}

NUMBER_LOSS(mse);
NUMBER_LOSS(bce);

/* The sums of the blocks, so that they are added in one order with any number of threads. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const int64_t blocks = vdnn_native_blocks(vdnn_desc_count(&kernel->layer->x[0]));
    *bytes = kernel->pass == VDNN_FORWARD ? (size_t)blocks * sizeof(tally) : 0;
    return VDNN_OK;
}

static void forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const number_loss *loss = kernel->algorithm->variant;
    const vdnn_desc *x = &kernel->layer->x[0];
    const int64_t count = vdnn_desc_count(x), blocks = vdnn_native_blocks(count);
    const float weight = (float)vdnn_number_loss_weight(kernel->layer);
    tally *sums = args->workspace, sum = {0};
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < blocks; block++) {
        float buffer[VDNN_NATIVE_BLOCK];
        const vdnn_native_range range = vdnn_native_block(block, count);
        sums[block] =
            loss->sum(vdnn_native_read(x->dtype, args->x[0], range, buffer),
                      (const float *)args->labels + range.begin, weight, range.end - range.begin);
    }
    for (int64_t block = 0; block < blocks; block++) {
        sum.loss += sums[block].loss;
        sum.right += sums[block].right;
    }
    float *y = args->y;
    y[0] = (float)(sum.loss / (double)count);
    y[1] = (float)sum.right;
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const number_loss *loss = kernel->algorithm->variant;
    const vdnn_desc *x = &kernel->layer->x[0];
    const int64_t count = vdnn_desc_count(x);
    const float weight = (float)vdnn_number_loss_weight(kernel->layer),
                scale = vdnn_number_loss_scale(kernel->layer, args->weight);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        float from[VDNN_NATIVE_BLOCK], to[VDNN_NATIVE_BLOCK];
        const vdnn_native_range range = vdnn_native_block(block, count);
        float *dx = vdnn_native_write_begin(x->dtype, args->dx[0], range, to);
        loss->slopes(vdnn_native_read(x->dtype, args->x[0], range, from),
                     (const float *)args->labels + range.begin, weight, scale, dx,
                     range.end - range.begin);
        vdnn_native_write_end(x->dtype, args->dx[0], range, dx);
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    (kernel->pass == VDNN_FORWARD ? forward : backward)(kernel, args);
    return VDNN_OK;
}

#define ROW(type)                                                                                  \
    const vdnn_algorithm vdnn_##type##_native = {                                                  \
        .layer_type = #type,                                                                       \
        .name = "native",                                                                          \
        .device = "cpu",                                                                           \
        .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,                                   \
        .deterministic = true,                                                                     \
        .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,                          \
        .variant = &type##_loss,                                                                   \
        .refusal = vdnn_native_refusal,                                                            \
        .workspace = workspace,                                                                    \
        .run = run,                                                                                \
    }

ROW(mse);
ROW(bce);
