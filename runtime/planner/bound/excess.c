#include "runtime/planner/bound/excess.h"

#include "runtime/base/heap.h"
#include "runtime/plan/required.h"

#include <math.h>
#include <stdlib.h>

double vdnn_halves_whole(const vdnn_halves *halves, double forward, double backward)
{
    return fmax(halves->first + forward + fmax(backward, halves->behind), halves->beside);
}

void vdnn_shapes_list(const vdnn_graph *graph, vdnn_shape shapes[VDNN_SHAPES])
{
    const int32_t all = graph->micro_batches,
                  larger = graph->lesser == NULL ? all : (int32_t)(graph->batch % all);
    shapes[0] = (vdnn_shape){graph, 0, larger};
    shapes[1] = (vdnn_shape){graph->lesser, all - 1, all - larger};
}

/* ---- what may be recomputed ------------------------------------------------------------------ */

/* A map that may be recomputed instead of copied. */
typedef struct source {
    double bytes, seconds;
    int32_t needed; /* the last layer of backward that needs it */
} source;

/* Before the backward of a layer; of the layer behind the last one: between forward and backward.
 */
typedef struct moment {
    int32_t layer;
    vdnn_halves compute; /* before it, and behind it */
    double excess_bytes; /* that cannot be on the device, summed over the micro-batches */
    double away_bytes;   /* of these, of parameters: not copied out for it, only in behind it */
} moment;

/* The excess, and all sources: the most bytes a second first. */
typedef struct divider {
    const vdnn_excess *of;
    vdnn_shape shapes[VDNN_SHAPES];
    source *sources; /* owned */
    int32_t source_count;
} divider;

static int by_worth(const void *left, const void *right)
{
    const source *a = left, *b = right;
    double worth_a = a->bytes * b->seconds, worth_b = b->bytes * a->seconds;
    return (worth_a < worth_b) - (worth_a > worth_b);
}

static double least_forward_seconds(const vdnn_graph *graph, const vdnn_profile *profile,
                                    const vdnn_shape *of, int32_t layer)
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
                                      const vdnn_shape *of, int32_t map)
{
    double seconds = 0;
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        seconds += profile->launch_seconds + least_forward_seconds(graph, profile, of, l);
    return seconds;
}

static int32_t last_need(const vdnn_map *map)
{
    return map->needed_by[map->needed_count - 1];
}

static void list_sources(divider *own, const vdnn_shape *shape)
{
    const vdnn_graph *graph = own->of->graph;
    const int32_t count = shape->count;
    for (int32_t m = 0; m < graph->map_count && count > 0; m++)
        if (graph->maps[m].needed_count > 0 && graph->maps[m].kind == VDNN_MAP_FEATURE)
            own->sources[own->source_count++] =
                (source){count * (double)shape->graph->maps[m].bytes,
                         count * least_recompute_seconds(graph, own->of->profile, shape, m),
                         last_need(&graph->maps[m])};
}

/* ---- one moment ------------------------------------------------------------------------------ */

/* By the backward of a layer and those before it, of maps made before the end. */
static double needed_bytes(const vdnn_graph *graph, int32_t end, int32_t layer)
{
    double bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        if (map->needed_count > 0 && map->first_writer < end && last_need(map) <= layer)
            bytes += (double)map->bytes;
    }
    return bytes;
}

/* Beside the first of its passes, whichever that is; at the turn there are none. */
static double gradients_at(const vdnn_graph *graph, int32_t layer)
{
    const vdnn_layer *at = &graph->layers[layer];
    if (layer == graph->layer_count)
        return 0;
    const bool has_filter = vdnn_layer_has_pass(at, VDNN_BACKWARD_FILTER);
    return (double)vdnn_required_gradients(graph, at,
                                           has_filter ? VDNN_BACKWARD_FILTER : VDNN_BACKWARD_DATA);
}

/* Of tensors that layers on both sides of one use: what those behind it made of them waits for the
 * others, on the device or copied out. */
static double waiting_bytes(const vdnn_graph *graph, int32_t layer)
{
    double bytes = 0;
    for (int32_t t = 0; t < graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &graph->tensors[t];
        const int32_t readers = tensor->has_gradient ? tensor->reader_count : 0;
        if (readers > 0 && tensor->producer < layer && tensor->readers[readers - 1] > layer)
            bytes += (double)vdnn_desc_bytes(&tensor->desc);
    }
    return bytes;
}

/* What of it exceeds the budget. Parameters may be away at each such moment, but several times for
 * one update. */
static void find_excess(const divider *own, moment *at)
{
    const vdnn_excess *of = own->of;
    const bool is_one = of->graph->micro_batches == 1;
    at->away_bytes = is_one ? (double)vdnn_required_sometimes(of->graph, at->layer) : 0;
    const double free_bytes = (double)of->budget_bytes[VDNN_TIER_DEVICE] -
                              (double)vdnn_required_always(of->graph, of->loads) - at->away_bytes;
    at->excess_bytes = 0;
    for (int i = 0; i < VDNN_SHAPES; i++) {
        const vdnn_shape *shape = &own->shapes[i];
        if (shape->count == 0)
            continue;
        const double required = needed_bytes(shape->graph, of->end, at->layer) +
                                waiting_bytes(shape->graph, at->layer) +
                                gradients_at(shape->graph, at->layer);
        at->excess_bytes += shape->count * fmax(required - free_bytes, 0);
    }
}

/* The time if that many bytes are recomputed, in that many seconds, and all others copied. */
static double divided_seconds(const vdnn_excess *of, const moment *at, double bytes, double seconds)
{
    const double in = at->excess_bytes - bytes, out = fmax(in - at->away_bytes, 0),
                 out_seconds = out / of->profile->copy_out_bytes_per_second,
                 in_seconds = in / of->profile->copy_in_bytes_per_second;
    return vdnn_halves_whole(&at->compute, fmax(at->compute.forward, out_seconds),
                             fmax(at->compute.backward + seconds, in_seconds + at->compute.behind));
}

/* The least over all divisions: as a function of the bytes that are recomputed it is convex and
 * piecewise linear, so its minimum is at the end of a piece: where a source is used up, or one of
 * the two maxima changes sides. Parts of a map count too, which can only lower the bound. */
static double best_division(const divider *own, const moment *at)
{
    const double out_per_second = own->of->profile->copy_out_bytes_per_second,
                 in_per_second = own->of->profile->copy_in_bytes_per_second;
    double bytes = 0, seconds = 0, best = divided_seconds(own->of, at, 0, 0);
    for (int32_t i = 0; i < own->source_count && bytes < at->excess_bytes; i++) {
        if (own->sources[i].needed > at->layer)
            continue;
        double part = fmin(own->sources[i].bytes, at->excess_bytes - bytes);
        double rate = own->sources[i].seconds / own->sources[i].bytes;
        double at_forward =
            at->excess_bytes - at->away_bytes - at->compute.forward * out_per_second - bytes;
        double at_backward = ((at->excess_bytes - bytes) / in_per_second + at->compute.behind -
                              at->compute.backward - seconds) /
                             (rate + 1 / in_per_second);
        const double turns[] = {at_forward, at_backward, part};
        for (int k = 0; k < 3; k++)
            if (turns[k] > 0 && turns[k] <= part)
                best = fmin(best, divided_seconds(own->of, at, bytes + turns[k],
                                                  seconds + turns[k] * rate));
        bytes += part;
        seconds += part * rate;
    }
    return best;
}

static double recomputable_bytes(const divider *own, const moment *at)
{
    double bytes = 0;
    for (int32_t i = 0; i < own->source_count; i++)
        bytes += own->sources[i].needed <= at->layer ? own->sources[i].bytes : 0;
    return bytes;
}

/* HUGE_VAL: the tiers behind the device do not hold what can neither stay nor be recomputed. */
static double divide(const divider *own, const moment *at)
{
    size_t elsewhere_bytes = 0;
    for (int tier = VDNN_TIER_DEVICE + 1; tier < VDNN_TIER_COUNT; tier++)
        if (__builtin_add_overflow(elsewhere_bytes, own->of->budget_bytes[tier], &elsewhere_bytes))
            elsewhere_bytes = SIZE_MAX;
    const double offloaded =
        (at->excess_bytes - recomputable_bytes(own, at)) / own->of->graph->micro_batches;
    return offloaded > (double)elsewhere_bytes ? HUGE_VAL : best_division(own, at);
}

/* ---- moments --------------------------------------------------------------------------------- */

/* Whether all layers behind this one have run backward, and been updated, when its own backward
 * begins, in every plan, and its gradients are there as a whole. */
static bool is_moment(const vdnn_excess *of, int32_t layer)
{
    const vdnn_graph *graph = of->graph;
    return layer < of->end && graph->devices == 1 && graph->training.clip_norm == 0 &&
           of->parts(graph, layer) == 1 && of->backward[layer] > 0;
}

/* So much less than two sums of the same terms may differ by rounding. */
static const double ROUNDED = 1 - 1e-12;

/* The least time by what each moment allows, the turn first. */
static double longest_division(const divider *own)
{
    const vdnn_excess *of = own->of;
    moment at = {.layer = of->graph->layer_count, .compute = of->compute};
    double longest = 0;
    for (; at.layer >= 0 && longest < HUGE_VAL; at.layer--) {
        const bool is_turn = at.layer == of->graph->layer_count;
        if (is_turn || is_moment(of, at.layer)) {
            find_excess(own, &at);
            if (at.excess_bytes > 0)
                longest = fmax(longest, (is_turn ? 1 : ROUNDED) * divide(own, &at));
        }
        at.compute.behind = 0; /* the batch may have been loaded before */
        if (!is_turn) {
            at.compute.forward += of->backward[at.layer];
            at.compute.backward -= of->backward[at.layer];
        }
    }
    return longest;
}

vdnn_status vdnn_excess_seconds(const vdnn_excess *of, double *seconds)
{
    divider own = {.of = of};
    own.sources = vdnn_heap_calloc(VDNN_SHAPES * (size_t)of->graph->map_count, sizeof *own.sources);
    if (own.sources == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to bound the time of %d maps",
                                (int)of->graph->map_count);
    vdnn_shapes_list(of->graph, own.shapes);
    for (int i = 0; i < VDNN_SHAPES; i++)
        list_sources(&own, &own.shapes[i]);
    qsort(own.sources, (size_t)own.source_count, sizeof *own.sources, by_worth);
    *seconds = longest_division(&own);
    vdnn_heap_free(own.sources);
    return VDNN_OK;
}
