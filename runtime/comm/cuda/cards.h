#ifndef VDNN_RUNTIME_COMM_CUDA_CARDS_H
#define VDNN_RUNTIME_COMM_CUDA_CARDS_H

// clang-format off
/* CUDA cards that sum values in their own memory, by NCCL: calls enqueue on a stream and return. A
 * card is a rank of a group, by whose transport, whichever it is, the cards find each other:
 *
 *     the host's thread    | sum a | sum b |  ... goes on
 *     the card's stream    .. backward ..| sum a |.. wait ..| sum b |
 *
 * Invariant: all ranks make the same calls in the same order. NCCL chooses the order of a sum's
 * terms: its bits are those of the same machine, not of other transports.
 * Threads: the one that drives the card; leave by any.
 *
 *     status = vdnn_cards_join(group, &cards);                    // all ranks at a time
 *     status = vdnn_cards_sum(cards, gradient, count, stream);
 *     status = vdnn_cards_check(cards);                           // of what has run
 *     vdnn_cards_leave(cards, status, why);                       // if something failed
 *     vdnn_cards_close(cards);
 */
// clang-format on

#include "layers/cuda/stream.h"
#include "runtime/comm/group.h"

typedef struct vdnn_cards vdnn_cards;

/* The thread has selected its card; the group is borrowed. VDNN_DEVICE on all ranks if one has no
 * NCCL; the errors of the group. */
vdnn_status vdnn_cards_join(vdnn_group *group, vdnn_cards **cards);
/* What is enqueued is complete, unless the rank left. Accepts NULL. */
void vdnn_cards_close(vdnn_cards *cards);

/* As their namesakes in group.h, of values in the card's memory. VDNN_DEVICE, also once a rank of
 * this process left. */
vdnn_status vdnn_cards_sum(vdnn_cards *cards, float *values, size_t count,
                           const vdnn_cuda_stream *stream);
vdnn_status vdnn_cards_reduce_scatter(vdnn_cards *cards, float *values, size_t count,
                                      vdnn_shard_rule *rule, const vdnn_cuda_stream *stream);
vdnn_status vdnn_cards_all_gather(vdnn_cards *cards, float *values, size_t count,
                                  vdnn_shard_rule *rule, const vdnn_cuda_stream *stream);

/* An error of what runs or has run. */
vdnn_status vdnn_cards_check(vdnn_cards *cards);

/* Leaves the group, and ends what the cards of this process wait for on their streams. */
void vdnn_cards_leave(vdnn_cards *cards, vdnn_status status, const char *why);

#endif
