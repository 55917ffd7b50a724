#ifndef VDNN_RUNTIME_PLAN_PLAN_H
#define VDNN_RUNTIME_PLAN_PLAN_H

/* The plan: one complete training step (or one evaluation) as a list of steps with addresses and
 * waits.
 *
 *   stream compute   begin | fwd conv1 | fwd pool1 |join| ... | bwd conv1 | update conv1 | end
 *   stream out             | out m0 ---------------^
 *   stream in        load--^                          in m0 --^
 *
 * Where batches are loaded ahead, a step takes its own from where the step before it had it loaded:
 *
 *   stream compute   begin | take | fwd conv1 | fwd pool1 | ... | bwd conv1 | update conv1 | end
 *   stream in                     | load the next batch |                                    ^
 *
 * or, where they are loaded late, has it loaded in backward. Of that place the plan has two
 * buffers, since others lie there in between: what arrived, and what is loaded for the next step:
 *
 *   stream compute   begin | take | fwd conv1 | ... | bwd conv2 | bwd conv1 | update conv1 | end
 *   stream in                                       | load the next batch |                 ^
 *   the place        arrived -----| others          | ahead -------------------------------->
 *
 * Where the batch is run in micro-batches, what is between begin and end stands there once for
 * each, except the update: a layer's gradient is added to that of the micro-batch before, and the
 * last one updates the parameters.
 *
 *   stream compute   begin | fwd ... bwd conv1 | fwd ... bwd conv1 | accumulate | update | end
 *   stream in        load--^         load next --^
 *
 * Where a layer is run in parts, each of its passes stands there once for each, and accesses the
 * bytes of its samples in the buffers of the whole; the gradients of its parameters are added in
 * the order of the parts.
 *
 *   stream compute   ... | fwd conv1 0 | fwd conv1 1 | ... | bwd conv1 0 | bwd conv1 1 | accumulate
 * |
 *
 * The bytes of a part of its channels are stripes, one of each sample; the kernel's copies of them,
 * without gaps, are staged in its workspace:
 *
 *     buffer of y | s . . | s . . | s . . |     first, bytes: from the first s to the last one
 *                   <-----> stride              stripe: of each s
 *
 * Of several devices the gradients of blocks of parameters lie in buckets, each a buffer, which a
 * step sums over the devices; what of a buffer is a block's is found by the ranges of accesses:
 *
 *     bucket       | fc8 | fc7        | fc6 |        updates: each reads its block's range
 *
 * Where each updates its share of a block alone, the sum is of its share, and a step gathers the
 * block; plans are of no device in particular, so the buffers of state have the largest share:
 *
 *   stream compute   ... | bwd conv2 | update conv4 | bwd conv1 | update conv3 | ... | end
 *   stream reduce    | reduce conv4 |              | gather conv4 | reduce conv2 | ...
 *
 * Steps of one stream run in the order of the list. A step starts when the step before it on its
 * stream and the steps that it waits for are complete. A buffer lives from the start of the first
 * step that accesses it to the end of the last. The first step is a join of all streams ("begin"),
 * the last one too ("end"); the next training step begins after "end".
 *
 * Invariant: immutable once made; made only by vdnn_planner_plan; the executor runs it only after
 * vdnn_checker_check.
 * Threads: any may read.
 *
 *     status = vdnn_planner_plan(graph, profile, &decisions, &options, &plan);
 *     status = vdnn_checker_check(plan, budget_bytes); // of each tier
 *     status = vdnn_plan_print(plan, &text);
 *     vdnn_plan_destroy(plan);
 */

#include "runtime/base/text.h"
#include "runtime/plan/decisions.h"
#include "runtime/plan/step_kind.h"

/* name, text, category in reports */
#define VDNN_CLASS_TABLE(X)                                                                        \
    X(WEIGHT, "weight", weights)                                                                   \
    X(WEIGHT_GRADIENT, "weight_gradient", weight_gradients)                                        \
    X(OPTIMIZER, "optimizer", optimizer)                                                           \
    X(NORM, "norm", other)                                                                         \
    X(FEATURE_MAP, "feature_map", feature_maps)                                                    \
    X(GRADIENT_MAP, "gradient_map", gradient_maps)                                                 \
    X(STASH, "stash", other)                                                                       \
    X(WORKSPACE, "workspace", workspace)                                                           \
    X(INPUT, "input", feature_maps)                                                                \
    X(LABELS, "labels", other)                                                                     \
    X(INPUT_AHEAD, "input_ahead", feature_maps)                                                    \
    X(LABELS_AHEAD, "labels_ahead", other)                                                         \
    X(INPUT_ARRIVED, "input_arrived", feature_maps)                                                \
    X(LABELS_ARRIVED, "labels_arrived", other)                                                     \
    X(RESULT, "result", other)

typedef enum vdnn_class {
#define X(name, text, category) VDNN_CLASS_##name,
    VDNN_CLASS_TABLE(X)
#undef X
        VDNN_CLASS_COUNT
} vdnn_class;

typedef enum vdnn_category {
#define X(name) VDNN_CATEGORY_##name,
    VDNN_CATEGORY_TABLE(X)
#undef X
        VDNN_CATEGORY_COUNT
} vdnn_category;

/* What a buffer is to the step that accesses it. name, text; the executor binds by it. */
#define VDNN_BIND_TABLE(X)                                                                         \
    X(X, "x")                                                                                      \
    X(Y, "y")                                                                                      \
    X(DX, "dx")                                                                                    \
    X(DY, "dy")                                                                                    \
    X(W, "w")                                                                                      \
    X(DW, "dw")                                                                                    \
    X(STATE, "state")                                                                              \
    X(AUX, "aux")                                                                                  \
    X(WORKSPACE, "workspace")                                                                      \
    X(LABELS, "labels")                                                                            \
    X(SRC, "src")                                                                                  \
    X(DST, "dst")                                                                                  \
    X(STAGED, "staged")                                                                            \
    X(HOLD, "hold")

typedef enum vdnn_bind {
#define X(name, text) VDNN_BIND_##name,
    VDNN_BIND_TABLE(X)
#undef X
        VDNN_BIND_COUNT
} vdnn_bind;

enum { VDNN_HOLD = 0, VDNN_READ = 1, VDNN_WRITE = 2 }; /* bits of vdnn_access.mode */

/* HOLD keeps a buffer alive at a step without accessing it (joins, and workspace kept to a layer's
 * end). A workspace is accessed with WRITE only. */
typedef struct vdnn_access {
    int32_t buffer;
    int32_t writer; /* READ: the step whose write it must see; -1: the content from before the step
                       (of persistent buffers and what arrived only) */
    uint8_t mode;
    uint8_t bind;          /* vdnn_bind */
    int32_t slot;          /* which input, of X and DX; of DW by a part of the channels, which
                              parameter; else 0 */
    size_t first, bytes;   /* of the buffer: where what is accessed begins, and its length */
    size_t stripe, stride; /* of that, the first `stripe` bytes of every `stride`; 0: all */
} vdnn_access;

static inline vdnn_stripes vdnn_access_stripes(const vdnn_access *access)
{
    if (access->stride == 0)
        return (vdnn_stripes){access->first, access->bytes, access->bytes, 1};
    return (vdnn_stripes){access->first, access->stripe, access->stride,
                          (int64_t)((access->bytes - access->stripe) / access->stride) + 1};
}

typedef struct vdnn_step {
    vdnn_step_kind kind;
    vdnn_stream_id stream;
    int32_t layer;  /* whose pass, update or copy it is; -1: none */
    vdnn_pass pass; /* RUN; of the group for other kinds (which half of the step) */
    int32_t micro; /* the micro-batch whose values it reads and writes; of what belongs to the whole
                      step ("begin", "end", a batch loaded ahead) the one beside it */
    int32_t part;  /* of the layer, which it computes or sums; 0: the first, or all */
    const vdnn_algorithm *algorithm; /* RUN and RECOMPUTE; else NULL */
    size_t bytes; /* copies, loads, stores, accumulations, updates: bytes moved or summed */
    size_t workspace_bytes;             /* that the algorithm requires, by the profile; 0: none */
    double seconds;                     /* estimated */
    int32_t first_access, access_count; /* into plan->accesses */
    int32_t first_wait, wait_count;     /* into plan->waits: earlier steps, on other streams */
    const char *label; /* "begin", "end", the map's name; "" if there is none; borrowed from the
                          graph or static */
} vdnn_step;

typedef struct vdnn_buffer {
    vdnn_class class;
    vdnn_tier tier;
    bool persistent;               /* keeps its content between training steps */
    int32_t layer;                 /* weight, gradient, optimizer, workspace; -1: none */
    int32_t map;                   /* feature map, stash, gradient map, host copy; -1: none */
    size_t map_offset;             /* where in the map its bytes begin: of a piece of one; else 0 */
    size_t bytes, offset;          /* offset into the tier's block, aligned as it requires */
    int32_t first_step, last_step; /* the first and last in the list that access it */
    const char *label;             /* borrowed from the graph or static */
} vdnn_buffer;

/* The alignment of cudaMalloc, which libraries for cards rely on: cuBLAS requires it of a workspace
 * on cards of compute capability 9.0. */
enum { VDNN_ALIGNMENT = 256 };

/* The bytes that a buffer occupies in its tier: if plans leave zones, up to the next aligned
 * address plus the zone, so that nothing lies between a zone and the next buffer above it. */
static inline size_t vdnn_plan_span_bytes(size_t bytes, size_t zone_bytes)
{
    size_t whole = (bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    return zone_bytes == 0 ? bytes : whole + zone_bytes;
}

/* The most steps, buffers, accesses or waits of a plan: half points and ends of buffers are twice
 * as many and must fit 32 bits. */
enum { VDNN_PLAN_MOST_ITEMS = 1 << 29 };

struct vdnn_plan {
    const vdnn_graph *graph; /* borrowed */
    const char *policy, *algo;
    int64_t trials;       /* as decided */
    bool training;        /* false: forward only, an evaluation */
    vdnn_release release; /* as decided, like all up to `buckets` */
    vdnn_sync sync;
    vdnn_updates updates;
    vdnn_weight_copies copies;
    vdnn_loads loads;
    int32_t load_layer;
    vdnn_reduce_buckets buckets;

    vdnn_step *steps;
    int32_t step_count;
    vdnn_buffer *buffers;
    int32_t buffer_count;
    vdnn_access *accesses;
    int32_t access_count;
    int32_t *waits;
    int32_t wait_count;

    /* Per layer, of its block, the latter of the optimizer; -1: none. Kept from step to step where
     * the decisions for the block's owner say: on the device, or in the host tier, from where each
     * pass that uses them has a copy. */
    int32_t *param_buffer, *state_buffer;
    /* Per input of the graph: where the next step's is loaded, and from where this one's is taken:
     * the same buffer, but of a batch loaded late; -1: nothing is loaded ahead. */
    int32_t *ahead, *arrived;

    size_t span_bytes[VDNN_TIER_COUNT]; /* of the addresses used in each tier */
    /* The most bytes live at one time; a buffer is live at a point of the compute stream (a step,
     * or the gap after one) unless its last user happens before it or its first user after it. */
    size_t peak_bytes[VDNN_TIER_COUNT];
    double device_average_bytes;          /* weighted by the estimated time */
    size_t offload_bytes, prefetch_bytes; /* between the device and the host tier */
    size_t spill_bytes, fill_bytes;       /* between the host and the file tier */
    double recompute_seconds, step_seconds, oracle_step_seconds;
    size_t by_category[VDNN_CATEGORY_COUNT];         /* each category's own maximum */
    size_t by_category_at_peak[VDNN_CATEGORY_COUNT]; /* sums to the device's peak */
    int32_t peak_step;                               /* the first compute step at the peak */

    int32_t *chained;                                     /* as decided; per layer */
    const vdnn_algorithm *(*algorithms)[VDNN_PASS_COUNT]; /* per layer; NULL: no such pass */
    size_t *workspace_bytes;                              /* per layer, the largest of its passes */
    double *forward_seconds, *backward_seconds;           /* per layer, estimated */
};

/* A copy of its own; VDNN_NO_MEMORY. */
vdnn_status vdnn_plan_copy(const vdnn_plan *plan, vdnn_plan **copy);
void vdnn_plan_destroy(vdnn_plan *plan);

/* What the steps do with each map of the graph, to be freed by vdnn_heap_free. offload: it is
 * copied out in forward; keep: backward reads what forward wrote, but maybe of pieces that are
 * recomputed; recompute: it reads what is recomputed alone; drop: backward does not need it.
 * VDNN_NO_MEMORY. */
vdnn_status vdnn_plan_find_actions(const vdnn_plan *plan, vdnn_action **actions);

/* The layer whose step is at the peak; NULL: none. */
const char *vdnn_plan_peak_layer(const vdnn_plan *plan);

/* Whether a layer's parameters live on the device, and not in another tier from where each pass
 * that uses them has a copy. */
static inline bool vdnn_plan_keeps_params(const vdnn_plan *plan, int32_t layer)
{
    const int32_t home = plan->param_buffer[layer];
    return home >= 0 && plan->buffers[home].tier == VDNN_TIER_DEVICE;
}

/* Where in a parameter block the copy of the layer's weight begins, if it has one. */
static inline size_t vdnn_plan_copy_place(const vdnn_layer *layer)
{
    return (layer->param_bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

/* The same; 0: the plan keeps no copy. */
static inline size_t vdnn_plan_copy_offset(const vdnn_plan *plan, const vdnn_layer *layer)
{
    bool is_kept = plan->copies == VDNN_WEIGHTS_KEPT && layer->copy_bytes > 0 &&
                   vdnn_plan_keeps_params(plan, layer->index);
    return is_kept ? vdnn_plan_copy_place(layer) : 0;
}

/* Whether a step of this plan loads the next one's batch: an evaluation has a training's memory for
 * that, and leaves it alone. */
static inline bool vdnn_plan_loads_ahead(const vdnn_plan *plan)
{
    return plan->training && plan->loads != VDNN_LOADS_OWN;
}

/* Whether a buffer has what the step before this one loaded late. */
static inline bool vdnn_plan_has_arrived(const vdnn_buffer *buffer)
{
    return buffer->class == VDNN_CLASS_INPUT_ARRIVED || buffer->class == VDNN_CLASS_LABELS_ARRIVED;
}

/* Whether it has what is kept when the step is over: persistent, or loaded late. */
static inline bool vdnn_plan_is_kept(const vdnn_buffer *buffer)
{
    return buffer->persistent || buffer->class == VDNN_CLASS_INPUT_AHEAD ||
           buffer->class == VDNN_CLASS_LABELS_AHEAD;
}

static inline bool vdnn_plan_fits(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    return vdnn_tier_exceeded(plan->span_bytes, budget_bytes) == VDNN_TIER_COUNT;
}

/* The input of the graph that a buffer is for, this step's or the next one's; -1: none. */
int32_t vdnn_plan_input_of(const vdnn_plan *plan, const vdnn_buffer *buffer);

/* The step that made what an access reads: the one that it names, or, behind copies, the one whose
 * write they moved; -1: it is from before the step. Each read names an earlier step. */
int32_t vdnn_plan_made_by(const vdnn_plan *plan, const vdnn_access *read);

/* The parts of a step's layer; 1: it is run as a whole, or the step has none. */
static inline int32_t vdnn_plan_parts(const vdnn_plan *plan, const vdnn_step *step)
{
    return step->layer < 0 ? 1 : vdnn_graph_part_count(plan->graph, step->layer);
}

/* True for the kinds that run a kernel of a layer, and which pass that kernel does. */
static inline bool vdnn_step_has_kernel(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RUN || step->kind == VDNN_STEP_RECOMPUTE;
}

static inline vdnn_pass vdnn_step_kernel_pass(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RECOMPUTE ? VDNN_FORWARD : step->pass;
}

/* What a step is beside copies. */
static inline vdnn_compute_kind vdnn_step_compute(const vdnn_graph *graph, const vdnn_step *step)
{
    if (step->stream != VDNN_STREAM_COMPUTE)
        return VDNN_COMPUTE_NOTHING;
    bool is_product = vdnn_step_has_kernel(step) && graph->layers[step->layer].def->multiplies;
    return is_product ? VDNN_COMPUTE_PRODUCT : VDNN_COMPUTE_MOVING;
}

/* What a step does of a sum over the devices. The norm of gradients is that of all of them, so
 * that, where it is taken, each device has them all. */
static inline vdnn_reduce_part vdnn_step_reduce_part(const vdnn_graph *graph, const vdnn_step *step)
{
    if (step->kind == VDNN_STEP_GATHER)
        return VDNN_REDUCE_ALL_GATHER;
    return graph->shards && graph->training.clip_norm == 0 ? VDNN_REDUCE_SCATTER
                                                           : VDNN_REDUCE_WHOLE;
}

/* The layer of such a step, in the shape of its part of its micro-batch. */
static inline const vdnn_layer *vdnn_plan_step_layer(const vdnn_plan *plan, const vdnn_step *step)
{
    return vdnn_graph_part_layer(vdnn_graph_of_micro(plan->graph, step->micro), step->layer,
                                 step->part);
}

/* Names; of other values "unknown". */
const char *vdnn_bind_text(vdnn_bind bind);
const char *vdnn_class_text(vdnn_class class);
vdnn_category vdnn_class_category(vdnn_class class);
const char *vdnn_category_text(vdnn_category category);

#endif
