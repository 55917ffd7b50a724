/* How far the convolution algorithms are from the exact result, for the layers of the networks in
 * models/ at a small batch: every distinct shape, some of its outputs computed in double. A table
 * is printed: the largest error of a pass as a share of the largest output. */

#include "layers/conv/conv_shape.h"
#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/graph/graph.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const networks[] = {
    "lenet",     "alexnet",    "overfeat", "vgg16",       "googlenet",
    "cifar_cnn", "squeezenet", "resnet50", "densenet121", "inception_v3",
};

enum {
    NETWORKS = sizeof networks / sizeof networks[0],
    BATCH = 2,
    MOST_SHAPES = 1024,
    MOST_ROWS = 32,
    SAMPLES = 200,
    THREADS = 2
};

static const double limit = 1e-3;

/* One distinct convolution; the graph owns it. */
typedef struct shape {
    const char *network;
    const vdnn_layer *layer;
} shape;

typedef struct shapes {
    vdnn_graph *graphs[NETWORKS];
    shape all[MOST_SHAPES];
    int count;
} shapes;

static bool is_known(const shapes *s, const vdnn_layer *layer)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->all[i].layer->signature, layer->signature) == 0)
            return true;
    return false;
}

static void collect(shapes *s)
{
    for (int i = 0; i < NETWORKS; i++) {
        static const char *const directories[] = {"models"};
        char *path;
        vdnn_model *model;
        vdnn_graph_options options = {.batch = BATCH, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
        assert_ok(vdnn_model_find(networks[i], directories, 1, &path));
        assert_ok(vdnn_model_read(path, &model));
        assert_ok(vdnn_graph_create(model, &options, &s->graphs[i]));
        vdnn_model_destroy(model);
        vdnn_heap_free(path);
        for (int32_t j = 0; j < s->graphs[i]->layer_count; j++) {
            const vdnn_layer *layer = &s->graphs[i]->layers[j];
            if (strcmp(layer->def->type, "conv") != 0 || is_known(s, layer))
                continue;
            assert_true(s->count < MOST_SHAPES);
            s->all[s->count++] = (shape){networks[i], layer};
        }
    }
}

/* ---- exact outputs --------------------------------------------------------------------------- */

/* The products behind one output, by index; `number` is the output's place in memory. */
typedef double exact_output(const vdnn_bench *bench, const vdnn_conv_shape *s, int64_t number);

static const float *floats(const vdnn_bench_buffer *buffer)
{
    return (const float *)(const void *)buffer->data;
}

static bool within(int64_t h, int64_t w, const int64_t size[2])
{
    return h >= 0 && h < size[0] && w >= 0 && w < size[1];
}

static double exact_forward(const vdnn_bench *bench, const vdnn_conv_shape *s, int64_t number)
{
    const float *x = floats(&bench->x[0]), *w = floats(&bench->w);
    int64_t cell = number % s->out_cells, k = number / s->out_cells % s->k;
    int64_t n = number / s->out_cells / s->k, first = k / s->group_k * s->group_c;
    double sum = s->bias_offset < 0 ? 0 : (double)w[s->bias_offset + k];
    for (int64_t tap = 0; tap < s->taps; tap++) {
        int64_t j = tap % s->kernel[1], i = tap / s->kernel[1] % s->kernel[0];
        int64_t c = first + tap / s->kernel[1] / s->kernel[0];
        int64_t h = cell / s->out[1] * s->stride[0] - s->pad[0] + i * s->dilation[0];
        int64_t v = cell % s->out[1] * s->stride[1] - s->pad[1] + j * s->dilation[1];
        if (within(h, v, s->in))
            sum += (double)x[(n * s->c + c) * s->in_cells + h * s->in[1] + v] *
                   (double)w[k * s->taps + tap];
    }
    return bench->layer->epilogue == VDNN_EPILOGUE_RELU ? fmax(sum, 0) : sum;
}

static double exact_backward_data(const vdnn_bench *bench, const vdnn_conv_shape *s, int64_t number)
{
    const float *dy = floats(&bench->dy), *w = floats(&bench->w);
    int64_t cell = number % s->in_cells, c = number / s->in_cells % s->c;
    int64_t n = number / s->in_cells / s->c, group = c / s->group_c;
    int64_t window = s->kernel[0] * s->kernel[1];
    double sum = 0;
    for (int64_t tap = 0; tap < window; tap++) {
        int64_t h = cell / s->in[1] + s->pad[0] - tap / s->kernel[1] * s->dilation[0];
        int64_t v = cell % s->in[1] + s->pad[1] - tap % s->kernel[1] * s->dilation[1];
        if (h % s->stride[0] != 0 || v % s->stride[1] != 0 ||
            !within(h / s->stride[0], v / s->stride[1], s->out) || h < 0 || v < 0)
            continue;
        int64_t at = h / s->stride[0] * s->out[1] + v / s->stride[1];
        for (int64_t k = group * s->group_k; k < (group + 1) * s->group_k; k++)
            sum += (double)dy[(n * s->k + k) * s->out_cells + at] *
                   (double)w[k * s->taps + c % s->group_c * window + tap];
    }
    return sum;
}

static double exact_backward_filter(const vdnn_bench *bench, const vdnn_conv_shape *s,
                                    int64_t number)
{
    const float *x = floats(&bench->x[0]), *dy = floats(&bench->dy);
    int64_t k = number / s->taps, tap = number % s->taps, window = s->kernel[0] * s->kernel[1];
    int64_t c = k / s->group_k * s->group_c + tap / window;
    int64_t down = tap % window / s->kernel[1] * s->dilation[0] - s->pad[0];
    int64_t right = tap % s->kernel[1] * s->dilation[1] - s->pad[1];
    double sum = 0;
    for (int64_t n = 0; n < s->n; n++)
        for (int64_t cell = 0; cell < s->out_cells; cell++) {
            int64_t h = cell / s->out[1] * s->stride[0] + down;
            int64_t v = cell % s->out[1] * s->stride[1] + right;
            if (within(h, v, s->in))
                sum += (double)x[(n * s->c + c) * s->in_cells + h * s->in[1] + v] *
                       (double)dy[(n * s->k + k) * s->out_cells + cell];
        }
    return sum;
}

/* ---- the errors of one shape ----------------------------------------------------------------- */

typedef struct samples {
    int64_t places[SAMPLES];
    double exact[SAMPLES], largest;
} samples;

static samples draw(const vdnn_bench *bench, vdnn_pass pass, vdnn_test_rng *rng)
{
    static exact_output *const exact[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = exact_forward,
        [VDNN_BACKWARD_DATA] = exact_backward_data,
        [VDNN_BACKWARD_FILTER] = exact_backward_filter,
    };
    vdnn_conv_shape s = vdnn_conv_shape_of(bench->layer);
    int64_t counts[VDNN_PASS_COUNT] = {s.n * s.k * s.out_cells, s.n * s.c * s.in_cells,
                                       s.weight_count};
    samples drawn = {.largest = 0};
    for (int i = 0; i < SAMPLES; i++) {
        drawn.places[i] = vdnn_test_between(rng, 0, counts[pass] - 1);
        drawn.exact[i] = exact[pass](bench, &s, drawn.places[i]);
        drawn.largest = fmax(drawn.largest, fabs(drawn.exact[i]));
    }
    return drawn;
}

static double error_of(const vdnn_bench *bench, vdnn_pass pass, const samples *drawn)
{
    const vdnn_bench_buffer *const written[VDNN_PASS_COUNT] = {&bench->y, &bench->dx[0],
                                                               &bench->dw};
    double error = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double value = (double)floats(written[pass])[drawn->places[i]];
        double difference = fabs(value - drawn->exact[i]);
        error = isnan(value) ? (double)INFINITY : fmax(error, difference);
    }
    return error / drawn->largest;
}

typedef struct table {
    const vdnn_algorithm *rows[MOST_ROWS];
    double worst[MOST_ROWS][VDNN_PASS_COUNT];
    int count;
} table;

/* Whether a row applies to the layer that no layer before it took. */
static bool has_new_row(const table *t, const vdnn_layer *layer)
{
    for (int i = 0; i < t->count; i++)
        if (t->worst[i][VDNN_FORWARD] == 0 &&
            vdnn_algorithm_refusal(t->rows[i], layer, VDNN_FORWARD) == NULL)
            return true;
    return false;
}

static void measure(table *t, const shape *one, vdnn_test_rng *rng)
{
    const vdnn_layer *layer = one->layer;
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_random(rng));
    print_message("%s %s: %" PRId64 " -> %" PRId64 " channels, %s\n", one->network, layer->name,
                  layer->x[0].dims[VDNN_C], layer->y.dims[VDNN_C], layer->signature);
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        if (!vdnn_layer_has_pass(layer, (vdnn_pass)pass))
            continue;
        samples drawn = draw(bench, (vdnn_pass)pass, rng);
        for (int i = 0; i < t->count; i++) {
            if (vdnn_algorithm_refusal(t->rows[i], layer, (vdnn_pass)pass) != NULL)
                continue;
            assert_ok(vdnn_bench_run(bench, t->rows[i], (vdnn_pass)pass, THREADS, 0xff));
            double error = error_of(bench, (vdnn_pass)pass, &drawn);
            print_message("    %-16s %-10s %.1e\n", vdnn_pass_text((vdnn_pass)pass),
                          t->rows[i]->name, error);
            t->worst[i][pass] = fmax(t->worst[i][pass], error);
            if (!(error < limit))
                fail_msg("%s %s, %s by %s: error %g", one->network, layer->name,
                         vdnn_pass_text((vdnn_pass)pass), t->rows[i]->name, error);
        }
    }
    vdnn_bench_destroy(bench);
}

static void every_algorithm_is_within_a_thousandth_of_the_exact_result(void **state)
{
    (void)state;
    static shapes s;
    static table t;
    collect(&s);
    for (size_t i = 0; i < vdnn_algorithm_count(); i++) {
        const vdnn_algorithm *row = vdnn_algorithm_at(i);
        if (strcmp(row->layer_type, "conv") != 0 || strcmp(row->device, "cpu") != 0)
            continue;
        assert_true(t.count < MOST_ROWS);
        t.rows[t.count++] = row;
    }
    vdnn_test_rng rng = {vdnn_test_seed()};
    int wanted = vdnn_test_count(s.count);
    int measured = 0;
    for (int i = 0; i < s.count; i++) {
        int other = (int)vdnn_test_between(&rng, i, s.count - 1);
        shape drawn = s.all[other];
        s.all[other] = s.all[i];
        if (i >= wanted && !has_new_row(&t, drawn.layer))
            continue;
        measure(&t, &drawn, &rng);
        measured++;
    }
    print_message("largest errors of %d of %d shapes:\n", measured, s.count);
    for (int i = 0; i < t.count; i++)
        print_message("    %-10s forward %.1e  backward data %.1e  backward filter %.1e\n",
                      t.rows[i]->name, t.worst[i][VDNN_FORWARD], t.worst[i][VDNN_BACKWARD_DATA],
                      t.worst[i][VDNN_BACKWARD_FILTER]);
    for (int i = 0; i < NETWORKS; i++)
        vdnn_graph_destroy(s.graphs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_is_within_a_thousandth_of_the_exact_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
