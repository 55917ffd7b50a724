/* Attention: shapes, refusals, what it takes, and what holds whatever its blocks are. */

#include "layers/attention/attention.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

static vdnn_layer *built(const char *keys, const char *inputs)
{
    vdnn_layer *layer = NULL;
    assert_ok(vdnn_layer_case_build(&(vdnn_layer_case){"attention", keys, inputs}, VDNN_RULE_LEAN,
                                    &layer));
    return layer;
}

TEST(heads_of_q_k_and_v_lie_one_after_the_other)
{
    vdnn_layer *layer = built("heads=6 kv_heads=2 causal=true", "3x7x40");
    const vdnn_attention_shape s = vdnn_attention_shape_of(layer);
    assert_int_equal(s.width, 4);
    assert_int_equal(s.group, 3);
    assert_int_equal(layer->y.rank, VDNN_SEQUENCE_RANK);
    assert_int_equal(layer->y.dims[VDNN_POSITIONS], 7);
    assert_int_equal(layer->y.dims[VDNN_FEATURES], 6 * 4);
    assert_int_equal(vdnn_attention_at(&s.q, 0, 0, 5), 20);
    assert_int_equal(vdnn_attention_at(&s.k, 0, 0, 0), 24);
    assert_int_equal(vdnn_attention_at(&s.v, 0, 0, 1), 36);
    assert_int_equal(vdnn_attention_at(&s.v, 2, 6, 1), (2 * 7 + 6) * 40 + 36);
    vdnn_layer_case_destroy(layer);
}

TEST(queries_may_be_of_another_sequence)
{
    vdnn_layer *layer = built("heads=2", "3x7x10 3x4x10 3x4x10");
    assert_int_equal(layer->y.dims[VDNN_POSITIONS], 7);
    assert_int_equal(layer->y.dims[VDNN_FEATURES], 10);
    assert_int_equal(vdnn_attention_shape_of(layer).keys, 4);
    vdnn_layer_case_destroy(layer);
}

TEST(what_does_not_fit_is_refused_with_its_numbers)
{
    static const struct {
        const char *keys, *inputs, *message;
    } rows[] = {
        {"heads=4", "2x3x20",
         "its input has 20 features, which 4 heads of q and 4 each of k and v do not divide"},
        {"heads=4 kv_heads=3", "2x3x20", "4 heads are not a multiple of 3 kv_heads"},
        {"heads=2 kv_heads=4", "2x3x20", "2 heads are not a multiple of 4 kv_heads"},
        {"heads=1", "2x3x4x5", "input 1 is not a sequence"},
        {"heads=1", "2x3", "input 1 is not a sequence"},
        {"heads=1", "2x3x6 2x3x4", "input 2, the lengths, has 12 elements a sample, expected one"},
        {"heads=1", "2x3x6 2x3<4", "input 2, the lengths, has 3 elements a sample, expected one"},
        {"heads=3", "2x3x4 2x3x4 2x3x4", "input 1 has 4 features, which 3 heads of it do not"},
        {"heads=2", "2x3x4 2x3x8 2x3x4", "heads of q, k and v have 2, 4 and 2 features"},
        {"heads=2", "2x3x4 2x5x4 2x6x4", "k has 5 positions and v 6, expected as many each"},
        {"heads=2 causal=true", "2x3x4 2x5x4 2x5x4",
         "q has 3 positions and k 5, but a causal one requires as many each"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *layer = NULL;
        const vdnn_layer_case one = {"attention", rows[i].keys, rows[i].inputs};
        assert_status(vdnn_layer_case_build(&one, VDNN_RULE_LEAN, &layer), VDNN_BAD_INPUT);
        assert_message(rows[i].message);
    }
}

/* What forward keeps for backward, and a thread's workspace, are of a row of scores one number:
 * memory grows with the length, not with its square. */
TEST(memory_grows_with_the_length_alone)
{
    const vdnn_algorithm *tiled = vdnn_algorithm_find("attention", "tiled", "cpu");
    size_t bytes[VDNN_PASS_COUNT][2], aux[2];
    for (int i = 0; i < 2; i++) {
        vdnn_layer *layer = built("heads=2", i == 0 ? "2x4096x96" : "2x8192x96");
        aux[i] = layer->aux_bytes;
        for (vdnn_pass pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++)
            assert_ok(vdnn_algorithm_workspace(tiled, layer, pass, 2, &bytes[pass][i]));
        vdnn_layer_case_destroy(layer);
    }
    assert_int_equal(aux[0], 2 * 2 * 4096 * sizeof(float));
    assert_int_equal(aux[1], 2 * aux[0]);
    for (vdnn_pass pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++)
        assert_true(bytes[pass][1] <= 2 * bytes[pass][0]);
}

TEST(half_of_a_causal_one_is_counted)
{
    vdnn_layer *whole = built("heads=2", "1x101x60");
    vdnn_layer *causal = built("heads=2 causal=true", "1x101x60");
    for (vdnn_pass pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++)
        assert_true(fabs(vdnn_layer_flops(causal, pass) / vdnn_layer_flops(whole, pass) -
                         102.0 / 202) < 1e-9);
    vdnn_layer_case_destroy(whole);
    vdnn_layer_case_destroy(causal);
}

/* Of the last input. */
static void refuse_length(const vdnn_layer_case *one, const char *row, int32_t length)
{
    vdnn_layer *layer = NULL;
    assert_ok(vdnn_layer_case_build(one, VDNN_RULE_LEAN, &layer));
    vdnn_bench *bench = vdnn_bench_create(layer, 42);
    int32_t *lengths = (int32_t *)(void *)bench->x[layer->input_count - 1].data;
    lengths[0] = 7;
    lengths[1] = length;
    assert_status(
        vdnn_bench_run(bench, vdnn_algorithm_find(one->type, row, "cpu"), VDNN_FORWARD, 1, 0xff),
        VDNN_BAD_INPUT);
    assert_message("sample 1 of the batch has the length");
    assert_message("lengths are 0 to 7");
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

TEST(a_length_beyond_the_positions_is_refused_with_its_sample)
{
    static const int32_t wrong[] = {8, -1, INT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refuse_length(&(vdnn_layer_case){"attention", "heads=2", "3x7x12 3x1<20"}, "tiled",
                      wrong[i]);
        refuse_length(&(vdnn_layer_case){"additive_attention", "", "3x2x5 3x7x5 3x7x5 3x1<20"},
                      "native", wrong[i]);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The hash of what a pass writes by that many threads. */
static uint64_t hash_of(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass, int threads)
{
    assert_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
    return vdnn_bench_hash(bench, pass);
}

/* From items of whole heads to blocks of them: which is chosen depends on the threads. */
TEST(no_number_of_threads_changes_a_bit)
{
    static const vdnn_layer_case cases[] = {
        {"attention", "heads=1", "1x300x60"},
        {"attention", "heads=4 kv_heads=2 causal=true", "1x390x128"},
        {"attention", "heads=3", "2x129x27"},
        {"attention", "heads=2", "1x70x32 1x500x32 1x500x32"},
        {"attention", "heads=2", "1x400x60 1x1<401"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_layer *layer = NULL;
        assert_ok(vdnn_layer_case_build(&cases[i], VDNN_RULE_LEAN, &layer));
        vdnn_bench *bench = vdnn_bench_create(layer, 42 + i);
        for (size_t k = 0; k < vdnn_algorithm_count(); k++) {
            const vdnn_algorithm *row = vdnn_algorithm_at(k);
            if (strcmp(row->layer_type, "attention") != 0 || strcmp(row->device, "cpu") != 0)
                continue;
            for (vdnn_pass pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++) {
                const uint64_t alone = hash_of(bench, row, pass, 1);
                for (int threads = 2; threads <= 16; threads += threads < 6 ? 1 : 5)
                    assert_int_equal(hash_of(bench, row, pass, threads), alone);
            }
        }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

static float *floats(const vdnn_bench_buffer *buffer)
{
    return (float *)(void *)buffer->data;
}

/* Scores as far apart as floats are: the largest alone counts, and nothing is infinite. */
TEST(large_scores_do_not_overflow)
{
    vdnn_layer *layer = built("heads=1", "1x200x3");
    vdnn_bench *bench = vdnn_bench_create(layer, 42);
    const vdnn_algorithm *tiled = vdnn_algorithm_find("attention", "tiled", "cpu");
    for (int t = 0; t < 200; t++) {
        float *position = floats(&bench->x[0]) + (ptrdiff_t)3 * t;
        position[0] = t % 2 == 0 ? 1e18F : -1e18F;
        position[1] = (float)t * 1e15F;
    }
    assert_ok(vdnn_bench_run(bench, tiled, VDNN_FORWARD, 1, 0xff));
    for (int t = 0; t < 200; t++)
        assert_true(floats(&bench->y)[t] == floats(&bench->x[0])[3 * (t % 2 == 0 ? 199 : 0) + 2]);
    assert_ok(vdnn_bench_run(bench, tiled, VDNN_BACKWARD_DATA, 1, 0xff));
    for (int i = 0; i < 3 * 200; i++)
        assert_true(isfinite(floats(&bench->dx[0])[i]));
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

/* Of a query that is NaN the output is, and of no other. A NaN in a key reaches the later queries
 * of a causal one, and not the earlier. (In a value it reaches more, as in PyTorch: 0 * NaN.) */
TEST(what_is_no_number_reaches_what_reads_it_and_nothing_else)
{
    enum { LENGTH = 200, AT = 150, FEATURES = 3, QUERY = 0, KEY = 1 };
    vdnn_layer *layer = built("heads=1 causal=true", "1x200x3");
    const vdnn_algorithm *tiled = vdnn_algorithm_find("attention", "tiled", "cpu");
    for (int feature = QUERY; feature <= KEY; feature++) {
        vdnn_bench *bench = vdnn_bench_create(layer, 42);
        floats(&bench->x[0])[FEATURES * AT + feature] = NAN;
        assert_ok(vdnn_bench_run(bench, tiled, VDNN_FORWARD, 1, 0xff));
        for (int t = 0; t < LENGTH; t++)
            assert_int_equal(isnan(floats(&bench->y)[t]), feature == QUERY ? t == AT : t >= AT);
        vdnn_bench_destroy(bench);
    }
    vdnn_layer_case_destroy(layer);
}

/* What a sample has beyond its length may be anything: it reaches nothing, and gets no gradient. */
TEST(what_is_beyond_the_length_reaches_nothing)
{
    enum { POSITIONS = 200, FEATURES = 3, LENGTH = 130 };
    for (size_t k = 0; k < vdnn_algorithm_count(); k++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(k);
        if (strcmp(row->layer_type, "attention") != 0 || strcmp(row->device, "cpu") != 0)
            continue;
        vdnn_layer *layer = built("heads=1", "1x200x3 1x1<201");
        vdnn_bench *bench = vdnn_bench_create(layer, 42);
        *(int32_t *)(void *)bench->x[1].data = LENGTH;
        for (int i = LENGTH * FEATURES; i < POSITIONS * FEATURES; i++)
            floats(&bench->x[0])[i] = NAN;
        assert_ok(vdnn_bench_run(bench, row, VDNN_FORWARD, 2, 0xff));
        for (int t = LENGTH; t < POSITIONS; t++)
            floats(&bench->dy)[t] = NAN;
        for (int t = 0; t < POSITIONS; t++)
            assert_true(t < LENGTH ? isfinite(floats(&bench->y)[t]) : floats(&bench->y)[t] == 0);
        assert_ok(vdnn_bench_run(bench, row, VDNN_BACKWARD_DATA, 2, 0xff));
        for (int i = 0; i < POSITIONS * FEATURES; i++) {
            const float dx = floats(&bench->dx[0])[i];
            assert_true(i < LENGTH * FEATURES ? isfinite(dx) : dx == 0);
        }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}
