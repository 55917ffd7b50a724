#include "policies/opt/search.h"

#include "runtime/base/heap.h"

#include <string.h>

static double fastest_seconds(const vdnn_profile *profile, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *at = &profile->layers[layer];
    return at->choice_count[pass] == 0
               ? 0
               : at->choices[pass][vdnn_profile_fastest(profile, layer, pass)].seconds;
}

vdnn_status vdnn_opt_search_init(const vdnn_policy_request *request, const int32_t *chained,
                                 vdnn_opt_search *own)
{
    const vdnn_graph *graph = request->planning->graph;
    const vdnn_profile *profile = request->planning->profile;
    const size_t layers = (size_t)graph->layer_count, maps = (size_t)graph->map_count;
    *own = (vdnn_opt_search){.request = request,
                             .graph = graph,
                             .profile = profile,
                             .budget_bytes = request->planning->budget_bytes};
    own->alive = vdnn_heap_calloc(maps, sizeof *own->alive);
    own->out_behind = vdnn_heap_calloc(layers, sizeof *own->out_behind);
    own->in_ahead = vdnn_heap_calloc(layers, sizeof *own->in_ahead);
    own->needs = vdnn_heap_calloc(maps, sizeof *own->needs);
    own->forward = vdnn_heap_calloc(layers, sizeof *own->forward);
    own->backward = vdnn_heap_calloc(layers, sizeof *own->backward);
    own->chained = vdnn_heap_calloc(layers, sizeof *own->chained);
    if (own->alive == NULL || own->forward == NULL || own->backward == NULL ||
        own->chained == NULL || own->out_behind == NULL || own->in_ahead == NULL ||
        own->needs == NULL) {
        vdnn_opt_search_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to search plans of %zu layers", layers);
    }
    if (chained != NULL)
        memcpy(own->chained, chained, layers * sizeof *chained);
    for (int32_t m = 0; m < graph->map_count; m++)
        own->needs[m] = vdnn_opt_own_need(&graph->maps[m]);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        own->forward[l] = fastest_seconds(profile, l, VDNN_FORWARD);
        own->backward[l] = fastest_seconds(profile, l, VDNN_BACKWARD_DATA) +
                           fastest_seconds(profile, l, VDNN_BACKWARD_FILTER);
        own->forward_seconds += own->forward[l];
        own->backward_seconds += own->backward[l];
    }
    return VDNN_OK;
}

void vdnn_opt_search_fini(vdnn_opt_search *own)
{
    if (own->found)
        vdnn_decisions_fini(&own->best);
    vdnn_heap_free(own->alive);
    vdnn_heap_free(own->out_behind);
    vdnn_heap_free(own->in_ahead);
    vdnn_heap_free(own->needs);
    vdnn_heap_free(own->forward);
    vdnn_heap_free(own->backward);
    vdnn_heap_free(own->chained);
    *own = (vdnn_opt_search){0};
}

static bool may_be_in_pieces(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    return vdnn_decisions_pieces_refusal(graph, decisions, map) == NULL;
}

/* Changes the decision for a map to one that the chains allow, with copies in pieces wherever that
 * is possible. Maps that are recomputed from it are decided before it. */
static void respect_chains(const vdnn_opt_search *own, vdnn_decisions *decisions, int32_t map)
{
    const vdnn_graph *graph = own->graph;
    vdnn_map_decision *at = &decisions->maps[map];
    const vdnn_action otherwise = graph->maps[map].needed_count > 0 ? VDNN_KEEP : VDNN_DROP;
    const bool may_recompute = vdnn_opt_may_recompute(own, decisions, map);
    if ((at->action == VDNN_RECOMPUTE && !may_recompute) ||
        vdnn_decisions_tail_refusal(graph, decisions, map) != NULL)
        *at = (vdnn_map_decision){.action = otherwise, .gradient = at->gradient};
    if (at->action == VDNN_OFFLOAD && at->pieces == 0 &&
        vdnn_decisions_is_inside(graph, decisions, map))
        at->pieces = 1;
    if (at->pieces && !may_be_in_pieces(graph, decisions, map))
        at->pieces = 0;
    if (vdnn_decisions_between_refusal(graph, decisions, map) != NULL)
        at->between = VDNN_KEEP;
}

void vdnn_opt_search_sign(vdnn_decisions *decisions)
{
    decisions->policy = "opt";
    decisions->algo = "search";
}

void vdnn_opt_search_chain(const vdnn_opt_search *own, vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->graph;
    memcpy(decisions->chained, own->chained, (size_t)graph->layer_count * sizeof *own->chained);
    for (int32_t m = graph->map_count - 1; m >= 0; m--)
        respect_chains(own, decisions, m);
}

bool vdnn_opt_search_is_stopped(const vdnn_opt_search *own)
{
    const vdnn_policy_stop *stop = own->request->stop;
    return stop != NULL && stop->asked(stop->argument);
}

/* Sums of the same times in another order may differ by this share. */
static const double ROUNDING = 1e-9;

static bool is_at_its_best(const vdnn_opt_search *own)
{
    return own->found && own->time.offload_bytes == 0 &&
           own->time.step_seconds <= own->least_seconds * (1 + ROUNDING);
}

bool vdnn_opt_search_lasts(const vdnn_opt_search *own)
{
    const vdnn_policy_patience *patience = own->request->patience;
    bool enough = own->until > 0 && own->trials >= own->until;
    return !enough && !is_at_its_best(own) && patience != NULL &&
           patience->lasts(patience->argument, own->trials);
}

vdnn_status vdnn_opt_search_until(vdnn_status (*search)(vdnn_opt_search *own), int64_t trials,
                                  vdnn_opt_search *own)
{
    own->until = own->trials + trials;
    vdnn_status status = search(own);
    own->until = 0;
    return status;
}

vdnn_status vdnn_opt_search_peak(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t limit_bytes, vdnn_device_peak *peak, vdnn_outcome *bound)
{
    own->trials++;
    return vdnn_planning_peak(own->request->planning, decisions, limit_bytes, own->alive, peak,
                              bound);
}

bool vdnn_opt_search_is_held(const vdnn_opt_search *own, const size_t arena_bytes[VDNN_TIER_COUNT])
{
    return vdnn_tier_exceeded_from(VDNN_TIER_HOST, arena_bytes, own->budget_bytes) ==
           VDNN_TIER_COUNT;
}

vdnn_status vdnn_opt_search_pack(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t *arena_bytes)
{
    vdnn_outcome packed;
    VDNN_TRY(vdnn_planning_evaluate(own->request->planning, decisions, VDNN_PACKED, &packed));
    *arena_bytes = vdnn_opt_search_is_held(own, packed.arena_bytes)
                       ? packed.arena_bytes[VDNN_TIER_DEVICE]
                       : SIZE_MAX;
    return VDNN_OK;
}

bool vdnn_opt_search_is_better(const vdnn_opt_search *own, const vdnn_outcome *time)
{
    const vdnn_outcome *best = &own->time;
    if (!own->found)
        return true;
    if (time->step_seconds < best->step_seconds || time->step_seconds > best->step_seconds)
        return time->step_seconds < best->step_seconds;
    if (time->offload_bytes != best->offload_bytes)
        return time->offload_bytes < best->offload_bytes;
    return time->arena_bytes[VDNN_TIER_DEVICE] < best->arena_bytes[VDNN_TIER_DEVICE];
}

vdnn_status vdnn_opt_search_offer(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                  vdnn_outcome *time, bool *taken)
{
    vdnn_outcome made;
    own->trials++;
    *taken = false;
    vdnn_status status =
        vdnn_planning_evaluate(own->request->planning, decisions, VDNN_TIMED, &made);
    if (status == VDNN_OK && time != NULL)
        *time = made;
    if (status != VDNN_OK || !made.fits || !vdnn_opt_search_is_better(own, &made))
        return status;
    if (!own->found)
        status = vdnn_decisions_copy(&own->best, decisions);
    else
        vdnn_decisions_assign(&own->best, decisions);
    if (status != VDNN_OK)
        return status;
    own->found = *taken = true;
    own->time = made;
    return VDNN_OK;
}

/* ---- variants -------------------------------------------------------------------------------- */

vdnn_status vdnn_opt_cut_init(vdnn_opt_cut *own, const vdnn_graph *graph)
{
    const size_t layers = (size_t)graph->layer_count;
    own->parts = vdnn_heap_calloc(layers, sizeof *own->parts);
    own->chained = vdnn_heap_calloc(layers, sizeof *own->chained);
    if (own->parts == NULL || own->chained == NULL) {
        vdnn_opt_cut_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut %zu layers", layers);
    }
    for (int32_t l = 0; l < graph->layer_count; l++)
        own->parts[l] = (int32_t)graph->layers[l].parts;
    return VDNN_OK;
}

void vdnn_opt_cut_fini(vdnn_opt_cut *own)
{
    vdnn_heap_free(own->parts);
    vdnn_heap_free(own->chained);
    *own = (vdnn_opt_cut){0};
}

void vdnn_opt_cut_take(vdnn_opt_cut *own, const vdnn_opt_variant *variant)
{
    for (int32_t l = 0; l < variant->search.graph->layer_count; l++) {
        own->parts[l] = (int32_t)variant->search.graph->layers[l].parts;
        own->chained[l] = variant->search.chained[l];
    }
}

bool vdnn_opt_cut_is(const vdnn_opt_cut *own, const vdnn_opt_variant *variant)
{
    for (int32_t l = 0; l < variant->search.graph->layer_count; l++)
        if (own->parts[l] != (int32_t)variant->search.graph->layers[l].parts ||
            own->chained[l] != variant->search.chained[l])
            return false;
    return true;
}

int32_t vdnn_opt_tried_of(const vdnn_opt_tried *own, double seconds)
{
    return seconds < own->seconds || seconds > own->seconds ? 0 : own->count;
}

static vdnn_status init_variant(const vdnn_policy_request *request, const int32_t *chained,
                                vdnn_opt_variant *own)
{
    own->request = *request;
    own->oracle_seconds = 0;
    own->changes = (vdnn_opt_tried){0};
    return vdnn_opt_search_init(&own->request, chained, &own->search);
}

vdnn_status vdnn_opt_variant_init(const vdnn_policy_request *request, vdnn_opt_variant *own)
{
    return init_variant(request, NULL, own);
}

vdnn_status vdnn_opt_variant_find(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                  int64_t trials, vdnn_opt_variant *own)
{
    vdnn_policy_request of_cut = *request;
    VDNN_TRY(vdnn_planning_in_parts(request->planning, cut->parts, &of_cut.planning));
    vdnn_status status = init_variant(&of_cut, cut->chained, own);
    own->search.trials = trials;
    return status;
}

vdnn_status vdnn_opt_variant_as(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                                int64_t trials, vdnn_opt_variant *own)
{
    const size_t layers = (size_t)request->planning->graph->layer_count;
    vdnn_opt_cut cut;
    bool taken;
    VDNN_TRY(vdnn_opt_cut_init(&cut, request->planning->graph));
    memcpy(cut.parts, decisions->parts, layers * sizeof *cut.parts);
    memcpy(cut.chained, decisions->chained, layers * sizeof *cut.chained);
    vdnn_status status = vdnn_opt_variant_find(request, &cut, trials, own);
    vdnn_opt_cut_fini(&cut);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_search_offer(&own->search, decisions, NULL, &taken);
    if (status != VDNN_OK)
        vdnn_opt_variant_fini(own);
    return status;
}

vdnn_status vdnn_opt_variant_copy(const vdnn_opt_variant *from, vdnn_opt_variant *own)
{
    const vdnn_opt_search *search = &from->search;
    vdnn_status status = init_variant(&from->request, search->chained, own);
    if (status != VDNN_OK)
        return status;
    own->oracle_seconds = from->oracle_seconds;
    own->search.trials = search->trials;
    own->search.least_seconds = search->least_seconds;
    own->search.time = search->time;
    if (search->found)
        status = vdnn_decisions_copy(&own->search.best, &search->best);
    own->search.found = search->found && status == VDNN_OK;
    if (status != VDNN_OK)
        vdnn_opt_variant_fini(own);
    return status;
}

void vdnn_opt_variant_fini(vdnn_opt_variant *own)
{
    vdnn_opt_search_fini(&own->search);
}

bool vdnn_opt_variant_is_cut_like(const vdnn_opt_variant *own, const vdnn_opt_variant *other)
{
    const vdnn_graph *graph = own->search.graph, *others = other->search.graph;
    bool is_alike = true;
    for (int32_t l = 0; l < graph->layer_count && is_alike; l++)
        is_alike = graph->layers[l].parts == others->layers[l].parts &&
                   own->search.chained[l] == other->search.chained[l];
    return is_alike;
}

/* Sums of times may differ by this share. */
static const double TIME_ROUNDING = 1e-6;

bool vdnn_opt_variant_is_slowed(const vdnn_opt_variant *own)
{
    return own->search.time.step_seconds > own->oracle_seconds * (1 + TIME_ROUNDING);
}

void vdnn_opt_variant_replace(vdnn_opt_variant *earlier, const vdnn_opt_variant *later)
{
    const double oracle_seconds = earlier->oracle_seconds;
    vdnn_opt_variant_fini(earlier);
    *earlier = *later;
    earlier->oracle_seconds = oracle_seconds;
    earlier->search.request = &earlier->request;
}

bool vdnn_opt_variant_take_better(vdnn_opt_variant *best, vdnn_opt_variant *other)
{
    const bool is_better =
        other->search.found && vdnn_opt_search_is_better(&best->search, &other->search.time);
    if (is_better)
        vdnn_opt_variant_replace(best, other);
    else
        vdnn_opt_variant_fini(other);
    return is_better;
}

/* Returns the index of the algorithm of the same name. */
static int32_t same_choice(const vdnn_opt_variant *from, const vdnn_opt_variant *to,
                           const vdnn_decisions *decisions, int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *own = vdnn_decisions_choice(decisions, from->search.profile, layer, pass);
    int32_t found =
        own == NULL ? 0 : vdnn_profile_find(to->search.profile, layer, pass, own->algorithm->name);
    return found < 0 ? 0 : found;
}

void vdnn_opt_variant_bring(const vdnn_opt_variant *from, const vdnn_opt_variant *to,
                            vdnn_decisions *decisions)
{
    const vdnn_graph *graph = to->search.graph;
    vdnn_opt_search_sign(decisions);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        decisions->parts[l] = (int32_t)graph->layers[l].parts;
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            decisions->choice[l][p] = same_choice(from, to, decisions, l, (vdnn_pass)p);
    }
    vdnn_opt_search_chain(&to->search, decisions);
}

/* ---- findings that no budget changes --------------------------------------------------------- */

typedef struct entry {
    vdnn_opt_question question;
    const vdnn_graph *graph; /* borrowed */
    XXH128_hash_t about;
    vdnn_decisions held; /* owned; the answer's, if it has any */
    vdnn_opt_answer answer;
    struct entry *next;
} entry;

static void forget_findings(void *found)
{
    for (entry *own = found; own != NULL;) {
        entry *next = own->next;
        vdnn_decisions_fini(&own->held);
        vdnn_heap_free(own);
        own = next;
    }
}

const vdnn_opt_answer *vdnn_opt_findings_find(const vdnn_policy_request *request,
                                              vdnn_opt_question question,
                                              const vdnn_decisions *about)
{
    const XXH128_hash_t key = vdnn_decisions_key(about);
    const entry *own = vdnn_planning_findings(request->planning)->found;
    while (own != NULL && (own->question != question || own->graph != request->planning->graph ||
                           !XXH128_isEqual(own->about, key)))
        own = own->next;
    return own == NULL ? NULL : &own->answer;
}

vdnn_status vdnn_opt_findings_keep(const vdnn_policy_request *request, vdnn_opt_question question,
                                   const vdnn_decisions *about, const vdnn_opt_answer *answer)
{
    vdnn_findings *findings = vdnn_planning_findings(request->planning);
    entry *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to remember a plan");
    *fresh = (entry){.question = question,
                     .graph = request->planning->graph,
                     .about = vdnn_decisions_key(about),
                     .answer = *answer};
    if (answer->decisions != NULL) {
        vdnn_status status = vdnn_decisions_copy(&fresh->held, answer->decisions);
        if (status != VDNN_OK) {
            forget_findings(fresh);
            return status;
        }
        fresh->answer.decisions = &fresh->held;
    }
    fresh->next = findings->found;
    *findings = (vdnn_findings){fresh, forget_findings};
    return VDNN_OK;
}
