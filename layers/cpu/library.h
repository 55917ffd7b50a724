#ifndef VDNN_LAYERS_CPU_LIBRARY_H
#define VDNN_LAYERS_CPU_LIBRARY_H

/* The libraries that compute on the CPU, for a profile's key: times measured with other versions,
 * or for another instruction set, say nothing.
 *
 * Invariant: the text is the same for the whole life of the process.
 * Threads: any.
 *
 *     vdnn_cpu_library_text(properties->library, sizeof properties->library);
 */

#include "layers/tensor.h"

#include <stddef.h>

/* "oneDNN 2.6.3 (avx512), OpenBLAS 0.3.21 (Haswell)": versions, and what each was tuned for on this
 * processor; cut to `size` bytes. Returns `buffer`. */
const char *vdnn_cpu_library_text(char *buffer, size_t size);

/* What this processor lacks for speed in a data type, in words; NULL: nothing. */
const char *vdnn_cpu_library_lack(vdnn_dtype dtype);

/* The layout that its convolutions are fastest in: blocks of 16 channels are made for AVX-512. */
vdnn_layout vdnn_cpu_library_layout(void);

#endif
