/* Weights as NumPy's .npz. Files that NumPy writes, and that it reads, are in
 * tests/support/try_python.py. */

#include "runtime/data/tensors/npz.h"

#include "runtime/base/heap.h"
#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

static const int64_t weight_dims[] = {3, 2}, bias_dims[] = {3};
static const vdnn_safetensors_entry entries[] = {
    {.name = "fc.weight", .dims = weight_dims, .dim_count = 2},
    {.name = "fc.bias", .dims = bias_dims, .dim_count = 1},
};
static const float values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static const char *path_in(void **state)
{
    return vdnn_test_path(*state, "w.npz");
}

static void write_good(const char *path)
{
    vdnn_npz_writer *writer = NULL;
    assert_ok(vdnn_npz_writer_create(path, entries, 2, &writer));
    assert_ok(vdnn_npz_writer_put(writer, values, 4 * sizeof *values));
    assert_ok(vdnn_npz_writer_put(writer, values + 4, 2 * sizeof *values));
    assert_ok(vdnn_npz_writer_put(writer, values + 6, 3 * sizeof *values));
    assert_ok(vdnn_npz_writer_commit(writer));
}

TEST_IN_FOLDER(what_was_written_is_read_in_parts)
{
    vdnn_npz *file = NULL;
    float read[6];
    write_good(path_in(state));
    assert_ok(vdnn_npz_open(path_in(state), &file));
    assert_int_equal(vdnn_npz_count(file), 2);
    assert_string_equal(vdnn_npz_name(file, 0), "fc.weight");
    assert_ok(vdnn_npz_read_part(file, "fc.weight", weight_dims, 2, 0, 6, read));
    assert_memory_equal(read, values, sizeof read);
    assert_ok(vdnn_npz_read_part(file, "fc.weight", weight_dims, 2, 2, 4, read));
    assert_memory_equal(read, values + 2, 4 * sizeof *read);
    assert_ok(vdnn_npz_read_part(file, "fc.bias", bias_dims, 1, 0, 3, read));
    assert_memory_equal(read, values + 6, 3 * sizeof *read);
    assert_status(vdnn_npz_read_part(file, "fc.wieght", weight_dims, 2, 0, 6, read),
                  VDNN_BAD_INPUT);
    assert_message("has no array fc.wieght (did you mean fc.weight?)");
    assert_status(vdnn_npz_read_part(file, "fc.weight", bias_dims, 1, 0, 3, read), VDNN_BAD_INPUT);
    assert_message("fc.weight has 2 dimensions, or other ones than the parameter, which has 1");
    vdnn_npz_close(file);
}

TEST_IN_FOLDER(an_archive_without_members_is_read)
{
    vdnn_npz_writer *writer = NULL;
    vdnn_npz *file = NULL;
    float read;
    assert_ok(vdnn_npz_writer_create(path_in(state), entries, 0, &writer));
    assert_ok(vdnn_npz_writer_commit(writer));
    assert_ok(vdnn_npz_open(path_in(state), &file));
    assert_int_equal(vdnn_npz_count(file), 0);
    assert_status(vdnn_npz_read_part(file, "fc", bias_dims, 1, 0, 3, &read), VDNN_BAD_INPUT);
    vdnn_npz_close(file);
}

/* Replaces the `which`th text in a good file by another of its length. */
static void write_changed(const char *path, const void *text, const void *other, size_t length,
                          int which)
{
    char *bytes;
    size_t count;
    write_good(path);
    vdnn_test_read_file(path, &bytes, &count);
    char *at = bytes - 1;
    for (int i = 0; i <= which; i++) {
        at = memmem(at + 1, count - (size_t)(at + 1 - bytes), text, length);
        assert_non_null(at);
    }
    memcpy(at, other, length);
    vdnn_test_write_file(path, bytes, count);
    free(bytes);
}

#define CHANGE(from, to, which, message)                                                           \
    {                                                                                              \
        from, to, sizeof from - 1, which, message                                                  \
    }

TEST_IN_FOLDER(what_is_no_archive_of_arrays_is_refused)
{
    static const struct {
        const char *from, *to;
        size_t length;
        int which;
        const char *message;
    } cases[] = {
        CHANGE("PK\x05\x06", "PK\x05\x07", 0, "has no end record of a zip archive"),
        CHANGE("PK\x06\x07", "PK\x06\x08", 0, "its end is that of a larger file"),
        CHANGE("PK\x06\x06", "PK\x06\x08", 0, "its end is that of a larger file"),
        CHANGE("PK\x01\x02", "PK\x01\x03", 1, "its list of members ends early"),
        CHANGE("PK\x03\x04", "PK\x03\x05", 1, "a member is not where the list has it"),
        CHANGE("\x93NUMPY", "\x93NUMPI", 0, "member fc.weight is no array of NumPy"),
        CHANGE("fc.bias.npy", "fc.bias.npx", 1, "a member's name does not end in .npy"),
        CHANGE("(3, 2)", "(3, 3)", 0, "has 24 bytes of data, which is not what its shape takes"),
        CHANGE("'shape'", "'shade'", 0, "the header is wrong at its byte"),
        /* method 8 in the list, which has it after versions and flags */
        CHANGE("PK\x01\x02\x2d\x00\x2d\x00\x08\x00\x00\x00",
               "PK\x01\x02\x2d\x00\x2d\x00\x08\x00\x08\x00", 1,
               "member fc.bias is compressed or encrypted"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t live = vdnn_heap_live_count();
        vdnn_npz *file = NULL;
        write_changed(path_in(state), cases[i].from, cases[i].to, cases[i].length, cases[i].which);
        assert_status(vdnn_npz_open(path_in(state), &file), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
}

TEST_IN_FOLDER(arrays_of_other_types_and_orders_are_refused_when_they_are_read)
{
    static const char *const changes[][2] = {
        {"'<f4'", "'>f4'"}, {"'<f4'", "'<i4'"}, {"False", "True "}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        vdnn_npz *file = NULL;
        float read[6];
        write_changed(path_in(state), changes[i][0], changes[i][1], 5, 0);
        assert_ok(vdnn_npz_open(path_in(state), &file));
        assert_status(vdnn_npz_read_part(file, "fc.weight", weight_dims, 2, 0, 6, read),
                      VDNN_BAD_INPUT);
        assert_message("expected floats (<f4, <f2 or <f8) in C order");
        vdnn_npz_close(file);
    }
}

TEST_IN_FOLDER(a_file_that_is_cut_off_is_refused_at_every_byte)
{
    char *bytes;
    size_t count;
    write_good(path_in(state));
    vdnn_test_read_file(path_in(state), &bytes, &count);
    for (size_t length = 0; length < count; length += 7) {
        vdnn_npz *file = NULL;
        vdnn_test_write_file(path_in(state), bytes, length);
        assert_status(vdnn_npz_open(path_in(state), &file), VDNN_BAD_INPUT);
    }
    free(bytes);
}
