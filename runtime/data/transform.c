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

/* Words that are moved: floats, or labels of 32 bits. */
enum { WORD = 4 };

static void fill_words(char *to, int64_t count, const void *word)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * WORD, word, WORD);
}

/* Columns from `right` on of a row of `width` pixels; `outside` from outside. */
static void shift_row(const char *from, int64_t width, int64_t right, const void *outside, char *to)
{
    int64_t first = right < 0 ? -right : 0, end = right > 0 ? width - right : width;
    first = first < width ? first : width;
    end = end > first ? end : first;
    fill_words(to, first, outside);
    if (end > first)
        memcpy(to + first * WORD, from + (first + right) * WORD, (size_t)(end - first) * WORD);
    fill_words(to + end * WORD, width - end, outside);
}

static void mirror_row(char *row, int64_t width)
{
    for (int64_t left = 0, right = width - 1; left < right; left++, right--) {
        char kept[WORD];
        memcpy(kept, row + left * WORD, WORD);
        memcpy(row + left * WORD, row + right * WORD, WORD);
        memcpy(row + right * WORD, kept, WORD);
    }
}

static void move_plane(const vdnn_picture_size *size, const vdnn_transform_draw *draw,
                       const char *from, const void *outside, char *to)
{
    const int64_t width = size->width;
    for (int64_t y = 0; y < size->height; y++) {
        const int64_t source = y + draw->down;
        char *row = to + y * width * WORD;
        if (source < 0 || source >= size->height) {
            fill_words(row, width, outside);
            continue;
        }
        shift_row(from + source * width * WORD, width, draw->right, outside, row);
        if (draw->mirrored)
            mirror_row(row, width);
    }
}

void vdnn_transform_move(const vdnn_picture_size *size, const vdnn_transform_draw *draw,
                         const void *from, const void *outside, void *to)
{
    const int64_t plane = size->height * size->width * WORD;
    for (int64_t c = 0; c < size->channels; c++)
        move_plane(size, draw, (const char *)from + c * plane, outside, (char *)to + c * plane);
}

void vdnn_transform_apply(const vdnn_transform *transform, const vdnn_picture_size *size,
                          const vdnn_transform_draw *draw, const float *from, float *to)
{
    static const float zero = 0;
    bool moves = vdnn_transform_moves(transform);
    int64_t plane = size->height * size->width;
    VDNN_INVARIANT(moves && from == to, ==, 0);
    for (int64_t c = 0; c < size->channels; c++) {
        float *result = to + c * plane;
        if (moves)
            move_plane(size, draw, (const char *)(from + c * plane), &zero, (char *)result);
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
