/* A few threads, each of which moves one piece at a time: for kernels without io_uring, and for
 * containers that forbid it. */

#include "alloc/file_engine.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <string.h>

enum { THREADS = 4 };

typedef struct pool {
    pthread_mutex_t lock; /* all below */
    pthread_cond_t work, done;
    vdnn_file_piece *queue, **queue_end; /* submitted, the first one first */
    vdnn_file_piece *complete;
    bool closing;
    pthread_t threads[THREADS];
    int thread_count;
} pool;

static ssize_t move(const vdnn_file_piece *piece)
{
    ssize_t moved = piece->from != NULL
                        ? vdnn_system_pwrite(piece->file, piece->from, piece->bytes, piece->offset)
                        : vdnn_system_pread(piece->file, piece->to, piece->bytes, piece->offset);
    return moved < 0 ? -errno : moved;
}

static void *run(void *argument)
{
    pool *own = argument;
    (void)pthread_mutex_lock(&own->lock);
    while (!own->closing) {
        vdnn_file_piece *piece = own->queue;
        if (piece == NULL) {
            (void)pthread_cond_wait(&own->work, &own->lock);
            continue;
        }
        own->queue = piece->next;
        if (own->queue == NULL)
            own->queue_end = &own->queue;
        (void)pthread_mutex_unlock(&own->lock);
        piece->result = move(piece);
        (void)pthread_mutex_lock(&own->lock);
        piece->next = own->complete;
        own->complete = piece;
        (void)pthread_cond_signal(&own->done);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return NULL;
}

static void threads_close(void *state)
{
    pool *own = state;
    (void)pthread_mutex_lock(&own->lock);
    own->closing = true;
    (void)pthread_cond_broadcast(&own->work);
    (void)pthread_mutex_unlock(&own->lock);
    for (int i = 0; i < own->thread_count; i++)
        (void)pthread_join(own->threads[i], NULL);
    (void)pthread_cond_destroy(&own->done);
    (void)pthread_cond_destroy(&own->work);
    (void)pthread_mutex_destroy(&own->lock);
    vdnn_heap_free(own);
}

static vdnn_status threads_open(int depth, void **state)
{
    pool *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for threads that copy to a file");
    (void)pthread_mutex_init(&own->lock, NULL);
    (void)pthread_cond_init(&own->work, NULL);
    (void)pthread_cond_init(&own->done, NULL);
    own->queue_end = &own->queue;
    int error = 0;
    while (error == 0 && own->thread_count < THREADS && own->thread_count < depth) {
        error = vdnn_system_start_thread(&own->threads[own->thread_count], run, own);
        own->thread_count += error == 0;
    }
    if (own->thread_count == 0) { /* one is enough */
        threads_close(own);
        return vdnn_status_fail(VDNN_DEVICE, "no thread that copies to a file: %s",
                                strerror(error));
    }
    *state = own;
    return VDNN_OK;
}

static void threads_submit(void *state, vdnn_file_piece *piece)
{
    pool *own = state;
    piece->next = NULL;
    (void)pthread_mutex_lock(&own->lock);
    *own->queue_end = piece;
    own->queue_end = &piece->next;
    (void)pthread_cond_signal(&own->work);
    (void)pthread_mutex_unlock(&own->lock);
}

static vdnn_file_piece *threads_wait(void *state)
{
    pool *own = state;
    (void)pthread_mutex_lock(&own->lock);
    while (own->complete == NULL)
        (void)pthread_cond_wait(&own->done, &own->lock);
    vdnn_file_piece *piece = own->complete;
    own->complete = piece->next;
    (void)pthread_mutex_unlock(&own->lock);
    return piece;
}

const vdnn_file_engine vdnn_file_engine_threads = {
    .name = "threads",
    .open = threads_open,
    .close = threads_close,
    .submit = threads_submit,
    .wait = threads_wait,
};
