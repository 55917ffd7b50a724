#ifndef VDNN_POLICIES_OPT_SMALLEST_H
#define VDNN_POLICIES_OPT_SMALLEST_H

/* The plan of the smallest arena that opt finds, whatever time it takes: what its smallest budget
 * is; or the first one on the way there that fits.
 *
 *     arena | dyn's
 *           |   \___
 *           | - - - \_ budget: ends here
 *           |         \____ the smallest
 *
 * Invariant: the way down depends on no budget of the device, so that what it needs is enough and
 * one byte less is refused.
 * Threads: one.
 *
 *     status = vdnn_opt_smallest(own, &decisions, &arena_bytes);   // was: dyn's smallest
 */

#include "policies/opt/search.h"

/* Replaces *decisions by those of a smaller arena, down to one that fits the device. */
vdnn_status vdnn_opt_smallest(vdnn_opt_search *own, vdnn_decisions *decisions, size_t *arena_bytes);

#endif
