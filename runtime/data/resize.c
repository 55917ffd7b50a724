#include "runtime/data/resize.h"

#include <stddef.h>

/* Where a coordinate of the result lies between two cells of the source. */
typedef struct blend {
    ptrdiff_t low, high;
    float share; /* of high */
} blend;

static blend blend_at(int64_t i, int64_t from, int64_t to)
{
    double at = ((double)i + 0.5) * (double)from / (double)to - 0.5;
    if (at < 0)
        at = 0;
    ptrdiff_t low = (ptrdiff_t)at;
    if (low > from - 1)
        low = (ptrdiff_t)(from - 1);
    return (blend){low, low + 1 < from ? low + 1 : low, (float)(at - (double)low)};
}

static float mix(float low, float high, float share)
{
    return share > 0 ? low + (high - low) * share : low;
}

void vdnn_resize_plane(const float *from, int64_t from_height, int64_t from_width, float *to,
                       int64_t height, int64_t width)
{
    for (int64_t y = 0; y < height; y++) {
        blend v = blend_at(y, from_height, height);
        const float *top = from + v.low * from_width, *bottom = from + v.high * from_width;
        for (int64_t x = 0; x < width; x++) {
            blend h = blend_at(x, from_width, width);
            to[y * width + x] = mix(mix(top[h.low], top[h.high], h.share),
                                    mix(bottom[h.low], bottom[h.high], h.share), v.share);
        }
    }
}
