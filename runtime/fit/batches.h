#ifndef VDNN_RUNTIME_FIT_BATCHES_H
#define VDNN_RUNTIME_FIT_BATCHES_H

/* Which batch to take under a budget: the largest that fits, the one with the most images per
 * second, and the largest with nine tenths of the images per second of unlimited memory; and for
 * each the speed of micro-batches without any policy.
 *
 * Invariant: each row was planned and fits; every batch found is one of the rows. The times of
 * other batches are the device model's, or scaled from those of the setup's batch.
 * Threads: pure, but for messages: one as each batch was planned.
 *
 *     vdnn_batches batches;
 *     status = vdnn_batches_find(&request, &run_options, &batches);
 *     if (status == VDNN_OK)
 *         status = vdnn_batches_print(&batches, 100, &text);
 */

#include "runtime/base/text.h"
#include "runtime/fit/fit.h"
#include "runtime/setup/run_options.h"

typedef struct vdnn_batch_row {
    int64_t batch; /* of a step, of all devices */
    size_t device_bytes;
    double images_per_second;
    double of_oracle; /* the oracle's step time divided by the row's */
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
    size_t found[VDNN_BATCH_CHOICES]; /* rows; VDNN_BATCHES_MOST: there is none */
    vdnn_batch_accumulated accumulated[VDNN_BATCH_CHOICES];
} vdnn_batches;

/* As a key of JSON: "largest". */
const char *vdnn_batch_choice_name(vdnn_batch_choice choice);

/* Finds the batches. Each is planned with the search limit of the options. VDNN_NO_FIT: no batch
 * fits; VDNN_USAGE: the device was recorded with one batch alone. */
vdnn_status vdnn_batches_find(const vdnn_fit_request *request, const vdnn_run_options *options,
                              vdnn_batches *batches);

/* Prints a table and sentences, for people, in lines of at most `line` bytes. */
vdnn_status vdnn_batches_print(const vdnn_batches *batches, size_t line, vdnn_text *text);

#endif
