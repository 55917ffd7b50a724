#include "layers/cpu/native.h"
#include "layers/pointwise/dropout.h"
#include "runtime/base/numbers/random.h"

/* One random word per element, so that a mask depends on the element's identity alone: the step,
 * the sample's global index, the layer, the position in the sample. */
static void draw_mask(const vdnn_layer *layer, const vdnn_kernel_args *args,
                      vdnn_native_range range)
{
    const vdnn_step_context *context = args->context;
    uint8_t *mask = args->aux;
    uint64_t first_sample = vdnn_dropout_first_sample(args);
    uint32_t threshold = vdnn_dropout_threshold(layer->config);
    int64_t per_sample = vdnn_desc_per_sample(&layer->y);
    int64_t sample = range.begin / per_sample, element = range.begin % per_sample;
    uint32_t words[4] = {0};
    bool drawn = false;
    for (int64_t i = range.begin; i < range.end; i++) {
        if (!drawn || element % 4 == 0) {
            uint64_t global_sample = first_sample + (uint64_t)sample;
            const uint32_t counter[4] = {(uint32_t)context->step, (uint32_t)global_sample,
                                         (uint32_t)layer->number, (uint32_t)(element / 4)};
            vdnn_random_philox(context->seed ^ VDNN_DROPOUT_KEY, counter, words);
            drawn = true;
        }
        unsigned kept = words[element % 4] >> 8 >= threshold;
        unsigned others = i % 8 == 0 ? 0 : mask[i / 8];
        mask[i / 8] = (uint8_t)(others | kept << (i % 8));
        if (++element == per_sample) {
            element = 0;
            sample++;
            drawn = false;
        }
    }
}

/* The kept elements of a block, scaled; `to` may be `from`. */
static void select_block(const vdnn_kernel *kernel, const uint8_t *mask, const void *from, void *to,
                         vdnn_native_range range)
{
    vdnn_dtype dtype = kernel->layer->y.dtype;
    float buffer[VDNN_NATIVE_BLOCK];
    const float *values = vdnn_native_read(dtype, from, range, buffer);
    float *selected = vdnn_native_write_begin(dtype, to, range, buffer);
    vdnn_native_select(mask, vdnn_dropout_scale(kernel->layer->config), values, selected, range);
    vdnn_native_write_end(dtype, to, range, selected);
}

static void forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        draw_mask(kernel->layer, args, range);
        select_block(kernel, args->aux, args->x[0], args->y, range);
    }
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
        select_block(kernel, args->aux, args->dy, args->dx[0], vdnn_native_block(block, count));
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    bool forwards = kernel->pass == VDNN_FORWARD;
    if (!forwards)
        backward(kernel, args);
    else if (!args->context->evaluate)
        forward(kernel, args);
    else if (args->y != args->x[0])
        memcpy(args->y, args->x[0], vdnn_desc_bytes(&kernel->layer->y));
    return VDNN_OK;
}

const vdnn_algorithm vdnn_dropout_native = {
    .layer_type = "dropout",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .run = run,
};
