#ifndef VDNN_TOOLS_LAUNCH_H
#define VDNN_TOOLS_LAUNCH_H

/* The supervisor: starts several processes of one command line on this host, which train together,
 * watches them, and starts all of them again, from the newest checkpoint, when one is lost; if
 * there is none yet, from where they began.
 *
 *     vdnnrun --launch 3 ...
 *       rank 0   -----x killed
 *       rank 1   ------| 7, its peer is gone        all again, with   -----------> 0
 *       rank 2   ------| 7                          --resume auto     -----------> 0
 *
 * Invariant: no process is left once it returns or is killed. Threads: the main thread alone; no
 * other one may run.
 *
 * Of several hosts each has a supervisor, with its processes: those of host 1 begin at rank
 * `count`. One that is lost ends all, and each supervisor starts its own again.
 *
 *     const vdnn_launch launch = {
 *         .argv = argv, .count = 3, .nodes = 1, .most_restarts = 3, .peer_timeout = 30};
 *     status = vdnn_launch_run(&launch, &messages);
 */

#include "runtime/vdnn.h"

typedef struct vdnn_launch {
    char *const *argv;       /* of the program; ends with NULL; borrowed */
    int count;               /* processes on this host */
    int nodes, node;         /* hosts that run as many, and which of them this is, from 0 */
    const char *master;      /* of several hosts: where rank 0 is met, HOST:PORT; borrowed */
    const char *secret;      /* of several hosts: what all processes know; borrowed */
    int64_t most_restarts;   /* 0: none */
    const char *checkpoints; /* the folder that they are written to; NULL: none. Borrowed */
    bool resumes_elsewhere;  /* from a checkpoint that --resume names */
    double peer_timeout;     /* seconds in which the others notice that one is lost */
} vdnn_launch;

/* VDNN_OK if all processes ended well, else the status of the first that failed; VDNN_PEER if it
 * was killed. Signals that end a run are passed on to all processes. */
vdnn_status vdnn_launch_run(const vdnn_launch *launch, const vdnn_messages *messages);

#endif
