#include "policies/opt/ruin.h"

#include "policies/opt/climb.h"
#include "policies/opt/starts.h"
#include "runtime/base/numbers/random.h"

static const uint64_t KEY = 22;

/* Layers first to last - 1. */
typedef struct stretch {
    int32_t first, last;
} stretch;

/* Up to a fourth of the layers, or an eighth, or a sixteenth. */
static stretch draw_stretch(const vdnn_graph *graph, uint32_t round)
{
    uint32_t bits[4], counter[4] = {0, round, 0, 0};
    vdnn_random_philox(KEY, counter, bits);
    const uint32_t layers = (uint32_t)graph->layer_count, most = layers / (4U << bits[2] % 3) + 1,
                   first = bits[1] % layers, last = first + 1 + bits[0] % most;
    return (stretch){(int32_t)first, (int32_t)(last < layers ? last : layers)};
}

/* As if memory had no limit, but for what chains need in pieces. */
static void undo(const vdnn_opt_search *own, const stretch *of, vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->request->graph;
    for (int32_t m = 0; m < graph->map_count; m++) {
        const int32_t writer = graph->maps[m].first_writer;
        vdnn_map_decision *at = &decisions->maps[m];
        const bool moves = at->action == VDNN_OFFLOAD || at->action == VDNN_RECOMPUTE;
        if (moves && !at->pieces && writer >= of->first && writer < of->last)
            *at = (vdnn_map_decision){.action = VDNN_KEEP, .gradient = at->gradient};
    }
    for (int32_t l = of->first; l < of->last; l++) {
        decisions->params[l] = (vdnn_params_decision){.action = VDNN_KEEP};
        vdnn_opt_choose_fastest_of(own->request, l, decisions);
    }
}

static vdnn_status ruin_once(vdnn_opt_search *own, uint32_t round, vdnn_decisions *scratch)
{
    vdnn_decisions_assign(scratch, &own->best);
    const stretch of = draw_stretch(own->request->graph, round);
    undo(own, &of, scratch);
    own->trials++; /* also of one that needs none, so that patience ends */
    own->noise = round + 1;
    vdnn_status status = vdnn_opt_climb_from(own, scratch);
    own->noise = 0;
    return status;
}

vdnn_status vdnn_opt_ruin(vdnn_opt_search *own)
{
    vdnn_decisions scratch;
    vdnn_status status = vdnn_decisions_copy(&scratch, &own->best);
    if (status != VDNN_OK)
        return status;
    for (uint32_t round = (uint32_t)own->trials; status == VDNN_OK && vdnn_opt_search_lasts(own);
         round++)
        status = ruin_once(own, round, &scratch);
    vdnn_decisions_fini(&scratch);
    return status;
}
