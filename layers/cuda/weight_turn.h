#ifndef VDNN_LAYERS_CUDA_WEIGHT_TURN_H
#define VDNN_LAYERS_CUDA_WEIGHT_TURN_H

/* Positions of a weight's elements in its copy (layers/weight_copy.h), for kernels.
 *
 * Invariant: every element has a distinct position; padding belongs to none.
 * Threads: a value.
 *
 *     vdnn_cuda_weight_turn turn = vdnn_cuda_weight_turn_of(layer);
 *     to[turn.place(i)] = w[i];                              // in a kernel, i < turn.plain_count
 */

#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/weight_copy.h"
}

struct vdnn_cuda_weight_turn {
    vdnn_cuda_divisor channels, stored, taps;
    int64_t plain_count, count;

    __device__ __forceinline__ int64_t place(int64_t i) const
    {
        int64_t line = i / taps;
        return (line / channels * taps.by + i % taps) * stored.by + line % channels;
    }
};

static inline vdnn_cuda_weight_turn vdnn_cuda_weight_turn_of(const vdnn_layer *layer)
{
    vdnn_weight_copy copy = vdnn_weight_copy_of(layer);
    vdnn_cuda_weight_turn turn = {};
    turn.channels = copy.channels;
    turn.stored = copy.stored;
    turn.taps = copy.taps;
    turn.plain_count = layer->params[0].count;
    turn.count = copy.count;
    return turn;
}

#endif
