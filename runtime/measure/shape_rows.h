#ifndef VDNN_RUNTIME_MEASURE_SHAPE_ROWS_H
#define VDNN_RUNTIME_MEASURE_SHAPE_ROWS_H

/* The rows of shapes that were predicted: networks in other parts have most of their layers' parts
 * in common.
 *
 *     signature --hash--> one of so many places --> choices of each pass
 *
 * Invariant: what is known is what would be predicted anew. The number of places is fixed: what
 * comes to one replaces what was there. Of one network on one device.
 * Threads: one.
 *
 *     status = vdnn_shape_rows_create(&rows);
 *     if (!vdnn_shape_rows_have(rows, layer->signature)) ...   // predict them, then
 *         status = vdnn_shape_rows_keep(rows, layer->signature, profile, shape);
 *     else
 *         status = vdnn_shape_rows_repeat(rows, layer->signature, profile, shape);
 *     vdnn_shape_rows_destroy(rows);
 */

#include "runtime/profile/profile.h"

typedef struct vdnn_shape_rows vdnn_shape_rows;

/* VDNN_NO_MEMORY, as the others. */
vdnn_status vdnn_shape_rows_create(vdnn_shape_rows **rows);
void vdnn_shape_rows_destroy(vdnn_shape_rows *rows); /* accepts NULL */

/* Accepts NULL, which has none. */
bool vdnn_shape_rows_have(const vdnn_shape_rows *rows, const char *signature);

/* As those of a shape of the profile that has none, if they are there. */
vdnn_status vdnn_shape_rows_repeat(const vdnn_shape_rows *rows, const char *signature,
                                   vdnn_profile *profile, int32_t shape);

/* Those of a shape of the profile. */
vdnn_status vdnn_shape_rows_keep(vdnn_shape_rows *rows, const char *signature,
                                 const vdnn_profile *profile, int32_t shape);

#endif
