#include "runtime/train/replan/replan.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/setup/derived_profile.h"

#include <stdlib.h>
#include <string.h>

/* Of the planned time: below, the next steps are as likely to be in time. */
static const double slow_factor = 1.1;

/* Of the measured time, what a plan must be expected to save. */
static const double worth_factor = 0.98;

/* Steps that are left must be worth it. */
enum { LEAST_STEPS_LEFT = VDNN_STEP_TIMES_WINDOW };

/* ---- whether ----------------------------------------------------------------------------------
 */

static bool can_help(const vdnn_fit_request *request, const vdnn_fit_plans *plans)
{
    const vdnn_setup *setup = request->setup;
    const vdnn_plan *plan = plans->training;
    bool moves = plan->offload_bytes > 0 || plan->spill_bytes > 0 || plan->recompute_seconds > 0;
    return moves && !request->policy->is_static && !setup->properties.simulated &&
           plan->graph == setup->graph && setup->whole == NULL &&
           vdnn_setup_first_count(setup) >= setup->graph->devices;
}

static bool is_free(const vdnn_training_run *run)
{
    return run->trace == NULL && run->trace_steps.end <= run->step &&
           run->step_count - run->begun >= LEAST_STEPS_LEFT;
}

enum { DIGITS = 3, CELL_BYTES = 32 };

static const char *seconds_text(char cell[CELL_BYTES], double seconds)
{
    return vdnn_rounded_seconds(cell, CELL_BYTES, seconds, DIGITS);
}

static void tell_fixed(vdnn_replans *replans, const vdnn_training_run *run, double measured,
                       double planned)
{
    char took[CELL_BYTES], was[CELL_BYTES];
    if (!replans->is_told)
        vdnn_messages_log(run->request.messages, VDNN_LOG_INFO,
                          "steps take %s, %s were planned; the plan stays, as --profile fixes it",
                          seconds_text(took, measured), seconds_text(was, planned));
    replans->is_told = true;
}

static vdnn_status print_ratios(const vdnn_training_run *run, vdnn_text *text)
{
    const vdnn_plan *plan = run->request.plans->training;
    const size_t count = vdnn_step_times_ratio_count(plan);
    double *ratios = vdnn_heap_calloc(count, sizeof *ratios);
    if (ratios == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu passes", count);
    vdnn_status status = vdnn_step_times_ratios(&run->times, run->request.setup->profile, ratios);
    vdnn_text_add(text, "%.17g ", vdnn_step_times_median(&run->times));
    for (size_t i = 0; status == VDNN_OK && i < count; i++)
        vdnn_text_add(text, "%.17g ", ratios[i]);
    vdnn_heap_free(ratios);
    if (status == VDNN_OK && text->failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu passes", count);
    return status;
}

/* A plan by a first look, most of whose times are estimates: those of the steps may have another
 * one, also where it is not slow. */
static bool is_first_after_look(const vdnn_replans *replans, const vdnn_setup *setup)
{
    return replans->count == 0 && setup->look.whole_seconds > 0;
}

vdnn_status vdnn_replan_find(vdnn_replans *replans, const vdnn_fit_request *request,
                             const vdnn_fit_plans *plans, vdnn_training_run *run,
                             vdnn_replan_slow *slow)
{
    *slow = (vdnn_replan_slow){.ratios = {0}};
    if (replans->count == VDNN_REPLANS_MOST || replans->seen == run->times.count ||
        !vdnn_step_times_are_enough(&run->times) || !is_free(run) || !can_help(request, plans))
        return VDNN_OK;
    replans->seen = run->times.count;
    double planned =
        replans->expected_seconds > 0 ? replans->expected_seconds : plans->training->step_seconds;
    const double measured = vdnn_step_times_median(&run->times);
    if (measured <= slow_factor * planned && !is_first_after_look(replans, request->setup))
        return VDNN_OK;
    if (run->request.options->profile == NULL)
        return print_ratios(run, &slow->ratios);
    tell_fixed(replans, run, measured, planned);
    return VDNN_OK;
}

/* ---- again ------------------------------------------------------------------------------------
 */

static bool are_same_steps(const vdnn_plan *a, const vdnn_plan *b)
{
    bool same = a->step_count == b->step_count;
    for (int32_t s = 0; same && s < a->step_count; s++) {
        const vdnn_step *x = &a->steps[s], *y = &b->steps[s];
        same = x->kind == y->kind && x->layer == y->layer && x->pass == y->pass &&
               x->micro == y->micro && x->part == y->part && x->bytes == y->bytes &&
               strcmp(x->label, y->label) == 0;
    }
    return same;
}

/* The profile that the plan was made by, as the steps say it is. */
static vdnn_status refresh(const vdnn_setup *setup, const vdnn_plan *plan, const char *at,
                           vdnn_profile **profile)
{
    const size_t count = vdnn_step_times_ratio_count(plan);
    double *ratios = vdnn_heap_calloc(count, sizeof *ratios);
    vdnn_profile *fresh = NULL;
    if (ratios == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu passes", count);
    for (size_t i = 0; i < count; i++)
        ratios[i] = vdnn_decimal_next(&at);
    vdnn_status status = vdnn_derived_profile_scale(setup->profile, setup->graph, setup->graph,
                                                    setup->device, &fresh);
    VDNN_IF_OK(status, vdnn_step_times_apply(ratios, plan, fresh));
    vdnn_heap_free(ratios);
    if (status == VDNN_OK)
        *profile = fresh;
    else
        vdnn_profile_destroy(fresh);
    return status;
}

static vdnn_status plan_anew(const vdnn_fit_request *request, vdnn_profile *profile,
                             vdnn_fit_plans *plans)
{
    vdnn_setup setup = *request->setup;
    vdnn_fit_request own = *request;
    setup.profile = profile;
    setup.variants = NULL; /* other parts have other bits */
    own.setup = &setup;
    vdnn_status status = vdnn_fit_plan(&own, plans);
    if (status == VDNN_NO_FIT)
        vdnn_fit_plans_fini(plans);
    return status;
}

vdnn_status vdnn_replan_make(vdnn_replans *replans, const vdnn_fit_request *request,
                             const vdnn_fit_plans *plans, const vdnn_training_run *run,
                             const vdnn_replan_slow *slow, vdnn_replan_anew *anew)
{
    const vdnn_plan *before = plans->training;
    const char *ratios = slow->ratios.data; /* rank 0's, after the time that it measured */
    const double measured = vdnn_decimal_next(&ratios);
    *anew = (vdnn_replan_anew){.profile = NULL};
    vdnn_replan entry = {.step = run->step,
                         .planned_seconds = replans->expected_seconds > 0
                                                ? replans->expected_seconds
                                                : before->step_seconds,
                         .measured_seconds = measured,
                         .new_planned_seconds = measured};
    vdnn_status status = refresh(request->setup, before, ratios, &anew->profile);
    VDNN_IF_OK(status, plan_anew(request, anew->profile, &anew->plans));
    if (status != VDNN_OK && status != VDNN_NO_FIT) {
        vdnn_replan_anew_fini(anew);
        return status;
    }
    if (status == VDNN_OK) {
        entry.new_planned_seconds = anew->plans.training->step_seconds;
        anew->is_faster = entry.new_planned_seconds < worth_factor * measured &&
                          !are_same_steps(before, anew->plans.training);
    }
    replans->list[replans->count++] = entry;
    return VDNN_OK;
}

void vdnn_replan_anew_fini(vdnn_replan_anew *anew)
{
    vdnn_fit_plans_fini(&anew->plans);
    vdnn_profile_destroy(anew->profile);
    *anew = (vdnn_replan_anew){.profile = NULL};
}

void vdnn_replan_tell(const vdnn_replans *replans, const vdnn_messages *messages)
{
    const vdnn_replan *last = &replans->list[replans->count - 1];
    char took[CELL_BYTES], was[CELL_BYTES], expected[CELL_BYTES];
    seconds_text(took, last->measured_seconds);
    seconds_text(was, last->planned_seconds);
    if (last->is_changed)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "steps take %s, %s were planned: planned again after step %lld by the "
                          "measured times, with the same algorithms; %s are expected",
                          took, was, (long long)last->step,
                          seconds_text(expected, last->new_planned_seconds));
    else if (last->measured_seconds > slow_factor * last->planned_seconds)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "steps take %s, %s were planned; by the measured times no other plan is "
                          "faster",
                          took, was);
}

void vdnn_replans_fini(vdnn_replans *replans)
{
    for (int i = 0; i < VDNN_REPLANS_MOST; i++)
        vdnn_profile_destroy(replans->profiles[i]);
    *replans = (vdnn_replans){.count = 0};
}
