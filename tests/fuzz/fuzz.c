#include "tests/fuzz/fuzz.h"

#include "alloc/heap.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATHS = 8, PATH_BYTES = 256 };

static size_t live_before;
static char folder[PATH_BYTES / 2];

void vdnn_fuzz_fail(const char *file, int line, const char *condition)
{
    (void)fprintf(stderr, "%s:%d: does not hold: %s; last message: \"%s\"\n", file, line, condition,
                  vdnn_status_message());
    abort();
}

void vdnn_fuzz_begin(void)
{
    live_before = vdnn_heap_live_count();
}

int vdnn_fuzz_end(void)
{
    VDNN_FUZZ_CHECK(vdnn_heap_live_count() == live_before);
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info, (void)type, (void)at;
    return remove(path);
}

static void remove_folder(void)
{
    (void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *vdnn_fuzz_folder(void)
{
    if (folder[0] != '\0')
        return folder;
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0')
        parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    int length = snprintf(folder, sizeof folder, "%s/vdnn-fuzz-XXXXXX", parent);
    VDNN_FUZZ_CHECK(length > 0 && (size_t)length < sizeof folder);
    VDNN_FUZZ_CHECK(mkdtemp(folder) != NULL);
    VDNN_FUZZ_CHECK(atexit(remove_folder) == 0);
    return folder;
}

const char *vdnn_fuzz_file(const char *name, const void *bytes, size_t count)
{
    static char paths[PATHS][PATH_BYTES];
    static size_t turn;
    char *path = paths[turn++ % PATHS];
    int length = snprintf(path, PATH_BYTES, "%s/%s", vdnn_fuzz_folder(), name);
    VDNN_FUZZ_CHECK(length > 0 && length < PATH_BYTES);
    FILE *file = fopen(path, "wbe");
    VDNN_FUZZ_CHECK(file != NULL);
    VDNN_FUZZ_CHECK(fwrite(bytes, 1, count, file) == count);
    VDNN_FUZZ_CHECK(fclose(file) == 0);
    return path;
}

vdnn_fuzz_bytes vdnn_fuzz_part(vdnn_fuzz_bytes *rest)
{
    vdnn_fuzz_bytes part = {rest->data, 0};
    if (rest->size < 2)
        return part;
    size_t length = (size_t)rest->data[0] | (size_t)rest->data[1] << 8;
    rest->data += 2;
    rest->size -= 2;
    part.data = rest->data;
    part.size = length < rest->size ? length : rest->size;
    rest->data += part.size;
    rest->size -= part.size;
    return part;
}

/* ---- statuses -------------------------------------------------------------------------------- */

void vdnn_fuzz_status(vdnn_status status, unsigned allowed)
{
    if (status == VDNN_OK)
        return;
    VDNN_FUZZ_CHECK((1U << (unsigned)status & allowed) != 0);
    const char *message = vdnn_status_message();
    VDNN_FUZZ_CHECK(message[0] != '\0');
    for (const char *c = message; *c != '\0'; c++)
        VDNN_FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 127);
}
