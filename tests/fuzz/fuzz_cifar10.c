/* cifar10: two files of records. So that inputs stay small, a byte of an input stands for a run of
 * 32 equal bytes in the file; what is over is written as it is. */

#include "tests/fuzz/dataset.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { RUN = 32, RECORD = 3073, MOST = 4 * RECORD };

/* A label byte, then runs, for as many records as the bytes last; the rest as it is. */
static void write_batch(const char *name, vdnn_fuzz_bytes bytes)
{
    static uint8_t file[MOST];
    size_t used = 0, i = 0;
    while (i < bytes.size && used < sizeof file) {
        size_t place = used % RECORD;
        size_t run = place == 0 ? 1 : RECORD - place < RUN ? RECORD - place : RUN;
        if (bytes.data[i] == 0xff) /* cuts the file here */
            break;
        memset(file + used, bytes.data[i++], run);
        used += run;
    }
    (void)vdnn_fuzz_file(name, file, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vdnn_fuzz_bytes rest = {data, size};
    vdnn_fuzz_bytes first = vdnn_fuzz_part(&rest);
    vdnn_fuzz_begin();
    write_batch("data_batch_1.bin", first);
    write_batch("data_batch_2.bin", rest);
    vdnn_fuzz_dataset("cifar10", 3, 8, 8);
    return vdnn_fuzz_end();
}
