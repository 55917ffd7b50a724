#ifndef VDNN_RUNTIME_PLAN_PLAN_H
#define VDNN_RUNTIME_PLAN_PLAN_H

/* The plan: one complete training step (or one evaluation) as a list of steps with addresses and
 * waits.
 *
 *   stream compute   begin | fwd conv1 | fwd pool1 |join| ... | bwd conv1 | update conv1 | end
 *   stream out             | out m0 ---------------^
 *   stream in        load--^                          in m0 --^
 *
 * Where batches are loaded ahead, a step takes the batch that the step before it loaded:
 *
 *   stream compute   begin | take | fwd conv1 | fwd pool1 | ... | bwd conv1 | update conv1 | end
 *   stream in                     | load the next batch |                                    ^
 *
 * Where they are loaded late, the load runs in backward. The plan has two buffers at the same
 * offset, since other buffers use the bytes in between: the batch that arrived, and the next batch:
 *
 *   stream compute   begin | take | fwd conv1 | ... | bwd conv2 | bwd conv1 | update conv1 | end
 *   stream in                                       | load the next batch |                 ^
 *   the place        arrived -----| others          | ahead -------------------------------->
 *
 * Where the batch is run in micro-batches, the steps between begin and end are repeated for each,
 * except the update: a layer's gradient is added to that of the micro-batch before, and after the
 * last micro-batch the parameters are updated.
 *
 *   stream compute   begin | fwd ... bwd conv1 | fwd ... bwd conv1 | accumulate | update | end
 *   stream in        load--^         load next --^
 *
 * Where a layer is run in parts, each of its passes has one step for each part, which accesses the
 * bytes of its samples in the buffers of the whole layer. The gradients of its parameters are added
 * in the order of the parts:
 *
 *   stream compute   ... | fwd conv1 0 | fwd conv1 1 | ... | bwd conv1 0 | bwd conv1 1 | accumulate
 *
 * The bytes of a part of the channels are stripes, one in each sample. The kernel uses copies of
 * them without gaps, which are staged in its workspace:
 *
 *     buffer of y | s . . | s . . | s . . |     first, bytes: from the first s to the last s
 *                   <-----> stride              stripe: the bytes of one s
 *
 * Where several devices share a batch, gradients of blocks of parameters lie in buckets. A bucket
 * is one buffer, which one step sums over the devices; accesses name the range of a block in it:
 *
 *     bucket       | fc8 | fc7        | fc6 |        updates: each reads its block's range
 *
 * Where each device updates a share of a block, only that share is summed, and a step gathers the
 * block. A plan serves every device, so its buffers of state have the size of the largest share:
 *
 *   stream compute   ... | bwd conv2 | update conv4 | bwd conv1 | update conv3 | ... | end
 *   stream reduce    | reduce conv4 |              | gather conv4 | reduce conv2 | ...
 *
 * Steps of one stream run in the order of the list. A step starts when the step before it on its
 * stream and the steps that it waits for are complete. A buffer is live from the start of the first
 * step that accesses it to the end of the last one. The first step ("begin") and the last one
 * ("end") join all streams; the next training step begins after "end".
 *
 * Invariant: immutable once created; created only by vdnn_planner_plan; the executor runs it only
 * after vdnn_checker_check has passed.
 * Threads: any may read.
 *
 *     status = vdnn_planner_plan(graph, profile, &decisions, &plan);
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

/* The role of a buffer in a step that accesses it, by which the executor binds it: name, text. */
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

/* HOLD keeps a buffer live at a step that does not access it (joins, and workspace kept to a
 * layer's end). A workspace is only accessed with WRITE. */
typedef struct vdnn_access {
    int32_t buffer;
    int32_t writer; /* READ: the step whose write it must see; -1: the content from before the step
                       (only of persistent buffers and of a batch that arrived) */
    uint8_t mode;
    uint8_t bind;        /* vdnn_bind */
    int32_t slot;        /* for X and DX: which input; for DW by a part of the channels: which
                            parameter; else 0 */
    size_t first, bytes; /* the accessed range of the buffer: its offset and length */
    size_t stripe,
        stride; /* the first `stripe` bytes of every `stride` in it; 0: the whole range */
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
    vdnn_pass pass; /* RUN: the pass; other kinds: the half of the step that they belong to */
    int32_t micro;  /* the micro-batch whose values it accesses; for steps of the whole batch
                       ("begin",  "end", loads ahead) that of the neighboring steps */
    int32_t part;   /* of the layer, computed or summed; 0: the first part, or the whole layer */
    const vdnn_algorithm *algorithm; /* for RUN and RECOMPUTE; else NULL */
    size_t bytes; /* moved or summed by copies, loads, stores, accumulations and updates */
    size_t workspace_bytes;             /* that the algorithm requires, by the profile; 0: none */
    double seconds;                     /* estimated */
    int32_t first_access, access_count; /* into plan->accesses */
    int32_t first_wait, wait_count;     /* into plan->waits: earlier steps, on other streams */
    const char *label; /* "begin", "end" or the map's name; "": none; borrowed from the graph or
                          static */
} vdnn_step;

/* The neighbor in a pipeline to which a send gives, or from which a receive takes: 1: the stage
 * above, -1: the one below; 0 for other kinds. In forward what is sent goes up. */
static inline int32_t vdnn_step_peer(const vdnn_step *step)
{
    if (step->kind != VDNN_STEP_SEND && step->kind != VDNN_STEP_RECEIVE)
        return 0;
    return (step->kind == VDNN_STEP_SEND) == (step->pass == VDNN_FORWARD) ? 1 : -1;
}

typedef struct vdnn_buffer {
    vdnn_class class;
    vdnn_tier tier;
    bool persistent;               /* its content is kept between training steps */
    int32_t layer;                 /* for weight, gradient, optimizer, workspace; -1: none */
    int32_t map;                   /* for feature map, stash, gradient map, host copy; -1: none */
    size_t map_offset;             /* for a piece of a map: its offset in the map; else 0 */
    size_t bytes, offset;          /* offset: in the tier's block, aligned for the tier */
    int32_t first_step, last_step; /* the first and the last in the list that access it */
    const char *label;             /* borrowed from the graph or static */
} vdnn_buffer;

/* The alignment of cudaMalloc, which CUDA libraries rely on: cuBLAS requires it for a workspace on
 * GPUs of compute capability 9.0. */
enum { VDNN_ALIGNMENT = 256 };

/* The bytes that a buffer occupies in its tier. If plans have zones, they are rounded up to the
 * alignment before the zone is added, so that the next buffer begins where the zone ends. */
static inline size_t vdnn_plan_span_bytes(size_t bytes, size_t zone_bytes)
{
    size_t whole = (bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
    return zone_bytes == 0 ? bytes : whole + zone_bytes;
}

/* The most steps, buffers, accesses or waits of a plan. Half points and ends of buffers are twice
 * as many, and must fit in 32 bits. */
enum { VDNN_PLAN_MOST_ITEMS = 1 << 29 };

struct vdnn_plan {
    const vdnn_graph *graph; /* borrowed */
    const char *policy, *algo;
    int64_t trials;       /* as decided */
    bool training;        /* false: forward only, an evaluation */
    vdnn_release release; /* as decided, as are all members up to `buckets` */
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

    /* Per layer: the buffer of its block's parameters, and of their optimizer state; -1: none. They
     * are kept between steps in the tier that the decisions for the block's owner say: on the
     * device, or on the host, from where each pass that uses them copies them in. */
    int32_t *param_buffer, *state_buffer;
    /* Per input of the graph: the buffers into which the next batch is loaded, and from which this
     * one is taken. They differ only for a batch loaded late; -1: nothing is loaded ahead. */
    int32_t *ahead, *arrived;

    size_t span_bytes[VDNN_TIER_COUNT]; /* of the offsets used in each tier */
    /* The most bytes live at one time. A buffer is live at a point of the compute stream (a step,
     * or the gap after it) unless its last user happens before it or its first user after it. */
    size_t peak_bytes[VDNN_TIER_COUNT];
    double device_average_bytes;          /* weighted by the estimated time */
    size_t offload_bytes, prefetch_bytes; /* between the device and the host tier */
    size_t spill_bytes, fill_bytes;       /* between the host and the file tier */
    double recompute_seconds, step_seconds, oracle_step_seconds;
    size_t by_category[VDNN_CATEGORY_COUNT];         /* the maximum of each category by itself */
    size_t by_category_at_peak[VDNN_CATEGORY_COUNT]; /* sums to the device's peak */
    int32_t peak_step;                               /* the first compute step at the peak */

    int32_t *chained;                                     /* as decided; per layer */
    const vdnn_algorithm *(*algorithms)[VDNN_PASS_COUNT]; /* per layer; NULL: no such pass */
    size_t *workspace_bytes;                              /* per layer: the largest of its passes */
    double *forward_seconds, *backward_seconds;           /* per layer, estimated */
};

/* Creates a deep copy, which the caller owns; VDNN_NO_MEMORY. */
vdnn_status vdnn_plan_copy(const vdnn_plan *plan, vdnn_plan **copy);
void vdnn_plan_destroy(vdnn_plan *plan);

/* Moves the device buffer that ends last up, so that the plan takes this many bytes of the device,
 * which are more than it takes now. False: that buffer is kept after the step, and stays. Only
 * before the plan is used. */
bool vdnn_plan_raise(vdnn_plan *plan, size_t bytes);

/* Finds what the steps do with each map of the graph. The caller frees the array by vdnn_heap_free.
 * offload: it is copied out in forward; keep: backward reads what forward wrote, although pieces
 * may be recomputed; recompute: backward reads only recomputed values; drop: backward does not read
 * it. VDNN_NO_MEMORY. */
vdnn_status vdnn_plan_find_actions(const vdnn_plan *plan, vdnn_action **actions);

/* The name of the layer whose step is at the peak; NULL: none. */
const char *vdnn_plan_peak_layer(const vdnn_plan *plan);

/* Whether a layer's parameters are kept on the device. Otherwise they are kept in another tier, and
 * each pass that uses them copies them in. */
static inline bool vdnn_plan_keeps_params(const vdnn_plan *plan, int32_t layer)
{
    const int32_t home = plan->param_buffer[layer];
    return home >= 0 && plan->buffers[home].tier == VDNN_TIER_DEVICE;
}

/* The offset in a parameter block at which a copy of the layer's weight would begin. */
static inline size_t vdnn_plan_copy_place(const vdnn_layer *layer)
{
    return (layer->param_bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

/* The offset of the copy of the layer's weight; 0: the plan keeps no copy. */
static inline size_t vdnn_plan_copy_offset(const vdnn_plan *plan, const vdnn_layer *layer)
{
    bool is_kept = plan->copies == VDNN_WEIGHTS_KEPT && layer->copy_bytes > 0 &&
                   vdnn_plan_keeps_params(plan, layer->index);
    return is_kept ? vdnn_plan_copy_place(layer) : 0;
}

/* Whether a step of this plan loads the next batch. An evaluation does not: it leaves the memory
 * that a training has for it unchanged. */
static inline bool vdnn_plan_loads_ahead(const vdnn_plan *plan)
{
    return plan->training && plan->loads != VDNN_LOADS_OWN;
}

/* Whether a buffer holds a batch that the step before this one loaded late. */
static inline bool vdnn_plan_has_arrived(const vdnn_buffer *buffer)
{
    return buffer->class == VDNN_CLASS_INPUT_ARRIVED || buffer->class == VDNN_CLASS_LABELS_ARRIVED;
}

/* Whether a buffer's content is kept after the step: it is persistent, or is loaded ahead. */
static inline bool vdnn_plan_is_kept(const vdnn_buffer *buffer)
{
    return buffer->persistent || buffer->class == VDNN_CLASS_INPUT_AHEAD ||
           buffer->class == VDNN_CLASS_LABELS_AHEAD;
}

static inline bool vdnn_plan_fits(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    return vdnn_tier_exceeded(plan->span_bytes, budget_bytes) == VDNN_TIER_COUNT;
}

/* The input of the graph that a buffer holds, for this step or the next one; -1: none. */
int32_t vdnn_plan_input_of(const vdnn_plan *plan, const vdnn_buffer *buffer);

/* The step that computed what an access reads: the named writer or, if that is a copy, the step
 * whose output was copied; -1: it is from before the step. Each read names an earlier step. */
int32_t vdnn_plan_made_by(const vdnn_plan *plan, const vdnn_access *read);

/* The next step from `from` on of that kind with that neighbor of vdnn_step_peer; step_count: none.
 */
int32_t vdnn_plan_next_transfer(const vdnn_plan *plan, int32_t from, vdnn_step_kind kind,
                                int32_t peer);

/* The number of parts of a step's layer; 1: the layer is run as a whole, or there is no layer. */
static inline int32_t vdnn_plan_parts(const vdnn_plan *plan, const vdnn_step *step)
{
    return step->layer < 0 ? 1 : vdnn_graph_part_count(plan->graph, step->layer);
}

/* Whether a step runs a kernel of a layer; and which pass that kernel computes. */
static inline bool vdnn_step_has_kernel(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RUN || step->kind == VDNN_STEP_RECOMPUTE;
}

static inline vdnn_pass vdnn_step_kernel_pass(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RECOMPUTE ? VDNN_FORWARD : step->pass;
}

/* The kind of work that a step is when copies slow it down. */
static inline vdnn_compute_kind vdnn_step_compute(const vdnn_graph *graph, const vdnn_step *step)
{
    if (step->stream != VDNN_STREAM_COMPUTE)
        return VDNN_COMPUTE_NOTHING;
    bool is_product = vdnn_step_has_kernel(step) && graph->layers[step->layer].def->multiplies;
    return is_product ? VDNN_COMPUTE_PRODUCT : VDNN_COMPUTE_MOVING;
}

/* Which part of a sum over the devices a step does. If gradients are clipped, every device needs
 * all gradients for their norm, so that the sum is a whole one. */
static inline vdnn_reduce_part vdnn_step_reduce_part(const vdnn_graph *graph, const vdnn_step *step)
{
    if (step->kind == VDNN_STEP_GATHER)
        return VDNN_REDUCE_ALL_GATHER;
    return graph->shards && graph->training.clip_norm == 0 ? VDNN_REDUCE_SCATTER
                                                           : VDNN_REDUCE_WHOLE;
}

/* The layer that a step runs, in the shape of its micro-batch and part. */
static inline const vdnn_layer *vdnn_plan_step_layer(const vdnn_plan *plan, const vdnn_step *step)
{
    return vdnn_graph_part_layer(vdnn_graph_of_micro(plan->graph, step->micro), step->layer,
                                 step->part);
}

/* Names, "unknown" for other values; and the category of a class. */
const char *vdnn_bind_text(vdnn_bind bind);
const char *vdnn_class_text(vdnn_class class);
vdnn_category vdnn_class_category(vdnn_class class);
const char *vdnn_category_text(vdnn_category category);

#endif
