#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/cpu/panels.h"
#include "layers/cpu/product.h"
#include "layers/cpu/threads.h"
#include "layers/cpu/tile.h"
#include "layers/recurrent/cpu_lstm_cell.h"
#include "layers/stage.h"

/* Blocks of samples, one after the other, each through all positions:
 *
 *     forward    before (positions, 4H) = x weight_ih^T + biases, at all positions at once
 *                step by step: h weight_hh^T added to that of one position, its cells; h = m
 *                weight_hr^T where there is a projection, else m
 *     backward   step by step, from the last: dh = dy + dgates weight_hh, dm = dh weight_hr, the
 *                cells, whose dgates (positions, 4H) are kept; then, of all positions at once,
 *                dx = dgates weight_ih, dw += dgates^T (x, h of the position before), dh^T m
 *
 * With chunks, backward computes what forward would have kept of a chunk before its last step: each
 * thread some cells through all of the chunk's steps, as y has the outputs before each of them.
 *
 * A step is divided by cells, a panel of each gate, and by rows of a tile; what products read is
 * packed once a pass. A block's size depends on the layer's shape alone, so bits do not depend on
 * the number of threads, but those of dw, which is oneDNN's product.
 *
 *     workspace   forward    | bias | weights packed | before | h, twice | c | m | x |
 *                 backward   | weights packed | dgates | of a step, twice | dc | h before, or m |
 *                            | dh of a step | dh | x |
 *                 chunks     | bias | weights packed | m | gates and cells of a chunk |
 *
 * "before" is where aux has the gates, if that is f32; x is there only if it is not f32, and m and
 * dh are for a projection. */

enum {
    ROWS = VDNN_CPU_TILE_ROWS,
    COLUMNS = VDNN_CPU_TILE_COLUMNS,
    GATES = VDNN_LSTM_GATES,
    STASHED = VDNN_LSTM_STASHED,
    CHUNK = 64,   /* positions that one call multiplies by the weights of the input */
    SUMMED = 256, /* columns whose bias' gradient one call sums */
    MOST_SAMPLES = 64,
    FEWEST_SAMPLES = 2 * ROWS,
    BLOCK_FLOATS = 16 * 1024 * 1024, /* of a block's gates, if it is not the fewest samples */
    ALIGNMENT_FLOATS = 16
};

typedef struct lstm_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    vdnn_lstm_shape s;
    vdnn_dtype dtype;                  /* of the maps and of aux */
    int64_t first, samples;            /* of the block, in the batch */
    const int32_t *lengths;            /* of the batch's samples; NULL: all positions are valid */
    int64_t position, before_position; /* of the step; the second -1: there is none */
    int64_t step;
    vdnn_cpu_panels input_weight;         /* forward (C, 4H), backward (4H, C) */
    vdnn_cpu_panels hidden_weight[GATES]; /* forward of each gate (P, H); backward [0] (4H, P) */
    vdnn_cpu_panels projection;           /* forward (H, P), backward (P, H) */
    float *gates;                         /* of the block: before activation, or their gradients; */
    int64_t gates_row;                    /* from a position to the next */
    float *x;                             /* of the block as f32, if it is not */
    const float *inputs;                  /* the same, or where it is */
    float *bias;                          /* the sum of the biases */
    float *hidden[2];     /* forward: h; backward: gradients of gates; by parity of the step */
    float *cells;         /* forward c, backward dc */
    float *outputs;       /* of a step: forward m, backward dh */
    float *all_hidden;    /* of the block: h of the positions before */
    float *all_outputs;   /* of the block: m; without chunks over h, once that is read */
    float *all_gradients; /* of the block: dh */
    vdnn_cpu_panels again_input[GATES], again_hidden[GATES]; /* backward's forward, of chunks */
    void *kept;          /* of a chunk what aux has without, after the step before; NULL: aux has */
    int64_t chunk_first; /* the step that it begins with */
    int64_t used;        /* floats of the workspace */
} lstm_job;

/* ---- the workspace --------------------------------------------------------------------------- */

static int64_t rows_of(const lstm_job *job, int64_t samples)
{
    return samples * job->s.positions;
}

static int64_t samples_of_block(const vdnn_lstm_shape *s)
{
    int64_t fitting = BLOCK_FLOATS / (s->gates * s->positions) / ROWS * ROWS;
    return vdnn_count_min(s->samples, vdnn_count_clamp(fitting, FEWEST_SAMPLES, MOST_SAMPLES));
}

static float *take(lstm_job *job, int64_t floats)
{
    float *taken = job->args == NULL ? NULL : (float *)job->args->workspace + job->used;
    job->used += vdnn_count_pieces(floats, ALIGNMENT_FLOATS) * ALIGNMENT_FLOATS;
    return taken;
}

static vdnn_cpu_panels take_panels(lstm_job *job, int64_t depth, int64_t columns)
{
    return (vdnn_cpu_panels){depth, columns, take(job, vdnn_cpu_panels_floats(depth, columns))};
}

static void place_forward(lstm_job *job, int64_t samples)
{
    const vdnn_lstm_shape *s = &job->s;
    bool is_stashed = job->dtype == VDNN_F32 && job->kernel->layer->aux_bytes > 0 && s->chunk == 0;
    job->input_weight = take_panels(job, s->in, s->gates);
    for (int g = 0; g < GATES; g++)
        job->hidden_weight[g] = take_panels(job, s->out, s->cells);
    job->projection = take_panels(job, s->cells, s->is_projected ? s->out : 0);
    job->gates_row = is_stashed ? STASHED * s->cells : s->gates;
    job->gates = is_stashed ? NULL : take(job, rows_of(job, samples) * s->gates);
    for (int i = 0; i < 2; i++)
        job->hidden[i] = take(job, samples * s->out);
    job->cells = take(job, samples * s->cells);
    job->outputs = take(job, s->is_projected ? samples * s->cells : 0);
}

static bool writes_dw(const lstm_job *job)
{
    return vdnn_layer_writes_dw(job->kernel->layer, job->kernel->pass);
}

/* What computes chunks again. */
static void place_chunk(lstm_job *job, int64_t samples)
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t kept = samples * (s->chunk + 1) * STASHED * s->cells;
    for (int g = 0; g < GATES; g++) {
        job->again_input[g] = take_panels(job, s->in, s->cells);
        job->again_hidden[g] = take_panels(job, s->out, s->cells);
    }
    job->all_outputs =
        take(job, s->is_projected && writes_dw(job) ? rows_of(job, samples) * s->cells : 0);
    job->kept =
        take(job, vdnn_count_pieces(kept * (int64_t)vdnn_dtype_bytes(job->dtype), sizeof(float)));
}

static void place_backward(lstm_job *job, int64_t samples)
{
    const vdnn_lstm_shape *s = &job->s;
    bool is_both = s->is_projected && s->chunk == 0; /* h and m */
    int64_t widest = is_both ? vdnn_count_max(s->out, s->cells) : s->out;
    int64_t projected = s->is_projected ? s->out : 0;
    job->hidden_weight[0] = take_panels(job, s->gates, s->out);
    job->projection = take_panels(job, projected, s->is_projected ? s->cells : 0);
    job->input_weight = take_panels(job, s->gates, s->in);
    job->gates_row = s->gates;
    job->gates = take(job, rows_of(job, samples) * s->gates);
    for (int i = 0; i < 2; i++)
        job->hidden[i] = take(job, samples * s->gates);
    job->cells = take(job, samples * s->cells);
    job->all_hidden =
        take(job, writes_dw(job) || s->chunk > 0 ? rows_of(job, samples) * widest : 0);
    job->all_outputs = job->all_hidden;
    job->outputs = take(job, samples * projected);
    job->all_gradients = take(job, writes_dw(job) ? rows_of(job, samples) * projected : 0);
    if (s->chunk > 0)
        place_chunk(job, samples);
}

/* Without args only its size is found. */
static lstm_job job_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    lstm_job job = {.kernel = kernel,
                    .args = args,
                    .s = vdnn_lstm_shape_of(kernel->layer),
                    .dtype = kernel->layer->y.dtype};
    int64_t samples = samples_of_block(&job.s);
    bool computes_gates = kernel->pass == VDNN_FORWARD || job.s.chunk > 0;
    job.bias = take(&job, computes_gates ? job.s.gates : 0);
    if (kernel->pass == VDNN_FORWARD)
        place_forward(&job, samples);
    else
        place_backward(&job, samples);
    if (job.dtype != VDNN_F32)
        job.x = take(&job, rows_of(&job, samples) * job.s.in);
    return job;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = (size_t)job_of(kernel, NULL).used * sizeof(float);
    return VDNN_OK;
}

/* ---- common ---------------------------------------------------------------------------------- */

/* A position of a sample of the block, counted in the batch. */
static int64_t row_of(const lstm_job *job, int64_t sample, int64_t position)
{
    return (job->first + sample) * job->s.positions + position;
}

/* The same in buffers of the block. */
static float *gates_at(const lstm_job *job, int64_t sample, int64_t position)
{
    return job->gates + (sample * job->s.positions + position) * job->gates_row;
}

static void *stashed_at(const lstm_job *job, int64_t sample, int64_t position, int64_t kind,
                        int64_t cell)
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t step = vdnn_lstm_position(s, position), row = row_of(job, sample, position);
    if (job->kept != NULL)
        row = sample * (s->chunk + 1) + step - job->chunk_first + 1;
    return vdnn_native_at(job->dtype, job->kept != NULL ? job->kept : job->args->aux,
                          (row * STASHED + kind) * s->cells + cell);
}

/* Of aux: the cells before the step, which begins a chunk. */
static float *start_at(const lstm_job *job, int64_t sample, int64_t step, int64_t cell)
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t row = (job->first + sample) * s->starts + step / s->chunk - 1;
    return (float *)job->args->aux + row * s->cells + cell;
}

static void pack(const vdnn_cpu_panels *panels, const float *from, int64_t row, bool is_turned,
                 int threads)
{
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads)
    for (int64_t p = 0; p < vdnn_cpu_panels_count(panels->columns); p++)
        vdnn_cpu_panels_pack(panels, p, from, row, is_turned);
}

/* x of the block as f32, where it is, or widened. */
static const float *read_x(lstm_job *job)
{
    int64_t row = row_of(job, 0, 0), count = rows_of(job, job->samples), in = job->s.in;
    const void *x = vdnn_native_const_at(job->dtype, job->args->x[0], row * in);
    if (job->dtype == VDNN_F32)
        return x;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < count; i++)
        vdnn_stage_widen(job->dtype, vdnn_native_const_at(job->dtype, x, i * in), job->x + i * in,
                         in);
    return job->x;
}

static void start_step(lstm_job *job, int64_t step)
{
    job->step = step;
    job->position = vdnn_lstm_position(&job->s, step);
    job->before_position = step == 0 ? -1 : vdnn_lstm_position(&job->s, step - 1);
}

/* Runs `visit` for each panel of that many columns and each tile of rows of the block, as many
 * neighbouring panels in each thread as in every other step. */
static void each_tile(const lstm_job *job, int64_t columns,
                      void (*visit)(const lstm_job *job, int64_t panel, int64_t sample))
{
    int64_t tiles = vdnn_count_pieces(job->samples, ROWS);
    int64_t count = vdnn_cpu_panels_count(columns) * tiles;
#pragma omp parallel for num_threads(job->kernel->threads) schedule(static)
    for (int64_t i = 0; i < count; i++)
        visit(job, i / tiles, i % tiles * ROWS);
}

/* Whether the step's position is none of the sample. */
static bool is_beyond(const lstm_job *job, int64_t sample)
{
    return job->lengths != NULL && job->position >= job->lengths[job->first + sample];
}

/* A row of a tile after its products: the cells. */
static void activate(const lstm_job *job, int64_t sample, int64_t width, float *const gates[GATES],
                     float *c, float *m)
{
    vdnn_lstm_cell_forward(gates, c, m, width);
    if (!is_beyond(job, sample))
        return;
    for (int g = 0; g < GATES; g++)
        memset(gates[g], 0, (size_t)width * sizeof *m);
    memset(c, 0, (size_t)width * sizeof *c);
    memset(m, 0, (size_t)width * sizeof *m);
}

/* All that is kept of them, if the gates are not where they are kept. */
static void stash(const lstm_job *job, int64_t sample, int64_t cell, int64_t width,
                  float *const gates[GATES], const float *c)
{
    for (int g = 0; g < GATES && job->gates_row == job->s.gates; g++)
        vdnn_stage_narrow(job->dtype, gates[g], stashed_at(job, sample, job->position, g, cell),
                          width);
    vdnn_stage_narrow(job->dtype, c, stashed_at(job, sample, job->position, GATES, cell), width);
}

/* The biases' sum, and the weights of each gate. */
static void pack_gates(const lstm_job *job, const vdnn_cpu_panels hidden_weight[GATES])
{
    const vdnn_lstm_shape *s = &job->s;
    const float *w = job->args->w;
    for (int64_t k = 0; k < s->gates; k++) {
        job->bias[k] = 0;
        for (int64_t b = 0; b < s->biases; b++)
            job->bias[k] += w[s->bias + b * s->gates + k];
    }
    for (int g = 0; g < GATES; g++)
        pack(&hidden_weight[g], w + s->hidden_weight + g * s->cells * s->out, s->out, true,
             job->kernel->threads);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Positions of the block, from `first` on, before the steps. */
static void multiply_inputs(const lstm_job *job, const float *x, int64_t first)
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t rows = vdnn_count_min(rows_of(job, job->samples) - first, CHUNK);
    float *to = job->gates + first * job->gates_row;
    for (int64_t r = 0; r < rows; r++)
        memcpy(to + r * job->gates_row, job->bias, (size_t)s->gates * sizeof *to);
    for (int64_t p = 0; p < vdnn_cpu_panels_count(s->gates); p++)
        vdnn_cpu_panels_add(&job->input_weight, p, x + first * s->in, s->in, rows,
                            to + vdnn_cpu_panels_first(p), job->gates_row);
}

/* Some of a row of h: to y, and as later steps read it. */
static void store_hidden(const lstm_job *job, int64_t sample, int64_t column, int64_t width,
                         const float *h)
{
    const vdnn_lstm_shape *s = &job->s;
    float *to = job->hidden[job->step % 2] + sample * s->out + column;
    void *y = vdnn_native_at(job->dtype, job->args->y,
                             row_of(job, sample, job->position) * s->out + column);
    vdnn_stage_narrow(job->dtype, h, y, width);
    vdnn_stage_widen(job->dtype, y, to, width);
}

static void finish_cells(const lstm_job *job, int64_t sample, int64_t cell, int64_t width,
                         float *const gates[GATES])
{
    const vdnn_lstm_shape *s = &job->s;
    float m[COLUMNS], *c = job->cells + sample * s->cells + cell;
    int64_t next = job->step + 1;
    activate(job, sample, width, gates, c, m);
    if (s->is_projected)
        memcpy(job->outputs + sample * s->cells + cell, m, (size_t)width * sizeof *m);
    else
        store_hidden(job, sample, cell, width, m);
    if (job->kernel->layer->aux_bytes == 0)
        return;
    if (s->chunk == 0)
        stash(job, sample, cell, width, gates, c);
    else if (next % s->chunk == 0 && next < s->positions)
        memcpy(start_at(job, sample, next, cell), c, (size_t)width * sizeof *c);
}

static void step_forward(const lstm_job *job, int64_t panel, int64_t sample)
{
    const vdnn_lstm_shape *s = &job->s;
    const float *hidden = job->hidden[(job->step + 1) % 2] + sample * s->out;
    int64_t cell = vdnn_cpu_panels_first(panel);
    int64_t width = vdnn_cpu_panels_width(&job->hidden_weight[0], panel);
    int64_t rows = vdnn_count_min(job->samples - sample, ROWS);
    float *first = gates_at(job, sample, job->position) + cell;
    for (int g = 0; g < GATES && job->step > 0; g++)
        vdnn_cpu_panels_add(&job->hidden_weight[g], panel, hidden, s->out, rows,
                            first + g * s->cells, s->positions * job->gates_row);
    for (int64_t r = 0; r < rows; r++) {
        float *gates[GATES], *own = gates_at(job, sample + r, job->position) + cell;
        for (int g = 0; g < GATES; g++)
            gates[g] = own + g * s->cells;
        finish_cells(job, sample + r, cell, width, gates);
    }
}

static void project_forward(const lstm_job *job, int64_t panel, int64_t sample)
{
    float tile[ROWS * COLUMNS] = {0};
    int64_t width = vdnn_cpu_panels_width(&job->projection, panel), cells = job->s.cells;
    int64_t rows = vdnn_count_min(job->samples - sample, ROWS);
    vdnn_cpu_panels_add(&job->projection, panel, job->outputs + sample * cells, cells, rows, tile,
                        COLUMNS);
    for (int64_t r = 0; r < rows; r++)
        store_hidden(job, sample + r, vdnn_cpu_panels_first(panel), width, tile + r * COLUMNS);
}

static void forward_block(lstm_job *job)
{
    const float *x = read_x(job);
    int64_t rows = rows_of(job, job->samples);
    if (job->gates_row != job->s.gates)
        job->gates = stashed_at(job, 0, 0, 0, 0);
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t first = 0; first < rows; first += CHUNK)
        multiply_inputs(job, x, first);
    memset(job->cells, 0, (size_t)(job->samples * job->s.cells) * sizeof *job->cells);
    for (int64_t step = 0; step < job->s.positions; step++) {
        start_step(job, step);
        each_tile(job, job->s.cells, step_forward);
        if (job->s.is_projected)
            each_tile(job, job->s.out, project_forward);
    }
}

static void pack_forward(const lstm_job *job)
{
    const vdnn_lstm_shape *s = &job->s;
    const float *w = job->args->w;
    pack(&job->input_weight, w, s->in, true, job->kernel->threads);
    pack_gates(job, job->hidden_weight);
    if (s->is_projected)
        pack(&job->projection, w + s->projection, s->cells, true, job->kernel->threads);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Of the step, a tile of each gate before activation. */
static void sum_gates(const lstm_job *job, int64_t panel, int64_t sample, int64_t rows,
                      float gates[GATES][ROWS * COLUMNS])
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t row = sample * s->positions + job->position, cell = vdnn_cpu_panels_first(panel);
    size_t bytes = (size_t)vdnn_cpu_panels_width(&job->again_input[0], panel) * sizeof(float);
    for (int g = 0; g < GATES; g++) {
        for (int64_t r = 0; r < rows; r++)
            memcpy(gates[g] + r * COLUMNS, job->bias + g * s->cells + cell, bytes);
        vdnn_cpu_panels_add(&job->again_input[g], panel, job->inputs + row * s->in,
                            s->positions * s->in, rows, gates[g], COLUMNS);
        if (job->step > 0)
            vdnn_cpu_panels_add(&job->again_hidden[g], panel, job->all_hidden + row * s->out,
                                s->positions * s->out, rows, gates[g], COLUMNS);
    }
}

/* A tile's cells through the steps of a chunk. */
static void recompute_cells(const lstm_job *job, int64_t panel, int64_t sample)
{
    const vdnn_lstm_shape *s = &job->s;
    lstm_job own = *job; /* which threads move from step to step */
    float c[ROWS * COLUMNS] = {0}, m[COLUMNS], sums[GATES][ROWS * COLUMNS];
    int64_t cell = vdnn_cpu_panels_first(panel), first = job->chunk_first;
    int64_t width = vdnn_cpu_panels_width(&job->again_input[0], panel);
    int64_t rows = vdnn_count_min(job->samples - sample, ROWS);
    for (int64_t r = 0; r < rows && first > 0; r++) {
        int64_t before = vdnn_lstm_position(s, first - 1);
        memcpy(c + r * COLUMNS, start_at(job, sample + r, first, cell), (size_t)width * sizeof *c);
        vdnn_stage_narrow(job->dtype, c + r * COLUMNS,
                          stashed_at(job, sample + r, before, GATES, cell), width);
    }
    for (int64_t step = first; step < s->positions && step < first + s->chunk; step++) {
        start_step(&own, step);
        sum_gates(&own, panel, sample, rows, sums);
        for (int64_t r = 0; r < rows; r++) {
            float *gates[GATES];
            for (int g = 0; g < GATES; g++)
                gates[g] = sums[g] + r * COLUMNS;
            activate(&own, sample + r, width, gates, c + r * COLUMNS, m);
            stash(&own, sample + r, cell, width, gates, c + r * COLUMNS);
        }
    }
}

/* What the projection of the positions of some steps read. */
static void gather_outputs(const lstm_job *job, int64_t first, int64_t steps)
{
    const vdnn_lstm_shape *s = &job->s;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t i = 0; i < job->samples * steps; i++)
        for (int64_t cell = 0; cell < s->cells; cell += COLUMNS) {
            float o[COLUMNS], c[COLUMNS];
            int64_t width = vdnn_count_min(s->cells - cell, COLUMNS), sample = i / steps;
            int64_t position = vdnn_lstm_position(s, first + i % steps);
            float *to = job->all_outputs + (sample * s->positions + position) * s->cells + cell;
            vdnn_stage_widen(job->dtype, stashed_at(job, sample, position, GATES - 1, cell), o,
                             width);
            vdnn_stage_widen(job->dtype, stashed_at(job, sample, position, GATES, cell), c, width);
            vdnn_lstm_cell_output(o, c, to, width);
        }
}

/* Of the chunk that ends with the step, before that. */
static void recompute_chunk(lstm_job *job, int64_t step)
{
    job->chunk_first = step / job->s.chunk * job->s.chunk;
    each_tile(job, job->s.cells, recompute_cells);
    if (job->s.is_projected && writes_dw(job))
        gather_outputs(job, job->chunk_first, step + 1 - job->chunk_first);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Some cells of a row of gates, gate by gate. */
static void copy_gates(const float *from, float *to, int64_t cells, int64_t width)
{
    for (int g = 0; g < GATES; g++)
        memcpy(to + g * cells, from + g * cells, (size_t)width * sizeof *to);
}

/* As f32, where it is, or widened. */
static const float *read_stashed(const lstm_job *job, int64_t sample, int64_t position,
                                 int64_t kind, int64_t cell, int64_t width, float *buffer)
{
    const void *at = stashed_at(job, sample, position, kind, cell);
    if (job->dtype == VDNN_F32)
        return at;
    vdnn_stage_widen(job->dtype, at, buffer, width);
    return buffer;
}

/* A row of a tile, with dh: the gradients of its gates, and of the cells of the position before. */
static void step_cells(const lstm_job *job, int64_t sample, int64_t cell, int64_t width,
                       const float *dh)
{
    const vdnn_lstm_shape *s = &job->s;
    float buffers[STASHED + 1][COLUMNS] = {0}, *gradients[GATES];
    const float *kept[STASHED + 1] = {[STASHED] = buffers[STASHED]}; /* the last: c before */
    float *first = gates_at(job, sample, job->position) + cell;
    for (int kind = 0; kind < STASHED; kind++)
        kept[kind] = read_stashed(job, sample, job->position, kind, cell, width, buffers[kind]);
    if (job->before_position >= 0)
        kept[STASHED] =
            read_stashed(job, sample, job->before_position, GATES, cell, width, buffers[STASHED]);
    for (int g = 0; g < GATES; g++)
        gradients[g] = first + g * s->cells;
    vdnn_lstm_cell_backward(kept, dh, job->cells + sample * s->cells + cell, gradients, width);
    if (job->step > 0)
        copy_gates(first, job->hidden[job->step % 2] + sample * s->gates + cell, s->cells, width);
}

/* A tile of dh: what the position after this one adds to dy. */
static void sum_gradients(const lstm_job *job, int64_t panel, int64_t sample, int64_t rows,
                          float dh[ROWS * COLUMNS])
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t column = vdnn_cpu_panels_first(panel);
    int64_t width = vdnn_cpu_panels_width(&job->hidden_weight[0], panel);
    for (int64_t r = 0; r < rows; r++) {
        int64_t row = row_of(job, sample + r, job->position);
        vdnn_stage_widen(job->dtype,
                         vdnn_native_at(job->dtype, job->args->dy, row * s->out + column),
                         dh + r * COLUMNS, width);
    }
    if (job->step + 1 < s->positions)
        vdnn_cpu_panels_add(&job->hidden_weight[0], panel,
                            job->hidden[(job->step + 1) % 2] + sample * s->gates, s->gates, rows,
                            dh, COLUMNS);
}

/* With a projection: dh as all cells of the step read it, and as its gradient does. */
static void project_backward(const lstm_job *job, int64_t panel, int64_t sample)
{
    const vdnn_lstm_shape *s = &job->s;
    float dh[ROWS * COLUMNS];
    int64_t column = vdnn_cpu_panels_first(panel);
    size_t bytes = (size_t)vdnn_cpu_panels_width(&job->hidden_weight[0], panel) * sizeof(float);
    int64_t rows = vdnn_count_min(job->samples - sample, ROWS);
    sum_gradients(job, panel, sample, rows, dh);
    for (int64_t r = 0; r < rows; r++) {
        if (is_beyond(job, sample + r))
            memset(dh + r * COLUMNS, 0, COLUMNS * sizeof *dh);
        int64_t row = (sample + r) * s->positions + job->position;
        memcpy(job->outputs + (sample + r) * s->out + column, dh + r * COLUMNS, bytes);
        if (writes_dw(job))
            memcpy(job->all_gradients + row * s->out + column, dh + r * COLUMNS, bytes);
    }
}

static void step_backward(const lstm_job *job, int64_t panel, int64_t sample)
{
    const vdnn_lstm_shape *s = &job->s;
    float dm[ROWS * COLUMNS] = {0};
    int64_t cell = vdnn_cpu_panels_first(panel);
    int64_t width = vdnn_count_min(s->cells - cell, COLUMNS);
    int64_t rows = vdnn_count_min(job->samples - sample, ROWS);
    if (s->is_projected)
        vdnn_cpu_panels_add(&job->projection, panel, job->outputs + sample * s->out, s->out, rows,
                            dm, COLUMNS);
    else
        sum_gradients(job, panel, sample, rows, dm);
    for (int64_t r = 0; r < rows; r++) {
        if (is_beyond(job, sample + r))
            memset(dm + r * COLUMNS, 0, COLUMNS * sizeof *dm);
        step_cells(job, sample + r, cell, width, dm + r * COLUMNS);
    }
}

/* Positions of the block, from `first` on. */
static void multiply_gates(const lstm_job *job, int64_t first)
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t rows = vdnn_count_min(rows_of(job, job->samples) - first, CHUNK);
    int64_t row = row_of(job, 0, 0) + first;
    for (int64_t p = 0; p < vdnn_cpu_panels_count(s->in); p++) {
        float tile[CHUNK * COLUMNS] = {0};
        int64_t column = vdnn_cpu_panels_first(p);
        vdnn_cpu_panels_add(&job->input_weight, p, job->gates + first * s->gates, s->gates, rows,
                            tile, COLUMNS);
        for (int64_t r = 0; r < rows; r++)
            vdnn_stage_narrow(
                job->dtype, tile + r * COLUMNS,
                vdnn_native_at(job->dtype, job->args->dx[0], (row + r) * s->in + column),
                vdnn_cpu_panels_width(&job->input_weight, p));
    }
}

/* The outputs of the position before each of the block. */
static void gather_hidden(const lstm_job *job)
{
    const vdnn_lstm_shape *s = &job->s;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t sample = 0; sample < job->samples; sample++)
        for (int64_t step = 0; step < s->positions; step++) {
            int64_t position = vdnn_lstm_position(s, step);
            float *to = job->all_hidden + (sample * s->positions + position) * s->out;
            int64_t row = row_of(job, sample, vdnn_lstm_position(s, step - 1));
            if (step == 0)
                memset(to, 0, (size_t)s->out * sizeof *to);
            else
                vdnn_stage_widen(job->dtype, vdnn_native_at(job->dtype, job->args->y, row * s->out),
                                 to, s->out);
        }
}

VDNN_CPU_CLONES static void add_row(const float *restrict from, float *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

/* The biases' gradient, in the order of the positions: columns are divided between threads. */
static void sum_biases(const lstm_job *job)
{
    const vdnn_lstm_shape *s = &job->s;
    float *dw = (float *)job->args->dw + s->bias;
    if (s->biases == 0)
        return;
#pragma omp parallel for num_threads(job->kernel->threads)
    for (int64_t begin = 0; begin < s->gates; begin += SUMMED) {
        int64_t count = vdnn_count_min(s->gates - begin, SUMMED);
        if (job->first == 0)
            memset(dw + begin, 0, (size_t)count * sizeof *dw);
        for (int64_t row = 0; row < rows_of(job, job->samples); row++)
            add_row(job->gates + row * s->gates + begin, dw + begin, count);
        for (int64_t b = 1; b < s->biases; b++)
            memcpy(dw + b * s->gates + begin, dw + begin, (size_t)count * sizeof *dw);
    }
}

/* dw (rows, columns) += left^T right, of all positions of the block at once. */
static vdnn_status add_weight_gradient(const lstm_job *job, const float *left, int64_t rows,
                                       const float *right, int64_t columns, float *dw)
{
    return vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = rows,
                                                        .columns = columns,
                                                        .depth = rows_of(job, job->samples),
                                                        .a = left,
                                                        .a_row = rows,
                                                        .a_turned = true,
                                                        .b = right,
                                                        .b_row = columns,
                                                        .c = dw,
                                                        .c_row = columns,
                                                        .beta = job->first == 0 ? 0 : 1});
}

static vdnn_status add_gradients(lstm_job *job)
{
    const vdnn_lstm_shape *s = &job->s;
    float *dw = job->args->dw;
    sum_biases(job);
    VDNN_TRY(add_weight_gradient(job, job->gates, s->gates, job->inputs, s->in, dw));
    VDNN_TRY(add_weight_gradient(job, job->gates, s->gates, job->all_hidden, s->out,
                                 dw + s->hidden_weight));
    if (!s->is_projected)
        return VDNN_OK;
    if (s->chunk == 0)
        gather_outputs(job, 0, s->positions);
    return add_weight_gradient(job, job->all_gradients, s->out, job->all_outputs, s->cells,
                               dw + s->projection);
}

static vdnn_status backward_block(lstm_job *job)
{
    const vdnn_lstm_shape *s = &job->s;
    int64_t rows = rows_of(job, job->samples);
    memset(job->cells, 0, (size_t)(job->samples * s->cells) * sizeof *job->cells);
    if (writes_dw(job) || s->chunk > 0) {
        job->inputs = read_x(job);
        gather_hidden(job);
    }
    for (int64_t step = s->positions - 1; step >= 0; step--) {
        if (s->chunk > 0 && (step + 1 == s->positions || (step + 1) % s->chunk == 0))
            recompute_chunk(job, step);
        start_step(job, step);
        if (s->is_projected)
            each_tile(job, s->out, project_backward);
        each_tile(job, s->cells, step_backward);
    }
    if (job->args->dx != NULL && job->args->dx[0] != NULL) {
#pragma omp parallel for num_threads(job->kernel->threads)
        for (int64_t first = 0; first < rows; first += CHUNK)
            multiply_gates(job, first);
    }
    return writes_dw(job) ? add_gradients(job) : VDNN_OK;
}

static void pack_backward(const lstm_job *job)
{
    const vdnn_lstm_shape *s = &job->s;
    const float *w = job->args->w;
    if (s->chunk > 0)
        pack_gates(job, job->again_hidden);
    for (int g = 0; g < GATES && s->chunk > 0; g++)
        pack(&job->again_input[g], w + g * s->cells * s->in, s->in, true, job->kernel->threads);
    pack(&job->hidden_weight[0], w + s->hidden_weight, s->out, false, job->kernel->threads);
    if (s->is_projected)
        pack(&job->projection, w + s->projection, s->cells, false, job->kernel->threads);
    if (job->args->dx != NULL && job->args->dx[0] != NULL)
        pack(&job->input_weight, w, s->in, false, job->kernel->threads);
}

/* ---- the row --------------------------------------------------------------------------------- */

static vdnn_status check_lengths(const lstm_job *job)
{
    for (int64_t i = 0; i < job->s.samples && job->lengths != NULL; i++)
        if (job->lengths[i] < 0 || job->lengths[i] > job->s.positions)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "lstm layer '%s': sample %lld of the batch has %d valid "
                                    "positions, but its sequences have 0 to %lld",
                                    job->kernel->layer->name, (long long)i, job->lengths[i],
                                    (long long)job->s.positions);
    return VDNN_OK;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    if (x->dtype != VDNN_F32 && x->dtype != VDNN_BF16)
        return "it computes in f32 or bf16 only";
    return x->layout == VDNN_NCHW ? NULL : "the layout of its input is not nchw";
}

static vdnn_status run_blocks(lstm_job *job)
{
    bool is_forward = job->kernel->pass == VDNN_FORWARD;
    int64_t block = samples_of_block(&job->s);
    vdnn_status status = VDNN_OK;
    if (is_forward)
        pack_forward(job);
    else
        pack_backward(job);
    for (job->first = 0; job->first < job->s.samples && status == VDNN_OK; job->first += block) {
        job->samples = vdnn_count_min(job->s.samples - job->first, block);
        if (is_forward)
            forward_block(job);
        else
            status = backward_block(job);
    }
    return status;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    lstm_job job = job_of(kernel, args);
    job.lengths = vdnn_lstm_lengths(kernel->layer, args);
    VDNN_TRY(check_lengths(&job));
    int before = vdnn_cpu_threads_begin(kernel->threads);
    vdnn_status status = run_blocks(&job);
    vdnn_cpu_threads_end(before);
    return status;
}

const vdnn_algorithm vdnn_lstm_gemm = {
    .layer_type = "lstm",
    .name = "gemm",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = refusal,
    .workspace = workspace,
    .run = run,
};
