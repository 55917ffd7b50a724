#ifndef VDNN_RUNTIME_GRAPH_ORDER_H
#define VDNN_RUNTIME_GRAPH_ORDER_H

/* The forward order of a model's layers.
 *
 * Invariant: a layer comes after the layers it reads; of those that could come next, the one that
 * is first in the file does. So a file that is already in order keeps its order. Whose weight a
 * layer reads does not matter. Threads: any; the arrays are the caller's.
 *
 *     vdnn_order order;
 *     status = vdnn_order_init(&order, model);
 *     for (i = 0; i < model->layer_count; i++) make(order.layers[i]); // indexes into model->layers
 *     vdnn_order_fini(&order);
 */

#include "models/model.h"

typedef struct vdnn_order {
    int32_t *layers;   /* positions in the file, in forward order */
    int32_t *position; /* the inverse: by position in the file */
    int32_t *sources;  /* what the layers read, one layer after the other: positions in the file,
                          or negative: inputs (vdnn_names_of_input) */
    int32_t *first_source; /* by position in the file, with one more at the end */
    int32_t *owners;       /* likewise: the layer whose weight it reads; -1: it has its own */
} vdnn_order;

/* A ReLU that only the max pool right behind it reads runs behind that pool, on what is left: both
 * keep the larger of values, so that y and all gradients are the same, bit for bit, and the pool's
 * argmax is all that backward needs of what comes in.
 *
 *     conv1 --> relu1 --> pool1 --> conv2             conv1 --> pool1 --> relu1 --> conv2
 *
 * Other layers keep their places. VDNN_NO_MEMORY. */
vdnn_status vdnn_order_pool_first(vdnn_order *order, const vdnn_model *model);

/* O((V + E) log V). VDNN_BAD_INPUT with file, line and the names for an unknown source or a cycle.
 */
vdnn_status vdnn_order_init(vdnn_order *order, const vdnn_model *model);
void vdnn_order_fini(vdnn_order *order);

#endif
