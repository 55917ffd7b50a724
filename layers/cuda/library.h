#ifndef VDNN_LAYERS_CUDA_LIBRARY_H
#define VDNN_LAYERS_CUDA_LIBRARY_H

/* Libraries of CUDA that are looked for when the program runs; they are optional.
 *
 * Invariant: a table has all functions of one library of a supported version, or is all NULL. A
 * library is looked for once, and stays loaded if it is used.
 * Threads: any. A library belongs to the process, under one lock; a table may be read after the
 * lack function returned NULL, and a missing library stays missing.
 *
 *     static const char *const symbols[] = {"cublasGetProperty", "cublasCreate_v2", ...};
 *     static vdnn_cuda_library library = {.title = "cuBLAS", .file = "libcublas.so", .oldest = 12,
 *                                         .newest = 13, .symbols = symbols, .count = SYMBOLS,
 *                                         .table = &table, .major = major};
 *     if (vdnn_cuda_library_lack(&library) == NULL) table.create(&handle);
 */

#include <stdbool.h>
#include <stddef.h>

typedef struct vdnn_cuda_library {
    const char *title, *file; /* name for people; its file without a version */
    int oldest, newest;       /* major versions, of the library and of its file's name */
    const char *const *symbols;
    size_t count;
    void *table;        /* of that many pointers to functions */
    int (*major)(void); /* version of the library in the table; 0: unknown */
    /* The rest is internal. */
    bool is_found, was_looked_for, has_other_version;
    char lack[512];
} vdnn_cuda_library;

/* NULL if it was found, else what was tried, what was found and what would help, as text for a
 * refusal. */
const char *vdnn_cuda_library_lack(vdnn_cuda_library *library);

/* Whether it is missing because what was found is of another major version. */
bool vdnn_cuda_library_has_other_version(vdnn_cuda_library *library);

/* A library that was found but cannot be used on this machine counts as missing from now on, for
 * that reason, or the first that was reported. */
void vdnn_cuda_library_give_up(vdnn_cuda_library *library, const char *reason);

#endif
