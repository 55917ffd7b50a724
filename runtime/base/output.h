#ifndef VDNN_RUNTIME_BASE_OUTPUT_H
#define VDNN_RUNTIME_BASE_OUTPUT_H

/* A file that appears whole or not at all: written under a temporary name in the same folder,
 * synchronized to disk and renamed.
 *
 * Invariant: until commit or publish succeeds, the path keeps its old file; after it, or after
 * abandon, no temporary file is left. Threads: one thread at a time.
 *
 *     status = vdnn_output_create("weights.safetensors", &output);
 *     status = vdnn_output_write(output, bytes, count);
 *     status = vdnn_output_commit(output);                // destroys it, also on failure
 *     vdnn_output_abandon(output);                        // instead: drops what was written
 */

#include "runtime/base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_output vdnn_output;

/* Identifies a file's contents: files with equal digests are the same. */
typedef struct vdnn_digest {
    uint64_t bytes;
    uint64_t high, low; /* XXH3, 128 bits */
} vdnn_digest;

/* VDNN_FILE with path and reason, also if the path is a folder or a device. A symbolic link stays;
 * its target is written. */
vdnn_status vdnn_output_create(const char *path, vdnn_output **output);
vdnn_status vdnn_output_write(vdnn_output *output, const void *bytes, size_t count);
/* Digest of the bytes written so far. */
vdnn_digest vdnn_output_digest(const vdnn_output *output);
const char *vdnn_output_path(const vdnn_output *output);
vdnn_status vdnn_output_commit(vdnn_output *output);
/* The same for a file that grows: later writes are appended to it directly. Abandon, which is still
 * required, then only closes it. */
vdnn_status vdnn_output_publish(vdnn_output *output);
/* Accepts NULL. */
void vdnn_output_abandon(vdnn_output *output);

#endif
