#ifndef VDNN_TESTS_SUPPORT_GPU_H
#define VDNN_TESTS_SUPPORT_GPU_H

/* Shared by tests that run on a card if there is one, and over the emulation everywhere.
 *
 * Invariant: without the device such a test is skipped with the reason, never passed.
 * Threads: one.
 *
 *     int main(void)
 *     {
 *         if (vdnn_test_device_lacks("cuda"))
 *             return 0;
 *         ...
 */

#include "runtime/device/device.h"

/* Whether such a device cannot be opened: then a test has been skipped with the reason. */
bool vdnn_test_device_lacks(const char *kind);

/* For a group of tests of one device: opens it, none for "cpu", whose kernels are given the tests'
 * own memory. 0, or -1 with the reason printed, as cmocka expects of a set-up. */
int vdnn_test_open_device(const char *kind, vdnn_device **device);

/* For a main: runs the tests of this program on such a device, which is open for as long; nothing
 * where it cannot be opened, as above. Returns how many failed. */
int vdnn_test_main_on(const char *kind, vdnn_device **device);

/* FOLDER/every.yaml: every kind of layer that a network file can name, none larger than it must be;
 * 3 x 12 x 12, batch 6. */
void vdnn_test_every_layer(const char *folder);

/* Adds `part` to `sum`, so many floats of the device tier, several times over. */
typedef struct vdnn_test_adding {
    float *sum;
    const float *part;
    int64_t count;
    int times;
} vdnn_test_adding;

/* Of work that lives as long as the launch; `extents` is all that it touches. */
vdnn_launch vdnn_test_add(vdnn_test_adding *adding, const vdnn_extent *extents);

#endif
