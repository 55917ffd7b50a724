#include "runtime/comm/cuda/cards.h"

#include "layers/cuda/nccl.h"
#include "runtime/base/heap.h"

#include <pthread.h>
#include <string.h>

struct vdnn_cards {
    const vdnn_cuda_nccl *nccl;
    vdnn_group *group; /* borrowed */
    int32_t rank, ranks;
    vdnn_nccl_id id;
    pthread_mutex_t lock; /* of comm, which the thread of another card may abort */
    vdnn_nccl_comm comm;  /* NULL: it was aborted */
    vdnn_cards *next;     /* of this process */
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static vdnn_cards *list;

/* ---- join ------------------------------------------------------------------------------------ */

/* What a rank tells the others before they join. */
typedef struct introduction {
    int32_t has_nccl;
    vdnn_nccl_id id; /* rank 0's counts */
} introduction;

static vdnn_status introduce(vdnn_cards *own, introduction *all)
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
    own->id = all[0].id;
    return status;
}

static void enlist(vdnn_cards *own, vdnn_nccl_comm comm)
{
    own->comm = comm;
    (void)pthread_mutex_init(&own->lock, NULL);
    (void)pthread_mutex_lock(&list_lock);
    own->next = list;
    list = own;
    (void)pthread_mutex_unlock(&list_lock);
}

vdnn_status vdnn_cards_join(vdnn_group *group, vdnn_cards **cards)
{
    const int32_t ranks = vdnn_group_ranks(group);
    vdnn_nccl_comm comm;
    vdnn_cards *own = vdnn_heap_calloc(1, sizeof *own);
    introduction *all = vdnn_heap_calloc((size_t)ranks, sizeof *all);
    vdnn_status status = VDNN_OK;
    if (own == NULL || all == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a group of %d cards", (int)ranks);
    if (status == VDNN_OK) {
        *own = (vdnn_cards){.group = group, .rank = vdnn_group_rank(group), .ranks = ranks};
        status = introduce(own, all);
    }
    if (status == VDNN_OK)
        status = vdnn_cuda_nccl_status("ncclCommInitRank",
                                       own->nccl->join(&comm, ranks, own->id, own->rank));
    vdnn_heap_free(all);
    if (status != VDNN_OK) {
        vdnn_heap_free(own);
        return status;
    }
    enlist(own, comm);
    *cards = own;
    return VDNN_OK;
}

static void delist(const vdnn_cards *own)
{
    (void)pthread_mutex_lock(&list_lock);
    vdnn_cards **at = &list;
    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    (void)pthread_mutex_unlock(&list_lock);
}

void vdnn_cards_close(vdnn_cards *cards)
{
    if (cards == NULL)
        return;
    delist(cards);
    if (cards->comm != NULL)
        (void)cards->nccl->destroy(cards->comm);
    (void)pthread_mutex_destroy(&cards->lock);
    vdnn_heap_free(cards);
}

/* ---- leave ----------------------------------------------------------------------------------- */

static void abort_card(vdnn_cards *cards)
{
    (void)pthread_mutex_lock(&cards->lock);
    if (cards->comm != NULL)
        (void)cards->nccl->abort(cards->comm);
    cards->comm = NULL;
    (void)pthread_mutex_unlock(&cards->lock);
}

void vdnn_cards_leave(vdnn_cards *cards, vdnn_status status, const char *why)
{
    vdnn_group_leave(cards->group, status, why);
    (void)pthread_mutex_lock(&list_lock);
    for (vdnn_cards *each = list; each != NULL; each = each->next)
        if (memcmp(&each->id, &cards->id, sizeof each->id) == 0)
            abort_card(each);
    (void)pthread_mutex_unlock(&list_lock);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Under the lock. */
static vdnn_status expect_comm(const vdnn_cards *cards)
{
    return cards->comm != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_DEVICE, "a card of this process has left the others");
}

vdnn_status vdnn_cards_sum(vdnn_cards *cards, float *values, size_t count,
                           const vdnn_cuda_stream *stream)
{
    (void)pthread_mutex_lock(&cards->lock);
    vdnn_status status = expect_comm(cards);
    if (status == VDNN_OK)
        status = vdnn_cuda_nccl_status(
            "ncclAllReduce", cards->nccl->all_reduce(values, values, count, VDNN_NCCL_F32,
                                                     VDNN_NCCL_SUM, cards->comm, stream->handle));
    (void)pthread_mutex_unlock(&cards->lock);
    return status;
}

/* What becomes of one rank's shard. */
typedef vdnn_status move_shard(const vdnn_cards *cards, float *values, size_t count, int32_t rank,
                               cudaStream_t stream);

static vdnn_status reduce_shard(const vdnn_cards *cards, float *values, size_t count, int32_t rank,
                                cudaStream_t stream)
{
    return vdnn_cuda_nccl_status("ncclReduce",
                                 cards->nccl->reduce(values, values, count, VDNN_NCCL_F32,
                                                     VDNN_NCCL_SUM, rank, cards->comm, stream));
}

static vdnn_status spread_shard(const vdnn_cards *cards, float *values, size_t count, int32_t rank,
                                cudaStream_t stream)
{
    return vdnn_cuda_nccl_status(
        "ncclBroadcast",
        cards->nccl->broadcast(values, values, count, VDNN_NCCL_F32, rank, cards->comm, stream));
}

/* All shards as one operation. One that was begun is ended, whatever happens. */
static vdnn_status move_shards(vdnn_cards *cards, float *values, size_t count,
                               vdnn_shard_rule *rule, cudaStream_t stream, move_shard *move)
{
    vdnn_first_error error = {VDNN_OK, ""};
    (void)pthread_mutex_lock(&cards->lock);
    vdnn_status status = expect_comm(cards);
    if (status == VDNN_OK)
        status = vdnn_cuda_nccl_status("ncclGroupStart", cards->nccl->begin());
    vdnn_first_error_keep(&error, status);
    if (status == VDNN_OK) {
        for (int32_t r = 0; r < cards->ranks && status == VDNN_OK; r++) {
            const vdnn_shard shard = rule(count, cards->ranks, r);
            if (shard.count > 0)
                status = move(cards, values + shard.first, shard.count, r, stream);
        }
        vdnn_first_error_keep(&error, status);
        vdnn_first_error_keep(&error, vdnn_cuda_nccl_status("ncclGroupEnd", cards->nccl->end()));
    }
    (void)pthread_mutex_unlock(&cards->lock);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_cards_reduce_scatter(vdnn_cards *cards, float *values, size_t count,
                                      vdnn_shard_rule *rule, const vdnn_cuda_stream *stream)
{
    return move_shards(cards, values, count, rule, stream->handle, reduce_shard);
}

vdnn_status vdnn_cards_all_gather(vdnn_cards *cards, float *values, size_t count,
                                  vdnn_shard_rule *rule, const vdnn_cuda_stream *stream)
{
    return move_shards(cards, values, count, rule, stream->handle, spread_shard);
}

vdnn_status vdnn_cards_check(vdnn_cards *cards)
{
    int late = 0;
    (void)pthread_mutex_lock(&cards->lock);
    vdnn_status status = expect_comm(cards);
    if (status == VDNN_OK)
        status = vdnn_cuda_nccl_status("ncclCommGetAsyncError",
                                       cards->nccl->late_error(cards->comm, &late));
    if (status == VDNN_OK)
        status = vdnn_cuda_nccl_status("a sum over the cards", late);
    (void)pthread_mutex_unlock(&cards->lock);
    return status;
}
