#include "tests/support/plan_corruptions.h"

#include "tests/support/plan_edit.h"

enum { NONE = -1, TRIES = 64, FAR = 8 };

/* ---- drawing --------------------------------------------------------------------------------- */

static int32_t pick(vdnn_test_rng *rng, int32_t low, int32_t high)
{
    return (int32_t)vdnn_test_between(rng, low, high);
}

/* One of `count` items for which something is true; -1: it is of none. */
static int32_t draw(vdnn_test_rng *rng, const vdnn_plan *plan, int32_t count,
                    bool (*is_one)(const vdnn_plan *, int32_t))
{
    int32_t found = 0, drawn = NONE;
    for (int32_t i = 0; i < count; i++)
        if (is_one(plan, i) && pick(rng, 0, found++) == 0)
            drawn = i;
    return drawn;
}

/* Half of the time any, else of one of the kinds that have any, each of which is as likely. */
static int32_t draw_step(vdnn_test_rng *rng, const vdnn_plan *plan,
                         bool (*is_one)(const vdnn_plan *, int32_t))
{
    int32_t found[VDNN_STEP_KIND_COUNT] = {0}, drawn[VDNN_STEP_KIND_COUNT] = {0};
    int32_t kinds = 0, kind = NONE;
    if (pick(rng, 0, 1) == 0)
        return draw(rng, plan, plan->step_count, is_one);
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step_kind own = plan->steps[i].kind;
        if (is_one(plan, i) && pick(rng, 0, found[own]++) == 0)
            drawn[own] = i;
    }
    for (int32_t k = 0; k < VDNN_STEP_KIND_COUNT; k++)
        if (found[k] > 0 && pick(rng, 0, kinds++) == 0)
            kind = k;
    return kind == NONE ? NONE : drawn[kind];
}

static bool is_inner(const vdnn_plan *plan, int32_t step)
{
    return step > 0 && step < plan->step_count - 1;
}

static bool waits(const vdnn_plan *plan, int32_t step)
{
    return plan->steps[step].wait_count > 0;
}

static bool accesses(const vdnn_plan *plan, int32_t step)
{
    return plan->steps[step].access_count > 0;
}

static bool computes(const vdnn_plan *plan, int32_t step)
{
    return is_inner(plan, step) && plan->steps[step].stream == VDNN_STREAM_COMPUTE &&
           plan->steps[step].kind != VDNN_STEP_JOIN;
}

static bool is_recompute(const vdnn_plan *plan, int32_t step)
{
    return plan->steps[step].kind == VDNN_STEP_RECOMPUTE;
}

/* Its bytes say how many are moved or summed. */
static bool moves(const vdnn_plan *plan, int32_t step)
{
    static const unsigned kinds = 1U << VDNN_STEP_LOAD | 1U << VDNN_STEP_TAKE |
                                  1U << VDNN_STEP_COPY_OUT | 1U << VDNN_STEP_COPY_IN |
                                  1U << VDNN_STEP_SPILL | 1U << VDNN_STEP_FILL |
                                  1U << VDNN_STEP_ACCUMULATE | 1U << VDNN_STEP_STORE;
    return (kinds & 1U << plan->steps[step].kind) != 0 && plan->steps[step].bytes > 4;
}

static bool runs_a_part(const vdnn_plan *plan, int32_t step)
{
    return vdnn_step_has_kernel(&plan->steps[step]) &&
           vdnn_plan_parts(plan, &plan->steps[step]) > 1;
}

static bool updates(const vdnn_plan *plan, int32_t step)
{
    return vdnn_plan_edit_access(plan, step, VDNN_BIND_STATE) != NULL;
}

static bool reads(const vdnn_plan *plan, int32_t access)
{
    return (plan->accesses[access].mode & VDNN_READ) != 0;
}

static bool has_parameters(const vdnn_plan *plan, int32_t layer)
{
    return plan->param_buffer[layer] >= 0;
}

static bool has_map(const vdnn_plan *plan, int32_t buffer)
{
    return plan->buffers[buffer].map >= 0;
}

static bool is_any(const vdnn_plan *plan, int32_t i)
{
    (void)plan;
    (void)i;
    return true;
}

static bool is_beyond_device(const vdnn_plan *plan, int32_t buffer)
{
    return plan->buffers[buffer].tier != VDNN_TIER_DEVICE;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void shift(vdnn_buffer *buffer, size_t bytes, vdnn_test_rng *rng)
{
    if (buffer->offset >= bytes && pick(rng, 0, 1) == 0)
        buffer->offset -= bytes;
    else
        buffer->offset += bytes;
}

static size_t sample_bytes(const vdnn_plan *plan, size_t bytes)
{
    const size_t sample = bytes / (size_t)plan->graph->micro_batch;
    return sample == 0 ? 1 : sample;
}

static bool shift_by_a_sample(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t b = draw(rng, plan, plan->buffer_count, has_map);
    shift(&plan->buffers[b], sample_bytes(plan, plan->buffers[b].bytes), rng);
    return true;
}

static void shift_by_a_block(vdnn_plan *plan, int32_t b, vdnn_test_rng *rng)
{
    shift(&plan->buffers[b], vdnn_tier_alignment(plan->buffers[b].tier), rng);
}

static bool shift_any(vdnn_plan *plan, vdnn_test_rng *rng)
{
    shift_by_a_block(plan, draw(rng, plan, plan->buffer_count, is_any), rng);
    return true;
}

static bool put_on_another(vdnn_plan *plan, int32_t b, vdnn_test_rng *rng)
{
    for (int i = 0; i < TRIES; i++) {
        const vdnn_buffer *other = &plan->buffers[pick(rng, 0, plan->buffer_count - 1)];
        if (other->tier != plan->buffers[b].tier || other->offset == plan->buffers[b].offset)
            continue;
        plan->buffers[b].offset = other->offset;
        return true;
    }
    return false;
}

static bool put_any_on_another(vdnn_plan *plan, vdnn_test_rng *rng)
{
    return put_on_another(plan, draw(rng, plan, plan->buffer_count, is_any), rng);
}

static bool shift_beyond_device(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t b = draw(rng, plan, plan->buffer_count, is_beyond_device);
    if (b == NONE)
        return false;
    if (pick(rng, 0, 1) == 0)
        return put_on_another(plan, b, rng);
    shift_by_a_block(plan, b, rng);
    return true;
}

/* Of a number of bytes an element, a sample or half is lost. */
static size_t without_a_piece(const vdnn_plan *plan, size_t bytes, vdnn_test_rng *rng)
{
    const size_t pieces[] = {4, sample_bytes(plan, bytes), bytes / 2};
    const size_t lost = pieces[pick(rng, 0, 2)];
    return lost < bytes ? bytes - lost : bytes - bytes / 2;
}

static bool shrink(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t b = draw(rng, plan, plan->buffer_count, is_any);
    const size_t bytes = without_a_piece(plan, plan->buffers[b].bytes, rng);
    if (pick(rng, 0, 1) == 0)
        vdnn_plan_edit_resize(plan, b, bytes);
    else
        plan->buffers[b].bytes = bytes;
    return true;
}

static bool lose_a_piece(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, moves);
    plan->steps[i].bytes = without_a_piece(plan, plan->steps[i].bytes, rng);
    return true;
}

static bool flip_kept(vdnn_plan *plan, vdnn_test_rng *rng)
{
    bool *kept = &plan->buffers[draw(rng, plan, plan->buffer_count, is_any)].persistent;
    *kept = !*kept;
    return true;
}

static bool exchange_homes(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t layers = plan->graph->layer_count, a = draw(rng, plan, layers, has_parameters),
                  b = draw(rng, plan, layers, has_parameters);
    int32_t *homes = pick(rng, 0, 1) == 0 ? plan->param_buffer : plan->state_buffer;
    if (a == NONE || homes[a] == homes[b] || homes[a] < 0 || homes[b] < 0)
        return false;
    const int32_t kept = homes[a];
    homes[a] = homes[b];
    homes[b] = kept;
    return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool remove_wait(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, waits);
    vdnn_plan_edit_remove_wait(plan, i, pick(rng, 0, plan->steps[i].wait_count - 1));
    return true;
}

/* For the step before the right one on its stream, or for any. */
static bool redirect_wait(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, waits);
    int32_t *wait =
        &plan->waits[plan->steps[i].first_wait + pick(rng, 0, plan->steps[i].wait_count - 1)];
    const vdnn_stream_id stream = plan->steps[*wait].stream;
    int32_t target = NONE;
    for (int32_t k = *wait - 1; k >= 0 && target == NONE; k--)
        if (plan->steps[k].stream == stream)
            target = k;
    if (target == NONE || pick(rng, 0, 1) == 0)
        target = pick(rng, 0, i - 1);
    if (target == *wait || plan->steps[target].stream == plan->steps[i].stream)
        return false;
    *wait = target;
    return true;
}

/* Two that follow each other, or the next but one, or the next of its kind. */
static bool swap_on_stream(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t a = draw_step(rng, plan, is_inner);
    const bool of_kind = pick(rng, 0, 2) == 0;
    int32_t b = a, left = of_kind ? 1 : pick(rng, 1, 2);
    while (left > 0 && ++b < plan->step_count - 1)
        left -= plan->steps[b].stream == plan->steps[a].stream &&
                (!of_kind || plan->steps[b].kind == plan->steps[a].kind);
    if (b >= plan->step_count - 1)
        return false;
    vdnn_plan_edit_move(plan, b, a);
    vdnn_plan_edit_move(plan, a + 1, b);
    return true;
}

static bool waits_inside(const vdnn_plan *plan, int32_t step)
{
    return is_inner(plan, step) && waits(plan, step);
}

/* Behind begin, for which it waits alone. */
static bool come_first(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, waits_inside);
    vdnn_step *first = &plan->steps[1];
    if (i == NONE || i == 1)
        return false;
    vdnn_plan_edit_move(plan, i, 1);
    vdnn_plan_edit_redirect_wait(plan, 1, 0);
    first->wait_count = first->stream == VDNN_STREAM_COMPUTE ? 0 : 1;
    return true;
}

/* A few places, or to behind the next of its kind. */
static bool move_step(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t from = draw_step(rng, plan, is_inner);
    int32_t to = from + pick(rng, -FAR, FAR);
    if (pick(rng, 0, 1) == 0)
        for (to = from + 1; to < plan->step_count; to++)
            if (plan->steps[to].kind == plan->steps[from].kind)
                break;
    if (from == to || !is_inner(plan, to))
        return false;
    vdnn_plan_edit_move(plan, from, to);
    return true;
}

/* An update before the last reader of what it updates. */
static bool read_after_update(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t update = draw_step(rng, plan, updates);
    const vdnn_access *w = update == NONE ? NULL : vdnn_plan_edit_access(plan, update, VDNN_BIND_W);
    for (int32_t i = update - 1; i > 0 && w != NULL; i--) {
        const vdnn_access *read = vdnn_plan_edit_access(plan, i, VDNN_BIND_W);
        if (read == NULL || read->buffer != w->buffer)
            continue;
        vdnn_plan_edit_move(plan, i, update);
        return true;
    }
    return false;
}

/* ---- steps and accesses ---------------------------------------------------------------------- */

static bool are_alike(const vdnn_plan *plan, int32_t a, int32_t b)
{
    const vdnn_buffer *one = &plan->buffers[a], *other = &plan->buffers[b];
    return a != b && one->class == other->class && one->tier == other->tier;
}

static vdnn_access *draw_access(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const vdnn_step *step = &plan->steps[draw_step(rng, plan, accesses)];
    return &plan->accesses[step->first_access + pick(rng, 0, step->access_count - 1)];
}

/* Mostly of what the right one holds, too: of another micro-batch, from before a copy out. */
static bool take_another_buffer(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_access *access = draw_access(plan, rng);
    const vdnn_buffer *right = &plan->buffers[access->buffer];
    for (int i = 0; i < TRIES; i++) {
        const int32_t drawn = pick(rng, 0, plan->buffer_count - 1);
        const vdnn_buffer *other = &plan->buffers[drawn];
        const bool is_twin = (other->map == right->map && other->layer == right->layer) ||
                             other->bytes == right->bytes;
        if (!are_alike(plan, access->buffer, drawn) || (i < TRIES - FAR && !is_twin))
            continue;
        vdnn_plan_edit_take(plan, access, drawn);
        return true;
    }
    return false;
}

/* The step's access that writes a buffer which was used before; NULL: none does. */
static const vdnn_access *rewrite_of(const vdnn_plan *plan, int32_t step)
{
    for (int32_t k = 0; k < plan->steps[step].access_count; k++) {
        const vdnn_access *access = &plan->accesses[plan->steps[step].first_access + k];
        const vdnn_buffer *buffer = &plan->buffers[access->buffer];
        if (access->mode == VDNN_WRITE && buffer->first_step < step && !buffer->persistent)
            return access;
    }
    return NULL;
}

static bool rewrites(const vdnn_plan *plan, int32_t step)
{
    return rewrite_of(plan, step) != NULL;
}

/* From a write on, all accesses of a buffer are of another one, in the same place or behind all
 * others. */
static bool cut_buffer(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t from = draw_step(rng, plan, rewrites);
    if (from == NONE)
        return false;
    const vdnn_access kept = *rewrite_of(plan, from);
    const int32_t b = kept.buffer;
    const int32_t fresh = vdnn_plan_edit_add_buffer(plan, b, pick(rng, 0, 1) == 0);
    for (int32_t i = from; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++) {
            vdnn_access *access = &plan->accesses[plan->steps[i].first_access + k];
            const bool is_it = access->bind == kept.bind && access->slot == kept.slot;
            if (access->buffer == b && (i > from || is_it))
                access->buffer = fresh;
        }
    return true;
}

static void swap_places(vdnn_plan *plan, vdnn_access *one, vdnn_access *other)
{
    const vdnn_access kept = *one;
    vdnn_plan_edit_take(plan, one, other->buffer);
    one->writer = other->writer;
    vdnn_plan_edit_take(plan, other, kept.buffer);
    other->writer = kept.writer;
}

/* Two inputs of a step, two copies' targets, two gradients. */
static bool swap_buffers(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_access *one = draw_access(plan, rng);
    for (int i = 0; i < TRIES && one->mode != VDNN_HOLD; i++) {
        vdnn_access *other = draw_access(plan, rng);
        if (other->bind != one->bind || other->mode != one->mode ||
            !are_alike(plan, one->buffer, other->buffer))
            continue;
        swap_places(plan, one, other);
        return true;
    }
    return false;
}

static bool is_sum(const vdnn_plan *plan, int32_t step)
{
    return plan->steps[step].kind == VDNN_STEP_ACCUMULATE;
}

/* Of one sum, or of two that follow each other. */
static bool swap_summands(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, is_sum);
    int32_t next = i == NONE || pick(rng, 0, 1) == 0 ? i : i + 1;
    while (next != NONE && next < plan->step_count && !is_sum(plan, next))
        next++;
    if (next == NONE || next == plan->step_count)
        return false;
    vdnn_access *one = vdnn_plan_edit_access(plan, i, VDNN_BIND_SRC),
                *other =
                    vdnn_plan_edit_access(plan, next, next == i ? VDNN_BIND_DST : VDNN_BIND_SRC);
    if (one == NULL || other == NULL)
        return false;
    swap_places(plan, one, other);
    return true;
}

static bool lose_access(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, accesses);
    vdnn_plan_edit_remove_access(plan, i, pick(rng, 0, plan->steps[i].access_count - 1));
    return true;
}

static bool name_another_writer(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_access *access = &plan->accesses[draw(rng, plan, plan->access_count, reads)];
    const int32_t writer = pick(rng, -1, plan->step_count - 1);
    if (writer == access->writer)
        return false;
    access->writer = writer;
    return true;
}

static bool change_micro(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t count = plan->graph->micro_batches, i = draw_step(rng, plan, is_inner);
    if (count == 1)
        return false;
    plan->steps[i].micro = (plan->steps[i].micro + pick(rng, 1, count - 1)) % count;
    return true;
}

static bool change_part(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, runs_a_part);
    if (i == NONE)
        return false;
    const int32_t parts = vdnn_plan_parts(plan, &plan->steps[i]);
    plan->steps[i].part = (plan->steps[i].part + pick(rng, 1, parts - 1)) % parts;
    return true;
}

/* Of samples mostly, where there are any. */
static vdnn_access *draw_range(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, runs_a_part);
    if (i == NONE || pick(rng, 0, 3) == 0)
        return draw_access(plan, rng);
    const vdnn_step *step = &plan->steps[i];
    return &plan->accesses[step->first_access + pick(rng, 0, step->access_count - 1)];
}

/* A longer or shorter one of each sample, with more or fewer of the last one or not; or the next
 * one is nearer. */
static bool change_stripes(vdnn_access *access, vdnn_test_rng *rng)
{
    const size_t by = 2;
    switch (pick(rng, 0, 3)) {
    case 0:
        access->stripe += by;
        access->bytes += by;
        return true;
    case 1:
        access->stripe -= by;
        access->bytes -= by;
        return true;
    case 2:
        access->stripe -= by;
        return true;
    default:
        access->stride -= by;
        return true;
    }
}

/* By a sample or a byte, to either side; or it ends earlier; of stripes, other ones. */
static bool shift_range(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_access *access = draw_range(plan, rng);
    const size_t by =
        pick(rng, 0, 2) == 0 ? 1 : sample_bytes(plan, plan->buffers[access->buffer].bytes);
    if (access->mode == VDNN_HOLD)
        return false;
    if (access->stride > 0 && pick(rng, 0, 1) == 0)
        return change_stripes(access, rng);
    if (pick(rng, 0, 2) == 0 && access->bytes > by)
        access->bytes -= by;
    else if (access->first >= by && pick(rng, 0, 1) == 0)
        access->first -= by;
    else
        access->first += by;
    return true;
}

static bool is_of_layer(const vdnn_plan *plan, int32_t step)
{
    return computes(plan, step) && !is_sum(plan, step);
}

static bool change_layer(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, is_of_layer),
                  layer = pick(rng, 0, plan->graph->layer_count - 1);
    if (plan->steps[i].layer < 0 || plan->steps[i].layer == layer)
        return false;
    plan->steps[i].layer = layer;
    return true;
}

/* Another algorithm than forward's, or for both one whose bits vary. */
static bool change_algorithm(vdnn_plan *plan, vdnn_test_rng *rng)
{
    static vdnn_algorithm other;
    const int32_t i = draw_step(rng, plan, is_recompute);
    if (i == NONE)
        return false;
    const int32_t layer = plan->steps[i].layer;
    other = *plan->steps[i].algorithm;
    other.deterministic = pick(rng, 0, 1) == 0;
    plan->steps[i].algorithm = &other;
    for (int32_t k = 0; k < plan->step_count && !other.deterministic; k++)
        if (plan->steps[k].layer == layer && vdnn_step_has_kernel(&plan->steps[k]) &&
            vdnn_step_kernel_pass(&plan->steps[k]) == VDNN_FORWARD)
            plan->steps[k].algorithm = &other;
    return true;
}

static bool leave_out(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = draw_step(rng, plan, is_inner);
    if (computes(plan, i) && pick(rng, 0, 1) == 0)
        vdnn_plan_edit_mute(plan, i);
    else
        vdnn_plan_edit_remove(plan, i);
    return true;
}

static bool do_twice(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_plan_edit_duplicate(plan, draw_step(rng, plan, is_inner));
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*apply)(vdnn_plan *, vdnn_test_rng *);
    bool is_of_names; /* of writers, which stay as they are made */
} rows[] = {
    {"a buffer is shifted by a sample", shift_by_a_sample, false},
    {"a buffer is shifted by a block", shift_any, false},
    {"a buffer is put on another", put_any_on_another, false},
    {"an offset in the host or file tier", shift_beyond_device, false},
    {"a buffer is shrunk", shrink, false},
    {"a piece of a copy or sum is lost", lose_a_piece, false},
    {"kept between steps, or not", flip_kept, false},
    {"two layers' parameters are exchanged", exchange_homes, false},
    {"a wait is removed", remove_wait, false},
    {"a wait is for another step", redirect_wait, false},
    {"two steps of a stream are swapped", swap_on_stream, false},
    {"a step is moved", move_step, false},
    {"a step comes first", come_first, false},
    {"an update before the last reader", read_after_update, false},
    {"an access is of another buffer", take_another_buffer, false},
    {"two accesses' buffers are swapped", swap_buffers, false},
    {"two summands are swapped", swap_summands, false},
    {"a buffer is cut in two", cut_buffer, false},
    {"an access's range is shifted", shift_range, false},
    {"a step is of another part", change_part, false},
    {"an access is lost", lose_access, false},
    {"a read names another writer", name_another_writer, true},
    {"a step is of another micro-batch", change_micro, false},
    {"a step is of another layer", change_layer, false},
    {"another algorithm recomputes", change_algorithm, false},
    {"a step is left out", leave_out, false},
    {"a step is done twice", do_twice, false},
};

size_t vdnn_corruption_count(void)
{
    return sizeof rows / sizeof *rows;
}

const char *vdnn_corruption_name(size_t i)
{
    return rows[i].name;
}

bool vdnn_corruption_apply(size_t i, vdnn_plan *plan, vdnn_test_rng *rng)
{
    if (!rows[i].apply(plan, rng))
        return false;
    vdnn_plan_edit_refresh(plan);
    vdnn_plan_edit_fit_spans(plan);
    if (!rows[i].is_of_names && pick(rng, 0, 1) == 0)
        vdnn_plan_edit_name_writers(plan);
    return true;
}
