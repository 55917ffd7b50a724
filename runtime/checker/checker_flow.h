#ifndef VDNN_RUNTIME_CHECKER_CHECKER_FLOW_H
#define VDNN_RUNTIME_CHECKER_CHECKER_FLOW_H

/* Shared by the parts of the pass "flow": which access made each value.
 *
 *   checker_flow.c    values that are read, the batch, everything once
 *   checker_content.c which access made each byte of each buffer
 *   checker_copies.c  copies, which are transparent
 *   checker_sums.c    gradients as far as they are summed, and their norm
 *   checker_kept.c    what is kept between training steps: its homes, and what a step leaves there
 *
 * Invariant: steps are checked in the order of the plan, which the accesses of a buffer follow;
 * `content` is that before the step that is checked, and `partial` of an access is set once its
 * step was. Threads: one.
 *
 *     status = vdnn_flow_check_copy(f, i);
 *     if (!vdnn_flow_made_by(f, origin, VDNN_STEP_LOAD, VDNN_BIND_DST, micro))
 *         return vdnn_flow_refuse(f, access, origin, "the labels as loaded");
 */

#include "runtime/checker/checker_internal.h"

/* A gradient as far as it is summed, in this step, on this device or all; of a norm, the blocks
 * whose squares are. */
typedef struct vdnn_flow_partial {
    int32_t of;   /* a tensor; of parameters, the owner of a block */
    int32_t turn; /* the micro-batch; of parameters, the last part that was added: they are counted
                     in the order of backward, through all micro-batches */
    int32_t parts;
    int32_t reader, slot; /* of a tensor: of the last part that was added */
    /* Of that part: which parts of its reader's channels are summed in it; one that is not a sum
     * over them is [0, 1). */
    int32_t first_share, end_share;
    size_t place;    /* of parameters: where the block begins in its buffer */
    bool is_reduced; /* likewise: summed over the devices */
} vdnn_flow_partial;

/* Bytes of a buffer that one access made; -1: they are from before the step. Or a pattern of
 * `stride` bytes, over and over: a list of pieces says who made those of one period. */
typedef struct vdnn_flow_piece {
    size_t first, end, stride; /* stride 0: no pattern */
    int32_t origin, period;    /* of a pattern no origin, but the first piece of [0, stride) */
    int32_t next;              /* a piece */
} vdnn_flow_piece;

typedef struct vdnn_flow_content {
    vdnn_flow_piece *pieces; /* buffer b begins with piece b */
    int32_t count, capacity;
} vdnn_flow_content;

/* What an access takes of one piece: a range, or of a pattern all of its periods. */
typedef struct vdnn_flow_range {
    vdnn_stripes at;
    int32_t origin;
} vdnn_flow_range;

typedef struct vdnn_flow_reader {
    const vdnn_flow_content *content; /* borrowed */
    vdnn_stripes taken;
    size_t end;            /* of it */
    int32_t piece, period; /* the next piece; of a pattern the last of its period that was read */
} vdnn_flow_reader;

/* What is kept of a layer. */
enum { VDNN_FLOW_WEIGHTS, VDNN_FLOW_STATE, VDNN_FLOW_BLOCKS };

/* Values that are found while the plan is walked. */
typedef struct vdnn_flow {
    const vdnn_checker *checker;
    vdnn_flow_content content;
    vdnn_flow_partial *partial;              /* per access that an accumulation or a norm writes */
    int32_t *expected;                       /* per tensor: parts of its whole gradient */
    int32_t (*runs)[VDNN_PASS_COUNT];        /* per micro-batch and vdnn_checker_run_of */
    int32_t *averages;                       /* per micro-batch and layer */
    int32_t *updates, *reductions, *gathers; /* per layer */
    int32_t *reduced_by; /* per buffer: the step behind which what it holds, and what was copied of
                            that, is summed over the devices; 0: none */
    int32_t (*stored)[VDNN_FLOW_BLOCKS]; /* likewise: copies to where it is kept */
    int32_t norms;                       /* layers whose squares are added */
    int32_t *stores;                     /* per micro-batch */
    int32_t (*loads)[VDNN_INPUTS_MAX];   /* likewise, per input */
    int32_t takes[VDNN_INPUTS_MAX];      /* per input */
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

/* Whether a value is what a step of a kind writes as `bind`, in one micro-batch; a pass of a layer.
 */
bool vdnn_flow_made_by(const vdnn_flow *f, int32_t origin, vdnn_step_kind kind, vdnn_bind bind,
                       int32_t micro);
bool vdnn_flow_made_by_run(const vdnn_flow *f, int32_t origin, vdnn_pass pass, int32_t layer,
                           vdnn_bind bind, int32_t micro);
/* The step's access with this bind; -1: none. */
int32_t vdnn_flow_find(const vdnn_flow *f, const vdnn_step *step, vdnn_bind bind);
/* Refuses what an access reads; `meant`: what it should be. */
vdnn_status vdnn_flow_refuse(const vdnn_flow *f, int32_t access, int32_t origin, const char *meant);

/* checker_content.c. What is written by an access is made by `origin`; a copy passes origins on. */
vdnn_status vdnn_flow_content_init(vdnn_flow_content *content, const vdnn_plan *plan);
void vdnn_flow_content_fini(vdnn_flow_content *content);
vdnn_status vdnn_flow_put(vdnn_flow_content *content, int32_t buffer, const vdnn_stripes *stripes,
                          int32_t origin);
vdnn_status vdnn_flow_write(vdnn_flow_content *content, const vdnn_access *access, int32_t origin);
/* No piece is only in part within what an access takes from its first byte to its last. */
vdnn_status vdnn_flow_bound(vdnn_flow_content *content, const vdnn_access *access);
/* What an access takes, piece by piece; false: that is all. Pieces may be added meanwhile, but not
 * those of its buffer. */
vdnn_flow_reader vdnn_flow_read(const vdnn_flow *f, int32_t access);
vdnn_flow_reader vdnn_flow_read_all(const vdnn_flow *f, int32_t buffer);
bool vdnn_flow_next(vdnn_flow_reader *reader, vdnn_flow_range *range);

/* checker_kept.c: before the steps, that the plan names the homes of what is kept; after them, that
 * these hold what they must. */
vdnn_status vdnn_flow_check_names(const vdnn_checker *checker);
vdnn_status vdnn_flow_check_kept(const vdnn_flow *f);

/* checker_copies.c: a copy between tiers. */
vdnn_status vdnn_flow_check_copy(vdnn_flow *f, int32_t i);

/* checker_sums.c: whether a layer has running statistics; the blocks of parameters that have
 * gradients; steps that sum; reads of the gradient of a layer's output, of its parameters', and of
 * the norm of all of these. */
bool vdnn_flow_has_averages(const vdnn_layer *layer);
/* Whether the gradient of a layer's block is summed over the devices. */
bool vdnn_flow_is_reduced(const vdnn_plan *plan, const vdnn_layer *layer);
/* Whether each of them updates a share of the block alone, and has the others' behind it. */
bool vdnn_flow_is_gathered(const vdnn_plan *plan, const vdnn_layer *layer);
int32_t vdnn_flow_count_learning(const vdnn_graph *graph);
vdnn_status vdnn_flow_check_accumulate(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_reduce(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_gather(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_norm(vdnn_flow *f, int32_t i);
vdnn_status vdnn_flow_check_dy(const vdnn_flow *f, int32_t access, const vdnn_layer *layer);
vdnn_status vdnn_flow_check_dw(const vdnn_flow *f, int32_t access, const vdnn_layer *layer);
vdnn_status vdnn_flow_check_scale(const vdnn_flow *f, int32_t access);

#endif
