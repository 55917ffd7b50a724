#ifndef VDNN_RUNTIME_SETUP_KNOWN_DIGITS_H
#define VDNN_RUNTIME_SETUP_KNOWN_DIGITS_H

/* How well times that were planned are known on a device: how many digits people are shown, and how
 * far two of them have to be apart before one is called faster.
 *
 * Invariant: none. Threads: pure.
 *
 *     vdnn_rounded_seconds(cell, sizeof cell, plan->step_seconds,
 *                          vdnn_known_digits(&setup.properties));
 */

#include "runtime/device/device.h"

/* By the error of a device model, where one is stated; an estimate's digits on a device that
 * computes, whose times depend on what else the machine does. */
int vdnn_known_digits(const vdnn_device_properties *properties);

/* The part by which two planned times have to differ. Of a device model the error of both is much
 * the same, so it is only what the digits show; on a device that computes, how far steps are from
 * their plan before a run plans again. */
double vdnn_known_spread(const vdnn_device_properties *properties);

#endif
