#include "runtime/comm/collectives.h"

#include "runtime/base/heap.h"

#include <string.h>

struct vdnn_collectives {
    const vdnn_collectives_row *row;
    void *state; /* the row's */
};

/* ---- on the host ----------------------------------------------------------------------------- */

static vdnn_status open_host(vdnn_group *group, void **state)
{
    *state = group;
    return VDNN_OK;
}

static vdnn_status scatter_on_host(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                                   void *stream)
{
    (void)stream;
    return vdnn_group_reduce_scatter(state, values, count, rule);
}

static vdnn_status gather_on_host(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                                  void *stream)
{
    (void)stream;
    return vdnn_group_all_gather(state, values, count, rule);
}

static vdnn_status sum_on_host(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                               void *stream)
{
    vdnn_status status = scatter_on_host(state, values, count, rule, stream);
    return status == VDNN_OK ? gather_on_host(state, values, count, rule, stream) : status;
}

static vdnn_status send_on_host(void *state, int32_t rank, void *bytes, size_t count, void *stream)
{
    (void)stream;
    return vdnn_group_send(state, rank, bytes, count);
}

static vdnn_status receive_on_host(void *state, int32_t rank, void *bytes, size_t count,
                                   void *stream)
{
    (void)stream;
    return vdnn_group_receive(state, rank, bytes, count);
}

/* ---- by kind --------------------------------------------------------------------------------- */

/* The first is everybody's who has no other. */
static const vdnn_collectives_row host = {
    .kind = "cpu",
    .open = open_host,
    .sum = sum_on_host,
    .reduce_scatter = scatter_on_host,
    .all_gather = gather_on_host,
    .send = send_on_host,
    .receive = receive_on_host,
};

static const vdnn_collectives_row *const rows[] = {
    &host,
#ifdef VDNN_CUDA
    &vdnn_collectives_cuda,
#endif
};

static const vdnn_collectives_row *find_row(const char *kind)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i]->kind, kind) == 0)
            return rows[i];
    return rows[0];
}

vdnn_status vdnn_collectives_open(const char *kind, vdnn_group *group,
                                  vdnn_collectives **collectives)
{
    vdnn_collectives *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d devices",
                                (int)vdnn_group_ranks(group));
    fresh->row = find_row(kind);
    vdnn_status status = fresh->row->open(group, &fresh->state);
    if (status == VDNN_OK)
        *collectives = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

void vdnn_collectives_close(vdnn_collectives *collectives)
{
    if (collectives == NULL)
        return;
    if (collectives->row->close != NULL)
        collectives->row->close(collectives->state);
    vdnn_heap_free(collectives);
}

vdnn_status vdnn_collectives_sum(vdnn_collectives *collectives, float *values, size_t count,
                                 vdnn_shard_rule *rule, void *stream)
{
    return collectives->row->sum(collectives->state, values, count, rule, stream);
}

vdnn_status vdnn_collectives_reduce_scatter(vdnn_collectives *collectives, float *values,
                                            size_t count, vdnn_shard_rule *rule, void *stream)
{
    return collectives->row->reduce_scatter(collectives->state, values, count, rule, stream);
}

vdnn_status vdnn_collectives_all_gather(vdnn_collectives *collectives, float *values, size_t count,
                                        vdnn_shard_rule *rule, void *stream)
{
    return collectives->row->all_gather(collectives->state, values, count, rule, stream);
}

static vdnn_status refuse_transfer(const vdnn_collectives *collectives)
{
    return vdnn_status_fail(VDNN_DEVICE, "devices of kind %s cannot send to each other yet",
                            collectives->row->kind);
}

vdnn_status vdnn_collectives_send(vdnn_collectives *collectives, int32_t to, const void *bytes,
                                  size_t count, void *stream)
{
    if (collectives->row->send == NULL)
        return refuse_transfer(collectives);
    return collectives->row->send(collectives->state, to, (void *)(uintptr_t)bytes, count, stream);
}

vdnn_status vdnn_collectives_receive(vdnn_collectives *collectives, int32_t from, void *bytes,
                                     size_t count, void *stream)
{
    if (collectives->row->receive == NULL)
        return refuse_transfer(collectives);
    return collectives->row->receive(collectives->state, from, bytes, count, stream);
}

vdnn_status vdnn_collectives_check(vdnn_collectives *collectives)
{
    return collectives == NULL || collectives->row->check == NULL
               ? VDNN_OK
               : collectives->row->check(collectives->state);
}
