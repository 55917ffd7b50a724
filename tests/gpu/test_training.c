/* vdnnrun on the CUDA device: from a network file to weights. */

#include "tests/support/gpu.h"
#include "tests/support/pictures.h"
#include "tests/support/rows.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_every_layer(*state);
    vdnn_test_write_below(*state, "tokens.yaml", vdnn_token_network);
    vdnn_test_write_below(*state, "positions.yaml", vdnn_position_network);
    vdnn_test_write_below(*state, "tied.yaml", vdnn_tied_network);
    return 0;
}

/* FOLDER/NAME.yaml, its input, and the one data type that policies are compared in; NULL: each. */
typedef struct network {
    const char *name, *shape, *dtype;
} network;

static const network networks[] = {{"every", "6x3x12x12", NULL},
                                   {"tokens", "4x12", "bf16"},
                                   {"positions", "4x9", "bf16"},
                                   {"tied", "4x9", "bf16"}};

enum { NETWORKS = sizeof networks / sizeof *networks };

/* The command trains to its end; else the row fails with the last of its messages. */
static bool trains(const char *folder, const char *command)
{
    enum { LAST = 600 };
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s", command);
    bool is_trained = run.code == 0 && strstr(run.err, "a step took") != NULL;
    size_t length = strlen(run.err);
    if (!is_trained)
        vdnn_row_fail("exit code %d: %s", run.code, run.err + (length > LAST ? length - LAST : 0));
    vdnn_test_run_free(&run);
    return is_trained;
}

static bool is_same_file(const char *a, const char *b)
{
    char *left, *right;
    size_t left_count, right_count;
    vdnn_test_read_file(a, &left, &left_count);
    vdnn_test_read_file(b, &right, &right_count);
    bool is_same = left_count == right_count && memcmp(left, right, left_count) == 0;
    free(left);
    free(right);
    return is_same;
}

/* With the algorithms that base chose, which has written @/first.safetensors. */
static void compare_policy(const char *folder, const network *of, const char *dtype,
                           const char *policy, const char *rules)
{
    char command[512];
    if (!vdnn_row_begin(vdnn_row_named(of->name, of->shape, dtype, policy)))
        return;
    (void)snprintf(command, sizeof command,
                   "vdnnrun --model @/%s.yaml --device cuda --dtype %s --policy %s --rules %s "
                   "--steps 3 --profile @/profile --algos @/first.json --save @/other.safetensors",
                   of->name, dtype, policy, rules);
    if (trains(folder, command) && !is_same_file(vdnn_test_path(folder, "first.safetensors"),
                                                 vdnn_test_path(folder, "other.safetensors")))
        vdnn_row_fail("the weights are not those of base");
    vdnn_row_end();
}

/* Steps of every policy end with the weights of base's: algorithms are those that it chose. */
static void compare_policies(const char *folder, const network *of, const char *dtype)
{
    static const char *const policies[] = {"base --algo p", "base --algo m", "all", "conv", "dyn"};
    static const char *const rule_sets[] = {"paper", "lean"};
    char command[512];
    if (!vdnn_row_begin(vdnn_row_named(of->name, of->shape, dtype, "base")))
        return;
    (void)snprintf(command, sizeof command,
                   "vdnnrun --model @/%s.yaml --device cuda --dtype %s --policy base "
                   "--steps 3 --profile @/profile --save @/first.safetensors "
                   "--json @/first.json",
                   of->name, dtype);
    bool is_trained = trains(folder, command);
    vdnn_row_end();
    for (size_t s = 0; is_trained && s < sizeof rule_sets / sizeof *rule_sets; s++) {
        vdnn_rows_note(rule_sets[s]);
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
            compare_policy(folder, of, dtype, policies[p], rule_sets[s]);
    }
    vdnn_rows_note(NULL);
}

TEST(weights_are_the_same_bits_under_every_policy_and_stash)
{
    static const char *const dtypes[] = {"f32", "tf32", "bf16"};
    vdnn_rows_begin(__func__, NULL);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        for (size_t n = 0; n < NETWORKS; n++)
            if (networks[n].dtype == NULL || strcmp(networks[n].dtype, dtypes[i]) == 0)
                compare_policies(*state, &networks[n], dtypes[i]);
    vdnn_rows_end();
}

static double last_loss(const char *path)
{
    json_t *root = vdnn_test_json(path);
    const json_t *losses = json_object_get(root, "losses");
    double loss = json_number_value(json_array_get(losses, json_array_size(losses) - 1));
    json_decref(root);
    return loss;
}

/* Three steps of sums in another order. */
static const double error_bound = 1e-4;

TEST(losses_are_those_of_the_cpu_device)
{
    static const char *const devices[] = {"cpu", "cuda"};
    for (size_t n = 0; n < NETWORKS; n++) {
        double losses[2];
        for (size_t d = 0; d < 2; d++) {
            vdnn_test_run run;
            vdnn_test_program(&run, *state,
                              "vdnnrun --model @/%s.yaml --device %s --steps 3 --json @/run.json",
                              networks[n].name, devices[d]);
            vdnn_test_expect(&run, 0, "a step took");
            vdnn_test_run_free(&run);
            losses[d] = last_loss(vdnn_test_path(*state, "run.json"));
        }
        assert_true(fabs(losses[0] - losses[1]) <= error_bound * fabs(losses[0]));
    }
}

/* Bytes of the network's images: in nhwc they are padded to 16 a cell. */
static double image_bytes(const json_t *run, double element_bytes)
{
    enum { CELLS = 6 * 12 * 12, CHANNELS = 3, PADDED_BYTES = 16 };
    const char *layout = json_string_value(json_object_get(run, "layout"));
    return CELLS * (strcmp(layout, "nhwc") == 0 ? PADDED_BYTES : CHANNELS * element_bytes);
}

/* What three steps with products of so many bits may differ by from those in f32 on the CPU. */
TEST(tf32_and_bf16_train_in_their_bytes)
{
    static const struct {
        const char *dtype;
        double bound, bytes; /* of an element */
    } cases[] = {{"f32", 1e-4, 4}, {"tf32", 1e-2, 4}, {"bf16", 3e-2, 2}};
    double loss[3], offloaded[3];
    for (size_t i = 0; i < 3; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/every.yaml --device cuda --steps 3 --policy conv "
                          "--rules paper --dtype %s --json @/run.json",
                          cases[i].dtype);
        vdnn_test_expect(&run, 0, "a step took");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
        assert_string_equal(json_string_value(json_object_get(root, "dtype")), cases[i].dtype);
        offloaded[i] = (double)json_integer_value(
            json_object_get(json_object_get(root, "plan"), "offload_bytes"));
        offloaded[i] = (offloaded[i] - image_bytes(root, cases[i].bytes)) / cases[i].bytes;
        json_decref(root);
        loss[i] = last_loss(vdnn_test_path(*state, "run.json"));
        assert_true(fabs(loss[i] - loss[0]) <= cases[i].bound * fabs(loss[0]));
        assert_true(fabs(offloaded[i] - offloaded[0]) <= 0.05 * offloaded[0]);
    }
}

TEST(a_run_offloads_verifies_and_traces)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/every.yaml --device cuda --policy all --rules paper "
                      "--steps 2 --verify --trace @/trace.json --json @/run.json");
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    const json_t *plan = json_object_get(root, "plan"),
                 *measured = json_object_get(root, "measured");
    assert_true(json_integer_value(json_object_get(plan, "offload_bytes")) > 0);
    assert_int_equal(json_integer_value(json_object_get(plan, "offload_bytes")),
                     json_integer_value(json_object_get(measured, "offload_bytes")));
    assert_int_equal(json_integer_value(json_object_get(plan, "arena_bytes")),
                     json_integer_value(json_object_get(measured, "device_arena_bytes")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(root, "device"), "kind")),
                        "cuda");
    json_decref(root);
}

static double rate_at(const json_t *object, const char *direction)
{
    char key[64];
    (void)snprintf(key, sizeof key, "copy_%s_bytes_per_second", direction);
    return json_number_value(json_object_get(object, key));
}

/* Only that they were measured: how fast they are depends on what else the machine does. */
static void expect_rates(const json_t *object)
{
    static const char *const directions[] = {"out", "in", "both"};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        assert_true(rate_at(object, directions[i]) > 0);
}

TEST(the_link_and_what_is_taken_are_in_the_record_and_with_the_doctor)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/every.yaml --device cuda --steps 1 --json @/run.json");
    vdnn_test_expect(&run, 0, "context, libraries and other programs take");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    const json_t *device = json_object_get(root, "device");
    json_int_t all = json_integer_value(json_object_get(device, "memory_bytes"));
    assert_in_range(json_integer_value(json_object_get(device, "taken_bytes")), 1, all);
    expect_rates(json_object_get(device, "link"));
    json_decref(root);
    vdnn_test_program(&run, *state, "vdnnrun --doctor --json @/doctor.json");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    root = vdnn_test_json(vdnn_test_path(*state, "doctor.json"));
    const json_t *card = json_object_get(root, "card");
    assert_int_equal(json_integer_value(json_object_get(card, "memory_bytes")), all);
    assert_non_null(strstr(json_string_value(json_object_get(card, "libraries")), "driver"));
    expect_rates(card);
    expect_rates(json_object_get(root, "memory"));
    json_decref(root);
}

TEST(a_large_card_is_a_small_one_by_its_budget)
{
    vdnn_test_run_to(*state, 4, "--device-mem",
                     "vdnnrun --model @/every.yaml --device cuda --device-mem 10KiB --steps 1");
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/every.yaml --device cuda --device-mem 1MiB --steps 1 "
                      "--json @/run.json");
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(root, "device"), "budget_bytes")),
        1 << 20);
    assert_in_range(json_integer_value(
                        json_object_get(json_object_get(root, "measured"), "device_arena_bytes")),
                    1, 1 << 20);
    json_decref(root);
}

/* FOLDER/pictures: so many classes and pictures of each. */
static void write_pictures(const char *folder, int classes, int each)
{
    char name[64];
    vdnn_test_make_below(folder, "pictures");
    for (int i = 0; i < classes * each; i++) {
        (void)snprintf(name, sizeof name, "pictures/%d", i / each);
        if (i % each == 0)
            vdnn_test_make_below(folder, name);
        (void)snprintf(name, sizeof name, "pictures/%d/%d.png", i / each, i);
        vdnn_test_write_picture(vdnn_test_path(folder, name), 12 + i, 40 - i, i);
    }
}

/* Beside a card the host's other threads read pictures, and have room for what they read: two
 * batches that steps have, and two pictures each. */
TEST(threads_that_read_pictures_change_their_room_and_no_bit)
{
    static const struct {
        int threads, slots;
    } cases[] = {{1, 3}, {3, 3}, {8, 5}, {100, 8}};
    const json_int_t slot_bytes = 6 * (3 * 12 * 12 * 4 + 4); /* a batch of 6 */
    json_t *first = NULL;
    write_pictures(*state, 10, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/every.yaml --device cuda --data images:@/pictures "
                          "--threads %d --steps 7 --profile @/pictures.profile --json @/run.json",
                          cases[i].threads);
        vdnn_test_expect(&run, 0, "a step took");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
        assert_int_equal(json_integer_value(json_object_get(root, "host_staging_bytes")),
                         cases[i].slots * slot_bytes);
        json_t *losses = json_object_get(root, "losses");
        if (first == NULL)
            first = json_incref(losses);
        assert_true(json_equal(losses, first));
        json_decref(root);
    }
    json_decref(first);
}

int main(void)
{
    (void)setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 0);
    if (vdnn_test_device_lacks("cuda"))
        return 0;
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
