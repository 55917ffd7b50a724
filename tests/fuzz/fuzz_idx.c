/* idx: the file of images, then the file of labels; either may be compressed. */

#include "tests/fuzz/dataset.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_fuzz_bytes rest = {data, size};
    vdnn_fuzz_bytes images = vdnn_fuzz_part(&rest);
    vdnn_fuzz_begin();
    (void)vdnn_fuzz_file("train-images-idx3-ubyte", images.data, images.size);
    (void)vdnn_fuzz_file("train-labels-idx1-ubyte", rest.data, rest.size);
    vdnn_fuzz_dataset("idx", 1, 4, 4);
    return vdnn_fuzz_end();
}
