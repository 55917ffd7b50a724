#include "runtime/data/loader.h"

#include "layers/stage.h"
#include "runtime/base/heap.h"
#include "runtime/base/numbers/random.h"
#include "runtime/base/nvtx.h"
#include "runtime/base/system.h"
#include "runtime/data/format.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MESSAGE_BYTES = 2048 };
enum { MOVED, NARROWED, BUFFERS }; /* what is done to a picture after it was in one */

/* The last word of the counters that shifts are drawn with. */
enum { STREAM_SHIFT = 0x7368 };

/* Another thread is started for a wait that is longer than this, and more than this share of the
 * time since the batch before. */
#define WAIT_SECONDS 1e-3
#define WAIT_SHARE 0.05

/* One reading thread. */
typedef struct worker {
    vdnn_loader *loader; /* borrowed */
    pthread_t thread;
    vdnn_scratch scratch;
    float *buffers[BUFFERS]; /* pictures before their pixels move, and before they are narrowed */
    void *labels;            /* before they move; NULL: they stay */
    vdnn_loader_read read;   /* of the batch that it is reading; no bytes: of none */
} worker;

/* Batches are numbered from 0; batch b is in slot b % slot_count. Free workers claim its samples
 * one by one, so that several batches may be in progress; they are filled in order.
 *
 *     released <= taken <= filled <= claimed / batch <= released + slot_count
 *     ...free | lent to the caller | ready | being filled, then free...
 *      released^               taken^  filled^        ^claimed / batch
 */
struct vdnn_loader {
    vdnn_loader_request request;
    vdnn_loader_slot slots[VDNN_LOADER_MAX_SLOTS];
    uint64_t per_epoch;
    size_t sample_bytes; /* of all inputs */
    int worker_limit;
    worker *workers;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    int worker_count, busy;              /* threads; those of them that read a sample */
    uint64_t claimed;                    /* samples, over all batches */
    int64_t done[VDNN_LOADER_MAX_SLOTS]; /* samples of the batch in the slot */
    uint64_t filled, taken, released;
    uint64_t allowed;    /* batches that may be read */
    double last_seconds; /* when the last batch was handed out */
    vdnn_status failure; /* of the first sample that failed; batches before it are delivered */
    uint64_t failed_sample;
    char message[MESSAGE_BYTES];
    bool stop, records;
    vdnn_loader_read reads[VDNN_LOADER_MAX_READS]; /* a ring: recorded, and not taken yet */
    int first_read, read_count;
};

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t vdnn_loader_batches_per_epoch(uint64_t count, int64_t batch, bool keep_remainder)
{
    uint64_t size = (uint64_t)batch;
    return count / size + (keep_remainder && count % size != 0 ? 1 : 0);
}

/* ---- one sample ------------------------------------------------------------------------------ */

/* An input on its way into its slot; offsets of floats into the buffers that it passes through. */
typedef struct way {
    bool moves, narrows;
    size_t at[BUFFERS];
} way;

static bool are_tokens(const vdnn_loader_request *request, int32_t input)
{
    return request->dataset->inputs[input].vocabulary > 0;
}

static size_t sample_bytes(const vdnn_loader_request *request, int32_t input)
{
    const vdnn_dtype dtype = are_tokens(request, input) ? VDNN_I32 : request->dtype;
    return (size_t)vdnn_dataset_per_sample(request->dataset, input) * vdnn_dtype_bytes(dtype);
}

/* Of all inputs; *ends: floats in each buffer. */
static void find_ways(const vdnn_loader_request *request, way ways[VDNN_INPUTS_MAX],
                      size_t ends[BUFFERS])
{
    ends[MOVED] = ends[NARROWED] = 0;
    for (int32_t i = 0; i < request->dataset->input_count; i++) {
        const size_t floats = (size_t)vdnn_dataset_per_sample(request->dataset, i);
        way *own = &ways[i];
        own->moves = vdnn_transform_moves(&request->transforms[i]);
        own->narrows = request->dtype != VDNN_F32 && !are_tokens(request, i);
        own->at[MOVED] = ends[MOVED];
        own->at[NARROWED] = ends[NARROWED];
        ends[MOVED] += own->moves ? floats : 0;
        ends[NARROWED] += own->narrows ? floats : 0;
    }
}

/* Where an input is read to, where it is once its pixels are moved, and where it is delivered. */
typedef struct stops {
    void *first, *moved, *end;
} stops;

static stops stops_of(const worker *w, const way *own, void *end)
{
    void *moved = own->narrows ? w->buffers[NARROWED] + own->at[NARROWED] : end;
    return (stops){own->moves ? w->buffers[MOVED] + own->at[MOVED] : moved, moved, end};
}

/* From where it was read to, on. */
static void finish_input(const vdnn_loader_request *request, int32_t input, const stops *at,
                         const vdnn_transform_draw *draw)
{
    if (are_tokens(request, input))
        return;
    vdnn_transform_apply(&request->transforms[input], &request->dataset->inputs[input].wanted, draw,
                         at->first, at->moved);
    if (at->moved != at->end)
        vdnn_stage_narrow(request->dtype, at->moved, at->end,
                          vdnn_dataset_per_sample(request->dataset, input));
}

static vdnn_status copy_labels(const vdnn_loader_request *request, uint64_t index,
                               const void *values, void *labels)
{
    memcpy(labels, values, vdnn_dataset_label_bytes(request->dataset));
    return vdnn_dataset_check_targets(request->dataset, "the input that is the labels", index,
                                      labels);
}

/* With the first picture that does. */
static void move_labels(const vdnn_loader_request *request, const way *ways, uint64_t epoch,
                        uint64_t position, const void *from, void *to)
{
    int32_t k = 0;
    while (!ways[k].moves)
        k++;
    const vdnn_transform_draw draw =
        vdnn_transform_choose(&request->transforms[k], request->seed, epoch, position);
    vdnn_transform_move(&request->label_size, &draw, from, &request->label_outside, to);
}

/* Samples of a batch, of all loaders that share it. */
static uint64_t step_batch(const vdnn_loader_request *request)
{
    return (uint64_t)(request->step_batch == 0 ? request->batch : request->step_batch);
}

/* Where the samples of an epoch begin, which is another place in each. */
static uint64_t shift_of(const vdnn_loader_request *request, uint64_t epoch)
{
    const uint64_t shifts = vdnn_dataset_shifts(request->dataset);
    uint32_t bits[4];
    if (shifts == 1 || !request->shuffle)
        return 0;
    vdnn_random_philox(
        request->seed,
        (const uint32_t[]){(uint32_t)epoch, (uint32_t)(epoch >> 32), 0, STREAM_SHIFT}, bits);
    return (uint64_t)bits[0] * shifts >> 32;
}

/* Reads sample `i` of batch `number` into its slot. */
static vdnn_status fill_sample(const vdnn_loader *loader, worker *w, uint64_t number, uint64_t i)
{
    const vdnn_loader_request *request = &loader->request;
    const vdnn_loader_slot *slot = &loader->slots[number % (uint64_t)request->slot_count];
    uint64_t global = request->first_batch + number, epoch = global / loader->per_epoch;
    uint64_t count = vdnn_dataset_count(request->dataset);
    uint64_t position =
        (global % loader->per_epoch * step_batch(request) + (uint64_t)request->first_sample + i) %
        count;
    uint64_t index =
        request->shuffle ? vdnn_random_permute(request->seed, epoch, position, count) : position;
    index += shift_of(request, epoch) * count;
    const int32_t inputs = request->dataset->input_count,
                  label_input = vdnn_dataset_label_input(request->dataset) - 1;
    const size_t label_bytes = vdnn_dataset_label_bytes(request->dataset);
    char *labels = (char *)slot->inputs[inputs] + (size_t)i * label_bytes;
    void *first[VDNN_INPUTS_MAX];
    stops at[VDNN_INPUTS_MAX];
    way ways[VDNN_INPUTS_MAX];
    size_t ends[BUFFERS];
    find_ways(request, ways, ends);
    for (int32_t k = 0; k < inputs; k++) {
        void *end = (char *)slot->inputs[k] + (size_t)i * sample_bytes(request, k);
        at[k] = stops_of(w, &ways[k], end);
        first[k] = at[k].first;
    }
    vdnn_status status = vdnn_dataset_read(request->dataset, index, &w->scratch, first,
                                           w->labels == NULL ? labels : w->labels);
    if (status == VDNN_OK && w->labels != NULL)
        move_labels(request, ways, epoch, position, w->labels, labels);
    for (int32_t k = 0; k < inputs && status == VDNN_OK; k++) {
        vdnn_transform_draw draw =
            vdnn_transform_choose(&request->transforms[k], request->seed, epoch, position);
        finish_input(request, k, &at[k], &draw);
        if (k == label_input)
            status = copy_labels(request, index, at[k].moved, labels);
    }
    return status;
}

/* ---- the workers ----------------------------------------------------------------------------- */

static bool all_claimed(const vdnn_loader *loader)
{
    uint64_t limit = loader->request.batch_limit;
    return loader->failure != VDNN_OK ||
           (limit != 0 && loader->claimed / (uint64_t)loader->request.batch >= limit);
}

static bool may_claim(const vdnn_loader *loader)
{
    const uint64_t number = loader->claimed / (uint64_t)loader->request.batch;
    return number < loader->allowed &&
           number < loader->released + (uint64_t)loader->request.slot_count;
}

/* The message is this thread's. */
static void note_failure(vdnn_loader *loader, vdnn_status status, uint64_t sample)
{
    if (loader->failure != VDNN_OK && loader->failed_sample < sample)
        return;
    loader->failure = status;
    loader->failed_sample = sample;
    (void)snprintf(loader->message, sizeof loader->message, "%s", vdnn_status_message());
}

static void note_done(vdnn_loader *loader, uint64_t number)
{
    uint64_t slots = (uint64_t)loader->request.slot_count;
    loader->done[number % slots]++;
    while (loader->done[loader->filled % slots] == loader->request.batch) {
        loader->done[loader->filled % slots] = 0;
        loader->filled++;
    }
}

static void end_read(worker *w)
{
    vdnn_loader *loader = w->loader;
    if (w->read.bytes == 0)
        return;
    const int end = loader->first_read + loader->read_count;
    loader->reads[end % VDNN_LOADER_MAX_READS] = w->read;
    if (loader->read_count < VDNN_LOADER_MAX_READS)
        loader->read_count++;
    else
        loader->first_read = (loader->first_read + 1) % VDNN_LOADER_MAX_READS;
    w->read.bytes = 0;
}

/* A sample of batch `number`, which was read from `start` until now. */
static void note_read(worker *w, uint64_t number, double start)
{
    vdnn_loader *loader = w->loader;
    if (w->read.bytes == 0)
        w->read = (vdnn_loader_read){.start = start,
                                     .batch = loader->request.first_batch + number,
                                     .worker = (int)(w - loader->workers)};
    w->read.end = now_seconds();
    w->read.bytes += loader->sample_bytes;
}

static void *work(void *argument)
{
    worker *w = argument;
    vdnn_loader *loader = w->loader;
    vdnn_nvtx_name_thread("loader");
    uint64_t batch = (uint64_t)loader->request.batch;
    uint64_t number = 0;
    (void)pthread_mutex_lock(&loader->lock);
    while (!loader->stop && !all_claimed(loader)) {
        if (loader->claimed / batch != number)
            end_read(w);
        number = loader->claimed / batch;
        if (!may_claim(loader)) {
            (void)pthread_cond_wait(&loader->changed, &loader->lock);
            continue;
        }
        uint64_t sample = loader->claimed++, filled = loader->filled;
        const bool records = loader->records;
        const double start = records ? now_seconds() : 0;
        loader->busy++;
        (void)pthread_mutex_unlock(&loader->lock);
        vdnn_nvtx_begin(VDNN_NVTX_IO, "sample", loader->sample_bytes);
        vdnn_status status = fill_sample(loader, w, sample / batch, sample % batch);
        vdnn_nvtx_end();
        (void)pthread_mutex_lock(&loader->lock);
        loader->busy--;
        if (records)
            note_read(w, number, start);
        if (status == VDNN_OK)
            note_done(loader, sample / batch);
        else
            note_failure(loader, status, sample);
        if (loader->filled != filled || loader->failure != VDNN_OK)
            (void)pthread_cond_broadcast(&loader->changed);
    }
    end_read(w);
    (void)pthread_mutex_unlock(&loader->lock);
    return NULL;
}

static void fini_worker(worker *w)
{
    for (int i = 0; i < BUFFERS; i++)
        vdnn_heap_free(w->buffers[i]);
    vdnn_heap_free(w->labels);
    vdnn_scratch_fini(&w->scratch);
}

static vdnn_status take_buffers(const vdnn_loader_request *request, worker *w)
{
    way ways[VDNN_INPUTS_MAX];
    size_t ends[BUFFERS];
    find_ways(request, ways, ends);
    if (ends[MOVED] > 0 && request->label_size.channels > 0) {
        w->labels = vdnn_heap_calloc(1, vdnn_dataset_label_bytes(request->dataset));
        if (w->labels == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for the labels of a sample");
    }
    for (int i = 0; i < BUFFERS; i++) {
        if (ends[i] > 0)
            w->buffers[i] = vdnn_heap_calloc(ends[i], sizeof **w->buffers);
        if (ends[i] > 0 && w->buffers[i] == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for a sample of %zu floats",
                                    ends[i]);
    }
    return VDNN_OK;
}

/* Starts a thread; the lock is held, or there is no thread yet. */
static vdnn_status start_worker(vdnn_loader *loader)
{
    worker *w = &loader->workers[loader->worker_count];
    *w = (worker){.loader = loader};
    vdnn_status status = take_buffers(&loader->request, w);
    int error = status == VDNN_OK ? vdnn_system_start_thread(&w->thread, work, w) : 0;
    if (error != 0)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "data: cannot start the loader's thread: %s",
                                  strerror(error));
    if (status == VDNN_OK)
        loader->worker_count++;
    else
        fini_worker(w);
    return status;
}

/* ---- the caller's side ----------------------------------------------------------------------- */

static vdnn_status check_request(const vdnn_loader_request *request, uint64_t per_epoch)
{
    uint64_t count = vdnn_dataset_count(request->dataset);
    VDNN_INVARIANT(request->batch, >, 0);
    VDNN_INVARIANT(request->slot_count, >, 0);
    VDNN_INVARIANT(request->slot_count, <=, VDNN_LOADER_MAX_SLOTS);
    VDNN_INVARIANT(request->worker_limit, <=, VDNN_LOADER_MAX_WORKERS);
    if (per_epoch == 0)
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "data: %llu images are fewer than one batch of %lld; a batch of %llu fits",
            (unsigned long long)count, (long long)step_batch(request), (unsigned long long)count);
    return VDNN_OK;
}

vdnn_status vdnn_loader_create(const vdnn_loader_request *request, vdnn_loader **loader)
{
    uint64_t per_epoch =
        vdnn_loader_batches_per_epoch(vdnn_dataset_count(request->dataset),
                                      (int64_t)step_batch(request), request->keep_remainder);
    VDNN_TRY(check_request(request, per_epoch));
    int limit = request->worker_limit > 0 ? request->worker_limit : 1;
    vdnn_loader *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh != NULL)
        fresh->workers = vdnn_heap_calloc((size_t)limit, sizeof *fresh->workers);
    if (fresh == NULL || fresh->workers == NULL) {
        vdnn_heap_free(fresh);
        return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for a loader");
    }
    fresh->request = *request;
    memcpy(fresh->slots, request->slots, (size_t)request->slot_count * sizeof *fresh->slots);
    fresh->request.slots = fresh->slots;
    fresh->per_epoch = per_epoch;
    fresh->worker_limit = limit;
    fresh->records = request->records;
    fresh->allowed = request->waits ? 0 : UINT64_MAX;
    for (int32_t i = 0; i < request->dataset->input_count; i++)
        fresh->sample_bytes += sample_bytes(request, i);
    (void)pthread_mutex_init(&fresh->lock, NULL);
    (void)pthread_cond_init(&fresh->changed, NULL);
    vdnn_status status = start_worker(fresh);
    (void)pthread_mutex_lock(&fresh->lock);
    for (int i = 1; status == VDNN_OK && i < request->worker_first && i < limit; i++)
        (void)start_worker(fresh);
    (void)pthread_mutex_unlock(&fresh->lock);
    if (status == VDNN_OK)
        *loader = fresh;
    else
        vdnn_loader_destroy(fresh);
    return status;
}

/* The batch with this number, which is in its slot. */
static vdnn_loader_batch describe(const vdnn_loader *loader, uint64_t number)
{
    const vdnn_loader_request *request = &loader->request;
    const vdnn_loader_slot *slot = &loader->slots[number % (uint64_t)request->slot_count];
    uint64_t global = request->first_batch + number, size = (uint64_t)request->batch;
    uint64_t before = (uint64_t)request->first_sample, whole = step_batch(request);
    uint64_t left =
        vdnn_dataset_count(request->dataset) - global % loader->per_epoch * whole - before;
    return (vdnn_loader_batch){.slot = slot,
                               .labels = slot->inputs[request->dataset->input_count],
                               .epoch = global / loader->per_epoch,
                               .first_sample = global * whole + before,
                               .valid = (int64_t)(left < size ? left : size)};
}

/* After a wait that began at `begin`. If no thread can be created, the existing ones continue. */
static void add_worker(vdnn_loader *loader, double begin)
{
    double now = now_seconds(), waited = now - begin;
    if (loader->taken > 0 && loader->worker_count < loader->worker_limit && waited > WAIT_SECONDS &&
        waited > WAIT_SHARE * (now - loader->last_seconds))
        (void)start_worker(loader);
}

static bool nothing_to_come(const vdnn_loader *loader)
{
    return all_claimed(loader) && loader->busy == 0;
}

vdnn_status vdnn_loader_next(vdnn_loader *loader, vdnn_loader_batch *batch)
{
    vdnn_status status = VDNN_OK;
    (void)pthread_mutex_lock(&loader->lock);
    VDNN_INVARIANT(loader->taken - loader->released, <, loader->request.slot_count);
    if (loader->filled == loader->taken && !nothing_to_come(loader)) {
        double begin = now_seconds();
        while (loader->filled == loader->taken && !nothing_to_come(loader))
            (void)pthread_cond_wait(&loader->changed, &loader->lock);
        add_worker(loader, begin);
    }
    loader->last_seconds = now_seconds();
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

void vdnn_loader_allow(vdnn_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    loader->allowed++;
    (void)pthread_cond_broadcast(&loader->changed);
    (void)pthread_mutex_unlock(&loader->lock);
}

void vdnn_loader_release(vdnn_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    VDNN_INVARIANT(loader->released, <, loader->taken);
    loader->released++;
    (void)pthread_cond_broadcast(&loader->changed);
    (void)pthread_mutex_unlock(&loader->lock);
}

void vdnn_loader_record(vdnn_loader *loader, bool records)
{
    (void)pthread_mutex_lock(&loader->lock);
    loader->records = records;
    (void)pthread_mutex_unlock(&loader->lock);
}

int vdnn_loader_take_reads(vdnn_loader *loader, vdnn_loader_read *reads, int most)
{
    (void)pthread_mutex_lock(&loader->lock);
    const int count = loader->read_count < most ? loader->read_count : most;
    for (int i = 0; i < count; i++)
        reads[i] = loader->reads[(loader->first_read + i) % VDNN_LOADER_MAX_READS];
    loader->first_read = (loader->first_read + count) % VDNN_LOADER_MAX_READS;
    loader->read_count -= count;
    (void)pthread_mutex_unlock(&loader->lock);
    return count;
}

int vdnn_loader_worker_count(const vdnn_loader *loader)
{
    return loader->worker_count; /* changed by next alone */
}

void vdnn_loader_destroy(vdnn_loader *loader)
{
    if (loader == NULL)
        return;
    (void)pthread_mutex_lock(&loader->lock);
    loader->stop = true;
    (void)pthread_cond_broadcast(&loader->changed);
    (void)pthread_mutex_unlock(&loader->lock);
    for (int i = 0; i < loader->worker_count; i++) {
        (void)pthread_join(loader->workers[i].thread, NULL);
        fini_worker(&loader->workers[i]);
    }
    (void)pthread_cond_destroy(&loader->changed);
    (void)pthread_mutex_destroy(&loader->lock);
    vdnn_heap_free(loader->workers);
    vdnn_heap_free(loader);
}
