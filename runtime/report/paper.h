#ifndef VDNN_RUNTIME_REPORT_PAPER_H
#define VDNN_RUNTIME_REPORT_PAPER_H

/* Counts memory and time as the vDNN paper does (Rhu et al., MICRO 2016), to compare with its
 * figures. Everywhere else vdnn counts everything.
 *
 *   points      forward of each layer, then backward        live bytes at each layer's execution
 *     fwd conv1 | fwd relu1 | fwd pool1 | ... | bwd pool1 | bwd relu1 | bwd conv1
 *   x of pool1    [-----------------]out         in[------------]
 *   its gradient                                   [------------------------------]
 *
 * The baseline is a network-wide allocation: all weights, all maps, the largest workspace, and as
 * many gradient buffers of the largest size as are live at once. For any other plan, maps, gradient
 * maps and workspace are counted at each execution of a feature-extraction layer, plus the weights
 * of these layers. The peak is the maximum of these counts and the average their mean. Classifier
 * layers, gradients of weights and momentum are not counted.
 *
 * Three things are taken from the plan: which maps are offloaded, which algorithms run, and whether
 * memory is freed before the end of the step. Copies run as in the paper: a map is offloaded during
 * its last reader's forward and prefetched where findPrefetchLayer finds it. A layer takes as long
 * as its kernels or its copy, whichever is longer; the first convolution counts a gradient of the
 * images. Branches write into their concat's buffer, gradients at a fork are summed in place, and a
 * dropout is not a layer.
 *
 * Invariant: pure; the plan's graph uses the paper's rules. Threads: any.
 *
 *     vdnn_footprint footprint;
 *     status = vdnn_paper_count(plan, profile, &footprint);
 *     speed = footprint.oracle_step_seconds / footprint.step_seconds;
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

typedef struct vdnn_footprint {
    size_t device_peak_bytes, host_peak_bytes, offload_bytes, prefetch_bytes;
    double device_average_bytes;
    double step_seconds, oracle_step_seconds; /* of the feature-extraction layers */
    size_t by_category[VDNN_CATEGORY_COUNT];  /* the maximum of each category by itself */
    size_t by_category_at_peak[VDNN_CATEGORY_COUNT];
    const char *peak_layer; /* NULL: the allocation is network-wide; borrowed from the graph */
} vdnn_footprint;

/* `profile` is the one that the plan was made from. Fails only with VDNN_NO_MEMORY. */
vdnn_status vdnn_paper_count(const vdnn_plan *plan, const vdnn_profile *profile,
                             vdnn_footprint *footprint);

#endif
