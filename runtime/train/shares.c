#include "runtime/train/shares.h"

#include "runtime/base/heap.h"

/* What rank 0 asks for next. */
typedef struct request {
    int32_t layer; /* -1: nothing more */
    int32_t slot;
} request;

static const request nothing = {-1, 0};

struct vdnn_shares {
    const vdnn_plan *plan;
    vdnn_device *device;
    vdnn_group *group;
    request *heard; /* from each rank */
    float *whole;   /* a slot of the largest block */
};

static void fini(vdnn_shares *shares)
{
    vdnn_heap_free(shares->heard);
    vdnn_heap_free(shares->whole);
}

/* The others do not wait for a rank that cannot answer. */
static vdnn_status leave(vdnn_group *group, vdnn_status status)
{
    if (status != VDNN_OK)
        vdnn_group_leave(group, status, vdnn_status_message());
    return status;
}

/* All memory, so that there is some to say that this was all. */
static vdnn_status init(const vdnn_plan *plan, vdnn_device *device, vdnn_group *group,
                        vdnn_shares *shares)
{
    const vdnn_graph *graph = plan->graph;
    const size_t ranks = (size_t)vdnn_group_ranks(group);
    size_t most = 0;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const size_t bytes = vdnn_layer_summed_bytes(&graph->layers[l]);
        most = bytes > most ? bytes : most;
    }
    *shares = (vdnn_shares){plan, device, group, vdnn_heap_calloc(ranks, sizeof(request)),
                            vdnn_heap_calloc(1, most)};
    if (shares->heard != NULL && shares->whole != NULL)
        return VDNN_OK;
    fini(shares);
    return leave(group, vdnn_status_fail(VDNN_NO_MEMORY,
                                         "no memory for the optimizer's state of a layer (%zu "
                                         "bytes)",
                                         most));
}

static const vdnn_layer *block_of(const vdnn_shares *shares, int32_t layer)
{
    return &shares->plan->graph->layers[layer];
}

static vdnn_status read_own(const vdnn_shares *shares, const request *now)
{
    const vdnn_plan *plan = shares->plan;
    const vdnn_layer *block = block_of(shares, now->layer);
    const vdnn_buffer *buffer = &plan->buffers[plan->state_buffer[now->layer]];
    const vdnn_shard own = vdnn_graph_shard(plan->graph, block, vdnn_group_rank(shares->group));
    const size_t first =
        vdnn_optimizer_slot_offset(vdnn_graph_updated_bytes(plan->graph, block), now->slot);
    return own.count == 0
               ? VDNN_OK
               : vdnn_device_read(shares->device, shares->whole + own.first, buffer->tier,
                                  buffer->offset + first, own.count * sizeof(float));
}

static vdnn_status gather(const vdnn_shares *shares, const request *now)
{
    const size_t count = vdnn_layer_summed_bytes(block_of(shares, now->layer)) / sizeof(float);
    return vdnn_group_all_gather(shares->group, shares->whole, count, vdnn_shard_even);
}

/* Rank 0 tells, all others hear. */
static vdnn_status exchange(const vdnn_shares *shares, request *now)
{
    vdnn_status status =
        vdnn_group_exchange(shares->group, VDNN_LANE_DRIVER, now, sizeof *now, shares->heard);
    if (status == VDNN_OK)
        *now = shares->heard[0];
    return status;
}

vdnn_status vdnn_shares_begin(const vdnn_plan *plan, vdnn_device *device, vdnn_group *group,
                              vdnn_shares **shares)
{
    vdnn_shares *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return leave(group, vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a checkpoint"));
    vdnn_status status = init(plan, device, group, fresh);
    if (status == VDNN_OK)
        *shares = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

vdnn_status vdnn_shares_fetch(vdnn_shares *shares, int32_t layer, int32_t slot,
                              const float **values)
{
    request now = {layer, slot};
    vdnn_status status = read_own(shares, &now);
    VDNN_IF_OK(status, exchange(shares, &now));
    VDNN_IF_OK(status, gather(shares, &now));
    if (status == VDNN_OK)
        *values = shares->whole;
    return status;
}

/* An error of the group is the next step's, too. */
void vdnn_shares_end(vdnn_shares *shares)
{
    request now = nothing;
    if (shares == NULL)
        return;
    (void)exchange(shares, &now);
    fini(shares);
    vdnn_heap_free(shares);
}

vdnn_status vdnn_shares_lend(const vdnn_plan *plan, vdnn_device *device, vdnn_group *group)
{
    vdnn_shares own;
    vdnn_status status = init(plan, device, group, &own);
    if (status != VDNN_OK)
        return status;
    while (status == VDNN_OK) {
        request now = nothing;
        status = exchange(&own, &now);
        if (status != VDNN_OK || now.layer < 0)
            break;
        if (now.layer >= plan->graph->layer_count || now.slot < 0 ||
            now.slot >= plan->graph->training.optimizer->slot_count)
            status =
                leave(group, vdnn_status_fail(VDNN_PEER, "device 0 asks for slot %d of layer %d",
                                              (int)now.slot, (int)now.layer));
        else
            status = leave(group, read_own(&own, &now));
        VDNN_IF_OK(status, gather(&own, &now));
    }
    fini(&own);
    return status;
}
