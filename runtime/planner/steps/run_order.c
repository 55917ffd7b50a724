#include "runtime/planner/steps/run_order.h"

enum { NONE = -1 };

static int32_t layers_of(vdnn_chain of)
{
    return of.end - of.begin;
}

static int32_t forward_groups(vdnn_chain of)
{
    return of.is_tail ? 0 : layers_of(of) == 1 ? 1 : of.parts * layers_of(of);
}

vdnn_chain *vdnn_run_order_chains(vdnn_region *region, const vdnn_graph *graph,
                                  const vdnn_decisions *decisions, bool training)
{
    vdnn_chain *chains = vdnn_region_take(region, (size_t)graph->layer_count, sizeof *chains), of;
    int32_t groups = 0;
    for (int32_t begin = 0; begin < graph->layer_count && chains != NULL; begin = of.end) {
        of = (vdnn_chain){begin, vdnn_decisions_chain_end(decisions, begin),
                          vdnn_graph_part_count(graph, begin),
                          training && begin == vdnn_decisions_tail_begin(decisions), groups};
        groups += forward_groups(of);
        for (int32_t l = begin; l < of.end; l++)
            chains[l] = of;
    }
    return chains;
}

int32_t vdnn_run_order_count(vdnn_chain of, vdnn_pass half)
{
    const int32_t runs = of.parts * layers_of(of);
    if (of.is_tail)
        return half == VDNN_FORWARD ? 0 : 2 * runs;
    return runs;
}

vdnn_run vdnn_run_order_at(vdnn_chain of, vdnn_pass half, int32_t i)
{
    const int32_t layers = layers_of(of), in_turn = of.is_tail ? 2 * layers : layers,
                  part = i / in_turn, at = i % in_turn;
    if (half == VDNN_FORWARD)
        return (vdnn_run){of.begin + at, part, half, i == 0 || layers > 1};
    if (of.is_tail && at < layers)
        return (vdnn_run){of.begin + at, part, VDNN_FORWARD, true};
    return (vdnn_run){of.end - 1 - at % layers, part, half, i == 0 || of.is_tail};
}

/* How many runs of a tail are before that in which what is decided for a layer leaves. */
static int32_t runs_before(vdnn_chain tail, int32_t layer)
{
    return (layer - tail.begin) * tail.parts;
}

int32_t vdnn_run_order_leaving_group(vdnn_chain of, int32_t layer)
{
    return of.forward_group + (of.is_tail ? runs_before(of, layer) : forward_groups(of) - 1);
}

int32_t vdnn_run_order_leaving_group_of_part(vdnn_chain of, int32_t layer, int32_t part,
                                             int32_t ahead, int32_t last_reader)
{
    const int32_t layers = layers_of(of), later = part + ahead;
    if (layer < of.end)
        return of.forward_group + part * layers + layer - of.begin;
    if (later >= of.parts)
        return of.forward_group + of.parts * layers - 1 + later - of.parts;
    return of.forward_group + later * layers + last_reader - of.begin;
}

int32_t vdnn_run_order_returning_in(vdnn_chain tail, int32_t i)
{
    const int32_t left = vdnn_run_order_count(tail, VDNN_BACKWARD_DATA) - 1 - i,
                  layer = tail.begin + left / tail.parts;
    return layer < tail.end && left == runs_before(tail, layer) ? layer : NONE;
}
