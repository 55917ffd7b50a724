#ifndef VDNN_POLICIES_OPT_PRICES_H
#define VDNN_POLICIES_OPT_PRICES_H

/* The cheapest decisions at given prices: of a byte of the device while a layer's kernels run, and
 * of a second of the link. Then each map and each pass is decided for itself:
 *
 *     keep       its bytes from its last use in forward to its first in backward
 *     offload    its bytes until its copy out ends, and from where its copy in begins; both copies,
 *                on the link
 *     recompute  the seconds of its kernels; what it is computed from, unless that stays anyway
 *     pass       an algorithm's seconds, and its workspace
 *
 *     price  |          ______            held by keep      |==================|
 *            |     ____/      \_____                offload |===|          |===|
 *     step   forward l1 .. ln | ln .. l1 backward           last use        need
 *
 * The cost of a decision depends on others: on the copies before it on the link, and on the maps
 * that are recomputed from it. So all are decided in turn, the last map first, a few times.
 *
 * Invariant: decisions that can be planned, whatever the prices.
 * Threads: one.
 *
 *     vdnn_opt_prices prices;
 *     status = vdnn_opt_prices_init(&prices, graph);
 *     prices.of_byte[step] = ...;
 *     vdnn_opt_prices_choose(&prices, own, &decisions);
 *     vdnn_opt_prices_fini(&prices);
 */

#include "policies/opt/search.h"
#include "runtime/plan/decisions.h"

/* ---- segments -------------------------------------------------------------------------------- */

/* Checkpoints: the network in segments of layers. What is read beyond its segment stays, or is
 * offloaded; what backward needs within one is recomputed from that, when its backward begins
 * (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016). A dynamic program over the
 * ends of segments finds the cheapest ones at given prices:
 *
 *     layers    conv1 | bn1 relu1 conv2 bn2 | relu2 conv3 ...
 *     stay        m1    .     .     .   m4    .     m6          segments of one layer keep all
 *     recomputed        m2    m3
 *
 *     least(end) = the least over begins of least(begin) + seconds(begin, end)
 *
 * Invariant: no segments that end where a map is written in place cost less, as counted: the kept
 * or offloaded bytes of each map for itself, kernels that run once more, and the bytes of what they
 * read and write until backward is done with them.
 *
 *     vdnn_opt_segments segments;
 *     status = vdnn_opt_segments_init(&segments, graph);
 *     seconds = vdnn_opt_segments_choose(&segments, graph, sums);
 *     for (m = 0; m < graph->map_count; m++) segments.maps[m].is_recomputed ...
 *     vdnn_opt_segments_fini(&segments);
 */

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

/* ---- prices ---------------------------------------------------------------------------------- */

typedef struct vdnn_opt_prices {
    double *of_byte;   /* owned; (steps), seconds: forward, then backward from the last layer on */
    double of_link;    /* seconds that one of the link costs */
    double of_host;    /* seconds that a byte of the host tier costs */
    bool moves_params; /* decides for parameters, too */
    bool begins_with_segments; /* with the cheapest segments, not with what was decided before */
    int32_t steps;             /* twice the layers */
    double *sums;              /* owned; (steps + 1), of the prices before */
    int32_t *needs; /* owned; per map, the step of backward that needs it first; `steps`: none */
    vdnn_opt_segments segments;
} vdnn_opt_prices;

vdnn_status vdnn_opt_prices_init(vdnn_opt_prices *own, const vdnn_graph *graph);
void vdnn_opt_prices_fini(vdnn_opt_prices *own);

/* Decides again what happens to each map, the algorithm of each pass and what is loaded when, with
 * `moves_params` also where parameters are; the rest stays. */
void vdnn_opt_prices_choose(vdnn_opt_prices *own, vdnn_opt_search *search,
                            vdnn_decisions *decisions);

/* ---- starts by prices ------------------------------------------------------------------------ */

/* Starts by prices: memory is treated as unlimited, but each byte has a price. The lowest prices at
 * which a plan fits are searched for: first one price for all steps that take more than
 * there is, then higher ones where too much is alive, lower ones where memory is left.
 *
 *     bytes |       /\  price 1                 /--\  price 1.2
 *           | -----/--\-------- budget     ----/----\----
 *           |  /\_/    \_                  ___/      \  price 0.7
 *
 * Invariant: as the search's; what is offered fits.
 *
 *     status = vdnn_opt_offer_relaxed(own);
 */

/* At several prices of the link, from the plan of unlimited memory. */
vdnn_status vdnn_opt_offer_relaxed(vdnn_opt_search *own);

/* Sets *smallest to the plan with the smallest arena by bounds that is found when prices are so
 * high that time does not count, within the host's memory. It stays if there is none. No budget of
 * the device changes the result. */
vdnn_status vdnn_opt_relax_smallest(vdnn_opt_search *own, vdnn_decisions *smallest);

#endif
