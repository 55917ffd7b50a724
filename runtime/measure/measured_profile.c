/* A profile from a store's rows, and from measurements of those that are missing. */

#include "runtime/measure/measured_profile.h"
#include "runtime/base/heap.h"
#include "runtime/measure/first_look.h"
#include "runtime/measure/measure_internal.h"
#include "runtime/profile/profile_store.h"

#include <string.h>
#include <xxhash.h>

typedef struct builder {
    vdnn_layer_rows rows;
    const vdnn_graph *graph;      /* in one shape */
    const vdnn_graph *whole;      /* has the same layers, in other parts; NULL: none */
    const vdnn_profile *of_whole; /* its profile */
    vdnn_shape_rows *known;       /* of parts that were predicted; NULL: none are kept */
    int32_t *slots;               /* by signature: the first shape that has it, -1 where free */
    size_t slot_count;
    vdnn_look *look;                     /* NULL: all rows are measured */
    double begun;                        /* on the machine's clock */
    int64_t measured_work, work_to_come; /* in algorithms (work_of) */
} builder;

/* A shape is a layer that runs as a whole, by its index, or behind them one of the layers that its
 * parts are. */
static const vdnn_layer *layer_of(const builder *build, int32_t shape)
{
    const vdnn_graph *graph = build->graph;
    return shape < graph->layer_count ? &graph->layers[shape]
                                      : &graph->part_layers[shape - graph->layer_count];
}

size_t vdnn_measured_profile_working_bytes(const vdnn_graph *graph)
{
    size_t bytes = vdnn_graph_param_bytes(graph) + vdnn_graph_all_state_bytes(graph);
    for (int32_t m = 0; m < graph->map_count; m++)
        bytes += graph->maps[m].bytes;
    return bytes;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static int32_t *slot_of(const builder *build, const vdnn_layer *layer)
{
    size_t mask = build->slot_count - 1;
    size_t i = (size_t)XXH3_64bits(layer->signature, strlen(layer->signature)) & mask;
    while (build->slots[i] >= 0 &&
           strcmp(layer_of(build, build->slots[i])->signature, layer->signature) != 0)
        i = (i + 1) & mask;
    return &build->slots[i];
}

/* Whether the same layer has its rows already where it runs as a whole. */
static bool is_known(const builder *build, int32_t shape)
{
    const vdnn_graph *whole = build->whole;
    return whole != NULL && shape < whole->layer_count &&
           vdnn_graph_part_at(whole, shape, 0) == NULL &&
           strcmp(whole->layers[shape].signature, layer_of(build, shape)->signature) == 0;
}

static vdnn_status add_shape(builder *build, int32_t shape)
{
    const vdnn_layer *layer = layer_of(build, shape);
    vdnn_profile *profile = build->rows.profile;
    int32_t *slot = slot_of(build, layer);
    if (*slot >= 0)
        return vdnn_profile_repeat(profile, shape, profile, *slot);
    *slot = shape;
    if (is_known(build, shape))
        return vdnn_profile_repeat(profile, shape, build->of_whole, shape);
    if (vdnn_shape_rows_have(build->known, layer->signature))
        return vdnn_shape_rows_repeat(build->known, layer->signature, profile, shape);
    vdnn_status status = vdnn_layer_rows_add(&build->rows, layer, shape);
    return status == VDNN_OK && build->known != NULL
               ? vdnn_shape_rows_keep(build->known, layer->signature, profile, shape)
               : status;
}

/* Bytes that staging reads and writes for each that is staged. */
enum { STAGE_TRAFFIC = 2 };

/* An algorithm that all parts of a layer have: their seconds, and the most workspace of them, with
 * what is staged there. */
static bool join_parts(const builder *build, int32_t layer, vdnn_pass pass, vdnn_choice *choice)
{
    const vdnn_graph *graph = build->graph;
    choice->seconds = 0;
    choice->workspace_bytes = 0;
    for (int32_t p = 0; p < vdnn_graph_part_count(graph, layer); p++) {
        const vdnn_layer *made = vdnn_graph_part_layer(graph, layer, p);
        int32_t shape = graph->layer_count + (int32_t)(made - graph->part_layers);
        int32_t found =
            vdnn_profile_find(build->rows.profile, shape, pass, choice->algorithm->name);
        if (found < 0)
            return false;
        const vdnn_choice *own = &build->rows.profile->layers[shape].choices[pass][found];
        size_t staged = vdnn_graph_part_staged(graph, layer, p, pass);
        choice->seconds += own->seconds + STAGE_TRAFFIC * (double)staged /
                                              build->rows.profile->elementwise_bytes_per_second;
        if (own->workspace_bytes + staged > choice->workspace_bytes)
            choice->workspace_bytes = own->workspace_bytes + staged;
    }
    return true;
}

/* The choices of a layer in parts are those that all of them have. */
static vdnn_status add_parts(builder *build, int32_t layer)
{
    const vdnn_graph *graph = build->graph;
    const vdnn_layer *first = vdnn_graph_part_layer(graph, layer, 0);
    int32_t shape = graph->layer_count + (int32_t)(first - graph->part_layers);
    vdnn_status status = VDNN_OK;
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++) {
        const vdnn_layer_profile *at = &build->rows.profile->layers[shape];
        for (int32_t i = 0; status == VDNN_OK && i < at->choice_count[pass]; i++) {
            vdnn_choice choice = at->choices[pass][i];
            if (join_parts(build, layer, (vdnn_pass)pass, &choice))
                status = vdnn_profile_add(build->rows.profile, layer, (vdnn_pass)pass, choice);
        }
        if (status == VDNN_OK && at->choice_count[pass] > 0 &&
            build->rows.profile->layers[layer].choice_count[pass] == 0)
            status = vdnn_status_fail(
                VDNN_DEVICE, "%s layer '%s': no algorithm on %s supports its %s in %d parts",
                first->def->type, first->name, build->rows.properties->kind,
                vdnn_pass_text((vdnn_pass)pass), (int)vdnn_graph_part_count(graph, layer));
    }
    return status;
}

/* A rate that is in the store stays: a file of an earlier format has some of them. */
static vdnn_status keep_rate(vdnn_profile_store *store, vdnn_profile_rate rate, double *value)
{
    double stored = vdnn_profile_store_rate(store, rate);
    if (stored <= 0)
        return vdnn_profile_store_set_rate(store, rate, *value);
    *value = stored;
    return VDNN_OK;
}

static vdnn_status add_rates(builder *build)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    if (build->rows.properties->simulated) {
        vdnn_rates predicted = vdnn_device_predict_rates(build->rows.device);
#define X(name) build->rows.profile->name = predicted.name;
        VDNN_PROFILE_RATE_TABLE(X)
#undef X
        build->rows.profile->reduce = predicted.reduce;
        return VDNN_OK;
    }
    bool known = true;
    for (int i = 0; i < VDNN_PROFILE_RATE_COUNT; i++) {
        rates[i] = vdnn_profile_store_rate(build->rows.store, (vdnn_profile_rate)i);
        known = known && rates[i] > 0;
    }
    vdnn_status status = known ? VDNN_OK : vdnn_layer_rows_begin(&build->rows);
    if (!known && status == VDNN_OK)
        status = (build->rows.looks ? vdnn_measure_some_rates
                                    : vdnn_measure_rates)(build->rows.measure, rates);
    for (int i = 0; status == VDNN_OK && !known && i < VDNN_PROFILE_RATE_COUNT; i++)
        status = keep_rate(build->rows.store, (vdnn_profile_rate)i, &rates[i]);
    if (status != VDNN_OK)
        return status;
#define X(name) build->rows.profile->name = rates[VDNN_PROFILE_RATE_##name];
    VDNN_PROFILE_RATE_TABLE(X)
#undef X
    return VDNN_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool tells_progress(const builder *build)
{
    return build->rows.observer != NULL && build->rows.observer->progress != NULL;
}

/* The algorithms of a layer's passes: short runs take equal times, few or many as they are. 0 if an
 * earlier layer has the rows, or nobody asks. */
static int64_t work_of(const builder *build, int32_t shape)
{
    const vdnn_layer *layer = layer_of(build, shape);
    int64_t passes = 0;
    if (!tells_progress(build) || *slot_of(build, layer) >= 0)
        return 0;
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        passes += vdnn_layer_has_pass(layer, (vdnn_pass)pass);
    return passes * vdnn_layer_rows_algorithms(build->rows.device, layer);
}

static void clear_slots(const builder *build)
{
    for (size_t i = 0; i < build->slot_count; i++)
        build->slots[i] = -1;
}

/* As if all were measured, so that equal layers count once. */
static void count_work(builder *build, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        build->work_to_come += work_of(build, i);
        int32_t *slot = slot_of(build, layer_of(build, i));
        *slot = *slot < 0 ? i : *slot;
    }
    clear_slots(build);
}

static void tell_progress(const builder *build, int32_t done, int32_t count)
{
    const vdnn_measure_observer *observer = build->rows.observer;
    if (build->rows.measure == NULL || !tells_progress(build))
        return;
    double spent = vdnn_measure_now() - build->begun, work = (double)build->measured_work;
    const vdnn_measure_progress so_far = {
        .done = done,
        .count = count,
        .layer = layer_of(build, done)->name,
        .seconds_left = work > 0 ? spent * (double)build->work_to_come / work : 0};
    observer->progress(observer->argument, &so_far);
}

/* A layer in parts is not run itself: its parts are. One of another stage has no passes here, so
 * that its rows are none for a layer of the same shape. */
static bool is_run(const builder *build, int32_t shape)
{
    return shape >= build->graph->layer_count ||
           (vdnn_graph_part_at(build->graph, shape, 0) == NULL &&
            !build->graph->layers[shape].is_elsewhere);
}

/* All shapes, in order. */
static vdnn_status add_shapes(builder *build, int32_t count)
{
    vdnn_status status = VDNN_OK;
    build->begun = vdnn_measure_now();
    if (tells_progress(build))
        count_work(build, count);
    for (int32_t i = 0; status == VDNN_OK && i < count; i++) {
        int64_t work = work_of(build, i);
        tell_progress(build, i, count);
        if (is_run(build, i))
            status = add_shape(build, i);
        build->measured_work += build->rows.measure == NULL ? 0 : work;
        build->work_to_come -= work;
    }
    return status;
}

/* ---- some of them ---------------------------------------------------------------------------- */

/* Of equal ones the first counts. */
static bool is_first_of_its_shape(const builder *build, int32_t i)
{
    return is_run(build, i) && *slot_of(build, layer_of(build, i)) < 0;
}

static double whole_seconds(const builder *build, int32_t count)
{
    double seconds = 0;
    for (int32_t i = 0; i < count; i++) {
        const vdnn_layer *layer = layer_of(build, i);
        if (!is_first_of_its_shape(build, i))
            continue;
        *slot_of(build, layer) = i;
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            if (vdnn_layer_has_pass(layer, (vdnn_pass)pass))
                seconds += vdnn_first_look_whole_seconds(&build->rows, layer, (vdnn_pass)pass);
    }
    clear_slots(build);
    return seconds;
}

static vdnn_status look_at_shapes(builder *build, int32_t count)
{
    vdnn_first_look own = {.of = &build->rows, .until = build->begun + build->look->seconds};
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < count; i++)
        if (is_first_of_its_shape(build, i)) {
            *slot_of(build, layer_of(build, i)) = i;
            status = vdnn_first_look_add(&own, layer_of(build, i), i);
        }
    VDNN_IF_OK(status, vdnn_first_look_take(&own));
    for (int32_t i = 0; status == VDNN_OK && i < count; i++) {
        const int32_t first = *slot_of(build, layer_of(build, i));
        if (first != i && is_run(build, i))
            status = vdnn_profile_repeat(build->rows.profile, i, build->rows.profile, first);
    }
    build->look->measured += own.measured;
    build->look->fresh += own.fresh;
    vdnn_first_look_fini(&own);
    return status;
}

/* Whether some are measured in place of all: on a device that is slow to measure. */
static bool looks(const builder *build, int32_t count)
{
    vdnn_look *look = build->look;
    if (look == NULL || build->rows.properties->simulated ||
        !build->rows.properties->shares_host_memory)
        return false;
    const double seconds = whole_seconds(build, count);
    if (seconds <= look->seconds)
        return false;
    look->whole_seconds += seconds;
    return true;
}

static vdnn_status measure_shape(void *argument, const vdnn_graph *graph, vdnn_profile **profile)
{
    builder build = *(const builder *)argument;
    build.graph = graph;
    build.rows.path = graph->path;
    build.rows.working_bytes = vdnn_measured_profile_working_bytes(graph);
    build.slot_count = 16;
    vdnn_first_error error = {VDNN_OK, ""};
    int32_t shapes = graph->layer_count + graph->part_layer_count;
    while (build.slot_count < 2 * (size_t)shapes)
        build.slot_count *= 2;
    vdnn_status status = vdnn_device_select(build.rows.device);
    VDNN_IF_OK(status, vdnn_profile_create_empty(shapes, &build.rows.profile));
    if (status != VDNN_OK)
        return status;
    build.rows.profile->has_link = build.rows.properties->has_link;
    build.rows.profile->spill_bytes_per_second = build.rows.properties->spill_bytes_per_second;
    build.rows.profile->fill_bytes_per_second = build.rows.properties->fill_bytes_per_second;
    build.slots = vdnn_heap_calloc(build.slot_count, sizeof *build.slots);
    if (build.slots == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "profile of %d layers: out of memory",
                                  graph->layer_count);
    if (status == VDNN_OK) {
        clear_slots(&build);
        build.begun = vdnn_measure_now();
        build.rows.looks = looks(&build, shapes);
        status = add_rates(&build);
    }
    VDNN_IF_OK(status,
               build.rows.looks ? look_at_shapes(&build, shapes) : add_shapes(&build, shapes));
    for (int32_t i = 0; status == VDNN_OK && i < graph->layer_count; i++)
        if (vdnn_graph_part_at(graph, i, 0) != NULL)
            status = add_parts(&build, i);
    vdnn_first_error_keep(&error, status);
    vdnn_measure_destroy(build.rows.measure);
    status = vdnn_first_error_tell(&error);
    vdnn_heap_free(build.slots);
    if (status == VDNN_OK) {
        vdnn_profile_shorten(build.rows.profile, graph->layer_count);
        *profile = build.rows.profile;
    } else
        vdnn_profile_destroy(build.rows.profile);
    return status;
}

static vdnn_layer_rows rows_of(vdnn_device *device, vdnn_profile_store *store)
{
    return (vdnn_layer_rows){
        .device = device, .properties = vdnn_device_describe(device), .store = store};
}

vdnn_status vdnn_measured_profile_create(const vdnn_graph *graph, vdnn_device *device,
                                         vdnn_profile_store *store,
                                         const vdnn_measure_observer *observer,
                                         vdnn_profile **profile)
{
    builder build = {.rows = rows_of(device, store)};
    build.rows.observer = observer;
    return vdnn_profile_create_of(graph, measure_shape, &build, profile);
}

vdnn_status vdnn_measured_profile_look(const vdnn_graph *graph, vdnn_device *device,
                                       vdnn_profile_store *store,
                                       const vdnn_measure_observer *observer, vdnn_look *look,
                                       vdnn_profile **profile)
{
    builder build = {.rows = rows_of(device, store), .look = look};
    build.rows.observer = observer;
    look->measured = look->fresh = 0;
    look->whole_seconds = 0;
    return vdnn_profile_create_of(graph, measure_shape, &build, profile);
}

/* Parts of two sizes may be alike and be of layers that are not. */
vdnn_status vdnn_measured_profile_predict(const vdnn_graph *graph, vdnn_device *device,
                                          vdnn_profile_store *store,
                                          const vdnn_measured_whole *whole, vdnn_profile **profile)
{
    builder build = {.rows = rows_of(device, store)};
    if (whole->graph->lesser == NULL) {
        build.whole = whole->graph;
        build.of_whole = whole->profile;
        build.known = whole->parts;
    }
    return vdnn_profile_create_of(graph, measure_shape, &build, profile);
}
