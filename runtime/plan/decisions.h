#ifndef VDNN_RUNTIME_PLAN_DECISIONS_H
#define VDNN_RUNTIME_PLAN_DECISIONS_H

/* Decisions: what a policy proposes. They are data only, and complete enough that the planner need
 * not know any policy by name.
 *
 * Invariant: arrays have one item per map or layer of the graph. An offloaded map is copied out at
 * or after its last use in forward and copied in at or before its first use in backward. A
 * recomputed map is a feature map, and the algorithms that write it are deterministic. Parameters
 * are kept or offloaded. Threads: a value; the caller's.
 *
 *     vdnn_decisions decisions;
 *     status = vdnn_decisions_init(&decisions, graph);  // keep everything, choice 0 everywhere
 *     decisions.maps[m] = (vdnn_map_decision){VDNN_OFFLOAD, .leaves = 3, .returns = 7};
 *     status = vdnn_planner_plan(graph, profile, &decisions, &plan);
 *     vdnn_decisions_fini(&decisions);
 */

#include "runtime/graph/graph.h"
#include "runtime/plan/streams.h"
#include "runtime/profile/profile.h"

#include <xxhash.h>

typedef struct vdnn_profile vdnn_profile;

/* name, text */
#define VDNN_ACTION_TABLE(X)                                                                       \
    X(KEEP, "keep")                                                                                \
    X(DROP, "drop")                                                                                \
    X(RECOMPUTE, "recompute")                                                                      \
    X(OFFLOAD, "offload")

typedef enum vdnn_action {
#define X(name, text) VDNN_##name,
    VDNN_ACTION_TABLE(X)
#undef X
        VDNN_ACTION_COUNT
} vdnn_action;

const char *vdnn_action_text(vdnn_action action);

/* When the memory of an activation, auxiliary or gradient buffer can be reused. */
typedef enum vdnn_release { VDNN_RELEASE_LAST_USE, VDNN_RELEASE_END_OF_STEP } vdnn_release;
/* exact: each gradient map has its exact size and lifetime. shared_max: the fewest buffers, each as
 * large as the largest gradient map, and one workspace as large as the largest. */
typedef enum vdnn_gradients { VDNN_GRADIENTS_EXACT, VDNN_GRADIENTS_SHARED_MAX } vdnn_gradients;
/* each_layer: both copy streams are joined at the end of a layer that copied. by_need: they are
 * joined only if a step needs the data or the memory. */
typedef enum vdnn_sync { VDNN_SYNC_EACH_LAYER, VDNN_SYNC_BY_NEED } vdnn_sync;

/* separate: a parameter block's gradient is written, then read by a separate update. fused: if the
 * algorithm can, backward filter updates the parameters itself and no gradient is stored. */
typedef enum vdnn_updates { VDNN_UPDATES_SEPARATE, VDNN_UPDATES_FUSED } vdnn_updates;

/* converted: a kernel that reads a weight in another type or layout converts it in every pass.
 * kept: a copy for such kernels (layer->copy_bytes) is kept after the layer's parameters and is
 * written with them. The copy takes memory and changes no bit of a result. */
typedef enum vdnn_weight_copies { VDNN_WEIGHTS_CONVERTED, VDNN_WEIGHTS_KEPT } vdnn_weight_copies;

/* own: a step loads its batch, and computes nothing until that is loaded. ahead: a step takes the
 * batch that was loaded during the step before it into memory kept for that, and the next batch is
 * loaded there during the rest of the step. late: as ahead, but the load begins with the backward
 * of a layer, and the memory is free between the take and that. Loading ahead takes memory and
 * changes no bit of a result. */
typedef enum vdnn_loads { VDNN_LOADS_OWN, VDNN_LOADS_AHEAD, VDNN_LOADS_LATE } vdnn_loads;
enum { VDNN_LOADS_COUNT = VDNN_LOADS_LATE + 1 };

enum { VDNN_PIECES_MOST_AHEAD = 8 };

typedef struct vdnn_map_decision {
    /* drop: for maps that backward does not need. recompute: freed after forward, and recomputed
     * just before the first backward pass that needs it or needs a map recomputed from it. The maps
     * it is computed from are kept until then, prefetched before it if they are offloaded, or
     * recomputed first if they are recomputed too. */
    vdnn_action action;
    int32_t leaves;  /* offload: the layer by the end of whose forward it is copied out; if copies
                        are waited for by need, the copy may start once the map is written */
    int32_t returns; /* offload: the layer whose backward hides the copy in */
    int32_t spills;  /* offload: how many tiers below the host it is copied to: 0, or 1 (file) */
    /* What is done with it between two layers of backward that need it. keep: it is kept up to the
     * last of them. The same as the action: it is freed after each of them, and recomputed or
     * copied in for the next. offload, with another action: if two layers of backward or more run
     * before the next, it is copied out once in backward, and copied in for each. */
    vdnn_action between;
    /* offload: 0: copied as a whole. Else it is copied in as many pieces as the layers that need it
     * in backward have parts, each piece this many parts before the part that needs it. Within a
     * chain it is copied out in pieces too, each during the part that writes it. If it is copied
     * out during a layer after the chain, that and this many next layers hide it; so for copies in.
     */
    int32_t pieces;
    /* keep, or offload in pieces, of a map within a chain: for this many parts of the chain its
     * samples are recomputed instead, just before the part of backward that needs them. These parts
     * are spread evenly among the others, so that copies have the time of all parts. Each kept
     * piece has separate memory. */
    int32_t recomputed;
    /* The tier in which its gradient waits wherever two layers of backward or more run between two
     * that use it, such as where branches join; for every action. The device: it stays there. */
    vdnn_tier gradient;
} vdnn_map_decision;

/* For a layer's parameters and optimizer state: kept, or offloaded. Offloaded ones are kept in the
 * host tier, and are on the device only from before their layer's pass to its end. */
enum { VDNN_PARAMS_MOST_AHEAD = 8 };

typedef struct vdnn_params_decision {
    vdnn_action action;
    int32_t ahead;  /* how many layers with parameters run before and hide the copies in; 0: one */
    int32_t stays;  /* 1: parameters stay from forward to backward; the state does not */
    int32_t behind; /* how many layers with parameters run their backward after the update and hide
                       the copies out; only then is the memory reused. 0: reused at once, which may
                       wait for the copies */
} vdnn_params_decision;

typedef struct vdnn_decisions {
    const char *policy, *algo; /* labels of the choice for reports; static text */
    vdnn_release release;
    vdnn_gradients gradients;
    vdnn_sync sync;
    vdnn_updates updates;
    vdnn_weight_copies copies;
    vdnn_loads loads;
    int32_t load_layer;           /* late: the layer in whose backward, in its last part, the load
                                     begins, or, if it has none, in that of the next layer that has
                                     one; else 0 */
    vdnn_reduce_buckets buckets;  /* of several devices' gradients; default: the graph's */
    vdnn_map_decision *maps;      /* graph->map_count */
    vdnn_params_decision *params; /* graph->layer_count */
    /* Per layer: the tier in which the gradient of its parameters waits while no step uses it:
     * between micro-batches, between layers that share the block, or until the norm of all
     * gradients is known. The device: it stays there. */
    vdnn_tier *param_gradients;
    int32_t (*choice)[VDNN_PASS_COUNT]; /* graph->layer_count; index into the profile's choices */
    /* Per layer: how many parts its samples are run in, as in the planned graph. For other parts a
     * policy proposes the plan of another graph (runtime/planning/planning.h). */
    int32_t *parts;
    /* Per layer: 1: it is chained to the layer before it, whether or not it reads it. Each of its
     * parts runs just after the same part of that layer, and in backward just before it. A map or
     * gradient that is written and read within a chain is on the device one part at a time, unless
     * it is kept or is offloaded as a whole. A chain that ends with the loss is the tail: each part
     * runs forward and then at once backward. Maps written within it are kept, a part at a time,
     * and maps that it reads from before are kept whole. A map that leaves or returns during one of
     * its layers does so at about that distance from the tail's start or end. Chains change no bit
     * of a result. */
    int32_t *chained;
    int32_t map_count, layer_count;
    int64_t trials; /* plans that were tried to decide; 0: the policy does not search */
} vdnn_decisions;

vdnn_status vdnn_decisions_init(vdnn_decisions *decisions, const vdnn_graph *graph);
vdnn_status vdnn_decisions_copy(vdnn_decisions *to, const vdnn_decisions *from);
/* Copies into decisions over the same graph, which keep their arrays. */
void vdnn_decisions_assign(vdnn_decisions *to, const vdnn_decisions *from);
void vdnn_decisions_fini(vdnn_decisions *decisions);

/* Whether loading ahead is possible and may save time: there is a link, the batch is not run in
 * micro-batches, and no labels of a step's batch are counted over several devices. */
bool vdnn_decisions_may_load_ahead(const vdnn_graph *graph, const vdnn_profile *profile);

/* Why a batch cannot be loaded as decided, as static text; NULL: it can. */
const char *vdnn_decisions_loads_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions);

/* Why a map cannot have its decision `between`, as static text; NULL: it can. */
const char *vdnn_decisions_between_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                           int32_t map);

/* Why an offloaded map cannot be copied in pieces, as static text; NULL: it can. */
const char *vdnn_decisions_pieces_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                          int32_t map);

/* Why that many pieces of a map cannot be recomputed, apart from the conditions for recomputing any
 * of it (vdnn_decisions_recompute_refusal), as static text; NULL: they can. */
const char *vdnn_decisions_recomputed_refusal(const vdnn_graph *graph,
                                              const vdnn_decisions *decisions, int32_t map);

/* Whether every piece of a map stays on the device and none is recomputed. */
bool vdnn_decisions_keeps_all(const vdnn_map_decision *decision);
/* Whether backward recomputes any part of a map; whether it recomputes piece `piece` of `count`. */
bool vdnn_decisions_recomputes(const vdnn_decisions *decisions, int32_t map);
bool vdnn_decisions_recomputes_piece(const vdnn_decisions *decisions, int32_t map, int32_t piece,
                                     int32_t count);

/* The bytes of an offloaded map that are copied, not recomputed; 0 for other maps. */
size_t vdnn_decisions_copied_bytes(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                   int32_t map);

/* Why a layer cannot be chained to the layer before it and its chain, as static text; NULL: it can.
 */
const char *vdnn_decisions_chain_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                         int32_t layer);

/* One of these reasons: whether a chain from layer `begin` can go up to `layer`. If the last reader
 * of a tensor is in the chain, the tensor's gradient exists one part at a time, so the tensor's
 * producer cannot overwrite it by another gradient of all samples. */
bool vdnn_decisions_chain_has_room(const vdnn_graph *graph, int32_t begin, int32_t layer);

/* The end (one after the last layer) and the first layer of the chain that a layer is in. A layer
 * in no chain is a chain by itself. */
int32_t vdnn_decisions_chain_end(const vdnn_decisions *decisions, int32_t layer);
int32_t vdnn_decisions_chain_begin(const vdnn_decisions *decisions, int32_t layer);

/* The first layer of the chain that ends with the loss (the tail); the layer count: no tail. */
int32_t vdnn_decisions_tail_begin(const vdnn_decisions *decisions);

/* Whether the tail writes or reads a map, which then must be kept; why a map decided otherwise is
 * not possible, as static text; NULL: it is. */
bool vdnn_decisions_tail_has(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map);
const char *vdnn_decisions_tail_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                        int32_t map);

/* Whether a map is written, read and needed within one chain; whether it is then on the device one
 * part at a time: it is not kept, except in the tail, and is offloaded only in pieces. */
bool vdnn_decisions_is_inside(const vdnn_graph *graph, const vdnn_decisions *decisions,
                              int32_t map);
bool vdnn_decisions_is_by_parts(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                int32_t map);

/* Why the parameters of a layer cannot be offloaded, as static text; NULL: they can. */
const char *vdnn_decisions_params_refusal(const vdnn_layer *layer);

/* Why the gradient of a map, or of a layer's parameters, cannot be offloaded, as static text; NULL:
 * it can. */
const char *vdnn_decisions_gradient_refusal(const vdnn_graph *graph,
                                            const vdnn_decisions *decisions, int32_t map);
const char *vdnn_decisions_param_gradient_refusal(const vdnn_graph *graph, const vdnn_layer *layer);

/* Whether two decisions over one graph give the same plan; labels are ignored. */
bool vdnn_decisions_same(const vdnn_decisions *a, const vdnn_decisions *b);
/* A 128-bit hash of all that vdnn_decisions_same compares; collisions are not expected. */
XXH128_hash_t vdnn_decisions_key(const vdnn_decisions *decisions);

/* The choice for a layer's pass; NULL: the layer has no such pass. */
const vdnn_choice *vdnn_decisions_choice(const vdnn_decisions *decisions,
                                         const vdnn_profile *profile, int32_t layer,
                                         vdnn_pass pass);

/* The sum of the seconds of all passes with the chosen algorithms. */
double vdnn_decisions_seconds(const vdnn_decisions *decisions, const vdnn_profile *profile);

/* Whether backward recomputes another map from this one. */
bool vdnn_decisions_is_read_again(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                  int32_t map);

/* Why a map cannot be recomputed with the chosen algorithms, as static text; NULL: it can. */
const char *vdnn_decisions_recompute_refusal(const vdnn_graph *graph, const vdnn_profile *profile,
                                             const vdnn_decisions *decisions, int32_t map);

#endif
