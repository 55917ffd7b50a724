#include "runtime/planning/pipeline_clock.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

enum { MOST_STAGES = 8, MOST_MICRO = 32 };

static const double forward = 1e-3, half = 1e-3; /* a third of the bubble is of equal passes */

/* Balanced stages on links that are nearly free. */
static vdnn_pipeline balanced(vdnn_schedule schedule, int32_t stages, int32_t micro)
{
    static vdnn_pipeline_stage all[MOST_STAGES];
    for (int32_t s = 0; s < stages; s++)
        all[s] = (vdnn_pipeline_stage){.forward_seconds = forward,
                                       .data_seconds = half,
                                       .filter_seconds = half,
                                       .next_bytes = 1e5};
    return (vdnn_pipeline){.stages = all,
                           .stage_count = stages,
                           .micro_count = micro,
                           .schedule = schedule,
                           .neighbor = {.latency_seconds = 1e-6, .bytes_per_second = 50e9}};
}

static vdnn_pipeline_times time_of(const vdnn_pipeline *pipeline)
{
    vdnn_pipeline_times times;
    assert_ok(vdnn_pipeline_time(pipeline, &times));
    return times;
}

static void expect_close(double value, double due, double share)
{
    if (!(fabs(value - due) <= share * due))
        fail_msg("%g is not within %g of %g", value, share, due);
}

TEST(bubbles_of_balanced_stages_are_those_of_the_formulas)
{
    for (int32_t p = 2; p <= MOST_STAGES; p++)
        for (int32_t m = p; m <= MOST_MICRO; m++) {
            const double waits = p - 1;
            const vdnn_pipeline gpipe = balanced(VDNN_SCHEDULE_GPIPE, p, m);
            expect_close(time_of(&gpipe).bubble, waits / (m + waits), 0.05);
            const vdnn_pipeline one = balanced(VDNN_SCHEDULE_1F1B, p, m);
            expect_close(time_of(&one).bubble, waits / (m + waits), 0.05);
            const vdnn_pipeline zero = balanced(VDNN_SCHEDULE_ZB1P, p, m);
            expect_close(time_of(&zero).bubble, waits / 3 / (m + waits / 3), 0.05);
        }
}

TEST(a_slow_link_is_what_a_step_takes)
{
    vdnn_pipeline own = balanced(VDNN_SCHEDULE_GPIPE, 2, MOST_MICRO);
    own.neighbor.bytes_per_second = 1e7; /* 10 ms for a micro-batch, in each direction */
    expect_close(time_of(&own).step_seconds, 2 * MOST_MICRO * 1e-2, 0.05);
}

TEST(what_a_stage_does_after_its_last_pass_waits_for_no_other)
{
    static vdnn_pipeline_stage all[2];
    vdnn_pipeline own = balanced(VDNN_SCHEDULE_1F1B, 2, 4);
    const double before = time_of(&own).step_seconds;
    all[0] = all[1] = own.stages[0];
    own.stages = all;
    all[0].end_seconds = 5e-3;
    expect_close(time_of(&own).step_seconds, before + 5e-3, 1e-9);
    all[0].end_seconds = 0;
    all[1].end_seconds = 1e-3; /* while the first stage computes its last backward pass */
    expect_close(time_of(&own).step_seconds, before, 1e-9);
}

TEST(every_schedule_ends_with_fewer_micro_batches_than_stages)
{
    for (int k = 0; k < VDNN_SCHEDULE_COUNT; k++)
        for (int32_t p = 1; p <= MOST_STAGES; p++) {
            const vdnn_pipeline own = balanced((vdnn_schedule)k, p, 1);
            expect_close(time_of(&own).step_seconds, p * (forward + half) + half * (k == 2 ? 1 : p),
                         0.05);
        }
}
