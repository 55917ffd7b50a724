#ifndef VDNN_RUNTIME_COMM_WORLD_H
#define VDNN_RUNTIME_COMM_WORLD_H

#include "runtime/base/messages.h"
#include "runtime/comm/sockets.h"

#include <stdbool.h>
#include <stdint.h>

/* What one process knows of the processes that it trains with, each with one device. Strings are
 * borrowed. */
typedef struct vdnn_world {
    int32_t rank, ranks;
    int32_t local_rank, local_ranks; /* among those of this host */
    const char *address;             /* HOST:PORT where rank 0 is met */
    const char *secret;              /* that all ranks know and no stranger does */
    double peer_timeout;             /* seconds after which a silent rank counts as lost */
    /* Rank 0's, from vdnn_socket_listen at this address; the transport closes them. None: it opens
     * them. */
    vdnn_listeners listeners;
    bool sockets_only;             /* no memory is shared, even on one host */
    const vdnn_messages *messages; /* told who was turned away; NULL: nobody. Borrowed */
} vdnn_world;

#endif
