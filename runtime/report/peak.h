#ifndef VDNN_RUNTIME_REPORT_PEAK_H
#define VDNN_RUNTIME_REPORT_PEAK_H

/* The peak rate of a device, as a reference for its algorithms. It is the peak of the device model
 * for the network's data type; if the device has no model, it is the most operations per second
 * that an algorithm of the profile reached.
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
    const char *from;             /* "device model" or "profile"; static text */
    const char *basis;            /* of a device model's figure, in words; NULL: from the profile */
} vdnn_peak;

void vdnn_peak_of(const vdnn_setup *setup, vdnn_peak *peak);

/* Adds in words what a known peak is and where it is from. */
void vdnn_peak_describe(const vdnn_peak *peak, vdnn_text *text);

/* The share of the peak that a rate, in operations per second, is; negative: not known. */
double vdnn_peak_share(const vdnn_peak *peak, double rate);

/* The work of an algorithm that applies. Negative: not known, as for a recorded device, which has
 * only the algorithms' names. */
vdnn_work vdnn_peak_work(const vdnn_setup *setup, const vdnn_algorithm *algorithm,
                         const vdnn_layer *layer, vdnn_pass pass);

#endif
