#ifndef VDNN_LAYERS_CUDA_PACK_H
#define VDNN_LAYERS_CUDA_PACK_H

/* Passes over whole maps, element by element. Such a kernel mostly moves bytes, and is as fast as
 * the number of bytes in flight allows: each read and write is of 16 bytes, which a card moves by
 * one instruction, and a thread has its reads in flight together. It has eight elements, as many as
 * a byte of a mask has bits: two packs of four floats, or one of eight bf16, the second at such a
 * distance from the first that neighbours in a warp read neighbours in memory both times.
 *
 *     packs of a map of f32    | 0 | 1 | 2 | ... | g - 1 | g | g + 1 | ... |
 *     their threads              0   1   2         g - 1   0     1
 *
 * A full multiprocessor of 2,048 threads so has 64 KiB of each map of f32 in flight, 32 of bf16.
 *
 * Invariant: every element is read and written by one thread, which reads all it needs of it before
 * it writes: a map may be written over one that is read. Packs require aligned memory; other
 * memory, as that of a part of the batch may be, and the end of a map, is accessed element by
 * element. Functions and actions are types, whose names no two files may share: the linker would
 * merge their inline functions. Threads: the one that drives the device.
 *
 *     struct half { __device__ float operator()(float x) const { return x / 2; } };
 *     vdnn_cuda_map<T>(stream, count, half{}, y, x);              // y = half(x)
 *
 *     struct swap {
 *         float *a, *b;
 *         template <class Place> __device__ void operator()(const Place &at) const
 *         {
 *             vdnn_cuda_eight of_a = at.load(a), of_b = at.load(b);
 *             at.store(a, of_b);
 *             at.store(b, of_a);
 *         }
 *     };
 *     vdnn_cuda_each<float>(stream, count, vdnn_cuda_are_aligned(a, b), swap{a, b});
 */

#include "layers/cuda/kernel.h"

enum { VDNN_CUDA_PACK_BYTES = 16, VDNN_CUDA_EIGHT = 8 };

/* Neighbours in memory that are read and written by one instruction. */
template <class T> struct alignas(VDNN_CUDA_PACK_BYTES) vdnn_cuda_pack {
    static constexpr int COUNT = VDNN_CUDA_PACK_BYTES / sizeof(T);
    T at[(size_t)COUNT];
};

/* Whether packs may be read and written at all of them. */
template <class... T>
static __host__ __device__ __forceinline__ bool vdnn_cuda_are_aligned(const T *...maps)
{
    return ((reinterpret_cast<uintptr_t>(maps) | ...) % VDNN_CUDA_PACK_BYTES) == 0;
}

/* COUNT neighbours as floats, a pack of them or one. */
template <class T, int COUNT = vdnn_cuda_pack<T>::COUNT>
static __device__ __forceinline__ void vdnn_cuda_unpack(const T *from, float *to)
{
    static_assert(COUNT == 1 || COUNT == vdnn_cuda_pack<T>::COUNT, "neither one nor a pack");
    if constexpr (COUNT == 1) {
        *to = *from;
    } else {
        vdnn_cuda_pack<T> pack = *reinterpret_cast<const vdnn_cuda_pack<T> *>(from);
        for (int k = 0; k < COUNT; k++)
            to[k] = pack.at[k];
    }
}

/* The inverse. */
template <class T, int COUNT = vdnn_cuda_pack<T>::COUNT>
static __device__ __forceinline__ void vdnn_cuda_repack(const float *from, T *to)
{
    static_assert(COUNT == 1 || COUNT == vdnn_cuda_pack<T>::COUNT, "neither one nor a pack");
    if constexpr (COUNT == 1) {
        *to = *from;
    } else {
        vdnn_cuda_pack<T> pack;
        for (int k = 0; k < COUNT; k++)
            pack.at[k] = from[k];
        *reinterpret_cast<vdnn_cuda_pack<T> *>(to) = pack;
    }
}

/* The elements of a thread. */
struct vdnn_cuda_eight {
    float at[VDNN_CUDA_EIGHT];
};

/* Their positions in a map of T, and in others of as many elements, none of them smaller than T.
 * WHOLE: all eight exist, in packs; tested once per thread, so that nothing separates its reads.
 * Otherwise 0 is read for those that do not exist. */
template <class T, bool WHOLE> struct vdnn_cuda_place {
    static constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    int64_t group, groups; /* of this many threads this one */
    int64_t count;         /* elements of the map */

    /* The index in the map of element k of the eight. */
    __device__ __forceinline__ int64_t element(int k) const
    {
        return (group + k / COUNT * groups) * COUNT + k % COUNT;
    }

    __device__ __forceinline__ bool has(int k) const
    {
        return element(k) < count;
    }

    template <class U> __device__ __forceinline__ vdnn_cuda_eight load(const U *map) const
    {
        constexpr int AT_ONCE = WHOLE ? vdnn_cuda_pack<U>::COUNT : 1;
        static_assert(AT_ONCE <= COUNT, "a place is named after the smallest type");
        vdnn_cuda_eight eight = {};
        for (int k = 0; k < VDNN_CUDA_EIGHT; k += AT_ONCE)
            if (WHOLE || has(k))
                vdnn_cuda_unpack<U, AT_ONCE>(map + element(k), eight.at + k);
        return eight;
    }

    template <class U>
    __device__ __forceinline__ void store(U *map, const vdnn_cuda_eight &eight) const
    {
        constexpr int AT_ONCE = WHOLE ? vdnn_cuda_pack<U>::COUNT : 1;
        static_assert(AT_ONCE <= COUNT, "a place is named after the smallest type");
        for (int k = 0; k < VDNN_CUDA_EIGHT; k += AT_ONCE)
            if (WHOLE || has(k))
                vdnn_cuda_repack<U, AT_ONCE>(eight.at + k, map + element(k));
    }
};

/* action(place) for the thread of that index among all that work on a map. */
template <class T, class Action>
static __device__ __forceinline__ void vdnn_cuda_act(int64_t group, int64_t count, bool is_aligned,
                                                     const Action &action)
{
    int64_t groups = (count + VDNN_CUDA_EIGHT - 1) / VDNN_CUDA_EIGHT;
    vdnn_cuda_place<T, true> whole = {group, groups, count};
    if (group < groups && is_aligned && whole.has(VDNN_CUDA_EIGHT - 1))
        action(whole);
    else if (group < groups)
        action(vdnn_cuda_place<T, false>{group, groups, count});
}

template <class T, class Action>
__global__ static void vdnn_cuda_each_all(Action action, int64_t count, bool is_aligned)
{
    vdnn_cuda_act<T>(vdnn_cuda_index(), count, is_aligned, action);
}

template <class Function, class... Eights>
static __device__ __forceinline__ vdnn_cuda_eight vdnn_cuda_apply(const Function &function,
                                                                  const Eights &...from)
{
    vdnn_cuda_eight to;
    for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
        to.at[k] = function(from.at[k]...);
    return to;
}

template <class T, class Function, class To, class... From>
__global__ static void vdnn_cuda_map_all(Function function, int64_t count, bool is_aligned, To *to,
                                         const From *...from)
{
    vdnn_cuda_act<T>(vdnn_cuda_index(), count, is_aligned, [&](const auto &at) {
        at.store(to, vdnn_cuda_apply(function, at.load(from)...));
    });
}

static inline unsigned vdnn_cuda_eight_blocks(int64_t count)
{
    return vdnn_cuda_blocks((count + VDNN_CUDA_EIGHT - 1) / VDNN_CUDA_EIGHT);
}

/* The relu of an element. NaN is propagated: only values known to be at most zero become zero. */
struct vdnn_cuda_cut {
    __device__ __forceinline__ float operator()(float x) const
    {
        return x <= 0 ? 0.0F : x;
    }
};

/* action(place) for all places of a map of `count` elements of T; `is_aligned`: packs of all maps
 * that it accesses by places are. */
template <class T, class Action>
static inline void vdnn_cuda_each(cudaStream_t stream, int64_t count, bool is_aligned,
                                  const Action &action)
{
    if (count > 0)
        VDNN_LAUNCH((vdnn_cuda_each_all<T, Action>), vdnn_cuda_eight_blocks(count),
                    VDNN_CUDA_THREADS, stream, action, count, is_aligned);
}

/* to[i] = function(from[i]...) for all elements; T is the smallest type. */
template <class T, class Function, class To, class... From>
static inline void vdnn_cuda_map(cudaStream_t stream, int64_t count, const Function &function,
                                 To *to, const From *...from)
{
    if (count > 0)
        VDNN_LAUNCH((vdnn_cuda_map_all<T, Function, To, From...>), vdnn_cuda_eight_blocks(count),
                    VDNN_CUDA_THREADS, stream, function, count, vdnn_cuda_are_aligned(to, from...),
                    to, from...);
}

#endif
