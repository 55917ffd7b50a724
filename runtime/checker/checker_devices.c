#include "runtime/checker/checker.h"

#include "runtime/base/heap.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 256 };

static const char *updated_text(const vdnn_plan *plan)
{
    return plan->graph->shards ? "its share of the parameters" : "all parameters";
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

/* The next sum over devices, or gathering, from step `from` on; the plan's step_count: none. */
static int32_t next_sum(const vdnn_plan *plan, int32_t from)
{
    while (from < plan->step_count && plan->steps[from].kind != VDNN_STEP_REDUCE &&
           plan->steps[from].kind != VDNN_STEP_GATHER)
        from++;
    return from;
}

static const char *sum_verb(const vdnn_plan *plan, int32_t step)
{
    const bool gathers = step < plan->step_count && plan->steps[step].kind == VDNN_STEP_GATHER;
    return gathers ? "gathers" : "sums";
}

static const char *sum_text(const vdnn_plan *plan, int32_t step)
{
    return step == plan->step_count ? "nothing" : plan->graph->layers[plan->steps[step].layer].name;
}

static size_t sum_bytes(const vdnn_plan *plan, int32_t step)
{
    return step == plan->step_count ? 0 : plan->steps[step].bytes;
}

static vdnn_status check_sums(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    int32_t a = -1, b = -1, number = 0;
    do {
        a = next_sum(first, a + 1);
        b = next_sum(other, b + 1);
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
                places[step->layer] = (sum_place){plan->steps[access->writer].layer, access->first};
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
                                    graph->layers[l].name, graph->layers[a[l].layer].name,
                                    a[l].first, (int)device, graph->layers[b[l].layer].name,
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

/* The next run whose kernel sums over the devices, which all devices come to one after the other.
 */
static int32_t next_joint_run(const vdnn_plan *plan, int32_t from)
{
    for (; from < plan->step_count; from++) {
        const vdnn_step *step = &plan->steps[from];
        if (step->kind == VDNN_STEP_RUN &&
            vdnn_layer_joint_count(&plan->graph->layers[step->layer], step->pass) > 0)
            break;
    }
    return from;
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

static vdnn_status check_joint_runs(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    char text[2][TEXT_BYTES];
    int32_t a = -1, b = -1;
    do {
        a = next_joint_run(first, a + 1);
        b = next_joint_run(other, b + 1);
        const char *ours = joint_text(first, a, text[0], sizeof text[0]),
                   *theirs = joint_text(other, b, text[1], sizeof text[1]);
        if (strcmp(ours, theirs) != 0)
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "device 0 computes %s together with the others when device %d "
                                    "does %s",
                                    ours, (int)device, theirs);
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
    return status;
}
