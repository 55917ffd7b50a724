#ifndef VDNN_RUNTIME_PLAN_STREAMS_H
#define VDNN_RUNTIME_PLAN_STREAMS_H

/* The streams that a device's steps run on, and the tiers of memory that buffers live in.
 *
 * Invariant: names in plans, traces and messages come from these two tables.
 * Threads: const data.
 *
 *     for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
 *         vdnn_text_add(text, "%s: %zu bytes\n", vdnn_tier_text((vdnn_tier)tier), bytes[tier]);
 */

#include <stddef.h>

/* name, text, the tiers that its copies go from and to; of those that copy nothing the device */
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

/* name, text, what offsets are multiples of: on the device as cudaMalloc aligns, on which libraries
 * for cards rely (cuBLAS requires it of a workspace on cards of compute capability 9.0); in files
 * whole blocks (alloc/file_tier.h) */
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

/* Of a stream's copies. */
vdnn_tier vdnn_stream_from(vdnn_stream_id stream);
vdnn_tier vdnn_stream_to(vdnn_stream_id stream);

/* Budgets, and other bytes by tier, that limit nothing. */
extern const size_t vdnn_tier_unlimited[VDNN_TIER_COUNT];

/* The first tier of which more bytes are taken than its budget has; VDNN_TIER_COUNT: they fit. */
vdnn_tier vdnn_tier_exceeded(const size_t bytes[VDNN_TIER_COUNT],
                             const size_t budget_bytes[VDNN_TIER_COUNT]);

/* Names; of other values "unknown". */
const char *vdnn_stream_text(vdnn_stream_id stream);
const char *vdnn_tier_text(vdnn_tier tier);

#endif
