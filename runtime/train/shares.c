#include "runtime/train/shares.h"

#include "runtime/base/heap.h"
#include "runtime/train/kept.h"

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
    const vdnn_graph *graph = vdnn_stage_whole(plan->graph);
    const size_t ranks = (size_t)vdnn_group_ranks(group);
    size_t most = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        most = graph->layers[l].param_bytes > most ? graph->layers[l].param_bytes : most;
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
    vdnn_kept_block own;
    if (!vdnn_kept_find(shares->plan, vdnn_group_rank(shares->group), now->layer, now->slot,
                        &own) ||
        own.first == own.end)
        return VDNN_OK;
    return vdnn_device_read(shares->device, (char *)shares->whole + own.first, own.tier, own.offset,
                            own.end - own.first);
}

/* The one that has a block; rank 0: no other. */
static vdnn_status find_holder(const vdnn_shares *shares, const request *now, int32_t *holder)
{
    vdnn_kept_block block;
    const bool is_here = vdnn_kept_find(shares->plan, 0, now->layer, now->slot, &block);
    request own = {.layer = is_here ? now->layer : -1};
    *holder = 0;
    VDNN_TRY(vdnn_group_exchange(shares->group, VDNN_LANE_DRIVER, &own, sizeof own, shares->heard));
    for (int32_t r = 1; r < vdnn_group_ranks(shares->group); r++)
        if (shares->heard[r].layer == now->layer)
            *holder = r;
    return VDNN_OK;
}

/* From the stage that has it. */
static vdnn_status hand_over(const vdnn_shares *shares, const request *now)
{
    const vdnn_layer *block = &vdnn_stage_whole(shares->plan->graph)->layers[now->layer];
    const size_t bytes =
        now->slot == VDNN_KEPT_PARAMETERS ? block->param_bytes : block->trainable_bytes;
    const int32_t rank = vdnn_group_rank(shares->group);
    int32_t holder;
    VDNN_TRY(find_holder(shares, now, &holder));
    if (holder == 0 || (rank != 0 && rank != holder))
        return VDNN_OK;
    return rank == 0 ? vdnn_group_receive(shares->group, holder, shares->whole, bytes)
                     : vdnn_group_send(shares->group, 0, shares->whole, bytes);
}

static vdnn_status gather(const vdnn_shares *shares, const request *now)
{
    if (shares->plan->graph->stage.count > 0)
        return hand_over(shares, now);
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
        if (now.layer >= plan->graph->layer_count || now.slot < VDNN_KEPT_PARAMETERS ||
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
