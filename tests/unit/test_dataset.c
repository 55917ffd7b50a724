#include "tests/support/datasets.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include "alloc/heap.h"
#include "runtime/data/dataset.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COUNT = 5,
    HEIGHT = 2,
    WIDTH = 3,
    PIXELS = HEIGHT * WIDTH,
    CLASSES = 10,
    IDX_IMAGES = 16 + COUNT * PIXELS,
    IDX_LABELS = 8 + COUNT,
    FILE_LIMIT = 4096,
    MNIST_PIXELS = 28 * 28,
};

#define MNIST "../shared/data/mnist"

/* ---- small sets ------------------------------------------------------------------------------ */

typedef struct blob {
    unsigned char bytes[FILE_LIMIT];
    size_t count;
} blob;

static blob idx_images(void)
{
    blob file = {{0, 0, 8, 3, 0, 0, 0, COUNT, 0, 0, 0, HEIGHT, 0, 0, 0, WIDTH}, IDX_IMAGES};
    for (int i = 0; i < COUNT * PIXELS; i++)
        file.bytes[16 + i] = (unsigned char)(i * 255 / (COUNT * PIXELS - 1));
    return file;
}

static blob idx_labels(void)
{
    blob file = {{0, 0, 8, 1, 0, 0, 0, COUNT}, IDX_LABELS};
    for (int i = 0; i < COUNT; i++)
        file.bytes[8 + i] = (unsigned char)(9 - i);
    return file;
}

static void write_idx(const char *folder, const blob *images, const blob *labels)
{
    vdnn_test_write_file(vdnn_test_path(folder, "train-images-idx3-ubyte"), images->bytes,
                         images->count);
    vdnn_test_write_file(vdnn_test_path(folder, "train-labels-idx1-ubyte"), labels->bytes,
                         labels->count);
}

static void write_idx_packed(const char *folder, const blob *images, const blob *labels)
{
    vdnn_test_write_packed(vdnn_test_path(folder, "train-images-idx3-ubyte.gz"), images->bytes,
                           images->count);
    vdnn_test_write_packed(vdnn_test_path(folder, "train-labels-idx1-ubyte.gz"), labels->bytes,
                           labels->count);
}

/* An npy file of this version with `text` as its dict and `data` after it. */
static blob npy_file(int version, const char *text, const void *data, size_t bytes)
{
    blob file = {{0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0}, 0};
    size_t begin = version == 1 ? 10 : 12, length = strlen(text);
    file.bytes[8] = (unsigned char)(length & 0xff);
    file.bytes[9] = (unsigned char)(length >> 8);
    memcpy(file.bytes + begin, text, length);
    if (bytes > 0)
        memcpy(file.bytes + begin + length, data, bytes);
    file.count = begin + length + bytes;
    assert_true(file.count <= FILE_LIMIT);
    return file;
}

#define NPY_IMAGES "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1, 2, 3), }   \n"
#define NPY_LABELS "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }   \n"

static blob npy_images(int version, const char *text)
{
    float pixels[COUNT * PIXELS];
    for (int i = 0; i < COUNT * PIXELS; i++)
        pixels[i] = (float)i - 7.5f;
    return npy_file(version, text, pixels, sizeof pixels);
}

static blob npy_labels(int version, const char *text)
{
    const int64_t labels[COUNT] = {9, 8, 7, 6, 5};
    return npy_file(version, text, labels, sizeof labels);
}

static void write_npy(const char *folder, const blob *images, const blob *labels)
{
    vdnn_test_write_file(vdnn_test_path(folder, "images.npy"), images->bytes, images->count);
    vdnn_test_write_file(vdnn_test_path(folder, "labels.npy"), labels->bytes, labels->count);
}

static vdnn_scratch scratch;

static int free_scratch(void **state)
{
    (void)state;
    vdnn_scratch_fini(&scratch);
    return 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static vdnn_dataset_request request_for(const char *kind, const char *folder)
{
    static char spec[1024];
    (void)snprintf(spec, sizeof spec, "%s:%s", kind, folder);
    return (vdnn_dataset_request){spec, VDNN_SPLIT_TRAIN, 1, HEIGHT, WIDTH, CLASSES, NULL};
}

static vdnn_status open_set(const char *kind, const char *folder, vdnn_dataset **dataset)
{
    vdnn_dataset_request request = request_for(kind, folder);
    *dataset = NULL;
    return vdnn_dataset_open(&request, dataset);
}

static void assert_refused(const char *kind, const char *folder, vdnn_status status,
                           const char *reason)
{
    vdnn_dataset *dataset;
    vdnn_status found = open_set(kind, folder, &dataset);
    vdnn_dataset_close(dataset);
    assert_status(found, status);
    assert_null(dataset);
    assert_message(reason);
}

/* Opens what may be damaged: it opens and can be read to the end, or it is refused with a reason.
 */
static bool survives(const char *kind, const char *folder)
{
    vdnn_dataset *dataset;
    vdnn_status status = open_set(kind, folder, &dataset);
    if (status != VDNN_OK) {
        assert_true(status == VDNN_BAD_INPUT || status == VDNN_FILE);
        assert_true(strlen(vdnn_status_message()) > strlen(folder));
        return false;
    }
    for (uint64_t i = 0; i < vdnn_dataset_count(dataset); i++) {
        float image[PIXELS];
        int32_t label = -1;
        assert_ok(vdnn_dataset_read(dataset, i, &scratch, image, &label));
        assert_in_range(label, 0, CLASSES - 1);
    }
    vdnn_dataset_close(dataset);
    return true;
}

static void assert_small_idx(const char *folder)
{
    vdnn_dataset *dataset;
    assert_ok(open_set("idx", folder, &dataset));
    assert_int_equal(vdnn_dataset_count(dataset), COUNT);
    assert_int_equal(vdnn_dataset_per_sample(dataset), PIXELS);
    blob images = idx_images();
    for (int i = COUNT - 1; i >= 0; i--) {
        float image[PIXELS];
        int32_t label = -1;
        assert_ok(vdnn_dataset_read(dataset, (uint64_t)i, &scratch, image, &label));
        assert_int_equal(label, 9 - i);
        for (int k = 0; k < PIXELS; k++)
            assert_true(image[k] == (float)images.bytes[16 + i * PIXELS + k] / 255.0f);
    }
    vdnn_dataset_close(dataset);
}

/* ---- idx ------------------------------------------------------------------------------------- */

static void idx_files_are_found_plain_and_packed_in_both_spellings(void **state)
{
    static const struct {
        const char *images, *labels;
        bool packed;
    } spellings[] = {
        {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", false},
        {"train-images.idx3-ubyte", "train-labels.idx1-ubyte", false},
        {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", true},
        {"train-images.idx3-ubyte.gz", "train-labels.idx1-ubyte.gz", true},
        {"train-images-idx3-ubyte.gz", "train-labels.idx1-ubyte", true},
        {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", true},
    };
    blob images = idx_images(), labels = idx_labels();
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const char *paths[] = {vdnn_test_path(*state, spellings[i].images),
                               vdnn_test_path(*state, spellings[i].labels)};
        (spellings[i].packed ? vdnn_test_write_packed
                             : vdnn_test_write_file)(paths[0], images.bytes, images.count);
        (spellings[i].packed ? vdnn_test_write_packed
                             : vdnn_test_write_file)(paths[1], labels.bytes, labels.count);
        assert_small_idx(*state);
        assert_int_equal(unlink(paths[0]), 0);
        assert_int_equal(unlink(paths[1]), 0);
    }
}

static void the_test_part_of_idx_is_another_pair_of_files(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx(*state, &images, &labels);
    vdnn_dataset_request request = request_for("idx", *state);
    request.split = VDNN_SPLIT_TEST;
    vdnn_dataset *dataset = NULL;
    assert_status(vdnn_dataset_open(&request, &dataset), VDNN_FILE);
    assert_message("t10k-images");
    vdnn_test_write_file(vdnn_test_path(*state, "t10k-images-idx3-ubyte"), images.bytes,
                         images.count);
    vdnn_test_write_file(vdnn_test_path(*state, "t10k-labels-idx1-ubyte"), labels.bytes,
                         labels.count);
    assert_ok(vdnn_dataset_open(&request, &dataset));
    vdnn_dataset_close(dataset);
}

static void idx_headers_that_lie_are_refused(void **state)
{
    static const struct {
        size_t at;
        const char *reason;
        unsigned char value;
        bool labels; /* which file */
    } lies[] = {
        {0, "0x01000803", 1, false},
        {2, "0x00000903", 9, false},
        {3, "0x00000801", 1, false},
        {3, "0x00000804", 4, false},
        {4, "images; expected 1 to", 0xff, false},
        {7, "is cut off", COUNT + 1, false},
        {7, "goes on", COUNT - 1, false},
        {7, "0 images", 0, false},
        {8, "sides must", 0xff, false},
        {11, "sides must", 0, false},
        {15, "sides must", 0, false},
        {15, "is cut off", WIDTH + 1, false},
        {11, "goes on", 1, false},
        {3, "0x00000803", 3, true},
        {7, "6 labels", COUNT + 1, true},
        {7, "4 labels", COUNT - 1, true},
        {10, "label 2 is 10, but the network has 10 classes", CLASSES, true},
        {12, "label 4 is 255", 255, true},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob images = idx_images(), labels = idx_labels();
        (lies[i].labels ? &labels : &images)->bytes[lies[i].at] = lies[i].value;
        write_idx(*state, &images, &labels);
        assert_refused("idx", *state, VDNN_BAD_INPUT, lies[i].reason);
        assert_message(lies[i].labels ? "train-labels-idx1-ubyte:" : "train-images-idx3-ubyte:");
    }
}

static void the_largest_header_does_not_overflow(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    memcpy(images.bytes + 4, (unsigned char[]){8, 0, 0, 0, 0, 0, 32, 0, 0, 0, 32, 0}, 12);
    write_idx(*state, &images, &labels);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "is cut off");
    memcpy(images.bytes + 4, (unsigned char[]){8, 0, 0, 1, 0, 0, 32, 0, 0, 0, 32, 0}, 12);
    write_idx(*state, &images, &labels);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "has 134217729 images; expected 1 to 134217728");
    memcpy(images.bytes + 4, (unsigned char[]){0, 0, 0, 1, 0, 0, 32, 0, 0, 0, 32, 1}, 12);
    write_idx(*state, &images, &labels);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "has pictures of 1 x 8192 x 8193;");
}

static void idx_files_cut_off_anywhere_or_too_long_are_refused(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    for (size_t cut = 0; cut < IDX_IMAGES; cut++) {
        blob part = images;
        part.count = cut;
        write_idx(*state, &part, &labels);
        assert_refused("idx", *state, VDNN_BAD_INPUT, "is cut off");
    }
    for (size_t cut = 0; cut < IDX_LABELS; cut++) {
        blob part = labels;
        part.count = cut;
        write_idx(*state, &images, &part);
        assert_refused("idx", *state, VDNN_BAD_INPUT, "is cut off");
    }
    images.count++;
    write_idx(*state, &images, &labels);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "goes on after the 46 bytes");
}

static void packed_files_cut_off_damaged_or_too_long_are_refused(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx_packed(*state, &images, &labels);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte.gz");
    char *bytes;
    size_t count;
    vdnn_test_read_file(path, &bytes, &count);
    for (size_t cut = 0; cut < count; cut++) {
        vdnn_test_write_file(path, bytes, cut);
        assert_refused("idx", *state, VDNN_BAD_INPUT, "train-images-idx3-ubyte.gz: ");
    }
    bytes[count - 6] = (char)(bytes[count - 6] ^ 1); /* in the checksum */
    vdnn_test_write_file(path, bytes, count);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "damaged");
    free(bytes);
    images.count++;
    write_idx_packed(*state, &images, &labels);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "goes on after the 46 bytes");
}

/* What a packed file may take is bounded by its header, and the header by the file's real size. */
static void a_packed_bomb_is_not_unpacked(void **state)
{
    enum { BOMB = 64 << 20 };
    blob small = idx_images(), labels = idx_labels();
    unsigned char *bomb = calloc(BOMB, 1);
    assert_non_null(bomb);
    memcpy(bomb, small.bytes, small.count);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte.gz");
    write_idx_packed(*state, &small, &labels);
    vdnn_test_write_packed(path, bomb, BOMB);
    free(bomb);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "goes on after the 46 bytes");

    memcpy(small.bytes + 4, (unsigned char[]){7, 255, 255, 255}, 4);
    write_idx_packed(*state, &small, &labels);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "can hold");
}

/* Nor does it take what the machine cannot spare, also where header and data agree. */
static void what_is_unpacked_is_bounded_by_the_memory_there_is(void **state)
{
    enum { PICTURES = 20000, BYTES = PICTURES * PIXELS };
    static const struct {
        const char *available;
        bool enough;
    } machines[] = {{"MemAvailable: 200 kB\n", false}, {"MemAvailable: 400 kB\n", true}};
    blob images = idx_images(), labels = idx_labels();
    unsigned char *file = calloc(16 + BYTES, 1);
    assert_non_null(file);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte.gz");
    memcpy(images.bytes + 4, (unsigned char[]){0, 0, PICTURES >> 8, PICTURES & 255}, 4);
    memcpy(file, images.bytes, 16);
    vdnn_test_write_packed(path, file, 16 + BYTES);
    memcpy(labels.bytes + 4, images.bytes + 4, 4);
    memset(file, 0, 8 + PICTURES);
    memcpy(file, labels.bytes, 8);
    vdnn_test_write_file(vdnn_test_path(*state, "train-labels-idx1-ubyte"), file, 8 + PICTURES);
    free(file);
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        vdnn_test_write_below(*state, "proc/meminfo", machines[i].available);
        const vdnn_test_fault machine = {.root = *state};
        vdnn_dataset *dataset;
        vdnn_test_fault_begin(&machine);
        if (machines[i].enough) {
            assert_ok(open_set("idx", *state, &dataset));
            vdnn_dataset_close(dataset);
        } else {
            assert_refused("idx", *state, VDNN_BAD_INPUT, "that MemAvailable leaves; unpack the");
        }
        (void)vdnn_test_fault_end();
    }
}

/* 4 GiB of nothing: refused before anything is unpacked. */
static void more_than_two_gibibytes_are_not_unpacked(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    memcpy(images.bytes + 4, (unsigned char[]){0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 2, 0}, 12);
    write_idx_packed(*state, &images, &labels);
    /* What follows the packed file is no member of it, but the header can be believed. */
    assert_int_equal(truncate(vdnn_test_path(*state, "train-images-idx3-ubyte.gz"), 16 << 20), 0);
    assert_refused("idx", *state, VDNN_BAD_INPUT, "more than is unpacked into memory");
}

static void what_is_no_regular_file_is_refused_without_waiting(void **state)
{
    blob labels = idx_labels(), images = idx_images();
    write_idx(*state, &images, &labels);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte");
    assert_int_equal(unlink(path), 0);
    assert_refused("idx", *state, VDNN_FILE, "train-images-idx3-ubyte");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused("idx", *state, VDNN_FILE, "is not a regular file");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_refused("idx", *state, VDNN_FILE, "is not a regular file");
    assert_refused("idx", vdnn_test_path(*state, "nowhere"), VDNN_FILE, "nowhere: ");
}

static void damaged_idx_files_never_crash(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(3000); i++) {
        blob images = idx_images(), labels = idx_labels();
        for (int64_t k = vdnn_test_between(&rng, 1, 4); k > 0; k--) {
            blob *hit = vdnn_test_between(&rng, 0, 2) == 0 ? &labels : &images;
            hit->bytes[vdnn_test_between(&rng, 0, (int64_t)hit->count - 1)] =
                (unsigned char)vdnn_test_random(&rng);
        }
        write_idx(*state, &images, &labels);
        (void)survives("idx", *state);
    }
}

static void damaged_packed_files_never_crash(void **state)
{
    static const char *const names[] = {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"};
    vdnn_test_rng rng = {vdnn_test_seed()};
    blob images = idx_images(), labels = idx_labels();
    int opened = 0;
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        write_idx_packed(*state, &images, &labels);
        const char *path = vdnn_test_path(*state, names[vdnn_test_between(&rng, 0, 1)]);
        char *bytes;
        size_t count;
        vdnn_test_read_file(path, &bytes, &count);
        for (int64_t k = vdnn_test_between(&rng, 1, 3); k > 0; k--)
            bytes[vdnn_test_between(&rng, 0, (int64_t)count - 1)] = (char)vdnn_test_random(&rng);
        vdnn_test_write_file(path, bytes, count);
        free(bytes);
        opened += survives("idx", *state);
    }
    assert_true(opened < vdnn_test_count(2000)); /* the checksum sees most of it */
}

static void mnist_is_what_its_publishers_say(void **state)
{
    (void)state;
    static const struct {
        vdnn_split split;
        uint64_t count;
        int per_class[CLASSES];
    } parts[] = {
        {VDNN_SPLIT_TRAIN, 60000, {5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}},
        {VDNN_SPLIT_TEST, 10000, {980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}},
    };
    if (access(MNIST, R_OK) != 0)
        skip_because("%s is not there", MNIST);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        vdnn_dataset_request request = {"idx:" MNIST, parts[i].split, 1, 28, 28, CLASSES, NULL};
        vdnn_dataset *dataset;
        int per_class[CLASSES] = {0};
        double sum = 0;
        assert_ok(vdnn_dataset_open(&request, &dataset));
        assert_int_equal(vdnn_dataset_count(dataset), parts[i].count);
        for (uint64_t k = 0; k < parts[i].count; k++) {
            float image[MNIST_PIXELS];
            int32_t label;
            assert_ok(vdnn_dataset_read(dataset, k, &scratch, image, &label));
            per_class[label]++;
            for (size_t p = 0; p < MNIST_PIXELS; p++)
                sum += (double)image[p];
        }
        vdnn_dataset_close(dataset);
        assert_memory_equal(per_class, parts[i].per_class, sizeof per_class);
        /* The published means of the two parts are 0.1307 and 0.1325. */
        assert_true(fabs(sum / (double)parts[i].count / MNIST_PIXELS - 0.1316) < 0.0012);
    }
}

/* ---- other sizes ----------------------------------------------------------------------------- */

static void another_number_of_channels_is_refused(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx(*state, &images, &labels);
    vdnn_dataset_request request = request_for("idx", *state);
    request.channels = 3;
    vdnn_dataset *dataset = NULL;
    assert_status(vdnn_dataset_open(&request, &dataset), VDNN_BAD_INPUT);
    assert_message("1 channel(s), the network's input has 3");
    assert_null(dataset);
}

static void pictures_of_another_size_are_resized(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx(*state, &images, &labels);
    vdnn_dataset_request request = request_for("idx", *state);
    request.height = 4;
    request.width = 6;
    vdnn_dataset *dataset;
    assert_ok(vdnn_dataset_open(&request, &dataset));
    assert_int_equal(vdnn_dataset_per_sample(dataset), 24);
    float image[24];
    int32_t label = -1;
    assert_ok(vdnn_dataset_read(dataset, 2, &scratch, image, &label));
    assert_int_equal(label, 7);
    float corners[4] = {image[0], image[5], image[18], image[23]};
    static const int cells[4] = {0, WIDTH - 1, PIXELS - WIDTH, PIXELS - 1};
    for (int k = 0; k < 4; k++)
        assert_true(corners[k] == (float)images.bytes[16 + 2 * PIXELS + cells[k]] / 255.0f);
    vdnn_dataset_close(dataset);
}

/* ---- npy ------------------------------------------------------------------------------------- */

static void npy_files_of_all_versions_are_read(void **state)
{
    static const char *const texts[][2] = {
        {NPY_IMAGES, NPY_LABELS},
        {"{'shape':(5,1,2,3),'descr':\"<f4\",'fortran_order':False}",
         "{'fortran_order': True, 'shape': (5), 'descr': '<i8'}"},
    };
    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            blob images = npy_images(version, texts[i][0]);
            blob labels = npy_labels(version, texts[i][1]);
            write_npy(*state, &images, &labels);
            vdnn_dataset *dataset;
            assert_ok(open_set("npy", *state, &dataset));
            assert_int_equal(vdnn_dataset_count(dataset), COUNT);
            for (int k = 0; k < COUNT; k++) {
                float image[PIXELS];
                int32_t label = -1;
                assert_ok(vdnn_dataset_read(dataset, (uint64_t)k, &scratch, image, &label));
                assert_int_equal(label, 9 - k);
                for (int p = 0; p < PIXELS; p++)
                    assert_true(image[p] == (float)(k * PIXELS + p) - 7.5f);
            }
            vdnn_dataset_close(dataset);
        }
}

static void npy_headers_that_lie_are_refused(void **state)
{
    static const struct {
        const char *text, *reason;
    } lies[] = {
        {"", "expected '{'"},
        {"{", "a quoted string"},
        {"{}", "lacks the key descr"},
        {"{'descr': '<f4', 'fortran_order': False}", "lacks the key shape"},
        {"{'descr': '<f4', 'descr': '<f4'}", "each key once"},
        {"{'colour': 1}", "a key descr"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (5, 1, 2, 3)}", "'<f8'"},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (5, 1, 2, 3)}", "'>f4'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (5,)}", "quoted string"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (5, 1, 2, 3)}", "Fortran"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (5, 1, 2, 3)}", "True or False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 6)}", "2 dimension(s)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "0 dimension(s)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 5}", "as a tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, -1, 2, 3)}", "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1 2, 3)}", "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "at most 8"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6, 1, 2, 3)}", "is cut off"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1, 2, 3)}", "goes on"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 1, 2, 3)}", "goes on"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 6, 1, 1)}", "channel"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3, 3, 3)}",
         "2^64"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 1, 1, 1)}",
         "2^64"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 1, 2, 3)}",
         "below 2^63"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1, 2, 3)} x", "after '}'"},
        {"{'descr': '<f4' 'fortran_order': False}", "',' or '}'"},
        {"{'descr': '<f4xxxxxxxxxxxxxxxxxxx'}", "short string"},
    };
    blob labels = npy_labels(1, NPY_LABELS);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob images = npy_images(1, lies[i].text);
        write_npy(*state, &images, &labels);
        assert_refused("npy", *state, VDNN_BAD_INPUT, lies[i].reason);
    }
}

static void npy_sets_that_do_not_fit_together_are_refused(void **state)
{
    blob images = npy_images(1, NPY_IMAGES);
    const int64_t few[] = {1, 2, 3, 4}, high[] = {0, 1, 10, 3, 4}, low[] = {0, 1, 2, 3, -1};
    const struct {
        blob labels;
        const char *reason;
    } cases[] = {
        {npy_file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", few, sizeof few),
         "4 labels, but there are 5 images"},
        {npy_file(1, NPY_LABELS, high, sizeof high), "label 2 is 10"},
        {npy_file(1, NPY_LABELS, low, sizeof low), "label 4 is -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_npy(*state, &images, &cases[i].labels);
        assert_refused("npy", *state, VDNN_BAD_INPUT, cases[i].reason);
        assert_message("labels.npy: ");
    }
    assert_refused("npy", vdnn_test_path(*state, "nowhere"), VDNN_FILE, "nowhere/images.npy");
}

static void npy_files_cut_off_anywhere_are_refused(void **state)
{
    blob images = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
    for (size_t cut = 0; cut < images.count; cut++) {
        blob part = images;
        part.count = cut;
        write_npy(*state, &part, &labels);
        assert_refused("npy", *state, VDNN_BAD_INPUT, "images.npy: is cut off");
    }
}

static void damaged_npy_files_never_crash(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        blob images = npy_images(1 + i % 3, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
        for (int64_t k = vdnn_test_between(&rng, 1, 4); k > 0; k--) {
            blob *hit = vdnn_test_between(&rng, 0, 3) == 0 ? &labels : &images;
            /* Mostly the header. */
            int64_t last = vdnn_test_between(&rng, 0, 3) > 0 ? 90 : (int64_t)hit->count - 1;
            hit->bytes[vdnn_test_between(&rng, 0, last)] =
                vdnn_test_between(&rng, 0, 1) == 0
                    ? (unsigned char)vdnn_test_random(&rng)
                    : (unsigned char)"0123456789(),'{}"[vdnn_test_between(&rng, 0, 15)];
        }
        write_npy(*state, &images, &labels);
        (void)survives("npy", *state);
    }
}

static void a_file_that_shrinks_while_open_is_an_error_not_a_crash(void **state)
{
    blob images = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
    write_npy(*state, &images, &labels);
    vdnn_dataset *dataset;
    assert_ok(open_set("npy", *state, &dataset));
    assert_int_equal(truncate(vdnn_test_path(*state, "images.npy"), 100), 0);
    float image[PIXELS];
    int32_t label;
    assert_status(vdnn_dataset_read(dataset, 4, &scratch, image, &label), VDNN_BAD_INPUT);
    assert_message("is cut off");
    vdnn_dataset_close(dataset);
}

/* ---- synthetic ------------------------------------------------------------------------------- */

enum { SIDE = 12, MADE = 3 * SIDE * SIDE };

static vdnn_dataset *make_synthetic(const char *spec, vdnn_split split)
{
    vdnn_dataset_request request = {spec, split, 3, SIDE, SIDE, CLASSES, NULL};
    vdnn_dataset *dataset = NULL;
    assert_ok(vdnn_dataset_open(&request, &dataset));
    assert_int_equal(vdnn_dataset_count(dataset), 1 << 20);
    return dataset;
}

static void made_up_images_are_functions_of_seed_and_index(void **state)
{
    (void)state;
    vdnn_dataset *sets[] = {make_synthetic("synthetic:7", VDNN_SPLIT_TRAIN),
                            make_synthetic("synthetic:7", VDNN_SPLIT_TEST),
                            make_synthetic("synthetic:8", VDNN_SPLIT_TRAIN)};
    float a[MADE], b[MADE];
    int32_t label, again;
    static const uint64_t indexes[] = {0, 1, 4711, (1 << 20) - 1};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        assert_ok(vdnn_dataset_read(sets[0], indexes[i], &scratch, a, &label));
        assert_ok(vdnn_dataset_read(sets[1], indexes[i], &scratch, b, &again));
        assert_memory_equal(a, b, sizeof a);
        assert_int_equal(label, again);
        assert_ok(vdnn_dataset_read(sets[2], indexes[i], &scratch, b, &again));
        assert_memory_not_equal(a, b, sizeof a);
        assert_ok(vdnn_dataset_read(sets[0], indexes[i] ^ 1, &scratch, b, &again));
        assert_memory_not_equal(a, b, sizeof a);
    }
    for (size_t i = 0; i < 3; i++)
        vdnn_dataset_close(sets[i]);
}

static void made_up_images_can_be_learned(void **state)
{
    (void)state;
    enum { TRAIN = 400, TEST = 200 };
    static double means[CLASSES][MADE];
    int seen[CLASSES] = {0}, right = 0;
    double sum = 0, squares = 0;
    vdnn_dataset *dataset = make_synthetic("synthetic", VDNN_SPLIT_TRAIN);
    for (int i = 0; i < TRAIN + TEST; i++) {
        float image[MADE];
        int32_t label, best = 0;
        assert_ok(vdnn_dataset_read(dataset, (uint64_t)i, &scratch, image, &label));
        double distances[CLASSES] = {0};
        for (int k = 0; k < MADE; k++) {
            double pixel = (double)image[k];
            sum += pixel;
            squares += pixel * pixel;
            if (i < TRAIN)
                means[label][k] += pixel;
            for (int c = 0; c < CLASSES && i >= TRAIN; c++)
                distances[c] += pow(pixel - means[c][k] / seen[c], 2);
        }
        if (i < TRAIN) {
            seen[label]++;
            continue;
        }
        for (int32_t c = 1; c < CLASSES; c++)
            best = distances[c] < distances[best] ? c : best;
        right += best == label;
    }
    vdnn_dataset_close(dataset);
    double count = (double)MADE * (TRAIN + TEST);
    assert_true(fabs(sum / count) < 0.2);
    assert_true(fabs(squares / count - 1.25) < 0.15); /* noise 1, pattern 0.5 squared */
    assert_true(right > TEST * 9 / 10);
}

/* ---- specs and memory ------------------------------------------------------------------------ */

static void a_wrong_spec_is_told_with_what_would_be_right(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *reason;
    } cases[] = {
        {"idz:/tmp", "did you mean idx?"},
        {"sinthetic", "did you mean synthetic?"},
        {"", "known: cifar10, idx, images, npy, synthetic"},
        {":", "is no kind"},
        {"/data/mnist", "is no kind"},
        {"IDX:/tmp", "known:"},
        {"idx", "expected idx:DIR"},
        {"cifar10", "expected cifar10:DIR"},
        {"npy:", "expected npy:DIR"},
        {"synthetic:", "expected synthetic:SEED"},
        {"synthetic:x", "is no seed"},
        {"synthetic:-1", "is no seed"},
        {"synthetic:1x", "is no seed"},
        {"synthetic:99999999999999999999", "is no seed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_dataset_request request = {cases[i].spec, VDNN_SPLIT_TRAIN, 1, 2, 3, CLASSES, NULL};
        vdnn_dataset *dataset = NULL;
        assert_status(vdnn_dataset_open(&request, &dataset), VDNN_USAGE);
        assert_message(cases[i].reason);
        assert_null(dataset);
    }
    vdnn_dataset_close(NULL);
}

static void every_allocation_may_fail(void **state)
{
    blob images = idx_images(), labels = idx_labels();
    blob arrays = npy_images(1, NPY_IMAGES), classes = npy_labels(1, NPY_LABELS);
    write_idx_packed(*state, &images, &labels);
    write_npy(*state, &arrays, &classes);
    static const char *const kinds[] = {"idx", "npy"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        vdnn_dataset_request request = request_for(kinds[i], *state);
        request.width++; /* so that resizing takes memory too */
        vdnn_test_every_allocation_may_fail(&request, 5);
    }
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, vdnn_test_make_folder, vdnn_test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(idx_files_are_found_plain_and_packed_in_both_spellings),
        IN_FOLDER(the_test_part_of_idx_is_another_pair_of_files),
        IN_FOLDER(idx_headers_that_lie_are_refused),
        IN_FOLDER(the_largest_header_does_not_overflow),
        IN_FOLDER(idx_files_cut_off_anywhere_or_too_long_are_refused),
        IN_FOLDER(packed_files_cut_off_damaged_or_too_long_are_refused),
        IN_FOLDER(a_packed_bomb_is_not_unpacked),
        IN_FOLDER(what_is_unpacked_is_bounded_by_the_memory_there_is),
        IN_FOLDER(more_than_two_gibibytes_are_not_unpacked),
        IN_FOLDER(what_is_no_regular_file_is_refused_without_waiting),
        IN_FOLDER(damaged_idx_files_never_crash),
        IN_FOLDER(damaged_packed_files_never_crash),
        cmocka_unit_test(mnist_is_what_its_publishers_say),
        IN_FOLDER(another_number_of_channels_is_refused),
        IN_FOLDER(pictures_of_another_size_are_resized),
        IN_FOLDER(npy_files_of_all_versions_are_read),
        IN_FOLDER(npy_headers_that_lie_are_refused),
        IN_FOLDER(npy_sets_that_do_not_fit_together_are_refused),
        IN_FOLDER(npy_files_cut_off_anywhere_are_refused),
        IN_FOLDER(damaged_npy_files_never_crash),
        IN_FOLDER(a_file_that_shrinks_while_open_is_an_error_not_a_crash),
        cmocka_unit_test(made_up_images_are_functions_of_seed_and_index),
        cmocka_unit_test(made_up_images_can_be_learned),
        cmocka_unit_test(a_wrong_spec_is_told_with_what_would_be_right),
        IN_FOLDER(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, free_scratch);
}
