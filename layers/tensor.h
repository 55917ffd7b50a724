#ifndef VDNN_LAYERS_TENSOR_H
#define VDNN_LAYERS_TENSOR_H

/* A tensor's format in memory: dimensions, data type, layout.
 *
 *     rank 2   a vector a sample, (N, C); of integers: tokens, (N, T)
 *     rank 3   a sequence, (N, T, C): a vector for each of T positions
 *     rank 4   a picture, (N, C, H, W)
 *     rank 5   a volume, (N, C, D, H, W)
 *
 * The dimensions are those, outermost first, in the order of memory in the layout NCHW, and 1
 * beyond the rank. Vectors and sequences are always in that layout. A volume is kept as a picture
 * of its D slices, one below the other, (N, C, D * H, W), which has the same order of memory in
 * every layout: only layers that look at a cell's neighbours distinguish them.
 *
 * Invariant: a desc from shape inference has positive dimensions and a byte size that fits size_t
 * (by vdnn_desc_check).
 * Threads: pure functions over values.
 *
 *     vdnn_desc y = {.dims = {n, c, h, w}, .rank = 4, .dtype = VDNN_F32, .layout = VDNN_NCHW};
 *     if (vdnn_desc_check(&y)) size_t bytes = vdnn_desc_bytes(&y);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name, text, bytes of an element; TF32 is f32 in memory, whose products may be rounded to ten bits
 * of mantissa before they are added up; F16 is planned for simulated devices, no kernel takes it */
#define VDNN_DTYPE_TABLE(X)                                                                        \
    X(F32, "f32", 4)                                                                               \
    X(BF16, "bf16", 2)                                                                             \
    X(TF32, "tf32", 4)                                                                             \
    X(I32, "i32", 4)                                                                               \
    X(U8, "u8", 1)                                                                                 \
    X(F16, "f16", 2)

typedef enum vdnn_dtype {
#define X(name, text, bytes) VDNN_##name,
    VDNN_DTYPE_TABLE(X)
#undef X
} vdnn_dtype;

/* name, text, multiple that channels are padded to, whether a cell's channels are contiguous */
#define VDNN_LAYOUT_TABLE(X)                                                                       \
    X(NCHW, "nchw", 1, false)                                                                      \
    X(NHWC, "nhwc", 1, true)                                                                       \
    X(NCHW16C, "nChw16c", 16, false)                                                               \
    X(NHWC4, "nhwc4", 4, true)                                                                     \
    X(NHWC8, "nhwc8", 8, true)

typedef enum vdnn_layout {
#define X(name, text, block, are_abreast) VDNN_##name,
    VDNN_LAYOUT_TABLE(X)
#undef X
        VDNN_LAYOUTS
} vdnn_layout;

enum { VDNN_N, VDNN_C, VDNN_H, VDNN_W, VDNN_DIMS };
enum { VDNN_VECTOR_RANK = 2, VDNN_SEQUENCE_RANK, VDNN_PICTURE_RANK, VDNN_VOLUME_RANK };
/* The sides of a channel's cells, as arrays of them have them: the first two are a picture's. */
enum { VDNN_SIDE_H, VDNN_SIDE_W, VDNN_SIDE_D, VDNN_SIDES };
/* The dimensions of a sequence; tokens have the first alone. */
enum { VDNN_POSITIONS = VDNN_C, VDNN_FEATURES = VDNN_H };
/* Inputs of a network at the most, its labels among them. */
enum { VDNN_INPUTS_MAX = 16 };

typedef struct vdnn_desc {
    int64_t dims[VDNN_DIMS]; /* of a picture samples, channels, height, width */
    int rank;
    vdnn_dtype dtype;
    vdnn_layout layout;
    int64_t below; /* of integers: they are 0 .. below - 1; else 0 */
    int64_t depth; /* of a volume: its slices, D; else 0 */
} vdnn_desc;

/* 16 TiB: more than any memory has, and small enough that the bytes of a network of 100,000 layers,
 * several times each, can be summed. */
#define VDNN_DESC_MAX_BYTES ((int64_t)1 << 44)

/* True if all dimensions are positive and the size in bytes is below that. */
bool vdnn_desc_check(const vdnn_desc *desc);

/* The layout for a map of that many channels on a device that prefers `preferred`: that one if its
 * padding adds at most three fifths, else NCHW: savings in pooling and reordering outweigh that
 * much. */
vdnn_layout vdnn_layout_for(int64_t channels, vdnn_layout preferred);

/* Of the layouts with contiguous channels, the one in which they begin at multiples of 16 bytes, as
 * tensor cores require: NHWC if they do anyway, else the one with the least padding. */
vdnn_layout vdnn_layout_aligned(int64_t channels, vdnn_dtype dtype);

/* The multiple that channels are padded to. */
int64_t vdnn_layout_block(vdnn_layout layout);

int64_t vdnn_desc_count(const vdnn_desc *desc);      /* elements, without padding */
int64_t vdnn_desc_channels(const vdnn_desc *desc);   /* C with the padding of its layout */
int64_t vdnn_desc_stored(const vdnn_desc *desc);     /* elements, with padding */
int64_t vdnn_desc_per_sample(const vdnn_desc *desc); /* C * H * W */
bool vdnn_desc_is_sequence(const vdnn_desc *desc);
bool vdnn_desc_is_volume(const vdnn_desc *desc);
/* The dimensions as users have them, of a volume (N, C, D, H, W); returns how many. */
int vdnn_desc_list(const vdnn_desc *desc, int64_t dims[VDNN_VOLUME_RANK]);
/* Height, width and depth of a channel, which is 1 unless it is a volume. */
void vdnn_desc_sides(const vdnn_desc *desc, int64_t sides[VDNN_SIDES]);
/* A sequence as the vectors of its positions, (N * T, C); others as they are. */
vdnn_desc vdnn_desc_as_vectors(const vdnn_desc *desc);
bool vdnn_desc_is_integer(const vdnn_desc *desc); /* numbers of tokens, not to compute with */
size_t vdnn_desc_bytes(const vdnn_desc *desc);    /* with the padding of its layout */

/* What a sample is, as "3x224x224", of a volume channels x depth x height x width. Returns text. */
enum { VDNN_DESC_TEXT = 96 };
const char *vdnn_desc_text(const vdnn_desc *desc, char text[VDNN_DESC_TEXT]);

const char *vdnn_dtype_text(vdnn_dtype dtype);
size_t vdnn_dtype_bytes(vdnn_dtype dtype);
const char *vdnn_layout_text(vdnn_layout layout);
/* Whether a cell's channels are contiguous: NHWC, with or without padding. */
bool vdnn_layout_is_nhwc(vdnn_layout layout);
/* The layout of that name, into *layout; false if there is none. */
bool vdnn_layout_find(const char *text, vdnn_layout *layout);

#endif
