/* Copies of weights in the type and layout of the maps, kept by the update instead of converted in
 * every pass, on the emulation of CUDA on the CPU: no bit changes, and no smallest budget. */

#include "runtime/checker/checker.h"
#include "runtime/vdnn.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* Turned with padding; turned; of one cell; plain. */
static const char network[] = "name: copies\n"
                              "input: {channels: 1, height: 12, width: 12}\n"
                              "classes: 10\n"
                              "batch: 3\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: conv2, type: conv, out: 16, kernel: 3, groups: 2}\n"
                              "  - {name: conv3, type: conv, out: 16, kernel: 1}\n"
                              "  - {name: fc, type: fc, out: 10}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, "
                              "epochs: 1}\n";

/* Most of its bytes are parameters, so that under a small budget some of them are offloaded. */
static const char wide[] = "name: wide\n"
                           "input: {channels: 1, height: 12, width: 12}\n"
                           "classes: 10\n"
                           "batch: 3\n"
                           "layers:\n"
                           "  - {name: fc1, type: fc, out: 160}\n"
                           "  - {name: relu1, type: relu}\n"
                           "  - {name: fc2, type: fc, out: 160}\n"
                           "  - {name: relu2, type: relu}\n"
                           "  - {name: fc3, type: fc, out: 160}\n"
                           "  - {name: relu3, type: relu}\n"
                           "  - {name: fc, type: fc, out: 10}\n"
                           "  - {name: loss, type: softmax_loss}\n"
                           "training: {lr: 0.05, momentum: 0.9, epochs: 1}\n";

enum { STEPS = 3, TESTS = 2 }; /* TESTS: batches that there are to test */

static const struct form {
    const char *dtype;
    int conversions; /* of a step, where no copy is kept: in the forward and backward data passes of
                        layers that need them; conv1 has no backward data */
    int evaluated;   /* of these in forward */
} forms[] = {{"bf16", 7, 4}, {"tf32", 3, 2}};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct policy_row {
    const char *policy, *algo;
} policies[] = {{"base", "p"}, {"base", "m"}, {"all", "p"}, {"conv", "m"}, {"dyn", NULL}};
enum { POLICIES = sizeof policies / sizeof *policies };

/* ---- runs ------------------------------------------------------------------------------------ */

/* What came of a run. */
typedef struct result {
    vdnn_weight_copies copies;
    size_t arena_bytes, smallest_bytes;
    int kernels, evaluation_kernels; /* launched by a step, by an evaluation */
    double accuracy;
} result;

static vdnn_session_options options_for(const char *folder, const struct form *form)
{
    static char model[512], profile[512], algos[512], data[512];
    (void)snprintf(model, sizeof model, "%s/net.yaml", folder);
    (void)snprintf(profile, sizeof profile, "%s/profile", folder);
    (void)snprintf(data, sizeof data, "npy:%s", folder);
    (void)snprintf(algos, sizeof algos, "%s/algorithms.json", folder);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device = "cuda",
                                  .dtype = form->dtype,
                                  .profile = profile,
                                  .planning = vdnn_test_topic(planning, .algos = algos),
                                  .policy = "all",
                                  .data = data,
                                  .dataset = vdnn_test_topic(dataset, .test_data = data),
                                  .threads = 1,
                                  .steps = STEPS,
                                  .seed = 7};
}

static vdnn_session *prepare(const vdnn_session_options *options, result *made)
{
    vdnn_session *session = NULL;
    vdnn_verdict verdict = {.size = sizeof verdict};
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_verdict(session, &verdict));
    const vdnn_plan *plan = vdnn_session_plan(session);
    *made = (result){.copies = plan->copies,
                     .arena_bytes = plan->span_bytes[VDNN_TIER_DEVICE],
                     .smallest_bytes = verdict.smallest_bytes};
    return session;
}

/* By addresses and bytes, which no timing changes. */
static void expect_measured_as_planned(const vdnn_session *session)
{
    vdnn_text text = {0};
    assert_ok(vdnn_session_json(session, &text));
    json_t *json = json_loads(text.data, 0, NULL);
    vdnn_text_fini(&text);
    const json_t *measured = json_object_get(json, "measured"),
                 *plan = json_object_get(json, "plan");
    static const char *const counted[][2] = {{"device_arena_bytes", "arena_bytes"},
                                             {"offload_bytes", "offload_bytes"},
                                             {"prefetch_bytes", "prefetch_bytes"}};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        assert_int_equal(json_integer_value(json_object_get(measured, counted[i][0])),
                         json_integer_value(json_object_get(plan, counted[i][1])));
    json_decref(json);
}

/* Steps to the end of them, an evaluation, the weights as a file. */
static result train(const vdnn_session_options *options, const char *weights)
{
    result made;
    vdnn_session *session = prepare(options, &made);
    assert_ok(vdnn_session_begin(session));
    while (vdnn_session_step_number(session) < vdnn_session_step_count(session)) {
        int before = vdnn_cuda_host_calls("kernel");
        assert_ok(vdnn_session_step(session, NULL));
        made.kernels = vdnn_cuda_host_calls("kernel") - before;
        if (options->checkpoint != NULL)
            assert_ok(vdnn_session_checkpoint(session));
    }
    expect_measured_as_planned(session);
    int before = vdnn_cuda_host_calls("kernel");
    assert_ok(vdnn_session_evaluate(session, &made.accuracy));
    made.evaluation_kernels = vdnn_cuda_host_calls("kernel") - before;
    assert_ok(vdnn_session_save(session, weights));
    vdnn_session_destroy(session);
    return made;
}

/* The options with a budget of so many bytes, one at a time. */
static vdnn_session_options within(vdnn_session_options options, size_t bytes)
{
    static char text[32];
    (void)snprintf(text, sizeof text, "%zu", bytes);
    options.device_mem = text;
    return options;
}

#define ROW(name, forward, data, filter)                                                           \
    "{\"name\": \"" name "\", \"algorithms\": {\"forward\": \"" forward                            \
    "\", \"backward_data\": \"" data "\", \"backward_filter\": \"" filter "\"}},"

/* Those of all runs, whatever was measured: of nhwc, and by libraries of both kinds. */
// clang-format off
static const char algorithms[] =
    "{\"layout\": \"nhwc\", \"layers\": ["
    ROW("conv1", "gemm_nhwc", "", "gemm_nhwc")
    ROW("relu1", "native", "native", "")
    ROW("conv2", "cudnn_implicit", "gemm_nhwc", "gemm_nhwc")
    ROW("conv3", "gemm_nhwc", "gemm_nhwc", "gemm_nhwc")
    ROW("fc", "gemm", "gemm", "gemm")
    ROW("loss", "native", "native", "")
    "{}]}";
// clang-format on

static int set_up(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_cuda_host_reset();
    vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), network, sizeof network - 1);
    vdnn_test_write_file(vdnn_test_path(*state, "algorithms.json"), algorithms,
                         sizeof algorithms - 1);
    vdnn_test_images(*state, 3 * TESTS);
    return 0;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Every conversion of a step is saved, but none of those that fill the copies before the first. */
TEST(kept_copies_save_every_conversion_and_change_no_bit)
{
    const char *kept_path = vdnn_test_path(*state, "kept"),
               *converted_path = vdnn_test_path(*state, "converted");
    for (int i = 0; i < FORMS * POLICIES; i++) {
        const struct form *form = &forms[i / POLICIES];
        const struct policy_row *row = &policies[i % POLICIES];
        vdnn_session_options options = options_for(*state, form);
        options.policy = row->policy;
        options.algo = row->algo;
        result kept = train(&options, kept_path);
        assert_int_equal(kept.copies, VDNN_WEIGHTS_KEPT);
        options = within(options, kept.arena_bytes - 1);
        result converted = train(&options, converted_path);
        assert_int_equal(converted.copies, VDNN_WEIGHTS_CONVERTED);
        vdnn_test_expect_same_file(kept_path, converted_path);
        assert_true(kept.accuracy == converted.accuracy);
        if (row->algo != NULL) { /* dyn decides anew for each budget */
            assert_int_equal(converted.kernels - kept.kernels, form->conversions);
            assert_int_equal(converted.evaluation_kernels - kept.evaluation_kernels,
                             TESTS * form->evaluated);
        }
    }
}

/* Copies are filled from whatever the weights are filled from. */
TEST(copies_are_filled_before_the_first_step_of_every_run)
{
    char whole[512], first[512], rest[512], folder[512];
    const struct form *form = &forms[0];
    vdnn_session_options options = options_for(*state, form);
    (void)snprintf(whole, sizeof whole, "%s", vdnn_test_path(*state, "whole"));
    (void)snprintf(first, sizeof first, "%s", vdnn_test_path(*state, "first"));
    (void)snprintf(rest, sizeof rest, "%s", vdnn_test_path(*state, "rest"));
    (void)snprintf(folder, sizeof folder, "%s", vdnn_test_path(*state, "checkpoints"));
    result kept = train(&options, whole);

    options.checkpoint = folder;
    options.steps = STEPS - 1;
    (void)train(&options, first);
    options.steps = STEPS;
    options.resume = "auto";
    assert_int_equal(train(&options, rest).copies, VDNN_WEIGHTS_KEPT);
    vdnn_test_expect_same_file(whole, rest);

    options = options_for(*state, form);
    options.init = first;
    assert_int_equal(train(&options, whole).copies, VDNN_WEIGHTS_KEPT);
    options = within(options, kept.arena_bytes - 1);
    assert_int_equal(train(&options, rest).copies, VDNN_WEIGHTS_CONVERTED);
    vdnn_test_expect_same_file(whole, rest);
}

/* To the byte: what holds the copies has them, what holds the plan alone is still enough, and a
 * byte less is refused as before. */
TEST(copies_take_only_what_is_left)
{
    for (int i = 0; i < FORMS * POLICIES; i++) {
        const struct policy_row *row = &policies[i % POLICIES];
        vdnn_session_options options = options_for(*state, &forms[i / POLICIES]);
        vdnn_session *session = NULL;
        result kept, tight;
        options.policy = row->policy;
        options.algo = row->algo;
        options.dry_run = true;
        vdnn_session_destroy(prepare(&options, &kept));
        assert_int_equal(kept.copies, VDNN_WEIGHTS_KEPT);
        assert_true(kept.smallest_bytes < kept.arena_bytes);
        vdnn_session_options enough = within(options, kept.arena_bytes);
        vdnn_session_destroy(prepare(&enough, &tight));
        assert_int_equal(tight.copies, VDNN_WEIGHTS_KEPT);
        assert_int_equal(tight.smallest_bytes, kept.smallest_bytes);
        enough = within(options, kept.smallest_bytes);
        vdnn_session_destroy(prepare(&enough, &tight));
        assert_int_equal(tight.copies, VDNN_WEIGHTS_CONVERTED);
        vdnn_session_options short_of = within(options, kept.smallest_bytes - 1);
        assert_ok(vdnn_session_create(&short_of, NULL, &session));
        assert_status(vdnn_session_prepare(session), VDNN_NO_FIT);
        vdnn_session_destroy(session);
    }
}

static bool offloads_parameters(const vdnn_plan *plan)
{
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        if (plan->param_buffer[l] >= 0 && !vdnn_plan_keeps_params(plan, l))
            return true;
    return false;
}

/* Whether there is a plan with copies and with parameters in the host tier. */
static bool check_plan_within(const vdnn_session_options *options, size_t bytes)
{
    vdnn_session_options enough = within(*options, bytes);
    vdnn_session *session = NULL;
    bool has_both = false;
    assert_ok(vdnn_session_create(&enough, NULL, &session));
    const vdnn_status status = vdnn_session_prepare(session);
    if (status == VDNN_OK) {
        const vdnn_plan *plan = vdnn_session_plan(session);
        assert_ok(vdnn_checker_check(plan, vdnn_tier_unlimited));
        has_both = plan->copies == VDNN_WEIGHTS_KEPT && offloads_parameters(plan);
    } else
        assert_int_equal(status, VDNN_NO_FIT);
    vdnn_session_destroy(session);
    return has_both;
}

/* A layer whose parameters are offloaded has no copy, whatever those have that stay. */
TEST(plans_of_all_budgets_pass)
{
    static const char *const names[] = {"base", "all", "conv", "dyn", "opt"};
    char model[512];
    int with_both = 0;
    (void)snprintf(model, sizeof model, "%s/wide.yaml", (const char *)*state);
    vdnn_test_write_file(model, wide, sizeof wide - 1);
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
        vdnn_session_options options = options_for(*state, &forms[0]);
        result made;
        options.model = model;
        options.profile = vdnn_test_path(*state, "wide.profile");
        vdnn_test_edit(&options, planning)->algos = NULL;
        options.policy = names[p];
        options.dry_run = true;
        vdnn_test_edit(&options, planning)->plan_trials = 200;
        vdnn_session_destroy(prepare(&options, &made));
        for (size_t percent = 20; percent <= 100; percent += 5)
            with_both += check_plan_within(&options, made.arena_bytes * percent / 100);
    }
    assert_true(with_both > 0);
}

/* The rules of the paper know no such copy. */
TEST(nothing_is_kept_under_the_classic_rules)
{
    result made;
    vdnn_session_options options = options_for(*state, &forms[0]);
    options.rules = "paper";
    vdnn_session_destroy(prepare(&options, &made));
    assert_int_equal(made.copies, VDNN_WEIGHTS_CONVERTED);
}

TEST(a_recording_keeps_what_the_device_keeps)
{
    char recorded[600];
    result card, recording;
    vdnn_session_options options = options_for(*state, &forms[0]);
    vdnn_session_destroy(prepare(&options, &card));
    (void)snprintf(recorded, sizeof recorded, "sim:%s", options.profile);
    options.device = recorded;
    options.profile = NULL;
    options.dry_run = true;
    vdnn_session_destroy(prepare(&options, &recording));
    assert_int_equal(recording.copies, VDNN_WEIGHTS_KEPT);
    assert_int_equal(recording.arena_bytes, card.arena_bytes);
}

int main(void)
{
    return vdnn_test_main(set_up, vdnn_test_remove_folder);
}
