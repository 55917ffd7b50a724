#include "runtime/planner/steps/buckets.h"

#include "runtime/planner/steps/emitter.h"

enum { NONE = -1 };

enum { LEAST_SHARE = 16 }; /* of the bytes decided: none but the last bucket is smaller */

/* ---- which blocks are in which bucket -------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

static const vdnn_layer *block_at(const vdnn_emitter *emit, int32_t i)
{
    return &emit->graph->layers[emit->buckets.blocks[i]];
}

/* In the order in which backward ends their gradients; returns their number. */
static int32_t list_blocks(vdnn_emitter *emit, size_t *bytes)
{
    int32_t count = 0;
    for (int32_t l = emit->graph->layer_count - 1; l >= 0; l--) {
        const vdnn_layer *layer = &emit->graph->layers[l];
        if (layer->trainable_bytes == 0 || !vdnn_graph_ends_gradient(emit->graph, layer))
            continue;
        emit->buckets.blocks[count++] = layer->owner;
        *bytes += aligned(layer->trainable_bytes);
    }
    return count;
}

/* Also a block that is in its bucket through all micro-batches, which add to it. */
static bool is_alone(const vdnn_emitter *emit, const vdnn_layer *block)
{
    return emit->decisions->param_gradients[block->index] != VDNN_TIER_DEVICE ||
           vdnn_layer_summed_bytes(block) == 0 ||
           (block->def->adds_gradient && emit->graph->micro_batches > 1);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_full(const vdnn_emitter *emit, const vdnn_bucket *bucket, size_t left)
{
    const size_t decided = emit->decisions->buckets.bytes, least = decided / LEAST_SHARE,
                 due = smaller(decided, left);
    return bucket->bytes >= (due > least ? due : least);
}

static void put(vdnn_emitter *emit, vdnn_bucket *bucket, const vdnn_layer *block)
{
    const size_t first = aligned(bucket->bytes);
    emit->buckets.of[block->index] = (int32_t)(bucket - emit->buckets.list);
    emit->buckets.offset[block->index] = first;
    bucket->bytes = first + block->trainable_bytes;
    bucket->summed = first + vdnn_layer_summed_bytes(block);
    bucket->count++;
}

void vdnn_buckets_init(vdnn_emitter *emit)
{
    const size_t layers = (size_t)emit->graph->layer_count;
    vdnn_region *region = &emit->builder->region;
    if (!emit->training || emit->graph->devices == 1)
        return;
    emit->buckets.blocks = vdnn_region_take(region, layers, sizeof *emit->buckets.blocks);
    emit->buckets.list = vdnn_region_take(region, layers, sizeof *emit->buckets.list);
    emit->buckets.of = vdnn_region_take(region, layers, sizeof *emit->buckets.of);
    emit->buckets.offset = vdnn_region_take(region, layers, sizeof *emit->buckets.offset);
    if (region->failed)
        return;
    size_t left = 0;
    const int32_t count = list_blocks(emit, &left);
    for (int32_t i = 0; i < count; emit->buckets.count++) {
        vdnn_bucket *bucket = &emit->buckets.list[emit->buckets.count];
        *bucket = (vdnn_bucket){.first = i, .buffer = NONE};
        do {
            put(emit, bucket, block_at(emit, i));
            left -= aligned(block_at(emit, i)->trainable_bytes);
            i++;
        } while (i < count && !is_alone(emit, block_at(emit, i - 1)) &&
                 !is_alone(emit, block_at(emit, i)) && !is_full(emit, bucket, left));
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Whether a layer of the same block writes another gradient after that of this part of `layer`. */
static bool is_written_later(const vdnn_emitter *emit, const vdnn_layer *layer,
                             const vdnn_layer *other)
{
    const bool is_part_left = emit->part + (int32_t)layer->channel_parts <
                              vdnn_graph_part_count(emit->graph, layer->index);
    return !other->def->adds_gradient &&
           (!vdnn_emitter_is_last_micro(emit) || other->index < layer->index ||
            (other == layer && is_part_left));
}

bool vdnn_buckets_takes(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t l = layer->is_tied ? 0 : layer->index;
    const int32_t end = layer->is_tied ? emit->graph->layer_count : l + 1;
    const vdnn_layer *layers = emit->graph->layers;
    while (l < end &&
           (layers[l].owner != layer->owner || !is_written_later(emit, layer, &layers[l])))
        l++;
    return emit->buckets.count > 0 && l == end && !layer->adds_dw;
}

vdnn_place vdnn_buckets_place(vdnn_emitter *emit, const vdnn_layer *owner)
{
    vdnn_bucket *bucket = &emit->buckets.list[emit->buckets.of[owner->index]];
    if (bucket->buffer == NONE)
        bucket->buffer = vdnn_emitter_buffer(emit, VDNN_CLASS_WEIGHT_GRADIENT, VDNN_TIER_DEVICE,
                                             bucket->bytes, owner->index, NONE, owner->name)
                             .buffer;
    return (vdnn_place){.buffer = bucket->buffer,
                        .writer = NONE,
                        .first = emit->buckets.offset[owner->index],
                        .bytes = owner->trainable_bytes};
}

/* Memory that a sum takes beside the bucket: in the host tier, to where the step copies what it
 * sums, and from where the sums; or on the device that sums all, for what the others send it. */
static void stage(vdnn_emitter *emit, int32_t step, const vdnn_bucket *bucket,
                  const vdnn_layer *last)
{
    const bool is_host = emit->graph->reduce == VDNN_REDUCE_HOST;
    const size_t copies = is_host ? 1 : (size_t)emit->graph->devices - 1;
    vdnn_place staged =
        vdnn_emitter_buffer(emit, VDNN_CLASS_WORKSPACE, is_host ? VDNN_TIER_HOST : VDNN_TIER_DEVICE,
                            copies * bucket->summed, last->index, NONE, last->name);
    vdnn_emitter_write(emit, step, &staged, VDNN_BIND_STAGED, 0);
}

/* Between the blocks lie bytes that align them, and running statistics, which were used before. A
 * block that is alone may have been elsewhere, and come back to another buffer, since it began. */
static void emit_reduce(vdnn_emitter *emit, const vdnn_bucket *bucket, const vdnn_layer *last)
{
    if (vdnn_layer_summed_bytes(last) == 0)
        return;
    int32_t step =
        vdnn_emitter_step(emit, VDNN_STEP_REDUCE, last->index, VDNN_BACKWARD_FILTER, last->name);
    if (emit->builder->failed)
        return;
    vdnn_place all = {.buffer = emit->params.gradients[last->index].buffer,
                      .writer = emit->params.gradients[last->index].writer,
                      .bytes = bucket->summed};
    emit->builder->steps[step].bytes = bucket->summed;
    vdnn_emitter_change(emit, step, &all, VDNN_BIND_DST);
    vdnn_builder_wait_for(emit->builder, step, emit->last_compute); /* which may read statistics */
    if (emit->graph->reduce == VDNN_REDUCE_HOST || emit->graph->gathers)
        stage(emit, step, bucket, last);
    for (int32_t i = 0; i < bucket->count; i++)
        emit->params.gradients[emit->buckets.blocks[bucket->first + i]].writer = step;
}

bool vdnn_buckets_hand_in(vdnn_emitter *emit, const vdnn_layer *owner)
{
    const vdnn_bucket *bucket = &emit->buckets.list[emit->buckets.of[owner->index]];
    if (emit->buckets.blocks[bucket->first + bucket->count - 1] != owner->index)
        return false;
    emit_reduce(emit, bucket, owner);
    emit->buckets.full++;
    return true;
}
