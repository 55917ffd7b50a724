#ifndef VDNN_RUNTIME_TRAIN_AGREE_OPTIONS_H
#define VDNN_RUNTIME_TRAIN_AGREE_OPTIONS_H

/* Whether processes that train together were started alike. Those with other options would make
 * other calls: at best a call fails that nobody expects, at worst all wait.
 *
 * Invariant: an option that is neither the first process's nor of each process alone is compared,
 * here, before any other call between processes, or as a part of what the training is.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_agree_on_options(group, &options);
 */

#include "runtime/comm/group.h"
#include "runtime/setup/run_options.h"

/* VDNN_USAGE, on all ranks, with each option that differs, and the rank. NULL: this process trains
 * alone. */
vdnn_status vdnn_agree_on_options(vdnn_group *group, const vdnn_run_options *options);

#endif
