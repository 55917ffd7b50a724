#ifndef VDNN_RUNTIME_FIT_EXPLAIN_H
#define VDNN_RUNTIME_FIT_EXPLAIN_H

/* Why a run does not fit its budget, or how much memory is left, and what each change would do:
 * other policies and algorithms, the lean rules, bf16, another batch, more memory.
 *
 * Invariant: a remedy's device_bytes is exact: a run with its options and that --device-mem is
 * planned, with one byte less it is refused, as long as the profile is the same. Remedies that keep
 * the results come first, of these the ones that fit, and of these the fastest.
 * Threads: one; rows that the profile does not have are measured on the setup's device.
 *
 *     vdnn_explanation explanation;
 *     status = vdnn_explain_make(&request, &plans, NULL, &explanation);
 *     status = vdnn_explain_begin_trials(&request, &plans, &explanation, &trials);
 *     ...                                                      // their steps are timed: trial.h
 *     vdnn_explain_take_trials(&explanation, &trials);
 *     status = vdnn_explain_print(&explanation, &text);        // explain_text.c
 */

#include "runtime/base/text.h"
#include "runtime/fit/compare/pace.h"
#include "runtime/fit/compare/same_results.h"
#include "runtime/fit/compare/trial.h"
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
    double step_seconds;    /* in the given budget if it fits, else in its smallest: measured in
                               turns with others, or estimated */
    bool is_measured;
    double spread; /* of a measured time: half of its range, as a part of it */
    vdnn_results
        results;    /* compared with the requested run, as it fits or in its smallest budget */
    vdnn_pace pace; /* compared with that run, where both fit */
} vdnn_remedy;

typedef struct vdnn_explanation {
    const vdnn_setup *setup; /* borrowed, as is the plan */
    const vdnn_plan *plan;
    const char *algos;           /* borrowed */
    const vdnn_plan *asked_plan; /* of the run as it fits; NULL once the remedies are made */
    vdnn_remedy asked;           /* the requested run, in the plan's time */
    bool searched; /* a search made that time shorter; remedies are planned without a search */
    vdnn_remedy remedies[VDNN_EXPLAIN_REMEDIES];
    size_t remedy_count;
    int32_t largest[VDNN_EXPLAIN_LARGEST]; /* buffers alive at the peak, by size */
    size_t largest_count;
    const char *command; /* of the requested run, for the caller to set; NULL: not known */
    int columns;         /* of a line, for the caller to set; 0: 100 */
    bool has_blocks;     /* for the caller to set: the text may have UTF-8 beyond ASCII */
} vdnn_explanation;

/* `plans` is from vdnn_fit_plan, whether they fit or not; `algos`: the file of algorithms that runs
 * use, or NULL. */
vdnn_status vdnn_explain_make(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              const char *algos, vdnn_explanation *explanation);

/* Sets up what is ranked: the requested run, and the remedies that fit; none where that one does
 * not fit, or no step can be timed. */
vdnn_status vdnn_explain_begin_trials(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                                      const vdnn_explanation *explanation, vdnn_trials *trials);
/* Ranks by what they took, if they were made. */
void vdnn_explain_take_trials(vdnn_explanation *explanation, const vdnn_trials *trials);

/* Images/s of a row: those of a step by its time. */
double vdnn_remedy_rate(const vdnn_explanation *explanation, const vdnn_remedy *remedy);

/* The row to follow: of those that keep the results, or of all, the fastest that fits; the
 * requested run unless another is faster than the spread; NULL: none fits. */
const vdnn_remedy *vdnn_explain_best(const vdnn_explanation *explanation, vdnn_results most);

/* Adds the command line of a row; nothing where the requested run's is not known. One that does not
 * fit has its smallest budget. */
void vdnn_explain_add_command(const vdnn_explanation *explanation, const vdnn_remedy *remedy,
                              vdnn_text *text);

/* In words, for people. */
vdnn_status vdnn_explain_print(const vdnn_explanation *explanation, vdnn_text *text);

#endif
