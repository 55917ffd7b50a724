#ifndef VDNN_RUNTIME_COMM_WATCH_H
#define VDNN_RUNTIME_COMM_WATCH_H

// clang-format off
/* Whether the other ranks live. Each sends the others a beat, on separate connections and a
 * separate thread, so that the watch notices what a collective of any transport would wait for in
 * vain:
 *
 *     a rank dies        its connection closes           noticed at once
 *     it is stopped      it is silent                    noticed after peer_timeout
 *     its host is gone   the same
 *     it leaves          it says so, and why             noticed at once
 *
 * Whoever notices first tells the others, so that all name the same rank. A rank whose threads hang
 * while this one's beats is not noticed.
 *
 * Invariant: a group is over once, for one reason; nothing changes that reason afterwards. A rank
 * that closed its watch has not been lost.
 * Threads: any; open and close by one.
 *
 *     status = vdnn_watch_open(&world, abort_my_calls, context, &watch);   // MPI, NCCL
 *     if (vdnn_watch_is_over(watch))
 *         return vdnn_watch_tell(watch, "sum 41 of 1000 values");          // VDNN_PEER
 *     vdnn_watch_leave(watch, VDNN_BAD_INPUT, "picture 7 is damaged");
 *     vdnn_watch_close(watch);
 */
// clang-format on

#include "runtime/base/status.h"
#include "runtime/comm/mesh.h"
#include "runtime/comm/world.h"

typedef struct vdnn_watch vdnn_watch;

/* Called once, on the watch's thread, when the group is over. It may not close the watch. */
typedef void vdnn_watch_alarm(void *context);

/* Meets the other ranks at the world's address first; `alarm` may be NULL. The errors of
 * vdnn_mesh_open. */
vdnn_status vdnn_watch_open(const vdnn_world *world, vdnn_watch_alarm *alarm, void *context,
                            vdnn_watch **watch);
/* Of a mesh that a transport has, on the sockets of that channel. The mesh is borrowed.
 * VDNN_NO_MEMORY, or VDNN_PEER where the system has no thread for it. */
vdnn_status vdnn_watch_start(const vdnn_world *world, vdnn_mesh *mesh, int32_t channel,
                             vdnn_watch_alarm *alarm, void *context, vdnn_watch **watch);
/* Tells the others that this rank is done. Accepts NULL. */
void vdnn_watch_close(vdnn_watch *watch);

/* A file that can be read from when the group is over: for those that wait in poll. */
int vdnn_watch_bell(const vdnn_watch *watch);
bool vdnn_watch_is_over(vdnn_watch *watch);
/* Why the group is over, as status and message; `missed` says at what this rank was then. */
vdnn_status vdnn_watch_tell(vdnn_watch *watch, const char *missed);

/* Ends the group: all ranks are told. The first one that leaves is the one that is named. */
void vdnn_watch_leave(vdnn_watch *watch, vdnn_status status, const char *why);
/* A connection of the transport to that rank has failed: returns once the group is over, which is
 * when the watch has found out why, or has not for some seconds. */
void vdnn_watch_miss(vdnn_watch *watch, int32_t rank, const char *why);

#endif
