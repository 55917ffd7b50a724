#ifndef VDNN_RUNTIME_TRAIN_TRAINING_TRAINING_H
#define VDNN_RUNTIME_TRAIN_TRAINING_TRAINING_H

/* Training step by step, and the evaluation, of a plan that fits.
 *
 * Step k is a pure function of the options, the data, and the parameters and optimizer state after
 * step k - 1: a run that resumes at step k with those continues as if it had never ended.
 *
 * Steps follow each other without a wait for the host: one is begun while the one before it runs.
 * Timing operations costs a device time, so not every step is timed: the first few are, then every
 * VDNN_TRAINING_TIMED_EVERY-th, those of a trace, and those whose sample is requested. The total
 * time is known for each step: from the end of the one before.
 *
 * Of several devices (peers.h) each has a run, with its share of every batch. They make the same
 * steps; losses are those of the whole batch.
 *
 * Invariant: after begin, no memory is allocated on the device; an evaluation changes no parameter,
 * no optimizer state and not the order of the data. Parameters are those of run.step while no later
 * step is begun: run.begun == run.step. Threads: one.
 *
 *     vdnn_training_run run;
 *     status = vdnn_training_begin(&request, &run);   // data, tiers, first weights
 *     while (run.step < run.step_count)
 *         status = vdnn_training_step(&run, run.step_count, NULL);
 *     status = vdnn_training_evaluate(&run, &found);
 *     vdnn_training_end(&run);
 */

#include "runtime/checkpoint/checkpoint.h"
#include "runtime/data/loader.h"
#include "runtime/exec/executor.h"
#include "runtime/fit/fit.h"
#include "runtime/setup/run_options.h"
#include "runtime/train/lost_time.h"
#include "runtime/train/record.h"
#include "runtime/train/replan/step_times.h"

enum { VDNN_TRAINING_TIMED_FIRST = 8, VDNN_TRAINING_TIMED_EVERY = 16 };

typedef struct vdnn_training_request {
    const vdnn_session_options *options; /* borrowed, as all here */
    const vdnn_messages *messages;
    const vdnn_setup *setup;
    const vdnn_fit_plans *plans;
    const vdnn_checkpoint *base; /* the run resumes from it; NULL: a new training */
    /* Of several devices: this one's number, from 0, and its end of the group that sums gradients;
     * 0 and NULL: it trains alone. */
    int32_t device;
    vdnn_group *group;
    const vdnn_plan *const *stages; /* the trainings of all stages; NULL: there are none */
} vdnn_training_request;

/* What was said of the pictures of a set that have an EXIF orientation: nothing, that there are
 * some, or how many. */
typedef enum vdnn_orientations_told {
    VDNN_ORIENTATIONS_UNTOLD,
    VDNN_ORIENTATIONS_TOLD,
    VDNN_ORIENTATIONS_COUNTED
} vdnn_orientations_told;

typedef struct vdnn_training_run {
    vdnn_training_request request;
    vdnn_dataset *train, *test;     /* test NULL: none */
    json_t *class_names;            /* NULL: they have none */
    vdnn_orientations_told told[2]; /* of these: what was said of how their pictures are turned */
    vdnn_loader_slot slots[VDNN_LOADER_MAX_SLOTS];
    int slot_count;
    size_t staging_bytes;                 /* of all slots */
    vdnn_loader *loader;                  /* of the steps; NULL until the next one needs it */
    vdnn_executor *executor, *evaluation; /* evaluation NULL until there was one */
    vdnn_timeline_writer *trace;          /* NULL: none is being written here */
    vdnn_step_range trace_steps;          /* that are in a trace */
    int64_t step, step_count;             /* completed, with the base's; in all */
    int64_t begun;                        /* completed or in flight */
    vdnn_status stop;  /* of several devices: all end after this step, since a signal told one to */
    bool is_unsound;   /* the last step had values that are not finite, which was said */
    bool has_diverged; /* a step has: the parameters are in part of it */
    int64_t epoch_steps;  /* steps of an epoch */
    vdnn_sample *samples; /* of the steps since the base's; one that was not timed has only loss and
                             wall_seconds */
    size_t sample_count, sample_capacity;
    double wall_seconds;                /* of all samples */
    double mark_seconds;                /* from when the time of the step in flight counts */
    vdnn_lost_time lost;                /* by the timed steps */
    vdnn_step_times times;              /* the last of them, by the plan */
    const vdnn_step_observer *observer; /* of the steps, one at a time; borrowed; NULL: none */
    size_t reserved_bytes[VDNN_TIER_COUNT];
    size_t first_sample;    /* by this plan; those before it were measured by others */
    vdnn_measured measured; /* peaks so far, and the last step's copies */
    size_t moved_bytes;
} vdnn_training_run;

/* --test-data, else the data itself if it has a test part; NULL: none. */
const char *vdnn_training_test_spec(const char *data, const char *test_data);

/* The data to train on, for the network's input; the test data that goes with it. */
vdnn_status vdnn_training_open_data(const vdnn_graph *graph, const vdnn_session_options *options,
                                    vdnn_dataset **dataset);
vdnn_status vdnn_training_open_test(const vdnn_graph *graph, const vdnn_session_options *options,
                                    const char *test, vdnn_dataset **dataset);
/* Samples without labels: a folder of pictures, a picture, or FILE.npy. */
vdnn_status vdnn_training_open_unlabelled(const vdnn_graph *graph,
                                          const vdnn_session_options *options, const char *path,
                                          vdnn_dataset **dataset);

/* Steps that the options ask for in all, for epochs of this many. */
int64_t vdnn_training_count_steps(const vdnn_session_options *options, const vdnn_graph *graph,
                                  int64_t epoch_steps);

/* The base learning rate: that of the options, else of the network. */
double vdnn_training_rate(const vdnn_session_options *options, const vdnn_graph *graph);

vdnn_status vdnn_training_begin(const vdnn_training_request *request, vdnn_training_run *run);
/* Of several devices, which all call it while none has a step in flight, in their group:
 * VDNN_MISMATCH on all of them where one has other parameters or state than the first. Of one
 * device there is nothing to compare. */
vdnn_status vdnn_training_check_replicas(const vdnn_training_run *run);
void vdnn_training_end(vdnn_training_run *run);

/* Completes one more step, also beyond step_count, and begins others as far as the device allows,
 * but none beyond step `last` (more than run->step). `sample` may be NULL. After a failure
 * run->step tells whether the step was completed: if not, none is in flight, and the parameters may
 * have changed in part; if it was, the trace failed, or devices were found to differ.
 * VDNN_DIVERGED: no parameter is other than finite, and no further step is made. */
vdnn_status vdnn_training_step(vdnn_training_run *run, int64_t last, vdnn_sample *sample);
/* Completes the steps in flight and begins none: run->begun == run->step from here on. The first
 * failure. */
vdnn_status vdnn_training_drain(vdnn_training_run *run);

/* Between two steps, with none in flight: the steps from here on are made by these plans, which are
 * of the same graph, with the same algorithms. `plans` must outlive the run in the place of the
 * request's, which the caller gives the new content afterwards. Of several devices all do so, and
 * then join their group again. Parameters and optimizer state go through host memory, those of all
 * devices here at once: false where too little is free. An error ends the run. */
bool vdnn_training_can_change_plan(const vdnn_training_run *run, int32_t devices);
vdnn_status vdnn_training_change_plan(vdnn_training_run *run, const vdnn_fit_plans *plans);

/* Says how many of the pictures have an EXIF orientation, once that is known, or at the end of a
 * run; until then that there are some. */
void vdnn_training_tell_orientations(vdnn_training_run *run, bool is_end);

/* What the test data's labels that count say of the weights as they are now: the share of them, 0
 * to 1, that is found, and the mean loss. Negative, and not a number: there is no test data, none
 * of its labels counts, or the device is simulated. */
vdnn_status vdnn_training_evaluate(vdnn_training_run *run, vdnn_test_scores *found);

/* Of each sample the loss reads a row of this many floats, C x H x W, or per position. */
int64_t vdnn_training_score_count(const vdnn_graph *graph);

/* The rows of the next samples of a set, and their labels; both are valid during the call. */
typedef struct vdnn_training_scores {
    uint64_t first; /* the first sample's number in the set */
    int64_t samples;
    const float *scores;
    const void *labels;
} vdnn_training_scores;

typedef vdnn_status vdnn_training_take_scores(void *context, const vdnn_training_scores *batch);

/* Has `take` see what the loss would read of all samples of a set now, batch after batch. As little
 * affected as by an evaluation. VDNN_USAGE: the device is simulated, or no evaluation was planned.
 * Predict is the same for samples of the program, without labels that count. */
vdnn_status vdnn_training_score(vdnn_training_run *run, const vdnn_dataset *dataset,
                                vdnn_training_take_scores *take, void *context);
vdnn_status vdnn_training_predict(vdnn_training_run *run, const vdnn_data_source *samples,
                                  float *scores);

/* Writes a timeline of those steps, of which the run makes one at least, else VDNN_USAGE. The file
 * is complete after trace_end; without it there is none. A path of NULL: another device's run
 * writes, and this one only takes the times. */
vdnn_status vdnn_training_trace_begin(vdnn_training_run *run, const char *path,
                                      vdnn_step_range steps);
vdnn_status vdnn_training_trace_end(vdnn_training_run *run);
bool vdnn_training_is_traced(const vdnn_training_run *run, int64_t step);
/* Sets of which steps times are taken for a trace. */
void vdnn_training_trace_steps(vdnn_training_run *run, vdnn_step_range steps);
/* Adds to the trace when the batches of this device were read, since the last call. */
vdnn_status vdnn_training_trace_reads(vdnn_training_run *run, vdnn_timeline_writer *trace);
/* Adds to the trace of this run, if its last step is in it, a checkpoint of that step, which was
 * written between these times on the device's clock. */
void vdnn_training_trace_checkpoint(const vdnn_training_run *run, double start, double end);

/* The maximum of the peaks, and medians of times over the timed samples; the samples of all steps
 * of the run by their wall time. Not a number: there was no step. */
vdnn_status vdnn_training_measure(const vdnn_training_run *run, vdnn_measured *measured);

/* Tokens that follow each other. */
typedef struct vdnn_training_tokens {
    int32_t *window; /* the last tokens, a sample at the most, which is what there is room for */
    int64_t count;   /* of these; at least one */
    int64_t more;    /* tokens to add */
    /* Chooses the one after the window, by the scores of the window's last position: as many as
     * there are classes. */
    vdnn_status (*choose)(void *context, const float *scores, int32_t *token);
    void *context;
} vdnn_training_tokens;

/* Adds tokens one by one, each by the weights as they are now, in the first sample of a batch; of a
 * network of one input of tokens, whose loss has a label for each of them. The window's first token
 * is dropped where it is full. */
vdnn_status vdnn_training_generate(vdnn_training_run *run, vdnn_training_tokens *tokens);

#endif
