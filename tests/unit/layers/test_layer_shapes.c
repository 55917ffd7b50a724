/* Shape inference: what comes out, and what is said of that which does not fit. */

#include "layers/shape.h"
#include "layers/signature.h"
#include "runtime/base/heap.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

TEST(pooling_has_the_sizes_of_pytorch)
{
    static const struct {
        int64_t in;
        vdnn_shape_slide slide;
        int64_t positions;
    } rows[] = {
        {28, {2, 2, 0, 1, false}, 14},  {55, {3, 2, 0, 1, false}, 27},
        {112, {3, 2, 0, 1, true}, 56},  {112, {3, 2, 0, 1, false}, 55},
        {112, {3, 2, 1, 1, false}, 56}, {5, {2, 2, 0, 1, true}, 3},
        {5, {2, 2, 1, 1, true}, 3},     {6, {2, 2, 1, 1, true}, 4},
        {6, {2, 3, 0, 1, true}, 2},     {7, {2, 3, 0, 1, true}, 3},
        {7, {2, 6, 1, 1, true}, 2},     {8, {2, 6, 1, 1, true}, 2},
        {2, {3, 3, 0, 1, true}, 1},     {1, {3, 3, 0, 1, true}, 1},
        {2, {3, 1, 0, 1, true}, 0},     {2, {3, 3, 0, 1, false}, 0},
        {3, {2, 1, 0, 2, false}, 1},    {1, {1, 5, 0, 1, true}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(vdnn_shape_positions(rows[i].in, &rows[i].slide), rows[i].positions);
}

TEST(a_window_of_any_size_does_not_overflow)
{
    static const vdnn_shape_slide slides[] = {
        {INT64_MAX, 1, 0, INT64_MAX, false},
        {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, true},
        {3, 1, INT64_MAX, 1, true},
        {INT64_MAX, 1, 0, 1, false},
    };
    for (size_t i = 0; i < sizeof slides / sizeof *slides; i++)
        assert_int_equal(vdnn_shape_positions(7, &slides[i]), 0);
}

static vdnn_layer *built(const char *type, const char *keys, const char *inputs)
{
    vdnn_layer *layer = NULL;
    assert_ok(
        vdnn_layer_case_build(&(vdnn_layer_case){type, keys, inputs}, VDNN_RULE_LEAN, &layer));
    return layer;
}

static void assert_dims(const vdnn_desc *desc, int64_t n, int64_t c, int64_t h, int64_t w)
{
    const int64_t wanted[VDNN_DIMS] = {n, c, h, w};
    for (int d = 0; d < VDNN_DIMS; d++)
        assert_int_equal(desc->dims[d], wanted[d]);
}

TEST(a_convolution_knows_its_output_and_its_parameters)
{
    vdnn_layer *conv =
        built("conv", "out=6 kernel=5x3 stride=2x1 pad=2x0 dilation=1x2 groups=2", "8x4x11x9");
    assert_dims(&conv->y, 8, 6, 6, 5);
    assert_int_equal(conv->param_count, 2);
    const vdnn_param *weight = &conv->params[0], *bias = &conv->params[1];
    assert_string_equal(weight->name, "weight");
    assert_int_equal(weight->dim_count, 4);
    assert_int_equal(weight->count, 6 * 2 * 5 * 3);
    assert_int_equal(weight->offset, 0);
    assert_int_equal(weight->fan_in, 2 * 5 * 3);
    assert_int_equal(weight->fan_out, 3 * 5 * 3);
    assert_true(weight->trainable && !weight->is_bias);
    assert_string_equal(bias->name, "bias");
    assert_int_equal(bias->count, 6);
    assert_int_equal(bias->offset, weight->count * 4);
    assert_true(bias->trainable && bias->is_bias);
    assert_int_equal(conv->param_bytes, (weight->count + 6) * 4);
    assert_int_equal(conv->trainable_bytes, conv->param_bytes);
    vdnn_layer_case_destroy(conv);
}

TEST(a_volume_has_a_depth_which_layers_keep)
{
    vdnn_layer *conv = built("conv", "out=6 kernel=5x3x1 stride=2x1x3 pad=2x0x1", "2x4x11x9x7");
    assert_int_equal(conv->y.rank, VDNN_VOLUME_RANK);
    assert_int_equal(conv->y.depth, 6);
    assert_dims(&conv->y, 2, 6, 6 * 7, 3);
    const vdnn_param *weight = &conv->params[0];
    static const int64_t dims[] = {6, 4, 5, 3, 1};
    assert_int_equal(weight->dim_count, 5);
    assert_memory_equal(weight->dims, dims, sizeof dims);
    static const struct {
        const char *type, *inputs;
        int64_t channels, depth;
    } rows[] = {{"relu", "2x3x4x5x6", 3, 4},
                {"batchnorm", "2x3x4x5x6", 3, 4},
                {"add", "2x3x4x5x6 2x3x4x5x6", 3, 4},
                {"concat", "2x3x4x5x6 2x2x4x5x6", 5, 4},
                {"global_avgpool", "2x3x4x5x6", 3, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *layer = built(rows[i].type, "", rows[i].inputs);
        assert_int_equal(layer->y.rank, VDNN_VOLUME_RANK);
        assert_int_equal(layer->y.depth, rows[i].depth);
        assert_int_equal(layer->y.dims[VDNN_C], rows[i].channels);
        vdnn_layer_case_destroy(layer);
    }
    vdnn_layer_case_destroy(conv);
}

TEST(a_transposed_convolution_has_the_shapes_of_pytorch)
{
    static const struct {
        const char *keys, *inputs;
        int64_t depth, height, width;
    } rows[] = {
        {"out=6 kernel=2 stride=2", "2x4x5x6x7", 10, 12, 14},
        {"out=6 kernel=3 stride=2 pad=1", "2x4x5x6x7", 9, 11, 13},
        {"out=6 kernel=3 stride=2 pad=1 output_pad=1", "2x4x5x6x7", 10, 12, 14},
        {"out=6 kernel=3x1x2 stride=1x1x3 dilation=2x1x1 groups=2", "2x4x5x6x7", 9, 6, 20},
        {"out=6 kernel=4 stride=2 pad=1", "2x4x5x6", 1, 10, 12},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *layer = built("conv_transpose", rows[i].keys, rows[i].inputs);
        const vdnn_param *weight = &layer->params[0];
        assert_dims(&layer->y, 2, 6, rows[i].depth * rows[i].height, rows[i].width);
        assert_int_equal(weight->dims[0], 4);
        assert_int_equal(layer->params[1].count, 6);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(signatures_have_as_many_numbers_as_the_input_has_sides)
{
    vdnn_layer *picture = built("conv", "out=2 kernel=3 pad=1", "1x2x4x5"),
               *volume = built("conv", "out=2 kernel=3 pad=0x1x1", "1x2x6x4x5");
    assert_ok(vdnn_signature_make(picture, &picture->signature));
    assert_ok(vdnn_signature_make(volume, &volume->signature));
    assert_non_null(strstr(picture->signature, "kernel=3x3,stride=1x1,pad=1x1,"));
    assert_non_null(strstr(picture->signature, "x=1x2x4x5:"));
    assert_non_null(strstr(volume->signature, "kernel=3x3x3,stride=1x1x1,pad=0x1x1,"));
    assert_non_null(strstr(volume->signature, "x=1x2x6x4x5:"));
    assert_non_null(strstr(volume->signature, "y=1x2x4x4x5:"));
    vdnn_heap_free(picture->signature);
    vdnn_heap_free(volume->signature);
    vdnn_layer_case_destroy(picture);
    vdnn_layer_case_destroy(volume);
}

TEST(a_layer_without_bias_has_one_parameter)
{
    vdnn_layer *conv = built("conv", "out=6 kernel=1 bias=false", "1x4x2x2");
    vdnn_layer *fc = built("fc", "out=6 bias=false", "3x4x2x2");
    assert_int_equal(conv->param_count, 1);
    assert_int_equal(conv->param_bytes, 6 * 4 * 4);
    assert_int_equal(fc->param_count, 1);
    assert_int_equal(fc->params[0].dims[0], 6);
    assert_int_equal(fc->params[0].dims[1], 16);
    assert_dims(&fc->y, 3, 6, 1, 1);
    vdnn_layer_case_destroy(conv);
    vdnn_layer_case_destroy(fc);
}

TEST(concat_adds_channels)
{
    vdnn_layer *concat = built("concat", "", "2x3x4x5 2x1x4x5 2x7x4x5");
    assert_dims(&concat->y, 2, 11, 4, 5);
    vdnn_layer_case_destroy(concat);
}

TEST(a_mask_takes_one_bit_an_element)
{
    static const struct {
        const char *inputs;
        size_t bytes;
    } rows[] = {{"1x1x1x1", 1}, {"1x8x1x1", 1}, {"1x9x1x1", 2}, {"3x3x1x1", 2}, {"2x64x7x7", 784}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *relu = built("relu", "", rows[i].inputs);
        vdnn_layer *dropout = built("dropout", "p=0.5", rows[i].inputs);
        assert_int_equal(relu->aux_bytes, rows[i].bytes);
        assert_int_equal(dropout->aux_bytes, rows[i].bytes);
        vdnn_layer_case_destroy(relu);
        vdnn_layer_case_destroy(dropout);
    }
}

TEST(an_argmax_takes_one_byte_below_256_cells_and_four_from_there)
{
    static const struct {
        const char *keys;
        size_t bytes;
    } rows[] = {{"kernel=2 stride=50", 1},
                {"kernel=15x17 stride=50", 1},
                {"kernel=16 stride=50", 4},
                {"kernel=1x256 stride=300", 4},
                {"kernel=1x255 stride=300", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *pool = built("maxpool", rows[i].keys, "1x1x16x256");
        assert_int_equal(pool->aux_bytes, rows[i].bytes * (size_t)vdnn_desc_count(&pool->y));
        vdnn_layer_case_destroy(pool);
    }
}

TEST(what_is_not_saved_takes_no_auxiliary_memory)
{
    static const vdnn_layer_case rows[] = {{"relu", "", "2x3x4x5"},
                                           {"maxpool", "kernel=2", "2x3x4x6"}};
    for (size_t i = 0; i < 2; i++) {
        vdnn_layer *layer = NULL;
        assert_ok(vdnn_layer_case_build(&rows[i], VDNN_RULE_PAPER, &layer));
        assert_int_equal(layer->aux_bytes, 0);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(what_does_not_fit_is_refused_with_its_values)
{
    static const struct {
        vdnn_layer_case c;
        const char *message;
    } rows[] = {
        {{"conv", "out=1 kernel=5", "1x1x3x3"},
         "conv layer 'out=1 kernel=5 on 1x1x3x3': kernel 5x5 does not fit its 3x3 input (pad 0)"},
        {{"conv", "out=1 kernel=3x9 pad=0x1", "1x1x4x6"},
         "kernel 3x9 does not fit its 4x6 input (pad 0x1)"},
        {{"conv", "out=1 kernel=3 dilation=2", "1x1x4x4"},
         "kernel 3x3 does not fit its 4x4 input (pad 0, dilation 2x2)"},
        {{"conv", "out=1 kernel=3 pad=1x0x0", "1x1x4x2x3"},
         "kernel 3x3x3 does not fit its 4x2x3 input (pad 1x0x0)"},
        {{"conv", "out=1 kernel=3x3", "1x1x4x4x4"},
         "kernel is [3, 3], but its input is a volume; expected n or [d, h, w]"},
        {{"conv", "out=1 kernel=2x3x3", "1x1x4x4"},
         "kernel is [2, 3, 3], but its input is no volume; expected n or [h, w]"},
        {{"conv_transpose", "out=1 kernel=3 stride=2 output_pad=2", "1x1x4x4"},
         "output_pad 2 is not less than its stride 2"},
        {{"conv_transpose", "out=1 kernel=1 pad=2", "1x1x4x4"},
         "kernel 1x1 makes no output of its 4x4 input"},
        {{"add", "", "1x2x2x3x4 1x2x3x2x4"}, "input 2 is 2x3x2x4 but the first is 2x2x3x4"},
        {{"concat", "", "1x2x2x3x4 1x2x6x4"}, "input 2 and the first are a volume and a picture"},
        {{"conv", "out=4 kernel=1 groups=2", "1x3x1x1"}, "groups 2 does not divide its 3 input"},
        {{"conv", "out=3 kernel=1 groups=2", "1x4x1x1"}, "groups 2 does not divide out 3"},
        {{"conv", "out=2147483647 kernel=2147483647 pad=2147483647", "1x9999999x1x1"},
         "larger than any memory"},
        {{"conv", "out=2147483647 kernel=40000 pad=20000", "1x2147483647x1x1"},
         "its weight is larger than any memory"},
        {{"fc", "out=2147483647", "1x2147483647x100x1"}, "its weight is larger than any memory"},
        {{"fc", "out=2147483647", "4000000000x1x1x1"}, "larger than any memory"},
        {{"maxpool", "kernel=3", "1x1x2x2"}, "kernel 3x3 does not fit its 2x2 input (pad 0)"},
        {{"maxpool", "kernel=3 pad=2", "1x1x9x9"}, "pad 2 is more than half of its kernel 3"},
        {{"avgpool", "kernel=4x1 pad=2x1", "1x1x9x9"}, "pad 1 is more than half of its kernel 1"},
        {{"avgpool", "kernel=100000 pad=50000", "1x1x1x1"}, "more than 2^31 cells"},
        {{"add", "", "1x2x2x2 1x1x2x2"}, "input 2 is 1x2x2 but the first is 2x2x2"},
        {{"mul", "", "1x2x2x2 1x2x2x2 1x2x2x1"}, "input 3 is 2x2x1 but the first is 2x2x2"},
        {{"lrn", "size=5 alpha=0 k=0", "1x2x2x2"}, "k and alpha are both 0"},
        {{"groupnorm", "groups=4", "2x6x4x5"}, "groups 4 does not divide its 6 input channels"},
        {{"groupnorm", "groups=6", "2x6x1x1"}, "its 6x1x1 input has one value per group"},
        {{"instancenorm", "", "2x6x1x1"}, "its 6x1x1 input has one value per group"},
        {{"layernorm", "", "2x3x4x5"},
         "its input is a picture of 3x4x5, expected a sequence or a vector"},
        {{"concat", "", "1x1x2x2 1x1x2x3"}, "input 2 is 2x3 but the first is 2x2"},
        {{"additive_attention", "", "2x5x3 2x7x4 2x7x3"},
         "q has 3 features and k 4, expected as many each"},
        {{"additive_attention", "", "2x5x3 2x7x3 2x8x3"},
         "k has 7 positions and v 8, expected as many each"},
        {{"additive_attention", "", "2x5x3 2x7x3 2x7"}, "input 3 is not a sequence"},
        {{"additive_attention", "", "2x5x3 2x7x3 2x7x3 2x2<8"},
         "input 4, the lengths, has 2 elements a sample, expected one integer"},
        {{"additive_attention", "", "2000000x2000000x1 2000000x2000000x1 2000000x2000000x1"},
         "its scores are larger than any memory"},
        {{"lstm", "out=3", "2x5"}, "its input is not a sequence"},
        {{"lstm", "out=3", "2x5x3x3"}, "its input is not a sequence"},
        {{"lstm", "out=3", "2x5x3 2x2<6"}, "its second input is not one integer a sample"},
        {{"lstm", "out=3", "2x5x3 2x5x3"}, "its second input is not one integer a sample"},
        {{"lstm", "out=3", "2x5x3 2x1<9"},
         "its second input has numbers up to 8, but its sequences have 5 positions; expected a "
         "vocabulary of 6"},
        {{"lstm", "out=3 biases=0 forget_bias=1", "2x5x3"}, "it has a forget_bias, but no biases"},
        {{"lstm", "out=400000000", "1x1x400000000"}, "its weight_ih is larger than any memory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *layer = NULL;
        assert_status(vdnn_layer_case_build(&rows[i].c, VDNN_RULE_LEAN, &layer), VDNN_BAD_INPUT);
        assert_null(layer);
        assert_message(rows[i].message);
    }
}

TEST(additive_attention_keeps_a_number_for_each_query_and_key)
{
    vdnn_layer *layer = built("additive_attention", "", "3x4x7 3x9x7 3x9x5 3x1<10");
    static const int64_t counts[] = {7, 7, 1};
    assert_dims(&layer->y, 3, 4, 5, 1);
    assert_int_equal(layer->aux_bytes, 3 * 4 * 9 * 4);
    assert_int_equal(layer->param_count, 3);
    for (int p = 0; p < 3; p++)
        assert_int_equal(layer->params[p].count, counts[p]);
    vdnn_layer_case_destroy(layer);
}

TEST(a_memory_has_the_parameters_of_its_gates)
{
    static const char *const names[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    static const int64_t dims[][2] = {{20, 7}, {20, 5}, {20, 0}, {20, 0}};
    vdnn_layer *lstm = built("lstm", "out=5", "3x4x7"),
               *plain = built("lstm", "out=5 biases=0", "3x4x7");
    assert_dims(&lstm->y, 3, 4, 5, 1);
    assert_int_equal(lstm->aux_bytes, 3 * 4 * 5 * 5 * 4);
    assert_int_equal(lstm->param_count, 4);
    assert_int_equal(plain->param_count, 2);
    for (int p = 0; p < 4; p++) {
        assert_string_equal(lstm->params[p].name, names[p]);
        assert_int_equal(lstm->params[p].dims[0], dims[p][0]);
        assert_int_equal(lstm->params[p].dim_count, p < 2 ? 2 : 1);
        assert_true(p >= 2 || lstm->params[p].dims[1] == dims[p][1]);
        assert_int_equal(lstm->params[p].fan_in, p < 2 ? 12 : 0);
    }
    vdnn_layer_case_destroy(lstm);
    vdnn_layer_case_destroy(plain);
    vdnn_layer *projected = built("lstm", "out=5 projection=2", "3x4x7");
    assert_dims(&projected->y, 3, 4, 2, 1);
    assert_int_equal(projected->aux_bytes, 3 * 4 * 5 * 5 * 4);
    assert_int_equal(projected->param_count, 5);
    assert_int_equal(projected->params[1].dims[1], 2);
    assert_string_equal(projected->params[4].name, "weight_hr");
    assert_true(projected->params[4].dims[0] == 2 && projected->params[4].dims[1] == 5);
    vdnn_layer_case_destroy(projected);
}

/* It keeps the cells before each chunk but the first, as f32. */
TEST(a_memory_in_chunks_keeps_the_cells_between_them)
{
    static const struct {
        const char *keys;
        int64_t starts;
    } rows[] = {{"out=5 chunk=1", 10}, {"out=5 chunk=2", 5},  {"out=5 chunk=10", 1},
                {"out=5 chunk=11", 0}, {"out=5 chunk=12", 0}, {"out=5 projection=2 chunk=4", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
            const vdnn_layer_case one = {"lstm", rows[i].keys, "3x11x7"};
            const vdnn_layer_form form = {.dtype = is_narrow ? VDNN_BF16 : VDNN_F32};
            vdnn_layer *lstm;
            assert_ok(vdnn_layer_case_build_as(&one, VDNN_RULE_LEAN, form, &lstm));
            assert_int_equal(lstm->aux_bytes, 3 * rows[i].starts * 5 * 4);
            vdnn_layer_case_destroy(lstm);
        }
}

/* Recorded profiles have rows from before it. */
TEST(a_key_that_came_later_is_in_signatures_only_where_it_is_set)
{
    static const struct {
        const char *type, *keys, *inputs, *wanted;
    } rows[] = {
        {"softmax_loss", "", "4x10x1x1", "softmax_loss()x=4x10"},
        {"softmax_loss", "smoothing=0.5", "4x10x1x1", "softmax_loss(smoothing=0.5)x=4x10"},
        {"lstm", "out=5", "3x4x7", "projection=0)x=3x4x7"},
        {"lstm", "out=5 chunk=3", "3x4x7", "projection=0,chunk=3)x=3x4x7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *signature;
        vdnn_layer *layer = built(rows[i].type, rows[i].keys, rows[i].inputs);
        assert_ok(vdnn_signature_make(layer, &signature));
        assert_non_null(strstr(signature, rows[i].wanted));
        vdnn_heap_free(signature);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(a_loss_wants_one_input_element_a_class)
{
    vdnn_layer *loss = built("softmax_loss", "", "4x3x10");
    assert_int_equal(loss->aux_bytes, 4 * 3 * 16);
    vdnn_layer_case_destroy(loss);
    loss = built("softmax_loss", "", "4x10x1x1");
    assert_dims(&loss->y, 1, 2, 1, 1);
    assert_int_equal(loss->aux_bytes, 4 * 10 * 4);
    loss->classes = 12;
    assert_status(loss->def->infer(loss), VDNN_BAD_INPUT);
    assert_message("its input has 10 elements a sample, but the network has 12 classes");
    vdnn_layer_case_destroy(loss);
}

/* ---- what every layer answers ---------------------------------------------------------------- */

TEST(a_pass_exists_where_something_learns)
{
    vdnn_layer *conv = built("conv", "out=2 kernel=3", "1x1x4x4");
    vdnn_layer *concat = built("concat", "", "1x1x2x2 1x1x2x2");
    assert_true(vdnn_layer_has_pass(conv, VDNN_FORWARD));
    assert_true(vdnn_layer_has_pass(conv, VDNN_BACKWARD_DATA));
    assert_true(vdnn_layer_has_pass(conv, VDNN_BACKWARD_FILTER));
    conv->wants_dx[0] = false;
    assert_false(vdnn_layer_has_pass(conv, VDNN_BACKWARD_DATA));
    assert_false(vdnn_layer_has_pass(concat, VDNN_BACKWARD_FILTER));
    concat->wants_dx[0] = false;
    assert_true(vdnn_layer_has_pass(concat, VDNN_BACKWARD_DATA));
    vdnn_layer_case_destroy(conv);
    vdnn_layer_case_destroy(concat);
}

TEST(a_multiply_add_counts_as_two_operations)
{
    vdnn_layer *conv = built("conv", "out=6 kernel=3 groups=2 bias=false", "2x4x5x5");
    double products = 2.0 * 6 * 3 * 3 * (2 * 3 * 3);
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        assert_true(vdnn_layer_flops(conv, pass) == 2 * products);
    conv->wants_dx[0] = false;
    assert_true(vdnn_layer_flops(conv, VDNN_BACKWARD_DATA) == 0);
    vdnn_layer_case_destroy(conv);
}

TEST(the_bytes_of_a_pass_are_those_it_must_touch)
{
    vdnn_layer *conv = built("conv", "out=6 kernel=3", "2x4x5x5");
    double x = 2 * 4 * 25 * 4, y = 2 * 6 * 9 * 4, w = (6 * 4 * 9 + 6) * 4;
    assert_true(vdnn_layer_bytes(conv, VDNN_FORWARD) == x + y + w);
    assert_true(vdnn_layer_bytes(conv, VDNN_BACKWARD_DATA) == x + y + w);
    assert_true(vdnn_layer_bytes(conv, VDNN_BACKWARD_FILTER) == x + y + w);
    vdnn_layer *relu = built("relu", "", "2x4x5x5");
    assert_true(vdnn_layer_bytes(relu, VDNN_FORWARD) == 2 * x + 25);
    assert_true(vdnn_layer_bytes(relu, VDNN_BACKWARD_DATA) == 2 * x + 25);
    assert_true(vdnn_layer_bytes(relu, VDNN_BACKWARD_FILTER) == 0);
    /* Of a large weight the rows that are looked up; its gradient is written whole. */
    vdnn_layer *embedding = built("embedding", "out=6", "2x5<1000");
    double tokens = 2 * 5 * 4, vectors = 2 * 5 * 6 * 4, table = 1000 * 6 * 4;
    assert_true(vdnn_layer_bytes(embedding, VDNN_FORWARD) == tokens + 2 * vectors);
    assert_true(vdnn_layer_bytes(embedding, VDNN_BACKWARD_FILTER) == tokens + vectors + table);
    vdnn_layer_case_destroy(conv);
    vdnn_layer_case_destroy(relu);
    vdnn_layer_case_destroy(embedding);
}

TEST(a_kernel_for_what_does_not_exist_is_refused)
{
    vdnn_layer *relu = built("relu", "", "2x3x4x5");
    const vdnn_algorithm *row = vdnn_algorithm_find("relu", "native", "cpu");
    vdnn_kernel *kernel = NULL;
    size_t bytes = 99;
    assert_null(vdnn_algorithm_refusal(row, relu, VDNN_BACKWARD_DATA));
    assert_non_null(vdnn_algorithm_refusal(row, relu, VDNN_BACKWARD_FILTER));
    assert_status(vdnn_kernel_create(row, relu, VDNN_BACKWARD_FILTER, 1, &kernel), VDNN_USAGE);
    assert_message("backward_filter");
    assert_status(vdnn_kernel_create(row, relu, VDNN_FORWARD, 0, &kernel), VDNN_USAGE);
    assert_message("0 threads");
    assert_status(vdnn_algorithm_workspace(row, relu, VDNN_BACKWARD_FILTER, 1, &bytes), VDNN_USAGE);
    assert_int_equal(bytes, 99);
    relu->x[0].dtype = VDNN_I32;
    assert_string_equal(vdnn_algorithm_refusal(row, relu, VDNN_FORWARD),
                        "the data type of an input is neither f32 nor bf16");
    relu->x[0].dtype = VDNN_F32;
    relu->x[0].layout = VDNN_NHWC;
    assert_string_equal(vdnn_algorithm_refusal(row, relu, VDNN_FORWARD),
                        "the layout of an input is neither nchw nor nChw16c");
    assert_null(kernel);
    vdnn_layer_case_destroy(relu);
}

TEST(a_kernel_without_memory_is_refused_and_leaves_nothing)
{
    vdnn_layer *relu = built("relu", "", "2x3x4x5");
    const vdnn_algorithm *row = vdnn_algorithm_find("relu", "native", "cpu");
    vdnn_kernel *kernel = NULL;
    size_t before = vdnn_heap_live_count();
    vdnn_heap_fail_after(1);
    assert_status(vdnn_kernel_create(row, relu, VDNN_FORWARD, 1, &kernel), VDNN_NO_MEMORY);
    vdnn_heap_fail_after(0);
    assert_ok(vdnn_kernel_create(row, relu, VDNN_FORWARD, 1, &kernel));
    vdnn_kernel_destroy(kernel);
    vdnn_kernel_destroy(NULL);
    assert_int_equal(vdnn_heap_live_count(), before);
    vdnn_layer_case_destroy(relu);
}
