#ifndef VDNN_LAYERS_OPTIMIZER_H
#define VDNN_LAYERS_OPTIMIZER_H

/* Optimizers: how a parameter changes by its gradient, and what is kept of it from step to step.
 *
 * What is kept are arrays like the gradient, the optimizer's *slots*. All slots of a layer are one
 * block of memory, in which each begins at a multiple of VDNN_SLOT_ALIGNMENT and has its parameters
 * at the offsets that they have in the gradient:
 *
 *     adamw    | exp_avg: weight, bias | 0 ... 255 unused bytes | exp_avg_sq: weight, bias |
 *
 * Invariant: an update of an element depends on its weight, its gradient, its slots and the step
 * alone, and has the same bits on every device (layers/update_rules.h).
 * Threads: const data, pure functions.
 *
 *     const vdnn_optimizer *optimizer = vdnn_optimizer_find("adamw");
 *     vdnn_settings settings = vdnn_optimizer_presets(optimizer);
 *     size_t bytes = vdnn_optimizer_state_bytes(optimizer, trainable_bytes);
 *     vdnn_update_factors factors = vdnn_optimizer_factors(&settings, step);
 *
 * A new optimizer is a line in VDNN_OPTIMIZER_TABLE and a rule in layers/update_rules.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name in code, name and rule; how many slots and their names, which are those of their files in
 * checkpoints; presets of lr, momentum, weight_decay, both betas, eps and
 * initial_accumulator_value, -1: it has no such setting. Rules and presets are those of PyTorch,
 * but sgd and nesterov have a preset of momentum.
 *
 * weight_decay adds weight_decay * w to the gradient, before the rule; that of adamw is decoupled
 * from it: w = w - lr * weight_decay * w (Loshchilov, Hutter: "Decoupled weight decay
 * regularization", 2019). */
// clang-format off
#define VDNN_OPTIMIZER_TABLE(X)                                                                    \
    X(SGD,      sgd,      1, "momentum", NULL,         0.01,  0.9, 0,    -1,  -1,    -1,    -1)    \
    X(NESTEROV, nesterov, 1, "momentum", NULL,         0.01,  0.9, 0,    -1,  -1,    -1,    -1)    \
    X(ADAM,     adam,     2, "exp_avg",  "exp_avg_sq", 0.001, -1,  0,    0.9, 0.999, 1e-8,  -1)    \
    X(ADAMW,    adamw,    2, "exp_avg",  "exp_avg_sq", 0.001, -1,  0.01, 0.9, 0.999, 1e-8,  -1)    \
    X(ADAGRAD,  adagrad,  1, "sum",      NULL,         0.01,  -1,  0,    -1,  -1,    1e-10, 0)
// clang-format on

typedef enum vdnn_optimizer_id {
#define X(id, ...) VDNN_OPTIMIZER_##id,
    VDNN_OPTIMIZER_TABLE(X)
#undef X
        VDNN_OPTIMIZER_COUNT
} vdnn_optimizer_id;

enum { VDNN_MAX_SLOTS = 2, VDNN_SLOT_ALIGNMENT = 256 };

/* Values of the settings; those that an optimizer does not have are not read. */
typedef struct vdnn_settings {
    double lr, momentum, weight_decay, betas[2], eps;
    double accumulator; /* what the sum of squares begins with */
} vdnn_settings;

typedef struct vdnn_optimizer {
    vdnn_optimizer_id id;
    const char *name;
    int32_t slot_count;
    const char *slots[VDNN_MAX_SLOTS];
    vdnn_settings presets;
} vdnn_optimizer;

const vdnn_optimizer *vdnn_optimizer_at(vdnn_optimizer_id id);
const vdnn_optimizer *vdnn_optimizer_find(const char *name); /* NULL: unknown */

/* The settings by name, as keys of `training:` and in JSON. */
typedef struct vdnn_setting {
    const char *name;
    size_t offset; /* into vdnn_settings */
    int32_t count; /* of numbers */
    double min, max;
} vdnn_setting;

enum { VDNN_SETTING_COUNT = 6 };
const vdnn_setting *vdnn_setting_at(size_t i);
/* Its `count` numbers. */
const double *vdnn_setting_values(const vdnn_setting *setting, const vdnn_settings *settings);
void vdnn_setting_store(const vdnn_setting *setting, const double *values, vdnn_settings *settings);
bool vdnn_optimizer_has(const vdnn_optimizer *optimizer, const vdnn_setting *setting);
/* 0 for those that it does not have. */
vdnn_settings vdnn_optimizer_presets(const vdnn_optimizer *optimizer);

/* Where a slot begins in a layer's block, and the bytes of the block, for a gradient of that
 * many bytes. */
size_t vdnn_optimizer_slot_offset(size_t trainable_bytes, int32_t slot);
size_t vdnn_optimizer_state_bytes(const vdnn_optimizer *optimizer, size_t trainable_bytes);
/* The slots of a layer's block from their element `first` on; NULL: the optimizer has no such. */
void vdnn_optimizer_place_slots(vdnn_optimizer_id optimizer, float *state, size_t trainable_bytes,
                                int64_t first, float *slots[VDNN_MAX_SLOTS]);

/* The numbers of a step that its updates share, each computed in double and then rounded. */
typedef struct vdnn_update_factors {
    float lr, momentum, weight_decay;
    float kept;         /* 1 - lr * weight_decay: of the weight, by adamw */
    float beta1, rest1; /* rest = 1 - beta */
    float beta2, rest2;
    float lr1;   /* lr / (1 - beta1^t), in step t, counted from 1 */
    float root2; /* sqrt(1 - beta2^t) */
    float eps;
    float accumulator; /* added to the sum of squares, which is kept without it */
    float scale;       /* of gradients: 1, unless they are clipped */
} vdnn_update_factors;

/* `step` counts from 0; gradients are not clipped. */
vdnn_update_factors vdnn_optimizer_factors(const vdnn_settings *settings, uint64_t step);

/* ---- clipping -------------------------------------------------------------------------------- */

enum { VDNN_NORM_PARTS = 256 };

/* The norm of all gradients that the optimizer applies, as far as it is summed: in memory of the
 * device. */
typedef struct vdnn_norm {
    double squares; /* their sum */
    float scale;    /* of gradients, by those: vdnn_optimizer_scale */
    float unused;
    double parts[VDNN_NORM_PARTS]; /* of the sum that was added last, in an order that depends on
                                      the number of elements alone */
} vdnn_norm;

/* min(1, clip_norm / (norm + 1e-6)): PyTorch's clip_grad_norm_. (Pascanu et al.: "On the difficulty
 * of training recurrent neural networks", 2013.) */
float vdnn_optimizer_scale(double squares, double clip_norm);

#endif
