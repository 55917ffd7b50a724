/* NumPy's archives of arrays, as files of weights. */

#include "runtime/data/tensors/npz.h"
#include "tests/fuzz/fuzz.h"

static void read_arrays(const vdnn_npz *file)
{
    static const int64_t dims[][2] = {{2, 3}, {4, 0}};
    float floats[6];
    for (int32_t i = 0; i < vdnn_npz_count(file) && i < 8; i++)
        for (int rank = 1; rank <= 2; rank++)
            vdnn_fuzz_status(vdnn_npz_read_part(file, vdnn_npz_name(file, i), dims[2 - rank], rank,
                                                1, 3, floats),
                             1U << VDNN_BAD_INPUT);
    vdnn_fuzz_status(vdnn_npz_read_part(file, "conv1.weight", dims[0], 2, 0, 6, floats),
                     1U << VDNN_BAD_INPUT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_npz *file = NULL;
    vdnn_fuzz_begin();
    const vdnn_status status = vdnn_npz_open(vdnn_fuzz_file("w.npz", data, size), &file);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK)
        read_arrays(file);
    vdnn_npz_close(file);
    return vdnn_fuzz_end();
}
