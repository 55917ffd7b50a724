/* Waits for memory: where an address is used again and no dependency orders the two users, the
 * later one waits for the earlier one. */

#include "runtime/base/heap.h"
#include "runtime/planner/builder.h"

/* Accesses of each buffer, as lists through `next`. */
typedef struct access_index {
    int32_t *first, *next;
} access_index;

static vdnn_status access_index_init(const vdnn_builder *builder, access_index *index)
{
    index->first = vdnn_heap_calloc((size_t)builder->buffer_count + 1, sizeof *index->first);
    index->next = vdnn_heap_calloc((size_t)builder->access_count + 1, sizeof *index->next);
    if (index->first == NULL || index->next == NULL) {
        vdnn_heap_free(index->first);
        vdnn_heap_free(index->next);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d accesses",
                                (int)builder->access_count);
    }
    for (int32_t b = 0; b < builder->buffer_count; b++)
        index->first[b] = -1;
    for (int32_t i = builder->access_count - 1; i >= 0; i--) {
        int32_t buffer = builder->accesses[i].access.buffer;
        index->next[i] = index->first[buffer];
        index->first[buffer] = i;
    }
    return VDNN_OK;
}

/* The zones behind them are theirs. */
static bool share_bytes(const vdnn_buffer *a, const vdnn_buffer *b, size_t zone_bytes)
{
    return a->tier == b->tier &&
           a->offset < b->offset + vdnn_plan_span_bytes(b->bytes, zone_bytes) &&
           b->offset < a->offset + vdnn_plan_span_bytes(a->bytes, zone_bytes);
}

/* Every access of `later` that is not ordered behind `step` yet waits for it. */
static void order_behind(vdnn_builder *builder, const access_index *index, int32_t step,
                         int32_t later)
{
    for (int32_t i = index->first[later]; i >= 0; i = index->next[i])
        if (!vdnn_lifetime_before(builder, step, builder->accesses[i].step))
            vdnn_builder_wait_for(builder, builder->accesses[i].step, step);
}

vdnn_status vdnn_reuse_order(vdnn_builder *builder)
{
    access_index index;
    vdnn_status status = access_index_init(builder, &index);
    if (status != VDNN_OK)
        return status;
    for (int32_t i = 0; i < builder->access_count; i++) {
        int32_t step = builder->accesses[i].step, earlier = builder->accesses[i].access.buffer;
        if (builder->steps[step].stream == VDNN_STREAM_COMPUTE)
            continue; /* a lifetime ends no earlier than what the compute stream does with it */
        for (int32_t later = 0; later < builder->buffer_count; later++)
            if (builder->lifetimes[earlier].end <= builder->lifetimes[later].start &&
                share_bytes(&builder->buffers[earlier], &builder->buffers[later],
                            builder->zone_bytes))
                order_behind(builder, &index, step, later);
    }
    vdnn_heap_free(index.first);
    vdnn_heap_free(index.next);
    return vdnn_lifetime_clocks(builder);
}
