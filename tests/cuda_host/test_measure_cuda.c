/* Measuring a profile on the CUDA device, over the emulation of CUDA on the CPU: what crosses the
 * link, and what the stream is full of. */

#include "models/model.h"
#include "runtime/measure/measured_profile.h"
#include "runtime/profile/profile_store.h"
#include "tests/cuda_host/cuda_host.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static const char network[] = "name: small\n"
                              "input: {channels: 4, height: 12, width: 12}\n"
                              "classes: 5\n"
                              "batch: 8\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                              "  - {name: norm1, type: batchnorm}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: pool1, type: maxpool, kernel: 2}\n"
                              "  - {name: conv2, type: conv, out: 8, kernel: 1}\n"
                              "  - {name: drop, type: dropout, p: 0.5}\n"
                              "  - {name: fc, type: fc, out: 5}\n"
                              "  - {name: loss, type: softmax_loss}\n";

static int reset(void **state)
{
    (void)state;
    vdnn_cuda_host_reset();
    return 0;
}

static vdnn_graph *graph_of(vdnn_dtype dtype)
{
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = dtype};
    assert_ok(vdnn_model_parse(network, strlen(network), "small.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

static vdnn_device *open_device(void)
{
    vdnn_device *device = NULL;
    assert_ok(vdnn_device_open("cuda", &(vdnn_device_options){.event_count = 1}, &device));
    return device;
}

/* ---- the link -------------------------------------------------------------------------------- */

/* As if the link was measured before: passes alone are left to measure. */
static vdnn_profile_store *store_with_rates(void)
{
    vdnn_profile_store *store = NULL;
    assert_ok(vdnn_profile_store_create("k", &store));
    for (int i = 0; i < VDNN_PROFILE_RATE_COUNT; i++)
        vdnn_profile_store_set_rate(store, (vdnn_profile_rate)i, 1);
    return store;
}

TEST_WITH(passes_are_measured_without_a_byte_over_the_link, reset, NULL)
{
    static const vdnn_dtype dtypes[] = {VDNN_F32, VDNN_BF16};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        vdnn_graph *graph = graph_of(dtypes[i]);
        vdnn_device *device = open_device();
        vdnn_profile_store *store = store_with_rates();
        vdnn_profile *profile = NULL;
        assert_ok(vdnn_measured_profile_create(graph, device, store, NULL, &profile));
        assert_true(vdnn_profile_store_measured_count(store) > 20);
        assert_int_equal(vdnn_cuda_host_bytes(cudaMemcpyHostToDevice), 0);
        assert_int_equal(vdnn_cuda_host_bytes(cudaMemcpyDeviceToHost), 0);
        vdnn_profile_destroy(profile);
        vdnn_profile_store_destroy(store);
        vdnn_device_close(device);
        vdnn_graph_destroy(graph);
    }
    assert_int_equal(vdnn_cuda_host_live(), 0);
}
