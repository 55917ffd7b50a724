#include "alloc/allocator.h"
#include "layers/cpu/library.h"
#include "layers/cpu/threads.h"
#include "runtime/base/heap.h"
#include "runtime/base/machine/simd.h"
#include "runtime/device/cpu/copy.h"
#include "runtime/device/cpu/streams.h"
#include "runtime/device/cpu/team.h"
#include "runtime/device/device_backend.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/*
 *   device tier:  count -> limit (the machine's memory) -> mapmem
 *   host tier:    count -> hostmem; the staging blocks too
 */
typedef struct cpu_device {
    int threads;
    vdnn_cpu_streams *streams;
    vdnn_allocator *memory[VDNN_DEVICE_TIERS];
    void *block[VDNN_DEVICE_TIERS];
    size_t bytes[VDNN_DEVICE_TIERS];
    size_t locked_bytes;
} cpu_device;

/* ---- opening --------------------------------------------------------------------------------- */

/* From the processor itself, since /proc may be missing or unreadable: the name is part of a
 * profile's key. */
static void read_processor_name(char *name, size_t size)
{
    unsigned words[13] = {0};
#if VDNN_SIMD_X86
    enum { LEAVES = 3, WORDS = 4 };
    for (unsigned i = 0; i < LEAVES; i++)
        (void)__get_cpuid(0x80000002U + i, &words[WORDS * i], &words[WORDS * i + 1],
                          &words[WORDS * i + 2], &words[WORDS * i + 3]);
#endif
    char text[sizeof words];
    memcpy(text, words, sizeof text);
    const char *first = text + strspn(text, " ");
    size_t length = strlen(first);
    while (length > 0 && first[length - 1] == ' ')
        length--;
    (void)snprintf(name, size, "%.*s", (int)length, length == 0 ? "" : first);
    if (length == 0)
        (void)snprintf(name, size, "unknown processor");
}

static void describe(const vdnn_device_options *options, vdnn_device_properties *properties)
{
    const char *limit;
    *properties = (vdnn_device_properties){
        .kind = "cpu",
        .memory_bytes = vdnn_memory_total(),
        .free_bytes = vdnn_memory_available(&limit),
        .shares_host_memory = true,
        .sums_on_host = true,
        .threads = vdnn_device_host_threads(options),
    };
    read_processor_name(properties->name, sizeof properties->name);
    (void)vdnn_cpu_library_text(properties->library, sizeof properties->library);
}

static vdnn_status create_memory(cpu_device *device, size_t limit_bytes)
{
    vdnn_allocator *chain = NULL;
    VDNN_TRY(vdnn_mapmem_create(&chain));
    VDNN_TRY(vdnn_limit_create(chain, limit_bytes, &chain));
    VDNN_TRY(vdnn_count_create(chain, &device->memory[VDNN_TIER_DEVICE]));
    VDNN_TRY(vdnn_hostmem_create(&chain));
    return vdnn_count_create(chain, &device->memory[VDNN_TIER_HOST]);
}

static void cpu_close(void *state);

static vdnn_status cpu_open(const char *instance, const vdnn_device_options *options,
                            vdnn_device_properties *properties, void **state)
{
    if (*instance != '\0')
        return vdnn_status_fail(VDNN_DEVICE, "there is one cpu device and no \"cpu:%s\"", instance);
    cpu_device *device = vdnn_heap_calloc(1, sizeof *device);
    if (device == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cpu: no memory for the device");
    describe(options, properties);
    device->threads = properties->threads;
    vdnn_status status =
        vdnn_cpu_team_check(properties->threads, options->devices > 1 ? options->devices : 1);
    VDNN_IF_OK(status, create_memory(device, properties->memory_bytes));
    VDNN_IF_OK(status, vdnn_cpu_streams_create(properties->threads, &device->streams));
    if (status != VDNN_OK) {
        cpu_close(device);
        return status;
    }
    *state = device;
    return VDNN_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void release(cpu_device *device, vdnn_tier tier)
{
    if (tier == VDNN_TIER_HOST && device->block[tier] != NULL) {
        vdnn_unlock_pages(device->block[tier], device->locked_bytes);
        device->locked_bytes = 0;
    }
    vdnn_allocator_free(device->memory[tier], device->block[tier], device->bytes[tier]);
    device->block[tier] = NULL;
    device->bytes[tier] = 0;
}

static void cpu_close(void *state)
{
    cpu_device *device = state;
    vdnn_cpu_streams_destroy(device->streams);
    for (int i = 0; i < VDNN_DEVICE_TIERS; i++) {
        release(device, (vdnn_tier)i);
        vdnn_allocator_destroy(device->memory[i]);
    }
    vdnn_heap_free(device);
}

/* The system overcommits: a page is backed once it is written. Doing so now shows how much is left
 * for the next block, and keeps page faults out of the steps. Small pages: huge ones took twice as
 * long on virtual machines, which back them one by one, and sped no step up. */
static void touch_pages(void *block, size_t bytes, int threads)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *at = block;
    threads = vdnn_cpu_threads_of_caller(threads);
    (void)threads; /* read by OpenMP alone */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < bytes; i += page)
        at[i] = 0;
}

static vdnn_status cpu_reserve(void *state, vdnn_tier tier, size_t bytes, void **base,
                               size_t *locked_bytes)
{
    cpu_device *device = state;
    release(device, tier);
    if (bytes == 0)
        return VDNN_OK;
    const char *limit;
    size_t available = vdnn_memory_available(&limit);
    if (bytes > available)
        return vdnn_status_fail(VDNN_DEVICE, "cpu: the %s tier needs %zu bytes, but %s leaves %zu",
                                vdnn_tier_text(tier), bytes, limit, available);
    void *block = NULL;
    if (vdnn_allocator_alloc(device->memory[tier], bytes, &block) != VDNN_OK)
        return vdnn_status_prefix(VDNN_DEVICE, "cpu: the %s tier", vdnn_tier_text(tier));
    size_t locked = 0;
    if (tier == VDNN_TIER_HOST)
        vdnn_lock_pages(block, bytes, &locked);
    if (locked < bytes)
        touch_pages((char *)block + locked, bytes - locked, device->threads);
    device->block[tier] = block;
    device->bytes[tier] = bytes;
    if (tier == VDNN_TIER_HOST)
        device->locked_bytes = locked;
    *base = block;
    *locked_bytes = locked;
    return VDNN_OK;
}

static vdnn_status cpu_stage(void *state, size_t bytes, void **block)
{
    cpu_device *device = state;
    void *fresh = NULL;
    vdnn_status status = vdnn_allocator_alloc(device->memory[VDNN_TIER_HOST], bytes, &fresh);
    if (status != VDNN_OK)
        return vdnn_status_prefix(VDNN_DEVICE, "cpu: a staging block");
    size_t locked;
    vdnn_lock_pages(fresh, bytes, &locked);
    *block = fresh;
    return VDNN_OK;
}

static void cpu_unstage(void *state, void *block, size_t bytes)
{
    cpu_device *device = state;
    vdnn_unlock_pages(block, bytes);
    vdnn_allocator_free(device->memory[VDNN_TIER_HOST], block, bytes);
}

static size_t cpu_allocation_count(const void *state)
{
    const cpu_device *device = state;
    size_t count = 0;
    for (int i = 0; i < VDNN_DEVICE_TIERS; i++)
        count += vdnn_count_read(device->memory[i]).alloc_count;
    return count;
}

/* ---- streams --------------------------------------------------------------------------------- */

static vdnn_cpu_streams *streams_of(void *state)
{
    return ((cpu_device *)state)->streams;
}

static vdnn_status cpu_resize(void *state, int32_t event_count)
{
    return vdnn_cpu_streams_resize(streams_of(state), event_count);
}

static vdnn_status cpu_round(void *state, int place, bool timed)
{
    vdnn_cpu_streams_round(streams_of(state), place, timed);
    return VDNN_OK;
}

static vdnn_status cpu_enqueue(void *state, const vdnn_device_work *work)
{
    vdnn_cpu_streams_enqueue(streams_of(state), work);
    return VDNN_OK;
}

static void cpu_wait(void *state, int place, int32_t event)
{
    vdnn_cpu_streams_wait(streams_of(state), place, event);
}

static vdnn_status cpu_finish(void *state, int place)
{
    return vdnn_cpu_streams_finish(streams_of(state), place);
}

static const vdnn_device_moved *cpu_moved(const void *state, int place)
{
    return vdnn_cpu_streams_moved(((const cpu_device *)state)->streams, place);
}

static void cpu_times(const void *state, int place, int32_t event, double *start, double *end)
{
    vdnn_cpu_streams_times(((const cpu_device *)state)->streams, place, event, start, end);
}

static double cpu_began(const void *state, int place)
{
    return vdnn_cpu_streams_began(((const cpu_device *)state)->streams, place);
}

static vdnn_status cpu_transfer(void *state, void *to, const void *from, size_t bytes)
{
    (void)state;
    vdnn_cpu_copy(to, from, bytes);
    return VDNN_OK;
}

static vdnn_status cpu_digest(const void *state, const void *from, size_t bytes, void *stream,
                              uint64_t *digest)
{
    (void)state;
    (void)stream;
    *digest = XXH3_64bits(from, bytes);
    return VDNN_OK;
}

/* Only the worst: the others follow from it. */
static const char *cpu_lack(const char *instance, vdnn_dtype dtype, size_t i)
{
    (void)instance;
    return i == 0 ? vdnn_cpu_library_lack(dtype) : NULL;
}

const vdnn_device_backend vdnn_device_cpu = {
    .kind = "cpu",
    .preferred = vdnn_cpu_library_layout,
    .fuses_relu = true,
    .lack = cpu_lack,
    .open = cpu_open,
    .close = cpu_close,
    .resize = cpu_resize,
    .reserve = cpu_reserve,
    .stage = cpu_stage,
    .unstage = cpu_unstage,
    .round = cpu_round,
    .enqueue = cpu_enqueue,
    .wait = cpu_wait,
    .finish = cpu_finish,
    .moved = cpu_moved,
    .times = cpu_times,
    .began = cpu_began,
    .transfer = cpu_transfer,
    .digest = cpu_digest,
    .allocation_count = cpu_allocation_count,
};
