#ifndef VDNN_RUNTIME_TRAIN_SESSION_H
#define VDNN_RUNTIME_TRAIN_SESSION_H

/* A session: from options to a trained network, in one call or step by step.
 *
 *     create    reads the network, opens the device, checks every file that will be needed
 *     prepare   the profile, the plan: from here on there is a record, also of what does not fit
 *     begin     the tiers, the data, the first weights
 *     step ...  evaluate, save: in any order, any number of times
 *
 * Invariant: nothing of a tier is reserved before the plan is known to fit and the machine to have
 * the memory; a file that is written appears whole or not at all. Threads: one; it starts the
 * device's and the loader's.
 *
 *     status = vdnn_session_create(&options, &messages, &session);
 *     status = vdnn_session_run(session);             // all that the options say
 *     if (status == VDNN_OK || status == VDNN_NO_FIT)
 *         status = vdnn_session_json(session, &json);
 *     vdnn_session_destroy(session);
 */

#include "runtime/text.h"
#include "runtime/train/setup.h"

typedef struct vdnn_session_options {
    vdnn_setup_options setup;
    const char *version; /* for the record */
    const char *policy;
    vdnn_algo_mode algo;
    int64_t epochs, steps; /* 0: the network's; 0: as many as the epochs have */
    uint64_t seed;
    double lr;                    /* 0 or more; below: the network's */
    const char *data, *test_data; /* KIND:PLACE; test_data may be NULL */
    bool shuffle;
    const char *init, *save, *trace; /* files; NULL: none */
    const char *checkpoint;          /* folder to write checkpoints to; NULL: none are written */
    int64_t checkpoint_every;        /* steps; 0: an epoch's */
    int64_t keep;                    /* checkpoints that stay; 0: 3 */
    const char *resume;              /* "auto": the newest of `checkpoint`, if there is one; else a
                                        checkpoint or a folder of them; NULL: the training begins anew */
    bool verify;                     /* offloaded buffers, on their way out and back */
    bool dry_run, print_plan, print_footprint;
} vdnn_session_options;

/* One training step. */
typedef struct vdnn_sample {
    int64_t step; /* from 1 */
    double loss;  /* mean over the batch */
    double seconds, stall_seconds, exposed_copy_seconds;
    double wall_seconds; /* with the wait for the batch */
} vdnn_sample;

typedef struct vdnn_session vdnn_session;

/* Options and messages are borrowed until destroy. */
vdnn_status vdnn_session_create(const vdnn_session_options *options, const vdnn_messages *messages,
                                vdnn_session **session);
void vdnn_session_destroy(vdnn_session *session);

/* Measures what the profile does not know, and plans. VDNN_NO_FIT with what would fit, in words;
 * the record is then that of the smallest plan there is. */
vdnn_status vdnn_session_prepare(vdnn_session *session);

/* After a successful prepare. VDNN_DEVICE where the machine has less memory than the budgets say.
 */
vdnn_status vdnn_session_begin(vdnn_session *session);

/* After begin; one step of training. */
vdnn_status vdnn_session_step(vdnn_session *session, vdnn_sample *sample);
/* Steps that were done, and that the options ask for. */
int64_t vdnn_session_step_number(const vdnn_session *session);
int64_t vdnn_session_step_count(const vdnn_session *session);

/* The share of the test data, 0 to 1, that is recognized with the parameters as they are; below 0:
 * there is no test data. Changes nothing that a later step could notice. */
vdnn_status vdnn_session_evaluate(vdnn_session *session, double *accuracy);

/* The parameters as they are, as safetensors. */
vdnn_status vdnn_session_save(vdnn_session *session, const char *path);

/* Writes where the training stands to the folder of the options. VDNN_FILE where it cannot; the
 * checkpoints that there are stay then. */
vdnn_status vdnn_session_checkpoint(vdnn_session *session);

/* A timeline of the next steps (the first 20 of them), whole in its file after trace_end. */
vdnn_status vdnn_session_trace_begin(vdnn_session *session, const char *path);
vdnn_status vdnn_session_trace_end(vdnn_session *session);

/* What is known of the run so far, as the JSON of the contract: after prepare, also after
 * VDNN_NO_FIT. */
vdnn_status vdnn_session_json(const vdnn_session *session, vdnn_text *json);

/* From create to the end of what the options say: training, evaluation, files; or only planning.
 * VDNN_INTERRUPTED and VDNN_TERMINATED after a whole step, when messages->interrupted says so:
 * nothing is written then but, where the options name a folder for them, a checkpoint; what would
 * be VDNN_TERMINATED is VDNN_REQUEUE then. A checkpoint that cannot be written on the way is a
 * warning; VDNN_FILE, after all else is done, where that is so of the last one. */
vdnn_status vdnn_session_run(vdnn_session *session);

#endif
