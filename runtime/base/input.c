#include "runtime/base/input.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_BYTES = 1 << 14 };

/* Holds one byte more than is read, to detect the end and to terminate the text. */
static vdnn_status grow(const char *path, size_t most_bytes, char **bytes, size_t *capacity)
{
    size_t fresh = *capacity == 0 ? FIRST_BYTES : 2 * *capacity;
    if (fresh > most_bytes)
        fresh = most_bytes + 1;
    char *grown = vdnn_heap_realloc(*bytes, fresh + 1, 1);
    if (grown == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it", path);
    *bytes = grown;
    *capacity = fresh;
    return VDNN_OK;
}

static vdnn_status read_all(int file, const char *path, size_t most_bytes, char **bytes,
                            size_t *count)
{
    size_t capacity = 0;
    vdnn_status status = grow(path, most_bytes, bytes, &capacity);
    for (ssize_t got = 1; status == VDNN_OK && got != 0;) {
        got = vdnn_system_read(file, *bytes + *count, capacity - *count);
        if (got < 0 && errno != EINTR)
            return vdnn_status_fail(VDNN_FILE, "%s: cannot be read: %s", path, strerror(errno));
        *count += got > 0 ? (size_t)got : 0;
        if (*count > most_bytes)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has more than %zu bytes, a limit of vdnn",
                                    path, most_bytes);
        if (*count == capacity)
            status = grow(path, most_bytes, bytes, &capacity);
    }
    if (status == VDNN_OK)
        (*bytes)[*count] = '\0';
    return status;
}

/* Checked before reading: the file may be sparse and terabytes long. */
static vdnn_status check_length(int file, const char *path, size_t most_bytes)
{
    struct stat info;
    if (vdnn_system_fstat(file, &info) != 0)
        return vdnn_status_fail(VDNN_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (S_ISREG(info.st_mode) && (uint64_t)info.st_size > most_bytes)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: has %llu bytes, expected at most %zu, a limit of vdnn", path,
                                (unsigned long long)info.st_size, most_bytes);
    return VDNN_OK;
}

vdnn_status vdnn_input_read(const char *path, size_t most_bytes, char **bytes, size_t *count)
{
    char *fresh = NULL;
    size_t length = 0;
    int file = vdnn_system_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0)
        return vdnn_status_fail(VDNN_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    vdnn_status status = check_length(file, path, most_bytes);
    VDNN_IF_OK(status, read_all(file, path, most_bytes, &fresh, &length));
    (void)vdnn_system_close(file);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    *bytes = fresh;
    *count = length;
    return VDNN_OK;
}
