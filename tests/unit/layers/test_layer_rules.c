/* The rules that layers keep on values that a random draw does not meet: ties, NaN, probabilities
 * at their ends, extreme logits, wrong labels. */

#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A layer with its bench, run by its native row with two threads. */
typedef struct rig {
    vdnn_layer *layer;
    vdnn_bench *bench;
    const vdnn_algorithm *row;
} rig;

static rig rig_of(const char *type, const char *keys, const char *inputs, vdnn_rule rule)
{
    rig made = {.row = vdnn_algorithm_find(type, "native", "cpu")};
    assert_ok(vdnn_layer_case_build(&(vdnn_layer_case){type, keys, inputs}, rule, &made.layer));
    made.bench = vdnn_bench_create(made.layer, 1);
    return made;
}

static void rig_end(rig r)
{
    vdnn_bench_destroy(r.bench);
    vdnn_layer_case_destroy(r.layer);
}

static vdnn_status rig_run(rig r, vdnn_pass pass)
{
    return vdnn_bench_run(r.bench, r.row, pass, 2, 0xff);
}

static float *floats(const vdnn_bench_buffer *buffer)
{
    return (float *)(void *)buffer->data;
}

static int32_t *labels_of(rig r)
{
    return (int32_t *)(void *)r.bench->labels.data;
}

/* ---- max pooling ----------------------------------------------------------------------------- */

/* Pools one window of 2x3 cells; its gradient must go to `winner` alone. */
static void assert_winner(const float cells[6], int winner)
{
    for (vdnn_rule rule = VDNN_RULE_PAPER; rule < VDNN_RULE_COUNT; rule++) {
        rig r = rig_of("maxpool", "kernel=2x3", "1x1x2x3", rule);
        memcpy(r.bench->x[0].data, cells, 6 * sizeof *cells);
        floats(&r.bench->dy)[0] = 5;
        assert_ok(rig_run(r, VDNN_FORWARD));
        assert_memory_equal(r.bench->y.data, &cells[winner], sizeof *cells);
        if (r.layer->aux_bytes > 0)
            assert_int_equal(r.bench->aux.data[0], winner);
        assert_ok(rig_run(r, VDNN_BACKWARD_DATA));
        for (int i = 0; i < 6; i++)
            assert_true(floats(&r.bench->dx[0])[i] == (i == winner ? 5.0F : 0.0F));
        rig_end(r);
    }
}

TEST(ties_of_a_max_pool_go_to_the_first_cell)
{
    assert_winner((const float[]){1, 1, 1, 1, 1, 1}, 0);
    assert_winner((const float[]){0, 2, 1, 2, 2, 0}, 1);
    assert_winner((const float[]){-1, -0.0F, 0.0F, -1, 0.0F, -1}, 1);
    assert_winner((const float[]){-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
                  0);
}

TEST(nan_wins_a_max_pool_and_the_last_nan_among_several)
{
    assert_winner((const float[]){9, 1, NAN, INFINITY, 1, 1}, 2);
    assert_winner((const float[]){NAN, 1, NAN, 1, 1, 9}, 2);
    assert_winner((const float[]){NAN, 1, 1, 1, 1, 9}, 0);
}

TEST(padding_never_wins_a_max_pool)
{
    rig r = rig_of("maxpool", "kernel=3 stride=2 pad=1", "1x1x4x4", VDNN_RULE_LEAN);
    for (int i = 0; i < 16; i++)
        floats(&r.bench->x[0])[i] = -100;
    assert_ok(rig_run(r, VDNN_FORWARD));
    const uint8_t first_inside[4] = {4, 3, 1, 0};
    for (int i = 0; i < 4; i++)
        assert_true(floats(&r.bench->y)[i] == -100.0F);
    assert_memory_equal(r.bench->aux.data, first_inside, 4);
    rig_end(r);
}

/* ---- relu ------------------------------------------------------------------------------------ */

TEST(relu_cuts_at_zero_and_passes_nan_on)
{
    static const float x[] = {-1, -0.0F, 0, 2, NAN, -INFINITY, INFINITY, 1e-45F, -1e-45F};
    static const bool passes[] = {false, false, false, true, true, false, true, true, false};
    for (vdnn_rule rule = VDNN_RULE_PAPER; rule < VDNN_RULE_COUNT; rule++) {
        rig r = rig_of("relu", "", "1x9x1x1", rule);
        memcpy(r.bench->x[0].data, x, sizeof x);
        assert_ok(rig_run(r, VDNN_FORWARD));
        assert_ok(rig_run(r, VDNN_BACKWARD_DATA));
        const float zero = 0;
        for (int i = 0; i < 9; i++) {
            assert_memory_equal(&floats(&r.bench->y)[i], passes[i] ? &x[i] : &zero, sizeof zero);
            assert_memory_equal(&floats(&r.bench->dx[0])[i],
                                passes[i] ? &floats(&r.bench->dy)[i] : &zero, sizeof zero);
        }
        rig_end(r);
    }
}

/* ---- dropout --------------------------------------------------------------------------------- */

static bool kept(rig r, int64_t i)
{
    return r.bench->aux.data[i / 8] >> (i % 8) & 1;
}

TEST(dropout_keeps_its_share_and_scales_it)
{
    rig r = rig_of("dropout", "p=0.2", "16x5x31x37", VDNN_RULE_LEAN);
    int64_t count = vdnn_desc_count(&r.layer->y), kept_count = 0;
    assert_ok(rig_run(r, VDNN_FORWARD));
    for (int64_t i = 0; i < count; i++) {
        float wanted = kept(r, i) ? floats(&r.bench->x[0])[i] * 1.25F : 0.0F;
        assert_true(floats(&r.bench->y)[i] == wanted);
        kept_count += kept(r, i);
    }
    /* Six standard deviations of a binomial count. */
    double deviation = sqrt((double)count * 0.2 * 0.8);
    assert_true(fabs((double)kept_count - 0.8 * (double)count) < 6 * deviation);
    rig_end(r);
}

TEST(dropout_is_the_identity_where_the_network_is_evaluated)
{
    rig r = rig_of("dropout", "p=0.5", "2x3x5x7", VDNN_RULE_LEAN);
    r.bench->context.evaluate = true;
    for (int in_place = 0; in_place < 2; in_place++) {
        r.bench->in_place = r.layer->in_place = in_place;
        assert_ok(rig_run(r, VDNN_FORWARD));
        assert_memory_equal(r.bench->y.data, r.bench->x[0].data, r.bench->y.bytes);
    }
    rig_end(r);
}

TEST(dropout_of_nothing_keeps_all_and_of_all_keeps_nothing)
{
    rig none = rig_of("dropout", "p=0", "2x3x5x7", VDNN_RULE_LEAN);
    rig all = rig_of("dropout", "p=1", "2x3x5x7", VDNN_RULE_LEAN);
    assert_ok(rig_run(none, VDNN_FORWARD));
    assert_ok(rig_run(all, VDNN_FORWARD));
    assert_memory_equal(none.bench->y.data, none.bench->x[0].data, none.bench->y.bytes);
    for (int64_t i = 0; i < vdnn_desc_count(&all.layer->y); i++)
        assert_true(floats(&all.bench->y)[i] == 0.0F);
    rig_end(none);
    rig_end(all);
}

/* Runs dropout with something of its context changed and compares with the mask before. */
static bool changes_mask(rig r, void (*change)(rig r))
{
    uint8_t before[64];
    assert_true(r.layer->aux_bytes <= sizeof before);
    assert_ok(rig_run(r, VDNN_FORWARD));
    memcpy(before, r.bench->aux.data, r.layer->aux_bytes);
    change(r);
    assert_ok(rig_run(r, VDNN_FORWARD));
    return memcmp(before, r.bench->aux.data, r.layer->aux_bytes) != 0;
}

static void change_nothing(rig r)
{
    (void)r;
}

static void change_seed(rig r)
{
    r.bench->context.seed++;
}

static void change_step(rig r)
{
    r.bench->context.step++;
}

static void change_sample(rig r)
{
    r.bench->context.first_sample++;
}

static void change_part(rig r)
{
    r.bench->first_sample++;
}

static void change_layer(rig r)
{
    r.layer->number++;
}

TEST(a_mask_depends_on_seed_step_sample_and_layer)
{
    rig r = rig_of("dropout", "p=0.5", "2x3x5x7", VDNN_RULE_LEAN);
    assert_false(changes_mask(r, change_nothing));
    assert_true(changes_mask(r, change_seed));
    assert_true(changes_mask(r, change_step));
    assert_true(changes_mask(r, change_sample));
    assert_true(changes_mask(r, change_part));
    assert_true(changes_mask(r, change_layer));
    rig_end(r);
}

TEST(a_mask_does_not_depend_on_how_the_batch_is_split)
{
    rig whole = rig_of("dropout", "p=0.5", "5x3x5x7", VDNN_RULE_LEAN);
    assert_ok(rig_run(whole, VDNN_FORWARD));
    int64_t per_sample = vdnn_desc_per_sample(&whole.layer->y);
    for (int64_t sample = 0; sample < 5; sample++) {
        rig part = rig_of("dropout", "p=0.5", "1x3x5x7", VDNN_RULE_LEAN);
        part.bench->first_sample = sample;
        assert_ok(rig_run(part, VDNN_FORWARD));
        for (int64_t i = 0; i < per_sample; i++)
            assert_int_equal(kept(part, i), kept(whole, sample * per_sample + i));
        rig_end(part);
    }
    rig_end(whole);
}

/* ---- softmax_loss ---------------------------------------------------------------------------- */

TEST(equal_scores_lose_the_logarithm_of_the_classes)
{
    rig r = rig_of("softmax_loss", "", "4x10x1x1", VDNN_RULE_LEAN);
    memset(r.bench->x[0].data, 0, r.bench->x[0].bytes);
    for (int i = 0; i < 4; i++)
        labels_of(r)[i] = i;
    assert_ok(rig_run(r, VDNN_FORWARD));
    assert_true(floats(&r.bench->y)[0] == (float)log(10));
    assert_true(floats(&r.bench->y)[1] == 1.0F);
    assert_ok(rig_run(r, VDNN_BACKWARD_DATA));
    assert_true(fabsf(floats(&r.bench->dx[0])[0] - (0.1F - 1) / 4) < 1e-7F);
    assert_true(fabsf(floats(&r.bench->dx[0])[1] - 0.1F / 4) < 1e-7F);
    rig_end(r);
}

TEST(extreme_scores_give_finite_losses)
{
    rig r = rig_of("softmax_loss", "", "2x3x1x1", VDNN_RULE_LEAN);
    static const float x[] = {1e4F, -1e4F, 0, 3e38F, 3e38F, -3e38F};
    memcpy(r.bench->x[0].data, x, sizeof x);
    labels_of(r)[0] = 1;
    labels_of(r)[1] = 0;
    assert_ok(rig_run(r, VDNN_FORWARD));
    assert_true(floats(&r.bench->y)[0] == (float)((2e4 + log(2)) / 2));
    assert_true(floats(&r.bench->y)[1] == 1.0F);
    assert_ok(rig_run(r, VDNN_BACKWARD_DATA));
    static const float wanted[] = {0.5F, -0.5F, 0, -0.25F, 0.25F, 0};
    assert_memory_equal(r.bench->dx[0].data, wanted, sizeof wanted);
    rig_end(r);
}

/* Of every number of samples, also where its share is no power of two. */
TEST(parts_of_a_loss_have_the_gradient_of_the_whole)
{
    enum { SAMPLES = 41, CLASSES = 7 };
    rig whole = rig_of("softmax_loss", "", "41x7x1x1", VDNN_RULE_LEAN);
    assert_ok(rig_run(whole, VDNN_FORWARD));
    assert_ok(rig_run(whole, VDNN_BACKWARD_DATA));
    for (int samples = 1; samples <= SAMPLES; samples++) {
        char inputs[32];
        (void)snprintf(inputs, sizeof inputs, "%dx%dx1x1", samples, CLASSES);
        rig part = rig_of("softmax_loss", "", inputs, VDNN_RULE_LEAN);
        part.bench->weight = (double)samples / SAMPLES;
        memcpy(part.bench->x[0].data, whole.bench->x[0].data, part.bench->x[0].bytes);
        memcpy(part.bench->labels.data, whole.bench->labels.data, part.bench->labels.bytes);
        assert_ok(rig_run(part, VDNN_FORWARD));
        assert_ok(rig_run(part, VDNN_BACKWARD_DATA));
        assert_memory_equal(part.bench->dx[0].data, whole.bench->dx[0].data,
                            part.bench->dx[0].bytes);
        rig_end(part);
    }
    rig_end(whole);
}

TEST(a_label_out_of_range_is_refused_with_its_sample)
{
    static const int32_t wrong[] = {10, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r = rig_of("softmax_loss", "", "4x10x1x1", VDNN_RULE_LEAN);
        labels_of(r)[2] = wrong[i];
        assert_status(rig_run(r, VDNN_FORWARD), VDNN_BAD_INPUT);
        assert_message("sample 2 of the batch has label");
        assert_message("0 to 9");
        rig_end(r);
    }
}

/* As in PyTorch, there is no mean of nothing; but nothing learns from it. */
TEST(a_batch_of_ignored_labels_has_no_loss_and_no_gradient)
{
    rig r = rig_of("softmax_loss", "ignore=-100", "2x3x4", VDNN_RULE_LEAN);
    for (int i = 0; i < 2 * 3; i++)
        labels_of(r)[i] = -100;
    assert_ok(rig_run(r, VDNN_FORWARD));
    assert_true(isnan(floats(&r.bench->y)[0]));
    assert_true(floats(&r.bench->y)[1] == 0);
    assert_ok(rig_run(r, VDNN_BACKWARD_DATA));
    for (int i = 0; i < 2 * 3 * 4; i++)
        assert_true(floats(&r.bench->dx[0])[i] == 0);
    labels_of(r)[4] = -1;
    assert_status(rig_run(r, VDNN_FORWARD), VDNN_BAD_INPUT);
    assert_message("position 1 of sample 1 of the batch has label -1");
    rig_end(r);
}

/* y, dx and dw. */
static void hash_memory(const char *keys, const char *inputs, vdnn_dtype dtype, uint64_t hashes[2])
{
    const vdnn_layer_case one = {"lstm", keys, inputs};
    const vdnn_layer_form form = {.dtype = dtype};
    rig r = {.row = vdnn_algorithm_find("lstm", "gemm", "cpu")};
    assert_ok(vdnn_layer_case_build_as(&one, VDNN_RULE_LEAN, form, &r.layer));
    r.bench = vdnn_bench_create(r.layer, 1);
    for (int i = 0; i < 2; i++) {
        vdnn_pass pass = i == 0 ? VDNN_FORWARD : VDNN_BACKWARD_DATA;
        assert_ok(rig_run(r, pass));
        hashes[i] = vdnn_bench_hash(r.bench, pass);
    }
    rig_end(r);
}

TEST(a_memory_in_chunks_has_the_bits_of_one_without)
{
    static const char *const cases[][2] = {
        {"out=5", "3x7x4"},
        {"out=50 reverse=true biases=1", "19x7x33"},
        {"out=9 biases=0", "9x7x3 9x1<8"},
        {"out=100 projection=49", "10x7x20"},
        {"out=5 projection=9 reverse=true", "9x7x4 9x1<8"},
        {"out=600", "70x7x8"}, /* several blocks */
        {"out=3 reverse=true", "2x1x2"},
    };
    static const int chunks[] = {1, 3, 7, 12};
    static const vdnn_dtype dtypes[] = {VDNN_F32, VDNN_BF16};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        uint64_t wanted[2], hashes[2];
        hash_memory(cases[i / 2][0], cases[i / 2][1], dtypes[i % 2], wanted);
        for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
            char keys[100];
            (void)snprintf(keys, sizeof keys, "%s chunk=%d", cases[i / 2][0], chunks[k]);
            hash_memory(keys, cases[i / 2][1], dtypes[i % 2], hashes);
            assert_memory_equal(hashes, wanted, sizeof wanted);
        }
    }
}

TEST(more_valid_positions_than_there_are_is_refused_with_the_sample)
{
    static const int32_t wrong[] = {8, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r = rig_of("lstm", "out=3", "4x7x2 4x1<8", VDNN_RULE_LEAN);
        r.row = vdnn_algorithm_find("lstm", "gemm", "cpu");
        ((int32_t *)(void *)r.bench->x[1].data)[2] = wrong[i];
        assert_status(rig_run(r, VDNN_FORWARD), VDNN_BAD_INPUT);
        assert_message("sample 2 of the batch has");
        assert_message("0 to 7");
        rig_end(r);
    }
}

TEST(a_token_beyond_the_vocabulary_is_refused_with_its_place)
{
    static const int32_t wrong[] = {50, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r = rig_of("embedding", "out=3", "2x7<50", VDNN_RULE_LEAN);
        ((int32_t *)(void *)r.bench->x[0].data)[7 + 4] = wrong[i];
        assert_status(rig_run(r, VDNN_FORWARD), VDNN_BAD_INPUT);
        assert_message("position 4 of sample 1 of the batch has token");
        assert_message("0 to 49");
        rig_end(r);
    }
}
