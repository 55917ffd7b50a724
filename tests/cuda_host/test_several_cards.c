/* One training on several cards of a process, over the emulation of CUDA: gradients are summed by
 * NCCL on streams of the cards. The emulation adds in the order of the ranks, so bits can be
 * compared; on cards NCCL has an order of its own. */

#include "runtime/vdnn.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/files.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CARDS = 3, STEPS = 3, FAULT = 2 };

static const char network[] = "name: small\n"
                              "input: {channels: 2, height: 8, width: 8}\n"
                              "classes: 4\n"
                              "batch: 7\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: conv2, type: conv, out: 6, kernel: 3, pad: 1}\n"
                              "  - {name: pool, type: maxpool, kernel: 2}\n"
                              "  - {name: fc, type: fc, out: 4}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.05, momentum: 0.9}\n";

static const char normalizing[] = "name: normalizing\n"
                                  "input: {channels: 2, height: 8, width: 8}\n"
                                  "classes: 4\n"
                                  "batch: 6\n"
                                  "layers:\n"
                                  "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
                                  "  - {name: norm1, type: batchnorm, sync: true}\n"
                                  "  - {name: fc, type: fc, out: 4}\n"
                                  "  - {name: loss, type: softmax_loss}\n";

static int make_network(void **state)
{
    vdnn_cuda_host_reset();
    if (vdnn_test_make_folder(state) != 0 || !vdnn_cuda_host_set("devices", CARDS))
        return -1;
    vdnn_test_write_below(*state, "small.yaml", network);
    vdnn_test_write_below(*state, "normalizing.yaml", normalizing);
    return 0;
}

/* The profile is common, so that all runs choose the same algorithms. */
static vdnn_session_options options_for(const char *folder, int64_t devices)
{
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = vdnn_test_path(folder, "small.yaml"),
                                  .device = "cuda",
                                  .profile = vdnn_test_path(folder, "profile"),
                                  .devices = devices,
                                  .policy = "base",
                                  .steps = STEPS,
                                  .seed = 7};
}

/* *loss: of the last step; the record to `json`, if that is not NULL. */
static vdnn_status train_to(const vdnn_session_options *options, const char *json, double *loss)
{
    vdnn_session *session = NULL;
    vdnn_text text = {0};
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_status status = vdnn_session_create(options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_prepare(session);
    if (status == VDNN_OK)
        status = vdnn_session_begin(session);
    for (int i = 0; i < STEPS && status == VDNN_OK; i++)
        status = vdnn_session_step(session, &sample);
    if (status == VDNN_OK && options->save != NULL)
        status = vdnn_session_save(session, options->save);
    if (status == VDNN_OK && json != NULL)
        status = vdnn_session_json(session, &text);
    if (status == VDNN_OK && json != NULL)
        vdnn_test_write_file(json, text.data, text.length);
    *loss = sample.loss;
    vdnn_text_fini(&text);
    vdnn_session_destroy(session);
    return status;
}

static vdnn_status train(const vdnn_session_options *options, double *loss)
{
    return train_to(options, NULL, loss);
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* By the algorithms of the first run. */
static void expect_same_bits(const char *folder, int64_t devices, const char *optimizer)
{
    static const struct {
        const char *policy, *reduce, *shard;
    } rows[] = {{"all", "ring", "none"},
                {"dyn", "gather", "none"},
                {"conv", "gather", "none"},
                {"all", "ring", "optimizer"},
                {"opt", "ring", "optimizer"}};
    char first[256], other[256], record[256];
    double loss;
    vdnn_session_options options = options_for(folder, devices);
    (void)snprintf(first, sizeof first, "%s/first", folder);
    (void)snprintf(other, sizeof other, "%s/other", folder);
    (void)snprintf(record, sizeof record, "%s/record.json", folder);
    options.optimizer = optimizer;
    options.save = first;
    assert_ok(train_to(&options, record, &loss));
    options.save = other;
    vdnn_test_edit(&options, planning)->algos = record;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        options.policy = rows[r].policy;
        vdnn_test_edit(&options, machine)->reduce = rows[r].reduce;
        vdnn_test_edit(&options, machine)->shard = rows[r].shard;
        assert_ok(train(&options, &loss));
        vdnn_test_expect_same_file(first, other);
        assert_int_equal(vdnn_cuda_host_live(), 0);
    }
}

TEST(neither_policy_nor_scheme_changes_a_bit)
{
    static const char *const optimizers[] = {NULL, "adam"};
    for (int64_t devices = 2; devices <= CARDS; devices++)
        for (size_t o = 0; o < sizeof optimizers / sizeof *optimizers; o++)
            expect_same_bits(*state, devices, optimizers[o]);
    assert_true(vdnn_cuda_host_calls("ncclAllReduce") > 0);
    assert_true(vdnn_cuda_host_calls("ncclBroadcast") > 0);
}

TEST(several_cards_learn_what_one_does)
{
    double alone;
    vdnn_session_options options = options_for(*state, 1);
    assert_ok(train(&options, &alone));
    for (options.devices = 2; options.devices <= CARDS; options.devices++) {
        double loss;
        assert_ok(train(&options, &loss));
        print_message("%d cards: loss %.7f, of one %.7f\n", (int)options.devices, loss, alone);
        assert_true(fabs(loss - alone) < 1e-5);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static bool ends_well(const vdnn_session_options *options, const char *call, int nth)
{
    double loss;
    vdnn_cuda_host_fail(call, nth, FAULT);
    vdnn_status status = train(options, &loss);
    const bool happened = vdnn_cuda_host_calls(call) >= nth;
    vdnn_cuda_host_fail(call, 0, 0);
    if (happened)
        assert_int_equal(status, VDNN_DEVICE);
    else
        assert_int_equal(status, VDNN_OK);
    assert_int_equal(vdnn_cuda_host_live(), 0);
    return happened;
}

/* What is made fewer times is tried at each, the others at the first ones and a few of the rest. */
TEST(every_call_that_fails_ends_the_training_on_all_cards)
{
    static const char *const calls[] = {"ncclGetUniqueId", "ncclCommInitRank", "ncclAllReduce",
                                        "ncclGroupStart",  "ncclReduce",       "ncclBroadcast",
                                        "ncclGroupEnd"};
    double loss;
    int faults = 0;
    vdnn_session_options options = options_for(*state, 2);
    assert_ok(train(&options, &loss)); /* and the profile is there */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        vdnn_test_edit(&options, machine)->reduce = i < 3 ? "ring" : "gather";
        for (int nth = 1; ends_well(&options, calls[i], nth); nth += nth < 4 ? 1 : 7)
            faults++;
    }
    print_message("%d calls\n", faults);
    assert_true(faults > 20);
}

TEST(a_kernel_that_fails_on_one_card_ends_the_others)
{
    double loss;
    const vdnn_session_options options = options_for(*state, 2);
    assert_ok(train(&options, &loss));
    vdnn_cuda_host_fail("kernel", 5, cudaErrorIllegalAddress);
    assert_int_equal(train(&options, &loss), VDNN_DEVICE);
    vdnn_cuda_host_reset();
    assert_true(vdnn_cuda_host_set("devices", CARDS));
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void expect_refusal(const vdnn_session_options *options, vdnn_status status,
                           const char *message)
{
    double loss;
    assert_status(train(options, &loss), status);
    assert_message(message);
    assert_int_equal(vdnn_cuda_host_live(), 0);
}

TEST(what_cards_cannot_do_together_is_refused)
{
    vdnn_session_options options = options_for(*state, CARDS + 1);
    expect_refusal(&options, VDNN_DEVICE,
                   "--devices: 4 are needed, but from --device cuda on there are 3");
    options.devices = 2;
    options.device = "cuda:2";
    expect_refusal(&options, VDNN_DEVICE, "from --device cuda:2 on there is 1");
    options.device = "cuda:1";
    vdnn_test_edit(&options, machine)->reduce = "host";
    expect_refusal(&options, VDNN_USAGE, "--reduce host");
    vdnn_test_edit(&options, machine)->reduce = NULL;
    options.model = vdnn_test_path(*state, "normalizing.yaml");
    expect_refusal(&options, VDNN_USAGE, "layer 'norm1', sync: true");
}

/* Without a list of devices the study is of those that are there. */
TEST(a_study_runs_on_as_many_cards_as_there_are)
{
    vdnn_test_run run;
    assert_int_equal(setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 1), 0);
    vdnn_test_program(&run, *state,
                      "VDNN_CUDA_HOST=devices=2 vdnnscale --model @/small.yaml --device cuda");
    vdnn_test_expect(&run, 0, "2 devices, batch 7");
    assert_null(strstr(run.err, "4 devices"));
    vdnn_test_run_free(&run);
    vdnn_test_run_to(*state, 5, "4 are needed, but from --device cuda on there are 2",
                     "VDNN_CUDA_HOST=devices=2 vdnnscale --model @/small.yaml --device cuda "
                     "--devices 1,4");
    vdnn_test_run_to(*state, 0, "images/s",
                     "VDNN_CUDA_HOST=devices=2 vdnnrun --model @/small.yaml --device cuda "
                     "--devices 2 --steps 2 --trace @/trace.json --json @/run.json");
    if (access("/usr/bin/python3", X_OK) == 0)
        vdnn_test_run_to(*state, 0, "",
                         "/usr/bin/python3 tools/check_trace.py @/trace.json=@/run.json");
}

TEST(a_training_on_the_last_two_cards_is_that_on_the_first_two)
{
    double first, last;
    vdnn_session_options options = options_for(*state, 2);
    assert_ok(train(&options, &first));
    options.device = "cuda:1";
    assert_ok(train(&options, &last));
    assert_memory_equal(&first, &last, sizeof first);
}

int main(void)
{
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
