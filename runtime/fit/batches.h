#ifndef VDNN_RUNTIME_FIT_BATCHES_H
#define VDNN_RUNTIME_FIT_BATCHES_H

/* Which batch to take under a budget: the largest that fits, the one with the most images per
 * second, and the largest with nine tenths of the images per second of unlimited memory; and for
 * each the speed of micro-batches without any policy.
 *
 * Invariant: each row was planned and fits; every batch found is one of the rows. The times of
 * other batches are the device model's, or scaled from those of the setup's batch, and measured in
 * turns where those that were found are tried.
 * Threads: pure, but for messages: one as each batch was planned.
 *
 *     vdnn_batches batches;
 *     status = vdnn_batches_find(&request, &run_options, &batches);
 *     status = vdnn_batches_begin_trials(&request, &run_options, &batches, &trials);
 *     ...                                                      // their steps are timed: trial.h
 *     status = vdnn_batches_take_trials(&request, &trials, &batches);
 *     status = vdnn_batches_print(&batches, 100, &text);       // batches_text.c
 */

#include "runtime/base/text.h"
#include "runtime/fit/compare/same_results.h"
#include "runtime/fit/compare/trial.h"
#include "runtime/fit/fit.h"
#include "runtime/setup/run_options.h"

typedef struct vdnn_batch_row {
    int64_t batch; /* of a step, of all devices */
    size_t device_bytes;
    double step_seconds, images_per_second; /* a step's samples by its time */
    double of_oracle;                       /* the oracle's step time divided by the planned one */
    bool is_measured;
    double spread;        /* of a measured time: half of its range, as a part of it */
    vdnn_results results; /* compared with the batch asked for */
    vdnn_pace pace;       /* compared with that one, where it fits */
} vdnn_batch_row;

/* A batch in the fewest micro-batches in which policy base fits with its fastest algorithms. */
typedef struct vdnn_batch_accumulated {
    int32_t micro_batches; /* 0: it fits in none */
    double images_per_second;
} vdnn_batch_accumulated;

typedef enum vdnn_batch_choice {
    VDNN_BATCH_LARGEST,
    VDNN_BATCH_FASTEST,
    VDNN_BATCH_AT_SPEED, /* the largest at VDNN_BATCH_SPEED of the oracle's images per second */
    VDNN_BATCH_CHOICES
} vdnn_batch_choice;

static const double VDNN_BATCH_SPEED = 0.9;

enum { VDNN_BATCHES_MOST = 96 };

typedef struct vdnn_batches {
    const vdnn_setup *setup; /* borrowed */
    const vdnn_policy *policy;
    vdnn_batch_row rows[VDNN_BATCHES_MOST]; /* sorted by batch */
    size_t count;
    size_t asked;                     /* the row of the setup's batch */
    size_t found[VDNN_BATCH_CHOICES]; /* rows; VDNN_BATCHES_MOST, as above: there is none */
    vdnn_batch_accumulated accumulated[VDNN_BATCH_CHOICES];
    const char *command; /* of the run, for the caller to set; borrowed; NULL: not known */
} vdnn_batches;

/* As a key of JSON: "largest". */
const char *vdnn_batch_choice_name(vdnn_batch_choice choice);

/* Finds the batches. Each is planned with the search limit of the options. VDNN_NO_FIT: no batch
 * fits; VDNN_USAGE: the device was recorded with one batch alone. */
vdnn_status vdnn_batches_find(const vdnn_fit_request *request, const vdnn_run_options *options,
                              vdnn_batches *batches);

/* Sets up the batches that were found, and the one asked for: none if that one does not fit, or no
 * step can be timed. */
vdnn_status vdnn_batches_begin_trials(const vdnn_fit_request *request,
                                      const vdnn_run_options *options, const vdnn_batches *batches,
                                      vdnn_trials *trials);
/* Has the fastest be one that is by its steps. */
vdnn_status vdnn_batches_take_trials(const vdnn_fit_request *request, const vdnn_trials *trials,
                                     vdnn_batches *batches);

/* Adds the command line with that batch; nothing where the run's is not known. */
void vdnn_batches_add_command(const vdnn_batches *batches, const vdnn_batch_row *row,
                              vdnn_text *text);

/* Prints a table and sentences, for people, in lines of at most `line` bytes. */
vdnn_status vdnn_batches_print(const vdnn_batches *batches, size_t line, vdnn_text *text);

#endif
