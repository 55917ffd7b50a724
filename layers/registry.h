#ifndef VDNN_LAYERS_REGISTRY_H
#define VDNN_LAYERS_REGISTRY_H

/* The registry: every layer type and every algorithm, one line each.
 *
 * Invariant: X(name) stands for the const symbol vdnn_<name>_def (layers), vdnn_<name> (algorithms)
 * or vdnn_<name> (elementwise operations, conditions of measuring), each defined in a separate
 * file.
 * Threads: any. The tables are const; after them come the rows of types that the program
 * registered (layers/custom.h), which are the process's: registering takes a lock, and a row can be
 * seen by other threads once it is complete.
 *
 * To add a layer `foo` with an algorithm `native`: write layers/FAMILY/foo.c that defines
 *     const vdnn_layer_def vdnn_foo_def = {.type = "foo", ...};
 * and layers/FAMILY/cpu_foo.c that defines
 *     const vdnn_algorithm vdnn_foo_native = {.layer_type = "foo", .name = "native", ...};
 * and add X(foo) and X(foo_native) below. Rows of one layer type are listed in order of preference.
 */

#include "layers/layer.h"
#include "layers/measuring.h"

/* Layers with a single algorithm on a simulated device. */
#define VDNN_PLAIN_LAYER_DEF_TABLE(X)                                                              \
    X(conv_transpose)                                                                              \
    X(maxpool)                                                                                     \
    X(avgpool)                                                                                     \
    X(fc)                                                                                          \
    X(relu)                                                                                        \
    X(gelu)                                                                                        \
    X(silu)                                                                                        \
    X(tanh)                                                                                        \
    X(sigmoid)                                                                                     \
    X(relu6)                                                                                       \
    X(leaky_relu)                                                                                  \
    X(hardswish)                                                                                   \
    X(scale)                                                                                       \
    X(convert)                                                                                     \
    X(dropout)                                                                                     \
    X(flatten)                                                                                     \
    X(concat)                                                                                      \
    X(add)                                                                                         \
    X(mul)                                                                                         \
    X(upsample)                                                                                    \
    X(global_avgpool)                                                                              \
    X(lrn)                                                                                         \
    X(batchnorm)                                                                                   \
    X(layernorm)                                                                                   \
    X(rmsnorm)                                                                                     \
    X(groupnorm)                                                                                   \
    X(instancenorm)                                                                                \
    X(embedding)                                                                                   \
    X(attention)                                                                                   \
    X(additive_attention)                                                                          \
    X(lstm)                                                                                        \
    X(parameter)                                                                                   \
    X(rope)                                                                                        \
    X(slice)                                                                                       \
    X(to_sequence)                                                                                 \
    X(softmax_loss)                                                                                \
    X(mse)                                                                                         \
    X(bce)                                                                                         \
    X(dice)                                                                                        \
    X(sampled_softmax)

#define VDNN_LAYER_DEF_TABLE(X)                                                                    \
    X(conv)                                                                                        \
    VDNN_PLAIN_LAYER_DEF_TABLE(X)

/* Other names of types in network files: the name, the type. */
#define VDNN_LAYER_ALIAS_TABLE(X) X(linear, fc)

/* Pairs of layers whose forward passes can be one: kernels of the first apply the second to y. */
#define VDNN_FUSION_TABLE(X)                                                                       \
    X(conv, relu, RELU)                                                                            \
    X(batchnorm, relu, RELU)                                                                       \
    X(add, relu, RELU)

#ifdef VDNN_FFTW
#define VDNN_FFTW_TABLE(X)                                                                         \
    X(conv_fft_32)                                                                                 \
    X(conv_fft_16)
#else
#define VDNN_FFTW_TABLE(X)
#endif

/* In files NAME.cu; a build without the CUDA device has none of them. */
#ifdef VDNN_CUDA
#define VDNN_CUDA_TABLE(X)                                                                         \
    X(conv_implicit_cuda)                                                                          \
    X(conv_implicit_parts_cuda)                                                                    \
    X(conv_implicit_atomic_cuda)                                                                   \
    X(conv_gemm_cuda)                                                                              \
    X(conv_gemm_16_cuda)                                                                           \
    X(conv_gemm_nhwc_cuda)                                                                         \
    X(conv_gemm_nhwc_16_cuda)                                                                      \
    X(conv_gemm_nhwc_all_cuda)                                                                     \
    X(conv_winograd_cuda)                                                                          \
    X(conv_winograd_16_cuda)                                                                       \
    X(conv_fft_16_cuda)                                                                            \
    X(conv_fft_4_cuda)                                                                             \
    X(conv_cudnn_implicit_cuda)                                                                    \
    X(conv_cudnn_precomputed_cuda)                                                                 \
    X(conv_cudnn_gemm_cuda)                                                                        \
    X(conv_cudnn_fft_cuda)                                                                         \
    X(conv_cudnn_fft_tiling_cuda)                                                                  \
    X(conv_cudnn_winograd_cuda)                                                                    \
    X(conv_cudnn_winograd_nonfused_cuda)                                                           \
    X(conv_cudnn_atomic_cuda)                                                                      \
    X(conv_cudnn_atomic_precomputed_cuda)                                                          \
    X(conv_transpose_implicit_cuda)                                                                \
    X(conv_transpose_gemm_cuda)                                                                    \
    X(conv_transpose_gemm_16_cuda)                                                                 \
    X(conv_transpose_gemm_nhwc_cuda)                                                               \
    X(conv_transpose_gemm_nhwc_16_cuda)                                                            \
    X(conv_transpose_cudnn_precomputed_cuda)                                                       \
    X(fc_gemm_cuda)                                                                                \
    X(fc_tiles_cuda)                                                                               \
    X(maxpool_native_cuda)                                                                         \
    X(avgpool_native_cuda)                                                                         \
    X(relu_native_cuda)                                                                            \
    X(gelu_native_cuda)                                                                            \
    X(silu_native_cuda)                                                                            \
    X(tanh_native_cuda)                                                                            \
    X(sigmoid_native_cuda)                                                                         \
    X(relu6_native_cuda)                                                                           \
    X(leaky_relu_native_cuda)                                                                      \
    X(hardswish_native_cuda)                                                                       \
    X(scale_native_cuda)                                                                           \
    X(dropout_native_cuda)                                                                         \
    X(flatten_native_cuda)                                                                         \
    X(concat_native_cuda)                                                                          \
    X(add_native_cuda)                                                                             \
    X(mul_native_cuda)                                                                             \
    X(upsample_native_cuda)                                                                        \
    X(global_avgpool_native_cuda)                                                                  \
    X(lrn_native_cuda)                                                                             \
    X(convert_native_cuda)                                                                         \
    X(batchnorm_native_cuda)                                                                       \
    X(layernorm_native_cuda)                                                                       \
    X(rmsnorm_native_cuda)                                                                         \
    X(groupnorm_native_cuda)                                                                       \
    X(instancenorm_native_cuda)                                                                    \
    X(embedding_native_cuda)                                                                       \
    X(attention_native_cuda)                                                                       \
    X(additive_attention_native_cuda)                                                              \
    X(lstm_gemm_cuda)                                                                              \
    X(parameter_native_cuda)                                                                       \
    X(rope_native_cuda)                                                                            \
    X(slice_native_cuda)                                                                           \
    X(to_sequence_native_cuda)                                                                     \
    X(softmax_loss_native_cuda)                                                                    \
    X(mse_native_cuda)                                                                             \
    X(bce_native_cuda)                                                                             \
    X(dice_native_cuda)                                                                            \
    X(sampled_softmax_gemm_cuda)
#define VDNN_CUDA_ELEMENTWISE_TABLE(X) X(elementwise_native_cuda)
#define VDNN_CUDA_MEASURING_TABLE(X) X(measuring_native_cuda)
#else
#define VDNN_CUDA_TABLE(X)
#define VDNN_CUDA_ELEMENTWISE_TABLE(X)
#define VDNN_CUDA_MEASURING_TABLE(X)
#endif

#define VDNN_ALGORITHM_TABLE(X)                                                                    \
    X(conv_direct)                                                                                 \
    X(conv_winograd)                                                                               \
    X(conv_winograd_3x3)                                                                           \
    X(conv_winograd_5x5)                                                                           \
    X(conv_winograd_7x7)                                                                           \
    X(conv_gemm)                                                                                   \
    X(conv_gemm_x8)                                                                                \
    X(conv_narrow)                                                                                 \
    X(conv_grouped)                                                                                \
    VDNN_FFTW_TABLE(X)                                                                             \
    X(conv_implicit)                                                                               \
    X(conv_gemm_4)                                                                                 \
    X(conv_gemm_16)                                                                                \
    X(conv_transpose_direct)                                                                       \
    X(conv_transpose_gemm)                                                                         \
    X(conv_transpose_gemm_16)                                                                      \
    X(fc_gemm)                                                                                     \
    X(fc_matmul)                                                                                   \
    X(maxpool_native)                                                                              \
    X(avgpool_native)                                                                              \
    X(relu_native)                                                                                 \
    X(gelu_native)                                                                                 \
    X(silu_native)                                                                                 \
    X(tanh_native)                                                                                 \
    X(sigmoid_native)                                                                              \
    X(relu6_native)                                                                                \
    X(leaky_relu_native)                                                                           \
    X(hardswish_native)                                                                            \
    X(scale_native)                                                                                \
    X(dropout_native)                                                                              \
    X(flatten_native)                                                                              \
    X(concat_native)                                                                               \
    X(add_native)                                                                                  \
    X(mul_native)                                                                                  \
    X(upsample_native)                                                                             \
    X(global_avgpool_native)                                                                       \
    X(lrn_native)                                                                                  \
    X(convert_native)                                                                              \
    X(batchnorm_native)                                                                            \
    X(layernorm_native)                                                                            \
    X(rmsnorm_native)                                                                              \
    X(groupnorm_native)                                                                            \
    X(instancenorm_native)                                                                         \
    X(embedding_native)                                                                            \
    X(attention_tiled)                                                                             \
    X(attention_plain)                                                                             \
    X(additive_attention_native)                                                                   \
    X(lstm_gemm)                                                                                   \
    X(parameter_native)                                                                            \
    X(rope_native)                                                                                 \
    X(slice_native)                                                                                \
    X(to_sequence_native)                                                                          \
    X(softmax_loss_native)                                                                         \
    X(mse_native)                                                                                  \
    X(bce_native)                                                                                  \
    X(dice_native)                                                                                 \
    X(sampled_softmax_gemm)                                                                        \
    VDNN_CUDA_TABLE(X)

#define VDNN_ELEMENTWISE_TABLE(X)                                                                  \
    X(elementwise_native)                                                                          \
    VDNN_CUDA_ELEMENTWISE_TABLE(X)

#define VDNN_MEASURING_TABLE(X)                                                                    \
    X(measuring_native)                                                                            \
    VDNN_CUDA_MEASURING_TABLE(X)

#define X(name) extern const vdnn_layer_def vdnn_##name##_def;
VDNN_LAYER_DEF_TABLE(X)
#undef X

#define X(name) extern const vdnn_algorithm vdnn_##name;
VDNN_ALGORITHM_TABLE(X)
#undef X

#define X(name) extern const vdnn_elementwise vdnn_##name;
VDNN_ELEMENTWISE_TABLE(X)
#undef X

#define X(name) extern const vdnn_measuring vdnn_##name;
VDNN_MEASURING_TABLE(X)
#undef X

#endif
