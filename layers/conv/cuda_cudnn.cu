#include "layers/conv/cuda_conv.h"
#include "layers/cuda/epilogue.h"

extern "C" {
#include "layers/conv/conv_work.h"
#include "layers/cuda/dnn.h"
#include "layers/cuda/weight.h"
#include "runtime/base/heap.h"
}

/* The convolutions of cuDNN, a row for each of its algorithms. cuDNN is queried for the shapes that
 * an algorithm supports and its workspace; an unsupported one is a refusal.
 *
 *     workspace   | weight, or its gradient | the same, or the bias, in bf16 | cuDNN's own |
 *
 * Maps, weight, bias and gradient have one type: with maps in bf16 the gradient of the weight is a
 * sum in f32 that is rounded once to bf16. */

enum { NONE = -1, PRECOMPUTED = 1, ALIGNMENT = 256 };

/* The algorithm's number in the enumeration of each pass. */
typedef struct dnn_way {
    int numbers[VDNN_PASS_COUNT];
} dnn_way;

typedef struct dnn_problem {
    const vdnn_cuda_dnn *dnn;
    vdnn_dnn_tensor x, y, bias;
    vdnn_dnn_filter w;
    vdnn_dnn_convolution convolution;
    vdnn_dnn_activation activation;
    bool is_fused; /* bias and relu are fused; false after cuDNN failed at that */
} dnn_problem;

static int number_of(const vdnn_kernel *kernel)
{
    return static_cast<const dnn_way *>(kernel->algorithm->variant)->numbers[kernel->pass];
}

static void problem_fini(dnn_problem *problem)
{
    const vdnn_cuda_dnn *dnn = problem->dnn;
    if (problem->activation != nullptr)
        (void)dnn->destroy_activation(problem->activation);
    if (problem->convolution != nullptr)
        (void)dnn->destroy_convolution(problem->convolution);
    if (problem->w != nullptr)
        (void)dnn->destroy_filter(problem->w);
    for (vdnn_dnn_tensor tensor : {problem->bias, problem->y, problem->x})
        if (tensor != nullptr)
            (void)dnn->destroy_tensor(tensor);
    *problem = {};
}

static int type_of(vdnn_dtype dtype)
{
    return dtype == VDNN_BF16 ? VDNN_DNN_BFLOAT16 : VDNN_DNN_FLOAT;
}

/* The math mode: only in f32 cuDNN must be told not to round factors. */
static int math_of(vdnn_dtype dtype)
{
    return dtype == VDNN_F32 ? VDNN_DNN_FMA_MATH : VDNN_DNN_TENSOR_MATH;
}

static int format_of(const vdnn_desc *map)
{
    return vdnn_layout_is_nhwc(map->layout) ? VDNN_DNN_NHWC : VDNN_DNN_NCHW;
}

static int set_tensor(const vdnn_cuda_dnn *dnn, const vdnn_desc *map, vdnn_dnn_tensor *tensor)
{
    int failed = dnn->create_tensor(tensor);
    return failed != 0 ? failed
                       : dnn->set_tensor(*tensor, format_of(map), type_of(map->dtype),
                                         (int)map->dims[VDNN_N], (int)vdnn_desc_channels(map),
                                         (int)map->dims[VDNN_H], (int)map->dims[VDNN_W]);
}

static int set_filter(dnn_problem *problem, const vdnn_desc *y, const vdnn_cuda_conv &c)
{
    int failed = problem->dnn->create_filter(&problem->w);
    return failed != 0 ? failed
                       : problem->dnn->set_filter(problem->w, type_of(y->dtype), format_of(y),
                                                  (int)c.groups * c.outputs, c.channels,
                                                  c.kernel[0], c.kernel[1]);
}

static int set_convolution(dnn_problem *problem, vdnn_dtype dtype, const vdnn_cuda_conv &c)
{
    const vdnn_cuda_dnn *dnn = problem->dnn;
    int failed = dnn->create_convolution(&problem->convolution);
    if (failed == 0)
        failed = dnn->set_convolution(problem->convolution, c.pad[0], c.pad[1], c.stride[0],
                                      c.stride[1], c.dilation[0], c.dilation[1],
                                      VDNN_DNN_CROSS_CORRELATION, VDNN_DNN_FLOAT);
    if (failed == 0)
        failed = dnn->set_groups(problem->convolution, (int)c.groups);
    return failed != 0 ? failed : dnn->set_math(problem->convolution, math_of(dtype));
}

static bool has_bias(const vdnn_layer *layer)
{
    return layer->param_count > 1;
}

/* Without a relu it fuses one algorithm only. */
static bool may_fuse(const vdnn_kernel *kernel)
{
    return kernel->pass == VDNN_FORWARD && has_bias(kernel->layer) &&
           (kernel->layer->epilogue == VDNN_EPILOGUE_RELU || number_of(kernel) == PRECOMPUTED);
}

static int set_fusion(dnn_problem *problem, const vdnn_layer *layer)
{
    const vdnn_cuda_dnn *dnn = problem->dnn;
    int failed = dnn->create_tensor(&problem->bias);
    if (failed == 0)
        failed = dnn->set_tensor(problem->bias, VDNN_DNN_NCHW, type_of(layer->y.dtype), 1,
                                 (int)layer->y.dims[VDNN_C], 1, 1);
    if (failed == 0)
        failed = dnn->create_activation(&problem->activation);
    return failed != 0
               ? failed
               : dnn->set_activation(problem->activation,
                                     layer->epilogue == VDNN_EPILOGUE_RELU ? VDNN_DNN_RELU
                                                                           : VDNN_DNN_IDENTITY,
                                     VDNN_DNN_PROPAGATE_NAN, 0);
}

/* cuDNN's status. */
static int problem_init(const vdnn_kernel *kernel, dnn_problem *problem)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_cuda_conv c = vdnn_cuda_conv_of(layer);
    *problem = {};
    problem->dnn = vdnn_cuda_dnn_find();
    problem->is_fused = may_fuse(kernel);
    int failed = set_tensor(problem->dnn, &layer->x[0], &problem->x);
    if (failed == 0)
        failed = set_tensor(problem->dnn, &layer->y, &problem->y);
    if (failed == 0)
        failed = set_filter(problem, &layer->y, c);
    if (failed == 0)
        failed = set_convolution(problem, layer->y.dtype, c);
    if (failed == 0 && problem->is_fused)
        failed = set_fusion(problem, layer);
    if (failed != 0)
        problem_fini(problem);
    return failed;
}

static int ask_bytes(const dnn_problem &p, vdnn_dnn_handle handle, vdnn_pass pass, int number,
                     size_t *bytes)
{
    if (pass == VDNN_FORWARD)
        return p.dnn->forward_bytes(handle, p.x, p.w, p.convolution, p.y, number, bytes);
    if (pass == VDNN_BACKWARD_DATA)
        return p.dnn->data_bytes(handle, p.w, p.y, p.convolution, p.x, number, bytes);
    return p.dnn->filter_bytes(handle, p.x, p.y, p.convolution, p.w, number, bytes);
}

/* ---- workspace ------------------------------------------------------------------------------- */

/* Bytes in bf16 in addition to the maps: of the gradient, or of the bias. */
static int64_t narrow_count(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    if (layer->y.dtype != VDNN_BF16)
        return 0;
    vdnn_cuda_conv c = vdnn_cuda_conv_of(layer);
    return kernel->pass == VDNN_BACKWARD_FILTER ? c.groups * c.outputs * c.window
           : may_fuse(kernel)                   ? layer->params[1].count
                                                : 0;
}

static size_t narrow_bytes(const vdnn_kernel *kernel)
{
    size_t bytes = (size_t)narrow_count(kernel) * sizeof(vdnn_cuda_bf16);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* cuDNN's workspace; *failed is its status. */
static vdnn_status own_workspace(const vdnn_kernel *kernel, size_t *bytes, int *failed)
{
    dnn_problem problem;
    vdnn_dnn_handle handle;
    *failed = problem_init(kernel, &problem);
    if (*failed != 0)
        return VDNN_OK;
    vdnn_status status = vdnn_cuda_dnn_begin(&handle);
    if (status == VDNN_OK) {
        *failed = ask_bytes(problem, handle, kernel->pass, number_of(kernel), bytes);
        vdnn_cuda_dnn_end();
    }
    problem_fini(&problem);
    return status;
}

/* Whether a status means that cuDNN or the card does not support it: of parameters, of what is not
 * supported, of the card's architecture. All others are failures. From version 9 on they come in
 * classes of a thousand. */
static bool is_refusal(int failed)
{
    constexpr int BAD_PARAM_8 = 3, ARCH_MISMATCH_8 = 6, NOT_SUPPORTED_8 = 9, BAD_PARAM = 2000,
                  INTERNAL_ERROR = 4000;
    return failed == BAD_PARAM_8 || failed == ARCH_MISMATCH_8 || failed == NOT_SUPPORTED_8 ||
           (failed >= BAD_PARAM && failed < INTERNAL_ERROR);
}

/* Of bf16 maps the algorithms that both backward passes have as number 0 add into memory that is
 * bf16 too: on an H200 gradients erred by up to 2.2 times what a single rounding allows. */
static bool rounds_each_sum(const vdnn_kernel *kernel)
{
    return kernel->pass != VDNN_FORWARD && number_of(kernel) == 0 &&
           kernel->layer->y.dtype == VDNN_BF16;
}

static const char *own_refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = INT32_MAX;
    const vdnn_layer *layer = kernel->layer;
    const char *why = vdnn_cuda_conv_free_refusal(kernel);
    if (why == nullptr && format_of(&layer->x[0]) != format_of(&layer->y))
        why = "its maps have different layouts";
    if (why == nullptr && vdnn_cuda_conv_of(layer).groups > 1 && vdnn_cuda_is_padded(&layer->x[0]))
        why = "its channels are padded behind the groups";
    if (why == nullptr &&
        (vdnn_desc_stored(&layer->x[0]) > MOST || vdnn_desc_stored(&layer->y) > MOST))
        why = "a map has more than 2^31 elements";
    if (why == nullptr && rounds_each_sum(kernel))
        why = "its sums would be rounded to bf16 at every term";
    return why == nullptr ? vdnn_cuda_dnn_lack() : why;
}

static vdnn_status ask(const vdnn_kernel *kernel, vdnn_offer *offer)
{
    int failed = 0;
    size_t own = 0;
    offer->refusal = own_refusal(kernel);
    if (offer->refusal != nullptr)
        return VDNN_OK;
    vdnn_status status = own_workspace(kernel, &own, &failed);
    VDNN_IF_OK(status, vdnn_cuda_dnn_status("a convolution's workspace", failed));
    if (is_refusal(failed)) {
        offer->refusal = "cuDNN does not support it";
        return VDNN_OK;
    }
    size_t before = vdnn_cuda_weight_bytes(kernel) + narrow_bytes(kernel);
    offer->workspace_bytes = vdnn_cuda_epilogue_room(kernel, before + own);
    return status;
}

static vdnn_status create(const vdnn_kernel *kernel, void **state)
{
    dnn_problem *problem = static_cast<dnn_problem *>(vdnn_heap_calloc(1, sizeof(dnn_problem)));
    if (problem == nullptr)
        return vdnn_status_fail(VDNN_NO_MEMORY, "conv layer '%s': no memory for its descriptors",
                                kernel->layer->name);
    int failed = problem_init(kernel, problem);
    if (failed != 0) {
        vdnn_heap_free(problem);
        return vdnn_cuda_dnn_status("a descriptor of a convolution", failed);
    }
    *state = problem;
    return VDNN_OK;
}

static void destroy(void *state)
{
    problem_fini(static_cast<dnn_problem *>(state));
    vdnn_heap_free(state);
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* The buffers of a pass. */
typedef struct dnn_loan {
    const void *w;
    void *narrow, *own;
    size_t own_bytes;
} dnn_loan;

static dnn_loan loan_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    size_t weight_bytes = vdnn_cuda_weight_bytes(kernel),
           taken = weight_bytes + narrow_bytes(kernel);
    char *base = static_cast<char *>(args->workspace);
    return {vdnn_cuda_weight(kernel, args), base + weight_bytes, base + taken,
            kernel->workspace_bytes - taken};
}

static int convolve(const vdnn_kernel *kernel, const vdnn_kernel_args *args, float beta,
                    vdnn_dnn_handle handle)
{
    const dnn_problem &p = *static_cast<const dnn_problem *>(kernel->state);
    const float one = 1;
    int number = number_of(kernel);
    dnn_loan lent = loan_of(kernel, args);
    float *gradient = vdnn_cuda_weight_gradient(kernel, args);
    bool is_narrow = narrow_count(kernel) > 0;
    if (kernel->pass == VDNN_FORWARD)
        return p.dnn->forward(handle, &one, p.x, args->x[0], p.w, lent.w, p.convolution, number,
                              lent.own, lent.own_bytes, &beta, p.y, args->y);
    if (kernel->pass == VDNN_BACKWARD_DATA)
        return p.dnn->backward_data(handle, &one, p.w, lent.w, p.y, args->dy, p.convolution, number,
                                    lent.own, lent.own_bytes, &beta, p.x, args->dx[0]);
    int failed = p.dnn->backward_filter(handle, &one, p.x, args->x[0], p.y, args->dy, p.convolution,
                                        number, lent.own, lent.own_bytes, &beta, p.w,
                                        is_narrow ? lent.narrow : gradient);
    if (failed == 0 && is_narrow)
        vdnn_cuda_widen(vdnn_cuda_stream_of(args), lent.narrow, gradient, narrow_count(kernel));
    return failed;
}

/* y = max(0, convolution + bias) in one pass; y itself is passed as z, scaled by 0. */
static int convolve_fused(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                          vdnn_dnn_handle handle)
{
    const dnn_problem &p = *static_cast<const dnn_problem *>(kernel->state);
    const float one = 1, none = 0, *bias = vdnn_cuda_epilogue_of(kernel, args).bias;
    dnn_loan lent = loan_of(kernel, args);
    bool is_narrow = narrow_count(kernel) > 0;
    if (is_narrow)
        vdnn_cuda_narrow(vdnn_cuda_stream_of(args), bias, lent.narrow, narrow_count(kernel));
    return p.dnn->forward_fused(handle, &one, p.x, args->x[0], p.w, lent.w, p.convolution,
                                number_of(kernel), lent.own, lent.own_bytes, &none, p.y, args->y,
                                p.bias, is_narrow ? lent.narrow : bias, p.activation, p.y, args->y);
}

/* One after the other. */
static vdnn_status run_apart(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                             vdnn_dnn_handle handle)
{
    float beta;
    vdnn_status status = vdnn_cuda_epilogue_begin(kernel, args, &beta);
    VDNN_IF_OK(status, vdnn_cuda_dnn_status("a convolution", convolve(kernel, args, beta, handle)));
    return vdnn_cuda_epilogue_finish(kernel, args, vdnn_cuda_weight_finish(kernel, args, status));
}

/* cuDNN reports which shapes it fuses only when it is run; any other error occurs with the separate
 * parts too. */
static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    dnn_problem *problem = static_cast<dnn_problem *>(kernel->state);
    vdnn_dnn_handle handle = vdnn_cuda_stream_of(args)->dnn;
    if (handle == nullptr)
        return vdnn_status_fail(VDNN_DEVICE, "cuda: cuDNN was found, but cannot use this card");
    if (problem->is_fused)
        problem->is_fused = vdnn_cuda_dnn_status("a convolution with its bias",
                                                 convolve_fused(kernel, args, handle)) == VDNN_OK;
    return problem->is_fused ? vdnn_cuda_launched("a convolution with its bias")
                             : run_apart(kernel, args, handle);
}

static constexpr vdnn_algorithm row_of(const char *name, const dnn_way *way, bool is_deterministic)
{
    unsigned passes = 0;
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        passes |= way->numbers[pass] == NONE ? 0U : 1U << pass;
    vdnn_algorithm row =
        vdnn_cuda_row("conv", name, passes, nullptr, run, nullptr, way, is_deterministic);
    row.rounds_gradient = true;
    row.ask = ask;
    row.pictures_only = true;
    row.create = create;
    row.destroy = destroy;
    return row;
}

/* name, deterministic, numbers of forward, backward data and backward filter, and the work that
 * layers/sim/simulated.c assumes of it, with its tiles */
#define WAY_TABLE(X)                                                                               \
    X(implicit, true, 0, NONE, NONE, nullptr, 0)                                                   \
    X(precomputed, true, 1, 1, 1, nullptr, 0)                                                      \
    X(gemm, true, 2, NONE, NONE, nullptr, 0)                                                       \
    X(fft, true, 4, 2, 2, vdnn_conv_spectra_work, 2)                                               \
    X(fft_tiling, true, 5, 3, 6, vdnn_conv_fft_work, 32)                                           \
    X(winograd, true, 6, 4, NONE, vdnn_conv_winograd_work, 2)                                      \
    X(winograd_nonfused, true, 7, 5, 5, vdnn_conv_winograd_work, 4)                                \
    X(atomic, false, NONE, 0, 0, nullptr, 0)                                                       \
    X(atomic_precomputed, false, NONE, NONE, 3, nullptr, 0)

#define X(name, is_deterministic, forward, data, filter, work, tile)                               \
    static constexpr dnn_way name##_way = {{forward, data, filter}};                               \
    const vdnn_algorithm vdnn_conv_cudnn_##name##_cuda =                                           \
        vdnn_cuda_working(row_of("cudnn_" #name, &name##_way, is_deterministic), work, tile);
WAY_TABLE(X)
#undef X
