#ifndef VDNN_TESTS_FUZZ_DATASET_H
#define VDNN_TESTS_FUZZ_DATASET_H

/* What the targets of datasets do with the files they wrote.
 *
 * Threads: one.
 *
 *     vdnn_fuzz_file("images.npy", data, size);
 *     vdnn_fuzz_dataset("npy", 1, 4, 4);
 */

#include <stdint.h>

/* Opens the folder of files as a set of that kind, once for each size that a network might want,
 * and reads its first and last pictures. */
void vdnn_fuzz_dataset(const char *kind, int64_t channels, int64_t height, int64_t width);

#endif
