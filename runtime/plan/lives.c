#include "runtime/plan/lives.h"

#include "runtime/base/heap.h"

/* Per step of the plan. `done`: compute steps that are complete before it starts; `seen`: the first
 * compute step that starts after it is complete, their number if there is none. Of a compute step
 * its own position, and the next. */
typedef struct order {
    const vdnn_plan *plan;
    int32_t *done, *seen;
    int32_t compute_count;
} order;

static bool is_compute(const order *own, int32_t step)
{
    return own->plan->steps[step].stream == VDNN_STREAM_COMPUTE;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Forward over the list: what a step follows comes before it. */
static void find_done(order *own)
{
    const vdnn_plan *plan = own->plan;
    int32_t on_stream[VDNN_STREAM_COUNT] = {0};
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        int32_t done = on_stream[step->stream];
        for (int32_t k = 0; k < step->wait_count && !is_compute(own, s); k++) {
            const int32_t target = plan->waits[step->first_wait + k];
            done = larger(done, own->done[target] + (is_compute(own, target) ? 1 : 0));
        }
        own->done[s] = done;
        on_stream[step->stream] = done + (is_compute(own, s) ? 1 : 0);
    }
    own->compute_count = on_stream[VDNN_STREAM_COMPUTE];
}

/* Backward over it: what follows a step comes behind it. */
static void find_seen(order *own)
{
    const vdnn_plan *plan = own->plan;
    int32_t on_stream[VDNN_STREAM_COUNT];
    for (int32_t s = 0; s < plan->step_count; s++)
        own->seen[s] = own->compute_count;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        on_stream[k] = own->compute_count;
    for (int32_t s = plan->step_count; s-- > 0;) {
        const vdnn_step *step = &plan->steps[s];
        own->seen[s] = smaller(own->seen[s], on_stream[step->stream]);
        const int32_t tells = is_compute(own, s) ? own->done[s] : own->seen[s];
        on_stream[step->stream] = tells;
        for (int32_t k = 0; k < step->wait_count; k++) {
            int32_t *seen = &own->seen[plan->waits[step->first_wait + k]];
            *seen = smaller(*seen, tells);
        }
    }
}

static vdnn_life access_life(const order *own, int32_t step)
{
    const int32_t done = own->done[step];
    if (is_compute(own, step))
        return (vdnn_life){2 * done, 2 * done + 1};
    return (vdnn_life){done > 0 ? 2 * done - 1 : 0, 2 * own->seen[step]};
}

static void find_lives(const order *own, vdnn_life *lives)
{
    const vdnn_plan *plan = own->plan;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        lives[b] = (vdnn_life){INT32_MAX, 0};
    for (int32_t s = 0; s < plan->step_count; s++)
        for (int32_t k = 0; k < plan->steps[s].access_count; k++) {
            vdnn_life *of = &lives[plan->accesses[plan->steps[s].first_access + k].buffer];
            const vdnn_life more = access_life(own, s);
            of->first = smaller(of->first, more.first);
            of->end = larger(larger(of->end, more.end), of->first + 1);
        }
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        if (plan->buffers[b].persistent)
            lives[b] = (vdnn_life){0, 2 * own->compute_count};
        else if (lives[b].end == 0)
            lives[b].first = 0;
    }
}

vdnn_status vdnn_lives_init(const vdnn_plan *plan, vdnn_lives *lives)
{
    const size_t steps = (size_t)plan->step_count;
    order own = {.plan = plan,
                 .done = vdnn_heap_calloc(steps, sizeof *own.done),
                 .seen = vdnn_heap_calloc(steps, sizeof *own.seen)};
    *lives = (vdnn_lives){.of = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *lives->of)};
    const bool lacks = own.done == NULL || own.seen == NULL || lives->of == NULL;
    if (!lacks) {
        find_done(&own);
        find_seen(&own);
        find_lives(&own, lives->of);
        lives->point_count = 2 * own.compute_count;
    }
    vdnn_heap_free(own.done);
    vdnn_heap_free(own.seen);
    if (!lacks)
        return VDNN_OK;
    vdnn_lives_fini(lives);
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the lives of %d buffers",
                            (int)plan->buffer_count);
}

void vdnn_lives_fini(vdnn_lives *lives)
{
    vdnn_heap_free(lives->of);
    *lives = (vdnn_lives){0};
}
