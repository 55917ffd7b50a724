#ifndef VDNN_RUNTIME_DEVICE_SIM_COLLECTIVE_H
#define VDNN_RUNTIME_DEVICE_SIM_COLLECTIVE_H

// clang-format off
/* What sums over simulated devices take: formulas of a latency and a bandwidth term.
 *
 * n devices on m hosts of g each; B bytes of gradient; b bytes per second that a ring inside a host
 * reaches each way, W that a host's network reaches; a seconds to start, h for a hop inside a host,
 * h' between hosts.
 *
 *   ring    a + 2 (n - 1) h + 2 (n - 1) / n  B / min(b, W)
 *           No scheme sends less: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for
 *           clusters of workstations", JPDC 2009.
 *   half    a + (n - 1) h + (n - 1) / n  B / min(b, W)
 *           Of a ring: a reduce-scatter, or an all-gather; both take the ring's hops and bytes, and
 *           start once more.
 *   tree    a + 2 (g - 1) h + 2 log2(m) h' + 2 B / min(b, W)
 *           Two trees over the hosts, each for half of the bytes, and a chain inside each host:
 *           Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction
 *           and scan", 2009. Of several hosts the faster of ring and tree is taken, as NCCL does
 *           from 2.4 on.
 *   gather  a + 2 (n - 1) h + 2 (n - 1) B / b
 *           Device 0 receives and sends them one by one, those of other hosts by the network.
 *   host    two copies of B on a link that k devices share, at a k-th of its rate; the host's memory
 *           is read for each of its g gradients and written once; hosts then sum by a tree.
 *
 * Invariant: more devices, or more bytes, never take less time. Threads: pure.
 *
 *     vdnn_reduce_rates rates = vdnn_collective_rates(&model, VDNN_REDUCE_RING, 8);
 */
// clang-format on

#include "runtime/device/sim/model.h"
#include "runtime/profile/rates.h"

/* The rates of sums over two devices or more. */
vdnn_reduce_rates vdnn_collective_rates(const vdnn_device_model *model, vdnn_reduce_scheme scheme,
                                        int32_t devices);

#endif
