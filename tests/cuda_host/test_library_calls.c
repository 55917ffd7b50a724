/* How often cuDNN and cuFFT are asked while a network is planned: once for each way to compute a
 * pass of a layer, whatever happens to the answer, and a plan is made once for what it says and for
 * what runs next. */

#include "models/model.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static const char *const questions[] = {"cudnnGetConvolutionForwardWorkspaceSize",
                                        "cudnnGetConvolutionBackwardDataWorkspaceSize",
                                        "cudnnGetConvolutionBackwardFilterWorkspaceSize"};

typedef struct call_counts {
    int dnn_questions, dnn_tensors, fft_plans;
} call_counts;

/* Since the last time. */
static call_counts count_calls(void)
{
    call_counts counts = {.dnn_tensors = vdnn_cuda_host_calls("cudnnCreateTensorDescriptor"),
                          .fft_plans = vdnn_cuda_host_calls("cufftMakePlanMany")};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        counts.dnn_questions += vdnn_cuda_host_calls(questions[i]);
        vdnn_cuda_host_fail(questions[i], 0, 0);
    }
    vdnn_cuda_host_fail("cudnnCreateTensorDescriptor", 0, 0);
    vdnn_cuda_host_fail("cufftMakePlanMany", 0, 0);
    return counts;
}

static vdnn_device *open_card(void)
{
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_open("cuda", &(vdnn_device_options){.event_count = 4}, &device));
    return device;
}

static vdnn_graph *graph_of(const char *path, vdnn_dtype dtype)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN,
                                        .dtype = dtype,
                                        .preferred = dtype == VDNN_F32 ? VDNN_NCHW : VDNN_NHWC};
    assert_ok(vdnn_model_load(path, &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

/* Every row that applies to the layer, with one time for all. */
static void add_rows(vdnn_device *device, const vdnn_layer *layer, vdnn_profile_store *store)
{
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const vdnn_algorithm *row;
        vdnn_pass pass = (vdnn_pass)p;
        for (size_t next = 0;
             (row = vdnn_device_algorithm(device, layer->def->type, &next)) != NULL;) {
            vdnn_offer offer;
            const vdnn_profile_row fresh = {.signature = layer->signature,
                                            .algorithm = row->name,
                                            .pass = pass,
                                            .batch = layer->x[0].dims[VDNN_N],
                                            .seconds = 1};
            assert_ok(vdnn_device_ask(device, row, layer, pass, &offer));
            if (offer.refusal == NULL)
                assert_ok(vdnn_profile_store_add(store, &fresh));
        }
    }
}

/* As if the network had been measured. */
static vdnn_profile_store *complete_store(const vdnn_graph *graph)
{
    vdnn_profile_store *store = NULL;
    vdnn_device *device = open_card();
    assert_ok(vdnn_profile_store_create("key", &store));
    for (int32_t l = 0; l < graph->layer_count; l++)
        add_rows(device, &graph->layers[l], store);
    for (int rate = 0; rate < VDNN_PROFILE_RATE_COUNT; rate++)
        assert_ok(vdnn_profile_store_set_rate(store, (vdnn_profile_rate)rate, 1e9));
    vdnn_device_close(device);
    return store;
}

/* For each pass of each layer, the one with the most workspace. */
static void create_kernels(vdnn_device *device, const vdnn_graph *graph,
                           const vdnn_profile *profile)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            vdnn_kernel *kernel = NULL;
            int32_t count = profile->layers[l].choice_count[p];
            if (count == 0)
                continue;
            const vdnn_choice *choice = &profile->layers[l].choices[p][count - 1];
            assert_ok(vdnn_device_kernel(device, choice->algorithm, &graph->layers[l], (vdnn_pass)p,
                                         &kernel));
            assert_int_equal(kernel->workspace_bytes, choice->workspace_bytes);
            vdnn_kernel_destroy(kernel);
        }
}

static void expect_within(call_counts found, call_counts most)
{
    assert_in_range(found.dnn_questions, 0, most.dnn_questions);
    assert_in_range(found.dnn_tensors, 0, most.dnn_tensors);
    assert_in_range(found.fft_plans, 0, most.fft_plans);
}

/* What was counted; asking by row, for its refusal, its workspace and its kernel, took 2.5 times as
 * many. Layers of equal signature count once. */
static const struct {
    const char *model;
    vdnn_dtype dtype;
    call_counts planned, kernels;
} networks[] = {
    {"models/alexnet.yaml", VDNN_F32, {75, 167, 30}, {0, 0, 6}},
    {"models/alexnet.yaml", VDNN_BF16, {75, 167, 0}, {0, 0, 0}},
    {"models/googlenet.yaml", VDNN_F32, {827, 1814, 404}, {0, 0, 162}},
    {"models/googlenet.yaml", VDNN_BF16, {827, 1814, 0}, {0, 249, 0}},
    {"models/resnet50.yaml", VDNN_F32, {363, 726, 90}, {0, 4, 55}},
    {"models/resnet50.yaml", VDNN_BF16, {363, 726, 0}, {0, 216, 0}},
    {"models/vgg16.yaml", VDNN_F32, {187, 428, 62}, {0, 0, 0}},
    {"models/vgg16.yaml", VDNN_BF16, {187, 428, 0}, {0, 0, 0}},
};

TEST(a_network_is_planned_with_one_question_for_each_row)
{
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        vdnn_profile *profile = NULL;
        vdnn_graph *graph = graph_of(networks[i].model, networks[i].dtype);
        vdnn_profile_store *store = complete_store(graph);
        vdnn_device *device = open_card();
        (void)count_calls();
        assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
        expect_within(count_calls(), networks[i].planned);
        create_kernels(device, graph, profile);
        expect_within(count_calls(), networks[i].kernels);
        vdnn_profile_destroy(profile);
        assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
        expect_within(count_calls(), (call_counts){0, 0, 0}); /* all is known */
        vdnn_profile_destroy(profile);
        vdnn_device_close(device);
        vdnn_profile_store_destroy(store);
        vdnn_graph_destroy(graph);
    }
}

/* With a last run that is shorter: 17 samples. So many maps that all of a layer's are measured at
 * once. */
static const char odd_batch[] = "name: odd\n"
                                "input: {channels: 2, height: 8, width: 8}\n"
                                "classes: 3\n"
                                "batch: 17\n"
                                "layers:\n"
                                "  - {name: conv1, type: conv, out: 3, kernel: 3, pad: 1}\n"
                                "  - repeat: {count: 32, layers: [\n"
                                "      {name: 'conv2_{i}', type: conv, out: 3, kernel: 3, pad: "
                                "1}]}\n"
                                "  - {name: fc1, type: fc, out: 3}\n"
                                "  - {name: loss, type: softmax_loss}\n";

/* Kernels take the answers, and the plans too. Asked for each kernel it was 216 questions and 240
 * plans. */
TEST(to_measure_takes_no_further_question_and_no_further_plan)
{
    enum { MOST_PLANS = 16 };
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    vdnn_profile *profile = NULL;
    vdnn_profile_store *store = NULL;
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    assert_ok(vdnn_model_parse(odd_batch, strlen(odd_batch), "odd.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_device *device = open_card();
    assert_ok(vdnn_profile_store_create("key", &store));
    for (int l = 0; l < 2; l++)
        add_rows(device, &graph->layers[l], store);
    size_t rows = vdnn_profile_store_row_count(store);
    call_counts asked = count_calls();
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
    device = open_card();
    assert_ok(vdnn_profile_store_create("key", &store));
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    call_counts measured = count_calls();
    assert_true(vdnn_profile_store_row_count(store) >= rows);
    assert_int_equal(measured.dnn_questions, asked.dnn_questions);
    assert_int_equal(measured.fft_plans, asked.fft_plans);
    assert_in_range(measured.fft_plans, 1, MOST_PLANS);
    vdnn_profile_destroy(profile);
    vdnn_device_close(device);
    vdnn_profile_store_destroy(store);
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}
