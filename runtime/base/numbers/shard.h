#ifndef VDNN_RUNTIME_BASE_NUMBERS_SHARD_H
#define VDNN_RUNTIME_BASE_NUMBERS_SHARD_H

/* Shards: which of the values that several devices share each of them sums, or keeps.
 *
 * Invariant: the shards of all ranks lie one after the other and are all values; one may be empty.
 * Threads: pure.
 *
 *     vdnn_shard own = vdnn_shard_even(count, ranks, rank);
 *     for (size_t i = own.first; i < own.first + own.count; i++)
 *         sum(&values[i]);
 */

#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_shard {
    size_t first, count;
} vdnn_shard;

/* The rank's shard of `count` floats. */
typedef vdnn_shard vdnn_shard_rule(size_t count, int32_t ranks, int32_t rank);

vdnn_shard_rule vdnn_shard_even;  /* as good as equal, each beginning a line of the cache; no other
                                     one is larger than rank 0's */
vdnn_shard_rule vdnn_shard_first; /* all of them rank 0's */

#endif
