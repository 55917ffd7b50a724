#include "runtime/planner/workbench/workbench.h"

#include "runtime/planner/estimate.h"
#include "runtime/planner/lifetime.h"
#include "runtime/planner/packer.h"
#include "runtime/planner/reuse.h"
#include "runtime/planner/steps/emit.h"

#include <string.h>

/* ---- steps ----------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static vdnn_status make_empty_plan(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                   bool training, vdnn_plan *plan)
{
    vdnn_region *region = &bench->builder.region;
    size_t layers = (size_t)bench->graph->layer_count;
    *plan = (vdnn_plan){.graph = bench->graph,
                        .policy = decisions->policy,
                        .algo = decisions->algo,
                        .training = training,
                        .release = decisions->release,
                        .updates = decisions->updates,
                        .copies = decisions->copies,
                        .loads = decisions->loads};
    plan->param_buffer = vdnn_region_take(region, layers, sizeof *plan->param_buffer);
    plan->state_buffer = vdnn_region_take(region, layers, sizeof *plan->state_buffer);
    plan->ahead = vdnn_region_take(region, (size_t)plan->graph->input_count, sizeof *plan->ahead);
    plan->maps = vdnn_region_take(region, (size_t)bench->graph->map_count, sizeof *plan->maps);
    plan->params = vdnn_region_take(region, layers, sizeof *plan->params);
    plan->algorithms = vdnn_region_zeros(region, layers, sizeof *plan->algorithms);
    plan->workspace_bytes = vdnn_region_zeros(region, layers, sizeof *plan->workspace_bytes);
    plan->forward_seconds = vdnn_region_zeros(region, layers, sizeof *plan->forward_seconds);
    plan->backward_seconds = vdnn_region_zeros(region, layers, sizeof *plan->backward_seconds);
    return vdnn_builder_status(&bench->builder);
}

static void note_decisions(const vdnn_workbench *bench, const vdnn_decisions *decisions,
                           vdnn_plan *plan)
{
    const vdnn_graph *graph = bench->graph;
    memcpy(plan->maps, decisions->maps, (size_t)graph->map_count * sizeof *plan->maps);
    memcpy(plan->params, decisions->params, (size_t)graph->layer_count * sizeof *plan->params);
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *choice =
                vdnn_decisions_choice(decisions, bench->profile, l, (vdnn_pass)p);
            if (choice == NULL)
                continue;
            plan->algorithms[l][p] = choice->algorithm;
            plan->workspace_bytes[l] =
                larger(plan->workspace_bytes[l],
                       larger(choice->workspace_bytes, choice->lesser_workspace_bytes));
        }
}

/* Everything that addresses depend on: the steps and the lifetimes. */
static vdnn_status order_steps(vdnn_workbench *bench, const vdnn_decisions *decisions,
                               bool training, vdnn_plan *plan)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_builder_begin(builder, bench->graph->zone_bytes);
    vdnn_status status = make_empty_plan(bench, decisions, training, plan);
    if (status != VDNN_OK)
        return status;
    note_decisions(bench, decisions, plan);
    status = vdnn_emit_steps(builder, bench->graph, bench->profile, decisions, training, plan);
    if (status == VDNN_OK)
        status = vdnn_lifetime_clocks(builder);
    if (status == VDNN_OK)
        status = vdnn_lifetime_compute(builder, decisions->sync == VDNN_SYNC_BY_NEED);
    return status;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The buffers of one tier as the packer's items. */
typedef struct tier_items {
    vdnn_packer_item *items;
    int32_t count;
} tier_items;

static vdnn_status list_items(vdnn_builder *builder, vdnn_tier tier, tier_items *list)
{
    int32_t last_end = 0;
    *list = (tier_items){
        vdnn_region_take(&builder->region, (size_t)builder->buffer_count, sizeof *list->items), 0};
    vdnn_status status = vdnn_builder_status(builder);
    if (status != VDNN_OK)
        return status;
    for (int32_t b = 0; b < builder->buffer_count; b++)
        last_end = builder->lifetimes[b].end > last_end ? builder->lifetimes[b].end : last_end;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        const vdnn_lifetime *life = &builder->lifetimes[b];
        const vdnn_buffer *buffer = &builder->buffers[b];
        if (buffer->tier == tier)
            list->items[list->count++] = (vdnn_packer_item){
                .start = life->start,
                .end = life->end,
                .pinned = life->start == 0 && life->end == last_end,
                .bytes = vdnn_plan_span_bytes(buffer->bytes, builder->zone_bytes)};
    }
    return VDNN_OK;
}

/* Offsets of the buffers of one tier; *span_bytes is the highest end. */
static vdnn_status pack_tier(vdnn_builder *builder, vdnn_tier tier, size_t *span_bytes)
{
    tier_items list;
    vdnn_status status = list_items(builder, tier, &list);
    if (status == VDNN_OK)
        status = vdnn_packer_pack(&builder->region, list.items, list.count,
                                  vdnn_tier_alignment(tier), span_bytes);
    if (status != VDNN_OK)
        return status;
    const vdnn_packer_item *item = list.items;
    for (int32_t b = 0; b < builder->buffer_count; b++)
        if (builder->buffers[b].tier == tier)
            builder->buffers[b].offset = item++->offset;
    return VDNN_OK;
}

static vdnn_status bound_tier(vdnn_builder *builder, vdnn_tier tier, size_t *span_bytes)
{
    tier_items list;
    vdnn_status status = list_items(builder, tier, &list);
    if (status == VDNN_OK)
        status = vdnn_packer_least(&builder->region, list.items, list.count,
                                   vdnn_tier_alignment(tier), span_bytes);
    return status;
}

static vdnn_status fits_tier(vdnn_builder *builder, vdnn_tier tier, size_t bytes, bool *fits)
{
    tier_items list;
    vdnn_status status = list_items(builder, tier, &list);
    if (status == VDNN_OK)
        status = vdnn_packer_fits(&builder->region, list.items, list.count,
                                  vdnn_tier_alignment(tier), bytes, fits);
    return status;
}

/* ---- plans ----------------------------------------------------------------------------------- */

vdnn_status vdnn_workbench_plan(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                bool training, vdnn_plan *plan)
{
    vdnn_builder *builder = &bench->builder;
    bool by_need = decisions->sync == VDNN_SYNC_BY_NEED;
    vdnn_status status = order_steps(bench, decisions, training, plan);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = pack_tier(builder, (vdnn_tier)tier, &plan->span_bytes[tier]);
    if (status == VDNN_OK && by_need)
        status = vdnn_reuse_order(builder);
    if (status == VDNN_OK && by_need)
        status = vdnn_lifetime_compute(builder, false);
    if (status == VDNN_OK)
        status = vdnn_builder_finish(builder, plan);
    if (status == VDNN_OK)
        status = vdnn_estimate_fill(builder, bench->profile, plan);
    return status;
}

vdnn_status vdnn_workbench_bound(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 vdnn_plan *plan)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_status status = order_steps(bench, decisions, true, plan);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = bound_tier(builder, (vdnn_tier)tier, &plan->span_bytes[tier]);
    if (status == VDNN_OK)
        status = vdnn_builder_finish_steps(builder, plan);
    if (status == VDNN_OK)
        status = vdnn_estimate_bound(builder, bench->profile, plan);
    return status;
}

vdnn_status vdnn_workbench_fits(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                const size_t most_bytes[VDNN_TIER_COUNT], bool *fits)
{
    vdnn_plan plan;
    vdnn_status status = order_steps(bench, decisions, true, &plan);
    *fits = status == VDNN_OK;
    for (int tier = 0; tier < VDNN_TIER_COUNT && *fits && status == VDNN_OK; tier++)
        if (most_bytes[tier] < SIZE_MAX)
            status = fits_tier(&bench->builder, (vdnn_tier)tier, most_bytes[tier], fits);
    return status;
}

void vdnn_workbench_fini(vdnn_workbench *bench)
{
    vdnn_builder_fini(&bench->builder);
}
