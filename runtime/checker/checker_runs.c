#include "runtime/checker/checker_internal.h"

#include "runtime/base/heap.h"

#include <string.h>

/* When a pass of a layer accesses a buffer. */
typedef enum condition {
    ALWAYS,
    IF_LOSS,
    IF_NO_LOSS,
    IF_PARAMS,
    IF_AUX,
    IF_AUX_RECOMPUTED, /* a recompute writes it once more, and it is discarded */
    IF_AUX_KEPT,       /* a recompute reads that of the first run */
    IF_WANTED,         /* dx, each input by itself */
    IF_NEEDS_X,        /* what the layer declared for this pass */
    IF_NEEDS_Y,
    IF_NEEDS_W,
    IF_NEEDS_W_ONLY, /* to read it, not to update it */
    IF_NEEDS_AUX,
    IF_UPDATES,   /* the run accesses optimizer state: it updates the parameters itself */
    IF_WRITES_DW, /* the pass writes the gradient of the parameters, for an update step */
    IF_ADDS_DW,   /* or adds to that of what came before it */
    AT_WILL,      /* as the algorithm requires */
} condition;

/* The bit of a recompute among those of the passes. */
enum { RECOMPUTE = 1U << VDNN_PASS_COUNT };

static const struct run_row {
    unsigned passes; /* bits */
    vdnn_bind bind;
    unsigned mode;
    condition when;
} run_rows[] = {
    {1U << VDNN_FORWARD | RECOMPUTE, VDNN_BIND_X, VDNN_READ, ALWAYS},
    {1U << VDNN_FORWARD | RECOMPUTE, VDNN_BIND_Y, VDNN_WRITE, ALWAYS},
    {1U << VDNN_FORWARD | RECOMPUTE, VDNN_BIND_W, VDNN_READ, IF_PARAMS},
    {1U << VDNN_FORWARD, VDNN_BIND_AUX, VDNN_WRITE, IF_AUX},
    {RECOMPUTE, VDNN_BIND_AUX, VDNN_WRITE, IF_AUX_RECOMPUTED},
    {RECOMPUTE, VDNN_BIND_AUX, VDNN_READ, IF_AUX_KEPT},
    {1U << VDNN_BACKWARD_DATA, VDNN_BIND_DX, VDNN_WRITE, IF_WANTED},
    {1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER, VDNN_BIND_DW, VDNN_WRITE, IF_WRITES_DW},
    {1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER, VDNN_BIND_DW, VDNN_READ | VDNN_WRITE,
     IF_ADDS_DW},
    {1U << VDNN_BACKWARD_FILTER, VDNN_BIND_STATE, VDNN_READ | VDNN_WRITE, IF_UPDATES},
    {1U << VDNN_BACKWARD_FILTER, VDNN_BIND_W, VDNN_READ | VDNN_WRITE, IF_UPDATES},
    {1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER, VDNN_BIND_DY, VDNN_READ, IF_NO_LOSS},
    {1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER, VDNN_BIND_X, VDNN_READ, IF_NEEDS_X},
    {1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER, VDNN_BIND_Y, VDNN_READ, IF_NEEDS_Y},
    {1U << VDNN_BACKWARD_DATA, VDNN_BIND_W, VDNN_READ, IF_NEEDS_W},
    {1U << VDNN_BACKWARD_FILTER, VDNN_BIND_W, VDNN_READ, IF_NEEDS_W_ONLY},
    {1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER, VDNN_BIND_AUX, VDNN_READ, IF_NEEDS_AUX},
    {~0U, VDNN_BIND_LABELS, VDNN_READ, IF_LOSS},
    {~0U, VDNN_BIND_WORKSPACE, VDNN_WRITE, AT_WILL},
};
enum { RUN_ROWS = sizeof run_rows / sizeof *run_rows };

static bool is_loss(const vdnn_checker *checker, const vdnn_layer *layer)
{
    return layer->index == checker->plan->graph->layer_count - 1;
}

/* A recompute reads the aux of the first run, or writes it once more. */
static bool recompute_reads_aux(const vdnn_layer *layer)
{
    return layer->aux_bytes > 0 && layer->def->recompute_reads_aux;
}

bool vdnn_checker_updates(const vdnn_plan *plan, const vdnn_step *step)
{
    for (int32_t k = 0; k < step->access_count && step->kind == VDNN_STEP_RUN; k++)
        if (plan->accesses[step->first_access + k].bind == VDNN_BIND_STATE)
            return true;
    return false;
}

/* Every part of the gradient but the first is added to those before it, where the layer can. */
static bool adds_dw(const vdnn_plan *plan, const vdnn_step *step, const vdnn_layer *layer)
{
    const vdnn_stage_block *block = vdnn_graph_stage_block(plan->graph, layer->owner);
    const bool is_received = plan->graph->micro_batches == 1 && block != NULL && block->above >= 0;
    return layer->def->adds_gradient && (is_received || vdnn_checker_gradient_turn(plan, step) > 0);
}

static bool is_due(const vdnn_checker *checker, const vdnn_layer *layer, const vdnn_step *step,
                   condition when)
{
    static const vdnn_needs needs[] = {[IF_NEEDS_X] = VDNN_NEEDS_X,
                                       [IF_NEEDS_Y] = VDNN_NEEDS_Y,
                                       [IF_NEEDS_W] = VDNN_NEEDS_W,
                                       [IF_NEEDS_AUX] = VDNN_NEEDS_AUX};
    switch (when) {
    case IF_LOSS:
        return is_loss(checker, layer);
    case IF_NO_LOSS:
        return !is_loss(checker, layer);
    case IF_PARAMS:
        return layer->param_bytes > 0;
    case IF_AUX:
        return layer->aux_bytes > 0;
    case IF_AUX_RECOMPUTED:
        return layer->aux_bytes > 0 && !recompute_reads_aux(layer);
    case IF_AUX_KEPT:
        return recompute_reads_aux(layer);
    case IF_UPDATES:
        return vdnn_checker_updates(checker->plan, step);
    case IF_WRITES_DW:
    case IF_ADDS_DW:
        return vdnn_checker_makes_dw(layer, step->pass) &&
               !vdnn_checker_updates(checker->plan, step) &&
               (when == IF_ADDS_DW) == adds_dw(checker->plan, step, layer);
    case IF_NEEDS_W_ONLY:
        return (layer->needs[step->pass] & VDNN_NEEDS_W) != 0 &&
               !vdnn_checker_updates(checker->plan, step);
    case IF_NEEDS_X:
    case IF_NEEDS_Y:
    case IF_NEEDS_W:
    case IF_NEEDS_AUX:
        return (layer->needs[step->pass] & needs[when]) != 0;
    default:
        return true;
    }
}

/* Of a part of the channels: its rows of each parameter that has a gradient. */
static int32_t count_rows(const vdnn_layer *layer)
{
    int32_t count = 0;
    for (int32_t p = 0; p < layer->param_count; p++)
        count += layer->params[p].trainable;
    return layer->channel_parts > 1 ? count : 1;
}

/* The number of accesses of a row that a run must have. */
static int32_t due_count(const vdnn_checker *checker, const vdnn_layer *layer,
                         const vdnn_step *step, const struct run_row *row)
{
    if (!is_due(checker, layer, step, row->when))
        return 0;
    if (row->when == IF_WANTED) {
        int32_t count = 0;
        for (int32_t k = 0; k < layer->input_count; k++)
            count += layer->wants_dx[k];
        return count;
    }
    return row->bind == VDNN_BIND_X    ? layer->input_count
           : row->bind == VDNN_BIND_DW ? count_rows(layer)
                                       : 1;
}

vdnn_tier vdnn_checker_home_of(const vdnn_plan *plan, int32_t layer)
{
    const int32_t home = plan->param_buffer[layer];
    const bool is_named = home >= 0 && home < plan->buffer_count;
    return is_named && plan->buffers[home].tier == VDNN_TIER_HOST ? VDNN_TIER_HOST
                                                                  : VDNN_TIER_DEVICE;
}

/* Of parameters in another tier there is none. */
static bool has_copy(const vdnn_plan *plan, const vdnn_layer *layer)
{
    return plan->copies == VDNN_WEIGHTS_KEPT && layer->copy_bytes > 0 &&
           vdnn_checker_home_of(plan, layer->owner) == VDNN_TIER_DEVICE;
}

/* A copy that is kept begins at the first aligned byte behind the parameters. */
size_t vdnn_checker_weight_bytes(const vdnn_plan *plan, const vdnn_layer *layer)
{
    const size_t over = layer->param_bytes % VDNN_ALIGNMENT;
    if (!has_copy(plan, layer))
        return layer->param_bytes;
    return layer->param_bytes + (over == 0 ? 0 : VDNN_ALIGNMENT - over) + layer->copy_bytes;
}

size_t vdnn_checker_summed_bytes(const vdnn_layer *layer)
{
    size_t bytes = layer->trainable_bytes;
    for (int32_t p = 0; p < layer->param_count; p++)
        if (layer->params[p].trainable && layer->params[p].update == VDNN_UPDATE_AVERAGE &&
            layer->params[p].offset < bytes)
            bytes = layer->params[p].offset;
    return bytes;
}

/* What a device updates: all of a block, or of what is summed so many lines of the cache that as
 * many for each device are enough. */
static size_t updated_bytes(const vdnn_plan *plan, const vdnn_layer *layer)
{
    const size_t line = 64, summed = vdnn_checker_summed_bytes(layer),
                 devices = (size_t)plan->graph->devices;
    if (!plan->graph->shards || summed == 0)
        return layer->trainable_bytes;
    const size_t share = (summed + line * devices - 1) / (line * devices) * line;
    return share < summed ? share : summed;
}

/* Each slot but the last is padded. */
size_t vdnn_checker_state_bytes(const vdnn_plan *plan, const vdnn_layer *layer)
{
    const size_t own = updated_bytes(plan, layer), over = own % VDNN_SLOT_ALIGNMENT,
                 padding = over == 0 ? 0 : VDNN_SLOT_ALIGNMENT - over,
                 slots = (size_t)plan->graph->training.optimizer->slot_count;
    return slots * (own + padding) - padding;
}

/* What a run takes of a buffer: of maps so many bytes, else at least so many. */
typedef struct range {
    vdnn_access at; /* its first, bytes, stripe and stride */
    bool is_exact;
} range;

static range at_least(size_t bytes)
{
    return (range){{.bytes = bytes}, false};
}

static range exactly(size_t first, size_t bytes)
{
    return (range){{.first = first, .bytes = bytes}, true};
}

/* Of y the channels of a part; of an input those that it reads: [0] the first one, [1] the end. */
static void channels_of(const vdnn_layer *layer, const vdnn_part *part, const vdnn_desc *map,
                        int64_t channels[2])
{
    const int64_t all = layer->y.dims[VDNN_C], end = part->first_channel + part->channels;
    vdnn_channel_rule rule = {0};
    if (part->channels < all)
        rule = layer->def->channel_rule(layer);
    const bool is_y = map == &layer->y, takes_all = !is_y && rule.x_unit == 0;
    channels[0] = takes_all ? 0
                  : is_y    ? part->first_channel
                            : part->first_channel / rule.unit * rule.x_unit;
    channels[1] = takes_all || end == all ? map->dims[VDNN_C]
                  : is_y                  ? end
                                          : end / rule.unit * rule.x_unit;
}

/* A part's samples of a map, and of each, or of each cell of it, its channels. The last channel has
 * the padding behind it. */
static range part_of(const vdnn_layer *layer, const vdnn_desc *map, const vdnn_graph_part *part)
{
    const size_t all = vdnn_desc_bytes(map), sample = all / (size_t)map->dims[VDNN_N];
    int64_t channels[2];
    if (part == NULL)
        return exactly(0, all);
    channels_of(layer, &part->range, map, channels);
    const int64_t cells =
        vdnn_layout_is_nhwc(map->layout) ? map->dims[VDNN_H] * map->dims[VDNN_W] : 1;
    const size_t stride = sample / (size_t)cells,
                 channel = stride / (size_t)vdnn_desc_channels(map),
                 begin = channel * (size_t)channels[0],
                 end = channels[1] == map->dims[VDNN_C] ? stride : channel * (size_t)channels[1],
                 periods = (size_t)(part->range.samples * cells),
                 first = sample * (size_t)part->range.first_sample;
    if (end - begin == stride || periods == 1)
        return exactly(first + begin, (periods - 1) * stride + end - begin);
    return (range){{.first = first + begin,
                    .bytes = (periods - 1) * stride + end - begin,
                    .stripe = end - begin,
                    .stride = stride},
                   true};
}

/* Of labels, which have as many bytes for each sample. */
static range labels_of(const vdnn_layer *layer, const vdnn_graph_part *part)
{
    const size_t all = vdnn_desc_bytes(&layer->labels),
                 sample = all / (size_t)layer->x[0].dims[VDNN_N];
    return part == NULL ? exactly(0, all)
                        : exactly(sample * (size_t)part->range.first_sample,
                                  sample * (size_t)part->range.samples);
}

/* Of the result of a loss the row of a part: as many parts are before it. */
static range result_of(const vdnn_graph *graph, const vdnn_layer *layer, const vdnn_step *step)
{
    const size_t parts = (size_t)vdnn_graph_part_count(graph, layer->index),
                 row = vdnn_desc_bytes(&layer->y) / parts;
    return exactly(row * (size_t)step->part, row);
}

/* Of the gradient of the parameters: all of it, or a part's rows of one of them. */
static range gradient_of(const vdnn_layer *layer, const vdnn_graph_part *part, int32_t param)
{
    if (layer->channel_parts == 1)
        return exactly(0, layer->trainable_bytes);
    const vdnn_stripes rows = vdnn_checker_rows(layer, &part->range, param);
    return exactly(rows.offset, rows.bytes);
}

static range needed(const vdnn_checker *checker, const vdnn_step *step, const vdnn_access *access)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_layer *layer = &vdnn_checker_shape(plan->graph, step->micro)->layers[step->layer];
    const vdnn_graph_part *part = vdnn_checker_part(plan, step);
    switch ((vdnn_bind)access->bind) {
    case VDNN_BIND_X:
    case VDNN_BIND_DX:
        return part_of(layer, &layer->x[access->slot], part);
    case VDNN_BIND_Y:
    case VDNN_BIND_DY:
        return is_loss(checker, layer) ? result_of(plan->graph, layer, step)
                                       : part_of(layer, &layer->y, part);
    case VDNN_BIND_W:
        return at_least(vdnn_checker_weight_bytes(plan, layer));
    case VDNN_BIND_DW:
        return gradient_of(layer, part, access->slot);
    case VDNN_BIND_STATE:
        return at_least(vdnn_checker_state_bytes(plan, layer));
    case VDNN_BIND_AUX:
        return part == NULL ? exactly(0, layer->aux_bytes)
                            : exactly(part->aux_offset, part->aux_bytes);
    case VDNN_BIND_LABELS:
        return labels_of(layer, part);
    default:
        return at_least(0);
    }
}

/* What it takes of a map beside its own bytes is another's. The gradient of a block of parameters
 * begins anywhere in its buffer, where blocks do. */
static vdnn_status check_range(const vdnn_checker *checker, int32_t i, const vdnn_access *access)
{
    const range own = needed(checker, &checker->plan->steps[i], access);
    const vdnn_access *due = &own.at;
    const bool is_enough = own.is_exact ? access->bytes == due->bytes : access->bytes >= due->bytes;
    const size_t first = checker->plan->buffers[access->buffer].map_offset + access->first;
    const char *bind = vdnn_bind_text((vdnn_bind)access->bind);
    const bool begins = access->bind == VDNN_BIND_DW
                            ? first >= due->first && (first - due->first) % VDNN_ALIGNMENT == 0
                            : first == due->first;
    if (!begins || !is_enough)
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "a run needs %zu bytes of %s from %zu on, and takes %zu from "
                                   "%zu on",
                                   due->bytes, bind, due->first, access->bytes, first);
    if (access->stripe != due->stripe || access->stride != due->stride)
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "a run needs %zu of every %zu bytes of %s, and takes %zu of "
                                   "every %zu",
                                   due->stripe, due->stride, bind, access->stripe, access->stride);
    return VDNN_OK;
}

static unsigned bit_of(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_RECOMPUTE ? (unsigned)RECOMPUTE : 1U << step->pass;
}

static const struct run_row *find_row(const vdnn_step *step, const vdnn_access *access)
{
    for (int r = 0; r < RUN_ROWS; r++)
        if (run_rows[r].bind == (vdnn_bind)access->bind && run_rows[r].mode == access->mode &&
            (run_rows[r].passes & bit_of(step)) != 0)
            return &run_rows[r];
    return NULL;
}

static bool slot_is_right(const vdnn_layer *layer, const vdnn_access *access, int last_slot)
{
    const bool per_input = access->bind == VDNN_BIND_X || access->bind == VDNN_BIND_DX;
    if (access->bind == VDNN_BIND_DW && layer->channel_parts > 1)
        return access->slot > last_slot && access->slot < layer->param_count &&
               layer->params[access->slot].trainable;
    if (!per_input)
        return access->slot == 0 && last_slot < 0;
    return access->slot > last_slot && access->slot < layer->input_count &&
           (access->bind != VDNN_BIND_DX || layer->wants_dx[access->slot]);
}

/* Every access matches a row, with its mode, enough bytes and a distinct slot; none is missing. */
static vdnn_status check_run_rows(const vdnn_checker *checker, int32_t i, const vdnn_layer *layer)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    int32_t found[RUN_ROWS] = {0};
    int last_slot[RUN_ROWS];
    memset(last_slot, -1, sizeof last_slot);
    for (int32_t k = 0; k < step->access_count; k++) {
        const vdnn_access *access = &plan->accesses[step->first_access + k];
        if (access->bind == VDNN_BIND_HOLD)
            continue;
        const struct run_row *row = find_row(step, access);
        if (row == NULL || !is_due(checker, layer, step, row->when) ||
            !slot_is_right(layer, access, last_slot[row - run_rows]))
            return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                       "a run has an access that its pass does not take (%s, slot "
                                       "%d, mode %d)",
                                       vdnn_bind_text((vdnn_bind)access->bind), access->slot,
                                       access->mode);
        VDNN_TRY(check_range(checker, i, access));
        found[row - run_rows]++;
        last_slot[row - run_rows] = access->slot;
    }
    for (int r = 0; r < RUN_ROWS; r++) {
        const struct run_row *row = &run_rows[r];
        if ((row->passes & bit_of(step)) == 0 || row->when == AT_WILL)
            continue;
        const int32_t due = due_count(checker, layer, step, row);
        if (found[r] != due)
            return vdnn_checker_refuse(checker, i, -1, -1, "a run has %d of %d accesses of %s",
                                       found[r], due, vdnn_bind_text(row->bind));
    }
    return VDNN_OK;
}

/* A row without a type is only a cost: such a plan cannot run, but is checked even so. */
static vdnn_status check_algorithm(const vdnn_checker *checker, int32_t i, const vdnn_layer *layer)
{
    const vdnn_step *step = &checker->plan->steps[i];
    const vdnn_algorithm *algorithm = step->algorithm;
    const vdnn_pass pass = vdnn_step_kernel_pass(step);
    if (algorithm->layer_type != NULL && (strcmp(algorithm->layer_type, layer->def->type) != 0 ||
                                          (algorithm->passes & 1U << pass) == 0))
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "algorithm %s of %s does not do this pass of a %s layer",
                                   algorithm->name, algorithm->layer_type, layer->def->type);
    if (checker->plan->graph->training.clip_norm > 0 && vdnn_checker_updates(checker->plan, step))
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "a run updates parameters by a gradient that is not clipped");
    if (algorithm->layer_type != NULL && !algorithm->updates &&
        vdnn_checker_updates(checker->plan, step))
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "algorithm %s of %s cannot update parameters", algorithm->name,
                                   algorithm->layer_type);
    if (has_copy(checker->plan, layer) && vdnn_checker_updates(checker->plan, step))
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "algorithm %s updates a weight, and not the copy that is kept",
                                   algorithm->name);
    return VDNN_OK;
}

/* All algorithms are of one device, except rows without a layer type, which are artificial. */
static vdnn_status check_device(const vdnn_checker *checker, int32_t i, const char **device)
{
    const vdnn_algorithm *algorithm = checker->plan->steps[i].algorithm;
    if (algorithm->layer_type == NULL)
        return VDNN_OK;
    if (*device != NULL && strcmp(*device, algorithm->device) != 0)
        return vdnn_checker_refuse(checker, i, -1, -1, "an algorithm of %s in a plan for %s",
                                   algorithm->device, *device);
    *device = algorithm->device;
    return VDNN_OK;
}

/* A recompute gives the same bits: by the algorithm of the first run of its micro-batch, which is
 * deterministic. */
static vdnn_status check_recompute(const vdnn_checker *checker, int32_t i,
                                   const vdnn_algorithm **first)
{
    const vdnn_step *step = &checker->plan->steps[i];
    const vdnn_algorithm **used =
        &first[(size_t)step->micro * vdnn_checker_run_count(checker->plan) +
               (size_t)vdnn_checker_run_of(checker->plan, step)];
    if (step->kind == VDNN_STEP_RUN && step->pass == VDNN_FORWARD)
        *used = step->algorithm;
    if (step->kind != VDNN_STEP_RECOMPUTE)
        return VDNN_OK;
    if (step->algorithm != *used)
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "a recompute uses algorithm %s, forward used %s",
                                   step->algorithm->name, *used == NULL ? "none" : (*used)->name);
    if (!step->algorithm->deterministic)
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "a recompute by algorithm %s, which is not deterministic",
                                   step->algorithm->name);
    return VDNN_OK;
}

static vdnn_status check_workspace(const vdnn_checker *checker, int32_t i)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    size_t lent = 0;
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++)
        if (plan->accesses[k].bind == VDNN_BIND_WORKSPACE)
            lent = plan->accesses[k].bytes;
    if (lent < step->workspace_bytes)
        return vdnn_checker_refuse(checker, i, -1, -1,
                                   "algorithm %s wants %zu bytes of workspace, and is lent %zu",
                                   step->algorithm->name, step->workspace_bytes, lent);
    return VDNN_OK;
}

/* The buffer that a pass in place reads, and the one it writes over it; slot -1: not in place. */
typedef struct in_place_rule {
    vdnn_bind read, write;
    int32_t read_slot, write_slot;
} in_place_rule;

static in_place_rule rule_of(const vdnn_layer *layer, const vdnn_step *step)
{
    switch (vdnn_step_kernel_pass(step)) {
    case VDNN_FORWARD:
        return (in_place_rule){VDNN_BIND_X, VDNN_BIND_Y, layer->in_place ? 0 : -1, 0};
    case VDNN_BACKWARD_DATA:
        return (in_place_rule){VDNN_BIND_DY, VDNN_BIND_DX, 0, vdnn_checker_dx_over_dy(layer)};
    default:
        return (in_place_rule){VDNN_BIND_HOLD, VDNN_BIND_HOLD, -1, -1};
    }
}

static bool is_access(const vdnn_access *access, vdnn_bind bind, int32_t slot)
{
    return (vdnn_bind)access->bind == bind && access->slot == slot;
}

/* Whether of two accesses of one buffer one is the input and one the output of a pass that works in
 * place. */
static bool in_place_pair(in_place_rule rule, const vdnn_access *a, const vdnn_access *b)
{
    return (is_access(a, rule.read, rule.read_slot) && is_access(b, rule.write, rule.write_slot)) ||
           (is_access(b, rule.read, rule.read_slot) && is_access(a, rule.write, rule.write_slot));
}

/* A dx that may be over x, of one input: where it is both, it is in one place. */
static bool is_dx_over_x(const vdnn_layer *layer, const vdnn_step *step, const vdnn_access *a,
                         const vdnn_access *b)
{
    const in_place_rule rule = {VDNN_BIND_X, VDNN_BIND_DX, 0, 0};
    return layer->def->dx_over_x && step->kind == VDNN_STEP_RUN &&
           step->pass == VDNN_BACKWARD_DATA && in_place_pair(rule, a, b) && a->first == b->first &&
           a->bytes == b->bytes;
}

/* Rows of two parameters, which were found to be in their places. */
static bool are_rows(const vdnn_access *a, const vdnn_access *b)
{
    return a->bind == VDNN_BIND_DW && b->bind == VDNN_BIND_DW && a->slot != b->slot;
}

/* A step accesses a buffer twice only to read it, if its layer works in place, or to write
 * gradients of two of its parameters. `seen` is, for each buffer, the last access so far (a write
 * takes precedence over a read). */
static vdnn_status check_twice(const vdnn_checker *checker, int32_t i, int32_t *seen)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++) {
        const vdnn_access *access = &plan->accesses[k];
        const int32_t before = seen[access->buffer];
        if (access->mode == VDNN_HOLD)
            continue;
        if (before < 0 || checker->access_step[before] != i) {
            seen[access->buffer] = k;
            continue;
        }
        const vdnn_access *other = &plan->accesses[before];
        const vdnn_layer *layer =
            vdnn_step_has_kernel(step) ? &plan->graph->layers[step->layer] : NULL;
        if (((access->mode | other->mode) & VDNN_WRITE) != 0 && !are_rows(access, other) &&
            (layer == NULL || (!in_place_pair(rule_of(layer, step), access, other) &&
                               !is_dx_over_x(layer, step, access, other))))
            return vdnn_checker_refuse(
                checker, i, -1, access->buffer, "a step takes one buffer as %s and as %s",
                vdnn_bind_text((vdnn_bind)other->bind), vdnn_bind_text((vdnn_bind)access->bind));
        if ((access->mode & VDNN_WRITE) != 0)
            seen[access->buffer] = k;
    }
    return VDNN_OK;
}

/* A pass in place reads and writes one buffer: kernels rely on it. */
static vdnn_status check_in_place(const vdnn_checker *checker, int32_t i, const vdnn_layer *layer)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const in_place_rule rule = rule_of(layer, step);
    int32_t from = -1, to = -1;
    for (int32_t k = 0; k < step->access_count; k++) {
        const vdnn_access *access = &plan->accesses[step->first_access + k];
        if (is_access(access, rule.read, rule.read_slot))
            from = access->buffer;
        if (is_access(access, rule.write, rule.write_slot))
            to = access->buffer;
    }
    if (from >= 0 && to >= 0 && from != to)
        return vdnn_checker_refuse(checker, i, -1, to,
                                   "a layer that works in place got two buffers (%d and %d)", from,
                                   to);
    return VDNN_OK;
}

size_t vdnn_checker_gradient_place(const vdnn_checker *checker, int32_t access)
{
    const vdnn_access *own = &checker->plan->accesses[access];
    const vdnn_step *step = &checker->plan->steps[checker->access_step[access]];
    return own->first - needed(checker, step, own).at.first;
}

/* A kernel finds the gradients of all its parameters from the first one. */
static vdnn_status check_gradients(const vdnn_checker *checker, int32_t i)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    int32_t first = -1;
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++) {
        if (plan->accesses[k].bind != VDNN_BIND_DW)
            continue;
        if (first >= 0 && (plan->accesses[k].buffer != plan->accesses[first].buffer ||
                           vdnn_checker_gradient_place(checker, k) !=
                               vdnn_checker_gradient_place(checker, first)))
            return vdnn_checker_refuse(checker, i, -1, plan->accesses[k].buffer,
                                       "a run writes gradients of its parameters to two places");
        first = k;
    }
    return VDNN_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static vdnn_status check_run(vdnn_checker *checker, int32_t i, const vdnn_algorithm **first,
                             const char **device)
{
    const vdnn_step *step = &checker->plan->steps[i];
    const vdnn_layer *layer =
        &vdnn_checker_shape(checker->plan->graph, step->micro)->layers[step->layer];
    vdnn_status status = check_algorithm(checker, i, layer);
    VDNN_IF_OK(status, check_device(checker, i, device));
    VDNN_IF_OK(status, check_recompute(checker, i, first));
    VDNN_IF_OK(status, check_workspace(checker, i));
    VDNN_IF_OK(status, check_run_rows(checker, i, layer));
    VDNN_IF_OK(status, check_gradients(checker, i));
    return status == VDNN_OK ? check_in_place(checker, i, layer) : status;
}

vdnn_status vdnn_checker_runs(vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    vdnn_status status = VDNN_OK;
    const char *device = NULL;
    int32_t *seen = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *seen);
    const vdnn_algorithm **first =
        vdnn_heap_calloc((size_t)plan->graph->micro_batches * vdnn_checker_run_count(plan),
                         sizeof(const vdnn_algorithm *));
    if (seen == NULL || first == NULL) {
        vdnn_heap_free(seen);
        vdnn_heap_free(first);
        return vdnn_checker_no_memory((size_t)plan->buffer_count);
    }
    memset(seen, -1, (size_t)plan->buffer_count * sizeof *seen);
    for (int32_t i = 0; i < plan->step_count && status == VDNN_OK; i++) {
        if (vdnn_step_has_kernel(&plan->steps[i]))
            status = check_run(checker, i, first, &device);
        VDNN_IF_OK(status, check_twice(checker, i, seen));
    }
    vdnn_heap_free(seen);
    vdnn_heap_free(first);
    return status;
}
