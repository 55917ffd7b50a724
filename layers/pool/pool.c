#include "layers/pool/pool.h"

#include "layers/count.h"
#include "layers/shape.h"

#include <inttypes.h>

#define WINDOW_KEYS                                                                                \
    {"kernel",         VDNN_KEY_SIDES, offsetof(vdnn_pool_config, kernel),                         \
     .required = true, .min = 1,       .max = INT32_MAX},                                          \
        {"stride", VDNN_KEY_SIDES,  offsetof(vdnn_pool_config, stride), .preset_key = "kernel",    \
         .min = 1, .max = INT32_MAX},                                                              \
        {"pad", VDNN_KEY_SIDES, offsetof(vdnn_pool_config, pad), .preset = 0, .max = INT32_MAX},   \
    {                                                                                              \
        "ceil", VDNN_KEY_BOOL, offsetof(vdnn_pool_config, ceil), .preset = 0, .max = 1             \
    }

static const vdnn_key max_keys[] = {WINDOW_KEYS};

static const vdnn_key average_keys[] = {
    WINDOW_KEYS,
    {"count_pad", VDNN_KEY_BOOL, offsetof(vdnn_pool_config, count_pad), .preset = 1, .max = 1},
};

/* Cells of a window; more than 31 bits: 2^31. */
static int64_t cells_of(const vdnn_pool_config *pool)
{
    const int64_t most = (int64_t)INT32_MAX + 1;
    int64_t cells = 1;
    for (int side = 0; side < VDNN_SIDES; side++)
        cells = vdnn_count_min(cells * pool->kernel[side], most);
    return cells;
}

size_t vdnn_pool_index_bytes(const vdnn_pool_config *pool)
{
    return cells_of(pool) < 256 ? 1 : 4;
}

static vdnn_status infer(vdnn_layer *layer)
{
    static const int64_t undilated[VDNN_SIDES] = {1, 1, 1};
    const vdnn_pool_config *pool = layer->config;
    const vdnn_shape_slides window = {pool->kernel, pool->stride, pool->pad, undilated, pool->ceil};
    char text[VDNN_SIDES_TEXT];
    int64_t sides[VDNN_SIDES];
    for (int d = 0; d < VDNN_SIDES; d++)
        if (pool->pad[d] > pool->kernel[d] / 2)
            return vdnn_shape_refuse(layer,
                                     "pad %" PRId64 " is more than half of its kernel %" PRId64,
                                     pool->pad[d], pool->kernel[d]);
    if (cells_of(pool) > INT32_MAX)
        return vdnn_shape_refuse(layer, "kernel %s has more than 2^31 cells",
                                 vdnn_shape_sides_text(layer, pool->kernel, text));
    VDNN_TRY(vdnn_shape_window(layer, &window, sides));
    return vdnn_shape_set_sides(layer, layer->x[0].dims[VDNN_C], sides);
}

static size_t argmax_bytes(const vdnn_layer *layer)
{
    if ((layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX) == 0)
        return 0;
    return (size_t)vdnn_desc_stored(&layer->y) * vdnn_pool_index_bytes(layer->config);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    const vdnn_pool_config *pool = layer->config;
    return (double)vdnn_desc_count(&layer->y) * (double)cells_of(pool);
}

static double max_flops(const vdnn_layer *layer, vdnn_pass pass)
{
    bool scatters = pass == VDNN_BACKWARD_DATA && layer->aux_bytes > 0;
    return scatters ? (double)vdnn_desc_count(&layer->y) : flops(layer, pass);
}

const vdnn_layer_def vdnn_maxpool_def = {
    .type = "maxpool",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .keys = max_keys,
    .key_count = sizeof max_keys / sizeof max_keys[0],
    .config_bytes = sizeof(vdnn_pool_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .aux_by_sample = true,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_Y},
    .lean = {VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_AUX},
    .infer = infer,
    .aux_bytes = argmax_bytes,
    .flops = max_flops,
};

/* The mean's gradient needs nothing; the paper keeps X and Y of every pooling layer even so. */
const vdnn_layer_def vdnn_avgpool_def = {
    .type = "avgpool",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .keys = average_keys,
    .key_count = sizeof average_keys / sizeof average_keys[0],
    .config_bytes = sizeof(vdnn_pool_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_Y},
    .infer = infer,
    .flops = flops,
};
