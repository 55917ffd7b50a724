#ifndef VDNN_RUNTIME_PLAN_STEP_KIND_H
#define VDNN_RUNTIME_PLAN_STEP_KIND_H

/* The kinds of steps: one row has all properties of a kind that do not depend on the step.
 *
 * Invariant: planner, traces and reports take the differences between kinds from the rows; the
 * executor has a separate table (runtime/exec), with one entry for each.
 * Threads: const data.
 *
 *     const vdnn_step_row *row = vdnn_step_row_of(step->kind);
 *     vdnn_text_add(text, "%s%s", row->verb, step->label); // "offload conv1"
 */

#include "runtime/base/nvtx.h"
#include "runtime/plan/streams.h"

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
    VDNN_COST_LINK,      /* its bytes go between the tiers of its stream */
    VDNN_COST_TAKE,      /* its bytes move within the device */
    VDNN_COST_KERNEL,    /* of its algorithm, by the profile */
    VDNN_COST_RECOMPUTE, /* a recomputed forward kernel */
    VDNN_COST_SUM,       /* adds its bytes to others */
    VDNN_COST_UPDATE,    /* of parameters, by their bytes */
    VDNN_COST_NORM,      /* reads the gradient of a layer's parameters */
    VDNN_COST_REDUCE,    /* sums its bytes over the devices, or half of that */
    VDNN_COST_COUNT
} vdnn_step_cost;

/* name, text, stream, work, cost, verb of its title in a trace, NVTX category in forward and in
 * backward:
 *     JOIN        nothing but its waits
 *     LOAD        a batch or its labels, from the loader
 *     TAKE        to their places, from where they were loaded ahead
 *     RUN         a pass of a layer
 *     RECOMPUTE   a layer's forward, for backward
 *     COPY_OUT    device to host
 *     COPY_IN     host to device
 *     SPILL       host to file
 *     FILL        file to host
 *     ACCUMULATE  dst += src, gradients at a fork; of parameters, over micro-batches
 *     REDUCE      the gradient of a block of parameters becomes its sum over the devices, or, where
 *                 each updates its share alone and gradients are not clipped, its share does
 *     GATHER      of a block of parameters each device has what the others updated, its share each
 *     AVERAGE     a layer's running statistics, after a micro-batch that is not the last
 *     NORM        adds the squares of a layer's gradient to those of the layers behind it: updates
 *                 scale all gradients by the norm of them all
 *     UPDATE      the optimizer on one layer's parameters, running statistics among them
 *     STORE       the step's result, to the caller */
// clang-format off
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
    vdnn_nvtx_category forward, backward; /* by the half of the training step that it is in */
} vdnn_step_row;

extern const vdnn_step_row vdnn_step_rows[VDNN_STEP_KIND_COUNT];

static inline const vdnn_step_row *vdnn_step_row_of(vdnn_step_kind kind)
{
    return &vdnn_step_rows[kind];
}
/* Of other values "unknown". */
const char *vdnn_step_kind_text(vdnn_step_kind kind);

#endif
