#include "runtime/checker/checker.h"

#include "runtime/base/heap.h"
#include "runtime/checker/checker_internal.h"

#include <stdarg.h>
#include <stdio.h>

/* Names must be safe before the form is checked: the checker's own tables, guarded by their counts.
 */
static const char *const kind_texts[] = {
#define X(name, text, stream) text,
    VDNN_STEP_TABLE(X)
#undef X
};
static const char *const class_texts[] = {
#define X(name, text, category) text,
    VDNN_CLASS_TABLE(X)
#undef X
};
static const char *const pass_texts[] = {
#define X(name, text) text,
    VDNN_PASS_TABLE(X)
#undef X
};
static const char *const tier_texts[] = {
#define X(name, text) text,
    VDNN_TIER_TABLE(X)
#undef X
};

#define TEXT_OF(texts, i) ((size_t)(i) < sizeof(texts) / sizeof *(texts) ? (texts)[i] : "unknown")

enum { NAME_BYTES = 256, RULE_BYTES = 512 };

static const char *nonnull(const char *text)
{
    return text == NULL ? "" : text;
}

static void name_step(const vdnn_plan *plan, int32_t i, char *name)
{
    name[0] = '\0';
    if (i < 0 || i >= plan->step_count)
        return;
    const vdnn_step *step = &plan->steps[i];
    const bool has_layer = step->layer >= 0 && step->layer < plan->graph->layer_count;
    const bool is_run = step->kind == VDNN_STEP_RUN; /* a recompute has but one pass to name */
    (void)snprintf(name, NAME_BYTES, "; step %d (%s%s%s%s%s%s%s)", i,
                   TEXT_OF(kind_texts, step->kind), is_run ? " " : "",
                   is_run ? TEXT_OF(pass_texts, step->pass) : "", has_layer ? " " : "",
                   has_layer ? nonnull(plan->graph->layers[step->layer].name) : "",
                   *nonnull(step->label) != '\0' ? " " : "", nonnull(step->label));
}

static void name_buffer(const vdnn_plan *plan, int32_t i, char *name)
{
    name[0] = '\0';
    if (i < 0 || i >= plan->buffer_count)
        return;
    const vdnn_buffer *buffer = &plan->buffers[i];
    (void)snprintf(name, NAME_BYTES, "; buffer %d (%s %s, %s, %zu bytes at %zu)", i,
                   TEXT_OF(class_texts, buffer->class), nonnull(buffer->label),
                   TEXT_OF(tier_texts, buffer->tier), buffer->bytes, buffer->offset);
}

vdnn_status vdnn_checker_refuse(const vdnn_checker *checker, int32_t step, int32_t other,
                                int32_t buffer, const char *rule, ...)
{
    char reason[RULE_BYTES], first[NAME_BYTES], second[NAME_BYTES], third[NAME_BYTES];
    va_list arguments;
    va_start(arguments, rule);
    (void)vsnprintf(reason, sizeof reason, rule, arguments);
    va_end(arguments);
    name_step(checker->plan, step, first);
    name_step(checker->plan, other, second);
    name_buffer(checker->plan, buffer, third);
    return vdnn_status_fail(VDNN_INTERNAL, "broken plan: %s%s%s%s", reason, first, second, third);
}

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

static vdnn_status check_parts(vdnn_checker *checker)
{
    vdnn_status status = vdnn_checker_form(checker);
    if (status == VDNN_OK)
        status = vdnn_checker_clock(checker);
    if (status == VDNN_OK)
        status = vdnn_checker_space(checker);
    if (status == VDNN_OK)
        status = vdnn_checker_reads(checker);
    if (status == VDNN_OK)
        status = vdnn_checker_flow(checker);
    if (status == VDNN_OK)
        status = vdnn_checker_peak(checker);
    return status;
}

vdnn_status vdnn_checker_check(const vdnn_plan *plan, size_t device_bytes, size_t host_bytes)
{
    vdnn_checker checker = {.plan = plan, .device_bytes = device_bytes, .host_bytes = host_bytes};
    if (plan->step_count < 2 || plan->buffer_count < 0 || plan->access_count < 0 ||
        plan->wait_count < 0)
        return vdnn_checker_refuse(&checker, -1, -1, -1,
                                   "a plan has at least begin and end, and no negative counts "
                                   "(%d steps, %d buffers, %d accesses, %d waits)",
                                   plan->step_count, plan->buffer_count, plan->access_count,
                                   plan->wait_count);
    vdnn_status status = allocate(&checker);
    if (status == VDNN_OK)
        status = check_parts(&checker);
    release(&checker);
    return status;
}
