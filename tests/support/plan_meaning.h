#ifndef VDNN_TESTS_SUPPORT_PLAN_MEANING_H
#define VDNN_TESTS_SUPPORT_PLAN_MEANING_H

/* What each step of a plan has to read, and what it writes: from the network alone, and the
 * executor's rules of which memory a kernel is handed. Names of writers, lifetimes and labels in
 * the plan are not looked at; nothing of the planner or the checker is used.
 *
 * A *value* is what a step computes, named by the step's kind, its layer, its micro-batch and which
 * training step it is in. A sum is named by what it is the sum of, in that order.
 *
 *     bwd data conv2   reads  dy  [0, 4096)    the sum of what the readers of conv2's output wrote
 *                      reads  w   [0, 1152)    the weights of this training step
 *                      reads  w   [1152, 1216) statistics, as often averaged as there were
 *                                              micro-batches before
 *                      writes dx0 [0, 2048)    what no other step writes
 *
 * A use is a range of bytes: a part of a layer uses those of its samples of the whole's values, a
 * part of its channels a range of each sample.
 *
 * Invariant: two uses have the same value id only if they mean the same bits.
 * Threads: one.
 *
 *     vdnn_meaning_init(&m, plan);
 *     vdnn_meaning_of_step(&m, i, round);
 *     for (int32_t k = 0; k < m.use_count; k++) ... m.uses[k] ...
 *     vdnn_meaning_fini(&m);
 */

#include "runtime/plan/plan.h"

typedef struct vdnn_value {
    uint64_t id;
    int32_t micro; /* the micro-batch that it belongs to; -1: to none */
} vdnn_value;

/* Ids that are no value of the network: what a copy or a sum finds, whatever it is; bytes that were
 * never written; bytes that depend on which of two steps is faster; a workspace. */
enum { VDNN_VALUE_ANY, VDNN_VALUE_NOTHING, VDNN_VALUE_TORN, VDNN_VALUE_SCRATCH };

/* Of `buffer`, where it is none of the plan's. */
enum {
    VDNN_USE_MISSING = -1, /* the step has no access for it */
    VDNN_USE_CALLER = -2,  /* memory of who runs the plan: the results of all training steps */
};

typedef struct vdnn_use {
    int32_t buffer, access; /* of the plan; no access: -1 */
    bool writes;            /* else it reads */
    vdnn_value value;       /* that it must read, or writes */
    size_t first, bytes;    /* of what is accessed, stripes without the gaps; without an access, of
                               the buffer */
    size_t offset;          /* of the first byte in the value */
    size_t place;           /* of the first byte in its buffer */
} vdnn_use;

enum { VDNN_MEANING_ROUNDS = 2 }; /* consecutive training steps */

typedef struct vdnn_meaning {
    const vdnn_plan *plan;     /* borrowed */
    const vdnn_step **forward; /* per micro-batch, layer and part: its run; NULL: there is none */
    int32_t *first_forward;    /* per layer, and their number */
    vdnn_use *uses;            /* of the step that was asked for */
    int32_t use_count, use_room;
    const vdnn_step *step;
    const vdnn_graph *shape;     /* of its micro-batch */
    const vdnn_graph_part *part; /* NULL: all samples */
    int32_t round;               /* which training step, from 0 */
} vdnn_meaning;

/* These abort the test where there is no memory. */
void vdnn_meaning_init(vdnn_meaning *m, const vdnn_plan *plan);
void vdnn_meaning_fini(vdnn_meaning *m);

/* What step i uses in a training step. */
void vdnn_meaning_of_step(vdnn_meaning *m, int32_t i, int32_t round);
/* What is written before the first one, and what is read after the last: all results, and all that
 * is kept for the next, in buffers of the plan, or of the training whose evaluation it is. */
void vdnn_meaning_before(vdnn_meaning *m, const vdnn_plan *kept);
void vdnn_meaning_after(vdnn_meaning *m, const vdnn_plan *kept);

/* The layer whose block of parameters a value is the whole gradient of, on this device alone, at
 * the step that was asked for; -1: it is none. */
int32_t vdnn_meaning_block_of(const vdnn_meaning *m, vdnn_value value);

/* a + b in a type, whose first bytes are `shift` bytes apart in the values. */
vdnn_value vdnn_value_sum(vdnn_value a, vdnn_value b, size_t shift, vdnn_dtype dtype);
/* The sum of a over the devices, of which the plan of one says nothing but what its own is. */
vdnn_value vdnn_value_reduced(vdnn_value a);

#endif
