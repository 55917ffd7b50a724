#ifndef VDNN_RUNTIME_REPORT_PEAK_H
#define VDNN_RUNTIME_REPORT_PEAK_H

/* What a device can compute at most, to compare algorithms with: the peak of its device model for
 * the network's data type, or, of a device that has none, the most operations per second that any
 * algorithm of the profile reached.
 *
 * Invariant: the same profile gives the same peak; nothing is measured here. Threads: pure.
 *
 *     vdnn_peak peak;
 *     vdnn_peak_of(&setup, &peak);
 *     double share = vdnn_peak_share(&peak, work.operations / seconds);
 */

#include "runtime/setup/setup.h"

typedef struct vdnn_peak {
    double operations_per_second; /* 0: not known */
    const char *from;             /* "device model", "profile": static text */
    const char *basis;            /* of a device model's figure, in words; else NULL */
} vdnn_peak;

void vdnn_peak_of(const vdnn_setup *setup, vdnn_peak *peak);

/* What it is and where it is from, in words: of one that is known. */
void vdnn_peak_describe(const vdnn_peak *peak, vdnn_text *text);

/* Of a rate in operations per second; negative: it is not known. */
double vdnn_peak_share(const vdnn_peak *peak, double rate);

/* Of an algorithm that applies. Negative: not known, as of a recorded device's, which has names
 * alone. */
vdnn_work vdnn_peak_work(const vdnn_setup *setup, const vdnn_algorithm *algorithm,
                         const vdnn_layer *layer, vdnn_pass pass);

#endif
