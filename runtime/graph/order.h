#ifndef VDNN_RUNTIME_GRAPH_ORDER_H
#define VDNN_RUNTIME_GRAPH_ORDER_H

/* The forward order of a model's layers.
 *
 * Invariant: a layer comes after the layers whose outputs it reads. If several layers could come
 * next, the first one in the file does, so a file in order keeps its order. Reading another layer's
 * weight does not constrain the order. Threads: any; the caller owns the arrays.
 *
 *     vdnn_order order;
 *     status = vdnn_order_init(&order, model);
 *     for (i = 0; i < model->layer_count; i++) make(order.layers[i]); // indexes into model->layers
 *     vdnn_order_fini(&order);
 */

#include "models/model.h"

typedef struct vdnn_order {
    int32_t *layers;       /* positions in the file, in forward order */
    int32_t *position;     /* the inverse: index in forward order, by position in the file */
    int32_t *sources;      /* what each layer reads, layer after layer: positions in the file, or
                              negative for inputs (vdnn_names_of_input) */
    int32_t *first_source; /* by position in the file: index into sources; one more at the end */
    int32_t *owners;       /* by position in the file: the layer whose weight it reads; -1: none */
} vdnn_order;

/* Moves a ReLU after the max pool that follows it if that pool is its only reader. Both operations
 * are monotonic, so y and all gradients stay the same bit for bit, the ReLU works on the smaller
 * map, and backward of the pool needs only its argmax.
 *
 *     conv1 --> relu1 --> pool1 --> conv2             conv1 --> pool1 --> relu1 --> conv2
 *
 * Other layers keep their positions. VDNN_NO_MEMORY. */
vdnn_status vdnn_order_pool_first(vdnn_order *order, const vdnn_model *model);

/* Takes O((V + E) log V). VDNN_BAD_INPUT with file, line and names for an unknown source or a
 * cycle. */
vdnn_status vdnn_order_init(vdnn_order *order, const vdnn_model *model);
void vdnn_order_fini(vdnn_order *order);

#endif
