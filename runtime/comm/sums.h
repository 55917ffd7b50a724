#ifndef VDNN_RUNTIME_COMM_SUMS_H
#define VDNN_RUNTIME_COMM_SUMS_H

/* The addition that all transports on the CPU have in common, so that they have the same bits.
 *
 * Invariant: each sum is ((v0 + v1) + v2) + ..., in the order of the ranks.
 * Threads: pure.
 *
 *     vdnn_sums_add(pieces, ranks, count, pieces[own]);
 */

#include <stddef.h>
#include <stdint.h>

/* `to` may be one of the pieces, of which each has `count` values. */
void vdnn_sums_add(const float *const *pieces, int32_t ranks, size_t count, float *to);

#endif
