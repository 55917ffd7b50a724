#ifndef VDNN_RUNTIME_SETUP_DERIVED_PROFILE_H
#define VDNN_RUNTIME_SETUP_DERIVED_PROFILE_H

/* Profiles derived from another profile: for another batch, or with named algorithms only.
 *
 * Invariant: nothing is measured here.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_derived_profile_scale(profile, graph, other_graph, device, &scaled);
 *     vdnn_profile_destroy(scaled);
 *     status = vdnn_derived_profile_pin(profile, graph, "run.json");
 *     status = vdnn_derived_profile_cut("run.json", graph, parts, chained);
 */

#include "runtime/device/device.h"
#include "runtime/profile/profile.h"

/* The profile of `to`, which is `from` with another batch: workspaces are queried again, seconds
 * scaled by the batch. Algorithms that do not support the other batch are left out; VDNN_BAD_INPUT
 * if none is left. */
vdnn_status vdnn_derived_profile_scale(const vdnn_profile *profile, const vdnn_graph *from,
                                       const vdnn_graph *to, vdnn_device *device,
                                       vdnn_profile **scaled);

/* Leaves only the algorithms that the layers of an earlier run's JSON name. VDNN_FILE if it cannot
 * be read, VDNN_BAD_INPUT with the layer and the valid names if it does not fit this network. */
vdnn_status vdnn_derived_profile_pin(vdnn_profile *profile, const vdnn_graph *graph,
                                     const char *path);

/* How that run cut the layers: `parts`, of their samples, and `chained`, each per layer of the
 * graph (vdnn_decisions). VDNN_BAD_INPUT also where the network's layers cannot be cut so. */
vdnn_status vdnn_derived_profile_cut(const char *path, const vdnn_graph *graph, int32_t *parts,
                                     int32_t *chained);

/* The layout of maps in that run, as text; "" if its JSON does not name it. Errors as above. */
enum { VDNN_DERIVED_PROFILE_LAYOUT_BYTES = 16 };
vdnn_status vdnn_derived_profile_layout(const char *path,
                                        char layout[VDNN_DERIVED_PROFILE_LAYOUT_BYTES]);

#endif
