#include "layers/cpu/onednn.h"

#if DNNL_VERSION_MAJOR >= 3
#define NO_FURTHER dnnl_last_impl_reached
#else
#define NO_FURTHER dnnl_iterator_ends
#endif

static const char *const result_texts[] = {
    [dnnl_success] = "success",
    [dnnl_out_of_memory] = "out of memory",
    [dnnl_invalid_arguments] = "invalid arguments",
    [dnnl_unimplemented] = "the library has nothing for this shape",
    [NO_FURTHER] = "no further implementation",
    [dnnl_runtime_error] = "runtime error",
    [dnnl_not_required] = "not required",
};

vdnn_status vdnn_onednn_check(dnnl_status_t result, const vdnn_layer *layer, const char *what)
{
    if (result == dnnl_success)
        return VDNN_OK;
    size_t known = sizeof result_texts / sizeof result_texts[0];
    const char *text = (size_t)result < known ? result_texts[result] : NULL;
    vdnn_status status = result == dnnl_out_of_memory ? VDNN_NO_MEMORY : VDNN_DEVICE;
    return vdnn_status_fail(status, "%s layer '%s': oneDNN refused %s: %s", layer->def->type,
                            layer->name, what, text != NULL ? text : "unknown failure");
}

bool vdnn_onednn_has_bf16(void)
{
    const unsigned needed = dnnl_cpu_isa_avx512_core_bf16;
    return ((unsigned)dnnl_get_effective_cpu_isa() & needed) == needed;
}

const char *vdnn_onednn_name(const_dnnl_primitive_desc_t desc)
{
    const char *name = NULL;
    dnnl_status_t result = dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name);
    return result == dnnl_success ? name : "unknown";
}

static dnnl_status_t append_relu(dnnl_post_ops_t operations)
{
#if DNNL_VERSION_MAJOR >= 3
    return dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_relu, 0, 0);
#else
    return dnnl_post_ops_append_eltwise(operations, 1, dnnl_eltwise_relu, 0, 0);
#endif
}

dnnl_status_t vdnn_onednn_attributes(bool relu, dnnl_primitive_attr_t *attributes)
{
    dnnl_post_ops_t operations;
    dnnl_status_t result = dnnl_primitive_attr_create(attributes);
    if (result == dnnl_success)
        result = dnnl_primitive_attr_set_scratchpad_mode(*attributes, dnnl_scratchpad_mode_user);
    if (result != dnnl_success || !relu)
        return result;
    result = dnnl_post_ops_create(&operations);
    if (result != dnnl_success)
        return result;
    result = append_relu(operations);
    if (result == dnnl_success)
        result = dnnl_primitive_attr_set_post_ops(*attributes, operations);
    (void)dnnl_post_ops_destroy(operations);
    return result;
}

/* ---- tensors --------------------------------------------------------------------------------- */

void vdnn_onednn_tensor_clear(vdnn_onednn_tensor *tensor)
{
#if DNNL_VERSION_MAJOR >= 3
    if (tensor->desc != NULL)
        (void)dnnl_memory_desc_destroy(tensor->desc);
#endif
    *tensor = (vdnn_onednn_tensor){0};
}

static void begin_tensor(vdnn_onednn_tensor *tensor, int rank, const dnnl_dims_t dims)
{
    vdnn_onednn_tensor_clear(tensor);
    tensor->rank = rank;
    for (int d = 0; d < rank; d++)
        tensor->dims[d] = dims[d];
}

dnnl_status_t vdnn_onednn_tensor_make(vdnn_onednn_tensor *tensor, int rank, const dnnl_dims_t dims,
                                      dnnl_data_type_t type, dnnl_format_tag_t format)
{
    begin_tensor(tensor, rank, dims);
#if DNNL_VERSION_MAJOR >= 3
    return dnnl_memory_desc_create_with_tag(&tensor->desc, rank, dims, type, format);
#else
    return dnnl_memory_desc_init_by_tag(&tensor->desc, rank, dims, type, format);
#endif
}

dnnl_status_t vdnn_onednn_tensor_make_strided(vdnn_onednn_tensor *tensor, int rank,
                                              const dnnl_dims_t dims, dnnl_data_type_t type,
                                              const dnnl_dims_t strides)
{
    begin_tensor(tensor, rank, dims);
#if DNNL_VERSION_MAJOR >= 3
    return dnnl_memory_desc_create_with_strides(&tensor->desc, rank, dims, type, strides);
#else
    return dnnl_memory_desc_init_by_strides(&tensor->desc, rank, dims, type, strides);
#endif
}

vdnn_onednn_format vdnn_onednn_tensor_format(const vdnn_onednn_tensor *tensor)
{
#if DNNL_VERSION_MAJOR >= 3
    return tensor->desc;
#else
    return &tensor->desc;
#endif
}

/* ---- products -------------------------------------------------------------------------------- */

dnnl_status_t vdnn_onednn_matmul(dnnl_engine_t engine, vdnn_onednn_format a, vdnn_onednn_format b,
                                 vdnn_onednn_format bias, vdnn_onednn_format c,
                                 const_dnnl_primitive_attr_t attributes,
                                 dnnl_primitive_desc_t *made)
{
#if DNNL_VERSION_MAJOR >= 3
    return dnnl_matmul_primitive_desc_create(made, engine, a, b, bias, c, attributes);
#else
    dnnl_matmul_desc_t desc;
    dnnl_status_t result = dnnl_matmul_desc_init(&desc, a, b, bias, c);
    return result == dnnl_success
               ? dnnl_primitive_desc_create(made, &desc, attributes, engine, NULL)
               : result;
#endif
}

/* ---- convolutions ---------------------------------------------------------------------------- */

#if DNNL_VERSION_MAJOR >= 3

static dnnl_status_t first_implementation(const vdnn_onednn_request *r, dnnl_primitive_desc_t *made)
{
    switch (r->pass) {
    case VDNN_FORWARD:
        return dnnl_convolution_forward_primitive_desc_create(
            made, r->engine, dnnl_forward_training, r->kind, r->x, r->w, r->bias, r->y, r->stride,
            r->dilation, r->pad, r->pad, r->attributes);
    case VDNN_BACKWARD_DATA:
        return dnnl_convolution_backward_data_primitive_desc_create(
            made, r->engine, r->kind, r->x, r->w, r->y, r->stride, r->dilation, r->pad, r->pad,
            NULL, r->attributes);
    default:
        return dnnl_convolution_backward_weights_primitive_desc_create(
            made, r->engine, r->kind, r->x, r->w, r->bias, r->y, r->stride, r->dilation, r->pad,
            r->pad, NULL, r->attributes);
    }
}

dnnl_status_t vdnn_onednn_convolution(const vdnn_onednn_request *request,
                                      dnnl_primitive_desc_t *made)
{
    dnnl_primitive_desc_t each = NULL;
    dnnl_status_t result = first_implementation(request, &each);
    while (result == dnnl_success && !request->accepts(request->context, vdnn_onednn_name(each)))
        result = dnnl_primitive_desc_next_impl(each);
    if (result == dnnl_success)
        *made = each;
    else if (each != NULL)
        (void)dnnl_primitive_desc_destroy(each);
    return result == NO_FURTHER ? dnnl_unimplemented : result;
}

#else

static dnnl_status_t describe(const vdnn_onednn_request *r, dnnl_convolution_desc_t *desc)
{
    switch (r->pass) {
    case VDNN_FORWARD:
        return dnnl_dilated_convolution_forward_desc_init(desc, dnnl_forward_training, r->kind,
                                                          r->x, r->w, r->bias, r->y, r->stride,
                                                          r->dilation, r->pad, r->pad);
    case VDNN_BACKWARD_DATA:
        return dnnl_dilated_convolution_backward_data_desc_init(
            desc, r->kind, r->x, r->w, r->y, r->stride, r->dilation, r->pad, r->pad);
    default:
        return dnnl_dilated_convolution_backward_weights_desc_init(
            desc, r->kind, r->x, r->w, r->bias, r->y, r->stride, r->dilation, r->pad, r->pad);
    }
}

dnnl_status_t vdnn_onednn_convolution(const vdnn_onednn_request *request,
                                      dnnl_primitive_desc_t *made)
{
    dnnl_primitive_desc_iterator_t each = NULL;
    dnnl_convolution_desc_t desc;
    dnnl_status_t result = describe(request, &desc);
    if (result == dnnl_success)
        result = dnnl_primitive_desc_iterator_create(&each, &desc, request->attributes,
                                                     request->engine, NULL);
    while (result == dnnl_success) {
        dnnl_primitive_desc_t next = dnnl_primitive_desc_iterator_fetch(each);
        if (next == NULL)
            result = dnnl_out_of_memory;
        else if (request->accepts(request->context, vdnn_onednn_name(next))) {
            *made = next;
            break;
        } else {
            (void)dnnl_primitive_desc_destroy(next);
            result = dnnl_primitive_desc_iterator_next(each);
        }
    }
    if (each != NULL)
        (void)dnnl_primitive_desc_iterator_destroy(each);
    return result == NO_FURTHER ? dnnl_unimplemented : result;
}

#endif
