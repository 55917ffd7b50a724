#ifndef VDNN_RUNTIME_MEASURE_SETTLE_H
#define VDNN_RUNTIME_MEASURE_SETTLE_H

/* The fastest of several algorithms, and its time, from noisy measurements.
 *
 * The least of several noisy times is too small: of five that vary by a fifth, by a quarter. So
 *
 *     1. the fastest is measured again, and has that time, until the fastest is one that was, or
 *        no other is close: then it is no matter of noise which one it is;
 *     2. it was chosen by that time, too: it is measured once more, and whatever this says is its
 *        time, if it was measured before or no other is close by this time either;
 *     3. rivals that seemed faster than that are as slow by a hair: none is known to be faster.
 *
 * The time of 2 decides nothing, so it is as often too long as too short.
 *
 * Invariant: no rival is measured again more than twice, and only the fastest twice; a settled
 * rival, or one without others, is left as it is.
 * Threads: the caller's.
 *
 *     vdnn_rival rivals[] = {{.seconds = 0.9}, {.seconds = 0.8}};
 *     status = vdnn_settle(rivals, 2, VDNN_SETTLE_CHOICE, measure_again, &network);
 *     status = vdnn_settle(rivals, 2, VDNN_SETTLE_TIME, measure_again, &network);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Others are close up to this many times the least time: by more than that no noise exchanges two.
 */
#define VDNN_SETTLE_CLOSE 2

typedef struct vdnn_rival {
    double seconds;  /* HUGE_VAL: it failed */
    bool is_settled; /* its time is exact, or was recorded */
    bool is_brief;   /* its time is of a short run, as another replaces it */
    int32_t repeats; /* how often it was measured again */
} vdnn_rival;

/* Measures rival `i` again, independent of the times so far. */
typedef vdnn_status (*vdnn_settle_again)(void *argument, int32_t i, double *seconds);

typedef enum vdnn_settle_stage {
    VDNN_SETTLE_CHOICE, /* 1 alone: for other measurements in between */
    VDNN_SETTLE_TIME,   /* all, or what is left of it */
} vdnn_settle_stage;

/* The first error of `again` ends it. */
vdnn_status vdnn_settle(vdnn_rival *rivals, int32_t count, vdnn_settle_stage stage,
                        vdnn_settle_again again, void *argument);

#endif
