#ifndef VDNN_RUNTIME_BASE_GZIP_H
#define VDNN_RUNTIME_BASE_GZIP_H

/* Compressed files, read and written, over the library's own files and memory.
 *
 * Invariant: a member whose checksum is wrong is reported, at its end at the latest. Threads: one
 * thread at a time for each.
 *
 *     status = vdnn_gunzip_create(file, "images.gz", &reader);
 *     status = vdnn_gunzip_read(reader, bytes, count, &found);   // found < count: the end
 *     vdnn_gunzip_destroy(reader);
 *     status = vdnn_gzip_create(output, &writer);
 *     status = vdnn_gzip_write(writer, bytes, count);
 *     status = vdnn_gzip_finish(writer);                         // then destroy both
 */

#include "runtime/base/output.h"

typedef struct vdnn_gunzip vdnn_gunzip;

/* Reads from the beginning of a file, which may have several members; `file` and `path` are
 * borrowed. */
vdnn_status vdnn_gunzip_create(int file, const char *path, vdnn_gunzip **reader);
/* VDNN_BAD_INPUT if the data is truncated or damaged; VDNN_FILE. */
vdnn_status vdnn_gunzip_read(vdnn_gunzip *reader, void *to, size_t bytes, size_t *found);
void vdnn_gunzip_destroy(vdnn_gunzip *reader); /* accepts NULL */

typedef struct vdnn_gzip vdnn_gzip;

vdnn_status vdnn_gzip_create(vdnn_output *output, vdnn_gzip **writer); /* output is borrowed */
vdnn_status vdnn_gzip_write(vdnn_gzip *writer, const void *from, size_t bytes);
vdnn_status vdnn_gzip_finish(vdnn_gzip *writer);
void vdnn_gzip_destroy(vdnn_gzip *writer); /* accepts NULL; does not finish */

#endif
