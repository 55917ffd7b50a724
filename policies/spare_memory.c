#include "policies/spare_memory.h"

#include "policies/late_load.h"

/* Sizes of buckets that are tried, as parts of all parameters' bytes; how many buckets wait; and
 * the least part of a step that they must save, because they take memory. */
static const size_t bucket_parts[] = {64, 16, 8, 4, 2, 1};
static const int32_t bucket_lags[] = {0, 1, 3};
static const double least_bucket_saving = 1e-3;

/* Decisions whose plan takes these seconds. What is tried differs from them in one thing. */
typedef struct spare {
    const vdnn_policy_request *request; /* for the parts that are decided */
    vdnn_decisions *decisions;
    double step_seconds;
} spare;

/* Whether a plan fits and takes less than `most_seconds`: *seconds then is what it takes. */
static vdnn_status is_faster(const spare *own, const vdnn_decisions *richer, double most_seconds,
                             double *seconds, bool *is_better)
{
    vdnn_outcome least;
    vdnn_outcome tried;
    *is_better = false;
    VDNN_TRY(vdnn_planning_evaluate(own->request->planning, richer, VDNN_BOUND, &least));
    if (!least.fits || least.step_seconds >= most_seconds)
        return VDNN_OK;
    VDNN_TRY(vdnn_planning_evaluate(own->request->planning, richer, VDNN_WHOLE, &tried));
    *is_better = tried.fits && tried.step_seconds < most_seconds;
    *seconds = tried.step_seconds;
    return VDNN_OK;
}

/* Takes richer decisions if an evaluation fits together with them. A training of that step time is
 * decided from then on. */
static vdnn_status take(spare *own, const vdnn_decisions *richer, double seconds)
{
    bool fits = false;
    VDNN_TRY(vdnn_planning_evaluates(own->request->planning, richer, &fits));
    if (!fits)
        return VDNN_OK;
    *own->decisions = *richer;
    own->step_seconds = seconds;
    return VDNN_OK;
}

static vdnn_status load_so(spare *own, const vdnn_decisions *richer)
{
    double seconds = 0;
    bool is_better = false;
    VDNN_TRY(is_faster(own, richer, own->step_seconds, &seconds, &is_better));
    return is_better ? take(own, richer, seconds) : VDNN_OK;
}

/* A batch crosses the link during the step before its own: during all of it, or, where memory is
 * short, during the end of backward. */
static vdnn_status load_ahead(spare *own)
{
    const vdnn_policy_request *request = own->request;
    vdnn_decisions richer = *own->decisions;
    if (!vdnn_decisions_may_load_ahead(request->planning->graph, request->planning->profile))
        return VDNN_OK;
    richer.loads = VDNN_LOADS_AHEAD;
    richer.load_layer = 0;
    VDNN_TRY(load_so(own, &richer));
    if (own->decisions->loads != VDNN_LOADS_OWN)
        return VDNN_OK;
    vdnn_late_load_decide(request->planning->graph, request->planning->profile, &richer);
    return load_so(own, &richer);
}

/* Sums the gradients of several devices several at a time, by the fastest buckets that fit and save
 * enough time. */
static vdnn_status sum_in_buckets(spare *own)
{
    const vdnn_graph *graph = own->request->planning->graph;
    const size_t all = vdnn_graph_param_bytes(graph);
    const double most = own->step_seconds * (1 - least_bucket_saving);
    vdnn_decisions fastest = *own->decisions;
    double best = most;
    if (graph->devices == 1 || graph->has_buckets)
        return VDNN_OK;
    for (size_t p = 0; p < sizeof bucket_parts / sizeof *bucket_parts; p++)
        for (size_t l = 0; l < sizeof bucket_lags / sizeof *bucket_lags; l++) {
            vdnn_decisions richer = *own->decisions;
            double seconds = 0;
            bool is_better = false;
            richer.buckets =
                (vdnn_reduce_buckets){.bytes = all / bucket_parts[p], .lag = bucket_lags[l]};
            VDNN_TRY(is_faster(own, &richer, best, &seconds, &is_better));
            if (!is_better)
                continue;
            best = seconds;
            fastest = richer;
        }
    return best < most ? take(own, &fastest, best) : VDNN_OK;
}

static bool has_copies(const vdnn_graph *graph)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].copy_bytes > 0)
            return true;
    return false;
}

static vdnn_status keep_copies(spare *own)
{
    vdnn_decisions richer = *own->decisions;
    vdnn_outcome tried;
    if (!has_copies(own->request->planning->graph))
        return VDNN_OK;
    richer.copies = VDNN_WEIGHTS_KEPT;
    VDNN_TRY(vdnn_planning_evaluate(own->request->planning, &richer, VDNN_WHOLE, &tried));
    return tried.fits ? take(own, &richer, tried.step_seconds) : VDNN_OK;
}

/* The larger saving first. */
vdnn_status vdnn_spare_memory_decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    vdnn_policy_request of_parts;
    vdnn_outcome tried;
    if (request->planning->graph->rules != VDNN_RULES_LEAN)
        return VDNN_OK;
    of_parts = *request;
    VDNN_TRY(vdnn_planning_in_parts(request->planning, decisions->parts, &of_parts.planning));
    VDNN_TRY(vdnn_planning_evaluate(of_parts.planning, decisions, VDNN_WHOLE, &tried));
    if (!tried.fits)
        return VDNN_OK;
    spare own = {&of_parts, decisions, tried.step_seconds};
    VDNN_TRY(load_ahead(&own));
    VDNN_TRY(sum_in_buckets(&own));
    return keep_copies(&own);
}
