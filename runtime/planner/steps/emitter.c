#include "runtime/planner/steps/emitter.h"

#include <string.h>

enum { NONE = -1 };

vdnn_place *vdnn_emitter_no_places(vdnn_emitter *emit, int32_t count)
{
    vdnn_place *places = vdnn_region_take(&emit->builder->region, (size_t)count, sizeof *places);
    if (places != NULL)
        memset(places, NONE, (size_t)count * sizeof *places);
    return places;
}

int32_t *vdnn_emitter_no_indexes(vdnn_emitter *emit, int32_t count)
{
    int32_t *indexes = vdnn_region_take(&emit->builder->region, (size_t)count, sizeof *indexes);
    if (indexes != NULL)
        memset(indexes, NONE, (size_t)count * sizeof *indexes);
    return indexes;
}

/* In a pipeline several are under way at a time. */
static void create_micros(vdnn_emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    if (emit->builder->region.failed)
        return;
    const int32_t pieces = emit->map_copies.first_piece[graph->map_count];
    emit->micros = vdnn_region_zeros(&emit->builder->region, (size_t)graph->micro_batches,
                                     sizeof *emit->micros);
    for (int32_t m = 0; emit->micros != NULL && m < graph->micro_batches; m++)
        emit->micros[m] =
            (vdnn_micro_places){.labels = vdnn_place_of(NONE),
                                .maps = vdnn_emitter_no_places(emit, graph->map_count),
                                .gradients = vdnn_emitter_no_places(emit, graph->tensor_count),
                                .pieces = vdnn_emitter_no_places(emit, pieces),
                                .away = vdnn_emitter_no_places(emit, pieces * VDNN_TIER_COUNT)};
}

vdnn_status vdnn_emitter_init(vdnn_emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    emit->chains =
        vdnn_run_order_chains(&emit->builder->region, graph, emit->decisions, emit->training);
    emit->is_by_parts =
        vdnn_region_take(&emit->builder->region, (size_t)graph->map_count, sizeof(bool));
    for (int32_t m = 0; m < graph->map_count && emit->is_by_parts != NULL; m++)
        emit->is_by_parts[m] = vdnn_decisions_is_by_parts(graph, emit->decisions, m);
    emit->maps = vdnn_emitter_no_places(emit, graph->map_count);
    emit->gradients = vdnn_emitter_no_places(emit, graph->tensor_count);
    emit->to_recompute = vdnn_emitter_no_indexes(emit, graph->map_count);
    emit->workspace = NONE;
    vdnn_map_copies_init(emit);
    vdnn_gradient_copies_init(emit);
    vdnn_parameters_init(emit);
    vdnn_buckets_init(emit);
    if (graph->stage.count > 0)
        create_micros(emit);
    vdnn_status status = vdnn_builder_status(emit->builder);
    if (status == VDNN_OK)
        vdnn_emitter_begin_micro(emit, 0);
    return status;
}

static void take_places(vdnn_emitter *emit, const vdnn_micro_places *from)
{
    emit->labels = from->labels;
    emit->maps = from->maps;
    emit->gradients = from->gradients;
    emit->map_copies.pieces = from->pieces;
    emit->residency.away[VDNN_VALUE_MAP] = from->away;
}

/* Of those of the current micro-batch the labels alone are no array. */
static void select_micro(vdnn_emitter *emit, int32_t micro)
{
    if (emit->micros != NULL) {
        emit->micros[emit->micro].labels = emit->labels;
        take_places(emit, &emit->micros[micro]);
    }
    emit->micro = micro;
    emit->shape = vdnn_graph_of_micro(emit->graph, micro);
}

void vdnn_emitter_resume_micro(vdnn_emitter *emit, int32_t micro)
{
    select_micro(emit, micro);
}

void vdnn_emitter_begin_micro(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    select_micro(emit, micro);
    memset(emit->maps, NONE, (size_t)graph->map_count * sizeof *emit->maps);
    memset(emit->gradients, NONE, (size_t)graph->tensor_count * sizeof *emit->gradients);
    vdnn_map_copies_begin_micro(emit);
    emit->labels = vdnn_place_of(NONE);
    emit->half = VDNN_FORWARD;
    emit->first_group =
        emit->group_count - emit->chains[vdnn_graph_first_layer(graph)].forward_group;
}

void vdnn_emitter_begin_backward(vdnn_emitter *emit)
{
    const vdnn_chain *last = &emit->chains[vdnn_graph_end_layer(emit->graph) - 1];
    emit->half = VDNN_BACKWARD_DATA;
    if (last->is_tail) /* others' groups may be between its and those of its forward */
        emit->first_group = emit->group_count - last->forward_group;
    for (int32_t m = 0; m < emit->graph->map_count; m++)
        if (vdnn_emitter_offloads(emit, m) || vdnn_emitter_recomputes(emit, m))
            emit->maps[m] = vdnn_place_of(NONE);
}

bool vdnn_emitter_has_backward(const vdnn_layer *layer)
{
    return vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA) ||
           vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER);
}

int32_t vdnn_emitter_next_in_backward(const vdnn_emitter *emit, int32_t layer)
{
    int32_t next = layer - 1;
    while (next >= 0 && !vdnn_emitter_has_backward(&emit->graph->layers[next]))
        next--;
    return next;
}

bool vdnn_emitter_is_used_soon(const vdnn_emitter *emit, int32_t layer, int32_t user)
{
    int32_t next = vdnn_emitter_next_in_backward(emit, layer);
    return user == next || user == vdnn_emitter_next_in_backward(emit, next);
}

bool vdnn_emitter_is_last_micro(const vdnn_emitter *emit)
{
    return emit->micro == emit->graph->micro_batches - 1;
}

/* ---- decisions ------------------------------------------------------------------------------- */

bool vdnn_emitter_offloads(const vdnn_emitter *emit, int32_t map)
{
    return emit->training && emit->graph->maps[map].needed_count > 0 &&
           emit->decisions->maps[map].action == VDNN_OFFLOAD;
}

bool vdnn_emitter_recomputes(const vdnn_emitter *emit, int32_t map)
{
    return emit->training && vdnn_decisions_recomputes(emit->decisions, map);
}

const vdnn_choice *vdnn_emitter_choice(const vdnn_emitter *emit, int32_t layer, vdnn_pass pass)
{
    return &emit->profile->layers[layer].choices[pass][emit->decisions->choice[layer][pass]];
}

/* ---- steps ----------------------------------------------------------------------------------- */

int32_t vdnn_emitter_step(vdnn_emitter *emit, vdnn_step_kind kind, int32_t layer, vdnn_pass half,
                          const char *label)
{
    const vdnn_step_row *row = vdnn_step_row_of(kind);
    vdnn_step step = {.kind = kind,
                      .stream = row->stream,
                      .layer = layer,
                      .pass = half,
                      .micro = emit->micro,
                      .part = row->work == VDNN_WORK_COMPUTE ? emit->part : 0,
                      .label = label};
    int32_t index = vdnn_builder_step(emit->builder, step, emit->group);
    if (step.stream == VDNN_STREAM_COMPUTE) {
        emit->last_compute = index;
        emit->group_steps++;
    }
    return index;
}

static vdnn_stripes all_of(size_t bytes)
{
    return (vdnn_stripes){.bytes = bytes};
}

/* The bytes of a buffer that a layer's kernel, or one of its parts', accesses as `access`; of none:
 * all. */
static vdnn_stripes bytes_of(const vdnn_layer *layer, const vdnn_graph_part *part,
                             const vdnn_access *access)
{
    switch ((vdnn_bind)access->bind) {
    case VDNN_BIND_X:
    case VDNN_BIND_DX:
        return part == NULL ? all_of(vdnn_desc_bytes(&layer->x[access->slot]))
                            : vdnn_part_x(layer, &part->range, access->slot);
    case VDNN_BIND_Y:
    case VDNN_BIND_DY:
        return part == NULL ? all_of(vdnn_desc_bytes(&layer->y)) : vdnn_part_y(layer, &part->range);
    case VDNN_BIND_AUX:
        return part == NULL ? all_of(layer->aux_bytes)
                            : (vdnn_stripes){.offset = part->aux_offset, .bytes = part->aux_bytes};
    case VDNN_BIND_LABELS:
        return part == NULL ? all_of(0) : vdnn_part_labels(layer, &part->range);
    case VDNN_BIND_DW:
        return layer->channel_parts == 1 ? all_of(0)
                                         : vdnn_part_param(layer, &part->range, access->slot);
    default:
        return all_of(0);
    }
}

/* Of a sum of maps: of a part's, its samples. */
static size_t first_of_sum(const vdnn_emitter *emit, const vdnn_step *sum)
{
    const vdnn_graph_part *part = vdnn_graph_part_at(emit->shape, sum->layer, sum->part);
    return part == NULL
               ? 0
               : sum->bytes / (size_t)part->range.samples * (size_t)part->range.first_sample;
}

/* Gradients may lie in larger buffers, which several share one after the other. */
static void add_access(vdnn_emitter *emit, int32_t step, vdnn_access access)
{
    vdnn_builder *builder = emit->builder;
    const vdnn_step *own = builder->failed ? NULL : &builder->steps[step];
    if (own != NULL && vdnn_step_has_kernel(own)) {
        const vdnn_graph_part *part = vdnn_graph_part_at(emit->shape, own->layer, own->part);
        vdnn_stripes range = bytes_of(&emit->shape->layers[own->layer], part, &access);
        access.first += range.offset - builder->buffers[access.buffer].map_offset;
        if (range.bytes > 0)
            access.bytes = range.bytes;
        if (range.count > 1) {
            access.bytes += (size_t)(range.count - 1) * range.stride;
            access.stripe = range.bytes;
            access.stride = range.stride;
        }
    }
    if (own != NULL && own->kind == VDNN_STEP_ACCUMULATE && own->pass == VDNN_BACKWARD_DATA) {
        access.first = first_of_sum(emit, own) - builder->buffers[access.buffer].map_offset;
        access.bytes = own->bytes;
    }
    vdnn_builder_access(builder, step, access);
}

void vdnn_emitter_hold(vdnn_emitter *emit, int32_t step, int32_t buffer)
{
    vdnn_builder_access(emit->builder, step,
                        (vdnn_access){.buffer = buffer, .writer = NONE, .bind = VDNN_BIND_HOLD});
}

void vdnn_emitter_read(vdnn_emitter *emit, int32_t step, vdnn_place from, vdnn_bind bind, int slot)
{
    add_access(emit, step,
               (vdnn_access){.buffer = from.buffer,
                             .writer = from.writer,
                             .mode = VDNN_READ,
                             .bind = (uint8_t)bind,
                             .slot = slot,
                             .first = from.first,
                             .bytes = from.bytes});
    if (from.writer != NONE)
        vdnn_builder_wait_for(emit->builder, step, from.writer);
}

void vdnn_emitter_read_range(vdnn_emitter *emit, int32_t step, vdnn_place from, vdnn_stripes range)
{
    size_t offset = emit->builder->failed ? 0 : emit->builder->buffers[from.buffer].map_offset;
    add_access(emit, step,
               (vdnn_access){.buffer = from.buffer,
                             .writer = from.writer,
                             .mode = VDNN_READ,
                             .bind = VDNN_BIND_SRC,
                             .first = range.offset - offset,
                             .bytes = range.bytes});
    if (from.writer != NONE)
        vdnn_builder_wait_for(emit->builder, step, from.writer);
}

void vdnn_emitter_write(vdnn_emitter *emit, int32_t step, vdnn_place *to, vdnn_bind bind, int slot)
{
    add_access(emit, step,
               (vdnn_access){.buffer = to->buffer,
                             .writer = NONE,
                             .mode = VDNN_WRITE,
                             .bind = (uint8_t)bind,
                             .slot = slot,
                             .first = to->first,
                             .bytes = to->bytes});
    to->writer = step;
}

/* One access that reads and writes: by an update of weights, or an accumulation of its sum. */
void vdnn_emitter_change(vdnn_emitter *emit, int32_t step, vdnn_place *at, vdnn_bind bind)
{
    add_access(emit, step,
               (vdnn_access){.buffer = at->buffer,
                             .writer = at->writer,
                             .mode = VDNN_READ | VDNN_WRITE,
                             .bind = (uint8_t)bind,
                             .first = at->first,
                             .bytes = at->bytes});
    if (at->writer != NONE)
        vdnn_builder_wait_for(emit->builder, step, at->writer);
    at->writer = step;
}

/* From one training step to the next: of offloaded parameters, the block in the host tier alone. */
static bool is_kept(const vdnn_emitter *emit, vdnn_class class, vdnn_tier tier, int32_t layer)
{
    if (class == VDNN_CLASS_WEIGHT || class == VDNN_CLASS_OPTIMIZER)
        return tier != VDNN_TIER_DEVICE ||
               (emit->decisions->params[layer].action == VDNN_KEEP &&
                vdnn_graph_keeps(emit->graph, layer) && !emit->graph->layers[layer].is_elsewhere);
    return emit->plan->loads == VDNN_LOADS_AHEAD &&
           (class == VDNN_CLASS_INPUT_AHEAD || class == VDNN_CLASS_LABELS_AHEAD);
}

vdnn_place vdnn_emitter_buffer(vdnn_emitter *emit, vdnn_class class, vdnn_tier tier, size_t bytes,
                               int32_t layer, int32_t map, const char *label)
{
    vdnn_buffer buffer = {.class = class,
                          .tier = tier,
                          .persistent = is_kept(emit, class, tier, layer),
                          .layer = layer,
                          .map = map,
                          .bytes = bytes,
                          .label = label};
    return vdnn_place_of(vdnn_builder_buffer(emit->builder, buffer));
}

vdnn_place vdnn_emitter_map_buffer(vdnn_emitter *emit, int32_t map, vdnn_tier tier)
{
    static const vdnn_class classes[] = {[VDNN_MAP_INPUT] = VDNN_CLASS_INPUT,
                                         [VDNN_MAP_FEATURE] = VDNN_CLASS_FEATURE_MAP,
                                         [VDNN_MAP_AUX] = VDNN_CLASS_STASH,
                                         [VDNN_MAP_RESULT] = VDNN_CLASS_RESULT};
    const vdnn_map *m = &emit->shape->maps[map];
    return vdnn_emitter_buffer(emit, classes[m->kind], tier, m->bytes, NONE, map, m->name);
}

vdnn_place vdnn_emitter_range_buffer(vdnn_emitter *emit, int32_t map, vdnn_tier tier,
                                     vdnn_stripes range)
{
    vdnn_place place = vdnn_emitter_map_buffer(emit, map, tier);
    if (!emit->builder->failed) {
        emit->builder->buffers[place.buffer].bytes = range.bytes;
        emit->builder->buffers[place.buffer].map_offset = range.offset;
    }
    return place;
}

vdnn_place vdnn_emitter_output_buffer(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer)
{
    if (!emit->is_by_parts[map])
        return vdnn_emitter_map_buffer(emit, map, VDNN_TIER_DEVICE);
    const vdnn_graph_part *part = vdnn_graph_part_at(emit->shape, layer->index, emit->part);
    return vdnn_emitter_range_buffer(emit, map, VDNN_TIER_DEVICE,
                                     vdnn_part_y(&emit->shape->layers[layer->index], &part->range));
}

vdnn_place vdnn_emitter_aux_buffer(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer)
{
    if (!emit->chains[layer->index].is_tail)
        return vdnn_emitter_map_buffer(emit, map, VDNN_TIER_DEVICE);
    const vdnn_graph_part *part = vdnn_graph_part_at(emit->shape, layer->index, emit->part);
    return vdnn_emitter_range_buffer(
        emit, map, VDNN_TIER_DEVICE,
        (vdnn_stripes){.offset = part->aux_offset, .bytes = part->aux_bytes});
}

/* ---- maps and kernels ------------------------------------------------------------------------ */

int32_t vdnn_emitter_kernel(vdnn_emitter *emit, vdnn_step_kind kind, const vdnn_layer *layer,
                            vdnn_pass half, vdnn_pass pass)
{
    int32_t step = vdnn_emitter_step(emit, kind, layer->index, half, "");
    if (!emit->builder->failed)
        emit->builder->steps[step].algorithm =
            vdnn_emitter_choice(emit, layer->index, pass)->algorithm;
    return step;
}

/* If gradients are shared, one workspace serves all runs, as large as the largest requires. */
void vdnn_emitter_lend_workspace(vdnn_emitter *emit, int32_t step, int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *choice = vdnn_emitter_choice(emit, layer, pass);
    size_t bytes = vdnn_profile_choice_of_micro(choice, emit->graph, emit->micro).workspace_bytes;
    if (bytes == 0)
        return;
    if (emit->workspace == NONE || emit->decisions->gradients == VDNN_GRADIENTS_EXACT)
        emit->workspace = vdnn_emitter_buffer(emit, VDNN_CLASS_WORKSPACE, VDNN_TIER_DEVICE, 0,
                                              layer, NONE, emit->graph->layers[layer].name)
                              .buffer;
    if (emit->builder->failed)
        return;
    vdnn_buffer *workspace = &emit->builder->buffers[emit->workspace];
    if (workspace->bytes < bytes)
        workspace->bytes = bytes;
    emit->builder->steps[step].workspace_bytes = bytes;
    vdnn_place lent = vdnn_place_of(emit->workspace);
    vdnn_emitter_write(emit, step, &lent, VDNN_BIND_WORKSPACE, 0);
}

void vdnn_emitter_read_inputs(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        vdnn_emitter_read(emit, step,
                          *vdnn_map_copies_place(emit, emit->graph->tensors[layer->inputs[i]].map),
                          VDNN_BIND_X, i);
}

/* The buffers of forward, or of recomputing it, except aux. */
void vdnn_emitter_access_forward(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                 int32_t out)
{
    vdnn_emitter_read_inputs(emit, step, layer);
    if (layer->param_bytes > 0)
        vdnn_emitter_read(emit, step, emit->params.weights[layer->owner], VDNN_BIND_W, 0);
    vdnn_emitter_write(emit, step, vdnn_map_copies_place(emit, out), VDNN_BIND_Y, 0);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_FORWARD);
}
