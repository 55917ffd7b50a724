#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/embedding/embedding.h"
#include "layers/stage.h"

/* w is (vocabulary, width), x (tokens), y (tokens, width):
 *
 *     forward          y[i] = w[x[i]]
 *     backward filter  dw = 0, unless it adds; then dw[x[i]] += dy[i] for i = 0, 1, ...
 *
 * Each element of dw is one sum in the order of the samples: threads divide the columns. */

enum {
    LINE = 16,  /* elements; columns are divided at multiples of them */
    CHUNK = 256 /* elements that are widened at a time */
};

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_desc *x = &kernel->layer->x[0], *y = &kernel->layer->y;
    if (!vdnn_desc_is_integer(x))
        return "its input is not of integers";
    if (y->dtype != VDNN_F32 && y->dtype != VDNN_BF16)
        return "the data type of its output is neither f32 nor bf16";
    return NULL;
}

static vdnn_status check_tokens(const vdnn_layer *layer, const int32_t *x)
{
    vdnn_embedding_shape s = vdnn_embedding_shape_of(layer);
    int64_t positions = layer->x[0].dims[VDNN_POSITIONS];
    for (int64_t i = 0; i < s.tokens; i++)
        if (x[i] < 0 || x[i] >= s.vocabulary)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "embedding layer '%s': position %lld of sample %lld of the "
                                    "batch has token %d, but the tokens are 0 to %lld",
                                    layer->name, (long long)(i % positions),
                                    (long long)(i / positions), x[i], (long long)s.vocabulary - 1);
    return VDNN_OK;
}

static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const int32_t *x = args->x[0];
    const float *w = args->w;
    vdnn_embedding_shape s = vdnn_embedding_shape_of(layer);
    VDNN_TRY(check_tokens(layer, x));
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < s.tokens; i++)
        vdnn_stage_narrow(layer->y.dtype, w + x[i] * s.width,
                          vdnn_native_at(layer->y.dtype, args->y, i * s.width), s.width);
    return VDNN_OK;
}

static void clear(float *values, int64_t count, int threads)
{
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        memset(values + range.begin, 0, (size_t)(range.end - range.begin) * sizeof *values);
    }
}

VDNN_CPU_CLONES static void add(const float *restrict from, float *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

/* The rows of dy, cut to a range of columns, to those of dw. */
static void add_columns(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                        vdnn_native_range columns)
{
    const int32_t *x = args->x[0];
    vdnn_embedding_shape s = vdnn_embedding_shape_of(kernel->layer);
    float buffer[CHUNK];
    for (int64_t i = 0; i < s.tokens; i++)
        for (int64_t first = columns.begin; first < columns.end; first += CHUNK) {
            int64_t count = vdnn_count_min(columns.end - first, CHUNK);
            int64_t begin = i * s.width + first;
            vdnn_native_range range = {begin, begin + count};
            add(vdnn_native_read(kernel->layer->y.dtype, args->dy, range, buffer),
                (float *)args->dw + x[i] * s.width + first, count);
        }
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_embedding_shape s = vdnn_embedding_shape_of(kernel->layer);
    int64_t share = vdnn_count_pieces(s.width, kernel->threads);
    int64_t piece = vdnn_count_pieces(share, LINE) * LINE;
    if (!args->adds_dw)
        clear(args->dw, s.vocabulary * s.width, kernel->threads);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t begin = 0; begin < s.width; begin += piece)
        add_columns(kernel, args,
                    (vdnn_native_range){begin, vdnn_count_min(begin + piece, s.width)});
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        return forward(kernel, args);
    backward(kernel, args);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_embedding_native = {
    .layer_type = "embedding",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD,
    .refusal = refusal,
    .run = run,
};
