/* images, of a network with a label for each cell of its input: pictures, and masks of the same
 * names, which are PNG.
 *
 *     DIR/images/1.jpeg  DIR/masks/1.png    or, with parts,    DIR/train/images/1.jpeg ...
 *
 * Parts are as those of folders of classes. Both are read at the network's size, masks by the
 * nearest pixel, and turned as its picture is. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/data/folder.h"
#include "runtime/data/format.h"
#include "runtime/data/picture_file.h"

#include <string.h>

typedef struct masks {
    char root[PATH_MAX];
    vdnn_folder pictures; /* in its folder images */
    int64_t classes, ignored;
    bool ignores, is_oriented;
} masks;

static void masks_close(void *state)
{
    masks *set = state;
    vdnn_folder_fini(&set->pictures);
    vdnn_heap_free(set);
}

static vdnn_status join(const masks *set, const char *folder, const char *name, char path[PATH_MAX])
{
    char place[PATH_MAX];
    VDNN_TRY(vdnn_folder_join(set->root, folder, place, sizeof place));
    return name == NULL ? vdnn_folder_join(set->root, folder, path, PATH_MAX)
                        : vdnn_folder_join(place, name, path, PATH_MAX);
}

/* Of a picture and of its mask. */
static vdnn_status find_paths(const masks *set, uint64_t index, char picture[PATH_MAX],
                              char mask[PATH_MAX])
{
    static const char ending[] = ".png";
    const char *name = vdnn_folder_name(&set->pictures, (size_t)index);
    VDNN_TRY(join(set, "images", name, picture));
    VDNN_TRY(join(set, "masks", name, mask));
    char *dot = strrchr(mask, '.');
    if ((size_t)(dot - mask) + sizeof ending > PATH_MAX)
        return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", mask);
    memcpy(dot, ending, sizeof ending);
    return VDNN_OK;
}

/* Files that are no pictures by their names are left out. */
static vdnn_status list_pictures(masks *set, const char *place)
{
    char path[PATH_MAX], mask[PATH_MAX];
    struct stat info;
    vdnn_folder *found = &set->pictures;
    size_t kept = 0;
    VDNN_TRY(join(set, "images", NULL, path));
    if (vdnn_folder_read(path, strcmp, found) != VDNN_OK)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: the network has a label for each cell of a picture; expected "
                                "the folders images, of pictures, and masks, of PNG of the same "
                                "names",
                                place);
    for (size_t i = 0; i < found->count; i++)
        if (found->entries[i].kind == VDNN_FOLDER_FILE &&
            vdnn_picture_file_is_named(vdnn_folder_name(found, i)))
            found->entries[kept++] = found->entries[i];
    found->count = kept;
    for (size_t i = 0; i < kept; i++) {
        VDNN_TRY(find_paths(set, i, path, mask));
        if (vdnn_system_stat(mask, &info) != 0)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has no mask %s", path, mask);
    }
    return VDNN_OK;
}

static vdnn_status masks_open(const vdnn_dataset_request *request, const char *place,
                              vdnn_dataset *dataset)
{
    const vdnn_picture_size *size = &dataset->inputs[0].wanted;
    bool has_parts;
    if (request->labels != size->height * size->width)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: masks have a label for each cell of the network's input, %lld "
                                "x %lld, but the network reads %lld",
                                place, (long long)size->height, (long long)size->width,
                                (long long)request->labels);
    VDNN_TRY(vdnn_dataset_check_pictures(request));
    masks *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    set->classes = request->classes;
    set->is_oriented = request->orient;
    set->ignores = request->ignored != NULL;
    set->ignored = set->ignores ? *request->ignored : 0;
    vdnn_status status = vdnn_images_find_part(place, request->split, set->root, &has_parts);
    VDNN_IF_OK(status, list_pictures(set, place));
    VDNN_IF_OK(status, vdnn_dataset_check(set->root, set->pictures.count, size));
    if (status != VDNN_OK) {
        masks_close(set);
        return status;
    }
    dataset->count = set->pictures.count;
    dataset->inputs[0].stored = *size; /* decoded to it */
    dataset->state = set;
    return VDNN_OK;
}

static vdnn_status masks_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                              void *const *inputs, void *labels)
{
    const masks *set = dataset->state;
    const vdnn_picture_size *size = &dataset->inputs[0].wanted;
    char picture[PATH_MAX], mask[PATH_MAX];
    vdnn_image_file file = {.bytes = NULL};
    VDNN_TRY(find_paths(set, index, picture, mask));
    VDNN_TRY(vdnn_picture_file_read(picture, scratch, &file));
    const int orientation =
        set->is_oriented ? vdnn_orientation_find(file.bytes, file.size) : VDNN_ORIENTATION_UPRIGHT;
    VDNN_TRY(vdnn_image_decode(&file, size, orientation, scratch, inputs[0]));
    if (labels == NULL)
        return VDNN_OK;
    VDNN_TRY(vdnn_picture_file_read(mask, scratch, &file));
    VDNN_TRY(
        vdnn_image_decode_mask(&file, size->height, size->width, orientation, scratch, labels));
    return vdnn_dataset_check_classes(dataset, mask, index, labels, set->classes,
                                      set->ignores ? &set->ignored : NULL);
}

const vdnn_dataset_format vdnn_masks_format = {
    .kind = "images",
    .place = "DIR",
    .has_masks = true,
    .open = masks_open,
    .read = masks_read,
    .close = masks_close,
};
