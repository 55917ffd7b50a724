#ifndef VDNN_RUNTIME_PLANNER_STEPS_NEIGHBORS_H
#define VDNN_RUNTIME_PLANNER_STEPS_NEIGHBORS_H

/* What a stage of a pipeline gives its neighbors, and takes from them, while decisions
 * become steps: maps in forward, their gradients in backward, and the norm of all gradients.
 *
 *     receive   x of micro-batch 1 | dy of 0 |
 *     compute   | forward of 0 | forward of 1 | backward of 0 |
 *     send                     | y of 0       | y of 1        | dx of 0
 *
 * What a pass takes may come from the beginning of the pass before it on. The norm goes from stage
 * to stage while each adds its squares, so that these are added in the order of backward, and the
 * sum returns:
 *
 *     stage 2   norm --> stage 1   norm --> stage 0
 *                   <-- sum            <-- sum
 *
 * Invariant: two neighbors have the same sends and receives in the same order. Of a network that is
 * not cut, nothing is done here.
 * Threads: one.
 *
 *     vdnn_neighbors_begin(emit);                       // of each pass of a micro-batch
 *     vdnn_neighbors_receive_maps(emit);  ... forward ... vdnn_neighbors_send_maps(emit);
 */

typedef struct vdnn_emitter vdnn_emitter;

void vdnn_neighbors_begin(vdnn_emitter *emit);

void vdnn_neighbors_receive_maps(vdnn_emitter *emit);
void vdnn_neighbors_send_maps(vdnn_emitter *emit);
void vdnn_neighbors_receive_gradients(vdnn_emitter *emit);
void vdnn_neighbors_send_gradients(vdnn_emitter *emit);

/* Before all passes: the weights of blocks that other stages use too. Before the last backward pass
 * and after all: the sums of their gradients. */
void vdnn_neighbors_lend_weights(vdnn_emitter *emit);
void vdnn_neighbors_receive_sums(vdnn_emitter *emit);
void vdnn_neighbors_send_sums(vdnn_emitter *emit);

/* Before the last backward pass: the squares of later stages. After it: the sum of all. */
void vdnn_neighbors_receive_norm(vdnn_emitter *emit);
void vdnn_neighbors_complete_norm(vdnn_emitter *emit);

#endif
