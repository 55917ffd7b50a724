/* One suite over every layer type, every row of it for one kind of device, every pass, a table of
 * cases, and every data type and layout. A new row is tested unasked; a new type needs a reference
 * and at least one case. The CPU is that device where VDNN_TEST_DEVICE does not name another one,
 * which says itself which forms its rows are for.
 */

#include "layers/stage.h"
#include "tests/support/error_bound.h"
#include "tests/support/gpu.h"
#include "tests/support/layer_case.h"
#include "tests/support/layer_forms.h"
#include "tests/support/rows.h"
#include "tests/support/vdnn_test.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const vdnn_layer_case cases[] = {
    {"conv", "out=3 kernel=3", "2x2x7x5"},
    {"conv", "out=5 kernel=3 pad=1", "2x3x8x8"},
    {"conv", "out=4 kernel=1", "3x6x5x5"},
    {"conv", "out=4 kernel=1 stride=2 bias=false", "2x3x9x6"},
    {"conv", "out=6 kernel=5x3 stride=2x1 pad=2x0", "1x3x11x9"},
    {"conv", "out=4 kernel=3 dilation=2x3 pad=2", "2x2x9x12"},
    {"conv", "out=6 kernel=3 groups=2 pad=1", "2x4x6x7"},
    {"conv", "out=6 kernel=3x1 groups=6 stride=2 dilation=2", "2x6x9x9"},
    {"conv", "out=8 kernel=11 stride=4 pad=2", "1x3x35x35"},
    {"conv", "out=2 kernel=4 pad=5", "2x2x3x2"},
    {"conv", "out=1 kernel=1", "1x1x1x1"},
    {"conv", "out=33 kernel=3 pad=1", "2x17x13x13"},
    {"conv", "out=3 kernel=3 pad=1", "1x2x4x150"},
    {"conv", "out=16 kernel=3 pad=1", "5x16x16x16"},
    {"conv", "out=7 kernel=7x5 bias=false", "4x5x7x5"},
    {"conv", "out=3 kernel=3 pad=1", "19x2x5x6"},
    {"conv", "out=3 kernel=3 pad=1", "2x2x4x5x6"},
    {"conv", "out=16 kernel=3 pad=1", "2x16x6x5x7"},
    {"conv", "out=35 kernel=3 stride=2 pad=1", "1x17x7x6x9"},
    {"conv", "out=5 kernel=3x1x2 stride=2x1x3 pad=1x0x1 bias=false", "2x3x7x4x8"},
    {"conv", "out=6 kernel=2x3x1 dilation=3x1x2 pad=3x1x0 groups=2", "2x4x5x6x3"},
    {"conv", "out=16 kernel=1", "3x32x3x2x5"},
    {"conv", "out=4 kernel=1x3x3 pad=0x1x1", "1x3x1x7x5"},
    {"conv", "out=2 kernel=2 stride=2", "1x1x2x2x2"},
    {"conv", "out=32 kernel=3 pad=1", "1x1x5x20x18"},
    {"conv", "out=3 kernel=5x1 pad=2x0", "2x4x37x1"},
    {"conv", "out=32 kernel=3 groups=8 pad=1", "3x32x9x17"},
    {"conv", "out=40 kernel=5 stride=2 groups=40 pad=2", "9x40x11x20"},
    {"conv", "out=48 kernel=3x5 stride=2 groups=6 pad=1x2 bias=false", "2x48x12x31"},
    {"conv", "out=32 kernel=5x3 groups=2 pad=2x1", "2x32x6x7"},
    {"conv", "out=26 kernel=3 stride=2x1 groups=13 pad=0x3", "1x26x8x5"},
    {"conv_transpose", "out=5 kernel=2 stride=2", "2x3x4x5"},
    {"conv_transpose", "out=16 kernel=3 stride=2 pad=1 output_pad=1", "2x32x5x4"},
    {"conv_transpose", "out=6 kernel=3x2 stride=1x3 dilation=2x1 groups=2 bias=false", "1x4x5x3"},
    {"conv_transpose", "out=1 kernel=1", "1x1x1x1"},
    {"conv_transpose", "out=35 kernel=4 stride=2 pad=1", "3x17x3x3"},
    {"conv_transpose", "out=16 kernel=2 stride=2", "2x32x2x3x4"},
    {"conv_transpose", "out=3 kernel=3x1x2 stride=2x1x2 pad=1x0x0 output_pad=1x0x1", "1x5x3x4x2"},
    {"conv_transpose", "out=33 kernel=3 pad=1 bias=false", "1x16x3x9x8"},
    {"conv_transpose", "out=3 kernel=5x1 stride=4x1 pad=2x0", "2x4x77x1"},
    {"fc", "out=10", "3x7x1x1"},
    {"fc", "out=1", "1x1x1x1"},
    {"fc", "out=17 bias=false", "5x3x4x3"},
    {"fc", "out=70", "33x9x11x3"},
    {"maxpool", "kernel=2", "2x3x8x6"},
    {"maxpool", "kernel=3 stride=2", "2x2x11x9"},
    {"maxpool", "kernel=3 stride=2 pad=1", "2x2x10x7"},
    {"maxpool", "kernel=3 stride=2 ceil=true", "1x2x10x8"},
    {"maxpool", "kernel=2 stride=2 pad=1 ceil=true", "1x2x7x5"},
    {"maxpool", "kernel=3x2 stride=1x3 pad=1x0", "2x2x5x9"},
    {"maxpool", "kernel=3 stride=2 ceil=true", "1x1x2x2"},
    {"maxpool", "kernel=17x16 stride=5", "1x2x33x20"},
    {"maxpool", "kernel=1", "1x1x1x1"},
    {"maxpool", "kernel=3 stride=1 pad=1", "1x2x3x150"},
    {"maxpool", "kernel=5x9 stride=2x3 pad=2x4", "1x2x9x211"},
    {"maxpool", "kernel=2", "2x16x8x6"},
    {"maxpool", "kernel=3 stride=2", "1x35x9x7"},
    {"maxpool", "kernel=3 stride=1 pad=1", "1x17x5x70"},
    {"maxpool", "kernel=2 stride=3", "1x3x11x8"},
    {"maxpool", "kernel=2", "1x3x4x70"},
    {"maxpool", "kernel=3 stride=2 pad=1 ceil=true", "1x2x7x66"},
    {"maxpool", "kernel=16x17 stride=3", "1x17x17x40"},
    {"maxpool", "kernel=17x16 stride=5", "1x8x18x20"},
    {"maxpool", "kernel=2", "2x32x4x6x8"},
    {"maxpool", "kernel=3 stride=2 pad=1", "2x17x5x7x37"},
    {"maxpool", "kernel=3x1x2 stride=1x2x3 pad=1x0x1 ceil=true", "1x3x5x6x300"},
    {"maxpool", "kernel=7 stride=3 pad=3", "1x16x8x9x20"},
    {"maxpool", "kernel=3 stride=1 pad=1", "1x2x1x1x1"},
    {"avgpool", "kernel=2", "2x3x8x6"},
    {"avgpool", "kernel=3 stride=2 pad=1", "2x2x10x7"},
    {"avgpool", "kernel=3 stride=2 pad=1 count_pad=false", "2x2x10x7"},
    {"avgpool", "kernel=3 stride=2 pad=1 ceil=true", "1x2x10x8"},
    {"avgpool", "kernel=4 stride=3 pad=2 ceil=true count_pad=false", "1x2x9x8"},
    {"avgpool", "kernel=7", "3x4x7x7"},
    {"avgpool", "kernel=3x2 stride=1x3", "2x2x5x9"},
    {"avgpool", "kernel=3 stride=1 pad=1", "1x2x3x150"},
    {"avgpool", "kernel=3 stride=2 pad=1 ceil=true", "1x35x9x7"},
    {"avgpool", "kernel=3 stride=1 pad=1 count_pad=false", "2x16x3x70"},
    {"avgpool", "kernel=2 stride=3", "1x3x11x8"},
    {"avgpool", "kernel=3 stride=2 pad=1 ceil=true count_pad=false", "1x2x7x66"},
    {"avgpool", "kernel=2", "2x32x4x6x8"},
    {"avgpool", "kernel=3 stride=2 pad=1 ceil=true count_pad=false", "2x17x5x7x37"},
    {"avgpool", "kernel=3x1x2 stride=1x2x3 pad=1x0x1", "1x3x5x6x300"},
    {"avgpool", "kernel=7 stride=3 pad=3", "1x16x8x9x20"},
    {"relu", "", "2x3x5x7"},
    {"relu", "", "1x1x1x1"},
    {"relu", "", "3x5x31x37"},
    {"relu", "", "2x32x9x16"},
    {"relu", "", "1x1x16x256"},
    {"gelu", "", "2x3x5x7"},
    {"gelu", "", "1x1x1"},
    {"gelu", "", "3x31x37"},
    {"gelu", "", "3x35x9x13"},
    {"gelu", "", "2x5x300"},
    {"gelu", "approximate=tanh", "2x3x5x7"},
    {"gelu", "approximate=tanh", "1x1x1"},
    {"gelu", "approximate=tanh", "3x31x37"},
    {"gelu", "approximate=tanh", "3x35x9x13"},
    {"gelu", "approximate=tanh", "2x5x300"},
    {"silu", "", "2x3x5x7"},
    {"silu", "", "1x1x1"},
    {"silu", "", "3x31x37"},
    {"silu", "", "3x35x9x13"},
    {"silu", "", "2x5x300"},
    {"tanh", "", "2x3x5x7"},
    {"tanh", "", "1x1x1"},
    {"tanh", "", "3x31x37"},
    {"tanh", "", "3x35x9x13"},
    {"tanh", "", "2x5x300"},
    {"sigmoid", "", "2x3x5x7"},
    {"sigmoid", "", "1x1x1"},
    {"sigmoid", "", "3x31x37"},
    {"sigmoid", "", "3x35x9x13"},
    {"sigmoid", "", "2x5x300"},
    {"relu6", "", "2x3x5x7"},
    {"relu6", "", "1x1x1"},
    {"relu6", "", "3x31x37"},
    {"relu6", "", "3x35x9x13"},
    {"relu6", "", "2x5x300"},
    {"leaky_relu", "", "2x3x5x7"},
    {"leaky_relu", "", "1x1x1"},
    {"leaky_relu", "", "3x31x37"},
    {"leaky_relu", "", "3x35x9x13"},
    {"leaky_relu", "", "2x5x300"},
    {"leaky_relu", "slope=0.3", "2x3x5x7"},
    {"hardswish", "", "2x3x5x7"},
    {"hardswish", "", "1x1x1"},
    {"hardswish", "", "3x31x37"},
    {"hardswish", "", "3x35x9x13"},
    {"hardswish", "", "2x5x300"},
    {"dropout", "p=0.5", "2x3x5x7"},
    {"dropout", "p=0.25", "3x5x31x37"},
    {"dropout", "p=0.3", "3x8x7x6"},
    {"dropout", "p=0", "1x1x1x3"},
    {"dropout", "p=1", "2x9x1x1"},
    {"flatten", "", "2x3x5x7"},
    {"flatten", "", "3x5"},
    {"flatten", "", "3x31x37"},
    {"flatten", "", "1x1x1"},
    {"concat", "", "2x3x4x5"},
    {"concat", "", "2x3x4x5 2x1x4x5 2x7x4x5"},
    {"concat", "", "1x1x1x1 1x2x1x1"},
    {"concat", "", "2x16x4x5 2x48x4x5 2x32x4x5"},
    {"concat", "", "2x16x3x2 2x24x3x2 2x9x3x2 2x17x3x2"},
    {"concat", "", "2x32x1x7 2x20x1x7"},
    {"concat", "", "3x5x7 3x5x2"},
    {"concat", "", "2x9x16 2x9x33 2x9x1"},
    {"concat", "", "1x1x1"},
    {"convert", "", "2x35x3x7"},
    {"convert", "", "3x2x9x15"},
    {"convert", "", "2x70x5x13"},
    {"add", "", "2x3x4x5 2x3x4x5"},
    {"add", "", "3x5x31x37 3x5x31x37 3x5x31x37"},
    {"add", "", "1x20x16x16 1x20x16x16"},
    {"add", "", "2x3x5x7 2x3x5x7 2x3x5x7 2x3x5x7 2x3x5x7 2x3x5x7 2x3x5x7"},
    {"mul", "", "2x3x4x5 2x3x4x5"},
    {"mul", "", "3x5x31x37 3x5x31x37 3x5x31x37"},
    {"mul", "", "1x20x16x16 1x20x16x16"},
    {"mul", "",
     "1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5 1x3x5"},
    {"mul", "", "3x5x310 3x5x310"},
    {"mul", "", "1x1 1x1"},
    {"global_avgpool", "", "3x5x7x6"},
    {"global_avgpool", "", "1x1x1x1"},
    {"global_avgpool", "", "2x35x7x7"},
    {"upsample", "", "2x3x4x5"},
    {"upsample", "scale=1", "1x1x1x1"},
    {"upsample", "scale=3x2", "2x17x5x7"},
    {"upsample", "mode=bilinear", "2x3x4x5"},
    {"upsample", "mode=bilinear", "1x1x1x1"},
    {"upsample", "mode=bilinear scale=3x4", "2x17x5x7"},
    {"upsample", "mode=bilinear scale=1x7", "1x20x1x40"},
    {"upsample", "scale=3x2x1", "2x17x5x4x7"},
    {"upsample", "mode=bilinear", "1x3x4x5x6"},
    {"upsample", "mode=bilinear scale=3x4x2", "2x17x3x5x7"},
    {"upsample", "mode=bilinear scale=5x1x7", "1x2x1x1x33"},
    {"lrn", "size=5", "2x7x3x4"},
    {"lrn", "size=4 alpha=2 beta=0.5 k=0.1", "2x7x9x11"},
    {"lrn", "size=9 alpha=0.5 k=2", "1x3x5x1"},
    {"lrn", "size=1 alpha=1", "1x1x1x1"},
    {"lrn", "size=5 alpha=2", "2x35x7x5"},
    {"lrn", "size=6 alpha=3 beta=0.6 k=0.5", "1x48x3x11"},
    {"lrn", "size=70 alpha=9", "1x33x3x3"},
    {"lrn", "size=3 alpha=1 k=0", "1x3x2x2"},
    {"batchnorm", "", "2x3x4x5"},
    {"batchnorm", "eps=0.001", "5x17x7x7"},
    {"batchnorm", "", "3x33x31x37"},
    {"batchnorm", "momentum=0.5", "1x80x3x2"},
    {"batchnorm", "", "7x1x1x1"},
    {"batchnorm", "eps=1.5", "1x1x1x2"},
    {"batchnorm", "frozen", "5x17x7x7"},
    {"batchnorm", "frozen eps=0.001", "1x33x1x1"},
    {"conv", "frozen out=4 kernel=3x2 pad=1", "2x4x9x7"},
    {"lstm", "frozen out=5", "3x7x4"},
    {"lstm", "frozen out=5 projection=4 chunk=2", "3x7x4"},
    {"layernorm", "frozen", "3x5x17"},
    {"groupnorm", "frozen groups=2", "2x6x3x4"},
    {"parameter", "frozen", "2x3x5"},
    {"layernorm", "", "3x5"},
    {"layernorm", "", "2x5x7"},
    {"layernorm", "eps=0.001", "3x31x37"},
    {"layernorm", "", "5x300"},
    {"layernorm", "", "2x70x768"},
    {"layernorm", "eps=0.1", "1x1x2"},
    {"layernorm", "", "3x2x4100"},
    {"layernorm", "bias=false", "2x9x64"},
    {"layernorm", "eps=0.1", "7x1"},
    {"rmsnorm", "", "3x5"},
    {"rmsnorm", "", "2x5x7"},
    {"rmsnorm", "eps=0.001", "3x31x37"},
    {"rmsnorm", "", "5x300"},
    {"rmsnorm", "", "2x70x768"},
    {"rmsnorm", "", "1x1x2"},
    {"rmsnorm", "", "3x2x4100"},
    {"rmsnorm", "", "2x9x64"},
    {"rmsnorm", "eps=0.1", "7x1"},
    {"groupnorm", "groups=1", "2x3x5x7"},
    {"groupnorm", "groups=3", "3x6x4x5"},
    {"groupnorm", "groups=4 affine=false", "2x8x3x3"},
    {"groupnorm", "groups=2 eps=0.001", "1x34x31x37"},
    {"groupnorm", "groups=2", "3x2x70x61"},
    {"groupnorm", "groups=5", "2x40x1x1"},
    {"groupnorm", "groups=1 eps=0.1", "1x6x1x1"},
    {"instancenorm", "", "2x3x5x7"},
    {"instancenorm", "affine=true", "3x17x4x6"},
    {"instancenorm", "eps=0.1", "1x1x1x2"},
    {"instancenorm", "affine=true eps=0.001", "2x5x31x37"},
    {"relu", "", "2x5x7"},
    {"dropout", "p=0.25", "3x31x37"},
    {"add", "", "3x5x31 3x5x31"},
    {"global_avgpool", "", "3x5x7"},
    {"global_avgpool", "", "1x1x1"},
    {"global_avgpool", "", "2x9x300"},
    {"embedding", "out=1", "1x1<1"},
    {"embedding", "out=5", "3x7<4"},
    {"embedding", "out=33", "2x19<50"},
    {"embedding", "out=300", "5x70<90"},
    {"embedding", "out=3", "1x4096<90"},
    {"attention", "heads=1", "1x1x3"},
    {"attention", "heads=2", "2x5x18"},
    {"attention", "heads=3 causal=true", "2x17x45"},
    {"attention", "heads=4 kv_heads=2 causal=true", "1x70x128"},
    {"attention", "heads=6 kv_heads=1", "2x33x64"},
    {"attention", "heads=1", "1x150x240"},
    {"attention", "heads=2 causal=true", "1x333x192"},
    {"attention", "heads=1 causal=true", "2x131x63"},
    {"attention", "heads=1", "1x3x768"},
    {"attention", "heads=2", "2x5x6 2x9x6 2x9x6"},
    {"attention", "heads=4 kv_heads=2", "1x70x64 1x200x32 1x200x32"},
    {"attention", "heads=1", "1x4096x4 1x7x4 1x7x4"},
    {"attention", "heads=1", "1x7x4 1x4096x4 1x4096x4"},
    {"attention", "heads=3 causal=true", "2x19x33 2x19x33 2x19x33"},
    {"attention", "heads=2", "5x9x18 5x1<10"},
    {"attention", "heads=2 causal=true", "6x150x30 6x1<151"},
    {"attention", "heads=4 kv_heads=2", "5x70x24 5x200x12 5x200x12 5x1<201"},
    {"attention", "heads=1 causal=true", "4x3x5 4x3x5 4x3x5 4x1<4"},
    {"additive_attention", "", "3x3x1 3x2x1 3x2x1"},
    {"additive_attention", "", "2x5x6 2x9x6 2x9x4"},
    {"additive_attention", "", "3x17x33 3x35x33 3x35x70"},
    {"additive_attention", "", "1x70x64 1x200x64 1x200x130"},
    {"additive_attention", "", "2x1x300 2x31x300 2x31x1"},
    {"additive_attention", "", "1x333x20 1x7x20 1x7x40"},
    {"additive_attention", "", "7x9x18 7x5x18 7x5x3 7x1<6"},
    {"additive_attention", "", "5x20x10 5x130x10 5x130x16 5x1<131"},
    {"additive_attention", "", "1x7x3 1x4096x3 1x4096x2"},
    {"parameter", "", "1x1x1"},
    {"parameter", "", "3x5x7"},
    {"parameter", "length=9", "2x5x33"},
    {"parameter", "length=70", "5x31x300"},
    {"parameter", "", "1x4096x3"},
    {"parameter", "join=before length=1", "3x1x1"},
    {"parameter", "join=before length=1", "4x17x9"},
    {"parameter", "join=before", "2x7x16"},
    {"parameter", "join=before length=15", "2x3x400"},
    {"rope", "heads=1", "1x1x2"},
    {"rope", "heads=3", "2x7x12"},
    {"rope", "heads=2 theta=500 interleaved=true", "3x17x20"},
    {"rope", "heads=4 kv_heads=2", "2x9x48"},
    {"rope", "heads=1 kv_heads=1 interleaved=true", "1x300x18"},
    {"rope", "heads=1", "1x4096x6"},
    {"rope", "heads=1", "1x5x514"},
    {"slice", "count=1", "1x1x1"},
    {"slice", "count=1", "3x7x5"},
    {"slice", "begin=4 count=3", "3x7x33"},
    {"slice", "begin=1 count=300", "2x350x9"},
    {"to_sequence", "", "1x1x1x1"},
    {"to_sequence", "", "2x3x4x5"},
    {"to_sequence", "", "3x33x7x17"},
    {"to_sequence", "", "2x48x14x14"},
    {"to_sequence", "", "3x5"},
    {"fc", "out=5", "3x7x4"},
    {"fc", "out=1 bias=false", "1x1x1"},
    {"fc", "out=70", "5x9x33"},
    {"fc", "out=210", "3x70x130"},
    {"lstm", "out=1", "1x1x1"},
    {"lstm", "out=5", "3x7x4"},
    {"lstm", "out=9 reverse=true biases=1", "9x5x3"},
    {"lstm", "out=50 biases=0", "5x9x33"},
    {"lstm", "out=100", "19x3x300"},
    {"lstm", "out=7 reverse=true", "2x130x50"},
    {"lstm", "out=3 reverse=true chunk=100", "1x4096x2"},
    {"lstm", "out=6", "7x5x3 7x1<6"},
    {"lstm", "out=50 reverse=true", "19x4x9 19x1<5"},
    {"lstm", "out=5 projection=4 reverse=true", "9x3x4 9x1<4"},
    {"lstm", "out=5 projection=4 biases=1", "4x6x4 4x1<3"},
    {"lstm", "out=1 projection=1", "1x1x3"},
    {"lstm", "out=7 projection=3", "3x5x4"},
    {"lstm", "out=5 projection=9 reverse=true biases=1", "2x4x3"},
    {"lstm", "out=130 projection=49", "17x2x10"},
    {"lstm", "out=5 chunk=3", "3x7x4"},
    {"lstm", "out=50 reverse=true chunk=1", "19x4x9 19x1<5"},
    {"lstm", "out=7 reverse=true chunk=9", "2x130x50"},
    {"lstm", "out=5 projection=9 biases=1 chunk=2", "2x4x3"},
    {"lstm", "out=130 projection=49 chunk=4", "17x2x10"},
    {"mse", "", "3x5x4"},
    {"mse", "", "1x1"},
    {"mse", "", "7x333"},
    {"mse", "", "2x3x33x70"},
    {"bce", "", "3x5x4"},
    {"bce", "", "1x1"},
    {"bce", "positive_weight=3.5", "7x333"},
    {"bce", "positive_weight=0.2", "2x3x33x70"},
    {"dice", "", "3x5x4"},
    {"dice", "background=true", "1x1x1"},
    {"dice", "background=true cross_entropy=0.5", "2x33x3"},
    {"dice", "cross_entropy=1 ignore=2", "3x1500x3"},
    {"dice", "cross_entropy=1 ignore=-1 smooth=1", "2x2100x37"},
    {"dice", "cross_entropy=2", "3x5x310"},
    {"dice", "batch=true", "3x5x4"},
    {"dice", "batch=true background=true cross_entropy=1 ignore=2", "3x1500x3"},
    {"sampled_softmax", "samples=1", "1x1x1"},
    {"sampled_softmax", "samples=9", "3x7x20"},
    {"sampled_softmax", "samples=12 ignore=-100", "5x40"},
    {"sampled_softmax", "samples=40", "2x3x40"},
    {"sampled_softmax", "samples=33 ignore=5", "5x61x70"},
    {"softmax_loss", "", "3x5x4"},
    {"softmax_loss", "ignore=-100", "3x9x4"},
    {"softmax_loss", "ignore=2", "40x5x1x1"},
    {"softmax_loss", "", "4x10x1x1"},
    {"softmax_loss", "", "1x1x1x1"},
    {"softmax_loss", "", "33x2x3x4"},
    {"softmax_loss", "", "7x1000x1x1"},
    {"softmax_loss", "smoothing=0.1", "3x5x4"},
    {"softmax_loss", "smoothing=1", "5x33x1x1"},
    {"softmax_loss", "smoothing=0.5 ignore=3", "3x9x310"},
    {"scale", "factor=2", "2x3x5x7"},
    {"scale", "factor=-0.3", "3x35x9x13"},
    {"scale", "factor=0.125", "2x5x300"},
    {"scale", "factor=3", "1x1x1"},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases, MOST_THREADS = 3, SEED = 42 };

#ifdef VDNN_TEST_DEVICE
static const char *const kind = VDNN_TEST_DEVICE;
#else
static const char *const kind = "cpu";
#endif

static vdnn_device *device; /* NULL: the CPU's kernels are given the tests' own memory */

static bool is_own(const vdnn_algorithm *row, const char *type)
{
    return strcmp(row->device, kind) == 0 && strcmp(row->layer_type, type) == 0;
}

static bool has_pass(const vdnn_algorithm *row, const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_layer_has_pass(layer, pass) && (row->passes & 1U << pass) != 0;
}

/* Whether the row computes the pass of this layer here. */
static bool applies(const vdnn_algorithm *row, const vdnn_layer *layer, vdnn_pass pass)
{
    return is_own(row, layer->def->type) && vdnn_algorithm_refusal(row, layer, pass) == NULL;
}

/* Only the CPU has them. */
static int most_threads(void)
{
    return device == NULL ? MOST_THREADS : 1;
}

/* Of a part of a step: three quarters of its samples, behind three others. */
static vdnn_bench *create_bench(const vdnn_layer *layer, uint64_t seed)
{
    vdnn_bench *bench = vdnn_bench_create(layer, seed);
    bench->device = device;
    bench->first_sample = 3;
    bench->weight = 0.75;
    return bench;
}

/* What a test does with each row. */
typedef struct comparison {
    void (*run)(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass);
    bool (*takes)(const vdnn_algorithm *row, vdnn_pass pass); /* NULL: every row */
    bool tells_refusals;
} comparison;

static void compare_row(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass,
                        const comparison *of)
{
    if ((of->takes == NULL || of->takes(row, pass)) &&
        vdnn_row_begin(vdnn_row_of(bench->layer, row, pass))) {
        of->run(bench, row, pass);
        vdnn_row_end();
    }
}

/* Every row that applies, pass by pass, so that a backward finds the outputs of a forward; every
 * pass of the layer must find a row. */
static void each_row(vdnn_bench *bench, const comparison *of)
{
    const vdnn_layer *layer = bench->layer;
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++) {
        int applying = 0;
        for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
            const vdnn_algorithm *row = vdnn_algorithm_at(i);
            if (!is_own(row, layer->def->type) || !has_pass(row, layer, pass))
                continue;
            const char *refusal = vdnn_algorithm_refusal(row, layer, pass);
            applying += refusal == NULL;
            if (refusal == NULL)
                compare_row(bench, row, pass, of);
            else if (of->tells_refusals)
                vdnn_row_refused(vdnn_row_of(layer, row, pass), refusal);
        }
        if (applying == 0 && vdnn_layer_has_pass(layer, pass) &&
            vdnn_row_begin(vdnn_row_of(layer, NULL, pass))) {
            vdnn_row_fail("no row computes it");
            vdnn_row_end();
        }
    }
}

/* Whether backward needs the same under the rule as under the one before it. */
static bool repeats(const vdnn_layer_def *def, vdnn_rule rule)
{
    if (rule == VDNN_RULE_LEAN)
        return memcmp(def->lean, def->paper, sizeof def->lean) == 0;
    return rule == VDNN_RULE_LEAN_IF_Y && memcmp(def->lean_if_y, def->lean, sizeof def->lean) == 0;
}

static const char *const rule_texts[VDNN_RULE_COUNT] = {"paper", "lean", "lean if y"};

/* No row of a card computes chunks. */
static bool exists(const vdnn_layer_case *one, vdnn_layer_form form)
{
    return (device == NULL || strstr(one->keys, "chunk=") == NULL) &&
           vdnn_layer_form_exists(kind, device != NULL, one, form);
}

/* VDNN_TEST_CASES in the environment is a pattern, as of bash, of `TYPE KEYS on SHAPES`. */
static bool is_wanted(const vdnn_layer_case *one)
{
    char text[256];
    const char *pattern = getenv("VDNN_TEST_CASES");
    (void)snprintf(text, sizeof text, "%s %s%son %s", one->type, one->keys,
                   one->keys[0] == '\0' ? "" : " ", one->inputs);
    return pattern == NULL || fnmatch(pattern, text, FNM_EXTMATCH) == 0;
}

/* By what the case says, so that further cases change nothing of it. */
static uint64_t seed_of(size_t i)
{
    const vdnn_layer_case *one = &cases[i];
    uint64_t seed = SEED;
    for (const char *const *text = (const char *const[]){one->type, one->keys, one->inputs, NULL};
         *text != NULL; text++)
        seed = XXH3_64bits_withSeed(*text, strlen(*text), seed);
    return seed;
}

static void visit_case(size_t i, vdnn_rule rule, vdnn_layer_form form, const comparison *of)
{
    if (!is_wanted(&cases[i]))
        return;
    vdnn_layer *layer = NULL;
    vdnn_rows_note(rule_texts[rule]);
    assert_ok(vdnn_layer_case_build_as(&cases[i], rule, form, &layer));
    vdnn_bench *bench = create_bench(layer, seed_of(i));
    each_row(bench, of);
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

/* Every case in every form. */
static void each_case(vdnn_rule rule, bool all, const comparison *of)
{
    for (size_t i = 0; i < CASE_COUNT; i++) {
        const vdnn_layer_def *def = vdnn_layer_def_find(cases[i].type);
        for (size_t f = 0; f < VDNN_LAYER_FORMS; f++)
            if (exists(&cases[i], vdnn_layer_forms[f]) && (all || !repeats(def, rule)))
                visit_case(i, rule, vdnn_layer_forms[f], of);
    }
}

/* ---- the table itself ------------------------------------------------------------------------ */

static void every_type_has_a_case_a_reference_and_a_name_of_its_own(void **state)
{
    (void)state;
    assert_true(vdnn_layer_def_count() > 0);
    for (size_t i = 0; i < vdnn_layer_def_count(); i++) {
        const vdnn_layer_def *def = vdnn_layer_def_at(i);
        assert_ptr_equal(vdnn_layer_def_find(def->type), def);
        int found = 0;
        for (size_t c = 0; c < CASE_COUNT; c++)
            found += strcmp(cases[c].type, def->type) == 0;
        if (found == 0 || vdnn_reference_find(def->type) == NULL)
            fail_msg("layer type '%s' has %d cases and %s reference", def->type, found,
                     vdnn_reference_find(def->type) == NULL ? "no" : "a");
    }
    assert_null(vdnn_layer_def_at(vdnn_layer_def_count()));
    assert_null(vdnn_layer_def_find("convolution"));
}

static void every_row_belongs_to_a_type_and_is_found_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        assert_non_null(vdnn_layer_def_find(row->layer_type));
        assert_ptr_equal(vdnn_algorithm_find(row->layer_type, row->name, row->device), row);
        assert_true(row->passes != 0 && row->passes < 1U << VDNN_PASS_COUNT);
        assert_true(row->run != NULL || strcmp(row->device, "sim") == 0);
    }
    assert_null(vdnn_algorithm_at(vdnn_algorithm_count()));
    assert_null(vdnn_algorithm_find("conv", "guess", "cpu"));
    assert_null(vdnn_algorithm_find("relu", "native", "abacus"));
}

static void check_key(const vdnn_layer_def *def, size_t i)
{
    static const size_t sizes[] = {
        [VDNN_KEY_INT] = sizeof(int64_t),  [VDNN_KEY_PAIR] = 2 * sizeof(int64_t),
        [VDNN_KEY_REAL] = sizeof(double),  [VDNN_KEY_BOOL] = sizeof(bool),
        [VDNN_KEY_WORD] = sizeof(int64_t), [VDNN_KEY_SIDES] = VDNN_SIDES * sizeof(int64_t)};
    const vdnn_key *key = &def->keys[i];
    const char *const *words = vdnn_layer_def_words(def, i);
    bool preset_found = key->preset_key == NULL;
    assert_true(key->offset + sizes[key->kind] <= def->config_bytes);
    assert_true(key->min <= key->max);
    for (int64_t word = 0; words != NULL && word <= (int64_t)key->max; word++)
        assert_non_null(words[word]);
    if (words != NULL)
        assert_null(words[(int64_t)key->max + 1]);
    if (!key->required && key->preset_key == NULL)
        assert_true(key->preset >= key->min && key->preset <= key->max);
    for (size_t j = 0; j < i; j++) {
        assert_string_not_equal(def->keys[j].name, key->name);
        if (key->preset_key != NULL && strcmp(def->keys[j].name, key->preset_key) == 0)
            preset_found = def->keys[j].kind == key->kind;
    }
    if (!preset_found)
        fail_msg("%s: key '%s' takes its preset from no earlier key", def->type, key->name);
}

static void every_key_fits_its_config_and_its_own_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        for (size_t k = 0; k < vdnn_layer_def_at(i)->key_count; k++)
            check_key(vdnn_layer_def_at(i), k);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void compare_with_reference(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    vdnn_bench_refer(bench, pass);
    double error_bound = vdnn_bench_error_bound(bench, row, pass);
    for (int threads = 1; threads <= most_threads(); threads++)
        if (vdnn_row_ok(vdnn_bench_run(bench, row, pass, threads, 0xff)))
            (void)vdnn_row_within(vdnn_bench_error(bench, pass), error_bound);
}

static const comparison against_reference = {.run = compare_with_reference, .tells_refusals = true};

static void every_row_agrees_with_the_reference(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    for (vdnn_rule rule = VDNN_RULE_PAPER; rule < VDNN_RULE_COUNT; rule++)
        each_case(rule, false, &against_reference);
    vdnn_rows_end();
}

static void compare_evaluation(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    bench->context.evaluate = true;
    compare_with_reference(bench, row, pass);
    bench->context.evaluate = false;
}

/* Whose reference knows them. */
static bool evaluates(const vdnn_algorithm *row, vdnn_pass pass)
{
    return pass == VDNN_FORWARD && strcmp(row->layer_type, "sampled_softmax") == 0;
}

static const comparison evaluations = {.run = compare_evaluation, .takes = evaluates};

static void evaluations_agree_with_the_reference(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    each_case(VDNN_RULE_LEAN, true, &evaluations);
    vdnn_rows_end();
}

static void compare_reruns(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    for (int threads = 1; threads <= most_threads(); threads++) {
        (void)vdnn_row_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
        uint64_t first = vdnn_bench_hash(bench, pass);
        (void)vdnn_row_ok(vdnn_bench_run(bench, row, pass, threads, 0x3c));
        if (row->deterministic && vdnn_bench_hash(bench, pass) != first)
            vdnn_row_fail("%d threads give other bits the second time", threads);
    }
}

static const comparison reruns = {.run = compare_reruns};

static void a_rerun_gives_the_same_bits_whatever_was_in_memory(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    each_case(VDNN_RULE_LEAN, true, &reruns);
    vdnn_rows_end();
}

/* As in a plan that recomputes: into memory that held something else meanwhile. */
static void compare_with_recompute(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    static const int poisons[] = {0xff, 0x3c};
    for (int threads = 1; threads <= most_threads(); threads++) {
        bench->recompute = false;
        (void)vdnn_row_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
        uint64_t first = vdnn_bench_hash(bench, pass);
        bench->recompute = true;
        for (int k = 0; k < 2; k++) {
            (void)vdnn_row_ok(vdnn_bench_run(bench, row, pass, threads, poisons[k]));
            if (vdnn_bench_hash(bench, pass) != first)
                vdnn_row_fail("%d threads give other bits when it is recomputed", threads);
        }
    }
    bench->recompute = false;
}

static bool is_recomputed(const vdnn_algorithm *row, vdnn_pass pass)
{
    return pass == VDNN_FORWARD && row->deterministic;
}

static const comparison recomputing = {.run = compare_with_recompute, .takes = is_recomputed};

static void a_recomputed_forward_gives_the_same_bits(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    each_case(VDNN_RULE_LEAN, true, &recomputing);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        const vdnn_layer_def *def = vdnn_layer_def_find(cases[i].type);
        for (size_t f = 0;
             f < VDNN_LAYER_FORMS && def->recompute_is_cheap && vdnn_layer_form_takes_relu(def);
             f++) {
            vdnn_layer_form form = vdnn_layer_forms[f];
            form.relu = true;
            if (exists(&cases[i], form))
                visit_case(i, VDNN_RULE_LEAN, form, &recomputing);
        }
    }
    vdnn_rows_end();
}

static void compare_thread_counts(vdnn_bench *bench, const vdnn_algorithm *row, vdnn_pass pass)
{
    (void)vdnn_row_ok(vdnn_bench_run(bench, row, pass, 1, 0xff));
    uint64_t alone = vdnn_bench_hash(bench, pass);
    for (int threads = 2; threads <= 5; threads++) {
        (void)vdnn_row_ok(vdnn_bench_run(bench, row, pass, threads, 0xff));
        if (vdnn_bench_hash(bench, pass) != alone)
            vdnn_row_fail("%d threads give other bits than one", threads);
    }
}

static bool is_native(const vdnn_algorithm *row, vdnn_pass pass)
{
    (void)pass;
    return strcmp(row->name, "native") == 0;
}

static const comparison thread_counts = {.run = compare_thread_counts, .takes = is_native};

static void the_thread_count_does_not_change_a_bit_of_a_native_row(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    each_case(VDNN_RULE_LEAN, true, &thread_counts);
    vdnn_rows_end();
}

/* Runs row by row what `bench` and `other` have in common and compares all that is written. */
static void compare_benches(vdnn_bench *bench, vdnn_bench *other, const char *difference)
{
    for (vdnn_pass pass = VDNN_FORWARD; pass < VDNN_PASS_COUNT; pass++)
        for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
            const vdnn_algorithm *row = vdnn_algorithm_at(i);
            if (!row->deterministic || !applies(row, bench->layer, pass) ||
                !applies(row, other->layer, pass) ||
                !vdnn_row_begin(vdnn_row_of(bench->layer, row, pass)))
                continue;
            if (vdnn_row_ok(vdnn_bench_run(bench, row, pass, most_threads(), 0xff)) &&
                vdnn_row_ok(vdnn_bench_run(other, row, pass, most_threads(), 0xff)) &&
                vdnn_bench_hash(bench, pass) != vdnn_bench_hash(other, pass))
                vdnn_row_fail("it gives other bits %s", difference);
            vdnn_row_end();
        }
}

/* As in a graph: only where y is as large as x. */
static void compare_layers(vdnn_layer *const layers[2], uint64_t seed, bool in_place,
                           const char *difference)
{
    vdnn_bench *benches[2];
    for (int k = 0; k < 2; k++) {
        bool is_over = in_place && k == 1 &&
                       (layers[k]->def->dx_over_x ||
                        vdnn_desc_bytes(&layers[k]->x[0]) == vdnn_desc_bytes(&layers[k]->y));
        layers[k]->in_place = is_over && layers[k]->def->in_place;
        benches[k] = create_bench(layers[k], seed);
        benches[k]->in_place = is_over;
    }
    compare_benches(benches[0], benches[1], difference);
    for (int k = 0; k < 2; k++)
        vdnn_bench_destroy(benches[k]);
}

/* Case `i` under two rules, the second in place where `in_place` is set. Where backward needs the
 * same under both, and both are out of place, there is nothing to compare. */
static void compare_rules(size_t i, vdnn_layer_form form, const vdnn_rule rules[2], bool in_place,
                          const char *difference)
{
    vdnn_layer *layers[2] = {NULL, NULL};
    vdnn_rows_note(rule_texts[rules[1]]);
    for (int k = 0; k < 2; k++)
        assert_ok(vdnn_layer_case_build_as(&cases[i], rules[k], form, &layers[k]));
    if (in_place || memcmp(layers[0]->needs, layers[1]->needs, sizeof layers[0]->needs) != 0)
        compare_layers(layers, seed_of(i), in_place, difference);
    for (int k = 0; k < 2; k++)
        vdnn_layer_case_destroy(layers[k]);
}

static void every_stash_rule_gives_the_same_bits(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    for (size_t i = 0; i < CASE_COUNT; i++)
        for (size_t f = 0; f < VDNN_LAYER_FORMS; f++)
            for (vdnn_rule rule = VDNN_RULE_LEAN; rule < VDNN_RULE_COUNT; rule++)
                if (exists(&cases[i], vdnn_layer_forms[f]))
                    compare_rules(i, vdnn_layer_forms[f],
                                  (const vdnn_rule[2]){VDNN_RULE_PAPER, rule}, false,
                                  "under the lean rules");
    vdnn_rows_end();
}

static void in_place_gives_the_same_bits_as_out_of_place(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    int compared = 0;
    for (size_t i = 0; i < CASE_COUNT; i++)
        for (size_t f = 0; f < VDNN_LAYER_FORMS; f++)
            for (vdnn_rule rule = VDNN_RULE_PAPER; rule < VDNN_RULE_COUNT; rule++) {
                const vdnn_layer_def *def = vdnn_layer_def_find(cases[i].type);
                if (!(def->in_place || def->dx_over_dy || def->dx_over_x) ||
                    !exists(&cases[i], vdnn_layer_forms[f]))
                    continue;
                compare_rules(i, vdnn_layer_forms[f], (const vdnn_rule[2]){rule, rule}, true,
                              "in place");
                compared++;
            }
    assert_true(compared > 0);
    vdnn_rows_end();
}

static void a_gradient_that_nobody_wants_is_left_alone(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    static const vdnn_layer_case three[] = {
        {"concat", "", "2x3x4x5 2x1x4x5 2x7x4x5"},
        {"concat", "", "2x16x4x5 2x32x4x5 2x16x4x5"},
        {"add", "", "2x3x4x5 2x3x4x5 2x3x4x5"},
    };
    for (size_t i = 0; i < sizeof three / sizeof *three * VDNN_LAYER_FORMS * 3; i++) {
        vdnn_layer *layer = NULL;
        vdnn_layer_form form = vdnn_layer_forms[i / 3 % VDNN_LAYER_FORMS];
        const vdnn_layer_case *one = &three[i / 3 / VDNN_LAYER_FORMS];
        if (!exists(one, form))
            continue;
        assert_ok(vdnn_layer_case_build_as(one, VDNN_RULE_LEAN, form, &layer));
        layer->wants_dx[i % 3] = false;
        vdnn_bench *bench = create_bench(layer, SEED);
        each_row(bench, &against_reference);
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
    vdnn_rows_end();
}

/* The first trainable layer of a network: its backward data is left out, and with it the gradient
 * of the parameters of a type that makes both at once. */
static void parameters_get_their_gradient_where_the_input_wants_none(void **state)
{
    (void)state;
    vdnn_rows_begin(__func__, device);
    int compared = 0;
    for (size_t i = 0; i < CASE_COUNT * VDNN_LAYER_FORMS; i++) {
        const vdnn_layer_case *one = &cases[i / VDNN_LAYER_FORMS];
        const vdnn_layer_def *def = vdnn_layer_def_find(one->type);
        if (!def->joint || !exists(one, vdnn_layer_forms[i % VDNN_LAYER_FORMS]))
            continue;
        vdnn_layer *layer = NULL;
        assert_ok(vdnn_layer_case_build_as(one, VDNN_RULE_LEAN,
                                           vdnn_layer_forms[i % VDNN_LAYER_FORMS], &layer));
        assert_false(vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER));
        memset(layer->wants_dx, 0, (size_t)layer->input_count * sizeof *layer->wants_dx);
        assert_int_equal(vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER),
                         layer->trainable_bytes > 0);
        vdnn_bench *bench = create_bench(layer, SEED);
        each_row(bench, &against_reference);
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
        compared++;
    }
    assert_true(compared > 0);
    vdnn_rows_end();
}

/* ---- gradients by central differences -------------------------------------------------------- */

/* What the gradients are gradients of: the loss, or the sum of y weighted with dy. */
static double objective(vdnn_bench *bench)
{
    const vdnn_layer *layer = bench->layer;
    vdnn_reference_find(layer->def->type)->pass[VDNN_FORWARD](layer, &bench->reference);
    if (layer->def->target != VDNN_TARGET_NONE)
        return bench->weight * bench->y64[0];
    double sum = 0;
    for (int64_t i = 0; i < vdnn_desc_count(&layer->y); i++)
        sum += bench->y64[i] * bench->dy64[i];
    return sum;
}

/* Compares some elements of `gradient` with differences of the objective along `values`. */
static void check_differences(vdnn_bench *bench, double *values, const double *gradient,
                              int64_t count, const char *what)
{
    static const double step = 1e-5;
    int64_t stride = count / 12 + 1;
    for (int64_t i = 0; i < count; i += stride) {
        double value = values[i];
        values[i] = value + step;
        double above = objective(bench);
        values[i] = value - step;
        double below = objective(bench);
        values[i] = value;
        double slope = (above - below) / (2 * step);
        if (!(fabs(slope - gradient[i]) <= 1e-6 * (1 + fabs(slope))))
            fail_msg("%s %s: %s[%lld] is %.9g by the reference, %.9g by differences",
                     bench->layer->def->type, bench->layer->name, what, (long long)i, gradient[i],
                     slope);
    }
}

/* A running statistic has no gradient. */
static void check_params(vdnn_bench *bench)
{
    int64_t first = 0;
    for (int32_t i = 0; i < bench->layer->param_count; i++) {
        const vdnn_param *param = &bench->layer->params[i];
        if (param->trainable && param->update == VDNN_UPDATE_OPTIMIZER)
            check_differences(bench, bench->w64 + first, bench->dw64 + first, param->count,
                              param->name);
        first += param->count;
    }
}

/* Differences take the whole forward pass twice an element. */
static const double most_flops = 1e6;

static void the_reference_agrees_with_central_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        vdnn_layer *layer = NULL;
        assert_ok(vdnn_layer_case_build(&cases[i], VDNN_RULE_LEAN, &layer));
        if (vdnn_layer_flops(layer, VDNN_FORWARD) > most_flops) {
            vdnn_layer_case_destroy(layer);
            continue;
        }
        vdnn_bench *bench = create_bench(layer, seed_of(i));
        if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
            vdnn_bench_refer(bench, VDNN_BACKWARD_DATA);
        for (int32_t k = 0; k < layer->input_count && layer->wants_dx[k]; k++)
            check_differences(bench, bench->x64[k], bench->dx64[k], vdnn_desc_count(&layer->x[k]),
                              "dx");
        if (layer->trainable_bytes > 0) {
            vdnn_bench_refer(bench, VDNN_BACKWARD_FILTER);
            check_params(bench);
        }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

/* ---- the suite itself ------------------------------------------------------------------------ */

static vdnn_status read_too_much(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const float *x = args->x[0];
    float *y = args->y;
    int64_t count = vdnn_desc_count(&kernel->layer->y);
    for (int64_t i = 0; i < count; i++)
        y[i] = fmaxf(x[i], 0) + 0 * x[i + 1];
    return VDNN_OK;
}

static void a_kernel_that_reads_behind_its_input_is_caught(void **state)
{
    (void)state;
    static const vdnn_layer_case c = {"relu", "", "2x3x5x7"};
    static const vdnn_algorithm broken = {.layer_type = "relu",
                                          .name = "broken",
                                          .device = "cpu",
                                          .passes = 1U << VDNN_FORWARD,
                                          .run = read_too_much};
    vdnn_layer *layer = NULL;
    assert_ok(vdnn_layer_case_build(&c, VDNN_RULE_PAPER, &layer));
    vdnn_bench *bench = create_bench(layer, SEED);
    vdnn_bench_refer(bench, VDNN_FORWARD);
    assert_ok(vdnn_bench_run(bench, &broken, VDNN_FORWARD, 1, 0xff));
    assert_true(vdnn_bench_error(bench, VDNN_FORWARD) >
                vdnn_bench_error_bound(bench, &broken, VDNN_FORWARD));
    vdnn_bench_destroy(bench);
    vdnn_layer_case_destroy(layer);
}

static vdnn_status rectify_without_padding(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *y = &kernel->layer->y;
    float sample[3 * 5 * 7], whole[16 * 5 * 7];
    vdnn_desc padded = *y;
    padded.dims[VDNN_C] = 16;
    vdnn_stage_load(y, args->x[0], 0, sample);
    for (int i = 0; i < 16 * 5 * 7; i++)
        whole[i] = i < 3 * 5 * 7 ? fmaxf(sample[i], 0) : 0.01F;
    vdnn_stage_store(&padded, args->y, 0, whole);
    return VDNN_OK;
}

static void a_kernel_that_leaves_something_in_the_padding_is_caught(void **state)
{
    (void)state;
    static const vdnn_layer_case c = {"relu", "", "1x3x5x7"};
    static const vdnn_algorithm broken = {.layer_type = "relu",
                                          .name = "broken",
                                          .device = "cpu",
                                          .passes = 1U << VDNN_FORWARD,
                                          .run = rectify_without_padding};
    for (vdnn_dtype dtype = VDNN_F32; dtype <= VDNN_BF16; dtype++) {
        vdnn_layer *layer = NULL;
        vdnn_layer_form form = {dtype, VDNN_NCHW16C, VDNN_NCHW, false};
        assert_ok(vdnn_layer_case_build_as(&c, VDNN_RULE_PAPER, form, &layer));
        vdnn_bench *bench = create_bench(layer, SEED);
        vdnn_bench_refer(bench, VDNN_FORWARD);
        assert_ok(vdnn_bench_run(bench, &broken, VDNN_FORWARD, 1, 0xff));
        assert_true(isinf(vdnn_bench_error(bench, VDNN_FORWARD)));
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

static int open_device(void **state)
{
    (void)state;
    return vdnn_test_open_device(kind, &device);
}

static int close_device(void **state)
{
    (void)state;
    vdnn_device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest of_rows[] = {
        cmocka_unit_test(every_row_agrees_with_the_reference),
        cmocka_unit_test(evaluations_agree_with_the_reference),
        cmocka_unit_test(a_rerun_gives_the_same_bits_whatever_was_in_memory),
        cmocka_unit_test(a_recomputed_forward_gives_the_same_bits),
        cmocka_unit_test(every_stash_rule_gives_the_same_bits),
        cmocka_unit_test(in_place_gives_the_same_bits_as_out_of_place),
        cmocka_unit_test(a_gradient_that_nobody_wants_is_left_alone),
        cmocka_unit_test(parameters_get_their_gradient_where_the_input_wants_none),
        cmocka_unit_test(every_row_belongs_to_a_type_and_is_found_by_its_name),
    };
    const struct CMUnitTest of_the_suite[] = {
        cmocka_unit_test(every_type_has_a_case_a_reference_and_a_name_of_its_own),
        cmocka_unit_test(every_key_fits_its_config_and_its_own_limits),
        cmocka_unit_test(the_thread_count_does_not_change_a_bit_of_a_native_row),
        cmocka_unit_test(the_reference_agrees_with_central_differences),
        cmocka_unit_test(a_kernel_that_reads_behind_its_input_is_caught),
        cmocka_unit_test(a_kernel_that_leaves_something_in_the_padding_is_caught),
    };
    if (vdnn_test_device_lacks(kind))
        return 0;
    int failed = cmocka_run_group_tests(of_rows, open_device, close_device);
    if (strcmp(kind, "cpu") == 0)
        failed += cmocka_run_group_tests(of_the_suite, NULL, NULL);
    return failed;
}
