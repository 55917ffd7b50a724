/* Runs whose copies take far longer than was measured: the plan is made anew, and no bit changes.
 */

#include "runtime/device/device_backend.h"
#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Maps of 1 MiB that take a millisecond to compute, and less to copy. */
static const char network[] = "name: chain\n"
                              "input: {channels: 3, height: 32, width: 32}\n"
                              "classes: 3\n"
                              "batch: 8\n"
                              "layers:\n"
                              "  - repeat: {count: 6, layers: [{name: \"conv{i}\", type: conv, "
                              "out: 32, kernel: 3, pad: 1}]}\n"
                              "  - {name: pool, type: global_avgpool}\n"
                              "  - {name: fc, type: fc, out: 3}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.01, momentum: 0.9}\n";

/* So many shapes that measuring all their algorithms takes more than a first look. */
static const char shapes[] = "name: shapes\n"
                             "input: {channels: 3, height: 32, width: 32}\n"
                             "classes: 3\n"
                             "batch: 8\n"
                             "layers:\n"
                             "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
                             "  - {name: conv2, type: conv, out: 20, kernel: 3, pad: 1}\n"
                             "  - {name: conv3, type: conv, out: 24, kernel: 3, pad: 1}\n"
                             "  - {name: conv4, type: conv, out: 28, kernel: 3, pad: 1}\n"
                             "  - {name: conv5, type: conv, out: 32, kernel: 3, pad: 1}\n"
                             "  - {name: conv6, type: conv, out: 36, kernel: 3, pad: 1}\n"
                             "  - {name: conv7, type: conv, out: 40, kernel: 3, pad: 1}\n"
                             "  - {name: conv8, type: conv, out: 44, kernel: 3, pad: 1}\n"
                             "  - {name: pool, type: global_avgpool}\n"
                             "  - {name: fc, type: fc, out: 3}\n"
                             "  - {name: loss, type: softmax_loss}\n"
                             "training: {lr: 0.0001, momentum: 0.9}\n";

/* The one that runs train. */
static const char *trained = network;

enum { STEPS = 14 };

/* ---- a device whose copies are slow once a training has begun ----------------------------------
 */

/* Of a copy, and of base's step: so that every plan offloads, and then, however slow the machine
 * computes, none. */
static const double quick_seconds = 1e-6, slow_steps = 2;

enum { EVENTS = 4096, PLACES = 8 };

static struct {
    bool slows;          /* wanted */
    double slow_seconds; /* of a copy */
    atomic_bool is_slow; /* from the first batch that is staged on */
    double measured;     /* the time of compute until then, of what it takes */
    atomic_bool has_begun;
    atomic_bool copies[PLACES][EVENTS];
} slowness;

static vdnn_status note_stage(void *state, size_t bytes, void **block)
{
    atomic_store(&slowness.is_slow, slowness.slows);
    atomic_store(&slowness.has_begun, true);
    return vdnn_device_cpu.stage(state, bytes, block);
}

static bool is_offload(const vdnn_device_work *work)
{
    return work->run == NULL && work->from_end < VDNN_TIER_COUNT && work->to_end < VDNN_TIER_COUNT;
}

static vdnn_status note_enqueue(void *state, const vdnn_device_work *work)
{
    assert_true(work->event < EVENTS && work->place < PLACES);
    atomic_store(&slowness.copies[work->place][work->event], is_offload(work));
    return vdnn_device_cpu.enqueue(state, work);
}

static void read_times(const void *state, int place, int32_t event, double *start, double *end)
{
    vdnn_device_cpu.times(state, place, event, start, end);
    if (atomic_load(&slowness.copies[place][event]))
        *end = *start + (atomic_load(&slowness.is_slow) ? slowness.slow_seconds : quick_seconds);
    else if (!atomic_load(&slowness.has_begun))
        *end = *start + (*end - *start) * slowness.measured;
}

static int set_up(void **state)
{
    slowness.measured = 1;
    static vdnn_device_backend backend;
    backend = vdnn_device_cpu;
    backend.stage = note_stage;
    backend.enqueue = note_enqueue;
    backend.times = read_times;
    vdnn_device_replace(&backend);
    return vdnn_test_make_folder(state);
}

static int tear_down(void **state)
{
    vdnn_device_replace(NULL);
    return vdnn_test_remove_folder(state);
}

/* ---- runs -------------------------------------------------------------------------------------
 */

static int told_anew, told_fixed;

static void note_log(void *context, vdnn_log_level level, const char *text)
{
    (void)context, (void)level;
    told_anew += strstr(text, "planned again after step") != NULL;
    told_fixed += strstr(text, "the plan stays, as --profile fixes it") != NULL;
}

static const vdnn_messages messages = {.size = sizeof messages, .log = note_log};

enum { PATH_BYTES = 512 };

/* FOLDER/NAME, for longer than vdnn_test_path has it. */
static const char *path_in(const char *folder, const char *name, char path[PATH_BYTES])
{
    (void)snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

static vdnn_session_options options_for(const char *folder, const char *policy)
{
    static char path[PATH_BYTES];
    const char *model = path_in(folder, "net.yaml", path);
    vdnn_test_write_file(model, trained, strlen(trained));
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device = "cpu",
                                  .threads = 1,
                                  .policy = policy,
                                  .planning = vdnn_test_topic(planning, .plan_trials = 3000),
                                  .steps = STEPS,
                                  .seed = 7};
}

/* Its JSON, which is also FOLDER/`name`. */
static json_t *run(const vdnn_session_options *options, bool slows, const char *folder,
                   const char *name)
{
    vdnn_session *session = NULL;
    vdnn_text text = {0};
    slowness.slows = slows;
    atomic_store(&slowness.is_slow, false);
    atomic_store(&slowness.has_begun, false);
    told_anew = told_fixed = 0;
    assert_ok(vdnn_session_create(options, &messages, &session));
    assert_ok(vdnn_session_run(session));
    assert_ok(vdnn_session_json(session, &text));
    vdnn_session_destroy(session);
    vdnn_test_write_file(vdnn_test_path(folder, name), text.data, text.length);
    vdnn_text_fini(&text);
    return vdnn_test_json(vdnn_test_path(folder, name));
}

/* Of a run in this share of base's arena, with base's algorithms without workspace: there is room
 * for other plans with the same ones. */
static vdnn_session_options options_within(const char *folder, int percent, int64_t devices)
{
    static char budget[32], algos[PATH_BYTES];
    vdnn_session_options options = options_for(folder, "base");
    options.algo = "m";
    options.devices = devices;
    options.dry_run = true;
    json_t *base = run(&options, false, folder, "base.json");
    json_t *plan = vdnn_test_object_at(base, "plan");
    (void)snprintf(budget, sizeof budget, "%lld",
                   (long long)(vdnn_test_number_at(plan, "arena_bytes") * percent / 100));
    slowness.slow_seconds = slow_steps * vdnn_test_number_at(plan, "step_seconds");
    json_decref(base);
    options = options_for(folder, "opt");
    options.devices = devices;
    options.device_mem = budget;
    vdnn_test_edit(&options, planning)->algos = path_in(folder, "base.json", algos);
    return options;
}

static json_t *replans_of(json_t *root)
{
    return json_object_get(vdnn_test_object_at(root, "measured"), "replans");
}

/* The first that changed the plan: before it, a busy machine may have been slow on its own account,
 * against which there is no other plan. How many did. */
static json_t *first_change(json_t *root, int *changed)
{
    json_t *replans = replans_of(root), *replan, *first = NULL;
    size_t i;
    *changed = 0;
    json_array_foreach(replans, i, replan)
    {
        if (!json_is_true(json_object_get(replan, "changed")))
            continue;
        first = *changed == 0 ? replan : first;
        ++*changed;
    }
    assert_non_null(first);
    return first;
}

static void check_replans(json_t *root, const char *budget)
{
    int changed;
    json_t *first = first_change(root, &changed), *plan = vdnn_test_object_at(root, "plan"),
           *measured = vdnn_test_object_at(root, "measured");
    assert_int_equal(told_anew, changed);
    assert_true(json_array_size(replans_of(root)) <= 3);
    assert_true(vdnn_test_number_at(first, "step") >= 5);
    double seconds = vdnn_test_number_at(first, "measured_seconds");
    assert_true(seconds > 1.1 * vdnn_test_number_at(first, "planned_seconds"));
    assert_true(seconds > vdnn_test_number_at(first, "new_planned_seconds"));
    assert_true(vdnn_test_number_at(measured, "device_arena_bytes") <= strtod(budget, NULL));
    assert_true(vdnn_test_number_at(measured, "offload_bytes") ==
                vdnn_test_number_at(plan, "offload_bytes"));
}

/* Slow, and then as quick as it is, with the same algorithms and without a plan that is made anew:
 * their JSON. Saved are FOLDER/slow and FOLDER/quick. */
typedef struct pair {
    json_t *slow, *quick;
} pair;

static pair run_both(const vdnn_session_options *options, const char *folder)
{
    char save[2][PATH_BYTES], profile[PATH_BYTES];
    vdnn_session_options slow = *options, quick = *options;
    pair both;
    slow.save = path_in(folder, "slow", save[0]);
    both.slow = run(&slow, true, folder, "slow.json");
    check_replans(both.slow, options->device_mem);
    quick.save = path_in(folder, "quick", save[1]);
    quick.profile = path_in(folder, "profile", profile);
    both.quick = run(&quick, false, folder, "quick.json");
    assert_int_equal(json_array_size(replans_of(both.quick)), 0);
    vdnn_test_expect_same_file(slow.save, quick.save);
    assert_true(
        json_equal(json_object_get(both.slow, "losses"), json_object_get(both.quick, "losses")));
    return both;
}

static void pair_fini(const pair *both)
{
    json_decref(both->slow);
    json_decref(both->quick);
}

static double planned_offload(json_t *root)
{
    return vdnn_test_number_at(vdnn_test_object_at(root, "plan"), "offload_bytes");
}

TEST_WITH(slow_copies_are_planned_anew_and_change_no_bit, set_up, tear_down)
{
    const vdnn_session_options options = options_within(*state, 60, 1);
    const pair both = run_both(&options, *state);
    assert_true(planned_offload(both.slow) < planned_offload(both.quick));
    pair_fini(&both);
}

TEST_WITH(all_devices_change_their_plan_behind_one_step, set_up, tear_down)
{
    const vdnn_session_options options = options_within(*state, 60, 2);
    const pair both = run_both(&options, *state);
    json_t *devices = json_object_get(both.slow, "per_device"), *device;
    size_t d;
    assert_int_equal(json_array_size(devices), 2);
    json_array_foreach(devices, d, device)
    {
        assert_true(vdnn_test_number_at(device, "offload_bytes") == planned_offload(both.slow));
        assert_true(vdnn_test_number_at(vdnn_test_object_at(device, "measured"), "offload_bytes") ==
                    planned_offload(both.slow));
    }
    pair_fini(&both);
}

/* By the times of a first look, and by those of the steps, which are shorter. */
TEST_WITH(a_plan_by_a_first_look_is_compared_once_and_changes_no_bit, set_up, tear_down)
{
    char save[2][PATH_BYTES], profile[PATH_BYTES];
    trained = shapes;
    slowness.measured = 20;
    vdnn_session_options looked = options_within(*state, 60, 1), whole = looked;
    looked.save = path_in(*state, "looked", save[0]);
    whole.save = path_in(*state, "whole", save[1]);
    whole.profile = path_in(*state, "profile", profile);
    json_t *first = run(&looked, false, *state, "looked.json"),
           *second = run(&whole, false, *state, "whole.json");
    trained = network;
    json_t *replan = json_array_get(replans_of(first), 0);
    assert_non_null(replan);
    assert_true(vdnn_test_number_at(replan, "measured_seconds") <
                vdnn_test_number_at(replan, "planned_seconds"));
    assert_int_equal(json_array_size(replans_of(second)), 0);
    vdnn_test_expect_same_file(looked.save, whole.save);
    json_decref(first);
    json_decref(second);
}

/* ---- processes --------------------------------------------------------------------------------
 */

enum { RANKS = 2 };

/* A non-blocking socket that listens; its address. */
static int listen_at(char address[64])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_true(listener >= 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, RANKS), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &length), 0);
    (void)snprintf(address, 64, "127.0.0.1:%d", (int)ntohs(at.sin_port));
    return listener;
}

/* One rank's process: its exit status. */
static int run_rank(const vdnn_session_options *options, const char *json)
{
    vdnn_session *session = NULL;
    vdnn_text text = {0};
    vdnn_status status = vdnn_session_create(options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    if (status == VDNN_OK && options->process->rank == 0)
        status = vdnn_session_json(session, &text);
    if (status != VDNN_OK)
        (void)fprintf(stderr, "rank %d: %s\n", (int)options->process->rank, vdnn_status_message());
    if (status == VDNN_OK && options->process->rank == 0)
        vdnn_test_write_file(json, text.data, text.length);
    vdnn_session_destroy(session);
    vdnn_text_fini(&text);
    return (int)status;
}

static json_t *run_ranks(const vdnn_session_options *options, bool slows, const char *json)
{
    char address[64];
    int listener = listen_at(address), ended;
    pid_t ranks[RANKS];
    slowness.slows = slows;
    for (int r = 0; r < RANKS; r++) {
        vdnn_session_options own = *options;
        vdnn_process_options *process = vdnn_test_edit(&own, process);
        process->ranks = process->local_ranks = RANKS;
        process->rank = process->local_rank = r;
        process->address = address;
        process->secret = "of a test";
        process->listener = r == 0 ? listener : 0;
        ranks[r] = fork();
        if (ranks[r] == 0)
            _exit(run_rank(&own, json));
        assert_true(ranks[r] > 0);
    }
    (void)close(listener);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(waitpid(ranks[r], &ended, 0), ranks[r]);
        assert_int_equal(ended, 0);
    }
    return vdnn_test_json(json);
}

TEST_WITH(all_processes_change_their_plan_behind_one_step, set_up, tear_down)
{
    char save[2][PATH_BYTES], json[PATH_BYTES], profile[PATH_BYTES];
    vdnn_session_options options = options_within(*state, 60, RANKS);
    int changed;
    options.save = path_in(*state, "slow", save[0]);
    json_t *slow = run_ranks(&options, true, path_in(*state, "slow.json", json));
    (void)first_change(slow, &changed);
    assert_true(vdnn_test_number_at(vdnn_test_object_at(slow, "measured"), "offload_bytes") ==
                planned_offload(slow));
    options.save = path_in(*state, "quick", save[1]);
    options.profile = path_in(*state, "profile", profile);
    json_t *quick = run_ranks(&options, false, path_in(*state, "quick.json", json));
    assert_int_equal(json_array_size(replans_of(quick)), 0);
    assert_true(planned_offload(slow) < planned_offload(quick));
    vdnn_test_expect_same_file(save[0], save[1]);
    json_decref(slow);
    json_decref(quick);
}

/* Checkpoints between two plans, and behind both. */
TEST_WITH(a_run_resumes_from_a_plan_made_anew, set_up, tear_down)
{
    int changed;
    char checkpoint[PATH_BYTES], profile[PATH_BYTES], save[2][PATH_BYTES];
    vdnn_session_options options = options_within(*state, 60, 1);
    options.checkpoint = path_in(*state, "run", checkpoint);
    vdnn_test_edit(&options, output)->checkpoint_every = 4;
    json_t *slow = run(&options, true, *state, "slow.json");
    (void)first_change(slow, &changed);
    assert_int_equal(told_anew, changed);
    json_decref(slow);
    options.steps = STEPS + 4;
    options.resume = "auto";
    options.save = path_in(*state, "resumed", save[0]);
    json_decref(run(&options, false, *state, "resumed.json"));

    vdnn_session_options straight = options;
    straight.checkpoint = straight.resume = NULL;
    straight.profile = path_in(*state, "profile", profile);
    straight.save = path_in(*state, "straight", save[1]);
    json_decref(run(&straight, false, *state, "straight.json"));
    vdnn_test_expect_same_file(options.save, straight.save);
}

/* Its choices are the same each time; the file is as it was. */
TEST_WITH(with_a_profile_the_plan_stays, set_up, tear_down)
{
    char profile[PATH_BYTES];
    vdnn_session_options options = options_within(*state, 60, 1), alone;
    options.profile = path_in(*state, "profile", profile);
    alone = options;
    alone.dry_run = true;
    json_t *planned = run(&alone, false, *state, "planned.json");
    char *before, *after;
    size_t length, later;
    vdnn_test_read_file(profile, &before, &length);
    json_t *slow = run(&options, true, *state, "slow.json");
    vdnn_test_read_file(profile, &after, &later);
    assert_true(length == later && memcmp(before, after, length) == 0);
    assert_int_equal(json_array_size(replans_of(slow)), 0);
    assert_int_equal(told_fixed, 1);
    assert_int_equal(told_anew, 0);
    assert_true(planned_offload(slow) == planned_offload(planned));
    free(before);
    free(after);
    json_decref(planned);
    json_decref(slow);
}
