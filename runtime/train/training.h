#ifndef VDNN_RUNTIME_TRAIN_TRAINING_H
#define VDNN_RUNTIME_TRAIN_TRAINING_H

/* The training loop and the evaluation, of a plan that fits.
 *
 * Invariant: after begin, no memory is taken on the device; the loop adds one sample a step.
 * Threads: one.
 *
 *     vdnn_training_run run;
 *     status = vdnn_training_begin(&request, &run);   // data, tiers, first weights
 *     status = vdnn_training_loop(&run);
 *     status = vdnn_training_test(&run, &accuracy);   // negative: there is no test data
 *     vdnn_training_end(&run);
 */

#include "runtime/data/loader.h"
#include "runtime/exec/executor.h"
#include "runtime/train/fit.h"
#include "runtime/train/record.h"
#include "runtime/train/session.h"

/* One is enough: it is free again as soon as a step has taken its batch, early in the step. */
enum { VDNN_TRAINING_SLOTS = 1 };

/* One step of the loop. */
typedef struct vdnn_sample {
    double loss, seconds, stall_seconds, exposed_copy_seconds;
    double wall_seconds; /* with the wait for the batch */
} vdnn_sample;

typedef struct vdnn_training_request {
    const vdnn_session_options *options; /* borrowed, as all here */
    const vdnn_messages *messages;
    const vdnn_setup *setup;
    const vdnn_fit_plans *plans;
} vdnn_training_request;

typedef struct vdnn_training_run {
    vdnn_training_request request;
    vdnn_dataset *train, *test; /* test NULL: none */
    vdnn_loader_slot slots[VDNN_TRAINING_SLOTS];
    size_t staging_bytes;
    int64_t step_count;
    vdnn_sample *samples;
    size_t sample_count, sample_capacity;
    vdnn_measured measured; /* peaks so far; the medians after the loop */
    size_t moved_bytes;
} vdnn_training_run;

/* What --test-data says, else the data itself where it has a test part; NULL: none. */
const char *vdnn_training_test_spec(const char *data, const char *test_data);

vdnn_status vdnn_training_begin(const vdnn_training_request *request, vdnn_training_run *run);
vdnn_status vdnn_training_loop(vdnn_training_run *run);
vdnn_status vdnn_training_test(vdnn_training_run *run, double *accuracy);
void vdnn_training_end(vdnn_training_run *run);

/* The data of one part, for the network's input. */
vdnn_status vdnn_training_open_data(const vdnn_graph *graph, const char *spec, vdnn_split split,
                                    vdnn_dataset **dataset);

#endif
