#ifndef VDNN_RUNTIME_DATA_TENSORS_FLOAT_TYPES_H
#define VDNN_RUNTIME_DATA_TENSORS_FLOAT_TYPES_H

/* The types of floats that files of weights have, little-endian, read as float32.
 *
 * Invariant: what float32 has no number for becomes an infinity, which weights must not have.
 * Threads: any.
 *
 *     const vdnn_float_type *type = vdnn_float_type_find("F16");
 *     status = vdnn_float_type_read(type, source, begin, first, count, floats);
 */

#include "runtime/data/source.h"

typedef struct vdnn_float_type vdnn_float_type;

/* By its name in safetensors: F32, F16, BF16 or F64; NULL: another one. */
const vdnn_float_type *vdnn_float_type_find(const char *name);
size_t vdnn_float_type_bytes(const vdnn_float_type *type);

/* Elements first .. first + count of an array that begins at byte `begin`. */
vdnn_status vdnn_float_type_read(const vdnn_float_type *type, const vdnn_source *source,
                                 uint64_t begin, int64_t first, int64_t count, float *floats);

#endif
