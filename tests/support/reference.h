#ifndef VDNN_TESTS_SUPPORT_REFERENCE_H
#define VDNN_TESTS_SUPPORT_REFERENCE_H

/* Every layer computed the obvious way, in double: what kernels are compared with.
 *
 * Written from what a layer means, with one loop per index, and shares no code with the kernels.
 * Threads: any; pure functions over what they are given.
 *
 *     const vdnn_reference *reference = vdnn_reference_find("conv");
 *     vdnn_reference_args args = {.x = x, .w = w, .y = y, .dy = dy, .dx = dx, .dw = dw, ...};
 *     reference->pass[VDNN_FORWARD](layer, &args);       // reads x, w, labels; writes y
 *     reference->pass[VDNN_BACKWARD_DATA](layer, &args); // reads x, w, dy, labels; writes every dx
 */

#include "layers/layer.h"

typedef struct vdnn_reference_args {
    double *const *x;   /* laid out as layer->x, row-major */
    double *w;          /* the parameter block: element i stands at byte 4 * i of the real one */
    double *y, *dy;     /* as layer->y */
    double *const *dx;  /* as layer->x */
    double *dw;         /* the trainable part of the parameter block */
    const void *labels; /* of layer->labels */
    const vdnn_step_context *context;
    int64_t first_sample; /* as of a kernel */
    double weight;
} vdnn_reference_args;

typedef void vdnn_reference_function(const vdnn_layer *layer, const vdnn_reference_args *args);

typedef struct vdnn_reference {
    const char *type;
    vdnn_reference_function *pass[VDNN_PASS_COUNT]; /* NULL where the type has no such pass */
} vdnn_reference;

const vdnn_reference *vdnn_reference_find(const char *type); /* NULL: unknown */

#endif
