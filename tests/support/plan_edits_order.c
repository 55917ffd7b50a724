#include "tests/support/plan_edits.h"

#include "runtime/base/heap.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_editor.h"

#include <string.h>

enum { NONE = -1, FAR = 16, BLOCK = 256 };

/* ---- order -------------------------------------------------------------------------------------
 */

/* Over a few others, or anywhere. */
bool vdnn_edit_move_step(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t from = vdnn_edits_draw_inner(rng, plan);
    const int32_t to = vdnn_edits_one_in(rng, 3) ? vdnn_edits_draw_inner(rng, plan)
                                                 : from + vdnn_edits_pick(rng, -FAR, FAR);
    if (from == to || to < 1 || to > plan->step_count - 2)
        return false;
    vdnn_plan_edit_move(plan, from, to);
    return true;
}

/* A step with all that it needs. */
bool vdnn_edit_pull_step(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t from = vdnn_edits_draw_inner(rng, plan), to = vdnn_edits_pick(rng, 1, from);
    if (from == to)
        return false;
    (void)vdnn_plan_surgery_pull(plan, from, to);
    return true;
}

/* To right behind the write that it reads, or the one before that. */
bool vdnn_edit_read_earlier(vdnn_plan *plan, vdnn_test_rng *rng)
{
    static const unsigned ends = 1U << VDNN_STEP_STORE | 1U << VDNN_STEP_REDUCE |
                                 1U << VDNN_STEP_GATHER | 1U << VDNN_STEP_UPDATE |
                                 1U << VDNN_STEP_NORM | 1U << VDNN_STEP_AVERAGE |
                                 1U << VDNN_STEP_COPY_OUT | 1U << VDNN_STEP_SPILL;
    int32_t step;
    const vdnn_access *read = vdnn_edits_draw_access(
        rng, plan, vdnn_edits_one_in(rng, 3) ? vdnn_edits_any : ends, VDNN_READ, &step);
    if (read == NULL)
        return false;
    int32_t at = vdnn_plan_surgery_writer(plan, step, read->buffer);
    if (at > 0 && !vdnn_edits_one_in(rng, 3))
        at = vdnn_plan_surgery_writer(plan, at, read->buffer);
    if (at + 1 == step || step == 0)
        return false;
    vdnn_plan_edit_move(plan, step, at < 0 ? 1 : at + 1);
    return true;
}

/* Two of one stream. */
bool vdnn_edit_swap_on_stream(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t a = vdnn_edits_draw_inner(rng, plan);
    int32_t b = a + 1;
    while (b < plan->step_count - 1 && plan->steps[b].stream != plan->steps[a].stream)
        b++;
    if (b >= plan->step_count - 1)
        return false;
    vdnn_plan_edit_move(plan, b, a);
    return true;
}

static void wait_for(vdnn_plan *plan, int32_t i, int32_t awaited)
{
    vdnn_step *step = &plan->steps[i];
    int32_t *waits = vdnn_heap_realloc(
        plan->waits, (size_t)plan->wait_count + (size_t)step->wait_count + 1, sizeof *waits);
    assert_non_null(waits);
    plan->waits = waits;
    memcpy(&waits[plan->wait_count], &waits[step->first_wait],
           (size_t)step->wait_count * sizeof *waits);
    step->first_wait = plan->wait_count;
    waits[step->first_wait + step->wait_count++] = awaited;
    plan->wait_count += step->wait_count;
}

/* For a step a few places before it. */
bool vdnn_edit_add_wait(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_inner(rng, plan), awaited = i - vdnn_edits_pick(rng, 1, FAR);
    if (awaited < 1 || plan->steps[awaited].stream == plan->steps[i].stream)
        return false;
    wait_for(plan, i, awaited);
    return true;
}

static int32_t draw_joint(vdnn_test_rng *rng, const vdnn_plan *plan)
{
    int32_t found = 0, drawn = NONE;
    for (int32_t i = 1; i < plan->step_count - 1; i++)
        if (plan->steps[i].kind == VDNN_STEP_RUN &&
            vdnn_layer_joint_count(&plan->graph->layers[plan->steps[i].layer],
                                   plan->steps[i].pass) > 0 &&
            vdnn_edits_one_in(rng, ++found))
            drawn = i;
    return drawn;
}

bool vdnn_editor_order_lanes(vdnn_plan *plan, vdnn_test_rng *rng, bool sum_waits)
{
    const int32_t sum =
        vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_REDUCE | 1U << VDNN_STEP_GATHER);
    int32_t run = draw_joint(rng, plan);
    if (run == NONE || vdnn_edits_one_in(rng, 4))
        run = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_RUN);
    int32_t waits = sum_waits ? sum : run, awaited = sum_waits ? run : sum;
    if (sum == NONE || run == NONE)
        return false;
    if (awaited > waits) {
        const int32_t at = waits;
        awaited = vdnn_plan_surgery_pull(plan, awaited, at);
        waits = awaited + 1;
    }
    if (waits >= plan->step_count - 1 || plan->steps[awaited].stream == plan->steps[waits].stream)
        return false;
    wait_for(plan, waits, awaited);
    return true;
}

bool vdnn_edit_order_lanes(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const bool sum_waits = vdnn_edits_one_in(rng, 2);
    return vdnn_editor_order_lanes(plan, rng, sum_waits);
}

bool vdnn_edit_insert_join(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t at = vdnn_edits_draw_inner(rng, plan);
    vdnn_step join = plan->steps[0];
    const int32_t buffer = vdnn_edits_pick(rng, 0, plan->buffer_count - 1);
    vdnn_access hold = vdnn_plan_surgery_whole(plan, buffer, VDNN_HOLD, VDNN_BIND_HOLD);
    join.micro = plan->steps[at].micro;
    vdnn_plan_surgery_insert(plan, at, &join, &hold, vdnn_edits_pick(rng, 0, 1));
    return true;
}

/* ---- sums over devices -------------------------------------------------------------------------
 */

/* A bucket in two, between two blocks, or two blocks' gradients in other places of it. */
bool vdnn_edit_split_sum(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_REDUCE);
    if (i == NONE || plan->steps[i].bytes < 2 * BLOCK)
        return false;
    const int32_t blocks = (int32_t)(plan->steps[i].bytes / BLOCK);
    const size_t head = (size_t)vdnn_edits_pick(rng, 1, blocks - 1) * BLOCK,
                 bytes = plan->steps[i].bytes;
    vdnn_plan_edit_duplicate(plan, i);
    for (int32_t half = 0; half < 2; half++) {
        vdnn_step *step = &plan->steps[i + half];
        vdnn_access *to = vdnn_plan_edit_access(plan, i + half, VDNN_BIND_DST),
                    *staged = vdnn_plan_edit_access(plan, i + half, VDNN_BIND_STAGED);
        if (to == NULL || (half == 1 && head >= bytes))
            return false;
        step->bytes = half == 0 ? head : bytes - head;
        to->first += half == 0 ? 0 : head;
        to->bytes = step->bytes;
        if (staged != NULL)
            staged->bytes = staged->bytes / bytes * step->bytes;
    }
    for (int32_t l = plan->graph->layer_count - 1, name = plan->steps[i].layer; l >= 0; l--)
        if (l != name && plan->graph->layers[l].trainable_bytes > 0 && vdnn_edits_one_in(rng, 2)) {
            plan->steps[i + vdnn_edits_pick(rng, 0, 1)].layer = l;
            break;
        }
    return true;
}

/* A sum, or its name, comes after another of its kind. */
bool vdnn_edit_swap_sums(vdnn_plan *plan, vdnn_test_rng *rng)
{
    static const unsigned kinds = 1U << VDNN_STEP_REDUCE | 1U << VDNN_STEP_GATHER |
                                  1U << VDNN_STEP_ACCUMULATE | 1U << VDNN_STEP_NORM;
    const int32_t a = vdnn_edits_draw_of_kinds(rng, plan, kinds);
    int32_t b = a + 1;
    while (a != NONE && b < plan->step_count - 1 && plan->steps[b].kind != plan->steps[a].kind)
        b++;
    if (a == NONE || b >= plan->step_count - 1)
        return false;
    if (vdnn_edits_one_in(rng, 4)) {
        const int32_t layer = plan->steps[a].layer;
        plan->steps[a].layer = plan->steps[b].layer;
        plan->steps[b].layer = layer;
        return true;
    }
    (void)vdnn_plan_surgery_pull(plan, b, a);
    return true;
}
