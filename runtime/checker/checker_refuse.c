/* Messages about broken plans. */

#include "runtime/base/numbers/decimal.h"
#include "runtime/checker/checker_internal.h"

#include <stdarg.h>
#include <stdio.h>

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
    const bool is_run = step->kind == VDNN_STEP_RUN; /* a recompute has only one pass to name */
    (void)snprintf(name, NAME_BYTES, "; step %d (%s%s%s%s%s%s%s)", i,
                   vdnn_step_kind_text(step->kind), is_run ? " " : "",
                   is_run ? vdnn_pass_text(step->pass) : "", has_layer ? " " : "",
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
                   vdnn_class_text(buffer->class), nonnull(buffer->label),
                   vdnn_tier_text(buffer->tier), buffer->bytes, buffer->offset);
}

vdnn_status vdnn_checker_refuse(const vdnn_checker *checker, int32_t step, int32_t other,
                                int32_t buffer, const char *rule, ...)
{
    char reason[RULE_BYTES], first[NAME_BYTES], second[NAME_BYTES], third[NAME_BYTES];
    va_list arguments;
    va_start(arguments, rule);
    (void)vdnn_decimal_vprint(reason, sizeof reason, rule, arguments);
    va_end(arguments);
    name_step(checker->plan, step, first);
    name_step(checker->plan, other, second);
    name_buffer(checker->plan, buffer, third);
    return vdnn_status_fail(VDNN_INTERNAL, "broken plan: %s%s%s%s", reason, first, second, third);
}
