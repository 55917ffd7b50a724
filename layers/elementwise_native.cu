#include "layers/cuda_pack.h"

/* Bytes moved of an element: 20 by sgd, 12 by average and accumulate, in bf16 6. Parameters may
 * begin at any float of their block; all blocks of a layer at the same one. */

/* Products and sums are rounded one by one, so that an update gives the same bits as on the CPU. */
struct sgd_update {
    float *w, *v;
    const float *dw;
    float lr, momentum, weight_decay;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight weights = at.load(w), velocities = at.load(v), gradients = at.load(dw);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            float &weight = weights.at[k], &velocity = velocities.at[k];
            float decayed = vdnn_cuda_plus(gradients.at[k], vdnn_cuda_times(weight_decay, weight));
            velocity = vdnn_cuda_plus(vdnn_cuda_times(momentum, velocity), decayed);
            weight = vdnn_cuda_plus(weight, -vdnn_cuda_times(lr, velocity));
        }
        at.store(v, velocities);
        at.store(w, weights);
    }
};

struct move_average {
    float rate;

    __device__ float operator()(float w, float dw) const
    {
        return vdnn_cuda_plus(vdnn_cuda_times(1.0F - rate, w), vdnn_cuda_times(rate, dw));
    }
};

/* Those of one launch, each of which has blocks of its own. The list is handed over with the
 * launch: all parameters of a kernel are 4 KiB at the most. */
enum { UPDATES_AT_ONCE = 64 };

struct update_list {
    float lr, momentum, weight_decay;
    int32_t count;
    unsigned end[UPDATES_AT_ONCE]; /* behind the last block of each */
    vdnn_update of[UPDATES_AT_ONCE];
};
static_assert(sizeof(update_list) <= 4096, "more than what a kernel can be handed");

__global__ static void update_all(const update_list list)
{
    int32_t i = 0;
    while (blockIdx.x >= list.end[i])
        i++;
    const vdnn_update &own = list.of[i];
    unsigned block = blockIdx.x - (i == 0 ? 0 : list.end[i - 1]);
    int64_t group = (int64_t)block * blockDim.x + threadIdx.x;
    if (own.rule == VDNN_UPDATE_AVERAGE)
        vdnn_cuda_act<float>(group, own.count, vdnn_cuda_are_aligned(own.w, own.dw),
                             [&](const auto &at) {
                                 at.store(own.w, vdnn_cuda_apply(move_average{(float)own.rate},
                                                                 at.load(own.w), at.load(own.dw)));
                             });
    else
        vdnn_cuda_act<float>(
            group, own.count, vdnn_cuda_are_aligned(own.w, own.v, own.dw),
            sgd_update{own.w, own.v, own.dw, list.lr, list.momentum, list.weight_decay});
}

static void launch_updates(update_list *list, cudaStream_t stream)
{
    unsigned blocks = list->count == 0 ? 0 : list->end[list->count - 1];
    if (blocks > 0)
        VDNN_LAUNCH(update_all, blocks, VDNN_CUDA_THREADS, stream, *list);
    list->count = 0;
}

static vdnn_status update(const vdnn_update *updates, int32_t count, int threads,
                          const vdnn_step_context *context, void *stream)
{
    (void)threads;
    cudaStream_t handle = static_cast<vdnn_cuda_stream *>(stream)->handle;
    update_list list = {};
    list.lr = (float)context->lr;
    list.momentum = (float)context->momentum;
    list.weight_decay = (float)context->weight_decay;
    for (int32_t i = 0; i < count; i++) {
        if (list.count == UPDATES_AT_ONCE)
            launch_updates(&list, handle);
        unsigned begin = list.count == 0 ? 0 : list.end[list.count - 1];
        list.end[list.count] = begin + vdnn_cuda_eight_blocks(updates[i].count);
        list.of[list.count++] = updates[i];
    }
    launch_updates(&list, handle);
    return vdnn_cuda_launched("update");
}

struct add {
    __device__ float operator()(float sum, float part) const
    {
        return sum + part;
    }
};

template <class T>
static vdnn_status accumulate_as(void *sum, const void *part, int64_t count, cudaStream_t stream)
{
    vdnn_cuda_map<T>(stream, count, add{}, static_cast<T *>(sum), static_cast<const T *>(sum),
                     static_cast<const T *>(part));
    return vdnn_cuda_launched("accumulate");
}

static vdnn_status accumulate(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream)
{
    (void)threads;
    return VDNN_CUDA_AS(dtype, accumulate_as, sum, part, count,
                        static_cast<vdnn_cuda_stream *>(stream)->handle);
}

const vdnn_elementwise vdnn_elementwise_native_cuda = {"cuda", update, accumulate};
