#ifndef VDNN_RUNTIME_SETUP_VARIANTS_H
#define VDNN_RUNTIME_SETUP_VARIANTS_H

/* A network with its layers in other parts: graphs and profiles that plans can be over, made when a
 * policy asks for them.
 *
 *     parts  1 1 1 1     the setup's own graph
 *            4 4 1 1     made once, kept until the end
 *
 * Invariant: layers, tensors and maps of all of them have the same numbers; what was found stays
 * where it is. Of a simulated device a profile is the device model's, of others it is scaled from
 * the setup's, with what is known of parts (part_times.h).
 * Threads: one.
 *
 *     status = vdnn_setup_variants_create(&setup, NULL, &variants);
 *     status = vdnn_setup_variants_find(variants, parts, &graph, &profile);
 *     profile = vdnn_setup_variants_profile(variants, plan->graph);
 *     status = vdnn_setup_variants_saved(variants, &seconds);
 *     status = vdnn_setup_variants_measure(variants, plan, &late);
 *     status = vdnn_setup_variants_learn(variants); // for further plans
 *     vdnn_setup_variants_destroy(variants);
 */

#include "runtime/planning/planning.h"
#include "runtime/profile/profile.h"

typedef struct vdnn_setup_variants vdnn_setup_variants;

struct vdnn_setup;

/* What it refers to of the setup stays valid until it is destroyed. `repeated`: the JSON of an
 * earlier run, in whose parts and chains all plans are; NULL: a policy chooses. VDNN_NO_MEMORY, and
 * as vdnn_derived_profile_cut. */
vdnn_status vdnn_setup_variants_create(const struct vdnn_setup *setup, const char *repeated,
                                       vdnn_setup_variants **variants);
void vdnn_setup_variants_destroy(vdnn_setup_variants *variants); /* accepts NULL */

/* `parts`: per layer, of its samples. */
vdnn_status vdnn_setup_variants_find(vdnn_setup_variants *variants, const int32_t *parts,
                                     const vdnn_graph **graph, const vdnn_profile **profile);

/* Whether there are variants, and a policy chooses among them. Accepts NULL. */
bool vdnn_setup_variants_are_free(const vdnn_setup_variants *variants);

/* Planning of a setup's network, and of its variants, if it has any: of the parts of an earlier
 * run, where these are repeated. It ends before the setup, and before the variants learn. */
vdnn_status vdnn_setup_plan(const struct vdnn_setup *setup, vdnn_planning **planning);

/* Whether somebody could notice the parts in the results, as the gradients of parameters are sums
 * over them: on a device that computes. Accepts NULL. */
bool vdnn_setup_variants_change_bits(const vdnn_setup_variants *variants);
/* Whether that forbids parts where whole layers fit: unless bits may differ from run to run. */
bool vdnn_setup_variants_are_last_resort(const vdnn_setup_variants *variants);

/* What the fastest algorithms of all passes save at most where layers run in 1, 2, 4, ... parts of
 * their samples, or in as many as they can: no plan in such parts takes less than the oracle but
 * these seconds, as its computing is as much shorter at most. */
vdnn_status vdnn_setup_variants_saved(vdnn_setup_variants *variants, double *seconds);

/* Measures what is not known of the parts of a plan, if its graph was found here. *late_seconds:
 * how much longer than planned its passes take by that; 0 on a simulated device, and where parts
 * are repeated. Accepts NULL. */
vdnn_status vdnn_setup_variants_measure(vdnn_setup_variants *variants, const vdnn_plan *plan,
                                        double *late_seconds);
/* Takes the times of parts from the store. Profiles of graphs that were found are replaced by ones
 * with these times; the graphs stay, and plans over them. */
vdnn_status vdnn_setup_variants_learn(vdnn_setup_variants *variants);

/* That of a graph that was found, or of the setup's. */
const vdnn_profile *vdnn_setup_variants_profile(const vdnn_setup_variants *variants,
                                                const vdnn_graph *graph);

#endif
