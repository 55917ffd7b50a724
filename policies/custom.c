/* Custom policies, and their view: a proposal over a request and decisions. */

#include "policies/custom.h"
#include "policies/offload_rule.h"
#include "policies/recompute.h"
#include "policies/spill.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/base/versioned.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_POLICIES = 64 };

struct vdnn_proposal {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_decisions *decisions;          /* borrowed */
};

static struct {
    vdnn_policy policy;
    vdnn_policy_type type;
} rows[MOST_POLICIES];

/* A row is complete before it counts. */
static atomic_size_t row_count;

size_t vdnn_custom_policy_count(void)
{
    return atomic_load_explicit(&row_count, memory_order_acquire);
}

const vdnn_policy *vdnn_custom_policy_at(size_t i)
{
    return &rows[i].policy;
}

/* ---- looking --------------------------------------------------------------------------------- */

static vdnn_status check_index(const char *what, int32_t i, int32_t count)
{
    if (i >= 0 && i < count)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE, "there is no %s %d, only 0 to %d", what, (int)i,
                            (int)count - 1);
}

static vdnn_status check_map(const vdnn_proposal *proposal, int32_t map)
{
    return check_index("map", map, proposal->request->planning->graph->map_count);
}

static vdnn_status check_choice(const vdnn_proposal *proposal, int32_t layer, vdnn_pass pass,
                                int32_t choice)
{
    const vdnn_profile *profile = proposal->request->planning->profile;
    VDNN_TRY(check_index("layer", layer, profile->layer_count));
    VDNN_TRY(check_index("pass", (int32_t)pass, VDNN_PASS_COUNT));
    return check_index("algorithm", choice, profile->layers[layer].choice_count[pass]);
}

static const char *recompute_refusal(const vdnn_proposal *proposal, int32_t map)
{
    const vdnn_policy_request *request = proposal->request;
    return vdnn_decisions_recompute_refusal(request->planning->graph, request->planning->profile,
                                            proposal->decisions, map);
}

vdnn_status vdnn_proposal_describe(const vdnn_proposal *proposal, vdnn_proposal_facts *facts)
{
    const vdnn_policy_request *request = proposal->request;
    vdnn_proposal_facts own = {
        .device_bytes = request->planning->budget_bytes[VDNN_TIER_DEVICE],
        .host_bytes = request->planning->budget_bytes[VDNN_TIER_HOST],
        .copy_out_bytes_per_second = request->planning->profile->copy_out_bytes_per_second,
        .copy_in_bytes_per_second = request->planning->profile->copy_in_bytes_per_second,
        .copy_latency_seconds = request->planning->profile->copy_latency_seconds,
        .map_count = request->planning->graph->map_count,
        .layer_count = request->planning->graph->layer_count,
        .wants_least_memory = request->algo == VDNN_ALGO_M};
    return vdnn_versioned_give(facts, &own, sizeof own, "vdnn_proposal_facts");
}

vdnn_status vdnn_proposal_map(const vdnn_proposal *proposal, int32_t map, vdnn_map_facts *facts)
{
    VDNN_TRY(check_map(proposal, map));
    const vdnn_policy_request *request = proposal->request;
    const vdnn_decisions *decisions = proposal->decisions;
    const vdnn_map *from = &request->planning->graph->maps[map];
    bool can = recompute_refusal(proposal, map) == NULL;
    vdnn_map_facts own = {
        .name = from->name,
        .bytes = from->bytes,
        .is_needed = from->needed_count > 0,
        .is_offloaded = decisions->maps[map].action == VDNN_OFFLOAD,
        .can_be_recomputed = can,
        .is_recomputed = vdnn_decisions_recomputes(decisions, map),
        .recompute_seconds = can ? vdnn_recompute_seconds(request, decisions, map) : 0,
        .can_gradient_leave =
            vdnn_decisions_gradient_refusal(request->planning->graph, decisions, map) == NULL,
        .does_gradient_leave = decisions->maps[map].gradient != VDNN_TIER_DEVICE,
        .maker = from->first_writer,
        .last_forward = from->last_forward,
        .first_backward = from->needed_count > 0 ? from->needed_by[0] : -1};
    return vdnn_versioned_give(facts, &own, sizeof own, "vdnn_map_facts");
}

vdnn_status vdnn_proposal_layer(const vdnn_proposal *proposal, int32_t layer,
                                vdnn_layer_facts *facts)
{
    const vdnn_graph *graph = proposal->request->planning->graph;
    VDNN_TRY(check_index("layer", layer, graph->layer_count));
    const vdnn_layer *from = &graph->layers[layer];
    size_t state_bytes = vdnn_graph_state_bytes(graph, layer);
    vdnn_layer_facts own = {
        .name = from->name,
        .type = from->def->type,
        .role = from->def->role,
        .parameter_bytes = from->owner == layer ? from->param_bytes + state_bytes : 0,
        .can_parameters_leave = vdnn_decisions_params_refusal(from) == NULL,
        .do_parameters_leave = proposal->decisions->params[layer].action == VDNN_OFFLOAD,
        .can_gradients_leave = vdnn_decisions_param_gradient_refusal(graph, from) == NULL,
        .do_gradients_leave = proposal->decisions->param_gradients[layer] != VDNN_TIER_DEVICE,
        .can_be_chained = vdnn_decisions_chain_refusal(graph, proposal->decisions, layer) == NULL,
        .is_chained = proposal->decisions->chained[layer] != 0};
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const vdnn_choice *choice = vdnn_decisions_choice(
            proposal->decisions, proposal->request->planning->profile, layer, (vdnn_pass)p);
        own.choice_count[p] = proposal->request->planning->profile->layers[layer].choice_count[p];
        if (choice == NULL)
            continue;
        *(p == VDNN_FORWARD ? &own.forward_seconds : &own.backward_seconds) += choice->seconds;
        if (choice->workspace_bytes > own.workspace_bytes)
            own.workspace_bytes = choice->workspace_bytes;
    }
    return vdnn_versioned_give(facts, &own, sizeof own, "vdnn_layer_facts");
}

vdnn_status vdnn_proposal_choice(const vdnn_proposal *proposal, int32_t layer, vdnn_pass pass,
                                 int32_t choice, vdnn_choice_facts *facts)
{
    VDNN_TRY(check_choice(proposal, layer, pass, choice));
    const vdnn_choice *from =
        &proposal->request->planning->profile->layers[layer].choices[pass][choice];
    vdnn_choice_facts own = {.algorithm = from->algorithm->name,
                             .seconds = from->seconds,
                             .workspace_bytes = from->workspace_bytes};
    return vdnn_versioned_give(facts, &own, sizeof own, "vdnn_choice_facts");
}

/* ---- deciding -------------------------------------------------------------------------------- */

/* Returns why an earlier proposal for a map has become impossible; NULL: it has not. */
static const char *map_conflict(const vdnn_proposal *proposal, int32_t map)
{
    const vdnn_graph *graph = proposal->request->planning->graph;
    const vdnn_decisions *decisions = proposal->decisions;
    const vdnn_map_decision *own = &decisions->maps[map];
    if (vdnn_decisions_recomputes(decisions, map) && recompute_refusal(proposal, map) != NULL)
        return "a map that is recomputed could then not be";
    if (vdnn_decisions_tail_refusal(graph, decisions, map) != NULL)
        return "a map that the chain that ends with the loss makes or reads would not be kept";
    if (own->pieces && vdnn_decisions_pieces_refusal(graph, decisions, map) != NULL)
        return "a map that is copied in pieces could then not be";
    return vdnn_decisions_between_refusal(graph, decisions, map) == NULL
               ? NULL
               : "a map that is offloaded in backward could then not be";
}

static const char *any_conflict(const vdnn_proposal *proposal)
{
    const vdnn_decisions *decisions = proposal->decisions;
    const char *conflict = NULL;
    for (int32_t m = 0; m < decisions->map_count && conflict == NULL; m++)
        conflict = map_conflict(proposal, m);
    for (int32_t l = 0; l < decisions->layer_count && conflict == NULL; l++)
        if (decisions->chained[l])
            conflict =
                vdnn_decisions_chain_refusal(proposal->request->planning->graph, decisions, l);
    return conflict;
}

/* Makes a decision for a map, unless it conflicts with an earlier proposal. `what` describes it in
 * the message. */
static vdnn_status decide_map(vdnn_proposal *proposal, int32_t map, vdnn_map_decision decision,
                              const char *what)
{
    vdnn_map_decision *own = &proposal->decisions->maps[map];
    const vdnn_map_decision before = *own;
    *own = decision;
    const char *conflict = any_conflict(proposal);
    if (conflict == NULL)
        return VDNN_OK;
    *own = before;
    return vdnn_status_fail(VDNN_USAGE, "map %d ('%s') cannot be %s: %s", (int)map,
                            proposal->request->planning->graph->maps[map].name, what, conflict);
}

vdnn_status vdnn_proposal_offload(vdnn_proposal *proposal, int32_t map, int32_t leaves,
                                  int32_t returns)
{
    const vdnn_graph *graph = proposal->request->planning->graph;
    VDNN_TRY(check_map(proposal, map));
    const vdnn_map *from = &graph->maps[map];
    int32_t last = graph->layer_count - 1;
    if (from->needed_count == 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "map %d ('%s') cannot be offloaded: no backward pass needs it",
                                (int)map, from->name);
    int32_t first_leave = from->last_forward, first_return = from->needed_by[0];
    if (leaves < 0)
        leaves = first_leave < last ? first_leave + 1 : last;
    if (returns < 0)
        returns = first_return < last ? first_return + 1 : last;
    if (leaves < first_leave || leaves > last || returns < first_return || returns > last)
        return vdnn_status_fail(VDNN_USAGE,
                                "map %d ('%s') cannot be offloaded at layer %d and prefetched at "
                                "layer %d: expected %d to %d and %d to %d",
                                (int)map, from->name, (int)leaves, (int)returns, (int)first_leave,
                                (int)last, (int)first_return, (int)last);
    return decide_map(proposal, map,
                      (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                          .leaves = leaves,
                                          .returns = returns,
                                          .gradient = proposal->decisions->maps[map].gradient},
                      "offloaded");
}

vdnn_status vdnn_proposal_recompute(vdnn_proposal *proposal, int32_t map)
{
    VDNN_TRY(check_map(proposal, map));
    const char *refusal = recompute_refusal(proposal, map);
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_USAGE, "map %d ('%s') cannot be recomputed: %s", (int)map,
                                proposal->request->planning->graph->maps[map].name, refusal);
    return decide_map(proposal, map,
                      (vdnn_map_decision){.action = VDNN_RECOMPUTE,
                                          .gradient = proposal->decisions->maps[map].gradient},
                      "recomputed");
}

vdnn_status vdnn_proposal_repeat(vdnn_proposal *proposal, int32_t map)
{
    VDNN_TRY(check_map(proposal, map));
    vdnn_map_decision *decision = &proposal->decisions->maps[map];
    if (decision->action != VDNN_OFFLOAD && decision->action != VDNN_RECOMPUTE)
        return vdnn_status_fail(VDNN_USAGE,
                                "map %d ('%s') has nothing to repeat: it is neither offloaded nor "
                                "recomputed",
                                (int)map, proposal->request->planning->graph->maps[map].name);
    decision->between = decision->action;
    return VDNN_OK;
}

vdnn_status vdnn_proposal_offload_between(vdnn_proposal *proposal, int32_t map)
{
    VDNN_TRY(check_map(proposal, map));
    const vdnn_graph *graph = proposal->request->planning->graph;
    vdnn_map_decision decision = proposal->decisions->maps[map];
    const char *refusal = graph->maps[map].needed_count == 0 ? "no backward pass needs it"
                          : decision.pieces                  ? "it is copied in pieces"
                          : vdnn_decisions_is_by_parts(graph, proposal->decisions, map)
                              ? "one part of it at a time is on the device"
                              : NULL;
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_USAGE, "map %d ('%s') cannot be offloaded in backward: %s",
                                (int)map, graph->maps[map].name, refusal);
    decision.between = VDNN_OFFLOAD;
    return decide_map(proposal, map, decision, "offloaded in backward");
}

vdnn_status vdnn_proposal_cut(vdnn_proposal *proposal, int32_t map)
{
    VDNN_TRY(check_map(proposal, map));
    const vdnn_graph *graph = proposal->request->planning->graph;
    vdnn_map_decision decision = proposal->decisions->maps[map];
    const char *refusal = decision.action == VDNN_OFFLOAD
                              ? vdnn_decisions_pieces_refusal(graph, proposal->decisions, map)
                              : "it is not offloaded";
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_USAGE, "map %d ('%s') cannot be copied in pieces: %s",
                                (int)map, graph->maps[map].name, refusal);
    decision.pieces = 1;
    return decide_map(proposal, map, decision, "copied in pieces");
}

vdnn_status vdnn_proposal_recompute_pieces(vdnn_proposal *proposal, int32_t map, int32_t pieces)
{
    VDNN_TRY(check_map(proposal, map));
    const vdnn_graph *graph = proposal->request->planning->graph;
    vdnn_map_decision *own = &proposal->decisions->maps[map];
    const vdnn_map_decision before = *own;
    own->recomputed = pieces;
    const vdnn_map_decision decision = *own;
    const char *refusal = vdnn_decisions_recomputed_refusal(graph, proposal->decisions, map);
    if (refusal == NULL && pieces > 0)
        refusal = recompute_refusal(proposal, map);
    *own = before;
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_USAGE, "%d pieces of map %d ('%s') cannot be recomputed: %s",
                                (int)pieces, (int)map, graph->maps[map].name, refusal);
    return decide_map(proposal, map, decision, "recomputed in part");
}

vdnn_status vdnn_proposal_chain(vdnn_proposal *proposal, int32_t layer)
{
    const vdnn_graph *graph = proposal->request->planning->graph;
    VDNN_TRY(check_index("layer", layer, graph->layer_count));
    int32_t *chained = &proposal->decisions->chained[layer];
    const int32_t before = *chained;
    *chained = 1;
    const char *refusal = vdnn_decisions_chain_refusal(graph, proposal->decisions, layer);
    if (refusal == NULL)
        refusal = any_conflict(proposal);
    if (refusal == NULL)
        return VDNN_OK;
    *chained = before;
    return vdnn_status_fail(VDNN_USAGE, "layer %d ('%s') cannot be chained to the one before: %s",
                            (int)layer, graph->layers[layer].name, refusal);
}

vdnn_status vdnn_proposal_offload_gradient(vdnn_proposal *proposal, int32_t map)
{
    VDNN_TRY(check_map(proposal, map));
    const vdnn_graph *graph = proposal->request->planning->graph;
    const char *refusal = vdnn_decisions_gradient_refusal(graph, proposal->decisions, map);
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_USAGE, "the gradient of map %d ('%s') cannot be offloaded: %s",
                                (int)map, graph->maps[map].name, refusal);
    proposal->decisions->maps[map].gradient = VDNN_TIER_HOST;
    return VDNN_OK;
}

/* Checks that a layer's value can be offloaded: `refusal` says why not, or is NULL. */
static vdnn_status check_leaves(const vdnn_layer *layer, const char *what, const char *refusal)
{
    return refusal == NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_USAGE, "the %s of layer %d ('%s') cannot be offloaded: %s",
                                  what, (int)layer->index, layer->name, refusal);
}

vdnn_status vdnn_proposal_offload_parameters(vdnn_proposal *proposal, int32_t layer)
{
    const vdnn_graph *graph = proposal->request->planning->graph;
    vdnn_status status = check_index("layer", layer, graph->layer_count);
    VDNN_IF_OK(status, check_leaves(&graph->layers[layer], "parameters",
                                    vdnn_decisions_params_refusal(&graph->layers[layer])));
    if (status == VDNN_OK)
        proposal->decisions->params[layer].action = VDNN_OFFLOAD;
    return status;
}

vdnn_status vdnn_proposal_offload_parameter_gradients(vdnn_proposal *proposal, int32_t layer)
{
    const vdnn_graph *graph = proposal->request->planning->graph;
    vdnn_status status = check_index("layer", layer, graph->layer_count);
    VDNN_IF_OK(status,
               check_leaves(&graph->layers[layer], "parameters' gradient",
                            vdnn_decisions_param_gradient_refusal(graph, &graph->layers[layer])));
    if (status == VDNN_OK)
        proposal->decisions->param_gradients[layer] = VDNN_TIER_HOST;
    return status;
}

vdnn_status vdnn_proposal_keep(vdnn_proposal *proposal, int32_t map)
{
    VDNN_TRY(check_map(proposal, map));
    bool needed = proposal->request->planning->graph->maps[map].needed_count > 0;
    return decide_map(proposal, map, (vdnn_map_decision){.action = needed ? VDNN_KEEP : VDNN_DROP},
                      "kept");
}

vdnn_status vdnn_proposal_choose(vdnn_proposal *proposal, int32_t layer, vdnn_pass pass,
                                 int32_t choice)
{
    VDNN_TRY(check_choice(proposal, layer, pass, choice));
    int32_t *own = &proposal->decisions->choice[layer][pass];
    const int32_t before = *own;
    *own = choice;
    const char *conflict = any_conflict(proposal);
    if (conflict == NULL)
        return VDNN_OK;
    *own = before;
    return vdnn_status_fail(VDNN_USAGE, "layer %d ('%s') cannot be run by algorithm %d: %s",
                            (int)layer, proposal->request->planning->graph->layers[layer].name,
                            (int)choice, conflict);
}

vdnn_status vdnn_proposal_try(const vdnn_proposal *proposal, vdnn_plan_facts *facts)
{
    const vdnn_policy_request *request = proposal->request;
    vdnn_outcome tried;
    vdnn_status status =
        vdnn_planning_evaluate(request->planning, proposal->decisions, VDNN_WHOLE, &tried);
    if (status == VDNN_OK && facts != NULL)
        status = vdnn_versioned_give(facts, tried.facts, sizeof *tried.facts, "vdnn_plan_facts");
    if (status != VDNN_OK || tried.fits)
        return status;
    return vdnn_status_fail(VDNN_NO_FIT,
                            "the proposal takes %zu bytes of the device and %zu of the host; the "
                            "budgets are %zu and %zu",
                            tried.facts->arena_bytes, tried.facts->host_arena_bytes,
                            request->planning->budget_bytes[VDNN_TIER_DEVICE],
                            request->planning->budget_bytes[VDNN_TIER_HOST]);
}

/* ---- as a policy ----------------------------------------------------------------------------- */

static const vdnn_policy_type *type_of(const vdnn_policy *policy)
{
    size_t i = 0;
    while (&rows[i].policy != policy)
        i++;
    return &rows[i].type;
}

vdnn_status vdnn_custom_policy_decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                                      vdnn_decisions *decisions)
{
    const vdnn_policy_type *type = type_of(policy);
    vdnn_decisions made;
    vdnn_algo_mode mode = type->is_dynamic ? VDNN_ALGO_P : request->algo;
    VDNN_TRY(vdnn_offload_rule_decide(request, &vdnn_offload_none, mode, &made));
    made.policy = type->name;
    made.sync = VDNN_SYNC_BY_NEED;
    vdnn_proposal proposal = {request, &made};
    vdnn_status status = type->decide(&proposal, type->context);
    VDNN_IF_OK(status, vdnn_spill_choose(request, &made));
    if (status == VDNN_OK || (status == VDNN_NO_FIT && type->is_dynamic)) {
        *decisions = made;
        return status;
    }
    vdnn_decisions_fini(&made);
    return vdnn_status_prefix(status, "policy %s", type->name);
}

vdnn_status vdnn_custom_policy_add(const vdnn_policy_type *type)
{
    size_t count = vdnn_custom_policy_count();
    if (type->name == NULL || type->name[0] == '\0' || strpbrk(type->name, ",| \"\\") != NULL ||
        vdnn_text_has_control(type->name))
        return vdnn_status_fail(VDNN_USAGE, "a policy has no name, or one with blanks, commas, "
                                            "bars, quotes or control characters");
    if (type->decide == NULL)
        return vdnn_status_fail(VDNN_USAGE, "policy '%s' has no decide", type->name);
    if (count == MOST_POLICIES)
        return vdnn_status_fail(
            VDNN_USAGE, "%d policies are registered already, which is the limit", MOST_POLICIES);
    rows[count].type = *type;
    rows[count].policy = (vdnn_policy){
        .name = type->name, .help = "registered by the program", .is_static = !type->is_dynamic};
    atomic_store_explicit(&row_count, count + 1, memory_order_release);
    return VDNN_OK;
}
