/* Guarded memory on the CUDA device: a kernel that writes one element past its map is named, and
 * sound ones give the same bits as without guards. */

#include "runtime/checker/checker.h"
#include "runtime/exec/executor.h"
#include "runtime/exec/redzone.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"
#include "runtime/train/weights.h"
#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/gpu.h"
#include "tests/support/policy_ask.h"
#include "tests/support/session_topics.h"

#include <stdio.h>
#include <string.h>

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_every_layer(*state);
    return 0;
}

/* ---- a broken kernel ------------------------------------------------------------------------- */

static const vdnn_algorithm *honest;

/* As the honest one; then the element behind its map is doubled. */
static vdnn_status run_beyond(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_elementwise *row = vdnn_elementwise_find("cuda");
    void *end = (char *)args->y + vdnn_desc_bytes(&kernel->layer->y);
    vdnn_status status = honest->run(kernel, args);
    return status == VDNN_OK ? row->accumulate(end, end, VDNN_F32, 1, 1, args->stream) : status;
}

/* The forward pass of a layer is done by `by` from now on. */
static void replace(vdnn_plan *plan, int32_t layer, const vdnn_algorithm *by)
{
    honest = plan->algorithms[layer][VDNN_FORWARD];
    plan->algorithms[layer][VDNN_FORWARD] = by;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].layer == layer && plan->steps[i].algorithm == honest)
            plan->steps[i].algorithm = by;
}

static int32_t find_layer(const vdnn_graph *graph, const char *name)
{
    int32_t l = 0;
    while (strcmp(graph->layers[l].name, name) != 0)
        l++;
    return l;
}

/* One step of a plan in guarded memory. */
static vdnn_status run_guarded(const vdnn_plan *plan, vdnn_device *device)
{
    const vdnn_graph *graph = plan->graph;
    vdnn_executor *executor = NULL;
    vdnn_executor_result result;
    void *images, *labels;
    size_t image_bytes = vdnn_desc_bytes(&graph->tensors[0].desc),
           label_bytes = (size_t)graph->batch * sizeof(int32_t);
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_DEVICE, plan->span_bytes[VDNN_TIER_DEVICE]));
    assert_ok(vdnn_device_reserve(device, VDNN_TIER_HOST, plan->span_bytes[VDNN_TIER_HOST]));
    assert_ok(vdnn_weights_fill(plan, device, 1, NULL));
    assert_ok(vdnn_device_stage(device, image_bytes, &images));
    assert_ok(vdnn_device_stage(device, label_bytes, &labels));
    memset(images, 0, image_bytes);
    memset(labels, 0, label_bytes);
    assert_ok(vdnn_executor_create(plan, device, vdnn_tier_unlimited, &executor));
    assert_ok(vdnn_executor_guard(executor));
    const vdnn_executor_batch batch = {.inputs = {images, labels},
                                       .context = {.settings = {.lr = 0.1}}};
    vdnn_status status = vdnn_executor_step(executor, &batch, &result);
    vdnn_executor_destroy(executor);
    vdnn_device_unstage(device, images);
    vdnn_device_unstage(device, labels);
    return status;
}

TEST(a_kernel_that_writes_beyond_its_map_is_named)
{
    const vdnn_device_options device_options = {.event_count = 64, .poison = true};
    vdnn_graph_options options = {.preferred = VDNN_NCHW, .zone_bytes = VDNN_REDZONE_BYTES};
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    vdnn_device *device = NULL;
    vdnn_profile_store *store = NULL;
    vdnn_profile *profile = NULL;
    vdnn_plan *plan = NULL;
    assert_ok(vdnn_model_load(vdnn_test_path(*state, "every.yaml"), &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    assert_ok(vdnn_device_open("cuda", &device_options, &device));
    assert_ok(vdnn_profile_store_create("any", &store));
    assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
    const vdnn_policy_ask request = {
        .graph = graph, .profile = profile, .budget_bytes = {SIZE_MAX, SIZE_MAX}};
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("all"), &request, &plan, NULL));
    assert_ok(run_guarded(plan, device));

    graph->zone_bytes *= 2; /* which this plan does not leave */
    assert_status(vdnn_checker_check(plan, vdnn_tier_unlimited), VDNN_INTERNAL);
    graph->zone_bytes /= 2;

    int32_t layer = find_layer(graph, "conv2");
    vdnn_algorithm broken = *plan->algorithms[layer][VDNN_FORWARD];
    broken.run = run_beyond;
    replace(plan, layer, &broken);
    assert_status(run_guarded(plan, device), VDNN_MISMATCH);
    assert_message("poison: step 1: run of layer 'conv2', forward by ");
    assert_message("wrote past a buffer: byte ");
    vdnn_plan_destroy(plan);
    vdnn_profile_destroy(profile);
    vdnn_profile_store_destroy(store);
    vdnn_device_close(device);
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

/* ---- sound kernels --------------------------------------------------------------------------- */

static void train(const char *folder, const char *dtype, bool poison, const char *save)
{
    char model[256], profile[256];
    (void)snprintf(model, sizeof model, "%s/every.yaml", folder);
    (void)snprintf(profile, sizeof profile, "%s/profile-%s", folder, dtype);
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = model,
                                          .profile = profile,
                                          .dtype = dtype,
                                          .device = "cuda",
                                          .policy = "all",
                                          .steps = 3,
                                          .save = save,
                                          .trust = vdnn_test_topic(trust, .poison = poison)};
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    vdnn_session_destroy(session);
}

TEST(sound_kernels_give_the_bits_that_they_give_without)
{
    static const char *const dtypes[] = {"f32", "bf16"};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        const char *plain = vdnn_test_path(*state, "plain"),
                   *guarded = vdnn_test_path(*state, "guarded");
        train(*state, dtypes[i], false, plain);
        train(*state, dtypes[i], true, guarded);
        vdnn_test_expect_same_file(plain, guarded);
    }
}

int main(void)
{
    if (vdnn_test_device_lacks("cuda"))
        return 0;
    return vdnn_test_main(make_network, vdnn_test_remove_folder);
}
