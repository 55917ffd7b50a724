#include "layers/optimizer.h"

#include "runtime/vdnn.h"

#include <math.h>
#include <string.h>

#define X(id, name, slots, first, second, lr, momentum, weight_decay, beta1, beta2, eps,           \
          accumulator)                                                                             \
    {VDNN_OPTIMIZER_##id,                                                                          \
     #name,                                                                                        \
     slots,                                                                                        \
     {first, second},                                                                              \
     {lr, momentum, weight_decay, {beta1, beta2}, eps, accumulator}},
static const vdnn_optimizer optimizers[] = {VDNN_OPTIMIZER_TABLE(X)};
#undef X

/* Below the normal numbers of f32 eps could be 0, and padding 0 / 0. */
#define LEAST_EPS 1e-37
/* Of betas: so that no correction divides by 0. */
#define BELOW_1 0.9999999

static const vdnn_setting settings_table[] = {
    {"lr", offsetof(vdnn_settings, lr), 1, 0, 1e6},
    {"momentum", offsetof(vdnn_settings, momentum), 1, 0, 1},
    {"weight_decay", offsetof(vdnn_settings, weight_decay), 1, 0, 1e6},
    {"betas", offsetof(vdnn_settings, betas), 2, 0, BELOW_1},
    {"eps", offsetof(vdnn_settings, eps), 1, LEAST_EPS, 1},
    {"initial_accumulator_value", offsetof(vdnn_settings, accumulator), 1, 0, 1e6},
};
_Static_assert(sizeof settings_table / sizeof *settings_table == VDNN_SETTING_COUNT,
               "the number of settings");

/* ---- the table ------------------------------------------------------------------------------- */

const vdnn_optimizer *vdnn_optimizer_at(vdnn_optimizer_id id)
{
    return &optimizers[id];
}

const vdnn_optimizer *vdnn_optimizer_find(const char *name)
{
    for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++)
        if (strcmp(optimizers[i].name, name) == 0)
            return &optimizers[i];
    return NULL;
}

size_t vdnn_optimizer_count(void)
{
    return VDNN_OPTIMIZER_COUNT;
}

const char *vdnn_optimizer_name(size_t i)
{
    return i < VDNN_OPTIMIZER_COUNT ? optimizers[i].name : NULL;
}

/* ---- settings -------------------------------------------------------------------------------- */

const vdnn_setting *vdnn_setting_at(size_t i)
{
    return &settings_table[i];
}

const double *vdnn_setting_values(const vdnn_setting *setting, const vdnn_settings *settings)
{
    return (const double *)(const void *)((const char *)settings + setting->offset);
}

void vdnn_setting_store(const vdnn_setting *setting, const double *values, vdnn_settings *settings)
{
    memcpy((char *)settings + setting->offset, values, (size_t)setting->count * sizeof *values);
}

bool vdnn_optimizer_has(const vdnn_optimizer *optimizer, const vdnn_setting *setting)
{
    return *vdnn_setting_values(setting, &optimizer->presets) >= 0;
}

vdnn_settings vdnn_optimizer_presets(const vdnn_optimizer *optimizer)
{
    vdnn_settings presets = {0};
    for (size_t i = 0; i < VDNN_SETTING_COUNT; i++)
        if (vdnn_optimizer_has(optimizer, &settings_table[i]))
            vdnn_setting_store(&settings_table[i],
                               vdnn_setting_values(&settings_table[i], &optimizer->presets),
                               &presets);
    return presets;
}

/* ---- the state ------------------------------------------------------------------------------- */

size_t vdnn_optimizer_slot_offset(size_t trainable_bytes, int32_t slot)
{
    size_t whole = (trainable_bytes + VDNN_SLOT_ALIGNMENT - 1) / VDNN_SLOT_ALIGNMENT;
    return (size_t)slot * whole * VDNN_SLOT_ALIGNMENT;
}

size_t vdnn_optimizer_state_bytes(const vdnn_optimizer *optimizer, size_t trainable_bytes)
{
    if (trainable_bytes == 0)
        return 0;
    return vdnn_optimizer_slot_offset(trainable_bytes, optimizer->slot_count - 1) + trainable_bytes;
}

void vdnn_optimizer_place_slots(vdnn_optimizer_id optimizer, float *state, size_t trainable_bytes,
                                int64_t first, float *slots[VDNN_MAX_SLOTS])
{
    for (int32_t s = 0; s < VDNN_MAX_SLOTS; s++)
        slots[s] =
            s >= optimizers[optimizer].slot_count
                ? NULL
                : state + first + vdnn_optimizer_slot_offset(trainable_bytes, s) / sizeof *state;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Kingma, Ba: "Adam", 2015: averages that began at 0 are corrected by 1 - beta^t. */
vdnn_update_factors vdnn_optimizer_factors(const vdnn_settings *settings, uint64_t step)
{
    double number = (double)step + 1;
    double beta1 = settings->betas[0], beta2 = settings->betas[1];
    return (vdnn_update_factors){.lr = (float)settings->lr,
                                 .momentum = (float)settings->momentum,
                                 .weight_decay = (float)settings->weight_decay,
                                 .kept = (float)(1 - settings->lr * settings->weight_decay),
                                 .beta1 = (float)beta1,
                                 .rest1 = (float)(1 - beta1),
                                 .beta2 = (float)beta2,
                                 .rest2 = (float)(1 - beta2),
                                 .lr1 = (float)(settings->lr / (1 - pow(beta1, number))),
                                 .root2 = (float)sqrt(1 - pow(beta2, number)),
                                 .eps = (float)settings->eps,
                                 .accumulator = (float)settings->accumulator,
                                 .scale = 1};
}

/* Not a number if the sum is none, as in PyTorch. */
float vdnn_optimizer_scale(double squares, double clip_norm)
{
    double scale = clip_norm / (sqrt(squares) + 1e-6);
    return scale >= 1 ? 1 : (float)scale;
}
