#include "runtime/data/picture_file.h"

#include "runtime/data/source.h"

#include <string.h>

enum { FILE_LIMIT = 1 << 28 };

/* The letters of ASCII may be large: in a Turkish locale, I is no large i to strcasecmp. */
static bool is_ending(const char *text, const char *ending)
{
    while (*ending != '\0' &&
           (*text == *ending || (*text >= 'A' && *text <= 'Z' && *text - 'A' + 'a' == *ending))) {
        text++;
        ending++;
    }
    return *text == '\0' && *ending == '\0';
}

bool vdnn_picture_file_is_named(const char *name)
{
    static const char *const endings[] = {".jpg", ".jpeg", ".png", ".jpe", ".jfif"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++)
        if (is_ending(dot, endings[i]))
            return true;
    return false;
}

static vdnn_status read_file(const vdnn_source *source, vdnn_scratch *scratch,
                             vdnn_image_file *file)
{
    uint64_t bytes = vdnn_source_bytes(source);
    if (vdnn_source_is_packed(source))
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: is gzip-compressed, expected a JPEG or PNG picture", file->path);
    if (bytes > FILE_LIMIT)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: has %llu bytes; a picture may have at most %d, a "
                                "limit of vdnn",
                                file->path, (unsigned long long)bytes, (int)FILE_LIMIT);
    void *memory = vdnn_scratch_take(scratch, VDNN_SCRATCH_FILE, (size_t)bytes);
    if (memory == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its %llu bytes", file->path,
                                (unsigned long long)bytes);
    file->bytes = memory;
    file->size = (size_t)bytes;
    return vdnn_source_read(source, 0, memory, (size_t)bytes);
}

vdnn_status vdnn_picture_file_read(const char *path, vdnn_scratch *scratch, vdnn_image_file *file)
{
    vdnn_source *source = NULL;
    file->path = path;
    VDNN_TRY(vdnn_source_open(path, &source));
    vdnn_status status = read_file(source, scratch, file);
    vdnn_source_close(source);
    return status;
}
