#ifndef VDNN_RUNTIME_TRAIN_RECORD_H
#define VDNN_RUNTIME_TRAIN_RECORD_H

/* The record of a run: JSON for programs, the footprint for people.
 *
 * Invariant: the fields and units are those of the public contract; a number that is not finite is
 * null. Threads: pure.
 *
 *     vdnn_record record = {.setup = &setup, .plan = plan, .policy = "dyn", ...};
 *     status = vdnn_record_json(&record, &text);
 *     status = vdnn_record_footprint(&record, &text);
 *     vdnn_text_fini(&text);
 */

#include "runtime/base/text.h"
#include "runtime/data/dataset.h"
#include "runtime/fit/batches.h"
#include "runtime/fit/explain.h"
#include "runtime/setup/setup.h"
#include "runtime/train/lost_time.h"

#include <jansson.h>
#include <math.h>

enum { VDNN_SCHEMA_VERSION = 1 };

/* Of the steps whose operations were timed (training.h says which) the medians of times, without
 * the first step where there are others, and the most of live bytes; images_per_second is the
 * samples of all steps of this run by the wall time of these steps. */
typedef struct vdnn_measured {
    size_t peak_bytes[VDNN_TIER_COUNT]; /* live, by real starts and completions */
    size_t span_bytes[VDNN_TIER_COUNT]; /* highest end that was handed to an operation */
    size_t offload_bytes, prefetch_bytes, spill_bytes, fill_bytes;
    double step_seconds, images_per_second, stall_seconds, exposed_copy_seconds;
    double exposed_reduce_seconds;
    double first_step_seconds; /* of this run, from its begin to its end */
} vdnn_measured;

/* Each member becomes the larger one of both, but for images per second: the steps are the same,
 * and are timed once, as the progress is. */
void vdnn_measured_worsen(vdnn_measured *measured, const vdnn_measured *other);

/* One of several devices. */
typedef struct vdnn_record_share {
    const vdnn_setup *setup;
    const vdnn_plan *plan;
    vdnn_measured measured;
    const vdnn_lost_time *lost; /* NULL: nothing ran */
} vdnn_record_share;

/* What an evaluation found. */
typedef struct vdnn_test_scores {
    double accuracy; /* share of the labels that count; below 0: there is none of the loss */
    double loss;     /* mean over them, or over the samples */
    double dice;     /* of masks, the mean over classes; below 0: there is none of the loss */
} vdnn_test_scores;

static const vdnn_test_scores vdnn_nothing_found = {-1.0, NAN, -1.0};

static inline bool vdnn_test_is_known(const vdnn_test_scores *test)
{
    return test->accuracy >= 0 || !isnan(test->loss);
}

typedef struct vdnn_record {
    const vdnn_setup *setup;
    const vdnn_plan *plan;           /* of several devices that of the first */
    const vdnn_record_share *shares; /* of several devices each; NULL: there is one */
    int32_t share_count;
    vdnn_verdict verdict;
    const char *policy, *algo; /* requested */
    uint64_t seed;
    double lr;                     /* the base learning rate */
    const vdnn_measured *measured; /* of several devices the worst; NULL: nothing ran */
    const vdnn_lost_time *lost;    /* of several devices that of the one that lost the most; NULL:
                                      nothing ran */
    int32_t lost_device;           /* which that is */
    const double *losses;
    size_t loss_count;
    vdnn_test_scores test;
    const json_t *evaluations;                /* resume.h: those during the training; NULL: none */
    const struct vdnn_assessment *assessment; /* scores/assessment.h; NULL: none */
    const struct vdnn_generated *generated;   /* scores/generated.h; NULL: nothing was */
    vdnn_dataset_orientations train_orientations, test_orientations; /* no pictures: none */
    size_t host_staging_bytes;
    const vdnn_batches *batches;         /* NULL: none were looked for */
    const vdnn_explanation *explanation; /* NULL: none was made */
    const struct vdnn_replan *replans;   /* replan/replan.h */
    int replan_count;
    size_t columns; /* of a line for people */
} vdnn_record;

/* The fields of `plan`, also for a row of a report. NULL: no memory. */
json_t *vdnn_record_plan(const vdnn_setup *setup, const vdnn_plan *plan,
                         const vdnn_verdict *verdict);
json_t *vdnn_record_categories(const size_t bytes[VDNN_CATEGORY_COUNT]);
json_t *vdnn_record_device(const vdnn_setup *setup);

/* What people are shown rates in, and how much of it a sample is. */
json_t *vdnn_record_rate_unit(const vdnn_graph *graph);
/* The settings of the optimizer by name, with this base learning rate, and clip_norm. */
json_t *vdnn_record_settings(const vdnn_training *training, double lr);
/* The algorithm of each pass of a layer, by name. */
json_t *vdnn_record_algorithms(const vdnn_plan *plan, int32_t layer);
/* What the plan does with each layer that its stage has, and what time it lost, unless `lost` is
 * NULL. `actions`: those of the plan (vdnn_plan_find_actions), here and below. */
json_t *vdnn_record_layers(const vdnn_plan *plan, const vdnn_action *actions,
                           const vdnn_lost_time *lost);

/* What the plan does with what the layer's backward needs. */
vdnn_action vdnn_record_action(const vdnn_plan *plan, const vdnn_action *actions, int32_t layer);

vdnn_status vdnn_record_json(const vdnn_record *record, vdnn_text *text);
vdnn_status vdnn_record_footprint(const vdnn_record *record, vdnn_text *text);

/* Serializes a value in the format of all files; takes the reference. */
vdnn_status vdnn_record_dump(json_t *root, vdnn_text *text);

#endif
