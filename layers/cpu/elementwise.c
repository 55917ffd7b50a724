#include "layers/cpu/native.h"
#include "layers/stage.h"

#include <math.h>

#define VDNN_RULE VDNN_NATIVE_INLINE
#define VDNN_RULE_PLUS(a, b) ((a) + (b))
#define VDNN_RULE_TIMES(a, b) ((a) * (b))
#define VDNN_RULE_OVER(a, b) ((a) / (b))
#define VDNN_RULE_ROOT(a) sqrtf(a)
#include "layers/update_rules.h"

/* Up to this many parameters are updated by one thread, before others would have woken up. */
enum { ALONE_BLOCKS = 8 };

/* The slots that an optimizer does not have are NULL, and its rule, a constant to the compiler,
 * does not access them. */
VDNN_NATIVE_INLINE void update_elements(const vdnn_update *own, vdnn_native_range range,
                                        const vdnn_update_factors *factors, int32_t slot_count,
                                        void (*rule)(const vdnn_update_factors *f, float dw,
                                                     float *w, float *slots))
{
    const vdnn_update_factors f = *factors;
    float *restrict w = own->w, *restrict first = own->slots[0], *restrict second = own->slots[1];
    const float *restrict dw = own->dw;
    for (int64_t i = range.begin; i < range.end; i++) {
        float weight = w[i], slots[VDNN_MAX_SLOTS] = {first[i]};
        if (slot_count > 1)
            slots[1] = second[i];
        rule(&f, dw[i] * f.scale, &weight, slots);
        w[i] = weight;
        first[i] = slots[0];
        if (slot_count > 1)
            second[i] = slots[1];
    }
}

#define X(id, name, slots, ...)                                                                    \
    VDNN_CPU_CLONES static void name##_block(const vdnn_update *own, vdnn_native_range range,      \
                                             const vdnn_update_factors *factors)                   \
    {                                                                                              \
        update_elements(own, range, factors, slots, vdnn_rule_##name);                             \
    }
VDNN_OPTIMIZER_TABLE(X)
#undef X

typedef void update_range(const vdnn_update *own, vdnn_native_range range,
                          const vdnn_update_factors *factors);

static update_range *const blocks_of[] = {
#define X(id, name, ...) name##_block,
    VDNN_OPTIMIZER_TABLE(X)
#undef X
};

VDNN_CPU_CLONES static void average_block(const vdnn_update *own, vdnn_native_range range)
{
    float *restrict w = own->w, rate = (float)own->rate;
    const float *restrict dw = own->dw;
    for (int64_t i = range.begin; i < range.end; i++)
        w[i] = (1.0F - rate) * w[i] + rate * dw[i];
}

/* Blocks are numbered over all updates. */
static void update_block(const vdnn_update *own, int64_t block, update_range *optimize,
                         const vdnn_update_factors *factors)
{
    for (; block >= vdnn_native_blocks(own->count); own++)
        block -= vdnn_native_blocks(own->count);
    if (own->rule == VDNN_UPDATE_AVERAGE)
        average_block(own, vdnn_native_block(block, own->count));
    else
        optimize(own, vdnn_native_block(block, own->count), factors);
}

static vdnn_status update(const vdnn_update *updates, int32_t count, int threads,
                          const vdnn_step_context *context, void *stream)
{
    (void)stream;
    (void)threads; /* unused without OpenMP */
    vdnn_update_factors factors = vdnn_optimizer_factors(&context->settings, context->step);
    if (count > 0 && updates[0].norm != NULL)
        factors.scale = updates[0].norm->scale;
    int64_t blocks = 0;
    for (int32_t i = 0; i < count; i++)
        blocks += vdnn_native_blocks(updates[i].count);
#pragma omp parallel for num_threads(threads) if (blocks > ALONE_BLOCKS)
    for (int64_t block = 0; block < blocks; block++)
        update_block(updates, block, blocks_of[context->optimizer], &factors);
    return VDNN_OK;
}

/* ---- the norm of gradients --------------------------------------------------------------------
 */

enum { SQUARE_LANES = 16 };

VDNN_CPU_CLONES static double square_block(const float *dw, vdnn_native_range range)
{
    double lanes[SQUARE_LANES] = {0}, sum = 0;
    int64_t i = range.begin;
    for (; i + SQUARE_LANES <= range.end; i += SQUARE_LANES)
        for (int k = 0; k < SQUARE_LANES; k++)
            lanes[k] += (double)dw[i + k] * (double)dw[i + k];
    for (int k = 0; i + k < range.end; k++)
        lanes[k] += (double)dw[i + k] * (double)dw[i + k];
    for (int k = 0; k < SQUARE_LANES; k++)
        sum += lanes[k];
    return sum;
}

/* Every VDNN_NORM_PARTS-th block of all updates. */
static double square_part(const vdnn_update *updates, int32_t count, int64_t part)
{
    double sum = 0;
    int64_t block = part;
    for (int32_t i = 0; i < count; i++) {
        int64_t blocks =
            updates[i].rule == VDNN_UPDATE_OPTIMIZER ? vdnn_native_blocks(updates[i].count) : 0;
        for (; block < blocks; block += VDNN_NORM_PARTS)
            sum += square_block(updates[i].dw, vdnn_native_block(block, updates[i].count));
        block -= blocks;
    }
    return sum;
}

static vdnn_status add_norm(const vdnn_update *updates, int32_t count, bool is_first, int threads,
                            const vdnn_step_context *context, vdnn_norm *norm, void *stream)
{
    (void)stream;
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads)
    for (int64_t part = 0; part < VDNN_NORM_PARTS; part++)
        norm->parts[part] = square_part(updates, count, part);
    if (is_first)
        norm->squares = 0;
    for (int part = 0; part < VDNN_NORM_PARTS; part++)
        norm->squares += norm->parts[part];
    norm->scale = vdnn_optimizer_scale(norm->squares, context->clip_norm);
    return VDNN_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

VDNN_CPU_CLONES static void add_block(float *restrict sum, const float *restrict part,
                                      int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += part[i];
}

static void accumulate_block(char *sum, const char *part, vdnn_dtype dtype, int64_t count)
{
    if (dtype == VDNN_F32) {
        add_block((float *)(void *)sum, (const float *)(const void *)part, count);
        return;
    }
    float wide_sum[VDNN_NATIVE_BLOCK], wide_part[VDNN_NATIVE_BLOCK];
    vdnn_stage_widen(dtype, sum, wide_sum, count);
    vdnn_stage_widen(dtype, part, wide_part, count);
    add_block(wide_sum, wide_part, count);
    vdnn_stage_narrow(dtype, wide_sum, sum, count);
}

static vdnn_status accumulate(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream)
{
    (void)stream;
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        size_t offset = (size_t)range.begin * vdnn_dtype_bytes(dtype);
        accumulate_block((char *)sum + offset, (const char *)part + offset, dtype,
                         range.end - range.begin);
    }
    return VDNN_OK;
}

static vdnn_status clear(void *at, size_t bytes, int threads, void *stream)
{
    (void)threads;
    (void)stream;
    memset(at, 0, bytes);
    return VDNN_OK;
}

static vdnn_status move(const vdnn_stripes *from, const void *source, const vdnn_stripes *to,
                        void *target, int threads, void *stream)
{
    (void)stream;
    (void)threads; /* unused without OpenMP */
    const char *own = (const char *)source + from->offset;
    char *other = (char *)target + to->offset;
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < from->count; i++)
        memcpy(other + (size_t)i * to->stride, own + (size_t)i * from->stride, from->bytes);
    return VDNN_OK;
}

const vdnn_elementwise vdnn_elementwise_native = {
    .device = "cpu",
    .update = update,
    .norm = add_norm,
    .accumulate = accumulate,
    .clear = clear,
    .move = move,
};
