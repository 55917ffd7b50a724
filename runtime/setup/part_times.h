#ifndef VDNN_RUNTIME_SETUP_PART_TIMES_H
#define VDNN_RUNTIME_SETUP_PART_TIMES_H

/* What the parts of layers take on a device that computes:
 *
 *     conv1, 256 samples       27 ms, measured with the network
 *     conv1, 8 parts of 32     27 / 8 ms each, until parts of a plan were measured
 *                              5.4 ms each, of the store: 2 ms more than their share
 *     conv1, 16 parts of 16    27 / 16 + 2 ms each: what is beyond the share does not shrink
 *
 * Most kernels take a part's share of the time; those that transform filters, or whose parts do not
 * fill a card, take more.
 *
 * Invariant: times of parts are in the store, which keeps them for later runs; those of whole
 * layers stay as they are.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_part_times_create(&setup, &times);
 *     status = vdnn_part_times_learn(times);                         // what the store has
 *     vdnn_part_times_apply(times, graph, scaled);
 *     status = vdnn_part_times_measure(times, plan, scaled, &late);  // then learn and apply again
 *     vdnn_part_times_destroy(times);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

struct vdnn_setup;

typedef struct vdnn_part_times vdnn_part_times;

/* `setup` is borrowed; its graph and profile are those of the whole layers. */
vdnn_status vdnn_part_times_create(const struct vdnn_setup *setup, vdnn_part_times **times);
void vdnn_part_times_destroy(vdnn_part_times *times); /* accepts NULL */

/* What parts take beyond their share, from those of 2, 4, 8, ... parts that the store has. */
vdnn_status vdnn_part_times_learn(vdnn_part_times *times);

/* Sets the seconds of layers in parts: `scaled` is the profile of `graph`, with the seconds of
 * whole layers. */
void vdnn_part_times_apply(const vdnn_part_times *times, const vdnn_graph *graph,
                           vdnn_profile *scaled);

/* Measures the parts of a plan that the store does not have, by the algorithms that it chose and by
 * those that are close to them by `profile`. *late_seconds: how much longer its passes take by that
 * than by `profile`; negative where they take less. What fails is left as it is. */
vdnn_status vdnn_part_times_measure(const vdnn_part_times *times, const vdnn_plan *plan,
                                    const vdnn_profile *profile, double *late_seconds);

#endif
