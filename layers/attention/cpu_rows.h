#ifndef VDNN_LAYERS_ATTENTION_CPU_ROWS_H
#define VDNN_LAYERS_ATTENTION_CPU_ROWS_H

/* Rows of scores and of vectors, as the CPU algorithms of attention read, weight and write them.
 *
 * Invariant: a result depends neither on the instruction set nor on what else is computed. Rows of
 * vectors are padded with zeros to multiples of 16, rows of scores begin at multiples of 16.
 * Threads: pure over their arguments.
 *
 *     vdnn_attention_read(&map, position, count, s->scale, q, padded);
 *     vdnn_attention_row row = vdnn_attention_weigh(scores, valid, count, row);
 */

#include "layers/attention/attention.h"
#include "layers/cpu/native.h"

/* Why no CPU algorithm supports the layer; NULL: they do. */
const char *vdnn_attention_cpu_refusal(const vdnn_kernel *kernel);

/* VDNN_BAD_INPUT with the sample whose length its positions are fewer than. */
vdnn_status vdnn_attention_check_lengths(const vdnn_attention_shape *shape, const vdnn_layer *layer,
                                         const vdnn_kernel_args *args);
/* Of a sample, whose length was checked. */
vdnn_attention_counts vdnn_attention_counts_at(const vdnn_attention_shape *shape,
                                               const vdnn_kernel_args *args, int64_t sample);

/* The vectors of one head of one sample. */
typedef struct vdnn_attention_vectors {
    vdnn_dtype dtype;
    char *at;      /* position 0; only written by vdnn_attention_write */
    size_t stride; /* bytes from one position to the next */
    int64_t width;
} vdnn_attention_vectors;

vdnn_attention_vectors vdnn_attention_vectors_of(const vdnn_attention_part *part, vdnn_dtype dtype,
                                                 void *map, int64_t sample, int64_t head);

/* Elements of a row of `width`, padded. */
int64_t vdnn_attention_padded(int64_t width);

/* `count` vectors from `position` on, times `scale`, to rows of f32, `row` apart, with zeros to
 * there; and back, without the padding. */
void vdnn_attention_read(const vdnn_attention_vectors *from, int64_t position, int64_t count,
                         float scale, float *to, int64_t row);
void vdnn_attention_write(const vdnn_attention_vectors *to, int64_t position, int64_t count,
                          float scale, const float *from, int64_t row);

/* What is known of a row of scores so far: their largest, and the sum of exp(score - largest). */
typedef struct vdnn_attention_sums {
    float largest, sum;
} vdnn_attention_sums;

/* Adds scores to a row: `valid` of them become exp(score - largest), the rest up to `count` 0.
 * Returns the factor by which what was summed before, with the largest before, has to be
 * multiplied. */
float vdnn_attention_weigh(float *scores, int64_t valid, int64_t count, vdnn_attention_sums *row);

/* A row of scores to P = exp(score - log_sum), and what are gradients of P to those of the scores,
 * P * (gradient - delta); both 0 from `valid` to `count`. */
void vdnn_attention_unweigh(float *scores, float *gradients, int64_t valid, int64_t count,
                            float log_sum, float delta);

/* Of lanes in a fixed order. */
float vdnn_attention_sum(const float lanes[VDNN_NATIVE_LANES]);
float vdnn_attention_dot(const float *a, const float *b, int64_t count); /* a multiple of 16 */
void vdnn_attention_scale(float *row, float factor, int64_t count);

#endif
