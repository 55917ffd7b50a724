#include "runtime/checker/checker.h"

#include "runtime/base/heap.h"
#include "runtime/checker/checker_internal.h"

#include <string.h>

/* The stages of a pipeline together: what one sends, the other receives, in one order on both
 * sides; and no device waits for another that waits for it, over however many.
 *
 * A send and its receive are taken to be complete at once, when both are the next ones on their
 * streams and nothing that they wait for is missing. A transport that keeps what is sent until it
 * is received waits less. If all steps of all stages can be completed so, none waits in a cycle. */

typedef struct pipeline {
    const vdnn_plan *const *plans;
    int32_t count;
    bool **done;                        /* per stage and step */
    int32_t (*next)[VDNN_STREAM_COUNT]; /* per stage: the next step of each stream */
} pipeline;

/* ---- what crosses a cut ---------------------------------------------------------------------- */

static const char *step_text(const vdnn_plan *plan, int32_t step)
{
    return step == plan->step_count ? "nothing" : plan->steps[step].label;
}

static bool is_same(const vdnn_step *a, const vdnn_step *b)
{
    return a->bytes == b->bytes && a->micro == b->micro && a->pass == b->pass &&
           strcmp(a->label, b->label) == 0;
}

/* What `from` sends to its neighbor above it (1), or below it (-1). */
static vdnn_status check_sends(const pipeline *all, int32_t from, int32_t peer)
{
    const int32_t to = from + peer;
    const vdnn_plan *sender = all->plans[from], *receiver = all->plans[to];
    int32_t a = -1, b = -1, number = 0;
    do {
        a = vdnn_plan_next_transfer(sender, a + 1, VDNN_STEP_SEND, peer);
        b = vdnn_plan_next_transfer(receiver, b + 1, VDNN_STEP_RECEIVE, -peer);
        number++;
        const bool ends = a == sender->step_count || b == receiver->step_count;
        if (ends ? a != sender->step_count || b != receiver->step_count
                 : !is_same(&sender->steps[a], &receiver->steps[b]))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "transfer %d: stage %d sends %s, and stage %d receives %s, or "
                                    "in another micro-batch or size",
                                    (int)number, (int)from, step_text(sender, a), (int)to,
                                    step_text(receiver, b));
    } while (a < sender->step_count);
    return VDNN_OK;
}

static bool is_same_place(const vdnn_stage *stage, const vdnn_stage *before, int32_t number,
                          int32_t count)
{
    return stage->number == number && stage->count == count &&
           stage->first == (before == NULL ? 0 : before->end) &&
           (before == NULL || stage->schedule == before->schedule);
}

static vdnn_status check_cuts(const pipeline *all)
{
    for (int32_t s = 0; s < all->count; s++) {
        const vdnn_graph *graph = all->plans[s]->graph;
        const vdnn_stage *before = s == 0 ? NULL : &all->plans[s - 1]->graph->stage;
        const bool is_last = s == all->count - 1;
        if (!is_same_place(&graph->stage, before, s, all->count) ||
            is_last != (graph->stage.end == graph->layer_count) ||
            graph->layer_count != all->plans[0]->graph->layer_count)
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "stage %d has layers %d to %d of %d, which do not follow those "
                                    "of the stage before",
                                    (int)s, (int)graph->stage.first, (int)graph->stage.end,
                                    (int)graph->layer_count);
    }
    return VDNN_OK;
}

static bool is_in_block(const vdnn_graph *graph, int32_t layer, int32_t owner)
{
    const vdnn_stage_block *block = vdnn_graph_stage_block(graph, graph->layers[layer].owner);
    return block != NULL && block->owner == owner;
}

/* The owner's parameters, then those of the other layers in all stages: without gaps. */
static bool is_whole_block(const pipeline *all, const vdnn_graph *keeper,
                           const vdnn_stage_block *block)
{
    size_t end = 0;
    bool good = vdnn_checker_params_follow(&keeper->layers[block->owner], 0, false, &end);
    for (int32_t s = 0; s < all->count; s++) {
        const vdnn_graph *graph = all->plans[s]->graph;
        for (int32_t l = graph->stage.first; l < graph->stage.end && good; l++)
            if (l != block->owner && is_in_block(graph, l, block->owner))
                good = vdnn_checker_params_follow(&graph->layers[l], 1, false, &end);
    }
    return good && end == block->param_bytes;
}

static vdnn_status check_blocks(const pipeline *all, const vdnn_graph *graph)
{
    for (int32_t b = 0; b < graph->stage_block_count; b++) {
        const vdnn_stage_block *block = &graph->stage_blocks[b];
        if (block->below < 0 && !is_whole_block(all, graph, block))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "the layers that share the weight of %s have other parameters "
                                    "than its block",
                                    graph->layers[block->owner].name);
    }
    return VDNN_OK;
}

/* ---- whether all can end --------------------------------------------------------------------- */

static bool is_ready(const pipeline *all, int32_t stage, int32_t step)
{
    const vdnn_plan *plan = all->plans[stage];
    const vdnn_step *own = &plan->steps[step];
    for (int32_t k = 0; k < own->wait_count; k++)
        if (!all->done[stage][plan->waits[own->first_wait + k]])
            return false;
    return true;
}

static int32_t next_on(const vdnn_plan *plan, int32_t from, vdnn_stream_id stream)
{
    while (from < plan->step_count && plan->steps[from].stream != stream)
        from++;
    return from;
}

static void complete(pipeline *all, int32_t stage, vdnn_stream_id stream)
{
    int32_t *next = &all->next[stage][stream];
    all->done[stage][*next] = true;
    *next = next_on(all->plans[stage], *next + 1, stream);
}

/* The receive with which a send ends; -1: its neighbor is not there yet. */
static bool meets(const pipeline *all, int32_t stage, const vdnn_step *send, int32_t *other)
{
    *other = stage + vdnn_step_peer(send);
    const vdnn_plan *plan = all->plans[*other];
    const int32_t next = all->next[*other][VDNN_STREAM_RECEIVE];
    return next < plan->step_count && is_same(send, &plan->steps[next]) &&
           is_ready(all, *other, next);
}

/* Completes steps of a stream as far as it can; whether there were any. */
static bool advance(pipeline *all, int32_t stage, vdnn_stream_id stream)
{
    const vdnn_plan *plan = all->plans[stage];
    bool moved = false;
    for (;; moved = true) {
        const int32_t next = all->next[stage][stream];
        int32_t other = -1;
        if (next == plan->step_count || stream == VDNN_STREAM_RECEIVE ||
            !is_ready(all, stage, next) ||
            (stream == VDNN_STREAM_SEND && !meets(all, stage, &plan->steps[next], &other)))
            return moved;
        complete(all, stage, stream);
        if (other >= 0)
            complete(all, other, VDNN_STREAM_RECEIVE);
    }
}

static vdnn_status check_ends(const pipeline *all)
{
    for (int32_t s = 0; s < all->count; s++)
        for (int k = 0; k < VDNN_STREAM_COUNT; k++) {
            const int32_t next = all->next[s][k];
            if (next < all->plans[s]->step_count)
                return vdnn_status_fail(VDNN_INTERNAL,
                                        "stage %d never comes beyond step %d (%s %s): devices wait "
                                        "for each other in a cycle",
                                        (int)s, (int)next,
                                        vdnn_step_kind_text(all->plans[s]->steps[next].kind),
                                        all->plans[s]->steps[next].label);
        }
    return VDNN_OK;
}

static vdnn_status run(pipeline *all)
{
    for (int32_t s = 0; s < all->count; s++)
        for (int k = 0; k < VDNN_STREAM_COUNT; k++)
            all->next[s][k] = next_on(all->plans[s], 0, (vdnn_stream_id)k);
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t s = 0; s < all->count; s++)
            for (int k = 0; k < VDNN_STREAM_COUNT; k++)
                moved = advance(all, s, (vdnn_stream_id)k) || moved;
    }
    return check_ends(all);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static vdnn_status check_order(pipeline *all)
{
    all->done = vdnn_heap_calloc((size_t)all->count, sizeof(bool *));
    all->next = vdnn_heap_calloc((size_t)all->count, sizeof *all->next);
    bool enough = all->done != NULL && all->next != NULL;
    for (int32_t s = 0; s < all->count && enough; s++) {
        all->done[s] = vdnn_heap_calloc((size_t)all->plans[s]->step_count, sizeof(bool));
        enough = all->done[s] != NULL;
    }
    vdnn_status status = VDNN_OK;
    if (!enough)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to compare %d plans", (int)all->count);
    VDNN_IF_OK(status, run(all));
    for (int32_t s = 0; s < all->count && all->done != NULL; s++)
        vdnn_heap_free(all->done[s]);
    vdnn_heap_free(all->done);
    vdnn_heap_free(all->next);
    return status;
}

vdnn_status vdnn_checker_check_stages(const vdnn_plan *const *plans, int32_t count)
{
    pipeline all = {.plans = plans, .count = count};
    VDNN_TRY(check_cuts(&all));
    for (int32_t s = 0; s < count; s++) {
        VDNN_TRY(check_blocks(&all, plans[s]->graph));
        if (s + 1 < count)
            VDNN_TRY(check_sends(&all, s, 1));
        if (s > 0)
            VDNN_TRY(check_sends(&all, s, -1));
    }
    return check_order(&all);
}
