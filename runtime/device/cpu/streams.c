#include "runtime/device/cpu/streams.h"
#include "layers/cpu/threads.h"
#include "runtime/base/heap.h"
#include "runtime/base/nvtx.h"
#include "runtime/base/system.h"
#include "runtime/device/cpu/copy.h"

#include <string.h>
#include <time.h>

typedef struct operation {
    vdnn_status (*run)(void *argument, void *stream);
    bool on_host; /* `run` is a copy */
    void *argument, *to;
    const void *from;
    int to_end, from_end;
    size_t bytes;
    int64_t needs[VDNN_STREAM_COUNT]; /* operations of each stream that must be complete */
    vdnn_stream_id stream;
    int place;
    int32_t event;
    int64_t position; /* in its stream's queue */
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
    operation **queue;    /* a ring that can hold the operations of all places */
    int64_t done, queued; /* operations since its creation */
} stream;

typedef struct device_round {
    int64_t number;
    operation *operations;           /* by event */
    int64_t last[VDNN_STREAM_COUNT]; /* operations of each stream up to the round's last */
    double begin;
    bool timed;
    vdnn_device_moved moved;
    vdnn_first_error error;
} device_round;

struct vdnn_cpu_streams {
    pthread_mutex_t lock; /* all below but the operations' arguments and times */
    pthread_cond_t reached;
    const int64_t *awaited; /* what the host waits for, of each stream; NULL: nothing */
    bool closing;
    stream streams[VDNN_STREAM_COUNT];
    device_round rounds[VDNN_DEVICE_ROUNDS]; /* by place */
    int64_t queue_length;
    int64_t begun;  /* rounds */
    int64_t failed; /* the first round with an error; INT64_MAX: none */
    int threads;
};

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- under the lock -------------------------------------------------------------------------- */

static bool has_reached(const vdnn_cpu_streams *all, const int64_t counts[VDNN_STREAM_COUNT])
{
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        if (all->streams[i].done < counts[i])
            return false;
    return true;
}

static operation *next_operation(const stream *own)
{
    return own->queue[own->done % own->all->queue_length];
}

static bool is_ready(const stream *own)
{
    return own->done < own->queued && has_reached(own->all, next_operation(own)->needs);
}

/* Wakes only threads that can continue now. */
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
    if (all->awaited != NULL && has_reached(all, all->awaited)) {
        all->awaited = NULL;
        (void)pthread_cond_signal(&all->reached);
    }
}

static void keep_error(vdnn_cpu_streams *all, int place, vdnn_status status)
{
    device_round *own = &all->rounds[place];
    vdnn_first_error_keep(&own->error, status);
    if (status != VDNN_OK && own->number < all->failed)
        all->failed = own->number;
}

/* ---- the streams' threads -------------------------------------------------------------------- */

static vdnn_status compute(const operation *work)
{
    if (work->run != NULL)
        return work->run(work->argument, NULL);
    vdnn_cpu_copy(work->to, work->from, work->bytes);
    return VDNN_OK;
}

static vdnn_status observe(const operation *work)
{
    const vdnn_device_observer *observer = work->observer;
    if (observer != NULL)
        observer->begin(observer->argument, work->event);
    vdnn_status status = compute(work);
    if (observer != NULL)
        observer->end(observer->argument, work->event);
    return status;
}

static vdnn_status execute(operation *work, const device_round *own)
{
    if (!own->timed)
        return observe(work);
    work->start = now_seconds() - own->begin;
    vdnn_status status = observe(work);
    work->end = now_seconds() - own->begin;
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
        operation *work = next_operation(own);
        device_round *its = &all->rounds[work->place];
        bool skip = its->number >= all->failed;
        (void)pthread_mutex_unlock(&all->lock);

        vdnn_status status = skip ? VDNN_OK : execute(work, its);

        (void)pthread_mutex_lock(&all->lock);
        keep_error(all, work->place, status);
        if (!skip && status == VDNN_OK && (work->run == NULL || work->on_host))
            its->moved.bytes[work->from_end][work->to_end] += work->bytes;
        complete(own);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

static int start_thread(stream *own)
{
    int error = vdnn_system_start_thread(&own->thread, run_stream, own);
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
    all->failed = INT64_MAX;
    all->queue_length = 1;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->reached, NULL);
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
    stop_threads(streams);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        (void)pthread_cond_destroy(&streams->streams[i].wake);
        vdnn_heap_free(streams->streams[i].queue);
    }
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        vdnn_heap_free(streams->rounds[i].operations);
    (void)pthread_cond_destroy(&streams->reached);
    (void)pthread_mutex_destroy(&streams->lock);
    vdnn_heap_free(streams);
}

/* Allocates memory for a number of events; free_room frees it, complete or not. */
typedef struct room {
    operation *operations[VDNN_DEVICE_ROUNDS];
    operation **queues[VDNN_STREAM_COUNT];
} room;

static bool make_room(room *fresh, size_t event_count)
{
    bool enough = true;
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++) {
        fresh->operations[i] = vdnn_heap_calloc(event_count, sizeof *fresh->operations[i]);
        enough = enough && fresh->operations[i] != NULL;
    }
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        fresh->queues[i] = vdnn_heap_calloc(VDNN_DEVICE_ROUNDS * event_count, sizeof(operation *));
        enough = enough && fresh->queues[i] != NULL;
    }
    return enough;
}

static void free_room(const room *old)
{
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        vdnn_heap_free(old->operations[i]);
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        vdnn_heap_free(old->queues[i]);
}

/* Exchanges the old memory with `fresh`. */
static void exchange_room(vdnn_cpu_streams *all, room *fresh, int32_t event_count)
{
    room old;
    (void)pthread_mutex_lock(&all->lock);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++) {
        old.operations[i] = all->rounds[i].operations;
        all->rounds[i].operations = fresh->operations[i];
    }
    for (int i = 0; i < VDNN_STREAM_COUNT; i++) {
        old.queues[i] = all->streams[i].queue;
        all->streams[i].queue = fresh->queues[i];
    }
    all->queue_length = (int64_t)VDNN_DEVICE_ROUNDS * event_count;
    (void)pthread_mutex_unlock(&all->lock);
    *fresh = old;
}

vdnn_status vdnn_cpu_streams_resize(vdnn_cpu_streams *streams, int32_t event_count)
{
    room fresh = {{NULL}, {NULL}};
    bool enough = make_room(&fresh, (size_t)event_count);
    if (enough)
        exchange_room(streams, &fresh, event_count);
    free_room(&fresh);
    return enough ? VDNN_OK
                  : vdnn_status_fail(VDNN_NO_MEMORY,
                                     "cpu: no memory for the queues of %d operations", event_count);
}

void vdnn_cpu_streams_round(vdnn_cpu_streams *streams, int place, bool timed)
{
    device_round *own = &streams->rounds[place];
    (void)pthread_mutex_lock(&streams->lock);
    own->number = ++streams->begun;
    own->begin = timed ? now_seconds() : 0;
    own->timed = timed;
    own->moved = (vdnn_device_moved){{{0}}};
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        own->last[i] = streams->streams[i].queued;
    (void)pthread_mutex_unlock(&streams->lock);
}

static void set_needs(operation *own, const operation *operations, const vdnn_device_work *work)
{
    memset(own->needs, 0, sizeof own->needs);
    for (int32_t i = 0; i < work->wait_count; i++) {
        const operation *earlier = &operations[work->waits[i]];
        if (own->needs[earlier->stream] <= earlier->position)
            own->needs[earlier->stream] = earlier->position + 1;
    }
}

void vdnn_cpu_streams_enqueue(vdnn_cpu_streams *streams, const vdnn_device_work *work)
{
    stream *own = &streams->streams[work->stream];
    device_round *its = &streams->rounds[work->place];
    operation *fresh = &its->operations[work->event];
    fresh->run = work->run;
    fresh->on_host = work->on_host;
    fresh->argument = work->argument;
    fresh->to = work->to;
    fresh->from = work->from;
    fresh->to_end = work->to_end;
    fresh->from_end = work->from_end;
    fresh->bytes = work->bytes;
    fresh->stream = work->stream;
    fresh->place = work->place;
    fresh->event = work->event;
    fresh->observer = work->observer;
    set_needs(fresh, its->operations, work);
    (void)pthread_mutex_lock(&streams->lock);
    fresh->position = own->queued;
    own->queue[own->queued++ % streams->queue_length] = fresh;
    its->last[work->stream] = own->queued;
    bool wake = own->asleep && is_ready(own);
    if (wake)
        own->asleep = false;
    (void)pthread_mutex_unlock(&streams->lock);
    if (wake)
        (void)pthread_cond_signal(&own->wake);
}

/* Under the lock. */
static void wait_for(vdnn_cpu_streams *streams, const int64_t counts[VDNN_STREAM_COUNT])
{
    while (!has_reached(streams, counts)) {
        streams->awaited = counts;
        (void)pthread_cond_wait(&streams->reached, &streams->lock);
    }
    streams->awaited = NULL;
}

void vdnn_cpu_streams_wait(vdnn_cpu_streams *streams, int place, int32_t event)
{
    const operation *work = &streams->rounds[place].operations[event];
    int64_t counts[VDNN_STREAM_COUNT] = {0};
    (void)pthread_mutex_lock(&streams->lock);
    counts[work->stream] = work->position + 1;
    wait_for(streams, counts);
    (void)pthread_mutex_unlock(&streams->lock);
}

/* Under the lock: everything enqueued is complete, and no error is left. */
static void clear(vdnn_cpu_streams *streams)
{
    int64_t counts[VDNN_STREAM_COUNT];
    for (int i = 0; i < VDNN_STREAM_COUNT; i++)
        counts[i] = streams->streams[i].queued;
    wait_for(streams, counts);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        streams->rounds[i].error.status = VDNN_OK;
    streams->failed = INT64_MAX;
}

vdnn_status vdnn_cpu_streams_finish(vdnn_cpu_streams *streams, int place)
{
    device_round *own = &streams->rounds[place];
    (void)pthread_mutex_lock(&streams->lock);
    wait_for(streams, own->last);
    vdnn_status status = vdnn_first_error_tell(&own->error);
    if (status != VDNN_OK)
        clear(streams);
    (void)pthread_mutex_unlock(&streams->lock);
    return status;
}

const vdnn_device_moved *vdnn_cpu_streams_moved(const vdnn_cpu_streams *streams, int place)
{
    return &streams->rounds[place].moved;
}

void vdnn_cpu_streams_times(const vdnn_cpu_streams *streams, int place, int32_t event,
                            double *start, double *end)
{
    const operation *work = &streams->rounds[place].operations[event];
    *start = work->start;
    *end = work->end;
}

double vdnn_cpu_streams_began(const vdnn_cpu_streams *streams, int place)
{
    return streams->rounds[place].begin;
}
