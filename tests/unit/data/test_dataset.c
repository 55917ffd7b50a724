/* How data is asked for, and what is made up where there is none. */

#include "tests/support/datasets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 10 };

/* ---- synthetic ------------------------------------------------------------------------------- */

enum { SIDE = 12, MADE = 3 * SIDE * SIDE };

static vdnn_dataset *make_synthetic(const char *spec, vdnn_split split)
{
    vdnn_dataset_request request = {.spec = spec,
                                    .split = split,
                                    .inputs = {{.channels = 3, .height = SIDE, .width = SIDE}},
                                    .input_count = 1,
                                    .classes = CLASSES};
    vdnn_dataset *dataset = NULL;
    assert_ok(vdnn_dataset_open(&request, &dataset));
    assert_int_equal(vdnn_dataset_count(dataset), 1 << 20);
    return dataset;
}

TEST(made_up_images_are_functions_of_seed_and_index)
{
    vdnn_dataset *sets[] = {make_synthetic("synthetic:7", VDNN_SPLIT_TRAIN),
                            make_synthetic("synthetic:7", VDNN_SPLIT_TEST),
                            make_synthetic("synthetic:8", VDNN_SPLIT_TRAIN)};
    float a[MADE], b[MADE];
    int32_t label, again;
    static const uint64_t indexes[] = {0, 1, 4711, (1 << 20) - 1};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        vdnn_test_sample(sets[0], indexes[i], a, &label);
        vdnn_test_sample(sets[1], indexes[i], b, &again);
        assert_memory_equal(a, b, sizeof a);
        assert_int_equal(label, again);
        vdnn_test_sample(sets[2], indexes[i], b, &again);
        assert_memory_not_equal(a, b, sizeof a);
        vdnn_test_sample(sets[0], indexes[i] ^ 1, b, &again);
        assert_memory_not_equal(a, b, sizeof a);
    }
    for (size_t i = 0; i < 3; i++)
        vdnn_dataset_close(sets[i]);
}

TEST(made_up_images_can_be_learned)
{
    enum { TRAIN = 400, TEST = 200 };
    static double means[CLASSES][MADE];
    int seen[CLASSES] = {0}, right = 0;
    double sum = 0, squares = 0;
    vdnn_dataset *dataset = make_synthetic("synthetic", VDNN_SPLIT_TRAIN);
    for (int i = 0; i < TRAIN + TEST; i++) {
        float image[MADE];
        int32_t label, best = 0;
        vdnn_test_sample(dataset, (uint64_t)i, image, &label);
        double distances[CLASSES] = {0};
        for (int k = 0; k < MADE; k++) {
            double pixel = (double)image[k];
            sum += pixel;
            squares += pixel * pixel;
            if (i < TRAIN)
                means[label][k] += pixel;
            for (int c = 0; c < CLASSES && i >= TRAIN; c++)
                distances[c] += pow(pixel - means[c][k] / seen[c], 2);
        }
        if (i < TRAIN) {
            seen[label]++;
            continue;
        }
        for (int32_t c = 1; c < CLASSES; c++)
            best = distances[c] < distances[best] ? c : best;
        right += best == label;
    }
    vdnn_dataset_close(dataset);
    double count = (double)MADE * (TRAIN + TEST);
    assert_true(fabs(sum / count) < 0.2);
    assert_true(fabs(squares / count - 1.25) < 0.15); /* noise 1, pattern 0.5 squared */
    assert_true(right > TEST * 9 / 10);
}

/* About half of the tokens are of their class's part of the vocabulary, and a tenth of the others.
 */
TEST(made_up_tokens_are_of_the_vocabulary_and_mostly_of_their_class)
{
    enum { TOKENS = 50, VOCABULARY = 1000, SAMPLES = 100 };
    const vdnn_dataset_request request = {.spec = "synthetic:3",
                                          .classes = CLASSES,
                                          .inputs = {{.tokens = TOKENS, .vocabulary = VOCABULARY}},
                                          .input_count = 1};
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    int own = 0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        int32_t tokens[TOKENS], again[TOKENS], label, same;
        vdnn_test_sample(dataset, i, tokens, &label);
        vdnn_test_sample(dataset, i, again, &same);
        assert_memory_equal(tokens, again, sizeof tokens);
        assert_int_equal(label, same);
        for (int t = 0; t < TOKENS; t++) {
            assert_in_range(tokens[t], 0, VOCABULARY - 1);
            own += tokens[t] / (VOCABULARY / CLASSES) == label;
        }
    }
    vdnn_dataset_close(dataset);
    assert_true(fabs((double)own / (TOKENS * SAMPLES) - 0.55) < 0.03);
}

/* ---- specs ----------------------------------------------------------------------------------- */

TEST(a_wrong_spec_is_told_with_what_would_be_right)
{
    static const struct {
        const char *spec, *reason;
    } cases[] = {
        {"idz:/tmp", "did you mean idx?"},
        {"sinthetic", "did you mean synthetic?"},
        {"", "known: cifar10, idx, images, npy, tokens, tokens16, synthetic"},
        {":", "is not a kind"},
        {"/data/mnist", "is not a kind"},
        {"IDX:/tmp", "known:"},
        {"idx", "expected idx:DIR"},
        {"cifar10", "expected cifar10:DIR"},
        {"npy:", "expected npy:DIR"},
        {"synthetic:", "expected synthetic:SEED"},
        {"synthetic:x", "is not a seed"},
        {"synthetic:-1", "is not a seed"},
        {"synthetic:1x", "is not a seed"},
        {"synthetic:99999999999999999999", "is not a seed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_dataset_request request = {.spec = cases[i].spec,
                                        .inputs = {{.channels = 1, .height = 2, .width = 3}},
                                        .input_count = 1,
                                        .classes = CLASSES};
        vdnn_dataset *dataset = NULL;
        assert_status(vdnn_dataset_open(&request, &dataset), VDNN_USAGE);
        assert_message(cases[i].reason);
        assert_null(dataset);
    }
    vdnn_dataset_close(NULL);
}
