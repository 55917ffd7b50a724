#ifndef VDNN_LAYERS_POINTWISE_ACTIVATION_H
#define VDNN_LAYERS_POINTWISE_ACTIVATION_H

/* Activations: layers that apply a function of one variable to each element. Each is a type of its
 * name; their algorithms are rows of the same code with another function.
 *
 *     type         y                                            dx / dy
 *     gelu         x N(x)                                       N(x) + x N'(x)
 *       tanh       x s(2u), u = sqrt(2/pi) (x + 0.044715 x^3)   s(2u) + 2 u' x s(2u) s(-2u)
 *     silu         x s(x)                                       s(x) (1 + x s(-x))
 *     tanh         tanh x                                       1 - y^2
 *     sigmoid      s(x) = 1 / (1 + e^-x)                        y (1 - y)
 *     relu6        min(max(x, 0), 6)                            1 where 0 < y < 6, else 0
 *     leaky_relu   x where x > 0, else slope x                  1 where y > 0, else slope
 *     hardswish    x min(max(x + 3, 0), 6) / 6                  0 below -3, 1 above 3, else x/3 +
 * 1/2
 *     scale        factor x                                     factor
 *
 * N is the standard normal distribution. These are PyTorch's formulas, with x s(2u) for its
 * x (1 + tanh u) / 2.
 *
 * Invariant: backward reads x, or y alone where the derivative is a function of that, or, of scale,
 * neither. Only sigmoid is not 0 at 0. NaN is propagated.
 * Threads: const once read.
 *
 *     const vdnn_activation_config *config = layer->config;
 *     function = &functions[config->approximate]; // of a type's one or two
 */

#include "layers/layer.h"

/* By the number of the word that gelu's key `approximate` is. */
enum { VDNN_GELU_EXACT, VDNN_GELU_TANH, VDNN_GELU_KINDS };

/* Of all types; a type's keys set those that it has. */
typedef struct vdnn_activation_config {
    int64_t approximate; /* of gelu */
    double slope;        /* of leaky_relu; the factor of scale */
} vdnn_activation_config;

/* What the derivative is a function of: y or x; dy where it is a constant. */
static inline const void *vdnn_activation_source(const vdnn_layer *layer,
                                                 const vdnn_kernel_args *args)
{
    const vdnn_needs needs = layer->needs[VDNN_BACKWARD_DATA];
    return (needs & VDNN_NEEDS_Y) != 0   ? args->y
           : (needs & VDNN_NEEDS_X) != 0 ? args->x[0]
                                         : args->dy;
}

#endif
