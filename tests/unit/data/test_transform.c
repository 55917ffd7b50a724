#include "tests/support/vdnn_test.h"

#include "runtime/data/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 * 12 * 12 };

static const uint64_t seed = 77;

static vdnn_transform_draw draw_at(const vdnn_transform *transform, uint64_t epoch,
                                   uint64_t position)
{
    return vdnn_transform_choose(transform, seed, epoch, position);
}

static bool same_draw(vdnn_transform_draw a, vdnn_transform_draw b)
{
    return a.down == b.down && a.right == b.right && a.mirrored == b.mirrored;
}

/* ---- what is drawn --------------------------------------------------------------------------- */

TEST(a_draw_depends_on_seed_epoch_and_position_alone)
{
    vdnn_transform transform = {.flip = true, .crop = {500, 500}};
    int alike[4] = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        vdnn_transform_draw one = draw_at(&transform, 3, i);
        assert_true(same_draw(one, draw_at(&transform, 3, i)));
        alike[0] += same_draw(one, draw_at(&transform, 4, i));
        alike[1] += same_draw(one, draw_at(&transform, 3, i + 1));
        alike[2] += same_draw(one, draw_at(&transform, 3, i + ((uint64_t)1 << 32)));
        alike[3] += same_draw(one, vdnn_transform_choose(&transform, seed + 1, 3, i));
    }
    for (int i = 0; i < 4; i++)
        assert_true(alike[i] < 5);
}

/* 5 sigma of a binomial. */
static void assert_share(int found, int count, double share)
{
    double mean = count * share, sigma = sqrt(mean * (1 - share));
    if (fabs(found - mean) > 5 * sigma)
        fail_msg("%d of %d, expected %g within %g", found, count, mean, 5 * sigma);
}

TEST(every_crop_and_both_sides_are_as_likely)
{
    enum { COUNT = 20000, UP = 2, SIDE = 5 };
    vdnn_transform transform = {.flip = true, .crop = {UP, SIDE}};
    int down[2 * UP + 1] = {0}, right[2 * SIDE + 1] = {0}, mirrored = 0, both = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        vdnn_transform_draw draw = draw_at(&transform, 0, i);
        assert_in_range(draw.down + UP, 0, 2 * UP);
        assert_in_range(draw.right + SIDE, 0, 2 * SIDE);
        down[draw.down + UP]++;
        right[draw.right + SIDE]++;
        mirrored += draw.mirrored;
        both += draw.mirrored && draw.down == 0;
    }
    for (int i = 0; i < 2 * UP + 1; i++)
        assert_share(down[i], COUNT, 1.0 / (2 * UP + 1));
    for (int i = 0; i < 2 * SIDE + 1; i++)
        assert_share(right[i], COUNT, 1.0 / (2 * SIDE + 1));
    assert_share(mirrored, COUNT, 0.5);
    assert_share(both, COUNT, 0.5 / (2 * UP + 1)); /* independent */
}

/* ---- what is done ---------------------------------------------------------------------------- */

/* The definition: of the picture padded with zeros, cropped, mirrored, normalized. */
static float wanted_at(const vdnn_transform *transform, const vdnn_picture_size *size,
                       const vdnn_transform_draw *draw, const float *from, int64_t c, int64_t y,
                       int64_t x)
{
    int64_t column = (draw->mirrored ? size->width - 1 - x : x) + draw->right, row = y + draw->down;
    bool inside = column >= 0 && column < size->width && row >= 0 && row < size->height;
    float pixel = inside ? from[(c * size->height + row) * size->width + column] : 0.0f;
    int64_t value = transform->normalized > 1 ? c : 0;
    return transform->normalized == 0 ? pixel
                                      : (pixel - transform->mean[value]) / transform->std[value];
}

TEST(a_picture_is_cropped_mirrored_and_normalized)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(3000); i++) {
        float from[MOST], to[MOST];
        vdnn_picture_size size = {vdnn_test_between(&rng, 1, 3), vdnn_test_between(&rng, 1, 12),
                                  vdnn_test_between(&rng, 1, 12)};
        int64_t up = vdnn_test_between(&rng, 0, 2) * vdnn_test_between(&rng, 0, 8);
        vdnn_transform transform = {.flip = vdnn_test_between(&rng, 0, 1) == 1,
                                    .crop = {up, vdnn_test_between(&rng, 0, 15)},
                                    .normalized = (int)vdnn_test_between(&rng, 0, 1)};
        if (transform.normalized != 0 && vdnn_test_between(&rng, 0, 1) == 1)
            transform.normalized = (int)size.channels;
        for (int c = 0; c < 3; c++) {
            transform.mean[c] = (float)c + 0.25f;
            transform.std[c] = 0.5f + (float)c;
        }
        int64_t count = size.channels * size.height * size.width;
        for (int64_t k = 0; k < count; k++)
            from[k] = (float)vdnn_test_between(&rng, 1, 255) / 255.0f;
        vdnn_transform_draw draw = draw_at(&transform, 1, (uint64_t)i);
        vdnn_transform_apply(&transform, &size, &draw, from, to);
        for (int64_t k = 0; k < count; k++)
            assert_true(to[k] == wanted_at(&transform, &size, &draw, from,
                                           k / size.width / size.height,
                                           k / size.width % size.height, k % size.width));
    }
}

TEST(nothing_is_changed_where_nothing_is_asked_for)
{
    float from[4] = {1, NAN, -0.0f, INFINITY}, to[4] = {9, 9, 9, 9};
    vdnn_transform transform = {.flip = false};
    vdnn_picture_size size = {1, 2, 2};
    vdnn_transform_draw draw = draw_at(&transform, 0, 0);
    assert_false(vdnn_transform_moves(&transform));
    vdnn_transform_apply(&transform, &size, &draw, from, to);
    assert_memory_equal(from, to, sizeof to);
    vdnn_transform_apply(&transform, &size, &draw, to, to);
    assert_memory_equal(from, to, sizeof to);
}

TEST(a_picture_is_normalized_in_its_place)
{
    float pixels[4] = {0, 0.5f, 1, 0.25f};
    vdnn_transform transform = {.normalized = 1, .mean = {0.5f}, .std = {0.25f}};
    vdnn_transform_draw draw = draw_at(&transform, 0, 0);
    vdnn_transform_apply(&transform, &(vdnn_picture_size){2, 1, 2}, &draw, pixels, pixels);
    assert_memory_equal(pixels, ((float[]){-2, 0, 2, -1}), sizeof pixels);
}
