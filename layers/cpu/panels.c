#include "layers/cpu/panels.h"

#include "layers/count.h"
#include "layers/cpu/tile.h"

#include <string.h>

enum {
    COLUMNS = VDNN_CPU_TILE_COLUMNS,
    ROWS = VDNN_CPU_TILE_ROWS,
    LINES = VDNN_CPU_TILE_LINES,
    DEPTH = 256 /* of a chain; so much of a panel stays in the second cache for all rows */
};

int64_t vdnn_cpu_panels_count(int64_t columns)
{
    return vdnn_count_pieces(columns, COLUMNS);
}

int64_t vdnn_cpu_panels_floats(int64_t depth, int64_t columns)
{
    return vdnn_cpu_panels_count(columns) * COLUMNS * depth;
}

int64_t vdnn_cpu_panels_first(int64_t panel)
{
    return panel * COLUMNS;
}

int64_t vdnn_cpu_panels_width(const vdnn_cpu_panels *panels, int64_t panel)
{
    return vdnn_count_min(panels->columns - panel * COLUMNS, COLUMNS);
}

static float *panel_at(const vdnn_cpu_panels *panels, int64_t panel)
{
    return panels->data + panel * COLUMNS * panels->depth;
}

/* ---- packing --------------------------------------------------------------------------------- */

static void pack_rows(const float *b, int64_t b_row, int64_t depth, int64_t width, float *to)
{
    for (int64_t k = 0; k < depth; k++, b += b_row, to += COLUMNS) {
        memcpy(to, b, (size_t)width * sizeof *to);
        for (int64_t j = width; j < COLUMNS; j++)
            to[j] = 0;
    }
}

/* Lines of b's transpose become columns, LINES at a time. */
static void pack_turned(const float *b, int64_t b_row, int64_t depth, int64_t width, float *to)
{
    int64_t j = 0;
    for (; j + LINES <= width; j += LINES)
        vdnn_cpu_tile_transpose(b + j * b_row, b_row, depth, to + j, COLUMNS);
    for (int64_t k = 0; k < depth && j < COLUMNS; k++)
        for (int64_t column = j; column < COLUMNS; column++)
            to[k * COLUMNS + column] = column < width ? b[column * b_row + k] : 0;
}

void vdnn_cpu_panels_pack(const vdnn_cpu_panels *panels, int64_t panel, const float *b,
                          int64_t b_row, bool is_turned)
{
    int64_t first = panel * COLUMNS, width = vdnn_cpu_panels_width(panels, panel);
    float *to = panel_at(panels, panel);
    if (is_turned)
        pack_turned(b + first * b_row, b_row, panels->depth, width, to);
    else
        pack_rows(b + first, b_row, panels->depth, width, to);
}

/* ---- multiplying ----------------------------------------------------------------------------- */

/* Columns of a panel that are computed: whole lines. */
static int64_t computed_columns(const vdnn_cpu_panels *panels, int64_t panel)
{
    return vdnn_count_pieces(vdnn_cpu_panels_width(panels, panel), LINES) * LINES;
}

/* c has all of these. */
static void add_whole(const vdnn_cpu_panels *panels, int64_t panel, const float *a, int64_t a_row,
                      int64_t rows, float *c, int64_t c_row)
{
    vdnn_cpu_tile_add *add = vdnn_cpu_tile_best();
    ptrdiff_t offsets[DEPTH];
    for (ptrdiff_t k = 0; k < DEPTH; k++)
        offsets[k] = k;
    for (int64_t first = 0; first < panels->depth; first += DEPTH)
        for (int64_t r = 0; r < rows; r += ROWS)
            add(&(vdnn_cpu_tile){.a = a + r * a_row + first,
                                 .a_row = a_row,
                                 .a_offsets = offsets,
                                 .depth = vdnn_count_min(panels->depth - first, DEPTH),
                                 .b = panel_at(panels, panel) + first * COLUMNS,
                                 .b_row = COLUMNS,
                                 .c = c + r * c_row,
                                 .c_row = c_row,
                                 .columns = computed_columns(panels, panel)},
                (int)vdnn_count_min(rows - r, ROWS));
}

static void copy_columns(const float *from, int64_t from_row, int64_t rows, int64_t columns,
                         float *to, int64_t to_row)
{
    for (int64_t r = 0; r < rows; r++)
        memcpy(to + r * to_row, from + r * from_row, (size_t)columns * sizeof *to);
}

void vdnn_cpu_panels_add(const vdnn_cpu_panels *panels, int64_t panel, const float *a,
                         int64_t a_row, int64_t rows, float *c, int64_t c_row)
{
    int64_t width = vdnn_cpu_panels_width(panels, panel);
    if (width == computed_columns(panels, panel)) {
        add_whole(panels, panel, a, a_row, rows, c, c_row);
        return;
    }
    for (int64_t r = 0; r < rows; r += ROWS) {
        float apart[ROWS * COLUMNS] = {0};
        int64_t height = vdnn_count_min(rows - r, ROWS);
        copy_columns(c + r * c_row, c_row, height, width, apart, COLUMNS);
        add_whole(panels, panel, a + r * a_row, a_row, height, apart, COLUMNS);
        copy_columns(apart, COLUMNS, height, width, c + r * c_row, c_row);
    }
}
