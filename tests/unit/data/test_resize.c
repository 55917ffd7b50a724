#include "tests/support/vdnn_test.h"

#include "runtime/data/image/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a whole picture ------------------------------------------------------------------------- */

/* `from` (channels, height, width) to `to`; all memory is guarded by a pattern behind it. */
static void resize(const float *from, const vdnn_resize_size *size, float *to)
{
    enum { GUARD = 64 };
    size_t bytes = vdnn_resizer_bytes(size);
    unsigned char *memory = malloc(bytes + GUARD);
    assert_non_null(memory);
    memset(memory + bytes, 0x5a, GUARD);
    vdnn_resizer resizer;
    vdnn_resizer_begin(&resizer, size, memory, to);
    int64_t height = size->from[0], width = size->from[1];
    for (int64_t y = 0; y < height; y++) {
        float *row = vdnn_resizer_row(&resizer);
        for (int64_t c = 0; c < size->channels; c++)
            memcpy(row + c * width, from + (c * height + y) * width, (size_t)width * sizeof *row);
        vdnn_resizer_push(&resizer);
    }
    assert_int_equal(resizer.written, size->to[0]);
    for (int i = 0; i < GUARD; i++)
        assert_int_equal(memory[bytes + (size_t)i], 0x5a);
    free(memory);
}

static void resize_plane(const float *from, int64_t height, int64_t width, float *to,
                         int64_t new_height, int64_t new_width)
{
    vdnn_resize_size size = {1, {height, width}, {new_height, new_width}};
    resize(from, &size, to);
}

/* The definition, in doubles: every cell weighs by its distance from the centre. */
static double exact(const float *from, int64_t height, int64_t width, double y, double x,
                    double tall, double wide)
{
    double sum = 0, weights = 0;
    for (int64_t i = 0; i < height; i++)
        for (int64_t k = 0; k < width; k++) {
            double weight =
                fmax(0, 1 - fabs((double)i - y) / tall) * fmax(0, 1 - fabs((double)k - x) / wide);
            sum += weight * (double)from[i * width + k];
            weights += weight;
        }
    return sum / weights;
}

/* ---- what comes out -------------------------------------------------------------------------- */

TEST(resizing_takes_pixel_centres_at_halves)
{
    static const struct {
        int64_t from, to;
        float in[4], out[8];
    } rows[] = {
        {2, 4, {0, 1}, {0, 0.25f, 0.75f, 1}},
        {1, 3, {7}, {7, 7, 7}},
        {4, 4, {3, 1, 4, 1}, {3, 1, 4, 1}},
        {2, 8, {0, 8}, {0, 0, 1, 3, 5, 7, 8, 8}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float wide[8], tall[8];
        resize_plane(rows[i].in, 1, rows[i].from, wide, 1, rows[i].to);
        resize_plane(rows[i].in, rows[i].from, 1, tall, rows[i].to, 1);
        for (int64_t k = 0; k < rows[i].to; k++) {
            assert_true(wide[k] == rows[i].out[k]);
            assert_true(tall[k] == rows[i].out[k]);
        }
    }
}

TEST(a_smaller_picture_is_the_mean_under_a_wider_triangle)
{
    /* Centres at 0.5 and 2.5, triangles of 2 to each side: weights 3, 3, 1 (of 4) and 1, 3, 3, 1
     * without what lies outside. */
    float half[2], one[1];
    resize_plane((float[]){0, 1, 2, 3}, 1, 4, half, 1, 2);
    assert_true(fabsf(half[0] - 5.0f / 7.0f) < 1e-6f && fabsf(half[1] - 16.0f / 7.0f) < 1e-6f);
    resize_plane((float[]){0, 0, 8, 0}, 4, 1, one, 1, 1);
    assert_true(fabsf(one[0] - 8 * 0.875f / 3.0f) < 1e-6f);
}

TEST(any_size_is_the_definition_in_any_channel)
{
    enum { CHANNELS = 3, SIDE = 24 };
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(500); i++) {
        static float from[CHANNELS * SIDE * SIDE], to[CHANNELS * SIDE * SIDE];
        vdnn_resize_size size = {
            vdnn_test_between(&rng, 1, CHANNELS),
            {vdnn_test_between(&rng, 1, SIDE), vdnn_test_between(&rng, 1, SIDE)},
            {vdnn_test_between(&rng, 1, SIDE), vdnn_test_between(&rng, 1, SIDE)}};
        int64_t height = size.from[0], width = size.from[1];
        for (int64_t k = 0; k < size.channels * height * width; k++)
            from[k] = (float)vdnn_test_between(&rng, 0, 255) / 255.0f;
        resize(from, &size, to);
        double tall = (double)height / (double)size.to[0],
               wide = (double)width / (double)size.to[1];
        for (int64_t k = 0; k < size.channels * size.to[0] * size.to[1]; k++) {
            int64_t x = k % size.to[1], y = k / size.to[1] % size.to[0];
            int64_t c = k / size.to[1] / size.to[0];
            double wanted =
                exact(from + c * height * width, height, width, ((double)y + 0.5) * tall - 0.5,
                      ((double)x + 0.5) * wide - 0.5, fmax(tall, 1), fmax(wide, 1));
            assert_true(fabs((double)to[k] - wanted) < 1e-5);
        }
    }
}

TEST(a_side_that_stays_is_copied_bit_for_bit)
{
    float from[6] = {0.1f, NAN, 0.3f, INFINITY, 0.5f, -0.0f}, to[6];
    resize_plane(from, 2, 3, to, 2, 3);
    assert_memory_equal(from, to, sizeof from);
}

TEST(resizing_stays_between_the_extremes)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(500); i++) {
        float from[144], to[400];
        int64_t height = vdnn_test_between(&rng, 1, 12), width = vdnn_test_between(&rng, 1, 12);
        int64_t new_height = vdnn_test_between(&rng, 1, 20),
                new_width = vdnn_test_between(&rng, 1, 20);
        float low = 1, high = 0;
        for (int64_t k = 0; k < height * width; k++) {
            from[k] = (float)vdnn_test_between(&rng, 0, 255) / 255.0f;
            low = fminf(low, from[k]);
            high = fmaxf(high, from[k]);
        }
        resize_plane(from, height, width, to, new_height, new_width);
        for (int64_t k = 0; k < new_height * new_width; k++)
            assert_true(to[k] >= low - 1e-6f && to[k] <= high + 1e-6f);
    }
}

TEST(a_ramp_stays_a_ramp_when_it_is_enlarged)
{
    enum { FROM = 10, WIDEST = 300 };
    float from[2 * FROM], to[3 * WIDEST];
    for (int i = 0; i < 2 * FROM; i++)
        from[i] = (float)(i % FROM);
    for (int64_t width = FROM; width <= WIDEST; width++) {
        resize_plane(from, 2, FROM, to, 3, width);
        for (int64_t i = 0; i < 3 * width; i++) {
            double at = ((double)(i % width) + 0.5) * FROM / (double)width - 0.5;
            assert_true(fabs((double)to[i] - fmin(fmax(at, 0), FROM - 1)) < 1e-5);
        }
    }
}

/* A column of 65536 made one: no intermediate may be as large as the picture squared. */
TEST(the_longest_sides_are_resized)
{
    enum { LONG = 65536 };
    float *from = calloc(LONG, sizeof *from), *to = calloc(LONG, sizeof *to);
    assert_non_null(from);
    assert_non_null(to);
    for (int i = 0; i < LONG; i++)
        from[i] = (float)(i % 2);
    resize_plane(from, LONG, 1, to, 1, 1);
    assert_true(fabsf(to[0] - 0.5f) < 1e-3f);
    resize_plane(from, 1, LONG, to, 1, 3);
    assert_true(fabsf(to[1] - 0.5f) < 1e-3f);
    resize_plane(from, 1, 2, to, 1, LONG);
    assert_true(to[0] == 0 && to[LONG - 1] == 1);
    free(from);
    free(to);
}
