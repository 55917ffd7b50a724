#ifndef VDNN_RUNTIME_TRAIN_SCORES_SCORES_H
#define VDNN_RUNTIME_TRAIN_SCORES_SCORES_H

/* What scores say: those of a row, one of each class, probabilities, and the classes in their
 * order; of a network without classes, each the number that it is, or a probability by itself.
 *
 * Threads: pure.
 *
 *     vdnn_scores_softmax(row, classes, probabilities);
 *     vdnn_scores_top(row, classes, 5, best);   // best[0] has the largest score
 */

#include "layers/layer.h"

/* `y` may be `x`. */
void vdnn_scores_softmax(const float *x, int64_t classes, float *y);
void vdnn_scores_sigmoid(const float *x, int64_t count, float *y);
/* What the scores of a sample predict, by what the loss compares them with: the numbers themselves,
 * or probabilities. */
void vdnn_scores_predict(vdnn_target target, const float *x, int64_t count, int64_t classes,
                         float *y);

/* The loss of a sample of that class: -log of its probability, finite also where that is 0. */
double vdnn_scores_loss(const float *x, int64_t classes, int64_t class);

/* The `count` classes (at most all) with the largest scores, the largest first; of equal scores the
 * class with the smaller number. */
void vdnn_scores_top(const float *x, int64_t classes, int64_t count, int32_t *best);

#endif
