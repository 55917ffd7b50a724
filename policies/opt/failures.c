#include "policies/opt/failures.h"

#include "runtime/base/heap.h"

bool vdnn_opt_failures_init(const vdnn_graph *graph, vdnn_opt_failures *own)
{
    const bool more_maps = graph->map_count > graph->layer_count;
    *own = (vdnn_opt_failures){.indexes = more_maps ? graph->map_count : graph->layer_count};
    own->list = vdnn_heap_calloc(VDNN_OPT_FAILURES_MOST, sizeof *own->list);
    own->before = vdnn_heap_calloc(VDNN_OPT_FAILURES_MOST, sizeof *own->before);
    own->last = vdnn_heap_calloc(VDNN_OPT_SUBJECTS * (size_t)own->indexes, sizeof *own->last);
    if (own->list == NULL || own->before == NULL || own->last == NULL)
        return false;
    vdnn_opt_failures_forget(own);
    return true;
}

void vdnn_opt_failures_fini(vdnn_opt_failures *own)
{
    vdnn_heap_free(own->list);
    vdnn_heap_free(own->before);
    vdnn_heap_free(own->last);
    *own = (vdnn_opt_failures){0};
}

static int *last_of(const vdnn_opt_failures *own, const vdnn_opt_move *move)
{
    return &own->last[(int)move->subject * own->indexes + move->index];
}

void vdnn_opt_failures_add(vdnn_opt_failures *own, const vdnn_opt_move *move)
{
    int *last = last_of(own, move);
    if (own->count == VDNN_OPT_FAILURES_MOST)
        return;
    own->list[own->count] = *move;
    own->before[own->count] = *last;
    *last = own->count++;
}

bool vdnn_opt_failures_have(const vdnn_opt_failures *own, const vdnn_opt_move *move)
{
    int i = *last_of(own, move);
    while (i >= 0 && !vdnn_opt_moves_are_same(&own->list[i], move))
        i = own->before[i];
    return i >= 0;
}

void vdnn_opt_failures_forget(vdnn_opt_failures *own)
{
    own->count = 0;
    for (int i = 0; i < VDNN_OPT_SUBJECTS * own->indexes; i++)
        own->last[i] = -1;
}
