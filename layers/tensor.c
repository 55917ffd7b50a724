#include "layers/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    size_t bytes;
} dtypes[] = {
#define X(name, text, bytes) {text, bytes},
    VDNN_DTYPE_TABLE(X)
#undef X
};

static const struct {
    const char *text;
    int64_t channel_block;
    bool are_abreast;
} layouts[] = {
#define X(name, text, block, are_abreast) {text, block, are_abreast},
    VDNN_LAYOUT_TABLE(X)
#undef X
};

int64_t vdnn_layout_block(vdnn_layout layout)
{
    return layouts[layout].channel_block;
}

static int64_t pad_channels(int64_t channels, vdnn_layout layout)
{
    int64_t block = vdnn_layout_block(layout);
    return (channels + block - 1) / block * block;
}

vdnn_layout vdnn_layout_for(int64_t channels, vdnn_layout preferred)
{
    return pad_channels(channels, preferred) <= channels + channels * 3 / 5 ? preferred : VDNN_NCHW;
}

vdnn_layout vdnn_layout_aligned(int64_t channels, vdnn_dtype dtype)
{
    static const int64_t unit_bytes = 16;
    int64_t element = (int64_t)dtypes[dtype].bytes, least = INT64_MAX;
    vdnn_layout best = VDNN_NHWC;
    for (int i = 0; i < VDNN_LAYOUTS; i++) {
        int64_t stored = pad_channels(channels, (vdnn_layout)i);
        if (layouts[i].are_abreast && stored * element % unit_bytes == 0 && stored < least) {
            best = (vdnn_layout)i;
            least = stored;
        }
    }
    return best;
}

bool vdnn_desc_check(const vdnn_desc *desc)
{
    const int64_t limit = VDNN_DESC_MAX_BYTES;
    for (int i = 0; i < VDNN_DIMS; i++)
        if (desc->dims[i] <= 0 || desc->dims[i] >= limit)
            return false;

    int64_t bytes = pad_channels(desc->dims[VDNN_C], desc->layout);
    if (__builtin_mul_overflow(bytes, (int64_t)dtypes[desc->dtype].bytes, &bytes) ||
        __builtin_mul_overflow(bytes, desc->dims[VDNN_N], &bytes) ||
        __builtin_mul_overflow(bytes, desc->dims[VDNN_H], &bytes) ||
        __builtin_mul_overflow(bytes, desc->dims[VDNN_W], &bytes))
        return false;
    return bytes < limit;
}

int64_t vdnn_desc_per_sample(const vdnn_desc *desc)
{
    return desc->dims[VDNN_C] * desc->dims[VDNN_H] * desc->dims[VDNN_W];
}

int64_t vdnn_desc_count(const vdnn_desc *desc)
{
    return desc->dims[VDNN_N] * vdnn_desc_per_sample(desc);
}

int64_t vdnn_desc_channels(const vdnn_desc *desc)
{
    return pad_channels(desc->dims[VDNN_C], desc->layout);
}

int64_t vdnn_desc_stored(const vdnn_desc *desc)
{
    return desc->dims[VDNN_N] * vdnn_desc_channels(desc) * desc->dims[VDNN_H] * desc->dims[VDNN_W];
}

bool vdnn_desc_is_sequence(const vdnn_desc *desc)
{
    return desc->rank == VDNN_SEQUENCE_RANK;
}

bool vdnn_desc_is_volume(const vdnn_desc *desc)
{
    return desc->rank == VDNN_VOLUME_RANK;
}

int vdnn_desc_list(const vdnn_desc *desc, int64_t dims[VDNN_VOLUME_RANK])
{
    memcpy(dims, desc->dims, sizeof desc->dims);
    if (vdnn_desc_is_volume(desc)) {
        dims[VDNN_H] = desc->depth;
        dims[VDNN_W] = desc->dims[VDNN_H] / desc->depth;
        dims[VDNN_DIMS] = desc->dims[VDNN_W];
    }
    return desc->rank;
}

void vdnn_desc_sides(const vdnn_desc *desc, int64_t sides[VDNN_SIDES])
{
    sides[VDNN_SIDE_D] = vdnn_desc_is_volume(desc) ? desc->depth : 1;
    sides[VDNN_SIDE_H] = desc->dims[VDNN_H] / sides[VDNN_SIDE_D];
    sides[VDNN_SIDE_W] = desc->dims[VDNN_W];
}

const char *vdnn_desc_text(const vdnn_desc *desc, char text[VDNN_DESC_TEXT])
{
    int64_t sides[VDNN_SIDES];
    char depth[VDNN_DESC_TEXT / 4] = "";
    vdnn_desc_sides(desc, sides);
    if (vdnn_desc_is_volume(desc))
        (void)snprintf(depth, sizeof depth, "x%" PRId64, sides[VDNN_SIDE_D]);
    (void)snprintf(text, VDNN_DESC_TEXT, "%" PRId64 "%sx%" PRId64 "x%" PRId64, desc->dims[VDNN_C],
                   depth, sides[VDNN_SIDE_H], sides[VDNN_SIDE_W]);
    return text;
}

vdnn_desc vdnn_desc_as_vectors(const vdnn_desc *desc)
{
    vdnn_desc vectors = *desc;
    if (!vdnn_desc_is_sequence(desc))
        return vectors;
    vectors.rank = VDNN_VECTOR_RANK;
    vectors.dims[VDNN_N] = desc->dims[VDNN_N] * desc->dims[VDNN_POSITIONS];
    vectors.dims[VDNN_C] = desc->dims[VDNN_FEATURES];
    vectors.dims[VDNN_H] = 1;
    return vectors;
}

bool vdnn_desc_is_integer(const vdnn_desc *desc)
{
    return desc->dtype == VDNN_I32;
}

size_t vdnn_desc_bytes(const vdnn_desc *desc)
{
    return (size_t)vdnn_desc_stored(desc) * dtypes[desc->dtype].bytes;
}

const char *vdnn_dtype_text(vdnn_dtype dtype)
{
    return dtypes[dtype].text;
}

size_t vdnn_dtype_bytes(vdnn_dtype dtype)
{
    return dtypes[dtype].bytes;
}

bool vdnn_layout_find(const char *text, vdnn_layout *layout)
{
    for (int i = 0; text != NULL && i < VDNN_LAYOUTS; i++)
        if (strcmp(text, layouts[i].text) == 0) {
            *layout = (vdnn_layout)i;
            return true;
        }
    return false;
}

const char *vdnn_layout_text(vdnn_layout layout)
{
    return layouts[layout].text;
}

bool vdnn_layout_is_nhwc(vdnn_layout layout)
{
    return layouts[layout].are_abreast;
}
