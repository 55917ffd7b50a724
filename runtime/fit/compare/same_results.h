#ifndef VDNN_RUNTIME_FIT_COMPARE_SAME_RESULTS_H
#define VDNN_RUNTIME_FIT_COMPARE_SAME_RESULTS_H

/* What a run by another plan computes, compared with the run by the one asked for. Policies,
 * budgets and rules never change a bit; algorithms, layers in parts and micro-batches add in
 * another order; data types and batches change more than that.
 *
 * Invariant: VDNN_RESULTS_SAME is certain; algorithms that differ are taken to round otherwise.
 * Threads: pure.
 *
 *     if (vdnn_results_of(asked, other) == VDNN_RESULTS_SAME) ... // the same losses and weights
 */

#include "runtime/plan/plan.h"

/* From what changes least on. name, text of a table's cell, name in JSON */
#define VDNN_RESULTS_TABLE(X)                                                                      \
    X(SAME, "same bits", "same_bits")                                                              \
    X(LAST_BITS, "last bits", "other_last_bits")                                                   \
    X(ARITHMETIC, "arithmetic", "other_arithmetic")                                                \
    X(BATCH, "new batch", "other_batch")

typedef enum vdnn_results {
#define X(name, text, json) VDNN_RESULTS_##name,
    VDNN_RESULTS_TABLE(X)
#undef X
        VDNN_RESULTS_COUNT
} vdnn_results;

const char *vdnn_results_text(vdnn_results results);
const char *vdnn_results_json(vdnn_results results);

vdnn_results vdnn_results_of(const vdnn_plan *asked, const vdnn_plan *other);

#endif
