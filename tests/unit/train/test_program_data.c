/* Data, batches and parameters of the program, by the public interface. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
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
        read.profile = given.profile = vdnn_test_path(*state, "net.profile");
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
    options.profile = vdnn_test_path(*state, "net.profile");
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
    assert_status(vdnn_session_set_learning_rate(session, NAN), VDNN_USAGE);
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
