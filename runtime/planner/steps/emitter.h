#ifndef VDNN_RUNTIME_PLANNER_STEPS_EMITTER_H
#define VDNN_RUNTIME_PLANNER_STEPS_EMITTER_H

/* The state while decisions become steps: where each value is now, and the steps, buffers and
 * accesses added for it. For emit.c and its parts in separate files.
 *
 * Invariant: a read waits for the step that wrote its value. As with the builder, adding is a no-op
 * after a failed allocation; only code that reads the builder's arrays must check builder->failed.
 * Threads: one.
 *
 *     emit->maps[m] = vdnn_emitter_map_buffer(emit, m, VDNN_TIER_DEVICE);
 *     int32_t step = vdnn_emitter_kernel(emit, VDNN_STEP_RUN, layer, pass, pass);
 *     vdnn_emitter_read(emit, step, emit->maps[x], VDNN_BIND_X, 0);
 *     vdnn_emitter_write(emit, step, &emit->maps[m], VDNN_BIND_Y, 0);
 *     vdnn_emitter_lend_workspace(emit, step, layer->index, pass);
 */

#include "runtime/planner/steps/buckets.h"
#include "runtime/planner/steps/moves/gradient_copies.h"
#include "runtime/planner/steps/moves/map_copies.h"
#include "runtime/planner/steps/moves/residency.h"
#include "runtime/planner/steps/parameters.h"
#include "runtime/planner/steps/run_order.h"

/* Where the values of one micro-batch are. */
typedef struct vdnn_micro_places {
    vdnn_place labels;
    vdnn_place *maps;      /* per map: its device buffer */
    vdnn_place *gradients; /* per tensor */
    vdnn_place *pieces;    /* of maps (map_copies.h) */
    vdnn_place *away;      /* of maps, in other tiers (residency.h) */
} vdnn_micro_places;

/* Places of maps and gradient maps belong to the current micro-batch; places of parameters and of
 * their gradients belong to the whole step. */
typedef struct vdnn_emitter {
    vdnn_builder *builder; /* borrowed, as are all members up to the plan */
    const vdnn_graph *graph;
    const vdnn_graph *shape; /* the network in the shape of the current micro-batch */
    const vdnn_profile *profile;
    const vdnn_decisions *decisions;
    vdnn_plan *plan;
    bool training;
    vdnn_chain *chains; /* per layer: the chain that it is in */
    bool *is_by_parts;  /* per map: by decision it is on the device one part at a time */

    vdnn_micro_places *micros; /* of a stage, per micro-batch; NULL: one is over before the next */
    vdnn_place labels;
    int32_t late_layer; /* in whose backward the next batch's load begins: the decided one, or the
                           next that has a backward; -1: after all */
    vdnn_place *maps;   /* per map: its device buffer */
    vdnn_place *gradients; /* per tensor */
    vdnn_residency residency;
    vdnn_map_copies map_copies;
    vdnn_gradient_copies gradient_copies;
    vdnn_parameters params;
    vdnn_buckets buckets;
    int32_t *to_recompute; /* a stack of maps: each waits for the one above it */
    int32_t workspace;     /* the buffer of the current run, or of all runs when shared */

    bool defers_filters; /* filter passes that can wait run after the data passes of all layers */
    vdnn_pass half;      /* of the micro-batch: forward, or backward data */
    int32_t pass_gate, receive_gate; /* of a stage: the last compute step before the pass of a
                                        micro-batch, and before the pass before it */
    int32_t micro;                   /* the current micro-batch */
    int32_t first_group;             /* of the micro-batch */
    int32_t part;                /* the current part of the layer whose pass runs; 0 elsewhere */
    int32_t begin, last_compute; /* steps */
    int32_t gate;                /* the last compute step before the current group */
    int32_t group, group_count;  /* the current one, -1: none; how many have begun */
    int32_t group_copies, group_steps; /* copies and compute steps in the group so far */
    int32_t group_first_step;
} vdnn_emitter;

/* Places, or indexes, that are none yet; NULL after a failed allocation. */
vdnn_place *vdnn_emitter_no_places(vdnn_emitter *emit, int32_t count);
int32_t *vdnn_emitter_no_indexes(vdnn_emitter *emit, int32_t count);

/* Allocates the arrays for the graph and the builder, which are set. VDNN_NO_MEMORY. */
vdnn_status vdnn_emitter_init(vdnn_emitter *emit);

static inline const vdnn_layer *vdnn_emitter_layer(const vdnn_emitter *emit, int32_t index)
{
    return &emit->graph->layers[index];
}

bool vdnn_emitter_is_last_micro(const vdnn_emitter *emit);
/* Begins a micro-batch, of which no value exists yet; or resumes one that has begun. */
void vdnn_emitter_begin_micro(vdnn_emitter *emit, int32_t micro);
void vdnn_emitter_resume_micro(vdnn_emitter *emit, int32_t micro);

/* Begins backward: maps that are offloaded or recomputed are no longer on the device. */
void vdnn_emitter_begin_backward(vdnn_emitter *emit);
/* Whether backward has steps of a layer, which hide copies. Whether one of the next two such layers
 * after `layer` is `user`: then a value would have to return as soon as it has left. */
bool vdnn_emitter_has_backward(const vdnn_layer *layer);
bool vdnn_emitter_is_used_soon(const vdnn_emitter *emit, int32_t layer, int32_t user);
/* The next such layer; -1: none. */
int32_t vdnn_emitter_next_in_backward(const vdnn_emitter *emit, int32_t layer);

/* The decision for a map in this plan; the chosen algorithm of a pass. */
bool vdnn_emitter_offloads(const vdnn_emitter *emit, int32_t map);
bool vdnn_emitter_recomputes(const vdnn_emitter *emit, int32_t map);
const vdnn_choice *vdnn_emitter_choice(const vdnn_emitter *emit, int32_t layer, vdnn_pass pass);

/* Add a step to the current group; the second runs a layer's kernel of a pass. */
int32_t vdnn_emitter_step(vdnn_emitter *emit, vdnn_step_kind kind, int32_t layer, vdnn_pass half,
                          const char *label);
int32_t vdnn_emitter_kernel(vdnn_emitter *emit, vdnn_step_kind kind, const vdnn_layer *layer,
                            vdnn_pass half, vdnn_pass pass);

/* Adds a buffer, not written yet. */
vdnn_place vdnn_emitter_buffer(vdnn_emitter *emit, vdnn_class class, vdnn_tier tier, size_t bytes,
                               int32_t layer, int32_t map, const char *label);
vdnn_place vdnn_emitter_map_buffer(vdnn_emitter *emit, int32_t map, vdnn_tier tier);
/* Adds a buffer for a range of a map. */
vdnn_place vdnn_emitter_range_buffer(vdnn_emitter *emit, int32_t map, vdnn_tier tier,
                                     vdnn_stripes range);
/* Adds the buffer to which a layer of the map's chain writes a map; for a map that exists one part
 * at a time, that of the current part. */
vdnn_place vdnn_emitter_output_buffer(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer);
/* Adds the buffer of a layer's auxiliary map; in a tail, of the current part. */
vdnn_place vdnn_emitter_aux_buffer(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer);

/* Add an access of a place to a step; for a part's kernel only of its bytes. Change is one access
 * that reads and writes, for an update of weights or for the sum of an accumulation. */
void vdnn_emitter_hold(vdnn_emitter *emit, int32_t step, int32_t buffer);
void vdnn_emitter_read(vdnn_emitter *emit, int32_t step, vdnn_place from, vdnn_bind bind, int slot);
void vdnn_emitter_read_range(vdnn_emitter *emit, int32_t step, vdnn_place from, vdnn_stripes range);
void vdnn_emitter_write(vdnn_emitter *emit, int32_t step, vdnn_place *to, vdnn_bind bind, int slot);
void vdnn_emitter_change(vdnn_emitter *emit, int32_t step, vdnn_place *at, vdnn_bind bind);

/* Add accesses of all inputs of a layer; of its algorithm's workspace; and of all buffers of
 * forward, or of recomputing it, except the auxiliary map. */
void vdnn_emitter_read_inputs(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer);
void vdnn_emitter_lend_workspace(vdnn_emitter *emit, int32_t step, int32_t layer, vdnn_pass pass);
void vdnn_emitter_access_forward(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                 int32_t out);

/* recompute.c: recomputes a map, unless that is done, after the recomputed maps it is computed
 * from. Layer `group` hides the copies. */
void vdnn_recompute_map(vdnn_emitter *emit, int32_t map, int32_t group);

#endif
