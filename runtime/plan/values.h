#ifndef VDNN_RUNTIME_PLAN_VALUES_H
#define VDNN_RUNTIME_PLAN_VALUES_H

/* The values that a training step computes with, and when it uses each of them.
 *
 * A use is at a *slot*, which counts passes of layers, not steps of a plan. So it is the same for
 * all parts and chains in which layers run. In a graph of L layers:
 *
 *     forward of layer l       l
 *     backward of layer l      2 L - 1 - l
 *     an update of its block that waits for other layers, or devices      3 L - 1 - l
 *
 * Between two consecutive uses of a value there is a *gap*, in which the value need not be on the
 * device. A value that outlives the step, such as parameters, has one more gap: from its last use
 * in the step to its first use in the next step.
 *
 *     conv1's output, a ReLU in place on it, read by conv2; L = 20
 *     slots    0 w | 1 rw | 2 r | .......... | 37 r | 38 r       gaps: after 0, 1, 2, 37
 *
 * Invariant: a plan that keeps every value on the device and recomputes none accesses each value at
 * exactly its uses. Other plans also access values in copies and recomputed layers.
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

/* name, text; what `of` of a vdnn_value is: */
#define VDNN_VALUE_TABLE(X)                                                                        \
    X(MAP, "map")           /* a map that a layer writes */                                        \
    X(BATCH, "batch")       /* a row of the inputs */                                              \
    X(GRADIENT, "gradient") /* the tensor whose gradient it is */                                  \
    X(WEIGHTS, "weights")   /* the layer that owns the block of parameters */                      \
    X(SUM, "sum")           /* the layer that owns the block, for the block's gradients */         \
    X(STATE, "state")       /* the layer that owns the block, for the optimizer's state */

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
    int32_t first_gap, gap_count; /* one after each use; none after the last unless it wraps */
    bool wraps;                   /* it outlives the step */
} vdnn_value;

typedef struct vdnn_values {
    vdnn_value *list; /* sorted by kind, then by `of` */
    vdnn_use *uses;   /* of each value sorted by slot, one at each slot */
    int32_t count, use_count, gap_count;
} vdnn_values;

/* Fails only with VDNN_NO_MEMORY. */
vdnn_status vdnn_values_init(const vdnn_graph *graph, vdnn_values *values);
void vdnn_values_fini(vdnn_values *values);

/* NULL: the graph has no such value. */
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

/* The slot of the update of a block that `owner` owns. It is that of the backward that completes
 * the gradient, unless the gradient is summed over devices or the norm of all gradients is used. */
vdnn_slot vdnn_slot_update(const vdnn_graph *graph, int32_t owner);

const char *vdnn_value_text(vdnn_value_kind kind);

#endif
