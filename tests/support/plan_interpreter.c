#include "tests/support/plan_interpreter.h"

#include "runtime/base/heap.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_meaning.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLER_TIER = VDNN_TIER_COUNT, TIERS };
enum { BEFORE_ALL = -1 };

/* Bytes of one value: byte `at` of the tier is byte `at - base` of it. */
typedef struct cell {
    size_t begin, end;
    vdnn_value value;
    size_t base;
    bool is_stray; /* it was written by way of another buffer than it was found in */
} cell;

/* A use at its address. */
typedef struct range {
    vdnn_use use;
    int32_t step, tier; /* the step among those of all training steps */
    size_t begin, end;
    size_t address;                 /* of the first byte that is accessed */
    int32_t first_cell, cell_count; /* what was found, or written */
} range;

typedef struct interpreter {
    const vdnn_plan *plan;
    const vdnn_plan *kept; /* whose buffers have what is kept between steps: that one, or another */
    vdnn_plan_sums *sums;  /* NULL: not asked for */
    vdnn_meaning meaning;
    int32_t step_count; /* of all training steps */
    uint64_t *before;   /* step_count + 1 rows of so many bits */
    size_t words;       /* of a row */
    range *ranges;
    int32_t range_count, range_room;
    int32_t *first_range;                       /* per step, from BEFORE_ALL on */
    int32_t *writes[TIERS], write_count[TIERS]; /* ranges that are written */
    int32_t *near, near_count, near_room;       /* of these those that share bytes with a read */
    cell *cells;
    int32_t cell_count, cell_room;
    size_t gradient_first; /* where the step that is placed finds the gradient of parameters */
    int32_t gradient_step; /* that step */
    bool strays; /* a byte was right that another buffer left there, or that is not in its place */
    vdnn_plan_finding *finding;
} interpreter;

static void *grown(void *items, int32_t *room, int32_t count, size_t size)
{
    if (count < *room)
        return items;
    *room = 2 * *room + 256;
    void *fresh = vdnn_heap_realloc(items, (size_t)*room, size);
    assert_non_null(fresh);
    return fresh;
}

static void *made(size_t count, size_t size)
{
    void *items = vdnn_heap_calloc(count, size);
    assert_non_null(items);
    return items;
}

/* ---- findings -------------------------------------------------------------------------------- */

static const char *kind_text(const interpreter *in, int32_t step)
{
    return step < 0 || step >= in->step_count
               ? ""
               : vdnn_step_kind_text(in->plan->steps[step % in->plan->step_count].kind);
}

/* Always false. */
static bool is_wrong(interpreter *in, int32_t step, const range *at, const char *what)
{
    const vdnn_access *access =
        at == NULL || at->use.access < 0 ? NULL : &in->plan->accesses[at->use.access];
    in->finding->verdict = VDNN_PLAN_WRONG;
    (void)snprintf(in->finding->what, sizeof in->finding->what,
                   "step %d of training step %d (%s), %s, buffer %d: %s",
                   step % in->plan->step_count, step / in->plan->step_count, kind_text(in, step),
                   access == NULL ? "" : vdnn_bind_text((vdnn_bind)access->bind),
                   access == NULL ? -1 : access->buffer, what);
    return false;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool check_parts(interpreter *in)
{
    for (int32_t i = 0; i < in->plan->step_count; i++) {
        const vdnn_step *step = &in->plan->steps[i];
        if (vdnn_step_has_kernel(step) && step->part >= vdnn_plan_parts(in->plan, step))
            return is_wrong(in, i, NULL, "is of a part that its layer does not have");
    }
    return true;
}

/* The device has kernels of an algorithm for its passes of its type of layer; whether one updates
 * parameters itself is its own. A made-up algorithm is whatever is asked for. */
static bool check_algorithms(interpreter *in)
{
    for (int32_t i = 0; i < in->plan->step_count; i++) {
        const vdnn_step *step = &in->plan->steps[i];
        const vdnn_algorithm *own = step->algorithm;
        if (!vdnn_step_has_kernel(step) || own == NULL || own->layer_type == NULL)
            continue;
        const char *type = in->plan->graph->layers[step->layer].def->type;
        const bool updates = step->kind == VDNN_STEP_RUN &&
                             vdnn_plan_edit_access(in->plan, i, VDNN_BIND_STATE) != NULL;
        if (strcmp(own->layer_type, type) != 0 ||
            (own->passes & 1U << vdnn_step_kernel_pass(step)) == 0 || (updates && !own->updates))
            return is_wrong(in, i, NULL, "runs an algorithm that does something else");
    }
    return true;
}

/* Whether step a is complete when step b starts. */
static bool is_before(const interpreter *in, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < b;
    return (in->before[(size_t)b * in->words + (size_t)a / 64] >> (a % 64) & 1U) != 0;
}

static void put_before(const interpreter *in, int32_t a, int32_t b)
{
    uint64_t *late = &in->before[(size_t)b * in->words],
             *early = &in->before[(size_t)a * in->words];
    for (size_t k = 0; k < in->words; k++)
        late[k] |= early[k];
    late[a / 64] |= (uint64_t)1 << (a % 64);
}

static bool find_order(interpreter *in)
{
    const vdnn_plan *plan = in->plan;
    int32_t last[VDNN_STREAM_COUNT];
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        last[s] = -1;
    for (int32_t i = 0; i < in->step_count; i++) {
        const vdnn_step *step = &plan->steps[i % plan->step_count];
        const int32_t round_first = i - i % plan->step_count;
        if (last[step->stream] >= 0)
            put_before(in, last[step->stream], i);
        for (int32_t k = 0; k < step->wait_count; k++) {
            const int32_t awaited = round_first + plan->waits[step->first_wait + k];
            if (awaited < round_first || awaited >= i)
                return is_wrong(in, i, NULL, "waits for a step that comes after it");
            put_before(in, awaited, i);
        }
        last[step->stream] = i;
        put_before(in, i, in->step_count);
    }
    return true;
}

/* "begin" takes what is the training step's own, such as its learning rate and its batch, for all
 * its steps: they come after it, and before that of the next. */
static bool check_frame(interpreter *in)
{
    const int32_t count = in->plan->step_count;
    for (int32_t i = 0; i < in->step_count; i++) {
        const int32_t begin = i - i % count, next = begin + count;
        if (i == begin && in->plan->steps[0].kind != VDNN_STEP_JOIN)
            return is_wrong(in, i, NULL, "is the first step, and not begin");
        if ((i != begin && !is_before(in, begin, i)) ||
            (next < in->step_count && !is_before(in, i, next)))
            return is_wrong(in, i, NULL, "may run while the training step before or after it does");
    }
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool is_inside(size_t first, size_t bytes, size_t all)
{
    return first <= all && bytes <= all - first;
}

/* The first byte of a use among those of a buffer that are accessed, without the gaps between
 * stripes, as one among all from the first one on; false: not all of the use is in one stripe. */
static bool place_in_stripes(const vdnn_access *access, const vdnn_use *use, size_t *place)
{
    *place = use->first;
    if (access == NULL || access->stride == 0)
        return true;
    if (access->stripe == 0)
        return false;
    *place = use->first / access->stripe * access->stride + use->first % access->stripe;
    return use->first % access->stripe + use->bytes <= access->stripe;
}

/* Where the gradient of a block begins in its buffer: a kernel finds all of it from the first of
 * its parameters on. Other values begin where their buffers do. */
static size_t gradient_first(interpreter *in, const range *at, size_t byte)
{
    if (at->use.access < 0 || in->plan->accesses[at->use.access].bind != VDNN_BIND_DW)
        return 0;
    if (in->gradient_step != at->step)
        in->gradient_first = byte - at->use.place;
    in->gradient_step = at->step;
    return in->gradient_first;
}

/* Where what is accessed begins in the buffer, and the end of it. */
static bool place_in_buffer(interpreter *in, range *at)
{
    const bool is_between = at->step < 0 || at->step == in->step_count;
    const vdnn_buffer *buffer = &(is_between ? in->kept : in->plan)->buffers[at->use.buffer];
    const vdnn_access *access = at->use.access < 0 ? NULL : &in->plan->accesses[at->use.access];
    size_t first = 0, bytes = buffer->bytes, place;
    const bool is_kernel =
        !is_between && vdnn_step_has_kernel(&in->plan->steps[at->step % in->plan->step_count]);
    if (access != NULL) {
        first = access->first;
        bytes = access->bytes;
    }
    if (!place_in_stripes(access, &at->use, &place))
        return is_wrong(in, at->step, at, "uses bytes of several stripes as one");
    at->tier = (int32_t)buffer->tier;
    at->address = buffer->offset + first;
    at->begin = at->address + place;
    in->strays =
        in->strays || (is_kernel && buffer->map_offset + first + place !=
                                        at->use.place + gradient_first(in, at, first + place));
    return (is_inside(first, bytes, buffer->bytes) && is_inside(place, at->use.bytes, bytes)) ||
           is_wrong(in, at->step, at, "uses bytes beyond those that it accesses");
}

static bool place(interpreter *in, int32_t step, const vdnn_use *use)
{
    range at = {.use = *use, .step = step, .tier = CALLER_TIER, .begin = use->first};
    if (use->buffer == VDNN_USE_MISSING)
        return is_wrong(in, step, &at, "a buffer that the step uses is missing");
    if (use->buffer >= 0 && !place_in_buffer(in, &at))
        return false;
    at.end = at.begin + use->bytes;
    if (use->writes)
        in->write_count[at.tier]++;
    in->ranges = grown(in->ranges, &in->range_room, in->range_count, sizeof *in->ranges);
    in->ranges[in->range_count++] = at;
    return true;
}

static bool place_uses(interpreter *in, int32_t step)
{
    in->first_range[step + 1] = in->range_count;
    for (int32_t k = 0; k < in->meaning.use_count; k++)
        if (in->meaning.uses[k].bytes > 0 && !place(in, step, &in->meaning.uses[k]))
            return false;
    return true;
}

static bool place_all(interpreter *in)
{
    vdnn_meaning_before(&in->meaning, in->kept);
    bool good = place_uses(in, BEFORE_ALL);
    for (int32_t i = 0; i < in->step_count && good; i++) {
        vdnn_meaning_of_step(&in->meaning, i % in->plan->step_count, i / in->plan->step_count);
        good = place_uses(in, i);
    }
    vdnn_meaning_after(&in->meaning, in->kept);
    good = good && place_uses(in, in->step_count);
    in->first_range[in->step_count + 2] = in->range_count;
    for (int t = 0; t < TIERS; t++) {
        in->writes[t] = made((size_t)in->write_count[t] + 1, sizeof *in->writes[t]);
        in->write_count[t] = 0;
    }
    for (int32_t r = 0; r < in->range_count; r++)
        if (in->ranges[r].use.writes)
            in->writes[in->ranges[r].tier][in->write_count[in->ranges[r].tier]++] = r;
    return good;
}

static bool check_budgets(interpreter *in, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    for (int32_t b = 0; b < in->plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &in->plan->buffers[b];
        const size_t budget = budget_bytes[buffer->tier];
        if (buffer->offset > budget || buffer->bytes > budget - buffer->offset)
            return is_wrong(in, 0, NULL, "a buffer lies beyond the budget");
    }
    return true;
}

/* ---- what kernels rely on -------------------------------------------------------------------- */

static bool share_bytes(const range *a, const range *b)
{
    return a->tier == b->tier && a->begin < b->end && b->begin < a->end;
}

static bool binds(const interpreter *in, const range *at, vdnn_bind bind, int32_t slot)
{
    const vdnn_access *access = at->use.access < 0 ? NULL : &in->plan->accesses[at->use.access];
    return access != NULL && (vdnn_bind)access->bind == bind && access->slot == slot;
}

/* Whether a kernel writes one range over the other: y over x, dx over dy (layers/layer.h). */
static bool is_in_place(const interpreter *in, const range *from, const range *to)
{
    const vdnn_step *step = &in->plan->steps[from->step % in->plan->step_count];
    if (!vdnn_step_has_kernel(step))
        return false;
    const vdnn_layer *layer = &in->plan->graph->layers[step->layer];
    const vdnn_pass pass = vdnn_step_kernel_pass(step);
    if (pass == VDNN_FORWARD)
        return layer->in_place && binds(in, from, VDNN_BIND_X, 0) && binds(in, to, VDNN_BIND_Y, 0);
    return pass == VDNN_BACKWARD_DATA && binds(in, from, VDNN_BIND_DY, 0) &&
           binds(in, to, VDNN_BIND_DX, vdnn_layer_dx_over_dy(layer));
}

/* Whether it may write one over the other: dx over x. */
static bool may_be_in_place(const interpreter *in, const range *from, const range *to)
{
    const vdnn_step *step = &in->plan->steps[from->step % in->plan->step_count];
    return step->kind == VDNN_STEP_RUN && step->pass == VDNN_BACKWARD_DATA &&
           in->plan->graph->layers[step->layer].def->dx_over_x && binds(in, from, VDNN_BIND_X, 0) &&
           binds(in, to, VDNN_BIND_DX, 0);
}

/* Whether two ranges are of accesses of the same bytes. */
static bool is_same_place(const interpreter *in, const range *a, const range *b)
{
    const vdnn_access *one = &in->plan->accesses[a->use.access],
                      *other = &in->plan->accesses[b->use.access];
    return a->address == b->address && one->stripe == other->stripe && one->stride == other->stride;
}

/* A step writes over nothing that it uses itself, but where that is the rule. */
static bool check_own(interpreter *in, int32_t step)
{
    const int32_t first = in->first_range[step + 1], end = in->first_range[step + 2];
    for (int32_t w = first; w < end; w++)
        for (int32_t r = first; r < end; r++) {
            const range *to = &in->ranges[w], *from = &in->ranges[r];
            if (!to->use.writes || to->use.access == from->use.access)
                continue;
            const bool over =
                !from->use.writes && (is_in_place(in, from, to) ||
                                      (may_be_in_place(in, from, to) && share_bytes(to, from)));
            if (over ? !is_same_place(in, to, from) : share_bytes(to, from))
                return is_wrong(in, step, to,
                                over ? "is not where a kernel in place writes it"
                                     : "is written over something else that the step uses");
        }
    return true;
}

/* A kernel may read what it wrote: nothing else is written there meanwhile. */
static bool check_alone(interpreter *in, const range *at)
{
    for (int32_t k = 0; k < in->write_count[at->tier]; k++) {
        const range *other = &in->ranges[in->writes[at->tier][k]];
        if (other->step != at->step && share_bytes(other, at) &&
            !is_before(in, other->step, at->step) && !is_before(in, at->step, other->step))
            return is_wrong(in, at->step, at, "another step writes there while a kernel does");
    }
    return true;
}

static bool check_kernel(interpreter *in, int32_t step)
{
    bool good = check_own(in, step);
    for (int32_t r = in->first_range[step + 1]; r < in->first_range[step + 2] && good; r++)
        if (in->ranges[r].use.writes && in->ranges[r].use.value.id != VDNN_VALUE_ANY)
            good = check_alone(in, &in->ranges[r]);
    return good;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void add_cell(interpreter *in, range *at, cell fresh)
{
    in->cells = grown(in->cells, &in->cell_room, in->cell_count, sizeof *in->cells);
    in->cells[in->cell_count++] = fresh;
    at->cell_count++;
}

static const cell *cell_at(const interpreter *in, const range *written, size_t byte)
{
    const cell *found = &in->cells[written->first_cell];
    while (found->end <= byte)
        found++;
    return found;
}

/* The last write of a byte before a read, the same in every order; NULL with *torn if there is no
 * such, without if there was none. *end: up to where all bytes have the same writes. */
static const range *last_write(const interpreter *in, const range *read, size_t byte, bool *torn,
                               size_t *end)
{
    const int32_t *writes = in->near, count = in->near_count;
    const range *last = NULL;
    *torn = false;
    for (int32_t k = 0; k < count; k++) {
        const range *other = &in->ranges[writes[k]];
        const size_t edge = other->begin > byte ? other->begin : other->end;
        if (edge > byte && edge < *end)
            *end = edge;
        if (other->begin > byte || other->end <= byte || other->step == read->step ||
            is_before(in, read->step, other->step))
            continue;
        *torn = *torn || !is_before(in, other->step, read->step);
        if (last == NULL || other->step > last->step)
            last = other;
    }
    for (int32_t k = 0; k < count && last != NULL && !*torn; k++) {
        const range *other = &in->ranges[writes[k]];
        if (other->begin <= byte && byte < other->end && other->step < last->step)
            *torn = !is_before(in, other->step, last->step);
    }
    return *torn ? NULL : last;
}

/* Whether a batch that a training step left in one buffer is found by the next one in the other. */
static bool is_left_for_next(const vdnn_plan *plan, int32_t left, int32_t found)
{
    int32_t input = vdnn_plan_loads_ahead(plan) ? plan->graph->input_count : 0;
    while (input > 0 && (plan->ahead[input - 1] != left || plan->arrived[input - 1] != found))
        input--;
    return input > 0;
}

static bool is_stray(const interpreter *in, const range *written, const range *read)
{
    const int32_t left = written->use.buffer, found = read->use.buffer;
    const bool is_other =
        in->kept != in->plan && (written->step < 0 || read->step == in->step_count);
    return !is_other && left != found && !is_left_for_next(in->plan, left, found);
}

static void find_near(interpreter *in, const range *read)
{
    in->near_count = 0;
    for (int32_t k = 0; k < in->write_count[read->tier]; k++) {
        const int32_t written = in->writes[read->tier][k];
        if (!share_bytes(&in->ranges[written], read))
            continue;
        in->near = grown(in->near, &in->near_room, in->near_count, sizeof *in->near);
        in->near[in->near_count++] = written;
    }
}

static void find_content(interpreter *in, range *read)
{
    find_near(in, read);
    read->first_cell = in->cell_count;
    for (size_t byte = read->begin, end; byte < read->end; byte = end) {
        bool torn;
        end = read->end;
        const range *last = last_write(in, read, byte, &torn, &end);
        cell found = {.value = {torn ? VDNN_VALUE_TORN : VDNN_VALUE_NOTHING, -1}};
        if (last != NULL)
            found = *cell_at(in, last, byte);
        if (last != NULL && found.end < end)
            end = found.end;
        found.is_stray = found.is_stray || (last != NULL && is_stray(in, last, read));
        found.begin = byte;
        found.end = end;
        add_cell(in, read, found);
    }
}

static const char *why(const cell *found)
{
    return found->value.id == VDNN_VALUE_TORN      ? "reads bytes that are written meanwhile"
           : found->value.id == VDNN_VALUE_NOTHING ? "reads bytes that were never written"
           : found->value.id == VDNN_VALUE_SCRATCH ? "reads a workspace"
                                                   : "reads another value";
}

static bool check_content(interpreter *in, const range *read)
{
    for (int32_t c = 0; c < read->cell_count; c++) {
        const cell *found = &in->cells[read->first_cell + c];
        if (found->value.id != read->use.value.id || found->base != read->begin - read->use.offset)
            return is_wrong(in, read->step, read, why(found));
        in->strays = in->strays || found->is_stray;
    }
    return true;
}

/* What is moved, or added to, is of the step's micro-batch, but for gradients of parameters, which
 * outlive it; between parts may lie anything. */
static bool check_micro(interpreter *in, const range *read)
{
    const int32_t micro = in->plan->steps[read->step % in->plan->step_count].micro;
    for (int32_t c = 0; c < read->cell_count; c++) {
        const cell *found = &in->cells[read->first_cell + c];
        if (!found->is_stray && found->value.micro >= 0 && found->value.micro != micro)
            return is_wrong(in, read->step, read, "moves a value of another micro-batch");
    }
    return true;
}

/* ---- sums over the devices ------------------------------------------------------------------- */

static void add_sum(interpreter *in, vdnn_plan_sum sum)
{
    vdnn_plan_sums *sums = in->sums;
    vdnn_plan_sum *last = sums->count == 0 ? NULL : &sums->list[sums->count - 1];
    if (last != NULL && last->step == sum.step && last->layer == sum.layer &&
        last->place + last->bytes == sum.place && last->first + last->bytes == sum.first) {
        last->bytes += sum.bytes;
        return;
    }
    sums->list = grown(sums->list, &sums->room, sums->count, sizeof *sums->list);
    sums->list[sums->count++] = sum;
}

static int compare_sums(const void *a, const void *b)
{
    const vdnn_plan_sum *one = a, *other = b;
    if (one->step != other->step)
        return one->step < other->step ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

/* Of the first training step. */
static void note_sum(interpreter *in, const range *read)
{
    if (in->sums == NULL || read->step < 0 || read->step >= in->plan->step_count ||
        in->plan->steps[read->step].kind != VDNN_STEP_REDUCE)
        return;
    vdnn_meaning_of_step(&in->meaning, read->step, 0);
    for (int32_t c = 0; c < read->cell_count; c++) {
        const cell *found = &in->cells[read->first_cell + c];
        const int32_t layer = vdnn_meaning_block_of(&in->meaning, found->value);
        if (layer >= 0)
            add_sum(in, (vdnn_plan_sum){read->step, layer, found->begin - read->address,
                                        found->begin - found->base, found->end - found->begin});
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool run_read(interpreter *in, range *read)
{
    find_content(in, read);
    note_sum(in, read);
    if (read->use.value.id != VDNN_VALUE_ANY)
        return check_content(in, read);
    const vdnn_step *step = &in->plan->steps[read->step % in->plan->step_count];
    const bool is_sum = step->kind == VDNN_STEP_ACCUMULATE,
               is_earlier_sum = is_sum && binds(in, read, VDNN_BIND_SRC, 0),
               of_parameters =
                   in->plan->buffers[read->use.buffer].class == VDNN_CLASS_WEIGHT_GRADIENT;
    return is_earlier_sum || (of_parameters && !is_sum) || check_micro(in, read);
}

static void move_content(interpreter *in, const range *from, range *to)
{
    const vdnn_step *step = &in->plan->steps[to->step % in->plan->step_count];
    for (int32_t c = 0; c < from->cell_count; c++) {
        cell moved = in->cells[from->first_cell + c];
        if (step->kind == VDNN_STEP_REDUCE)
            moved.value = vdnn_value_reduced(moved.value);
        moved.begin += to->begin - from->begin;
        moved.end += to->begin - from->begin;
        moved.base += to->begin - from->begin;
        add_cell(in, to, moved);
    }
}

/* Gradients of parameters are summed in f32, whatever maps are stored in: which of both it is says
 * the buffer that the sum is written to. */
static vdnn_dtype dtype_of(const interpreter *in, const range *sum)
{
    const bool of_maps = in->plan->buffers[sum->use.buffer].class == VDNN_CLASS_GRADIENT_MAP;
    return of_maps ? in->plan->graph->dtype : VDNN_F32;
}

/* Byte by byte of both, as far as each is one value. */
static void add_content(interpreter *in, const range *sum, const range *part, range *to)
{
    for (size_t done = 0, end; done < to->end - to->begin; done = end) {
        const cell *a = cell_at(in, sum, sum->begin + done),
                   *b = cell_at(in, part, part->begin + done);
        const size_t a_end = a->end - sum->begin, b_end = b->end - part->begin,
                     shift = (sum->begin - a->base) - (part->begin - b->base);
        end = a_end < b_end ? a_end : b_end;
        add_cell(in, to,
                 (cell){to->begin + done, to->begin + end,
                        vdnn_value_sum(a->value, b->value, shift, dtype_of(in, to)), a->base,
                        a->is_stray || b->is_stray});
    }
}

/* What the step writes of a value that it finds is the sum of both that it reads, or what it reads
 * of the same turn. */
static void run_write(interpreter *in, range *to, const range *own, const range *other)
{
    to->first_cell = in->cell_count;
    if (to->use.value.id != VDNN_VALUE_ANY)
        add_cell(in, to,
                 (cell){to->begin, to->end, to->use.value, to->begin - to->use.offset, false});
    else if (other != NULL)
        add_content(in, own, other, to);
    else if (own != NULL) /* else it leaves nothing that may be read */
        move_content(in, own, to);
}

/* From range `from` on the next one of a step whose value is whatever is there. */
static range *next_any(const interpreter *in, int32_t *from, int32_t end, bool writes)
{
    while (*from < end) {
        range *at = &in->ranges[(*from)++];
        if (at->use.writes == writes && at->use.value.id == VDNN_VALUE_ANY)
            return at;
    }
    return NULL;
}

static bool adds(const interpreter *in, int32_t step)
{
    return step >= 0 && step < in->step_count &&
           in->plan->steps[step % in->plan->step_count].kind == VDNN_STEP_ACCUMULATE;
}

static bool run_step(interpreter *in, int32_t step)
{
    const int32_t first = in->first_range[step + 1], end = in->first_range[step + 2];
    int32_t next = first;
    for (int32_t r = first; r < end; r++)
        if (!in->ranges[r].use.writes && !run_read(in, &in->ranges[r]))
            return false;
    for (int32_t r = first; r < end; r++) {
        range *to = &in->ranges[r];
        const bool finds = to->use.writes && to->use.value.id == VDNN_VALUE_ANY;
        const range *own = finds ? next_any(in, &next, end, false) : NULL,
                    *other = finds && adds(in, step) ? next_any(in, &next, end, false) : NULL;
        if (to->use.writes)
            run_write(in, to, own, other);
    }
    return true;
}

static bool run_all(interpreter *in)
{
    bool good = true;
    for (int32_t i = 0; i < in->step_count && good; i++)
        good = check_kernel(in, i);
    for (int32_t i = BEFORE_ALL; i <= in->step_count && good; i++)
        good = run_step(in, i);
    return good;
}

static void interpret(interpreter *in, const size_t budget_bytes[VDNN_TIER_COUNT])
{
    const vdnn_plan *plan = in->plan;
    vdnn_plan_finding *finding = in->finding;
    in->step_count = VDNN_MEANING_ROUNDS * plan->step_count;
    in->gradient_step = BEFORE_ALL;
    *finding = (vdnn_plan_finding){.verdict = VDNN_PLAN_RIGHT};
    in->words = (size_t)in->step_count / 64 + 1;
    in->before = made((size_t)(in->step_count + 1) * in->words, sizeof *in->before);
    in->first_range = made((size_t)in->step_count + 3, sizeof *in->first_range);
    if (check_budgets(in, budget_bytes) && check_parts(in) && check_algorithms(in) &&
        find_order(in) && check_frame(in)) {
        vdnn_meaning_init(&in->meaning, plan);
        (void)(place_all(in) && run_all(in));
        vdnn_meaning_fini(&in->meaning);
    }
    if (in->sums != NULL && in->sums->count > 0)
        qsort(in->sums->list, (size_t)in->sums->count, sizeof *in->sums->list, compare_sums);
    vdnn_heap_free(in->before);
    vdnn_heap_free(in->first_range);
    vdnn_heap_free(in->ranges);
    vdnn_heap_free(in->cells);
    for (int t = 0; t < TIERS; t++)
        vdnn_heap_free(in->writes[t]);
    vdnn_heap_free(in->near);
    if (finding->verdict == VDNN_PLAN_WRONG)
        return;
    const char *form = in->strays ? "own" : vdnn_plan_form(plan);
    if (form == NULL)
        return;
    finding->verdict = VDNN_PLAN_FORM;
    (void)snprintf(finding->what, sizeof finding->what, "%s", form);
}

void vdnn_plan_interpret(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT],
                         vdnn_plan_finding *finding)
{
    interpreter in = {.plan = plan, .kept = plan, .finding = finding};
    interpret(&in, budget_bytes);
}

void vdnn_plan_interpret_sums(const vdnn_plan *plan, const size_t budget_bytes[VDNN_TIER_COUNT],
                              vdnn_plan_finding *finding, vdnn_plan_sums *sums)
{
    interpreter in = {.plan = plan, .kept = plan, .finding = finding, .sums = sums};
    *sums = (vdnn_plan_sums){.count = 0};
    interpret(&in, budget_bytes);
}

void vdnn_plan_interpret_beside(const vdnn_plan *training, const vdnn_plan *evaluation,
                                const size_t budget_bytes[VDNN_TIER_COUNT],
                                vdnn_plan_finding *finding)
{
    interpreter in = {.plan = evaluation, .kept = training, .finding = finding};
    interpret(&in, budget_bytes);
}
