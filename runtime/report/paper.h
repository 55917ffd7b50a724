#ifndef VDNN_RUNTIME_REPORT_PAPER_H
#define VDNN_RUNTIME_REPORT_PAPER_H

/* Counts as the vDNN paper (Rhu et al., MICRO 2016), for comparison with its figures; everywhere
 * else vdnn counts everything.
 *
 *   points      forward of each layer, then backward        live bytes at each layer's execution
 *     fwd conv1 | fwd relu1 | fwd pool1 | ... | bwd pool1 | bwd relu1 | bwd conv1
 *   x of pool1    [-----------------]out         in[------------]
 *   its gradient                                   [------------------------------]
 *
 * A network-wide allocation (the baseline) is all weights, all maps, as many gradient buffers of
 * the largest size as are alive at once, and the largest workspace. Any other plan counts maps,
 * gradient maps and workspace at each execution of a feature-extraction layer, and those layers'
 * weights: the peak is their maximum, the average their plain mean. Classifier layers, gradients of
 * weights and momentum are in neither.
 *
 * From a plan it takes which maps are offloaded, which algorithms run, and whether memory is freed
 * before the end of the step. Copies start and end as in the paper: a map is offloaded during its
 * last reader's forward and prefetched where findPrefetchLayer finds it, and a layer takes as long
 * as its kernels or its copy, whichever is longer; the first convolution as if it computed a
 * gradient of the images. Branches write into their concat's buffer, gradients at a fork are summed
 * in place, and a dropout is not a layer.
 *
 * Invariant: pure; the plan's graph has the rules of the paper. Threads: any.
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
    size_t by_category[VDNN_CATEGORY_COUNT];  /* each category's own maximum */
    size_t by_category_at_peak[VDNN_CATEGORY_COUNT];
    const char *peak_layer; /* NULL: the allocation is network-wide; borrowed from the graph */
} vdnn_footprint;

/* The profile is the one that the plan was made from. Its only error is VDNN_NO_MEMORY. */
vdnn_status vdnn_paper_count(const vdnn_plan *plan, const vdnn_profile *profile,
                             vdnn_footprint *footprint);

#endif
