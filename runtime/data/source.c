#include "runtime/data/source.h"

#include "alloc/allocator.h"
#include "runtime/base/gzip.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* Deflate compresses at most 1032 bytes into one. */
enum { DEFLATE_RATIO = 1032 };

/* The largest published compressed sets have a tenth of that. */
#define UNPACK_LIMIT ((uint64_t)2 << 30)
#define FIRST_BLOCK ((uint64_t)1 << 16)

struct vdnn_source {
    char *path;
    int fd;
    uint64_t file_bytes, ready_bytes;
    vdnn_gunzip *packed;   /* NULL: a plain file */
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

/* Of a plain file, which had more bytes when it was opened: how many it has now is asked for, as
 * the place of a read that found nothing says only that it has no more than that. */
static vdnn_status fail_shrunk(const vdnn_source *source, uint64_t bytes)
{
    struct stat info;
    if (source->packed != NULL || vdnn_system_fstat(source->fd, &info) != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: ends before byte %llu", source->path,
                                (unsigned long long)bytes);
    if ((uint64_t)info.st_size >= bytes)
        return vdnn_status_fail(VDNN_FILE,
                                "%s: no bytes can be read before byte %llu, though it has %llu: it "
                                "is written to meanwhile, or its file system fails",
                                source->path, (unsigned long long)bytes,
                                (unsigned long long)info.st_size);
    return fail_short(source, bytes, (uint64_t)info.st_size);
}

static vdnn_status fail_long(const vdnn_source *source, uint64_t bytes)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has more than the %llu bytes that its header says",
                            source->path, (unsigned long long)bytes);
}

/* *found is less than `bytes` only at the end of the file. */
static vdnn_status read_at(const vdnn_source *source, uint64_t offset, void *to, size_t bytes,
                           size_t *found)
{
    size_t done = 0;
    for (ssize_t got = 1; done < bytes && got != 0; done += got > 0 ? (size_t)got : 0) {
        got =
            vdnn_system_pread(source->fd, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno != EINTR)
            return fail_system(source, "read");
    }
    *found = done;
    return VDNN_OK;
}

/* ---- open and close -------------------------------------------------------------------------- */

static vdnn_status open_file(vdnn_source *source, bool is_plain)
{
    struct stat info;
    unsigned char magic[2] = {0, 0};
    size_t found;
    /* Without O_NONBLOCK a FIFO of that name would block the program here. */
    source->fd = vdnn_system_open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (source->fd < 0 || vdnn_system_fstat(source->fd, &info) != 0)
        return fail_system(source, "opened");
    if (!S_ISREG(info.st_mode))
        return vdnn_status_fail(VDNN_FILE, "%s: is not a regular file", source->path);
    source->file_bytes = (uint64_t)info.st_size;
    if (!is_plain)
        VDNN_TRY(read_at(source, 0, magic, sizeof magic, &found));
    if (magic[0] == 0x1f && magic[1] == 0x8b)
        return vdnn_gunzip_create(source->fd, source->path, &source->packed);
    source->ready_bytes = source->file_bytes;
    return VDNN_OK;
}

static vdnn_status open_path(const char *path, bool is_plain, vdnn_source **source)
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
        status = open_file(fresh, is_plain);
    if (status != VDNN_OK) {
        vdnn_source_close(fresh);
        return status;
    }
    *source = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_source_open(const char *path, vdnn_source **source)
{
    return open_path(path, false, source);
}

vdnn_status vdnn_source_open_plain(const char *path, vdnn_source **source)
{
    return open_path(path, true, source);
}

void vdnn_source_close(vdnn_source *source)
{
    if (source == NULL)
        return;
    vdnn_gunzip_destroy(source->packed);
    if (source->fd >= 0)
        (void)vdnn_system_close(source->fd);
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

/* The file determines how much memory it takes, within what the machine can spare. */
static vdnn_status check_room(const vdnn_source *source, uint64_t bytes)
{
    const char *limit = NULL;
    size_t available = bytes > FIRST_BLOCK ? vdnn_memory_available(&limit) : SIZE_MAX;
    if (bytes > UNPACK_LIMIT)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: %llu bytes are more than is unpacked into memory, which is "
                                "%llu; unpack the file on disk",
                                source->path, (unsigned long long)bytes,
                                (unsigned long long)UNPACK_LIMIT);
    if (bytes > available / 2)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: its %llu bytes are more than half of the %zu that %s leaves; "
                                "unpack the file on disk",
                                source->path, (unsigned long long)bytes, available, limit);
    return VDNN_OK;
}

static vdnn_status unpack_to(vdnn_source *source, uint64_t bytes)
{
    if (bytes / DEFLATE_RATIO > source->file_bytes)
        return vdnn_status_fail(
            VDNN_BAD_INPUT,
            "%s: its header says %llu bytes, more than %llu compressed ones can hold", source->path,
            (unsigned long long)bytes, (unsigned long long)source->file_bytes);
    vdnn_status status = check_room(source, bytes);
    if (status != VDNN_OK)
        return status;
    while (source->ready_bytes < bytes) {
        if (source->ready_bytes == source->capacity)
            status = grow(source, bytes);
        if (status != VDNN_OK)
            return status;
        uint64_t room = source->capacity - source->ready_bytes;
        size_t found;
        status =
            vdnn_gunzip_read(source->packed, source->memory + source->ready_bytes, room, &found);
        if (status != VDNN_OK)
            return status;
        source->ready_bytes += found;
        if (found < room)
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
    size_t found;
    status = vdnn_gunzip_read(source->packed, &extra, 1,
                              &found); /* also checks the checksum at the end */
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
    size_t found;
    vdnn_status status = read_at(source, offset, to, bytes, &found);
    if (status == VDNN_OK && found < bytes)
        status = fail_shrunk(source, offset + bytes);
    return status;
}

uint64_t vdnn_source_bytes(const vdnn_source *source)
{
    return source->ready_bytes;
}

bool vdnn_source_is_packed(const vdnn_source *source)
{
    return source->packed != NULL;
}

const char *vdnn_source_path(const vdnn_source *source)
{
    return source->path;
}
