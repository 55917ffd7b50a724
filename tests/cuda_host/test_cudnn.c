/* cuDNN's rows on the stand-in: they are measured beside the others where it is found, and nothing
 * misses it where it is not. */

#include "layers/cuda_dnn.h"
#include "tests/support/program.h"
#include "tests/support/run_json.h"

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

/* What the report says of an algorithm in a pass of conv2: "" where it was measured, else the
 * reason. */
static void expect(const char *folder, const char *pass, const char *name, const char *reason)
{
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "a.json"));
    json_t *layers = json_object_get(root, "layers"), *layer, *record, *item;
    size_t l, p, i;
    int found = 0;
    json_array_foreach(layers, l, layer)
    {
        if (strcmp(vdnn_test_text_at(layer, "name"), "conv2") != 0)
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
        fail_msg("%s in %s of conv2 is not as expected: '%s'", name, pass, reason);
    json_decref(root);
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

static void its_algorithms_are_measured_where_it_is_found(void **state)
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

static void what_differs_from_run_to_run_waits_for_leave(void **state)
{
    report(*state, "cudnn=91300", "");
    expect(*state, "backward_data", "cudnn_atomic", "--nondeterministic");
    expect(*state, "backward_filter", "cudnn_atomic_precomputed", "--nondeterministic");
    report(*state, "cudnn=91300", "--nondeterministic");
    expect(*state, "backward_data", "cudnn_atomic", "");
    expect(*state, "backward_filter", "cudnn_atomic_precomputed", "");
}

static void without_it_or_with_another_version_all_else_works(void **state)
{
    static const struct {
        const char *setting, *reason;
    } cases[] = {{"cudnn=0", "was not found"},
                 {"cudnn=7605", "another version than 8 and 9"},
                 {"cudnn=100000", "another version than 8 and 9"},
                 {"cudnnCreate:1=1", ""},
                 {"cudnnCreateTensorDescriptor:1=1", "cuDNN does not do it so"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        report(*state, cases[i].setting, "");
        if (i < 3)
            expect(*state, "forward", "cudnn_implicit", cases[i].reason);
        expect(*state, "forward", "gemm", "");
    }
}

static void a_convolution_that_fails_while_it_is_measured_is_left_out(void **state)
{
    report(*state, "cudnn:1=1", "");
    expect(*state, "forward", "gemm", "");
}

static void an_error_says_what_cudnn_says_and_its_version(void **state)
{
    (void)state;
    assert_null(vdnn_cuda_dnn_lack());
    assert_int_equal(vdnn_cuda_dnn_status("cudnnConvolutionForward", 0), VDNN_OK);
    assert_int_equal(vdnn_cuda_dnn_status("cudnnConvolutionForward", 3000), VDNN_DEVICE);
    assert_non_null(strstr(vdnn_status_message(), "cudnnConvolutionForward"));
    assert_non_null(strstr(vdnn_status_message(), "status 3000 of cuDNN 91300"));
    assert_non_null(strstr(vdnn_status_message(), "CUDNN_STATUS_NOT_SUPPORTED"));
}

int main(void)
{
    /* The programs that are linked with the stand-in. */
    (void)setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_algorithms_are_measured_where_it_is_found),
        cmocka_unit_test(what_differs_from_run_to_run_waits_for_leave),
        cmocka_unit_test(without_it_or_with_another_version_all_else_works),
        cmocka_unit_test(a_convolution_that_fails_while_it_is_measured_is_left_out),
        cmocka_unit_test(an_error_says_what_cudnn_says_and_its_version),
    };
    return cmocka_run_group_tests(tests, make_network, vdnn_test_remove_folder);
}
