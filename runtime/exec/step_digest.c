#include "runtime/exec/step_digest.h"

#include "runtime/base/heap.h"

#include <xxhash.h>

enum { PIECE_BYTES = 1 << 20 };

typedef struct hasher {
    vdnn_device *device;
    const vdnn_buffer *buffer;
    char *piece; /* PIECE_BYTES */
    uint64_t sum;
} hasher;

/* Each range is hashed with the sum of those before it. */
static vdnn_status add_range(hasher *own, size_t first, size_t bytes)
{
    vdnn_status status = VDNN_OK;
    for (size_t done = 0; done < bytes && status == VDNN_OK; done += PIECE_BYTES) {
        const size_t count = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        status = vdnn_device_read(own->device, own->piece, own->buffer->tier,
                                  own->buffer->offset + first + done, count);
        own->sum = XXH3_64bits_withSeed(own->piece, count, own->sum);
    }
    return status;
}

static vdnn_status add_stripes(hasher *own, const vdnn_access *access)
{
    const vdnn_stripes at = vdnn_access_stripes(access);
    vdnn_status status = VDNN_OK;
    for (int64_t i = 0; i < at.count && status == VDNN_OK; i++)
        status = add_range(own, at.offset + (size_t)i * at.stride, at.bytes);
    return status;
}

/* The gradient of a layer's block has gaps between those of its parameters, which nobody writes; of
 * some rows of one there is none. */
static vdnn_status add_gradient(hasher *own, const vdnn_layer *layer, const vdnn_access *access)
{
    const bool is_whole = !layer->is_tied && access->bytes >= vdnn_layer_summed_bytes(layer);
    vdnn_status status = VDNN_OK;
    if (!is_whole)
        return add_range(own, access->first, access->bytes);
    for (int32_t p = 0; p < layer->param_count && status == VDNN_OK; p++) {
        const vdnn_param *param = &layer->params[p];
        if (param->trainable && param->offset + param->bytes <= access->bytes)
            status = add_range(own, access->first + param->offset, param->bytes);
    }
    return status;
}

static bool computes(vdnn_step_kind kind)
{
    static const bool kinds[VDNN_STEP_KIND_COUNT] = {
        [VDNN_STEP_RUN] = true,    [VDNN_STEP_RECOMPUTE] = true, [VDNN_STEP_ACCUMULATE] = true,
        [VDNN_STEP_UPDATE] = true, [VDNN_STEP_AVERAGE] = true,   [VDNN_STEP_GATHER] = true,
    };
    return kinds[kind];
}

static vdnn_status add_access(hasher *own, const vdnn_plan *plan, const vdnn_step *step,
                              const vdnn_access *access)
{
    const bool is_compared = (access->mode & VDNN_WRITE) != 0 &&
                             access->bind != VDNN_BIND_WORKSPACE && access->bind != VDNN_BIND_AUX &&
                             access->bind != VDNN_BIND_STAGED;
    own->buffer = &plan->buffers[access->buffer];
    if (!is_compared)
        return VDNN_OK;
    if (own->buffer->class == VDNN_CLASS_WEIGHT_GRADIENT && step->layer >= 0)
        return add_gradient(own, &plan->graph->layers[step->layer], access);
    return add_stripes(own, access);
}

vdnn_status vdnn_step_digest(const vdnn_plan *plan, vdnn_device *device, int32_t step,
                             uint64_t *digest)
{
    const vdnn_step *own = &plan->steps[step];
    *digest = 0;
    if (!computes(own->kind))
        return VDNN_OK;
    hasher fresh = {.device = device, .piece = vdnn_heap_calloc(1, PIECE_BYTES)};
    if (fresh.piece == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to hash what a step computed");
    vdnn_device_wait(device, step);
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < own->access_count && status == VDNN_OK; i++)
        status = add_access(&fresh, plan, own, &plan->accesses[own->first_access + i]);
    vdnn_heap_free(fresh.piece);
    *digest = fresh.sum;
    return status;
}
