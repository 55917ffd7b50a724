#include "runtime/checker/checker_flow.h"

/* What a stage of a pipeline gives its neighbors and takes from them, each value once in every
 * micro-batch. What is received is what its name says: that the neighbor sends it then, and that no
 * device waits in a cycle, is found with the plans of all stages (checker_pipeline.c). */

/* Bits, per micro-batch and tensor. */
enum { MAP_SENT = 1, MAP_RECEIVED = 2, GRADIENT_SENT = 4, GRADIENT_RECEIVED = 8 };

static bool is_read_between(const vdnn_graph *graph, int32_t tensor, int32_t first, int32_t end)
{
    for (int32_t l = first; l < end; l++)
        for (int32_t k = 0; k < graph->layers[l].input_count; k++)
            if (graph->layers[l].inputs[k] == tensor)
                return true;
    return false;
}

/* By the layers alone: the one that makes it; -1: it is an input. */
static int32_t maker_of(const vdnn_graph *graph, int32_t tensor)
{
    int32_t l = graph->layer_count - 1;
    while (l >= 0 && graph->layers[l].output != tensor)
        l--;
    return l;
}

bool vdnn_checker_arrives(const vdnn_graph *graph, int32_t tensor)
{
    const int32_t maker = maker_of(graph, tensor), first = graph->stage.first;
    return graph->stage.count > 0 && maker >= 0 && maker < first &&
           is_read_between(graph, tensor, first, graph->layer_count);
}

bool vdnn_checker_departs(const vdnn_graph *graph, int32_t tensor)
{
    const int32_t maker = maker_of(graph, tensor), end = graph->stage.end;
    return graph->stage.count > 0 && maker >= 0 && maker < end &&
           is_read_between(graph, tensor, end, graph->layer_count);
}

bool vdnn_checker_is_here(const vdnn_graph *graph, int32_t layer)
{
    return graph->stage.count == 0 || (layer >= graph->stage.first && layer < graph->stage.end);
}

bool vdnn_checker_reads_input(const vdnn_graph *graph, int32_t input)
{
    const bool is_cut = graph->stage.count > 0;
    const int32_t first = is_cut ? graph->stage.first : 0,
                  end = is_cut ? graph->stage.end : graph->layer_count;
    return input == vdnn_graph_labels_row(graph) ? end == graph->layer_count
                                                 : is_read_between(graph, input, first, end);
}

/* ---- maps and gradients ---------------------------------------------------------------------- */

/* The tensor of the layer that a step names, if it crosses a cut there; -1: it does not. */
static int32_t tensor_of(const vdnn_flow *f, const vdnn_step *step)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const bool arrives = (step->kind == VDNN_STEP_SEND) != (step->pass == VDNN_FORWARD);
    if (step->layer < 0)
        return -1;
    const int32_t tensor = graph->layers[step->layer].output;
    const bool crosses = arrives ? graph->tensors[tensor].arrives : graph->tensors[tensor].departs;
    return crosses ? tensor : -1;
}

int32_t vdnn_flow_received(const vdnn_flow *f, int32_t origin, vdnn_pass half)
{
    if (origin < 0)
        return -1;
    const vdnn_step *step = vdnn_flow_step(f, origin);
    return step->kind == VDNN_STEP_RECEIVE && step->pass == half ? tensor_of(f, step) : -1;
}

static vdnn_status note(vdnn_flow *f, int32_t i, int32_t tensor, int bit)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const vdnn_step *step = &f->checker->plan->steps[i];
    uint8_t *done = &f->crossings[step->micro * graph->tensor_count + tensor];
    if ((*done & bit) != 0)
        return vdnn_checker_refuse(f->checker, i, -1, -1, "tensor %s crosses a cut twice",
                                   graph->tensors[tensor].name);
    *done = (uint8_t)(*done | bit);
    return VDNN_OK;
}

static vdnn_status check_bytes(const vdnn_flow *f, int32_t i, int32_t access, int32_t tensor)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const size_t due =
        vdnn_desc_bytes(&vdnn_checker_shape(plan->graph, step->micro)->tensors[tensor].desc);
    const vdnn_buffer *buffer = &plan->buffers[vdnn_flow_access(f, access)->buffer];
    return step->bytes == due && buffer->bytes == due && buffer->map_offset == 0
               ? VDNN_OK
               : vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, access)->buffer,
                                     "%zu bytes of a tensor of %zu cross a cut", step->bytes, due);
}

static vdnn_status check_crossing(vdnn_flow *f, int32_t i, int32_t access)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    const vdnn_buffer *buffer = &f->checker->plan->buffers[vdnn_flow_access(f, access)->buffer];
    const bool sends = step->kind == VDNN_STEP_SEND, is_map = step->pass == VDNN_FORWARD;
    const int32_t tensor = tensor_of(f, step);
    const bool is_placed =
        tensor >= 0 && (buffer->map == f->checker->plan->graph->tensors[tensor].map ||
                        (sends && !is_map)); /* a gradient may be written over another */
    if (!is_placed || (buffer->class == VDNN_CLASS_GRADIENT_MAP) == is_map)
        return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, access)->buffer,
                                   "what is in the buffer does not cross a cut there");
    VDNN_TRY(check_bytes(f, i, access, tensor));
    VDNN_TRY(note(f, i, tensor,
                  sends ? (is_map ? MAP_SENT : GRADIENT_SENT)
                        : (is_map ? MAP_RECEIVED : GRADIENT_RECEIVED)));
    if (!sends)
        return VDNN_OK;
    return is_map ? vdnn_flow_check_tensor(f, access, tensor)
                  : vdnn_flow_check_gradient(f, access, tensor);
}

/* ---- the norm -------------------------------------------------------------------------------- */

/* The sum of all squares: of the first stage its own, of the others what comes back from it. */
static bool is_whole_norm(const vdnn_flow *f, int32_t source)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    if (graph->stage.number > 0)
        return source >= 0 && f->partial[source].is_reduced;
    return vdnn_flow_is_norm_here(f, source);
}

bool vdnn_flow_is_norm_here(const vdnn_flow *f, int32_t source)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    return source >= 0 && !f->partial[source].is_reduced &&
           f->partial[source].parts == vdnn_flow_count_learning(graph) &&
           (f->partial[source].slot == 1) == (graph->stage.count > 0 && graph->learns_behind);
}

static vdnn_status check_norm(vdnn_flow *f, int32_t i, int32_t access)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const vdnn_step *step = &f->checker->plan->steps[i];
    const bool sends = step->kind == VDNN_STEP_SEND, returns = step->pass == VDNN_FORWARD;
    const int32_t source = f->checker->source[access];
    if (step->micro != graph->micro_batches - 1 || f->norm_crossings[sends][returns]++ > 0)
        return vdnn_checker_refuse(f->checker, i, -1, -1, "a norm crosses a cut out of turn");
    if (!sends) {
        f->partial[access] = (vdnn_flow_partial){
            .of = -1, .reader = graph->layer_count, .slot = 1, .is_reduced = returns};
        return VDNN_OK;
    }
    const bool good = returns ? is_whole_norm(f, source) : vdnn_flow_is_norm_here(f, source);
    return good ? VDNN_OK : vdnn_flow_refuse(f, access, source, "the norm of the gradients so far");
}

/* ---- blocks of parameters -------------------------------------------------------------------- */

/* Bits, per block. */
enum { WEIGHTS_SENT = 1, WEIGHTS_RECEIVED = 2, SUM_SENT = 4, SUM_RECEIVED = 8 };

static int32_t block_of(const vdnn_graph *graph, int32_t owner)
{
    int32_t b = 0;
    while (b < graph->stage_block_count && graph->stage_blocks[b].owner != owner)
        b++;
    return b < graph->stage_block_count ? b : -1;
}

bool vdnn_flow_is_lent(const vdnn_flow *f, int32_t origin, int32_t here)
{
    const vdnn_stage_block *block = vdnn_graph_stage_block(f->checker->plan->graph, here);
    if (origin < 0 || block == NULL)
        return false;
    const vdnn_step *step = vdnn_flow_step(f, origin);
    const int32_t buffer = vdnn_flow_access(f, origin)->buffer;
    return step->kind == VDNN_STEP_RECEIVE && step->pass == VDNN_FORWARD &&
           step->layer == block->owner &&
           f->checker->plan->buffers[buffer].class == VDNN_CLASS_WEIGHT;
}

static vdnn_status check_sent_block(vdnn_flow *f, int32_t access, const vdnn_stage_block *block,
                                    bool is_sum)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const int32_t source = f->checker->source[access];
    if (is_sum)
        return vdnn_flow_check_block_sum(f, access, block);
    if (block->here >= 0)
        return vdnn_flow_check_kept_weights(f, access, &graph->layers[block->here]);
    return vdnn_flow_made_by(f, source, VDNN_STEP_RECEIVE, VDNN_BIND_DST, 0) &&
                   vdnn_flow_step(f, source)->layer == block->owner
               ? VDNN_OK
               : vdnn_flow_refuse(f, access, source, "the weights that an earlier stage lends");
}

/* Weights before the first micro-batch is run, sums in the last one. */
static vdnn_status check_block(vdnn_flow *f, int32_t i, int32_t access)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const vdnn_step *step = &f->checker->plan->steps[i];
    const int32_t buffer = vdnn_flow_access(f, access)->buffer;
    const bool sends = step->kind == VDNN_STEP_SEND,
               is_sum = f->checker->plan->buffers[buffer].class == VDNN_CLASS_WEIGHT_GRADIENT;
    const int32_t b = block_of(graph, step->layer);
    const vdnn_pass due = is_sum ? VDNN_BACKWARD_FILTER : VDNN_FORWARD;
    if (b < 0 || step->pass != due || step->micro != (is_sum ? graph->micro_batches - 1 : 0))
        return vdnn_checker_refuse(
            f->checker, i, -1, buffer,
            "a block that stages do not share crosses a cut, or out of turn");
    const vdnn_stage_block *block = &graph->stage_blocks[b];
    const int bit =
        sends ? (is_sum ? SUM_SENT : WEIGHTS_SENT) : (is_sum ? SUM_RECEIVED : WEIGHTS_RECEIVED);
    const size_t bytes = is_sum ? block->trainable_bytes : block->param_bytes;
    if ((f->block_crossings[b] & bit) != 0 || step->bytes != bytes ||
        vdnn_flow_access(f, access)->bytes != bytes)
        return vdnn_checker_refuse(f->checker, i, -1, buffer,
                                   "%zu bytes of a block of %zu cross a cut, or twice", step->bytes,
                                   bytes);
    f->block_crossings[b] = (uint8_t)(f->block_crossings[b] | bit);
    if (!sends)
        f->partial[access] = (vdnn_flow_partial){.of = block->here < 0 ? block->owner : block->here,
                                                 .turn = -1,
                                                 .reader = graph->micro_batches > 1 ? -2 : -1,
                                                 .slot = 1,
                                                 .place = vdnn_flow_access(f, access)->first};
    return sends ? check_sent_block(f, access, block, is_sum) : VDNN_OK;
}

static vdnn_status check_blocks(const vdnn_flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    for (int32_t b = 0; b < plan->graph->stage_block_count; b++) {
        const vdnn_stage_block *block = &plan->graph->stage_blocks[b];
        const bool sums = plan->training && block->trainable_bytes > 0;
        const int due = (block->above >= 0 ? WEIGHTS_SENT | (sums ? SUM_RECEIVED : 0) : 0) |
                        (block->below >= 0 ? WEIGHTS_RECEIVED | (sums ? SUM_SENT : 0) : 0);
        if (f->block_crossings[b] != due)
            return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                       "the block of layer %s does not cross the cuts once",
                                       plan->graph->layers[block->owner].name);
    }
    return VDNN_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

vdnn_status vdnn_flow_check_peer(vdnn_flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const bool sends = step->kind == VDNN_STEP_SEND;
    const int32_t access = vdnn_flow_find(f, step, sends ? VDNN_BIND_SRC : VDNN_BIND_DST);
    const vdnn_class class = plan->buffers[vdnn_flow_access(f, access)->buffer].class;
    if (plan->graph->stage.count == 0)
        return vdnn_checker_refuse(f->checker, i, -1, -1,
                                   "a network that is not cut has no neighbors");
    if (class == VDNN_CLASS_WEIGHT || class == VDNN_CLASS_WEIGHT_GRADIENT)
        return check_block(f, i, access);
    return class == VDNN_CLASS_NORM ? check_norm(f, i, access) : check_crossing(f, i, access);
}

static int due_bits(const vdnn_plan *plan, const vdnn_tensor *tensor)
{
    const int forward = (tensor->departs ? MAP_SENT : 0) | (tensor->arrives ? MAP_RECEIVED : 0),
              backward =
                  (tensor->arrives ? GRADIENT_SENT : 0) | (tensor->departs ? GRADIENT_RECEIVED : 0);
    return forward | (plan->training && tensor->has_gradient ? backward : 0);
}

static vdnn_status check_norms(const vdnn_flow *f)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const bool clips = f->checker->plan->training && graph->training.clip_norm > 0,
               learns = graph->learns_behind || vdnn_flow_count_learning(graph) > 0,
               below = clips && learns && graph->stage.number > 0,
               above = clips && graph->learns_behind;
    const int due[2][2] = {{above, below}, {below, above}};
    for (int sends = 0; sends < 2; sends++)
        for (int returns = 0; returns < 2; returns++)
            if (f->norm_crossings[sends][returns] != due[sends][returns])
                return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                           "the norm of the gradients crosses a cut %d times "
                                           "instead of %d",
                                           f->norm_crossings[sends][returns], due[sends][returns]);
    return VDNN_OK;
}

vdnn_status vdnn_flow_check_crossings(const vdnn_flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_graph *graph = plan->graph;
    for (int32_t i = 0; i < graph->micro_batches * graph->tensor_count; i++) {
        const vdnn_tensor *tensor = &graph->tensors[i % graph->tensor_count];
        if (f->crossings[i] != due_bits(plan, tensor))
            return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                       "tensor %s, or its gradient, does not cross the cuts of the "
                                       "stage once in micro-batch %d",
                                       tensor->name, i / graph->tensor_count);
    }
    VDNN_TRY(check_blocks(f));
    return graph->stage.count > 0 ? check_norms(f) : VDNN_OK;
}
