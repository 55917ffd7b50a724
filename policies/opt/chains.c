#include "policies/opt/chains.h"

#include "policies/opt/local_search.h"
#include "policies/opt/starts.h"

#include <stdlib.h>
#include <string.h>

const int32_t vdnn_opt_counts[VDNN_OPT_COUNTS] = {1, 2, 4, 8, 16, 32};

/* At most this many first and last layers are compared, in at least this many parts. */
enum { MOST_ENDS = 6, COMPARED_PARTS = 4 };

/* How many first and last layers are compared, and the most bytes that each may read or write, as a
 * share of those of the one before. Chains that must save memory compare ends that are far apart,
 * those that must save time near ones. */
typedef struct spread {
    int count;
    double next;
} spread;

static const spread far = {MOST_ENDS, 0.9}, near = {4, 1};

static const int32_t counts[] = {2, 4, 8, 16, 32, 64};

enum { COUNTS = sizeof counts / sizeof *counts };

/* A chain has to free bytes above this share of the peak, at least this share of them. */
static const double LIMIT = 0.85, LEAST = 0.05;

/* A plan with more steps for each layer is refused, because chains whose maps are recomputed for
 * other chains multiply their parts. */
enum { MOST_STEPS_OF_LAYER = 1024 };

typedef struct ends {
    int32_t layers[MOST_ENDS];
    int count;
} ends;

typedef struct chooser {
    const vdnn_policy_request *request;
    vdnn_opt_variant *variant;
    const vdnn_decisions *decisions;
    vdnn_opt_cut *cut; /* scratch */
    vdnn_opt_chain best;
    bool found;
    size_t limit_bytes;
    double overflow_bytes; /* of the decisions, beyond the limit (vdnn_device_peak) */
    double gain;           /* of the best: what it takes of these for each step */
} chooser;

/* ---- where a chain may begin and end --------------------------------------------------------- */

/* The bytes of maps that are made before a layer, and read by it or after it. */
static size_t crossing_bytes(const vdnn_graph *graph, int32_t layer)
{
    size_t bytes = 0;
    for (int32_t t = 0; t < graph->tensor_count; t++) {
        const vdnn_tensor *own = &graph->tensors[t];
        if (own->producer < layer && own->reader_count > 0 &&
            own->readers[own->reader_count - 1] >= layer)
            bytes += graph->maps[own->map].bytes;
    }
    return bytes;
}

static void add(ends *own, const spread *within, int32_t layer, size_t bytes, size_t *least)
{
    if ((double)bytes >= within->next * (double)*least || own->count == within->count)
        return;
    *least = bytes;
    own->layers[own->count++] = layer;
}

/* Lists first and last layers of chains around a layer, the nearest first: each reads, or writes,
 * less across the end of the chain than the nearer ones. In `cut` every layer that can be is in
 * parts; in `linked` all are chained, in `alone` none. */
static void find_ends(const vdnn_graph *cut, const vdnn_decisions *linked,
                      const vdnn_decisions *alone, const spread *within, int32_t layer, ends *first,
                      ends *last)
{
    size_t least_in = SIZE_MAX, least_out = SIZE_MAX;
    *first = *last = (ends){.count = 0};
    for (int32_t l = layer;; l--) {
        if (l + 1 == cut->layer_count || vdnn_decisions_chain_refusal(cut, alone, l + 1) == NULL)
            add(first, within, l, crossing_bytes(cut, l), &least_in);
        if (vdnn_decisions_chain_refusal(cut, linked, l) != NULL)
            break;
    }
    for (int32_t l = layer;; l++) {
        add(last, within, l, crossing_bytes(cut, l + 1), &least_out);
        if (l + 1 == cut->layer_count || vdnn_decisions_chain_refusal(cut, linked, l + 1) != NULL)
            break;
    }
}

/* Returns the bytes of maps from `layer` on that backward needs. */
static double needed_behind(const vdnn_graph *graph, int32_t layer)
{
    double bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        if (graph->maps[m].needed_count > 0 && graph->maps[m].first_writer >= layer)
            bytes += (double)graph->maps[m].bytes;
    return bytes;
}

/* Lists one tail for each share of the bytes that could be within one: the one that reads the least
 * from before it. */
static void list_tails(const vdnn_graph *cut, const vdnn_decisions *linked,
                       const vdnn_decisions *alone, vdnn_opt_chain list[VDNN_OPT_TAILS_MOST],
                       int *count)
{
    const int32_t loss = cut->layer_count - 1;
    int32_t first = loss;
    while (first > 0 && vdnn_decisions_chain_refusal(cut, linked, first) == NULL)
        first--;
    const double all = needed_behind(cut, first);
    size_t least = SIZE_MAX;
    int before = -1;
    for (int32_t l = first; l < loss; l++) {
        const int share = (int)(VDNN_OPT_TAILS_MOST * (1 - needed_behind(cut, l) / all));
        const size_t bytes = crossing_bytes(cut, l);
        const bool is_new = share > before && *count < VDNN_OPT_TAILS_MOST;
        if ((!is_new && bytes >= least) || vdnn_decisions_chain_refusal(cut, alone, l + 1) != NULL)
            continue;
        *count += is_new;
        list[*count - 1] = (vdnn_opt_chain){l, loss, 0};
        least = bytes;
        before = share > before ? share : before;
    }
}

/* The network with all layers that can be in two parts, once all chained, once none. */
typedef struct linkage {
    const vdnn_graph *cut;
    vdnn_decisions linked, alone;
} linkage;

static vdnn_status link_all(const vdnn_policy_request *request, vdnn_opt_cut *scratch, linkage *own)
{
    vdnn_planning *halved;
    vdnn_graph_in_parts(request->planning->graph, 2, scratch->parts);
    vdnn_status status = vdnn_planning_in_parts(request->planning, scratch->parts, &halved);
    own->cut = status == VDNN_OK ? halved->graph : NULL;
    VDNN_IF_OK(status, vdnn_decisions_init(&own->alone, own->cut));
    if (status != VDNN_OK)
        return status;
    status = vdnn_decisions_init(&own->linked, own->cut);
    if (status != VDNN_OK)
        vdnn_decisions_fini(&own->alone);
    for (int32_t l = 1; status == VDNN_OK && l < own->cut->layer_count; l++)
        own->linked.chained[l] = 1;
    return status;
}

static void unlink_all(linkage *own)
{
    vdnn_decisions_fini(&own->linked);
    vdnn_decisions_fini(&own->alone);
}

static vdnn_status find_ends_around(const vdnn_policy_request *request, const spread *within,
                                    int32_t layer, vdnn_opt_cut *scratch, ends *first, ends *last)
{
    linkage of;
    VDNN_TRY(link_all(request, scratch, &of));
    find_ends(of.cut, &of.linked, &of.alone, within, layer, first, last);
    unlink_all(&of);
    return VDNN_OK;
}

vdnn_status vdnn_opt_chains_around(const vdnn_policy_request *request, int32_t layer,
                                   vdnn_opt_cut *cut, vdnn_opt_chain list[VDNN_OPT_CHAINS_MOST],
                                   int *count)
{
    ends first, last;
    vdnn_status status = find_ends_around(request, &near, layer, cut, &first, &last);
    *count = status == VDNN_OK ? first.count * last.count * VDNN_OPT_COUNTS : 0;
    for (int i = 0; i < *count; i++) {
        const int at = i / VDNN_OPT_COUNTS;
        list[i] = (vdnn_opt_chain){first.layers[at / last.count], last.layers[at % last.count],
                                   vdnn_opt_counts[i % VDNN_OPT_COUNTS]};
    }
    return status;
}

vdnn_status vdnn_opt_chains_to_loss(const vdnn_policy_request *request, vdnn_opt_cut *cut,
                                    vdnn_opt_chain list[VDNN_OPT_TAILS_MOST], int *count)
{
    linkage of;
    vdnn_status status = link_all(request, cut, &of);
    *count = 0;
    if (status != VDNN_OK)
        return status;
    list_tails(of.cut, &of.linked, &of.alone, list, count);
    unlink_all(&of);
    return VDNN_OK;
}

/* ---- one chain ------------------------------------------------------------------------------- */

void vdnn_opt_chains_link(const vdnn_opt_variant *variant, const vdnn_opt_chain *of,
                          vdnn_opt_cut *cut)
{
    const vdnn_graph *graph = variant->search.graph;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const bool is_in = l >= of->first && l <= of->last;
        cut->parts[l] = is_in ? of->parts : (int32_t)graph->layers[l].parts;
        cut->chained[l] = is_in ? l > of->first : variant->search.chained[l];
    }
    for (int32_t l = of->last + 1; l < graph->layer_count && cut->chained[l]; l++)
        cut->chained[l] = 0;
}

bool vdnn_opt_chains_may_be(const vdnn_policy_request *request, const vdnn_opt_chain *of)
{
    const vdnn_graph *graph = request->planning->graph;
    bool may_be = of->parts > 1 || of->first == of->last;
    for (int32_t l = of->first; l <= of->last && may_be; l++)
        may_be = vdnn_graph_most_parts(graph, l) >= of->parts &&
                 of->parts >= (int32_t)graph->layers[l].parts &&
                 vdnn_decisions_chain_has_room(graph, of->first, l);
    return may_be;
}

/* Finds the peak of the decisions with one chain more. */
static vdnn_status try_link(chooser *own, const vdnn_opt_chain *of, vdnn_device_peak *peak)
{
    vdnn_opt_variant next;
    vdnn_decisions brought;
    vdnn_outcome bound;
    vdnn_opt_chains_link(own->variant, of, own->cut);
    VDNN_TRY(vdnn_opt_variant_find(own->request, own->cut, 0, &next));
    vdnn_status status = vdnn_decisions_copy(&brought, own->decisions);
    if (status == VDNN_OK) {
        vdnn_opt_variant_bring(own->variant, &next, &brought);
        status = vdnn_planning_peak(next.request.planning, &brought, own->limit_bytes, NULL, peak,
                                    &bound);
        vdnn_decisions_fini(&brought);
    }
    vdnn_opt_variant_fini(&next);
    return status;
}

/* Parts of layers. */
static double steps_of(const vdnn_opt_chain *of)
{
    return (double)(of->last - of->first + 1) * of->parts;
}

/* Whether the chain would be better than the best one if it freed all bytes above the limit. */
static bool may_be_better(const chooser *own, const vdnn_opt_chain *of)
{
    return vdnn_opt_chains_may_be(own->request, of) &&
           own->overflow_bytes / steps_of(of) > own->gain;
}

static vdnn_status try_chain(chooser *own, vdnn_opt_chain of)
{
    vdnn_device_peak peak;
    if (!may_be_better(own, &of))
        return VDNN_OK;
    own->variant->search.trials++;
    VDNN_TRY(try_link(own, &of, &peak));
    const double taken = own->overflow_bytes - peak.overflow_bytes, gain = taken / steps_of(&of);
    const bool is_long =
        peak.steps / own->request->planning->graph->layer_count > MOST_STEPS_OF_LAYER;
    if (is_long || taken < LEAST * own->overflow_bytes || gain <= own->gain)
        return VDNN_OK;
    own->best = of;
    own->gain = gain;
    own->found = true;
    return VDNN_OK;
}

static vdnn_status try_list(chooser *own, const vdnn_opt_chain *list, int count)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < count && status == VDNN_OK; i++)
        status = try_chain(own, list[i]);
    return status;
}

/* Short chains come first: most long ones, which take longer to try, cannot be better than they
 * are. */
static int by_layers(const void *left, const void *right)
{
    const vdnn_opt_chain *a = left, *b = right;
    const int32_t layers_a = a->last - a->first, layers_b = b->last - b->first;
    return layers_a != layers_b ? layers_a - layers_b : a->first - b->first;
}

/* Tries the chains from each first layer to each last one, then the best of them in other parts. */
static vdnn_status try_chains(chooser *own, int32_t parts, const ends *first, const ends *last)
{
    vdnn_opt_chain list[MOST_ENDS * MOST_ENDS] = {{.first = 0}}, others[COUNTS];
    const int count = first->count * last->count;
    for (int i = 0; i < count; i++)
        list[i] =
            (vdnn_opt_chain){first->layers[i / last->count], last->layers[i % last->count], parts};
    qsort(list, (size_t)count, sizeof *list, by_layers);
    vdnn_status status = try_list(own, list, count);
    if (status != VDNN_OK || !own->found)
        return status;
    for (int i = 0; i < COUNTS; i++)
        others[i] = (vdnn_opt_chain){own->best.first, own->best.last, counts[i]};
    return try_list(own, others, COUNTS);
}

/* Tries more parts for the chain that the layer is in now. */
static vdnn_status try_more_parts(chooser *own, int32_t layer)
{
    const vdnn_graph *graph = own->variant->search.graph;
    const int32_t parts = (int32_t)graph->layers[layer].parts,
                  first = vdnn_decisions_chain_begin(own->decisions, layer),
                  last = vdnn_decisions_chain_end(own->decisions, layer) - 1;
    vdnn_opt_chain list[COUNTS];
    int count = 0;
    for (int i = 0; i < COUNTS && parts > 1; i++)
        if (counts[i] > parts)
            list[count++] = (vdnn_opt_chain){first, last, counts[i]};
    return try_list(own, list, count);
}

/* Returns the number of parts to compare chains in, which is more than the layer has. */
static int32_t compared_parts(const chooser *own, int32_t layer)
{
    const int64_t parts = own->variant->search.graph->layers[layer].parts,
                  most = vdnn_graph_most_parts(own->request->planning->graph, layer);
    int64_t compared = parts < COMPARED_PARTS ? COMPARED_PARTS : 2 * parts;
    return (int32_t)(compared < most ? compared : most);
}

static vdnn_status choose_chain(chooser *own)
{
    ends first, last;
    vdnn_device_peak peak;
    vdnn_outcome bound;
    vdnn_opt_search *search = &own->variant->search;
    vdnn_status status = vdnn_opt_search_peak(search, own->decisions, 0, &peak, &bound);
    if (status != VDNN_OK || peak.layer < 0)
        return status;
    own->limit_bytes = (size_t)(LIMIT * (double)peak.bytes);
    status = vdnn_opt_search_peak(search, own->decisions, own->limit_bytes, &peak, &bound);
    own->overflow_bytes = peak.overflow_bytes;
    VDNN_IF_OK(status, find_ends_around(own->request, &far, peak.layer, own->cut, &first, &last));
    VDNN_IF_OK(status, try_chains(own, compared_parts(own, peak.layer), &first, &last));
    return status == VDNN_OK ? try_more_parts(own, peak.layer) : status;
}

vdnn_status vdnn_opt_chains_choose(const vdnn_policy_request *request, vdnn_opt_variant *variant,
                                   const vdnn_decisions *decisions, vdnn_opt_cut *cut, bool *found)
{
    chooser own = {.request = request, .variant = variant, .decisions = decisions, .cut = cut};
    vdnn_status status = choose_chain(&own);
    *found = own.found;
    if (status == VDNN_OK && own.found)
        vdnn_opt_chains_link(variant, &own.best, cut);
    return status;
}

/* ---- attempts -------------------------------------------------------------------------------- */

/* A plan that fits may get better by keeping more. It is improved if it is slower than the best by
 * at most this share of what memory costs the best. */
static const double SHARE_OF_LOSS = 0.2;

/* Offloads what is now made within a chain; what was kept within one before stays. */
static void offload_inside(const vdnn_opt_variant *variant, const vdnn_decisions *before,
                           vdnn_decisions *decisions)
{
    const vdnn_graph *graph = variant->search.graph;
    for (int32_t m = 0; m < graph->map_count; m++) {
        vdnn_map_decision *at = &decisions->maps[m];
        if (vdnn_decisions_keeps_all(at) && vdnn_decisions_is_inside(graph, decisions, m) &&
            !vdnn_decisions_is_inside(graph, before, m))
            *at = (vdnn_map_decision){.action = VDNN_OFFLOAD,
                                      .leaves = graph->maps[m].last_forward,
                                      .returns = graph->maps[m].needed_by[0],
                                      .gradient = at->gradient};
    }
    vdnn_opt_search_chain(&variant->search, decisions);
}

static void bring_into(const vdnn_opt_variant *from, const vdnn_decisions *before,
                       const vdnn_opt_chain *refreshed, vdnn_opt_attempt *own)
{
    vdnn_opt_variant_bring(from, &own->variant, &own->made);
    offload_inside(&own->variant, before, &own->made);
    for (int32_t l = refreshed == NULL ? 0 : refreshed->first;
         refreshed != NULL && l <= refreshed->last; l++)
        vdnn_opt_choose_fastest_of(own->variant.search.profile, l, &own->made);
}

static vdnn_status begin_attempt(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                 const vdnn_opt_variant *from, const vdnn_decisions *decisions,
                                 const vdnn_opt_chain *refreshed, vdnn_opt_attempt *own)
{
    *own = (vdnn_opt_attempt){.peak.layer = -1};
    vdnn_status status = vdnn_opt_variant_find(request, cut, from->search.trials, &own->variant);
    VDNN_IF_OK(status, vdnn_decisions_copy(&own->made, decisions));
    if (status == VDNN_OK)
        bring_into(from, decisions, refreshed, own);
    return status;
}

vdnn_status vdnn_opt_attempt_init(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                  vdnn_opt_variant *from, const vdnn_decisions *decisions,
                                  const vdnn_opt_chain *refreshed, vdnn_opt_attempt *own)
{
    vdnn_status status = begin_attempt(request, cut, from, decisions, refreshed, own);
    if (status == VDNN_OK) {
        status = vdnn_opt_attempt_bound(own);
        from->search.trials = own->variant.search.trials;
    }
    if (status != VDNN_OK)
        vdnn_opt_attempt_fini(own);
    return status;
}

void vdnn_opt_attempt_fini(vdnn_opt_attempt *own)
{
    vdnn_decisions_fini(&own->made);
    vdnn_opt_variant_fini(&own->variant);
}

vdnn_status vdnn_opt_attempt_bound(vdnn_opt_attempt *own)
{
    vdnn_opt_search *search = &own->variant.search;
    search->request = &own->variant.request;
    return vdnn_opt_search_peak(search, &own->made,
                                own->variant.search.budget_bytes[VDNN_TIER_DEVICE], &own->peak,
                                &own->bound);
}

vdnn_status vdnn_opt_attempt_climb(vdnn_opt_attempt *own, const vdnn_opt_variant *best,
                                   int64_t trials)
{
    const double seconds = best->search.time.step_seconds;
    vdnn_opt_search *search = &own->variant.search;
    search->request = &own->variant.request;
    search->most_seconds = seconds + SHARE_OF_LOSS * (seconds - best->oracle_seconds);
    search->until = search->trials + trials;
    vdnn_status status = vdnn_opt_descend_from(search, &own->made);
    if (status == VDNN_OK && search->found)
        status = vdnn_opt_relax(search);
    search->until = 0;
    return status;
}

bool vdnn_opt_attempt_take_better(vdnn_opt_variant *best, vdnn_opt_attempt *own)
{
    vdnn_decisions_fini(&own->made);
    best->search.trials = own->variant.search.trials;
    return vdnn_opt_variant_take_better(best, &own->variant);
}

void vdnn_opt_attempt_replace(vdnn_opt_attempt *own, const vdnn_opt_attempt *by)
{
    const int64_t trials = own->variant.search.trials;
    vdnn_opt_attempt_fini(own);
    *own = *by;
    own->variant.search.request = &own->variant.request;
    if (own->variant.search.trials < trials)
        own->variant.search.trials = trials;
}

/* ---- one chain more each --------------------------------------------------------------------- */

enum { MOST_CHAINS = 32 };

vdnn_status vdnn_opt_chain_sequence_init(const vdnn_policy_request *request,
                                         const vdnn_decisions *from, int64_t trials,
                                         vdnn_opt_chain_sequence *own)
{
    *own = (vdnn_opt_chain_sequence){.request = request};
    vdnn_status status = vdnn_opt_cut_init(&own->cut, request->planning->graph);
    VDNN_IF_OK(status, vdnn_decisions_copy(&own->decisions, from));
    VDNN_IF_OK(status, vdnn_opt_variant_find(request, &own->cut, trials, &own->at));
    if (status != VDNN_OK)
        vdnn_opt_chain_sequence_fini(own);
    return status;
}

void vdnn_opt_chain_sequence_fini(vdnn_opt_chain_sequence *own)
{
    vdnn_opt_variant_fini(&own->at);
    vdnn_decisions_fini(&own->decisions);
    vdnn_opt_cut_fini(&own->cut);
}

static vdnn_status find_next(vdnn_opt_chain_sequence *own, bool *found)
{
    vdnn_opt_search *search = &own->at.search;
    const int64_t begun = search->trials;
    VDNN_TRY(vdnn_opt_chains_choose(own->request, &own->at, &own->decisions, &own->cut, found));
    vdnn_decisions linked = own->decisions;
    linked.parts = own->cut.parts;
    linked.chained = own->cut.chained;
    const vdnn_opt_answer answer = {*found ? &linked : NULL, 0, search->trials - begun};
    return vdnn_opt_findings_keep(search->request, VDNN_OPT_CHAIN, &own->decisions, &answer);
}

/* Sets the cut to one chain more: one that was found before under another budget, or one that is
 * found now. */
static vdnn_status choose_next(vdnn_opt_chain_sequence *own, bool *found)
{
    vdnn_opt_search *search = &own->at.search;
    const size_t layers = (size_t)own->decisions.layer_count;
    const vdnn_opt_answer *known =
        vdnn_opt_findings_find(search->request, VDNN_OPT_CHAIN, &own->decisions);
    if (known == NULL)
        return find_next(own, found);
    search->trials += known->trials;
    *found = known->decisions != NULL;
    if (!*found)
        return VDNN_OK;
    memcpy(own->cut.parts, known->decisions->parts, layers * sizeof *own->cut.parts);
    memcpy(own->cut.chained, known->decisions->chained, layers * sizeof *own->cut.chained);
    return VDNN_OK;
}

vdnn_status vdnn_opt_chain_sequence_step(vdnn_opt_chain_sequence *own, bool *found)
{
    vdnn_opt_variant next;
    vdnn_status status = choose_next(own, found);
    *found = status == VDNN_OK && *found && own->chains++ < MOST_CHAINS;
    if (status != VDNN_OK || !*found)
        return status;
    VDNN_TRY(vdnn_opt_variant_find(own->request, &own->cut, own->at.search.trials, &next));
    vdnn_opt_variant_bring(&own->at, &next, &own->decisions);
    vdnn_opt_variant_replace(&own->at, &next);
    return VDNN_OK;
}

/* ---- plans of chains ------------------------------------------------------------------------- */

/* Trials in one variant; after this many variants that are no better than the best, no other is
 * probed. */
enum { PROBE_TRIALS = 100, MOST_WORSE = 4 };

/* Descends from some decisions with the fastest algorithms that fit. */
static vdnn_status climb_fitting(vdnn_opt_search *own, vdnn_decisions *made)
{
    own->until = own->trials + PROBE_TRIALS;
    vdnn_status status = vdnn_opt_choose_fitting(own->request, made);
    VDNN_IF_OK(status, vdnn_opt_descend_from(own, made));
    own->until = 0;
    return status;
}

vdnn_status vdnn_opt_probe(vdnn_opt_variant *own)
{
    vdnn_decisions made;
    VDNN_TRY(vdnn_decisions_copy(&made, &own->search.best));
    vdnn_status status = climb_fitting(&own->search, &made);
    vdnn_decisions_fini(&made);
    return status;
}

static void offload_params(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    const vdnn_graph *graph = request->planning->graph;
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (vdnn_decisions_params_refusal(&graph->layers[l]) == NULL)
            decisions->params[l].action = VDNN_OFFLOAD;
}

/* Descends from the decisions of a sequence's variant, with parameters kept or offloaded. Sets
 * *fits if a plan fits. */
static vdnn_status probe_params(vdnn_opt_chain_sequence *sequence, bool keeps_params,
                                vdnn_opt_variant *best, bool *fits)
{
    vdnn_opt_variant own;
    vdnn_decisions made;
    VDNN_TRY(vdnn_decisions_copy(&made, &sequence->decisions));
    if (!keeps_params)
        offload_params(sequence->request, &made);
    vdnn_status status =
        vdnn_opt_variant_find(sequence->request, &sequence->cut, sequence->at.search.trials, &own);
    if (status == VDNN_OK) {
        status = climb_fitting(&own.search, &made);
        sequence->at.search.trials = own.search.trials;
        *fits = *fits || own.search.found;
        vdnn_opt_variant_take_better(best, &own);
    }
    vdnn_decisions_fini(&made);
    return status;
}

static int32_t count_chained(const vdnn_opt_search *own)
{
    int32_t count = 0;
    for (int32_t l = 0; l < own->graph->layer_count; l++)
        count += own->chained[l] != 0;
    return count;
}

/* Adds a chain, and as many as the best plan has: with fewer chains no plan was found. */
static vdnn_status step_to(vdnn_opt_chain_sequence *sequence, const vdnn_opt_variant *best,
                           bool *found)
{
    const int32_t count = count_chained(&best->search);
    vdnn_status status = VDNN_OK;
    bool is_above = true;
    while (is_above && *found && status == VDNN_OK && vdnn_opt_search_lasts(&sequence->at.search)) {
        status = vdnn_opt_chain_sequence_step(sequence, found);
        is_above = count_chained(&sequence->at.search) < count;
    }
    return status;
}

/* Probes a variant with its parameters kept, then with these offloaded. */
static vdnn_status probe_both(vdnn_opt_chain_sequence *sequence, vdnn_opt_variant *best, bool *fits)
{
    *fits = false;
    vdnn_status status = probe_params(sequence, true, best, fits);
    return status == VDNN_OK ? probe_params(sequence, false, best, fits) : status;
}

vdnn_status vdnn_opt_probe_chains(vdnn_opt_chain_sequence *sequence, vdnn_opt_variant *best)
{
    bool found = true, fits = false;
    vdnn_status status = step_to(sequence, best, &found);
    for (int worse = 0; worse < MOST_WORSE && status == VDNN_OK && found &&
                        vdnn_opt_search_lasts(&sequence->at.search);) {
        const double before = best->search.time.step_seconds;
        status = probe_both(sequence, best, &fits);
        worse = best->search.time.step_seconds < before ? 0 : worse + fits;
        if (status == VDNN_OK && worse < MOST_WORSE && vdnn_opt_search_lasts(&sequence->at.search))
            status = vdnn_opt_chain_sequence_step(sequence, &found);
    }
    return status;
}
