#include "runtime/planner/clock/together.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/link.h"
#include "runtime/planner/clock/timing.h"

#include <math.h>
#include <string.h>

/* With plans of two shapes: all of the first, some of both, all of the second, and the last link,
 * which may have fewer devices. */
enum { KINDS = 4 };
_Static_assert(KINDS *VDNN_LINK_DEVICES *VDNN_STREAM_COUNT < VDNN_CLOCK_STREAMS,
               "a stream is left for where all devices meet");
_Static_assert(KINDS *VDNN_LINK_DEVICES < VDNN_CLOCK_DEVICES, "each device is one");
_Static_assert(KINDS *VDNN_LINK_CHANNELS <= VDNN_CLOCK_CHANNELS, "each link has its channels");

/* Links on which the same plans run. */
typedef struct link_kind {
    const vdnn_plan *const *plans; /* borrowed */
    int32_t count;
    int32_t first; /* of its devices among those of all kinds */
} link_kind;

/* One device of a kind of links. */
typedef struct member {
    const vdnn_plan *plan;
    int32_t kind, place; /* on its link */
    int32_t first_task;
    bool is_timed;
    vdnn_together_times times;
} member;

/* All tasks: those of each member's plan, then two for each sum over the devices, on a stream of
 * their own: where all have come to it, and where it has ended for all.
 *
 *     device 0  ... backward -.           .- sum -.          .- update ...
 *     device 1  ... backward -'- arrived -'- sum -'- summed -'- update ...   */
typedef struct together {
    link_kind kinds[KINDS];
    int32_t kind_count;
    member members[KINDS * VDNN_LINK_DEVICES];
    int32_t member_count, sum_count;
    vdnn_clock_task *tasks;
    int32_t *awaited; /* by task: what those that wait for it wait for */
    int32_t *waits;
    double *start, *end;
    int32_t task_count, wait_count;
    int32_t first_meeting; /* the first task behind those of the plans */
} together;

/* ---- links ----------------------------------------------------------------------------------- */

static int32_t kind_of(const together *all, const vdnn_plan *const *plans, int32_t count)
{
    int32_t k = 0;
    while (k < all->kind_count &&
           (all->kinds[k].count != count ||
            memcmp(all->kinds[k].plans, plans, (size_t)count * sizeof *plans) != 0))
        k++;
    return k;
}

static vdnn_status add_link(together *all, const vdnn_plan *const *plans, int32_t count)
{
    int32_t k = kind_of(all, plans, count);
    if (k < all->kind_count)
        return VDNN_OK;
    if (k == KINDS)
        return vdnn_status_fail(VDNN_INTERNAL, "devices of more than two shapes on one clock");
    all->kinds[all->kind_count++] = (link_kind){plans, count, all->member_count};
    for (int32_t d = 0; d < count; d++)
        all->members[all->member_count++] = (member){.plan = plans[d], .kind = k, .place = d};
    return VDNN_OK;
}

static vdnn_status add_links(together *all, const vdnn_plan *const *plans, int32_t count,
                             int32_t on_one_link)
{
    vdnn_status status = VDNN_OK;
    for (int32_t first = 0; status == VDNN_OK && first < count; first += on_one_link) {
        int32_t left = count - first;
        status = add_link(all, plans + first, left < on_one_link ? left : on_one_link);
    }
    return status;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static bool is_sum(const vdnn_step *step)
{
    return vdnn_step_row_of(step->kind)->cost == VDNN_COST_REDUCE;
}

static int32_t count_sums(const vdnn_plan *plan)
{
    int32_t count = 0;
    for (int32_t s = 0; s < plan->step_count; s++)
        count += is_sum(&plan->steps[s]);
    return count;
}

static vdnn_status allocate(together *all)
{
    size_t tasks = 0, waits = 0;
    for (int32_t m = 0; m < all->member_count; m++) {
        const vdnn_plan *plan = all->members[m].plan;
        all->members[m].first_task = (int32_t)tasks;
        tasks += (size_t)plan->step_count;
        waits += 2 * (size_t)plan->wait_count; /* of its tasks, and of its sums where all arrive */
        if (count_sums(plan) != all->sum_count)
            return vdnn_status_fail(VDNN_INTERNAL, "plans of devices with %d and %d sums",
                                    all->sum_count, count_sums(plan));
    }
    waits += 2 * (size_t)all->member_count * (size_t)all->sum_count;
    all->first_meeting = (int32_t)tasks;
    tasks += 2 * (size_t)all->sum_count;
    all->task_count = (int32_t)tasks;
    all->tasks = vdnn_heap_calloc(tasks, sizeof *all->tasks);
    all->awaited = vdnn_heap_calloc(tasks, sizeof *all->awaited);
    all->waits = vdnn_heap_calloc(waits + 1, sizeof *all->waits);
    all->start = vdnn_heap_calloc(2 * tasks, sizeof *all->start);
    if (all->tasks == NULL || all->awaited == NULL || all->waits == NULL || all->start == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to time %zu steps at once", tasks);
    all->end = all->start + tasks;
    return VDNN_OK;
}

static void together_fini(together *all)
{
    vdnn_heap_free(all->tasks);
    vdnn_heap_free(all->awaited);
    vdnn_heap_free(all->waits);
    vdnn_heap_free(all->start);
}

static int32_t arrived(const together *all, int32_t sum)
{
    return all->first_meeting + 2 * sum;
}

static int32_t summed(const together *all, int32_t sum)
{
    return arrived(all, sum) + 1;
}

/* The channels of the member's link; a sum that crosses a link once does so for its first device.
 */
static uint32_t channels_of(const member *own, const vdnn_rates *rates, bool sums,
                            const vdnn_clock_task *task)
{
    bool counted = !sums || own->place == 0 || rates->reduce.crossing == VDNN_REDUCE_CROSSES_EACH;
    return counted ? task->channels << (own->kind * VDNN_LINK_CHANNELS) : 0;
}

/* Its waits follow. */
static void add_tasks(together *all, int32_t m, const vdnn_rates *rates)
{
    const member *own = &all->members[m];
    vdnn_clock_task *tasks = all->tasks + own->first_task;
    int32_t sum = 0;
    vdnn_timing_tasks(own->plan, rates, tasks);
    for (int32_t s = 0; s < own->plan->step_count; s++) {
        bool sums = is_sum(&own->plan->steps[s]);
        tasks[s].stream += m * VDNN_STREAM_COUNT;
        tasks[s].device = m;
        tasks[s].channels = channels_of(own, rates, sums, &tasks[s]);
        all->awaited[own->first_task + s] = sums ? summed(all, sum++) : own->first_task + s;
    }
}

static void add_wait(together *all, vdnn_clock_task *task, int32_t awaited)
{
    all->waits[all->wait_count++] = awaited;
    task->wait_count++;
}

/* Those of a step, for `task`. */
static void add_waits(together *all, const member *own, int32_t s, vdnn_clock_task *task)
{
    const vdnn_step *step = &own->plan->steps[s];
    for (int32_t w = 0; w < step->wait_count; w++)
        add_wait(all, task, all->awaited[own->first_task + own->plan->waits[step->first_wait + w]]);
}

static void begin_waits(const together *all, vdnn_clock_task *task)
{
    task->first_wait = all->wait_count;
    task->wait_count = 0;
}

static void order_plans(together *all)
{
    for (int32_t m = 0; m < all->member_count; m++) {
        const member *own = &all->members[m];
        int32_t sum = 0;
        for (int32_t s = 0; s < own->plan->step_count; s++) {
            vdnn_clock_task *task = &all->tasks[own->first_task + s];
            begin_waits(all, task);
            if (is_sum(&own->plan->steps[s]))
                add_wait(all, task, arrived(all, sum++));
            else
                add_waits(all, own, s, task);
        }
    }
}

/* The step of a plan that is its sum of that number. */
static int32_t find_sum(const vdnn_plan *plan, int32_t sum)
{
    int32_t s = 0;
    while (!is_sum(&plan->steps[s]) || sum-- > 0)
        s++;
    return s;
}

static void order_meetings(together *all)
{
    for (int32_t sum = 0; sum < all->sum_count; sum++) {
        vdnn_clock_task *before = &all->tasks[arrived(all, sum)];
        vdnn_clock_task *behind = &all->tasks[summed(all, sum)];
        before->stream = behind->stream = all->member_count * VDNN_STREAM_COUNT;
        begin_waits(all, before);
        for (int32_t m = 0; m < all->member_count; m++)
            add_waits(all, &all->members[m], find_sum(all->members[m].plan, sum), before);
        begin_waits(all, behind);
        for (int32_t m = 0; m < all->member_count; m++)
            add_wait(all, behind, all->members[m].first_task + find_sum(all->members[m].plan, sum));
    }
}

/* ---- times ----------------------------------------------------------------------------------- */

/* How long a task of a plan runs while no kernel of its device does. */
static double exposed_seconds(const vdnn_plan *plan, int32_t s, const double *start,
                              const double *end)
{
    double exposed = end[s] - start[s];
    for (int32_t c = 0; c < plan->step_count; c++)
        if (vdnn_step_row_of(plan->steps[c].kind)->work == VDNN_WORK_COMPUTE)
            exposed -= fmax(fmin(end[s], end[c]) - fmax(start[s], start[c]), 0);
    return fmax(exposed, 0);
}

static vdnn_together_times times_of(const vdnn_plan *plan, const double *start, const double *end)
{
    vdnn_together_times times = {0};
    for (int32_t s = 0; s < plan->step_count; s++) {
        times.step_seconds = fmax(times.step_seconds, end[s]);
        if (is_sum(&plan->steps[s]))
            times.exposed_reduce_seconds += exposed_seconds(plan, s, start, end);
    }
    return times;
}

static void run(together *all, const vdnn_rates *rates)
{
    double channels[KINDS * VDNN_LINK_CHANNELS];
    for (int32_t m = 0; m < all->member_count; m++)
        add_tasks(all, m, rates);
    order_plans(all);
    order_meetings(all);
    for (int32_t k = 0; k < all->kind_count; k++)
        (void)vdnn_link_channels(rates, all->kinds[k].count, channels + k * VDNN_LINK_CHANNELS);
    (void)vdnn_clock_run(all->tasks, all->task_count, all->waits, channels, all->start, all->end);
}

vdnn_status vdnn_together_run(const vdnn_plan *const *plans, int32_t count, const vdnn_rates *rates,
                              int32_t on_one_link, vdnn_together_times *times)
{
    together all = {.sum_count = count_sums(plans[0])};
    vdnn_status status = add_links(&all, plans, count, on_one_link);
    VDNN_IF_OK(status, allocate(&all));
    if (status == VDNN_OK)
        run(&all, rates);
    for (int32_t d = 0; status == VDNN_OK && d < count; d++) {
        int32_t first = d / on_one_link * on_one_link, left = count - first;
        int32_t kind = kind_of(&all, plans + first, left < on_one_link ? left : on_one_link);
        member *own = &all.members[all.kinds[kind].first + d - first];
        if (!own->is_timed)
            own->times = times_of(plans[d], all.start + own->first_task, all.end + own->first_task);
        own->is_timed = true;
        times[d] = own->times;
    }
    together_fini(&all);
    return status;
}
