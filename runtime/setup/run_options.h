#ifndef VDNN_RUNTIME_SETUP_RUN_OPTIONS_H
#define VDNN_RUNTIME_SETUP_RUN_OPTIONS_H

/* The checked options of a session, with all defaults set and names resolved.
 *
 * Invariant: after init every text except those of files and budgets is set, and is a copy; every
 * name is valid.
 * Threads: a value.
 *
 *     vdnn_run_options options;
 *     status = vdnn_run_options_init(given, &options);
 *     use(options.ask.batch, options.policy);
 *     vdnn_run_options_fini(&options);
 */

#include "policies/registry.h"
#include "runtime/setup/session_members.h"

/* Steps of a training, from 0 on. */
typedef struct vdnn_step_range {
    int64_t first, end; /* `end`: the step after the last */
} vdnn_step_range;

enum { VDNN_TRACE_FIRST_STEPS = 20 };

typedef struct vdnn_run_options {
    vdnn_session_options ask;    /* none of its topics is NULL */
    vdnn_session_topics *topics; /* those; owned */
    vdnn_dtype dtype;
    vdnn_rules rules;
    vdnn_algo_mode algo;
    bool counts_as_paper;  /* a report: --accounting paper */
    bool by_torch;         /* --names torchvision */
    int32_t devices;       /* that share each batch; 0: one */
    int32_t local_devices; /* those of them on this host, which share its memory; 0: one */
    int32_t stages;        /* of a pipeline, a device each; 0: the network is not cut */
    vdnn_schedule schedule;
    vdnn_reduce_scheme reduce;
    bool shards;                 /* each updates its share alone */
    bool traces;                 /* steps are traced, by the first process */
    vdnn_step_range trace_steps; /* where ask.trace_steps names them */
    int columns;                 /* of a line for people; 0: 100 */
    const vdnn_policy *policy;
    const vdnn_optimizer *optimizer; /* NULL: the network's */
} vdnn_run_options;

/* VDNN_USAGE with the nearest valid word, or all of them. */
vdnn_status vdnn_run_options_init(const vdnn_session_options *given, vdnn_run_options *options);
void vdnn_run_options_fini(vdnn_run_options *options);

/* Whether a session trains nothing, but evaluates, predicts or samples as its options say. */
bool vdnn_run_options_only_score(const vdnn_session_options *ask);

/* Which of `words` the word of an option is. VDNN_USAGE with the nearest one, and all. */
vdnn_status vdnn_run_options_find_word(const char *option, const char *word,
                                       const char *const *words, size_t count, size_t *found);

/* VDNN_USAGE with the nearest name. */
vdnn_status vdnn_run_options_find_schedule(const char *text, vdnn_schedule *schedule);

/* VDNN_USAGE with the nearest name; `policy` may be NULL. */
vdnn_status vdnn_run_options_find_policy(const char *name, const vdnn_policy **policy);

#endif
