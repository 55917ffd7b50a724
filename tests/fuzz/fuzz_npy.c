/* npy: images.npy, then labels.npy. */

#include "tests/fuzz/dataset.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_fuzz_bytes rest = {data, size};
    vdnn_fuzz_bytes images = vdnn_fuzz_part(&rest);
    vdnn_fuzz_begin();
    (void)vdnn_fuzz_file("images.npy", images.data, images.size);
    (void)vdnn_fuzz_file("labels.npy", rest.data, rest.size);
    vdnn_fuzz_dataset("npy", 1, 4, 4);
    return vdnn_fuzz_end();
}
