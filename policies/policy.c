#include "policies/policy.h"

vdnn_status vdnn_policy_last_set(vdnn_policy_last *last, const vdnn_decisions *decisions)
{
    vdnn_policy_last_fini(last);
    vdnn_status status = vdnn_decisions_copy(&last->decisions, decisions);
    last->is_known = status == VDNN_OK;
    return status;
}

void vdnn_policy_last_fini(vdnn_policy_last *last)
{
    if (last->is_known)
        vdnn_decisions_fini(&last->decisions);
    last->is_known = false;
}
