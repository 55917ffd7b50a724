/* What others make, broken in every way: one line that names place, expectation and remedy, the
 * right exit code, nothing written, and little time and memory, however hostile the input. */

#include "tests/support/program.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sanitizers keep freed memory, and shadow all of it. */
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_FACTOR = 6, SECONDS_FACTOR = 10 };
#else
enum { MEMORY_FACTOR = 1, SECONDS_FACTOR = 1 };
#endif
enum { MOST_MIB = 320, MOST_SECONDS = 10 };

typedef struct bad_case {
    int code;
    const char *line;
    const char *place, *expected; /* parts of the message */
} bad_case;

/* ---- one run --------------------------------------------------------------------------------- */

static const char *const outputs[] = {"j.json", "w.safetensors", "t.json"};
static const char KEPT[] = "what was there before";

static void put_outputs(const char *folder)
{
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        vdnn_test_write_file(vdnn_test_path(folder, outputs[i]), KEPT, strlen(KEPT));
}

static void check_outputs(const char *folder)
{
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        char *bytes;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(folder, outputs[i]), &bytes, &count);
        assert_string_equal(bytes, KEPT);
        free(bytes);
    }
}

/* Exactly one line of the program is an error, and it holds nothing that moves a cursor. */
static void check_messages(const vdnn_test_run *run, const bad_case *one)
{
    int errors = 0;
    for (const char *at = run->err; (at = strstr(at, ": error: ")) != NULL; at++)
        errors++;
    if (errors != 1)
        fail_msg("%s: %d messages instead of one:\n%s", one->line, errors, run->err);
    for (const char *c = run->err; *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 127)
            fail_msg("%s: character %d in a message:\n%s", one->line, *c, run->err);
    size_t length = strlen(run->err);
    assert_true(length > 0 && run->err[length - 1] == '\n');
    const char *line = strstr(run->err, ": error: ");
    if (strchr(line, '\n') != run->err + length - 1)
        fail_msg("%s: something is said after the error:\n%s", one->line, run->err);
}

static void check_case(const char *folder, const bad_case *one)
{
    vdnn_test_run run;
    bool trains = strncmp(one->line, "vdnnrun", strlen("vdnnrun")) == 0;
    put_outputs(folder);
    int before = vdnn_test_folder_count(folder);
    vdnn_test_program(&run, folder, "%s%s", one->line,
                      trains ? " --json @/j.json --save @/w.safetensors --trace @/t.json" : "");
    vdnn_test_expect(&run, one->code, one->place);
    vdnn_test_expect(&run, one->code, one->expected);
    check_messages(&run, one);
    assert_string_equal(run.out, "");
    check_outputs(folder);
    assert_int_equal(vdnn_test_folder_count(folder), before);
    if (run.seconds > MOST_SECONDS * SECONDS_FACTOR)
        fail_msg("%s: took %.1f s", one->line, run.seconds);
    if (run.peak_bytes >> 20 > MOST_MIB * MEMORY_FACTOR)
        fail_msg("%s: took %zu MiB", one->line, run.peak_bytes >> 20);
    vdnn_test_run_free(&run);
}

static void check_cases(const char *folder, const bad_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_case(folder, &cases[i]);
}

#define CHECK(cases) check_cases(*state, cases, sizeof(cases) / sizeof((cases)[0]))

/* ---- inputs ---------------------------------------------------------------------------------- */

static void write_text(const char *folder, const char *name, const char *text)
{
    vdnn_test_write_file(vdnn_test_path(folder, name), text, strlen(text));
}

static void make_folder(const char *folder, const char *name)
{
    assert_int_equal(mkdir(vdnn_test_path(folder, name), 0755), 0);
}

static void make_link(const char *folder, const char *name, const char *to)
{
    assert_int_equal(symlink(to, vdnn_test_path(folder, name)), 0);
}

static void put_big_endian(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* An idx file with that header, and `bytes` bytes of `fill` behind it. */
static void write_idx(const char *folder, const char *name, const uint32_t *header, size_t words,
                      size_t bytes, int fill)
{
    unsigned char *file = calloc(1, 4 * words + bytes);
    assert_non_null(file);
    for (size_t i = 0; i < words; i++)
        put_big_endian(file + 4 * i, header[i]);
    memset(file + 4 * words, fill, bytes);
    vdnn_test_write_file(vdnn_test_path(folder, name), file, 4 * words + bytes);
    free(file);
}

#define IDX(folder, name, bytes, fill, ...)                                                        \
    write_idx(folder, name, (const uint32_t[]){__VA_ARGS__},                                       \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), bytes, fill)

/* A set of 20 pictures of 12 x 12 in FOLDER/NAME. */
static void write_idx_set(const char *folder, const char *name)
{
    char path[64];
    make_folder(folder, name);
    (void)snprintf(path, sizeof path, "%s/train-images-idx3-ubyte", name);
    IDX(folder, path, 20 * 144, 7, 0x803, 20, 12, 12);
    (void)snprintf(path, sizeof path, "%s/train-labels-idx1-ubyte", name);
    IDX(folder, path, 20, 3, 0x801, 20);
}

static void write_safetensors(const char *folder, const char *name, const char *header,
                              const void *data, size_t bytes)
{
    uint64_t length = strlen(header);
    FILE *file = fopen(vdnn_test_path(folder, name), "we");
    assert_non_null(file);
    assert_int_equal(fwrite(&length, 1, sizeof length, file), sizeof length);
    assert_true(fputs(header, file) >= 0);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* A file of so many bytes that takes none on the disk; false where the file system has none so
 * large. */
static bool make_sparse(const char *folder, const char *name, off_t bytes)
{
    int file = open(vdnn_test_path(folder, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(file >= 0);
    bool good = ftruncate(file, bytes) == 0;
    assert_int_equal(close(file), 0);
    return good;
}

static const char two_classes[] = "name: two\ninput: {channels: 1, height: 12, width: 12}\n"
                                  "classes: 2\nbatch: 1\nlayers:\n"
                                  "  - {name: f, type: fc, out: 2}\n"
                                  "  - {name: l, type: softmax_loss}\n";

/* Weights of the network of vdnn_test_network, as it saves them. */
static void save_weights(const char *folder)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "vdnnrun --model @/net.yaml --steps 1 --quiet --save @/good");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

/* FOLDER/NAME: those with one value of fc1.weight, the last tensor but one, changed. */
static void spoil_weights(const char *folder, const char *name, float value)
{
    char *bytes;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(folder, "good"), &bytes, &count);
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    char *entry = strstr(bytes + sizeof length, "\"fc1.weight\"");
    assert_non_null(entry);
    char *offsets = strstr(entry, "\"data_offsets\":[");
    assert_non_null(offsets);
    size_t begin = strtoul(offsets + strlen("\"data_offsets\":["), NULL, 10);
    memcpy(bytes + sizeof length + length + begin + 5 * sizeof value, &value, sizeof value);
    vdnn_test_write_file(vdnn_test_path(folder, name), bytes, count);
    free(bytes);
}

/* ---- lying headers, truncated and oversized files -------------------------------------------- */

static void headers_that_lie_are_refused(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data idx:@/more", "train-images-idx3-ubyte",
         "5776 bytes expected, 2896 found"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/huge", "train-images-idx3-ubyte",
         "sides must be 1 to 65536"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/most", "train-images-idx3-ubyte",
         "has 4294967295 images; expected 1 to 134217728"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/other", "0x00000d03",
         "expected 0x00000803 of an idx file of images"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/fewer", "train-labels-idx1-ubyte",
         "has 19 labels, but there are 20 images"},
        {3, "vdnnrun --model @/net.yaml --init @/length", "length", "33554432 are the most"},
        {3, "vdnnrun --model @/net.yaml --init @/beyond", "beyond", "is cut off"},
        {3, "vdnnrun --model @/net.yaml --init @/product", "tensor a", "not what F32 of shape"},
    };
    vdnn_test_network(*state);
    static const char *const sets[] = {"more", "huge", "most", "other", "fewer"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        write_idx_set(*state, sets[i]);
    IDX(*state, "more/train-images-idx3-ubyte", 20 * 144, 7, 0x803, 40, 12, 12);
    IDX(*state, "huge/train-images-idx3-ubyte", 20 * 144, 7, 0x803, 1, 65537, 1);
    IDX(*state, "most/train-images-idx3-ubyte", 20 * 144, 7, 0x803, UINT32_MAX, 65536, 65535);
    IDX(*state, "other/train-images-idx3-ubyte", 20 * 144, 7, 0xd03, 20, 12, 12);
    IDX(*state, "fewer/train-labels-idx1-ubyte", 19, 3, 0x801, 19);
    vdnn_test_write_file(vdnn_test_path(*state, "length"), "\377\377\377\377\377\377\377\377{}",
                         10);
    write_safetensors(*state, "beyond",
                      "{\"a\":{\"dtype\":\"F32\",\"shape\":[1000000000000],"
                      "\"data_offsets\":[0,4000000000000]}}",
                      "1234", 4);
    write_safetensors(*state, "product",
                      "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296,4294967296],"
                      "\"data_offsets\":[0,0]}}",
                      "", 0);
    CHECK(cases);
}

static void files_cut_off_or_grown_are_refused(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data npy:@", "images.npy", "is cut off"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/set", "train-labels-idx1-ubyte",
         "goes on after the 28 bytes"},
        {3, "vdnnrun --model @/net.yaml --init @/cut", "cut", "is cut off"},
        {3, "vdnnrun --model @/net.yaml --init @/grown", "grown", "goes on after"},
        {3, "vdnnrun --model @/net.yaml --init @/empty", "empty", "8 bytes expected, 0 found"},
        {3, "vdnnrun --model @/empty --dry-run", "empty:1: ", "expected a network"},
        {3, "vdnnrun --model @/net.yaml --dry-run --profile @/profile",
         "profile:3: ", "makes vdnn measure again"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/run.json", "run.json:1: ", "not JSON"},
        {3, "vdnnrun --model @/long.yaml --dry-run", "long.yaml", "16777216 are the most"},
    };
    char *bytes;
    size_t count;
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    save_weights(*state);
    vdnn_test_read_file(vdnn_test_path(*state, "images.npy"), &bytes, &count);
    vdnn_test_write_file(vdnn_test_path(*state, "images.npy"), bytes, count - 1);
    free(bytes);
    vdnn_test_read_file(vdnn_test_path(*state, "good"), &bytes, &count);
    vdnn_test_write_file(vdnn_test_path(*state, "cut"), bytes, count - 1);
    vdnn_test_write_file(vdnn_test_path(*state, "grown"), bytes, count + 1);
    free(bytes);
    write_idx_set(*state, "set");
    IDX(*state, "set/train-labels-idx1-ubyte", 21, 3, 0x801, 20);
    write_text(*state, "empty", "");
    write_text(*state, "profile", "vdnn-profile 1\nkey x\n");
    write_text(*state, "run.json", "{\"layers\": [");
    assert_true(make_sparse(*state, "long.yaml", (16 << 20) + 1));
    CHECK(cases);
}

static void sparse_files_of_terabytes_cost_nothing(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/big --dry-run", "big", "are the most"},
        {3, "vdnnrun --model @/net.yaml --init @/big", "big", "not JSON"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/big", "big", "are the most"},
        {3, "vdnnrun --model @/net.yaml --dry-run --profile @/big", "big", "are the most"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/idx", "idx3-ubyte", "begins with 0x00000000"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/npy", "images.npy", "is no npy file"},
        {3, "vdnnrun --model @/two.yaml --data images:@/pictures", "a/1.png", "are the most"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/big", "big", "are the most"},
        {6, "vdnnrun --model @/net.yaml --resume @/run", "manifest.json", "larger than any"},
    };
    static const char *const folders[] = {"idx", "npy",        "pictures",         "pictures/a",
                                          "run", "pictures/b", "run/step-00000004"};
    static const char *const files[] = {"big",
                                        "idx/train-images-idx3-ubyte",
                                        "npy/images.npy",
                                        "pictures/a/1.png",
                                        "pictures/b/2.jpg",
                                        "run/step-00000004/manifest.json"};
    vdnn_test_network(*state);
    write_text(*state, "two.yaml", two_classes);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        make_folder(*state, folders[i]);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!make_sparse(*state, files[i], (off_t)4 << 40))
            skip_because("this file system has no files of 4 TiB");
    CHECK(cases);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void weights_that_are_not_finite_are_refused_with_their_place(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --init @/nan", "value 5 of fc1.weight is nan",
         "expected a finite number"},
        {3, "vdnnrun --model @/net.yaml --init @/inf", "value 5 of fc1.weight is inf",
         "expected a finite number"},
        {3, "vdnnrun --model @/net.yaml --init @/less", "value 5 of fc1.weight is -inf",
         "expected a finite number"},
    };
    vdnn_test_network(*state);
    save_weights(*state);
    spoil_weights(*state, "nan", NAN);
    spoil_weights(*state, "inf", INFINITY);
    spoil_weights(*state, "less", -INFINITY);
    CHECK(cases);
}

static void labels_out_of_range_are_refused_with_their_place(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data idx:@/set", "label 0 is 10",
         "the network has 10 classes"},
        {3, "vdnnrun --model @/two.yaml --data npy:@", "labels.npy: label ",
         "the network has 2 classes"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/cifar", "the label of record 0 is 10",
         "CIFAR-10 has 0 to 9"},
    };
    static unsigned char record[3073];
    record[0] = 10;
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    write_text(*state, "two.yaml", two_classes);
    write_idx_set(*state, "set");
    IDX(*state, "set/train-labels-idx1-ubyte", 20, 10, 0x801, 20);
    make_folder(*state, "cifar");
    vdnn_test_write_file(vdnn_test_path(*state, "cifar/data_batch_1.bin"), record, sizeof record);
    CHECK(cases);
}

static void budgets_that_are_none_are_refused(void **state)
{
    static const bad_case cases[] = {
        {2, "vdnnrun --model @/net.yaml --device-mem 0", "--device-mem", "is zero bytes"},
        {2, "vdnnrun --model @/net.yaml --host-mem 0", "--host-mem", "is zero bytes"},
        {2, "vdnnrun --model @/net.yaml --device-mem -1", "--device-mem", "is negative"},
        {2, "vdnnrun --model @/net.yaml --device-mem=-1", "--device-mem", "is negative"},
        {2, "vdnnrun --model @/net.yaml --device-mem 18446744073709551616", "--device-mem",
         "larger than an address can be"},
        {2, "vdnnrun --model @/net.yaml --device-mem 99999999999999999999999999TiB", "--device-mem",
         "larger than an address can be"},
        {2, "vdnnrun --model @/net.yaml --device-mem 1e9", "--device-mem", "expected B, K, M"},
        {2, "vdnnrun --model @/net.yaml --device-mem nan", "--device-mem",
         "expected one like 512M"},
        {2, "VDNN_HOST_MEM=-5 vdnnrun --model @/net.yaml", "VDNN_HOST_MEM", "is negative"},
        {2, "vdnnreport --model @/net.yaml --device-mem 0", "--device-mem", "is zero bytes"},
    };
    vdnn_test_network(*state);
    CHECK(cases);
}

/* A budget says how much may be used, not how much there is. */
static void a_budget_beyond_all_memory_is_one_like_any_other(void **state)
{
    static const char *const sizes[] = {"9223372036854775808", "18446744073709551615"};
    vdnn_test_network(*state);
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --steps 2 --quiet --device-mem %s --host-mem "
                          "%s",
                          sizes[i], sizes[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
    }
}

/* ---- what is not where it should be ---------------------------------------------------------- */

static void empty_folders_are_refused(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data idx:@/empty", "empty",
         "has no file train-images-idx3-ubyte"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/empty", "empty/images.npy", "No such file"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/empty", "empty",
         "has no file data_batch_*.bin"},
        {3, "vdnnrun --model @/net.yaml --data images:@/empty", "empty",
         "expected one for each class, with its pictures in it"},
        {6, "vdnnrun --model @/net.yaml --resume @/empty", "empty", "there is no checkpoint in it"},
    };
    vdnn_test_network(*state);
    make_folder(*state, "empty");
    CHECK(cases);
}

static void loops_of_links_are_refused(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/loop --dry-run", "loop", "neither a file nor one of the networks"},
        {3, "vdnnrun --model @/net.yaml --init @/loop", "loop", "Too many levels"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/loop", "loop", "Too many levels"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/loop", "loop", "Too many levels"},
        {3, "vdnnrun --model @/net.yaml --data images:@/loop", "loop", "Too many levels"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/loop", "loop",
         "neither a file nor one of the device models"},
        {6, "vdnnrun --model @/net.yaml --resume @/loop", "loop", "Too many levels"},
    };
    vdnn_test_network(*state);
    make_link(*state, "loop", "pool");
    make_link(*state, "pool", "loop");
    CHECK(cases);
}

static void folders_and_devices_in_the_place_of_files_are_refused(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/dir --dry-run", "dir", "neither a file nor one of the networks"},
        {3, "vdnnrun --model @/net.yaml --init @/dir", "dir", "is not a regular file"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/dir", "dir", "Is a directory"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/dir", "dir", "Is a directory"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/dir", "images.npy", "is not a regular file"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/net.yaml", "net.yaml", "Not a directory"},
        {3, "vdnnrun --model @/net.yaml --init /dev/zero", "/dev/zero", "is not a regular file"},
        {3, "vdnnrun --model @/net.yaml --data images:@/net.yaml", "net.yaml", "Not a directory"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/dir", "dir",
         "neither a file nor one of the device models"},
        {6, "vdnnrun --model @/net.yaml --resume @/net.yaml", "net.yaml", "Not a directory"},
        {3, "vdnnrun --model /dev/zero --dry-run", "/dev/zero", "has more than 16777216 bytes"},
        {3, "vdnnrun --model @/net.yaml --init @/pipe", "pipe", "is not a regular file"},
    };
    vdnn_test_network(*state);
    make_folder(*state, "dir");
    make_folder(*state, "dir/images.npy");
    assert_int_equal(mkfifo(vdnn_test_path(*state, "pipe"), 0600), 0);
    CHECK(cases);
}

static void outputs_that_cannot_be_files_are_refused_before_any_work(void **state)
{
    static const char *const options[] = {"--json", "--save", "--trace"};
    static const char *const places[] = {"@/dir", "@/net.yaml/x", "@/none/x", "/dev/full",
                                         "@/loop"};
    vdnn_test_network(*state);
    make_folder(*state, "dir");
    make_link(*state, "loop", "loop");
    int before = vdnn_test_folder_count(*state);
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++)
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            vdnn_test_run run;
            vdnn_test_program(&run, *state,
                              "vdnnrun --model @/net.yaml --steps 20 --data synthetic %s %s",
                              options[o], places[p]);
            vdnn_test_expect(&run, 6, strrchr(places[p], '/'));
            vdnn_test_run_free(&run);
            assert_int_equal(vdnn_test_folder_count(*state), before);
        }
}

/* ---- rights ---------------------------------------------------------------------------------- */

static void need_to_lack_rights(const char *folder)
{
    if (!vdnn_test_without_rights(folder, true))
        skip_because("a user without rights cannot run the programs where they are");
}

static int teardown_rights(void **state)
{
    (void)vdnn_test_without_rights(*state, false);
    (void)chmod(*state, 0700);
    return vdnn_test_remove_folder(state);
}

static void files_without_the_right_to_read_are_refused(void **state)
{
    static const bad_case cases[] = {
        {6, "vdnnrun --model @/secret --dry-run", "secret", "Permission denied"},
        {3, "vdnnrun --model @/net.yaml --init @/secret", "secret", "Permission denied"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/secret", "secret", "Permission denied"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/secret", "secret",
         "Permission denied"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/set", "images.npy", "Permission denied"},
        {6, "vdnnreport --model @/net.yaml --device sim:@/secret", "secret", "Permission denied"},
    };
    vdnn_test_network(*state);
    write_text(*state, "secret", "name: x\n");
    make_folder(*state, "set");
    write_text(*state, "set/images.npy", "x");
    assert_int_equal(chmod(vdnn_test_path(*state, "secret"), 0), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "set/images.npy"), 0), 0);
    need_to_lack_rights(*state);
    CHECK(cases);
}

static void places_without_the_right_to_write_are_refused_and_stay(void **state)
{
    static const char *const options[] = {"--json @/kept/j.json", "--save @/kept/w.safetensors",
                                          "--trace @/kept/t.json", "--checkpoint @/kept/c"};
    char kept[512];
    vdnn_test_network(*state);
    make_folder(*state, "kept");
    (void)snprintf(kept, sizeof kept, "%s", vdnn_test_path(*state, "kept"));
    put_outputs(kept);
    assert_int_equal(chmod(kept, 0555), 0);
    need_to_lack_rights(*state);
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --steps 20 %s", options[o]);
        vdnn_test_expect(&run, 6, "Permission denied");
        vdnn_test_expect(&run, 6, "kept");
        vdnn_test_run_free(&run);
        check_outputs(kept);
        assert_int_equal(vdnn_test_folder_count(kept), 3);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_with_line_ends_stay_in_one_line(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/a\nb.yaml --dry-run", "a?b.yaml:2: ", "expected an integer"},
        {3, "vdnnrun --model no\033[2Jnet --dry-run", "no?[2Jnet", "neither a file nor"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/c\nd", "c?d/images.npy", "No such file"},
        {3, "vdnnrun --model @/net.yaml --init @/e\nf", "tensor x?y", "unknown dtype"},
        {3, "vdnnrun --model @/name.yaml --dry-run", "name.yaml:6: ", "control character"},
        {2, "vdnnrun --model @/net.yaml --data a\nb:c", "a?b", "no kind of dataset"},
        {2, "vdnnrun --model @/net.yaml --dev\nice x", "dev?ice", "there is no option"},
    };
    vdnn_test_network(*state);
    write_text(*state, "a\nb.yaml", "name: n\nclasses: x\n");
    make_folder(*state, "c\nd");
    write_safetensors(*state, "e\nf",
                      "{\"x\\ny\":{\"dtype\":\"X\",\"shape\":[1],\"data_offsets\":[0,4]}}", "1234",
                      4);
    write_text(*state, "name.yaml",
               "name: n\ninput: {channels: 1, height: 1, width: 1}\nclasses: 2\nbatch: 1\nlayers:\n"
               "  - {name: \"a\\nb\", type: relu}\n");
    CHECK(cases);
}

static void outputs_may_have_names_with_line_ends(void **state)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --steps 1 --quiet --json @/a\nb");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_decref(vdnn_test_json(vdnn_test_path(*state, "a\nb")));
}

/* ---- networks -------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "name: bad\ninput: {channels: 1, height: 8, width: 8}\nclasses: 10\nbatch: 2\nlayers:\n"
#define TAIL "  - {name: l, type: softmax_loss}\n"

/* FOLDER/NAME: `head`, so many of `unit`, `tail`. */
static void write_repeated(const char *folder, const char *name, const char *head, const char *unit,
                           int count, const char *tail)
{
    FILE *file = fopen(vdnn_test_path(folder, name), "we");
    assert_non_null(file);
    (void)fputs(head, file);
    for (int i = 0; i < count; i++)
        (void)fputs(unit, file);
    (void)fputs(tail, file);
    assert_int_equal(fclose(file), 0);
}

static void networks_that_would_grow_without_end_are_refused(void **state)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model @/laughs.yaml --dry-run", "laughs.yaml:1: ", "anchors are not"},
        {3, "vdnnrun --model @/deep.yaml --dry-run", "deep.yaml:1: ", "nested more than 32 deep"},
        {3, "vdnnrun --model @/values.yaml --dry-run",
         "values.yaml:1: ", "more than 2097152 values"},
        {3, "vdnnrun --model @/count.yaml --dry-run", "count.yaml:6: ", "from 1 to 100000"},
        {3, "vdnnrun --model @/nested.yaml --dry-run",
         "nested.yaml:6: ", "more than 100000 layers"},
        {3, "vdnnrun --model @/name.yaml --dry-run", "name.yaml:6: ", "expected at most 200"},
        {3, "vdnnrun --model @/huge.yaml --dry-run", "fc layer 'f'", "larger than any memory"},
        {3, "vdnnrun --model @/huge.yaml --dry-run --batch 9223372036854775807", "huge.yaml",
         "is no size that any memory has"},
        {3, "vdnnrun --model @/range.yaml --dry-run",
         "range.yaml:6: ", "an integer from 1 to 2147483647"},
        {3, "vdnnrun --model @/real.yaml --dry-run", "real.yaml:6: ", "a number from 0 to 1"},
    };
    write_text(*state, "laughs.yaml", "a: &a [x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n");
    write_repeated(*state, "deep.yaml", "", "[", 1 << 20, "");
    write_repeated(*state, "values.yaml", "[", "1,", 3 << 20, "1]");
    write_text(*state, "count.yaml",
               HEAD "  - repeat: {count: 9999999999, layers: [{name: r, type: relu}]}\n" TAIL);
    write_text(*state, "nested.yaml",
               HEAD "  - {repeat: {count: 1000, layers: [{repeat: {count: 1000, layers: [{repeat: "
                    "{count: 1000, layers: [{name: 'r{i}', type: relu}]}}]}}]}}\n" TAIL);
    write_repeated(*state, "name.yaml", HEAD "  - {name: ", "n", 100000, ", type: relu}\n" TAIL);
    write_text(*state, "huge.yaml",
               "name: h\ninput: {channels: 2147483647, height: 1, width: 1}\n"
               "classes: 10\nbatch: 1\nlayers:\n  - {name: f, type: fc, out: 2147483647}\n" TAIL);
    write_text(*state, "range.yaml",
               HEAD "  - {name: c, type: conv, out: 99999999999999999999, kernel: 3}\n" TAIL);
    write_text(*state, "real.yaml", HEAD "  - {name: d, type: dropout, p: 1e999}\n" TAIL);
    CHECK(cases);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, vdnn_test_remove_folder)
#define TEST_OF_RIGHTS(name)                                                                       \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, teardown_rights)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(headers_that_lie_are_refused),
        TEST(files_cut_off_or_grown_are_refused),
        TEST(sparse_files_of_terabytes_cost_nothing),
        TEST(weights_that_are_not_finite_are_refused_with_their_place),
        TEST(labels_out_of_range_are_refused_with_their_place),
        TEST(budgets_that_are_none_are_refused),
        TEST(a_budget_beyond_all_memory_is_one_like_any_other),
        TEST(empty_folders_are_refused),
        TEST(loops_of_links_are_refused),
        TEST(folders_and_devices_in_the_place_of_files_are_refused),
        TEST(outputs_that_cannot_be_files_are_refused_before_any_work),
        TEST_OF_RIGHTS(files_without_the_right_to_read_are_refused),
        TEST_OF_RIGHTS(places_without_the_right_to_write_are_refused_and_stay),
        TEST(names_with_line_ends_stay_in_one_line),
        TEST(outputs_may_have_names_with_line_ends),
        TEST(networks_that_would_grow_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
