#include "layers/conv/conv_shape.h"
#include "layers/count.h"
#include "layers/cpu/threads.h"
#include "layers/cpu/tile.h"

#include <string.h>

/* Implicit GEMM: the matrix of shifted copies of the image exists only as one small tile per
 * thread, packed from the image when it is needed.
 *
 *     forward          y  (k x cells)  = w      * gathered x      columns are cells of y
 *     backward data    dx (c x cells)  = w^T    * gathered dy     columns are cells of dx
 *     backward filter  dw (k x taps)   = dy     * gathered x^T    columns are taps of w
 *
 * With strides, cells of dx are gathered phase by phase: the cells of one phase (cell mod stride)
 * all meet the same taps, so no product is with an inserted zero. The order of sums depends on the
 * shape alone: bits do not depend on the thread count. */

/* One dimension of a gather: grid position g of the columns and tap t read the source's cell
 * g * step + shift + t * shift_step and belong to the target's cell first + g * target_step. */
typedef struct gather_axis {
    int64_t grid, step, source;
    int64_t first, target_step, target;
    int64_t taps, tap_first, tap_step; /* rows or columns of the kernel that take part */
    int64_t shift, shift_step;
} gather_axis;

typedef struct gather {
    gather_axis axis[2];
    const float *source;
    int64_t source_channels; /* of one image */
} gather;

typedef struct implicit_job {
    vdnn_conv_shape s;
    vdnn_cpu_tile_add *add;
    const float *x, *w, *dy, *bias;
    bool relu;
    float *y, *dx, *dw;
    float *tiles; /* tile_floats for each member */
    int64_t tile_floats;
    int64_t tile_columns; /* of one item */
    int64_t tiles_a_group, row_pieces;
} implicit_job;

/* Rows and columns of a tile: 126 KiB stay in a core's L2 cache. Column counts are odd multiples of
 * 48, or rows of the tile would share few sets of the L1 cache. */
enum {
    COLUMNS = VDNN_CPU_TILE_COLUMNS,
    CELL_DEPTH = 96,
    CELL_COLUMNS = 7 * COLUMNS,
    TAP_DEPTH = 224,
    TAP_COLUMNS = 3 * COLUMNS
};

/* ---- gathering ------------------------------------------------------------------------------- */

static gather_axis forward_axis(const vdnn_conv_shape *s, int d)
{
    return (gather_axis){.grid = s->out[d],
                         .step = s->stride[d],
                         .source = s->in[d],
                         .target_step = 1,
                         .target = s->out[d],
                         .taps = s->kernel[d],
                         .tap_step = 1,
                         .shift = -s->pad[d],
                         .shift_step = s->dilation[d]};
}

/* Phases along a dimension that have a cell. */
static int64_t phases_of(const vdnn_conv_shape *s, int d)
{
    return vdnn_count_min(s->stride[d], s->in[d]);
}

/* Cells of x whose index is `phase` modulo the stride, as gathered from y. */
static gather_axis backward_axis(const vdnn_conv_shape *s, int d, int64_t phase)
{
    int64_t stride = s->stride[d];
    gather_axis axis = {.grid = (s->in[d] - 1 - phase) / stride + 1,
                        .step = 1,
                        .source = s->out[d],
                        .first = phase,
                        .target_step = stride,
                        .target = s->in[d]};
    /* Tap t reaches the phase when phase + pad - t * dilation is a multiple of the stride: never,
     * or for every tap_step-th tap. */
    int64_t reach = phase + s->pad[d];
    int64_t found[2], count = 0;
    for (int64_t t = 0; t < s->kernel[d] && t < 2 * stride && count < 2; t++)
        if ((reach - t * s->dilation[d]) % stride == 0)
            found[count++] = t;
    if (count == 0)
        return axis;
    axis.tap_first = found[0];
    axis.tap_step = count == 2 ? found[1] - found[0] : s->kernel[d];
    axis.taps = (s->kernel[d] - 1 - axis.tap_first) / axis.tap_step + 1;
    axis.shift = (reach - axis.tap_first * s->dilation[d]) / stride;
    axis.shift_step = count == 2 ? -axis.tap_step * s->dilation[d] / stride : 0;
    return axis;
}

static int64_t grid_cells(const gather *g)
{
    return g->axis[0].grid * g->axis[1].grid;
}

/* Grid positions whose source cell exists, and the distance to it. */
typedef struct gather_reach {
    int64_t low, high, shift;
} gather_reach;

static gather_reach reach_of(const gather_axis *axis, int64_t tap)
{
    int64_t shift = axis->shift + tap * axis->shift_step;
    int64_t low = shift >= 0 ? 0 : -shift, high = axis->source - 1 - shift;
    if (axis->step > 1) { /* divisions cost as much as a short line */
        low = vdnn_count_pieces(low, axis->step);
        high = high < 0 ? -1 : high / axis->step;
    }
    high++;
    low = vdnn_count_clamp(low, 0, axis->grid);
    return (gather_reach){
        .low = low, .high = vdnn_count_clamp(high, low, axis->grid), .shift = shift};
}

static float *put_zeros(float *to, int64_t count)
{
    if (count > 0)
        memset(to, 0, (size_t)count * sizeof *to);
    return to + count;
}

/* Grid positions [from, from + count) of one row. */
static void gather_row(const gather_axis *axis, const gather_reach *wide, const float *row,
                       int64_t from, int64_t count, float *to)
{
    int64_t low = vdnn_count_clamp(wide->low, from, from + count);
    int64_t high = vdnn_count_clamp(wide->high, low, from + count);
    to = put_zeros(to, low - from);
    if (axis->step == 1)
        for (int64_t i = low; i < high; i++)
            *to++ = row[i + wide->shift];
    else
        for (int64_t i = low; i < high; i++)
            *to++ = row[i * axis->step + wide->shift];
    (void)put_zeros(to, from + count - high);
}

/* Grid positions [from, from + count) of one image, row by row. */
static void gather_rows(const gather *g, const gather_reach reach[2], const float *plane,
                        int64_t from, int64_t count, float *to)
{
    const gather_axis *high = &g->axis[0], *wide = &g->axis[1];
    int64_t h = from / wide->grid, w = from % wide->grid;
    for (; count > 0; h++, w = 0) {
        int64_t length = vdnn_count_min(count, wide->grid - w);
        if (h < reach[0].low || h >= reach[0].high)
            (void)put_zeros(to, length);
        else
            gather_row(wide, &reach[1], plane + (h * high->step + reach[0].shift) * wide->source, w,
                       length, to);
        to += length;
        count -= length;
    }
}

/* The same where the grid is as wide as the source and steps by one: rows follow each other in
 * both, so one copy serves many, and values from outside the image are set to zero afterwards. */
static void gather_block(const gather *g, const gather_reach reach[2], const float *plane,
                         int64_t from, int64_t count, float *to)
{
    int64_t width = g->axis[1].grid, end = from + count;
    int64_t distance = reach[0].shift * width + reach[1].shift;
    int64_t low = reach[0].low * width, high = reach[0].high * width;
    low = vdnn_count_clamp(low > -distance ? low : -distance, from, end);
    high = vdnn_count_clamp(vdnn_count_min(high, g->axis[0].source * width - distance), low, end);
    (void)put_zeros(to, low - from);
    if (high > low)
        memcpy(to + (low - from), plane + low + distance, (size_t)(high - low) * sizeof *to);
    (void)put_zeros(to + (high - from), end - high);
    if (reach[1].low == 0 && reach[1].high == width)
        return;
    for (int64_t row = from / width * width; row < end; row += width) {
        for (int64_t i = row > from ? row : from; i < vdnn_count_min(row + reach[1].low, end); i++)
            to[i - from] = 0;
        int64_t right = row + reach[1].high;
        for (int64_t i = right > from ? right : from; i < vdnn_count_min(row + width, end); i++)
            to[i - from] = 0;
    }
}

/* The source's values for grid positions [position, position + count) of all images, for one
 * channel and tap. */
static void gather_line(const gather *g, int64_t channel, const int64_t tap[2], int64_t position,
                        int64_t count, float *to)
{
    const gather_axis *high = &g->axis[0], *wide = &g->axis[1];
    const gather_reach reach[2] = {reach_of(high, tap[0]), reach_of(wide, tap[1])};
    bool block = high->step == 1 && wide->step == 1 && wide->grid == wide->source;
    int64_t cells = high->source * wide->source, grid = grid_cells(g);
    int64_t image = position / grid, from = position % grid;
    for (; count > 0; image++, from = 0) {
        int64_t length = vdnn_count_min(count, grid - from);
        const float *plane = g->source + (image * g->source_channels + channel) * cells;
        (block ? gather_block : gather_rows)(g, reach, plane, from, length, to);
        to += length;
        count -= length;
    }
}

/* ---- columns are cells: forward and backward data -------------------------------------------- */

/* One item: some columns of one group, all rows. */
typedef struct cell_task {
    gather gather;
    const float *weights;               /* of the group */
    int64_t row_stride, channel_stride; /* of weights: by target channel, by source channel */
    int64_t rows, depth;
    int64_t position, count;
    float *target; /* the group's first channel of the first image */
    int64_t target_channels;
    const float *bias; /* of the group, or NULL */
    bool relu;
} cell_task;

/* Packs rows [first, first + depth) of the gathered matrix; offsets lead to the weights they meet.
 */
static void pack_cells(const cell_task *task, const vdnn_conv_shape *s, int64_t first,
                       int64_t depth, float *tile, int64_t width, ptrdiff_t *offsets)
{
    const gather_axis *axis = task->gather.axis;
    int64_t taps = axis[0].taps * axis[1].taps;
    for (int64_t k = 0; k < depth; k++) {
        int64_t row = first + k, channel = row / taps;
        int64_t tap[2] = {row % taps / axis[1].taps, row % axis[1].taps};
        int64_t kernel_h = axis[0].tap_first + tap[0] * axis[0].tap_step;
        int64_t kernel_w = axis[1].tap_first + tap[1] * axis[1].tap_step;
        offsets[k] = channel * task->channel_stride + kernel_h * s->kernel[1] + kernel_w;
        gather_line(&task->gather, channel, tap, task->position, task->count, tile + k * width);
        memset(tile + k * width + task->count, 0, (size_t)(width - task->count) * sizeof *tile);
    }
}

/* Positions of one panel's columns in the target, for its first channel. */
typedef struct panel {
    int64_t cells[COLUMNS];
    int64_t count;
    bool contiguous; /* all 48 exist, side by side */
} panel;

static panel locate_panel(const cell_task *task, int64_t position, int64_t count)
{
    const gather_axis *high = &task->gather.axis[0], *wide = &task->gather.axis[1];
    int64_t grid = grid_cells(&task->gather), cells = high->target * wide->target;
    panel p = {.count = count};
    for (int64_t j = 0; j < count; j++) {
        int64_t image = (position + j) / grid, cell = (position + j) % grid;
        int64_t h = high->first + cell / wide->grid * high->target_step;
        int64_t w = wide->first + cell % wide->grid * wide->target_step;
        p.cells[j] = image * task->target_channels * cells + h * wide->target + w;
    }
    p.contiguous = count == COLUMNS && p.cells[COLUMNS - 1] - p.cells[0] == COLUMNS - 1 &&
                   wide->target_step == 1 && high->target_step == 1;
    return p;
}

/* Every cell is its bias, or zero, plus products. */
static void begin_panel(const cell_task *task, const panel *p)
{
    int64_t cells = task->gather.axis[0].target * task->gather.axis[1].target;
    for (int64_t r = 0; r < task->rows; r++) {
        float *target = task->target + r * cells;
        float value = task->bias == NULL ? 0 : task->bias[r];
        for (int64_t j = 0; p->contiguous && j < COLUMNS; j++)
            target[p->cells[0] + j] = value;
        for (int64_t j = 0; !p->contiguous && j < p->count; j++)
            target[p->cells[j]] = value;
    }
}

static void add_panel(vdnn_cpu_tile_add *add, const cell_task *task, const panel *p,
                      vdnn_cpu_tile tile)
{
    int64_t cells = task->gather.axis[0].target * task->gather.axis[1].target;
    float apart[VDNN_CPU_TILE_ROWS * COLUMNS];
    for (int64_t r = 0; r < task->rows; r += VDNN_CPU_TILE_ROWS) {
        int rows = (int)vdnn_count_min(task->rows - r, VDNN_CPU_TILE_ROWS);
        float *target = task->target + r * cells;
        tile.a = task->weights + r * task->row_stride;
        tile.c = p->contiguous ? target + p->cells[0] : apart;
        tile.c_row = p->contiguous ? cells : COLUMNS;
        if (p->contiguous) {
            add(&tile, rows);
            continue;
        }
        memset(apart, 0, sizeof apart);
        add(&tile, rows);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < p->count; j++)
                target[i * cells + p->cells[j]] += apart[i * COLUMNS + j];
    }
}

/* NaN is propagated, as by relu. */
static void cut_panel(const cell_task *task, const panel *p)
{
    int64_t cells = task->gather.axis[0].target * task->gather.axis[1].target;
    for (int64_t r = 0; r < task->rows; r++) {
        float *target = task->target + r * cells;
        for (int64_t j = 0; j < p->count; j++)
            target[p->cells[j]] = target[p->cells[j]] <= 0 ? 0 : target[p->cells[j]];
    }
}

static void run_cells(const implicit_job *job, const cell_task *task, float *tile)
{
    ptrdiff_t offsets[CELL_DEPTH];
    panel panels[CELL_COLUMNS / COLUMNS];
    int64_t panel_count = vdnn_count_pieces(task->count, COLUMNS), width = panel_count * COLUMNS;
    for (int64_t i = 0; i < panel_count; i++) {
        panels[i] = locate_panel(task, task->position + i * COLUMNS,
                                 vdnn_count_min(task->count - i * COLUMNS, COLUMNS));
        begin_panel(task, &panels[i]);
    }
    for (int64_t first = 0; first < task->depth; first += CELL_DEPTH) {
        int64_t depth = vdnn_count_min(task->depth - first, CELL_DEPTH);
        pack_cells(task, &job->s, first, depth, tile, width, offsets);
        for (int64_t i = 0; i < panel_count; i++)
            add_panel(job->add, task, &panels[i],
                      (vdnn_cpu_tile){.a_row = task->row_stride,
                                      .a_offsets = offsets,
                                      .depth = depth,
                                      .b = tile + i * COLUMNS,
                                      .b_row = width});
    }
    for (int64_t i = 0; i < panel_count && task->relu; i++)
        cut_panel(task, &panels[i]);
}

/* The item's columns of its group; false if there are none left. */
static bool cut_columns(const implicit_job *job, cell_task *task, int64_t tile)
{
    int64_t all = job->s.n * grid_cells(&task->gather);
    task->position = tile * job->tile_columns;
    task->count = vdnn_count_min(all - task->position, job->tile_columns);
    return task->count > 0;
}

static void forward_item(void *argument, int64_t item, int member)
{
    const implicit_job *job = argument;
    const vdnn_conv_shape *s = &job->s;
    int64_t group = item / job->tiles_a_group;
    cell_task task = {
        .gather = {.axis = {forward_axis(s, 0), forward_axis(s, 1)},
                   .source = job->x + group * s->group_c * s->in_cells,
                   .source_channels = s->c},
        .weights = job->w + group * s->group_k * s->taps,
        .row_stride = s->taps,
        .channel_stride = s->kernel[0] * s->kernel[1],
        .rows = s->group_k,
        .depth = s->taps,
        .target = job->y + group * s->group_k * s->out_cells,
        .target_channels = s->k,
        .bias = job->bias == NULL ? NULL : job->bias + group * s->group_k,
        .relu = job->relu,
    };
    if (cut_columns(job, &task, item % job->tiles_a_group))
        run_cells(job, &task, job->tiles + member * job->tile_floats);
}

static void backward_data_item(void *argument, int64_t item, int member)
{
    const implicit_job *job = argument;
    const vdnn_conv_shape *s = &job->s;
    int64_t tile = item % job->tiles_a_group, rest = item / job->tiles_a_group;
    int64_t wide = phases_of(s, 1), phases = phases_of(s, 0) * wide;
    int64_t phase = rest % phases, group = rest / phases;
    cell_task task = {
        .gather = {.axis = {backward_axis(s, 0, phase / wide), backward_axis(s, 1, phase % wide)},
                   .source = job->dy + group * s->group_k * s->out_cells,
                   .source_channels = s->k},
        .weights = job->w + group * s->group_k * s->taps,
        .row_stride = s->kernel[0] * s->kernel[1],
        .channel_stride = s->taps,
        .rows = s->group_c,
        .target = job->dx + group * s->group_c * s->in_cells,
        .target_channels = s->c,
    };
    task.depth = s->group_k * task.gather.axis[0].taps * task.gather.axis[1].taps;
    if (cut_columns(job, &task, tile))
        run_cells(job, &task, job->tiles + member * job->tile_floats);
}

/* ---- columns are taps: backward filter ------------------------------------------------------- */

/* One item: some taps of one group, some output channels, all cells of all images. */
typedef struct tap_task {
    gather gather;
    const float *dy; /* the group's first channel */
    float *dw;       /* of the first row and tap */
    int64_t rows, first_tap, count;
} tap_task;

/* The transpose of gathered lines: cell after cell, one column a tap. */
static void pack_taps(const tap_task *task, const vdnn_conv_shape *s, int64_t position,
                      int64_t depth, float *tile, int64_t width)
{
    float lines[VDNN_CPU_TILE_LINES * TAP_DEPTH];
    int64_t cells = s->kernel[0] * s->kernel[1];
    for (int64_t j = 0; j < width; j += VDNN_CPU_TILE_LINES) {
        for (int64_t i = 0; i < VDNN_CPU_TILE_LINES; i++) {
            int64_t column = task->first_tap + j + i;
            if (j + i >= task->count) {
                (void)put_zeros(lines + i * TAP_DEPTH, depth);
                continue;
            }
            int64_t tap[2] = {column % cells / s->kernel[1], column % s->kernel[1]};
            gather_line(&task->gather, column / cells, tap, position, depth, lines + i * TAP_DEPTH);
        }
        vdnn_cpu_tile_transpose(lines, TAP_DEPTH, depth, tile + j, width);
    }
}

static void add_taps(vdnn_cpu_tile_add *add, const tap_task *task, int64_t column, int64_t taps,
                     int64_t out_cells, vdnn_cpu_tile tile)
{
    float apart[VDNN_CPU_TILE_ROWS * COLUMNS];
    int64_t count = vdnn_count_min(task->count - column, COLUMNS);
    for (int64_t r = 0; r < task->rows; r += VDNN_CPU_TILE_ROWS) {
        int rows = (int)vdnn_count_min(task->rows - r, VDNN_CPU_TILE_ROWS);
        float *target = task->dw + r * taps + column;
        bool whole = count == COLUMNS;
        tile.a = task->dy + r * out_cells;
        tile.c = whole ? target : apart;
        tile.c_row = whole ? taps : COLUMNS;
        if (whole) {
            add(&tile, rows);
            continue;
        }
        memset(apart, 0, sizeof apart);
        add(&tile, rows);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < count; j++)
                target[i * taps + j] += apart[i * COLUMNS + j];
    }
}

static void run_taps(const implicit_job *job, const tap_task *task, float *tile)
{
    const vdnn_conv_shape *s = &job->s;
    ptrdiff_t offsets[TAP_DEPTH];
    int64_t width = vdnn_count_pieces(task->count, COLUMNS) * COLUMNS, cells = s->n * s->out_cells;
    for (int64_t r = 0; r < task->rows; r++)
        memset(task->dw + r * s->taps, 0, (size_t)task->count * sizeof *task->dw);
    for (int64_t first = 0; first < cells; first += TAP_DEPTH) {
        int64_t depth = vdnn_count_min(cells - first, TAP_DEPTH);
        for (int64_t k = 0; k < depth; k++)
            offsets[k] =
                (first + k) / s->out_cells * s->k * s->out_cells + (first + k) % s->out_cells;
        pack_taps(task, s, first, depth, tile, width);
        for (int64_t column = 0; column < task->count; column += COLUMNS)
            add_taps(job->add, task, column, s->taps, s->out_cells,
                     (vdnn_cpu_tile){.a_row = s->out_cells,
                                     .a_offsets = offsets,
                                     .depth = depth,
                                     .b = tile + column,
                                     .b_row = width});
    }
}

static void backward_filter_item(void *argument, int64_t item, int member)
{
    const implicit_job *job = argument;
    const vdnn_conv_shape *s = &job->s;
    int64_t piece = item % job->row_pieces, rest = item / job->row_pieces;
    int64_t tile = rest % job->tiles_a_group, group = rest / job->tiles_a_group;
    int64_t piece_rows =
        vdnn_count_pieces(vdnn_count_pieces(s->group_k, job->row_pieces), VDNN_CPU_TILE_ROWS) *
        VDNN_CPU_TILE_ROWS;
    int64_t row = group * s->group_k + piece * piece_rows;
    tap_task task = {
        .gather = {.axis = {forward_axis(s, 0), forward_axis(s, 1)},
                   .source = job->x + group * s->group_c * s->in_cells,
                   .source_channels = s->c},
        .dy = job->dy + row * s->out_cells,
        .first_tap = tile * job->tile_columns,
        .rows = vdnn_count_min(s->group_k - piece * piece_rows, piece_rows),
    };
    task.count = vdnn_count_min(s->taps - task.first_tap, job->tile_columns);
    task.dw = job->dw + row * s->taps + task.first_tap;
    if (task.rows > 0)
        run_taps(job, &task, job->tiles + member * job->tile_floats);
}

static void bias_item(void *argument, int64_t output, int member)
{
    (void)member;
    const implicit_job *job = argument;
    job->dw[job->s.bias_offset + output] = vdnn_conv_shape_bias_sum(&job->s, job->dy, output);
}

/* ---- the functions of the row ---------------------------------------------------------------- */

/* How the work is divided into items: the tile's size depends on shape and threads, the bits do not
 * depend on the threads. */
typedef struct division {
    int64_t items, tile_columns, tiles_a_group, row_pieces, tile_floats;
} division;

/* The width, an odd number of panels, that keeps the busiest of the threads busy for the shortest.
 */
static int64_t best_columns(int64_t columns, int64_t groups, int64_t widest, int threads)
{
    int64_t best = widest, best_cost = INT64_MAX;
    for (int64_t width = widest; width > 0; width -= (int64_t)2 * COLUMNS) {
        int64_t rounds = vdnn_count_pieces(vdnn_count_pieces(columns, width) * groups, threads);
        int64_t cost = rounds * (width + COLUMNS);
        if (cost < best_cost) {
            best = width;
            best_cost = cost;
        }
    }
    return best;
}

static division divide_cells(int64_t columns, int64_t groups, int64_t depth, int threads)
{
    division d = {.tile_columns = best_columns(columns, groups, CELL_COLUMNS, threads)};
    d.tiles_a_group = vdnn_count_pieces(columns, d.tile_columns);
    d.items = groups * d.tiles_a_group;
    d.tile_floats = vdnn_count_min(depth, CELL_DEPTH) *
                    vdnn_count_min(d.tile_columns, vdnn_count_pieces(columns, COLUMNS) * COLUMNS);
    return d;
}

static division divide(const vdnn_conv_shape *s, vdnn_pass pass, int threads)
{
    if (pass == VDNN_FORWARD)
        return divide_cells(s->n * s->out_cells, s->groups, s->taps, threads);
    if (pass == VDNN_BACKWARD_DATA) {
        int64_t columns = s->n;
        for (int i = 0; i < 2; i++)
            columns *= vdnn_count_pieces(s->in[i], s->stride[i]);
        return divide_cells(columns, s->groups * phases_of(s, 0) * phases_of(s, 1),
                            s->group_k * s->kernel[0] * s->kernel[1], threads);
    }
    division d = {.tile_columns = best_columns(s->taps, s->groups, TAP_COLUMNS, threads)};
    d.tiles_a_group = vdnn_count_pieces(s->taps, d.tile_columns);
    d.items = s->groups * d.tiles_a_group;
    d.row_pieces = d.items >= threads ? 1 : vdnn_count_pieces(threads, d.items);
    d.items *= d.row_pieces;
    d.tile_floats = vdnn_count_min(s->n * s->out_cells, TAP_DEPTH) *
                    vdnn_count_min(d.tile_columns, vdnn_count_pieces(s->taps, COLUMNS) * COLUMNS);
    return d;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    vdnn_conv_shape s = vdnn_conv_shape_of(kernel->layer);
    division d = divide(&s, kernel->pass, kernel->threads);
    *bytes = (size_t)(vdnn_count_min(kernel->threads, d.items) * d.tile_floats) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    static void (*const items[VDNN_PASS_COUNT])(void *, int64_t, int) = {
        [VDNN_FORWARD] = forward_item,
        [VDNN_BACKWARD_DATA] = backward_data_item,
        [VDNN_BACKWARD_FILTER] = backward_filter_item,
    };
    vdnn_pass pass = kernel->pass;
    implicit_job job = {.s = vdnn_conv_shape_of(kernel->layer),
                        .add = vdnn_cpu_tile_best(),
                        .relu = kernel->layer->epilogue == VDNN_EPILOGUE_RELU,
                        .x = pass == VDNN_BACKWARD_DATA ? NULL : args->x[0],
                        .dx = pass == VDNN_BACKWARD_DATA ? args->dx[0] : NULL,
                        .w = args->w,
                        .dw = args->dw,
                        .y = args->y,
                        .dy = args->dy,
                        .tiles = args->workspace};
    division d = divide(&job.s, pass, kernel->threads);
    job.tile_floats = d.tile_floats;
    job.tile_columns = d.tile_columns;
    job.tiles_a_group = d.tiles_a_group;
    job.row_pieces = d.row_pieces;
    if (pass == VDNN_FORWARD)
        job.bias = vdnn_conv_shape_bias(&job.s, args->w);
    vdnn_cpu_threads_loop(kernel->threads, d.items, items[pass], &job);
    if (pass == VDNN_BACKWARD_FILTER && job.s.bias_offset >= 0)
        vdnn_cpu_threads_loop(kernel->threads, job.s.k, bias_item, &job);
    return VDNN_OK;
}

VDNN_CONV_CPU_ROW(implicit, .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
                  .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA |
                                       1U << VDNN_BACKWARD_FILTER,
                  .pictures_only = true, .refusal = vdnn_conv_shape_refusal, .workspace = workspace,
                  .run = run);
