#ifndef VDNN_RUNTIME_TRAIN_SHARES_H
#define VDNN_RUNTIME_TRAIN_SHARES_H

/* Optimizer state of which each device has a share, or parameters and state of which each stage of
 * a pipeline has its own, for files, which have all of it: rank 0 asks for one block after the
 * other, and the others lend what they have of it.
 *
 *     rank 0   begin | fetch conv1 | writes it | fetch fc1 | writes it | ... | end
 *     rank 1   lend    conv1                     fc1                           returns
 *
 * Invariant: however rank 0's files turn out, the others return from lend, as they do if a rank has
 * left. In addition to the devices' memory each rank takes that of one slot of the largest block.
 * Threads: the one that drives the device, which has no step in flight.
 *
 *     status = vdnn_shares_begin(plan, device, group, &shares);           // rank 0
 *     status = vdnn_shares_fetch(shares, layer, slot, &values);           // any number of times
 *     vdnn_shares_end(shares);
 *
 *     status = vdnn_shares_lend(plan, device, group);                     // all others
 */

#include "runtime/comm/group.h"
#include "runtime/device/device.h"

typedef struct vdnn_shares vdnn_shares;

/* Begins with a plan whose devices have shares; all is borrowed until end. VDNN_NO_MEMORY: then the
 * rank has left the group. */
vdnn_status vdnn_shares_begin(const vdnn_plan *plan, vdnn_device *device, vdnn_group *group,
                              vdnn_shares **shares);
/* One slot of the state of a layer's block, which is sharded, as if one device had it; of stages
 * also its parameters (VDNN_KEPT_PARAMETERS), whichever has them. It is lent until the next call.
 * The errors of device and group. */
vdnn_status vdnn_shares_fetch(vdnn_shares *shares, int32_t layer, int32_t slot,
                              const float **values);
/* Accepts NULL. */
void vdnn_shares_end(vdnn_shares *shares);

/* Takes part in rank 0's fetches, up to its end. A rank that cannot leaves the group. */
vdnn_status vdnn_shares_lend(const vdnn_plan *plan, vdnn_device *device, vdnn_group *group);

#endif
