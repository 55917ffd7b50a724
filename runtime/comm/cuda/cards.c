/* CUDA cards that sum values in their own memory, by NCCL: calls enqueue on a stream and return. A
 * card is a rank of a group, by whose transport, whichever it is, the cards find each other, and
 * which knows whether all are still there:
 *
 *     the host's thread    | sum a | sum b |  ... goes on
 *     the card's stream    .. backward ..| sum a |.. wait ..| sum b |
 *     the guard            is anybody gone?  no .. no .. no ..          yes: aborts what waits
 *
 * NCCL chooses the order of a sum's terms: its bits are those of the same machine, not of other
 * transports. */

#include "layers/cuda/nccl.h"
#include "layers/cuda/stream.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/comm/collectives.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum {
    GUARD_MILLISECONDS = 20,
    PATIENCE = 100,    /* rounds of the guard in which the group may find out why NCCL has failed */
    JOIN_PATIENCE = 10 /* of joining */
};

typedef struct cards {
    const vdnn_cuda_nccl *nccl;
    vdnn_group *group; /* borrowed */
    int32_t rank, ranks;
    pthread_mutex_t lock;   /* of all below */
    vdnn_nccl_comm comm;    /* NULL: it was aborted */
    vdnn_first_error error; /* why */
    pthread_cond_t changed;
    bool closing;
    pthread_t guard;
} cards;

static const char sum_text[] = "a sum over the cards";

/* ---- the guard ------------------------------------------------------------------------------- */

/* Under the lock, which is free meanwhile. */
static void wait_a_moment(cards *own)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += GUARD_MILLISECONDS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (!own->closing)
        (void)pthread_cond_timedwait(&own->changed, &own->lock, &until);
}

/* What NCCL has met on the streams: of a rank that is gone, too, which it cannot name. */
static vdnn_status late_error(const cards *own)
{
    int late = 0;
    vdnn_status status =
        vdnn_cuda_nccl_status("ncclCommGetAsyncError", own->nccl->late_error(own->comm, &late));
    return status == VDNN_OK ? vdnn_cuda_nccl_status(sum_text, late) : status;
}

static void abort_comm(cards *own, vdnn_status status)
{
    vdnn_first_error_keep(&own->error, status);
    (void)own->nccl->abort(own->comm);
    own->comm = NULL;
}

/* Once the group has had time to find out. */
static vdnn_status lasting_error(const cards *own, int *failed)
{
    vdnn_status status = late_error(own);
    *failed = status == VDNN_OK ? 0 : *failed + 1;
    return *failed < PATIENCE ? VDNN_OK : status;
}

static void *guard_streams(void *argument)
{
    cards *own = argument;
    int failed = 0; /* rounds of it in which NCCL has */
    (void)pthread_mutex_lock(&own->lock);
    while (!own->closing && own->comm != NULL) {
        vdnn_status status = vdnn_group_check(own->group, sum_text);
        VDNN_IF_OK(status, lasting_error(own, &failed));
        if (status != VDNN_OK)
            abort_comm(own, status);
        else
            wait_a_moment(own);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return NULL;
}

/* ---- open and close -------------------------------------------------------------------------- */

/* What a rank tells the others before they join. */
typedef struct introduction {
    int32_t has_nccl;
    vdnn_nccl_id id; /* rank 0's counts */
} introduction;

/* A rank has its error to itself: the others learn that there is one. */
static vdnn_status introduce(cards *own, introduction *all)
{
    introduction mine;
    memset(&mine, 0, sizeof mine);
    vdnn_first_error error = {VDNN_OK, ""};
    own->nccl = vdnn_cuda_nccl_find();
    if (own->nccl == NULL)
        vdnn_first_error_keep(&error, vdnn_status_fail(VDNN_DEVICE, "%s", vdnn_cuda_nccl_lack()));
    else if (own->rank == 0)
        vdnn_first_error_keep(
            &error, vdnn_cuda_nccl_status("ncclGetUniqueId", own->nccl->make_id(&mine.id)));
    mine.has_nccl = error.status == VDNN_OK;
    vdnn_status status = vdnn_group_exchange(own->group, VDNN_LANE_DRIVER, &mine, sizeof mine, all);
    if (error.status != VDNN_OK)
        return vdnn_first_error_tell(&error);
    for (int32_t r = 0; r < own->ranks && status == VDNN_OK; r++)
        if (!all[r].has_nccl)
            status = vdnn_status_fail(VDNN_DEVICE, "device %d cannot use NCCL", (int)r);
    return status;
}

/* Of a rank that left meanwhile NCCL says only that something failed, the group why it left. */
static vdnn_status fail_to_join(cards *own, vdnn_status failed)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status left = VDNN_OK;
    vdnn_first_error_keep(&error, failed);
    (void)pthread_mutex_lock(&own->lock);
    for (int i = 0; i < JOIN_PATIENCE && left == VDNN_OK; i++) {
        left = vdnn_group_check(own->group, sum_text);
        if (left == VDNN_OK)
            wait_a_moment(own);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return left == VDNN_OK ? vdnn_first_error_tell(&error) : left;
}

static vdnn_status meet(cards *own)
{
    introduction *all = vdnn_heap_calloc((size_t)own->ranks, sizeof *all);
    if (all == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d cards",
                                (int)own->ranks);
    vdnn_status status = introduce(own, all);
    if (status == VDNN_OK) {
        status = vdnn_cuda_nccl_status(
            "ncclCommInitRank", own->nccl->join(&own->comm, own->ranks, all[0].id, own->rank));
        if (status != VDNN_OK) {
            own->comm = NULL;
            status = fail_to_join(own, status);
        }
    }
    vdnn_heap_free(all);
    return status;
}

static vdnn_status start_guard(cards *own)
{
    int error = vdnn_system_start_thread(&own->guard, guard_streams, own);
    return error == 0 ? VDNN_OK
                      : vdnn_status_fail(VDNN_DEVICE, "no thread to watch the cards' sums: %s",
                                         strerror(error));
}

static void destroy(cards *own)
{
    if (own->comm != NULL)
        (void)own->nccl->destroy(own->comm);
    (void)pthread_cond_destroy(&own->changed);
    (void)pthread_mutex_destroy(&own->lock);
    vdnn_heap_free(own);
}

static vdnn_status open_cards(vdnn_group *group, void **state)
{
    cards *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of cards");
    own->group = group;
    own->rank = vdnn_group_rank(group);
    own->ranks = vdnn_group_ranks(group);
    (void)pthread_mutex_init(&own->lock, NULL);
    (void)pthread_cond_init(&own->changed, NULL);
    vdnn_status status = meet(own);
    VDNN_IF_OK(status, start_guard(own));
    if (status == VDNN_OK)
        *state = own;
    else
        destroy(own);
    return status;
}

static void close_cards(void *state)
{
    cards *own = state;
    (void)pthread_mutex_lock(&own->lock);
    own->closing = true;
    (void)pthread_cond_signal(&own->changed);
    (void)pthread_mutex_unlock(&own->lock);
    (void)pthread_join(own->guard, NULL);
    destroy(own);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Under the lock. The error stays. */
static vdnn_status expect_comm(const cards *own)
{
    vdnn_first_error error = own->error;
    return own->comm != NULL ? VDNN_OK : vdnn_first_error_tell(&error);
}

/* One operation of NCCL, of what has a communicator. */
typedef vdnn_status operation(const cards *own, float *values, size_t count, int32_t root,
                              cudaStream_t stream);

static vdnn_status sum_all(const cards *own, float *values, size_t count, int32_t root,
                           cudaStream_t stream)
{
    (void)root;
    return vdnn_cuda_nccl_status("ncclAllReduce",
                                 own->nccl->all_reduce(values, values, count, VDNN_NCCL_F32,
                                                       VDNN_NCCL_SUM, own->comm, stream));
}

static vdnn_status reduce_shard(const cards *own, float *values, size_t count, int32_t root,
                                cudaStream_t stream)
{
    return vdnn_cuda_nccl_status("ncclReduce",
                                 own->nccl->reduce(values, values, count, VDNN_NCCL_F32,
                                                   VDNN_NCCL_SUM, root, own->comm, stream));
}

static vdnn_status spread_shard(const cards *own, float *values, size_t count, int32_t root,
                                cudaStream_t stream)
{
    return vdnn_cuda_nccl_status(
        "ncclBroadcast",
        own->nccl->broadcast(values, values, count, VDNN_NCCL_F32, root, own->comm, stream));
}

/* All shards as one operation. One that was begun is ended, whatever happens. */
static vdnn_status move_shards(const cards *own, float *values, size_t count, vdnn_shard_rule *rule,
                               cudaStream_t stream, operation *move)
{
    vdnn_status status = vdnn_cuda_nccl_status("ncclGroupStart", own->nccl->begin());
    if (status != VDNN_OK)
        return status;
    vdnn_first_error error = {VDNN_OK, ""};
    for (int32_t r = 0; r < own->ranks && status == VDNN_OK; r++) {
        const vdnn_shard shard = rule(count, own->ranks, r);
        if (shard.count > 0)
            status = move(own, values + shard.first, shard.count, r, stream);
    }
    vdnn_first_error_keep(&error, status);
    vdnn_first_error_keep(&error, vdnn_cuda_nccl_status("ncclGroupEnd", own->nccl->end()));
    return vdnn_first_error_tell(&error);
}

/* `rule`: by shards; NULL: as a whole. */
static vdnn_status enqueue(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                           const void *stream, operation *move)
{
    cards *own = state;
    cudaStream_t handle = ((const vdnn_cuda_stream *)stream)->handle;
    (void)pthread_mutex_lock(&own->lock);
    vdnn_status status = expect_comm(own);
    VDNN_IF_OK(status, rule == NULL ? move(own, values, count, 0, handle)
                                    : move_shards(own, values, count, rule, handle, move));
    (void)pthread_mutex_unlock(&own->lock);
    return status;
}

static vdnn_status reduce_scatter(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                                  void *stream)
{
    return enqueue(state, values, count, rule, stream, reduce_shard);
}

static vdnn_status all_gather(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                              void *stream)
{
    return enqueue(state, values, count, rule, stream, spread_shard);
}

/* Where each has a share, NCCL chooses between ring and tree. */
static vdnn_status sum(void *state, float *values, size_t count, vdnn_shard_rule *rule,
                       void *stream)
{
    if (rule == vdnn_shard_even)
        return enqueue(state, values, count, NULL, stream, sum_all);
    vdnn_status status = reduce_scatter(state, values, count, rule, stream);
    return status == VDNN_OK ? all_gather(state, values, count, rule, stream) : status;
}

static vdnn_status check(void *state)
{
    cards *own = state;
    (void)pthread_mutex_lock(&own->lock);
    vdnn_status status = expect_comm(own);
    VDNN_IF_OK(status, vdnn_group_check(own->group, sum_text));
    VDNN_IF_OK(status, late_error(own));
    (void)pthread_mutex_unlock(&own->lock);
    return status;
}

const vdnn_collectives_row vdnn_collectives_cuda = {
    .kind = "cuda",
    .open = open_cards,
    .sum = sum,
    .reduce_scatter = reduce_scatter,
    .all_gather = all_gather,
    .check = check,
    .close = close_cards,
};
