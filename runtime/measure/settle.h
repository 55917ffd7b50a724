#ifndef VDNN_RUNTIME_MEASURE_SETTLE_H
#define VDNN_RUNTIME_MEASURE_SETTLE_H

/* Finds the fastest of several algorithms, and its time, from noisy measurements.
 *
 * The minimum of noisy times is biased: of five that vary by a fifth it is too small by a quarter.
 * So vdnn_settle proceeds in three steps:
 *
 *     1. The fastest is measured again and gets that time, until the fastest was measured again or
 *        no other is close. Then noise no longer decides which one it is.
 *     2. That time was used for the choice, so it is biased too. The chosen one is measured once
 *        more for its time, if it was measured again in 1 or no other is close by this time either.
 *     3. Rivals that seem faster than this time are set just above it: none is known to be faster.
 *
 * The time of step 2 decides nothing, so it is unbiased.
 *
 * Invariant: only the fastest is measured again twice, all others at most once. Settled rivals, and
 * one without others, are unchanged. Threads: the caller's.
 *
 *     vdnn_rival rivals[] = {{.seconds = 0.9}, {.seconds = 0.8}};
 *     status = vdnn_settle(rivals, 2, VDNN_SETTLE_CHOICE, measure_again, &network);
 *     status = vdnn_settle(rivals, 2, VDNN_SETTLE_TIME, measure_again, &network);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Times are close up to this factor of the least time; noise does not swap two that differ by more.
 */
#define VDNN_SETTLE_CLOSE 2

typedef struct vdnn_rival {
    double seconds;  /* HUGE_VAL: it failed */
    bool is_settled; /* its time is exact, or was recorded */
    bool is_brief;   /* its time is that of a short run, since another replaces it */
    int32_t repeats; /* how often it was measured again */
} vdnn_rival;

/* Measures rival `i` again, independently of the times so far. */
typedef vdnn_status (*vdnn_settle_again)(void *argument, int32_t i, double *seconds);

typedef enum vdnn_settle_stage {
    VDNN_SETTLE_CHOICE, /* step 1 only, so that other measurements come in between */
    VDNN_SETTLE_TIME,   /* all steps, or those that are left */
} vdnn_settle_stage;

/* Runs the steps; the first error of `again` ends them. */
vdnn_status vdnn_settle(vdnn_rival *rivals, int32_t count, vdnn_settle_stage stage,
                        vdnn_settle_again again, void *argument);

#endif
