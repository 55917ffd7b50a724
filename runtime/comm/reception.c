#include "runtime/comm/reception.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/approach.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    RANKS_NAMED = 8,
    RANKS_TEXT_BYTES = 128,
    TOLD = 8, /* that were turned away, each with a line */
};

/* With one that has not proven who it is. */
static const double most_patience_seconds = 5, patience_of_a_timeout = 0.25;

static double patience_seconds(const vdnn_world *world)
{
    const double share = patience_of_a_timeout * world->peer_timeout;
    return share < most_patience_seconds ? share : most_patience_seconds;
}

vdnn_status vdnn_reception_begin(vdnn_reception *reception, const vdnn_world *world,
                                 vdnn_mesh *mesh)
{
    reception->world = world;
    reception->mesh = mesh;
    reception->listeners = NULL;
    reception->turned_away = 0;
    reception->visitor_count = 0;
    reception->last_note[0] = '\0';
    const size_t ranks = (size_t)world->ranks;
    reception->places = vdnn_heap_calloc(ranks, sizeof *reception->places);
    reception->set = vdnn_heap_calloc(ranks + VDNN_RECEPTION_VISITORS + VDNN_ENDPOINT_MOST,
                                      sizeof *reception->set);
    if (reception->places != NULL && reception->set != NULL)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the addresses of %d ranks",
                            (int)world->ranks);
}

/* ---- visitors -------------------------------------------------------------------------------- */

static void forget(vdnn_reception *reception, int32_t visitor)
{
    memmove(reception->visitors + visitor, reception->visitors + visitor + 1,
            (size_t)(--reception->visitor_count - visitor) * sizeof *reception->visitors);
}

/* Strangers may come as often as they like: the first ones, then the 16th, the 32nd ... */
static void log_note(vdnn_reception *reception)
{
    char total[40] = "";
    const int64_t count = ++reception->turned_away;
    if (reception->world->messages == NULL || (count > TOLD && (count & (count - 1)) != 0))
        return;
    if (count > TOLD)
        (void)snprintf(total, sizeof total, " (%lld so far)", (long long)count);
    vdnn_messages_log(reception->world->messages, VDNN_LOG_WARN, "turned away %s%s",
                      reception->last_note, total);
}

static void turn_away(vdnn_reception *reception, int32_t visitor, const char *why)
{
    char from[VDNN_ENDPOINT_TEXT_BYTES];
    const vdnn_visitor *who = &reception->visitors[visitor];
    (void)snprintf(reception->last_note, sizeof reception->last_note, "%s: %s",
                   vdnn_endpoint_text(&who->from, from), why);
    log_note(reception);
    (void)vdnn_system_close(who->file);
    forget(reception, visitor);
}

static void let_in(vdnn_reception *reception, int32_t visitor)
{
    const vdnn_visitor *who = &reception->visitors[visitor];
    vdnn_peer *peer = &reception->mesh->peers[who->claim.rank];
    memcpy(peer->host, who->claim.host, sizeof peer->host - 1);
    peer->process = (int32_t)who->claim.process;
    peer->sockets[who->claim.channel] = who->file;
    reception->places[who->claim.rank] = who->from;
    vdnn_endpoint_set_port(&reception->places[who->claim.rank], (int)who->claim.port);
    forget(reception, visitor);
}

static vdnn_admission judge(const vdnn_reception *reception, const vdnn_visitor *who)
{
    const vdnn_mesh *mesh = reception->mesh;
    const vdnn_claim *claim = &who->claim;
    if (!vdnn_handshake_is_proven(reception->world, &who->greeting, claim))
        return VDNN_NO_PROOF;
    if (claim->ranks != (uint32_t)mesh->ranks || claim->rank >= claim->ranks ||
        claim->channel >= (uint32_t)mesh->channels || claim->port == 0 || claim->port > UINT16_MAX)
        return VDNN_OTHER_RANKS;
    return (int32_t)claim->rank <= mesh->rank ||
                   mesh->peers[claim->rank].sockets[claim->channel] != VDNN_MESH_NO_SOCKET
               ? VDNN_RANK_TAKEN
               : VDNN_WELCOME;
}

/* A whole claim is there. */
static void decide(vdnn_reception *reception, int32_t visitor)
{
    const vdnn_visitor *who = &reception->visitors[visitor];
    const vdnn_admission verdict = judge(reception, who);
    char why[VDNN_RECEPTION_NOTE_BYTES];
    vdnn_answer answer;
    vdnn_handshake_answer(reception->world, &who->greeting, &who->claim, verdict, &answer);
    /* There is room for it on a fresh connection. */
    const int error = vdnn_socket_send(who->file, &answer, sizeof answer, 0);
    switch (verdict) {
    case VDNN_NO_PROOF:
        turn_away(reception, visitor, "it does not know the secret of this run");
        return;
    case VDNN_OTHER_RANKS:
        (void)snprintf(why, sizeof why, "it is rank %u of %u, but here are %d ranks",
                       who->claim.rank, who->claim.ranks, (int)reception->world->ranks);
        turn_away(reception, visitor, why);
        return;
    case VDNN_RANK_TAKEN:
        (void)snprintf(why, sizeof why, "process %u on %.*s claims rank %u, which has come already",
                       who->claim.process, (int)sizeof who->claim.host - 1, who->claim.host,
                       who->claim.rank);
        turn_away(reception, visitor, why);
        return;
    default:
        if (error != 0)
            turn_away(reception, visitor, strerror(error));
        else
            let_in(reception, visitor);
    }
}

/* Takes what has arrived. Says why it cannot be one of ours; NULL: it may be. */
static const char *listen_to(vdnn_visitor *who)
{
    size_t received;
    char *to = (char *)&who->claim;
    const int error = vdnn_socket_receive_some(who->file, to + who->received,
                                               sizeof who->claim - who->received, &received);
    if (error == ECONNRESET)
        return "it left without proof of the secret";
    if (error != 0)
        return strerror(error);
    who->received += received;
    if (who->received < sizeof who->claim.head)
        return NULL;
    if (!vdnn_handshake_is_ours(&who->claim.head))
        return "it is no process of vdnn";
    if (who->claim.head.version != VDNN_HANDSHAKE_VERSION)
        return "it has another version of vdnn";
    return NULL;
}

static void attend(vdnn_reception *reception, int32_t visitor)
{
    vdnn_visitor *who = &reception->visitors[visitor];
    const char *why = listen_to(who);
    if (why != NULL)
        turn_away(reception, visitor, why);
    else if (who->received == sizeof who->claim)
        decide(reception, visitor);
}

/* ---- the door -------------------------------------------------------------------------------- */

static vdnn_status greet(vdnn_reception *reception, int file, const vdnn_endpoint *from)
{
    if (reception->visitor_count == VDNN_RECEPTION_VISITORS)
        turn_away(reception, 0, "too many come at a time, and it has said nothing yet");
    const int32_t visitor = reception->visitor_count++;
    vdnn_visitor *who = &reception->visitors[visitor];
    *who = (vdnn_visitor){.file = file,
                          .from = *from,
                          .until = vdnn_socket_now() + patience_seconds(reception->world)};
    VDNN_TRY(vdnn_handshake_greet(&who->greeting, reception->mesh->rank));
    const int error = vdnn_socket_send(file, &who->greeting, sizeof who->greeting, 0);
    if (error != 0)
        turn_away(reception, visitor, strerror(error));
    return VDNN_OK;
}

static vdnn_status open_door(vdnn_reception *reception, int listener)
{
    vdnn_endpoint from;
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK) {
        const int file = vdnn_socket_accept(listener, &from);
        if (file < 0)
            break;
        status = greet(reception, file, &from);
    }
    return status;
}

/* Those whose time is over; returns when that of the next one is. */
static double turn_away_the_slow(vdnn_reception *reception, double until)
{
    const double now = vdnn_socket_now();
    for (int32_t v = reception->visitor_count - 1; v >= 0; v--)
        if (reception->visitors[v].until <= now)
            turn_away(reception, v, "it did not prove in time that it knows the secret");
    for (int32_t v = 0; v < reception->visitor_count; v++)
        until = reception->visitors[v].until < until ? reception->visitors[v].until : until;
    return until;
}

/* The ranks that came are silent now; one whose connection closes has failed. */
static vdnn_status check_those_here(const vdnn_reception *reception, const struct pollfd *set)
{
    const vdnn_mesh *mesh = reception->mesh;
    for (int32_t r = mesh->rank + 1; r < mesh->ranks; r++)
        if (set[r].fd != VDNN_MESH_NO_SOCKET && set[r].revents != 0)
            return vdnn_status_fail(VDNN_PEER,
                                    "rank %d, process %d on %s, ended while the ranks met", (int)r,
                                    (int)mesh->peers[r].process, mesh->peers[r].host);
    return VDNN_OK;
}

/* One round: whoever has something to say, then whoever is new. */
static vdnn_status attend_all(vdnn_reception *reception, double until)
{
    const vdnn_mesh *mesh = reception->mesh;
    struct pollfd *here = reception->set, *set = here + mesh->ranks;
    const int32_t count = reception->visitor_count;
    for (int32_t r = 0; r < mesh->ranks; r++)
        here[r] =
            (struct pollfd){.fd = r > mesh->rank ? mesh->peers[r].sockets[0] : VDNN_MESH_NO_SOCKET,
                            .events = POLLRDHUP};
    for (int32_t v = 0; v < count; v++)
        set[v] = (struct pollfd){.fd = reception->visitors[v].file, .events = POLLIN};
    const vdnn_listeners *doors = reception->listeners;
    for (int32_t l = 0; l < doors->count; l++)
        set[count + l] = (struct pollfd){.fd = doors->files[l], .events = POLLIN};
    const size_t all = (size_t)mesh->ranks + (size_t)count + (size_t)doors->count;
    const int error = vdnn_socket_wait(here, all, until);
    if (error != 0 && error != ETIMEDOUT)
        return vdnn_status_fail(VDNN_PEER, "rank %d cannot wait for the others: %s",
                                (int)mesh->rank, strerror(error));
    for (int32_t v = count - 1; v >= 0; v--)
        if (set[v].revents != 0)
            attend(reception, v);
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; l < doors->count && status == VDNN_OK; l++)
        if (set[count + l].revents != 0)
            status = open_door(reception, doors->files[l]);
    return status == VDNN_OK ? check_those_here(reception, here) : status;
}

static bool is_here(const vdnn_mesh *mesh, int32_t rank, int32_t channels)
{
    for (int32_t c = 0; c < channels; c++)
        if (mesh->peers[rank].sockets[c] == VDNN_MESH_NO_SOCKET)
            return false;
    return true;
}

static bool all_are_here(const vdnn_mesh *mesh, int32_t channels)
{
    for (int32_t r = mesh->rank + 1; r < mesh->ranks; r++)
        if (!is_here(mesh, r, channels))
            return false;
    return true;
}

static vdnn_status name_the_missing(const vdnn_reception *reception, int32_t channels)
{
    const vdnn_mesh *mesh = reception->mesh;
    const vdnn_world *world = reception->world;
    char text[RANKS_TEXT_BYTES];
    int length = 0, missing = 0;
    for (int32_t r = mesh->rank + 1; r < mesh->ranks; r++)
        if (!is_here(mesh, r, channels) && ++missing <= RANKS_NAMED)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%d",
                               missing == 1 ? "" : ", ", (int)r);
    return vdnn_status_fail(
        VDNN_PEER, "rank%s %s%s did not come to rank %d%s%s within %g s%s%s%s",
        missing == 1 ? "" : "s", text, missing > RANKS_NAMED ? ", ..." : "", (int)mesh->rank,
        mesh->rank == 0 ? " at " : "", mesh->rank == 0 ? world->address : "", world->peer_timeout,
        reception->last_note[0] == '\0' ? "" : " (turned away: ", reception->last_note,
        reception->last_note[0] == '\0' ? "" : ")");
}

vdnn_status vdnn_reception_await(vdnn_reception *reception, int32_t channels, double until)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && !all_are_here(reception->mesh, channels)) {
        if (vdnn_socket_now() > until)
            return name_the_missing(reception, channels);
        status = attend_all(reception, vdnn_approach_pause(turn_away_the_slow(reception, until)));
        VDNN_IF_OK(status, vdnn_approach_interrupted(reception->world));
    }
    return status;
}

void vdnn_reception_end(vdnn_reception *reception)
{
    while (reception->visitor_count > 0)
        turn_away(reception, 0, "all ranks are here");
    vdnn_heap_free(reception->places);
    vdnn_heap_free(reception->set);
}
