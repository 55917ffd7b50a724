#ifndef VDNN_POLICIES_OPT_PRICES_H
#define VDNN_POLICIES_OPT_PRICES_H

/* The cheapest decisions at given prices: of a byte of the device while a layer's kernels run, and
 * of a second of the link. Then each map and each pass is decided for itself:
 *
 *     keep       its bytes from its last use in forward to its first in backward
 *     offload    those until it has left and from where it returns; its copies, on the link
 *     recompute  its seconds, and what it is computed from where that would not be there
 *     pass       an algorithm's seconds, and its workspace
 *
 *     price  |          ______            held by keep      |==================|
 *            |     ____/      \_____                offload |===|          |===|
 *     step   forward l1 .. ln | ln .. l1 backward           last use        need
 *
 * What a decision costs depends on others: on the copies before it on the link, and on what is
 * recomputed from it. So all are decided in turn, the last map first, a few times.
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
#include "policies/opt/segments.h"

typedef struct vdnn_opt_prices {
    double *of_byte;   /* owned; (steps), seconds: forward, then backward from the last layer on */
    double of_link;    /* seconds that one of the link costs */
    double of_host;    /* seconds that a byte of the host tier costs */
    bool moves_params; /* decides for parameters, too */
    bool begins_with_segments; /* the cheapest ones (opt/segments.h), not what was decided before */
    int32_t steps;             /* twice the layers */
    double *sums;              /* owned; (steps + 1), of the prices before */
    int32_t *needs; /* owned; per map, the step of backward that needs it first; `steps`: none */
    vdnn_opt_segments segments;
} vdnn_opt_prices;

vdnn_status vdnn_opt_prices_init(vdnn_opt_prices *own, const vdnn_graph *graph);
void vdnn_opt_prices_fini(vdnn_opt_prices *own);

/* Decides anew what happens to each map, the algorithm of each pass and what is loaded when, with
 * `moves_params` also where parameters are; the rest stays. */
void vdnn_opt_prices_choose(vdnn_opt_prices *own, vdnn_opt_search *search,
                            vdnn_decisions *decisions);

#endif
