#include "runtime/planner/workbench/workbench.h"

#include "runtime/planner/bound/bound.h"
#include "runtime/planner/estimate.h"
#include "runtime/planner/lifetime.h"
#include "runtime/planner/packer/packer.h"
#include "runtime/planner/reuse.h"
#include "runtime/planner/room.h"
#include "runtime/planner/steps/emit.h"

#include <string.h>

/* About what a plan takes of the builder's memory: chains take less. */
enum { BYTES_PER_LAYER = 8 * 1024 };

/* Of a part of a layer, in each micro-batch: forward, two passes of backward, a copy or update. */
enum { STEPS_PER_PART = 4 };

/* Bits of vdnn_workbench.asked. */
enum { ORDERED = 1, BOUND = 2, EXCESS = 4, PACKED = 8 };

/* ---- steps ----------------------------------------------------------------------------------- */

static vdnn_status take_decisions(vdnn_workbench *bench, const vdnn_decisions *decisions)
{
    if (bench->decisions.maps == NULL)
        return vdnn_decisions_copy(&bench->decisions, decisions);
    vdnn_decisions_assign(&bench->decisions, decisions);
    return VDNN_OK;
}

static int64_t expected_steps(const vdnn_graph *graph)
{
    int64_t parts = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        parts += vdnn_graph_part_count(graph, l);
    return STEPS_PER_PART * parts * graph->micro_batches;
}

static vdnn_status begin_plan(vdnn_workbench *bench, const vdnn_decisions *decisions, bool training)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_plan *plan = &bench->plan;
    size_t layers = (size_t)bench->graph->layer_count, inputs = (size_t)bench->graph->input_count;
    VDNN_TRY(take_decisions(bench, decisions));
    vdnn_packings_pass_on(bench->packings, &builder->region);
    vdnn_region_expect(&builder->region, layers * BYTES_PER_LAYER);
    vdnn_builder_begin(builder, bench->graph->zone_bytes);
    vdnn_builder_expect(builder, expected_steps(bench->graph));
    *plan = (vdnn_plan){.graph = bench->graph,
                        .policy = decisions->policy,
                        .algo = decisions->algo,
                        .training = training,
                        .release = decisions->release,
                        .sync = decisions->sync,
                        .updates = decisions->updates,
                        .copies = decisions->copies,
                        .loads = decisions->loads,
                        .load_layer = decisions->load_layer,
                        .buckets = decisions->buckets,
                        .chained = bench->decisions.chained};
    plan->param_buffer = vdnn_region_take(&builder->region, layers, sizeof *plan->param_buffer);
    plan->state_buffer = vdnn_region_take(&builder->region, layers, sizeof *plan->state_buffer);
    plan->ahead = vdnn_region_take(&builder->region, inputs, sizeof *plan->ahead);
    plan->arrived = vdnn_region_take(&builder->region, inputs, sizeof *plan->arrived);
    return vdnn_builder_status(builder);
}

/* Of what is loaded late: its input's; 0: it has no place in which something else was. */
static int32_t place_of(const vdnn_workbench *bench, int32_t buffer)
{
    const vdnn_plan *plan = &bench->plan;
    int32_t input = plan->loads == VDNN_LOADS_LATE ? plan->graph->input_count : 0;
    while (input > 0 && plan->ahead[input - 1] != buffer && plan->arrived[input - 1] != buffer)
        input--;
    return input;
}

static vdnn_status list_items(vdnn_workbench *bench)
{
    const vdnn_builder *builder = &bench->builder;
    int32_t last_end = 0, counts[VDNN_TIER_COUNT] = {0};
    vdnn_packer_item *items =
        vdnn_region_take(&bench->builder.region, (size_t)builder->buffer_count, sizeof *items);
    if (items == NULL)
        return vdnn_builder_status(builder);
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        last_end = builder->lifetimes[b].end > last_end ? builder->lifetimes[b].end : last_end;
        counts[builder->buffers[b].tier]++;
    }
    for (int t = 0; t < VDNN_TIER_COUNT; t++) {
        bench->tiers[t] = (vdnn_tier_items){items, 0};
        items += counts[t];
    }
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        const vdnn_lifetime *life = &builder->lifetimes[b];
        const vdnn_buffer *buffer = &builder->buffers[b];
        vdnn_tier_items *of = &bench->tiers[buffer->tier];
        of->items[of->count++] =
            (vdnn_packer_item){.start = life->start,
                               .end = life->end,
                               .pinned = life->start == 0 && life->end == last_end,
                               .place = place_of(bench, b),
                               .bytes = vdnn_plan_span_bytes(buffer->bytes, builder->zone_bytes)};
    }
    return VDNN_OK;
}

/* Everything that addresses depend on: the steps and the lifetimes. */
static vdnn_status order_steps(vdnn_workbench *bench, const vdnn_decisions *decisions,
                               bool training)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_status status = begin_plan(bench, decisions, training);
    VDNN_IF_OK(status, vdnn_emit_steps(builder, bench->graph, bench->profile, &bench->decisions,
                                       training, &bench->plan));
    VDNN_IF_OK(status, vdnn_lifetime_clocks(builder));
    VDNN_IF_OK(status, vdnn_lifetime_compute(builder, decisions->sync == VDNN_SYNC_BY_NEED));
    return status == VDNN_OK ? list_items(bench) : status;
}

/* Orders the steps, unless that is done and this was not asked since: what is made behind them
 * takes memory until they are ordered anew, or until another bench has it. */
static vdnn_status ask(vdnn_workbench *bench, const vdnn_decisions *decisions, bool training,
                       unsigned asked)
{
    bool is_ordered = bench->asked != 0 && bench->builder.region.top != NULL &&
                      bench->plan.training == training &&
                      vdnn_decisions_same(&bench->decisions, decisions);
    vdnn_status status = VDNN_OK;
    if (!is_ordered || (bench->asked & asked) != 0) {
        bench->asked = 0;
        status = order_steps(bench, decisions, training);
    }
    if (status == VDNN_OK)
        bench->asked |= ORDERED | asked;
    return status;
}

/* What failed is begun anew. */
static vdnn_status answer(vdnn_workbench *bench, vdnn_status status)
{
    if (status != VDNN_OK)
        bench->asked = 0;
    return status;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void give_offsets(vdnn_workbench *bench)
{
    const vdnn_packer_item *next[VDNN_TIER_COUNT];
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        next[tier] = bench->tiers[tier].items;
    for (int32_t b = 0; b < bench->builder.buffer_count; b++) {
        vdnn_buffer *buffer = &bench->builder.buffers[b];
        buffer->offset = next[buffer->tier]++->offset;
    }
}

/* Once for the steps that are ordered. */
static vdnn_status pack(vdnn_workbench *bench, const vdnn_decisions *decisions, bool training)
{
    vdnn_status status = ask(bench, decisions, training, 0);
    if (status != VDNN_OK || (bench->asked & PACKED) != 0)
        return status;
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++)
        status = vdnn_packings_pack(bench->packings, &bench->builder.region, bench->tiers[t].items,
                                    bench->tiers[t].count, vdnn_tier_alignment((vdnn_tier)t),
                                    &bench->plan.span_bytes[t]);
    if (status == VDNN_OK)
        give_offsets(bench);
    bench->asked |= PACKED;
    return status;
}

/* ---- what is asked --------------------------------------------------------------------------- */

/* The plan's steps with the waits of every packing in so many bytes; the builder's keep their own.
 */
static vdnn_status finish_steps_within(vdnn_workbench *bench, size_t most_bytes, vdnn_plan *plan)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_builder_waits *own = builder->waits;
    const size_t count = (size_t)builder->step_count;
    builder->waits = vdnn_region_take(&builder->region, count, sizeof *own);
    vdnn_status status = vdnn_builder_status(builder);
    if (status == VDNN_OK)
        memcpy(builder->waits, own, count * sizeof *own);
    VDNN_IF_OK(status, vdnn_room_wait(builder, most_bytes));
    VDNN_IF_OK(status, vdnn_builder_finish_steps(builder, plan));
    builder->waits = own;
    return status;
}

static vdnn_status bound_within(vdnn_workbench *bench, size_t most_bytes, vdnn_plan *plan,
                                vdnn_estimate_times *times)
{
    vdnn_status status = finish_steps_within(bench, most_bytes, plan);
    return status == VDNN_OK ? vdnn_estimate_bound(&bench->builder, bench->profile, plan, times)
                             : status;
}

vdnn_status vdnn_workbench_bound(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 size_t most_bytes, vdnn_plan *plan)
{
    vdnn_estimate_times times;
    vdnn_status status = ask(bench, decisions, true, BOUND);
    *plan = bench->plan;
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++)
        status =
            vdnn_packer_least(&bench->builder.region, bench->tiers[t].items, bench->tiers[t].count,
                              vdnn_tier_alignment((vdnn_tier)t), &plan->span_bytes[t]);
    VDNN_IF_OK(status, bound_within(bench, most_bytes, plan, &times));
    return answer(bench, status);
}

vdnn_status vdnn_workbench_excess(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                  const size_t most_bytes[VDNN_TIER_COUNT], size_t *excess_bytes)
{
    vdnn_status status = ask(bench, decisions, true, EXCESS);
    *excess_bytes = 0;
    for (int t = 0; t < VDNN_TIER_COUNT && *excess_bytes == 0 && status == VDNN_OK; t++)
        if (most_bytes[t] < SIZE_MAX)
            status = vdnn_packer_excess(&bench->builder.region, bench->tiers[t].items,
                                        bench->tiers[t].count, vdnn_tier_alignment((vdnn_tier)t),
                                        most_bytes[t], excess_bytes);
    return answer(bench, status);
}

vdnn_status vdnn_workbench_pack(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                size_t span_bytes[VDNN_TIER_COUNT])
{
    vdnn_status status = pack(bench, decisions, true);
    if (status == VDNN_OK)
        memcpy(span_bytes, bench->plan.span_bytes, sizeof bench->plan.span_bytes);
    return answer(bench, status);
}

vdnn_status vdnn_workbench_place(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 const size_t span_bytes[VDNN_TIER_COUNT], const size_t *offsets)
{
    VDNN_TRY(ask(bench, decisions, true, 0));
    memcpy(bench->plan.span_bytes, span_bytes, sizeof bench->plan.span_bytes);
    for (int32_t b = 0; b < bench->builder.buffer_count; b++)
        bench->builder.buffers[b].offset = offsets[b];
    bench->asked |= PACKED;
    return VDNN_OK;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What the plan says of its layers. */
static vdnn_status note_layers(vdnn_workbench *bench)
{
    vdnn_region *region = &bench->builder.region;
    vdnn_plan *plan = &bench->plan;
    size_t layers = (size_t)bench->graph->layer_count;
    plan->algorithms = vdnn_region_zeros(region, layers, sizeof *plan->algorithms);
    plan->workspace_bytes = vdnn_region_zeros(region, layers, sizeof *plan->workspace_bytes);
    plan->forward_seconds = vdnn_region_zeros(region, layers, sizeof *plan->forward_seconds);
    plan->backward_seconds = vdnn_region_zeros(region, layers, sizeof *plan->backward_seconds);
    vdnn_status status = vdnn_builder_status(&bench->builder);
    for (int32_t l = 0; l < bench->graph->layer_count && status == VDNN_OK; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *choice =
                vdnn_decisions_choice(&bench->decisions, bench->profile, l, (vdnn_pass)p);
            if (choice == NULL)
                continue;
            plan->algorithms[l][p] = choice->algorithm;
            plan->workspace_bytes[l] =
                larger(plan->workspace_bytes[l],
                       larger(choice->workspace_bytes, choice->lesser_workspace_bytes));
        }
    return status;
}

/* The seconds of the oracle. Of all training plans with the same loads and updates the steps that
 * count for it are the same. */
static double oracle_seconds(vdnn_workbench *bench)
{
    const vdnn_plan *plan = &bench->plan;
    double *known = &bench->oracle_seconds[plan->updates][plan->loads];
    if (!plan->training)
        return vdnn_bound_unlimited(plan, bench->profile);
    if (*known <= 0)
        *known = vdnn_bound_unlimited(plan, bench->profile);
    return *known;
}

/* From addresses to the plan. */
static vdnn_status finish(vdnn_workbench *bench)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_status status = note_layers(bench);
    if (bench->decisions.sync == VDNN_SYNC_BY_NEED) {
        VDNN_IF_OK(status, vdnn_reuse_order(builder));
        VDNN_IF_OK(status, vdnn_lifetime_compute(builder, false));
    }
    VDNN_IF_OK(status, vdnn_builder_finish(builder, &bench->plan));
    VDNN_IF_OK(status, vdnn_estimate_fill(builder, bench->profile, &bench->plan));
    if (status == VDNN_OK)
        bench->plan.oracle_step_seconds = oracle_seconds(bench);
    return status;
}

/* The steps are the plan's then, with waits of its own. */
vdnn_status vdnn_workbench_plan(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                bool training, vdnn_plan *plan)
{
    vdnn_status status = pack(bench, decisions, training);
    VDNN_IF_OK(status, finish(bench));
    bench->asked = 0;
    *plan = bench->plan;
    plan->policy = decisions->policy;
    plan->algo = decisions->algo;
    plan->trials = decisions->trials;
    return status;
}

/* Tells the items where buffers like theirs lay. */
static vdnn_status lay_like(vdnn_workbench *bench, const vdnn_floorplan *like)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_packer_item *next[VDNN_TIER_COUNT];
    size_t *offsets =
        vdnn_region_take(&builder->region, (size_t)builder->buffer_count, sizeof *offsets);
    if (offsets == NULL)
        return vdnn_builder_status(builder);
    vdnn_status status = vdnn_floorplan_tell(like, &builder->region, builder->buffers,
                                             builder->buffer_count, offsets);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        next[tier] = bench->tiers[tier].items;
    for (int32_t b = 0; b < builder->buffer_count && status == VDNN_OK; b++) {
        vdnn_packer_item *item = next[builder->buffers[b].tier]++;
        item->was_packed = offsets[b] < SIZE_MAX;
        item->was_at = offsets[b];
    }
    return status;
}

/* Of the device's items that are not there always, in the order of their buffers; true if any is
 * another. */
static bool swap_ends(vdnn_workbench *bench, int32_t *until)
{
    const vdnn_builder *builder = &bench->builder;
    vdnn_packer_item *item = bench->tiers[VDNN_TIER_DEVICE].items;
    bool is_changed = false;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        if (builder->buffers[b].tier != VDNN_TIER_DEVICE)
            continue;
        const int32_t end = item->end;
        is_changed = is_changed || end != until[b];
        item++->end = until[b];
        until[b] = end;
    }
    return is_changed;
}

/* The device's items live until copies out end, if a packing with these lives is found, with little
 * work: nothing waits for these copies then. Else their lives stay. */
static vdnn_status pack_patiently(vdnn_workbench *bench, size_t most_bytes, bool *is_packed)
{
    vdnn_builder *builder = &bench->builder;
    vdnn_tier_items *own = &bench->tiers[VDNN_TIER_DEVICE];
    size_t *span_bytes = &bench->plan.span_bytes[VDNN_TIER_DEVICE];
    vdnn_plan plan = bench->plan;
    vdnn_estimate_times times;
    int32_t *until =
        vdnn_region_take(&builder->region, (size_t)builder->buffer_count, sizeof *until);
    vdnn_status status = bound_within(bench, most_bytes, &plan, &times);
    VDNN_IF_OK(status, vdnn_room_until(builder, times.start, times.end, until));
    if (status == VDNN_OK && swap_ends(bench, until))
        status =
            vdnn_packer_least(&builder->region, own->items, own->count, VDNN_ALIGNMENT, span_bytes);
    else
        *span_bytes = SIZE_MAX;
    if (status == VDNN_OK && *span_bytes <= most_bytes)
        status = vdnn_packer_pack_within(&builder->region, own->items, own->count, VDNN_ALIGNMENT,
                                         most_bytes, NULL, span_bytes);
    *is_packed = *span_bytes <= most_bytes;
    swap_ends(bench, until);
    return status;
}

static vdnn_status pack_tier_within(vdnn_workbench *bench, vdnn_tier tier, size_t most_bytes,
                                    int64_t *looks)
{
    const vdnn_tier_items *own = &bench->tiers[tier];
    bool is_packed = false;
    vdnn_status status = VDNN_OK;
    if (tier == VDNN_TIER_DEVICE && bench->decisions.sync == VDNN_SYNC_BY_NEED)
        status = pack_patiently(bench, most_bytes, &is_packed);
    if (status != VDNN_OK || is_packed)
        return status;
    return vdnn_packer_pack_within(&bench->builder.region, own->items, own->count,
                                   vdnn_tier_alignment(tier), most_bytes, looks,
                                   &bench->plan.span_bytes[tier]);
}

vdnn_status vdnn_workbench_plan_within(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                       const size_t most_bytes[VDNN_TIER_COUNT],
                                       const vdnn_floorplan *like, int64_t *looks, vdnn_plan *plan,
                                       bool *fits)
{
    vdnn_status status = ask(bench, decisions, true, EXCESS);
    if (status == VDNN_OK && like != NULL && like->places != NULL)
        status = lay_like(bench, like);
    *fits = true;
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++) {
        status = pack_tier_within(bench, (vdnn_tier)t, most_bytes[t], looks);
        *fits = *fits && bench->plan.span_bytes[t] <= most_bytes[t];
    }
    *plan = bench->plan;
    if (status != VDNN_OK || !*fits)
        return answer(bench, status);
    give_offsets(bench);
    bench->asked |= PACKED;
    return vdnn_workbench_plan(bench, decisions, true, plan);
}

/* ---- to keep --------------------------------------------------------------------------------- */

static vdnn_status keep(vdnn_workbench *bench, const vdnn_decisions *decisions, bool training,
                        vdnn_plan **plan)
{
    vdnn_plan made;
    vdnn_status status = vdnn_workbench_plan(bench, decisions, training, &made);
    return status == VDNN_OK ? vdnn_plan_copy(&made, plan) : status;
}

vdnn_status vdnn_workbench_keep(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                vdnn_plan **plan)
{
    return keep(bench, decisions, true, plan);
}

vdnn_status vdnn_workbench_keep_evaluation(vdnn_workbench *bench, const vdnn_decisions *training,
                                           vdnn_plan **plan)
{
    const vdnn_graph *graph = bench->graph;
    const size_t layers = (size_t)graph->layer_count;
    vdnn_decisions decisions;
    VDNN_TRY(vdnn_decisions_init(&decisions, graph));
    decisions.policy = training->policy;
    decisions.algo = training->algo;
    decisions.sync = training->sync;
    decisions.copies = training->copies;
    decisions.loads = training->loads == VDNN_LOADS_OWN ? VDNN_LOADS_OWN : VDNN_LOADS_AHEAD;
    memcpy(decisions.choice, training->choice, layers * sizeof *decisions.choice);
    memcpy(decisions.params, training->params, layers * sizeof *decisions.params);
    memcpy(decisions.chained, training->chained, layers * sizeof *decisions.chained);
    for (int32_t m = 0; m < graph->map_count; m++)
        decisions.maps[m].action = VDNN_DROP;
    vdnn_status status = keep(bench, &decisions, false, plan);
    vdnn_decisions_fini(&decisions);
    return status;
}

void vdnn_workbench_fini(vdnn_workbench *bench)
{
    vdnn_decisions_fini(&bench->decisions);
    vdnn_packings_take_back(bench->packings, &bench->builder.region);
    vdnn_builder_fini(&bench->builder);
    bench->asked = 0;
}
