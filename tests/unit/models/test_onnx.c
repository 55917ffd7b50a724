/* ONNX files as networks and as weights. */

#include "models/onnx/onnx.h"

#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/graph/graph.h"
#include "runtime/train/files/onnx_writer.h"
#include "tests/support/files.h"
#include "tests/support/onnx_file.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIMS(...)                                                                                  \
    (const int64_t[]){__VA_ARGS__}, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static const char *path_in(void **state)
{
    return vdnn_test_path(*state, "net.onnx");
}

/* A picture of 3 x 8 x 8, and what most graphs below read. */
static void begin(vdnn_test_onnx *f)
{
    *f = (vdnn_test_onnx){0};
    vdnn_test_onnx_input(f, "x", DIMS(0, 3, 8, 8));
    vdnn_test_onnx_floats(f, "conv.weight", DIMS(4, 3, 3, 3), 0.1F);
    vdnn_test_onnx_floats(f, "conv.bias", DIMS(4), 0.5F);
    vdnn_test_onnx_floats(f, "four", DIMS(4), 1.0F);
    vdnn_test_onnx_floats(f, "head.weight", DIMS(10, 4), 0.2F);
}

/* From "z", of 4 channels of any size, to ten classes. */
static void end(vdnn_test_onnx *f, int64_t opset, const char *path)
{
    vdnn_test_onnx_node(f, "GlobalAveragePool", "mean", "z", "m", "");
    vdnn_test_onnx_node(f, "Flatten", "flat", "m", "v", "");
    vdnn_test_onnx_node(f, "Gemm", "head", "v head.weight", "y", "transB=1");
    vdnn_test_onnx_output(f, "y");
    vdnn_test_onnx_write(f, opset, path);
}

/* ---- networks -------------------------------------------------------------------------------- */

/* The text has the line, after which the rest may follow. */
static void expect_text(const char *path, const char *part)
{
    vdnn_onnx *onnx = NULL;
    assert_ok(vdnn_onnx_open(path, &onnx));
    if (strstr(vdnn_onnx_text(onnx), part) == NULL)
        fail_msg("%s is not in %s", part, vdnn_onnx_text(onnx));
    vdnn_onnx_close(onnx);
}

TEST_IN_FOLDER(a_graph_becomes_the_layers_of_a_network)
{
    vdnn_test_onnx f;
    vdnn_model *model = NULL;
    begin(&f);
    vdnn_test_onnx_node(&f, "Conv", "/conv/Conv", "x conv.weight conv.bias", "c", "pads=[1,1,1,1]");
    vdnn_test_onnx_node(&f, "Relu", "/act/Relu", "c", "z", "");
    end(&f, 13, path_in(state));
    assert_ok(vdnn_model_read(path_in(state), &model));
    assert_string_equal(model->name, "net");
    assert_string_equal(model->weights, path_in(state));
    assert_null(model->notes);
    assert_int_equal(model->classes, 10);
    assert_int_equal(model->inputs[0].channels, 3);
    assert_int_equal(model->inputs[0].width, 8);
    static const char *const layers[][2] = {{"conv", "conv"},
                                            {"act/Relu", "relu"},
                                            {"mean", "global_avgpool"},
                                            {"head", "fc"},
                                            {"loss", "softmax_loss"}};
    assert_int_equal(model->layer_count, sizeof layers / sizeof *layers);
    for (int32_t i = 0; i < model->layer_count; i++) {
        assert_string_equal(model->layers[i].name, layers[i][0]);
        assert_string_equal(model->layers[i].def->type, layers[i][1]);
    }
    assert_int_equal(model->layers[2].line, 3); /* the third node */
    vdnn_model_destroy(model);
}

/* Operators between the input and "z", as layers. */
typedef struct mapping {
    const char *op, *inputs, *attributes;
    int64_t opset;
    const char *text; /* of the layer; NULL: there is none */
} mapping;

TEST_IN_FOLDER(each_operator_becomes_its_layer)
{
    static const mapping mappings[] = {
        {"Conv", "c conv4", "auto_pad=SAME_UPPER strides=[1,1] dilations=[2,2] group=2", 13,
         "type: conv, from: [\"conv\"], out: 4, kernel: [3, 3], stride: [1, 1], pad: [2, 2]"},
        {"ConvTranspose", "c conv4", "strides=[2,3] pads=[1,2,0,1] group=2", 13,
         "type: conv_transpose, from: [\"conv\"], out: 4, kernel: [3, 3], stride: [2, 3], pad: [1, "
         "2], dilation: [1, 1], groups: 2, bias: false, output_pad: [1, 1]}"},
        {"MaxPool", "c", "kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]", 12,
         "type: maxpool, from: [\"conv\"], kernel: [3, 3], stride: [2, 2], pad: [1, 1], ceil: "
         "false"},
        {"MaxPool", "c", "kernel_shape=[3,3] strides=[2,2] pads=[0,0,1,1]", 12,
         "kernel: [3, 3], stride: [2, 2], pad: [0, 0], ceil: true"},
        {"MaxPool", "c", "kernel_shape=[2,2] strides=[2,2] auto_pad=SAME_LOWER", 12,
         "kernel: [2, 2], stride: [2, 2], pad: [0, 0], ceil: false"},
        {"AveragePool", "c", "kernel_shape=[3,3] strides=[2,2] ceil_mode=1 count_include_pad=1", 19,
         "type: avgpool, from: [\"conv\"], kernel: [3, 3], stride: [2, 2], pad: [0, 0], ceil: "
         "true, "
         "count_pad: true"},
        {"AveragePool", "c", "kernel_shape=[3,3] auto_pad=SAME_UPPER", 9,
         "stride: [1, 1], pad: [1, 1], ceil: false, count_pad: false"},
        {"GlobalMaxPool", "c", "", 13, "type: maxpool, from: [\"conv\"], kernel: [8, 8]"},
        {"ReduceMean", "c", "axes=[-1,-2]", 13, "type: global_avgpool, from: [\"conv\"]"},
        {"BatchNormalization", "c four four four four", "epsilon=0.001 momentum=0.8", 15,
         "type: batchnorm, from: [\"conv\"], eps: 0.001, momentum: 0.2"},
        {"InstanceNormalization", "c four four", "epsilon=0.001", 15,
         "type: instancenorm, from: [\"conv\"], eps: 0.001, affine: true}"},
        {"LRN", "c", "size=5 alpha=0.0002 beta=0.5 bias=2.0", 13,
         "type: lrn, from: [\"conv\"], size: 5, alpha: 0.0002, beta: 0.5, k: 2"},
        {"Dropout", "c", "ratio=0.25", 10, "type: dropout, from: [\"conv\"], p: 0.25"},
        {"Dropout", "c", "", 13, "type: dropout, from: [\"conv\"], p: 0.5"},
        {"Add", "c c", "", 13, "type: add, from: [\"conv\", \"conv\"]"},
        {"Sum", "c c c", "", 13, "type: add, from: [\"conv\", \"conv\", \"conv\"]"},
        {"Sum", "c", "", 13, NULL},
        {"Identity", "c", "", 13, NULL},
        {"Transpose", "c", "perm=[0,1,2,3]", 13, NULL},
        {"Cast", "c", "to=10", 13, NULL},
        {"Clip", "c", "min=0.0", 9, "type: relu, from: [\"conv\"]}"},
        {"Clip", "c", "min=0.0 max=6.0", 9, "type: relu6, from: [\"conv\"]}"},
        {"LeakyRelu", "c", "alpha=0.25", 13, "type: leaky_relu, from: [\"conv\"], slope: 0.25}"},
        {"LeakyRelu", "c", "", 13, "type: leaky_relu, from: [\"conv\"], slope: 0.01}"},
        {"Sigmoid", "c", "", 13, "type: sigmoid, from: [\"conv\"]}"},
        {"Tanh", "c", "", 13, "type: tanh, from: [\"conv\"]}"},
        {"HardSwish", "c", "", 14, "type: hardswish, from: [\"conv\"]}"},
        {"Gelu", "c", "", 20, "type: gelu, from: [\"conv\"], approximate: none}"},
        {"Gelu", "c", "approximate=tanh", 20, "type: gelu, from: [\"conv\"], approximate: tanh}"},
        {"Mul", "c c", "", 13, "type: mul, from: [\"conv\", \"conv\"]}"},
        {"Mul", "c half", "", 13, "type: scale, from: [\"conv\"], factor: -1.5}"},
        {"Mul", "half c", "", 13, "type: scale, from: [\"conv\"], factor: -1.5}"},
        {"Div", "c half", "", 13, "type: scale, from: [\"conv\"], factor: -0.666666667}"},
    };
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; i++) {
        const mapping *m = &mappings[i];
        vdnn_test_onnx f;
        begin(&f);
        vdnn_test_onnx_floats(&f, "conv4", DIMS(4, 2, 3, 3), 0.1F);
        vdnn_test_onnx_floats(&f, "half", DIMS(1), 0.5F);
        vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "c", "pads=[1,1,1,1]");
        vdnn_test_onnx_node(&f, m->op, "op", m->inputs, "z", m->attributes);
        end(&f, m->opset, path_in(state));
        expect_text(path_in(state), m->text == NULL ? "from: [\"conv\"]}, \n" : m->text);
    }
}

TEST_IN_FOLDER(a_resize_by_whole_numbers_is_an_upsampling)
{
    static const struct {
        const char *attributes;
        int64_t sizes[4];
        const char *text; /* of a refusal its message */
        bool fits;
    } cases[] = {
        {"mode=nearest coordinate_transformation_mode=asymmetric nearest_mode=floor",
         {1, 4, 16, 24},
         "type: upsample, from: [\"conv\"], scale: [2, 3], mode: nearest}",
         true},
        {"mode=linear coordinate_transformation_mode=half_pixel",
         {1, 4, 8, 32},
         "type: upsample, from: [\"conv\"], scale: [1, 4], mode: bilinear}",
         true},
        {"mode=linear coordinate_transformation_mode=align_corners",
         {1, 4, 8, 32},
         "is no upsampling as PyTorch's",
         false},
        {"mode=nearest coordinate_transformation_mode=asymmetric nearest_mode=ceil",
         {1, 4, 16, 16},
         "is no upsampling as PyTorch's",
         false},
        {"mode=cubic", {1, 4, 16, 16}, "is no upsampling as PyTorch's", false},
        {"mode=linear", {1, 4, 12, 16}, "dimension 2 becomes 1.5 times as large", false},
        {"mode=linear", {1, 8, 16, 16}, "dimension 1 becomes 2 times as large", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_onnx f;
        vdnn_onnx *onnx = NULL;
        begin(&f);
        vdnn_test_onnx_integers(&f, "sizes", cases[i].sizes, 4);
        vdnn_test_onnx_floats(&f, "none", DIMS(0), 1);
        vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "c", "pads=[1,1,1,1]");
        vdnn_test_onnx_node(&f, "Resize", "op", "c none none sizes", "z", cases[i].attributes);
        end(&f, 13, path_in(state));
        if (cases[i].fits) {
            expect_text(path_in(state), cases[i].text);
        } else {
            assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
            assert_message(cases[i].text);
        }
    }
}

/* Maps of classes, as segmentation has them, get the loss of masks. */
TEST_IN_FOLDER(a_network_of_volumes_is_read_up_to_its_masks)
{
    vdnn_test_onnx f = {0};
    vdnn_test_onnx_input(&f, "x", (const int64_t[]){0, 3, 4, 6, 8}, 5);
    vdnn_test_onnx_floats(&f, "a.weight", (const int64_t[]){6, 3, 3, 3, 3}, 5, 0.1F);
    vdnn_test_onnx_floats(&f, "b.weight", (const int64_t[]){6, 2, 2, 1, 1}, 5, 0.1F);
    vdnn_test_onnx_node(&f, "Conv", "a", "x a.weight", "y", "pads=[1,1,0,1,1,0]");
    vdnn_test_onnx_node(&f, "MaxPool", "p", "y", "z", "kernel_shape=[2,1,1] strides=[2,1,1]");
    vdnn_test_onnx_node(&f, "ConvTranspose", "b", "z b.weight", "w", "strides=[2,1,1]");
    vdnn_test_onnx_output(&f, "w");
    vdnn_test_onnx_write(&f, 13, path_in(state));
    expect_text(path_in(state), "type: conv, from: [\"input\"], out: 6, kernel: [3, 3, 3], stride: "
                                "[1, 1, 1], pad: [1, 1, 0], dilation: [1, 1, 1]");
    expect_text(path_in(state), "type: maxpool, from: [\"a\"], kernel: [2, 1, 1]");
    expect_text(path_in(state), "output_pad: [0, 0, 0]}");
    expect_text(path_in(state),
                "{name: loss.cells, type: to_sequence, from: [\"b\"]}, {name: loss, "
                "type: dice, cross_entropy: 1}], classes: 2, batch: 32, input: "
                "{channels: 3, depth: 4, height: 6, width: 8}}");
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    assert_ok(vdnn_model_read(path_in(state), &model));
    assert_ok(vdnn_graph_create(model, &(vdnn_graph_options){.batch = 2}, &graph));
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(a_concat_of_maps_joins_their_channels)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_node(&f, "Concat", "join", "x x", "j", "axis=1");
    vdnn_test_onnx_floats(&f, "six", DIMS(4, 6, 1, 1), 0.1F);
    vdnn_test_onnx_node(&f, "Conv", "conv", "j six", "z", "");
    end(&f, 13, path_in(state));
    expect_text(path_in(state), "type: concat, from: [\"input\", \"input\"]}");
}

/* As torch.onnx.export writes x.view(x.size(0), -1). */
TEST_IN_FOLDER(shapes_that_are_computed_from_constants_are_folded)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_integers(&f, "zero", (int64_t[]){0}, 1);
    vdnn_test_onnx_integers(&f, "rest", (int64_t[]){-1}, 1);
    vdnn_test_onnx_floats(&f, "fc.weight", DIMS(192, 10), 0.2F);
    vdnn_test_onnx_floats(&f, "fc.bias", DIMS(10), 0.2F);
    vdnn_test_onnx_node(&f, "Shape", "", "x", "s", "");
    vdnn_test_onnx_node(&f, "Gather", "", "s zero", "n", "axis=0");
    vdnn_test_onnx_node(&f, "Concat", "", "n rest", "to", "axis=0");
    vdnn_test_onnx_node(&f, "Reshape", "", "x to", "v", "");
    vdnn_test_onnx_node(&f, "MatMul", "", "v fc.weight", "p", "");
    vdnn_test_onnx_node(&f, "Add", "", "fc.bias p", "y0", "");
    vdnn_test_onnx_node(&f, "LogSoftmax", "", "y0", "y", "axis=-1");
    vdnn_test_onnx_output(&f, "y");
    vdnn_test_onnx_write(&f, 13, path_in(state));
    expect_text(path_in(state), "{name: \"fc\", type: fc, from: [\"input\"], out: 10, bias: true}, "
                                "{name: loss, type: softmax_loss, from: [\"fc\"]}], classes: 10");
}

TEST_IN_FOLDER(a_pad_becomes_padding_that_an_average_counts)
{
    static const char *const pools[][2] = {
        {"kernel_shape=[3,3]",
         "kernel: [3, 3], stride: [1, 1], pad: [1, 1], ceil: false, count_pad: "
         "true"},
        {"kernel_shape=[3,3] pads=[1,1,1,1]", NULL}};
    for (size_t i = 0; i < sizeof pools / sizeof *pools; i++) {
        vdnn_onnx *onnx = NULL;
        vdnn_test_onnx f;
        begin(&f);
        vdnn_test_onnx_integers(&f, "pads", (const int64_t[]){0, 0, 1, 1, 0, 0, 1, 1}, 8);
        vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "c", "");
        vdnn_test_onnx_node(&f, "Pad", "pad", "c pads", "p", "");
        vdnn_test_onnx_node(&f, "AveragePool", "pool", "p", "z", pools[i][0]);
        end(&f, 13, path_in(state));
        if (pools[i][1] != NULL) {
            expect_text(path_in(state), pools[i][1]);
            continue;
        }
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message("has padding that does not count, after a Pad that does");
    }
}

TEST_IN_FOLDER(a_pad_becomes_part_of_the_convolution_after_it)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_integers(&f, "around", (int64_t[]){0, 0, 1, 2, 0, 0, 1, 2}, 8);
    vdnn_test_onnx_node(&f, "Pad", "", "x around", "padded", "");
    vdnn_test_onnx_node(&f, "Conv", "conv", "padded conv.weight", "z", "");
    end(&f, 13, path_in(state));
    expect_text(path_in(state), "pad: [1, 2]");
}

TEST_IN_FOLDER(layers_have_names_that_no_other_has)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_floats(&f, "w", DIMS(3, 3, 1, 1), 0.1F);
    vdnn_test_onnx_node(&f, "Conv", "input", "x w", "a", "");
    vdnn_test_onnx_node(&f, "Conv", "a b:c", "a w", "b", "");
    vdnn_test_onnx_node(&f, "Conv", "a_b_c", "b w", "d", "");
    vdnn_test_onnx_node(&f, "Conv", "", "d conv.weight", "z", "");
    end(&f, 13, path_in(state));
    expect_text(path_in(state), "{name: \"input_2\"");
    expect_text(path_in(state), "{name: \"a_b_c\"");
    expect_text(path_in(state), "{name: \"a_b_c_2\"");
    expect_text(path_in(state), "{name: \"conv\"");
}

TEST_IN_FOLDER(nodes_that_the_output_does_not_need_are_left_out)
{
    vdnn_test_onnx f;
    vdnn_onnx *onnx = NULL;
    begin(&f);
    vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "z", "");
    vdnn_test_onnx_node(&f, "NonZero", "other", "z", "never", "");
    end(&f, 13, path_in(state));
    assert_ok(vdnn_onnx_open(path_in(state), &onnx));
    vdnn_onnx_close(onnx);
}

/* ---- traps ----------------------------------------------------------------------------------- */

static void expect_notes(const char *path, const char *part)
{
    vdnn_onnx *onnx = NULL;
    assert_ok(vdnn_onnx_open(path, &onnx));
    if (part[0] == '\0')
        assert_string_equal(vdnn_onnx_notes(onnx), "");
    else
        assert_non_null(strstr(vdnn_onnx_notes(onnx), part));
    vdnn_onnx_close(onnx);
}

TEST_IN_FOLDER(a_batch_norm_that_was_folded_is_named)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_floats(&f, "onnx::Conv_12", DIMS(4, 3, 3, 3), 0.1F);
    vdnn_test_onnx_node(&f, "Conv", "/stem/Conv", "x onnx::Conv_12 conv.bias", "z", "");
    end(&f, 13, path_in(state));
    expect_notes(path_in(state), "folded each batch norm");
    begin(&f);
    vdnn_test_onnx_node(&f, "Conv", "/stem/Conv", "x conv.weight conv.bias", "z", "");
    end(&f, 13, path_in(state));
    expect_notes(path_in(state), "");
}

TEST_IN_FOLDER(a_tensor_that_two_layers_read_is_untied_with_a_note)
{
    vdnn_test_onnx f;
    float first[4], second[4];
    vdnn_onnx *onnx = NULL;
    begin(&f);
    vdnn_test_onnx_floats(&f, "one.weight", DIMS(3, 3, 1, 1), 0.1F);
    vdnn_test_onnx_node(&f, "Conv", "one", "x one.weight", "a", "");
    vdnn_test_onnx_node(&f, "Conv", "two", "a one.weight", "b", "");
    vdnn_test_onnx_node(&f, "Conv", "conv", "b conv.weight", "z", "");
    end(&f, 13, path_in(state));
    expect_notes(path_in(state), "1 tensors are read by more than one layer (the first is in layer "
                                 "'one_2')");
    assert_ok(vdnn_onnx_open(path_in(state), &onnx));
    assert_ok(vdnn_onnx_read_part(onnx, "one.weight", DIMS(3, 3, 1, 1), 0, 3, first));
    assert_ok(vdnn_onnx_read_part(onnx, "one_2.weight", DIMS(3, 3, 1, 1), 0, 3, second));
    assert_memory_equal(first, second, 3 * sizeof *first);
    vdnn_onnx_close(onnx);
}

/* ---- weights --------------------------------------------------------------------------------- */

static float element(int64_t i, float scale)
{
    return scale * (float)(i % 7 - 3);
}

TEST_IN_FOLDER(the_factors_and_the_order_of_a_gemm_are_in_its_weights)
{
    vdnn_test_onnx f;
    vdnn_onnx *onnx = NULL;
    float weight[4 * 10], bias[10];
    begin(&f);
    vdnn_test_onnx_floats(&f, "across", DIMS(4, 10), 0.5F);
    vdnn_test_onnx_floats(&f, "one", DIMS(1, 1), 0.5F);
    vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "c", "");
    vdnn_test_onnx_node(&f, "GlobalAveragePool", "mean", "c", "m", "");
    vdnn_test_onnx_node(&f, "Flatten", "flat", "m", "v", "");
    vdnn_test_onnx_node(&f, "Gemm", "fc", "v across one", "y", "alpha=2.0 beta=3.0");
    vdnn_test_onnx_output(&f, "y");
    vdnn_test_onnx_write(&f, 11, path_in(state));
    assert_ok(vdnn_onnx_open(path_in(state), &onnx));
    assert_int_equal(vdnn_onnx_count(onnx), 3);
    assert_string_equal(vdnn_onnx_name(onnx, 1), "fc.weight");
    assert_ok(vdnn_onnx_read_part(onnx, "fc.weight", DIMS(10, 4), 0, 24, weight));
    assert_ok(vdnn_onnx_read_part(onnx, "fc.weight", DIMS(10, 4), 24, 16, weight + 24));
    assert_ok(vdnn_onnx_read_part(onnx, "fc.bias", DIMS(10), 0, 10, bias));
    for (int64_t o = 0; o < 10; o++) {
        for (int64_t i = 0; i < 4; i++)
            assert_true(weight[4 * o + i] == 2 * element(10 * i + o, 0.5F));
        assert_true(bias[o] == 3 * element(0, 0.5F));
    }
    assert_status(vdnn_onnx_read_part(onnx, "fc.weight", DIMS(4, 10), 0, 40, weight),
                  VDNN_BAD_INPUT);
    assert_status(vdnn_onnx_read_part(onnx, "fc.none", DIMS(4, 10), 0, 40, weight), VDNN_BAD_INPUT);
    vdnn_onnx_close(onnx);
}

static void write_external(void **state, const char *location, const char *offset,
                           const char *length)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_external(&f, "outside.weight", DIMS(4, 3, 1, 1), location, offset, length);
    vdnn_test_onnx_node(&f, "Conv", "conv", "x outside.weight", "z", "");
    end(&f, 13, path_in(state));
}

TEST_IN_FOLDER(external_data_are_read_from_a_file_beside)
{
    float floats[16], read[12];
    vdnn_onnx *onnx = NULL;
    for (int64_t i = 0; i < 16; i++)
        floats[i] = element(i, 0.25F);
    vdnn_test_write_file(vdnn_test_path(*state, "w.bin"), floats, sizeof floats);
    write_external(state, "w.bin", "16", "48");
    assert_ok(vdnn_onnx_open(path_in(state), &onnx));
    assert_ok(vdnn_onnx_read_part(onnx, "outside.weight", DIMS(4, 3, 1, 1), 0, 12, read));
    assert_memory_equal(read, floats + 4, sizeof read);
    vdnn_onnx_close(onnx);
}

TEST_IN_FOLDER(external_data_elsewhere_or_of_another_size_are_refused)
{
    static const char *const cases[][4] = {
        {"../w.bin", "0", "48", "leads out of the folder"},
        {"sub/../../w.bin", "0", "48", "leads out of the folder"},
        {"/etc/passwd", "0", "48", "is no relative path"},
        {"", "0", "48", "is no relative path"},
        {"link.bin", "0", "48", "symbolic link"},
        {"below/w.bin", "0", "48", "symbolic link"},
        {"none.bin", "0", "48", "cannot be read"},
        {"w.bin", "20", "48", "takes 48 bytes"},
        {"w.bin", "18446744073709551615", "48", "expected a number"},
        {"w.bin", "-4", "48", "expected a number"},
        {"w.bin", "0", "44", "takes 48 bytes"},
    };
    const float floats[16] = {0};
    vdnn_test_write_file(vdnn_test_path(*state, "w.bin"), floats, sizeof floats);
    assert_int_equal(symlink("w.bin", vdnn_test_path(*state, "link.bin")), 0);
    assert_int_equal(symlink(".", vdnn_test_path(*state, "below")), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_onnx *onnx = NULL;
        write_external(state, cases[i][0], cases[i][1], cases[i][2]);
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message(cases[i][3]);
    }
}

TEST_IN_FOLDER(weights_of_every_type_of_float_are_read_as_float32)
{
    static const float expected[] = {0.0F,           -1.5F, 65504.0F, 6.103515625e-05F,
                                     5.9604645e-08F, 0.25F};
    static const uint16_t halves[] = {0x0000, 0xbe00, 0x7bff, 0x0400, 0x0001, 0x3400};
    static const double doubles[] = {0.0, -1.5, 65504.0, 6.103515625e-05, 5.9604645e-08, 0.25};
    uint16_t upper[6];
    float rounded[6];
    for (size_t i = 0; i < 6; i++) {
        uint32_t bits;
        memcpy(&bits, &expected[i], sizeof bits);
        upper[i] = (uint16_t)(bits >> 16);
        bits &= 0xffff0000U;
        memcpy(&rounded[i], &bits, sizeof bits);
    }
    const struct {
        uint64_t type;
        const void *bytes;
        size_t count;
        const float *expected;
    } cases[] = {{1, expected, sizeof expected, expected},
                 {10, halves, sizeof halves, expected},
                 {11, doubles, sizeof doubles, expected},
                 {16, upper, sizeof upper, rounded}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_onnx f;
        vdnn_onnx *onnx = NULL;
        float read[6];
        begin(&f);
        vdnn_test_onnx_raw(&f, "wide.weight", DIMS(2, 3, 1, 1), cases[i].type, cases[i].bytes,
                           cases[i].count);
        vdnn_test_onnx_floats(&f, "two.weight", DIMS(4, 2, 1, 1), 0.1F);
        vdnn_test_onnx_node(&f, "Conv", "conv", "x wide.weight", "c", "");
        vdnn_test_onnx_node(&f, "Conv", "two", "c two.weight", "z", "");
        end(&f, 13, path_in(state));
        assert_ok(vdnn_onnx_open(path_in(state), &onnx));
        assert_ok(vdnn_onnx_read_part(onnx, "wide.weight", DIMS(2, 3, 1, 1), 0, 6, read));
        assert_memory_equal(read, cases[i].expected, sizeof read);
        assert_ok(vdnn_onnx_read_part(onnx, "wide.weight", DIMS(2, 3, 1, 1), 3, 3, read));
        assert_memory_equal(read, cases[i].expected + 3, 3 * sizeof *read);
        vdnn_onnx_close(onnx);
    }
}

/* ---- written --------------------------------------------------------------------------------- */

static const char small_network[] =
    "{name: small, input: {channels: 2, height: 3, width: 3}, classes: 4, batch: 2, layers: [\n"
    "{name: conv, type: conv, out: 3, kernel: 2}, {name: fc, type: fc, out: 4}, {name: loss, type: "
    "softmax_loss}]}";

/* A writer of the small network; its weights are 0, 1, 2 ... */
static void write_small(const char *path, uint64_t most_bytes)
{
    static const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .batch = 2};
    static const char *const names[] = {"conv.weight", "conv.bias", "fc.weight", "fc.bias"};
    vdnn_safetensors_entry entries[4];
    vdnn_onnx_writer *writer = NULL;
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    float value = 0;
    assert_ok(vdnn_model_parse(small_network, strlen(small_network), "small", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    for (int32_t i = 0; i < 4; i++) {
        const vdnn_param *param = &graph->layers[i / 2].params[i % 2];
        entries[i] = (vdnn_safetensors_entry){
            .name = names[i], .dims = param->dims, .dim_count = param->dim_count};
    }
    const vdnn_onnx_network network = {model, graph, most_bytes};
    assert_ok(vdnn_onnx_writer_create(path, &network, entries, 4, &writer));
    for (int32_t i = 0; i < 4; i++)
        for (int64_t k = 0; k < graph->layers[i / 2].params[i % 2].count; k++, value += 1)
            assert_ok(vdnn_onnx_writer_put(writer, &value, sizeof value));
    assert_ok(vdnn_onnx_writer_commit(writer));
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
}

TEST_IN_FOLDER(weights_beyond_the_limit_of_a_file_are_in_another_one)
{
    static const uint64_t limits[] = {VDNN_ONNX_MOST_BYTES, 400};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        vdnn_onnx *onnx = NULL;
        float floats[48];
        write_small(path_in(state), limits[i]);
        assert_int_equal(access(vdnn_test_path(*state, "net.onnx.data"), F_OK), i == 1 ? 0 : -1);
        assert_ok(vdnn_onnx_open(path_in(state), &onnx));
        assert_int_equal(vdnn_onnx_count(onnx), 4);
        assert_ok(vdnn_onnx_read_part(onnx, "fc.weight", DIMS(4, 12), 12, 36, floats));
        for (int k = 0; k < 36; k++)
            assert_true(floats[k] == (float)(24 + 3 + 12 + k));
        assert_ok(vdnn_onnx_read_part(onnx, "fc.bias", DIMS(4), 0, 4, floats));
        assert_true(floats[3] == 24 + 3 + 48 + 3);
        vdnn_onnx_close(onnx);
    }
}

/* ---- normalization --------------------------------------------------------------------------- */

/* Nodes from "x", the input, to "n", which a convolution reads. */
static void write_normalized(void **state, const char *const nodes[][3])
{
    static const float mean[] = {0.5F, 0.25F, -1.0F}, deviation[] = {2.0F, 4.0F, 0.5F};
    static const float half[] = {0.5F}, minus[] = {-1.0F};
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_raw(&f, "mean", DIMS(1, 3, 1, 1), 1, mean, sizeof mean);
    vdnn_test_onnx_raw(&f, "std", DIMS(3, 1, 1), 1, deviation, sizeof deviation);
    vdnn_test_onnx_raw(&f, "three", DIMS(3), 1, mean, sizeof mean);
    vdnn_test_onnx_raw(&f, "half", NULL, 0, 1, half, sizeof half);
    vdnn_test_onnx_raw(&f, "minus", DIMS(1), 1, minus, sizeof minus);
    for (size_t i = 0; nodes[i][0] != NULL; i++)
        vdnn_test_onnx_node(&f, nodes[i][0], "norm", nodes[i][1], nodes[i][2], "");
    vdnn_test_onnx_node(&f, "Conv", "conv", "n conv.weight", "z", "");
    end(&f, 13, path_in(state));
}

TEST_IN_FOLDER(arithmetic_on_the_input_becomes_its_normalization)
{
    static const struct {
        const char *nodes[4][3], *text;
        int count;
    } cases[] = {
        {{{"Sub", "x mean", "a"}, {"Div", "a std", "n"}},
         "mean: [0.5, 0.25, -1], std: [2, 4, 0.5]",
         3},
        {{{"Mul", "half x", "a"}, {"Add", "half a", "n"}}, "mean: [-1], std: [2]", 1},
        {{{"Identity", "x", "i"}, {"Mul", "i half", "a"}, {"Sub", "a mean", "n"}},
         "mean: [1, 0.5, -2], std: [2, 2, 2]",
         3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_model *model = NULL;
        write_normalized(state, cases[i].nodes);
        expect_text(path_in(state), cases[i].text);
        assert_ok(vdnn_model_read(path_in(state), &model));
        assert_int_equal(model->inputs[0].normalization.std.count, cases[i].count);
        vdnn_model_destroy(model);
    }
}

TEST_IN_FOLDER(arithmetic_that_is_no_normalization_is_refused)
{
    static const struct {
        const char *nodes[4][3], *message;
    } cases[] = {
        {{{"Sub", "x three", "n"}}, "its constant has other dimensions"},
        {{{"Sub", "x four", "n"}}, "its constant has other dimensions"},
        {{{"Mul", "x minus", "n"}}, "the input becomes -1 x + -0, which is no (x - mean) / std"},
        {{{"Sub", "mean x", "n"}}, "is of no input of the network and a constant"},
        {{{"Sub", "x mean", "a"}, {"Add", "a x", "n"}}, "before the end of its normalization"},
        {{{"Sub", "x mean", "a"}, {"Div", "x std", "b"}, {"Add", "a b", "n"}},
         "another node reads the input without"},
        {{{"Div", "x x", "n"}}, "is of no input of the network and a constant"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_onnx *onnx = NULL;
        write_normalized(state, cases[i].nodes);
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST_IN_FOLDER(what_no_layer_computes_is_refused_with_its_node)
{
    static const struct {
        const char *op, *inputs, *attributes, *message;
    } cases[] = {
        {"Elu", "c", "", "net.onnx: Elu node 'op' (node 2, opset 13): no layer of vdnn computes"},
        {"Clip", "c", "min=0.0 max=5.0", "Clip node 'op' (node 2, opset 13): clips to 0 ... 5: no"},
        {"LayerNormalization", "c four four", "", "is a picture a sample, expected a vector"},
        {"InstanceNormalization", "c four four", "epsilon=-1.0", "epsilon is negative"},
        {"LeakyRelu", "c", "alpha=-1.0", "its alpha is -1, expected 0 to 1e9"},
        {"Gelu", "c", "approximate=erf", "approximate is 'erf', expected none or tanh"},
        {"Clip", "c", "max=6.0", "clips to -inf ... 6"},
        {"Sub", "c four", "", "is of no input of the network and a constant"},
        {"Mul", "c four", "", "is of no input of the network and a constant"},
        {"Div", "one x", "", "is of no input of the network and a constant"},
        {"Cast", "c", "to=7", "casts to type 7: maps stay floats"},
        {"Relu6", "c", "", "did you mean Relu?"},
        {"Relu", "c c", "", "has 2 inputs, expected 1 to 1"},
        {"Relu", "c", "slope=3", "has the attribute 'slope', expected one of: none"},
        {"Relu", "nothing", "", "reads 'nothing', which no node before it writes"},
        {"Relu", "four", "", "input 1, 'four', is a constant"},
        {"Relu", "y", "", "is an output that vdnn does not compute"},
        {"Conv", "c c", "", "expected an initializer: a weight that training can change"},
        {"Conv", "c four", "", "its weight has 1 dimensions, expected 4"},
        {"Conv", "x conv.weight head.weight", "", "has 40 elements, expected 4"},
        {"Conv", "x conv.weight", "group=2", "does not fit an input of 3 channels in 2 groups"},
        {"Conv", "x conv.weight", "kernel_shape=[5,3]", "kernel_shape has 5"},
        {"Conv", "x conv.weight", "pads=[0,0,1,1] strides=[2,2]",
         "pads [0, 0] before and [1, 1] after"},
        {"Conv", "x conv.weight", "auto_pad=BOTH", "auto_pad is 'BOTH'"},
        {"ConvTranspose", "c conv.weight", "auto_pad=SAME_UPPER", "has auto_pad or output_shape"},
        {"ConvTranspose", "c conv.weight", "output_shape=[16,16]", "has auto_pad or output_shape"},
        {"ConvTranspose", "c conv.weight", "pads=[0,0,1,1]", "pads 0 before and 1 after"},
        {"ConvTranspose", "c conv.weight", "output_padding=[1,1]", "pads 0 before and 0 after"},
        {"ConvTranspose", "c conv.weight", "pads=[9,9,9,9]", "leaves no output"},
        {"ConvTranspose", "x conv.weight", "", "does not fit an input of 3 channels in 1 groups"},
        {"Conv", "x conv.weight", "dilations=[9,9]", "does not fit its input of [8, 8]"},
        {"Conv", "x conv.weight", "strides=[0,1]", "have 0, expected 1"},
        {"Conv", "x conv.weight", "strides=[1]", "strides has 1 numbers, expected 2"},
        {"MaxPool", "c", "kernel_shape=[2,2] dilations=[2,2]", "vdnn's pools have none"},
        {"MaxPool", "c", "", "have 0, expected 1"},
        {"AveragePool", "c", "kernel_shape=[3,3] strides=[2,2] pads=[0,0,1,1] count_include_pad=1",
         "pads [0, 0] before and [1, 1] after"},
        {"LRN", "c", "size=4", "its size is 4, expected an odd number"},
        {"Softmax", "c", "axis=3", "axis is 3, expected 1: the classes"},
        {"Concat", "c c", "axis=2", "axis is 2, expected 1"},
        {"Add", "c x", "", "vdnn adds maps of equal shapes"},
        {"Add", "c four", "", "adds a constant to 'conv' that has no vector for each"},
        {"Flatten", "c", "axis=2", "is a sequence, or a map in another order"},
        {"Reshape", "c four", "", "has the number -3, expected a whole one"},
        {"Transpose", "c", "perm=[0,2,3,1]", "is a sequence, or a map in another order"},
        {"Gemm", "c head.weight", "", "its input has more than two dimensions"},
        {"BatchNormalization", "c four four four", "", "has 4 inputs, expected 5 to 5"},
        {"Dropout", "c", "ratio=1.5", "its ratio is 1.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_onnx f;
        vdnn_onnx *onnx = NULL;
        const size_t live = vdnn_heap_live_count();
        begin(&f);
        vdnn_test_onnx_floats(&f, "one", DIMS(1), 1.0F);
        vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "c", "pads=[1,1,1,1]");
        vdnn_test_onnx_node(&f, cases[i].op, "op", cases[i].inputs, "z", cases[i].attributes);
        end(&f, 13, path_in(state));
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
}

/* The four channels of 8 x 8 cells as 64 positions, "s", and what an attention with two heads, "t"
 * their queries and "k" their keys, makes of them; then the node to "z". */
static void write_positions(const char *path, const char *op, const char *inputs,
                            const char *attributes)
{
    static const int64_t cells[] = {0, 4, 64}, heads[] = {0, 64, 2, 2};
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_integers(&f, "cells", cells, 3);
    vdnn_test_onnx_integers(&f, "heads", heads, 4);
    vdnn_test_onnx_integers(&f, "one", (const int64_t[]){1}, 1);
    vdnn_test_onnx_integers(&f, "around", (const int64_t[]){63, 64}, 2);
    vdnn_test_onnx_integers(&f, "beyond", (const int64_t[]){128}, 1);
    vdnn_test_onnx_floats(&f, "w", DIMS(1, 16, 4), 0.1F);
    vdnn_test_onnx_floats(&f, "r", DIMS(1, 16, 4), 0.1F);
    vdnn_test_onnx_floats(&f, "state", DIMS(1, 1, 4), 0.1F);
    vdnn_test_onnx_floats(&f, "row", DIMS(1, 1, 1, 64), 0.1F);
    vdnn_test_onnx_floats(&f, "half", DIMS(1), 0.5F);
    vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "c", "pads=[1,1,1,1]");
    vdnn_test_onnx_node(&f, "Reshape", "", "c cells", "flat", "");
    vdnn_test_onnx_node(&f, "Transpose", "", "flat", "s", "perm=[0,2,1]");
    vdnn_test_onnx_node(&f, "Transpose", "", "s", "first", "perm=[1,0,2]");
    vdnn_test_onnx_node(&f, "Reshape", "", "s heads", "h", "");
    vdnn_test_onnx_node(&f, "Transpose", "", "h", "t", "perm=[0,2,1,3]");
    vdnn_test_onnx_node(&f, "Transpose", "", "h", "k", "perm=[0,2,3,1]");
    vdnn_test_onnx_node(&f, "MatMul", "", "t k", "scores", "");
    vdnn_test_onnx_node(&f, "Softmax", "", "scores", "weights", "axis=-1");
    vdnn_test_onnx_node(&f, "Concat", "", "s s", "pile", "axis=1");
    vdnn_test_onnx_node(&f, op, "op", inputs, "z", attributes);
    end(&f, 13, path);
}

TEST_IN_FOLDER(what_no_layer_computes_of_sequences_is_refused_with_its_node)
{
    static const struct {
        const char *op, *inputs, *attributes, *message;
    } cases[] = {
        {"MatMul", "t t", "", "its keys are not heads of features at all positions"},
        {"MatMul", "scores t", "", "multiplies scores before their Softmax"},
        {"MatMul", "weights k", "", "its values are not heads"},
        {"MatMul", "weights t", "", "are multiplied by 1, expected 0.707107: 1 by the root of"},
        {"Add", "scores scores", "", "its mask 'scores' depends on an input: only a constant"},
        {"Add", "scores row", "", "adds -0.3 to the scores of an attention: only masks"},
        {"Softmax", "scores", "axis=1", "axis is 1, expected the last one, the keys"},
        {"Relu", "scores", "", "is scores of an attention, which only a scale"},
        {"Relu", "flat", "", "in an order or in parts that no layer makes"},
        {"Relu", "k", "", "in an order or in parts that no layer makes"},
        {"Add", "s four", "", "adds a constant to 'op' that has no vector for each"},
        {"Add", "s first", "", "vdnn adds maps of equal shapes"},
        {"Where", "half s half", "", "chooses between maps: only the mask of an attention"},
        {"LSTM", "s w r", "", "reads the sequence in an order that its layout does not say"},
        {"LSTM", "first w four", "", "has weights that do not fit its input of sequences"},
        {"LSTM", "first w r    state", "", "has weights that do not fit"},
        {"LSTM", "first w r", "clip=3", "couples or clips its gates"},
        {"ReduceMean", "s", "axes=[2] keepdims=0", "is no mean over the positions of a sequence"},
        {"Concat", "state s", "axis=2", "joins a constant with a map, expected vectors before"},
        {"Concat", "s state", "axis=1", "joins along dimension 1, which input 2 does not have"},
        {"Concat", "s s", "axis=-4", "joins along dimension -4, which input 1 does not have"},
        {"Relu", "pile", "", "is joined along a dimension that is none of features"},
        {"Gather", "pile around", "axis=-2", "takes elements of several of the inputs"},
        {"Gather", "pile beyond", "axis=1", "index 128 is outside of the 128 elements"},
        {"Gather", "pile one", "axis=2", "its input is joined along dimension 1"},
        {"Gather", "pile scores", "axis=1", "its indices are computed by the network"},
        {"Gather", "s one", "axis=3", "axis is 3, but its input has 3 dimensions"},
        {"Reshape", "s cells", "", "is a sequence, or a map in another order"},
        {"Transpose", "s", "perm=[0,1,1]", "perm is no order of 3 dimensions"},
        {"Split", "s", "axis=0", "is a sequence, or a map in another order"},
        {"Expand", "s cells", "", "repeats dimension 1, which has the size 64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_onnx *onnx = NULL;
        const size_t live = vdnn_heap_live_count();
        write_positions(path_in(state), cases[i].op, cases[i].inputs, cases[i].attributes);
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
}

TEST_IN_FOLDER(graphs_that_are_no_network_are_refused)
{
    static const struct {
        int64_t opset, dims[4];
        int rank;
        const char *output, *message;
    } cases[] = {
        {8, {0, 3, 8, 8}, 4, "y", "has opset 8, expected 9 to 21"},
        {22, {0, 3, 8, 8}, 4, "y", "has opset 22, expected 9 to 21"},
        {13, {0, 3, 0, 8}, 4, "y", "dimension 3 of input 'x' is N, expected a number"},
        {13, {0, 3, 8}, 3, "y", "has 3 dimensions, expected 4"},
        {13, {0, 3, 8, 8}, 4, "none", "its output 'none' is written by no node"},
        {13, {0, 3, 8, 8}, 4, "x", "is computed by no layer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_onnx f = {0};
        vdnn_onnx *onnx = NULL;
        vdnn_test_onnx_input(&f, "x", cases[i].dims, cases[i].rank);
        vdnn_test_onnx_floats(&f, "w", DIMS(4, 3, 3, 3), 0.1F);
        vdnn_test_onnx_node(&f, "Conv", "conv", "x w", "c", "");
        vdnn_test_onnx_node(&f, "GlobalAveragePool", "mean", "c", "y", "");
        vdnn_test_onnx_output(&f, cases[i].output);
        vdnn_test_onnx_write(&f, cases[i].opset, path_in(state));
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message(cases[i].message);
    }
}

TEST_IN_FOLDER(an_input_without_a_name_is_refused)
{
    vdnn_test_onnx f = {0};
    vdnn_onnx *onnx = NULL;
    vdnn_test_onnx_input(&f, "", DIMS(0, 3, 8, 8));
    vdnn_test_onnx_node(&f, "Constant", "", "", "y", "value_int=1");
    vdnn_test_onnx_output(&f, "y");
    vdnn_test_onnx_write(&f, 13, path_in(state));
    assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
    assert_message("an input has no name");
}

/* Of every length: no file that is cut off is one. */
TEST_IN_FOLDER(a_file_that_is_cut_off_is_refused)
{
    vdnn_test_onnx f;
    begin(&f);
    vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "z", "");
    end(&f, 13, path_in(state));
    char *bytes = NULL;
    size_t count = 0;
    assert_ok(vdnn_input_read(path_in(state), 1 << 20, &bytes, &count));
    for (size_t cut = 0; cut < count; cut += 1 + cut / 16) {
        vdnn_onnx *onnx = NULL;
        vdnn_test_write_file(path_in(state), bytes, cut);
        assert_status(vdnn_onnx_open(path_in(state), &onnx), VDNN_BAD_INPUT);
        assert_message("net.onnx: ");
    }
    vdnn_heap_free(bytes);
}

TEST_IN_FOLDER(without_memory_there_is_a_status_and_nothing_is_left)
{
    vdnn_test_onnx f;
    vdnn_onnx *onnx = NULL;
    begin(&f);
    vdnn_test_onnx_node(&f, "Conv", "conv", "x conv.weight", "z", "");
    end(&f, 13, path_in(state));
    const size_t live = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status == VDNN_NO_MEMORY; n++) {
        vdnn_heap_fail_after(n);
        status = vdnn_onnx_open(path_in(state), &onnx);
        vdnn_heap_fail_after(0);
        if (status == VDNN_NO_MEMORY)
            assert_int_equal(vdnn_heap_live_count(), live);
    }
    assert_ok(status);
    vdnn_onnx_close(onnx);
}
