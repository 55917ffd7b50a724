#include "runtime/checker/checker_flow.h"

#include "runtime/base/heap.h"

/* The values of the network, derived from the graph alone, and compared with the plan's. Copies are
 * transparent: a value that was copied out and in is still its producer's. A recompute that reads
 * the inputs of forward gives the output of forward.
 *
 *   run forward conv1 --y--> copy_out m --host copy--> copy_in m --x--> run backward_filter relu1
 *   `origin` of that x: the access y of run forward conv1
 *
 * Each micro-batch has values of its own, and reads no other's. What several parts of a layer made
 * has as many pieces, each with an origin of its own; that a part writes the bytes of its samples,
 * and of its channels, was proven with its run.
 *
 * The gradient of a tensor is the sum of one part from each input that reads it, last reader first,
 * and of each over the parts of its reader's channels, first one first; that of a block of
 * parameters the sum over micro-batches, first one first, of each over the layers that have
 * parameters in it, last one first, and of each over its parts of the samples, first one first; so
 * the same sums come out under every policy, bit for bit. Running statistics are updated after each
 * micro-batch. */

/* What a step of a kind writes as `bind`, in one micro-batch. */
bool vdnn_flow_made_by(const vdnn_flow *f, int32_t origin, vdnn_step_kind kind, vdnn_bind bind,
                       int32_t micro)
{
    if (origin < 0)
        return false;
    const vdnn_step *step = vdnn_flow_step(f, origin);
    return step->kind == kind && vdnn_flow_access(f, origin)->bind == bind && step->micro == micro;
}

bool vdnn_flow_made_by_run(const vdnn_flow *f, int32_t origin, vdnn_pass pass, int32_t layer,
                           vdnn_bind bind, int32_t micro)
{
    return vdnn_flow_made_by(f, origin, VDNN_STEP_RUN, bind, micro) &&
           vdnn_flow_step(f, origin)->pass == pass && vdnn_flow_step(f, origin)->layer == layer;
}

vdnn_status vdnn_flow_refuse(const vdnn_flow *f, int32_t access, int32_t origin, const char *meant)
{
    const int32_t maker = origin < 0 ? -1 : f->checker->access_step[origin];
    return vdnn_checker_refuse(f->checker, f->checker->access_step[access], maker,
                               vdnn_flow_access(f, access)->buffer,
                               "a step reads another value than %s", meant);
}

int32_t vdnn_flow_find(const vdnn_flow *f, const vdnn_step *step, vdnn_bind bind)
{
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++)
        if (vdnn_flow_access(f, k)->bind == bind)
            return k;
    return -1;
}

/* By the layer's forward or its recompute: their inputs are checked at their reads. */
static bool made_by_forward(const vdnn_flow *f, int32_t origin, int32_t layer, vdnn_bind bind,
                            int32_t micro)
{
    return vdnn_flow_made_by_run(f, origin, VDNN_FORWARD, layer, bind, micro) ||
           (vdnn_flow_made_by(f, origin, VDNN_STEP_RECOMPUTE, bind, micro) &&
            vdnn_flow_step(f, origin)->layer == layer);
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* Whether a buffer is where a row of the table of inputs is read; all but the labels are maps. */
static bool is_place_of(const vdnn_plan *plan, int32_t buffer, int32_t input)
{
    const vdnn_buffer *b = &plan->buffers[buffer];
    return input == vdnn_graph_labels_row(plan->graph)
               ? b->class == VDNN_CLASS_LABELS
               : b->class == VDNN_CLASS_INPUT && b->map == input;
}

/* A row of the batch, where its readers find it: by the step that brings it there, whose row was
 * proven with it. */
static bool made_by_batch(const vdnn_flow *f, int32_t origin, int32_t micro, int32_t input)
{
    if (origin < 0 || !is_place_of(f->checker->plan, vdnn_flow_access(f, origin)->buffer, input))
        return false;
    const bool ahead = vdnn_plan_loads_ahead(f->checker->plan);
    return vdnn_flow_made_by(f, origin, ahead ? VDNN_STEP_TAKE : VDNN_STEP_LOAD, VDNN_BIND_DST,
                             micro);
}

static vdnn_status check_tensor(const vdnn_flow *f, int32_t access, int32_t origin, int32_t tensor)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t producer = vdnn_checker_writer(plan->graph, tensor),
                  micro = vdnn_flow_step(f, access)->micro;
    if (plan->graph->tensors[tensor].arrives)
        return vdnn_flow_received(f, origin, VDNN_FORWARD) == tensor &&
                       vdnn_flow_step(f, origin)->micro == micro
                   ? VDNN_OK
                   : vdnn_flow_refuse(f, access, origin, "what the stage before sent");
    if (producer < 0) {
        if (!made_by_batch(f, origin, micro, tensor))
            return vdnn_flow_refuse(f, access, origin, "the input as loaded");
        return VDNN_OK;
    }
    if (!made_by_forward(f, origin, producer, VDNN_BIND_Y, micro))
        return vdnn_flow_refuse(f, access, origin, plan->graph->layers[producer].name);
    return VDNN_OK;
}

/* Whether an access reads a block as it was before the step: where it is kept, or on the device a
 * copy of that; -1: there is none. */
static bool reads_kept(const vdnn_flow *f, int32_t access, int32_t home)
{
    const vdnn_checker *checker = f->checker;
    const int32_t source = checker->source[access];
    if (home < 0)
        return false;
    if (checker->plan->buffers[home].tier == VDNN_TIER_DEVICE)
        return vdnn_flow_access(f, access)->buffer == home && source < 0;
    if (source < 0 || vdnn_flow_step(f, source)->kind != VDNN_STEP_COPY_IN)
        return false;
    const int32_t from = vdnn_flow_find(f, vdnn_flow_step(f, source), VDNN_BIND_SRC);
    return vdnn_flow_access(f, from)->buffer == home;
}

/* The last micro-batch whose statistics a step finds averaged; -1: none. Of several devices an
 * update finds those of its device: it changes none. In a pipeline forward may be ahead of them. */
static int32_t micro_averaged(const vdnn_flow *f, const vdnn_step *step)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const bool is_behind = step->kind == VDNN_STEP_UPDATE && graph->devices > 1;
    int32_t micro = is_behind ? step->micro : step->micro - 1;
    if (graph->stage.count == 0 || !vdnn_step_has_kernel(step))
        return micro;
    for (micro = graph->micro_batches - 1; micro >= 0; micro--)
        if (f->averages[micro * graph->layer_count + step->layer] > 0)
            return micro;
    return -1;
}

/* Parameters are what they were before the step, but for the running statistics of the
 * micro-batches so far. */
vdnn_status vdnn_flow_check_kept_weights(const vdnn_flow *f, int32_t access,
                                         const vdnn_layer *layer)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t source = f->checker->source[access], home = plan->param_buffer[layer->index];
    const int32_t before = micro_averaged(f, vdnn_flow_step(f, access));
    const bool is_averaged = plan->training && before >= 0 && vdnn_flow_has_averages(layer);
    const bool right =
        layer->is_lent ? vdnn_flow_is_lent(f, source, layer->owner)
        : is_averaged  ? vdnn_flow_access(f, access)->buffer == home &&
                            vdnn_flow_made_by(f, source, VDNN_STEP_AVERAGE, VDNN_BIND_W, before)
                      : reads_kept(f, access, home);
    return right ? VDNN_OK : vdnn_flow_refuse(f, access, source, "the layer's parameters");
}

static vdnn_status check_state(const vdnn_flow *f, int32_t access, const vdnn_layer *layer)
{
    return reads_kept(f, access, f->checker->plan->state_buffer[layer->index])
               ? VDNN_OK
               : vdnn_flow_refuse(f, access, f->checker->source[access],
                                  "the layer's optimizer state");
}

static vdnn_status check_labels(const vdnn_flow *f, int32_t access)
{
    const int32_t source = f->checker->source[access];
    if (!made_by_batch(f, source, vdnn_flow_step(f, access)->micro,
                       vdnn_graph_labels_row(f->checker->plan->graph)))
        return vdnn_flow_refuse(f, access, source, "the labels as loaded");
    return VDNN_OK;
}

/* Of every part of the loss: a part writes its row. */
static vdnn_status check_result(const vdnn_flow *f, int32_t access)
{
    const int32_t loss = f->checker->plan->graph->layer_count - 1,
                  micro = vdnn_flow_step(f, access)->micro;
    vdnn_status status = VDNN_OK;
    vdnn_flow_reader reader = vdnn_flow_read(f, access);
    vdnn_flow_range range;
    while (status == VDNN_OK && vdnn_flow_next(&reader, &range))
        if (!vdnn_flow_made_by_run(f, range.origin, VDNN_FORWARD, loss, VDNN_BIND_Y, micro))
            status = vdnn_flow_refuse(f, access, range.origin, "the result of the loss");
    return status;
}

static vdnn_status check_store(const vdnn_flow *f, int32_t i)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const vdnn_step *step = &f->checker->plan->steps[i];
    const int32_t result = graph->tensors[graph->layers[graph->layer_count - 1].output].map;
    const int32_t from = vdnn_flow_find(f, step, VDNN_BIND_SRC);
    if (step->bytes != graph->maps[result].bytes)
        return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, from)->buffer,
                                   "a store of %zu bytes of a result of %zu", step->bytes,
                                   graph->maps[result].bytes);
    return check_result(f, from);
}

/* A piece of what a run reads as `bind`. */
static vdnn_status check_piece(const vdnn_flow *f, const vdnn_step *step, int32_t access,
                               int32_t origin)
{
    const vdnn_layer *layer = &f->checker->plan->graph->layers[step->layer];
    switch ((vdnn_bind)vdnn_flow_access(f, access)->bind) {
    case VDNN_BIND_X:
        return check_tensor(f, access, origin, layer->inputs[vdnn_flow_access(f, access)->slot]);
    case VDNN_BIND_Y:
        return check_tensor(f, access, origin, layer->output);
    default:
        return made_by_forward(f, origin, step->layer, VDNN_BIND_AUX, step->micro)
                   ? VDNN_OK
                   : vdnn_flow_refuse(f, access, origin, "what the layer's forward saved");
    }
}

vdnn_status vdnn_flow_check_tensor(const vdnn_flow *f, int32_t access, int32_t tensor)
{
    vdnn_status status = VDNN_OK;
    vdnn_flow_reader reader = vdnn_flow_read(f, access);
    vdnn_flow_range range;
    while (status == VDNN_OK && vdnn_flow_next(&reader, &range))
        status = check_tensor(f, access, range.origin, tensor);
    return status;
}

static vdnn_status check_map(const vdnn_flow *f, const vdnn_step *step, int32_t access)
{
    vdnn_status status = VDNN_OK;
    vdnn_flow_reader reader = vdnn_flow_read(f, access);
    vdnn_flow_range range;
    while (status == VDNN_OK && vdnn_flow_next(&reader, &range))
        status = check_piece(f, step, access, range.origin);
    return status;
}

/* One read of a run or an update. */
static vdnn_status check_value(const vdnn_flow *f, const vdnn_step *step, int32_t access)
{
    const vdnn_layer *layer = &f->checker->plan->graph->layers[step->layer];
    switch ((vdnn_bind)vdnn_flow_access(f, access)->bind) {
    case VDNN_BIND_X:
    case VDNN_BIND_Y:
    case VDNN_BIND_AUX:
        return check_map(f, step, access);
    case VDNN_BIND_DY:
        return vdnn_flow_check_gradient(f, access, layer->output);
    case VDNN_BIND_W:
        return vdnn_flow_check_kept_weights(f, access, layer);
    case VDNN_BIND_STATE:
        return check_state(f, access, layer);
    case VDNN_BIND_DW:
        return step->kind == VDNN_STEP_RUN ? vdnn_flow_check_added(f, access, layer)
                                           : vdnn_flow_check_dw(f, access, layer);
    case VDNN_BIND_LABELS:
        return check_labels(f, access);
    case VDNN_BIND_SRC:
        return vdnn_flow_check_scale(f, access);
    default:
        return VDNN_OK;
    }
}

static vdnn_status check_values(const vdnn_flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    vdnn_status status = VDNN_OK;
    for (int32_t k = step->first_access;
         k < step->first_access + step->access_count && status == VDNN_OK; k++)
        if ((vdnn_flow_access(f, k)->mode & VDNN_READ) != 0)
            status = check_value(f, step, k);
    return status;
}

/* ---- the batch ------------------------------------------------------------------------------- */

static size_t row_bytes(const vdnn_plan *plan, const vdnn_step *step, int32_t input)
{
    return vdnn_desc_bytes(&vdnn_checker_shape(plan->graph, step->micro)->inputs[input].desc);
}

static bool is_load_target(const vdnn_plan *plan, int32_t buffer, int32_t input)
{
    return vdnn_plan_loads_ahead(plan) ? buffer == plan->ahead[input]
                                       : is_place_of(plan, buffer, input);
}

/* The row of the table that is brought to a buffer; what is for none counts as the labels. */
static int32_t input_of(const vdnn_plan *plan, int32_t buffer,
                        bool (*is_target)(const vdnn_plan *, int32_t, int32_t))
{
    int32_t input = 0;
    while (input < vdnn_graph_labels_row(plan->graph) && !is_target(plan, buffer, input))
        input++;
    return input;
}

static vdnn_status check_load(vdnn_flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const int32_t buffer = vdnn_flow_access(f, vdnn_flow_find(f, step, VDNN_BIND_DST))->buffer;
    const int32_t input = input_of(plan, buffer, is_load_target);
    const size_t bytes = row_bytes(plan, step, input);
    if (!is_load_target(plan, buffer, input) || step->bytes != bytes)
        return vdnn_checker_refuse(f->checker, i, -1, buffer,
                                   "a load brings %zu bytes of %zu, or not into a buffer for them",
                                   step->bytes, bytes);
    f->loads[step->micro][input]++;
    return VDNN_OK;
}

/* A take reads what was loaded before this step began: the batch loaded in it is the next one's. */
static vdnn_status check_take(vdnn_flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const int32_t from = vdnn_flow_find(f, step, VDNN_BIND_SRC);
    const int32_t source = vdnn_flow_access(f, from)->buffer,
                  target = vdnn_flow_access(f, vdnn_flow_find(f, step, VDNN_BIND_DST))->buffer;
    const int32_t input = input_of(plan, target, is_place_of);
    const size_t bytes = row_bytes(plan, step, input);
    if (!is_place_of(plan, target, input) || source != plan->arrived[input] || step->bytes != bytes)
        return vdnn_checker_refuse(f->checker, i, -1, source,
                                   "a take of %zu bytes of %zu, or not from where they were loaded "
                                   "to a buffer for them",
                                   step->bytes, bytes);
    if (f->checker->source[from] >= 0)
        return vdnn_flow_refuse(f, from, f->checker->source[from],
                                "the batch that was loaded ahead");
    f->takes[input]++;
    return VDNN_OK;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static int32_t layer_in(const vdnn_flow *f, const vdnn_step *step)
{
    return step->micro * f->checker->plan->graph->layer_count + step->layer;
}

static vdnn_status check_run(vdnn_flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const bool updates = vdnn_checker_updates(plan, step);
    if (updates && plan->graph->devices > 1)
        return vdnn_checker_refuse(f->checker, i, -1, -1,
                                   "a run updates parameters by the gradient of one of %d devices",
                                   plan->graph->devices);
    if (updates && (plan->graph->micro_batches > 1 || vdnn_checker_part(plan, step) != NULL))
        return vdnn_checker_refuse(f->checker, i, -1, -1,
                                   "a run updates parameters by the gradient of a part of the "
                                   "batch");
    if (updates && plan->graph->layers[step->layer].is_tied)
        return vdnn_checker_refuse(f->checker, i, -1, -1,
                                   "a run updates parameters by the gradient of one of the layers "
                                   "that share them");
    f->runs[(size_t)step->micro * vdnn_checker_run_count(plan) +
            (size_t)vdnn_checker_run_of(plan, step)][step->pass]++;
    f->updates[step->layer] += updates;
    return check_values(f, i);
}

static vdnn_status check_flow(vdnn_flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    switch (step->kind) {
    case VDNN_STEP_LOAD:
        return check_load(f, i);
    case VDNN_STEP_TAKE:
        return check_take(f, i);
    case VDNN_STEP_ACCUMULATE:
        return vdnn_flow_check_accumulate(f, i);
    case VDNN_STEP_REDUCE:
        return vdnn_flow_check_reduce(f, i);
    case VDNN_STEP_GATHER:
        return vdnn_flow_check_gather(f, i);
    case VDNN_STEP_SEND:
    case VDNN_STEP_RECEIVE:
        return vdnn_flow_check_peer(f, i);
    case VDNN_STEP_RUN:
        return check_run(f, i);
    case VDNN_STEP_RECOMPUTE:
        return check_values(f, i);
    case VDNN_STEP_AVERAGE:
        f->averages[layer_in(f, step)]++;
        return check_values(f, i);
    case VDNN_STEP_NORM:
        return vdnn_flow_check_norm(f, i);
    case VDNN_STEP_UPDATE:
        f->updates[step->layer]++;
        return check_values(f, i);
    case VDNN_STEP_STORE:
        f->stores[step->micro]++;
        return check_store(f, i);
    case VDNN_STEP_JOIN:
        return VDNN_OK;
    default:
        return vdnn_step_kind_copies(step->kind)
                   ? vdnn_flow_check_copy(f, i)
                   : vdnn_checker_refuse(f->checker, i, -1, -1, "no values are known of kind %s",
                                         vdnn_step_kind_text(step->kind));
    }
}

/* What a copy writes is not made by it; what is summed over the devices is still the gradients that
 * it is the sum of, and is known to be that sum. */
static vdnn_status note_writes(vdnn_flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    const bool keeps = vdnn_step_kind_copies(step->kind) || step->kind == VDNN_STEP_REDUCE;
    vdnn_status status = VDNN_OK;
    for (int32_t k = step->first_access;
         k < step->first_access + step->access_count && status == VDNN_OK && !keeps; k++)
        if ((vdnn_flow_access(f, k)->mode & VDNN_WRITE) != 0)
            status = vdnn_flow_write(&f->content, vdnn_flow_access(f, k), k);
    return status;
}

/* ---- everything once ------------------------------------------------------------------------- */

static vdnn_status check_batch(const vdnn_flow *f, int32_t micro)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const int due = vdnn_plan_loads_ahead(f->checker->plan);
    for (int32_t i = 0; i < graph->input_count; i++) {
        const bool wanted = vdnn_checker_reads_input(graph, i);
        if (f->loads[micro][i] != wanted)
            return vdnn_checker_refuse(
                f->checker, -1, -1, -1, "'%s' of micro-batch %d is loaded %d times instead of %s",
                graph->inputs[i].name, micro, f->loads[micro][i], wanted ? "once" : "never");
        if (f->takes[i] != due)
            return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                       "'%s' is taken %d times instead of %d",
                                       graph->inputs[i].name, f->takes[i], due);
    }
    const bool stores = vdnn_checker_is_here(graph, graph->layer_count - 1);
    if (f->stores[micro] != stores)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "the result of micro-batch %d is stored %d times instead of %s",
                                   micro, f->stores[micro], stores ? "once" : "never");
    return VDNN_OK;
}

/* The passes of a layer, or of a part of it, in one micro-batch. */
static vdnn_status check_passes(const vdnn_flow *f, const vdnn_step *run)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_layer *layer = &plan->graph->layers[run->layer];
    const int32_t *runs = f->runs[(size_t)run->micro * vdnn_checker_run_count(plan) +
                                  (size_t)vdnn_checker_run_of(plan, run)];
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const int due =
            (plan->training || p == VDNN_FORWARD) && vdnn_checker_has_pass(layer, (vdnn_pass)p);
        if (runs[p] != due)
            return vdnn_checker_refuse(
                f->checker, -1, -1, -1,
                "%s of layer %s runs %d times instead of %d in micro-batch %d, part %d",
                vdnn_pass_text((vdnn_pass)p), layer->name, runs[p], due, run->micro, run->part);
    }
    return VDNN_OK;
}

static vdnn_status check_averages(const vdnn_flow *f, const vdnn_layer *layer, int32_t micro)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t averages = f->averages[micro * plan->graph->layer_count + layer->index];
    const bool by_update = plan->graph->devices == 1 && micro == plan->graph->micro_batches - 1;
    const int due = plan->training && vdnn_flow_has_averages(layer) && !by_update;
    if (averages != due)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "the statistics of layer %s are updated %d times instead of %d "
                                   "after micro-batch %d",
                                   layer->name, averages, due, micro);
    return VDNN_OK;
}

static vdnn_status check_layer(const vdnn_flow *f, int32_t layer, int32_t micro)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const int32_t parts = graph->first_part[layer + 1] - graph->first_part[layer];
    vdnn_status status = VDNN_OK;
    for (int32_t p = 0; (p == 0 || p < parts) && status == VDNN_OK; p++)
        status = check_passes(f, &(vdnn_step){.layer = layer, .micro = micro, .part = p});
    return status == VDNN_OK ? check_averages(f, &graph->layers[layer], micro) : status;
}

static bool is_away(const vdnn_plan *plan, int32_t layer)
{
    return plan->param_buffer[layer] >= 0 &&
           plan->buffers[plan->param_buffer[layer]].tier != VDNN_TIER_DEVICE;
}

static vdnn_status check_updates(const vdnn_flow *f, const vdnn_layer *layer)
{
    const int due = f->checker->plan->training && layer->trainable_bytes > 0 &&
                    vdnn_graph_keeps(f->checker->plan->graph, layer->index);
    const int stored = due && is_away(f->checker->plan, layer->index);
    if (f->stored[layer->index][VDNN_FLOW_WEIGHTS] != stored ||
        f->stored[layer->index][VDNN_FLOW_STATE] != stored)
        return vdnn_checker_refuse(f->checker, -1, -1, f->checker->plan->param_buffer[layer->index],
                                   "what the update of layer %s made is not copied once to where "
                                   "it is kept",
                                   layer->name);
    if (f->updates[layer->index] != due)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "layer %s is updated %d times instead of %d", layer->name,
                                   f->updates[layer->index], due);
    return VDNN_OK;
}

static vdnn_status check_reductions(const vdnn_flow *f, const vdnn_layer *layer)
{
    const int due = vdnn_flow_is_reduced(f->checker->plan, layer);
    return f->reductions[layer->index] == due
               ? VDNN_OK
               : vdnn_checker_refuse(f->checker, -1, -1, -1,
                                     "the gradient of layer %s is summed %d times over the devices "
                                     "instead of %d",
                                     layer->name, f->reductions[layer->index], due);
}

static vdnn_status check_gathers(const vdnn_flow *f, const vdnn_layer *layer)
{
    const int due = vdnn_flow_is_gathered(f->checker->plan, layer);
    return f->gathers[layer->index] == due
               ? VDNN_OK
               : vdnn_checker_refuse(f->checker, -1, -1,
                                     f->checker->plan->param_buffer[layer->index],
                                     "the shares of layer %s that the devices update are gathered "
                                     "%d times instead of %d",
                                     layer->name, f->gathers[layer->index], due);
}

static vdnn_status check_norms(const vdnn_flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    const bool clips = plan->training && plan->graph->training.clip_norm > 0;
    const int32_t due = clips ? vdnn_flow_count_learning(plan->graph) : 0;
    if (f->norms != due)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "%d gradients are part of a norm instead of %d", f->norms, due);
    return VDNN_OK;
}

static vdnn_status check_counts(const vdnn_flow *f)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    vdnn_status status = VDNN_OK;
    for (int32_t micro = 0; micro < graph->micro_batches && status == VDNN_OK; micro++) {
        for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
            status = check_layer(f, l, micro);
        VDNN_IF_OK(status, check_batch(f, micro));
    }
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_updates(f, &graph->layers[l]);
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_reductions(f, &graph->layers[l]);
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_gathers(f, &graph->layers[l]);
    VDNN_IF_OK(status, vdnn_flow_check_crossings(f));
    return status == VDNN_OK ? check_norms(f) : status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static vdnn_status allocate(vdnn_flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    const size_t accesses = (size_t)plan->access_count, layers = (size_t)plan->graph->layer_count,
                 micros = (size_t)plan->graph->micro_batches;
    f->partial = vdnn_heap_calloc(accesses, sizeof *f->partial);
    f->expected = vdnn_heap_calloc((size_t)plan->graph->tensor_count, sizeof *f->expected);
    f->runs = vdnn_heap_calloc(micros * vdnn_checker_run_count(plan), sizeof *f->runs);
    f->averages = vdnn_heap_calloc(micros * layers, sizeof *f->averages);
    f->updates = vdnn_heap_calloc(layers, sizeof *f->updates);
    f->reductions = vdnn_heap_calloc(layers, sizeof *f->reductions);
    f->gathers = vdnn_heap_calloc(layers, sizeof *f->gathers);
    f->reduced_by = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *f->reduced_by);
    f->stored = vdnn_heap_calloc(layers, sizeof *f->stored);
    f->stores = vdnn_heap_calloc(micros, sizeof *f->stores);
    f->loads = vdnn_heap_calloc(micros, sizeof *f->loads);
    f->crossings = vdnn_heap_calloc(micros * (size_t)plan->graph->tensor_count, 1);
    f->block_crossings = vdnn_heap_calloc(layers, 1);
    if (f->partial == NULL || f->expected == NULL || f->runs == NULL || f->averages == NULL ||
        f->updates == NULL || f->reductions == NULL || f->stored == NULL || f->stores == NULL ||
        f->loads == NULL || f->reduced_by == NULL || f->gathers == NULL || f->crossings == NULL ||
        f->block_crossings == NULL)
        return vdnn_checker_no_memory(accesses + micros * layers);
    return vdnn_flow_content_init(&f->content, plan);
}

static void release(vdnn_flow *f)
{
    vdnn_flow_content_fini(&f->content);
    vdnn_heap_free(f->partial);
    vdnn_heap_free(f->expected);
    vdnn_heap_free(f->runs);
    vdnn_heap_free(f->averages);
    vdnn_heap_free(f->updates);
    vdnn_heap_free(f->reductions);
    vdnn_heap_free(f->reduced_by);
    vdnn_heap_free(f->gathers);
    vdnn_heap_free(f->stored);
    vdnn_heap_free(f->stores);
    vdnn_heap_free(f->loads);
    vdnn_heap_free(f->crossings);
    vdnn_heap_free(f->block_crossings);
}

static void expect_parts(vdnn_flow *f)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t k = 0; k < graph->layers[l].input_count; k++)
            f->expected[graph->layers[l].inputs[k]] += graph->layers[l].wants_dx[k];
    for (int32_t t = 0; t < graph->tensor_count; t++)
        f->expected[t] += graph->tensors[t].departs && graph->tensors[t].has_gradient;
}

vdnn_status vdnn_checker_flow(vdnn_checker *checker)
{
    vdnn_flow f = {.checker = checker};
    vdnn_status status = allocate(&f);
    VDNN_IF_OK(status, vdnn_flow_check_names(checker));
    if (status == VDNN_OK)
        expect_parts(&f);
    for (int32_t i = 0; i < checker->plan->step_count && status == VDNN_OK; i++) {
        status = check_flow(&f, i);
        VDNN_IF_OK(status, note_writes(&f, i));
    }
    VDNN_IF_OK(status, check_counts(&f));
    VDNN_IF_OK(status, vdnn_flow_check_kept(&f));
    release(&f);
    return status;
}
