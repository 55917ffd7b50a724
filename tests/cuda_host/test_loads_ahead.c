/* Batches that are loaded while the step before theirs computes, on the emulation of CUDA on the
 * CPU: no bit changes, no smallest budget, and no step waits for its batch. */

#include "layers/cuda/stream.h"
#include "runtime/exec/executor.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/planner/planner.h"
#include "runtime/profile/profile_store.h"
#include "runtime/train/weights.h"
#include "runtime/vdnn.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/cuda_host/gate_kernel.h"
#include "tests/support/pictures.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char network[] = "name: loads\n"
                              "input: {channels: 3, height: 12, width: 12}\n"
                              "classes: 2\n"
                              "batch: 3\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: drop1, type: dropout, p: 0.3}\n"
                              "  - {name: conv2, type: conv, out: 8, kernel: 3}\n"
                              "  - {name: fc, type: fc, out: 2}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, "
                              "epochs: 1}\n";

/* An epoch has six batches, the last one of the test a remainder. */
enum { CLASSES = 2, PICTURES = 10, STEPS = 8 };

static const struct policy_row {
    const char *policy, *algo, *dtype;
} policies[] = {{"base", "p", "bf16"},
                {"base", "m", "f32"},
                {"all", "p", "bf16"},
                {"conv", "m", "f32"},
                {"dyn", NULL, "bf16"}};
enum { POLICIES = sizeof policies / sizeof *policies };

static const char *const dtypes[] = {"f32", "bf16"};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* ---- runs ------------------------------------------------------------------------------------ */

static void write_pictures(const char *folder)
{
    char name[64];
    vdnn_test_make_below(folder, "pictures");
    for (int i = 0; i < CLASSES * PICTURES; i++) {
        (void)snprintf(name, sizeof name, "pictures/%d", i / PICTURES);
        if (i % PICTURES == 0)
            vdnn_test_make_below(folder, name);
        (void)snprintf(name, sizeof name, "pictures/%d/%02d.png", i / PICTURES, i);
        vdnn_test_write_picture(vdnn_test_path(folder, name), 12, 12, i);
    }
}

/* The profile as it was measured, but that a copy in begins after so many seconds, and memory takes
 * no time: FOLDER/`name`. */
static void write_profile(const char *folder, const char *name, const char *latency_seconds)
{
    const char *const rates[][2] = {{"rate copy_latency_seconds ", latency_seconds},
                                    {"rate elementwise_bytes_per_second ", "1e13"}};
    char *text, path[512];
    size_t count;
    vdnn_text changed = {0};
    vdnn_test_read_file(vdnn_test_path(folder, "profile"), &text, &count);
    for (char *line = text, *next; line < text + count; line = next) {
        const char *value = NULL, *key = "";
        char *end = memchr(line, '\n', count - (size_t)(line - text));
        assert_non_null(end);
        next = end + 1;
        *end = '\0';
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
            if (strncmp(line, rates[i][0], strlen(rates[i][0])) == 0) {
                key = rates[i][0];
                value = rates[i][1];
            }
        vdnn_text_add(&changed, "%s%s\n", key, value == NULL ? line : value);
    }
    (void)snprintf(path, sizeof path, "%s", vdnn_test_path(folder, name));
    vdnn_test_write_file(path, changed.data, changed.length);
    vdnn_text_fini(&changed);
    free(text);
}

/* Where copies wait batches are loaded ahead; where a copy is faster than a launch they are not. */
static const char *const profiles[] = {[VDNN_LOADS_OWN] = "quick", [VDNN_LOADS_AHEAD] = "slow"};

static vdnn_session_options options_for(const char *folder, const char *dtype, vdnn_loads loads)
{
    static char model[512], profile[512], data[512], algos[512];
    (void)snprintf(model, sizeof model, "%s/net.yaml", folder);
    (void)snprintf(profile, sizeof profile, "%s/%s", folder, profiles[loads]);
    (void)snprintf(data, sizeof data, "images:%s/pictures", folder);
    (void)snprintf(algos, sizeof algos, "%s/%s.json", folder, dtype);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device = "cuda",
                                  .dtype = dtype,
                                  .profile = profile,
                                  .planning = vdnn_test_topic(planning, .algos = algos),
                                  .policy = "all",
                                  .data = data,
                                  .dataset = vdnn_test_topic(dataset, .test_data = data),
                                  .threads = 3,
                                  .steps = STEPS,
                                  .seed = 7};
}

static void save_text(const char *path, const char *text)
{
    vdnn_test_write_file(path, text, strlen(text));
}

/* Everything is measured once: all runs take the same algorithms. */
static int set_up(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_cuda_host_reset();
    write_pictures(*state);
    save_text(vdnn_test_path(*state, "net.yaml"), network);
    for (int i = 0; i < DTYPES; i++) {
        char json[512];
        vdnn_session *session = NULL;
        vdnn_text text = {0};
        vdnn_session_options options = options_for(*state, dtypes[i], VDNN_LOADS_OWN);
        (void)snprintf(json, sizeof json, "%s", options.planning->algos);
        options.profile = vdnn_test_path(*state, "profile");
        vdnn_test_edit(&options, planning)->algos = NULL;
        options.dry_run = true;
        assert_ok(vdnn_session_create(&options, NULL, &session));
        assert_ok(vdnn_session_prepare(session));
        assert_ok(vdnn_session_json(session, &text));
        save_text(json, text.data);
        vdnn_text_fini(&text);
        vdnn_session_destroy(session);
    }
    write_profile(*state, profiles[VDNN_LOADS_AHEAD], "1e-3");
    write_profile(*state, profiles[VDNN_LOADS_OWN], "1e-12");
    return 0;
}

/* What came of a run. */
typedef struct outcome {
    vdnn_loads loads;
    size_t arena_bytes, smallest_bytes;
    double accuracy[2]; /* in the middle, at the end */
    double losses[STEPS + 2];
} outcome;

static vdnn_session *prepare(const vdnn_session_options *options, outcome *made)
{
    vdnn_session *session = NULL;
    vdnn_verdict verdict = {.size = sizeof verdict};
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_verdict(session, &verdict));
    const vdnn_plan *plan = vdnn_session_plan(session);
    *made = (outcome){.loads = plan->loads,
                      .arena_bytes = plan->span_bytes[VDNN_TIER_DEVICE],
                      .smallest_bytes = verdict.smallest_bytes};
    return session;
}

static outcome plan(const vdnn_session_options *options)
{
    outcome made;
    vdnn_session_destroy(prepare(options, &made));
    return made;
}

/* Step by step, an evaluation in between, and two steps more than the options say. */
static outcome train(const vdnn_session_options *options, const char *weights)
{
    outcome made;
    vdnn_session *session = prepare(options, &made);
    assert_ok(vdnn_session_begin(session));
    for (int i = 0; i < STEPS + 2; i++) {
        vdnn_sample sample = {.size = sizeof sample};
        assert_ok(vdnn_session_step(session, &sample));
        made.losses[i] = sample.loss;
        if (i == STEPS / 2)
            assert_ok(vdnn_session_evaluate(session, &made.accuracy[0]));
    }
    assert_ok(vdnn_session_evaluate(session, &made.accuracy[1]));
    assert_ok(vdnn_session_save(session, weights));
    vdnn_session_destroy(session);
    return made;
}

/* From the first step to the last, without a wait in between. */
static outcome run(const vdnn_session_options *options)
{
    outcome made = plan(options);
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_run(session));
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

/* Those of loading ahead are made to load late by a byte less than that takes. */
static outcome run_loading(vdnn_session_options options, vdnn_loads loads)
{
    if (loads == VDNN_LOADS_LATE)
        options = within(options, plan(&options).arena_bytes - 1);
    return run(&options);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(batches_loaded_ahead_change_no_bit)
{
    char paths[VDNN_LOADS_COUNT][512];
    outcome made[VDNN_LOADS_COUNT];
    int late = 0;
    (void)snprintf(paths[0], sizeof paths[0], "%s", vdnn_test_path(*state, "own"));
    (void)snprintf(paths[1], sizeof paths[1], "%s", vdnn_test_path(*state, "ahead"));
    (void)snprintf(paths[2], sizeof paths[2], "%s", vdnn_test_path(*state, "less"));
    for (int i = 0; i < POLICIES; i++) {
        const struct policy_row *row = &policies[i];
        for (int loads = VDNN_LOADS_OWN; loads <= VDNN_LOADS_AHEAD; loads++) {
            vdnn_session_options options = options_for(*state, row->dtype, (vdnn_loads)loads);
            options.policy = row->policy;
            options.algo = row->algo;
            made[loads] = train(&options, paths[loads]);
            assert_int_equal(made[loads].loads, loads);
        }
        vdnn_session_options options = options_for(*state, row->dtype, VDNN_LOADS_AHEAD),
                             less = within(options, made[VDNN_LOADS_AHEAD].arena_bytes - 1);
        less.policy = row->policy;
        less.algo = row->algo;
        made[2] = train(&less, paths[2]);
        late += made[2].loads == VDNN_LOADS_LATE;
        for (int k = 1; k < VDNN_LOADS_COUNT; k++) {
            vdnn_test_expect_same_file(paths[0], paths[k]);
            assert_memory_equal(made[0].losses, made[k].losses, sizeof made[0].losses);
            assert_memory_equal(made[0].accuracy, made[k].accuracy, sizeof made[0].accuracy);
        }
    }
    assert_true(late > 1);
}

/* Under way together, guarded, with every copy checked; resumed in the middle of an epoch. */
static void expect_runs_with_the_same_bits(const char *state_folder, vdnn_loads loads,
                                           const char *own)
{
    char ahead[512], folder[512];
    (void)snprintf(ahead, sizeof ahead, "%s", vdnn_test_path(state_folder, "ahead"));
    (void)snprintf(folder, sizeof folder, "%s", vdnn_test_path(state_folder, "checkpoints"));
    vdnn_session_options options = options_for(state_folder, "f32", VDNN_LOADS_AHEAD);
    options.save = ahead;
    for (int form = 0; form < 3; form++) {
        vdnn_test_edit(&options, trust)->verify = form == 1;
        vdnn_test_edit(&options, trust)->poison = form == 2;
        assert_int_equal(run_loading(options, loads).loads, loads);
        vdnn_test_expect_same_file(own, ahead);
    }
    vdnn_test_edit(&options, trust)->poison = false;
    options.checkpoint = folder;
    vdnn_test_edit(&options, output)->checkpoint_every = 2;
    options.steps = STEPS / 2 + 1;
    (void)run_loading(options, loads);
    options.steps = STEPS;
    options.resume = "auto";
    assert_int_equal(run_loading(options, loads).loads, loads);
    vdnn_test_expect_same_file(own, ahead);
    vdnn_test_remove(folder);
}

TEST(runs_that_load_ahead_end_with_the_same_bits)
{
    char own[512];
    (void)snprintf(own, sizeof own, "%s", vdnn_test_path(*state, "own"));
    vdnn_session_options options = options_for(*state, "f32", VDNN_LOADS_OWN);
    options.save = own;
    assert_int_equal(run(&options).loads, VDNN_LOADS_OWN);
    for (int loads = VDNN_LOADS_AHEAD; loads < VDNN_LOADS_COUNT; loads++)
        expect_runs_with_the_same_bits(*state, (vdnn_loads)loads, own);
}

/* Batches before a picture that cannot be read are trained on; its own is the first that is not. */
TEST(a_batch_that_cannot_be_read_is_told_when_its_turn_comes)
{
    enum { BROKEN = 11, WHOLE_STEPS = BROKEN / 3 };
    char path[512], copy[512], last[600], *bytes;
    size_t count;
    (void)snprintf(path, sizeof path, "%s/%d.png", vdnn_test_path(*state, "pictures/1"), BROKEN);
    vdnn_test_read_file(path, &bytes, &count);
    for (int loads = VDNN_LOADS_OWN; loads <= VDNN_LOADS_AHEAD; loads++) {
        vdnn_session_options options = options_for(*state, "f32", (vdnn_loads)loads);
        vdnn_session *session = NULL;
        (void)snprintf(copy, sizeof copy, "%s", vdnn_test_path(*state, "checkpoints"));
        vdnn_test_edit(&options, dataset)->test_data = NULL;
        vdnn_test_edit(&options, dataset)->no_shuffle = true;
        options.checkpoint = copy;
        vdnn_test_edit(&options, output)->checkpoint_every = 1;
        vdnn_test_edit(&options, output)->keep = 1;
        vdnn_test_write_file(path, bytes, count);
        assert_ok(vdnn_session_create(&options, NULL, &session)); /* it reads a few of them */
        bytes[count / 2] ^= 1;
        vdnn_test_write_file(path, bytes, count);
        bytes[count / 2] ^= 1;
        assert_status(vdnn_session_run(session), VDNN_BAD_INPUT);
        assert_message("11.png");
        vdnn_session_destroy(session);
        (void)snprintf(last, sizeof last, "%s/step-%08d/manifest.json", copy, WHOLE_STEPS);
        FILE *file = fopen(last, "rb");
        assert_non_null(file);
        (void)fclose(file);
        vdnn_test_remove(copy);
    }
    vdnn_test_write_file(path, bytes, count);
    free(bytes);
}

/* To the byte: what holds a second batch has it, what holds the plan alone is still enough, and a
 * byte less is refused as before. */
TEST(they_take_only_what_is_left)
{
    for (int p = 0; p < POLICIES; p++) {
        vdnn_session_options options = options_for(*state, "f32", VDNN_LOADS_AHEAD);
        vdnn_session *session = NULL;
        options.policy = policies[p].policy;
        options.algo = policies[p].algo;
        options.dry_run = true;
        const outcome ample = plan(&options);
        assert_int_equal(ample.loads, VDNN_LOADS_AHEAD);
        assert_true(ample.smallest_bytes < ample.arena_bytes);
        vdnn_session_options other = within(options, ample.arena_bytes);
        outcome made = plan(&other);
        assert_int_equal(made.loads, VDNN_LOADS_AHEAD);
        assert_int_equal(made.smallest_bytes, ample.smallest_bytes);
        if (policies[p].algo != NULL) { /* dyn decides anew for each budget */
            other = within(options, ample.arena_bytes - 1);
            assert_int_not_equal(plan(&other).loads, VDNN_LOADS_AHEAD);
        }
        other = within(options, ample.smallest_bytes);
        made = plan(&other);
        assert_int_not_equal(made.loads, VDNN_LOADS_AHEAD);
        assert_int_equal(made.smallest_bytes, ample.smallest_bytes);
        other = within(options, ample.smallest_bytes - 1);
        assert_ok(vdnn_session_create(&other, NULL, &session));
        assert_status(vdnn_session_prepare(session), VDNN_NO_FIT);
        vdnn_session_destroy(session);
    }
}

/* Nor where there is no link: on the CPU a load is a copy like the one that would take it. */
TEST(nothing_is_loaded_ahead_under_the_rules_of_the_paper)
{
    vdnn_session_options options = options_for(*state, "f32", VDNN_LOADS_AHEAD);
    options.rules = "paper";
    assert_int_equal(plan(&options).loads, VDNN_LOADS_OWN);
    options.rules = NULL;
    assert_int_equal(plan(&options).loads, VDNN_LOADS_AHEAD);
    options.device = "cpu";
    options.profile = vdnn_test_edit(&options, planning)->algos = NULL;
    assert_int_equal(plan(&options).loads, VDNN_LOADS_OWN);
}

TEST(a_recording_loads_ahead_as_the_device_does)
{
    char recorded[600];
    vdnn_session_options options = options_for(*state, "f32", VDNN_LOADS_AHEAD);
    const outcome card = plan(&options);
    (void)snprintf(recorded, sizeof recorded, "sim:%s", options.profile);
    options.device = recorded;
    options.profile = NULL;
    options.data = vdnn_test_edit(&options, dataset)->test_data = NULL;
    const outcome recording = run(&options);
    assert_int_equal(recording.loads, VDNN_LOADS_AHEAD);
    assert_int_equal(recording.arena_bytes, card.arena_bytes);
}

/* ---- at the same time ------------------------------------------------------------------------ */

typedef struct rig {
    vdnn_graph *graph;
    vdnn_device *device;
    vdnn_profile_store *store;
    vdnn_profile *profile;
    vdnn_plan *plan;
    vdnn_algorithm gated; /* the first layer's forward */
    int32_t load;         /* the last one */
    void *images, *next, *labels;
} rig;

static const vdnn_algorithm *honest;

static vdnn_status run_behind_gate(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_gate_pass(((const vdnn_cuda_stream *)args->stream)->handle);
    return honest->run(kernel, args);
}

static void plan_ahead(rig *r)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, r->graph));
    decisions.loads = VDNN_LOADS_AHEAD;
    assert_ok(vdnn_planner_plan(r->graph, r->profile, &decisions, &r->plan));
    vdnn_decisions_fini(&decisions);
    honest = r->plan->algorithms[0][VDNN_FORWARD];
    r->gated = *honest;
    r->gated.run = run_behind_gate;
    for (int32_t i = 0; i < r->plan->step_count; i++) {
        vdnn_step *step = &r->plan->steps[i];
        r->load = step->kind == VDNN_STEP_LOAD ? i : r->load;
        if (step->layer == 0 && step->kind == VDNN_STEP_RUN && step->pass == VDNN_FORWARD)
            step->algorithm = &r->gated;
    }
}

static void open_rig(rig *r, const char *model_path)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_load(model_path, &model));
    assert_ok(vdnn_graph_create(model, &options, &r->graph));
    vdnn_model_destroy(model);
    assert_ok(vdnn_device_open("cuda", &(vdnn_device_options){.event_count = 64}, &r->device));
    assert_ok(vdnn_profile_store_create("any", &r->store));
    assert_ok(vdnn_measured_profile_create(r->graph, r->device, r->store, NULL, &r->profile));
    assert_true(r->profile->has_link);
    plan_ahead(r);
    assert_ok(
        vdnn_device_reserve(r->device, VDNN_TIER_DEVICE, r->plan->span_bytes[VDNN_TIER_DEVICE]));
    assert_ok(vdnn_weights_fill(r->plan, r->device, 1, NULL));
    size_t bytes = r->plan->steps[r->load].bytes;
    size_t label_bytes = (size_t)r->graph->batch * sizeof(int32_t);
    assert_ok(vdnn_device_stage(r->device, bytes, &r->images));
    assert_ok(vdnn_device_stage(r->device, bytes, &r->next));
    assert_ok(vdnn_device_stage(r->device, label_bytes, &r->labels));
    memset(r->images, 0, bytes);
    memset(r->next, 0x11, bytes);
    memset(r->labels, 0, label_bytes);
}

static void close_rig(rig *r)
{
    vdnn_plan_destroy(r->plan);
    vdnn_profile_destroy(r->profile);
    vdnn_profile_store_destroy(r->store);
    vdnn_device_close(r->device);
    vdnn_graph_destroy(r->graph);
}

/* The first convolution does not end before the next batch is there. */
TEST(the_next_batch_crosses_the_link_while_the_first_layer_computes)
{
    rig r = {.load = 0};
    vdnn_executor *executor = NULL;
    vdnn_executor_result result;
    open_rig(&r, vdnn_test_path(*state, "net.yaml"));
    assert_ok(vdnn_executor_create(r.plan, r.device, vdnn_tier_unlimited, &executor));
    const char *ahead = vdnn_device_base(r.device, VDNN_TIER_DEVICE);
    ahead += r.plan->buffers[r.plan->ahead[0]].offset;

    assert_ok(vdnn_executor_preload(executor, (const void *const[]){r.images, r.labels}));
    const vdnn_executor_batch batch = {.inputs = {r.next, r.labels}};
    vdnn_gate_close();
    vdnn_executor_begin(executor, &batch);
    vdnn_device_wait(r.device, r.load);
    /* The card's memory is this machine's. */
    assert_memory_equal(ahead, r.next, r.plan->steps[r.load].bytes);
    vdnn_gate_open();
    assert_ok(vdnn_executor_finish(executor, &result));
    vdnn_executor_destroy(executor);
    close_rig(&r);
}

int main(void)
{
    return vdnn_test_main(set_up, vdnn_test_remove_folder);
}
