#include "runtime/comm/group.h"

#include "runtime/base/heap.h"
#include "runtime/comm/world.h"

struct vdnn_group {
    const vdnn_transport *transport;
    void *state; /* of this rank's end; the transport's */
    int32_t rank, ranks;
};

/* ---- open and close -------------------------------------------------------------------------- */

static vdnn_status no_memory(int32_t ranks)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d devices", (int)ranks);
}

static vdnn_status make_ends(const vdnn_transport *transport, int32_t ranks, vdnn_group **ends,
                             void **states)
{
    for (int32_t r = 0; r < ranks; r++) {
        ends[r] = vdnn_heap_calloc(1, sizeof *ends[r]);
        if (ends[r] == NULL)
            return no_memory(ranks);
        *ends[r] = (vdnn_group){.transport = transport, .rank = r, .ranks = ranks};
    }
    return transport->open(ranks, states);
}

vdnn_status vdnn_group_open(const vdnn_transport *transport, int32_t ranks, vdnn_group **ends)
{
    vdnn_group **fresh = vdnn_heap_calloc((size_t)ranks, sizeof(vdnn_group *));
    void **states = vdnn_heap_calloc((size_t)ranks, sizeof(void *));
    vdnn_status status = fresh == NULL || states == NULL
                             ? no_memory(ranks)
                             : make_ends(transport, ranks, fresh, states);
    for (int32_t r = 0; status == VDNN_OK && r < ranks; r++) {
        fresh[r]->state = states[r];
        ends[r] = fresh[r];
    }
    for (int32_t r = 0; status != VDNN_OK && fresh != NULL && r < ranks; r++)
        vdnn_heap_free(fresh[r]);
    vdnn_heap_free(fresh);
    vdnn_heap_free(states);
    return status;
}

vdnn_status vdnn_group_join(const vdnn_transport *transport, const vdnn_world *world,
                            vdnn_group **end)
{
    void *state;
    VDNN_TRY(transport->join(world, &state));
    vdnn_group *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        transport->close(state);
        return no_memory(world->ranks);
    }
    *fresh = (vdnn_group){transport, state, world->rank, world->ranks};
    *end = fresh;
    return VDNN_OK;
}

void vdnn_group_close(vdnn_group *end)
{
    if (end == NULL)
        return;
    end->transport->close(end->state);
    vdnn_heap_free(end);
}

int32_t vdnn_group_ranks(const vdnn_group *end)
{
    return end->ranks;
}

int32_t vdnn_group_rank(const vdnn_group *end)
{
    return end->rank;
}

/* ---- calls ----------------------------------------------------------------------------------- */

vdnn_status vdnn_group_reduce_scatter(vdnn_group *end, float *values, size_t count,
                                      vdnn_shard_rule *rule)
{
    return end->transport->reduce_scatter(end->state, values, count, rule);
}

vdnn_status vdnn_group_all_gather(vdnn_group *end, float *values, size_t count,
                                  vdnn_shard_rule *rule)
{
    return end->transport->all_gather(end->state, values, count, rule);
}

vdnn_status vdnn_group_sum(vdnn_group *end, float *values, size_t count)
{
    VDNN_TRY(vdnn_group_reduce_scatter(end, values, count, vdnn_shard_even));
    return vdnn_group_all_gather(end, values, count, vdnn_shard_even);
}

vdnn_status vdnn_group_send(vdnn_group *end, int32_t to, const void *bytes, size_t count)
{
    return end->transport->send(end->state, to, bytes, count);
}

vdnn_status vdnn_group_receive(vdnn_group *end, int32_t from, void *bytes, size_t count)
{
    return end->transport->receive(end->state, from, bytes, count);
}

vdnn_status vdnn_group_exchange(vdnn_group *end, vdnn_lane lane, const void *own, size_t bytes,
                                void *all)
{
    return end->transport->exchange(end->state, lane, own, bytes, all);
}

vdnn_status vdnn_group_total(vdnn_group *end, double *value)
{
    double *all = vdnn_heap_calloc((size_t)end->ranks, sizeof *all);
    if (all == NULL)
        return no_memory(end->ranks);
    vdnn_status status = vdnn_group_exchange(end, VDNN_LANE_DRIVER, value, sizeof *value, all);
    for (int32_t r = 1; r < end->ranks; r++)
        all[0] += all[r];
    if (status == VDNN_OK)
        *value = all[0];
    vdnn_heap_free(all);
    return status;
}

vdnn_status vdnn_group_check(vdnn_group *end, const char *missed)
{
    return end->transport->check(end->state, missed);
}

void vdnn_group_leave(vdnn_group *end, vdnn_status status, const char *why)
{
    if (end != NULL)
        end->transport->leave(end->state, status, why);
}
