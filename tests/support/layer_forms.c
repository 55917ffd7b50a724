#include "tests/support/layer_forms.h"

#include "layers/registry.h"
#include "runtime/device/device.h"

const vdnn_layer_form vdnn_layer_forms[VDNN_LAYER_FORMS] = {
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW, false},     {VDNN_F32, VDNN_NCHW, VDNN_NCHW16C, false},
    {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW, false},  {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false},
    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, false},    {VDNN_BF16, VDNN_NCHW, VDNN_NCHW16C, false},
    {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW, false}, {VDNN_BF16, VDNN_NCHW16C, VDNN_NCHW16C, false},
    {VDNN_TF32, VDNN_NCHW, VDNN_NCHW, false},    {VDNN_TF32, VDNN_NCHW, VDNN_NHWC, false},
    {VDNN_BF16, VDNN_NHWC, VDNN_NHWC, false},    {VDNN_BF16, VDNN_NHWC, VDNN_NCHW, false},
    {VDNN_F32, VDNN_NCHW, VDNN_NCHW, true},      {VDNN_BF16, VDNN_NHWC, VDNN_NHWC, true},
    {VDNN_TF32, VDNN_NCHW, VDNN_NHWC4, false},   {VDNN_TF32, VDNN_NHWC4, VDNN_NHWC, false},
    {VDNN_BF16, VDNN_NCHW, VDNN_NHWC8, false},   {VDNN_BF16, VDNN_NHWC8, VDNN_NHWC, false},
};

/* Whether graphs for the device have such maps. */
static bool has_layout(const char *kind, vdnn_layout layout)
{
    return layout == VDNN_NCHW || layout == vdnn_device_preferred_layout(kind) ||
           layout == vdnn_device_other_layout(kind) ||
           (vdnn_layout_is_nhwc(layout) && vdnn_device_other_layout(kind) == VDNN_NHWC);
}

static bool is_padded(vdnn_layout layout)
{
    return vdnn_layout_is_nhwc(layout) && layout != VDNN_NHWC;
}

/* Graphs in nhwc have it wherever a layer may write it; what conversions pad, convolutions alone
 * read. */
static bool has_nhwc(const char *kind, const vdnn_layer_def *def, vdnn_layer_form form)
{
    if (is_padded(form.layout) || is_padded(form.preferred))
        return has_layout(kind, VDNN_NHWC) && def->layout_rule == VDNN_LAYOUT_FREE &&
               is_padded(form.preferred) == def->internal;
    bool is_kept = form.preferred == VDNN_NHWC || def->internal ||
                   def->layout_rule == VDNN_LAYOUT_SAME || def->layout_rule == VDNN_LAYOUT_TO_PLAIN;
    return vdnn_device_other_layout(kind) == VDNN_NHWC &&
           (def->layout_rule != VDNN_LAYOUT_PLAIN || form.layout == VDNN_NCHW) && is_kept;
}

bool vdnn_layer_form_takes_relu(const vdnn_layer_def *def)
{
    return vdnn_layer_def_epilogue(def, vdnn_layer_def_find("relu")) != VDNN_EPILOGUE_NONE;
}

bool vdnn_layer_form_exists(const char *kind, bool is_open, const vdnn_layer_case *one,
                            vdnn_layer_form form)
{
    const vdnn_layer_def *def = vdnn_layer_def_find(one->type);
    bool is_nhwc = vdnn_layout_is_nhwc(form.layout) || vdnn_layout_is_nhwc(form.preferred);
    if (!vdnn_layer_case_has_pictures(one) &&
        (form.layout != VDNN_NCHW || form.preferred != VDNN_NCHW))
        return false;
    if (is_nhwc && !has_nhwc(kind, def, form))
        return false;
    if (form.relu && !(vdnn_layer_form_takes_relu(def) && vdnn_device_fuses_relu(kind)))
        return false;
    if (form.layout != VDNN_NCHW && def->layout_rule == VDNN_LAYOUT_PLAIN)
        return false;
    if (vdnn_device_refusal(kind, form.dtype) != NULL)
        return false;
    if (is_open && (!has_layout(kind, form.layout) || !has_layout(kind, form.preferred)))
        return false;
    return form.preferred == VDNN_NCHW || def->layout_rule == VDNN_LAYOUT_FREE;
}
