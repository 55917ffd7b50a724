#include "runtime/setup/part_times.h"

#include "runtime/base/heap.h"
#include "runtime/measure/measure.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/setup/setup.h"

#include <math.h>

struct vdnn_part_times {
    const vdnn_setup *setup;
    double *extra;  /* of each choice of the setup's profile: of one part, beyond its share */
    int64_t *first; /* by layer and pass: where those of its choices begin */
};

/* A pass of a layer that runs in parts, by one of its algorithms. */
typedef struct question {
    const vdnn_part_times *times;
    const vdnn_graph *graph; /* in those parts */
    int32_t layer;
    vdnn_pass pass;
    const vdnn_algorithm *algorithm;
} question;

/* ---- made, ended ----------------------------------------------------------------------------- */

static size_t place_of(int32_t layer, int pass)
{
    return (size_t)layer * VDNN_PASS_COUNT + (size_t)pass;
}

vdnn_status vdnn_part_times_create(const vdnn_setup *setup, vdnn_part_times **times)
{
    const int32_t layers = setup->graph->layer_count;
    vdnn_part_times *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    int64_t *first = vdnn_heap_calloc(place_of(layers, 0) + 1, sizeof *first), count = 0;
    for (int32_t l = 0; first != NULL && l < layers; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            first[place_of(l, p)] = count;
            count += setup->profile->layers[l].choice_count[p];
        }
    double *extra = vdnn_heap_calloc((size_t)count + 1, sizeof *extra);
    if (fresh == NULL || first == NULL || extra == NULL) {
        vdnn_heap_free(fresh);
        vdnn_heap_free(first);
        vdnn_heap_free(extra);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of parts of %d layers",
                                (int)layers);
    }
    *fresh = (vdnn_part_times){setup, extra, first};
    *times = fresh;
    return VDNN_OK;
}

void vdnn_part_times_destroy(vdnn_part_times *times)
{
    if (times != NULL) {
        vdnn_heap_free(times->extra);
        vdnn_heap_free(times->first);
    }
    vdnn_heap_free(times);
}

/* ---- one part -------------------------------------------------------------------------------- */

/* The setup's choice of that algorithm; -1: it has none. */
static int32_t whole_of(const question *q)
{
    return vdnn_profile_find(q->times->setup->profile, q->layer, q->pass, q->algorithm->name);
}

static vdnn_profile_row row_of(const question *q, const vdnn_layer *part)
{
    return (vdnn_profile_row){.signature = part->signature,
                              .algorithm = q->algorithm->name,
                              .pass = q->pass,
                              .batch = part->x[0].dims[VDNN_N],
                              .workspace_bytes = -1};
}

/* Seconds of a part that was measured; 0: it was not. */
static double stored_seconds(const question *q, int32_t part)
{
    vdnn_profile_row row = row_of(q, vdnn_graph_part_layer(q->graph, q->layer, part));
    const bool is_known = vdnn_profile_store_find(q->times->setup->store, &row);
    return is_known && !row.is_brief && !row.is_provisional ? row.seconds : 0;
}

static double share_seconds(const question *q, int32_t part, int32_t whole)
{
    const vdnn_profile *of_whole = q->times->setup->profile;
    return of_whole->layers[q->layer].choices[q->pass][whole].seconds *
           vdnn_graph_part_share(q->graph, q->layer, part);
}

static double *extra_of(const question *q, int32_t whole)
{
    return &q->times->extra[q->times->first[place_of(q->layer, (int)q->pass)] + whole];
}

/* ---- what the store has ---------------------------------------------------------------------- */

static void learn_choice(const question *q, int32_t whole)
{
    for (int32_t part = 0; part < vdnn_graph_part_count(q->graph, q->layer); part++) {
        const double seconds = stored_seconds(q, part);
        if (seconds > 0)
            *extra_of(q, whole) = fmax(seconds - share_seconds(q, part, whole), 0);
    }
}

/* Of layers in parts; others have nothing to learn. */
static void learn_graph(const vdnn_part_times *times, const vdnn_graph *graph)
{
    const vdnn_profile *of_whole = times->setup->profile;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; vdnn_graph_part_at(graph, l, 0) != NULL && p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < of_whole->layers[l].choice_count[p]; i++) {
                const vdnn_algorithm *algorithm = of_whole->layers[l].choices[p][i].algorithm;
                const question q = {times, graph, l, (vdnn_pass)p, algorithm};
                learn_choice(&q, i);
            }
}

static vdnn_status learn_count(const vdnn_part_times *times, int32_t count, int32_t *parts)
{
    const vdnn_setup *setup = times->setup;
    vdnn_graph *graph = NULL;
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    vdnn_graph_in_parts(setup->graph, count, parts);
    options.parts = parts;
    vdnn_status status = vdnn_graph_create(setup->model, &options, &graph);
    if (status == VDNN_OK)
        learn_graph(times, graph);
    vdnn_graph_destroy(graph);
    return status;
}

/* The smallest parts come last: they weigh the most, and others are as small or larger. */
vdnn_status vdnn_part_times_learn(vdnn_part_times *times)
{
    const vdnn_graph *graph = times->setup->graph;
    int32_t *parts = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *parts), most = 1;
    if (parts == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the parts of %d layers",
                                (int)graph->layer_count);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const int32_t own = vdnn_graph_most_parts(graph, l);
        most = own > most ? own : most;
    }
    vdnn_status status = VDNN_OK;
    for (int64_t count = 2; status == VDNN_OK && count <= most; count *= 2)
        status = learn_count(times, (int32_t)count, parts);
    vdnn_heap_free(parts);
    return status;
}

/* ---- a profile ------------------------------------------------------------------------------- */

static double seconds_of_parts(const question *q, int32_t whole)
{
    double sum = 0;
    for (int32_t part = 0; part < vdnn_graph_part_count(q->graph, q->layer); part++) {
        const double stored = stored_seconds(q, part);
        sum += stored > 0 ? stored : share_seconds(q, part, whole) + *extra_of(q, whole);
    }
    return sum;
}

void vdnn_part_times_apply(const vdnn_part_times *times, const vdnn_graph *graph,
                           vdnn_profile *scaled)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; vdnn_graph_part_at(graph, l, 0) != NULL && p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < scaled->layers[l].choice_count[p]; i++) {
                vdnn_choice *choice = &scaled->layers[l].choices[p][i];
                const question q = {times, graph, l, (vdnn_pass)p, choice->algorithm};
                const int32_t whole = whole_of(&q);
                if (whole >= 0)
                    choice->seconds = seconds_of_parts(&q, whole);
            }
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Algorithms that seem slower than the chosen one by more than this are not measured: if that one
 * turns out slower still, they are close to it when it is planned anew. */
static const double close_factor = 1.5;

/* While the parts of a plan are measured. */
typedef struct measuring {
    vdnn_measure *measure; /* NULL: nothing was missing so far */
    double late_seconds;   /* of the plan's passes so far, beyond its profile */
} measuring;

static vdnn_status begin(const question *q, measuring *own)
{
    const vdnn_setup *setup = q->times->setup;
    vdnn_status status = setup->observer.proceed(setup->observer.argument);
    if (status != VDNN_OK || own->measure != NULL)
        return status;
    status = vdnn_device_select(setup->device);
    return status == VDNN_OK
               ? vdnn_measure_create(setup->device,
                                     vdnn_measured_profile_working_bytes(setup->graph),
                                     &own->measure)
               : status;
}

/* Once more where the first time is not exact: a rival of it decides between two plans. */
static vdnn_status measure_part(const question *q, const vdnn_layer *part, measuring *own)
{
    static const vdnn_measure_limits none = {.worth_seconds = HUGE_VAL, .brief_seconds = HUGE_VAL};
    const vdnn_setup *setup = q->times->setup;
    vdnn_pass_time time;
    vdnn_status status = begin(q, own);
    VDNN_IF_OK(status, vdnn_measure_pass(own->measure, part, q->pass, q->algorithm, &none, &time));
    if (status == VDNN_OK && !time.is_exact)
        status = vdnn_measure_pass_again(own->measure, part, q->pass, q->algorithm, &time.seconds);
    if (vdnn_measure_fails_alone(status))
        return VDNN_OK;
    if (status != VDNN_OK)
        return status;
    vdnn_offer offer = {0};
    status = vdnn_device_ask(setup->device, q->algorithm, part, q->pass, &offer);
    vdnn_profile_row row = row_of(q, part);
    row.seconds = time.seconds;
    row.workspace_bytes = (int64_t)offer.workspace_bytes;
    row.updates = q->algorithm->updates;
    return status == VDNN_OK ? vdnn_profile_store_add(setup->store, &row) : status;
}

static vdnn_status measure_choice(const question *q, measuring *own)
{
    const vdnn_layer *before = NULL;
    vdnn_status status = VDNN_OK;
    for (int32_t part = 0; status == VDNN_OK && part < vdnn_graph_part_count(q->graph, q->layer);
         part++) {
        const vdnn_layer *layer = vdnn_graph_part_layer(q->graph, q->layer, part);
        if (layer != before && stored_seconds(q, part) <= 0)
            status = measure_part(q, layer, own);
        before = layer;
    }
    return status;
}

static vdnn_status measure_pass(const vdnn_part_times *times, const vdnn_plan *plan, int32_t layer,
                                vdnn_pass pass, const vdnn_layer_profile *by, measuring *own)
{
    const question chosen = {times, plan->graph, layer, pass, plan->algorithms[layer][pass]};
    double planned = 0;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < by->choice_count[pass]; i++)
        if (by->choices[pass][i].algorithm == chosen.algorithm)
            planned = by->choices[pass][i].seconds;
    for (int32_t i = 0; status == VDNN_OK && i < by->choice_count[pass]; i++) {
        const question q = {times, plan->graph, layer, pass, by->choices[pass][i].algorithm};
        if (by->choices[pass][i].seconds <= close_factor * planned && whole_of(&q) >= 0)
            status = measure_choice(&q, own);
    }
    if (status == VDNN_OK && planned > 0 && whole_of(&chosen) >= 0)
        own->late_seconds += seconds_of_parts(&chosen, whole_of(&chosen)) - planned;
    return status;
}

vdnn_status vdnn_part_times_measure(const vdnn_part_times *times, const vdnn_plan *plan,
                                    const vdnn_profile *profile, double *late_seconds)
{
    const vdnn_graph *graph = plan->graph;
    measuring own = {.measure = NULL};
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++)
        for (int p = 0; vdnn_graph_part_at(graph, l, 0) != NULL && p < VDNN_PASS_COUNT; p++)
            VDNN_IF_OK(status,
                       measure_pass(times, plan, l, (vdnn_pass)p, &profile->layers[l], &own));
    vdnn_first_error_keep(&error, status);
    vdnn_measure_destroy(own.measure);
    *late_seconds = own.late_seconds;
    return vdnn_first_error_tell(&error);
}
