#include "runtime/checker/checker_internal.h"

#include "runtime/base/heap.h"

/* The values of the network, derived from the graph alone, and compared with the plan's. Copies are
 * transparent: a value that was copied out and in is still its producer's. A recompute that reads
 * the inputs of forward gives the output of forward.
 *
 *   run forward conv1 --y--> copy_out m --host copy--> copy_in m --x--> run backward_filter relu1
 *   `origin` of that x: the access y of run forward conv1
 *
 * Each micro-batch has values of its own, and reads no other's.
 *
 * The gradient of a tensor is the sum of one part from each input that reads it, last reader first;
 * that of a layer's parameters the sum over micro-batches, first one first; so the same sums come
 * out under every policy, bit for bit. Running statistics are updated after each micro-batch. */

/* A gradient as far as it is summed; of a norm, the layers whose squares are. */
typedef struct partial {
    int32_t of;    /* a tensor; of parameters, a layer */
    int32_t micro; /* of parameters, the last that was added */
    int32_t parts;
    int32_t reader, slot; /* of a tensor: of the last part that was added */
} partial;

/* What is kept of a layer. */
enum { WEIGHTS, STATE, BLOCKS };

/* The parts of a batch. */
enum { IMAGES, LABELS, BATCH_PARTS };

typedef struct flow {
    const vdnn_checker *checker;
    int32_t *origin;   /* per access that writes: the access that made the value; -1 from before */
    partial *partial;  /* per access that an accumulation or a norm writes */
    int32_t *expected; /* per tensor: parts of its whole gradient */
    int32_t (*runs)[VDNN_PASS_COUNT]; /* per micro-batch and layer */
    int32_t *averages;                /* likewise */
    int32_t *updates;                 /* per layer */
    int32_t (*stored)[BLOCKS];        /* likewise: copies to where it is kept */
    int32_t norms;                    /* layers whose squares are added */
    int32_t *stores;                  /* per micro-batch */
    int32_t (*loads)[BATCH_PARTS];    /* likewise */
    int32_t takes[BATCH_PARTS];
} flow;

static const vdnn_step *step_of(const flow *f, int32_t access)
{
    return &f->checker->plan->steps[f->checker->access_step[access]];
}

static const vdnn_access *access_at(const flow *f, int32_t access)
{
    return &f->checker->plan->accesses[access];
}

/* What a step of a kind writes as `bind`, in one micro-batch. */
static bool made_by(const flow *f, int32_t origin, vdnn_step_kind kind, vdnn_bind bind,
                    int32_t micro)
{
    if (origin < 0)
        return false;
    const vdnn_step *step = step_of(f, origin);
    return step->kind == kind && access_at(f, origin)->bind == bind && step->micro == micro;
}

static bool made_by_run(const flow *f, int32_t origin, vdnn_pass pass, int32_t layer,
                        vdnn_bind bind, int32_t micro)
{
    return made_by(f, origin, VDNN_STEP_RUN, bind, micro) && step_of(f, origin)->pass == pass &&
           step_of(f, origin)->layer == layer;
}

/* By the layer's forward or its recompute: their inputs are checked at their reads. */
static bool made_by_forward(const flow *f, int32_t origin, int32_t layer, vdnn_bind bind,
                            int32_t micro)
{
    return made_by_run(f, origin, VDNN_FORWARD, layer, bind, micro) ||
           (made_by(f, origin, VDNN_STEP_RECOMPUTE, bind, micro) &&
            step_of(f, origin)->layer == layer);
}

static vdnn_status refuse_value(const flow *f, int32_t access, int32_t origin, const char *meant)
{
    const int32_t maker = origin < 0 ? -1 : f->checker->access_step[origin];
    return vdnn_checker_refuse(f->checker, f->checker->access_step[access], maker,
                               access_at(f, access)->buffer, "a step reads another value than %s",
                               meant);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static int32_t find_bind(const flow *f, const vdnn_step *step, vdnn_bind bind)
{
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++)
        if (access_at(f, k)->bind == bind)
            return k;
    return -1;
}

/* The two sides of a copy: its access that reads, and the one that writes. */
typedef struct sides {
    int32_t from, to;
    const vdnn_buffer *source, *target;
    int32_t made; /* the access that wrote what is copied; -1: from before the step */
} sides;

static sides sides_of(const flow *f, const vdnn_step *step)
{
    const int32_t from = find_bind(f, step, VDNN_BIND_SRC), to = find_bind(f, step, VDNN_BIND_DST);
    const vdnn_buffer *buffers = f->checker->plan->buffers;
    return (sides){from, to, &buffers[access_at(f, from)->buffer],
                   &buffers[access_at(f, to)->buffer], f->checker->source[from]};
}

/* A copy in follows a copy out, by way of the file tier or not. */
static bool can_follow(const flow *f, const vdnn_step *step, int32_t made)
{
    static const struct {
        vdnn_step_kind kind, before;
    } rows[] = {{VDNN_STEP_SPILL, VDNN_STEP_COPY_OUT},
                {VDNN_STEP_FILL, VDNN_STEP_SPILL},
                {VDNN_STEP_COPY_IN, VDNN_STEP_COPY_OUT},
                {VDNN_STEP_COPY_IN, VDNN_STEP_FILL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (step->kind == rows[i].kind && made >= 0 && step_of(f, made)->kind == rows[i].before)
            return true;
    return step->kind == VDNN_STEP_COPY_OUT;
}

static vdnn_status check_copy_of_map(flow *f, int32_t i, const sides *copy)
{
    const vdnn_checker *checker = f->checker;
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const int32_t made = copy->made;
    if (copy->source->map < 0 || copy->source->map != copy->target->map)
        return vdnn_checker_refuse(checker, i, -1, access_at(f, copy->to)->buffer,
                                   "a copy moves map %d into the place of map %d",
                                   copy->source->map, copy->target->map);
    if (step->bytes != plan->graph->maps[copy->source->map].bytes)
        return vdnn_checker_refuse(checker, i, -1, access_at(f, copy->from)->buffer,
                                   "a copy moves %zu bytes of a map of %zu", step->bytes,
                                   plan->graph->maps[copy->source->map].bytes);
    if (!can_follow(f, step, made))
        return vdnn_checker_refuse(checker, i, made < 0 ? -1 : checker->access_step[made],
                                   access_at(f, copy->from)->buffer,
                                   "a copy in does not follow a copy out of its map");
    const int32_t origin = made < 0 ? -1 : f->origin[made];
    f->origin[copy->to] = origin;
    if (origin >= 0 && step_of(f, origin)->micro != step->micro)
        return vdnn_checker_refuse(checker, i, checker->access_step[origin],
                                   access_at(f, copy->from)->buffer,
                                   "a copy moves a value of another micro-batch");
    return VDNN_OK;
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
static vdnn_status check_copy_of_parameters(flow *f, int32_t i, const sides *copy)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const bool is_in = step->kind == VDNN_STEP_COPY_IN;
    const int32_t layer = copy->source->layer, home = home_of(plan, copy->source->class, layer),
                  kept = access_at(f, is_in ? copy->from : copy->to)->buffer;
    if (home < 0 || kept != home || copy->target->class != copy->source->class ||
        copy->target->layer != layer || step->layer != layer)
        return vdnn_checker_refuse(f->checker, i, -1, kept,
                                   "a copy of parameters is not between a block that is kept and a "
                                   "copy of it");
    if (step->bytes != plan->buffers[home].bytes || step->bytes != copy->source->bytes)
        return vdnn_checker_refuse(f->checker, i, -1, kept,
                                   "a copy moves %zu bytes of parameters of %zu", step->bytes,
                                   plan->buffers[home].bytes);
    if (is_in)
        return copy->made < 0 ? VDNN_OK
                              : refuse_value(f, copy->from, copy->made,
                                             "the parameters as they were before the step");
    const vdnn_bind changed =
        copy->source->class == VDNN_CLASS_WEIGHT ? VDNN_BIND_W : VDNN_BIND_STATE;
    const vdnn_step *maker = copy->made < 0 ? NULL : step_of(f, copy->made);
    if (maker == NULL || maker->layer != layer || access_at(f, copy->made)->bind != changed ||
        (maker->kind != VDNN_STEP_UPDATE && maker->kind != VDNN_STEP_RUN))
        return refuse_value(f, copy->from, copy->made, "what an update of the layer made");
    f->stored[layer][copy->source->class == VDNN_CLASS_WEIGHT ? WEIGHTS : STATE]++;
    return VDNN_OK;
}

static vdnn_status check_copy(flow *f, int32_t i)
{
    const sides copy = sides_of(f, &f->checker->plan->steps[i]);
    const bool of_parameters =
        copy.source->class == VDNN_CLASS_WEIGHT || copy.source->class == VDNN_CLASS_OPTIMIZER;
    return of_parameters ? check_copy_of_parameters(f, i, &copy) : check_copy_of_map(f, i, &copy);
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* The bytes of a layer's gradient block that are summed over micro-batches: running statistics are
 * not, and follow the rest. */
static size_t summed_bytes(const vdnn_layer *layer)
{
    size_t bytes = layer->trainable_bytes;
    for (int32_t p = 0; p < layer->param_count; p++)
        if (layer->params[p].trainable && layer->params[p].update == VDNN_UPDATE_AVERAGE &&
            layer->params[p].offset < bytes)
            bytes = layer->params[p].offset;
    return bytes;
}

static bool has_averages(const vdnn_layer *layer)
{
    return summed_bytes(layer) < layer->trainable_bytes;
}

/* A value as the gradient of a tensor; false if it is none. */
static bool as_gradient(const flow *f, int32_t origin, partial *part)
{
    if (origin < 0)
        return false;
    const vdnn_step *step = step_of(f, origin);
    if (step->kind == VDNN_STEP_ACCUMULATE) {
        *part = f->partial[origin];
        return true;
    }
    if (!made_by_run(f, origin, VDNN_BACKWARD_DATA, step->layer, VDNN_BIND_DX, step->micro))
        return false;
    const int32_t slot = access_at(f, origin)->slot;
    *part = (partial){.of = f->checker->plan->graph->layers[step->layer].inputs[slot],
                      .micro = step->micro,
                      .parts = 1,
                      .reader = step->layer,
                      .slot = slot};
    return true;
}

/* As the gradient of a layer's parameters. */
static bool as_weight_gradient(const flow *f, int32_t origin, partial *part)
{
    if (origin < 0)
        return false;
    const vdnn_step *step = step_of(f, origin);
    if (step->kind == VDNN_STEP_ACCUMULATE) {
        *part = f->partial[origin];
        return true;
    }
    *part = (partial){.of = step->layer, .micro = step->micro, .parts = 1};
    return step->kind == VDNN_STEP_RUN && access_at(f, origin)->bind == VDNN_BIND_DW;
}

static vdnn_status check_sum_bytes(const flow *f, int32_t i, int32_t into, size_t bytes)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    return step->bytes == bytes
               ? VDNN_OK
               : vdnn_checker_refuse(f->checker, i, -1, access_at(f, into)->buffer,
                                     "an accumulation of %zu bytes of a gradient of %zu",
                                     step->bytes, bytes);
}

/* A part is added to the sum. */
static vdnn_status sum_of_maps(flow *f, int32_t i, int32_t into, int32_t from)
{
    const vdnn_checker *checker = f->checker;
    partial sum, part;
    if (!as_gradient(f, checker->source[into], &sum))
        return refuse_value(f, into, checker->source[into], "a gradient to add to");
    if (!as_gradient(f, checker->source[from], &part))
        return refuse_value(f, from, checker->source[from], "a gradient to add");
    const bool in_order =
        part.reader < sum.reader || (part.reader == sum.reader && part.slot > sum.slot);
    if (part.of != sum.of || part.micro != sum.micro || part.parts != 1 || !in_order ||
        sum.micro != checker->plan->steps[i].micro)
        return vdnn_checker_refuse(
            checker, i, checker->access_step[checker->source[from]], access_at(f, from)->buffer,
            "gradients of a tensor are summed one by one, last reader first (tensors %d and %d)",
            sum.of, part.of);
    part.parts = sum.parts + 1;
    f->partial[into] = part;
    return check_sum_bytes(f, i, into,
                           vdnn_desc_bytes(&checker->plan->graph->tensors[sum.of].desc));
}

/* The sum so far is added to the gradient of the next micro-batch, which keeps its statistics. */
static vdnn_status sum_of_parameters(flow *f, int32_t i, int32_t into, int32_t from)
{
    const vdnn_checker *checker = f->checker;
    partial own, earlier;
    if (!as_weight_gradient(f, checker->source[into], &own))
        return refuse_value(f, into, checker->source[into], "a gradient to add to");
    if (!as_weight_gradient(f, checker->source[from], &earlier))
        return refuse_value(f, from, checker->source[from], "a gradient to add");
    if (own.of != earlier.of || own.parts != 1 || own.micro != earlier.micro + 1 ||
        earlier.parts != own.micro || own.micro != checker->plan->steps[i].micro)
        return vdnn_checker_refuse(checker, i, checker->access_step[checker->source[from]],
                                   access_at(f, from)->buffer,
                                   "gradients of parameters are summed in the order of the "
                                   "micro-batches (layers %d and %d, micro-batches %d and %d)",
                                   own.of, earlier.of, own.micro, earlier.micro);
    own.parts = earlier.parts + 1;
    f->partial[into] = own;
    return check_sum_bytes(f, i, into, summed_bytes(&checker->plan->graph->layers[own.of]));
}

static vdnn_status check_accumulate(flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t into = find_bind(f, &plan->steps[i], VDNN_BIND_DST),
                  from = find_bind(f, &plan->steps[i], VDNN_BIND_SRC);
    const vdnn_class class = plan->buffers[access_at(f, into)->buffer].class;
    if (plan->buffers[access_at(f, from)->buffer].class != class)
        return vdnn_checker_refuse(f->checker, i, -1, access_at(f, from)->buffer,
                                   "a sum of a map and of parameters");
    return class == VDNN_CLASS_WEIGHT_GRADIENT ? sum_of_parameters(f, i, into, from)
                                               : sum_of_maps(f, i, into, from);
}

static vdnn_status check_dy(const flow *f, int32_t access, const vdnn_layer *layer)
{
    const int32_t origin = f->checker->source[access];
    partial sum;
    if (!as_gradient(f, origin, &sum) || sum.of != layer->output ||
        sum.micro != step_of(f, access)->micro)
        return refuse_value(f, access, origin, "the gradient of the layer's output");
    if (sum.parts != f->expected[layer->output])
        return vdnn_checker_refuse(f->checker, f->checker->access_step[access],
                                   f->checker->access_step[origin], access_at(f, access)->buffer,
                                   "a gradient is read with %d of its %d parts", sum.parts,
                                   f->expected[layer->output]);
    return VDNN_OK;
}

/* Of an update, or of an average: the sum so far, whose statistics are those of its micro-batch. */
static vdnn_status check_dw(const flow *f, int32_t access, const vdnn_layer *layer)
{
    const int32_t origin = f->checker->source[access];
    const bool is_summed = summed_bytes(layer) > 0;
    partial sum;
    if (!as_weight_gradient(f, origin, &sum) || sum.of != layer->index ||
        sum.micro != step_of(f, access)->micro)
        return refuse_value(f, access, origin, "the gradient of the layer's parameters");
    if (step_of(f, access)->kind != VDNN_STEP_AVERAGE && is_summed && sum.parts != sum.micro + 1)
        return vdnn_checker_refuse(f->checker, f->checker->access_step[access],
                                   f->checker->access_step[origin], access_at(f, access)->buffer,
                                   "a step reads the sum of %d of %d micro-batches", sum.parts,
                                   sum.micro + 1);
    return VDNN_OK;
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* A value of the batch, where its readers find it: by the step that brings it there. */
static bool made_by_batch(const flow *f, int32_t origin, int32_t micro)
{
    const bool ahead = vdnn_plan_loads_ahead(f->checker->plan);
    return made_by(f, origin, ahead ? VDNN_STEP_TAKE : VDNN_STEP_LOAD, VDNN_BIND_DST, micro);
}

static vdnn_status check_tensor(const flow *f, int32_t access, int32_t origin, int32_t tensor)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t producer = vdnn_checker_writer(plan->graph, tensor),
                  micro = step_of(f, access)->micro;
    if (producer < 0) {
        if (!made_by_batch(f, origin, micro) ||
            plan->buffers[access_at(f, origin)->buffer].class != VDNN_CLASS_INPUT)
            return refuse_value(f, access, origin, "the images as loaded");
        return VDNN_OK;
    }
    if (!made_by_forward(f, origin, producer, VDNN_BIND_Y, micro))
        return refuse_value(f, access, origin, plan->graph->layers[producer].name);
    return VDNN_OK;
}

/* Whether an access reads a block as it was before the step: where it is kept, or on the device a
 * copy of that. */
static bool reads_kept(const flow *f, int32_t access, int32_t home)
{
    const vdnn_checker *checker = f->checker;
    const int32_t source = checker->source[access];
    if (checker->plan->buffers[home].tier == VDNN_TIER_DEVICE)
        return access_at(f, access)->buffer == home && source < 0;
    if (source < 0 || step_of(f, source)->kind != VDNN_STEP_COPY_IN)
        return false;
    const int32_t from = find_bind(f, step_of(f, source), VDNN_BIND_SRC);
    return access_at(f, from)->buffer == home;
}

/* Parameters are what they were before the step, but for the running statistics of the
 * micro-batches so far. */
static vdnn_status check_weights(const flow *f, int32_t access, const vdnn_layer *layer)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t source = f->checker->source[access], micro = step_of(f, access)->micro,
                  home = plan->param_buffer[layer->index];
    const bool is_averaged = plan->training && micro > 0 && has_averages(layer);
    const bool right = is_averaged
                           ? access_at(f, access)->buffer == home &&
                                 made_by(f, source, VDNN_STEP_AVERAGE, VDNN_BIND_W, micro - 1)
                           : reads_kept(f, access, home);
    return right ? VDNN_OK : refuse_value(f, access, source, "the layer's parameters");
}

static vdnn_status check_state(const flow *f, int32_t access, const vdnn_layer *layer)
{
    return reads_kept(f, access, f->checker->plan->state_buffer[layer->index])
               ? VDNN_OK
               : refuse_value(f, access, f->checker->source[access], "the layer's optimizer state");
}

static vdnn_status check_labels(const flow *f, int32_t access)
{
    const int32_t source = f->checker->source[access];
    if (!made_by_batch(f, source, step_of(f, access)->micro))
        return refuse_value(f, access, source, "the labels as loaded");
    return VDNN_OK;
}

static vdnn_status check_result(const flow *f, int32_t access)
{
    const int32_t loss = f->checker->plan->graph->layer_count - 1;
    const int32_t source = f->checker->source[access];
    if (!made_by_run(f, source, VDNN_FORWARD, loss, VDNN_BIND_Y, step_of(f, access)->micro))
        return refuse_value(f, access, source, "the result of the loss");
    return VDNN_OK;
}

static vdnn_status check_store(const flow *f, int32_t i)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    const vdnn_step *step = &f->checker->plan->steps[i];
    const int32_t result = graph->tensors[graph->layers[graph->layer_count - 1].output].map;
    const int32_t from = find_bind(f, step, VDNN_BIND_SRC);
    if (step->bytes != graph->maps[result].bytes)
        return vdnn_checker_refuse(f->checker, i, -1, access_at(f, from)->buffer,
                                   "a store of %zu bytes of a result of %zu", step->bytes,
                                   graph->maps[result].bytes);
    return check_result(f, from);
}

/* ---- the norm of gradients ------------------------------------------------------------------- */

/* The layers whose parameters have gradients. */
static int32_t count_learning(const vdnn_graph *graph)
{
    int32_t count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        count += graph->layers[l].trainable_bytes > 0;
    return count;
}

/* Of the sums over all micro-batches, so in the last one. */
static bool is_norm(const flow *f, int32_t origin, int32_t micro)
{
    return made_by(f, origin, VDNN_STEP_NORM, VDNN_BIND_DST, micro);
}

/* Adds a layer's squares to those of later layers, each once. */
static vdnn_status check_norm(flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    const vdnn_layer *layer = &f->checker->plan->graph->layers[step->layer];
    const int32_t into = find_bind(f, step, VDNN_BIND_DST), source = f->checker->source[into];
    const bool begins = (access_at(f, into)->mode & VDNN_READ) == 0;
    partial sum = {.of = -1, .reader = f->checker->plan->graph->layer_count};
    if (!begins && !is_norm(f, source, step->micro))
        return refuse_value(f, into, source, "the norm of the layers behind");
    if (!begins)
        sum = f->partial[source];
    if (layer->index >= sum.reader)
        return vdnn_checker_refuse(f->checker, i, -1, access_at(f, into)->buffer,
                                   "squares are added layer by layer, the last one first");
    sum.reader = layer->index;
    sum.parts++;
    f->partial[into] = sum;
    f->norms++;
    return check_dw(f, find_bind(f, step, VDNN_BIND_DW), layer);
}

static vdnn_status check_scale(const flow *f, int32_t access)
{
    const int32_t source = f->checker->source[access],
                  learning = count_learning(f->checker->plan->graph);
    if (!is_norm(f, source, step_of(f, access)->micro))
        return refuse_value(f, access, source, "the norm of all gradients");
    if (f->partial[source].parts != learning)
        return vdnn_checker_refuse(f->checker, f->checker->access_step[access],
                                   f->checker->access_step[source], access_at(f, access)->buffer,
                                   "a norm is read with the squares of %d of %d layers",
                                   f->partial[source].parts, learning);
    return VDNN_OK;
}

/* One read of a run or an update. */
static vdnn_status check_value(const flow *f, const vdnn_step *step, int32_t access)
{
    const vdnn_layer *layer = &f->checker->plan->graph->layers[step->layer];
    const int32_t source = f->checker->source[access];
    const int32_t origin = source < 0 ? -1 : f->origin[source];
    switch ((vdnn_bind)access_at(f, access)->bind) {
    case VDNN_BIND_X:
        return check_tensor(f, access, origin, layer->inputs[access_at(f, access)->slot]);
    case VDNN_BIND_Y:
        return check_tensor(f, access, origin, layer->output);
    case VDNN_BIND_AUX:
        if (!made_by_forward(f, origin, step->layer, VDNN_BIND_AUX, step->micro))
            return refuse_value(f, access, origin, "what the layer's forward saved");
        return VDNN_OK;
    case VDNN_BIND_DY:
        return check_dy(f, access, layer);
    case VDNN_BIND_W:
        return check_weights(f, access, layer);
    case VDNN_BIND_STATE:
        return check_state(f, access, layer);
    case VDNN_BIND_DW:
        return check_dw(f, access, layer);
    case VDNN_BIND_LABELS:
        return check_labels(f, access);
    case VDNN_BIND_SRC:
        return check_scale(f, access);
    default:
        return VDNN_OK;
    }
}

static vdnn_status check_values(const flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    vdnn_status status = VDNN_OK;
    for (int32_t k = step->first_access;
         k < step->first_access + step->access_count && status == VDNN_OK; k++)
        if ((access_at(f, k)->mode & VDNN_READ) != 0)
            status = check_value(f, step, k);
    return status;
}

/* ---- the batch ------------------------------------------------------------------------------- */

static int32_t ahead_of(const vdnn_plan *plan, int part)
{
    return part == LABELS ? plan->labels_ahead : plan->input_ahead;
}

static bool is_place_of(const vdnn_plan *plan, int32_t buffer, int part)
{
    return plan->buffers[buffer].class == (part == LABELS ? VDNN_CLASS_LABELS : VDNN_CLASS_INPUT);
}

static size_t part_bytes(const vdnn_plan *plan, int part)
{
    const vdnn_graph *graph = plan->graph;
    return vdnn_desc_bytes(part == LABELS ? &graph->labels : &graph->tensors[0].desc);
}

static bool is_load_target(const vdnn_plan *plan, int32_t buffer, int part)
{
    return vdnn_plan_loads_ahead(plan) ? buffer == ahead_of(plan, part)
                                       : is_place_of(plan, buffer, part);
}

static vdnn_status check_load(flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const int32_t buffer = access_at(f, find_bind(f, step, VDNN_BIND_DST))->buffer;
    const int part = is_load_target(plan, buffer, LABELS) ? LABELS : IMAGES;
    const size_t bytes = part_bytes(plan, part);
    if (!is_load_target(plan, buffer, part) || step->bytes != bytes)
        return vdnn_checker_refuse(f->checker, i, -1, buffer,
                                   "a load brings %zu bytes of %zu, or not into a buffer for them",
                                   step->bytes, bytes);
    f->loads[step->micro][part]++;
    return VDNN_OK;
}

/* A take reads what was loaded before this step began: the batch loaded in it is the next one's. */
static vdnn_status check_take(flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const int32_t from = find_bind(f, step, VDNN_BIND_SRC);
    const int32_t source = access_at(f, from)->buffer,
                  target = access_at(f, find_bind(f, step, VDNN_BIND_DST))->buffer;
    const int part = is_place_of(plan, target, LABELS) ? LABELS : IMAGES;
    const size_t bytes = part_bytes(plan, part);
    if (!is_place_of(plan, target, part) || source != ahead_of(plan, part) || step->bytes != bytes)
        return vdnn_checker_refuse(f->checker, i, -1, source,
                                   "a take of %zu bytes of %zu, or not from where they were loaded "
                                   "to a buffer for them",
                                   step->bytes, bytes);
    if (f->checker->source[from] >= 0)
        return refuse_value(f, from, f->checker->source[from], "the batch that was loaded ahead");
    f->takes[part]++;
    return VDNN_OK;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static int32_t layer_in(const flow *f, const vdnn_step *step)
{
    return step->micro * f->checker->plan->graph->layer_count + step->layer;
}

static vdnn_status check_run(flow *f, int32_t i)
{
    const vdnn_plan *plan = f->checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const bool updates = vdnn_checker_updates(plan, step);
    if (updates && plan->graph->micro_batches > 1)
        return vdnn_checker_refuse(f->checker, i, -1, -1,
                                   "a run updates parameters by the gradient of one micro-batch");
    f->runs[layer_in(f, step)][step->pass]++;
    f->updates[step->layer] += updates;
    return check_values(f, i);
}

static vdnn_status check_flow(flow *f, int32_t i)
{
    const vdnn_step *step = &f->checker->plan->steps[i];
    switch (step->kind) {
    case VDNN_STEP_LOAD:
        return check_load(f, i);
    case VDNN_STEP_TAKE:
        return check_take(f, i);
    case VDNN_STEP_COPY_OUT:
    case VDNN_STEP_COPY_IN:
    case VDNN_STEP_SPILL:
    case VDNN_STEP_FILL:
        return check_copy(f, i);
    case VDNN_STEP_ACCUMULATE:
        return check_accumulate(f, i);
    case VDNN_STEP_RUN:
        return check_run(f, i);
    case VDNN_STEP_RECOMPUTE:
        return check_values(f, i);
    case VDNN_STEP_AVERAGE:
        f->averages[layer_in(f, step)]++;
        return check_values(f, i);
    case VDNN_STEP_NORM:
        return check_norm(f, i);
    case VDNN_STEP_UPDATE:
        f->updates[step->layer]++;
        return check_values(f, i);
    case VDNN_STEP_STORE:
        f->stores[step->micro]++;
        return check_store(f, i);
    case VDNN_STEP_JOIN:
        break;
    }
    return VDNN_OK;
}

/* ---- everything once ------------------------------------------------------------------------- */

static vdnn_status check_batch(const flow *f, int32_t micro)
{
    const int due = vdnn_plan_loads_ahead(f->checker->plan);
    for (int part = 0; part < BATCH_PARTS; part++) {
        const char *name = part == LABELS ? "labels" : "images";
        if (f->loads[micro][part] != 1)
            return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                       "the %s of micro-batch %d are loaded %d times instead of "
                                       "once",
                                       name, micro, f->loads[micro][part]);
        if (f->takes[part] != due)
            return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                       "the %s are taken %d times instead of %d", name,
                                       f->takes[part], due);
    }
    if (f->stores[micro] != 1)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "the result of micro-batch %d is stored %d times instead of "
                                   "once",
                                   micro, f->stores[micro]);
    return VDNN_OK;
}

/* The passes of a layer in one micro-batch. */
static vdnn_status check_passes(const flow *f, const vdnn_layer *layer, int32_t micro)
{
    const vdnn_plan *plan = f->checker->plan;
    const int32_t at = micro * plan->graph->layer_count + layer->index;
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const int due =
            (plan->training || p == VDNN_FORWARD) && vdnn_checker_has_pass(layer, (vdnn_pass)p);
        if (f->runs[at][p] != due)
            return vdnn_checker_refuse(
                f->checker, -1, -1, -1,
                "%s of layer %s runs %d times instead of %d in micro-batch %d",
                vdnn_pass_text((vdnn_pass)p), layer->name, f->runs[at][p], due, micro);
    }
    const int due = plan->training && has_averages(layer) && micro < plan->graph->micro_batches - 1;
    if (f->averages[at] != due)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "the statistics of layer %s are updated %d times instead of %d "
                                   "after micro-batch %d",
                                   layer->name, f->averages[at], due, micro);
    return VDNN_OK;
}

static bool is_away(const vdnn_plan *plan, int32_t layer)
{
    return plan->param_buffer[layer] >= 0 &&
           plan->buffers[plan->param_buffer[layer]].tier != VDNN_TIER_DEVICE;
}

static vdnn_status check_updates(const flow *f, const vdnn_layer *layer)
{
    const int due = f->checker->plan->training && layer->trainable_bytes > 0;
    const int stored = due && is_away(f->checker->plan, layer->index);
    if (f->stored[layer->index][WEIGHTS] != stored || f->stored[layer->index][STATE] != stored)
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

static vdnn_status check_norms(const flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    const bool clips = plan->training && plan->graph->training.clip_norm > 0;
    const int32_t due = clips ? count_learning(plan->graph) : 0;
    if (f->norms != due)
        return vdnn_checker_refuse(f->checker, -1, -1, -1,
                                   "%d gradients are part of a norm instead of %d", f->norms, due);
    return VDNN_OK;
}

static vdnn_status check_counts(const flow *f)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    vdnn_status status = VDNN_OK;
    for (int32_t micro = 0; micro < graph->micro_batches && status == VDNN_OK; micro++) {
        for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
            status = check_passes(f, &graph->layers[l], micro);
        if (status == VDNN_OK)
            status = check_batch(f, micro);
    }
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_updates(f, &graph->layers[l]);
    return status == VDNN_OK ? check_norms(f) : status;
}

static vdnn_status check_named(const vdnn_checker *checker, int32_t b, vdnn_class class,
                               int32_t layer, bool due)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_tier tier =
        layer >= 0 && plan->params[layer] == VDNN_OFFLOAD ? VDNN_TIER_HOST : VDNN_TIER_DEVICE;
    if (b < 0 && !due)
        return VDNN_OK;
    if (b < 0 || b >= plan->buffer_count || plan->buffers[b].class != class ||
        plan->buffers[b].layer != layer || plan->buffers[b].tier != tier)
        return vdnn_checker_refuse(checker, -1, -1, b < plan->buffer_count ? b : -1,
                                   "the plan names buffer %d as the %s of layer %d", b,
                                   vdnn_class_text(class), layer);
    return VDNN_OK;
}

/* Updates access the whole block. */
static vdnn_status check_state_buffer(const vdnn_checker *checker, int32_t l)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_layer *layer = &plan->graph->layers[l];
    const int32_t state = plan->state_buffer[l];
    const bool due = plan->training && layer->trainable_bytes > 0;
    vdnn_status status = check_named(checker, state, VDNN_CLASS_OPTIMIZER, l, due);
    if (status == VDNN_OK && due &&
        plan->buffers[state].bytes < vdnn_checker_state_bytes(plan, layer))
        return vdnn_checker_refuse(
            checker, -1, -1, state, "the optimizer keeps %zu bytes of layer %s, its buffer has %zu",
            vdnn_checker_state_bytes(plan, layer), layer->name, plan->buffers[state].bytes);
    return status;
}

static vdnn_status check_names(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const bool ahead = plan->loads == VDNN_LOADS_AHEAD;
    vdnn_status status = check_named(checker, plan->input_ahead, VDNN_CLASS_INPUT_AHEAD, -1, ahead);
    if (status == VDNN_OK)
        status = check_named(checker, plan->labels_ahead, VDNN_CLASS_LABELS_AHEAD, -1, ahead);
    for (int32_t l = 0; l < plan->graph->layer_count && status == VDNN_OK; l++) {
        const vdnn_layer *layer = &plan->graph->layers[l];
        status = check_named(checker, plan->param_buffer[l], VDNN_CLASS_WEIGHT, l,
                             layer->param_bytes > 0);
        if (status == VDNN_OK)
            status = check_state_buffer(checker, l);
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static vdnn_status allocate(flow *f)
{
    const vdnn_plan *plan = f->checker->plan;
    const size_t accesses = (size_t)plan->access_count, layers = (size_t)plan->graph->layer_count,
                 micros = (size_t)plan->graph->micro_batches;
    f->origin = vdnn_heap_calloc(accesses, sizeof *f->origin);
    f->partial = vdnn_heap_calloc(accesses, sizeof *f->partial);
    f->expected = vdnn_heap_calloc((size_t)plan->graph->tensor_count, sizeof *f->expected);
    f->runs = vdnn_heap_calloc(micros * layers, sizeof *f->runs);
    f->averages = vdnn_heap_calloc(micros * layers, sizeof *f->averages);
    f->updates = vdnn_heap_calloc(layers, sizeof *f->updates);
    f->stored = vdnn_heap_calloc(layers, sizeof *f->stored);
    f->stores = vdnn_heap_calloc(micros, sizeof *f->stores);
    f->loads = vdnn_heap_calloc(micros, sizeof *f->loads);
    if (f->origin == NULL || f->partial == NULL || f->expected == NULL || f->runs == NULL ||
        f->averages == NULL || f->updates == NULL || f->stored == NULL || f->stores == NULL ||
        f->loads == NULL)
        return vdnn_checker_no_memory(accesses + micros * layers);
    return VDNN_OK;
}

static void release(flow *f)
{
    vdnn_heap_free(f->origin);
    vdnn_heap_free(f->partial);
    vdnn_heap_free(f->expected);
    vdnn_heap_free(f->runs);
    vdnn_heap_free(f->averages);
    vdnn_heap_free(f->updates);
    vdnn_heap_free(f->stored);
    vdnn_heap_free(f->stores);
    vdnn_heap_free(f->loads);
}

static void expect_parts(flow *f)
{
    const vdnn_graph *graph = f->checker->plan->graph;
    for (int32_t k = 0; k < f->checker->plan->access_count; k++)
        f->origin[k] = k;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t k = 0; k < graph->layers[l].input_count; k++)
            f->expected[graph->layers[l].inputs[k]] += graph->layers[l].wants_dx[k];
}

vdnn_status vdnn_checker_flow(vdnn_checker *checker)
{
    flow f = {.checker = checker};
    vdnn_status status = allocate(&f);
    if (status == VDNN_OK)
        status = check_names(checker);
    if (status == VDNN_OK)
        expect_parts(&f);
    for (int32_t i = 0; i < checker->plan->step_count && status == VDNN_OK; i++)
        status = check_flow(&f, i);
    if (status == VDNN_OK)
        status = check_counts(&f);
    release(&f);
    return status;
}
