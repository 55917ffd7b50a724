#ifndef VDNN_POLICIES_OPT_FINDINGS_H
#define VDNN_POLICIES_OPT_FINDINGS_H

/* What no budget of the device changes, in the findings of a request: asked about some decisions
 * once, it is known when a smaller budget, or a larger one, is asked about.
 *
 *     graph, decisions --smaller---> decisions of a smaller arena, its bytes
 *                      --chain-----> the parts and chains with one chain more
 *                      --bound-----> the least bytes of the arena
 *                      --pack------> bytes of the arena
 *
 * Invariant: what is known is what would be found anew.
 * Threads: one.
 *
 *     const vdnn_opt_answer *known = vdnn_opt_findings_find(request, VDNN_OPT_PACKED, &decisions);
 *     if (known == NULL)
 *         status = vdnn_opt_findings_keep(request, VDNN_OPT_PACKED, &decisions, &answer);
 *     vdnn_policy_forget(request->findings);
 */

#include "policies/policy.h"

typedef enum vdnn_opt_question {
    VDNN_OPT_SMALLER, /* decisions, the next on the way down, and arena_bytes; NULL: none is smaller
                       */
    VDNN_OPT_LEAST,   /* arena_bytes, of which the plan has no fewer */
    VDNN_OPT_PACKED,  /* arena_bytes */
    VDNN_OPT_CHAIN    /* decisions, of which are only parts and chained; NULL: none is found; the
                         first of as many questions as there are rules (vdnn_opt_thrift) */
} vdnn_opt_question;

typedef struct vdnn_opt_answer {
    const vdnn_decisions *decisions; /* NULL: none */
    size_t arena_bytes;
    int64_t trials; /* that it took */
} vdnn_opt_answer;

/* NULL: it is not known, or the request has no findings. Lives as long as they do. */
const vdnn_opt_answer *vdnn_opt_findings_find(const vdnn_policy_request *request,
                                              vdnn_opt_question question,
                                              const vdnn_decisions *about);

/* Copies both; without findings it does nothing. */
vdnn_status vdnn_opt_findings_keep(const vdnn_policy_request *request, vdnn_opt_question question,
                                   const vdnn_decisions *about, const vdnn_opt_answer *answer);

#endif
