#include "layers/conv/cpu_onednn_faults.h"

#include "layers/count.h"

#include <string.h>

/* ---- large images ----------------------------------------------------------------------------
 *
 * Generated code addresses the blocks of channels of one image from a single register, by 32-bit
 * displacements that are computed as int. Where blocks are 2^31 bytes apart they wrap: the 1 x 1
 * kernels in bf16 for AVX-512 end by SIGSEGV from 4096 x 5462 cells and four blocks on. */

enum { BLOCK = 16 };

static int64_t image_bytes(const vdnn_desc *map)
{
    int64_t channels = vdnn_count_pieces(map->dims[VDNN_C], BLOCK) * BLOCK;
    return channels * map->dims[VDNN_H] * map->dims[VDNN_W] * (int64_t)sizeof(float);
}

const char *vdnn_conv_onednn_too_large(const vdnn_layer *layer)
{
    const char *why = vdnn_conv_shape_too_large(layer);
    if (why != NULL)
        return why;
    return image_bytes(&layer->x[0]) > INT32_MAX || image_bytes(&layer->y) > INT32_MAX
               ? "an image of its maps has more than 2^31 bytes, which oneDNN addresses wrongly"
               : NULL;
}

/* ---- windows that all meet the padding --------------------------------------------------------
 *
 * The AVX-512 kernels of backward filter for more than nine rows of y walk down the map: first the
 * windows that begin in the padding above it, then those inside it, then those that end in the
 * padding below it. How many rows of the kernel take part is only corrected on the way from one of
 * these to the next, so it is wrong if the second kind is empty: rows beyond the map are read, and
 * their products added to the gradient.
 *
 *     rows of x     0 ............... in
 *     windows    [-pad ..)                     the last one that begins above the map
 *                    [ .............. ..)      the next one already ends below it
 *
 * A simulation of that walk, as its source has it, is wrong for 16,629 of 675,172 geometries
 * (kernel up to 64, map up to 90, stride up to 8, every padding), of a kernel from 18 rows on, and
 * for no geometry that this condition does not have. Dilated kernels take another walk, which is
 * right. Those for AArch64 with vectors of 512 bits (SVE) take the same walk.
 *
 * In a volume they walk along its slices so, however few there are, and the kernels for bf16 down
 * each slice too. */

enum { LEAST_ROWS = 10 };

static bool has_none_within(const vdnn_conv_shape *s, int side)
{
    int64_t stride = s->stride[side], pad = s->pad[side];
    int64_t first = vdnn_count_pieces(pad, stride) * stride - pad;
    return pad > 0 && first + s->kernel[side] > s->in[side];
}

static bool has_no_whole_window(const vdnn_conv_shape *s)
{
    return s->is_volume ? has_none_within(s, VDNN_SIDE_D) || has_none_within(s, VDNN_SIDE_H)
                        : has_none_within(s, VDNN_SIDE_H) && s->dilation[VDNN_SIDE_H] == 1 &&
                              s->out[VDNN_SIDE_H] >= LEAST_ROWS;
}

/* ---- pairs of columns -------------------------------------------------------------------------
 *
 * The kernels of backward filter for processors with bf16 multiply pairs of columns, which they
 * place in scratch memory first. Where dy has one column, or no window is within a row of x, they
 * do not always write both columns of a pair: the gradient is NaN if that memory was. Found at the
 * borders of random shapes, for dense and grouped convolutions of pictures and volumes. */

static bool has_no_pairs(const vdnn_conv_shape *s)
{
    return s->out[VDNN_SIDE_W] == 1 || has_none_within(s, VDNN_SIDE_W) || has_no_whole_window(s);
}

static const struct {
    const char *begins; /* names of implementations */
    vdnn_pass pass;
    bool (*is_wrong)(const vdnn_conv_shape *shape);
} faults[] = {
    {"jit:avx512", VDNN_BACKWARD_FILTER, has_no_whole_window},
    {"jit:sve_512", VDNN_BACKWARD_FILTER, has_no_whole_window},
    {"jit_bf16:avx512", VDNN_BACKWARD_FILTER, has_no_pairs},
};

bool vdnn_conv_onednn_is_wrong(const char *implementation, const vdnn_conv_shape *shape,
                               vdnn_pass pass)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strncmp(implementation, faults[i].begins, strlen(faults[i].begins)) == 0 &&
            pass == faults[i].pass && faults[i].is_wrong(shape))
            return true;
    return false;
}
