#include "layers/conv/cpu_winograd/kernels.h"

#include "layers/count.h"
#include "runtime/base/machine/simd.h"

#include <stddef.h>

#if VDNN_SIMD_X86

enum {
    LANES = VDNN_WINOGRAD_LANES,
    TAP = VDNN_WINOGRAD_TAP,
    SIDE = VDNN_WINOGRAD_SIDE,
    SLICE = VDNN_WINOGRAD_SLICE,
    WIDEST = VDNN_WINOGRAD_WIDEST,
    CHANNELS = VDNN_WINOGRAD_CHANNELS
};

/* The pairs of points: +-1, +-2, +-1/2. */
enum { PAIRS = 3 };
static const float pair_point[PAIRS] = {1.0F, 2.0F, 0.5F};
static const float pair_weight[PAIRS] = {-2.0F / 9, 1.0F / 90, 32.0F / 45};

/* B^T. */
VDNN_AVX512_INLINE void project(const __m512 d[SIDE], __m512 p[SIDE])
{
    const __m512 c21 = _mm512_set1_ps(5.25F), c17 = _mm512_set1_ps(4.25F);
    const __m512 half = _mm512_set1_ps(0.5F), quarter = _mm512_set1_ps(0.25F);
    const __m512 two = _mm512_set1_ps(2), four = _mm512_set1_ps(4), five = _mm512_set1_ps(5);
    const __m512 c5_4 = _mm512_set1_ps(1.25F), c5_2 = _mm512_set1_ps(2.5F);
    p[0] = _mm512_fmadd_ps(c21, _mm512_sub_ps(d[4], d[2]), _mm512_sub_ps(d[0], d[6]));
    p[7] = _mm512_fmadd_ps(c21, _mm512_sub_ps(d[3], d[5]), _mm512_sub_ps(d[7], d[1]));
    __m512 even = _mm512_fnmadd_ps(c17, d[4], _mm512_add_ps(d[2], d[6]));
    __m512 odd = _mm512_fnmadd_ps(c17, d[3], _mm512_add_ps(d[1], d[5]));
    p[1] = _mm512_add_ps(even, odd);
    p[2] = _mm512_sub_ps(even, odd);
    __m512 third = _mm512_mul_ps(c5_2, d[3]);
    even = _mm512_fnmadd_ps(c5_4, d[4], _mm512_fmadd_ps(quarter, d[2], d[6]));
    odd = _mm512_fmadd_ps(half, d[1], _mm512_fmsub_ps(two, d[5], third));
    p[3] = _mm512_add_ps(even, odd);
    p[4] = _mm512_sub_ps(even, odd);
    even = _mm512_fnmadd_ps(five, d[4], _mm512_fmadd_ps(four, d[2], d[6]));
    odd = _mm512_fmadd_ps(two, d[1], _mm512_fmsub_ps(half, d[5], third));
    p[5] = _mm512_add_ps(even, odd);
    p[6] = _mm512_sub_ps(even, odd);
}

/* A, or G if weighted: `count` coefficients at the points. */
VDNN_AVX512_INLINE void evaluate(const __m512 *c, int count, bool weighted, __m512 p[SIDE])
{
    p[0] = c[0];
    p[SIDE - 1] = c[count - 1];
#pragma GCC unroll 3
    for (int pair = 0; pair < PAIRS; pair++) {
        float power = weighted ? pair_weight[pair] : 1.0F;
        __m512 even = _mm512_mul_ps(_mm512_set1_ps(power), c[0]), odd = _mm512_setzero_ps();
#pragma GCC unroll 7
        for (int i = 1; i < count; i++) {
            power *= pair_point[pair];
            if (i % 2 == 0)
                even = _mm512_fmadd_ps(_mm512_set1_ps(power), c[i], even);
            else
                odd = _mm512_fmadd_ps(_mm512_set1_ps(power), c[i], odd);
        }
        p[1 + 2 * pair] = _mm512_add_ps(even, odd);
        p[2 + 2 * pair] = _mm512_sub_ps(even, odd);
    }
}

/* The transpose of evaluate. */
VDNN_AVX512_INLINE void combine(const __m512 p[SIDE], int count, bool weighted, __m512 *c)
{
    __m512 sum[PAIRS], difference[PAIRS];
#pragma GCC unroll 3
    for (int pair = 0; pair < PAIRS; pair++) {
        sum[pair] = _mm512_add_ps(p[1 + 2 * pair], p[2 + 2 * pair]);
        difference[pair] = _mm512_sub_ps(p[1 + 2 * pair], p[2 + 2 * pair]);
    }
#pragma GCC unroll 7
    for (int i = 0; i < count; i++) {
        __m512 total = i == 0 ? p[0] : i == count - 1 ? p[SIDE - 1] : _mm512_setzero_ps();
#pragma GCC unroll 3
        for (int pair = 0; pair < PAIRS; pair++) {
            float power = weighted ? pair_weight[pair] : 1.0F;
#pragma GCC unroll 7
            for (int j = 0; j < i; j++)
                power *= pair_point[pair];
            total = _mm512_fmadd_ps(_mm512_set1_ps(power),
                                    i % 2 == 0 ? sum[pair] : difference[pair], total);
        }
        c[i] = total;
    }
}

VDNN_AVX512_INLINE __m512 load_cell(const void *map, int64_t cell, bool narrow)
{
    if (!narrow)
        return _mm512_loadu_ps((const float *)map + cell * LANES);
    __m256i upper = _mm256_loadu_si256((const __m256i *)((const uint16_t *)map + cell * LANES));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(upper), 16));
}

/* Rounds to nearest, ties to even, as vdnn_stage_narrow. */
VDNN_AVX512_INLINE void store_cell(void *map, int64_t cell, bool narrow, __m512 value)
{
    if (!narrow) {
        _mm512_storeu_ps((float *)map + cell * LANES, value);
        return;
    }
    const __m512i bits = _mm512_castps_si512(value), upper = _mm512_srli_epi32(bits, 16);
    const __m512i odd = _mm512_and_si512(upper, _mm512_set1_epi32(1));
    const __m512i half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF));
    const __mmask16 is_nan = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
    __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, half), 16);
    rounded = _mm512_mask_or_epi32(rounded, is_nan, upper, _mm512_set1_epi32(0x40));
    _mm256_storeu_si256((__m256i *)((uint16_t *)map + cell * LANES),
                        _mm512_cvtepi32_epi16(rounded));
}

/* Cell (i, j) of a tile; zero outside the map. `inside`: all are within it. */
VDNN_AVX512_INLINE __m512 cell_of(const vdnn_winograd_tile *task, bool inside, bool narrow, int i,
                                  int j)
{
    int64_t h = task->first[0] + i, w = task->first[1] + j;
    if (!inside && (h < 0 || h >= task->size[0] || w < 0 || w >= task->size[1]))
        return _mm512_setzero_ps();
    return load_cell(task->map, h * task->size[1] + w, narrow);
}

/* The first `count` cells of column j. */
VDNN_AVX512_INLINE void read_column(const vdnn_winograd_tile *task, int count, int j, bool inside,
                                    bool narrow, __m512 *column)
{
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        column[i] = cell_of(task, inside, narrow, i, j);
}

VDNN_AVX512_INLINE void read_cells(const vdnn_winograd_tile *task, bool inside, bool narrow)
{
    __m512 half[SIDE][SIDE], line[SIDE], points[SIDE];
    for (int j = 0; j < SIDE; j++) {
        read_column(task, SIDE, j, inside, narrow, line);
        project(line, points);
#pragma GCC unroll 8
        for (int i = 0; i < SIDE; i++)
            half[i][j] = points[i];
    }
    for (int i = 0; i < SIDE; i++) {
        project(half[i], points);
#pragma GCC unroll 8
        for (int j = 0; j < SIDE; j++)
            _mm512_storeu_ps(task->points + (i * SIDE + j) * task->step, points[j]);
    }
}

static bool is_inside(const vdnn_winograd_tile *task, int side)
{
    return task->first[0] >= 0 && task->first[0] + side <= task->size[0] && task->first[1] >= 0 &&
           task->first[1] + side <= task->size[1];
}

VDNN_AVX512_INLINE void read_tile(const vdnn_winograd_tile *task, bool narrow)
{
    if (is_inside(task, SIDE))
        read_cells(task, true, narrow);
    else
        read_cells(task, false, narrow);
}

/* `count` x `count` cells to their points. */
VDNN_AVX512_INLINE void expand_cells(const vdnn_winograd_tile *task, int count, bool inside,
                                     bool narrow)
{
    __m512 half[SIDE][SIDE], line[SIDE], points[SIDE];
    for (int j = 0; j < count; j++) {
        read_column(task, count, j, inside, narrow, line);
        evaluate(line, count, false, points);
#pragma GCC unroll 8
        for (int i = 0; i < SIDE; i++)
            half[i][j] = points[i];
    }
    for (int i = 0; i < SIDE; i++) {
        evaluate(half[i], count, false, points);
#pragma GCC unroll 8
        for (int j = 0; j < SIDE; j++)
            _mm512_storeu_ps(task->points + (i * SIDE + j) * task->step, points[j]);
    }
}

VDNN_AVX512_INLINE void expand_tile(const vdnn_winograd_tile *task, int count, bool narrow)
{
    if (is_inside(task, count))
        expand_cells(task, count, true, narrow);
    else
        expand_cells(task, count, false, narrow);
}

/* Points to `count` x `count` cells, those within the map. */
VDNN_AVX512_INLINE void write_cells(const vdnn_winograd_tile *task, int count, bool narrow)
{
    __m512 half[SIDE][SIDE], line[SIDE];
    const __mmask16 lanes = (__mmask16)task->lanes;
    const __m512 bias =
        task->bias == NULL ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(lanes, task->bias);
    for (int j = 0; j < SIDE; j++) {
        __m512 points[SIDE];
#pragma GCC unroll 8
        for (int i = 0; i < SIDE; i++)
            points[i] = _mm512_loadu_ps(task->points + (i * SIDE + j) * task->step);
        combine(points, count, false, line);
#pragma GCC unroll 8
        for (int i = 0; i < count; i++)
            half[i][j] = line[i];
    }
    int64_t rows = vdnn_count_min(task->size[0] - task->first[0], count);
    int64_t columns = vdnn_count_min(task->size[1] - task->first[1], count);
    int64_t row = task->first[0] * task->size[1] + task->first[1];
    for (int64_t i = 0; i < rows; i++, row += task->size[1]) {
        combine(half[i], count, false, line);
#pragma GCC unroll 8
        for (int j = 0; j < count; j++) {
            if (j >= columns)
                break;
            __m512 value = _mm512_add_ps(line[j], bias);
            __mmask16 kept = lanes;
            if (task->relu) /* NaN is propagated, as by relu */
                kept = _mm512_mask_cmp_ps_mask(kept, value, _mm512_setzero_ps(), _CMP_NLE_UQ);
            store_cell(task->map, row + j, narrow, _mm512_maskz_mov_ps(kept, value));
        }
    }
}

/* One row of weights of count x count taps to points. */
VDNN_AVX512_INLINE void weight_points(const vdnn_winograd_weight *task, int count)
{
    __m512 half[SIDE][SIDE], line[SIDE], points[SIDE];
    const __m512i lanes =
        _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                           _mm512_set1_epi32((int)task->lane));
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < count; i++) {
            int tap = i * count + j;
            line[i] = _mm512_i32gather_ps(
                lanes, task->taps + (task->turned ? count * count - 1 - tap : tap) * TAP, 4);
        }
        evaluate(line, count, true, points);
#pragma GCC unroll 8
        for (int i = 0; i < SIDE; i++)
            half[i][j] = points[i];
    }
    for (int i = 0; i < SIDE; i++) {
        evaluate(half[i], count, true, points);
#pragma GCC unroll 8
        for (int j = 0; j < SIDE; j++)
            _mm512_storeu_ps(task->points + (i * SIDE + j) * task->step, points[j]);
    }
}

VDNN_AVX512_INLINE __m512 total_of(const vdnn_winograd_weight *task, int point)
{
    const float *from = task->points + point * task->step;
    __m512 total = _mm512_loadu_ps(from);
    for (int64_t s = 1; s < task->slices; s++)
        total = _mm512_add_ps(total, _mm512_loadu_ps(from + s * task->slice));
    return total;
}

/* The inverse, for gradients. */
VDNN_AVX512_INLINE void weight_taps(const vdnn_winograd_weight *task, int count)
{
    __m512 half[SIDE][SIDE], line[SIDE], points[SIDE];
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++)
            points[i] = total_of(task, i * SIDE + j);
        combine(points, count, true, line);
#pragma GCC unroll 8
        for (int i = 0; i < count; i++)
            half[i][j] = line[i];
    }
    for (int i = 0; i < count; i++) {
        combine(half[i], count, true, line);
        for (int j = 0; j < count; j++)
            _mm512_storeu_ps(task->taps + (i * count + j) * TAP,
                             _mm512_maskz_mov_ps((__mmask16)task->lanes, line[j]));
    }
}

VDNN_AVX512_INLINE void multiply(const vdnn_winograd_product *task, int width, int blocks)
{
    __m512 sums[WIDEST][SLICE];
#pragma GCC unroll 14
    for (int j = 0; j < width; j++)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; b++)
            sums[j][b] = _mm512_setzero_ps();
    const float *u = task->u, *v = task->v, *ahead = task->ahead;
    for (int64_t first = 0; first < task->depth; first += LANES, v += task->v_block) {
        int64_t channels = vdnn_count_min(task->depth - first, LANES);
        for (int64_t i = 0; i < channels; i++, u += blocks * LANES, ahead += LANES) {
            _mm_prefetch((const char *)ahead, _MM_HINT_T1);
            __m512 u0 = _mm512_loadu_ps(u);
            __m512 u1 = blocks > 1 ? _mm512_loadu_ps(u + LANES) : u0;
#pragma GCC unroll 14
            for (int j = 0; j < width; j++) {
                __m512 value = _mm512_set1_ps(v[j * LANES + i]);
                sums[j][0] = _mm512_fmadd_ps(value, u0, sums[j][0]);
                if (blocks > 1)
                    sums[j][1] = _mm512_fmadd_ps(value, u1, sums[j][1]);
            }
        }
    }
#pragma GCC unroll 2
    for (int b = 0; b < blocks; b++)
#pragma GCC unroll 14
        for (int j = 0; j < width; j++)
            _mm512_storeu_ps(task->m + b * task->m_block + j * LANES, sums[j][b]);
}

VDNN_AVX512_INLINE void add_products(const vdnn_winograd_sum *task, int channels, int blocks)
{
    __m512 sums[CHANNELS][SLICE];
#pragma GCC unroll 8
    for (int i = 0; i < channels; i++)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; b++)
            sums[i][b] = task->begin ? _mm512_setzero_ps()
                                     : _mm512_loadu_ps(task->sums + (i * blocks + b) * LANES);
    const float *v = task->v, *d = task->d, *ahead = task->ahead;
    for (int64_t tile = 0; tile < task->tiles; tile++, v += LANES, d += LANES, ahead += LANES) {
        _mm_prefetch((const char *)ahead, _MM_HINT_T1);
        __m512 d0 = _mm512_loadu_ps(d), d1 = blocks > 1 ? _mm512_loadu_ps(d + task->d_block) : d0;
#pragma GCC unroll 8
        for (int i = 0; i < channels; i++) {
            __m512 value = _mm512_set1_ps(v[i]);
            sums[i][0] = _mm512_fmadd_ps(value, d0, sums[i][0]);
            if (blocks > 1)
                sums[i][1] = _mm512_fmadd_ps(value, d1, sums[i][1]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < channels; i++)
#pragma GCC unroll 2
        for (int b = 0; b < blocks; b++)
            _mm512_storeu_ps(task->sums + (i * blocks + b) * LANES, sums[i][b]);
}

#define DEFINE_PRODUCT(width)                                                                      \
    VDNN_AVX512 static void product_##width##_1(const vdnn_winograd_product *task)                 \
    {                                                                                              \
        multiply(task, width, 1);                                                                  \
    }                                                                                              \
    VDNN_AVX512 static void product_##width##_2(const vdnn_winograd_product *task)                 \
    {                                                                                              \
        multiply(task, width, 2);                                                                  \
    }
#define DEFINE_SUM(channels)                                                                       \
    VDNN_AVX512 static void sum_##channels##_1(const vdnn_winograd_sum *task)                      \
    {                                                                                              \
        add_products(task, channels, 1);                                                           \
    }                                                                                              \
    VDNN_AVX512 static void sum_##channels##_2(const vdnn_winograd_sum *task)                      \
    {                                                                                              \
        add_products(task, channels, 2);                                                           \
    }
#define DEFINE_WEIGHTS(taps)                                                                       \
    VDNN_AVX512 static void weights_##taps(const vdnn_winograd_weight *task)                       \
    {                                                                                              \
        weight_points(task, taps);                                                                 \
    }                                                                                              \
    VDNN_AVX512 static void gradient_##taps(const vdnn_winograd_weight *task)                      \
    {                                                                                              \
        weight_taps(task, taps);                                                                   \
    }
#define DEFINE_MAPS(type, narrow, taps)                                                            \
    VDNN_AVX512 static void write_##taps##_##type(const vdnn_winograd_tile *task)                  \
    {                                                                                              \
        write_cells(task, SIDE + 1 - (taps), narrow);                                              \
    }                                                                                              \
    VDNN_AVX512 static void expand_##taps##_##type(const vdnn_winograd_tile *task)                 \
    {                                                                                              \
        expand_tile(task, SIDE + 1 - (taps), narrow);                                              \
    }
#define DEFINE_READ(type, narrow)                                                                  \
    VDNN_AVX512 static void read_##type(const vdnn_winograd_tile *task)                            \
    {                                                                                              \
        read_tile(task, narrow);                                                                   \
    }
#define DEFINE_TYPE(type, narrow)                                                                  \
    DEFINE_READ(type, narrow)                                                                      \
    DEFINE_MAPS(type, narrow, 3)                                                                   \
    DEFINE_MAPS(type, narrow, 5)                                                                   \
    DEFINE_MAPS(type, narrow, 7)

#define UP_TO_8(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define UP_TO_14(X) UP_TO_8(X) X(9) X(10) X(11) X(12) X(13) X(14)

UP_TO_14(DEFINE_PRODUCT)
UP_TO_8(DEFINE_SUM)
DEFINE_WEIGHTS(3)
DEFINE_WEIGHTS(5)
DEFINE_WEIGHTS(7)
DEFINE_TYPE(f32, false)
DEFINE_TYPE(bf16, true)

#define PRODUCT_OF(width) {product_##width##_1, product_##width##_2},
#define SUM_OF(channels) {sum_##channels##_1, sum_##channels##_2},
static vdnn_winograd_product_kernel *const products[WIDEST][SLICE] = {UP_TO_14(PRODUCT_OF)};
static vdnn_winograd_sum_kernel *const sums[CHANNELS][SLICE] = {UP_TO_8(SUM_OF)};

#define KERNELS_OF(taps, type, dtype)                                                              \
    {.r = (taps),                                                                                  \
     .maps = (dtype),                                                                              \
     .read = read_##type,                                                                          \
     .expand = expand_##taps##_##type,                                                             \
     .write = write_##taps##_##type,                                                               \
     .weights = weights_##taps,                                                                    \
     .gradient = gradient_##taps,                                                                  \
     .products = products,                                                                         \
     .sums = sums},
#define KERNELS_ON(type, dtype)                                                                    \
    KERNELS_OF(3, type, dtype) KERNELS_OF(5, type, dtype) KERNELS_OF(7, type, dtype)
static const vdnn_winograd_kernels kernels[] = {KERNELS_ON(f32, VDNN_F32)
                                                    KERNELS_ON(bf16, VDNN_BF16)};

const vdnn_winograd_kernels *vdnn_winograd_kernels_of(int64_t r, vdnn_dtype maps)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i].r == r && kernels[i].maps == maps && vdnn_simd_has_avx512())
            return &kernels[i];
    return NULL;
}

#else

const vdnn_winograd_kernels *vdnn_winograd_kernels_of(int64_t r, vdnn_dtype maps)
{
    (void)r;
    (void)maps;
    return NULL;
}

#endif
