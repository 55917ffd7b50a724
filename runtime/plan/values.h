#ifndef VDNN_RUNTIME_PLAN_VALUES_H
#define VDNN_RUNTIME_PLAN_VALUES_H

/* What a training step computes with, and when: the values of a graph and their uses.
 *
 * A use is at a *slot*, which counts passes of layers and not steps of a plan, so that it is the
 * same in whatever parts and chains layers run. Of a graph of L layers:
 *
 *     forward of layer l       l
 *     backward of layer l      2 L - 1 - l
 *     an update of its block that waits for other layers, or devices      3 L - 1 - l
 *
 * Between a use and the next one of its value lies a *gap*, in which the value may be elsewhere.
 * What outlives the step, as parameters do, has one gap more: from its last use around the step's
 * end to the first use of the next step.
 *
 *     conv1's output, a ReLU in place on it, read by conv2; L = 20
 *     slots    0 w | 1 rw | 2 r | .......... | 37 r | 38 r       gaps: after 0, 1, 2, 37
 *
 * Invariant: a plan that keeps every value on the device and recomputes none accesses each at its
 * uses and nowhere else. Other plans do so, too, but for what copies and recomputed layers read.
 * Threads: immutable after creation.
 *
 *     vdnn_values values;
 *     status = vdnn_values_init(graph, &values);
 *     const vdnn_value *w = vdnn_values_find(&values, VDNN_VALUE_WEIGHTS, owner);
 *     for (i = 0; i < w->use_count; i++) use(&values.uses[w->first_use + i]);
 *     vdnn_values_fini(&values);
 */

#include "runtime/graph/graph.h"

typedef int32_t vdnn_slot;

/* name, text; `of` of a vdnn_value: */
#define VDNN_VALUE_TABLE(X)                                                                        \
    X(MAP, "map")           /* a map that a layer makes */                                         \
    X(BATCH, "batch")       /* a row of the inputs */                                              \
    X(GRADIENT, "gradient") /* a tensor, of which it is the gradient */                            \
    X(WEIGHTS, "weights")   /* the layer that owns the block of parameters */                      \
    X(SUM, "sum")           /* the same layer: the block's gradients */                            \
    X(STATE, "state")       /* the same layer: the optimizer's state */

typedef enum vdnn_value_kind {
#define X(name, text) VDNN_VALUE_##name,
    VDNN_VALUE_TABLE(X)
#undef X
        VDNN_VALUE_COUNT
} vdnn_value_kind;

typedef struct vdnn_use {
    vdnn_slot slot;
    bool reads, writes;
} vdnn_use;

typedef struct vdnn_value {
    vdnn_value_kind kind;
    int32_t of;
    size_t bytes; /* of a larger micro-batch */
    int32_t first_use, use_count;
    int32_t first_gap, gap_count; /* one after each use but the last, or after that one as well */
    bool wraps;                   /* outlives the step */
} vdnn_value;

typedef struct vdnn_values {
    vdnn_value *list; /* by kind, then by `of` */
    vdnn_use *uses;   /* of each value by slot, one at a slot */
    int32_t count, use_count, gap_count;
} vdnn_values;

/* VDNN_NO_MEMORY. */
vdnn_status vdnn_values_init(const vdnn_graph *graph, vdnn_values *values);
void vdnn_values_fini(vdnn_values *values);

/* NULL: there is none. */
const vdnn_value *vdnn_values_find(const vdnn_values *values, vdnn_value_kind kind, int32_t of);

static inline vdnn_slot vdnn_slot_forward(const vdnn_graph *graph, int32_t layer)
{
    (void)graph;
    return layer;
}

static inline vdnn_slot vdnn_slot_backward(const vdnn_graph *graph, int32_t layer)
{
    return 2 * graph->layer_count - 1 - layer;
}

/* Where the update of a block is that a layer owns: with the backward that ends its gradient,
 * unless that has to be summed over devices, or the norm of all gradients is taken first. */
vdnn_slot vdnn_slot_update(const vdnn_graph *graph, int32_t owner);

const char *vdnn_value_text(vdnn_value_kind kind);

#endif
