#ifndef VDNN_LAYERS_CPU_PANELS_H
#define VDNN_LAYERS_CPU_PANELS_H

/* A matrix that is packed once and multiplied by many others: of b (depth, columns) the panels of
 * VDNN_CPU_TILE_COLUMNS columns, each with its rows side by side, and zeros after the last column.
 *
 *     b                  packed
 *     | 0 .. 47 | 48 ..  | row 0 of panel 0 | row 1 | ... | row 0 of panel 1 | ...
 *
 * Invariant: an element of a product is a sum of chains of multiply-adds in the order of the
 * depth, whose lengths are constants: its bits depend neither on the rows and columns around it nor
 * on the number of threads.
 * Threads: pure over its arguments; panels and ranges of rows can be divided between threads.
 *
 *     vdnn_cpu_panels w = {.depth = k, .columns = n, .data = workspace};
 *     for (int64_t p = 0; p < vdnn_cpu_panels_count(n); p++)
 *         vdnn_cpu_panels_pack(&w, p, b, n, false);
 *     for (int64_t p = 0; p < vdnn_cpu_panels_count(n); p++)
 *         vdnn_cpu_panels_add(&w, p, a, k, rows, c, n); // c += a b, columns of panel p
 */

#include <stdbool.h>
#include <stdint.h>

typedef struct vdnn_cpu_panels {
    int64_t depth, columns;
    float *data; /* borrowed; vdnn_cpu_panels_floats */
} vdnn_cpu_panels;

int64_t vdnn_cpu_panels_count(int64_t columns);
int64_t vdnn_cpu_panels_floats(int64_t depth, int64_t columns);

/* The first column of a panel, and how many it has. */
int64_t vdnn_cpu_panels_first(int64_t panel);
int64_t vdnn_cpu_panels_width(const vdnn_cpu_panels *panels, int64_t panel);

/* Packs a panel of b, row-major with `b_row` elements from one row in memory to the next; turned:
 * b's transpose is in memory. */
void vdnn_cpu_panels_pack(const vdnn_cpu_panels *panels, int64_t panel, const float *b,
                          int64_t b_row, bool is_turned);

/* c (rows, columns) += a (rows, depth) b, of the panel's columns alone: `c` is the first of
 * these. */
void vdnn_cpu_panels_add(const vdnn_cpu_panels *panels, int64_t panel, const float *a,
                         int64_t a_row, int64_t rows, float *c, int64_t c_row);

#endif
