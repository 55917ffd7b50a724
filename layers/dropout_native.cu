#include "layers/cuda_kernel.h"

extern "C" {
#include "layers/dropout.h"
}

#include "runtime/philox.h"

/* A thread has the elements of one byte of the mask, which may be of two samples. */

enum { BITS = 8, WORDS = 4 };

typedef struct dropout_draw {
    uint64_t key, first_sample;
    uint32_t step, layer, threshold;
    vdnn_cuda_divisor per_sample;
} dropout_draw;

template <class T>
__global__ static void forward(const T *x, T *y, uint8_t *mask, float scale, dropout_draw draw,
                               int64_t count)
{
    int64_t byte = vdnn_cuda_index(), first = byte * BITS;
    unsigned bits = 0;
    uint32_t words[WORDS] = {0, 0, 0, 0};
    int64_t drawn = -1; /* the sample and word group that `words` are of, as one number */
    for (int k = 0; k < BITS && first + k < count; k++) {
        int64_t i = first + k, sample = i / draw.per_sample, element = i % draw.per_sample;
        int64_t wanted = sample * (draw.per_sample.by / WORDS + 1) + element / WORDS;
        if (wanted != drawn) {
            uint64_t global = draw.first_sample + (uint64_t)sample;
            const uint32_t counter[WORDS] = {draw.step, (uint32_t)global, draw.layer,
                                             (uint32_t)(element / WORDS)};
            vdnn_philox(draw.key, counter, words);
            drawn = wanted;
        }
        bool is_kept = words[element % WORDS] >> 8 >= draw.threshold;
        y[i] = is_kept ? scale * x[i] : 0.0F;
        bits |= (unsigned)is_kept << k;
    }
    if (first < count)
        mask[byte] = (uint8_t)bits;
}

template <class T>
__global__ static void backward(const uint8_t *mask, const T *dy, T *dx, float scale, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        dx[i] = mask[i / BITS] >> (i % BITS) & 1 ? scale * dy[i] : 0.0F;
}

static dropout_draw draw_of(const vdnn_layer *layer, const vdnn_step_context *context)
{
    dropout_draw draw = {};
    draw.key = context->seed ^ VDNN_DROPOUT_KEY;
    draw.first_sample = context->first_sample;
    draw.step = (uint32_t)context->step;
    draw.layer = (uint32_t)layer->number;
    draw.threshold =
        vdnn_dropout_threshold(static_cast<const vdnn_dropout_config *>(layer->config));
    draw.per_sample = vdnn_desc_per_sample(&layer->y);
    return draw;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t count = vdnn_desc_count(&layer->y);
    float scale = vdnn_dropout_scale(static_cast<const vdnn_dropout_config *>(layer->config));
    uint8_t *mask = static_cast<uint8_t *>(args->aux);
    if (kernel->pass != VDNN_FORWARD)
        VDNN_LAUNCH(backward<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, mask,
                    static_cast<const T *>(args->dy), static_cast<T *>(args->dx[0]), scale, count);
    else if (!args->context->evaluate)
        VDNN_LAUNCH(forward<T>, vdnn_cuda_blocks((count + BITS - 1) / BITS), VDNN_CUDA_THREADS,
                    stream, static_cast<const T *>(args->x[0]), static_cast<T *>(args->y), mask,
                    scale, draw_of(layer, args->context), count);
    else if (args->y != args->x[0])
        return vdnn_cuda_copy(args, args->y, args->x[0], vdnn_desc_bytes(&layer->y));
    return vdnn_cuda_launched("dropout");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_dropout_native_cuda =
    vdnn_cuda_row("dropout", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run);
