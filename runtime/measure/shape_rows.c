#include "runtime/measure/shape_rows.h"

#include "runtime/base/heap.h"

#include <string.h>
#include <xxhash.h>

enum { PLACES = 4096 };

struct vdnn_shape_rows {
    /* By place. 128 bits: that two signatures differ and have the same key will not be seen. */
    XXH128_hash_t keys[PLACES];
    vdnn_profile *known[PLACES]; /* owned: one layer each; NULL: free */
};

static XXH128_hash_t key_of(const char *signature)
{
    return XXH3_128bits(signature, strlen(signature));
}

static size_t place_of(XXH128_hash_t key)
{
    return key.low64 % PLACES;
}

vdnn_status vdnn_shape_rows_create(vdnn_shape_rows **rows)
{
    *rows = vdnn_heap_calloc(1, sizeof **rows);
    return *rows != NULL ? VDNN_OK
                         : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the rows of parts");
}

void vdnn_shape_rows_destroy(vdnn_shape_rows *rows)
{
    for (int i = 0; rows != NULL && i < PLACES; i++)
        vdnn_profile_destroy(rows->known[i]);
    vdnn_heap_free(rows);
}

bool vdnn_shape_rows_have(const vdnn_shape_rows *rows, const char *signature)
{
    if (rows == NULL)
        return false;
    const XXH128_hash_t key = key_of(signature);
    const size_t at = place_of(key);
    return rows->known[at] != NULL && XXH128_isEqual(rows->keys[at], key);
}

vdnn_status vdnn_shape_rows_repeat(const vdnn_shape_rows *rows, const char *signature,
                                   vdnn_profile *profile, int32_t shape)
{
    return vdnn_profile_repeat(profile, shape, rows->known[place_of(key_of(signature))], 0);
}

vdnn_status vdnn_shape_rows_keep(vdnn_shape_rows *rows, const char *signature,
                                 const vdnn_profile *profile, int32_t shape)
{
    const XXH128_hash_t key = key_of(signature);
    const size_t at = place_of(key);
    vdnn_profile *kept = NULL;
    vdnn_status status = vdnn_profile_create_empty(1, &kept);
    VDNN_IF_OK(status, vdnn_profile_repeat(kept, 0, profile, shape));
    if (status != VDNN_OK) {
        vdnn_profile_destroy(kept);
        return status;
    }
    vdnn_profile_destroy(rows->known[at]);
    rows->known[at] = kept;
    rows->keys[at] = key;
    return VDNN_OK;
}
