/* The libraries of CUDA over the emulation: their algorithms are measured beside the others if they
 * are found; if one is missing, damaged or of another version its algorithms report it and the
 * others are used. */

#include "layers/cuda/dnn.h"
#include "runtime/base/text.h"
#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char network[] =
    "name: two_layers\n"
    "input: {channels: 3, height: 9, width: 9}\n"
    "classes: 4\n"
    "batch: 2\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 4, kernel: 3, pad: 1}\n"
    "  - {name: conv2, type: conv, out: 4, kernel: 3, pad: 1}\n"
    "  - {name: fc, type: fc, out: 4}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n";

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_write_file(vdnn_test_path(*state, "two.yaml"), network, sizeof network - 1);
    return 0;
}

/* What the report says of an algorithm in a pass: "" where it was measured, else the reason. */
static void expect_of(const char *folder, const char *name_of_layer, const char *pass,
                      const char *name, const char *reason)
{
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "a.json"));
    json_t *layers = json_object_get(root, "layers"), *layer, *record, *item;
    size_t l, p, i;
    int found = 0;
    json_array_foreach(layers, l, layer)
    {
        if (strcmp(vdnn_test_text_at(layer, "name"), name_of_layer) != 0)
            continue;
        json_array_foreach(json_object_get(layer, "passes"), p, record)
        {
            if (strcmp(vdnn_test_text_at(record, "pass"), pass) != 0)
                continue;
            json_array_foreach(json_object_get(record, "algorithms"), i, item) found +=
                strcmp(vdnn_test_text_at(item, "name"), name) == 0 && *reason == '\0';
            json_array_foreach(json_object_get(record, "refused"), i, item) found +=
                strcmp(vdnn_test_text_at(item, "name"), name) == 0 && *reason != '\0' &&
                strstr(vdnn_test_text_at(item, "reason"), reason) != NULL;
        }
    }
    if (found != 1)
        fail_msg("%s in %s of %s is not as expected: '%s'", name, pass, name_of_layer, reason);
    json_decref(root);
}

static void expect(const char *folder, const char *pass, const char *name, const char *reason)
{
    expect_of(folder, "conv2", pass, name, reason);
}

static void report(const char *folder, const char *setting, const char *arguments)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "VDNN_CUDA_HOST=%s vdnnreport --model @/two.yaml --device cuda --algorithms "
                      "--json @/a.json %s",
                      setting, arguments);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

TEST(its_algorithms_are_measured_where_it_is_found)
{
    static const char *const versions[] = {"cudnn=8907", "cudnn=91300"};
    for (size_t i = 0; i < 2; i++) {
        report(*state, versions[i], "");
        expect(*state, "forward", "cudnn_implicit", "");
        expect(*state, "forward", "cudnn_winograd", "");
        expect(*state, "backward_data", "cudnn_fft", "");
        expect(*state, "backward_filter", "cudnn_winograd_nonfused", "");
        expect(*state, "backward_filter", "cudnn_gemm", "no such pass");
        expect(*state, "forward", "gemm", "");
    }
}

TEST(what_differs_from_run_to_run_waits_for_leave)
{
    report(*state, "cudnn=91300", "");
    expect(*state, "backward_data", "cudnn_atomic", "--nondeterministic");
    expect(*state, "backward_filter", "cudnn_atomic_precomputed", "--nondeterministic");
    report(*state, "cudnn=91300", "--nondeterministic");
    expect(*state, "backward_data", "cudnn_atomic", "");
    expect(*state, "backward_filter", "cudnn_atomic_precomputed", "");
}

TEST(what_rounds_each_sum_to_bf16_is_refused)
{
    report(*state, "cudnn=91300", "--nondeterministic --dtype bf16");
    expect(*state, "backward_data", "cudnn_atomic", "would be rounded to bf16 at every term");
    expect(*state, "backward_filter", "cudnn_atomic", "would be rounded to bf16 at every term");
    expect(*state, "backward_filter", "cudnn_atomic_precomputed", "");
    expect(*state, "backward_data", "cudnn_precomputed", "");
}

/* What was found comes from the library that was tried first; the others are as they should be. */
TEST(without_one_or_with_another_version_all_else_works)
{
    static const struct {
        const char *setting, *lacking, *reason, *other;
    } cases[] = {
        {"cudnn=0", "cudnn_implicit",
         "cuDNN of version 8 to 9 was not found: there is no such file", "gemm"},
        {"cublas=0", "gemm", "cuBLAS of version 12 to 13 was not found: there is no such file",
         "cudnn_implicit"},
        {"cublas=11", "gemm", "libcublas.so is of version 11; tried libcublas.so.13", "implicit"},
        {"cublas=14", "winograd", "libcublas.so is of version 14", "implicit"},
        {"cublas=11", "fft_16", "install one of these versions", "implicit"},
        {"cufft=0", "fft_16", "cuFFT of version 11 to 12 was not found: there is no such file",
         "gemm"},
        {"cufft=10", "fft_16", "libcufft.so is of version 10; tried libcufft.so.12", "gemm"},
        {"cufft=13", "fft_16", "put its folder into LD_LIBRARY_PATH", "winograd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        report(*state, cases[i].setting, "");
        expect(*state, "forward", cases[i].lacking, cases[i].reason);
        expect(*state, "forward", cases[i].other, "");
    }
}

TEST(one_that_is_there_and_cannot_be_used_is_told_apart)
{
    report(*state, "cublas=11,dlopen:1=1", "");
    expect(*state, "forward", "gemm", "libcublas.so cannot be loaded: libwanted.so.1: ");
    expect(*state, "forward", "implicit", "");
    report(*state, "dlsym:3=1", ""); /* the file without a version is whole */
    expect(*state, "forward", "gemm", "");
    report(*state, "cublas=11,dlsym:3=1", "");
    expect(*state, "forward", "gemm", "libcublas.so has no function cublasDestroy");
    report(*state, "cudnnCreate:1=1", "");
    expect(*state, "forward", "gemm", "");
    report(*state, "cudnnCreateTensorDescriptor:1=1", "");
    expect(*state, "forward", "gemm", "");
}

/* Also where nothing of it is asked for: who has it installed expects it to be used. */
TEST(cudnn_of_another_major_version_ends_with_what_is_there_and_what_is_supported)
{
    vdnn_test_run_to(
        *state, 5,
        "cuDNN of version 8 to 9 was not found: libcudnn.so is of version 7; tried "
        "libcudnn.so.9 to libcudnn.so.8",
        "VDNN_CUDA_HOST=cudnn=7605 vdnnrun --model @/two.yaml --device cuda --steps 1");
    vdnn_test_run_to(
        *state, 5, "libcudnn.so is of version 10",
        "VDNN_CUDA_HOST=cudnn=100000 vdnnrun --model @/two.yaml --device cuda --steps 1");
}

/* Its algorithms were chosen, and nothing else may be taken in their place. */
TEST(what_cannot_be_without_one_ends_with_the_reason)
{
    vdnn_test_run_to(
        *state, 0, "a step took",
        "VDNN_CUDA_HOST=cudnn=0 vdnnrun --model @/two.yaml --device cuda --steps 1 --json "
        "@/chosen.json");
    vdnn_test_run_to(
        *state, 3,
        "cannot be used (cuBLAS of version 12 to 13 was not found: libcublas.so is of version 11;",
        "VDNN_CUDA_HOST=cublas=11,cudnn=0 vdnnrun --model @/two.yaml --device cuda "
        "--steps 1 --algos @/chosen.json");
    vdnn_test_run_to(*state, 5, "cublasCreate failed with status 3 of cuBLAS",
                     "VDNN_CUDA_HOST=cublasCreate:1=1 vdnnrun --model @/two.yaml --device cuda "
                     "--steps 1");
}

/* Measures with a fault, and expects of it the messages: `told` of each kind, or none. */
static void measure_with(const char *folder, const char *fault, const char *told)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "VDNN_CUDA_HOST=%s vdnnreport --model @/two.yaml --device cuda --algorithms "
                      "--json @/a.json",
                      fault);
    vdnn_test_expect(&run, 0, told);
    if (*told == '\0')
        assert_null(strstr(run.err, "left out"));
    vdnn_test_run_free(&run);
}

TEST(a_row_that_fails_while_it_is_measured_is_left_out_with_a_warning)
{
    static const struct {
        const char *fault, *name, *told;
    } cases[] = {
        {"cudnn:1=1", "cudnn_implicit",
         "warning: conv layer 'conv1': its forward by cudnn_implicit failed and is left out: cuda: "
         "a convolution failed with status 5000 of cuDNN 91300"},
        {"cublas:1=1", "gemm",
         "warning: conv layer 'conv1': its forward by gemm failed and is left out: cuda: "
         "cublasGemm"},
        {"cufft:1=1", "fft_16",
         "warning: conv layer 'conv1': its forward by fft_16 failed and is left out: cuda: "
         "cufftExecR2C"},
        {"cufftMakePlanMany:1=1", "fft_16", "by fft_16 failed and is left out: cuda: cufftMake"},
        {"cudnnGetConvolutionForwardWorkspaceSize:1=1", "cudnn_implicit",
         "by cudnn_implicit failed and is left out: cuda: a convolution's workspace failed"},
        {"launch:500=1", "", "failed and is left out: cuda: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measure_with(*state, cases[i].fault, cases[i].told);
        expect(*state, "forward", "implicit", ""); /* of conv2, as if nothing had been */
    }
}

TEST(a_row_without_memory_is_left_out_without_a_word_and_listed)
{
    /* Its weights are more than what is measured before needs, and fewer samples there are not. */
    static const char large_fc[] = "name: large\n"
                                   "input: {channels: 8, height: 16, width: 16}\n"
                                   "classes: 2560\n"
                                   "batch: 1\n"
                                   "layers:\n"
                                   "  - {name: fc1, type: fc, out: 2560}\n"
                                   "  - {name: loss, type: softmax_loss}\n";
    enum { OF_LAUNCHES = 1, OF_COPIES, OF_UPDATES, BESIDE_COPIES, OF_THE_ROW };
    char fault[64];
    vdnn_test_write_file(vdnn_test_path(*state, "two.yaml"), large_fc, sizeof large_fc - 1);
    (void)snprintf(fault, sizeof fault, "cudaMalloc:%d=%d", OF_THE_ROW, cudaErrorMemoryAllocation);
    measure_with(*state, fault, "");
    expect_of(*state, "fc1", "forward", "gemm", "cuda: the device tier needs");
    expect_of(*state, "fc1", "forward", "tiles", "");
    vdnn_test_write_file(vdnn_test_path(*state, "two.yaml"), network, sizeof network - 1);
}

/* A profile without its rows: then they are what is measured first. */
static void keep_rates(const char *path)
{
    char *text, *rest;
    size_t count;
    vdnn_text kept = {0};
    vdnn_test_read_file(path, &text, &count);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "row", 3) != 0 && strncmp(line, "end", 3) != 0)
            vdnn_text_add(&kept, "%s\n", line);
    vdnn_text_add(&kept, "end 0\n");
    assert_false(kept.failed);
    free(text);
    vdnn_test_write_file(path, kept.data, kept.length);
    vdnn_text_fini(&kept);
}

/* Until the fault hits a kernel of a row: how many come before depends on the clock. */
static void run_until_a_row_fails(const char *folder, int fault, vdnn_test_run *run)
{
    enum { FIRST = 250, PACE = 50, MOST = 12 };
    for (int i = 0; i < MOST; i++) {
        vdnn_test_program(run, folder,
                          "VDNN_CUDA_HOST=kernel:%d=%d vdnnrun --model @/two.yaml --device cuda "
                          "--dry-run --profile @/profile",
                          FIRST + i * PACE, fault);
        vdnn_test_expect(run, 5, "error: ");
        if (strstr(run->err, "error: conv layer 'conv") != NULL)
            return;
        vdnn_test_run_free(run);
    }
    fail_msg("no kernel of a convolution was hit");
}

/* What was measured before is kept, so that the next run comes further. */
TEST(an_error_that_sticks_to_the_card_ends_the_measuring_with_the_row)
{
    static const int faults[] = {700, 719, 214};
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/two.yaml --device cuda --dry-run --profile @/profile");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        vdnn_test_run run;
        keep_rates(vdnn_test_path(*state, "profile"));
        run_until_a_row_fails(*state, faults[i], &run);
        assert_non_null(
            strstr(run.err, " left the device in a state in which every operation fails: cuda: "));
        assert_null(strstr(run.err, "left out"));
        vdnn_test_run_free(&run);
        vdnn_test_run_to(*state, 0, "rows of the profile were measured",
                         "vdnnrun --model @/two.yaml --device cuda --dry-run --profile @/profile "
                         "--log-level debug");
        char *text;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(*state, "profile"), &text, &count);
        assert_non_null(strstr(text, "\nend "));
        free(text);
    }
    assert_int_equal(remove(vdnn_test_path(*state, "profile")), 0);
}

TEST(what_is_missing_is_said_by_every_run_and_by_the_doctor)
{
    static const struct {
        const char *setting, *title;
    } cases[] = {
        {"cublas=0", "cuBLAS of version 12 to 13 was not found"},
        {"cudnn=0", "cuDNN of version 8 to 9 was not found"},
        {"cufft=0", "cuFFT of version 11 to 12 was not found"},
        {"cudnnCreate:1=1", "cuDNN was found and cannot be used: cuda: cudnnCreate failed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "VDNN_CUDA_HOST=%s vdnnrun --model @/two.yaml --device cuda --dry-run "
                          "--profile @/kept",
                          cases[i].setting);
        vdnn_test_expect(&run, 0, cases[i].title);
        assert_non_null(strstr(run.err, "warning: cu"));
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state, "VDNN_CUDA_HOST=%s vdnnrun --doctor", cases[i].setting);
        vdnn_test_expect(&run, 0, "");
        assert_non_null(strstr(run.out, "problem: cu"));
        assert_non_null(strstr(run.out, cases[i].title));
        vdnn_test_run_free(&run);
    }
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "VDNN_CUDA_HOST=cudnn=0,cublas=0 vdnnrun --model @/two.yaml --device cuda "
                      "--dry-run --profile @/kept");
    vdnn_test_expect(&run, 0, cases[0].title);
    assert_non_null(strstr(run.err, cases[1].title));
    vdnn_test_run_free(&run);
}

TEST(an_error_says_what_cudnn_says_and_its_version)
{
    assert_null(vdnn_cuda_dnn_lack());
    assert_int_equal(vdnn_cuda_dnn_status("cudnnConvolutionForward", 0), VDNN_OK);
    assert_int_equal(vdnn_cuda_dnn_status("cudnnConvolutionForward", 3000), VDNN_DEVICE);
    assert_non_null(strstr(vdnn_status_message(), "cudnnConvolutionForward"));
    assert_non_null(strstr(vdnn_status_message(), "status 3000 of cuDNN 91300"));
    assert_non_null(strstr(vdnn_status_message(), "CUDNN_STATUS_NOT_SUPPORTED"));
}

int main(void)
{
    /* The programs that are linked with the emulation. */
    (void)setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 1);
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
