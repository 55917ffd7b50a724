#ifndef VDNN_RUNTIME_DEVICE_DEVICE_PARTS_H
#define VDNN_RUNTIME_DEVICE_DEVICE_PARTS_H

/* A device's state, and what the four files that work on it share: device_kinds.c (which kinds
 * there are), device.c (opening, algorithms), device_memory.c (tiers and staging blocks),
 * device_rounds.c (operations and their times).
 *
 * Invariant: no other file includes this; whoever uses a device knows device.h, whoever implements
 * one device_backend.h.
 * Threads: those of device.h.
 *
 *     const char *instance;
 *     const vdnn_device_backend *backend = vdnn_device_find_backend("sim:h100", &instance);
 *     status = vdnn_device_resolve(device, &extent, &address);
 */

#include "alloc/file_tier.h"
#include "runtime/device/device_backend.h"
#include "runtime/device/offers.h"

typedef struct vdnn_device_staged {
    char *block;
    size_t bytes;
    struct vdnn_device_staged *next;
} vdnn_device_staged;

typedef struct vdnn_device_tier {
    char *base;
    size_t bytes, high_water;
} vdnn_device_tier;

/* A copy between the host and the file tier. */
typedef struct vdnn_device_file_copy {
    vdnn_file_lane *lane;
    const char *from; /* host memory; NULL: a read */
    char *to;
    size_t offset, bytes;
} vdnn_device_file_copy;

struct vdnn_device {
    const vdnn_device_backend *backend;
    void *state;
    int process; /* that opened it: its threads are not in a child made by fork */
    vdnn_device_properties properties;
    vdnn_device_tier tiers[VDNN_TIER_COUNT];
    size_t locked_bytes;
    vdnn_device_staged *staging;
    uint64_t *used; /* per event: the round in which it was last given to an operation */
    int32_t event_count;
    uint64_t begun, finished;       /* rounds so far */
    bool timed[VDNN_DEVICE_ROUNDS]; /* per place */
    const bool *awaited;            /* of the round begun last: per event; borrowed; NULL: all */
    vdnn_device_moved moved;        /* by the round finished last */
    bool poison;
    char *folders[VDNN_TIER_COUNT];         /* of tiers in files; NULL: there is none */
    vdnn_file_tier *files[VDNN_TIER_COUNT]; /* NULL: the tier has no bytes */
    /* Per tier and stream that copies from it or to it. */
    vdnn_file_lane *lanes[VDNN_TIER_COUNT][VDNN_STREAM_COUNT];
    bool has_files;                       /* a tier has a folder */
    vdnn_device_file_copy *file_copies;   /* per place and event; NULL: there are no files */
    const vdnn_device_observer *observer; /* borrowed; NULL: none */
    char pageable[512];
    vdnn_offers offers;
};

/* The backend of a kind such as "cpu" or "sim:h100", and what follows the colon; NULL: this build
 * has none. */
const vdnn_device_backend *vdnn_device_find_backend(const char *kind, const char **instance);

/* VDNN_DEVICE, with the kinds that this build has. */
vdnn_status vdnn_device_fail_unknown(const char *kind);

/* The layout that a backend's maps may have instead of the preferred one. */
vdnn_layout vdnn_device_backend_other(const vdnn_device_backend *backend);

/* Frees a tier's file and its lanes, if there are any. */
void vdnn_device_free_file_tier(vdnn_device *device, vdnn_tier tier);

/* Checks that an extent is inside its tier, and records its end. *address (NULL: not asked for) is
 * NULL where the tier has no base. VDNN_INTERNAL. */
vdnn_status vdnn_device_resolve(vdnn_device *device, const vdnn_extent *extent, char **address);

/* Checks that bytes of host memory are inside a staging block. VDNN_INTERNAL. */
vdnn_status vdnn_device_check_staged(const vdnn_device *device, const void *block, size_t bytes);

#endif
