#include "runtime/data/resize.h"

#include <stddef.h>

/* Worked on at a time, so that where they come from is computed once and not for each row. */
enum { COLUMNS = 64 };

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

/* The columns [first, first + count) of the result. */
static void resize_columns(const float *from, int64_t from_height, int64_t from_width, float *to,
                           int64_t height, int64_t width, int64_t first, int64_t count)
{
    blend columns[COLUMNS];
    for (int64_t x = 0; x < count; x++)
        columns[x] = blend_at(first + x, from_width, width);
    for (int64_t y = 0; y < height; y++) {
        blend v = blend_at(y, from_height, height);
        const float *top = from + v.low * from_width, *bottom = from + v.high * from_width;
        for (int64_t x = 0; x < count; x++) {
            blend h = columns[x];
            to[y * width + first + x] = mix(mix(top[h.low], top[h.high], h.share),
                                            mix(bottom[h.low], bottom[h.high], h.share), v.share);
        }
    }
}

void vdnn_resize_plane(const float *from, int64_t from_height, int64_t from_width, float *to,
                       int64_t height, int64_t width)
{
    for (int64_t first = 0; first < width; first += COLUMNS)
        resize_columns(from, from_height, from_width, to, height, width, first,
                       width - first < COLUMNS ? width - first : COLUMNS);
}
