#ifndef VDNN_TESTS_SUPPORT_RANK_THREADS_H
#define VDNN_TESTS_SUPPORT_RANK_THREADS_H

/* Ranks of a group that are threads of the test, over any transport.
 *
 * Invariant: all threads have ended and all ends are closed when play returns.
 * Threads: one.
 *
 *     const vdnn_world common = {.ranks = 3, .peer_timeout = 60};
 *     status = vdnn_test_threads_play(&vdnn_transport_tcp, &common, scene->play);
 */

#include "runtime/comm/group.h"
#include "runtime/comm/world.h"

/* `common`: what is the same for all ranks; their address and secret are the function's. A rank
 * that fails leaves the group. Returns an error of a rank, with the rank before the message;
 * VDNN_PEER only where no rank has another one. */
vdnn_status vdnn_test_threads_play(const vdnn_transport *transport, const vdnn_world *common,
                                   vdnn_status (*play)(vdnn_group *end));

#endif
