#include "runtime/data/loader.h"

#include "alloc/heap.h"
#include "layers/stage.h"
#include "runtime/outside.h"
#include "runtime/random.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024 };

/* Batches are numbered from 0; batch b lives in slot b % slot_count.
 *
 *     released <= taken <= filled <= released + slot_count
 *     ...free | lent to the caller | ready | being filled, then free...
 *      released^               taken^  filled^
 */
struct vdnn_loader {
    vdnn_loader_request request;
    vdnn_loader_slot slots[VDNN_LOADER_MAX_SLOTS];
    uint64_t per_epoch;
    float *sample; /* one as read, where it is delivered in another data type; else NULL */
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    uint64_t filled, taken, released;
    vdnn_status failure; /* of the reader; batches before it are delivered first */
    char message[MESSAGE_BYTES];
    atomic_bool stop; /* also read between two samples, without the lock */
};

uint64_t vdnn_loader_batches_per_epoch(uint64_t count, int64_t batch, bool keep_remainder)
{
    uint64_t size = (uint64_t)batch;
    return count / size + (keep_remainder && count % size != 0 ? 1 : 0);
}

/* ---- the reader's thread --------------------------------------------------------------------- */

static vdnn_status fill(const vdnn_loader *loader, uint64_t number)
{
    const vdnn_loader_request *request = &loader->request;
    const vdnn_loader_slot *slot = &loader->slots[number % (uint64_t)request->slot_count];
    uint64_t global = request->first_batch + number, epoch = global / loader->per_epoch;
    uint64_t first = global % loader->per_epoch * (uint64_t)request->batch;
    uint64_t count = vdnn_dataset_count(request->dataset);
    for (int64_t i = 0; i < request->batch && !atomic_load(&loader->stop); i++) {
        uint64_t position = (first + (uint64_t)i) % count;
        uint64_t index = request->shuffle
                             ? vdnn_random_permute(request->seed, epoch, position, count)
                             : position;
        char *image = (char *)slot->images +
                      (size_t)(i * request->per_sample) * vdnn_dtype_bytes(request->dtype);
        float *pixels = loader->sample == NULL ? (float *)(void *)image : loader->sample;
        vdnn_status status = vdnn_dataset_read(request->dataset, index, pixels, &slot->labels[i]);
        if (status != VDNN_OK)
            return status;
        if (loader->sample != NULL)
            vdnn_stage_narrow(request->dtype, pixels, image, request->per_sample);
    }
    return VDNN_OK;
}

static bool all_filled(const vdnn_loader *loader)
{
    return loader->request.batch_limit != 0 && loader->filled == loader->request.batch_limit;
}

static void *reader(void *argument)
{
    vdnn_loader *loader = argument;
    uint64_t slots = (uint64_t)loader->request.slot_count;
    (void)pthread_mutex_lock(&loader->lock);
    for (;;) {
        while (!atomic_load(&loader->stop) && loader->filled == loader->released + slots)
            (void)pthread_cond_wait(&loader->changed, &loader->lock);
        if (atomic_load(&loader->stop) || all_filled(loader))
            break;
        uint64_t number = loader->filled;
        (void)pthread_mutex_unlock(&loader->lock);
        vdnn_status status = fill(loader, number);
        (void)pthread_mutex_lock(&loader->lock);
        if (status != VDNN_OK) {
            (void)snprintf(loader->message, sizeof loader->message, "%s", vdnn_status_message());
            loader->failure = status;
        } else {
            loader->filled++;
        }
        (void)pthread_cond_broadcast(&loader->changed);
        if (status != VDNN_OK)
            break;
    }
    (void)pthread_mutex_unlock(&loader->lock);
    return NULL;
}

/* ---- the caller's side ----------------------------------------------------------------------- */

vdnn_status vdnn_loader_create(const vdnn_loader_request *request, vdnn_loader **loader)
{
    uint64_t count = vdnn_dataset_count(request->dataset);
    VDNN_INVARIANT(request->batch, >, 0);
    VDNN_INVARIANT(request->per_sample, ==, vdnn_dataset_per_sample(request->dataset));
    VDNN_INVARIANT(request->slot_count, >, 0);
    VDNN_INVARIANT(request->slot_count, <=, VDNN_LOADER_MAX_SLOTS);
    uint64_t per_epoch =
        vdnn_loader_batches_per_epoch(count, request->batch, request->keep_remainder);
    if (per_epoch == 0)
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "data: %llu images are fewer than one batch of %lld; a batch of %llu fits",
            (unsigned long long)count, (long long)request->batch, (unsigned long long)count);
    vdnn_loader *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    bool direct = request->dtype == VDNN_F32;
    if (fresh != NULL && !direct)
        fresh->sample = vdnn_heap_calloc((size_t)request->per_sample, sizeof *fresh->sample);
    if (fresh == NULL || (!direct && fresh->sample == NULL)) {
        vdnn_heap_free(fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for a loader");
    }
    fresh->request = *request;
    memcpy(fresh->slots, request->slots, (size_t)request->slot_count * sizeof *fresh->slots);
    fresh->request.slots = fresh->slots;
    fresh->per_epoch = per_epoch;
    (void)pthread_mutex_init(&fresh->lock, NULL);
    (void)pthread_cond_init(&fresh->changed, NULL);
    int error = vdnn_outside_start_thread(&fresh->thread, reader, fresh);
    if (error != 0) {
        (void)pthread_cond_destroy(&fresh->changed);
        (void)pthread_mutex_destroy(&fresh->lock);
        vdnn_heap_free(fresh->sample);
        vdnn_heap_free(fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "data: cannot start the loader's thread: %s",
                                strerror(error));
    }
    *loader = fresh;
    return VDNN_OK;
}

/* The batch with this number, which is in its slot. */
static vdnn_loader_batch describe(const vdnn_loader *loader, uint64_t number)
{
    const vdnn_loader_request *request = &loader->request;
    const vdnn_loader_slot *slot = &loader->slots[number % (uint64_t)request->slot_count];
    uint64_t global = request->first_batch + number, size = (uint64_t)request->batch;
    uint64_t left = vdnn_dataset_count(request->dataset) - global % loader->per_epoch * size;
    return (vdnn_loader_batch){.images = slot->images,
                               .labels = slot->labels,
                               .epoch = global / loader->per_epoch,
                               .first_sample = global * size,
                               .valid = (int64_t)(left < size ? left : size)};
}

vdnn_status vdnn_loader_next(vdnn_loader *loader, vdnn_loader_batch *batch)
{
    vdnn_status status = VDNN_OK;
    (void)pthread_mutex_lock(&loader->lock);
    VDNN_INVARIANT(loader->taken - loader->released, <, loader->request.slot_count);
    while (loader->filled == loader->taken && loader->failure == VDNN_OK && !all_filled(loader))
        (void)pthread_cond_wait(&loader->changed, &loader->lock);
    if (loader->filled > loader->taken)
        *batch = describe(loader, loader->taken++);
    else if (loader->failure != VDNN_OK)
        status = vdnn_status_fail(loader->failure, "%s", loader->message);
    else
        status = vdnn_status_fail(VDNN_INTERNAL, "data: all %llu batches have been delivered",
                                  (unsigned long long)loader->taken);
    (void)pthread_mutex_unlock(&loader->lock);
    return status;
}

void vdnn_loader_release(vdnn_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    VDNN_INVARIANT(loader->released, <, loader->taken);
    loader->released++;
    (void)pthread_cond_broadcast(&loader->changed);
    (void)pthread_mutex_unlock(&loader->lock);
}

void vdnn_loader_destroy(vdnn_loader *loader)
{
    if (loader == NULL)
        return;
    (void)pthread_mutex_lock(&loader->lock);
    atomic_store(&loader->stop, true);
    (void)pthread_cond_broadcast(&loader->changed);
    (void)pthread_mutex_unlock(&loader->lock);
    (void)pthread_join(loader->thread, NULL);
    (void)pthread_cond_destroy(&loader->changed);
    (void)pthread_mutex_destroy(&loader->lock);
    vdnn_heap_free(loader->sample);
    vdnn_heap_free(loader);
}
