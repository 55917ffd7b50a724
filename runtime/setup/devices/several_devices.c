#include "runtime/setup/devices/several_devices.h"

vdnn_status vdnn_several_devices_place(const char *kind, const vdnn_run_options *options,
                                       int32_t *first)
{
    const bool is_rank = options->ask.process->ranks > 0;
    *first = 0;
    if (options->devices <= 1)
        return VDNN_OK;
    const int32_t count = vdnn_device_count(kind);
    const int32_t own = is_rank && count > 1 ? (int32_t)options->ask.process->local_rank : 0;
    const int32_t needed = is_rank ? own + 1 : options->devices;
    if (count > 0 && count < needed) /* where there is none, opening it says why */
        return vdnn_status_fail(VDNN_DEVICE,
                                "--devices: %d are needed, but from --device %s on there %s %d",
                                (int)needed, kind, count == 1 ? "is" : "are", (int)count);
    *first = own;
    return VDNN_OK;
}

/* A layer whose kernels sum over the devices. */
static const vdnn_layer *find_joint(const vdnn_graph *graph)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
            if (vdnn_layer_joint_count(&graph->layers[l], (vdnn_pass)pass) > 0)
                return &graph->layers[l];
    return NULL;
}

vdnn_status vdnn_several_devices_check(const char *kind, const vdnn_run_options *options,
                                       const vdnn_device_properties *properties,
                                       const vdnn_graph *graph)
{
    if (graph->devices == 1)
        return VDNN_OK;
    if (properties->recorded)
        return vdnn_status_fail(VDNN_USAGE,
                                "--devices: what was recorded of one device says nothing of sums "
                                "over several, which are simulated only with a device model, "
                                "--device sim:NAME");
    const char *lack = vdnn_device_sums_lack(kind);
    if (lack != NULL)
        return vdnn_status_fail(VDNN_DEVICE, "--devices: gradients cannot be summed: %s", lack);
    if (properties->sums_on_host)
        return VDNN_OK;
    if (options->reduce == VDNN_REDUCE_HOST)
        return vdnn_status_fail(VDNN_USAGE, "--reduce host: cards sum in their own memory; use "
                                            "--reduce ring or gather");
    const vdnn_layer *joint = find_joint(graph);
    return joint == NULL ? VDNN_OK
                         : vdnn_status_fail(
                               VDNN_USAGE,
                               "layer '%s', sync: true: cards do not normalize by the statistics "
                               "of the whole batch yet; leave it out, or use --device cpu",
                               joint->name);
}
