#ifndef VDNN_RUNTIME_TRAIN_SCHEDULE_H
#define VDNN_RUNTIME_TRAIN_SCHEDULE_H

/* The learning rate of each step.
 *
 *     rate |      warm-up, then    constant ------      step ----.        cosine -.
 *          |    .-                                               '--.              '.
 *          |  .'                                                    '--              '-.
 *          +-------> steps
 *
 * Invariant: a pure function of its arguments, so that a resumed run has the same bits; never
 * negative, never above the base learning rate.
 * Threads: pure.
 *
 *     vdnn_schedule_place place = {.step = 0, .step_count = 900, .epoch_steps = 10};
 *     for (; place.step < place.step_count; place.step++)
 *         lr = vdnn_schedule_rate(&graph->training, base, &place);
 */

#include "models/model.h"

typedef struct vdnn_schedule_place {
    uint64_t step, step_count; /* step may be beyond: then it is the final rate */
    uint64_t epoch_steps;      /* steps of an epoch */
} vdnn_schedule_place;

/* `base` is the base learning rate: the network's lr, or --lr. */
double vdnn_schedule_rate(const vdnn_training *training, double base,
                          const vdnn_schedule_place *place);

#endif
