#ifndef VDNN_RUNTIME_TRAIN_SCORES_SCORES_H
#define VDNN_RUNTIME_TRAIN_SCORES_SCORES_H

/* What a row of scores, one of each class, says: probabilities, and the classes in their order.
 *
 * Threads: pure.
 *
 *     vdnn_scores_softmax(row, classes, probabilities);
 *     vdnn_scores_top(row, classes, 5, best);   // best[0] has the largest score
 */

#include <stdint.h>

/* `y` may be `x`. */
void vdnn_scores_softmax(const float *x, int64_t classes, float *y);

/* The loss of a sample of that class: -log of its probability, finite also where that is 0. */
double vdnn_scores_loss(const float *x, int64_t classes, int64_t class);

/* The `count` classes (at most all) with the largest scores, the largest first; of equal scores the
 * class with the smaller number. */
void vdnn_scores_top(const float *x, int64_t classes, int64_t count, int32_t *best);

#endif
