#include "policies/opt/parts/tails.h"

#include "policies/opt/parts/attempt.h"

#include <math.h>
#include <stdlib.h>

/* Of each tail, to find how good its plans are; until this many have none that fits. */
enum { TRIALS = 64, MISSED = 2 };

/* Runs of layers in a tail, each way: a plan of more takes too long to try. */
enum { MOST_RUNS = 6000 };

/* A tail in the parts that it is the best in, by bounds. */
typedef struct candidate {
    vdnn_opt_chain of;
    double seconds, overflow_bytes;
} candidate;

typedef struct finder {
    const vdnn_policy_request *request;
    vdnn_opt_stage *start, *list;
    vdnn_opt_cut cut; /* scratch */
    int count;        /* in the list */
} finder;

/* ---- by bounds ------------------------------------------------------------------------------- */

static bool is_better(const candidate *a, const candidate *b)
{
    if (a->overflow_bytes > 0 || b->overflow_bytes > 0)
        return a->overflow_bytes < b->overflow_bytes;
    return a->seconds < b->seconds;
}

static int by_seconds(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    return is_better(a, b) ? -1 : is_better(b, a) ? 1 : a->of.first - b->of.first;
}

/* What is copied out has until the tail's end to do so, and what comes back comes beside it. */
static vdnn_status begin(finder *own, const vdnn_opt_chain *of, vdnn_opt_attempt *attempt)
{
    vdnn_opt_stage *start = own->start;
    vdnn_opt_chains_link(start, of, &own->cut);
    vdnn_status status =
        vdnn_opt_attempt_init(own->request, &own->cut, start, &start->search.best, of, attempt);
    if (status != VDNN_OK)
        return status;
    attempt->stage.search.request = &attempt->stage.request;
    vdnn_opt_copies_queue(&attempt->stage.search, &attempt->made);
    status = vdnn_opt_attempt_look(attempt);
    start->search.trials = attempt->stage.search.trials;
    if (status != VDNN_OK)
        vdnn_opt_attempt_fini(attempt);
    return status;
}

static bool may_be(const finder *own, const vdnn_opt_chain *of)
{
    return of->parts * (of->last - of->first + 1) <= MOST_RUNS &&
           vdnn_opt_chains_may_be(own->request, of) && vdnn_opt_search_lasts(&own->start->search);
}

/* One that would be no faster than the start even if it fit is none. */
static vdnn_status weigh(finder *own, candidate *best, int32_t parts)
{
    vdnn_opt_attempt attempt;
    candidate at = *best;
    at.of.parts = parts;
    if (!may_be(own, &at.of))
        return VDNN_OK;
    VDNN_TRY(begin(own, &at.of, &attempt));
    at.seconds = attempt.bound.step_seconds;
    at.overflow_bytes = attempt.peak.overflow_bytes;
    vdnn_opt_attempt_fini(&attempt);
    if (at.seconds < own->start->search.time.step_seconds && is_better(&at, best))
        *best = at;
    return VDNN_OK;
}

static vdnn_status weigh_all(finder *own, const vdnn_opt_chain *tails, int count, candidate *list)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < count; i++) {
        list[i] = (candidate){.of = tails[i], .seconds = HUGE_VAL, .overflow_bytes = HUGE_VAL};
        for (int c = 0; c < VDNN_OPT_COUNTS && status == VDNN_OK; c++)
            status = weigh(own, &list[i], vdnn_opt_counts[c]);
    }
    return status;
}

/* ---- by trials ------------------------------------------------------------------------------- */

/* At its place in the list, if that is among the first. */
static void insert(finder *own, vdnn_opt_stage *stage)
{
    int at = own->count;
    while (at > 0 && vdnn_opt_search_is_better(&own->list[at - 1].search, &stage->search.time))
        at--;
    if (at == VDNN_OPT_TAILS) {
        vdnn_opt_stage_fini(stage);
        return;
    }
    if (own->count == VDNN_OPT_TAILS)
        vdnn_opt_stage_fini(&own->list[--own->count]);
    for (int i = own->count; i > at; i--)
        own->list[i] = own->list[i - 1];
    own->list[at] = *stage;
    own->count++;
}

static vdnn_status try_attempt(finder *own, vdnn_opt_attempt *attempt, bool *found)
{
    vdnn_status status = vdnn_opt_attempt_climb(attempt, own->start, TRIALS);
    own->start->search.trials = attempt->stage.search.trials;
    *found = status == VDNN_OK && attempt->stage.search.found;
    if (!*found) {
        vdnn_opt_attempt_fini(attempt);
        return status;
    }
    vdnn_decisions_fini(&attempt->made);
    attempt->stage.oracle_seconds = own->start->oracle_seconds;
    insert(own, &attempt->stage);
    return VDNN_OK;
}

/* In more parts where no plan is found, unless as many bytes are too many: those are of others. */
static vdnn_status try_tail(finder *own, vdnn_opt_chain of, bool *found)
{
    vdnn_opt_attempt attempt;
    double before = HUGE_VAL, now;
    *found = false;
    for (; of.parts <= vdnn_opt_counts[VDNN_OPT_COUNTS - 1] && !*found && may_be(own, &of);
         of.parts *= 2, before = now) {
        VDNN_TRY(begin(own, &of, &attempt));
        now = attempt.peak.overflow_bytes;
        if (now > 0 && now >= before) {
            vdnn_opt_attempt_fini(&attempt);
            return VDNN_OK;
        }
        VDNN_TRY(try_attempt(own, &attempt, found));
    }
    return VDNN_OK;
}

static vdnn_status find(finder *own)
{
    vdnn_opt_chain tails[VDNN_OPT_TAILS_MOST];
    candidate list[VDNN_OPT_TAILS_MOST];
    int count;
    vdnn_status status = vdnn_opt_chains_to_loss(own->request, &own->cut, tails, &count);
    if (status == VDNN_OK)
        status = weigh_all(own, tails, count, list);
    if (status == VDNN_OK)
        qsort(list, (size_t)count, sizeof *list, by_seconds);
    for (int i = 0, missed = 0; i < count && missed < MISSED && status == VDNN_OK; i++) {
        bool found = false;
        if (list[i].of.parts > 0)
            status = try_tail(own, list[i].of, &found);
        missed += !found;
    }
    return status;
}

vdnn_status vdnn_opt_tails_find(const vdnn_policy_request *request, vdnn_opt_stage *start,
                                vdnn_opt_stage list[VDNN_OPT_TAILS], int *count)
{
    finder own = {.request = request, .start = start, .list = list};
    vdnn_status status = vdnn_opt_cut_init(&own.cut, request->graph);
    if (status == VDNN_OK)
        status = find(&own);
    vdnn_opt_cut_fini(&own.cut);
    *count = own.count;
    for (int i = 0; i < own.count; i++)
        list[i].search.request = &list[i].request;
    return status;
}
