#include "layers/conv_onednn.h"
#include "layers/cpu_library.h"
#include "layers/cpu_threads.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Shapes that a random draw meets too rarely: what each of them has tripped over elsewhere. */
static const vdnn_layer_case corners[] = {
    {"conv", "out=1 kernel=1", "1x1x1x1"},
    {"conv", "out=5 kernel=1 bias=false", "2x3x4x5"},
    {"conv", "out=16 kernel=1 stride=2", "2x16x7x7"},
    {"conv", "out=7 kernel=1 stride=3x2 pad=1", "2x5x7x8"},
    {"conv", "out=20 kernel=5", "3x1x28x28"},
    {"conv", "out=64 kernel=11 stride=4 pad=2", "2x3x67x67"},
    {"conv", "out=9 kernel=7 stride=2 pad=3", "2x3x31x29"},
    {"conv", "out=6 kernel=3 stride=5 pad=1", "2x4x17x13"},
    {"conv", "out=4 kernel=3 pad=4", "1x2x3x3"},
    {"conv", "out=4 kernel=1x7 pad=0x3", "2x3x9x11"},
    {"conv", "out=4 kernel=5x1 stride=1x3 pad=2x0", "2x3x9x11"},
    {"conv", "out=8 kernel=3 dilation=2 pad=2", "2x8x12x12"},
    {"conv", "out=8 kernel=3 dilation=2x3 stride=2x3 pad=3", "2x6x15x17"},
    {"conv", "out=8 kernel=4 dilation=3 stride=6 pad=5", "1x4x25x25"},
    {"conv", "out=32 kernel=3 pad=1 groups=2", "2x32x9x9"},
    {"conv", "out=10 kernel=5 pad=2 groups=5", "2x15x8x8"},
    {"conv", "out=6 kernel=3 pad=1 groups=6", "2x6x10x10"},
    {"conv", "out=33 kernel=3 pad=1", "5x17x7x7"},
    {"conv", "out=64 kernel=3 pad=1", "2x48x14x14"},
    {"conv", "out=130 kernel=3 pad=1", "1x40x20x3"},
    {"conv", "out=3 kernel=9x2 stride=2", "1x2x9x40"},
    {"conv", "out=48 kernel=3", "3x32x3x30"},
};
enum { CORNERS = sizeof corners / sizeof corners[0] };

/* Of the largest result: f32 sums of some thousand products stay far below; Winograd's transforms
 * multiply the maps by numbers up to 8 and cancel most of it again. */
static double tolerance_of(const vdnn_algorithm *row)
{
    return strcmp(row->name, "winograd") == 0 ? 2e-4 : 1e-5;
}

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

/* Every algorithm of the layer, at one and two threads: near the reference, the same bits again
 * whatever the workspace held before. The bench checks that nothing beside a buffer is touched. */
static void check_algorithms(const vdnn_layer *layer, vdnn_bench *bench, vdnn_pass pass)
{
    vdnn_bench_refer(bench, pass);
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->layer_type, layer->def->type) != 0 || strcmp(row->device, "cpu") != 0 ||
            vdnn_algorithm_refusal(row, layer, pass) != NULL)
            continue;
        for (int threads = 1; threads <= 2; threads++) {
            assert_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
            double error = vdnn_bench_error(bench, pass);
            if (!(error < tolerance_of(row)))
                fail_msg("%s, %s by %s, %d threads: error %g", layer->name, vdnn_pass_text(pass),
                         row->name, threads, error);
            uint64_t bits = vdnn_bench_hash(bench, pass);
            assert_ok(vdnn_bench_run(bench, row, pass, threads, 0x3f));
            if (vdnn_bench_hash(bench, pass) != bits)
                fail_msg("%s, %s by %s, %d threads: other bits the second time", layer->name,
                         vdnn_pass_text(pass), row->name, threads);
        }
    }
}

static void check_case(const vdnn_layer_case *c, uint64_t seed)
{
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(c, VDNN_RULE_SLIM, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, seed);
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        check_algorithms(layer, bench, (vdnn_pass)pass);
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

static void all_algorithms_agree_in_the_corners(void **state)
{
    (void)state;
    for (size_t i = 0; i < CORNERS; i++)
        check_case(&corners[i], vdnn_test_seed());
}

static void all_algorithms_agree_on_random_shapes(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(100); i++) {
        char keys[256], inputs[128];
        draw(&rng, keys, sizeof keys, inputs, sizeof inputs);
        check_case(&(vdnn_layer_case){"conv", keys, inputs}, vdnn_test_random(&rng));
    }
}

static uint64_t bits_of(vdnn_bench *bench, const char *name, vdnn_pass pass, int threads)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", name, "cpu");
    assert_non_null(row);
    assert_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
    return vdnn_bench_hash(bench, pass);
}

static void the_bits_of_implicit_depend_on_no_thread_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < CORNERS; i++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build(&corners[i], VDNN_RULE_SLIM, &layer));
        vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
            uint64_t alone = bits_of(bench, "implicit", (vdnn_pass)pass, 1);
            for (int threads = 2; threads <= 5; threads++)
                if (bits_of(bench, "implicit", (vdnn_pass)pass, threads) != alone)
                    fail_msg("%s, %s: other bits with %d threads", layer->name,
                             vdnn_pass_text((vdnn_pass)pass), threads);
        }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

static vdnn_status workspace_of(const char *name, const vdnn_layer *layer, vdnn_pass pass,
                                int threads, size_t *bytes)
{
    return vdnn_algorithm_workspace(vdnn_algorithm_find("conv", name, "cpu"), layer, pass, threads,
                                    bytes);
}

static void implicit_needs_the_least_workspace(void **state)
{
    (void)state;
    enum { LIMIT = 128 * 1024 };
    static const vdnn_layer_case large = {"conv", "out=512 kernel=3 pad=1", "64x256x112x112"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&large, VDNN_RULE_SLIM, &layer));
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

static void a_pointwise_gemm_needs_no_workspace(void **state)
{
    (void)state;
    static const vdnn_layer_case pointwise = {"conv", "out=64 kernel=1", "2x192x28x28"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&pointwise, VDNN_RULE_SLIM, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        size_t bytes = 1;
        assert_ok(workspace_of("gemm", layer, (vdnn_pass)pass, 2, &bytes));
        assert_int_equal(bytes, 0);
    }
    vdnn_layer_case_destroy(layer);
}

static void maps_that_no_kernel_knows_are_refused(void **state)
{
    (void)state;
    static const vdnn_layer_case cases[] = {{"conv", "out=16 kernel=3", "1x16x8x8"},
                                            {"fc", "out=16", "1x16x8x8"}};
    for (size_t i = 0; i < 2; i++) {
        vdnn_layer *layer;
        assert_ok(vdnn_layer_case_build(&cases[i], VDNN_RULE_SLIM, &layer));
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

static void direct_runs_a_jitted_kernel_in_a_blocked_layout(void **state)
{
    (void)state;
    static const vdnn_layer_case wide = {"conv", "out=64 kernel=3 pad=1", "2x64x14x14"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&wide, VDNN_RULE_SLIM, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        void *conv;
        assert_ok(
            vdnn_conv_onednn_create(dnnl_convolution_direct, layer, (vdnn_pass)pass, 2, &conv));
        const char *name = vdnn_conv_onednn_implementation(conv);
        if (strncmp(name, "jit:", 4) != 0)
            fail_msg("%s runs '%s'", vdnn_pass_text((vdnn_pass)pass), name);
        vdnn_conv_onednn_destroy(conv);
    }
    vdnn_conv_onednn_destroy(NULL);
    vdnn_layer_case_destroy(layer);
}

static void the_libraries_name_their_versions(void **state)
{
    (void)state;
    char text[128], cut[8];
    assert_ptr_equal(vdnn_cpu_library_text(text, sizeof text), text);
    assert_memory_equal(text, "oneDNN ", 7);
    assert_non_null(strstr(text, ", OpenBLAS "));
    assert_string_equal(vdnn_cpu_library_text(cut, sizeof cut), "oneDNN ");
}

static void count_calls(void *argument, int64_t i, int member)
{
    int *calls = argument;
    calls[i * 8 + member]++;
}

static void a_loop_calls_every_index_once_and_ends_where_it_began(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_algorithms_agree_in_the_corners),
        cmocka_unit_test(all_algorithms_agree_on_random_shapes),
        cmocka_unit_test(the_bits_of_implicit_depend_on_no_thread_count),
        cmocka_unit_test(implicit_needs_the_least_workspace),
        cmocka_unit_test(a_pointwise_gemm_needs_no_workspace),
        cmocka_unit_test(maps_that_no_kernel_knows_are_refused),
        cmocka_unit_test(direct_runs_a_jitted_kernel_in_a_blocked_layout),
        cmocka_unit_test(the_libraries_name_their_versions),
        cmocka_unit_test(a_loop_calls_every_index_once_and_ends_where_it_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
