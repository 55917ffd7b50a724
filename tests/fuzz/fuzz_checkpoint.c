/* The manifest of a checkpoint, and the checkpoint with one file of weights. What an input says is
 * sealed with its digest here, or every change would end at that; an input that begins with a zero
 * byte is the whole text behind it. */

#include "runtime/checkpoint/checkpoint.h"
#include "runtime/checkpoint/manifest.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_files.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { TEXT_BYTES = 1 << 16 };

static const char weights[] = "weights";

static size_t seal(const uint8_t *data, size_t size, char text[TEXT_BYTES])
{
    bool whole = size > 0 && data[0] == 0;
    size -= whole;
    data += whole;
    size = size < TEXT_BYTES / 2 ? size : TEXT_BYTES / 2;
    memcpy(text, data, size);
    if (whole)
        return size;
    XXH128_hash_t hash = XXH3_128bits(text, size);
    int more =
        snprintf(text + size, TEXT_BYTES - size, ",\n  \"xxh3_128\": \"%016llx%016llx\"\n}\n",
                 (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    return size + (size_t)more;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[TEXT_BYTES];
    json_t *manifest = NULL;
    vdnn_checkpoint *checkpoint = NULL;
    const unsigned allowed = 1U << VDNN_BAD_INPUT | 1U << VDNN_FILE;
    vdnn_fuzz_begin();
    size_t length = seal(data, size, text);
    vdnn_status status = vdnn_manifest_parse(text, length, "manifest.json", &manifest);
    vdnn_fuzz_status(status, allowed);
    VDNN_FUZZ_CHECK((status == VDNN_OK) == (manifest != NULL));
    json_decref(manifest);

    (void)vdnn_fuzz_file("c/" VDNN_CHECKPOINT_MANIFEST, text, length);
    (void)vdnn_fuzz_file("c/weights.safetensors", weights, strlen(weights));
    vdnn_status opened = vdnn_checkpoint_open(VDNN_MEMORY_FILES "/c", &checkpoint);
    vdnn_fuzz_status(opened, allowed);
    VDNN_FUZZ_CHECK(opened != VDNN_OK || status == VDNN_OK);
    vdnn_checkpoint_close(checkpoint);
    return vdnn_fuzz_end();
}
