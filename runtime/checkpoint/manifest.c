#include "runtime/checkpoint/manifest.h"

#include "runtime/base/json.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FORMAT_VERSION = 1 };

#define FORMAT "vdnn checkpoint"

/* Appended to the text that it is the digest of. */
#define SEAL_HEAD ",\n  \"xxh3_128\": \""
#define SEAL_TAIL "\"\n}\n"

enum { SEAL_BYTES = sizeof SEAL_HEAD - 1 + VDNN_MANIFEST_DIGITS + sizeof SEAL_TAIL - 1 };

const char *vdnn_manifest_digits(const vdnn_digest *digest, char digits[VDNN_MANIFEST_DIGITS + 1])
{
    (void)snprintf(digits, VDNN_MANIFEST_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, digest->high,
                   digest->low);
    return digits;
}

static void hash_text(const char *text, size_t length, char digits[VDNN_MANIFEST_DIGITS + 1])
{
    XXH128_hash_t hash = XXH3_128bits(text, length);
    const vdnn_digest digest = {.bytes = length, .high = hash.high64, .low = hash.low64};
    (void)vdnn_manifest_digits(&digest, digits);
}

/* ---- writing --------------------------------------------------------------------------------- */

static vdnn_status fail_memory(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a manifest");
}

vdnn_status vdnn_manifest_describe(const char *name, const vdnn_digest *digest, json_t *files)
{
    char digits[VDNN_MANIFEST_DIGITS + 1];
    json_t *entry = json_pack("{s:s, s:I, s:s}", "name", name, "bytes", (json_int_t)digest->bytes,
                              "xxh3_128", vdnn_manifest_digits(digest, digits));
    if (entry == NULL || json_array_append_new(files, entry) != 0)
        return fail_memory();
    return VDNN_OK;
}

vdnn_status vdnn_manifest_print(int64_t step, json_t *facts, json_t *files, vdnn_text *text)
{
    char digits[VDNN_MANIFEST_DIGITS + 1];
    json_t *root = json_pack("{s:s, s:i, s:I}", "format", FORMAT, "format_version", FORMAT_VERSION,
                             "step", (json_int_t)step);
    char *dump = NULL;
    if (root != NULL && json_object_update_missing(root, facts) == 0 &&
        json_object_set(root, "files", files) == 0)
        dump = vdnn_json_dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    if (dump != NULL) {
        size_t body = strlen(dump) - strlen("\n}");
        hash_text(dump, body, digits);
        vdnn_text_add(text, "%.*s" SEAL_HEAD "%s" SEAL_TAIL, (int)body, dump, digits);
    }
    free(dump);
    return dump == NULL || text->failed ? fail_memory() : VDNN_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static vdnn_status fail_manifest(const char *path, const char *why)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: %s", path, why);
}

/* Entry of a file next to the manifest. */
static bool is_file_name(const char *name)
{
    size_t length = strlen(name), tail = strlen(VDNN_MANIFEST_FILE_END);
    return strchr(name, '/') == NULL && length > tail &&
           strcmp(name + length - tail, VDNN_MANIFEST_FILE_END) == 0;
}

static bool is_file_entry(const json_t *entry)
{
    const char *name = json_string_value(json_object_get(entry, "name"));
    const char *hash = json_string_value(json_object_get(entry, "xxh3_128"));
    const json_t *bytes = json_object_get(entry, "bytes");
    return name != NULL && is_file_name(name) && hash != NULL &&
           strlen(hash) == VDNN_MANIFEST_DIGITS && json_is_integer(bytes) &&
           json_integer_value(bytes) >= 0;
}

static vdnn_status check_manifest(const json_t *root, const char *path)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "format_version");
    const json_t *step = json_object_get(root, "step"), *files = json_object_get(root, "files");
    const json_t *entry;
    size_t i;
    if (format == NULL || strcmp(format, FORMAT) != 0 || !json_is_integer(version))
        return fail_manifest(path, "is not a checkpoint's manifest");
    if (json_integer_value(version) != FORMAT_VERSION)
        return vdnn_status_fail(VDNN_FILE, "%s: is of version %lld; this program reads version %d",
                                path, (long long)json_integer_value(version), (int)FORMAT_VERSION);
    if (!json_is_integer(step) || json_integer_value(step) < 0)
        return fail_manifest(path, "says no step");
    if (!json_is_array(files) || json_array_size(files) == 0)
        return fail_manifest(path, "names no files");
    json_array_foreach(files, i, entry)
    {
        if (!is_file_entry(entry))
            return fail_manifest(path, "names a file without size or digest");
    }
    return VDNN_OK;
}

/* The text of a manifest ends with the digest of the text before it. */
static bool is_sealed(const char *text, size_t length)
{
    char seal[SEAL_BYTES + 1], hash[VDNN_MANIFEST_DIGITS + 1];
    if (length < SEAL_BYTES)
        return false;
    hash_text(text, length - SEAL_BYTES, hash);
    (void)snprintf(seal, sizeof seal, SEAL_HEAD "%s" SEAL_TAIL, hash);
    return memcmp(text + length - SEAL_BYTES, seal, SEAL_BYTES) == 0;
}

vdnn_status vdnn_manifest_parse(const char *text, size_t length, const char *path,
                                json_t **manifest)
{
    json_t *root = NULL;
    if (!is_sealed(text, length))
        return fail_manifest(path, "is cut off or damaged: its digest is another one");
    vdnn_status status = vdnn_json_parse(text, length, path, &root);
    VDNN_IF_OK(status, check_manifest(root, path));
    if (status == VDNN_OK)
        *manifest = root;
    else
        json_decref(root);
    return status;
}
