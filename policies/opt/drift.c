#include "policies/opt/drift.h"

#include "policies/opt/climb.h"
#include "policies/opt/copies.h"
#include "policies/opt/moves.h"
#include "runtime/base/numbers/random.h"

/* Moves that a plan is compared across; those that one may take to fit. */
enum { HISTORY = 64, REPAIRS = 8 };

/* Of draws of things for which there is no other decision, so many count as a trial, so that
 * patience ends. */
enum { EMPTY_DRAWS = 8 };

/* What takes as long, but for rounding, is no slower. */
static const double ROUNDING = 1e-7;

static const uint64_t KEY = 20;

typedef struct drifter {
    vdnn_opt_search *own;
    vdnn_opt_search at; /* its best is where it is now */
    vdnn_decisions scratch;
    double history[HISTORY]; /* seconds */
    uint32_t draws;
} drifter;

/* ---- moves ----------------------------------------------------------------------------------- */

/* One of the subjects of all moves: loads, the passes and the parameters of each layer, each map.
 */
static int moves_of(vdnn_opt_search *own, uint32_t subject, vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const vdnn_graph *graph = own->request->graph;
    const vdnn_decisions *decisions = &own->best;
    const int32_t layers = graph->layer_count, at = (int32_t)subject;
    const double share = vdnn_opt_moves_link_share(own, decisions);
    vdnn_opt_copies_note(own, decisions);
    if (at < layers)
        return vdnn_opt_moves_of_layer(own, decisions, at, list);
    if (at < 2 * layers)
        return vdnn_opt_moves_of_params(own, decisions, share, at - layers, list);
    if (at < 2 * layers + graph->map_count)
        return vdnn_opt_moves_of_map(own, decisions, share, at - 2 * layers, list);
    return vdnn_opt_moves_of_loads(own, decisions, list);
}

/* By so many draws before. False: of what was drawn there is no other decision. */
static bool draw_move(drifter *d, uint32_t draws, vdnn_opt_move *move)
{
    const vdnn_graph *graph = d->own->request->graph;
    const uint32_t subjects = (uint32_t)(2 * graph->layer_count + graph->map_count + 1);
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    uint32_t bits[4], counter[4] = {draws, d->own->drifts, 0, 0};
    vdnn_random_philox(KEY, counter, bits);
    const int count = moves_of(&d->at, bits[0] % subjects, list);
    if (count > 0)
        *move = list[bits[1] % (uint32_t)count];
    return count > 0;
}

/* ---- the drift ------------------------------------------------------------------------------- */

/* Those that are drawn next, if none is taken until then. */
static void expect_draws(drifter *d)
{
    const vdnn_policy_request *request = d->own->request;
    for (int i = 0; i < request->trial->reach; i++) {
        vdnn_opt_move move;
        if (!draw_move(d, d->draws + (uint32_t)i, &move))
            continue;
        vdnn_decisions_assign(&d->scratch, &d->at.best);
        vdnn_opt_moves_make(&move, &d->scratch);
        request->trial->expect(request->trial, &d->scratch,
                               request->budget_bytes[VDNN_TIER_DEVICE]);
    }
}

/* Takes the move if what it leads to takes less than that. */
static vdnn_status try_move(drifter *d, const vdnn_opt_move *move, double seconds)
{
    const vdnn_trial_bound now = d->at.time;
    bool taken;
    vdnn_decisions_assign(&d->scratch, &d->at.best);
    vdnn_opt_moves_make(move, &d->scratch);
    vdnn_opt_search_sign(&d->scratch);
    d->at.time.step_seconds = seconds;
    vdnn_status status = vdnn_opt_fit(&d->at, &d->scratch, move, REPAIRS, &taken);
    if (!taken)
        d->at.time = now;
    return status;
}

static void keep_better(drifter *d)
{
    if (!vdnn_opt_search_is_better(d->own, &d->at.time))
        return;
    vdnn_decisions_assign(&d->own->best, &d->at.best);
    d->own->time = d->at.time;
}

static double slower_of(double a, double b)
{
    return a > b ? a : b;
}

static vdnn_status drift(drifter *d)
{
    vdnn_status status = VDNN_OK;
    for (int moves = 0; status == VDNN_OK && vdnn_opt_search_lasts(&d->at);) {
        vdnn_opt_move move;
        if (!draw_move(d, d->draws++, &move)) {
            d->at.trials += d->draws % EMPTY_DRAWS == 0;
            continue;
        }
        expect_draws(d);
        double *before = &d->history[moves++ % HISTORY];
        status = try_move(d, &move, (1 + ROUNDING) * slower_of(*before, d->at.time.step_seconds));
        *before = d->at.time.step_seconds;
        keep_better(d);
    }
    return status;
}

/* To where the search's best is. */
static vdnn_status begin(drifter *d)
{
    vdnn_opt_search *own = d->own;
    VDNN_TRY(vdnn_opt_search_init(own->request, own->chained, &d->at));
    vdnn_status status = vdnn_decisions_copy(&d->at.best, &own->best);
    d->at.found = status == VDNN_OK;
    d->at.time = own->time;
    d->at.trials = own->trials;
    d->at.until = own->until;
    d->at.least_seconds = own->least_seconds;
    d->at.pace = VDNN_OPT_THOROUGH;
    for (int i = 0; i < HISTORY; i++)
        d->history[i] = own->time.step_seconds;
    return status == VDNN_OK ? vdnn_decisions_copy(&d->scratch, &own->best) : status;
}

vdnn_status vdnn_opt_drift(vdnn_opt_search *own)
{
    drifter d = {.own = own};
    vdnn_status status = begin(&d);
    if (status == VDNN_OK)
        status = drift(&d);
    own->drifts++;
    own->trials = d.at.found ? d.at.trials : own->trials;
    vdnn_decisions_fini(&d.scratch);
    vdnn_opt_search_fini(&d.at);
    return status;
}
