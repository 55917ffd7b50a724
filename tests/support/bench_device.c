#include "tests/support/bench_device.h"

#include "tests/support/vdnn_test.h"

enum { MARGIN = VDNN_BENCH_CANARY_BYTES, ALIGNMENT = 256, MOST_INPUTS = VDNN_BENCH_INPUTS };

typedef struct loan {
    vdnn_bench_buffer *const *buffers;
    size_t count;
    char *base;
    const vdnn_kernel *kernel;
    vdnn_kernel_args args;
    void *x[MOST_INPUTS], *dx[MOST_INPUTS];
} loan;

/* As on the CPU, where the buffer may be shifted. */
static size_t shift_of(const vdnn_bench_buffer *buffer)
{
    return (uintptr_t)buffer->data % VDNN_BENCH_ALIGNMENT;
}

/* The offset of buffer i's data on the device; of what follows the last one, how much they take. */
static size_t offset_of(const loan *own, size_t i)
{
    size_t offset = 0;
    for (size_t k = 0; k <= i; k++) {
        offset = (offset + MARGIN + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        offset += k < own->count ? shift_of(own->buffers[k]) : 0;
        if (k < i)
            offset += own->buffers[k]->bytes + MARGIN;
    }
    return offset;
}

static void *moved(const loan *own, const void *at)
{
    for (size_t i = 0; at != NULL && i < own->count; i++)
        if (own->buffers[i]->data == at)
            return own->base + offset_of(own, i);
    if (at != NULL)
        fail_msg("a kernel is lent memory that is in none of %zu buffers", own->count);
    return NULL;
}

static void move_args(loan *own, const vdnn_kernel_args *args)
{
    int32_t inputs = own->kernel->layer->input_count;
    own->args = *args;
    for (int32_t i = 0; i < inputs; i++) {
        own->x[i] = args->x == NULL ? NULL : moved(own, args->x[i]);
        own->dx[i] = args->dx == NULL ? NULL : moved(own, args->dx[i]);
    }
    own->args.x = args->x == NULL ? NULL : own->x;
    own->args.dx = args->dx == NULL ? NULL : own->dx;
    own->args.y = moved(own, args->y);
    own->args.dy = moved(own, args->dy);
    own->args.w = moved(own, args->w);
    own->args.dw = moved(own, args->dw);
    own->args.state = moved(own, args->state);
    own->args.aux = moved(own, args->aux);
    own->args.workspace = moved(own, args->workspace);
    own->args.labels = moved(own, args->labels);
}

static vdnn_status run(void *argument, void *stream)
{
    loan *own = argument;
    own->args.stream = stream;
    return vdnn_kernel_run(own->kernel, &own->args);
}

static vdnn_status launch(vdnn_device *device, loan *own, size_t bytes)
{
    vdnn_extent all = {VDNN_TIER_DEVICE, 0, bytes};
    vdnn_launch work = {.run = run, .argument = own, .extents = &all, .extent_count = 1};
    vdnn_status status = vdnn_device_round(device);
    if (status == VDNN_OK)
        status = vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &work);
    vdnn_status complete = vdnn_device_synchronize(device);
    return status == VDNN_OK ? complete : status;
}

/* The buffers with their canaries, there or back. */
static vdnn_status carry(vdnn_device *device, const loan *own, bool to_device)
{
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; status == VDNN_OK && i < own->count; i++) {
        unsigned char *here = own->buffers[i]->data - MARGIN;
        size_t offset = offset_of(own, i) - MARGIN, bytes = own->buffers[i]->bytes + 2 * MARGIN;
        status = to_device ? vdnn_device_write(device, VDNN_TIER_DEVICE, offset, here, bytes)
                           : vdnn_device_read(device, here, VDNN_TIER_DEVICE, offset, bytes);
    }
    return status;
}

vdnn_status vdnn_bench_device_run(vdnn_device *device, const vdnn_kernel *kernel,
                                  const vdnn_kernel_args *args, vdnn_bench_buffer *const *buffers,
                                  size_t count)
{
    loan own = {.buffers = buffers, .count = count, .kernel = kernel};
    size_t bytes = offset_of(&own, count);
    vdnn_status status = VDNN_OK;
    if (vdnn_device_tier_bytes(device, VDNN_TIER_DEVICE) < bytes)
        status = vdnn_device_reserve(device, VDNN_TIER_DEVICE, bytes);
    own.base = vdnn_device_base(device, VDNN_TIER_DEVICE);
    if (status == VDNN_OK)
        status = carry(device, &own, true);
    if (status != VDNN_OK)
        return status;
    move_args(&own, args);
    status = launch(device, &own, bytes);
    return status == VDNN_OK ? carry(device, &own, false) : status;
}
