#include "runtime/data/source.h"

#include "alloc/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Deflate packs at most 1032 bytes into one. */
enum { DEFLATE_RATIO = 1032 };

#define UNPACK_LIMIT ((uint64_t)8 << 30)
#define FIRST_BLOCK ((uint64_t)1 << 16)

struct vdnn_source {
    char *path;
    int fd;
    uint64_t file_bytes, ready_bytes;
    gzFile packed;         /* NULL: a plain file */
    unsigned char *memory; /* what was unpacked */
    uint64_t capacity;
};

static vdnn_status fail_system(const vdnn_source *source, const char *what)
{
    return vdnn_status_fail(VDNN_FILE, "%s: cannot be %s: %s", source->path, what, strerror(errno));
}

static vdnn_status fail_short(const vdnn_source *source, uint64_t bytes, uint64_t found)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is cut off: %llu bytes expected, %llu found",
                            source->path, (unsigned long long)bytes, (unsigned long long)found);
}

static vdnn_status fail_long(const vdnn_source *source, uint64_t bytes)
{
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: goes on after the %llu bytes that its header speaks of",
                            source->path, (unsigned long long)bytes);
}

/* ---- open and close -------------------------------------------------------------------------- */

static vdnn_status open_packed(vdnn_source *source)
{
    int copy = fcntl(source->fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return fail_system(source, "opened");
    source->packed = gzdopen(copy, "rb");
    if (source->packed == NULL) {
        (void)close(copy);
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to unpack it", source->path);
    }
    return VDNN_OK;
}

static vdnn_status open_file(vdnn_source *source)
{
    struct stat info;
    unsigned char magic[2] = {0, 0};
    /* Without O_NONBLOCK a FIFO of that name would stop the program here. */
    source->fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source->fd < 0 || fstat(source->fd, &info) != 0)
        return fail_system(source, "opened");
    if (!S_ISREG(info.st_mode))
        return vdnn_status_fail(VDNN_FILE, "%s: is not a regular file", source->path);
    source->file_bytes = (uint64_t)info.st_size;
    if (pread(source->fd, magic, sizeof magic, 0) < 0)
        return fail_system(source, "read");
    if (magic[0] == 0x1f && magic[1] == 0x8b)
        return open_packed(source);
    source->ready_bytes = source->file_bytes;
    return VDNN_OK;
}

vdnn_status vdnn_source_open(const char *path, vdnn_source **source)
{
    vdnn_source *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    vdnn_status status = VDNN_OK;
    if (fresh != NULL) {
        fresh->fd = -1;
        fresh->path = vdnn_heap_strdup(path);
    }
    if (fresh == NULL || fresh->path == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    else
        status = open_file(fresh);
    if (status != VDNN_OK) {
        vdnn_source_close(fresh);
        return status;
    }
    *source = fresh;
    return VDNN_OK;
}

void vdnn_source_close(vdnn_source *source)
{
    if (source == NULL)
        return;
    if (source->packed != NULL)
        (void)gzclose(source->packed);
    if (source->fd >= 0)
        (void)close(source->fd);
    vdnn_heap_free(source->memory);
    vdnn_heap_free(source->path);
    vdnn_heap_free(source);
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static vdnn_status grow(vdnn_source *source, uint64_t bytes)
{
    uint64_t capacity = source->capacity < FIRST_BLOCK ? FIRST_BLOCK : 2 * source->capacity;
    if (capacity > bytes)
        capacity = bytes;
    unsigned char *memory = vdnn_heap_realloc(source->memory, 1, capacity);
    if (memory == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %llu unpacked bytes",
                                source->path, (unsigned long long)capacity);
    source->memory = memory;
    source->capacity = capacity;
    return VDNN_OK;
}

/* Unpacks up to `bytes` bytes to `to`; *found is less only at the end of the file. */
static vdnn_status unpack(vdnn_source *source, void *to, unsigned bytes, unsigned *found)
{
    int got = gzread(source->packed, to, bytes), code = Z_OK;
    const char *reason = gzerror(source->packed, &code);
    if (got < 0 && code == Z_ERRNO)
        return fail_system(source, "read");
    if (got < 0 || (unsigned)got < bytes) {
        if (code == Z_BUF_ERROR)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the compressed data is cut off",
                                    source->path);
        if (code != Z_OK && code != Z_STREAM_END)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the compressed data is damaged (%s)",
                                    source->path, reason);
    }
    *found = (unsigned)got;
    return VDNN_OK;
}

static vdnn_status unpack_to(vdnn_source *source, uint64_t bytes)
{
    if (bytes / DEFLATE_RATIO > source->file_bytes)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: its header speaks of %llu bytes, more than %llu compressed "
                                "ones can hold",
                                source->path, (unsigned long long)bytes,
                                (unsigned long long)source->file_bytes);
    if (bytes > UNPACK_LIMIT)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: %llu bytes are more than is unpacked into memory; unpack "
                                "the file on disk",
                                source->path, (unsigned long long)bytes);
    while (source->ready_bytes < bytes) {
        vdnn_status status = VDNN_OK;
        if (source->ready_bytes == source->capacity)
            status = grow(source, bytes);
        if (status != VDNN_OK)
            return status;
        uint64_t room = source->capacity - source->ready_bytes;
        unsigned part = room < INT32_MAX ? (unsigned)room : INT32_MAX, found;
        status = unpack(source, source->memory + source->ready_bytes, part, &found);
        if (status != VDNN_OK)
            return status;
        source->ready_bytes += found;
        if (found < part)
            return fail_short(source, bytes, source->ready_bytes);
    }
    return VDNN_OK;
}

static vdnn_status need_packed(vdnn_source *source, uint64_t bytes, bool whole)
{
    vdnn_status status = unpack_to(source, bytes);
    if (status != VDNN_OK || !whole)
        return status;
    unsigned char extra;
    unsigned found;
    status = unpack(source, &extra, 1, &found); /* also checks the checksum at the end */
    if (status != VDNN_OK)
        return status;
    if (found != 0)
        return fail_long(source, bytes);
    return VDNN_OK;
}

vdnn_status vdnn_source_need(vdnn_source *source, uint64_t bytes, bool whole)
{
    if (source->packed != NULL)
        return need_packed(source, bytes, whole);
    if (source->file_bytes < bytes)
        return fail_short(source, bytes, source->file_bytes);
    if (whole && source->file_bytes > bytes)
        return fail_long(source, bytes);
    return VDNN_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

vdnn_status vdnn_source_read(const vdnn_source *source, uint64_t offset, void *to, size_t bytes)
{
    if (offset > source->ready_bytes || bytes > source->ready_bytes - offset)
        return fail_short(source, offset + bytes, source->ready_bytes);
    if (source->packed != NULL) {
        memcpy(to, source->memory + offset, bytes);
        return VDNN_OK;
    }
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(source->fd, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_system(source, "read");
        if (got == 0)
            return fail_short(source, offset + bytes, offset + done);
        done += (size_t)got;
    }
    return VDNN_OK;
}

uint64_t vdnn_source_bytes(const vdnn_source *source)
{
    return source->ready_bytes;
}

const char *vdnn_source_path(const vdnn_source *source)
{
    return source->path;
}
