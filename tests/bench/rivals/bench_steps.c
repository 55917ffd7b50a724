/* What policies need for a traced step, whose network and device trace_network.py wrote.
 *
 *     bench_steps NETWORK DEVICE DEVICE_MEM HOST_MEM POLICIES TRIALS
 *
 * A traced layer takes its given times on a device of 1e9 operations a second. Prints the report as
 * JSON. */

#include "runtime/vdnn.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the output and of what forward leaves for backward, in floats; of the passes, in ns. */
typedef struct traced {
    int64_t out, aux, params;
    double forward, backward;
} traced;

#define KEY(key, type, is_required)                                                                \
    {                                                                                              \
        .name = #key, .kind = VDNN_KEY_##type, .offset = offsetof(traced, key),                    \
        .required = (is_required), .max = INT32_MAX                                                \
    }
static const vdnn_key keys[] = {KEY(out, INT, true), KEY(aux, INT, false), KEY(params, INT, false),
                                KEY(forward, REAL, true), KEY(backward, REAL, true)};

static vdnn_status shape(vdnn_layer_shape *own)
{
    const traced *config = own->config;
    const vdnn_pass backward = config->params > 0 ? VDNN_BACKWARD_FILTER : VDNN_BACKWARD_DATA;
    own->y = (vdnn_dims){own->x[0].n, config->out, 1, 1};
    own->aux_bytes = (size_t)config->aux * sizeof(float);
    own->param_count = config->params > 0;
    own->params[0] = (vdnn_param_shape){.name = "weight", .dims = {config->params}, .dim_count = 1};
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        own->flops[pass] = 1e-3; /* 0 would be one per element */
    own->flops[VDNN_FORWARD] += config->forward;
    own->flops[backward] += config->backward;
    return VDNN_OK;
}

static vdnn_status run(const vdnn_layer_call *call)
{
    (void)call;
    return VDNN_OK;
}

static vdnn_status register_types(void)
{
    static const char *const names[] = {"traced", "traced_x", "traced_y", "traced_xy"};
    static vdnn_layer_type types[sizeof names / sizeof *names];
    vdnn_status status = VDNN_OK;
    for (unsigned i = 0; i < sizeof names / sizeof *names && status == VDNN_OK; i++) {
        const vdnn_needs needs =
            VDNN_NEEDS_AUX | (i & 1 ? VDNN_NEEDS_X : 0U) | (i & 2 ? VDNN_NEEDS_Y : 0U);
        types[i] = (vdnn_layer_type){.size = sizeof *types,
                                     .name = names[i],
                                     .role = VDNN_ROLE_CONV,
                                     .keys = keys,
                                     .key_count = sizeof keys / sizeof *keys,
                                     .config_bytes = sizeof(traced),
                                     .min_inputs = 1,
                                     .max_inputs = 64,
                                     .needs_data = needs,
                                     .needs_filter = needs,
                                     .shape = shape,
                                     .forward = run,
                                     .backward_data = run,
                                     .backward_filter = run};
        status = vdnn_layer_register(&types[i]);
    }
    return status;
}

int main(int argc, char **argv)
{
    vdnn_report *report = NULL;
    vdnn_text text = {.data = NULL};
    if (argc != 7) {
        (void)fprintf(stderr,
                      "usage: bench_steps NETWORK DEVICE DEVICE_MEM HOST_MEM POLICIES TRIALS\n");
        return 2;
    }
    const vdnn_planning_options planning = {.size = sizeof planning,
                                            .plan_trials = strtol(argv[6], NULL, 10)};
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = argv[1],
                                          .device = argv[2],
                                          .device_mem = argv[3],
                                          .host_mem = argv[4],
                                          .planning = &planning};
    vdnn_status status = register_types();
    if (status == VDNN_OK)
        status = vdnn_report_create(&options, NULL, argv[5], &report);
    if (status == VDNN_OK)
        status = vdnn_report_write(report, VDNN_REPORT_JSON, &text);
    if (status == VDNN_OK)
        printf("%s\n", text.data);
    else
        (void)fprintf(stderr, "bench_steps: %s\n", vdnn_status_message());
    vdnn_text_fini(&text);
    vdnn_report_destroy(report);
    return vdnn_status_exit_code(status);
}
