/* Segments between checkpoints, over random networks, facts and prices: none cost less than those
 * that are chosen, of all that there are. What they cost is counted anew, map by map. */

#include "policies/opt/prices.h"
#include "tests/support/random_model.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

enum { MOST_LAYERS = 13, DRAWN_LAYERS = 8, MOST_MAPS = 4 * MOST_LAYERS };

typedef struct draw {
    vdnn_test_rng rng;
    vdnn_graph *graph;
    vdnn_opt_segments segments;
    double sums[2 * MOST_LAYERS + 1];
} draw;

static bool draw_case(uint64_t seed, draw *d)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    *d = (draw){.rng = {seed}};
    request.layers = (int32_t)vdnn_test_between(&d->rng, 2, DRAWN_LAYERS);
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &d->graph));
    if (d->graph->layer_count > MOST_LAYERS) {
        vdnn_graph_destroy(d->graph);
        return false;
    }
    assert_true(d->graph->map_count <= MOST_MAPS);
    assert_ok(vdnn_opt_segments_init(&d->segments, d->graph));
    const int64_t high = vdnn_test_between(&d->rng, 0, 30);
    for (int32_t t = 0; t < 2 * d->graph->layer_count; t++)
        d->sums[t + 1] = d->sums[t] + 1e-5 * (double)vdnn_test_between(&d->rng, 0, high);
    for (int32_t m = 0; m < d->graph->map_count; m++)
        d->segments.maps[m] =
            (vdnn_opt_segment_map){.may_recompute = d->graph->maps[m].kind == VDNN_MAP_FEATURE &&
                                                    vdnn_test_between(&d->rng, 0, 9) > 0,
                                   .recompute_seconds = (double)vdnn_test_between(&d->rng, 1, 1000),
                                   .stay_seconds = d->graph->maps[m].needed_count > 0
                                                       ? (double)vdnn_test_between(&d->rng, 0, 2000)
                                                       : 0};
    return true;
}

static void drop_case(draw *d)
{
    vdnn_opt_segments_fini(&d->segments);
    vdnn_graph_destroy(d->graph);
}

/* ---- what segments cost, counted anew -------------------------------------------------------- */

/* Layers `begin` to `end` - 1. */
typedef struct span {
    int32_t begin, end;
} span;

static bool is_within(const draw *d, int32_t map, const span *of)
{
    const vdnn_map *at = &d->graph->maps[map];
    return at->kind == VDNN_MAP_FEATURE && at->first_writer >= of->begin &&
           at->last_writer < of->end;
}

static bool stays(const draw *d, int32_t map, const span *of)
{
    return !d->segments.maps[map].may_recompute || d->graph->maps[map].last_forward >= of->end;
}

/* Whether a layer that writes one map reads another one. */
static bool reads(const draw *d, int32_t map, int32_t input)
{
    const vdnn_graph *graph = d->graph;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t i = 0; i < graph->layers[l].input_count; i++)
            if (graph->tensors[graph->layers[l].output].map == map && map != input &&
                graph->tensors[graph->layers[l].inputs[i]].map == input)
                return true;
    return false;
}

/* When a map of a segment is recomputed; twice the layers: never. */
static int32_t step_of(const draw *d, int32_t map, const span *of)
{
    const vdnn_map *at = &d->graph->maps[map];
    const int32_t steps = 2 * d->graph->layer_count;
    int32_t step = steps;
    if (!is_within(d, map, of) || stays(d, map, of))
        return steps;
    if (at->needed_count > 0)
        step = steps - 1 - at->needed_by[0];
    for (int32_t m = 0; m < d->graph->map_count; m++)
        if (reads(d, m, map) && step_of(d, m, of) < step)
            step = step_of(d, m, of);
    return step;
}

static double held_seconds(const draw *d, int32_t map, int32_t from, int32_t to)
{
    return to > from ? (double)d->graph->maps[map].bytes * (d->sums[to] - d->sums[from]) : 0;
}

static double seconds_of_map(const draw *d, int32_t map, const span *of)
{
    const vdnn_map *at = &d->graph->maps[map];
    const int32_t steps = 2 * d->graph->layer_count, step = step_of(d, map, of);
    int32_t last_read = -1, last_need = -1;
    for (int32_t m = 0; m < d->graph->map_count; m++)
        if (reads(d, m, map) && step_of(d, m, of) < steps && step_of(d, m, of) > last_read)
            last_read = step_of(d, m, of);
    if (at->needed_count > 0)
        last_need = steps - 1 - at->needed_by[at->needed_count - 1];
    if (step < steps)
        return d->segments.maps[map].recompute_seconds +
               held_seconds(d, map, step, (last_read > last_need ? last_read : last_need) + 1);
    const bool is_own = is_within(d, map, of) && stays(d, map, of);
    const int32_t otherwise = at->needed_count > 0 ? last_need : at->last_forward;
    return (is_own ? d->segments.maps[map].stay_seconds : 0) +
           (at->kind == VDNN_MAP_INPUT ? 0 : held_seconds(d, map, otherwise + 1, last_read + 1));
}

/* HUGE_VAL: a map is written in place on both sides of its end. */
static double seconds_of_span(const draw *d, const span *of)
{
    double seconds = 0;
    for (int32_t m = 0; m < d->graph->map_count; m++) {
        const vdnn_map *map = &d->graph->maps[m];
        if (map->first_writer >= 0 && map->first_writer < of->end && map->last_writer >= of->end)
            return HUGE_VAL;
        seconds += seconds_of_map(d, m, of);
    }
    return seconds;
}

/* ---- all segments there are ------------------------------------------------------------------ */

typedef double table[MOST_LAYERS + 1][MOST_LAYERS + 1];

/* Each bit says whether a segment ends behind that layer. */
static double seconds_of_ends(const draw *d, table seconds, uint32_t ends)
{
    double sum = 0;
    int32_t begin = 0;
    for (int32_t end = 1; end <= d->graph->layer_count; end++)
        if (end == d->graph->layer_count || (ends >> (end - 1) & 1) != 0) {
            sum += seconds[begin][end];
            begin = end;
        }
    return sum;
}

static void none_cost_less(void **state)
{
    (void)state;
    int compared = 0;
    for (int n = 0; n < vdnn_test_count(300); n++) {
        draw d;
        table seconds;
        double least = HUGE_VAL;
        if (!draw_case(vdnn_test_seed() + (uint64_t)n, &d))
            continue;
        for (int32_t begin = 0; begin < d.graph->layer_count; begin++)
            for (int32_t end = begin + 1; end <= d.graph->layer_count; end++)
                seconds[begin][end] = seconds_of_span(&d, &(span){begin, end});
        for (uint32_t ends = 0; ends >> (d.graph->layer_count - 1) == 0; ends++)
            least = fmin(least, seconds_of_ends(&d, seconds, ends));
        const double found = vdnn_opt_segments_choose(&d.segments, d.graph, d.sums);
        if (fabs(found - least) > 1e-9 * (1 + least))
            fail_msg("seed %llu: found %.9g, there is %.9g",
                     (unsigned long long)(vdnn_test_seed() + (uint64_t)n), found, least);
        compared++;
        drop_case(&d);
    }
    assert_true(compared > 0);
}

/* The flags are those of the segments that the ends say. */
static void what_is_recomputed_is_what_the_segments_say(void **state)
{
    (void)state;
    for (int n = 0; n < vdnn_test_count(300); n++) {
        draw d;
        if (!draw_case(vdnn_test_seed() + (uint64_t)n, &d))
            continue;
        (void)vdnn_opt_segments_choose(&d.segments, d.graph, d.sums);
        for (int32_t end = d.graph->layer_count; end > 0; end = d.segments.begin[end]) {
            const span of = {d.segments.begin[end], end};
            for (int32_t m = 0; m < d.graph->map_count; m++)
                if (is_within(&d, m, &of))
                    assert_int_equal(d.segments.maps[m].is_recomputed,
                                     step_of(&d, m, &of) < 2 * d.graph->layer_count);
        }
        drop_case(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_cost_less),
        cmocka_unit_test(what_is_recomputed_is_what_the_segments_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
