/* vdnnrun on a CUDA device that misses a feature, or fails in the middle: over the emulation. */

#include "runtime/plan/plan.h"
#include "runtime/train/training/training.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/gpu.h"
#include "tests/support/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_every_layer(*state);
    /* Faults are met in training where nothing is left to be measured. */
    vdnn_test_run_to(*state, 0, "a step took",
                     "vdnnrun --model @/every.yaml --device cuda --steps 1 --profile @/cuda");
    return 0;
}

TEST(a_run_ends_with_5_and_the_reason_where_the_card_fails)
{
    static const struct {
        const char *fault, *part;
    } cases[] = {
        {"driver=0", "was not found"},
        {"driver=12020", "the driver is for CUDA 12.2"},
        {"devices=0", "the driver finds no card"},
        {"capability=61", "compute capability 6.1, and kernels are compiled for 7.5 and newer"},
        {"cudaFree:1=46", "another process has exclusive use of the card"},
        {"cudaFree:1=2", "end other programs on the card"},
        {"cudaGetDeviceProperties:1=999", "nvidia-smi"},
        {"cudaGetDeviceCount:1=802", "nvidia-fabricmanager"},
        {"cudaGetDeviceCount:1=803", "differ in version"},
        {"cudaEventRecord:30=214", "the card's memory is damaged"},
        {"cudaSetDevice:9=700", "the device is lost to this process: start again"},
        {"kernel:30=719", "cudaErrorLaunchFailure"},
        {"kernel:30=716", "the device is lost to this process: start again"},
        {"cudaMemcpyAsync:3=1", "cudaMemcpyAsync"},
        {"cublas:3=1", "cublasGemm"},
        {"cudaMalloc:3=2", "the device tier needs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "VDNN_CUDA_HOST=%s vdnnrun --model @/every.yaml --device cuda --steps 2 "
                          "--profile @/cuda",
                          cases[i].fault);
        vdnn_test_expect(&run, 5, cases[i].part);
        vdnn_test_run_free(&run);
    }
}

#define TRAIN "vdnnrun --model @/every.yaml --device cuda --policy all --steps 6 --profile @/cuda "
#define TRAIN_IN_PIECES                                                                            \
    TRAIN "--algos @/whole.json --checkpoint @/run --checkpoint-every 2 --resume auto "            \
          "--save @/run.safetensors"

/* Trains with that fault, then without it, from whatever checkpoint the first run left. Whether the
 * fault came after the first checkpoint; it may not come at all. */
static bool resumes_after(const char *folder, const char *fault, const char *part)
{
    char whole[512];
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "VDNN_CUDA_HOST=%s " TRAIN_IN_PIECES, fault);
    bool has_failed = run.code != 0;
    if (has_failed)
        vdnn_test_expect(&run, 5, part);
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, folder, TRAIN_IN_PIECES);
    vdnn_test_expect(&run, 0, "");
    bool is_resumed = strstr(run.err, "from step") != NULL;
    vdnn_test_run_free(&run);
    (void)snprintf(whole, sizeof whole, "%s", vdnn_test_path(folder, "whole.safetensors"));
    vdnn_test_expect_same_file(whole, vdnn_test_path(folder, "run.safetensors"));
    vdnn_test_remove(vdnn_test_path(folder, "run"));
    return has_failed && is_resumed;
}

TEST(a_run_that_lost_its_card_leaves_checkpoints_that_end_with_the_same_bits)
{
    static const struct {
        const char *call;
        int step, error;
        const char *part;
    } cases[] = {
        {"kernel", 100, 719, "the device is lost to this process: start again"},
        {"cudaEventRecord", 120, 46, "cudaErrorDevicesUnavailable"},
        {"cudaMemcpyAsync", 30, 214, "the card's memory is damaged"},
        {"launch", 100, 700, "cudaErrorIllegalAddress"},
    };
    vdnn_test_run_to(*state, 0, "a step took",
                     TRAIN "--json @/whole.json --save @/whole.safetensors");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool was_after_checkpoint = false;
        for (int n = 2; !was_after_checkpoint && n < 12; n++) {
            char fault[128];
            (void)snprintf(fault, sizeof fault, "sticky=1,%s:%d=%d", cases[i].call,
                           n * cases[i].step, cases[i].error);
            was_after_checkpoint = resumes_after(*state, fault, cases[i].part);
        }
        if (!was_after_checkpoint)
            fail_msg("no fault of %s came behind a checkpoint", cases[i].call);
    }
}

TEST(a_budget_is_the_arenas_and_what_does_not_fit_ends_with_4)
{
    vdnn_test_run_to(*state, 4, "--device-mem",
                     "vdnnrun --model @/every.yaml --device cuda --device-mem 10KiB --steps 2");
    vdnn_test_run_to(*state, 4, "--device-mem",
                     "VDNN_CUDA_HOST=memory=33654432 vdnnrun --model @/every.yaml --device cuda "
                     "--steps 2 --profile @/cuda");
}

TEST(auto_takes_a_card_that_can_be_used_and_else_the_cpu)
{
    static const struct {
        const char *card, *kind, *message;
    } cases[] = {
        {"devices=1", "cuda", "CUDA emulated on the CPU"},
        {"devices=0", "cpu", ""},
        {"driver=0", "cpu", ""},
        {"cudaFree:1=46", "cpu", "using the CPU: cuda: cudaFree: device busy"},
        {"capability=61", "cpu", "using the CPU: no CUDA device 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "VDNN_CUDA_HOST=%s vdnnrun --model @/every.yaml --steps 1 "
                          "--profile @/%s --json @/run.json",
                          cases[i].card, cases[i].kind);
        vdnn_test_expect(&run, 0, cases[i].message);
        if (cases[i].message[0] == '\0')
            assert_null(strstr(run.err, "using the CPU"));
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
        const json_t *device = json_object_get(root, "device");
        assert_string_equal(json_string_value(json_object_get(device, "kind")), cases[i].kind);
        json_decref(root);
    }
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

/* The first block is what digests go through, the last are those that images are read into; what is
 * in between depends on what is measured. */
TEST(memory_that_cannot_be_pinned_is_one_warning_with_the_reason)
{
    static const struct {
        const char *setting;
        bool overlap;
    } cases[] = {
        {"cudaHostRegister:0=0", true},
        {"cudaHostRegister:1=2", true},
        {"cudaHostRegister:2=2", true},
        {"cudaHostRegister:1=2,cudaHostAlloc:1=2", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "VDNN_CUDA_HOST=%s vdnnrun --model @/every.yaml --device cuda "
                          "--policy all --rules paper --steps 1 --profile @/cuda --json "
                          "@/run.json",
                          cases[i].setting);
        vdnn_test_expect(&run, 0, "a step took");
        assert_int_equal(count_of(run.err, "warning: copies do not overlap"), !cases[i].overlap);
        if (!cases[i].overlap)
            assert_non_null(strstr(run.err, "cudaHostRegister: out of memory; cudaHostAlloc: out"));
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
        assert_int_equal(json_is_true(json_object_get(root, "overlap")), cases[i].overlap);
        json_decref(root);
    }
}

/* The exit code of a run with so many bytes of the card beside cuBLAS's; it says `part`. */
static int run_beside(const char *folder, int bytes, const char *budget, const char *part)
{
    enum { BLAS_BYTES = 32 << 20 };
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "VDNN_CUDA_HOST=cudnn=0,module=8192,memory=%d vdnnrun --model @/every.yaml "
                      "--device cuda --steps 2 --profile @/late %s",
                      BLAS_BYTES + bytes, budget);
    int code = run.code;
    if (strstr(run.err, part) == NULL)
        fail_msg("%d bytes, exit code %d, expected '%s': %s", bytes, code, part, run.err);
    vdnn_test_run_free(&run);
    return code;
}

/* Kernels are loaded before the arena is taken, and a plan that had no budget takes what they left:
 * there it trains with some hundred KiB, where a guess of what they need refused 64 MiB. */
TEST(an_arena_of_all_that_is_free_leaves_kernels_their_memory)
{
#define LARGER "--policy base --batch 14 --device-mem 4MiB" // more than is left
    enum { AMPLE = 4 << 20, FEW = 100000, MOST = 1 << 19, HALVINGS = 7 };
    int fits = AMPLE, too_few = FEW;
    assert_int_equal(run_beside(*state, AMPLE, "", "a step took"), 0);
    assert_int_equal(run_beside(*state, FEW, "", "--device-mem"), 4);
    for (int i = 0; i < HALVINGS; i++) {
        int middle = too_few + (fits - too_few) / 2;
        int code = run_beside(*state, middle, "", "");
        *(code == 0 ? &fits : &too_few) = middle;
        if (code != 0)
            assert_int_equal(run_beside(*state, middle, "", "--device-mem "), code);
    }
    assert_true(fits < MOST);
    assert_int_equal(run_beside(*state, AMPLE, LARGER, "a step took"), 0);
    assert_int_equal(run_beside(*state, fits, LARGER, "ask for less: --device-mem"), 5);
#undef LARGER
}

TEST(without_cublas_it_works_too_and_says_so)
{
    vdnn_test_run_to(
        *state, 0,
        "warning: cuBLAS of version 12 to 13 was not found: there is no such file; tried",
        "VDNN_CUDA_HOST=cublas=0 vdnnrun --model @/every.yaml --device cuda --steps 2");
}

TEST(an_old_card_has_neither)
{
    static const char *const dtypes[] = {"tf32", "bf16"};
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "VDNN_CUDA_HOST=capability=75 vdnnrun --model @/every.yaml --device cuda "
                          "--steps 2 --dtype %s",
                          dtypes[i]);
        vdnn_test_expect(&run, 5, "require compute capability 8.0");
        vdnn_test_run_free(&run);
    }
    vdnn_test_run_to(
        *state, 0, "a step took",
        "VDNN_CUDA_HOST=capability=75 vdnnrun --model @/every.yaml --device cuda --steps 2");
}

/* ---- parts of output channels ---------------------------------------------------------------- */

#define NETWORK_IN(channels, both)                                                                 \
    "name: parts\ninput: {channels: 3, height: 6, width: 6}\nclasses: 4\nbatch: 2\nlayers:\n"      \
    "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1" channels "}\n"                      \
    "  - {name: pool1, type: maxpool, kernel: 2" channels "}\n"                                    \
    "  - {name: conv2, type: conv, out: 20, kernel: 1" both "}\n"                                  \
    "  - {name: fc3, type: fc, out: 4}\n"                                                          \
    "  - {name: loss, type: softmax_loss}\n"

static double first_loss(const char *path)
{
    json_t *run = vdnn_test_json(path);
    const double loss = json_number_value(json_array_get(json_object_get(run, "losses"), 0));
    json_decref(run);
    return loss;
}

static void train_parts(const char *folder, const char *network, const char *policy,
                        const char *algos)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/%s.yaml --device cuda --dtype bf16 --policy %s --steps 2 "
                      "--verify --profile @/%s --json @/%s-%s.json --save @/%s-%s.safetensors%s",
                      network, policy, network, network, policy, network, policy, algos);
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
}

/* In bf16 maps are in NHWC: stripes are of every cell. */
TEST(parts_of_channels_compute_what_the_whole_does)
{
    char base[512];
    vdnn_test_write_below(*state, "whole.yaml", NETWORK_IN("", ""));
    vdnn_test_write_below(
        *state, "cut.yaml",
        NETWORK_IN(", parts: {channels: 2}", ", parts: {samples: 2, channels: 2}"));
    train_parts(*state, "whole", "base", "");
    train_parts(*state, "cut", "base", "");
    train_parts(*state, "cut", "all", " --algos @/cut-base.json");
    const double whole = first_loss(vdnn_test_path(*state, "whole-base.json")),
                 cut = first_loss(vdnn_test_path(*state, "cut-base.json"));
    assert_true(fabs(cut - whole) < 5e-3 * whole);
    (void)snprintf(base, sizeof base, "%s", vdnn_test_path(*state, "cut-base.safetensors"));
    vdnn_test_expect_same_file(base, vdnn_test_path(*state, "cut-all.safetensors"));
}

/* ---- what the host does between steps ---------------------------------------------------------
 */

/* Calls for which the host waits, or asks for times, and the events that these need. */
static const char *const waiting[] = {"cudaStreamSynchronize", "cudaDeviceSynchronize",
                                      "cudaEventSynchronize", "cudaEventElapsedTime",
                                      "cudaEventRecord"};
enum { WAITING = sizeof waiting / sizeof *waiting };

/* Counts them in a training of so many steps, everything before and after it included; returns how
 * many operations a step has. */
static int count_calls(const char *folder, int64_t steps, int counts[WAITING])
{
    char model[300], profile[300];
    (void)snprintf(model, sizeof model, "%s/every.yaml", folder);
    (void)snprintf(profile, sizeof profile, "%s/cuda", folder);
    vdnn_session_options options = {.size = sizeof options,
                                    .model = model,
                                    .device = "cuda",
                                    .policy = "all",
                                    .rules = "paper",
                                    .profile = profile,
                                    .steps = steps};
    vdnn_session *session = NULL;
    vdnn_cuda_host_reset();
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    for (size_t i = 0; i < WAITING; i++)
        counts[i] = vdnn_cuda_host_calls(waiting[i]);
    int operations = vdnn_session_plan(session)->step_count;
    vdnn_session_destroy(session);
    return operations;
}

TEST(steps_follow_each_other_without_a_synchronize)
{
    enum { STEPS = 2 * VDNN_TRAINING_TIMED_EVERY, TIMED = 2, UNTIMED = STEPS - TIMED };
    enum { STREAMS = 3 }; /* none for files */
    int few[WAITING], many[WAITING], between[WAITING];
    (void)count_calls(*state, 1, few); /* what is left to be measured is measured here */
    (void)count_calls(*state, STEPS, few);
    int operations = count_calls(*state, 2 * STEPS, many);
    for (size_t i = 0; i < WAITING; i++)
        between[i] = many[i] - few[i];
    assert_true(operations > 50);
    assert_int_equal(between[0], 0);
    assert_int_equal(between[1], 0);
    /* For the batch, which is free again, and for the end of each stream. */
    assert_int_equal(between[2], STEPS * (1 + STREAMS));
    assert_int_equal(between[3], TIMED * (2 * operations + 1));
    printf(
        "%d operations a step: %d events recorded in an untimed one, at most %d in a timed one\n",
        operations, (between[4] - TIMED * 2 * operations) / UNTIMED, 2 * operations + 1);
    assert_true(between[4] < TIMED * (2 * operations + 1) + UNTIMED * operations / 2);
}

int main(void)
{
    /* The programs that are linked with the emulation. */
    (void)setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 1);
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
