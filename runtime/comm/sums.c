#include "runtime/comm/sums.h"

#include <string.h>

enum { BLOCK_FLOATS = 2048 /* summed at a time: stays in the cache */ };

static void add_block(const float *const *pieces, int32_t ranks, size_t first, size_t count,
                      float *to)
{
    float sum[BLOCK_FLOATS];
    memcpy(sum, pieces[0] + first, count * sizeof *sum);
    for (int32_t r = 1; r < ranks; r++) {
        const float *values = pieces[r] + first;
        for (size_t i = 0; i < count; i++)
            sum[i] += values[i];
    }
    memcpy(to + first, sum, count * sizeof *sum);
}

void vdnn_sums_add(const float *const *pieces, int32_t ranks, size_t count, float *to)
{
    for (size_t done = 0; done < count; done += BLOCK_FLOATS) {
        const size_t left = count - done;
        add_block(pieces, ranks, done, left < BLOCK_FLOATS ? left : BLOCK_FLOATS, to);
    }
}
