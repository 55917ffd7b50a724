#include "runtime/checker/checker.h"

#include "runtime/base/heap.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 256 };

static const char *updated_text(const vdnn_plan *plan)
{
    return plan->graph->shards ? "its share of the parameters" : "all parameters";
}

static bool is_same_network(const vdnn_graph *a, const vdnn_graph *b)
{
    bool good = a->layer_count == b->layer_count;
    for (int32_t l = 0; l < a->layer_count && good; l++)
        good = a->layers[l].def == b->layers[l].def &&
               a->layers[l].trainable_bytes == b->layers[l].trainable_bytes &&
               strcmp(a->layers[l].name, b->layers[l].name) == 0;
    return good;
}

static vdnn_status check_shares(const vdnn_plan *const *plans, int32_t count)
{
    const int64_t batch = plans[0]->graph->step_batch;
    int64_t samples = 0;
    for (int32_t d = 0; d < count; d++) {
        const vdnn_graph *graph = plans[d]->graph;
        samples += graph->batch;
        if (graph->devices != count || graph->step_batch != batch)
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "device %d plans a step of %lld samples on %d devices, and "
                                    "device 0 one of %lld on %d",
                                    (int)d, (long long)graph->step_batch, (int)graph->devices,
                                    (long long)batch, (int)count);
    }
    for (int32_t d = 1; d < count; d++)
        if (!is_same_network(plans[d]->graph, plans[0]->graph))
            return vdnn_status_fail(VDNN_INTERNAL, "device %d plans another network than device 0",
                                    (int)d);
    for (int32_t d = 1; d < count; d++)
        if (plans[d]->graph->reduce != plans[0]->graph->reduce ||
            (plans[d]->graph->gathers && !plans[0]->graph->gathers))
            return vdnn_status_fail(
                VDNN_INTERNAL,
                "device %d sums gradients by %s, device 0 by %s, or has not the "
                "memory for those of the others",
                (int)d, vdnn_reduce_scheme_text(plans[d]->graph->reduce),
                vdnn_reduce_scheme_text(plans[0]->graph->reduce));
    for (int32_t d = 1; d < count; d++)
        if (plans[d]->graph->shards != plans[0]->graph->shards)
            return vdnn_status_fail(VDNN_INTERNAL, "device %d updates %s, device 0 %s", (int)d,
                                    updated_text(plans[d]), updated_text(plans[0]));
    if (samples != batch)
        return vdnn_status_fail(VDNN_INTERNAL, "%d devices compute %lld samples of a step of %lld",
                                (int)count, (long long)samples, (long long)batch);
    return VDNN_OK;
}

static bool is_sum(const vdnn_plan *plan, const vdnn_step *step)
{
    (void)plan;
    return step->kind == VDNN_STEP_REDUCE || step->kind == VDNN_STEP_GATHER;
}

/* Whether its kernel sums over the devices, which all come to such runs one after the other. */
static bool is_joint_run(const vdnn_plan *plan, const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RUN &&
           vdnn_layer_joint_count(&plan->graph->layers[step->layer], step->pass) > 0;
}

static bool is_meeting(const vdnn_plan *plan, const vdnn_step *step)
{
    return is_sum(plan, step) || is_joint_run(plan, step);
}

/* The next step from `from` on that is one of them; the plan's step_count: none. */
static int32_t next_of(const vdnn_plan *plan, int32_t from,
                       bool (*is_one)(const vdnn_plan *, const vdnn_step *))
{
    while (from < plan->step_count && !is_one(plan, &plan->steps[from]))
        from++;
    return from;
}

static const char *sum_verb(const vdnn_plan *plan, int32_t step)
{
    const bool gathers = step < plan->step_count && plan->steps[step].kind == VDNN_STEP_GATHER;
    return gathers ? "gathers" : "sums";
}

static const char *layer_text(const vdnn_graph *graph, int32_t layer)
{
    return layer < 0 ? "nothing" : graph->layers[layer].name;
}

static const char *sum_text(const vdnn_plan *plan, int32_t step)
{
    return layer_text(plan->graph, step == plan->step_count ? -1 : plan->steps[step].layer);
}

static size_t sum_bytes(const vdnn_plan *plan, int32_t step)
{
    return step == plan->step_count ? 0 : plan->steps[step].bytes;
}

static vdnn_status check_sums(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    int32_t a = -1, b = -1, number = 0;
    do {
        a = next_of(first, a + 1, is_sum);
        b = next_of(other, b + 1, is_sum);
        number++;
        if (strcmp(sum_verb(first, a), sum_verb(other, b)) != 0 ||
            strcmp(sum_text(first, a), sum_text(other, b)) != 0 ||
            sum_bytes(first, a) != sum_bytes(other, b))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "sum %d over the devices: device 0 %s %zu bytes of %s, "
                                    "device %d %s %zu bytes of %s",
                                    (int)number, sum_verb(first, a), sum_bytes(first, a),
                                    sum_text(first, a), (int)device, sum_verb(other, b),
                                    sum_bytes(other, b), sum_text(other, b));
    } while (a < first->step_count);
    return VDNN_OK;
}

/* Where a block's gradient is summed over the devices: by the sum that has the name of a layer, and
 * where it begins in what that sums. */
typedef struct sum_place {
    int32_t layer;
    size_t first;
} sum_place;

/* -1: it is no step's, or that of a step without a layer, which no sum is. */
static int32_t summed_with(const vdnn_plan *plan, const vdnn_access *read)
{
    const int32_t sum = vdnn_plan_made_by(plan, read);
    return sum < 0 ? -1 : plan->steps[sum].layer;
}

/* Per layer, as the steps say that read the sums first. */
static void find_places(const vdnn_plan *plan, sum_place *places)
{
    const vdnn_step_kind reads =
        plan->graph->training.clip_norm > 0 ? VDNN_STEP_NORM : VDNN_STEP_UPDATE;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        for (int32_t k = 0; k < step->access_count && step->kind == reads; k++) {
            const vdnn_access *access = &plan->accesses[step->first_access + k];
            if (access->bind == VDNN_BIND_DW)
                places[step->layer] = (sum_place){summed_with(plan, access), access->first};
        }
    }
}

static vdnn_status compare_places(const vdnn_graph *graph, const sum_place *a, const sum_place *b,
                                  int32_t device)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (a[l].layer != b[l].layer || a[l].first != b[l].first)
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "device 0 sums the gradient of %s with that of %s, %zu bytes "
                                    "from the first, device %d with that of %s, %zu bytes",
                                    graph->layers[l].name, layer_text(graph, a[l].layer),
                                    a[l].first, (int)device, layer_text(graph, b[l].layer),
                                    b[l].first);
    return VDNN_OK;
}

/* What is summed at one time is of the same blocks. */
static vdnn_status check_places(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    const size_t layers = (size_t)first->graph->layer_count;
    sum_place *places = vdnn_heap_calloc(2 * layers, sizeof *places);
    if (places == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to compare plans of %zu layers", layers);
    find_places(first, places);
    find_places(other, places + layers);
    vdnn_status status = compare_places(first->graph, places, places + layers, device);
    vdnn_heap_free(places);
    return status;
}

static const char *joint_text(const vdnn_plan *plan, int32_t step, char *text, size_t size)
{
    if (step == plan->step_count)
        return "nothing";
    const vdnn_step *own = &plan->steps[step];
    (void)snprintf(text, size, "%s of %s, micro-batch %d", vdnn_pass_text(own->pass),
                   plan->graph->layers[own->layer].name, (int)own->micro);
    return text;
}

/* Of two plans of one network; beyond the end there is none. */
static bool is_same_run(const vdnn_plan *first, int32_t a, const vdnn_plan *other, int32_t b)
{
    if (a == first->step_count || b == other->step_count)
        return a == first->step_count && b == other->step_count;
    const vdnn_step *ours = &first->steps[a], *theirs = &other->steps[b];
    return ours->layer == theirs->layer && ours->pass == theirs->pass &&
           ours->micro == theirs->micro && ours->part == theirs->part;
}

static vdnn_status check_joint_runs(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    char text[2][TEXT_BYTES];
    int32_t a = -1, b = -1;
    do {
        a = next_of(first, a + 1, is_joint_run);
        b = next_of(other, b + 1, is_joint_run);
        if (!is_same_run(first, a, other, b))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "device 0 computes %s together with the others when device %d "
                                    "does %s",
                                    joint_text(first, a, text[0], sizeof text[0]), (int)device,
                                    joint_text(other, b, text[1], sizeof text[1]));
    } while (a < first->step_count);
    return VDNN_OK;
}

static bool is_joint(const vdnn_plan *plan, int32_t step)
{
    return step < plan->step_count && is_joint_run(plan, &plan->steps[step]);
}

static const char *meeting_verb(const vdnn_plan *plan, int32_t step)
{
    return is_joint(plan, step) ? "computes" : sum_verb(plan, step);
}

static const char *meeting_text(const vdnn_plan *plan, int32_t step, char *text, size_t size)
{
    return is_joint(plan, step) ? joint_text(plan, step, text, size) : sum_text(plan, step);
}

/* Sums and joint runs are on two streams, and each of these in one order. If their lists have one
 * order of both, no device waits for another that waits for it: the first of them that is not
 * complete waits, on every device, for steps before it alone, none of which meets the others. */
static vdnn_status check_meetings(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    char text[2][TEXT_BYTES];
    int32_t a = -1, b = -1;
    do {
        a = next_of(first, a + 1, is_meeting);
        b = next_of(other, b + 1, is_meeting);
        if (is_joint(first, a) != is_joint(other, b))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "device 0 %s %s with the others when device %d %s %s: each may "
                                    "wait for the other",
                                    meeting_verb(first, a),
                                    meeting_text(first, a, text[0], sizeof text[0]), (int)device,
                                    meeting_verb(other, b),
                                    meeting_text(other, b, text[1], sizeof text[1]));
    } while (a < first->step_count);
    return VDNN_OK;
}

vdnn_status vdnn_checker_check_devices(const vdnn_plan *const *plans, int32_t count)
{
    vdnn_status status = check_shares(plans, count);
    for (int32_t d = 1; d < count && status == VDNN_OK; d++) {
        status = check_sums(plans[0], plans[d], d);
        if (status == VDNN_OK && plans[d] != plans[0])
            status = check_places(plans[0], plans[d], d);
    }
    for (int32_t d = 1; d < count && status == VDNN_OK; d++)
        status = check_joint_runs(plans[0], plans[d], d);
    for (int32_t d = 1; d < count && status == VDNN_OK; d++)
        status = check_meetings(plans[0], plans[d], d);
    return status;
}
