#include "runtime/base/numbers/shard.h"

enum { LINE_FLOATS = 16 };

vdnn_shard vdnn_shard_even(size_t count, int32_t ranks, int32_t rank)
{
    const size_t lines = (count + LINE_FLOATS - 1) / LINE_FLOATS, all = (size_t)ranks,
                 each = (lines + all - 1) / all * LINE_FLOATS;
    const size_t first = (size_t)rank * each < count ? (size_t)rank * each : count;
    return (vdnn_shard){first, count - first < each ? count - first : each};
}

vdnn_shard vdnn_shard_first(size_t count, int32_t ranks, int32_t rank)
{
    (void)ranks;
    return rank == 0 ? (vdnn_shard){0, count} : (vdnn_shard){count, 0};
}
