#include "runtime/checker/checker_flow.h"

/* The layers of later stages, as the reader of a sum. */
enum { FROM_ABOVE = -2 };

/* ---- sums ------------------------------------------------------------------------------------ */

bool vdnn_flow_has_averages(const vdnn_layer *layer)
{
    return vdnn_checker_summed_bytes(layer) < layer->trainable_bytes;
}

bool vdnn_flow_is_reduced(const vdnn_plan *plan, const vdnn_layer *layer)
{
    return plan->training && plan->graph->devices > 1 && layer->owner == layer->index &&
           vdnn_checker_summed_bytes(layer) > 0;
}

bool vdnn_flow_is_gathered(const vdnn_plan *plan, const vdnn_layer *layer)
{
    return plan->graph->shards && vdnn_flow_is_reduced(plan, layer);
}

/* Which of the parts whose sum is a reader's gradient of what it reads, and how many there are. */
static int32_t share_of(const vdnn_layer *layer, int32_t part)
{
    return vdnn_checker_shares(layer) > 1 ? part % vdnn_checker_shares(layer) : 0;
}

static bool is_whole(const vdnn_flow *f, const vdnn_flow_partial *part)
{
    if (part->reader == f->checker->plan->graph->layer_count)
        return true; /* it is of later stages */
    return part->first_share == 0 &&
           part->end_share == vdnn_checker_shares(&f->checker->plan->graph->layers[part->reader]);
}

/* A value in a buffer as the gradient of a tensor; false if it is none. */
static bool as_gradient(const vdnn_flow *f, int32_t buffer, int32_t origin, vdnn_flow_partial *part)
{
    (void)buffer;
    if (origin < 0)
        return false;
    const vdnn_step *step = vdnn_flow_step(f, origin);
    if (step->kind == VDNN_STEP_ACCUMULATE) {
        *part = f->partial[origin];
        return true;
    }
    const int32_t received = vdnn_flow_received(f, origin, VDNN_BACKWARD_DATA);
    if (received >= 0) { /* the sum over the readers of later stages */
        *part = (vdnn_flow_partial){.of = received,
                                    .turn = step->micro,
                                    .parts = 1,
                                    .reader = f->checker->plan->graph->layer_count,
                                    .end_share = 1};
        return true;
    }
    if (!vdnn_flow_made_by_run(f, origin, VDNN_BACKWARD_DATA, step->layer, VDNN_BIND_DX,
                               step->micro))
        return false;
    const vdnn_layer *layer = &f->checker->plan->graph->layers[step->layer];
    const int32_t slot = vdnn_flow_access(f, origin)->slot, share = share_of(layer, step->part);
    *part = (vdnn_flow_partial){.of = layer->inputs[slot],
                                .turn = step->micro,
                                .parts = 1,
                                .reader = step->layer,
                                .slot = slot,
                                .first_share = share,
                                .end_share = share + 1};
    return true;
}

/* The layer whose sum its terms are in; -1: that of the whole block. */
static int32_t summed_by(const vdnn_flow *f, int32_t layer)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    return vdnn_checker_sums_alone(graph, &graph->layers[layer]) ? layer : -1;
}

/* As the gradient of a block of parameters. */
static bool as_weight_gradient(const vdnn_flow *f, int32_t buffer, int32_t origin,
                               vdnn_flow_partial *part)
{
    if (origin < 0)
        return false;
    const vdnn_step *step = vdnn_flow_step(f, origin);
    const vdnn_access *own = vdnn_flow_access(f, origin);
    const bool is_run = step->kind == VDNN_STEP_RUN && own->bind == VDNN_BIND_DW,
               is_sum =
                   step->kind == VDNN_STEP_ACCUMULATE || (is_run && (own->mode & VDNN_READ) != 0);
    if (step->kind == VDNN_STEP_RECEIVE) {
        *part = f->partial[origin];
        return step->pass == VDNN_BACKWARD_FILTER && step->layer >= 0;
    }
    if (!is_sum && !is_run)
        return false;
    *part = is_sum ? f->partial[origin]
                   : (vdnn_flow_partial){.of = f->checker->plan->graph->layers[step->layer].owner,
                                         .turn = vdnn_checker_gradient_turn(f->checker->plan, step),
                                         .parts = 1,
                                         .reader = summed_by(f, step->layer),
                                         .place = vdnn_checker_gradient_place(f->checker, origin)};
    part->is_reduced = f->reduced_by[buffer] > f->checker->access_step[origin];
    return true;
}

static bool is_same(const vdnn_flow_partial *a, const vdnn_flow_partial *b)
{
    return a->of == b->of && a->turn == b->turn && a->parts == b->parts && a->reader == b->reader &&
           a->slot == b->slot && a->first_share == b->first_share && a->end_share == b->end_share &&
           a->place == b->place && a->is_reduced == b->is_reduced;
}

typedef bool reading(const vdnn_flow *f, int32_t buffer, int32_t origin, vdnn_flow_partial *part);

/* What an access reads as a gradient, which all its pieces are as far as the others; else its first
 * piece that is not is *origin. */
static bool reads_gradient(const vdnn_flow *f, int32_t access, reading *as, vdnn_flow_partial *sum,
                           int32_t *origin)
{
    vdnn_flow_reader reader = vdnn_flow_read(f, access);
    vdnn_flow_range range;
    bool is_first = true;
    *origin = -1;
    while (vdnn_flow_next(&reader, &range)) {
        vdnn_flow_partial part;
        *origin = range.origin;
        if (!as(f, vdnn_flow_access(f, access)->buffer, *origin, &part) ||
            (!is_first && !is_same(sum, &part)))
            return false;
        *sum = part;
        is_first = false;
    }
    return !is_first;
}

static vdnn_status check_sum_bytes(const vdnn_flow *f, int32_t i, int32_t into, size_t bytes)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    return step->bytes == bytes
               ? VDNN_OK
               : vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, into)->buffer,
                                     "an accumulation of %zu bytes of a gradient of %zu",
                                     step->bytes, bytes);
}

/* The two sides of a sum, both gradients of the same things. */
static vdnn_status read_sides(const vdnn_flow *f, const int32_t sides[2], reading *as,
                              vdnn_flow_partial *into, vdnn_flow_partial *from)
{
    int32_t origin;
    if (!reads_gradient(f, sides[0], as, into, &origin))
        return vdnn_flow_refuse(f, sides[0], origin, "a gradient to add to");
    if (!reads_gradient(f, sides[1], as, from, &origin))
        return vdnn_flow_refuse(f, sides[1], origin, "a gradient to add");
    return VDNN_OK;
}

/* What is summed: all of a tensor, or, by a part of a layer, its samples. */
static vdnn_status check_summed(const vdnn_flow *f, int32_t i, const int32_t sides[2],
                                int32_t tensor)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const vdnn_desc *map = &vdnn_checker_shape(plan->graph, step->micro)->tensors[tensor].desc;
    const vdnn_graph_part *part = vdnn_checker_part(plan, step);
    const size_t sample = vdnn_desc_bytes(map) / (size_t)map->dims[VDNN_N];
    size_t first = 0, bytes = vdnn_desc_bytes(map);
    if (part != NULL) {
        first = sample * (size_t)part->range.first_sample;
        bytes = sample * (size_t)part->range.samples;
    }
    for (int side = 0; side < 2; side++) {
        const vdnn_access *own = vdnn_flow_access(f, sides[side]);
        const size_t begin = plan->buffers[own->buffer].map_offset + own->first;
        if (begin != first)
            return vdnn_checker_refuse(
                f->checker, i, -1, own->buffer,
                "an accumulation from byte %zu on of a gradient instead of %zu", begin, first);
    }
    return check_sum_bytes(f, i, sides[0], bytes);
}

/* What the next part of a reader's channels made to the sum of those before it. */
static bool adds_share(const vdnn_flow *f, const vdnn_step *step, const vdnn_flow_partial *sum,
                       const vdnn_flow_partial *part)
{
    return sum->reader == part->reader && sum->slot == part->slot && sum->parts == 1 &&
           sum->first_share == 0 && sum->end_share == part->first_share &&
           part->end_share == part->first_share + 1 && step->layer == part->reader &&
           share_of(&f->checker->plan->graph->layers[part->reader], step->part) ==
               part->first_share;
}

/* What the next reader made to the sum of those behind it, with the last part of its channels. */
static bool adds_reader(const vdnn_flow *f, const vdnn_step *step, const vdnn_flow_partial *sum,
                        const vdnn_flow_partial *part)
{
    const bool in_order =
        part->reader < sum->reader || (part->reader == sum->reader && part->slot > sum->slot);
    if (!in_order || !is_whole(f, sum) || !is_whole(f, part) || step->layer != part->reader)
        return false;
    const vdnn_layer *layer = &f->checker->plan->graph->layers[part->reader];
    return (step->part + 1) % layer->channel_parts == 0;
}

/* A part is added to the sum. */
static vdnn_status sum_of_maps(vdnn_flow *f, int32_t i, int32_t into, int32_t from)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    const int32_t sides[2] = {into, from};
    vdnn_flow_partial sum = {0}, part = {0};
    VDNN_TRY(read_sides(f, sides, as_gradient, &sum, &part));
    const bool shares = adds_share(f, step, &sum, &part);
    if (part.of != sum.of || part.turn != sum.turn || part.parts != 1 || sum.turn != step->micro ||
        (!shares && !adds_reader(f, step, &sum, &part)))
        return vdnn_checker_refuse(
            f->checker, i, -1, vdnn_flow_access(f, from)->buffer,
            "gradients of a tensor are summed one by one, last reader first, of each its parts of "
            "the channels in their order (tensors %d and %d)",
            sum.of, part.of);
    part.parts = shares ? 1 : sum.parts + 1;
    part.first_share = shares ? 0 : part.first_share;
    f->partial[into] = part;
    return check_summed(f, i, sides, sum.of);
}

/* Whether an access takes all of a block's gradient, from its first byte on. */
static bool is_block(const vdnn_flow *f, int32_t access, const vdnn_flow_partial *sum)
{
    const vdnn_access *own = vdnn_flow_access(f, access);
    return own->first == sum->place &&
           own->bytes == f->checker->plan->graph->layers[sum->of].trainable_bytes;
}

/* The next layer behind that one with which it shares a block; -1: none. */
static int32_t behind_in_block(const vdnn_graph *graph, int32_t layer)
{
    int32_t l = layer + 1;
    while (l < graph->layer_count &&
           (!graph->layers[l].is_tied || graph->layers[l].owner != graph->layers[layer].owner))
        l++;
    return l < graph->layer_count ? l : -1;
}

/* Whether the sum of later stages' layers is part of the gradient of a block. */
static bool has_above(const vdnn_graph *graph, int32_t here)
{
    const vdnn_stage_block *block = vdnn_graph_stage_block(graph, here);
    return block != NULL && block->above >= 0;
}

/* Of layers that sum alone: whether the sum of a layer has all terms up to one of the last
 * micro-batch, and with those all of the layers behind it. */
static bool is_joined(const vdnn_graph *graph, int32_t layer, int32_t turn)
{
    const int32_t parts = vdnn_checker_gradient_parts(graph, &graph->layers[layer]);
    return turn >= parts * (graph->micro_batches - 1) &&
           (behind_in_block(graph, layer) >= 0 || has_above(graph, graph->layers[layer].owner));
}

/* Whether the sum so far may be followed by a term of that turn. */
static bool is_before(const vdnn_flow *f, const vdnn_flow_partial *sum, int32_t turn)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const bool joined = sum->reader >= 0 && is_joined(graph, sum->reader, turn);
    return sum->turn == turn - 1 && sum->parts == turn && (sum->reader < 0 || sum->slot == joined);
}

static bool is_sum_of_all(const vdnn_flow *f, const vdnn_flow_partial *sum)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    if (sum->reader == FROM_ABOVE)
        return true;
    const int32_t due =
        graph->micro_batches * vdnn_checker_gradient_parts(graph, &graph->layers[sum->reader]);
    return sum->turn == due - 1 && sum->parts == due &&
           sum->slot == is_joined(graph, sum->reader, sum->turn);
}

/* In the last micro-batch, before the layer's first term of it: the sum of the layers behind, to
 * which that of the layer is added. */
static bool joins(const vdnn_flow *f, const vdnn_step *step, const vdnn_flow_partial *all,
                  const vdnn_flow_partial *own)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    if (own->reader != step->layer || own->reader < 0 || all->of != own->of || all->is_reduced ||
        own->is_reduced)
        return false;
    const int32_t behind = behind_in_block(graph, own->reader);
    if (all->reader != (behind < 0 && has_above(graph, own->of) ? FROM_ABOVE : behind))
        return false;
    const int32_t due = (graph->micro_batches - 1) *
                        vdnn_checker_gradient_parts(graph, &graph->layers[own->reader]);
    return step->micro == graph->micro_batches - 1 && is_sum_of_all(f, all) && own->slot == 0 &&
           own->turn == due - 1 && own->parts == due;
}

/* The sum so far is added to the gradient of the next part, which keeps its statistics. */
static vdnn_status sum_of_parameters(vdnn_flow *f, int32_t i, int32_t into, int32_t from)
{
    const vdnn_plan *plan = f->checker->plan;
    vdnn_flow_partial own = {0}, earlier = {0};
    VDNN_TRY(read_sides(f, (int32_t[]){into, from}, as_weight_gradient, &own, &earlier));
    const int32_t layer = plan->steps[i].layer;
    const bool is_join = layer >= 0 && joins(f, &plan->steps[i], &own, &earlier);
    if (!is_join &&
        (own.of != earlier.of || own.reader != earlier.reader || own.parts != 1 || own.slot != 0 ||
         own.is_reduced || earlier.is_reduced || !is_before(f, &earlier, own.turn) || layer < 0 ||
         own.of != plan->graph->layers[layer].owner || own.reader != summed_by(f, layer) ||
         own.turn != vdnn_checker_gradient_turn(plan, &plan->steps[i])))
        return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, from)->buffer,
                                   "gradients of parameters are summed in the order of the "
                                   "micro-batches, of the layers in backward and of their parts "
                                   "(blocks of layers %d and %d, parts %d and %d)",
                                   own.of, earlier.of, own.turn, earlier.turn);
    if (!is_block(f, into, &own) || !is_block(f, from, &earlier))
        return vdnn_flow_refuse(f, from, f->checker->source[from], "all of a gradient");
    if (is_join) {
        earlier.place = own.place;
        earlier.slot = 1;
    } else {
        own.parts = earlier.parts + 1;
        own.slot = earlier.slot;
    }
    f->partial[into] = is_join ? earlier : own;
    return check_sum_bytes(f, i, into, vdnn_checker_summed_bytes(&plan->graph->layers[own.of]));
}

vdnn_status vdnn_flow_check_accumulate(vdnn_flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t into = vdnn_flow_find(f, &plan->steps[i], VDNN_BIND_DST),
                  from = vdnn_flow_find(f, &plan->steps[i], VDNN_BIND_SRC);
    const vdnn_class class = plan->buffers[vdnn_flow_access(f, into)->buffer].class;
    if (plan->buffers[vdnn_flow_access(f, from)->buffer].class != class)
        return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, from)->buffer,
                                   "a sum of a map and of parameters");
    return class == VDNN_CLASS_WEIGHT_GRADIENT ? sum_of_parameters(f, i, into, from)
                                               : sum_of_maps(f, i, into, from);
}

/* Of a run that adds to it: the sum of all parts before its own. */
vdnn_status vdnn_flow_check_added(const vdnn_flow *f, int32_t access, const vdnn_layer *layer)
{
    const int32_t turn = vdnn_checker_gradient_turn(f->checker->plan, vdnn_flow_step(f, access));
    int32_t origin;
    vdnn_flow_partial sum = {0};
    if (!reads_gradient(f, access, as_weight_gradient, &sum, &origin) || sum.of != layer->owner ||
        sum.is_reduced || sum.reader != summed_by(f, layer->index) || !is_before(f, &sum, turn) ||
        !is_block(f, access, &sum))
        return vdnn_flow_refuse(f, access, origin, "the sum of a gradient's parts before this one");
    sum.turn = turn;
    sum.parts = turn + 1;
    f->partial[access] = sum;
    return VDNN_OK;
}

/* The layer with which backward ends the gradient of a block. */
static int32_t last_in_backward(const vdnn_graph *graph, const vdnn_layer *layer)
{
    int32_t l = layer->is_tied ? 0 : layer->index;
    while (graph->layers[l].owner != layer->owner)
        l++;
    return l;
}

/* The parts of a block's gradient up to a micro-batch: those of the layer that ends it, where
 * layers sum alone. */
static int32_t parts_until(const vdnn_flow *f, const vdnn_layer *block, int32_t micro)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const vdnn_layer *last = &graph->layers[last_in_backward(graph, block)];
    return (micro + 1) * vdnn_checker_gradient_parts(graph, last);
}

/* Whether the layers that sum alone are all in it. */
static bool is_of_whole_block(const vdnn_flow *f, const vdnn_flow_partial *sum)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    if (sum->reader < 0)
        return sum->reader != FROM_ABOVE && sum->slot == has_above(graph, sum->of);
    return sum->reader == last_in_backward(graph, &graph->layers[sum->of]) && is_sum_of_all(f, sum);
}

/* A block in a bucket: its gradient is whole, of the last micro-batch with all parts, and all of it
 * is in the range that is summed. */
static vdnn_status check_in_bucket(vdnn_flow *f, int32_t i, int32_t into, int32_t origin,
                                   const vdnn_flow_partial *sum)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_layer *layer = &plan->graph->layers[sum->of];
    const vdnn_access *own = vdnn_flow_access(f, into);
    const int32_t due = parts_until(f, layer, plan->graph->micro_batches - 1);
    if (!vdnn_flow_is_reduced(plan, layer))
        return vdnn_checker_refuse(f->checker, i, -1, own->buffer,
                                   "a sum over devices of what they do not share");
    if (sum->is_reduced || sum->turn != due - 1 || !is_of_whole_block(f, sum))
        return vdnn_flow_refuse(f, into, origin, "the gradient of the layer's parameters");
    if (sum->parts != due || plan->steps[i].micro != plan->graph->micro_batches - 1)
        return vdnn_checker_refuse(f->checker, i, f->checker->access_step[origin], own->buffer,
                                   "%d of %d parts of a gradient are summed over the devices",
                                   sum->parts, due);
    if (sum->place < own->first ||
        sum->place + vdnn_checker_summed_bytes(layer) > own->first + own->bytes)
        return vdnn_checker_refuse(f->checker, i, -1, own->buffer,
                                   "a sum over devices of %zu bytes at %zu, and of layer %s's "
                                   "gradient %zu at %zu",
                                   own->bytes, own->first, layer->name,
                                   vdnn_checker_summed_bytes(layer), sum->place);
    f->reductions[layer->index]++;
    return VDNN_OK;
}

/* The sum over the devices is that of all gradients in the bucket; statistics among them, and what
 * aligns them, are not used behind it. */
vdnn_status vdnn_flow_check_reduce(vdnn_flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    const int32_t into = vdnn_flow_find(f, step, VDNN_BIND_DST),
                  buffer = vdnn_flow_access(f, into)->buffer;
    vdnn_flow_reader reader = vdnn_flow_read_all(f, buffer);
    vdnn_flow_partial sum = {.of = -1};
    vdnn_flow_range range;
    bool has_own = false;
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && vdnn_flow_next(&reader, &range)) {
        vdnn_flow_partial part;
        if (range.origin < 0)
            continue;
        if (!as_weight_gradient(f, buffer, range.origin, &part))
            return vdnn_flow_refuse(f, into, range.origin, "gradients of parameters");
        if (!is_same(&sum, &part))
            status = check_in_bucket(f, i, into, range.origin, &part);
        sum = part;
        has_own = has_own || part.of == step->layer;
    }
    if (status == VDNN_OK && !has_own)
        status = vdnn_flow_refuse(f, into, -1, "the gradient of the layer's parameters");
    f->reduced_by[buffer] = i;
    return status;
}

/* What each device updated of a block is put together, all of it, and nothing else. */
vdnn_status vdnn_flow_check_gather(vdnn_flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const int32_t into = vdnn_flow_find(f, step, VDNN_BIND_DST), source = f->checker->source[into];
    const size_t due = vdnn_checker_summed_bytes(&plan->graph->layers[step->layer]);
    if (!vdnn_flow_made_by(f, source, VDNN_STEP_UPDATE, VDNN_BIND_W, step->micro) ||
        vdnn_flow_step(f, source)->layer != step->layer)
        return vdnn_flow_refuse(f, into, source, "the layer's parameters as they were updated");
    if (step->bytes != due)
        return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, into)->buffer,
                                   "%zu bytes of a block are gathered, and the devices update %zu",
                                   step->bytes, due);
    f->gathers[step->layer]++;
    return VDNN_OK;
}

vdnn_status vdnn_flow_check_gradient(const vdnn_flow *f, int32_t access, int32_t tensor)
{
    int32_t origin;
    vdnn_flow_partial sum = {0};
    if (!reads_gradient(f, access, as_gradient, &sum, &origin) || sum.of != tensor ||
        sum.turn != vdnn_flow_step(f, access)->micro)
        return vdnn_flow_refuse(f, access, origin, "the gradient of what a layer made");
    if (!is_whole(f, &sum))
        return vdnn_checker_refuse(
            f->checker, f->checker->access_step[access], f->checker->access_step[origin],
            vdnn_flow_access(f, access)->buffer,
            "a gradient is read with what %d parts of a reader's channels made of it",
            sum.end_share - sum.first_share);
    if (sum.parts != f->expected[tensor])
        return vdnn_checker_refuse(
            f->checker, f->checker->access_step[access], f->checker->access_step[origin],
            vdnn_flow_access(f, access)->buffer, "a gradient is read with %d of its %d parts",
            sum.parts, f->expected[tensor]);
    return VDNN_OK;
}

/* A sum of shares is taken of the blocks whose updates are found to read it (vdnn_plan_made_by): it
 * is the one that was proven. */
static vdnn_status check_summed_by(const vdnn_flow *f, int32_t access)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_access *own = vdnn_flow_access(f, access);
    const int32_t sum = f->reduced_by[own->buffer], found = vdnn_plan_made_by(plan, own);
    return found == sum ? VDNN_OK
                        : vdnn_checker_refuse(f->checker, f->checker->access_step[access], found,
                                              own->buffer,
                                              "an update reads the sum of step %d, and is taken to "
                                              "read what step %d made",
                                              sum, found);
}

/* Of an update, or of an average: the sum so far, whose statistics are those of its micro-batch. */
vdnn_status vdnn_flow_check_dw(const vdnn_flow *f, int32_t access, const vdnn_layer *layer)
{
    const vdnn_step *step = vdnn_flow_step(f, access);
    const int32_t due = parts_until(f, layer, step->micro);
    int32_t origin;
    vdnn_flow_partial sum = {0};
    if (!reads_gradient(f, access, as_weight_gradient, &sum, &origin) || sum.of != layer->index ||
        sum.turn != due - 1 || !is_block(f, access, &sum) || !is_of_whole_block(f, &sum))
        return vdnn_flow_refuse(f, access, origin, "the gradient of the layer's parameters");
    if (step->kind == VDNN_STEP_AVERAGE && sum.is_reduced)
        return vdnn_flow_refuse(f, access, origin, "the statistics of this device alone");
    if (step->kind != VDNN_STEP_AVERAGE && vdnn_checker_summed_bytes(layer) > 0 && sum.parts != due)
        return vdnn_checker_refuse(f->checker, f->checker->access_step[access],
                                   f->checker->access_step[origin],
                                   vdnn_flow_access(f, access)->buffer,
                                   "a step reads the sum of %d of %d parts", sum.parts, due);
    if (step->kind != VDNN_STEP_AVERAGE &&
        sum.is_reduced != vdnn_flow_is_reduced(f->checker->plan, layer))
        return vdnn_checker_refuse(f->checker, f->checker->access_step[access],
                                   f->checker->access_step[origin],
                                   vdnn_flow_access(f, access)->buffer,
                                   "a step reads the gradient of this device instead of the sum "
                                   "over all %d",
                                   f->checker->plan->graph->devices);
    if (step->kind == VDNN_STEP_UPDATE && sum.is_reduced)
        return check_summed_by(f, access);
    return VDNN_OK;
}

vdnn_status vdnn_flow_check_block_sum(const vdnn_flow *f, int32_t access,
                                      const vdnn_stage_block *block)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    if (block->here >= 0)
        return vdnn_flow_check_dw(f, access, &graph->layers[block->here]);
    const int32_t source = f->checker->source[access];
    return vdnn_flow_made_by(f, source, VDNN_STEP_RECEIVE, VDNN_BIND_DST,
                             graph->micro_batches - 1) &&
                   vdnn_flow_step(f, source)->pass == VDNN_BACKWARD_FILTER &&
                   vdnn_flow_step(f, source)->layer == block->owner
               ? VDNN_OK
               : vdnn_flow_refuse(f, access, source, "the sum of a block that later stages sent");
}

/* ---- the norm of gradients ------------------------------------------------------------------- */

/* The blocks of parameters that have gradients. */
int32_t vdnn_flow_count_learning(const vdnn_graph *graph)
{
    int32_t count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        count += vdnn_graph_keeps(graph, l) && graph->layers[l].trainable_bytes > 0;
    return count;
}

/* Of the sums over all micro-batches, so in the last one. */
static bool is_norm(const vdnn_flow *f, int32_t origin, int32_t micro)
{
    return vdnn_flow_made_by(f, origin, VDNN_STEP_NORM, VDNN_BIND_DST, micro);
}

/* Adds a block's squares to those of blocks that backward ended before it, each once. */
vdnn_status vdnn_flow_check_norm(vdnn_flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    const vdnn_layer *layer = &f->checker->plan->graph->layers[step->layer];
    const int32_t into = vdnn_flow_find(f, step, VDNN_BIND_DST), source = f->checker->source[into];
    const bool begins = (vdnn_flow_access(f, into)->mode & VDNN_READ) == 0;
    const bool is_passed_on =
        vdnn_flow_made_by(f, source, VDNN_STEP_RECEIVE, VDNN_BIND_DST, step->micro) &&
        vdnn_flow_step(f, source)->pass != VDNN_FORWARD;
    vdnn_flow_partial sum = {.of = -1, .reader = f->checker->plan->graph->layer_count};
    if (!begins && !is_passed_on && !is_norm(f, source, step->micro))
        return vdnn_flow_refuse(f, into, source, "the norm of the layers behind");
    if (!begins)
        sum = f->partial[source];
    const int32_t end = last_in_backward(f->checker->plan->graph, layer);
    if (end >= sum.reader)
        return vdnn_checker_refuse(f->checker, i, -1, vdnn_flow_access(f, into)->buffer,
                                   "squares are added layer by layer, the last one first");
    sum.reader = end;
    sum.parts++;
    f->partial[into] = sum;
    f->norms++;
    return vdnn_flow_check_dw(f, vdnn_flow_find(f, step, VDNN_BIND_DW), layer);
}

vdnn_status vdnn_flow_check_scale(const vdnn_flow *f, int32_t access)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const int32_t source = f->checker->source[access], learning = vdnn_flow_count_learning(graph),
                  micro = vdnn_flow_step(f, access)->micro;
    const bool returns = graph->stage.count > 0 && graph->stage.number > 0;
    const bool is_one =
        returns ? vdnn_flow_made_by(f, source, VDNN_STEP_RECEIVE, VDNN_BIND_DST, micro) &&
                      f->partial[source].is_reduced
                : is_norm(f, source, micro);
    if (!is_one)
        return vdnn_flow_refuse(f, access, source, "the norm of all gradients");
    if (!returns && !vdnn_flow_is_norm_here(f, source))
        return vdnn_checker_refuse(f->checker, f->checker->access_step[access],
                                   f->checker->access_step[source],
                                   vdnn_flow_access(f, access)->buffer,
                                   "a norm is read with the squares of %d of %d layers",
                                   f->partial[source].parts, learning);
    return VDNN_OK;
}
