#ifndef VDNN_LAYERS_CPU_ONEDNN_H
#define VDNN_LAYERS_CPU_ONEDNN_H

/* Shared by all kernels that call oneDNN: statuses, and one interface to what oneDNN 2 and 3 call
 * differently: tensors (structs there, handles here) and the choice of an implementation.
 *
 * Invariant: a failed call is reported with its name, oneDNN's error and the layer.
 * Threads: any; an engine of one thread is not shared.
 *
 *     status = vdnn_onednn_check(dnnl_engine_create(&engine, dnnl_cpu, 0), layer, "an engine");
 *     result = vdnn_onednn_tensor_make(&tensor, 4, dims, dnnl_f32, dnnl_nchw);
 *     result = vdnn_onednn_convolution(&(vdnn_onednn_request){...}, &primitive_desc);
 *     vdnn_onednn_tensor_clear(&tensor);
 */

#include "layers/layer.h"

#include <dnnl.h>

/* A tensor's type, dimensions and format, as oneDNN's functions take it: borrowed. */
#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t vdnn_onednn_format;
#else
typedef const dnnl_memory_desc_t *vdnn_onednn_format;
#endif

/* The same with what it was made of; all-zero: none. */
typedef struct vdnn_onednn_tensor {
    int rank;
    dnnl_dims_t dims;
    dnnl_memory_desc_t desc;
} vdnn_onednn_tensor;

/* A convolution's pass. Formats of `x`, `w`, `y` may be `any`; `bias` NULL: none. */
typedef struct vdnn_onednn_request {
    vdnn_pass pass;
    dnnl_engine_t engine;
    dnnl_alg_kind_t kind;
    vdnn_onednn_format x, w, y, bias;
    dnnl_dims_t stride, dilation, pad; /* dilation: cells left out, 0: none */
    const_dnnl_primitive_attr_t attributes;
    /* Whether an implementation, by oneDNN's name of it, can be trusted. */
    bool (*accepts)(const void *context, const char *implementation);
    const void *context;
} vdnn_onednn_request;

/* VDNN_OK, VDNN_NO_MEMORY or VDNN_DEVICE; `what` describes the call. */
vdnn_status vdnn_onednn_check(dnnl_status_t result, const vdnn_layer *layer, const char *what);

/* Replaces what the tensor was. `format` may be dnnl_format_tag_any. */
dnnl_status_t vdnn_onednn_tensor_make(vdnn_onednn_tensor *tensor, int rank, const dnnl_dims_t dims,
                                      dnnl_data_type_t type, dnnl_format_tag_t format);
/* The same with elements that are as far apart as `strides` says. */
dnnl_status_t vdnn_onednn_tensor_make_strided(vdnn_onednn_tensor *tensor, int rank,
                                              const dnnl_dims_t dims, dnnl_data_type_t type,
                                              const dnnl_dims_t strides);
void vdnn_onednn_tensor_clear(vdnn_onednn_tensor *tensor);
vdnn_onednn_format vdnn_onednn_tensor_format(const vdnn_onednn_tensor *tensor);

/* The first implementation that is accepted; dnnl_unimplemented: there is none. */
dnnl_status_t vdnn_onednn_convolution(const vdnn_onednn_request *request,
                                      dnnl_primitive_desc_t *made);

/* c = a b + bias; NULL: no bias. Formats of a and b may be `any`. */
dnnl_status_t vdnn_onednn_matmul(dnnl_engine_t engine, vdnn_onednn_format a, vdnn_onednn_format b,
                                 vdnn_onednn_format bias, vdnn_onednn_format c,
                                 const_dnnl_primitive_attr_t attributes,
                                 dnnl_primitive_desc_t *made);

/* Whether the processor multiplies bf16: kernels that emulate it take three times as long as those
 * of f32. */
bool vdnn_onednn_has_bf16(void);

/* Attributes of a primitive that uses the caller's scratch memory, and ends with a relu or not. */
dnnl_status_t vdnn_onednn_attributes(bool relu, dnnl_primitive_attr_t *attributes);

/* oneDNN's name of the implementation. Borrowed. */
const char *vdnn_onednn_name(const_dnnl_primitive_desc_t desc);

#endif
