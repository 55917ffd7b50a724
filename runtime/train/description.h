#ifndef VDNN_RUNTIME_TRAIN_DESCRIPTION_H
#define VDNN_RUNTIME_TRAIN_DESCRIPTION_H

/* What a training is, as JSON, and in what two descriptions differ: a run may resume from a
 * checkpoint, and processes may train together, only if they mean the same training.
 *
 * Invariant: equal descriptions train the same from the same parameters on. Threads: pure, but for
 * reading the data.
 *
 *     vdnn_description here;
 *     status = vdnn_description_make(&options, &setup, &here);
 *     vdnn_description_compare(manifest, here.training, &sides, &differences);
 *     vdnn_description_fini(&here);
 */

#include "runtime/base/text.h"
#include "runtime/setup/setup.h"

#include <jansson.h>

typedef struct vdnn_description {
    json_t *training; /* the network; batch, type, seed, optimizer, and the data, by number, order,
                         transformation and a digest of some samples, unless nothing is trained */
    int64_t step_count; /* of the whole training */
    int64_t every;      /* steps from one checkpoint to the next */
} vdnn_description;

/* Reads some of the data. */
vdnn_status vdnn_description_make(const vdnn_session_options *options, const vdnn_setup *setup,
                                  vdnn_description *description);
void vdnn_description_fini(vdnn_description *description);

/* What processes that train together must have in common in addition to the training: how it is
 * computed. Becomes `process` in the description. */
vdnn_status vdnn_description_add_process(const vdnn_session_options *options,
                                         const vdnn_setup *setup, vdnn_description *description);

/* Where each of two descriptions is from: "batch: 8 LEFT, 4 RIGHT". */
typedef struct vdnn_description_sides {
    const char *left, *right;
} vdnn_description_sides;

/* Adds a line for each difference, with what would help: in networks alone if `right` is of one
 * that is not trained. */
void vdnn_description_compare(const json_t *left, const json_t *right,
                              const vdnn_description_sides *sides, vdnn_text *text);
/* A value for people, cut off if it is long. Returns `buffer`. */
const char *vdnn_description_value(const json_t *value, char *buffer, size_t size);

/* The optimizer's settings and the schedule, which may change. NULL: no memory. */
json_t *vdnn_description_optimizer(const vdnn_session_options *options, const vdnn_graph *graph,
                                   int64_t step_count);

#endif
