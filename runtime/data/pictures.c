/* Pictures without labels: those of a folder and of all folders in it, or one file. Files that are
 * no pictures by their names are left out. A picture that cannot be read ends nothing: why is
 * noted, and the network reads zeros in its place, so that all others of its batch are scored. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/data/folder.h"
#include "runtime/data/format.h"
#include "runtime/data/image/orientation.h"
#include "runtime/data/picture_file.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, MOST_DEEP = 64 };

typedef struct pictures {
    size_t name_begin; /* of a path: where the name of the picture begins */
    char **paths;      /* owned, as each is */
    size_t count, capacity;
    _Atomic(char *) *failures; /* owned, as each is; per picture why it could not be read */
    bool is_oriented;
} pictures;

static void pictures_close(void *state)
{
    pictures *set = state;
    for (size_t i = 0; i < set->count; i++) {
        vdnn_heap_free(set->paths[i]);
        if (set->failures != NULL)
            vdnn_heap_free(atomic_load(&set->failures[i]));
    }
    vdnn_heap_free(set->paths);
    vdnn_heap_free(set->failures);
    vdnn_heap_free(set);
}

static vdnn_status add_path(pictures *set, const char *path)
{
    if (set->count == set->capacity) {
        const size_t capacity = set->capacity == 0 ? FIRST_CAPACITY : 2 * set->capacity;
        char **grown = vdnn_heap_realloc(set->paths, capacity, sizeof *grown);
        if (grown == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %zu paths", path, capacity);
        set->paths = grown;
        set->capacity = capacity;
    }
    char *copy = vdnn_heap_strdup(path);
    if (copy == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for a path", path);
    set->paths[set->count++] = copy;
    return VDNN_OK;
}

/* In the order of the names, folders among them. A link may lead to a folder above it. */
static vdnn_status add_folder(pictures *set, const char *place, int depth)
{
    vdnn_folder folder = {0};
    char path[PATH_MAX];
    if (depth == MOST_DEEP)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: folders are more than %d deep", place,
                                (int)MOST_DEEP);
    VDNN_TRY(vdnn_folder_read(place, strcmp, &folder));
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < folder.count && status == VDNN_OK; i++) {
        const char *name = vdnn_folder_name(&folder, i);
        status = vdnn_folder_join(place, name, path, sizeof path);
        if (status == VDNN_OK && folder.entries[i].kind == VDNN_FOLDER_FOLDER)
            status = add_folder(set, path, depth + 1);
        else if (status == VDNN_OK && vdnn_picture_file_is_named(name))
            status = add_path(set, path);
    }
    vdnn_folder_fini(&folder);
    return status;
}

static vdnn_status list_pictures(pictures *set, const char *place)
{
    struct stat info;
    const char *slash = strrchr(place, '/');
    if (vdnn_system_stat(place, &info) == 0 && !S_ISDIR(info.st_mode)) {
        set->name_begin = slash == NULL ? 0 : (size_t)(slash - place) + 1;
        return add_path(set, place);
    }
    set->name_begin = strlen(place) + 1;
    VDNN_TRY(add_folder(set, place, 0));
    if (set->count == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: has no pictures by their names (.jpg, .jpeg or .png)", place);
    return VDNN_OK;
}

static vdnn_status pictures_open(const vdnn_dataset_request *request, const char *place,
                                 vdnn_dataset *dataset)
{
    pictures *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    vdnn_status status = vdnn_dataset_check_pictures(request);
    VDNN_IF_OK(status, list_pictures(set, place));
    VDNN_IF_OK(status, vdnn_dataset_check(place, set->count, &dataset->inputs[0].wanted));
    if (status == VDNN_OK) {
        set->failures = vdnn_heap_calloc(set->count, sizeof *set->failures);
        if (set->failures == NULL)
            status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %zu pictures", place,
                                      set->count);
    }
    if (status != VDNN_OK) {
        pictures_close(set);
        return status;
    }
    set->is_oriented = request->orient;
    dataset->count = set->count;
    dataset->inputs[0].stored = dataset->inputs[0].wanted; /* decoded to it */
    dataset->state = set;
    return VDNN_OK;
}

static vdnn_status decode(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                          float *pixels)
{
    const pictures *set = dataset->state;
    vdnn_image_file file = {.bytes = NULL};
    VDNN_TRY(vdnn_picture_file_read(set->paths[index], scratch, &file));
    const int orientation =
        set->is_oriented ? vdnn_orientation_find(file.bytes, file.size) : VDNN_ORIENTATION_UPRIGHT;
    return vdnn_image_decode(&file, &dataset->inputs[0].wanted, orientation, scratch, pixels);
}

static vdnn_status pictures_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                                 void *const *inputs, void *labels)
{
    const pictures *set = dataset->state;
    const vdnn_picture_size *size = &dataset->inputs[0].wanted;
    const vdnn_status status = decode(dataset, index, scratch, inputs[0]);
    (void)labels;
    if (status != VDNN_BAD_INPUT && status != VDNN_FILE)
        return status;
    char *why = vdnn_heap_strdup(vdnn_status_message()), *none = NULL;
    if (why == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for a message", set->paths[index]);
    if (!atomic_compare_exchange_strong(&set->failures[index], &none, why))
        vdnn_heap_free(why);
    memset(inputs[0], 0, (size_t)(size->channels * size->height * size->width) * sizeof(float));
    return VDNN_OK;
}

static const char *pictures_name(const vdnn_dataset *dataset, uint64_t index)
{
    const pictures *set = dataset->state;
    return set->paths[index] + set->name_begin;
}

static const char *pictures_failure(const vdnn_dataset *dataset, uint64_t index)
{
    const pictures *set = dataset->state;
    return atomic_load(&set->failures[index]);
}

const vdnn_dataset_format vdnn_pictures_format = {
    .kind = "pictures",
    .place = "DIR",
    .open = pictures_open,
    .read = pictures_read,
    .name = pictures_name,
    .failure = pictures_failure,
    .close = pictures_close,
};
