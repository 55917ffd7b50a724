#ifndef VDNN_RUNTIME_DEVICE_CUDA_PLACE_H
#define VDNN_RUNTIME_DEVICE_CUDA_PLACE_H

/* Where in the machine a card is: of several NUMA nodes the nearest, whose memory copies reach
 * without a way through the others. The system says which, and hwloc binds, in builds that have it.
 *
 * Invariant: not knowing is no error; memory is then where the system puts it.
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

/* Of the card at that address of the PCI bus. NULL: there is one node, or none is known. */
vdnn_cuda_place *vdnn_cuda_place_find(int domain, int bus, int device);
void vdnn_cuda_place_free(vdnn_cuda_place *place); /* accepts NULL */

/* Pages that are touched from now on come from there; whole pages, and nothing for NULL. */
void vdnn_cuda_place_bind(const vdnn_cuda_place *place, void *at, size_t bytes);

/* Pages that the system makes for this thread from begin to end come from there, where they can;
 * nothing for NULL. */
void vdnn_cuda_place_begin(vdnn_cuda_place *place);
void vdnn_cuda_place_end(vdnn_cuda_place *place);

/* The node's number, as the system has it; -1 for NULL. */
int vdnn_cuda_place_node(const vdnn_cuda_place *place);

#endif
