/* The CUDA device: a card's memory in one block, a stream of the card for each of the plan's, and
 * pinned host memory.
 *
 *     compute   |--- run ---|e0|--- run ---|e2| ...       in a timed round every operation ends
 *     out                      |--- copy ---|e1|          with an event; another stream's operation
 *     in                                      w(e1)|s|--- waits for it where the plan says so
 *
 * An operation begins when the one before it on its stream ended, except for the first of a round
 * and for one that has waited for another stream: these have a separate start event (s). An event
 * delays the next kernel, so there are no more than these; an untimed round has only the events
 * that others wait for, without times.
 *
 *     compute   |-- round 1 --------|d|-- round 2 --------|d|   a round is complete when the last
 *     out             |-- 1 --|d|           |-- 2 --|d|         event of each stream is (d)
 */

#include "layers/cpu/threads.h"
#include "layers/cuda/fft.h"
#include "layers/cuda/nccl.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/device/cuda/card.h"
#include "runtime/device/cuda/libraries.h"
#include "runtime/device/cuda/memory.h"
#include "runtime/device/cuda/names.h"
#include "runtime/device/device_backend.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

enum {
    BOUNCE_BYTES = 1 << 20,
    SCARCE_BYTES = 64 << 20 /* with less free memory, any failure may be for lack of it */
};

typedef struct operation {
    cudaEvent_t start, end, plain; /* the last keeps no time */
    vdnn_stream_id stream;
    cudaEvent_t begin; /* of this round: its start, or the end of the one before it; not owned */
    /* Of work on the host. */
    vdnn_status (*run)(void *argument, void *stream);
    void *argument;
    vdnn_first_error *error; /* of its round and stream */
} operation;

typedef struct device_round {
    operation *operations; /* by event */
    cudaEvent_t begin;
    bool timed;
    /* Per stream: the event after its last operation so far, NULL if that has none or there is no
     * operation; whether there is one; the event recorded when the round ends.
     */
    cudaEvent_t latest[VDNN_STREAM_COUNT];
    bool is_used[VDNN_STREAM_COUNT];
    cudaEvent_t last[VDNN_STREAM_COUNT];
    vdnn_device_moved
        moved; /* by copies that the driver accepted: done once the round is complete */
    vdnn_first_error error;
    vdnn_first_error host_errors[VDNN_STREAM_COUNT]; /* of work on the host, by stream */
} device_round;

typedef struct cuda_device {
    int ordinal;
    vdnn_cuda_stream streams[VDNN_STREAM_COUNT];
    device_round rounds[VDNN_DEVICE_ROUNDS]; /* by place */
    int32_t event_count;
    int under_way;      /* rounds */
    device_round *open; /* more may be enqueued into it; NULL: none */
    /* The same instant on the card's clock and on the machine's: when the card was last idle. */
    cudaEvent_t epoch;
    double epoch_seconds;
    vdnn_cuda_libraries libraries;
    vdnn_cuda_memory memory;
    void *bounce; /* a staging block */
    XXH3_state_t *hash;
} cuda_device;

/* The card is a property of the calling thread. */
static vdnn_status cuda_select(const void *state)
{
    const cuda_device *device = state;
    return VDNN_CUDA_CALL(cudaSetDevice, device->ordinal);
}

/* Kernels and libraries that are loaded late, or allocate memory temporarily, report its lack in
 * many ways: if the arena leaves little memory, the message of a failed call suggests a smaller
 * arena. */
static vdnn_status add_room(const cuda_device *device, vdnn_status status)
{
    size_t free_bytes = 0, total_bytes = 0, arena_bytes = device->memory.arena_bytes;
    char message[VDNN_STATUS_MESSAGE_BYTES];
    if (status == VDNN_OK || arena_bytes == 0)
        return status;
    (void)snprintf(message, sizeof message, "%s", vdnn_status_message());
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess || free_bytes >= SCARCE_BYTES) {
        (void)cudaGetLastError();
        return vdnn_status_fail(status, "%s", message);
    }
    return vdnn_status_fail(status,
                            "%s; %zu bytes of the card are free outside the arena of %zu: "
                            "--device-mem %zu leaves kernels and libraries more",
                            message, free_bytes, arena_bytes, arena_bytes / 8 * 7);
}

/* ---- opening --------------------------------------------------------------------------------- */

static vdnn_status open_round(device_round *own)
{
    vdnn_status status = VDNN_CUDA_CALL(cudaEventCreate, &own->begin);
    for (int i = 0; status == VDNN_OK && i < VDNN_STREAM_COUNT; i++)
        status = VDNN_CUDA_CALL(cudaEventCreateWithFlags, &own->last[i], cudaEventDisableTiming);
    return status;
}

static vdnn_status open_streams(cuda_device *device)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < VDNN_STREAM_COUNT; i++) {
        cudaStream_t *stream = &device->streams[i].handle;
        status = VDNN_CUDA_CALL(cudaStreamCreateWithFlags, stream, cudaStreamNonBlocking);
        if (status == VDNN_OK)
            vdnn_cuda_name_stream(*stream, vdnn_stream_text((vdnn_stream_id)i));
    }
    for (int i = 0; status == VDNN_OK && i < VDNN_DEVICE_ROUNDS; i++)
        status = open_round(&device->rounds[i]);
    return status == VDNN_OK ? VDNN_CUDA_CALL(cudaEventCreate, &device->epoch) : status;
}

static vdnn_status open_host(cuda_device *device, const struct cudaDeviceProp *card)
{
    device->hash = XXH3_createState();
    if (device->hash == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cuda: no memory to hash copies");
    VDNN_TRY(vdnn_cuda_memory_init(card, &device->memory));
    return vdnn_cuda_memory_stage(&device->memory, BOUNCE_BYTES, &device->bounce);
}

/* All of the process but the one that drives the card. */
static int free_threads(const vdnn_device_options *options)
{
    int others = vdnn_cpu_threads_default() - 1;
    return options->threads > 0 ? options->threads : others > 1 ? others : 1;
}

/* "..., cuBLAS 130200, no cuDNN" */
static void describe_libraries(const cuda_device *device, const char *card,
                               vdnn_device_properties *properties)
{
    char blas[32] = "no cuBLAS", dnn[32] = "no cuDNN";
    if (device->libraries.blas_version > 0)
        (void)snprintf(blas, sizeof blas, "cuBLAS %d", device->libraries.blas_version);
    if (device->libraries.dnn_version > 0)
        (void)snprintf(dnn, sizeof dnn, "cuDNN %zu", device->libraries.dnn_version);
    (void)snprintf(properties->library, sizeof properties->library, "%s, %s, %s", card, blas, dnn);
}

/* After the libraries have allocated their memory. */
static vdnn_status describe(const cuda_device *device, const vdnn_cuda_card *card,
                            const vdnn_device_options *options, vdnn_device_properties *properties)
{
    size_t free_bytes = 0, total_bytes = 0;
    VDNN_TRY(VDNN_CUDA_CALL(cudaMemGetInfo, &free_bytes, &total_bytes));
    *properties = (vdnn_device_properties){
        .kind = "cuda",
        .memory_bytes = total_bytes,
        .free_bytes = vdnn_cuda_memory_free_bytes(),
        .taken_bytes = total_bytes - free_bytes,
        .has_link = true,
        .loads_late = true,
        .cache_bytes = (size_t)card->properties.l2CacheSize,
        .multiprocessors = card->properties.multiProcessorCount,
        .enqueues = true,
        .threads = 1,
        .free_threads = free_threads(options),
    };
    char versions[VDNN_CUDA_CARD_TEXT_BYTES];
    (void)snprintf(properties->name, sizeof properties->name, "%.*s",
                   (int)sizeof properties->name - 1, card->properties.name);
    describe_libraries(device, vdnn_cuda_card_text(card, versions), properties);
    return VDNN_OK;
}

static void cuda_close(void *state);

static vdnn_status cuda_open(const char *instance, const vdnn_device_options *options,
                             vdnn_device_properties *properties, void **state)
{
    vdnn_cuda_card card;
    cuda_device *device = vdnn_heap_calloc(1, sizeof *device);
    if (device == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cuda: no memory for the device");
    vdnn_status status = vdnn_cuda_card_open(instance, &card);
    if (status == VDNN_OK) {
        device->ordinal = card.ordinal;
        status = open_streams(device);
    }
    VDNN_IF_OK(status,
               vdnn_cuda_libraries_open(&device->streams[VDNN_STREAM_COMPUTE], &device->libraries));
    VDNN_IF_OK(status, open_host(device, &card.properties));
    VDNN_IF_OK(status, describe(device, &card, options, properties));
    if (status != VDNN_OK) {
        cuda_close(device);
        return status;
    }
    *state = device;
    return VDNN_OK;
}

/* ---- closing: what fails is forgotten, as the card is given back in any case ------------------
 */

static void destroy_event(cudaEvent_t event)
{
    if (event != NULL)
        (void)cudaEventDestroy(event);
}

static void destroy_operations(operation *operations, int32_t count)
{
    for (int32_t i = 0; operations != NULL && i < count; i++) {
        destroy_event(operations[i].start);
        destroy_event(operations[i].end);
        destroy_event(operations[i].plain);
    }
    vdnn_heap_free(operations);
}

static void close_round(const device_round *own, int32_t event_count)
{
    destroy_operations(own->operations, event_count);
    destroy_event(own->begin);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        destroy_event(own->last[i]);
}

static void cuda_close(void *state)
{
    cuda_device *device = state;
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        close_round(&device->rounds[i], device->event_count);
    vdnn_cuda_libraries_close(&device->streams[VDNN_STREAM_COMPUTE], &device->libraries);
    destroy_event(device->epoch);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        if (device->streams[i].handle != NULL)
            (void)cudaStreamDestroy(device->streams[i].handle);
    vdnn_cuda_memory_fini(&device->memory);
    if (device->hash != NULL)
        (void)XXH3_freeState(device->hash);
    (void)cudaGetLastError();
    vdnn_heap_free(device);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static vdnn_status cuda_reserve(void *state, vdnn_tier tier, size_t bytes, void **base,
                                size_t *locked_bytes)
{
    cuda_device *device = state;
    return vdnn_cuda_memory_reserve(&device->memory, tier, bytes, base, locked_bytes);
}

static vdnn_status cuda_stage(void *state, size_t bytes, void **block)
{
    cuda_device *device = state;
    return vdnn_cuda_memory_stage(&device->memory, bytes, block);
}

static size_t cuda_free_bytes(const void *state)
{
    (void)state;
    return vdnn_cuda_memory_free_bytes();
}

static void cuda_unstage(void *state, void *block, size_t bytes)
{
    (void)bytes;
    cuda_device *device = state;
    vdnn_cuda_memory_unstage(&device->memory, block);
}

static bool cuda_reaches(const void *state, const void *block)
{
    return vdnn_cuda_memory_reaches(&((const cuda_device *)state)->memory, block);
}

static const char *cuda_pageable(const void *state, size_t *bytes)
{
    return vdnn_cuda_pinned_pageable(((const cuda_device *)state)->memory.pinned, bytes);
}

static size_t cuda_allocation_count(const void *state)
{
    return vdnn_cuda_memory_count(&((const cuda_device *)state)->memory);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static vdnn_status create_operations(int32_t count, operation **operations)
{
    operation *fresh = vdnn_heap_calloc((size_t)count, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cuda: no memory for %d events", count);
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < count; i++) {
        status = VDNN_CUDA_CALL(cudaEventCreate, &fresh[i].start);
        VDNN_IF_OK(status, VDNN_CUDA_CALL(cudaEventCreate, &fresh[i].end));
        VDNN_IF_OK(status, VDNN_CUDA_CALL(cudaEventCreateWithFlags, &fresh[i].plain,
                                          cudaEventDisableTiming));
    }
    if (status == VDNN_OK)
        *operations = fresh;
    else
        destroy_operations(fresh, count);
    return status;
}

static vdnn_status cuda_resize(void *state, int32_t event_count)
{
    cuda_device *device = state;
    operation *fresh[VDNN_DEVICE_ROUNDS] = {NULL};
    vdnn_status status = VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < VDNN_DEVICE_ROUNDS; i++)
        status = create_operations(event_count, &fresh[i]);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        if (status == VDNN_OK) {
            destroy_operations(device->rounds[i].operations, device->event_count);
            device->rounds[i].operations = fresh[i];
        } else {
            destroy_operations(fresh[i], event_count);
        }
    if (status == VDNN_OK)
        device->event_count = event_count;
    return status;
}

/* Closes the round: records an event on each stream that has none after its last operation. */
static void end_round(cuda_device *device)
{
    device_round *own = device->open;
    device->open = NULL;
    for (int i = 0; own != NULL && i < VDNN_STREAM_COUNT; i++)
        if (own->is_used[i] && own->latest[i] == NULL) {
            own->latest[i] = own->last[i];
            vdnn_first_error_keep(&own->error, VDNN_CUDA_CALL(cudaEventRecord, own->last[i],
                                                              device->streams[i].handle));
        }
}

static double host_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* An idle card completes it at once. */
static vdnn_status record_epoch(cuda_device *device)
{
    vdnn_status status =
        VDNN_CUDA_CALL(cudaEventRecord, device->epoch, device->streams[VDNN_STREAM_COMPUTE].handle);
    device->epoch_seconds = host_seconds();
    return status;
}

static vdnn_status cuda_round(void *state, int place, bool timed)
{
    cuda_device *device = state;
    device_round *own = &device->rounds[place];
    vdnn_status status = VDNN_OK;
    end_round(device);
    if (device->under_way == 0)
        status = record_epoch(device);
    if (status == VDNN_OK && timed)
        status = VDNN_CUDA_CALL(cudaEventRecord, own->begin,
                                device->streams[VDNN_STREAM_COMPUTE].handle);
    if (status != VDNN_OK)
        return status;
    memset(own->latest, 0, sizeof own->latest);
    memset(own->is_used, 0, sizeof own->is_used);
    own->timed = timed;
    own->moved = (vdnn_device_moved){{{0}}};
    device->open = own;
    device->under_way++;
    return VDNN_OK;
}

/* What others wait for. */
static cudaEvent_t end_of(const device_round *own, const operation *work)
{
    return own->timed ? work->end : work->plain;
}

/* A stream runs in order; only operations of others must be waited for. */
static vdnn_status enqueue_begin(const cuda_device *device, const vdnn_device_work *work)
{
    const device_round *its = &device->rounds[work->place];
    operation *own = &its->operations[work->event];
    cudaStream_t stream = device->streams[work->stream].handle;
    vdnn_status status = VDNN_OK;
    own->stream = work->stream;
    own->begin = its->latest[work->stream];
    for (int32_t i = 0; status == VDNN_OK && i < work->wait_count; i++) {
        const operation *earlier = &its->operations[work->waits[i]];
        if (earlier->stream == work->stream)
            continue;
        status = VDNN_CUDA_CALL(cudaStreamWaitEvent, stream, end_of(its, earlier), 0);
        own->begin = NULL;
    }
    if (!its->timed || own->begin != NULL || status != VDNN_OK)
        return status;
    own->begin = own->start;
    return VDNN_CUDA_CALL(cudaEventRecord, own->start, stream);
}

static enum cudaMemcpyKind kind_of(const cuda_device *device, const void *to, const void *from)
{
    static const enum cudaMemcpyKind kinds[2][2] = {
        {cudaMemcpyHostToHost, cudaMemcpyHostToDevice},
        {cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice}};
    return kinds[vdnn_cuda_memory_is_on_card(&device->memory, from)]
                [vdnn_cuda_memory_is_on_card(&device->memory, to)];
}

/* On a thread of the driver's, which may call no function of CUDA. */
static void CUDART_CB run_on_host(void *argument)
{
    const operation *own = argument;
    if (own->error->status == VDNN_OK)
        vdnn_first_error_keep(own->error, own->run(own->argument, NULL));
}

static vdnn_status enqueue_host_work(cuda_device *device, const vdnn_device_work *work)
{
    device_round *its = &device->rounds[work->place];
    operation *own = &its->operations[work->event];
    own->run = work->run;
    own->argument = work->argument;
    own->error = &its->host_errors[work->stream];
    return VDNN_CUDA_CALL(cudaLaunchHostFunc, device->streams[work->stream].handle, run_on_host,
                          own);
}

static vdnn_status enqueue_work(cuda_device *device, const vdnn_device_work *work)
{
    vdnn_cuda_stream *stream = &device->streams[work->stream];
    if (work->run != NULL && !work->on_host)
        return work->run(work->argument, stream);
    if (work->bytes == 0)
        return VDNN_OK;
    vdnn_status status =
        work->on_host ? enqueue_host_work(device, work)
                      : VDNN_CUDA_CALL(cudaMemcpyAsync, work->to, work->from, work->bytes,
                                       kind_of(device, work->to, work->from), stream->handle);
    if (status == VDNN_OK)
        device->rounds[work->place].moved.bytes[work->from_end][work->to_end] += work->bytes;
    return status;
}

static bool has_failed(const cuda_device *device)
{
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        if (device->rounds[i].error.status != VDNN_OK)
            return true;
    return false;
}

/* After an error only events are enqueued, so that waits for them end. */
static vdnn_status cuda_enqueue(void *state, const vdnn_device_work *work)
{
    cuda_device *device = state;
    device_round *its = &device->rounds[work->place];
    cudaEvent_t end = work->awaited ? end_of(its, &its->operations[work->event]) : NULL;
    if (work->observer != NULL)
        work->observer->begin(work->observer->argument, work->event);
    vdnn_first_error_keep(&its->error, cuda_select(device));
    vdnn_status status = enqueue_begin(device, work);
    if (status == VDNN_OK && !has_failed(device))
        status = add_room(device, enqueue_work(device, work));
    vdnn_first_error_keep(&its->error, status);
    if (end != NULL)
        vdnn_first_error_keep(&its->error, VDNN_CUDA_CALL(cudaEventRecord, end,
                                                          device->streams[work->stream].handle));
    its->latest[work->stream] = end;
    its->is_used[work->stream] = true;
    if (work->observer != NULL)
        work->observer->end(work->observer->argument, work->event);
    return VDNN_OK;
}

static void cuda_wait(void *state, int place, int32_t event)
{
    device_round *own = &((cuda_device *)state)->rounds[place];
    vdnn_first_error_keep(
        &own->error, VDNN_CUDA_CALL(cudaEventSynchronize, end_of(own, &own->operations[event])));
}

/* An event may not have been recorded: then only the streams tell when all is complete. */
static void forget_errors(cuda_device *device)
{
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        (void)VDNN_CUDA_CALL(cudaStreamSynchronize, device->streams[i].handle);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++) {
        device->rounds[i].error.status = VDNN_OK;
        for (int k = 0; k < VDNN_STREAM_COUNT; k++)
            device->rounds[i].host_errors[k].status = VDNN_OK;
    }
}

static vdnn_status cuda_finish(void *state, int place)
{
    cuda_device *device = state;
    device_round *own = &device->rounds[place];
    if (device->open == own)
        end_round(device);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        if (own->is_used[i])
            vdnn_first_error_keep(&own->error,
                                  VDNN_CUDA_CALL(cudaEventSynchronize, own->latest[i]));
    device->under_way--;
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        vdnn_status status = vdnn_first_error_tell(&own->host_errors[i]);
        vdnn_first_error_keep(&own->error, status);
    }
    if (own->error.status == VDNN_OK)
        return VDNN_OK;
    vdnn_first_error error = own->error;
    forget_errors(device);
    return vdnn_first_error_tell(&error);
}

static const vdnn_device_moved *cuda_moved(const void *state, int place)
{
    return &((const cuda_device *)state)->rounds[place].moved;
}

static double seconds_between(cudaEvent_t from, cudaEvent_t to)
{
    float milliseconds = 0;
    if (cudaEventElapsedTime(&milliseconds, from, to) != cudaSuccess)
        (void)cudaGetLastError();
    return 1e-3 * (double)milliseconds;
}

static void cuda_times(const void *state, int place, int32_t event, double *start, double *end)
{
    const device_round *own = &((const cuda_device *)state)->rounds[place];
    *start = seconds_between(own->begin, own->operations[event].begin);
    *end = seconds_between(own->begin, own->operations[event].end);
}

static double cuda_began(const void *state, int place)
{
    const cuda_device *device = state;
    return device->epoch_seconds + seconds_between(device->epoch, device->rounds[place].begin);
}

/* ---- content --------------------------------------------------------------------------------- */

/* cudaMemcpy may return before pageable bytes have reached the card, and our streams do not wait
 * for the one it copies on. */
static vdnn_status cuda_transfer(void *state, void *to, const void *from, size_t bytes)
{
    cuda_device *device = state;
    if (bytes == 0)
        return VDNN_OK;
    cudaStream_t stream = device->streams[VDNN_STREAM_COMPUTE].handle;
    vdnn_status status =
        VDNN_CUDA_CALL(cudaMemcpyAsync, to, from, bytes, kind_of(device, to, from), stream);
    return status == VDNN_OK ? VDNN_CUDA_CALL(cudaStreamSynchronize, stream) : status;
}

/* Hashes at this point of the stream, so it waits for all before. The card's memory is copied over
 * in pieces, and both tiers are hashed alike. */
static vdnn_status cuda_digest(const void *state, const void *from, size_t bytes, void *stream,
                               uint64_t *digest)
{
    const cuda_device *device = state;
    cudaStream_t handle = ((const vdnn_cuda_stream *)stream)->handle;
    const char *at = from;
    vdnn_status status = VDNN_CUDA_CALL(cudaStreamSynchronize, handle);
    if (status == VDNN_OK && !vdnn_cuda_memory_is_on_card(&device->memory, from)) {
        *digest = XXH3_64bits(from, bytes);
        return VDNN_OK;
    }
    (void)XXH3_64bits_reset(device->hash);
    while (status == VDNN_OK && bytes > 0) {
        size_t piece = bytes < BOUNCE_BYTES ? bytes : BOUNCE_BYTES;
        status = VDNN_CUDA_CALL(cudaMemcpyAsync, device->bounce, at, piece, cudaMemcpyDeviceToHost,
                                handle);
        VDNN_IF_OK(status, VDNN_CUDA_CALL(cudaStreamSynchronize, handle));
        if (status == VDNN_OK)
            (void)XXH3_64bits_update(device->hash, device->bounce, piece);
        at += piece;
        bytes -= piece;
    }
    if (status == VDNN_OK)
        *digest = XXH3_64bits_digest(device->hash);
    return status;
}

/* ---- what it likes --------------------------------------------------------------------------- */

static vdnn_layout cuda_preferred(void)
{
    return VDNN_NCHW;
}

/* Tensor cores for tf32 and bf16 read adjacent channels. */
static vdnn_layout cuda_other(void)
{
    return VDNN_NHWC;
}

/* Each algorithm checks itself whether the card is new enough. */
static bool cuda_has_type(const char *instance, vdnn_dtype dtype)
{
    (void)instance;
    return dtype == VDNN_TF32;
}

/* Each library has algorithms that are the fastest. */
static const char *cuda_lack(const char *instance, vdnn_dtype dtype, size_t i)
{
    static const char *(*const libraries[])(void) = {vdnn_cuda_blas_lack, vdnn_cuda_dnn_lack,
                                                     vdnn_cuda_fft_lack};
    (void)instance;
    (void)dtype;
    for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++) {
        const char *lack = libraries[l]();
        if (lack != NULL && i-- == 0)
            return lack;
    }
    return NULL;
}

const vdnn_device_backend vdnn_device_cuda = {
    .kind = "cuda",
    .count = vdnn_cuda_card_count,
    .preferred = cuda_preferred,
    .other = cuda_other,
    .fuses_relu = true,
    .copies_weights = true,
    .has_type = cuda_has_type,
    .lack = cuda_lack,
    .sums_lack = vdnn_cuda_nccl_lack,
    .open = cuda_open,
    .close = cuda_close,
    .select = cuda_select,
    .resize = cuda_resize,
    .reserve = cuda_reserve,
    .free_bytes = cuda_free_bytes,
    .stage = cuda_stage,
    .unstage = cuda_unstage,
    .reaches = cuda_reaches,
    .pageable = cuda_pageable,
    .round = cuda_round,
    .enqueue = cuda_enqueue,
    .wait = cuda_wait,
    .finish = cuda_finish,
    .moved = cuda_moved,
    .times = cuda_times,
    .began = cuda_began,
    .transfer = cuda_transfer,
    .digest = cuda_digest,
    .allocation_count = cuda_allocation_count,
};
