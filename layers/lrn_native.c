#include "layers/lrn.h"
#include "layers/native.h"

#include <math.h>

/* A sample is worked on in strips of cells, all channels of a strip after each other, so that the
 * innermost loop runs over neighbouring cells, which are independent. */
enum { STRIP = 64 };

typedef struct strip {
    const float *x; /* of the strip's first cell in the sample's first channel */
    int64_t channels, cells, count;
    const vdnn_lrn_config *lrn;
} strip;

typedef struct window {
    int64_t begin, end; /* channels */
} window;

static window window_around(const strip *at, int64_t before, int64_t channel, int64_t after)
{
    int64_t begin = channel - before, end = channel + after + 1;
    return (window){begin > 0 ? begin : 0, end < at->channels ? end : at->channels};
}

VDNN_NATIVE_CLONES static void add_squares(const float *restrict x, int64_t count,
                                           float *restrict sum)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += x[i] * x[i];
}

static void find_divisors(const strip *at, int64_t channel, float divisor[STRIP])
{
    const vdnn_lrn_config *lrn = at->lrn;
    window over = window_around(at, lrn->size / 2, channel, (lrn->size - 1) / 2);
    for (int64_t i = 0; i < STRIP; i++)
        divisor[i] = 0;
    for (int64_t c = over.begin; c < over.end; c++)
        add_squares(at->x + c * at->cells, at->count, divisor);
    float k = (float)lrn->k, share = (float)(lrn->alpha / (double)lrn->size);
    for (int64_t i = 0; i < STRIP; i++)
        divisor[i] = k + share * divisor[i];
}

static void forward_strip(const strip *at, float *y)
{
    float power = (float)-at->lrn->beta, divisor[STRIP];
    for (int64_t c = 0; c < at->channels; c++) {
        find_divisors(at, c, divisor);
        for (int64_t i = 0; i < at->count; i++)
            y[c * at->cells + i] = at->x[c * at->cells + i] * powf(divisor[i], power);
    }
}

/* dx[c] = dy[c] * d[c] ^ -beta - 2 * alpha * beta / size * x[c] * sum of t over the c' whose window
 * has c, where t[c'] = dy[c'] * x[c'] * d[c'] ^ (-beta - 1). Fills dx with the first term, `t` with
 * t. */
static void backward_terms(const strip *at, const float *dy, float *dx, float *t)
{
    float power = (float)-at->lrn->beta, divisor[STRIP];
    for (int64_t c = 0; c < at->channels; c++) {
        find_divisors(at, c, divisor);
        for (int64_t i = 0; i < at->count; i++) {
            int64_t cell = c * at->cells + i;
            float direct = dy[cell] * powf(divisor[i], power);
            dx[cell] = direct;
            t[c * STRIP + i] = direct * at->x[cell] / divisor[i];
        }
    }
}

static void backward_strip(const strip *at, const float *dy, float *dx, float *t)
{
    const vdnn_lrn_config *lrn = at->lrn;
    float factor = (float)(2 * lrn->alpha * lrn->beta / (double)lrn->size);
    backward_terms(at, dy, dx, t);
    for (int64_t c = 0; c < at->channels; c++) {
        window over = window_around(at, (lrn->size - 1) / 2, c, lrn->size / 2);
        float sum[STRIP] = {0};
        for (int64_t other = over.begin; other < over.end; other++)
            for (int64_t i = 0; i < at->count; i++)
                sum[i] += t[other * STRIP + i];
        for (int64_t i = 0; i < at->count; i++)
            dx[c * at->cells + i] -= factor * at->x[c * at->cells + i] * sum[i];
    }
}

/* Without `t`, the terms of backward, it goes forward. */
static void run_strip(const vdnn_kernel *kernel, const vdnn_kernel_args *args, int64_t index,
                      float *t)
{
    const int64_t *dims = kernel->layer->y.dims;
    int64_t cells = dims[VDNN_H] * dims[VDNN_W], strips = (cells + STRIP - 1) / STRIP;
    int64_t first = index % strips * STRIP;
    int64_t place = index / strips * dims[VDNN_C] * cells + first;
    strip at = {.x = (const float *)args->x[0] + place,
                .channels = dims[VDNN_C],
                .cells = cells,
                .count = cells - first < STRIP ? cells - first : STRIP,
                .lrn = kernel->layer->config};
    if (t == NULL)
        forward_strip(&at, (float *)args->y + place);
    else
        backward_strip(&at, (const float *)args->dy + place, (float *)args->dx[0] + place, t);
}

/* Backward: the terms of one strip in all channels, for each thread. */
static vdnn_status workspace(const vdnn_layer *layer, vdnn_pass pass, int threads, size_t *bytes)
{
    size_t strip_bytes = (size_t)layer->y.dims[VDNN_C] * STRIP * sizeof(float);
    *bytes = pass == VDNN_FORWARD ? 0 : (size_t)threads * strip_bytes;
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const int64_t *dims = kernel->layer->y.dims;
    int64_t strips = dims[VDNN_N] * ((dims[VDNN_H] * dims[VDNN_W] + STRIP - 1) / STRIP);
    int threads = kernel->threads;
#pragma omp parallel for num_threads(threads)
    for (int part = 0; part < threads; part++) {
        float *t = NULL;
        if (kernel->pass == VDNN_BACKWARD_DATA)
            t = (float *)args->workspace + part * dims[VDNN_C] * STRIP;
        for (int64_t index = part; index < strips; index += threads)
            run_strip(kernel, args, index, t);
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_lrn_native = {
    .layer_type = "lrn",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .workspace = workspace,
    .run = run,
};
