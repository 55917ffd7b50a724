/* The paper's accounting, worked out by hand on small networks. */

#include "runtime/base/heap.h"
#include "runtime/report/paper.h"
#include "runtime/setup/run_options.h"
#include "tests/support/policy_ask.h"
#include "tests/support/policy_case.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

/*  index   0      1      2      3      4      5      6    7
 *  layer   conv1  relu1  pool1  conv2  relu2  drop2  fc1  loss
 *  bytes   of its output: 32768 (conv1), 8192 (pool1), 16384 (conv2), 160 (fc1); input 12288 */
static const char chain[] = "name: small\n"
                            "input: {channels: 3, height: 16, width: 16}\n"
                            "classes: 10\n"
                            "batch: 4\n"
                            "layers:\n"
                            "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                            "  - {name: relu1, type: relu}\n"
                            "  - {name: pool1, type: maxpool, kernel: 2}\n"
                            "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
                            "  - {name: relu2, type: relu}\n"
                            "  - {name: drop2, type: dropout, p: 0.5}\n"
                            "  - {name: fc1, type: fc, out: 10}\n"
                            "  - {name: loss, type: softmax_loss}\n";

enum { INPUT = 12288, CONV1 = 32768, POOL1 = 8192, CONV2 = 16384, FC1 = 160 };
enum { W1 = 896, W2 = 4672, WFC = 41000 };

/* Two branches of 2048 bytes each, which a fork reads and a concat joins. Layers 0 to 6; input 1024
 * bytes, stem 4096, reduce 2048, joined 4096. */
static const char fork[] = "name: fork\n"
                           "input: {channels: 1, height: 8, width: 8}\n"
                           "classes: 10\n"
                           "batch: 4\n"
                           "layers:\n"
                           "  - {name: stem, type: conv, out: 4, kernel: 1, bias: false}\n"
                           "  - {name: left, type: conv, out: 2, kernel: 1, bias: false}\n"
                           "  - {name: reduce, type: conv, from: stem, out: 2, kernel: 1, bias: "
                           "false}\n"
                           "  - {name: right, type: conv, out: 2, kernel: 1, bias: false}\n"
                           "  - {name: joined, type: concat, from: [left, right]}\n"
                           "  - {name: fc1, type: fc, out: 10}\n"
                           "  - {name: loss, type: softmax_loss}\n";

enum { F_INPUT = 1024, F_STEM = 4096, F_REDUCE = 2048, F_JOINED = 4096, F_LOGITS = 160 };
enum { F_WEIGHTS = 4 * (4 + 8 + 8 + 4), F_WFC = 4 * (4 * 64 * 10 + 10) };

typedef vdnn_policy_case fixture;

static void set_up(fixture *f, const char *text)
{
    const vdnn_graph_options options = {
        .rules = VDNN_RULES_PAPER, .dtype = VDNN_F32, .unfused = true};
    vdnn_policy_case_open(f, text, &options, VDNN_ALGO_P);
}

static vdnn_plan *plan_of(const fixture *f, const char *policy, vdnn_algo_mode algo)
{
    const vdnn_policy_ask request = {.graph = f->graph,
                                     .profile = f->profile,
                                     .algo = algo,
                                     .budget_bytes = {SIZE_MAX / 2, SIZE_MAX / 2}};
    vdnn_plan *plan;
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find(policy), &request, &plan, NULL));
    return plan;
}

static vdnn_footprint count(const fixture *f, const char *policy, vdnn_algo_mode algo)
{
    vdnn_plan *plan = plan_of(f, policy, algo);
    vdnn_footprint footprint;
    assert_ok(vdnn_paper_count(plan, f->profile, &footprint));
    vdnn_plan_destroy(plan);
    return footprint;
}

static void assert_near(double value, double wanted, double bound)
{
    if (!(fabs(value - wanted) <= bound))
        fail_msg("%.9g is not %.9g", value, wanted);
}

static void assert_mean(double mean, const int64_t *bytes, size_t count, int64_t constant)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)bytes[i];
    assert_near(mean, sum / (double)count + (double)constant, 1e-6);
}

TEST(the_baseline_is_all_weights_all_maps_and_two_of_the_largest_gradient)
{
    fixture f;
    set_up(&f, chain);
    vdnn_footprint m = count(&f, "base", VDNN_ALGO_M), p = count(&f, "base", VDNN_ALGO_P);
    size_t maps = INPUT + CONV1 + POOL1 + CONV2 + FC1;
    assert_int_equal(m.by_category[VDNN_CATEGORY_weights], W1 + W2 + WFC);
    assert_int_equal(m.by_category[VDNN_CATEGORY_feature_maps], maps);
    assert_int_equal(m.by_category[VDNN_CATEGORY_gradient_maps], 2 * CONV1);
    assert_int_equal(m.by_category[VDNN_CATEGORY_workspace], 0);
    assert_int_equal(m.by_category[VDNN_CATEGORY_weight_gradients], 0);
    assert_int_equal(m.device_peak_bytes, W1 + W2 + WFC + maps + 2 * CONV1);
    assert_near(m.device_average_bytes, (double)m.device_peak_bytes, 0);
    assert_null(m.peak_layer);
    assert_int_equal(m.offload_bytes, 0);
    /* The fake fast algorithm takes twice x and y; conv1's are the largest. */
    assert_int_equal(p.by_category[VDNN_CATEGORY_workspace], 2 * (INPUT + CONV1));
    assert_int_equal(p.device_peak_bytes, m.device_peak_bytes + 2 * (INPUT + CONV1));
    assert_near(p.step_seconds, p.oracle_step_seconds, 1e-12);
    assert_true(m.step_seconds > m.oracle_step_seconds);
    vdnn_policy_case_close(&f);
}

TEST(all_counts_each_execution_of_a_feature_layer)
{
    const int64_t bytes[] = {
        INPUT + CONV1,                 /* conv1 */
        CONV1,                         /* relu1 */
        CONV1 + POOL1,                 /* pool1 */
        POOL1 + CONV2,                 /* conv2 */
        CONV2,                         /* relu2 */
        CONV2 + CONV2 + POOL1,         /* relu2: y, dy, and what the loss brought back */
        POOL1 + POOL1 + CONV2 + CONV1, /* conv2: x, dx, dy, pool1's x; not y */
        2 * CONV1 + 2 * POOL1,         /* pool1: x, dx, y, dy; brings nothing back */
        2 * CONV1 + INPUT,             /* relu1 */
        INPUT + CONV1,                 /* conv1: has no dx */
    };
    fixture f;
    set_up(&f, chain);
    vdnn_footprint m = count(&f, "all", VDNN_ALGO_M);
    assert_int_equal(m.device_peak_bytes, 2 * CONV1 + 2 * POOL1 + W1 + W2);
    assert_string_equal(m.peak_layer, "pool1");
    assert_mean(m.device_average_bytes, bytes, sizeof bytes / sizeof *bytes, W1 + W2);
    assert_int_equal(m.offload_bytes, INPUT + CONV1 + POOL1);
    assert_int_equal(m.prefetch_bytes, m.offload_bytes);
    assert_int_equal(m.host_peak_bytes, m.offload_bytes);
    assert_int_equal(m.by_category_at_peak[VDNN_CATEGORY_feature_maps], CONV1 + POOL1);
    assert_int_equal(m.by_category_at_peak[VDNN_CATEGORY_gradient_maps], CONV1 + POOL1);
    assert_int_equal(m.by_category_at_peak[VDNN_CATEGORY_weights], W1 + W2);
    vdnn_policy_case_close(&f);
}

TEST(conv_keeps_what_poolings_read)
{
    const int64_t bytes[] = {
        INPUT + CONV1,
        CONV1,
        CONV1 + POOL1,
        POOL1 + CONV2 + CONV1,
        CONV2 + CONV1,
        CONV2 + CONV2 + POOL1 + CONV1,
        POOL1 + POOL1 + CONV2 + CONV1 + INPUT, /* the search ends at conv1, whose x is away */
        2 * CONV1 + 2 * POOL1 + INPUT,
        2 * CONV1 + INPUT,
        INPUT + CONV1,
    };
    fixture f;
    set_up(&f, chain);
    vdnn_footprint m = count(&f, "conv", VDNN_ALGO_M);
    assert_mean(m.device_average_bytes, bytes, sizeof bytes / sizeof *bytes, W1 + W2);
    assert_int_equal(m.offload_bytes, INPUT + POOL1);
    vdnn_policy_case_close(&f);
}

TEST(without_offload_maps_are_released_behind_their_last_use)
{
    const int64_t bytes[] = {
        INPUT + CONV1,
        INPUT + CONV1,
        INPUT + CONV1 + POOL1,
        INPUT + CONV1 + POOL1 + CONV2,
        INPUT + CONV1 + POOL1 + CONV2,
        INPUT + CONV1 + POOL1 + 2 * CONV2,
        INPUT + CONV1 + 2 * POOL1 + CONV2,
        INPUT + 2 * CONV1 + 2 * POOL1,
        INPUT + 2 * CONV1,
        INPUT + CONV1,
    };
    const size_t workspace[] = {2 * (INPUT + CONV1), 0, 0, 2 * (POOL1 + CONV2), 0, 0,
                                2 * (POOL1 + CONV2), 0, 0, 2 * (INPUT + CONV1)};
    int64_t both[sizeof bytes / sizeof *bytes];
    fixture f;
    set_up(&f, chain);
    vdnn_footprint p = count(&f, "dyn", VDNN_ALGO_P);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        both[i] = bytes[i] + (int64_t)workspace[i];
    assert_mean(p.device_average_bytes, both, sizeof both / sizeof *both, W1 + W2);
    assert_int_equal(p.offload_bytes, 0);
    assert_near(p.step_seconds, p.oracle_step_seconds, 1e-12);
    vdnn_policy_case_close(&f);
}

static double pass_seconds(const fixture *f, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *of = &f->profile->layers[layer];
    return of->choice_count[pass] == 0 ? 0
                                       : f->profile->launch_seconds + of->choices[pass][0].seconds;
}

/* A convolution of the images as if it made a gradient of them. */
static double backward_seconds(const fixture *f, int32_t layer)
{
    double filter = pass_seconds(f, layer, VDNN_BACKWARD_FILTER);
    return filter + (layer == 0 ? filter : pass_seconds(f, layer, VDNN_BACKWARD_DATA));
}

TEST(a_layer_takes_as_long_as_its_kernels_or_its_copy)
{
    fixture f;
    set_up(&f, chain);
    const double out[] = {INPUT, 0, CONV1, POOL1, 0}, in[] = {0, INPUT, 0, CONV1, 0};
    double seconds = 0;
    f.profile->copy_out_bytes_per_second = 1e9; /* so that some copies are hidden, some are not */
    f.profile->copy_in_bytes_per_second = 2e9;
    int hidden = 0, seen = 0;
    for (int32_t l = 0; l < 5; l++) {
        double forward = pass_seconds(&f, l, VDNN_FORWARD);
        double backward = backward_seconds(&f, l);
        seconds += fmax(forward, out[l] / 1e9) + fmax(backward, in[l] / 2e9);
        seen += forward < out[l] / 1e9;
        hidden += out[l] > 0 && forward >= out[l] / 1e9;
    }
    vdnn_footprint m = count(&f, "all", VDNN_ALGO_M);
    assert_near(m.step_seconds, seconds, 1e-12);
    assert_true(seen > 0 && hidden > 0);
    vdnn_policy_case_close(&f);
}

TEST(branches_write_into_the_buffer_of_their_concat)
{
    const int64_t bytes[] = {
        F_INPUT + F_STEM,                 /* stem */
        F_STEM + F_JOINED,                /* left */
        F_STEM + F_JOINED + F_REDUCE,     /* reduce: the last reader of stem, which leaves */
        F_JOINED + F_REDUCE,              /* right */
        2 * F_REDUCE + F_JOINED + F_STEM, /* right: x, dx, dy, and reduce's x is prefetched */
        2 * F_STEM + F_REDUCE + F_JOINED, /* reduce: x, dx, dy; the search ends at left */
        2 * F_STEM + F_JOINED + F_INPUT,  /* left: dx is summed where it is */
        F_INPUT + F_STEM,
    };
    fixture f;
    set_up(&f, fork);
    vdnn_footprint m = count(&f, "all", VDNN_ALGO_M), base = count(&f, "base", VDNN_ALGO_M);
    assert_mean(m.device_average_bytes, bytes, sizeof bytes / sizeof *bytes, F_WEIGHTS);
    assert_int_equal(m.offload_bytes, F_INPUT + F_STEM + F_REDUCE);
    /* The baseline has the branches and their copy, and three gradients: dy of both branches, the
     * sum for stem, and reduce's. */
    assert_int_equal(base.by_category[VDNN_CATEGORY_feature_maps],
                     F_INPUT + F_STEM + F_REDUCE + 2 * F_JOINED + F_LOGITS);
    assert_int_equal(base.by_category[VDNN_CATEGORY_gradient_maps], 3 * F_STEM);
    assert_int_equal(base.by_category[VDNN_CATEGORY_weights], F_WEIGHTS + F_WFC);
    vdnn_policy_case_close(&f);
}

TEST(no_memory_is_an_error)
{
    fixture f;
    set_up(&f, chain);
    vdnn_plan *plan = plan_of(&f, "all", VDNN_ALGO_P);
    vdnn_footprint footprint = {.offload_bytes = 7};
    for (size_t nth = 1;; nth++) {
        vdnn_heap_fail_after(nth);
        vdnn_status status = vdnn_paper_count(plan, f.profile, &footprint);
        vdnn_heap_fail_after(0);
        if (status == VDNN_OK) {
            assert_true(nth > 5);
            break;
        }
        assert_int_equal(status, VDNN_NO_MEMORY);
        assert_int_equal(footprint.offload_bytes, 7);
    }
    vdnn_plan_destroy(plan);
    vdnn_policy_case_close(&f);
}

TEST(the_paper_counts_the_classic_stash)
{
    vdnn_session_options ask = {.size = sizeof ask,
                                .model = "lenet",
                                .report = vdnn_test_topic(report, .accounting = "paper")};
    vdnn_run_options options;
    assert_ok(vdnn_run_options_init(&ask, &options));
    assert_int_equal(options.rules, VDNN_RULES_PAPER);
    assert_true(options.counts_as_paper);
    vdnn_run_options_fini(&options);
    ask.rules = "lean";
    assert_status(vdnn_run_options_init(&ask, &options), VDNN_USAGE);
    assert_message("--rules paper, not lean");
    vdnn_test_edit(&ask, report)->accounting = "full";
    assert_ok(vdnn_run_options_init(&ask, &options));
    assert_false(options.counts_as_paper);
    vdnn_run_options_fini(&options);
    vdnn_test_edit(&ask, report)->accounting = "papers";
    assert_status(vdnn_run_options_init(&ask, &options), VDNN_USAGE);
    assert_message("did you mean paper?");
}
