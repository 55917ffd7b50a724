#include "layers/cuda/pack.h"

/* Between an input and its part of the samples, cells or positions of y: one run of each. Every
 * byte of the input is read and written once. */
template <class Unit>
__global__ static void copy_all(const Unit *from, int64_t from_step, Unit *to, int64_t to_step,
                                vdnn_cuda_divisor run, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        to[i / run * to_step + i % run] = from[i / run * from_step + i % run];
}

/* In packs, where all runs begin and end with one. */
template <class T>
static void copy_runs(cudaStream_t stream, const T *from, int64_t from_step, T *to, int64_t to_step,
                      int64_t run, int64_t count)
{
    using pack = vdnn_cuda_pack<T>;
    bool are_packs = vdnn_cuda_are_aligned(from, to) && from_step % pack::COUNT == 0 &&
                     to_step % pack::COUNT == 0 && run % pack::COUNT == 0;
    if (are_packs)
        VDNN_LAUNCH(copy_all<pack>, vdnn_cuda_blocks(count / pack::COUNT), VDNN_CUDA_THREADS,
                    stream, reinterpret_cast<const pack *>(from), from_step / pack::COUNT,
                    reinterpret_cast<pack *>(to), to_step / pack::COUNT, run / pack::COUNT,
                    count / pack::COUNT);
    else
        VDNN_LAUNCH(copy_all<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream, from,
                    from_step, to, to_step, run, count);
}

/* The channels of a sample, of a cell or of a position, which lie together. */
static int64_t run_of(const vdnn_desc *map)
{
    if (vdnn_desc_is_sequence(map))
        return map->dims[VDNN_FEATURES];
    return map->layout == VDNN_NHWC ? map->dims[VDNN_C] : vdnn_desc_per_sample(map);
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool forward = kernel->pass == VDNN_FORWARD;
    int64_t whole = run_of(&layer->y), first = 0;
    for (int32_t i = 0; i < layer->input_count; i++) {
        int64_t part = run_of(&layer->x[i]), count = vdnn_desc_count(&layer->x[i]);
        if (forward)
            copy_runs(stream, static_cast<const T *>(args->x[i]), part,
                      static_cast<T *>(args->y) + first, whole, part, count);
        else if (layer->wants_dx[i])
            copy_runs(stream, static_cast<const T *>(args->dy) + first, whole,
                      static_cast<T *>(args->dx[i]), part, part, count);
        first += part;
    }
    return vdnn_cuda_launched("concat");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_concat_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("concat", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run),
    VDNN_CUDA_DATA_PASSES);
