#include "tests/support/plan_edits.h"

#include "tests/support/plan_edit.h"

#include <string.h>

enum { NONE = -1, MOST_ACCESSES = 24 };

/* ---- copies ------------------------------------------------------------------------------------
 */

/* A copy of some bytes of one buffer to all of another that is like it. */
static int32_t insert_copy(vdnn_plan *plan, int32_t at, vdnn_step_kind kind, int32_t from,
                           vdnn_tier tier, size_t first, size_t bytes)
{
    static const vdnn_stream_id streams[] = {[VDNN_STEP_COPY_OUT] = VDNN_STREAM_OUT,
                                             [VDNN_STEP_COPY_IN] = VDNN_STREAM_IN,
                                             [VDNN_STEP_SPILL] = VDNN_STREAM_SPILL,
                                             [VDNN_STEP_FILL] = VDNN_STREAM_FILL};
    const int32_t to = vdnn_plan_surgery_add(plan, from, tier, bytes);
    if (plan->buffers[from].map >= 0)
        plan->buffers[to].map_offset += first;
    vdnn_step copy = {.kind = kind,
                      .stream = streams[kind],
                      .layer = plan->buffers[from].layer,
                      .pass = plan->steps[at].pass,
                      .micro = plan->steps[at].micro,
                      .bytes = bytes,
                      .label = plan->buffers[from].label};
    vdnn_access sides[] = {vdnn_plan_surgery_whole(plan, from, VDNN_READ, VDNN_BIND_SRC),
                           vdnn_plan_surgery_whole(plan, to, VDNN_WRITE, VDNN_BIND_DST)};
    sides[0].first = first;
    sides[0].bytes = bytes;
    vdnn_plan_surgery_insert(plan, at, &copy, sides, 2);
    return to;
}

/* What step `reader` reads goes to the host tier, perhaps on to the file tier, and back before it;
 * from there on it is read there: by that step alone, or by all up to the next that replaces it. */
static bool detour(vdnn_plan *plan, vdnn_test_rng *rng, int32_t reader, vdnn_access read)
{
    const int32_t b = read.buffer, writer = vdnn_plan_surgery_writer(plan, reader, b);
    const vdnn_buffer *own = &plan->buffers[b];
    if (own->tier != VDNN_TIER_DEVICE)
        return false;
    const bool is_piece = own->map >= 0 && read.stride == 0 && read.mode == VDNN_READ &&
                          read.bytes < own->bytes && vdnn_edits_one_in(rng, 2);
    const size_t first = is_piece ? read.first : 0, bytes = is_piece ? read.bytes : own->bytes;
    int32_t at = vdnn_edits_pick(rng, writer < 0 ? 1 : writer + 1, reader);
    int32_t to = insert_copy(plan, at++, VDNN_STEP_COPY_OUT, b, VDNN_TIER_HOST, first, bytes);
    reader++;
    if (vdnn_edits_one_in(rng, 4)) {
        to = insert_copy(plan, at++, VDNN_STEP_SPILL, to, VDNN_TIER_FILE, 0, bytes);
        to = insert_copy(plan, at++, VDNN_STEP_FILL, to, VDNN_TIER_HOST, 0, bytes);
        reader += 2;
    }
    at = vdnn_edits_pick(rng, at, reader);
    to = insert_copy(plan, at, VDNN_STEP_COPY_IN, to, VDNN_TIER_DEVICE, 0, bytes);
    reader++;
    if (!is_piece && vdnn_edits_one_in(rng, 2)) {
        vdnn_plan_surgery_redirect(plan, vdnn_edits_one_in(rng, 2) ? at + 1 : reader,
                                   vdnn_plan_surgery_rewrite(plan, reader, b), b, to);
        return true;
    }
    for (int32_t k = 0; k < plan->steps[reader].access_count; k++) {
        vdnn_access *access = &plan->accesses[plan->steps[reader].first_access + k];
        if (access->buffer != b || access->first < first || access->bytes > bytes)
            continue;
        access->first -= first;
        access->buffer = to;
    }
    return true;
}

bool vdnn_edit_copy_through(vdnn_plan *plan, vdnn_test_rng *rng)
{
    int32_t step;
    const vdnn_access *read = vdnn_edits_draw_access(rng, plan, vdnn_edits_any, VDNN_READ, &step);
    return read != NULL && detour(plan, rng, step, *read);
}

/* A gradient that waits, a sum over devices, what is updated and gathered. */
bool vdnn_edit_sum_by_host(vdnn_plan *plan, vdnn_test_rng *rng)
{
    static const unsigned kinds = 1U << VDNN_STEP_UPDATE | 1U << VDNN_STEP_NORM |
                                  1U << VDNN_STEP_REDUCE | 1U << VDNN_STEP_GATHER |
                                  1U << VDNN_STEP_ACCUMULATE | 1U << VDNN_STEP_AVERAGE |
                                  1U << VDNN_STEP_STORE;
    int32_t step;
    const vdnn_access *read = vdnn_edits_draw_access(rng, plan, kinds, VDNN_READ, &step);
    return read != NULL && detour(plan, rng, step, *read);
}

/* A copy in two pieces, or the same bytes twice. */
bool vdnn_edit_split_copy(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_of_kinds(rng, plan, vdnn_edits_copies);
    if (i == NONE || plan->steps[i].bytes < 8)
        return false;
    const size_t bytes = plan->steps[i].bytes,
                 head = (size_t)vdnn_edits_pick(rng, 1, (int32_t)(bytes / 4) - 1) * 4;
    vdnn_plan_edit_duplicate(plan, i);
    for (int32_t half = 0; half < 2; half++) {
        vdnn_step *step = &plan->steps[i + half];
        step->bytes = half == 0 ? head : bytes - head;
        for (int32_t k = 0; k < step->access_count; k++) {
            vdnn_access *access = &plan->accesses[step->first_access + k];
            if (access->mode == VDNN_HOLD)
                continue;
            access->first += half == 0 ? 0 : head;
            access->bytes = step->bytes;
        }
    }
    if (vdnn_edits_one_in(rng, 2))
        vdnn_plan_edit_move(plan, i + 1, vdnn_edits_pick(rng, i + 1, plan->step_count - 2));
    return true;
}

/* The reader reads what was there before it was copied out. */
bool vdnn_edit_skip_copy(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t in = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_COPY_IN);
    const vdnn_access *from = in == NONE ? NULL : vdnn_plan_edit_access(plan, in, VDNN_BIND_SRC),
                      *to = in == NONE ? NULL : vdnn_plan_edit_access(plan, in, VDNN_BIND_DST);
    if (from == NULL || to == NULL)
        return false;
    const int32_t out = vdnn_plan_surgery_writer(plan, in, from->buffer);
    const vdnn_access *source = out < 0 ? NULL : vdnn_plan_edit_access(plan, out, VDNN_BIND_SRC);
    if (source == NULL || plan->buffers[source->buffer].tier != VDNN_TIER_DEVICE)
        return false;
    const int32_t target = to->buffer, original = source->buffer;
    vdnn_plan_edit_remove(plan, in);
    vdnn_plan_surgery_redirect(plan, in, vdnn_plan_surgery_rewrite(plan, in, target), target,
                               original);
    if (vdnn_edits_one_in(rng, 2))
        vdnn_plan_surgery_set_apart(plan, original);
    return true;
}

bool vdnn_edit_do_twice(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_of_kinds(
        rng, plan, vdnn_edits_one_in(rng, 2) ? vdnn_edits_copies : vdnn_edits_any);
    if (i == NONE)
        return false;
    vdnn_plan_edit_duplicate(plan, i);
    if (vdnn_edits_one_in(rng, 2))
        vdnn_plan_edit_move(plan, i + 1, vdnn_edits_pick(rng, i + 1, plan->step_count - 2));
    return true;
}

/* ---- recomputes and algorithms -----------------------------------------------------------------
 */

static bool is_forward(const vdnn_step *step)
{
    return vdnn_step_has_kernel(step) && vdnn_step_kernel_pass(step) == VDNN_FORWARD;
}

/* What a forward run wrote is recomputed right before a step that reads it. */
bool vdnn_edit_insert_recompute(vdnn_plan *plan, vdnn_test_rng *rng)
{
    int32_t reader, writer = NONE;
    const vdnn_access *read = vdnn_edits_draw_access(
        rng, plan, 1U << VDNN_STEP_RUN | 1U << VDNN_STEP_COPY_OUT, VDNN_READ, &reader);
    if (read != NULL)
        writer = vdnn_plan_surgery_writer(plan, reader, read->buffer);
    if (writer < 0 || !is_forward(&plan->steps[writer]) ||
        plan->steps[writer].access_count > MOST_ACCESSES)
        return false;
    const int32_t b = read->buffer;
    vdnn_step step = plan->steps[writer];
    const vdnn_layer *layer = &plan->graph->layers[step.layer];
    vdnn_access accesses[MOST_ACCESSES];
    int32_t count = 0, fresh = NONE;
    step.kind = VDNN_STEP_RECOMPUTE;
    for (int32_t k = 0; k < step.access_count; k++) {
        vdnn_access *access = &accesses[count];
        *access = plan->accesses[step.first_access + k];
        if (access->mode == VDNN_HOLD)
            continue;
        count++;
        const vdnn_buffer *own = &plan->buffers[access->buffer];
        if (access->bind == VDNN_BIND_AUX && layer->def->recompute_reads_aux) {
            access->mode = VDNN_READ;
            continue;
        }
        if ((access->mode & VDNN_WRITE) == 0)
            continue;
        const int32_t is_it = access->buffer == b;
        access->buffer = vdnn_plan_surgery_add(plan, access->buffer, VDNN_TIER_DEVICE, own->bytes);
        fresh = is_it ? access->buffer : fresh;
    }
    vdnn_plan_surgery_insert(plan, reader, &step, accesses, count);
    if (fresh != NONE)
        vdnn_plan_surgery_redirect(
            plan, reader + 1,
            vdnn_edits_one_in(rng, 2) ? reader + 2 : vdnn_plan_surgery_rewrite(plan, reader + 1, b),
            b, fresh);
    return true;
}

/* One that does the same, but is another: there are more than one plan ever has. */
static const vdnn_algorithm *another(const vdnn_algorithm *algorithm)
{
    enum { MOST = 16 };
    static vdnn_algorithm others[MOST];
    static int next;
    next = (next + 1) % MOST;
    others[next] = *algorithm;
    return &others[next];
}

/* Of a layer in one micro-batch: in forward, when it is recomputed, or in both. */
bool vdnn_edit_change_algorithm(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i =
        vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_RUN | 1U << VDNN_STEP_RECOMPUTE);
    if (i == NONE)
        return false;
    const vdnn_step own = plan->steps[i];
    const vdnn_algorithm *other = another(own.algorithm);
    const bool everywhere = vdnn_edits_one_in(rng, 2);
    for (int32_t k = 0; k < plan->step_count; k++) {
        vdnn_step *step = &plan->steps[k];
        const bool is_it = vdnn_step_has_kernel(step) && step->layer == own.layer &&
                           vdnn_step_kernel_pass(step) == vdnn_step_kernel_pass(&own) &&
                           step->micro == own.micro && step->part == own.part;
        if (k == i || (everywhere && is_it))
            step->algorithm = other;
    }
    return true;
}

/* Of a later micro-batch a layer runs forward, with all that it needs, before an earlier one is
 * recomputed, and both by another algorithm than the earlier one's forward. */
bool vdnn_edit_mix_micro_batches(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t again = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_RECOMPUTE);
    if (again == NONE || plan->graph->micro_batches == 1)
        return false;
    const vdnn_step own = plan->steps[again];
    for (int32_t k = again + 1; k < plan->step_count; k++) {
        const vdnn_step *step = &plan->steps[k];
        if (step->kind != VDNN_STEP_RUN || !is_forward(step) || step->layer != own.layer ||
            step->part != own.part || step->micro == own.micro)
            continue;
        const vdnn_algorithm *other = another(own.algorithm);
        vdnn_plan_surgery_spread(plan);
        plan->steps[k].algorithm = other;
        plan->steps[again].algorithm = other;
        (void)vdnn_plan_surgery_pull(plan, k, again);
        return true;
    }
    return false;
}

/* ---- kinds and modes ---------------------------------------------------------------------------
 */

/* A forward run and a recompute of the same change kinds, with the modes of what forward saved. */
bool vdnn_edit_exchange_runs(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t again = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_RECOMPUTE);
    for (int32_t i = 0; again != NONE && i < again; i++) {
        vdnn_step *first = &plan->steps[i], *second = &plan->steps[again];
        if (first->kind != VDNN_STEP_RUN || !is_forward(first) || first->layer != second->layer ||
            first->micro != second->micro || first->part != second->part)
            continue;
        vdnn_access *one = vdnn_plan_edit_access(plan, i, VDNN_BIND_AUX),
                    *other = vdnn_plan_edit_access(plan, again, VDNN_BIND_AUX);
        if (one != NULL && other != NULL) {
            const uint8_t mode = one->mode;
            one->mode = other->mode;
            other->mode = mode;
        }
        first->kind = VDNN_STEP_RECOMPUTE;
        second->kind = VDNN_STEP_RUN;
        return true;
    }
    return false;
}

/* The first in the list begins the norm, the others add to it. */
bool vdnn_edit_reorder_norms(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t from = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_NORM),
                  to = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_NORM);
    bool begins = true;
    if (from == NONE || from == to)
        return false;
    vdnn_plan_edit_move(plan, from, to);
    for (int32_t i = 0; i < plan->step_count; i++) {
        vdnn_access *sum = vdnn_plan_edit_access(plan, i, VDNN_BIND_DST);
        if (plan->steps[i].kind != VDNN_STEP_NORM || sum == NULL)
            continue;
        sum->mode = begins ? VDNN_WRITE : VDNN_READ | VDNN_WRITE;
        begins = false;
    }
    return true;
}

/* b + a instead of a + b, in the other's buffer, where it is read from then on. */
bool vdnn_edit_turn_sum(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_ACCUMULATE);
    vdnn_access *into = i == NONE ? NULL : vdnn_plan_edit_access(plan, i, VDNN_BIND_DST),
                *from = i == NONE ? NULL : vdnn_plan_edit_access(plan, i, VDNN_BIND_SRC);
    if (into == NULL || from == NULL)
        return false;
    const vdnn_access kept = *into;
    into->buffer = from->buffer;
    into->first = from->first;
    from->buffer = kept.buffer;
    from->first = kept.first;
    const int32_t end = vdnn_plan_surgery_rewrite(plan, i + 1, kept.buffer);
    vdnn_plan_surgery_redirect(plan, i + 1, end, kept.buffer, into->buffer);
    return true;
}

static vdnn_access *updated_by(const vdnn_plan *plan, int32_t update, int32_t run)
{
    vdnn_access *dw = vdnn_plan_edit_access(plan, run, VDNN_BIND_DW),
                *read = vdnn_plan_edit_access(plan, update, VDNN_BIND_DW);
    const vdnn_step *step = &plan->steps[run];
    const bool is_it = step->kind == VDNN_STEP_RUN && step->pass == VDNN_BACKWARD_FILTER &&
                       dw != NULL && read != NULL && dw->buffer == read->buffer;
    return is_it ? dw : NULL;
}

/* A run of the backward filter updates the parameters itself, instead of the update behind it. */
bool vdnn_edit_fuse_update(vdnn_plan *plan, vdnn_test_rng *rng)
{
    static vdnn_algorithm updating;
    const int32_t update = vdnn_edits_draw_of_kinds(rng, plan, 1U << VDNN_STEP_UPDATE);
    int32_t run = update - 1;
    while (run > 0 && updated_by(plan, update, run) == NULL)
        run--;
    if (update == NONE || run <= 0)
        return false;
    const vdnn_access w = *vdnn_plan_edit_access(plan, update, VDNN_BIND_W),
                      state = *vdnn_plan_edit_access(plan, update, VDNN_BIND_STATE);
    vdnn_access *read = vdnn_plan_edit_access(plan, run, VDNN_BIND_W);
    vdnn_step fused = plan->steps[run];
    vdnn_access accesses[MOST_ACCESSES];
    int32_t count = 0;
    for (int32_t k = 0; k < fused.access_count && count + 2 < MOST_ACCESSES; k++) {
        const vdnn_access *own = &plan->accesses[fused.first_access + k];
        if (own->bind != VDNN_BIND_DW && own != read)
            accesses[count++] = *own;
    }
    accesses[count++] = w;
    accesses[count++] = state;
    updating = *fused.algorithm;
    updating.updates = true;
    fused.algorithm = updating.layer_type == NULL ? &updating : fused.algorithm;
    vdnn_plan_edit_remove(plan, update);
    vdnn_plan_edit_remove(plan, run);
    vdnn_plan_surgery_insert(plan, run, &fused, accesses, count);
    return true;
}
