#include "runtime/device/cpu_streams.h"
#include "alloc/heap.h"
#include "layers/cpu_threads.h"
#include "runtime/device/cpu_copy.h"
#include "runtime/outside.h"
#include "traces/nvtx.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MESSAGE_BYTES = 2048 };

typedef struct operation {
    vdnn_status (*run)(void *argument, void *stream);
    void *argument, *to;
    const void *from;
    size_t bytes;
    int32_t needs[VDNN_STREAM_COUNT]; /* operations of each stream that must be complete */
    vdnn_stream_id stream;
    int32_t event;
    int32_t position; /* in its stream's queue */
    const vdnn_device_observer *observer;
    double start, end;
} operation;

typedef struct stream {
    vdnn_cpu_streams *all; /* borrowed */
    vdnn_stream_id id;
    pthread_t thread;
    bool is_started;
    pthread_cond_t wake;
    bool asleep;
    int32_t *queue; /* events in order */
    int32_t done, queued;
} stream;

struct vdnn_cpu_streams {
    pthread_mutex_t lock; /* all below but the operations' arguments and times */
    pthread_cond_t idle;
    bool host_waits; /* for `awaited`, or for everything */
    const operation *awaited;
    bool closing;
    stream streams[VDNN_STREAM_COUNT];
    operation *operations; /* by event */
    int32_t event_count;
    int threads;
    struct timespec begin;
    vdnn_status error;
    char message[MESSAGE_BYTES];
};

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

/* ---- under the lock -------------------------------------------------------------------------- */

static bool is_ready(const stream *own)
{
    if (own->done == own->queued)
        return false;
    const vdnn_cpu_streams *all = own->all;
    const operation *next = &all->operations[own->queue[own->done]];
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        if (all->streams[i].done < next->needs[i])
            return false;
    return true;
}

static bool is_idle(const vdnn_cpu_streams *all)
{
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        if (all->streams[i].done != all->streams[i].queued)
            return false;
    return true;
}

static bool is_done(const vdnn_cpu_streams *all, const operation *work)
{
    return work == NULL ? is_idle(all) : all->streams[work->stream].done > work->position;
}

/* Only whoever can go on now is woken. */
static void complete(stream *own)
{
    vdnn_cpu_streams *all = own->all;
    own->done++;
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        stream *other = &all->streams[i];
        if (other->asleep && is_ready(other)) {
            other->asleep = false;
            (void)pthread_cond_signal(&other->wake);
        }
    }
    if (all->host_waits && is_done(all, all->awaited)) {
        all->host_waits = false;
        (void)pthread_cond_signal(&all->idle);
    }
}

/* The first error stays. */
static void keep_error(vdnn_cpu_streams *all, vdnn_status status)
{
    if (all->error != VDNN_OK)
        return;
    all->error = status;
    (void)snprintf(all->message, sizeof all->message, "%s", vdnn_status_message());
}

/* ---- the streams' threads -------------------------------------------------------------------- */

static vdnn_status compute(const operation *work)
{
    if (work->run != NULL)
        return work->run(work->argument, NULL);
    vdnn_cpu_copy(work->to, work->from, work->bytes);
    return VDNN_OK;
}

static vdnn_status execute(const operation *work)
{
    const vdnn_device_observer *observer = work->observer;
    if (observer != NULL)
        observer->begin(observer->argument, work->event);
    vdnn_status status = compute(work);
    if (observer != NULL)
        observer->end(observer->argument, work->event);
    return status;
}

static void *run_stream(void *argument)
{
    stream *own = argument;
    vdnn_cpu_streams *all = own->all;
    vdnn_nvtx_name_thread(vdnn_stream_text(own->id));
    if (own->id == VDNN_STREAM_COMPUTE)
        (void)vdnn_cpu_threads_begin(all->threads);
    (void)pthread_mutex_lock(&all->lock);
    for (;;) {
        while (!is_ready(own) && !all->closing) {
            own->asleep = true;
            (void)pthread_cond_wait(&own->wake, &all->lock);
        }
        own->asleep = false;
        if (!is_ready(own))
            break;
        operation *work = &all->operations[own->queue[own->done]];
        bool skip = all->error != VDNN_OK;
        (void)pthread_mutex_unlock(&all->lock);

        work->start = seconds_since(&all->begin);
        vdnn_status status = skip ? VDNN_OK : execute(work);
        work->end = seconds_since(&all->begin);

        (void)pthread_mutex_lock(&all->lock);
        if (status != VDNN_OK)
            keep_error(all, status);
        complete(own);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

static int start_thread(stream *own)
{
    int error = vdnn_outside_start_thread(&own->thread, run_stream, own);
    own->is_started = error == 0;
    return error;
}

/* ---- the driving thread ---------------------------------------------------------------------- */

vdnn_status vdnn_cpu_streams_create(int threads, vdnn_cpu_streams **streams)
{
    vdnn_cpu_streams *all = vdnn_heap_calloc(1, sizeof *all);
    if (all == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "cpu: no memory for the streams");
    all->threads = threads;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->idle, NULL);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        all->streams[i].all = all;
        all->streams[i].id = (vdnn_stream_id)i;
        (void)pthread_cond_init(&all->streams[i].wake, NULL);
    }
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        int error = start_thread(&all->streams[i]);
        if (error != 0) {
            vdnn_cpu_streams_destroy(all);
            return vdnn_status_fail(VDNN_DEVICE, "cpu: no thread for stream %d of %d: %s", i,
                                    VDNN_STREAM_COUNT, strerror(error));
        }
    }
    *streams = all;
    return VDNN_OK;
}

static void stop_threads(vdnn_cpu_streams *all)
{
    (void)pthread_mutex_lock(&all->lock);
    all->closing = true;
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        (void)pthread_cond_signal(&all->streams[i].wake);
    (void)pthread_mutex_unlock(&all->lock);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        if (all->streams[i].is_started)
            (void)pthread_join(all->streams[i].thread, NULL);
}

void vdnn_cpu_streams_destroy(vdnn_cpu_streams *streams)
{
    if (streams == NULL)
        return;
    (void)vdnn_cpu_streams_synchronize(streams);
    stop_threads(streams);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        (void)pthread_cond_destroy(&streams->streams[i].wake);
        vdnn_heap_free(streams->streams[i].queue);
    }
    (void)pthread_cond_destroy(&streams->idle);
    (void)pthread_mutex_destroy(&streams->lock);
    vdnn_heap_free(streams->operations);
    vdnn_heap_free(streams);
}

static void take_room(vdnn_cpu_streams *all, operation *operations, int32_t *const *queues,
                      int32_t event_count)
{
    (void)pthread_mutex_lock(&all->lock);
    vdnn_heap_free(all->operations);
    all->operations = operations;
    all->event_count = event_count;
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        vdnn_heap_free(all->streams[i].queue);
        all->streams[i].queue = queues[i];
        all->streams[i].done = all->streams[i].queued = 0;
    }
    (void)pthread_mutex_unlock(&all->lock);
}

vdnn_status vdnn_cpu_streams_resize(vdnn_cpu_streams *streams, int32_t event_count)
{
    int32_t *queues[VDNN_STREAM_COUNT] = {NULL};
    operation *operations = NULL;
    vdnn_status status = vdnn_cpu_streams_round(streams);
    if (status != VDNN_OK)
        return status;
    operations = vdnn_heap_calloc((size_t)event_count, sizeof *operations);
    bool enough = operations != NULL;
    for (int i = 0; enough && i < VDNN_STREAM_COUNT; i++) {
        queues[i] = vdnn_heap_calloc((size_t)event_count, sizeof *queues[i]);
        enough = queues[i] != NULL;
    }
    if (!enough)
        goto fail;
    take_room(streams, operations, queues, event_count);
    return VDNN_OK;
fail:
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        vdnn_heap_free(queues[i]);
    vdnn_heap_free(operations);
    return vdnn_status_fail(VDNN_NO_MEMORY, "cpu: no memory for the queues of %d operations",
                            event_count);
}

vdnn_status vdnn_cpu_streams_round(vdnn_cpu_streams *streams)
{
    (void)pthread_mutex_lock(&streams->lock);
    bool idle = is_idle(streams);
    for (int i = 0; idle && i < VDNN_STREAM_COUNT; i++)
        streams->streams[i].done = streams->streams[i].queued = 0;
    if (idle)
        (void)clock_gettime(CLOCK_MONOTONIC, &streams->begin);
    (void)pthread_mutex_unlock(&streams->lock);
    if (!idle)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "cpu: a round begins while operations of the last one still run");
    return VDNN_OK;
}

static void set_needs(vdnn_cpu_streams *all, operation *own, const vdnn_device_work *work)
{
    memset(own->needs, 0, sizeof own->needs);
    for (int32_t i = 0; i < work->wait_count; i++) {
        const operation *earlier = &all->operations[work->waits[i]];
        if (own->needs[earlier->stream] <= earlier->position)
            own->needs[earlier->stream] = earlier->position + 1;
    }
}

void vdnn_cpu_streams_enqueue(vdnn_cpu_streams *streams, const vdnn_device_work *work)
{
    stream *own = &streams->streams[work->stream];
    operation *fresh = &streams->operations[work->event];
    fresh->run = work->run;
    fresh->argument = work->argument;
    fresh->to = work->to;
    fresh->from = work->from;
    fresh->bytes = work->bytes;
    fresh->stream = work->stream;
    fresh->event = work->event;
    fresh->observer = work->observer;
    set_needs(streams, fresh, work);
    (void)pthread_mutex_lock(&streams->lock);
    fresh->position = own->queued;
    own->queue[own->queued++] = work->event;
    bool wake = own->asleep && is_ready(own);
    if (wake)
        own->asleep = false;
    (void)pthread_mutex_unlock(&streams->lock);
    if (wake)
        (void)pthread_cond_signal(&own->wake);
}

/* Under the lock; NULL: everything. */
static void wait_for(vdnn_cpu_streams *streams, const operation *work)
{
    while (!is_done(streams, work)) {
        streams->awaited = work;
        streams->host_waits = true;
        (void)pthread_cond_wait(&streams->idle, &streams->lock);
    }
    streams->host_waits = false;
}

void vdnn_cpu_streams_wait(vdnn_cpu_streams *streams, int32_t event)
{
    (void)pthread_mutex_lock(&streams->lock);
    wait_for(streams, &streams->operations[event]);
    (void)pthread_mutex_unlock(&streams->lock);
}

vdnn_status vdnn_cpu_streams_synchronize(vdnn_cpu_streams *streams)
{
    (void)pthread_mutex_lock(&streams->lock);
    wait_for(streams, NULL);
    vdnn_status status = streams->error;
    if (status != VDNN_OK)
        (void)vdnn_status_fail(status, "%s", streams->message);
    streams->error = VDNN_OK;
    (void)pthread_mutex_unlock(&streams->lock);
    return status;
}

void vdnn_cpu_streams_times(const vdnn_cpu_streams *streams, int32_t event, double *start,
                            double *end)
{
    *start = streams->operations[event].start;
    *end = streams->operations[event].end;
}
