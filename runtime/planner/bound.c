#include "runtime/planner/bound.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/timing.h"

#include <math.h>
#include <stdlib.h>

/* ---- compute --------------------------------------------------------------------------------- */

/* Whether parameters are on the device for the whole step, in every plan: others may be in the host
 * tier but for the passes that use them, whatever the plan at hand does. */
static bool is_persistent(const vdnn_layer *layer)
{
    return vdnn_decisions_params_refusal(layer) != NULL;
}

/* What is loaded late takes none of it in forward, nor at the turn from there to backward. */
static size_t persistent_bytes(const vdnn_graph *graph, vdnn_loads loads)
{
    size_t ahead = vdnn_graph_input_bytes(graph) + vdnn_graph_label_bytes(graph), kept = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].owner == l && is_persistent(&graph->layers[l]))
            kept += graph->layers[l].param_bytes + vdnn_graph_state_bytes(graph, l);
    return kept + (loads == VDNN_LOADS_AHEAD ? ahead : 0);
}

/* Of the others, all. */
static double leaving_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].owner == l && !is_persistent(&graph->layers[l]))
            bytes += graph->layers[l].param_bytes + vdnn_graph_state_bytes(graph, l);
    return (double)bytes;
}

/* Of these what a pass uses. */
static size_t used_bytes(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_layer *owner = &graph->layers[layer->owner];
    const bool uses = pass == VDNN_FORWARD || (layer->needs[pass] & VDNN_NEEDS_W) != 0;
    return uses && !is_persistent(owner) ? owner->param_bytes : 0;
}

/* The bytes of the map of a layer's i-th input, counted once; 0 if an earlier input or the output
 * has the same map. */
static size_t input_bytes(const vdnn_graph *graph, const vdnn_layer *layer, int32_t i,
                          int32_t out_map)
{
    int32_t map = graph->tensors[layer->inputs[i]].map;
    for (int32_t k = 0; k < i; k++)
        if (graph->tensors[layer->inputs[k]].map == map)
            return 0;
    return map == out_map ? 0 : graph->maps[map].bytes;
}

static size_t forward_bytes(const vdnn_graph *graph, const vdnn_layer *layer)
{
    int32_t out = graph->tensors[layer->output].map, aux = graph->aux_map[layer->index];
    size_t bytes = graph->maps[out].bytes + (aux < 0 ? 0 : graph->maps[aux].bytes);
    for (int32_t i = 0; i < layer->input_count; i++)
        bytes += input_bytes(graph, layer, i, out);
    return bytes;
}

static size_t gradient_bytes(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    size_t bytes = graph->tensors[layer->output].has_gradient ? vdnn_desc_bytes(&layer->y) : 0;
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    for (int32_t i = 0; i < layer->input_count && pass == VDNN_BACKWARD_DATA; i++)
        if (layer->wants_dx[i] && i != over_dy)
            bytes += vdnn_desc_bytes(&layer->x[i]);
    return bytes;
}

static size_t backward_bytes(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    int32_t out = graph->tensors[layer->output].map, aux = graph->aux_map[layer->index];
    size_t bytes = gradient_bytes(graph, layer, pass);
    if (needs & VDNN_NEEDS_Y)
        bytes += graph->maps[out].bytes;
    if (needs & VDNN_NEEDS_AUX && aux >= 0)
        bytes += graph->maps[aux].bytes;
    for (int32_t i = 0; i < layer->input_count && needs & VDNN_NEEDS_X; i++)
        bytes += input_bytes(graph, layer, i, needs & VDNN_NEEDS_Y ? out : -1);
    return bytes;
}

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
    const size_t of_all = run.pass == VDNN_FORWARD ? forward_bytes(run.shape, run.layer)
                                                   : backward_bytes(run.shape, run.layer, run.pass);
    const size_t beside = (size_t)(run.share * (double)of_all) + /* in a chain no more is there */
                          used_bytes(run.shape, run.layer, run.pass);
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

/* Seconds. */
typedef struct halves {
    double first;  /* before all compute: of loading what it waits for, or of taking all */
    double beside; /* of loading the rest, or the next step's */
    double behind; /* likewise, if that is loaded late: it is behind forward */
    double forward, backward;
} halves;

static double whole(const halves *sum, double forward, double backward)
{
    return fmax(sum->first + forward + fmax(backward, sum->behind), sum->beside);
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
                       vdnn_loads loads, halves *sum)
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

static halves compute_seconds(const vdnn_plan *plan, const vdnn_profile *profile, vdnn_loads loads,
                              size_t device_bytes)
{
    halves sum = {0};
    exact_sum forward = {0}, backward = {0};
    size_t kept = persistent_bytes(plan->graph, loads);
    size_t free_bytes = device_bytes > kept ? device_bytes - kept : 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        exact_sum *half = step->pass == VDNN_FORWARD ? &forward : &backward;
        if (step->kind == VDNN_STEP_RUN)
            add_to(half, least_pass_seconds(plan, profile, run_of(plan, step), free_bytes));
        else if (step->kind == VDNN_STEP_LOAD)
            count_load(plan, profile, step, loads, &sum);
        else if (step->stream == VDNN_STREAM_COMPUTE && step->kind != VDNN_STEP_RECOMPUTE &&
                 step->kind != VDNN_STEP_TAKE && !is_counted_with_pass(plan, step))
            add_to(half, step->seconds);
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
    halves sum = compute_seconds(plan, profile, loads, SIZE_MAX);
    return whole(&sum, sum.forward, sum.backward);
}

double vdnn_bound_unlimited(const vdnn_plan *plan, const vdnn_profile *profile)
{
    double own = unlimited(plan, profile, VDNN_LOADS_OWN);
    return can_load_ahead(plan, profile) ? fmin(own, unlimited(plan, profile, VDNN_LOADS_AHEAD))
                                         : own;
}

/* ---- what cannot stay ------------------------------------------------------------------------ */

/* A map that may be recomputed instead of copied. */
typedef struct source {
    double bytes, seconds;
} source;

typedef struct turnaround {
    halves compute;
    double excess_bytes; /* that cannot stay, summed over the micro-batches */
    double away_bytes;   /* of these, of parameters: not copied out for it, only in behind it */
    double out_per_second, in_per_second;
    source *sources; /* the most bytes a second first */
    int32_t source_count;
} turnaround;

static int by_worth(const void *left, const void *right)
{
    const source *a = left, *b = right;
    double worth_a = a->bytes * b->seconds, worth_b = b->bytes * a->seconds;
    return (worth_a < worth_b) - (worth_a > worth_b);
}

/* Micro-batches of one shape. */
typedef struct shape {
    const vdnn_graph *graph;
    int32_t micro, count; /* one of them; their number */
} shape;

enum { SHAPES = 2 };

static void list_shapes(const vdnn_graph *graph, shape shapes[SHAPES])
{
    const int32_t all = graph->micro_batches,
                  larger = graph->lesser == NULL ? all : (int32_t)(graph->batch % all);
    shapes[0] = (shape){graph, 0, larger};
    shapes[1] = (shape){graph->lesser, all - 1, all - larger};
}

static double least_forward_seconds(const vdnn_graph *graph, const vdnn_profile *profile,
                                    const shape *of, int32_t layer)
{
    const vdnn_layer_profile *at = &profile->layers[layer];
    double least = at->choice_count[VDNN_FORWARD] == 0 ? 0 : HUGE_VAL;
    for (int32_t i = 0; i < at->choice_count[VDNN_FORWARD]; i++) {
        const vdnn_choice choice =
            vdnn_profile_choice_of_micro(&at->choices[VDNN_FORWARD][i], graph, of->micro);
        least = fmin(least,
                     vdnn_profile_recompute_seconds(profile, &of->graph->layers[layer], &choice));
    }
    return least;
}

/* At least the time of running its writers, each by its fastest algorithm. */
static double least_recompute_seconds(const vdnn_graph *graph, const vdnn_profile *profile,
                                      const shape *of, int32_t map)
{
    double seconds = 0;
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        seconds += least_forward_seconds(graph, profile, of, l);
    return seconds;
}

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

/* Likewise, in whatever parts layers are. */
static int32_t earliest_tail(const vdnn_graph *graph)
{
    int32_t begin = graph->layer_count;
    while (begin > 0 && vdnn_graph_most_parts(graph, begin - 1) > 1)
        begin--;
    return begin;
}

/* By backward, of what is made before a layer. */
static double needed_bytes(const vdnn_graph *graph, int32_t end)
{
    double bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        if (graph->maps[m].needed_count > 0 && graph->maps[m].first_writer < end)
            bytes += (double)graph->maps[m].bytes;
    return bytes;
}

/* What of it exceeds the budget, summed over the micro-batches; `end`: of what is made before that
 * layer. Parameters may be away at each turn, but several times for one update. */
static void find_excess(const vdnn_graph *graph, const shape shapes[SHAPES], int32_t end,
                        vdnn_loads loads, size_t device_bytes, turnaround *t)
{
    t->away_bytes = graph->micro_batches == 1 ? leaving_bytes(graph) : 0;
    const double free_bytes =
        (double)device_bytes - (double)persistent_bytes(graph, loads) - t->away_bytes;
    for (int i = 0; i < SHAPES; i++)
        if (shapes[i].count > 0)
            t->excess_bytes +=
                shapes[i].count * fmax(needed_bytes(shapes[i].graph, end) - free_bytes, 0);
}

static void list_sources(const vdnn_graph *graph, const vdnn_profile *profile, const shape *of,
                         turnaround *t)
{
    for (int32_t m = 0; m < graph->map_count && of->count > 0; m++)
        if (graph->maps[m].needed_count > 0 && graph->maps[m].kind == VDNN_MAP_FEATURE)
            t->sources[t->source_count++] =
                (source){of->count * (double)of->graph->maps[m].bytes,
                         of->count * least_recompute_seconds(graph, profile, of, m)};
}

/* The time if that many bytes are recomputed, in that many seconds, and all others copied. */
static double divided_seconds(const turnaround *t, double bytes, double seconds)
{
    double in = t->excess_bytes - bytes, out = fmax(in - t->away_bytes, 0);
    return whole(&t->compute, fmax(t->compute.forward, out / t->out_per_second),
                 fmax(t->compute.backward + seconds, in / t->in_per_second + t->compute.behind));
}

/* The least over all divisions: as a function of the bytes that are recomputed it is convex and
 * piecewise linear, so its minimum is at the end of a piece: where a source is used up, or one of
 * the two maxima changes sides. Parts of a map count too, which can only lower the bound. */
static double best_division(const turnaround *t)
{
    double bytes = 0, seconds = 0, best = divided_seconds(t, 0, 0);
    for (int32_t i = 0; i < t->source_count && bytes < t->excess_bytes; i++) {
        double part = fmin(t->sources[i].bytes, t->excess_bytes - bytes);
        double rate = t->sources[i].seconds / t->sources[i].bytes;
        double at_forward =
            t->excess_bytes - t->away_bytes - t->compute.forward * t->out_per_second - bytes;
        double at_backward = ((t->excess_bytes - bytes) / t->in_per_second + t->compute.behind -
                              t->compute.backward - seconds) /
                             (rate + 1 / t->in_per_second);
        const double turns[] = {at_forward, at_backward, part};
        for (int k = 0; k < 3; k++)
            if (turns[k] > 0 && turns[k] <= part)
                best = fmin(best, divided_seconds(t, bytes + turns[k], seconds + turns[k] * rate));
        bytes += part;
        seconds += part * rate;
    }
    return best;
}

static double recomputable_bytes(const turnaround *t)
{
    double bytes = 0;
    for (int32_t i = 0; i < t->source_count; i++)
        bytes += t->sources[i].bytes;
    return bytes;
}

/* HUGE_VAL: the tiers behind the device do not hold what can neither stay nor be recomputed. */
static vdnn_status divide(const vdnn_graph *graph, const vdnn_profile *profile,
                          const shape shapes[SHAPES], const size_t budget_bytes[VDNN_TIER_COUNT],
                          turnaround *t, double *seconds)
{
    size_t elsewhere_bytes = 0;
    for (int tier = VDNN_TIER_DEVICE + 1; tier < VDNN_TIER_COUNT; tier++)
        if (__builtin_add_overflow(elsewhere_bytes, budget_bytes[tier], &elsewhere_bytes))
            elsewhere_bytes = SIZE_MAX;
    t->out_per_second = profile->copy_out_bytes_per_second;
    t->in_per_second = profile->copy_in_bytes_per_second;
    t->sources = vdnn_heap_calloc(SHAPES * (size_t)graph->map_count, sizeof *t->sources);
    if (t->sources == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to bound the time of %d maps",
                                (int)graph->map_count);
    for (int i = 0; i < SHAPES; i++)
        list_sources(graph, profile, &shapes[i], t);
    qsort(t->sources, (size_t)t->source_count, sizeof *t->sources, by_worth);
    double offloaded = (t->excess_bytes - recomputable_bytes(t)) / graph->micro_batches;
    *seconds = offloaded > (double)elsewhere_bytes ? HUGE_VAL : best_division(t);
    vdnn_heap_free(t->sources);
    return VDNN_OK;
}

static vdnn_status bound(const vdnn_plan *plan, const vdnn_profile *profile, vdnn_loads loads,
                         const size_t budget_bytes[VDNN_TIER_COUNT], double *seconds)
{
    const vdnn_graph *graph = plan->graph;
    const size_t device_bytes = budget_bytes[VDNN_TIER_DEVICE];
    shape shapes[SHAPES];
    list_shapes(graph, shapes);
    turnaround t = {.compute = compute_seconds(plan, profile, loads, device_bytes)};
    find_excess(graph, shapes, tail_begin(graph), loads, device_bytes, &t);
    *seconds = whole(&t.compute, t.compute.forward, t.compute.backward);
    return t.excess_bytes > 0 && *seconds < HUGE_VAL
               ? divide(graph, profile, shapes, budget_bytes, &t, seconds)
               : VDNN_OK;
}

vdnn_status vdnn_bound_seconds(const vdnn_plan *plan, const vdnn_profile *profile,
                               const size_t budget_bytes[VDNN_TIER_COUNT], double *seconds)
{
    double least = HUGE_VAL;
    vdnn_loads last = can_load_ahead(plan, profile) ? VDNN_LOADS_LATE : VDNN_LOADS_OWN;
    for (int loads = VDNN_LOADS_OWN; loads <= (int)last; loads++) {
        double own;
        vdnn_status status = bound(plan, profile, (vdnn_loads)loads, budget_bytes, &own);
        if (status != VDNN_OK)
            return status;
        least = fmin(least, own);
    }
    *seconds = least;
    return VDNN_OK;
}

/* ---- in whatever parts ----------------------------------------------------------------------- */

/* Of all micro-batches of a shape, the update with that of the last one. */
static double fastest_seconds(const vdnn_graph *graph, const vdnn_profile *profile, const shape *of,
                              int32_t layer, vdnn_pass pass)
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
static void add_passes(const vdnn_graph *graph, const vdnn_profile *profile, const shape *of,
                       int32_t tail, halves *sum)
{
    for (int32_t l = 0; l < graph->layer_count && of->count > 0; l++) {
        if (l < tail)
            sum->forward += fastest_seconds(graph, profile, of, l, VDNN_FORWARD);
        sum->backward += fastest_seconds(graph, profile, of, l, VDNN_BACKWARD_DATA) +
                         fastest_seconds(graph, profile, of, l, VDNN_BACKWARD_FILTER);
    }
}

vdnn_status vdnn_bound_in_parts(const vdnn_graph *graph, const vdnn_profile *profile,
                                double oracle_seconds, const size_t budget_bytes[VDNN_TIER_COUNT],
                                double *seconds)
{
    const int32_t tail = earliest_tail(graph);
    shape shapes[SHAPES];
    double turned;
    list_shapes(graph, shapes);
    turnaround t = {.excess_bytes = 0};
    find_excess(graph, shapes, tail, VDNN_LOADS_LATE, budget_bytes[VDNN_TIER_DEVICE], &t);
    *seconds = oracle_seconds;
    if (t.excess_bytes <= 0)
        return VDNN_OK;
    for (int i = 0; i < SHAPES; i++)
        add_passes(graph, profile, &shapes[i], tail, &t.compute);
    vdnn_status status = divide(graph, profile, shapes, budget_bytes, &t, &turned);
    if (status == VDNN_OK)
        *seconds = fmax(oracle_seconds, turned);
    return status;
}
