#ifndef VDNN_LAYERS_UPDATE_RULES_H
#define VDNN_LAYERS_UPDATE_RULES_H

/* The rules of optimizers, for one element: *w is its weight, dw its gradient (scaled, where it is
 * clipped), slots its slots.
 *
 * A file of updates defines how a function is declared (VDNN_RULE) and how each operation is
 * rounded by itself, and includes this header, so that every device gives the same bits. Padding of
 * a parameter, whose weight, gradient and slots are 0, stays 0.
 *
 * Invariant: each operation is rounded to f32 alone, in the order that is written here.
 * Threads: pure.
 *
 *     #define VDNN_RULE static inline
 *     #define VDNN_RULE_PLUS(a, b) ((a) + (b))
 *     #define VDNN_RULE_TIMES(a, b) ((a) * (b))
 *     #define VDNN_RULE_OVER(a, b) ((a) / (b))
 *     #define VDNN_RULE_ROOT(a) sqrtf(a)
 */

#include "layers/optimizer.h"

/* The gradient of the loss and of weight_decay / 2 * w^2. */
VDNN_RULE float vdnn_rule_decayed(const vdnn_update_factors *f, float dw, float w)
{
    return VDNN_RULE_PLUS(dw, VDNN_RULE_TIMES(f->weight_decay, w));
}

/* v = momentum * v + (dw + weight_decay * w); w = w - lr * v */
VDNN_RULE void vdnn_rule_sgd(const vdnn_update_factors *f, float dw, float *w, float *slots)
{
    float decayed = vdnn_rule_decayed(f, dw, *w);
    slots[0] = VDNN_RULE_PLUS(VDNN_RULE_TIMES(f->momentum, slots[0]), decayed);
    *w = VDNN_RULE_PLUS(*w, -VDNN_RULE_TIMES(f->lr, slots[0]));
}

/* The same v; w = w - lr * (dw + weight_decay * w + momentum * v). (Sutskever et al.: "On the
 * importance of initialization and momentum in deep learning", 2013.) */
VDNN_RULE void vdnn_rule_nesterov(const vdnn_update_factors *f, float dw, float *w, float *slots)
{
    float decayed = vdnn_rule_decayed(f, dw, *w);
    slots[0] = VDNN_RULE_PLUS(VDNN_RULE_TIMES(f->momentum, slots[0]), decayed);
    float ahead = VDNN_RULE_PLUS(decayed, VDNN_RULE_TIMES(f->momentum, slots[0]));
    *w = VDNN_RULE_PLUS(*w, -VDNN_RULE_TIMES(f->lr, ahead));
}

/* m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g^2;
 * w = w - lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps) */
VDNN_RULE void vdnn_rule_moments(const vdnn_update_factors *f, float g, float *w, float *slots)
{
    slots[0] = VDNN_RULE_PLUS(VDNN_RULE_TIMES(f->beta1, slots[0]), VDNN_RULE_TIMES(f->rest1, g));
    slots[1] = VDNN_RULE_PLUS(VDNN_RULE_TIMES(f->beta2, slots[1]),
                              VDNN_RULE_TIMES(f->rest2, VDNN_RULE_TIMES(g, g)));
    float root = VDNN_RULE_OVER(VDNN_RULE_ROOT(slots[1]), f->root2);
    float by = VDNN_RULE_OVER(slots[0], VDNN_RULE_PLUS(root, f->eps));
    *w = VDNN_RULE_PLUS(*w, -VDNN_RULE_TIMES(f->lr1, by));
}

VDNN_RULE void vdnn_rule_adam(const vdnn_update_factors *f, float dw, float *w, float *slots)
{
    vdnn_rule_moments(f, vdnn_rule_decayed(f, dw, *w), w, slots);
}

VDNN_RULE void vdnn_rule_adamw(const vdnn_update_factors *f, float dw, float *w, float *slots)
{
    *w = VDNN_RULE_TIMES(*w, f->kept);
    vdnn_rule_moments(f, dw, w, slots);
}

/* sum = sum + g^2; w = w - lr * g / (sqrt(initial + sum) + eps). (Duchi et al.: "Adaptive
 * subgradient methods", 2011.) The sum begins with 0, as that of padding remains. */
VDNN_RULE void vdnn_rule_adagrad(const vdnn_update_factors *f, float dw, float *w, float *slots)
{
    float decayed = vdnn_rule_decayed(f, dw, *w);
    slots[0] = VDNN_RULE_PLUS(slots[0], VDNN_RULE_TIMES(decayed, decayed));
    float root = VDNN_RULE_ROOT(VDNN_RULE_PLUS(f->accumulator, slots[0]));
    float by = VDNN_RULE_OVER(decayed, VDNN_RULE_PLUS(root, f->eps));
    *w = VDNN_RULE_PLUS(*w, -VDNN_RULE_TIMES(f->lr, by));
}

#endif
