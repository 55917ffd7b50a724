#include "runtime/planner/bound/bound.h"

#include "runtime/base/heap.h"
#include "runtime/plan/required.h"
#include "runtime/planner/bound/excess.h"
#include "runtime/planner/clock/timing.h"

#include <math.h>
#include <stdlib.h>

/* ---- compute --------------------------------------------------------------------------------- */

/* A pass of a layer, in one of the micro-batches, for one of its parts. */
typedef struct pass_run {
    const vdnn_graph *shape;
    int32_t micro;
    const vdnn_layer *layer; /* of the shape */
    vdnn_pass pass;
    double share; /* of the micro-batch's samples */
    bool is_last; /* the parameters are updated behind it */
} pass_run;

static pass_run run_of(const vdnn_plan *plan, const vdnn_step *step)
{
    const vdnn_graph *shape = vdnn_graph_of_micro(plan->graph, step->micro);
    return (pass_run){.shape = shape,
                      .micro = step->micro,
                      .layer = &shape->layers[step->layer],
                      .pass = step->pass,
                      .share = vdnn_graph_part_share(shape, step->layer, step->part),
                      .is_last = step->micro == plan->graph->micro_batches - 1 &&
                                 step->part == vdnn_graph_part_count(shape, step->layer) - 1};
}

/* Whether the pass updates the parameters itself, so that their gradient is not stored. */
static bool is_fused(const vdnn_plan *plan, pass_run run, const vdnn_choice *choice)
{
    return plan->updates == VDNN_UPDATES_FUSED &&
           vdnn_graph_can_fuse(plan->graph, run.layer->index) && choice->algorithm->updates &&
           run.pass == VDNN_BACKWARD_FILTER;
}

/* Whether the update of a layer's block is counted with its backward filter: of the owner's, unless
 * another pass computes the gradient. */
static bool counts_update(const vdnn_layer *layer)
{
    return layer->owner == layer->index && vdnn_layer_writes_dw(layer, VDNN_BACKWARD_FILTER);
}

/* Seconds of a pass by an algorithm, with the update of its parameters: fused, or by a separate
 * step. */
static double choice_seconds(const vdnn_plan *plan, const vdnn_profile *profile, pass_run run,
                             const vdnn_choice *choice)
{
    double seconds = profile->launch_seconds + choice->seconds * run.share;
    if (!run.is_last || run.pass != VDNN_BACKWARD_FILTER || !counts_update(run.layer))
        return seconds;
    return seconds +
           vdnn_timing_update(profile, plan->graph,
                              vdnn_graph_updated_bytes(plan->graph, run.layer)) -
           (is_fused(plan, run, choice) ? profile->launch_seconds : 0);
}

/* If the gradient is stored it is alive too. */
static size_t weight_gradient_bytes(const vdnn_plan *plan, pass_run run, const vdnn_choice *choice)
{
    bool stored = vdnn_layer_writes_dw(run.layer, run.pass) && !is_fused(plan, run, choice);
    return stored ? run.layer->trainable_bytes : 0;
}

/* The fastest of the algorithms that fit in that many bytes beside persistent buffers; HUGE_VAL:
 * none does. */
static double least_pass_seconds(const vdnn_plan *plan, const vdnn_profile *profile, pass_run run,
                                 size_t free_bytes)
{
    const vdnn_layer_profile *at = &profile->layers[run.layer->index];
    const size_t of_all = vdnn_required_maps(run.shape, run.layer, run.pass);
    const size_t beside = (size_t)(run.share * (double)of_all) + /* in a chain no more is there */
                          vdnn_required_params(run.shape, run.layer, run.pass);
    double least = HUGE_VAL;
    for (int32_t i = 0; i < at->choice_count[run.pass]; i++) {
        const vdnn_choice choice =
            vdnn_profile_choice_of_micro(&at->choices[run.pass][i], plan->graph, run.micro);
        size_t bytes = beside + choice.workspace_bytes + weight_gradient_bytes(plan, run, &choice);
        if (bytes <= free_bytes)
            least = fmin(least, choice_seconds(plan, profile, run, &choice));
    }
    return least;
}

static bool is_counted_with_pass(const vdnn_plan *plan, const vdnn_step *step)
{
    return step->kind == VDNN_STEP_UPDATE && counts_update(&plan->graph->layers[step->layer]);
}

/* A sum with what rounding took of it, so that it is the same in any order of its terms: plans of
 * the same passes have one oracle (Neumaier, 1974). */
typedef struct exact_sum {
    double sum, lost;
} exact_sum;

static void add_to(exact_sum *own, double term)
{
    double sum = own->sum + term,
           lost = own->sum >= term ? own->sum - sum + term : term - sum + own->sum;
    own->lost = isinf(sum) ? 0 : own->lost + lost;
    own->sum = sum;
}

/* Whether an input of the first micro-batch is loaded before the first layer runs: inputs are
 * loaded in the order of the table, after the labels. */
static bool is_awaited(const vdnn_plan *plan, const vdnn_step *load)
{
    const vdnn_graph *graph = plan->graph;
    const vdnn_buffer *to = &plan->buffers[plan->accesses[load->first_access].buffer];
    const int32_t input = vdnn_plan_input_of(plan, to);
    int32_t last = 0;
    for (int32_t k = 0; k < graph->layers[0].input_count; k++)
        last = graph->layers[0].inputs[k] > last ? graph->layers[0].inputs[k] : last;
    return load->micro == 0 && (input <= last || input == vdnn_graph_labels_row(graph));
}

static void count_load(const vdnn_plan *plan, const vdnn_profile *profile, const vdnn_step *load,
                       vdnn_loads loads, vdnn_halves *sum)
{
    bool is_ahead = loads != VDNN_LOADS_OWN,
         is_first = is_ahead ? load->micro == 0 : is_awaited(plan, load);
    double before = is_ahead ? vdnn_timing_take(profile, load->bytes) : load->seconds;
    sum->first += is_first ? before : 0;
    if (loads == VDNN_LOADS_LATE)
        sum->behind += load->seconds;
    else
        sum->beside += is_first && !is_ahead ? 0 : load->seconds;
}

/* backward_of: per layer, 0 at first, what its passes and its update take; NULL: nobody asks. */
static vdnn_halves compute_seconds(const vdnn_plan *plan, const vdnn_profile *profile,
                                   vdnn_loads loads, size_t device_bytes, double *backward_of)
{
    vdnn_halves sum = {0};
    exact_sum forward = {0}, backward = {0};
    size_t kept = vdnn_required_always(plan->graph, loads);
    size_t free_bytes = device_bytes > kept ? device_bytes - kept : 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        exact_sum *half = step->pass == VDNN_FORWARD ? &forward : &backward;
        double seconds = 0;
        if (step->kind == VDNN_STEP_RUN)
            seconds = least_pass_seconds(plan, profile, run_of(plan, step), free_bytes);
        else if (step->kind == VDNN_STEP_LOAD)
            count_load(plan, profile, step, loads, &sum);
        else if (step->stream == VDNN_STREAM_COMPUTE && step->kind != VDNN_STEP_RECOMPUTE &&
                 step->kind != VDNN_STEP_TAKE && !is_counted_with_pass(plan, step))
            seconds = step->seconds;
        add_to(half, seconds);
        if (backward_of != NULL && half == &backward && step->layer >= 0)
            backward_of[step->layer] += seconds;
    }
    sum.forward = forward.sum + forward.lost;
    sum.backward = backward.sum + backward.lost;
    return sum;
}

/* Under the lean rules, over a link, or where this plan does it. */
static bool can_load_ahead(const vdnn_plan *plan, const vdnn_profile *profile)
{
    return plan->training &&
           (plan->loads != VDNN_LOADS_OWN || (vdnn_decisions_may_load_ahead(plan->graph, profile) &&
                                              plan->graph->rules == VDNN_RULES_LEAN));
}

static double unlimited(const vdnn_plan *plan, const vdnn_profile *profile, vdnn_loads loads)
{
    vdnn_halves sum = compute_seconds(plan, profile, loads, SIZE_MAX, NULL);
    return vdnn_halves_whole(&sum, sum.forward, sum.backward);
}

double vdnn_bound_unlimited(const vdnn_plan *plan, const vdnn_profile *profile)
{
    double own = unlimited(plan, profile, VDNN_LOADS_OWN);
    return can_load_ahead(plan, profile) ? fmin(own, unlimited(plan, profile, VDNN_LOADS_AHEAD))
                                         : own;
}

/* ---- under a budget -------------------------------------------------------------------------- */

/* The first of the layers in as many parts as the loss right before it: these may run forward and
 * at once backward, a part at a time, and what they make does not stay. */
static int32_t tail_begin(const vdnn_graph *graph)
{
    int32_t begin = graph->layer_count - 1;
    const int32_t parts = vdnn_graph_part_count(graph, begin);
    if (parts == 1)
        return graph->layer_count;
    while (begin > 0 && vdnn_graph_part_count(graph, begin - 1) == parts)
        begin--;
    return begin;
}

/* Per layer, 0; NULL, with a message: there is no memory. */
static double *zeros_of(const vdnn_graph *graph)
{
    double *list = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *list);
    if (list == NULL)
        (void)vdnn_status_fail(VDNN_NO_MEMORY, "no memory to bound the time of %d layers",
                               (int)graph->layer_count);
    return list;
}

static vdnn_status bound(const vdnn_plan *plan, const vdnn_profile *profile, vdnn_loads loads,
                         const size_t budget_bytes[VDNN_TIER_COUNT], double *seconds)
{
    double away = 0, *backward = zeros_of(plan->graph);
    if (backward == NULL)
        return VDNN_NO_MEMORY;
    const vdnn_excess excess = {
        .graph = plan->graph,
        .profile = profile,
        .budget_bytes = budget_bytes,
        .loads = loads,
        .end = tail_begin(plan->graph),
        .parts = vdnn_graph_part_count,
        .compute = compute_seconds(plan, profile, loads, budget_bytes[VDNN_TIER_DEVICE], backward),
        .backward = backward};
    const vdnn_halves *halves = &excess.compute;
    *seconds = vdnn_halves_whole(halves, halves->forward, halves->backward);
    vdnn_status status = *seconds < HUGE_VAL ? vdnn_excess_seconds(&excess, &away) : VDNN_OK;
    *seconds = fmax(*seconds, away);
    vdnn_heap_free(backward);
    return status;
}

vdnn_status vdnn_bound_seconds(const vdnn_plan *plan, const vdnn_profile *profile,
                               const size_t budget_bytes[VDNN_TIER_COUNT], double *seconds)
{
    double least = HUGE_VAL;
    vdnn_loads last = can_load_ahead(plan, profile) ? VDNN_LOADS_LATE : VDNN_LOADS_OWN;
    for (int loads = VDNN_LOADS_OWN; loads <= (int)last; loads++) {
        double own;
        VDNN_TRY(bound(plan, profile, (vdnn_loads)loads, budget_bytes, &own));
        least = fmin(least, own);
    }
    *seconds = least;
    return VDNN_OK;
}

/* ---- in whatever parts ----------------------------------------------------------------------- */

/* Of all micro-batches of a shape, the update with that of the last one. */
static double fastest_seconds(const vdnn_graph *graph, const vdnn_profile *profile,
                              const vdnn_shape *of, int32_t layer, vdnn_pass pass)
{
    const vdnn_plan any = {.graph = graph, .updates = VDNN_UPDATES_FUSED};
    const bool has_last = of->graph == (graph->lesser != NULL ? graph->lesser : graph);
    pass_run run = {.shape = of->graph,
                    .micro = of->micro,
                    .layer = &of->graph->layers[layer],
                    .pass = pass,
                    .share = 1};
    if (profile->layers[layer].choice_count[pass] == 0)
        return 0;
    const double each = least_pass_seconds(&any, profile, run, SIZE_MAX);
    run.is_last = has_last;
    return (of->count - 1) * each + least_pass_seconds(&any, profile, run, SIZE_MAX);
}

/* What a tail computes in forward may be behind the turn. */
static void add_passes(vdnn_excess *of, const vdnn_shape *shape, double *backward)
{
    const vdnn_graph *graph = of->graph;
    for (int32_t l = 0; l < graph->layer_count && shape->count > 0; l++) {
        const double own = fastest_seconds(graph, of->profile, shape, l, VDNN_BACKWARD_DATA) +
                           fastest_seconds(graph, of->profile, shape, l, VDNN_BACKWARD_FILTER);
        if (l < of->end)
            of->compute.forward += fastest_seconds(graph, of->profile, shape, l, VDNN_FORWARD);
        of->compute.backward += own;
        backward[l] += own;
    }
}

/* The first layer of the longest tail, in whatever parts layers are. */
static int32_t earliest_tail(const vdnn_graph *graph)
{
    int32_t begin = graph->layer_count;
    while (begin > 0 && vdnn_graph_most_parts(graph, begin - 1) > 1)
        begin--;
    return begin;
}

vdnn_status vdnn_bound_in_parts(const vdnn_graph *graph, const vdnn_profile *profile,
                                double oracle_seconds, const size_t budget_bytes[VDNN_TIER_COUNT],
                                double *seconds)
{
    vdnn_shape shapes[VDNN_SHAPES];
    double away = 0, *backward = zeros_of(graph);
    if (backward == NULL)
        return VDNN_NO_MEMORY;
    vdnn_excess excess = {.graph = graph,
                          .profile = profile,
                          .budget_bytes = budget_bytes,
                          .loads = VDNN_LOADS_LATE,
                          .end = earliest_tail(graph),
                          .parts = vdnn_graph_most_parts,
                          .backward = backward};
    vdnn_shapes_list(graph, shapes);
    for (int i = 0; i < VDNN_SHAPES; i++)
        add_passes(&excess, &shapes[i], backward);
    vdnn_status status = vdnn_excess_seconds(&excess, &away);
    *seconds = fmax(oracle_seconds, away);
    vdnn_heap_free(backward);
    return status;
}
