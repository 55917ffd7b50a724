/* A network trained on the program's own arrays, whose gradients and scores it then reads.
 *
 *     cc train_on_arrays.c $(pkg-config --cflags --libs vdnn) && ./a.out
 */

#include <stdio.h>
#include <stdlib.h>
#include <vdnn/vdnn.h>

#define TRY(call)                                                                                  \
    if ((status = (call)) != VDNN_OK)                                                              \
    return status

enum { BATCH = 32, PIXELS = 28 * 28, CLASSES = 10, STEPS = 50 };

static const char net[] =
    "{name: rows, input: {channels: 1, height: 28, width: 28}, classes: 10, batch: 32,"
    " training: {lr: 0.05}, layers: [{name: conv1, type: conv, out: 8, kernel: 5},"
    "{name: relu1, type: relu}, {name: pool1, type: maxpool, kernel: 4},"
    "{name: fc, type: fc, out: 10}, {name: loss, type: softmax_loss}]}";
static float pictures[BATCH * PIXELS], scores[BATCH * CLASSES], gradient[CLASSES];
static int32_t labels[BATCH];

/* Pictures of noise with a bright row, which is their class. */
static void make_batch(void)
{
    for (int i = 0; i < BATCH; i++) {
        labels[i] = rand() % CLASSES;
        for (int k = 0; k < PIXELS; k++)
            pictures[i * PIXELS + k] =
                (float)rand() / (float)RAND_MAX + (k / 28 == 2 * labels[i] + 4 ? 1.0F : 0.0F);
    }
}

static vdnn_status train(vdnn_model **model, vdnn_session **session)
{
    const void *inputs[] = {pictures};
    const vdnn_batch batch = {
        .size = sizeof batch, .samples = BATCH, .inputs = inputs, .labels = labels};
    const vdnn_dataset_options dataset = {.size = sizeof dataset, .feeds = true};
    vdnn_session_options options = {
        .size = sizeof options, .device_mem = "16MiB", .dataset = &dataset};
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_status status;
    int32_t bias;
    TRY(vdnn_model_parse(net, sizeof net - 1, "rows", model));
    options.network = *model;
    TRY(vdnn_session_create(&options, NULL, session));
    TRY(vdnn_session_expect(*session, VDNN_EXPECT_GRADIENTS | VDNN_EXPECT_PREDICTIONS));
    TRY(vdnn_session_prepare(*session));
    TRY(vdnn_session_begin(*session));
    for (int step = 1; step <= STEPS; step++) {
        make_batch();
        TRY(vdnn_session_step_on(*session, &batch, &sample));
        printf("step %d: loss %.4f\n", step, sample.loss);
    }
    TRY(vdnn_session_find_parameter(*session, "fc.bias", &bias));
    TRY(vdnn_session_get_gradient(*session, bias, gradient, CLASSES));
    TRY(vdnn_session_predict(*session, &batch, NULL, scores, BATCH * CLASSES));
    printf("gradient of fc.bias: %g, ...; the last batch's first picture is of its class by %g\n",
           (double)gradient[0], (double)scores[labels[0]]);
    return vdnn_session_save(*session, "rows.safetensors");
}

int main(void)
{
    vdnn_model *model = NULL;
    vdnn_session *session = NULL;
    vdnn_status status = train(&model, &session);
    if (status != VDNN_OK)
        fprintf(stderr, "%s\n", vdnn_status_message());
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
    return vdnn_status_exit_code(status);
}
