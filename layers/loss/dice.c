#include "layers/loss/dice.h"

#include "layers/loss/loss_shape.h"
#include "layers/shape.h"
#include "runtime/base/heap.h"

#include <inttypes.h>
#include <math.h>

static const vdnn_key keys[] = {
    {"smooth", VDNN_KEY_REAL, offsetof(vdnn_dice_config, smooth), .preset = 1e-5, .max = 1e9},
    {"cross_entropy", VDNN_KEY_REAL, offsetof(vdnn_dice_config, cross_entropy), .max = 1e9},
    {"ignore", VDNN_KEY_INT, offsetof(vdnn_dice_config, ignore), .preset = (double)VDNN_NO_LABEL,
     .min = (double)VDNN_NO_LABEL, .max = INT32_MAX},
    {"background", VDNN_KEY_BOOL, offsetof(vdnn_dice_config, background), .max = 1},
    {"batch", VDNN_KEY_BOOL, offsetof(vdnn_dice_config, batch), .max = 1},
};

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_dice_config *own = layer->config;
    const vdnn_desc *x = &layer->x[0];
    if (!vdnn_desc_is_sequence(x))
        return vdnn_shape_refuse(layer, "its input is no sequence of positions; a to_sequence "
                                        "layer makes one of a picture");
    if (x->dims[VDNN_FEATURES] != layer->classes)
        return vdnn_shape_refuse(layer,
                                 "its input has %" PRId64 " elements a position, but the network "
                                 "has %" PRId64 " classes",
                                 x->dims[VDNN_FEATURES], layer->classes);
    layer->background = own->background ? 0 : 1;
    layer->joins_samples = own->batch;
    if (layer->classes <= layer->background || layer->classes > VDNN_DICE_MOST_CLASSES)
        return vdnn_shape_refuse(
            layer, "the network has %" PRId64 " classes%s; expected %" PRId64 " to %d",
            layer->classes, own->background ? "" : ", one of them background",
            layer->background + 1, (int)VDNN_DICE_MOST_CLASSES);
    if (own->ignore < INT32_MIN && own->ignore != VDNN_NO_LABEL)
        return vdnn_shape_refuse(layer, "no label is %" PRId64 ": they have 32 bits", own->ignore);
    vdnn_loss_shape_set_result(layer);
    vdnn_loss_shape_set_classes(layer, own->ignore);
    return VDNN_OK;
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    return (size_t)(vdnn_dice_groups(layer) * vdnn_dice_stored(layer)) * sizeof(float);
}

double vdnn_dice_finish(const vdnn_layer *layer, const vdnn_dice_sums *sums,
                        const vdnn_dice_entropy *entropy, float *aux)
{
    const vdnn_dice_config *own = layer->config;
    const double classes = (double)(layer->classes - layer->background),
                 share = entropy->counted > 0 ? own->cross_entropy / entropy->counted : 0;
    double loss = 1 + share * entropy->sum;
    for (int64_t c = 0; c < layer->classes; c++) {
        const vdnn_dice_sums *of = &sums[c];
        const double above = 2 * of->intersection + own->smooth,
                     below = fmax(of->probable + of->labelled + own->smooth, VDNN_DICE_LEAST),
                     counts = c < layer->background ? 0 : 1 / (classes * below);
        loss -= counts * above;
        if (aux != NULL) {
            aux[2 * c] = (float)(counts * above / below);
            aux[2 * c + 1] = (float)(-2 * counts);
        }
    }
    if (aux != NULL)
        aux[2 * layer->classes] = (float)share;
    return loss;
}

/* Adds what a position counts; its label counts. */
static void add_position(const float *x, int64_t classes, int32_t label, vdnn_dice_sums *sums,
                         vdnn_dice_entropy *entropy)
{
    double largest = (double)x[0], sum = 0;
    for (int64_t c = 1; c < classes; c++)
        largest = fmax(largest, (double)x[c]);
    for (int64_t c = 0; c < classes; c++)
        sum += exp((double)x[c] - largest);
    for (int64_t c = 0; c < classes; c++)
        sums[c].probable += exp((double)x[c] - largest) / sum;
    sums[label].intersection += exp((double)x[label] - largest) / sum;
    sums[label].labelled++;
    // cppcheck-suppress invalidFunctionArg ; the largest alone adds 1
    entropy->sum += log(sum) - ((double)x[label] - largest);
    entropy->counted++;
}

static double sample_loss(const vdnn_layer *layer, const float *x, const void *of_positions)
{
    const int32_t *labels = of_positions;
    const int64_t classes = layer->classes, positions = layer->x[0].dims[VDNN_POSITIONS];
    vdnn_dice_sums *sums = vdnn_heap_calloc((size_t)classes, sizeof *sums);
    vdnn_dice_entropy entropy = {0};
    if (sums == NULL)
        return (double)NAN;
    for (int64_t t = 0; t < positions; t++)
        if (labels[t] != layer->ignored)
            add_position(x + t * classes, classes, labels[t], sums, &entropy);
    const double loss = vdnn_dice_finish(layer, sums, &entropy, NULL);
    vdnn_heap_free(sums);
    return loss;
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return 32 * (double)vdnn_desc_count(&layer->x[0]);
}

const vdnn_layer_def vdnn_dice_def = {
    .type = "dice",
    .role = VDNN_ROLE_CLASSIFIER,
    .target = VDNN_TARGET_MASKS,
    .input_rule = VDNN_INPUT_ANY,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_dice_config),
    .later_keys = 1,
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .aux_by_sample = true,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_AUX},
    .lean = {VDNN_NEEDS_X | VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_X | VDNN_NEEDS_AUX},
    .infer = infer,
    .aux_bytes = aux_bytes,
    .sample_loss = sample_loss,
    .flops = flops,
};
