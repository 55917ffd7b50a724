#include "runtime/planner/steps/moves/map_copies.h"

#include "runtime/planner/steps/emitter.h"

#include <string.h>

enum { NONE = -1 };

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Whether some parts of it stay on the device, and others are recomputed. */
static bool is_kept_in_part(const vdnn_emitter *emit, int32_t map)
{
    return emit->decisions->maps[map].action == VDNN_KEEP && vdnn_emitter_recomputes(emit, map) &&
           emit->graph->maps[map].needed_count > 0;
}

static int32_t decided_pieces(const vdnn_emitter *emit, int32_t map)
{
    bool is_cut = is_kept_in_part(emit, map) ||
                  (vdnn_emitter_offloads(emit, map) && emit->decisions->maps[map].pieces);
    return is_cut ? vdnn_graph_part_count(emit->graph, emit->graph->maps[map].needed_by[0]) : 1;
}

static void count_pieces(vdnn_emitter *emit)
{
    const int32_t maps = emit->graph->map_count;
    int32_t *first = vdnn_region_take(&emit->builder->region, (size_t)maps + 1, sizeof *first);
    int32_t count = 0;
    for (int32_t m = 0; m < maps && first != NULL; m++) {
        first[m] = count;
        count += decided_pieces(emit, m);
    }
    if (first != NULL)
        first[maps] = count;
    emit->map_copies.first_piece = first;
    emit->map_copies.pieces = vdnn_emitter_no_places(emit, count);
    vdnn_residency_create(emit, VDNN_VALUE_MAP, count);
}

/* The layer of a decision, or the last of the stage, if that comes before it. */
static int32_t layer_here(const vdnn_emitter *emit, int32_t layer)
{
    const int32_t last = vdnn_graph_end_layer(emit->graph) - 1;
    return layer < last ? layer : last;
}

/* Of those that return during one layer, what backward needs first comes first. */
static void list_returning(vdnn_emitter *emit, int32_t map)
{
    vdnn_map_copies *own = &emit->map_copies;
    const vdnn_map *maps = emit->graph->maps;
    int32_t *at = &own->returning[layer_here(emit, emit->decisions->maps[map].returns)];
    while (*at != NONE && maps[*at].needed_by[0] > maps[map].needed_by[0])
        at = &own->next_returning[*at];
    own->next_returning[map] = *at;
    *at = map;
}

void vdnn_map_copies_init(vdnn_emitter *emit)
{
    vdnn_map_copies *own = &emit->map_copies;
    const int32_t maps = emit->graph->map_count, layers = emit->graph->layer_count;
    count_pieces(emit);
    own->leaving = vdnn_emitter_no_indexes(emit, maps);
    own->written = vdnn_emitter_no_indexes(emit, layers);
    own->next_written = vdnn_emitter_no_indexes(emit, maps);
    own->returning = vdnn_emitter_no_indexes(emit, layers);
    own->next_returning = vdnn_emitter_no_indexes(emit, maps);
    own->fetched = vdnn_emitter_no_indexes(emit, maps);
    own->waiting = vdnn_emitter_no_indexes(emit, maps);
    for (int32_t m = maps - 1; m >= 0 && !emit->builder->region.failed; m--) {
        if (!vdnn_emitter_offloads(emit, m))
            continue;
        const int32_t writer = emit->graph->maps[m].last_writer;
        int32_t *written = &own->written[writer < 0 ? vdnn_graph_first_layer(emit->graph) : writer];
        own->next_written[m] = *written;
        *written = m;
        list_returning(emit, m);
    }
}

void vdnn_map_copies_begin_micro(vdnn_emitter *emit)
{
    vdnn_map_copies *own = &emit->map_copies;
    const int32_t pieces = own->first_piece[emit->graph->map_count];
    vdnn_residency_clear(emit, VDNN_VALUE_MAP, pieces);
    memset(own->pieces, NONE, (size_t)pieces * sizeof *own->pieces);
    own->leaving_count = 0;
    own->now = own->link_free = 0;
}

static int32_t pieces_of(const vdnn_emitter *emit, int32_t map)
{
    return emit->map_copies.first_piece[map + 1] - emit->map_copies.first_piece[map];
}

static bool is_recomputed(const vdnn_emitter *emit, int32_t map, int32_t piece)
{
    return emit->training &&
           vdnn_decisions_recomputes_piece(emit->decisions, map, piece, pieces_of(emit, map));
}

static int32_t current_piece(const vdnn_emitter *emit, int32_t map)
{
    return pieces_of(emit, map) == 1 ? 0 : emit->part;
}

bool vdnn_map_copies_are_recomputed(const vdnn_emitter *emit, int32_t map)
{
    return is_recomputed(emit, map, current_piece(emit, map));
}

/* Of the map. */
static vdnn_stripes range_of(const vdnn_emitter *emit, int32_t map, int32_t piece)
{
    const vdnn_graph *shape = emit->shape;
    size_t all = shape->maps[map].bytes, sample = all / (size_t)shape->micro_batch;
    if (pieces_of(emit, map) == 1)
        return (vdnn_stripes){.bytes = all};
    const vdnn_graph_part *part = vdnn_graph_part_at(shape, shape->maps[map].needed_by[0], piece);
    return (vdnn_stripes){.offset = sample * (size_t)part->range.first_sample,
                          .bytes = sample * (size_t)part->range.samples};
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Of a piece, hidden by `layer`; not before the compute step `gate`. */
static vdnn_move move_of(const vdnn_emitter *emit, int32_t map, int32_t piece, int32_t layer,
                         int32_t gate)
{
    const int32_t spills = emit->decisions->maps[map].spills;
    return (vdnn_move){.value = {VDNN_VALUE_MAP, emit->map_copies.first_piece[map] + piece},
                       .tier = (vdnn_tier)(VDNN_TIER_HOST + spills),
                       .layer = layer,
                       .half = emit->half,
                       .gate = gate,
                       .range = range_of(emit, map, piece)};
}

static void copy_out(vdnn_emitter *emit, int32_t map, int32_t piece, int32_t layer)
{
    const bool is_by_need =
        emit->decisions->sync == VDNN_SYNC_BY_NEED && emit->half == VDNN_FORWARD;
    const vdnn_move move = move_of(emit, map, piece, layer, is_by_need ? NONE : emit->gate);
    vdnn_residency_out(emit, &move, emit->maps[map]);
}

static bool is_away(const vdnn_emitter *emit, int32_t map)
{
    const vdnn_value_id first = {VDNN_VALUE_MAP, emit->map_copies.first_piece[map]};
    return vdnn_residency_in_tier(emit, first, VDNN_TIER_HOST)->buffer != NONE;
}

/* ---- out in forward -------------------------------------------------------------------------- */

/* Seconds of a chain's layers, one after the other. */
static double forward_seconds(const vdnn_emitter *emit, vdnn_chain of)
{
    double seconds = 0;
    for (int32_t l = of.begin; l < of.end; l++)
        if (vdnn_layer_has_pass(&emit->graph->layers[l], VDNN_FORWARD))
            seconds += of.parts * emit->profile->launch_seconds +
                       vdnn_profile_choice_of_micro(vdnn_emitter_choice(emit, l, VDNN_FORWARD),
                                                    emit->graph, emit->micro)
                           .seconds;
    return seconds;
}

static void takes_link(vdnn_emitter *emit, size_t bytes)
{
    const double begin = emit->map_copies.link_free > emit->map_copies.now
                             ? emit->map_copies.link_free
                             : emit->map_copies.now;
    emit->map_copies.link_free = begin + (double)bytes / emit->profile->copy_out_bytes_per_second;
}

/* Of what is written the map that has to leave first; its place in the list; NONE: there is none.
 */
static int32_t most_urgent(const vdnn_emitter *emit)
{
    const vdnn_map_decision *decisions = emit->decisions->maps;
    int32_t first = NONE;
    for (int32_t i = 0; i < emit->map_copies.leaving_count; i++)
        if (first == NONE || decisions[emit->map_copies.leaving[i]].leaves <
                                 decisions[emit->map_copies.leaving[first]].leaves)
            first = i;
    return first;
}

static void leave(vdnn_emitter *emit, int32_t at)
{
    const int32_t map = emit->map_copies.leaving[at], own = emit->group,
                  leaves = layer_here(emit, emit->decisions->maps[map].leaves);
    for (int32_t i = at; i + 1 < emit->map_copies.leaving_count; i++)
        emit->map_copies.leaving[i] = emit->map_copies.leaving[i + 1];
    emit->map_copies.leaving_count--;
    emit->group = emit->first_group + vdnn_run_order_leaving_group(emit->chains[leaves], leaves);
    for (int32_t p = 0; p < pieces_of(emit, map); p++)
        copy_out(emit, map, p, leaves);
    emit->group = own;
    takes_link(emit, emit->shape->maps[map].bytes);
}

/* Whatever has to have left by the end of a chain, and more as long as the link is free before
 * `until`: copies that may take their time do not wait for others that cannot begin. */
static void copies_out(vdnn_emitter *emit, vdnn_chain of, double until)
{
    for (int32_t at = most_urgent(emit); at != NONE; at = most_urgent(emit)) {
        const bool is_due =
            layer_here(emit, emit->decisions->maps[emit->map_copies.leaving[at]].leaves) < of.end;
        if (!is_due && emit->map_copies.link_free >= until)
            return;
        leave(emit, at);
    }
}

static bool begins_early(const vdnn_emitter *emit)
{
    return emit->decisions->sync == VDNN_SYNC_BY_NEED;
}

static void list_written(vdnn_emitter *emit, int32_t layer, bool by_none)
{
    for (int32_t m = emit->map_copies.written[layer]; m != NONE;
         m = emit->map_copies.next_written[m])
        if (!emit->is_by_parts[m] && (emit->graph->maps[m].last_writer < 0) == by_none)
            emit->map_copies.leaving[emit->map_copies.leaving_count++] = m;
}

void vdnn_map_copies_out_beside(vdnn_emitter *emit, vdnn_chain of)
{
    if (of.begin == vdnn_graph_first_layer(emit->graph))
        list_written(emit, of.begin, true);
    emit->map_copies.until = emit->map_copies.now + forward_seconds(emit, of);
    copies_out(emit, of, begins_early(emit) ? emit->map_copies.until : 0);
}

void vdnn_map_copies_out_behind(vdnn_emitter *emit, vdnn_chain of)
{
    emit->map_copies.now = emit->map_copies.until;
    for (int32_t l = of.begin; l < of.end; l++)
        list_written(emit, l, false);
    copies_out(emit, of, 0);
}

static void copy_out_part(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer)
{
    const vdnn_map_decision *decision = &emit->decisions->maps[map];
    const int32_t own = emit->group;
    emit->group =
        emit->first_group + vdnn_run_order_leaving_group_of_part(
                                emit->chains[layer->index], layer_here(emit, decision->leaves),
                                emit->part, decision->pieces, emit->graph->maps[map].last_forward);
    copy_out(emit, map, emit->part, layer->index);
    emit->group = own;
    takes_link(emit, range_of(emit, map, emit->part).bytes);
}

void vdnn_map_copies_of_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const int32_t map = emit->graph->tensors[layer->output].map;
    if (emit->graph->maps[map].last_writer != layer->index || !emit->is_by_parts[map] ||
        is_recomputed(emit, map, current_piece(emit, map)))
        return;
    if (vdnn_emitter_offloads(emit, map))
        copy_out_part(emit, map, layer);
    else if (is_kept_in_part(emit, map))
        emit->map_copies.pieces[emit->map_copies.first_piece[map] + emit->part] = emit->maps[map];
}

/* A piece that comes ahead may come when the part that runs begins. */
static void copy_in(vdnn_emitter *emit, int32_t map, int32_t piece, int32_t layer)
{
    vdnn_map_copies *own = &emit->map_copies;
    const bool is_whole = pieces_of(emit, map) == 1;
    const vdnn_move move =
        move_of(emit, map, piece, layer, is_whole ? emit->gate : emit->last_compute);
    vdnn_residency_in(emit, &move,
                      is_whole ? &emit->maps[map] : &own->pieces[own->first_piece[map] + piece]);
    if (is_whole)
        own->fetched[own->fetched_count++] = map;
}

static bool is_there(const vdnn_emitter *emit, int32_t map, int32_t piece)
{
    return pieces_of(emit, map) == 1
               ? emit->maps[map].buffer != NONE
               : emit->map_copies.pieces[emit->map_copies.first_piece[map] + piece].buffer != NONE;
}

void vdnn_map_copies_in(vdnn_emitter *emit, int32_t map, int32_t layer)
{
    const bool is_begun = emit->part > 0 && pieces_of(emit, map) > 1;
    if (is_away(emit, map) && !is_begun && !is_there(emit, map, 0))
        copy_in(emit, map, 0, layer);
}

static void copy_in_ahead(vdnn_emitter *emit, int32_t tensor, int32_t layer)
{
    int32_t map = emit->graph->tensors[tensor].map;
    const vdnn_map_decision *decision = &emit->decisions->maps[map];
    if (decision->between == VDNN_OFFLOAD && decision->action != VDNN_OFFLOAD)
        vdnn_map_copies_in(emit, map, layer);
}

void vdnn_map_copies_in_ahead(vdnn_emitter *emit, int32_t layer)
{
    int32_t behind = vdnn_emitter_next_in_backward(emit, layer);
    if (behind < 0)
        return;
    const vdnn_layer *next = &emit->graph->layers[behind];
    vdnn_needs needs = vdnn_layer_needs(next);
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < next->input_count; i++)
        copy_in_ahead(emit, next->inputs[i], layer);
    if (needs & VDNN_NEEDS_Y)
        copy_in_ahead(emit, next->output, layer);
}

/* The layer of backward that needs a map next; -1: none. */
static int32_t next_need(const vdnn_map *map, int32_t layer)
{
    for (int32_t i = 0; i < map->needed_count; i++)
        if (map->needed_by[i] < layer)
            return map->needed_by[i];
    return NONE;
}

static bool is_waiting(const vdnn_emitter *emit, int32_t map)
{
    for (int32_t i = 0; i < emit->map_copies.waiting_count; i++)
        if (emit->map_copies.waiting[i] == map)
            return true;
    return false;
}

/* Of one that is there a part at a time, that part. */
static void leave_device(vdnn_emitter *emit, int32_t map)
{
    bool is_one = emit->is_by_parts[map];
    emit->maps[map] = vdnn_place_of(NONE);
    for (int32_t p = 0; p < pieces_of(emit, map); p++)
        if (!is_one || p == emit->part)
            emit->map_copies.pieces[emit->map_copies.first_piece[map] + p] = vdnn_place_of(NONE);
}

void vdnn_map_copies_forget(vdnn_emitter *emit, int32_t map, int32_t layer)
{
    const vdnn_map_decision *decision = &emit->decisions->maps[map];
    int32_t next = next_need(&emit->graph->maps[map], layer);
    bool comes_again = decision->action != VDNN_KEEP &&
                       (vdnn_emitter_offloads(emit, map) || vdnn_emitter_recomputes(emit, map));
    if (comes_again && decision->between == decision->action)
        leave_device(emit, map);
    else if (decision->between == VDNN_OFFLOAD && next != NONE && !is_waiting(emit, map) &&
             !vdnn_emitter_is_used_soon(emit, layer, next))
        emit->map_copies.waiting[emit->map_copies.waiting_count++] = map;
}

void vdnn_map_copies_free(vdnn_emitter *emit, int32_t layer)
{
    for (int32_t i = 0; i < emit->map_copies.waiting_count; i++) {
        int32_t map = emit->map_copies.waiting[i];
        if (!is_away(emit, map) && emit->maps[map].buffer != NONE) /* where only filters need it */
            copy_out(emit, map, 0, layer);
        emit->maps[map] = vdnn_place_of(NONE);
    }
    emit->map_copies.waiting_count = 0;
}

/* Whether pieces come while parts before their own run; else within their own. */
static bool comes_early(const vdnn_emitter *emit, int32_t map, int32_t layer)
{
    return !emit->is_by_parts[map] || emit->decisions->maps[map].returns >= emit->chains[layer].end;
}

void vdnn_map_copies_in_part(vdnn_emitter *emit, int32_t map, int32_t layer)
{
    const int32_t count = pieces_of(emit, map),
                  ahead = comes_early(emit, map, layer) ? emit->decisions->maps[map].pieces : 0;
    const int32_t last = emit->part + ahead;
    for (int32_t p = emit->part; p <= last && p < count && count > 1; p++)
        if (!is_there(emit, map, p) && !is_recomputed(emit, map, p))
            copy_in(emit, map, p, layer);
}

void vdnn_map_copies_return(vdnn_emitter *emit, int32_t layer, bool by_parts)
{
    for (int32_t m = emit->map_copies.returning[layer]; m != NONE;
         m = emit->map_copies.next_returning[m])
        if (!by_parts && comes_early(emit, m, emit->graph->maps[m].needed_by[0]))
            vdnn_map_copies_in(emit, m, layer);
        else if (by_parts && !comes_early(emit, m, emit->graph->maps[m].needed_by[0]))
            vdnn_map_copies_in_part(emit, m, layer);
}

void vdnn_map_copies_in_parts(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        vdnn_map_copies_in_part(emit, emit->graph->tensors[layer->inputs[i]].map, layer->index);
    if (needs & VDNN_NEEDS_Y)
        vdnn_map_copies_in_part(emit, emit->graph->tensors[layer->output].map, layer->index);
}

bool vdnn_map_copies_are_late(const vdnn_emitter *emit, int32_t map, int32_t layer)
{
    return vdnn_emitter_offloads(emit, map) && !vdnn_map_copies_are_recomputed(emit, map) &&
           emit->decisions->maps[map].returns < emit->chains[layer].end;
}

vdnn_place *vdnn_map_copies_place(vdnn_emitter *emit, int32_t map)
{
    bool is_whole = emit->half == VDNN_FORWARD || pieces_of(emit, map) == 1;
    return is_whole ? &emit->maps[map]
                    : &emit->map_copies.pieces[emit->map_copies.first_piece[map] + emit->part];
}
