/* Whether the devices that share the batches have the same parameters and optimizer state. */

#include "runtime/base/heap.h"
#include "runtime/train/kept.h"
#include "runtime/train/training/training_internal.h"

#include <stdio.h>
#include <xxhash.h>

enum { PIECE_BYTES = 1 << 20 };

/* The first bytes of a block, which all devices have: of parameters all but the running statistics,
 * which are each device's; nothing of the state of which each has a share. */
static size_t replicated_bytes(const vdnn_plan *plan, const vdnn_kept_block *block)
{
    const vdnn_layer *layer = &plan->graph->layers[block->layer];
    return block->slot != VDNN_KEPT_PARAMETERS && vdnn_graph_is_sharded(plan->graph, layer)
               ? 0
               : vdnn_layer_summed_bytes(layer);
}

static vdnn_status hash_block(vdnn_device *device, const vdnn_kept_block *block, size_t bytes,
                              char *piece, uint64_t *sum)
{
    vdnn_status status = VDNN_OK;
    for (size_t done = 0; done < bytes && status == VDNN_OK; done += PIECE_BYTES) {
        const size_t count = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        status = vdnn_device_read(device, piece, block->tier, block->offset + done, count);
        *sum = XXH3_64bits_withSeed(piece, count, *sum);
    }
    return status;
}

/* A hash of each layer's. */
static vdnn_status hash_layers(const vdnn_training_run *run, uint64_t *hashes)
{
    const vdnn_plan *plan = run->request.plans->training;
    vdnn_kept_block block = {.layer = -1};
    char *piece = vdnn_heap_calloc(1, PIECE_BYTES);
    vdnn_status status =
        piece == NULL ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory to compare weights") : VDNN_OK;
    while (status == VDNN_OK && vdnn_kept_next(plan, run->request.device, &block))
        status = hash_block(run->request.setup->device, &block, replicated_bytes(plan, &block),
                            piece, &hashes[block.layer]);
    vdnn_heap_free(piece);
    return status;
}

/* One number of each device; `rank` becomes the first that has another than the first one. */
static vdnn_status find_other(vdnn_group *group, uint64_t own, uint64_t *all, int32_t *rank)
{
    vdnn_status status = vdnn_group_exchange(group, VDNN_LANE_DRIVER, &own, sizeof own, all);
    *rank = 0;
    for (int32_t r = vdnn_group_ranks(group) - 1; status == VDNN_OK && r > 0; r--)
        if (all[r] != all[0])
            *rank = r;
    return status;
}

static vdnn_status fail_other(const vdnn_training_run *run, const char *layer, int32_t rank)
{
    char when[64] = "at the start";
    if (run->step > 0)
        (void)snprintf(when, sizeof when, "after step %lld", (long long)run->step);
    return vdnn_status_fail(VDNN_MISMATCH,
                            "%s rank %d has other weights or optimizer state than rank 0, in layer "
                            "'%s': replicas must be equal, bit for bit. Where they were read from "
                            "files (--init, --resume), give all ranks the same ones; otherwise a "
                            "device computes wrong",
                            when, (int)rank, layer);
}

/* All in one number first; the layers only where that differs. */
static vdnn_status compare(const vdnn_training_run *run, const uint64_t *hashes, uint64_t *all)
{
    const vdnn_graph *graph = run->request.setup->graph;
    vdnn_group *group = run->request.group;
    int32_t rank;
    vdnn_status status = find_other(
        group, XXH3_64bits(hashes, (size_t)graph->layer_count * sizeof *hashes), all, &rank);
    if (status != VDNN_OK || rank == 0)
        return status;
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++) {
        status = find_other(group, hashes[l], all, &rank);
        if (status == VDNN_OK && rank > 0)
            return fail_other(run, graph->layers[l].name, rank);
    }
    return status;
}

vdnn_status vdnn_training_check_replicas(const vdnn_training_run *run)
{
    const vdnn_graph *graph = run->request.setup->graph;
    vdnn_group *group = run->request.group;
    if (group == NULL || graph->stage.count > 0 || vdnn_training_is_simulated(run))
        return VDNN_OK;
    uint64_t *hashes = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *hashes),
             *all = vdnn_heap_calloc((size_t)vdnn_group_ranks(group), sizeof *all);
    vdnn_status status = VDNN_OK;
    if (hashes == NULL || all == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to compare weights");
    VDNN_IF_OK(status, hash_layers(run, hashes));
    if (status == VDNN_OK)
        status = compare(run, hashes, all);
    else /* the others do not wait for it */
        vdnn_group_leave(group, status, vdnn_status_message());
    vdnn_heap_free(hashes);
    vdnn_heap_free(all);
    return status;
}
