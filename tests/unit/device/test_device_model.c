/* Device models: what files of them may say, and that what plans are made of them never changes. */

#include "runtime/base/text.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/device/sim/predict.h"
#include "runtime/fit/fit.h"
#include "tests/support/files.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char good[] =
    "name: card\n"
    "calibrated: false\n"
    "memory: {bytes: 17179869184, usable_bytes: 16106127360, bytes_per_second: 732e9}\n"
    "compute:\n"
    "  f32_flops_per_second: {value: 10.6e12, basis: datasheet, source: the datasheet}\n"
    "  launch_seconds: 5e-6\n"
    "  multiprocessors: 56\n"
    "link: {out_bytes_per_second: 12e9, in_bytes_per_second: 11e9, latency_seconds: 1e-5}\n"
    "host: {bytes: 68719476736}\n"
    "layers: {memory_efficiency: 0.7, gemm_efficiency: 0.5, gemm_tile: 128}\n"
    "convolution:\n"
    "  implicit_gemm:\n"
    "    forward: &R\n"
    "    backward_data: &R\n"
    "    backward_filter: &R\n";

static const char rate[] = "{efficiency: 0.5, memory_efficiency: 0.9, overlap: 0.5, narrow: 1, "
                           "alone: 1, fill: 0, transfers: 0}";

/* Puts the rates in, and `to` in place of the first `from`. The caller frees. */
static vdnn_text change(const char *from, const char *to)
{
    vdnn_text with = {0}, text = {0};
    for (const char *c = good; *c != '\0'; c++) {
        bool mark = strncmp(c, "&R", 2) == 0;
        vdnn_text_add(&with, mark ? "%s" : "%.1s", mark ? rate : c);
        c += mark;
    }
    const char *at = strstr(with.data, from);
    assert_non_null(at);
    vdnn_text_add(&text, "%.*s%s%s", (int)(at - with.data), with.data, to, at + strlen(from));
    vdnn_text_fini(&with);
    assert_false(text.failed);
    return text;
}

TEST(a_model_is_read_with_its_sources)
{
    vdnn_device_model model;
    vdnn_text text = change("", "");
    assert_ok(vdnn_device_model_parse(text.data, text.length, "card.yaml", &model));
    assert_string_equal(model.name, "card");
    assert_false(model.is_calibrated);
    assert_int_equal(model.memory.usable_bytes, 16106127360);
    assert_true(model.compute.f32_flops_per_second == 10.6e12);
    assert_true(model.compute.bf16_flops_per_second == 0);
    assert_int_equal(model.link.devices, 1);
    assert_true(model.convolution[VDNN_COST_IMPLICIT_GEMM][VDNN_FORWARD].efficiency == 0.5);
    assert_true(model.convolution[VDNN_COST_FFT][VDNN_FORWARD].efficiency == 0);
    vdnn_text_fini(&text);
}

/* The figure of that name; fails where there is none. */
static vdnn_figure figure_of(const vdnn_device_model *model, const char *section, const char *key)
{
    for (int i = 0; i < model->figure_count; i++) {
        const vdnn_figure *figure = &model->figures[i];
        if (strcmp(figure->section, section) == 0 &&
            (key == NULL ? figure->key == NULL
                         : figure->key != NULL && strcmp(figure->key, key) == 0))
            return *figure;
    }
    fail_msg("%s has no figure %s.%s", model->name, section, key == NULL ? "" : key);
    return (vdnn_figure){.key = NULL};
}

static vdnn_figure figure_in(const char *from, const char *to, const char *section, const char *key)
{
    vdnn_device_model model;
    vdnn_text text = change(from, to);
    assert_ok(vdnn_device_model_parse(text.data, text.length, "models/devices/card.yaml", &model));
    vdnn_text_fini(&text);
    return figure_of(&model, section, key);
}

TEST(each_figure_has_its_value_and_what_it_rests_on)
{
    vdnn_figure figure = figure_in("", "", "compute", "f32_flops_per_second");
    assert_true(figure.value == 10.6e12);
    assert_int_equal(figure.basis, VDNN_BASIS_DATASHEET);
    assert_int_equal(figure_in("", "", "compute", "launch_seconds").basis, VDNN_BASIS_UNSTATED);
    for (int i = 1; i < VDNN_BASIS_COUNT; i++) {
        char to[64];
        (void)snprintf(to, sizeof to, "basis: %s", vdnn_basis_text((vdnn_basis)i));
        assert_int_equal(figure_in("basis: datasheet", to, "compute", "f32_flops_per_second").basis,
                         i);
    }
    assert_int_equal(figure_in("", "", "convolution", NULL).basis, VDNN_BASIS_UNSTATED);
    assert_int_equal(
        figure_in("  implicit_gemm:", "  basis: fitted\n  implicit_gemm:", "convolution", NULL)
            .basis,
        VDNN_BASIS_FITTED);
    assert_int_equal(
        figure_in("  implicit_gemm:", "  like: p100\n  implicit_gemm:", "convolution", NULL).basis,
        VDNN_BASIS_OTHER_CARD);
}

/* What a context and the libraries take is not known of a card that nobody has tried. */
TEST(without_usable_bytes_all_are_which_is_an_assumption)
{
    vdnn_figure figure = figure_in("usable_bytes: 16106127360, ", "", "memory", "usable_bytes");
    assert_true(figure.value == 17179869184);
    assert_int_equal(figure.basis, VDNN_BASIS_ASSUMED);
}

TEST(what_is_wrong_is_told_with_file_line_and_the_nearest_key)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"  multiprocessors: 56\n", "", "card.yaml:5: compute has no key 'multiprocessors'"},
        {"host: {bytes: 68719476736}\n", "", "has no key 'host', which it must have"},
        {"launch_seconds", "launch_second", "(did you mean launch_seconds?)"},
        {"layers:", "layer:", "(did you mean layers?)"},
        {"732e9", "-732e9",
         "card.yaml:3: bytes_per_second of memory is '-732e9', expected a "
         "number from 100000000 to 1e+15"},
        {"732e9", "732", "bytes_per_second of memory is '732'"},
        {"10.6e12", "10.6e22", "card.yaml:5: f32_flops_per_second of compute is '10.6e22'"},
        {"10.6e12", "fast", "is 'fast', expected a number"},
        {"source:", "sauce:",
         "unknown key 'sauce' of f32_flops_per_second of compute (did you "
         "mean source?)"},
        {", source: the datasheet", "", "has no key 'source', which it must have"},
        {"basis: datasheet", "basis: datashet",
         "card.yaml:5: basis of compute.f32_flops_per_second is 'datashet', expected datasheet, "
         "measured, fitted, other_card, construction or assumed (did you mean datasheet?)"},
        {"basis: datasheet", "basis: unstated", "f32_flops_per_second is 'unstated', expected"},
        {"basis: datasheet", "basis: [fitted]", "f32_flops_per_second is a list, expected"},
        {"  implicit_gemm:", "  basis: guessed\n  implicit_gemm:",
         "card.yaml:12: basis of convolution is 'guessed'"},
        {"source: the datasheet", "source: [a]", "is not text"},
        {"usable_bytes: 16106127360", "usable_bytes: 18179869184", "more than its bytes"},
        {"in_bytes_per_second: 11e9", "in_bytes_per_second: 11e9, both_bytes_per_second: 11e9",
         "both_bytes_per_second of link is 1.1e+10, less than one direction alone"},
        {"  implicit_gemm:", "  implicit_gem:", "(did you mean implicit_gemm?)"},
        {"  implicit_gemm:", "  fft:", "convolution has no implicit_gemm for forward"},
        {"    forward:", "    foreward:", "(did you mean forward?)"},
        {"efficiency: 0.5, m", "efficiency: 5, m", "efficiency of forward of implicit_gemm is '5'"},
        {"efficiency: 0.5, m", "efficiency: 1.01, m", "expected a number from 0 to 1"},
        {"efficiency: 0.5, m", "efficiency: -0.5, m", "efficiency of forward of implicit_gemm is"},
        {"  launch_seconds", "  tf32_flops_per_second: 156\n  launch_seconds",
         "card.yaml:6: tf32_flops_per_second of compute is 156, less than f32_flops_per_second; "
         "leave it out where the card has no units for the type (1.06e+13)"},
        {"  launch_seconds", "  f16_flops_per_second: 5e12\n  launch_seconds",
         "f16_flops_per_second of compute is 5e+12, less than f32_flops_per_second"},
        {"out_bytes_per_second: 12e9", "out_bytes_per_second: 12e12",
         "card.yaml:8: out_bytes_per_second of link is 1.2e+13, more than the device's memory, "
         "bytes_per_second of memory (7.32e+11)"},
        {"host:", "peers: {bytes_per_second: 5.75}\nhost:",
         "card.yaml:9: bytes_per_second of peers is 5.75, expected bytes in a second, 1e+06 and"},
        {"host:", "peers: {bytes_per_second: 5e9, far_bytes_per_second: 4}\nhost:",
         "card.yaml:9: far_bytes_per_second of peers is 4, expected bytes in a second"},
        {"host:", "peers: {bytes_per_second: 9e11}\nhost:",
         "card.yaml:9: bytes_per_second of peers is 9e+11, more than the device's memory"},
        {"host:", "peers: {bytes_per_second: 5e9, network_bytes_per_second: 8e11}\nhost:",
         "network_bytes_per_second of peers is 8e+11, more than the device's memory"},
        {"host:",
         "product: {efficiency: 0.5, memory_efficiency: 0.9, overlap: 0.5, narrow: 1, "
         "alone: 1, fill: 0, transfers: 0, reloads: -1}\nhost:",
         "card.yaml:9: reloads of product is '-1', expected a number from 0 to 16"},
        {"host:", "tensor_accuracy: {nine_tenths_within: 0.1}\nhost:",
         "card.yaml:9: tensor_accuracy has no key 'half_within'"},
        {"host:", "accuracy: {half_within: 0.1}\nhost:",
         "card.yaml:9: accuracy has no key 'nine_tenths_within'"},
        {"host:", "accuracy: {half_within: 12, nine_tenths_within: 35}\nhost:",
         "half_within of accuracy is '12', expected a number from 0.001 to 10"},
        {"host:", "tensor_convolution: {basis: fitted}\nhost:",
         "card.yaml:9: tensor_convolution has no implicit_gemm for forward"},
        {"host:", "tensor_convolution: {like: 3}\nhost:", "like of tensor_convolution"},
        {"host:", "product: {efficiency: 0.5}\nhost:", "product has no key 'memory_efficiency'"},
        {"host:", "product: {like: p10}\nhost:", "card.yaml:9: like of product: no device model"},
        {"host:", "tensor_product: {like: v100, fill: 3}\nhost:", "unknown key 'fill'"},
        {"host:", "product: 3\nhost:", "card.yaml:9: product"},
        {"name: card", "name: ''", "expected 1 to 63 letters"},
        {"name: card", "name: \"a\\nb\"", "name of the device is the text 'a?b', with a control"},
        {"calibrated: false", "calibrated: 0", "expected true or false"},
        {"name: card", "- name", "card.yaml:"},
        {"memory:", "memry:",
         "card.yaml:3: unknown key 'memry' of the device model (did you mean memory?)"},
        {"host: {bytes: 68719476736}", "host: 68719476736", "card.yaml:9: host is '68719476736'"},
        {"host: {bytes: 68719476736}", "host: {bytes: 68719476736, bytes: 68719476736}",
         "card.yaml:9: key 'bytes' of host is given twice"},
        {"host: {bytes: 68719476736}", "host: {bytes: 1.5}",
         "bytes of host is '1.5', expected an integer"},
        {"host: {bytes: 68719476736}", "host: {bytes: {source: a}}", "has no key 'value'"},
        {"host: {bytes: 68719476736}", "host: {bytes: 1e999}", "bytes of host is '1e999'"},
        {"usable_bytes: 16106127360", "usable_bytes: 0",
         "usable_bytes of memory is '0', expected an"},
        {"  launch_seconds: 5e-6", "  launch_seconds: nan", "launch_seconds of compute is 'nan'"},
        {"  launch_seconds: 5e-6", "  launch_seconds: 5", "launch_seconds of compute is '5'"},
        {"  launch_seconds: 5e-6", "  launch_seconds: \"5e-6\"",
         "is the text '5e-6', expected a number"},
        {"  multiprocessors: 56", "  multiprocessors: 0",
         "card.yaml:7: multiprocessors of compute"},
        {"  multiprocessors: 56", "  multiprocessors: 56\n  tf32_flops_per_second: -1",
         "card.yaml:8: tf32_flops_per_second of compute is '-1'"},
        {"  multiprocessors: 56", "  multiprocessors: 56\n  tensor_tile: 48",
         "card.yaml:8: tensor_tile of compute is 48, expected 32, 64 or 128 filters, or 0, as in "
         "f32"},
        {"  multiprocessors: 56", "  multiprocessors: 56\n  tensor_tile: 256",
         "card.yaml:8: tensor_tile of compute is '256', expected an integer from 0 to 128"},
        {"  multiprocessors: 56", "  multiprocessors: 56\n  tensor_skips: 2",
         "card.yaml:8: tensor_skips of compute is '2', expected an integer from 0 to 1"},
        {"  multiprocessors: 56", "  multiprocessors: 56\n  tensor_launch_seconds: 3",
         "card.yaml:8: tensor_launch_seconds of compute is '3'"},
        {"latency_seconds: 1e-5", "latency_seconds: 1e-5, devices: 0", "devices of link is '0'"},
        {"latency_seconds: 1e-5", "latency_seconds: 1e-5, devices: 33", "from 1 to 32"},
        {"latency_seconds: 1e-5", "latency_seconds: 1e-5, device: 2", "(did you mean devices?)"},
        {"gemm_tile: 128", "gemm_tile: -128", "gemm_tile of layers is '-128'"},
        {", transfers: 0", "", "forward of implicit_gemm has no key 'transfers'"},
        {"transfers: 0", "transfers: 0, tranfers: 0", "(did you mean transfers?)"},
        {"  implicit_gemm:", "  like: [p100]\n  implicit_gemm:",
         "card.yaml:12: like of convolution is a list"},
        {"  implicit_gemm:", "  like: ../p100\n  implicit_gemm:",
         "expected the name of another device model"},
        {"  implicit_gemm:", "  like: p10\n  implicit_gemm:",
         "card.yaml:12: like of convolution: no device model 'p10'"},
        {"  implicit_gemm:", "  lik: p100\n  implicit_gemm:",
         "unknown key 'lik' of convolution (did you mean like?)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_device_model model = {.name = "untouched"};
        vdnn_text text = change(cases[i].from, cases[i].to);
        assert_status(vdnn_device_model_parse(text.data, text.length, "card.yaml", &model),
                      VDNN_BAD_INPUT);
        if (strstr(vdnn_status_message(), cases[i].message) == NULL)
            fail_msg("'%s' does not say '%s'", vdnn_status_message(), cases[i].message);
        assert_string_equal(model.name, "untouched");
        vdnn_text_fini(&text);
    }
    assert_status(vdnn_device_model_load("titan-x-maxwel", &(vdnn_device_model){.name = ""}),
                  VDNN_BAD_INPUT);
    assert_non_null(strstr(vdnn_status_message(), "no device model 'titan-x-maxwel'"));
}

/* ---- convolutions of another model ----------------------------------------------------------- */

TEST(a_model_has_the_convolutions_of_the_one_that_it_is_like)
{
    vdnn_device_model other, model;
    vdnn_text text =
        change("  implicit_gemm:", "  source: measured\n  like: p100\n  implicit_gemm:");
    assert_ok(vdnn_device_model_load("models/devices/p100.yaml", &other));
    assert_ok(vdnn_device_model_parse(text.data, text.length, "models/devices/card.yaml", &model));
    for (size_t a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        if (a == VDNN_COST_IMPLICIT_GEMM)
            assert_memory_not_equal(model.convolution[a], other.convolution[a],
                                    sizeof *model.convolution);
        else
            assert_memory_equal(model.convolution[a], other.convolution[a],
                                sizeof *model.convolution);
    assert_true(model.convolution[VDNN_COST_WINOGRAD][VDNN_FORWARD].efficiency > 0);
    vdnn_text_fini(&text);
}

/* Only where the card has units for a type, with a peak of their own, are its rates theirs. */
TEST(smaller_types_have_the_rates_of_their_units)
{
    vdnn_device_model like, model;
    vdnn_text text = change("  launch_seconds", "  bf16_flops_per_second: 40e12\n  launch_seconds");
    vdnn_text_add(&text, "tensor_convolution: {like: p100}\n");
    assert_ok(vdnn_device_model_load("models/devices/p100.yaml", &like));
    assert_ok(vdnn_device_model_parse(text.data, text.length, "models/devices/card.yaml", &model));
    vdnn_cost_model f32 = vdnn_predict_cost_model(&model, VDNN_F32);
    vdnn_cost_model tf32 = vdnn_predict_cost_model(&model, VDNN_TF32);
    vdnn_cost_model bf16 = vdnn_predict_cost_model(&model, VDNN_BF16);
    vdnn_cost_model f16 = vdnn_predict_cost_model(&model, VDNN_F16);
    assert_true(bf16.flops_per_second == 40e12 && f16.flops_per_second == 40e12);
    assert_true(f32.flops_per_second == 10.6e12 && tf32.flops_per_second == 10.6e12);
    assert_memory_equal(bf16.rates, like.tensor_convolution, sizeof bf16.rates);
    assert_memory_equal(f16.rates, bf16.rates, sizeof f16.rates);
    assert_memory_equal(f32.rates, model.convolution, sizeof f32.rates);
    assert_memory_equal(tf32.rates, f32.rates, sizeof f32.rates);
    assert_memory_not_equal(bf16.rates, f32.rates, sizeof f32.rates);
    vdnn_text_fini(&text);
}

TEST(only_smaller_types_take_what_their_kernels_do_otherwise)
{
    vdnn_device_model model;
    vdnn_text text = change("  launch_seconds",
                            "  f16_flops_per_second: 40e12\n  tensor_channels: 8\n"
                            "  tensor_pads_to: 4\n  tensor_tile: 64\n  tensor_splits: 1\n"
                            "  tensor_skips: 1\n  tensor_launch_seconds: 3e-6\n  launch_seconds");
    assert_ok(vdnn_device_model_parse(text.data, text.length, "card.yaml", &model));
    vdnn_cost_model f16 = vdnn_predict_cost_model(&model, VDNN_F16);
    vdnn_cost_model f32 = vdnn_predict_cost_model(&model, VDNN_F32);
    assert_int_equal(f16.padded_multiple, 4);
    assert_int_equal(f16.narrowest_tile, 64);
    assert_true(f16.splits_forward && f16.skips_rows && f16.launch_seconds == 3e-6);
    assert_int_equal(f32.padded_multiple, 0);
    assert_int_equal(f32.narrowest_tile, 0);
    assert_true(!f32.splits_forward && !f32.skips_rows && f32.launch_seconds == 5e-6);
    vdnn_text_fini(&text);
}

/* Its sums over a channel come before any value that is computed by them. */
TEST(a_batch_normalization_reads_its_maps_twice)
{
    static const char network[] = "name: net\ninput: {channels: 4, height: 8, width: 8}\n"
                                  "classes: 2\nbatch: 2\nlayers:\n"
                                  "  - {name: conv, type: conv, out: 8, kernel: 1}\n"
                                  "  - {name: norm, type: batchnorm}\n"
                                  "  - {name: relu, type: relu}\n"
                                  "  - {name: fc, type: fc, out: 2}\n"
                                  "  - {name: loss, type: softmax_loss}\n";
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN};
    const double map_bytes = 4.0 * 2 * 8 * 8 * 8;
    vdnn_model *net = NULL;
    vdnn_graph *graph = NULL;
    assert_ok(vdnn_model_parse(network, strlen(network), "net.yaml", &net));
    assert_ok(vdnn_graph_create(net, &options, &graph));
    vdnn_model_destroy(net);
    for (int i = 0; i < 3; i++) {
        const vdnn_layer *layer = &graph->layers[i];
        double again = strcmp(layer->name, "norm") == 0 ? map_bytes : 0;
        assert_true(vdnn_predict_bytes(layer, VDNN_FORWARD) ==
                    vdnn_layer_bytes(layer, VDNN_FORWARD) + again);
        assert_true(vdnn_predict_bytes(layer, VDNN_BACKWARD_DATA) ==
                    vdnn_layer_bytes(layer, VDNN_BACKWARD_DATA) + 2 * again);
    }
    vdnn_graph_destroy(graph);
}

/* cuDNN 9.19 on an H200 in bf16, 64 heads of 128 features, 8 of k and v, in milliseconds: from
 * NVIDIA/cudnn-frontend 3929da2e, benchmark/sdpa_benchmark_training/results. */
TEST(attention_takes_what_the_library_does_on_an_h200)
{
    static const double worst = 0.12;
    static const struct {
        int positions;
        const char *causal;
        double ms[2]; /* forward, backward */
    } rows[] = {
        {2048, "true", {0.142, 0.464}},     {4096, "true", {0.465, 1.45}},
        {8192, "true", {1.708, 5.083}},     {16384, "true", {6.531, 19.002}},
        {32768, "true", {25.566, 75.688}},  {2048, "false", {0.217, 0.681}},
        {4096, "false", {0.819, 2.453}},    {8192, "false", {3.182, 9.262}},
        {16384, "false", {12.524, 35.947}}, {32768, "false", {50.769, 153.841}},
    };
    static const vdnn_layer_form form = {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, false};
    static const vdnn_algorithm row = {.layer_type = "attention", .name = "native"};
    vdnn_device_model h200;
    assert_ok(vdnn_device_model_load("models/devices/h200.yaml", &h200));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char keys[64], inputs[64];
        vdnn_layer *layer = NULL;
        (void)snprintf(keys, sizeof keys, "heads=64 kv_heads=8 causal=%s", rows[i].causal);
        (void)snprintf(inputs, sizeof inputs, "1x%dx%d", rows[i].positions, (64 + 2 * 8) * 128);
        assert_ok(vdnn_layer_case_build_as(&(vdnn_layer_case){"attention", keys, inputs},
                                           VDNN_RULE_LEAN, form, &layer));
        for (vdnn_pass pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++) {
            double seconds;
            size_t workspace_bytes;
            assert_ok(vdnn_predict_pass(&h200, layer, pass, &row, &seconds, &workspace_bytes));
            if (!(fabs(seconds * 1e3 / rows[i].ms[pass] - 1) <= worst))
                fail_msg("%s on %s: %s %.3f ms, expected %.3f", keys, inputs, vdnn_pass_text(pass),
                         seconds * 1e3, rows[i].ms[pass]);
        }
        vdnn_layer_case_destroy(layer);
    }
}

/* With rates of its own a product is in tiles of both sides, backward too; without, of the batch.
 */
TEST_IN_FOLDER(products_have_rates_of_their_own_or_another_models)
{
    char to[256];
    vdnn_device_model model, like;
    vdnn_cost_factors factors = {.rows = 256, .columns = 4096, .inner = 4096, .bytes = 1e6};
    (void)snprintf(to, sizeof to, "product: %s\nhost:", rate);
    vdnn_text text = change("host:", to);
    vdnn_test_write_file(vdnn_test_path(*state, "card.yaml"), text.data, text.length);
    assert_ok(vdnn_device_model_load(vdnn_test_path(*state, "card.yaml"), &model));
    assert_true(model.product.efficiency == 0.5 && model.tensor_product.efficiency == 0.5);
    assert_int_equal(figure_of(&model, "product", NULL).basis, VDNN_BASIS_UNSTATED);
    double tiles = vdnn_predict_product(&model, VDNN_F32, &factors);
    vdnn_text_fini(&text);
    text = change("host:", "tensor_product: {like: card}\nhost:");
    vdnn_test_write_file(vdnn_test_path(*state, "like.yaml"), text.data, text.length);
    assert_ok(vdnn_device_model_load(vdnn_test_path(*state, "like.yaml"), &like));
    assert_true(like.product.efficiency == 0 && like.tensor_product.efficiency == 0.5);
    assert_int_equal(figure_of(&like, "tensor_product", NULL).basis, VDNN_BASIS_OTHER_CARD);
    double batch = vdnn_predict_product(&like, VDNN_F32, &factors);
    assert_true(batch == 2 * 256 * 4096.0 * 4096 / (10.6e12 * 0.5));
    assert_true(tiles != batch);
    vdnn_text_fini(&text);
}

TEST(a_model_says_how_far_its_times_are_off)
{
    vdnn_device_model model;
    vdnn_text text = change(
        "host:", "accuracy: {timings: 282, half_within: 0.1, nine_tenths_within: 0.3}\nhost:");
    assert_ok(vdnn_device_model_parse(text.data, text.length, "card.yaml", &model));
    assert_int_equal(model.accuracy.timings, 282);
    assert_true(model.accuracy.half_within == 0.1 && model.accuracy.nine_tenths_within == 0.3);
    vdnn_text_fini(&text);
    text = change("", "");
    assert_ok(vdnn_device_model_parse(text.data, text.length, "card.yaml", &model));
    assert_true(model.accuracy.timings == 0 && model.accuracy.half_within == 0);
    vdnn_text_fini(&text);
}

TEST_IN_FOLDER(models_that_are_like_each_other_in_a_ring_are_refused)
{
    vdnn_device_model model = {.name = "untouched"};
    vdnn_text text = change("  implicit_gemm:", "  like: ring\n  implicit_gemm:");
    const char *path = vdnn_test_path(*state, "ring.yaml");
    vdnn_test_write_file(path, text.data, text.length);
    assert_status(vdnn_device_model_load(path, &model), VDNN_BAD_INPUT);
    assert_non_null(strstr(vdnn_status_message(),
                           "ring.yaml:12: like of convolution is 'ring', the 5th model"));
    assert_string_equal(model.name, "untouched");
    vdnn_text_fini(&text);
}

static const char *const shipped[] = {"titan-x-maxwell",
                                      "m40",
                                      "titan-x-pascal",
                                      "gtx-1080",
                                      "gtx-1080-ti",
                                      "p100",
                                      "p100-pcie",
                                      "v100",
                                      "titan-v",
                                      "t4",
                                      "titan-rtx",
                                      "a100",
                                      "a100-pcie",
                                      "a100-80",
                                      "a100-80-pcie",
                                      "a10",
                                      "rtx-3090",
                                      "rtx-a6000",
                                      "h100",
                                      "h100-pcie",
                                      "h200",
                                      "gh200",
                                      "b200",
                                      "l4",
                                      "l40s",
                                      "rtx-4090",
                                      "rtx-6000-ada"};

/* Plans twice under each policy; every plan is the same to the last digit, and no plan that keeps
 * less is faster than the oracle. */
static void check_device(const char *name)
{
    char device[64];
    double before[16] = {0};
    (void)snprintf(device, sizeof device, "sim:models/devices/%s.yaml", name);
    for (int round = 0; round < 2; round++) {
        vdnn_session_options given = {.size = sizeof given,
                                      .model = "models/googlenet.yaml",
                                      .device = device,
                                      .rules = "paper"};
        vdnn_run_options options;
        vdnn_messages silent;
        vdnn_setup setup;
        assert_ok(vdnn_messages_take(NULL, &silent));
        assert_ok(vdnn_run_options_init(&given, &options));
        assert_ok(vdnn_setup_begin(&options, &silent, &setup));
        assert_true(setup.properties.simulated);
        assert_string_equal(setup.properties.name, name);
        assert_ok(vdnn_setup_measure(&options, &silent, &setup));
        for (size_t p = 0; p < vdnn_policy_count(); p++) {
            vdnn_fit_plans plans = {0};
            vdnn_fit_request request = {
                .setup = &setup, .policy = vdnn_policy_at(p), .algo = VDNN_ALGO_P};
            assert_ok(vdnn_fit_plan(&request, &plans));
            double seconds = plans.training->step_seconds;
            assert_true(seconds > 0 && seconds >= plans.training->oracle_step_seconds * (1 - 1e-9));
            assert_true(round == 0 || seconds == before[p]);
            before[p] = seconds;
            vdnn_fit_plans_fini(&plans);
        }
        vdnn_setup_end(&setup);
        vdnn_run_options_fini(&options);
    }
}

TEST(every_shipped_model_is_read_and_plans_the_same_twice)
{
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++)
        check_device(shipped[i]);
}

/* Of every section but the convolutions', whose source is said once for all. */
TEST(every_figure_of_the_shipped_models_names_its_source)
{
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
        char path[64], *text, *rest;
        size_t length, figures = 0;
        (void)snprintf(path, sizeof path, "models/devices/%s.yaml", shipped[i]);
        vdnn_test_read_file(path, &text, &length);
        char *convolution = strstr(text, "\nconvolution:\n");
        assert_non_null(convolution);
        if (strncmp(convolution + strlen("\nconvolution:\n"), "  source: \"", 11) != 0)
            fail_msg("%s: the convolutions have no source", path);
        *convolution = '\0';
        for (char *line = strtok_r(text, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            if (strncmp(line, "  ", 2) != 0)
                continue;
            figures++;
            if (strstr(line, ": {value: ") == NULL || strstr(line, ", source: \"") == NULL)
                fail_msg("%s: no source of '%s'", path, line);
        }
        assert_true(figures >= 12);
        free(text);
    }
}

/* A card has what was found on it, or says that it was not: the memory that dyn's choices in the
 * paper leave on the Titan X is no other card's. */
TEST(every_figure_of_the_shipped_models_says_what_it_rests_on)
{
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
        vdnn_device_model model;
        char path[64];
        bool is_papers = strcmp(shipped[i], "titan-x-maxwell") == 0;
        (void)snprintf(path, sizeof path, "models/devices/%s.yaml", shipped[i]);
        assert_ok(vdnn_device_model_load(path, &model));
        assert_true(model.figure_count >= 14);
        for (int k = 0; k < model.figure_count; k++)
            if (model.figures[k].basis == VDNN_BASIS_UNSTATED)
                fail_msg("%s: %s.%s says nothing", shipped[i], model.figures[k].section,
                         model.figures[k].key == NULL ? "" : model.figures[k].key);
        assert_int_equal(figure_of(&model, "convolution", NULL).basis,
                         model.is_calibrated ? VDNN_BASIS_FITTED : VDNN_BASIS_OTHER_CARD);
        assert_true(model.accuracy.half_within > 0);
        assert_true((model.accuracy.timings > 0) == model.is_calibrated);
        assert_int_equal(figure_of(&model, "memory", "usable_bytes").basis,
                         is_papers ? VDNN_BASIS_CONSTRUCTION : VDNN_BASIS_ASSUMED);
        assert_int_equal(model.memory.usable_bytes < model.memory.bytes, is_papers);
    }
}
