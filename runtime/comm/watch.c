#include "runtime/comm/watch.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double most_beat_seconds = 1, most_grace_seconds = 5;
enum { BEATS_OF_A_TIMEOUT = 5 };

static double beat_seconds(double timeout)
{
    const double every = timeout / BEATS_OF_A_TIMEOUT;
    return every < most_beat_seconds ? every : most_beat_seconds;
}

typedef enum frame_kind { BEAT, OVER, DONE } frame_kind;

typedef struct frame {
    uint32_t kind;
    int32_t rank;           /* OVER: the one that is the reason, its status, and why */
    uint32_t status, bytes; /* of the text */
    char text[VDNN_STATUS_MESSAGE_BYTES];
} frame;

enum { HEAD_BYTES = offsetof(frame, text) };

/* What is known of another rank. */
typedef struct subject {
    int file;     /* VDNN_MESH_NO_SOCKET: nothing more is expected of it */
    double heard; /* when it last said something */
    bool is_done;
    frame in; /* what it is saying */
    size_t received;
} subject;

struct vdnn_watch {
    vdnn_mesh *mesh, *own_mesh; /* the second: to be closed, else NULL */
    double timeout;
    vdnn_watch_alarm *alarm;
    void *context;
    bool was_alarmed;
    int bell, order; /* order: wakes the watch's thread */
    pthread_t thread;
    subject *subjects;    /* by rank; the thread's, but for the file, which others send to */
    struct pollfd *set;   /* the thread's */
    pthread_mutex_t lock; /* of all below, and of sending */
    pthread_cond_t changed;
    bool is_closing, is_over;
    int32_t reason; /* the rank */
    vdnn_status status;
    char why[VDNN_STATUS_MESSAGE_BYTES];
};

/* ---- frames ---------------------------------------------------------------------------------- */

/* To all that listen. A rank to which it cannot be sent at once has not listened for long; that it
 * is lost is noticed by its silence. */
static void send_all(vdnn_watch *watch, const frame *out)
{
    for (int32_t r = 0; r < watch->mesh->ranks; r++)
        if (watch->subjects[r].file != VDNN_MESH_NO_SOCKET)
            (void)vdnn_socket_send(watch->subjects[r].file, out, HEAD_BYTES + out->bytes, 0);
}

static void ring(int file)
{
    const uint64_t one = 1;
    ssize_t done;
    do
        done = vdnn_system_write(file, &one, sizeof one);
    while (done < 0 && errno == EINTR);
}

/* Under the lock. The first reason counts. */
static bool end_group(vdnn_watch *watch, int32_t rank, vdnn_status status, const char *why)
{
    if (watch->is_over)
        return false;
    watch->is_over = true;
    watch->reason = rank;
    watch->status = status;
    (void)snprintf(watch->why, sizeof watch->why, "%s", why);
    (void)pthread_cond_broadcast(&watch->changed);
    ring(watch->bell);
    ring(watch->order);
    return true;
}

/* Under the lock: ends the group, and tells the others. */
static void end_all(vdnn_watch *watch, int32_t rank, vdnn_status status, const char *why)
{
    frame out = {.kind = OVER, .rank = rank, .status = (uint32_t)status};
    if (!end_group(watch, rank, status, why))
        return;
    (void)snprintf(out.text, sizeof out.text, "%s", why);
    out.bytes = (uint32_t)strlen(out.text);
    send_all(watch, &out);
}

/* ---- the watch's thread ---------------------------------------------------------------------- */

static void lose(vdnn_watch *watch, int32_t rank, const char *why)
{
    (void)pthread_mutex_lock(&watch->lock);
    watch->subjects[rank].file = VDNN_MESH_NO_SOCKET;
    if (!watch->subjects[rank].is_done)
        end_all(watch, rank, VDNN_PEER, why);
    (void)pthread_mutex_unlock(&watch->lock);
}

static void understand(vdnn_watch *watch, subject *who)
{
    who->received = 0;
    (void)pthread_mutex_lock(&watch->lock);
    who->is_done |= who->in.kind == DONE;
    if (who->in.kind == OVER) {
        who->in.text[who->in.bytes] = '\0';
        /* Passed on, so that no one hears that this rank is done before it hears why. */
        end_all(watch, who->in.rank, (vdnn_status)who->in.status, who->in.text);
    }
    (void)pthread_cond_broadcast(&watch->changed);
    (void)pthread_mutex_unlock(&watch->lock);
}

/* One frame at most. errno's number; *more: there may be more. */
static int hear(vdnn_watch *watch, subject *who, bool *more)
{
    const size_t whole = who->received < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + who->in.bytes;
    size_t received = 0;
    const int error = vdnn_socket_receive_some(who->file, (char *)&who->in + who->received,
                                               whole - who->received, &received);
    *more = received > 0;
    if (error != 0 || received == 0)
        return error;
    who->heard = vdnn_socket_now();
    who->received += received;
    if (who->received < HEAD_BYTES)
        return 0;
    if (who->in.bytes >= sizeof who->in.text || who->in.rank < 0 ||
        who->in.rank >= watch->mesh->ranks || who->in.kind > DONE ||
        !vdnn_handshake_is_status(who->in.status) ||
        (who->in.kind == OVER && who->in.status == VDNN_OK))
        return EPROTO;
    if (who->received == HEAD_BYTES + who->in.bytes)
        understand(watch, who);
    return 0;
}

static void hear_all(vdnn_watch *watch, int32_t rank)
{
    bool more = true;
    int error = 0;
    while (more && error == 0)
        error = hear(watch, &watch->subjects[rank], &more);
    if (error == ECONNRESET)
        lose(watch, rank, "it ended without a word");
    else if (error != 0)
        lose(watch, rank, strerror(error));
}

/* Looked for once a beat, and so noticed within the timeout. */
static void lose_the_silent(vdnn_watch *watch)
{
    char why[VDNN_ENDPOINT_TEXT_BYTES];
    const double now = vdnn_socket_now(),
                 most = watch->timeout - 1.5 * beat_seconds(watch->timeout);
    for (int32_t r = 0; r < watch->mesh->ranks; r++) {
        const subject *who = &watch->subjects[r];
        if (who->file == VDNN_MESH_NO_SOCKET || who->is_done || now - who->heard < most)
            continue;
        (void)vdnn_decimal_print(why, sizeof why, "no sign of life for %.1f s", now - who->heard);
        lose(watch, r, why);
    }
}

static double beat(vdnn_watch *watch, double due)
{
    const double now = vdnn_socket_now();
    if (now < due)
        return due;
    (void)pthread_mutex_lock(&watch->lock);
    send_all(watch, &(frame){.kind = BEAT});
    (void)pthread_mutex_unlock(&watch->lock);
    return now + beat_seconds(watch->timeout);
}

static void drain(int file)
{
    uint64_t count;
    (void)vdnn_system_read(file, &count, sizeof count);
}

/* What has come is heard before anyone is called silent: this process itself may have been stopped.
 */
static void wait_and_hear(vdnn_watch *watch, double until)
{
    const int32_t ranks = watch->mesh->ranks;
    for (int32_t r = 0; r < ranks; r++)
        watch->set[r] = (struct pollfd){.fd = watch->subjects[r].file, .events = POLLIN};
    watch->set[ranks] = (struct pollfd){.fd = watch->order, .events = POLLIN};
    (void)vdnn_socket_wait(watch->set, (size_t)ranks + 1, until);
    if (watch->set[ranks].revents != 0)
        drain(watch->order);
    for (int32_t r = 0; r < ranks; r++)
        if (watch->subjects[r].file != VDNN_MESH_NO_SOCKET && watch->set[r].revents != 0)
            hear_all(watch, r);
}

static bool look(vdnn_watch *watch, bool *is_over)
{
    (void)pthread_mutex_lock(&watch->lock);
    const bool is_closing = watch->is_closing;
    *is_over = watch->is_over;
    (void)pthread_mutex_unlock(&watch->lock);
    return !is_closing;
}

static void *watch_all(void *argument)
{
    vdnn_watch *watch = argument;
    double due = 0;
    for (bool is_over; look(watch, &is_over);) {
        if (is_over && !watch->was_alarmed && watch->alarm != NULL)
            watch->alarm(watch->context);
        watch->was_alarmed |= is_over;
        due = beat(watch, due);
        wait_and_hear(watch, due);
        lose_the_silent(watch);
    }
    return NULL;
}

/* ---- open and close -------------------------------------------------------------------------- */

static void destroy(vdnn_watch *watch)
{
    if (watch->bell >= 0)
        (void)vdnn_system_close(watch->bell);
    if (watch->order >= 0)
        (void)vdnn_system_close(watch->order);
    (void)pthread_cond_destroy(&watch->changed);
    (void)pthread_mutex_destroy(&watch->lock);
    vdnn_heap_free(watch->set);
    vdnn_heap_free(watch->subjects);
    vdnn_heap_free(watch);
}

static void init_lock(vdnn_watch *watch)
{
    pthread_condattr_t attributes;
    (void)pthread_mutex_init(&watch->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&watch->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

static vdnn_status fill(vdnn_watch *watch, int32_t channel)
{
    const int32_t ranks = watch->mesh->ranks;
    watch->subjects = vdnn_heap_calloc((size_t)ranks, sizeof *watch->subjects);
    watch->set = vdnn_heap_calloc((size_t)ranks + 1, sizeof *watch->set);
    if (watch->subjects == NULL || watch->set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to watch %d ranks", (int)ranks);
    for (int32_t r = 0; r < ranks; r++) {
        watch->subjects[r].file = watch->mesh->peers[r].sockets[channel];
        watch->subjects[r].heard = vdnn_socket_now();
    }
    watch->bell = vdnn_system_eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    watch->order = vdnn_system_eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = watch->bell < 0 || watch->order < 0 ? errno : 0;
    if (error == 0)
        error = vdnn_system_start_thread(&watch->thread, watch_all, watch);
    if (error == 0)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_PEER, "the other ranks cannot be watched: %s", strerror(error));
}

vdnn_status vdnn_watch_start(const vdnn_world *world, vdnn_mesh *mesh, int32_t channel,
                             vdnn_watch_alarm *alarm, void *context, vdnn_watch **watch)
{
    vdnn_watch *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to watch %d ranks", (int)mesh->ranks);
    fresh->mesh = mesh;
    fresh->timeout = world->peer_timeout;
    fresh->alarm = alarm;
    fresh->context = context;
    fresh->bell = fresh->order = -1;
    init_lock(fresh);
    vdnn_status status = fill(fresh, channel);
    if (status == VDNN_OK)
        *watch = fresh;
    else
        destroy(fresh);
    return status;
}

vdnn_status vdnn_watch_open(const vdnn_world *world, vdnn_watch_alarm *alarm, void *context,
                            vdnn_watch **watch)
{
    vdnn_mesh *mesh;
    VDNN_TRY(vdnn_mesh_open(world, 1, &mesh));
    vdnn_status status = vdnn_watch_start(world, mesh, 0, alarm, context, watch);
    if (status == VDNN_OK)
        (*watch)->own_mesh = mesh;
    else
        vdnn_mesh_close(mesh);
    return status;
}

void vdnn_watch_close(vdnn_watch *watch)
{
    if (watch == NULL)
        return;
    (void)pthread_mutex_lock(&watch->lock);
    watch->is_closing = true;
    send_all(watch, &(frame){.kind = DONE});
    ring(watch->order);
    (void)pthread_mutex_unlock(&watch->lock);
    (void)pthread_join(watch->thread, NULL);
    vdnn_mesh_close(watch->own_mesh);
    destroy(watch);
}

/* ---- calls ----------------------------------------------------------------------------------- */

int vdnn_watch_bell(const vdnn_watch *watch)
{
    return watch->bell;
}

bool vdnn_watch_is_over(vdnn_watch *watch)
{
    bool is_over;
    (void)look(watch, &is_over);
    return is_over;
}

vdnn_status vdnn_watch_tell(vdnn_watch *watch, const char *missed)
{
    if (!vdnn_watch_is_over(watch))
        return VDNN_OK;
    /* The reason does not change any more. */
    const vdnn_peer *peer = &watch->mesh->peers[watch->reason];
    if (watch->status != VDNN_PEER)
        return vdnn_status_fail(watch->status, "device %d: %s", (int)watch->reason, watch->why);
    return vdnn_status_fail(VDNN_PEER, "rank %d, process %d on %s, was lost: %s; missed at %s",
                            (int)watch->reason, (int)peer->process, peer->host, watch->why, missed);
}

void vdnn_watch_leave(vdnn_watch *watch, vdnn_status status, const char *why)
{
    (void)pthread_mutex_lock(&watch->lock);
    end_all(watch, watch->mesh->rank, status, why);
    (void)pthread_mutex_unlock(&watch->lock);
}

/* The watch, too, finds a closed connection at once; it may have to wait for a processor. */
static struct timespec end_of_grace(double timeout)
{
    const double seconds = timeout < most_grace_seconds ? timeout : most_grace_seconds;
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    const double whole = (double)at.tv_nsec * 1e-9 + seconds;
    at.tv_sec += (time_t)whole;
    at.tv_nsec = (long)((whole - (double)(time_t)whole) * 1e9);
    return at;
}

void vdnn_watch_miss(vdnn_watch *watch, int32_t rank, const char *why)
{
    const struct timespec until = end_of_grace(watch->timeout);
    (void)pthread_mutex_lock(&watch->lock);
    int error = 0;
    while (!watch->is_over && !watch->subjects[rank].is_done && error == 0)
        error = pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
    end_all(watch, rank, VDNN_PEER, watch->subjects[rank].is_done ? "it has ended already" : why);
    (void)pthread_mutex_unlock(&watch->lock);
}
