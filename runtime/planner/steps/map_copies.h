#ifndef VDNN_RUNTIME_PLANNER_STEPS_MAP_COPIES_H
#define VDNN_RUNTIME_PLANNER_STEPS_MAP_COPIES_H

/* Copies of maps between tiers while decisions become steps: out, further out, and back.
 *
 * A map is copied as a whole, or in pieces: the samples of each part of the layers that need it in
 * backward. A piece has a buffer of its own in every tier but, in forward, mostly the device's; it
 * is copied in while a part before its own runs, as many before as are decided: mostly one, so that
 * two pieces of the map are there at a time.
 *
 *     compute  | ... | bwd conv2 0 | bwd conv2 1 | bwd conv2 2 |
 *     in         in 0  in 1          in 2
 *
 * A map that is made and read within a chain leaves a piece at a time, each behind the part that
 * makes it. Some of its pieces may be recomputed instead (recompute.c), and the others kept: those
 * have a buffer each on the device.
 *
 * A map may leave in backward, too, between two layers that need it: it is copied out while the
 * layer behind the first of them runs, and in while the one before the second does.
 *
 * Invariant: a map that is offloaded is copied out once; what backward reads of it is copied in
 * before. Threads: one.
 *
 *     vdnn_map_copies_out_beside(emit, of);                  // in forward, of a chain
 *     ... its steps ...
 *     vdnn_map_copies_out_behind(emit, of);
 *     vdnn_map_copies_free(emit, layer);                     // in backward: those that leave
 *     vdnn_map_copies_in(emit, map, layer);                  // unless it is there
 *     vdnn_map_copies_in_parts(emit, layer, pass);           // for the current part
 *     vdnn_emitter_read(emit, step, *vdnn_map_copies_place(emit, map), VDNN_BIND_X, 0);
 *     vdnn_map_copies_forget(emit, map, layer);              // behind a layer that needed it
 */

#include "runtime/planner/steps/emitter.h"

/* Counts the pieces of all maps, for places in `host`, `file` and `pieces`. */
void vdnn_map_copies_init(vdnn_emitter *emit);

/* Forward of a chain of layers: before its steps, copies of what is written that have to end with
 * it, or that may end later, and that the link has time for beside it; behind its steps, of what it
 * wrote itself, and that has to leave with it. If copies are joined at each layer none begins
 * before the chain that it ends with. */
void vdnn_map_copies_out_beside(vdnn_emitter *emit, vdnn_chain of);
void vdnn_map_copies_out_behind(vdnn_emitter *emit, vdnn_chain of);
/* What becomes of the current part of a map that is there a part at a time, and that `layer` wrote
 * last: it is copied out, or it stays. */
void vdnn_map_copies_of_part(vdnn_emitter *emit, const vdnn_layer *layer);
/* An offloaded map, or its first piece, unless it is on the device; hidden by `layer`. */
void vdnn_map_copies_in(vdnn_emitter *emit, int32_t map, int32_t layer);
/* The offloaded maps whose copy in a layer hides: as above, or, `by_parts`, of those that return
 * within the chain that needs them, the piece of the current part. */
void vdnn_map_copies_return(vdnn_emitter *emit, int32_t layer, bool by_parts);
/* Those that left in backward, and that the layer behind `layer` needs there. */
void vdnn_map_copies_in_ahead(vdnn_emitter *emit, int32_t layer);
/* Of a map in several pieces, that of the current part, and those that come ahead, unless it
 * returns within the chain; of all maps that a pass needs. */
void vdnn_map_copies_in_part(vdnn_emitter *emit, int32_t map, int32_t layer);
void vdnn_map_copies_in_parts(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass);
/* Whether what a layer of backward needs of a map may yet be on its way while that runs: it returns
 * within the layer's chain. */
bool vdnn_map_copies_are_late(const vdnn_emitter *emit, int32_t map, int32_t layer);
/* A layer of backward needs a map no further: the device does not have it, if it is decided that it
 * returns for the next one. */
void vdnn_map_copies_forget(vdnn_emitter *emit, int32_t map, int32_t layer);
/* Those that left the device behind the layer before, copied out unless that was done; hidden by
 * `layer`. */
void vdnn_map_copies_free(vdnn_emitter *emit, int32_t layer);
/* Whether a map, or of one in several pieces that of the current part, is recomputed, not copied.
 */
bool vdnn_map_copies_are_recomputed(const vdnn_emitter *emit, int32_t map);
/* Where the current part finds a map, or makes it. */
vdnn_place *vdnn_map_copies_place(vdnn_emitter *emit, int32_t map);

#endif
