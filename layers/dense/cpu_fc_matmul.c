#include "layers/count.h"
#include "layers/cpu/matmul.h"
#include "layers/cpu/native.h"
#include "layers/cpu/threads.h"
#include "layers/dense/fc.h"

/* w is (out, in), x (n, in), y (n, out), n samples, or positions of them:
 *
 *     forward          y = x w^T + bias
 *     backward data    dx = dy w
 *     backward filter  dw = dy^T x; the bias' gradient is the sum of dy's rows, in their order
 *
 * Each is one product on the layer's memory. With maps in bf16 the factors are packed, w converted
 * to bf16, and products are summed in f32. */

enum { CHUNK = 256 /* columns of dy that a thread sums */ };

typedef struct fc_sizes {
    int64_t n, in, out;
} fc_sizes;

static fc_sizes sizes_of(const vdnn_layer *layer)
{
    return (fc_sizes){.n = vdnn_desc_as_vectors(&layer->x[0]).dims[VDNN_N],
                      .in = layer->params[0].dims[1],
                      .out = layer->params[0].dims[0]};
}

/* Row-major, or its transpose. */
static vdnn_matmul_matrix matrix(int64_t rows, int64_t columns, vdnn_dtype dtype, bool packed)
{
    return (vdnn_matmul_matrix){.rows = rows,
                                .columns = columns,
                                .row_stride = columns,
                                .column_stride = 1,
                                .dtype = dtype,
                                .packed = packed};
}

static vdnn_matmul_matrix turned(vdnn_matmul_matrix m)
{
    return (vdnn_matmul_matrix){.rows = m.columns,
                                .columns = m.rows,
                                .row_stride = 1,
                                .column_stride = m.row_stride,
                                .dtype = m.dtype,
                                .packed = m.packed};
}

static vdnn_matmul_request request_of(const vdnn_layer *layer, vdnn_pass pass)
{
    fc_sizes s = sizes_of(layer);
    vdnn_dtype dtype = layer->y.dtype;
    bool packed = dtype == VDNN_BF16;
    const vdnn_matmul_matrix w = matrix(s.out, s.in, VDNN_F32, packed),
                             x = matrix(s.n, s.in, dtype, packed && pass == VDNN_BACKWARD_FILTER),
                             y = matrix(s.n, s.out, dtype, packed && pass == VDNN_BACKWARD_FILTER);
    vdnn_matmul_request request = {.dtype = dtype};
    if (pass == VDNN_FORWARD) {
        request.a = x, request.b = turned(w), request.c = y;
        request.bias = layer->param_count > 1;
    } else if (pass == VDNN_BACKWARD_DATA) {
        request.a = y, request.b = w, request.c = x;
    } else {
        request.a = turned(y), request.b = x, request.c = w;
    }
    return request;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_desc *x = &kernel->layer->x[0], *y = &kernel->layer->y;
    if ((x->dtype != VDNN_F32 && x->dtype != VDNN_BF16) || x->dtype != y->dtype)
        return "it computes in f32 or bf16 only";
    if (x->layout != VDNN_NCHW || y->layout != VDNN_NCHW)
        return "it reads and writes NCHW only";
    if (x->dtype == VDNN_BF16 && !vdnn_onednn_has_bf16())
        return "the processor has no instructions for bf16";
    return NULL;
}

static dnnl_status_t create_product(const vdnn_kernel *kernel, vdnn_matmul **matmul)
{
    const vdnn_matmul_request request = request_of(kernel->layer, kernel->pass);
    int before = vdnn_cpu_threads_begin(kernel->threads);
    dnnl_status_t result = vdnn_matmul_create(&request, matmul);
    vdnn_cpu_threads_end(before);
    return result;
}

static vdnn_status ask(const vdnn_kernel *kernel, vdnn_offer *offer)
{
    vdnn_matmul *matmul = NULL;
    *offer = (vdnn_offer){.refusal = refusal(kernel)};
    if (offer->refusal != NULL)
        return VDNN_OK;
    dnnl_status_t result = create_product(kernel, &matmul);
    if (result == dnnl_unimplemented)
        offer->refusal = "oneDNN has no kernel for this product";
    else if (result == dnnl_success)
        offer->workspace_bytes = vdnn_matmul_workspace_bytes(matmul);
    vdnn_matmul_destroy(matmul);
    return result == dnnl_unimplemented
               ? VDNN_OK
               : vdnn_onednn_check(result, kernel->layer, "to describe a product");
}

static vdnn_status create(const vdnn_kernel *kernel, void **state)
{
    vdnn_matmul *matmul = NULL;
    dnnl_status_t result = create_product(kernel, &matmul);
    if (result == dnnl_success)
        *state = matmul;
    return vdnn_onednn_check(result, kernel->layer, "to make a product");
}

static void destroy(void *state)
{
    vdnn_matmul_destroy(state);
}

VDNN_CPU_CLONES static void add(const float *restrict from, float *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

static void sum_rows(const vdnn_kernel *kernel, const void *dy, float *sums)
{
    fc_sizes s = sizes_of(kernel->layer);
    vdnn_dtype dtype = kernel->layer->y.dtype;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t begin = 0; begin < s.out; begin += CHUNK) {
        int64_t count = vdnn_count_min(s.out - begin, CHUNK);
        float buffer[CHUNK];
        memset(sums + begin, 0, (size_t)count * sizeof *sums);
        for (int64_t i = 0; i < s.n; i++) {
            vdnn_native_range range = {i * s.out + begin, i * s.out + begin + count};
            add(vdnn_native_read(dtype, dy, range, buffer), sums + begin, count);
        }
    }
}

static vdnn_matmul_data data_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_matmul_data data = {.workspace = args->workspace};
    if (kernel->pass == VDNN_FORWARD) {
        data.a = args->x[0], data.b = args->w, data.c = args->y;
        data.bias = (const char *)args->w + layer->params[1].offset;
    } else if (kernel->pass == VDNN_BACKWARD_DATA) {
        data.a = args->dy, data.b = args->w, data.c = args->dx[0];
    } else {
        data.a = args->dy, data.b = args->x[0], data.c = args->dw;
    }
    return data;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_matmul_data data = data_of(kernel, args);
    if (data.c == NULL)
        return VDNN_OK;
    int before = vdnn_cpu_threads_begin(kernel->threads);
    dnnl_status_t result = vdnn_matmul_run(kernel->state, &data);
    vdnn_cpu_threads_end(before);
    if (result == dnnl_success && kernel->pass == VDNN_BACKWARD_FILTER && layer->param_count > 1)
        sum_rows(kernel, args->dy, (float *)args->dw + layer->params[1].offset / sizeof(float));
    return vdnn_onednn_check(result, layer, "to run a product");
}

const vdnn_algorithm vdnn_fc_matmul = {
    .layer_type = "fc",
    .name = "matmul",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .ask = ask,
    .create = create,
    .destroy = destroy,
    .run = run,
};
