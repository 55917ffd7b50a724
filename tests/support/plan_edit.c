#include "tests/support/plan_edit.h"

#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

vdnn_plan *vdnn_plan_edit_copy(const vdnn_plan *plan)
{
    vdnn_plan *copy;
    assert_ok(vdnn_plan_copy(plan, &copy));
    return copy;
}

void vdnn_plan_edit_remove_wait(vdnn_plan *plan, int32_t step, int32_t wait)
{
    vdnn_step *edited = &plan->steps[step];
    int32_t *waits = &plan->waits[edited->first_wait];
    waits[wait] = waits[--edited->wait_count];
}

/* Behind all others, where its list can grow. */
void vdnn_plan_edit_add_wait(vdnn_plan *plan, int32_t step, int32_t target)
{
    vdnn_step *waiter = &plan->steps[step];
    const size_t count = (size_t)plan->wait_count + (size_t)waiter->wait_count + 1;
    int32_t *waits = vdnn_heap_realloc(plan->waits, count, sizeof *waits);
    assert_non_null(waits);
    plan->waits = waits;
    memcpy(&waits[plan->wait_count], &waits[waiter->first_wait],
           (size_t)waiter->wait_count * sizeof *waits);
    waiter->first_wait = plan->wait_count;
    waits[plan->wait_count + waiter->wait_count++] = target;
    plan->wait_count = (int32_t)count;
}

void vdnn_plan_edit_redirect_wait(vdnn_plan *plan, int32_t step, int32_t target)
{
    plan->waits[plan->steps[step].first_wait] = target;
}

void vdnn_plan_edit_mute(vdnn_plan *plan, int32_t step)
{
    vdnn_step *muted = &plan->steps[step];
    muted->kind = VDNN_STEP_JOIN;
    muted->algorithm = NULL;
    muted->part = 0;
    for (int32_t k = 0; k < muted->access_count; k++) {
        vdnn_access *access = &plan->accesses[muted->first_access + k];
        access->mode = VDNN_HOLD;
        access->bind = VDNN_BIND_HOLD;
        access->stripe = access->stride = 0;
    }
}

static void shift_references(vdnn_plan *plan, int32_t from)
{
    for (int32_t i = 0; i < plan->wait_count; i++)
        plan->waits[i] += plan->waits[i] >= from;
    for (int32_t i = 0; i < plan->access_count; i++)
        plan->accesses[i].writer += plan->accesses[i].writer >= from;
}

/* Where step i is after the one at `from` went to `to`. */
static int32_t moved_to(int32_t i, int32_t from, int32_t to)
{
    if (i == from)
        return to;
    return i - (from < i && i <= to) + (to <= i && i < from);
}

void vdnn_plan_edit_duplicate(vdnn_plan *plan, int32_t step)
{
    const vdnn_step original = plan->steps[step];
    vdnn_step *steps = vdnn_heap_realloc(plan->steps, (size_t)plan->step_count + 1, sizeof *steps);
    assert_non_null(steps);
    plan->steps = steps;
    vdnn_access *accesses = vdnn_heap_realloc(
        plan->accesses, (size_t)plan->access_count + (size_t)original.access_count,
        sizeof *accesses);
    assert_non_null(accesses);
    plan->accesses = accesses;
    memmove(&steps[step + 1], &steps[step], (size_t)(plan->step_count - step) * sizeof *steps);
    shift_references(plan, step);
    memcpy(&accesses[plan->access_count], &accesses[original.first_access],
           (size_t)original.access_count * sizeof *accesses);
    steps[step].first_access = plan->access_count;
    plan->access_count += original.access_count;
    plan->step_count++;
    vdnn_plan_edit_refresh(plan);
}

static bool is_of_map(vdnn_bind bind)
{
    return bind == VDNN_BIND_X || bind == VDNN_BIND_Y || bind == VDNN_BIND_DX ||
           bind == VDNN_BIND_DY || bind == VDNN_BIND_AUX;
}

void vdnn_plan_edit_resize(vdnn_plan *plan, int32_t buffer, size_t bytes)
{
    for (int32_t k = 0; k < plan->access_count; k++)
        if (plan->accesses[k].buffer == buffer && !is_of_map((vdnn_bind)plan->accesses[k].bind))
            plan->accesses[k].bytes = bytes;
    plan->buffers[buffer].bytes = bytes;
}

void vdnn_plan_edit_refresh(vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        plan->buffers[b].first_step = plan->buffers[b].last_step = -1;
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++) {
            const int32_t b = plan->accesses[plan->steps[i].first_access + k].buffer;
            if (plan->buffers[b].first_step < 0)
                plan->buffers[b].first_step = i;
            plan->buffers[b].last_step = i;
        }
}

void vdnn_plan_edit_expect_refused(vdnn_plan *broken, const char *message)
{
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_checker_check(broken, vdnn_tier_unlimited), VDNN_INTERNAL);
    if (message != NULL)
        assert_message(message);
}

void vdnn_plan_edit_move(vdnn_plan *plan, int32_t from, int32_t to)
{
    const vdnn_step moved = plan->steps[from];
    const int32_t by = from < to ? 1 : -1;
    for (int32_t i = from; i != to; i += by)
        plan->steps[i] = plan->steps[i + by];
    plan->steps[to] = moved;
    for (int32_t i = 0; i < plan->wait_count; i++)
        plan->waits[i] = moved_to(plan->waits[i], from, to);
    for (int32_t i = 0; i < plan->access_count; i++)
        plan->accesses[i].writer = moved_to(plan->accesses[i].writer, from, to);
}

void vdnn_plan_edit_remove_access(vdnn_plan *plan, int32_t step, int32_t access)
{
    const int32_t removed = plan->steps[step].first_access + access;
    plan->access_count--;
    plan->steps[step].access_count--;
    memmove(&plan->accesses[removed], &plan->accesses[removed + 1],
            (size_t)(plan->access_count - removed) * sizeof *plan->accesses);
    for (int32_t i = 0; i < plan->step_count; i++)
        plan->steps[i].first_access -= plan->steps[i].first_access > removed;
}

/* A wait for a step becomes one for the step before it on its stream, if that is another's. */
static void skip_wait(vdnn_plan *plan, int32_t step, int32_t wait)
{
    int32_t *awaited = &plan->waits[plan->steps[step].first_wait + wait];
    const vdnn_stream_id stream = plan->steps[*awaited].stream;
    int32_t before = *awaited - 1;
    while (before >= 0 && plan->steps[before].stream != stream)
        before--;
    if (before < 0 || stream == plan->steps[step].stream)
        vdnn_plan_edit_remove_wait(plan, step, wait);
    else
        *awaited = before;
}

void vdnn_plan_edit_remove(vdnn_plan *plan, int32_t step)
{
    while (plan->steps[step].access_count > 0)
        vdnn_plan_edit_remove_access(plan, step, 0);
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t k = plan->steps[i].wait_count - 1; k >= 0; k--)
            if (plan->waits[plan->steps[i].first_wait + k] == step)
                skip_wait(plan, i, k);
    for (int32_t i = 0; i < plan->access_count; i++)
        if (plan->accesses[i].writer == step)
            plan->accesses[i].writer = -1;
    vdnn_plan_edit_move(plan, step, plan->step_count - 1);
    plan->step_count--;
}

void vdnn_plan_edit_take(vdnn_plan *plan, vdnn_access *access, int32_t buffer)
{
    if (access->bytes == plan->buffers[access->buffer].bytes && !is_of_map((vdnn_bind)access->bind))
        access->bytes = plan->buffers[buffer].bytes;
    access->buffer = buffer;
}

int32_t vdnn_plan_edit_add_buffer(vdnn_plan *plan, int32_t like, bool in_its_place)
{
    const size_t count = (size_t)plan->buffer_count + 1;
    vdnn_buffer *buffers = vdnn_heap_realloc(plan->buffers, count, sizeof *buffers);
    assert_non_null(buffers);
    plan->buffers = buffers;
    vdnn_buffer *fresh = &buffers[plan->buffer_count];
    *fresh = buffers[like];
    const size_t alignment = vdnn_tier_alignment(fresh->tier);
    if (!in_its_place)
        fresh->offset = (plan->span_bytes[fresh->tier] + alignment - 1) / alignment * alignment;
    return plan->buffer_count++;
}

void vdnn_plan_edit_fit_spans(vdnn_plan *plan)
{
    memset(plan->span_bytes, 0, sizeof plan->span_bytes);
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        size_t *span = &plan->span_bytes[buffer->tier];
        if (buffer->offset + buffer->bytes > *span)
            *span = buffer->offset + buffer->bytes;
    }
}

void vdnn_plan_edit_name_writers(vdnn_plan *plan)
{
    int32_t *writer = vdnn_heap_calloc((size_t)plan->buffer_count + 1, sizeof *writer);
    assert_non_null(writer);
    memset(writer, -1, (size_t)plan->buffer_count * sizeof *writer);
    for (int32_t i = 0; i < plan->step_count; i++) {
        vdnn_access *accesses = &plan->accesses[plan->steps[i].first_access];
        for (int32_t k = 0; k < plan->steps[i].access_count; k++)
            accesses[k].writer =
                (accesses[k].mode & VDNN_READ) != 0 ? writer[accesses[k].buffer] : -1;
        for (int32_t k = 0; k < plan->steps[i].access_count; k++)
            if ((accesses[k].mode & VDNN_WRITE) != 0)
                writer[accesses[k].buffer] = i;
    }
    vdnn_heap_free(writer);
}

int32_t vdnn_plan_edit_find(const vdnn_plan *plan, vdnn_step_kind kind, int32_t layer, int32_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == kind && (layer < 0 || plan->steps[i].layer == layer) && n-- == 0)
            return i;
    return -1;
}

int32_t vdnn_plan_edit_find_run(const vdnn_plan *plan, vdnn_pass pass, int32_t layer, int32_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_RUN && plan->steps[i].pass == pass &&
            (layer < 0 || plan->steps[i].layer == layer) && n-- == 0)
            return i;
    return -1;
}

int32_t vdnn_plan_edit_find_buffer(const vdnn_plan *plan, vdnn_class class)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (plan->buffers[b].class == class)
            return b;
    return -1;
}

vdnn_access *vdnn_plan_edit_access(const vdnn_plan *plan, int32_t step, vdnn_bind bind)
{
    for (int32_t k = 0; k < plan->steps[step].access_count; k++) {
        vdnn_access *access = &plan->accesses[plan->steps[step].first_access + k];
        if (access->bind == bind)
            return access;
    }
    return NULL;
}

/* ---- the slow checker ------------------------------------------------------------------------ */

typedef struct order {
    const vdnn_plan *plan;
    bool *before; /* step_count x step_count */
} order;

static bool comes_before(const order *o, int32_t a, int32_t b)
{
    return o->before[(size_t)a * (size_t)o->plan->step_count + (size_t)b];
}

static void inherit(order *o, int32_t early, int32_t late)
{
    const size_t n = (size_t)o->plan->step_count;
    o->before[(size_t)early * n + (size_t)late] = true;
    for (size_t i = 0; i < n; i++)
        if (o->before[i * n + (size_t)early])
            o->before[i * n + (size_t)late] = true;
}

static void find_order(order *o)
{
    const vdnn_plan *plan = o->plan;
    for (int32_t i = 0; i < plan->step_count; i++) {
        int32_t last = i - 1;
        while (last >= 0 && plan->steps[last].stream != plan->steps[i].stream)
            last--;
        if (last >= 0)
            inherit(o, last, i);
        for (int32_t k = 0; k < plan->steps[i].wait_count; k++)
            inherit(o, plan->waits[plan->steps[i].first_wait + k], i);
    }
}

static bool frame_is_ordered(const order *o)
{
    const int32_t end = o->plan->step_count - 1;
    for (int32_t i = 0; i <= end; i++)
        if ((i > 0 && !comes_before(o, 0, i)) || (i < end && !comes_before(o, i, end)))
            return false;
    return true;
}

static bool share_bytes(const vdnn_buffer *a, const vdnn_buffer *b)
{
    return a->tier == b->tier && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

/* All accesses of one come before all of the other: found by trying each pair of accesses. */
static bool all_before(const order *o, int32_t a, int32_t b)
{
    const vdnn_plan *plan = o->plan;
    for (int32_t i = plan->buffers[a].first_step; i <= plan->buffers[a].last_step; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++) {
            if (plan->accesses[plan->steps[i].first_access + k].buffer != a)
                continue;
            for (int32_t j = plan->buffers[b].first_step; j <= plan->buffers[b].last_step; j++)
                for (int32_t l = 0; l < plan->steps[j].access_count; l++)
                    if (plan->accesses[plan->steps[j].first_access + l].buffer == b &&
                        !comes_before(o, i, j))
                        return false;
        }
    return true;
}

static bool memory_is_ordered(const order *o)
{
    const vdnn_plan *plan = o->plan;
    for (int32_t a = 0; a < plan->buffer_count; a++)
        for (int32_t b = a + 1; b < plan->buffer_count; b++)
            if (share_bytes(&plan->buffers[a], &plan->buffers[b]) &&
                (plan->buffers[a].persistent || plan->buffers[b].persistent ||
                 (!all_before(o, a, b) && !all_before(o, b, a))))
                return false;
    return true;
}

/* What is loaded late is found where it was left. */
static bool places_are_one(const vdnn_plan *plan)
{
    const int32_t count = vdnn_plan_loads_ahead(plan) ? plan->graph->input_count : 0;
    for (int32_t i = 0; i < count; i++)
        if (plan->buffers[plan->ahead[i]].offset != plan->buffers[plan->arrived[i]].offset)
            return false;
    return true;
}

static bool write_is_clear(const order *o, int32_t write, const vdnn_access *read, int32_t reader)
{
    if (write == read->writer)
        return comes_before(o, write, reader);
    return write == reader || comes_before(o, reader, write) ||
           (read->writer >= 0 && comes_before(o, write, read->writer));
}

/* Each access against each write of the same buffer. */
static bool accesses_are_ordered(const order *o, int32_t i, const vdnn_access *access)
{
    const vdnn_plan *plan = o->plan;
    const vdnn_buffer *buffer = &plan->buffers[access->buffer];
    bool found = access->writer < 0 && (buffer->persistent || vdnn_plan_has_arrived(buffer));
    for (int32_t j = 0; j < plan->step_count; j++)
        for (int32_t l = 0; l < plan->steps[j].access_count; l++) {
            const vdnn_access *other = &plan->accesses[plan->steps[j].first_access + l];
            if (other->buffer != access->buffer || (other->mode & VDNN_WRITE) == 0)
                continue;
            if ((access->mode & VDNN_WRITE) != 0 && j != i && !comes_before(o, i, j) &&
                !comes_before(o, j, i))
                return false;
            if ((access->mode & VDNN_READ) == 0)
                continue;
            if (!write_is_clear(o, j, access, i))
                return false;
            found = found || j == access->writer;
        }
    return found || (access->mode & VDNN_READ) == 0;
}

static bool values_are_ordered(const order *o)
{
    const vdnn_plan *plan = o->plan;
    for (int32_t i = 0; i < plan->step_count; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++)
            if (!accesses_are_ordered(o, i, &plan->accesses[plan->steps[i].first_access + k]))
                return false;
    return true;
}

bool vdnn_plan_edit_is_ordered(const vdnn_plan *plan)
{
    order o = {.plan = plan};
    o.before = vdnn_heap_calloc((size_t)plan->step_count, (size_t)plan->step_count);
    assert_non_null(o.before);
    find_order(&o);
    const bool ordered = frame_is_ordered(&o) && memory_is_ordered(&o) && places_are_one(plan) &&
                         values_are_ordered(&o);
    vdnn_heap_free(o.before);
    return ordered;
}
