#ifndef VDNN_RUNTIME_CHECKPOINT_MANIFEST_H
#define VDNN_RUNTIME_CHECKPOINT_MANIFEST_H

/* The manifest of a checkpoint as text: JSON that ends with the digest of the text before it.
 *
 *     {
 *       "format": "vdnn checkpoint",
 *       "format_version": 1,
 *       "step": 100,
 *       ...                                 the writer's facts
 *       "files": [{"name": "weights.safetensors", "bytes": 1724, "xxh3_128": "..."}, ...],
 *       "xxh3_128": "..."
 *     }
 *
 * Invariant: a text that parses is byte for byte one from print; its files are in the same folder,
 * and each has a size and a digest.
 * Threads: pure.
 *
 *     status = vdnn_manifest_print(step, facts, files, &text);
 *     status = vdnn_manifest_parse(text.data, text.length, "manifest.json", &manifest);
 *     json_decref(manifest);
 */

#include "runtime/base/output.h"
#include "runtime/base/text.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum { VDNN_MANIFEST_DIGITS = 32 /* of a digest */ };

/* Every file of a checkpoint except the manifest. */
#define VDNN_MANIFEST_FILE_END ".safetensors"

/* `facts`: an object; keys of the manifest itself are overwritten. `files`: from
 * vdnn_manifest_describe. Both are borrowed. */
vdnn_status vdnn_manifest_print(int64_t step, json_t *facts, json_t *files, vdnn_text *text);

/* Adds a file to `files`. */
vdnn_status vdnn_manifest_describe(const char *name, const vdnn_digest *digest, json_t *files);

/* A text as a value; `path` is what messages call it. VDNN_BAD_INPUT if it is incomplete, VDNN_FILE
 * if it is complete but of another version. Accepts any text. The reference is the caller's. */
vdnn_status vdnn_manifest_parse(const char *text, size_t length, const char *path,
                                json_t **manifest);

/* The digits of a digest. Returns `digits`. */
const char *vdnn_manifest_digits(const vdnn_digest *digest, char digits[VDNN_MANIFEST_DIGITS + 1]);

#endif
