#include "tests/support/rank_threads.h"

#include "runtime/base/status.h"
#include "runtime/base/system.h"
#include "runtime/comm/sockets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 8, ADDRESS_BYTES = 32 };

typedef struct member {
    const vdnn_transport *transport;
    vdnn_status (*play)(vdnn_group *end);
    vdnn_world world;
    vdnn_group *end; /* NULL: it has to join */
    vdnn_first_error error;
    pthread_t thread;
} member;

static void *live(void *argument)
{
    member *own = argument;
    vdnn_status status = VDNN_OK;
    if (own->end == NULL)
        status = vdnn_group_join(own->transport, &own->world, &own->end);
    if (status == VDNN_OK)
        status = own->play(own->end);
    vdnn_first_error_keep(&own->error, status);
    if (status != VDNN_OK)
        vdnn_group_leave(own->end, status, own->error.message);
    return NULL;
}

/* A port that the system chooses: rank 0 listens before any other rank begins. */
static vdnn_status prepare_worlds(const vdnn_world *common, member *members,
                                  char address[ADDRESS_BYTES])
{
    int port;
    vdnn_listeners listeners;
    vdnn_status status = vdnn_socket_listen("127.0.0.1:0", &listeners, &port);
    if (status != VDNN_OK)
        return status;
    (void)snprintf(address, ADDRESS_BYTES, "127.0.0.1:%d", port);
    for (int32_t r = 0; r < common->ranks; r++) {
        vdnn_world *world = &members[r].world;
        *world = *common;
        world->rank = world->local_rank = r;
        world->local_ranks = common->ranks;
        world->address = address;
        world->secret = "abracadabra";
        if (r == 0)
            world->listeners = listeners;
    }
    return VDNN_OK;
}

static vdnn_status open_all(const vdnn_transport *transport, int32_t ranks, member *members)
{
    vdnn_group *ends[MOST_RANKS];
    vdnn_status status = vdnn_group_open(transport, ranks, ends);
    for (int32_t r = 0; status == VDNN_OK && r < ranks; r++)
        members[r].end = ends[r];
    return status;
}

/* A rank that another one's failure ended says less than that one. */
static vdnn_status worst_of(member *members, int32_t ranks)
{
    int32_t worst = 0;
    for (int32_t r = 1; r < ranks; r++) {
        const vdnn_status status = members[r].error.status, before = members[worst].error.status;
        if (status != VDNN_OK && (before == VDNN_OK || before == VDNN_PEER))
            worst = r;
    }
    vdnn_status status = vdnn_first_error_tell(&members[worst].error);
    return status == VDNN_OK ? status
                             : vdnn_status_prefix(status, "rank %d of %d", (int)worst, (int)ranks);
}

vdnn_status vdnn_test_threads_play(const vdnn_transport *transport, const vdnn_world *common,
                                   vdnn_status (*play)(vdnn_group *end))
{
    member members[MOST_RANKS];
    char address[ADDRESS_BYTES];
    const int32_t ranks = common->ranks;
    memset(members, 0, sizeof members);
    vdnn_status status = transport->open != NULL ? open_all(transport, ranks, members)
                                                 : prepare_worlds(common, members, address);
    if (status != VDNN_OK)
        return status;
    for (int32_t r = 0; r < ranks; r++) {
        members[r].transport = transport;
        members[r].play = play;
        if (pthread_create(&members[r].thread, NULL, live, &members[r]) != 0)
            abort(); /* the test's own threads, which no fault is for */
    }
    for (int32_t r = 0; r < ranks; r++)
        (void)pthread_join(members[r].thread, NULL);
    for (int32_t r = 0; r < ranks; r++)
        vdnn_group_close(members[r].end);
    return worst_of(members, ranks);
}
