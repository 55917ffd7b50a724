#include "tests/support/vdnn_test.h"

#include "runtime/train/schedule.h"

#include <math.h>

static double rate_at(const vdnn_training *training, uint64_t step, uint64_t count, uint64_t epoch)
{
    vdnn_schedule_place place = {step, count, epoch};
    return vdnn_schedule_rate(training, 0.5, &place);
}

static vdnn_training random_training(vdnn_test_rng *rng)
{
    vdnn_training training = {.warmup = (double)vdnn_test_between(rng, 0, 12) / 4.0};
    vdnn_rate_schedule *schedule = &training.schedule;
    int64_t kind = vdnn_test_between(rng, 0, 3);
    if (kind > 0)
        schedule->kind = kind == 3 ? VDNN_RATE_COSINE : VDNN_RATE_STEP;
    schedule->factor = (double)vdnn_test_between(rng, 0, 10) / 10.0;
    schedule->floor = (double)vdnn_test_between(rng, 0, 10) / 10.0;
    if (kind == 1)
        schedule->every = (double)vdnn_test_between(rng, 1, 20) / 4.0;
    for (int i = 0; kind == 2 && i < 3; i++)
        schedule->at.values[schedule->at.count++] = 1.0 + i * 2.5;
    return training;
}

TEST(a_rate_never_rises_after_the_warm_up_nor_leaves_its_bounds)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        vdnn_training training = random_training(&rng);
        uint64_t epoch = (uint64_t)vdnn_test_between(&rng, 1, 30);
        uint64_t count = (uint64_t)vdnn_test_between(&rng, 1, 300);
        uint64_t warm = (uint64_t)llround(training.warmup * (double)epoch);
        double before = 0.0;
        for (uint64_t step = 0; step < count + 20; step++) {
            double rate = rate_at(&training, step, count, epoch);
            assert_true(rate >= 0.0 && rate <= 0.5);
            assert_true(step >= warm || rate > before);
            assert_true(step <= warm || rate <= before);
            assert_true(rate == rate_at(&training, step, count, epoch));
            before = rate;
        }
    }
}

TEST(a_rate_is_a_share_of_the_base)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(500); i++) {
        vdnn_training training = random_training(&rng);
        vdnn_schedule_place place = {(uint64_t)vdnn_test_between(&rng, 0, 99), 100, 10};
        double one = vdnn_schedule_rate(&training, 1.0, &place);
        assert_true(vdnn_schedule_rate(&training, 0.0, &place) == 0.0);
        assert_true(fabs(vdnn_schedule_rate(&training, 0.3, &place) - 0.3 * one) < 1e-12);
    }
}

TEST(without_a_schedule_the_rate_stays)
{
    vdnn_training training = {.settings = {.lr = 0.1}};
    for (uint64_t step = 0; step < 50; step++)
        assert_true(rate_at(&training, step, 30, 7) == 0.5);
}

TEST(the_warm_up_rises_by_equal_parts_to_the_whole_rate)
{
    vdnn_training training = {.warmup = 2.5};
    for (uint64_t step = 0; step < 10; step++)
        assert_true(fabs(rate_at(&training, step, 100, 4) - 0.05 * (double)(step + 1)) < 1e-12);
    assert_true(rate_at(&training, 9, 100, 4) == 0.5);
    assert_true(rate_at(&training, 10, 100, 4) == 0.5);
}

TEST(steps_come_at_the_beginning_of_their_epochs)
{
    vdnn_training every = {.schedule = {.kind = VDNN_RATE_STEP, .every = 2, .factor = 0.1}};
    vdnn_training at = {.schedule = {.kind = VDNN_RATE_STEP, .at = {{2, 4, 6}, 3}, .factor = 0.1}};
    for (uint64_t step = 0; step < 40; step++) {
        uint64_t drops = step / 10;
        double wanted = 0.5 * pow(0.1, (double)drops);
        assert_true(fabs(rate_at(&every, step, 40, 5) - wanted) < 1e-15);
        assert_true(fabs(rate_at(&at, step, 40, 5) - wanted) < 1e-15);
    }
}

TEST(a_cosine_goes_from_the_whole_rate_to_its_floor)
{
    vdnn_training training = {.warmup = 1, .schedule = {.kind = VDNN_RATE_COSINE, .floor = 0.2}};
    assert_true(rate_at(&training, 10, 110, 10) == 0.5);
    assert_true(fabs(rate_at(&training, 60, 110, 10) - (0.1 + 0.4 / 2)) < 1e-12);
    assert_true(fabs(rate_at(&training, 109, 110, 10) - 0.1) < 1e-3);
    assert_true(rate_at(&training, 110, 110, 10) == 0.1);
    assert_true(rate_at(&training, 1000, 110, 10) == 0.1);
    /* As much above the middle before it as below it after. */
    for (uint64_t i = 0; i < 50; i++)
        assert_true(fabs(rate_at(&training, 60 - i, 110, 10) + rate_at(&training, 60 + i, 110, 10) -
                         0.6) < 1e-12);
}

TEST(a_warm_up_longer_than_the_training_is_cut)
{
    vdnn_training training = {.warmup = 100, .schedule = {.kind = VDNN_RATE_COSINE}};
    for (uint64_t step = 0; step < 20; step++)
        assert_true(fabs(rate_at(&training, step, 20, 10) - 0.5 * (double)(step + 1) / 1000) <
                    1e-12);
}
