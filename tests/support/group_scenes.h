#ifndef VDNN_TESTS_SUPPORT_GROUP_SCENES_H
#define VDNN_TESTS_SUPPORT_GROUP_SCENES_H

/* What every transport must do: scenes that all ranks of a group play, each on its own end.
 *
 * Invariant: a rank's result is VDNN_OK if all was as runtime/comm/group.h says, else a status with
 * a message; a group has played only one scene that `ends` it.
 * Threads: one for each rank.
 *
 *     #define X(name, ...)                                                     // tests of cmocka
 *         static void name(void **state) {
 * play_everywhere(&vdnn_group_scenes[VDNN_GROUP_SCENE_##name]); } VDNN_GROUP_SCENE_TABLE(X) status
 * = scene->play(end);                                               // on every rank
 */

#include "runtime/comm/group.h"

typedef struct vdnn_group_scene {
    const char *name;
    vdnn_status (*play)(vdnn_group *end);
    bool ends; /* the group cannot be used after it */
    int32_t least_ranks;
} vdnn_group_scene;

/* name, which is a test's, too; whether the group cannot be used after it; ranks it takes at least
 */
#define VDNN_GROUP_SCENE_TABLE(X)                                                                  \
    X(sums_are_taken_in_the_order_of_the_ranks, false, 1)                                          \
    X(totals_and_exchanges_do_not_wait_for_sums, false, 1)                                         \
    X(neighbors_get_what_is_sent_in_its_order, false, 2)                                           \
    X(a_rank_that_leaves_ends_all_that_wait_and_all_that_come, true, 2)                            \
    X(a_rank_that_leaves_ends_transfers, true, 2)                                                  \
    X(ranks_that_sum_different_sizes_are_all_told, true, 3)

enum {
#define X(name, ends, least_ranks) VDNN_GROUP_SCENE_##name,
    VDNN_GROUP_SCENE_TABLE(X)
#undef X
        VDNN_GROUP_SCENE_COUNT
};

extern const vdnn_group_scene vdnn_group_scenes[VDNN_GROUP_SCENE_COUNT];

#endif
