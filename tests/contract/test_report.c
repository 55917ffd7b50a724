/* The report: every policy in every format, and every algorithm of every layer. */

#include "layers/layer.h"
#include "runtime/base/numbers/rounded.h"
#include "tests/support/run_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST_IN_FOLDER(the_report_shows_every_policy_in_every_format)
{
    vdnn_test_run run;
    const char *folder = vdnn_test_network(*state) == NULL ? NULL : *state;
    vdnn_test_program(&run, folder,
                      "vdnnreport --model @/net.yaml --json @/r.json --csv @/r.csv "
                      "--markdown @/r.md --html @/r.html");
    vdnn_test_expect(&run, 0, "");
    assert_string_equal(run.out, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "r.json"));
    assert_int_equal(vdnn_test_integer_at(root, "schema_version"), 1);
    assert_string_equal(vdnn_test_text_at(root, "model"), "little");
    assert_int_equal(vdnn_test_integer_at(root, "batch"), 8);
    assert_string_equal(vdnn_test_text_at(vdnn_test_object_at(root, "device"), "kind"), "cpu");
    json_t *rows = json_object_get(root, "policies"), *row;
    assert_int_equal(json_array_size(rows), VDNN_TEST_MODES);
    size_t i;
    json_array_foreach(rows, i, row)
    {
        vdnn_test_check_plan(row);
        char name[32];
        bool is_static = i < 6;
        (void)snprintf(name, sizeof name, is_static ? "%s --algo %s" : "%s",
                       vdnn_test_text_at(row, "policy"), vdnn_test_text_at(row, "algo"));
        assert_string_equal(name, vdnn_test_modes[i]);
        double ratio = vdnn_test_number_at(row, "oracle_step_seconds") /
                       vdnn_test_number_at(row, "step_seconds");
        assert_float_equal((float)vdnn_test_number_at(row, "relative_speed"), (float)ratio, 1e-6F);
        assert_true(vdnn_test_integer_at(row, "smallest_bytes") <=
                    vdnn_test_integer_at(row, "arena_bytes"));
    }
    json_decref(root);
    static const struct {
        const char *name, *part;
    } files[] = {{"r.csv", "policy,algo,"}, {"r.md", "| --- |"}, {"r.html", "</html>"}};
    for (size_t f = 0; f < 3; f++) {
        char *text;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(folder, files[f].name), &text, &count);
        assert_non_null(strstr(text, files[f].part));
        assert_null(strstr(text, "http"));
        free(text);
    }
}

static void assert_file_has(const char *path, const char *part)
{
    char *text;
    size_t count;
    vdnn_test_read_file(path, &text, &count);
    assert_non_null(strstr(text, part));
    free(text);
}

/* In every form, with the figures of the model's file. */
TEST_IN_FOLDER(the_report_tells_how_sure_a_models_times_are)
{
    static const struct {
        const char *device, *text;
        double timings;
        const char *range;
    } models[] = {
        {"titan-x-maxwell",
         "(simulated, calibrated from 329 timings: half of the predicted times are within 12 %)",
         329, "Expect 0.89 to 1.14 of these step times: half"},
        {"h100",
         "(simulated, from the datasheet and cards like it: half of the predicted times are within "
         "57 %)",
         0, "Expect 0.64 to 2.33 of these step times: half"}};
    static const char *const files[] = {"r.md", "r.html"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnreport --model lenet --device sim:%s --policies base --markdown "
                          "@/r.md --html @/r.html --json @/r.json",
                          models[i].device);
        vdnn_test_expect(&run, 0, models[i].text);
        vdnn_test_run_free(&run);
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            assert_file_has(vdnn_test_path(*state, files[f]), models[i].text);
            assert_file_has(vdnn_test_path(*state, files[f]), models[i].range);
        }
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json"));
        json_t *accuracy = vdnn_test_object_at(vdnn_test_object_at(root, "device"), "accuracy");
        assert_true(vdnn_test_number_at(accuracy, "timings") == models[i].timings);
        assert_true(vdnn_test_number_at(accuracy, "half_within") > 0);
        assert_true(vdnn_test_number_at(accuracy, "nine_tenths_within") > 0);
        json_t *row = json_array_get(json_object_get(root, "policies"), 0);
        const json_t *range = json_object_get(row, "step_seconds_range");
        double seconds = vdnn_test_number_at(row, "step_seconds");
        double within = vdnn_test_number_at(accuracy, "half_within");
        assert_true(json_real_value(json_array_get(range, 0)) == seconds * (1 / (1 + within)));
        assert_true(json_real_value(json_array_get(range, 1)) == seconds * (1 / (1 - within)));
        json_decref(root);
    }
}

TEST_IN_FOLDER(the_report_tells_what_copies_reach_and_where_that_is_from)
{
    static const char model[] = "Copies to the host reach 11.92 GiB/s, from it 11.92 GiB/s, both "
                                "at once 23.84 GiB/s (by the device model)";
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnreport --model lenet --device sim:titan-x-maxwell --markdown @/r.md "
                      "--html @/r.html --json @/r.json");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json"));
    json_t *link = vdnn_test_object_at(vdnn_test_object_at(root, "device"), "link");
    assert_true(vdnn_test_number_at(link, "copy_out_bytes_per_second") == 12.8e9);
    assert_true(vdnn_test_number_at(link, "copy_in_bytes_per_second") == 12.8e9);
    assert_true(vdnn_test_number_at(link, "copy_both_bytes_per_second") == 0); /* independent */
    json_decref(root);
    static const char *const names[] = {"r.md", "r.html"};
    for (size_t f = 0; f < 2; f++)
        assert_file_has(vdnn_test_path(*state, names[f]), model);
    vdnn_test_program(&run, *state, "vdnnreport --model lenet --device sim:titan-x-maxwell");
    assert_non_null(strstr(run.out, "both at once 23.84 GiB/s (by the device\n  model)"));
    vdnn_test_run_free(&run);
    assert_non_null(vdnn_test_network(*state));
    vdnn_test_program(&run, *state, "vdnnreport --model @/net.yaml");
    assert_non_null(strstr(run.out, "Copies to the host reach "));
    assert_non_null(strstr(run.out, "/s (measured)\n"));
    vdnn_test_run_free(&run);
}

/* Each figure of a device model once among those that rest on the same: behind a fold of the page,
 * and in what people read with --verbose. */
TEST_IN_FOLDER(the_report_tells_what_the_figures_of_a_device_model_rest_on)
{
    static const char *const told[] = {
        "published by the maker: memory.bytes, memory.bytes_per_second, ",
        ("taken over from another card: compute.launch_seconds, link.out_bytes_per_second, "
         "link.in_bytes_per_second, link.latency_seconds, layers.memory_efficiency, "
         "layers.gemm_efficiency, "),
        "assumed: memory.usable_bytes, ",
    };
    static const char *const names[] = {"r.md", "r.html", "r.txt"};
    vdnn_test_run run;
    vdnn_test_program(
        &run, *state,
        "vdnnreport --model lenet --device sim:h100 --policies base --verbose --markdown @/r.md "
        "--html @/r.html --json @/r.json");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "vdnnreport --model lenet --device sim:h100 --policies base");
    assert_null(strstr(run.out, "published by the maker"));
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state,
                      "vdnnreport --model lenet --device sim:h100 --policies base --verbose");
    vdnn_test_unfold(run.out);
    vdnn_test_write_below(*state, "r.txt", run.out);
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json")), *figure;
    json_t *figures = json_object_get(vdnn_test_object_at(root, "device"), "figures");
    size_t i, assumed = 0;
    assert_true(json_array_size(figures) >= 14);
    json_array_foreach(figures, i, figure)
    {
        const char *key = json_string_value(json_object_get(figure, "key"));
        assumed += strcmp(vdnn_test_text_at(figure, "basis"), "assumed") == 0;
        if (key != NULL && strcmp(key, "f32_flops_per_second") == 0)
            assert_true(vdnn_test_number_at(figure, "value") == 66.9e12);
    }
    assert_int_equal(assumed, 5);
    json_decref(root);
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        char *text;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(*state, names[f]), &text, &count);
        for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
            const char *at = strstr(text, told[k]);
            if (at == NULL || strstr(at + 1, told[k]) != NULL)
                fail_msg("%s has '%s' not once:\n%s", names[f], told[k], text);
            const char *fold = strstr(text, "<summary>What the figures of the device model");
            if (strcmp(names[f], "r.html") == 0)
                assert_true(fold != NULL && fold < at && at < strstr(fold, "</details>"));
        }
        free(text);
    }
}

/* The conclusion and what stands in brackets behind the policies, in words that need no others. */
TEST_IN_FOLDER(the_report_concludes_in_percent_and_bytes)
{
    vdnn_test_run run;
    char speed[64], bytes[64], smallest[32], percent[32];
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport --model lenet --batch 256 --device sim:titan-x-maxwell "
                     "--device-mem 40MiB --policies base,all --json @/r.json --html @/r.html");
    vdnn_test_program(&run, *state,
                      "vdnnreport --model lenet --batch 256 --device sim:titan-x-maxwell "
                      "--device-mem 40MiB --policies base,all");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_unfold(run.out);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json")), *row, *best = NULL;
    json_int_t least = INT64_MAX;
    size_t i;
    json_array_foreach(json_object_get(root, "policies"), i, row)
    {
        const json_t *needs = json_object_get(row, "smallest_bytes");
        if (json_is_integer(needs) && json_integer_value(needs) < least)
            least = json_integer_value(needs);
        if (json_is_true(json_object_get(row, "fits")) &&
            (best == NULL ||
             vdnn_test_number_at(row, "step_seconds") < vdnn_test_number_at(best, "step_seconds")))
            best = row;
    }
    assert_non_null(best);
    (void)snprintf(speed, sizeof speed, ", at %s %% of unlimited-memory speed.",
                   vdnn_rounded_text(percent, sizeof percent,
                                     100 * vdnn_test_number_at(best, "relative_speed"), 2));
    (void)vdnn_text_bytes(smallest, sizeof smallest, (double)least);
    (void)snprintf(bytes, sizeof bytes, " needs the least: %s.", smallest);
    const char *const wanted[] = {speed, bytes, "(m): the algorithms with the least workspace",
                                  "(p): the fastest algorithms"};
    for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (strstr(run.out, wanted[i]) == NULL)
            fail_msg("no '%s' in:\n%s", wanted[i], run.out);
        assert_file_has(vdnn_test_path(*state, "r.html"), wanted[i]);
    }
    vdnn_test_run_free(&run);
    json_decref(root);
}

static double peak, most_share; /* of the report at hand */

/* Convolutions and products of matrices have a depth; the share is that of the work. */
static void check_work(json_t *algorithm, json_t *layer)
{
    const char *type = vdnn_test_text_at(layer, "type");
    const bool is_product = strcmp(type, "conv") == 0 || strcmp(type, "fc") == 0;
    const double work = vdnn_test_number_at(algorithm, "work"),
                 share = vdnn_test_number_at(algorithm, "peak_share");
    assert_true(work >= 0 && (work > 0 || !is_product));
    assert_int_equal(json_is_real(json_object_get(algorithm, "depth")), is_product);
    assert_true(fabs(share * peak - work / vdnn_test_number_at(algorithm, "seconds")) <=
                1e-9 * peak);
    most_share = fmax(most_share, share);
}

/* Every algorithm is either there with its cost or refused with a reason. */
static void check_algorithms(json_t *layer)
{
    size_t p, i, rows = 0;
    json_t *pass, *item;
    for (size_t r = 0; r < vdnn_algorithm_count(); r++)
        rows += strcmp(vdnn_algorithm_at(r)->layer_type, vdnn_test_text_at(layer, "type")) == 0 &&
                strcmp(vdnn_algorithm_at(r)->device, "cpu") == 0;
    json_array_foreach(json_object_get(layer, "passes"), p, pass)
    {
        json_t *there = json_object_get(pass, "algorithms");
        json_t *refused = json_object_get(pass, "refused");
        assert_true(json_array_size(there) > 0);
        assert_int_equal(json_array_size(there) + json_array_size(refused), rows);
        assert_true(vdnn_test_number_at(pass, "bytes") > 0);
        json_array_foreach(there, i, item)
        {
            assert_true(vdnn_test_number_at(item, "seconds") > 0);
            assert_true(vdnn_test_integer_at(item, "workspace_bytes") >= 0);
            check_work(item, layer);
        }
        json_array_foreach(refused, i, item)
            assert_true(strlen(vdnn_test_text_at(item, "reason")) > 0);
    }
}

static void check_shares(json_t *layer)
{
    size_t p, i;
    json_t *pass, *item;
    json_array_foreach(json_object_get(layer, "passes"), p, pass)
        json_array_foreach(json_object_get(pass, "algorithms"), i, item) check_work(item, layer);
}

TEST_IN_FOLDER(the_report_lists_every_algorithm_of_every_layer)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_program(&run, *state,
                      "vdnnreport --model @/net.yaml --algorithms --profile @/p --json @/a.json");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "conv2"));
    assert_non_null(strstr(run.out, "backward_filter"));
    assert_non_null(strstr(run.out, "GFLOP/s"));
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "a.json")), *layer,
           *of = json_object_get(root, "peak");
    size_t l;
    peak = vdnn_test_number_at(of, "operations_per_second");
    most_share = 0;
    assert_string_equal(vdnn_test_text_at(of, "from"), "profile");
    assert_true(json_is_null(json_object_get(of, "basis")));
    assert_true(json_array_size(json_object_get(root, "layers")) >= 10);
    json_array_foreach(json_object_get(root, "layers"), l, layer) check_algorithms(layer);
    assert_true(fabs(most_share - 1) < 1e-9); /* the highest of the profile is its peak */
    json_decref(root);
}

/* The peak is the model's figure for the type, and no algorithm is above it, though some do a third
 * of the direct form's operations. */
TEST_IN_FOLDER(shares_are_of_the_device_models_peak)
{
    static const struct {
        const char *options;
        double peak;
    } cases[] = {{"--device sim:titan-x-maxwell", 7e12},
                 {"--device sim:a100 --dtype bf16", 312e12}};
    char command[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t l;
        json_t *layer;
        (void)snprintf(command, sizeof command,
                       "vdnnreport --model alexnet %s --policies base --json @/a.json",
                       cases[i].options);
        vdnn_test_run_to(*state, 0, "", command);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "a.json")),
               *of = json_object_get(root, "peak");
        peak = vdnn_test_number_at(of, "operations_per_second");
        most_share = 0;
        assert_true(peak == cases[i].peak);
        assert_string_equal(vdnn_test_text_at(of, "from"), "device model");
        assert_string_equal(vdnn_test_text_at(of, "basis"), "published by the maker");
        json_array_foreach(json_object_get(root, "layers"), l, layer) check_shares(layer);
        assert_true(most_share > 0.3 && most_share <= 1);
        json_decref(root);
    }
}

/* A line of an algorithm, of a refusal, and of the legend; no line is wider than asked for. */
TEST_IN_FOLDER(algorithms_are_listed_in_so_many_columns)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnreport --model alexnet --device sim:titan-x-maxwell --algorithms");
    vdnn_test_expect(&run, 0, "");
    for (const char *line = run.out; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (length > 100)
            fail_msg("%zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
    assert_non_null(strstr(run.out, "\nconv2, backward_data: "));
    assert_non_null(strstr(run.out, "\n* fft"));
    assert_non_null(strstr(run.out, "\n- fft_tiling            the card does not offer"));
    assert_non_null(strstr(run.out, "the peak of the device model, 7000 GFLOP/s, published by"));
    vdnn_test_run_free(&run);
}

/* The fewest micro-batches that fit, and no fewer; the run that the row speaks of has its plan. */
TEST_IN_FOLDER(accumulation_is_the_rival_of_offloading)
{
#define WHOLE "--model googlenet --batch 100 --device sim:titan-x-maxwell "
    vdnn_test_run_to(*state, 0, "", "vdnnreport " WHOLE "--json @/whole.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "whole.json"));
    json_t *whole = json_array_get(json_object_get(root, "policies"), 1), *own;
    assert_string_equal(vdnn_test_text_at(whole, "policy"), "base");
    assert_string_equal(vdnn_test_text_at(whole, "algo"), "p");
    own = vdnn_test_object_at(root, "accumulate");
    assert_int_equal(vdnn_test_integer_at(own, "micro_batches"), 1);
    assert_int_equal(vdnn_test_integer_at(own, "arena_bytes"),
                     vdnn_test_integer_at(whole, "arena_bytes"));
    const json_int_t budget = vdnn_test_integer_at(whole, "smallest_bytes") / 2;
    const double oracle = vdnn_test_number_at(whole, "oracle_step_seconds");
    json_decref(root);

    char command[512];
    (void)snprintf(command, sizeof command,
                   "vdnnreport " WHOLE "--device-mem %lld --json @/half.json", (long long)budget);
    vdnn_test_run_to(*state, 0, "", command);
    root = vdnn_test_json(vdnn_test_path(*state, "half.json"));
    own = vdnn_test_object_at(root, "accumulate");
    const int count = (int)vdnn_test_integer_at(own, "micro_batches");
    vdnn_test_check_plan(own);
    assert_true(count > 2 && json_is_true(json_object_get(own, "fits")));
    assert_string_equal(vdnn_test_text_at(own, "statistics"), "same");
    assert_int_equal(vdnn_test_integer_at(own, "offload_bytes"), 0);
    assert_true(vdnn_test_number_at(own, "oracle_step_seconds") == oracle);
    assert_float_equal((float)vdnn_test_number_at(own, "relative_speed"),
                       (float)(oracle / vdnn_test_number_at(own, "step_seconds")), 1e-6F);
    const json_int_t arena = vdnn_test_integer_at(own, "arena_bytes");
    json_decref(root);

    (void)snprintf(command, sizeof command,
                   "vdnnrun " WHOLE "--device-mem %lld --policy base --algo p --dry-run --json "
                   "@/run.json --accumulate ",
                   (long long)budget);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "%s%d", command, count);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_int_equal(vdnn_test_integer_at(vdnn_test_object_at(root, "plan"), "arena_bytes"), arena);
    json_decref(root);
    vdnn_test_program(&run, *state, "%s%d", command, count - 1);
    vdnn_test_expect(&run, 4, "");
    vdnn_test_run_free(&run);
#undef WHOLE
}

TEST_IN_FOLDER(accumulation_says_where_statistics_are_others)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnreport --model resnet50 --batch 32 --device sim:titan-x-maxwell "
                      "--device-mem 2GiB --html @/r.html");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    char *text;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(*state, "r.html"), &text, &count);
    assert_non_null(strstr(text, ">accumulate "));
    assert_non_null(strstr(text, "(p), other statistics</th><td>yes</td>"));
    assert_non_null(strstr(text, "normalized by its own statistics"));
    free(text);
    vdnn_test_run_to(*state, 4, "--policy base --algo p --accumulate 32: ",
                     "vdnnreport --model resnet50 --batch 32 --device sim:titan-x-maxwell "
                     "--device-mem 200MiB");
}

TEST_IN_FOLDER(the_report_takes_a_list_of_policies)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnreport --model %s --policies dyn,base",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "base (m)"));
    assert_true(strstr(run.out, "\n dyn") != NULL || strstr(run.out, "\n*dyn") != NULL);
    assert_null(strstr(run.out, "\n conv ("));
    assert_null(strstr(run.out, "\n*conv ("));
    assert_null(strstr(run.out, "accumulate "));
    vdnn_test_run_free(&run);
}
