#ifndef VDNN_RUNTIME_TRAIN_SCORES_SAMPLING_H
#define VDNN_RUNTIME_TRAIN_SCORES_SAMPLING_H

/* A token drawn by its score: with the probability that the softmax of the scores, divided by a
 * temperature, gives it among the most probable ones.
 *
 * Invariant: a draw is a function of the scores, the seed and its number.
 * Threads: pure.
 *
 *     vdnn_sampling sampling = {.temperature = 0.8, .top = 40, .seed = 1};
 *     int32_t order[classes];
 *     int32_t token = vdnn_sampling_draw(&sampling, scores, classes, number, order);
 */

#include <stdint.h>

typedef struct vdnn_sampling {
    double temperature; /* 0: the most probable token, always */
    int64_t top;        /* of the most probable tokens this many; 0, or more than there are: all */
    uint64_t seed;
} vdnn_sampling;

/* Draw `number`; of equal scores the token with the smaller number is the more probable one.
 * `order` holds `classes` items, which are overwritten. Below 0: a score is not finite. */
int32_t vdnn_sampling_draw(const vdnn_sampling *sampling, const float *scores, int64_t classes,
                           uint64_t number, int32_t *order);

#endif
