#include "tests/cuda_host/library.h"
#include "tests/cuda_host/scalar.h"

#include <cstdint>
#include <cstring>
#include <vector>

extern "C" {
#include "layers/cuda/dnn.h"
}

/* Every algorithm computes the same sums; they differ in the shapes that they support and in the
 * workspace that they require, which is overwritten. */

using vdnn_cuda_host::scalar;

struct cudnnContext {
    const int card = vdnn_cuda_host::current_card();
    cudaStream_t stream = nullptr;
};

struct cudnnTensorStruct {
    int format, type, dims[4];
};

struct cudnnFilterStruct {
    int format, type, dims[4];
};

struct cudnnConvolutionStruct {
    int pad[2], stride[2], dilation[2], mode, compute, groups, math;
};

struct cudnnActivationStruct {
    int mode, nan;
};

namespace
{

enum { SUCCESS = 0, BAD_PARAM = 2000, NOT_SUPPORTED = 3000, EXECUTION_FAILED = 5000 };

struct problem {
    cudnnTensorStruct x, y;
    cudnnFilterStruct w;
    cudnnConvolutionStruct c;

    bool is_sound() const
    {
        bool fits = x.type == y.type && x.type == w.type && c.compute == VDNN_DNN_FLOAT &&
                    c.mode == VDNN_DNN_CROSS_CORRELATION && x.dims[0] == y.dims[0] &&
                    x.dims[1] == w.dims[1] * c.groups && y.dims[1] == w.dims[0] &&
                    w.dims[0] % c.groups == 0;
        for (int d = 0; d < 2; d++) {
            int reach = (w.dims[2 + d] - 1) * c.dilation[d] + 1;
            fits =
                fits && y.dims[2 + d] == (x.dims[2 + d] + 2 * c.pad[d] - reach) / c.stride[d] + 1;
        }
        return fits;
    }

    bool is_plain() const
    {
        return c.stride[0] == 1 && c.stride[1] == 1 && c.dilation[0] == 1 && c.dilation[1] == 1;
    }

    bool has_kernel(int side) const
    {
        return w.dims[2] == side && w.dims[3] == side;
    }

    /* Cells of x and y that a tap connects, or false. */
    bool input_of(int oh, int ow, int kh, int kw, int *h, int *v) const
    {
        *h = oh * c.stride[0] - c.pad[0] + kh * c.dilation[0];
        *v = ow * c.stride[1] - c.pad[1] + kw * c.dilation[1];
        return *h >= 0 && *h < x.dims[2] && *v >= 0 && *v < x.dims[3];
    }
};

int64_t place(const int *dims, int format, int n, int c, int h, int w)
{
    return format == VDNN_DNN_NCHW ? (((int64_t)n * dims[1] + c) * dims[2] + h) * dims[3] + w
                                   : (((int64_t)n * dims[2] + h) * dims[3] + w) * dims[1] + c;
}

int64_t count(const int *dims)
{
    return (int64_t)dims[0] * dims[1] * dims[2] * dims[3];
}

int64_t channel_of(const cudnnTensorStruct &map, int64_t element)
{
    int64_t cells = (int64_t)map.dims[2] * map.dims[3], channels = map.dims[1];
    return map.format == VDNN_DNN_NCHW ? element / cells % channels : element % channels;
}

/* Calls f(place in x, in w, in y) for every product of the convolution. */
template <class F> void each_product(const problem &p, F f)
{
    int outputs = p.w.dims[0] / p.c.groups, h, v;
    for (int n = 0; n < p.x.dims[0]; n++)
        for (int k = 0; k < p.w.dims[0]; k++)
            for (int i = 0; i < p.w.dims[1]; i++)
                for (int kh = 0; kh < p.w.dims[2]; kh++)
                    for (int kw = 0; kw < p.w.dims[3]; kw++) {
                        int64_t tap = place(p.w.dims, p.w.format, k, i, kh, kw);
                        int channel = k / outputs * p.w.dims[1] + i;
                        for (int oh = 0; oh < p.y.dims[2]; oh++)
                            for (int ow = 0; ow < p.y.dims[3]; ow++)
                                if (p.input_of(oh, ow, kh, kw, &h, &v))
                                    f(place(p.x.dims, p.x.format, n, channel, h, v), tap,
                                      place(p.y.dims, p.y.format, n, k, oh, ow));
                    }
}

enum pass { FORWARD, DATA, FILTER };

/* For which shapes a way is, as cuDNN's documents have it, and no less strict. */
bool has_way(const problem &p, pass of, int algorithm)
{
    enum class need { nothing, plain, small_plain, three, three_or_five, never };
    static const need needs[3][8] = {
        {need::nothing, need::nothing, need::nothing, need::never, need::small_plain, need::plain,
         need::three, need::three_or_five},
        {need::nothing, need::nothing, need::small_plain, need::plain, need::three,
         need::three_or_five, need::never, need::never},
        {need::nothing, need::nothing, need::small_plain, need::nothing, need::never,
         need::three_or_five, need::plain, need::never}};
    if (algorithm < 0 || algorithm >= 8)
        return false;
    switch (needs[of][algorithm]) {
    case need::nothing:
        return true;
    case need::plain:
        return p.is_plain() && p.c.groups == 1;
    case need::small_plain:
        return p.is_plain() && p.c.groups == 1 && p.x.dims[2] <= 256 && p.x.dims[3] <= 256;
    case need::three:
        return p.is_plain() && p.has_kernel(3);
    case need::three_or_five:
        return p.is_plain() && (p.has_kernel(3) || p.has_kernel(5));
    case need::never:
        break;
    }
    return false;
}

int bytes_of(const problem &p, pass of, int algorithm, size_t *bytes)
{
    if (!p.is_sound())
        return BAD_PARAM;
    if (!has_way(p, of, algorithm))
        return NOT_SUPPORTED;
    *bytes = algorithm == 0 ? 0 : (size_t)algorithm * 64 + (size_t)count(p.w.dims) * 4 + 4;
    return SUCCESS;
}

struct buffers {
    pass of;
    const void *left, *right;
    void *to, *workspace;
    size_t workspace_bytes;
    float beta;       /* 0: what is there need be no number */
    const void *bias; /* NULL: none */
    bool relu;
};

/* The factors and the sum of a pass: x * w -> y, dy * w -> dx, dy * x -> dw. */
void convolve(const problem &p, const buffers &b)
{
    int64_t written = count(b.of == FORWARD ? p.y.dims : b.of == DATA ? p.x.dims : p.w.dims);
    bool is_half = p.x.type == VDNN_DNN_BFLOAT16;
    std::vector<double> sums((size_t)written);
    if (b.workspace_bytes > 0)
        memset(b.workspace, 0xff, b.workspace_bytes);
    each_product(p, [&](int64_t in_x, int64_t in_w, int64_t in_y) {
        int64_t left = b.of == FORWARD ? in_x : in_y, right = b.of == FILTER ? in_x : in_w;
        int64_t to = b.of == FORWARD ? in_y : b.of == DATA ? in_x : in_w;
        sums[(size_t)to] += (double)scalar::read(is_half, b.left, left) *
                            (double)scalar::read(is_half, b.right, right);
    });
    for (int64_t i = 0; i < written; i++) {
        double before = b.beta == 0 ? 0 : (double)(b.beta * scalar::read(is_half, b.to, i));
        if (b.bias != nullptr)
            before = (double)scalar::read(is_half, b.bias, channel_of(p.y, i));
        double sum = before + sums[(size_t)i];
        scalar::write(is_half, b.to, i, b.relu && sum <= 0 ? 0.0F : (float)sum);
    }
}

int enqueue(vdnn_dnn_handle handle, const problem &p, int algorithm, const void *alpha,
            const void *beta, const buffers &b)
{
    size_t bytes = 0;
    int failed = bytes_of(p, b.of, algorithm, &bytes);
    if (failed != SUCCESS)
        return failed;
    if (bytes > b.workspace_bytes || *static_cast<const float *>(alpha) != 1)
        return BAD_PARAM;
    if (vdnn_cuda_host::library_error("cudnn") != 0 ||
        !vdnn_cuda_host::can_use(handle->card, handle->stream,
                                 {b.left, b.right, b.to, b.workspace}))
        return EXECUTION_FAILED;
    buffers exact = b;
    exact.workspace_bytes = bytes;
    exact.beta = *static_cast<const float *>(beta);
    vdnn_cuda_host::run_on(handle->stream, [p, exact] { convolve(p, exact); });
    return SUCCESS;
}

template <class T> int make(T **made)
{
    *made = new T{};
    return SUCCESS;
}

template <class T> int unmake(T *made)
{
    delete made;
    return SUCCESS;
}

template <class T> int set_dims(T *of, int format, int type, int a, int b, int c, int d)
{
    if (a < 1 || b < 1 || c < 1 || d < 1)
        return BAD_PARAM;
    *of = {format, type, {a, b, c, d}};
    return SUCCESS;
}

} // namespace

extern "C" {

size_t cudnnGetVersion(void)
{
    return (size_t)vdnn_cuda_host::setting_of("cudnn");
}

const char *cudnnGetErrorString(int status)
{
    return status == NOT_SUPPORTED ? "CUDNN_STATUS_NOT_SUPPORTED" : "CUDNN_STATUS_OF_THE_STAND_IN";
}

int cudnnCreate(vdnn_dnn_handle *handle)
{
    return vdnn_cuda_host::library_error("cudnnCreate") != 0 ? EXECUTION_FAILED : make(handle);
}

int cudnnDestroy(vdnn_dnn_handle handle)
{
    return unmake(handle);
}

int cudnnSetStream(vdnn_dnn_handle handle, cudaStream_t stream)
{
    if (!vdnn_cuda_host::can_use(handle->card, stream))
        return BAD_PARAM;
    handle->stream = stream;
    return SUCCESS;
}

int cudnnCreateTensorDescriptor(vdnn_dnn_tensor *tensor)
{
    return vdnn_cuda_host::library_error("cudnnCreateTensorDescriptor") != 0 ? EXECUTION_FAILED
                                                                             : make(tensor);
}

int cudnnDestroyTensorDescriptor(vdnn_dnn_tensor tensor)
{
    return unmake(tensor);
}

int cudnnSetTensor4dDescriptor(vdnn_dnn_tensor tensor, int format, int type, int n, int c, int h,
                               int w)
{
    return set_dims(tensor, format, type, n, c, h, w);
}

int cudnnCreateFilterDescriptor(vdnn_dnn_filter *filter)
{
    return make(filter);
}

int cudnnDestroyFilterDescriptor(vdnn_dnn_filter filter)
{
    return unmake(filter);
}

int cudnnSetFilter4dDescriptor(vdnn_dnn_filter filter, int type, int format, int k, int c, int h,
                               int w)
{
    return set_dims(filter, format, type, k, c, h, w);
}

int cudnnCreateConvolutionDescriptor(vdnn_dnn_convolution *convolution)
{
    return make(convolution);
}

int cudnnDestroyConvolutionDescriptor(vdnn_dnn_convolution convolution)
{
    return unmake(convolution);
}

int cudnnSetConvolution2dDescriptor(vdnn_dnn_convolution convolution, int pad_h, int pad_w,
                                    int stride_h, int stride_w, int dilation_h, int dilation_w,
                                    int mode, int compute_type)
{
    if (pad_h < 0 || pad_w < 0 || stride_h < 1 || stride_w < 1 || dilation_h < 1 || dilation_w < 1)
        return BAD_PARAM;
    *convolution = {
        {pad_h, pad_w}, {stride_h, stride_w}, {dilation_h, dilation_w}, mode, compute_type, 1, 0};
    return SUCCESS;
}

int cudnnSetConvolutionGroupCount(vdnn_dnn_convolution convolution, int groups)
{
    convolution->groups = groups;
    return groups < 1 ? BAD_PARAM : SUCCESS;
}

int cudnnSetConvolutionMathType(vdnn_dnn_convolution convolution, int math)
{
    convolution->math = math;
    return SUCCESS;
}

int cudnnCreateActivationDescriptor(vdnn_dnn_activation *activation)
{
    return make(activation);
}

int cudnnDestroyActivationDescriptor(vdnn_dnn_activation activation)
{
    return unmake(activation);
}

int cudnnSetActivationDescriptor(vdnn_dnn_activation activation, int mode, int nan, double)
{
    *activation = {mode, nan};
    return SUCCESS;
}

int cudnnGetConvolutionForwardWorkspaceSize(vdnn_dnn_handle, vdnn_dnn_tensor x, vdnn_dnn_filter w,
                                            vdnn_dnn_convolution convolution, vdnn_dnn_tensor y,
                                            int algorithm, size_t *bytes)
{
    if (vdnn_cuda_host::library_error(__func__) != 0)
        return EXECUTION_FAILED;
    return bytes_of({*x, *y, *w, *convolution}, FORWARD, algorithm, bytes);
}

int cudnnGetConvolutionBackwardDataWorkspaceSize(vdnn_dnn_handle, vdnn_dnn_filter w,
                                                 vdnn_dnn_tensor dy,
                                                 vdnn_dnn_convolution convolution,
                                                 vdnn_dnn_tensor dx, int algorithm, size_t *bytes)
{
    if (vdnn_cuda_host::library_error(__func__) != 0)
        return EXECUTION_FAILED;
    return bytes_of({*dx, *dy, *w, *convolution}, DATA, algorithm, bytes);
}

int cudnnGetConvolutionBackwardFilterWorkspaceSize(vdnn_dnn_handle, vdnn_dnn_tensor x,
                                                   vdnn_dnn_tensor dy,
                                                   vdnn_dnn_convolution convolution,
                                                   vdnn_dnn_filter dw, int algorithm, size_t *bytes)
{
    if (vdnn_cuda_host::library_error(__func__) != 0)
        return EXECUTION_FAILED;
    return bytes_of({*x, *dy, *dw, *convolution}, FILTER, algorithm, bytes);
}

int cudnnConvolutionForward(vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_tensor x_is,
                            const void *x, vdnn_dnn_filter w_is, const void *w,
                            vdnn_dnn_convolution convolution, int algorithm, void *workspace,
                            size_t bytes, const void *beta, vdnn_dnn_tensor y_is, void *y)
{
    return enqueue(handle, {*x_is, *y_is, *w_is, *convolution}, algorithm, alpha, beta,
                   {FORWARD, x, w, y, workspace, bytes, 0, nullptr, false});
}

/* Without a relu one way has it, as in cuDNN's documents; in f32 and bf16, but for what the setting
 * says it lacks. */
int cudnnConvolutionBiasActivationForward(vdnn_dnn_handle handle, const void *alpha,
                                          vdnn_dnn_tensor x_is, const void *x, vdnn_dnn_filter w_is,
                                          const void *w, vdnn_dnn_convolution convolution,
                                          int algorithm, void *workspace, size_t bytes,
                                          const void *z_factor, vdnn_dnn_tensor, const void *,
                                          vdnn_dnn_tensor bias_is, const void *bias,
                                          vdnn_dnn_activation activation, vdnn_dnn_tensor y_is,
                                          void *y)
{
    if (vdnn_cuda_host::library_error("cudnnConvolutionBiasActivationForward") != 0)
        return EXECUTION_FAILED;
    bool is_alone = activation->mode == VDNN_DNN_IDENTITY;
    if (vdnn_cuda_host::setting_of("fusion") == 0 || (is_alone && algorithm != 1))
        return NOT_SUPPORTED;
    if (bias_is->type != y_is->type || bias_is->dims[1] != y_is->dims[1] ||
        count(bias_is->dims) != y_is->dims[1] || *static_cast<const float *>(z_factor) != 0 ||
        activation->nan != VDNN_DNN_PROPAGATE_NAN)
        return BAD_PARAM;
    const float beta = 0;
    return enqueue(handle, {*x_is, *y_is, *w_is, *convolution}, algorithm, alpha, &beta,
                   {FORWARD, x, w, y, workspace, bytes, 0, bias, !is_alone});
}

int cudnnConvolutionBackwardData(vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_filter w_is,
                                 const void *w, vdnn_dnn_tensor dy_is, const void *dy,
                                 vdnn_dnn_convolution convolution, int algorithm, void *workspace,
                                 size_t bytes, const void *beta, vdnn_dnn_tensor dx_is, void *dx)
{
    return enqueue(handle, {*dx_is, *dy_is, *w_is, *convolution}, algorithm, alpha, beta,
                   {DATA, dy, w, dx, workspace, bytes, 0, nullptr, false});
}

int cudnnConvolutionBackwardFilter(vdnn_dnn_handle handle, const void *alpha, vdnn_dnn_tensor x_is,
                                   const void *x, vdnn_dnn_tensor dy_is, const void *dy,
                                   vdnn_dnn_convolution convolution, int algorithm, void *workspace,
                                   size_t bytes, const void *beta, vdnn_dnn_filter dw_is, void *dw)
{
    return enqueue(handle, {*x_is, *dy_is, *dw_is, *convolution}, algorithm, alpha, beta,
                   {FILTER, dy, x, dw, workspace, bytes, 0, nullptr, false});
}

} // extern "C"
