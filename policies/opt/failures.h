#ifndef VDNN_POLICIES_OPT_FAILURES_H
#define VDNN_POLICIES_OPT_FAILURES_H

/* The moves of a descent that did not help when they were tried last. They are left out until no
 * other one helps: of a network of hundreds of layers most moves help nothing at a given peak.
 *
 *     last[map 3] -> offload later -> offload in pieces -> none
 *
 * Invariant: at most VDNN_OPT_FAILURES_MOST; further ones are tried again.
 * Threads: one.
 *
 *     if (!vdnn_opt_failures_init(graph, &failed)) ...  // no memory; fini frees what there is
 *     vdnn_opt_failures_add(&failed, &move);
 *     if (!vdnn_opt_failures_have(&failed, &other)) ...
 *     vdnn_opt_failures_forget(&failed);
 *     vdnn_opt_failures_fini(&failed);
 */

#include "policies/opt/moves.h"

enum { VDNN_OPT_FAILURES_MOST = 4096 };

typedef struct vdnn_opt_failures {
    vdnn_opt_move *list; /* owned */
    int *before; /* owned; of each the one before it that decides something of the same; -1: none */
    int *last;   /* owned; by subject and index, the last of these */
    int count;   /* of the list */
    int indexes; /* of a subject: as many as there are maps, or layers */
} vdnn_opt_failures;

/* False: there is no memory; what there is, fini frees. */
bool vdnn_opt_failures_init(const vdnn_graph *graph, vdnn_opt_failures *own);
void vdnn_opt_failures_fini(vdnn_opt_failures *own);

void vdnn_opt_failures_add(vdnn_opt_failures *own, const vdnn_opt_move *move);
bool vdnn_opt_failures_have(const vdnn_opt_failures *own, const vdnn_opt_move *move);
void vdnn_opt_failures_forget(vdnn_opt_failures *own);

#endif
