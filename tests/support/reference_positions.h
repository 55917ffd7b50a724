#ifndef VDNN_TESTS_SUPPORT_REFERENCE_POSITIONS_H
#define VDNN_TESTS_SUPPORT_REFERENCE_POSITIONS_H

/* Layers of positions computed the obvious way, as tests/support/reference.h says.
 *
 * Invariant: shares no code with the kernels. Threads: any.
 *
 *     reference = vdnn_reference_of_positions("parameter");
 */

#include "tests/support/reference.h"

const vdnn_reference *vdnn_reference_of_positions(const char *type); /* NULL: unknown */

#endif
