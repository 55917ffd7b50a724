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

/* name, text */
#define VDNN_STREAM_TABLE(X)                                                                       \
    X(COMPUTE, "compute")                                                                          \
    X(OUT, "out")                                                                                  \
    X(IN, "in")

typedef enum vdnn_stream_id {
#define X(name, text) VDNN_STREAM_##name,
    VDNN_STREAM_TABLE(X)
#undef X
        VDNN_STREAM_COUNT
} vdnn_stream_id;

/* name, text */
#define VDNN_TIER_TABLE(X)                                                                         \
    X(DEVICE, "device")                                                                            \
    X(HOST, "host")

typedef enum vdnn_tier {
#define X(name, text) VDNN_TIER_##name,
    VDNN_TIER_TABLE(X)
#undef X
        VDNN_TIER_COUNT
} vdnn_tier;

/* Budgets, and other bytes by tier, that limit nothing. */
extern const size_t vdnn_tier_unlimited[VDNN_TIER_COUNT];

/* Names; of other values "unknown". */
const char *vdnn_stream_text(vdnn_stream_id stream);
const char *vdnn_tier_text(vdnn_tier tier);

#endif
