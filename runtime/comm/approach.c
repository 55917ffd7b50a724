#include "runtime/comm/approach.h"

#include "runtime/base/system.h"
#include "runtime/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Between attempts at one address; between the first ones at two; between looks for signals. */
static const double retry_seconds = 0.02, apart_seconds = 0.25, look_seconds = 0.1;

enum { NONE = -1, WHY_BYTES = 160 };

typedef struct attempt {
    int file; /* NONE: there is none now */
    bool is_connected, is_refused;
    double next; /* when it is tried again */
    size_t received;
    vdnn_greeting greeting;
    char why[WHY_BYTES]; /* it has not succeeded yet */
} attempt;

vdnn_status vdnn_approach_interrupted(const vdnn_world *world)
{
    if (world->messages == NULL || vdnn_messages_interrupted(world->messages) == VDNN_OK)
        return VDNN_OK;
    const vdnn_status status = vdnn_messages_interrupted(world->messages);
    return vdnn_status_fail(status, "stopped on a signal while the processes met");
}

double vdnn_approach_pause(double until)
{
    const double next = vdnn_socket_now() + look_seconds;
    return next < until ? next : until;
}

int vdnn_approach_receive(const vdnn_world *world, int file, void *bytes, size_t count,
                          double until)
{
    char *to = bytes;
    size_t done = 0, received = 0;
    int error = 0;
    while (error == 0 && done < count) {
        struct pollfd one = {.fd = file, .events = POLLIN};
        error = vdnn_socket_receive_some(file, to + done, count - done, &received);
        done += received;
        if (error != 0 || received > 0)
            continue;
        error = vdnn_socket_wait(&one, 1, vdnn_approach_pause(until));
        if (error == ETIMEDOUT && vdnn_socket_now() < until)
            error = vdnn_approach_interrupted(world) == VDNN_OK ? 0 : EINTR;
    }
    return error;
}

/* ---- one address ----------------------------------------------------------------------------- */

static void give_up(attempt *own, const char *why)
{
    if (own->file != NONE)
        (void)vdnn_system_close(own->file);
    own->file = NONE;
    own->is_connected = false;
    own->received = 0;
    own->next = vdnn_socket_now() + retry_seconds;
    (void)snprintf(own->why, sizeof own->why, "%s", why);
}

static void begin(attempt *own, const vdnn_endpoint *at)
{
    int file;
    const int error = vdnn_socket_begin_connect(at, &file);
    if (error != 0 && error != EINPROGRESS) {
        give_up(own, strerror(error));
        return;
    }
    own->file = file;
    own->is_connected = error == 0;
    (void)snprintf(own->why, sizeof own->why, "%s", strerror(ETIMEDOUT));
}

/* The other one can then say, too, who came. */
static void refuse(attempt *own, const char *why)
{
    vdnn_greeting ours;
    if (vdnn_handshake_greet(&ours, 0) == VDNN_OK)
        (void)vdnn_socket_send(own->file, &ours.head, sizeof ours.head, 0);
    give_up(own, why);
    own->is_refused = true;
}

static bool is_expected(const vdnn_approach *ask, attempt *own)
{
    char why[WHY_BYTES];
    const vdnn_greeting *greeting = &own->greeting;
    if (!vdnn_handshake_is_ours(&greeting->head)) {
        refuse(own, "what listens there is no process of vdnn");
        return false;
    }
    if (greeting->head.version == VDNN_HANDSHAKE_VERSION && greeting->rank == (uint32_t)ask->rank)
        return true;
    if (greeting->head.version != VDNN_HANDSHAKE_VERSION)
        (void)snprintf(why, sizeof why,
                       "another version of vdnn is there: its protocol is %u, that of this process "
                       "%d",
                       greeting->head.version, VDNN_HANDSHAKE_VERSION);
    else
        (void)snprintf(why, sizeof why, "rank %u is there", greeting->rank);
    refuse(own, why);
    return false;
}

/* True: the whole greeting of the right one is there. */
static bool listen_to(const vdnn_approach *ask, attempt *own)
{
    size_t received = 0;
    int error = own->is_connected ? 0 : vdnn_socket_finish_connect(own->file);
    own->is_connected = error == 0;
    if (error == 0)
        error = vdnn_socket_receive_some(own->file, (char *)&own->greeting + own->received,
                                         sizeof own->greeting - own->received, &received);
    if (error != 0) {
        give_up(own, strerror(error));
        return false;
    }
    own->received += received;
    return own->received == sizeof own->greeting && is_expected(ask, own);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static vdnn_status name_all(const vdnn_approach *ask, const attempt *attempts)
{
    char at[VDNN_ENDPOINT_TEXT_BYTES];
    vdnn_text all = {0};
    bool are_refused = true;
    for (int32_t i = 0; i < ask->count; i++) {
        are_refused &= attempts[i].is_refused;
        vdnn_text_add(&all, "%s%s: %s", i == 0 ? "" : ", ", vdnn_endpoint_text(&ask->all[i], at),
                      attempts[i].why);
    }
    vdnn_status status = vdnn_status_fail(
        are_refused ? VDNN_USAGE : VDNN_PEER, "rank %d is not met at %s within %g s (%s)",
        (int)ask->rank, ask->rank == 0 ? ask->world->address : "its address",
        ask->world->peer_timeout, all.failed ? "no memory to say why" : all.data);
    vdnn_text_fini(&all);
    return status;
}

static bool all_are_refused(const vdnn_approach *ask, const attempt *attempts)
{
    for (int32_t i = 0; i < ask->count; i++)
        if (!attempts[i].is_refused)
            return false;
    return true;
}

/* What can be begun is; returns when the next one can. */
static double begin_all(const vdnn_approach *ask, attempt *attempts)
{
    double next = vdnn_approach_pause(ask->until);
    for (int32_t i = 0; i < ask->count; i++) {
        attempt *own = &attempts[i];
        if (own->file == NONE && !own->is_refused && own->next <= vdnn_socket_now())
            begin(own, &ask->all[i]);
        if (own->file == NONE && !own->is_refused && own->next < next)
            next = own->next;
    }
    return next;
}

/* Until something happens. The address whose rank greets, or NONE. */
static int32_t attend(const vdnn_approach *ask, attempt *attempts, double until, bool *is_over)
{
    struct pollfd set[VDNN_ENDPOINT_MOST + 1];
    for (int32_t i = 0; i < ask->count; i++)
        set[i] =
            (struct pollfd){.fd = attempts[i].file,
                            .events = attempts[i].is_connected ? (short)POLLIN : (short)POLLOUT};
    set[ask->count] = (struct pollfd){.fd = ask->rank_0, .events = POLLRDHUP};
    (void)vdnn_socket_wait(set, (size_t)ask->count + 1, until);
    *is_over = set[ask->count].revents != 0;
    for (int32_t i = 0; i < ask->count; i++)
        if (attempts[i].file != NONE && set[i].revents != 0 && listen_to(ask, &attempts[i]))
            return i;
    return NONE;
}

static vdnn_status try_all(const vdnn_approach *ask, attempt *attempts, int32_t *which)
{
    vdnn_status status = VDNN_OK;
    bool is_over = false;
    *which = NONE;
    while (status == VDNN_OK && *which == NONE) {
        const double until = begin_all(ask, attempts);
        if (all_are_refused(ask, attempts))
            return name_all(ask, attempts);
        *which = attend(ask, attempts, until, &is_over);
        status = vdnn_approach_interrupted(ask->world);
        if (status == VDNN_OK && *which == NONE && (is_over || vdnn_socket_now() >= ask->until))
            status = name_all(ask, attempts);
    }
    return status;
}

vdnn_status vdnn_approach_reach(const vdnn_approach *ask, int *file, vdnn_greeting *greeting,
                                int32_t *which)
{
    attempt attempts[VDNN_ENDPOINT_MOST];
    int32_t found;
    for (int32_t i = 0; i < ask->count; i++)
        attempts[i] = (attempt){
            .file = NONE, .next = vdnn_socket_now() + i * apart_seconds, .why = "not tried yet"};
    vdnn_status status = try_all(ask, attempts, &found);
    for (int32_t i = 0; i < ask->count; i++)
        if (attempts[i].file != NONE && (status != VDNN_OK || i != found))
            (void)vdnn_system_close(attempts[i].file);
    if (status != VDNN_OK)
        return status;
    *file = attempts[found].file;
    *greeting = attempts[found].greeting;
    *which = found;
    return VDNN_OK;
}
