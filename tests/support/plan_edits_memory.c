#include "tests/support/plan_edits.h"

#include "tests/support/plan_edit.h"

#include <string.h>

enum { NONE = -1, TRIES = 48, FAR = 16, BLOCK = 256 };

/* ---- memory ------------------------------------------------------------------------------------
 */

bool vdnn_edit_spread(vdnn_plan *plan, vdnn_test_rng *rng)
{
    (void)rng;
    vdnn_plan_surgery_spread(plan);
    return true;
}

/* Of a buffer and another in its tier: to the other's place, where it is used only before that, or
 * only behind; or wherever. */
bool vdnn_edit_share_place(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_plan_edit_refresh(plan);
    for (int i = 0; i < TRIES; i++) {
        vdnn_buffer *own = &plan->buffers[vdnn_edits_pick(rng, 0, plan->buffer_count - 1)];
        const vdnn_buffer *other = &plan->buffers[vdnn_edits_pick(rng, 0, plan->buffer_count - 1)];
        const bool apart = own->last_step < other->first_step || other->last_step < own->first_step;
        if (own == other || own->tier != other->tier || own->offset == other->offset ||
            (!apart && i < TRIES - 2))
            continue;
        own->offset = other->offset;
        return true;
    }
    return false;
}

static size_t draw_bytes(vdnn_test_rng *rng, size_t bytes)
{
    const size_t all[] = {4, bytes / 2, bytes - 4, bytes + 4, bytes + BLOCK, bytes + 4096, 8};
    const size_t drawn = all[vdnn_edits_pick(rng, 0, (int32_t)(sizeof all / sizeof *all) - 1)];
    return drawn == 0 || drawn > bytes + 4096 ? 4 : drawn;
}

/* A buffer, what is accessed of it and, of vdnn_edits_copies, what is moved. */
static void resize(vdnn_plan *plan, int32_t b, size_t bytes)
{
    const size_t before = plan->buffers[b].bytes;
    for (int32_t i = 0; i < plan->step_count; i++) {
        vdnn_step *step = &plan->steps[i];
        for (int32_t k = 0; k < step->access_count; k++) {
            vdnn_access *access = &plan->accesses[step->first_access + k];
            if (access->buffer != b || access->bytes != before)
                continue;
            access->bytes = bytes;
            if ((vdnn_edits_copies & 1U << step->kind) != 0 && access->mode != VDNN_HOLD)
                step->bytes = bytes;
        }
    }
    plan->buffers[b].bytes = bytes;
    if (bytes > before)
        vdnn_plan_surgery_set_apart(plan, b);
}

bool vdnn_edit_resize_any(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t b = vdnn_edits_pick(rng, 0, plan->buffer_count - 1);
    resize(plan, b, draw_bytes(rng, plan->buffers[b].bytes));
    return true;
}

/* What is kept of a layer, or loaded for the next step; half of the time with all that have as
 * many bytes of it. */
bool vdnn_edit_resize_home(vdnn_plan *plan, vdnn_test_rng *rng)
{
    int32_t home = NONE;
    for (int i = 0; i < TRIES && home == NONE; i++) {
        const int32_t b = vdnn_edits_draw_buffer(rng, plan);
        home = b != NONE && vdnn_plan_is_kept(&plan->buffers[b]) ? b : NONE;
    }
    if (home == NONE)
        return false;
    const vdnn_buffer own = plan->buffers[home];
    const size_t bytes = draw_bytes(rng, own.bytes);
    const bool with_others = vdnn_edits_one_in(rng, 2);
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (b == home || (with_others && plan->buffers[b].class == own.class &&
                          plan->buffers[b].layer == own.layer && own.layer >= 0))
            resize(plan, b, bytes);
    for (int32_t i = 0; i < plan->graph->input_count && plan->loads == VDNN_LOADS_LATE; i++)
        if (plan->ahead[i] == home) {
            resize(plan, plan->arrived[i], bytes);
            plan->buffers[plan->arrived[i]].offset = plan->buffers[home].offset;
        }
    return true;
}

/* ---- buffers -----------------------------------------------------------------------------------
 */

/* All accesses of a buffer, or those from a write on, are of another one, which it may be: that of
 * another micro-batch, what is kept, what is loaded for the next step. */
bool vdnn_edit_take_place(vdnn_plan *plan, vdnn_test_rng *rng)
{
    for (int i = 0; i < TRIES; i++) {
        const int32_t from = vdnn_edits_pick(rng, 0, plan->buffer_count - 1),
                      to = vdnn_edits_draw_buffer(rng, plan);
        if (to == NONE || from == to || plan->buffers[from].tier != plan->buffers[to].tier)
            continue;
        const bool is_like = plan->buffers[from].class == plan->buffers[to].class ||
                             plan->buffers[from].map == plan->buffers[to].map;
        if (!is_like && i < TRIES / 2)
            continue;
        const int32_t begin =
            vdnn_edits_one_in(rng, 2)
                ? 0
                : vdnn_plan_surgery_rewrite(plan, vdnn_edits_draw_inner(rng, plan), from);
        vdnn_plan_surgery_redirect(plan, begin, plan->step_count, from, to);
        return begin < plan->step_count;
    }
    return false;
}

/* A step claims to move no more than the buffers that it takes have. */
static void fit_step(vdnn_plan *plan, vdnn_step *step)
{
    for (int32_t k = 0; k < step->access_count; k++) {
        const vdnn_access *access = &plan->accesses[step->first_access + k];
        const size_t bytes = plan->buffers[access->buffer].bytes;
        if (access->mode != VDNN_HOLD && !vdnn_step_has_kernel(step) && step->bytes > bytes)
            step->bytes = bytes;
    }
}

/* A kept buffer of the same tier as another one; NONE: not found. */
static int32_t draw_kept(vdnn_test_rng *rng, const vdnn_plan *plan, int32_t other)
{
    for (int i = 0; i < TRIES; i++) {
        const int32_t b = vdnn_edits_draw_buffer(rng, plan);
        if (b != NONE && b != other && vdnn_plan_is_kept(&plan->buffers[b]) &&
            plan->buffers[b].tier == plan->buffers[other].tier)
            return b;
    }
    return NONE;
}

/* All norms and updates find the norm in what is kept, be it large enough or not. */
bool vdnn_edit_keep_norm(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t norm = vdnn_plan_edit_find_buffer(plan, VDNN_CLASS_NORM);
    const int32_t to = norm == NONE ? NONE : draw_kept(rng, plan, norm);
    if (to == NONE)
        return false;
    if (plan->buffers[to].bytes < plan->buffers[norm].bytes && vdnn_edits_one_in(rng, 2))
        resize(plan, to, plan->buffers[norm].bytes);
    vdnn_plan_surgery_redirect(plan, 0, plan->step_count, norm, to);
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_NORM || plan->steps[i].kind == VDNN_STEP_UPDATE)
            fit_step(plan, &plan->steps[i]);
    return true;
}

/* One more copy of what is copied, or one more load or take, to what is kept; nobody reads it
 * there.
 */
bool vdnn_edit_copy_over_kept(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_of_kinds(
        rng, plan, vdnn_edits_copies | 1U << VDNN_STEP_LOAD | 1U << VDNN_STEP_TAKE);
    vdnn_access *write = i == NONE ? NULL : vdnn_plan_edit_access(plan, i, VDNN_BIND_DST);
    const int32_t to = write == NULL ? NONE : draw_kept(rng, plan, write->buffer);
    if (to == NONE)
        return false;
    vdnn_plan_edit_duplicate(plan, i);
    write = vdnn_plan_edit_access(plan, i, VDNN_BIND_DST);
    write->buffer = to;
    write->first = 0;
    if (vdnn_edits_one_in(rng, 2) && plan->buffers[to].bytes < plan->steps[i].bytes)
        resize(plan, to, plan->steps[i].bytes);
    write->bytes = plan->buffers[to].bytes;
    vdnn_plan_edit_move(plan, i, vdnn_edits_pick(rng, i, plan->step_count - 2));
    return true;
}

/* Norms and their readers, sums and gradients that wait: what one step writes for others goes to
 * what is kept, with all who read it. */
bool vdnn_edit_write_over_kept(vdnn_plan *plan, vdnn_test_rng *rng)
{
    static const unsigned kinds = 1U << VDNN_STEP_NORM | 1U << VDNN_STEP_COPY_IN |
                                  1U << VDNN_STEP_COPY_OUT | 1U << VDNN_STEP_FILL |
                                  1U << VDNN_STEP_LOAD | 1U << VDNN_STEP_TAKE |
                                  1U << VDNN_STEP_ACCUMULATE;
    int32_t step;
    const vdnn_access *write = vdnn_edits_draw_access(rng, plan, kinds, VDNN_WRITE, &step);
    const int32_t from = write == NULL ? NONE : write->buffer,
                  to = from == NONE ? NONE : draw_kept(rng, plan, from);
    if (to == NONE)
        return false;
    const int32_t end = vdnn_edits_one_in(rng, 2) ? plan->step_count
                                                  : vdnn_plan_surgery_rewrite(plan, step + 1, from);
    if (vdnn_edits_one_in(rng, 2) && plan->buffers[to].bytes < plan->buffers[from].bytes)
        resize(plan, to, plan->buffers[from].bytes);
    vdnn_plan_surgery_redirect(plan, step, end, from, to);
    for (int32_t i = step; i < end; i++)
        if (vdnn_edits_one_in(rng, 2))
            fit_step(plan, &plan->steps[i]);
    return true;
}

/* From a write on another buffer, in the same place or elsewhere. */
bool vdnn_edit_cut_buffer(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t b = vdnn_edits_pick(rng, 0, plan->buffer_count - 1);
    const int32_t first = vdnn_plan_surgery_rewrite(plan, 0, b),
                  from = first == plan->step_count
                             ? first
                             : vdnn_plan_surgery_rewrite(
                                   plan, vdnn_edits_pick(rng, first, first + FAR), b);
    if (from >= plan->step_count || plan->buffers[b].persistent)
        return false;
    const int32_t fresh = vdnn_plan_edit_add_buffer(plan, b, vdnn_edits_one_in(rng, 2));
    const int32_t next = vdnn_plan_surgery_rewrite(plan, from + 1, b);
    vdnn_plan_surgery_redirect(plan, from, vdnn_edits_one_in(rng, 2) ? next : plan->step_count, b,
                               fresh);
    return true;
}
