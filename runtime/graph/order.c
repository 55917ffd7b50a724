#include "runtime/graph/order.h"

#include "models/names.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <string.h>

enum { MAX_NAMES_SHOWN = 12, NONE = -1 };

/* A binary heap of positions in the file, the least on top. */
typedef struct heap {
    int32_t *items;
    int32_t count;
} heap;

/* The edges from each layer to its readers, as lists in two arrays. */
typedef struct edges {
    int32_t *first; /* by layer, with one more at the end */
    int32_t *readers;
    int32_t *missing; /* by layer: number of sources not yet in the order */
    heap ready;
} edges;

static void heap_push(heap *h, int32_t item)
{
    int32_t i = h->count++;
    for (; i > 0 && h->items[(i - 1) / 2] > item; i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = item;
}

static int32_t heap_pop(heap *h)
{
    int32_t top = h->items[0], item = h->items[--h->count], i = 0;
    for (int32_t child = 1; child < h->count; child = 2 * i + 1) {
        child += child + 1 < h->count && h->items[child + 1] < h->items[child];
        if (h->items[child] >= item)
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    h->items[i] = item;
    return top;
}

static vdnn_status no_memory(const vdnn_model *model)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to order %d layers", model->path,
                            model->layer_count);
}

static vdnn_status index_names(vdnn_names *names, const vdnn_model *model)
{
    vdnn_status status = vdnn_names_init(names, model->layer_count);
    for (int32_t i = 0; i < model->layer_count && status == VDNN_OK; i++) {
        bool added;
        status = vdnn_names_add(names, model->layers[i].name, i, &added);
        if (status == VDNN_OK && !added)
            status = vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: a second layer is named '%s'",
                                      model->path, model->layers[i].line, model->layers[i].name);
    }
    return status;
}

static vdnn_status resolve_owner(const vdnn_names *names, const vdnn_model *model,
                                 const vdnn_layer_spec *layer, int32_t *owner)
{
    *owner = -1;
    if (layer->weight_of == NULL)
        return VDNN_OK;
    vdnn_status status = vdnn_names_resolve(names, model, layer, layer->weight_of, owner);
    if (status == VDNN_OK && *owner < 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: layer '%s' reads the weight of the input, which has none",
                                model->path, layer->line, layer->name);
    return status;
}

static vdnn_status resolve_names(vdnn_order *order, const vdnn_model *model)
{
    vdnn_names names = {0};
    vdnn_status status = index_names(&names, model);
    int32_t next = 0;
    for (int32_t i = 0; i < model->layer_count && status == VDNN_OK; i++) {
        const vdnn_layer_spec *layer = &model->layers[i];
        order->first_source[i] = next;
        for (int32_t k = 0; k < layer->from_count && status == VDNN_OK; k++)
            status =
                vdnn_names_resolve(&names, model, layer, layer->from[k], &order->sources[next++]);
        VDNN_IF_OK(status, resolve_owner(&names, model, layer, &order->owners[i]));
    }
    order->first_source[model->layer_count] = next;
    vdnn_names_fini(&names);
    return status;
}

static void fini_edges(edges *e)
{
    vdnn_heap_free(e->first);
    vdnn_heap_free(e->readers);
    vdnn_heap_free(e->missing);
    vdnn_heap_free(e->ready.items);
}

static vdnn_status init_edges(edges *e, const vdnn_order *order, const vdnn_model *model)
{
    size_t layers = (size_t)model->layer_count;
    int32_t source_count = order->first_source[layers];
    e->first = vdnn_heap_calloc(layers + 2, sizeof *e->first);
    e->readers = vdnn_heap_calloc((size_t)source_count, sizeof *e->readers);
    e->missing = vdnn_heap_calloc(layers, sizeof *e->missing);
    e->ready.items = vdnn_heap_calloc(layers, sizeof *e->ready.items);
    if (e->first == NULL || e->readers == NULL || e->missing == NULL || e->ready.items == NULL)
        return no_memory(model);
    /* Counts land two further on, so that filling the lists leaves each start where it belongs. */
    for (int32_t s = 0; s < source_count; s++)
        if (order->sources[s] >= 0)
            e->first[order->sources[s] + 2]++;
    for (size_t i = 2; i <= layers; i++)
        e->first[i] += e->first[i - 1];
    for (int32_t i = 0; i < model->layer_count; i++) {
        for (int32_t s = order->first_source[i]; s < order->first_source[i + 1]; s++)
            if (order->sources[s] >= 0) {
                e->readers[e->first[order->sources[s] + 1]++] = i;
                e->missing[i]++;
            }
        if (e->missing[i] == 0)
            heap_push(&e->ready, i);
    }
    return VDNN_OK;
}

static int32_t source_without_place(const vdnn_order *order, const edges *e, int32_t layer)
{
    int32_t s = order->first_source[layer];
    while (order->sources[s] < 0 || e->missing[order->sources[s]] == 0)
        s++;
    return order->sources[s];
}

/* Every layer that is not in the order reads another such layer: following them backward ends in a
 * cycle. Links each layer of the cycle to its reader on it, and returns the one that is first in
 * the file. */
static int32_t find_cycle(const vdnn_order *order, const edges *e, int32_t layer_count,
                          int32_t *below)
{
    int32_t reader = 0;
    for (int32_t i = 0; i < layer_count; i++)
        below[i] = -1;
    while (e->missing[reader] == 0)
        reader++;
    int32_t source = source_without_place(order, e, reader);
    while (below[source] < 0) {
        below[source] = reader;
        reader = source;
        source = source_without_place(order, e, reader);
    }
    below[source] = reader;
    int32_t first = source;
    for (int32_t i = below[source]; i != source; i = below[i])
        first = i < first ? i : first;
    return first;
}

static vdnn_status refuse_cycle(const vdnn_order *order, const vdnn_model *model, const edges *e)
{
    int32_t *below = e->first; /* the lists of readers are no longer needed */
    int32_t first = find_cycle(order, e, model->layer_count, below), at = first, shown = 0;
    vdnn_text path = {0};
    do {
        if (shown++ < MAX_NAMES_SHOWN)
            vdnn_text_add(&path, "%.60s -> ", model->layers[at].name);
        at = below[at];
    } while (at != first);
    vdnn_status status =
        vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: the layers form a cycle: %s%s%.60s", model->path,
                         model->layers[first].line, path.failed ? "" : path.data,
                         shown > MAX_NAMES_SHOWN ? "... -> " : "", model->layers[first].name);
    vdnn_text_fini(&path);
    return status;
}

static vdnn_status sort(vdnn_order *order, const vdnn_model *model)
{
    edges e = {0};
    int32_t placed = 0;
    vdnn_status status = init_edges(&e, order, model);
    while (status == VDNN_OK && e.ready.count > 0) {
        int32_t layer = heap_pop(&e.ready);
        order->position[layer] = placed;
        order->layers[placed++] = layer;
        for (int32_t k = e.first[layer]; k < e.first[layer + 1]; k++)
            if (--e.missing[e.readers[k]] == 0)
                heap_push(&e.ready, e.readers[k]);
    }
    if (status == VDNN_OK && placed < model->layer_count)
        status = refuse_cycle(order, model, &e);
    fini_edges(&e);
    return status;
}

vdnn_status vdnn_order_init(vdnn_order *order, const vdnn_model *model)
{
    vdnn_order fresh = {0};
    size_t layers = (size_t)model->layer_count, sources = 0;
    for (size_t i = 0; i < layers; i++)
        sources += (size_t)model->layers[i].from_count;
    vdnn_status status = VDNN_OK;
    fresh.layers = vdnn_heap_calloc(layers, sizeof *fresh.layers);
    fresh.position = vdnn_heap_calloc(layers, sizeof *fresh.position);
    fresh.sources = vdnn_heap_calloc(sources, sizeof *fresh.sources);
    fresh.first_source = vdnn_heap_calloc(layers + 1, sizeof *fresh.first_source);
    fresh.owners = vdnn_heap_calloc(layers, sizeof *fresh.owners);
    if (fresh.layers == NULL || fresh.position == NULL || fresh.sources == NULL ||
        fresh.first_source == NULL || fresh.owners == NULL || sources > INT32_MAX)
        status = no_memory(model);
    VDNN_IF_OK(status, resolve_names(&fresh, model));
    VDNN_IF_OK(status, sort(&fresh, model));
    if (status != VDNN_OK) {
        vdnn_order_fini(&fresh);
        return status;
    }
    *order = fresh;
    return VDNN_OK;
}

/* ---- pools before ReLUs ---------------------------------------------------------------------- */

static bool is_of_type(const vdnn_model *model, int32_t layer, const char *type)
{
    return strcmp(model->layers[layer].def->type, type) == 0;
}

/* Per layer, how many read it. */
static int32_t *count_readers(const vdnn_order *order, const vdnn_model *model)
{
    const int32_t source_count = order->first_source[model->layer_count];
    int32_t *readers = vdnn_heap_calloc((size_t)model->layer_count, sizeof *readers);
    for (int32_t s = 0; s < source_count && readers != NULL; s++)
        if (order->sources[s] >= 0)
            readers[order->sources[s]]++;
    return readers;
}

/* Whether the layer at a place of the order is a ReLU that the pool at the next one reads alone. */
static bool may_swap(const vdnn_order *order, const vdnn_model *model, const int32_t *readers,
                     int32_t place)
{
    const int32_t relu = order->layers[place], pool = order->layers[place + 1];
    return is_of_type(model, relu, "relu") && is_of_type(model, pool, "maxpool") &&
           order->sources[order->first_source[pool]] == relu && readers[relu] == 1;
}

/* What read the pool reads the ReLU. */
static void swap(vdnn_order *order, int32_t place, int32_t *instead_of)
{
    const int32_t relu = order->layers[place], pool = order->layers[place + 1];
    order->sources[order->first_source[pool]] = order->sources[order->first_source[relu]];
    order->sources[order->first_source[relu]] = pool;
    order->layers[place] = pool;
    order->layers[place + 1] = relu;
    order->position[pool] = place;
    order->position[relu] = place + 1;
    instead_of[pool] = relu;
}

static void redirect(vdnn_order *order, const vdnn_model *model, const int32_t *instead_of)
{
    for (int32_t i = 0; i < model->layer_count; i++)
        for (int32_t s = order->first_source[i]; s < order->first_source[i + 1]; s++) {
            const int32_t pool = order->sources[s];
            if (pool >= 0 && instead_of[pool] != NONE && instead_of[pool] != i)
                order->sources[s] = instead_of[pool];
        }
}

vdnn_status vdnn_order_pool_first(vdnn_order *order, const vdnn_model *model)
{
    int32_t *readers = count_readers(order, model),
            *instead_of = vdnn_heap_calloc((size_t)model->layer_count, sizeof *instead_of);
    const bool has_memory = readers != NULL && instead_of != NULL;
    for (int32_t i = 0; i < model->layer_count && has_memory; i++)
        instead_of[i] = NONE;
    for (int32_t place = 0; place + 1 < model->layer_count && has_memory; place++)
        if (may_swap(order, model, readers, place))
            swap(order, place, instead_of);
    if (has_memory)
        redirect(order, model, instead_of);
    vdnn_heap_free(readers);
    vdnn_heap_free(instead_of);
    return has_memory ? VDNN_OK : no_memory(model);
}

void vdnn_order_fini(vdnn_order *order)
{
    vdnn_heap_free(order->layers);
    vdnn_heap_free(order->position);
    vdnn_heap_free(order->sources);
    vdnn_heap_free(order->first_source);
    vdnn_heap_free(order->owners);
    *order = (vdnn_order){0};
}
