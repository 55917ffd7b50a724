#include "runtime/planner/steps/input_gradients.h"

#include "runtime/planner/steps/moves/map_copies.h"

enum { NONE = -1 };

vdnn_input_gradient **vdnn_input_gradients_take(vdnn_emitter *emit, vdnn_chain of)
{
    vdnn_region *region = &emit->builder->region;
    const size_t layers = (size_t)(of.end - of.begin);
    vdnn_input_gradient **own = vdnn_region_take(region, layers, sizeof *own);
    for (int32_t l = of.begin; l < of.end && own != NULL; l++)
        own[l - of.begin] = vdnn_region_zeros(
            region, (size_t)vdnn_emitter_layer(emit, l)->input_count, sizeof(vdnn_input_gradient));
    return region->failed ? NULL : own;
}

bool vdnn_input_gradients_by_parts(const vdnn_emitter *emit, int32_t tensor)
{
    const vdnn_tensor *own = &emit->graph->tensors[tensor];
    return own->producer >= 0 && own->reader_count > 0 &&
           emit->chains[own->producer].end > own->readers[own->reader_count - 1];
}

/* The next part's dy may be beside what a step wrote: that of a layer behind this one, as those
 * before it have theirs from it. */
static void wrote_gradient(vdnn_emitter *emit, const vdnn_layer *layer, int32_t buffer,
                           int32_t step)
{
    const vdnn_chain of = emit->chains[layer->index];
    for (int32_t l = layer->index; l < of.end; l++)
        if (emit->gradients[vdnn_emitter_layer(emit, l)->output].buffer == buffer)
            emit->gradients[vdnn_emitter_layer(emit, l)->output].writer = step;
}

/* Of an input all bytes, or those of a part's samples. */
static vdnn_stripes samples_of(const vdnn_emitter *emit, const vdnn_layer *layer, int32_t input)
{
    const vdnn_desc *desc = &emit->shape->tensors[layer->inputs[input]].desc;
    const vdnn_graph_part *part = vdnn_graph_part_at(emit->shape, layer->index, emit->part);
    const size_t all = vdnn_desc_bytes(desc), sample = all / (size_t)desc->dims[VDNN_N];
    if (part == NULL)
        return (vdnn_stripes){.bytes = all};
    return (vdnn_stripes){.offset = sample * (size_t)part->range.first_sample,
                          .bytes = sample * (size_t)part->range.samples};
}

/* To the gradient of an input: all of it, or, by a part, its samples. */
static void accumulate(vdnn_emitter *emit, const vdnn_layer *layer, int32_t input, vdnn_place *sum,
                       vdnn_place summand)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_ACCUMULATE, layer->index, VDNN_BACKWARD_DATA,
                                     emit->shape->tensors[layer->inputs[input]].name);
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = samples_of(emit, layer, input).bytes;
    vdnn_emitter_change(emit, step, sum, VDNN_BIND_DST);
    vdnn_emitter_read(emit, step, summand, VDNN_BIND_SRC, 0);
    wrote_gradient(emit, layer, sum->buffer, step);
}

static vdnn_place new_gradient(vdnn_emitter *emit, int32_t tensor)
{
    const vdnn_tensor *t = &emit->shape->tensors[tensor];
    return vdnn_emitter_buffer(emit, VDNN_CLASS_GRADIENT_MAP, VDNN_TIER_DEVICE,
                               vdnn_desc_bytes(&t->desc), NONE, t->map, t->name);
}

/* Of the samples of a part; a slot that gradients share holds those of all. */
static vdnn_place new_share(vdnn_emitter *emit, const vdnn_layer *layer, int32_t input)
{
    const vdnn_stripes range = samples_of(emit, layer, input);
    vdnn_place place = new_gradient(emit, layer->inputs[input]);
    if (!emit->builder->failed && emit->decisions->gradients == VDNN_GRADIENTS_EXACT) {
        emit->builder->buffers[place.buffer].bytes = range.bytes;
        emit->builder->buffers[place.buffer].map_offset = range.offset;
    }
    return place;
}

/* Where the kernel reads x, if it writes dx there: that is then the place of the gradient, of all
 * samples or of as many as there are of x. NULL: dx is elsewhere. */
static vdnn_place *place_of_x(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const int32_t tensor = layer->inputs[0], map = emit->graph->tensors[tensor].map;
    if (!vdnn_graph_dx_over_x(emit->graph, layer))
        return NULL;
    vdnn_place *x = vdnn_map_copies_place(emit, map);
    const bool is_by_parts = vdnn_input_gradients_by_parts(emit, tensor);
    const bool is_over = is_by_parts == emit->is_by_parts[map] &&
                         (is_by_parts || x == &emit->maps[map]) &&
                         emit->decisions->gradients == VDNN_GRADIENTS_EXACT &&
                         emit->decisions->maps[map].gradient == VDNN_TIER_DEVICE;
    return is_over ? x : NULL;
}

static vdnn_place *target_of(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own,
                             int32_t input)
{
    return own[input].is_first ? &emit->gradients[layer->inputs[input]] : &own[input].summand;
}

/* For the current part; what is nowhere yet is made. */
static void find_target(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own,
                        int32_t input)
{
    const int32_t tensor = layer->inputs[input];
    const bool begins = vdnn_graph_part_begins(emit->graph, layer->index, emit->part),
               is_over_dy = input == vdnn_layer_dx_over_dy(layer),
               is_new = emit->gradients[tensor].buffer == NONE;
    vdnn_place *target = &own[input].summand;
    if (is_new) {
        own[input].is_first = true;
        target = &emit->gradients[tensor];
    }
    if (!is_new && (own[input].is_first || !begins))
        return;
    const vdnn_place *x = place_of_x(emit, layer);
    *target = is_over_dy  ? emit->gradients[layer->output]
              : x != NULL ? *x
              : is_new && !vdnn_input_gradients_by_parts(emit, tensor)
                  ? new_gradient(emit, tensor)
                  : new_share(emit, layer, input);
}

void vdnn_input_gradients_find(vdnn_emitter *emit, const vdnn_layer *layer,
                               vdnn_input_gradient *own)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            find_target(emit, layer, own, i);
}

static void write_one(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                      vdnn_input_gradient *own, int32_t input)
{
    vdnn_place *target =
        own[input].adds_share ? &own[input].share : target_of(emit, layer, own, input);
    if (own[input].adds_share)
        *target = new_share(emit, layer, input);
    vdnn_emitter_write(emit, step, target, VDNN_BIND_DX, input);
    vdnn_place *x = place_of_x(emit, layer);
    if (x != NULL) /* of which the next part may be beside it */
        x->writer = step;
    if (input == vdnn_layer_dx_over_dy(layer))
        wrote_gradient(emit, layer, target->buffer, step);
}

/* Of parts of the channels that read the same, the gradient is the sum, in their order. */
void vdnn_input_gradients_write(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                vdnn_input_gradient *own)
{
    const bool adds =
        vdnn_part_shares_x(layer) && !vdnn_graph_part_begins(emit->graph, layer->index, emit->part);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i]) {
            own[i].adds_share = adds;
            write_one(emit, step, layer, own, i);
        }
}

static void add_shares(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i] && own[i].adds_share)
            accumulate(emit, layer, i, target_of(emit, layer, own, i), own[i].share);
}

/* Of the current samples, when all parts of their channels have run. */
static void add_summands(vdnn_emitter *emit, const vdnn_layer *layer,
                         const vdnn_input_gradient *own)
{
    bool ends = vdnn_graph_part_ends(emit->graph, layer->index, emit->part);
    for (int32_t i = 0; i < layer->input_count && ends; i++)
        if (layer->wants_dx[i] && !own[i].is_first)
            accumulate(emit, layer, i, &emit->gradients[layer->inputs[i]], own[i].summand);
}

void vdnn_input_gradients_sum(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own)
{
    add_shares(emit, layer, own);
    add_summands(emit, layer, own);
}
