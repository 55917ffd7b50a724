#include "runtime/planner/planner.h"

#include "runtime/base/heap.h"
#include "runtime/planner/emit.h"
#include "runtime/planner/estimate.h"
#include "runtime/planner/lifetime.h"
#include "runtime/planner/packer.h"
#include "runtime/planner/reuse.h"

#include <string.h>

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static vdnn_status make_empty_plan(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                   bool training, vdnn_plan **plan)
{
    size_t layers = (size_t)graph->layer_count;
    vdnn_plan *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan");
    made->graph = graph;
    made->policy = decisions->policy;
    made->algo = decisions->algo;
    made->training = training;
    made->release = decisions->release;
    made->updates = decisions->updates;
    made->copies = decisions->copies;
    made->loads = decisions->loads;
    made->param_buffer = vdnn_heap_calloc(layers, sizeof *made->param_buffer);
    made->state_buffer = vdnn_heap_calloc(layers, sizeof *made->state_buffer);
    made->maps = vdnn_heap_calloc((size_t)graph->map_count, sizeof *made->maps);
    made->params = vdnn_heap_calloc(layers, sizeof *made->params);
    made->algorithms = vdnn_heap_calloc(layers, sizeof *made->algorithms);
    made->workspace_bytes = vdnn_heap_calloc(layers, sizeof *made->workspace_bytes);
    made->forward_seconds = vdnn_heap_calloc(layers, sizeof *made->forward_seconds);
    made->backward_seconds = vdnn_heap_calloc(layers, sizeof *made->backward_seconds);
    if (made->param_buffer == NULL || made->state_buffer == NULL || made->maps == NULL ||
        made->params == NULL || made->algorithms == NULL || made->workspace_bytes == NULL ||
        made->forward_seconds == NULL || made->backward_seconds == NULL) {
        vdnn_plan_destroy(made);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %zu layers", layers);
    }
    memcpy(made->params, decisions->params, layers * sizeof *made->params);
    *plan = made;
    return VDNN_OK;
}

/* The buffers of one tier as the packer's items; returns their number. The caller frees *items. */
static vdnn_status list_items(const vdnn_builder *builder, vdnn_tier tier, vdnn_packer_item **items,
                              int32_t *item_count)
{
    vdnn_packer_item *list = vdnn_heap_calloc((size_t)builder->buffer_count + 1, sizeof *list);
    int32_t count = 0, last_end = 0;
    if (list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers",
                                (int)builder->buffer_count);
    for (int32_t b = 0; b < builder->buffer_count; b++)
        last_end = builder->lifetimes[b].end > last_end ? builder->lifetimes[b].end : last_end;
    for (int32_t b = 0; b < builder->buffer_count; b++)
        if (builder->buffers[b].tier == tier) {
            bool whole_step =
                builder->lifetimes[b].start == 0 && builder->lifetimes[b].end == last_end;
            list[count++] = (vdnn_packer_item){
                .start = builder->lifetimes[b].start,
                .end = builder->lifetimes[b].end,
                .pinned = whole_step,
                .bytes = vdnn_plan_span_bytes(builder->buffers[b].bytes, builder->zone_bytes)};
        }
    *items = list;
    *item_count = count;
    return VDNN_OK;
}

/* Offsets of the buffers of one tier; *span_bytes is the highest end. */
static vdnn_status pack_tier(vdnn_builder *builder, vdnn_tier tier, size_t *span_bytes)
{
    vdnn_packer_item *items = NULL;
    int32_t count = 0, next = 0;
    vdnn_status status = list_items(builder, tier, &items, &count);
    if (status == VDNN_OK)
        status = vdnn_packer_pack(items, count, vdnn_tier_alignment(tier), span_bytes);
    for (int32_t b = 0; b < builder->buffer_count && status == VDNN_OK; b++)
        if (builder->buffers[b].tier == tier)
            builder->buffers[b].offset = items[next++].offset;
    vdnn_heap_free(items);
    return status;
}

static void note_decisions(const vdnn_graph *graph, const vdnn_profile *profile,
                           const vdnn_decisions *decisions, vdnn_plan *plan)
{
    memcpy(plan->maps, decisions->maps, (size_t)graph->map_count * sizeof *plan->maps);
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *choice = vdnn_decisions_choice(decisions, profile, l, (vdnn_pass)p);
            if (choice == NULL)
                continue;
            plan->algorithms[l][p] = choice->algorithm;
            plan->workspace_bytes[l] =
                larger(plan->workspace_bytes[l],
                       larger(choice->workspace_bytes, choice->lesser_workspace_bytes));
        }
}

/* Everything that addresses depend on: the steps and the lifetimes. */
static vdnn_status order_steps(vdnn_builder *builder, const vdnn_graph *graph,
                               const vdnn_profile *profile, const vdnn_decisions *decisions,
                               bool training, vdnn_plan **plan)
{
    vdnn_builder_init(builder);
    builder->zone_bytes = graph->zone_bytes;
    vdnn_status status = make_empty_plan(graph, decisions, training, plan);
    if (status == VDNN_OK)
        status = vdnn_emit_steps(builder, graph, profile, decisions, training, *plan);
    if (status == VDNN_OK)
        status = vdnn_lifetime_clocks(builder);
    if (status == VDNN_OK)
        status = vdnn_lifetime_compute(builder, decisions->sync == VDNN_SYNC_BY_NEED);
    return status;
}

static vdnn_status build(const vdnn_graph *graph, const vdnn_profile *profile,
                         const vdnn_decisions *decisions, bool training, vdnn_plan **plan)
{
    vdnn_plan *made = NULL;
    vdnn_builder builder;
    bool by_need = decisions->sync == VDNN_SYNC_BY_NEED;
    vdnn_status status = order_steps(&builder, graph, profile, decisions, training, &made);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = pack_tier(&builder, (vdnn_tier)tier, &made->span_bytes[tier]);
    if (status == VDNN_OK && by_need)
        status = vdnn_reuse_order(&builder);
    if (status == VDNN_OK && by_need)
        status = vdnn_lifetime_compute(&builder, false);
    if (status == VDNN_OK)
        status = vdnn_builder_finish(&builder, made);
    if (status == VDNN_OK) {
        note_decisions(graph, profile, decisions, made);
        status = vdnn_estimate_fill(&builder, profile, made);
    }
    vdnn_builder_fini(&builder);
    if (status != VDNN_OK) {
        vdnn_plan_destroy(made);
        return status;
    }
    *plan = made;
    return VDNN_OK;
}

vdnn_status vdnn_planner_plan(const vdnn_graph *graph, const vdnn_profile *profile,
                              const vdnn_decisions *decisions, vdnn_plan **plan)
{
    return build(graph, profile, decisions, true, plan);
}

vdnn_status vdnn_planner_fits(const vdnn_graph *graph, const vdnn_profile *profile,
                              const vdnn_decisions *decisions, vdnn_tier tier, size_t bytes,
                              bool *fits)
{
    vdnn_plan *plan = NULL;
    vdnn_packer_item *items = NULL;
    int32_t count = 0;
    vdnn_builder builder;
    vdnn_status status = order_steps(&builder, graph, profile, decisions, true, &plan);
    if (status == VDNN_OK)
        status = list_items(&builder, tier, &items, &count);
    if (status == VDNN_OK)
        status = vdnn_packer_fits(items, count, vdnn_tier_alignment(tier), bytes, fits);
    vdnn_heap_free(items);
    vdnn_builder_fini(&builder);
    vdnn_plan_destroy(plan);
    return status;
}

vdnn_status vdnn_planner_plan_evaluation(const vdnn_graph *graph, const vdnn_profile *profile,
                                         const vdnn_plan *training, vdnn_plan **plan)
{
    vdnn_decisions decisions;
    vdnn_status status = vdnn_decisions_init(&decisions, graph);
    if (status != VDNN_OK)
        return status;
    decisions.policy = training->policy;
    decisions.algo = training->algo;
    decisions.copies = training->copies;
    decisions.loads = training->loads;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_algorithm *algorithm = training->algorithms[l][VDNN_FORWARD];
        if (algorithm == NULL) /* done by the layer before it */
            continue;
        int32_t choice = vdnn_profile_find(profile, l, VDNN_FORWARD, algorithm->name);
        decisions.choice[l][VDNN_FORWARD] = choice < 0 ? 0 : choice;
    }
    memcpy(decisions.params, training->params,
           (size_t)graph->layer_count * sizeof *decisions.params);
    status = build(graph, profile, &decisions, false, plan);
    vdnn_decisions_fini(&decisions);
    return status;
}
