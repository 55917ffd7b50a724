#include "layers/cuda/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 128, NO_VERSION = 0 };

/* The toolkit's folders, which are not always among the loader's. */
static const char *const folders[] = {"", "/usr/local/cuda/lib64/"};

/* Of every library's members that are not const; a table is written only until it was found. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* If a library exists but cannot be used, the first such error: the one of interest. */
static void note(char *found, size_t size, const char *name, const char *what, const char *detail)
{
    if (found[0] == '\0')
        (void)snprintf(found, size, "%s %s%s", name, what, detail);
}

static void *load(const char *name, char *found, size_t size)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *error = handle == NULL ? dlerror() : NULL;
    /* The loader's message begins with the missing file: this one, or one that it requires. */
    bool is_missing = error != NULL && strncmp(error, name, strlen(name)) == 0 &&
                      strstr(error, "No such file") != NULL;
    if (error != NULL && !is_missing)
        note(found, size, name, "cannot be loaded: ", error);
    return handle;
}

static bool take(vdnn_cuda_library *library, void *handle, const char *name, char *found,
                 size_t size)
{
    for (size_t i = 0; i < library->count; i++) {
        void *address = dlsym(handle, library->symbols[i]);
        if (address == NULL) {
            note(found, size, name, "has no function ", library->symbols[i]);
            return false;
        }
        memcpy((char *)library->table + i * sizeof address, &address, sizeof address);
    }
    int major = library->major();
    if (major >= library->oldest && major <= library->newest)
        return true;
    library->has_other_version = true;
    char text[32];
    (void)snprintf(text, sizeof text, "%d", major);
    note(found, size, name, "is of version ", text);
    return false;
}

/* A file without a version in its name is asked for its version. */
static bool try_version(vdnn_cuda_library *library, int version, char *found, size_t size)
{
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char name[NAME_BYTES], suffix[16] = "";
        if (version != NO_VERSION)
            (void)snprintf(suffix, sizeof suffix, ".%d", version);
        (void)snprintf(name, sizeof name, "%s%s%s", folders[i], library->file, suffix);
        void *handle = load(name, found, size);
        if (handle == NULL)
            continue;
        if (take(library, handle, name, found, size))
            return true;
        memset(library->table, 0, library->count * sizeof(void *));
        (void)dlclose(handle);
    }
    return false;
}

static bool look(vdnn_cuda_library *library)
{
    char found[256] = "";
    for (int version = library->newest; version >= library->oldest; version--)
        if (try_version(library, version, found, sizeof found))
            return true;
    if (try_version(library, NO_VERSION, found, sizeof found))
        return true;
    (void)snprintf(library->lack, sizeof library->lack,
                   "%s of version %d to %d was not found: %s; tried %s.%d to %s.%d and %s, also in "
                   "%s: install one of these versions, or put its folder into LD_LIBRARY_PATH",
                   library->title, library->oldest, library->newest,
                   found[0] == '\0' ? "there is no such file" : found, library->file,
                   library->newest, library->file, library->oldest, library->file, folders[1]);
    return false;
}

const char *vdnn_cuda_library_lack(vdnn_cuda_library *library)
{
    (void)pthread_mutex_lock(&lock);
    if (!library->was_looked_for)
        library->is_found = look(library);
    library->was_looked_for = true;
    bool is_found = library->is_found;
    (void)pthread_mutex_unlock(&lock);
    return is_found ? NULL : library->lack;
}

bool vdnn_cuda_library_has_other_version(vdnn_cuda_library *library)
{
    return vdnn_cuda_library_lack(library) != NULL && library->has_other_version;
}

void vdnn_cuda_library_give_up(vdnn_cuda_library *library, const char *reason)
{
    (void)pthread_mutex_lock(&lock);
    bool was_told = library->was_looked_for && !library->is_found;
    if (!was_told)
        (void)snprintf(library->lack, sizeof library->lack, "%s was found and cannot be used: %s",
                       library->title, reason);
    library->is_found = false;
    library->was_looked_for = true;
    (void)pthread_mutex_unlock(&lock);
}
