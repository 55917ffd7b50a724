#ifndef VDNN_RUNTIME_PLANNER_STEPS_EMITTER_H
#define VDNN_RUNTIME_PLANNER_STEPS_EMITTER_H

/* The state of turning decisions into steps: where each value is now, and the steps, buffers and
 * accesses added for it. For emit.c and its parts in separate files.
 *
 * Invariant: a read waits for the step that wrote its value. As with the builder beneath, after a
 * failed allocation adding continues as a no-op; only code that reads the builder's arrays must
 * check builder->failed first.
 * Threads: one.
 *
 *     emit->maps[m] = vdnn_emitter_map_buffer(emit, m, VDNN_TIER_DEVICE);
 *     int32_t step = vdnn_emitter_kernel(emit, VDNN_STEP_RUN, layer, pass, pass);
 *     vdnn_emitter_read(emit, step, emit->maps[x], VDNN_BIND_X, 0);
 *     vdnn_emitter_write(emit, step, &emit->maps[m], VDNN_BIND_Y, 0);
 *     vdnn_emitter_lend_workspace(emit, step, layer->index, pass);
 */

#include "runtime/planner/builder.h"

/* Where a value is now, and which step wrote it last; -1: none. */
typedef struct vdnn_place {
    int32_t buffer, writer;
    size_t first, bytes; /* of the buffer; no bytes: all of it */
} vdnn_place;

/* All of a buffer, not written yet. */
static inline vdnn_place vdnn_place_of(int32_t buffer)
{
    return (vdnn_place){.buffer = buffer, .writer = -1};
}

/* Layers [begin, end) whose parts run one behind the other, in backward the last one first; most
 * are a layer alone. */
typedef struct vdnn_chain {
    int32_t begin, end, parts;
    bool is_tail; /* of training: its parts run forward in backward, each right before that */
} vdnn_chain;

/* Gradients of blocks of parameters that several devices sum by one step (buckets.h). */
typedef struct vdnn_bucket {
    int32_t first, count; /* of its blocks */
    size_t bytes, summed; /* of its memory; the first of these, up to what the last block sums */
    int32_t buffer;       /* -1: nothing is written yet */
} vdnn_bucket;

/* Places of maps and gradient maps are those of the current micro-batch; places of parameters and
 * their gradients are of the whole step. */
typedef struct vdnn_emitter {
    vdnn_builder *builder; /* borrowed, as all up to the plan */
    const vdnn_graph *graph;
    const vdnn_graph *shape; /* the same in the shape of the current micro-batch */
    const vdnn_profile *profile;
    const vdnn_decisions *decisions;
    vdnn_plan *plan;
    bool training;
    vdnn_chain *chains;            /* per layer: that with it */
    bool *is_by_parts;             /* per map: it is on the device a part at a time, as decided */
    vdnn_place *maps;              /* per map: its device buffer */
    int32_t *first_piece;          /* per map: the first of its pieces, and their number */
    vdnn_place *host, *file;       /* per piece: its copy in the host tier, and in the file tier */
    vdnn_place *pieces;            /* per piece of a map in several: on the device, in backward */
    vdnn_place *gradients;         /* per tensor */
    vdnn_place *weights, *states;  /* per block, at its owner: parameters and optimizer state on the
                                      device */
    vdnn_place *weight_gradients;  /* likewise: the last part of the gradient */
    vdnn_place *earlier_gradients; /* likewise: the sum of those before it */
    vdnn_place *idle_host, *idle_file; /* per gradient (gradient_copies.h) that is not on the
                                          device: its copy in the host tier, and in the file tier */
    int32_t away_count;                /* of these gradients */
    int32_t *leaves_at;   /* per block, at its owner: the layer whose backward hides its copies out;
                             -1: it does not wait for them */
    int32_t staying;      /* blocks that do */
    bool offloads_params; /* of any block */
    int32_t *idle, idle_count; /* gradients that leave while the next layer of backward runs */
    int32_t *leaving, leaving_count; /* maps that are written, and not copied out yet, in forward */
    int32_t *written, *next_written; /* per layer: maps to be copied out that it wrote last, as
                                        lists; those that none writes are the first's */
    int32_t *returning, *next_returning; /* per layer: maps whose copy in it hides */
    int32_t *to_recompute;               /* a stack of maps: each waits for the one above it */
    int32_t *fetched, fetched_count;     /* maps that were recomputed or copied in for this group */
    int32_t *waiting, waiting_count;     /* maps that are freed while the next layer of backward
                                            runs, and copied out before */
    vdnn_pass half;                      /* of the micro-batch: forward, or backward data */
    int32_t micro;                       /* the current micro-batch */
    int32_t part; /* the current one of the layer whose pass runs; 0 elsewhere */
    vdnn_place labels;
    vdnn_place norm;       /* of gradients, as far as it is summed */
    bool updates_are_late; /* the passes of what is updated are behind */
    int32_t *reduced;      /* of several devices: blocks, in the order in which backward ends
                              their gradients */
    vdnn_bucket *buckets;  /* of these */
    int32_t bucket_count, full_buckets, used_buckets; /* the first of them */
    int32_t *bucket_of;                               /* per block, at its owner */
    size_t *bucket_first;                             /* likewise: where it begins in its bucket */
    int32_t begin, last_compute;                      /* steps */
    int32_t gate;                        /* the last compute step before the current group */
    int32_t group, group_count;          /* -1: none; so many have begun */
    int32_t chain_group;                 /* the first one of the chain */
    int32_t *forward_group, first_group; /* per layer: the last one of its chain, from the first one
                                            of the micro-batch on */
    double now, until, link_free; /* of forward, about: when the current chain begins and ends, and
                                     when what is copied out has left */
    int32_t group_copies, group_steps; /* copies and compute steps in it so far */
    int32_t group_first_step;
    int32_t workspace; /* buffer of the current run, or of all runs when shared */
} vdnn_emitter;

/* The arrays, for the graph and the builder that are set. VDNN_NO_MEMORY. */
vdnn_status vdnn_emitter_init(vdnn_emitter *emit);

static inline const vdnn_layer *vdnn_emitter_layer(const vdnn_emitter *emit, int32_t index)
{
    return &emit->graph->layers[index];
}

/* A tail runs its layers so many times, forward and backward. Which of these a copy out is beside
 * that is decided for one of its layers, within the first half of them: it takes about as long
 * until then as forward would. */
int32_t vdnn_emitter_tail_runs(vdnn_chain tail);
int32_t vdnn_emitter_run_beside(vdnn_chain tail, int32_t layer);

bool vdnn_emitter_is_last_micro(const vdnn_emitter *emit);
/* No value of the next micro-batch exists yet. */
void vdnn_emitter_begin_micro(vdnn_emitter *emit, int32_t micro);

/* Maps that are offloaded or recomputed are not on the device further. */
void vdnn_emitter_begin_backward(vdnn_emitter *emit);
/* Whether backward has steps of a layer, which hide copies. Whether one of the next two such layers
 * behind `layer` is `user`: for that a value would return as soon as it left. */
bool vdnn_emitter_has_backward(const vdnn_layer *layer);
bool vdnn_emitter_is_used_soon(const vdnn_emitter *emit, int32_t layer, int32_t user);
/* The next of them; -1: none. */
int32_t vdnn_emitter_next_in_backward(const vdnn_emitter *emit, int32_t layer);

/* The decision for a map in this plan, and for a pass. */
bool vdnn_emitter_offloads(const vdnn_emitter *emit, int32_t map);
bool vdnn_emitter_recomputes(const vdnn_emitter *emit, int32_t map);
const vdnn_choice *vdnn_emitter_choice(const vdnn_emitter *emit, int32_t layer, vdnn_pass pass);

/* A step of the current group; one that runs a layer's kernel of a pass. */
int32_t vdnn_emitter_step(vdnn_emitter *emit, vdnn_step_kind kind, int32_t layer, vdnn_pass half,
                          const char *label);
int32_t vdnn_emitter_kernel(vdnn_emitter *emit, vdnn_step_kind kind, const vdnn_layer *layer,
                            vdnn_pass half, vdnn_pass pass);

/* A new buffer, not written yet. */
vdnn_place vdnn_emitter_buffer(vdnn_emitter *emit, vdnn_class class, vdnn_tier tier, size_t bytes,
                               int32_t layer, int32_t map, const char *label);
vdnn_place vdnn_emitter_map_buffer(vdnn_emitter *emit, int32_t map, vdnn_tier tier);
/* Of some bytes of a map. */
vdnn_place vdnn_emitter_range_buffer(vdnn_emitter *emit, int32_t map, vdnn_tier tier,
                                     vdnn_stripes range);
/* Where a layer, in whose chain it is, writes a map: of one that is there a part at a time, the
 * current part. */
vdnn_place vdnn_emitter_output_buffer(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer);
/* Likewise the aux of a layer: in a tail the current part's. */
vdnn_place vdnn_emitter_aux_buffer(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer);

/* A copy of all of a place to a new buffer, once the group before this one is computed. */
void vdnn_emitter_copy(vdnn_emitter *emit, vdnn_step_kind kind, int32_t layer, vdnn_pass half,
                       vdnn_place from, vdnn_place *to);

/* A step's access of a place: of a part's kernel, its bytes. Change: one access that reads and
 * writes, by an update of weights, or an accumulation of its sum. */
void vdnn_emitter_hold(vdnn_emitter *emit, int32_t step, int32_t buffer);
void vdnn_emitter_read(vdnn_emitter *emit, int32_t step, vdnn_place from, vdnn_bind bind, int slot);
void vdnn_emitter_read_range(vdnn_emitter *emit, int32_t step, vdnn_place from, vdnn_stripes range);
void vdnn_emitter_write(vdnn_emitter *emit, int32_t step, vdnn_place *to, vdnn_bind bind, int slot);
void vdnn_emitter_change(vdnn_emitter *emit, int32_t step, vdnn_place *at, vdnn_bind bind);

/* All of a layer's inputs; the workspace of its algorithm; and the buffers of forward, or of
 * recomputing it, except aux. */
void vdnn_emitter_read_inputs(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer);
void vdnn_emitter_lend_workspace(vdnn_emitter *emit, int32_t step, int32_t layer, vdnn_pass pass);
void vdnn_emitter_access_forward(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                 int32_t out);

/* recompute.c: VDNN_INTERNAL if a map that is decided to be recomputed cannot be. */
vdnn_status vdnn_recompute_check(const vdnn_emitter *emit);
/* Recomputes a map, unless that is done, and first the recomputed maps it is computed from; copies
 * are hidden by layer `group`. */
void vdnn_recompute_map(vdnn_emitter *emit, int32_t map, int32_t group);

#endif
