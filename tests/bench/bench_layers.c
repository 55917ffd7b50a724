/* The cost of every algorithm of a network's layers, as JSON on stdout: seconds, workspace, FLOPs
 * and bytes of each layer, pass and algorithm, measured alone, and beside them the rate of the
 * libraries' matrix product in the same process.
 *
 *     bench_layers MODEL BATCH [PROFILE]
 *
 * Rows that PROFILE has are not measured again; those that it lacks are added to it. BATCH 0 is the
 * network's own; the number of threads is OMP_NUM_THREADS or the machine's. */

#include "runtime/setup/setup.h"

#include <dnnl.h>
#include <jansson.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 2048, RUNS = 5 };

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the rate of a matrix product ------------------------------------------------------------ */

typedef void product(const float *a, const float *b, float *c);

static void onednn_product(const float *a, const float *b, float *c)
{
    (void)dnnl_sgemm('N', 'N', SIDE, SIDE, SIDE, 1.0f, a, SIDE, b, SIDE, 0.0f, c, SIDE);
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* FLOP/s of the median of some runs; 0 where there is no memory. */
static double rate_of(product *multiply)
{
    size_t count = (size_t)SIDE * SIDE;
    float *matrices = malloc(3 * count * sizeof *matrices);
    double runs[RUNS];
    if (matrices == NULL)
        return 0.0;
    for (size_t i = 0; i < 3 * count; i++)
        matrices[i] = (float)(i % 17) / 16.0f - 0.5f;
    for (int i = -1; i < RUNS; i++) {
        double begin = seconds_now();
        multiply(matrices, matrices + count, matrices + 2 * count);
        if (i >= 0)
            runs[i] = seconds_now() - begin;
    }
    free(matrices);
    qsort(runs, RUNS, sizeof *runs, by_value);
    return 2.0 * SIDE * (double)count / runs[RUNS / 2];
}

/* ---- the rows -------------------------------------------------------------------------------- */

static json_t *choices_json(const vdnn_layer_profile *profile, vdnn_pass pass)
{
    json_t *rows = json_array();
    for (int32_t i = 0; i < profile->choice_count[pass]; i++) {
        const vdnn_choice *choice = &profile->choices[pass][i];
        (void)json_array_append_new(rows, json_pack("{s:s, s:f, s:I}", "algorithm",
                                                    choice->algorithm->name, "seconds",
                                                    choice->seconds, "workspace_bytes",
                                                    (json_int_t)choice->workspace_bytes));
    }
    return rows;
}

static json_t *passes_json(const vdnn_layer *layer, const vdnn_layer_profile *profile)
{
    json_t *passes = json_object();
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        if (profile->choice_count[pass] > 0)
            (void)json_object_set_new(
                passes, vdnn_pass_text((vdnn_pass)pass),
                json_pack("{s:f, s:f, s:o}", "flops", vdnn_layer_flops(layer, (vdnn_pass)pass),
                          "bytes", vdnn_layer_bytes(layer, (vdnn_pass)pass), "algorithms",
                          choices_json(profile, (vdnn_pass)pass)));
    return passes;
}

static json_t *layers_json(const vdnn_setup *setup)
{
    json_t *layers = json_array();
    for (int32_t l = 0; l < setup->graph->layer_count; l++) {
        const vdnn_layer *layer = &setup->graph->layers[l];
        (void)json_array_append_new(
            layers, json_pack("{s:s, s:s, s:o}", "name", layer->name, "type", layer->def->type,
                              "passes", passes_json(layer, &setup->profile->layers[l])));
    }
    return layers;
}

static int print_setup(const vdnn_setup *setup)
{
    omp_set_num_threads(setup->properties.threads);
    json_t *all =
        json_pack("{s:s, s:I, s:i, s:s, s:{s:f}, s:o}", "model", setup->graph->name, "batch",
                  (json_int_t)setup->graph->batch, "threads", setup->properties.threads, "library",
                  setup->properties.library, "sgemm_flops_per_second", "onednn",
                  rate_of(onednn_product), "layers", layers_json(setup));
    int failed = all == NULL || json_dumpf(all, stdout, JSON_INDENT(1)) != 0;
    json_decref(all);
    (void)putchar('\n');
    return failed;
}

int main(int argc, char **argv)
{
    const vdnn_messages silent = {0};
    if (argc < 3 || argc > 4) {
        (void)fprintf(stderr, "usage: bench_layers MODEL BATCH [PROFILE]\n");
        return 2;
    }
    vdnn_session_options ask = {.size = sizeof ask,
                                .model = argv[1],
                                .batch = strtol(argv[2], NULL, 10),
                                .device = "cpu",
                                .profile = argc > 3 ? argv[3] : NULL};
    vdnn_run_options options = {0};
    vdnn_setup setup = {0};
    int failed = 0;
    vdnn_status status = vdnn_run_options_init(&ask, &options);
    if (status == VDNN_OK)
        status = vdnn_setup_begin(&options, &silent, &setup);
    if (status == VDNN_OK)
        status = vdnn_setup_measure(&options, &silent, &setup);
    if (status == VDNN_OK)
        failed = print_setup(&setup);
    vdnn_setup_end(&setup);
    vdnn_run_options_fini(&options);
    if (status != VDNN_OK)
        (void)fprintf(stderr, "bench_layers: %s\n", vdnn_status_message());
    return status == VDNN_OK ? failed : 1;
}
