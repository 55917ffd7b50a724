#ifndef VDNN_TESTS_FUZZ_FUZZ_H
#define VDNN_TESTS_FUZZ_FUZZ_H

/* What the fuzz targets share. A target is one file fuzz_NAME.c with a libFuzzer entry; `make fuzz`
 * runs it with the sanitizers of clang, and `make check` replays tests/fuzz/corpus/NAME through it,
 * each input also cut and changed (replay.c).
 *
 * Invariant: a target keeps nothing from one input to the next, and what it holds to be true of
 * every input it checks with VDNN_FUZZ_CHECK, which ends the process.
 * Threads: one.
 *
 *     int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *     {
 *         vdnn_fuzz_begin();
 *         const char *path = vdnn_fuzz_file("a.npy", data, size);
 *         vdnn_status status = vdnn_thing_read(path, &thing);
 *         vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
 *         ...
 *         return vdnn_fuzz_end();
 *     }
 */

#include "runtime/base/status.h"
#include "runtime/graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Around one input. From the beginning there are no files but those that vdnn_fuzz_file makes. The
 * end checks that no block of the library's heap and no open file is left, and is 0. */
void vdnn_fuzz_begin(void);
int vdnn_fuzz_end(void);

/* The graph of a target's one network, made in the first call and kept: only what is read beside it
 * changes. To be called before the begin of an input. */
const vdnn_graph *vdnn_fuzz_graph(const char *network);

/* Puts a file among those in memory (memory_files.h); returns its path, which is good until the
 * next call but seven. */
const char *vdnn_fuzz_file(const char *name, const void *bytes, size_t count);

/* Cuts the first part off an input that holds two: its first two bytes say how long that is. */
typedef struct vdnn_fuzz_bytes {
    const uint8_t *data;
    size_t size;
} vdnn_fuzz_bytes;
vdnn_fuzz_bytes vdnn_fuzz_part(vdnn_fuzz_bytes *rest);

/* Checks that the status is VDNN_OK, or one whose bit is in `allowed`, with a message that has no
 * control characters. */
void vdnn_fuzz_status(vdnn_status status, unsigned allowed);

#define VDNN_FUZZ_CHECK(condition)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            vdnn_fuzz_fail(__FILE__, __LINE__, #condition);                                        \
    } while (0)

_Noreturn void vdnn_fuzz_fail(const char *file, int line, const char *condition);

#endif
