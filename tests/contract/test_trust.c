/* What a training trusts: that values are finite, that a step computes the same bits twice, and
 * that all devices have the same weights. */

#include "runtime/base/heap.h"
#include "runtime/train/kept.h"
#include "runtime/train/session/session_internal.h"
#include "tests/support/faulty_device.h"
#include "tests/support/files.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"
#include "tests/support/small_network.h"
#include "tests/support/token_network.h"
#include "tests/support/vdnn_test.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 6, PATH_BYTES = 512 };

static const char *path_in(const char *folder, const char *name, char path[PATH_BYTES])
{
    (void)snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

static vdnn_session_options options_for(const char *folder)
{
    static char model[PATH_BYTES], profile[PATH_BYTES];
    path_in(folder, "net.yaml", model);
    vdnn_test_write_file(model, vdnn_small_network, sizeof vdnn_small_network - 1);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device = "cpu",
                                  .profile = path_in(folder, "profile", profile),
                                  .threads = 1,
                                  .steps = STEPS,
                                  .seed = 7};
}

static int logged; /* lines with `awaited` */
static const char *awaited;

static void note_log(void *context, vdnn_log_level level, const char *text)
{
    (void)context, (void)level;
    logged += awaited != NULL && strstr(text, awaited) != NULL;
}

static const vdnn_messages messages = {.size = sizeof messages, .log = note_log};

static vdnn_status run(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    logged = 0;
    vdnn_status status = vdnn_session_create(options, &messages, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    vdnn_session_destroy(session);
    return status;
}

/* ---- values that are not finite -------------------------------------------------------------- */

static bool exists(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    return access(path_in(folder, name, path), F_OK) == 0;
}

static void expect_finite(const vdnn_session *session)
{
    const vdnn_plan *plan = session->plans.training;
    const size_t bytes = vdnn_kept_bytes(plan, 0);
    float *image = vdnn_heap_calloc(bytes, 1);
    assert_non_null(image);
    assert_ok(vdnn_kept_read(plan, session->setup.device, 0, (char *)image));
    for (size_t i = 0; i < bytes / sizeof *image; i++)
        assert_true(isfinite(image[i]));
    vdnn_heap_free(image);
}

/* Steps until one fails, which is VDNN_DIVERGED. */
static void diverge(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    char path[PATH_BYTES];
    vdnn_status status = VDNN_OK;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    for (int s = 0; status == VDNN_OK && s < 40; s++)
        status = vdnn_session_step(session, NULL);
    assert_status(status, VDNN_DIVERGED);
    assert_message("layer '");
    expect_finite(session);
    assert_status(vdnn_session_step(session, NULL), VDNN_DIVERGED);
    (void)snprintf(path, sizeof path, "%s.weights", options->model);
    assert_status(vdnn_session_save(session, path), VDNN_DIVERGED);
    assert_true(access(path, F_OK) != 0);
    vdnn_session_destroy(session);
}

static const struct way {
    const char *policy, *optimizer;
    int64_t devices, accumulate;
    const char *shard, *dtype;
} ways[] = {{"base", "sgd", 1, 1, "none", "f32"},
            {"all", "adam", 1, 1, "none", "f32"},
            {"dyn", "adagrad", 1, 2, "none", "bf16"},
            {"base", "nesterov", 2, 1, "none", "f32"},
            {"all", "adamw", 2, 1, "optimizer", "f32"}};
enum { WAYS = sizeof ways / sizeof *ways };

static vdnn_session_options take_way(vdnn_session_options options, const struct way *way)
{
    options.policy = way->policy;
    options.optimizer = way->optimizer;
    options.devices = way->devices;
    options.accumulate = way->accumulate;
    vdnn_test_edit(&options, machine)->shard = way->shard;
    options.dtype = way->dtype;
    return options;
}

TEST(no_value_that_is_not_finite_becomes_part_of_the_weights)
{
    for (int i = 0; i < WAYS; i++) {
        vdnn_session_options options = take_way(options_for(*state), &ways[i]);
        options.has_lr = true;
        options.lr = 1e38;
        (void)remove(options.profile);
        diverge(&options);
    }
}

TEST(a_training_that_diverges_leaves_the_last_healthy_checkpoint)
{
    char folder[PATH_BYTES];
    vdnn_session_options options = options_for(*state);
    options.checkpoint = path_in(*state, "healthy", folder);
    vdnn_test_edit(&options, output)->checkpoint_every = 2;
    vdnn_test_edit(&options, output)->keep = 1;
    assert_ok(run(&options));
    options.resume = "auto";
    options.lr = 1e30;
    options.steps = 60;
    assert_status(run(&options), VDNN_DIVERGED);
    assert_int_equal(vdnn_status_exit_code(VDNN_DIVERGED), 10);
    assert_message("The checkpoints of earlier steps stay");
    options.lr = 0;
    options.steps = STEPS + 2;
    awaited = "resumes from step";
    assert_ok(run(&options));
    assert_int_equal(logged, 1);
    assert_true(exists(folder, "step-00000006") && exists(folder, "step-00000008"));
}

/* They are said once, training continues, and no file of them is written. */
TEST(what_is_not_finite_is_a_warning_if_asked_for)
{
    char folder[PATH_BYTES], save[PATH_BYTES];
    vdnn_session_options options = options_for(*state);
    options.has_lr = true;
    options.lr = 1e38;
    options.steps = 8;
    vdnn_test_edit(&options, trust)->on_nan = "warn";
    options.checkpoint = path_in(*state, "warned", folder);
    options.save = path_in(*state, "weights", save);
    awaited = "the training continues, as --on-nan warn says";
    assert_status(run(&options), VDNN_DIVERGED);
    assert_true(logged == 1);
    assert_false(exists(*state, "weights"));
    assert_false(exists(folder, "step-00000008"));
    vdnn_test_edit(&options, trust)->on_nan = "never";
    assert_status(run(&options), VDNN_USAGE);
}

/* Its loss is no number, as there is nothing to take the mean of; its gradient is 0. */
TEST(a_batch_of_which_no_label_counts_is_named)
{
    char data[PATH_BYTES], labels[PATH_BYTES], *bytes;
    size_t count;
    vdnn_session_options options = options_for(*state);
    vdnn_test_write_file(options.model, vdnn_position_network, sizeof vdnn_position_network - 1);
    vdnn_test_tokens(*state, 8);
    vdnn_test_read_file(path_in(*state, "labels.npy", labels), &bytes, &count);
    const int64_t ignored = -100;
    for (size_t at = 10 + (size_t)(unsigned char)bytes[8] + 256 * (size_t)(unsigned char)bytes[9];
         at < count; at += sizeof ignored)
        memcpy(bytes + at, &ignored, sizeof ignored);
    vdnn_test_write_file(labels, bytes, count);
    free(bytes);
    (void)remove(options.profile);
    (void)snprintf(data, sizeof data, "npy:%s", (char *)*state);
    options.data = data;
    options.steps = 2;
    assert_status(run(&options), VDNN_BAD_INPUT);
    assert_message("step 1: all labels of the batch are -100, which layer 'loss' ignores");
    vdnn_test_edit(&options, trust)->on_nan = "warn";
    assert_ok(run(&options));
    (void)remove(options.profile);
}

/* ---- replayed steps -------------------------------------------------------------------------- */

static void train_to(vdnn_session_options options, const char *folder, const char *name)
{
    char save[PATH_BYTES];
    options.save = path_in(folder, name, save);
    assert_ok(run(&options));
}

TEST(replayed_steps_change_no_bit)
{
    char one[PATH_BYTES], other[PATH_BYTES];
    for (int i = 0; i < WAYS; i++) {
        vdnn_session_options options = take_way(options_for(*state), &ways[i]);
        (void)remove(options.profile);
        train_to(options, *state, "plain");
        vdnn_test_edit(&options, trust)->replay_every = 1 + i % 3;
        vdnn_test_edit(&options, trust)->check_replicas = 2;
        train_to(options, *state, "replayed");
        vdnn_test_expect_same_file(path_in(*state, "plain", one),
                                   path_in(*state, "replayed", other));
    }
}

/* In the first pass of a step, or the second; its first kernel, or a later one. */
TEST(a_kernel_that_computes_other_bits_is_found_and_named)
{
    for (int i = 0; i < WAYS; i++) {
        vdnn_session_options options = take_way(options_for(*state), &ways[i]);
        vdnn_test_edit(&options, trust)->replay_every = 3;
        options.steps = 3;
        vdnn_test_device_fault fault = {.nth = 0};
        (void)remove(options.profile);
        vdnn_test_device_begin(&fault);
        assert_ok(run(&options));
        const size_t kernels = vdnn_test_device_kernels() / 4; /* of a step: two, and one twice */
        (void)vdnn_test_device_end();
        for (size_t pass = 2; pass < 4; pass++)
            for (size_t at = 0; at < 2; at++) {
                fault.differ_nth = pass * kernels + at * (kernels / 2) + 1;
                vdnn_test_device_begin(&fault);
                assert_status(run(&options), VDNN_MISMATCH);
                assert_message("replay: step 3, layer '");
                (void)vdnn_test_device_end();
            }
    }
}

/* ---- replicas -------------------------------------------------------------------------------- */

enum { RANKS = 2 };

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

/* One bit of the last layer's weights. */
static void change_a_weight(const vdnn_session *session)
{
    const vdnn_plan *plan = session->plans.training;
    vdnn_kept_block block = {.layer = -1}, last = {.layer = -1};
    unsigned char byte;
    while (vdnn_kept_next(plan, 0, &block))
        if (block.slot == VDNN_KEPT_PARAMETERS)
            last = block;
    assert_ok(vdnn_device_read(session->setup.device, &byte, last.tier, last.offset, 1));
    byte ^= 1;
    assert_ok(vdnn_device_write(session->setup.device, last.tier, last.offset, &byte, 1));
}

/* One rank's process: whether it ended as it should. */
static bool run_rank(const vdnn_session_options *options, int64_t changed_after, const char *part)
{
    vdnn_session *session = NULL;
    vdnn_status status = vdnn_session_create(options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_prepare(session);
    if (status == VDNN_OK)
        status = vdnn_session_begin(session);
    for (int64_t s = 0; status == VDNN_OK && s < STEPS; s++) {
        if (s == changed_after && options->process->rank == 1)
            change_a_weight(session);
        status = vdnn_session_step(session, NULL);
    }
    const bool is_right = status == VDNN_MISMATCH && strstr(vdnn_status_message(), part) != NULL;
    if (!is_right)
        (void)fprintf(stderr, "rank %d: %d, %s\n", (int)options->process->rank, (int)status,
                      vdnn_status_message());
    vdnn_session_destroy(session);
    return is_right;
}

/* Each rank's --init is FOLDER/RANK/init. */
static void expect_mismatch(vdnn_session_options options, const char *folder, int64_t changed_after,
                            const char *part)
{
    char address[64], there[PATH_BYTES];
    int listener = listen_at(address), ended;
    pid_t ranks[RANKS];
    vdnn_process_options *process = vdnn_test_edit(&options, process);
    process->ranks = process->local_ranks = RANKS;
    process->address = address;
    process->secret = "of a test";
    for (int r = 0; r < RANKS; r++) {
        process->rank = process->local_rank = r;
        process->listener = r == 0 ? listener : 0;
        ranks[r] = fork();
        if (ranks[r] == 0)
            _exit(chdir(path_in(folder, r == 0 ? "0" : "1", there)) == 0 &&
                          run_rank(&options, changed_after, part)
                      ? 0
                      : 1);
        assert_true(ranks[r] > 0);
    }
    (void)close(listener);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(waitpid(ranks[r], &ended, 0), ranks[r]);
        assert_int_equal(ended, 0);
    }
}

static void make_folder(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    assert_int_equal(mkdir(path_in(folder, name, path), 0777), 0);
}

TEST(ranks_with_other_weights_end_at_once_and_name_the_layer)
{
    char save[PATH_BYTES];
    vdnn_session_options options = options_for(*state);
    for (int r = 0; r < RANKS; r++) {
        make_folder(*state, r == 0 ? "0" : "1");
        options.steps = 1;
        options.seed = (uint64_t)r + 1;
        options.save = path_in(*state, r == 0 ? "0/init" : "1/init", save);
        assert_ok(run(&options));
    }
    options = options_for(*state);
    options.init = "init";
    expect_mismatch(options, *state, STEPS,
                    "at the start rank 1 has other weights or optimizer state than rank 0, in "
                    "layer 'conv1'");
    options.init = NULL;
    vdnn_test_edit(&options, trust)->check_replicas = 2;
    expect_mismatch(options, *state, 3, "after step 4 rank 1 has other weights");
}

int main(void)
{
    return vdnn_test_main(vdnn_test_make_folder, vdnn_test_remove_folder);
}
