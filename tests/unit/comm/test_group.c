/* Groups whose ranks are threads. */

#include "runtime/base/system.h"
#include "tests/support/group_scenes.h"
#include "tests/support/vdnn_test.h"

enum { MOST_RANKS = 5 };

typedef struct member {
    const vdnn_group_scene *scene;
    vdnn_group *end;
    vdnn_first_error error;
    pthread_t thread;
} member;

static void *play(void *argument)
{
    member *own = argument;
    vdnn_first_error_keep(&own->error, own->scene->play(own->end));
    return NULL;
}

static void play_with(const vdnn_group_scene *scene, int32_t ranks)
{
    vdnn_group *ends[MOST_RANKS];
    member members[MOST_RANKS];
    assert_ok(vdnn_group_open(&vdnn_transport_in_process, ranks, ends));
    for (int32_t r = 0; r < ranks; r++) {
        members[r] = (member){.scene = scene, .end = ends[r]};
        assert_int_equal(vdnn_system_start_thread(&members[r].thread, play, &members[r]), 0);
    }
    for (int32_t r = 0; r < ranks; r++)
        assert_int_equal(pthread_join(members[r].thread, NULL), 0);
    for (int32_t r = 0; r < ranks; r++) {
        if (vdnn_first_error_tell(&members[r].error) != VDNN_OK)
            fail_msg("%s: %d of %d: %s", scene->name, (int)r, (int)ranks, vdnn_status_message());
        vdnn_group_close(ends[r]);
    }
}

static void play_scene(const vdnn_group_scene *scene)
{
    (void)vdnn_test_seed(); /* said once */
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
    return cmocka_run_group_tests(tests, NULL, NULL);
}
