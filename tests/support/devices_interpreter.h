#ifndef VDNN_TESTS_SUPPORT_DEVICES_INTERPRETER_H
#define VDNN_TESTS_SUPPORT_DEVICES_INTERPRETER_H

/* Plans of all devices that share each batch, interpreted together: what meets at one time is of
 * the same values, and no device waits for one that waits for it.
 *
 *     lanes     sums of gradients, and gatherings, one after the other on their stream; sums within
 *               kernels, the same. The n-th of a lane on one device meets the n-th on each other,
 *               and none of them is complete before all have begun
 *     order     the steps of all devices, by streams, waits and meetings: a circle hangs for ever
 *     sums      byte by byte the gradients that meet, or, where each device sums its share of a
 *               block alone, block by block
 *
 * Invariant: each plan is right by itself (plan_interpreter.h). Threads: one.
 *
 *     vdnn_devices_interpret(plans, count, &finding);
 */

#include "tests/support/plan_interpreter.h"

void vdnn_devices_interpret(const vdnn_plan *const *plans, int32_t count,
                            vdnn_plan_finding *finding);

#endif
