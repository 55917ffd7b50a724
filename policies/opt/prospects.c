#include "policies/opt/prospects.h"

void vdnn_opt_prospects_reach(vdnn_opt_prospects *own, const vdnn_trial *trial, int i)
{
    if (own->next <= i)
        own->next = i + 1;
    for (; own->next < own->count && own->next <= i + trial->reach; own->next++) {
        vdnn_decisions_assign(own->scratch, own->from);
        vdnn_opt_moves_make(&own->list[own->next], own->scratch);
        trial->expect(trial, own->scratch, own->limit_bytes);
    }
}
