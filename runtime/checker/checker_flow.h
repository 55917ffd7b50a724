#ifndef VDNN_RUNTIME_CHECKER_CHECKER_FLOW_H
#define VDNN_RUNTIME_CHECKER_CHECKER_FLOW_H

/* Shared by the parts of the pass "flow", which finds the access that wrote each value.
 *
 *   checker_flow.c    values that are read, the batch, everything once
 *   checker_content.c which access wrote each byte of each buffer
 *   checker_copies.c  copies, which pass on the origin of what they copy
 *   checker_sums.c    partial sums of gradients, and their norm
 *   checker_stages.c  what a stage of a pipeline sends and receives
 *   checker_kept.c    the homes of values kept between training steps, and their final contents
 *
 * Invariant: steps are checked in the order of the plan, which is also the order of the accesses of
 * a buffer. `content` is the state before the step that is being checked, and `partial` of an
 * access is set once its step has been checked. Threads: one.
 *
 *     status = vdnn_flow_check_copy(f, i);
 *     if (!vdnn_flow_made_by(f, origin, VDNN_STEP_LOAD, VDNN_BIND_DST, micro))
 *         return vdnn_flow_refuse(f, access, origin, "the labels as loaded");
 */

#include "runtime/checker/checker_internal.h"

/* A partial sum of a gradient within this step, on this device or over all of them; for the norm,
 * the blocks whose squares are added. */
typedef struct vdnn_flow_partial {
    int32_t of;   /* a tensor; for parameters, the owner of a block */
    int32_t turn; /* the micro-batch; for parameters, the last part that was added, counted in the
                     order of backward through all micro-batches */
    int32_t parts;
    int32_t reader, slot; /* for a tensor: the reader of the last part added, and its input; for
                             parameters of layers that sum alone: whose sum it is, and whether that
                             of later layers is in it */
    /* Of that part: the range of its reader's channel parts whose sum it holds; [0, 1) if it is not
     * a sum over channel parts. */
    int32_t first_share, end_share;
    size_t place;    /* for parameters: the offset of the block in its buffer */
    bool is_reduced; /* for parameters: already summed over the devices */
} vdnn_flow_partial;

/* Bytes of a buffer that one access wrote; origin -1: they were written before the step. A pattern
 * repeats every `stride` bytes, and a list of pieces says which accesses wrote one period. */
typedef struct vdnn_flow_piece {
    size_t first, end, stride; /* stride 0: no pattern */
    int32_t origin, period;    /* a pattern has no origin; its `period` is the first piece of one
                                  period, [0, stride) */
    int32_t next;              /* index of a piece */
} vdnn_flow_piece;

typedef struct vdnn_flow_content {
    vdnn_flow_piece *pieces; /* buffer b begins with piece b */
    int32_t count, capacity;
} vdnn_flow_content;

/* What an access reads of one piece: a range of bytes, or all periods of a pattern. */
typedef struct vdnn_flow_range {
    vdnn_stripes at;
    int32_t origin;
} vdnn_flow_range;

typedef struct vdnn_flow_reader {
    const vdnn_flow_content *content; /* borrowed */
    vdnn_stripes taken;
    size_t end;            /* of `taken` */
    int32_t piece, period; /* the next piece; in a pattern, the last piece read of its period */
} vdnn_flow_reader;

/* The kinds of values that are kept for a layer. */
enum { VDNN_FLOW_WEIGHTS, VDNN_FLOW_STATE, VDNN_FLOW_BLOCKS };

/* What is found while the plan is walked. */
typedef struct vdnn_flow {
    const vdnn_checker *checker;
    vdnn_flow_content content;
    vdnn_flow_partial *partial;              /* per access that writes a sum or a norm */
    int32_t *expected;                       /* per tensor: parts of its whole gradient */
    int32_t (*runs)[VDNN_PASS_COUNT];        /* per micro-batch and vdnn_checker_run_of */
    int32_t *averages;                       /* per micro-batch and layer */
    int32_t *updates, *reductions, *gathers; /* per layer */
    int32_t *reduced_by; /* per buffer: the step after which its contents, and copies of them, are
                            summed over the devices; 0: none */
    int32_t (*stored)[VDNN_FLOW_BLOCKS]; /* per layer: copies to the home of each kind */
    int32_t norms;                       /* how many layers' squares are added */
    int32_t *stores;                     /* per micro-batch */
    int32_t (*loads)[VDNN_INPUTS_MAX];   /* per micro-batch and input */
    int32_t takes[VDNN_INPUTS_MAX];      /* per input */
    uint8_t *crossings;       /* per micro-batch and tensor: how it crossed the cuts of a stage */
    uint8_t *block_crossings; /* the same per block that stages share */
    int norm_crossings[2][2]; /* of the norm: received or sent, in backward or when it returns */
} vdnn_flow;

/* The step of an access, and an access by its index. */
static inline const vdnn_step *vdnn_flow_step(const vdnn_flow *f, int32_t access)
{
    return &f->checker->plan->steps[f->checker->access_step[access]];
}

static inline const vdnn_access *vdnn_flow_access(const vdnn_flow *f, int32_t access)
{
    return &f->checker->plan->accesses[access];
}

/* Whether a value was written by a step of this kind as `bind`, or by a pass of a layer, in
 * micro-batch `micro`. */
bool vdnn_flow_made_by(const vdnn_flow *f, int32_t origin, vdnn_step_kind kind, vdnn_bind bind,
                       int32_t micro);
bool vdnn_flow_made_by_run(const vdnn_flow *f, int32_t origin, vdnn_pass pass, int32_t layer,
                           vdnn_bind bind, int32_t micro);
/* The step's access with this bind; -1: none. */
int32_t vdnn_flow_find(const vdnn_flow *f, const vdnn_step *step, vdnn_bind bind);
/* Fails because of what an access reads; `meant` names what it should read. */
vdnn_status vdnn_flow_refuse(const vdnn_flow *f, int32_t access, int32_t origin, const char *meant);

/* checker_content.c. An access writes values of origin `origin`; a copy passes origins on. */
vdnn_status vdnn_flow_content_init(vdnn_flow_content *content, const vdnn_plan *plan);
void vdnn_flow_content_fini(vdnn_flow_content *content);
vdnn_status vdnn_flow_put(vdnn_flow_content *content, int32_t buffer, const vdnn_stripes *stripes,
                          int32_t origin);
vdnn_status vdnn_flow_write(vdnn_flow_content *content, const vdnn_access *access, int32_t origin);
/* Splits pieces so that none crosses the first or the last byte of an access. */
vdnn_status vdnn_flow_bound(vdnn_flow_content *content, const vdnn_access *access);
/* Iterates over what an access reads, piece by piece; false: no piece is left. Meanwhile pieces of
 * other buffers may be added, but none of this one. */
vdnn_flow_reader vdnn_flow_read(const vdnn_flow *f, int32_t access);
vdnn_flow_reader vdnn_flow_read_all(const vdnn_flow *f, int32_t buffer);
bool vdnn_flow_next(vdnn_flow_reader *reader, vdnn_flow_range *range);

/* checker_kept.c: before the steps, checks that the plan names the homes of all kept values; after
 * the steps, checks what these hold. */
vdnn_status vdnn_flow_check_names(const vdnn_checker *checker);
vdnn_status vdnn_flow_check_kept(const vdnn_flow *f);

/* checker_flow.c and checker_sums.c: check that an access reads a tensor, or its whole gradient. */
vdnn_status vdnn_flow_check_tensor(const vdnn_flow *f, int32_t access, int32_t tensor);
vdnn_status vdnn_flow_check_kept_weights(const vdnn_flow *f, int32_t access,
                                         const vdnn_layer *layer);
/* checker_sums.c: that an access reads the sum of a block which this stage sends on. */
vdnn_status vdnn_flow_check_block_sum(const vdnn_flow *f, int32_t access,
                                      const vdnn_stage_block *block);
vdnn_status vdnn_flow_check_gradient(const vdnn_flow *f, int32_t access, int32_t tensor);

/* checker_stages.c: checks a step that sends or receives; after the steps, that all has crossed.
 * The tensor that a value is which was received in this half, -1: none. Whether a norm is that of
 * all blocks of this stage, and of those of later stages. */
/* Whether a value is the weights of the block of that layer here, which an earlier stage lends. */
bool vdnn_flow_is_lent(const vdnn_flow *f, int32_t origin, int32_t here);
vdnn_status vdnn_flow_check_peer(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_crossings(const vdnn_flow *f);
int32_t vdnn_flow_received(const vdnn_flow *f, int32_t origin, vdnn_pass half);
bool vdnn_flow_is_norm_here(const vdnn_flow *f, int32_t source);

/* checker_copies.c: checks a copy between tiers. */
vdnn_status vdnn_flow_check_copy(vdnn_flow *f, int32_t i);

/* checker_sums.c: whether a layer has running statistics; how many blocks have gradients; checks of
 * steps that sum; checks of reads of the gradient of a layer's output, of its parameters' gradient,
 * also by a run that adds to it, and of the norm of all of them. */
bool vdnn_flow_has_averages(const vdnn_layer *layer);
/* Whether the gradient of a layer's block is summed over the devices. */
bool vdnn_flow_is_reduced(const vdnn_plan *plan, const vdnn_layer *layer);
/* Whether each device updates only a share of the block, and receives the other shares after it. */
bool vdnn_flow_is_gathered(const vdnn_plan *plan, const vdnn_layer *layer);
int32_t vdnn_flow_count_learning(const vdnn_graph *graph);
vdnn_status vdnn_flow_check_accumulate(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_reduce(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_gather(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_norm(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_dw(const vdnn_flow *f, int32_t access, const vdnn_layer *layer);
vdnn_status vdnn_flow_check_added(const vdnn_flow *f, int32_t access, const vdnn_layer *layer);
vdnn_status vdnn_flow_check_scale(const vdnn_flow *f, int32_t access);

#endif
