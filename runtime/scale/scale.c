#include "runtime/scale/scale.h"

#include "runtime/base/heap.h"
#include "runtime/base/versioned.h"
#include "runtime/planning/pipeline_clock.h"
#include "runtime/setup/devices/several_devices.h"

#include <math.h>
#include <string.h>

enum { MOST_DEVICES = 1024, MOST_ITEMS = 256, NUMBER_BYTES = 64 };

/* ---- the lists ------------------------------------------------------------------------------- */

static vdnn_status read_number(const char *option, const char *item, int64_t most, int64_t *value)
{
    vdnn_status status = vdnn_text_parse_integer(item, value);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "%s, a list such as 1,2,4,8", option);
    if (*value < 1)
        return vdnn_status_fail(VDNN_USAGE, "%s: %lld is too small, the least is 1", option,
                                (long long)*value);
    if (*value > most)
        return vdnn_status_fail(VDNN_USAGE, "%s: more than %lld is too many", option,
                                (long long)most);
    return VDNN_OK;
}

/* Numbers from 1 to `most`, each once, separated by commas: owned by the caller. */
static vdnn_status read_list(const char *option, const char *list, int64_t most, int64_t **values,
                             size_t *count)
{
    char item[NUMBER_BYTES];
    *values = vdnn_heap_calloc(MOST_ITEMS, sizeof **values);
    if (*values == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the numbers of %s", option);
    while (list != NULL) {
        int64_t *value = &(*values)[*count];
        list = vdnn_text_next_item(list, item, sizeof item);
        VDNN_TRY(read_number(option, item, most, value));
        for (size_t i = 0; i < *count; i++)
            if ((*values)[i] == *value)
                return vdnn_status_fail(VDNN_USAGE, "%s: %lld stands there twice", option,
                                        (long long)*value);
        if (++*count == MOST_ITEMS && list != NULL)
            return vdnn_status_fail(VDNN_USAGE, "%s: more than %d numbers", option, MOST_ITEMS);
    }
    return VDNN_OK;
}

/* Of int32_t, owned by the study. */
static vdnn_status read_counts(const char *option, const char *list, int32_t **counts,
                               size_t *count)
{
    int64_t *values = NULL;
    vdnn_status status = read_list(option, list, MOST_DEVICES, &values, count);
    *counts = vdnn_heap_calloc(MOST_ITEMS, sizeof **counts);
    if (status == VDNN_OK && *counts == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the numbers of %s", option);
    for (size_t i = 0; status == VDNN_OK && i < *count; i++)
        (*counts)[i] = (int32_t)values[i];
    vdnn_heap_free(values);
    return status;
}

/* Stages, micro-batches and schedule. */
static vdnn_status read_pipeline(const vdnn_scale_options *taken, vdnn_scale *scale)
{
    scale->schedule = VDNN_SCHEDULE_1F1B;
    if (taken->schedule != NULL)
        VDNN_TRY(vdnn_run_options_find_schedule(taken->schedule, &scale->schedule));
    scale->micro_batches = taken->micro_batches;
    scale->has_hybrid = taken->hybrid;
    scale->has_stages = taken->stages != NULL || taken->hybrid;
    if (scale->micro_batches < 0)
        return vdnn_status_fail(VDNN_USAGE, "--micro-batches: %lld is too small, the least is 1",
                                (long long)scale->micro_batches);
    if (taken->epochs_curve != NULL && !taken->hybrid)
        return vdnn_status_fail(VDNN_USAGE, "--epochs-curve: only --hybrid reads it");
    const char *preset = taken->hybrid ? "1,2" : "1";
    return read_counts("--stages", taken->stages != NULL ? taken->stages : preset, &scale->stages,
                       &scale->stage_count);
}

/* Without a list the network's own. */
static vdnn_status read_batches(const char *list, vdnn_scale *scale)
{
    if (list != NULL)
        return read_list("--batches", list, INT32_MAX, &scale->batches, &scale->batch_count);
    scale->batches = vdnn_heap_calloc(1, sizeof *scale->batches);
    if (scale->batches == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a batch");
    scale->batches[0] = scale->setup.graph->batch;
    scale->batch_count = 1;
    return VDNN_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

void vdnn_scale_figures_fini(vdnn_scale_figures *figures)
{
    vdnn_heap_free(figures->peak_bytes);
    *figures = (vdnn_scale_figures){0};
}

static vdnn_status evaluate(const vdnn_scale *scale, const vdnn_scale_point *point,
                            vdnn_scale_figures *figures)
{
    VDNN_TRY(vdnn_messages_interrupted(&scale->messages));
    *figures = (vdnn_scale_figures){
        .epochs = (double)NAN,
        .train_seconds = (double)NAN,
        .peak_bytes = vdnn_heap_calloc((size_t)point->devices, sizeof *figures->peak_bytes)};
    if (figures->peak_bytes == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d devices", (int)point->devices);
    bool simulated = scale->setup.properties.simulated && !scale->setup.properties.recorded;
    if (point->stages > 1)
        return vdnn_scale_stages(scale, point, figures);
    return simulated ? vdnn_scale_plan(scale, point, figures)
                     : vdnn_scale_run(scale, point, figures);
}

static int64_t least_share(int64_t batch, int32_t replicas)
{
    return vdnn_graph_share(batch, replicas, replicas - 1);
}

/* Of two outcomes of a point. */
static bool is_better(const vdnn_scale_figures *one, const vdnn_scale_figures *other)
{
    if (one->fits != other->fits)
        return one->fits;
    return one->fits ? one->step_seconds < other->step_seconds
                     : one->smallest_bytes < other->smallest_bytes;
}

vdnn_status vdnn_scale_evaluate(const vdnn_scale *scale, vdnn_scale_point *point,
                                vdnn_scale_figures *figures)
{
    enum { MOST_FOR_EACH_STAGE = 4 };
    const int64_t share = least_share(point->batch, point->devices / point->stages);
    vdnn_scale_point tried = *point;
    vdnn_status status = VDNN_OK;
    point->micro_batches = point->stages == 1 ? 1 : scale->micro_batches;
    if (point->micro_batches > 0)
        return evaluate(scale, point, figures);
    for (int64_t each = 1; status == VDNN_OK && each <= MOST_FOR_EACH_STAGE; each *= 2) {
        vdnn_scale_figures found = {0};
        tried.micro_batches = each * point->stages < share ? each * point->stages : share;
        if (tried.micro_batches == point->micro_batches)
            break;
        status = evaluate(scale, &tried, &found);
        const bool is_best =
            status == VDNN_OK && (figures->peak_bytes == NULL || is_better(&found, figures));
        if (is_best) {
            vdnn_scale_figures_fini(figures);
            *figures = found;
            point->micro_batches = tried.micro_batches;
        } else {
            vdnn_scale_figures_fini(&found);
        }
    }
    return status;
}

static int64_t share_of(const vdnn_scale_row *row)
{
    return vdnn_graph_share(row->batch, row->devices, 0);
}

static int threads_of(const vdnn_scale *scale, int32_t devices)
{
    int all = scale->setup.properties.threads;
    return scale->setup.properties.shares_host_memory ? (all > devices ? all / devices : 1) : 0;
}

double vdnn_scale_rate(int64_t batch, const vdnn_scale_figures *figures)
{
    return figures->images_per_second > 0 ? figures->images_per_second
                                          : vdnn_samples_per_second(batch, figures->step_seconds);
}

/* Throughput of one device with the row's share of a batch, threads and memory; not a number: it
 * does not fit. */
static vdnn_status rate_alone(const vdnn_scale *scale, const vdnn_scale_row *row, double *rate)
{
    vdnn_scale_figures alone = {0};
    *rate = (double)NAN;
    if (row->batch < row->devices)
        return VDNN_OK;
    const vdnn_scale_point point = {.devices = 1,
                                    .stages = 1,
                                    .batch = share_of(row),
                                    .threads = threads_of(scale, row->devices),
                                    .reduce = scale->options.reduce};
    for (const vdnn_scale_row *r = scale->rows; r < row; r++)
        if (r->devices > 1 && r->figures.fits && share_of(r) == point.batch &&
            threads_of(scale, r->devices) == point.threads) {
            *rate = r->images_per_second / r->efficiency / r->devices;
            return VDNN_OK;
        }
    vdnn_status status = evaluate(scale, &point, &alone);
    if (status == VDNN_OK && alone.fits)
        *rate = vdnn_scale_rate(point.batch, &alone);
    vdnn_scale_figures_fini(&alone);
    return status;
}

static vdnn_status fill_row(const vdnn_scale *scale, vdnn_scale_row *row)
{
    vdnn_scale_point point = {.devices = row->devices,
                              .stages = row->stages,
                              .batch = row->batch,
                              .schedule = scale->schedule,
                              .reduce = scale->options.reduce,
                              .shards = scale->options.shards,
                              .converges = scale->converge > 0};
    vdnn_status status = vdnn_scale_evaluate(scale, &point, &row->figures);
    row->micro_batches = point.micro_batches;
    row->images_per_second = row->efficiency = (double)NAN;
    if (status == VDNN_OK && !row->figures.fits)
        row->figures.step_seconds = row->figures.exposed_reduce_seconds = (double)NAN;
    if (status != VDNN_OK || !row->figures.fits)
        return status;
    double alone = row->images_per_second = vdnn_scale_rate(row->batch, &row->figures);
    if (row->devices > 1)
        status = rate_alone(scale, row, &alone);
    row->efficiency = row->images_per_second / (row->devices * alone);
    return status;
}

vdnn_scale_obstacle vdnn_scale_find_obstacle(const vdnn_scale *scale, int32_t devices,
                                             int64_t batch, int32_t stages)
{
    if (devices % stages != 0)
        return VDNN_SCALE_INDIVISIBLE;
    const int64_t share = least_share(batch, devices / stages);
    if (share < 1)
        return VDNN_SCALE_FEW_SAMPLES;
    return stages > 1 && scale->micro_batches > share ? VDNN_SCALE_MANY_BATCHES : VDNN_SCALE_NONE;
}

static vdnn_status add_row(vdnn_scale *scale, int64_t batch, int32_t devices, int32_t stages)
{
    if (vdnn_scale_find_obstacle(scale, devices, batch, stages) != VDNN_SCALE_NONE)
        return VDNN_OK;
    vdnn_scale_row *row = &scale->rows[scale->row_count++];
    *row = (vdnn_scale_row){.devices = devices, .stages = stages, .batch = batch};
    return fill_row(scale, row);
}

static vdnn_status add_rows(vdnn_scale *scale)
{
    vdnn_status status = VDNN_OK;
    scale->rows = vdnn_heap_calloc(scale->device_count * scale->batch_count * scale->stage_count,
                                   sizeof *scale->rows);
    if (scale->rows == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the rows");
    for (size_t b = 0; b < scale->batch_count; b++)
        for (size_t d = 0; d < scale->device_count; d++)
            for (size_t s = 0; s < scale->stage_count; s++)
                VDNN_IF_OK(status,
                           add_row(scale, scale->batches[b], scale->devices[d], scale->stages[s]));
    return status;
}

/* The most devices that each have the whole network, and of these the largest batch. */
static void find_largest(vdnn_scale *scale)
{
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++)
        if (row->devices > 1 && row->stages == 1 && row->figures.fits &&
            (scale->largest == NULL || row->devices > scale->largest->devices ||
             (row->devices == scale->largest->devices && row->batch > scale->largest->batch)))
            scale->largest = row;
}

vdnn_status vdnn_scale_compare_schemes(vdnn_scale *scale)
{
    vdnn_status status = VDNN_OK;
    if (scale->largest == NULL || !scale->setup.properties.simulated)
        return VDNN_OK;
    for (int s = 0; status == VDNN_OK && s < VDNN_REDUCE_COUNT; s++) {
        if (scale->by_scheme[s].peak_bytes != NULL) /* an earlier call found it */
            continue;
        const vdnn_scale_point point = {.devices = scale->largest->devices,
                                        .stages = 1,
                                        .batch = scale->largest->batch,
                                        .reduce = (vdnn_reduce_scheme)s};
        status = evaluate(scale, &point, &scale->by_scheme[s]);
    }
    return status;
}

/* ---- the study ------------------------------------------------------------------------------- */

/* One device, so that what is wrong with network, device or budgets is said before anything runs.
 */
static vdnn_status begin(const vdnn_messages *given, vdnn_scale *scale)
{
    vdnn_messages silent;
    vdnn_status status = vdnn_messages_take(given, &scale->messages);
    VDNN_IF_OK(status, vdnn_messages_take(NULL, &silent));
    return status == VDNN_OK ? vdnn_setup_begin(&scale->options, &silent, &scale->setup) : status;
}

/* What the machine does not have is refused before anything runs; without a list it is left out. */
static vdnn_status check_devices(vdnn_scale *scale, bool is_asked)
{
    vdnn_run_options most = scale->options; /* borrowed */
    int32_t first;
    while (!is_asked && scale->device_count > 1 &&
           scale->devices[scale->device_count - 1] > vdnn_device_count(scale->setup.kind))
        scale->device_count--;
    for (size_t d = 0; d < scale->device_count; d++)
        most.devices = scale->devices[d] > most.devices ? scale->devices[d] : most.devices;
    return vdnn_several_devices_place(scale->setup.kind, &most, &first);
}

/* What would learn, from data that is held out. */
static vdnn_status check_converge(const vdnn_scale *scale)
{
    const vdnn_session_options *ask = &scale->options.ask;
    if (!(scale->converge >= 0 && scale->converge <= 1))
        return vdnn_status_fail(VDNN_USAGE, "--converge: %g is no accuracy from 0 to 1",
                                scale->converge);
    if (scale->converge > 0 && vdnn_graph_target(scale->setup.graph) == VDNN_TARGET_NUMBERS)
        return vdnn_status_fail(VDNN_USAGE,
                                "--converge: the loss of %s is over numbers, which have no "
                                "accuracy; expected a network that classifies",
                                scale->setup.graph->name);
    if (scale->converge > 0 && scale->setup.properties.simulated)
        return vdnn_status_fail(VDNN_USAGE, "--converge: a simulated device learns nothing; use "
                                            "--device cpu or cuda");
    if (scale->converge > 0 && ask->dataset->test_data == NULL &&
        strncmp(ask->data, "synthetic", strlen("synthetic")) == 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "--converge requires --data with a test part, for example "
                                "--data idx:DIR");
    return VDNN_OK;
}

static vdnn_status check_stages(const vdnn_scale *scale)
{
    const bool is_modelled = scale->setup.properties.simulated && !scale->setup.properties.recorded;
    for (size_t s = 0; s < scale->stage_count; s++) {
        if (scale->stages[s] > VDNN_PIPELINE_STAGES)
            return vdnn_status_fail(VDNN_USAGE, "--stages: more than %d is too many",
                                    VDNN_PIPELINE_STAGES);
        if (scale->stages[s] > 1 && !is_modelled)
            return vdnn_status_fail(VDNN_USAGE,
                                    "--stages %d: only of a simulated device, by its "
                                    "device model (--device sim:NAME)",
                                    (int)scale->stages[s]);
    }
    return VDNN_OK;
}

static vdnn_status fill(const vdnn_session_options *options, const vdnn_scale_options *lists,
                        const vdnn_messages *messages, vdnn_scale *scale)
{
    vdnn_scale_options taken;
    vdnn_status status = vdnn_versioned_take(&taken, sizeof taken, lists, "vdnn_scale_options");
    VDNN_IF_OK(status, vdnn_run_options_init(options, &scale->options));
    VDNN_IF_OK(status, read_counts("--devices", taken.devices == NULL ? "1,2,4,8" : taken.devices,
                                   &scale->devices, &scale->device_count));
    VDNN_IF_OK(status, read_pipeline(&taken, scale));
    VDNN_IF_OK(status, begin(messages, scale));
    if (status != VDNN_OK)
        return status;
    scale->converge = taken.converge;
    status = check_devices(scale, taken.devices != NULL);
    VDNN_IF_OK(status, check_converge(scale));
    VDNN_IF_OK(status, check_stages(scale));
    VDNN_IF_OK(status, read_batches(taken.batches, scale));
    VDNN_IF_OK(status, add_rows(scale));
    if (scale->has_hybrid)
        VDNN_IF_OK(status, vdnn_scale_project(scale, taken.epochs_curve));
    if (status == VDNN_OK)
        find_largest(scale);
    return status;
}

vdnn_status vdnn_scale_create(const vdnn_session_options *options, const vdnn_scale_options *lists,
                              const vdnn_messages *messages, vdnn_scale **scale)
{
    vdnn_scale *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the study");
    vdnn_status status = fill(options, lists, messages, fresh);
    if (status == VDNN_OK)
        *scale = fresh;
    else
        vdnn_scale_destroy(fresh);
    return status;
}

void vdnn_scale_destroy(vdnn_scale *scale)
{
    if (scale == NULL)
        return;
    for (size_t r = 0; scale->rows != NULL && r < scale->row_count; r++)
        vdnn_scale_figures_fini(&scale->rows[r].figures);
    for (int s = 0; s < VDNN_REDUCE_COUNT; s++)
        vdnn_scale_figures_fini(&scale->by_scheme[s]);
    vdnn_heap_free(scale->rows);
    vdnn_heap_free(scale->devices);
    vdnn_heap_free(scale->stages);
    vdnn_heap_free(scale->hybrid);
    vdnn_epochs_curve_fini(&scale->curve);
    vdnn_heap_free(scale->batches);
    vdnn_setup_end(&scale->setup);
    vdnn_run_options_fini(&scale->options);
    vdnn_heap_free(scale);
}

vdnn_status vdnn_scale_verdict(const vdnn_scale *scale)
{
    const vdnn_scale_row *nearest = NULL;
    char people[32];
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        size_t bytes = row->figures.smallest_bytes;
        if (row->figures.fits)
            return VDNN_OK;
        if (bytes > 0 && (nearest == NULL || bytes < nearest->figures.smallest_bytes))
            nearest = row;
    }
    if (scale->row_count == 0)
        return VDNN_OK;
    if (nearest == NULL)
        return vdnn_status_fail(VDNN_NO_FIT, "nothing fits: the pinned host tier (--host-mem) is "
                                             "too small for every number of devices and batch");
    return vdnn_status_fail(
        VDNN_NO_FIT,
        "nothing fits the budget of %zu bytes a device; the smallest that is "
        "enough: --device-mem %zu (%s), for %d devices at batch %lld",
        scale->setup.budget_bytes[VDNN_TIER_DEVICE], nearest->figures.smallest_bytes,
        vdnn_text_bytes(people, sizeof people, (double)nearest->figures.smallest_bytes),
        (int)nearest->devices, (long long)nearest->batch);
}
