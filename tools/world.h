#ifndef VDNN_TOOLS_WORLD_H
#define VDNN_TOOLS_WORLD_H

/* Where this process stands among those that train with it, as its launcher says in the
 * environment: `vdnnrun --launch`, mpirun, torchrun, srun, or an engine that starts one process on
 * each node. A new launcher is one row of a table.
 *
 * Invariant: below `ranks`, if that is not 0, are `rank`, `local_rank` and all others.
 * Threads: a value.
 *
 *     vdnn_tools_world world;
 *     status = vdnn_tools_world_read(getenv, &world);
 *     if (world.ranks > 0)
 *         vdnn_tools_world_place(&world, &structs);
 */

#include "tools/options.h"

enum { VDNN_WORLD_ADDRESS_BYTES = 320 };

typedef struct vdnn_tools_world {
    const char *launcher; /* "mpirun"; static; NULL: this process was started alone */
    bool is_by_node;      /* it starts one process on each node */
    int64_t rank, ranks;  /* 0 and 0: alone */
    int64_t local_rank, local_ranks;
    const char *transport, *secret;         /* borrowed from the environment; NULL: none */
    char address[VDNN_WORLD_ADDRESS_BYTES]; /* where rank 0 is met, HOST:PORT; "": not known */
    int64_t listener;                       /* of rank 0, inherited; 0: none */
    int64_t threads;  /* that the launcher left to this process; 0: those of the host are shared */
    int64_t restarts; /* how often the launcher started all of them again */
} vdnn_tools_world;

/* Names of the variables of vdnnrun --launch. */
#define VDNN_WORLD_RANK "VDNN_WORLD_RANK"
#define VDNN_WORLD_RANKS "VDNN_WORLD_RANKS"
#define VDNN_WORLD_LOCAL_RANK "VDNN_WORLD_LOCAL_RANK"
#define VDNN_WORLD_LOCAL_RANKS "VDNN_WORLD_LOCAL_RANKS"
#define VDNN_WORLD_LISTENER "VDNN_WORLD_LISTENER"
/* Variables that processes of any launcher may have. */
#define VDNN_WORLD_TRANSPORT "VDNN_WORLD_TRANSPORT"
#define VDNN_WORLD_ADDRESS "VDNN_WORLD_ADDRESS"
#define VDNN_WORLD_SECRET "VDNN_WORLD_SECRET"

/* VDNN_USAGE if a launcher's numbers make no sense. */
vdnn_status vdnn_tools_world_read(char *(*environment)(const char *name), vdnn_tools_world *world);
/* VDNN_USAGE if a node is to have more processes than the one that the launcher started there,
 * which is not to start the others. */
vdnn_status vdnn_tools_world_check_alone(char *(*environment)(const char *name));
/* Whether `vdnnrun --launch` started this process. */
bool vdnn_tools_world_is_own(const vdnn_tools_world *world);
/* Sets the place in the options of its session, which borrow the address. */
void vdnn_tools_world_place(const vdnn_tools_world *world, vdnn_option_structs *structs);

#endif
