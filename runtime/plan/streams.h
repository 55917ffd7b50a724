#ifndef VDNN_RUNTIME_PLAN_STREAMS_H
#define VDNN_RUNTIME_PLAN_STREAMS_H

/* The streams on which a device's steps run, and the memory tiers in which buffers lie.
 *
 * Invariant: names in plans, traces and messages come from these two tables.
 * Threads: const data.
 *
 *     for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
 *         vdnn_text_add(text, "%s: %zu bytes\n", vdnn_tier_text((vdnn_tier)tier), bytes[tier]);
 */

#include <stddef.h>

/* name, text, source and destination tier of its copies; DEVICE if it copies nothing */
#define VDNN_STREAM_TABLE(X)                                                                       \
    X(COMPUTE, "compute", DEVICE, DEVICE)                                                          \
    X(OUT, "out", DEVICE, HOST)                                                                    \
    X(IN, "in", HOST, DEVICE)                                                                      \
    X(SPILL, "spill", HOST, FILE)                                                                  \
    X(FILL, "fill", FILE, HOST)                                                                    \
    X(REDUCE, "reduce", DEVICE, DEVICE)

typedef enum vdnn_stream_id {
#define X(name, ...) VDNN_STREAM_##name,
    VDNN_STREAM_TABLE(X)
#undef X
        VDNN_STREAM_COUNT
} vdnn_stream_id;

/* name, text, alignment of offsets. On the device it is that of cudaMalloc, which CUDA libraries
 * rely on (cuBLAS requires it for a workspace on GPUs of compute capability 9.0). In files it is
 * whole blocks (alloc/file_tier.h). */
#define VDNN_TIER_TABLE(X)                                                                         \
    X(DEVICE, "device", 256)                                                                       \
    X(HOST, "host", 256)                                                                           \
    X(FILE, "file", 4096)

typedef enum vdnn_tier {
#define X(name, ...) VDNN_TIER_##name,
    VDNN_TIER_TABLE(X)
#undef X
        VDNN_TIER_COUNT
} vdnn_tier;

size_t vdnn_tier_alignment(vdnn_tier tier);

/* The source and the destination tier of a stream's copies. */
vdnn_tier vdnn_stream_from(vdnn_stream_id stream);
vdnn_tier vdnn_stream_to(vdnn_stream_id stream);

/* Budgets, or other bytes by tier, without any limit. */
extern const size_t vdnn_tier_unlimited[VDNN_TIER_COUNT];

/* The first tier whose bytes exceed its budget; VDNN_TIER_COUNT: all fit. */
vdnn_tier vdnn_tier_exceeded(const size_t bytes[VDNN_TIER_COUNT],
                             const size_t budget_bytes[VDNN_TIER_COUNT]);

/* Names; "unknown" for other values. */
const char *vdnn_stream_text(vdnn_stream_id stream);
const char *vdnn_tier_text(vdnn_tier tier);

#endif
