/* Decisions become steps with their data dependencies, in order on each stream. */

#include "alloc/heap.h"
#include "runtime/plan/builder.h"
#include "runtime/plan/planner.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* Where a value lives now, and who wrote it last. */
typedef struct place {
    int32_t buffer, writer;
} place;

typedef struct emitter {
    vdnn_builder *builder;
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const vdnn_decisions *decisions;
    vdnn_plan *plan;
    bool training;
    place *maps;                         /* per map: its device buffer */
    place *host;                         /* per map: its copy in the host tier */
    place *gradients;                    /* per tensor */
    place *weights;                      /* per layer: the parameter block */
    place *weight_gradients;             /* per layer */
    int32_t *leaving, *next_leaving;     /* per layer: maps whose copy out it hides, as lists */
    int32_t *returning, *next_returning; /* per layer: maps whose copy in it hides */
    int32_t *remaking;                   /* a stack of maps: each waits for the one above it */
    place labels;
    int32_t begin, last_compute;              /* steps */
    int32_t gate;                             /* the last compute step before the current group */
    int32_t group, group_copies, group_steps; /* number; copies and compute steps in it so far */
    int32_t group_first_step;
    int32_t workspace; /* buffer of the current run, or of all runs when shared */
} emitter;

static bool emitter_init(emitter *emit)
{
    size_t maps = (size_t)emit->graph->map_count, layers = (size_t)emit->graph->layer_count;
    size_t tensors = (size_t)emit->graph->tensor_count;
    emit->maps = vdnn_heap_calloc(maps, sizeof *emit->maps);
    emit->host = vdnn_heap_calloc(maps, sizeof *emit->host);
    emit->gradients = vdnn_heap_calloc(tensors, sizeof *emit->gradients);
    emit->weights = vdnn_heap_calloc(layers, sizeof *emit->weights);
    emit->weight_gradients = vdnn_heap_calloc(layers, sizeof *emit->weight_gradients);
    emit->leaving = vdnn_heap_calloc(layers, sizeof *emit->leaving);
    emit->returning = vdnn_heap_calloc(layers, sizeof *emit->returning);
    emit->next_leaving = vdnn_heap_calloc(maps, sizeof *emit->next_leaving);
    emit->next_returning = vdnn_heap_calloc(maps, sizeof *emit->next_returning);
    emit->remaking = vdnn_heap_calloc(maps, sizeof *emit->remaking);
    if (emit->maps == NULL || emit->host == NULL || emit->gradients == NULL ||
        emit->weights == NULL || emit->weight_gradients == NULL || emit->leaving == NULL ||
        emit->returning == NULL || emit->next_leaving == NULL || emit->next_returning == NULL ||
        emit->remaking == NULL)
        return false;
    memset(emit->maps, NONE, maps * sizeof *emit->maps);
    memset(emit->host, NONE, maps * sizeof *emit->host);
    memset(emit->gradients, NONE, tensors * sizeof *emit->gradients);
    memset(emit->weights, NONE, layers * sizeof *emit->weights);
    memset(emit->weight_gradients, NONE, layers * sizeof *emit->weight_gradients);
    memset(emit->leaving, NONE, layers * sizeof *emit->leaving);
    memset(emit->returning, NONE, layers * sizeof *emit->returning);
    emit->labels = (place){NONE, NONE};
    emit->workspace = NONE;
    return true;
}

static void emitter_fini(emitter *emit)
{
    vdnn_heap_free(emit->maps);
    vdnn_heap_free(emit->host);
    vdnn_heap_free(emit->gradients);
    vdnn_heap_free(emit->weights);
    vdnn_heap_free(emit->weight_gradients);
    vdnn_heap_free(emit->leaving);
    vdnn_heap_free(emit->returning);
    vdnn_heap_free(emit->next_leaving);
    vdnn_heap_free(emit->next_returning);
    vdnn_heap_free(emit->remaking);
}

/* ---- decisions ------------------------------------------------------------------------------- */

static bool offloaded(const emitter *emit, int32_t map)
{
    return emit->training && emit->graph->maps[map].needed_count > 0 &&
           emit->decisions->maps[map].action == VDNN_OFFLOAD;
}

static bool recomputed(const emitter *emit, int32_t map)
{
    return emit->training && emit->decisions->maps[map].action == VDNN_RECOMPUTE;
}

static const vdnn_choice *chosen(const emitter *emit, int32_t layer, vdnn_pass pass)
{
    return &emit->profile->layers[layer].choices[pass][emit->decisions->choice[layer][pass]];
}

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
    return VDNN_OK;
}

static vdnn_status list_offloads(emitter *emit)
{
    for (int32_t m = emit->graph->map_count - 1; m >= 0; m--) {
        if (!offloaded(emit, m))
            continue;
        const vdnn_map_decision *decision = &emit->decisions->maps[m];
        vdnn_status status = check_offload(emit->graph, m, decision);
        if (status != VDNN_OK)
            return status;
        emit->next_leaving[m] = emit->leaving[decision->leaves];
        emit->leaving[decision->leaves] = m;
        emit->next_returning[m] = emit->returning[decision->returns];
        emit->returning[decision->returns] = m;
    }
    return VDNN_OK;
}

const char *vdnn_planner_recompute_refusal(const vdnn_graph *graph, const vdnn_profile *profile,
                                           const vdnn_decisions *decisions, int32_t map)
{
    if (graph->maps[map].kind != VDNN_MAP_FEATURE)
        return "it is no output of a layer below the loss";
    for (int32_t l = graph->maps[map].first_writer; l != NONE; l = vdnn_graph_next_writer(graph, l))
        if (vdnn_layer_has_pass(&graph->layers[l], VDNN_FORWARD) &&
            !profile->layers[l]
                 .choices[VDNN_FORWARD][decisions->choice[l][VDNN_FORWARD]]
                 .algorithm->deterministic)
            return "an algorithm that makes it is not deterministic";
    return NULL;
}

static vdnn_status check_recomputes(const emitter *emit)
{
    for (int32_t m = 0; m < emit->graph->map_count; m++) {
        const char *refusal =
            recomputed(emit, m)
                ? vdnn_planner_recompute_refusal(emit->graph, emit->profile, emit->decisions, m)
                : NULL;
        if (refusal != NULL)
            return vdnn_status_fail(VDNN_INTERNAL, "map %s cannot be recomputed: %s",
                                    emit->graph->maps[m].name, refusal);
    }
    return VDNN_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static int32_t add_step(emitter *emit, vdnn_step_kind kind, int32_t layer, vdnn_pass half,
                        const char *label)
{
    static const vdnn_stream_id streams[] = {
#define X(name, text, stream) VDNN_STREAM_##stream,
        VDNN_STEP_TABLE(X)
#undef X
    };
    vdnn_step step = {
        .kind = kind, .stream = streams[kind], .layer = layer, .pass = half, .label = label};
    int32_t index = vdnn_builder_step(emit->builder, step, emit->group);
    if (step.stream == VDNN_STREAM_COMPUTE) {
        emit->last_compute = index;
        emit->group_steps++;
    }
    return index;
}

static void hold(emitter *emit, int32_t step, int32_t buffer)
{
    vdnn_builder_access(emit->builder, step,
                        (vdnn_access){buffer, NONE, VDNN_HOLD, VDNN_BIND_HOLD, 0});
}

static void read_from(emitter *emit, int32_t step, place from, vdnn_bind bind, int slot)
{
    vdnn_builder_access(
        emit->builder, step,
        (vdnn_access){from.buffer, from.writer, VDNN_READ, (uint8_t)bind, (int16_t)slot});
    if (from.writer != NONE)
        vdnn_builder_wait_for(emit->builder, step, from.writer);
}

static void write_to(emitter *emit, int32_t step, place *to, vdnn_bind bind, int slot)
{
    vdnn_builder_access(emit->builder, step,
                        (vdnn_access){to->buffer, NONE, VDNN_WRITE, (uint8_t)bind, (int16_t)slot});
    to->writer = step;
}

/* One access that does both: what an update does to weights, or an accumulation to its sum. */
static void read_and_write(emitter *emit, int32_t step, place *at, vdnn_bind bind)
{
    vdnn_builder_access(
        emit->builder, step,
        (vdnn_access){at->buffer, at->writer, VDNN_READ | VDNN_WRITE, (uint8_t)bind, 0});
    if (at->writer != NONE)
        vdnn_builder_wait_for(emit->builder, step, at->writer);
    at->writer = step;
}

static place new_buffer(emitter *emit, vdnn_class class, vdnn_tier tier, size_t bytes,
                        int32_t layer, int32_t map, const char *label)
{
    vdnn_buffer buffer = {.class = class,
                          .tier = tier,
                          .persistent = class == VDNN_CLASS_WEIGHT || class == VDNN_CLASS_OPTIMIZER,
                          .layer = layer,
                          .map = map,
                          .bytes = bytes,
                          .label = label};
    return (place){vdnn_builder_buffer(emit->builder, buffer), NONE};
}

static place new_map_buffer(emitter *emit, int32_t map, vdnn_tier tier)
{
    static const vdnn_class classes[] = {[VDNN_MAP_INPUT] = VDNN_CLASS_INPUT,
                                         [VDNN_MAP_FEATURE] = VDNN_CLASS_FEATURE_MAP,
                                         [VDNN_MAP_AUX] = VDNN_CLASS_STASH,
                                         [VDNN_MAP_RESULT] = VDNN_CLASS_RESULT};
    const vdnn_map *m = &emit->graph->maps[map];
    return new_buffer(emit, classes[m->kind], tier, m->bytes, NONE, map, m->name);
}

/* ---- groups: what belongs to one layer in one half of the step ------------------------------- */

static void begin_group(emitter *emit)
{
    emit->group++;
    emit->gate = emit->last_compute;
    emit->group_copies = emit->group_steps = 0;
    emit->group_first_step = emit->builder->step_count;
}

/* The paper's synchronization at the end of a layer that copied: the compute stream waits for the
 * copies, and what the layer used is given back only then. */
static void end_group(emitter *emit, int32_t layer, vdnn_pass half)
{
    bool each_layer = emit->decisions->sync == VDNN_SYNC_EACH_LAYER;
    if (emit->group_copies == 0 || (!each_layer && emit->group_steps > 0))
        return;
    vdnn_builder *builder = emit->builder;
    int32_t access_count = builder->access_count;
    int32_t join = add_step(emit, VDNN_STEP_JOIN, layer, half, "");
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
            hold(emit, join, buffer);
    }
}

static void copy_out(emitter *emit, int32_t map, int32_t layer)
{
    emit->host[map] = new_map_buffer(emit, map, VDNN_TIER_HOST);
    int32_t step =
        add_step(emit, VDNN_STEP_COPY_OUT, layer, VDNN_FORWARD, emit->graph->maps[map].name);
    read_from(emit, step, emit->maps[map], VDNN_BIND_SRC, 0);
    write_to(emit, step, &emit->host[map], VDNN_BIND_DST, 0);
    if (emit->decisions->sync == VDNN_SYNC_EACH_LAYER && !emit->builder->failed)
        vdnn_builder_wait_for(emit->builder, step, emit->gate);
    emit->group_copies++;
}

static void copy_in(emitter *emit, int32_t map, int32_t layer)
{
    emit->maps[map] = new_map_buffer(emit, map, VDNN_TIER_DEVICE);
    int32_t step =
        add_step(emit, VDNN_STEP_COPY_IN, layer, VDNN_BACKWARD_DATA, emit->graph->maps[map].name);
    read_from(emit, step, emit->host[map], VDNN_BIND_SRC, 0);
    write_to(emit, step, &emit->maps[map], VDNN_BIND_DST, 0);
    if (!emit->builder->failed)
        vdnn_builder_wait_for(emit->builder, step, emit->gate);
    emit->group_copies++;
}

/* Before the layer's kernels when the content is there already, after them when they make it. */
static void copies_out(emitter *emit, int32_t layer)
{
    for (int32_t m = emit->leaving[layer]; m != NONE; m = emit->next_leaving[m])
        if (emit->maps[m].buffer != NONE && emit->host[m].buffer == NONE)
            copy_out(emit, m, layer);
}

/* ---- running a layer ------------------------------------------------------------------------- */

static int32_t add_kernel(emitter *emit, vdnn_step_kind kind, const vdnn_layer *layer,
                          vdnn_pass half, vdnn_pass pass)
{
    int32_t step = add_step(emit, kind, layer->index, half, "");
    if (!emit->builder->failed)
        emit->builder->steps[step].algorithm = chosen(emit, layer->index, pass)->algorithm;
    return step;
}

static int32_t add_run(emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    return add_kernel(emit, VDNN_STEP_RUN, layer, pass, pass);
}

/* One workspace serves all runs where gradients are shared too, as large as the largest wants. */
static void lend_workspace(emitter *emit, int32_t step, int32_t layer, vdnn_pass pass)
{
    size_t bytes = chosen(emit, layer, pass)->workspace_bytes;
    if (bytes == 0)
        return;
    if (emit->workspace == NONE || emit->decisions->gradients == VDNN_GRADIENTS_EXACT)
        emit->workspace = new_buffer(emit, VDNN_CLASS_WORKSPACE, VDNN_TIER_DEVICE, 0, layer, NONE,
                                     emit->graph->layers[layer].name)
                              .buffer;
    if (emit->builder->failed)
        return;
    vdnn_buffer *workspace = &emit->builder->buffers[emit->workspace];
    if (workspace->bytes < bytes)
        workspace->bytes = bytes;
    vdnn_builder_access(emit->builder, step,
                        (vdnn_access){emit->workspace, NONE, VDNN_WRITE, VDNN_BIND_WORKSPACE, 0});
}

static void read_inputs(emitter *emit, int32_t step, const vdnn_layer *layer)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        read_from(emit, step, emit->maps[emit->graph->tensors[layer->inputs[i]].map], VDNN_BIND_X,
                  i);
}

/* What forward reads and writes, the first time or again, but for aux. */
static void access_forward(emitter *emit, int32_t step, const vdnn_layer *layer, int32_t out)
{
    read_inputs(emit, step, layer);
    if (layer->param_bytes > 0)
        read_from(emit, step, emit->weights[layer->index], VDNN_BIND_W, 0);
    write_to(emit, step, &emit->maps[out], VDNN_BIND_Y, 0);
    lend_workspace(emit, step, layer->index, VDNN_FORWARD);
}

static void run_forward(emitter *emit, const vdnn_layer *layer, int32_t out, int32_t aux)
{
    int32_t step = add_run(emit, layer, VDNN_FORWARD);
    access_forward(emit, step, layer, out);
    if (emit->graph->maps[out].kind == VDNN_MAP_RESULT)
        read_from(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    if (aux != NONE)
        write_to(emit, step, &emit->maps[aux], VDNN_BIND_AUX, 0);
}

static void emit_forward(emitter *emit, const vdnn_layer *layer)
{
    begin_group(emit);
    copies_out(emit, layer->index);
    int32_t out = emit->graph->tensors[layer->output].map, aux = emit->graph->aux_map[layer->index];
    if (emit->maps[out].buffer == NONE)
        emit->maps[out] = new_map_buffer(emit, out, VDNN_TIER_DEVICE);
    if (aux != NONE)
        emit->maps[aux] = new_map_buffer(emit, aux, VDNN_TIER_DEVICE);
    if (vdnn_layer_has_pass(layer, VDNN_FORWARD))
        run_forward(emit, layer, out, aux);
    copies_out(emit, layer->index);
    end_group(emit, layer->index, VDNN_FORWARD);
}

/* ---- running a layer's forward again ----------------------------------------------------------
 */

/* Whether what is in a map's place came there by a step of this kind. */
static bool is_there_by(const emitter *emit, int32_t map, vdnn_step_kind kind)
{
    int32_t writer = emit->maps[map].writer;
    return writer != NONE && emit->builder->steps[writer].kind == kind;
}

/* An offloaded map comes back in this group at the latest. */
static void bring_back(emitter *emit, int32_t map, int32_t layer)
{
    if (offloaded(emit, map) && !is_there_by(emit, map, VDNN_STEP_COPY_IN))
        copy_in(emit, map, layer);
}

/* The aux that forward saved is read, or written once more into memory that nobody reads. */
static void access_aux_again(emitter *emit, int32_t step, const vdnn_layer *layer)
{
    int32_t aux = emit->graph->aux_map[layer->index];
    if (aux == NONE)
        return;
    if (!vdnn_layer_writes_aux(layer, true)) {
        read_from(emit, step, emit->maps[aux], VDNN_BIND_AUX, 0);
        return;
    }
    place unread = new_map_buffer(emit, aux, VDNN_TIER_DEVICE);
    write_to(emit, step, &unread, VDNN_BIND_AUX, 0);
}

static void run_again(emitter *emit, const vdnn_layer *layer, int32_t map)
{
    int32_t step = add_kernel(emit, VDNN_STEP_RECOMPUTE, layer, VDNN_BACKWARD_DATA, VDNN_FORWARD);
    access_forward(emit, step, layer, map);
    access_aux_again(emit, step, layer);
}

/* Brings back what a map is made of; a map that must be made again first, NONE: all is there. */
static int32_t fetch_inputs(emitter *emit, int32_t map, int32_t group)
{
    const vdnn_graph *graph = emit->graph;
    for (int32_t l = graph->maps[map].first_writer; l != NONE;
         l = vdnn_graph_next_writer(graph, l)) {
        const vdnn_layer *layer = &graph->layers[l];
        if (graph->aux_map[l] != NONE && !vdnn_layer_writes_aux(layer, true))
            bring_back(emit, graph->aux_map[l], group);
        for (int32_t i = 0; i < layer->input_count; i++) {
            int32_t input = graph->tensors[layer->inputs[i]].map;
            if (input == map)
                continue;
            bring_back(emit, input, group);
            if (recomputed(emit, input) && !is_there_by(emit, input, VDNN_STEP_RECOMPUTE))
                return input;
        }
    }
    return NONE;
}

/* A map that is recomputed, where that has not been done yet: all that it is made of first. The
 * stack never holds a map twice, for a map is made of those before it. */
static void remake(emitter *emit, int32_t map, int32_t group)
{
    int32_t depth = 0;
    if (!recomputed(emit, map) || is_there_by(emit, map, VDNN_STEP_RECOMPUTE))
        return;
    emit->remaking[depth++] = map;
    while (depth > 0 && !emit->builder->failed) {
        int32_t top = emit->remaking[depth - 1], missing = fetch_inputs(emit, top, group);
        if (missing != NONE) {
            emit->remaking[depth++] = missing;
            continue;
        }
        emit->maps[top] = new_map_buffer(emit, top, VDNN_TIER_DEVICE);
        for (int32_t l = emit->graph->maps[top].first_writer; l != NONE && !emit->builder->failed;
             l = vdnn_graph_next_writer(emit->graph, l))
            if (vdnn_layer_has_pass(&emit->graph->layers[l], VDNN_FORWARD))
                run_again(emit, &emit->graph->layers[l], top);
        depth--;
    }
}

/* Comes before the step of a backward pass: the maps that it reads. */
static void remake_needs(emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        remake(emit, emit->graph->tensors[layer->inputs[i]].map, layer->index);
    if (needs & VDNN_NEEDS_Y)
        remake(emit, emit->graph->tensors[layer->output].map, layer->index);
}

/* What a backward pass declared, and dy unless it is the loss. */
static void read_needs(emitter *emit, int32_t step, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    int32_t out_map = emit->graph->tensors[layer->output].map;
    bool is_loss = emit->graph->maps[out_map].kind == VDNN_MAP_RESULT;
    if (!is_loss)
        read_from(emit, step, emit->gradients[layer->output], VDNN_BIND_DY, 0);
    else
        read_from(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    if (needs & VDNN_NEEDS_X)
        read_inputs(emit, step, layer);
    if (needs & VDNN_NEEDS_Y)
        read_from(emit, step, emit->maps[out_map], VDNN_BIND_Y, 0);
    if (needs & VDNN_NEEDS_W)
        read_from(emit, step, emit->weights[layer->index], VDNN_BIND_W, 0);
    if (needs & VDNN_NEEDS_AUX)
        read_from(emit, step, emit->maps[emit->graph->aux_map[layer->index]], VDNN_BIND_AUX, 0);
}

static int32_t add_backward(emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    remake_needs(emit, layer, pass);
    int32_t step = add_run(emit, layer, pass);
    read_needs(emit, step, layer, pass);
    return step;
}

static void accumulate(emitter *emit, int32_t layer, int32_t tensor, place part)
{
    int32_t step = add_step(emit, VDNN_STEP_ACCUMULATE, layer, VDNN_BACKWARD_DATA,
                            emit->graph->tensors[tensor].name);
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = vdnn_desc_bytes(&emit->graph->tensors[tensor].desc);
    read_and_write(emit, step, &emit->gradients[tensor], VDNN_BIND_DST);
    read_from(emit, step, part, VDNN_BIND_SRC, 0);
}

static place new_gradient(emitter *emit, int32_t tensor)
{
    const vdnn_tensor *t = &emit->graph->tensors[tensor];
    return new_buffer(emit, VDNN_CLASS_GRADIENT_MAP, VDNN_TIER_DEVICE, vdnn_desc_bytes(&t->desc),
                      NONE, t->map, t->name);
}

static void write_weight_gradient(emitter *emit, int32_t step, const vdnn_layer *layer)
{
    place *gradient = &emit->weight_gradients[layer->index];
    *gradient = new_buffer(emit, VDNN_CLASS_WEIGHT_GRADIENT, VDNN_TIER_DEVICE,
                           layer->trainable_bytes, layer->index, NONE, layer->name);
    write_to(emit, step, gradient, VDNN_BIND_DW, 0);
}

/* The first reader to come by (the last in forward order) writes a tensor's gradient, every further
 * one a part that is added to it; so the order of the sum is that of backward, under every policy.
 */
static void emit_backward_data(emitter *emit, const vdnn_layer *layer)
{
    place *parts = vdnn_heap_calloc((size_t)layer->input_count, sizeof *parts);
    if (parts == NULL) {
        emit->builder->failed = true;
        return;
    }
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_DATA);
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    for (int32_t i = 0; i < layer->input_count; i++) {
        int32_t tensor = layer->inputs[i];
        parts[i] = (place){NONE, NONE};
        if (!layer->wants_dx[i])
            continue;
        bool is_first = emit->gradients[tensor].buffer == NONE;
        place *target = is_first ? &emit->gradients[tensor] : &parts[i];
        *target = i == over_dy ? emit->gradients[layer->output] : new_gradient(emit, tensor);
        write_to(emit, step, target, VDNN_BIND_DX, i);
    }
    if (vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA))
        write_weight_gradient(emit, step, layer);
    lend_workspace(emit, step, layer->index, VDNN_BACKWARD_DATA);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (parts[i].buffer != NONE)
            accumulate(emit, layer->index, layer->inputs[i], parts[i]);
    vdnn_heap_free(parts);
}

static void emit_update(emitter *emit, const vdnn_layer *layer)
{
    int32_t step = add_step(emit, VDNN_STEP_UPDATE, layer->index, VDNN_BACKWARD_FILTER, "");
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = layer->trainable_bytes;
    place momentum = {emit->plan->momentum_buffer[layer->index], NONE};
    read_and_write(emit, step, &emit->weights[layer->index], VDNN_BIND_W);
    read_and_write(emit, step, &momentum, VDNN_BIND_V);
    read_from(emit, step, emit->weight_gradients[layer->index], VDNN_BIND_DW, 0);
}

static bool updates_itself(const emitter *emit, const vdnn_layer *layer)
{
    return emit->decisions->updates == VDNN_UPDATES_FUSED &&
           chosen(emit, layer->index, VDNN_BACKWARD_FILTER)->algorithm->updates;
}

static void emit_filter_update(emitter *emit, const vdnn_layer *layer)
{
    place momentum = {emit->plan->momentum_buffer[layer->index], NONE};
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_FILTER);
    read_and_write(emit, step, &emit->weights[layer->index], VDNN_BIND_W);
    read_and_write(emit, step, &momentum, VDNN_BIND_V);
    lend_workspace(emit, step, layer->index, VDNN_BACKWARD_FILTER);
    if (!emit->builder->failed)
        emit->builder->steps[step].bytes = layer->trainable_bytes;
}

static void emit_backward_filter(emitter *emit, const vdnn_layer *layer)
{
    if (updates_itself(emit, layer)) {
        emit_filter_update(emit, layer);
        return;
    }
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_FILTER);
    write_weight_gradient(emit, step, layer);
    lend_workspace(emit, step, layer->index, VDNN_BACKWARD_FILTER);
    emit_update(emit, layer);
}

static void emit_backward(emitter *emit, const vdnn_layer *layer)
{
    begin_group(emit);
    for (int32_t m = emit->returning[layer->index]; m != NONE; m = emit->next_returning[m])
        bring_back(emit, m, layer->index);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
        emit_backward_data(emit, layer);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER))
        emit_backward_filter(emit, layer);
    if (vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA))
        emit_update(emit, layer);
    end_group(emit, layer->index, VDNN_BACKWARD_DATA);
}

/* ---- the frame of the step ------------------------------------------------------------------- */

static void make_persistent(emitter *emit)
{
    for (int32_t l = 0; l < emit->graph->layer_count; l++) {
        const vdnn_layer *layer = &emit->graph->layers[l];
        emit->plan->param_buffer[l] = emit->plan->momentum_buffer[l] = NONE;
        if (layer->param_bytes > 0)
            emit->weights[l] = new_buffer(emit, VDNN_CLASS_WEIGHT, VDNN_TIER_DEVICE,
                                          layer->param_bytes, l, NONE, layer->name);
        emit->plan->param_buffer[l] = emit->weights[l].buffer;
        if (layer->trainable_bytes > 0)
            emit->plan->momentum_buffer[l] =
                new_buffer(emit, VDNN_CLASS_OPTIMIZER, VDNN_TIER_DEVICE, layer->trainable_bytes, l,
                           NONE, layer->name)
                    .buffer;
    }
}

/* The labels come first: the first layer waits for the image, and then both are there. */
static void emit_loads(emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    size_t label_bytes = (size_t)graph->batch * sizeof(int32_t);
    emit->labels =
        new_buffer(emit, VDNN_CLASS_LABELS, VDNN_TIER_DEVICE, label_bytes, NONE, NONE, "labels");
    emit->maps[0] = new_map_buffer(emit, 0, VDNN_TIER_DEVICE);
    emit->plan->labels_buffer = emit->labels.buffer;
    emit->plan->input_buffer = emit->maps[0].buffer;
    place *const targets[] = {&emit->labels, &emit->maps[0]};
    static const char *const labels[] = {"labels", "input"};
    for (int i = 0; i < 2; i++) {
        int32_t step = add_step(emit, VDNN_STEP_LOAD, NONE, VDNN_FORWARD, labels[i]);
        write_to(emit, step, targets[i], VDNN_BIND_DST, 0);
        if (!emit->builder->failed)
            vdnn_builder_wait_for(emit->builder, step, emit->begin);
    }
}

static void emit_store(emitter *emit)
{
    const vdnn_layer *loss = &emit->graph->layers[emit->graph->layer_count - 1];
    int32_t step = add_step(emit, VDNN_STEP_STORE, loss->index, VDNN_FORWARD, loss->name);
    read_from(emit, step, emit->maps[emit->graph->tensors[loss->output].map], VDNN_BIND_SRC, 0);
}

static void emit_end(emitter *emit)
{
    int32_t end = add_step(emit, VDNN_STEP_JOIN, NONE, VDNN_BACKWARD_FILTER, "end");
    if (emit->builder->failed)
        return;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        for (int32_t s = end - 1; s >= 0; s--)
            if ((int)emit->builder->steps[s].stream == k) {
                vdnn_builder_wait_for(emit->builder, end, s);
                break;
            }
}

/* Given back behind their last use whatever the rule of release. */
static bool dropped(const emitter *emit, const vdnn_buffer *buffer)
{
    if (buffer->map == NONE || buffer->class == VDNN_CLASS_GRADIENT_MAP)
        return false;
    vdnn_action action = emit->decisions->maps[buffer->map].action;
    return action == VDNN_DROP || action == VDNN_RECOMPUTE;
}

/* Held from begin to end: what persists, and what the decisions do not let go of earlier. The
 * result is held to the end, because nobody waits for its way out before. */
static void hold_whole_step(emitter *emit)
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
        if (whole)
            hold(emit, emit->begin, b);
        if (whole || buffer->class == VDNN_CLASS_RESULT)
            hold(emit, end, b);
    }
}

/* ---- shared gradient buffers ----------------------------------------------------------------- */

typedef struct gradient_slots {
    int32_t *last;       /* per buffer: its last step */
    int32_t *slot;       /* per buffer: the buffer that serves it */
    int32_t *slots;      /* the buffers that serve */
    int32_t *busy_until; /* per slot: a step */
    int32_t count;
    size_t largest_bytes;
} gradient_slots;

static bool gradient_slots_init(const vdnn_builder *builder, gradient_slots *slots)
{
    size_t count = (size_t)builder->buffer_count + 1;
    *slots = (gradient_slots){.last = vdnn_heap_calloc(count, sizeof(int32_t)),
                              .slot = vdnn_heap_calloc(count, sizeof(int32_t)),
                              .slots = vdnn_heap_calloc(count, sizeof(int32_t)),
                              .busy_until = vdnn_heap_calloc(count, sizeof(int32_t))};
    if (slots->last == NULL || slots->slot == NULL || slots->slots == NULL ||
        slots->busy_until == NULL)
        return false;
    for (int32_t i = 0; i < builder->access_count; i++)
        slots->last[builder->accesses[i].access.buffer] = builder->accesses[i].step;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        const vdnn_buffer *buffer = &builder->buffers[b];
        slots->slot[b] = NONE;
        if (buffer->class == VDNN_CLASS_GRADIENT_MAP && buffer->bytes > slots->largest_bytes)
            slots->largest_bytes = buffer->bytes;
    }
    return true;
}

static void gradient_slots_fini(gradient_slots *slots)
{
    vdnn_heap_free(slots->last);
    vdnn_heap_free(slots->slot);
    vdnn_heap_free(slots->slots);
    vdnn_heap_free(slots->busy_until);
}

/* A slot that is free at `step`, for `buffer` up to its last step. */
static int32_t take_slot(gradient_slots *slots, int32_t buffer, int32_t step)
{
    int32_t i = 0;
    while (i < slots->count && slots->busy_until[i] >= step)
        i++;
    if (i == slots->count)
        slots->slots[slots->count++] = buffer;
    slots->busy_until[i] = slots->last[buffer];
    return slots->slots[i];
}

/* Gradient maps are touched by the compute stream alone, so their lifetimes are ranges of steps: as
 * many slots as are alive at once, each as large as the largest map. */
static void share_gradients(vdnn_builder *builder)
{
    gradient_slots slots;
    builder->failed = !gradient_slots_init(builder, &slots);
    for (int32_t i = 0; i < builder->access_count && !builder->failed; i++) {
        int32_t *buffer = &builder->accesses[i].access.buffer;
        if (builder->buffers[*buffer].class != VDNN_CLASS_GRADIENT_MAP)
            continue;
        if (slots.slot[*buffer] == NONE)
            slots.slot[*buffer] = take_slot(&slots, *buffer, builder->accesses[i].step);
        *buffer = slots.slot[*buffer];
    }
    for (int32_t i = 0; i < slots.count && !builder->failed; i++) {
        vdnn_buffer *slot = &builder->buffers[slots.slots[i]];
        slot->bytes = slots.largest_bytes;
        slot->map = NONE;
        slot->label = "shared";
    }
    gradient_slots_fini(&slots);
}

/* Removes gradient maps that became guests of a slot, and renumbers the rest. */
static vdnn_status drop_unused_buffers(vdnn_builder *builder, vdnn_plan *plan)
{
    int32_t *renamed = vdnn_heap_calloc((size_t)builder->buffer_count + 1, sizeof *renamed);
    if (renamed == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to number buffers");
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
        if (plan->momentum_buffer[l] != NONE)
            plan->momentum_buffer[l] = renamed[plan->momentum_buffer[l]];
    }
    plan->input_buffer = renamed[plan->input_buffer];
    plan->labels_buffer = renamed[plan->labels_buffer];
    vdnn_heap_free(renamed);
    return VDNN_OK;
}

static void fill_copy_bytes(vdnn_builder *builder)
{
    for (int32_t i = 0; i < builder->access_count; i++) {
        const vdnn_builder_access_record *record = &builder->accesses[i];
        vdnn_step *step = &builder->steps[record->step];
        bool moves = step->kind == VDNN_STEP_LOAD || step->kind == VDNN_STEP_STORE ||
                     step->kind == VDNN_STEP_COPY_OUT || step->kind == VDNN_STEP_COPY_IN;
        if (moves)
            step->bytes = builder->buffers[record->access.buffer].bytes;
    }
}

static void emit_all(emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    emit->group = NONE;
    make_persistent(emit);
    emit->begin = add_step(emit, VDNN_STEP_JOIN, NONE, VDNN_FORWARD, "begin");
    emit_loads(emit);
    for (int32_t l = 0; l < graph->layer_count && !emit->builder->failed; l++)
        emit_forward(emit, &graph->layers[l]);
    emit->group = NONE;
    if (!emit->builder->failed)
        emit_store(emit);
    if (emit->training) {
        emit->group = graph->layer_count - 1;
        for (int32_t l = graph->layer_count - 1; l >= 0 && !emit->builder->failed; l--)
            emit_backward(emit, &graph->layers[l]);
    }
    emit->group = NONE;
    if (!emit->builder->failed)
        emit_end(emit);
}

vdnn_status vdnn_emit_steps(vdnn_builder *builder, const vdnn_graph *graph,
                            const vdnn_profile *profile, const vdnn_decisions *decisions,
                            bool training, vdnn_plan *plan)
{
    emitter emit = {.builder = builder,
                    .graph = graph,
                    .profile = profile,
                    .decisions = decisions,
                    .plan = plan,
                    .training = training};
    vdnn_status status = VDNN_OK;
    if (!emitter_init(&emit)) {
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to plan %d layers",
                                  (int)graph->layer_count);
        goto done;
    }
    status = list_offloads(&emit);
    if (status == VDNN_OK)
        status = check_recomputes(&emit);
    if (status != VDNN_OK)
        goto done;
    emit_all(&emit);
    if (!builder->failed && decisions->gradients == VDNN_GRADIENTS_SHARED_MAX)
        share_gradients(builder);
    if (!builder->failed)
        status = drop_unused_buffers(builder, plan);
    hold_whole_step(&emit);
    if (builder->failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to plan %d layers",
                                  (int)graph->layer_count);
    else
        fill_copy_bytes(builder);
done:
    emitter_fini(&emit);
    return status;
}
