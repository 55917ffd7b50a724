#include "runtime/checker/checker.h"

#include "runtime/base/heap.h"
#include "runtime/checker/checker_internal.h"

static vdnn_status allocate(vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const size_t steps = (size_t)plan->step_count, buffers = (size_t)plan->buffer_count,
                 accesses = (size_t)plan->access_count;
    checker->access_step = vdnn_heap_calloc(accesses, sizeof *checker->access_step);
    checker->buffer_first = vdnn_heap_calloc(buffers + 1, sizeof *checker->buffer_first);
    checker->buffer_access = vdnn_heap_calloc(accesses, sizeof *checker->buffer_access);
    checker->users = vdnn_heap_calloc(buffers, sizeof *checker->users);
    checker->position = vdnn_heap_calloc(steps, sizeof *checker->position);
    checker->clock = vdnn_heap_calloc(steps, sizeof *checker->clock);
    checker->source = vdnn_heap_calloc(accesses, sizeof *checker->source);
    if (checker->access_step == NULL || checker->buffer_first == NULL ||
        checker->buffer_access == NULL || checker->users == NULL || checker->position == NULL ||
        checker->clock == NULL || checker->source == NULL)
        return vdnn_checker_no_memory(steps + buffers + accesses);
    return VDNN_OK;
}

static void release(vdnn_checker *checker)
{
    vdnn_heap_free(checker->access_step);
    vdnn_heap_free(checker->buffer_first);
    vdnn_heap_free(checker->buffer_access);
    vdnn_heap_free(checker->users);
    vdnn_heap_free(checker->position);
    vdnn_heap_free(checker->clock);
    vdnn_heap_free(checker->source);
}

/* In the order in which they rely on each other (checker_internal.h). */
static vdnn_status (*const passes[])(vdnn_checker *) = {
    vdnn_checker_network, vdnn_checker_form,  vdnn_checker_runs, vdnn_checker_clock,
    vdnn_checker_space,   vdnn_checker_reads, vdnn_checker_flow, vdnn_checker_peak,
};
enum { PASSES = sizeof passes / sizeof *passes };

/* Before anything of the plan is read. */
static vdnn_status check_counts(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t counts[] = {plan->step_count, plan->buffer_count, plan->access_count,
                              plan->wait_count};
    bool good = plan->step_count >= 2;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        good = good && counts[i] >= 0 && counts[i] <= VDNN_PLAN_MOST_ITEMS;
    return good
               ? VDNN_OK
               : vdnn_checker_refuse(checker, -1, -1, -1,
                                     "a plan has at least begin and end, and of nothing fewer than "
                                     "none or more than %d (%d steps, %d buffers, %d accesses, %d "
                                     "waits)",
                                     VDNN_PLAN_MOST_ITEMS, counts[0], counts[1], counts[2],
                                     counts[3]);
}

vdnn_status vdnn_checker_check(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    vdnn_checker checker = {.plan = plan, .budget_bytes = budget_bytes};
    vdnn_status status = check_counts(&checker);
    VDNN_IF_OK(status, allocate(&checker));
    for (int i = 0; i < PASSES && status == VDNN_OK; i++)
        status = passes[i](&checker);
    release(&checker);
    return status;
}
