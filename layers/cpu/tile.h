#ifndef VDNN_LAYERS_CPU_TILE_H
#define VDNN_LAYERS_CPU_TILE_H

/* The inner product kernel of the built-in convolutions: a few rows by 48 columns, held in
 * registers.
 *
 *     c[r][j] += sum over k < depth of a[r * a_row + a_offsets[k]] * b[k * b_row + j]
 *
 * a is read one value at a time, so it may be in any order; b is a packed tile.
 * Invariant: each element is one chain of multiply-adds in the order of k, added to c at the end,
 * so its bits depend neither on its tile nor on its neighbours. Threads: pure over its arguments.
 *
 *     vdnn_cpu_tile_add *add = vdnn_cpu_tile_best();
 *     for (int64_t r = 0; r < rows; r += VDNN_CPU_TILE_ROWS)
 *         add(&tile_at_row_r, rows_left);
 */

#include <stddef.h>

enum { VDNN_CPU_TILE_ROWS = 8, VDNN_CPU_TILE_COLUMNS = 48, VDNN_CPU_TILE_LINES = 16 };

typedef struct vdnn_cpu_tile {
    const float *a;
    ptrdiff_t a_row;
    const ptrdiff_t *a_offsets; /* depth */
    ptrdiff_t depth;
    const float *b; /* depth x VDNN_CPU_TILE_COLUMNS */
    ptrdiff_t b_row;
    float *c; /* rows x VDNN_CPU_TILE_COLUMNS */
    ptrdiff_t c_row;
    ptrdiff_t columns; /* of b and c that are computed, a multiple of VDNN_CPU_TILE_LINES; 0: all */
} vdnn_cpu_tile;

/* Rows from 1 to VDNN_CPU_TILE_ROWS. */
typedef void vdnn_cpu_tile_add(const vdnn_cpu_tile *tile, int rows);

/* The fastest that this processor can run. */
vdnn_cpu_tile_add *vdnn_cpu_tile_best(void);

/* to[k * to_row + i] = lines[i * line + k] for VDNN_CPU_TILE_LINES lines of `count` values. */
void vdnn_cpu_tile_transpose(const float *lines, ptrdiff_t line, ptrdiff_t count, float *to,
                             ptrdiff_t to_row);

#endif
