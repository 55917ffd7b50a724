#include "layers/conv/cpu_onednn.h"

VDNN_CONV_ONEDNN_ROW(direct, dnnl_convolution_direct, vdnn_conv_onednn_direct_refusal, NULL, 0);
