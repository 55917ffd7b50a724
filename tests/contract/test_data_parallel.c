/* Several devices of one process train one network, each with its share of every batch. */

#include "runtime/vdnn.h"
#include "tests/support/faulty_device.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No layer couples samples; dropout's numbers depend on the position of a sample in the data. */
static const char NETWORK[] =
    "name: shared\n"
    "input: {channels: 1, height: 12, width: 12}\n"
    "classes: 10\n"
    "batch: 7\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: drop3, type: dropout, p: 0.4}\n"
    "  - {name: fc3, type: fc, out: 32}\n"
    "  - {name: relu3, type: relu}\n"
    "  - {name: fc4, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n";

enum { MOST_DEVICES = 4, STEPS = 6, BATCH = 7, IMAGES = 44 };

static int make_folder(void **state)
{
    int error = vdnn_test_make_folder(state);
    if (error == 0) {
        vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), NETWORK, sizeof NETWORK - 1);
        vdnn_test_images(*state, IMAGES);
    }
    return error;
}

static vdnn_session_options options_for(const char *folder, int64_t devices)
{
    static char model[512], data[512], profile[512];
    (void)snprintf(model, sizeof model, "%s/net.yaml", folder);
    (void)snprintf(data, sizeof data, "npy:%s", folder);
    (void)snprintf(profile, sizeof profile, "%s/profile", folder);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device = "cpu",
                                  .device_mem = "64MiB",
                                  .host_mem = "64MiB",
                                  .threads = 1,
                                  .profile = profile,
                                  .policy = "base",
                                  .algo = "m",
                                  .steps = STEPS,
                                  .seed = 5,
                                  .data = data,
                                  .devices = devices};
}

static void run(const vdnn_session_options *options, const char *json_path)
{
    vdnn_session *session = NULL;
    vdnn_text json = {0};
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    assert_ok(vdnn_session_json(session, &json));
    if (json_path != NULL)
        vdnn_test_write_file(json_path, json.data, json.length);
    vdnn_text_fini(&json);
    vdnn_session_destroy(session);
}

/* ---- bits ------------------------------------------------------------------------------------ */

static size_t smallest_budget(vdnn_session_options options)
{
    vdnn_session *session = NULL;
    vdnn_verdict verdict = {.size = sizeof verdict};
    options.dry_run = true;
    options.save = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_verdict(session, &verdict));
    vdnn_session_destroy(session);
    return verdict.smallest_bytes;
}

/* With one byte less it would not fit. */
static void expect_same_bits(vdnn_session_options options, const char *policy, const char *wanted)
{
    char bytes[32];
    options.policy = policy;
    (void)snprintf(bytes, sizeof bytes, "%zu", smallest_budget(options));
    options.device_mem = bytes;
    run(&options, NULL);
    vdnn_test_expect_same_file(options.save, wanted);
}

/* Wherever gradients are summed, and whoever updates: each policy by every scheme on some number of
 * devices. */
TEST_WITH(no_policy_changes_a_bit_on_any_number_of_devices, make_folder, vdnn_test_remove_folder)
{
    static const char *const policies[] = {"all", "conv", "dyn", "opt"};
    static const struct {
        const char *reduce, *shard;
    } schemes[] = {{"ring", "none"}, {"gather", "none"}, {"host", "none"}, {"ring", "optimizer"}};
    char base[512], other[512], algos[512];
    (void)snprintf(base, sizeof base, "%s/base", (char *)*state);
    (void)snprintf(other, sizeof other, "%s/other", (char *)*state);
    (void)snprintf(algos, sizeof algos, "%s/run.json", (char *)*state);
    for (int64_t devices = 1; devices <= MOST_DEVICES; devices++) {
        vdnn_session_options options = options_for(*state, devices);
        options.save = base;
        run(&options, algos);
        options.save = other;
        vdnn_test_edit(&options, planning)->algos = algos;
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
            vdnn_test_edit(&options, machine)->reduce = schemes[(p + (size_t)devices) % 4].reduce;
            vdnn_test_edit(&options, machine)->shard = schemes[(p + (size_t)devices) % 4].shard;
            expect_same_bits(options, policies[p], base);
        }
    }
}

/* In the smallest budget, which is smaller than without shares by what they save. */
TEST_WITH(every_optimizer_updates_by_shares_in_less_memory, make_folder, vdnn_test_remove_folder)
{
    static const char *const optimizers[] = {"sgd", "nesterov", "adam", "adamw", "adagrad"};
    char base[512], other[512], algos[512];
    (void)snprintf(base, sizeof base, "%s/base", (char *)*state);
    (void)snprintf(other, sizeof other, "%s/other", (char *)*state);
    (void)snprintf(algos, sizeof algos, "%s/run.json", (char *)*state);
    for (size_t o = 0; o < sizeof optimizers / sizeof *optimizers; o++) {
        vdnn_session_options options = options_for(*state, 2 + (int64_t)o % (MOST_DEVICES - 1));
        options.optimizer = optimizers[o];
        options.save = base;
        run(&options, algos);
        options.save = other;
        vdnn_test_edit(&options, planning)->algos = algos;
        const size_t whole = smallest_budget(options);
        vdnn_test_edit(&options, machine)->shard = "optimizer";
        assert_true(smallest_budget(options) < whole);
        expect_same_bits(options, o % 2 == 0 ? "all" : "dyn", base);
    }
}

TEST_WITH(one_device_is_what_a_run_without_the_option_is, make_folder, vdnn_test_remove_folder)
{
    char first[512], second[512];
    (void)snprintf(first, sizeof first, "%s/first", (char *)*state);
    (void)snprintf(second, sizeof second, "%s/second", (char *)*state);
    vdnn_session_options options = options_for(*state, 0);
    options.save = first;
    run(&options, NULL);
    options.devices = 1;
    vdnn_test_edit(&options, machine)->shard = "optimizer"; /* its share is all */
    options.save = second;
    run(&options, NULL);
    vdnn_test_expect_same_file(first, second);
}

/* The largest difference of two files of weights of one network. */
static double difference(const char *a, const char *b)
{
    char *bytes[2];
    size_t counts[2];
    uint64_t header;
    double most = 0;
    vdnn_test_read_file(a, &bytes[0], &counts[0]);
    vdnn_test_read_file(b, &bytes[1], &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    memcpy(&header, bytes[0], sizeof header);
    for (size_t at = sizeof header + header; at < counts[0]; at += sizeof(float)) {
        float left, right;
        memcpy(&left, bytes[0] + at, sizeof left);
        memcpy(&right, bytes[1] + at, sizeof right);
        most = fmax(most, fabs((double)left - (double)right));
    }
    free(bytes[0]);
    free(bytes[1]);
    return most;
}

/* Only sums are taken in another order: weights of up to 1 differ in their last bits. */
static void compare_with_one(const char *folder)
{
    static const double bound = 2e-6;
    char one[512], several[512];
    (void)snprintf(one, sizeof one, "%s/one", folder);
    (void)snprintf(several, sizeof several, "%s/several", folder);
    vdnn_session_options options = options_for(folder, 1);
    options.save = one;
    run(&options, NULL);
    for (int64_t devices = 2; devices <= BATCH; devices++) {
        options.devices = devices;
        options.save = several;
        run(&options, NULL);
        double most = difference(one, several);
        print_message("%d devices: weights differ by up to %.2g\n", (int)devices, most);
        assert_true(most < bound);
    }
}

TEST_WITH(several_devices_learn_what_one_does, make_folder, vdnn_test_remove_folder)
{
    compare_with_one(*state);
}

/* The network with a batch norm in front of that layer. */
static void write_normalized(const char *folder, const char *before, const char *keys)
{
    const char *rest = strstr(NETWORK, before);
    vdnn_text text = {0};
    vdnn_text_add(&text, "%.*s  - {name: norm1, type: batchnorm%s}\n%s", (int)(rest - NETWORK),
                  NETWORK, keys, rest);
    vdnn_test_write_file(vdnn_test_path(folder, "net.yaml"), text.data, text.length);
    vdnn_text_fini(&text);
}

TEST_WITH(several_devices_with_joint_statistics_learn_what_one_does, make_folder,
          vdnn_test_remove_folder)
{
    write_normalized(*state, "  - {name: relu1", ", sync: true");
    compare_with_one(*state);
}

/* As many devices as samples, where a sample has one value of each channel. */
TEST_WITH(joint_statistics_may_be_of_one_value_of_each_device, make_folder, vdnn_test_remove_folder)
{
    write_normalized(*state, "  - {name: relu3", ", sync: true");
    compare_with_one(*state);
    write_normalized(*state, "  - {name: relu3", "");
    vdnn_test_run_to(*state, 3, "one value per channel", "vdnnrun --model @/net.yaml --devices 7");
}

TEST_WITH(a_warning_says_which_samples_are_normalized_together, make_folder,
          vdnn_test_remove_folder)
{
    static const struct {
        const char *keys, *words, *part; /* NULL: nothing is said */
    } cases[] = {
        {"", "", NULL},
        {"", "--devices 2", "each device's share of up to 4 samples"},
        {"", "--accumulate 2", "each micro-batch of up to 4 samples"},
        {"", "--devices 2 --accumulate 2", "each device's micro-batch of up to 2 samples"},
        {", sync: true", "--devices 2", NULL},
        {", sync: true", "--accumulate 2", "each micro-batch of up to 4 samples"},
        {", sync: true", "--devices 2 --accumulate 2", "micro-batch of all devices of up to 4 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[160];
        write_normalized(*state, "  - {name: relu1", cases[i].keys);
        (void)snprintf(command, sizeof command,
                       "vdnnrun --model @/net.yaml --device sim:t4 --dry-run %s", cases[i].words);
        if (cases[i].part == NULL)
            vdnn_test_run_without_warnings(*state, command);
        else
            vdnn_test_run_to_warn(*state, cases[i].part, command);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

TEST_WITH(a_record_has_each_device, make_folder, vdnn_test_remove_folder)
{
    enum { DEVICES = 3 };
    vdnn_session_options options = options_for(*state, DEVICES);
    const char *path = vdnn_test_path(*state, "run.json");
    options.policy = "all";
    run(&options, path);
    json_t *root = vdnn_test_json(path), *devices = json_object_get(root, "per_device"), *device;
    json_t *plan = vdnn_test_object_at(root, "plan"),
           *measured = vdnn_test_object_at(root, "measured");
    size_t d;
    assert_int_equal(vdnn_test_integer_at(root, "batch"), BATCH);
    assert_int_equal(vdnn_test_integer_at(root, "devices"), DEVICES);
    assert_int_equal(json_array_size(json_object_get(root, "losses")), STEPS);
    assert_int_equal(json_array_size(devices), DEVICES);
    assert_true(vdnn_test_number_at(measured, "exposed_reduce_seconds") >= 0);
    json_array_foreach(devices, d, device)
    {
        json_t *own = vdnn_test_object_at(device, "measured");
        assert_int_equal(vdnn_test_integer_at(device, "batch"), d == 0 ? 3 : 2);
        assert_true(vdnn_test_integer_at(device, "device_peak_bytes") <=
                    vdnn_test_integer_at(plan, "device_peak_bytes"));
        assert_int_equal(vdnn_test_integer_at(own, "offload_bytes"),
                         vdnn_test_integer_at(device, "offload_bytes"));
        assert_true(vdnn_test_integer_at(own, "device_peak_bytes") <=
                    vdnn_test_integer_at(measured, "device_peak_bytes"));
        assert_true(vdnn_test_number_at(own, "exposed_reduce_seconds") <=
                    vdnn_test_number_at(measured, "exposed_reduce_seconds"));
    }
    json_decref(root);
}

TEST_WITH(a_loss_is_that_of_the_whole_batch, make_folder, vdnn_test_remove_folder)
{
    vdnn_session_options options = options_for(*state, 1);
    double losses[2];
    for (int i = 0; i < 2; i++) {
        vdnn_session *session = NULL;
        vdnn_sample sample = {.size = sizeof sample};
        options.devices = i == 0 ? 1 : 3;
        assert_ok(vdnn_session_create(&options, NULL, &session));
        assert_ok(vdnn_session_prepare(session));
        assert_ok(vdnn_session_begin(session));
        assert_ok(vdnn_session_step(session, &sample));
        losses[i] = sample.loss;
        vdnn_session_destroy(session);
    }
    assert_true(fabs(losses[0] - losses[1]) < 1e-6 * losses[0]);
}

TEST_WITH(a_plan_says_what_is_summed_and_for_how_many, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --device cpu --devices 2 --profile @/p --steps 3 "
                     "--device-mem 400KiB --quiet --trace @/trace.json --shard optimizer");
    char *text;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(*state, "trace.json"), &text, &count);
    assert_non_null(strstr(text, "reduce conv2"));
    assert_non_null(strstr(text, "gather conv2"));
    free(text);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --device cpu --devices 3 --device-mem 400KiB "
                      "--profile @/p --dry-run --explain --shard optimizer");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "shared, batch 7, policy dyn"));
    assert_non_null(strstr(run.out, "each of 3 devices has up to 3 samples"));
    assert_non_null(strstr(run.out, "each updates its share of the parameters, which saves it"));
    vdnn_test_run_free(&run);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

TEST_WITH(a_run_resumes_with_the_bits_of_an_undisturbed_one, make_folder, vdnn_test_remove_folder)
{
    char whole[512], parts[512], folder[512];
    (void)snprintf(whole, sizeof whole, "%s/whole", (char *)*state);
    (void)snprintf(parts, sizeof parts, "%s/parts", (char *)*state);
    (void)snprintf(folder, sizeof folder, "%s/c", (char *)*state);
    vdnn_session_options options = options_for(*state, 3);
    options.save = whole;
    run(&options, NULL);
    options.save = NULL;
    options.checkpoint = folder;
    options.steps = STEPS / 2;
    run(&options, NULL);
    options.steps = STEPS;
    options.resume = "auto";
    options.save = parts;
    run(&options, NULL);
    vdnn_test_expect_same_file(whole, parts);
}

TEST_WITH(a_run_resumes_on_another_number_of_devices_and_says_so, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --data npy:@ --devices 3 --steps 3 --checkpoint "
                     "@/c --profile @/p --quiet");
    vdnn_test_run_to(*state, 0, "devices was 3, is 2 now",
                     "vdnnrun --model @/net.yaml --data npy:@ --devices 2 --steps 6 --checkpoint "
                     "@/c --resume auto --profile @/p");
}

#define SHARED "vdnnrun --model @/net.yaml --data npy:@ --optimizer adam --profile @/p --quiet "

static void expect_same_parts(const char *folder, const char *a, const char *b)
{
    static const char *const parts[] = {"weights", "exp_avg", "exp_avg_sq", "losses"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char one[128], other[128];
        (void)snprintf(one, sizeof one, "%s/step-00000003/%s.safetensors", a, parts[i]);
        (void)snprintf(other, sizeof other, "%s/step-00000003/%s.safetensors", b, parts[i]);
        char *first = strdup(vdnn_test_path(folder, one));
        assert_non_null(first);
        vdnn_test_expect_same_file(first, vdnn_test_path(folder, other));
        free(first);
    }
}

/* So that they are the same files, and a run resumes with shares or without, on any number. */
TEST_WITH(checkpoints_have_all_of_what_devices_have_shares_of, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", SHARED "--devices 3 --steps 6 --save @/a");
    vdnn_test_run_to(*state, 0, "", SHARED "--devices 3 --steps 3 --checkpoint @/c");
    vdnn_test_run_to(*state, 0, "",
                     SHARED "--devices 3 --steps 3 --checkpoint @/d --shard optimizer");
    expect_same_parts(*state, "c", "d");
    vdnn_test_run_to(*state, 0, "", SHARED "--devices 3 --steps 6 --resume @/d --save @/b");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
    vdnn_test_run_to(*state, 0, "",
                     SHARED "--devices 3 --steps 6 --resume @/c --shard optimizer --save @/b");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
    vdnn_test_run_to(*state, 0, "", SHARED "--devices 2 --steps 6 --resume @/d --save @/a");
    vdnn_test_run_to(*state, 0, "",
                     SHARED "--devices 2 --steps 6 --resume @/d --shard optimizer --save @/b");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Whichever device's operation fails, all end. */
TEST_WITH(a_device_that_fails_ends_the_run, make_folder, vdnn_test_remove_folder)
{
    vdnn_session_options options = options_for(*state, 3);
    size_t calls = 0;
    int failed = 0;
    options.policy = "all";
    run(&options, NULL); /* so that nothing is left to be measured */
    for (size_t nth = 1; nth == 1 || calls >= nth; nth += 37) {
        const vdnn_test_device_fault fault = {.calls = VDNN_TEST_DEVICE_CALL(OPERATION),
                                              .nth = nth};
        vdnn_session *session = NULL;
        vdnn_test_device_begin(&fault);
        assert_ok(vdnn_session_create(&options, NULL, &session));
        vdnn_status status = vdnn_session_run(session);
        if (status != VDNN_OK) {
            assert_int_equal(status, VDNN_DEVICE);
            assert_true(strlen(vdnn_status_message()) > 0);
            failed++;
        }
        vdnn_session_destroy(session);
        calls = vdnn_test_device_end();
    }
    assert_true(failed > 10);
}

/* A session that failed on one device stays failed: devices may be a step apart. */
TEST_WITH(a_session_whose_device_failed_does_not_continue, make_folder, vdnn_test_remove_folder)
{
    enum { LATE = 300 };
    vdnn_session_options options = options_for(*state, 2);
    const vdnn_test_device_fault fault = {.calls = VDNN_TEST_DEVICE_CALL(OPERATION), .nth = LATE};
    vdnn_session *session = NULL;
    vdnn_status status = VDNN_OK;
    run(&options, NULL);
    vdnn_test_device_begin(&fault);
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    for (int i = 0; i < 100 && status == VDNN_OK; i++)
        status = vdnn_session_step(session, NULL);
    assert_int_equal(status, VDNN_DEVICE);
    assert_status(vdnn_session_step(session, NULL), VDNN_DEVICE);
    vdnn_session_destroy(session);
    (void)vdnn_test_device_end();
}

TEST_WITH(what_several_devices_cannot_be_is_refused, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 2, "did you mean optimizer?",
                     "vdnnrun --model @/net.yaml --devices 2 --shard optimiser --dry-run");
    vdnn_test_run_to(*state, 2, "--reduce host sums no shares; leave it at ring",
                     "vdnnrun --model @/net.yaml --devices 2 --shard optimizer --reduce host");
    vdnn_test_run_to(*state, 2, "8 devices cannot share a batch of 7",
                     "vdnnrun --model @/net.yaml --device cpu --devices 8");
    vdnn_test_run_to(*state, 2, "least is 1",
                     "vdnnrun --model @/net.yaml --device cpu --devices 0");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --profile @/recorded --dry-run --quiet");
    vdnn_test_run_to(*state, 2, "only with a device model",
                     "vdnnrun --model @/net.yaml --device sim:@/recorded --devices 2");
    vdnn_test_run_to(*state, 2, "cannot be run in 3 micro-batches",
                     "vdnnrun --model @/net.yaml --device cpu --devices 3 --accumulate 3");
    vdnn_test_run_to(*state, 4, "shared with batch 7 does not fit",
                     "vdnnrun --model @/net.yaml --device cpu --devices 3 --device-mem 64KiB "
                     "--profile @/p --dry-run");
}
