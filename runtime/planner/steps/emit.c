#include "runtime/planner/steps/emit.h"

#include "runtime/planner/steps/batch.h"
#include "runtime/planner/steps/emitter.h"
#include "runtime/planner/steps/gradient_copies.h"
#include "runtime/planner/steps/gradient_slots.h"
#include "runtime/planner/steps/map_copies.h"
#include "runtime/planner/steps/parameters.h"

enum { NONE = -1 };

/* ---- decisions ------------------------------------------------------------------------------- */

static vdnn_status check_offload(const vdnn_graph *graph, int32_t index,
                                 const vdnn_map_decision *decision)
{
    const vdnn_map *map = &graph->maps[index];
    if (decision->leaves < map->last_forward || decision->leaves >= graph->layer_count)
        return vdnn_status_fail(
            VDNN_INTERNAL, "map %s cannot leave during layer %d: forward uses it up to layer %d",
            map->name, (int)decision->leaves, (int)map->last_forward);
    if (decision->returns < map->needed_by[0] || decision->returns >= graph->layer_count)
        return vdnn_status_fail(
            VDNN_INTERNAL, "map %s cannot return during layer %d: backward needs it at layer %d",
            map->name, (int)decision->returns, (int)map->needed_by[0]);
    if (decision->spills < 0 || decision->spills > VDNN_TIER_FILE - VDNN_TIER_HOST)
        return vdnn_status_fail(VDNN_INTERNAL, "map %s cannot go %d tiers beyond the host's",
                                map->name, (int)decision->spills);
    return VDNN_OK;
}

static vdnn_status check_pieces(const vdnn_emitter *emit, int32_t index)
{
    const char *refusal = emit->decisions->maps[index].pieces
                              ? vdnn_decisions_pieces_refusal(emit->graph, emit->decisions, index)
                              : NULL;
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_INTERNAL, "map %s cannot be copied in pieces: %s",
                                emit->graph->maps[index].name, refusal);
    return VDNN_OK;
}

static vdnn_status check_between(const vdnn_emitter *emit)
{
    for (int32_t m = 0; m < emit->graph->map_count; m++) {
        const char *refusal = vdnn_decisions_between_refusal(emit->graph, emit->decisions, m);
        if (refusal != NULL)
            return vdnn_status_fail(
                VDNN_INTERNAL,
                "map %s cannot have '%s' between layers of backward that need it: %s",
                emit->graph->maps[m].name, vdnn_action_text(emit->decisions->maps[m].between),
                refusal);
    }
    return VDNN_OK;
}

static vdnn_status check_chains(const vdnn_emitter *emit)
{
    for (int32_t l = 0; l < emit->graph->layer_count; l++) {
        const char *refusal = emit->decisions->chained[l]
                                  ? vdnn_decisions_chain_refusal(emit->graph, emit->decisions, l)
                                  : NULL;
        if (refusal != NULL)
            return vdnn_status_fail(VDNN_INTERNAL, "layer %s cannot be chained: %s",
                                    emit->graph->layers[l].name, refusal);
    }
    return VDNN_OK;
}

/* Of those that return during one layer, what backward needs first comes first. */
static void list_returning(vdnn_emitter *emit, int32_t map)
{
    const vdnn_map *maps = emit->graph->maps;
    int32_t *at = &emit->returning[emit->decisions->maps[map].returns];
    while (*at != NONE && maps[*at].needed_by[0] > maps[map].needed_by[0])
        at = &emit->next_returning[*at];
    emit->next_returning[map] = *at;
    *at = map;
}

static vdnn_status list_offloads(vdnn_emitter *emit)
{
    for (int32_t m = emit->graph->map_count - 1; m >= 0; m--) {
        if (!vdnn_emitter_offloads(emit, m))
            continue;
        const vdnn_map_decision *decision = &emit->decisions->maps[m];
        vdnn_status status = check_offload(emit->graph, m, decision);
        if (status == VDNN_OK)
            status = check_pieces(emit, m);
        if (status != VDNN_OK)
            return status;
        const int32_t writer = emit->graph->maps[m].last_writer;
        int32_t *written = &emit->written[writer < 0 ? 0 : writer];
        emit->next_written[m] = *written;
        *written = m;
        list_returning(emit, m);
    }
    return VDNN_OK;
}

/* ---- groups: what belongs to one layer, or chain, in one half of the step; of a chain in forward,
 * to one part of one layer --------------------------------------------------------------------- */

static void begin_group(vdnn_emitter *emit)
{
    emit->group = emit->group_count++;
    emit->gate = emit->last_compute;
    emit->group_copies = emit->group_steps = 0;
    emit->group_first_step = emit->builder->step_count;
}

/* The paper's synchronization at the end of a layer that copied: the compute stream waits for the
 * copies, and the layer's buffers are freed only then. */
static void end_group(vdnn_emitter *emit, int32_t layer, vdnn_pass half)
{
    bool each_layer = emit->decisions->sync == VDNN_SYNC_EACH_LAYER;
    if (emit->group_copies == 0 || (!each_layer && emit->group_steps > 0))
        return;
    vdnn_builder *builder = emit->builder;
    int32_t access_count = builder->access_count;
    int32_t join = vdnn_emitter_step(emit, VDNN_STEP_JOIN, layer, half, "");
    if (builder->failed)
        return;
    for (int32_t s = emit->group_first_step; s < join; s++)
        if (builder->steps[s].stream != VDNN_STREAM_COMPUTE)
            vdnn_builder_wait_for(builder, join, s);
    int32_t first = access_count;
    while (first > 0 && builder->accesses[first - 1].step >= emit->group_first_step)
        first--;
    for (int32_t i = first; i < access_count; i++) {
        int32_t buffer = builder->accesses[i].access.buffer;
        bool seen = builder->buffers[buffer].persistent;
        for (int32_t k = first; k < i && !seen; k++)
            seen = builder->accesses[k].access.buffer == buffer;
        if (!seen)
            vdnn_emitter_hold(emit, join, buffer);
    }
}

static const vdnn_layer *layer_at(const vdnn_emitter *emit, int32_t index)
{
    return &emit->graph->layers[index];
}

/* ---- running a layer ------------------------------------------------------------------------- */

static int32_t add_run(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_emitter_kernel(emit, VDNN_STEP_RUN, layer, pass, pass);
}

static void run_forward(vdnn_emitter *emit, const vdnn_layer *layer, int32_t out, int32_t aux)
{
    int32_t step = add_run(emit, layer, VDNN_FORWARD);
    vdnn_emitter_access_forward(emit, step, layer, out);
    if (emit->graph->maps[out].kind == VDNN_MAP_RESULT)
        vdnn_emitter_read(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    if (aux != NONE)
        vdnn_emitter_write(emit, step, &emit->maps[aux], VDNN_BIND_AUX, 0);
}

static void make_output(vdnn_emitter *emit, const vdnn_layer *layer, int32_t map)
{
    bool begins_part =
        layer->index == emit->graph->maps[map].first_writer && emit->is_by_parts[map];
    if (emit->maps[map].buffer == NONE || begins_part)
        emit->maps[map] = vdnn_emitter_output_buffer(emit, map, layer);
}

/* The current part. */
static void forward_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t out = emit->graph->tensors[layer->output].map, aux = emit->graph->aux_map[layer->index];
    make_output(emit, layer, out);
    if (aux != NONE && emit->maps[aux].buffer == NONE)
        emit->maps[aux] = vdnn_emitter_map_buffer(emit, aux, VDNN_TIER_DEVICE);
    if (vdnn_layer_has_pass(layer, VDNN_FORWARD))
        run_forward(emit, layer, out, aux);
    vdnn_map_copies_out_part(emit, layer);
}

/* Parts of a chain are groups of their own; those of a layer alone are one. */
static void forward_parts(vdnn_emitter *emit, vdnn_chain of)
{
    const bool is_alone = of.end - of.begin == 1;
    for (; emit->part < of.parts; emit->part++)
        for (int32_t l = of.begin; l < of.end; l++) {
            if (!is_alone && (emit->part > 0 || l > of.begin)) {
                end_group(emit, l, VDNN_FORWARD);
                begin_group(emit);
            }
            forward_part(emit, layer_at(emit, l));
        }
    emit->part = 0;
}

static void emit_forward(vdnn_emitter *emit, vdnn_chain of)
{
    begin_group(emit);
    emit->chain_group = emit->group;
    for (int32_t l = of.begin; l < of.end; l++)
        vdnn_parameters_fetch_ahead(emit, layer_at(emit, l), VDNN_FORWARD);
    vdnn_map_copies_out_beside(emit, of);
    forward_parts(emit, of);
    vdnn_map_copies_out_behind(emit, of);
    end_group(emit, of.end - 1, VDNN_FORWARD);
    for (int32_t l = of.begin; l < of.end; l++)
        vdnn_parameters_drop(emit, layer_at(emit, l), VDNN_FORWARD);
}

static void fetch(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer)
{
    vdnn_map_copies_in(emit, map, layer->index);
    vdnn_recompute_map(emit, map, layer->index);
}

/* Comes before the steps of a backward pass: the maps that they read. */
static void fetch_needs(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        fetch(emit, emit->graph->tensors[layer->inputs[i]].map, layer);
    if (needs & VDNN_NEEDS_Y)
        fetch(emit, emit->graph->tensors[layer->output].map, layer);
    if (needs & VDNN_NEEDS_AUX)
        fetch(emit, emit->graph->aux_map[layer->index], layer);
}

/* Of maps that are there a part at a time, or of the others. `behind`: the last layer that ran. */
static void forget_map(vdnn_emitter *emit, int32_t map, bool by_parts, int32_t behind)
{
    if (emit->is_by_parts[map] == by_parts)
        vdnn_map_copies_forget(emit, map, behind);
}

static void forget_read(vdnn_emitter *emit, const vdnn_layer *layer, bool by_parts, int32_t behind)
{
    vdnn_needs needs = vdnn_layer_needs(layer);
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        forget_map(emit, emit->graph->tensors[layer->inputs[i]].map, by_parts, behind);
    if (needs & VDNN_NEEDS_Y)
        forget_map(emit, emit->graph->tensors[layer->output].map, by_parts, behind);
}

/* What a chain read, and what else was fetched for it: all but what returns early, for another. */
static void forget_needs(vdnn_emitter *emit, vdnn_chain of)
{
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        forget_read(emit, layer_at(emit, l), false, of.begin);
    while (emit->fetched_count > 0)
        vdnn_map_copies_forget(emit, emit->fetched[--emit->fetched_count], of.begin);
}

/* Whether the gradient of a tensor is made and read within the chain of its producer, so that it is
 * there a part at a time. */
static bool is_gradient_by_parts(const vdnn_emitter *emit, int32_t tensor)
{
    const vdnn_tensor *own = &emit->graph->tensors[tensor];
    return own->producer >= 0 && own->reader_count > 0 &&
           emit->chains[own->producer].end > own->readers[own->reader_count - 1];
}

/* What the next part has of its own. */
static void forget_part(vdnn_emitter *emit, vdnn_chain of)
{
    for (int32_t l = of.begin; l + 1 < of.end; l++) {
        const int32_t tensor = layer_at(emit, l)->output, map = emit->graph->tensors[tensor].map;
        if (emit->is_by_parts[map])
            emit->maps[map] = vdnn_place_of(NONE);
        if (is_gradient_by_parts(emit, tensor))
            emit->gradients[tensor] = vdnn_place_of(NONE);
    }
}

/* What a backward pass declared, and dy unless it is the loss. */
static void read_needs(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    int32_t out_map = emit->graph->tensors[layer->output].map;
    bool is_loss = emit->graph->maps[out_map].kind == VDNN_MAP_RESULT;
    if (!is_loss)
        vdnn_emitter_read(emit, step, emit->gradients[layer->output], VDNN_BIND_DY, 0);
    else
        vdnn_emitter_read(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        vdnn_emitter_read(emit, step,
                          vdnn_map_copies_place(emit, emit->graph->tensors[layer->inputs[i]].map),
                          VDNN_BIND_X, i);
    if (needs & VDNN_NEEDS_Y)
        vdnn_emitter_read(emit, step, vdnn_map_copies_place(emit, out_map), VDNN_BIND_Y, 0);
    if (needs & VDNN_NEEDS_W)
        vdnn_emitter_read(emit, step, emit->weights[layer->owner], VDNN_BIND_W, 0);
    if (needs & VDNN_NEEDS_AUX)
        vdnn_emitter_read(emit, step, emit->maps[emit->graph->aux_map[layer->index]], VDNN_BIND_AUX,
                          0);
}

static int32_t add_backward(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_map_copies_in_parts(emit, layer, pass);
    int32_t step = add_run(emit, layer, pass);
    read_needs(emit, step, layer, pass);
    return step;
}

/* The next part's dy may be beside what a step wrote. */
static void wrote_gradient(vdnn_emitter *emit, const vdnn_layer *layer, int32_t buffer,
                           int32_t step)
{
    const vdnn_chain of = emit->chains[layer->index];
    for (int32_t l = of.begin; l < of.end; l++)
        if (emit->gradients[layer_at(emit, l)->output].buffer == buffer)
            emit->gradients[layer_at(emit, l)->output].writer = step;
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

/* Where the gradient of a layer's input is written, if it is wanted. The first reader in backward
 * (the last in forward order) writes a tensor's gradient itself, every further one a summand that
 * is added to it; so the order of the sum is that of backward, under every policy. */
typedef struct input_gradient {
    bool is_first;
    vdnn_place summand; /* of the samples of a part */
    vdnn_place share;   /* that one part of the channels adds to what the parts before it wrote */
} input_gradient;

static vdnn_place *target_of(vdnn_emitter *emit, const vdnn_layer *layer, input_gradient *own,
                             int32_t input)
{
    return own[input].is_first ? &emit->gradients[layer->inputs[input]] : &own[input].summand;
}

/* For the current part; what is nowhere yet is made. */
static void find_target(vdnn_emitter *emit, const vdnn_layer *layer, input_gradient *own,
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
    *target = is_over_dy                                      ? emit->gradients[layer->output]
              : is_new && !is_gradient_by_parts(emit, tensor) ? new_gradient(emit, tensor)
                                                              : new_share(emit, layer, input);
}

static void write_input_gradient(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                 input_gradient *own, int32_t input, bool adds)
{
    vdnn_place *target = adds ? &own[input].share : target_of(emit, layer, own, input);
    if (adds)
        *target = new_share(emit, layer, input);
    vdnn_emitter_write(emit, step, target, VDNN_BIND_DX, input);
    if (input == vdnn_layer_dx_over_dy(layer))
        wrote_gradient(emit, layer, target->buffer, step);
}

/* Of parts of the channels that read the same, the gradient is the sum, in their order. */
static void run_backward_data(vdnn_emitter *emit, const vdnn_layer *layer, input_gradient *own)
{
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_DATA);
    bool adds =
        vdnn_part_shares_x(layer) && !vdnn_graph_part_begins(emit->graph, layer->index, emit->part);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            write_input_gradient(emit, step, layer, own, i, adds);
    if (vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA))
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_DATA);
    for (int32_t i = 0; i < layer->input_count && adds; i++)
        if (layer->wants_dx[i])
            accumulate(emit, layer, i, target_of(emit, layer, own, i), own[i].share);
}

/* Of the current samples, when all parts of their channels have run. */
static void add_summands(vdnn_emitter *emit, const vdnn_layer *layer, const input_gradient *own)
{
    bool ends = vdnn_graph_part_ends(emit->graph, layer->index, emit->part);
    for (int32_t i = 0; i < layer->input_count && ends; i++)
        if (layer->wants_dx[i] && !own[i].is_first)
            accumulate(emit, layer, i, &emit->gradients[layer->inputs[i]], own[i].summand);
}

static void backward_data_part(vdnn_emitter *emit, const vdnn_layer *layer, input_gradient *own)
{
    fetch_needs(emit, layer, VDNN_BACKWARD_DATA);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            find_target(emit, layer, own, i);
    run_backward_data(emit, layer, own);
    add_summands(emit, layer, own);
}

/* The gradient of the parameters is the sum over parts of the samples, in their order. */
static void backward_filter_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    bool updates = vdnn_parameters_updates_itself(emit, layer);
    fetch_needs(emit, layer, VDNN_BACKWARD_FILTER);
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_FILTER);
    if (updates)
        vdnn_parameters_change(emit, step, layer);
    else
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_FILTER);
    if (!updates && vdnn_graph_part_ends(emit->graph, layer->index, emit->part))
        vdnn_parameters_sum_gradient(emit, layer);
}

/* The last part of the gradient is written. */
static void use_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const int32_t current = emit->part;
    bool with_data = vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA),
         by_filter = vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER) &&
                     !vdnn_parameters_updates_itself(emit, layer);
    emit->part = 0;
    if (with_data)
        vdnn_parameters_sum_gradient(emit, layer);
    if (with_data || by_filter)
        vdnn_parameters_use_gradient(emit, layer);
    emit->part = current;
}

/* The current part, of the passes of one layer. */
static void backward_part(vdnn_emitter *emit, const vdnn_layer *layer, input_gradient *own,
                          bool is_last)
{
    vdnn_map_copies_return(emit, layer->index, true);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
        backward_data_part(emit, layer, own);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER))
        backward_filter_part(emit, layer);
    if (is_last)
        use_gradient(emit, layer);
    forget_read(emit, layer, true, layer->index);
}

/* Of each layer of a chain its inputs'; NULL: no memory. */
static input_gradient **new_input_gradients(vdnn_emitter *emit, vdnn_chain of)
{
    vdnn_region *region = &emit->builder->region;
    const size_t layers = (size_t)(of.end - of.begin);
    input_gradient **own = vdnn_region_take(region, layers, sizeof *own);
    for (int32_t l = of.begin; l < of.end && own != NULL; l++)
        own[l - of.begin] = vdnn_region_zeros(region, (size_t)layer_at(emit, l)->input_count,
                                              sizeof(input_gradient));
    return region->failed ? NULL : own;
}

static void backward_parts(vdnn_emitter *emit, vdnn_chain of)
{
    input_gradient **own = new_input_gradients(emit, of);
    if (own == NULL)
        emit->builder->failed = true;
    for (; emit->part < of.parts && own != NULL; emit->part++) {
        for (int32_t l = of.end - 1; l >= of.begin; l--)
            backward_part(emit, layer_at(emit, l), own[l - of.begin], emit->part == of.parts - 1);
        forget_part(emit, of);
    }
    emit->part = 0;
}

static bool is_in(vdnn_chain of, int32_t layer)
{
    return of.begin <= layer && layer < of.end;
}

/* What comes and goes while the layer runs, but for what only it reads. */
static void begin_backward(vdnn_emitter *emit, const vdnn_layer *layer)
{
    if (vdnn_emitter_has_backward(layer)) {
        vdnn_gradient_copies_begin(emit, layer);
        vdnn_map_copies_free(emit, layer->index);
        vdnn_map_copies_in_ahead(emit, layer->index);
    }
    vdnn_map_copies_return(emit, layer->index, false);
}

static void emit_backward(vdnn_emitter *emit, vdnn_chain of)
{
    begin_group(emit);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        begin_backward(emit, layer_at(emit, l));
    emit->fetched_count = 0;
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_fetch_ahead(emit, layer_at(emit, l), VDNN_BACKWARD_DATA);
    if (emit->plan->loads == VDNN_LOADS_LATE && is_in(of, emit->plan->load_layer))
        vdnn_batch_load_late(emit);
    backward_parts(emit, of);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_leave(emit, l);
    end_group(emit, of.begin, VDNN_BACKWARD_DATA);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_gradient_copies_drop(emit, layer_at(emit, l), of.begin);
    forget_needs(emit, of);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_drop(emit, layer_at(emit, l), VDNN_BACKWARD_DATA);
}

/* ---- the frame of the step ------------------------------------------------------------------- */

static void emit_store(vdnn_emitter *emit)
{
    const vdnn_layer *loss = &emit->graph->layers[emit->graph->layer_count - 1];
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_STORE, loss->index, VDNN_FORWARD, loss->name);
    vdnn_emitter_read(emit, step, emit->maps[emit->graph->tensors[loss->output].map], VDNN_BIND_SRC,
                      0);
}

static void emit_end(vdnn_emitter *emit)
{
    int32_t end = vdnn_emitter_step(emit, VDNN_STEP_JOIN, NONE, VDNN_BACKWARD_FILTER, "end");
    if (emit->builder->failed)
        return;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        for (int32_t s = end - 1; s >= 0; s--)
            if ((int)emit->builder->steps[s].stream == k) {
                vdnn_builder_wait_for(emit->builder, end, s);
                break;
            }
}

/* Freed after their last use under every rule of release. */
static bool dropped(const vdnn_emitter *emit, const vdnn_buffer *buffer)
{
    if (buffer->class == VDNN_CLASS_WEIGHT || buffer->class == VDNN_CLASS_OPTIMIZER)
        return !buffer->persistent;
    if (vdnn_gradient_copies_has(emit, buffer))
        return true;
    if (buffer->map == NONE || buffer->class == VDNN_CLASS_GRADIENT_MAP)
        return false;
    vdnn_action action = emit->decisions->maps[buffer->map].action;
    return action == VDNN_DROP || action == VDNN_RECOMPUTE;
}

/* Held from begin to end: persistent buffers, and those that the decisions do not free earlier. The
 * result is held to the end, because no step before waits for its copy out, and what is loaded late
 * for the next step, which has it from its begin on. */
static void hold_whole_step(vdnn_emitter *emit)
{
    int32_t end = emit->builder->step_count - 1;
    for (int32_t b = 0; b < emit->builder->buffer_count && !emit->builder->failed; b++) {
        const vdnn_buffer *buffer = &emit->builder->buffers[b];
        bool shared =
            emit->decisions->gradients == VDNN_GRADIENTS_SHARED_MAX &&
            (buffer->class == VDNN_CLASS_GRADIENT_MAP || buffer->class == VDNN_CLASS_WORKSPACE);
        bool kept = buffer->tier == VDNN_TIER_DEVICE && !dropped(emit, buffer) &&
                    emit->decisions->release == VDNN_RELEASE_END_OF_STEP;
        bool whole = buffer->persistent || shared || kept;
        if (whole || vdnn_plan_has_arrived(buffer))
            vdnn_emitter_hold(emit, emit->begin, b);
        if (whole || buffer->class == VDNN_CLASS_RESULT || vdnn_plan_is_kept(buffer))
            vdnn_emitter_hold(emit, end, b);
    }
}

/* Removes gradient maps that share a slot, and renumbers the rest. */
static void drop_unused_buffers(vdnn_builder *builder, vdnn_plan *plan)
{
    int32_t *renamed =
        vdnn_region_zeros(&builder->region, (size_t)builder->buffer_count, sizeof *renamed);
    if (renamed == NULL)
        return;
    for (int32_t i = 0; i < builder->access_count; i++)
        renamed[builder->accesses[i].access.buffer] = 1;
    int32_t kept = 0;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        bool used = renamed[b] || builder->buffers[b].persistent;
        renamed[b] = used ? kept : NONE;
        if (used)
            builder->buffers[kept++] = builder->buffers[b];
    }
    builder->buffer_count = kept;
    for (int32_t i = 0; i < builder->access_count; i++)
        builder->accesses[i].access.buffer = renamed[builder->accesses[i].access.buffer];
    for (int32_t l = 0; l < plan->graph->layer_count; l++) {
        if (plan->param_buffer[l] != NONE)
            plan->param_buffer[l] = renamed[plan->param_buffer[l]];
        if (plan->state_buffer[l] != NONE)
            plan->state_buffer[l] = renamed[plan->state_buffer[l]];
    }
    for (int32_t i = 0; i < plan->graph->input_count; i++)
        if (plan->ahead[i] != NONE) {
            plan->ahead[i] = renamed[plan->ahead[i]];
            plan->arrived[i] = renamed[plan->arrived[i]];
        }
}

static void fill_copy_bytes(vdnn_builder *builder)
{
    for (int32_t i = 0; i < builder->access_count; i++) {
        const vdnn_builder_access_record *record = &builder->accesses[i];
        vdnn_step *step = &builder->steps[record->step];
        vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
        if (cost == VDNN_COST_LINK || cost == VDNN_COST_TAKE)
            step->bytes = builder->buffers[record->access.buffer].bytes;
    }
}

static void emit_micro_batch(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    vdnn_emitter_begin_micro(emit, micro);
    emit->group = NONE;
    vdnn_batch_load(emit);
    vdnn_chain of = {0};
    for (int32_t l = 0; l < graph->layer_count && !emit->builder->failed; l = of.end)
        emit_forward(emit, of = emit->chains[l]);
    emit->group = NONE;
    if (!emit->builder->failed)
        emit_store(emit);
    vdnn_emitter_begin_backward(emit);
    for (int32_t l = graph->layer_count - 1; l >= 0 && emit->training && !emit->builder->failed;
         l = of.begin - 1)
        emit_backward(emit, of = emit->chains[l]);
    emit->group = NONE;
    if (!emit->builder->failed)
        vdnn_parameters_use_reduced(emit);
    vdnn_gradient_copies_out(emit, 0);
}

static void emit_all(vdnn_emitter *emit)
{
    emit->group = NONE;
    vdnn_parameters_create(emit);
    vdnn_batch_create(emit);
    emit->begin = vdnn_emitter_step(emit, VDNN_STEP_JOIN, NONE, VDNN_FORWARD, "begin");
    emit->gate = emit->begin;
    for (int32_t micro = 0; micro < emit->graph->micro_batches && !emit->builder->failed; micro++)
        emit_micro_batch(emit, micro);
    if (emit->norm.buffer != NONE)
        vdnn_parameters_update_late(emit);
    if (!emit->builder->failed)
        emit_end(emit);
}

vdnn_status vdnn_emit_steps(vdnn_builder *builder, const vdnn_graph *graph,
                            const vdnn_profile *profile, const vdnn_decisions *decisions,
                            bool training, vdnn_plan *plan)
{
    vdnn_emitter emit = {.builder = builder,
                         .graph = graph,
                         .profile = profile,
                         .decisions = decisions,
                         .plan = plan,
                         .training = training};
    vdnn_status status = vdnn_emitter_init(&emit);
    if (status == VDNN_OK)
        status = vdnn_batch_check(&emit);
    if (status == VDNN_OK)
        status = check_chains(&emit);
    if (status == VDNN_OK)
        status = vdnn_parameters_check(&emit);
    if (status == VDNN_OK)
        status = vdnn_gradient_copies_check(&emit);
    if (status == VDNN_OK)
        status = check_between(&emit);
    if (status == VDNN_OK)
        status = list_offloads(&emit);
    if (status == VDNN_OK)
        status = vdnn_recompute_check(&emit);
    if (status != VDNN_OK)
        return status;
    emit_all(&emit);
    if (!builder->failed && decisions->gradients == VDNN_GRADIENTS_SHARED_MAX)
        vdnn_gradient_slots_share(builder);
    if (!builder->failed)
        drop_unused_buffers(builder, plan);
    hold_whole_step(&emit);
    if (!builder->failed)
        fill_copy_bytes(builder);
    return vdnn_builder_status(builder);
}
