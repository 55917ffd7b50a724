/* safetensors. An input without the eight bytes of length before the header gets the right ones,
 * so that a change of the header's text does not end every run at once; an input that begins with
 * a zero byte is a whole file behind it. */

#include "runtime/data/tensors/safetensors.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FLOATS = 1 << 16 };

static const char *write_file(const uint8_t *data, size_t size)
{
    static uint8_t file[1 << 17];
    if (size > 0 && data[0] == 0)
        return vdnn_fuzz_file("w.safetensors", data + 1, size - 1);
    size = size < sizeof file / 2 ? size : sizeof file / 2;
    const uint8_t *end = memchr(data, '\n', size);
    uint64_t length = end == NULL ? size : (uint64_t)(end - data);
    memcpy(file, &length, sizeof length);
    memcpy(file + sizeof length, data, length);
    size_t rest = size - length - (end != NULL);
    memcpy(file + sizeof length + length, data + size - rest, rest);
    return vdnn_fuzz_file("w.safetensors", file, sizeof length + length + rest);
}

static void read_tensors(const vdnn_safetensors *file)
{
    static const int64_t dims[][4] = {{2, 3}, {4}, {1, 1, 2, 2}, {0}};
    static const int ranks[] = {2, 1, 4, 1, 0};
    float floats[8];
    for (int32_t i = 0; i < vdnn_safetensors_count(file) && i < 8; i++)
        for (size_t k = 0; k < sizeof ranks / sizeof ranks[0]; k++)
            vdnn_fuzz_status(vdnn_safetensors_read(file, vdnn_safetensors_name(file, i),
                                                   dims[k < 4 ? k : 3], ranks[k], floats),
                             1U << VDNN_BAD_INPUT);
    vdnn_fuzz_status(vdnn_safetensors_read(file, "conv1.weight", dims[0], 2, floats),
                     1U << VDNN_BAD_INPUT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_safetensors *file = NULL;
    vdnn_fuzz_begin();
    vdnn_status status = vdnn_safetensors_open(write_file(data, size), &file);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK)
        read_tensors(file);
    vdnn_safetensors_close(file);
    return vdnn_fuzz_end();
}
