#include "layers/cpu/small_product.h"

#include "layers/count.h"
#include "runtime/base/machine/simd.h"

enum { LANES = VDNN_CPU_SMALL_LANES, MOST_ROWS = 6, MOST_VECTORS = 4 };

/* A tile of some rows by a number of vectors of 16 columns, at the product's first row and column.
 */
typedef void compute_tile(const vdnn_cpu_small_product *p);

static void tile_generic(const vdnn_cpu_small_product *p, int rows, int vectors)
{
    for (int r = 0; r < rows; r++) {
        float sums[LANES * MOST_VECTORS] = {0};
        for (ptrdiff_t k = 0; k < p->depth; k++) {
            float factor = p->a[r * p->a_row + k * p->a_step];
            for (int j = 0; j < vectors * LANES; j++)
                sums[j] += factor * p->b[k * p->b_row + j];
        }
        float *c = p->c + r * p->c_row;
        for (int j = 0; j < vectors * LANES; j++)
            c[j] = p->adds ? c[j] + sums[j] : sums[j];
    }
}

#if VDNN_SIMD_X86

VDNN_AVX512_INLINE void tile_avx512(const vdnn_cpu_small_product *p, int rows, int vectors)
{
    __m512 sums[MOST_ROWS][MOST_VECTORS];
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < vectors; v++)
            sums[r][v] = _mm512_setzero_ps();
    const float *a = p->a, *b = p->b;
    for (ptrdiff_t k = 0; k < p->depth; k++, a += p->a_step, b += p->b_row) {
        __m512 line[MOST_VECTORS];
        for (int v = 0; v < vectors; v++)
            line[v] = _mm512_loadu_ps(b + (ptrdiff_t)v * LANES);
        for (int r = 0; r < rows; r++) {
            __m512 factor = _mm512_set1_ps(a[r * p->a_row]);
            for (int v = 0; v < vectors; v++)
                sums[r][v] = _mm512_fmadd_ps(factor, line[v], sums[r][v]);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < vectors; v++) {
            float *c = p->c + r * p->c_row + (ptrdiff_t)v * LANES;
            _mm512_storeu_ps(c,
                             p->adds ? _mm512_add_ps(_mm512_loadu_ps(c), sums[r][v]) : sums[r][v]);
        }
}

/* One vector of 16 columns is two here; more would not stay in the 16 registers. */
VDNN_AVX2_INLINE void tile_avx2(const vdnn_cpu_small_product *p, int rows, int vectors)
{
    enum { HALF = LANES / 2 };
    for (int v = 0; v < vectors; v++) {
        __m256 sums[MOST_ROWS][2];
        for (int r = 0; r < rows; r++)
            sums[r][0] = sums[r][1] = _mm256_setzero_ps();
        const float *a = p->a, *b = p->b + (ptrdiff_t)v * LANES;
        for (ptrdiff_t k = 0; k < p->depth; k++, a += p->a_step, b += p->b_row) {
            __m256 left = _mm256_loadu_ps(b), right = _mm256_loadu_ps(b + HALF);
            for (int r = 0; r < rows; r++) {
                __m256 factor = _mm256_set1_ps(a[r * p->a_row]);
                sums[r][0] = _mm256_fmadd_ps(factor, left, sums[r][0]);
                sums[r][1] = _mm256_fmadd_ps(factor, right, sums[r][1]);
            }
        }
        for (int r = 0; r < rows; r++)
            for (int half = 0; half < 2; half++) {
                float *c = p->c + r * p->c_row + (ptrdiff_t)v * LANES + (ptrdiff_t)half * HALF;
                _mm256_storeu_ps(c, p->adds ? _mm256_add_ps(_mm256_loadu_ps(c), sums[r][half])
                                            : sums[r][half]);
            }
    }
}

#define DEFINE_TILE(isa, target, rows, vectors)                                                    \
    target static void isa##_##rows##_##vectors(const vdnn_cpu_small_product *p)                   \
    {                                                                                              \
        tile_##isa(p, rows, vectors);                                                              \
    }
#define DEFINE_ROWS(isa, target, rows)                                                             \
    DEFINE_TILE(isa, target, rows, 1)                                                              \
    DEFINE_TILE(isa, target, rows, 2)                                                              \
    DEFINE_TILE(isa, target, rows, 3)                                                              \
    DEFINE_TILE(isa, target, rows, 4)
#define DEFINE_TILES(isa, target)                                                                  \
    DEFINE_ROWS(isa, target, 1)                                                                    \
    DEFINE_ROWS(isa, target, 2)                                                                    \
    DEFINE_ROWS(isa, target, 3)                                                                    \
    DEFINE_ROWS(isa, target, 4)                                                                    \
    DEFINE_ROWS(isa, target, 5)                                                                    \
    DEFINE_ROWS(isa, target, 6)
#define ROW_OF(isa, rows)                                                                          \
    {                                                                                              \
        isa##_##rows##_1, isa##_##rows##_2, isa##_##rows##_3, isa##_##rows##_4                     \
    }
#define TILES_OF(isa)                                                                              \
    {                                                                                              \
        ROW_OF(isa, 1), ROW_OF(isa, 2), ROW_OF(isa, 3), ROW_OF(isa, 4), ROW_OF(isa, 5),            \
            ROW_OF(isa, 6)                                                                         \
    }

DEFINE_TILES(avx512, VDNN_AVX512)
DEFINE_TILES(avx2, VDNN_AVX2)

static compute_tile *const avx512_tiles[MOST_ROWS][MOST_VECTORS] = TILES_OF(avx512);
static compute_tile *const avx2_tiles[MOST_ROWS][MOST_VECTORS] = TILES_OF(avx2);

#endif

/* [rows - 1][vectors - 1]; NULL: tile_generic. */
static compute_tile *const (*best_tiles(void))[MOST_VECTORS]
{
#if VDNN_SIMD_X86
    if (vdnn_simd_has_avx512())
        return avx512_tiles;
    if (vdnn_simd_has_avx2())
        return avx2_tiles;
#endif
    return NULL;
}

/* Five vectors are divided into three and two, not into four and one, which has few sums to hide
 * the latency of one behind another. */
static int vectors_of(ptrdiff_t columns)
{
    ptrdiff_t left = columns / LANES;
    return left == MOST_VECTORS + 1 ? MOST_VECTORS - 1 : (int)vdnn_count_min(left, MOST_VECTORS);
}

void vdnn_cpu_small_product_compute(const vdnn_cpu_small_product *product)
{
    compute_tile *const(*tiles)[MOST_VECTORS] = best_tiles();
    int vectors;
    for (ptrdiff_t j = 0; j < product->columns; j += (ptrdiff_t)vectors * LANES) {
        vectors = vectors_of(product->columns - j);
        for (ptrdiff_t r = 0; r < product->rows; r += MOST_ROWS) {
            vdnn_cpu_small_product tile = *product;
            int rows = (int)vdnn_count_min(product->rows - r, MOST_ROWS);
            tile.a += r * product->a_row;
            tile.b += j;
            tile.c += r * product->c_row + j;
            if (tiles == NULL)
                tile_generic(&tile, rows, vectors);
            else
                tiles[rows - 1][vectors - 1](&tile);
        }
    }
}
