#ifndef VDNN_LAYERS_ATTENTION_ATTENTION_H
#define VDNN_LAYERS_ATTENTION_ATTENTION_H

/* Scaled dot-product attention, for its algorithms: each of `heads` heads computes
 *
 *     S = q k^T / sqrt(width),  P = softmax of each row of S,  y = P v
 *
 * q is (queries, width), k and v (keys, width) of a sample; head h reads those of head h / group. A
 * causal one attends to no later position.
 *
 *     from: QKV          (N, T, (heads + 2 * kv_heads) * width): the heads of q, of k, of v
 *     from: [Q, K, V]    (N, Tq, heads * width), twice (N, Tk, kv_heads * width)
 *     and lengths        (N, 1), integers: of each sample, how many keys count. Of QKV as many
 *                        queries do: the rest of y is 0, as all of it where no key counts
 *     y                  (N, Tq, heads * width)
 *     aux                (N, heads, Tq), f32: the logarithm of the sum of each row's exponentials
 *
 * Invariant: after inference the shape is that of the maps. Threads: const once read.
 *
 *     vdnn_attention_shape s = vdnn_attention_shape_of(layer);
 *     const float *k = args->x[s.k.input] + vdnn_attention_at(&s.k, n, position, head);
 */

#include "layers/layer.h"

typedef struct vdnn_attention_config {
    int64_t heads, kv_heads;
    bool causal;
} vdnn_attention_config;

/* Where the vectors of q, k or v are in their map. */
typedef struct vdnn_attention_part {
    int input;
    int64_t positions, features; /* of the map */
    int64_t first;               /* feature of head 0 */
    int64_t width;               /* of a head */
} vdnn_attention_part;

typedef struct vdnn_attention_shape {
    int64_t samples, heads, kv_heads;
    int64_t group;         /* heads that read one head of k and v */
    int64_t queries, keys; /* positions of a sample */
    int64_t width;
    bool causal;
    vdnn_attention_part q, k, v, y;
    int lengths;    /* the input that has them; -1: all positions count */
    bool is_packed; /* q, k and v are one input */
    float scale;    /* 1 / sqrt(width) */
} vdnn_attention_shape;

/* Positions of a sample that count: the first ones. */
typedef struct vdnn_attention_counts {
    int64_t queries, keys;
} vdnn_attention_counts;

vdnn_attention_shape vdnn_attention_shape_of(const vdnn_layer *layer);
/* `length` is the sample's, if there are lengths. */
vdnn_attention_counts vdnn_attention_counts_of(const vdnn_attention_shape *shape, int64_t length);

/* Of layers whose inputs are sequences, and, where they are even in number, lengths at the end. */
vdnn_input_rule vdnn_attention_rule_of_input(int32_t count, int32_t i);
vdnn_status vdnn_attention_check_inputs(const vdnn_layer *layer);

/* The element where the vector of a position and a head of the part begins. */
static inline int64_t vdnn_attention_at(const vdnn_attention_part *part, int64_t sample,
                                        int64_t position, int64_t head)
{
    return (sample * part->positions + position) * part->features + part->first +
           head * part->width;
}

#endif
