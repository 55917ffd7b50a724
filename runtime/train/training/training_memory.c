/* The memory of a training: the tiers of its plan, and the places that batches are read to. */

#include "runtime/train/training/training_internal.h"

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/planner/packings.h"

#include <string.h>

/* Of all inputs of a step. */
static size_t batch_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < graph->input_count; i++)
        bytes += vdnn_graph_batch_bytes(graph, i);
    return bytes;
}

/* What this process has taken since the machine's memory was looked at: for libraries, the plan,
 * the data. Unknown of one with several devices, whose tiers may be among it. */
static size_t grown_bytes(const vdnn_training_run *run)
{
    const vdnn_session_options *options = run->request.options;
    const size_t before = run->request.setup->used_bytes, now = vdnn_memory_used();
    return (options->process->ranks > 0 || options->devices <= 1) && now > before ? now - before
                                                                                  : 0;
}

/* The budgets are the user's; this checks the machine's memory, which has to hold the process
 * itself, too: else the system ends it. */
static vdnn_status check_machine(const vdnn_training_run *run)
{
    enum { LIBRARY_BYTES = 16 << 20 }; /* kernels' code and scratch, from the first step on */
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    size_t on_host = run->staging_bytes +
                     (vdnn_training_is_simulated(run) ? 0 : plans->span_bytes[VDNN_TIER_HOST]);
    size_t need =
        on_host + (setup->properties.shares_host_memory ? plans->span_bytes[VDNN_TIER_DEVICE] : 0);
    const size_t own = grown_bytes(run) + LIBRARY_BYTES, available = setup->available_bytes;
    if (own <= available && need <= available - own)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_DEVICE,
        "the plan fits its budgets, but takes %zu bytes of this machine's "
        "memory, in addition to %zu for the process itself, and %s leaves %zu; a "
        "smaller --device-mem or --batch would help",
        need, own, setup->limit, available);
}

void vdnn_training_tell_pageable(const vdnn_training_run *run)
{
    const char *pageable = vdnn_device_pageable(run->request.setup->device);
    if (pageable != NULL)
        vdnn_messages_log(run->request.messages, VDNN_LOG_WARN,
                          "copies do not overlap with the compute, and steps take longer than "
                          "planned: %s; a smaller --host-mem, or a container that is allowed to "
                          "lock more memory, may help",
                          pageable);
}

/* Unlocked pages are not an error, but the system may swap them out. */
static void tell_locked(const vdnn_training_run *run)
{
    size_t wanted = run->request.plans->span_bytes[VDNN_TIER_HOST];
    size_t locked = vdnn_device_locked_bytes(run->request.setup->device);
    struct rlimit limit;
    if (locked >= wanted || !run->request.setup->properties.shares_host_memory)
        return;
    if (vdnn_system_getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur < wanted)
        vdnn_messages_log(run->request.messages, VDNN_LOG_INFO,
                          "%zu of %zu bytes of the host tier are locked into memory: "
                          "RLIMIT_MEMLOCK is %llu (ulimit -l unlimited lifts it)",
                          locked, wanted, (unsigned long long)limit.rlim_cur);
    else
        vdnn_messages_log(run->request.messages, VDNN_LOG_INFO,
                          "%zu of %zu bytes of the host tier are locked into memory", locked,
                          wanted);
}

static vdnn_status stage_batch(const vdnn_training_run *run, vdnn_loader_slot *slot)
{
    const vdnn_graph *graph = run->request.setup->graph;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < graph->input_count; i++)
        status = vdnn_device_stage(run->request.setup->device, vdnn_graph_batch_bytes(graph, i),
                                   &slot->inputs[i]);
    return status;
}

vdnn_status vdnn_training_reserve(vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    run->slot_count = vdnn_training_count_slots(setup);
    run->staging_bytes = (size_t)run->slot_count * batch_bytes(setup->graph);
    vdnn_packings_trim(setup->packings);
    vdnn_heap_trim(); /* freed memory of measuring and planning */
    vdnn_status status = check_machine(run);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = vdnn_device_reserve(setup->device, (vdnn_tier)tier, plans->span_bytes[tier]);
    memcpy(run->reserved_bytes, plans->span_bytes, sizeof run->reserved_bytes);
    if (status != VDNN_OK)
        return status;
    tell_locked(run);
    for (int i = 0; status == VDNN_OK && i < run->slot_count; i++)
        status = stage_batch(run, &run->slots[i]);
    return status;
}
