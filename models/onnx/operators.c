#include "models/onnx/network.h"

#define WINDOW "auto_pad kernel_shape pads strides dilations ceil_mode storage_order"

static const vdnn_onnx_operator operators[] = {
    {"Add", 2, 2, "", vdnn_onnx_map_add},
    {"AveragePool", 1, 1, WINDOW " count_include_pad", vdnn_onnx_map_avgpool},
    {"BatchNormalization", 5, 5, "epsilon momentum training_mode spatial", vdnn_onnx_map_batchnorm},
    {"Cast", 1, 1, "to saturate", vdnn_onnx_map_cast},
    {"Clip", 1, 3, "max min", vdnn_onnx_map_clip},
    {"Concat", 1, -1, "axis", vdnn_onnx_map_concat},
    {"Constant", 0, 0, "value value_int value_ints value_float value_floats",
     vdnn_onnx_map_constant},
    {"Conv", 2, 3, "auto_pad kernel_shape pads strides dilations group", vdnn_onnx_map_conv},
    {"ConvTranspose", 2, 3,
     "auto_pad kernel_shape pads strides dilations group output_padding output_shape",
     vdnn_onnx_map_conv_transpose},
    {"Div", 2, 2, "", vdnn_onnx_map_normalization},
    {"Dropout", 1, 3, "ratio seed", vdnn_onnx_map_dropout},
    {"Flatten", 1, 1, "axis", vdnn_onnx_map_flatten},
    {"Gather", 2, 2, "axis", vdnn_onnx_map_gather},
    {"Gelu", 1, 1, "approximate", vdnn_onnx_map_gelu},
    {"Gemm", 2, 3, "alpha beta transA transB", vdnn_onnx_map_gemm},
    {"GlobalAveragePool", 1, 1, "", vdnn_onnx_map_global_avgpool},
    {"GlobalMaxPool", 1, 1, "", vdnn_onnx_map_global_maxpool},
    {"HardSwish", 1, 1, "", vdnn_onnx_map_hardswish},
    {"Identity", 1, 1, "", vdnn_onnx_map_identity},
    {"InstanceNormalization", 3, 3, "epsilon", vdnn_onnx_map_instancenorm},
    {"LRN", 1, 1, "alpha beta bias size", vdnn_onnx_map_lrn},
    {"LayerNormalization", 3, 3, "axis epsilon stash_type", vdnn_onnx_map_layernorm},
    {"LeakyRelu", 1, 1, "alpha", vdnn_onnx_map_leaky_relu},
    {"LogSoftmax", 1, 1, "axis", vdnn_onnx_map_softmax},
    {"MatMul", 2, 2, "", vdnn_onnx_map_matmul},
    {"MaxPool", 1, 1, WINDOW, vdnn_onnx_map_maxpool},
    {"Mul", 2, 2, "", vdnn_onnx_map_mul},
    {"Pad", 1, 4, "mode pads value", vdnn_onnx_map_pad},
    {"ReduceMean", 1, 2, "axes keepdims noop_with_empty_axes", vdnn_onnx_map_reduce_mean},
    {"Relu", 1, 1, "", vdnn_onnx_map_relu},
    {"Reshape", 2, 2, "allowzero", vdnn_onnx_map_reshape},
    {"Resize", 2, 4,
     "antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside "
     "extrapolation_value keep_aspect_ratio_policy mode nearest_mode",
     vdnn_onnx_map_resize},
    {"Shape", 1, 1, "start end", vdnn_onnx_map_shape},
    {"Sigmoid", 1, 1, "", vdnn_onnx_map_sigmoid},
    {"Slice", 1, 5, "axes ends starts", vdnn_onnx_map_slice},
    {"Softmax", 1, 1, "axis", vdnn_onnx_map_softmax},
    {"Squeeze", 1, 2, "axes", vdnn_onnx_map_squeeze},
    {"Sub", 2, 2, "", vdnn_onnx_map_normalization},
    {"Sum", 1, -1, "", vdnn_onnx_map_add},
    {"Tanh", 1, 1, "", vdnn_onnx_map_tanh},
    {"Transpose", 1, 1, "perm", vdnn_onnx_map_transpose},
    {"Unsqueeze", 1, 2, "axes", vdnn_onnx_map_unsqueeze},
    {"Upsample", 2, 2, "mode", vdnn_onnx_map_upsample},
};

const vdnn_onnx_operator *vdnn_onnx_operator_at(size_t i)
{
    return i < sizeof operators / sizeof *operators ? &operators[i] : NULL;
}
