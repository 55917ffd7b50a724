#ifndef VDNN_TESTS_SUPPORT_REFERENCE_SAMPLED_H
#define VDNN_TESTS_SUPPORT_REFERENCE_SAMPLED_H

/* The sampled softmax loss computed the obvious way, a class at a time, as
 * tests/support/reference.h says.
 *
 * Invariant: shares no arithmetic with the kernels. Threads: any.
 *
 *     vdnn_reference_sampled.pass[VDNN_FORWARD](layer, &args);
 */

#include "tests/support/reference.h"

extern const vdnn_reference vdnn_reference_sampled;

#endif
