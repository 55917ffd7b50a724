#include "layers/attention/cpu_rows.h"

#include "layers/count.h"
#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/stage.h"

enum { LANES = VDNN_NATIVE_LANES };

/* ---- layers ---------------------------------------------------------------------------------- */

const char *vdnn_attention_cpu_refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->x[i].dtype != VDNN_F32 && layer->x[i].dtype != VDNN_BF16 &&
            !vdnn_desc_is_integer(&layer->x[i]))
            return "the data type of an input is neither f32 nor bf16";
    return NULL;
}

vdnn_attention_counts vdnn_attention_counts_at(const vdnn_attention_shape *shape,
                                               const vdnn_kernel_args *args, int64_t sample)
{
    const int32_t *lengths = shape->lengths < 0 ? NULL : args->x[shape->lengths];
    return vdnn_attention_counts_of(shape, lengths == NULL ? 0 : lengths[sample]);
}

vdnn_status vdnn_attention_check_lengths(const vdnn_attention_shape *shape, const vdnn_layer *layer,
                                         const vdnn_kernel_args *args)
{
    const int32_t *lengths = shape->lengths < 0 ? NULL : args->x[shape->lengths];
    for (int64_t n = 0; lengths != NULL && n < shape->samples; n++)
        if (lengths[n] < 0 || lengths[n] > shape->keys)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s layer '%s': sample %lld of the batch has the length %d, "
                                    "but lengths are 0 to %lld",
                                    layer->def->type, layer->name, (long long)n, lengths[n],
                                    (long long)shape->keys);
    return VDNN_OK;
}

/* ---- vectors --------------------------------------------------------------------------------- */

vdnn_attention_vectors vdnn_attention_vectors_of(const vdnn_attention_part *part, vdnn_dtype dtype,
                                                 void *map, int64_t sample, int64_t head)
{
    return (vdnn_attention_vectors){
        .dtype = dtype,
        .at = vdnn_native_at(dtype, map, vdnn_attention_at(part, sample, 0, head)),
        .stride = (size_t)part->features * vdnn_dtype_bytes(dtype),
        .width = part->width};
}

int64_t vdnn_attention_padded(int64_t width)
{
    return vdnn_count_pieces(width, LANES) * LANES;
}

VDNN_CPU_CLONES void vdnn_attention_scale(float *row, float factor, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        row[i] *= factor;
}

void vdnn_attention_read(const vdnn_attention_vectors *from, int64_t position, int64_t count,
                         float scale, float *to, int64_t row)
{
    for (int64_t i = 0; i < count; i++) {
        float *vector = to + i * row;
        vdnn_stage_widen(from->dtype, from->at + (size_t)(position + i) * from->stride, vector,
                         from->width);
        if (scale != 1)
            vdnn_attention_scale(vector, scale, from->width);
        memset(vector + from->width, 0, (size_t)(row - from->width) * sizeof *vector);
    }
}

VDNN_CPU_CLONES static void scaled(const float *restrict from, float factor, float *restrict to,
                                   int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = factor * from[i];
}

void vdnn_attention_write(const vdnn_attention_vectors *to, int64_t position, int64_t count,
                          float scale, const float *from, int64_t row)
{
    enum { CHUNK = 256 };
    float chunk[CHUNK];
    for (int64_t i = 0; i < count; i++)
        for (int64_t first = 0; first < to->width; first += CHUNK) {
            int64_t own = vdnn_count_min(to->width - first, CHUNK);
            scaled(from + i * row + first, scale, chunk, own);
            vdnn_stage_narrow(
                to->dtype, chunk,
                vdnn_native_at(to->dtype, to->at + (size_t)(position + i) * to->stride, first),
                own);
        }
}

/* ---- scores: sums and maxima in lanes, whatever the width of the processor's vectors is -------
 */

float vdnn_attention_sum(const float lanes[LANES])
{
    float sums[LANES];
    memcpy(sums, lanes, sizeof sums);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++)
            sums[lane] += sums[lane + half];
    return sums[0];
}

VDNN_CPU_CLONES float vdnn_attention_dot(const float *a, const float *b, int64_t count)
{
    float sums[LANES] = {0};
    for (int64_t i = 0; i < count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += a[i + lane] * b[i + lane];
    return vdnn_attention_sum(sums);
}

VDNN_CPU_CLONES static float largest_of(const float *row, int64_t count)
{
    float lanes[LANES], largest = -INFINITY;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = -INFINITY;
    for (int64_t i = 0; i < count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] = lanes[lane] < row[i + lane] ? row[i + lane] : lanes[lane];
    for (int lane = 0; lane < LANES; lane++)
        largest = largest < lanes[lane] ? lanes[lane] : largest;
    return largest;
}

VDNN_CPU_CLONES static float weigh(float *row, float largest, int64_t count)
{
    float sums[LANES] = {0};
    for (int64_t i = 0; i < count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            row[i + lane] = vdnn_math_exp(row[i + lane] - largest);
            sums[lane] += row[i + lane];
        }
    return vdnn_attention_sum(sums);
}

static void fill(float *row, int64_t first, int64_t end, float value)
{
    for (int64_t i = first; i < end; i++)
        row[i] = value;
}

/* What does not count is -infinity up to the end of the lanes, of which the exponential is 0. */
float vdnn_attention_weigh(float *scores, int64_t valid, int64_t count, vdnn_attention_sums *row)
{
    int64_t padded = vdnn_attention_padded(valid);
    fill(scores, valid, padded, -INFINITY);
    float largest = largest_of(scores, padded);
    largest = largest < row->largest ? row->largest : largest;
    float sum = weigh(scores, largest, padded);
    fill(scores, padded, count, 0);
    float factor = row->largest == largest ? 1 : expf(row->largest - largest);
    *row = (vdnn_attention_sums){largest, row->sum * factor + sum};
    return factor;
}

VDNN_CPU_CLONES static void unweigh(float *restrict scores, float *restrict gradients,
                                    int64_t count, float log_sum, float delta)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++) {
        scores[i] = vdnn_math_exp(scores[i] - log_sum);
        gradients[i] = scores[i] * (gradients[i] - delta);
    }
}

void vdnn_attention_unweigh(float *scores, float *gradients, int64_t valid, int64_t count,
                            float log_sum, float delta)
{
    unweigh(scores, gradients, valid, log_sum, delta);
    fill(scores, valid, count, 0);
    fill(gradients, valid, count, 0);
}
