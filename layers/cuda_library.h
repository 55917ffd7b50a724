#ifndef VDNN_LAYERS_CUDA_LIBRARY_H
#define VDNN_LAYERS_CUDA_LIBRARY_H

/* Libraries of CUDA that are looked for when the program runs: without them it works too.
 *
 * Invariant: what was loaded stays loaded.
 * Threads: any.
 *
 *     static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", NULL};
 *     void *library = vdnn_cuda_library_open(names);          // NULL: none of them
 *     if (vdnn_cuda_library_take(library, symbols, SYMBOLS, functions)) functions[0](...);
 */

#include <stdbool.h>
#include <stddef.h>

/* The first of the names, up to a NULL, that can be loaded. */
void *vdnn_cuda_library_open(const char *const *names);

/* Fills addresses[i] with that of symbols[i]; false where one is missing. */
bool vdnn_cuda_library_take(void *library, const char *const *symbols, size_t count,
                            void **addresses);

#endif
