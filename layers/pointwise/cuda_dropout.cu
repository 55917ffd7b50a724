#include "layers/cuda/pack.h"

extern "C" {
#include "layers/pointwise/dropout.h"
}

#include "runtime/base/numbers/philox.h"

/* Bytes moved of an element of f32: 8, and an eighth for the mask, whose bytes are as relu's; of
 * bf16 half, except for the mask. Four neighbours have the words of one draw where they are of one
 * sample's groups of four, as they are in all samples of whole groups. */

enum { WORDS = 4 };

typedef struct dropout_draw {
    uint64_t key, first_sample;
    uint32_t step, layer, threshold;
    vdnn_cuda_divisor per_sample;

    /* The words of the group that element i of the batch is in. */
    __device__ __forceinline__ void words(int64_t i, uint32_t *to) const
    {
        uint64_t sample = first_sample + (uint64_t)(i / per_sample);
        const uint32_t counter[WORDS] = {step, (uint32_t)sample, layer,
                                         (uint32_t)(i % per_sample / WORDS)};
        vdnn_philox(key, counter, to);
    }

    /* Bit k: element i + k is kept. */
    __device__ __forceinline__ unsigned kept(int64_t i) const
    {
        bool are_whole = per_sample.by % WORDS == 0;
        uint32_t own[WORDS];
        unsigned bits = 0;
        words(i, own);
        for (int k = 0; k < WORDS; k++) {
            if (!are_whole)
                words(i + k, own);
            int at = are_whole ? k : (int)((i + k) % per_sample % WORDS);
            uint32_t word = at < 2 ? at < 1 ? own[0] : own[1] : at < 3 ? own[2] : own[3];
            bits |= (unsigned)(word >> 8 >= threshold) << k;
        }
        return bits;
    }
} dropout_draw;

/* Where a bit is 0, 0. */
static __device__ __forceinline__ vdnn_cuda_eight scaled(vdnn_cuda_eight eight, float scale,
                                                         unsigned bits)
{
    for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
        eight.at[k] = bits >> k & 1 ? scale * eight.at[k] : 0.0F;
    return eight;
}

template <class T> struct drop {
    const T *x;
    T *y;
    uint8_t *mask;
    float scale;
    dropout_draw draw;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight eight = at.load(x);
        unsigned bits = draw.kept(at.element(0)) | draw.kept(at.element(WORDS)) << WORDS;
        at.store(y, scaled(eight, scale, bits));
        mask[at.group] = (uint8_t)bits;
    }
};

template <class T> struct drop_gradient {
    const uint8_t *mask;
    const T *dy;
    T *dx;
    float scale;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        at.store(dx, scaled(at.load(dy), scale, mask[at.group]));
    }
};

static dropout_draw draw_of(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    const vdnn_step_context *context = args->context;
    dropout_draw draw = {};
    draw.key = context->seed ^ VDNN_DROPOUT_KEY;
    draw.first_sample = vdnn_dropout_first_sample(args);
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
    bool is_forward = kernel->pass == VDNN_FORWARD;
    const T *from = static_cast<const T *>(is_forward ? args->x[0] : args->dy);
    T *to = static_cast<T *>(is_forward ? args->y : args->dx[0]);
    if (!is_forward)
        vdnn_cuda_each<T>(stream, count, vdnn_cuda_are_aligned(from, to),
                          drop_gradient<T>{mask, from, to, scale});
    else if (!args->context->evaluate)
        vdnn_cuda_each<T>(stream, count, vdnn_cuda_are_aligned(from, to),
                          drop<T>{from, to, mask, scale, draw_of(layer, args)});
    else if (to != from)
        return vdnn_cuda_copy(args, to, from, vdnn_desc_bytes(&layer->y));
    return vdnn_cuda_launched("dropout");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_dropout_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("dropout", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run),
    VDNN_CUDA_DATA_PASSES);
