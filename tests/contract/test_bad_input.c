/* Invalid input of every kind: files, values, networks. */

#include "tests/support/bad_case.h"
#include "tests/support/pictures.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(cases) vdnn_test_expect_refused(*state, cases, sizeof(cases) / sizeof((cases)[0]))

/* ---- inputs ---------------------------------------------------------------------------------- */

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
    vdnn_test_make_below(folder, name);
    (void)snprintf(path, sizeof path, "%s/train-images-idx3-ubyte", name);
    IDX(folder, path, 20 * 144, 7, 0x803, 20, 12, 12);
    (void)snprintf(path, sizeof path, "%s/train-labels-idx1-ubyte", name);
    IDX(folder, path, 20, 3, 0x801, 20);
}

static void write_npy(const char *folder, const char *name, const char *header, const void *data,
                      size_t bytes)
{
    size_t length = strlen(header);
    const unsigned char prefix[10] = {0x93,
                                      'N',
                                      'U',
                                      'M',
                                      'P',
                                      'Y',
                                      1,
                                      0,
                                      (unsigned char)(length & 255),
                                      (unsigned char)(length >> 8)};
    FILE *file = fopen(vdnn_test_path(folder, name), "we");
    assert_non_null(file);
    assert_int_equal(fwrite(prefix, 1, sizeof prefix, file), sizeof prefix);
    assert_true(fputs(header, file) >= 0);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

#define PICTURES(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': (" shape ")}"
#define CLASSES_OF(count) "{'descr': '<i8', 'fortran_order': False, 'shape': (" count ",)}"

/* A set of 2 pictures of 12 x 12 in FOLDER/NAME, with that value for pixel 7 of the second, and
 * that label. */
static void write_npy_set(const char *folder, const char *name, float pixel, int64_t label)
{
    char path[64];
    float pixels[2 * 144] = {0};
    const int64_t labels[2] = {0, label};
    pixels[144 + 7] = pixel;
    vdnn_test_make_below(folder, name);
    (void)snprintf(path, sizeof path, "%s/images.npy", name);
    write_npy(folder, path, PICTURES("2, 1, 12, 12"), pixels, sizeof pixels);
    (void)snprintf(path, sizeof path, "%s/labels.npy", name);
    write_npy(folder, path, CLASSES_OF("2"), labels, sizeof labels);
}

/* Two classes with a picture each in FOLDER/NAME; the second is those bytes. */
static void write_pictures(const char *folder, const char *name, const void *bytes, size_t count)
{
    char path[64];
    vdnn_test_make_below(folder, name);
    (void)snprintf(path, sizeof path, "%s/a", name);
    vdnn_test_make_below(folder, path);
    (void)snprintf(path, sizeof path, "%s/b", name);
    vdnn_test_make_below(folder, path);
    (void)snprintf(path, sizeof path, "%s/a/1.png", name);
    vdnn_test_write_picture(vdnn_test_path(folder, path), 12, 12, 1);
    (void)snprintf(path, sizeof path, "%s/b/2.png", name);
    vdnn_test_write_file(vdnn_test_path(folder, path), bytes, count);
}

static const char two_classes[] = VDNN_TEST_NETWORK_OF("2"),
                  three_classes[] = VDNN_TEST_NETWORK_OF("3");

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

/* A PNG whose header speaks of 2^31 - 1 pixels each way, in grey. */
static const unsigned char png_of_2_31[] = {
    0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,    0,   13,  'I', 'H',
    'D',  'R',  0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 8,   0,   0,   0,
    0,    0x31, 0xa2, 0x54, 0xba, 0,    0,    0,    8,    'I',  'D', 'A', 'T', 0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0};

/* ---- lying headers, truncated and oversized files -------------------------------------------- */

TEST_IN_FOLDER(headers_that_lie_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
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
        {3, "vdnnrun --model @/net.yaml --data npy:@/many", "images.npy", "more than 2^64 bytes"},
        {3, "vdnnrun --model @/two.yaml --data images:@/bomb --steps 2", "bomb/b/2.png",
         "2147483647 x 2147483647 pixels"},
        {3, "vdnnrun --model @/net.yaml --init @/length", "length", "the format allows 100000000"},
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
    vdnn_test_make_below(*state, "many");
    write_npy(*state, "many/images.npy", PICTURES("9223372036854775807, 1, 12, 12"), "", 0);
    vdnn_test_write_below(*state, "two.yaml", two_classes);
    write_pictures(*state, "bomb", png_of_2_31, sizeof png_of_2_31);
    vdnn_test_write_safetensors(*state, "beyond",
                                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1000000000000],"
                                "\"data_offsets\":[0,4000000000000]}}",
                                "1234", 4);
    vdnn_test_write_safetensors(
        *state, "product",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296,4294967296],"
        "\"data_offsets\":[0,0]}}",
        "", 0);
    CHECK(cases);
}

TEST_IN_FOLDER(files_cut_off_or_grown_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data npy:@", "images.npy", "is cut off"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/set", "train-labels-idx1-ubyte",
         "has more than the 28 bytes"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/cifar", "data_batch_1.bin",
         "is cut off in record 1: it has 1 of 3073 bytes"},
        {3, "vdnnrun --model @/two.yaml --data images:@/pictures --steps 2", "pictures/b/2.png",
         "is a PNG that is cut off"},
        {3, "vdnnrun --model @/net.yaml --init @/cut", "cut", "is cut off"},
        {3, "vdnnrun --model @/net.yaml --init @/grown", "grown", "has more than"},
        {3, "vdnnrun --model @/net.yaml --init @/empty", "empty", "8 bytes expected, 0 found"},
        {3, "vdnnrun --model @/empty --dry-run", "empty:1: ", "expected a network"},
        {3, "vdnnrun --model @/net.yaml --dry-run --profile @/profile",
         "profile:3: ", "to measure again"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/run.json", "run.json:1: ", "not JSON"},
        {3, "vdnnrun --model @/long.yaml --dry-run", "long.yaml", "expected at most 16777216"},
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
    static const unsigned char records[3074];
    vdnn_test_make_below(*state, "cifar");
    vdnn_test_write_file(vdnn_test_path(*state, "cifar/data_batch_1.bin"), records, sizeof records);
    write_pictures(*state, "pictures", "", 0);
    vdnn_test_read_file(vdnn_test_path(*state, "pictures/a/1.png"), &bytes, &count);
    vdnn_test_write_file(vdnn_test_path(*state, "pictures/b/2.png"), bytes, count / 2);
    free(bytes);
    vdnn_test_write_below(*state, "two.yaml", two_classes);
    vdnn_test_write_below(*state, "empty", "");
    vdnn_test_write_below(*state, "profile", "vdnn-profile 1\nkey x\nrows 3\nend 0\n");
    vdnn_test_write_below(*state, "run.json", "{\"layers\": [");
    assert_true(vdnn_test_make_sparse(*state, "long.yaml", (16 << 20) + 1));
    CHECK(cases);
}

TEST_IN_FOLDER(sparse_files_of_terabytes_cost_nothing)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/big --dry-run", "big", "expected at most"},
        {3, "vdnnrun --model @/net.yaml --init @/big", "big", "not JSON"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/big", "big", "expected at most"},
        {3, "vdnnrun --model @/net.yaml --dry-run --profile @/big", "big", "expected at most"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/idx", "idx3-ubyte", "begins with 0x00000000"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/npy", "images.npy", "is not an npy file"},
        {3, "vdnnrun --model @/two.yaml --data images:@/pictures", "a/1.png", "may have at most"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/cifar", "cifar",
         "has 1400000000 images; expected 1 to 134217728"},
        {3, "vdnnrun --model @/net.yaml --data idx:@/good", "train-images-idx3-ubyte",
         "has more than the 2896 bytes"},
        {3, "vdnnrun --model @/net.yaml --data npy:@/many", "images.npy",
         "has 7000000000 images; expected 1 to 134217728"},
        {3, "vdnnrun --model @/net.yaml --init @/zeros", "zeros", "has no tensor"},
        {3, "vdnnreport --model @/net.yaml --device sim:@/big", "big", "expected at most"},
        {6, "vdnnrun --model @/net.yaml --resume @/run", "manifest.json", "larger than any"},
    };
    static const char many[] = PICTURES("7000000000, 1, 12, 12");
    static const char zeros[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1000000000000],"
                                "\"data_offsets\":[0,4000000000000]}}";
    static const char *const folders[] = {"idx", "npy",        "pictures",          "pictures/a",
                                          "run", "pictures/b", "run/step-00000004", "cifar",
                                          "many"};
    const off_t most = (off_t)4 << 40;
    const struct {
        const char *name;
        off_t bytes;
    } files[] = {
        {"big", most},
        {"idx/train-images-idx3-ubyte", most},
        {"good/train-images-idx3-ubyte", most},
        {"npy/images.npy", most},
        {"pictures/a/1.png", most},
        {"pictures/b/2.jpg", most},
        {"run/step-00000004/manifest.json", most},
        {"cifar/data_batch_1.bin", (off_t)1400000000 * 3073},
        {"many/images.npy", 10 + (off_t)strlen(many) + (off_t)7000000000 * 144 * 4},
        {"zeros", 8 + (off_t)strlen(zeros) + (off_t)4000000000000},
    };
    vdnn_test_network(*state);
    vdnn_test_write_below(*state, "two.yaml", two_classes);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        vdnn_test_make_below(*state, folders[i]);
    write_idx_set(*state, "good");
    write_npy(*state, "many/images.npy", many, "", 0);
    vdnn_test_write_safetensors(*state, "zeros", zeros, "", 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!vdnn_test_make_sparse(*state, files[i].name, files[i].bytes))
            skip_because("this file system has no files of 4 TiB");
    CHECK(cases);
}

/* ---- values ---------------------------------------------------------------------------------- */

TEST_IN_FOLDER(weights_that_are_not_finite_are_refused_with_their_place)
{
    static const vdnn_test_bad_case cases[] = {
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

TEST_IN_FOLDER(pixels_that_are_not_finite_are_refused_with_their_place)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/two.yaml --steps 4 --data npy:@/nan", "nan/images.npy",
         "value 7 of picture 1 is nan, expected a finite number"},
        {3, "vdnnrun --model @/two.yaml --steps 4 --data npy:@/inf", "inf/images.npy",
         "value 7 of picture 1 is inf, expected a finite number"},
    };
    vdnn_test_write_below(*state, "two.yaml", two_classes);
    write_npy_set(*state, "nan", NAN, 1);
    write_npy_set(*state, "inf", INFINITY, 1);
    CHECK(cases);
}

#define TOKENS(type, shape) "{'descr': '" type "', 'fortran_order': False, 'shape': (" shape ")}"

/* A set of 5 samples of 12 tokens in FOLDER/NAME, with that number for token 7 of the second. */
static void write_token_set(const char *folder, const char *name, const char *header, int64_t token)
{
    char path[64];
    int64_t tokens[5 * 12] = {0};
    const int64_t labels[5] = {0};
    tokens[12 + 7] = token;
    vdnn_test_make_below(folder, name);
    (void)snprintf(path, sizeof path, "%s/tokens.npy", name);
    write_npy(folder, path, header, tokens, sizeof tokens);
    (void)snprintf(path, sizeof path, "%s/labels.npy", name);
    write_npy(folder, path, CLASSES_OF("5"), labels, sizeof labels);
}

TEST_IN_FOLDER(tokens_that_the_network_does_not_have_are_refused_with_their_place)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/bag.yaml --steps 2 --data npy:@/high", "high/tokens.npy",
         "token 7 of sample 1 is 40, but the network's vocabulary has 0 to 39"},
        {3, "vdnnrun --model @/bag.yaml --steps 2 --data npy:@/low", "low/tokens.npy",
         "token 7 of sample 1 is -1, but"},
        {3, "vdnnrun --model @/bag.yaml --steps 2 --data npy:@/wide", "wide/tokens.npy",
         "token 7 of sample 1 is 4294967296, but"},
        {3, "vdnnrun --model @/bag.yaml --data npy:@/floats", "floats/tokens.npy",
         "has elements of type '<f8', expected '<i4' or '<i8'"},
        {3, "vdnnrun --model @/bag.yaml --data npy:@/cubes", "cubes/tokens.npy",
         "has 3 dimensions, expected 2"},
        {3, "vdnnrun --model @/short.yaml --data npy:@/right", "right",
         "samples have 12 tokens, the network's input has 10"},
        {3, "vdnnrun --model @/bag.yaml --data npy:@/nothing", "nothing/tokens.npy", "opened"},
        {3, "vdnnrun --model @/bag.yaml --data idx:@", "idx has pictures",
         "the network's input is tokens; expected tokens:FILE, npy:DIR or synthetic"},
        {3, "vdnnrun --model @/size.yaml --dry-run",
         "size.yaml:2: ", "has no key 'vocabulary', which it must have"},
        {3, "vdnnrun --model @/conv.yaml --dry-run", "conv.yaml:6: conv layer 'a' reads 'input'",
         "an embedding layer makes them of tokens"},
        {3, "vdnnrun --model @/pool.yaml --dry-run", "pool.yaml:7: maxpool layer 'b' reads 'a'",
         "which is a sequence, expected a picture or a vector"},
        {3, "vdnnrun --model @/look.yaml --dry-run", "look.yaml:6: embedding layer 'a'",
         "expected tokens (`input: {tokens: T, vocabulary: V}`)"},
        {3, "vdnnrun --model @/flip.yaml --dry-run", "flip.yaml:9: ", "augment is for pictures"},
    };
#define OF_TOKENS "name: t\ninput: {tokens: 12, vocabulary: 40}\nclasses: 5\nbatch: 4\nlayers:\n"
#define LOOK_UP "  - {name: a, type: embedding, out: 5}\n"
#define LOSS "  - {name: m, type: global_avgpool}\n  - {name: l, type: softmax_loss}\n"
    static const struct {
        const char *name, *text;
    } networks[] = {
        {"bag.yaml", vdnn_token_network},
        {"size.yaml", "name: t\ninput: {tokens: 12}\nclasses: 5\nbatch: 4\nlayers:\n" LOOK_UP LOSS},
        {"short.yaml",
         "name: t\ninput: {tokens: 10, vocabulary: 40}\nclasses: 5\nbatch: 4\nlayers:\n" LOOK_UP
             LOSS},
        {"conv.yaml", OF_TOKENS "  - {name: a, type: conv, out: 5, kernel: 1}\n" LOSS},
        {"pool.yaml", OF_TOKENS LOOK_UP "  - {name: b, type: maxpool, kernel: 1}\n" LOSS},
        {"look.yaml", "name: t\ninput: {channels: 1, height: 8, width: 8}\nclasses: 5\nbatch: 4\n"
                      "layers:\n" LOOK_UP LOSS},
        {"flip.yaml", OF_TOKENS LOOK_UP LOSS "training: {lr: 0.1, augment: {flip: true}}\n"},
    };
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++)
        vdnn_test_write_below(*state, networks[i].name, networks[i].text);
    write_token_set(*state, "high", TOKENS("<i8", "5, 12"), 40);
    write_token_set(*state, "low", TOKENS("<i8", "5, 12"), -1);
    write_token_set(*state, "wide", TOKENS("<i8", "5, 12"), (int64_t)1 << 32);
    write_token_set(*state, "floats", TOKENS("<f8", "5, 12"), 0);
    write_token_set(*state, "cubes", TOKENS("<i8", "5, 3, 4"), 0);
    write_token_set(*state, "right", TOKENS("<i8", "5, 12"), 0);
    CHECK(cases);
}

TEST_IN_FOLDER(weights_that_layers_cannot_share_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/name.yaml --dry-run", "name.yaml:7: layer 'b' reads 'c'",
         "no layer has this name"},
        {3, "vdnnrun --model @/shape.yaml --dry-run",
         "shape.yaml:7: layer 'b' reads a weight of 41 x 5", "that of 'a' is 40 x 5"},
        {3, "vdnnrun --model @/chain.yaml --dry-run", "chain.yaml:8: layer 'c' reads the weight",
         "expected `weight_of: a`"},
        {3, "vdnnrun --model @/cycle.yaml --dry-run", "cycle.yaml:7: layer 'b' reads the weight",
         "form a cycle"},
        {3, "vdnnrun --model @/tied.yaml --init @/twice",
         "'b.weight' differs from the weight of layer 'a'", "`weight_of: a`"},
    };
#define TIED(name, out, of) "  - {name: " name ", type: fc, out: " out ", weight_of: " of "}\n"
#define LAST "  - {name: d, type: fc, out: 5}\n" LOSS
    static const struct {
        const char *name, *text;
    } networks[] = {
        {"name.yaml", OF_TOKENS LOOK_UP TIED("b", "40", "c") LAST},
        {"shape.yaml", OF_TOKENS LOOK_UP TIED("b", "41", "a") LAST},
        {"chain.yaml", OF_TOKENS LOOK_UP TIED("b", "40", "a") TIED("c", "40", "b") LAST},
        {"cycle.yaml", OF_TOKENS LOOK_UP TIED("b", "40", "c") TIED("c", "40", "b") LAST},
        {"tied.yaml", OF_TOKENS LOOK_UP TIED("b", "40", "a") LAST},
        {"untied.yaml", OF_TOKENS LOOK_UP "  - {name: b, type: fc, out: 40}\n" LAST},
    };
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++)
        vdnn_test_write_below(*state, networks[i].name, networks[i].text);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/untied.yaml --steps 1 --save @/twice");
    CHECK(cases);
}

TEST_IN_FOLDER(labels_out_of_range_are_refused_with_their_place)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/net.yaml --data idx:@/set", "label 0 is 10",
         "the network has 10 classes"},
        {3, "vdnnrun --model @/two.yaml --data npy:@", "labels.npy: label ",
         "the network has 2 classes"},
        {3, "vdnnrun --model @/two.yaml --data npy:@/less", "less/labels.npy: label 1 is -1",
         "the network has 2 classes"},
        {3, "vdnnrun --model @/two.yaml --data npy:@/set64",
         "set64/labels.npy: label 1 is 4294967296", "the network has 2 classes"},
        {3, "vdnnrun --model @/three.yaml --data images:@/pictures", "2 folders of classes (a, b)",
         "the network has 3 classes"},
        {3, "vdnnrun --model @/two.yaml --steps 1 --test-data npy:@/less",
         "less/labels.npy: label 1 is -1", "the network has 2 classes"},
        {3, "vdnnrun --model cifar_cnn --data cifar10:@/cifar", "the label of record 0 is 10",
         "CIFAR-10 has 0 to 9"},
    };
    static unsigned char record[3073];
    record[0] = 10;
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    vdnn_test_write_below(*state, "two.yaml", two_classes);
    write_idx_set(*state, "set");
    IDX(*state, "set/train-labels-idx1-ubyte", 20, 10, 0x801, 20);
    write_npy_set(*state, "less", 0, -1);
    write_npy_set(*state, "set64", 0, (int64_t)1 << 32);
    vdnn_test_write_below(*state, "three.yaml", three_classes);
    write_pictures(*state, "pictures", "", 0);
    vdnn_test_make_below(*state, "cifar");
    vdnn_test_write_file(vdnn_test_path(*state, "cifar/data_batch_1.bin"), record, sizeof record);
    CHECK(cases);
}

TEST_IN_FOLDER(budgets_that_are_none_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {2, "vdnnrun --model @/net.yaml --device-mem 0", "--device-mem", "is zero bytes"},
        {2, "vdnnrun --model @/net.yaml --host-mem 0", "--host-mem", "is zero bytes"},
        {2, "vdnnrun --model @/net.yaml --device-mem -1", "--device-mem", "is negative"},
        {2, "vdnnrun --model @/net.yaml --device-mem=-1", "--device-mem", "is negative"},
        {2, "vdnnrun --model @/net.yaml --device-mem 9223372036854775808", "--device-mem",
         "larger than an address can be"},
        {2, "vdnnrun --model @/net.yaml --device-mem 99999999999999999999999999TiB", "--device-mem",
         "larger than an address can be"},
        {2, "vdnnrun --model @/net.yaml --device-mem 1e9", "--device-mem", "expected B, K, M"},
        {2, "vdnnrun --model @/net.yaml --device-mem nan", "--device-mem",
         "expected one like 512M"},
        {2, "VDNN_HOST_MEM=-5 vdnnrun --model @/net.yaml", "VDNN_HOST_MEM", "is negative"},
        {2, "vdnnrun --model @/net.yaml --device-mem 0%", "--device-mem", "is zero bytes"},
        {2, "vdnnrun --model @/net.yaml --host-mem -5%", "--host-mem", "is negative"},
        {2, "vdnnreport --model @/net.yaml --device-mem 0", "--device-mem", "is zero bytes"},
        {2, "vdnnreport --model @/net.yaml --host-mem -1", "--host-mem", "is negative"},
    };
    vdnn_test_network(*state);
    CHECK(cases);
}

TEST_IN_FOLDER(counts_that_are_none_are_refused)
{
    static const struct {
        const char *option, *below;
    } options[] = {{"batch", "0"},   {"steps", "0"}, {"epochs", "0"},
                   {"threads", "0"}, {"keep", "0"},  {"checkpoint-every", "0"},
                   {"seed", "-1"}};
    vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *const values[][2] = {{options[i].below, "is too small, the least is"},
                                         {"-9223372036854775808", "is too small, the least is"},
                                         {"9223372036854775808", "is too large"},
                                         {"-99999999999999999999", "--"},
                                         {"1e3", "--"}};
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            char line[128], name[32];
            (void)snprintf(name, sizeof name, "--%s", options[i].option);
            (void)snprintf(line, sizeof line, "vdnnrun --model @/net.yaml %s %s", name,
                           values[v][0]);
            const vdnn_test_bad_case one = {2, line, name, values[v][1]};
            vdnn_test_expect_refused(*state, &one, 1);
        }
    }
}

/* A budget says how much may be used, not how much there is. */
TEST_IN_FOLDER(a_budget_beyond_all_memory_is_one_like_any_other)
{
    static const char *const sizes[] = {"9223372036854775807", "8589934591GiB"};
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

TEST_IN_FOLDER(networks_that_would_grow_without_end_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
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
         "is larger than any memory"},
        {3, "vdnnrun --model @/range.yaml --dry-run",
         "range.yaml:6: ", "an integer from 1 to 2147483647"},
        {3, "vdnnrun --model @/real.yaml --dry-run", "real.yaml:6: ", "a number from 0 to 1"},
    };
    vdnn_test_write_below(*state, "laughs.yaml",
                          "a: &a [x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n");
    write_repeated(*state, "deep.yaml", "", "[", 1 << 20, "");
    write_repeated(*state, "values.yaml", "[", "1,", 3 << 20, "1]");
    vdnn_test_write_below(
        *state, "count.yaml",
        HEAD "  - repeat: {count: 9999999999, layers: [{name: r, type: relu}]}\n" TAIL);
    vdnn_test_write_below(
        *state, "nested.yaml",
        HEAD "  - {repeat: {count: 1000, layers: [{repeat: {count: 1000, layers: [{repeat: "
             "{count: 1000, layers: [{name: 'r{i}', type: relu}]}}]}}]}}\n" TAIL);
    write_repeated(*state, "name.yaml", HEAD "  - {name: ", "n", 100000, ", type: relu}\n" TAIL);
    vdnn_test_write_below(
        *state, "huge.yaml",
        "name: h\ninput: {channels: 2147483647, height: 1, width: 1}\n"
        "classes: 10\nbatch: 1\nlayers:\n  - {name: f, type: fc, out: 2147483647}\n" TAIL);
    vdnn_test_write_below(*state, "range.yaml",
                          HEAD
                          "  - {name: c, type: conv, out: 99999999999999999999, kernel: 3}\n" TAIL);
    vdnn_test_write_below(*state, "real.yaml",
                          HEAD "  - {name: d, type: dropout, p: 1e999}\n" TAIL);
    CHECK(cases);
}
