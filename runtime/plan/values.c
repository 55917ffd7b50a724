#include "runtime/plan/values.h"

#include "runtime/base/heap.h"

#include <stdlib.h>

/* The values as they are found, value by value. Counted first, with neither list: then both have
 * room for all. */
typedef struct finder {
    const vdnn_graph *graph;
    vdnn_values *values;
    vdnn_value own; /* the one at hand */
} finder;

vdnn_slot vdnn_slot_update(const vdnn_graph *graph, int32_t owner)
{
    const bool waits = graph->training.clip_norm > 0 || graph->devices > 1;
    return waits ? 3 * graph->layer_count - 1 - owner : vdnn_slot_backward(graph, owner);
}

/* ---- one value ------------------------------------------------------------------------------- */

static void begin(finder *f, vdnn_value_kind kind, int32_t of, size_t bytes)
{
    f->own = (vdnn_value){.kind = kind,
                          .of = of,
                          .bytes = bytes,
                          .first_use = f->values->use_count,
                          .first_gap = f->values->gap_count,
                          .wraps = kind == VDNN_VALUE_WEIGHTS || kind == VDNN_VALUE_STATE};
}

/* Uses come in the order of their slots; several at one are one. */
static void use(finder *f, vdnn_slot slot, bool reads, bool writes)
{
    vdnn_use *uses = f->values->uses;
    const int32_t next = f->own.first_use + f->own.use_count;
    if (f->own.use_count > 0 && uses != NULL && uses[next - 1].slot == slot) {
        uses[next - 1].reads |= reads;
        uses[next - 1].writes |= writes;
        return;
    }
    if (uses != NULL)
        uses[next] = (vdnn_use){slot, reads, writes};
    f->own.use_count++;
}

static void end(finder *f)
{
    vdnn_values *values = f->values;
    if (f->own.use_count == 0)
        return;
    f->own.gap_count = f->own.use_count - (f->own.wraps ? 0 : 1);
    if (values->list != NULL)
        values->list[values->count] = f->own;
    values->count++;
    values->use_count += f->own.use_count;
    values->gap_count += f->own.gap_count;
}

/* ---- maps and batches ------------------------------------------------------------------------ */

static bool reads_map(const vdnn_graph *graph, const vdnn_layer *layer, int32_t map)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        if (graph->tensors[layer->inputs[i]].map == map)
            return true;
    return false;
}

static bool writes_map(const vdnn_graph *graph, const vdnn_layer *layer, int32_t map)
{
    return graph->tensors[layer->output].map == map || graph->aux_map[layer->index] == map;
}

static void use_in_forward(finder *f, int32_t map)
{
    for (int32_t l = 0; l <= f->graph->maps[map].last_forward; l++) {
        const vdnn_layer *layer = &f->graph->layers[l];
        const bool reads = reads_map(f->graph, layer, map),
                   writes = writes_map(f->graph, layer, map);
        if ((reads || writes) && vdnn_layer_has_pass(layer, VDNN_FORWARD))
            use(f, vdnn_slot_forward(f->graph, l), reads, writes);
    }
}

static void use_in_backward(finder *f, int32_t map)
{
    const vdnn_map *own = &f->graph->maps[map];
    for (int32_t k = 0; k < own->needed_count; k++)
        use(f, vdnn_slot_backward(f->graph, own->needed_by[k]), true, false);
}

static void find_map(finder *f, int32_t map)
{
    const vdnn_map *own = &f->graph->maps[map];
    begin(f, own->kind == VDNN_MAP_INPUT ? VDNN_VALUE_BATCH : VDNN_VALUE_MAP, map, own->bytes);
    use_in_forward(f, map);
    use_in_backward(f, map);
    end(f);
}

/* The labels, which the loss alone reads. */
static void find_labels(finder *f)
{
    const int32_t loss = f->graph->layer_count - 1;
    begin(f, VDNN_VALUE_BATCH, vdnn_graph_labels_row(f->graph), vdnn_graph_label_bytes(f->graph));
    use(f, vdnn_slot_forward(f->graph, loss), true, false);
    if (vdnn_layer_has_pass(&f->graph->layers[loss], VDNN_BACKWARD_DATA))
        use(f, vdnn_slot_backward(f->graph, loss), true, false);
    end(f);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static bool wants(const vdnn_layer *layer, int32_t tensor)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->inputs[i] == tensor && layer->wants_dx[i])
            return true;
    return false;
}

/* Each reader adds to what the ones after it in forward order have made of it; the producer reads
 * it. */
static void find_gradient(finder *f, int32_t tensor)
{
    const vdnn_tensor *own = &f->graph->tensors[tensor];
    begin(f, VDNN_VALUE_GRADIENT, tensor, vdnn_desc_bytes(&own->desc));
    for (int32_t k = own->reader_count; own->has_gradient && k-- > 0;)
        if (wants(&f->graph->layers[own->readers[k]], tensor))
            use(f, vdnn_slot_backward(f->graph, own->readers[k]), f->own.use_count > 0, true);
    if (f->own.use_count > 0)
        use(f, vdnn_slot_backward(f->graph, own->producer), true, false);
    end(f);
}

/* ---- blocks of parameters -------------------------------------------------------------------- */

static bool is_of_block(const vdnn_layer *layer, int32_t owner)
{
    return layer->owner == owner && layer->param_count > 0;
}

/* The update comes last, at the slot of the owner's backward or later. */
static void find_weights(finder *f, int32_t owner)
{
    const vdnn_graph *graph = f->graph;
    begin(f, VDNN_VALUE_WEIGHTS, owner, graph->layers[owner].param_bytes);
    for (int32_t l = owner; l < graph->layer_count; l++)
        if (is_of_block(&graph->layers[l], owner))
            use(f, vdnn_slot_forward(graph, l), true, false);
    for (int32_t l = graph->layer_count; l-- > owner;)
        if (is_of_block(&graph->layers[l], owner) &&
            (vdnn_layer_needs(&graph->layers[l]) & VDNN_NEEDS_W) != 0)
            use(f, vdnn_slot_backward(graph, l), true, false);
    if (graph->layers[owner].trainable_bytes > 0)
        use(f, vdnn_slot_update(graph, owner), true, true);
    end(f);
}

/* The layers that add to a sum, and the layer of the block behind that of the sum's which reads it:
 * that, or the update. */
static void find_sum(finder *f, int32_t sum)
{
    const vdnn_graph *graph = f->graph;
    const int32_t owner = graph->layers[sum].owner;
    bool is_joined = false;
    begin(f, VDNN_VALUE_SUM, sum, graph->layers[sum].trainable_bytes);
    for (int32_t l = graph->layer_count; l-- > 0 && !is_joined;) {
        if (!is_of_block(&graph->layers[l], owner) || graph->layers[l].trainable_bytes == 0)
            continue;
        const bool adds = vdnn_graph_sum_of(graph, &graph->layers[l]) == sum;
        is_joined = !adds && f->own.use_count > 0;
        if (adds || is_joined)
            use(f, vdnn_slot_backward(graph, l), f->own.use_count > 0, adds);
    }
    if (f->own.use_count > 0 && !is_joined)
        use(f, vdnn_slot_update(graph, owner), true, false);
    end(f);
}

static void find_state(finder *f, int32_t owner)
{
    begin(f, VDNN_VALUE_STATE, owner, vdnn_graph_state_bytes(f->graph, owner));
    if (f->graph->layers[owner].trainable_bytes > 0)
        use(f, vdnn_slot_update(f->graph, owner), true, true);
    end(f);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void find_blocks(finder *f, void (*find)(finder *f, int32_t owner))
{
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        if (f->graph->layers[l].owner == l && f->graph->layers[l].param_count > 0)
            find(f, l);
}

/* By kind, in the order of the kinds. */
static void find_all(finder *f)
{
    const int32_t rows = vdnn_graph_labels_row(f->graph);
    f->values->count = f->values->use_count = f->values->gap_count = 0;
    for (int32_t m = rows; m < f->graph->map_count; m++)
        find_map(f, m);
    for (int32_t m = 0; m < rows; m++)
        find_map(f, m);
    find_labels(f);
    for (int32_t t = 0; t < f->graph->tensor_count; t++)
        find_gradient(f, t);
    find_blocks(f, find_weights);
    for (int32_t l = 0; l < f->graph->layer_count; l++)
        if (f->graph->layers[l].param_count > 0)
            find_sum(f, l);
    find_blocks(f, find_state);
}

vdnn_status vdnn_values_init(const vdnn_graph *graph, vdnn_values *values)
{
    finder f = {.graph = graph, .values = values};
    *values = (vdnn_values){0};
    find_all(&f);
    values->list = vdnn_heap_calloc((size_t)values->count, sizeof *values->list);
    values->uses = vdnn_heap_calloc((size_t)values->use_count, sizeof *values->uses);
    if (values->list == NULL || values->uses == NULL) {
        vdnn_values_fini(values);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the values of %s", graph->name);
    }
    find_all(&f);
    return VDNN_OK;
}

void vdnn_values_fini(vdnn_values *values)
{
    vdnn_heap_free(values->list);
    vdnn_heap_free(values->uses);
    *values = (vdnn_values){0};
}

static int compare(const void *key, const void *item)
{
    const vdnn_value *a = key, *b = item;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->of > b->of) - (a->of < b->of);
}

const vdnn_value *vdnn_values_find(const vdnn_values *values, vdnn_value_kind kind, int32_t of)
{
    const vdnn_value key = {.kind = kind, .of = of};
    return bsearch(&key, values->list, (size_t)values->count, sizeof key, compare);
}

const char *vdnn_value_text(vdnn_value_kind kind)
{
    static const char *const texts[] = {
#define X(name, text) text,
        VDNN_VALUE_TABLE(X)
#undef X
    };
    return texts[kind];
}
