#include "layers/sim/cost.h"
#include "runtime/base/status.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/device/sim/predict.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

static const double MIB = 1048576;

/* Round figures of a card that offers everything. */
static vdnn_cost_model card(void)
{
    vdnn_cost_model model = {.flops_per_second = 7e12,
                             .bytes_per_second = 336e9,
                             .elementwise_bytes_per_second = 227e9,
                             .launch_seconds = 5e-6,
                             .multiprocessors = 24};
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            model.rates[a][p] = (vdnn_cost_rate){.efficiency = 0.8,
                                                 .memory_efficiency = 0.85,
                                                 .overlap = 0.3,
                                                 .narrow = 0.9,
                                                 .alone = 0.7,
                                                 .fill = 16,
                                                 .transfers = 3};
    return model;
}

static vdnn_cost_shape square(int64_t n, int64_t c, int64_t side, int64_t k, int64_t kernel,
                              int64_t stride, int64_t pad)
{
    return (vdnn_cost_shape){.n = n,
                             .c = c,
                             .k = k,
                             .groups = 1,
                             .image = {side, side},
                             .kernel = {kernel, kernel},
                             .stride = {stride, stride},
                             .pad = {pad, pad},
                             .dilation = {1, 1},
                             .element_bytes = sizeof(float)};
}

static double seconds_of(const vdnn_cost_model *model, const vdnn_cost_shape *shape, vdnn_pass pass,
                         vdnn_cost_algorithm algorithm)
{
    double seconds = 0;
    size_t bytes = 0;
    assert_ok(vdnn_cost_conv(model, shape, pass, algorithm, &seconds, &bytes));
    return seconds;
}

static double workspace_of(const vdnn_cost_shape *shape, vdnn_pass pass,
                           vdnn_cost_algorithm algorithm)
{
    vdnn_cost_model model = card();
    double seconds = 0;
    size_t bytes = 0;
    assert_ok(vdnn_cost_conv(&model, shape, pass, algorithm, &seconds, &bytes));
    return (double)bytes;
}

TEST(a_larger_batch_takes_no_less_time_and_no_less_workspace)
{
    vdnn_cost_model model = card();
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            double last_seconds = 0, last_bytes = 0;
            for (int64_t n = 1; n <= 512; n *= 2) {
                vdnn_cost_shape shape = square(n, 64, 28, 96, 3, 1, 1);
                vdnn_pass pass = (vdnn_pass)p;
                vdnn_cost_algorithm algorithm = (vdnn_cost_algorithm)a;
                if (vdnn_cost_refusal(&model, &shape, pass, algorithm) != NULL)
                    continue;
                double seconds = seconds_of(&model, &shape, pass, algorithm);
                double bytes = workspace_of(&shape, pass, algorithm);
                assert_true(seconds >= last_seconds && bytes >= last_bytes);
                last_seconds = seconds, last_bytes = bytes;
            }
            assert_true(last_seconds > 0 || a == VDNN_COST_GEMM);
        }
}

TEST(no_pass_is_faster_than_its_arithmetic_or_its_traffic)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape shape = square(32, 256, 28, 256, 3, 1, 1);
    double flops = 2.0 * 32 * 256 * 256 * 9 * 28 * 28, bytes = 2.0 * 32 * 256 * 28 * 28 * 4;
    for (int p = 0; p < VDNN_PASS_COUNT; p++)
        assert_true(seconds_of(&model, &shape, (vdnn_pass)p, VDNN_COST_IMPLICIT_GEMM) >
                    flops / model.flops_per_second);
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        assert_true(seconds_of(&model, &shape, VDNN_FORWARD, (vdnn_cost_algorithm)a) >
                    bytes / model.bytes_per_second);
}

TEST(filters_are_padded_to_the_tile)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape one = square(64, 64, 56, 1, 3, 1, 1), full = square(64, 64, 56, 32, 3, 1, 1);
    double few = seconds_of(&model, &one, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    double many = seconds_of(&model, &full, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    assert_true(few > 0.5 * many);
}

TEST(one_more_block_than_multiprocessors_takes_another_turn)
{
    vdnn_cost_model model = card();
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        model.rates[a][VDNN_FORWARD].narrow = 0.1; /* whole tiles only */
    vdnn_cost_shape some = square(48, 512, 8, 256, 3, 1, 1),
                    more = square(50, 512, 8, 256, 3, 1, 1);
    double even = seconds_of(&model, &some, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    double odd = seconds_of(&model, &more, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    assert_true(odd > 1.3 * even);
}

TEST(a_bias_costs_a_pass_over_the_output)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape shape = square(64, 64, 112, 64, 3, 1, 1);
    double moves = 64.0 * 64 * 112 * 112 * 4 / model.elementwise_bytes_per_second;
    const double wanted[VDNN_PASS_COUNT] = {[VDNN_FORWARD] = 2, [VDNN_BACKWARD_FILTER] = 1};
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        shape.bias = false;
        double without = seconds_of(&model, &shape, (vdnn_pass)p, VDNN_COST_IMPLICIT_GEMM);
        shape.bias = true;
        double with = seconds_of(&model, &shape, (vdnn_pass)p, VDNN_COST_IMPLICIT_GEMM);
        double extra = wanted[p] * moves + (wanted[p] > 0 ? model.launch_seconds : 0);
        assert_true(with - without > extra - 1e-9 && with - without < extra + 1e-9);
    }
}

/* Where nothing is waited for from memory: of channels that are padded, the bytes are fewer. */
TEST(channels_that_tensor_cores_do_not_take_are_padded_and_computed_without_them)
{
    vdnn_cost_model tensor = card(), plain = card();
    tensor.bytes_per_second = plain.bytes_per_second = (double)INFINITY;
    tensor.flops_per_second *= 8;
    tensor.channel_multiple = 8;
    tensor.plain_flops_per_second = plain.flops_per_second;
    memcpy(tensor.plain_rates, plain.rates, sizeof plain.rates);
    const int64_t channels[][3] = {{64, 64, 64}, {63, 64, 64}, {64, 60, 64}, {3, 64, 8}};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const int64_t *c = channels[i];
            vdnn_cost_shape shape = square(64, c[0], 28, c[1], 3, 1, 1);
            vdnn_cost_shape padded = square(64, c[2], 28, 64, 3, 1, 1);
            double fast = seconds_of(&tensor, &shape, (vdnn_pass)p, VDNN_COST_IMPLICIT_GEMM);
            double slow = seconds_of(&plain, &padded, (vdnn_pass)p, VDNN_COST_IMPLICIT_GEMM);
            assert_true(i == 0 ? fast < slow : fast == slow);
        }
}

/* With 8 channels gathering fills a quarter of the narrowest tile, scattering all of it. */
TEST(kernels_that_only_gather_take_longer_for_few_channels)
{
    vdnn_cost_model scatters = card(), gathers = card();
    gathers.gathers = true;
    for (int stride = 1; stride <= 2; stride++) {
        vdnn_cost_shape shape = square(64, 8, 28, 128, 3, stride, 1);
        double any = seconds_of(&scatters, &shape, VDNN_BACKWARD_DATA, VDNN_COST_IMPLICIT_GEMM);
        double one = seconds_of(&gathers, &shape, VDNN_BACKWARD_DATA, VDNN_COST_IMPLICIT_GEMM);
        assert_true(stride == 1 ? one > any : one == any);
    }
}

TEST(channels_may_be_padded_to_less_than_tensor_cores_take)
{
    vdnn_cost_model pads = card(), plain = card();
    pads.bytes_per_second = plain.bytes_per_second = (double)INFINITY;
    pads.channel_multiple = 8;
    pads.plain_flops_per_second = pads.flops_per_second;
    memcpy(pads.plain_rates, pads.rates, sizeof pads.rates);
    vdnn_cost_shape three = square(64, 3, 28, 64, 3, 1, 1), four = square(64, 4, 28, 64, 3, 1, 1);
    double to_8 = seconds_of(&pads, &three, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    pads.padded_multiple = 4;
    double to_4 = seconds_of(&pads, &three, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    assert_true(to_4 < to_8);
    assert_true(to_4 == seconds_of(&plain, &four, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM));
}

/* With nothing lost in narrow tiles, 32 filters take half of 64, unless a tile has 64. */
TEST(fewer_filters_than_the_narrowest_tile_has_take_as_long_as_all_of_it)
{
    const int64_t tiles[] = {0, 32, 64, 128};
    const double ratios[] = {0.5, 0.5, 1, 1}; /* of 32 filters to 64 */
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        vdnn_cost_model model = card();
        model.bytes_per_second = (double)INFINITY, model.launch_seconds = 0;
        model.narrowest_tile = tiles[i];
        model.rates[VDNN_COST_IMPLICIT_GEMM][VDNN_FORWARD].narrow = 1;
        vdnn_cost_shape few = square(48, 64, 56, 32, 3, 1, 1);
        vdnn_cost_shape more = square(48, 64, 56, 64, 3, 1, 1);
        double ratio = seconds_of(&model, &few, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM) /
                       seconds_of(&model, &more, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
        assert_true(fabs(ratio - ratios[i]) < 1e-9);
    }
}

/* 128 filters of 8 maps of 7 x 7 are four tiles, which leave most of the card idle; those of many
 * maps do not. */
TEST(forward_of_few_tiles_is_faster_if_blocks_share_their_inner_dimension)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape few = square(8, 832, 7, 128, 5, 1, 2), many = square(512, 64, 56, 128, 1, 1, 0);
    double alone = seconds_of(&model, &few, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    double full = seconds_of(&model, &many, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM);
    model.splits_forward = true;
    assert_true(seconds_of(&model, &few, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM) < 0.5 * alone);
    assert_true(seconds_of(&model, &many, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM) == full);
}

static vdnn_cost_factors factors_of(double rows, double columns, double inner)
{
    vdnn_cost_factors f = {.rows = rows, .columns = columns, .inner = inner, .element_bytes = 4};
    f.bytes = 4 * (rows * inner + inner * columns + rows * columns);
    return f;
}

static double product_seconds(const vdnn_cost_model *model, const vdnn_cost_rate *rate, double rows,
                              double columns)
{
    vdnn_cost_factors factors = factors_of(rows, columns, 1024);
    return vdnn_cost_product(model, rate, &factors);
}

TEST(a_product_takes_no_less_than_its_arithmetic_and_its_traffic)
{
    vdnn_cost_model model = card();
    const vdnn_cost_rate *rate = &model.rates[VDNN_COST_IMPLICIT_GEMM][VDNN_FORWARD];
    double last = 0;
    for (int power = 0; power <= 12; power++) {
        vdnn_cost_factors factors = factors_of(1 << power, 1024, 1024);
        double seconds = vdnn_cost_product(&model, rate, &factors);
        assert_true(seconds >= 2 * factors.rows * 1024 * 1024 / model.flops_per_second);
        assert_true(seconds >= factors.bytes / model.bytes_per_second);
        assert_true(seconds >= last);
        assert_true(seconds == product_seconds(&model, rate, 1024, factors.rows));
        last = seconds;
    }
}

/* 31 rows are fewer than any tile has. */
TEST(a_product_narrower_than_every_tile_loses_a_part_of_the_bandwidth)
{
    vdnn_cost_model model = card();
    vdnn_cost_rate rate = model.rates[VDNN_COST_IMPLICIT_GEMM][VDNN_FORWARD];
    rate.efficiency = 1, rate.overlap = 0; /* the arithmetic is the same, the traffic is added */
    double narrow = product_seconds(&model, &rate, 31, 1024);
    double full = product_seconds(&model, &rate, 32, 1024);
    double traffic =
        factors_of(31, 1024, 1024).bytes / (model.bytes_per_second * rate.memory_efficiency);
    rate.thin = 0.5;
    assert_true(fabs(product_seconds(&model, &rate, 31, 1024) - narrow - traffic) < 1e-12);
    assert_true(product_seconds(&model, &rate, 1024, 31) ==
                product_seconds(&model, &rate, 31, 1024));
    assert_true(product_seconds(&model, &rate, 32, 1024) == full);
}

/* Of 256 rows and 128 times as many columns as tiles are computed at a time, there are two waves
 * for each row of tiles; each loads its own columns and 128 rows. */
TEST(factors_that_lie_along_the_inner_dimension_are_loaded_again)
{
    vdnn_cost_model model = card();
    vdnn_cost_rate rate = model.rates[VDNN_COST_IMPLICIT_GEMM][VDNN_FORWARD];
    double columns = 2.0 * 128 * 2 * (double)model.multiprocessors;
    vdnn_cost_factors factors = factors_of(256, columns, 1024);
    rate.overlap = 0, rate.reloads = 0.5;
    double apart = vdnn_cost_product(&model, &rate, &factors);
    for (int along = 1; along < 4; along++) {
        factors.rows_along_inner = (along & 1) != 0;
        factors.columns_along_inner = (along & 2) != 0;
        double loaded = 4.0 * 1024 * 4 * ((along & 1 ? 128 : 0) + (along & 2 ? columns / 2 : 0));
        double again = 0.5 * loaded / (model.bytes_per_second * rate.memory_efficiency);
        assert_true(fabs(vdnn_cost_product(&model, &rate, &factors) - apart - again) < 1e-12);
    }
    rate.reloads = 0;
    assert_true(vdnn_cost_product(&model, &rate, &factors) == apart);
}

/* With arithmetic that takes no time: what moves. */
static double moved_bytes(const vdnn_cost_model *model, const vdnn_cost_shape *shape,
                          vdnn_pass pass)
{
    const vdnn_cost_rate *rate = &model->rates[VDNN_COST_IMPLICIT_GEMM][pass];
    vdnn_cost_model endless = *model;
    endless.flops_per_second = (double)INFINITY;
    double seconds = seconds_of(&endless, shape, pass, VDNN_COST_IMPLICIT_GEMM);
    return (seconds - model->launch_seconds) * model->bytes_per_second * rate->memory_efficiency;
}

/* A stride of 2 passes over every other row with 1 x 1 kernels, over none with 3 x 3; dx is cleared
 * all the same. */
TEST(rows_that_a_stride_passes_over_may_not_be_loaded)
{
    vdnn_cost_model loads = card(), skips = card();
    skips.skips_rows = true;
    for (int kernel = 1; kernel <= 3; kernel += 2)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            vdnn_cost_shape shape = square(16, 256, 56, 128, kernel, 2, kernel / 2);
            bool skipped = kernel == 1 && p != VDNN_BACKWARD_DATA;
            double half = skipped ? 16.0 * 256 * 28 * 56 * 4 : 0;
            double saved = moved_bytes(&loads, &shape, (vdnn_pass)p) -
                           moved_bytes(&skips, &shape, (vdnn_pass)p);
            assert_true(fabs(saved - half) <= 1e-6 * half);
        }
}

/* 256 filters or channels are two tiles, each of which loads the maps of the other side. Filters of
 * 1 x 1 with stride 2 meet a quarter of the pixels. */
TEST(maps_that_one_tile_alone_loads_are_loaded_again_in_backward_filter)
{
    static const int64_t channels[] = {64, 128, 256};
    vdnn_cost_model model = card();
    for (size_t i = 0; i < 18; i++) {
        int64_t c = channels[i % 3], k = channels[i / 3 % 3], stride = i < 9 ? 1 : 2;
        vdnn_cost_shape shape = square(16, c, 28 * stride, k, 1, stride, 0);
        double x = 16.0 * (double)c * 28 * 28 * 4, y = 16.0 * (double)k * 28 * 28 * 4;
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            vdnn_cost_rate *rate = &model.rates[VDNN_COST_IMPLICIT_GEMM][p];
            rate->reloads = rate->transfers = 0;
            double once = moved_bytes(&model, &shape, (vdnn_pass)p);
            rate->reloads = 3;
            double again = moved_bytes(&model, &shape, (vdnn_pass)p) - once;
            double wanted = 3 * (x / (k > 128 ? 2 : 1) + y / (c > 128 ? 2 : 1));
            assert_true(fabs(again - (p == VDNN_BACKWARD_FILTER ? wanted : 0)) < 1);
        }
    }
}

TEST(the_same_question_has_the_same_answer_to_the_last_bit)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape shape = square(37, 83, 27, 129, 5, 1, 2);
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (vdnn_cost_refusal(&model, &shape, (vdnn_pass)p, (vdnn_cost_algorithm)a) == NULL) {
                double first = seconds_of(&model, &shape, (vdnn_pass)p, (vdnn_cost_algorithm)a);
                double again = seconds_of(&model, &shape, (vdnn_pass)p, (vdnn_cost_algorithm)a);
                assert_memory_equal(&first, &again, sizeof first);
            }
}

TEST(workspaces_are_those_of_the_paper_within_what_its_figure_shows)
{
    static const struct {
        int64_t c, side, k;
        vdnn_cost_algorithm algorithm;
        double mib;
    } rows[] = {
        {3, 224, 64, VDNN_COST_IMPLICIT_PRECOMP_GEMM, 3},
        {64, 112, 128, VDNN_COST_IMPLICIT_PRECOMP_GEMM, 3},
        {128, 112, 128, VDNN_COST_FFT_TILING, 882},
        {128, 56, 256, VDNN_COST_FFT_TILING, 1224},
        {256, 56, 256, VDNN_COST_FFT_TILING, 1907},
        {256, 28, 512, VDNN_COST_FFT, 1636},
        {512, 28, 512, VDNN_COST_FFT, 3273},
        {512, 14, 512, VDNN_COST_FFT, 873},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_cost_shape shape = square(256, rows[i].c, rows[i].side, rows[i].k, 3, 1, 1);
        double mib = workspace_of(&shape, VDNN_FORWARD, rows[i].algorithm) / MIB;
        assert_true(mib > rows[i].mib - 10 && mib < rows[i].mib + 10);
        assert_true(workspace_of(&shape, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM) < 1);
    }
}

TEST(backward_has_the_workspace_of_what_it_transforms)
{
    vdnn_cost_shape shape = square(64, 512, 28, 512, 3, 1, 1);
    double spectrum = 32 * 17 * 8;
    assert_true(workspace_of(&shape, VDNN_BACKWARD_DATA, VDNN_COST_FFT) ==
                2 * spectrum * 512 * (64 + 512));
    assert_true(workspace_of(&shape, VDNN_BACKWARD_FILTER, VDNN_COST_FFT) ==
                2 * spectrum * 64 * (512 + 512));
}

/* What a library does beyond the taps that a stride leaves: nothing where there is no stride. */
TEST(what_a_stride_skips_costs_only_where_the_library_computes_it)
{
    vdnn_cost_model lean = card(), wasteful = card();
    wasteful.rates[VDNN_COST_IMPLICIT_GEMM][VDNN_BACKWARD_DATA].skipped = 1;
    vdnn_cost_shape strided = square(16, 512, 28, 1024, 1, 2, 0),
                    dense = square(16, 512, 28, 1024, 1, 1, 0);
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        vdnn_pass pass = (vdnn_pass)p;
        double least = seconds_of(&lean, &strided, pass, VDNN_COST_IMPLICIT_GEMM);
        double most = seconds_of(&wasteful, &strided, pass, VDNN_COST_IMPLICIT_GEMM);
        assert_true(pass == VDNN_BACKWARD_DATA ? most > 1.5 * least && most < 3 * least
                                               : fabs(most - least) < 1e-12);
        assert_true(fabs(seconds_of(&lean, &dense, pass, VDNN_COST_IMPLICIT_GEMM) -
                         seconds_of(&wasteful, &dense, pass, VDNN_COST_IMPLICIT_GEMM)) < 1e-12);
    }
}

TEST(winograd_with_its_transforms_apart_takes_kernels_of_5_x_5)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape shape = square(32, 128, 28, 128, 5, 1, 2);
    for (int p = 0; p < VDNN_PASS_COUNT; p++)
        assert_true(seconds_of(&model, &shape, (vdnn_pass)p, VDNN_COST_WINOGRAD_NONFUSED) <
                    seconds_of(&model, &shape, (vdnn_pass)p, VDNN_COST_IMPLICIT_GEMM));
}

/* Twice through memory where both factors are maps, so that few images do not pay for it. */
TEST(backward_filter_takes_large_transforms_for_large_batches_alone)
{
    vdnn_device_model titan;
    assert_ok(vdnn_device_model_load("models/devices/titan-x-maxwell.yaml", &titan));
    vdnn_cost_model model = vdnn_predict_cost_model(&titan, VDNN_F32);
    static const struct {
        int64_t n, c, k;
        bool takes_fft;
    } rows[] = {{256, 256, 256, true},
                {128, 256, 256, false},
                {64, 256, 256, false},
                {128, 64, 192, false},
                {16, 128, 256, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_cost_shape shape = square(rows[i].n, rows[i].c, 56, rows[i].k, 3, 1, 1);
        const char *why =
            vdnn_cost_refusal(&model, &shape, VDNN_BACKWARD_FILTER, VDNN_COST_FFT_TILING);
        assert_non_null(why);
        assert_non_null(strstr(why, "offer"));
        double fft = seconds_of(&model, &shape, VDNN_BACKWARD_FILTER, VDNN_COST_FFT);
        double product =
            seconds_of(&model, &shape, VDNN_BACKWARD_FILTER, VDNN_COST_IMPLICIT_PRECOMP_GEMM);
        assert_true((fft < product) == rows[i].takes_fft);
    }
}

TEST(each_refusal_has_its_reason)
{
    vdnn_cost_shape strided = square(8, 16, 28, 16, 3, 2, 1),
                    large = square(8, 16, 112, 16, 3, 1, 1);
    vdnn_cost_shape wide = square(8, 16, 28, 16, 5, 1, 2), tiny = square(8, 16, 2, 16, 5, 1, 0);
    vdnn_cost_shape dilated = square(8, 16, 28, 16, 3, 1, 2),
                    plain = square(8, 16, 28, 16, 3, 1, 1);
    vdnn_cost_shape seven = square(8, 16, 28, 16, 7, 1, 3);
    dilated.dilation[0] = dilated.dilation[1] = 2;
    const struct {
        const vdnn_cost_shape *shape;
        vdnn_pass pass;
        vdnn_cost_algorithm algorithm;
        const char *says;
    } rows[] = {
        {&strided, VDNN_FORWARD, VDNN_COST_FFT, "stride"},
        {&strided, VDNN_BACKWARD_DATA, VDNN_COST_FFT_TILING, "stride"},
        {&strided, VDNN_FORWARD, VDNN_COST_WINOGRAD, "3 x 3"},
        {&dilated, VDNN_FORWARD, VDNN_COST_FFT, "dilation"},
        {&large, VDNN_FORWARD, VDNN_COST_FFT, "64 x 64"},
        {&wide, VDNN_FORWARD, VDNN_COST_WINOGRAD, "3 x 3"},
        {&seven, VDNN_FORWARD, VDNN_COST_WINOGRAD_NONFUSED, "5 x 5"},
        {&tiny, VDNN_FORWARD, VDNN_COST_IMPLICIT_GEMM, "window"},
        {&plain, VDNN_BACKWARD_DATA, VDNN_COST_GEMM, "forward"},
    };
    vdnn_cost_model model = card();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = vdnn_cost_refusal(&model, rows[i].shape, rows[i].pass, rows[i].algorithm);
        assert_non_null(why);
        assert_non_null(strstr(why, rows[i].says));
        double seconds = -1;
        size_t bytes = 7;
        assert_int_equal(vdnn_cost_conv(&model, rows[i].shape, rows[i].pass, rows[i].algorithm,
                                        &seconds, &bytes),
                         VDNN_USAGE);
        assert_non_null(strstr(vdnn_status_message(), rows[i].says));
        assert_true(seconds < 0 && bytes == 7);
    }
}

TEST(what_a_card_does_not_offer_is_refused)
{
    vdnn_cost_model model = card();
    vdnn_cost_shape shape = square(8, 16, 28, 16, 3, 1, 1);
    model.rates[VDNN_COST_WINOGRAD][VDNN_FORWARD].efficiency = 0;
    const char *why = vdnn_cost_refusal(&model, &shape, VDNN_FORWARD, VDNN_COST_WINOGRAD);
    assert_non_null(why);
    assert_non_null(strstr(why, "offer"));
    assert_null(vdnn_cost_refusal(&model, &shape, VDNN_BACKWARD_DATA, VDNN_COST_WINOGRAD));
}
