#include "layers/layer.h"
#include "tests/support/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What users and scripts rely on: the fields of the JSON, budgets, files, help. Exit codes and
 * their messages are test_exit_codes.c's. */

static json_int_t integer_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_integer(value))
        fail_msg("'%s' is no whole number", key);
    return json_integer_value(value);
}

static double number_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("'%s' is no number", key);
    return json_number_value(value);
}

static const char *text_at(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        fail_msg("'%s' is no text", key);
    return text;
}

static json_t *object_at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_object(value))
        fail_msg("'%s' is no object", key);
    return value;
}

static bool file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* Runs to success and returns its JSON. */
static json_t *run_for_json(const char *folder, const char *arguments)
{
    vdnn_test_run run;
    const char *json = vdnn_test_path(folder, "run.json");
    vdnn_test_program(&run, folder, "vdnnrun --model %s/net.yaml %s --json %s", folder, arguments,
                      json);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(json);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *const categories[] = {"weights",      "weight_gradients", "optimizer",
                                         "feature_maps", "gradient_maps",    "workspace",
                                         "other"};

static void check_plan(json_t *plan)
{
    static const char *const bytes[] = {
        "device_peak_bytes", "device_average_bytes", "arena_bytes",      "host_peak_bytes",
        "offload_bytes",     "prefetch_bytes",       "host_locked_bytes"};
    static const char *const seconds[] = {"recompute_seconds", "step_seconds",
                                          "oracle_step_seconds", "bound_step_seconds"};
    assert_true(json_is_boolean(json_object_get(plan, "fits")));
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        assert_true(integer_at(plan, bytes[i]) >= 0);
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
        assert_true(number_at(plan, seconds[i]) >= 0.0);
    json_int_t at_peak = 0;
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++) {
        json_int_t here = integer_at(object_at(plan, "by_category_at_peak"), categories[i]);
        assert_true(integer_at(object_at(plan, "by_category"), categories[i]) >= here);
        at_peak += here;
    }
    assert_int_equal(at_peak, integer_at(plan, "device_peak_bytes"));
    assert_true(integer_at(plan, "arena_bytes") >= integer_at(plan, "device_peak_bytes"));
    assert_true(integer_at(plan, "device_peak_bytes") >= integer_at(plan, "device_average_bytes"));
    assert_true(number_at(plan, "step_seconds") >= 0.999 * number_at(plan, "bound_step_seconds"));
    assert_true(number_at(plan, "bound_step_seconds") >=
                0.999 * number_at(plan, "oracle_step_seconds"));
    (void)text_at(object_at(plan, "chosen"), "policy");
    (void)text_at(object_at(plan, "chosen"), "algo");
    (void)text_at(plan, "peak_layer");
}

static void check_layers(json_t *layers, size_t count)
{
    static const char *const passes[] = {"forward", "backward_data", "backward_filter"};
    size_t i;
    json_t *layer;
    assert_int_equal(json_array_size(layers), count);
    json_array_foreach(layers, i, layer)
    {
        (void)text_at(layer, "name");
        (void)text_at(layer, "type");
        (void)text_at(object_at(layer, "algorithms"), "forward");
        for (size_t p = 0; p < 3; p++)
            assert_non_null(json_object_get(object_at(layer, "algorithms"), passes[p]));
        assert_true(integer_at(layer, "workspace_bytes") >= 0);
        assert_true(integer_at(layer, "stash_bytes") >= 0);
        assert_true(number_at(layer, "forward_seconds") >= 0.0);
        assert_true(number_at(layer, "backward_seconds") >= 0.0);
        const char *action = text_at(layer, "action");
        assert_true(strcmp(action, "keep") == 0 || strcmp(action, "drop") == 0 ||
                    strcmp(action, "offload") == 0);
    }
}

static void check_head(json_t *root, const char *policy)
{
    assert_int_equal(integer_at(root, "schema_version"), 1);
    assert_true(strlen(text_at(root, "version")) > 0);
    assert_string_equal(text_at(root, "model"), "little");
    assert_int_equal(integer_at(root, "batch"), 8);
    assert_int_equal(integer_at(root, "seed"), 5);
    assert_string_equal(text_at(root, "policy"), policy);
    assert_string_equal(text_at(root, "algo"), "p");
    assert_string_equal(text_at(root, "stash"), "classic");
    assert_string_equal(text_at(root, "dtype"), "f32");
    assert_int_equal(integer_at(root, "threads"), 1);
    assert_true(integer_at(root, "host_locked_bytes") >= 0);
    json_t *device = object_at(root, "device");
    assert_string_equal(text_at(device, "kind"), "cpu");
    assert_true(strlen(text_at(device, "name")) > 0);
    assert_true(integer_at(device, "memory_bytes") > integer_at(device, "budget_bytes"));
}

static void the_json_of_a_run_has_every_field(void **state)
{
    vdnn_test_network(*state);
    json_t *root = run_for_json(*state, "--seed 5 --steps 6 --policy all --stash classic");
    check_head(root, "all");
    check_plan(object_at(root, "plan"));
    check_layers(json_object_get(root, "layers"), 10);
    assert_true(json_is_true(json_object_get(object_at(root, "plan"), "fits")));
    json_t *plan = object_at(root, "plan"), *measured = object_at(root, "measured");
    static const char *const equal[] = {"offload_bytes", "prefetch_bytes"};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(integer_at(measured, equal[i]), integer_at(plan, equal[i]));
    assert_true(integer_at(measured, "offload_bytes") > 0);
    static const char *const bounded[] = {"device_peak_bytes", "host_peak_bytes"};
    for (size_t i = 0; i < 2; i++) {
        assert_true(integer_at(measured, bounded[i]) > 0);
        assert_true(integer_at(measured, bounded[i]) <= integer_at(plan, bounded[i]));
    }
    assert_int_equal(integer_at(measured, "device_arena_bytes"), integer_at(plan, "arena_bytes"));
    assert_true(number_at(measured, "step_seconds") > 0.0);
    assert_true(number_at(measured, "images_per_second") > 0.0);
    assert_true(number_at(measured, "stall_seconds") >= 0.0);
    json_t *losses = json_object_get(root, "losses");
    assert_int_equal(json_array_size(losses), 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(json_number_value(json_array_get(losses, i)) > 0.0);
    json_decref(root);
}

static void a_dry_run_measures_nothing(void **state)
{
    vdnn_test_network(*state);
    json_t *root = run_for_json(*state, "--dry-run --seed 5 --stash classic");
    check_head(root, "dyn");
    check_plan(object_at(root, "plan"));
    check_layers(json_object_get(root, "layers"), 10);
    assert_null(json_object_get(root, "measured"));
    assert_null(json_object_get(root, "losses"));
    json_decref(root);
}

static void json_goes_to_standard_output_alone(void **state)
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

/* ---- budgets --------------------------------------------------------------------------------- */

static const char *const modes[] = {
    "base --algo m", "base --algo p", "all --algo m", "all --algo p",
    "conv --algo m", "conv --algo p", "dyn"};

/* The smallest budget by the JSON of a refusal, which must also name it. */
static json_int_t smallest_budget(const char *folder, const char *mode, const char *more)
{
    vdnn_test_run run;
    char words[64];
    const char *json = vdnn_test_path(folder, "refused.json");
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s/net.yaml --policy %s %s --dry-run --device-mem 100 "
                      "--profile %s/profile --json %s",
                      folder, mode, more, folder, json);
    json_t *root = vdnn_test_json(json);
    json_t *plan = object_at(root, "plan");
    assert_true(json_is_false(json_object_get(plan, "fits")));
    json_int_t bytes = integer_at(plan, "smallest_bytes");
    (void)snprintf(words, sizeof words, "--device-mem %lld ", (long long)bytes);
    vdnn_test_expect(&run, 4, words);
    vdnn_test_run_free(&run);
    json_decref(root);
    return bytes;
}

static void expect_code(const char *folder, const char *mode, const char *more, json_int_t bytes,
                        int code)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s/net.yaml --policy %s %s --device-mem %lld --profile "
                      "%s/profile",
                      folder, mode, more, (long long)bytes, folder);
    vdnn_test_expect(&run, code, "");
    vdnn_test_run_free(&run);
}

static void the_smallest_budget_is_exact(void **state)
{
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    char tested[128];
    (void)snprintf(tested, sizeof tested, "--data npy:%s --test-data npy:%s", (char *)*state,
                   (char *)*state);
    const char *const more[] = {"", "--stash classic", tested};
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++)
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            char run[256];
            json_int_t bytes = smallest_budget(*state, modes[i], more[k]);
            (void)snprintf(run, sizeof run, "%s --steps 1", more[k]);
            expect_code(*state, modes[i], run, bytes, 0);
            expect_code(*state, modes[i], run, bytes - 1, 4);
        }
}

/* Whatever another measurement finds fast: no two runs of this share their times. */
static void a_refusal_names_a_policy_and_a_batch_that_fit(void **state)
{
    vdnn_test_run run;
    char words[128], policy[32];
    vdnn_test_network(*state);
    json_int_t base = smallest_budget(*state, "base --algo p", "--stash classic");
    json_int_t least = smallest_budget(*state, "dyn", "--stash classic");
    assert_true(least < base);
    vdnn_test_program(&run, *state,
                      "vdnnrun --model %s/net.yaml --policy base --stash classic --device-mem %lld",
                      (char *)*state, (long long)least);
    vdnn_test_expect(&run, 4, "a policy that fits this budget: --policy ");
    vdnn_test_expect(&run, 4, "--profile FILE keeps them");
    const char *found = strstr(run.err, "the largest batch that fits: --batch ");
    assert_non_null(found);
    int batch = atoi(strstr(found, "--batch ") + strlen("--batch "));
    assert_non_null(strstr(found, " --algo m\n"));
    assert_in_range(batch, 1, 7);
    found = strstr(run.err, "this budget: --policy ");
    assert_int_equal(sscanf(found, "this budget: --policy %31[^\n]", policy), 1);
    vdnn_test_run_free(&run);
    for (int more = 0; more < 2; more++) {
        assert_int_equal(unlink(vdnn_test_path(*state, "profile")), 0);
        (void)snprintf(words, sizeof words, "--algo m --batch %d --stash classic --dry-run",
                       batch + more);
        expect_code(*state, "base", words, least, more == 0 ? 0 : 4);
    }
    assert_int_equal(unlink(vdnn_test_path(*state, "profile")), 0);
    expect_code(*state, policy, "--stash classic --dry-run", least, 0);
}

static void a_host_tier_that_is_too_small_is_named(void **state)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model %s --policy all --host-mem 100 --dry-run",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 4, "pinned host memory; the budget (--host-mem) is 100 bytes");
    vdnn_test_run_free(&run);
    expect_code(*state, "base", "--host-mem 100 --dry-run", 1 << 26, 0);
}

static void default_budgets_leave_a_fifth_of_the_memory(void **state)
{
    vdnn_test_network(*state);
    json_t *root = run_for_json(*state, "--dry-run");
    json_int_t device = integer_at(object_at(root, "device"), "budget_bytes");
    json_int_t host = integer_at(root, "host_budget_bytes");
    json_int_t all = integer_at(object_at(root, "device"), "memory_bytes");
    assert_true(device > 0 && host > 0 && device + host <= all / 10 * 8);
    json_decref(root);
    root = run_for_json(*state, "--dry-run --device-mem 25%");
    assert_int_equal(integer_at(object_at(root, "device"), "budget_bytes"), all / 4);
    json_decref(root);
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

static void every_policy_gives_the_same_bits(void **state)
{
    char *first = NULL, *weights = NULL;
    size_t weight_bytes = 0;
    vdnn_test_network(*state);
    json_decref(run_for_json(*state, "--dry-run --policy base --algo p"));
    assert_int_equal(rename(vdnn_test_path(*state, "run.json"), vdnn_test_path(*state, "a.json")),
                     0);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char arguments[512], *bytes;
        size_t count;
        const char *saved = vdnn_test_path(*state, "w.safetensors");
        (void)snprintf(arguments, sizeof arguments,
                       "--steps 4 --policy %s --algos %s/a.json --save %s", modes[i],
                       (char *)*state, saved);
        char *losses = losses_text(run_for_json(*state, arguments));
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

static void the_seed_decides_the_numbers(void **state)
{
    vdnn_test_network(*state);
    static const char *const seeds[] = {"--seed 3", "--seed 3", "--seed 4"};
    char *losses[3];
    for (size_t i = 0; i < 3; i++) {
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "--steps 3 --policy base --algo m %s",
                       seeds[i]);
        losses[i] = losses_text(run_for_json(*state, arguments));
    }
    assert_string_equal(losses[0], losses[1]);
    assert_string_not_equal(losses[0], losses[2]);
    for (size_t i = 0; i < 3; i++)
        free(losses[i]);
}

static void saved_weights_can_be_read_again(void **state)
{
    char arguments[512];
    const char *a = vdnn_test_path(*state, "a.safetensors");
    const char *b = vdnn_test_path(*state, "b.safetensors");
    vdnn_test_network(*state);
    (void)snprintf(arguments, sizeof arguments, "--steps 2 --save %s", a);
    json_decref(run_for_json(*state, arguments));
    (void)snprintf(arguments, sizeof arguments, "--steps 1 --lr 0 --init %s --save %s", a, b);
    json_decref(run_for_json(*state, arguments));
    vdnn_test_expect_same_file(a, b);
}

static void accuracy_counts_every_sample_once_whatever_the_batch(void **state)
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
        json_t *root = run_for_json(*state, arguments);
        double accuracy = number_at(root, "test_accuracy");
        assert_in_range((int)(accuracy * 21.0 + 0.5), 0, 21);
        assert_true(i == 0 || accuracy == expected);
        expected = accuracy;
        json_decref(root);
    }
}

static void epochs_are_counted_in_whole_batches(void **state)
{
    char arguments[256];
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    (void)snprintf(arguments, sizeof arguments, "--epochs 3 --data npy:%s", (char *)*state);
    json_t *root = run_for_json(*state, arguments);
    assert_int_equal(json_array_size(json_object_get(root, "losses")), 6);
    assert_true(json_is_null(json_object_get(root, "test_accuracy")));
    json_decref(root);
}

/* Trains `steps` steps on the data in shared/data/FOLDER; `file` is there if the data is. */
static void assert_learns(const char *folder, const char *file, const char *arguments, int steps,
                          double accuracy)
{
    vdnn_test_run run;
    char path[256];
    (void)snprintf(path, sizeof path, "../shared/data/%s", file);
    if (!file_exists(path))
        skip_because("%s is not there", path);
    const char *json = vdnn_test_path(folder, "run.json");
    vdnn_test_program(&run, folder, "vdnnrun %s --steps %d --json %s", arguments, steps, json);
    vdnn_test_expect(&run, 0, "");
    json_t *root = vdnn_test_json(json);
    assert_true(number_at(root, "test_accuracy") > accuracy);
    json_decref(root);
    vdnn_test_run_free(&run);
}

static void lenet_learns_mnist(void **state)
{
    assert_learns(*state, "mnist/train-images-idx3-ubyte.gz",
                  "--model lenet --data idx:../shared/data/mnist", vdnn_test_count(1000), 0.9);
}

static void cifar_cnn_learns_cifar10(void **state)
{
    assert_learns(*state, "cifar10/data_batch_1.bin",
                  "--model cifar_cnn --data cifar10:../shared/data/cifar10", vdnn_test_count(1560),
                  0.3);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void a_profile_repeats_the_choices(void **state)
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

static void a_trace_is_json(void **state)
{
    char arguments[256];
    const char *trace = vdnn_test_path(*state, "t.json");
    vdnn_test_network(*state);
    (void)snprintf(arguments, sizeof arguments, "--steps 3 --policy all --trace %s", trace);
    json_decref(run_for_json(*state, arguments));
    json_t *root = json_load_file(trace, 0, NULL);
    assert_non_null(root);
    json_decref(root);
}

/* ---- help, version, messages ----------------------------------------------------------------- */

static void help_and_version_are_data(void **state)
{
    static const char *const programs[] = {"vdnnrun", "vdnnreport"};
    for (size_t i = 0; i < 2; i++) {
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

static void the_doctor_says_what_a_bug_report_needs(void **state)
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

static void options_come_from_the_environment_too(void **state)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "VDNN_MODEL=%s VDNN_DRY_RUN=1 VDNN_BATCH=3 VDNN_JSON=- VDNN_SEED=9 vdnnrun "
                      "--batch 2",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "");
    json_t *root = json_loads(run.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(integer_at(root, "batch"), 2);
    assert_int_equal(integer_at(root, "seed"), 9);
    json_decref(root);
    vdnn_test_run_free(&run);
}

static void a_log_level_of_error_says_errors_alone(void **state)
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

/* As on a processor that lacks instructions: everything runs, and one line says what is missing. */
static void a_lesser_processor_trains_and_is_told_what_it_lacks(void **state)
{
    static const struct {
        const char *isa, *dtype, *line;
    } cases[] = {
        {"SSE41", "f32", "no AVX2 here"},
        {"SSE41", "bf16", "no AVX2 here"},
        {"AVX2", "f32", "no AVX-512 here"},
        {"AVX2", "bf16", "no bf16 instructions here"},
        {"AVX512_CORE", "bf16", "no bf16 instructions here"},
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
        assert_string_equal(text_at(root, "dtype"), cases[i].dtype);
        double loss = json_number_value(json_array_get(json_object_get(root, "losses"), 1));
        first = i == 0 ? loss : first;
        assert_true(loss > 0.95 * first && loss < 1.05 * first);
        json_decref(root);
    }
}

/* ---- the report ------------------------------------------------------------------------------ */

static void the_report_shows_every_policy_in_every_format(void **state)
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
    assert_int_equal(integer_at(root, "schema_version"), 1);
    assert_string_equal(text_at(root, "model"), "little");
    assert_int_equal(integer_at(root, "batch"), 8);
    assert_string_equal(text_at(object_at(root, "device"), "kind"), "cpu");
    json_t *rows = json_object_get(root, "policies"), *row;
    assert_int_equal(json_array_size(rows), 7);
    size_t i;
    json_array_foreach(rows, i, row)
    {
        check_plan(row);
        char name[32];
        bool is_static = i < 6;
        (void)snprintf(name, sizeof name, is_static ? "%s --algo %s" : "%s", text_at(row, "policy"),
                       text_at(row, "algo"));
        assert_string_equal(name, modes[i]);
        double ratio = number_at(row, "oracle_step_seconds") / number_at(row, "step_seconds");
        assert_float_equal((float)number_at(row, "relative_speed"), (float)ratio, 1e-6F);
        assert_true(integer_at(row, "smallest_bytes") <= integer_at(row, "arena_bytes"));
    }
    json_decref(root);
    static const struct {
        const char *name, *part;
    } files[] = {{"r.csv", "policy,algo,"}, {"r.md", "| --- |"}, {"r.html", "</svg>"}};
    for (size_t f = 0; f < 3; f++) {
        char *text;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(folder, files[f].name), &text, &count);
        assert_non_null(strstr(text, files[f].part));
        assert_null(strstr(text, "http"));
        free(text);
    }
}

/* Every algorithm is either there with its cost or refused with a reason. */
static void check_algorithms(json_t *layer)
{
    size_t p, i, rows = 0;
    json_t *pass, *item;
    for (size_t r = 0; r < vdnn_algorithm_count(); r++)
        rows += strcmp(vdnn_algorithm_at(r)->layer_type, text_at(layer, "type")) == 0 &&
                strcmp(vdnn_algorithm_at(r)->device, "cpu") == 0;
    json_array_foreach(json_object_get(layer, "passes"), p, pass)
    {
        json_t *there = json_object_get(pass, "algorithms");
        json_t *refused = json_object_get(pass, "refused");
        assert_true(json_array_size(there) > 0);
        assert_int_equal(json_array_size(there) + json_array_size(refused), rows);
        assert_true(number_at(pass, "bytes") > 0);
        json_array_foreach(there, i, item)
        {
            assert_true(number_at(item, "seconds") > 0);
            assert_true(integer_at(item, "workspace_bytes") >= 0);
        }
        json_array_foreach(refused, i, item) assert_true(strlen(text_at(item, "reason")) > 0);
    }
}

static void the_report_lists_every_algorithm_of_every_layer(void **state)
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
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "a.json")), *layer;
    size_t l;
    assert_true(json_array_size(json_object_get(root, "layers")) >= 10);
    json_array_foreach(json_object_get(root, "layers"), l, layer) check_algorithms(layer);
    json_decref(root);
}

static void the_report_exits_with_4_only_if_nothing_fits(void **state)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    json_int_t least = smallest_budget(*state, "dyn", "");
    for (int less = 0; less < 2; less++) {
        vdnn_test_program(&run, *state,
                          "vdnnreport --model %s/net.yaml --device-mem %lld --profile %s/profile",
                          (char *)*state, (long long)least - less, (char *)*state);
        vdnn_test_expect(&run, less == 0 ? 0 : 4, less == 0 ? "" : "no policy fits");
        assert_non_null(strstr(run.out, "base (m)"));
        vdnn_test_run_free(&run);
    }
}

static void the_report_takes_a_list_of_policies(void **state)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnreport --model %s --policies dyn,base",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "base (m)"));
    assert_non_null(strstr(run.out, "\ndyn"));
    assert_null(strstr(run.out, "\nconv ("));
    vdnn_test_run_free(&run);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, vdnn_test_make_folder, vdnn_test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_json_of_a_run_has_every_field),
        TEST(a_dry_run_measures_nothing),
        TEST(json_goes_to_standard_output_alone),
        TEST(the_smallest_budget_is_exact),
        TEST(a_refusal_names_a_policy_and_a_batch_that_fit),
        TEST(a_host_tier_that_is_too_small_is_named),
        TEST(default_budgets_leave_a_fifth_of_the_memory),
        TEST(every_policy_gives_the_same_bits),
        TEST(the_seed_decides_the_numbers),
        TEST(saved_weights_can_be_read_again),
        TEST(accuracy_counts_every_sample_once_whatever_the_batch),
        TEST(epochs_are_counted_in_whole_batches),
        TEST(lenet_learns_mnist),
        TEST(cifar_cnn_learns_cifar10),
        TEST(a_profile_repeats_the_choices),
        TEST(a_trace_is_json),
        TEST(help_and_version_are_data),
        TEST(the_doctor_says_what_a_bug_report_needs),
        TEST(options_come_from_the_environment_too),
        TEST(a_log_level_of_error_says_errors_alone),
        TEST(a_lesser_processor_trains_and_is_told_what_it_lacks),
        TEST(the_report_shows_every_policy_in_every_format),
        TEST(the_report_lists_every_algorithm_of_every_layer),
        TEST(the_report_exits_with_4_only_if_nothing_fits),
        TEST(the_report_takes_a_list_of_policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
