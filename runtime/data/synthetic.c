/* synthetic: random samples that can be learned. Of images, each pixel is standard normal noise
 * plus a pattern of the image's class: a coarse grid of normals for each channel, the same for all
 * images of the class. Of tokens, every second one by chance is out of its class's part of the
 * vocabulary, the others out of all of it; where each position has a label, that is the part which
 * its token is of, or by chance the one that does not count. Several inputs are all of one class.
 * Targets are the class's pattern without noise, probabilities 1 where that is above 0; a network
 * without classes has as many as there are digits.
 *
 * The noise of an image is short runs out of one pool of normals, each from a random place: fresh
 * normals for each pixel would cost more than the training of a small network.
 *
 *     pool   | ......[run 2].....[run 0]......[run 1].... |
 *     image  | [run 0][run 1][run 2] ...                  |
 */

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/random.h"
#include "runtime/data/format.h"

#include <string.h>

enum { GRID = 8, LANES = 4, POOL = 65536, RUN = 64 };
enum { IGNORED_OF = 8 }; /* one of this many labels of positions is ignored */
enum { MADE_UP_CLASSES = 10 };
enum { INPUT_SHIFT = 1 }; /* counters of an input's tokens: even, those of labels are 1 */

#define IMAGE_COUNT ((uint64_t)1 << 20)
#define PATTERN_SCALE 0.5f

/* The use of a random number: the last word of its counter. */
enum {
    STREAM_LABEL = 0x6c61,
    STREAM_PATTERN = 0x7061,
    STREAM_RUN = 0x7275,
    STREAM_POOL = 0x706f,
    STREAM_TOKEN = 0x746f
};

typedef struct synthetic {
    uint64_t seed;
    uint32_t classes;
    bool has_positions, ignores;
    int32_t ignored; /* label */
    float pool[POOL + RUN];
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
        const char *why_not = vdnn_decimal_read_unsigned(place, &seed);
        if (why_not != NULL)
            return vdnn_status_fail(
                VDNN_USAGE, "data: \"%s\" is not a seed; expected a whole number below 2^64%s%s",
                place, why_not[0] == '\0' ? "" : "; it ", why_not);
    }
    synthetic *set = vdnn_heap_calloc(1, sizeof *set);
    if (set == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "data: no memory for a synthetic set");
    set->seed = seed;
    set->classes = request->classes > 0 ? (uint32_t)request->classes : MADE_UP_CLASSES;
    set->has_positions = request->labels > 0;
    set->ignores = request->ignored != NULL;
    set->ignored = set->ignores ? (int32_t)*request->ignored : 0;
    for (uint32_t i = 0; i < POOL + RUN; i += LANES)
        four_normals(seed, i / LANES, 0, 0, STREAM_POOL, set->pool + i);
    dataset->count = IMAGE_COUNT;
    for (int32_t i = 0; i < dataset->input_count; i++)
        dataset->inputs[i].stored = dataset->inputs[i].wanted;
    dataset->state = set;
    return VDNN_OK;
}

static void make_pattern(const synthetic *set, uint32_t class, uint32_t channel,
                         float pattern[GRID * GRID])
{
    for (uint32_t i = 0; i < GRID * GRID; i += LANES)
        four_normals(set->seed, class, channel, i / LANES, STREAM_PATTERN, pattern + i);
}

static void make_noise(const synthetic *set, uint32_t index, int32_t input, int64_t count,
                       float *pixels)
{
    uint32_t bits[LANES];
    for (int64_t run = 0; run * RUN < count; run++) {
        int64_t left = count - run * RUN;
        if (run % LANES == 0)
            vdnn_random_philox(
                set->seed,
                (const uint32_t[]){index, (uint32_t)(run / LANES), (uint32_t)input, STREAM_RUN},
                bits);
        memcpy(pixels + run * RUN, set->pool + bits[run % LANES] % POOL,
               (size_t)(left < RUN ? left : RUN) * sizeof *pixels);
    }
}

/* Spreads the pattern's grid over one channel. */
static void add_pattern(const float pattern[GRID * GRID], int64_t height, int64_t width,
                        float *pixels)
{
    for (int64_t y = 0; y < height; y++) {
        const float *row = pattern + y * GRID / height * GRID;
        int64_t x = 0;
        for (int64_t cell = 0; cell < GRID; cell++) {
            float shift = PATTERN_SCALE * row[cell];
            for (int64_t end = ((cell + 1) * width + GRID - 1) / GRID; x < end; x++)
                pixels[y * width + x] += shift;
        }
    }
}

/* The patterns of all inputs are those of a class. */
static void make_picture(const synthetic *set, const vdnn_picture_size *size, uint32_t index,
                         int32_t input, uint32_t class, float *pixels)
{
    int64_t plane = size->height * size->width;
    make_noise(set, index, input, size->channels * plane, pixels);
    float pattern[GRID * GRID];
    for (int64_t c = 0; c < size->channels; c++) {
        make_pattern(set, class, (uint32_t)c, pattern);
        add_pattern(pattern, size->height, size->width, pixels + c * plane);
    }
}

/* As a picture of their dimensions, of which vectors and sequences have fewer. */
static void make_targets(const synthetic *set, const vdnn_dataset *dataset, uint32_t class,
                         float *targets)
{
    const int64_t *dims = dataset->targets.dims, plane = dims[VDNN_H] * dims[VDNN_W];
    float pattern[GRID * GRID];
    memset(targets, 0, vdnn_dataset_label_bytes(dataset));
    for (int64_t c = 0; c < dims[VDNN_C]; c++) {
        make_pattern(set, class, (uint32_t)c, pattern);
        add_pattern(pattern, dims[VDNN_H], dims[VDNN_W], targets + c * plane);
    }
    for (int64_t i = 0; i < dataset->labels && dataset->targets.below == 1; i++)
        targets[i] = targets[i] > 0 ? 1 : 0;
}

/* A number below `below`. */
static uint64_t scale_bits(uint32_t bits, uint64_t below)
{
    return (uint64_t)bits * below >> 32;
}

/* A class without a part of the vocabulary has tokens out of all of it. */
static void make_tokens(const synthetic *set, const vdnn_dataset_row *row, uint32_t index,
                        int32_t input, uint32_t class, int32_t *tokens)
{
    const int64_t count = row->wanted.channels;
    const uint64_t vocabulary = (uint64_t)row->vocabulary;
    const uint32_t number = (uint32_t)(input << INPUT_SHIFT);
    uint64_t begin = vocabulary * class / set->classes;
    uint64_t part = vocabulary * (class + 1) / set->classes - begin;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits[LANES];
        vdnn_random_philox(set->seed, (const uint32_t[]){index, (uint32_t)i, number, STREAM_TOKEN},
                           bits);
        bool is_own = bits[1] % 2 == 0 && part > 0;
        uint64_t token =
            is_own ? begin + scale_bits(bits[0], part) : scale_bits(bits[0], vocabulary);
        tokens[i] = (int32_t)token;
    }
}

/* By the tokens of the input that has as many as there are positions; without one by chance. */
static void label_positions(const synthetic *set, const vdnn_dataset *dataset, uint32_t index,
                            void *const *inputs, int32_t *labels)
{
    int32_t input = 0;
    while (input < dataset->input_count &&
           (dataset->inputs[input].vocabulary == 0 ||
            dataset->inputs[input].wanted.channels != dataset->labels))
        input++;
    const int32_t *tokens = input < dataset->input_count ? inputs[input] : NULL;
    for (int64_t i = 0; i < dataset->labels; i++) {
        uint32_t bits[LANES];
        vdnn_random_philox(set->seed, (const uint32_t[]){index, (uint32_t)i, 1, STREAM_TOKEN},
                           bits);
        bool counts = !set->ignores || bits[0] % IGNORED_OF != 0;
        const int64_t class =
            tokens == NULL ? (int64_t)scale_bits(bits[1], set->classes)
                           : (int64_t)tokens[i] * set->classes / dataset->inputs[input].vocabulary;
        labels[i] = counts ? (int32_t) class : set->ignored;
    }
}

static vdnn_status synthetic_read(const vdnn_dataset *dataset, uint64_t index,
                                  vdnn_scratch *scratch, void *const *inputs, void *labels)
{
    (void)scratch;
    const synthetic *set = dataset->state;
    uint32_t bits[LANES];
    vdnn_random_philox(set->seed, (const uint32_t[]){(uint32_t)index, 0, 0, STREAM_LABEL}, bits);
    uint32_t class = (uint32_t)scale_bits(bits[0], set->classes);
    for (int32_t i = 0; i < dataset->input_count; i++) {
        const vdnn_dataset_row *row = &dataset->inputs[i];
        if (row->vocabulary > 0)
            make_tokens(set, row, (uint32_t)index, i, class, inputs[i]);
        else
            make_picture(set, &row->stored, (uint32_t)index, i, class, inputs[i]);
    }
    if (labels == NULL)
        return VDNN_OK;
    if (vdnn_dataset_has_targets(dataset))
        make_targets(set, dataset, class, labels);
    else if (set->has_positions)
        label_positions(set, dataset, (uint32_t)index, inputs, labels);
    else
        *(int32_t *)labels = (int32_t) class;
    return VDNN_OK;
}

const vdnn_dataset_format vdnn_synthetic_format = {
    .is_made_up = true,
    .kind = "synthetic",
    .place = "SEED",
    .place_optional = true,
    .has_inputs = true,
    .open = synthetic_open,
    .read = synthetic_read,
    .close = vdnn_heap_free,
};
