/* A network trained on the program's own arrays in a small budget, one batch at a time.
 *
 *     cc train_on_arrays.c $(pkg-config --cflags --libs vdnn) && ./a.out
 */

#include <stdio.h>
#include <stdlib.h>
#include <vdnn/vdnn.h>

enum { BATCH = 32, PIXELS = 28 * 28, STEPS = 50, WEIGHTS = 8 * 5 * 5 };

static float pictures[BATCH * PIXELS], weights[WEIGHTS];
static int32_t labels[BATCH];

/* Pictures of noise with a bright row, which is their class. */
static void make_batch(void)
{
    for (int i = 0; i < BATCH; i++) {
        labels[i] = rand() % 10;
        for (int k = 0; k < PIXELS; k++)
            pictures[i * PIXELS + k] =
                (float)rand() / (float)RAND_MAX + (k / 28 == 2 * labels[i] + 4 ? 1.0F : 0.0F);
    }
}

int main(void)
{
    static const char net[] = "{name: rows, input: {channels: 1, height: 28, width: 28},"
                              " classes: 10, batch: 32, training: {lr: 0.05}, layers: ["
                              "{name: conv1, type: conv, out: 8, kernel: 5},"
                              "{name: relu1, type: relu}, {name: pool1, type: maxpool, kernel: 4},"
                              "{name: fc, type: fc, out: 10}, {name: loss, type: softmax_loss}]}";
    const void *inputs[] = {pictures};
    const vdnn_batch batch = {
        .size = sizeof batch, .samples = BATCH, .inputs = inputs, .labels = labels};
    vdnn_sample sample = {.size = sizeof sample};
    const vdnn_dataset_options dataset = {.size = sizeof dataset, .feeds = true};
    vdnn_session_options options = {
        .size = sizeof options, .device_mem = "16MiB", .dataset = &dataset};
    vdnn_model *model = NULL;
    vdnn_session *session = NULL;
    vdnn_status status = vdnn_model_parse(net, sizeof net - 1, "rows", &model);
    options.network = model;
    if (status == VDNN_OK)
        status = vdnn_session_create(&options, NULL, &session);
    if (status == VDNN_OK)
        status = vdnn_session_prepare(session);
    if (status == VDNN_OK)
        status = vdnn_session_begin(session);
    for (int step = 1; status == VDNN_OK && step <= STEPS; step++) {
        make_batch();
        status = vdnn_session_step_on(session, &batch, &sample);
        if (status == VDNN_OK)
            printf("step %d: loss %.4f\n", step, sample.loss);
    }
    if (status == VDNN_OK) /* parameter 0: conv1.weight */
        status = vdnn_session_get_parameter(session, 0, weights, WEIGHTS);
    if (status == VDNN_OK)
        printf("the first weight is %g\n", (double)weights[0]);
    if (status == VDNN_OK)
        status = vdnn_session_save(session, "rows.safetensors");
    if (status != VDNN_OK)
        fprintf(stderr, "%s\n", vdnn_status_message());
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
    return vdnn_status_exit_code(status);
}
