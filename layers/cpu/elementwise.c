#include "layers/cpu/native.h"
#include "layers/stage.h"

#include <math.h>

#define VDNN_RULE VDNN_NATIVE_INLINE
#define VDNN_RULE_PLUS(a, b) ((a) + (b))
#define VDNN_RULE_TIMES(a, b) ((a) * (b))
#define VDNN_RULE_OVER(a, b) ((a) / (b))
#define VDNN_RULE_ROOT(a) sqrtf(a)
#include "layers/update_rules.h"

/* Up to this many blocks are updated or added by one thread, before others would have woken up. */
enum { ALONE_BLOCKS = 8 };

/* 1 or 0, in integers, which loops have several of at once. */
VDNN_NATIVE_INLINE uint32_t is_nonfinite(float value)
{
    static const uint32_t exponent = 0x7F800000U;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & exponent) == exponent;
}

/* `first` is 1 or 0. Without a branch: with one, compilers do not vectorize the loop. */
VDNN_NATIVE_INLINE float choose(uint32_t first, float a, float b)
{
    const uint32_t mask = 0U - first;
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    bits[0] = (bits[0] & mask) | (bits[1] & ~mask);
    memcpy(&b, &bits[0], sizeof b);
    return b;
}

/* An optimizer's rule, a constant to the compiler, which does not access the slots that are NULL.
 */
typedef void rule_of_element(const vdnn_update_factors *f, float dw, float *w, float *slots);

/* What some elements were before, in the first-level cache. */
enum { SAVED_ELEMENTS = 512 };

typedef struct saved {
    float w[SAVED_ELEMENTS], slots[VDNN_MAX_SLOTS][SAVED_ELEMENTS];
} saved;

VDNN_NATIVE_INLINE uint32_t larger_size(uint32_t largest, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0x7FFFFFFFU;
    return bits > largest ? bits : largest;
}

/* Whether all weights and slots are finite: without their signs numbers have the order of their
 * bits, and what is not finite is above all that is. */
VDNN_NATIVE_INLINE bool update_elements(const vdnn_update *own, vdnn_native_range range,
                                        const vdnn_update_factors *factors, saved *before,
                                        int32_t slot_count, rule_of_element *rule)
{
    static const uint32_t infinity = 0x7F800000U;
    uint32_t largest = 0;
    const vdnn_update_factors f = *factors;
    float *restrict w = own->w + range.begin, *restrict first = own->slots[0] + range.begin,
                    *restrict second = slot_count > 1 ? own->slots[1] + range.begin : NULL;
    const float *restrict dw = own->dw + range.begin;
    for (int64_t i = 0; i < range.end - range.begin; i++) {
        float weight = w[i], slots[VDNN_MAX_SLOTS] = {first[i]};
        if (slot_count > 1)
            slots[1] = second[i];
        before->w[i] = weight;
        before->slots[0][i] = slots[0];
        if (slot_count > 1)
            before->slots[1][i] = slots[1];
        rule(&f, dw[i] * f.scale, &weight, slots);
        w[i] = weight;
        first[i] = slots[0];
        largest = larger_size(larger_size(largest, weight), slots[0]);
        if (slot_count > 1) {
            second[i] = slots[1];
            largest = larger_size(largest, slots[1]);
        }
    }
    return largest < infinity;
}

/* An element whose weight or slots would not be finite stays as it is. */
VDNN_NATIVE_INLINE void update_finite(const vdnn_update *own, vdnn_native_range range,
                                      const vdnn_update_factors *factors, const saved *before,
                                      int32_t slot_count, rule_of_element *rule)
{
    for (int64_t i = range.begin; i < range.end; i++) {
        const int64_t at = i - range.begin;
        float weight = before->w[at], slots[VDNN_MAX_SLOTS] = {before->slots[0][at]};
        if (slot_count > 1)
            slots[1] = before->slots[1][at];
        rule(factors, own->dw[i] * factors->scale, &weight, slots);
        if (isfinite(weight) && isfinite(slots[0]) && (slot_count == 1 || isfinite(slots[1])))
            continue;
        own->w[i] = before->w[at];
        for (int32_t s = 0; s < slot_count; s++)
            own->slots[s][i] = before->slots[s][at];
    }
}

#define X(id, name, slots, ...)                                                                    \
    VDNN_CPU_CLONES static bool name##_elements(const vdnn_update *own, vdnn_native_range range,   \
                                                const vdnn_update_factors *factors, saved *before) \
    {                                                                                              \
        return update_elements(own, range, factors, before, slots, vdnn_rule_##name);              \
    }                                                                                              \
    static void name##_finite(const vdnn_update *own, vdnn_native_range range,                     \
                              const vdnn_update_factors *factors, const saved *before)             \
    {                                                                                              \
        update_finite(own, range, factors, before, slots, vdnn_rule_##name);                       \
    }
VDNN_OPTIMIZER_TABLE(X)
#undef X

static const struct {
    bool (*update)(const vdnn_update *own, vdnn_native_range range,
                   const vdnn_update_factors *factors, saved *before);
    void (*restore)(const vdnn_update *own, vdnn_native_range range,
                    const vdnn_update_factors *factors, const saved *before);
} rules[] = {
#define X(id, name, ...) {name##_elements, name##_finite},
    VDNN_OPTIMIZER_TABLE(X)
#undef X
};

/* Whether some weight or slot is not finite, or would not be. */
static uint32_t optimize(const vdnn_update *own, vdnn_native_range range,
                         vdnn_optimizer_id optimizer, const vdnn_update_factors *factors,
                         uint32_t holds)
{
    saved before;
    uint32_t any = 0;
    for (int64_t begin = range.begin; begin < range.end; begin += SAVED_ELEMENTS) {
        const int64_t end = begin + SAVED_ELEMENTS;
        const vdnn_native_range some = {begin, end < range.end ? end : range.end};
        if (rules[optimizer].update(own, some, factors, &before))
            continue;
        any = 1;
        if (holds != 0)
            rules[optimizer].restore(own, some, factors, &before);
    }
    return any;
}

/* ---- updates --------------------------------------------------------------------------------- */

VDNN_CPU_CLONES static uint32_t average_block(const vdnn_update *own, vdnn_native_range range,
                                              uint32_t holds)
{
    float *restrict w = own->w, rate = (float)own->rate;
    const float *restrict dw = own->dw;
    uint32_t any = 0;
    for (int64_t i = range.begin; i < range.end; i++) {
        const float average = (1.0F - rate) * w[i] + rate * dw[i];
        const uint32_t found = is_nonfinite(average);
        any |= found;
        w[i] = choose(found & holds, w[i], average);
    }
    return any;
}

/* Which of both it was. */
static void note_found(const vdnn_update *own, vdnn_native_range range)
{
    uint32_t gradient = 0;
    for (int64_t i = range.begin; i < range.end; i++)
        gradient |= is_nonfinite(own->dw[i]);
    uint8_t *at = gradient != 0 ? &own->found->gradient : &own->found->weight;
    __atomic_store_n(at, 1, __ATOMIC_RELAXED); /* by other threads, too */
}

/* Blocks are numbered over all updates. */
static void update_block(const vdnn_update *own, int64_t block, vdnn_optimizer_id optimizer,
                         const vdnn_update_factors *factors, uint32_t holds)
{
    for (; block >= vdnn_native_blocks(own->count); own++)
        block -= vdnn_native_blocks(own->count);
    const vdnn_native_range range = vdnn_native_block(block, own->count);
    const uint32_t found = own->rule == VDNN_UPDATE_AVERAGE
                               ? average_block(own, range, holds)
                               : optimize(own, range, optimizer, factors, holds);
    if (found != 0 && own->found != NULL)
        note_found(own, range);
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
    const uint32_t holds = count > 0 && updates[0].found != NULL && !context->admits_nonfinite;
#pragma omp parallel for num_threads(threads) if (blocks > ALONE_BLOCKS)
    for (int64_t block = 0; block < blocks; block++)
        update_block(updates, block, context->optimizer, &factors, holds);
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
#pragma omp parallel for num_threads(threads) if (vdnn_native_blocks(count) > ALONE_BLOCKS)
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
