#ifndef VDNN_TESTS_SUPPORT_CONV_CHECK_H
#define VDNN_TESTS_SUPPORT_CONV_CHECK_H

/* Convolutions compared with the reference: shapes on which algorithms have failed, in every form
 * that a graph gives them.
 *
 * Invariant: a case fails the test where no row computes a pass of it.
 * Threads: one.
 *
 *     vdnn_conv_check_corners(2, seed);
 *     vdnn_conv_check(&(vdnn_layer_case){"conv", "out=8 kernel=3", "2x3x9x9"}, form, seed);
 */

#include "tests/support/layer_case.h"

enum { VDNN_CONV_CORNERS = 33, VDNN_CONV_FORMS = 8 };

/* Shapes that a random draw meets too rarely. */
extern const vdnn_layer_case vdnn_conv_corners[VDNN_CONV_CORNERS];

/* Both data types, with x and y in both layouts; the first is plain f32. */
extern const vdnn_layer_form vdnn_conv_forms[VDNN_CONV_FORMS];

/* Every row of the layer's type, every pass, one and two threads: near the reference, zeros in all
 * padding, and the same bits again whatever the workspace held before. */
void vdnn_conv_check(const vdnn_layer_case *c, vdnn_layer_form form, uint64_t seed);

/* Every corner in so many of the forms, others for each corner; in all forms where
 * VDNN_TEST_COUNT_PERCENT is 100. */
void vdnn_conv_check_corners(size_t forms, uint64_t seed);

#endif
