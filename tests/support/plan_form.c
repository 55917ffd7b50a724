/* What the checker requires of a plan whose bytes are right anyway. */

#include "tests/support/plan_edit.h"
#include "tests/support/plan_interpreter.h"

static bool is_aligned(const vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].offset % vdnn_tier_alignment(plan->buffers[b].tier) != 0)
            return false;
    return true;
}

static bool is_named(const vdnn_plan *plan, int32_t b)
{
    const int32_t layer = plan->buffers[b].layer;
    const vdnn_class class = plan->buffers[b].class;
    const bool is_ahead = class == VDNN_CLASS_INPUT_AHEAD || class == VDNN_CLASS_LABELS_AHEAD;
    return (is_ahead && plan->loads == VDNN_LOADS_AHEAD) ||
           (layer >= 0 && (b == plan->param_buffer[layer] || b == plan->state_buffer[layer]));
}

static bool is_kept(const vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].persistent != is_named(plan, b))
            return false;
    for (int32_t l = 0; l < plan->graph->layer_count; l++) {
        const int32_t owner = plan->graph->layers[l].owner;
        if (plan->param_buffer[l] != plan->param_buffer[owner] ||
            plan->state_buffer[l] != plan->state_buffer[owner])
            return false;
    }
    return true;
}

static bool holds(const vdnn_plan *plan, int32_t step, int32_t buffer)
{
    const vdnn_step *own = &plan->steps[step];
    int32_t k = 0;
    while (k < own->access_count && plan->accesses[own->first_access + k].buffer != buffer)
        k++;
    return k < own->access_count;
}

/* What is loaded late is there to the end, and in the next step from the begin on. */
static bool is_left(const vdnn_plan *plan)
{
    const int32_t count = plan->loads == VDNN_LOADS_LATE ? plan->graph->input_count : 0;
    for (int32_t i = 0; i < count; i++)
        if (!holds(plan, 0, plan->arrived[i]) || !holds(plan, plan->step_count - 1, plan->ahead[i]))
            return false;
    return true;
}

static bool is_used(const vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        bool used = plan->buffers[b].persistent;
        for (int32_t k = 0; k < plan->access_count && !used; k++)
            used = plan->accesses[k].buffer == b;
        if (!used)
            return false;
    }
    return true;
}

/* The class of what a load, a take or a copy writes, and the network's input that it is; -1:
 * nothing. */
static int target_of(const vdnn_plan *plan, int32_t step)
{
    const vdnn_access *to = vdnn_plan_edit_access(plan, step, VDNN_BIND_DST);
    if (to == NULL)
        return -1;
    const vdnn_buffer *buffer = &plan->buffers[to->buffer];
    return (int)buffer->class * VDNN_INPUTS_MAX + vdnn_plan_input_of(plan, buffer) + 1;
}

/* Of copies those alone that store what is kept: they are counted, too. */
static bool counts(const vdnn_plan *plan, int32_t step)
{
    static const unsigned kinds =
        1U << VDNN_STEP_LOAD | 1U << VDNN_STEP_TAKE | 1U << VDNN_STEP_RUN | 1U << VDNN_STEP_REDUCE |
        1U << VDNN_STEP_GATHER | 1U << VDNN_STEP_AVERAGE | 1U << VDNN_STEP_NORM |
        1U << VDNN_STEP_UPDATE | 1U << VDNN_STEP_STORE;
    const vdnn_access *to = vdnn_plan_edit_access(plan, step, VDNN_BIND_DST);
    return (kinds & 1U << plan->steps[step].kind) != 0 ||
           (plan->steps[step].kind == VDNN_STEP_COPY_OUT && to != NULL &&
            plan->buffers[to->buffer].persistent);
}

static bool is_once(const vdnn_plan *plan)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t j = i + 1; j < plan->step_count && counts(plan, i); j++) {
            const vdnn_step *a = &plan->steps[i], *b = &plan->steps[j];
            if (a->kind == b->kind && a->layer == b->layer && a->pass == b->pass &&
                a->micro == b->micro && a->part == b->part &&
                target_of(plan, i) == target_of(plan, j))
                return false;
        }
    return true;
}

static bool is_copy(const vdnn_step *step)
{
    static const unsigned kinds = 1U << VDNN_STEP_COPY_OUT | 1U << VDNN_STEP_COPY_IN |
                                  1U << VDNN_STEP_SPILL | 1U << VDNN_STEP_FILL;
    return (kinds & 1U << step->kind) != 0;
}

/* Of a block of parameters all of its gradient, wherever in the buffer it begins, or of the
 * channels of a part some; of several what is summed over the devices. */
static bool takes_gradient(const vdnn_plan *plan, const vdnn_step *step, const vdnn_access *access)
{
    const vdnn_layer *layer = &plan->graph->layers[step->layer < 0 ? 0 : step->layer];
    if (step->kind == VDNN_STEP_REDUCE)
        return access->bytes == step->bytes;
    return (vdnn_step_has_kernel(step) && layer->channel_parts > 1) ||
           access->bytes == layer->trainable_bytes;
}

/* Without a kernel all of the buffer; of gradients, which may share larger ones, what is summed; of
 * a map, what is copied. */
static bool takes_all(const vdnn_plan *plan, const vdnn_step *step)
{
    for (int32_t k = 0; k < step->access_count; k++) {
        const vdnn_access *access = &plan->accesses[step->first_access + k];
        const vdnn_buffer *buffer = &plan->buffers[access->buffer];
        const bool is_sum =
            step->kind == VDNN_STEP_ACCUMULATE && buffer->class == VDNN_CLASS_GRADIENT_MAP;
        const bool is_moved =
            is_sum || (is_copy(step) && buffer->map >= 0 && buffer->tier == VDNN_TIER_DEVICE);
        const bool is_range = access->mode == VDNN_HOLD || vdnn_step_has_kernel(step),
                   is_gradient = access->mode != VDNN_HOLD && !is_copy(step) &&
                                 buffer->class == VDNN_CLASS_WEIGHT_GRADIENT;
        if (access->first + access->bytes > buffer->bytes ||
            (is_gradient ? !takes_gradient(plan, step, access)
                         : !is_range && access->bytes != (is_moved ? step->bytes : buffer->bytes)))
            return false;
    }
    return true;
}

/* All of a block of parameters; of a map each byte to its place in it. */
static bool copies_well(const vdnn_plan *plan, int32_t step)
{
    const vdnn_access *from = vdnn_plan_edit_access(plan, step, VDNN_BIND_SRC),
                      *to = vdnn_plan_edit_access(plan, step, VDNN_BIND_DST);
    if (!is_copy(&plan->steps[step]) || from == NULL || to == NULL)
        return true;
    const vdnn_buffer *source = &plan->buffers[from->buffer], *target = &plan->buffers[to->buffer];
    return source->map < 0 ? plan->steps[step].bytes == source->bytes
                           : source->map == target->map &&
                                 source->map_offset + from->first == target->map_offset + to->first;
}

static bool is_whole(const vdnn_plan *plan)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (!takes_all(plan, &plan->steps[i]) || !copies_well(plan, i))
            return false;
    return true;
}

static const vdnn_access *gradient_read_by(const vdnn_plan *plan, vdnn_step_kind kind,
                                           int32_t layer)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == kind && plan->steps[i].layer == layer)
            return vdnn_plan_edit_access(plan, i, VDNN_BIND_DW);
    return NULL;
}

/* The step that made what is read, whatever copies it went through. */
static int32_t maker_of(const vdnn_plan *plan, const vdnn_access *read)
{
    while (read != NULL && read->writer >= 0 && is_copy(&plan->steps[read->writer]))
        read = vdnn_plan_edit_access(plan, read->writer, VDNN_BIND_SRC);
    return read == NULL ? -1 : read->writer;
}

/* A sum over the devices has the name of a layer whose gradient it sums, which its norm, or its
 * update, finds there. */
static bool is_of_layer(const vdnn_plan *plan)
{
    const vdnn_step_kind reads =
        plan->graph->training.clip_norm > 0 ? VDNN_STEP_NORM : VDNN_STEP_UPDATE;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_REDUCE &&
            maker_of(plan, gradient_read_by(plan, reads, plan->steps[i].layer)) != i)
            return false;
    return true;
}

/* What a sum over devices stages is as large as what is staged. */
static bool is_staged(const vdnn_plan *plan)
{
    const size_t copies = plan->graph->gathers ? (size_t)plan->graph->devices - 1 : 1;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_access *staged = vdnn_plan_edit_access(plan, i, VDNN_BIND_STAGED);
        if (staged != NULL && staged->bytes != copies * plan->steps[i].bytes)
            return false;
    }
    return true;
}

/* A copy between the host and the file tier moves all that it accesses. */
static bool is_moved(const vdnn_plan *plan)
{
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        const bool is_file = step->kind == VDNN_STEP_SPILL || step->kind == VDNN_STEP_FILL;
        const vdnn_access *from = vdnn_plan_edit_access(plan, i, VDNN_BIND_SRC),
                          *to = vdnn_plan_edit_access(plan, i, VDNN_BIND_DST);
        if (is_file && from != NULL && to != NULL &&
            (from->bytes != step->bytes || to->bytes != step->bytes))
            return false;
    }
    return true;
}

const char *vdnn_plan_form(const vdnn_plan *plan)
{
    // clang-format off
    static const struct {
        bool (*holds)(const vdnn_plan *);
        const char *name;
    } rules[] = {
        {is_aligned, "aligned"},
        {is_kept, "kept"},
        {is_left, "left"},
        {is_used, "used"},
        {is_once, "once"},
        {is_whole, "whole"},
        {is_staged, "staged"},
        {is_moved, "moved"},
        {is_of_layer, "of layer"},
        {vdnn_plan_edit_is_ordered, "ordered"},
    };
    // clang-format on
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].holds(plan))
            return rules[i].name;
    return NULL;
}
