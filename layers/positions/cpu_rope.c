#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/positions/rope.h"
#include "layers/stage.h"
#include "runtime/base/heap.h"

#include <math.h>

/* A row is a position: of each head that is rotated CHUNK pairs at a time, which are read before
 * they are written, so that y may be x. */
enum { CHUNK = 128 };

/* By position and pair, computed in double. */
typedef struct rope_table {
    float *cosines, *sines;
} rope_table;

static vdnn_status create(const vdnn_kernel *kernel, void **state)
{
    const vdnn_rope_shape s = vdnn_rope_shape_of(kernel->layer);
    const int64_t count = s.positions * s.pairs;
    rope_table *table = vdnn_heap_calloc(1, sizeof *table + 2 * (size_t)count * sizeof(float));
    if (table == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the angles of %lld positions",
                                (long long)s.positions);
    table->cosines = (float *)(void *)(table + 1);
    table->sines = table->cosines + count;
    for (int64_t i = 0; i < count; i++) {
        const double angle = vdnn_rope_angle(&s, i / s.pairs, i % s.pairs);
        table->cosines[i] = (float)cos(angle);
        table->sines[i] = (float)sin(angle);
    }
    *state = table;
    return VDNN_OK;
}

static void destroy(void *state)
{
    vdnn_heap_free(state);
}

/* First and second features of pairs. */
typedef struct pairs {
    float first[CHUNK], second[CHUNK];
} pairs;

/* Backward rotates by the negative angle: `turn` is -1, else 1. */
VDNN_CPU_CLONES static void rotate(pairs *restrict p, const float *restrict cosines,
                                   const float *restrict sines, float turn, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const float sine = turn * sines[i], first = p->first[i], second = p->second[i];
        p->first[i] = first * cosines[i] - second * sine;
        p->second[i] = second * cosines[i] + first * sine;
    }
}

VDNN_CPU_CLONES static void take_apart(const float *restrict from, pairs *restrict p, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        p->first[i] = from[2 * i];
        p->second[i] = from[2 * i + 1];
    }
}

VDNN_CPU_CLONES static void put_together(const pairs *restrict p, float *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        to[2 * i] = p->first[i];
        to[2 * i + 1] = p->second[i];
    }
}

/* Some pairs of the vector at an element of the maps. */
typedef struct place {
    const vdnn_rope_shape *s;
    vdnn_dtype dtype;
    const void *from;
    void *to;
    int64_t vector, pair, count;
} place;

static void read_pairs(const place *at, pairs *p)
{
    const int64_t first = at->vector + at->pair;
    float both[2 * CHUNK];
    if (at->s->interleaved) {
        vdnn_stage_widen(at->dtype, vdnn_native_const_at(at->dtype, at->from, first + at->pair),
                         both, 2 * at->count);
        take_apart(both, p, at->count);
        return;
    }
    vdnn_stage_widen(at->dtype, vdnn_native_const_at(at->dtype, at->from, first), p->first,
                     at->count);
    vdnn_stage_widen(at->dtype, vdnn_native_const_at(at->dtype, at->from, first + at->s->pairs),
                     p->second, at->count);
}

static void write_pairs(const place *at, const pairs *p)
{
    const int64_t first = at->vector + at->pair;
    float both[2 * CHUNK];
    if (at->s->interleaved) {
        put_together(p, both, at->count);
        vdnn_stage_narrow(at->dtype, both, vdnn_native_at(at->dtype, at->to, first + at->pair),
                          2 * at->count);
        return;
    }
    vdnn_stage_narrow(at->dtype, p->first, vdnn_native_at(at->dtype, at->to, first), at->count);
    vdnn_stage_narrow(at->dtype, p->second, vdnn_native_at(at->dtype, at->to, first + at->s->pairs),
                      at->count);
}

static void rotate_row(const vdnn_rope_shape *s, const rope_table *table, vdnn_dtype dtype,
                       int64_t row, float turn, const void *from, void *to)
{
    const int64_t angles = row % s->positions * s->pairs, begin = row * s->features;
    const int64_t rest = begin + s->rotated * s->width;
    place at = {.s = s, .dtype = dtype, .from = from, .to = to};
    pairs p;
    for (int64_t head = 0; head < s->rotated; head++)
        for (at.pair = 0; at.pair < s->pairs; at.pair += CHUNK) {
            at.vector = begin + head * s->width;
            at.count = vdnn_count_min(CHUNK, s->pairs - at.pair);
            read_pairs(&at, &p);
            rotate(&p, table->cosines + angles + at.pair, table->sines + angles + at.pair, turn,
                   at.count);
            write_pairs(&at, &p);
        }
    if (from != to)
        memcpy(vdnn_native_at(dtype, to, rest), vdnn_native_const_at(dtype, from, rest),
               (size_t)(begin + s->features - rest) * vdnn_dtype_bytes(dtype));
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_rope_shape s = vdnn_rope_shape_of(kernel->layer);
    const bool is_forward = kernel->pass == VDNN_FORWARD;
    const void *from = is_forward ? args->x[0] : args->dy;
    void *to = is_forward ? args->y : args->dx[0];
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t row = 0; row < s.rows; row++)
        rotate_row(&s, kernel->state, kernel->layer->y.dtype, row, is_forward ? 1 : -1, from, to);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_rope_native = {
    .layer_type = "rope",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .create = create,
    .destroy = destroy,
    .run = run,
};
