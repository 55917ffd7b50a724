/* The cost of every algorithm of a network's layers, as JSON on stdout: seconds, workspace, FLOPs
 * and bytes of each layer, pass and algorithm, measured alone, and of each update. Beside them, in
 * the same process, what the machine reaches: the rate of oneDNN's matrix product in f32 and bf16,
 * and of copies in memory, as bytes read and written.
 *
 *     bench_layers MODEL BATCH [PROFILE [DTYPE]]
 *
 * Rows that PROFILE has are not measured again; those that it lacks are added to it. BATCH 0 is the
 * network's own; the number of threads is OMP_NUM_THREADS or the machine's. */

#include "layers/cpu/matmul.h"
#include "layers/cpu/threads.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/setup/setup.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 2048, RUNS = 9, COPY_BYTES = 192 << 20, PIECE_BYTES = 1 << 20 };

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- what the machine reaches ---------------------------------------------------------------- */

typedef void work(void *argument);

/* The least of some runs, after one that warms up: what can be reached, whatever else runs. */
static double seconds_of(work *run, void *argument)
{
    double least = 0.0;
    for (int i = -1; i < RUNS; i++) {
        const double begin = seconds_now();
        run(argument);
        const double taken = seconds_now() - begin;
        least = i <= 0 || taken < least ? taken : least;
    }
    return least;
}

typedef struct product {
    vdnn_matmul *matmul;
    vdnn_matmul_data data;
} product;

static void multiply(void *argument)
{
    const product *p = argument;
    (void)vdnn_matmul_run(p->matmul, &p->data);
}

/* FLOP/s of a product of square matrices of that type; 0: no memory, or no kernel. */
static double product_rate(vdnn_dtype dtype)
{
    const vdnn_matmul_matrix matrix = {SIDE, SIDE, SIDE, 1, dtype, false};
    const vdnn_matmul_request request = {matrix, matrix, matrix, dtype, false};
    const size_t bytes = (size_t)SIDE * SIDE * vdnn_dtype_bytes(dtype);
    char *matrices = calloc(3, bytes);
    product p = {0};
    double rate = 0.0;
    if (matrices != NULL && vdnn_matmul_create(&request, &p.matmul) == dnnl_success) {
        p.data = (vdnn_matmul_data){.a = matrices,
                                    .b = matrices + bytes,
                                    .c = matrices + 2 * bytes,
                                    .workspace = malloc(vdnn_matmul_workspace_bytes(p.matmul) + 1)};
        rate = 2.0 * SIDE * SIDE * SIDE / seconds_of(multiply, &p);
        free(p.data.workspace);
        vdnn_matmul_destroy(p.matmul);
    }
    free(matrices);
    return rate;
}

typedef struct copy {
    char *from, *to;
    int threads;
} copy;

static void copy_piece(void *argument, int64_t i, int member)
{
    const copy *c = argument;
    (void)member;
    memcpy(c->to + i * PIECE_BYTES, c->from + i * PIECE_BYTES, PIECE_BYTES);
}

static void copy_all(void *argument)
{
    const copy *c = argument;
    vdnn_cpu_threads_loop(c->threads, COPY_BYTES / PIECE_BYTES, copy_piece, argument);
}

static double copy_rate(int threads)
{
    copy c = {malloc(COPY_BYTES), malloc(COPY_BYTES), threads};
    double rate = 0.0;
    if (c.from != NULL && c.to != NULL) {
        memset(c.from, 1, COPY_BYTES);
        rate = 2.0 * COPY_BYTES / seconds_of(copy_all, &c);
    }
    free(c.from);
    free(c.to);
    return rate;
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

static double update_seconds(const vdnn_setup *setup, const vdnn_layer *layer)
{
    return layer->trainable_bytes > 0
               ? vdnn_timing_update(setup->profile, setup->graph, layer->trainable_bytes)
               : 0.0;
}

static json_t *layers_json(const vdnn_setup *setup)
{
    json_t *layers = json_array();
    for (int32_t l = 0; l < setup->graph->layer_count; l++) {
        const vdnn_layer *layer = &setup->graph->layers[l];
        (void)json_array_append_new(
            layers, json_pack("{s:s, s:s, s:s, s:I, s:f, s:o}", "name", layer->name, "type",
                              layer->def->type, "signature", layer->signature, "update_bytes",
                              (json_int_t)layer->trainable_bytes, "update_seconds",
                              update_seconds(setup, layer), "passes",
                              passes_json(layer, &setup->profile->layers[l])));
    }
    return layers;
}

static int print_setup(const vdnn_setup *setup)
{
    const int threads = setup->properties.threads, before = vdnn_cpu_threads_begin(threads);
    json_t *all = json_pack(
        "{s:s, s:I, s:s, s:i, s:s, s:{s:f, s:f}, s:f, s:o}", "model", setup->graph->name, "batch",
        (json_int_t)setup->graph->batch, "dtype", vdnn_dtype_text(setup->graph->dtype), "threads",
        threads, "library", setup->properties.library, "product_flops_per_second", "f32",
        product_rate(VDNN_F32), "bf16", product_rate(VDNN_BF16), "copy_bytes_per_second",
        copy_rate(threads), "layers", layers_json(setup));
    vdnn_cpu_threads_end(before);
    int failed = all == NULL || json_dumpf(all, stdout, JSON_INDENT(1)) != 0;
    json_decref(all);
    (void)putchar('\n');
    return failed;
}

int main(int argc, char **argv)
{
    const vdnn_messages silent = {0};
    if (argc < 3 || argc > 5) {
        (void)fprintf(stderr, "usage: bench_layers MODEL BATCH [PROFILE [DTYPE]]\n");
        return 2;
    }
    vdnn_session_options ask = {.size = sizeof ask,
                                .model = argv[1],
                                .batch = strtol(argv[2], NULL, 10),
                                .device = "cpu",
                                .profile = argc > 3 ? argv[3] : NULL,
                                .dtype = argc > 4 ? argv[4] : NULL};
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
