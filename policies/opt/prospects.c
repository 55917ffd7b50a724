#include "policies/opt/prospects.h"

void vdnn_opt_prospects_reach(vdnn_opt_prospects *own, const vdnn_trial *trial, int i)
{
    for (int k; (k = vdnn_opt_search_next_expected(trial, i, own->count, &own->next)) >= 0;) {
        vdnn_decisions_assign(own->scratch, own->from);
        vdnn_opt_moves_make(&own->list[k], own->scratch);
        trial->expect(trial, own->scratch, own->limit_bytes);
    }
}
