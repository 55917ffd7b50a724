#ifndef VDNN_POLICIES_OPT_PARTS_WISHES_H
#define VDNN_POLICIES_OPT_PARTS_WISHES_H

/* What would make a plan faster if memory had no end: what it is worth, and what it leads to.
 *
 *     a map       kept, or offloaded, whole or some of its pieces, that is recomputed
 *     a chain     in fewer parts, or as a whole; or split in two, one of them in half its parts
 *     a tail      begins later
 *
 * Threads: one.
 *
 *     status = vdnn_opt_wishes_find(&request, &best, &wishes);
 *     status = vdnn_opt_wishes_grant(&wishes, &wishes.list[0], &attempt); // in whatever memory
 *     vdnn_opt_wishes_fini(&wishes);
 */

#include "policies/opt/parts/attempt.h"

/* Either a map, kept, or offloaded, whole or in part; or layers in so many parts, behind some that
 * then run as a whole. */
typedef struct vdnn_opt_wished {
    int32_t map; /* -1: none */
    vdnn_action action;
    int32_t recomputed; /* of its pieces, within its chain */
    vdnn_opt_chain of;
    int32_t whole; /* the layers right before it */
    bool splits;   /* the chain that they are of: its other layers stay in their parts */
    double worth;  /* seconds that it may save, for each byte that then has to go */
} vdnn_opt_wished;

typedef struct vdnn_opt_wishes {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_opt_stage *best;               /* borrowed */
    vdnn_opt_cut cut;                   /* scratch */
    vdnn_opt_wished *list;              /* owned; what is worth the most comes first */
    int32_t count;
} vdnn_opt_wishes;

/* Of the best plan of a stage, whose search counts the trials. To be finished in any case. */
vdnn_status vdnn_opt_wishes_find(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                 vdnn_opt_wishes *own);
void vdnn_opt_wishes_fini(vdnn_opt_wishes *own);

/* The best plan with what is wished for, whatever memory it takes. */
vdnn_status vdnn_opt_wishes_grant(vdnn_opt_wishes *own, const vdnn_opt_wished *of,
                                  vdnn_opt_attempt *to);

#endif
