/* Data and batches of the program, and what it reads of a session: parameters, predictions,
 * gradients, hooks. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4, SIDE = 8, PIXELS = SIDE * SIDE, CLASSES = 3, MOST_SAMPLES = 16 };

/* Nothing of it depends on the seed but the first weights. */
static const char network[] = "name: small\n"
                              "input: {channels: 1, height: 8, width: 8}\n"
                              "classes: 3\n"
                              "batch: 4\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                              "  - {name: norm1, type: batchnorm}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: conv2, type: conv, out: 20, kernel: 3}\n"
                              "  - {name: fc1, type: fc, out: 3}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.05, momentum: 0.9, epochs: 1}\n";

/* A set in memory. */
typedef struct set {
    float pixels[MOST_SAMPLES * PIXELS];
    int32_t labels[MOST_SAMPLES];
    int64_t samples;
    int32_t reads; /* of a source, by any thread */
} set;

static void fill(set *own, int64_t samples)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    own->samples = samples;
    own->reads = 0;
    for (int64_t i = 0; i < samples; i++) {
        own->labels[i] = (int32_t)vdnn_test_between(&rng, 0, CLASSES - 1);
        for (int k = 0; k < PIXELS; k++)
            own->pixels[i * PIXELS + k] =
                (float)vdnn_test_between(&rng, -100, 100) / 100 + (float)own->labels[i];
    }
}

static vdnn_status read_sample(void *context, int64_t index, void *const *inputs, int32_t *labels)
{
    set *own = context;
    __atomic_add_fetch(&own->reads, 1, __ATOMIC_RELAXED);
    memcpy(inputs[0], own->pixels + index * PIXELS, PIXELS * sizeof(float));
    *labels = own->labels[index];
    return VDNN_OK;
}

static vdnn_data_source source_of(set *own)
{
    return (vdnn_data_source){.size = sizeof(vdnn_data_source),
                              .samples = own->samples,
                              .read = read_sample,
                              .context = own};
}

static vdnn_session_options options_for(const char *folder)
{
    const char *model = vdnn_test_path(folder, "net.yaml");
    vdnn_test_write_file(model, network, sizeof network - 1);
    return (vdnn_session_options){.size = sizeof(vdnn_session_options),
                                  .model = model,
                                  .device = "cpu",
                                  .device_mem = "64MiB",
                                  .host_mem = "64MiB",
                                  .profile = vdnn_test_path(folder, "net.profile"),
                                  .threads = 2,
                                  .policy = "all",
                                  .algo = "m",
                                  .steps = 6,
                                  .dataset = vdnn_test_topic(dataset, .no_shuffle = true),
                                  .seed = 5};
}

static vdnn_session *begin(const vdnn_session_options *options)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    return session;
}

static vdnn_batch batch_at(const set *own, int64_t number, const void *inputs[1])
{
    const int64_t first = number * BATCH % own->samples;
    inputs[0] = own->pixels + first * PIXELS;
    return (vdnn_batch){.size = sizeof(vdnn_batch),
                        .samples = BATCH,
                        .inputs = inputs,
                        .labels = own->labels + first};
}

static double step_on(vdnn_session *session, const set *own, int64_t number)
{
    const void *inputs[1];
    const vdnn_batch batch = batch_at(own, number, inputs);
    vdnn_sample sample = {.size = sizeof sample};
    assert_ok(vdnn_session_step_on(session, &batch, &sample));
    return sample.loss;
}

/* Of policies whose algorithms no measured time decides. */
TEST_IN_FOLDER(batches_that_are_given_train_like_a_source_of_the_same_samples)
{
    static const char *const policies[] = {"base", "conv", "all"};
    set own;
    fill(&own, 2 * BATCH);
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        const vdnn_data_source source = source_of(&own);
        vdnn_session_options read = options_for(*state), given = options_for(*state);
        read.policy = given.policy = policies[p];
        vdnn_test_edit(&read, dataset)->source = &source;
        vdnn_test_edit(&given, dataset)->feeds = true;
        vdnn_session *sessions[] = {begin(&read), begin(&given)};
        for (int64_t step = 0; step < read.steps; step++) {
            vdnn_sample sample = {.size = sizeof sample};
            assert_ok(vdnn_session_step(sessions[0], &sample));
            const double loss = step_on(sessions[1], &own, step);
            assert_memory_equal(&loss, &sample.loss, sizeof loss);
        }
        assert_true(own.reads >= read.steps * BATCH);
        vdnn_session_destroy(sessions[0]);
        vdnn_session_destroy(sessions[1]);
    }
}

TEST_IN_FOLDER(a_source_is_tested_and_run_to_its_end)
{
    set own;
    fill(&own, 2 * BATCH + 1); /* the last batch of the test is not full */
    const vdnn_data_source source = source_of(&own);
    vdnn_session_options options = options_for(*state);
    double accuracy = -1;
    vdnn_dataset_options *dataset = vdnn_test_edit(&options, dataset);
    dataset->source = dataset->test_source = &source;
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_ok(vdnn_session_run(session));
    assert_int_equal(vdnn_session_step_number(session), options.steps);
    assert_ok(vdnn_session_evaluate(session, &accuracy));
    assert_true(accuracy >= 0 && accuracy <= 1);
    vdnn_session_destroy(session);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static float *values_of(vdnn_session *session, int32_t i, int64_t *count)
{
    vdnn_parameter parameter = {.size = sizeof parameter};
    assert_ok(vdnn_session_parameter_at(session, i, &parameter));
    int64_t product = 1;
    for (int32_t d = 0; d < parameter.rank; d++)
        product *= parameter.dims[d];
    assert_int_equal(product, parameter.count);
    float *values = calloc((size_t)parameter.count, sizeof *values);
    assert_non_null(values);
    assert_ok(vdnn_session_get_parameter(session, i, values, parameter.count));
    *count = parameter.count;
    return values;
}

/* A second session with other random weights, given those of the first, goes on like it. */
TEST_IN_FOLDER(parameters_that_are_set_are_those_that_were_got)
{
    set own;
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *first = begin(&options);
    options.seed = 77;
    vdnn_session *second = begin(&options);
    int64_t count;
    for (int32_t i = 0; i < vdnn_session_parameter_count(first); i++) {
        float *values = values_of(first, i, &count);
        assert_ok(vdnn_session_set_parameter(second, i, values, count));
        float *again = values_of(second, i, &count);
        assert_memory_equal(values, again, (size_t)count * sizeof *values);
        free(values);
        free(again);
    }
    const double losses[] = {step_on(first, &own, 0), step_on(second, &own, 0)};
    assert_memory_equal(&losses[0], &losses[1], sizeof *losses);
    vdnn_session_destroy(first);
    vdnn_session_destroy(second);
}

TEST_IN_FOLDER(a_learning_rate_of_zero_changes_no_parameter)
{
    set own;
    int64_t count;
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *session = begin(&options);
    float *before = values_of(session, 0, &count);
    assert_ok(vdnn_session_set_learning_rate(session, 0));
    (void)step_on(session, &own, 0);
    float *after = values_of(session, 0, &count);
    assert_memory_equal(before, after, (size_t)count * sizeof *before);
    free(after);
    assert_ok(vdnn_session_set_learning_rate(session, 0.1));
    (void)step_on(session, &own, 1);
    after = values_of(session, 0, &count);
    assert_memory_not_equal(before, after, (size_t)count * sizeof *before);
    assert_status(vdnn_session_set_learning_rate(session, (double)NAN), VDNN_USAGE);
    assert_status(vdnn_session_set_learning_rate(session, -1), VDNN_USAGE);
    free(before);
    free(after);
    vdnn_session_destroy(session);
}

TEST_IN_FOLDER(a_session_says_what_a_sample_is)
{
    vdnn_session_options options = options_for(*state);
    vdnn_session *session = begin(&options);
    vdnn_input input = {.size = sizeof input};
    assert_int_equal(vdnn_session_batch(session), BATCH);
    assert_int_equal(vdnn_session_input_count(session), 2);
    assert_ok(vdnn_session_input_at(session, 0, &input));
    assert_string_equal(input.name, "input");
    assert_int_equal(input.channels * input.height * input.width, PIXELS);
    assert_int_equal(input.positions, 0);
    assert_ok(vdnn_session_input_at(session, 1, &input));
    assert_string_equal(input.name, "labels");
    assert_int_equal(input.channels, 0);
    assert_int_equal(input.below, CLASSES);
    assert_status(vdnn_session_input_at(session, 2, &input), VDNN_USAGE);
    assert_status(vdnn_session_input_at(session, -1, &input), VDNN_USAGE);
    vdnn_session_destroy(session);
}

/* ---- numbers as labels ----------------------------------------------------------------------- */

static const float wanted[] = {0.5F, -1, 2, 0.25F};

static vdnn_status read_numbers(void *context, int64_t index, void *const *inputs, int32_t *labels)
{
    float *x = inputs[0];
    for (int i = 0; i < 2; i++)
        x[i] = (float)(index + i) / 8;
    if (context == NULL) /* else the labels are the input */
        memcpy(labels, wanted + index % 2 * 2, 2 * sizeof *wanted);
    else
        assert_null(labels);
    return VDNN_OK;
}

static vdnn_session_options options_with_loss(const char *folder, const char *loss)
{
    char text[256];
    vdnn_session_options options = options_for(folder);
    (void)snprintf(text, sizeof text,
                   "name: net\ninput: {channels: 2, height: 1, width: 1}\nbatch: 4\nlayers:\n"
                   "  - {name: fc, type: fc, out: 2}\n  - {name: loss, type: %s}\n",
                   loss);
    vdnn_test_write_below(folder, "numbers.yaml", text);
    options.model = vdnn_test_path(folder, "numbers.yaml");
    vdnn_test_edit(&options, dataset)->no_shuffle = true;
    return options;
}

static double loss_of_batch(const char *folder, const char *loss, const vdnn_data_source *source)
{
    float x[8];
    int32_t labels[8];
    const bool is_own = source->context != NULL;
    vdnn_session_options options = options_with_loss(folder, loss);
    vdnn_sample sample = {.size = sizeof sample};
    for (int64_t i = 0; i < 4; i++)
        assert_ok(read_numbers(source->context, i, (void *[]){x + 2 * i},
                               is_own ? NULL : labels + 2 * i));
    const vdnn_batch batch = {.size = sizeof batch,
                              .samples = 4,
                              .inputs = (const void *[]){x},
                              .labels = is_own ? NULL : labels};
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *session = begin(&options);
    assert_ok(vdnn_session_step_on(session, &batch, &sample));
    vdnn_session_destroy(session);
    return sample.loss;
}

/* By a source, and a batch a step: the same losses. */
TEST_IN_FOLDER(labels_may_be_floats_or_an_input)
{
    static const char *const losses[] = {"mse", "bce", "mse, labels: input"};
    for (int l = 0; l < 3; l++) {
        const vdnn_data_source source = {.size = sizeof source,
                                         .samples = 4,
                                         .read = read_numbers,
                                         .context = l == 2 ? *state : NULL};
        vdnn_session_options options = options_with_loss(*state, losses[l]);
        vdnn_test_edit(&options, dataset)->source = &source;
        vdnn_session *session = begin(&options);
        vdnn_input input = {.size = sizeof input};
        vdnn_sample sample = {.size = sizeof sample};
        assert_ok(vdnn_session_input_at(session, 1, &input));
        assert_int_equal(input.channels, 2);
        assert_int_equal(input.below, l == 1);
        const vdnn_status status = vdnn_session_step(session, &sample);
        vdnn_session_destroy(session);
        assert_status(status, l == 1 ? VDNN_BAD_INPUT : VDNN_OK); /* -1 is no probability */
        if (l != 1)
            assert_true(loss_of_batch(*state, losses[l], &source) == sample.loss);
    }
}

TEST_IN_FOLDER(a_parameter_is_found_by_its_name_in_files)
{
    vdnn_session_options options = options_for(*state);
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    for (int32_t i = 0; i < vdnn_session_parameter_count(session); i++) {
        vdnn_parameter parameter = {.size = sizeof parameter};
        char name[64];
        int32_t found = -1;
        assert_ok(vdnn_session_parameter_at(session, i, &parameter));
        (void)snprintf(name, sizeof name, "%s.%s", parameter.layer, parameter.name);
        assert_ok(vdnn_session_find_parameter(session, name, &found));
        assert_int_equal(found, i);
    }
    int32_t none = 7;
    assert_status(vdnn_session_find_parameter(session, "conv1", &none), VDNN_USAGE);
    assert_status(vdnn_session_find_parameter(session, "conv1.", &none), VDNN_USAGE);
    assert_status(vdnn_session_find_parameter(session, "conv.weight", &none), VDNN_USAGE);
    assert_int_equal(none, 7);
    vdnn_session_destroy(session);
}

/* ---- predictions ----------------------------------------------------------------------------- */

static vdnn_session *begin_expecting(const vdnn_session_options *options, unsigned what)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_expect(session, what));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    return session;
}

static void predict(vdnn_session *session, const set *own, int64_t first, int64_t samples,
                    float *logits, float *probabilities)
{
    const void *inputs[] = {own->pixels + first * PIXELS};
    const vdnn_batch batch = {.size = sizeof batch, .samples = samples, .inputs = inputs};
    assert_ok(vdnn_session_predict(session, &batch, logits, probabilities, samples * CLASSES));
}

/* One at a time, in a part of a batch, in several. */
static void check_any_number(vdnn_session *session, const set *own, const float *all)
{
    static const int64_t numbers[] = {1, BATCH - 1, BATCH, BATCH + 1};
    float some[MOST_SAMPLES * CLASSES];
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        predict(session, own, 2, numbers[n], some, NULL);
        assert_memory_equal(some, all + 2 * CLASSES, (size_t)numbers[n] * CLASSES * sizeof *some);
    }
}

TEST_IN_FOLDER(predictions_are_the_same_under_every_policy_for_any_number_of_samples)
{
    static const char *const policies[] = {"base", "conv", "all", "opt"};
    enum { SAMPLES = 3 * BATCH + 1 };
    float first[SAMPLES * CLASSES], all[SAMPLES * CLASSES], shares[SAMPLES * CLASSES];
    set own;
    fill(&own, SAMPLES);
    const vdnn_data_source source = source_of(&own);
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        vdnn_session_options options = options_for(*state);
        double accuracy = -1, correct = 0;
        options.policy = policies[p];
        vdnn_test_edit(&options, dataset)->source = &source;
        vdnn_test_edit(&options, dataset)->test_source = &source;
        vdnn_session *session = begin(&options);
        assert_int_equal(vdnn_session_score_count(session), CLASSES);
        for (int step = 0; step < 3; step++)
            assert_ok(vdnn_session_step(session, NULL));
        predict(session, &own, 0, SAMPLES, all, shares);
        check_any_number(session, &own, all);
        if (p == 0)
            memcpy(first, all, sizeof all);
        if (strcmp(policies[p], "opt") != 0) /* which chooses other algorithms */
            assert_memory_equal(first, all, sizeof all);
        for (int64_t i = 0; i < SAMPLES; i++) {
            const float *x = all + i * CLASSES, *share = shares + i * CLASSES;
            const int best = x[1] > x[0] ? (x[2] > x[1] ? 2 : 1) : (x[2] > x[0] ? 2 : 0);
            correct += best == own.labels[i];
            assert_true(fabs((double)share[0] + (double)share[1] + (double)share[2] - 1) < 1e-6);
            assert_true(fabs(log((double)share[0] / (double)share[1]) - (double)(x[0] - x[1])) <
                        1e-5);
        }
        assert_ok(vdnn_session_evaluate(session, &accuracy));
        assert_true(fabs(accuracy - correct / SAMPLES) < 1e-9);
        vdnn_session_destroy(session);
    }
}

/* Whether batches are given or read ahead. */
TEST_IN_FOLDER(a_prediction_changes_no_later_step)
{
    float scores[3 * CLASSES];
    set own;
    fill(&own, 2 * BATCH);
    const vdnn_data_source source = source_of(&own);
    for (int feeds = 0; feeds < 2; feeds++) {
        double losses[2][6];
        for (int predicts = 0; predicts < 2; predicts++) {
            vdnn_session_options options = options_for(*state);
            vdnn_test_edit(&options, dataset)->feeds = feeds != 0;
            vdnn_test_edit(&options, dataset)->source = feeds ? NULL : &source;
            options.policy = "base";
            vdnn_session *session = begin_expecting(&options, VDNN_EXPECT_PREDICTIONS);
            for (int step = 0; step < 6; step++) {
                vdnn_sample sample = {.size = sizeof sample};
                if (predicts)
                    predict(session, &own, 1, 3, scores, NULL);
                if (feeds) {
                    losses[predicts][step] = step_on(session, &own, step);
                    continue;
                }
                assert_ok(vdnn_session_step(session, &sample));
                losses[predicts][step] = sample.loss;
            }
            vdnn_session_destroy(session);
        }
        assert_memory_equal(losses[0], losses[1], sizeof losses[0]);
    }
}

TEST_IN_FOLDER(wrong_predictions_are_refused)
{
    set own;
    float scores[BATCH * CLASSES];
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *session = NULL;
    const void *inputs[] = {own.pixels}, *none[] = {NULL};
    vdnn_batch batch = {.size = sizeof batch, .samples = BATCH, .inputs = inputs};
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_predict(session, &batch, scores, NULL, BATCH * CLASSES), VDNN_USAGE);
    assert_status(vdnn_session_expect(session, 4), VDNN_USAGE);
    assert_ok(vdnn_session_prepare(session));
    assert_status(vdnn_session_expect(session, VDNN_EXPECT_PREDICTIONS), VDNN_USAGE);
    assert_ok(vdnn_session_begin(session));
    assert_status(vdnn_session_predict(session, &batch, scores, NULL, BATCH * CLASSES), VDNN_USAGE);
    assert_non_null(strstr(vdnn_status_message(), "does not expect predictions"));
    vdnn_session_destroy(session);
    session = begin_expecting(&options, VDNN_EXPECT_PREDICTIONS);
    assert_status(vdnn_session_predict(session, &batch, scores, NULL, CLASSES), VDNN_USAGE);
    assert_status(vdnn_session_predict(session, &batch, NULL, NULL, BATCH * CLASSES), VDNN_USAGE);
    batch.samples = 0;
    assert_status(vdnn_session_predict(session, &batch, scores, NULL, 0), VDNN_USAGE);
    batch.samples = BATCH;
    batch.inputs = none;
    assert_status(vdnn_session_predict(session, &batch, scores, NULL, BATCH * CLASSES), VDNN_USAGE);
    vdnn_session_destroy(session);
}

/* What is read is there, and nothing past it. */
TEST_IN_FOLDER(in_poisoned_memory_a_prediction_is_the_same)
{
    float scores[2][BATCH * CLASSES];
    set own;
    fill(&own, BATCH);
    for (int poisons = 0; poisons < 2; poisons++) {
        vdnn_session_options options = options_for(*state);
        vdnn_test_edit(&options, dataset)->feeds = true;
        vdnn_test_edit(&options, trust)->poison = poisons != 0;
        vdnn_session *session =
            begin_expecting(&options, VDNN_EXPECT_PREDICTIONS | VDNN_EXPECT_GRADIENTS);
        (void)step_on(session, &own, 0);
        predict(session, &own, 0, BATCH, scores[poisons], NULL);
        vdnn_session_destroy(session);
    }
    assert_memory_equal(scores[0], scores[1], sizeof scores[0]);
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* Without statistics of a batch, so that a prediction is what training computes. */
static const char plain_network[] = "name: plain\n"
                                    "input: {channels: 1, height: 8, width: 8}\n"
                                    "classes: 3\n"
                                    "batch: 4\n"
                                    "layers:\n"
                                    "  - {name: conv1, type: conv, out: 18, kernel: 3, pad: 1}\n"
                                    "  - {name: relu1, type: relu}\n"
                                    "  - {name: conv2, type: conv, out: 20, kernel: 3}\n"
                                    "  - {name: fc1, type: fc, out: 3}\n"
                                    "  - {name: loss, type: softmax_loss}\n"
                                    "training: {lr: 0.05, momentum: 0.9, weight_decay: 0.01%s}\n";

static vdnn_session_options plain_options(const char *folder, const char *more)
{
    char text[sizeof plain_network + 64];
    vdnn_session_options options = options_for(folder);
    (void)snprintf(text, sizeof text, plain_network, more);
    vdnn_test_write_file(options.model, text, strlen(text));
    vdnn_test_edit(&options, dataset)->feeds = true;
    return options;
}

static float *gradient_of(vdnn_session *session, int32_t i, int64_t *count)
{
    vdnn_parameter parameter = {.size = sizeof parameter};
    assert_ok(vdnn_session_parameter_at(session, i, &parameter));
    float *values = calloc((size_t)parameter.count, sizeof *values);
    assert_non_null(values);
    assert_ok(vdnn_session_get_gradient(session, i, values, parameter.count));
    *count = parameter.count;
    return values;
}

static float *state_of(vdnn_session *session, int32_t i, int64_t count)
{
    float *values = calloc((size_t)count, sizeof *values);
    assert_non_null(values);
    assert_ok(vdnn_session_get_state(session, i, 0, values, count));
    return values;
}

/* That of a bias in front of the loss is the mean of probabilities less 1 for the label. */
static void check_last_bias(vdnn_session *session, const set *own, const float *probabilities)
{
    int32_t bias = -1;
    int64_t count;
    assert_ok(vdnn_session_find_parameter(session, "fc1.bias", &bias));
    float *gradient = gradient_of(session, bias, &count);
    for (int c = 0; c < CLASSES; c++) {
        double sum = 0;
        for (int i = 0; i < BATCH; i++)
            sum += (double)probabilities[i * CLASSES + c] - (own->labels[i] == c ? 1 : 0);
        assert_true(fabs(sum / BATCH - (double)gradient[c]) < 1e-5);
    }
    free(gradient);
}

/* After the first step momentum is the gradient and the decay of the weight. */
static void check_momentum(vdnn_session *session, int32_t i, const float *before)
{
    int64_t count;
    float *gradient = gradient_of(session, i, &count), *momentum = state_of(session, i, count);
    for (int64_t k = 0; k < count; k++)
        assert_true(fabs((double)gradient[k] + 0.01 * (double)before[k] - (double)momentum[k]) <
                    1e-6 + 1e-5 * fabs((double)momentum[k]));
    free(gradient);
    free(momentum);
}

/* However the step is cut, wherever parameters are. */
TEST_IN_FOLDER(gradients_are_those_of_the_mean_loss_and_make_the_update)
{
    static const struct {
        const char *policy;
        int64_t accumulate, devices;
    } cases[] = {{"base", 1, 1}, {"all", 1, 1}, {"opt", 1, 1}, {"all", 3, 1}, {"base", 1, 2}};
    set own;
    fill(&own, BATCH);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        vdnn_session_options options = plain_options(*state, "");
        float probabilities[BATCH * CLASSES];
        float *before[16];
        int64_t count;
        options.policy = cases[c].policy;
        options.accumulate = cases[c].accumulate;
        options.devices = cases[c].devices;
        vdnn_session *session =
            begin_expecting(&options, VDNN_EXPECT_PREDICTIONS | VDNN_EXPECT_GRADIENTS);
        const int32_t parameters = vdnn_session_parameter_count(session);
        for (int32_t i = 0; i < parameters; i++)
            before[i] = values_of(session, i, &count);
        predict(session, &own, 0, BATCH, NULL, probabilities);
        (void)step_on(session, &own, 0);
        check_last_bias(session, &own, probabilities);
        for (int32_t i = 0; i < parameters; i++) {
            check_momentum(session, i, before[i]);
            free(before[i]);
        }
        vdnn_session_destroy(session);
    }
}

/* All of the network's; the same bits whether or not they are kept. */
TEST_IN_FOLDER(gradients_are_before_clipping_and_change_no_step)
{
    set own;
    fill(&own, BATCH);
    double losses[3][4];
    float *gradients[2] = {NULL, NULL};
    int64_t count = 0;
    for (int way = 0; way < 3; way++) {
        vdnn_session_options options = plain_options(*state, way == 2 ? ", clip_norm: 0.001" : "");
        vdnn_session *session = begin_expecting(&options, way > 0 ? VDNN_EXPECT_GRADIENTS : 0);
        for (int step = 0; step < 4; step++) {
            losses[way][step] = step_on(session, &own, 0);
            if (way > 0 && step == 0)
                gradients[way - 1] = gradient_of(session, 0, &count);
        }
        vdnn_session_destroy(session);
    }
    assert_memory_equal(losses[0], losses[1], sizeof losses[0]);
    assert_memory_not_equal(losses[0], losses[2], sizeof losses[0]);
    assert_memory_equal(gradients[0], gradients[1], (size_t)count * sizeof **gradients);
    free(gradients[0]);
    free(gradients[1]);
}

TEST_IN_FOLDER(gradients_and_state_that_there_are_not_are_refused)
{
    set own;
    float values[8];
    int32_t bias = -1, mean = -1;
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *session = begin(&options);
    (void)step_on(session, &own, 0);
    assert_ok(vdnn_session_find_parameter(session, "conv1.bias", &bias));
    assert_ok(vdnn_session_find_parameter(session, "norm1.running_mean", &mean));
    assert_status(vdnn_session_get_gradient(session, bias, values, 8), VDNN_USAGE);
    assert_non_null(strstr(vdnn_status_message(), "vdnn_session_expect"));
    assert_int_equal(vdnn_session_state_count(session), 1);
    assert_string_equal(vdnn_session_state_name(session, 0), "momentum");
    assert_null(vdnn_session_state_name(session, 1));
    assert_null(vdnn_session_state_name(session, -1));
    assert_ok(vdnn_session_get_state(session, bias, 0, values, 8));
    assert_status(vdnn_session_get_state(session, bias, 1, values, 8), VDNN_USAGE);
    assert_status(vdnn_session_get_state(session, bias, 0, values, 7), VDNN_USAGE);
    assert_status(vdnn_session_get_state(session, mean, 0, values, 8), VDNN_USAGE);
    values[3] = NAN;
    assert_status(vdnn_session_set_state(session, bias, 0, values, 8), VDNN_BAD_INPUT);
    vdnn_session_destroy(session);
    session = begin_expecting(&options, VDNN_EXPECT_GRADIENTS);
    assert_status(vdnn_session_get_gradient(session, bias, values, 8), VDNN_USAGE);
    assert_non_null(strstr(vdnn_status_message(), "no step"));
    (void)step_on(session, &own, 0);
    assert_ok(vdnn_session_get_gradient(session, bias, values, 8));
    assert_status(vdnn_session_get_gradient(session, mean, values, 8), VDNN_USAGE);
    vdnn_session_destroy(session);
}

/* A second session that is given the first one's parameters and state goes on like it. */
TEST_IN_FOLDER(state_that_is_set_is_that_which_was_got)
{
    set own;
    fill(&own, 2 * BATCH);
    vdnn_session_options options = plain_options(*state, "");
    vdnn_session *first = begin(&options), *second = begin(&options);
    (void)step_on(first, &own, 0);
    for (int32_t i = 0; i < vdnn_session_parameter_count(first); i++) {
        int64_t count;
        float *values = values_of(first, i, &count), *momentum = state_of(first, i, count);
        assert_ok(vdnn_session_set_parameter(second, i, values, count));
        assert_ok(vdnn_session_set_state(second, i, 0, momentum, count));
        free(values);
        free(momentum);
    }
    for (int step = 1; step < 4; step++) {
        const double losses[] = {step_on(first, &own, step), step_on(second, &own, step)};
        assert_memory_equal(&losses[0], &losses[1], sizeof *losses);
    }
    vdnn_session_destroy(first);
    vdnn_session_destroy(second);
}

/* ---- hooks ----------------------------------------------------------------------------------- */

typedef struct seen {
    vdnn_session *session;
    int64_t steps[2], layers[2]; /* before, after */
    int64_t order;               /* of the forward passes: the layer that comes next */
    int64_t fails_at;            /* the call of that number */
    int64_t calls;
    bool is_open; /* between before and after */
} seen;

static vdnn_status count_call(seen *own)
{
    return ++own->calls == own->fails_at
               ? vdnn_status_fail(VDNN_BAD_INPUT, "call %lld", (long long)own->calls)
               : VDNN_OK;
}

static vdnn_status see_before_step(void *context, int64_t step)
{
    seen *own = context;
    assert_int_equal(vdnn_session_step_number(own->session), step - 1);
    own->steps[0]++;
    own->order = 0;
    return count_call(own);
}

static vdnn_status see_after_step(void *context, int64_t step)
{
    seen *own = context;
    float bias[8];
    assert_int_equal(vdnn_session_step_number(own->session), step);
    assert_ok(vdnn_session_get_parameter(own->session, 1, bias, 8));
    own->steps[1]++;
    return count_call(own);
}

static vdnn_status see_before_layer(void *context, const vdnn_layer_run *run)
{
    seen *own = context;
    assert_false(own->is_open);
    own->is_open = true;
    own->layers[0]++;
    assert_int_equal(run->step, vdnn_session_step_number(own->session) + 1);
    return count_call(own);
}

static vdnn_status see_after_layer(void *context, const vdnn_layer_run *run)
{
    seen *own = context;
    assert_true(own->is_open);
    own->is_open = false;
    own->layers[1]++;
    if (run->pass == VDNN_FORWARD && !run->recomputes) {
        assert_true(run->layer >= own->order); /* one that is fused has no pass */
        own->order = run->layer + 1;
        assert_true(run->layer > 0 || strcmp(run->name, "conv1") == 0);
    }
    return count_call(own);
}

static vdnn_hooks hooks_of(seen *own)
{
    return (vdnn_hooks){.size = sizeof(vdnn_hooks),
                        .before_step = see_before_step,
                        .after_step = see_after_step,
                        .before_layer = see_before_layer,
                        .after_layer = see_after_layer,
                        .context = own};
}

TEST_IN_FOLDER(hooks_are_called_around_every_pass_and_step_and_change_no_bit)
{
    set own;
    double losses[2][4];
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    for (int hooked = 0; hooked < 2; hooked++) {
        vdnn_session *session = begin(&options);
        seen calls = {.session = session};
        const vdnn_hooks hooks = hooks_of(&calls);
        if (hooked)
            assert_ok(vdnn_session_set_hooks(session, &hooks));
        for (int step = 0; step < 4; step++)
            losses[hooked][step] = step_on(session, &own, step);
        assert_int_equal(calls.steps[0], hooked ? 4 : 0);
        assert_int_equal(calls.steps[1], calls.steps[0]);
        assert_true(!hooked || calls.layers[0] >= 4 * (4 + 4));
        assert_int_equal(calls.layers[1], calls.layers[0]);
        assert_ok(vdnn_session_set_hooks(session, NULL));
        const int64_t before = calls.calls;
        (void)step_on(session, &own, 4);
        assert_int_equal(calls.calls, before);
        vdnn_session_destroy(session);
    }
    assert_memory_equal(losses[0], losses[1], sizeof losses[0]);
}

/* Set before it begins, it sees a whole run. */
TEST_IN_FOLDER(hooks_see_the_steps_of_a_run)
{
    set own;
    fill(&own, 2 * BATCH);
    const vdnn_data_source source = source_of(&own);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->source = &source;
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    seen calls = {.session = session};
    vdnn_hooks hooks = hooks_of(&calls);
    assert_ok(vdnn_session_set_hooks(session, &hooks));
    assert_ok(vdnn_session_run(session));
    assert_int_equal(calls.steps[0], options.steps);
    assert_int_equal(calls.steps[1], options.steps);
    vdnn_session_destroy(session);
    hooks.size = 3;
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_set_hooks(session, &hooks), VDNN_USAGE);
    vdnn_session_destroy(session);
}

/* The first call is that before the step, the next those of layers. */
TEST_IN_FOLDER(the_status_of_a_hook_ends_the_step)
{
    set own;
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *session = begin(&options);
    for (int64_t at = 1; at < 8; at++) {
        const void *inputs[1];
        const vdnn_batch batch = batch_at(&own, 0, inputs);
        seen calls = {.session = session, .fails_at = at};
        const vdnn_hooks hooks = hooks_of(&calls);
        char message[32];
        assert_ok(vdnn_session_set_hooks(session, &hooks));
        (void)snprintf(message, sizeof message, "call %lld", (long long)at);
        assert_status(vdnn_session_step_on(session, &batch, NULL), VDNN_BAD_INPUT);
        assert_string_equal(vdnn_status_message(), message);
        assert_int_equal(calls.calls, at);
        assert_int_equal(vdnn_session_step_number(session), 0);
    }
    assert_ok(vdnn_session_set_hooks(session, NULL));
    (void)step_on(session, &own, 0);
    assert_int_equal(vdnn_session_step_number(session), 1);
    vdnn_session_destroy(session);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST_IN_FOLDER(wrong_batches_and_calls_are_refused_and_lose_nothing)
{
    set own;
    const void *inputs[1], *none[1] = {NULL};
    float value = NAN;
    vdnn_parameter parameter = {.size = sizeof parameter};
    fill(&own, 2 * BATCH);
    vdnn_session_options options = options_for(*state);
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *session = begin(&options);
    const vdnn_batch good = batch_at(&own, 0, inputs);
    vdnn_batch bad = good;
    bad.samples--;
    assert_status(vdnn_session_step_on(session, &bad, NULL), VDNN_USAGE);
    bad = good;
    bad.inputs = none;
    assert_status(vdnn_session_step_on(session, &bad, NULL), VDNN_USAGE);
    bad = good;
    bad.labels = NULL;
    assert_status(vdnn_session_step_on(session, &bad, NULL), VDNN_USAGE);
    own.labels[BATCH - 1] = CLASSES;
    assert_status(vdnn_session_step_on(session, &good, NULL), VDNN_BAD_INPUT);
    own.labels[BATCH - 1] = 0;
    assert_status(vdnn_session_step(session, NULL), VDNN_USAGE);
    assert_status(vdnn_session_parameter_at(session, -1, &parameter), VDNN_USAGE);
    assert_status(vdnn_session_parameter_at(session, 1000, &parameter), VDNN_USAGE);
    assert_status(vdnn_session_get_parameter(session, 0, &value, 1), VDNN_USAGE);
    assert_int_equal(vdnn_session_step_number(session), 0);
    (void)step_on(session, &own, 0);
    assert_int_equal(vdnn_session_step_number(session), 1);
    vdnn_session_destroy(session);
    assert_ok(vdnn_session_create(&options, NULL, &session));
    assert_status(vdnn_session_run(session), VDNN_USAGE);
    vdnn_session_destroy(session);
}

static vdnn_status fail_at_once(void *context, int64_t index, void *const *inputs, int32_t *labels)
{
    (void)context;
    (void)inputs;
    (void)labels;
    return vdnn_status_fail(VDNN_FILE, "sample %lld is gone", (long long)index);
}

TEST_IN_FOLDER(a_source_that_fails_ends_the_step_with_its_message)
{
    set own;
    fill(&own, MOST_SAMPLES);
    vdnn_data_source source = source_of(&own);
    vdnn_session_options options = options_for(*state);
    source.read = fail_at_once;
    vdnn_test_edit(&options, dataset)->source = &source;
    vdnn_session *session = begin(&options);
    assert_status(vdnn_session_step(session, NULL), VDNN_FILE);
    assert_non_null(strstr(vdnn_status_message(), "sample 0 is gone"));
    vdnn_session_destroy(session);
    source.samples = 0;
    assert_int_equal(vdnn_session_create(&options, NULL, &session), VDNN_USAGE);
    source = source_of(&own);
    source.read = NULL;
    assert_int_equal(vdnn_session_create(&options, NULL, &session), VDNN_USAGE);
}
