#include "tests/support/datasets.h"

#include "runtime/base/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const vdnn_dataset_request *vdnn_test_small_request(const char *kind, const char *folder)
{
    static char spec[1024];
    static vdnn_dataset_request request;
    (void)snprintf(spec, sizeof spec, "%s:%s", kind, folder);
    request = (vdnn_dataset_request){.spec = spec,
                                     .split = VDNN_SPLIT_TRAIN,
                                     .inputs = {{.channels = 1,
                                                 .height = VDNN_TEST_SMALL_HEIGHT,
                                                 .width = VDNN_TEST_SMALL_WIDTH}},
                                     .input_count = 1,
                                     .classes = VDNN_TEST_SMALL_CLASSES};
    return &request;
}

vdnn_dataset *vdnn_test_open_dataset(const vdnn_dataset_request *request)
{
    vdnn_dataset *dataset = NULL;
    assert_ok(vdnn_dataset_open(request, &dataset));
    return dataset;
}

void vdnn_test_expect_no_dataset(const vdnn_dataset_request *request, vdnn_status status,
                                 const char *reason)
{
    vdnn_dataset *dataset = NULL;
    size_t before = vdnn_heap_live_count();
    assert_status(vdnn_dataset_open(request, &dataset), status);
    assert_null(dataset);
    assert_message(reason);
    assert_int_equal(vdnn_heap_live_count(), before);
}

void vdnn_test_sample(const vdnn_dataset *dataset, uint64_t index, void *sample, int32_t *label)
{
    vdnn_scratch scratch = {0};
    vdnn_status status = vdnn_dataset_read(dataset, index, &scratch, (void *[]){sample}, label);
    vdnn_scratch_fini(&scratch);
    assert_ok(status);
}

bool vdnn_test_dataset_survives(const vdnn_dataset_request *request)
{
    vdnn_dataset *dataset = NULL;
    vdnn_status status = vdnn_dataset_open(request, &dataset);
    if (status != VDNN_OK) {
        assert_true(status == VDNN_BAD_INPUT || status == VDNN_FILE);
        assert_true(strlen(vdnn_status_message()) > strlen(strchr(request->spec, ':')));
        return false;
    }
    float *pixels = malloc((size_t)vdnn_dataset_per_sample(dataset, 0) * sizeof *pixels);
    assert_non_null(pixels);
    vdnn_scratch scratch = {0};
    for (uint64_t i = 0; status == VDNN_OK && i < vdnn_dataset_count(dataset); i++) {
        int32_t label = -1;
        status = vdnn_dataset_read(dataset, i, &scratch, (void *[]){pixels}, &label);
        assert_true(status == VDNN_OK || status == VDNN_BAD_INPUT);
        assert_true(status != VDNN_OK || (label >= 0 && label < request->classes));
    }
    vdnn_scratch_fini(&scratch);
    free(pixels);
    vdnn_dataset_close(dataset);
    return status == VDNN_OK;
}

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
