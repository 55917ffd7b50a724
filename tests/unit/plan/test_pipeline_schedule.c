#include "runtime/graph/pipeline_schedule.h"
#include "tests/support/vdnn_test.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_STAGES = 8, MOST_MICRO = 24, PASSES = VDNN_PIPELINE_BACKWARD_FILTER + 1 };

/* Stages of equal passes: forward and each half of backward take a second. */
typedef struct pipeline {
    int32_t stages, micro, counts[MOST_STAGES], next[MOST_STAGES];
    vdnn_pipeline_item items[MOST_STAGES][VDNN_PIPELINE_PASSES * MOST_MICRO];
    int ends[MOST_STAGES][PASSES][MOST_MICRO]; /* 0: not yet */
    int clocks[MOST_STAGES];
} pipeline;

static const int seconds_of[PASSES] = {1, 2, 1, 1};

static void begin(pipeline *own, vdnn_schedule schedule, int32_t stages, int32_t micro)
{
    memset(own, 0, sizeof *own);
    own->stages = stages;
    own->micro = micro;
    for (int32_t s = 0; s < stages; s++)
        own->counts[s] = vdnn_pipeline_items(schedule, stages, s, micro, own->items[s]);
}

/* When what the pass reads is there; -1: nobody has sent it yet. */
static int ready(const pipeline *own, int32_t stage, vdnn_pipeline_item item)
{
    const int32_t from = item.pass == VDNN_PIPELINE_FORWARD ? stage - 1 : stage + 1;
    int end = 0;
    if (item.pass != VDNN_PIPELINE_FORWARD) { /* it reads what the same stage saved */
        const vdnn_pipeline_pass saves = item.pass == VDNN_PIPELINE_BACKWARD_FILTER
                                             ? VDNN_PIPELINE_BACKWARD_DATA
                                             : VDNN_PIPELINE_FORWARD;
        assert_true(own->ends[stage][saves][item.micro] > 0);
    }
    if (item.pass == VDNN_PIPELINE_BACKWARD_FILTER || from < 0 || from == own->stages)
        return 0;
    end = own->ends[from][item.pass][item.micro];
    return end > 0 ? end : -1;
}

static bool advance(pipeline *own, int32_t stage)
{
    if (own->next[stage] == own->counts[stage])
        return false;
    const vdnn_pipeline_item item = own->items[stage][own->next[stage]];
    const int from = ready(own, stage, item);
    if (from < 0)
        return false;
    own->clocks[stage] =
        (from > own->clocks[stage] ? from : own->clocks[stage]) + seconds_of[item.pass];
    assert_int_equal(own->ends[stage][item.pass][item.micro], 0);
    own->ends[stage][item.pass][item.micro] = own->clocks[stage];
    own->next[stage]++;
    return true;
}

/* Runs the orders; returns when the last stage ends. Fails where stages wait for each other. */
static int run(pipeline *own)
{
    int last = 0;
    for (bool moves = true; moves;) {
        moves = false;
        for (int32_t s = 0; s < own->stages; s++)
            while (advance(own, s))
                moves = true;
    }
    for (int32_t s = 0; s < own->stages; s++) {
        assert_int_equal(own->next[s], own->counts[s]);
        last = own->clocks[s] > last ? own->clocks[s] : last;
    }
    return last;
}

/* The seconds that a stage waits, of micro-batches that take three. */
static int bubble(vdnn_schedule schedule, int32_t stages, int32_t micro)
{
    static pipeline own;
    begin(&own, schedule, stages, micro);
    return run(&own) - 3 * micro;
}

TEST(every_order_runs_each_pass_once_and_never_waits_in_a_cycle)
{
    for (int s = 0; s < VDNN_SCHEDULE_COUNT; s++)
        for (int32_t stages = 1; stages <= MOST_STAGES; stages++)
            for (int32_t micro = 1; micro <= MOST_MICRO; micro++)
                (void)bubble((vdnn_schedule)s, stages, micro);
}

TEST(the_bubble_is_that_of_the_formulas)
{
    for (int32_t stages = 1; stages <= MOST_STAGES; stages++)
        for (int32_t micro = stages; micro <= MOST_MICRO; micro++) {
            assert_int_equal(bubble(VDNN_SCHEDULE_GPIPE, stages, micro), 3 * (stages - 1));
            assert_int_equal(bubble(VDNN_SCHEDULE_1F1B, stages, micro), 3 * (stages - 1));
            assert_int_equal(bubble(VDNN_SCHEDULE_ZB1P, stages, micro), stages - 1);
        }
}

TEST(as_many_micro_batches_are_in_flight_as_the_schedule_says)
{
    static pipeline own;
    for (int k = 0; k < VDNN_SCHEDULE_COUNT; k++)
        for (int32_t stages = 1; stages <= MOST_STAGES; stages++)
            for (int32_t micro = 1; micro <= MOST_MICRO; micro++) {
                const vdnn_schedule schedule = (vdnn_schedule)k;
                begin(&own, schedule, stages, micro);
                for (int32_t s = 0; s < stages; s++) {
                    int32_t live = 0, most = 0;
                    for (int32_t i = 0; i < own.counts[s]; i++) {
                        live += own.items[s][i].pass == VDNN_PIPELINE_FORWARD;
                        most = live > most ? live : most;
                        live -= own.items[s][i].pass == VDNN_PIPELINE_BACKWARD ||
                                own.items[s][i].pass == VDNN_PIPELINE_BACKWARD_FILTER;
                    }
                    assert_int_equal(most, vdnn_pipeline_in_flight(schedule, stages, s, micro));
                }
            }
}

TEST(micro_batches_are_in_increasing_order_in_each_kind_of_pass)
{
    static pipeline own;
    for (int k = 0; k < VDNN_SCHEDULE_COUNT; k++) {
        begin(&own, (vdnn_schedule)k, MOST_STAGES, MOST_MICRO);
        for (int32_t s = 0; s < MOST_STAGES; s++) {
            int32_t next[PASSES] = {0};
            for (int32_t i = 0; i < own.counts[s]; i++)
                assert_int_equal(own.items[s][i].micro, next[own.items[s][i].pass]++);
        }
    }
}

TEST(schedules_have_the_names_of_their_options)
{
    static const char *const texts[] = {"gpipe", "1f1b", "zb1p"};
    for (int k = 0; k < VDNN_SCHEDULE_COUNT; k++)
        assert_string_equal(vdnn_schedule_text((vdnn_schedule)k), texts[k]);
    assert_string_equal(vdnn_schedule_text(VDNN_SCHEDULE_COUNT), "unknown");
}
