#include "runtime/calibrate/timings.h"

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/device/sim/predict.h"
#include "runtime/measure/measure.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
    MOST_OF_A_PASS = 3,  /* timings: of products without and with workspace, and of Winograd */
    MOST_BYTES = 1 << 30 /* of maps that a run works on, if so many are free */
};

/* ---- which algorithm is which ---------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* By the words of an algorithm's name. Those by Fourier transforms stand for none: with them device
 * models predict convolutions no better. A product that needs no workspace is one of either kind.
 */
static unsigned stands_for(const char *algorithm, size_t workspace_bytes)
{
    static const struct {
        const char *word;
        unsigned algorithms;
    } words[] = {{"fft", 0}, {"winograd", 1U << VDNN_COST_WINOGRAD_NONFUSED}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(algorithm, words[i].word) != NULL)
            return words[i].algorithms;
    return 1U << VDNN_COST_IMPLICIT_PRECOMP_GEMM |
           (workspace_bytes == 0 ? 1U << VDNN_COST_IMPLICIT_GEMM : 0);
}

/* Whether device models have formulas for it: libraries draw the line elsewhere. */
static bool is_modelled(const vdnn_layer *layer, vdnn_pass pass, vdnn_cost_algorithm algorithm)
{
    const vdnn_cost_rate any = {.efficiency = 1, .memory_efficiency = 1, .narrow = 1, .alone = 1};
    const vdnn_algorithm row = {.layer_type = "conv", .name = vdnn_cost_algorithm_text(algorithm)};
    vdnn_device_model model = {.memory = {.bytes_per_second = 1},
                               .compute = {.f32_flops_per_second = 1, .multiprocessors = 1}};
    double seconds;
    size_t workspace_bytes;
    model.convolution[algorithm][pass] = any;
    return vdnn_predict_pass(&model, layer, pass, &row, &seconds, &workspace_bytes) == VDNN_OK;
}

/* ---- one pass -------------------------------------------------------------------------------- */

typedef struct run {
    vdnn_device *device;
    vdnn_measure *measure;
    const vdnn_messages *messages;
    vdnn_calibrate_timings *timings;
    double until;
} run;

/* The least seconds of each algorithm of the cost model; HUGE_VAL: it has no timing. */
typedef struct fastest {
    double seconds[VDNN_COST_ALGORITHM_COUNT];
    double of_all;
} fastest;

static vdnn_status time_algorithm(const run *own, const vdnn_layer *layer, vdnn_pass pass,
                                  const vdnn_algorithm *algorithm, fastest *least)
{
    vdnn_offer offer;
    const vdnn_measure_limits limits = {.worth_seconds = least->of_all, .brief_seconds = HUGE_VAL};
    vdnn_pass_time measured;
    vdnn_status status = vdnn_device_ask(own->device, algorithm, layer, pass, &offer);
    if (status != VDNN_OK || offer.refusal != NULL)
        return status;
    VDNN_TRY(vdnn_measure_pass(own->measure, layer, pass, algorithm, &limits, &measured));
    unsigned algorithms = stands_for(algorithm->name, offer.workspace_bytes);
    least->of_all = fmin(least->of_all, measured.seconds);
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        if ((algorithms >> a & 1U) != 0)
            least->seconds[a] = fmin(least->seconds[a], measured.seconds);
    return VDNN_OK;
}

static void add_timings(vdnn_calibrate_timings *timings, const vdnn_calibrate_timing *row,
                        const fastest *least)
{
    vdnn_calibrate_timing fresh = *row;
    fresh.seconds = least->of_all;
    if (row->kind != VDNN_CALIBRATE_CONVOLUTION && isfinite(fresh.seconds))
        timings->rows[timings->count++] = fresh;
    for (int a = 0; row->kind == VDNN_CALIBRATE_CONVOLUTION && a < VDNN_COST_ALGORITHM_COUNT; a++) {
        fresh.algorithm = (vdnn_cost_algorithm)a;
        fresh.seconds = least->seconds[a];
        if (isfinite(fresh.seconds) && is_modelled(row->layer, row->pass, fresh.algorithm))
            timings->rows[timings->count++] = fresh;
    }
}

/* By every algorithm that the device has for it. */
static vdnn_status time_pass(const run *own, const vdnn_calibrate_timing *row)
{
    fastest least = {.of_all = HUGE_VAL};
    const vdnn_algorithm *algorithm;
    for (int a = 0; a < VDNN_COST_ALGORITHM_COUNT; a++)
        least.seconds[a] = HUGE_VAL;
    for (size_t next = 0;
         (algorithm = vdnn_device_algorithm(own->device, row->layer->def->type, &next)) != NULL;) {
        vdnn_status status = vdnn_messages_interrupted(own->messages);
        if (status == VDNN_OK && (algorithm->passes >> row->pass & 1U) != 0)
            status = time_algorithm(own, row->layer, row->pass, algorithm, &least);
        if (status != VDNN_OK && !vdnn_measure_fails_alone(status))
            return status;
    }
    add_timings(own->timings, row, &least);
    return VDNN_OK;
}

/* ---- all shapes ------------------------------------------------------------------------------ */

/* Which types each kind is measured in, where the device has units for them. */
static const struct {
    vdnn_dtype dtype;
    unsigned kinds;
} precisions[] = {
    {VDNN_F32, (1U << VDNN_CALIBRATE_KIND_COUNT) - 1},
    {VDNN_TF32, 1U << VDNN_CALIBRATE_PRODUCT},
    {VDNN_BF16, 1U << VDNN_CALIBRATE_PRODUCT | 1U << VDNN_CALIBRATE_CONVOLUTION},
};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

/* Without a word of what makes it slow. */
static bool has_units(const vdnn_device *device, vdnn_dtype dtype)
{
    const char *kind = vdnn_device_describe(device)->kind;
    return dtype == VDNN_F32 ||
           (vdnn_device_refusal(kind, dtype) == NULL && vdnn_device_lack(kind, dtype, 0) == NULL);
}

static vdnn_status time_layer(const run *own, const vdnn_calibrate_shape *shape, int32_t number,
                              vdnn_dtype dtype)
{
    vdnn_graph *graph = NULL;
    vdnn_calibrate_timings *timings = own->timings;
    const char *kind = vdnn_device_describe(own->device)->kind;
    vdnn_status status = vdnn_calibrate_shape_graph(shape, kind, dtype, &graph);
    if (status != VDNN_OK)
        return status;
    timings->graphs[timings->graph_count++] = graph;
    vdnn_calibrate_timing row = {.kind = shape->kind,
                                 .shape = number,
                                 .dtype = dtype,
                                 .layer = vdnn_calibrate_shape_subject(graph)};
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++) {
        row.pass = (vdnn_pass)pass;
        if (vdnn_layer_has_pass(row.layer, row.pass))
            status = time_pass(own, &row);
    }
    return status;
}

static vdnn_status time_shape(const run *own, const vdnn_calibrate_shape *shape, int32_t number)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < PRECISIONS; i++)
        if ((precisions[i].kinds >> shape->kind & 1U) != 0 &&
            has_units(own->device, precisions[i].dtype))
            status = time_layer(own, shape, number, precisions[i].dtype);
    return status;
}

static vdnn_status time_shapes(const run *own, const vdnn_calibrate_list *shapes)
{
    int32_t numbers[VDNN_CALIBRATE_KIND_COUNT] = {0};
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; status == VDNN_OK && i < shapes->count; i++) {
        const vdnn_calibrate_shape *shape = &shapes->list[i];
        const vdnn_progress progress = {
            .what = "measuring", .step = (int64_t)i, .step_count = (int64_t)shapes->count};
        if (now() >= own->until) {
            own->timings->left_out = shapes->count - i;
            break;
        }
        vdnn_messages_progress(own->messages, &progress);
        status = time_shape(own, shape, numbers[shape->kind]++);
    }
    return status;
}

static vdnn_status prepare(const vdnn_calibrate_list *shapes, vdnn_calibrate_timings *timings)
{
    size_t layers = shapes->count * PRECISIONS, most = layers * VDNN_PASS_COUNT * MOST_OF_A_PASS;
    *timings = (vdnn_calibrate_timings){.graphs = vdnn_heap_calloc(layers, sizeof *timings->graphs),
                                        .rows = vdnn_heap_calloc(most, sizeof *timings->rows)};
    return timings->graphs != NULL && timings->rows != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_NO_MEMORY, "calibration: no memory for %zu timings", most);
}

vdnn_status vdnn_calibrate_timings_measure(vdnn_device *device, const vdnn_calibrate_list *shapes,
                                           double seconds, const vdnn_messages *messages,
                                           vdnn_calibrate_timings *timings)
{
    const char *limit = NULL;
    size_t share = vdnn_memory_available(&limit) / 4;
    run own = {
        .device = device, .messages = messages, .timings = timings, .until = now() + seconds};
    vdnn_status status = prepare(shapes, timings);
    VDNN_IF_OK(status,
               vdnn_measure_create(device, share < MOST_BYTES ? share : MOST_BYTES, &own.measure));
    VDNN_IF_OK(status, vdnn_measure_rates(own.measure, timings->rates));
    VDNN_IF_OK(status, time_shapes(&own, shapes));
    vdnn_measure_destroy(own.measure);
    if (status != VDNN_OK)
        vdnn_calibrate_timings_fini(timings);
    return status;
}

void vdnn_calibrate_timings_fini(vdnn_calibrate_timings *timings)
{
    for (size_t i = 0; i < timings->graph_count; i++)
        vdnn_graph_destroy(timings->graphs[i]);
    vdnn_heap_free(timings->graphs);
    vdnn_heap_free(timings->rows);
    *timings = (vdnn_calibrate_timings){.graphs = NULL};
}

int32_t vdnn_calibrate_timings_of(const vdnn_calibrate_timings *timings, vdnn_calibrate_kind kind,
                                  vdnn_dtype dtype)
{
    int32_t count = 0;
    for (int32_t i = 0; i < timings->count; i++)
        count += timings->rows[i].kind == kind && timings->rows[i].dtype == dtype;
    return count;
}
