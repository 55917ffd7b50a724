#ifndef VDNN_POLICIES_LATE_LOAD_H
#define VDNN_POLICIES_LATE_LOAD_H

/* With which layer's backward, of a layer in parts with the last one, the load of the next batch
 * begins, where it is loaded late.
 *
 *     compute   | ... | bwd conv2       | bwd pool1 | bwd conv1        | end
 *     link            | load            | copies in that these layers need
 *
 * Threads: pure.
 *
 *     vdnn_late_load_decide(graph, profile, &decisions);
 */

#include "policies/policy.h"

/* As late as possible, since it takes memory from there on: with the last layer from whose backward
 * on the passes, by the decided algorithms, take as long as the load and the copies in that they
 * need. Sets loads and load_layer. */
void vdnn_late_load_decide(const vdnn_graph *graph, const vdnn_profile *profile,
                           vdnn_decisions *decisions);

#endif
