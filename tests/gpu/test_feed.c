/* Batches that the program gives, where plans load a batch ahead, over the link of a card, with
 * predictions between the steps, and their gradients. */

#include "runtime/vdnn.h"
#include "tests/support/files.h"
#include "tests/support/gpu.h"
#include "tests/support/session_topics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 6, PIXELS = 3 * 12 * 12, CLASSES = 5, BATCHES = 3, STEPS = 5 };

static struct {
    float pixels[BATCHES * BATCH * PIXELS];
    int32_t labels[BATCHES * BATCH];
} set;

static int make_set(void **state)
{
    vdnn_test_rng rng = {1};
    for (int i = 0; i < BATCHES * BATCH; i++)
        set.labels[i] = (int32_t)vdnn_test_between(&rng, 0, CLASSES - 1);
    for (int i = 0; i < BATCHES * BATCH * PIXELS; i++)
        set.pixels[i] = (float)vdnn_test_between(&rng, -100, 100) / 100;
    return vdnn_test_make_folder(state);
}

static vdnn_status read_sample(void *context, int64_t index, void *const *inputs, int32_t *labels)
{
    (void)context;
    memcpy(inputs[0], set.pixels + index * PIXELS, PIXELS * sizeof(float));
    *labels = set.labels[index];
    return VDNN_OK;
}

static vdnn_session *begin(const vdnn_session_options *options, unsigned expects)
{
    vdnn_session *session = NULL;
    assert_ok(vdnn_session_create(options, NULL, &session));
    assert_ok(vdnn_session_expect(session, expects));
    assert_ok(vdnn_session_prepare(session));
    assert_ok(vdnn_session_begin(session));
    return session;
}

/* As measured, but that a copy in begins so late that a step would wait for its batch. */
static void slow_copies(const char *path)
{
    static const char key[] = "rate copy_latency_seconds ";
    char *text;
    size_t count;
    vdnn_test_read_file(path, &text, &count);
    char *at = strstr(text, key);
    assert_non_null(at);
    at += sizeof key - 1;
    const char *rest = strchr(at, '\n');
    vdnn_text changed = {0};
    vdnn_text_add(&changed, "%.*s%s%s", (int)(at - text), text, "0.05", rest);
    vdnn_test_write_file(path, changed.data, changed.length);
    vdnn_text_fini(&changed);
    free(text);
}

/* Whether a batch is taken from where the step before it loaded it. */
static bool loads_ahead(const vdnn_session *session)
{
    vdnn_text text = {0};
    assert_ok(vdnn_plan_print(vdnn_session_plan(session), &text));
    const bool takes = strstr(text.data, "take") != NULL;
    vdnn_text_fini(&text);
    return takes;
}

/* The gradient of a bias in front of the loss, by what was predicted before the step. */
static void check_gradient(vdnn_session *session, const vdnn_batch *batch,
                           const float *probabilities)
{
    float gradient[CLASSES];
    int32_t bias = -1;
    assert_ok(vdnn_session_find_parameter(session, "fc.bias", &bias));
    assert_ok(vdnn_session_get_gradient(session, bias, gradient, CLASSES));
    for (int c = 0; c < CLASSES; c++) {
        double sum = 0;
        for (int i = 0; i < BATCH; i++)
            sum += (double)probabilities[i * CLASSES + c] - (batch->labels[i] == c ? 1 : 0);
        assert_true(fabs(sum / BATCH - (double)gradient[c]) < 1e-5);
    }
}

TEST_WITH(a_plan_that_loads_ahead_takes_batches_that_are_given, make_set, vdnn_test_remove_folder)
{
    static const char net[] =
        "{name: fed, input: {channels: 3, height: 12, width: 12}, classes: 5,"
        " batch: 6, training: {lr: 0.05}, layers: ["
        "{name: conv1, type: conv, out: 8, kernel: 3},"
        "{name: relu1, type: relu}, {name: conv2, type: conv, out: 8, kernel: 3},"
        "{name: fc, type: fc, out: 5}, {name: loss, type: softmax_loss}]}";
    const vdnn_data_source source = {
        .size = sizeof source, .samples = BATCHES * BATCH, .read = read_sample};
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_parse(net, sizeof net - 1, "fed", &model));
    vdnn_session_options options = {
        .size = sizeof options,
        .network = model,
        .device = "cuda",
        .device_mem = "64MiB",
        .host_mem = "64MiB",
        .profile = vdnn_test_path(*state, "fed.profile"),
        .policy = "base",
        .steps = STEPS,
        .dataset = vdnn_test_topic(dataset, .no_shuffle = true, .source = &source)};
    vdnn_session_destroy(begin(&options, 0));
    slow_copies(options.profile);
    vdnn_session *read = begin(&options, 0);
    vdnn_test_edit(&options, dataset)->source = NULL;
    vdnn_test_edit(&options, dataset)->feeds = true;
    vdnn_session *fed = begin(&options, VDNN_EXPECT_PREDICTIONS | VDNN_EXPECT_GRADIENTS);
    assert_true(loads_ahead(fed));
    for (int step = 0; step < STEPS; step++) {
        const int first = step % BATCHES * BATCH;
        const void *inputs[] = {set.pixels + first * PIXELS};
        const vdnn_batch batch = {
            .size = sizeof batch, .samples = BATCH, .inputs = inputs, .labels = set.labels + first};
        vdnn_sample samples[2] = {{.size = sizeof *samples}, {.size = sizeof *samples}};
        assert_ok(vdnn_session_step(read, &samples[0]));
        float scores[BATCH * CLASSES];
        assert_ok(vdnn_session_predict(fed, &batch, NULL, scores, BATCH * CLASSES));
        assert_ok(vdnn_session_step_on(fed, &batch, &samples[1]));
        check_gradient(fed, &batch, scores);
        assert_memory_equal(&samples[0].loss, &samples[1].loss, sizeof samples[0].loss);
    }
    vdnn_session_destroy(read);
    vdnn_session_destroy(fed);
    vdnn_model_destroy(model);
}

int main(void)
{
    if (vdnn_test_device_lacks("cuda"))
        return 0;
    return vdnn_test_main(NULL, NULL);
}
