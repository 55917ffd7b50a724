#ifndef VDNN_RUNTIME_PLAN_STEP_KIND_H
#define VDNN_RUNTIME_PLAN_STEP_KIND_H

/* The kinds of steps. The row of a kind has all of its properties that do not depend on the step.
 *
 * Invariant: planner, traces and reports take the differences between kinds from the rows; the
 * executor has a separate table (runtime/exec), with one entry for each kind.
 * Threads: const data.
 *
 *     const vdnn_step_row *row = vdnn_step_row_of(step->kind);
 *     vdnn_text_add(text, "%s%s", row->verb, step->label); // "offload conv1"
 */

#include "runtime/base/nvtx.h"
#include "runtime/plan/streams.h"

#include <stdbool.h>

/* The work of a stream: copies and reductions are hidden while compute runs. */
typedef enum vdnn_step_work {
    VDNN_WORK_NONE,
    VDNN_WORK_COMPUTE,
    VDNN_WORK_COPY,
    VDNN_WORK_REDUCE,
    VDNN_WORK_COUNT
} vdnn_step_work;

/* How a step's seconds are estimated. */
typedef enum vdnn_step_cost {
    VDNN_COST_NONE,
    VDNN_COST_LINK,      /* moves its bytes between the tiers of its stream */
    VDNN_COST_TAKE,      /* moves its bytes within the device */
    VDNN_COST_KERNEL,    /* the profile's time of its algorithm */
    VDNN_COST_RECOMPUTE, /* a recomputed forward kernel */
    VDNN_COST_SUM,       /* adds its bytes to other bytes */
    VDNN_COST_UPDATE,    /* by the bytes of the parameters */
    VDNN_COST_NORM,      /* reads the gradient of a layer's parameters */
    VDNN_COST_REDUCE,    /* sums its bytes over the devices, or does half of that */
    VDNN_COST_PEER,      /* moves its bytes between two devices */
    VDNN_COST_COUNT
} vdnn_step_cost;

// clang-format off
/* Columns: name, text, stream, work, cost, verb in a trace's title, and NVTX category in forward and
 * in backward. Kinds:
 *
 *     JOIN        does nothing but wait
 *     LOAD        copies a batch or its labels from the loader
 *     TAKE        moves a batch that was loaded ahead to its place
 *     RUN         a pass of a layer
 *     RECOMPUTE   a layer's forward pass, repeated for backward
 *     COPY_OUT    device to host
 *     COPY_IN     host to device
 *     SPILL       host to file
 *     FILL        file to host
 *     ACCUMULATE  dst += src: gradients at a fork, or of parameters over micro-batches
 *     REDUCE      sums the gradient of a block of parameters over the devices; only this device's
 *                 share of it if devices update shares and gradients are not clipped
 *     GATHER      copies the shares of a block of parameters that other devices updated
 *     SEND        gives a neighboring stage of a pipeline a map, or its gradient
 *     RECEIVE     takes one from it
 *     AVERAGE     a layer's running statistics, after a micro-batch that is not the last
 *     NORM        adds the squares of a layer's gradient to those of later layers; updates scale all
 *                 gradients by the norm of all of them
 *     UPDATE      the optimizer on one layer's parameters, with its running statistics
 *     STORE       copies the step's result to the caller
 */
#define VDNN_STEP_TABLE(X)                                                                         \
    X(JOIN,       "join",       COMPUTE, NONE,    NONE,      "wait ",       IO,        IO)         \
    X(LOAD,       "load",       IN,      NONE,    LINK,      "load ",       IO,        IO)         \
    X(TAKE,       "take",       COMPUTE, NONE,    TAKE,      "take ",       IO,        IO)         \
    X(RUN,        "run",        COMPUTE, COMPUTE, KERNEL,    "",            FORWARD,   BACKWARD)   \
    X(RECOMPUTE,  "recompute",  COMPUTE, COMPUTE, RECOMPUTE, "recompute ",  RECOMPUTE, RECOMPUTE)  \
    X(COPY_OUT,   "copy_out",   OUT,     COPY,    LINK,      "offload ",    OFFLOAD,   OFFLOAD)    \
    X(COPY_IN,    "copy_in",    IN,      COPY,    LINK,      "prefetch ",   PREFETCH,  PREFETCH)   \
    X(SPILL,      "spill",      SPILL,   COPY,    LINK,      "spill ",      OFFLOAD,   OFFLOAD)    \
    X(FILL,       "fill",       FILL,    COPY,    LINK,      "fill ",       PREFETCH,  PREFETCH)   \
    X(ACCUMULATE, "accumulate", COMPUTE, COMPUTE, SUM,       "accumulate ", BACKWARD,  BACKWARD)   \
    X(REDUCE,     "reduce",     REDUCE,  REDUCE,  REDUCE,    "reduce ",     REDUCE,    REDUCE)     \
    X(GATHER,     "gather",     REDUCE,  REDUCE,  REDUCE,    "gather ",     REDUCE,    REDUCE)     \
    X(SEND,       "send",       SEND,    NONE,    PEER,      "send ",       IO,        IO)         \
    X(RECEIVE,    "receive",    RECEIVE, NONE,    PEER,      "receive ",    IO,        IO)         \
    X(AVERAGE,    "average",    COMPUTE, COMPUTE, UPDATE,    "average ",    OPTIMIZER, OPTIMIZER)  \
    X(NORM,       "norm",       COMPUTE, COMPUTE, NORM,      "norm ",       OPTIMIZER, OPTIMIZER)  \
    X(UPDATE,     "update",     COMPUTE, COMPUTE, UPDATE,    "update ",     OPTIMIZER, OPTIMIZER)  \
    X(STORE,      "store",      OUT,     NONE,    LINK,      "store ",      IO,        IO)
// clang-format on

typedef enum vdnn_step_kind {
#define X(name, ...) VDNN_STEP_##name,
    VDNN_STEP_TABLE(X)
#undef X
} vdnn_step_kind;

/* Not an enumerator, so that a switch over kinds needs no case for it. */
#define X(name, ...) +1
enum { VDNN_STEP_KIND_COUNT = VDNN_STEP_TABLE(X) };
#undef X

typedef struct vdnn_step_row {
    const char *text;
    vdnn_stream_id stream;
    vdnn_step_work work;
    vdnn_step_cost cost;
    const char *verb;
    vdnn_nvtx_category forward, backward; /* by the half of the training step */
} vdnn_step_row;

extern const vdnn_step_row vdnn_step_rows[VDNN_STEP_KIND_COUNT];

static inline const vdnn_step_row *vdnn_step_row_of(vdnn_step_kind kind)
{
    return &vdnn_step_rows[kind];
}

/* Whether a kind copies a value to another tier; and the kind that copies between two tiers. */
static inline bool vdnn_step_kind_copies(vdnn_step_kind kind)
{
    return vdnn_step_row_of(kind)->work == VDNN_WORK_COPY;
}
vdnn_step_kind vdnn_step_kind_of_copy(vdnn_tier from, vdnn_tier to);

/* The name of a kind; "unknown" for other values. */
const char *vdnn_step_kind_text(vdnn_step_kind kind);

#endif
