#include "runtime/comm/group.h"

#include "runtime/base/heap.h"

struct vdnn_group {
    const vdnn_transport *transport;
    void *state; /* of this rank's end; the transport's */
};

static vdnn_status make_ends(const vdnn_transport *transport, int32_t ranks, vdnn_group **ends,
                             void **states)
{
    for (int32_t r = 0; r < ranks; r++) {
        ends[r] = vdnn_heap_calloc(1, sizeof *ends[r]);
        if (ends[r] == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d devices", ranks);
        ends[r]->transport = transport;
    }
    return transport->open(ranks, states);
}

vdnn_status vdnn_group_open(const vdnn_transport *transport, int32_t ranks, vdnn_group **ends)
{
    vdnn_group **fresh = vdnn_heap_calloc((size_t)ranks, sizeof(vdnn_group *));
    void **states = vdnn_heap_calloc((size_t)ranks, sizeof(void *));
    vdnn_status status = VDNN_OK;
    if (fresh == NULL || states == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d devices", ranks);
    else
        status = make_ends(transport, ranks, fresh, states);
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

void vdnn_group_close(vdnn_group *end)
{
    if (end == NULL)
        return;
    end->transport->close(end->state);
    vdnn_heap_free(end);
}

vdnn_status vdnn_group_sum(vdnn_group *end, float *values, size_t count)
{
    return end->transport->sum(end->state, values, count);
}

vdnn_status vdnn_group_total(vdnn_group *end, double *value)
{
    return end->transport->total(end->state, value);
}

void vdnn_group_leave(vdnn_group *end, vdnn_status status, const char *why)
{
    if (end != NULL)
        end->transport->leave(end->state, status, why);
}
