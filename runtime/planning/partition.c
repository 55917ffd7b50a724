#include "runtime/planning/partition.h"

#include "runtime/base/heap.h"

#include <math.h>
#include <stdbool.h>

/* The layers before a place, in sum. */
typedef struct totals {
    double compute_seconds, parameter_bytes, resident_bytes, stash_bytes;
} totals;

/* The best partition of the layers from one on, over some devices. */
typedef struct suffix {
    double seconds;   /* of its slowest stage; INFINITY: none is allowed */
    int32_t end;      /* of its first stage: the layer after its last one */
    int32_t replicas; /* of its first stage */
} suffix;

/*     suffixes of 1 stage:      layers 0 ... layer_count - 1  x  devices 0 ... devices
 *     suffixes of 2 stages:     the same, each the best of first stages before a suffix of 1 stage
 *
 * Where the number of stages is free there is one such table, whose suffixes have any number. */
typedef struct search {
    const vdnn_partition_request *ask; /* borrowed */
    totals *before;                    /* owned; of each layer, and of all */
    suffix *suffixes;                  /* owned */
} search;

static suffix *suffix_of(const search *own, int32_t stages, int32_t layer, int32_t devices)
{
    const size_t plane = own->ask->stages > 0 ? (size_t)stages - 1 : 0;
    const size_t row = plane * (size_t)own->ask->layer_count + (size_t)layer;
    return &own->suffixes[row * ((size_t)own->ask->devices + 1) + (size_t)devices];
}

/* ---- a stage --------------------------------------------------------------------------------- */

static double in_flight(const vdnn_partition_request *ask, int32_t devices_on, int32_t replicas)
{
    const bool fills = ask->schedule == VDNN_SCHEDULE_GPIPE;
    double most = fills ? 1 : (double)INFINITY;
    if (ask->micro_batches > 0)
        most = ceil((double)ask->micro_batches / replicas);
    if (fills)
        return most;
    const int32_t from = ask->schedule == VDNN_SCHEDULE_1F1B ? devices_on : ask->devices;
    return fmin(most, ceil((double)from / replicas));
}

/* Seconds of the stage without its cuts: no stage that has these layers and more is faster. */
static double least_seconds(const search *own, int32_t first, int32_t end, int32_t replicas)
{
    const vdnn_partition_request *ask = own->ask;
    const totals *from = &own->before[first], *to = &own->before[end];
    const double r = replicas, sums_per = ask->micro_batches > 0 ? ask->micro_batches : r;
    return (to->compute_seconds - from->compute_seconds) / r +
           (to->parameter_bytes - from->parameter_bytes) * ask->sum_factor * (r - 1) / r /
               ask->bandwidth / sums_per;
}

static double cut_seconds(const vdnn_partition_request *ask, int32_t end, int32_t replicas)
{
    if (end == 0 || end == ask->layer_count)
        return 0;
    const double bytes = ask->layers[end - 1].cut_bytes;
    return isinf(bytes) ? (double)INFINITY : ask->cut_factor * bytes / (ask->bandwidth * replicas);
}

static double memory_of(const search *own, int32_t first, int32_t end, int32_t replicas,
                        int32_t devices_on)
{
    const totals *from = &own->before[first], *to = &own->before[end];
    return to->resident_bytes - from->resident_bytes +
           (to->stash_bytes - from->stash_bytes) * in_flight(own->ask, devices_on, replicas);
}

static double price(const search *own, int32_t first, int32_t end, int32_t replicas)
{
    return fmax(least_seconds(own, first, end, replicas),
                fmax(cut_seconds(own->ask, first, replicas), cut_seconds(own->ask, end, replicas)));
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Tries all first stages with these replicas before the suffixes of one stage less. */
static void try_replicas(const search *own, int32_t stages, int32_t first, int32_t devices,
                         int32_t replicas, suffix *best)
{
    const vdnn_partition_request *ask = own->ask;
    const bool may_end = stages <= 1 && devices == replicas; /* with the last layer */
    const bool may_cut = stages != 1 && devices > replicas;
    for (int32_t end = first + 1; end <= ask->layer_count; end++) {
        const bool is_last = end == ask->layer_count;
        if (least_seconds(own, first, end, replicas) >= best->seconds ||
            (ask->memory_bytes > 0 &&
             memory_of(own, first, end, replicas, devices) > ask->memory_bytes))
            return;
        if (is_last ? !may_end : !may_cut)
            continue;
        double seconds = price(own, first, end, replicas);
        if (!is_last)
            seconds = fmax(seconds, suffix_of(own, stages - 1, end, devices - replicas)->seconds);
        if (seconds < best->seconds)
            *best = (suffix){seconds, end, replicas};
    }
}

static void fill_suffixes(const search *own, int32_t stages)
{
    const int32_t fixed = own->ask->replicas;
    for (int32_t first = own->ask->layer_count - 1; first >= 0; first--)
        for (int32_t devices = 0; devices <= own->ask->devices; devices++) {
            suffix *best = suffix_of(own, stages, first, devices);
            *best = (suffix){.seconds = (double)INFINITY};
            for (int32_t r = devices; r >= 1; r--)
                if (fixed == 0 || r == fixed)
                    try_replicas(own, stages, first, devices, r, best);
        }
}

static vdnn_status begin(search *own)
{
    const vdnn_partition_request *ask = own->ask;
    const size_t layers = (size_t)ask->layer_count,
                 planes = ask->stages > 0 ? (size_t)ask->stages : 1;
    own->before = vdnn_heap_calloc(layers + 1, sizeof *own->before);
    own->suffixes =
        vdnn_heap_calloc(planes * layers * ((size_t)ask->devices + 1), sizeof *own->suffixes);
    if (own->before == NULL || own->suffixes == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut %d layers into stages",
                                (int)ask->layer_count);
    for (size_t l = 0; l < layers; l++) {
        const vdnn_partition_layer *layer = &ask->layers[l];
        const totals *before = &own->before[l];
        own->before[l + 1] =
            (totals){before->compute_seconds + layer->forward_seconds + layer->backward_seconds,
                     before->parameter_bytes + layer->parameter_bytes,
                     before->resident_bytes + layer->resident_bytes,
                     before->stash_bytes + layer->stash_bytes};
    }
    return VDNN_OK;
}

/* ---- the partition --------------------------------------------------------------------------- */

static vdnn_status check(const vdnn_partition_request *ask)
{
    int32_t places = 0;
    for (int32_t l = 0; l + 1 < ask->layer_count; l++)
        places += isinf(ask->layers[l].cut_bytes) ? 0 : 1;
    if (ask->stages > places + 1)
        return vdnn_status_fail(VDNN_USAGE,
                                "%d stages are too many: the network can be cut at %d place%s",
                                (int)ask->stages, (int)places, places == 1 ? "" : "s");
    if (ask->stages > ask->devices)
        return vdnn_status_fail(VDNN_USAGE, "%d stages require %d devices, not %d",
                                (int)ask->stages, (int)ask->stages, (int)ask->devices);
    if (ask->replicas > 0 && (ask->devices % ask->replicas != 0 ||
                              (ask->stages > 0 && ask->stages * ask->replicas != ask->devices)))
        return vdnn_status_fail(VDNN_USAGE, "stages of %d replicas each do not make %d devices",
                                (int)ask->replicas, (int)ask->devices);
    return VDNN_OK;
}

static vdnn_status read_stages(const search *own, vdnn_partition *partition)
{
    const vdnn_partition_request *ask = own->ask;
    int32_t devices = ask->devices, stages = ask->stages;
    partition->seconds = suffix_of(own, stages, 0, devices)->seconds;
    if (isinf(partition->seconds))
        return vdnn_status_fail(VDNN_NO_FIT,
                                "no partition of %d layers into stages over %d "
                                "devices fits %.0f bytes of memory each",
                                (int)ask->layer_count, (int)ask->devices, ask->memory_bytes);
    partition->stages = vdnn_heap_calloc((size_t)ask->devices, sizeof *partition->stages);
    if (partition->stages == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d stages", (int)ask->devices);
    for (int32_t first = 0; first < ask->layer_count; stages--) {
        const suffix *best = suffix_of(own, stages, first, devices);
        partition->stages[partition->stage_count++] = (vdnn_partition_stage){
            .first = first,
            .last = best->end - 1,
            .replicas = best->replicas,
            .seconds = price(own, first, best->end, best->replicas),
            .memory_bytes = memory_of(own, first, best->end, best->replicas, devices)};
        first = best->end;
        devices -= best->replicas;
    }
    return VDNN_OK;
}

vdnn_status vdnn_partition_find(const vdnn_partition_request *request, vdnn_partition *partition)
{
    search own = {.ask = request};
    vdnn_partition_fini(partition);
    vdnn_status status = check(request);
    VDNN_IF_OK(status, begin(&own));
    for (int32_t stages = request->stages > 0 ? 1 : 0;
         status == VDNN_OK && stages <= request->stages; stages++)
        fill_suffixes(&own, stages);
    VDNN_IF_OK(status, read_stages(&own, partition));
    vdnn_heap_free(own.before);
    vdnn_heap_free(own.suffixes);
    return status;
}

void vdnn_partition_fini(vdnn_partition *partition)
{
    vdnn_heap_free(partition->stages);
    *partition = (vdnn_partition){0};
}
