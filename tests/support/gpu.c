#include "tests/support/gpu.h"

#include "layers/layer.h"
#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static void the_device_is_there(void **state)
{
    (void)state;
    skip_because("%s", vdnn_status_message());
}

bool vdnn_test_device_lacks(const char *kind)
{
    const vdnn_device_options options = {.event_count = 1};
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_device_is_there)};
    vdnn_device *device = NULL;
    bool is_there = vdnn_device_open(kind, &options, &device) == VDNN_OK;
    vdnn_device_close(device);
    if (!is_there)
        (void)cmocka_run_group_tests(tests, NULL, NULL);
    return !is_there;
}

int vdnn_test_open_device(const char *kind, vdnn_device **device)
{
    const vdnn_device_options options = {.event_count = 1};
    if (strcmp(kind, "cpu") == 0 || vdnn_device_open(kind, &options, device) == VDNN_OK)
        return 0;
    print_error("%s\n", vdnn_status_message());
    return -1;
}

int vdnn_test_main_on(const char *kind, vdnn_device **device)
{
    if (vdnn_test_device_lacks(kind))
        return 0;
    if (vdnn_test_open_device(kind, device) != 0)
        return 1;
    const int failed = vdnn_test_main(NULL, NULL);
    vdnn_device_close(*device);
    return failed;
}

void vdnn_test_every_layer(const char *folder)
{
    static const char text[] =
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
    vdnn_test_write_file(vdnn_test_path(folder, "every.yaml"), text, sizeof text - 1);
}

static vdnn_status add_often(void *argument, void *stream)
{
    const vdnn_test_adding *own = argument;
    const vdnn_elementwise *row = vdnn_elementwise_find("cuda");
    vdnn_status status = VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < own->times; i++)
        status = row->accumulate(own->sum, own->part, VDNN_F32, own->count, 1, stream);
    return status;
}

vdnn_launch vdnn_test_add(vdnn_test_adding *adding, const vdnn_extent *extents)
{
    return (vdnn_launch){
        .run = add_often, .argument = adding, .extents = extents, .extent_count = 1};
}
