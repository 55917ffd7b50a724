#include "runtime/planner/steps/moves/residency.h"

#include "runtime/planner/steps/emitter.h"

#include <string.h>

enum { NONE = -1 };

void vdnn_residency_clear(vdnn_emitter *emit, vdnn_value_kind kind, int32_t count)
{
    memset(emit->residency.away[kind], NONE,
           (size_t)count * VDNN_TIER_COUNT * sizeof *emit->residency.away[kind]);
}

void vdnn_residency_create(vdnn_emitter *emit, vdnn_value_kind kind, int32_t count)
{
    emit->residency.away[kind] = vdnn_region_take(
        &emit->builder->region, (size_t)count * VDNN_TIER_COUNT, sizeof(vdnn_place));
    if (emit->residency.away[kind] != NULL)
        vdnn_residency_clear(emit, kind, count);
}

vdnn_place *vdnn_residency_in_tier(const vdnn_emitter *emit, vdnn_value_id value, vdnn_tier tier)
{
    return &emit->residency.away[value.kind][value.of * VDNN_TIER_COUNT + (int32_t)tier];
}

static bool has_home(vdnn_value_kind kind)
{
    return kind == VDNN_VALUE_WEIGHTS || kind == VDNN_VALUE_STATE;
}

/* A buffer of the same value in another tier. */
static vdnn_place buffer_like(vdnn_emitter *emit, int32_t buffer, vdnn_tier tier,
                              vdnn_stripes range)
{
    const vdnn_buffer like = emit->builder->buffers[buffer];
    vdnn_place place =
        vdnn_emitter_buffer(emit, like.class, tier, range.bytes > 0 ? range.bytes : like.bytes,
                            like.layer, like.map, like.label);
    if (!emit->builder->failed)
        emit->builder->buffers[place.buffer].map_offset = range.offset;
    return place;
}

/* Copies the move's range of `from` to all of *to. */
static void copy(vdnn_emitter *emit, const vdnn_move *move, vdnn_step_kind kind, vdnn_place from,
                 vdnn_place *to, int32_t gate)
{
    const char *label = emit->builder->buffers[from.buffer].label;
    int32_t step = vdnn_emitter_step(emit, kind, move->layer, move->half, label);
    if (move->range.bytes > 0)
        vdnn_emitter_read_range(emit, step, from, move->range);
    else
        vdnn_emitter_read(emit, step, from, VDNN_BIND_SRC, 0);
    vdnn_emitter_write(emit, step, to, VDNN_BIND_DST, 0);
    if (!emit->builder->failed && gate != NONE)
        vdnn_builder_wait_for(emit->builder, step, gate);
    emit->group_copies++;
}

void vdnn_residency_out(vdnn_emitter *emit, const vdnn_move *move, vdnn_place from)
{
    int32_t gate = move->gate;
    for (int tier = VDNN_TIER_HOST; tier <= (int)move->tier && !emit->builder->failed; tier++) {
        vdnn_place *at = vdnn_residency_in_tier(emit, move->value, (vdnn_tier)tier), home = *at;
        vdnn_place to = has_home(move->value.kind)
                            ? home
                            : buffer_like(emit, from.buffer, (vdnn_tier)tier, move->range);
        copy(emit, move, vdnn_step_kind_of_copy((vdnn_tier)(tier - 1), (vdnn_tier)tier), from, &to,
             gate);
        if (!has_home(move->value.kind))
            *at = to;
        from = to;
        gate = emit->gate;
    }
}

void vdnn_residency_in(vdnn_emitter *emit, const vdnn_move *move, vdnn_place *to)
{
    for (int tier = (int)move->tier; tier >= VDNN_TIER_HOST && !emit->builder->failed; tier--) {
        const vdnn_place from = *vdnn_residency_in_tier(emit, move->value, (vdnn_tier)tier);
        vdnn_place *at = tier == VDNN_TIER_HOST
                             ? to
                             : vdnn_residency_in_tier(emit, move->value, (vdnn_tier)(tier - 1));
        *at = buffer_like(emit, from.buffer, (vdnn_tier)(tier - 1), move->range);
        copy(emit, move, vdnn_step_kind_of_copy((vdnn_tier)tier, (vdnn_tier)(tier - 1)), from, at,
             move->gate);
    }
}
