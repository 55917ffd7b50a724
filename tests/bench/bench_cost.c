/* The cost model as a program, for calibration: the formulas are only in layers/sim/cost.c. Reads
 * lines from standard input and answers `times` with a line for each shape: for every algorithm and
 * pass its seconds and bytes of workspace, or two dashes where it is refused.
 *
 *     card FLOPS BYTES ELEMENTWISE_BYTES LAUNCH_SECONDS MULTIPROCESSORS
 *     rate ALGORITHM PASS KEY VALUE
 *     shape N C H W K R S STRIDE PAD BIAS
 *     times
 *
 *     names      words of algorithms, then of keys with their ranges
 */
#include "layers/layer.h"
#include "layers/sim/cost.h"
#include "runtime/base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHAPES = 4096 };

typedef struct state {
    vdnn_cost_model model;
    vdnn_cost_shape shapes[MAX_SHAPES];
    size_t shape_count;
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

static bool read_shape(state *s, const char *line)
{
    if (s->shape_count == MAX_SHAPES)
        return false;
    vdnn_cost_shape shape = {.groups = 1, .dilation = {1, 1}, .element_bytes = sizeof(float)};
    int64_t stride = 0, pad = 0;
    int bias = 0;
    if (sscanf(line,
               "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64
               "%" SCNd64 "%" SCNd64 "%d",
               &shape.n, &shape.c, &shape.image[0], &shape.image[1], &shape.k, &shape.kernel[0],
               &shape.kernel[1], &stride, &pad, &bias) != 10)
        return false;
    for (int axis = 0; axis < 2; axis++)
        shape.stride[axis] = stride, shape.pad[axis] = pad;
    shape.bias = bias != 0;
    s->shapes[s->shape_count++] = shape;
    return true;
}

static bool print_times(state *s, const char *line)
{
    (void)line;
    for (size_t i = 0; i < s->shape_count; i++) {
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
    {"card", read_card},    {"rate", read_rate},    {"shape", read_shape},
    {"times", print_times}, {"names", print_names},
};

int main(void)
{
    static state s;
    char line[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        bool done = false;
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
            size_t length = strlen(commands[i].word);
            if (strncmp(line, commands[i].word, length) == 0)
                done = commands[i].run(&s, line + length);
        }
        if (!done) {
            fprintf(stderr, "bench_cost: what is this? %s", line);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
