#ifndef VDNN_RUNTIME_FIT_COMPARE_PACE_H
#define VDNN_RUNTIME_FIT_COMPARE_PACE_H

/* Whether one run is faster than another, as far as that is known: a difference inside the spread
 * of what it was found by is none.
 *
 * Invariant: a run is faster than another exactly if that one is slower than it, by planned times.
 * Threads: pure.
 *
 *     vdnn_pace pace = vdnn_pace_measured(ratios, rounds, planned); // images/s, by the other's
 *     if (pace.verdict == VDNN_PACE_FASTER) ...
 */

#include <stddef.h>

typedef enum vdnn_pace_verdict {
    VDNN_PACE_UNKNOWN, /* there is nothing to compare with */
    VDNN_PACE_FASTER,
    VDNN_PACE_ALIKE,
    VDNN_PACE_SLOWER
} vdnn_pace_verdict;

typedef struct vdnn_pace {
    vdnn_pace_verdict verdict;
    double ratio;       /* images/s by those of the other */
    double least, most; /* of it, as far as it is known */
} vdnn_pace;

/* By planned times, of which two have to differ by that part. */
vdnn_pace vdnn_pace_planned(double ratio, double spread);

/* By ratios that were measured in turns, which are sorted: the median. All of them, and the planned
 * one, have to be on the same side of 1, further than two runs can be told apart: loads that last
 * for minutes slow one kind of layer more than another, and the turns all meet the same one. */
vdnn_pace vdnn_pace_measured(double *ratios, size_t count, double planned);

/* "1.4x faster", "no difference", "1.2x slower"; "-" of one that is not compared. Returns `cell`.
 */
const char *vdnn_pace_text(const vdnn_pace *pace, char *cell, size_t size);

/* As a value in JSON: "faster", "no_difference", "slower"; NULL: not compared. */
const char *vdnn_pace_json(const vdnn_pace *pace);

/* Sorts some values, and returns their median. */
double vdnn_pace_median(double *values, size_t count);

#endif
