/* The operations of no layer type, for every row of their table that runs here. */

#include "layers/registry.h"
#include "layers/stage.h"
#include "tests/support/vdnn_test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VDNN_RULE static
#define VDNN_RULE_PLUS(a, b) ((a) + (b))
#define VDNN_RULE_TIMES(a, b) ((a) * (b))
#define VDNN_RULE_OVER(a, b) ((a) / (b))
#define VDNN_RULE_ROOT(a) sqrtf(a)
#include "layers/update_rules.h"

enum { COUNT = 9001, GUARD = 16 };

static float w[COUNT + GUARD], v[COUNT + GUARD], second[COUNT + GUARD], dw[COUNT + GUARD];

static const vdnn_elementwise *const rows[] = {
#define X(name) &vdnn_##name,
    VDNN_ELEMENTWISE_TABLE(X)
#undef X
};

static void fill(uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    for (int i = 0; i < COUNT + GUARD; i++) {
        w[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 512;
        v[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 512;
        dw[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 512;
        second[i] = (float)vdnn_test_between(&rng, 0, 1000) / 512;
    }
}

/* Of the first `count` elements, by one rule. */
static vdnn_status update_all(vdnn_update_rule rule, double rate, int64_t count, int threads,
                              const vdnn_step_context *context)
{
    const vdnn_update all = {
        .rule = rule, .rate = rate, .w = w, .slots = {v, second}, .dw = dw, .count = count};
    return vdnn_elementwise_find("cpu")->update(&all, 1, threads, context, NULL);
}

static vdnn_status move_average(double rate, int64_t count, int threads)
{
    const vdnn_step_context context = {.settings = {.lr = 1}};
    return update_all(VDNN_UPDATE_AVERAGE, rate, count, threads, &context);
}

TEST(every_row_is_found_by_its_device)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_ptr_equal(vdnn_elementwise_find(rows[i]->device), rows[i]);
    assert_null(vdnn_elementwise_find("abacus"));
}

TEST(sgd_follows_the_rule_of_pytorch)
{
    const vdnn_step_context context = {
        .settings = {.lr = 0.125, .momentum = 0.5, .weight_decay = 0.25}};
    for (int threads = 1; threads <= 3; threads++) {
        fill(5);
        static float w0[COUNT + GUARD], v0[COUNT + GUARD];
        memcpy(w0, w, sizeof w);
        memcpy(v0, v, sizeof v);
        assert_ok(update_all(VDNN_UPDATE_OPTIMIZER, 0, COUNT, threads, &context));
        for (int i = 0; i < COUNT; i++) {
            /* All these factors are powers of two, so that no rounding is in the way. */
            float velocity = 0.5F * v0[i] + (dw[i] + 0.25F * w0[i]);
            assert_true(v[i] == velocity);
            assert_true(w[i] == w0[i] - 0.125F * velocity);
        }
        assert_memory_equal(w + COUNT, w0 + COUNT, GUARD * sizeof *w);
        assert_memory_equal(v + COUNT, v0 + COUNT, GUARD * sizeof *v);
    }
}

TEST(accumulate_adds_element_by_element)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    for (int threads = 1; threads <= 3; threads++) {
        fill(6);
        static float w0[COUNT + GUARD];
        memcpy(w0, w, sizeof w);
        assert_ok(cpu->accumulate(w, dw, VDNN_F32, COUNT, threads, NULL));
        for (int i = 0; i < COUNT; i++)
            assert_true(w[i] == w0[i] + dw[i]);
        assert_memory_equal(w + COUNT, w0 + COUNT, GUARD * sizeof *w);
    }
}

TEST(clear_writes_zeros_and_nothing_else)
{
    static float w0[COUNT + GUARD];
    fill(7);
    memcpy(w0, w, sizeof w);
    assert_ok(vdnn_elementwise_find("cpu")->clear(w + 1, (COUNT - 1) * sizeof *w, 2, NULL));
    for (int i = 1; i < COUNT; i++)
        assert_true(w[i] == 0 && !signbit(w[i]));
    assert_true(w[0] == w0[0]);
    assert_memory_equal(w + COUNT, w0 + COUNT, GUARD * sizeof *w);
}

TEST(average_moves_by_its_rate)
{
    for (int threads = 1; threads <= 3; threads++) {
        fill(8);
        static float w0[COUNT + GUARD];
        memcpy(w0, w, sizeof w);
        assert_ok(move_average(0.25, COUNT, threads));
        for (int i = 0; i < COUNT; i++)
            assert_true(w[i] == 0.75F * w0[i] + 0.25F * dw[i]);
        assert_memory_equal(w + COUNT, w0 + COUNT, GUARD * sizeof *w);
    }
}

TEST(average_by_0_keeps_and_by_1_replaces)
{
    static float w0[COUNT + GUARD];
    fill(9);
    memcpy(w0, w, sizeof w);
    assert_ok(move_average(0, COUNT, 2));
    assert_memory_equal(w, w0, sizeof w);
    assert_ok(move_average(1, COUNT, 2));
    for (int i = 0; i < COUNT; i++)
        assert_true(w[i] == dw[i]);
}

static const int64_t part_counts[] = {0, 1, 4095, 0, 4096, 3, 800, 0};
enum { PARTS = sizeof part_counts / sizeof *part_counts };

/* Around the ends of blocks, under either rule, one behind the other. */
static void lay_parts(vdnn_update parts[PARTS])
{
    int64_t first = 0;
    fill(11);
    for (int i = 0; i < PARTS; first += part_counts[i++])
        parts[i] = (vdnn_update){.rule = i % 2 ? VDNN_UPDATE_AVERAGE : VDNN_UPDATE_OPTIMIZER,
                                 .rate = 0.1,
                                 .w = w + first,
                                 .slots = {v + first, second + first},
                                 .dw = dw + first,
                                 .count = part_counts[i]};
}

static void compare_together(vdnn_optimizer_id optimizer)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    const vdnn_step_context context = {
        .optimizer = optimizer, .settings = vdnn_optimizer_presets(vdnn_optimizer_at(optimizer))};
    static float w1[COUNT + GUARD], v1[COUNT + GUARD], second1[COUNT + GUARD];
    vdnn_update parts[PARTS];
    lay_parts(parts);
    for (int i = 0; i < PARTS; i++)
        assert_ok(cpu->update(&parts[i], 1, 1, &context, NULL));
    memcpy(w1, w, sizeof w);
    memcpy(v1, v, sizeof v);
    memcpy(second1, second, sizeof second);
    for (int threads = 1; threads <= 3; threads++) {
        lay_parts(parts);
        assert_ok(cpu->update(parts, PARTS, threads, &context, NULL));
        assert_memory_equal(w, w1, sizeof w);
        assert_memory_equal(v, v1, sizeof v);
        assert_memory_equal(second, second1, sizeof second);
    }
}

TEST(updates_that_are_due_together_are_done_as_one_by_one)
{
    for (int i = 0; i < VDNN_OPTIMIZER_COUNT; i++)
        compare_together((vdnn_optimizer_id)i);
}

/* Sums of squares are not negative. */
static void fill_slots(void)
{
    fill(13);
    for (int i = 0; i < COUNT; i++) {
        v[i] = fabsf(v[i]);
        second[i] = fabsf(second[i]);
    }
}

/* One gradient of many, or a weight that overflows: the element stays, all others are updated as
 * without it, and what was found is told apart. */
static void compare_nonfinite(vdnn_optimizer_id optimizer, float gradient, bool admits)
{
    static float w1[COUNT + GUARD], v1[COUNT + GUARD], second1[COUNT + GUARD];
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    vdnn_step_context context = {.optimizer = optimizer,
                                 .settings = vdnn_optimizer_presets(vdnn_optimizer_at(optimizer))};
    vdnn_nonfinite found = {0, 0};
    vdnn_update own = {.w = w, .slots = {v, second}, .dw = dw, .count = COUNT};
    fill_slots();
    assert_ok(cpu->update(&own, 1, 2, &context, NULL));
    memcpy(w1, w, sizeof w);
    memcpy(v1, v, sizeof v);
    memcpy(second1, second, sizeof second);
    fill_slots();
    const float before[] = {w[5], v[5], second[5]};
    dw[5] = gradient;
    own.found = &found;
    context.admits_nonfinite = admits;
    assert_ok(cpu->update(&own, 1, 2, &context, NULL));
    assert_true(found.gradient == !isfinite(gradient) && found.weight == isfinite(gradient));
    assert_true(admits || (w[5] == before[0] && v[5] == before[1] && second[5] == before[2]));
    assert_true(!admits || !isfinite(w[5]) || !isfinite(v[5]) || !isfinite(second[5]));
    w[5] = w1[5], v[5] = v1[5], second[5] = second1[5];
    assert_memory_equal(w, w1, sizeof w);
    assert_memory_equal(v, v1, sizeof v);
    assert_memory_equal(second, second1, sizeof second);
}

TEST(what_is_not_finite_stays_out_of_the_weights)
{
    for (int i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        compare_nonfinite((vdnn_optimizer_id)i, NAN, false);
        compare_nonfinite((vdnn_optimizer_id)i, -INFINITY, false);
        compare_nonfinite((vdnn_optimizer_id)i, NAN, true);
    }
    compare_nonfinite(VDNN_OPTIMIZER_ADAM, 1e30F, false); /* its square overflows */
    compare_nonfinite(VDNN_OPTIMIZER_ADAGRAD, -1e30F, false);
}

typedef void rule_of_element(const vdnn_update_factors *f, float dw, float *w, float *slots);

static rule_of_element *const rules[] = {
#define X(id, name, ...) vdnn_rule_##name,
    VDNN_OPTIMIZER_TABLE(X)
#undef X
};

/* Most are of a usual size; some are at the limits of what can be, or beyond. */
static float draw_extreme(vdnn_test_rng *rng, int64_t one_in)
{
    static const float extremes[] = {0,       -0.0F,   1e-44F,         FLT_MIN,  0x1p-64F,
                                     0x1p23F, 0x1p24F, 0x1.000002p24F, 0x1p40F,  0x1p63F,
                                     0x1p64F, 1e30F,   FLT_MAX,        INFINITY, NAN};
    enum { EXTREMES = sizeof extremes / sizeof *extremes };
    const float sign = vdnn_test_between(rng, 0, 1) ? 1 : -1;
    if (vdnn_test_between(rng, 1, one_in) > 1)
        return (float)vdnn_test_between(rng, -1000, 1000) / 512;
    return sign * extremes[vdnn_test_between(rng, 0, EXTREMES - 1)];
}

static vdnn_settings draw_settings(vdnn_test_rng *rng, vdnn_optimizer_id optimizer)
{
    static const double rates[] = {0, 1e-30, 0.1, 255, 257, 1e10, 1e30},
                        betas[] = {0, 0.5, 0.999, 0.9999999}, least[] = {0, 1e-40, 1e-13, 1e-8, 1};
    vdnn_settings settings = vdnn_optimizer_presets(vdnn_optimizer_at(optimizer));
    if (vdnn_test_between(rng, 0, 1)) {
        settings.lr = rates[vdnn_test_between(rng, 0, 6)];
        settings.weight_decay = rates[vdnn_test_between(rng, 0, 6)];
        settings.betas[0] = betas[vdnn_test_between(rng, 0, 3)];
        settings.betas[1] = betas[vdnn_test_between(rng, 0, 3)];
        settings.eps = least[vdnn_test_between(rng, 0, 4)];
        settings.accumulator = rates[vdnn_test_between(rng, 0, 6)];
    }
    return settings;
}

/* What the update of an element has to be: its rule, or nothing if that is not finite. */
static void update_alone(const vdnn_step_context *context, float scale, int64_t i, bool *is_bad)
{
    vdnn_update_factors factors = vdnn_optimizer_factors(&context->settings, context->step);
    const int32_t slot_count = vdnn_optimizer_at(context->optimizer)->slot_count;
    float weight = w[i], slots[VDNN_MAX_SLOTS] = {v[i], second[i]};
    factors.scale = scale;
    rules[context->optimizer](&factors, dw[i] * scale, &weight, slots);
    if (!isfinite(weight) || !isfinite(slots[0]) || (slot_count > 1 && !isfinite(slots[1]))) {
        *is_bad = true;
        return;
    }
    w[i] = weight;
    v[i] = slots[0];
    if (slot_count > 1)
        second[i] = slots[1];
}

/* With all numbers and settings that there can be, those of one element in each of many runs. */
TEST(numbers_of_every_size_are_updated_one_by_one)
{
    static float start_w[COUNT], start_v[COUNT], start_second[COUNT], w1[COUNT], v1[COUNT],
        second1[COUNT];
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        vdnn_test_rng rng = {vdnn_test_seed() + (uint64_t)n};
        vdnn_step_context context = {
            .optimizer = (vdnn_optimizer_id)vdnn_test_between(&rng, 0, VDNN_OPTIMIZER_COUNT - 1),
            .step = (uint64_t)vdnn_test_between(&rng, 0, 3)};
        const int64_t one_in = vdnn_test_between(&rng, 0, 1) ? 4 : 4000;
        vdnn_norm norm = {.scale = vdnn_test_between(&rng, 0, 3) ? 1 : draw_extreme(&rng, 2)};
        vdnn_nonfinite found = {0, 0};
        vdnn_update own = {.w = w, .slots = {v, second}, .dw = dw, .count = COUNT};
        bool is_bad = false;
        context.settings = draw_settings(&rng, context.optimizer);
        own.norm = &norm;
        own.found = &found;
        for (int i = 0; i < COUNT; i++) {
            start_w[i] = w[i] = draw_extreme(&rng, one_in);
            start_v[i] = v[i] = fabsf(draw_extreme(&rng, one_in));
            start_second[i] = second[i] = fabsf(draw_extreme(&rng, one_in));
            dw[i] = draw_extreme(&rng, one_in);
        }
        if (vdnn_test_between(&rng, 0, 3) == 0)
            start_v[7] = v[7] = start_second[7] = second[7] = -0.25F;
        for (int i = 0; i < COUNT; i++)
            update_alone(&context, norm.scale, i, &is_bad);
        memcpy(w1, w, sizeof w1);
        memcpy(v1, v, sizeof v1);
        memcpy(second1, second, sizeof second1);
        memcpy(w, start_w, sizeof start_w);
        memcpy(v, start_v, sizeof start_v);
        memcpy(second, start_second, sizeof start_second);
        assert_ok(cpu->update(&own, 1, 2, &context, NULL));
        assert_int_equal(found.gradient || found.weight, is_bad);
        assert_memory_equal(w, w1, sizeof w1);
        assert_memory_equal(v, v1, sizeof v1);
        assert_memory_equal(second, second1, sizeof second1);
    }
}

TEST(a_norm_is_of_all_gradients_on_any_number_of_threads)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    const vdnn_step_context context = {.clip_norm = 2};
    vdnn_update parts[PARTS];
    double wanted = 0;
    lay_parts(parts);
    for (int i = 0; i < PARTS; i++)
        for (int64_t k = 0; k < parts[i].count && parts[i].rule == VDNN_UPDATE_OPTIMIZER; k++)
            wanted += (double)parts[i].dw[k] * (double)parts[i].dw[k];
    static vdnn_norm norm, first;
    for (int threads = 1; threads <= 3; threads++) {
        memset(&norm, 0xff, sizeof norm);
        assert_ok(cpu->norm(parts, PARTS, true, threads, &context, &norm, NULL));
        assert_true(fabs(norm.squares - wanted) <= 1e-12 * wanted);
        assert_true(norm.scale == (float)(2 / (sqrt(norm.squares) + 1e-6)));
        if (threads == 1)
            first = norm;
        assert_memory_equal(&norm, &first, sizeof norm);
    }
    assert_ok(cpu->norm(parts, PARTS, false, 2, &context, &norm, NULL));
    assert_true(fabs(norm.squares - 2 * wanted) <= 1e-12 * wanted);
}

TEST(a_scale_is_that_of_pytorch)
{
    assert_true(vdnn_optimizer_scale(4, 1) == (float)(1 / 2.000001));
    assert_true(vdnn_optimizer_scale(0.25, 1) == 1 && vdnn_optimizer_scale(0, 1e-3) == 1);
    assert_true(vdnn_optimizer_scale(HUGE_VAL, 1) == 0);
    assert_true(isnan(vdnn_optimizer_scale((double)NAN, 1)));
}

TEST(an_update_scales_gradients_and_not_statistics)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    const vdnn_step_context context = {.settings = {.lr = 0.5}};
    const vdnn_norm norm = {.scale = 0.25F};
    static float w0[COUNT + GUARD];
    vdnn_update parts[PARTS];
    lay_parts(parts);
    memcpy(w0, w, sizeof w);
    for (int i = 0; i < PARTS; i++)
        parts[i].norm = &norm;
    assert_ok(cpu->update(parts, PARTS, 2, &context, NULL));
    for (int i = 0; i < PARTS; i++)
        for (int64_t k = 0; k < parts[i].count; k++) {
            const float before = w0[parts[i].w - w + k], gradient = parts[i].dw[k];
            const float wanted = parts[i].rule == VDNN_UPDATE_OPTIMIZER
                                     ? before - 0.5F * (0.25F * gradient)
                                     : (1 - 0.1F) * before + 0.1F * gradient;
            assert_true(parts[i].w[k] == wanted);
        }
}

/* Blocked parameters have some, which no file holds. */
TEST(padding_stays_zero_by_every_optimizer)
{
    static const float zeros[COUNT + GUARD];
    for (int i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        const vdnn_optimizer *optimizer = vdnn_optimizer_at((vdnn_optimizer_id)i);
        vdnn_step_context context = {.optimizer = optimizer->id,
                                     .settings = vdnn_optimizer_presets(optimizer)};
        context.settings.weight_decay = 0.1;
        memset(w, 0, sizeof w);
        memset(v, 0, sizeof v);
        memset(second, 0, sizeof second);
        memset(dw, 0, sizeof dw);
        for (context.step = 0; context.step < 3; context.step++)
            assert_ok(update_all(VDNN_UPDATE_OPTIMIZER, 0, COUNT, 1, &context));
        assert_memory_equal(w, zeros, sizeof w);
        assert_memory_equal(v, zeros, sizeof v);
        assert_memory_equal(second, zeros, sizeof second);
    }
}

/* The numbers of `fill` have up to 10 bits, a bf16 has 8: what goes in is rounded, so that the sum
 * is rounded too. */
TEST(accumulate_in_bf16_rounds_each_sum_once)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    static uint16_t sum[COUNT + GUARD], part[COUNT + GUARD], sum0[COUNT + GUARD];
    int rounded = 0;
    for (int threads = 1; threads <= 3; threads++) {
        fill(10);
        vdnn_stage_narrow(VDNN_BF16, w, sum, COUNT + GUARD);
        vdnn_stage_narrow(VDNN_BF16, dw, part, COUNT + GUARD);
        memcpy(sum0, sum, sizeof sum);
        assert_ok(cpu->accumulate(sum, part, VDNN_BF16, COUNT, threads, NULL));
        for (int i = 0; i < COUNT; i++) {
            float a, b;
            uint16_t wanted;
            vdnn_stage_widen(VDNN_BF16, &sum0[i], &a, 1);
            vdnn_stage_widen(VDNN_BF16, &part[i], &b, 1);
            float exact = a + b, kept;
            vdnn_stage_narrow(VDNN_BF16, &exact, &wanted, 1);
            vdnn_stage_widen(VDNN_BF16, &wanted, &kept, 1);
            rounded += kept != exact;
            assert_int_equal(sum[i], wanted);
        }
        assert_memory_equal(sum + COUNT, sum0 + COUNT, GUARD * sizeof *sum);
    }
    assert_true(rounded > 0);
}

TEST(nothing_is_done_for_no_elements)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    const vdnn_step_context context = {.settings = {.lr = 1}};
    fill(7);
    float first = w[0];
    assert_ok(update_all(VDNN_UPDATE_OPTIMIZER, 0, 0, 2, &context));
    assert_ok(cpu->accumulate(w, dw, VDNN_F32, 0, 2, NULL));
    assert_ok(cpu->accumulate(w, dw, VDNN_BF16, 0, 2, NULL));
    assert_ok(move_average(1, 0, 2));
    assert_true(w[0] == first);
}

TEST(a_move_copies_pieces_and_nothing_else)
{
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    enum { BYTES = 12, PIECES = 50 };
    const vdnn_stripes from = {8, BYTES, 20, PIECES}, to = {4, BYTES, BYTES + 4, PIECES};
    for (int threads = 1; threads <= 3; threads++) {
        static float w0[COUNT + GUARD];
        fill(8);
        memcpy(w0, w, sizeof w);
        for (size_t i = 0; i < PIECES; i++)
            memcpy((char *)w0 + to.offset + i * to.stride,
                   (const char *)dw + from.offset + i * from.stride, BYTES);
        assert_ok(cpu->move(&from, dw, &to, w, threads, NULL));
        assert_memory_equal(w, w0, sizeof w);
    }
}
