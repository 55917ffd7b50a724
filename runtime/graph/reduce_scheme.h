#ifndef VDNN_RUNTIME_GRAPH_REDUCE_SCHEME_H
#define VDNN_RUNTIME_GRAPH_REDUCE_SCHEME_H

#include <stddef.h>
#include <stdint.h>

/* The schemes by which the gradients of several devices are summed, by name. All of them leave the
 * same sum on every device; they differ in which device sends what to which.
 *
 * Invariant: options, plans and reports take names from this table; the first row is the default.
 * Threads: const data.
 *
 *     for (int s = 0; s < VDNN_REDUCE_COUNT; s++)
 *         names[s] = vdnn_reduce_scheme_text((vdnn_reduce_scheme)s);
 */

// clang-format off
/* name, text:
 *     RING    each device sums its share of the elements, and sends the sums to all others
 *     GATHER  all send their gradients to device 0, which sends the sums to all: the naive scheme
 *     HOST    all copy their gradients to host memory and copy in the sums that are formed there */
// clang-format on
#define VDNN_REDUCE_TABLE(X)                                                                       \
    X(RING, "ring")                                                                                \
    X(GATHER, "gather")                                                                            \
    X(HOST, "host")

typedef enum vdnn_reduce_scheme {
#define X(name, text) VDNN_REDUCE_##name,
    VDNN_REDUCE_TABLE(X)
#undef X
        VDNN_REDUCE_COUNT
} vdnn_reduce_scheme;

/* Which part of a sum a step does: all of it, or one half of a sum by shares. */
typedef enum vdnn_reduce_part {
    VDNN_REDUCE_WHOLE,
    VDNN_REDUCE_SCATTER,   /* each device's share of the values becomes the sum over all devices */
    VDNN_REDUCE_ALL_GATHER /* each device copies the other shares from the devices that hold them */
} vdnn_reduce_part;

/* The pieces in which gradients are summed. Consecutive blocks of parameters, in the order in which
 * backward completes them, lie in one piece of memory, a bucket, which one step sums. All devices
 * have the same buckets. */
typedef struct vdnn_reduce_buckets {
    size_t bytes; /* a bucket is full at this size; 0: each block of parameters is a bucket */
    int32_t lag;  /* further buckets that are enqueued before the sums of one are used; 0: the sums
                     of a bucket are used once the next one is full */
} vdnn_reduce_buckets;

/* The name of a scheme; "unknown" for other values. */
const char *vdnn_reduce_scheme_text(vdnn_reduce_scheme scheme);

#endif
