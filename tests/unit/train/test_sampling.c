/* Tokens drawn by their scores: how often, among which, and by what. */

#include "runtime/train/scores/generated.h"
#include "runtime/train/scores/sampling.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 9, DRAWS = 40000 };

/* Two of them equal. */
static const float scores[CLASSES] = {0.5f, -1, 2, 1, 2, -3, 0, 1.5f, -0.5f};

static void count(const vdnn_sampling *sampling, double shares[CLASSES])
{
    int32_t order[CLASSES];
    memset(shares, 0, CLASSES * sizeof *shares);
    for (uint64_t i = 0; i < DRAWS; i++) {
        const int32_t token = vdnn_sampling_draw(sampling, scores, CLASSES, i, order);
        assert_in_range(token, 0, CLASSES - 1);
        assert_int_equal(token, vdnn_sampling_draw(sampling, scores, CLASSES, i, order));
        shares[token] += 1.0 / DRAWS;
    }
}

/* How many tokens have a higher score, or the same and a smaller number. */
static int rank_of(int token)
{
    int rank = 0;
    for (int i = 0; i < CLASSES; i++)
        rank += scores[i] > scores[token] || (i < token && scores[i] == scores[token]);
    return rank;
}

TEST(tokens_are_drawn_as_often_as_they_are_probable)
{
    static const double temperatures[] = {0.3, 1, 4};
    for (size_t t = 0; t < sizeof temperatures / sizeof *temperatures; t++)
        for (int top = 0; top <= CLASSES + 1; top++) {
            const vdnn_sampling sampling = {temperatures[t], top, 3};
            const int kept = top == 0 || top > CLASSES ? CLASSES : top;
            double shares[CLASSES], sum = 0;
            count(&sampling, shares);
            for (int i = 0; i < CLASSES; i++)
                sum += rank_of(i) < kept ? exp((double)scores[i] / temperatures[t]) : 0;
            for (int i = 0; i < CLASSES; i++) {
                const double wanted =
                    rank_of(i) < kept ? exp((double)scores[i] / temperatures[t]) / sum : 0;
                assert_true(fabs(shares[i] - wanted) < 4 * sqrt(0.25 / DRAWS));
                assert_true(wanted > 0 || shares[i] == 0);
            }
        }
}

TEST(without_a_temperature_it_is_the_most_probable_token)
{
    int32_t order[CLASSES];
    for (uint64_t i = 0; i < 20; i++) {
        const vdnn_sampling cold = {0, 0, i}, one = {5, 1, i};
        assert_int_equal(vdnn_sampling_draw(&cold, scores, CLASSES, i, order), 2);
        assert_int_equal(vdnn_sampling_draw(&one, scores, CLASSES, i, order), 2);
    }
}

TEST(seeds_and_numbers_draw_other_tokens)
{
    int32_t order[CLASSES];
    int same = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const vdnn_sampling one = {1, 0, 1}, other = {1, 0, 2};
        same += vdnn_sampling_draw(&one, scores, CLASSES, i, order) ==
                vdnn_sampling_draw(&other, scores, CLASSES, i, order);
    }
    assert_in_range(same, 100, 500);
}

TEST(scores_that_are_not_finite_are_told)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int at = 0; at < CLASSES; at++) {
            float changed[CLASSES];
            int32_t order[CLASSES];
            const vdnn_sampling sampling = {1, 0, 1};
            memcpy(changed, scores, sizeof changed);
            changed[at] = bad[i];
            assert_true(vdnn_sampling_draw(&sampling, changed, CLASSES, 0, order) < 0);
        }
}

/* The choice of the most probable ones of many, by another way: all in their order. */
TEST(the_most_probable_of_many_tokens_are_found)
{
    enum { MANY = 2000, TOP = 60 };
    static float many[MANY];
    static int32_t order[MANY];
    uint32_t bits = 1;
    for (int i = 0; i < MANY; i++) {
        bits = bits * 1664525 + 1013904223;
        many[i] = (float)(bits >> 24) / 64; /* some are equal */
    }
    const vdnn_sampling sampling = {1000, TOP, 5};
    bool drawn[MANY] = {false};
    for (uint64_t n = 0; n < 4000; n++)
        drawn[vdnn_sampling_draw(&sampling, many, MANY, n, order)] = true;
    for (int i = 0; i < MANY; i++) {
        int rank = 0;
        for (int k = 0; k < MANY; k++)
            rank += many[k] > many[i] || (k < i && many[k] == many[i]);
        assert_true(drawn[i] == (rank < TOP));
    }
}

/* ---- what was sampled, as JSON --------------------------------------------------------------- */

TEST(bytes_that_are_no_characters_are_replaced)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"plain", "plain"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\xff z", "a\xef\xbf\xbd z"},
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_generated own = {0};
        vdnn_text_put(&own.text, cases[i].bytes);
        json_t *json = vdnn_generated_json(&own);
        assert_string_equal(json_string_value(json_object_get(json, "text")), cases[i].text);
        json_decref(json);
        vdnn_generated_fini(&own);
    }
}
