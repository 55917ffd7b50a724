#ifndef VDNN_RUNTIME_GRAPH_REDUCE_SCHEME_H
#define VDNN_RUNTIME_GRAPH_REDUCE_SCHEME_H

#include <stddef.h>
#include <stdint.h>

/* How the gradients of several devices are summed: the schemes by name. All of them leave the same
 * sum on every device; they differ in who sends what to whom.
 *
 * Invariant: names in options, plans and reports come from this table; the first row is the preset.
 * Threads: const data.
 *
 *     for (int s = 0; s < VDNN_REDUCE_COUNT; s++)
 *         names[s] = vdnn_reduce_scheme_text((vdnn_reduce_scheme)s);
 */

// clang-format off
/* name, text:
 *     RING    each device sums its share of the elements, and sends the sums to all others
 *     GATHER  all send theirs to device 0, which sums them and sends the sums back: the naive scheme
 *     HOST    all copy theirs to host memory, where they are summed, and copy the sums back */
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

/* What a step does of a sum: all of it, or one of the halves that a sum by shares has. */
typedef enum vdnn_reduce_part {
    VDNN_REDUCE_WHOLE,
    VDNN_REDUCE_SCATTER,   /* the values of each device's share become the sum over all devices */
    VDNN_REDUCE_ALL_GATHER /* those of the others' shares become what they are there */
} vdnn_reduce_part;

/* In which pieces gradients are summed: those of blocks of parameters that backward ends one behind
 * the other lie in one block of memory, a bucket, which one step sums. The same on all devices. */
typedef struct vdnn_reduce_buckets {
    size_t bytes; /* a bucket is full with so many; 0: each block of parameters is one */
    int32_t lag;  /* further buckets that are handed in before the sums of one are used: of 0, those
                     of a bucket are used once the next one is full */
} vdnn_reduce_buckets;

/* Of other values "unknown". */
const char *vdnn_reduce_scheme_text(vdnn_reduce_scheme scheme);

#endif
