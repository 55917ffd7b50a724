#include "runtime/checkpoint/checkpoint.h"

#include "runtime/base/heap.h"
#include "runtime/base/nvtx.h"
#include "runtime/base/system.h"
#include "runtime/checkpoint/checkpoint_internal.h"
#include "runtime/checkpoint/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { SIGNATURE_BYTES = 100 };

#define LOCK "lock"

struct vdnn_checkpoint_folder {
    char *path;
    int lock;
    int64_t keep;
    int64_t newest; /* step of the newest complete checkpoint of this run; -1: none */
    const vdnn_messages *messages; /* borrowed */
};

/* ---- the folder of a run --------------------------------------------------------------------- */

/* Writes who holds the lock, for the message of a run that does not get it: a line of constant
 * length, so that nothing is left of a longer one. The lock holds even if this cannot be written.
 */
static void sign_lock(int fd)
{
    char host[64] = "", line[SIGNATURE_BYTES];
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    memset(line, ' ', sizeof line);
    int length = snprintf(line, sizeof line, "process %ld on %s", (long)getpid(), host);
    line[length] = ' ';
    line[sizeof line - 1] = '\n';
    ssize_t ignored = vdnn_system_write(fd, line, sizeof line);
    (void)ignored;
}

static vdnn_status fail_locked(const char *path, int fd)
{
    char holder[SIGNATURE_BYTES + 1];
    ssize_t length = vdnn_system_pread(fd, holder, SIGNATURE_BYTES, 0);
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
    vdnn_checkpoint_path path = {.text = ""};
    VDNN_TRY(vdnn_checkpoint_join(folder->path, LOCK, &path));
    folder->lock = vdnn_system_open(path.text, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (folder->lock < 0)
        return vdnn_checkpoint_fail(path.text, "written");
    if (vdnn_system_flock(folder->lock, LOCK_EX | LOCK_NB) == 0) {
        sign_lock(folder->lock);
        return VDNN_OK;
    }
    if (errno == EWOULDBLOCK)
        return fail_locked(folder->path, folder->lock);
    vdnn_messages_log(folder->messages, VDNN_LOG_WARN,
                      "%s: cannot be locked (%s): make sure that no second run writes there",
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
    else if (vdnn_system_mkdir(path, 0777) != 0 && errno != EEXIST)
        status = vdnn_checkpoint_fail(path, "created");
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
        (void)vdnn_system_close(folder->lock);
    vdnn_heap_free(folder->path);
    vdnn_heap_free(folder);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* Whether it was a whole checkpoint once: its manifest is written last, and removed first. What a
 * link leads to may only be on a disk that is not there. */
static bool was_whole(const char *path)
{
    vdnn_checkpoint_path manifest = {.text = ""};
    return vdnn_checkpoint_is_link(path) ||
           (vdnn_checkpoint_join(path, VDNN_CHECKPOINT_MANIFEST, &manifest) == VDNN_OK &&
            vdnn_system_access(manifest.text, F_OK) == 0);
}

/* Of a checkpoint that is useless for this reason, which is this thread's message. */
static void skip(const vdnn_checkpoint_folder *folder, const char *path, vdnn_status reason,
                 vdnn_first_error *damaged)
{
    vdnn_messages_log(folder->messages, VDNN_LOG_WARN, "%s is skipped%s: %s", path,
                      reason == VDNN_DIVERGED ? "" : ", being incomplete", vdnn_status_message());
    if (was_whole(path))
        vdnn_first_error_keep(damaged, VDNN_FILE);
}

/* Incomplete, or of a training that had diverged. */
static bool is_useless(vdnn_status verified)
{
    return verified == VDNN_BAD_INPUT || verified == VDNN_DIVERGED;
}

vdnn_status vdnn_checkpoint_newest(const vdnn_checkpoint_folder *folder,
                                   vdnn_checkpoint **checkpoint)
{
    vdnn_checkpoint_list list = {0};
    vdnn_checkpoint *found = NULL;
    vdnn_first_error damaged = {VDNN_OK, ""};
    vdnn_status status = vdnn_checkpoint_list_steps(folder->path, true, &list);
    for (size_t i = list.count; status == VDNN_OK && found == NULL && i-- > 0;) {
        vdnn_checkpoint_path path = {.text = ""};
        status = vdnn_checkpoint_join_step(folder->path, list.steps[i], &path);
        VDNN_IF_OK(status, vdnn_checkpoint_verify(path.text, &found));
        if (!is_useless(status))
            continue;
        skip(folder, path.text, status, &damaged);
        status = VDNN_OK;
    }
    vdnn_heap_free(list.steps);
    if (status == VDNN_OK && found == NULL && damaged.status != VDNN_OK)
        return vdnn_status_fail(VDNN_FILE,
                                "%s has checkpoints, and none of them can be used: %s; repair or "
                                "remove them, or give another folder, to start from the beginning",
                                folder->path, damaged.message);
    if (status == VDNN_OK)
        *checkpoint = found;
    return status;
}

/* ---- removing -------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The files of a write, and the temporary files of an interrupted one. */
static bool is_ours(const char *name)
{
    return ends_with(name, VDNN_MANIFEST_FILE_END) || strcmp(name, VDNN_CHECKPOINT_MANIFEST) == 0 ||
           strcmp(name, VDNN_CHECKPOINT_KEPT) == 0 || strstr(name, ".tmp-") != NULL;
}

/* Removes the manifest first, so that a partly removed checkpoint does not look complete. Other
 * files stay, and the folder with them. */
static vdnn_status remove_checkpoint(const char *path)
{
    vdnn_checkpoint_path file = {.text = ""};
    vdnn_status status = vdnn_checkpoint_join(path, VDNN_CHECKPOINT_MANIFEST, &file);
    if (status != VDNN_OK)
        return status;
    if (vdnn_system_unlink(file.text) != 0 && errno != ENOENT)
        return vdnn_checkpoint_fail(file.text, "removed");
    DIR *folder = vdnn_system_opendir(path);
    if (folder == NULL)
        return vdnn_checkpoint_fail(path, "removed");
    for (const struct dirent *entry;
         status == VDNN_OK && (entry = vdnn_system_readdir(folder)) != NULL;) {
        if (!is_ours(entry->d_name))
            continue;
        status = vdnn_checkpoint_join(path, entry->d_name, &file);
        if (status == VDNN_OK && vdnn_system_unlink(file.text) != 0 && errno != ENOENT)
            status = vdnn_checkpoint_fail(file.text, "removed");
    }
    (void)vdnn_system_closedir(folder);
    if (status == VDNN_OK && vdnn_system_rmdir(path) != 0)
        status = vdnn_checkpoint_fail(path, "removed");
    return status;
}

static void remove_or_warn(const vdnn_checkpoint_folder *folder, int64_t step)
{
    vdnn_checkpoint_path path = {.text = ""};
    vdnn_status status = vdnn_checkpoint_join_step(folder->path, step, &path);
    if (status == VDNN_OK && !vdnn_checkpoint_is_link(path.text))
        status = remove_checkpoint(path.text);
    if (status != VDNN_OK)
        vdnn_messages_log(folder->messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool is_same_folder(const char *one, const char *other)
{
    struct stat a, b;
    return vdnn_system_stat(one, &a) == 0 && vdnn_system_stat(other, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The folder above what a link leads to is another one than that of the link. */
bool vdnn_checkpoint_is_in(const vdnn_checkpoint *checkpoint, const char *folder)
{
    vdnn_checkpoint_path up = {.text = ""};
    if (vdnn_checkpoint_join(checkpoint->path, "..", &up) != VDNN_OK)
        return false;
    if (is_same_folder(up.text, folder))
        return true;
    (void)snprintf(up.text, sizeof up.text, "%s", checkpoint->path);
    char *slash = strrchr(up.text, '/');
    if (slash != NULL)
        slash[slash == up.text] = '\0';
    return is_same_folder(slash == NULL ? "." : up.text, folder);
}

static vdnn_status fail_foreign(const vdnn_checkpoint_folder *folder, const vdnn_checkpoint *base,
                                int64_t step)
{
    if (base == NULL)
        return vdnn_status_fail(VDNN_FILE,
                                "%s already holds checkpoints, up to step %lld: resume from them "
                                "(--resume auto), or give another folder",
                                folder->path, (long long)step);
    if (!vdnn_checkpoint_is_in(base, folder->path))
        return vdnn_status_fail(VDNN_FILE,
                                "%s holds a checkpoint of step %lld, which does not lead to step "
                                "%lld of %s: if it is of a run that has resumed from that, resume "
                                "it (--resume auto), else give another folder",
                                folder->path, (long long)step, (long long)base->step, base->path);
    return vdnn_status_fail(VDNN_FILE,
                            "%s holds a checkpoint of step %lld, which does not lead to step %lld "
                            "of %s: give another folder, or remove what is newer",
                            folder->path, (long long)step, (long long)base->step, base->path);
}

/* A checkpoint is torn if it has no manifest, is incomplete in spite of one, or has values that are
 * not finite. VDNN_FILE if the step is another run's. */
static vdnn_status find_torn(const vdnn_checkpoint_folder *folder, const vdnn_checkpoint *base,
                             int64_t step, bool *torn)
{
    vdnn_checkpoint_path path = {.text = ""}, manifest = {.text = ""};
    vdnn_checkpoint *whole = NULL;
    vdnn_status status = vdnn_checkpoint_join_step(folder->path, step, &path);
    VDNN_IF_OK(status, vdnn_checkpoint_join(path.text, VDNN_CHECKPOINT_MANIFEST, &manifest));
    if (status != VDNN_OK)
        return status;
    *torn = false;
    bool is_older = base != NULL && step <= base->step && vdnn_checkpoint_is_in(base, folder->path);
    if (is_older && (vdnn_system_access(manifest.text, F_OK) == 0 || errno != ENOENT))
        return VDNN_OK;
    status = vdnn_checkpoint_verify(path.text, &whole);
    if (status == VDNN_OK) {
        vdnn_checkpoint_close(whole);
        return fail_foreign(folder, base, step);
    }
    if (!is_useless(status))
        return status;
    *torn = true;
    return VDNN_OK;
}

vdnn_status vdnn_checkpoint_folder_begin(vdnn_checkpoint_folder *folder,
                                         const vdnn_checkpoint *base)
{
    vdnn_checkpoint_list list = {0};
    vdnn_status status = vdnn_checkpoint_list_steps(folder->path, true, &list);
    size_t first_torn = list.count;                              /* they come to the end */
    for (size_t i = list.count; i-- > 0 && status == VDNN_OK;) { /* the newest is named */
        bool torn = false;
        status = find_torn(folder, base, list.steps[i], &torn);
        if (torn)
            list.steps[--first_torn] = list.steps[i];
    }
    for (size_t i = first_torn; i < list.count && status == VDNN_OK; i++)
        remove_or_warn(folder, list.steps[i]);
    vdnn_heap_free(list.steps);
    if (status == VDNN_OK && base != NULL && vdnn_checkpoint_is_in(base, folder->path))
        folder->newest = base->step;
    return status;
}

vdnn_status vdnn_checkpoint_folder_growth(const vdnn_checkpoint_folder *folder, int64_t writes,
                                          int64_t *most)
{
    vdnn_checkpoint_list list = {0};
    vdnn_status status = vdnn_checkpoint_list_steps(folder->path, false, &list);
    const int64_t there = (int64_t)list.count,
                  spare = folder->keep > there ? folder->keep - there : 0;
    vdnn_heap_free(list.steps);
    *most = writes <= spare ? writes : spare + 1;
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Some file systems cannot synchronize a folder and return EINVAL. */
static vdnn_status sync_folder(const char *path)
{
    int fd = vdnn_system_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    int error = fd < 0 ? errno : vdnn_system_fsync(fd) != 0 ? errno : 0;
    if (fd >= 0)
        (void)vdnn_system_close(fd);
    errno = error;
    return error == 0 || error == EINVAL ? VDNN_OK : vdnn_checkpoint_fail(path, "synchronized");
}

/* Keeps none that could not be read again. */
static vdnn_status print_manifest(const char *path, int64_t step, json_t *facts, json_t *files,
                                  vdnn_text *text)
{
    json_t *again = NULL;
    vdnn_status status = vdnn_manifest_print(step, facts, files, text);
    VDNN_IF_OK(status, vdnn_manifest_parse(text->data, text->length, path, &again));
    json_decref(again);
    return status;
}

static vdnn_status write_manifest(const char *folder, int64_t step, json_t *facts, json_t *files)
{
    vdnn_checkpoint_path path = {.text = ""};
    vdnn_text text = {0};
    vdnn_output *output = NULL;
    vdnn_status status = vdnn_checkpoint_join(folder, VDNN_CHECKPOINT_MANIFEST, &path);
    VDNN_IF_OK(status, print_manifest(path.text, step, facts, files, &text));
    VDNN_IF_OK(status, vdnn_output_create(path.text, &output));
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
        vdnn_checkpoint_path path = {.text = ""};
        vdnn_digest digest;
        status = vdnn_checkpoint_join(folder, parts[i].name, &path);
        VDNN_IF_OK(status, parts[i].write(parts[i].context, path.text, &digest));
        VDNN_IF_OK(status, vdnn_manifest_describe(parts[i].name, &digest, files));
    }
    VDNN_IF_OK(status, write_manifest(folder, step, facts, files));
    json_decref(files);
    return status;
}

static vdnn_status make_step_folder(const vdnn_checkpoint_folder *folder, const char *path)
{
    bool there = false;
    vdnn_status status = vdnn_checkpoint_find_folder(path, &there);
    if (status == VDNN_OK && there)
        status = remove_checkpoint(path); /* of a write that failed and could not be cleaned up */
    if (status == VDNN_OK && vdnn_system_mkdir(path, 0777) != 0)
        status = vdnn_checkpoint_fail(path, "created");
    return status == VDNN_OK ? sync_folder(folder->path) : status;
}

static bool is_kept(const vdnn_checkpoint_folder *folder, int64_t step)
{
    vdnn_checkpoint_path path = {.text = ""}, mark = {.text = ""};
    return vdnn_checkpoint_join_step(folder->path, step, &path) == VDNN_OK &&
           vdnn_checkpoint_join(path.text, VDNN_CHECKPOINT_KEPT, &mark) == VDNN_OK &&
           vdnn_system_access(mark.text, F_OK) == 0;
}

vdnn_status vdnn_checkpoint_keep_newest(const vdnn_checkpoint_folder *folder, const char *why,
                                        int64_t *step)
{
    vdnn_checkpoint_path path = {.text = ""}, mark = {.text = ""};
    vdnn_output *output = NULL;
    *step = folder->newest;
    if (folder->newest < 0)
        return VDNN_OK;
    vdnn_status status = vdnn_checkpoint_join_step(folder->path, folder->newest, &path);
    VDNN_IF_OK(status, vdnn_checkpoint_join(path.text, VDNN_CHECKPOINT_KEPT, &mark));
    VDNN_IF_OK(status, vdnn_output_create(mark.text, &output));
    VDNN_IF_OK(status, vdnn_output_write(output, why, strlen(why)));
    if (status == VDNN_OK)
        return vdnn_output_commit(output);
    vdnn_output_abandon(output);
    return status;
}

/* The name of a step's folder, which is what the link has. */
static const char *name_in(const vdnn_checkpoint_path *path)
{
    return strrchr(path->text, '/') + 1;
}

bool vdnn_checkpoint_is_best(const vdnn_checkpoint_folder *folder, int64_t step)
{
    vdnn_checkpoint_path link = {.text = ""}, path = {.text = ""}, manifest = {.text = ""};
    char to[NAME_MAX + 1] = "";
    return vdnn_checkpoint_join(folder->path, VDNN_CHECKPOINT_BEST, &link) == VDNN_OK &&
           vdnn_checkpoint_join_step(folder->path, step, &path) == VDNN_OK &&
           vdnn_checkpoint_join(path.text, VDNN_CHECKPOINT_MANIFEST, &manifest) == VDNN_OK &&
           vdnn_system_readlink(link.text, to, sizeof to - 1) > 0 &&
           strcmp(to, name_in(&path)) == 0 && vdnn_system_access(manifest.text, F_OK) == 0;
}

static void prune(const vdnn_checkpoint_folder *folder)
{
    vdnn_checkpoint_list list = {0};
    if (vdnn_checkpoint_list_steps(folder->path, false, &list) != VDNN_OK) {
        vdnn_messages_log(folder->messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
        return;
    }
    int64_t left = folder->keep;
    for (size_t i = list.count; i-- > 0;)
        if (!is_kept(folder, list.steps[i]) && !vdnn_checkpoint_is_best(folder, list.steps[i]) &&
            left-- <= 0)
            remove_or_warn(folder, list.steps[i]);
    vdnn_heap_free(list.steps);
}

/* The link changes at once, so that there is a best one whenever the process stops. */
vdnn_status vdnn_checkpoint_keep_best(const vdnn_checkpoint_folder *folder)
{
    vdnn_checkpoint_path path = {.text = ""}, link = {.text = ""}, fresh = {.text = ""};
    VDNN_INVARIANT(folder->newest, >=, 0);
    VDNN_TRY(vdnn_checkpoint_join_step(folder->path, folder->newest, &path));
    VDNN_TRY(vdnn_checkpoint_join(folder->path, VDNN_CHECKPOINT_BEST, &link));
    VDNN_TRY(vdnn_checkpoint_join(folder->path, VDNN_CHECKPOINT_BEST ".tmp", &fresh));
    (void)vdnn_system_unlink(fresh.text); /* of a process that was killed */
    if (vdnn_system_symlink(name_in(&path), fresh.text) != 0 ||
        vdnn_system_rename(fresh.text, link.text) != 0)
        return vdnn_checkpoint_fail(link.text, "made a link to the best checkpoint");
    VDNN_TRY(sync_folder(folder->path));
    prune(folder);
    return VDNN_OK;
}

static vdnn_status write_traced(const char *path, int64_t step, json_t *facts,
                                const vdnn_checkpoint_part *parts, int part_count)
{
    vdnn_nvtx_begin(VDNN_NVTX_IO, "write checkpoint", 0);
    vdnn_status status = write_files(path, step, facts, parts, part_count);
    vdnn_nvtx_end();
    return status;
}

vdnn_status vdnn_checkpoint_write(vdnn_checkpoint_folder *folder, int64_t step, json_t *facts,
                                  const vdnn_checkpoint_part *parts, int part_count)
{
    vdnn_checkpoint_path path = {.text = ""};
    if (step == folder->newest)
        return VDNN_OK;
    vdnn_status status = vdnn_checkpoint_join_step(folder->path, step, &path);
    VDNN_IF_OK(status, make_step_folder(folder, path.text));
    VDNN_IF_OK(status, write_traced(path.text, step, facts, parts, part_count));
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
