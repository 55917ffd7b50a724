/* Trials by planning, once for the same decisions, as far as the answer requires. */

#include "runtime/base/heap.h"
#include "runtime/planner/planner.h"

#include <string.h>

/* Bytes alive beside the workspace: a sweep over the plan's steps. */
static vdnn_status note_live(const vdnn_plan *plan, vdnn_trial_live *live)
{
    int64_t *change = vdnn_heap_calloc((size_t)plan->step_count + 1, sizeof *change);
    if (change == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to try a plan of %d steps",
                                (int)plan->step_count);
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        if (buffer->tier != VDNN_TIER_DEVICE || buffer->class == VDNN_CLASS_WORKSPACE)
            continue;
        change[buffer->first_step] += (int64_t)buffer->bytes;
        change[buffer->last_step + 1] -= (int64_t)buffer->bytes;
    }
    int64_t sum = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        sum += change[s];
        if (step->layer < 0 || step->stream != VDNN_STREAM_COMPUTE)
            continue;
        size_t *most = &live[step->layer][step->pass == VDNN_FORWARD ? 0 : 1];
        if ((size_t)sum > *most)
            *most = (size_t)sum;
    }
    vdnn_heap_free(change);
    return VDNN_OK;
}

/* ---- what was tried -------------------------------------------------------------------------- */

struct vdnn_trial_record {
    vdnn_decisions decisions;
    vdnn_trial_result result;
    struct vdnn_trial_record *next;
};

static const vdnn_trial_result *find(const vdnn_trial_memo *memo, const vdnn_decisions *decisions)
{
    for (const struct vdnn_trial_record *r = memo->first; r != NULL; r = r->next)
        if (vdnn_decisions_same(&r->decisions, decisions))
            return &r->result;
    return NULL;
}

static vdnn_status keep(vdnn_trial_memo *memo, const vdnn_decisions *decisions,
                        const vdnn_trial_result *result)
{
    struct vdnn_trial_record *record = vdnn_heap_calloc(1, sizeof *record);
    if (record == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what was tried");
    vdnn_status status = vdnn_decisions_copy(&record->decisions, decisions);
    if (status != VDNN_OK) {
        vdnn_heap_free(record);
        return status;
    }
    record->result = *result;
    record->next = memo->first;
    memo->first = record;
    return VDNN_OK;
}

void vdnn_planner_forget(vdnn_trial_memo *memo)
{
    while (memo->first != NULL) {
        struct vdnn_trial_record *record = memo->first;
        memo->first = record->next;
        vdnn_decisions_fini(&record->decisions);
        vdnn_heap_free(record);
    }
}

/* ---- trials ---------------------------------------------------------------------------------- */

static vdnn_status plan_whole(const vdnn_trial *trial, const vdnn_decisions *decisions,
                              vdnn_trial_live *live, vdnn_trial_result *result)
{
    vdnn_plan *plan = NULL;
    vdnn_trial_result made = {.facts.size = sizeof made.facts};
    vdnn_status status = vdnn_planner_plan(trial->graph, trial->profile, decisions, &plan);
    if (status != VDNN_OK)
        return status;
    made.fits = vdnn_plan_fits(plan, trial->budget_bytes);
    status = vdnn_plan_describe(plan, &made.facts);
    made.facts.policy = made.facts.algo = made.facts.peak_layer = NULL;
    if (status == VDNN_OK && live != NULL)
        status = note_live(plan, live);
    vdnn_plan_destroy(plan);
    if (status == VDNN_OK)
        *result = made;
    return status;
}

static vdnn_status run(const vdnn_trial *trial, const vdnn_decisions *decisions,
                       vdnn_trial_live *live, vdnn_trial_result *result)
{
    vdnn_trial_result made;
    const vdnn_trial_result *known = find(trial->memo, decisions);
    if (known != NULL && live == NULL) {
        *result = *known;
        return VDNN_OK;
    }
    vdnn_status status = plan_whole(trial, decisions, live, &made);
    if (status == VDNN_OK && known == NULL)
        status = keep(trial->memo, decisions, &made);
    if (status == VDNN_OK)
        *result = made;
    return status;
}

static vdnn_status fits(const vdnn_trial *trial, const vdnn_decisions *decisions, vdnn_tier tier,
                        bool *fits_tier)
{
    return vdnn_planner_fits(trial->graph, trial->profile, decisions, tier,
                             trial->budget_bytes[tier], fits_tier);
}

vdnn_trial vdnn_planner_trial(const vdnn_graph *graph, const vdnn_profile *profile,
                              const size_t budget_bytes[VDNN_TIER_COUNT], vdnn_trial_memo *memo)
{
    vdnn_trial trial = {run, fits, graph, profile, memo, {0}};
    memcpy(trial.budget_bytes, budget_bytes, sizeof trial.budget_bytes);
    return trial;
}
