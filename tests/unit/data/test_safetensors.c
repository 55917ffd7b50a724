#include "tests/support/files.h"

#include "runtime/base/heap.h"
#include "runtime/data/tensors/safetensors.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { FILE_LIMIT = 4096 };

/* ---- files by hand --------------------------------------------------------------------------- */

typedef struct blob {
    char bytes[FILE_LIMIT];
    size_t count;
} blob;

/* A file with this header and `data_bytes` of data: floats 0, 1, 2 ... */
static blob file_of(const char *header, size_t data_bytes)
{
    blob file = {.count = 8 + strlen(header) + data_bytes};
    uint64_t length = strlen(header);
    assert_true(file.count <= FILE_LIMIT);
    memcpy(file.bytes, &length, sizeof length);
    memcpy(file.bytes + 8, header, length);
    for (size_t i = 0; i < data_bytes / sizeof(float); i++) {
        float value = (float)i;
        memcpy(file.bytes + 8 + length + i * sizeof value, &value, sizeof value);
    }
    return file;
}

/* As other writers make them: spaces in the JSON, spaces after it, any order. */
#define GOOD_HEADER                                                                                \
    "{\"fc.bias\": {\"dtype\": \"F32\", \"shape\": [3], \"data_offsets\": [24, 36]}, "             \
    "\"fc.weight\": {\"dtype\": \"F32\", \"shape\": [3, 2], \"data_offsets\": [0, 24]}, "          \
    "\"bn.batches\": {\"dtype\": \"I64\", \"shape\": [], \"data_offsets\": [36, 44]}, "            \
    "\"__metadata__\": {\"format\": \"pt\"}}     "

enum { GOOD_DATA = 44 };

static vdnn_status open_blob(const char *folder, const blob *file, vdnn_safetensors **opened)
{
    const char *path = vdnn_test_path(folder, "weights.safetensors");
    vdnn_test_write_file(path, file->bytes, file->count);
    *opened = NULL;
    return vdnn_safetensors_open(path, opened);
}

static void assert_refused(const char *folder, const blob *file, const char *reason)
{
    vdnn_safetensors *opened;
    vdnn_status status = open_blob(folder, file, &opened);
    vdnn_safetensors_close(opened);
    assert_status(status, VDNN_BAD_INPUT);
    assert_null(opened);
    assert_message(reason);
    assert_message("weights.safetensors:");
}

/* ---- reading --------------------------------------------------------------------------------- */

TEST_IN_FOLDER(a_file_of_another_writer_is_read)
{
    vdnn_safetensors *file;
    blob good = file_of(GOOD_HEADER, GOOD_DATA);
    assert_ok(open_blob(*state, &good, &file));
    assert_int_equal(vdnn_safetensors_count(file), 3);
    assert_string_equal(vdnn_safetensors_name(file, 0), "fc.weight");
    assert_string_equal(vdnn_safetensors_name(file, 1), "fc.bias");
    float floats[6];
    assert_ok(vdnn_safetensors_read(file, "fc.bias", (const int64_t[]){3}, 1, floats));
    for (int i = 0; i < 3; i++)
        assert_true(floats[i] == (float)(i + 6));
    assert_ok(vdnn_safetensors_read(file, "fc.weight", (const int64_t[]){3, 2}, 2, floats));
    for (int i = 0; i < 6; i++)
        assert_true(floats[i] == (float)i);
    vdnn_safetensors_close(file);
}

TEST_IN_FOLDER(a_part_of_a_tensor_is_read_alone)
{
    static const int64_t dims[] = {3, 2};
    vdnn_safetensors *file;
    blob good = file_of(GOOD_HEADER, GOOD_DATA);
    assert_ok(open_blob(*state, &good, &file));
    for (int first = 0; first < 6; first++)
        for (int count = 0; first + count <= 6; count++) {
            float floats[7] = {-1, -1, -1, -1, -1, -1, -1};
            assert_ok(vdnn_safetensors_read_part(file, "fc.weight", dims, 2, first, count, floats));
            for (int i = 0; i < 7; i++)
                assert_true(floats[i] == (i < count ? (float)(first + i) : -1.0f));
        }
    float floats[2];
    assert_status(vdnn_safetensors_read_part(file, "fc.weight", dims, 1, 0, 2, floats),
                  VDNN_BAD_INPUT);
    assert_message("is of shape 3 x 2, expected 3");
    vdnn_safetensors_close(file);
}

TEST_IN_FOLDER(parts_of_other_types_of_floats_are_read_as_float32)
{
    static const unsigned char data[] = {0x00, 0x3e, 0x01, 0x00, 0xc0, 0xbf, 0, 0,
                                         0,    0,    0,    0,    0xf8, 0x3f, 0, 0,
                                         0,    0xe0, 0xff, 0xff, 0xef, 0x47};
    vdnn_safetensors *file;
    float floats[2] = {0};
    blob types = file_of("{\"a\": {\"dtype\": \"F16\", \"shape\": [2], \"data_offsets\": [0, 4]}, "
                         "\"b\": {\"dtype\": \"BF16\", \"shape\": [1], \"data_offsets\": [4, 6]}, "
                         "\"c\": {\"dtype\": \"F64\", \"shape\": [2], \"data_offsets\": [6, 22]}}",
                         sizeof data);
    memcpy(types.bytes + types.count - sizeof data, data, sizeof data);
    assert_ok(open_blob(*state, &types, &file));
    assert_ok(vdnn_safetensors_read_part(file, "a", (const int64_t[]){2}, 1, 0, 2, floats));
    assert_true(floats[0] == 1.5F && floats[1] == 0x1p-24F);
    assert_ok(vdnn_safetensors_read_part(file, "b", (const int64_t[]){1}, 1, 0, 1, floats));
    assert_true(floats[0] == -1.5F);
    assert_ok(vdnn_safetensors_read_part(file, "c", (const int64_t[]){2}, 1, 1, 1, floats));
    assert_true(floats[0] == 0x1.fffffep127F);
    vdnn_safetensors_close(file);
}

TEST_IN_FOLDER(what_is_asked_for_wrongly_is_told)
{
    static const struct {
        const char *name;
        int64_t dims[2];
        int dim_count;
        const char *reasons[2];
    } cases[] = {
        {"fc.wieght", {3, 2}, 2, {"has no tensor fc.wieght", "did you mean fc.weight?"}},
        {"zzz", {1}, 1, {"has no tensor zzz", ""}},
        {"__metadata__", {1}, 1, {"has no tensor", ""}},
        {"fc.weight", {2, 3}, 2, {"is of shape 3 x 2", "expected 2 x 3"}},
        {"fc.weight", {6}, 1, {"is of shape 3 x 2", "expected 6"}},
        {"fc.weight", {0}, 0, {"is of shape 3 x 2", "expected scalar"}},
        {"bn.batches", {0}, 0, {"is of dtype I64", "expected F32"}},
    };
    vdnn_safetensors *file;
    blob good = file_of(GOOD_HEADER, GOOD_DATA);
    assert_ok(open_blob(*state, &good, &file));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float floats[6] = {-1, -1, -1, -1, -1, -1};
        assert_status(
            vdnn_safetensors_read(file, cases[i].name, cases[i].dims, cases[i].dim_count, floats),
            VDNN_BAD_INPUT);
        assert_message(cases[i].reasons[0]);
        assert_message(cases[i].reasons[1]);
        assert_true(floats[0] == -1);
    }
    vdnn_safetensors_close(file);
}

#define TENSOR(dtype, shape, offsets)                                                              \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

TEST_IN_FOLDER(headers_that_lie_are_refused)
{
    static const struct {
        const char *header, *reason;
        size_t data_bytes;
    } lies[] = {
        {"", "not JSON", 0},
        {"[]", "not a JSON object", 0},
        {"{\"a\":", "not JSON", 0},
        {"{\"a\":1}", "just dtype, shape and data_offsets", 0},
        {"{\"a\":{}}", "just dtype, shape and data_offsets", 0},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4]") "} x", "not JSON", 4},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4]") ",\"a\":" TENSOR("F32", "[1]", "[0,4]") "}",
         "duplicate", 4},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"more\":1}}",
         "just dtype", 4},
        {"{\"a\":" TENSOR("F33", "[1]", "[0,4]") "}", "unknown dtype F33 (did you mean F32?)", 4},
        {"{\"a\":{\"dtype\":7,\"shape\":[1],\"data_offsets\":[0,4]}}", "unknown dtype (no string)",
         4},
        {"{\"a\":" TENSOR("F32", "4", "[0,4]") "}", "shape of tensor a", 4},
        {"{\"a\":" TENSOR("F32", "[-1]", "[0,4]") "}", "dimension 0 of tensor a", 4},
        {"{\"a\":" TENSOR("F32", "[1.0]", "[0,4]") "}", "dimension 0 of tensor a", 4},
        {"{\"a\":" TENSOR("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", "at most 8", 4},
        {"{\"a\":" TENSOR("F32", "[99999999999999999999]", "[0,4]") "}", "too big integer", 4},
        {"{\"a\":" TENSOR("F32", "[1]", "[0]") "}", "data_offsets of tensor a", 4},
        {"{\"a\":" TENSOR("F32", "[1]", "[4,0]") "}", "begin <= end", 4},
        {"{\"a\":" TENSOR("F32", "[1]", "[-4,0]") "}", "begin <= end", 4},
        {"{\"a\":" TENSOR("F32", "[1]", "{}") "}", "data_offsets of tensor a", 4},
        {"{\"a\":" TENSOR("F32", "[2]", "[0,4]") "}", "not what F32 of shape 2 takes", 4},
        {"{\"a\":" TENSOR("F16", "[1]", "[0,4]") "}", "not what F16 of shape 1 takes", 4},
        {"{\"a\":" TENSOR("F32", "[4294967296,4294967296]", "[0,0]") "}", "4294967296 x 4294967296",
         0},
        {"{\"a\":" TENSOR("F32", "[1]", "[4,8]") "}", "bytes 0 to 4 of the data belong", 8},
        {"{\"a\":" TENSOR("F32", "[2]", "[0,8]") ",\"b\":" TENSOR("F32", "[2]", "[4,12]") "}",
         "tensors a and b overlap", 12},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4]") ",\"b\":" TENSOR("F32", "[1]", "[0,4]") "}",
         "overlap", 4},
        {"{\"a\":" TENSOR("F32", "[2]", "[0,8]") "}", "is cut off", 4},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4]") "}", "has more than", 8},
        {"{\"a\":" TENSOR("U8", "[9223372036854775807]", "[0,9223372036854775807]") "}",
         "is cut off", 4},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob file = file_of(lies[i].header, lies[i].data_bytes);
        assert_refused(*state, &file, lies[i].reason);
    }
}

TEST_IN_FOLDER(header_lengths_that_lie_are_refused)
{
    static const struct {
        uint64_t length;
        const char *reason;
    } lies[] = {
        {0, "not JSON"},
        {sizeof GOOD_HEADER, "not JSON"},
        {100000000, "is cut off"},
        {100000001, "not a safetensors file"},
        {UINT64_MAX, "not a safetensors file"},
        {UINT64_MAX - 7, "not a safetensors file"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob file = file_of(GOOD_HEADER, GOOD_DATA);
        memcpy(file.bytes, &lies[i].length, 8);
        assert_refused(*state, &file, lies[i].reason);
    }
}

TEST_IN_FOLDER(a_deeply_nested_header_is_refused)
{
    enum { DEPTH = 1 << 20 };
    char *bytes = malloc(8 + DEPTH);
    assert_non_null(bytes);
    memcpy(bytes, &(uint64_t){DEPTH}, 8);
    memset(bytes + 8, '[', DEPTH);
    const char *path = vdnn_test_path(*state, "deep.safetensors");
    vdnn_test_write_file(path, bytes, 8 + DEPTH);
    free(bytes);
    vdnn_safetensors *file = NULL;
    assert_status(vdnn_safetensors_open(path, &file), VDNN_BAD_INPUT);
    assert_null(file);
}

TEST_IN_FOLDER(files_cut_off_anywhere_are_refused)
{
    blob file = file_of(GOOD_HEADER, GOOD_DATA);
    for (size_t count = 0; count < file.count; count++) {
        blob part = file;
        part.count = count;
        assert_refused(*state, &part, "is cut off");
    }
}

TEST_IN_FOLDER(damaged_files_never_crash)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(10000); i++) {
        blob file = file_of(GOOD_HEADER, GOOD_DATA);
        for (int64_t k = vdnn_test_between(&rng, 1, 4); k > 0; k--)
            file.bytes[vdnn_test_between(&rng, 0, (int64_t)file.count - 1)] =
                vdnn_test_between(&rng, 0, 1)
                    ? (char)vdnn_test_random(&rng)
                    : "0123456789[]{},:\"-.e"[vdnn_test_between(&rng, 0, 19)];
        vdnn_safetensors *opened;
        vdnn_status status = open_blob(*state, &file, &opened);
        if (status != VDNN_OK) {
            assert_status(status, VDNN_BAD_INPUT);
            continue;
        }
        float floats[6];
        for (int32_t t = 0; t < vdnn_safetensors_count(opened); t++)
            (void)vdnn_safetensors_read(opened, vdnn_safetensors_name(opened, t),
                                        (const int64_t[]){3, 2}, 2, floats);
        vdnn_safetensors_close(opened);
    }
}

TEST_IN_FOLDER(a_file_that_is_not_there_is_a_file_error)
{
    vdnn_safetensors *file = NULL;
    assert_status(vdnn_safetensors_open(vdnn_test_path(*state, "none"), &file), VDNN_FILE);
    assert_message("/none: ");
    assert_status(vdnn_safetensors_open(*state, &file), VDNN_FILE);
    vdnn_safetensors_close(NULL);
}

/* ---- writing --------------------------------------------------------------------------------- */

static const float weight[6] = {1, -2, 3.5f, 0, -0.0f, 1e-40f}, bias[3] = {7, 8, 9}, one[1] = {5};
static const int64_t weight_dims[] = {3, 1, 2, 1}, bias_dims[] = {3};
static const vdnn_safetensors_entry entries[] = {
    {"conv.weight", weight_dims, 4, weight, false},
    {"conv.bias", bias_dims, 1, bias, false},
    {"scale \"\xc3\xa9\"", NULL, 0, one, false},
};

enum { ENTRY_COUNT = sizeof entries / sizeof *entries };

TEST_IN_FOLDER(what_is_written_is_read_back_bit_for_bit)
{
    const char *path = vdnn_test_path(*state, "out.safetensors");
    assert_ok(vdnn_safetensors_write(path, entries, ENTRY_COUNT));
    vdnn_safetensors *file;
    assert_ok(vdnn_safetensors_open(path, &file));
    assert_int_equal(vdnn_safetensors_count(file), ENTRY_COUNT);
    for (int32_t i = 0; i < ENTRY_COUNT; i++) {
        float floats[6] = {0};
        assert_string_equal(vdnn_safetensors_name(file, i), entries[i].name);
        assert_ok(vdnn_safetensors_read(file, entries[i].name, entries[i].dims,
                                        entries[i].dim_count, floats));
        assert_memory_equal(floats, entries[i].floats,
                            (i == 0   ? 6
                             : i == 1 ? 3
                                      : 1) *
                                sizeof(float));
    }
    vdnn_safetensors_close(file);
    assert_int_equal(vdnn_test_folder_count(*state), 1);
}

TEST_IN_FOLDER(the_data_begins_at_a_multiple_of_eight)
{
    const char *path = vdnn_test_path(*state, "out.safetensors");
    char name[16] = "";
    for (int length = 1; length <= 9; length++) {
        name[length - 1] = 'x';
        const vdnn_safetensors_entry entry = {name, bias_dims, 1, bias, false};
        assert_ok(vdnn_safetensors_write(path, &entry, 1));
        char *bytes;
        size_t count;
        uint64_t header;
        vdnn_test_read_file(path, &bytes, &count);
        memcpy(&header, bytes, sizeof header);
        assert_int_equal(header % 8, 0);
        assert_int_equal(bytes[8], '{');
        assert_int_equal(count, 8 + header + sizeof bias);
        assert_memory_equal(bytes + 8 + header, bias, sizeof bias);
        json_t *root = json_loadb(bytes + 8, header, 0, NULL);
        const char *format = NULL;
        assert_int_equal(json_unpack(root, "{s:{s:s}}", "__metadata__", "format", &format), 0);
        assert_string_equal(format, "pt");
        json_decref(root);
        free(bytes);
    }
}

TEST_IN_FOLDER(a_failed_write_leaves_the_old_file)
{
    const char *path = vdnn_test_path(*state, "out.safetensors");
    assert_ok(vdnn_safetensors_write(path, entries, 1));
    char *before, *after;
    size_t before_count, after_count;
    vdnn_test_read_file(path, &before, &before_count);

    const vdnn_safetensors_entry twice[] = {entries[0], entries[0]};
    assert_status(vdnn_safetensors_write(path, twice, 2), VDNN_BAD_INPUT);
    assert_message("two tensors are called conv.weight");
    const vdnn_safetensors_entry broken = {"\xff\xfe", bias_dims, 1, bias, false};
    assert_status(vdnn_safetensors_write(path, &broken, 1), VDNN_BAD_INPUT);
    assert_message("UTF-8");
    vdnn_status status = VDNN_NO_MEMORY;
    size_t live = vdnn_heap_live_count();
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_test_read_file(path, &after, &after_count);
        assert_int_equal(after_count, before_count);
        assert_memory_equal(after, before, before_count);
        free(after);
        vdnn_heap_fail_after(n);
        status = vdnn_safetensors_write(path, entries, ENTRY_COUNT);
        vdnn_heap_fail_after(0);
        assert_int_equal(vdnn_heap_live_count(), live);
        assert_int_equal(vdnn_test_folder_count(*state), 1);
    }
    free(before);
}

TEST_IN_FOLDER(data_in_pieces_makes_the_same_file_and_its_digest)
{
    const char *whole = vdnn_test_path(*state, "whole"), *parts = vdnn_test_path(*state, "parts");
    vdnn_safetensors_writer *writer = NULL;
    vdnn_digest digest;
    char *left, *right;
    size_t left_count, right_count;
    assert_ok(vdnn_safetensors_write(whole, entries, 2));
    assert_ok(vdnn_safetensors_writer_create(parts, entries, 2, NULL, &writer));
    assert_ok(vdnn_safetensors_writer_put(writer, weight, sizeof weight - 5));
    assert_ok(vdnn_safetensors_writer_put(writer, (const char *)weight + sizeof weight - 5, 5));
    assert_ok(vdnn_safetensors_writer_put(writer, bias, sizeof bias));
    assert_ok(vdnn_safetensors_writer_commit(writer, &digest));
    vdnn_test_read_file(whole, &left, &left_count);
    vdnn_test_read_file(parts, &right, &right_count);
    assert_int_equal(left_count, right_count);
    assert_memory_equal(left, right, left_count);
    XXH128_hash_t hash = XXH3_128bits(left, left_count);
    assert_int_equal(digest.bytes, left_count);
    assert_int_equal(digest.high, hash.high64);
    assert_int_equal(digest.low, hash.low64);
    free(left);
    free(right);
}

TEST_IN_FOLDER(float64_is_read_as_it_was_written)
{
    static const double values[3] = {0.1, -1e300, 0.0};
    static const int64_t dims[1] = {3};
    const vdnn_safetensors_entry entry = {"losses", dims, 1, NULL, true};
    const char *path = vdnn_test_path(*state, "doubles");
    vdnn_safetensors_writer *writer = NULL;
    vdnn_safetensors *file = NULL;
    double doubles[3];
    float floats[3];
    assert_ok(vdnn_safetensors_writer_create(path, &entry, 1, NULL, &writer));
    assert_ok(vdnn_safetensors_writer_put(writer, values, sizeof values));
    assert_ok(vdnn_safetensors_writer_commit(writer, NULL));
    assert_ok(vdnn_safetensors_open(path, &file));
    assert_ok(vdnn_safetensors_read_doubles(file, "losses", dims, 1, doubles));
    assert_memory_equal(doubles, values, sizeof values);
    assert_status(vdnn_safetensors_read(file, "losses", dims, 1, floats), VDNN_BAD_INPUT);
    assert_message("expected F32");
    vdnn_safetensors_close(file);
}

TEST_IN_FOLDER(a_place_that_cannot_be_written_is_a_file_error)
{
    const char *nowhere = vdnn_test_path(*state, "none/out.safetensors");
    assert_status(vdnn_safetensors_write(nowhere, entries, ENTRY_COUNT), VDNN_FILE);
    assert_message(nowhere);
    const char *folder = vdnn_test_path(*state, "folder");
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_status(vdnn_safetensors_write(folder, entries, ENTRY_COUNT), VDNN_FILE);
    assert_message(folder);
    const char *pipe_path = vdnn_test_path(*state, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_status(vdnn_safetensors_write(pipe_path, entries, ENTRY_COUNT), VDNN_FILE);
    assert_message("not a regular file");
    assert_int_equal(vdnn_test_folder_count(*state), 2);
}

TEST_IN_FOLDER(a_symbolic_link_stays_one)
{
    const char *target = vdnn_test_path(*state, "target");
    const char *link_path = vdnn_test_path(*state, "link");
    vdnn_test_write_file(target, "old", 3);
    assert_int_equal(symlink("target", link_path), 0);
    assert_ok(vdnn_safetensors_write(link_path, entries, ENTRY_COUNT));
    struct stat info;
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    vdnn_safetensors *file;
    assert_ok(vdnn_safetensors_open(target, &file));
    vdnn_safetensors_close(file);
    assert_int_equal(vdnn_test_folder_count(*state), 2);
}

TEST_IN_FOLDER(every_allocation_of_open_may_fail)
{
    blob good = file_of(GOOD_HEADER, GOOD_DATA);
    const char *path = vdnn_test_path(*state, "weights.safetensors");
    vdnn_test_write_file(path, good.bytes, good.count);
    size_t live = vdnn_heap_live_count();
    vdnn_safetensors *file = NULL;
    for (size_t n = 1; file == NULL; n++) {
        vdnn_heap_fail_after(n);
        vdnn_status status = vdnn_safetensors_open(path, &file);
        vdnn_heap_fail_after(0);
        if (status != VDNN_OK) {
            assert_status(status, VDNN_NO_MEMORY);
            assert_int_equal(vdnn_heap_live_count(), live);
        }
    }
    vdnn_safetensors_close(file);
    assert_int_equal(vdnn_heap_live_count(), live);
}
