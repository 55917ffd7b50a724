#ifndef VDNN_LAYERS_CPU_LIBRARY_H
#define VDNN_LAYERS_CPU_LIBRARY_H

/* The library that computes on the CPU, for a profile's key: times depend on its version and the
 * instruction set.
 *
 * Invariant: the text is the same for the whole life of the process.
 * Threads: any.
 *
 *     vdnn_cpu_library_text(properties->library, sizeof properties->library);
 */

#include "layers/tensor.h"

#include <stddef.h>

/* "oneDNN 2.6.3 (avx512)": the version, and the instruction set that it uses on this processor;
 * truncated to `size` bytes. Returns `buffer`. */
const char *vdnn_cpu_library_text(char *buffer, size_t size);

/* What makes this processor slow in a data type, as text; NULL: nothing. */
const char *vdnn_cpu_library_lack(vdnn_dtype dtype);

/* The layout in which its convolutions are fastest: blocks of 16 channels with AVX-512. */
vdnn_layout vdnn_cpu_library_layout(void);

#endif
