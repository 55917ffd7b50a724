/* synthetic: made-up images that can be learned. Each pixel is standard normal noise plus a pattern
 * of the image's class: a coarse grid of normals for each channel, the same for all images of the
 * class. */

#include "alloc/heap.h"
#include "runtime/data/format.h"
#include "runtime/random.h"

#include <errno.h>
#include <stdlib.h>

enum { GRID = 8, LANES = 4 };

#define IMAGE_COUNT ((uint64_t)1 << 20)
#define PATTERN_SCALE 0.5f

/* What a random number is for: the last word of its counter. */
enum { STREAM_LABEL = 0x6c61, STREAM_PATTERN = 0x7061, STREAM_NOISE = 0x6e6f };

typedef struct synthetic {
    uint64_t seed;
    uint32_t classes;
} synthetic;

static void four_normals(uint64_t seed, uint32_t a, uint32_t b, uint32_t c, uint32_t stream,
                         float normals[LANES])
{
    uint32_t bits[LANES];
    vdnn_random_philox(seed, (const uint32_t[]){a, b, c, stream}, bits);
    vdnn_random_normal(bits[0], bits[1], normals);
    vdnn_random_normal(bits[2], bits[3], normals + 2);
}

static vdnn_status synthetic_open(const vdnn_dataset_request *request, const char *place,
                                  vdnn_dataset *dataset)
{
    uint64_t seed = 0;
    if (place != NULL) {
        char *end;
        errno = 0;
        seed = strtoull(place, &end, 10);
        if (errno != 0 || *end != '\0' || place[0] < '0' || place[0] > '9')
            return vdnn_status_fail(
                VDNN_USAGE, "data: \"%s\" is no seed; expected a whole number below 2^64", place);
    }
    synthetic *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for a synthetic set");
    *set = (synthetic){seed, (uint32_t)request->classes};
    dataset->count = IMAGE_COUNT;
    dataset->stored = dataset->wanted;
    dataset->state = set;
    return VDNN_OK;
}

static void make_pattern(const synthetic *set, uint32_t class, uint32_t channel,
                         float pattern[GRID * GRID])
{
    for (uint32_t i = 0; i < GRID * GRID; i += LANES)
        four_normals(set->seed, class, channel, i / LANES, STREAM_PATTERN, pattern + i);
}

static void make_noise(const synthetic *set, uint32_t index, int64_t count, float *pixels)
{
    float normals[LANES];
    for (int64_t i = 0; i < count; i += LANES) {
        uint64_t block = (uint64_t)i / LANES;
        four_normals(set->seed, index, (uint32_t)block, (uint32_t)(block >> 32), STREAM_NOISE,
                     normals);
        for (int64_t k = 0; k < LANES && i + k < count; k++)
            pixels[i + k] = normals[k];
    }
}

static vdnn_status synthetic_read(const vdnn_dataset *dataset, uint64_t index, float *pixels,
                                  int32_t *label)
{
    const synthetic *set = dataset->state;
    const vdnn_picture_size *size = &dataset->stored;
    uint32_t bits[LANES];
    vdnn_random_philox(set->seed, (const uint32_t[]){(uint32_t)index, 0, 0, STREAM_LABEL}, bits);
    uint32_t class = (uint32_t)((uint64_t)bits[0] * set->classes >> 32);
    make_noise(set, (uint32_t)index, size->channels * size->height * size->width, pixels);
    float pattern[GRID * GRID];
    for (int64_t c = 0; c < size->channels; c++) {
        make_pattern(set, class, (uint32_t)c, pattern);
        for (int64_t y = 0; y < size->height; y++) {
            const float *row = pattern + y * GRID / size->height * GRID;
            for (int64_t x = 0; x < size->width; x++)
                *pixels++ += PATTERN_SCALE * row[x * GRID / size->width];
        }
    }
    *label = (int32_t) class;
    return VDNN_OK;
}

const vdnn_dataset_format vdnn_synthetic_format = {
    .kind = "synthetic",
    .place = "SEED",
    .place_optional = true,
    .open = synthetic_open,
    .read = synthetic_read,
    .close = vdnn_heap_free,
};
