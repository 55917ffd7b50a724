#include "policies/opt/prices.h"

#include "policies/opt/local_search.h"
#include "policies/opt/starts.h"
#include "policies/recompute.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <string.h>

/* ---- segments -------------------------------------------------------------------------------- */

/* The most layers of a segment: more than any network gains by, and few enough that the longest
 * networks take no longer. */
enum { MOST_LAYERS = 256 };

vdnn_status vdnn_opt_segments_init(vdnn_opt_segments *own, const vdnn_graph *graph)
{
    const size_t maps = (size_t)graph->map_count, ends = (size_t)graph->layer_count + 1;
    *own = (vdnn_opt_segments){.maps = vdnn_heap_calloc(maps, sizeof *own->maps)};
    own->least = vdnn_heap_calloc(ends, sizeof *own->least);
    own->begin = vdnn_heap_calloc(ends, sizeof *own->begin);
    own->may_end = vdnn_heap_calloc(ends, sizeof *own->may_end);
    own->first_read = vdnn_heap_calloc(maps, sizeof *own->first_read);
    own->last_read = vdnn_heap_calloc(maps, sizeof *own->last_read);
    if (own->maps == NULL || own->least == NULL || own->begin == NULL || own->may_end == NULL ||
        own->first_read == NULL || own->last_read == NULL) {
        vdnn_opt_segments_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for segments of %d layers",
                                (int)graph->layer_count);
    }
    for (size_t end = 0; end < ends; end++)
        own->may_end[end] = true;
    for (int32_t m = 0; m < graph->map_count; m++)
        for (int32_t l = graph->maps[m].first_writer + 1;
             graph->maps[m].first_writer >= 0 && l <= graph->maps[m].last_writer; l++)
            own->may_end[l] = false;
    return VDNN_OK;
}

void vdnn_opt_segments_fini(vdnn_opt_segments *own)
{
    vdnn_heap_free(own->maps);
    vdnn_heap_free(own->least);
    vdnn_heap_free(own->begin);
    vdnn_heap_free(own->may_end);
    vdnn_heap_free(own->first_read);
    vdnn_heap_free(own->last_read);
    *own = (vdnn_opt_segments){0};
}

/* ---- one segment ----------------------------------------------------------------------------- */

/* A segment that grows from its end towards the first layer. What it costs does not depend on where
 * it begins, but for the maps from before that it reads. */
typedef struct segment {
    vdnn_opt_segments *own;
    const vdnn_graph *graph;
    const double *sums;
    int32_t end;
    double inside,
        outside; /* seconds: of its own maps; of those from before, to be read once more */
} segment;

static int32_t need_of(const segment *s, const vdnn_map *map, int32_t which)
{
    return 2 * s->graph->layer_count - 1 - map->needed_by[which];
}

static double held_between(const segment *s, const vdnn_map *map, int32_t from, int32_t to)
{
    return to > from ? (double)map->bytes * (s->sums[to] - s->sums[from]) : 0;
}

/* Returns what it costs to hold a map longer that stays, as the segment reads it once more. */
static double longer_seconds(const segment *s, int32_t m)
{
    const vdnn_map *map = &s->graph->maps[m];
    const int32_t otherwise =
        map->needed_count > 0 ? need_of(s, map, map->needed_count - 1) : map->last_forward;
    return map->kind == VDNN_MAP_INPUT
               ? 0
               : held_between(s, map, otherwise + 1, s->own->last_read[m] + 1);
}

static void note_read(segment *s, int32_t m, int32_t step)
{
    vdnn_opt_segments *own = s->own;
    s->outside -= longer_seconds(s, m);
    if (step < own->first_read[m])
        own->first_read[m] = step;
    if (step > own->last_read[m])
        own->last_read[m] = step;
    s->outside += longer_seconds(s, m);
}

static void note_inputs(segment *s, int32_t m, int32_t step)
{
    const vdnn_graph *graph = s->graph;
    for (int32_t l = graph->maps[m].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        for (int32_t i = 0; i < graph->layers[l].input_count; i++) {
            const int32_t input = graph->tensors[graph->layers[l].inputs[i]].map;
            if (input != m)
                note_read(s, input, step);
        }
}

/* Decides whether a map that the segment writes is recomputed, and adds what that costs, or what it
 * costs to keep it. */
static void add_map(segment *s, int32_t m)
{
    const vdnn_map *map = &s->graph->maps[m];
    vdnn_opt_segment_map *at = &s->own->maps[m];
    const int32_t steps = 2 * s->graph->layer_count, last_read = s->own->last_read[m];
    int32_t step = s->own->first_read[m], last = last_read;
    s->outside -= longer_seconds(s, m);
    at->is_recomputed = false;
    if (!at->may_recompute || map->last_forward >= s->end) {
        s->inside += at->stay_seconds + longer_seconds(s, m);
        return;
    }
    if (map->needed_count > 0) {
        const int32_t need = need_of(s, map, 0), final = need_of(s, map, map->needed_count - 1);
        step = need < step ? need : step;
        last = final > last ? final : last;
    }
    if (step == steps)
        return;
    at->is_recomputed = true;
    s->inside += at->recompute_seconds + held_between(s, map, step, last + 1);
    note_inputs(s, m, step);
}

static void forget_reads(segment *s, int32_t m)
{
    s->own->first_read[m] = 2 * s->graph->layer_count;
    s->own->last_read[m] = -1;
}

static void begin_at_end(segment *s, int32_t end)
{
    const vdnn_graph *graph = s->graph;
    s->end = end;
    s->inside = s->outside = 0;
    for (int32_t l = end - 1; l >= 0 && end - l <= MOST_LAYERS; l--) {
        forget_reads(s, graph->tensors[graph->layers[l].output].map);
        for (int32_t i = 0; i < graph->layers[l].input_count; i++)
            forget_reads(s, graph->tensors[graph->layers[l].inputs[i]].map);
    }
}

/* Layers are in the order of their outputs' last writers, the aux maps apart. */
static void add_layer(segment *s, int32_t layer)
{
    const int32_t m = s->graph->tensors[s->graph->layers[layer].output].map;
    if (s->graph->maps[m].last_writer == layer && s->graph->maps[m].kind == VDNN_MAP_FEATURE)
        add_map(s, m);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void find_begin(segment *s, int32_t end)
{
    vdnn_opt_segments *own = s->own;
    own->least[end] = HUGE_VAL;
    if (!own->may_end[end])
        return;
    begin_at_end(s, end);
    for (int32_t l = end - 1; l >= 0 && end - l <= MOST_LAYERS; l--) {
        add_layer(s, l);
        if (own->least[l] + s->inside + s->outside < own->least[end]) {
            own->least[end] = own->least[l] + s->inside + s->outside;
            own->begin[end] = l;
        }
    }
}

double vdnn_opt_segments_choose(vdnn_opt_segments *own, const vdnn_graph *graph, const double *sums)
{
    segment s = {.own = own, .graph = graph, .sums = sums};
    own->least[0] = 0;
    for (int32_t end = 1; end <= graph->layer_count; end++)
        find_begin(&s, end);
    for (int32_t end = graph->layer_count; end > 0; end = own->begin[end]) {
        begin_at_end(&s, end);
        for (int32_t l = end - 1; l >= own->begin[end]; l--)
            add_layer(&s, l);
    }
    return own->least[graph->layer_count];
}

/* ---- prices ---------------------------------------------------------------------------------- */

/* How often all maps are decided; and how deep a chain of maps may be that are recomputed only for
 * each other. */
enum { ROUNDS = 3, DEEPEST = 6 };

vdnn_status vdnn_opt_prices_init(vdnn_opt_prices *own, const vdnn_graph *graph)
{
    const size_t steps = 2 * (size_t)graph->layer_count;
    *own = (vdnn_opt_prices){.steps = (int32_t)steps};
    own->of_byte = vdnn_heap_calloc(steps, sizeof *own->of_byte);
    own->sums = vdnn_heap_calloc(steps + 1, sizeof *own->sums);
    own->needs = vdnn_heap_calloc((size_t)graph->map_count, sizeof *own->needs);
    vdnn_status status = vdnn_opt_segments_init(&own->segments, graph);
    if (own->of_byte == NULL || own->sums == NULL || own->needs == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the prices of %zu steps", steps);
    if (status != VDNN_OK)
        vdnn_opt_prices_fini(own);
    return status;
}

void vdnn_opt_prices_fini(vdnn_opt_prices *own)
{
    vdnn_heap_free(own->of_byte);
    vdnn_heap_free(own->sums);
    vdnn_heap_free(own->needs);
    vdnn_opt_segments_fini(&own->segments);
    *own = (vdnn_opt_prices){0};
}

/* ---- when backward needs what ---------------------------------------------------------------- */

static int32_t backward_step(const vdnn_opt_prices *own, int32_t layer)
{
    return own->steps - 1 - layer;
}

static int32_t earlier(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Returns the first step of backward that needs a map, also to recompute another map. `without` is
 * a map that does not count; -1: all count. */
static int32_t need_without(const vdnn_opt_prices *own, const vdnn_graph *graph,
                            const vdnn_decisions *decisions, int32_t map, int32_t without)
{
    const vdnn_map *at = &graph->maps[map];
    int32_t need = at->needed_count > 0 ? backward_step(own, at->needed_by[0]) : own->steps;
    for (int32_t i = 0; i < at->reader_count; i++) {
        const int32_t made = graph->tensors[graph->layers[at->readers[i]].output].map;
        if (made != map && made != without && vdnn_decisions_recomputes(decisions, made))
            need = earlier(need, own->needs[made]);
    }
    return need;
}

/* ---- what a map costs ------------------------------------------------------------------------ */

static double held_seconds(const vdnn_opt_prices *own, const vdnn_map *map, int32_t from,
                           int32_t to)
{
    return to > from ? (double)map->bytes * (own->sums[to] - own->sums[from]) : 0;
}

static double kept_seconds(const vdnn_opt_prices *own, const vdnn_map *map, int32_t need)
{
    return need < own->steps ? held_seconds(own, map, map->last_forward + 1, need) : 0;
}

/* Returns the seconds of recomputing a map at a step. A source that is not there for anything else
 * then has to be kept or recomputed too, whichever costs less. */
static double recompute_seconds(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                                const vdnn_decisions *decisions, int32_t map, int32_t step,
                                int depth)
{
    const vdnn_graph *graph = search->graph;
    double seconds = vdnn_recompute_seconds(search->request, decisions, map);
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        for (int32_t i = 0; i < graph->layers[l].input_count; i++) {
            const int32_t input = graph->tensors[graph->layers[l].inputs[i]].map;
            const vdnn_map *from = &graph->maps[input];
            const int32_t need = need_without(own, graph, decisions, input, map);
            if (input == map || from->kind == VDNN_MAP_INPUT)
                continue;
            if (need < own->steps) {
                seconds += decisions->maps[input].action == VDNN_KEEP
                               ? 0
                               : held_seconds(own, from, step, need);
                continue;
            }
            double kept = kept_seconds(own, from, step);
            if (depth < DEEPEST && vdnn_opt_may_recompute(search, decisions, input))
                kept =
                    fmin(kept, recompute_seconds(own, search, decisions, input, step, depth + 1));
            kept += (double)from->bytes * own->of_byte[step];
            seconds += kept;
        }
    return seconds;
}

/* A possible decision for a map. If no layer hides a copy, at most the seconds of that copy count.
 */
typedef struct way {
    vdnn_map_decision decision;
    double exposed_seconds;
} way;

static double offload_seconds(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                              int32_t map, const way *of)
{
    const vdnn_map_decision *decision = &of->decision;
    const vdnn_map *at = &search->graph->maps[map];
    const int32_t need = own->needs[map], returns = backward_step(own, decision->returns);
    const int32_t uses = decision->between == VDNN_OFFLOAD ? at->needed_count : 1;
    const double out = vdnn_opt_copies_out_seconds(search, at->bytes),
                 in = vdnn_opt_copies_in_seconds(search, at->bytes);
    return own->of_link * (out + uses * in) + own->of_host * (double)at->bytes +
           of->exposed_seconds + held_seconds(own, at, at->last_forward + 1, decision->leaves + 1) +
           held_seconds(own, at, returns, need);
}

/* Returns what it costs to hold a map from its first use in backward to its last. */
static double between_seconds(const vdnn_opt_prices *own, const vdnn_map *map, int32_t need,
                              const vdnn_map_decision *decision)
{
    if (map->needed_count == 0 ||
        (decision->between == decision->action && decision->action != VDNN_KEEP))
        return 0;
    return held_seconds(own, map, need,
                        backward_step(own, map->needed_by[map->needed_count - 1]) + 1);
}

static double way_seconds(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                          const vdnn_decisions *decisions, int32_t map, const way *of)
{
    const vdnn_map_decision *decision = &of->decision;
    const vdnn_map *at = &search->graph->maps[map];
    const int32_t need = own->needs[map];
    const int32_t uses =
        decision->between == VDNN_RECOMPUTE && at->needed_count > 1 ? at->needed_count : 1;
    const double between = between_seconds(own, at, need, decision);
    switch (decision->action) {
    case VDNN_RECOMPUTE:
        return between + uses * recompute_seconds(own, search, decisions, map, need, 0);
    case VDNN_OFFLOAD:
        return between + offload_seconds(own, search, map, of);
    default:
        return between + kept_seconds(own, at, need);
    }
}

/* ---- the choice ------------------------------------------------------------------------------ */

enum { MOST_WAYS = 5 };

static way offload(const vdnn_opt_search *search, const vdnn_decisions *decisions, int32_t map)
{
    const size_t bytes = search->graph->maps[map].bytes;
    double out, in;
    way made = {.decision = {.action = VDNN_OFFLOAD}};
    made.decision.leaves = vdnn_opt_copies_leave_queued(search, decisions, map, &out);
    made.decision.returns = vdnn_opt_copies_return_queued(search, decisions, map, &in);
    made.exposed_seconds = fmin(out, vdnn_opt_copies_out_seconds(search, bytes)) +
                           fmin(in, vdnn_opt_copies_in_seconds(search, bytes));
    return made;
}

/* Lists the decisions for a map. The first one stays if no other gains anything. */
static int list_ways(const vdnn_opt_search *search, const vdnn_decisions *decisions, int32_t map,
                     way ways[MOST_WAYS])
{
    const vdnn_map *at = &search->graph->maps[map];
    int count = 0;
    ways[count++] = (way){.decision.action = at->needed_count > 0 ? VDNN_KEEP : VDNN_DROP};
    if (vdnn_decisions_tail_has(search->graph, decisions, map))
        return count;
    if (vdnn_opt_may_recompute(search, decisions, map))
        ways[count++] = (way){.decision.action = VDNN_RECOMPUTE};
    if (at->needed_count > 0 && search->profile->copy_out_bytes_per_second > 0)
        ways[count++] = offload(search, decisions, map);
    for (int i = 1, once = count; i < once && at->needed_count > 1; i++) {
        ways[count] = ways[i];
        ways[count++].decision.between = ways[i].decision.action;
    }
    return count;
}

/* The layer during whose pass a block of parameters is copied in, this many layers with parameters
 * ahead; `by`: -1 in forward, 1 in backward. */
static int32_t layer_ahead(const vdnn_graph *graph, int32_t layer, int32_t ahead, int32_t by)
{
    int32_t at = layer;
    for (int32_t left = ahead > 0 ? ahead : 1; left > 0;) {
        if (at + by < 0 || at + by >= graph->layer_count)
            return at;
        at += by;
        left -= graph->layers[at].param_bytes > 0;
    }
    return at;
}

/* Returns what it costs to hold a layer's parameters and optimizer state. */
static double params_held_seconds(const vdnn_opt_prices *own, const vdnn_graph *graph,
                                  int32_t layer, const vdnn_params_decision *decision)
{
    const double params = (double)graph->layers[layer].param_bytes,
                 state = (double)vdnn_graph_state_bytes(graph, layer);
    const double *sums = own->sums;
    if (decision->action == VDNN_KEEP)
        return (params + state) * sums[own->steps];
    const int32_t begins = layer_ahead(graph, layer, decision->ahead, -1),
                  returns = backward_step(own, layer_ahead(graph, layer, decision->ahead, 1)),
                  ends = backward_step(own, layer) + 1;
    const double forward = params * (sums[layer + 1] - sums[begins]),
                 backward = (params + state) * (sums[ends] - sums[returns]),
                 between = decision->stays ? params * (sums[returns] - sums[layer + 1]) : 0;
    return forward + backward + between + own->of_host * (params + state);
}

static void choose_params(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                          vdnn_decisions *decisions, int32_t layer)
{
    const vdnn_graph *graph = search->graph;
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    const double share = vdnn_opt_moves_link_share(search, decisions);
    const int count = vdnn_opt_moves_of_params(search, decisions, share, layer, list);
    vdnn_params_decision *at = &decisions->params[layer], best = *at;
    double least = params_held_seconds(own, graph, layer, at);
    for (int i = 0; i < count; i++) {
        const double seconds =
            list[i].seconds + params_held_seconds(own, graph, layer, &list[i].params);
        if (seconds < least) {
            least = seconds;
            best = list[i].params;
        }
    }
    *at = best;
}

static void choose_map(vdnn_opt_prices *own, vdnn_opt_search *search, vdnn_decisions *decisions,
                       int32_t map)
{
    vdnn_map_decision *at = &decisions->maps[map];
    way ways[MOST_WAYS];
    const vdnn_map_decision before = *at;
    own->needs[map] = need_without(own, search->graph, decisions, map, -1);
    if (own->needs[map] == own->steps) {
        *at = (vdnn_map_decision){.action = VDNN_DROP, .gradient = at->gradient};
        return;
    }
    const int count = list_ways(search, decisions, map, ways);
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const double seconds = way_seconds(own, search, decisions, map, &ways[i]);
        if (seconds < least) {
            least = seconds;
            best = i;
        }
    }
    ways[best].decision.gradient = at->gradient;
    *at = ways[best].decision;
    if (memcmp(at, &before, sizeof before) != 0)
        vdnn_opt_copies_note(search, decisions);
}

/* Chooses the algorithm of a layer's pass, which also counts where it runs once more to recompute a
 * map. In forward it is deterministic, since any map may be recomputed. */
static void choose_pass(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                        vdnn_decisions *decisions, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *at = &search->profile->layers[layer];
    const vdnn_graph *graph = search->graph;
    const int32_t map = graph->tensors[graph->layers[layer].output].map;
    const bool again = pass == VDNN_FORWARD && vdnn_decisions_recomputes(decisions, map) &&
                       own->needs[map] < own->steps;
    const double price = own->of_byte[pass == VDNN_FORWARD ? layer : backward_step(own, layer)] +
                         (again ? own->of_byte[own->needs[map]] : 0);
    double least = HUGE_VAL;
    for (int32_t i = 0; i < at->choice_count[pass]; i++) {
        const vdnn_choice *choice = &at->choices[pass][i];
        const double seconds =
            (again ? 2 : 1) * choice->seconds + price * (double)choice->workspace_bytes;
        if ((pass == VDNN_FORWARD && !choice->algorithm->deterministic) || seconds >= least)
            continue;
        least = seconds;
        decisions->choice[layer][pass] = i;
    }
}

/* Chooses when the batch is loaded. One loaded ahead is on the device during the whole step; the
 * step waits for one that it loads itself. */
static void choose_loads(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                         vdnn_decisions *decisions)
{
    const size_t bytes = vdnn_graph_input_bytes(search->graph);
    if (!vdnn_decisions_may_load_ahead(search->graph, search->profile))
        return;
    decisions->loads =
        vdnn_opt_copies_in_seconds(search, bytes) < (double)bytes * own->sums[own->steps]
            ? VDNN_LOADS_OWN
            : VDNN_LOADS_AHEAD;
}

/* ---- segments -------------------------------------------------------------------------------- */

/* Returns the cheaper way for a map to stay for backward: kept or offloaded. */
static way stay(const vdnn_opt_prices *own, const vdnn_opt_search *search,
                const vdnn_decisions *decisions, int32_t map, double *seconds)
{
    way ways[MOST_WAYS], best = {.decision.action = VDNN_DROP};
    const int count = list_ways(search, decisions, map, ways);
    *seconds = search->graph->maps[map].needed_count > 0 ? HUGE_VAL : 0;
    for (int i = 0; i < count; i++) {
        if (ways[i].decision.action != VDNN_KEEP && ways[i].decision.action != VDNN_OFFLOAD)
            continue;
        const double of_way = way_seconds(own, search, decisions, map, &ways[i]);
        if (of_way < *seconds) {
            *seconds = of_way;
            best = ways[i];
        }
    }
    return best;
}

static void note_facts(vdnn_opt_prices *own, const vdnn_opt_search *search,
                       const vdnn_decisions *decisions)
{
    for (int32_t m = 0; m < search->graph->map_count; m++) {
        const vdnn_map *map = &search->graph->maps[m];
        vdnn_opt_segment_map *at = &own->segments.maps[m];
        own->needs[m] = map->needed_count > 0 ? backward_step(own, map->needed_by[0]) : own->steps;
        at->may_recompute = vdnn_opt_may_recompute(search, decisions, m);
        at->recompute_seconds = vdnn_recompute_seconds(search->request, decisions, m);
        (void)stay(own, search, decisions, m, &at->stay_seconds);
    }
}

static void choose_segments(vdnn_opt_prices *own, vdnn_opt_search *search,
                            vdnn_decisions *decisions)
{
    const vdnn_graph *graph = search->graph;
    note_facts(own, search, decisions);
    (void)vdnn_opt_segments_choose(&own->segments, graph, own->sums);
    for (int32_t m = graph->map_count - 1; m >= 0; m--) {
        vdnn_map_decision *at = &decisions->maps[m];
        const vdnn_tier gradient = at->gradient;
        double seconds;
        if (graph->maps[m].kind == VDNN_MAP_FEATURE && own->segments.maps[m].is_recomputed)
            *at = (vdnn_map_decision){.action = VDNN_RECOMPUTE};
        else
            *at = stay(own, search, decisions, m, &seconds).decision;
        at->gradient = gradient;
    }
    vdnn_opt_copies_note(search, decisions);
}

void vdnn_opt_prices_choose(vdnn_opt_prices *own, vdnn_opt_search *search,
                            vdnn_decisions *decisions)
{
    const vdnn_graph *graph = search->graph;
    for (int32_t t = 0; t < own->steps; t++)
        own->sums[t + 1] = own->sums[t] + own->of_byte[t];
    choose_loads(own, search, decisions);
    vdnn_opt_copies_note(search, decisions);
    for (int round = 0; round < ROUNDS; round++) {
        for (int32_t l = 0; l < graph->layer_count; l++)
            for (int p = 0; p < VDNN_PASS_COUNT; p++)
                choose_pass(own, search, decisions, l, (vdnn_pass)p);
        if (round == 0 && own->begins_with_segments)
            choose_segments(own, search, decisions);
        for (int32_t m = graph->map_count - 1; m >= 0; m--)
            choose_map(own, search, decisions, m);
        for (int32_t l = 0; l < graph->layer_count && own->moves_params; l++)
            choose_params(own, search, decisions, l);
        vdnn_opt_copies_note(search, decisions);
    }
    vdnn_opt_search_chain(search, decisions);
}

/* ---- starts by prices ------------------------------------------------------------------------ */

/* Prices of a second of the link that are tried. At a higher price fewer copies wait for each
 * other. */
static const double link_prices[] = {0.06, 0.045, 0.03, 0.09, 0.12, 0.25};

enum { LINK_PRICES = sizeof link_prices / sizeof *link_prices };

/* How often the range between the lowest and the highest price of all steps is halved; in how many
 * turns the prices of single steps then change, at the highest price and at the one that was found;
 * after how many turns each the best plan that exceeds the budget is repaired, and the trials of
 * that. */
enum { HALVINGS = 12, HIGHEST_TURNS = 32, TURNS = 24, TURNS_OF_REPAIR = 6, REPAIR_TRIALS = 60 };

/* The lowest and the highest price, in units in which the whole budget costs a step. At the highest
 * only memory counts. */
static const double LOWEST = 1e-2, HIGHEST = 1e3;

/* In the first turn this part of all prices moves to the steps that exceed the budget; after
 * SLOWING turns it is half of that. It is up to twice as much where more than 1 / GROWTH of the
 * budget is exceeded. */
static const double RATE = 0.1, SLOWING = 8, GROWTH = 5;

/* For the smallest arena only a quick descent counts: a larger part of the prices moves, and the
 * next arena that is searched for is at most this part of the last one. */
static const double STEEP_RATE = 0.4, NEXT_ARENA = 0.8;

/* The first price of a step that does not exceed the budget, relative to one that does. */
static const double LOW_SHAPE = 1e-2;

/* The price of the host tier once it is exceeded, relative to the sum of all steps. At the highest,
 * no map is copied out, even if that frees its bytes during the whole step. */
static const double LEAST_HOST = 1.0 / 16, MOST_HOST = 4;

/* A link is slow if it takes this many times as long as forward to copy all maps out. */
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

/* Returns the bytes that a step exceeds the budget by. Index `steps` is the host tier, which has a
 * price, too. */
static double exceeded_bytes(const relaxation *r, int32_t step)
{
    const double host = (double)r->own->budget_bytes[VDNN_TIER_HOST];
    return fmax(r->used[step] - (step < r->prices.steps ? r->device_bytes : host), 0);
}

/* ---- one plan -------------------------------------------------------------------------------- */

static size_t workspace_of(const relaxation *r, int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *choice = vdnn_decisions_choice(&r->made, r->own->profile, layer, pass);
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

/* Chooses the fastest algorithm whose workspace fits with what is live, if there is one. A pass
 * that runs once more in backward keeps its algorithm. */
static void refit_pass(relaxation *r, int32_t layer, vdnn_pass pass)
{
    const vdnn_graph *graph = r->own->graph;
    const vdnn_layer_profile *at = &r->own->profile->layers[layer];
    const size_t taken = r->live[layer][pass != VDNN_FORWARD],
                 budget = r->own->budget_bytes[VDNN_TIER_DEVICE];
    const int32_t map = graph->tensors[graph->layers[layer].output].map;
    if (taken > budget || (pass == VDNN_FORWARD && vdnn_decisions_recomputes(&r->made, map)))
        return;
    vdnn_opt_choose_within(at, pass, budget - taken, HUGE_VAL, &r->made.choice[layer][pass]);
}

/* Replaces algorithms whose workspace exceeds the budget by slower ones, so that prices need not
 * rise as far as that would require. */
static vdnn_status refit(relaxation *r)
{
    for (int32_t l = 0; l < r->made.layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            refit_pass(r, l, (vdnn_pass)p);
    return bound_made(r);
}

/* Offers a plan that fits by bounds and may be better. Packing may take more. */
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

/* Returns the seconds of the last plan, plus the present price of the bytes that exceed the
 * budgets. */
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

/* Repairs the plan that comes closest to the budget by single moves. */
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

/* Lowers all prices, and raises those of the steps that exceed the budget, in proportion to the
 * excess. */
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

/* Raises the price of the host tier until its memory is enough. Maps that cannot be copied out then
 * are recomputed. */
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

/* Tries the highest price. Parameters are copied three times in a step, so they are offloaded only
 * if nothing fits otherwise. */
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

/* Finds the lowest price between two at which the plan fits. */
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

/* Whether next to nothing can be copied out during forward, so that only recomputing saves memory.
 */
static bool is_link_slow(const vdnn_opt_search *own)
{
    const vdnn_graph *graph = own->graph;
    double bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        bytes += graph->maps[m].needed_count > 0 ? (double)graph->maps[m].bytes : 0;
    return bytes > SLOW * own->forward_seconds * own->profile->copy_out_bytes_per_second;
}

/* Tries the prices of the link one after the other until one finds no better plan. Where the link
 * is too slow for copies, plans begin with segments. */
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
    vdnn_status status = vdnn_opt_prices_init(&r->prices, r->own->graph);
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

/* Raises the prices of the steps that take the most memory, at a level where time does not count.
 */
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
    relaxation r = {.own = own, .device_bytes = (double)own->budget_bytes[VDNN_TIER_DEVICE]};
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
