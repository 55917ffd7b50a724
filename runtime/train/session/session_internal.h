#ifndef VDNN_RUNTIME_TRAIN_SESSION_SESSION_INTERNAL_H
#define VDNN_RUNTIME_TRAIN_SESSION_SESSION_INTERNAL_H

/* Shared by the parts of a session (runtime/vdnn.h).
 *
 *     session.c          create, prepare, begin, step, save, trace, explain: a call each
 *     session_record.c   what it knows as a record: JSON, the footprint, the table of layers
 *     session_parameters.c the values of parameters, and of the optimizer's state
 *     session_observe.c  hooks, and the gradients of a step
 *     session_predict.c  scores of samples
 *     session_score.c    what an evaluation says, and predictions, in the place of a training
 *     session_due.c      what is due between two steps: evaluations, epochs, checkpoints
 *     session_run.c      all of it, as the options ask: vdnn_session_run
 *
 * Invariant: a session that has begun is planned.
 * Threads: the one that drives the session.
 */

#include "runtime/comm/world.h"
#include "runtime/fit/batches.h"
#include "runtime/fit/explain.h"
#include "runtime/fit/fit.h"
#include "runtime/setup/devices/stages.h"
#include "runtime/setup/run_options.h"
#include "runtime/train/files/torch_names.h"
#include "runtime/train/peers.h"
#include "runtime/train/record.h"
#include "runtime/train/replan/replan.h"
#include "runtime/train/resume.h"
#include "runtime/train/scores/assessment.h"
#include "runtime/train/scores/generated.h"
#include "runtime/train/session/feed.h"
#include "runtime/train/training/training.h"

struct vdnn_session {
    vdnn_run_options options;
    vdnn_messages messages;
    vdnn_setup setup;
    vdnn_fit_plans plans;
    vdnn_verdict verdict;
    vdnn_resume resume;
    vdnn_world world;
    vdnn_group *group;     /* of the processes that train together; NULL: this one trains alone */
    vdnn_training_run run; /* of the first device of this process */
    vdnn_peers *peers;     /* the others; NULL: there are none */
    vdnn_replans replans;
    vdnn_feed feed; /* of a session that feeds */
    vdnn_torch_names torch;
    vdnn_dataset *shared[2];     /* of the data and the test data what is worth while to keep */
    vdnn_test_scores test;       /* of the last evaluation */
    vdnn_assessment assessment;  /* all zero: there was none */
    vdnn_generated generated;    /* all zero: nothing was */
    vdnn_vocabulary *vocabulary; /* owned; of the first input; NULL: no text was read or written */
    vdnn_batches batches;        /* none were looked for while their setup is NULL */
    vdnn_explanation *explanation; /* owned; none was made while its setup is NULL */
    unsigned expects;              /* VDNN_EXPECT_... */
    vdnn_hooks hooks;
    vdnn_step_observer observer; /* of the run's steps, if one is needed */
    float *gradients;            /* of all parameters, in their order; NULL: they are not kept */
    bool has_gradients;          /* those of the last step that was made */
    bool is_planned, has_begun;
    int process;            /* that created it */
    bool checkpoint_failed; /* the last that was due */
};

static inline bool vdnn_session_is_signal(vdnn_status status)
{
    return status == VDNN_INTERRUPTED || status == VDNN_TERMINATED;
}

/* VDNN_USAGE in a child of the process that created it. */
vdnn_status vdnn_session_check_process(const vdnn_session *session);

/* Likewise before it has begun. */
vdnn_status vdnn_session_check_begun(const vdnn_session *session);

/* Looks up a parameter whose values are copied: VDNN_USAGE if there is none, or none of that count.
 */
vdnn_status vdnn_session_check_copy(const vdnn_session *session, int32_t i, int64_t count,
                                    const vdnn_layer **layer, int32_t *param);
/* VDNN_USAGE unless the optimizer changes all of it on this device. */
vdnn_status vdnn_session_check_trained(const vdnn_session *session, const vdnn_layer *layer,
                                       int32_t param);

/* Before the session begins: memory for gradients, if they are expected. */
vdnn_status vdnn_session_reserve_gradients(vdnn_session *session);
/* Once it has begun: has the next step be seen by the hooks, and its gradients be kept. */
void vdnn_session_observe(vdnn_session *session);
/* Whether no step may be in flight between two. */
bool vdnn_session_hooks_steps(const vdnn_session *session);
/* As vdnn_peers_step, with the hooks around it. */
vdnn_status vdnn_session_make_step(vdnn_session *session, int64_t last, vdnn_sample *sample);

/* Tells the other processes of a failure, so that they do not wait; returns the status, with its
 * message. */
vdnn_status vdnn_session_tell_failure(const vdnn_session *session, vdnn_status status);

/* Where a training has diverged, its last healthy checkpoint stays, whatever later runs write to
 * the folder; returns the status, with its message. */
vdnn_status vdnn_session_keep_healthy(const vdnn_session *session, vdnn_status status);

/* Borrows from the session. */
vdnn_fit_request vdnn_session_fit_request(const vdnn_session *session);

/* Sets the plans and the verdict, of a session that has its profile, and loads the kernels that are
 * loaded late. VDNN_NO_FIT: the smallest plans are there. */
vdnn_status vdnn_session_make_plan(vdnn_session *session);
/* VDNN_NO_FIT with what the stage needs that needs most. */
vdnn_status vdnn_session_refuse_stages(vdnn_session *session);

/* The plan of a request without a search limit, whose parts are measured. VDNN_NO_FIT: *plans
 * are the smallest. */
vdnn_status vdnn_session_plan_measured(const vdnn_session *session, const vdnn_fit_request *request,
                                       vdnn_fit_plans *plans);

/* Has `add` write the session's record. VDNN_USAGE: it is not prepared. */
typedef vdnn_status vdnn_session_record_writer(const vdnn_record *record, vdnn_text *text);
vdnn_status vdnn_session_write_record(const vdnn_session *session, vdnn_session_record_writer *add,
                                      vdnn_text *text);

/* Whether a session can evaluate, predict or sample as its options say. */
vdnn_status vdnn_session_check_scoring(const vdnn_session_options *options,
                                       const vdnn_graph *graph);
/* What the test data say of the weights as they are now; unknown: there is none. */
vdnn_status vdnn_session_test(vdnn_session *session, vdnn_test_scores *found);
/* Of a session that has begun: evaluates, predicts, samples, and prints or writes all. */
vdnn_status vdnn_session_score(vdnn_session *session);

/* VDNN_BAD_INPUT unless the network says of each token which one is next. */
vdnn_status vdnn_session_check_sequence(const vdnn_graph *graph);
/* Whether what --generate asks for can be sampled; samples it, and writes it as it comes. */
vdnn_status vdnn_session_check_generation(const vdnn_session_options *options,
                                          const vdnn_graph *graph);
vdnn_status vdnn_session_write_generated(vdnn_session *session);

/* "6358 images/s" */
void vdnn_session_add_rate(const vdnn_graph *graph, double images_per_second, vdnn_text *text);
/* "test accuracy 0.9712", and "perplexity 12.1" where the loss is over positions; "test Dice 0.9,
 * test loss 0.1" of masks; of numbers the loss alone. */
void vdnn_session_add_scores(const vdnn_graph *graph, const vdnn_test_scores *test,
                             vdnn_text *text);

/* The next step after which the parameters are read: no other is begun before it is complete. */
int64_t vdnn_session_next_stop(const vdnn_session *session);
/* After a step, with none in flight if it was a stop: evaluates, says what an epoch was, writes a
 * checkpoint. What cannot be written or evaluated is a warning. */
vdnn_status vdnn_session_do_due(vdnn_session *session);
/* Says which checkpoint is the best, if one is kept. Of the first process. */
void vdnn_session_tell_best(const vdnn_session *session);
/* Whether do_due has evaluated the parameters as they are. */
bool vdnn_session_is_evaluated(const vdnn_session *session);
/* Before the first step: says if nothing can be evaluated. A run that resumes from another folder's
 * checkpoint writes it to its folder first: what resumes from there, however soon this one ends,
 * begins where this one began. */
void vdnn_session_begin_due(vdnn_session *session);

/* Whether this process writes the checkpoints of the options, or has a share of what is written. */
bool vdnn_session_has_checkpoints(const vdnn_session *session);

/* Begins a trace of these steps; a process that is not the first has no path. */
vdnn_status vdnn_session_begin_trace(vdnn_session *session, const char *path,
                                     vdnn_step_range steps);
/* The first steps of the run, from where it is. */
vdnn_step_range vdnn_session_next_steps(const vdnn_session *session);

#endif
