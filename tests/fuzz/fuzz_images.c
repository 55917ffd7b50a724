/* images: two folders of classes with a picture in each. */

#include "tests/fuzz/dataset.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_fuzz_bytes rest = {data, size};
    vdnn_fuzz_bytes first = vdnn_fuzz_part(&rest);
    vdnn_fuzz_begin();
    (void)vdnn_fuzz_file("cat/1.jpeg", first.data, first.size);
    (void)vdnn_fuzz_file("dog/2.png", rest.data, rest.size);
    vdnn_fuzz_dataset("images", 3, 8, 8);
    return vdnn_fuzz_end();
}
