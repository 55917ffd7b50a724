#include "runtime/device/cuda_place.h"

#ifdef VDNN_HWLOC

#include "alloc/heap.h"

#include <hwloc.h>
#include <stdbool.h>

struct vdnn_cuda_place {
    hwloc_topology_t topology;
    hwloc_const_nodeset_t nodes; /* the topology's */
};

static hwloc_const_nodeset_t nodes_near(hwloc_topology_t topology, unsigned domain, unsigned bus,
                                        unsigned device)
{
    hwloc_obj_t card = hwloc_get_pcidev_by_busid(topology, domain, bus, device, 0);
    hwloc_obj_t near = card == NULL ? NULL : hwloc_get_non_io_ancestor_obj(topology, card);
    bool is_one = near != NULL && near->nodeset != NULL && hwloc_bitmap_weight(near->nodeset) == 1;
    return is_one ? near->nodeset : NULL;
}

vdnn_cuda_place *vdnn_cuda_place_find(int domain, int bus, int device)
{
    vdnn_cuda_place *place = vdnn_heap_calloc(1, sizeof *place);
    if (place == NULL || hwloc_topology_init(&place->topology) != 0) {
        vdnn_heap_free(place);
        return NULL;
    }
    hwloc_topology_t topology = place->topology;
    if (hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0 &&
        hwloc_topology_load(topology) == 0 &&
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) > 1)
        place->nodes = nodes_near(topology, (unsigned)domain, (unsigned)bus, (unsigned)device);
    if (place->nodes != NULL)
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
        (void)hwloc_set_area_membind(place->topology, at, bytes, place->nodes, HWLOC_MEMBIND_BIND,
                                     HWLOC_MEMBIND_BYNODESET);
}

int vdnn_cuda_place_node(const vdnn_cuda_place *place)
{
    return place == NULL ? -1 : hwloc_bitmap_first(place->nodes);
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

int vdnn_cuda_place_node(const vdnn_cuda_place *place)
{
    (void)place;
    return -1;
}

#endif
