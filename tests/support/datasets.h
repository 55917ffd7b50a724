#ifndef VDNN_TESTS_SUPPORT_DATASETS_H
#define VDNN_TESTS_SUPPORT_DATASETS_H

/* Shared by tests of every kind of data. */

#include "runtime/data/dataset.h"
#include "tests/support/vdnn_test.h"

#include <stdbool.h>

/* A few grey pictures that a test writes. */
enum {
    VDNN_TEST_SMALL_COUNT = 5,
    VDNN_TEST_SMALL_HEIGHT = 2,
    VDNN_TEST_SMALL_WIDTH = 3,
    VDNN_TEST_SMALL_CLASSES = 10
};

/* For such pictures as KIND:FOLDER; the request is overwritten by the next call. */
const vdnn_dataset_request *vdnn_test_small_request(const char *kind, const char *folder);

/* Opens what can be opened. */
vdnn_dataset *vdnn_test_open_dataset(const vdnn_dataset_request *request);

/* Fails unless it is refused so, with that in the message and nothing left behind. */
void vdnn_test_expect_no_dataset(const vdnn_dataset_request *request, vdnn_status status,
                                 const char *reason);

/* Reads a sample that can be read. */
void vdnn_test_sample(const vdnn_dataset *dataset, uint64_t index, void *sample, int32_t *label);

/* Opens what may be damaged, and reads it to its end: false where that is refused with a reason;
 * the labels that are read are of the network's classes. */
bool vdnn_test_dataset_survives(const vdnn_dataset_request *request);

/* Opens the dataset with the first allocation failing, then the second, ... until it opens, which
 * takes more than `least` allocations: every failure is VDNN_NO_MEMORY and leaves nothing behind.
 */
void vdnn_test_every_allocation_may_fail(const vdnn_dataset_request *request, size_t least);

#endif
