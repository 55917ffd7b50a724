#include "runtime/checkpoint/checkpoint.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/checkpoint/checkpoint_internal.h"
#include "runtime/checkpoint/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    MANIFEST_LIMIT = 256 << 20, /* bytes: far more than a hundred thousand layers require */
    BLOCK_BYTES = 1 << 20,
};

/* ---- names ----------------------------------------------------------------------------------- */

vdnn_status vdnn_checkpoint_join(const char *folder, const char *name, vdnn_checkpoint_path *path)
{
    int length = snprintf(path->text, sizeof path->text, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path->text)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", folder);
    return VDNN_OK;
}

vdnn_status vdnn_checkpoint_join_step(const char *folder, int64_t step, vdnn_checkpoint_path *path)
{
    char name[32];
    (void)snprintf(name, sizeof name, "step-%08" PRId64, step);
    return vdnn_checkpoint_join(folder, name, path);
}

/* Whether a name is one of join_step's. */
static bool read_step(const char *name, int64_t *step)
{
    char again[32];
    if (strncmp(name, "step-", 5) != 0 || strlen(name) > 5 + 18)
        return false;
    int64_t value = strtoll(name + 5, NULL, 10);
    (void)snprintf(again, sizeof again, "step-%08" PRId64, value);
    if (value < 0 || strcmp(again, name) != 0)
        return false;
    *step = value;
    return true;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

vdnn_status vdnn_checkpoint_fail(const char *path, const char *what)
{
    return vdnn_status_fail(VDNN_FILE, "%s: cannot be %s: %s", path, what, strerror(errno));
}

/* ---- folders --------------------------------------------------------------------------------- */

static int by_step(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static vdnn_status add_step(const char *path, vdnn_checkpoint_list *list, int64_t step)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
        int64_t *grown = vdnn_heap_realloc(list->steps, capacity, sizeof *grown);
        if (grown == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY,
                                    "%s: no memory for the names of its checkpoints", path);
        list->steps = grown;
        list->capacity = capacity;
    }
    list->steps[list->count++] = step;
    return VDNN_OK;
}

bool vdnn_checkpoint_is_link(const char *path)
{
    struct stat info;
    return vdnn_system_lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

vdnn_status vdnn_checkpoint_find_folder(const char *path, bool *there)
{
    struct stat info;
    int result = vdnn_system_lstat(path, &info);
    if (result != 0 && errno != ENOENT)
        return vdnn_checkpoint_fail(path, "read");
    *there = result == 0 && S_ISDIR(info.st_mode);
    return VDNN_OK;
}

/* A link to a folder is one; so is a link to nothing, whose folder may be on a disk that is not
 * there. */
static vdnn_status find_linked(const char *path, bool *there)
{
    struct stat info;
    vdnn_status status = vdnn_checkpoint_find_folder(path, there);
    if (status == VDNN_OK && !*there && vdnn_checkpoint_is_link(path))
        *there = vdnn_system_stat(path, &info) != 0 || S_ISDIR(info.st_mode);
    return status;
}

/* Adds an entry of the folder if it is a checkpoint's. */
static vdnn_status take_entry(const char *path, const char *name, bool with_links,
                              vdnn_checkpoint_list *list)
{
    int64_t step;
    vdnn_checkpoint_path whole = {.text = ""};
    bool there = false;
    if (!read_step(name, &step))
        return VDNN_OK;
    vdnn_status status = vdnn_checkpoint_join(path, name, &whole);
    VDNN_IF_OK(status, with_links ? find_linked(whole.text, &there)
                                  : vdnn_checkpoint_find_folder(whole.text, &there));
    return status == VDNN_OK && there ? add_step(path, list, step) : status;
}

vdnn_status vdnn_checkpoint_list_steps(const char *path, bool with_links,
                                       vdnn_checkpoint_list *list)
{
    vdnn_checkpoint_list fresh = {0};
    const struct dirent *entry = NULL;
    vdnn_status status = VDNN_OK;
    DIR *folder = vdnn_system_opendir(path);
    if (folder == NULL)
        return vdnn_checkpoint_fail(path, "read");
    do {
        errno = 0;
        entry = vdnn_system_readdir(folder);
        if (entry != NULL)
            status = take_entry(path, entry->d_name, with_links, &fresh);
    } while (entry != NULL && status == VDNN_OK);
    if (status == VDNN_OK && errno != 0)
        status = vdnn_checkpoint_fail(path, "read");
    (void)vdnn_system_closedir(folder);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh.steps);
        return status;
    }
    if (fresh.count > 0)
        qsort(fresh.steps, fresh.count, sizeof *fresh.steps, by_step);
    *list = fresh;
    return VDNN_OK;
}

/* ---- verifying ------------------------------------------------------------------------------- */

/* Here VDNN_BAD_INPUT means: incomplete. */
static vdnn_status open_file(const char *path, int *fd, uint64_t *bytes)
{
    struct stat info;
    int fresh = vdnn_system_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (fresh < 0 && errno == ENOENT)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is missing", path);
    if (fresh < 0)
        return vdnn_checkpoint_fail(path, "opened");
    vdnn_status status = VDNN_OK;
    if (vdnn_system_fstat(fresh, &info) != 0)
        status = vdnn_checkpoint_fail(path, "opened");
    else if (!S_ISREG(info.st_mode))
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: is not a regular file", path);
    if (status != VDNN_OK) {
        (void)vdnn_system_close(fresh);
        return status;
    }
    *fd = fresh;
    *bytes = (uint64_t)info.st_size;
    return VDNN_OK;
}

/* Up to `count` bytes; *got is less only at the end of the file. */
static vdnn_status read_block(int fd, const char *path, char *to, size_t count, size_t *got)
{
    size_t done = 0;
    while (done < count) {
        ssize_t part = vdnn_system_read(fd, to + done, count - done);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return vdnn_checkpoint_fail(path, "read");
        if (part == 0)
            break;
        done += (size_t)part;
    }
    *got = done;
    return VDNN_OK;
}

/* Looks for a value that is not finite while a file is read: in all but the losses, which are a
 * record and no state. After eight bytes with its length and a header a file of safetensors has
 * nothing but values, of weights and slots in f32. */
typedef struct scan {
    uint64_t at;    /* bytes seen so far */
    uint64_t first; /* of the values; UINT64_MAX: not known yet, or not looked for */
    uint64_t found; /* the first one's number; UINT64_MAX: none */
} scan;

static const uint64_t nowhere = UINT64_MAX;

static bool is_state(const char *path)
{
    return strcmp(last_name(path), VDNN_CHECKPOINT_LOSSES) != 0;
}

/* Blocks are of a multiple of four bytes, and so are headers. */
static void scan_block(scan *own, const char *block, size_t bytes)
{
    static const uint32_t exponent = 0x7F800000U;
    uint64_t header;
    uint32_t bits;
    if (own->at == 0 && bytes >= sizeof header) {
        memcpy(&header, block, sizeof header);
        own->first = header % sizeof(float) == 0 ? sizeof header + header : nowhere;
    }
    uint64_t begin = own->first > own->at ? own->first - own->at : 0;
    for (uint64_t i = begin; own->found == nowhere && i < bytes && bytes - i >= sizeof bits;
         i += sizeof(float)) {
        memcpy(&bits, block + i, sizeof bits);
        if ((bits & exponent) == exponent)
            own->found = (own->at + i - own->first) / sizeof(float);
    }
    own->at += bytes;
}

static vdnn_status hash_file(int fd, const char *path, scan *values, XXH128_hash_t *hash)
{
    XXH3_state_t *state = XXH3_createState();
    char *block = vdnn_heap_calloc(1, BLOCK_BYTES);
    vdnn_status status = VDNN_OK;
    size_t got = BLOCK_BYTES;
    if (state == NULL || block == NULL || XXH3_128bits_reset(state) != XXH_OK)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to verify it", path);
    while (status == VDNN_OK && got == BLOCK_BYTES) {
        status = read_block(fd, path, block, BLOCK_BYTES, &got);
        if (status == VDNN_OK)
            (void)XXH3_128bits_update(state, block, got);
        if (status == VDNN_OK && is_state(path))
            scan_block(values, block, got);
    }
    if (status == VDNN_OK)
        *hash = XXH3_128bits_digest(state);
    vdnn_heap_free(block);
    (void)XXH3_freeState(state);
    return status;
}

static vdnn_status verify_file(const char *folder, const json_t *entry)
{
    const char *name = json_string_value(json_object_get(entry, "name"));
    const char *wanted = json_string_value(json_object_get(entry, "xxh3_128"));
    uint64_t bytes, expected = (uint64_t)json_integer_value(json_object_get(entry, "bytes"));
    char found[VDNN_MANIFEST_DIGITS + 1];
    vdnn_checkpoint_path path = {.text = ""};
    XXH128_hash_t hash;
    scan values = {.first = nowhere, .found = nowhere};
    int fd;
    vdnn_status status = vdnn_checkpoint_join(folder, name, &path);
    VDNN_IF_OK(status, open_file(path.text, &fd, &bytes));
    if (status != VDNN_OK)
        return status;
    if (bytes != expected)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %" PRIu64 " bytes instead of %" PRIu64,
                                  path.text, bytes, expected);
    else
        status = hash_file(fd, path.text, &values, &hash);
    (void)vdnn_system_close(fd);
    if (status != VDNN_OK)
        return status;
    const vdnn_digest digest = {.bytes = bytes, .high = hash.high64, .low = hash.low64};
    if (strcmp(vdnn_manifest_digits(&digest, found), wanted) != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: is damaged: its digest is %s, the manifest says %s", path.text,
                                found, wanted);
    if (values.found != nowhere)
        return vdnn_status_fail(VDNN_DIVERGED,
                                "%s: its value %" PRIu64 " is not finite: the training had "
                                "diverged",
                                path.text, values.found);
    return VDNN_OK;
}

static vdnn_status read_manifest(const char *folder, json_t **manifest)
{
    vdnn_checkpoint_path path = {.text = ""};
    int fd;
    uint64_t bytes;
    vdnn_status status = vdnn_checkpoint_join(folder, VDNN_CHECKPOINT_MANIFEST, &path);
    VDNN_IF_OK(status, open_file(path.text, &fd, &bytes));
    if (status != VDNN_OK)
        return status;
    size_t got = 0;
    char *text = NULL;
    if (bytes > MANIFEST_LIMIT)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: is larger than any manifest", path.text);
    else if ((text = vdnn_heap_calloc(1, bytes + 1)) == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it", path.text);
    else
        status = read_block(fd, path.text, text, bytes, &got);
    (void)vdnn_system_close(fd);
    VDNN_IF_OK(status, vdnn_manifest_parse(text, got, path.text, manifest));
    vdnn_heap_free(text);
    return status;
}

vdnn_status vdnn_checkpoint_verify(const char *path, vdnn_checkpoint **checkpoint)
{
    const json_t *entry;
    size_t i;
    int64_t named;
    vdnn_checkpoint *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh != NULL)
        fresh->path = vdnn_heap_strdup(path);
    vdnn_status status = VDNN_OK;
    if (fresh == NULL || fresh->path == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    else
        status = read_manifest(path, &fresh->manifest);
    if (status == VDNN_OK) {
        json_array_foreach(json_object_get(fresh->manifest, "files"), i, entry)
        {
            VDNN_IF_OK(status, verify_file(path, entry));
        }
        fresh->step = json_integer_value(json_object_get(fresh->manifest, "step"));
        if (status == VDNN_OK && read_step(last_name(path), &named) && named != fresh->step)
            status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: holds step %lld", path,
                                      (long long)fresh->step);
    }
    if (status == VDNN_OK)
        *checkpoint = fresh;
    else
        vdnn_checkpoint_close(fresh);
    return status;
}

void vdnn_checkpoint_close(vdnn_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    json_decref(checkpoint->manifest);
    vdnn_heap_free(checkpoint->path);
    vdnn_heap_free(checkpoint);
}

/* ---- finding --------------------------------------------------------------------------------- */

static vdnn_status find_newest(const char *path, vdnn_checkpoint_path *newest)
{
    vdnn_checkpoint_list list = {0};
    vdnn_status status = vdnn_checkpoint_list_steps(path, true, &list);
    if (status != VDNN_OK)
        return status;
    if (list.count == 0)
        status = vdnn_status_fail(VDNN_FILE, "%s: there is no checkpoint in it", path);
    else
        status = vdnn_checkpoint_join_step(path, list.steps[list.count - 1], newest);
    vdnn_heap_free(list.steps);
    return status;
}

vdnn_status vdnn_checkpoint_open(const char *path, vdnn_checkpoint **checkpoint)
{
    vdnn_checkpoint_path whole = {.text = ""};
    int64_t step;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length >= sizeof whole.text)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", path);
    (void)snprintf(whole.text, sizeof whole.text, "%.*s", (int)length, path);
    vdnn_checkpoint_path manifest = {.text = ""};
    vdnn_status status = vdnn_checkpoint_join(whole.text, VDNN_CHECKPOINT_MANIFEST, &manifest);
    if (status == VDNN_OK && vdnn_system_access(manifest.text, F_OK) != 0 &&
        !read_step(last_name(whole.text), &step))
        status = find_newest(path, &whole);
    VDNN_IF_OK(status, vdnn_checkpoint_verify(whole.text, checkpoint));
    if (status == VDNN_BAD_INPUT)
        return vdnn_status_fail(VDNN_FILE, "no complete checkpoint: %s", vdnn_status_message());
    if (status == VDNN_DIVERGED)
        return vdnn_status_fail(VDNN_FILE, "no checkpoint to resume from: %s",
                                vdnn_status_message());
    return status;
}
