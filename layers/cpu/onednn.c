#include "layers/cpu/onednn.h"

static const char *const result_texts[] = {
    [dnnl_success] = "success",
    [dnnl_out_of_memory] = "out of memory",
    [dnnl_invalid_arguments] = "invalid arguments",
    [dnnl_unimplemented] = "the library has nothing for this shape",
    [dnnl_iterator_ends] = "no further implementation",
    [dnnl_runtime_error] = "runtime error",
    [dnnl_not_required] = "not required",
};

vdnn_status vdnn_onednn_check(dnnl_status_t result, const vdnn_layer *layer, const char *what)
{
    if (result == dnnl_success)
        return VDNN_OK;
    size_t known = sizeof result_texts / sizeof result_texts[0];
    const char *text = (size_t)result < known ? result_texts[result] : "unknown failure";
    vdnn_status status = result == dnnl_out_of_memory ? VDNN_NO_MEMORY : VDNN_DEVICE;
    return vdnn_status_fail(status, "%s layer '%s': oneDNN refused %s: %s", layer->def->type,
                            layer->name, what, text);
}
