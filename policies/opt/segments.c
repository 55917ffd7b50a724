#include "policies/opt/segments.h"

#include "runtime/base/heap.h"

#include <math.h>

/* Longer segments than any network gains by; so many that the longest networks take no longer. */
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

static double held_seconds(const segment *s, const vdnn_map *map, int32_t from, int32_t to)
{
    return to > from ? (double)map->bytes * (s->sums[to] - s->sums[from]) : 0;
}

/* What a map that stays is held longer for, as it is read once more. */
static double longer_seconds(const segment *s, int32_t m)
{
    const vdnn_map *map = &s->graph->maps[m];
    const int32_t otherwise =
        map->needed_count > 0 ? need_of(s, map, map->needed_count - 1) : map->last_forward;
    return map->kind == VDNN_MAP_INPUT
               ? 0
               : held_seconds(s, map, otherwise + 1, s->own->last_read[m] + 1);
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

/* Of a map that the segment makes: whether it is recomputed, and what that or staying costs. */
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
    s->inside += at->recompute_seconds + held_seconds(s, map, step, last + 1);
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
