#include "policies/opt/starts.h"

#include "policies/algorithm_choice.h"
#include "policies/late_load.h"
#include "policies/offload_rule.h"
#include "policies/opt/local_search.h"
#include "policies/opt/prices.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <string.h>

/* Where little work does not pack it, with all of it. */
static vdnn_status offer_packed(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_policy_request *request = own->request;
    vdnn_outcome least, packed, time = {.fits = false};
    bool taken;
    vdnn_status status = vdnn_opt_search_offer(own, decisions, &time, &taken);
    if (status != VDNN_OK || time.fits)
        return status;
    status = vdnn_planning_evaluate(request->planning, decisions, VDNN_BOUND, &least);
    if (status != VDNN_OK || !least.fits)
        return status;
    status = vdnn_planning_evaluate(request->planning, decisions, VDNN_WHOLE, &packed);
    return status == VDNN_OK ? vdnn_opt_search_offer(own, decisions, NULL, &taken) : status;
}

/* As it is, and with the next batch loaded ahead or late: what the policy's plan would be, too. */
static vdnn_status offer_all(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    const vdnn_policy_request *request = own->request;
    vdnn_status status = offer_packed(own, decisions);
    if (status != VDNN_OK ||
        !vdnn_decisions_may_load_ahead(request->planning->graph, request->planning->profile))
        return status;
    decisions->loads = VDNN_LOADS_AHEAD;
    status = offer_packed(own, decisions);
    vdnn_late_load_decide(request->planning->graph, request->planning->profile, decisions);
    VDNN_IF_OK(status, offer_packed(own, decisions));
    decisions->loads = VDNN_LOADS_OWN;
    decisions->load_layer = 0;
    return status;
}

void vdnn_opt_choose_fastest_of(const vdnn_policy_request *request, int32_t layer,
                                vdnn_decisions *decisions)
{
    const vdnn_layer_profile *at = &request->planning->profile->layers[layer];
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        if (at->choice_count[p] == 0)
            continue;
        int32_t fastest = vdnn_profile_fastest(request->planning->profile, layer, (vdnn_pass)p);
        if (p != VDNN_FORWARD || at->choices[p][fastest].algorithm->deterministic)
            decisions->choice[layer][p] = fastest;
    }
}

/* Of a pass, the fastest algorithm with so little workspace; of forward, a deterministic one. Where
 * none takes less than `seconds`, the choice stays. */
static void choose_within(const vdnn_layer_profile *at, vdnn_pass pass, size_t free_bytes,
                          double seconds, int32_t *choice)
{
    for (int32_t i = 0; i < at->choice_count[pass]; i++) {
        const vdnn_choice *other = &at->choices[pass][i];
        if (other->workspace_bytes > free_bytes || other->seconds >= seconds ||
            (pass == VDNN_FORWARD && !other->algorithm->deterministic))
            continue;
        seconds = other->seconds;
        *choice = i;
    }
}

vdnn_status vdnn_opt_choose_fitting(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    const size_t budget = request->planning->budget_bytes[VDNN_TIER_DEVICE];
    const int32_t layers = request->planning->graph->layer_count;
    vdnn_outcome bound;
    vdnn_live *live = vdnn_heap_calloc((size_t)layers, sizeof(vdnn_live));
    if (live == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose algorithms of %d layers",
                                (int)layers);
    vdnn_status status = vdnn_algorithm_choice(request, VDNN_ALGO_M, decisions);
    VDNN_IF_OK(status, vdnn_planning_live(request->planning, decisions, live, &bound));
    for (int32_t l = 0; l < layers && status == VDNN_OK; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_layer_profile *at = &request->planning->profile->layers[l];
            const size_t taken = live[l][p != VDNN_FORWARD];
            int32_t *choice = &decisions->choice[l][p];
            if (at->choice_count[p] > 0)
                choose_within(at, (vdnn_pass)p, budget > taken ? budget - taken : 0,
                              at->choices[p][*choice].seconds, choice);
        }
    vdnn_heap_free(live);
    return status;
}

vdnn_status vdnn_opt_start_fastest(const vdnn_opt_search *own, vdnn_decisions *start)
{
    const vdnn_policy_request *request = own->request;
    VDNN_TRY(vdnn_offload_rule_decide(request, &vdnn_offload_none, VDNN_ALGO_P, start));
    for (int32_t l = 0; l < request->planning->graph->layer_count; l++)
        vdnn_opt_choose_fastest_of(request, l, start);
    vdnn_opt_search_sign(start);
    vdnn_opt_search_chain(own, start);
    if (vdnn_decisions_may_load_ahead(request->planning->graph, request->planning->profile))
        start->loads = VDNN_LOADS_AHEAD;
    return VDNN_OK;
}

/* Where everything kept fits, it is the best, and moves nothing. */
static vdnn_status offer_kept(vdnn_opt_search *own, vdnn_decisions *start)
{
    const vdnn_loads loads = start->loads;
    start->loads = VDNN_LOADS_OWN;
    vdnn_status status = offer_all(own, start);
    start->loads = loads;
    return status;
}

/* With few trials: something good to have early. */
static vdnn_status descend_hastily(vdnn_opt_search *own, vdnn_decisions *start)
{
    own->pace = VDNN_OPT_HASTY;
    vdnn_status status = vdnn_opt_descend_from(own, start);
    own->pace = VDNN_OPT_STEADY;
    return status;
}

/* What a second of the link is taken to cost: at a low price all is offloaded as long as copies are
 * hidden. 0: as much as the link is busy. */
static const double descent_prices[] = {0.06, 0};

enum { DESCENTS = sizeof descent_prices / sizeof *descent_prices, DESCENT_TRIALS = 800 };

vdnn_status vdnn_opt_descend_at_prices(vdnn_opt_search *own)
{
    vdnn_decisions start, made;
    VDNN_TRY(vdnn_opt_start_fastest(own, &start));
    vdnn_status status = vdnn_decisions_copy(&made, &start);
    for (int i = 0; i < DESCENTS && status == VDNN_OK && vdnn_opt_search_lasts(own); i++) {
        vdnn_decisions_assign(&made, &start);
        own->link_price = descent_prices[i];
        own->until = own->trials + DESCENT_TRIALS;
        status = vdnn_opt_descend_from(own, &made);
        own->until = 0;
    }
    own->link_price = 0;
    vdnn_decisions_fini(&made);
    vdnn_decisions_fini(&start);
    return status;
}

/* What each of them decides. */
static vdnn_status offer_policies(vdnn_opt_search *own)
{
    extern const vdnn_policy vdnn_policy_base, vdnn_policy_all, vdnn_policy_conv, vdnn_policy_dyn;
    static const struct {
        const vdnn_policy *policy;
        vdnn_algo_mode mode;
    } starts[] = {{&vdnn_policy_dyn, VDNN_ALGO_P},  {&vdnn_policy_base, VDNN_ALGO_P},
                  {&vdnn_policy_conv, VDNN_ALGO_P}, {&vdnn_policy_all, VDNN_ALGO_P},
                  {&vdnn_policy_base, VDNN_ALGO_M}, {&vdnn_policy_conv, VDNN_ALGO_M},
                  {&vdnn_policy_all, VDNN_ALGO_M}};
    vdnn_policy_request request = *own->request;
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof starts / sizeof *starts && status == VDNN_OK; i++) {
        vdnn_decisions made;
        request.algo = starts[i].mode;
        status = starts[i].policy->decide(&request, &made);
        if (status != VDNN_OK && status != VDNN_NO_FIT)
            return status;
        vdnn_opt_search_chain(own, &made);
        status = offer_all(own, &made);
        vdnn_decisions_fini(&made);
    }
    return status;
}

vdnn_status vdnn_opt_offer_starts(vdnn_opt_search *own)
{
    vdnn_decisions fastest;
    VDNN_TRY(offer_policies(own));
    VDNN_TRY(vdnn_opt_start_fastest(own, &fastest));
    vdnn_status status = offer_kept(own, &fastest);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = vdnn_opt_offer_relaxed(own);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = descend_hastily(own, &fastest);
    vdnn_decisions_fini(&fastest);
    return status;
}

/* ---- starts by prices ------------------------------------------------------------------------ */

/* What a second of the link costs: beyond that, copies wait for each other (opt/prices.h). */
static const double link_prices[] = {0.06, 0.045, 0.03, 0.09, 0.12, 0.25};

enum { LINK_PRICES = sizeof link_prices / sizeof *link_prices };

/* Plans between the lowest and the highest price of all steps, and of the turns in which those of
 * single steps change, at the highest price and at that; of this many turns the best plan that
 * exceeds the budget is made to fit. */
enum { HALVINGS = 12, HIGHEST_TURNS = 32, TURNS = 24, TURNS_OF_REPAIR = 6, REPAIR_TRIALS = 60 };

/* In units in which the whole budget costs a step: at the highest nothing counts but memory. */
static const double LOWEST = 1e-2, HIGHEST = 1e3;

/* The part of all prices that moves to the steps that exceed the budget in the first turn, and the
 * turns in which that halves; how much more it is for each part of the budget that is exceeded. */
static const double RATE = 0.1, SLOWING = 8, GROWTH = 5;

/* The same share for the smallest arena, and the part of the last arena below which the next is
 * looked for: all that counts is to come down quickly. */
static const double STEEP_RATE = 0.4, NEXT_ARENA = 0.8;

/* Of a step that does not exceed the budget at first, beside one that does. */
static const double LOW_SHAPE = 1e-2;

/* Of the host tier, once it is exceeded, beside all steps together: at the most nothing is copied
 * out to save what it takes from the device during the whole step. */
static const double LEAST_HOST = 1.0 / 16, MOST_HOST = 4;

/* How many times as long as forward it takes to copy all maps out, where the link is slow. */
static const double SLOW = 32;

typedef struct relaxation {
    vdnn_opt_search *own;
    vdnn_opt_prices prices;
    double *shape;          /* owned; (steps), parts of the price */
    double *used;           /* owned; (steps + 1), bytes of the last choice, and of the host */
    vdnn_live *live;        /* owned; of the last plan */
    vdnn_decisions made;    /* owned */
    vdnn_decisions closest; /* owned; the best of what exceeds the budget */
    vdnn_outcome bound;     /* of the last plan */
    double closest_worth;
    double device_bytes; /* to fit in */
    double host_shape;   /* beside all steps together, the host tier's price */
    bool fits;
} relaxation;

/* Behind the steps, the host tier has a price, too. */
static double exceeded_bytes(const relaxation *r, int32_t step)
{
    const double host = (double)r->own->request->planning->budget_bytes[VDNN_TIER_HOST];
    return fmax(r->used[step] - (step < r->prices.steps ? r->device_bytes : host), 0);
}

/* ---- one plan -------------------------------------------------------------------------------- */

static size_t workspace_of(const relaxation *r, int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *choice =
        vdnn_decisions_choice(&r->made, r->own->request->planning->profile, layer, pass);
    return choice == NULL ? 0 : choice->workspace_bytes;
}

static double used_bytes(const relaxation *r, int32_t step)
{
    const int32_t layers = r->prices.steps / 2;
    if (step < layers)
        return (double)(r->live[step][0] + workspace_of(r, step, VDNN_FORWARD));
    const int32_t layer = r->prices.steps - 1 - step;
    const size_t data = workspace_of(r, layer, VDNN_BACKWARD_DATA),
                 filter = workspace_of(r, layer, VDNN_BACKWARD_FILTER);
    return (double)(r->live[layer][1] + (data > filter ? data : filter));
}

static vdnn_status bound_made(relaxation *r)
{
    vdnn_planning *planning = r->own->request->planning;
    memset(r->live, 0, (size_t)r->made.layer_count * sizeof *r->live);
    r->own->trials++;
    vdnn_status status = vdnn_planning_live(planning, &r->made, r->live, &r->bound);
    r->fits = status == VDNN_OK && r->bound.fits;
    return status;
}

static void note_use(relaxation *r)
{
    for (int32_t t = 0; t < r->prices.steps; t++)
        r->used[t] = used_bytes(r, t);
    r->used[r->prices.steps] = (double)r->bound.arena_bytes[VDNN_TIER_HOST];
}

/* The fastest whose workspace fits beside what is alive, if one does; what runs once more in
 * backward keeps its own. */
static void refit_pass(relaxation *r, int32_t layer, vdnn_pass pass)
{
    const vdnn_policy_request *request = r->own->request;
    const vdnn_layer_profile *at = &request->planning->profile->layers[layer];
    const size_t taken = r->live[layer][pass != VDNN_FORWARD],
                 budget = request->planning->budget_bytes[VDNN_TIER_DEVICE];
    const int32_t map =
        request->planning->graph->tensors[request->planning->graph->layers[layer].output].map;
    if (taken > budget || (pass == VDNN_FORWARD && vdnn_decisions_recomputes(&r->made, map)))
        return;
    choose_within(at, pass, budget - taken, HUGE_VAL, &r->made.choice[layer][pass]);
}

/* What a step's workspace takes beyond the budget costs no more than a slower algorithm, so that
 * no price has to be as high as that. */
static vdnn_status refit(relaxation *r)
{
    for (int32_t l = 0; l < r->made.layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            refit_pass(r, l, (vdnn_pass)p);
    return bound_made(r);
}

/* What fits and may be better is offered; packing may take more. */
static vdnn_status offer_made(relaxation *r)
{
    vdnn_outcome time;
    bool taken;
    if (!r->fits || !vdnn_opt_search_is_better(r->own, &r->bound))
        return VDNN_OK;
    vdnn_status status = vdnn_opt_search_offer(r->own, &r->made, &time, &taken);
    r->fits = status == VDNN_OK && time.fits;
    return status;
}

/* Seconds of the last plan, and of what it exceeds the budget by at the present prices. */
static double worth(const relaxation *r)
{
    double seconds = r->bound.step_seconds;
    for (int32_t t = 0; t < r->prices.steps; t++)
        seconds += r->prices.of_byte[t] * exceeded_bytes(r, t);
    return seconds + r->prices.of_host * exceeded_bytes(r, r->prices.steps);
}

static double sum_of_shape(const relaxation *r)
{
    double sum = 0;
    for (int32_t t = 0; t < r->prices.steps; t++)
        sum += r->shape[t];
    return sum;
}

static vdnn_status choose(relaxation *r, double price)
{
    for (int32_t t = 0; t < r->prices.steps; t++)
        r->prices.of_byte[t] = price * r->shape[t];
    r->prices.of_host = price * r->host_shape * sum_of_shape(r);
    vdnn_opt_prices_choose(&r->prices, r->own, &r->made);
    vdnn_status status = bound_made(r);
    note_use(r);
    return status;
}

static vdnn_status try_price(relaxation *r, double price)
{
    vdnn_status status = choose(r, price);
    VDNN_IF_OK(status, refit(r));
    VDNN_IF_OK(status, offer_made(r));
    if (status == VDNN_OK && !r->fits && worth(r) < r->closest_worth) {
        r->closest_worth = worth(r);
        vdnn_decisions_assign(&r->closest, &r->made);
    }
    return status;
}

/* Makes what comes closest fit, by single moves. */
static vdnn_status repair(relaxation *r)
{
    vdnn_status status = VDNN_OK;
    r->own->until = r->own->trials + REPAIR_TRIALS;
    if (r->closest_worth < HUGE_VAL)
        status = vdnn_opt_descend_from(r->own, &r->closest);
    r->own->until = 0;
    r->closest_worth = HUGE_VAL;
    return status;
}

/* ---- the prices of steps and of the host ----------------------------------------------------- */

static vdnn_status begin_shape(relaxation *r, const vdnn_decisions *start)
{
    double sum = 0;
    vdnn_decisions_assign(&r->made, start);
    vdnn_status status = bound_made(r);
    note_use(r);
    for (int32_t t = 0; t < r->prices.steps; t++)
        sum += r->shape[t] = exceeded_bytes(r, t) > 0 ? 1 : LOW_SHAPE;
    for (int32_t t = 0; t < r->prices.steps; t++)
        r->shape[t] /= sum;
    return status;
}

/* Prices sink, and rise where the budget is exceeded, as far as each step exceeds it. */
static void reshape(relaxation *r, double rate)
{
    double total = 0, excess = 0, most = 0;
    for (int32_t t = 0; t < r->prices.steps; t++) {
        const double over = exceeded_bytes(r, t);
        total += r->shape[t];
        excess += over;
        most = fmax(most, over);
    }
    const double added = rate * total * (1 + fmin(1, GROWTH * most / r->device_bytes));
    for (int32_t t = 0; t < r->prices.steps; t++) {
        r->shape[t] *= 1 - rate;
        if (excess > 0)
            r->shape[t] += added * exceeded_bytes(r, t) / excess;
    }
}

/* The host tier's price rises until it is enough; what the link cannot relieve is recomputed. */
static bool raise_host(relaxation *r)
{
    if (exceeded_bytes(r, r->prices.steps) <= 0 || r->host_shape >= MOST_HOST)
        return false;
    r->host_shape = fmax(2 * r->host_shape, LEAST_HOST);
    r->prices.begins_with_segments = true;
    return true;
}

/* ---- all prices, in turn --------------------------------------------------------------------- */

static vdnn_status choose_in_host(relaxation *r, double price)
{
    vdnn_status status = choose(r, price);
    while (status == VDNN_OK && raise_host(r))
        status = choose(r, price);
    return status;
}

static vdnn_status try_shapes(relaxation *r, double price)
{
    vdnn_status status = choose_in_host(r, price);
    VDNN_IF_OK(status, try_price(r, price));
    for (int i = 0;
         i < HIGHEST_TURNS && status == VDNN_OK && !r->fits && vdnn_opt_search_lasts(r->own); i++) {
        reshape(r, RATE / (1 + i / SLOWING));
        status = try_price(r, price);
    }
    return status;
}

/* Parameters are copied three times a step: only where nothing fits otherwise. */
static vdnn_status try_highest(relaxation *r, double price)
{
    vdnn_status status = VDNN_OK;
    r->fits = false;
    for (int params = 0; params < 2 && status == VDNN_OK && !r->fits; params++) {
        r->prices.moves_params = params != 0;
        status = try_shapes(r, price);
    }
    return status;
}

/* The lowest at which the plan fits, between two. */
static vdnn_status find_price(relaxation *r, double low, double *high)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < HALVINGS && status == VDNN_OK && vdnn_opt_search_lasts(r->own); i++) {
        const double price = sqrt(low * *high);
        status = try_price(r, price);
        *(r->fits ? high : &low) = price;
    }
    return status;
}

static vdnn_status change_shape(relaxation *r, double price)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < TURNS && status == VDNN_OK && vdnn_opt_search_lasts(r->own); i++) {
        status = try_price(r, price);
        reshape(r, RATE / (1 + i / SLOWING));
        (void)raise_host(r);
        if (status == VDNN_OK && (i + 1) % TURNS_OF_REPAIR == 0)
            status = repair(r);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static vdnn_status relax_at(relaxation *r, const vdnn_decisions *start)
{
    const double unit = (r->own->forward_seconds + r->own->backward_seconds) / r->device_bytes;
    double price = HIGHEST * unit;
    r->closest_worth = HUGE_VAL;
    vdnn_status status = begin_shape(r, start);
    VDNN_IF_OK(status, try_highest(r, price));
    if (status != VDNN_OK || !r->fits)
        return status;
    status = find_price(r, LOWEST * unit, &price);
    VDNN_IF_OK(status, repair(r));
    return status == VDNN_OK ? change_shape(r, price) : status;
}

static vdnn_status relax_once(relaxation *r, const vdnn_decisions *start, double link_price,
                              bool *helped)
{
    const double seconds = r->own->found ? r->own->time.step_seconds : HUGE_VAL;
    vdnn_status status = VDNN_OK;
    r->prices.of_link = r->own->link_price = link_price;
    if (vdnn_opt_search_lasts(r->own))
        status = relax_at(r, start);
    *helped = r->own->found && r->own->time.step_seconds < seconds;
    return status;
}

/* Whether next to nothing can be copied out beside forward, so that memory is saved by recomputing
 * alone. */
static bool is_link_slow(const vdnn_opt_search *own)
{
    const vdnn_graph *graph = own->request->planning->graph;
    double bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        bytes += graph->maps[m].needed_count > 0 ? (double)graph->maps[m].bytes : 0;
    return bytes >
           SLOW * own->forward_seconds * own->request->planning->profile->copy_out_bytes_per_second;
}

/* Until one finds no better plan; from segments, where the link is too slow for copies. */
static vdnn_status relax_at_prices(relaxation *r, const vdnn_decisions *start)
{
    vdnn_status status = VDNN_OK;
    bool helped = true;
    for (int i = 0; i < LINK_PRICES && status == VDNN_OK && helped; i++)
        status = relax_once(r, start, link_prices[i], &helped);
    if (status == VDNN_OK && !r->prices.begins_with_segments && is_link_slow(r->own)) {
        r->prices.begins_with_segments = true;
        status = relax_once(r, start, link_prices[0], &helped);
    }
    r->own->link_price = 0;
    return status;
}

static void end_relaxation(relaxation *r)
{
    vdnn_decisions_fini(&r->made);
    vdnn_decisions_fini(&r->closest);
    vdnn_heap_free(r->shape);
    vdnn_heap_free(r->used);
    vdnn_heap_free(r->live);
    vdnn_opt_prices_fini(&r->prices);
}

static vdnn_status begin_relaxation(relaxation *r, const vdnn_decisions *start)
{
    const size_t layers = (size_t)start->layer_count;
    vdnn_status status = vdnn_opt_prices_init(&r->prices, r->own->request->planning->graph);
    VDNN_IF_OK(status, vdnn_decisions_copy(&r->made, start));
    VDNN_IF_OK(status, vdnn_decisions_copy(&r->closest, start));
    if (status != VDNN_OK)
        return status;
    r->shape = vdnn_heap_calloc(2 * layers, sizeof *r->shape);
    r->used = vdnn_heap_calloc(2 * layers + 1, sizeof *r->used);
    r->live = vdnn_heap_calloc(layers, sizeof *r->live);
    if (r->shape != NULL && r->used != NULL && r->live != NULL)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for prices of %zu layers", layers);
}

/* ---- the smallest ---------------------------------------------------------------------------- */

/* At prices beside which no time counts, those of the steps that take the most rise. */
static vdnn_status lower(relaxation *r, const vdnn_decisions *start, vdnn_decisions *smallest)
{
    r->device_bytes = 0; /* which all steps exceed, whatever the budget is */
    vdnn_status status = begin_shape(r, start);
    const double unit = (r->own->forward_seconds + r->own->backward_seconds) /
                        (double)r->bound.arena_bytes[VDNN_TIER_DEVICE];
    size_t least = SIZE_MAX;
    r->prices.begins_with_segments = true;
    for (int i = 0; i < HIGHEST_TURNS && status == VDNN_OK && !vdnn_opt_search_is_stopped(r->own);
         i++) {
        status = choose_in_host(r, HIGHEST * unit);
        const size_t bytes = r->bound.arena_bytes[VDNN_TIER_DEVICE];
        if (status == VDNN_OK && bytes < least &&
            vdnn_opt_search_is_held(r->own, r->bound.arena_bytes)) {
            vdnn_decisions_assign(smallest, &r->made);
            least = bytes;
        }
        r->device_bytes = NEXT_ARENA * (double)(bytes < least ? bytes : least);
        reshape(r, STEEP_RATE / (1 + i / SLOWING));
    }
    return status;
}

/* ---- from the plan of unlimited memory ------------------------------------------------------- */

static vdnn_status to_budget(relaxation *r, const vdnn_decisions *start, vdnn_decisions *smallest)
{
    (void)smallest;
    return relax_at_prices(r, start);
}

typedef vdnn_status way_down(relaxation *r, const vdnn_decisions *start, vdnn_decisions *smallest);

static vdnn_status from_fastest(vdnn_opt_search *own, way_down *go, vdnn_decisions *smallest)
{
    relaxation r = {.own = own,
                    .device_bytes = (double)own->request->planning->budget_bytes[VDNN_TIER_DEVICE]};
    vdnn_decisions start;
    VDNN_TRY(vdnn_opt_start_fastest(own, &start));
    vdnn_status status = begin_relaxation(&r, &start);
    VDNN_IF_OK(status, go(&r, &start, smallest));
    end_relaxation(&r);
    vdnn_decisions_fini(&start);
    return status;
}

vdnn_status vdnn_opt_relax_smallest(vdnn_opt_search *own, vdnn_decisions *smallest)
{
    return from_fastest(own, lower, smallest);
}

vdnn_status vdnn_opt_offer_relaxed(vdnn_opt_search *own)
{
    return from_fastest(own, to_budget, NULL);
}
