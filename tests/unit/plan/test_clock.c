#include "runtime/planner/clock/link.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

enum { COMPUTE, COPY };

static void tasks_of_one_stream_follow_each_other(void **state)
{
    (void)state;
    const vdnn_clock_task tasks[] = {{.seconds = 2}, {.seconds = 3}, {.seconds = 0.5}};
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, NULL, start, end) == 5.5);
    assert_true(start[1] == 2 && end[1] == 5 && start[2] == 5);
}

static void a_copy_runs_beside_compute_until_somebody_waits(void **state)
{
    (void)state;
    const int32_t waits[] = {0, 1};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .stream = COMPUTE},
        {.seconds = 4, .stream = COPY, .first_wait = 0, .wait_count = 1},
        {.seconds = 2, .stream = COMPUTE},
        {.seconds = 0, .stream = COMPUTE, .first_wait = 1, .wait_count = 1},
    };
    double start[4], end[4];
    assert_true(vdnn_clock_run(tasks, 4, waits, NULL, start, end) == 5);
    assert_true(start[1] == 1);
    assert_true(start[2] == 1 && end[2] == 3);
    assert_true(start[3] == 5);
}

static void a_wait_for_what_is_over_costs_nothing(void **state)
{
    (void)state;
    const int32_t waits[] = {0};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .stream = COPY},
        {.seconds = 3, .stream = COMPUTE},
        {.seconds = 1, .stream = COMPUTE, .first_wait = 0, .wait_count = 1},
    };
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, waits, NULL, start, end) == 4);
    assert_true(start[2] == 3);
}

static void no_tasks_take_no_time(void **state)
{
    (void)state;
    assert_true(vdnn_clock_run(NULL, 0, NULL, NULL, NULL, NULL) == 0);
}

/* ---- what is shared -------------------------------------------------------------------------- */

static void copies_in_both_directions_share_what_the_link_has(void **state)
{
    (void)state;
    /*   out  |= 10/s =|== 5/s =====|                 10 bytes
     *   in            |== 5/s =====|= 10/s =|        10 bytes, after a latency
     *        0       0.5          1.5       2                                    */
    const double link[] = {10};
    const vdnn_clock_task tasks[] = {
        {.bytes = 10, .rate = 10, .channels = 1, .stream = 0},
        {.seconds = 0.5, .bytes = 10, .rate = 10, .channels = 1, .stream = 1},
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, link, start, end) == 2);
    assert_true(start[0] == 0 && end[0] == 1.5);
    assert_true(start[1] == 0 && end[1] == 2);
}

static void what_one_copy_cannot_take_is_the_others(void **state)
{
    (void)state;
    const double link[] = {9};
    const vdnn_clock_task tasks[] = {
        {.bytes = 14, .rate = 8, .channels = 1, .stream = 0}, /* gets 9 - 2 */
        {.bytes = 8, .rate = 2, .channels = 1, .stream = 1},
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, link, start, end) == 4);
    assert_true(end[0] == 2 && end[1] == 4);
}

static void compute_waits_longer_for_a_copy_that_shares(void **state)
{
    (void)state;
    /*   compute |= 1 =|              |= 1 =|
     *   out           |== 12 at 6 ===|
     *   in            |== 12 at 6 ===|                                           */
    const double link[] = {12};
    const int32_t waits[] = {0, 0, 2};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .stream = 0},
        {.bytes = 12, .rate = 12, .channels = 1, .stream = 1, .first_wait = 0, .wait_count = 1},
        {.bytes = 12, .rate = 12, .channels = 1, .stream = 2, .first_wait = 1, .wait_count = 1},
        {.seconds = 1, .stream = 0, .first_wait = 2, .wait_count = 1},
    };
    double start[4], end[4];
    assert_true(vdnn_clock_run(tasks, 4, waits, link, start, end) == 4);
    assert_true(end[1] == 3 && end[2] == 3 && start[3] == 3);
}

static void a_copy_that_ends_leaves_its_share_to_the_next_of_its_stream(void **state)
{
    (void)state;
    /*   out  |= 5 at 5 =|=========== 10 at 5 ===|
     *   in   |================ 15 at 5 =========|= 5 at 10 =|
     *        0          1                       3          3.5                   */
    const double link[] = {10};
    const vdnn_clock_task tasks[] = {
        {.bytes = 5, .rate = 10, .channels = 1, .stream = 0},
        {.bytes = 20, .rate = 10, .channels = 1, .stream = 1},
        {.bytes = 10, .rate = 10, .channels = 1, .stream = 0},
    };
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, link, start, end) == 3.5);
    assert_true(end[0] == 1 && start[2] == 1 && end[2] == 3 && end[1] == 3.5);
}

static const vdnn_rates pcie = {.copy_out_bytes_per_second = 12e9,
                                .copy_in_bytes_per_second = 12e9,
                                .copy_both_bytes_per_second = 18e9};

static void one_device_shares_its_link_between_directions_alone(void **state)
{
    (void)state;
    vdnn_rates apart = pcie;
    double channels[VDNN_LINK_CHANNELS];
    apart.copy_both_bytes_per_second = 0;
    assert_null(vdnn_link_channels(&apart, 1, channels));
    apart.copy_both_bytes_per_second = 24e9;
    assert_null(vdnn_link_channels(&apart, 1, channels));
    const double *shared = vdnn_link_channels(&pcie, 1, channels);
    const vdnn_clock_task tasks[] = {
        vdnn_link_copy(&pcie, VDNN_STREAM_OUT, 9000000000U),
        vdnn_link_copy(&pcie, VDNN_STREAM_IN, 21000000000U),
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, shared, start, end) == 2);
    assert_true(end[0] == 1);
    assert_true(vdnn_link_seconds(&pcie, VDNN_STREAM_OUT, 9000000000U) == 0.75);
}

static void several_devices_share_directions_and_the_link(void **state)
{
    (void)state;
    /*   0 out |= 6 GB at 6 =|= 12 at 12 =|                 of 12 out: two share it
     *   1 out |= 6 GB at 6 =|
     *   1 in  |= 6 at 6 ====|= 6 at 6 ===|= 6 at 12 =|     of 18 in all: three, then two
     *         0             1            2          2.5                          */
    double channels[VDNN_LINK_CHANNELS];
    const double *shared = vdnn_link_channels(&pcie, 2, channels);
    vdnn_clock_task tasks[] = {
        vdnn_link_copy(&pcie, VDNN_STREAM_OUT, 15000000000U),
        vdnn_link_copy(&pcie, VDNN_STREAM_OUT, 6000000000U),
        vdnn_link_copy(&pcie, VDNN_STREAM_IN, 21000000000U),
    };
    tasks[1].stream += VDNN_STREAM_COUNT;
    tasks[2].stream += VDNN_STREAM_COUNT;
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, shared, start, end) == 2.5);
    assert_true(end[1] == 1 && end[0] == 2 && end[2] == 2.5);
}

/* ---- what slows compute ---------------------------------------------------------------------- */

static const double apart[] = {1e9};

static void compute_passes_more_slowly_while_bytes_move(void **state)
{
    (void)state;
    /*   compute  |= 1 s =|==== 2 s, at 1 / 2 for 2 s of them =|= 1 s =|
     *   out              |== 20 at 10 ==|                                          */
    const int32_t waits[] = {0};
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .slowed = {[VDNN_CLOCK_OUT] = 1}},
        {.bytes = 20, .rate = 10, .way = VDNN_CLOCK_OUT, .stream = COPY, .wait_count = 1},
        {.seconds = 2, .slowed = {[VDNN_CLOCK_OUT] = 1}},
        {.seconds = 1, .slowed = {[VDNN_CLOCK_OUT] = 1}},
    };
    double start[4], end[4];
    assert_true(vdnn_clock_run(tasks, 4, waits, apart, start, end) == 5);
    assert_true(end[1] == 3 && end[2] == 4 && start[3] == 4);
    assert_true(vdnn_clock_run(tasks, 4, waits, NULL, start, end) == 4);
}

static void bytes_move_more_slowly_while_they_slow_compute(void **state)
{
    (void)state;
    /*   compute   |= 1 s at 2 / 3 =|
     *   out       |= 15 at 10 =====|= 40 at 20 =|                                  */
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .slowed = {[VDNN_CLOCK_OUT] = 0.5}},
        {.bytes = 55, .rate = 20, .beside_rate = 10, .way = VDNN_CLOCK_OUT, .stream = COPY},
    };
    double start[2], end[2];
    assert_true(vdnn_clock_run(tasks, 2, NULL, apart, start, end) == 3.5);
    assert_true(end[0] == 1.5 && end[1] == 3.5);
}

static void each_way_slows_by_itself_and_a_latency_does_not(void **state)
{
    (void)state;
    /*   compute   |= 1 s =|= 1 / 2, 2 s =|= 1 / 4 =|     4 s in all, then alone
     *   out               |= 20 at 10 ===|
     *   in        |= latency, 1 s + 2 s =|= 40 at 10 =|                            */
    const vdnn_clock_task tasks[] = {
        {.seconds = 3, .slowed = {[VDNN_CLOCK_OUT] = 1, [VDNN_CLOCK_IN] = 3}},
        {.seconds = 1, .bytes = 20, .rate = 10, .way = VDNN_CLOCK_OUT, .stream = COPY},
        {.seconds = 3, .bytes = 40, .rate = 10, .way = VDNN_CLOCK_IN, .stream = COPY + 1},
    };
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, apart, start, end) == 7);
    assert_true(end[0] == 7 && end[1] == 3 && end[2] == 7);
}

static void copies_slow_nothing_on_other_devices(void **state)
{
    (void)state;
    const vdnn_clock_task tasks[] = {
        {.seconds = 1, .slowed = {[VDNN_CLOCK_OUT] = 1}},
        {.seconds = 1, .slowed = {[VDNN_CLOCK_OUT] = 1}, .stream = 2, .device = 1},
        {.bytes = 20, .rate = 10, .way = VDNN_CLOCK_OUT, .stream = 3, .device = 1},
    };
    double start[3], end[3];
    assert_true(vdnn_clock_run(tasks, 3, NULL, apart, start, end) == 2);
    assert_true(end[0] == 1 && end[1] == 2 && end[2] == 2);
}

static void the_profile_says_what_copies_slow(void **state)
{
    (void)state;
    vdnn_rates rates = pcie;
    double channels[VDNN_LINK_CHANNELS];
    rates.copy_both_bytes_per_second = 0;
    rates.copy_out_beside_bytes_per_second = 6e9;
    rates.copy_in_beside_bytes_per_second = 13e9; /* more than alone: as alone */
    assert_null(vdnn_link_channels(&rates, 1, channels));
    rates.copy_out_slows_moves = 1.5;
    rates.copy_in_slows_products = 2;
    rates.copy_in_slows_moves = 0.5; /* below 1: not slowed */
    assert_non_null(vdnn_link_channels(&rates, 1, channels));
    const vdnn_clock_task product =
        vdnn_link_compute(&rates, VDNN_STREAM_COMPUTE, VDNN_COMPUTE_PRODUCT, 3);
    const vdnn_clock_task moving =
        vdnn_link_compute(&rates, VDNN_STREAM_COMPUTE, VDNN_COMPUTE_MOVING, 3);
    const vdnn_clock_task none =
        vdnn_link_compute(&rates, VDNN_STREAM_REDUCE, VDNN_COMPUTE_NOTHING, 3);
    const vdnn_clock_task out = vdnn_link_copy(&rates, VDNN_STREAM_OUT, 1);
    const vdnn_clock_task in = vdnn_link_copy(&rates, VDNN_STREAM_IN, 1);
    const vdnn_clock_task spill = vdnn_link_copy(&rates, VDNN_STREAM_SPILL, 1);
    assert_true(product.seconds == 3 && product.stream == VDNN_STREAM_COMPUTE);
    assert_true(product.slowed[VDNN_CLOCK_OUT] == 0 && product.slowed[VDNN_CLOCK_IN] == 1);
    assert_true(moving.slowed[VDNN_CLOCK_OUT] == 0.5 && moving.slowed[VDNN_CLOCK_IN] == 0);
    assert_true(none.slowed[VDNN_CLOCK_OUT] == 0 && none.slowed[VDNN_CLOCK_IN] == 0);
    assert_true(out.way == VDNN_CLOCK_OUT && out.beside_rate == 6e9);
    assert_true(in.way == VDNN_CLOCK_IN && in.beside_rate == 0);
    assert_true(spill.way == VDNN_CLOCK_ELSEWHERE && spill.beside_rate == 0);
}

/* ---- whatever is given ----------------------------------------------------------------------- */

enum { TASKS = 60, STREAMS = 7, CHANNELS = 3 };

typedef struct problem {
    vdnn_clock_task tasks[TASKS];
    int32_t waits[3 * TASKS];
    double channels[CHANNELS], start[TASKS], end[TASKS];
} problem;

static double unit(vdnn_test_rng *rng)
{
    return (double)vdnn_test_between(rng, 0, 1000) / 1000;
}

static void make_problem(vdnn_test_rng *rng, problem *p)
{
    int32_t wait_count = 0;
    double most = 0;
    for (int32_t i = 0; i < TASKS; i++) {
        vdnn_clock_task *task = &p->tasks[i];
        *task = (vdnn_clock_task){.stream = (int32_t)vdnn_test_between(rng, 0, STREAMS - 1),
                                  .seconds = vdnn_test_between(rng, 0, 3) == 0 ? 0 : unit(rng),
                                  .first_wait = wait_count};
        if (task->stream % 2 == 1) {
            task->bytes = 10 * unit(rng);
            task->rate = 1 + 9 * unit(rng);
            task->channels = (uint32_t)vdnn_test_between(rng, 0, (1 << CHANNELS) - 1);
            most = fmax(most, task->rate);
        }
        for (int w = 0; i > 0 && w < 3 && vdnn_test_between(rng, 0, 2) == 0; w++) {
            p->waits[wait_count++] = (int32_t)vdnn_test_between(rng, 0, i - 1);
            task->wait_count++;
        }
    }
    for (int c = 0; c < CHANNELS; c++)
        p->channels[c] = most * (1 + unit(rng));
}

static double alone(const vdnn_clock_task *task)
{
    return task->seconds + (task->bytes > 0 ? task->bytes / task->rate : 0);
}

static const double little = 1e-9;

/* A task begins as soon as it may, and takes no less than it would alone. */
static void check_tasks(const problem *p)
{
    double free_at[STREAMS] = {0};
    for (int32_t i = 0; i < TASKS; i++) {
        const vdnn_clock_task *task = &p->tasks[i];
        double may = free_at[task->stream];
        for (int32_t w = 0; w < task->wait_count; w++)
            may = fmax(may, p->end[p->waits[task->first_wait + w]]);
        assert_true(p->start[i] == may);
        assert_true(p->end[i] >= p->start[i] + alone(task) - little);
        free_at[task->stream] = p->end[i];
    }
}

static void check_makespan(const problem *p, double makespan)
{
    double all = 0, stream[STREAMS] = {0}, moved[CHANNELS] = {0}, last = 0;
    for (int32_t i = 0; i < TASKS; i++) {
        all += alone(&p->tasks[i]);
        stream[p->tasks[i].stream] += alone(&p->tasks[i]);
        last = fmax(last, p->end[i]);
        for (int c = 0; c < CHANNELS; c++)
            moved[c] += p->tasks[i].channels >> c & 1U ? p->tasks[i].bytes : 0;
    }
    assert_true(makespan == last && makespan <= all + little);
    for (int s = 0; s < STREAMS; s++)
        assert_true(makespan >= stream[s] - little);
    for (int c = 0; c < CHANNELS; c++)
        assert_true(makespan >= moved[c] / p->channels[c] - little);
}

static void any_tasks_take_as_long_as_each_stream_and_no_longer_than_all(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(20000); i++) {
        problem p, again;
        make_problem(&rng, &p);
        again = p;
        double makespan = vdnn_clock_run(p.tasks, TASKS, p.waits, p.channels, p.start, p.end);
        check_tasks(&p);
        check_makespan(&p, makespan);
        assert_true(vdnn_clock_run(again.tasks, TASKS, again.waits, again.channels, again.start,
                                   again.end) == makespan);
        assert_memory_equal(p.end, again.end, sizeof p.end);
    }
}

static void channels_with_room_for_all_change_nothing(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        problem p;
        double start[TASKS], end[TASKS];
        make_problem(&rng, &p);
        for (int c = 0; c < CHANNELS; c++)
            p.channels[c] = 1e6;
        double shared = vdnn_clock_run(p.tasks, TASKS, p.waits, p.channels, p.start, p.end);
        assert_true(vdnn_clock_run(p.tasks, TASKS, p.waits, NULL, start, end) == shared);
        assert_memory_equal(p.start, start, sizeof start);
        assert_memory_equal(p.end, end, sizeof end);
    }
}

/* Devices that compute on even streams and copy on odd ones. */
static void make_slowed_problem(vdnn_test_rng *rng, problem *p)
{
    make_problem(rng, p);
    for (int32_t i = 0; i < TASKS; i++) {
        vdnn_clock_task *task = &p->tasks[i];
        task->device = task->stream / 4;
        task->way = task->bytes > 0 ? (vdnn_clock_way)vdnn_test_between(rng, 0, VDNN_CLOCK_WAYS - 1)
                                    : VDNN_CLOCK_ELSEWHERE;
        task->beside_rate =
            vdnn_test_between(rng, 0, 1) == 0 ? 0 : task->rate * (0.2 + 0.8 * unit(rng));
        for (int w = VDNN_CLOCK_OUT; w < VDNN_CLOCK_WAYS; w++)
            task->slowed[w] =
                task->bytes > 0 || vdnn_test_between(rng, 0, 2) == 0 ? 0 : 3 * unit(rng);
    }
}

/* ---- the same, slowly ------------------------------------------------------------------------ */

/* A second clock, of the text of clock.h alone: between two events every task's rate is found anew
 * from all that run, and whatever remains of each is reduced. */
typedef struct slow_clock {
    const problem *p;
    double seconds_left[TASKS], bytes_left[TASKS], rate[TASKS];
    bool begun[TASKS], over[TASKS];
    double start[TASKS], end[TASKS];
} slow_clock;

static bool slow_may_begin(const slow_clock *c, int32_t i)
{
    const vdnn_clock_task *task = &c->p->tasks[i];
    bool may = !c->begun[i];
    for (int32_t k = 0; k < i; k++)
        may = may && (c->over[k] || c->p->tasks[k].stream != task->stream);
    for (int32_t w = 0; w < task->wait_count; w++)
        may = may && c->over[c->p->waits[task->first_wait + w]];
    return may;
}

static bool slow_runs(const slow_clock *c, int32_t i)
{
    return c->begun[i] && !c->over[i];
}

static bool slow_moves(const slow_clock *c, int32_t i)
{
    return slow_runs(c, i) && c->seconds_left[i] <= 0 && c->bytes_left[i] > 0;
}

static double slow_rate_of_seconds(const slow_clock *c, int32_t i)
{
    double times = 1;
    for (int w = 0; w < VDNN_CLOCK_WAYS; w++) {
        bool moves = false;
        for (int32_t k = 0; k < TASKS; k++)
            moves = moves || (slow_moves(c, k) && (int)c->p->tasks[k].way == w &&
                              c->p->tasks[k].device == c->p->tasks[i].device);
        times += moves ? c->p->tasks[i].slowed[w] : 0;
    }
    return 1 / times;
}

/* Of bytes, were its channels its own. */
static double slow_most_rate(const slow_clock *c, int32_t i)
{
    const vdnn_clock_task *task = &c->p->tasks[i];
    bool is_beside = false;
    for (int32_t k = 0; k < TASKS; k++)
        is_beside = is_beside ||
                    (slow_runs(c, k) && c->seconds_left[k] > 0 &&
                     c->p->tasks[k].device == task->device && c->p->tasks[k].slowed[task->way] > 0);
    return is_beside && task->beside_rate > 0 ? task->beside_rate : task->rate;
}

/* Max-min fairness by filling: all rates rise together until one is at its most, or a channel is
 * full. */
static void slow_fill(slow_clock *c)
{
    bool rises[TASKS];
    double most[TASKS], level = 0;
    for (int32_t i = 0; i < TASKS; i++) {
        rises[i] = slow_moves(c, i);
        most[i] = rises[i] ? slow_most_rate(c, i) : 0;
    }
    for (;;) {
        double next = HUGE_VAL, full[CHANNELS];
        for (int32_t i = 0; i < TASKS; i++)
            next = rises[i] ? fmin(next, most[i]) : next;
        for (int ch = 0; ch < CHANNELS; ch++) {
            double left = c->p->channels[ch];
            int users = 0;
            for (int32_t i = 0; i < TASKS; i++)
                if (c->p->tasks[i].channels >> ch & 1U && slow_moves(c, i)) {
                    users += rises[i];
                    left -= rises[i] ? 0 : c->rate[i];
                }
            full[ch] = users > 0 ? fmax(left / users, level) : HUGE_VAL;
            next = fmin(next, full[ch]);
        }
        if (isinf(next))
            return;
        level = next;
        for (int32_t i = 0; i < TASKS; i++) {
            bool stops = rises[i] && most[i] <= level;
            for (int ch = 0; rises[i] && ch < CHANNELS; ch++)
                stops = stops || (c->p->tasks[i].channels >> ch & 1U && full[ch] <= level);
            if (stops) {
                c->rate[i] = level;
                rises[i] = false;
            }
        }
    }
}

/* Lets time pass until the next event; false: nothing runs. */
static bool slow_advance(slow_clock *c, double *now)
{
    double until = HUGE_VAL;
    slow_fill(c);
    for (int32_t i = 0; i < TASKS; i++)
        if (slow_runs(c, i) && !slow_moves(c, i))
            c->rate[i] = slow_rate_of_seconds(c, i);
    for (int32_t i = 0; i < TASKS; i++)
        if (slow_runs(c, i))
            until = fmin(until,
                         (slow_moves(c, i) ? c->bytes_left[i] : c->seconds_left[i]) / c->rate[i]);
    if (isinf(until))
        return false;
    *now += until;
    for (int32_t i = 0; i < TASKS; i++) {
        if (!slow_runs(c, i))
            continue;
        double *left = slow_moves(c, i) ? &c->bytes_left[i] : &c->seconds_left[i];
        *left -= c->rate[i] * until;
        if (*left < 1e-12)
            *left = 0;
        c->over[i] = c->seconds_left[i] <= 0 && c->bytes_left[i] <= 0;
        c->end[i] = *now;
    }
    return true;
}

static void run_slow_clock(const problem *p, slow_clock *c)
{
    double now = 0;
    *c = (slow_clock){.p = p};
    for (int32_t i = 0; i < TASKS; i++) {
        c->seconds_left[i] = p->tasks[i].seconds;
        c->bytes_left[i] = p->tasks[i].bytes;
    }
    do {
        for (int32_t i = 0; i < TASKS; i++)
            if (slow_may_begin(c, i)) {
                c->begun[i] = true;
                c->start[i] = now;
            }
    } while (slow_advance(c, &now));
}

static void a_second_clock_finds_the_same_times(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        problem p;
        static slow_clock c;
        make_slowed_problem(&rng, &p);
        (void)vdnn_clock_run(p.tasks, TASKS, p.waits, p.channels, p.start, p.end);
        run_slow_clock(&p, &c);
        for (int32_t t = 0; t < TASKS; t++) {
            assert_true(fabs(p.start[t] - c.start[t]) < 1e-6);
            assert_true(fabs(p.end[t] - c.end[t]) < 1e-6);
        }
    }
}

static void whatever_is_slowed_takes_no_less_than_apart(void **state)
{
    (void)state;
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        problem p;
        double start[TASKS], end[TASKS];
        make_slowed_problem(&rng, &p);
        double slowed = vdnn_clock_run(p.tasks, TASKS, p.waits, p.channels, p.start, p.end);
        assert_true(vdnn_clock_run(p.tasks, TASKS, p.waits, NULL, start, end) <= slowed + little);
        check_tasks(&p);
        for (int32_t t = 0; t < TASKS; t++)
            assert_true(p.end[t] >= end[t] - little);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_one_stream_follow_each_other),
        cmocka_unit_test(a_copy_runs_beside_compute_until_somebody_waits),
        cmocka_unit_test(a_wait_for_what_is_over_costs_nothing),
        cmocka_unit_test(no_tasks_take_no_time),
        cmocka_unit_test(copies_in_both_directions_share_what_the_link_has),
        cmocka_unit_test(what_one_copy_cannot_take_is_the_others),
        cmocka_unit_test(compute_waits_longer_for_a_copy_that_shares),
        cmocka_unit_test(a_copy_that_ends_leaves_its_share_to_the_next_of_its_stream),
        cmocka_unit_test(one_device_shares_its_link_between_directions_alone),
        cmocka_unit_test(several_devices_share_directions_and_the_link),
        cmocka_unit_test(compute_passes_more_slowly_while_bytes_move),
        cmocka_unit_test(bytes_move_more_slowly_while_they_slow_compute),
        cmocka_unit_test(each_way_slows_by_itself_and_a_latency_does_not),
        cmocka_unit_test(copies_slow_nothing_on_other_devices),
        cmocka_unit_test(the_profile_says_what_copies_slow),
        cmocka_unit_test(any_tasks_take_as_long_as_each_stream_and_no_longer_than_all),
        cmocka_unit_test(channels_with_room_for_all_change_nothing),
        cmocka_unit_test(a_second_clock_finds_the_same_times),
        cmocka_unit_test(whatever_is_slowed_takes_no_less_than_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
