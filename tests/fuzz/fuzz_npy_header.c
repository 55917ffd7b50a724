/* The dict in the header of a .npy file. */

#include "runtime/data/npy_header.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_npy_header header;
    vdnn_fuzz_begin();
    vdnn_status status = vdnn_npy_header_parse((const char *)data, size, "a.npy", &header);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK) {
        VDNN_FUZZ_CHECK(header.dim_count >= 0 && header.dim_count <= VDNN_NPY_DIMS);
        VDNN_FUZZ_CHECK(memchr(header.descr, '\0', sizeof header.descr) != NULL);
        for (int i = 0; i < header.dim_count; i++)
            VDNN_FUZZ_CHECK(header.dims[i] >= 0);
    }
    return vdnn_fuzz_end();
}
