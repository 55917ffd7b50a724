#ifndef VDNN_TRACES_NVTX_H
#define VDNN_TRACES_NVTX_H

/* What profilers see while it happens: ranges in the NVTX domain "vdnn", one a step of the plan, on
 * the thread that runs it or gives it to a GPU; threads with names.
 *
 * A range has the step's title, a category with its colour, and a payload of the layer's name and
 * the bytes: of a copy those it moves, of other steps those of the buffers it works on. Without a
 * tool (Nsight Systems, or what NVTX_INJECTION64_PATH names) nothing is made and nothing is called;
 * where NVTX's headers were missing when this was built, neither.
 *
 * Invariant: a range is opened and closed on one thread, and ranges of a thread nest.
 * Threads: create and destroy by one; begin, end, name_thread and the observer's by any.
 *
 *     status = vdnn_nvtx_create(plan, &ranges);
 *     vdnn_device_observe(device, vdnn_nvtx_observer(ranges));
 *     vdnn_nvtx_begin(VDNN_NVTX_IO, "checkpoint", bytes);
 *     vdnn_nvtx_end();
 */

#include "runtime/device/device.h"

/* name, text, colour (0xRRGGBB) */
#define VDNN_NVTX_TABLE(X)                                                                         \
    X(FORWARD, "forward", 0x2E9E4F)                                                                \
    X(BACKWARD, "backward", 0x2F6FD0)                                                              \
    X(OFFLOAD, "offload", 0xE67E22)                                                                \
    X(PREFETCH, "prefetch", 0xF1C40F)                                                              \
    X(RECOMPUTE, "recompute", 0x8E44AD)                                                            \
    X(REDUCE, "reduce", 0x16A085)                                                                  \
    X(OPTIMIZER, "optimizer", 0xC0392B)                                                            \
    X(IO, "io", 0x7F8C8D)

typedef enum vdnn_nvtx_category {
#define X(name, text, colour) VDNN_NVTX_##name,
    VDNN_NVTX_TABLE(X)
#undef X
        VDNN_NVTX_COUNT
} vdnn_nvtx_category;

typedef struct vdnn_nvtx vdnn_nvtx;

/* Whether NVTX's headers were there when this was built. */
bool vdnn_nvtx_is_built(void);

/* Whether a tool listens: then its functions may be called from now on. */
bool vdnn_nvtx_is_heard(void);

/* The ranges of a plan's steps, with all their texts registered. *nvtx is NULL where no tool
 * listens. VDNN_NO_MEMORY. The plan must outlive it. */
vdnn_status vdnn_nvtx_create(const vdnn_plan *plan, vdnn_nvtx **nvtx);
/* Accepts NULL. */
void vdnn_nvtx_destroy(vdnn_nvtx *nvtx);
/* Opens and closes the range of the step whose number is the operation's event. NULL for NULL. */
const vdnn_device_observer *vdnn_nvtx_observer(const vdnn_nvtx *nvtx);

/* A range around what is no step of a plan. `name` is borrowed for the call. */
void vdnn_nvtx_begin(vdnn_nvtx_category category, const char *name, size_t bytes);
void vdnn_nvtx_end(void);

/* The calling thread's name, "vdnn NAME", to tools and to the system (of which it keeps 15 bytes).
 */
void vdnn_nvtx_name_thread(const char *name);

#endif
