#include "layers/cuda/pack.h"
#include "layers/cuda/weight_turn.h"

extern "C" {
#include "layers/cuda/weight.h"
}

/* Bytes moved per element: 20 by sgd, and those of a copy; 12 by average and accumulate, in bf16 6.
 * Parameters may begin at any float of their block; all blocks of a layer at the same one. */

/* ---- copies of a weight ---------------------------------------------------------------------- */

/* Writes the new weights of a place to the copy: the same values as by vdnn_cuda_weight_convert.
 * `smallest` is the type that places are counted in. */
struct no_copy {
    using smallest = float;
    float *to;

    template <class Place>
    __device__ void operator()(const Place &at, const vdnn_cuda_eight &weights) const
    {
        (void)at;
        (void)weights;
    }
};

struct narrow_copy {
    using smallest = vdnn_cuda_bf16;
    vdnn_cuda_bf16 *to;

    template <class Place>
    __device__ void operator()(const Place &at, const vdnn_cuda_eight &weights) const
    {
        at.store(to, weights);
    }
};

/* Padding is not written: it stays zero after the copy was filled. */
template <class T> struct turned_copy {
    using smallest = float;
    T *to;
    vdnn_cuda_weight_turn turn;

    template <class Place>
    __device__ void operator()(const Place &at, const vdnn_cuda_eight &weights) const
    {
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            if (at.has(k))
                to[turn.place(at.element(k))] = weights.at[k];
    }
};

/* ---- updates --------------------------------------------------------------------------------- */

/* Products and sums are rounded one by one, so that an update gives the same bits as on the CPU. */
template <class Copy> struct sgd_update {
    float *w, *v;
    const float *dw;
    float lr, momentum, weight_decay;
    Copy copy;

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
        copy(at, weights);
    }
};

struct move_average {
    float rate;

    __device__ float operator()(float w, float dw) const
    {
        return vdnn_cuda_plus(vdnn_cuda_times(1.0F - rate, w), vdnn_cuda_times(rate, dw));
    }
};

/* The updates of one launch, each with its own blocks. The list is passed by value: all parameters
 * of a kernel are at most 4 KiB. */
enum { UPDATES_AT_ONCE = 64, NO_COPY = -1, PARAMETER_BYTES = 4096 };

struct one_update {
    vdnn_update_rule rule;
    float rate;
    float *w, *v;
    const float *dw;
    int64_t count;
};

struct update_list {
    float lr, momentum, weight_decay;
    int32_t count;
    int32_t copied;                /* that has a copy, one at most; NO_COPY: none */
    unsigned end[UPDATES_AT_ONCE]; /* behind the last block of each */
    one_update of[UPDATES_AT_ONCE];
};

template <class Copy>
static __device__ __forceinline__ void descend(const update_list &list, const one_update &own,
                                               int64_t group, const Copy &copy)
{
    vdnn_cuda_act<typename Copy::smallest>(
        group, own.count, vdnn_cuda_are_aligned(own.w, own.v, own.dw),
        sgd_update<Copy>{own.w, own.v, own.dw, list.lr, list.momentum, list.weight_decay, copy});
}

template <class Copy> __global__ static void update_all(const update_list list, const Copy copy)
{
    int32_t i = 0;
    while (blockIdx.x >= list.end[i])
        i++;
    const one_update &own = list.of[i];
    unsigned block = blockIdx.x - (i == 0 ? 0 : list.end[i - 1]);
    int64_t group = (int64_t)block * blockDim.x + threadIdx.x;
    if (own.rule == VDNN_UPDATE_AVERAGE)
        vdnn_cuda_act<float>(
            group, own.count, vdnn_cuda_are_aligned(own.w, own.dw), [&](const auto &at) {
                at.store(own.w,
                         vdnn_cuda_apply(move_average{own.rate}, at.load(own.w), at.load(own.dw)));
            });
    else if (i == list.copied)
        descend(list, own, group, copy);
    else
        descend(list, own, group, no_copy{});
}

template <class Copy>
static void launch_with(const update_list *list, const Copy &copy, cudaStream_t stream)
{
    static_assert(sizeof(update_list) + sizeof(Copy) <= PARAMETER_BYTES,
                  "more than a kernel's arguments can hold");
    VDNN_LAUNCH(update_all<Copy>, list->end[list->count - 1], VDNN_CUDA_THREADS, stream, *list,
                copy);
}

template <class T>
static void launch_turned(const update_list *list, const vdnn_update *copied, cudaStream_t stream)
{
    launch_with(
        list,
        turned_copy<T>{static_cast<T *>(copied->copy), vdnn_cuda_weight_turn_of(copied->layer)},
        stream);
}

/* `copied`: the update whose copy is written; NULL: none. */
static void launch_updates(update_list *list, const vdnn_update *copied, cudaStream_t stream)
{
    bool is_empty = list->count == 0 || list->end[list->count - 1] == 0;
    if (!is_empty && copied == nullptr)
        launch_with(list, no_copy{}, stream);
    else if (!is_empty && vdnn_weight_copy_of(copied->layer).is_turned)
        VDNN_CUDA_AS(copied->layer->y.dtype, launch_turned, list, copied, stream);
    else if (!is_empty)
        launch_with(list, narrow_copy{static_cast<vdnn_cuda_bf16 *>(copied->copy)}, stream);
    list->count = 0;
    list->copied = NO_COPY;
}

static void append(update_list *list, const vdnn_update *update)
{
    unsigned begin = list->count == 0 ? 0 : list->end[list->count - 1];
    if (update->copy != nullptr)
        list->copied = list->count;
    list->end[list->count] = begin + vdnn_cuda_eight_blocks(update->count);
    list->of[list->count++] = {update->rule, (float)update->rate, update->w,
                               update->v,    update->dw,          update->count};
}

static vdnn_status update(const vdnn_update *updates, int32_t count, int threads,
                          const vdnn_step_context *context, void *stream)
{
    (void)threads;
    cudaStream_t handle = static_cast<vdnn_cuda_stream *>(stream)->handle;
    const vdnn_update *copied = nullptr;
    update_list list = {};
    list.lr = (float)context->lr;
    list.momentum = (float)context->momentum;
    list.weight_decay = (float)context->weight_decay;
    list.copied = NO_COPY;
    for (int32_t i = 0; i < count; i++) {
        bool has_copy = updates[i].copy != nullptr;
        if (list.count == UPDATES_AT_ONCE || (has_copy && copied != nullptr)) {
            launch_updates(&list, copied, handle);
            copied = nullptr;
        }
        if (has_copy)
            copied = &updates[i];
        append(&list, &updates[i]);
    }
    launch_updates(&list, copied, handle);
    return vdnn_cuda_launched("update");
}

/* ---- sums ------------------------------------------------------------------------------------ */

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

static vdnn_status copy_weight(const vdnn_layer *layer, const float *w, void *copy, void *stream)
{
    vdnn_cuda_weight_convert(layer, w, copy, static_cast<vdnn_cuda_stream *>(stream));
    return vdnn_cuda_launched("copy of a weight");
}

const vdnn_elementwise vdnn_elementwise_native_cuda = {"cuda", update, accumulate, copy_weight};
