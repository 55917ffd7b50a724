/* images: a folder for each class, JPEG or PNG pictures in it. Classes are the names of the folders
 * in order, pictures follow in the order of their names, class after class.
 *
 *     DIR/train/cat/1.jpeg          DIR/cat/1.jpeg
 *     DIR/train/dog/7.png     or    DIR/dog/7.png       (one part for both)
 *     DIR/test/cat/3.jpeg
 *
 * DIR has parts if it has a folder `train` that has folders; then the test part is `test`, or
 * `val`. Files next to the folders of classes are ignored, files in them must be pictures.
 */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/base/text.h"
#include "runtime/data/folder.h"
#include "runtime/data/format.h"
#include "runtime/data/image/image.h"
#include "runtime/data/picture_file.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#define KIND "images"

enum { LISTED = 5, MOST_LOOKED_AT = 1000, WORD_BITS = 64 };

/* Some pictures of a set, a bit for each, and how many they are. */
typedef struct marks {
    _Atomic uint64_t *words;
    _Atomic uint64_t count;
} marks;

typedef struct images {
    char root[PATH_MAX];
    vdnn_folder classes;   /* folders only */
    vdnn_folder *pictures; /* of each class: files only */
    uint64_t *first;       /* (classes + 1): the index of each class's first picture */
    bool is_oriented;      /* pictures are turned */
    marks seen, turned;    /* those that were read so far; those with another orientation */
} images;

/* ---- the parts of a set ---------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat info;
    return vdnn_system_stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static vdnn_status find_folders(const char *path, bool *found)
{
    vdnn_folder folder = {0};
    VDNN_TRY(vdnn_folder_read(path, strcmp, &folder));
    *found = false;
    for (size_t i = 0; i < folder.count; i++)
        *found = *found || folder.entries[i].kind == VDNN_FOLDER_FOLDER;
    vdnn_folder_fini(&folder);
    return VDNN_OK;
}

/* Writes the folder of the test part of `place`; false: there is none. */
static bool find_test(const char *place, char path[PATH_MAX])
{
    static const char *const names[] = {"test", "val"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (vdnn_folder_join(place, names[i], path, PATH_MAX) == VDNN_OK && is_folder(path))
            return true;
    return false;
}

vdnn_status vdnn_images_find_part(const char *place, vdnn_split split, char path[PATH_MAX],
                                  bool *has_parts)
{
    vdnn_status status = vdnn_folder_join(place, "train", path, PATH_MAX);
    bool found = false;
    if (status == VDNN_OK && is_folder(path))
        status = find_folders(path, &found);
    if (status != VDNN_OK)
        return status;
    *has_parts = found;
    if (!found)
        (void)memcpy(path, place, strlen(place) + 1);
    else if (split == VDNN_SPLIT_TEST && !find_test(place, path))
        return vdnn_status_fail(VDNN_FILE, "%s: has a folder train, but neither test nor val",
                                place);
    return VDNN_OK;
}

static bool images_has_test(const char *place)
{
    char path[PATH_MAX];
    bool has_parts;
    return vdnn_images_find_part(place, VDNN_SPLIT_TRAIN, path, &has_parts) == VDNN_OK &&
           has_parts && find_test(place, path);
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Keeps the entries of `folder` of this kind. */
static void keep_kind(vdnn_folder *folder, vdnn_folder_kind kind)
{
    size_t kept = 0;
    for (size_t i = 0; i < folder->count; i++)
        if (folder->entries[i].kind == kind)
            folder->entries[kept++] = folder->entries[i];
    folder->count = kept;
}

/* An entry that is neither a file nor a folder may be a broken link to a folder. */
static vdnn_status refuse_others(const char *root, const vdnn_folder *folder)
{
    char path[PATH_MAX];
    struct stat info;
    for (size_t i = 0; i < folder->count; i++) {
        if (folder->entries[i].kind != VDNN_FOLDER_OTHER)
            continue;
        VDNN_TRY(vdnn_folder_join(root, vdnn_folder_name(folder, i), path, sizeof path));
        if (vdnn_system_stat(path, &info) != 0)
            return vdnn_status_fail(VDNN_FILE, "%s: %s", path, strerror(errno));
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is neither a file nor a folder", path);
    }
    return VDNN_OK;
}

static vdnn_status read_classes(const char *root, vdnn_folder *classes)
{
    vdnn_status status = vdnn_folder_read(root, strcmp, classes);
    VDNN_IF_OK(status, refuse_others(root, classes));
    if (status != VDNN_OK)
        return status;
    keep_kind(classes, VDNN_FOLDER_FOLDER);
    if (classes->count == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: has no folders; expected one for each class, with its "
                                "pictures in it",
                                root);
    return VDNN_OK;
}

static vdnn_status check_class_count(const images *set, int64_t classes)
{
    const vdnn_folder *found = &set->classes;
    if (classes == 0 || found->count == (uint64_t)classes)
        return VDNN_OK;
    vdnn_text list = {0};
    for (size_t i = 0; i < found->count && i < LISTED; i++)
        vdnn_text_add(&list, "%s%s", i > 0 ? ", " : "", vdnn_folder_name(found, i));
    vdnn_status status = vdnn_status_fail(
        VDNN_BAD_INPUT,
        "%s: has %zu folder%s of classes (%s%s), but the network has %lld classes; its key "
        "`classes` and the `out` of its last layer must say how many there are",
        set->root, found->count, found->count == 1 ? "" : "s", list.failed ? "" : list.data,
        found->count > LISTED ? ", ..." : "", (long long)classes);
    vdnn_text_fini(&list);
    return status;
}

/* Two sorted lists of names must be equal. */
static vdnn_status compare_classes(const images *set, const char *trained_root,
                                   const vdnn_folder *trained)
{
    const vdnn_folder *found = &set->classes;
    for (size_t i = 0; i < trained->count || i < found->count; i++) {
        int order = i == trained->count ? -1
                    : i == found->count
                        ? 1
                        : strcmp(vdnn_folder_name(found, i), vdnn_folder_name(trained, i));
        if (order > 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: has no folder '%s', which is a class of %s", set->root,
                                    vdnn_folder_name(trained, i), trained_root);
        if (order < 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: has a folder '%s', which is not a class of %s", set->root,
                                    vdnn_folder_name(found, i), trained_root);
    }
    return VDNN_OK;
}

/* The classes of a test part must be those of the training part. */
static vdnn_status check_trained(const images *set, const vdnn_dataset_request *request)
{
    char root[PATH_MAX];
    bool has_parts;
    const char *trained_on = request->trained_on;
    size_t prefix = strlen(KIND ":");
    if (request->split != VDNN_SPLIT_TEST || trained_on == NULL ||
        strncmp(trained_on, KIND ":", prefix) != 0)
        return VDNN_OK;
    vdnn_folder trained = {0};
    vdnn_status status =
        vdnn_images_find_part(trained_on + prefix, VDNN_SPLIT_TRAIN, root, &has_parts);
    VDNN_IF_OK(status, read_classes(root, &trained));
    VDNN_IF_OK(status, compare_classes(set, root, &trained));
    vdnn_folder_fini(&trained);
    return status;
}

/* ---- pictures -------------------------------------------------------------------------------- */

static vdnn_status check_pictures(const images *set, size_t class, const char *path)
{
    const vdnn_folder *pictures = &set->pictures[class];
    VDNN_TRY(refuse_others(path, pictures));
    for (size_t i = 0; i < pictures->count; i++) {
        const char *name = vdnn_folder_name(pictures, i);
        if (pictures->entries[i].kind == VDNN_FOLDER_FOLDER)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s/%s: is a folder, where the pictures of class '%s' are "
                                    "expected; folders of classes are looked for in %s",
                                    path, name, vdnn_folder_name(&set->classes, class), set->root);
        if (!vdnn_picture_file_is_named(name))
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s/%s: is not a picture by its name (.jpg, .jpeg or .png); "
                                    "take it out of the folder of the class",
                                    path, name);
    }
    if (pictures->count == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has no pictures, expected at least one", path);
    return VDNN_OK;
}

static vdnn_status list_pictures(images *set)
{
    size_t count = set->classes.count;
    set->pictures = vdnn_heap_calloc(count, sizeof *set->pictures);
    set->first = vdnn_heap_calloc(count + 1, sizeof *set->first);
    if (set->pictures == NULL || set->first == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %zu classes", set->root, count);
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        char path[PATH_MAX];
        status = vdnn_folder_join(set->root, vdnn_folder_name(&set->classes, i), path, sizeof path);
        VDNN_IF_OK(status, vdnn_folder_read(path, strcmp, &set->pictures[i]));
        VDNN_IF_OK(status, check_pictures(set, i, path));
        set->first[i + 1] = set->first[i] + set->pictures[i].count;
    }
    return status;
}

/* ---- the format ------------------------------------------------------------------------------ */

static void images_close(void *state)
{
    images *set = state;
    for (size_t i = 0; set->pictures != NULL && i < set->classes.count; i++)
        vdnn_folder_fini(&set->pictures[i]);
    vdnn_heap_free(set->pictures);
    vdnn_heap_free(set->first);
    vdnn_heap_free(set->seen.words);
    vdnn_heap_free(set->turned.words);
    vdnn_folder_fini(&set->classes);
    vdnn_heap_free(set);
}

static vdnn_status make_marks(images *set, uint64_t count)
{
    const size_t words = (size_t)(count / WORD_BITS + 1);
    set->seen.words = vdnn_heap_calloc(words, sizeof *set->seen.words);
    set->turned.words = vdnn_heap_calloc(words, sizeof *set->turned.words);
    if (set->seen.words == NULL || set->turned.words == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %llu pictures", set->root,
                                (unsigned long long)count);
    return VDNN_OK;
}

static vdnn_status images_open(const vdnn_dataset_request *request, const char *place,
                               vdnn_dataset *dataset)
{
    bool has_parts;
    images *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    vdnn_status status = vdnn_dataset_check_pictures(request);
    VDNN_IF_OK(status, vdnn_images_find_part(place, request->split, set->root, &has_parts));
    VDNN_IF_OK(status, read_classes(set->root, &set->classes));
    VDNN_IF_OK(status, check_trained(set, request));
    VDNN_IF_OK(status, check_class_count(set, request->classes));
    VDNN_IF_OK(status, list_pictures(set));
    VDNN_IF_OK(status, vdnn_dataset_check(set->root, set->first[set->classes.count],
                                          &dataset->inputs[0].wanted));
    VDNN_IF_OK(status, make_marks(set, set->first[set->classes.count]));
    if (status != VDNN_OK) {
        images_close(set);
        return status;
    }
    set->is_oriented = request->orient;
    dataset->count = set->first[set->classes.count];
    dataset->inputs[0].stored = dataset->inputs[0].wanted; /* decoded to it */
    dataset->state = set;
    return VDNN_OK;
}

static size_t class_of(const images *set, uint64_t index)
{
    size_t low = 0, high = set->classes.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (set->first[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void mark(marks *of, uint64_t index)
{
    const uint64_t bit = (uint64_t)1 << index % WORD_BITS;
    const uint64_t before = atomic_fetch_or(&of->words[index / WORD_BITS], bit);
    if ((before & bit) == 0)
        (void)atomic_fetch_add(&of->count, 1);
}

/* Its orientation, which is counted: as seen first, so that those that are turned are never more.
 */
static int see(images *set, uint64_t index, const vdnn_image_file *file)
{
    const int orientation = vdnn_orientation_find(file->bytes, file->size);
    mark(&set->seen, index);
    if (orientation != VDNN_ORIENTATION_UPRIGHT)
        mark(&set->turned, index);
    return orientation;
}

/* The file of picture `index`, in scratch memory; `path` is what it is called. */
static vdnn_status load(const images *set, uint64_t index, vdnn_scratch *scratch,
                        char path[PATH_MAX], vdnn_image_file *file)
{
    const size_t class = class_of(set, index);
    const char *name = vdnn_folder_name(&set->pictures[class], (size_t)(index - set->first[class]));
    char folder[PATH_MAX];
    vdnn_status status =
        vdnn_folder_join(set->root, vdnn_folder_name(&set->classes, class), folder, sizeof folder);
    VDNN_IF_OK(status, vdnn_folder_join(folder, name, path, PATH_MAX));
    VDNN_IF_OK(status, vdnn_picture_file_read(path, scratch, file));
    return status;
}

static vdnn_status images_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                               void *const *inputs, void *label)
{
    images *set = dataset->state;
    char path[PATH_MAX];
    vdnn_image_file file = {.bytes = NULL};
    VDNN_TRY(load(set, index, scratch, path, &file));
    const int orientation = see(set, index, &file);
    vdnn_status status = vdnn_image_decode(
        &file, &dataset->inputs[0].wanted,
        set->is_oriented ? orientation : VDNN_ORIENTATION_UPRIGHT, scratch, inputs[0]);
    if (status == VDNN_OK && label != NULL)
        *(int32_t *)label = (int32_t)class_of(set, index);
    return status;
}

static const char *images_class_name(const vdnn_dataset *dataset, int64_t class)
{
    const images *set = dataset->state;
    return vdnn_folder_name(&set->classes, (size_t) class);
}

static vdnn_dataset_orientations images_count_orientations(const vdnn_dataset *dataset)
{
    images *set = dataset->state;
    vdnn_dataset_orientations counted = {.pictures = dataset->count,
                                         .are_applied = set->is_oriented};
    counted.turned = atomic_load(&set->turned.count);
    counted.seen = atomic_load(&set->seen.count);
    return counted;
}

static void images_see_orientations(const vdnn_dataset *dataset)
{
    vdnn_scratch scratch = {{NULL}, {0}};
    if (dataset->count > MOST_LOOKED_AT)
        return;
    for (uint64_t i = 0; i < dataset->count; i++) {
        char path[PATH_MAX];
        vdnn_image_file file = {.bytes = NULL};
        if (load(dataset->state, i, &scratch, path, &file) == VDNN_OK)
            (void)see(dataset->state, i, &file);
    }
    vdnn_scratch_fini(&scratch);
}

const vdnn_dataset_format vdnn_images_format = {
    .kind = KIND,
    .place = "DIR",
    .open = images_open,
    .has_test = images_has_test,
    .read = images_read,
    .class_name = images_class_name,
    .count_orientations = images_count_orientations,
    .see_orientations = images_see_orientations,
    .close = images_close,
};
