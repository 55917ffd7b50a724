/* Runs on simulated devices: the plan's steps pass on the clock, as they do on silicon, and what is
 * said of them is the same to the last digit whenever it is asked. */

#include "runtime/device/device.h"
#include "tests/support/run_json.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sessions -------------------------------------------------------------------------------- */

static vdnn_session *run_session(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    return session;
}

static json_t *json_of(const vdnn_session *session)
{
    vdnn_text text = {0};
    assert_ok(vdnn_session_json(session, &text));
    json_t *json = json_loads(text.data, 0, NULL);
    assert_non_null(json);
    vdnn_text_fini(&text);
    return json;
}

static double number(json_t *root, const char *object, const char *key)
{
    json_t *value = json_object_get(json_object_get(root, object), key);
    if (!json_is_number(value))
        fail_msg("%s.%s is not a number", object, key);
    return json_number_value(value);
}

/* What happened is what was planned: time, copies, bytes. */
static void check_measured(json_t *json, const char *what)
{
    static const char *const equal[] = {"step_seconds", "offload_bytes", "prefetch_bytes"};
    static const char *const within[] = {"device_peak_bytes", "host_peak_bytes"};
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++)
        if (number(json, "measured", equal[i]) != number(json, "plan", equal[i]))
            fail_msg("%s: %s was %.17g, planned %.17g", what, equal[i],
                     number(json, "measured", equal[i]), number(json, "plan", equal[i]));
    for (size_t i = 0; i < sizeof within / sizeof *within; i++)
        if (number(json, "measured", within[i]) > number(json, "plan", within[i]))
            fail_msg("%s: %s was %.17g, planned %.17g", what, within[i],
                     number(json, "measured", within[i]), number(json, "plan", within[i]));
    assert_true(number(json, "measured", "device_arena_bytes") ==
                number(json, "plan", "arena_bytes"));
    double batch = json_number_value(json_object_get(json, "batch"));
    /* Behind the last step no batch is loaded, which may have slowed its kernels. */
    const double steps = (double)json_array_size(json_object_get(json, "losses")),
                 taken = steps * batch / number(json, "measured", "images_per_second") /
                         number(json, "plan", "step_seconds");
    if (taken > steps * (1 + 1e-12) || taken < steps - 1)
        fail_msg("%s: %g steps took the time of %.17g", what, steps, taken);
    assert_true(number(json, "measured", "stall_seconds") >= 0);
    assert_true(number(json, "measured", "stall_seconds") < number(json, "plan", "step_seconds"));
}

/* Nothing was computed, and nothing is made up. */
static void check_no_results(json_t *json, size_t steps)
{
    json_t *losses = json_object_get(json, "losses");
    assert_int_equal(json_array_size(losses), steps);
    for (size_t i = 0; i < steps; i++)
        assert_true(json_is_null(json_array_get(losses, i)));
    assert_true(json_is_null(json_object_get(json, "test_accuracy")));
}

TEST(every_policy_and_stash_runs_as_it_was_planned)
{
    static const char *const policies[] = {"base", "all", "conv", "dyn"};
    static const char *const models[] = {"models/alexnet.yaml", "models/googlenet.yaml",
                                         "models/squeezenet.yaml"};
    for (int i = 0; i < 4 * 2 * 2 * 3; i++) {
        vdnn_session_options options = {.size = sizeof options,
                                        .model = models[i / 16],
                                        .device = i % 16 < 8
                                                      ? "sim:models/devices/titan-x-maxwell.yaml"
                                                      : "sim:models/devices/h100.yaml",
                                        .policy = policies[i % 4],
                                        .rules = i / 4 % 2 == 0 ? "lean" : "paper",
                                        .steps = 2};
        char what[128];
        (void)snprintf(what, sizeof what, "%s %s %s %s", options.model, options.device,
                       options.policy, options.rules);
        vdnn_session *session = run_session(&options);
        json_t *json = json_of(session);
        check_measured(json, what);
        check_no_results(json, 2);
        json_decref(json);
        vdnn_session_destroy(session);
    }
}

/* Also where they do not divide the batch, of which all copies are counted. */
TEST(micro_batches_run_as_they_were_planned)
{
    static const char *const policies[] = {"base", "all", "dyn"};
    static const int64_t counts[] = {2, 3, 7};
    for (size_t i = 0; i < 9; i++) {
        vdnn_session_options options = {.size = sizeof options,
                                        .model = "models/alexnet.yaml",
                                        .batch = 32,
                                        .device = "sim:models/devices/titan-x-maxwell.yaml",
                                        .policy = policies[i / 3],
                                        .accumulate = counts[i % 3],
                                        .steps = 2};
        char what[128];
        (void)snprintf(what, sizeof what, "%s in %d", options.policy, (int)options.accumulate);
        vdnn_session *session = run_session(&options);
        json_t *json = json_of(session);
        check_measured(json, what);
        assert_int_equal(json_integer_value(json_object_get(json, "accumulate")), counts[i % 3]);
        json_decref(json);
        vdnn_session_destroy(session);
    }
}

TEST_IN_FOLDER(a_step_tells_that_it_computed_nothing)
{
    vdnn_session_options options = {.size = sizeof options,
                                    .model = "models/lenet.yaml",
                                    .device = "sim:models/devices/p100.yaml",
                                    .steps = 1};
    vdnn_session *session = run_session(&options);
    vdnn_sample sample = {.size = sizeof sample};
    double accuracy = 1;
    assert_ok(vdnn_session_step(session, &sample)); /* also beyond the last */
    assert_true(isnan(sample.loss));
    assert_true(sample.seconds == sample.wall_seconds);
    assert_ok(vdnn_session_evaluate(session, &accuracy));
    assert_true(accuracy < 0);
    assert_status(vdnn_session_save(session, vdnn_test_path(*state, "w")), VDNN_USAGE);
    assert_int_equal(vdnn_test_folder_count(*state), 0);
    vdnn_session_destroy(session);
}

/* The Titan X with further keys of its link: FOLDER/`name`. */
static const char *changed_link(const char *folder, const char *name, const char *key)
{
    char *model;
    size_t length;
    vdnn_text text = {0};
    vdnn_test_read_file("models/devices/titan-x-maxwell.yaml", &model, &length);
    const char *at = strstr(model, "\nlink:");
    assert_non_null(at);
    vdnn_text_add(&text, "%.*s\nlink:%s%s", (int)(at - model), model, key, at + strlen("\nlink:"));
    const char *path = vdnn_test_path(folder, name);
    vdnn_test_write_file(path, text.data, text.length);
    vdnn_text_fini(&text);
    free(model);
    return path;
}

/* A link that is slower than both directions together. */
static const char *shared_link(const char *folder)
{
    return changed_link(folder, "shared.yaml",
                        "\n  both_bytes_per_second: {value: 13e9, source: made up}");
}

/* A step by that policy is as it was planned; returns its seconds. */
static double run_as_planned(const char *device, const char *policy)
{
    vdnn_session_options options = {.size = sizeof options,
                                    .model = "models/alexnet.yaml",
                                    .device = device,
                                    .policy = policy,
                                    .steps = 4}; /* the last one loads no batch for the next */
    vdnn_session *session = run_session(&options);
    json_t *json = json_of(session);
    check_measured(json, device);
    double seconds = number(json, "plan", "step_seconds");
    json_decref(json);
    vdnn_session_destroy(session);
    return seconds;
}

/* Whatever it is that the model states, and the more the longer a step. */
TEST_IN_FOLDER(what_copies_and_compute_take_from_each_other_is_planned)
{
    static const char *const keys[] = {
        "\n  out_slows_products: {value: 1.5, source: made up}",
        "\n  in_slows_products: {value: 2, source: made up}",
        "\n  out_slows_moves: {value: 3, source: made up}",
        "\n  in_slows_moves: {value: 1.1, source: made up}",
        "\n  out_slows_products: {value: 1.5, source: made up}"
        "\n  out_beside_bytes_per_second: {value: 4e9, source: made up}",
        "\n  in_slows_products: {value: 1.5, source: made up}"
        "\n  in_beside_bytes_per_second: {value: 4e9, source: made up}"};
    const char *alone = "sim:models/devices/titan-x-maxwell.yaml";
    double all = run_as_planned(alone, "all"), base = run_as_planned(alone, "base");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char device[300];
        (void)snprintf(device, sizeof device, "sim:%s",
                       changed_link(*state, "beside.yaml", keys[i]));
        assert_true(run_as_planned(device, "all") > all);
        assert_true(run_as_planned(device, "base") >= base);
    }
}

/* Out and in at once, as many bytes; returns seconds. */
static double copy_both_ways(const char *kind, size_t bytes)
{
    const vdnn_device_options options = {.event_count = 2};
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_open(kind, &options, &device));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, 2 * bytes));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, 2 * bytes));
    const vdnn_extent extents[VDNN_TIER_COUNT][2] = {
        {{VDNN_TIER_DEVICE, 0, bytes}, {VDNN_TIER_DEVICE, bytes, bytes}},
        {{VDNN_TIER_HOST, 0, bytes}, {VDNN_TIER_HOST, bytes, bytes}}};
    assert_ok(vdnn_device_round(device));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_OUT, 0, NULL, 0, extents[VDNN_TIER_HOST][0],
                               extents[VDNN_TIER_DEVICE][0]));
    assert_ok(vdnn_device_copy(device, VDNN_STREAM_IN, 1, NULL, 0, extents[VDNN_TIER_DEVICE][1],
                               extents[VDNN_TIER_HOST][1]));
    assert_ok(vdnn_device_synchronize(device));
    double start, end[2];
    for (int i = 0; i < 2; i++)
        vdnn_device_times(device, i, &start, &end[i]);
    double seconds = fmax(end[0], end[1]);
    assert_true(vdnn_device_now(device) == seconds);
    assert_ok(vdnn_device_synchronize(device)); /* once more is no more time */
    assert_true(vdnn_device_now(device) == seconds);
    vdnn_device_close(device);
    return seconds;
}

TEST_IN_FOLDER(copies_in_both_directions_share_the_link_of_the_model)
{
    char device[300];
    double gigabyte = 1e9, latency = 1e-5;
    (void)snprintf(device, sizeof device, "sim:%s", shared_link(*state));
    double apart = copy_both_ways("sim:models/devices/titan-x-maxwell.yaml", (size_t)gigabyte);
    double shared = copy_both_ways(device, (size_t)gigabyte);
    assert_true(fabs(apart - (latency + gigabyte / 12.8e9)) < 1e-12);
    assert_true(fabs(shared - (latency + 2 * gigabyte / 13e9)) < 1e-12);
}

/* ---- programs -------------------------------------------------------------------------------- */

static json_t *trace_events(const char *path)
{
    json_t *trace = vdnn_test_json(path);
    json_t *events = json_incref(json_object_get(trace, "traceEvents"));
    json_decref(trace);
    assert_true(json_is_array(events));
    return events;
}

typedef struct track {
    double end;
    int spans;
} track;

/* Spans of one track follow each other; every track has some. */
static void check_trace(const char *path, int steps)
{
    track tracks[32] = {{0, 0}};
    json_t *events = trace_events(path), *event;
    size_t i;
    int begins = 0;
    json_array_foreach(events, i, event)
    {
        if (strcmp(json_string_value(json_object_get(event, "ph")), "X") != 0)
            continue;
        track *own = &tracks[json_integer_value(json_object_get(event, "tid"))];
        double start = json_number_value(json_object_get(event, "ts"));
        assert_true(start >= own->end - 1e-3);
        own->end = start + json_number_value(json_object_get(event, "dur"));
        own->spans++;
        begins += strcmp(json_string_value(json_object_get(event, "name")), "begin") == 0;
    }
    assert_int_equal(begins, steps);
    for (int stream = 1; stream <= 3; stream++)
        assert_true(tracks[stream].spans > 0);
    json_decref(events);
}

/* Spans of stalls, in seconds of a step; each ends where what it waits for does, or later. */
static double sum_stalls(json_t *events, int steps)
{
    double sum = 0;
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event)
    {
        const char *category = json_string_value(json_object_get(event, "cat"));
        if (category == NULL || strcmp(category, "stall") != 0)
            continue;
        assert_memory_equal(json_string_value(json_object_get(event, "name")), "wait for ", 9);
        sum += 1e-6 * json_number_value(json_object_get(event, "dur"));
    }
    return sum / steps;
}

TEST_IN_FOLDER(stalls_in_a_trace_are_those_of_the_record)
{
    enum { STEPS = 5 };
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model vgg16 --batch 64 --device sim:titan-x-maxwell --policy all "
                     "--rules paper --steps 5 --json @/r.json --trace @/t.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json")),
           *events = trace_events(vdnn_test_path(*state, "t.json"));
    const double recorded =
        vdnn_test_number_at(vdnn_test_object_at(root, "measured"), "stall_seconds");
    const double drawn = sum_stalls(events, STEPS);
    print_message("%.6f s of stalls a step, %.6f in the trace\n", recorded, drawn);
    assert_true(recorded > 0.01 && fabs(drawn - recorded) < 1e-3 * recorded);
    json_decref(events);
    json_decref(root);
}

TEST_IN_FOLDER(the_same_run_writes_the_same_files)
{
    static const char *const names[] = {"first", "second"};
    char paths[2][2][256];
    for (int i = 0; i < 2; i++) {
        vdnn_test_run run;
        (void)snprintf(paths[i][0], sizeof paths[i][0], "%s/%s.json", (char *)*state, names[i]);
        (void)snprintf(paths[i][1], sizeof paths[i][1], "%s/%s.trace", (char *)*state, names[i]);
        vdnn_test_program(&run, *state,
                          "vdnnrun --model vgg16 --batch 64 --device sim:titan-x-maxwell --policy "
                          "all --rules paper --steps 3 --json %s --trace %s",
                          paths[i][0], paths[i][1]);
        vdnn_test_expect(&run, 0, "");
        assert_non_null(strstr(run.out, "3 steps in simulated time"));
        assert_null(strstr(run.err, "loss"));
        vdnn_test_run_free(&run);
        check_trace(paths[i][1], 3);
    }
    vdnn_test_expect_same_file(paths[0][0], paths[1][0]);
    vdnn_test_expect_same_file(paths[0][1], paths[1][1]);
}

/* The JSON of a run without what only a run has, and that of planning for it. */
TEST_IN_FOLDER(planning_says_the_same_as_running)
{
    json_t *json[2];
    static const char *const how[] = {"--dry-run", "--steps 1"};
    for (int i = 0; i < 2; i++) {
        vdnn_test_run run;
        const char *path = vdnn_test_path(*state, "run.json");
        vdnn_test_program(&run, *state,
                          "vdnnrun --model overfeat --device sim:v100 --policy conv %s --json %s",
                          how[i], path);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json[i] = vdnn_test_json(path);
    }
    assert_null(json_object_get(json[0], "measured"));
    assert_null(json_object_get(json[0], "losses"));
    assert_non_null(json_object_get(json[1], "measured"));
    assert_true(json_equal(json_object_get(json[0], "layers"), json_object_get(json[1], "layers")));
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(json[1], "device"), "kind")), "sim");
    json_t *plan = json_object_get(json[1], "plan");
    (void)json_object_set(plan, "host_locked_bytes",
                          json_object_get(json_object_get(json[0], "plan"), "host_locked_bytes"));
    assert_true(json_equal(json_object_get(json[0], "plan"), plan));
    json_decref(json[0]);
    json_decref(json[1]);
}

TEST_IN_FOLDER(plans_and_explanations_are_the_same_twice)
{
    static const char *const commands[] = {
        "vdnnrun --model alexnet --device sim:a100 --policy all --print-plan --dry-run",
        "vdnnrun --model alexnet --device sim:a100 --device-mem 1GiB --explain",
        "vdnnreport --model alexnet --device sim:a100 --json -",
        "vdnnreport --model alexnet --device sim:a100 --algorithms",
    };
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        vdnn_test_run runs[2];
        for (int i = 0; i < 2; i++) {
            vdnn_test_program(&runs[i], *state, "%s", commands[c]);
            vdnn_test_expect(&runs[i], 0, "");
        }
        assert_true(strlen(runs[0].out) > 100);
        assert_string_equal(runs[0].out, runs[1].out);
        vdnn_test_run_free(&runs[0]);
        vdnn_test_run_free(&runs[1]);
    }
}

/* Products take the peak of their type where the model has one; bytes are those of f32. */
TEST_IN_FOLDER(tf32_is_faster_where_the_model_has_it_and_else_refused)
{
    static const char *const dtypes[] = {"f32", "tf32", "bf16"};
    double seconds[3], bytes[3];
    for (size_t i = 0; i < 3; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model alexnet --device sim:a100 --policy all --steps 1 "
                          "--dtype %s --json @/run.json",
                          dtypes[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *json = vdnn_test_json(vdnn_test_path(*state, "run.json"));
        assert_string_equal(json_string_value(json_object_get(json, "dtype")), dtypes[i]);
        check_measured(json, dtypes[i]);
        seconds[i] = number(json, "plan", "step_seconds");
        bytes[i] = number(json, "plan", "offload_bytes");
        json_decref(json);
    }
    assert_true(seconds[1] < seconds[0] && seconds[2] < seconds[1]);
    assert_true(bytes[1] == bytes[0] && bytes[2] < bytes[0]);
    static const char *const older[] = {"v100", "p100", "titan-x-maxwell"};
    for (size_t i = 0; i < sizeof older / sizeof *older; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnrun --model alexnet --device sim:%s --dtype tf32",
                          older[i]);
        vdnn_test_expect(&run, 2, "tensor cores, which this device does not have");
        vdnn_test_run_free(&run);
    }
    vdnn_test_run_to(*state, 3, "no device model 'a101'",
                     "vdnnrun --model alexnet --device sim:a101 --dtype tf32");
    vdnn_test_run_to(*state, 0, "alexnet, batch 128, on h100",
                     "vdnnreport --model alexnet --device sim:h100 --dtype tf32");
}

static double step_in(void **state, const char *device, const char *dtype)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model vgg16 --batch 64 --device sim:%s --policy all --steps 1 "
                      "--dtype %s --json @/run.json",
                      device, dtype);
    vdnn_test_expect(&run, 0, "");
    assert_null(strstr(run.err, "no units"));
    vdnn_test_run_free(&run);
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_string_equal(json_string_value(json_object_get(json, "dtype")), dtype);
    check_measured(json, dtype);
    double seconds = number(json, "plan", "step_seconds");
    json_decref(json);
    return seconds;
}

/* Tensor cores of Volta and Turing take nothing else; later ones take bf16 at the same rate. */
TEST_IN_FOLDER(f16_has_the_rates_of_its_units_or_those_of_bf16)
{
    assert_true(step_in(state, "v100", "f16") < 0.6 * step_in(state, "v100", "f32"));
    assert_true(step_in(state, "t4", "f16") < step_in(state, "t4", "f32"));
    double bf16 = step_in(state, "a100", "bf16");
    assert_true(fabs(step_in(state, "a100", "f16") - bf16) < 1e-9 * bf16);
}

static double stated_half(void **state, const char *device, const char *dtype)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnreport --model lenet --device sim:%s --policies base --dtype %s --quiet "
                      "--json @/half.json",
                      device, dtype);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "half.json"));
    json_t *accuracy = json_object_get(json_object_get(json, "device"), "accuracy");
    double half = json_real_value(json_object_get(accuracy, "half_within"));
    json_decref(json);
    return half;
}

/* Tensor cores of a V100 are predicted less well than f32; an M40 computes f16 as f32. */
TEST_IN_FOLDER(a_report_says_how_sure_it_is_of_the_type)
{
    assert_true(stated_half(state, "v100", "f16") > stated_half(state, "v100", "f32"));
    assert_true(stated_half(state, "v100", "bf16") == stated_half(state, "v100", "f32"));
    assert_true(stated_half(state, "m40", "f16") == stated_half(state, "m40", "f32"));
}

/* Its maps take half the memory, but nothing is computed faster, and that is said. */
TEST_IN_FOLDER(a_card_without_units_for_bf16_says_that_it_computes_in_f32)
{
    static const char said[] = "no units for bf16: maps have half the bytes, and products take as";
    vdnn_test_run_to_warn(*state, "no units for f16: maps have half the bytes",
                          "vdnnreport --model lenet --device sim:m40 --dtype f16");
    vdnn_test_run run;
    vdnn_test_run_to_warn(*state, said, "vdnnreport --model lenet --device sim:v100 --dtype bf16");
    vdnn_test_program(&run, *state, "vdnnreport --model lenet --device sim:a100 --dtype bf16");
    vdnn_test_expect(&run, 0, "");
    assert_null(strstr(run.err, said));
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "vdnnreport --model lenet --device sim:v100");
    vdnn_test_expect(&run, 0, "");
    assert_null(strstr(run.err, said));
    vdnn_test_run_free(&run);
}

/* ---- what does not fit ----------------------------------------------------------------------- */

/* Of a policy, what the message says it could do with. */
static size_t told_for(const char *message, const char *policy)
{
    const char *at = strstr(message, policy);
    if (at == NULL) {
        fail_msg("nothing about '%s' in: %s", policy, message);
        return 0;
    }
    return strtoull(at + strlen(policy), NULL, 10);
}

TEST_IN_FOLDER(where_no_policy_fits_each_tells_the_least_that_would_do)
{
    static const char *const policies[] = {"--policy base --algo m", "--policy all --algo m",
                                           "--policy conv --algo m", "--policy dyn"};
    static const char command[] = "vdnnrun --model alexnet --batch 64 --device sim:v100 --rules "
                                  "paper --quiet";
    vdnn_test_run told;
    vdnn_test_program(&told, *state, "%s --device-mem 64MiB --dry-run", command);
    vdnn_test_expect(&told, 4, "no policy fits this budget");
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        vdnn_test_run run;
        char part[64];
        (void)snprintf(part, sizeof part, "%s: ", policies[i]);
        size_t bytes = told_for(told.err, part);
        for (size_t lack = 0; lack < 2; lack++) {
            vdnn_test_program(&run, *state, "%s %s --device-mem %zu --dry-run", command,
                              policies[i], bytes - lack);
            vdnn_test_expect(&run, lack == 0 ? 0 : 4, "");
            vdnn_test_run_free(&run);
        }
    }
    vdnn_test_run_free(&told);
    vdnn_test_run_to(*state, 4, "none under this --host-mem",
                     "vdnnrun --model alexnet --batch 64 --device sim:v100 --rules paper "
                     "--device-mem 64MiB --host-mem 1MiB --dry-run --quiet");
    vdnn_test_run_to(*state, 4, "\n    --policy conv --algo p: ",
                     "vdnnreport --model alexnet --batch 64 --device sim:v100 --device-mem 64MiB");
}

/* ---- recordings ------------------------------------------------------------------------------ */

#define BUDGETS "--device-mem 40MiB --host-mem 64MiB"

/* Plans on the processor, which records it, and on the recording. */
static void check_recording(const char *folder, const char *arguments)
{
    static const char *const devices[] = {"cpu --profile @/recorded", "sim:@/recorded"};
    json_t *json[2];
    for (int i = 0; i < 2; i++) {
        vdnn_test_run run;
        char command[512];
        (void)snprintf(command, sizeof command,
                       "vdnnrun --model @/net.yaml --dry-run " BUDGETS
                       " %s --device %s --json @/plan.json",
                       arguments, devices[i]);
        vdnn_test_program(&run, folder, "%s", command);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json[i] = vdnn_test_json(vdnn_test_path(folder, "plan.json"));
    }
    if (!json_equal(json_object_get(json[0], "plan"), json_object_get(json[1], "plan")) ||
        !json_equal(json_object_get(json[0], "layers"), json_object_get(json[1], "layers")))
        fail_msg("%s: the recording says another thing than what was recorded", arguments);
    json_decref(json[0]);
    json_decref(json[1]);
}

TEST_IN_FOLDER(a_recorded_device_estimates_what_the_device_itself_does)
{
    static const char *const arguments[] = {
        "--policy dyn",
        "--policy base --rules paper",
        "--policy all --algo m",
        "--policy conv --rules paper --algo m",
    };
    (void)vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        check_recording(*state, arguments[i]);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --device sim:@/recorded --steps 2 --trace @/t");
    check_trace(vdnn_test_path(*state, "t"), 2);
    vdnn_test_run_to(*state, 3, "has no time of its forward",
                     "vdnnrun --model @/net.yaml --device sim:@/recorded --batch 9 --dry-run");
    vdnn_test_run_to(*state, 4, "smallest budget",
                     "vdnnrun --model @/net.yaml --device sim:@/recorded --device-mem 64KiB");
    vdnn_test_run_to(*state, 4, "smallest budget",
                     "vdnnrun --model @/net.yaml --device sim:@/recorded --device-mem 64KiB "
                     "--explain");
    vdnn_test_write_below(*state, "poor", "vdnn-profile 1\nkey k\nend 0\n");
    vdnn_test_run_to(*state, 3, "no line 'device'",
                     "vdnnrun --model @/net.yaml --device sim:@/poor --dry-run");
    vdnn_test_write_below(*state, "cut", "vdnn-profile 1\nkey k\n");
    vdnn_test_run_to(*state, 3, "the file is incomplete",
                     "vdnnrun --model @/net.yaml --device sim:@/cut --dry-run");
}

/* ---- what opt finds ----------------------------------------------------------------------------
 */

static json_t *run_alexnet(const char *policy)
{
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = "models/alexnet.yaml",
                                          .batch = 128,
                                          .device = "sim:models/devices/titan-x-maxwell.yaml",
                                          .device_mem = "730MiB",
                                          .policy = policy,
                                          .steps = 1,
                                          .planning =
                                              vdnn_test_topic(planning, .plan_trials = 4000)};
    vdnn_session *session = run_session(&options);
    json_t *json = json_of(session);
    vdnn_session_destroy(session);
    return json;
}

/* What the fully connected layers leave is workspace for faster convolutions. */
TEST(opt_offloads_parameters_where_that_is_faster)
{
    json_t *dyn = run_alexnet("dyn"), *opt = run_alexnet("opt");
    check_measured(opt, "opt");
    /* Parameters leave beside maps. */
    assert_true(number(opt, "plan", "offload_bytes") > 2 * number(dyn, "plan", "offload_bytes"));
    assert_true(number(opt, "plan", "step_seconds") < 0.8 * number(dyn, "plan", "step_seconds"));
    assert_true(number(opt, "plan", "oracle_step_seconds") ==
                number(dyn, "plan", "oracle_step_seconds"));
    json_decref(dyn);
    json_decref(opt);
}
