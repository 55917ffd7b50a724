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

#include <stdbool.h>
#include <stddef.h>

/* name, text, source and destination tier of its copies; DEVICE if it copies nothing */
#define VDNN_STREAM_TABLE(X)                                                                       \
    X(COMPUTE, "compute", DEVICE, DEVICE)                                                          \
    X(OUT, "out", DEVICE, HOST)                                                                    \
    X(IN, "in", HOST, DEVICE)                                                                      \
    X(SPILL, "spill", HOST, FILE)                                                                  \
    X(FILL, "fill", FILE, HOST)                                                                    \
    X(REDUCE, "reduce", DEVICE, DEVICE)                                                            \
    X(SEND, "send", DEVICE, DEVICE)                                                                \
    X(RECEIVE, "receive", DEVICE, DEVICE)

typedef enum vdnn_stream_id {
#define X(name, ...) VDNN_STREAM_##name,
    VDNN_STREAM_TABLE(X)
#undef X
        VDNN_STREAM_COUNT
} vdnn_stream_id;

/* name, text, alignment of offsets, option of its budget, name in messages. On the device it is
 * that of cudaMalloc, which CUDA libraries rely on (cuBLAS requires it for a workspace on GPUs of
 * compute capability 9.0). In files it is whole blocks (alloc/file_tier.h). */
#define VDNN_TIER_TABLE(X)                                                                         \
    X(DEVICE, "device", 256, "--device-mem", "device memory")                                      \
    X(HOST, "host", 256, "--host-mem", "pinned host memory")                                       \
    X(FILE, "file", 4096, "--disk-mem", "the file tier")

typedef enum vdnn_tier {
#define X(name, ...) VDNN_TIER_##name,
    VDNN_TIER_TABLE(X)
#undef X
        VDNN_TIER_COUNT
} vdnn_tier;

size_t vdnn_tier_alignment(vdnn_tier tier);

/* Whether a tier lies in files, which the host alone reads and writes. */
static inline bool vdnn_tier_is_file(vdnn_tier tier)
{
    return tier >= VDNN_TIER_FILE && tier < VDNN_TIER_COUNT;
}

/* The source and the destination tier of a stream's copies. */
vdnn_tier vdnn_stream_from(vdnn_stream_id stream);
vdnn_tier vdnn_stream_to(vdnn_stream_id stream);

/* Whether its steps are launches: no copies between tiers. */
static inline bool vdnn_stream_launches(vdnn_stream_id stream)
{
    return vdnn_stream_from(stream) == vdnn_stream_to(stream);
}

/* Budgets, or other bytes by tier, without any limit. */
extern const size_t vdnn_tier_unlimited[VDNN_TIER_COUNT];

/* The first tier, of those from `from` on, whose bytes exceed its budget; VDNN_TIER_COUNT: all
 * fit. */
vdnn_tier vdnn_tier_exceeded_from(vdnn_tier from, const size_t bytes[VDNN_TIER_COUNT],
                                  const size_t budget_bytes[VDNN_TIER_COUNT]);
static inline vdnn_tier vdnn_tier_exceeded(const size_t bytes[VDNN_TIER_COUNT],
                                           const size_t budget_bytes[VDNN_TIER_COUNT])
{
    return vdnn_tier_exceeded_from(VDNN_TIER_DEVICE, bytes, budget_bytes);
}

/* Names; "unknown" for other values. */
const char *vdnn_stream_text(vdnn_stream_id stream);
const char *vdnn_tier_text(vdnn_tier tier);

/* The option of a tier's budget, and what messages to people call the tier. */
const char *vdnn_tier_option(vdnn_tier tier);
const char *vdnn_tier_name(vdnn_tier tier);

#endif
