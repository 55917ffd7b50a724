#ifndef VDNN_RUNTIME_BASE_JSON_H
#define VDNN_RUNTIME_BASE_JSON_H

/* JSON, as text from outside the library and for it.
 *
 * Invariant: the number of keys and values is bounded, so that a parsed document takes at most
 * about 200 MiB; depth is bounded by jansson (2048), and no object has a key twice. Numbers have a
 * decimal point whatever the program's locale has, and are finite; none is 0 that is written as
 * another one.
 * Threads: any.
 *
 *     status = vdnn_json_parse(text, length, "run.json", &root);
 *     use(json_object_get(root, "layers"));
 *     json_decref(root);
 */

#include "runtime/base/status.h"

#include <jansson.h>
#include <stddef.h>

enum { VDNN_JSON_MAX_KEYS = 1 << 20, VDNN_JSON_MAX_VALUES = 4 << 20 };

/* VDNN_BAD_INPUT with "path:line: " if the text is not JSON, or exceeds a bound. */
vdnn_status vdnn_json_parse(const char *text, size_t length, const char *path, json_t **root);

/* The document in a file of at most `most_bytes`: statuses also as vdnn_input_read. */
vdnn_status vdnn_json_read(const char *path, size_t most_bytes, json_t **root);

/* json_dumps: the text, which the caller frees by free; NULL: no memory. */
char *vdnn_json_dump(const json_t *value, size_t flags);

#endif
