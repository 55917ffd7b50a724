/* Convolutions whose windows are single cells, in nhwc on the CUDA device: one product a group of
 * the whole batch, and no workspace but the weight's. Over the emulation of CUDA on the CPU. */

#include "tests/cuda_host/cuda_host.h"
#include "tests/support/error_bound.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

static const vdnn_layer_form forms[] = {
    {VDNN_F32, VDNN_NHWC, VDNN_NHWC, false},
    {VDNN_TF32, VDNN_NHWC, VDNN_NHWC, false},
    {VDNN_BF16, VDNN_NHWC, VDNN_NHWC, false},
    {VDNN_BF16, VDNN_NHWC, VDNN_NHWC, true},
};

enum { FORMS = sizeof forms / sizeof *forms, SEED = 11, ALIGNMENT = 256 };

static const char one_by_one[] = "gemm_nhwc", sixteen[] = "gemm_nhwc_16", whole[] = "gemm_nhwc_all";

static const vdnn_algorithm *row_of(const char *name)
{
    const vdnn_algorithm *row = vdnn_algorithm_find("conv", name, "cuda");
    assert_non_null(row);
    return row;
}

static vdnn_layer *layer_of(const vdnn_layer_case *c, vdnn_layer_form form)
{
    vdnn_layer *layer = NULL;
    assert_ok(vdnn_layer_case_build_as(c, VDNN_RULE_LEAN, form, &layer));
    return layer;
}

/* Products of the pass, whose values must be right. */
static int products_of(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    int before = vdnn_cuda_host_calls("cublas");
    vdnn_bench_refer(bench, pass);
    assert_ok(vdnn_bench_run(bench, row, pass, 1, 0xff));
    int calls = vdnn_cuda_host_calls("cublas") - before;
    assert_true(vdnn_bench_error(bench, pass) <= vdnn_bench_error_bound(bench, row, pass));
    return calls;
}

/* Each pass by the row, in every form: how many products, and what workspace of columns. */
static void check(vdnn_device *device, const vdnn_layer_case *c, const char *name, int products,
                  size_t columns)
{
    for (int f = 0; f < FORMS; f++) {
        vdnn_layer *layer = layer_of(c, forms[f]);
        vdnn_bench *bench = vdnn_bench_create(layer, SEED);
        bench->device = device;
        for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++) {
            const vdnn_param *weight = &layer->params[0];
            bool is_narrow = forms[f].dtype == VDNN_BF16 && pass != VDNN_BACKWARD_FILTER;
            size_t of_weight = is_narrow ? (size_t)weight->count * sizeof(uint16_t) : 0, bytes;
            of_weight = (of_weight + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            assert_int_equal(products_of(bench, row_of(name), pass), products);
            assert_ok(vdnn_algorithm_workspace(row_of(name), layer, pass, 1, &bytes));
            assert_int_equal(bytes, of_weight + columns * vdnn_dtype_bytes(forms[f].dtype));
        }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

/* Without a bias, whose gradient would require a separate workspace. */
TEST(a_pass_is_one_product_without_columns)
{
    static const vdnn_layer_case c = {"conv", "out=8 kernel=1 bias=false", "19x16x5x4"};
    check(*state, &c, one_by_one, 1, 0);
}

TEST(a_group_is_one_product_without_columns)
{
    static const vdnn_layer_case c = {"conv", "out=6 kernel=1 groups=2 bias=false", "19x10x3x4"};
    check(*state, &c, one_by_one, 2, 0);
}

TEST(with_a_stride_the_batch_is_gathered_once)
{
    enum { SAMPLES = 19, CELLS = 3 * 2, CHANNELS = 16 };
    static const vdnn_layer_case c = {"conv", "out=8 kernel=1 stride=2 bias=false", "19x16x5x4"};
    check(*state, &c, whole, 1, (size_t)SAMPLES * CELLS * CHANNELS);
    check(*state, &c, sixteen, 2, (size_t)16 * CELLS * CHANNELS);
    check(*state, &c, one_by_one, SAMPLES, (size_t)CELLS * CHANNELS);
}

/* So that measuring does not do it twice. */
TEST(rows_that_would_do_the_same_refuse)
{
    static const vdnn_layer_case point = {"conv", "out=8 kernel=1", "19x16x5x4"},
                                 window = {"conv", "out=8 kernel=3 pad=1", "19x16x5x4"};
    vdnn_layer *of_point = layer_of(&point, forms[FORMS - 1]),
               *of_window = layer_of(&window, forms[FORMS - 1]);
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++) {
        assert_null(vdnn_algorithm_refusal(row_of(one_by_one), of_point, pass));
        assert_non_null(vdnn_algorithm_refusal(row_of(sixteen), of_point, pass));
        assert_non_null(vdnn_algorithm_refusal(row_of(whole), of_point, pass));
        assert_null(vdnn_algorithm_refusal(row_of(sixteen), of_window, pass));
        assert_non_null(vdnn_algorithm_refusal(row_of(whole), of_window, pass));
    }
    vdnn_layer_case_destroy(of_window);
    vdnn_layer_case_destroy(of_point);
}

/* cuBLAS counts in 31 bits: 2^14 samples of 2^18 cells are three products, not refused. */
TEST(more_cells_than_an_int_counts_take_no_more_workspace)
{
    enum { MOST_SAMPLES = INT32_MAX >> 18 };
    static const vdnn_layer_case direct = {"conv", "out=1 kernel=1", "16384x2x512x512"},
                                 strided = {"conv", "out=1 kernel=1 stride=1x2",
                                            "16384x2x512x1024"};
    vdnn_layer *of_direct = layer_of(&direct, forms[1]), *of_strided = layer_of(&strided, forms[1]);
    size_t bytes;
    assert_ok(vdnn_algorithm_workspace(row_of(one_by_one), of_direct, VDNN_FORWARD, 1, &bytes));
    assert_int_equal(bytes, 0);
    assert_ok(vdnn_algorithm_workspace(row_of(whole), of_strided, VDNN_FORWARD, 1, &bytes));
    assert_int_equal(bytes, (size_t)MOST_SAMPLES * (1 << 18) * 2 * sizeof(float));
    vdnn_layer_case_destroy(of_strided);
    vdnn_layer_case_destroy(of_direct);
}

static int open_device(void **state)
{
    vdnn_device_options options = {.event_count = 1};
    return vdnn_device_open("cuda", &options, (vdnn_device **)state) == VDNN_OK ? 0 : -1;
}

static int close_device(void **state)
{
    vdnn_device_close(*state);
    return 0;
}

int main(void)
{
    return vdnn_test_main(open_device, close_device);
}
