/* Every exit code of the programs, each with its message. 7 needs several processes, which this
 * version does not have. */

#include "runtime/vdnn.h"
#include "tests/support/faults.h"
#include "tests/support/run_json.h"
#include "tests/support/session_topics.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- 2, 3, 5, 6: what is said before any work ---------------------------------------------- */

typedef struct bad_case {
    int code;
    const char *line;
    const char *part; /* of the message */
} bad_case;

/* What fails says why, and prints nothing that could be taken for a result. */
static void check_cases(const char *folder, const bad_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, folder, "%s", cases[i].line);
        vdnn_test_expect(&run, cases[i].code, cases[i].part);
        assert_string_equal(run.out, "");
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(wrong_usage_exits_with_2)
{
    static const bad_case cases[] = {
        {2, "vdnnrun --model @/net.yaml --steps 1 --trace-steps 1:2", "--trace FILE.json names it"},
        {2, "vdnnrun --model @/net.yaml --steps 1 --trace @/t --trace-steps 1-2", "is not A:B"},
        {2, "vdnnrun --model @/net.yaml --steps 1 --trace @/t --trace-steps 2:1",
         "no steps from 2 to 1"},
        {2, "vdnnrun --model @/net.yaml --steps 1 --trace @/t --trace-steps 0:1", "the first of a"},
        {2, "vdnnrun --model @/net.yaml --steps 3 --trace @/t --trace-steps 4:9",
         "makes the steps 1 to 3, of which none is from 4 to 9"},
        {2, "vdnnrun", "--model is missing"},
        {2, "vdnnreport", "--model is missing"},
        {2, "vdnnrun --model lenet --polcy dyn", "did you mean --policy?"},
        {2, "vdnnrun --model lenet --policy dny", "did you mean dyn?"},
        {2, "vdnnrun --model lenet --policy best", "base|all|conv|dyn|opt"},
        {2, "vdnnrun --model lenet --batch 0", "--batch"},
        {2, "vdnnrun --model lenet --device-mem lots", "--device-mem"},
        {2, "vdnnrun --model lenet --device gpu", "one of auto, cpu, cuda[:N], sim:NAME"},
        {2, "vdnnrun --model lenet --device sim", "sim:titan-x-maxwell"},
        {2, "vdnnrun --model lenet --device sim:titan-x-maxwell --save w.safetensors",
         "only simulates time"},
        {2, "vdnnrun --model lenet --device sim:titan-x-maxwell --verify", "--verify"},
        {3, "vdnnrun --model lenet --device sim:titanx", "no device model 'titanx'"},
        {2, "vdnnrun --model lenet --dtype tf32", "tf32 is the arithmetic of GPUs"},
        {2, "vdnnrun --model lenet --dtype f16", "f16 is planned for simulated devices alone"},
        {2, "vdnnrun --model lenet --devices 65", "65 devices cannot share a batch of 64"},
        {2, "vdnnrun --model lenet --reduce rng", "did you mean ring?"},
        {2, "vdnnrun --model lenet --checkpoint-every 5", "--checkpoint-every needs --checkpoint"},
        {2, "vdnnrun --model lenet --keep 5", "--keep needs --checkpoint DIR"},
        {2, "vdnnrun --model lenet --checkpoint @/c --keep 0", "--keep"},
        {2, "vdnnrun --model lenet --resume auto", "--resume auto needs --checkpoint DIR"},
        {2, "vdnnrun --model lenet --threads 100000", "--threads"},
        {2, "vdnnrun --model lenet --threads 1025", "more than 1024 is too many: oneDNN"},
        {2, "vdnnrun --model lenet --batch 6 --accumulate 7", "expected 1 to 6"},
        {2, "vdnnrun --model @/net.yaml --data idxx:there --steps 1", "idx"},
        {2, "vdnnrun --model lenet --print-plan --dry-run --json -", "--print-plan and --json -"},
        {2, "vdnnreport --model lenet --policies base,best", "base|all|conv|dyn|opt"},
        {2, "vdnnreport --model lenet --accounting none", "one of full|paper"},
        {2, "vdnnreport --model lenet --accounting paper --rules lean", "--rules paper"},
        {2, "vdnnreport --model lenet --devices 2", "--devices"},
        {2, "vdnnreport --model lenet --steps 2", "there is no option --steps"},
        {2, "VDNN_ALGO=x vdnnrun --model lenet", "VDNN_ALGO"},
    };
    vdnn_test_network(*state);
    check_cases(*state, cases, sizeof cases / sizeof cases[0]);
}

static void write_text(const char *folder, const char *name, const char *text)
{
    vdnn_test_write_file(vdnn_test_path(folder, name), text, strlen(text));
}

TEST_IN_FOLDER(bad_input_exits_with_3_and_names_file_and_reason)
{
    static const bad_case cases[] = {
        {3, "vdnnrun --model lenett --dry-run", "lenet"},
        {3, "vdnnrun --model @/none.yaml --dry-run", "none.yaml"},
        {3, "vdnnrun --model @/type.yaml --dry-run", "type.yaml:6: "},
        {3, "vdnnrun --model @/key.yaml --dry-run", "key.yaml:6: "},
        {3, "vdnnrun --model @/shape.yaml --dry-run", "shape.yaml:6: "},
        {3, "vdnnrun --model @/noloss.yaml --dry-run", "noloss.yaml"},
        {3, "vdnnreport --model @/noloss.yaml", "noloss.yaml"},
        {3, "vdnnrun --model @/net.yaml --steps 1 --data idx:@/nowhere", "nowhere"},
        {3, "vdnnrun --model cifar_cnn --steps 1 --data cifar10:@/nowhere", "nowhere"},
        {3, "vdnnrun --model cifar_cnn --steps 1 --data cifar10:@", "data_batch_*.bin"},
        {3, "vdnnrun --model cifar_cnn --steps 1 --data cifar10:@/cut", "in record 0"},
        {3, "vdnnrun --model @/net.yaml --steps 1 --data npy:@/broken", "broken"},
        {3, "vdnnrun --model @/net.yaml --steps 1 --data npy:@ --batch 100", "less than one batch"},
        {3, "vdnnrun --model @/net.yaml --steps 1 --init @/net.yaml", "net.yaml"},
        {3, "vdnnrun --model @/net.yaml --steps 1 --init @/no.safetensors", "no.safetensors"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/net.yaml", "net.yaml:1"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/empty.json", "no 'layers'"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/other.json",
         "nothing about layer conv1"},
        {3, "vdnnrun --model @/net.yaml --dry-run --algos @/unknown.json", "magic"},
        {3, "vdnnrun --model @/net.yaml --dry-run --profile @/net.yaml", "net.yaml"},
    };
#define HEAD                                                                                       \
    "name: bad\ninput: {channels: 1, height: 8, width: 8}\nclasses: 10\nbatch: 2\nlayers:\n"
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    write_text(*state, "type.yaml", HEAD "  - {name: a, type: convv, out: 3, kernel: 3}\n");
    write_text(*state, "key.yaml", HEAD "  - {name: a, type: conv, out: 3, kernl: 3}\n");
    write_text(*state, "shape.yaml",
               HEAD "  - {name: a, type: conv, out: 3, kernel: 30}\n"
                    "  - {name: f, type: fc, out: 10}\n  - {name: l, type: softmax_loss}\n");
    write_text(*state, "noloss.yaml", HEAD "  - {name: a, type: conv, out: 3, kernel: 3}\n");
#undef HEAD
    write_text(*state, "empty.json", "{}\n");
    write_text(*state, "other.json", "{\"layers\": [{\"name\": \"x\"}]}\n");
    write_text(*state, "unknown.json",
               "{\"layers\": [{\"name\": \"conv1\", \"algorithms\": {\"forward\": \"magic\"}}]}\n");
    assert_int_equal(mkdir(vdnn_test_path(*state, "broken"), 0700), 0);
    assert_int_equal(mkdir(vdnn_test_path(*state, "cut"), 0700), 0);
    write_text(*state, "cut/data_batch_1.bin", "less than a record");
    write_text(*state, "broken/images.npy", "no array");
    write_text(*state, "broken/labels.npy", "no array");
    check_cases(*state, cases, sizeof cases / sizeof cases[0]);
}

TEST_IN_FOLDER(a_device_that_is_not_there_exits_with_5)
{
    static const char *const names[] = {"cuda", "cuda:1"};
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "CUDA_VISIBLE_DEVICES= vdnnrun --model lenet --device %s --steps 1",
                          names[i]);
        vdnn_test_expect(&run, 5, "no CUDA device");
        assert_non_null(strstr(run.err, "use --device cpu"));
        vdnn_test_run_free(&run);
    }
}

/* A plan alone takes a model of the device, or a profile that was recorded on it. */
TEST_IN_FOLDER(a_plan_for_a_device_that_is_not_there_needs_a_model_of_it)
{
    static const char *const models[] = {"sim:h100", "sim:@/recorded"};
    vdnn_test_network(*state);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --device cpu --steps 1 --profile @/recorded");
    vdnn_test_run_to(*state, 5, "--device sim:NAME",
                     "CUDA_VISIBLE_DEVICES= vdnnrun --model @/net.yaml --device cuda:7 --dry-run");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --device %s --dry-run --json @/j", models[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "j"));
        vdnn_test_check_plan(json_object_get(root, "plan"));
        assert_null(json_object_get(root, "measured"));
        json_decref(root);
    }
}

TEST_IN_FOLDER(files_that_cannot_be_read_or_written_exit_with_6)
{
    static const bad_case cases[] = {
        {6, "vdnnrun --model @/net.yaml --steps 1 --json @/no/run.json", "no/run.json"},
        {6, "vdnnrun --model @/net.yaml --steps 1 --save @/no/w", "no/w"},
        {6, "vdnnrun --model @/net.yaml --steps 1 --trace @/no/t.json", "no/t.json"},
        {6, "vdnnrun --model @/net.yaml --dry-run --profile @/no/p", "no/p"},
        {6, "vdnnrun --model @/net.yaml --dry-run --algos @/no.json", "no.json"},
        {6, "vdnnreport --model @/net.yaml --html @/no/r.html", "no/r.html"},
        {6, "vdnnreport --model @/net.yaml --csv @/no/r.csv", "no/r.csv"},
    };
    vdnn_test_network(*state);
    check_cases(*state, cases, sizeof cases / sizeof cases[0]);
}

/* ---- 0 and 4: whether it fits ---------------------------------------------------------------- */

TEST_IN_FOLDER(a_network_that_fits_exits_with_0)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model %s --steps 2", vdnn_test_network(*state));
    vdnn_test_expect(&run, 0, "a step took");
    assert_non_null(strstr(run.out, "little: 2 steps, loss "));
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(what_does_not_fit_exits_with_4_and_says_what_would)
{
    static const struct {
        const char *line, *part;
    } cases[] = {
        {"vdnnrun --model @/net.yaml --policy base --device-mem 1000", "--device-mem "},
        {"vdnnrun --model @/net.yaml --policy dyn --device-mem 1000 --dry-run", "--device-mem "},
        {"vdnnrun --model @/net.yaml --policy all --host-mem 1000", "(--host-mem) is 1000 bytes"},
        {"vdnnreport --model @/net.yaml --device-mem 1000", "no policy fits"},
    };
    vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s", cases[i].line);
        vdnn_test_expect(&run, 4, cases[i].part);
        vdnn_test_run_free(&run);
    }
}

/* ---- 8: a bit that flips --------------------------------------------------------------------- */

/* Flips a bit of every page that a process has locked: the host tier, where it holds what was
 * offloaded. False where it cannot be reached. */
static bool flip_bits(pid_t process)
{
    char path[64], line[512];
    (void)snprintf(path, sizeof path, "/proc/%d/smaps", (int)process);
    FILE *maps = fopen(path, "re");
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)process);
    int memory = open(path, O_RDWR | O_CLOEXEC);
    bool reached = false;
    uint64_t begin = 0, end = 0;
    while (maps != NULL && memory >= 0 && fgets(line, sizeof line, maps) != NULL) {
        uint64_t from, to;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " rw", &from, &to) == 2)
            begin = from, end = to;
        if (strncmp(line, "VmFlags:", 8) != 0 || strstr(line, " lo") == NULL)
            continue;
        for (uint64_t at = begin; at < end; at += 256) {
            unsigned char byte;
            if (pread(memory, &byte, 1, (off_t)at) != 1)
                continue;
            byte ^= 1;
            reached = pwrite(memory, &byte, 1, (off_t)at) == 1 || reached;
        }
    }
    if (maps != NULL)
        (void)fclose(maps);
    if (memory >= 0)
        (void)close(memory);
    return reached;
}

/* Losses overflow at once, and that is told at once: the first line of progress comes seconds
 * later.
 */
#define OVERFLOWS " --lr 1e30 --on-nan warn"

static void wait_for_training(const vdnn_test_run *run)
{
    vdnn_test_wait_for(run, "is not finite");
}

TEST_IN_FOLDER(a_flipped_bit_in_the_host_tier_exits_with_8)
{
    vdnn_test_run run;
    bool reached = false;
    vdnn_test_start(
        &run, *state,
        "vdnnrun --model %s --policy all --rules paper --verify --steps 1000000" OVERFLOWS,
        vdnn_test_network(*state));
    wait_for_training(&run);
    for (int i = 0; i < 200 && kill(run.pid, 0) == 0; i++)
        reached = flip_bits(run.pid) || reached;
    if (!reached) {
        (void)kill(run.pid, SIGKILL);
        vdnn_test_finish(&run);
        vdnn_test_run_free(&run);
        skip_because("nothing is locked, or the memory of another process cannot be written");
    }
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 8, "conv");
    vdnn_test_run_free(&run);
}

/* ---- 75, 130, 143: signals ------------------------------------------------------------------- */

TEST_IN_FOLDER(a_signal_ends_a_run_with_nothing_half_written)
{
    static const struct {
        int signal, code;
    } cases[] = {{SIGINT, 130}, {SIGTERM, 143}};
    vdnn_test_network(*state);
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        int before = vdnn_test_folder_count(*state);
        vdnn_test_start(&run, *state,
                        "vdnnrun --model %s/net.yaml --steps 100000000 --json %s/j --save %s/s "
                        "--trace %s/t" OVERFLOWS,
                        (char *)*state, (char *)*state, (char *)*state, (char *)*state);
        wait_for_training(&run);
        assert_int_equal(kill(run.pid, cases[i].signal), 0);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, cases[i].code, "ending after this step");
        /* The trace has what was done until then, and is whole. */
        json_decref(vdnn_test_json(vdnn_test_path(*state, "t")));
        assert_int_equal(unlink(vdnn_test_path(*state, "t")), 0);
        assert_int_equal(vdnn_test_folder_count(*state), before);
        vdnn_test_run_free(&run);
    }
}

/* Refusing it takes half a minute: what fits instead is planned again and again. */
TEST_IN_FOLDER(a_signal_ends_a_search_that_finds_nothing)
{
    static const struct {
        int signal, code;
    } cases[] = {{SIGINT, 130}, {SIGTERM, 143}};
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_start(
            &run, *state,
            "vdnnrun --model vgg19 --batch 256 --device sim:titan-x-maxwell --policy opt "
            "--device-mem 2GiB");
        vdnn_test_wait_for(&run, "vgg19, batch 256");
        assert_int_equal(kill(run.pid, cases[i].signal), 0);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, cases[i].code, "");
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(a_signal_with_checkpoints_exits_with_75)
{
    static const int signals[] = {SIGTERM, SIGUSR1, SIGHUP};
    vdnn_test_network(*state);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        vdnn_test_run run;
        vdnn_test_start(
            &run, *state,
            "vdnnrun --model @/net.yaml --steps 100000000 --checkpoint @/c%zu --checkpoint-every 9 "
            "--log-level debug",
            i);
        vdnn_test_wait_for(&run, "the checkpoint of step 9 ");
        assert_int_equal(kill(run.pid, signals[i]), 0);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, 75, "--resume auto resumes from it");
        vdnn_test_run_free(&run);
    }
}

/* ---- what fails after the last step ---------------------------------------------------------- */

/* A copy of the pictures whose last value is not a number. */
static void write_bad_pictures(const char *folder, const char *name)
{
    static const float nan_value = NAN;
    char *bytes;
    size_t count;
    vdnn_test_make_below(folder, name);
    const char *set = vdnn_test_path(folder, name);
    vdnn_test_read_file(vdnn_test_path(folder, "images.npy"), &bytes, &count);
    memcpy(bytes + count - sizeof nan_value, &nan_value, sizeof nan_value);
    vdnn_test_write_file(vdnn_test_path(set, "images.npy"), bytes, count);
    free(bytes);
    vdnn_test_read_file(vdnn_test_path(folder, "labels.npy"), &bytes, &count);
    vdnn_test_write_file(vdnn_test_path(set, "labels.npy"), bytes, count);
    free(bytes);
}

TEST_IN_FOLDER(bad_test_data_lose_nothing_of_the_training)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    write_bad_pictures(*state, "bad");
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --data npy:@ --test-data npy:@/bad --steps 3 "
                      "--save @/weights --trace @/trace.json --json @/run.json");
    vdnn_test_expect(&run, 3, "expected a finite number");
    assert_non_null(strstr(run.out, "3 steps, loss"));
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_int_equal(json_array_size(json_object_get(root, "losses")), 3);
    assert_true(json_is_object(json_object_get(root, "measured")));
    assert_false(json_is_number(json_object_get(root, "test_accuracy")));
    json_decref(root);
    assert_int_equal(access(vdnn_test_path(*state, "weights"), R_OK), 0);
    assert_int_equal(access(vdnn_test_path(*state, "trace.json"), R_OK), 0);
}

/* Of what cannot be written at the end the first is told, and the rest is written. */
TEST_IN_FOLDER(a_timeline_that_fails_at_its_end_leaves_the_weights)
{
    const char *model = vdnn_test_network(*state);
    const vdnn_session_options options = {
        .size = sizeof options,
        .model = model,
        .device = "cpu",
        .steps = 2,
        .save = vdnn_test_path(*state, "weights"),
        .output = vdnn_test_topic(output, .trace = vdnn_test_path(*state, "trace.json"))};
    const vdnn_test_fault fault = {.calls = VDNN_TEST_CALL(rename),
                                   .nth = 1,
                                   .lasting = true,
                                   .error = ENOSPC,
                                   .path = "trace.json"};
    vdnn_session *session = NULL;
    vdnn_test_fault_begin(&fault);
    assert_ok(vdnn_session_create(&options, NULL, &session));
    vdnn_status status = vdnn_session_run(session);
    (void)vdnn_test_fault_end();
    assert_int_equal(status, VDNN_FILE);
    assert_non_null(strstr(vdnn_status_message(), "trace.json"));
    vdnn_session_destroy(session);
    assert_int_equal(access(vdnn_test_path(*state, "weights"), R_OK), 0);
}
