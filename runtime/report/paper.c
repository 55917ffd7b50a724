#include "runtime/report/paper.h"

#include "policies/offload_rule.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <string.h>

enum { NONE = -1 };

/* Live and moved bytes at one point: first as differences from the point before. */
typedef struct point {
    int64_t maps, gradients; /* bytes */
    int64_t gradient_count;
    int64_t out, in; /* bytes copied beside the layer */
} point;

/* A buffer of maps: one map with all maps that share its memory. */
typedef struct home {
    int64_t bytes;
    int32_t first;      /* layer that writes it first; NONE: the input */
    int32_t last;       /* last in forward that uses it */
    int32_t first_need; /* in backward; NONE: not stashed */
    int32_t last_need;
    bool counts;       /* a feature-extraction layer's, or the input */
    bool has_gradient; /* the gradient of a map that counts does */
} home;

typedef struct ledger {
    const vdnn_plan *plan;
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    bool *is_classifier;          /* per layer: it is one, or reads the output of one */
    int32_t *home_of;             /* per map: the map whose buffer it shares */
    home *homes;                  /* per map, of those with a buffer */
    vdnn_action *actions;         /* per map, of the plan */
    vdnn_map_decision *decisions; /* per map, of those with a buffer */
    point *points; /* forward of each layer, then backward of the last to the first */
} ledger;

static bool ledger_init(ledger *books, const vdnn_plan *plan, const vdnn_profile *profile)
{
    const vdnn_graph *graph = plan->graph;
    size_t layers = (size_t)graph->layer_count, maps = (size_t)graph->map_count;
    *books = (ledger){.plan = plan, .graph = graph, .profile = profile};
    books->is_classifier = vdnn_heap_calloc(layers, sizeof *books->is_classifier);
    books->home_of = vdnn_heap_calloc(maps, sizeof *books->home_of);
    books->homes = vdnn_heap_calloc(maps, sizeof *books->homes);
    books->decisions = vdnn_heap_calloc(maps, sizeof *books->decisions);
    books->points = vdnn_heap_calloc(2 * layers + 1, sizeof *books->points);
    return books->is_classifier != NULL && books->home_of != NULL && books->homes != NULL &&
           books->decisions != NULL && books->points != NULL;
}

static void ledger_fini(ledger *books)
{
    vdnn_heap_free(books->is_classifier);
    vdnn_heap_free(books->home_of);
    vdnn_heap_free(books->homes);
    vdnn_heap_free(books->actions);
    vdnn_heap_free(books->decisions);
    vdnn_heap_free(books->points);
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* Layers that are not separate in the paper's networks. */
static bool is_type(const vdnn_layer *layer, const char *type)
{
    return strcmp(layer->def->type, type) == 0;
}

static bool is_counted(const ledger *books, int32_t l)
{
    const vdnn_layer *layer = &books->graph->layers[l];
    return !books->is_classifier[l] && !is_type(layer, "concat") && !is_type(layer, "dropout") &&
           !layer->def->internal;
}

static void find_classifiers(ledger *books)
{
    const vdnn_graph *graph = books->graph;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        bool any = layer->def->role == VDNN_ROLE_CLASSIFIER;
        for (int32_t i = 0; i < layer->input_count && !any; i++) {
            int32_t producer = graph->tensors[layer->inputs[i]].producer;
            any = producer != NONE && books->is_classifier[producer];
        }
        books->is_classifier[l] = any;
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

static int32_t map_of(const ledger *books, int32_t tensor)
{
    return books->graph->tensors[tensor].map;
}

/* Branches write into the buffer of the first concat that reads them, a dropout over its input.
 * Readers come later, so buffers are assigned from the last layer on. */
static void find_homes(ledger *books)
{
    const vdnn_graph *graph = books->graph;
    for (int32_t m = 0; m < graph->map_count; m++)
        books->home_of[m] = m;
    for (int32_t l = graph->layer_count - 1; l >= 0; l--) {
        const vdnn_layer *layer = &graph->layers[l];
        if (!is_type(layer, "concat") && !is_type(layer, "dropout"))
            continue;
        for (int32_t i = 0; i < layer->input_count; i++)
            books->home_of[map_of(books, layer->inputs[i])] =
                books->home_of[map_of(books, layer->output)];
    }
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void fill_homes(ledger *books)
{
    const vdnn_graph *graph = books->graph;
    for (int32_t m = 0; m < graph->map_count; m++)
        books->homes[m] = (home){.bytes = (int64_t)graph->maps[m].bytes,
                                 .first = graph->layer_count,
                                 NONE,
                                 NONE,
                                 .last_need = graph->layer_count};
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        home *at = &books->homes[books->home_of[m]];
        if (map->kind != VDNN_MAP_INPUT && map->kind != VDNN_MAP_FEATURE)
            continue;
        at->first = lesser(at->first, map->first_writer);
        at->last = greater(at->last, map->last_forward);
        at->counts = map->first_writer == NONE || !books->is_classifier[map->first_writer];
        if (map->needed_count == 0)
            continue;
        at->first_need = greater(at->first_need, map->needed_by[0]);
        at->last_need = lesser(at->last_need, map->needed_by[map->needed_count - 1]);
    }
    for (int32_t t = 0; t < graph->tensor_count; t++)
        if (graph->tensors[t].has_gradient)
            books->homes[books->home_of[map_of(books, t)]].has_gradient = true;
}

/* The plan's offloaded maps, with the paper's times. */
static vdnn_status schedule(ledger *books)
{
    for (int32_t m = 0; m < books->graph->map_count; m++) {
        bool own = books->home_of[m] == m && books->homes[m].counts;
        vdnn_action action = books->actions[m];
        books->decisions[m] = (vdnn_map_decision){.action = own ? action : VDNN_KEEP,
                                                  .returns = books->homes[m].first_need};
    }
    return vdnn_offload_rule_schedule_returns(books->graph, books->decisions);
}

/* ---- points ---------------------------------------------------------------------------------- */

static int32_t backward_point(const ledger *books, int32_t layer)
{
    return 2 * books->graph->layer_count - 1 - layer;
}

static void live(ledger *books, int32_t from, int32_t to, int64_t bytes)
{
    books->points[greater(from, 0)].maps += bytes;
    books->points[to + 1].maps -= bytes;
}

static void post_map(ledger *books, int32_t m)
{
    const home *at = &books->homes[m];
    vdnn_action away = books->decisions[m].action;
    if (at->first_need == NONE) {
        live(books, at->first, at->last, at->bytes);
        return;
    }
    int32_t end = backward_point(books, at->last_need);
    if (away != VDNN_OFFLOAD && away != VDNN_RECOMPUTE) {
        live(books, at->first, end, at->bytes);
        return;
    }
    int32_t back = backward_point(books, books->decisions[m].returns);
    live(books, at->first, at->last, at->bytes);
    live(books, back, end, at->bytes);
    if (away == VDNN_OFFLOAD) {
        books->points[at->last].out += at->bytes;
        books->points[back].in += at->bytes;
    }
}

/* From the backward of its last reader to that of its first writer. */
static void post_gradient(ledger *books, const home *at)
{
    point *from = &books->points[backward_point(books, at->last)];
    point *behind = &books->points[backward_point(books, greater(at->first, 0)) + 1];
    from->gradient_count++;
    behind->gradient_count--;
    if (!at->counts)
        return;
    from->gradients += at->bytes;
    behind->gradients -= at->bytes;
}

static void post(ledger *books)
{
    const vdnn_graph *graph = books->graph;
    for (int32_t m = 0; m < graph->map_count; m++) {
        const home *at = &books->homes[m];
        if (books->home_of[m] != m || at->last == NONE)
            continue;
        if (at->counts)
            post_map(books, m);
        if (at->has_gradient)
            post_gradient(books, at);
    }
    for (int32_t p = 1; p < 2 * graph->layer_count; p++) {
        point *here = &books->points[p], *before = here - 1;
        here->maps += before->maps;
        here->gradients += before->gradients;
        here->gradient_count += before->gradient_count;
    }
}

/* ---- executions ------------------------------------------------------------------------------ */

typedef struct execution {
    size_t workspace_bytes;
    double seconds, fastest_seconds;
} execution;

static void add_pass(const ledger *books, int32_t layer, vdnn_pass pass, execution *run)
{
    const vdnn_layer_profile *profile = &books->profile->layers[layer];
    if (!vdnn_layer_has_pass(&books->graph->layers[layer], pass))
        return;
    int32_t chosen =
        vdnn_profile_find(books->profile, layer, pass, books->plan->algorithms[layer][pass]->name);
    int32_t fastest = vdnn_profile_fastest(books->profile, layer, pass);
    const vdnn_choice *choice = &profile->choices[pass][greater(chosen, 0)];
    if (choice->workspace_bytes > run->workspace_bytes)
        run->workspace_bytes = choice->workspace_bytes;
    run->seconds += books->profile->launch_seconds + choice->seconds;
    run->fastest_seconds +=
        books->profile->launch_seconds + profile->choices[pass][fastest].seconds;
}

/* In the paper's figure 6 the backward of the first convolution takes as long as if it computed a
 * gradient of the images, though none is stored: as long as that of the weights. */
static bool makes_unread_gradient(const ledger *books, int32_t layer)
{
    const vdnn_layer *at = &books->graph->layers[layer];
    return at->def->role == VDNN_ROLE_CONV && !vdnn_layer_has_pass(at, VDNN_BACKWARD_DATA);
}

/* The forward of a layer, or all its backward, whose workspace is the larger one of its passes. */
static execution execution_at(const ledger *books, int32_t p)
{
    bool forward = p < books->graph->layer_count;
    int32_t layer = forward ? p : backward_point(books, p);
    execution run = {0};
    if (forward) {
        add_pass(books, layer, VDNN_FORWARD, &run);
        return run;
    }
    vdnn_pass other =
        makes_unread_gradient(books, layer) ? VDNN_BACKWARD_FILTER : VDNN_BACKWARD_DATA;
    add_pass(books, layer, other, &run);
    add_pass(books, layer, VDNN_BACKWARD_FILTER, &run);
    return run;
}

static double copy_seconds(const ledger *books, const point *here)
{
    double rate_out = books->profile->copy_out_bytes_per_second;
    double rate_in = books->profile->copy_in_bytes_per_second;
    double out = here->out > 0 ? (double)here->out / rate_out : 0;
    double in = here->in > 0 ? (double)here->in / rate_in : 0;
    return fmax(out, in);
}

static size_t weight_bytes(const ledger *books, bool network_wide)
{
    size_t sum = 0;
    for (int32_t l = 0; l < books->graph->layer_count; l++)
        if (books->graph->layers[l].owner == l && (network_wide || !books->is_classifier[l]))
            sum += books->graph->layers[l].param_bytes;
    return sum;
}

static size_t sum_of(const size_t categories[VDNN_CATEGORY_COUNT])
{
    size_t sum = 0;
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        sum += categories[c];
    return sum;
}

static void note(const size_t categories[VDNN_CATEGORY_COUNT], const char *layer,
                 vdnn_footprint *footprint)
{
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        if (categories[c] > footprint->by_category[c])
            footprint->by_category[c] = categories[c];
    if (sum_of(categories) <= footprint->device_peak_bytes)
        return;
    footprint->device_peak_bytes = sum_of(categories);
    footprint->peak_layer = layer;
    memcpy(footprint->by_category_at_peak, categories, sizeof footprint->by_category_at_peak);
}

static void count_executions(const ledger *books, vdnn_footprint *footprint)
{
    int32_t layers = books->graph->layer_count, count = 0;
    size_t weights = weight_bytes(books, false);
    double sum = 0;
    for (int32_t p = 0; p < 2 * layers; p++) {
        int32_t layer = p < layers ? p : backward_point(books, p);
        execution run = execution_at(books, p);
        const point *here = &books->points[p];
        if (!is_counted(books, layer) || !(run.seconds > 0))
            continue;
        const size_t categories[VDNN_CATEGORY_COUNT] = {
            [VDNN_CATEGORY_weights] = weights,
            [VDNN_CATEGORY_feature_maps] = (size_t)here->maps,
            [VDNN_CATEGORY_gradient_maps] = (size_t)here->gradients,
            [VDNN_CATEGORY_workspace] = run.workspace_bytes};
        note(categories, books->graph->layers[layer].name, footprint);
        footprint->step_seconds += fmax(run.seconds, copy_seconds(books, here));
        footprint->oracle_step_seconds += run.fastest_seconds;
        sum += (double)sum_of(categories);
        count++;
    }
    footprint->step_seconds += books->plan->recompute_seconds;
    footprint->device_average_bytes = count > 0 ? sum / count : 0;
}

/* ---- the network-wide allocation ------------------------------------------------------------- */

/* Every map except a dropout's; a concat's copy is an additional one. */
static void add_maps(const ledger *books, size_t *all_bytes, size_t *largest_bytes)
{
    const vdnn_graph *graph = books->graph;
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        bool is_input = map->kind == VDNN_MAP_INPUT;
        if (!is_input && map->kind != VDNN_MAP_FEATURE)
            continue;
        if (!is_input && is_type(&graph->layers[map->first_writer], "dropout"))
            continue;
        *all_bytes += map->bytes;
        if (!is_input && map->bytes > *largest_bytes)
            *largest_bytes = map->bytes;
    }
}

static void count_everything(const ledger *books, vdnn_footprint *footprint)
{
    size_t maps = 0, largest = 0, workspace = 0;
    int64_t gradients = 0;
    add_maps(books, &maps, &largest);
    for (int32_t p = 0; p < 2 * books->graph->layer_count; p++) {
        execution run = execution_at(books, p);
        if (run.workspace_bytes > workspace)
            workspace = run.workspace_bytes;
        if (books->points[p].gradient_count > gradients)
            gradients = books->points[p].gradient_count;
    }
    const size_t categories[VDNN_CATEGORY_COUNT] = {
        [VDNN_CATEGORY_weights] = weight_bytes(books, true),
        [VDNN_CATEGORY_feature_maps] = maps,
        [VDNN_CATEGORY_gradient_maps] = (size_t)gradients * largest,
        [VDNN_CATEGORY_workspace] = workspace};
    footprint->device_peak_bytes = 0;
    note(categories, NULL, footprint);
    memcpy(footprint->by_category, categories, sizeof footprint->by_category);
    footprint->device_average_bytes = (double)footprint->device_peak_bytes;
}

static void count_copies(const ledger *books, vdnn_footprint *footprint)
{
    for (int32_t p = 0; p < 2 * books->graph->layer_count; p++) {
        footprint->offload_bytes += (size_t)books->points[p].out;
        footprint->prefetch_bytes += (size_t)books->points[p].in;
    }
    footprint->host_peak_bytes = footprint->offload_bytes;
}

vdnn_status vdnn_paper_count(const vdnn_plan *plan, const vdnn_profile *profile,
                             vdnn_footprint *footprint)
{
    ledger books;
    vdnn_footprint counted = {0};
    vdnn_status status = VDNN_OK;
    if (!ledger_init(&books, plan, profile))
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to count what a plan holds");
    VDNN_IF_OK(status, vdnn_plan_find_actions(plan, &books.actions));
    if (status == VDNN_OK) {
        find_classifiers(&books);
        find_homes(&books);
        fill_homes(&books);
        status = schedule(&books);
    }
    if (status == VDNN_OK) {
        post(&books);
        count_executions(&books, &counted);
        if (plan->release == VDNN_RELEASE_END_OF_STEP)
            count_everything(&books, &counted);
        count_copies(&books, &counted);
        *footprint = counted;
    }
    ledger_fini(&books);
    return status;
}
