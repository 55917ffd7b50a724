#include "runtime/checker/checker_flow.h"

/* The two sides of a copy: its access that reads, and the one that writes. */
typedef struct sides {
    int32_t from, to;
    const vdnn_buffer *source, *target;
    int32_t made; /* the access that wrote what is copied; -1: from before the step */
} sides;

static sides sides_of(const vdnn_flow *f, const vdnn_step *step)
{
    const int32_t from = vdnn_flow_find(f, step, VDNN_BIND_SRC),
                  to = vdnn_flow_find(f, step, VDNN_BIND_DST);
    const vdnn_buffer *buffers = f->checker->plan->buffers;
    return (sides){from, to, &buffers[vdnn_flow_access(f, from)->buffer],
                   &buffers[vdnn_flow_access(f, to)->buffer], f->checker->source[from]};
}

static bool goes_down(const vdnn_step *copy)
{
    return vdnn_stream_to(copy->stream) > vdnn_stream_from(copy->stream);
}

/* A copy from a lower tier follows the copy that brought the value to that tier: further down only
 * one that went down, up either. */
static bool can_follow(const vdnn_flow *f, const vdnn_step *step, int32_t made)
{
    const vdnn_step *before = made < 0 ? NULL : vdnn_flow_step(f, made);
    if (vdnn_stream_from(step->stream) == VDNN_TIER_DEVICE)
        return true;
    return before != NULL && vdnn_step_kind_copies(before->kind) &&
           vdnn_stream_to(before->stream) == vdnn_stream_from(step->stream) &&
           (goes_down(before) || !goes_down(step));
}

/* What outlives the micro-batch that made it: parameters, their gradients and their state. */
static bool is_of_step(const vdnn_buffer *buffer)
{
    return buffer->class == VDNN_CLASS_WEIGHT_GRADIENT || buffer->class == VDNN_CLASS_WEIGHT ||
           buffer->class == VDNN_CLASS_OPTIMIZER;
}

/* What is copied is still its maker's. */
static vdnn_status pass_on(vdnn_flow *f, int32_t i, const sides *copy)
{
    const vdnn_access *from = vdnn_flow_access(f, copy->from), *to = vdnn_flow_access(f, copy->to);
    vdnn_status status = vdnn_flow_bound(&f->content, from);
    vdnn_flow_reader reader = vdnn_flow_read(f, copy->from);
    vdnn_flow_range range;
    while (status == VDNN_OK && vdnn_flow_next(&reader, &range)) {
        if (range.origin >= 0 && !is_of_step(copy->source) &&
            vdnn_flow_step(f, range.origin)->micro != f->checker->plan->steps[i].micro)
            return vdnn_checker_refuse(f->checker, i, f->checker->access_step[range.origin],
                                       from->buffer, "a copy moves a value of another micro-batch");
        range.at.offset = range.at.offset - from->first + to->first;
        status = vdnn_flow_put(&f->content, to->buffer, &range.at, range.origin);
    }
    f->reduced_by[to->buffer] = f->reduced_by[from->buffer];
    return status;
}

/* Each byte of a map goes to its place in the map. */
static vdnn_status check_place(const vdnn_flow *f, int32_t i, const sides *copy)
{
    const vdnn_access *from = vdnn_flow_access(f, copy->from), *to = vdnn_flow_access(f, copy->to);
    const size_t bytes = f->checker->plan->steps[i].bytes,
                 source = copy->source->map_offset + from->first,
                 target = copy->target->map_offset + to->first;
    if (copy->source->map < 0 || copy->source->map != copy->target->map)
        return vdnn_checker_refuse(f->checker, i, -1, to->buffer,
                                   "a copy moves map %d into the place of map %d",
                                   copy->source->map, copy->target->map);
    if (source != target || from->bytes != bytes || to->bytes != bytes)
        return vdnn_checker_refuse(f->checker, i, -1, from->buffer,
                                   "a copy moves %zu bytes of a map: %zu at %zu to %zu at %zu",
                                   bytes, from->bytes, source, to->bytes, target);
    return VDNN_OK;
}

/* All of one buffer becomes all of the other, so that what is in it keeps its place, and nothing
 * else is beside it there. */
static vdnn_status check_block(const vdnn_flow *f, int32_t i, const sides *copy)
{
    const size_t bytes = f->checker->plan->steps[i].bytes;
    if (bytes == copy->source->bytes && bytes == copy->target->bytes)
        return VDNN_OK;
    return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, copy->from)->buffer,
                               "a copy moves %zu bytes of parameters of %zu to %zu", bytes,
                               copy->source->bytes, copy->target->bytes);
}

static vdnn_status check_copy_of_value(vdnn_flow *f, int32_t i, const sides *copy)
{
    const vdnn_checker *checker = f->checker;
    const int32_t made = copy->made;
    vdnn_status status =
        is_of_step(copy->source) ? check_block(f, i, copy) : check_place(f, i, copy);
    if (status != VDNN_OK)
        return status;
    if (!can_follow(f, &checker->plan->steps[i], made))
        return vdnn_checker_refuse(checker, i, made < 0 ? -1 : checker->access_step[made],
                                   vdnn_flow_access(f, copy->from)->buffer,
                                   "a copy in does not follow a copy out of its value");
    return pass_on(f, i, copy);
}

/* Where the plan keeps the parameters of a layer, or its optimizer state; -1: it is no such class.
 */
static int32_t home_of(const vdnn_plan *plan, vdnn_class class, int32_t layer)
{
    if (layer < 0)
        return -1;
    return class == VDNN_CLASS_WEIGHT      ? plan->param_buffer[layer]
           : class == VDNN_CLASS_OPTIMIZER ? plan->state_buffer[layer]
                                           : -1;
}

/* In: what is kept in the host tier, as it was before the step. Out: what the update made of it. */
static vdnn_status check_copy_of_parameters(vdnn_flow *f, int32_t i, const sides *copy)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const bool is_in = step->kind == VDNN_STEP_COPY_IN;
    const int32_t layer = copy->source->layer, home = home_of(plan, copy->source->class, layer),
                  kept = vdnn_flow_access(f, is_in ? copy->from : copy->to)->buffer;
    if (home < 0 || kept != home || copy->target->class != copy->source->class ||
        copy->target->layer != layer || step->layer != layer)
        return vdnn_checker_refuse(f->checker, i, -1, kept,
                                   "a copy of parameters is not between a block that is kept and a "
                                   "copy of it");
    const vdnn_status status = check_block(f, i, copy);
    if (status != VDNN_OK)
        return status;
    if (is_in)
        return copy->made < 0 ? pass_on(f, i, copy)
                              : vdnn_flow_refuse(f, copy->from, copy->made,
                                                 "the parameters as they were before the step");
    const bool of_weights = copy->source->class == VDNN_CLASS_WEIGHT,
               is_gathered = of_weights && vdnn_flow_is_gathered(plan, &plan->graph->layers[layer]);
    const vdnn_bind changed = is_gathered  ? VDNN_BIND_DST
                              : of_weights ? VDNN_BIND_W
                                           : VDNN_BIND_STATE;
    const vdnn_step *maker = copy->made < 0 ? NULL : vdnn_flow_step(f, copy->made);
    const bool is_updated = maker != NULL && (is_gathered ? maker->kind == VDNN_STEP_GATHER
                                                          : maker->kind == VDNN_STEP_UPDATE ||
                                                                maker->kind == VDNN_STEP_RUN);
    if (!is_updated || maker->layer != layer || vdnn_flow_access(f, copy->made)->bind != changed)
        return vdnn_flow_refuse(f, copy->from, copy->made,
                                is_gathered ? "what the devices updated of the layer, gathered"
                                            : "what an update of the layer made");
    f->stored[layer][of_weights ? VDNN_FLOW_WEIGHTS : VDNN_FLOW_STATE]++;
    return pass_on(f, i, copy);
}

vdnn_status vdnn_flow_check_copy(vdnn_flow *f, int32_t i)
{
    const sides copy = sides_of(f, &f->checker->plan->steps[i]);
    const bool of_parameters =
        copy.source->class == VDNN_CLASS_WEIGHT || copy.source->class == VDNN_CLASS_OPTIMIZER;
    return of_parameters ? check_copy_of_parameters(f, i, &copy) : check_copy_of_value(f, i, &copy);
}
