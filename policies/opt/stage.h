#ifndef VDNN_POLICIES_OPT_STAGE_H
#define VDNN_POLICIES_OPT_STAGE_H

/* A search in the network with its layers cut into parts, and chained, in one way.
 *
 *     as the file says --search--> best --bring--> in other parts, chained --search--> best ...
 *
 * Threads: one.
 *
 *     status = vdnn_opt_stage_find(request, &cut, trials, &stage);
 *     status = vdnn_opt_stage_bring(&earlier, &stage, &decisions);
 *     vdnn_opt_stage_fini(&stage);
 */

#include "policies/opt/search.h"

/* How layers are cut: each one's parts, and whether it is chained to the one before it
 * (vdnn_decisions.parts, .chained). */
typedef struct vdnn_opt_cut {
    int32_t *parts, *chained; /* owned; per layer */
} vdnn_opt_cut;

/* As in the graph, none chained. */
vdnn_status vdnn_opt_cut_init(vdnn_opt_cut *own, const vdnn_graph *graph);
void vdnn_opt_cut_fini(vdnn_opt_cut *own);

struct vdnn_opt_stage;

/* Of a list that is the same for the same best, so many were tried: the next turn goes on there. */
typedef struct vdnn_opt_tried {
    double seconds; /* of that best */
    int32_t count;
} vdnn_opt_tried;

/* 0 for another best. */
int32_t vdnn_opt_tried_of(const vdnn_opt_tried *own, double seconds);

/* As a stage is; whether it is as a stage is. */
void vdnn_opt_cut_take(vdnn_opt_cut *own, const struct vdnn_opt_stage *stage);
bool vdnn_opt_cut_is(const vdnn_opt_cut *own, const struct vdnn_opt_stage *stage);

typedef struct vdnn_opt_stage {
    vdnn_policy_request request; /* of the network as it is cut */
    vdnn_opt_search search;
    double oracle_seconds;  /* of the network as the file has it: no cut is faster; 0: unknown */
    vdnn_opt_tried changes; /* opt/speculation.h */
} vdnn_opt_stage;

/* As the request has it. */
vdnn_status vdnn_opt_stage_init(const vdnn_policy_request *request, vdnn_opt_stage *own);
/* Of a request with variants; `trials`: that were made before. */
vdnn_status vdnn_opt_stage_find(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                int64_t trials, vdnn_opt_stage *own);
/* In the parts and chains of decisions over such a network, which are its best if they fit. */
vdnn_status vdnn_opt_stage_as(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              int64_t trials, vdnn_opt_stage *own);
/* With the same best, to be searched apart. */
vdnn_status vdnn_opt_stage_copy(const vdnn_opt_stage *from, vdnn_opt_stage *own);
void vdnn_opt_stage_fini(vdnn_opt_stage *own);

/* Whether the layers of both are in the same parts and chains. */
bool vdnn_opt_stage_is_cut_like(const vdnn_opt_stage *own, const vdnn_opt_stage *other);

/* Whether its best takes longer than with unlimited memory: else no cut makes it better. */
bool vdnn_opt_stage_is_slowed(const vdnn_opt_stage *own);

/* The later stage takes the place of the earlier one, which is freed; its oracle stays. */
void vdnn_opt_stage_replace(vdnn_opt_stage *earlier, const vdnn_opt_stage *later);

/* Likewise, if its best takes less time; else it is freed. Whether it did. */
bool vdnn_opt_stage_take_better(vdnn_opt_stage *best, vdnn_opt_stage *other);

/* Makes decisions over the network of one stage decisions over that of another: the algorithms of
 * the same names, the parts and chains of the other. */
void vdnn_opt_stage_bring(const vdnn_opt_stage *from, const vdnn_opt_stage *to,
                          vdnn_decisions *decisions);

#endif
