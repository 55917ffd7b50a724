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
    double since, left, rate; /* remaining bytes at that time */
    double until;             /* the end of the phase at the current rates */
    bool settled;             /* while rates are found */
} lane;

typedef struct simulation {
    const vdnn_clock_task *tasks;
    const int32_t *waits;
    const double *channels;
    double *start, *end;
    double now;
    int32_t count, lane_count;
    lane lanes[VDNN_CLOCK_STREAMS];
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

static void begin_tasks(simulation *s)
{
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
        own->until = s->now + own->task->seconds;
        s->start[own->index] = s->now;
    }
}

/* Ends every phase that is complete now; true if a transfer began or ended. */
static bool end_phases(simulation *s)
{
    bool changed = false;
    for (int32_t l = 0; l < s->lane_count; l++) {
        lane *own = &s->lanes[l];
        if (own->until > s->now)
            continue;
        changed = changed || own->phase == PHASE_MOVING || own->task->bytes > 0;
        if (own->phase == PHASE_FIXED && own->task->bytes > 0) {
            own->phase = PHASE_MOVING;
            own->since = s->now;
            own->left = own->task->bytes;
            own->rate = own->task->rate;
            own->until = moved_at(own->task, s->now);
        } else {
            s->end[own->index] = s->now;
            next_task(s, l);
        }
    }
    return changed;
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

/* The most that a lane can get when every user of its channels gets the same. */
static double limit_of(const lane *own, const share *shares)
{
    double limit = own->task->rate;
    for (int c = 0; c < VDNN_CLOCK_CHANNELS; c++)
        if (own->task->channels >> c & 1U)
            limit = fmin(limit, shares->left[c] / shares->users[c]);
    return limit;
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
                least = fmin(least, limit_of(&s->lanes[l], &shares));
        if (isinf(least))
            return;
        share after = shares;
        for (int32_t l = 0; l < s->lane_count; l++) {
            lane *own = &s->lanes[l];
            if (own->settled || limit_of(own, &shares) > least)
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

static void begin_simulation(simulation *s)
{
    for (int32_t i = 0; i < s->count; i++) {
        s->end[i] = HUGE_VAL;
        if (s->tasks[i].stream >= s->lane_count)
            s->lane_count = s->tasks[i].stream + 1;
    }
    for (int32_t l = 0; l < s->lane_count; l++) {
        s->lanes[l].index = -1;
        next_task(s, l);
    }
}

static double run_shared(simulation *s)
{
    begin_simulation(s);
    for (;;) {
        double next = HUGE_VAL;
        begin_tasks(s);
        for (int32_t l = 0; l < s->lane_count; l++)
            next = fmin(next, s->lanes[l].until);
        if (isinf(next))
            return s->now;
        s->now = next;
        if (end_phases(s))
            share_channels(s);
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
