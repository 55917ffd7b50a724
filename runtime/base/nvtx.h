#ifndef VDNN_RUNTIME_BASE_NVTX_H
#define VDNN_RUNTIME_BASE_NVTX_H

/* Ranges for external profilers: the NVTX domain "vdnn", named by the kind of work, so that
 * statistics add up over layers, with a category, its colour and a payload: layer, step, bytes;
 * threads with names. Without a tool (Nsight Systems, or the one that NVTX_INJECTION64_PATH names),
 * or if this was built without NVTX's headers, nothing is created or called.
 *
 * Invariant: a range is opened and closed on one thread, and ranges of a thread nest.
 * Threads: any.
 *
 *     vdnn_nvtx_begin(VDNN_NVTX_IO, "checkpoint", bytes);
 *     vdnn_nvtx_end();
 *     const vdnn_nvtx_text *kind = vdnn_nvtx_register("forward conv");   // once
 *     vdnn_nvtx_begin_registered(VDNN_NVTX_FORWARD, kind, &payload);     // each time
 *     vdnn_nvtx_end();
 */

#include <stdbool.h>
#include <stddef.h>

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

/* A text registered with the tool. */
typedef struct vdnn_nvtx_text vdnn_nvtx_text;

/* Whether this was built with NVTX's headers. */
bool vdnn_nvtx_is_built(void);

/* Whether a tool is attached, so that its functions may be called from now on. */
bool vdnn_nvtx_is_heard(void);

/* A range; `name` is borrowed for the call. */
void vdnn_nvtx_begin(vdnn_nvtx_category category, const char *name, size_t bytes);
void vdnn_nvtx_end(void);

/* Owned by the tool, valid until the process ends. NULL without a tool. */
const vdnn_nvtx_text *vdnn_nvtx_register(const char *text);
/* What a range is about. */
typedef struct vdnn_nvtx_payload {
    const vdnn_nvtx_text *layer, *step; /* NULL: none */
    size_t bytes;
} vdnn_nvtx_payload;

/* A range whose texts are registered. Only with a tool attached. */
void vdnn_nvtx_begin_registered(vdnn_nvtx_category category, const vdnn_nvtx_text *name,
                                const vdnn_nvtx_payload *about);

/* The calling thread's name, "vdnn NAME", to tools and to the system (of which it keeps 15 bytes).
 */
void vdnn_nvtx_name_thread(const char *name);

#endif
