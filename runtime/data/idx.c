/* idx: the format of MNIST. Big-endian u32 magic (0x0800 | dimensions), one u32 per dimension,
 * bytes.
 */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/data/format.h"
#include "runtime/data/image/pixels.h"
#include "runtime/data/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { IMAGE_HEADER = 16, LABEL_HEADER = 8 };

#define IMAGE_MAGIC 0x00000803u
#define LABEL_MAGIC 0x00000801u

typedef struct idx {
    vdnn_source *images;
    unsigned char *labels;
    size_t picture_bytes;
} idx;

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           (uint32_t)bytes[3];
}

typedef struct part_path {
    char text[4096];
} part_path;

/* The first that exists of PART-RANK, PART.RANK and both with .gz, in `directory`. A file that
 * cannot be checked counts as existing. */
static vdnn_status find_part(const char *directory, const char *part, const char *rank,
                             part_path *path)
{
    static const struct {
        char separator;
        const char *suffix;
    } spellings[] = {{'-', ""}, {'.', ""}, {'-', ".gz"}, {'.', ".gz"}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        int length = snprintf(path->text, sizeof path->text, "%s/%s%c%s-ubyte%s", directory, part,
                              spellings[i].separator, rank, spellings[i].suffix);
        if (length < 0 || (size_t)length >= sizeof path->text)
            return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", directory);
        if (vdnn_system_access(path->text, F_OK) == 0 || errno != ENOENT)
            return VDNN_OK;
    }
    if (vdnn_system_access(directory, F_OK) != 0)
        return vdnn_status_fail(VDNN_FILE, "%s: %s", directory, strerror(errno));
    return vdnn_status_fail(VDNN_FILE, "%s: has no file %s-%s-ubyte, nor one with .gz", directory,
                            part, rank);
}

static vdnn_status open_part(const char *directory, const char *part, const char *rank,
                             vdnn_source **source)
{
    part_path path = {.text = ""};
    vdnn_status status = find_part(directory, part, rank, &path);
    return status == VDNN_OK ? vdnn_source_open(path.text, source) : status;
}

static vdnn_status read_header(vdnn_source *source, uint32_t magic, unsigned char *header,
                               size_t bytes)
{
    vdnn_status status = vdnn_source_need(source, bytes, false);
    VDNN_IF_OK(status, vdnn_source_read(source, 0, header, bytes));
    if (status == VDNN_OK && big_endian(header) != magic)
        status = vdnn_status_fail(VDNN_BAD_INPUT,
                                  "%s: begins with 0x%08x, expected 0x%08x of an idx file of %s",
                                  vdnn_source_path(source), big_endian(header), magic,
                                  magic == IMAGE_MAGIC ? "images" : "labels");
    return status;
}

static vdnn_status read_images(vdnn_source *source, vdnn_dataset *dataset)
{
    unsigned char header[IMAGE_HEADER];
    VDNN_TRY(read_header(source, IMAGE_MAGIC, header, sizeof header));
    uint32_t count = big_endian(header + 4), height = big_endian(header + 8),
             width = big_endian(header + 12);
    dataset->count = count;
    dataset->inputs[0].stored = (vdnn_picture_size){1, height, width};
    VDNN_TRY(vdnn_dataset_check(vdnn_source_path(source), count, &dataset->inputs[0].stored));
    return vdnn_source_need(source, IMAGE_HEADER + (uint64_t)count * height * width, true);
}

/* All labels, each below `classes` unless that is 0, into fresh memory. */
static vdnn_status read_labels(vdnn_source *source, uint64_t count, int64_t classes,
                               unsigned char **labels)
{
    unsigned char header[LABEL_HEADER];
    VDNN_TRY(read_header(source, LABEL_MAGIC, header, sizeof header));
    if (big_endian(header + 4) != count)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has %u labels, but there are %llu images",
                                vdnn_source_path(source), big_endian(header + 4),
                                (unsigned long long)count);
    VDNN_TRY(vdnn_source_need(source, LABEL_HEADER + count, true));
    unsigned char *fresh = vdnn_heap_calloc(count, 1);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %llu labels",
                                vdnn_source_path(source), (unsigned long long)count);
    vdnn_status status = vdnn_source_read(source, LABEL_HEADER, fresh, count);
    for (uint64_t i = 0; i < count && status == VDNN_OK; i++)
        if (classes > 0 && fresh[i] >= classes)
            status = vdnn_status_fail(
                VDNN_BAD_INPUT, "%s: label %llu is %d, but the network has %lld classes",
                vdnn_source_path(source), (unsigned long long)i, fresh[i], (long long)classes);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    *labels = fresh;
    return VDNN_OK;
}

static void idx_close(void *state)
{
    idx *set = state;
    vdnn_source_close(set->images);
    vdnn_heap_free(set->labels);
    vdnn_heap_free(set);
}

static vdnn_status idx_open(const vdnn_dataset_request *request, const char *place,
                            vdnn_dataset *dataset)
{
    const char *const parts[][2] = {
        [VDNN_SPLIT_TRAIN] = {"train-images", "train-labels"},
        [VDNN_SPLIT_TEST] = {"t10k-images", "t10k-labels"},
    };
    vdnn_source *labels = NULL;
    idx *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    vdnn_status status = open_part(place, parts[request->split][0], "idx3", &set->images);
    VDNN_IF_OK(status, read_images(set->images, dataset));
    VDNN_IF_OK(status, open_part(place, parts[request->split][1], "idx1", &labels));
    VDNN_IF_OK(status, read_labels(labels, dataset->count, request->classes, &set->labels));
    vdnn_source_close(labels);
    if (status != VDNN_OK) {
        idx_close(set);
        return status;
    }
    set->picture_bytes =
        (size_t)(dataset->inputs[0].stored.height * dataset->inputs[0].stored.width);
    dataset->state = set;
    return VDNN_OK;
}

/* Always: without the files of the test part a set of this kind is incomplete. */
/* One of its files is enough: a missing other one is then an error. */
static bool idx_has_test(const char *place)
{
    part_path path = {.text = ""};
    return find_part(place, "t10k-images", "idx3", &path) == VDNN_OK ||
           find_part(place, "t10k-labels", "idx1", &path) == VDNN_OK;
}

static vdnn_status idx_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                            void *const *inputs, void *label)
{
    float *pixels = inputs[0];
    (void)scratch;
    const idx *set = dataset->state;
    size_t bytes = set->picture_bytes;
    VDNN_TRY(vdnn_pixels_read(set->images, IMAGE_HEADER + index * bytes, bytes, pixels));
    if (label != NULL)
        *(int32_t *)label = set->labels[index];
    return VDNN_OK;
}

const vdnn_dataset_format vdnn_idx_format = {
    .kind = "idx",
    .place = "DIR",
    .open = idx_open,
    .has_test = idx_has_test,
    .read = idx_read,
    .close = idx_close,
};
