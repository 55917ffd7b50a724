#include "runtime/checker/checker_internal.h"

#include <math.h>

enum { READ_WRITE = VDNN_READ | VDNN_WRITE };
#define MOST_BYTES                                                                                 \
    ((size_t)1 << 60) /* more than any memory has, and far from the limit of 64 bits */

/* The classes that an access may be of, as bits. */
#define CLASS(name) (1U << VDNN_CLASS_##name)
enum {
    PLACE = CLASS(INPUT) | CLASS(LABELS), /* of a batch, where its readers find it */
    AHEAD = CLASS(INPUT_AHEAD) | CLASS(LABELS_AHEAD),
    ARRIVED = CLASS(INPUT_ARRIVED) | CLASS(LABELS_ARRIVED),
    GRADIENT = CLASS(GRADIENT_MAP) | CLASS(WEIGHT_GRADIENT),
    MOVED = CLASS(FEATURE_MAP) | CLASS(STASH) | CLASS(INPUT) | GRADIENT,
    KEPT = CLASS(WEIGHT) | CLASS(OPTIMIZER),
    CROSSES = CLASS(FEATURE_MAP) | CLASS(INPUT) | CLASS(GRADIENT_MAP) | CLASS(NORM) |
              CLASS(WEIGHT) | CLASS(WEIGHT_GRADIENT),
};

/* The accesses of each kind of step without a kernel, each exactly once; beside these it may only
 * hold. The classes that a row writes are what its kind can leave: only the kinds that say so write
 * what is kept between training steps. A sum's first part may write what others change; some rows
 * hold if the network's gradients are clipped, if those of several devices are summed in host
 * memory, or if this one gathers them. */
#define ROW(kind, bind, mode, tier, classes, ...)                                                  \
    {                                                                                              \
        VDNN_STEP_##kind, VDNN_BIND_##bind, mode, VDNN_TIER_##tier, classes, __VA_ARGS__           \
    }
// clang-format off
static const struct kind_row {
    vdnn_step_kind kind;
    vdnn_bind bind;
    unsigned mode;
    vdnn_tier tier;
    unsigned classes;
    bool may_begin;
    enum { ALWAYS, IF_CLIPPED, IF_BY_HOST, IF_GATHERS } when;
} kind_rows[] = {
    ROW(LOAD,       DST,    VDNN_WRITE, DEVICE, PLACE | AHEAD,          false, ALWAYS),
    ROW(TAKE,       SRC,    VDNN_READ,  DEVICE, AHEAD | ARRIVED,        false, ALWAYS),
    ROW(TAKE,       DST,    VDNN_WRITE, DEVICE, PLACE,                  false, ALWAYS),
    ROW(COPY_OUT,   SRC,    VDNN_READ,  DEVICE, MOVED | KEPT,           false, ALWAYS),
    ROW(COPY_OUT,   DST,    VDNN_WRITE, HOST,   MOVED | KEPT,           false, ALWAYS),
    ROW(COPY_IN,    SRC,    VDNN_READ,  HOST,   MOVED | KEPT,           false, ALWAYS),
    ROW(COPY_IN,    DST,    VDNN_WRITE, DEVICE, MOVED | KEPT,           false, ALWAYS),
    ROW(SPILL,      SRC,    VDNN_READ,  HOST,   MOVED,                  false, ALWAYS),
    ROW(SPILL,      DST,    VDNN_WRITE, FILE,   MOVED,                  false, ALWAYS),
    ROW(FILL,       SRC,    VDNN_READ,  FILE,   MOVED,                  false, ALWAYS),
    ROW(FILL,       DST,    VDNN_WRITE, HOST,   MOVED,                  false, ALWAYS),
    ROW(ACCUMULATE, DST,    READ_WRITE, DEVICE, GRADIENT,               false, ALWAYS),
    ROW(ACCUMULATE, SRC,    VDNN_READ,  DEVICE, GRADIENT,               false, ALWAYS),
    ROW(REDUCE,     DST,    READ_WRITE, DEVICE, CLASS(WEIGHT_GRADIENT), false, ALWAYS),
    ROW(REDUCE,     STAGED, VDNN_WRITE, HOST,   CLASS(WORKSPACE),       false, IF_BY_HOST),
    ROW(REDUCE,     STAGED, VDNN_WRITE, DEVICE, CLASS(WORKSPACE),       false, IF_GATHERS),
    ROW(GATHER,     DST,    READ_WRITE, DEVICE, CLASS(WEIGHT),          false, ALWAYS),
    ROW(SEND,       SRC,    VDNN_READ,  DEVICE, CROSSES,                false, ALWAYS),
    ROW(RECEIVE,    DST,    VDNN_WRITE, DEVICE, CROSSES,                false, ALWAYS),
    ROW(AVERAGE,    W,      READ_WRITE, DEVICE, CLASS(WEIGHT),          false, ALWAYS),
    ROW(AVERAGE,    DW,     VDNN_READ,  DEVICE, CLASS(WEIGHT_GRADIENT), false, ALWAYS),
    ROW(NORM,       DW,     VDNN_READ,  DEVICE, CLASS(WEIGHT_GRADIENT), false, ALWAYS),
    ROW(NORM,       DST,    READ_WRITE, DEVICE, CLASS(NORM),            true,  ALWAYS),
    ROW(UPDATE,     W,      READ_WRITE, DEVICE, CLASS(WEIGHT),          false, ALWAYS),
    ROW(UPDATE,     STATE,  READ_WRITE, DEVICE, CLASS(OPTIMIZER),       false, ALWAYS),
    ROW(UPDATE,     DW,     VDNN_READ,  DEVICE, CLASS(WEIGHT_GRADIENT), false, ALWAYS),
    ROW(UPDATE,     SRC,    VDNN_READ,  DEVICE, CLASS(NORM),            false, IF_CLIPPED),
    ROW(STORE,      SRC,    VDNN_READ,  DEVICE, CLASS(RESULT),          false, ALWAYS),
};
// clang-format on
#undef ROW
enum { KIND_ROWS = sizeof kind_rows / sizeof *kind_rows };

static const vdnn_stream_id kind_streams[] = {
#define X(name, text, stream, ...) VDNN_STREAM_##stream,
    VDNN_STEP_TABLE(X)
#undef X
};
_Static_assert(sizeof kind_streams / sizeof *kind_streams == VDNN_STEP_KIND_COUNT,
               "each kind has a row");

/* The classes that each bind of a kernel may have; 0: by the kind of step. */
static const unsigned bind_classes[] = {
    [VDNN_BIND_X] = CLASS(FEATURE_MAP) | CLASS(INPUT) | CLASS(STASH),
    [VDNN_BIND_Y] = CLASS(FEATURE_MAP) | CLASS(STASH) | CLASS(RESULT),
    [VDNN_BIND_DX] = CLASS(GRADIENT_MAP) | CLASS(FEATURE_MAP), /* over x */
    [VDNN_BIND_DY] = CLASS(GRADIENT_MAP) | CLASS(FEATURE_MAP),
    [VDNN_BIND_W] = CLASS(WEIGHT),
    [VDNN_BIND_DW] = CLASS(WEIGHT_GRADIENT),
    [VDNN_BIND_STATE] = CLASS(OPTIMIZER),
    [VDNN_BIND_AUX] = CLASS(STASH) | CLASS(FEATURE_MAP),
    [VDNN_BIND_WORKSPACE] = CLASS(WORKSPACE),
    [VDNN_BIND_LABELS] = CLASS(LABELS),
    [VDNN_BIND_SRC] = 0,
    [VDNN_BIND_DST] = 0,
    [VDNN_BIND_STAGED] = CLASS(WORKSPACE),
    [VDNN_BIND_HOLD] = 0,
};
_Static_assert(sizeof bind_classes / sizeof *bind_classes == VDNN_BIND_COUNT,
               "each bind has a row");
_Static_assert(VDNN_CLASS_COUNT <= 32 && VDNN_BIND_COUNT <= UINT8_MAX,
               "classes are bits, binds bytes");
static bool inside(int32_t first, int32_t count, int32_t total)
{
    return first >= 0 && count >= 0 && first <= total && count <= total - first;
}

static vdnn_status check_step_lists(const vdnn_checker *checker, int32_t i)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    if (!inside(step->first_access, step->access_count, plan->access_count))
        return vdnn_checker_refuse(checker, i, -1, -1, "accesses %d + %d are beyond the list of %d",
                                   step->first_access, step->access_count, plan->access_count);
    if (!inside(step->first_wait, step->wait_count, plan->wait_count))
        return vdnn_checker_refuse(checker, i, -1, -1, "waits %d + %d are beyond the list of %d",
                                   step->first_wait, step->wait_count, plan->wait_count);
    for (int32_t k = 0; k < step->wait_count; k++) {
        const int32_t wait = plan->waits[step->first_wait + k];
        if (wait < 0 || wait >= i)
            return vdnn_checker_refuse(checker, i, wait, -1,
                                       "a step waits for step %d, which is no earlier one", wait);
        if (plan->steps[wait].stream == step->stream)
            return vdnn_checker_refuse(checker, i, wait, -1,
                                       "a step waits for one of its own stream");
    }
    return VDNN_OK;
}

static vdnn_status check_step(const vdnn_checker *checker, int32_t i)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    const bool of_layer = vdnn_step_has_kernel(step) || step->kind == VDNN_STEP_REDUCE ||
                          step->kind == VDNN_STEP_GATHER || step->kind == VDNN_STEP_AVERAGE ||
                          step->kind == VDNN_STEP_NORM || step->kind == VDNN_STEP_UPDATE;
    if ((unsigned)step->kind >= VDNN_STEP_KIND_COUNT)
        return vdnn_checker_refuse(checker, i, -1, -1, "unknown kind of step %d", (int)step->kind);
    if (step->stream != kind_streams[step->kind])
        return vdnn_checker_refuse(checker, i, -1, -1, "a step is on stream %d, its kind is on %d",
                                   (int)step->stream, (int)kind_streams[step->kind]);
    if ((unsigned)step->pass >= VDNN_PASS_COUNT)
        return vdnn_checker_refuse(checker, i, -1, -1, "unknown pass %d", (int)step->pass);
    if (step->micro < 0 || step->micro >= plan->graph->micro_batches)
        return vdnn_checker_refuse(checker, i, -1, -1, "a step is of micro-batch %d of %d",
                                   step->micro, plan->graph->micro_batches);
    if (step->layer < (of_layer ? 0 : -1) || step->layer >= plan->graph->layer_count)
        return vdnn_checker_refuse(checker, i, -1, -1, "a step has layer %d of %d", step->layer,
                                   plan->graph->layer_count);
    const bool of_part = vdnn_step_has_kernel(step) || step->kind == VDNN_STEP_ACCUMULATE;
    const int32_t parts = of_part ? vdnn_plan_parts(plan, step) : 1;
    if (step->part < 0 || step->part >= parts)
        return vdnn_checker_refuse(checker, i, -1, -1, "a step is of part %d of %d", step->part,
                                   parts);
    if ((step->algorithm != NULL) != vdnn_step_has_kernel(step))
        return vdnn_checker_refuse(
            checker, i, -1, -1,
            "a run has an algorithm, a recompute has one, and no other step has one");
    if (!isfinite(step->seconds) || step->seconds < 0)
        return vdnn_checker_refuse(checker, i, -1, -1, "a step takes %g seconds", step->seconds);
    return check_step_lists(checker, i);
}

/* The bytes that a step without a kernel takes of a buffer. What copies of a map take on the device
 * is part of their meaning: checker_copies.c; so is where the gradient of a block of parameters
 * lies: checker_sums.c. In other tiers a copy takes all of a buffer: the file tier moves whole
 * blocks, and what verifies copies has one hash of each buffer. */
static size_t due_bytes(const vdnn_plan *plan, const vdnn_step *step, const vdnn_access *access)
{
    const vdnn_buffer *buffer = &plan->buffers[access->buffer];
    const bool copies = vdnn_step_kind_copies(step->kind);
    if (copies && buffer->map >= 0 && buffer->tier == VDNN_TIER_DEVICE)
        return access->bytes;
    if (access->bind == VDNN_BIND_STAGED && plan->graph->gathers) /* what the others send */
        return (size_t)(plan->graph->devices - 1) * step->bytes;
    if (step->kind == VDNN_STEP_REDUCE ||
        (step->kind == VDNN_STEP_ACCUMULATE && buffer->class == VDNN_CLASS_GRADIENT_MAP))
        return step->bytes;
    if (!copies && buffer->class == VDNN_CLASS_WEIGHT_GRADIENT)
        return access->bytes;
    return buffer->bytes;
}

/* Kernels alone take stripes, whole ones, of all periods that they touch. */
static bool has_stripes(const vdnn_step *step, const vdnn_access *access)
{
    if (access->stride == 0)
        return access->stripe == 0;
    return vdnn_step_has_kernel(step) && access->mode != VDNN_HOLD && access->stripe > 0 &&
           access->stripe < access->stride && access->stripe <= access->bytes &&
           (access->bytes - access->stripe) % access->stride == 0;
}

static vdnn_status check_access(const vdnn_checker *checker, int32_t i, const vdnn_access *access)
{
    const vdnn_plan *plan = checker->plan;
    if (access->buffer < 0 || access->buffer >= plan->buffer_count)
        return vdnn_checker_refuse(checker, i, -1, -1, "an access of buffer %d of %d",
                                   access->buffer, plan->buffer_count);
    const vdnn_buffer *buffer = &plan->buffers[access->buffer];
    if (access->bind >= VDNN_BIND_COUNT || access->mode > READ_WRITE ||
        (access->mode == VDNN_HOLD) != (access->bind == VDNN_BIND_HOLD))
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "an access has bind %d with mode %d", access->bind,
                                   access->mode);
    if (access->bytes == 0 || access->bytes > buffer->bytes ||
        access->first > buffer->bytes - access->bytes)
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "an access of %zu bytes at %zu of a buffer of %zu",
                                   access->bytes, access->first, buffer->bytes);
    if (!has_stripes(&plan->steps[i], access))
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "an access of %zu of every %zu bytes of %zu", access->stripe,
                                   access->stride, access->bytes);
    const size_t due = due_bytes(plan, &plan->steps[i], access);
    if (!vdnn_step_has_kernel(&plan->steps[i]) && access->mode != VDNN_HOLD && access->bytes != due)
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "a step without a kernel takes %zu of %zu bytes", access->bytes,
                                   due);
    const unsigned classes = bind_classes[access->bind];
    const bool is_there = buffer->tier == VDNN_TIER_DEVICE || access->bind == VDNN_BIND_STAGED;
    if (classes != 0 && ((classes & 1U << buffer->class) == 0 || !is_there))
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "a step takes a buffer of the wrong class or tier");
    if ((access->mode & VDNN_READ) != 0 &&
        (access->writer < -1 || access->writer >= plan->step_count))
        return vdnn_checker_refuse(checker, i, -1, access->buffer, "a read names step %d of %d",
                                   access->writer, plan->step_count);
    if (access->bind != VDNN_BIND_HOLD && !vdnn_step_has_kernel(&plan->steps[i]) &&
        buffer->class != VDNN_CLASS_NORM && plan->steps[i].bytes > buffer->bytes)
        return vdnn_checker_refuse(checker, i, -1, access->buffer,
                                   "a step moves %zu bytes, its buffer has %zu",
                                   plan->steps[i].bytes, buffer->bytes);
    return VDNN_OK;
}

static bool is_due(const vdnn_plan *plan, const vdnn_step *step, const struct kind_row *row)
{
    const bool holds[] = {[ALWAYS] = true,
                          [IF_CLIPPED] = plan->graph->training.clip_norm > 0,
                          [IF_BY_HOST] = plan->graph->reduce == VDNN_REDUCE_HOST,
                          [IF_GATHERS] = plan->graph->gathers};
    return row->kind == step->kind && holds[row->when];
}

static bool is_of_row(const vdnn_plan *plan, const vdnn_access *access, const struct kind_row *row)
{
    const bool begins = row->may_begin && access->mode == VDNN_WRITE;
    return access->bind == row->bind && (access->mode == row->mode || begins) &&
           plan->buffers[access->buffer].tier == row->tier;
}

/* The one access of a row; -1: there is none, or several. */
static int32_t find_of_row(const vdnn_plan *plan, const vdnn_step *step, const struct kind_row *row)
{
    int32_t found = -1, count = 0;
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++)
        if (is_of_row(plan, &plan->accesses[k], row)) {
            found = k;
            count++;
        }
    return count == 1 ? found : -1;
}

/* A step without a kernel has each access of its kind's rows once, of their classes, and only holds
 * beside them. */
static vdnn_status check_rows(const vdnn_checker *checker, int32_t i)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    int32_t touched = 0, wanted = 0;
    for (int32_t k = 0; k < step->access_count; k++)
        touched += plan->accesses[step->first_access + k].mode != VDNN_HOLD;
    for (const struct kind_row *row = kind_rows; row < kind_rows + KIND_ROWS; row++) {
        if (!is_due(plan, step, row))
            continue;
        const int32_t found = find_of_row(plan, step, row);
        if (found < 0)
            return vdnn_checker_refuse(
                checker, i, -1, -1,
                "a step has not one access of the kind that it needs exactly once (%s, mode %u)",
                vdnn_bind_text(row->bind), row->mode);
        const int32_t buffer = plan->accesses[found].buffer;
        if ((row->classes & 1U << plan->buffers[buffer].class) == 0)
            return vdnn_checker_refuse(checker, i, -1, buffer,
                                       "a step takes a buffer of the wrong class as %s",
                                       vdnn_bind_text(row->bind));
        wanted++;
    }
    if (touched != wanted)
        return vdnn_checker_refuse(
            checker, i, -1, -1, "a step touches %d buffers, its kind touches %d", touched, wanted);
    return VDNN_OK;
}

static vdnn_status own_accesses(vdnn_checker *checker, int32_t i)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_step *step = &plan->steps[i];
    for (int32_t k = step->first_access; k < step->first_access + step->access_count; k++) {
        if (checker->access_step[k] >= 0)
            return vdnn_checker_refuse(checker, i, checker->access_step[k], -1,
                                       "two steps share access %d", k);
        checker->access_step[k] = i;
        VDNN_TRY(check_access(checker, i, &plan->accesses[k]));
        checker->buffer_first[plan->accesses[k].buffer + 1]++;
    }
    return vdnn_step_has_kernel(step) ? VDNN_OK : check_rows(checker, i);
}

/* Sorts the accesses by buffer, in the order of the list, and finds each buffer's users. */
static void sort_accesses(vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        checker->buffer_first[b + 1] += checker->buffer_first[b];
        for (int s = 0; s < VDNN_STREAM_COUNT; s++)
            checker->users[b].first[s] = checker->users[b].last[s] = -1;
    }
    for (int32_t i = plan->step_count - 1; i >= 0; i--) {
        const vdnn_step *step = &plan->steps[i];
        for (int32_t k = step->first_access + step->access_count - 1; k >= step->first_access;
             k--) {
            const int32_t b = plan->accesses[k].buffer;
            vdnn_checker_users *users = &checker->users[b];
            users->first[step->stream] = i;
            if (users->last[step->stream] < 0)
                users->last[step->stream] = i;
            checker->buffer_access[--checker->buffer_first[b + 1]] = k;
        }
    }
    for (int32_t b = 0; b < plan->buffer_count; b++)
        checker->buffer_first[b] = checker->buffer_first[b + 1];
    checker->buffer_first[plan->buffer_count] = plan->access_count;
}

static vdnn_status check_buffer(const vdnn_checker *checker, int32_t b)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_buffer *buffer = &plan->buffers[b];
    const int32_t begin = checker->buffer_first[b], end = checker->buffer_first[b + 1];
    if (begin == end && buffer->persistent)
        return VDNN_OK;
    if (begin == end)
        return vdnn_checker_refuse(checker, -1, -1, b, "no step accesses a buffer");
    const int32_t first = checker->access_step[checker->buffer_access[begin]],
                  last = checker->access_step[checker->buffer_access[end - 1]];
    if (buffer->first_step != first || buffer->last_step != last)
        return vdnn_checker_refuse(
            checker, first, last, b,
            "a buffer says that it lives from step %d to %d, its accesses from %d to %d",
            buffer->first_step, buffer->last_step, first, last);
    return VDNN_OK;
}

/* Of parameters and optimizer state the one block that the plan names, wherever it is; others are
 * copies of it. */
static bool is_kept(const vdnn_plan *plan, int32_t b)
{
    const vdnn_buffer *buffer = &plan->buffers[b];
    if (buffer->class == VDNN_CLASS_WEIGHT)
        return buffer->layer >= 0 && plan->param_buffer[buffer->layer] == b;
    if (buffer->class == VDNN_CLASS_OPTIMIZER)
        return buffer->layer >= 0 && plan->state_buffer[buffer->layer] == b;
    return plan->loads == VDNN_LOADS_AHEAD && (AHEAD & 1U << buffer->class) != 0;
}

static vdnn_status check_buffer_form(const vdnn_checker *checker, int32_t b)
{
    const vdnn_plan *plan = checker->plan;
    const vdnn_buffer *buffer = &plan->buffers[b];
    if ((unsigned)buffer->class >= VDNN_CLASS_COUNT || (unsigned)buffer->tier >= VDNN_TIER_COUNT)
        return vdnn_checker_refuse(checker, -1, -1, b, "unknown class %d or tier %d",
                                   (int)buffer->class, (int)buffer->tier);
    if (buffer->layer < -1 || buffer->layer >= plan->graph->layer_count || buffer->map < -1 ||
        buffer->map >= plan->graph->map_count)
        return vdnn_checker_refuse(checker, -1, -1, b,
                                   "a buffer has layer %d of %d and map %d of %d", buffer->layer,
                                   plan->graph->layer_count, buffer->map, plan->graph->map_count);
    if (buffer->bytes == 0)
        return vdnn_checker_refuse(checker, -1, -1, b, "a buffer has no bytes");
    const size_t all = buffer->map >= 0 ? plan->graph->maps[buffer->map].bytes : 0;
    if (buffer->map_offset > 0 && (buffer->bytes > all || buffer->map_offset > all - buffer->bytes))
        return vdnn_checker_refuse(checker, -1, -1, b,
                                   "a piece of %zu bytes at %zu of a map of %zu", buffer->bytes,
                                   buffer->map_offset, all);
    if (buffer->class == VDNN_CLASS_NORM && buffer->bytes < sizeof(vdnn_norm))
        return vdnn_checker_refuse(checker, -1, -1, b, "a norm takes %zu bytes, its buffer has %zu",
                                   sizeof(vdnn_norm), buffer->bytes);
    if (buffer->persistent != is_kept(plan, b))
        return vdnn_checker_refuse(checker, -1, -1, b,
                                   "weights, optimizer state and what is loaded ahead are kept "
                                   "between training steps, and nothing else is");
    return VDNN_OK;
}

/* So neither a sum of live buffers, nor the end of one, exceeds 64 bits. */
static vdnn_status check_bytes(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    size_t buffers = 0, moved = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (__builtin_add_overflow(buffers, plan->buffers[b].bytes, &buffers) ||
            buffers > MOST_BYTES)
            return vdnn_checker_refuse(checker, -1, -1, b,
                                       "the buffers have more bytes than any memory");
    for (int32_t i = 0; i < plan->step_count; i++)
        if (__builtin_add_overflow(moved, plan->steps[i].bytes, &moved))
            return vdnn_checker_refuse(checker, i, -1, -1,
                                       "the steps move more bytes than any link");
    bool good = plan->graph->zone_bytes <= MOST_BYTES;
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        good = good && plan->span_bytes[tier] <= MOST_BYTES;
    if (!good)
        return vdnn_checker_refuse(checker, -1, -1, -1,
                                   "a span or a zone has more bytes than any memory");
    return VDNN_OK;
}

static vdnn_status check_ends(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t end = plan->step_count - 1;
    if (plan->steps[0].kind != VDNN_STEP_JOIN || plan->steps[end].kind != VDNN_STEP_JOIN)
        return vdnn_checker_refuse(checker, 0, end, -1, "a plan begins and ends with a join");
    for (int32_t k = 0; k < plan->access_count; k++)
        if (checker->access_step[k] < 0)
            return vdnn_checker_refuse(checker, -1, -1, -1, "access %d belongs to no step", k);
    return VDNN_OK;
}

vdnn_status vdnn_checker_form(vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    vdnn_status status = VDNN_OK;
    for (int32_t k = 0; k < plan->access_count; k++)
        checker->access_step[k] = checker->source[k] = -1;
    for (int32_t b = 0; b < plan->buffer_count && status == VDNN_OK; b++)
        status = check_buffer_form(checker, b);
    VDNN_IF_OK(status, check_bytes(checker));
    for (int32_t i = 0; i < plan->step_count && status == VDNN_OK; i++)
        status = check_step(checker, i);
    for (int32_t i = 0; i < plan->step_count && status == VDNN_OK; i++)
        status = own_accesses(checker, i);
    VDNN_IF_OK(status, check_ends(checker));
    if (status != VDNN_OK)
        return status;
    sort_accesses(checker);
    for (int32_t b = 0; b < plan->buffer_count && status == VDNN_OK; b++)
        status = check_buffer(checker, b);
    return status;
}
