#ifndef VDNN_RUNTIME_DATA_NPY_HEADER_H
#define VDNN_RUNTIME_DATA_NPY_HEADER_H

/* The header of a .npy file, versions 1.0 to 3.0: magic, version, length, and a Python dict literal
 * {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 1, 28, 28), }.
 *
 * Invariant: only this dict is accepted, with each of its three keys once; anything else is an
 * error.
 * Threads: pure.
 *
 *     vdnn_npy_header header;
 *     status = vdnn_npy_header_parse(text, length, path, &header);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VDNN_NPY_DIMS = 8, VDNN_NPY_DESCR = 16 };

typedef struct vdnn_npy_header {
    char descr[VDNN_NPY_DESCR];
    bool fortran_order;
    int64_t dims[VDNN_NPY_DIMS]; /* each 0 .. 2^63 - 1; their product is unchecked */
    int dim_count;
} vdnn_npy_header;

/* Parses the dict; `path` is what messages call the file. VDNN_BAD_INPUT with the position of the
 * error. */
vdnn_status vdnn_npy_header_parse(const char *text, size_t length, const char *path,
                                  vdnn_npy_header *header);

#endif
