#ifndef VDNN_RUNTIME_MEASURE_SHAPE_ROWS_H
#define VDNN_RUNTIME_MEASURE_SHAPE_ROWS_H

/* A cache of the predicted rows of shapes, since variants of a network in different parts have most
 * of their parts' shapes in common.
 *
 *     signature --hash--> one of a fixed number of entries --> choices of each pass
 *
 * Invariant: an entry holds what a prediction would give. A new entry replaces the one with the
 * same hash. All rows are of one network on one device.
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

/* Fails only with VDNN_NO_MEMORY, as the other functions here. */
vdnn_status vdnn_shape_rows_create(vdnn_shape_rows **rows);
void vdnn_shape_rows_destroy(vdnn_shape_rows *rows); /* accepts NULL */

/* Whether the signature has an entry; false if `rows` is NULL. */
bool vdnn_shape_rows_have(const vdnn_shape_rows *rows, const char *signature);

/* Adds the entry's choices, if there is one, to layer `shape` of the profile, which has none. */
vdnn_status vdnn_shape_rows_repeat(const vdnn_shape_rows *rows, const char *signature,
                                   vdnn_profile *profile, int32_t shape);

/* Enters the choices of layer `shape` of the profile. */
vdnn_status vdnn_shape_rows_keep(vdnn_shape_rows *rows, const char *signature,
                                 const vdnn_profile *profile, int32_t shape);

#endif
