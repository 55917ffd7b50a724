#include "runtime/train/kept.h"

#include "runtime/exec/copy_fill.h"

bool vdnn_kept_find(const vdnn_plan *plan, int32_t rank, int32_t layer, int32_t slot,
                    vdnn_kept_block *block)
{
    const vdnn_graph *graph = plan->graph;
    const vdnn_layer *own = &graph->layers[layer];
    const bool is_slot = slot != VDNN_KEPT_PARAMETERS;
    const int32_t buffer = is_slot ? plan->state_buffer[layer] : plan->param_buffer[layer];
    if (buffer < 0)
        return false;
    *block = (vdnn_kept_block){.layer = layer,
                               .slot = slot,
                               .tier = plan->buffers[buffer].tier,
                               .offset = plan->buffers[buffer].offset,
                               .end = is_slot ? own->trainable_bytes : own->param_bytes};
    if (is_slot)
        block->offset += vdnn_optimizer_slot_offset(vdnn_graph_updated_bytes(graph, own), slot);
    if (is_slot && vdnn_graph_is_sharded(graph, own)) {
        const vdnn_shard share = vdnn_graph_shard(graph, own, rank);
        block->first = share.first * sizeof(float);
        block->end = (share.first + share.count) * sizeof(float);
    }
    return true;
}

bool vdnn_kept_next(const vdnn_plan *plan, int32_t rank, vdnn_kept_block *block)
{
    const vdnn_graph *graph = plan->graph;
    int32_t layer = block->layer < 0 ? 0 : block->layer,
            slot = block->layer < 0 ? VDNN_KEPT_PARAMETERS : block->slot + 1;
    for (; layer < graph->layer_count; layer++) {
        for (; slot < graph->training.optimizer->slot_count; slot++)
            if (graph->layers[layer].owner == layer &&
                vdnn_kept_find(plan, rank, layer, slot, block))
                return true;
        slot = VDNN_KEPT_PARAMETERS;
    }
    return false;
}

size_t vdnn_kept_bytes(const vdnn_plan *plan, int32_t rank)
{
    size_t bytes = 0;
    vdnn_kept_block block = {.layer = -1};
    while (vdnn_kept_next(plan, rank, &block))
        bytes += block.end - block.first;
    return bytes;
}

vdnn_status vdnn_kept_read(const vdnn_plan *plan, vdnn_device *device, int32_t rank, char *image)
{
    vdnn_status status = VDNN_OK;
    vdnn_kept_block block = {.layer = -1};
    for (; status == VDNN_OK && vdnn_kept_next(plan, rank, &block);
         image += block.end - block.first)
        if (block.end > block.first)
            status =
                vdnn_device_read(device, image, block.tier, block.offset, block.end - block.first);
    return status;
}

vdnn_status vdnn_kept_write(const vdnn_plan *plan, vdnn_device *device, int32_t rank,
                            const char *image)
{
    vdnn_status status = VDNN_OK;
    vdnn_kept_block block = {.layer = -1};
    for (; status == VDNN_OK && vdnn_kept_next(plan, rank, &block);
         image += block.end - block.first)
        if (block.end > block.first)
            status =
                vdnn_device_write(device, block.tier, block.offset, image, block.end - block.first);
    return status == VDNN_OK ? vdnn_copy_fill(plan, device) : status;
}
