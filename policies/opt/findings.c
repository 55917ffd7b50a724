#include "policies/opt/findings.h"

#include "runtime/base/heap.h"

typedef struct entry {
    vdnn_opt_question question;
    const vdnn_graph *graph; /* borrowed */
    vdnn_decisions about;    /* owned */
    vdnn_decisions held;     /* owned; the answer's, if it has any */
    vdnn_opt_answer answer;
    struct entry *next;
} entry;

static void forget(void *found)
{
    for (entry *own = found; own != NULL;) {
        entry *next = own->next;
        vdnn_decisions_fini(&own->about);
        vdnn_decisions_fini(&own->held);
        vdnn_heap_free(own);
        own = next;
    }
}

const vdnn_opt_answer *vdnn_opt_findings_find(const vdnn_policy_request *request,
                                              vdnn_opt_question question,
                                              const vdnn_decisions *about)
{
    const entry *own = request->findings == NULL ? NULL : request->findings->found;
    while (own != NULL && (own->question != question || own->graph != request->graph ||
                           !vdnn_decisions_same(&own->about, about)))
        own = own->next;
    return own == NULL ? NULL : &own->answer;
}

static vdnn_status fill(entry *own, const vdnn_decisions *about, const vdnn_opt_answer *answer)
{
    vdnn_status status = vdnn_decisions_copy(&own->about, about);
    own->answer = *answer;
    if (status == VDNN_OK && answer->decisions != NULL) {
        status = vdnn_decisions_copy(&own->held, answer->decisions);
        own->answer.decisions = &own->held;
    }
    return status;
}

vdnn_status vdnn_opt_findings_keep(const vdnn_policy_request *request, vdnn_opt_question question,
                                   const vdnn_decisions *about, const vdnn_opt_answer *answer)
{
    vdnn_policy_findings *findings = request->findings;
    if (findings == NULL)
        return VDNN_OK;
    entry *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to remember a plan");
    vdnn_status status = fill(fresh, about, answer);
    if (status != VDNN_OK) {
        forget(fresh);
        return status;
    }
    fresh->question = question;
    fresh->graph = request->graph;
    fresh->next = findings->found;
    *findings = (vdnn_policy_findings){fresh, forget};
    return VDNN_OK;
}
