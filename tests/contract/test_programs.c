#include "tests/support/run_json.h"
#include "tests/support/token_network.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What users and scripts rely on: the fields of the JSON, numbers of a training, files, help.
 * Budgets, the report, and exit codes with their messages are in other files. */

/* ---- JSON ------------------------------------------------------------------------------------ */

static void check_layers(json_t *layers, size_t count)
{
    static const char *const passes[] = {"forward", "backward_data", "backward_filter"};
    size_t i;
    json_t *layer;
    assert_int_equal(json_array_size(layers), count);
    json_array_foreach(layers, i, layer)
    {
        (void)vdnn_test_text_at(layer, "name");
        (void)vdnn_test_text_at(layer, "type");
        (void)vdnn_test_text_at(vdnn_test_object_at(layer, "algorithms"), "forward");
        for (size_t p = 0; p < 3; p++)
            assert_non_null(json_object_get(vdnn_test_object_at(layer, "algorithms"), passes[p]));
        assert_true(vdnn_test_integer_at(layer, "workspace_bytes") >= 0);
        assert_true(vdnn_test_integer_at(layer, "stash_bytes") >= 0);
        assert_true(vdnn_test_number_at(layer, "forward_seconds") >= 0.0);
        assert_true(vdnn_test_number_at(layer, "backward_seconds") >= 0.0);
        const char *action = vdnn_test_text_at(layer, "action");
        assert_true(strcmp(action, "keep") == 0 || strcmp(action, "drop") == 0 ||
                    strcmp(action, "offload") == 0);
    }
}

static void check_head(json_t *root, const char *policy)
{
    assert_int_equal(vdnn_test_integer_at(root, "schema_version"), 1);
    assert_true(strlen(vdnn_test_text_at(root, "version")) > 0);
    assert_string_equal(vdnn_test_text_at(root, "model"), "little");
    assert_int_equal(vdnn_test_integer_at(root, "batch"), 8);
    assert_int_equal(vdnn_test_integer_at(root, "seed"), 5);
    assert_string_equal(vdnn_test_text_at(root, "policy"), policy);
    assert_string_equal(vdnn_test_text_at(root, "algo"), "p");
    assert_string_equal(vdnn_test_text_at(root, "rules"), "paper");
    assert_string_equal(vdnn_test_text_at(root, "dtype"), "f32");
    assert_int_equal(vdnn_test_integer_at(root, "threads"), 1);
    (void)vdnn_test_integer_at(root, "host_locked_bytes"); /* test_locked says which */
    json_t *device = vdnn_test_object_at(root, "device");
    assert_string_equal(vdnn_test_text_at(device, "kind"), "cpu");
    assert_true(strlen(vdnn_test_text_at(device, "name")) > 0);
    assert_true(vdnn_test_integer_at(device, "memory_bytes") >
                vdnn_test_integer_at(device, "budget_bytes"));
}

/* The number before " images/s" in a line that begins so. */
static double rate_in(const char *text, const char *line)
{
    const char *at = strstr(text, line), *end = at == NULL ? NULL : strstr(at, " images/s");
    if (end == NULL) {
        fail_msg("no images/s after \"%s\" in:\n%s", line, text);
        return 0;
    }
    while (end[-1] != ' ')
        end--;
    return strtod(end, NULL);
}

TEST_IN_FOLDER(every_line_of_a_run_has_the_same_images_per_second)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_images(*state, 32);
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --data npy:@ --epochs 3 --json @/run.json");
    vdnn_test_expect(&run, 0, "a step took");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    const double rate = vdnn_test_number_at(vdnn_test_object_at(root, "measured"),
                                            "images_per_second"),
                 lines[] = {rate_in(run.err, "training 12/12"), rate_in(run.err, "epoch 3"),
                            rate_in(run.out, ": 12 steps")};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (fabs(lines[i] - rate) > 1e-3 * rate)
            fail_msg("line %zu: %g images/s; the JSON has %g", i, lines[i], rate);
    assert_non_null(strstr(run.err, "; the first, which took "));
    json_decref(root);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(the_json_of_a_run_has_every_field)
{
    vdnn_test_network(*state);
    json_t *root = vdnn_test_run_json(*state, "--seed 5 --steps 6 --policy all --rules paper");
    check_head(root, "all");
    vdnn_test_check_plan(vdnn_test_object_at(root, "plan"));
    check_layers(json_object_get(root, "layers"), 10);
    assert_true(json_is_true(json_object_get(vdnn_test_object_at(root, "plan"), "fits")));
    json_t *plan = vdnn_test_object_at(root, "plan"),
           *measured = vdnn_test_object_at(root, "measured");
    static const char *const equal[] = {"offload_bytes", "prefetch_bytes"};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(vdnn_test_integer_at(measured, equal[i]),
                         vdnn_test_integer_at(plan, equal[i]));
    assert_true(vdnn_test_integer_at(measured, "offload_bytes") > 0);
    static const char *const bounded[] = {"device_peak_bytes", "host_peak_bytes"};
    for (size_t i = 0; i < 2; i++) {
        assert_true(vdnn_test_integer_at(measured, bounded[i]) > 0);
        assert_true(vdnn_test_integer_at(measured, bounded[i]) <=
                    vdnn_test_integer_at(plan, bounded[i]));
    }
    assert_int_equal(vdnn_test_integer_at(measured, "device_arena_bytes"),
                     vdnn_test_integer_at(plan, "arena_bytes"));
    assert_true(vdnn_test_number_at(measured, "step_seconds") > 0.0);
    assert_true(vdnn_test_number_at(measured, "images_per_second") > 0.0);
    assert_true(vdnn_test_number_at(measured, "stall_seconds") >= 0.0);
    json_t *losses = json_object_get(root, "losses");
    assert_int_equal(json_array_size(losses), 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(json_number_value(json_array_get(losses, i)) > 0.0);
    json_decref(root);
}

TEST_IN_FOLDER(a_dry_run_measures_nothing)
{
    vdnn_test_network(*state);
    json_t *root = vdnn_test_run_json(*state, "--dry-run --seed 5 --rules paper");
    check_head(root, "dyn");
    vdnn_test_check_plan(vdnn_test_object_at(root, "plan"));
    check_layers(json_object_get(root, "layers"), 10);
    assert_null(json_object_get(root, "measured"));
    assert_null(json_object_get(root, "losses"));
    json_decref(root);
}

TEST_IN_FOLDER(json_goes_to_standard_output_alone)
{
    static const char *const arguments[] = {"--dry-run", "--steps 2"};
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnrun --model %s %s --quiet --json -",
                          vdnn_test_network(*state), arguments[i]);
        vdnn_test_expect(&run, 0, "");
        assert_string_equal(run.err, "");
        json_t *root = json_loads(run.out, 0, NULL);
        assert_true(json_is_object(root));
        json_decref(root);
        vdnn_test_run_free(&run);
    }
}

/* ---- training -------------------------------------------------------------------------------- */

/* Loses its reference to the JSON. */
static char *losses_text(json_t *root)
{
    char *text = json_dumps(json_object_get(root, "losses"), JSON_REAL_PRECISION(17));
    assert_non_null(text);
    json_decref(root);
    return text;
}

TEST_IN_FOLDER(every_policy_gives_the_same_bits)
{
    char *first = NULL, *weights = NULL;
    size_t weight_bytes = 0;
    vdnn_test_network(*state);
    json_decref(vdnn_test_run_json(*state, "--dry-run --policy base --algo p"));
    assert_int_equal(rename(vdnn_test_path(*state, "run.json"), vdnn_test_path(*state, "a.json")),
                     0);
    for (size_t i = 0; i < VDNN_TEST_MODES; i++) {
        char arguments[512], *bytes;
        size_t count;
        const char *saved = vdnn_test_path(*state, "w.safetensors");
        (void)snprintf(arguments, sizeof arguments,
                       "--steps 4 --policy %s --algos %s/a.json --save %s", vdnn_test_modes[i],
                       (char *)*state, saved);
        char *losses = losses_text(vdnn_test_run_json(*state, arguments));
        vdnn_test_read_file(saved, &bytes, &count);
        if (first == NULL) {
            first = losses, weights = bytes, weight_bytes = count;
            continue;
        }
        assert_string_equal(losses, first);
        assert_int_equal(count, weight_bytes);
        assert_memory_equal(bytes, weights, count);
        free(losses);
        free(bytes);
    }
    free(first);
    free(weights);
}

TEST_IN_FOLDER(the_seed_decides_the_numbers)
{
    vdnn_test_network(*state);
    static const char *const seeds[] = {"--seed 3", "--seed 3", "--seed 4"};
    char *losses[3];
    for (size_t i = 0; i < 3; i++) {
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "--steps 3 --policy base --algo m %s",
                       seeds[i]);
        losses[i] = losses_text(vdnn_test_run_json(*state, arguments));
    }
    assert_string_equal(losses[0], losses[1]);
    assert_string_not_equal(losses[0], losses[2]);
    for (size_t i = 0; i < 3; i++)
        free(losses[i]);
}

TEST_IN_FOLDER(saved_weights_can_be_read_again)
{
    char arguments[512];
    const char *a = vdnn_test_path(*state, "a.safetensors");
    const char *b = vdnn_test_path(*state, "b.safetensors");
    vdnn_test_network(*state);
    (void)snprintf(arguments, sizeof arguments, "--steps 2 --save %s", a);
    json_decref(vdnn_test_run_json(*state, arguments));
    (void)snprintf(arguments, sizeof arguments, "--steps 1 --lr 0 --init %s --save %s", a, b);
    json_decref(vdnn_test_run_json(*state, arguments));
    vdnn_test_expect_same_file(a, b);
}

TEST_IN_FOLDER(weights_under_the_name_of_another_kind_of_file_are_warned_of)
{
    static const struct {
        const char *name;
        int warnings;
    } cases[] = {{"w.safetensors", 0}, {"w.npz", 0}, {"w", 0}, {"w.pt", 1}};
    vdnn_test_run run;
    vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --steps 1 --save @/%s",
                          cases[i].name);
        vdnn_test_expect(&run, 0, "");
        assert_int_equal(vdnn_test_warnings(&run), cases[i].warnings);
        assert_non_null(strstr(run.out, ": 1 step,"));
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(accuracy_counts_every_sample_once_whatever_the_batch)
{
    double expected = -1.0;
    vdnn_test_network(*state);
    vdnn_test_images(*state, 21);
    static const int batches[] = {21, 1, 7, 8, 20};
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        char arguments[512];
        (void)snprintf(arguments, sizeof arguments,
                       "--steps 1 --lr 0 --batch %d --data npy:%s --test-data npy:%s", batches[i],
                       (char *)*state, (char *)*state);
        json_t *root = vdnn_test_run_json(*state, arguments);
        double accuracy = vdnn_test_number_at(root, "test_accuracy");
        assert_in_range((int)(accuracy * 21.0 + 0.5), 0, 21);
        assert_true(i == 0 || accuracy == expected);
        expected = accuracy;
        json_decref(root);
    }
}

/* Of labels that count; 13 of 90 do not. */
TEST_IN_FOLDER(accuracy_of_positions_counts_every_label_once_whatever_the_batch)
{
    static const int batches[] = {10, 1, 4, 8};
    double expected = -1.0;
    vdnn_test_write_below(*state, "positions.yaml", vdnn_position_network);
    vdnn_test_tokens(*state, 10);
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/positions.yaml --steps 1 --lr 0 --batch %d "
                          "--data npy:@ --test-data npy:@ --json @/run.json",
                          batches[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
        double accuracy = vdnn_test_number_at(root, "test_accuracy"), right = accuracy * 77.0;
        assert_true(fabs(right - round(right)) < 1e-9);
        assert_true(i == 0 || accuracy == expected);
        expected = accuracy;
        json_decref(root);
    }
}

/* Each label becomes the one that does not count. */
static void ignore_all_labels(const char *path)
{
    enum { HEADER = 128 };
    const int64_t ignored = -100;
    char *bytes;
    size_t length;
    vdnn_test_read_file(path, &bytes, &length);
    for (size_t at = HEADER; at + sizeof ignored <= length; at += sizeof ignored)
        memcpy(bytes + at, &ignored, sizeof ignored);
    vdnn_test_write_file(path, bytes, length);
    free(bytes);
}

TEST_IN_FOLDER(of_no_label_there_is_no_accuracy)
{
    vdnn_test_run run;
    vdnn_test_write_below(*state, "positions.yaml", vdnn_position_network);
    vdnn_test_tokens(*state, 10);
    ignore_all_labels(vdnn_test_path(*state, "labels.npy"));
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/positions.yaml --steps 1 --test-data npy:@ --json "
                      "@/run.json");
    vdnn_test_expect(&run, 0, "no label of the test data counts: there is no accuracy");
    assert_null(strstr(run.out, "accuracy"));
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_true(json_is_null(json_object_get(root, "test_accuracy")));
    json_decref(root);
}

TEST_IN_FOLDER(epochs_are_counted_in_whole_batches)
{
    char arguments[256];
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    (void)snprintf(arguments, sizeof arguments, "--epochs 3 --data npy:%s", (char *)*state);
    json_t *root = vdnn_test_run_json(*state, arguments);
    assert_int_equal(json_array_size(json_object_get(root, "losses")), 6);
    assert_true(json_is_null(json_object_get(root, "test_accuracy")));
    json_decref(root);
}

/* ---- files ----------------------------------------------------------------------------------- */

TEST_IN_FOLDER(a_profile_repeats_the_choices)
{
    vdnn_test_run run;
    char *plans[2], *profiles[2];
    size_t count;
    vdnn_test_network(*state);
    for (int i = 0; i < 2; i++) {
        vdnn_test_program(&run, *state,
                          "vdnnrun --model %s/net.yaml --dry-run --print-plan --profile %s/p "
                          "--device-mem 1GiB --quiet",
                          (char *)*state, (char *)*state);
        vdnn_test_expect(&run, 0, "");
        plans[i] = run.out;
        run.out = NULL;
        vdnn_test_run_free(&run);
        vdnn_test_read_file(vdnn_test_path(*state, "p"), &profiles[i], &count);
    }
    assert_true(strlen(plans[0]) > 1000);
    assert_string_equal(plans[0], plans[1]);
    assert_string_equal(profiles[0], profiles[1]);
    for (int i = 0; i < 2; i++) {
        free(plans[i]);
        free(profiles[i]);
    }
}

TEST_IN_FOLDER(a_trace_is_json)
{
    char arguments[256];
    const char *trace = vdnn_test_path(*state, "t.json");
    vdnn_test_network(*state);
    (void)snprintf(arguments, sizeof arguments, "--steps 3 --policy all --trace %s", trace);
    json_decref(vdnn_test_run_json(*state, arguments));
    json_t *root = json_load_file(trace, 0, NULL);
    assert_non_null(root);
    json_decref(root);
}

/* The first and the last training step of the plan's steps; how many of these there are. */
static int find_steps(const char *folder, int *first, int *last)
{
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "t.json")), *event;
    int spans = 0;
    size_t i;
    *first = *last = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const json_t *own = json_object_get(event, "args");
        if (json_object_get(own, "plan_step") == NULL)
            continue;
        *last = (int)json_integer_value(json_object_get(own, "step"));
        if (spans++ == 0)
            *first = *last;
    }
    json_decref(root);
    return spans;
}

TEST_IN_FOLDER(a_trace_has_the_steps_that_are_asked_for)
{
    int first, last;
    vdnn_test_network(*state);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --steps 30 --trace @/t.json --profile @/p");
    const int spans = find_steps(*state, &first, &last) / 20;
    assert_int_equal(first, 1);
    assert_int_equal(last, 20);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --steps 30 --trace @/t.json --profile @/p "
                     "--trace-steps 23:25 --checkpoint @/c");
    assert_int_equal(find_steps(*state, &first, &last), 3 * spans);
    assert_int_equal(first, 23);
    assert_int_equal(last, 25);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --steps 40 --trace @/t.json --profile @/p "
                     "--trace-steps 25:99 --checkpoint @/c --resume auto");
    (void)find_steps(*state, &first, &last);
    assert_int_equal(first, 31);
    assert_int_equal(last, 40);
    vdnn_test_run_to(*state, 2, "makes the steps 41 to 50, of which none is from 25 to 40",
                     "vdnnrun --model @/net.yaml --steps 50 --trace @/t.json --profile @/p "
                     "--trace-steps 25:40 --checkpoint @/c --resume auto");
}

TEST_IN_FOLDER(a_trace_of_a_run_that_is_interrupted_has_what_was_done)
{
    int first, last;
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_start(&run, *state,
                    "vdnnrun --model @/net.yaml --steps 1000000 --trace @/t.json --profile @/p "
                    "--checkpoint @/c --checkpoint-every 2 --keep 1000 --trace-steps 2:1000000");
    vdnn_test_wait_for_path(&run, vdnn_test_path(*state, "c/step-00000004"));
    (void)kill(run.pid, SIGINT);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 130, "");
    vdnn_test_run_free(&run);
    assert_true(find_steps(*state, &first, &last) > 0);
    assert_int_equal(first, 2);
    assert_true(last >= 4);
}

/* ---- help, version, messages ----------------------------------------------------------------- */

TEST_IN_FOLDER(help_and_version_are_data)
{
    static const char *const programs[] = {"vdnnrun", "vdnnreport", "vdnnscale"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s --help", programs[i]);
        vdnn_test_expect(&run, 0, "");
        assert_true(strstr(run.out, "Examples") != NULL && strstr(run.out, "--model") != NULL);
        assert_string_equal(run.err, "");
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state, "%s --version", programs[i]);
        vdnn_test_expect(&run, 0, "");
        assert_memory_equal(run.out, programs[i], strlen(programs[i]));
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(the_doctor_says_what_a_bug_report_needs)
{
    vdnn_test_run run;
    const char *path = vdnn_test_path(*state, "facts.json");
    vdnn_test_program(&run, *state, "VDNN_SEED=7 vdnnrun --doctor --json %s", path);
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, VDNN_VERSION));
    assert_non_null(strstr(run.out, "oneDNN"));
    assert_non_null(strstr(run.out, "VDNN_SEED=7"));
    assert_non_null(strstr(run.out, "problem"));
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(path);
    assert_true(json_is_array(json_object_get(root, "problems")));
    json_decref(root);
    vdnn_test_program(&run, *state, "vdnnrun --doctor --json -");
    vdnn_test_expect(&run, 0, "");
    root = json_loads(run.out, 0, NULL);
    assert_non_null(json_object_get(root, "memory"));
    json_decref(root);
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "vdnnrun --doctor --json @/none/facts.json");
    vdnn_test_expect(&run, 6, "none");
    vdnn_test_run_free(&run);
}

/* What the target may not be is said before anything is measured, and nothing is replaced. */
TEST_IN_FOLDER(a_calibration_writes_no_file_that_is_something_else)
{
    static const struct {
        const char *words;
        int code;
        const char *part;
    } rows[] = {
        {"--calibrate @/net.yaml", 2, "which is no device model and would be replaced"},
        {"--calibrate -", 2, "expected the name of a file"},
        {"--calibrate @", 6, "not a regular file"},
        {"--calibrate @/none/card.yaml", 6, "none"},
        {"--device sim:l4 --calibrate @/card.yaml", 2, "is simulated"},
        {"--device cpus --calibrate @/card.yaml", 2, "there is no 'cpus'"},
    };
    const char network[] = "name: net\n";
    const char *path = vdnn_test_path(*state, "net.yaml");
    vdnn_test_run run;
    vdnn_test_write_file(path, network, strlen(network));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_program(&run, *state, "vdnnrun %s", rows[i].words);
        vdnn_test_expect(&run, rows[i].code, rows[i].part);
        vdnn_test_run_free(&run);
    }
    assert_int_equal(vdnn_test_folder_count(*state), 1);
    char *text = NULL;
    size_t length = 0;
    vdnn_test_read_file(path, &text, &length);
    assert_string_equal(text, network);
    free(text);
}

TEST_IN_FOLDER(options_come_from_the_environment_too)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "VDNN_MODEL=%s VDNN_DRY_RUN=1 VDNN_BATCH=3 VDNN_JSON=- VDNN_SEED=9 vdnnrun "
                      "--batch 2",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "");
    json_t *root = json_loads(run.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(vdnn_test_integer_at(root, "batch"), 2);
    assert_int_equal(vdnn_test_integer_at(root, "seed"), 9);
    json_decref(root);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(a_log_level_of_error_says_errors_alone)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model %s --steps 2 --log-level error",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "");
    assert_string_equal(run.err, "");
    assert_true(strstr(run.out, "2 steps") != NULL);
    vdnn_test_run_free(&run);
}

/* ---- processors ------------------------------------------------------------------------------ */

/* As on a processor without some instructions: everything runs, and one line says what is missing.
 */
TEST_IN_FOLDER(a_lesser_processor_trains_and_is_told_what_it_lacks)
{
    static const struct {
        const char *isa, *dtype, *line;
    } cases[] = {
        {"SSE41", "f32", "no AVX2: "},
        {"SSE41", "bf16", "no AVX2: "},
        {"AVX2", "f32", "no AVX-512: "},
        {"AVX2", "bf16", "no bf16 instructions: "},
        {"AVX512_CORE", "bf16", "no bf16 instructions: "},
    };
    double first = 0;
    vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_test_run run;
        assert_int_equal(setenv("ONEDNN_MAX_CPU_ISA", cases[i].isa, 1), 0);
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --policy all --dtype %s --steps 2 --json "
                          "@/isa.json",
                          cases[i].dtype);
        assert_int_equal(unsetenv("ONEDNN_MAX_CPU_ISA"), 0);
        vdnn_test_expect(&run, 0, cases[i].line);
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "isa.json"));
        assert_string_equal(vdnn_test_text_at(root, "dtype"), cases[i].dtype);
        double loss = json_number_value(json_array_get(json_object_get(root, "losses"), 1));
        first = i == 0 ? loss : first;
        assert_true(loss > 0.95 * first && loss < 1.05 * first);
        json_decref(root);
    }
}

/* Of addresses there are fewer than a library once asked for when it was loaded; what needs more
 * ends with a message. */
TEST_IN_FOLDER(little_memory_ends_with_a_message)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_because("sanitizers reserve more addresses than that");
#endif
    static const struct {
        const char *limit, *words;
        bool ends_well;
    } cases[] = {
        {"--as=204800000", "--version", true},
        {"--as=204800000", "--help", true},
        {"--data=51200000", "--version", true},
        {"--as=204800000", "--model @/net.yaml --device sim:p100 --dry-run --quiet", false},
        {"--as=204800000", "--model @/net.yaml --steps 1 --quiet --threads 1", false},
    };
    (void)vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "/usr/bin/prlimit %s %s/vdnnrun %s", cases[i].limit,
                          vdnn_test_bin(), cases[i].words);
        if (cases[i].ends_well ? run.code != 0
                               : run.code != 0 && strstr(run.err, "error: ") == NULL)
            fail_msg("%s: exit code %d: %s", cases[i].words, run.code, run.err);
        vdnn_test_run_free(&run);
    }
}
