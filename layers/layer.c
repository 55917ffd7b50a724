#include "layers/layer.h"

#include "layers/shape.h"
#include "runtime/base/heap.h"

static const char *const pass_texts[] = {
#define X(name, value, text) text,
    VDNN_PASS_TABLE(X)
#undef X
};

const char *vdnn_pass_text(vdnn_pass pass)
{
    return (size_t)pass < VDNN_PASS_COUNT ? pass_texts[pass] : "unknown";
}

vdnn_status vdnn_layer_infer(vdnn_layer *layer)
{
    VDNN_TRY(vdnn_shape_complete(layer));
    VDNN_TRY(layer->def->infer(layer));
    if (!layer->is_frozen)
        return VDNN_OK;
    for (int32_t p = 0; p < layer->param_count; p++)
        layer->params[p].trainable = false;
    layer->trainable_bytes = 0;
    return VDNN_OK;
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

bool vdnn_layer_counts_labels(const vdnn_layer *layer)
{
    return layer->ignored != VDNN_NO_LABEL && layer->def->sample_loss == NULL;
}

size_t vdnn_layer_joint_count(const vdnn_layer *layer, vdnn_pass pass)
{
    return layer->def->joint_count == NULL ? 0 : layer->def->joint_count(layer, pass);
}

int32_t vdnn_layer_dx_over_dy(const vdnn_layer *layer)
{
    return layer->in_place || layer->def->dx_over_dy ? first_wanted(layer) : -1;
}

bool vdnn_layer_writes_aux(const vdnn_layer *layer, bool recompute)
{
    return layer->aux_bytes > 0 && !(recompute && layer->def->recompute_reads_aux);
}

bool vdnn_layer_writes_dw(const vdnn_layer *layer, vdnn_pass pass)
{
    bool joint = layer->def->joint && wants_any_dx(layer);
    return layer->trainable_bytes > 0 &&
           pass == (joint ? VDNN_BACKWARD_DATA : VDNN_BACKWARD_FILTER);
}

bool vdnn_layer_owns(const vdnn_layer *layer, int32_t param)
{
    return param > 0 || layer->owner == layer->index;
}

size_t vdnn_layer_summed_bytes(const vdnn_layer *layer)
{
    size_t end = 0;
    if (layer->is_tied) /* all of it, other layers' too */
        return layer->trainable_bytes;
    for (int32_t p = 0; p < layer->param_count; p++) {
        const vdnn_param *param = &layer->params[p];
        if (param->trainable && param->update != VDNN_UPDATE_AVERAGE)
            end = param->offset + param->bytes;
    }
    return end;
}

vdnn_role vdnn_layer_role(const vdnn_layer *layer)
{
    const vdnn_layer_def *def = layer->def;
    if (def->role == VDNN_ROLE_CLASSIFIER && def->target == VDNN_TARGET_NONE &&
        vdnn_desc_is_sequence(&layer->y))
        return VDNN_ROLE_CONV;
    if (def->role == VDNN_ROLE_ACTIVATION && (def->lean[0] & VDNN_NEEDS_X) != 0)
        return VDNN_ROLE_FEATURE;
    return def->role;
}

bool vdnn_layer_has_pass(const vdnn_layer *layer, vdnn_pass pass)
{
    switch (pass) {
    case VDNN_BACKWARD_DATA:
        return wants_any_dx(layer);
    case VDNN_BACKWARD_FILTER:
        return vdnn_layer_writes_dw(layer, pass);
    default:
        return pass == VDNN_FORWARD && !layer->is_fused && !layer->is_elsewhere;
    }
}

const vdnn_needs *vdnn_layer_rule(const vdnn_layer *layer, const vdnn_needs rule[2])
{
    const vdnn_needs *own = layer->def->needs_of == NULL ? NULL : layer->def->needs_of(layer);
    return own == NULL ? rule : own;
}

vdnn_needs vdnn_layer_needs(const vdnn_layer *layer)
{
    return layer->needs[VDNN_BACKWARD_DATA] | layer->needs[VDNN_BACKWARD_FILTER];
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
    double y = (double)vdnn_desc_bytes(&layer->y), w = (double)layer->param_bytes;
    if (layer->def->looks_up && w > y)
        w = y;
    if (pass == VDNN_FORWARD)
        return input_bytes(layer) + y + w + (double)layer->aux_bytes;
    double written = pass == VDNN_BACKWARD_DATA ? wanted_gradient_bytes(layer) : 0;
    if (vdnn_layer_writes_dw(layer, pass))
        written += layer->adds_dw ? 2 * w : (double)layer->trainable_bytes;
    return y + needed_bytes(layer, layer->needs[pass]) + written;
}

/* All but the workspace of algorithms with a separate function for it. */
static vdnn_status ask(const vdnn_kernel *asked, vdnn_offer *offer)
{
    const vdnn_algorithm *algorithm = asked->algorithm;
    *offer = (vdnn_offer){0};
    if (!vdnn_layer_has_pass(asked->layer, asked->pass))
        offer->refusal = "the layer has no such pass";
    else if ((algorithm->passes & (1U << asked->pass)) == 0)
        offer->refusal = "the algorithm has no such pass";
    else if (algorithm->pictures_only && vdnn_desc_is_volume(&asked->layer->x[0]))
        offer->refusal = "it does not support volumes";
    else if (algorithm->ask != NULL)
        return algorithm->ask(asked, offer);
    else if (algorithm->refusal != NULL)
        offer->refusal = algorithm->refusal(asked);
    return VDNN_OK;
}

vdnn_status vdnn_algorithm_ask(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                               vdnn_pass pass, int threads, vdnn_offer *offer)
{
    vdnn_offer found;
    vdnn_kernel asked = {.algorithm = algorithm, .layer = layer, .pass = pass, .threads = threads};
    if (threads < 1)
        return vdnn_status_fail(VDNN_USAGE,
                                "%s layer '%s': %d threads requested, expected at least 1",
                                layer->def->type, layer->name, threads);
    vdnn_status status = ask(&asked, &found);
    if (status == VDNN_OK && found.refusal == NULL && algorithm->workspace != NULL)
        status = algorithm->workspace(&asked, &found.workspace_bytes);
    if (status == VDNN_OK)
        *offer = found;
    return status;
}

const char *vdnn_algorithm_refusal(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                   vdnn_pass pass)
{
    vdnn_offer offer;
    vdnn_kernel asked = {.algorithm = algorithm, .layer = layer, .pass = pass, .threads = 1};
    return ask(&asked, &offer) == VDNN_OK ? offer.refusal
                                          : "its library failed when it was queried";
}

vdnn_work vdnn_algorithm_work(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                              vdnn_pass pass)
{
    const vdnn_layer_def *def = layer->def;
    if (algorithm->work != NULL)
        return algorithm->work(layer, pass, algorithm->tile);
    return (vdnn_work){vdnn_layer_flops(layer, pass),
                       def->depth == NULL ? -1 : def->depth(layer, pass)};
}

static vdnn_status check_applies(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                 vdnn_pass pass, const vdnn_offer *offer)
{
    if (offer->refusal == NULL)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE, "%s layer '%s': algorithm '%s' cannot do its %s: %s",
                            layer->def->type, layer->name, algorithm->name, vdnn_pass_text(pass),
                            offer->refusal);
}

vdnn_status vdnn_algorithm_workspace(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                     vdnn_pass pass, int threads, size_t *bytes)
{
    vdnn_offer offer;
    vdnn_status status = vdnn_algorithm_ask(algorithm, layer, pass, threads, &offer);
    VDNN_IF_OK(status, check_applies(algorithm, layer, pass, &offer));
    if (status == VDNN_OK)
        *bytes = offer.workspace_bytes;
    return status;
}

vdnn_status vdnn_kernel_create(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                               vdnn_pass pass, int threads, vdnn_kernel **kernel)
{
    vdnn_offer offer;
    vdnn_status status = vdnn_algorithm_ask(algorithm, layer, pass, threads, &offer);
    return status == VDNN_OK
               ? vdnn_kernel_create_offered(algorithm, layer, pass, threads, &offer, kernel)
               : status;
}

vdnn_status vdnn_kernel_create_offered(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                       vdnn_pass pass, int threads, const vdnn_offer *offer,
                                       vdnn_kernel **kernel)
{
    vdnn_status status = check_applies(algorithm, layer, pass, offer);
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
    made->workspace_bytes = offer->workspace_bytes;
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
    VDNN_INVARIANT(args->weight > 0, ==, 1);
    return kernel->algorithm->run(kernel, args);
}
