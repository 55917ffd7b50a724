#include "runtime/train/checkpoint.h"

#include "alloc/heap.h"
#include "runtime/json.h"
#include "runtime/outside.h"
#include "runtime/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    FORMAT_VERSION = 1,
    MANIFEST_LIMIT = 256 << 20, /* bytes: far more than a million layers take */
    BLOCK_BYTES = 1 << 20,
    HASH_DIGITS = 32,
    SIGNATURE_BYTES = 100,
};

#define FORMAT "vdnn checkpoint"
#define MANIFEST VDNN_CHECKPOINT_MANIFEST
#define LOCK "lock"

/* Behind the text that it is the digest of. */
#define SEAL_HEAD ",\n  \"xxh3_128\": \""
#define SEAL_TAIL "\"\n}\n"

enum { SEAL_BYTES = sizeof SEAL_HEAD - 1 + HASH_DIGITS + sizeof SEAL_TAIL - 1 };

struct vdnn_checkpoint_folder {
    char *path;
    int lock;
    int64_t keep;
    int64_t newest;                /* step of the newest whole checkpoint of this run; -1: none */
    const vdnn_messages *messages; /* borrowed */
};

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct path_text {
    char text[PATH_MAX];
} path_text;

static vdnn_status join(const char *folder, const char *name, path_text *path)
{
    int length = snprintf(path->text, sizeof path->text, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path->text)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", folder);
    return VDNN_OK;
}

static vdnn_status join_step(const char *folder, int64_t step, path_text *path)
{
    char name[32];
    (void)snprintf(name, sizeof name, "step-%08" PRId64, step);
    return join(folder, name, path);
}

/* Whether a name is one that join_step makes. */
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

static vdnn_status fail_system(const char *path, const char *what)
{
    return vdnn_status_fail(VDNN_FILE, "%s: cannot be %s: %s", path, what, strerror(errno));
}

static void hash_text(XXH128_hash_t hash, char text[HASH_DIGITS + 1])
{
    (void)snprintf(text, HASH_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
                   (uint64_t)hash.low64);
}

/* ---- folders --------------------------------------------------------------------------------- */

/* The steps of a folder's checkpoints, whole or not, in increasing order. */
typedef struct step_list {
    int64_t *steps;
    size_t count, capacity;
} step_list;

static int by_step(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static vdnn_status add_step(step_list *list, int64_t step)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
        int64_t *grown = vdnn_heap_realloc(list->steps, capacity, sizeof *grown);
        if (grown == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the names of checkpoints");
        list->steps = grown;
        list->capacity = capacity;
    }
    list->steps[list->count++] = step;
    return VDNN_OK;
}

static vdnn_status find_folder(const char *path, bool *there)
{
    struct stat info;
    int result = vdnn_outside_lstat(path, &info);
    if (result != 0 && errno != ENOENT)
        return fail_system(path, "read");
    *there = result == 0 && S_ISDIR(info.st_mode);
    return VDNN_OK;
}

/* Adds an entry of the folder if it is a checkpoint's. */
static vdnn_status take_entry(const char *path, const char *name, step_list *list)
{
    int64_t step;
    path_text whole = {.text = ""};
    bool there = false;
    if (!read_step(name, &step))
        return VDNN_OK;
    vdnn_status status = join(path, name, &whole);
    if (status == VDNN_OK)
        status = find_folder(whole.text, &there);
    return status == VDNN_OK && there ? add_step(list, step) : status;
}

static vdnn_status list_steps(const char *path, step_list *list)
{
    step_list fresh = {0};
    const struct dirent *entry = NULL;
    vdnn_status status = VDNN_OK;
    DIR *folder = vdnn_outside_opendir(path);
    if (folder == NULL)
        return fail_system(path, "read");
    do {
        errno = 0;
        entry = vdnn_outside_readdir(folder);
        if (entry != NULL)
            status = take_entry(path, entry->d_name, &fresh);
    } while (entry != NULL && status == VDNN_OK);
    if (status == VDNN_OK && errno != 0)
        status = fail_system(path, "read");
    (void)vdnn_outside_closedir(folder);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh.steps);
        return status;
    }
    if (fresh.count > 0)
        qsort(fresh.steps, fresh.count, sizeof *fresh.steps, by_step);
    *list = fresh;
    return VDNN_OK;
}

/* Some file systems cannot synchronize a folder and say EINVAL. */
static vdnn_status sync_folder(const char *path)
{
    int fd = vdnn_outside_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    int error = fd < 0 ? errno : vdnn_outside_fsync(fd) != 0 ? errno : 0;
    if (fd >= 0)
        (void)vdnn_outside_close(fd);
    errno = error;
    return error == 0 || error == EINVAL ? VDNN_OK : fail_system(path, "synchronized");
}

/* ---- removing -------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* What a write makes, and the temporary files of one that never ended. */
static bool is_ours(const char *name)
{
    return ends_with(name, ".safetensors") || strcmp(name, MANIFEST) == 0 ||
           strstr(name, ".tmp-") != NULL;
}

/* The manifest goes first, so that nothing half removed looks whole. What a person put there stays,
 * and the folder with it. */
static vdnn_status remove_checkpoint(const char *path)
{
    path_text file = {.text = ""};
    vdnn_status status = join(path, MANIFEST, &file);
    if (status != VDNN_OK)
        return status;
    if (vdnn_outside_unlink(file.text) != 0 && errno != ENOENT)
        return fail_system(file.text, "removed");
    DIR *folder = vdnn_outside_opendir(path);
    if (folder == NULL)
        return fail_system(path, "removed");
    for (const struct dirent *entry;
         status == VDNN_OK && (entry = vdnn_outside_readdir(folder)) != NULL;) {
        if (!is_ours(entry->d_name))
            continue;
        status = join(path, entry->d_name, &file);
        if (status == VDNN_OK && vdnn_outside_unlink(file.text) != 0 && errno != ENOENT)
            status = fail_system(file.text, "removed");
    }
    (void)vdnn_outside_closedir(folder);
    if (status == VDNN_OK && vdnn_outside_rmdir(path) != 0)
        status = fail_system(path, "removed");
    return status;
}

static void remove_or_warn(const vdnn_checkpoint_folder *folder, int64_t step)
{
    path_text path = {.text = ""};
    vdnn_status status = join_step(folder->path, step, &path);
    if (status == VDNN_OK)
        status = remove_checkpoint(path.text);
    if (status != VDNN_OK)
        vdnn_messages_log(folder->messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
}

/* ---- verifying ------------------------------------------------------------------------------- */

/* Here VDNN_BAD_INPUT means: not whole. */
static vdnn_status open_file(const char *path, int *fd, uint64_t *bytes)
{
    struct stat info;
    int fresh = vdnn_outside_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (fresh < 0 && errno == ENOENT)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is missing", path);
    if (fresh < 0)
        return fail_system(path, "opened");
    vdnn_status status = VDNN_OK;
    if (vdnn_outside_fstat(fresh, &info) != 0)
        status = fail_system(path, "opened");
    else if (!S_ISREG(info.st_mode))
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: is not a regular file", path);
    if (status != VDNN_OK) {
        (void)vdnn_outside_close(fresh);
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
        ssize_t part = vdnn_outside_read(fd, to + done, count - done);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return fail_system(path, "read");
        if (part == 0)
            break;
        done += (size_t)part;
    }
    *got = done;
    return VDNN_OK;
}

static vdnn_status hash_file(int fd, const char *path, XXH128_hash_t *hash)
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
    char found[HASH_DIGITS + 1];
    path_text path = {.text = ""};
    XXH128_hash_t hash;
    int fd;
    vdnn_status status = join(folder, name, &path);
    if (status == VDNN_OK)
        status = open_file(path.text, &fd, &bytes);
    if (status != VDNN_OK)
        return status;
    if (bytes != expected)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %" PRIu64 " bytes instead of %" PRIu64,
                                  path.text, bytes, expected);
    else
        status = hash_file(fd, path.text, &hash);
    (void)vdnn_outside_close(fd);
    if (status != VDNN_OK)
        return status;
    hash_text(hash, found);
    if (strcmp(found, wanted) != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: is damaged: its digest is %s, the manifest says %s", path.text,
                                found, wanted);
    return VDNN_OK;
}

static vdnn_status fail_manifest(const char *path, const char *why)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: %s", path, why);
}

static bool is_file_entry(const json_t *entry)
{
    const char *name = json_string_value(json_object_get(entry, "name"));
    const char *hash = json_string_value(json_object_get(entry, "xxh3_128"));
    const json_t *bytes = json_object_get(entry, "bytes");
    return name != NULL && ends_with(name, ".safetensors") && strchr(name, '/') == NULL &&
           hash != NULL && strlen(hash) == HASH_DIGITS && json_is_integer(bytes) &&
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
        return fail_manifest(path, "is no manifest of a checkpoint");
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

/* The text of a manifest ends with the digest of all that is before it. */
static bool is_sealed(const char *text, size_t length)
{
    char seal[SEAL_BYTES + 1], hash[HASH_DIGITS + 1];
    if (length < SEAL_BYTES)
        return false;
    hash_text(XXH3_128bits(text, length - SEAL_BYTES), hash);
    (void)snprintf(seal, sizeof seal, SEAL_HEAD "%s" SEAL_TAIL, hash);
    return memcmp(text + length - SEAL_BYTES, seal, SEAL_BYTES) == 0;
}

vdnn_status vdnn_checkpoint_parse(const char *text, size_t length, const char *path,
                                  json_t **manifest)
{
    json_t *root = NULL;
    if (!is_sealed(text, length))
        return fail_manifest(path, "is cut off or damaged: its digest is another one");
    vdnn_status status = vdnn_json_parse(text, length, path, &root);
    if (status == VDNN_OK)
        status = check_manifest(root, path);
    if (status == VDNN_OK)
        *manifest = root;
    else
        json_decref(root);
    return status;
}

static vdnn_status read_manifest(const char *folder, json_t **manifest)
{
    path_text path = {.text = ""};
    int fd;
    uint64_t bytes;
    vdnn_status status = join(folder, MANIFEST, &path);
    if (status == VDNN_OK)
        status = open_file(path.text, &fd, &bytes);
    if (status != VDNN_OK)
        return status;
    size_t got = 0;
    char *text = NULL;
    if (bytes > MANIFEST_LIMIT)
        status = fail_manifest(path.text, "is larger than any manifest");
    else if ((text = vdnn_heap_calloc(1, bytes + 1)) == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it", path.text);
    else
        status = read_block(fd, path.text, text, bytes, &got);
    (void)vdnn_outside_close(fd);
    if (status == VDNN_OK)
        status = vdnn_checkpoint_parse(text, got, path.text, manifest);
    vdnn_heap_free(text);
    return status;
}

/* A whole checkpoint, or VDNN_BAD_INPUT. */
static vdnn_status verify(const char *path, vdnn_checkpoint **checkpoint)
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
            if (status == VDNN_OK)
                status = verify_file(path, entry);
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

static vdnn_status find_newest(const char *path, path_text *newest)
{
    step_list list = {0};
    vdnn_status status = list_steps(path, &list);
    if (status != VDNN_OK)
        return status;
    if (list.count == 0)
        status = vdnn_status_fail(VDNN_FILE, "%s: there is no checkpoint in it", path);
    else
        status = join_step(path, list.steps[list.count - 1], newest);
    vdnn_heap_free(list.steps);
    return status;
}

vdnn_status vdnn_checkpoint_open(const char *path, vdnn_checkpoint **checkpoint)
{
    path_text whole = {.text = ""};
    int64_t step;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length >= sizeof whole.text)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", path);
    (void)snprintf(whole.text, sizeof whole.text, "%.*s", (int)length, path);
    path_text manifest = {.text = ""};
    vdnn_status status = join(whole.text, MANIFEST, &manifest);
    if (status == VDNN_OK && vdnn_outside_access(manifest.text, F_OK) != 0 &&
        !read_step(last_name(whole.text), &step))
        status = find_newest(path, &whole);
    if (status == VDNN_OK)
        status = verify(whole.text, checkpoint);
    if (status == VDNN_BAD_INPUT)
        return vdnn_status_fail(VDNN_FILE, "no whole checkpoint: %s", vdnn_status_message());
    return status;
}

vdnn_status vdnn_checkpoint_newest(const vdnn_checkpoint_folder *folder,
                                   vdnn_checkpoint **checkpoint)
{
    step_list list = {0};
    vdnn_checkpoint *found = NULL;
    vdnn_status status = list_steps(folder->path, &list);
    for (size_t i = list.count; status == VDNN_OK && found == NULL && i-- > 0;) {
        path_text path = {.text = ""};
        status = join_step(folder->path, list.steps[i], &path);
        if (status == VDNN_OK)
            status = verify(path.text, &found);
        if (status != VDNN_BAD_INPUT)
            continue;
        vdnn_messages_log(folder->messages, VDNN_LOG_WARN, "%s is passed over: not whole: %s",
                          last_name(path.text), vdnn_status_message());
        status = VDNN_OK;
    }
    vdnn_heap_free(list.steps);
    if (status == VDNN_OK)
        *checkpoint = found;
    return status;
}

/* ---- the folder of a run --------------------------------------------------------------------- */

/* Who holds the lock, for the message of who does not get it: a line of constant length, so that
 * nothing is left of a longer one. Where it cannot be written, the lock holds all the same. */
static void sign_lock(int fd)
{
    char host[64] = "", line[SIGNATURE_BYTES];
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    memset(line, ' ', sizeof line);
    int length = snprintf(line, sizeof line, "process %ld on %s", (long)getpid(), host);
    line[length] = ' ';
    line[sizeof line - 1] = '\n';
    ssize_t ignored = vdnn_outside_write(fd, line, sizeof line);
    (void)ignored;
}

static vdnn_status fail_locked(const char *path, int fd)
{
    char holder[SIGNATURE_BYTES + 1];
    ssize_t length = vdnn_outside_pread(fd, holder, SIGNATURE_BYTES, 0);
    while (length > 0 && (holder[length - 1] == ' ' || holder[length - 1] == '\n'))
        length--;
    holder[length < 0 ? 0 : length] = '\0';
    return vdnn_status_fail(VDNN_FILE,
                            "%s: another run writes checkpoints there%s%s; wait for its end, or "
                            "give another folder",
                            path, holder[0] == '\0' ? "" : ": ", holder);
}

static vdnn_status take_lock(vdnn_checkpoint_folder *folder)
{
    path_text path = {.text = ""};
    vdnn_status status = join(folder->path, LOCK, &path);
    if (status != VDNN_OK)
        return status;
    folder->lock = vdnn_outside_open(path.text, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (folder->lock < 0)
        return fail_system(path.text, "written");
    if (vdnn_outside_flock(folder->lock, LOCK_EX | LOCK_NB) == 0) {
        sign_lock(folder->lock);
        return VDNN_OK;
    }
    if (errno == EWOULDBLOCK)
        return fail_locked(folder->path, folder->lock);
    vdnn_messages_log(folder->messages, VDNN_LOG_WARN,
                      "%s: cannot be locked (%s): see to it that no second run writes there",
                      folder->path, strerror(errno));
    return VDNN_OK;
}

vdnn_status vdnn_checkpoint_folder_open(const char *path, int64_t keep,
                                        const vdnn_messages *messages,
                                        vdnn_checkpoint_folder **folder)
{
    vdnn_checkpoint_folder *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    vdnn_status status = VDNN_OK;
    VDNN_INVARIANT(keep, >, 0);
    if (fresh != NULL) {
        *fresh = (vdnn_checkpoint_folder){.path = vdnn_heap_strdup(path),
                                          .lock = -1,
                                          .keep = keep,
                                          .newest = -1,
                                          .messages = messages};
    }
    if (fresh == NULL || fresh->path == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    else if (vdnn_outside_mkdir(path, 0777) != 0 && errno != EEXIST)
        status = fail_system(path, "created");
    else
        status = take_lock(fresh);
    if (status == VDNN_OK)
        *folder = fresh;
    else
        vdnn_checkpoint_folder_close(fresh);
    return status;
}

void vdnn_checkpoint_folder_close(vdnn_checkpoint_folder *folder)
{
    if (folder == NULL)
        return;
    if (folder->lock >= 0)
        (void)vdnn_outside_close(folder->lock);
    vdnn_heap_free(folder->path);
    vdnn_heap_free(folder);
}

/* Whether a checkpoint lies in this folder, whatever its path is written like. */
static bool is_inside(const vdnn_checkpoint_folder *folder, const vdnn_checkpoint *checkpoint)
{
    path_text up = {.text = ""};
    struct stat here, there;
    return join(checkpoint->path, "..", &up) == VDNN_OK &&
           vdnn_outside_stat(folder->path, &here) == 0 && vdnn_outside_stat(up.text, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

static vdnn_status fail_foreign(const vdnn_checkpoint_folder *folder, const vdnn_checkpoint *base,
                                int64_t step)
{
    if (base == NULL)
        return vdnn_status_fail(VDNN_FILE,
                                "%s already holds checkpoints, as of step %lld: go on from them "
                                "(--resume auto), or give another folder",
                                folder->path, (long long)step);
    return vdnn_status_fail(VDNN_FILE,
                            "%s holds a checkpoint of step %lld, which does not lead to step %lld "
                            "of %s: give another folder, or remove what is newer",
                            folder->path, (long long)step, (long long)base->step, base->path);
}

/* Torn is what has no manifest, and what is not whole though it has one. VDNN_FILE where the step
 * is another run's. */
static vdnn_status find_torn(const vdnn_checkpoint_folder *folder, const vdnn_checkpoint *base,
                             int64_t step, bool *torn)
{
    path_text path = {.text = ""}, manifest = {.text = ""};
    vdnn_checkpoint *whole = NULL;
    vdnn_status status = join_step(folder->path, step, &path);
    if (status == VDNN_OK)
        status = join(path.text, MANIFEST, &manifest);
    if (status != VDNN_OK)
        return status;
    *torn = false;
    bool is_older = base != NULL && step <= base->step && is_inside(folder, base);
    if (is_older && (vdnn_outside_access(manifest.text, F_OK) == 0 || errno != ENOENT))
        return VDNN_OK;
    status = verify(path.text, &whole);
    if (status == VDNN_OK) {
        vdnn_checkpoint_close(whole);
        return fail_foreign(folder, base, step);
    }
    if (status != VDNN_BAD_INPUT)
        return status;
    *torn = true;
    return VDNN_OK;
}

vdnn_status vdnn_checkpoint_folder_begin(vdnn_checkpoint_folder *folder,
                                         const vdnn_checkpoint *base)
{
    step_list list = {0};
    size_t torn_count = 0; /* they come to the front */
    vdnn_status status = list_steps(folder->path, &list);
    for (size_t i = 0; i < list.count && status == VDNN_OK; i++) {
        bool torn = false;
        status = find_torn(folder, base, list.steps[i], &torn);
        if (torn)
            list.steps[torn_count++] = list.steps[i];
    }
    for (size_t i = 0; i < torn_count && status == VDNN_OK; i++)
        remove_or_warn(folder, list.steps[i]);
    vdnn_heap_free(list.steps);
    if (status == VDNN_OK && base != NULL && is_inside(folder, base))
        folder->newest = base->step;
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static vdnn_status describe(const vdnn_checkpoint_part *part, const vdnn_digest *digest,
                            json_t *files)
{
    char hash[HASH_DIGITS + 1];
    hash_text((XXH128_hash_t){.high64 = digest->high, .low64 = digest->low}, hash);
    json_t *entry = json_pack("{s:s, s:I, s:s}", "name", part->name, "bytes",
                              (json_int_t)digest->bytes, "xxh3_128", hash);
    if (entry == NULL || json_array_append_new(files, entry) != 0)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a manifest");
    return VDNN_OK;
}

/* Format and step before the facts, the files behind them, the digest of all that at the end. */
static vdnn_status print_manifest(int64_t step, json_t *facts, json_t *files, vdnn_text *text)
{
    char hash[HASH_DIGITS + 1];
    json_t *root = json_pack("{s:s, s:i, s:I}", "format", FORMAT, "format_version", FORMAT_VERSION,
                             "step", (json_int_t)step);
    char *dump = NULL;
    if (root != NULL && json_object_update_missing(root, facts) == 0 &&
        json_object_set(root, "files", files) == 0)
        dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    if (dump != NULL) {
        size_t body = strlen(dump) - strlen("\n}");
        hash_text(XXH3_128bits(dump, body), hash);
        vdnn_text_add(text, "%.*s" SEAL_HEAD "%s" SEAL_TAIL, (int)body, dump, hash);
    }
    free(dump);
    return dump == NULL || text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a "
                                                                           "manifest")
                                        : VDNN_OK;
}

static vdnn_status write_manifest(const char *folder, int64_t step, json_t *facts, json_t *files)
{
    path_text path = {.text = ""};
    vdnn_text text = {0};
    vdnn_output *output = NULL;
    vdnn_status status = join(folder, MANIFEST, &path);
    if (status == VDNN_OK)
        status = print_manifest(step, facts, files, &text);
    if (status == VDNN_OK)
        status = vdnn_output_create(path.text, &output);
    if (status == VDNN_OK) {
        status = vdnn_output_write(output, text.data, text.length);
        if (status == VDNN_OK)
            status = vdnn_output_commit(output);
        else
            vdnn_output_abandon(output);
    }
    vdnn_text_fini(&text);
    return status;
}

static vdnn_status write_files(const char *folder, int64_t step, json_t *facts,
                               const vdnn_checkpoint_part *parts, int part_count)
{
    json_t *files = json_array();
    vdnn_status status =
        files == NULL ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a manifest") : VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < part_count; i++) {
        path_text path = {.text = ""};
        vdnn_digest digest;
        status = join(folder, parts[i].name, &path);
        if (status == VDNN_OK)
            status = parts[i].write(parts[i].context, path.text, &digest);
        if (status == VDNN_OK)
            status = describe(&parts[i], &digest, files);
    }
    if (status == VDNN_OK)
        status = write_manifest(folder, step, facts, files);
    json_decref(files);
    return status;
}

static vdnn_status make_step_folder(const vdnn_checkpoint_folder *folder, const char *path)
{
    bool there = false;
    vdnn_status status = find_folder(path, &there);
    if (status == VDNN_OK && there)
        status = remove_checkpoint(path); /* of a write that failed and could not clean up */
    if (status == VDNN_OK && vdnn_outside_mkdir(path, 0777) != 0)
        status = fail_system(path, "created");
    return status == VDNN_OK ? sync_folder(folder->path) : status;
}

static void prune(const vdnn_checkpoint_folder *folder)
{
    step_list list = {0};
    if (list_steps(folder->path, &list) != VDNN_OK) {
        vdnn_messages_log(folder->messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
        return;
    }
    size_t keep = (size_t)folder->keep, excess = list.count > keep ? list.count - keep : 0;
    for (size_t i = 0; i < excess; i++)
        remove_or_warn(folder, list.steps[i]);
    vdnn_heap_free(list.steps);
}

vdnn_status vdnn_checkpoint_write(vdnn_checkpoint_folder *folder, int64_t step, json_t *facts,
                                  const vdnn_checkpoint_part *parts, int part_count)
{
    path_text path = {.text = ""};
    if (step == folder->newest)
        return VDNN_OK;
    vdnn_status status = join_step(folder->path, step, &path);
    if (status == VDNN_OK)
        status = make_step_folder(folder, path.text);
    if (status == VDNN_OK)
        status = write_files(path.text, step, facts, parts, part_count);
    if (status != VDNN_OK) {
        vdnn_text message = {0};
        vdnn_text_add(&message, "%s", vdnn_status_message());
        (void)remove_checkpoint(path.text);
        (void)vdnn_status_fail(status, "%s", message.failed ? "" : message.data);
        vdnn_text_fini(&message);
        return status;
    }
    folder->newest = step;
    prune(folder);
    return VDNN_OK;
}
