#include "layers/layer.h"

#include "alloc/heap.h"

static const char *const pass_texts[] = {
#define X(name, text) text,
    VDNN_PASS_TABLE(X)
#undef X
};

const char *vdnn_pass_text(vdnn_pass pass)
{
    return pass_texts[pass];
}

/* -1: none. */
static int32_t first_wanted(const vdnn_layer *layer)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            return i;
    return -1;
}

static bool wants_any_dx(const vdnn_layer *layer)
{
    return first_wanted(layer) >= 0;
}

int32_t vdnn_layer_dx_over_dy(const vdnn_layer *layer)
{
    return layer->in_place || layer->def->dx_over_dy ? first_wanted(layer) : -1;
}

bool vdnn_layer_writes_aux(const vdnn_layer *layer, bool again)
{
    return layer->aux_bytes > 0 && !(again && layer->def->again_reads_aux);
}

bool vdnn_layer_writes_dw(const vdnn_layer *layer, vdnn_pass pass)
{
    bool joint = layer->def->joint && wants_any_dx(layer);
    return layer->trainable_bytes > 0 &&
           pass == (joint ? VDNN_BACKWARD_DATA : VDNN_BACKWARD_FILTER);
}

bool vdnn_layer_has_pass(const vdnn_layer *layer, vdnn_pass pass)
{
    switch (pass) {
    case VDNN_BACKWARD_DATA:
        return wants_any_dx(layer);
    case VDNN_BACKWARD_FILTER:
        return vdnn_layer_writes_dw(layer, pass);
    default:
        return pass == VDNN_FORWARD && !layer->done;
    }
}

double vdnn_layer_flops(const vdnn_layer *layer, vdnn_pass pass)
{
    if (!vdnn_layer_has_pass(layer, pass))
        return 0;
    return layer->def->flops(layer, pass);
}

static double input_bytes(const vdnn_layer *layer)
{
    double bytes = 0;
    for (int32_t i = 0; i < layer->input_count; i++)
        bytes += (double)vdnn_desc_bytes(&layer->x[i]);
    return bytes;
}

static double wanted_gradient_bytes(const vdnn_layer *layer)
{
    double bytes = 0;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            bytes += (double)vdnn_desc_bytes(&layer->x[i]);
    return bytes;
}

static double needed_bytes(const vdnn_layer *layer, vdnn_needs needs)
{
    double bytes = 0;
    if (needs & VDNN_NEEDS_X)
        bytes += input_bytes(layer);
    if (needs & VDNN_NEEDS_Y)
        bytes += (double)vdnn_desc_bytes(&layer->y);
    if (needs & VDNN_NEEDS_W)
        bytes += (double)layer->param_bytes;
    if (needs & VDNN_NEEDS_AUX)
        bytes += (double)layer->aux_bytes;
    return bytes;
}

double vdnn_layer_bytes(const vdnn_layer *layer, vdnn_pass pass)
{
    if (!vdnn_layer_has_pass(layer, pass))
        return 0;
    double y = (double)vdnn_desc_bytes(&layer->y);
    if (pass == VDNN_FORWARD)
        return input_bytes(layer) + y + (double)layer->param_bytes + (double)layer->aux_bytes;
    double written = pass == VDNN_BACKWARD_DATA ? wanted_gradient_bytes(layer) : 0;
    if (vdnn_layer_writes_dw(layer, pass))
        written += (double)layer->trainable_bytes;
    return y + needed_bytes(layer, layer->needs[pass]) + written;
}

const char *vdnn_algorithm_refusal(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                   vdnn_pass pass)
{
    if (!vdnn_layer_has_pass(layer, pass))
        return "the layer has no such pass";
    if ((algorithm->passes & (1U << pass)) == 0)
        return "the algorithm has no such pass";
    vdnn_kernel asked = {.algorithm = algorithm, .layer = layer, .pass = pass, .threads = 1};
    return algorithm->refusal == NULL ? NULL : algorithm->refusal(&asked);
}

static vdnn_status check_applies(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                 vdnn_pass pass, int threads)
{
    const char *refusal = vdnn_algorithm_refusal(algorithm, layer, pass);
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_USAGE, "%s layer '%s': algorithm '%s' cannot do its %s: %s",
                                layer->def->type, layer->name, algorithm->name,
                                vdnn_pass_text(pass), refusal);
    if (threads < 1)
        return vdnn_status_fail(VDNN_USAGE,
                                "%s layer '%s': %d threads asked for, at least 1 needed",
                                layer->def->type, layer->name, threads);
    return VDNN_OK;
}

vdnn_status vdnn_algorithm_workspace(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                     vdnn_pass pass, int threads, size_t *bytes)
{
    vdnn_status status = check_applies(algorithm, layer, pass, threads);
    if (status != VDNN_OK)
        return status;
    size_t found = 0;
    vdnn_kernel asked = {.algorithm = algorithm, .layer = layer, .pass = pass, .threads = threads};
    if (algorithm->workspace != NULL)
        status = algorithm->workspace(&asked, &found);
    if (status == VDNN_OK)
        *bytes = found;
    return status;
}

vdnn_status vdnn_kernel_create(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                               vdnn_pass pass, int threads, vdnn_kernel **kernel)
{
    size_t workspace_bytes = 0;
    vdnn_status status =
        vdnn_algorithm_workspace(algorithm, layer, pass, threads, &workspace_bytes);
    if (status != VDNN_OK)
        return status;
    vdnn_kernel *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s layer '%s': no memory for a kernel (%zu bytes)",
                                layer->def->type, layer->name, sizeof *made);
    made->algorithm = algorithm;
    made->layer = layer;
    made->pass = pass;
    made->threads = threads;
    made->workspace_bytes = workspace_bytes;
    if (algorithm->create != NULL)
        status = algorithm->create(made, &made->state);
    if (status != VDNN_OK)
        goto fail;
    *kernel = made;
    return VDNN_OK;
fail:
    vdnn_heap_free(made);
    return status;
}

void vdnn_kernel_destroy(vdnn_kernel *kernel)
{
    if (kernel == NULL)
        return;
    if (kernel->algorithm->destroy != NULL)
        kernel->algorithm->destroy(kernel->state);
    vdnn_heap_free(kernel);
}

vdnn_status vdnn_kernel_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    VDNN_INVARIANT(kernel->workspace_bytes == 0 || args->workspace != NULL, ==, 1);
    return kernel->algorithm->run(kernel, args);
}
