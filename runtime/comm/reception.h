#ifndef VDNN_RUNTIME_COMM_RECEPTION_H
#define VDNN_RUNTIME_COMM_RECEPTION_H

/* The part of a mesh that listens: lets in the ranks above this one, and turns strangers away.
 *
 * Invariant: as many visitors as there is room for are attended to at a time, each for a few
 * seconds; if there are more, the one that has said nothing for longest makes room. Of many that
 * are turned away few are told: the lines grow with the logarithm of their number.
 * Threads: one.
 *
 *     vdnn_reception_begin(&reception, world, mesh);
 *     reception.listeners = &listeners;
 *     status = vdnn_reception_await(&reception, 1, until);          // all of channel 0
 *     status = vdnn_reception_await(&reception, channels, until);   // of all channels
 *     vdnn_reception_end(&reception);
 */

#include "runtime/comm/mesh.h"

enum { VDNN_RECEPTION_VISITORS = 64, VDNN_RECEPTION_NOTE_BYTES = 256 };

typedef struct vdnn_visitor {
    int file;
    double until; /* when it must have proven who it is */
    vdnn_endpoint from;
    vdnn_greeting greeting;
    vdnn_claim claim;
    size_t received; /* bytes of the claim */
} vdnn_visitor;

typedef struct vdnn_reception {
    const vdnn_world *world; /* borrowed, as the mesh */
    vdnn_mesh *mesh;
    const vdnn_listeners *listeners; /* borrowed */
    vdnn_endpoint *places; /* of the ranks that came: their hosts, and where they listen */
    struct pollfd *set;
    int32_t visitor_count;
    vdnn_visitor visitors[VDNN_RECEPTION_VISITORS];
    int64_t turned_away;
    char last_note[VDNN_RECEPTION_NOTE_BYTES]; /* on the last one that was turned away */
} vdnn_reception;

/* VDNN_NO_MEMORY; then end does no harm. */
vdnn_status vdnn_reception_begin(vdnn_reception *reception, const vdnn_world *world,
                                 vdnn_mesh *mesh);
/* Until each rank above this one has come for each of the first `channels` channels. VDNN_PEER
 * names those that did not, or one that came and was lost; or the status of a signal. */
vdnn_status vdnn_reception_await(vdnn_reception *reception, int32_t channels, double until);
void vdnn_reception_end(vdnn_reception *reception);

#endif
