#include "tests/support/plan_changes.h"

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "runtime/train/kept.h"
#include "runtime/train/session/session_internal.h"
#include "tests/support/files.h"
#include "tests/support/random_decisions.h"
#include "tests/support/session_topics.h"
#include "tests/support/token_network.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 8, TRIES = 50 };

/* Convolutions with and without padding of their copies, statistics, dropout, a part of which is
 * clipped. */
static const char picture_network[] =
    "name: pictures\n"
    "input: {channels: 1, height: 10, width: 10}\n"
    "classes: 5\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: conv2, type: conv, out: 16, kernel: 3, groups: 2}\n"
    "  - {name: drop1, type: dropout, p: 0.5}\n"
    "  - {name: conv3, type: conv, out: 12, kernel: 1}\n"
    "  - {name: fc1, type: fc, out: 20}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: fc2, type: fc, out: 5}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.02, weight_decay: 0.0005, clip_norm: 5, epochs: 1}\n";

static const struct {
    const char *text;
    bool joint; /* may be trained on several devices */
} networks[] = {{picture_network, true}, {vdnn_token_network, true}, {vdnn_tied_network, false}};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* ---- a case ---------------------------------------------------------------------------------- */

typedef struct outcome {
    double losses[STEPS];
    char *image; /* of what is kept */
    size_t bytes;
} outcome;

static vdnn_session_options draw_options(const char *device, const char *folder, vdnn_test_rng *rng)
{
    static char model[512], profile[512];
    static const char *const cards[] = {"f32", "bf16", "tf32"}, *const hosts[] = {"f32", "bf16"},
                             *const optimizers[] = {"sgd", "nesterov", "adam", "adamw", "adagrad"};
    const bool is_card = strcmp(device, "cuda") == 0;
    const int64_t network = vdnn_test_between(rng, 0, NETWORKS - 1);
    (void)snprintf(model, sizeof model, "%s/net.yaml", folder);
    (void)snprintf(profile, sizeof profile, "%s/profile", folder);
    vdnn_test_write_file(model, networks[network].text, strlen(networks[network].text));
    (void)remove(profile);
    vdnn_session_options options = {
        .size = sizeof options,
        .model = model,
        .device = device,
        .profile = profile,
        .policy = "base",
        .machine = vdnn_test_topic(machine, .disk = folder, .disk_mem = "64MiB"),
        .threads = 1,
        .steps = STEPS,
        .seed = 7};
    options.dtype =
        is_card ? cards[vdnn_test_between(rng, 0, 2)] : hosts[vdnn_test_between(rng, 0, 1)];
    options.optimizer = optimizers[vdnn_test_between(rng, 0, 4)];
    options.accumulate = vdnn_test_between(rng, 1, 2);
    if (networks[network].joint && vdnn_test_between(rng, 0, 2) == 0) {
        options.devices = 2;
        vdnn_test_edit(&options, machine)->shard =
            vdnn_test_between(rng, 0, 1) == 0 ? "none" : "optimizer";
    }
    return options;
}

static vdnn_session *begin(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    return session;
}

static void step(vdnn_session *session, outcome *out)
{
    vdnn_sample sample = {.size = sizeof sample};
    const int64_t number = vdnn_session_step_number(session);
    assert_ok(vdnn_session_step(session, &sample));
    out->losses[number] = sample.loss;
}

/* Of the first device. */
static void finish(vdnn_session *session, outcome *out)
{
    const vdnn_plan *plan = session->plans.training;
    out->bytes = vdnn_kept_bytes(plan, 0);
    out->image = vdnn_heap_calloc(out->bytes, 1);
    assert_non_null(out->image);
    assert_ok(vdnn_kept_read(plan, session->setup.device, 0, out->image));
    vdnn_session_destroy(session);
}

/* ---- other plans ----------------------------------------------------------------------------- */

/* The algorithms of the plan before: others have other last bits. */
static void keep_algorithms(const vdnn_session *session, vdnn_decisions *decisions)
{
    const vdnn_plan *plan = session->plans.training;
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (plan->algorithms[l][p] != NULL)
                decisions->choice[l][p] = vdnn_profile_find(session->setup.profile, l, (vdnn_pass)p,
                                                            plan->algorithms[l][p]->name);
}

static bool may_run(const vdnn_session *session, const vdnn_plan *plan)
{
    const int32_t devices = plan->graph->devices;
    const vdnn_plan *all[] = {plan, plan};
    return vdnn_plan_fits(plan, session->setup.budget_bytes) &&
           (devices == 1 || vdnn_checker_check_devices(all, devices) == VDNN_OK);
}

/* NULL: what was drawn cannot be planned, or does not fit. */
static vdnn_plan *draw_plan(const vdnn_session *session, vdnn_test_rng *rng)
{
    const vdnn_setup *setup = &session->setup;
    vdnn_decisions decisions;
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_random_decisions(setup->graph, setup->profile, rng, &decisions));
    decisions.copies = setup->properties.copies_weights && vdnn_test_between(rng, 0, 1) == 0
                           ? VDNN_WEIGHTS_KEPT
                           : VDNN_WEIGHTS_CONVERTED;
    keep_algorithms(session, &decisions);
    (void)vdnn_planner_plan(setup->graph, setup->profile, &decisions, &plan);
    vdnn_decisions_fini(&decisions);
    if (plan == NULL || may_run(session, plan))
        return plan;
    vdnn_plan_destroy(plan);
    return NULL;
}

static void change(vdnn_session *session, vdnn_test_rng *rng)
{
    vdnn_fit_plans plans = {.training = NULL};
    for (int i = 0; plans.training == NULL && i < TRIES; i++)
        plans.training = draw_plan(session, rng);
    assert_non_null(plans.training);
    memcpy(plans.span_bytes, plans.training->span_bytes, sizeof plans.span_bytes);
    assert_ok(vdnn_peers_change_plan(session->peers, &session->run, &plans));
    vdnn_fit_plans_fini(&session->plans);
    session->plans = plans;
}

/* ---- trainings ------------------------------------------------------------------------------- */

static void expect_same(const outcome *changed, const outcome *steady)
{
    for (int s = 0; s < STEPS; s++)
        assert_true(changed->losses[s] == steady->losses[s]);
    assert_int_equal(changed->bytes, steady->bytes);
    assert_memory_equal(changed->image, steady->image, steady->bytes);
}

/* How often the plan changed. */
static int compare_one(const char *device, const char *folder, uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    outcome steady, changed;
    int changes = 0;
    const vdnn_session_options options = draw_options(device, folder, &rng);
    vdnn_session *session = begin(&options);
    for (int s = 0; s < STEPS; s++)
        step(session, &steady);
    finish(session, &steady);
    session = begin(&options);
    for (int s = 0; s < STEPS; s++) {
        if (s > 0 && vdnn_test_between(&rng, 0, 3) > 0) {
            change(session, &rng);
            changes++;
        }
        step(session, &changed);
    }
    finish(session, &changed);
    expect_same(&changed, &steady);
    vdnn_heap_free(changed.image);
    vdnn_heap_free(steady.image);
    return changes;
}

int vdnn_test_change_plans(const char *device, const char *folder, int changes)
{
    int made = 0;
    for (uint64_t seed = vdnn_test_seed(); made < changes; seed++) {
        print_message("seed %llu, %d changes so far\n", (unsigned long long)seed, made);
        made += compare_one(device, folder, seed);
    }
    return made;
}
