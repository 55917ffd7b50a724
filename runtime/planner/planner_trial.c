/* Trials on one workbench. */

#include "runtime/base/heap.h"
#include "runtime/planner/answers.h"
#include "runtime/planner/planner.h"
#include "runtime/planner/workbench/workbench.h"

#include <string.h>

/* A plan that was made whole. */
typedef struct record {
    vdnn_decisions decisions;
    vdnn_trial_result result;
    size_t arena_bytes[VDNN_TIER_COUNT];
    size_t *offsets; /* of the plan's buffers */
    struct record *next;
} record;

struct vdnn_trial_state {
    vdnn_workbench bench;
    vdnn_answers *answers, own_answers; /* these, unless others are shared */
    int64_t number;                     /* of all that began with these answers */
    record *records;
    record *fastest;          /* of the plans that were timed; NULL: none fitted */
    vdnn_floorplan floorplan; /* of the last plan that fitted */
    int64_t looks;            /* for packings that are hard to find */
};

/* Each trial earns so many looks: so that hard packings take about a fourth of what trials take,
 * however many there are. */
enum { LOOKS_PER_TRIAL = 100000 };

/* ---- what was tried -------------------------------------------------------------------------- */

static const record *find(const vdnn_trial *trial, const vdnn_decisions *decisions)
{
    const record *known = trial->state->records;
    while (known != NULL && !vdnn_decisions_same(&known->decisions, decisions))
        known = known->next;
    const record *fastest = trial->state->fastest;
    if (known == NULL && fastest != NULL && vdnn_decisions_same(&fastest->decisions, decisions))
        known = fastest;
    return known;
}

static void forget(record *of)
{
    if (of == NULL)
        return;
    vdnn_decisions_fini(&of->decisions);
    vdnn_heap_free(of->offsets);
    vdnn_heap_free(of);
}

/* Before the others that it has: *first. */
static vdnn_status keep(const vdnn_decisions *decisions, const vdnn_plan *plan,
                        const vdnn_trial_result *result, record **first)
{
    record *kept = vdnn_heap_calloc(1, sizeof *kept);
    size_t *offsets = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *offsets);
    vdnn_status status = VDNN_OK;
    if (kept == NULL || offsets == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what was tried");
    VDNN_IF_OK(status, vdnn_decisions_copy(&kept->decisions, decisions));
    if (status != VDNN_OK) {
        vdnn_heap_free(offsets);
        vdnn_heap_free(kept);
        return status;
    }
    for (int32_t b = 0; b < plan->buffer_count; b++)
        offsets[b] = plan->buffers[b].offset;
    kept->offsets = offsets;
    kept->result = *result;
    memcpy(kept->arena_bytes, plan->span_bytes, sizeof kept->arena_bytes);
    kept->next = *first;
    *first = kept;
    return VDNN_OK;
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* Bytes alive beside the workspace: a sweep over the plan's steps. */
static vdnn_status note_live(vdnn_region *region, const vdnn_plan *plan, vdnn_trial_live *live)
{
    int64_t *change = vdnn_region_zeros(region, (size_t)plan->step_count + 1, sizeof *change);
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
    return VDNN_OK;
}

static vdnn_status answer_of(const vdnn_trial *trial, const vdnn_decisions *decisions,
                             vdnn_answer **known)
{
    *known = vdnn_answers_of(trial->state->answers, decisions, trial->budget_bytes);
    return *known != NULL ? VDNN_OK
                          : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what was tried");
}

/* With the plan they are of. */
static vdnn_status make_bound(const vdnn_trial *trial, const vdnn_decisions *decisions,
                              vdnn_plan *plan, vdnn_trial_bound *made)
{
    VDNN_TRY(vdnn_workbench_bound(&trial->state->bench, decisions, SIZE_MAX, plan));
    *made = (vdnn_trial_bound){.may_fit = vdnn_plan_fits(plan, trial->budget_bytes),
                               .step_seconds = plan->step_seconds,
                               .offload_bytes = plan->offload_bytes};
    memcpy(made->arena_bytes, plan->span_bytes, sizeof made->arena_bytes);
    return VDNN_OK;
}

static vdnn_status bound(const vdnn_trial *trial, const vdnn_decisions *decisions,
                         vdnn_trial_live *live, vdnn_trial_bound *least)
{
    vdnn_answer *known;
    vdnn_plan plan;
    vdnn_status status = answer_of(trial, decisions, &known);
    if (status == VDNN_OK && (live != NULL || (known->has & VDNN_ANSWER_BOUND) == 0))
        status = make_bound(trial, decisions, &plan, &known->bound);
    if (status == VDNN_OK && live != NULL)
        status = note_live(&trial->state->bench.builder.region, &plan, live);
    if (status != VDNN_OK)
        return status;
    known->has |= VDNN_ANSWER_BOUND;
    *least = known->bound;
    return VDNN_OK;
}

static vdnn_status excess(const vdnn_trial *trial, const vdnn_decisions *decisions, vdnn_tier tier,
                          size_t *excess_bytes)
{
    const size_t *budgets = trial->budget_bytes;
    const unsigned bit = (unsigned)VDNN_ANSWER_EXCESS << tier;
    const record *made = find(trial, decisions);
    vdnn_answer *known;
    size_t limits[VDNN_TIER_COUNT];
    memcpy(limits, tier == VDNN_TIER_COUNT ? budgets : vdnn_tier_unlimited, sizeof limits);
    if (tier != VDNN_TIER_COUNT)
        limits[tier] = budgets[tier];
    *excess_bytes = 0;
    if (made != NULL && vdnn_tier_exceeded(made->arena_bytes, limits) == VDNN_TIER_COUNT)
        return VDNN_OK;
    vdnn_status status = answer_of(trial, decisions, &known);
    if (status == VDNN_OK && (known->has & bit) == 0 &&
        !vdnn_answer_tells_excess(known, limits, &known->excess_bytes[tier]))
        status = vdnn_workbench_excess(&trial->state->bench, decisions, limits,
                                       &known->excess_bytes[tier]);
    if (status != VDNN_OK)
        return status;
    known->has |= bit;
    *excess_bytes = known->excess_bytes[tier];
    return VDNN_OK;
}

static vdnn_status pack(const vdnn_trial *trial, const vdnn_decisions *decisions,
                        size_t arena_bytes[VDNN_TIER_COUNT])
{
    const record *made = find(trial, decisions);
    vdnn_answer *known;
    if (made != NULL) {
        memcpy(arena_bytes, made->arena_bytes, sizeof made->arena_bytes);
        return VDNN_OK;
    }
    vdnn_status status = answer_of(trial, decisions, &known);
    if (status == VDNN_OK && (known->has & VDNN_ANSWER_ARENAS) == 0)
        status = vdnn_workbench_pack(&trial->state->bench, decisions, known->arena_bytes);
    if (status != VDNN_OK)
        return status;
    known->has |= VDNN_ANSWER_ARENAS;
    memcpy(arena_bytes, known->arena_bytes, sizeof known->arena_bytes);
    return VDNN_OK;
}

static vdnn_status find_crest(const vdnn_trial *trial, const vdnn_decisions *decisions,
                              size_t limit_bytes, vdnn_answer *known)
{
    vdnn_workbench *bench = &trial->state->bench;
    vdnn_plan plan;
    known->has &= ~(unsigned)VDNN_ANSWER_CREST;
    VDNN_TRY(vdnn_workbench_bound(bench, decisions, limit_bytes, &plan));
    VDNN_TRY(vdnn_crest_find(&bench->builder, &plan, limit_bytes, &known->crest));
    known->has |= VDNN_ANSWER_CREST;
    return VDNN_OK;
}

static vdnn_status peak_of(const vdnn_trial *trial, const vdnn_decisions *decisions,
                           size_t limit_bytes, vdnn_trial_alive *alive, vdnn_trial_peak *peak,
                           vdnn_trial_bound *least)
{
    vdnn_answer *known;
    trial->state->looks += LOOKS_PER_TRIAL;
    vdnn_status status = answer_of(trial, decisions, &known);
    if (status == VDNN_OK &&
        ((known->has & VDNN_ANSWER_CREST) == 0 || known->crest.limit_bytes != limit_bytes))
        status = find_crest(trial, decisions, limit_bytes, known);
    if (status != VDNN_OK)
        return status;
    *peak = known->crest.peak;
    if (alive != NULL)
        vdnn_crest_alive(&known->crest, trial->state->bench.graph->map_count, alive);
    *least = known->crest.bound;
    least->may_fit = vdnn_tier_exceeded(least->arena_bytes, trial->budget_bytes) == VDNN_TIER_COUNT;
    return VDNN_OK;
}

static vdnn_status describe(const vdnn_trial *trial, const vdnn_decisions *decisions,
                            const vdnn_plan *plan, vdnn_trial_result *result, record **first)
{
    vdnn_trial_result made = {.fits = vdnn_plan_fits(plan, trial->budget_bytes),
                              .facts.size = sizeof made.facts};
    VDNN_TRY(vdnn_plan_describe(plan, &made.facts));
    made.facts.policy = made.facts.algo = made.facts.peak_layer = NULL;
    vdnn_status status = keep(decisions, plan, &made, first);
    if (status == VDNN_OK)
        *result = made;
    return status;
}

/* As searches compare them: the step, then what is copied, then the arena. */
static bool is_faster(const vdnn_plan *plan, const record *than)
{
    if (than == NULL)
        return true;
    const double seconds = than->result.facts.step_seconds;
    if (plan->step_seconds < seconds || plan->step_seconds > seconds)
        return plan->step_seconds < seconds;
    if (plan->offload_bytes != than->result.facts.offload_bytes)
        return plan->offload_bytes < than->result.facts.offload_bytes;
    return plan->span_bytes[VDNN_TIER_DEVICE] < than->arena_bytes[VDNN_TIER_DEVICE];
}

/* A plan that fits: the next ones are packed like it, and the fastest one is kept, as none could be
 * packed so without those before it. */
static vdnn_status note_plan(const vdnn_trial *trial, const vdnn_decisions *decisions,
                             const vdnn_plan *plan)
{
    struct vdnn_trial_state *state = trial->state;
    vdnn_trial_result result;
    record *faster = NULL;
    vdnn_status status = vdnn_floorplan_note(&state->floorplan, &state->bench.builder.region,
                                             plan->buffers, plan->buffer_count);
    if (status != VDNN_OK || !is_faster(plan, state->fastest))
        return status;
    VDNN_TRY(describe(trial, decisions, plan, &result, &faster));
    forget(state->fastest);
    state->fastest = faster;
    return VDNN_OK;
}

static vdnn_status make_time(const vdnn_trial *trial, const vdnn_decisions *decisions,
                             vdnn_answer *known)
{
    vdnn_trial_bound *time = &known->time;
    vdnn_plan plan;
    *time = (vdnn_trial_bound){.may_fit = false};
    struct vdnn_trial_state *state = trial->state;
    vdnn_status status =
        vdnn_workbench_plan_within(&state->bench, decisions, trial->budget_bytes, &state->floorplan,
                                   &state->looks, &plan, &time->may_fit);
    if (status != VDNN_OK)
        return status;
    known->has |= VDNN_ANSWER_TIME;
    known->timed_by = state->number;
    memcpy(time->arena_bytes, plan.span_bytes, sizeof time->arena_bytes);
    if (time->may_fit) {
        time->step_seconds = plan.step_seconds;
        time->offload_bytes = plan.offload_bytes;
        status = note_plan(trial, decisions, &plan);
    }
    return status;
}

static vdnn_status time_plan(const vdnn_trial *trial, const vdnn_decisions *decisions,
                             vdnn_trial_bound *own)
{
    const record *made = find(trial, decisions);
    vdnn_answer *known;
    *own = (vdnn_trial_bound){.may_fit = false};
    if (made != NULL) {
        own->may_fit = made->result.fits;
        own->step_seconds = made->result.facts.step_seconds;
        own->offload_bytes = made->result.facts.offload_bytes;
        memcpy(own->arena_bytes, made->arena_bytes, sizeof own->arena_bytes);
        return VDNN_OK;
    }
    vdnn_status status = answer_of(trial, decisions, &known);
    trial->state->looks += LOOKS_PER_TRIAL;
    if (status == VDNN_OK &&
        ((known->has & VDNN_ANSWER_TIME) == 0 || known->timed_by != trial->state->number))
        status = make_time(trial, decisions, known);
    if (status == VDNN_OK)
        *own = known->time;
    return status;
}

static vdnn_status run(const vdnn_trial *trial, const vdnn_decisions *decisions,
                       vdnn_trial_result *result)
{
    const record *known = find(trial, decisions);
    if (known != NULL) {
        *result = known->result;
        return VDNN_OK;
    }
    vdnn_plan plan;
    vdnn_status status = vdnn_workbench_plan(&trial->state->bench, decisions, true, &plan);
    return status == VDNN_OK ? describe(trial, decisions, &plan, result, &trial->state->records)
                             : status;
}

/* Its time may be of a packing that is gone. */
static vdnn_status time_anew(const vdnn_trial *trial, const vdnn_decisions *decisions)
{
    struct vdnn_trial_state *state = trial->state;
    vdnn_trial_result result;
    vdnn_plan plan;
    bool fits;
    vdnn_status status = vdnn_workbench_plan_within(&state->bench, decisions, trial->budget_bytes,
                                                    &state->floorplan, &state->looks, &plan, &fits);
    return status == VDNN_OK && fits ? describe(trial, decisions, &plan, &result, &state->records)
                                     : status;
}

/* Of the packing that was timed and the one with all work, that of the shorter step. */
static vdnn_status settle(const vdnn_trial *trial, const vdnn_decisions *decisions)
{
    const record *known = find(trial, decisions);
    vdnn_plan plan;
    vdnn_trial_result result;
    vdnn_status status = VDNN_OK;
    if (known != NULL && known != trial->state->fastest)
        return VDNN_OK;
    if (known == NULL)
        status = time_anew(trial, decisions);
    VDNN_IF_OK(status, vdnn_workbench_plan(&trial->state->bench, decisions, true, &plan));
    if (status != VDNN_OK)
        return status;
    known = find(trial, decisions);
    const bool is_better = known == NULL || (vdnn_plan_fits(&plan, trial->budget_bytes) &&
                                             plan.step_seconds <= known->result.facts.step_seconds);
    return is_better ? describe(trial, decisions, &plan, &result, &trial->state->records) : status;
}

static vdnn_status pack_evaluation(const vdnn_trial *trial, const vdnn_decisions *decisions,
                                   size_t arena_bytes[VDNN_TIER_COUNT])
{
    vdnn_plan *plan = NULL;
    VDNN_TRY(vdnn_workbench_keep_evaluation(&trial->state->bench, decisions, &plan));
    memcpy(arena_bytes, plan->span_bytes, sizeof plan->span_bytes);
    vdnn_plan_destroy(plan);
    return VDNN_OK;
}

vdnn_status vdnn_planner_begin_trials(const vdnn_graph *graph, const vdnn_profile *profile,
                                      const size_t budget_bytes[VDNN_TIER_COUNT],
                                      vdnn_packings *packings, vdnn_answers *answers,
                                      vdnn_trial *trial)
{
    struct vdnn_trial_state *state = vdnn_heap_calloc(1, sizeof *state);
    if (state == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to try plans");
    state->bench = (vdnn_workbench){.graph = graph, .profile = profile, .packings = packings};
    state->looks = LOOKS_PER_TRIAL;
    state->answers = answers != NULL ? answers : &state->own_answers;
    if (state->answers->graph == NULL)
        *state->answers = (vdnn_answers){.graph = graph, .profile = profile};
    state->number = ++state->answers->trials;
    VDNN_INVARIANT(state->answers->graph == graph && state->answers->profile == profile, ==, true);
    *trial = (vdnn_trial){.bound = bound,
                          .excess = excess,
                          .pack = pack,
                          .pack_evaluation = pack_evaluation,
                          .time = time_plan,
                          .run = run,
                          .settle = settle,
                          .peak = peak_of,
                          .state = state};
    memcpy(trial->budget_bytes, budget_bytes, sizeof trial->budget_bytes);
    return VDNN_OK;
}

vdnn_status vdnn_planner_plan_tried(const vdnn_trial *trial, const vdnn_decisions *decisions,
                                    vdnn_plan **plan)
{
    vdnn_workbench *bench = &trial->state->bench;
    const record *known = find(trial, decisions);
    vdnn_status status = VDNN_OK;
    if (known != NULL)
        status = vdnn_workbench_place(bench, decisions, known->arena_bytes, known->offsets);
    return status == VDNN_OK ? vdnn_workbench_keep(bench, decisions, plan) : status;
}

vdnn_status vdnn_planner_plan_tried_evaluation(const vdnn_trial *trial,
                                               const vdnn_decisions *training, vdnn_plan **plan)
{
    return vdnn_workbench_keep_evaluation(&trial->state->bench, training, plan);
}

void vdnn_planner_end_trials(vdnn_trial *trial)
{
    while (trial->state->records != NULL) {
        record *first = trial->state->records;
        trial->state->records = first->next;
        forget(first);
    }
    forget(trial->state->fastest);
    vdnn_floorplan_fini(&trial->state->floorplan);
    vdnn_answers_fini(&trial->state->own_answers);
    vdnn_workbench_fini(&trial->state->bench);
    vdnn_heap_free(trial->state);
}
