#include "layers/cpu/tile.h"

#include "runtime/base/machine/simd.h"

#include <stdbool.h>

static ptrdiff_t columns_of(const vdnn_cpu_tile *tile)
{
    return tile->columns == 0 ? VDNN_CPU_TILE_COLUMNS : tile->columns;
}

static void add_generic(const vdnn_cpu_tile *tile, int rows)
{
    const ptrdiff_t columns = columns_of(tile);
    for (int r = 0; r < rows; r++) {
        float sums[VDNN_CPU_TILE_COLUMNS] = {0};
        const float *a = tile->a + r * tile->a_row;
        for (ptrdiff_t k = 0; k < tile->depth; k++) {
            float factor = a[tile->a_offsets[k]];
            const float *b = tile->b + k * tile->b_row;
            for (ptrdiff_t j = 0; j < columns; j++)
                sums[j] += factor * b[j];
        }
        float *c = tile->c + r * tile->c_row;
        for (ptrdiff_t j = 0; j < columns; j++)
            c[j] += sums[j];
    }
}

#if VDNN_SIMD_X86

/* One kernel: `height` rows by some vectors, repeated to fill the columns. Intrinsics because ISO C
 * mode does not contract multiply and add, and all accumulators must stay in registers. */
#define DEFINE_KERNEL(name, isa, vector, prefix, lanes, height, vectors)                           \
    __attribute__((target(isa))) static void name(const vdnn_cpu_tile *tile)                       \
    {                                                                                              \
        for (ptrdiff_t j = 0; j < columns_of(tile); j += (vectors) * (lanes)) {                    \
            vector sums[height][vectors];                                                          \
            for (int r = 0; r < (height); r++)                                                     \
                for (ptrdiff_t v = 0; v < (vectors); v++)                                          \
                    sums[r][v] = prefix##_setzero_ps();                                            \
            const float *b = tile->b + j;                                                          \
            for (ptrdiff_t k = 0; k < tile->depth; k++, b += tile->b_row) {                        \
                const float *a = tile->a + tile->a_offsets[k];                                     \
                vector own[vectors];                                                               \
                for (ptrdiff_t v = 0; v < (vectors); v++)                                          \
                    own[v] = prefix##_loadu_ps(b + v * (lanes));                                   \
                for (int r = 0; r < (height); r++) {                                               \
                    vector factor = prefix##_set1_ps(a[r * tile->a_row]);                          \
                    for (ptrdiff_t v = 0; v < (vectors); v++)                                      \
                        sums[r][v] = prefix##_fmadd_ps(factor, own[v], sums[r][v]);                \
                }                                                                                  \
            }                                                                                      \
            for (int r = 0; r < (height); r++)                                                     \
                for (ptrdiff_t v = 0; v < (vectors); v++) {                                        \
                    float *c = tile->c + r * tile->c_row + j + v * (lanes);                        \
                    prefix##_storeu_ps(c, prefix##_add_ps(prefix##_loadu_ps(c), sums[r][v]));      \
                }                                                                                  \
        }                                                                                          \
    }

DEFINE_KERNEL(avx512_8, "avx512f", __m512, _mm512, 16, 8, 3)
DEFINE_KERNEL(avx512_4, "avx512f", __m512, _mm512, 16, 4, 3)
DEFINE_KERNEL(avx512_1, "avx512f", __m512, _mm512, 16, 1, 3)
DEFINE_KERNEL(avx512_8_narrow, "avx512f", __m512, _mm512, 16, 8, 1)
DEFINE_KERNEL(avx512_4_narrow, "avx512f", __m512, _mm512, 16, 4, 1)
DEFINE_KERNEL(avx512_1_narrow, "avx512f", __m512, _mm512, 16, 1, 1)
DEFINE_KERNEL(avx2_4, "avx2,fma", __m256, _mm256, 8, 4, 3)
DEFINE_KERNEL(avx2_1, "avx2,fma", __m256, _mm256, 8, 1, 3)
DEFINE_KERNEL(avx2_4_narrow, "avx2,fma", __m256, _mm256, 8, 4, 2)
DEFINE_KERNEL(avx2_1_narrow, "avx2,fma", __m256, _mm256, 8, 1, 2)

static vdnn_cpu_tile below(const vdnn_cpu_tile *tile, int rows)
{
    vdnn_cpu_tile rest = *tile;
    rest.a += rows * tile->a_row;
    rest.c += rows * tile->c_row;
    return rest;
}

/* Some columns at a time that divide LINES, where there are not all. */
static bool is_narrow(const vdnn_cpu_tile *tile)
{
    return columns_of(tile) < VDNN_CPU_TILE_COLUMNS;
}

static void add_avx512(const vdnn_cpu_tile *tile, int rows)
{
    vdnn_cpu_tile rest = *tile;
    if (rows == VDNN_CPU_TILE_ROWS) {
        (is_narrow(tile) ? avx512_8_narrow : avx512_8)(tile);
        return;
    }
    for (; rows >= 4; rows -= 4, rest = below(&rest, 4))
        (is_narrow(tile) ? avx512_4_narrow : avx512_4)(&rest);
    for (; rows > 0; rows--, rest = below(&rest, 1))
        (is_narrow(tile) ? avx512_1_narrow : avx512_1)(&rest);
}

static void add_avx2(const vdnn_cpu_tile *tile, int rows)
{
    vdnn_cpu_tile rest = *tile;
    for (; rows >= 4; rows -= 4, rest = below(&rest, 4))
        (is_narrow(tile) ? avx2_4_narrow : avx2_4)(&rest);
    for (; rows > 0; rows--, rest = below(&rest, 1))
        (is_narrow(tile) ? avx2_1_narrow : avx2_1)(&rest);
}

vdnn_cpu_tile_add *vdnn_cpu_tile_best(void)
{
    if (vdnn_simd_has_avx512())
        return add_avx512;
    if (vdnn_simd_has_avx2())
        return add_avx2;
    return add_generic;
}

#else

vdnn_cpu_tile_add *vdnn_cpu_tile_best(void)
{
    return add_generic;
}

#endif

enum { BLOCK = 4 };

/* A block of 4 x 4. */
static void transpose_block(const float *lines, ptrdiff_t line, float *to, ptrdiff_t to_row)
{
#if VDNN_SIMD_X86
    __m128 rows[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        rows[i] = _mm_loadu_ps(lines + i * line);
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (int i = 0; i < BLOCK; i++)
        _mm_storeu_ps(to + i * to_row, rows[i]);
#else
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < BLOCK; j++)
            to[j * to_row + i] = lines[i * line + j];
#endif
}

void vdnn_cpu_tile_transpose(const float *lines, ptrdiff_t line, ptrdiff_t count, float *to,
                             ptrdiff_t to_row)
{
    ptrdiff_t k = 0;
    for (; k + BLOCK <= count; k += BLOCK)
        for (int i = 0; i < VDNN_CPU_TILE_LINES; i += BLOCK)
            transpose_block(lines + i * line + k, line, to + k * to_row + i, to_row);
    for (; k < count; k++)
        for (int i = 0; i < VDNN_CPU_TILE_LINES; i++)
            to[k * to_row + i] = lines[i * line + k];
}
