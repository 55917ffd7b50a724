/* The cost model as a program, for calibration: the formulas are only in layers/sim/cost.c and
 * runtime/device/sim/predict.c. Reads lines from standard input. It answers `times` with a line for
 * each shape: for every algorithm and pass its seconds and bytes of workspace, or two dashes where
 * it is refused; and `products` with the seconds of each product.
 *
 *     card FLOPS BYTES ELEMENTWISE_BYTES LAUNCH_SECONDS MULTIPROCESSORS
 *     rate ALGORITHM PASS KEY VALUE
 *     device NAME PRECISION  card and rates of a device model
 *     launch SECONDS
 *     product_rate KEY VALUE
 *     shape N C H W K R S STRIDE_H STRIDE_W PAD_H PAD_W BIAS
 *     product ROWS COLUMNS INNER R C    1: the factor of the rows, of the columns, lies along the
 *                                       inner dimension
 *     clear      no shapes and no products
 *     times
 *     products   of the last `device`
 *     reduce DEVICES BYTES    seconds of summing them by ring over devices like it
 *
 *     names      words of algorithms, then of keys with their ranges
 */
#include "layers/layer.h"
#include "layers/sim/cost.h"
#include "runtime/base/status.h"
#include "runtime/device/sim/collective.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/device/sim/predict.h"
#include "runtime/planner/clock/link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHAPES = 4096 };

typedef struct state {
    vdnn_cost_model model;
    vdnn_device_model device;
    vdnn_dtype dtype;
    vdnn_cost_shape shapes[MAX_SHAPES];
    vdnn_cost_factors products[MAX_SHAPES];
    size_t shape_count, product_count;
} state;

static bool read_card(state *s, const char *line)
{
    return sscanf(line, "%lf %lf %lf %lf %" SCNd32, &s->model.flops_per_second,
                  &s->model.bytes_per_second, &s->model.elementwise_bytes_per_second,
                  &s->model.launch_seconds, &s->model.multiprocessors) == 5;
}

static bool read_rate(state *s, const char *line)
{
    char algorithm[32], pass[32], key[32];
    double value = 0;
    if (sscanf(line, "%31s %31s %31s %lf", algorithm, pass, key, &value) != 4)
        return false;
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (size_t i = 0; i < vdnn_cost_key_count(); i++)
                if (strcmp(algorithm, vdnn_cost_algorithm_text((vdnn_cost_algorithm)a)) == 0 &&
                    strcmp(pass, vdnn_pass_text((vdnn_pass)p)) == 0 &&
                    strcmp(key, vdnn_cost_key_at(i)->name) == 0) {
                    char *rate = (char *)&s->model.rates[a][p];
                    memcpy(rate + vdnn_cost_key_at(i)->offset, &value, sizeof value);
                    return true;
                }
    return false;
}

static const vdnn_dtype dtypes[] = {VDNN_F32, VDNN_TF32, VDNN_BF16, VDNN_F16};
enum { DTYPE_COUNT = sizeof dtypes / sizeof *dtypes };

static bool read_device(state *s, const char *line)
{
    char name[128], word[16];
    int found = 0;
    if (sscanf(line, "%127s %15s", name, word) != 2)
        return false;
    while (found < DTYPE_COUNT && strcmp(word, vdnn_dtype_text(dtypes[found])) != 0)
        found++;
    if (found == DTYPE_COUNT)
        return false;
    if (vdnn_device_model_load(name, &s->device) != VDNN_OK) {
        fprintf(stderr, "bench_cost: %s\n", vdnn_status_message());
        return false;
    }
    s->dtype = dtypes[found];
    s->model = vdnn_predict_cost_model(&s->device, s->dtype);
    return true;
}

/* Of the device, for both kinds of units: there is one type at a time. */
static bool read_product_rate(state *s, const char *line)
{
    char key[32];
    double value = 0;
    if (sscanf(line, "%31s %lf", key, &value) != 2)
        return false;
    for (size_t i = 0; i < vdnn_cost_key_count(); i++)
        if (strcmp(key, vdnn_cost_key_at(i)->name) == 0) {
            size_t offset = vdnn_cost_key_at(i)->offset;
            memcpy((char *)&s->device.product + offset, &value, sizeof value);
            memcpy((char *)&s->device.tensor_product + offset, &value, sizeof value);
            return true;
        }
    return false;
}

static bool read_launch(state *s, const char *line)
{
    return sscanf(line, "%lf", &s->model.launch_seconds) == 1;
}

static bool read_shape(state *s, const char *line)
{
    if (s->shape_count == MAX_SHAPES)
        return false;
    vdnn_cost_shape shape = {.groups = 1, .dilation = {1, 1}};
    int bias = 0;
    if (sscanf(line,
               "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64
               "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%d",
               &shape.n, &shape.c, &shape.image[0], &shape.image[1], &shape.k, &shape.kernel[0],
               &shape.kernel[1], &shape.stride[0], &shape.stride[1], &shape.pad[0], &shape.pad[1],
               &bias) != 12)
        return false;
    shape.bias = bias != 0;
    s->shapes[s->shape_count++] = shape;
    return true;
}

static bool read_product(state *s, const char *line)
{
    if (s->product_count == MAX_SHAPES)
        return false;
    vdnn_cost_factors *fresh = &s->products[s->product_count++];
    int along[2] = {0};
    bool ok = sscanf(line, "%lf %lf %lf %d %d", &fresh->rows, &fresh->columns, &fresh->inner,
                     &along[0], &along[1]) == 5;
    fresh->rows_along_inner = along[0] != 0;
    fresh->columns_along_inner = along[1] != 0;
    return ok;
}

static bool clear(state *s, const char *line)
{
    (void)line;
    s->shape_count = s->product_count = 0;
    return true;
}

static bool print_products(state *s, const char *line)
{
    (void)line;
    for (size_t i = 0; i < s->product_count; i++) {
        vdnn_cost_factors m = s->products[i];
        m.element_bytes = (double)vdnn_dtype_bytes(s->dtype);
        m.bytes = (m.rows * m.inner + m.inner * m.columns + m.rows * m.columns) * m.element_bytes;
        printf("%.9g\n",
               s->device.compute.launch_seconds + vdnn_predict_product(&s->device, s->dtype, &m));
    }
    return fflush(stdout) == 0;
}

static bool print_times(state *s, const char *line)
{
    (void)line;
    for (size_t i = 0; i < s->shape_count; i++) {
        s->shapes[i].element_bytes = (int64_t)vdnn_dtype_bytes(s->dtype);
        for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
            for (int p = 0; p < VDNN_PASS_COUNT; p++) {
                double seconds = 0;
                size_t bytes = 0;
                const vdnn_cost_shape *shape = &s->shapes[i];
                if (vdnn_cost_refusal(&s->model, shape, (vdnn_pass)p, (vdnn_cost_algorithm)a) ||
                    vdnn_cost_conv(&s->model, shape, (vdnn_pass)p, (vdnn_cost_algorithm)a, &seconds,
                                   &bytes) != VDNN_OK)
                    fputs("- - ", stdout);
                else
                    printf("%.9g %zu ", seconds, bytes);
            }
        putchar('\n');
    }
    return fflush(stdout) == 0;
}

static bool print_reduce(state *s, const char *line)
{
    int devices = 0;
    size_t bytes = 0;
    if (sscanf(line, "%d %zu", &devices, &bytes) != 2 || devices < 2)
        return false;
    const vdnn_rates rates = {
        .reduce = vdnn_collective_rates(&s->device, VDNN_REDUCE_RING, (int32_t)devices)};
    printf("%.9g\n", vdnn_link_reduce_seconds(&rates, VDNN_REDUCE_WHOLE, bytes));
    return fflush(stdout) == 0;
}

static bool print_names(state *s, const char *line)
{
    (void)s;
    (void)line;
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        printf("%s ", vdnn_cost_algorithm_text((vdnn_cost_algorithm)a));
    putchar('\n');
    for (size_t i = 0; i < vdnn_cost_key_count(); i++)
        printf("%s ", vdnn_cost_key_at(i)->name);
    putchar('\n');
    return fflush(stdout) == 0;
}

static const struct {
    const char *word;
    bool (*run)(state *s, const char *line);
} commands[] = {
    {"card", read_card},
    {"rate", read_rate},
    {"device", read_device},
    {"launch", read_launch},
    {"product_rate", read_product_rate},
    {"shape", read_shape},
    {"clear", clear},
    {"products", print_products},
    {"product", read_product},
    {"times", print_times},
    {"reduce", print_reduce},
    {"names", print_names},
};

int main(void)
{
    static state s;
    char line[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        bool done = false;
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
            size_t length = strlen(commands[i].word);
            if (strncmp(line, commands[i].word, length) == 0 && strchr(" \n", line[length]) != NULL)
                done = commands[i].run(&s, line + length);
        }
        if (!done) {
            fprintf(stderr, "bench_cost: what is this? %s", line);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
