#ifndef VDNN_RUNTIME_PLAN_DECISIONS_H
#define VDNN_RUNTIME_PLAN_DECISIONS_H

/* Decisions: what a policy proposes. Data only, complete enough that the planner knows no policy by
 * name.
 *
 * Invariant: arrays have one item per map or layer of the graph; an offloaded map is copied out at
 * or after its last use in forward and copied in at or before its first use in backward; a
 * recomputed map is a feature map, and the algorithms that write it are deterministic; parameters
 * are kept or offloaded. Threads: a value; the caller's.
 *
 *     vdnn_decisions decisions;
 *     status = vdnn_decisions_init(&decisions, graph);  // keep everything, choice 0 everywhere
 *     decisions.maps[m] = (vdnn_map_decision){VDNN_OFFLOAD, .leaves = 3, .returns = 7};
 *     status = vdnn_planner_plan(graph, profile, &decisions, &options, &plan);
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

/* When the memory of an activation, aux or gradient buffer can be reused. */
typedef enum vdnn_release { VDNN_RELEASE_LAST_USE, VDNN_RELEASE_END_OF_STEP } vdnn_release;
/* exact: each gradient map its own size and lifetime. shared_max: the fewest buffers, each as large
 * as the largest gradient map, and one workspace as large as the largest. */
typedef enum vdnn_gradients { VDNN_GRADIENTS_EXACT, VDNN_GRADIENTS_SHARED_MAX } vdnn_gradients;
/* each_layer: both copy streams are joined at the end of a layer that copied. by_need: only if a
 * step needs the data or the memory. */
typedef enum vdnn_sync { VDNN_SYNC_EACH_LAYER, VDNN_SYNC_BY_NEED } vdnn_sync;

/* separate: a parameter block's gradient is written, then read by a separate step. fused: if the
 * algorithm can, backward filter updates the parameters itself and no gradient is stored. */
typedef enum vdnn_updates { VDNN_UPDATES_SEPARATE, VDNN_UPDATES_FUSED } vdnn_updates;

/* converted: a kernel that reads a weight in another type or layout converts it in every pass.
 * kept: a copy for such kernels (layer->copy_bytes) lies behind the layer's parameters and is
 * written with them: it takes memory and changes no bit of a result. */
typedef enum vdnn_weight_copies { VDNN_WEIGHTS_CONVERTED, VDNN_WEIGHTS_KEPT } vdnn_weight_copies;

/* own: a step loads its own batch, and computes nothing until it is loaded. ahead: it takes the
 * batch that was loaded while the step before it ran, from memory that is kept for that, and the
 * next one is loaded there beside the rest of the step. late: likewise, but the load begins with
 * the backward of a layer, and the memory is free from the take to there. It takes memory, never a
 * bit of a result. */
typedef enum vdnn_loads { VDNN_LOADS_OWN, VDNN_LOADS_AHEAD, VDNN_LOADS_LATE } vdnn_loads;
enum { VDNN_LOADS_COUNT = VDNN_LOADS_LATE + 1 };

enum { VDNN_PIECES_MOST_AHEAD = 8 };

typedef struct vdnn_map_decision {
    /* drop: for maps that backward does not need. recompute: freed after forward, and recomputed
     * right before the first pass of backward that needs it, or that needs a map recomputed from
     * it. The maps it is computed from stay until then, are prefetched before if they are
     * offloaded, or are recomputed first if they are recomputed too. */
    vdnn_action action;
    int32_t leaves;  /* offload: the layer by the end of whose forward it has left; if copies are
                        waited for by need it may begin to leave as soon as it is written */
    int32_t returns; /* offload: the layer whose backward hides the copy in */
    int32_t
        spills; /* offload: how many tiers it goes on beyond the host's: 0, or 1: the file tier */
    /* Between two layers of backward that need it. keep: it stays up to the last of them. The same
     * as the action: it is freed behind each, and recomputed, or copied in, once more for the next.
     * offload, where the action is another: if two layers of backward or more run before the next,
     * it is copied out in backward, once, and copied in for each. */
    vdnn_action between;
    /* offload: 0: copied as a whole. Else in as many pieces as the layers that need it in backward
     * have parts, each for its part, and so many of them ahead of that. Within a chain it leaves in
     * pieces, too, each beside the part that makes it; or, if it leaves during a layer behind the
     * chain, beside that and so many next ones, and is copied in likewise. */
    int32_t pieces;
    /* keep, or offload in pieces, of a map that is within a chain: of so many parts of the chain
     * its samples are recomputed instead, right before the part of backward that needs them. They
     * lie evenly between the others, so that copies have the time of all parts. Each of those
     * that are kept is a piece with memory of its own. */
    int32_t recomputed;
    /* The tier that its gradient waits in wherever two layers of backward or more run between two
     * that use it, as where another branch joins; whatever the action. The device's: it stays. */
    vdnn_tier gradient;
} vdnn_map_decision;

/* Of a layer's parameters and optimizer state: kept, or offloaded: they live in the host tier, and
 * are on the device from before their layer's pass to its end. */
enum { VDNN_PARAMS_MOST_AHEAD = 8 };

typedef struct vdnn_params_decision {
    vdnn_action action;
    int32_t ahead;  /* layers with parameters that run before and hide the copies in; 0: one */
    int32_t stays;  /* 1: the parameters stay from forward to backward, without the state */
    int32_t behind; /* layers with parameters whose backward runs behind the update and hides the
                       copies out; their memory is used again only then. 0: at once, where they may
                       be waited for */
} vdnn_params_decision;

typedef struct vdnn_decisions {
    const char *policy, *algo; /* labels for reports: the choice; static text */
    vdnn_release release;
    vdnn_gradients gradients;
    vdnn_sync sync;
    vdnn_updates updates;
    vdnn_weight_copies copies;
    vdnn_loads loads;
    int32_t load_layer;           /* late: the one whose backward, in its last part, the load
                                     begins with; else 0 */
    vdnn_reduce_buckets buckets;  /* of several devices' gradients; preset: the graph's */
    vdnn_map_decision *maps;      /* graph->map_count */
    vdnn_params_decision *params; /* graph->layer_count */
    /* Per layer: the tier that the gradient of its parameters waits in while nothing computes with
     * it: between micro-batches, between layers that share the block, until the norm of all
     * gradients is known. The device's: it stays. */
    vdnn_tier *param_gradients;
    int32_t (*choice)[VDNN_PASS_COUNT]; /* graph->layer_count; index into the profile's choices */
    /* Per layer: how many parts of its samples it runs in. Those of the graph that is planned: a
     * policy that decides otherwise proposes the plan of another one (runtime/planning/planning.h).
     */
    int32_t *parts;
    /* Per layer: 1: it is chained to the layer before it, whether or not it reads that one: each of
     * its parts runs right behind the same part of that one, in backward right before. What is made
     * and read within a chain is then on the device one part at a time, unless it is kept, or
     * offloaded as a whole; so are gradients. Of a chain that ends with the loss, the tail, each
     * part runs forward and at once backward: what is made within it is kept, a part at a time, and
     * what it reads from before is kept whole; a map that leaves or returns during one of its
     * layers does so about as far from its begin, or its end. It changes no bit of a result. */
    int32_t *chained;
    int32_t map_count, layer_count;
    int64_t trials; /* plans that were tried to decide; 0: by a policy that searches none */
} vdnn_decisions;

vdnn_status vdnn_decisions_init(vdnn_decisions *decisions, const vdnn_graph *graph);
vdnn_status vdnn_decisions_copy(vdnn_decisions *to, const vdnn_decisions *from);
/* Into others over the same graph, which keep their arrays. */
void vdnn_decisions_assign(vdnn_decisions *to, const vdnn_decisions *from);
void vdnn_decisions_fini(vdnn_decisions *decisions);

/* Whether loading ahead is possible and may save time: over a link, and of a batch that is run as a
 * whole, not in micro-batches; nor where several devices count the labels of a step's batch. */
bool vdnn_decisions_may_load_ahead(const vdnn_graph *graph, const vdnn_profile *profile);

/* Why a batch cannot be loaded as decided, as static text; NULL: it can. */
const char *vdnn_decisions_loads_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions);

/* Why a map cannot be between two layers of backward what is decided, as static text; NULL: it can.
 */
const char *vdnn_decisions_between_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                           int32_t map);

/* Why an offloaded map cannot be copied in pieces, as static text; NULL: it can. */
const char *vdnn_decisions_pieces_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                          int32_t map);

/* Why that many pieces of a map cannot be recomputed, whatever recomputing any of it
 * takes (vdnn_decisions_recompute_refusal), as static text; NULL: they can. */
const char *vdnn_decisions_recomputed_refusal(const vdnn_graph *graph,
                                              const vdnn_decisions *decisions, int32_t map);

/* Whether no piece of a map leaves the device or is recomputed. */
bool vdnn_decisions_keeps_all(const vdnn_map_decision *decision);
/* Whether backward recomputes any part of a map; whether it does one of its pieces, of so many. */
bool vdnn_decisions_recomputes(const vdnn_decisions *decisions, int32_t map);
bool vdnn_decisions_recomputes_piece(const vdnn_decisions *decisions, int32_t map, int32_t piece,
                                     int32_t count);

/* Of an offloaded map the bytes that are not recomputed; of others 0. */
size_t vdnn_decisions_copied_bytes(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                   int32_t map);

/* Why a layer cannot be chained to the one before it, and so to the chain of that, as static text;
 * NULL: it can. */
const char *vdnn_decisions_chain_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                         int32_t layer);

/* Of these whether a chain from layer `begin` on has room up to `layer`. With the last reader of a
 * tensor in the chain the tensor's gradient is there a part at a time: then the tensor's producer
 * cannot write another gradient of all samples over it. */
bool vdnn_decisions_chain_has_room(const vdnn_graph *graph, int32_t begin, int32_t layer);

/* One behind the last layer of the chain that a layer is of, and the first one: of a layer that is
 * in none, itself. */
int32_t vdnn_decisions_chain_end(const vdnn_decisions *decisions, int32_t layer);
int32_t vdnn_decisions_chain_begin(const vdnn_decisions *decisions, int32_t layer);

/* The first layer of the chain that ends with the loss; behind all layers: there is none. */
int32_t vdnn_decisions_tail_begin(const vdnn_decisions *decisions);

/* Whether that makes a map, or reads it: then it is kept. Why a map that is decided otherwise
 * cannot be, as static text; NULL: it can. */
bool vdnn_decisions_tail_has(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map);
const char *vdnn_decisions_tail_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                        int32_t map);

/* Whether a map is made, read and needed within one chain; whether it is then on the device one
 * part at a time: it is not kept, but in the tail, and offloaded only in pieces. */
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

/* Whether both give the same plan, over one graph; labels are ignored. */
bool vdnn_decisions_same(const vdnn_decisions *a, const vdnn_decisions *b);
/* A hash of all that compares. 128 bits: that two differ and have the same key will not be seen. */
XXH128_hash_t vdnn_decisions_key(const vdnn_decisions *decisions);

/* The chosen algorithm of a layer's pass; NULL: it has no such pass. */
const vdnn_choice *vdnn_decisions_choice(const vdnn_decisions *decisions,
                                         const vdnn_profile *profile, int32_t layer,
                                         vdnn_pass pass);

/* Of all passes with the chosen algorithms, one after the other. */
double vdnn_decisions_seconds(const vdnn_decisions *decisions, const vdnn_profile *profile);

/* Whether backward computes another map from it once more. */
bool vdnn_decisions_is_read_again(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                  int32_t map);

/* Why a map cannot be recomputed with the chosen algorithms, as static text; NULL: it can. */
const char *vdnn_decisions_recompute_refusal(const vdnn_graph *graph, const vdnn_profile *profile,
                                             const vdnn_decisions *decisions, int32_t map);

#endif
