#include "tests/support/random_decisions.h"

/* It stays, does what it did before, or is offloaded. */
static vdnn_action draw_between(vdnn_test_rng *rng, vdnn_action action)
{
    const vdnn_action all[] = {VDNN_KEEP, action, VDNN_OFFLOAD};
    return all[vdnn_test_between(rng, 0, 2)];
}

static vdnn_map_decision draw_map(const vdnn_graph *graph, const vdnn_map *map, vdnn_test_rng *rng)
{
    const int32_t last = graph->layer_count - 1;
    vdnn_map_decision decision = {
        .action = VDNN_OFFLOAD, .leaves = map->last_forward, .returns = map->needed_by[0]};
    const int64_t draw = vdnn_test_between(rng, 0, 4);
    if (draw == 0 || (draw == 1 && map->kind != VDNN_MAP_FEATURE))
        return (vdnn_map_decision){.action = VDNN_KEEP, .between = draw_between(rng, VDNN_KEEP)};
    if (draw == 1)
        return (vdnn_map_decision){.action = VDNN_RECOMPUTE,
                                   .between = draw_between(rng, VDNN_RECOMPUTE)};
    if (vdnn_test_between(rng, 0, 1) == 0)
        decision.leaves = (int32_t)vdnn_test_between(rng, map->last_forward, last);
    if (vdnn_test_between(rng, 0, 1) == 0)
        decision.returns = (int32_t)vdnn_test_between(rng, map->needed_by[0], last);
    decision.spills = (int32_t)vdnn_test_between(rng, 0, 1);
    decision.between = draw_between(rng, VDNN_OFFLOAD);
    return decision;
}

/* Half of those that can leave stay. */
static vdnn_tier draw_tier(vdnn_test_rng *rng)
{
    return vdnn_test_between(rng, 0, 1) == 0
               ? VDNN_TIER_DEVICE
               : (vdnn_tier)vdnn_test_between(rng, VDNN_TIER_HOST, VDNN_TIER_FILE);
}

static void draw_gradients(const vdnn_graph *graph, vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    const bool leave = vdnn_test_between(rng, 0, 2) > 0;
    for (int32_t m = 0; m < graph->map_count && leave; m++)
        if (vdnn_decisions_gradient_refusal(graph, decisions, m) == NULL)
            decisions->maps[m].gradient = draw_tier(rng);
    for (int32_t l = 0; l < graph->layer_count && leave; l++)
        if (vdnn_decisions_param_gradient_refusal(graph, &graph->layers[l]) == NULL)
            decisions->param_gradients[l] = draw_tier(rng);
}

static vdnn_reduce_buckets draw_buckets(vdnn_test_rng *rng)
{
    static const size_t most = 1U << 14;
    return (vdnn_reduce_buckets){.bytes = (size_t)vdnn_test_between(rng, 0, 2) == 0
                                              ? 0
                                              : (size_t)vdnn_test_between(rng, 1, (int64_t)most),
                                 .lag = (int32_t)vdnn_test_between(rng, 0, 2)};
}

/* Late, from any layer on, where memory is freed. */
static void draw_loads(const vdnn_graph *graph, vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    decisions->loads = (vdnn_loads)vdnn_test_between(rng, 0, VDNN_LOADS_COUNT - 1);
    if (decisions->loads == VDNN_LOADS_LATE)
        decisions->load_layer = (int32_t)vdnn_test_between(rng, 0, graph->layer_count - 1);
    if (vdnn_decisions_loads_refusal(graph, decisions) == NULL)
        return;
    decisions->loads = VDNN_LOADS_OWN;
    decisions->load_layer = 0;
}

/* Whether there are any. */
static bool draw_chains(const vdnn_graph *graph, vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    bool any = false;
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (vdnn_decisions_chain_refusal(graph, decisions, l) == NULL) {
            decisions->chained[l] = vdnn_test_between(rng, 0, 3) > 0;
            any = any || decisions->chained[l];
        }
    return any;
}

/* What is not possible because of the chains. */
static void respect_chains(const vdnn_graph *graph, const vdnn_profile *profile,
                           vdnn_decisions *decisions)
{
    for (int32_t m = 0; m < graph->map_count; m++) {
        vdnn_map_decision *at = &decisions->maps[m];
        if (at->action == VDNN_RECOMPUTE &&
            vdnn_decisions_recompute_refusal(graph, profile, decisions, m) != NULL)
            *at = (vdnn_map_decision){.action =
                                          graph->maps[m].needed_count > 0 ? VDNN_KEEP : VDNN_DROP};
        if (vdnn_decisions_tail_refusal(graph, decisions, m) != NULL)
            *at = (vdnn_map_decision){.action =
                                          graph->maps[m].needed_count > 0 ? VDNN_KEEP : VDNN_DROP};
        if (vdnn_decisions_between_refusal(graph, decisions, m) != NULL)
            at->between = VDNN_KEEP;
    }
}

/* What was drawn of maps before. */
static bool may_stay(const vdnn_graph *graph, const vdnn_decisions *decisions)
{
    bool may = true;
    for (int32_t m = 0; m < graph->map_count && may; m++)
        may = (decisions->maps[m].pieces == 0 ||
               vdnn_decisions_pieces_refusal(graph, decisions, m) == NULL) &&
              vdnn_decisions_between_refusal(graph, decisions, m) == NULL;
    return may;
}

/* Of what is kept, or copied in pieces, within a chain some are recomputed, now and then. */
static void draw_recomputed(const vdnn_graph *graph, const vdnn_profile *profile,
                            vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    for (int32_t m = 0; m < graph->map_count; m++) {
        vdnn_map_decision *at = &decisions->maps[m];
        at->recomputed = (at->pieces || at->action == VDNN_KEEP) && vdnn_test_between(rng, 0, 1)
                             ? (int32_t)vdnn_test_between(rng, 1, 3)
                             : 0;
        if (at->recomputed &&
            (vdnn_decisions_recomputed_refusal(graph, decisions, m) != NULL ||
             vdnn_decisions_tail_refusal(graph, decisions, m) != NULL ||
             vdnn_decisions_recompute_refusal(graph, profile, decisions, m) != NULL ||
             !may_stay(graph, decisions)))
            at->recomputed = 0;
    }
}

vdnn_status vdnn_random_decisions(const vdnn_graph *graph, const vdnn_profile *profile,
                                  vdnn_test_rng *rng, vdnn_decisions *decisions)
{
    vdnn_status status = vdnn_decisions_init(decisions, graph);
    if (status != VDNN_OK)
        return status;
    decisions->policy = "random";
    decisions->release = (vdnn_release)vdnn_test_between(rng, 0, 1);
    decisions->gradients = (vdnn_gradients)vdnn_test_between(rng, 0, 1);
    if (graph->stage.count > 0) /* others send them */
        decisions->gradients = VDNN_GRADIENTS_EXACT;
    decisions->sync = (vdnn_sync)vdnn_test_between(rng, 0, 1);
    decisions->updates = (vdnn_updates)vdnn_test_between(rng, 0, 1);
    const bool is_chained = draw_chains(graph, rng, decisions);
    for (int32_t m = 0; m < graph->map_count; m++)
        if (graph->maps[m].needed_count > 0)
            decisions->maps[m] = draw_map(graph, &graph->maps[m], rng);
        else if (graph->maps[m].kind == VDNN_MAP_FEATURE && vdnn_test_between(rng, 0, 3) == 0)
            decisions->maps[m].action = VDNN_RECOMPUTE; /* where another's recompute reads it */
    for (int32_t m = 0; m < graph->map_count; m++)
        if (decisions->maps[m].action == VDNN_OFFLOAD && vdnn_test_between(rng, 0, 2) > 0)
            decisions->maps[m].pieces = vdnn_decisions_pieces_refusal(graph, decisions, m) == NULL
                                            ? (int32_t)vdnn_test_between(rng, 1, 3)
                                            : 0;
    const bool params_leave = vdnn_test_between(rng, 0, 2) == 0;
    for (int32_t l = 0; l < graph->layer_count && params_leave; l++)
        if (vdnn_decisions_params_refusal(&graph->layers[l]) == NULL &&
            vdnn_test_between(rng, 0, 1) == 0)
            decisions->params[l] =
                (vdnn_params_decision){.action = VDNN_OFFLOAD,
                                       .ahead = (int32_t)vdnn_test_between(rng, 0, 3),
                                       .stays = (int32_t)vdnn_test_between(rng, 0, 1),
                                       .behind = (int32_t)vdnn_test_between(rng, 0, 2)};
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (profile->layers[l].choice_count[p] > 0)
                decisions->choice[l][p] =
                    (int32_t)vdnn_test_between(rng, 0, profile->layers[l].choice_count[p] - 1);
    if (graph->micro_batches == 1)
        draw_loads(graph, rng, decisions);
    draw_gradients(graph, rng, decisions);
    if (is_chained)
        respect_chains(graph, profile, decisions);
    draw_recomputed(graph, profile, rng, decisions);
    if (graph->devices > 1 && !graph->has_buckets)
        decisions->buckets = draw_buckets(rng);
    return VDNN_OK;
}

vdnn_status vdnn_eager_decisions(const vdnn_graph *graph, vdnn_sync sync, vdnn_decisions *decisions)
{
    vdnn_status status = vdnn_decisions_init(decisions, graph);
    if (status != VDNN_OK)
        return status;
    decisions->policy = "eager";
    decisions->sync = sync;
    for (int32_t m = 0; m < graph->map_count; m++)
        if (graph->maps[m].needed_count > 0)
            decisions->maps[m] = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                                     .leaves = graph->maps[m].last_forward,
                                                     .returns = graph->maps[m].needed_by[0]};
    return VDNN_OK;
}
