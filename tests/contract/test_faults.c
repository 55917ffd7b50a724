/* A whole run of training, in which one thing goes wrong: for every thing that can, one after the
 * other, until none is left. */

#include "runtime/base/output.h"
#include "runtime/vdnn.h"
#include "tests/support/every_fault.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIDE = 28, TRAIN_COUNT = 12, TEST_COUNT = 6, BATCH = 4, STEPS = 2 };

/* ---- the run --------------------------------------------------------------------------------- */

static const char network[] =
    "name: small\n"
    "input: {channels: 1, height: 28, width: 28}\n"
    "classes: 10\n"
    "batch: 4\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 5}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2, stride: 2}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 5}\n"
    "  - {name: norm2, type: batchnorm}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: drop, type: dropout, p: 0.5}\n"
    "  - {name: fc, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n";

/* What a run writes. */
typedef enum product { PROFILE, SAVE, TRACE, JSON, PRODUCT_COUNT } product;

static const char *const product_names[PRODUCT_COUNT] = {"small.profile", "last.safetensors",
                                                         "trace.json.gz", "run.json"};

typedef struct rig {
    char *folder;
    char paths[PRODUCT_COUNT][256], model[256], data[256], init[256];
    vdnn_session_options options;
    char *weights, *profile; /* as an undisturbed run writes them */
    size_t weights_bytes, profile_bytes;
    int entries; /* of the folder */
} rig;

static rig own;

static void put_big_endian(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void write_idx(const char *folder, const char *part, uint32_t count, vdnn_test_rng *rng)
{
    static unsigned char bytes[16 + TRAIN_COUNT * SIDE * SIDE];
    char name[64];
    put_big_endian(bytes, 0x803);
    put_big_endian(bytes + 4, count);
    put_big_endian(bytes + 8, SIDE);
    put_big_endian(bytes + 12, SIDE);
    for (uint32_t i = 0; i < count * SIDE * SIDE; i++)
        bytes[16 + i] = (unsigned char)vdnn_test_random(rng);
    (void)snprintf(name, sizeof name, "%s-images-idx3-ubyte", part);
    vdnn_test_write_file(vdnn_test_path(folder, name), bytes, 16 + count * SIDE * SIDE);
    put_big_endian(bytes, 0x801);
    for (uint32_t i = 0; i < count; i++)
        bytes[8 + i] = (unsigned char)(i % 10);
    (void)snprintf(name, sizeof name, "%s-labels-idx1-ubyte.gz", part);
    vdnn_test_write_packed(vdnn_test_path(folder, name), bytes, 8 + count);
}

static vdnn_status write_json(const vdnn_session *session)
{
    vdnn_text json = {0};
    vdnn_output *output = NULL;
    vdnn_status status = vdnn_session_json(session, &json);
    if (status == VDNN_OK)
        status = vdnn_output_create(own.paths[JSON], &output);
    if (status == VDNN_OK)
        status = vdnn_output_write(output, json.data, json.length);
    vdnn_text_fini(&json);
    if (status == VDNN_OK)
        return vdnn_output_commit(output);
    vdnn_output_abandon(output);
    return status;
}

static vdnn_status run(void)
{
    vdnn_session *session = NULL;
    vdnn_status status = vdnn_session_create(&own.options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    if (status == VDNN_OK)
        status = write_json(session);
    vdnn_session_destroy(session);
    return status;
}

/* ---- what is left behind --------------------------------------------------------------------- */

static void put_old(product which)
{
    if (which == PROFILE)
        vdnn_test_write_file(own.paths[PROFILE], own.profile, own.profile_bytes);
    else
        vdnn_test_write_file(own.paths[which], "old", 3);
}

static bool is_old(product which)
{
    char *bytes;
    size_t count;
    vdnn_test_read_file(own.paths[which], &bytes, &count);
    bool old = which == PROFILE
                   ? count == own.profile_bytes && memcmp(bytes, own.profile, count) == 0
                   : count == 3 && memcmp(bytes, "old", 3) == 0;
    free(bytes);
    return old;
}

static void expect_json(const char *path)
{
    static char text[1 << 20];
    gzFile file = gzopen(path, "rb"); /* plain ones too */
    assert_non_null(file);
    int length = gzread(file, text, sizeof text);
    assert_true(length > 0 && (size_t)length < sizeof text);
    assert_int_equal(gzclose(file), Z_OK);
    json_error_t error;
    json_t *root = json_loadb(text, (size_t)length, 0, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    json_decref(root);
}

/* A file is the old one or a whole new one. */
static void expect_whole(product which)
{
    char *bytes;
    size_t count;
    if (is_old(which))
        return;
    if (which == JSON || which == TRACE) {
        expect_json(own.paths[which]);
        return;
    }
    if (which == PROFILE) /* it knows everything, so nothing is measured or written */
        fail_msg("%s has changed", product_names[which]);
    vdnn_test_read_file(own.paths[SAVE], &bytes, &count);
    assert_int_equal(count, own.weights_bytes);
    assert_memory_equal(bytes, own.weights, count);
    free(bytes);
}

static void expect_new(product which)
{
    if (is_old(which))
        fail_msg("%s was not written by a run that succeeded", product_names[which]);
}

/* What holds after every run, however it ended. */
static void check_products(vdnn_status status)
{
    assert_int_equal(vdnn_test_folder_count(own.folder), own.entries);
    for (int i = 0; i < PRODUCT_COUNT; i++) {
        if (status == VDNN_OK && i != PROFILE)
            expect_new((product)i);
        expect_whole((product)i);
        put_old((product)i);
    }
}

static const vdnn_test_scene scene = {.play = run, .check = check_products};

static void expect_untouched(void)
{
    for (int i = 0; i < PRODUCT_COUNT; i++)
        assert_true(is_old((product)i));
}

/* A run that ends before its products are written. */
static void check_refused(vdnn_status status)
{
    assert_int_not_equal(status, VDNN_OK);
    expect_untouched();
    check_products(status);
}

static const vdnn_test_scene refused = {.play = run, .check = check_refused};

TEST(every_allocation_of_our_own_may_fail)
{
    vdnn_test_every_allocation(&scene);
}

/* ---- the system ------------------------------------------------------------------------------ */

#define FILES (1U << VDNN_FILE | 1U << VDNN_BAD_INPUT)
#define MEMORY (1U << VDNN_NO_MEMORY | 1U << VDNN_DEVICE)
#define NOTHING 0U /* the run succeeds all the same */

#define FAILS(name, number, statuses)                                                              \
    {                                                                                              \
        {.calls = VDNN_TEST_CALL(name), .error = (number)}, statuses                               \
    }
#define FAILS_ON(name, number, statuses)                                                           \
    {                                                                                              \
        {.calls = VDNN_TEST_CALL(name), .error = (number), .lasting = true}, statuses              \
    }
#define IS_SHORT(name, from_then_on)                                                               \
    {                                                                                              \
        {.calls = VDNN_TEST_CALL(name), .effect = VDNN_TEST_IS_SHORT, .lasting = (from_then_on)},  \
            NOTHING                                                                                \
    }

/* munmap is missing: it fails for bad arguments alone. */
static const vdnn_test_trouble troubles[] = {
    FAILS(open, EMFILE, FILES),
    FAILS_ON(open, EACCES, FILES),
    FAILS(close, EIO, FILES),
    FAILS(read, EIO, FILES),
    FAILS(read, EINTR, NOTHING),
    IS_SHORT(read, true),
    FAILS(pread, EIO, FILES),
    FAILS(pread, EINTR, NOTHING),
    IS_SHORT(pread, false),
    FAILS(write, ENOSPC, FILES),
    FAILS_ON(write, ENOSPC, FILES),
    FAILS(write, EINTR, NOTHING),
    IS_SHORT(write, false),
    FAILS(fsync, EIO, FILES),
    FAILS(rename, EXDEV, FILES),
    FAILS(stat, EIO, FILES),
    FAILS(fstat, EIO, FILES),
    FAILS(access, EACCES, FILES),
    FAILS(realpath, EIO, FILES),
    FAILS(statvfs, EIO, NOTHING),
    FAILS(getrlimit, EINVAL, NOTHING),
    FAILS(mmap, ENOMEM, MEMORY),
    FAILS_ON(mmap, ENOMEM, MEMORY),
    FAILS(mprotect, ENOMEM, MEMORY),
    FAILS(madvise, EINVAL, NOTHING),
    FAILS(mlock, ENOMEM, NOTHING),
    FAILS_ON(mlock, EPERM, NOTHING),
    FAILS(munlock, ENOMEM, NOTHING),
    FAILS(pthread_create, EAGAIN, MEMORY),
};

TEST(every_call_of_the_system_may_fail)
{
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
        vdnn_test_every_call(&scene, &troubles[i]);
}

/* ---- the device ------------------------------------------------------------------------------ */

TEST(every_call_of_the_device_may_fail)
{
    for (int i = 0; i < VDNN_TEST_DEVICE_CALL_COUNT; i++)
        vdnn_test_every_device_call(&scene, (vdnn_test_device_call)i);
}

TEST(a_flipped_bit_ends_a_run_with_8)
{
    const vdnn_test_fault none = {0};
    vdnn_test_device_fault fault = {.flip_nth = 2, .flip_byte = 77, .flip_bit = 3};
    vdnn_test_device_begin(&fault);
    vdnn_status status = vdnn_test_scene_play(&refused, &none);
    (void)vdnn_test_device_end();
    assert_int_equal(vdnn_status_exit_code(status), 8);
    assert_message("step 1, layer '");
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Nothing is trained or written on a machine that has too little. */
static void expect_refusal(const vdnn_test_fault *world, vdnn_status wanted, const char *part)
{
    assert_int_equal(vdnn_test_scene_play(&refused, world), wanted);
    assert_message(part);
}

TEST(a_machine_that_is_too_small_is_named_before_training)
{
    void *root = NULL;
    assert_int_equal(vdnn_test_make_folder(&root), 0);
    const vdnn_test_fault full = {.disk_bytes = 4096};
    const vdnn_test_fault short_files = {.limit = {true, RLIMIT_FSIZE, 4096}};
    const vdnn_test_fault group = {.root = root};
    const char *const files[][2] = {
        {"proc/self/cgroup", "0::/job\n"},
        {"sys/fs/cgroup/job/memory.max", "100000\n"},
        {"sys/fs/cgroup/job/memory.current", "90000\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        vdnn_test_write_below(root, files[i][0], files[i][1]);
    expect_refusal(&full, VDNN_FILE, "4096 (4.00 KiB) are free");
    expect_refusal(&short_files, VDNN_FILE, "RLIMIT_FSIZE");
    expect_refusal(&group, VDNN_DEVICE, "cgroup memory.max leaves 10000");
    assert_int_equal(vdnn_test_remove_folder(&root), 0);
}

/* ---- before and after ------------------------------------------------------------------------ */

static void make_options(const char *folder)
{
    for (int i = 0; i < PRODUCT_COUNT; i++)
        (void)snprintf(own.paths[i], sizeof own.paths[i], "%s/%s", folder, product_names[i]);
    (void)snprintf(own.model, sizeof own.model, "%s/small.yaml", folder);
    (void)snprintf(own.data, sizeof own.data, "idx:%s", folder);
    (void)snprintf(own.init, sizeof own.init, "%s/first.safetensors", folder);
    own.options = (vdnn_session_options){
        .size = sizeof own.options,
        .model = own.model,
        .device_mem = "64M",
        .host_mem = "64M",
        .threads = 2,
        .profile = own.paths[PROFILE],
        .policy = "all",
        .algo = "m",
        .steps = STEPS,
        .seed = 3,
        .data = own.data,
        .save = own.paths[SAVE],
        .output = vdnn_test_topic(output, .trace = own.paths[TRACE]),
        .trust = vdnn_test_topic(trust, .verify = true),
    };
}

/* A first run makes the profile and the first weights, a second one what every other is held
 * against. */
static int set_up(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    own.folder = *state;
    make_options(own.folder);
    vdnn_test_write_file(own.model, network, sizeof network - 1);
    write_idx(own.folder, "train", TRAIN_COUNT, &rng);
    write_idx(own.folder, "t10k", TEST_COUNT, &rng);
    assert_ok(run());
    assert_int_equal(rename(own.paths[SAVE], own.init), 0);
    own.options.init = own.init;
    assert_ok(run());
    vdnn_test_read_file(own.paths[SAVE], &own.weights, &own.weights_bytes);
    vdnn_test_read_file(own.paths[PROFILE], &own.profile, &own.profile_bytes);
    own.entries = vdnn_test_folder_count(own.folder);
    for (int i = 0; i < PRODUCT_COUNT; i++)
        put_old((product)i);
    vdnn_test_scene_begin();
    return 0;
}

static int tear_down(void **state)
{
    vdnn_test_scene_end();
    free(own.weights);
    free(own.profile);
    return vdnn_test_remove_folder(state);
}

int main(void)
{
    return vdnn_test_main(set_up, tear_down);
}
