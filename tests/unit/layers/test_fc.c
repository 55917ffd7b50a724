/* Fully connected layers: near the reference in every data type, and an update that is the same
 * bits whether it is fused into backward filter or not. */

#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <dnnl.h>
#include <stdlib.h>
#include <string.h>

/* Around the edges of tiles (8 rows, 48 columns), slices, chunks of 256 outputs and samples. */
static const vdnn_layer_case cases[] = {
    {"fc", "out=1", "1x1x1x1"},
    {"fc", "out=10", "3x20x4x4"},
    {"fc", "out=1000 bias=false", "2x64x1x1"},
    {"fc", "out=777", "33x5x3x7"},
    {"fc", "out=16", "16x48x1x1"},
    {"fc", "out=257", "17x97x1x1"},
    {"fc", "out=7", "300x95x1x1"},
    {"fc", "out=40 bias=false", "512x3x4x4"},
    {"fc", "out=130", "9x2000x1x1"},
};
enum { CASES = sizeof cases / sizeof cases[0], MOST_THREADS = 5 };

static const vdnn_algorithm *gemm(void)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("fc", "gemm", "cpu");
    assert_non_null(row);
    return row;
}

static vdnn_bench *begin(const vdnn_layer_case *c, vdnn_dtype dtype, vdnn_layer **layer)
{
    assert_ok(
        vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, (vdnn_layer_form){.dtype = dtype}, layer));
    return vdnn_bench_create(*layer, vdnn_test_seed());
}

static void end(vdnn_bench *bench, vdnn_layer *layer)
{
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

static void check_pass(vdnn_bench *bench, vdnn_pass pass)
{
    vdnn_bench_refer(bench, pass);
    for (int threads = 1; threads <= 3; threads++) {
        assert_ok(vdnn_bench_run(bench, gemm(), pass, threads, 0xff));
        double error = vdnn_bench_error(bench, pass);
        if (!(error <= vdnn_bench_error_bound(bench, gemm(), pass)))
            fail_msg("%s, %s, %d threads: error %g", bench->layer->name, vdnn_pass_text(pass),
                     threads, error);
        uint64_t bits = vdnn_bench_hash(bench, pass);
        assert_ok(vdnn_bench_run(bench, gemm(), pass, threads, 0x3f));
        if (vdnn_bench_hash(bench, pass) != bits)
            fail_msg("%s, %s, %d threads: other bits the second time", bench->layer->name,
                     vdnn_pass_text(pass), threads);
    }
}

TEST(every_pass_agrees_with_the_reference_in_f32_and_bf16)
{
    static const vdnn_dtype dtypes[] = {VDNN_F32, VDNN_BF16};
    for (size_t i = 0; i < CASES; i++)
        for (int d = 0; d < 2; d++) {
            vdnn_layer *layer;
            vdnn_bench *bench = begin(&cases[i], dtypes[d], &layer);
            for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
                check_pass(bench, (vdnn_pass)pass);
            end(bench, layer);
        }
}

/* What an update step makes of w and the slots, from a gradient in memory: both as one array. */
static float *update_apart(vdnn_bench *bench, int threads)
{
    size_t bytes = bench->layer->trainable_bytes, count = bytes / sizeof(float);
    float *w_and_state = malloc(bytes + bench->state.bytes);
    assert_non_null(w_and_state);
    memcpy(w_and_state, bench->w.data, bytes);
    memcpy(w_and_state + count, bench->state.data, bench->state.bytes);
    assert_ok(vdnn_bench_run(bench, gemm(), VDNN_BACKWARD_FILTER, threads, 0xff));
    vdnn_update all = {.rule = VDNN_UPDATE_OPTIMIZER,
                       .w = w_and_state,
                       .dw = (const float *)(const void *)bench->dw.data,
                       .count = (int64_t)count};
    vdnn_optimizer_place_slots(bench->context.optimizer, w_and_state + count, bytes, 0, all.slots);
    assert_ok(vdnn_elementwise_find("cpu")->update(&all, 1, threads, &bench->context, NULL));
    return w_and_state;
}

static void compare_fused(const vdnn_layer_case *shape, const vdnn_optimizer *optimizer,
                          int threads)
{
    vdnn_layer *layer;
    vdnn_bench *bench = begin(shape, VDNN_F32, &layer);
    size_t bytes = layer->trainable_bytes;
    bench->context.optimizer = optimizer->id;
    bench->context.settings = vdnn_optimizer_presets(optimizer);
    bench->context.settings.weight_decay = 0.0005;
    for (size_t j = 0; j < bench->state.bytes / sizeof(float); j++)
        ((float *)(void *)bench->state.data)[j] = (float)(j % 17);
    float *wanted = update_apart(bench, 1);
    memset(bench->dw.data, 0x5a, bench->dw.bytes);
    bench->update = true;
    assert_ok(vdnn_bench_run(bench, gemm(), VDNN_BACKWARD_FILTER, threads, 0xff));
    assert_memory_equal(bench->w.data, wanted, bytes);
    assert_memory_equal(bench->state.data, (char *)wanted + bytes, bench->state.bytes);
    free(wanted);
    end(bench, layer);
}

TEST(an_update_has_the_same_bits_fused_or_not_on_any_number_of_threads)
{
    for (size_t i = 0; i < CASES; i++)
        for (size_t o = 0; o < VDNN_OPTIMIZER_COUNT; o++)
            for (int threads = 1; threads <= MOST_THREADS; threads++)
                compare_fused(&cases[i], vdnn_optimizer_at((vdnn_optimizer_id)o), threads);
}

TEST(an_updating_filter_needs_far_less_than_a_gradient)
{
    static const vdnn_layer_case large = {"fc", "out=4096", "16x512x7x7"};
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&large, VDNN_RULE_LEAN, &layer));
    for (int threads = 1; threads <= 4; threads++) {
        size_t bytes;
        assert_ok(vdnn_algorithm_workspace(gemm(), layer, VDNN_BACKWARD_FILTER, threads, &bytes));
        assert_in_range(bytes, 1, layer->trainable_bytes / 32);
    }
    vdnn_layer_case_destroy(layer);
}

TEST(other_layouts_and_data_types_are_refused)
{
    vdnn_layer *layer;
    assert_ok(vdnn_layer_case_build(&cases[1], VDNN_RULE_LEAN, &layer));
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        assert_null(vdnn_algorithm_refusal(gemm(), layer, (vdnn_pass)pass));
        layer->x[0].layout = VDNN_NCHW16C;
        assert_non_null(vdnn_algorithm_refusal(gemm(), layer, (vdnn_pass)pass));
        layer->x[0].layout = VDNN_NCHW;
        layer->y.dtype = VDNN_U8;
        assert_non_null(vdnn_algorithm_refusal(gemm(), layer, (vdnn_pass)pass));
        layer->y.dtype = VDNN_F32;
    }
    vdnn_layer_case_destroy(layer);
}

/* Products of one shape, for which a stride is of nothing, in either order. */
TEST(the_workspace_of_a_product_depends_on_no_product_before_it)
{
    static const vdnn_layer_case one = {"fc", "out=3", "1x7x1x1"},
                                 other = {"fc", "out=7 bias=false", "3x1x1x1"};
    const vdnn_algorithm *row = vdnn_algorithm_find("fc", "matmul", "cpu");
    vdnn_layer *layer, *before;
    vdnn_kernel *kernel = NULL;
    size_t alone = 0, after = 0;
    int capacity = 0;
    assert_non_null(row);
    assert_ok(vdnn_layer_case_build(&one, VDNN_RULE_LEAN, &layer));
    assert_ok(vdnn_layer_case_build(&other, VDNN_RULE_LEAN, &before));
    assert_int_equal(dnnl_get_primitive_cache_capacity(&capacity), dnnl_success);
    assert_int_equal(dnnl_set_primitive_cache_capacity(0), dnnl_success);
    assert_ok(vdnn_algorithm_workspace(row, layer, VDNN_BACKWARD_FILTER, 2, &alone));
    assert_int_equal(dnnl_set_primitive_cache_capacity(capacity), dnnl_success);
    assert_ok(vdnn_kernel_create(row, before, VDNN_FORWARD, 2, &kernel));
    assert_ok(vdnn_algorithm_workspace(row, layer, VDNN_BACKWARD_FILTER, 2, &after));
    assert_int_equal(alone, after);
    vdnn_kernel_destroy(kernel);
    vdnn_layer_case_destroy(before);
    vdnn_layer_case_destroy(layer);
}
