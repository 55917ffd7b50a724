#ifndef VDNN_LAYERS_LOSS_MEAN_H
#define VDNN_LAYERS_LOSS_MEAN_H

/* The mean over a step of which a loss may compute a part, compiled for kernels of every device.
 *
 *     loss of the step = sum of weight * loss of the part,   weight = samples / samples of the step
 *
 * Invariant: parts whose weights are such quotients have the gradients of the step as a whole, bit
 * for bit; with weight 1 that is the mean of the part's own samples. If labels are ignored, the
 * same holds with those that count in the place of samples. Threads: pure.
 *
 *     float by = vdnn_loss_mean_of(layer->x[0].dims[VDNN_N], args->weight);
 *     dx[i] = gradient_of_the_sample[i] / by;
 */

#include <stdint.h>

/* The samples of the step: the quotient in double is off by 2^-52 of it at most, which rounding to
 * float takes away again. */
static inline float vdnn_loss_mean_of(int64_t samples, double weight)
{
    return (float)((double)samples / weight);
}

#endif
