#ifndef VDNN_TESTS_SUPPORT_EVERY_FAULT_H
#define VDNN_TESTS_SUPPORT_EVERY_FAULT_H

/* A scene is repeated; in the n-th run the n-th possible fault is injected, until there is none.
 * Each run ends in success or in a status that the fault may have, with a message, and leaves no
 * block of the heap, file, folder, mapping or thread.
 *
 * Where there are many such things, VDNN_TEST_COUNT_PERCENT says how many of them are tried.
 *
 * Invariant: what the first play after begin holds, the last one does.
 * Threads: one.
 *
 *     static const vdnn_test_scene scene = {train, check_files};
 *     vdnn_test_scene_begin();                             // after the files are there
 *     vdnn_test_every_allocation(&scene);
 *     vdnn_test_every_call(&scene, &trouble);
 *     vdnn_test_every_device_call(&scene, VDNN_TEST_DEVICE_OPERATION);
 *     vdnn_test_scene_end();                               // says how many there were
 *     cmocka_run_group_tests(tests, NULL, vdnn_test_scenes_end);   // and how many in all scenes
 */

#include "tests/support/faults.h"
#include "tests/support/faulty_device.h"
#include "tests/support/vdnn_test.h"

typedef struct vdnn_test_scene {
    vdnn_status (*play)(void);
    void (*check)(vdnn_status status); /* of what it left; puts back what the next play needs */
    unsigned also;     /* statuses that troubles may have here besides their own: 1U << status */
    bool does_without; /* may succeed although an operation of the device failed */
} vdnn_test_scene;

/* Calls of the system that go wrong, one at a time, and the statuses that this may have besides
 * success. */
typedef struct vdnn_test_trouble {
    vdnn_test_fault fault;
    unsigned allowed;
} vdnn_test_trouble;

/* Notes what is held now. */
void vdnn_test_scene_begin(void);
void vdnn_test_scene_end(void);
int vdnn_test_scenes_end(void **state); /* one line for all scenes; 0 */

/* Plays it once, in a world as said; checks what is left. */
vdnn_status vdnn_test_scene_play(const vdnn_test_scene *scene, const vdnn_test_fault *world);

void vdnn_test_every_allocation(const vdnn_test_scene *scene);
void vdnn_test_every_call(const vdnn_test_scene *scene, const vdnn_test_trouble *trouble);
void vdnn_test_every_device_call(const vdnn_test_scene *scene, vdnn_test_device_call call);

#endif
