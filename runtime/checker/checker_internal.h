#ifndef VDNN_RUNTIME_CHECKER_CHECKER_INTERNAL_H
#define VDNN_RUNTIME_CHECKER_CHECKER_INTERNAL_H

// clang-format off
/* Shared by the passes of the checker; not included elsewhere. checker.c runs them in this order,
 * each in a file of its name:
 *
 *   network  the graph agrees with the definitions of its layers
 *   form     indexes, kinds, binds, sizes: nothing after it has to guard an index
 *   runs     every pass has the buffers it needs, and an algorithm that supports it
 *   clock    one vector clock per step; begin and end join all streams
 *   space    offsets, spans, budgets, no two live buffers on the same bytes
 *   reads    every read sees the write that it names
 *   flow     the writes that are named are those of the network
 *   peak     the sums that the plan reports are true
 *
 * Why one training step is enough: "end" of one step comes before "begin" of the next, as both are
 * joins, on one stream, which keeps its order; so that is true also where a training step is
 * enqueued before the one before it is complete. Where every step comes after "begin" and before
 * "end", every access of a training step is ordered before every access of the next one, so a reuse
 * across steps can only be wrong if it is wrong within one. What a step finds where batches are
 * loaded ahead is what the step before it loaded there, once, behind its own take: of a batch loaded
 * late in a buffer of the same bytes, which lives to "end" as the one that arrived does from "begin".
 *
 * Invariant: a pass runs only after those above it have passed; a pass calls no other one. None
 * uses a function of the planner, or one that the planner uses too, to find what a plan should be.
 * Threads: one checker by one thread.
 *
 *     for (int i = 0; i < PASSES && status == VDNN_OK; i++)
 *         status = passes[i](&checker);
 *     before = vdnn_checker_before(&checker, writer, reader);
 *     return vdnn_checker_refuse(&checker, step, other, buffer, "a read does not wait for ...");
 */
// clang-format on

#include "runtime/plan/plan.h"

/* The first and the last step on each stream that access a buffer; -1: none. */
typedef struct vdnn_checker_users {
    int32_t first[VDNN_STREAM_COUNT], last[VDNN_STREAM_COUNT];
} vdnn_checker_users;

typedef struct vdnn_checker {
    const vdnn_plan *plan;      /* borrowed */
    const size_t *budget_bytes; /* borrowed; by tier */
    int32_t *access_step;       /* per access: the step that owns it */
    int32_t *buffer_first,
        *buffer_access;                  /* accesses of buffer b, in the order of the list:
                                            buffer_access[buffer_first[b] .. buffer_first[b + 1]) */
    vdnn_checker_users *users;           /* per buffer */
    int32_t *position;                   /* per step: how many steps of its stream precede it */
    int32_t (*clock)[VDNN_STREAM_COUNT]; /* per step: how many steps of each stream are complete
                                            before it starts */
    int32_t length[VDNN_STREAM_COUNT];   /* steps on each stream */
    int32_t *source; /* per access that reads: the access that wrote, -1 before the step */
} vdnn_checker;

vdnn_status vdnn_checker_network(vdnn_checker *checker);
vdnn_status vdnn_checker_form(vdnn_checker *checker);
vdnn_status vdnn_checker_runs(vdnn_checker *checker);
vdnn_status vdnn_checker_clock(vdnn_checker *checker);
vdnn_status vdnn_checker_space(vdnn_checker *checker);
vdnn_status vdnn_checker_reads(vdnn_checker *checker);
vdnn_status vdnn_checker_flow(vdnn_checker *checker);
vdnn_status vdnn_checker_peak(vdnn_checker *checker);

/* Of a layer, by its definition: whether it has a pass; whether the pass writes the gradient of its
 * parameters; the input whose gradient is written over that of the output, -1: none. */
bool vdnn_checker_has_pass(const vdnn_layer *layer, vdnn_pass pass);
bool vdnn_checker_makes_dw(const vdnn_layer *layer, vdnn_pass pass);
int32_t vdnn_checker_dx_over_dy(const vdnn_layer *layer);
/* The network in the shape of a micro-batch. */
const vdnn_graph *vdnn_checker_shape(const vdnn_graph *graph, int32_t micro);
/* The layer whose forward writes a tensor; -1: the input. */
int32_t vdnn_checker_writer(const vdnn_graph *graph, int32_t tensor);

/* The part of its layer that a step is of; NULL: all of it. */
const vdnn_graph_part *vdnn_checker_part(const vdnn_plan *plan, const vdnn_step *step);
/* A number for each layer that is run as a whole, and for each part of the others; how many. */
int32_t vdnn_checker_run_of(const vdnn_plan *plan, const vdnn_step *step);
size_t vdnn_checker_run_count(const vdnn_plan *plan);

/* The rows of a parameter that a part of the channels has, in the block of the whole. */
vdnn_stripes vdnn_checker_rows(const vdnn_layer *layer, const vdnn_part *range, int32_t param);

/* The parts of a layer's channels whose gradients of what they read are summed: of one that does
 * not run so, or whose parts read channels of their own, 1. */
int32_t vdnn_checker_shares(const vdnn_layer *layer);

/* The parts that a gradient of parameters is the sum of, in one micro-batch: one for each part of
 * the samples of each layer that has parameters in the block. How many; how many come before those
 * of a layer. */
int32_t vdnn_checker_gradient_parts(const vdnn_graph *graph, const vdnn_layer *layer);
int32_t vdnn_checker_gradient_parts_before(const vdnn_graph *graph, const vdnn_layer *layer);

/* Where the gradient of a block begins in the buffer that a run writes it to, as it binds it. */
size_t vdnn_checker_gradient_place(const vdnn_checker *checker, int32_t access);

/* True if step `a` is complete before step `b` starts. */
bool vdnn_checker_before(const vdnn_checker *checker, int32_t a, int32_t b);

/* The bytes of a layer's gradient block that are summed over micro-batches and devices: running
 * statistics are not, and follow the rest. */
size_t vdnn_checker_summed_bytes(const vdnn_layer *layer);
/* The tier that the plan keeps the parameters of a block's owner in: the host's, or the device's.
 */
vdnn_tier vdnn_checker_home_of(const vdnn_plan *plan, int32_t layer);
/* Bytes of the block of a layer's parameters where they are kept, with the copy that kernels read.
 */
size_t vdnn_checker_weight_bytes(const vdnn_plan *plan, const vdnn_layer *layer);
/* Bytes of the optimizer's state of a layer that has trainable parameters; where devices share the
 * update, of the largest share. */
size_t vdnn_checker_state_bytes(const vdnn_plan *plan, const vdnn_layer *layer);
/* True if a run updates its layer's parameters itself: it accesses the optimizer's state. */
bool vdnn_checker_updates(const vdnn_plan *plan, const vdnn_step *step);

/* Fails with VDNN_INTERNAL: the rule that is broken, then whichever of two steps and a buffer is
 * given (-1: none), each by index and name. */
vdnn_status vdnn_checker_refuse(const vdnn_checker *checker, int32_t step, int32_t other,
                                int32_t buffer, const char *rule, ...)
    __attribute__((format(printf, 5, 6)));
static inline vdnn_status vdnn_checker_no_memory(size_t count)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to check a plan (%zu items)", count);
}

#endif
