#include "runtime/fit/smallest_budget.h"

#include <stdint.h>

/* Plans that are a byte smaller are asked for so often; then the middle of what is open is. And
 * searches that make the plan of the smallest budget faster, which may find smaller ones. */
enum { MOST_STEPS = 64, MOST_SEARCHES = 3 };

/* Of such a search. */
enum { SEARCHED_TRIALS = 200 };

static bool lasts(void *argument, int64_t trials)
{
    (void)argument;
    return trials < SEARCHED_TRIALS;
}

static const vdnn_policy_patience searching = {.lasts = lasts};

typedef struct descent {
    const vdnn_fit_request *request; /* without patience */
    size_t enough;
    vdnn_smallest_budget least; /* so far */
    size_t refused;             /* the most that is known to be, below that */
    size_t tried;               /* the budget of the last attempt of all the bytes that it has */
    int searches;               /* that were made */
} descent;

/* Takes the plan of that budget if it is the smallest so far: *smaller. */
static vdnn_status attempt(descent *own, size_t budget, bool *fits, bool *smaller)
{
    const size_t *budgets = own->request->setup->budget_bytes;
    size_t span_bytes[VDNN_TIER_COUNT];
    vdnn_status status = vdnn_attempt_need(own->request, budget, span_bytes);
    *fits = status == VDNN_OK;
    *smaller = false;
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    for (int t = VDNN_TIER_DEVICE + 1; t < VDNN_TIER_COUNT; t++)
        if (span_bytes[t] > budgets[t])
            return VDNN_OK;
    const size_t bytes = span_bytes[VDNN_TIER_DEVICE];
    *smaller = own->least.bytes == 0 || bytes < own->least.bytes;
    if (*smaller)
        own->least = (vdnn_smallest_budget){bytes, budget, own->request->patience != NULL};
    return VDNN_OK;
}

/* The smallest plan that the policy knows where nothing fits; if the host is too small for that,
 * one without a limit. */
static vdnn_status begin(descent *own)
{
    bool fits, smaller;
    vdnn_status status = attempt(own, 0, &fits, &smaller);
    return status == VDNN_OK && !smaller ? attempt(own, SIZE_MAX / 4, &fits, &smaller) : status;
}

static bool is_done(const descent *own)
{
    const bool is_tried = own->tried == own->least.bytes;
    return own->least.bytes <= own->enough || (is_tried && own->refused + 1 >= own->least.bytes);
}

/* All that the smallest takes, then less. */
static size_t next_budget(const descent *own, int step)
{
    const size_t bytes = own->least.bytes;
    if (own->tried != bytes)
        return bytes;
    return step < MOST_STEPS ? bytes - 1 : own->refused + (bytes - own->refused) / 2;
}

/* Under all that the smallest takes. */
static vdnn_status search(descent *own, bool *smaller)
{
    vdnn_fit_request patient = *own->request;
    descent with = *own;
    bool fits;
    patient.patience = &searching;
    with.request = &patient;
    vdnn_status status = attempt(&with, own->least.bytes, &fits, smaller);
    own->least = with.least;
    own->searches++;
    return status == VDNN_OK ? vdnn_messages_interrupted(&own->request->setup->messages) : status;
}

static vdnn_status descend(descent *own)
{
    vdnn_status status = VDNN_OK;
    for (int step = 0; status == VDNN_OK && !is_done(own); step++) {
        const size_t budget = next_budget(own, step);
        bool fits = false, smaller;
        if (budget == own->least.bytes)
            own->tried = budget;
        status = attempt(own, budget, &fits, &smaller);
        if (status == VDNN_OK && !fits && budget < own->least.bytes)
            own->refused = budget;
        if (own->refused >= own->least.bytes) /* by another attempt it fits */
            own->refused = 0;
    }
    return status;
}

/* Under every budget a static policy decides the same, but for what takes memory that is left: what
 * is less than that takes is refused. */
static vdnn_status use_rest(descent *own)
{
    bool fits, smaller;
    return attempt(own, own->least.bytes, &fits, &smaller);
}

/* What is searched for depends on times, and those that are measured change while a run learns:
 * what is the smallest should not. */
static vdnn_status find_dynamic(descent *own)
{
    bool smaller = own->request->setup->properties.simulated;
    vdnn_status status = descend(own);
    while (status == VDNN_OK && smaller && own->least.bytes > own->enough &&
           own->searches < MOST_SEARCHES) {
        status = search(own, &smaller);
        if (status == VDNN_OK && smaller)
            status = descend(own);
    }
    return status;
}

static vdnn_status find(descent *own)
{
    const vdnn_fit_request *request = own->request;
    vdnn_status status = begin(own);
    if (status != VDNN_OK || own->least.bytes == 0 || own->least.bytes <= own->enough)
        return status;
    return request->policy->is_static && !request->tests ? use_rest(own) : find_dynamic(own);
}

vdnn_status vdnn_smallest_budget_find(const vdnn_fit_request *request, size_t enough,
                                      vdnn_smallest_budget *least)
{
    vdnn_planning *made = NULL;
    vdnn_fit_request quick = *request;
    descent own = {.request = &quick, .enough = enough, .tried = SIZE_MAX};
    quick.patience = NULL;
    quick.last = NULL;
    if (quick.planning == NULL) {
        VDNN_TRY(vdnn_setup_plan(request->setup, &made));
        quick.planning = made;
    }
    vdnn_status status = find(&own);
    vdnn_planning_destroy(made);
    if (status == VDNN_OK)
        *least = own.least;
    return status;
}

vdnn_status vdnn_smallest_budget_plan(const vdnn_fit_request *request,
                                      const vdnn_smallest_budget *least, vdnn_fit_plans *plans)
{
    vdnn_fit_request own = *request;
    own.patience = least->is_searched ? &searching : NULL;
    if (own.last != NULL)
        vdnn_policy_last_fini(own.last);
    vdnn_status status = vdnn_attempt_plan(&own, least->found_under, plans);
    return status == VDNN_NO_FIT ? VDNN_OK : status;
}
