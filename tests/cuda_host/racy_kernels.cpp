#include "tests/cuda_host/racy_kernels.h"

#include <cuda_runtime.h>

namespace
{

enum { THREADS = VDNN_RACY_THREADS, ROUNDS = 3 };

/* The block's memory. */
using line = float[THREADS];

void synchronize(bool does)
{
    if (does)
        __syncthreads();
}

/* Reads what a thread before this one has written. */
void take_from_before(float *values, bool has_barrier)
{
    VDNN_SHARED(line, at, );
    unsigned own = threadIdx.x;
    at[own] = (float)own;
    synchronize(has_barrier);
    values[own] = at[own / 2];
}

/* The same of one behind it. */
void take_from_behind(float *values, bool has_barrier)
{
    VDNN_SHARED(line, at, );
    unsigned own = threadIdx.x;
    at[own] = (float)own;
    synchronize(has_barrier);
    values[own] = at[(own + THREADS) / 2];
}

/* Writes the next round's value where a thread behind this one may still want the last one's. */
void overwrite(float *values, bool has_barrier)
{
    VDNN_SHARED(line, at, );
    unsigned own = threadIdx.x;
    float sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        at[own] = (float)(own + 100 * (unsigned)round);
        __syncthreads();
        sum += at[own / 2];
        synchronize(has_barrier);
    }
    values[own] = sum;
}

/* A sum by halves, in which every half requires all of the one before it. */
void add_halves(float *values, bool has_barrier)
{
    VDNN_SHARED(line, at, );
    unsigned own = threadIdx.x;
    at[own] = 1;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (own < half)
            at[own] += at[own + half];
        synchronize(has_barrier);
    }
    __syncthreads();
    values[own] = at[0];
}

struct kernel {
    const char *name;
    void (*run)(float *values, bool has_barrier);
};

const kernel kernels[] = {{"take_from_before", take_from_before},
                          {"take_from_behind", take_from_behind},
                          {"overwrite", overwrite},
                          {"add_halves", add_halves}};

} // namespace

extern "C" {

size_t vdnn_racy_count(void)
{
    return sizeof kernels / sizeof *kernels;
}

const char *vdnn_racy_name(size_t i)
{
    return kernels[i].name;
}

void vdnn_racy_run(size_t i, bool has_barrier, float *values)
{
    vdnn_cuda_host::launch(kernels[i].name, 1, THREADS, nullptr, kernels[i].run, values,
                           has_barrier);
}
}
