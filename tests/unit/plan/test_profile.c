#include "tests/support/vdnn_test.h"

#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"
#include "tests/support/test_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char small_network[] = "name: small\n"
                                    "input: {channels: 2, height: 8, width: 8}\n"
                                    "classes: 3\n"
                                    "batch: 4\n"
                                    "layers:\n"
                                    "  - {name: conv1, type: conv, out: 4, kernel: 3, pad: 1}\n"
                                    "  - {name: relu1, type: relu}\n"
                                    "  - {name: conv2, type: conv, out: 4, kernel: 3, pad: 1}\n"
                                    "  - {name: relu2, type: relu}\n"
                                    "  - {name: conv3, type: conv, out: 4, kernel: 3, pad: 1}\n"
                                    "  - {name: relu3, type: relu}\n"
                                    "  - {name: conv4, type: conv, out: 4, kernel: 1}\n"
                                    "  - {name: pool1, type: maxpool, kernel: 2}\n"
                                    "  - {name: fc1, type: fc, out: 3}\n"
                                    "  - {name: loss, type: softmax_loss}\n";

static vdnn_graph *graph_in(const char *text, int32_t micro_batches)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    const vdnn_graph_options options = {
        .micro_batches = micro_batches, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    assert_ok(vdnn_model_parse(text, strlen(text), "small.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static vdnn_graph *graph_of(const char *text)
{
    return graph_in(text, 1);
}

static vdnn_device *open_cpu(void)
{
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_open("cpu", &(vdnn_device_options){.threads = 1}, &device));
    return device;
}

static vdnn_profile_store *store_of(const char *key)
{
    vdnn_profile_store *store = NULL;
    assert_ok(vdnn_profile_store_create(key, &store));
    return store;
}

/* ---- the value ------------------------------------------------------------------------------- */

static void add_choice(vdnn_profile *profile, const vdnn_algorithm *algorithm, double seconds,
                       size_t workspace_bytes)
{
    const vdnn_choice choice = {
        .algorithm = algorithm, .seconds = seconds, .workspace_bytes = workspace_bytes};
    assert_ok(vdnn_profile_add(profile, 1, VDNN_FORWARD, choice));
}

static void choices_are_sorted_by_workspace_then_by_seconds(void **state)
{
    (void)state;
    static const vdnn_algorithm a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"},
                                d = {.name = "d"}, e = {.name = "fifth"};
    vdnn_profile *profile = NULL;
    assert_ok(vdnn_profile_create_empty(2, &profile));
    add_choice(profile, &a, 1.0, 100);
    add_choice(profile, &b, 5.0, 0);
    add_choice(profile, &c, 1.0, 50);
    add_choice(profile, &d, 4.0, 0);
    static const char *const order[] = {"d", "b", "c", "a"};
    assert_int_equal(profile->layers[1].choice_count[VDNN_FORWARD], 4);
    for (int32_t i = 0; i < 4; i++) {
        assert_string_equal(profile->layers[1].choices[VDNN_FORWARD][i].algorithm->name, order[i]);
        assert_int_equal(vdnn_profile_find(profile, 1, VDNN_FORWARD, order[i]), i);
    }
    assert_int_equal(vdnn_profile_fastest(profile, 1, VDNN_FORWARD), 2); /* c: less than a needs */
    assert_int_equal(vdnn_profile_find(profile, 1, VDNN_FORWARD, "e"), -1);
    add_choice(profile, &e, 0.99, 200);
    assert_int_equal(vdnn_profile_fastest(profile, 1, VDNN_FORWARD), 4);
    assert_int_equal(profile->layers[0].choice_count[VDNN_FORWARD], 0);
    assert_int_equal(vdnn_profile_find(profile, 0, VDNN_FORWARD, "a"), -1);
    vdnn_profile_destroy(profile);
    vdnn_profile_destroy(NULL);
}

/* ---- micro-batches of two sizes ---------------------------------------------------------------
 */

/* Algorithms with names of one letter; the larger shape has the first so many, the other one the
 * last. Each takes as many seconds as samples, and a byte more. */
static const vdnn_algorithm letters[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
enum { LETTERS = 3 };

typedef struct letter_counts {
    int32_t larger, lesser;
} letter_counts;

static vdnn_status of_letters(void *argument, const vdnn_graph *shape, vdnn_profile **profile)
{
    const letter_counts *counts = argument;
    const bool is_larger = shape->lesser != NULL;
    const int32_t first = is_larger ? 0 : LETTERS - counts->lesser,
                  end = is_larger ? counts->larger : LETTERS;
    assert_ok(vdnn_profile_create_empty(shape->layer_count, profile));
    for (int32_t i = first; i < end; i++)
        add_choice(*profile, &letters[i], (double)shape->micro_batch,
                   (size_t)shape->micro_batch + 1);
    return VDNN_OK;
}

/* Four samples in three: 2, 1, 1. */
static void a_choice_has_seconds_and_workspace_of_both_shapes(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_in(small_network, 3);
    vdnn_profile *profile = NULL;
    letter_counts counts = {.larger = 2, .lesser = 2}, apart = {.larger = 1, .lesser = 2};
    assert_ok(vdnn_profile_create_of(graph, of_letters, &counts, &profile));
    assert_int_equal(profile->layers[1].choice_count[VDNN_FORWARD], 1);
    const vdnn_choice *both = &profile->layers[1].choices[VDNN_FORWARD][0];
    assert_string_equal(both->algorithm->name, "b");
    for (int32_t micro = 0; micro < 3; micro++) {
        const vdnn_choice own = vdnn_profile_choice_of_micro(both, graph, micro);
        const int64_t samples = micro == 0 ? 2 : 1;
        assert_true(own.seconds == (double)samples);
        assert_int_equal(own.workspace_bytes, samples + 1);
    }
    vdnn_profile_destroy(profile);
    profile = NULL;
    assert_status(vdnn_profile_create_of(graph, of_letters, &apart, &profile), VDNN_BAD_INPUT);
    assert_message("no algorithm supports its forward in micro-batches of both sizes");
    assert_null(profile);
    vdnn_graph_destroy(graph);
}

static void a_pinned_pass_has_one_choice(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_of(small_network);
    vdnn_profile *profile = NULL;
    assert_ok(vdnn_test_profile_of(graph, VDNN_TEST_ROWS_FAKE, &profile));
    assert_int_equal(profile->layers[0].choice_count[VDNN_FORWARD], 3);
    assert_status(vdnn_profile_pin(profile, 0, VDNN_FORWARD, "winograd"), VDNN_BAD_INPUT);
    assert_message("winograd");
    assert_message("lean, gemm, fast");
    assert_int_equal(profile->layers[0].choice_count[VDNN_FORWARD], 3);
    assert_ok(vdnn_profile_pin(profile, 0, VDNN_FORWARD, "gemm"));
    assert_int_equal(profile->layers[0].choice_count[VDNN_FORWARD], 1);
    assert_int_equal(vdnn_profile_find(profile, 0, VDNN_FORWARD, "gemm"), 0);
    assert_int_equal(profile->layers[0].choice_count[VDNN_BACKWARD_FILTER], 3);
    vdnn_profile_destroy(profile);
    vdnn_graph_destroy(graph);
}

/* ---- the store ------------------------------------------------------------------------------- */

static char directory[] = "/tmp/vdnn-test-profile-XXXXXX";
static char path[sizeof directory + 16];

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    (void)snprintf(path, sizeof path, "%s/profile", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(directory);
}

static int remove_file(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static char *read_text(void)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

static void rows_are_found_by_all_parts_of_their_name(void **state)
{
    (void)state;
    vdnn_profile_store *store = store_of("k");
    vdnn_profile_row row = {.signature = "conv(x)",
                            .algorithm = "direct",
                            .pass = VDNN_FORWARD,
                            .batch = 64,
                            .seconds = 0.25,
                            .workspace_bytes = 4096,
                            .updates = true};
    assert_false(vdnn_profile_store_find(store, &row));
    assert_ok(vdnn_profile_store_add(store, &row));
    row.seconds = 0;
    row.workspace_bytes = -1;
    assert_true(vdnn_profile_store_find(store, &row));
    assert_true(row.seconds == 0.25 && row.workspace_bytes == 4096 && row.updates);
    static const vdnn_profile_row others[] = {
        {.signature = "conv(y)", .algorithm = "direct", .pass = VDNN_FORWARD, .batch = 64},
        {.signature = "conv(x)", .algorithm = "gemm", .pass = VDNN_FORWARD, .batch = 64},
        {.signature = "conv(x)", .algorithm = "direct", .pass = VDNN_BACKWARD_DATA, .batch = 64},
        {.signature = "conv(x)", .algorithm = "direct", .pass = VDNN_FORWARD, .batch = 65}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        vdnn_profile_row other = others[i];
        assert_false(vdnn_profile_store_find(store, &other));
    }
    assert_int_equal(vdnn_profile_store_measured_count(store), 1);
    vdnn_profile_store_destroy(store);
    vdnn_profile_store_destroy(NULL);
}

enum { MANY = 3000 };

static vdnn_profile_row many_row(char name[32], int i)
{
    (void)snprintf(name, 32, "layer(%d)", i * 7919 % MANY);
    return (vdnn_profile_row){.signature = name,
                              .algorithm = "native",
                              .pass = (vdnn_pass)(i % VDNN_PASS_COUNT),
                              .batch = 1 + i % 5,
                              .seconds = 1e-3 / (i + 1),
                              .workspace_bytes = i % 4 - 1,
                              .is_brief = i % 3 == 2,
                              .is_provisional = i % 5 == 3};
}

static void a_written_store_is_read_back_bit_for_bit(void **state)
{
    (void)state;
    vdnn_profile_store *store = store_of("cpu of 1 core, threads 1"),
                       *again = store_of("cpu of 1 core, threads 1");
    char name[32];
    for (int i = 0; i < MANY; i++) {
        vdnn_profile_row row = many_row(name, i);
        assert_ok(vdnn_profile_store_add(store, &row));
    }
    assert_ok(vdnn_profile_store_set_rate(store, VDNN_PROFILE_RATE_launch_seconds, 1.0 / 3e6));
    assert_ok(vdnn_profile_store_write(store, path));
    bool stale = true;
    assert_ok(vdnn_profile_store_read(again, path, &stale));
    assert_false(stale);
    for (int i = 0; i < MANY; i++) {
        vdnn_profile_row row = many_row(name, i);
        vdnn_profile_row read = row;
        assert_true(vdnn_profile_store_find(again, &read));
        assert_true(read.seconds == row.seconds && read.workspace_bytes == row.workspace_bytes);
        assert_int_equal(read.is_brief, row.is_brief && row.workspace_bytes >= 0);
        assert_int_equal(read.is_provisional, row.is_provisional && row.workspace_bytes >= 0);
    }
    assert_true(vdnn_profile_store_rate(again, VDNN_PROFILE_RATE_launch_seconds) == 1.0 / 3e6);
    assert_true(vdnn_profile_store_rate(again, VDNN_PROFILE_RATE_copy_in_bytes_per_second) == 0);
    assert_int_equal(vdnn_profile_store_measured_count(again), 0);
    vdnn_profile_store_destroy(store);
    vdnn_profile_store_destroy(again);
}

static void a_file_does_not_depend_on_the_order_of_measuring(void **state)
{
    (void)state;
    static const vdnn_profile_row rows[] = {
        {"b", "x", VDNN_FORWARD, 2, 1, -1, false, false, false},
        {"a", "x", VDNN_BACKWARD_DATA, 2, 2, -1, false, false, false},
        {"a", "y", VDNN_FORWARD, 2, 3, -1, false, false, false},
        {"a", "x", VDNN_FORWARD, 10, 4, -1, false, false, false},
        {"a", "x", VDNN_FORWARD, 2, 0.5, -1, false, false, false}};
    for (int reverse = 0; reverse < 2; reverse++) {
        vdnn_profile_store *store = store_of("k");
        for (int i = 0; i < 5; i++)
            assert_ok(vdnn_profile_store_add(store, &rows[reverse ? 4 - i : i]));
        assert_ok(vdnn_profile_store_write(store, path));
        vdnn_profile_store_destroy(store);
        assert_string_equal(read_text(), "vdnn-profile 2\nkey k\n"
                                         "row a forward x 2 0.5\n"
                                         "row a forward x 10 4\n"
                                         "row a forward y 2 3\n"
                                         "row a backward_data x 2 2\n"
                                         "row b forward x 2 1\n"
                                         "end 5\n");
    }
}

/* They lack rates alone, which are measured when they are missing. */
static void files_of_format_1_are_read(void **state)
{
    (void)state;
    write_text("vdnn-profile 1\nkey k\nrate launch_seconds 2\nrow a forward x 2 1\nend 1\n");
    vdnn_profile_store *store = store_of("k");
    vdnn_profile_row row = {"a", "x", VDNN_FORWARD, 2, 0, -1, false, false, false};
    bool stale = true;
    assert_true(vdnn_profile_store_is_one(path));
    assert_ok(vdnn_profile_store_read(store, path, &stale));
    assert_false(stale);
    assert_true(vdnn_profile_store_find(store, &row) && row.seconds == 1);
    assert_true(vdnn_profile_store_rate(store, VDNN_PROFILE_RATE_launch_seconds) == 2);
    assert_true(vdnn_profile_store_rate(store, VDNN_PROFILE_RATE_copy_in_slows_moves) == 0);
    assert_ok(vdnn_profile_store_write(store, path));
    assert_string_equal(
        read_text(), "vdnn-profile 2\nkey k\nrate launch_seconds 2\nrow a forward x 2 1\nend 1\n");
    vdnn_profile_store_destroy(store);
}

static void an_absent_file_adds_nothing(void **state)
{
    (void)state;
    vdnn_profile_store *store = store_of("k");
    bool stale = true;
    assert_ok(vdnn_profile_store_read(store, path, &stale));
    assert_false(stale);
    vdnn_profile_store_destroy(store);
}

static void a_file_of_another_machine_is_kept_out(void **state)
{
    (void)state;
    write_text(
        "vdnn-profile 2\nkey other cpu\nrate launch_seconds 1\nrow a forward x 2 1\nend 1\n");
    vdnn_profile_store *store = store_of("this cpu");
    bool stale = false;
    assert_ok(vdnn_profile_store_read(store, path, &stale));
    assert_true(stale);
    assert_message("other cpu");
    assert_message("this cpu");
    assert_false(vdnn_profile_store_find(
        store, &(vdnn_profile_row){"a", "x", VDNN_FORWARD, 2, 0, -1, false, false, false}));
    assert_true(vdnn_profile_store_rate(store, VDNN_PROFILE_RATE_launch_seconds) == 0);
    vdnn_profile_store_destroy(store);
}

/* Of what two machines measured the slower time stays, and what only one has is kept. */
static void of_two_stores_the_slower_times_are_merged(void **state)
{
    static const vdnn_profile_row rows[2][2] = {
        {{"conv", "direct", VDNN_FORWARD, 8, 2.0, 100, false, false, false},
         {"conv", "gemm", VDNN_FORWARD, 8, 1.0, 200, false, false, false}},
        {{"conv", "direct", VDNN_FORWARD, 8, 1.5, 100, false, false, false},
         {"conv", "fft", VDNN_FORWARD, 8, 3.0, 300, true, false, false}}};
    vdnn_profile_store *stores[2];
    vdnn_text texts[2] = {{0}, {0}};
    (void)state;
    for (int s = 0; s < 2; s++) {
        assert_ok(vdnn_profile_store_create(s == 0 ? "one" : "other", &stores[s]));
        for (int r = 0; r < 2; r++)
            assert_ok(vdnn_profile_store_add(stores[s], &rows[s][r]));
        const double value = 1 + s;
        assert_ok(vdnn_profile_store_set_rate(stores[s], VDNN_PROFILE_RATE_copy_in_bytes_per_second,
                                              1e9 * value));
        assert_ok(vdnn_profile_store_set_rate(stores[s], VDNN_PROFILE_RATE_copy_latency_seconds,
                                              1e-6 * value));
        assert_ok(vdnn_profile_store_set_rate(stores[s], VDNN_PROFILE_RATE_copy_in_slows_moves,
                                              1 + value));
        assert_ok(vdnn_profile_store_print(stores[s], &texts[s]));
    }
    for (int s = 0; s < 2; s++) {
        assert_ok(vdnn_profile_store_merge(stores[s], texts[1 - s].data, texts[1 - s].length));
        assert_int_equal(vdnn_profile_store_row_count(stores[s]), 3);
        vdnn_profile_row row = rows[0][0];
        assert_true(vdnn_profile_store_find(stores[s], &row));
        assert_true(row.seconds > 1.9);
        row = rows[1][1];
        assert_true(vdnn_profile_store_find(stores[s], &row) && row.updates);
        assert_true(vdnn_profile_store_rate(stores[s], VDNN_PROFILE_RATE_copy_in_bytes_per_second) <
                    1.1e9);
        assert_true(vdnn_profile_store_rate(stores[s], VDNN_PROFILE_RATE_copy_latency_seconds) >
                    1.9e-6);
        assert_true(vdnn_profile_store_rate(stores[s], VDNN_PROFILE_RATE_copy_in_slows_moves) == 3);
    }
    assert_status(vdnn_profile_store_merge(stores[0], "vdnn-profile 2\n", 15), VDNN_BAD_INPUT);
    for (int s = 0; s < 2; s++) {
        vdnn_text_fini(&texts[s]);
        vdnn_profile_store_destroy(stores[s]);
    }
}

static void a_malformed_file_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"", "profile:1: empty"},
        {"{}\n", "profile:1: not a profile"},
        {"vdnn-profile 3\n", "profile:1: not a profile"},
        {"vdnn-profile 2\nkey k\nrows 3\nend 0\n", "profile:3: expected a line"},
        {"vdnn-profile 2\nkey k\n\nend 0\n", "profile:3: expected a line"},
        {"vdnn-profile 2\nrate speed 3\nend 0\n", "profile:2: unknown rate"},
        {"vdnn-profile 2\ndevice cpu nchw fused 2 1 1\nend 0\n", "profile:2: expected \"device"},
        {"vdnn-profile 2\ndevice cpu nchv fused 2 1 1 1\nend 0\n", "profile:2: expected \"device"},
        {"vdnn-profile 2\ndevice cpu nchw fuse 2 1 1 1\nend 0\n", "profile:2: expected \"device"},
        {"vdnn-profile 2\ndevice cpu nchw behind-pools 2 1 1 1\nend 0\n", "profile:2: expected"},
        {"vdnn-profile 2\ndevice cpu nchw alone 0 1 1 1\nend 0\n", "profile:2: expected \"device"},
        {"vdnn-profile 2\nrow a forward x 2 1 -4\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2 1 4 update\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrate launch_seconds -3\nend 0\n", "profile:2: expected \"rate"},
        {"vdnn-profile 2\nrate launch_seconds\nend 0\n", "profile:2: expected \"rate"},
        {"vdnn-profile 2\nrow a forward x 2 nan\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2 inf\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2 0\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2 1s\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 0 1\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 99999999999999999999 1\nend 1\n", "profile:2: expected"},
        {"vdnn-profile 2\nrow a sideways x 2 1\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2 1 1 1\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow\nend 1\n", "profile:2: expected \"row"},
        {"vdnn-profile 2\nrow a forward x 2 1\nend 2\n", "profile:3: the number of rows"},
        {"vdnn-profile 2\nend 0\nkey k\n", "profile:3: text after the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(cases[i].text);
        vdnn_profile_store *store = store_of("k");
        bool stale = true;
        assert_status(vdnn_profile_store_read(store, path, &stale), VDNN_BAD_INPUT);
        assert_message(cases[i].where);
        assert_true(stale);
        assert_false(vdnn_profile_store_find(
            store, &(vdnn_profile_row){"a", "x", VDNN_FORWARD, 2, 0, -1, false, false, false}));
        vdnn_profile_store_destroy(store);
    }
}

/* ---- a file that is kept while rows are measured -----------------------------------------------
 */

static const vdnn_profile_row three_rows[] = {
    {"b", "x", VDNN_FORWARD, 2, 1, 256, false, false, false},
    {"a", "x", VDNN_BACKWARD_DATA, 2, 0.25, 0, true, false, false},
    {"a", "x", VDNN_FORWARD, 2, 0.5, -1, false, false, false}};

static size_t count_known(const vdnn_profile_store *store)
{
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        vdnn_profile_row row = three_rows[i];
        row.seconds = 0;
        bool is_known = vdnn_profile_store_find(store, &row);
        assert_true(!is_known || row.seconds == three_rows[i].seconds);
        count += is_known;
    }
    return count;
}

static void rows_are_in_the_file_as_soon_as_they_are_measured(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "vdnn-profile 2\nkey k\nrow b forward x 2 1 256\n",
        "vdnn-profile 2\nkey k\nrow b forward x 2 1 256\nrow a backward_data x 2 0.25 0 updates\n"};
    vdnn_profile_store *store = store_of("k");
    assert_ok(vdnn_profile_store_keep(store, path));
    assert_ok(vdnn_profile_store_finish(store));
    assert_int_equal(access(path, F_OK), -1); /* nothing was measured */
    for (int i = 0; i < 2; i++) {
        assert_ok(vdnn_profile_store_add(store, &three_rows[i]));
        assert_string_equal(read_text(), texts[i]);
    }
    assert_ok(vdnn_profile_store_finish(store));
    assert_string_equal(read_text(), "vdnn-profile 2\nkey k\n"
                                     "row a backward_data x 2 0.25 0 updates\n"
                                     "row b forward x 2 1 256\nend 2\n");
    assert_ok(vdnn_profile_store_add(store, &three_rows[2])); /* it is kept again */
    assert_null(strstr(read_text(), "end"));
    assert_non_null(strstr(read_text(), "row a forward x 2 0.5\n"));
    vdnn_profile_store_destroy(store); /* as where the process ends */
    store = store_of("k");
    bool stale = true;
    assert_ok(vdnn_profile_store_read(store, path, &stale));
    assert_int_equal(count_known(store), 3);
    assert_ok(vdnn_profile_store_keep(store, path));
    assert_ok(vdnn_profile_store_finish(store)); /* nothing is new, but the file is not whole */
    assert_non_null(strstr(read_text(), "\nend 3\n"));
    vdnn_profile_store_destroy(store);
}

/* Whatever byte was the last one. */
static void of_a_file_that_was_cut_off_all_whole_lines_are_taken(void **state)
{
    (void)state;
    static const char head[] = "vdnn-profile 2\nkey k\n";
    static const char whole[] = "vdnn-profile 2\nkey k\n"
                                "row b forward x 2 1 256\n"
                                "row a backward_data x 2 0.25 0 updates\n"
                                "row a forward x 2 0.5\n";
    for (size_t length = sizeof head - 1; length < sizeof whole; length++) {
        char text[sizeof whole] = "";
        size_t lines = 0;
        bool stale = true;
        memcpy(text, whole, length);
        for (size_t i = 0; i < length; i++)
            lines += text[i] == '\n';
        write_text(text);
        vdnn_profile_store *store = store_of("k");
        assert_ok(vdnn_profile_store_read(store, path, &stale));
        assert_false(stale);
        assert_int_equal(count_known(store), lines - 2);
        assert_int_equal(vdnn_profile_store_cut(store), lines + 1);
        vdnn_profile_store_destroy(store);
    }
}

static void
behind_a_line_that_cannot_be_read_nothing_is_taken_of_a_file_that_was_cut_off(void **state)
{
    (void)state;
    vdnn_profile_store *store = store_of("k"), *opened = NULL;
    bool stale = true;
    write_text("vdnn-profile 2\nkey k\nrow b forward x 2 1 256\nrow a forw\x01\x02\n"
               "row a forward x 2 0.5\n");
    assert_ok(vdnn_profile_store_read(store, path, &stale));
    assert_int_equal(count_known(store), 1);
    assert_int_equal(vdnn_profile_store_cut(store), 4);
    /* What is simulated by it wants all. */
    assert_status(vdnn_profile_store_open(path, &opened), VDNN_BAD_INPUT);
    assert_message("profile:4: the file is incomplete");
    vdnn_profile_store_destroy(store);
}

static void a_directory_can_be_neither_read_nor_replaced(void **state)
{
    (void)state;
    vdnn_profile_store *store = store_of("k");
    bool stale = false;
    assert_status(vdnn_profile_store_read(store, directory, &stale), VDNN_FILE);
    assert_message(directory);
    assert_status(vdnn_profile_store_write(store, directory), VDNN_FILE);
    assert_status(vdnn_profile_store_write(store, "/dev/null"), VDNN_FILE);
    assert_message("not a regular file");
    assert_int_equal(access("/dev/null", W_OK), 0);
    vdnn_profile_store_destroy(store);
}

static void a_file_that_cannot_be_made_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    vdnn_profile_store *store = store_of("k");
    assert_status(vdnn_profile_store_write(store, "/nowhere/at/all/profile"), VDNN_FILE);
    assert_message("/nowhere/at/all/profile");
    assert_ok(vdnn_profile_store_keep(store, "/nowhere/at/all/profile"));
    assert_status(vdnn_profile_store_add(store, &three_rows[0]), VDNN_FILE);
    assert_message("/nowhere/at/all/profile");
    vdnn_profile_store_destroy(store);
}

static vdnn_status write_and_read(void)
{
    vdnn_profile_store *store = NULL, *again = NULL;
    bool stale;
    vdnn_status status = vdnn_profile_store_create("k", &store);
    if (status == VDNN_OK)
        status = vdnn_profile_store_keep(store, path);
    for (int i = 0; status == VDNN_OK && i < 2; i++)
        status = vdnn_profile_store_add(store, &three_rows[i]);
    if (status == VDNN_OK)
        status = vdnn_profile_store_finish(store);
    if (status == VDNN_OK)
        status = vdnn_profile_store_create("k", &again);
    if (status == VDNN_OK)
        status = vdnn_profile_store_read(again, path, &stale);
    vdnn_profile_store_destroy(store);
    vdnn_profile_store_destroy(again);
    return status;
}

static void a_store_survives_every_allocation_that_fails(void **state)
{
    (void)state;
    size_t live = vdnn_heap_live_count(), calls = vdnn_heap_call_count();
    assert_ok(write_and_read());
    size_t count = vdnn_heap_call_count() - calls;
    for (size_t n = 1; n <= count; n++) {
        vdnn_heap_fail_after(n);
        vdnn_status status = write_and_read();
        vdnn_heap_fail_after(0);
        /* Without memory for its name the directory is not synchronized: no reason to fail. */
        assert_true(status == VDNN_NO_MEMORY || status == VDNN_OK);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
}

/* ---- from a device --------------------------------------------------------------------------- */

static void expect_complete(const vdnn_graph *graph, const vdnn_profile *profile)
{
    assert_int_equal(profile->layer_count, graph->layer_count);
    for (int32_t i = 0; i < graph->layer_count; i++)
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
            bool has = vdnn_layer_has_pass(&graph->layers[i], (vdnn_pass)pass);
            int32_t count = profile->layers[i].choice_count[pass];
            const vdnn_choice *choices = profile->layers[i].choices[pass];
            assert_int_equal(has, count > 0);
            for (int32_t k = 0; k < count; k++) {
                assert_true(choices[k].seconds > 0);
                assert_true(k == 0 || choices[k].workspace_bytes >= choices[k - 1].workspace_bytes);
                size_t bytes = 0;
                assert_ok(vdnn_algorithm_workspace(choices[k].algorithm, &graph->layers[i],
                                                   (vdnn_pass)pass, 1, &bytes));
                assert_int_equal(choices[k].workspace_bytes, bytes);
            }
        }
    assert_true(profile->copy_out_bytes_per_second > 0 && profile->copy_in_bytes_per_second > 0);
    assert_true(profile->copy_latency_seconds > 0 && profile->launch_seconds > 0);
    assert_true(profile->elementwise_bytes_per_second > 0);
}

static void every_pass_is_measured_and_the_tiers_are_given_back(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_of(small_network);
    vdnn_device *device = open_cpu();
    vdnn_profile_store *store = store_of("k");
    vdnn_profile *profile = NULL;
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    expect_complete(graph, profile);
    assert_true(vdnn_profile_store_measured_count(store) > 0);
    assert_null(vdnn_device_base(device, VDNN_TIER_DEVICE));
    assert_null(vdnn_device_base(device, VDNN_TIER_HOST));
    vdnn_profile_destroy(profile);
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
    vdnn_graph_destroy(graph);
}

static void expect_equal(const vdnn_profile *a, const vdnn_profile *b)
{
    assert_true(a->copy_in_bytes_per_second == b->copy_in_bytes_per_second);
    assert_true(a->copy_out_bytes_per_second == b->copy_out_bytes_per_second);
    assert_true(a->copy_latency_seconds == b->copy_latency_seconds);
    assert_true(a->elementwise_bytes_per_second == b->elementwise_bytes_per_second);
    assert_true(a->launch_seconds == b->launch_seconds);
    vdnn_test_profile_same(a, b);
}

static void the_same_file_gives_the_same_profile_and_measures_nothing(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_of(small_network);
    vdnn_device *device = open_cpu();
    vdnn_profile_store *store = store_of("k"), *again = store_of("k");
    vdnn_profile *first = NULL, *second = NULL;
    bool stale;
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &first));
    assert_ok(vdnn_profile_store_write(store, path));
    assert_ok(vdnn_profile_store_read(again, path, &stale));
    assert_ok(vdnn_measured_profile_create(graph, device, again, NULL, &second));
    assert_int_equal(vdnn_profile_store_measured_count(again), 0);
    expect_equal(first, second);
    vdnn_profile_destroy(first);
    vdnn_profile_destroy(second);
    vdnn_profile_store_destroy(store);
    vdnn_profile_store_destroy(again);
    vdnn_device_close(device);
    vdnn_graph_destroy(graph);
}

/* So a network with one more such layer has nothing left to measure. */
static void layers_of_equal_signature_are_measured_once(void **state)
{
    static const char another[] = "  - {name: conv3, type: conv, out: 4, kernel: 3, pad: 1}\n"
                                  "  - {name: relu3, type: relu}\n";
    (void)state;
    const char *at = strstr(small_network, another);
    char shallow[sizeof small_network];
    assert_non_null(at);
    (void)snprintf(shallow, sizeof shallow, "%.*s%s", (int)(at - small_network), small_network,
                   at + strlen(another));
    vdnn_graph *graph = graph_of(shallow), *deeper = graph_of(small_network);
    vdnn_device *device = open_cpu();
    vdnn_profile_store *store = store_of("k");
    vdnn_profile *profile = NULL;
    assert_string_equal(deeper->layers[2].signature, deeper->layers[4].signature);
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    const size_t measured = vdnn_profile_store_measured_count(store);
    assert_true(measured > 0);
    vdnn_profile_destroy(profile);
    assert_ok(vdnn_measured_profile_create(deeper, device, store, NULL, &profile));
    assert_int_equal(vdnn_profile_store_measured_count(store), measured);
    for (int32_t k = 0; k < profile->layers[2].choice_count[VDNN_FORWARD]; k++)
        assert_true(profile->layers[2].choices[VDNN_FORWARD][k].seconds ==
                    profile->layers[4].choices[VDNN_FORWARD][k].seconds);
    vdnn_profile_destroy(profile);
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
    vdnn_graph_destroy(deeper);
    vdnn_graph_destroy(graph);
}

/* Of this thread: what else runs on the machine does not count. */
static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void ten_thousand_layers_of_a_complete_store_take_less_than_a_second(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_of("name: deep\n"
                                 "input: {channels: 2, height: 4, width: 4}\n"
                                 "classes: 3\n"
                                 "batch: 2\n"
                                 "layers:\n"
                                 "  - repeat: {count: 5000, layers: [\n"
                                 "      {name: 'conv{i}', type: conv, out: 2, kernel: 3, pad: 1},\n"
                                 "      {name: 'relu{i}', type: relu}]}\n"
                                 "  - {name: fc, type: fc, out: 3}\n"
                                 "  - {name: loss, type: softmax_loss}\n");
    assert_int_equal(graph->layer_count, 10002);
    vdnn_device *device = open_cpu();
    vdnn_profile_store *store = store_of("k");
    vdnn_profile *profile = NULL;
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    size_t measured = vdnn_profile_store_measured_count(store);
    vdnn_profile_destroy(profile);
    double start = now();
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    assert_true(now() - start < 1);
    assert_int_equal(vdnn_profile_store_measured_count(store), measured);
    vdnn_profile_destroy(profile);
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
    vdnn_graph_destroy(graph);
}

static void a_profile_survives_every_allocation_that_fails(void **state)
{
    (void)state;
    vdnn_graph *graph = graph_of(small_network);
    vdnn_device *device = open_cpu();
    vdnn_profile_store *store = store_of("k");
    vdnn_profile *profile = NULL;
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    vdnn_profile_destroy(profile);
    size_t live = vdnn_heap_live_count();
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        profile = NULL;
        vdnn_heap_fail_after(n);
        vdnn_status status = vdnn_measured_profile_create(graph, device, store, NULL, &profile);
        vdnn_heap_fail_after(0);
        /* A row that cannot be had is left out where there is another: that too is a success. */
        assert_int_equal(status == VDNN_OK, profile != NULL);
        failed = status != VDNN_OK || n < 40;
        vdnn_profile_destroy(profile);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
    vdnn_graph_destroy(graph);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static vdnn_graph *graph_in_parts(const int32_t *parts)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    const vdnn_graph_options options = {
        .micro_batches = 1, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .parts = parts};
    assert_ok(vdnn_model_parse(small_network, strlen(small_network), "small.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static void what_is_taken_from_the_whole_is_what_would_be_predicted(void **state)
{
    (void)state;
    enum { MOST_LAYERS = 16 };
    vdnn_device *device = NULL;
    const vdnn_device_options options = {.threads = 1};
    assert_ok(vdnn_device_open("sim:models/devices/titan-x-maxwell.yaml", &options, &device));
    vdnn_profile_store *store = store_of("k");
    vdnn_graph *whole = graph_of(small_network);
    vdnn_profile *of_whole = NULL, *taken = NULL, *predicted = NULL;
    int32_t parts[MOST_LAYERS];
    assert_true(whole->layer_count <= MOST_LAYERS);
    for (int32_t l = 0; l < whole->layer_count; l++)
        parts[l] = l == 2 || l == 3 ? 2 : 1;
    vdnn_graph *cut = graph_in_parts(parts);
    assert_ok(vdnn_measured_profile_create(whole, device, store, NULL, &of_whole));
    assert_ok(vdnn_measured_profile_create(cut, device, store, NULL, &predicted));
    const vdnn_measured_whole known = {whole, of_whole, NULL};
    assert_ok(vdnn_measured_profile_predict(cut, device, store, &known, &taken));
    vdnn_test_profile_same(taken, predicted);
    of_whole->layers[0].choices[VDNN_FORWARD][0].seconds *= 2;
    vdnn_profile_destroy(taken);
    assert_ok(vdnn_measured_profile_predict(cut, device, store, &known, &taken));
    assert_true(taken->layers[0].choices[VDNN_FORWARD][0].seconds >
                predicted->layers[0].choices[VDNN_FORWARD][0].seconds);
    vdnn_profile_destroy(predicted);
    vdnn_profile_destroy(taken);
    vdnn_profile_destroy(of_whole);
    vdnn_graph_destroy(cut);
    vdnn_graph_destroy(whole);
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_sorted_by_workspace_then_by_seconds),
        cmocka_unit_test(a_choice_has_seconds_and_workspace_of_both_shapes),
        cmocka_unit_test(a_pinned_pass_has_one_choice),
        cmocka_unit_test(rows_are_found_by_all_parts_of_their_name),
        cmocka_unit_test_teardown(a_written_store_is_read_back_bit_for_bit, remove_file),
        cmocka_unit_test_teardown(a_file_does_not_depend_on_the_order_of_measuring, remove_file),
        cmocka_unit_test_teardown(files_of_format_1_are_read, remove_file),
        cmocka_unit_test_teardown(an_absent_file_adds_nothing, remove_file),
        cmocka_unit_test_teardown(a_file_of_another_machine_is_kept_out, remove_file),
        cmocka_unit_test(of_two_stores_the_slower_times_are_merged),
        cmocka_unit_test_teardown(a_malformed_file_is_refused_with_its_line, remove_file),
        cmocka_unit_test_teardown(rows_are_in_the_file_as_soon_as_they_are_measured, remove_file),
        cmocka_unit_test_teardown(of_a_file_that_was_cut_off_all_whole_lines_are_taken,
                                  remove_file),
        cmocka_unit_test_teardown(
            behind_a_line_that_cannot_be_read_nothing_is_taken_of_a_file_that_was_cut_off,
            remove_file),
        cmocka_unit_test_teardown(a_directory_can_be_neither_read_nor_replaced, remove_file),
        cmocka_unit_test(a_file_that_cannot_be_made_is_an_error_and_leaves_nothing),
        cmocka_unit_test_teardown(a_store_survives_every_allocation_that_fails, remove_file),
        cmocka_unit_test(every_pass_is_measured_and_the_tiers_are_given_back),
        cmocka_unit_test_teardown(the_same_file_gives_the_same_profile_and_measures_nothing,
                                  remove_file),
        cmocka_unit_test(layers_of_equal_signature_are_measured_once),
        cmocka_unit_test(ten_thousand_layers_of_a_complete_store_take_less_than_a_second),
        cmocka_unit_test(a_profile_survives_every_allocation_that_fails),
        cmocka_unit_test(what_is_taken_from_the_whole_is_what_would_be_predicted),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
