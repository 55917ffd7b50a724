#include "tests/support/datasets.h"

#include "alloc/heap.h"
#include "tests/support/vdnn_test.h"

void vdnn_test_every_allocation_may_fail(const vdnn_dataset_request *request, size_t least)
{
    size_t before = vdnn_heap_live_count(), n = 0;
    vdnn_status status = VDNN_NO_MEMORY;
    vdnn_dataset *dataset = NULL;
    while (status != VDNN_OK) {
        vdnn_heap_fail_after(++n);
        status = vdnn_dataset_open(request, &dataset);
        vdnn_heap_fail_after(0);
        if (status == VDNN_OK)
            break;
        assert_status(status, VDNN_NO_MEMORY);
        assert_int_equal(vdnn_heap_live_count(), before);
    }
    assert_true(n > least);
    vdnn_dataset_close(dataset);
    assert_int_equal(vdnn_heap_live_count(), before);
}
