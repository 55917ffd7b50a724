#include "layers/cuda/pack.h"

extern "C" {
#include "layers/loss/number_loss.h"
}

/* Elements that a block sums. */
enum { CHUNK = 16 * VDNN_CUDA_THREADS };

/* Of elements: how many are on the side of 1/2 that their labels are on. */
typedef struct tally {
    double loss, right;
} tally;

struct mse_loss {
    float weight; /* of positive labels */

    __device__ float operator()(float x, float t) const
    {
        return (x - t) * (x - t);
    }

    __device__ float slope(float x, float t) const
    {
        return 2.0F * (x - t);
    }

    __device__ bool is_right(float, float) const
    {
        return false;
    }
};

struct bce_loss {
    float weight;

    __device__ float operator()(float x, float t) const
    {
        const float both = log1pf(expf(-fabsf(x))), no = x < 0 ? 0.0F : x, yes = no - x;
        return weight * t * (both + yes) + (1.0F - t) * (both + no);
    }

    __device__ float slope(float x, float t) const
    {
        const float e = expf(-fabsf(x)), more = 1.0F / (1.0F + e), less = e * more;
        return (1.0F - t) * (x < 0 ? less : more) - weight * t * (x < 0 ? more : less);
    }

    __device__ bool is_right(float x, float t) const
    {
        return (x > 0) == (t > 0.5F);
    }
};

template <class Loss> struct slope_of_loss {
    Loss loss;
    float scale;

    __device__ float operator()(float x, float t) const
    {
        return scale * loss.slope(x, t);
    }
};

template <class T, class Loss>
__global__ static void sum_chunks(Loss loss, const T *x, const float *t, tally *sums, int64_t count)
{
    const int64_t begin = (int64_t)blockIdx.x * CHUNK,
                  end = begin + CHUNK < count ? begin + CHUNK : count;
    tally sum = {};
    for (int64_t i = begin + threadIdx.x; i < end; i += VDNN_CUDA_THREADS) {
        sum.loss += (double)loss((float)x[i], t[i]);
        sum.right += loss.is_right((float)x[i], t[i]) ? 1 : 0;
    }
    sum.loss = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum.loss);
    sum.right = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum.right);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* One block, so that the chunks are summed in one order. */
__global__ static void sum_all(const tally *sums, float *y, int64_t chunks, int64_t count)
{
    tally sum = {};
    for (int64_t i = threadIdx.x; i < chunks; i += VDNN_CUDA_THREADS) {
        sum.loss += sums[i].loss;
        sum.right += sums[i].right;
    }
    sum.loss = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum.loss);
    sum.right = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum.right);
    if (threadIdx.x > 0)
        return;
    y[0] = (float)(sum.loss / (double)count);
    y[1] = (float)sum.right;
}

static int64_t count_chunks(const vdnn_layer *layer)
{
    return (vdnn_desc_count(&layer->x[0]) + CHUNK - 1) / CHUNK;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const bool forward = kernel->pass == VDNN_FORWARD;
    *bytes = forward ? (size_t)count_chunks(kernel->layer) * sizeof(tally) : 0;
    return VDNN_OK;
}

template <class T, class Loss>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const int64_t count = vdnn_desc_count(&layer->x[0]), chunks = count_chunks(layer);
    const T *x = static_cast<const T *>(args->x[0]);
    const float *t = static_cast<const float *>(args->labels);
    const Loss loss = {(float)vdnn_number_loss_weight(layer)};
    if (kernel->pass != VDNN_FORWARD) {
        const float scale = vdnn_number_loss_scale(layer, args->weight);
        vdnn_cuda_map<T>(stream, count, slope_of_loss<Loss>{loss, scale},
                         static_cast<T *>(args->dx[0]), x, t);
        return vdnn_cuda_launched("loss over numbers backward");
    }
    tally *sums = static_cast<tally *>(args->workspace);
    VDNN_LAUNCH((sum_chunks<T, Loss>), (unsigned)chunks, VDNN_CUDA_THREADS, stream, loss, x, t,
                sums, count);
    VDNN_LAUNCH(sum_all, 1U, VDNN_CUDA_THREADS, stream, sums, static_cast<float *>(args->y), chunks,
                count);
    return vdnn_cuda_launched("loss over numbers forward");
}

template <class Loss>
static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return kernel->layer->x[0].dtype == VDNN_BF16 ? run_as<vdnn_cuda_bf16, Loss>(kernel, args)
                                                  : run_as<float, Loss>(kernel, args);
}

template <class Loss> static constexpr vdnn_algorithm row_of(const char *type)
{
    return vdnn_cuda_invariant(vdnn_cuda_row(type, "native", VDNN_CUDA_DATA_PASSES,
                                             vdnn_cuda_refusal, run<Loss>, workspace),
                               VDNN_CUDA_DATA_PASSES);
}

const vdnn_algorithm vdnn_mse_native_cuda = row_of<mse_loss>("mse"),
                     vdnn_bce_native_cuda = row_of<bce_loss>("bce");
