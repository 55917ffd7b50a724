#include "runtime/setup/profile_cache.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/base/text.h"
#include "runtime/measure/stored_rows.h"
#include "runtime/profile/profile_store.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

struct vdnn_profile_cache {
    char path[PATH_MAX];
    size_t folder_length;
    vdnn_profile_store *store;     /* borrowed */
    const vdnn_messages *messages; /* borrowed */
    size_t saved_count;            /* of the rows measured so far */
    bool is_checked;
    bool has_failed;  /* to save: one warning is enough */
    bool replaces;    /* the file's rows do not hold: they are not to be kept */
    bool has_changed; /* since they have other times than the device has now */
};

/* ---- reading --------------------------------------------------------------------------------- */

/* What is wrong with the file matters to few, and is mended by the next save; of a folder that is
 * not the user's only saving need warn. */
static void read_rows(vdnn_profile_cache *cache)
{
    bool stale = false;
    vdnn_status status = vdnn_profile_store_read(cache->store, cache->path, &stale);
    if (status == VDNN_OK && !stale)
        return;
    vdnn_messages_log(cache->messages, VDNN_LOG_DEBUG, "%s", vdnn_status_message());
    if (status != VDNN_FILE)
        vdnn_messages_log(cache->messages, VDNN_LOG_WARN,
                          "the cached profile %s cannot be used: it is measured again and replaced",
                          cache->path);
    cache->replaces = true;
}

vdnn_status vdnn_profile_cache_open(const char *folder, const char *key, vdnn_profile_store *store,
                                    const vdnn_messages *messages, vdnn_profile_cache **cache)
{
    vdnn_profile_cache *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the cache of profiles");
    made->store = store;
    made->messages = messages;
    made->folder_length = strlen(folder);
    uint64_t hash = XXH3_64bits(key, strlen(key));
    int length = snprintf(made->path, sizeof made->path, "%s/profile-%016" PRIx64, folder, hash);
    if (length < 0 || (size_t)length >= sizeof made->path) {
        vdnn_messages_log(messages, VDNN_LOG_WARN,
                          "no profile is cached: the path of the folder "
                          "is too long");
        vdnn_heap_free(made);
        made = NULL;
    } else
        read_rows(made);
    *cache = made;
    return VDNN_OK;
}

void vdnn_profile_cache_close(vdnn_profile_cache *cache)
{
    vdnn_heap_free(cache);
}

/* ---- whether it holds ------------------------------------------------------------------------ */

static void tell_check(const vdnn_profile_cache *cache, const vdnn_stored_rows *check)
{
    if (vdnn_stored_rows_hold(check))
        vdnn_messages_log(cache->messages, VDNN_LOG_DEBUG,
                          "cached profile: measured again, %d of its times are %.2f to %.2f x as "
                          "long: they are used; --no-cache measures all",
                          (int)check->count, check->ratios[0], check->ratios[check->count - 1]);
    else
        vdnn_messages_log(cache->messages, VDNN_LOG_INFO,
                          "cached profile: measured again, %d of its times %s %.2f x as long, more "
                          "than a factor of %.1f apart: all are measured again",
                          (int)check->count, check->count == 1 ? "is" : "are",
                          vdnn_stored_rows_ratio(check), VDNN_STORED_ROWS_FACTOR);
}

vdnn_status vdnn_profile_cache_check(vdnn_profile_cache *cache, const vdnn_graph *graph,
                                     vdnn_device *device, bool looks,
                                     const vdnn_measure_observer *observer)
{
    vdnn_stored_rows check;
    if (cache == NULL || cache->is_checked)
        return VDNN_OK;
    VDNN_TRY(vdnn_stored_rows_check(graph, device, cache->store, observer, &check));
    cache->is_checked = true;
    if (check.count == 0) {
        if (!looks)
            vdnn_profile_store_clear_rates(cache->store);
        return VDNN_OK;
    }
    tell_check(cache, &check);
    if (!vdnn_stored_rows_hold(&check)) {
        vdnn_profile_store_clear(cache->store);
        cache->replaces = true;
        cache->has_changed = true;
    }
    return VDNN_OK;
}

/* The fastest row of the same pass; 0 seconds: there is none. */
static vdnn_profile_row fastest_like(const vdnn_profile_store *store, const vdnn_profile_row *of)
{
    vdnn_profile_row fastest = {.algorithm = ""};
    for (size_t i = 0; i < vdnn_profile_store_row_count(store); i++) {
        const vdnn_profile_row row = vdnn_profile_store_row(store, i);
        if (row.pass == of->pass && row.batch == of->batch &&
            strcmp(row.signature, of->signature) == 0 &&
            (fastest.seconds <= 0 || row.seconds < fastest.seconds))
            fastest = row;
    }
    return fastest;
}

/* What measuring again has changed, while the file has the times from before. */
static void tell_change(vdnn_profile_cache *cache)
{
    vdnn_profile_store *old = NULL;
    double before_seconds = 0, seconds = 0;
    size_t passes = 0, others = 0;
    if (!cache->has_changed || vdnn_profile_store_open(cache->path, &old) != VDNN_OK)
        return;
    for (size_t i = 0; i < vdnn_profile_store_row_count(cache->store); i++) {
        const vdnn_profile_row row = vdnn_profile_store_row(cache->store, i),
                               now = fastest_like(cache->store, &row),
                               before = fastest_like(old, &row);
        if (before.seconds <= 0 || strcmp(now.algorithm, row.algorithm) != 0)
            continue;
        passes++;
        others += strcmp(now.algorithm, before.algorithm) != 0;
        before_seconds += before.seconds;
        seconds += now.seconds;
    }
    if (passes > 0)
        vdnn_messages_log(
            cache->messages, VDNN_LOG_INFO,
            "measured again: the fastest algorithms take %.2f x as long together, and %zu of %zu "
            "passes now %s another one; plans are made by these times",
            seconds / before_seconds, others, passes, others == 1 ? "has" : "have");
    vdnn_profile_store_destroy(old);
    cache->has_changed = false;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Also those that it is in, for its owner alone. That one is there already is no failure, whatever
 * the system says of making it. */
static vdnn_status make_folder(const vdnn_profile_cache *cache)
{
    char path[PATH_MAX];
    int error = 0;
    (void)snprintf(path, sizeof path, "%s", cache->path);
    for (size_t i = 1; i <= cache->folder_length; i++)
        if (path[i] == '/') {
            path[i] = '\0';
            error = vdnn_system_mkdir(path, 0700) == 0 ? 0 : errno;
            if (error != 0 && vdnn_system_access(path, F_OK) != 0)
                return vdnn_status_fail(VDNN_FILE, "%s: cannot be created: %s", path,
                                        strerror(error));
            path[i] = '/';
        }
    return VDNN_OK;
}

void vdnn_profile_cache_save(vdnn_profile_cache *cache)
{
    size_t count = cache == NULL ? 0 : vdnn_profile_store_measured_count(cache->store);
    if (cache == NULL || cache->has_failed || count == cache->saved_count)
        return;
    tell_change(cache);
    vdnn_status status = make_folder(cache);
    VDNN_IF_OK(status, cache->replaces ? vdnn_profile_store_write(cache->store, cache->path)
                                       : vdnn_profile_store_write_over(cache->store, cache->path));
    cache->saved_count = count;
    cache->has_failed = status != VDNN_OK;
    cache->replaces = cache->replaces && cache->has_failed;
    if (cache->has_failed)
        vdnn_messages_log(cache->messages, VDNN_LOG_WARN,
                          "not cached: %s; set XDG_CACHE_HOME to a folder that can be written, or "
                          "give --no-cache",
                          vdnn_status_message());
}
