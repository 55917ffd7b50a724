/* Layers that `opt` cuts on the device that computes, where nothing fits with whole ones: what
 * comes out has the bits of the same parts in the network's file. */

#include "tests/support/run_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words that all runs here have; `@` is the folder. */
#define WORDS                                                                                      \
    "vdnnrun --model @/net.yaml --data npy:@ --policy opt --plan-trials 60 --profile @/profile "   \
    "--verify "
#define TOLD "nothing fits with whole layers: "

static json_int_t smallest_budget(const char *folder, const char *policy)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/net.yaml --policy %s --dry-run --device-mem 100 "
                      "--profile @/profile --json @/refused.json",
                      policy);
    vdnn_test_expect(&run, 4, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "refused.json"));
    json_int_t bytes = vdnn_test_integer_at(vdnn_test_object_at(root, "plan"), "smallest_bytes");
    json_decref(root);
    return bytes;
}

/* Runs the words and `more` at that budget; whether it says that layers are cut. */
static bool run_at(const char *folder, json_int_t bytes, const char *words, const char *more)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s--device-mem %lld %s", words, (long long)bytes, more);
    vdnn_test_expect(&run, 0, "");
    const bool is_told = strstr(run.err, TOLD) != NULL;
    vdnn_test_run_free(&run);
    return is_told;
}

static void expect_report(const char *folder, json_int_t bytes, bool says_so)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnreport --model @/net.yaml --plan-trials 60 --profile @/profile "
                      "--device-mem %lld",
                      (long long)bytes);
    vdnn_test_expect(&run, 0, "");
    assert_int_equal(strstr(run.out, "opt (search, in parts)") != NULL, says_so);
    vdnn_test_run_free(&run);
}

static json_int_t prepare(const char *folder)
{
    (void)vdnn_test_network(folder);
    vdnn_test_images(folder, 32);
    return smallest_budget(folder, "opt");
}

/* Puts `parts: N` behind the layer's name in the text of a file. */
static void write_parts(const char *name, json_int_t parts, char **text)
{
    char head[64], *made = malloc(strlen(*text) + 32);
    (void)snprintf(head, sizeof head, "{name: %s,", name);
    char *at = strstr(*text, head);
    assert_non_null(made);
    assert_non_null(at);
    at += strlen(head);
    (void)sprintf(made, "%.*s parts: %lld,%s", (int)(at - *text), *text, (long long)parts, at);
    free(*text);
    *text = made;
}

/* FOLDER/net.yaml in the parts that a run's JSON has. How many layers are cut. */
static int cut_file_as(const char *folder, const char *json)
{
    char *text;
    size_t i, length;
    json_t *layer, *root = vdnn_test_json(vdnn_test_path(folder, json));
    int count = 0;
    vdnn_test_read_file(vdnn_test_path(folder, "net.yaml"), &text, &length);
    json_array_foreach(json_object_get(root, "layers"), i, layer)
    {
        const json_int_t parts = vdnn_test_integer_at(layer, "parts");
        if (parts > 1)
            write_parts(vdnn_test_text_at(layer, "name"), parts, &text);
        count += parts > 1;
    }
    vdnn_test_write_file(vdnn_test_path(folder, "net.yaml"), text, strlen(text));
    free(text);
    json_decref(root);
    return count;
}

TEST_IN_FOLDER(layers_are_cut_only_where_nothing_fits_with_whole_ones)
{
    const json_int_t opt = prepare(*state), dyn = smallest_budget(*state, "dyn");
    assert_true(opt < dyn / 2);
    assert_false(run_at(*state, dyn, WORDS, "--steps 1 --json @/whole.json"));
    assert_int_equal(cut_file_as(*state, "whole.json"), 0);
    assert_true(run_at(*state, opt, WORDS, "--steps 1 --json @/cut.json"));
    expect_report(*state, dyn, false);
    expect_report(*state, opt, true);
    assert_true(cut_file_as(*state, "cut.json") > 1);
}

#define HINT "longer than with unlimited memory"

/* Whether bits may differ, such layers are cut where opt gains by it, and nothing is to be said. */
TEST_IN_FOLDER(with_other_bits_layers_may_be_cut_anywhere)
{
    (void)prepare(*state);
    const json_int_t dyn = smallest_budget(*state, "dyn");
    for (int is_free = 0; is_free < 2; is_free++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, WORDS "--device-mem %lld --steps 1 --json @/run.json %s",
                          (long long)dyn, is_free ? "--nondeterministic" : "");
        vdnn_test_expect(&run, 0, "");
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json")),
               *plan = vdnn_test_object_at(root, "plan");
        const double seconds = vdnn_test_number_at(plan, "step_seconds"),
                     oracle = vdnn_test_number_at(plan, "oracle_step_seconds");
        assert_null(strstr(run.err, TOLD));
        if (seconds > 1.06 * oracle || seconds < 1.04 * oracle)
            assert_int_equal(strstr(run.err, HINT) != NULL, !is_free && seconds > 1.05 * oracle);
        if (!is_free)
            assert_int_equal(cut_file_as(*state, "run.json"), 0);
        json_decref(root);
        vdnn_test_run_free(&run);
    }
}

static void expect_same(const char *folder, const char *a, const char *b)
{
    vdnn_test_expect_same_file(vdnn_test_path(folder, a), vdnn_test_path(folder, b));
}

TEST_IN_FOLDER(cut_layers_give_the_bits_of_the_same_parts_in_the_file)
{
    static const char base[] =
        "vdnnrun --model @/net.yaml --data npy:@ --policy base --algos @/cut.json --steps 5 ";
    const json_int_t least = prepare(*state), ample = (json_int_t)1 << 30;
    for (int k = 1; k <= 2; k++) {
        assert_true(run_at(*state, k * least, WORDS,
                           "--steps 5 --save @/cut.safetensors --json @/cut.json"));
        assert_false(run_at(*state, ample, base, "--save @/told.safetensors"));
        assert_true(cut_file_as(*state, "cut.json") > 1);
        assert_false(run_at(*state, ample, base, "--save @/file.safetensors"));
        expect_same(*state, "cut.safetensors", "file.safetensors");
        expect_same(*state, "cut.safetensors", "told.safetensors");
        (void)vdnn_test_network(*state);
    }
}

/* Under another policy and budget, too. What a run chooses hangs on what it measures: the one that
 * is not interrupted is told the algorithms of the one that is. */
TEST_IN_FOLDER(a_run_that_is_resumed_has_the_parts_of_its_checkpoint)
{
    static const char words[] = "vdnnrun --model @/net.yaml --data npy:@ --no-shuffle ",
                      opt[] = "--policy opt --plan-trials 60 --profile @/profile ";
    const json_int_t least = prepare(*state);
    char more[512];
    (void)snprintf(more, sizeof more, "%s--steps 2 --checkpoint @/run --json @/cut.json", opt);
    assert_true(run_at(*state, least, words, more));
    (void)snprintf(more, sizeof more, "%s--steps 5 --algos @/cut.json --save @/whole.safetensors",
                   opt);
    (void)run_at(*state, least, words, more);
    for (int k = 0; k < 3; k++) {
        (void)snprintf(more, sizeof more,
                       "--steps 5 --resume @/run --policy %s --plan-trials 30 "
                       "--save @/resumed.safetensors",
                       k < 2 ? "opt" : "dyn");
        assert_false(run_at(*state, k == 0 ? least : (json_int_t)1 << 30, words, more));
        expect_same(*state, "whole.safetensors", "resumed.safetensors");
    }
}

/* The JSON of a run with other parts for a layer. */
/* A device model, which predicts each cut layer: the second run may choose no other algorithm. */
TEST_IN_FOLDER(a_simulated_run_repeats_the_algorithms_of_its_parts)
{
    static const char words[] =
        "vdnnrun --model vgg16 --batch 64 --device sim:titan-x-maxwell --policy opt --dry-run "
        "--device-mem 1300MiB --plan-trials ";
    vdnn_test_run run;
    size_t i;
    int cut = 0;
    json_t *layer;
    vdnn_test_program(&run, *state, "%s60 --json @/a.json", words);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "%s1000 --algos @/a.json --json @/b.json", words);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *a = vdnn_test_json(vdnn_test_path(*state, "a.json")),
           *b = vdnn_test_json(vdnn_test_path(*state, "b.json"));
    json_array_foreach(json_object_get(a, "layers"), i, layer)
    {
        const json_t *again = json_array_get(json_object_get(b, "layers"), i);
        assert_true(
            json_equal(json_object_get(layer, "algorithms"), json_object_get(again, "algorithms")));
        assert_true(json_equal(json_object_get(layer, "parts"), json_object_get(again, "parts")));
        cut += vdnn_test_integer_at(layer, "parts") > 1;
    }
    assert_true(cut > 0);
    json_decref(a);
    json_decref(b);
}

TEST_IN_FOLDER(parts_that_a_layer_cannot_have_are_refused)
{
    static const json_int_t wrong[] = {0, -1, 9, INT64_MAX};
    const json_int_t least = prepare(*state);
    assert_true(run_at(*state, least, WORDS, "--steps 1 --json @/cut.json"));
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "cut.json"));
    json_t *layer = json_array_get(json_object_get(root, "layers"), 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(json_object_set_new(layer, "parts", json_integer(wrong[i])), 0);
        assert_int_equal(json_dump_file(root, vdnn_test_path(*state, "wrong.json"), 0), 0);
        vdnn_test_run_to(*state, 3, "layer relu1 in ",
                         "vdnnrun --model @/net.yaml --dry-run --algos @/wrong.json");
    }
    json_decref(root);
}
