#ifndef VDNN_RUNTIME_TRAIN_AGREE_H
#define VDNN_RUNTIME_TRAIN_AGREE_H

/* What the processes of a training agree on before it begins, and at its end.
 *
 * Invariant: every rank makes the same calls in the same order, and all of them return the same
 * values. NULL in the place of the group: this process trains alone, and what it says counts.
 * Threads: the one that drives the device, while no step is in flight.
 *
 *     status = vdnn_agree_on_least(group, budget_bytes, VDNN_TIER_COUNT);
 *     status = vdnn_agree_on_text(group, 0, &profile);     // what rank 0 has
 *     status = vdnn_agree_on_profile(group, &setup, measure, &context);
 *     status = vdnn_agree_on_training(group, &options, &setup);
 *     status = vdnn_agree_to_end(group);                    // all are done
 */

#include "runtime/comm/group.h"
#include "runtime/setup/setup.h"

/* Whether this process reads and writes the training's files: alone, or rank 0. */
bool vdnn_agree_is_first(const vdnn_group *group);

/* The text of every rank becomes that of rank `from`. */
vdnn_status vdnn_agree_on_text(vdnn_group *group, int32_t from, vdnn_text *text);
/* Each value becomes the least of all ranks. */
vdnn_status vdnn_agree_on_least(vdnn_group *group, size_t *values, size_t count);

/* Fails with `refusal`, on all ranks, if any has found differences, lines that each begin with a
 * newline: what, and those of all ranks. */
vdnn_status vdnn_agree_to_refuse(vdnn_group *group, vdnn_status refusal, const char *what,
                                 const vdnn_text *differences);

/* VDNN_BAD_INPUT unless all ranks describe the same training and compute it alike: names what
 * differs, and the rank. */
vdnn_status vdnn_agree_on_training(vdnn_group *group, const vdnn_session_options *options,
                                   const vdnn_setup *setup);

/* Has `measure` called so that every rank's store has the same rows: by the first rank of each kind
 * of device, and on the others once their stores have what was measured; of unlike devices the
 * slowest one's time counts. `measure` may be called twice. */
typedef vdnn_status vdnn_agree_measure(void *context);
vdnn_status vdnn_agree_on_profile(vdnn_group *group, const vdnn_setup *setup,
                                  vdnn_agree_measure *measure, void *context);

/* VDNN_INTERNAL unless the plan, or none, is the same on all ranks. */
vdnn_status vdnn_agree_on_plan(vdnn_group *group, const vdnn_plan *plan);

/* VDNN_FILE unless the text is the same on all ranks: names the first rank whose text, of `what`,
 * is another than rank 0's. */
vdnn_status vdnn_agree_on_content(vdnn_group *group, const char *text, const char *what);

/* Returns once all ranks are here. */
vdnn_status vdnn_agree_to_end(vdnn_group *group);

#endif
