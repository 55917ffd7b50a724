/* What all transports have in common; the ranks are threads. */

#include "tests/support/group_scenes.h"
#include "tests/support/rank_threads.h"
#include "tests/support/vdnn_test.h"

enum { MOST_RANKS = 5 };

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

static void play_scene(const vdnn_group_scene *scene)
{
    for (int32_t ranks = scene->least_ranks; ranks <= MOST_RANKS; ranks++) {
        const vdnn_world common = {
            .ranks = ranks, .peer_timeout = 60, .sockets_only = tested->sockets_only};
        assert_ok(vdnn_test_threads_play(tested->transport, &common, scene->play));
    }
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
