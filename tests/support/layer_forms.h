#ifndef VDNN_TESTS_SUPPORT_LAYER_FORMS_H
#define VDNN_TESTS_SUPPORT_LAYER_FORMS_H

/* The data types and layouts that graphs give the maps of a layer.
 *
 * Invariant: every form that a graph may make of a type is in the table.
 * Threads: any.
 *
 *     for (size_t f = 0; f < VDNN_LAYER_FORMS; f++)
 *         if (vdnn_layer_form_exists("cpu", false, &one, vdnn_layer_forms[f]))
 *             assert_ok(vdnn_layer_case_build_as(&one, rule, vdnn_layer_forms[f], &layer));
 */

#include "tests/support/layer_case.h"

enum { VDNN_LAYER_FORMS = 18 };

/* All that a graph may make of a type; those that its layout rule leaves out are passed over. */
extern const vdnn_layer_form vdnn_layer_forms[VDNN_LAYER_FORMS];

/* Whether graphs for that kind of device make it of the case. is_open: of a device that is there,
 * which has the layouts that it says; else of any. */
bool vdnn_layer_form_exists(const char *kind, bool is_open, const vdnn_layer_case *one,
                            vdnn_layer_form form);

/* Whether a relu can be fused into a layer of the type. */
bool vdnn_layer_form_takes_relu(const vdnn_layer_def *def);

#endif
