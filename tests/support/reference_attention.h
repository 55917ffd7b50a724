#ifndef VDNN_TESTS_SUPPORT_REFERENCE_ATTENTION_H
#define VDNN_TESTS_SUPPORT_REFERENCE_ATTENTION_H

/* Attention computed the obvious way, a query at a time, as tests/support/reference.h says.
 *
 * Invariant: shares no arithmetic with the kernels. Threads: any.
 *
 *     vdnn_reference_attention.pass[VDNN_FORWARD](layer, &args);
 */

#include "tests/support/reference.h"

extern const vdnn_reference vdnn_reference_attention, vdnn_reference_additive_attention;

#endif
