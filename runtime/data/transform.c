#include "runtime/data/transform.h"

#include "runtime/base/numbers/random.h"
#include "runtime/base/status.h"

#include <string.h>

/* The last word of the counters that augmentation draws with. */
enum { STREAM_AUGMENT = 0x6175 };

bool vdnn_transform_moves(const vdnn_transform *transform)
{
    return transform->flip || transform->crop[0] > 0 || transform->crop[1] > 0;
}

/* A whole number in [-most, most] from 32 random bits. */
static int64_t offset_from(uint32_t bits, int64_t most)
{
    return (int64_t)((uint64_t)bits * (uint64_t)(2 * most + 1) >> 32) - most;
}

vdnn_transform_draw vdnn_transform_choose(const vdnn_transform *transform, uint64_t seed,
                                          uint64_t epoch, uint64_t position)
{
    uint32_t bits[4];
    vdnn_random_philox(seed,
                       (const uint32_t[]){(uint32_t)position, (uint32_t)(position >> 32),
                                          (uint32_t)epoch, STREAM_AUGMENT},
                       bits);
    return (vdnn_transform_draw){.down = offset_from(bits[0], transform->crop[0]),
                                 .right = offset_from(bits[1], transform->crop[1]),
                                 .mirrored = transform->flip && (bits[2] & 1) != 0};
}

/* Columns from `right` on of a row of `width` pixels; 0 from outside. */
static void shift_row(const float *from, int64_t width, int64_t right, float *to)
{
    int64_t first = right < 0 ? -right : 0, end = right > 0 ? width - right : width;
    first = first < width ? first : width;
    end = end > first ? end : first;
    memset(to, 0, (size_t)first * sizeof *to);
    if (end > first)
        memcpy(to + first, from + first + right, (size_t)(end - first) * sizeof *to);
    memset(to + end, 0, (size_t)(width - end) * sizeof *to);
}

static void mirror_row(float *row, int64_t width)
{
    for (int64_t left = 0, right = width - 1; left < right; left++, right--) {
        float kept = row[left];
        row[left] = row[right];
        row[right] = kept;
    }
}

static void move_plane(const vdnn_picture_size *size, const vdnn_transform_draw *draw,
                       const float *from, float *to)
{
    int64_t width = size->width;
    for (int64_t y = 0; y < size->height; y++) {
        int64_t source = y + draw->down;
        float *row = to + y * width;
        if (source < 0 || source >= size->height) {
            memset(row, 0, (size_t)width * sizeof *row);
            continue;
        }
        shift_row(from + source * width, width, draw->right, row);
        if (draw->mirrored)
            mirror_row(row, width);
    }
}

void vdnn_transform_apply(const vdnn_transform *transform, const vdnn_picture_size *size,
                          const vdnn_transform_draw *draw, const float *from, float *to)
{
    bool moves = vdnn_transform_moves(transform);
    int64_t plane = size->height * size->width;
    VDNN_INVARIANT(moves && from == to, ==, 0);
    for (int64_t c = 0; c < size->channels; c++) {
        float *result = to + c * plane;
        if (moves)
            move_plane(size, draw, from + c * plane, result);
        else if (from != to)
            memcpy(result, from + c * plane, (size_t)plane * sizeof *result);
        if (transform->normalized == 0)
            continue;
        int64_t value = transform->normalized > 1 ? c : 0;
        float mean = transform->mean[value], std = transform->std[value];
        for (int64_t i = 0; i < plane; i++)
            result[i] = (result[i] - mean) / std;
    }
}
