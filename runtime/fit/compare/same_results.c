#include "runtime/fit/compare/same_results.h"

#include <string.h>

static const struct {
    const char *text, *json;
} names[VDNN_RESULTS_COUNT] = {
#define X(name, text, json) [VDNN_RESULTS_##name] = {text, json},
    VDNN_RESULTS_TABLE(X)
#undef X
};

const char *vdnn_results_text(vdnn_results results)
{
    return names[results].text;
}

const char *vdnn_results_json(vdnn_results results)
{
    return names[results].json;
}

/* Whoever computes the layer's pass: a fused relu is part of the layer before it. */
static const char *algorithm_of(const vdnn_plan *plan, int32_t layer, int pass)
{
    const int32_t doer = pass == VDNN_FORWARD
                             ? vdnn_graph_writer(plan->graph, plan->graph->layers[layer].output)
                             : layer;
    const vdnn_algorithm *algorithm = plan->algorithms[doer][pass];
    return algorithm == NULL ? "" : algorithm->name;
}

/* -1: there is no such layer. */
static int32_t layer_called(const vdnn_graph *graph, const char *name)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (strcmp(graph->layers[l].name, name) == 0)
            return l;
    return -1;
}

/* Conversions, which are internal, only move values. */
static bool computes_alike(const vdnn_plan *asked, int32_t layer, const vdnn_plan *other)
{
    const vdnn_layer *own = &asked->graph->layers[layer];
    if (own->def->internal)
        return true;
    const int32_t same = layer_called(other->graph, own->name);
    if (same < 0 ||
        vdnn_graph_part_count(asked->graph, layer) != vdnn_graph_part_count(other->graph, same))
        return false;
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        if (strcmp(algorithm_of(asked, layer, pass), algorithm_of(other, same, pass)) != 0)
            return false;
    return true;
}

vdnn_results vdnn_results_of(const vdnn_plan *asked, const vdnn_plan *other)
{
    const vdnn_graph *a = asked->graph, *b = other->graph;
    if (a->step_batch != b->step_batch || a->batch != b->batch)
        return VDNN_RESULTS_BATCH;
    if (a->dtype != b->dtype)
        return VDNN_RESULTS_ARITHMETIC;
    if (a->micro_batches != b->micro_batches)
        return VDNN_RESULTS_LAST_BITS;
    for (int32_t l = 0; l < a->layer_count; l++)
        if (!computes_alike(asked, l, other))
            return VDNN_RESULTS_LAST_BITS;
    return VDNN_RESULTS_SAME;
}
