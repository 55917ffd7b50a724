#ifndef VDNN_RUNTIME_COMM_TRANSPORTS_H
#define VDNN_RUNTIME_COMM_TRANSPORTS_H

/* The transports between processes by name: one row each.
 *
 * Invariant: every one can join a world. Threads: any.
 *
 *     const vdnn_transport *transport;
 *     status = vdnn_transport_find("tcp", &transport);
 *     status = vdnn_group_join(transport, &world, &end);
 */

#include "runtime/comm/group.h"

/* VDNN_USAGE with the nearest name if there is none. */
vdnn_status vdnn_transport_find(const char *name, const vdnn_transport **transport);

#endif
