#include "runtime/planning/planning.h"

#include "runtime/base/heap.h"
#include "runtime/planner/workbench/workbench.h"
#include "runtime/planning/cache.h"

#include <string.h>

/* Of the network in some parts. */
struct vdnn_planning_state {
    vdnn_planning *first; /* which owns the others */
    vdnn_planning *next;  /* owned by the first; its last is NULL */
    vdnn_workbench bench;
    vdnn_cache cache;
    vdnn_floorplan floorplan; /* of the last plan that fitted */
    int64_t looks;            /* for packings that are hard to find */
    vdnn_findings findings;   /* of the first */
};

/* Each trial earns so many looks: so that hard packings take about a fourth of what trials take,
 * however many there are. */
enum { LOOKS_PER_TRIAL = 100000 };

/* ---- made, ended ----------------------------------------------------------------------------- */

vdnn_status vdnn_planning_create(const vdnn_graph *graph, const vdnn_profile *profile,
                                 vdnn_packings *packings, const vdnn_parts_source *source,
                                 vdnn_planning **planning)
{
    vdnn_planning *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    struct vdnn_planning_state *state = vdnn_heap_calloc(1, sizeof *state);
    if (fresh == NULL || state == NULL) {
        vdnn_heap_free(fresh);
        vdnn_heap_free(state);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to plan");
    }
    *fresh = (vdnn_planning){.graph = graph, .profile = profile, .source = source, .state = state};
    state->first = fresh;
    state->bench = (vdnn_workbench){.graph = graph, .profile = profile, .packings = packings};
    *planning = fresh;
    return VDNN_OK;
}

static void destroy(vdnn_planning *own)
{
    vdnn_floorplan_fini(&own->state->floorplan);
    vdnn_cache_fini(&own->state->cache);
    vdnn_workbench_fini(&own->state->bench);
    vdnn_heap_free(own->state);
    vdnn_heap_free(own);
}

void vdnn_planning_destroy(vdnn_planning *planning)
{
    if (planning != NULL && planning->state->findings.found != NULL)
        planning->state->findings.forget(planning->state->findings.found);
    while (planning != NULL) {
        vdnn_planning *own = planning;
        planning = own->state->next;
        destroy(own);
    }
}

static void begin(vdnn_planning *own, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    memcpy(own->budget_bytes, budget_bytes, sizeof own->budget_bytes);
    vdnn_cache_begin(&own->state->cache, budget_bytes);
    vdnn_floorplan_fini(&own->state->floorplan);
    own->state->looks = LOOKS_PER_TRIAL;
}

void vdnn_planning_begin(vdnn_planning *planning, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    for (vdnn_planning *own = planning; own != NULL; own = own->state->next)
        begin(own, budget_bytes);
}

static vdnn_status add(vdnn_planning *first, const vdnn_graph *graph, const vdnn_profile *profile,
                       vdnn_planning **added)
{
    vdnn_planning *fresh = NULL;
    VDNN_TRY(
        vdnn_planning_create(graph, profile, first->state->bench.packings, first->source, &fresh));
    fresh->state->first = first;
    fresh->state->next = first->state->next;
    first->state->next = fresh;
    begin(fresh, first->budget_bytes);
    *added = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_planning_in_parts(vdnn_planning *planning, const int32_t *parts,
                                   vdnn_planning **other)
{
    const vdnn_parts_source *source = planning->source;
    const vdnn_graph *graph = planning->graph;
    const vdnn_profile *profile = planning->profile;
    vdnn_planning *first = planning->state->first, *own = first;
    if (source != NULL)
        VDNN_TRY(source->find(source->argument, parts, &graph, &profile));
    while (own->graph != graph && own->state->next != NULL)
        own = own->state->next;
    if (own->graph != graph)
        VDNN_TRY(add(first, graph, profile, &own));
    *other = own;
    return VDNN_OK;
}

vdnn_findings *vdnn_planning_findings(const vdnn_planning *planning)
{
    return &planning->state->first->state->findings;
}

/* ---- what plans take ------------------------------------------------------------------------- */

/* Decisions that are asked about, and what is known of them. */
typedef struct question {
    struct vdnn_planning_state *state;
    const size_t *budget_bytes;
    const vdnn_decisions *decisions;
    XXH128_hash_t key;
} question;

static question about(vdnn_planning *planning, const vdnn_decisions *decisions)
{
    return (question){planning->state, planning->budget_bytes, decisions,
                      vdnn_decisions_key(decisions)};
}

static const vdnn_cache_whole *whole_of(const question *q)
{
    return vdnn_cache_whole_of(&q->state->cache, q->key);
}

static vdnn_status find_entry(const question *q, vdnn_cache_entry **known)
{
    *known = vdnn_cache_entry_of(&q->state->cache, q->key);
    return *known != NULL ? VDNN_OK
                          : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what was tried");
}

static bool is_within(const question *q, const size_t arena_bytes[VDNN_TIER_COUNT])
{
    return vdnn_tier_exceeded(arena_bytes, q->budget_bytes) == VDNN_TIER_COUNT;
}

/* Of all tiers' arenas. */
static vdnn_outcome outcome_of(const question *q, const size_t arena_bytes[VDNN_TIER_COUNT])
{
    vdnn_outcome made = {.fits = is_within(q, arena_bytes)};
    memcpy(made.arena_bytes, arena_bytes, sizeof made.arena_bytes);
    return made;
}

/* With the plan that it is of. */
static vdnn_status make_bound(const question *q, vdnn_plan *plan, vdnn_cache_entry *known)
{
    VDNN_TRY(vdnn_workbench_bound(&q->state->bench, q->decisions, SIZE_MAX, plan));
    known->bound = outcome_of(q, plan->span_bytes);
    known->bound.step_seconds = plan->step_seconds;
    known->bound.offload_bytes = plan->offload_bytes;
    known->has |= VDNN_CACHE_BOUND;
    return VDNN_OK;
}

static vdnn_status find_bound(const question *q, vdnn_outcome *outcome)
{
    vdnn_cache_entry *known;
    vdnn_plan plan;
    VDNN_TRY(find_entry(q, &known));
    if ((known->has & VDNN_CACHE_BOUND) == 0)
        VDNN_TRY(make_bound(q, &plan, known));
    *outcome = known->bound;
    return VDNN_OK;
}

static vdnn_status find_arenas(const question *q, vdnn_outcome *outcome)
{
    const vdnn_cache_whole *whole = whole_of(q);
    vdnn_cache_entry *known;
    if (whole != NULL) {
        *outcome = outcome_of(q, whole->outcome.arena_bytes);
        return VDNN_OK;
    }
    VDNN_TRY(find_entry(q, &known));
    if ((known->has & VDNN_CACHE_ARENAS) == 0)
        VDNN_TRY(vdnn_workbench_pack(&q->state->bench, q->decisions, known->arena_bytes));
    known->has |= VDNN_CACHE_ARENAS;
    *outcome = outcome_of(q, known->arena_bytes);
    return VDNN_OK;
}

static vdnn_status pack_within(const question *q, vdnn_plan *plan, bool *fits)
{
    struct vdnn_planning_state *state = q->state;
    return vdnn_workbench_plan_within(&state->bench, q->decisions, q->budget_bytes,
                                      &state->floorplan, &state->looks, plan, fits);
}

/* The next plans are packed like one that fits. */
static vdnn_status make_time(const question *q, vdnn_cache_entry *known)
{
    struct vdnn_planning_state *state = q->state;
    vdnn_plan plan;
    bool fits = false;
    VDNN_TRY(pack_within(q, &plan, &fits));
    known->has |= VDNN_CACHE_TIME;
    known->time = outcome_of(q, plan.span_bytes);
    known->time.fits = fits;
    if (!fits)
        return VDNN_OK;
    known->time.step_seconds = plan.step_seconds;
    known->time.offload_bytes = plan.offload_bytes;
    VDNN_TRY(vdnn_floorplan_note(&state->floorplan, &state->bench.builder.region, plan.buffers,
                                 plan.buffer_count));
    return vdnn_cache_keep_fastest(&state->cache, q->key, &plan);
}

static vdnn_status find_time(const question *q, vdnn_outcome *outcome)
{
    const vdnn_cache_whole *whole = whole_of(q);
    vdnn_cache_entry *known;
    if (whole != NULL) {
        *outcome = whole->outcome;
        return VDNN_OK;
    }
    q->state->looks += LOOKS_PER_TRIAL;
    VDNN_TRY(find_entry(q, &known));
    if ((known->has & VDNN_CACHE_TIME) == 0)
        VDNN_TRY(make_time(q, known));
    *outcome = known->time;
    return VDNN_OK;
}

static vdnn_status make_whole(const question *q)
{
    vdnn_plan plan;
    VDNN_TRY(vdnn_workbench_plan(&q->state->bench, q->decisions, true, &plan));
    return vdnn_cache_keep_whole(&q->state->cache, q->key, &plan);
}

static vdnn_status find_whole(const question *q, vdnn_outcome *outcome)
{
    if (whole_of(q) == NULL)
        VDNN_TRY(make_whole(q));
    *outcome = whole_of(q)->outcome;
    return VDNN_OK;
}

vdnn_status vdnn_planning_evaluate(vdnn_planning *planning, const vdnn_decisions *decisions,
                                   vdnn_depth depth, vdnn_outcome *outcome)
{
    static vdnn_status (*const find[])(const question *,
                                       vdnn_outcome *) = {[VDNN_BOUND] = find_bound,
                                                          [VDNN_PACKED] = find_arenas,
                                                          [VDNN_TIMED] = find_time,
                                                          [VDNN_WHOLE] = find_whole};
    const question q = about(planning, decisions);
    return find[depth](&q, outcome);
}

/* Bytes alive beside the workspace: a sweep over the plan's steps. */
static vdnn_status note_live(vdnn_region *region, const vdnn_plan *plan, vdnn_live *live)
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

vdnn_status vdnn_planning_live(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_live *live, vdnn_outcome *bound)
{
    const question q = about(planning, decisions);
    vdnn_cache_entry *known;
    vdnn_plan plan;
    VDNN_TRY(find_entry(&q, &known));
    VDNN_TRY(make_bound(&q, &plan, known));
    *bound = known->bound;
    return note_live(&q.state->bench.builder.region, &plan, live);
}

vdnn_status vdnn_planning_excess(vdnn_planning *planning, const vdnn_decisions *decisions,
                                 vdnn_tier tier, size_t *excess_bytes)
{
    const question q = about(planning, decisions);
    const unsigned bit = (unsigned)VDNN_CACHE_EXCESS << tier;
    const vdnn_cache_whole *whole = whole_of(&q);
    vdnn_cache_entry *known;
    size_t limits[VDNN_TIER_COUNT];
    memcpy(limits, tier == VDNN_TIER_COUNT ? q.budget_bytes : vdnn_tier_unlimited, sizeof limits);
    if (tier != VDNN_TIER_COUNT)
        limits[tier] = q.budget_bytes[tier];
    *excess_bytes = 0;
    if (whole != NULL && vdnn_tier_exceeded(whole->outcome.arena_bytes, limits) == VDNN_TIER_COUNT)
        return VDNN_OK;
    VDNN_TRY(find_entry(&q, &known));
    if ((known->has & bit) == 0 &&
        !vdnn_cache_tells_excess(known, limits, &known->excess_bytes[tier]))
        VDNN_TRY(
            vdnn_workbench_excess(&q.state->bench, decisions, limits, &known->excess_bytes[tier]));
    known->has |= bit;
    *excess_bytes = known->excess_bytes[tier];
    return VDNN_OK;
}

vdnn_status vdnn_planning_fits(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_tier tier, bool *fits)
{
    size_t excess_bytes = 0;
    vdnn_status status = vdnn_planning_excess(planning, decisions, tier, &excess_bytes);
    *fits = status == VDNN_OK && excess_bytes == 0;
    return status;
}

static vdnn_status make_peak(const question *q, size_t limit_bytes, vdnn_cache_entry *known)
{
    vdnn_workbench *bench = &q->state->bench;
    vdnn_plan plan;
    known->has &= ~(unsigned)VDNN_CACHE_PEAK;
    VDNN_TRY(vdnn_workbench_bound(bench, q->decisions, limit_bytes, &plan));
    VDNN_TRY(vdnn_device_peak_find(&bench->builder, &plan, limit_bytes, &known->peak));
    known->has |= VDNN_CACHE_PEAK;
    return VDNN_OK;
}

vdnn_status vdnn_planning_peak(vdnn_planning *planning, const vdnn_decisions *decisions,
                               size_t limit_bytes, vdnn_alive *alive, vdnn_device_peak *peak,
                               vdnn_outcome *bound)
{
    const question q = about(planning, decisions);
    vdnn_cache_entry *known;
    q.state->looks += LOOKS_PER_TRIAL;
    VDNN_TRY(find_entry(&q, &known));
    if ((known->has & VDNN_CACHE_PEAK) == 0 || known->peak.limit_bytes != limit_bytes)
        VDNN_TRY(make_peak(&q, limit_bytes, known));
    *peak = known->peak.peak;
    if (alive != NULL)
        vdnn_device_peak_alive(&known->peak, planning->graph->map_count, alive);
    *bound = known->peak.bound;
    bound->fits = is_within(&q, bound->arena_bytes);
    return VDNN_OK;
}

vdnn_status vdnn_planning_evaluates(vdnn_planning *planning, const vdnn_decisions *decisions,
                                    bool *fits)
{
    vdnn_plan *plan = NULL;
    VDNN_TRY(vdnn_workbench_keep_evaluation(&planning->state->bench, decisions, &plan));
    *fits = vdnn_plan_fits(plan, planning->budget_bytes);
    vdnn_plan_destroy(plan);
    return VDNN_OK;
}

/* Its time may be of a packing that is gone. */
static vdnn_status time_again(const question *q)
{
    vdnn_plan plan;
    bool fits = false;
    VDNN_TRY(pack_within(q, &plan, &fits));
    return fits ? vdnn_cache_keep_whole(&q->state->cache, q->key, &plan) : VDNN_OK;
}

/* Of the packing that was timed and the one with all work, that of the shorter step. */
vdnn_status vdnn_planning_settle(vdnn_planning *planning, const vdnn_decisions *decisions)
{
    const question q = about(planning, decisions);
    const vdnn_cache_whole *known = whole_of(&q);
    vdnn_plan plan;
    if (known != NULL && known != q.state->cache.fastest)
        return VDNN_OK;
    if (known == NULL)
        VDNN_TRY(time_again(&q));
    VDNN_TRY(vdnn_workbench_plan(&q.state->bench, decisions, true, &plan));
    known = whole_of(&q);
    const bool is_better = known == NULL || (vdnn_plan_fits(&plan, planning->budget_bytes) &&
                                             plan.step_seconds <= known->outcome.step_seconds);
    return is_better ? vdnn_cache_keep_whole(&q.state->cache, q.key, &plan) : VDNN_OK;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Of the network as the file says, which is what all its plans are compared with. */
static vdnn_status find_oracle(vdnn_planning *first, const vdnn_decisions *like, double *seconds)
{
    vdnn_decisions plain;
    vdnn_outcome outcome;
    VDNN_TRY(vdnn_decisions_init(&plain, first->graph));
    plain.gradients = like->gradients;
    plain.sync = like->sync;
    plain.updates = like->updates;
    vdnn_status status = vdnn_planning_evaluate(first, &plain, VDNN_WHOLE, &outcome);
    vdnn_decisions_fini(&plain);
    *seconds = status == VDNN_OK ? outcome.facts->oracle_step_seconds : 0;
    return status;
}

/* Packed as it was when it was found. */
static vdnn_status plan_training(const question *q, vdnn_plan **plan)
{
    const vdnn_cache_whole *known = whole_of(q);
    if (known != NULL)
        VDNN_TRY(vdnn_workbench_place(&q->state->bench, q->decisions, known->outcome.arena_bytes,
                                      known->offsets));
    return vdnn_workbench_keep(&q->state->bench, q->decisions, plan);
}

vdnn_status vdnn_planning_plan(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_plan **training, vdnn_plan **evaluation)
{
    vdnn_planning *own = NULL;
    vdnn_plan *made = NULL;
    VDNN_TRY(vdnn_planning_in_parts(planning, decisions->parts, &own));
    const question q = about(own, decisions);
    VDNN_TRY(plan_training(&q, &made));
    vdnn_planning *first = own->state->first;
    vdnn_status status = VDNN_OK;
    if (own != first)
        status = find_oracle(first, decisions, &made->oracle_step_seconds);
    if (status == VDNN_OK && evaluation != NULL)
        status = vdnn_workbench_keep_evaluation(&own->state->bench, decisions, evaluation);
    if (status == VDNN_OK)
        *training = made;
    else
        vdnn_plan_destroy(made);
    return status;
}
