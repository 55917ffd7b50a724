/* vdnnrun on the CUDA device over the stand-in: from a network file to weights. */

#include "tests/support/program.h"

#include <math.h>
#include <stdlib.h>

/* Every kind of layer that a network file can name, none larger than it must be. */
static const char every_layer[] =
    "name: every_layer\n"
    "input: {channels: 3, height: 12, width: 12}\n"
    "classes: 10\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: lrn1, type: lrn, size: 3}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1, groups: 2}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: sum, type: add, from: [relu2, pool1]}\n"
    "  - {name: branch, type: avgpool, kernel: 3, stride: 1, pad: 1, from: sum}\n"
    "  - {name: both, type: concat, from: [sum, branch]}\n"
    "  - {name: conv3, type: conv, out: 12, kernel: 3, stride: 2, dilation: 1}\n"
    "  - {name: mean, type: global_avgpool}\n"
    "  - {name: drop, type: dropout, p: 0.25}\n"
    "  - {name: fc, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n";

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_write_file(vdnn_test_path(*state, "every.yaml"), every_layer, sizeof every_layer - 1);
    return 0;
}

static void weights_are_the_same_bits_under_every_policy_and_stash(void **state)
{
    static const char *const policies[] = {"base --algo p", "base --algo m", "all", "conv", "dyn"};
    static const char *const stashes[] = {"classic", "slim"};
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/every.yaml --device cuda --policy base --steps 3 "
                      "--profile @/profile --save @/first.safetensors --json @/first.json");
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
    for (size_t p = 0; p < 5; p++)
        for (size_t s = 0; s < 2; s++) {
            vdnn_test_program(&run, *state,
                              "vdnnrun --model @/every.yaml --device cuda --policy %s --stash %s "
                              "--steps 3 --profile @/profile --algos @/first.json "
                              "--save @/other.safetensors",
                              policies[p], stashes[s]);
            vdnn_test_expect(&run, 0, "a step took");
            vdnn_test_run_free(&run);
            char first[512];
            (void)snprintf(first, sizeof first, "%s", vdnn_test_path(*state, "first.safetensors"));
            vdnn_test_expect_same_file(first, vdnn_test_path(*state, "other.safetensors"));
        }
}

static double last_loss(const char *path)
{
    json_t *root = vdnn_test_json(path);
    const json_t *losses = json_object_get(root, "losses");
    double loss = json_number_value(json_array_get(losses, json_array_size(losses) - 1));
    json_decref(root);
    return loss;
}

/* Three steps of sums in another order. */
static const double error_bound = 1e-4;

static void losses_are_those_of_the_cpu_device(void **state)
{
    static const char *const devices[] = {"cpu", "cuda"};
    double losses[2];
    for (size_t i = 0; i < 2; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/every.yaml --device %s --steps 3 --json @/run.json",
                          devices[i]);
        vdnn_test_expect(&run, 0, "a step took");
        vdnn_test_run_free(&run);
        losses[i] = last_loss(vdnn_test_path(*state, "run.json"));
    }
    assert_true(fabs(losses[0] - losses[1]) <= error_bound * fabs(losses[0]));
}

static void a_run_offloads_verifies_and_traces(void **state)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/every.yaml --device cuda --policy all --stash classic "
                      "--steps 2 --verify --trace @/trace.json --json @/run.json");
    vdnn_test_expect(&run, 0, "a step took");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    const json_t *plan = json_object_get(root, "plan"),
                 *measured = json_object_get(root, "measured");
    assert_true(json_integer_value(json_object_get(plan, "offload_bytes")) > 0);
    assert_int_equal(json_integer_value(json_object_get(plan, "offload_bytes")),
                     json_integer_value(json_object_get(measured, "offload_bytes")));
    assert_int_equal(json_integer_value(json_object_get(plan, "arena_bytes")),
                     json_integer_value(json_object_get(measured, "device_arena_bytes")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(root, "device"), "kind")),
                        "cuda");
    json_decref(root);
}

static void a_run_ends_with_5_and_the_reason_where_the_card_fails(void **state)
{
    static const struct {
        const char *fault, *part;
    } cases[] = {
        {"driver=0", "was not found"},
        {"driver=12020", "the driver is for CUDA 12.2"},
        {"devices=0", "it sees no card"},
        {"kernel:40=719", "cudaErrorLaunchFailure"},
        {"cudaMemcpyAsync:3=1", "cudaMemcpyAsync"},
        {"cublas:3=1", "cublasSgemm failed"},
        {"cudaMalloc:2=2", "the device tier needs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "VDNN_CUDA_HOST=%s vdnnrun --model @/every.yaml --device cuda --steps 2 "
                          "--profile @/profile",
                          cases[i].fault);
        vdnn_test_expect(&run, 5, cases[i].part);
        vdnn_test_run_free(&run);
    }
}

static void a_budget_is_the_arenas_and_what_does_not_fit_ends_with_4(void **state)
{
    vdnn_test_run_to(*state, 4, "--device-mem",
                     "vdnnrun --model @/every.yaml --device cuda --device-mem 10KiB --steps 2");
    vdnn_test_run_to(*state, 4, "--device-mem",
                     "VDNN_CUDA_HOST=memory=101000000 vdnnrun --model @/every.yaml --device cuda "
                     "--steps 2 --batch 2000");
}

static void without_cublas_and_pinned_memory_it_works_too(void **state)
{
    vdnn_test_run_to(
        *state, 0, "a step took",
        "VDNN_CUDA_HOST=cublas=0 vdnnrun --model @/every.yaml --device cuda --steps 2");
}

static void a_data_type_that_the_device_lacks_is_refused(void **state)
{
    vdnn_test_run_to(*state, 5, "use --dtype f32",
                     "vdnnrun --model @/every.yaml --device cuda --steps 2 --dtype bf16");
}

int main(void)
{
    /* The programs that are linked with the stand-in. */
    (void)setenv("VDNN_BIN", VDNN_TEST_CUDA_BIN, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_the_same_bits_under_every_policy_and_stash),
        cmocka_unit_test(losses_are_those_of_the_cpu_device),
        cmocka_unit_test(a_run_offloads_verifies_and_traces),
        cmocka_unit_test(a_run_ends_with_5_and_the_reason_where_the_card_fails),
        cmocka_unit_test(a_budget_is_the_arenas_and_what_does_not_fit_ends_with_4),
        cmocka_unit_test(without_cublas_and_pinned_memory_it_works_too),
        cmocka_unit_test(a_data_type_that_the_device_lacks_is_refused),
    };
    return cmocka_run_group_tests(tests, make_network, vdnn_test_remove_folder);
}
