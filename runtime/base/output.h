#ifndef VDNN_RUNTIME_BASE_OUTPUT_H
#define VDNN_RUNTIME_BASE_OUTPUT_H

/* A file that appears whole or not at all: written under a temporary name in the same folder,
 * synchronized to disk and renamed.
 *
 * Invariant: until commit or publish succeeds, the path keeps what it had; after it, or after
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

/* What a file holds, in short: two files with equal digests are the same. */
typedef struct vdnn_digest {
    uint64_t bytes;
    uint64_t high, low; /* XXH3, 128 bits */
} vdnn_digest;

/* VDNN_FILE with path and reason, also where the path is a folder or a device. A symbolic link
 * stays; what it leads to is written. */
vdnn_status vdnn_output_create(const char *path, vdnn_output **output);
vdnn_status vdnn_output_write(vdnn_output *output, const void *bytes, size_t count);
/* Of what vdnn_output_write has taken so far. */
vdnn_digest vdnn_output_digest(const vdnn_output *output);
const char *vdnn_output_path(const vdnn_output *output);
vdnn_status vdnn_output_commit(vdnn_output *output);
/* The same of a file that grows: what is written from then on is behind what is there already, at
 * once. Abandon, for which it still is, then only closes it. */
vdnn_status vdnn_output_publish(vdnn_output *output);
/* Accepts NULL. */
void vdnn_output_abandon(vdnn_output *output);

#endif
