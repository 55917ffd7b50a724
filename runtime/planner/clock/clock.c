#include "runtime/planner/clock/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- nothing is shared ----------------------------------------------------------------------- */

static double moved_at(const vdnn_clock_task *task, double begin)
{
    return task->bytes > 0 ? begin + task->bytes / task->rate : begin;
}

/* One pass in the order of the list, since a task's waits come before it. */
static double run_apart(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                        double *start, double *end)
{
    double free_at[VDNN_CLOCK_STREAMS] = {0};
    double last = 0;
    for (int32_t i = 0; i < count; i++) {
        const vdnn_clock_task *task = &tasks[i];
        double begin = free_at[task->stream];
        for (int32_t w = 0; w < task->wait_count; w++)
            begin = fmax(begin, end[waits[task->first_wait + w]]);
        start[i] = begin;
        end[i] = moved_at(task, begin + task->seconds);
        free_at[task->stream] = end[i];
        last = fmax(last, end[i]);
    }
    return last;
}

/* ---- sharing --------------------------------------------------------------------------------- */

typedef enum phase {
    PHASE_WAITING,
    PHASE_FIXED,  /* its seconds */
    PHASE_MOVING, /* its bytes */
    PHASE_IDLE    /* the stream has no further task */
} phase;

/* One stream and the task that it is at. */
typedef struct lane {
    const vdnn_clock_task *task;
    int32_t index, waited; /* of the task; how many of its waits have ended */
    phase phase;
    double since, left, rate; /* remaining seconds or bytes at that time, and how fast they pass */
    double until;             /* the end of the phase at the current rates */
    bool settled;             /* while rates are found */
} lane;

/* Of a device and a way: tasks that move bytes that way, and tasks that these slow. */
typedef struct meeting {
    int32_t moving[VDNN_CLOCK_WAYS], slowed[VDNN_CLOCK_WAYS];
} meeting;

typedef struct simulation {
    const vdnn_clock_task *tasks;
    const int32_t *waits;
    const double *channels;
    double *start, *end;
    double now;
    int32_t count, lane_count;
    bool is_mutual; /* some tasks that are slowed slow what moves */
    lane lanes[VDNN_CLOCK_STREAMS];
    meeting meetings[VDNN_CLOCK_DEVICES];
} simulation;

static void next_task(simulation *s, int32_t stream)
{
    lane *own = &s->lanes[stream];
    int32_t i = own->index + 1;
    while (i < s->count && s->tasks[i].stream != stream)
        i++;
    *own = (lane){.index = i,
                  .phase = i < s->count ? PHASE_WAITING : PHASE_IDLE,
                  .task = i < s->count ? &s->tasks[i] : NULL,
                  .until = HUGE_VAL};
}

static bool can_be_slowed(const vdnn_clock_task *task)
{
    bool can = false;
    for (int w = 0; w < VDNN_CLOCK_WAYS; w++)
        can = can || task->slowed[w] > 0;
    return can;
}

/* Counts a task among those that are slowed, or no longer; true if the rate of bytes changes by it.
 */
static bool count_slowed(simulation *s, const vdnn_clock_task *task, int32_t change)
{
    meeting *at = &s->meetings[task->device];
    bool meets = false;
    for (int w = 0; w < VDNN_CLOCK_WAYS; w++)
        if (task->slowed[w] > 0) {
            at->slowed[w] += change;
            meets = meets || at->moving[w] > 0;
        }
    return meets && s->is_mutual;
}

static void set_rate(simulation *s, lane *own, double rate)
{
    own->settled = true;
    if (!(rate < own->rate) && !(rate > own->rate))
        return;
    own->left = fmax(own->left - (s->now - own->since) * own->rate, 0);
    own->since = s->now;
    own->rate = rate;
    own->until = s->now + own->left / rate;
}

/* By what moves on its device now. */
static void slow_task(simulation *s, lane *own)
{
    double times = 1;
    for (int w = 0; w < VDNN_CLOCK_WAYS; w++)
        if (s->meetings[own->task->device].moving[w] > 0)
            times += own->task->slowed[w];
    set_rate(s, own, 1 / times);
}

/* True if the rates of transfers change. */
static bool begin_tasks(simulation *s)
{
    bool changed = false;
    for (int32_t l = 0; l < s->lane_count; l++) {
        lane *own = &s->lanes[l];
        if (own->phase != PHASE_WAITING)
            continue;
        const int32_t *waits = s->waits + own->task->first_wait;
        while (own->waited < own->task->wait_count && isfinite(s->end[waits[own->waited]]))
            own->waited++;
        if (own->waited < own->task->wait_count)
            continue;
        own->phase = PHASE_FIXED;
        own->since = s->now;
        own->left = own->task->seconds;
        own->rate = 1;
        own->until = s->now + own->task->seconds;
        s->start[own->index] = s->now;
        if (!can_be_slowed(own->task))
            continue;
        slow_task(s, own);
        changed = count_slowed(s, own->task, 1) || changed;
    }
    return changed;
}

static void begin_moving(simulation *s, lane *own)
{
    s->meetings[own->task->device].moving[own->task->way]++;
    own->phase = PHASE_MOVING;
    own->since = s->now;
    own->left = own->task->bytes;
    own->rate = own->task->rate;
    own->until = moved_at(own->task, s->now);
}

/* Ends every phase that is complete now; true if the rates of transfers change. *moved: a transfer
 * began or ended. */
static bool end_phases(simulation *s, bool *moved)
{
    bool changed = false;
    *moved = false;
    for (int32_t l = 0; l < s->lane_count; l++) {
        lane *own = &s->lanes[l];
        const vdnn_clock_task *task = own->task;
        if (own->until > s->now)
            continue;
        *moved = *moved || task->bytes > 0;
        if (own->phase == PHASE_FIXED && can_be_slowed(task))
            changed = count_slowed(s, task, -1) || changed;
        if (own->phase == PHASE_FIXED && task->bytes > 0) {
            begin_moving(s, own);
            continue;
        }
        s->meetings[task->device].moving[task->way] -= own->phase == PHASE_MOVING;
        s->end[own->index] = s->now;
        next_task(s, l);
    }
    return changed || *moved;
}

/* The rest of each channel's rate, and its number of users. */
typedef struct share {
    double left[VDNN_CLOCK_CHANNELS];
    int users[VDNN_CLOCK_CHANNELS];
} share;

static void count_users(const simulation *s, share *shares)
{
    *shares = (share){.users = {0}};
    for (int32_t l = 0; l < s->lane_count; l++)
        for (int c = 0; s->lanes[l].phase == PHASE_MOVING && c < VDNN_CLOCK_CHANNELS; c++)
            if (s->lanes[l].task->channels >> c & 1U) {
                shares->left[c] = s->channels[c];
                shares->users[c]++;
            }
}

/* Of a transfer that has all channels alone. */
static double most_rate(const simulation *s, const vdnn_clock_task *task)
{
    bool is_beside = s->meetings[task->device].slowed[task->way] > 0;
    return is_beside && task->beside_rate > 0 ? task->beside_rate : task->rate;
}

/* The most that a lane can get when every user of its channels gets the same. */
static double limit_of(const simulation *s, const lane *own, const share *shares)
{
    double limit = most_rate(s, own->task);
    for (int c = 0; c < VDNN_CLOCK_CHANNELS; c++)
        if (own->task->channels >> c & 1U)
            limit = fmin(limit, shares->left[c] / shares->users[c]);
    return limit;
}

/* Repeatedly fixes the lanes with the lowest rate, until each has its rate. */
static void share_channels(simulation *s)
{
    share shares;
    count_users(s, &shares);
    for (int32_t l = 0; l < s->lane_count; l++)
        s->lanes[l].settled = s->lanes[l].phase != PHASE_MOVING;
    for (;;) {
        double least = HUGE_VAL;
        for (int32_t l = 0; l < s->lane_count; l++)
            if (!s->lanes[l].settled)
                least = fmin(least, limit_of(s, &s->lanes[l], &shares));
        if (isinf(least))
            return;
        share after = shares;
        for (int32_t l = 0; l < s->lane_count; l++) {
            lane *own = &s->lanes[l];
            if (own->settled || limit_of(s, own, &shares) > least)
                continue;
            set_rate(s, own, least);
            for (int c = 0; c < VDNN_CLOCK_CHANNELS; c++)
                if (own->task->channels >> c & 1U) {
                    after.left[c] = fmax(after.left[c] - least, 0);
                    after.users[c]--;
                }
        }
        shares = after;
    }
}

static void slow_tasks(simulation *s)
{
    for (int32_t l = 0; l < s->lane_count; l++)
        if (s->lanes[l].phase == PHASE_FIXED && can_be_slowed(s->lanes[l].task))
            slow_task(s, &s->lanes[l]);
}

static void begin_simulation(simulation *s)
{
    for (int32_t i = 0; i < s->count; i++) {
        s->end[i] = HUGE_VAL;
        if (s->tasks[i].stream >= s->lane_count)
            s->lane_count = s->tasks[i].stream + 1;
        s->is_mutual = s->is_mutual || s->tasks[i].beside_rate > 0;
    }
    for (int32_t l = 0; l < s->lane_count; l++) {
        s->lanes[l].index = -1;
        next_task(s, l);
    }
}

static double run_shared(simulation *s)
{
    bool changed = false, moved = false;
    begin_simulation(s);
    for (;;) {
        double next = HUGE_VAL;
        if (moved)
            slow_tasks(s);
        if (begin_tasks(s) || changed)
            share_channels(s);
        for (int32_t l = 0; l < s->lane_count; l++)
            next = fmin(next, s->lanes[l].until);
        if (isinf(next))
            return s->now;
        s->now = next;
        changed = end_phases(s, &moved);
    }
}

double vdnn_clock_run(const vdnn_clock_task *tasks, int32_t count, const int32_t *waits,
                      const double *channels, double *start, double *end)
{
    if (channels == NULL)
        return run_apart(tasks, count, waits, start, end);
    simulation s = {.tasks = tasks,
                    .waits = waits,
                    .channels = channels,
                    .start = start,
                    .end = end,
                    .count = count};
    return run_shared(&s);
}
