#include "tests/support/plan_meaning.h"

#include "runtime/base/heap.h"
#include "tests/support/plan_edit.h"
#include "tests/support/vdnn_test.h"

enum { CALLER = VDNN_USE_CALLER, NONE = -1 };

/* ---- values ---------------------------------------------------------------------------------- */

typedef enum value_kind {
    INPUT = VDNN_VALUE_SCRATCH + 1, /* one of the network's, labels too, of all micro-batches */
    WEIGHTS,                        /* what the optimizer changes of a layer's parameters */
    WEIGHT_COPY,                    /* what is kept of these for kernels */
    UPDATED_SHARE,                  /* of these, as one of several devices leaves them that update
                                       a share each */
    STATISTICS,                     /* running ones, behind them */
    FIXED,                          /* parameters that are not trained, behind those */
    STATE,
    OUTPUT,
    SAVED, /* for backward */
    INPUT_GRADIENT,
    WEIGHT_GRADIENT,
    BATCH_STATISTICS, /* behind it */
    SUM,
    ADDED,   /* by a kernel, in the place of an accumulation */
    REDUCED, /* over the devices */
    NORM,
} value_kind;

static uint64_t mix(uint64_t seed, uint64_t part)
{
    vdnn_test_rng rng = {seed ^ (part + 1) * 0xd6e8feb86659fd93u};
    return vdnn_test_random(&rng);
}

static vdnn_value make(value_kind kind, int32_t layer, int32_t slot, int32_t micro, int32_t round)
{
    const int32_t parts[] = {layer, slot, micro, round};
    vdnn_value value = {(uint64_t)kind, micro};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        value.id = mix(value.id, (uint64_t)parts[i]);
    return value;
}

vdnn_value vdnn_value_sum(vdnn_value a, vdnn_value b, size_t shift, vdnn_dtype dtype)
{
    return (vdnn_value){mix(mix(mix(mix(SUM, a.id), b.id), shift), (uint64_t)dtype), a.micro};
}

/* What a kernel makes of the sum so far, whose gradient by itself would be `own`. */
static vdnn_value added(vdnn_value own, vdnn_value sum)
{
    return (vdnn_value){mix(mix(mix(ADDED, own.id), sum.id), 0), own.micro};
}

vdnn_value vdnn_value_reduced(vdnn_value a)
{
    return a.id <= VDNN_VALUE_SCRATCH ? a : (vdnn_value){mix(a.id, REDUCED), a.micro};
}

/* What a forward kernel writes: its bits are its algorithm's; of one that is not deterministic,
 * those of this run. */
static vdnn_value made_by(const vdnn_meaning *m, value_kind kind, const vdnn_step *run)
{
    vdnn_value value = make(kind, run->layer, 0, run->micro, m->round);
    value.id = mix(value.id, (uint64_t)(uintptr_t)run->algorithm);
    if (!run->algorithm->deterministic)
        value.id = mix(value.id, (uint64_t)(run - m->plan->steps));
    return value;
}

static vdnn_value made_by_forward(const vdnn_meaning *m, value_kind kind, int32_t layer,
                                  int32_t micro, int32_t part)
{
    const int32_t *first = m->first_forward, count = first[m->plan->graph->layer_count];
    const vdnn_step *run = m->forward[micro * count + first[layer] + part];
    return run == NULL ? make(kind, layer, 0, micro, m->round) : made_by(m, kind, run);
}

/* How many parts of a layer's channels read the same, and have each a part of its gradient; of the
 * n-th part of the layer. */
static int32_t shares_of(const vdnn_layer *layer)
{
    const bool cuts = layer->channel_parts > 1 && layer->def->channel_rule(layer).x_unit == 0;
    return cuts ? (int32_t)layer->channel_parts : 1;
}

static vdnn_value input_gradient(const vdnn_meaning *m, const vdnn_layer *layer, int32_t input,
                                 int32_t part)
{
    const int32_t share = part % shares_of(layer);
    return make(INPUT_GRADIENT, layer->index, share * layer->input_count + input, m->step->micro,
                m->round);
}

/* The sum over parts of its channels, the first one first. */
static vdnn_value gradient_by(const vdnn_meaning *m, const vdnn_layer *layer, int32_t input)
{
    vdnn_value sum = input_gradient(m, layer, input, 0);
    for (int32_t c = 1; c < shares_of(layer); c++)
        sum = vdnn_value_sum(sum, input_gradient(m, layer, input, c), 0, m->plan->graph->dtype);
    return sum;
}

/* The last reader's part first; of a reader that reads it twice, the first input's. */
static vdnn_value gradient_of(const vdnn_meaning *m, int32_t tensor)
{
    vdnn_value sum = {VDNN_VALUE_NOTHING, NONE};
    bool is_first = true;
    for (int32_t l = m->plan->graph->layer_count - 1; l >= 0; l--) {
        const vdnn_layer *layer = &m->plan->graph->layers[l];
        for (int32_t k = 0; k < layer->input_count; k++) {
            if (layer->inputs[k] != tensor || !layer->wants_dx[k])
                continue;
            const vdnn_value part = gradient_by(m, layer, k);
            sum = is_first ? part : vdnn_value_sum(sum, part, 0, m->plan->graph->dtype);
            is_first = false;
        }
    }
    return sum;
}

static int32_t first_of_block(const vdnn_graph *graph, int32_t owner)
{
    int32_t l = 0;
    while (graph->layers[l].owner != owner)
        l++;
    return l;
}

static vdnn_value with_term(const vdnn_meaning *m, vdnn_value sum, int32_t l, int32_t part,
                            int32_t micro)
{
    const vdnn_value own = make(WEIGHT_GRADIENT, l, part, micro, m->round);
    return sum.id == VDNN_VALUE_NOTHING                   ? own
           : m->plan->graph->layers[l].def->adds_gradient ? added(own, sum)
                                                          : vdnn_value_sum(own, sum, 0, VDNN_F32);
}

/* Of a layer that shares a block, with micro-batches: the sum over these, to which in the last one,
 * before its first term, that of the layers behind is added. Before a part of a micro-batch. */
static vdnn_value gradient_alone(const vdnn_meaning *m, int32_t layer, int32_t micro, int32_t part)
{
    const vdnn_graph *graph = m->plan->graph;
    const int32_t last = graph->micro_batches - 1;
    vdnn_value sum = {VDNN_VALUE_NOTHING, NONE};
    int32_t behind = layer + 1;
    while (behind < graph->layer_count && graph->layers[behind].owner != graph->layers[layer].owner)
        behind++;
    for (int32_t i = 0; i <= micro; i++) {
        if (i == last && behind < graph->layer_count)
            sum = vdnn_value_sum(
                gradient_alone(m, behind, last, (int32_t)graph->layers[behind].parts), sum, 0,
                VDNN_F32);
        for (int32_t p = 0; p < graph->layers[layer].parts && (i < micro || p < part); p++)
            sum = with_term(m, sum, layer, p, i);
    }
    return sum;
}

/* Of a block of parameters: in each micro-batch that of the layers in it, last one first, of each
 * of its parts of the samples, to which the sum of those before it is added; or which is added to
 * that, by the kernel, where the layer can. Before part `part` of layer `layer` of this
 * micro-batch.
 */
static vdnn_value gradient_before(const vdnn_meaning *m, int32_t owner, int32_t layer, int32_t part)
{
    const vdnn_graph *graph = m->plan->graph;
    vdnn_value sum = {VDNN_VALUE_NOTHING, NONE};
    if (graph->layers[owner].is_tied && graph->micro_batches > 1)
        return layer == NONE
                   ? gradient_alone(m, first_of_block(graph, owner), m->step->micro, INT32_MAX)
                   : gradient_alone(m, layer, m->step->micro, part);
    for (int32_t micro = 0; micro <= m->step->micro; micro++)
        for (int32_t l = graph->layer_count - 1; l >= 0; l--)
            for (int32_t p = 0; graph->layers[l].owner == owner && p < graph->layers[l].parts;
                 p++) {
                if (micro == m->step->micro && (l < layer || (l == layer && p == part)))
                    return sum;
                sum = with_term(m, sum, l, p, micro);
            }
    return sum;
}

static vdnn_value gradient_of_block(const vdnn_meaning *m, int32_t owner)
{
    return gradient_before(m, owner, NONE, 0);
}

/* Over all devices. */
static vdnn_value reduced_gradient(const vdnn_meaning *m, int32_t owner)
{
    const vdnn_value own = gradient_of_block(m, owner);
    return m->plan->graph->devices > 1 ? vdnn_value_reduced(own) : own;
}

int32_t vdnn_meaning_block_of(const vdnn_meaning *m, vdnn_value value)
{
    int32_t l = m->plan->graph->layer_count - 1;
    while (l >= 0 &&
           (m->plan->graph->layers[l].owner != l || gradient_of_block(m, l).id != value.id))
        l--;
    return l;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static vdnn_use *add(vdnn_meaning *m, vdnn_use use)
{
    if (m->use_count == m->use_room) {
        m->use_room = 2 * m->use_room + 16;
        vdnn_use *uses = vdnn_heap_realloc(m->uses, (size_t)m->use_room, sizeof *uses);
        assert_non_null(uses);
        m->uses = uses;
    }
    m->uses[m->use_count] = use;
    return &m->uses[m->use_count++];
}

static const vdnn_access *find(const vdnn_meaning *m, vdnn_bind bind)
{
    for (int32_t k = 0; k < m->step->access_count; k++) {
        const vdnn_access *access = &m->plan->accesses[m->step->first_access + k];
        if ((vdnn_bind)access->bind == bind)
            return access;
    }
    return NULL;
}

/* Bytes [first, first + bytes) of what the step accesses as `bind`: those of the value. */
static vdnn_use *add_range(vdnn_meaning *m, bool is_write, vdnn_bind bind, int32_t slot,
                           size_t first, size_t bytes, vdnn_value value)
{
    vdnn_use use = {VDNN_USE_MISSING, NONE, is_write, value, first, bytes, first, first};
    for (int32_t k = 0; k < m->step->access_count; k++) {
        const vdnn_access *access = &m->plan->accesses[m->step->first_access + k];
        if ((vdnn_bind)access->bind == bind && access->slot == slot) {
            use.access = m->step->first_access + k;
            use.buffer = access->buffer;
        }
    }
    const vdnn_access *first_of_dw = find(m, VDNN_BIND_DW); /* which may have been lost */
    if (bind == VDNN_BIND_DW && slot > 0 && first_of_dw != NULL &&
        use.buffer != first_of_dw->buffer)
        use.buffer = VDNN_USE_MISSING; /* a kernel finds it in the buffer of the first one */
    return add(m, use);
}

static vdnn_use *reads(vdnn_meaning *m, vdnn_bind bind, int32_t slot, size_t bytes,
                       vdnn_value value)
{
    return add_range(m, false, bind, slot, 0, bytes, value);
}

static vdnn_use *writes(vdnn_meaning *m, vdnn_bind bind, int32_t slot, size_t bytes,
                        vdnn_value value)
{
    return add_range(m, true, bind, slot, 0, bytes, value);
}

static const vdnn_value any = {VDNN_VALUE_ANY, NONE}, scratch = {VDNN_VALUE_SCRATCH, NONE};

/* The first byte of the value's is the first of its buffer. */
static void lies_at(vdnn_use *use, size_t place)
{
    use->offset = use->place = place;
}

/* The channels of a map of a layer that a part has: of y its own, of x those that it reads. */
typedef struct channels {
    int64_t first, end;
} channels;

static channels channels_of(const vdnn_layer *layer, const vdnn_part *part, const vdnn_desc *map,
                            bool is_y)
{
    const channels own = {part->first_channel, part->first_channel + part->channels},
                   all = {0, map->dims[VDNN_C]};
    if (part->channels == layer->y.dims[VDNN_C])
        return all;
    const vdnn_channel_rule rule = layer->def->channel_rule(layer);
    if (is_y || rule.x_unit == 0)
        return is_y ? own : all;
    const int64_t units = (own.end + rule.unit - 1) / rule.unit;
    return (channels){own.first / rule.unit * rule.x_unit, units * rule.x_unit};
}

/* The pieces of a map that a part has: its channels of each of its samples, or of each cell of
 * these; what follows each other is one. */
static vdnn_stripes pieces_of(const vdnn_layer *layer, const vdnn_graph_part *part,
                              const vdnn_desc *map, bool is_y)
{
    const size_t all = vdnn_desc_bytes(map), sample = all / (size_t)map->dims[VDNN_N];
    if (part == NULL)
        return (vdnn_stripes){0, all, all, 1};
    const channels own = channels_of(layer, &part->range, map, is_y);
    const size_t first = sample * (size_t)part->range.first_sample,
                 bytes = sample * (size_t)part->range.samples;
    if (own.end - own.first == map->dims[VDNN_C])
        return (vdnn_stripes){first, bytes, bytes, 1};
    const bool is_nhwc = vdnn_layout_is_nhwc(map->layout);
    const size_t stride =
                     is_nhwc ? sample / (size_t)(map->dims[VDNN_H] * map->dims[VDNN_W]) : sample,
                 channel = stride / (size_t)vdnn_desc_channels(map),
                 begin = channel * (size_t)own.first,
                 end = own.end == map->dims[VDNN_C] ? stride : channel * (size_t)own.end;
    return (vdnn_stripes){first + begin, end - begin, stride, (int64_t)(bytes / stride)};
}

/* Of the batch, before those of the micro-batch. */
static size_t samples_before(const vdnn_meaning *m)
{
    int64_t count = 0;
    for (int32_t micro = 0; micro < m->step->micro; micro++)
        count += vdnn_graph_of_micro(m->plan->graph, micro)->micro_batch;
    return (size_t)count;
}

/* Of what the step reads, piece i as far as a piece of what the writer's part p wrote has it. */
static void reads_overlap(vdnn_meaning *m, vdnn_bind bind, int32_t slot, const vdnn_stripes *own,
                          int64_t i, const vdnn_stripes *wrote, int64_t j, int32_t writer,
                          int32_t p)
{
    const size_t own_first = own->offset + (size_t)i * own->stride,
                 own_end = own_first + own->bytes,
                 first = wrote->offset + (size_t)j * wrote->stride, end = first + wrote->bytes,
                 from = first < own_first ? own_first : first, to = end > own_end ? own_end : end;
    if (from < to)
        lies_at(add_range(m, false, bind, slot, (size_t)i * own->bytes + from - own_first,
                          to - from, made_by_forward(m, OUTPUT, writer, m->step->micro, p)),
                from);
}

/* What the layer that writes it wrote in each of its parts. */
static void reads_output(vdnn_meaning *m, vdnn_bind bind, int32_t slot, const vdnn_stripes *own,
                         int32_t writer)
{
    const vdnn_graph *graph = m->shape;
    const vdnn_layer *layer = &graph->layers[writer];
    for (int32_t p = 0; p < vdnn_graph_part_count(graph, writer); p++) {
        const vdnn_stripes wrote =
            pieces_of(layer, vdnn_graph_part_at(graph, writer, p), &layer->y, true);
        for (int64_t i = 0; i < own->count; i++)
            for (int64_t j = 0; j < wrote.count; j++)
                reads_overlap(m, bind, slot, own, i, &wrote, j, writer, p);
    }
}

/* One of the batch's. */
static void reads_input(vdnn_meaning *m, vdnn_bind bind, int32_t slot, int32_t input,
                        const vdnn_stripes *own)
{
    const vdnn_desc *map = &m->shape->inputs[input].desc;
    const size_t before = samples_before(m) * (vdnn_desc_bytes(map) / (size_t)map->dims[VDNN_N]);
    for (int64_t i = 0; i < own->count; i++) {
        vdnn_use *use = add_range(m, false, bind, slot, (size_t)i * own->bytes, own->bytes,
                                  make(INPUT, NONE, input, NONE, m->round));
        lies_at(use, own->offset + (size_t)i * own->stride);
        use->offset += before;
    }
}

static void reads_tensor(vdnn_meaning *m, vdnn_bind bind, int32_t slot, int32_t tensor)
{
    const vdnn_desc *map = &m->shape->tensors[tensor].desc;
    const vdnn_layer *layer = &m->shape->layers[m->step->layer];
    const vdnn_stripes own = pieces_of(layer, m->part, map, bind == VDNN_BIND_Y);
    const int32_t writer = vdnn_graph_writer(m->plan->graph, tensor);
    if (writer >= 0)
        reads_output(m, bind, slot, &own, writer);
    else
        reads_input(m, bind, slot, tensor, &own);
}

static void use_map(vdnn_meaning *m, bool is_write, vdnn_bind bind, int32_t slot,
                    const vdnn_desc *map, vdnn_value value)
{
    const vdnn_layer *layer = &m->shape->layers[m->step->layer];
    const bool is_y = bind == VDNN_BIND_Y || bind == VDNN_BIND_DY;
    const vdnn_stripes own = pieces_of(layer, m->part, map, is_y);
    for (int64_t i = 0; i < own.count; i++)
        lies_at(add_range(m, is_write, bind, slot, (size_t)i * own.bytes, own.bytes, value),
                own.offset + (size_t)i * own.stride);
}

/* What forward saved: of a part bytes of its own. */
static void use_saved(vdnn_meaning *m, const vdnn_layer *layer, bool is_write)
{
    const vdnn_value value =
        is_write ? made_by(m, SAVED, m->step)
                 : made_by_forward(m, SAVED, layer->index, m->step->micro, m->step->part);
    const size_t bytes = m->part == NULL ? layer->aux_bytes : m->part->aux_bytes;
    lies_at(add_range(m, is_write, VDNN_BIND_AUX, 0, 0, bytes, value),
            m->part == NULL ? 0 : m->part->aux_offset);
}

static void reads_labels(vdnn_meaning *m)
{
    const size_t sample = vdnn_graph_label_bytes(m->shape) / (size_t)m->shape->micro_batch;
    const size_t first = m->part == NULL ? 0 : (size_t)m->part->range.first_sample,
                 count = (size_t)(m->part == NULL ? m->shape->micro_batch : m->part->range.samples);
    const int32_t row = vdnn_graph_labels_row(m->shape);
    vdnn_use *use = add_range(m, false, VDNN_BIND_LABELS, 0, 0, count * sample,
                              make(INPUT, NONE, row, NONE, m->round));
    lies_at(use, first * sample);
    use->offset += samples_before(m) * sample;
}

/* Each part of the loss has a mean and a count of its own. */
static void writes_result(vdnn_meaning *m)
{
    const size_t bytes = 2 * sizeof(float);
    lies_at(add_range(m, true, VDNN_BIND_Y, 0, 0, bytes, made_by(m, OUTPUT, m->step)),
            (size_t)m->step->part * bytes);
}

static bool is_loss(const vdnn_meaning *m, const vdnn_layer *layer)
{
    return layer->index == m->plan->graph->layer_count - 1;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/*     block of parameters   | weights | statistics | fixed |
 *     its gradient          | summed  | not summed |
 * Of a block that layers share, each uses all: the others' gradients are 0. */

static int32_t version(const vdnn_meaning *m)
{
    return m->plan->training ? m->round : 0;
}

/* Whether each device updates a share of a layer's block. */
static bool is_shared(const vdnn_meaning *m, const vdnn_layer *layer)
{
    return m->plan->graph->shards && vdnn_layer_summed_bytes(layer) > 0;
}

/* Of all that is updated, or of the largest share. */
static size_t state_bytes(const vdnn_meaning *m, const vdnn_layer *layer)
{
    size_t updated = layer->trainable_bytes;
    if (is_shared(m, layer))
        updated = vdnn_shard_even(vdnn_layer_summed_bytes(layer) / sizeof(float),
                                  m->plan->graph->devices, 0)
                      .count *
                  sizeof(float);
    return vdnn_optimizer_state_bytes(m->plan->graph->training.optimizer, updated);
}

static void use_weights_as(vdnn_meaning *m, bool writes_it, const vdnn_layer *layer,
                           value_kind kind, int32_t round)
{
    add_range(m, writes_it, VDNN_BIND_W, 0, 0, vdnn_layer_summed_bytes(layer),
              make(kind, layer->owner, 0, NONE, round));
}

static void use_weights(vdnn_meaning *m, bool writes_it, const vdnn_layer *layer, int32_t round)
{
    use_weights_as(m, writes_it, layer, WEIGHTS, round);
}

static void use_statistics(vdnn_meaning *m, bool writes_it, const vdnn_layer *layer, int32_t round,
                           int32_t averaged)
{
    const size_t first = vdnn_layer_summed_bytes(layer);
    add_range(m, writes_it, VDNN_BIND_W, 0, first, layer->trainable_bytes - first,
              make(STATISTICS, layer->owner, averaged, NONE, round));
}

/* Of the plan's layer, in one size whatever the micro-batch. */
static void use_copy(vdnn_meaning *m, bool writes_it, const vdnn_layer *layer, int32_t round)
{
    const vdnn_layer *own = &m->plan->graph->layers[layer->index];
    const size_t first = vdnn_plan_copy_offset(m->plan, own);
    if (first > 0)
        add_range(m, writes_it, VDNN_BIND_W, 0, first, own->copy_bytes,
                  make(WEIGHT_COPY, own->owner, 0, NONE, round));
}

static void reads_parameters(vdnn_meaning *m, const vdnn_layer *layer)
{
    use_weights(m, false, layer, version(m));
    use_copy(m, false, layer, version(m));
    use_statistics(m, false, layer, version(m), m->plan->training ? m->step->micro : 0);
    add_range(m, false, VDNN_BIND_W, 0, layer->trainable_bytes,
              layer->param_bytes - layer->trainable_bytes, make(FIXED, layer->owner, 0, NONE, 0));
}

static void use_batch_statistics(vdnn_meaning *m, bool writes_it, const vdnn_layer *layer)
{
    const size_t first = vdnn_layer_summed_bytes(layer);
    add_range(m, writes_it, VDNN_BIND_DW, 0, first, layer->trainable_bytes - first,
              make(BATCH_STATISTICS, layer->index, 0, m->step->micro, m->round));
}

/* As the access says: a kernel adds to what it reads there. */
static void adds_gradient(vdnn_meaning *m, const vdnn_layer *layer, vdnn_value own)
{
    const size_t bytes = vdnn_layer_summed_bytes(layer);
    const vdnn_value before = gradient_before(m, layer->owner, layer->index, m->step->part);
    const bool is_due = before.id != VDNN_VALUE_NOTHING;
    if (is_due)
        reads(m, VDNN_BIND_DW, 0, bytes, before);
    writes(m, VDNN_BIND_DW, 0, bytes, is_due ? added(own, before) : scratch);
}

/* The gradient of the parameters: all of it, or of each parameter a part's rows. */
static void writes_gradient(vdnn_meaning *m, const vdnn_layer *layer)
{
    const vdnn_value own = make(WEIGHT_GRADIENT, layer->index,
                                m->step->part / (int32_t)layer->channel_parts, m->step->micro,
                                m->round),
                     statistics = make(BATCH_STATISTICS, layer->index, 0, m->step->micro, m->round);
    const vdnn_access *dw = find(m, VDNN_BIND_DW);
    if (layer->def->adds_gradient && dw != NULL && (dw->mode & VDNN_READ) != 0) {
        adds_gradient(m, layer, own);
        return;
    }
    if (layer->channel_parts == 1) {
        writes(m, VDNN_BIND_DW, 0, vdnn_layer_summed_bytes(layer), own);
        use_batch_statistics(m, true, layer);
        return;
    }
    for (int32_t p = 0; p < layer->param_count; p++) {
        const vdnn_param *param = &layer->params[p];
        const vdnn_part *part = &m->part->range;
        const size_t block = param->layout == VDNN_PARAM_BLOCKED ? 16 : 1,
                     row = param->bytes / (((size_t)param->dims[0] + block - 1) / block),
                     first = (size_t)part->first_channel / block,
                     end = ((size_t)(part->first_channel + part->channels) + block - 1) / block;
        if (param->trainable)
            lies_at(add_range(m, true, VDNN_BIND_DW, p, 0, (end - first) * row,
                              param->update == VDNN_UPDATE_AVERAGE ? statistics : own),
                    param->offset + first * row);
    }
}

/* The next training step's parameters, if the gradient is a whole step's. A copy of the weight that
 * is kept is changed with them by an update, and not by a run that updates them itself. */
static void updates(vdnn_meaning *m, const vdnn_layer *layer, bool is_whole)
{
    const size_t bytes = state_bytes(m, layer);
    const bool averages_too = m->plan->graph->devices == 1;
    if (averages_too)
        reads_parameters(m, layer);
    else
        use_weights(m, false, layer, version(m));
    reads(m, VDNN_BIND_STATE, 0, bytes, make(STATE, layer->owner, 0, NONE, version(m)));
    if (is_whole) {
        use_weights_as(m, true, layer, is_shared(m, layer) ? UPDATED_SHARE : WEIGHTS,
                       version(m) + 1);
        if (averages_too)
            use_statistics(m, true, layer, version(m) + 1, 0);
        if (m->step->kind == VDNN_STEP_UPDATE && !is_shared(m, layer))
            use_copy(m, true, layer, version(m) + 1);
        writes(m, VDNN_BIND_STATE, 0, bytes, make(STATE, layer->owner, 0, NONE, version(m) + 1));
        return;
    }
    writes(m, VDNN_BIND_W, 0, layer->trainable_bytes, scratch);
    writes(m, VDNN_BIND_STATE, 0, bytes, scratch);
}

static bool is_last_micro(const vdnn_meaning *m)
{
    return m->step->micro == m->plan->graph->micro_batches - 1;
}

static bool clips(const vdnn_meaning *m)
{
    return m->plan->graph->training.clip_norm > 0;
}

/* Whether a block of parameters is this layer's, and has a gradient. */
static bool is_learning(const vdnn_layer *layer)
{
    return layer->trainable_bytes > 0 && layer->owner == layer->index;
}

/* The squares of the gradients of a layer and of those behind it; -1: none has any. */
static vdnn_value norm_from(const vdnn_meaning *m, int32_t layer)
{
    while (layer < m->plan->graph->layer_count && !is_learning(&m->plan->graph->layers[layer]))
        layer++;
    return layer == m->plan->graph->layer_count ? (vdnn_value){VDNN_VALUE_NOTHING, NONE}
                                                : make(NORM, layer, 0, m->step->micro, m->round);
}

/* ---- kinds of steps -------------------------------------------------------------------------- */

static void joins(vdnn_meaning *m, const vdnn_layer *layer)
{
    (void)m;
    (void)layer;
}

static void misses(vdnn_meaning *m)
{
    add(m, (vdnn_use){.buffer = VDNN_USE_MISSING, .access = NONE, .bytes = 1});
}

/* Where the samples of a micro-batch are in the batch is found by the bytes of the load; there are
 * no others behind it. */
static void loads(vdnn_meaning *m, const vdnn_layer *layer)
{
    const vdnn_access *to = find(m, VDNN_BIND_DST);
    const int32_t input =
        to == NULL ? 0 : vdnn_plan_input_of(m->plan, &m->plan->buffers[to->buffer]);
    if (input < 0 || m->step->bytes > vdnn_desc_bytes(&m->shape->inputs[input].desc)) {
        misses(m);
        return;
    }
    vdnn_value value = make(INPUT, NONE, input, NONE, m->round + vdnn_plan_loads_ahead(m->plan));
    (void)layer;
    value.micro = m->step->micro;
    writes(m, VDNN_BIND_DST, 0, m->step->bytes, value)->offset =
        samples_before(m) * (m->step->bytes / (size_t)m->shape->micro_batch);
}

static void copies(vdnn_meaning *m, const vdnn_layer *layer)
{
    (void)layer;
    reads(m, VDNN_BIND_SRC, 0, m->step->bytes, any);
    writes(m, VDNN_BIND_DST, 0, m->step->bytes, any);
}

static size_t result_bytes(const vdnn_graph *graph)
{
    return vdnn_desc_bytes(&graph->layers[graph->layer_count - 1].y);
}

static void stores(vdnn_meaning *m, const vdnn_layer *layer)
{
    const vdnn_graph *graph = m->plan->graph;
    const size_t round_bytes = (size_t)graph->micro_batches * result_bytes(graph);
    (void)layer;
    reads(m, VDNN_BIND_SRC, 0, m->step->bytes, any);
    if (((size_t)m->step->micro + 1) * m->step->bytes > round_bytes)
        misses(m);
    add(m, (vdnn_use){.buffer = CALLER,
                      .access = NONE,
                      .writes = true,
                      .value = any,
                      .first =
                          (size_t)m->round * round_bytes + (size_t)m->step->micro * m->step->bytes,
                      .bytes = m->step->bytes});
}

static void lends_workspace(vdnn_meaning *m)
{
    if (m->step->workspace_bytes > 0)
        writes(m, VDNN_BIND_WORKSPACE, 0, m->step->workspace_bytes, scratch);
}

static void runs_forward(vdnn_meaning *m, const vdnn_layer *layer)
{
    for (int32_t k = 0; k < layer->input_count; k++)
        reads_tensor(m, VDNN_BIND_X, k, layer->inputs[k]);
    if (layer->param_bytes > 0)
        reads_parameters(m, layer);
    if (is_loss(m, layer))
        reads_labels(m);
    if (is_loss(m, layer))
        writes_result(m);
    else
        use_map(m, true, VDNN_BIND_Y, 0, &layer->y, made_by(m, OUTPUT, m->step));
    if (layer->aux_bytes > 0)
        use_saved(m, layer, vdnn_layer_writes_aux(layer, m->step->kind == VDNN_STEP_RECOMPUTE));
    lends_workspace(m);
}

static void reads_needs(vdnn_meaning *m, const vdnn_layer *layer, bool reads_w)
{
    const vdnn_needs needs = layer->needs[m->step->pass];
    if (is_loss(m, layer))
        reads_labels(m);
    else
        use_map(m, false, VDNN_BIND_DY, 0, &layer->y, gradient_of(m, layer->output));
    for (int32_t k = 0; k < layer->input_count && (needs & VDNN_NEEDS_X) != 0; k++)
        reads_tensor(m, VDNN_BIND_X, k, layer->inputs[k]);
    if ((needs & VDNN_NEEDS_Y) != 0)
        reads_tensor(m, VDNN_BIND_Y, 0, layer->output);
    if ((needs & VDNN_NEEDS_W) != 0 && reads_w)
        reads_parameters(m, layer);
    if ((needs & VDNN_NEEDS_AUX) != 0)
        use_saved(m, layer, false);
}

/* With optimizer state it updates the parameters itself, by the gradient of its micro-batch as it
 * is. */
static void runs_backward(vdnn_meaning *m, const vdnn_layer *layer)
{
    const bool has_dw = vdnn_layer_writes_dw(layer, m->step->pass),
               updates_itself = has_dw && m->step->pass == VDNN_BACKWARD_FILTER &&
                                find(m, VDNN_BIND_STATE) != NULL;
    reads_needs(m, layer, !updates_itself);
    for (int32_t k = 0; k < layer->input_count && m->step->pass == VDNN_BACKWARD_DATA; k++)
        if (layer->wants_dx[k])
            use_map(m, true, VDNN_BIND_DX, k, &layer->x[k],
                    input_gradient(m, layer, k, m->step->part));
    if (updates_itself)
        updates(m, layer,
                m->plan->graph->micro_batches == 1 && m->plan->graph->devices == 1 &&
                    m->part == NULL && !layer->is_tied && !clips(m));
    else if (has_dw)
        writes_gradient(m, layer);
    lends_workspace(m);
}

static void runs(vdnn_meaning *m, const vdnn_layer *layer)
{
    if (m->step->pass == VDNN_FORWARD)
        runs_forward(m, layer);
    else
        runs_backward(m, layer);
}

static void accumulates(vdnn_meaning *m, const vdnn_layer *layer)
{
    (void)layer;
    reads(m, VDNN_BIND_DST, 0, m->step->bytes, any);
    reads(m, VDNN_BIND_SRC, 0, m->step->bytes, any);
    writes(m, VDNN_BIND_DST, 0, m->step->bytes, any);
}

/* The step that made what is read, whatever copies it went through; -1: none. */
static int32_t maker_of(const vdnn_plan *plan, const vdnn_access *read)
{
    static const unsigned kinds = 1U << VDNN_STEP_COPY_OUT | 1U << VDNN_STEP_COPY_IN |
                                  1U << VDNN_STEP_SPILL | 1U << VDNN_STEP_FILL;
    int32_t maker = read->writer;
    while (maker >= 0 && (kinds & 1U << plan->steps[maker].kind) != 0) {
        const vdnn_access *source = vdnn_plan_edit_access(plan, maker, VDNN_BIND_SRC);
        maker = source == NULL || source->writer >= maker ? NONE : source->writer;
    }
    return maker;
}

/* Where each device updates its share alone, of what it writes only the blocks of the updates that
 * find this sum, each by itself: through copies they are found where they were summed. */
static void scatters(vdnn_meaning *m)
{
    const vdnn_plan *plan = m->plan;
    const vdnn_access *into = find(m, VDNN_BIND_DST);
    const int32_t own = (int32_t)(m->step - plan->steps);
    for (int32_t i = own + 1; i < plan->step_count && into != NULL; i++) {
        const vdnn_step *step = &plan->steps[i];
        for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++) {
            const vdnn_access *dw = &plan->accesses[k];
            if (step->kind != VDNN_STEP_UPDATE || dw->bind != VDNN_BIND_DW ||
                maker_of(plan, dw) != own)
                continue;
            const size_t first = dw->first - into->first,
                         bytes = vdnn_layer_summed_bytes(&plan->graph->layers[step->layer]);
            add_range(m, false, VDNN_BIND_DST, 0, first, bytes, any);
            add_range(m, true, VDNN_BIND_DST, 0, first, bytes, any);
        }
    }
}

static void reduces(vdnn_meaning *m, const vdnn_layer *layer)
{
    const bool is_due = m->plan->training && m->plan->graph->devices > 1 && is_last_micro(m);
    (void)layer;
    if (is_due && vdnn_step_reduce_part(m->plan->graph, m->step) == VDNN_REDUCE_SCATTER) {
        scatters(m);
        return;
    }
    reads(m, VDNN_BIND_DST, 0, m->step->bytes, any);
    writes(m, VDNN_BIND_DST, 0, m->step->bytes, is_due ? any : scratch);
    if (m->plan->graph->reduce == VDNN_REDUCE_HOST)
        writes(m, VDNN_BIND_STAGED, 0, m->step->bytes, scratch);
    if (m->plan->graph->gathers)
        writes(m, VDNN_BIND_STAGED, 0, (size_t)(m->plan->graph->devices - 1) * m->step->bytes,
               scratch);
}

/* All shares, which are the parameters of the next training step: whose share what is, follows from
 * how many bytes are gathered. The copy of the weight that is kept is filled with them. */
static void gathers(vdnn_meaning *m, const vdnn_layer *layer)
{
    const bool is_due = is_last_micro(m) && is_learning(layer) && is_shared(m, layer) &&
                        m->step->bytes == vdnn_layer_summed_bytes(layer);
    const size_t first = vdnn_plan_copy_offset(m->plan, layer);
    reads(m, VDNN_BIND_DST, 0, m->step->bytes,
          make(UPDATED_SHARE, layer->owner, 0, NONE, version(m) + 1));
    writes(m, VDNN_BIND_DST, 0, m->step->bytes,
           is_due ? make(WEIGHTS, layer->owner, 0, NONE, version(m) + 1) : scratch);
    if (first > 0)
        add_range(m, true, VDNN_BIND_DST, 0, first, layer->copy_bytes,
                  is_due ? make(WEIGHT_COPY, layer->owner, 0, NONE, version(m) + 1) : scratch);
}

/* Of several devices the last ones are the next training step's: updates change none. */
static void averages(vdnn_meaning *m, const vdnn_layer *layer)
{
    const bool is_last = m->plan->graph->devices > 1 && is_last_micro(m);
    use_batch_statistics(m, false, layer);
    use_statistics(m, false, layer, version(m), m->step->micro);
    use_statistics(m, true, layer, version(m) + is_last, is_last ? 0 : m->step->micro + 1);
}

static void reads_gradient(vdnn_meaning *m, const vdnn_layer *layer)
{
    reads(m, VDNN_BIND_DW, 0, vdnn_layer_summed_bytes(layer), reduced_gradient(m, layer->index));
}

/* The first one begins the sum, as its access says. */
static void adds_to_norm(vdnn_meaning *m, const vdnn_layer *layer)
{
    const vdnn_access *into = find(m, VDNN_BIND_DST);
    const vdnn_value behind = norm_from(m, layer->index + 1);
    const bool begins = into == NULL || (into->mode & VDNN_READ) == 0,
               is_first = behind.id == VDNN_VALUE_NOTHING;
    reads_gradient(m, layer);
    if (!begins)
        reads(m, VDNN_BIND_DST, 0, sizeof(vdnn_norm), behind);
    writes(m, VDNN_BIND_DST, 0, sizeof(vdnn_norm),
           begins == is_first && is_learning(layer) ? norm_from(m, layer->index) : scratch);
}

static void is_updated(vdnn_meaning *m, const vdnn_layer *layer)
{
    reads_gradient(m, layer);
    if (m->plan->graph->devices == 1)
        use_batch_statistics(m, false, layer);
    if (clips(m))
        reads(m, VDNN_BIND_SRC, 0, sizeof(vdnn_norm), norm_from(m, 0));
    updates(m, layer, is_last_micro(m) && is_learning(layer));
}

/* ---- the plan -------------------------------------------------------------------------------- */

void vdnn_meaning_init(vdnn_meaning *m, const vdnn_plan *plan)
{
    const vdnn_graph *graph = plan->graph;
    *m = (vdnn_meaning){.plan = plan};
    m->first_forward = vdnn_heap_calloc((size_t)graph->layer_count + 1, sizeof *m->first_forward);
    assert_non_null(m->first_forward);
    for (int32_t l = 0; l < graph->layer_count; l++)
        m->first_forward[l + 1] = m->first_forward[l] + vdnn_graph_part_count(graph, l);
    const int32_t count = m->first_forward[graph->layer_count];
    m->forward =
        vdnn_heap_calloc((size_t)graph->micro_batches * (size_t)count, sizeof(const vdnn_step *));
    assert_non_null(m->forward);
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->kind == VDNN_STEP_RUN && step->pass == VDNN_FORWARD)
            m->forward[step->micro * count + m->first_forward[step->layer] + step->part] = step;
    }
}

void vdnn_meaning_fini(vdnn_meaning *m)
{
    vdnn_heap_free(m->first_forward);
    vdnn_heap_free(m->forward);
    vdnn_heap_free(m->uses);
}

void vdnn_meaning_of_step(vdnn_meaning *m, int32_t i, int32_t round)
{
    static void (*const rows[])(vdnn_meaning *, const vdnn_layer *) = {
        [VDNN_STEP_JOIN] = joins,
        [VDNN_STEP_LOAD] = loads,
        [VDNN_STEP_TAKE] = copies,
        [VDNN_STEP_RUN] = runs,
        [VDNN_STEP_RECOMPUTE] = runs_forward,
        [VDNN_STEP_COPY_OUT] = copies,
        [VDNN_STEP_COPY_IN] = copies,
        [VDNN_STEP_SPILL] = copies,
        [VDNN_STEP_FILL] = copies,
        [VDNN_STEP_ACCUMULATE] = accumulates,
        [VDNN_STEP_REDUCE] = reduces,
        [VDNN_STEP_GATHER] = gathers,
        [VDNN_STEP_AVERAGE] = averages,
        [VDNN_STEP_NORM] = adds_to_norm,
        [VDNN_STEP_UPDATE] = is_updated,
        [VDNN_STEP_STORE] = stores,
    };
    _Static_assert(sizeof rows / sizeof *rows == VDNN_STEP_KIND_COUNT, "each kind has a row");
    m->step = &m->plan->steps[i];
    m->shape = vdnn_graph_of_micro(m->plan->graph, m->step->micro);
    m->part = vdnn_step_has_kernel(m->step)
                  ? vdnn_graph_part_at(m->shape, m->step->layer, m->step->part)
                  : NULL;
    m->round = round;
    m->use_count = 0;
    /* Kinds that belong to no layer do not look at it. */
    rows[m->step->kind](m, &m->shape->layers[m->step->layer < 0 ? 0 : m->step->layer]);
}

static void keeps(vdnn_meaning *m, bool writes_it, int32_t buffer, size_t first, size_t end,
                  vdnn_value value)
{
    if (buffer >= 0)
        add(m, (vdnn_use){buffer, NONE, writes_it, value, first, end - first, first, first});
}

/* Between two training steps: written before the first one, read behind the last. The batch that is
 * loaded ahead of all steps lies where they load the next one. Evaluations change nothing. */
static void keeps_all(vdnn_meaning *m, const vdnn_plan *plan, bool writes_it)
{
    const int32_t round = version(m);
    for (int32_t l = 0; l < plan->graph->layer_count; l++) {
        const vdnn_layer *layer = &plan->graph->layers[l];
        const int32_t home = plan->param_buffer[l];
        const size_t summed = vdnn_layer_summed_bytes(layer),
                     copy = vdnn_plan_copy_offset(plan, layer);
        if (layer->owner != l)
            continue;
        keeps(m, writes_it, home, 0, summed, make(WEIGHTS, l, 0, NONE, round));
        keeps(m, writes_it, home, summed, layer->trainable_bytes,
              make(STATISTICS, l, 0, NONE, round));
        keeps(m, writes_it, home, layer->trainable_bytes, layer->param_bytes,
              make(FIXED, l, 0, NONE, 0));
        if (copy > 0)
            keeps(m, writes_it, home, copy, copy + layer->copy_bytes,
                  make(WEIGHT_COPY, l, 0, NONE, round));
        if (plan->training && layer->trainable_bytes > 0)
            keeps(m, writes_it, plan->state_buffer[l], 0, state_bytes(m, layer),
                  make(STATE, l, 0, NONE, round));
    }
    for (int32_t i = 0; i < plan->graph->input_count && vdnn_plan_loads_ahead(plan); i++)
        keeps(m, writes_it, plan->ahead[i], 0, vdnn_desc_bytes(&plan->graph->inputs[i].desc),
              make(INPUT, NONE, i, NONE, round));
}

void vdnn_meaning_before(vdnn_meaning *m, const vdnn_plan *kept)
{
    m->use_count = 0;
    m->round = 0;
    keeps_all(m, kept, true);
}

void vdnn_meaning_after(vdnn_meaning *m, const vdnn_plan *kept)
{
    const vdnn_graph *graph = m->plan->graph;
    const int32_t loss = graph->layer_count - 1, parts = vdnn_graph_part_count(graph, loss),
                  results = graph->micro_batches * parts;
    const size_t bytes = result_bytes(graph) / (size_t)parts;
    m->use_count = 0;
    for (m->round = 0; m->round < VDNN_MEANING_ROUNDS; m->round++)
        for (int32_t i = 0; i < results; i++)
            add(m, (vdnn_use){.buffer = CALLER,
                              .access = NONE,
                              .value = made_by_forward(m, OUTPUT, loss, i / parts, i % parts),
                              .first = (size_t)(m->round * results + i) * bytes,
                              .bytes = bytes,
                              .offset = (size_t)(i % parts) * bytes});
    keeps_all(m, kept, false);
}
