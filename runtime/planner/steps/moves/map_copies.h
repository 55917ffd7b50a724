#ifndef VDNN_RUNTIME_PLANNER_STEPS_MOVES_MAP_COPIES_H
#define VDNN_RUNTIME_PLANNER_STEPS_MOVES_MAP_COPIES_H

/* Copies of maps between tiers while decisions become steps: out, to further tiers, and in.
 *
 * A map is copied as a whole or in pieces: the samples of each part of the layers that need it in
 * backward. A piece has a separate buffer in every tier; in forward mostly not on the device. It is
 * copied in during an earlier part, as many parts before as decided: mostly one, so that two pieces
 * of the map are on the device at a time.
 *
 *     compute  | ... | bwd conv2 0 | bwd conv2 1 | bwd conv2 2 |
 *     in         in 0  in 1          in 2
 *
 * A map that is written and read within a chain leaves one piece at a time, after the part that
 * writes it. Some of its pieces may be recomputed instead (recompute.c) and the others kept; these
 * have one buffer each on the device.
 *
 * A map may also leave in backward, between two layers that need it: it is copied out during the
 * layer after the first of them, and copied in during the layer before the second.
 *
 * Invariant: an offloaded map is copied out once; what backward reads of it is copied in before.
 * Threads: one.
 *
 *     vdnn_map_copies_out_beside(emit, of);                  // in forward, for a chain
 *     ... its steps ...
 *     vdnn_map_copies_out_behind(emit, of);
 *     vdnn_map_copies_free(emit, layer);                     // in backward: those that leave
 *     vdnn_map_copies_in(emit, map, layer);                  // unless it is on the device
 *     vdnn_map_copies_in_parts(emit, layer, pass);           // for the current part
 *     vdnn_emitter_read(emit, step, *vdnn_map_copies_place(emit, map), VDNN_BIND_X, 0);
 *     vdnn_map_copies_forget(emit, map, layer);              // after a layer that needed it
 */

#include "runtime/planner/steps/moves/residency.h"
#include "runtime/planner/steps/run_order.h"

typedef struct vdnn_map_copies {
    int32_t *first_piece; /* per map: the index of its first piece; the count at the end */
    vdnn_place *pieces;   /* per piece of a map in several: on the device, in backward */
    int32_t *written, *next_written; /* per layer: a list of the maps to be copied out that it wrote
                                        last; the first layer also has those that no layer writes */
    int32_t *leaving, leaving_count; /* maps written in forward, and not copied out yet */
    int32_t *returning, *next_returning; /* per layer: maps whose copy in it hides */
    int32_t *fetched, fetched_count;     /* maps that were recomputed or copied in for this group */
    int32_t *waiting, waiting_count;     /* maps that are copied out and then freed while the next
                                            layer of backward runs */
    double now, until, link_free; /* estimates in forward: when the current chain begins and ends,
                                     and when the copies out so far have ended */
} vdnn_map_copies;

/* Lists the maps that leave, by the layers that write them last and those whose backward hides
 * their return. */
void vdnn_map_copies_init(vdnn_emitter *emit);
void vdnn_map_copies_begin_micro(vdnn_emitter *emit);

/* Forward of a chain of layers. Before its steps: copies out of maps written earlier that have to
 * end with the chain, or that may end later but for which the link has time during it. After its
 * steps: copies out of maps that it wrote and that have to leave with it. If copies are joined at
 * each layer, none begins before the chain that it ends with. */
void vdnn_map_copies_out_beside(vdnn_emitter *emit, vdnn_chain of);
void vdnn_map_copies_out_behind(vdnn_emitter *emit, vdnn_chain of);
/* Copies out, or keeps, the current part of a map that exists one part at a time and that `layer`
 * wrote last. */
void vdnn_map_copies_of_part(vdnn_emitter *emit, const vdnn_layer *layer);
/* Copies in an offloaded map, or its first piece, unless it is on the device; hidden by `layer`. */
void vdnn_map_copies_in(vdnn_emitter *emit, int32_t map, int32_t layer);
/* Copies in the offloaded maps whose copy in a layer hides; with `by_parts`, of those that return
 * within the chain that needs them, the piece of the current part. */
void vdnn_map_copies_return(vdnn_emitter *emit, int32_t layer, bool by_parts);
/* Copies in the maps that left in backward and that the next layer there needs. */
void vdnn_map_copies_in_ahead(vdnn_emitter *emit, int32_t layer);
/* For a map in several pieces: copies in that of the current part, and those that are copied ahead,
 * unless it returns within the chain; for all maps that a pass needs. */
void vdnn_map_copies_in_part(vdnn_emitter *emit, int32_t map, int32_t layer);
void vdnn_map_copies_in_parts(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass);
/* Whether the part of a map that a layer of backward needs may still be copied in while the layer
 * runs: it returns within the layer's chain. */
bool vdnn_map_copies_are_late(const vdnn_emitter *emit, int32_t map, int32_t layer);
/* Ends the use of a map by a layer of backward: it leaves the device if it is decided that it
 * returns for the next layer that needs it. */
void vdnn_map_copies_forget(vdnn_emitter *emit, int32_t map, int32_t layer);
/* Frees the maps that leave the device after the layer before, and first copies them out unless
 * that was done; hidden by `layer`. */
void vdnn_map_copies_free(vdnn_emitter *emit, int32_t layer);
/* Whether a map, or the current part's piece of it, is recomputed instead of copied. */
bool vdnn_map_copies_are_recomputed(const vdnn_emitter *emit, int32_t map);
/* The place where the current part reads or writes a map. */
vdnn_place *vdnn_map_copies_place(vdnn_emitter *emit, int32_t map);

#endif
