#ifndef VDNN_LAYERS_CUDA_DNN_H
#define VDNN_LAYERS_CUDA_DNN_H

/* cuDNN, versions 8 and 9, if it is found when the program runs. Its header is not required: the
 * part of its interface that is used is declared here, and is the same in both versions.
 *
 * Invariant: either all functions of the table were found, in a library of one of those versions,
 * or there is no table. A device computes with its own handle (vdnn_cuda_stream.dnn), so that
 * nothing is locked meanwhile. Queries, which belong to no device, use one handle per card, created
 * at first use and kept.
 * Threads: any; a handle is used by one at a time: between begin and end the card's belongs to the
 * caller.
 *
 *     if (vdnn_cuda_dnn_lack() != NULL) return vdnn_cuda_dnn_lack();     // a refusal
 *     status = vdnn_cuda_dnn_begin(&handle);                             // of the current card
 *     failed = vdnn_cuda_dnn_find()->forward_bytes(handle, ...);         // only queries
 *     vdnn_cuda_dnn_end();
 *     failed = vdnn_cuda_dnn_find()->forward(stream->dnn, ...);
 */

#include "runtime/base/status.h"

#include <cuda_runtime_api.h>

typedef struct cudnnContext *vdnn_dnn_handle;
typedef struct cudnnTensorStruct *vdnn_dnn_tensor;
typedef struct cudnnFilterStruct *vdnn_dnn_filter;
typedef struct cudnnConvolutionStruct *vdnn_dnn_convolution;
typedef struct cudnnActivationStruct *vdnn_dnn_activation;

/* The values of cuDNN's enumerations. */
enum { VDNN_DNN_FLOAT = 0, VDNN_DNN_BFLOAT16 = 9 }; /* cudnnDataType_t */
enum { VDNN_DNN_NCHW = 0, VDNN_DNN_NHWC = 1 };      /* cudnnTensorFormat_t */
enum { VDNN_DNN_DEFAULT_MATH = 0, VDNN_DNN_TENSOR_MATH = 1, VDNN_DNN_FMA_MATH = 3 };
enum { VDNN_DNN_CROSS_CORRELATION = 1 };           /* cudnnConvolutionMode_t */
enum { VDNN_DNN_RELU = 1, VDNN_DNN_IDENTITY = 5 }; /* cudnnActivationMode_t */
enum { VDNN_DNN_PROPAGATE_NAN = 1 };               /* cudnnNanPropagation_t */

/* result, member, function, parameters; a result of int is a cudnnStatus_t, and an algorithm a
 * value of cudnnConvolutionFwdAlgo_t and the corresponding types. */
#define VDNN_CUDA_DNN_TABLE(X)                                                                     \
    X(size_t, version, cudnnGetVersion, (void))                                                    \
    X(const char *, error_text, cudnnGetErrorString, (int status))                                 \
    X(int, create, cudnnCreate, (vdnn_dnn_handle * handle))                                        \
    X(int, destroy, cudnnDestroy, (vdnn_dnn_handle handle))                                        \
    X(int, set_stream, cudnnSetStream, (vdnn_dnn_handle handle, cudaStream_t stream))              \
    X(int, create_tensor, cudnnCreateTensorDescriptor, (vdnn_dnn_tensor * tensor))                 \
    X(int, destroy_tensor, cudnnDestroyTensorDescriptor, (vdnn_dnn_tensor tensor))                 \
    X(int, set_tensor, cudnnSetTensor4dDescriptor,                                                 \
      (vdnn_dnn_tensor tensor, int format, int type, int n, int c, int h, int w))                  \
    X(int, create_filter, cudnnCreateFilterDescriptor, (vdnn_dnn_filter * filter))                 \
    X(int, destroy_filter, cudnnDestroyFilterDescriptor, (vdnn_dnn_filter filter))                 \
    X(int, set_filter, cudnnSetFilter4dDescriptor,                                                 \
      (vdnn_dnn_filter filter, int type, int format, int k, int c, int h, int w))                  \
    X(int, create_convolution, cudnnCreateConvolutionDescriptor,                                   \
      (vdnn_dnn_convolution * convolution))                                                        \
    X(int, destroy_convolution, cudnnDestroyConvolutionDescriptor,                                 \
      (vdnn_dnn_convolution convolution))                                                          \
    X(int, set_convolution, cudnnSetConvolution2dDescriptor,                                       \
      (vdnn_dnn_convolution convolution, int pad_h, int pad_w, int stride_h, int stride_w,         \
       int dilation_h, int dilation_w, int mode, int compute_type))                                \
    X(int, set_groups, cudnnSetConvolutionGroupCount,                                              \
      (vdnn_dnn_convolution convolution, int groups))                                              \
    X(int, set_math, cudnnSetConvolutionMathType, (vdnn_dnn_convolution convolution, int math))    \
    X(int, create_activation, cudnnCreateActivationDescriptor, (vdnn_dnn_activation * activation)) \
    X(int, destroy_activation, cudnnDestroyActivationDescriptor, (vdnn_dnn_activation activation)) \
    X(int, set_activation, cudnnSetActivationDescriptor,                                           \
      (vdnn_dnn_activation activation, int mode, int nan, double ceiling))                         \
    X(int, forward_bytes, cudnnGetConvolutionForwardWorkspaceSize,                                 \
      (vdnn_dnn_handle handle, vdnn_dnn_tensor x, vdnn_dnn_filter w,                               \
       vdnn_dnn_convolution convolution, vdnn_dnn_tensor y, int algorithm, size_t *bytes))         \
    X(int, data_bytes, cudnnGetConvolutionBackwardDataWorkspaceSize,                               \
      (vdnn_dnn_handle handle, vdnn_dnn_filter w, vdnn_dnn_tensor dy,                              \
       vdnn_dnn_convolution convolution, vdnn_dnn_tensor dx, int algorithm, size_t *bytes))        \
    X(int, filter_bytes, cudnnGetConvolutionBackwardFilterWorkspaceSize,                           \
      (vdnn_dnn_handle handle, vdnn_dnn_tensor x, vdnn_dnn_tensor dy,                              \
       vdnn_dnn_convolution convolution, vdnn_dnn_filter dw, int algorithm, size_t *bytes))        \
    X(int, forward, cudnnConvolutionForward,                                                       \
      (vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_tensor x_is, const void *x,             \
       vdnn_dnn_filter w_is, const void *w, vdnn_dnn_convolution convolution, int algorithm,       \
       void *workspace, size_t bytes, const void *beta, vdnn_dnn_tensor y_is, void *y))            \
    X(int, forward_fused, cudnnConvolutionBiasActivationForward,                                   \
      (vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_tensor x_is, const void *x,             \
       vdnn_dnn_filter w_is, const void *w, vdnn_dnn_convolution convolution, int algorithm,       \
       void *workspace, size_t bytes, const void *z_factor, vdnn_dnn_tensor z_is, const void *z,   \
       vdnn_dnn_tensor bias_is, const void *bias, vdnn_dnn_activation activation,                  \
       vdnn_dnn_tensor y_is, void *y))                                                             \
    X(int, backward_data, cudnnConvolutionBackwardData,                                            \
      (vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_filter w_is, const void *w,             \
       vdnn_dnn_tensor dy_is, const void *dy, vdnn_dnn_convolution convolution, int algorithm,     \
       void *workspace, size_t bytes, const void *beta, vdnn_dnn_tensor dx_is, void *dx))          \
    X(int, backward_filter, cudnnConvolutionBackwardFilter,                                        \
      (vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_tensor x_is, const void *x,             \
       vdnn_dnn_tensor dy_is, const void *dy, vdnn_dnn_convolution convolution, int algorithm,     \
       void *workspace, size_t bytes, const void *beta, vdnn_dnn_filter dw_is, void *dw))

typedef struct vdnn_cuda_dnn {
#define X(result, member, function, parameters) result(*member) parameters;
    VDNN_CUDA_DNN_TABLE(X)
#undef X
} vdnn_cuda_dnn;

/* Looks for it once; NULL: not found, or of another version. */
const vdnn_cuda_dnn *vdnn_cuda_dnn_find(void);

/* NULL if it was found, else why not, as text for a refusal. */
const char *vdnn_cuda_dnn_lack(void);
/* VDNN_DEVICE, with what was found and what is supported, where a cuDNN of another major version is
 * the only one: a machine that has it means it to be used. */
vdnn_status vdnn_cuda_dnn_check_version(void);

/* It was found but cannot be used: treated as missing from now on. */
void vdnn_cuda_dnn_give_up(const char *reason);

/* VDNN_OK, or VDNN_DEVICE with cuDNN's message. */
vdnn_status vdnn_cuda_dnn_status(const char *call, int status);

/* The handle for queries, of the card that the thread has selected. end follows only a successful
 * begin.
 */
vdnn_status vdnn_cuda_dnn_begin(vdnn_dnn_handle *handle);
void vdnn_cuda_dnn_end(void);

#endif
