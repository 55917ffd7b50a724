#ifndef VDNN_TOOLS_WORLD_H
#define VDNN_TOOLS_WORLD_H

/* Where this process stands among those that train with it, as its launcher says in the
 * environment: `vdnnrun --launch`, mpirun, srun. A new launcher is one row of a table.
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

typedef struct vdnn_tools_world {
    const char *launcher; /* "mpirun"; static; NULL: this process was started alone */
    int64_t rank, ranks;  /* 0 and 0: alone */
    int64_t local_rank, local_ranks;
    const char *transport, *address, *secret; /* borrowed from the environment; NULL: none */
    int64_t listener;                         /* of rank 0, inherited; 0: none */
    int64_t threads; /* that the launcher left to this process; 0: those of the host are shared */
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
/* Whether `vdnnrun --launch` started this process. */
bool vdnn_tools_world_is_own(const vdnn_tools_world *world);
/* Sets the place in the options of its session. */
void vdnn_tools_world_place(const vdnn_tools_world *world, vdnn_option_structs *structs);

#endif
