#include "layers/conv/cpu_onednn.h"
#include "layers/count.h"
#include "layers/cpu/library.h"
#include "layers/cpu/threads.h"
#include "layers/stage.h"
#include "runtime/base/machine/simd.h"
#include "tests/support/conv_check.h"
#include "tests/support/vdnn_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes a random convolution into `keys` and `inputs`. */
static void draw(vdnn_test_rng *rng, char *keys, size_t keys_size, char *inputs, size_t inputs_size)
{
    bool common = vdnn_test_between(rng, 0, 3) == 0; /* 3 x 3, which Winograd takes */
    int64_t groups =
        !common && vdnn_test_between(rng, 0, 3) == 0 ? vdnn_test_between(rng, 2, 4) : 1;
    int64_t kernel[2], stride[2], pad[2], dilation[2], in[2];
    for (int d = 0; d < 2; d++) {
        kernel[d] = common ? 3 : vdnn_test_between(rng, 1, 5);
        stride[d] = common ? 1 : vdnn_test_between(rng, 1, 3);
        dilation[d] =
            !common && vdnn_test_between(rng, 0, 3) == 0 ? vdnn_test_between(rng, 2, 3) : 1;
        pad[d] = vdnn_test_between(rng, 0, kernel[d] / 2 + 1);
        in[d] = (kernel[d] - 1) * dilation[d] + vdnn_test_between(rng, 1, 24);
    }
    (void)snprintf(
        keys, keys_size,
        "out=%" PRId64 " kernel=%" PRId64 "x%" PRId64 " stride=%" PRId64 "x%" PRId64 " pad=%" PRId64
        "x%" PRId64 " dilation=%" PRId64 "x%" PRId64 " groups=%" PRId64 " bias=%s",
        groups * vdnn_test_between(rng, 1, 40), kernel[0], kernel[1], stride[0], stride[1], pad[0],
        pad[1], dilation[0], dilation[1], groups, vdnn_test_between(rng, 0, 1) ? "true" : "false");
    (void)snprintf(inputs, inputs_size, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64,
                   vdnn_test_between(rng, 1, 4), groups * vdnn_test_between(rng, 1, 40), in[0],
                   in[1]);
}

TEST(all_algorithms_agree_in_the_corners)
{
    vdnn_conv_check_corners(4, vdnn_test_seed());
}

TEST(all_algorithms_agree_on_random_shapes)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(300); i++) {
        char keys[256], inputs[128];
        draw(&rng, keys, sizeof keys, inputs, sizeof inputs);
        vdnn_layer_form form = vdnn_conv_forms[vdnn_test_between(&rng, 0, VDNN_CONV_FORMS - 1)];
        vdnn_conv_check(&(vdnn_layer_case){"conv", keys, inputs}, form, vdnn_test_random(&rng));
    }
}

static uint64_t bits_of(vdnn_bench *bench, const char *name, vdnn_pass pass, int threads)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", name, "cpu");
    assert_non_null(row);
    assert_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
    return vdnn_bench_hash(bench, pass);
}

/* Every pass that the row computes; returns how many there were. */
static int compare_thread_counts(const vdnn_layer_case *c, vdnn_layer_form form, const char *name)
{
    int compared = 0;
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
    for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        if (vdnn_algorithm_refusal(vdnn_algorithm_find("conv", name, "cpu"), layer, pass) != NULL)
            continue;
        compared++;
        uint64_t alone = bits_of(bench, name, pass, 1);
        for (int threads = 2; threads <= 5; threads++)
            if (bits_of(bench, name, pass, threads) != alone)
                fail_msg("%s, %s by %s: other bits with %d threads", layer->name,
                         vdnn_pass_text(pass), name, threads);
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
    return compared;
}

TEST(the_bits_of_implicit_depend_on_no_thread_count)
{
    for (size_t i = 0; i < VDNN_CONV_CORNERS; i++)
        assert_int_equal(
            compare_thread_counts(&vdnn_conv_corners[i], vdnn_conv_forms[0], "implicit"),
            VDNN_PASS_COUNT);
}

static const vdnn_layer_form blocked = {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false};

/* Shapes that `narrow` takes where there is AVX-512: every width of a row's pieces and count of
 * channels that it has a kernel for, one and two blocks, borders wider than kernels, taps and
 * rows that no cell meets. */
static const vdnn_layer_case narrow_cases[] = {
    {"conv", "out=50 kernel=5 pad=2", "3x20x14x14"},
    {"conv", "out=64 kernel=5 pad=2 bias=false", "2x24x13x13"},
    {"conv", "out=33 kernel=3 pad=1", "5x17x7x12"},
    {"conv", "out=16 kernel=1", "2x1x3x11"},
    {"conv", "out=48 kernel=1x4 pad=0x1", "1x18x2x11"},
    {"conv", "out=14 kernel=4x1 pad=1x0", "2x19x9x9"},
    {"conv", "out=32 kernel=3", "4x5x5x10"},
    {"conv", "out=80 kernel=3 pad=4", "1x6x1x1"},
    {"conv", "out=16 kernel=3x2 pad=6x5", "2x7x2x3"},
    {"conv", "out=32 kernel=2", "1x29x40x6"},
    {"conv", "out=32 kernel=7x5 pad=3x2", "1x30x3x1"},
    {"conv", "out=16 kernel=3", "1x31x60x43"},
    {"conv", "out=32 kernel=5 pad=2", "2x3x10x3"},
    {"conv", "out=15 kernel=3 pad=1", "1x20x6x6"},
    {"conv", "out=16 kernel=3 pad=20", "1x12x5x5"},
    {"conv", "out=32 kernel=3 pad=1", "1x8x8x2"},
};
enum { NARROW_CASES = sizeof narrow_cases / sizeof narrow_cases[0] };

TEST(narrow_agrees_on_its_shapes_whatever_the_thread_count)
{
    for (size_t i = 0; i < NARROW_CASES; i++) {
        vdnn_conv_check(&narrow_cases[i], blocked, vdnn_test_seed());
        int compared = compare_thread_counts(&narrow_cases[i], blocked, "narrow");
        assert_int_equal(compared, vdnn_simd_has_avx512() ? 2 : 0);
    }
}

/* Border, padding of the input, of the output, and both. */
TEST(narrow_meets_numbers_that_are_none_only_where_they_are)
{
    static const vdnn_layer_case narrow = {"conv", "out=20 kernel=3 pad=1", "1x18x4x4"};
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", "narrow", "cpu");
    const float infinite = INFINITY;
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(&narrow, VDNN_RULE_LEAN, blocked, &layer));
    if (vdnn_algorithm_refusal(row, layer, VDNN_FORWARD) != NULL) {
        vdnn_layer_case_destroy(layer);
        skip_because("this processor has no AVX-512");
    }
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
    memcpy(bench->x[0].data, &infinite, sizeof infinite);
    for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass += VDNN_BACKWARD_FILTER) {
        assert_ok(vdnn_bench_run(bench, row, pass, 1, 0xff));
        const vdnn_bench_buffer *written = pass == VDNN_FORWARD ? &bench->y : &bench->dw;
        const float *cells = (const float *)(const void *)written->data;
        size_t block = pass == VDNN_FORWARD ? 16 * 16 : 2 * 9 * 256, odd = 0;
        for (size_t i = 0; i < block; i++) {
            odd += isfinite(cells[i]) ? 0 : 1;
            if (i % 16 >= 4)
                assert_true(cells[block + i] == 0);
        }
        /* One channel of one corner cell meets 2 x 2 cells in 16 outputs, by as many taps. */
        assert_int_equal(odd, 2 * 2 * 16);
    }
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

/* Writes a random convolution that `grouped` takes into `keys` and `inputs`. */
static void draw_grouped(vdnn_test_rng *rng, char *keys, size_t keys_size, char *inputs,
                         size_t inputs_size)
{
    const int64_t group = (int64_t)1 << vdnn_test_between(rng, 0, 4);
    const int64_t channels = group * vdnn_test_between(rng, 2, 2 + 40 / group);
    const int64_t kernel[] = {vdnn_test_between(rng, 1, 5), vdnn_test_between(rng, 0, 1) ? 3 : 5};
    int64_t pad[2], in[2];
    for (int d = 0; d < 2; d++) {
        pad[d] = vdnn_test_between(rng, 0, kernel[d] + 1);
        in[d] = vdnn_count_max(kernel[d] - 2 * pad[d], 1) + vdnn_test_between(rng, 0, 40);
    }
    (void)snprintf(keys, keys_size,
                   "out=%" PRId64 " kernel=%" PRId64 "x%" PRId64 " stride=%" PRId64 "x%" PRId64
                   " pad=%" PRId64 "x%" PRId64 " groups=%" PRId64 " bias=%s",
                   channels, kernel[0], kernel[1], vdnn_test_between(rng, 1, 3),
                   vdnn_test_between(rng, 1, 2), pad[0], pad[1], channels / group,
                   vdnn_test_between(rng, 0, 1) ? "true" : "false");
    (void)snprintf(inputs, inputs_size, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64,
                   vdnn_test_between(rng, 1, 10), channels, in[0], in[1]);
}

TEST(grouped_agrees_on_random_shapes_whatever_the_thread_count)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(200); i++) {
        char keys[256], inputs[128];
        draw_grouped(&rng, keys, sizeof keys, inputs, sizeof inputs);
        const vdnn_layer_case grouped = {"conv", keys, inputs};
        vdnn_layer_form form = blocked;
        form.dtype = vdnn_test_between(&rng, 0, 2) == 0 ? VDNN_BF16 : VDNN_F32;
        vdnn_conv_check(&grouped, form, vdnn_test_random(&rng));
        assert_int_equal(compare_thread_counts(&grouped, form, "grouped"),
                         vdnn_simd_has_avx512() ? VDNN_PASS_COUNT : 0);
    }
}

static vdnn_status workspace_of(const char *name, const vdnn_layer *layer, vdnn_pass pass,
                                int threads, size_t *bytes)
{
    return vdnn_algorithm_workspace(vdnn_algorithm_find("conv", name, "cpu"), layer, pass, threads,
                                    bytes);
}

TEST(implicit_needs_the_least_workspace)
{
    enum { LIMIT = 128 * 1024 };
    static const vdnn_layer_case large = {"conv", "out=512 kernel=3 pad=1", "64x256x112x112"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&large, VDNN_RULE_LEAN, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        for (int threads = 1; threads <= 16; threads *= 2) {
            size_t implicit, other;
            assert_ok(workspace_of("implicit", layer, (vdnn_pass)pass, threads, &implicit));
            assert_in_range(implicit, 1, (size_t)threads * LIMIT);
            for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
                const vdnn_algorithm *row = vdnn_algorithm_at(i);
                if (strcmp(row->layer_type, "conv") != 0 || strcmp(row->device, "cpu") != 0 ||
                    strcmp(row->name, "implicit") == 0 ||
                    vdnn_algorithm_refusal(row, layer, (vdnn_pass)pass) != NULL)
                    continue;
                assert_ok(workspace_of(row->name, layer, (vdnn_pass)pass, threads, &other));
                assert_true(implicit < other);
            }
        }
    vdnn_layer_case_destroy(layer);
}

TEST(a_pointwise_gemm_needs_no_workspace)
{
    static const vdnn_layer_case pointwise = {"conv", "out=64 kernel=1", "2x192x28x28"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&pointwise, VDNN_RULE_LEAN, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        size_t bytes = 1;
        assert_ok(workspace_of("gemm", layer, (vdnn_pass)pass, 2, &bytes));
        assert_int_equal(bytes, 0);
    }
    vdnn_layer_case_destroy(layer);
}

TEST(maps_that_no_kernel_knows_are_refused)
{
    static const vdnn_layer_case cases[] = {{"conv", "out=16 kernel=3", "1x16x8x8"},
                                            {"fc", "out=16", "1x16x8x8"}};
    for (size_t i = 0; i < 2; i++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build(&cases[i], VDNN_RULE_LEAN, &layer));
        for (size_t row = 0; row < vdnn_algorithm_count(); row++) {
            const vdnn_algorithm *a = vdnn_algorithm_at(row);
            if (strcmp(a->layer_type, cases[i].type) != 0 || strcmp(a->device, "cpu") != 0)
                continue;
            layer->x[0].layout = layer->y.layout = VDNN_NHWC;
            assert_non_null(vdnn_algorithm_refusal(a, layer, VDNN_FORWARD));
            layer->x[0].layout = layer->y.layout = VDNN_NCHW;
            layer->x[0].dtype = VDNN_BF16;
            assert_non_null(vdnn_algorithm_refusal(a, layer, VDNN_FORWARD));
            layer->x[0].dtype = VDNN_F32;
        }
        vdnn_layer_case_destroy(layer);
    }
}

static vdnn_kernel *direct_kernel(const vdnn_layer *layer, vdnn_pass pass, int threads)
{
    vdnn_kernel *kernel = NULL;
    assert_ok(vdnn_kernel_create(vdnn_algorithm_find("conv", "direct", "cpu"), layer, pass, threads,
                                 &kernel));
    return kernel;
}

TEST(direct_runs_a_jitted_kernel_in_a_blocked_layout)
{
    static const vdnn_layer_case wide = {"conv", "out=64 kernel=3 pad=1", "2x64x14x14"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&wide, VDNN_RULE_LEAN, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        vdnn_kernel *kernel = direct_kernel(layer, (vdnn_pass)pass, 2);
        const char *name = vdnn_conv_onednn_implementation(kernel->state);
        if (strncmp(name, "jit:", 4) != 0)
            fail_msg("%s runs '%s'", vdnn_pass_text((vdnn_pass)pass), name);
        vdnn_kernel_destroy(kernel);
    }
    vdnn_conv_onednn_destroy(NULL);
    vdnn_layer_case_destroy(layer);
}

/* y as forward leaves it, in storage order. */
static size_t forward_of(const vdnn_layer_case *c, vdnn_layer_form form, const char *row,
                         float bias, unsigned char *y, size_t room)
{
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    const vdnn_algorithm *algorithm = vdnn_algorithm_find("conv", row, "cpu");
    size_t bytes = 0;
    if (vdnn_algorithm_refusal(algorithm, layer, VDNN_FORWARD) == NULL) {
        vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
        if (layer->param_count > 1 && isnan(bias))
            memcpy(bench->w.data + layer->params[1].offset, &bias, sizeof bias);
        assert_ok(vdnn_bench_run(bench, algorithm, VDNN_FORWARD, 2, 0xff));
        bytes = bench->y.bytes;
        assert_in_range(bytes, 1, room);
        memcpy(y, bench->y.data, bytes);
        vdnn_bench_destroy(bench);
    }
    vdnn_layer_case_destroy(layer);
    return bytes;
}

static void rectify(vdnn_dtype dtype, unsigned char *y, size_t bytes)
{
    size_t element = vdnn_dtype_bytes(dtype);
    for (size_t i = 0; i < bytes; i += element) {
        float value;
        vdnn_stage_widen(dtype, y + i, &value, 1);
        if (value <= 0)
            memset(y + i, 0, element);
        else if (isnan(value))
            memset(y + i, 0xff, element);
    }
}

static void check_relu(const vdnn_layer_case *c, vdnn_layer_form form, const char *row, float bias)
{
    enum { ROOM = 1 << 20 };
    static unsigned char apart[ROOM], fused[ROOM];
    size_t bytes = forward_of(c, form, row, bias, apart, ROOM);
    form.relu = true;
    assert_int_equal(forward_of(c, form, row, bias, fused, ROOM), bytes);
    rectify(form.dtype, apart, bytes);
    if (isnan(bias))
        rectify(form.dtype, fused, bytes);
    if (memcmp(apart, fused, bytes) != 0)
        fail_msg("%s on %s by %s: a relu in it has other bits than one behind it", c->keys,
                 c->inputs, row);
}

TEST(a_relu_in_a_convolution_has_the_bits_of_one_behind_it)
{
    for (size_t i = 0; i < VDNN_CONV_CORNERS; i++)
        for (size_t f = 0; f < VDNN_CONV_FORMS; f++) {
            check_relu(&vdnn_conv_corners[i], vdnn_conv_forms[f], "direct", 0);
            check_relu(&vdnn_conv_corners[i], vdnn_conv_forms[f], "winograd", 0);
        }
    for (size_t i = 0; i < NARROW_CASES; i++)
        check_relu(&narrow_cases[i], blocked, "narrow", 0);
}

TEST(a_bias_that_is_no_number_shows_behind_a_relu)
{
    for (size_t i = 0; i < VDNN_CONV_CORNERS; i++)
        check_relu(&vdnn_conv_corners[i], vdnn_conv_forms[i % VDNN_CONV_FORMS], "direct",
                   (float)NAN);
    for (size_t i = 0; i < NARROW_CASES; i++)
        check_relu(&narrow_cases[i], blocked, "narrow", (float)NAN);
}

/* On processors with other vectors oneDNN has other layouts. */
TEST(direct_reorders_no_map_that_its_kernels_read_as_it_lies)
{
    static const vdnn_layer_case cases[] = {
        {"conv", "out=64 kernel=3 pad=1", "4x64x28x28"},
        {"conv", "out=256 kernel=1", "4x64x28x28"},
        {"conv", "out=128 kernel=3 stride=2 pad=1", "4x128x28x28"},
        {"conv", "out=40 kernel=5 pad=2", "4x24x28x28"},
        {"conv", "out=64 kernel=7 stride=2 pad=3", "4x3x64x64"}, /* x stays NCHW */
    };
    if (dnnl_get_effective_cpu_isa() < dnnl_cpu_isa_avx512_core)
        skip_because("oneDNN uses no AVX-512 here");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t f = 0; f < VDNN_CONV_FORMS; f++) {
            bool first = i + 1 == sizeof cases / sizeof cases[0];
            vdnn_layer_form form = vdnn_conv_forms[f];
            if (form.layout != (first ? VDNN_NCHW : VDNN_NCHW16C) || form.preferred != VDNN_NCHW16C)
                continue;
            vdnn_layer *layer;
            assert_ok(vdnn_layer_case_build_as(&cases[i], VDNN_RULE_LEAN, form, &layer));
            for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
                if (first && pass == VDNN_BACKWARD_DATA)
                    continue;
                vdnn_kernel *kernel = direct_kernel(layer, pass, 1);
                assert_false(vdnn_conv_onednn_reorders_maps(kernel->state));
                assert_memory_equal(vdnn_conv_onednn_implementation(kernel->state), "jit", 3);
                vdnn_kernel_destroy(kernel);
            }
            vdnn_layer_case_destroy(layer);
        }
}

TEST(the_library_names_its_version)
{
    char text[128], cut[8];
    assert_ptr_equal(vdnn_cpu_library_text(text, sizeof text), text);
    assert_memory_equal(text, "oneDNN ", 7);
    assert_non_null(strstr(text, " ("));
    assert_string_equal(vdnn_cpu_library_text(cut, sizeof cut), "oneDNN ");
}

static void count_calls(void *argument, int64_t i, int member)
{
    int *calls = argument;
    calls[i * 8 + member]++;
}

TEST(a_loop_calls_every_index_once_and_ends_where_it_began)
{
    enum { COUNT = 50 };
    int outer = vdnn_cpu_threads_begin(3);
    for (int threads = 1; threads <= 8; threads++) {
        int calls[COUNT * 8] = {0};
        vdnn_cpu_threads_loop(threads, COUNT, count_calls, calls);
        for (int i = 0; i < COUNT; i++) {
            int sum = 0;
            for (int member = 0; member < 8; member++) {
                sum += calls[i * 8 + member];
                assert_true(member < threads || calls[i * 8 + member] == 0);
            }
            assert_int_equal(sum, 1);
        }
    }
    vdnn_cpu_threads_loop(4, 0, count_calls, NULL);
    int inner = vdnn_cpu_threads_begin(1);
    vdnn_cpu_threads_end(inner);
    vdnn_cpu_threads_end(outer);
#ifdef _OPENMP
    assert_int_equal(inner, 3);
#endif
}
