#include "runtime/data/image/resize.h"

#include "runtime/base/status.h"

#include <math.h>
#include <string.h>

enum { HEIGHT, WIDTH };

/* ---- weights along one axis ------------------------------------------------------------------ */

/* Half the width of the triangle, in cells of the source. */
static double support_of(int64_t from, int64_t to)
{
    return from > to ? (double)from / (double)to : 1.0;
}

/* No cell of the result has more: the open interval around its centre is 2 * support wide. */
static int64_t stride_of(int64_t from, int64_t to)
{
    int64_t most = (int64_t)ceil(2.0 * support_of(from, to)) + 1;
    return most < from ? most : from;
}

static size_t axis_bytes(int64_t from, int64_t to)
{
    size_t cells = (size_t)to;
    return cells * (2 * sizeof(int32_t) + (size_t)stride_of(from, to) * sizeof(float));
}

static void weigh_cell(const vdnn_resize_axis *axis, int64_t i, int64_t from, int64_t to)
{
    double support = support_of(from, to), sum = 0.0;
    double centre = ((double)i + 0.5) * (double)from / (double)to - 0.5;
    int64_t first = (int64_t)floor(centre - support) + 1, end = (int64_t)ceil(centre + support);
    first = first < 0 ? 0 : first;
    end = end > from ? from : end;
    end = end > first + axis->stride ? first + axis->stride : end;
    float *weights = axis->weights + i * axis->stride;
    for (int64_t k = first; k < end; k++)
        sum += 1.0 - fabs((double)k - centre) / support;
    for (int64_t k = first; k < end; k++)
        weights[k - first] = (float)((1.0 - fabs((double)k - centre) / support) / sum);
    axis->first[i] = (int32_t)first;
    axis->count[i] = (int32_t)(end - first);
}

/* Returns the rest of `memory` after the axis. */
static char *begin_axis(vdnn_resize_axis *axis, int64_t from, int64_t to, char *memory)
{
    axis->stride = stride_of(from, to);
    axis->first = (int32_t *)(void *)memory;
    axis->count = axis->first + to;
    axis->weights = (float *)(void *)(axis->count + to);
    for (int64_t i = 0; i < to; i++)
        weigh_cell(axis, i, from, to);
    return memory + axis_bytes(from, to);
}

/* ---- the resizer ----------------------------------------------------------------------------- */

static size_t row_floats(const vdnn_resize_size *size)
{
    return (size_t)(size->channels * size->from[WIDTH]);
}

size_t vdnn_resizer_bytes(const vdnn_resize_size *size)
{
    size_t rows = (size_t)stride_of(size->from[HEIGHT], size->to[HEIGHT]) + 1; /* and the line */
    return axis_bytes(size->from[HEIGHT], size->to[HEIGHT]) +
           axis_bytes(size->from[WIDTH], size->to[WIDTH]) + rows * row_floats(size) * sizeof(float);
}

void vdnn_resizer_begin(vdnn_resizer *resizer, const vdnn_resize_size *size, void *memory,
                        float *to)
{
    *resizer = (vdnn_resizer){.size = *size, .to = to};
    char *rest = begin_axis(&resizer->rows, size->from[HEIGHT], size->to[HEIGHT], memory);
    rest = begin_axis(&resizer->columns, size->from[WIDTH], size->to[WIDTH], rest);
    resizer->line = (float *)(void *)rest;
    resizer->ring = resizer->line + row_floats(size);
}

static float *ring_row(const vdnn_resizer *resizer, int64_t row)
{
    return resizer->ring + (size_t)(row % resizer->rows.stride) * row_floats(&resizer->size);
}

float *vdnn_resizer_row(const vdnn_resizer *resizer)
{
    VDNN_INVARIANT(resizer->pushed, <, resizer->size.from[HEIGHT]);
    return ring_row(resizer, resizer->pushed);
}

static void scale_row(const float *restrict from, float weight, size_t count, float *restrict to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = weight * from[i];
}

static void add_row(const float *restrict from, float weight, size_t count, float *restrict to)
{
    for (size_t i = 0; i < count; i++)
        to[i] += weight * from[i];
}

/* Row y of the result at the source's width. */
static const float *mix_rows(const vdnn_resizer *resizer, int64_t y)
{
    const vdnn_resize_axis *rows = &resizer->rows;
    const float *weights = rows->weights + y * rows->stride;
    int32_t first = rows->first[y], count = rows->count[y];
    if (count == 1)
        return ring_row(resizer, first);
    size_t floats = row_floats(&resizer->size);
    scale_row(ring_row(resizer, first), weights[0], floats, resizer->line);
    for (int32_t k = 1; k < count; k++)
        add_row(ring_row(resizer, first + k), weights[k], floats, resizer->line);
    return resizer->line;
}

static void mix_columns(const vdnn_resize_axis *columns, int64_t width, const float *from,
                        float *to)
{
    for (int64_t x = 0; x < width; x++) {
        const float *cells = from + columns->first[x];
        const float *weights = columns->weights + x * columns->stride;
        float sum = weights[0] * cells[0];
        for (int32_t k = 1; k < columns->count[x]; k++)
            sum += weights[k] * cells[k];
        to[x] = sum;
    }
}

static void write_row(vdnn_resizer *resizer)
{
    const vdnn_resize_size *size = &resizer->size;
    int64_t y = resizer->written++, from_width = size->from[WIDTH], width = size->to[WIDTH];
    const float *line = mix_rows(resizer, y);
    for (int64_t c = 0; c < size->channels; c++) {
        float *to = resizer->to + (c * size->to[HEIGHT] + y) * width;
        if (from_width == width)
            memcpy(to, line + c * width, (size_t)width * sizeof *to);
        else
            mix_columns(&resizer->columns, width, line + c * from_width, to);
    }
}

void vdnn_resizer_push(vdnn_resizer *resizer)
{
    const vdnn_resize_axis *rows = &resizer->rows;
    int64_t there = ++resizer->pushed;
    while (resizer->written < resizer->size.to[HEIGHT] &&
           rows->first[resizer->written] + rows->count[resizer->written] <= there)
        write_row(resizer);
}
