#include "tests/fuzz/dataset.h"

#include "runtime/data/dataset.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_files.h"

#include <stdio.h>
#include <stdlib.h>

/* A picture may be as large as its header says, where the file has so many bytes. */
enum { CLASSES = 10, PATH_BYTES = 256 };

static void read_pictures(const vdnn_dataset *dataset)
{
    uint64_t count = vdnn_dataset_count(dataset);
    VDNN_FUZZ_CHECK(count > 0);
    const uint64_t picked[] = {0, count / 2, count - 1};
    vdnn_scratch scratch = {{NULL}, {0}};
    float *image = calloc((size_t)vdnn_dataset_per_sample(dataset, 0), sizeof *image);
    VDNN_FUZZ_CHECK(image != NULL);
    for (size_t i = 0; i < sizeof picked / sizeof picked[0]; i++) {
        int32_t label = -1;
        vdnn_status status =
            vdnn_dataset_read(dataset, picked[i], &scratch, (void *[]){image}, &label);
        vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
        VDNN_FUZZ_CHECK(status != VDNN_OK || (label >= 0 && label < CLASSES));
    }
    vdnn_scratch_fini(&scratch);
    free(image);
}

void vdnn_fuzz_dataset(const char *kind, int64_t channels, int64_t height, int64_t width)
{
    char spec[PATH_BYTES];
    vdnn_dataset *dataset = NULL;
    (void)snprintf(spec, sizeof spec, "%s:%s", kind, VDNN_MEMORY_FILES);
    vdnn_dataset_request request = {
        .spec = spec,
        .split = VDNN_SPLIT_TRAIN,
        .inputs = {{.channels = channels, .height = height, .width = width}},
        .input_count = 1,
        .classes = CLASSES};
    vdnn_status status = vdnn_dataset_open(&request, &dataset);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK)
        read_pictures(dataset);
    vdnn_dataset_close(dataset);
}
