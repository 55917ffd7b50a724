/* The accuracy of Winograd's minimal filtering on the convolutions of real networks: sampled
 * results against sums in double. Prints a line for each shape. */

#include "layers/conv/conv_shape.h"
#include "layers/stage.h"
#include "models/model.h"
#include "runtime/graph/graph.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 400 };

/* What a row may err by, as a share of the largest result. */
static const struct {
    const char *name;
    double bound;
} rows[] = {
    {"winograd", 2e-5}, {"winograd_3x3", 4e-5}, {"winograd_5x5", 3e-5}, {"winograd_7x7", 3e-5}};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* One image in, weights and one image out, plain: what a pass read and what it wrote. */
typedef struct plain_conv {
    vdnn_conv_shape shape;
    float *x, *w, *y;
} plain_conv;

static float *floats(int64_t count)
{
    float *values = calloc((size_t)count, sizeof *values);
    assert_non_null(values);
    return values;
}

static plain_conv read_plain(const vdnn_bench *bench, vdnn_pass pass)
{
    const vdnn_layer *layer = bench->layer;
    bool data = pass == VDNN_BACKWARD_DATA, filter = pass == VDNN_BACKWARD_FILTER;
    plain_conv c = {.shape = vdnn_conv_shape_of(layer),
                    .x = floats(vdnn_desc_count(&layer->x[0])),
                    .w = floats(layer->params[0].count),
                    .y = floats(vdnn_desc_count(&layer->y))};
    vdnn_stage_load(&layer->x[0], data ? bench->dx[0].data : bench->x[0].data, 0, c.x);
    vdnn_stage_unpack(&layer->params[0], filter ? bench->dw.data : bench->w.data, c.w);
    vdnn_stage_load(&layer->y, pass == VDNN_FORWARD ? bench->y.data : bench->dy.data, 0, c.y);
    return c;
}

/* There are neither strides nor groups: cell (h, w) of y meets (h + i - pad, w + j - pad) of x by
 * weight (i, j); 0 beside the map. */
static double x_at(const plain_conv *c, int64_t channel, int64_t h, int64_t w)
{
    const vdnn_conv_shape *s = &c->shape;
    if (h < 0 || w < 0 || h >= s->in[0] || w >= s->in[1])
        return 0;
    return (double)c->x[(channel * s->in[0] + h) * s->in[1] + w];
}

static double y_at(const plain_conv *c, int64_t channel, int64_t h, int64_t w)
{
    const vdnn_conv_shape *s = &c->shape;
    if (h < 0 || w < 0 || h >= s->out[0] || w >= s->out[1])
        return 0;
    return (double)c->y[(channel * s->out[0] + h) * s->out[1] + w];
}

/* Taps of a channel, and how far one moves from the first cell that the window covers. */
static int64_t taps_of(const plain_conv *c)
{
    return c->shape.kernel[0] * c->shape.kernel[1];
}

static int64_t down(const plain_conv *c, int64_t tap)
{
    return tap / c->shape.kernel[1] - c->shape.pad[0];
}

static int64_t right(const plain_conv *c, int64_t tap)
{
    return tap % c->shape.kernel[1] - c->shape.pad[1];
}

static double w_at(const plain_conv *c, int64_t k, int64_t channel, int64_t tap)
{
    return (double)c->w[(k * c->shape.c + channel) * taps_of(c) + tap];
}

static double sum_y(const plain_conv *c, double bias, int64_t k, int64_t h, int64_t w)
{
    double sum = bias;
    for (int64_t channel = 0; channel < c->shape.c; channel++)
        for (int64_t tap = 0; tap < taps_of(c); tap++)
            sum += w_at(c, k, channel, tap) * x_at(c, channel, h + down(c, tap), w + right(c, tap));
    return sum;
}

static double sum_x(const plain_conv *c, int64_t channel, int64_t h, int64_t w)
{
    double sum = 0;
    for (int64_t k = 0; k < c->shape.k; k++)
        for (int64_t tap = 0; tap < taps_of(c); tap++)
            sum += w_at(c, k, channel, tap) * y_at(c, k, h - down(c, tap), w - right(c, tap));
    return sum;
}

static double sum_w(const plain_conv *c, int64_t k, int64_t channel, int64_t tap)
{
    double sum = 0;
    for (int64_t h = 0; h < c->shape.out[0]; h++)
        for (int64_t w = 0; w < c->shape.out[1]; w++)
            sum += y_at(c, k, h, w) * x_at(c, channel, h + down(c, tap), w + right(c, tap));
    return sum;
}

/* The largest difference of the samples, as a share of the largest result among them. */
static double error_of(const vdnn_bench *bench, vdnn_pass pass, vdnn_test_rng *rng)
{
    plain_conv c = read_plain(bench, pass);
    const vdnn_conv_shape *s = &c.shape;
    const int64_t *cells = pass == VDNN_BACKWARD_DATA ? s->in : s->out;
    const float *bias = vdnn_conv_shape_bias(s, bench->w.data);
    double difference = 0, largest = 0;
    for (int i = 0; i < SAMPLES; i++) {
        int64_t k = vdnn_test_between(rng, 0, s->k - 1);
        int64_t channel = vdnn_test_between(rng, 0, s->c - 1);
        int64_t h = vdnn_test_between(rng, 0, cells[0] - 1);
        int64_t w = vdnn_test_between(rng, 0, cells[1] - 1);
        int64_t tap = vdnn_test_between(rng, 0, taps_of(&c) - 1);
        double wanted, found;
        if (pass == VDNN_FORWARD) {
            wanted = sum_y(&c, bias != NULL ? (double)bias[k] : 0, k, h, w);
            found = y_at(&c, k, h, w);
        } else if (pass == VDNN_BACKWARD_DATA) {
            wanted = sum_x(&c, channel, h, w);
            found = x_at(&c, channel, h, w);
        } else {
            wanted = sum_w(&c, k, channel, tap);
            found = w_at(&c, k, channel, tap);
        }
        difference = fmax(difference, fabs(found - wanted));
        largest = fmax(largest, fabs(wanted));
    }
    free(c.x);
    free(c.w);
    free(c.y);
    return difference / largest;
}

/* Returns how many passes were measured. */
static int measure(const vdnn_layer *layer, int row, vdnn_test_rng *rng)
{
    const vdnn_algorithm *winograd = vdnn_algorithm_find("conv", rows[row].name, "cpu");
    double errors[VDNN_PASS_COUNT] = {0};
    int measured = 0;
    vdnn_bench *bench = vdnn_bench_create(layer, vdnn_test_seed());
    for (vdnn_pass pass = 0; pass < VDNN_PASS_COUNT; pass++) {
        if (vdnn_algorithm_refusal(winograd, layer, pass) != NULL)
            continue;
        assert_ok(vdnn_bench_run(bench, winograd, pass, 2, 0xff));
        errors[pass] = error_of(bench, pass, rng);
        measured++;
        if (!(errors[pass] < rows[row].bound))
            fail_msg("%s: the %s by %s errs by %g", layer->name, vdnn_pass_text(pass),
                     rows[row].name, errors[pass]);
    }
    vdnn_bench_destroy(bench);
    if (measured > 0)
        print_message("%-12s %-24s %4d -> %4d on %3d x %3d: forward %.1e  data %.1e  filter %.1e\n",
                      rows[row].name, layer->name, (int)layer->x[0].dims[VDNN_C],
                      (int)layer->y.dims[VDNN_C], (int)layer->y.dims[VDNN_H],
                      (int)layer->y.dims[VDNN_W], errors[VDNN_FORWARD], errors[VDNN_BACKWARD_DATA],
                      errors[VDNN_BACKWARD_FILTER]);
    return measured;
}

static bool is_first(const vdnn_graph *graph, int32_t at)
{
    for (int32_t i = 0; i < at; i++)
        if (strcmp(graph->layers[i].signature, graph->layers[at].signature) == 0)
            return false;
    return strcmp(graph->layers[at].def->type, "conv") == 0;
}

static int measure_network(const char *path, vdnn_test_rng *rng)
{
    vdnn_model *model;
    vdnn_graph *graph;
    const vdnn_graph_options options = {
        .batch = 1, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32, .preferred = VDNN_NCHW16C};
    int measured = 0;
    assert_ok(vdnn_model_read(path, &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    for (int32_t i = 0; i < graph->layer_count; i++)
        if (is_first(graph, i)) {
            /* What is measured is the sum, not what a relu leaves of it. */
            vdnn_layer layer = graph->layers[i];
            layer.epilogue = VDNN_EPILOGUE_NONE;
            for (int row = 0; row < ROWS; row++)
                measured += measure(&layer, row, rng);
        }
    vdnn_graph_destroy(graph);
    vdnn_model_destroy(model);
    return measured;
}

static void winograd_is_nearly_as_exact_as_direct_in_real_networks(void **state)
{
    (void)state;
    static const char *const paths[] = {"models/vgg16.yaml", "models/resnet50.yaml",
                                        "models/googlenet.yaml", "models/alexnet.yaml",
                                        "models/overfeat.yaml"};
    vdnn_test_rng rng = {vdnn_test_seed()};
    int measured = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        measured += measure_network(paths[i], &rng);
    if (measured == 0)
        skip_because("no Winograd runs on this processor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winograd_is_nearly_as_exact_as_direct_in_real_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
