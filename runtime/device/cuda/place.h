#ifndef VDNN_RUNTIME_DEVICE_CUDA_PLACE_H
#define VDNN_RUNTIME_DEVICE_CUDA_PLACE_H

/* The NUMA node nearest to a card, whose memory copies reach without passing through the others.
 * The system names it, and hwloc binds to it, in builds that have hwloc.
 *
 * Invariant: an unknown node is not an error; the system then places the memory.
 * Threads: one.
 *
 *     vdnn_cuda_place *place = vdnn_cuda_place_find(0, 0x17, 0);   // NULL: any memory is as near
 *     vdnn_cuda_place_bind(place, at, bytes);                      // before it is touched
 *     vdnn_cuda_place_begin(place);                                // or for all that the thread
 *     vdnn_cuda_place_end(place);                                  // has allocated in between
 *     vdnn_cuda_place_free(place);
 */

#include <stddef.h>

typedef struct vdnn_cuda_place vdnn_cuda_place;

/* For the card at that address of the PCI bus. NULL: there is one node, or it is unknown. */
vdnn_cuda_place *vdnn_cuda_place_find(int domain, int bus, int device);
void vdnn_cuda_place_free(vdnn_cuda_place *place); /* accepts NULL */

/* Pages that are touched from now on come from that node; whole pages; does nothing for NULL. */
void vdnn_cuda_place_bind(const vdnn_cuda_place *place, void *at, size_t bytes);

/* Pages that the system allocates for this thread from begin to end come from that node if
 * possible; does nothing for NULL. */
void vdnn_cuda_place_begin(vdnn_cuda_place *place);
void vdnn_cuda_place_end(vdnn_cuda_place *place);

/* The system's number of the node; -1 for NULL. */
int vdnn_cuda_place_node(const vdnn_cuda_place *place);

#endif
