#include "runtime/device/cuda/memory.h"

#include "layers/cuda/fft.h"
#include "layers/cuda/stream.h"
#include "runtime/base/heap.h"

vdnn_status vdnn_cuda_memory_init(const struct cudaDeviceProp *card, vdnn_cuda_memory *memory)
{
    *memory = (vdnn_cuda_memory){0};
    return vdnn_cuda_pinned_create(card->pciDomainID, card->pciBusID, card->pciDeviceID,
                                   &memory->pinned);
}

void vdnn_cuda_memory_fini(vdnn_cuda_memory *memory)
{
    for (size_t i = 0; i < memory->staging_count; i++)
        vdnn_cuda_pinned_free(memory->pinned, &memory->staging[i]);
    vdnn_cuda_pinned_free(memory->pinned, &memory->host);
    vdnn_cuda_pinned_destroy(memory->pinned);
    vdnn_heap_free(memory->staging);
    if (memory->arena != NULL)
        (void)cudaFree(memory->arena);
    (void)cudaGetLastError();
    *memory = (vdnn_cuda_memory){0};
}

/* ---- the tiers ------------------------------------------------------------------------------- */

static vdnn_status fail_arena(size_t bytes)
{
    size_t free_bytes = 0, total_bytes = 0;
    (void)cudaGetLastError();
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
        (void)cudaGetLastError();
    return vdnn_status_fail(VDNN_DEVICE,
                            "cuda: the device tier needs %zu bytes, and the card has %zu free of "
                            "%zu; end other programs on it (nvidia-smi lists them), or ask for "
                            "less: --device-mem",
                            bytes, free_bytes, total_bytes);
}

static vdnn_status reserve_device(vdnn_cuda_memory *memory, size_t bytes, void **base)
{
    if (memory->arena != NULL && cudaFree(memory->arena) != cudaSuccess)
        (void)cudaGetLastError();
    vdnn_cuda_fft_trim(); /* the arena may take all memory */
    memory->arena = NULL;
    memory->arena_bytes = 0;
    if (bytes == 0)
        return VDNN_OK;
    void *arena = NULL;
    cudaError_t error = cudaMalloc(&arena, bytes);
    if (error == cudaErrorMemoryAllocation)
        return fail_arena(bytes);
    VDNN_TRY(vdnn_cuda_check("cudaMalloc", error));
    memory->arena = arena;
    memory->arena_bytes = bytes;
    memory->arena_count++;
    vdnn_status status = VDNN_CUDA_CALL(cudaMemset, arena, 0, bytes);
    VDNN_IF_OK(status, vdnn_cuda_check("cudaDeviceSynchronize", cudaDeviceSynchronize()));
    if (status == VDNN_OK)
        *base = arena;
    return status;
}

static vdnn_status reserve_host(vdnn_cuda_memory *memory, size_t bytes, void **base,
                                size_t *locked_bytes)
{
    vdnn_cuda_pinned_free(memory->pinned, &memory->host);
    if (bytes == 0)
        return VDNN_OK;
    const char *limit;
    size_t available = vdnn_memory_available(&limit);
    if (bytes > available)
        return vdnn_status_fail(VDNN_DEVICE,
                                "cuda: the host tier needs %zu bytes, but %s leaves %zu", bytes,
                                limit, available);
    if (vdnn_cuda_pinned_alloc(memory->pinned, bytes, &memory->host) != VDNN_OK)
        return vdnn_status_prefix(VDNN_DEVICE, "cuda: the host tier");
    *base = memory->host.at;
    *locked_bytes = memory->host.pinned_bytes;
    return VDNN_OK;
}

vdnn_status vdnn_cuda_memory_reserve(vdnn_cuda_memory *memory, vdnn_tier tier, size_t bytes,
                                     void **base, size_t *locked_bytes)
{
    return tier == VDNN_TIER_DEVICE ? reserve_device(memory, bytes, base)
                                    : reserve_host(memory, bytes, base, locked_bytes);
}

size_t vdnn_cuda_memory_free_bytes(void)
{
    enum { SCATTERED = 512 }; /* one of this many bytes may be in no block that is large enough */
    size_t free_bytes = 0, total_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return (free_bytes - free_bytes / SCATTERED) / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

/* ---- staging blocks -------------------------------------------------------------------------- */

static vdnn_cuda_pinned_block *free_staging(vdnn_cuda_memory *memory)
{
    for (size_t i = 0; i < memory->staging_count; i++)
        if (memory->staging[i].at == NULL)
            return &memory->staging[i];
    vdnn_cuda_pinned_block *more =
        vdnn_heap_realloc(memory->staging, memory->staging_count + 1, sizeof *memory->staging);
    if (more == NULL)
        return NULL;
    memory->staging = more;
    more[memory->staging_count] = (vdnn_cuda_pinned_block){0};
    return &more[memory->staging_count++];
}

vdnn_status vdnn_cuda_memory_stage(vdnn_cuda_memory *memory, size_t bytes, void **block)
{
    vdnn_cuda_pinned_block *own = free_staging(memory);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cuda: no memory to record a staging block");
    if (vdnn_cuda_pinned_alloc(memory->pinned, bytes, own) != VDNN_OK)
        return vdnn_status_prefix(VDNN_DEVICE, "cuda: a staging block");
    *block = own->at;
    return VDNN_OK;
}

void vdnn_cuda_memory_unstage(vdnn_cuda_memory *memory, const void *block)
{
    for (size_t i = 0; i < memory->staging_count; i++)
        if (memory->staging[i].at == block)
            vdnn_cuda_pinned_free(memory->pinned, &memory->staging[i]);
}

bool vdnn_cuda_memory_reaches(const vdnn_cuda_memory *memory, const void *block)
{
    for (size_t i = 0; i < memory->staging_count; i++)
        if (memory->staging[i].at == block)
            return memory->staging[i].pinned_bytes == memory->staging[i].bytes;
    return false;
}

/* ---- what there is --------------------------------------------------------------------------- */

bool vdnn_cuda_memory_is_on_card(const vdnn_cuda_memory *memory, const void *at)
{
    return (uintptr_t)at - (uintptr_t)memory->arena < memory->arena_bytes;
}

size_t vdnn_cuda_memory_count(const vdnn_cuda_memory *memory)
{
    return memory->arena_count + vdnn_cuda_pinned_count(memory->pinned);
}
