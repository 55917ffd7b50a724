#include "runtime/calibrate/shapes.h"

#include "models/model.h"
#include "runtime/base/text.h"
#include "runtime/device/device.h"

#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

#define CONV(n, c, side, k, r, stride, pad)                                                        \
    {                                                                                              \
        VDNN_CALIBRATE_CONVOLUTION, "conv", n, c, side, k, r, stride, pad                          \
    }
#define PRODUCT(n, c, k)                                                                           \
    {                                                                                              \
        VDNN_CALIBRATE_PRODUCT, "fc", n, c, 1, k, 1, 1, 0                                          \
    }
#define BYTES(type, n, c, side)                                                                    \
    {                                                                                              \
        VDNN_CALIBRATE_BYTES, type, n, c, side, 0, 2, 2, 0                                         \
    }

/* Of AlexNet, VGG-16, GoogLeNet, ResNet-50 and a transformer, in batches of training; the largest
 * keep any card busy, for its peaks. */
// clang-format off
static const vdnn_calibrate_shape shapes[] = {
    BYTES("relu", 32, 64, 112),
    BYTES("batchnorm", 32, 64, 112),
    BYTES("maxpool", 32, 64, 112),
    PRODUCT(256, 4096, 4096),
    CONV(64, 256, 14, 256, 3, 1, 1),
    CONV(64, 64, 56, 256, 1, 1, 0),
    CONV(32, 128, 56, 128, 3, 1, 1),
    PRODUCT(8192, 4096, 4096),
    CONV(64, 256, 56, 256, 3, 1, 1),
    PRODUCT(1024, 1024, 1024),
    CONV(64, 3, 224, 64, 7, 2, 3),
    CONV(64, 1024, 14, 256, 1, 1, 0),
    PRODUCT(64, 2048, 1000),
    CONV(64, 512, 7, 512, 3, 1, 1),
    CONV(64, 64, 56, 64, 3, 1, 1),
    CONV(64, 256, 56, 64, 1, 1, 0),
    BYTES("relu", 64, 256, 28),
    CONV(32, 96, 27, 256, 5, 1, 2),
    PRODUCT(128, 9216, 4096),
    CONV(64, 128, 56, 128, 3, 2, 1),
    CONV(64, 512, 28, 128, 1, 1, 0),
    CONV(32, 3, 224, 64, 3, 1, 1),
    PRODUCT(2048, 1024, 4096),
    CONV(8, 256, 14, 256, 3, 1, 1),
    CONV(64, 256, 56, 512, 1, 2, 0),
    BYTES("batchnorm", 64, 256, 28),
    CONV(64, 128, 28, 128, 3, 1, 1),
    CONV(64, 256, 14, 1024, 1, 1, 0),
    PRODUCT(32, 4096, 1000),
    CONV(32, 16, 28, 32, 5, 1, 2),
    CONV(32, 512, 14, 512, 3, 1, 1),
    PRODUCT(512, 768, 3072),
    CONV(64, 1024, 14, 2048, 1, 2, 0),
    CONV(32, 96, 28, 128, 3, 1, 1),
    CONV(32, 3, 227, 96, 11, 4, 0),
    PRODUCT(4096, 512, 512),
    CONV(32, 64, 224, 64, 3, 1, 1),
    CONV(64, 2048, 7, 512, 1, 1, 0),
    CONV(16, 256, 28, 512, 3, 1, 1),
    PRODUCT(16, 4096, 4096),
};
// clang-format on

const vdnn_calibrate_list vdnn_calibrate_shapes = {shapes, sizeof shapes / sizeof *shapes};

/* ---- as networks ----------------------------------------------------------------------------- */

static const char name_of_subject[] = "subject";

static void write_network(const vdnn_calibrate_shape *shape, vdnn_text *text)
{
    vdnn_text_add(text,
                  "name: %s\ninput: {channels: %lld, height: %lld, width: %lld}\nclasses: 2\n"
                  "batch: %lld\nlayers:\n  - {name: before, type: batchnorm}\n"
                  "  - {name: %s, type: %s",
                  shape->type, (long long)shape->channels, (long long)shape->side,
                  (long long)shape->side, (long long)shape->batch, name_of_subject, shape->type);
    if (shape->out > 0)
        vdnn_text_add(text, ", out: %lld", (long long)shape->out);
    if (strcmp(shape->type, "conv") == 0 || strcmp(shape->type, "maxpool") == 0)
        vdnn_text_add(text, ", kernel: %lld, stride: %lld, pad: %lld", (long long)shape->kernel,
                      (long long)shape->stride, (long long)shape->pad);
    vdnn_text_add(text, "}\n  - {name: scores, type: fc, out: 2}\n"
                        "  - {name: loss, type: softmax_loss}\n");
}

vdnn_status vdnn_calibrate_shape_graph(const vdnn_calibrate_shape *shape, const char *device,
                                       vdnn_dtype dtype, vdnn_graph **graph)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN,
                                        .dtype = dtype,
                                        .preferred = vdnn_device_preferred_layout(device),
                                        .unfused = true};
    vdnn_text text = {0};
    vdnn_model *model = NULL;
    write_network(shape, &text);
    if (text.failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "calibration: no memory for a network");
    vdnn_status status = vdnn_model_parse(text.data, text.length, shape->type, &model);
    VDNN_IF_OK(status, vdnn_graph_create(model, &options, graph));
    vdnn_model_destroy(model);
    vdnn_text_fini(&text);
    return status;
}

const vdnn_layer *vdnn_calibrate_shape_subject(const vdnn_graph *graph)
{
    int32_t i = 0;
    while (strcmp(graph->layers[i].name, name_of_subject) != 0)
        i++;
    return &graph->layers[i];
}
