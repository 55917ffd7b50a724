/* Device models: whatever is read as one is a device whose name is text, whose memory holds what it
 * says can be used, and which takes a finite time for every pass and copy. */

#include "runtime/base/text.h"
#include "runtime/device/device.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char network[] = "name: n\n"
                              "input: {channels: 3, height: 16, width: 16}\n"
                              "classes: 4\n"
                              "batch: 2\n"
                              "layers:\n"
                              "  - {name: c, type: conv, out: 8, kernel: 3}\n"
                              "  - {name: d, type: conv, out: 8, kernel: 5, stride: 2, pad: 2}\n"
                              "  - {name: p, type: maxpool, kernel: 2}\n"
                              "  - {name: f, type: fc, out: 4}\n"
                              "  - {name: l, type: softmax_loss}\n";

/* How many of the algorithms the device has for the pass. */
static int check_pass(const vdnn_device *device, const vdnn_layer *layer, vdnn_pass pass)
{
    int found = 0;
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        double seconds = -1;
        size_t workspace = 0;
        if (strcmp(row->device, "sim") != 0 || strcmp(row->layer_type, layer->def->type) != 0 ||
            vdnn_algorithm_refusal(row, layer, pass) != NULL)
            continue;
        vdnn_status status = vdnn_device_predict(device, layer, pass, row, &seconds, &workspace);
        vdnn_fuzz_status(status, 1U << VDNN_DEVICE);
        VDNN_FUZZ_CHECK(status != VDNN_OK || (isfinite(seconds) && seconds >= 0));
        found += status == VDNN_OK;
    }
    return found;
}

static void check_device(const vdnn_device *device)
{
    const vdnn_graph *graph = vdnn_fuzz_graph(network);
    const vdnn_device_properties *properties = vdnn_device_describe(device);
    vdnn_rates rates = vdnn_device_predict_rates(device);
    VDNN_FUZZ_CHECK(properties->name[0] != '\0' && !vdnn_text_has_control(properties->name));
    VDNN_FUZZ_CHECK(properties->free_bytes > 0 &&
                    properties->free_bytes <= properties->memory_bytes);
    VDNN_FUZZ_CHECK(rates.copy_out_bytes_per_second > 0 && rates.copy_in_bytes_per_second > 0);
    VDNN_FUZZ_CHECK(rates.elementwise_bytes_per_second > 0);
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            VDNN_FUZZ_CHECK(!vdnn_layer_has_pass(&graph->layers[l], (vdnn_pass)p) ||
                            check_pass(device, &graph->layers[l], (vdnn_pass)p) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const vdnn_device_options options = {.threads = 1, .event_count = 1};
    vdnn_device *device = NULL;
    char kind[300];
    (void)vdnn_fuzz_graph(network);
    vdnn_fuzz_begin();
    (void)snprintf(kind, sizeof kind, "sim:%s", vdnn_fuzz_file("card.yaml", data, size));
    vdnn_status status = vdnn_device_open(kind, &options, &device);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK)
        check_device(device);
    vdnn_device_close(device);
    return vdnn_fuzz_end();
}
