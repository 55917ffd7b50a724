#include "runtime/setup/devices/stages.h"

#include "runtime/base/heap.h"

#include <math.h>
#include <stdio.h>

/* ---- what layers take ------------------------------------------------------------------------ */

static double fastest_seconds(const vdnn_profile *profile, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *own = &profile->layers[layer];
    if (own->choice_count[pass] == 0)
        return 0;
    return profile->launch_seconds +
           own->choices[pass][vdnn_profile_fastest(profile, layer, pass)].seconds;
}

/* Of the maps that it writes first, those that backward needs. */
static double stash_bytes(const vdnn_graph *graph, int32_t layer)
{
    size_t bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        if (graph->maps[m].first_writer == layer && graph->maps[m].needed_count > 0)
            bytes += graph->maps[m].bytes;
    return (double)bytes;
}

/* Of a cut behind a layer, for a micro-batch; weights that are lent cross it once in a step. */
static double cut_bytes(const vdnn_graph *graph, int32_t layer)
{
    if (layer + 1 == graph->layer_count)
        return 0;
    if (!vdnn_stage_may_cut(graph, layer + 1))
        return (double)INFINITY;
    return (double)vdnn_stage_crossing_bytes(graph, layer + 1) +
           (double)vdnn_stage_lent_bytes(graph, layer + 1) / (double)graph->micro_batches;
}

/* A block is counted where its owner is. */
static double resident_bytes(const vdnn_graph *graph, const vdnn_layer *layer)
{
    return layer->owner == layer->index ? (double)(layer->param_bytes + layer->trainable_bytes +
                                                   vdnn_graph_state_bytes(graph, layer->index))
                                        : 0;
}

static vdnn_partition_layer measure_layer(const vdnn_graph *graph, const vdnn_profile *profile,
                                          int32_t l)
{
    const vdnn_layer *layer = &graph->layers[l];
    return (vdnn_partition_layer){
        .forward_seconds = fastest_seconds(profile, l, VDNN_FORWARD),
        .backward_seconds = fastest_seconds(profile, l, VDNN_BACKWARD_DATA) +
                            fastest_seconds(profile, l, VDNN_BACKWARD_FILTER),
        .cut_bytes = cut_bytes(graph, l),
        .parameter_bytes = layer->owner == l ? (double)layer->trainable_bytes : 0,
        .resident_bytes = resident_bytes(graph, layer),
        .stash_bytes = stash_bytes(graph, l)};
}

/* Of stages in one memory a transfer is a copy. */
static double bandwidth_of(const vdnn_profile *profile)
{
    const vdnn_rates rates = vdnn_profile_rates(profile);
    return rates.reduce.way_count > 0 ? rates.reduce.ways[0].bytes_per_second
                                      : rates.elementwise_bytes_per_second / 2;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static int32_t count_places(const vdnn_graph *graph)
{
    int32_t count = 0;
    for (int32_t l = 1; l < graph->layer_count; l++)
        count += vdnn_stage_may_cut(graph, l);
    return count;
}

static vdnn_status check_places(const vdnn_graph *graph, int32_t stages)
{
    const int32_t places = count_places(graph);
    bool is_ahead = false;
    for (int32_t l = 0; l < graph->layer_count; l++)
        is_ahead = is_ahead || graph->layers[l].owner > l;
    return stages - 1 <= places
               ? VDNN_OK
               : vdnn_status_fail(VDNN_USAGE,
                                  "--stages %d: %s can be cut at %d place%s, into %d stages at "
                                  "most%s",
                                  (int)stages, graph->name, (int)places, places == 1 ? "" : "s",
                                  (int)places + 1,
                                  is_ahead ? ": a layer that reads the weight of a later one "
                                             "(weight_of) is in its stage"
                                           : "");
}

vdnn_status vdnn_stages_measure(const vdnn_setup *setup, int32_t stages,
                                vdnn_partition_layer **layers)
{
    const vdnn_graph *graph = setup->graph;
    VDNN_TRY(check_places(graph, stages));
    *layers = vdnn_heap_calloc((size_t)graph->layer_count, sizeof **layers);
    if (*layers == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut a network");
    for (int32_t l = 0; l < graph->layer_count; l++)
        (*layers)[l] = measure_layer(graph, setup->profile, l);
    return VDNN_OK;
}

static vdnn_status find_cuts(const vdnn_setup *setup, int32_t stages, int32_t *ends)
{
    const vdnn_graph *graph = setup->graph;
    vdnn_partition found = {0};
    vdnn_partition_layer *layers;
    VDNN_TRY(vdnn_stages_measure(setup, stages, &layers));
    const vdnn_partition_request request = {.layers = layers,
                                            .layer_count = graph->layer_count,
                                            .devices = stages,
                                            .bandwidth = bandwidth_of(setup->profile),
                                            .cut_factor = 2,
                                            .sum_factor = 2,
                                            .micro_batches = graph->micro_batches,
                                            .stages = stages,
                                            .replicas = 1};
    vdnn_status status = vdnn_partition_find(&request, &found);
    for (int32_t s = 0; status == VDNN_OK && s < stages; s++)
        ends[s] = found.stages[s].last + 1;
    vdnn_partition_fini(&found);
    vdnn_heap_free(layers);
    return status;
}

/* ---- a stage --------------------------------------------------------------------------------- */

static vdnn_status make_stage(const vdnn_setup *setup, const vdnn_graph *whole,
                              const vdnn_stage *like, int32_t number, vdnn_graph **graph)
{
    vdnn_graph_options options = vdnn_graph_asked(whole);
    options.stage = *like;
    options.stage.number = number;
    options.stage.first = number == 0 ? 0 : setup->stage_ends[number - 1];
    options.stage.end = setup->stage_ends[number];
    options.stage.whole = whole;
    return vdnn_graph_create(setup->model, &options, graph);
}

/* Of the passes that the stage has, with the times and rates of the whole network. */
static vdnn_status make_profile(const vdnn_profile *whole, const vdnn_graph *graph,
                                vdnn_profile **profile)
{
    vdnn_profile *fresh = NULL;
    VDNN_TRY(vdnn_profile_create_empty(whole->layer_count, &fresh));
    vdnn_layer_profile *layers = fresh->layers;
    vdnn_status status = VDNN_OK;
    *fresh = *whole;
    fresh->layers = layers;
    fresh->omissions = NULL;
    fresh->omission_count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; vdnn_layer_has_pass(&graph->layers[l], (vdnn_pass)p) &&
                                i < whole->layers[l].choice_count[p] && status == VDNN_OK;
                 i++)
                status = vdnn_profile_add(fresh, l, (vdnn_pass)p, whole->layers[l].choices[p][i]);
    if (status == VDNN_OK)
        *profile = fresh;
    else
        vdnn_profile_destroy(fresh);
    return status;
}

static void write_sends(const vdnn_graph *whole, int32_t layer, char *text, size_t size)
{
    char maps[32], weights[32];
    const size_t lent = vdnn_stage_lent_bytes(whole, layer);
    const double crossing = (double)vdnn_stage_crossing_bytes(whole, layer);
    const int used = snprintf(text, size, "; it sends %s of each micro-batch",
                              vdnn_text_bytes(maps, sizeof maps, crossing));
    if (lent > 0)
        (void)snprintf(text + used, size - (size_t)used, " and %s of weights in each step",
                       vdnn_text_bytes(weights, sizeof weights, (double)lent));
}

/* Which layers each has. */
static void tell(const vdnn_setup *setup, const vdnn_graph *whole, int32_t stages)
{
    for (int32_t s = 0; s < stages; s++) {
        const int32_t first = s == 0 ? 0 : setup->stage_ends[s - 1],
                      last = setup->stage_ends[s] - 1;
        char sends[128] = "";
        if (s + 1 < stages)
            write_sends(whole, last + 1, sends, sizeof sends);
        vdnn_messages_log(&setup->messages, VDNN_LOG_INFO, "stage %d: %s to %s, %d layer%s%s",
                          (int)s, whole->layers[first].name, whole->layers[last].name,
                          (int)(last - first + 1), last == first ? "" : "s", sends);
    }
}

vdnn_status vdnn_stages_cut(const vdnn_run_options *options, int32_t number, vdnn_setup *setup)
{
    const int32_t stages = options->stages;
    vdnn_graph *graph = NULL;
    setup->stage_ends = vdnn_heap_calloc((size_t)stages, sizeof *setup->stage_ends);
    if (setup->stage_ends == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d stages", (int)stages);
    const vdnn_stage like = {.count = stages, .schedule = options->schedule};
    vdnn_profile *profile = NULL;
    vdnn_status status = find_cuts(setup, stages, setup->stage_ends);
    VDNN_IF_OK(status, make_stage(setup, setup->graph, &like, number, &graph));
    VDNN_IF_OK(status, make_profile(setup->profile, graph, &profile));
    if (status != VDNN_OK) {
        vdnn_graph_destroy(graph);
        return status;
    }
    setup->whole = setup->graph;
    setup->whole_profile = setup->profile;
    setup->graph = graph;
    setup->profile = profile;
    tell(setup, setup->whole, stages);
    return VDNN_OK;
}

vdnn_status vdnn_stages_other(const vdnn_setup *setup, int32_t number, vdnn_setup *other)
{
    vdnn_setup fresh = *setup;
    fresh.graph = NULL;
    fresh.profile = NULL;
    vdnn_status status =
        make_stage(setup, setup->whole, &setup->graph->stage, number, &fresh.graph);
    VDNN_IF_OK(status, make_profile(setup->whole_profile, fresh.graph, &fresh.profile));
    if (status == VDNN_OK)
        *other = fresh;
    else
        vdnn_setup_lesser_end(&fresh);
    return status;
}
