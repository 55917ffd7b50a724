#ifndef VDNN_TESTS_SUPPORT_DATASETS_H
#define VDNN_TESTS_SUPPORT_DATASETS_H

/* What tests of every kind of data share. */

#include "runtime/data/dataset.h"

/* Opens the dataset with the first allocation failing, then the second, ... until it opens, which
 * takes more than `least` allocations: every failure is VDNN_NO_MEMORY and leaves nothing behind.
 */
void vdnn_test_every_allocation_may_fail(const vdnn_dataset_request *request, size_t least);

#endif
