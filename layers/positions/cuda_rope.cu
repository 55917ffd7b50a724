#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/positions/rope.h"
}

/* The workspace: cosine and sine of each position and pair, computed in double once a run. */
struct rope_angle {
    float cosine, sine;
};

__global__ static void find_angles(rope_angle *angles, vdnn_rope_shape s, double turn)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.positions * s.pairs)
        return;
    double exponent = -2 * (double)(i % s.pairs) / (double)s.width;
    double angle = (double)(i / s.pairs) * pow(s.theta, exponent);
    angles[i].cosine = (float)cos(angle);
    angles[i].sine = (float)(turn * sin(angle));
}

/* A thread has a pair; of heads that stay as they are it copies it. */
template <class T>
__global__ static void rotate_pairs(const rope_angle *angles, const T *from, T *to,
                                    vdnn_rope_shape s, vdnn_cuda_divisor pairs,
                                    vdnn_cuda_divisor heads, vdnn_cuda_divisor positions)
{
    int64_t i = vdnn_cuda_index(), vector = i / pairs, pair = i - vector * pairs.by;
    int64_t row = vector / heads, head = vector - row * heads.by;
    if (row >= s.rows)
        return;
    int64_t first = vector * s.width + (s.interleaved ? 2 * pair : pair);
    int64_t second = first + (s.interleaved ? 1 : s.pairs);
    float a = from[first], b = from[second];
    if (head < s.rotated) {
        rope_angle angle = angles[row % positions * s.pairs + pair];
        float turned = a * angle.cosine - b * angle.sine;
        b = b * angle.cosine + a * angle.sine;
        a = turned;
    }
    to[first] = a;
    to[second] = b;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    vdnn_rope_shape s = vdnn_rope_shape_of(kernel->layer);
    *bytes = (size_t)(s.positions * s.pairs) * sizeof(rope_angle);
    return VDNN_OK;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_rope_shape s = vdnn_rope_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool is_forward = kernel->pass == VDNN_FORWARD;
    rope_angle *angles = static_cast<rope_angle *>(args->workspace);
    VDNN_LAUNCH(find_angles, vdnn_cuda_blocks(s.positions * s.pairs), VDNN_CUDA_THREADS, stream,
                angles, s, is_forward ? 1.0 : -1.0);
    VDNN_LAUNCH(rotate_pairs<T>, vdnn_cuda_blocks(s.rows * s.features / 2), VDNN_CUDA_THREADS,
                stream, angles, static_cast<const T *>(is_forward ? args->x[0] : args->dy),
                static_cast<T *>(is_forward ? args->y : args->dx[0]), s, s.pairs,
                s.features / s.width, s.positions);
    return vdnn_cuda_launched("rope");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_rope_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("rope", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run, workspace),
    VDNN_CUDA_DATA_PASSES);
