#ifndef VDNN_RUNTIME_CHECKER_CHECKER_INTERNAL_H
#define VDNN_RUNTIME_CHECKER_CHECKER_INTERNAL_H

// clang-format off
/* Shared by the passes of the checker; not included elsewhere. checker.c runs them in this order,
 * each in a file of its name:
 *
 *   network  the graph agrees with the definitions of its layers
 *   form     indexes, kinds, binds, sizes: later passes need not check an index
 *   runs     every pass has the buffers it needs, and an algorithm that supports it
 *   clock    one vector clock per step; begin and end join all streams
 *   space    offsets, spans, budgets, no two live buffers on the same bytes
 *   reads    every read sees the write that it names
 *   flow     the named writes are those of the network
 *   peak     the sums that the plan reports are true
 *
 * Why one training step is enough: "end" and "begin" join all streams and are on one stream, which
 * keeps its order. So "end" of a step comes before "begin" of the next, even if the next step is
 * enqueued before the first is complete. Every other step is between "begin" and "end", so every
 * access of a training step is ordered before every access of the next one, and a reuse across steps
 * can only be wrong if it is wrong within one. Where batches are loaded ahead, a step finds the batch
 * that the step before it loaded once, after taking the batch before. A batch that is loaded late uses
 * another buffer at the same bytes, live to "end", as the arrived batch is live from "begin".
 *
 * Invariant: a pass runs only after those above it have passed, and calls no other pass. No pass
 * uses a function of the planner, or one that the planner uses, to find what a plan should be.
 * Threads: one thread per checker.
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
    int32_t *source; /* per access that reads: the access that wrote it; -1: before the step */
} vdnn_checker;

vdnn_status vdnn_checker_network(vdnn_checker *checker);
vdnn_status vdnn_checker_form(vdnn_checker *checker);
vdnn_status vdnn_checker_runs(vdnn_checker *checker);
vdnn_status vdnn_checker_clock(vdnn_checker *checker);
vdnn_status vdnn_checker_space(vdnn_checker *checker);
vdnn_status vdnn_checker_reads(vdnn_checker *checker);
vdnn_status vdnn_checker_flow(vdnn_checker *checker);
vdnn_status vdnn_checker_peak(vdnn_checker *checker);

/* By a layer's definition: whether it has a pass; whether that pass writes the gradient of its
 * parameters; the input whose gradient overwrites that of the output, -1: none. */
bool vdnn_checker_has_pass(const vdnn_layer *layer, vdnn_pass pass);
bool vdnn_checker_makes_dw(const vdnn_layer *layer, vdnn_pass pass);
int32_t vdnn_checker_dx_over_dy(const vdnn_layer *layer);
/* The network in the shape of micro-batch `micro`. */
const vdnn_graph *vdnn_checker_shape(const vdnn_graph *graph, int32_t micro);
/* The layer whose forward writes a tensor; -1: the tensor is an input. */
int32_t vdnn_checker_writer(const vdnn_graph *graph, int32_t tensor);

/* Of a stage of a pipeline, by the inputs and outputs of the layers alone: whether a tensor comes
 * from the stage before it, or goes to the next one; whether it runs a layer, and reads a row of
 * the inputs. A network that is not cut runs and reads all. */
bool vdnn_checker_arrives(const vdnn_graph *graph, int32_t tensor);
bool vdnn_checker_departs(const vdnn_graph *graph, int32_t tensor);
bool vdnn_checker_is_here(const vdnn_graph *graph, int32_t layer);
bool vdnn_checker_reads_input(const vdnn_graph *graph, int32_t input);

/* The part of its layer that a step computes; NULL: the whole layer. */
const vdnn_graph_part *vdnn_checker_part(const vdnn_plan *plan, const vdnn_step *step);
/* Numbers each whole layer and each part of the other layers; the count of these numbers. */
int32_t vdnn_checker_run_of(const vdnn_plan *plan, const vdnn_step *step);
size_t vdnn_checker_run_count(const vdnn_plan *plan);

/* The rows of a parameter, within the block of the whole layer, that a part's channels have. */
vdnn_stripes vdnn_checker_rows(const vdnn_layer *layer, const vdnn_part *range, int32_t param);

/* The number of channel parts of a layer over which the gradient of its input is summed; 1 if it is
 * not cut by channels, or if each part reads only its channels. */
int32_t vdnn_checker_shares(const vdnn_layer *layer);

/* Whether a layer's own parameters, from the first on, follow each other in its block from `at` on,
 * which becomes their end; with gaps, or without. */
bool vdnn_checker_params_follow(const vdnn_layer *layer, int32_t first, bool has_gaps, size_t *at);
/* Whether the terms of a layer, which shares its block with others, are summed over the
 * micro-batches before they are joined with the others' in the last one. */
bool vdnn_checker_sums_alone(const vdnn_graph *graph, const vdnn_layer *layer);
/* The number of terms in a parameter gradient in one micro-batch: one for each sample part of the
 * layer, or, of a block whose layers have one sum, of each of them; and the number of terms before
 * those of `layer`. */
int32_t vdnn_checker_gradient_parts(const vdnn_graph *graph, const vdnn_layer *layer);
int32_t vdnn_checker_gradient_parts_before(const vdnn_graph *graph, const vdnn_layer *layer);
/* Which of them, counted through all micro-batches, a run of the layer computes. */
int32_t vdnn_checker_gradient_turn(const vdnn_plan *plan, const vdnn_step *step);

/* The offset of a block's gradient in the buffer that a run writes it to, by the run's bind. */
size_t vdnn_checker_gradient_place(const vdnn_checker *checker, int32_t access);

/* True if step `a` is complete before step `b` starts. */
bool vdnn_checker_before(const vdnn_checker *checker, int32_t a, int32_t b);

/* The bytes of a layer's gradient block that are summed over micro-batches and devices. Running
 * statistics, which follow them, are not summed. */
size_t vdnn_checker_summed_bytes(const vdnn_layer *layer);
/* The tier in which the plan keeps the parameters of a block's owner: host or device. */
vdnn_tier vdnn_checker_home_of(const vdnn_plan *plan, int32_t layer);
/* Bytes of a layer's block of parameters in its home, with the copy that kernels read. */
size_t vdnn_checker_weight_bytes(const vdnn_plan *plan, const vdnn_layer *layer);
/* Bytes of optimizer state of a layer with trainable parameters; of the largest share if devices
 * share the update. */
size_t vdnn_checker_state_bytes(const vdnn_plan *plan, const vdnn_layer *layer);
/* Whether a run updates its layer's parameters itself: it accesses the optimizer's state. */
bool vdnn_checker_updates(const vdnn_plan *plan, const vdnn_step *step);

/* Fails with VDNN_INTERNAL and the broken rule, then two steps and a buffer, each by index and name
 * if it is given (-1: none). */
vdnn_status vdnn_checker_refuse(const vdnn_checker *checker, int32_t step, int32_t other,
                                int32_t buffer, const char *rule, ...)
    __attribute__((format(printf, 5, 6)));
static inline vdnn_status vdnn_checker_no_memory(size_t count)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to check a plan (%zu items)", count);
}

#endif
