#ifndef VDNN_RUNTIME_SETUP_DEVICES_STAGES_H
#define VDNN_RUNTIME_SETUP_DEVICES_STAGES_H

/* The network cut into the stages of a pipeline, a device each.
 *
 * Invariant: the cuts follow from the network, its profile and the options alone, so that all
 * processes find the same.
 * Threads: one.
 *
 *     status = vdnn_stages_cut(&options, rank, &setup);      // setup.graph is that stage now
 *     status = vdnn_stages_other(&setup, 2, &other);         // the setup of another one
 *     vdnn_setup_lesser_end(&other);
 */

#include "runtime/planning/partition.h"
#include "runtime/setup/setup.h"

/* What each layer of a network with a profile takes, for a partition into that many stages; the
 * caller frees *layers by vdnn_heap_free. VDNN_USAGE if it cannot be cut into as many. */
vdnn_status vdnn_stages_measure(const vdnn_setup *setup, int32_t stages,
                                vdnn_partition_layer **layers);

/* After the profile is made: cuts the network so that the slowest stage is as fast as possible.
 * VDNN_USAGE if it cannot be cut into as many. */
vdnn_status vdnn_stages_cut(const vdnn_run_options *options, int32_t number, vdnn_setup *setup);

/* The setup of another stage, for vdnn_setup_lesser_end; all but graph and profile is borrowed from
 * `setup`. */
vdnn_status vdnn_stages_other(const vdnn_setup *setup, int32_t number, vdnn_setup *other);

#endif
