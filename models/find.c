#include "models/find.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINT_BYTES = 320, NAME_BYTES = 256 };

static const char SUFFIX[] = ".yaml";

/* The names of the files in some directories. */
typedef struct listing {
    char **names;
    size_t count, capacity;
} listing;

static void free_listing(listing *list)
{
    for (size_t i = 0; i < list->count; i++)
        vdnn_heap_free(list->names[i]);
    vdnn_heap_free(list->names);
}

/* `file` without ".yaml"; false if it does not end so, or without memory. */
static bool add_name(listing *list, const char *file)
{
    size_t length = strlen(file), suffix = strlen(SUFFIX);
    if (length <= suffix || strcmp(file + length - suffix, SUFFIX) != 0)
        return false;
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        char **names = vdnn_heap_realloc(list->names, capacity, sizeof *names);
        if (names == NULL)
            return false;
        list->names = names;
        list->capacity = capacity;
    }
    char *name = vdnn_heap_strdup(file);
    if (name == NULL)
        return false;
    name[length - suffix] = '\0';
    list->names[list->count++] = name;
    return true;
}

static void list_directory(listing *list, const char *directory, const char *folder)
{
    vdnn_text path = {0};
    vdnn_text_add(&path, "%s%s", directory, folder);
    DIR *open = path.failed ? NULL : vdnn_system_opendir(path.data);
    vdnn_text_fini(&path);
    if (open == NULL)
        return;
    for (struct dirent *entry = vdnn_system_readdir(open); entry != NULL;
         entry = vdnn_system_readdir(open))
        (void)add_name(list, entry->d_name);
    (void)vdnn_system_closedir(open);
}

static bool is_file(const char *path)
{
    struct stat found;
    return vdnn_system_stat(path, &found) == 0 && !S_ISDIR(found.st_mode);
}

/* The name as in a listing: without directory and suffix. */
static void strip(char *buffer, size_t size, const char *name)
{
    const char *slash = strrchr(name, '/');
    (void)snprintf(buffer, size, "%s", slash == NULL ? name : slash + 1);
    size_t length = strlen(buffer), suffix = strlen(SUFFIX);
    if (length > suffix && strcmp(buffer + length - suffix, SUFFIX) == 0)
        buffer[length - suffix] = '\0';
}

static int compare_names(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

/* Sorted, each once. */
static void add_sorted(listing *list, const char *before, const char *between, const char *after,
                       vdnn_text *names)
{
    if (list->count > 0)
        qsort(list->names, list->count, sizeof(char *), compare_names);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || strcmp(list->names[i - 1], list->names[i]) != 0)
            vdnn_text_add(names, "%s%s%s%s", i == 0 ? "" : between, before, list->names[i], after);
}

/* Of the directories those that have one, or all if none has. */
static vdnn_status refuse_name(const vdnn_find_what *what, const char *name,
                               const char *const *directories, size_t count)
{
    listing list = {0};
    vdnn_text places = {0}, all = {0}, names = {0};
    for (size_t i = 0; i < count; i++) {
        const size_t before = list.count;
        list_directory(&list, directories[i], what->folder);
        vdnn_text_add(&all, "%s%s%s", i == 0 ? "" : ", ", directories[i], what->folder);
        if (list.count > before)
            vdnn_text_add(&places, "%s%s%s", places.length == 0 ? "" : ", ", directories[i],
                          what->folder);
    }
    char bare[NAME_BYTES], hint[HINT_BYTES];
    strip(bare, sizeof bare, name);
    /* The nearest name may be equal: the file is elsewhere than the path says. */
    (void)vdnn_text_hint(hint, sizeof hint, bare, (const char *const *)list.names, list.count);
    add_sorted(&list, "", ", ", "", &names);
    vdnn_status status = vdnn_status_fail(
        VDNN_BAD_INPUT, "no %s '%.200s': neither a file nor one of the %ss in %s%s%s%s", what->one,
        name, what->one,
        places.length > 0 ? places.data
        : all.length > 0  ? all.data
                          : "(no directory)",
        hint, names.length > 0 ? ": " : "", names.length > 0 ? names.data : "");
    vdnn_text_fini(&places);
    vdnn_text_fini(&all);
    vdnn_text_fini(&names);
    free_listing(&list);
    return status;
}

vdnn_status vdnn_find_names(const vdnn_find_what *what, const char *prefix,
                            const char *const *directories, size_t count, vdnn_text *names)
{
    listing list = {0};
    for (size_t i = 0; i < count; i++)
        list_directory(&list, directories[i], what->folder);
    add_sorted(&list, prefix, "", "\n", names);
    free_listing(&list);
    return vdnn_text_status(names, "the names");
}

vdnn_status vdnn_find_file(const vdnn_find_what *what, const char *name,
                           const char *const *directories, size_t count, char **path)
{
    static const char *const suffixes[] = {"", SUFFIX};
    vdnn_text found = {0};
    if (is_file(name))
        vdnn_text_add(&found, "%s", name);
    for (size_t i = 0; i < 2 * count && found.length == 0 && !found.failed; i++) {
        vdnn_text candidate = {0};
        vdnn_text_add(&candidate, "%s%s/%s%s", directories[i / 2], what->folder, name,
                      suffixes[i % 2]);
        if (!candidate.failed && !is_file(candidate.data))
            vdnn_text_fini(&candidate);
        found = candidate;
    }
    if (found.failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to look for %s '%.200s'", what->one,
                                name);
    if (found.length == 0)
        return refuse_name(what, name, directories, count);
    *path = vdnn_heap_strdup(found.data);
    vdnn_text_fini(&found);
    if (*path == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to look for %s '%.200s'", what->one,
                                name);
    return VDNN_OK;
}
