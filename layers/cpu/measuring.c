#include "layers/measuring.h"
#include "layers/cpu/product.h"
#include "layers/cpu/threads.h"
#include "layers/pattern.h"

#include <stdbool.h>
#include <time.h>

enum { LINE_BYTES = 64 };

/* ---- fill ------------------------------------------------------------------------------------ */

/* The part of [begin, end) in the i-th period of the pattern. */
static void fill_period(char *to, size_t begin, size_t end, size_t i, const void *pattern)
{
    size_t from = i * VDNN_PATTERN_BYTES, until = from + VDNN_PATTERN_BYTES;
    size_t first = from > begin ? from : begin, last = until < end ? until : end;
    memcpy(to + (first - begin), (const char *)pattern + (first - from), last - first);
}

static vdnn_status fill(void *to, size_t offset, size_t bytes, int threads, void *stream)
{
    (void)stream;
    (void)threads; /* unused without OpenMP */
    if (bytes == 0)
        return VDNN_OK;
    uint32_t pattern[VDNN_PATTERN_BLOCKS * VDNN_PATTERN_WORDS];
    for (uint32_t i = 0; i < VDNN_PATTERN_BLOCKS; i++)
        vdnn_pattern(i, pattern + (size_t)VDNN_PATTERN_WORDS * i);
    size_t end = offset + bytes;
    size_t first = offset / VDNN_PATTERN_BYTES, last = (end - 1) / VDNN_PATTERN_BYTES;
#pragma omp parallel for num_threads(threads)
    for (size_t i = first; i <= last; i++)
        fill_period(to, offset, end, i, pattern);
    return VDNN_OK;
}

static vdnn_status number(int32_t *to, int64_t count, int32_t below, int threads, void *stream)
{
    (void)stream;
    (void)threads;
    for (int64_t i = 0; i < count; i++)
        to[i] = (int32_t)(i % below);
    return VDNN_OK;
}

/* ---- sweep ----------------------------------------------------------------------------------- */

/* Reads, since other layers mostly read. On every thread, since each core has its own caches. The
 * sum is stored, so that the reads are not optimized away. */
static vdnn_status sweep(void *at, size_t bytes, int threads, void *stream)
{
    char *block = at;
    int64_t lines = (int64_t)(bytes / LINE_BYTES);
    unsigned sum = 0;
    (void)stream;
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < lines; i++)
        sum += (unsigned char)block[i * LINE_BYTES];
    if (bytes > 0)
        block[0] = (char)(unsigned char)sum;
    return VDNN_OK;
}

/* ---- hold ------------------------------------------------------------------------------------ */

static vdnn_status hold(double seconds, void *stream)
{
    (void)stream;
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
    if (seconds > 0)
        (void)nanosleep(&time, NULL);
    return VDNN_OK;
}

/* ---- multiply -------------------------------------------------------------------------------- */

static vdnn_status multiply(float *at, int64_t side, int threads, void *stream)
{
    const vdnn_cpu_product product = {.rows = side,
                                      .columns = side,
                                      .depth = side,
                                      .a = at,
                                      .a_row = side,
                                      .b = at + side * side,
                                      .b_row = side,
                                      .c = at + 2 * side * side,
                                      .c_row = side};
    (void)stream;
    int before = vdnn_cpu_threads_begin(threads);
    vdnn_status status = vdnn_cpu_product_compute(&product);
    vdnn_cpu_threads_end(before);
    return status;
}

const vdnn_measuring vdnn_measuring_native = {
    .device = "cpu",
    .fill = fill,
    .number = number,
    .sweep = sweep,
    .hold = hold,
    .multiply = multiply,
};
