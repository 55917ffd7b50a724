#include "tests/support/vdnn_test.h"

#include "runtime/base/numbers/random.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The known-answer vectors that the authors of Philox publish with Random123. */
TEST(philox_gives_the_published_vectors)
{
    static const struct {
        uint64_t key;
        uint32_t counter[4], bits[4];
    } cases[] = {
        {0, {0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX,
         {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x299f31d0a4093822u,
         {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t bits[4];
        vdnn_random_philox(cases[i].key, cases[i].counter, bits);
        assert_memory_equal(bits, cases[i].bits, sizeof bits);
    }
}

TEST(units_lie_in_zero_to_below_one)
{
    assert_true(vdnn_random_unit(0) >= 0.0f && vdnn_random_unit(0) <= 0.0f);
    assert_true(vdnn_random_unit(UINT32_MAX) < 1.0f);
    assert_true(vdnn_random_unit(UINT32_MAX) > 0.9999999f);
    assert_true(fabsf(vdnn_random_unit(0x80000000u) - 0.5f) <= 0.0f);
    assert_true(fabsf(vdnn_random_unit(0x800000ffu) - 0.5f) <= 0.0f);
}

TEST(normals_are_finite_at_the_ends)
{
    static const uint32_t ends[] = {0, 1, 0x7fffffff, 0x80000000, UINT32_MAX};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            float normals[2];
            vdnn_random_normal(ends[i], ends[j], normals);
            assert_true(isfinite(normals[0]) && isfinite(normals[1]));
        }
}

TEST(normals_have_the_moments_of_the_distribution)
{
    enum { PAIRS = 100000 };
    double sums[5] = {0}, product = 0;
    for (uint32_t i = 0; i < PAIRS / 2; i++) {
        const uint32_t counter[4] = {i, 0, 0, 0};
        uint32_t bits[4];
        vdnn_random_philox(vdnn_test_seed(), counter, bits);
        for (int half = 0; half < 2; half++) {
            float z[2];
            vdnn_random_normal(bits[2 * half], bits[2 * half + 1], z);
            product += (double)z[0] * (double)z[1];
            for (int k = 0; k < 2; k++)
                for (int power = 1; power <= 4; power++)
                    sums[power] += pow((double)z[k], power);
        }
    }
    /* Five standard errors of 200,000 normals: sqrt of 1, 2, 15 and 96 over the count. */
    const double n = 2.0 * PAIRS, five = 5 / sqrt(n);
    assert_true(fabs(sums[1] / n) < five);
    assert_true(fabs(sums[2] / n - 1) < five * sqrt(2));
    assert_true(fabs(sums[3] / n) < five * sqrt(15));
    assert_true(fabs(sums[4] / n - 3) < five * sqrt(96));
    assert_true(fabs(product / PAIRS) < 5 / sqrt(PAIRS));
}

/* Half a unit in the last place of a float; near quarters of a turn the angle here is rounded. */
static void expect_pair(uint32_t a, uint32_t b, const float normals[2])
{
    const long double two_pi = 6.283185307179586476925286766559L;
    long double radius = sqrtl(-2 * logl(((long double)a + 1) * 0x1p-32L));
    long double angle = two_pi * (long double)b * 0x1p-32L;
    const long double exact[2] = {radius * cosl(angle), radius * sinl(angle)};
    for (int k = 0; k < 2; k++) {
        long double error = fabsl((long double)normals[k] - exact[k]);
        assert_true(error <= 0.5001L * 0x1p-23L * fabsl(exact[k]) + 1e-17L);
    }
}

/* Not under valgrind, which computes them as doubles. */
static bool long_doubles_are_longer(void)
{
    volatile long double one = 1, little = LDBL_EPSILON;
    return one + little > one;
}

TEST(normals_are_those_of_the_formula)
{
    if (!long_doubles_are_longer())
        skip_because("long doubles are no longer than doubles");
    static const uint32_t ends[] = {0,          1,          2,          0x1fffffff, 0x20000000,
                                    0x20000001, 0x3fffffff, 0x40000000, 0x60000000, 0x7fffffff,
                                    0x80000000, 0xa0000000, 0xb504f333, 0xc0000001, UINT32_MAX};
    enum { ENDS = sizeof ends / sizeof *ends };
    float normals[2];
    for (size_t i = 0; i < ENDS * ENDS; i++) {
        vdnn_random_normal(ends[i / ENDS], ends[i % ENDS], normals);
        expect_pair(ends[i / ENDS], ends[i % ENDS], normals);
    }
}

/* Over the end of the counter's first word, and for counts of blocks that are no vector's. */
TEST(many_normals_are_those_of_their_counters)
{
    enum { BLOCKS = 37 };
    const uint32_t counter[4] = {UINT32_MAX - 20, 5, 6, 7};
    float many[4 * BLOCKS + 1];
    for (int64_t blocks = 0; blocks <= BLOCKS; blocks++) {
        many[4 * blocks] = 42;
        vdnn_random_normals(vdnn_test_seed(), counter, blocks, many);
        assert_true(many[4 * blocks] == 42.0F);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint32_t at[4] = {counter[0] + i, i <= 20 ? 5 : 6, 6, 7};
        uint32_t bits[4];
        float four[4];
        vdnn_random_philox(vdnn_test_seed(), at, bits);
        vdnn_random_normal(bits[0], bits[1], four);
        vdnn_random_normal(bits[2], bits[3], four + 2);
        assert_memory_equal(four, many + 4 * (size_t)i, sizeof four);
        expect_pair(bits[0], bits[1], four);
        expect_pair(bits[2], bits[3], four + 2);
    }
}

static void expect_permutation(uint64_t seed, uint64_t epoch, uint64_t count)
{
    bool *seen = calloc(count, sizeof *seen);
    assert_non_null(seen);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t image = vdnn_random_permute(seed, epoch, i, count);
        assert_true(image < count);
        assert_false(seen[image]);
        seen[image] = true;
    }
    free(seen);
}

TEST(a_permutation_hits_every_index_once)
{
    for (uint64_t count = 1; count <= 130; count++)
        for (uint64_t epoch = 0; epoch < 3; epoch++)
            expect_permutation(vdnn_test_seed(), epoch, count);
    expect_permutation(vdnn_test_seed(), 7, 60000);
    expect_permutation(vdnn_test_seed(), 7, 65536);
    expect_permutation(vdnn_test_seed(), 7, 65537);
}

TEST(permutations_of_huge_counts_stay_inside_and_differ)
{
    static const uint64_t counts[] = {(uint64_t)1 << 33, ((uint64_t)1 << 62) + 1, UINT64_MAX};
    for (size_t c = 0; c < 3; c++) {
        uint64_t images[64];
        for (uint64_t i = 0; i < 64; i++) {
            images[i] = vdnn_random_permute(1, 2, counts[c] - 1 - i, counts[c]);
            assert_true(images[i] < counts[c]);
            for (uint64_t j = 0; j < i; j++)
                assert_true(images[j] != images[i]);
        }
    }
}

static int moved(uint64_t seed_a, uint64_t epoch_a, uint64_t seed_b, uint64_t epoch_b)
{
    int count = 0;
    for (uint64_t i = 0; i < 1000; i++)
        count += vdnn_random_permute(seed_a, epoch_a, i, 1000) !=
                 vdnn_random_permute(seed_b, epoch_b, i, 1000);
    return count;
}

TEST(seed_and_epoch_select_the_permutation)
{
    assert_int_equal(moved(1, 1, 1, 1), 0);
    assert_true(moved(1, 1, 2, 1) > 980);
    assert_true(moved(1, 1, 1, 2) > 980);
    assert_true(moved(1, 1, 1, (uint64_t)1 << 32 | 1) > 980);
    assert_true(moved(1, 1, (uint64_t)1 << 32 | 1, 1) > 980);
}

/* A chi-square test over where the last index goes: 8 degrees of freedom, 99.9 % below 26.1. A
 * network of four rounds gives 230 here. */
TEST(an_index_goes_everywhere_equally_often)
{
    enum { COUNT = 9, EPOCHS = 18000 };
    const double expected = (double)EPOCHS / COUNT;
    double hits[COUNT] = {0}, chi_square = 0;
    for (uint64_t epoch = 0; epoch < EPOCHS; epoch++)
        hits[vdnn_random_permute(20160401, epoch, COUNT - 1, COUNT)]++;
    for (int i = 0; i < COUNT; i++)
        chi_square += pow(hits[i] - expected, 2) / expected;
    assert_true(chi_square < 26.1);
}
