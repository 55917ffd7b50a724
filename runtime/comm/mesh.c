#include "runtime/comm/mesh.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/approach.h"
#include "runtime/comm/reception.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORD_BYTES = 512 };

/* Where a rank is, as rank 0 tells the others. */
typedef struct place {
    vdnn_endpoint at;
    uint32_t is_with_rank_0; /* on its host: found as rank 0 is */
    uint32_t process;
    char host[VDNN_HANDSHAKE_HOST_BYTES];
} place;

/* What rank 0 sends before the places: why there are none; empty if there are. */
typedef struct word {
    uint32_t status;
    char why[WORD_BYTES];
} word;

typedef struct meeting {
    const vdnn_world *world;
    vdnn_mesh *mesh;
    double until;
    vdnn_endpoint rank_0; /* as it was reached from here */
    vdnn_listeners listeners;
    int port;
    place *places; /* by rank */
    vdnn_reception reception;
} meeting;

/* ---- coming ---------------------------------------------------------------------------------- */

static vdnn_status say_answer(const meeting *m, int32_t rank, const vdnn_answer *answer)
{
    switch (answer->verdict) {
    case VDNN_WELCOME:
        return VDNN_OK;
    case VDNN_RANK_TAKEN:
        return vdnn_status_fail(VDNN_USAGE,
                                "rank %d turned this process away: another one is rank "
                                "%d already",
                                (int)rank, (int)m->world->rank);
    case VDNN_OTHER_RANKS:
        return vdnn_status_fail(VDNN_USAGE,
                                "rank %d turned this process away: here are %d ranks, there %u",
                                (int)rank, (int)m->world->ranks, answer->ranks);
    case VDNN_NO_PROOF:
        return vdnn_status_fail(VDNN_USAGE,
                                "rank %d turned this process away: it has another "
                                "secret than this one",
                                (int)rank);
    default:
        return vdnn_status_fail(VDNN_USAGE, "rank %d answers %u, which this process does not know",
                                (int)rank, answer->verdict);
    }
}

/* On a fresh connection. *error: what went wrong with that, for which another one may be tried. */
static vdnn_status introduce(const meeting *m, int32_t rank, int32_t channel, int file,
                             const vdnn_greeting *greeting, int *error)
{
    vdnn_answer answer;
    vdnn_claim claim = {.channel = (uint32_t)channel, .port = (uint32_t)m->port};
    VDNN_TRY(vdnn_handshake_claim(m->world, greeting, &claim));
    *error = vdnn_socket_send(file, &claim, sizeof claim, m->until);
    if (*error == 0)
        *error = vdnn_approach_receive(m->world, file, &answer, sizeof answer, m->until);
    if (*error == EINTR)
        return vdnn_approach_interrupted(m->world);
    if (*error != 0)
        return VDNN_OK;
    if (!vdnn_handshake_is_answered(m->world, greeting, &claim, &answer))
        answer.verdict = VDNN_NO_PROOF;
    return say_answer(m, rank, &answer);
}

static int listen_beside(meeting *m, int file)
{
    vdnn_endpoint own;
    int error = vdnn_socket_own(file, &own);
    if (error != 0)
        return error;
    if (vdnn_endpoint_is_loopback(&own) && !vdnn_socket_is_local_name(m->world->address))
        vdnn_endpoint_set_any(&own);
    vdnn_endpoint_set_port(&own, 0);
    error = vdnn_socket_listen_at(&own, &m->listeners.files[0], &m->port);
    m->listeners.count = error == 0;
    return error;
}

/* Once. Where it comes to rank 0, and listens nowhere yet, it begins to. */
static vdnn_status try_to_come(meeting *m, const vdnn_approach *ask, int32_t channel,
                               int32_t *which, int *error)
{
    int file;
    vdnn_greeting greeting;
    vdnn_status status = vdnn_approach_reach(ask, &file, &greeting, which);
    if (status != VDNN_OK)
        return status;
    *error = m->listeners.count == 0 ? listen_beside(m, file) : 0;
    if (*error == 0)
        status = introduce(m, ask->rank, channel, file, &greeting, error);
    if (status == VDNN_OK && *error == 0)
        m->mesh->peers[ask->rank].sockets[channel] = file;
    else
        (void)vdnn_system_close(file);
    return status;
}

/* Until it succeeds, is turned away, or the time is over. *which: the address that it was. */
static vdnn_status come(meeting *m, int32_t rank, int32_t channel, const vdnn_endpoint *all,
                        int32_t count, int32_t *which)
{
    char at[VDNN_ENDPOINT_TEXT_BYTES];
    const vdnn_approach ask = {m->world, rank, all, count, m->until, m->mesh->peers[0].sockets[0]};
    int error = 0;
    do {
        vdnn_status status = try_to_come(m, &ask, channel, which, &error);
        if (status != VDNN_OK || error == 0)
            return status;
    } while (vdnn_socket_now() < m->until);
    return vdnn_status_fail(VDNN_PEER, "rank %d is not met at %s within %g s: %s", (int)rank,
                            vdnn_endpoint_text(&all[*which], at), m->world->peer_timeout,
                            strerror(error));
}

/* ---- places ---------------------------------------------------------------------------------- */

static void fill_places(meeting *m)
{
    vdnn_handshake_host(m->mesh->peers[0].host);
    m->mesh->peers[0].process = (int32_t)getpid();
    for (int32_t r = 0; r < m->world->ranks; r++) {
        const vdnn_peer *peer = &m->mesh->peers[r];
        place *to = &m->places[r];
        *to = (place){.at = m->reception.places[r], .process = (uint32_t)peer->process};
        to->is_with_rank_0 = r > 0 && vdnn_endpoint_is_loopback(&to->at);
        memcpy(to->host, peer->host, sizeof to->host);
    }
}

static vdnn_status lost_while_meeting(const meeting *m, int32_t rank, int error)
{
    char at[VDNN_ENDPOINT_TEXT_BYTES];
    if (error == EINTR)
        return vdnn_approach_interrupted(m->world);
    return vdnn_status_fail(VDNN_PEER, "rank %d%s%s was lost while the ranks met: %s", (int)rank,
                            rank == 0 ? " at " : " on ",
                            rank == 0 ? vdnn_endpoint_text(&m->rank_0, at)
                                      : m->mesh->peers[rank].host,
                            strerror(error));
}

/* To each that came: where the others are, or why there is no run. */
static vdnn_status send_places(meeting *m, vdnn_status status)
{
    word first = {.status = (uint32_t)status};
    vdnn_status result = status;
    if (status != VDNN_OK)
        (void)snprintf(first.why, sizeof first.why, "%s", vdnn_status_message());
    for (int32_t r = 1; r < m->world->ranks; r++) {
        const int file = m->mesh->peers[r].sockets[0];
        if (file == VDNN_MESH_NO_SOCKET)
            continue;
        int error = vdnn_socket_send(file, &first, sizeof first, m->until);
        if (error == 0 && status == VDNN_OK)
            error = vdnn_socket_send(file, m->places, (size_t)m->world->ranks * sizeof *m->places,
                                     m->until);
        if (error != 0 && result == VDNN_OK)
            result = lost_while_meeting(m, r, error);
    }
    return result;
}

static bool is_place(const place *at)
{
    const sa_family_t family = at->at.any.sa_family;
    return (family == AF_INET || family == AF_INET6) && vdnn_endpoint_port(&at->at) > 0 &&
           memchr(at->host, '\0', sizeof at->host) != NULL && at->is_with_rank_0 <= 1;
}

/* Rank 0 has none among them: all know where it is. */
static vdnn_status check_places(const meeting *m)
{
    char at[VDNN_ENDPOINT_TEXT_BYTES];
    for (int32_t r = 1; r < m->world->ranks; r++)
        if (!is_place(&m->places[r]))
            return vdnn_status_fail(VDNN_PEER, "rank 0 at %s says of rank %d a place that is none",
                                    vdnn_endpoint_text(&m->rank_0, at), (int)r);
    return VDNN_OK;
}

static vdnn_status take_word(const meeting *m, const word *first)
{
    char at[VDNN_ENDPOINT_TEXT_BYTES];
    if (first->status == VDNN_OK)
        return VDNN_OK;
    if (!vdnn_handshake_is_status(first->status))
        return vdnn_status_fail(VDNN_PEER, "rank 0 at %s ends with %u, which is no status",
                                vdnn_endpoint_text(&m->rank_0, at), first->status);
    return vdnn_status_fail((vdnn_status)first->status, "%.*s", (int)sizeof first->why, first->why);
}

static vdnn_status take_places(meeting *m)
{
    word first;
    const int file = m->mesh->peers[0].sockets[0];
    /* Rank 0 may have begun to wait later than this one, and has more to say than that it waited.
     */
    const double until = vdnn_socket_now() + 2 * m->world->peer_timeout;
    int error = vdnn_approach_receive(m->world, file, &first, sizeof first, until);
    vdnn_status status = error == 0 ? take_word(m, &first) : VDNN_OK;
    if (error == 0 && status == VDNN_OK)
        error = vdnn_approach_receive(m->world, file, m->places,
                                      (size_t)m->world->ranks * sizeof *m->places, until);
    if (error != 0)
        return lost_while_meeting(m, 0, error);
    VDNN_IF_OK(status, check_places(m));
    for (int32_t r = 0; r < m->world->ranks && status == VDNN_OK; r++) {
        vdnn_peer *peer = &m->mesh->peers[r];
        peer->process = (int32_t)m->places[r].process;
        memcpy(peer->host, m->places[r].host, sizeof peer->host - 1);
    }
    return status;
}

/* ---- the ranks' parts ------------------------------------------------------------------------ */

static vdnn_status gather_as_rank_0(meeting *m)
{
    vdnn_status status = vdnn_reception_await(&m->reception, 1, m->until);
    if (status == VDNN_OK)
        fill_places(m);
    return send_places(m, status);
}

static vdnn_status come_to_rank_0(meeting *m)
{
    vdnn_endpoints found;
    int32_t which = 0;
    vdnn_status status = vdnn_socket_resolve(m->world->address, &found);
    VDNN_IF_OK(status, come(m, 0, 0, found.all, found.count, &which));
    if (status != VDNN_OK)
        return status;
    m->rank_0 = found.all[which];
    m->reception.listeners = &m->listeners;
    return take_places(m);
}

/* All channels but the one on which it came to rank 0. */
static vdnn_status come_to_lower_ranks(meeting *m)
{
    vdnn_status status = VDNN_OK;
    for (int32_t r = 0; r < m->world->rank; r++) {
        vdnn_endpoint at = r == 0 || m->places[r].is_with_rank_0 ? m->rank_0 : m->places[r].at;
        int32_t which;
        if (r > 0)
            vdnn_endpoint_set_port(&at, vdnn_endpoint_port(&m->places[r].at));
        for (int32_t c = r == 0 ? 1 : 0; c < m->mesh->channels && status == VDNN_OK; c++)
            status = come(m, r, c, &at, 1, &which);
    }
    return status;
}

static vdnn_status meet(meeting *m)
{
    vdnn_status status = m->world->rank == 0 ? gather_as_rank_0(m) : come_to_rank_0(m);
    m->until = vdnn_socket_now() + m->world->peer_timeout;
    VDNN_IF_OK(status, come_to_lower_ranks(m));
    VDNN_IF_OK(status, vdnn_reception_await(&m->reception, m->mesh->channels, m->until));
    return status;
}

/* ---- open and close -------------------------------------------------------------------------- */

static vdnn_mesh *create_mesh(const vdnn_world *world, int32_t channels)
{
    vdnn_mesh *mesh = vdnn_heap_calloc(1, sizeof *mesh);
    if (mesh == NULL)
        return NULL;
    *mesh = (vdnn_mesh){.rank = world->rank, .ranks = world->ranks, .channels = channels};
    mesh->peers = vdnn_heap_calloc((size_t)world->ranks, sizeof *mesh->peers);
    for (int32_t r = 0; mesh->peers != NULL && r < world->ranks; r++)
        for (int32_t c = 0; c < VDNN_MESH_MOST_CHANNELS; c++)
            mesh->peers[r].sockets[c] = VDNN_MESH_NO_SOCKET;
    if (mesh->peers != NULL)
        return mesh;
    vdnn_heap_free(mesh);
    return NULL;
}

void vdnn_mesh_close(vdnn_mesh *mesh)
{
    if (mesh == NULL)
        return;
    for (int32_t r = 0; r < mesh->ranks; r++)
        for (int32_t c = 0; c < mesh->channels; c++)
            if (mesh->peers[r].sockets[c] != VDNN_MESH_NO_SOCKET)
                (void)vdnn_system_close(mesh->peers[r].sockets[c]);
    vdnn_heap_free(mesh->peers);
    vdnn_heap_free(mesh);
}

/* Those that were handed on. */
static vdnn_status check_listeners(const meeting *m)
{
    vdnn_endpoint own;
    for (int32_t i = 0; i < m->listeners.count; i++) {
        const int error = vdnn_socket_own(m->listeners.files[i], &own);
        if (error != 0)
            return vdnn_status_fail(VDNN_USAGE,
                                    "descriptor %d, at which rank 0 is to listen, is no socket: %s",
                                    m->listeners.files[i], strerror(error));
    }
    return VDNN_OK;
}

static vdnn_status begin(meeting *m, int32_t channels)
{
    m->mesh = create_mesh(m->world, channels);
    m->places = vdnn_heap_calloc((size_t)m->world->ranks, sizeof *m->places);
    if (m->mesh == NULL || m->places == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the connections of %d ranks",
                                (int)m->world->ranks);
    vdnn_status status = vdnn_reception_begin(&m->reception, m->world, m->mesh);
    if (status == VDNN_OK && m->world->rank == 0 && m->listeners.count == 0)
        status = vdnn_socket_listen(m->world->address, &m->listeners, &m->port);
    else if (status == VDNN_OK)
        status = check_listeners(m);
    m->reception.listeners = &m->listeners;
    return status;
}

vdnn_status vdnn_mesh_open(const vdnn_world *world, int32_t channels, vdnn_mesh **mesh)
{
    VDNN_INVARIANT(channels, <=, VDNN_MESH_MOST_CHANNELS);
    meeting m = {.world = world, .until = vdnn_socket_now() + world->peer_timeout};
    if (world->rank == 0)
        m.listeners = world->listeners;
    vdnn_status status = begin(&m, channels);
    VDNN_IF_OK(status, meet(&m));
    vdnn_reception_end(&m.reception);
    vdnn_socket_close_all(&m.listeners);
    vdnn_heap_free(m.places);
    if (status == VDNN_OK)
        *mesh = m.mesh;
    else
        vdnn_mesh_close(m.mesh);
    return status;
}
