#ifndef VDNN_RUNTIME_DATA_SOURCE_H
#define VDNN_RUNTIME_DATA_SOURCE_H

/* A file as bytes at offsets, whether it is gzip-compressed or not.
 *
 * A plain file stays on disk and is read where asked; a compressed one is decompressed into memory,
 * never further than its reader needs, so that neither a header nor a compression ratio decides how
 * much memory is taken.
 *
 * Invariant: bytes [0, ready_bytes) can be read. Sizes in headers are not trusted.
 * Threads: open, need and close by one thread; read by any.
 *
 *     status = vdnn_source_open(path, &source);
 *     status = vdnn_source_need(source, 16, false);            // there are at least 16 bytes
 *     status = vdnn_source_read(source, 0, header, 16);
 *     status = vdnn_source_need(source, 16 + payload, true);   // and exactly that many in all
 *     vdnn_source_close(source);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_source vdnn_source;

/* VDNN_FILE if the path is not a regular file or cannot be opened. */
vdnn_status vdnn_source_open(const char *path, vdnn_source **source);
/* Its bytes as they are, also where they look compressed. */
vdnn_status vdnn_source_open_plain(const char *path, vdnn_source **source);
void vdnn_source_close(vdnn_source *source);

/* Makes the first `bytes` bytes readable; `whole`: and checks that the file ends there.
 * VDNN_BAD_INPUT if it is shorter, longer or damaged. */
vdnn_status vdnn_source_need(vdnn_source *source, uint64_t bytes, bool whole);

/* Copies bytes out of the readable part. VDNN_BAD_INPUT if the file has become shorter. */
vdnn_status vdnn_source_read(const vdnn_source *source, uint64_t offset, void *to, size_t bytes);

/* Number of readable bytes: of a plain file its size when it was opened. */
uint64_t vdnn_source_bytes(const vdnn_source *source);

/* Whether it is gzip-compressed. */
bool vdnn_source_is_packed(const vdnn_source *source);

const char *vdnn_source_path(const vdnn_source *source);

#endif
