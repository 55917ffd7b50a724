#include "runtime/checker/checker_flow.h"

/* What is kept between training steps: that the plan names one home of the right size for each of
 * it, and that a step leaves there what the next one means to find:
 *
 *     parameters       what their update made of them, or what was gathered of the updates
 *     optimizer state  what the update made of it
 *     what is ahead    the next batch, as loaded
 *
 * What a step does not change is as it was; so is everything under an evaluation. */

/* ---- homes ----------------------------------------------------------------------------------- */

/* A home has exactly the bytes of what is kept there, since copies and updates take all of it; 0:
 * it is not used. Parameters and their state have theirs in one tier: the device's, or the host's.
 */
static vdnn_status check_named(const vdnn_checker *checker, int32_t b, vdnn_class class,
                               int32_t layer, bool due, size_t bytes)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_tier tier = layer >= 0 ? vdnn_checker_home_of(plan, layer) : VDNN_TIER_DEVICE;
    if (b < 0 && !due)
        return VDNN_OK;
    if (b < 0 || b >= plan->buffer_count || plan->buffers[b].class != class ||
        plan->buffers[b].layer != layer || plan->buffers[b].tier != tier)
        return vdnn_checker_refuse(checker, -1, -1, b < plan->buffer_count ? b : -1,
                                   "the plan names buffer %d as the %s of layer %d", b,
                                   vdnn_class_text(class), layer);
    if (bytes > 0 && plan->buffers[b].bytes != bytes)
        return vdnn_checker_refuse(checker, -1, -1, b,
                                   "the plan keeps %zu bytes of %s in a buffer of %zu", bytes,
                                   vdnn_class_text(class), plan->buffers[b].bytes);
    return VDNN_OK;
}

/* A layer's parameters are where its owner's are. */
static vdnn_status check_block_of(const vdnn_checker *checker, const vdnn_layer *layer)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t l = layer->index, owner = layer->owner;
    if (plan->param_buffer[l] != plan->param_buffer[owner] ||
        plan->state_buffer[l] != plan->state_buffer[owner])
        return vdnn_checker_refuse(checker, -1, -1, plan->param_buffer[owner],
                                   "the plan keeps the parameters of layer %s elsewhere than those "
                                   "of layer %s, whose weight it reads",
                                   layer->name, plan->graph->layers[owner].name);
    return VDNN_OK;
}

/* What the step before left in one buffer is found in another: nothing else may be in these bytes
 * from the load to the end, nor from the begin to the take. */
static vdnn_status check_place(const vdnn_checker *checker, int32_t ahead, int32_t arrived)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_buffer *left = &plan->buffers[ahead], *found = &plan->buffers[arrived];
    if (left->offset != found->offset || left->bytes != found->bytes)
        return vdnn_checker_refuse(checker, -1, -1, arrived,
                                   "what arrived is not where the step before loaded it");
    if (left->last_step != plan->step_count - 1 || found->first_step != 0)
        return vdnn_checker_refuse(
            checker, left->last_step, found->first_step, ahead,
            "what is loaded for the next step is not kept until it is taken");
    return VDNN_OK;
}

/* Each row has one buffer, which holds all of it; one loaded late has two, in one place.
 */
static vdnn_status check_ahead(const vdnn_checker *checker, int32_t input, vdnn_class ahead,
                               vdnn_class arrived)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t buffer = plan->ahead[input], from = plan->arrived[input];
    const bool is_late = plan->loads == VDNN_LOADS_LATE;
    const size_t bytes = plan->training ? vdnn_desc_bytes(&plan->graph->inputs[input].desc) : 0;
    vdnn_status status =
        check_named(checker, buffer, ahead, -1, plan->loads != VDNN_LOADS_OWN, bytes);
    if (status == VDNN_OK && is_late)
        status = check_named(checker, from, arrived, -1, true, bytes);
    if (status == VDNN_OK && is_late)
        status = check_place(checker, buffer, from);
    if (status == VDNN_OK && !is_late && from != buffer)
        status = vdnn_checker_refuse(checker, -1, -1, buffer,
                                     "what is loaded ahead is taken from elsewhere");
    for (int32_t other = 0; other < input && status == VDNN_OK && buffer >= 0; other++)
        if (plan->ahead[other] == buffer)
            status = vdnn_checker_refuse(checker, -1, -1, buffer,
                                         "two inputs are loaded ahead into one buffer");
    return status;
}

vdnn_status vdnn_flow_check_names(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t labels = vdnn_graph_labels_row(plan->graph);
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < labels && status == VDNN_OK; i++)
        status = check_ahead(checker, i, VDNN_CLASS_INPUT_AHEAD, VDNN_CLASS_INPUT_ARRIVED);
    VDNN_IF_OK(status,
               check_ahead(checker, labels, VDNN_CLASS_LABELS_AHEAD, VDNN_CLASS_LABELS_ARRIVED));
    for (int32_t l = 0; l < plan->graph->layer_count && status == VDNN_OK; l++) {
        const vdnn_layer *layer = &plan->graph->layers[l];
        if (layer->owner != l)
            continue;
        status = check_named(checker, plan->param_buffer[l], VDNN_CLASS_WEIGHT, l,
                             layer->param_bytes > 0 && !layer->is_lent,
                             vdnn_checker_weight_bytes(plan, layer));
        VDNN_IF_OK(status,
                   check_named(checker, plan->state_buffer[l], VDNN_CLASS_OPTIMIZER, l,
                               plan->training && layer->trainable_bytes > 0 && !layer->is_lent,
                               plan->training ? vdnn_checker_state_bytes(plan, layer) : 0));
    }
    for (int32_t l = 0; l < plan->graph->layer_count && status == VDNN_OK; l++)
        status = check_block_of(checker, &plan->graph->layers[l]);
    return status;
}

/* ---- what a step leaves ---------------------------------------------------------------------- */

/* Who is the last to write each class that is kept, and as what. */
static const struct leaver {
    vdnn_class class;
    vdnn_step_kind kind;
    vdnn_bind bind;
} leavers[] = {
    {VDNN_CLASS_WEIGHT, VDNN_STEP_UPDATE, VDNN_BIND_W},
    {VDNN_CLASS_WEIGHT, VDNN_STEP_RUN, VDNN_BIND_W},
    {VDNN_CLASS_WEIGHT, VDNN_STEP_GATHER, VDNN_BIND_DST},
    {VDNN_CLASS_OPTIMIZER, VDNN_STEP_UPDATE, VDNN_BIND_STATE},
    {VDNN_CLASS_OPTIMIZER, VDNN_STEP_RUN, VDNN_BIND_STATE},
    {VDNN_CLASS_INPUT_AHEAD, VDNN_STEP_LOAD, VDNN_BIND_DST},
    {VDNN_CLASS_LABELS_AHEAD, VDNN_STEP_LOAD, VDNN_BIND_DST},
};

static bool is_left_by(const vdnn_flow *f, const vdnn_buffer *buffer, int32_t origin)
{
    const vdnn_step *step = vdnn_flow_step(f, origin);
    for (size_t i = 0; i < sizeof leavers / sizeof *leavers; i++)
        if (leavers[i].class == buffer->class && leavers[i].kind == step->kind &&
            leavers[i].bind == (vdnn_bind)vdnn_flow_access(f, origin)->bind)
            return buffer->layer < 0 || buffer->layer == step->layer;
    return false;
}

/* All of a buffer is what such a step wrote last, or, where it is not changed, as it was. */
static vdnn_status check_left(const vdnn_flow *f, int32_t b, bool is_changed)
{
    const vdnn_buffer *buffer = &f->checker->plan->buffers[b];
    vdnn_flow_reader reader = vdnn_flow_read_all(f, b);
    vdnn_flow_range range;
    while (vdnn_flow_next(&reader, &range))
        if (range.origin < 0 ? is_changed : !is_changed || !is_left_by(f, buffer, range.origin))
            return vdnn_checker_refuse(
                f->checker, range.origin < 0 ? -1 : f->checker->access_step[range.origin], -1, b,
                "a step leaves %s in %s that is kept",
                range.origin < 0 ? "what was there" : "another value",
                vdnn_class_text(buffer->class));
    return VDNN_OK;
}

vdnn_status vdnn_flow_check_kept(const vdnn_flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < plan->graph->input_count && status == VDNN_OK; i++)
        if (plan->ahead[i] >= 0)
            status = check_left(f, plan->ahead[i], plan->training);
    for (int32_t l = 0; l < plan->graph->layer_count && status == VDNN_OK; l++) {
        const vdnn_layer *layer = &plan->graph->layers[l];
        const bool is_changed = plan->training && layer->trainable_bytes > 0;
        if (layer->owner == l && plan->param_buffer[l] >= 0)
            status = check_left(f, plan->param_buffer[l], is_changed);
        if (status == VDNN_OK && layer->owner == l && plan->state_buffer[l] >= 0)
            status = check_left(f, plan->state_buffer[l], is_changed);
    }
    return status;
}
