/* Which of several algorithms is the fastest, and its time, by a clock that is noisy. */

#include "runtime/measure/settle.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>

enum { MOST_RIVALS = 8, TRIALS = 4000 };

/* ---- a clock --------------------------------------------------------------------------------- */

typedef struct noisy_clock {
    vdnn_test_rng rng;
    double deviation;          /* of the logarithm of a time */
    double truth[MOST_RIVALS]; /* seconds */
    double optimism;           /* a first measurement tells this share of the time */
    int calls[MOST_RIVALS];    /* of again */
    int32_t failing;           /* fails when it is measured again; -1: none */
} noisy_clock;

static double uniform(vdnn_test_rng *rng)
{
    return ((double)(vdnn_test_random(rng) >> 11) + 0.5) * 0x1p-53;
}

/* As often above the truth as below, and of that mean. */
static double read_clock(noisy_clock *own, int32_t i)
{
    double radius = sqrt(-2 * log(uniform(&own->rng)));
    double normal = radius * cos(2 * 3.14159265358979 * uniform(&own->rng));
    return own->truth[i] * exp(own->deviation * normal - own->deviation * own->deviation / 2);
}

static vdnn_status read_again(void *argument, int32_t i, double *seconds)
{
    noisy_clock *own = argument;
    own->calls[i]++;
    *seconds = i == own->failing ? HUGE_VAL : read_clock(own, i);
    return VDNN_OK;
}

static vdnn_status fail_again(void *argument, int32_t i, double *seconds)
{
    (void)argument;
    (void)i;
    (void)seconds;
    return vdnn_status_fail(VDNN_DEVICE, "the card is gone");
}

static void read_first(noisy_clock *own, vdnn_rival *rivals, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        own->calls[i] = 0;
        rivals[i] = (vdnn_rival){.seconds = own->optimism * read_clock(own, i)};
    }
}

static int32_t fastest_of(const vdnn_rival *rivals, int32_t count)
{
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++)
        best = rivals[i].seconds < rivals[best].seconds ? i : best;
    return best;
}

/* ---- without noise --------------------------------------------------------------------------- */

TEST(an_exact_clock_gives_the_fastest_and_leaves_every_time)
{
    noisy_clock own = {.truth = {3, 1.5, 1, 2}, .optimism = 1, .failing = -1};
    vdnn_rival rivals[4];
    read_first(&own, rivals, 4);
    static const vdnn_settle_stage stages[] = {VDNN_SETTLE_CHOICE, VDNN_SETTLE_TIME};
    for (int stage = 0; stage < 2; stage++) {
        assert_ok(vdnn_settle(rivals, 4, stages[stage], read_again, &own));
        for (int i = 0; i < 4; i++) {
            assert_true(rivals[i].seconds == own.truth[i]);
            assert_int_equal(own.calls[i], i == 2 ? 1 + stage : 0);
        }
    }
}

TEST(where_no_other_is_close_the_fastest_is_measured_again_once)
{
    noisy_clock own = {.truth = {3, 2.1, 1}, .optimism = 1, .failing = -1};
    vdnn_rival rivals[3];
    read_first(&own, rivals, 3);
    assert_ok(vdnn_settle(rivals, 3, VDNN_SETTLE_CHOICE, read_again, &own));
    assert_int_equal(own.calls[0] + own.calls[1] + own.calls[2], 0);
    assert_ok(vdnn_settle(rivals, 3, VDNN_SETTLE_TIME, read_again, &own));
    assert_int_equal(own.calls[0] + own.calls[1], 0);
    assert_int_equal(own.calls[2], 1);
}

TEST(what_is_settled_or_alone_is_not_measured_again)
{
    noisy_clock own = {.truth = {1, 2, 3}, .optimism = 1, .failing = -1};
    vdnn_rival rivals[3];
    read_first(&own, rivals, 3);
    rivals[0].is_settled = true;
    assert_ok(vdnn_settle(rivals, 3, VDNN_SETTLE_TIME, read_again, &own));
    assert_int_equal(own.calls[0] + own.calls[1] + own.calls[2], 0);
    rivals[0].is_settled = false;
    assert_ok(vdnn_settle(rivals, 1, VDNN_SETTLE_TIME, read_again, &own));
    assert_int_equal(own.calls[0], 0);
    assert_ok(vdnn_settle(rivals, 0, VDNN_SETTLE_TIME, read_again, &own));
}

/* Of few samples, which a cache holds. */
TEST(what_seems_fast_is_not_taken_where_it_is_slow_when_measured_again)
{
    noisy_clock own = {.truth = {8, 14, 9}, .optimism = 1, .failing = -1};
    vdnn_rival rivals[] = {{.seconds = 8.1}, {.seconds = 3.9}, {.seconds = 9}};
    assert_ok(vdnn_settle(rivals, 3, VDNN_SETTLE_TIME, read_again, &own));
    assert_true(rivals[0].seconds == 8 && rivals[1].seconds == 14 && rivals[2].seconds == 9);
    assert_int_equal(own.calls[0], 2);
    assert_int_equal(own.calls[1], 1);
    assert_int_equal(own.calls[2], 0);
}

TEST(rivals_that_seemed_faster_than_the_last_time_are_not_unless_they_are_settled)
{
    noisy_clock own = {.truth = {5}, .optimism = 1, .failing = -1};
    vdnn_rival rivals[] = {
        {.seconds = 3, .repeats = 1}, {.seconds = 4}, {.seconds = 4.5, .is_settled = true}};
    assert_ok(vdnn_settle(rivals, 3, VDNN_SETTLE_TIME, read_again, &own));
    assert_true(rivals[0].seconds == 5 && rivals[2].seconds == 4.5);
    assert_true(rivals[1].seconds > 5 && rivals[1].seconds < 5.001);
}

TEST(what_fails_is_left_to_the_others_and_an_error_ends_it)
{
    noisy_clock own = {.truth = {1, 2}, .optimism = 1, .failing = 0};
    vdnn_rival rivals[2];
    read_first(&own, rivals, 2);
    assert_ok(vdnn_settle(rivals, 2, VDNN_SETTLE_TIME, read_again, &own));
    assert_true(isinf(rivals[0].seconds) && rivals[1].seconds == 2);
    rivals[1].seconds = HUGE_VAL;
    assert_ok(vdnn_settle(rivals, 2, VDNN_SETTLE_TIME, read_again, &own));
    rivals[0] = (vdnn_rival){.seconds = 1};
    assert_status(vdnn_settle(rivals, 2, VDNN_SETTLE_TIME, fail_again, &own), VDNN_DEVICE);
}

/* ---- with noise ------------------------------------------------------------------------------ */

typedef struct outcome {
    double first_bias; /* of the least first time, against the truth of that rival */
    double bias;       /* of the settled one */
    double first_loss; /* of the truth of the chosen one, against the best */
    double loss;
    double calls;
} outcome;

static outcome settle_often(noisy_clock *own, int32_t count)
{
    outcome sum = {0};
    double best = HUGE_VAL;
    for (int32_t i = 0; i < count; i++)
        best = fmin(best, own->truth[i]);
    for (int t = 0; t < TRIALS; t++) {
        vdnn_rival rivals[MOST_RIVALS];
        read_first(own, rivals, count);
        int32_t i = fastest_of(rivals, count);
        sum.first_bias += rivals[i].seconds / own->truth[i] - 1;
        sum.first_loss += own->truth[i] / best - 1;
        assert_ok(vdnn_settle(rivals, count, VDNN_SETTLE_TIME, read_again, own));
        i = fastest_of(rivals, count);
        sum.bias += rivals[i].seconds / own->truth[i] - 1;
        sum.loss += own->truth[i] / best - 1;
        for (int32_t k = 0; k < count; k++) {
            assert_true(own->calls[k] <= 2);
            sum.calls += own->calls[k];
        }
    }
    return (outcome){sum.first_bias / TRIALS, sum.bias / TRIALS, sum.first_loss / TRIALS,
                     sum.loss / TRIALS, sum.calls / TRIALS};
}

/* A fifth of noise, as on a machine whose cores others share. */
TEST(the_time_of_the_chosen_one_is_as_often_too_long_as_too_short)
{
    static const double steps[] = {0, 0.02, 0.05, 0.1, 0.3};
    noisy_clock own = {.deviation = 0.2, .optimism = 1, .failing = -1};
    own.rng.state = vdnn_test_seed();
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (int32_t count = 2; count <= MOST_RIVALS; count += 3) {
            for (int32_t i = 0; i < count; i++)
                own.truth[i] = 1 + steps[s] * i;
            outcome found = settle_often(&own, count);
            printf("%d rivals, each %.2f slower: first %+5.1f %%, settled %+5.1f %%; chosen slower "
                   "than the best by %.1f %%, %.1f %%; measured again %.1f times\n",
                   count, steps[s], 100 * found.first_bias, 100 * found.bias,
                   100 * found.first_loss, 100 * found.loss, found.calls);
            assert_true(fabs(found.bias) < 0.02);
            assert_true(found.loss <= found.first_loss + 0.005);
            if (steps[s] < 0.05 && count > 2)
                assert_true(found.first_bias < -0.15);
        }
}
