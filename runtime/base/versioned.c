#include "runtime/base/versioned.h"

#include <string.h>

static vdnn_status read_size(const void *given, const char *name, size_t *bytes)
{
    if (given == NULL)
        return vdnn_status_fail(VDNN_USAGE, "a %s is NULL", name);
    memcpy(bytes, given, sizeof *bytes);
    if (*bytes <= sizeof *bytes)
        return vdnn_status_fail(VDNN_USAGE, "the size of a %s is %zu; expected sizeof(%s)", name,
                                *bytes, name);
    return VDNN_OK;
}

vdnn_status vdnn_versioned_take(void *own, size_t own_bytes, const void *given, const char *name)
{
    size_t bytes;
    VDNN_TRY(read_size(given, name, &bytes));
    for (size_t i = own_bytes; i < bytes; i++)
        if (((const unsigned char *)given)[i] != 0)
            return vdnn_status_fail(VDNN_USAGE,
                                    "a %s of %zu bytes has something set that this version of the "
                                    "library (%zu bytes) does not know",
                                    name, bytes, own_bytes);
    memset(own, 0, own_bytes);
    memcpy(own, given, bytes < own_bytes ? bytes : own_bytes);
    return VDNN_OK;
}

vdnn_status vdnn_versioned_give(void *given, const void *own, size_t own_bytes, const char *name)
{
    size_t bytes, head = sizeof bytes;
    VDNN_TRY(read_size(given, name, &bytes));
    memcpy((char *)given + head, (const char *)own + head,
           (bytes < own_bytes ? bytes : own_bytes) - head);
    return VDNN_OK;
}
