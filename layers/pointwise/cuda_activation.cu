#include "layers/cuda/pack.h"

extern "C" {
#include "layers/pointwise/activation.h"
}

/* Bytes moved per element of f32: forward 8, backward 12; of bf16 half. A card computes the
 * functions meanwhile. */

static __device__ __forceinline__ float activation_logistic(float x)
{
    return 1.0F / (1.0F + expf(-x));
}

/* The same, and what it lacks to 1. */
static __device__ __forceinline__ float activation_logistic_pair(float x, float *rest)
{
    float e = expf(-fabsf(x)), more = 1.0F / (1.0F + e), less = e * more;
    *rest = x < 0 ? more : less;
    return x < 0 ? less : more;
}

/* The standard normal distribution below x. */
static __device__ __forceinline__ float activation_normal(float x)
{
    const float half_root = 0.707106781F;
    return 0.5F * erfcf(-half_root * x);
}

struct gelu_value {
    __device__ float operator()(float x) const
    {
        return x * activation_normal(x);
    }
};

struct gelu_back {
    __device__ float operator()(float x, float dy) const
    {
        const float at_zero = 0.398942280F; /* 1 / sqrt(2 pi), the density there */
        return dy * (activation_normal(x) + x * (at_zero * expf(-0.5F * x * x)));
    }
};

/* 2u of the header, and twice its derivative. From 20 on its logistic function is 0 or 1, and both
 * stay finite. */
static __device__ __forceinline__ float gelu_inner(float x, float *derivative)
{
    const float scale = 1.59576912F, cube = 0.0713548163F; /* 2 sqrt(2 / pi), times 0.044715 */
    float near = x > 20 ? 20 : x < -20 ? -20 : x;
    *derivative = scale + 3.0F * cube * near * near;
    return near * (scale + cube * near * near);
}

struct gelu_tanh_value {
    __device__ float operator()(float x) const
    {
        float derivative;
        return x * activation_logistic(gelu_inner(x, &derivative));
    }
};

struct gelu_tanh_back {
    __device__ float operator()(float x, float dy) const
    {
        float derivative, rest, s = activation_logistic_pair(gelu_inner(x, &derivative), &rest);
        return dy * (s + x * (derivative * (s * rest)));
    }
};

struct silu_value {
    __device__ float operator()(float x) const
    {
        return x * activation_logistic(x);
    }
};

struct silu_back {
    __device__ float operator()(float x, float dy) const
    {
        float rest, s = activation_logistic_pair(x, &rest);
        return dy * (s * (1.0F + x * rest));
    }
};

struct tanh_value {
    __device__ float operator()(float x) const
    {
        return tanhf(x);
    }
};

struct tanh_back {
    __device__ float operator()(float y, float dy) const
    {
        return dy * (1.0F - y * y);
    }
};

struct sigmoid_value {
    __device__ float operator()(float x) const
    {
        return activation_logistic(x);
    }
};

struct sigmoid_back {
    __device__ float operator()(float y, float dy) const
    {
        return dy * (y * (1.0F - y));
    }
};

struct relu6_value {
    __device__ float operator()(float x) const
    {
        return x <= 0 ? 0.0F : x > 6 ? 6.0F : x;
    }
};

struct relu6_back {
    __device__ float operator()(float y, float dy) const
    {
        return y <= 0 || y >= 6 ? 0.0F : dy;
    }
};

struct leaky_relu_value {
    float slope;

    __device__ float operator()(float x) const
    {
        return x > 0 ? x : x * slope;
    }
};

struct leaky_relu_back {
    float slope;

    __device__ float operator()(float y, float dy) const
    {
        return y > 0 ? dy : dy * slope;
    }
};

struct hardswish_value {
    __device__ float operator()(float x) const
    {
        float above = x + 3.0F;
        return x * ((above <= 0 ? 0.0F : above > 6 ? 6.0F : above) * (1.0F / 6.0F));
    }
};

struct hardswish_back {
    __device__ float operator()(float x, float dy) const
    {
        return x < -3 ? 0.0F : x > 3 ? dy : dy * (x * (1.0F / 3.0F) + 0.5F);
    }
};

struct scale_value {
    float factor;

    __device__ float operator()(float x) const
    {
        return factor * x;
    }
};

struct scale_back {
    float factor;

    __device__ float operator()(float, float dy) const
    {
        return factor * dy;
    }
};

template <class T, class Value, class Back>
static vdnn_status run_with(const vdnn_kernel *kernel, const vdnn_kernel_args *args, Value value,
                            Back back)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t count = vdnn_desc_count(&kernel->layer->y);
    if (kernel->pass == VDNN_FORWARD) {
        vdnn_cuda_map<T>(stream, count, value, static_cast<T *>(args->y),
                         static_cast<const T *>(args->x[0]));
        return vdnn_cuda_launched("activation forward");
    }
    const void *from = vdnn_activation_source(kernel->layer, args);
    vdnn_cuda_map<T>(stream, count, back, static_cast<T *>(args->dx[0]),
                     static_cast<const T *>(from), static_cast<const T *>(args->dy));
    return vdnn_cuda_launched("activation backward");
}

/* One whose functions have no parameters. */
template <class Value, class Back> struct plain_activation {
    template <class T>
    static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
    {
        return run_with<T>(kernel, args, Value{}, Back{});
    }
};

struct gelu_activation {
    template <class T>
    static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
    {
        auto config = static_cast<const vdnn_activation_config *>(kernel->layer->config);
        return config->approximate == VDNN_GELU_TANH
                   ? run_with<T>(kernel, args, gelu_tanh_value{}, gelu_tanh_back{})
                   : run_with<T>(kernel, args, gelu_value{}, gelu_back{});
    }
};

/* One whose functions have the config's number. */
template <class Value, class Back> struct sloped_activation {
    template <class T>
    static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
    {
        auto config = static_cast<const vdnn_activation_config *>(kernel->layer->config);
        auto slope = static_cast<float>(config->slope);
        return run_with<T>(kernel, args, Value{slope}, Back{slope});
    }
};

template <class Activation>
static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, Activation::template run, kernel, args);
}

template <class Activation> static constexpr vdnn_algorithm row_of(const char *type)
{
    return vdnn_cuda_invariant(vdnn_cuda_row(type, "native", VDNN_CUDA_DATA_PASSES,
                                             vdnn_cuda_free_refusal, run<Activation>),
                               VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
}

#define ROW(type, ...) const vdnn_algorithm vdnn_##type##_native_cuda = row_of<__VA_ARGS__>(#type);
ROW(gelu, gelu_activation)
ROW(silu, plain_activation<silu_value, silu_back>)
ROW(tanh, plain_activation<tanh_value, tanh_back>)
ROW(sigmoid, plain_activation<sigmoid_value, sigmoid_back>)
ROW(relu6, plain_activation<relu6_value, relu6_back>)
ROW(leaky_relu, sloped_activation<leaky_relu_value, leaky_relu_back>)
ROW(hardswish, plain_activation<hardswish_value, hardswish_back>)
ROW(scale, sloped_activation<scale_value, scale_back>)
