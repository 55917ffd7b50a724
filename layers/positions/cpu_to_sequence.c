#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/cpu/tile.h"

/* Transposes of matrices, a sample each, in both passes; an item is LINES rows of one. */
enum { LINES = VDNN_CPU_TILE_LINES };

typedef struct matrix {
    vdnn_dtype dtype;
    const void *from; /* rows x columns, one matrix after the other */
    void *to;         /* columns x rows */
    int64_t rows, columns;
} matrix;

static void turn_floats(const matrix *m, int64_t first, int64_t row, int64_t count)
{
    const float *from = (const float *)m->from + first + row * m->columns;
    float *to = (float *)m->to + first + row;
    if (count == LINES) {
        vdnn_cpu_tile_transpose(from, m->columns, m->columns, to, m->rows);
        return;
    }
    for (int64_t k = 0; k < m->columns; k++)
        for (int64_t i = 0; i < count; i++)
            to[k * m->rows + i] = from[i * m->columns + k];
}

static void turn_halves(const matrix *m, int64_t first, int64_t row, int64_t count)
{
    const uint16_t *from = (const uint16_t *)m->from + first + row * m->columns;
    uint16_t *to = (uint16_t *)m->to + first + row;
    for (int64_t k = 0; k < m->columns; k++)
        for (int64_t i = 0; i < count; i++)
            to[k * m->rows + i] = from[i * m->columns + k];
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const int64_t positions = layer->y.dims[VDNN_POSITIONS],
                  features = layer->y.dims[VDNN_FEATURES];
    const bool is_forward = kernel->pass == VDNN_FORWARD;
    const matrix m = {.dtype = layer->y.dtype,
                      .from = is_forward ? args->x[0] : args->dy,
                      .to = is_forward ? args->y : args->dx[0],
                      .rows = is_forward ? features : positions,
                      .columns = is_forward ? positions : features};
    const int64_t items = vdnn_count_pieces(m.rows, LINES), samples = layer->y.dims[VDNN_N];
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < samples * items; i++) {
        const int64_t row = i % items * LINES, first = i / items * m.rows * m.columns;
        const int64_t count = vdnn_count_min(LINES, m.rows - row);
        if (m.dtype == VDNN_BF16)
            turn_halves(&m, first, row, count);
        else
            turn_floats(&m, first, row, count);
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_to_sequence_native = {
    .layer_type = "to_sequence",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .run = run,
};
