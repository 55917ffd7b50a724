/* Groups whose ranks are threads. */

#include "runtime/base/system.h"
#include "runtime/comm/sockets.h"
#include "runtime/comm/world.h"
#include "tests/support/group_scenes.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RANKS = 5, ADDRESS_BYTES = 32 };

/* A transport, and how it is joined. */
typedef struct variant {
    const char *name;
    const vdnn_transport *transport;
    bool sockets_only;
} variant;

static const variant variants[] = {
    {"in process", &vdnn_transport_in_process, false},
    {"sockets", &vdnn_transport_tcp, true},
    {"shared memory", &vdnn_transport_tcp, false},
};

static const variant *tested;

typedef struct member {
    const vdnn_group_scene *scene;
    vdnn_world world;
    vdnn_group *end;
    vdnn_first_error error;
    pthread_t thread;
} member;

/* Joins, where each rank does it for itself, and plays. */
static void *play(void *argument)
{
    member *own = argument;
    vdnn_status status = VDNN_OK;
    if (own->end == NULL)
        status = vdnn_group_join(tested->transport, &own->world, &own->end);
    if (status == VDNN_OK)
        status = own->scene->play(own->end);
    vdnn_first_error_keep(&own->error, status);
    return NULL;
}

/* A port that the system chooses: rank 0 listens before any other rank begins. */
static void prepare_worlds(int32_t ranks, member *members, char address[ADDRESS_BYTES])
{
    int listener, port;
    assert_ok(vdnn_socket_listen("127.0.0.1:0", &listener, &port));
    (void)snprintf(address, ADDRESS_BYTES, "127.0.0.1:%d", port);
    for (int32_t r = 0; r < ranks; r++)
        members[r].world = (vdnn_world){.rank = r,
                                        .ranks = ranks,
                                        .local_rank = r,
                                        .local_ranks = ranks,
                                        .address = address,
                                        .secret = "abracadabra",
                                        .peer_timeout = 60,
                                        .listener = r == 0 ? listener : 0,
                                        .sockets_only = tested->sockets_only};
}

static void play_with(const vdnn_group_scene *scene, int32_t ranks)
{
    char address[ADDRESS_BYTES];
    vdnn_group *ends[MOST_RANKS] = {NULL};
    member members[MOST_RANKS];
    memset(members, 0, sizeof members);
    if (tested->transport->open != NULL)
        assert_ok(vdnn_group_open(tested->transport, ranks, ends));
    else
        prepare_worlds(ranks, members, address);
    for (int32_t r = 0; r < ranks; r++) {
        members[r].scene = scene;
        members[r].end = ends[r];
        assert_int_equal(vdnn_system_start_thread(&members[r].thread, play, &members[r]), 0);
    }
    for (int32_t r = 0; r < ranks; r++)
        assert_int_equal(pthread_join(members[r].thread, NULL), 0);
    for (int32_t r = 0; r < ranks; r++) {
        if (vdnn_first_error_tell(&members[r].error) != VDNN_OK)
            fail_msg("%s: %d of %d: %s", scene->name, (int)r, (int)ranks, vdnn_status_message());
        vdnn_group_close(members[r].end);
    }
}

static void play_scene(const vdnn_group_scene *scene)
{
    for (int32_t ranks = scene->least_ranks; ranks <= MOST_RANKS; ranks++)
        play_with(scene, ranks);
}

static void nobody_can_leave_and_be_closed(void **state)
{
    (void)state;
    vdnn_group_leave(NULL, VDNN_DEVICE, "nobody");
    vdnn_group_close(NULL);
}

#define X(name, ends, least_ranks)                                                                 \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        play_scene(&vdnn_group_scenes[VDNN_GROUP_SCENE_##name]);                                   \
    }
VDNN_GROUP_SCENE_TABLE(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name, ends, least_ranks) cmocka_unit_test(name),
        VDNN_GROUP_SCENE_TABLE(X)
#undef X
            cmocka_unit_test(nobody_can_leave_and_be_closed),
    };
    int failed = 0;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        tested = &variants[v];
        failed += cmocka_run_group_tests_name(tested->name, tests, NULL, NULL);
    }
    return failed;
}
