#include "tests/support/devices_interpreter.h"

#include "runtime/base/heap.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>

enum { NONE = -1, LANES = 2, MOST_DEVICES = 8 };

typedef struct devices {
    const vdnn_plan *const *plans;
    int32_t count;
    int32_t *meets[MOST_DEVICES][LANES]; /* steps, in their order */
    int32_t meet_count[MOST_DEVICES][LANES];
    vdnn_plan_sums sums[MOST_DEVICES];
    vdnn_plan_finding *finding;
} devices;

static bool is_wrong(devices *d, const char *what, int32_t device, int32_t number)
{
    d->finding->verdict = VDNN_PLAN_WRONG;
    (void)snprintf(d->finding->what, sizeof d->finding->what, "device %d, meeting %d: %s",
                   (int)device, (int)number, what);
    return false;
}

static int32_t *made(int32_t count)
{
    int32_t *items = vdnn_heap_calloc((size_t)count + 1, sizeof *items);
    assert_non_null(items);
    return items;
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* NONE: the step meets none. */
static int lane_of(const vdnn_plan *plan, const vdnn_step *step)
{
    if (step->kind == VDNN_STEP_REDUCE || step->kind == VDNN_STEP_GATHER)
        return 0;
    return step->kind == VDNN_STEP_RUN && plan->training &&
                   vdnn_layer_joint_count(&plan->graph->layers[step->layer], step->pass) > 0
               ? 1
               : NONE;
}

static void find_meetings(devices *d)
{
    for (int32_t p = 0; p < d->count; p++) {
        const vdnn_plan *plan = d->plans[p];
        for (int lane = 0; lane < LANES; lane++)
            d->meets[p][lane] = made(plan->step_count);
        for (int32_t i = 0; i < plan->step_count; i++) {
            const int lane = lane_of(plan, &plan->steps[i]);
            if (lane != NONE)
                d->meets[p][lane][d->meet_count[p][lane]++] = i;
        }
    }
}

static bool is_same_meeting(const vdnn_step *a, const vdnn_step *b, int lane)
{
    return lane == 0 ? a->kind == b->kind && a->bytes == b->bytes &&
                           (a->kind == VDNN_STEP_REDUCE || a->layer == b->layer)
                     : a->layer == b->layer && a->pass == b->pass && a->micro == b->micro;
}

static bool check_meetings(devices *d)
{
    for (int32_t p = 1; p < d->count; p++)
        for (int lane = 0; lane < LANES; lane++) {
            if (d->meet_count[p][lane] != d->meet_count[0][lane])
                return is_wrong(d, "there are more, or fewer", p, lane);
            for (int32_t n = 0; n < d->meet_count[p][lane]; n++)
                if (!is_same_meeting(&d->plans[0]->steps[d->meets[0][lane][n]],
                                     &d->plans[p]->steps[d->meets[p][lane][n]], lane))
                    return is_wrong(d, "it is another", p, n);
        }
    return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Which meeting of its lane a step is. */
static int32_t number_of(const devices *d, int32_t p, int lane, int32_t step)
{
    int32_t n = 0;
    while (d->meets[p][lane][n] != step)
        n++;
    return n;
}

/* Whether a step can be complete: all before it on its stream are, and those that it waits for. */
static bool is_ready(const vdnn_plan *plan, const int32_t *done, int32_t step)
{
    const vdnn_step *own = &plan->steps[step];
    for (int32_t i = 0; i < step; i++)
        if (plan->steps[i].stream == own->stream && done[i] == 0)
            return false;
    for (int32_t k = 0; k < own->wait_count; k++)
        if (done[plan->waits[own->first_wait + k]] == 0)
            return false;
    return true;
}

static bool all_are_ready(const devices *d, int32_t *const *done, int lane, int32_t number)
{
    for (int32_t p = 0; p < d->count; p++)
        if (!is_ready(d->plans[p], done[p], d->meets[p][lane][number]))
            return false;
    return true;
}

/* Does what can be done, until nothing can. */
static int32_t run_on(const devices *d, int32_t *const *done)
{
    int32_t steps = 0;
    for (int32_t p = 0; p < d->count; p++)
        for (int32_t i = 0; i < d->plans[p]->step_count; i++) {
            if (done[p][i] != 0 || !is_ready(d->plans[p], done[p], i))
                continue;
            const int lane = lane_of(d->plans[p], &d->plans[p]->steps[i]);
            if (lane != NONE && !all_are_ready(d, done, lane, number_of(d, p, lane, i)))
                continue;
            done[p][i] = 1;
            steps++;
        }
    return steps;
}

static bool check_order(devices *d)
{
    int32_t *done[MOST_DEVICES], left = 0;
    for (int32_t p = 0; p < d->count; p++) {
        done[p] = made(d->plans[p]->step_count);
        left += d->plans[p]->step_count;
    }
    for (int32_t steps = 1; steps > 0 && left > 0; left -= steps)
        steps = run_on(d, done);
    for (int32_t p = 0; p < d->count; p++)
        vdnn_heap_free(done[p]);
    return left == 0 || is_wrong(d, "all wait for each other", NONE, NONE);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool is_same_sum(const devices *d, int32_t p, const vdnn_plan_sum *a, const vdnn_plan_sum *b)
{
    const bool by_block = vdnn_step_reduce_part(d->plans[0]->graph, &d->plans[0]->steps[a->step]) ==
                          VDNN_REDUCE_SCATTER;
    return number_of(d, 0, 0, a->step) == number_of(d, p, 0, b->step) && a->layer == b->layer &&
           a->first == b->first && a->bytes == b->bytes && (by_block || a->place == b->place);
}

static bool check_sums(devices *d)
{
    for (int32_t p = 0; p < d->count; p++) {
        vdnn_plan_finding alone;
        vdnn_plan_interpret_sums(d->plans[p], d->plans[p]->span_bytes, &alone, &d->sums[p]);
    }
    for (int32_t p = 1; p < d->count; p++) {
        if (d->sums[p].count != d->sums[0].count)
            return is_wrong(d, "more, or fewer, gradients are summed", p, NONE);
        for (int32_t s = 0; s < d->sums[p].count; s++)
            if (!is_same_sum(d, p, &d->sums[0].list[s], &d->sums[p].list[s]))
                return is_wrong(d, "gradients of different blocks are summed", p, s);
    }
    return true;
}

void vdnn_devices_interpret(const vdnn_plan *const *plans, int32_t count,
                            vdnn_plan_finding *finding)
{
    devices d = {.plans = plans, .count = count, .finding = finding};
    *finding = (vdnn_plan_finding){.verdict = VDNN_PLAN_RIGHT};
    find_meetings(&d);
    (void)(check_meetings(&d) && check_order(&d) && check_sums(&d));
    for (int32_t p = 0; p < count; p++) {
        for (int lane = 0; lane < LANES; lane++)
            vdnn_heap_free(d.meets[p][lane]);
        vdnn_heap_free(d.sums[p].list);
    }
}
