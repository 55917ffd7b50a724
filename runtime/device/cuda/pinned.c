#include "runtime/device/cuda/pinned.h"

#include "layers/cuda/stream.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/device/cuda/place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TOUCHERS = 16, BYTES_FOR_A_TOUCHER = 64 << 20 };

struct vdnn_cuda_pinned {
    vdnn_allocator *memory;
    vdnn_cuda_place *place; /* NULL: not known */
    size_t drivers_count;   /* blocks that the driver allocated so far */
    size_t pageable_bytes;  /* of the existing blocks */
    char why[256];          /* they are pageable */
};

vdnn_status vdnn_cuda_pinned_create(int domain, int bus, int device, vdnn_cuda_pinned **pinned)
{
    vdnn_cuda_pinned *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cuda: no memory for the host tier");
    vdnn_allocator *mapped = NULL;
    vdnn_status status = vdnn_mapmem_create(&mapped);
    VDNN_IF_OK(status, vdnn_count_create(mapped, &fresh->memory));
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    fresh->place = vdnn_cuda_place_find(domain, bus, device);
    *pinned = fresh;
    return VDNN_OK;
}

void vdnn_cuda_pinned_destroy(vdnn_cuda_pinned *pinned)
{
    if (pinned == NULL)
        return;
    vdnn_cuda_place_free(pinned->place);
    vdnn_allocator_destroy(pinned->memory);
    vdnn_heap_free(pinned);
}

/* ---- touching -------------------------------------------------------------------------------- */

typedef struct toucher {
    pthread_t thread;
    char *at;
    size_t bytes, page;
} toucher;

static void *touch(void *argument)
{
    const toucher *own = argument;
    for (size_t i = 0; i < own->bytes; i += own->page)
        ((volatile char *)own->at)[i] = 0;
    return NULL;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The driver would touch the pages one after the other. If a thread cannot be created, this one
 * does its share. */
static void touch_all(char *at, size_t bytes)
{
    toucher touchers[MOST_TOUCHERS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN), page = sysconf(_SC_PAGESIZE);
    size_t others = processors < 1 ? 0 : (size_t)processors - 1; /* all but this thread's */
    size_t count = 1 + least(bytes / BYTES_FOR_A_TOUCHER, least(MOST_TOUCHERS - 1, others));
    size_t share = (bytes / count / (size_t)page + 1) * (size_t)page, started = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = least(i * share, bytes);
        touchers[i] =
            (toucher){.at = at + first, .bytes = least(share, bytes - first), .page = (size_t)page};
    }
    while (started + 1 < count &&
           vdnn_system_start_thread(&touchers[started].thread, touch, &touchers[started]) == 0)
        started++;
    for (size_t i = started; i < count; i++)
        (void)touch(&touchers[i]);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(touchers[i].thread, NULL);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static vdnn_status map(const vdnn_cuda_pinned *pinned, size_t bytes, vdnn_cuda_pinned_block *block)
{
    void *at = NULL;
    vdnn_status status = vdnn_allocator_alloc(pinned->memory, bytes, &at);
    if (status == VDNN_OK)
        *block = (vdnn_cuda_pinned_block){.at = at, .bytes = bytes};
    return status;
}

static void unmap(const vdnn_cuda_pinned *pinned, vdnn_cuda_pinned_block *block)
{
    vdnn_allocator_free(pinned->memory, block->at, block->bytes);
    *block = (vdnn_cuda_pinned_block){0};
}

static cudaError_t pin(const vdnn_cuda_pinned *pinned, vdnn_cuda_pinned_block *block)
{
    vdnn_cuda_place_bind(pinned->place, block->at, block->bytes);
    touch_all(block->at, block->bytes);
    cudaError_t error = cudaHostRegister(block->at, block->bytes,
                                         cudaHostRegisterPortable | cudaHostRegisterMapped);
    block->pinned_bytes = error == cudaSuccess ? block->bytes : 0;
    return error;
}

static cudaError_t alloc_by_driver(vdnn_cuda_pinned *pinned, size_t bytes,
                                   vdnn_cuda_pinned_block *block)
{
    void *at = NULL;
    vdnn_cuda_place_begin(pinned->place);
    cudaError_t error = cudaHostAlloc(&at, bytes, cudaHostAllocPortable);
    vdnn_cuda_place_end(pinned->place);
    if (error != cudaSuccess)
        return error;
    memset(at, 0, bytes);
    *block = (vdnn_cuda_pinned_block){
        .at = at, .bytes = bytes, .pinned_bytes = bytes, .is_drivers = true};
    pinned->drivers_count++;
    return cudaSuccess;
}

static void note_pageable(vdnn_cuda_pinned *pinned, size_t bytes, cudaError_t registering,
                          cudaError_t allocating)
{
    pinned->pageable_bytes += bytes;
    (void)snprintf(pinned->why, sizeof pinned->why, "cudaHostRegister: %s; cudaHostAlloc: %s",
                   cudaGetErrorString(registering), cudaGetErrorString(allocating));
}

vdnn_status vdnn_cuda_pinned_alloc(vdnn_cuda_pinned *pinned, size_t bytes,
                                   vdnn_cuda_pinned_block *block)
{
    vdnn_status status = map(pinned, bytes, block);
    if (status != VDNN_OK || bytes == 0)
        return status;
    cudaError_t registering = pin(pinned, block);
    if (registering == cudaSuccess)
        return VDNN_OK;
    unmap(pinned, block);
    cudaError_t allocating = alloc_by_driver(pinned, bytes, block);
    (void)cudaGetLastError();
    if (allocating == cudaSuccess)
        return VDNN_OK;
    status = map(pinned, bytes, block);
    if (status == VDNN_OK)
        note_pageable(pinned, bytes, registering, allocating);
    return status;
}

void vdnn_cuda_pinned_free(vdnn_cuda_pinned *pinned, vdnn_cuda_pinned_block *block)
{
    if (block->at == NULL)
        return;
    if (block->is_drivers) {
        (void)cudaFreeHost(block->at);
        (void)cudaGetLastError();
        *block = (vdnn_cuda_pinned_block){0};
        return;
    }
    pinned->pageable_bytes -= block->bytes - block->pinned_bytes;
    if (block->pinned_bytes > 0 && cudaHostUnregister(block->at) != cudaSuccess)
        (void)cudaGetLastError();
    unmap(pinned, block);
}

const char *vdnn_cuda_pinned_pageable(const vdnn_cuda_pinned *pinned, size_t *bytes)
{
    *bytes = pinned->pageable_bytes;
    return pinned->pageable_bytes > 0 ? pinned->why : NULL;
}

size_t vdnn_cuda_pinned_count(const vdnn_cuda_pinned *pinned)
{
    return vdnn_count_read(pinned->memory).alloc_count + pinned->drivers_count;
}
