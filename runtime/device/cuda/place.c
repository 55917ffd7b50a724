#include "runtime/device/cuda/place.h"

#ifdef VDNN_HWLOC

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 128 };

struct vdnn_cuda_place {
    hwloc_topology_t topology;
    hwloc_obj_t node; /* the topology's */
    /* The thread's policy from begin to end; NULL: unknown, and nothing was changed. */
    hwloc_nodeset_t before;
    hwloc_membind_policy_t policy;
};

/* From the system: hwloc finds PCI devices by a plugin, which not every machine has. Negative:
 * unknown. */
static long node_of(int domain, int bus, int device)
{
    char path[TEXT_BYTES], text[TEXT_BYTES];
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%04x:%02x:%02x.0/numa_node",
                   (unsigned)domain, (unsigned)bus, (unsigned)device);
    return vdnn_system_read_text(path, text, sizeof text) ? strtol(text, NULL, 10) : -1;
}

vdnn_cuda_place *vdnn_cuda_place_find(int domain, int bus, int device)
{
    long node = node_of(domain, bus, device);
    vdnn_cuda_place *place = node < 0 ? NULL : vdnn_heap_calloc(1, sizeof *place);
    if (place == NULL || hwloc_topology_init(&place->topology) != 0) {
        vdnn_heap_free(place);
        return NULL;
    }
    if (hwloc_topology_load(place->topology) == 0 &&
        hwloc_get_nbobjs_by_type(place->topology, HWLOC_OBJ_NUMANODE) > 1)
        place->node = hwloc_get_numanode_obj_by_os_index(place->topology, (unsigned)node);
    if (place->node != NULL)
        return place;
    vdnn_cuda_place_free(place);
    return NULL;
}

void vdnn_cuda_place_free(vdnn_cuda_place *place)
{
    if (place != NULL)
        hwloc_topology_destroy(place->topology);
    vdnn_heap_free(place);
}

void vdnn_cuda_place_bind(const vdnn_cuda_place *place, void *at, size_t bytes)
{
    if (place != NULL)
        (void)hwloc_set_area_membind(place->topology, at, bytes, place->node->nodeset,
                                     HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET);
}

enum { OF_THE_THREAD = HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET };

void vdnn_cuda_place_begin(vdnn_cuda_place *place)
{
    if (place == NULL)
        return;
    place->before = hwloc_bitmap_alloc();
    if (place->before != NULL &&
        hwloc_get_membind(place->topology, place->before, &place->policy, OF_THE_THREAD) == 0) {
        (void)hwloc_set_membind(place->topology, place->node->nodeset, HWLOC_MEMBIND_BIND,
                                OF_THE_THREAD);
        return;
    }
    hwloc_bitmap_free(place->before);
    place->before = NULL;
}

void vdnn_cuda_place_end(vdnn_cuda_place *place)
{
    if (place == NULL || place->before == NULL)
        return;
    (void)hwloc_set_membind(place->topology, place->before, place->policy, OF_THE_THREAD);
    hwloc_bitmap_free(place->before);
    place->before = NULL;
}

int vdnn_cuda_place_node(const vdnn_cuda_place *place)
{
    return place == NULL ? -1 : (int)place->node->os_index;
}

#else

vdnn_cuda_place *vdnn_cuda_place_find(int domain, int bus, int device)
{
    (void)domain;
    (void)bus;
    (void)device;
    return NULL;
}

void vdnn_cuda_place_free(vdnn_cuda_place *place)
{
    (void)place;
}

void vdnn_cuda_place_bind(const vdnn_cuda_place *place, void *at, size_t bytes)
{
    (void)place;
    (void)at;
    (void)bytes;
}

void vdnn_cuda_place_begin(vdnn_cuda_place *place)
{
    (void)place;
}

void vdnn_cuda_place_end(vdnn_cuda_place *place)
{
    (void)place;
}

int vdnn_cuda_place_node(const vdnn_cuda_place *place)
{
    (void)place;
    return -1;
}

#endif
