/* cifar10: the binary version of CIFAR-10. Files without a header, of records of 3073 bytes: a
 * label, then 32 x 32 bytes each of red, green and blue. The training part is data_batch_*.bin, in
 * the order of their numbers; the test part is test_batch.bin. batches.meta.txt, if there is one,
 * has the names of the classes, a line each.
 *
 *     record | label | 1024 red | 1024 green | 1024 blue |
 *     index    0 .. files[0].count - 1 | files[1].first .. | ...
 */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/data/folder.h"
#include "runtime/data/format.h"
#include "runtime/data/image/pixels.h"
#include "runtime/data/source.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

enum { CHANNELS = 3, SIDE = 32, PIXELS = CHANNELS * SIDE * SIDE, RECORD = 1 + PIXELS, LABELS = 10 };

#define TRAIN_FILES "data_batch_*.bin"
#define TEST_FILE "test_batch.bin"
#define NAMES_FILE "batches.meta.txt"
#define UNPACKED "cifar-10-batches-bin" /* what the archive makes */

/* What the version for Python has, and the folder and the archive that it comes in. */
static const char *const python_files[] = {"data_batch_1", "cifar-10-batches-py",
                                           "cifar-10-python.tar.gz"};

typedef struct batch_file {
    vdnn_source *source;
    uint64_t first, count; /* the index of its first record in the set; records */
} batch_file;

typedef struct cifar10 {
    batch_file *files;
    size_t file_count;
    unsigned char *labels; /* of all records */
    uint64_t record_count;
    char names[512]; /* of the classes, each with a NUL; "" behind the last */
} cifar10;

static void cifar10_close(void *state)
{
    cifar10 *set = state;
    for (size_t i = 0; i < set->file_count; i++)
        vdnn_source_close(set->files[i].source);
    vdnn_heap_free(set->files);
    vdnn_heap_free(set->labels);
    vdnn_heap_free(set);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Opens one more file of the set. */
static vdnn_status open_file(cifar10 *set, const char *directory, const char *name)
{
    char path[4096];
    batch_file *file = &set->files[set->file_count];
    vdnn_status status = vdnn_folder_join(directory, name, path, sizeof path);
    VDNN_IF_OK(status, vdnn_source_open(path, &file->source));
    if (status != VDNN_OK)
        return status;
    set->file_count++;
    uint64_t bytes = vdnn_source_bytes(file->source);
    file->first = set->record_count;
    file->count = bytes / RECORD;
    if (bytes == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has no records, expected at least one", path);
    if (bytes % RECORD != 0)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: is cut off in record %llu: it has %llu of %d bytes", path,
            (unsigned long long)file->count, (unsigned long long)(bytes % RECORD), (int)RECORD);
    set->record_count += file->count;
    return VDNN_OK;
}

static bool has_file(const char *directory, const char *name)
{
    char path[4096];
    return vdnn_folder_join(directory, name, path, sizeof path) == VDNN_OK &&
           vdnn_system_access(path, F_OK) == 0;
}

static vdnn_status refuse_folder(const char *directory)
{
    for (size_t i = 0; i < sizeof python_files / sizeof *python_files; i++)
        if (has_file(directory, python_files[i]))
            return vdnn_status_fail(VDNN_FILE,
                                    "%s: has %s, of the Python version of CIFAR-10; expected the "
                                    "binary version, with " TRAIN_FILES " and " TEST_FILE
                                    ": cifar-10-binary.tar.gz from "
                                    "https://www.cs.toronto.edu/~kriz/cifar.html",
                                    directory, python_files[i]);
    return vdnn_status_fail(
        VDNN_FILE, "%s: has no file %s%s", directory, TRAIN_FILES,
        has_file(directory, UNPACKED) ? " (did you mean the folder " UNPACKED " in it?)" : "");
}

static vdnn_status open_training(cifar10 *set, const char *directory, const vdnn_folder *folder)
{
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < folder->count && status == VDNN_OK; i++)
        if (fnmatch(TRAIN_FILES, vdnn_folder_name(folder, i), 0) == 0)
            status = open_file(set, directory, vdnn_folder_name(folder, i));
    if (status == VDNN_OK && set->file_count == 0)
        status = refuse_folder(directory);
    return status;
}

static vdnn_status open_part(cifar10 *set, const char *directory, vdnn_split split)
{
    vdnn_folder folder = {0};
    vdnn_status status = vdnn_folder_read(directory, strverscmp, &folder);
    if (status != VDNN_OK)
        return status;
    set->files = vdnn_heap_calloc(folder.count + 1, sizeof *set->files);
    if (set->files == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its files", directory);
    else if (split == VDNN_SPLIT_TEST)
        status = open_file(set, directory, TEST_FILE);
    else
        status = open_training(set, directory, &folder);
    vdnn_folder_fini(&folder);
    return status;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static vdnn_status check_label(const batch_file *file, uint64_t record, unsigned char label,
                               int64_t classes)
{
    const char *path = vdnn_source_path(file->source);
    if (label >= LABELS)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: the label of record %llu is %d; CIFAR-10 has 0 to %d", path,
                                (unsigned long long)record, label, (int)LABELS - 1);
    if (classes > 0 && label >= classes)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: the label of record %llu is %d, but the network has %lld classes",
            path, (unsigned long long)record, label, (long long)classes);
    return VDNN_OK;
}

static vdnn_status read_labels(cifar10 *set, const char *directory, int64_t classes)
{
    set->labels = vdnn_heap_calloc(set->record_count, 1);
    if (set->labels == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %llu labels", directory,
                                (unsigned long long)set->record_count);
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < set->file_count && status == VDNN_OK; i++) {
        const batch_file *file = &set->files[i];
        for (uint64_t k = 0; k < file->count && status == VDNN_OK; k++) {
            unsigned char *label = &set->labels[file->first + k];
            status = vdnn_source_read(file->source, k * RECORD, label, 1);
            VDNN_IF_OK(status, check_label(file, k, *label, classes));
        }
    }
    return status;
}

/* Without the file, and of a class that it does not have, they are numbers. */
static void read_names(cifar10 *set, const char *directory)
{
    char path[4096], text[sizeof set->names - 1];
    size_t length = 0;
    if (vdnn_folder_join(directory, NAMES_FILE, path, sizeof path) != VDNN_OK ||
        !vdnn_system_read_text(path, text, sizeof text))
        return;
    char *save = NULL;
    for (const char *name = strtok_r(text, "\r\n", &save); name != NULL;
         name = strtok_r(NULL, "\r\n", &save)) {
        memcpy(set->names + length, name, strlen(name) + 1);
        length += strlen(name) + 1;
    }
    set->names[length] = '\0';
}

static const char *cifar10_class_name(const vdnn_dataset *dataset, int64_t class)
{
    const cifar10 *set = dataset->state;
    const char *name = set->names;
    for (; class > 0 && name[0] != '\0'; class --)
        name += strlen(name) + 1;
    return name[0] == '\0' ? NULL : name;
}

/* ---- the format ------------------------------------------------------------------------------ */

static vdnn_status cifar10_open(const vdnn_dataset_request *request, const char *place,
                                vdnn_dataset *dataset)
{
    cifar10 *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", place);
    const vdnn_picture_size stored = {CHANNELS, SIDE, SIDE};
    vdnn_status status = open_part(set, place, request->split);
    VDNN_IF_OK(status, vdnn_dataset_check(place, set->record_count, &stored));
    VDNN_IF_OK(status, read_labels(set, place, request->classes));
    if (status != VDNN_OK) {
        cifar10_close(set);
        return status;
    }
    read_names(set, place);
    dataset->count = set->record_count;
    dataset->inputs[0].stored = stored;
    dataset->state = set;
    return VDNN_OK;
}

static bool cifar10_has_test(const char *place)
{
    return has_file(place, TEST_FILE);
}

static vdnn_status cifar10_read(const vdnn_dataset *dataset, uint64_t index, vdnn_scratch *scratch,
                                void *const *inputs, void *label)
{
    float *pixels = inputs[0];
    (void)scratch;
    const cifar10 *set = dataset->state;
    const batch_file *file = set->files;
    while (index - file->first >= file->count)
        file++;
    uint64_t offset = (index - file->first) * RECORD + 1;
    vdnn_status status = vdnn_pixels_read(file->source, offset, PIXELS, pixels);
    if (status == VDNN_OK && label != NULL)
        *(int32_t *)label = set->labels[index];
    return status;
}

const vdnn_dataset_format vdnn_cifar10_format = {
    .kind = "cifar10",
    .place = "DIR",
    .open = cifar10_open,
    .has_test = cifar10_has_test,
    .read = cifar10_read,
    .class_name = cifar10_class_name,
    .close = cifar10_close,
};
