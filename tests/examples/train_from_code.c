/* A network built in code, with a custom layer, trained step by step in a small budget.
 *
 *     cc train_from_code.c $(pkg-config --cflags --libs vdnn) && ./a.out [idx:DIR]
 */

#include <stdio.h>
#include <vdnn/vdnn.h>
/* y = x where x > 0, else slope * x; and the same for gradients. */
static const vdnn_key keys[] = {{.name = "slope", .kind = VDNN_KEY_REAL, .preset = 0.01, .max = 1}};

static vdnn_status scale(const vdnn_layer_call *call, const float *from, float *to)
{
    int64_t count = call->y_dims.n * call->y_dims.c * call->y_dims.h * call->y_dims.w;
    float slope = (float)*(const double *)call->config;
    for (int64_t i = 0; i < count; i++)
        to[i] = call->x[0][i] > 0 ? from[i] : slope * from[i];
    return VDNN_OK;
}

static vdnn_status forward(const vdnn_layer_call *call)
{
    return scale(call, call->x[0], call->y);
}

static vdnn_status backward(const vdnn_layer_call *call)
{
    return scale(call, call->dy, call->dx[0]);
}

static const vdnn_layer_type two_slopes = {.size = sizeof two_slopes,
                                           .name = "two_slopes",
                                           .role = VDNN_ROLE_ACTIVATION,
                                           .keys = keys,
                                           .key_count = 1,
                                           .config_bytes = sizeof(double),
                                           .needs_data = VDNN_NEEDS_X,
                                           .forward = forward,
                                           .backward_data = backward};

int main(int argc, char **argv)
{
    vdnn_model *model = NULL;
    vdnn_session *session = NULL;
    vdnn_sample sample = {.size = sizeof sample};
    vdnn_session_options options = {.size = sizeof options, .device_mem = "16MiB"};
    vdnn_status status = vdnn_layer_register(&two_slopes);
    if (status == VDNN_OK)
        status = vdnn_model_create("{name: small, input: {channels: 1, height: 28, width: 28},"
                                   " classes: 10, batch: 32, training: {lr: 0.001}}",
                                   &model);
    for (int i = 1; status == VDNN_OK && i <= 3; i++)
        status = vdnn_model_add(model,
                                "repeat: {count: 1, layers: ["
                                "{name: conv%d, type: conv, out: %d, kernel: 3, pad: 1},"
                                "{name: bent%d, type: two_slopes, slope: 0.1},"
                                "{name: pool%d, type: maxpool, kernel: 2}]}",
                                i, 16 * i, i, i);
    if (status == VDNN_OK)
        status = vdnn_model_add(model, "repeat: {count: 1, layers: [{name: fc, type: fc, out: 10},"
                                       "{name: loss, type: softmax_loss}]}");
    options.network = model;
    options.data = argv[argc > 1 ? 1 : argc]; /* NULL: made-up pictures */
    if (status == VDNN_OK)
        status = vdnn_session_create(&options, NULL, &session);
    status = status == VDNN_OK ? vdnn_session_prepare(session) : status;
    status = status == VDNN_OK ? vdnn_session_begin(session) : status;
    for (int i = 0; status == VDNN_OK && i < 20; i++)
        if ((status = vdnn_session_step(session, &sample)) == VDNN_OK)
            printf("step %lld: loss %.4f\n", (long long)sample.step, sample.loss);
    if (status == VDNN_OK)
        status = vdnn_session_save(session, "small.safetensors");
    if (status != VDNN_OK)
        fprintf(stderr, "%s\n", vdnn_status_message());
    vdnn_session_destroy(session);
    vdnn_model_destroy(model);
    return vdnn_status_exit_code(status);
}
