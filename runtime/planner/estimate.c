#include "runtime/planner/estimate.h"

#include "runtime/planner/clock/link.h"
#include "runtime/planner/clock/timing.h"

/* Floats that a sum reads and writes for each float of its result. */
enum { ACCUMULATE_TRAFFIC = 3 };

static vdnn_choice choice_of(const vdnn_profile *profile, const vdnn_graph *graph,
                             const vdnn_step *step)
{
    const vdnn_layer_profile *layer = &profile->layers[step->layer];
    vdnn_pass pass = vdnn_step_kernel_pass(step);
    int32_t i = layer->choice_count[pass] - 1;
    while (i > 0 && layer->choices[pass][i].algorithm != step->algorithm)
        i--;
    return vdnn_profile_choice_of_micro(&layer->choices[pass][i], graph, step->micro);
}

typedef double seconds_of(const vdnn_profile *profile, const vdnn_graph *graph,
                          const vdnn_step *step);

static double no_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                         const vdnn_step *step)
{
    (void)profile, (void)graph, (void)step;
    return 0;
}

static double link_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                           const vdnn_step *step)
{
    (void)graph;
    vdnn_rates rates = vdnn_profile_rates(profile);
    return vdnn_link_seconds(&rates, step->stream, step->bytes);
}

static double take_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                           const vdnn_step *step)
{
    (void)graph;
    return vdnn_timing_take(profile, step->bytes);
}

static double share_of(const vdnn_graph *graph, const vdnn_step *step)
{
    return vdnn_graph_part_share(vdnn_graph_of_micro(graph, step->micro), step->layer, step->part);
}

/* `bytes` are those that it updates. */
static double kernel_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                             const vdnn_step *step)
{
    return choice_of(profile, graph, step).seconds * share_of(graph, step) +
           vdnn_timing_update(profile, graph, step->bytes);
}

static double recompute_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                                const vdnn_step *step)
{
    const vdnn_choice choice = choice_of(profile, graph, step);
    const vdnn_layer *layer = &vdnn_graph_of_micro(graph, step->micro)->layers[step->layer];
    double whole = vdnn_profile_recompute_seconds(profile, layer, &choice);
    return profile->launch_seconds + whole * share_of(graph, step);
}

static double sum_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                          const vdnn_step *step)
{
    (void)graph;
    return profile->launch_seconds +
           ACCUMULATE_TRAFFIC * (double)step->bytes / profile->elementwise_bytes_per_second;
}

static double norm_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                           const vdnn_step *step)
{
    return profile->launch_seconds + (double)graph->layers[step->layer].trainable_bytes /
                                         profile->elementwise_bytes_per_second;
}

/* What one device reads and writes for each byte, in memory that all have in common: while it adds
 * its share of the elements of all devices, and takes the others' sums; while the first device adds
 * all elements, and the others take them; or with copies to the host tier and from there. */
static double reduce_traffic(vdnn_reduce_scheme scheme, int32_t devices, vdnn_reduce_part part)
{
    const double own = 1.0 / devices, adding = 1 + own, taking = 2 * (1 - own),
                 shared = adding + taking;
    if (part != VDNN_REDUCE_WHOLE)
        return part == VDNN_REDUCE_SCATTER ? adding : taking;
    const double traffic[VDNN_REDUCE_COUNT] = {[VDNN_REDUCE_RING] = shared,
                                               [VDNN_REDUCE_GATHER] = devices + 1 + 2,
                                               [VDNN_REDUCE_HOST] = 2 + shared + 2};
    return traffic[scheme];
}

/* Over their links, or through that memory. */
static double reduce_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                             const vdnn_step *step)
{
    const vdnn_reduce_part part = vdnn_step_reduce_part(graph, step);
    const double traffic = reduce_traffic(graph->reduce, graph->devices, part);
    const vdnn_rates rates = vdnn_profile_rates(profile);
    if (rates.reduce.way_count > 0)
        return vdnn_link_reduce_seconds(&rates, part, step->bytes);
    return profile->launch_seconds +
           traffic * (double)step->bytes / profile->elementwise_bytes_per_second;
}

/* Over their link, or as a copy in the memory that all have in common. */
static double peer_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                           const vdnn_step *step)
{
    const vdnn_rates rates = vdnn_profile_rates(profile);
    (void)graph;
    if (rates.reduce.way_count > 0)
        return rates.reduce.ways[0].latency_seconds +
               (double)step->bytes / rates.reduce.ways[0].bytes_per_second;
    return vdnn_timing_take(profile, step->bytes);
}

static double update_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                             const vdnn_step *step)
{
    return vdnn_timing_update(profile, graph, step->bytes);
}

static double step_seconds(const vdnn_profile *profile, const vdnn_graph *graph,
                           const vdnn_step *step)
{
    static seconds_of *const of[VDNN_COST_COUNT] = {
        [VDNN_COST_NONE] = no_seconds,
        [VDNN_COST_LINK] = link_seconds,
        [VDNN_COST_TAKE] = take_seconds,
        [VDNN_COST_KERNEL] = kernel_seconds,
        [VDNN_COST_RECOMPUTE] = recompute_seconds,
        [VDNN_COST_SUM] = sum_seconds,
        [VDNN_COST_UPDATE] = update_seconds,
        [VDNN_COST_NORM] = norm_seconds,
        [VDNN_COST_REDUCE] = reduce_seconds,
        [VDNN_COST_PEER] = peer_seconds,
    };
    return of[vdnn_step_row_of(step->kind)->cost](profile, graph, step);
}

static void sum_layer_seconds(vdnn_plan *plan)
{
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (step->layer < 0 || step->stream != VDNN_STREAM_COMPUTE)
            continue;
        double *seconds =
            step->pass == VDNN_FORWARD ? plan->forward_seconds : plan->backward_seconds;
        seconds[step->layer] += step->seconds;
        if (step->kind == VDNN_STEP_RECOMPUTE)
            plan->recompute_seconds += step->seconds;
    }
}

static void sum_copied_bytes(vdnn_plan *plan)
{
    size_t *const sums[VDNN_STEP_KIND_COUNT] = {[VDNN_STEP_COPY_OUT] = &plan->offload_bytes,
                                                [VDNN_STEP_COPY_IN] = &plan->prefetch_bytes,
                                                [VDNN_STEP_SPILL] = &plan->spill_bytes,
                                                [VDNN_STEP_FILL] = &plan->fill_bytes};
    for (int32_t s = 0; s < plan->step_count; s++) {
        size_t *sum = sums[plan->steps[s].kind];
        if (sum != NULL)
            *sum += plan->steps[s].bytes;
    }
}

/* Bytes alive at each half point of the compute stream (during step i at 2i, behind it at 2i + 1):
 * a difference array per tier, and per category of the device's, then its sums. */
typedef struct live_change {
    int64_t tier[VDNN_TIER_COUNT], category[VDNN_CATEGORY_COUNT];
} live_change;

static live_change *live_changes(vdnn_builder *builder, const vdnn_plan *plan)
{
    size_t points = 1;
    for (int32_t s = 0; s < plan->step_count; s++)
        points += plan->steps[s].stream == VDNN_STREAM_COMPUTE ? 2 : 0;
    live_change *changes = vdnn_region_zeros(&builder->region, points, sizeof *changes);
    if (changes == NULL)
        return NULL;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        const vdnn_lifetime *life = &builder->lifetimes[b];
        int64_t bytes = (int64_t)buffer->bytes;
        int category = (int)vdnn_class_category(buffer->class);
        changes[life->start].tier[buffer->tier] += bytes;
        changes[life->end].tier[buffer->tier] -= bytes;
        if (buffer->tier != VDNN_TIER_DEVICE)
            continue;
        changes[life->start].category[category] += bytes;
        changes[life->end].category[category] -= bytes;
    }
    return changes;
}

static void note_peaks(vdnn_plan *plan, const live_change *live, int32_t step)
{
    bool is_peak = (size_t)live->tier[VDNN_TIER_DEVICE] > plan->peak_bytes[VDNN_TIER_DEVICE];
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if ((size_t)live->tier[t] > plan->peak_bytes[t])
            plan->peak_bytes[t] = (size_t)live->tier[t];
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        if ((size_t)live->category[c] > plan->by_category[c])
            plan->by_category[c] = (size_t)live->category[c];
    if (!is_peak)
        return;
    plan->peak_step = step;
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        plan->by_category_at_peak[c] = (size_t)live->category[c];
}

static void change_live(live_change *live, const live_change *change)
{
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        live->tier[t] += change->tier[t];
    for (int c = 0; c < VDNN_CATEGORY_COUNT; c++)
        live->category[c] += change->category[c];
}

/* For the average, each compute step's sum counts from its start to the next one's. */
static void sum_live_bytes(vdnn_plan *plan, const live_change *changes, const double *start)
{
    live_change live = {0};
    double area = 0, since = 0;
    int64_t during = 0;
    int32_t point = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        if (plan->steps[s].stream != VDNN_STREAM_COMPUTE)
            continue;
        area += (double)during * (start[s] - since);
        since = start[s];
        change_live(&live, &changes[point++]);
        note_peaks(plan, &live, s);
        during = live.tier[VDNN_TIER_DEVICE];
        change_live(&live, &changes[point++]);
        note_peaks(plan, &live, s);
    }
    area += (double)during * (plan->step_seconds - since);
    plan->device_average_bytes = plan->step_seconds > 0
                                     ? area / plan->step_seconds
                                     : (double)plan->peak_bytes[VDNN_TIER_DEVICE];
}

/* From maps on: they are copied most often, and only of what is copied do lives end without the
 * compute stream. */
static void take_excess(size_t excess, size_t bytes[VDNN_CATEGORY_COUNT])
{
    for (int k = 0; k < VDNN_CATEGORY_COUNT && excess > 0; k++) {
        size_t *own = &bytes[(VDNN_CATEGORY_feature_maps + k) % VDNN_CATEGORY_COUNT];
        const size_t taken = excess < *own ? excess : *own;
        *own -= taken;
        excess -= taken;
    }
}

/* Two users of one address that alternate without synchronizing with the compute stream both count;
 * but buffers alive at one time have distinct addresses, so the span bounds it too. */
static void cap_peaks(vdnn_plan *plan)
{
    const size_t peak = plan->peak_bytes[VDNN_TIER_DEVICE];
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if (plan->peak_bytes[t] > plan->span_bytes[t])
            plan->peak_bytes[t] = plan->span_bytes[t];
    take_excess(peak - plan->peak_bytes[VDNN_TIER_DEVICE], plan->by_category_at_peak);
}

/* The steps' seconds, and the whole step's on the clock; when each step starts and ends. Without
 * `sharing` each copy has the link alone, and slows no compute: no more waits and no other copies
 * make the step shorter than that. */
static vdnn_status run_clock(vdnn_builder *builder, const vdnn_profile *profile, bool sharing,
                             vdnn_plan *plan, vdnn_estimate_times *times)
{
    static const double rounding = 1e-9; /* more than a shared link's clock can round down */
    size_t count = (size_t)plan->step_count;
    vdnn_rates rates = vdnn_profile_rates(profile);
    double channels[VDNN_LINK_CHANNELS];
    const double *shared = vdnn_link_channels(&rates, 1, channels);
    vdnn_clock_task *tasks = vdnn_region_take(&builder->region, count, sizeof *tasks);
    double *start = vdnn_region_take(&builder->region, 2 * count, sizeof *start);
    VDNN_TRY(vdnn_builder_status(builder));
    for (int32_t s = 0; s < plan->step_count; s++)
        plan->steps[s].seconds = step_seconds(profile, plan->graph, &plan->steps[s]);
    vdnn_timing_tasks(plan, &rates, tasks);
    plan->step_seconds = vdnn_clock_run(tasks, plan->step_count, plan->waits,
                                        sharing ? shared : NULL, start, start + count);
    if (!sharing && shared != NULL)
        plan->step_seconds *= 1 - rounding;
    *times = (vdnn_estimate_times){start, start + count};
    return VDNN_OK;
}

vdnn_status vdnn_estimate_bound(vdnn_builder *builder, const vdnn_profile *profile, vdnn_plan *plan,
                                vdnn_estimate_times *times)
{
    sum_copied_bytes(plan);
    return run_clock(builder, profile, false, plan, times);
}

vdnn_status vdnn_estimate_fill(vdnn_builder *builder, const vdnn_profile *profile, vdnn_plan *plan)
{
    vdnn_estimate_times times;
    live_change *changes = live_changes(builder, plan);
    VDNN_TRY(run_clock(builder, profile, true, plan, &times));
    sum_layer_seconds(plan);
    sum_copied_bytes(plan);
    sum_live_bytes(plan, changes, times.start);
    cap_peaks(plan);
    return VDNN_OK;
}
