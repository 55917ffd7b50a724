#include "runtime/planning/pipeline_clock.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/clock.h"

#include <math.h>
#include <stdbool.h>

/* The streams of a stage. */
enum { COMPUTE, SEND_ON, SEND_BACK, STREAMS };
_Static_assert(VDNN_PIPELINE_STAGES *STREAMS <= VDNN_CLOCK_STREAMS, "each stage has its streams");
_Static_assert((int)VDNN_PIPELINE_STAGES <= (int)VDNN_CLOCK_DEVICES, "each stage is a device");

enum { UNSENT = -1 };

/* What is known of a stage while its tasks are added. */
typedef struct progress {
    vdnn_pipeline_item *items; /* owned */
    int32_t count, next;       /* of items; the next one whose tasks are added */
    int32_t *sent[2];          /* owned; per micro-batch: the task of the send on, and back */
    int32_t last_pass;         /* a task */
} progress;

typedef struct build {
    const vdnn_pipeline *own; /* borrowed */
    progress *stages;         /* owned */
    vdnn_clock_task *tasks;   /* owned */
    int32_t *waits;           /* owned */
    double *start, *end;      /* owned, by start */
    int32_t task_count, wait_count;
} build;

static double seconds_of(const vdnn_pipeline_stage *stage, vdnn_pipeline_pass pass)
{
    const double seconds[] = {
        [VDNN_PIPELINE_FORWARD] = stage->forward_seconds,
        [VDNN_PIPELINE_BACKWARD] = stage->data_seconds + stage->filter_seconds,
        [VDNN_PIPELINE_BACKWARD_DATA] = stage->data_seconds,
        [VDNN_PIPELINE_BACKWARD_FILTER] = stage->filter_seconds,
    };
    return seconds[pass];
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* `after`: a task that it waits for; UNSENT: none. Returns its number. */
static int32_t add_task(build *all, int32_t stage, int32_t stream, int32_t after,
                        vdnn_clock_task task)
{
    task.stream = stage * STREAMS + stream;
    task.device = stage;
    task.first_wait = all->wait_count;
    task.wait_count = after == UNSENT ? 0 : 1;
    if (after != UNSENT)
        all->waits[all->wait_count++] = after;
    all->tasks[all->task_count] = task;
    return all->task_count++;
}

/* The channels of a stage's link: out and in. More stages than the clock has channels for share
 * nothing. */
static uint32_t channel_of(const build *all, int32_t stage, bool in)
{
    const bool has = 2 * all->own->stage_count <= VDNN_CLOCK_CHANNELS;
    return has ? UINT32_C(1) << (2 * stage + (in ? 1 : 0)) : 0;
}

static void add_send(build *all, int32_t stage, bool back, vdnn_pipeline_item item, int32_t after)
{
    const int32_t to = back ? stage - 1 : stage + 1;
    if (to < 0 || to == all->own->stage_count)
        return;
    const vdnn_clock_task task = {.seconds = all->own->neighbor.latency_seconds,
                                  .bytes = all->own->stages[back ? to : stage].next_bytes,
                                  .rate = all->own->neighbor.bytes_per_second,
                                  .channels =
                                      channel_of(all, stage, false) | channel_of(all, to, true)};
    all->stages[stage].sent[back ? 1 : 0][item.micro] =
        add_task(all, stage, back ? SEND_BACK : SEND_ON, after, task);
}

/* The send whose bytes a pass reads; UNSENT: none. False: it is not a task yet. */
static bool find_input(const build *all, int32_t s, vdnn_pipeline_item item, int32_t *send)
{
    const bool back = item.pass != VDNN_PIPELINE_FORWARD;
    const int32_t from = back ? s + 1 : s - 1;
    *send = UNSENT;
    if (item.pass == VDNN_PIPELINE_BACKWARD_FILTER || from < 0 || from == all->own->stage_count)
        return true;
    *send = all->stages[from].sent[back ? 1 : 0][item.micro];
    return *send != UNSENT;
}

/* False: the next pass waits for a stage whose tasks come first, or there is none. */
static bool add_next(build *all, int32_t s)
{
    progress *stage = &all->stages[s];
    int32_t input;
    if (stage->next == stage->count || !find_input(all, s, stage->items[stage->next], &input))
        return false;
    const vdnn_pipeline_item item = stage->items[stage->next++];
    const double seconds = seconds_of(&all->own->stages[s], item.pass);
    stage->last_pass = add_task(all, s, COMPUTE, input, (vdnn_clock_task){.seconds = seconds});
    if (item.pass != VDNN_PIPELINE_BACKWARD_FILTER)
        add_send(all, s, item.pass != VDNN_PIPELINE_FORWARD, item, stage->last_pass);
    if (stage->next == stage->count)
        (void)add_task(all, s, COMPUTE, UNSENT,
                       (vdnn_clock_task){.seconds = all->own->stages[s].end_seconds});
    return true;
}

/* ---- the step -------------------------------------------------------------------------------- */

static vdnn_status begin_stage(build *all, int32_t s)
{
    const size_t micro = (size_t)all->own->micro_count;
    progress *stage = &all->stages[s];
    stage->items = vdnn_heap_calloc(VDNN_PIPELINE_PASSES * micro, sizeof *stage->items);
    stage->sent[0] = vdnn_heap_calloc(2 * micro, sizeof *stage->sent[0]);
    if (stage->items == NULL || stage->sent[0] == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %zu micro-batches", micro);
    stage->sent[1] = stage->sent[0] + micro;
    for (size_t m = 0; m < 2 * micro; m++)
        stage->sent[0][m] = UNSENT;
    stage->count = vdnn_pipeline_items(all->own->schedule, all->own->stage_count, s,
                                       all->own->micro_count, stage->items);
    return VDNN_OK;
}

static vdnn_status begin(build *all)
{
    const size_t stages = (size_t)all->own->stage_count;
    size_t most = 0;
    for (size_t s = 0; s < stages; s++)
        most += (VDNN_PIPELINE_PASSES + 2) * (size_t)all->own->micro_count + 1;
    all->stages = vdnn_heap_calloc(stages, sizeof *all->stages);
    all->tasks = vdnn_heap_calloc(most, sizeof *all->tasks);
    all->waits = vdnn_heap_calloc(most, sizeof *all->waits);
    all->start = vdnn_heap_calloc(2 * most, sizeof *all->start);
    if (all->stages == NULL || all->tasks == NULL || all->waits == NULL || all->start == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the %zu tasks of a pipeline", most);
    all->end = all->start + most;
    vdnn_status status = VDNN_OK;
    for (int32_t s = 0; status == VDNN_OK && s < all->own->stage_count; s++)
        status = begin_stage(all, s);
    return status;
}

static void build_fini(build *all)
{
    for (int32_t s = 0; all->stages != NULL && s < all->own->stage_count; s++) {
        vdnn_heap_free(all->stages[s].items);
        vdnn_heap_free(all->stages[s].sent[0]);
    }
    vdnn_heap_free(all->stages);
    vdnn_heap_free(all->tasks);
    vdnn_heap_free(all->waits);
    vdnn_heap_free(all->start);
}

static void add_all(build *all)
{
    for (bool adds = true; adds;) {
        adds = false;
        for (int32_t s = 0; s < all->own->stage_count; s++)
            while (add_next(all, s))
                adds = true;
    }
}

static void run(build *all, vdnn_pipeline_times *times)
{
    double channels[VDNN_CLOCK_CHANNELS], busy = 0, span = 0;
    for (int c = 0; c < VDNN_CLOCK_CHANNELS; c++)
        channels[c] = all->own->neighbor.bytes_per_second;
    *times = (vdnn_pipeline_times){.step_seconds =
                                       vdnn_clock_run(all->tasks, all->task_count, all->waits,
                                                      channels, all->start, all->end)};
    for (int32_t s = 0; s < all->own->stage_count; s++) {
        const progress *stage = &all->stages[s];
        for (int32_t i = 0; i < stage->count; i++)
            busy += seconds_of(&all->own->stages[s], stage->items[i].pass);
        span = fmax(span, all->end[stage->last_pass]);
    }
    times->bubble = span > 0 ? 1 - busy / (span * all->own->stage_count) : 0;
}

vdnn_status vdnn_pipeline_time(const vdnn_pipeline *pipeline, vdnn_pipeline_times *times)
{
    build all = {.own = pipeline};
    vdnn_status status = begin(&all);
    if (status == VDNN_OK) {
        add_all(&all);
        run(&all, times);
    }
    build_fini(&all);
    return status;
}
