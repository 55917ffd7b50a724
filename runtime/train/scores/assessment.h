#ifndef VDNN_RUNTIME_TRAIN_SCORES_ASSESSMENT_H
#define VDNN_RUNTIME_TRAIN_SCORES_ASSESSMENT_H

/* How well a network does on labelled samples: the loss; of one that classifies accuracy, and both
 * by class.
 *
 *     class  samples  right  recall  precision
 *     cat         50     48   96.0 %     94.1 %
 *
 * Of a class, recall is the share of its samples that are classified as it, precision the share of
 * those classified as it that are of it. Of masks there is Dice, twice the cells that are of a
 * class and classified as it, by the sum of those that are of it and those classified as it: over
 * all samples, so that many small areas count as one large one.
 *
 * Invariant: accuracy is that of vdnn_training_evaluate.
 * Threads: one.
 *
 *     vdnn_assessment own;
 *     status = vdnn_assessment_make(run, dataset, &own);
 *     vdnn_assessment_write(&own, false, &text);
 *     vdnn_assessment_fini(&own);
 */

#include "runtime/base/text.h"
#include "runtime/train/training/training.h"

#include <jansson.h>

/* Of more classes there is no confusion. */
enum { VDNN_ASSESSMENT_MOST_CLASSES = 1024 };

typedef struct vdnn_assessment {
    char **names;             /* owned; per class; NULL: they have numbers alone */
    int64_t samples, classes; /* classes 0: labels are none */
    vdnn_target target;
    int64_t background;    /* of masks: classes of which no overlap counts, the first ones */
    bool are_tokens;       /* each position has a label */
    int64_t labels, right; /* that count; of them, classified correctly */
    double loss;           /* the mean over the labels that count, or the samples, as the loss
                              has it; not a number: none does */
    int64_t *of_class, *as_class, *right_of; /* owned; per class: with that label, so classified,
                                                both */
    int64_t *confusion; /* owned; [label * classes + classified as]; NULL: there is none */
} vdnn_assessment;

/* Of the weights as they are now. VDNN_NO_MEMORY, VDNN_USAGE: as vdnn_training_score. */
vdnn_status vdnn_assessment_make(vdnn_training_run *run, const vdnn_dataset *dataset,
                                 vdnn_assessment *own);
void vdnn_assessment_fini(vdnn_assessment *own); /* accepts one that is all zero */

/* The loss, and of what there is accuracy and the mean of Dice. */
vdnn_test_scores vdnn_assessment_scores(const vdnn_assessment *own);

/* Adds it as text: of many classes those alone with the lowest recall, unless all are asked for.
 * With all come the pairs of classes that were mistaken for each other the most. Of tokens, which
 * are many and of which few samples say much, there is the perplexity alone, unless all is asked
 * for: then those come that are the most frequent. */
void vdnn_assessment_write(const vdnn_assessment *own, bool everything, vdnn_text *text);
/* As an object; NULL: no memory. */
json_t *vdnn_assessment_json(const vdnn_assessment *own);

#endif
