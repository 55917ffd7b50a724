#ifndef VDNN_RUNTIME_FIT_EXPLAIN_H
#define VDNN_RUNTIME_FIT_EXPLAIN_H

/* Why a run does not fit its budget, or how much memory is left, and what each change would do:
 * other policies and algorithms, the lean rules, bf16, another batch, more memory.
 *
 * Invariant: a remedy's device_bytes is exact: a run with its options and that --device-mem is
 * planned, with one byte less it is refused, as long as the profile is the same.
 * Threads: one; rows that the profile does not have are measured on the setup's device.
 *
 *     vdnn_explanation explanation;
 *     status = vdnn_explain_make(&request, &plans, NULL, &explanation);
 *     status = vdnn_explain_print(&explanation, &text);
 */

#include "runtime/base/text.h"
#include "runtime/fit/fit.h"

enum { VDNN_EXPLAIN_REMEDIES = 24, VDNN_EXPLAIN_LARGEST = 6 };

/* A run that differs in one or a few options from the requested one. */
typedef struct vdnn_remedy {
    const vdnn_policy *policy;
    vdnn_algo_mode algo;
    vdnn_rules rules;
    vdnn_dtype dtype;
    int64_t batch;
    int32_t micro_batches;
    size_t host_bytes; /* its host budget */

    char change[96];        /* its options: "--policy conv --algo m" */
    size_t device_bytes;    /* smallest device budget */
    size_t host_need_bytes; /* bytes of the host tier in its plan */
    bool fits;              /* within the given budgets */
    double step_seconds;    /* estimated; in the given budget if it fits, else in its smallest */
} vdnn_remedy;

typedef struct vdnn_explanation {
    const vdnn_setup *setup; /* borrowed, as is the plan */
    const vdnn_plan *plan;
    const char *algos; /* borrowed */
    vdnn_remedy asked; /* the requested run, in the plan's time */
    bool searched;     /* a search made that time shorter; remedies are planned without a search */
    vdnn_remedy remedies[VDNN_EXPLAIN_REMEDIES];
    size_t remedy_count;
    int32_t largest[VDNN_EXPLAIN_LARGEST]; /* buffers alive at the peak, by size */
    size_t largest_count;
    int columns;     /* of a line, for the caller to set; 0: 100 */
    bool has_blocks; /* for the caller to set: the text may have UTF-8 beyond ASCII */
} vdnn_explanation;

/* `plans` is from vdnn_fit_plan, whether they fit or not; `algos`: the file of algorithms that runs
 * use, or NULL. */
vdnn_status vdnn_explain_make(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              const char *algos, vdnn_explanation *explanation);

/* In words, for people. */
vdnn_status vdnn_explain_print(const vdnn_explanation *explanation, vdnn_text *text);

#endif
