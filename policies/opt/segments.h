#ifndef VDNN_POLICIES_OPT_SEGMENTS_H
#define VDNN_POLICIES_OPT_SEGMENTS_H

/* Checkpoints: the network in segments of layers. What is read beyond its segment stays, or is
 * offloaded; what backward needs within one is recomputed from that, when its backward begins
 * (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016). The cheapest segments at
 * given prices (opt/prices.h), by a dynamic program over the ends of segments:
 *
 *     layers    conv1 | bn1 relu1 conv2 bn2 | relu2 conv3 ...
 *     stays     m1      .     .     .   m4    .     m6          segments of one layer keep all
 *     again             m2    m3
 *
 *     least(end) = the least over begins of least(begin) + seconds(begin, end)
 *
 * Invariant: no segments that end where a map is written in place cost less, as counted: the kept
 * or offloaded bytes of each map for itself, kernels that run once more, and the bytes of what they
 * read and write until backward is done with them.
 * Threads: one.
 *
 *     vdnn_opt_segments segments;
 *     status = vdnn_opt_segments_init(&segments, graph);
 *     seconds = vdnn_opt_segments_choose(&segments, graph, facts, prices);
 *     for (m = 0; m < graph->map_count; m++) segments.maps[m].is_again ...
 *     vdnn_opt_segments_fini(&segments);
 */

#include "runtime/plan/decisions.h"

/* Of a map, to choose by. */
typedef struct vdnn_opt_segment_map {
    bool may_recompute;
    double recompute_seconds; /* of the kernels */
    double stay_seconds; /* of keeping it for backward, or offloading it; 0: nothing needs it */
    bool is_recomputed;  /* the choice */
} vdnn_opt_segment_map;

typedef struct vdnn_opt_segments {
    vdnn_opt_segment_map *maps; /* owned; per map */
    double *least;              /* owned; (layers + 1), seconds of the segments before an end */
    int32_t *begin;             /* owned; (layers + 1), of the last one before it */
    bool *may_end;              /* owned; (layers + 1) */
    int32_t *first_read, *last_read; /* owned; per map, steps at which maps that are recomputed read
                                        it; 2 * layers, -1: none does */
} vdnn_opt_segments;

vdnn_status vdnn_opt_segments_init(vdnn_opt_segments *own, const vdnn_graph *graph);
void vdnn_opt_segments_fini(vdnn_opt_segments *own);

/* Of own->maps, in which the facts are set, sets what is recomputed; `sums`: (2 * layers + 1), the
 * prices of a byte in the steps before each, forward, then backward from the last layer on. Returns
 * the seconds that it costs. */
double vdnn_opt_segments_choose(vdnn_opt_segments *own, const vdnn_graph *graph,
                                const double *sums);

#endif
