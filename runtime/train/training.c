#include "runtime/train/training.h"

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/planner/packings.h"
#include "runtime/train/resume.h"
#include "runtime/train/schedule.h"
#include "runtime/train/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

static bool is_simulated(const vdnn_training_run *run)
{
    return run->request.setup->properties.simulated;
}

static double now_seconds(const vdnn_training_run *run)
{
    return vdnn_device_now(run->request.setup->device);
}

const char *vdnn_training_test_spec(const char *data, const char *test_data)
{
    if (test_data != NULL)
        return test_data;
    return vdnn_dataset_has_test(data) ? data : NULL;
}

static vdnn_dataset_input data_input(const vdnn_graph_input *input)
{
    const vdnn_desc *desc = &input->desc;
    if (vdnn_desc_is_integer(desc))
        return (vdnn_dataset_input){
            .name = input->name, .tokens = desc->dims[VDNN_POSITIONS], .vocabulary = desc->below};
    return (vdnn_dataset_input){.name = input->name,
                                .channels = desc->dims[VDNN_C],
                                .height = desc->dims[VDNN_H],
                                .width = desc->dims[VDNN_W]};
}

static vdnn_dataset_request data_request(const vdnn_graph *graph, const char *spec)
{
    const int32_t row = vdnn_graph_labels_row(graph);
    const vdnn_desc *labels = vdnn_graph_labels(graph);
    vdnn_dataset_request request = {.spec = spec,
                                    .input_count = row,
                                    .classes = graph->classes,
                                    .labels_name = graph->inputs[row].name};
    for (int32_t i = 0; i < row; i++)
        request.inputs[i] = data_input(&graph->inputs[i]);
    if (labels->rank > 1)
        request.labels = labels->dims[VDNN_POSITIONS];
    if (graph->ignored != VDNN_NO_LABEL)
        request.ignored = &graph->ignored;
    return request;
}

vdnn_status vdnn_training_open_data(const vdnn_graph *graph, const char *data,
                                    vdnn_dataset **dataset)
{
    vdnn_dataset_request request = data_request(graph, data);
    request.split = VDNN_SPLIT_TRAIN;
    return vdnn_dataset_open(&request, dataset);
}

vdnn_status vdnn_training_open_test(const vdnn_graph *graph, const char *data, const char *test,
                                    vdnn_dataset **dataset)
{
    vdnn_dataset_request request = data_request(graph, test);
    request.split = VDNN_SPLIT_TEST;
    request.trained_on = data;
    return vdnn_dataset_open(&request, dataset);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Of all inputs of a step. */
static size_t batch_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < graph->input_count; i++)
        bytes += vdnn_graph_batch_bytes(graph, i);
    return bytes;
}

static bool has_free_threads(const vdnn_setup *setup)
{
    return setup->properties.free_threads > 0;
}

/* Threads of the loader. If the compute uses the host's cores they are free while it waits for
 * data. */
static int most_workers(const vdnn_setup *setup)
{
    const vdnn_device_properties *device = &setup->properties;
    int threads = device->free_threads > 0 ? device->free_threads : device->threads;
    return threads < VDNN_LOADER_MAX_WORKERS ? threads : VDNN_LOADER_MAX_WORKERS;
}

/* One for each step in flight is enough if the compute uses the host's cores: a slot is free again
 * as soon as its step has loaded the batch, early in the step, which leaves the time of a step to
 * fill it. With free threads there are slots for two more samples per thread, so that none waits
 * for the last sample of a batch, and slow ones even out. */
static int count_slots(const vdnn_setup *setup)
{
    int64_t batch = setup->graph->batch;
    int64_t count = VDNN_DEVICE_ROUNDS + (2 * most_workers(setup) + batch - 1) / batch;
    int64_t most = has_free_threads(setup) ? VDNN_LOADER_MAX_SLOTS : VDNN_DEVICE_ROUNDS;
    return (int)(count < most ? count : most);
}

/* The budgets are the user's; this checks the machine's memory. */
static vdnn_status check_machine(const vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    size_t on_host =
        run->staging_bytes + (is_simulated(run) ? 0 : plans->span_bytes[VDNN_TIER_HOST]);
    size_t need =
        on_host + (setup->properties.shares_host_memory ? plans->span_bytes[VDNN_TIER_DEVICE] : 0);
    if (need <= setup->available_bytes)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_DEVICE,
                            "the plan fits its budgets, but takes %zu bytes of this machine's "
                            "memory, and %s leaves %zu; a smaller --device-mem or --batch would "
                            "help",
                            need, setup->limit, setup->available_bytes);
}

/* If copies do not overlap with compute, most of a plan's advantage is lost. */
static void tell_pageable(const vdnn_training_run *run)
{
    const char *pageable = vdnn_device_pageable(run->request.setup->device);
    if (pageable != NULL)
        vdnn_messages_log(run->request.messages, VDNN_LOG_WARN,
                          "copies do not overlap with the compute, and steps take longer than "
                          "planned: %s; a smaller --host-mem, or a container that is allowed to "
                          "lock more memory, may help",
                          pageable);
}

/* Unlocked pages are not an error, but the system may swap them out. */
static void tell_locked(const vdnn_training_run *run)
{
    size_t wanted = run->request.plans->span_bytes[VDNN_TIER_HOST];
    size_t locked = vdnn_device_locked_bytes(run->request.setup->device);
    struct rlimit limit;
    if (locked >= wanted || !run->request.setup->properties.shares_host_memory)
        return;
    if (vdnn_system_getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur < wanted)
        vdnn_messages_log(run->request.messages, VDNN_LOG_INFO,
                          "%zu of %zu bytes of the host tier are locked into memory: "
                          "RLIMIT_MEMLOCK is %llu (ulimit -l unlimited lifts it)",
                          locked, wanted, (unsigned long long)limit.rlim_cur);
    else
        vdnn_messages_log(run->request.messages, VDNN_LOG_INFO,
                          "%zu of %zu bytes of the host tier are locked into memory", locked,
                          wanted);
}

static vdnn_status stage_batch(const vdnn_training_run *run, vdnn_loader_slot *slot)
{
    const vdnn_graph *graph = run->request.setup->graph;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < graph->input_count; i++)
        status = vdnn_device_stage(run->request.setup->device, vdnn_graph_batch_bytes(graph, i),
                                   &slot->inputs[i]);
    return status;
}

static vdnn_status reserve(vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    vdnn_status status = check_machine(run);
    vdnn_packings_trim(setup->packings);
    vdnn_heap_trim(); /* freed memory of measuring and planning */
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = vdnn_device_reserve(setup->device, (vdnn_tier)tier, plans->span_bytes[tier]);
    memcpy(run->reserved_bytes, plans->span_bytes, sizeof run->reserved_bytes);
    if (status != VDNN_OK)
        return status;
    tell_locked(run);
    for (int i = 0; status == VDNN_OK && i < run->slot_count; i++)
        status = stage_batch(run, &run->slots[i]);
    return status;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void copy_values(const vdnn_reals *values, int64_t channels, float preset, float *to)
{
    for (int64_t c = 0; c < channels; c++)
        to[c] = values->count == 0 ? preset : (float)values->values[values->count > 1 ? c : 0];
}

/* The network's transformation of pictures, without that of training data only. */
static vdnn_transform normalize(const vdnn_graph_input *input)
{
    const vdnn_normalization *values = &input->normalization;
    vdnn_transform transform = {.flip = false};
    if (values->mean.count == 0 && values->std.count == 0)
        return transform;
    bool alike = values->mean.count < 2 && values->std.count < 2;
    transform.normalized = alike ? 1 : (int)input->desc.dims[VDNN_C];
    copy_values(&values->mean, transform.normalized, 0.0f, transform.mean);
    copy_values(&values->std, transform.normalized, 1.0f, transform.std);
    return transform;
}

vdnn_loader_request vdnn_training_load_request(const vdnn_training_run *run,
                                               const vdnn_dataset *dataset)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_graph *graph = setup->graph;
    vdnn_loader_request request = {.dataset = dataset,
                                   .batch = graph->batch,
                                   .dtype = graph->dtype,
                                   .slots = run->slots,
                                   .slot_count = run->slot_count,
                                   .worker_limit = most_workers(setup),
                                   .worker_first =
                                       has_free_threads(setup) ? most_workers(setup) : 1};
    for (int32_t i = 0; i < vdnn_graph_labels_row(graph); i++)
        request.transforms[i] = normalize(&graph->inputs[i]);
    return request;
}

/* Samples of a batch before this device's. */
static int64_t samples_before(const vdnn_training_run *run)
{
    const vdnn_graph *graph = run->request.setup->graph;
    return vdnn_graph_share_first(graph->step_batch, graph->devices, run->request.device);
}

static bool loads_ahead(const vdnn_training_run *run)
{
    return vdnn_plan_loads_ahead(run->request.plans->training);
}

/* Reads ahead from the next step's batch on, or the one after it if that one is on the device: up
 * to step_count, so that a run that ends there reads nothing in vain; beyond it without an end. */
static vdnn_status begin_load(vdnn_training_run *run)
{
    const vdnn_augment *augment = &run->request.setup->graph->training.augment;
    vdnn_loader_request request = vdnn_training_load_request(run, run->train);
    bool is_there = loads_ahead(run) && !vdnn_executor_needs_batch(run->executor);
    int64_t first = run->begun + is_there;
    request.seed = run->request.options->seed;
    request.shuffle = !run->request.options->no_shuffle;
    request.first_batch = (uint64_t)first;
    request.step_batch = run->request.setup->graph->step_batch;
    request.records = run->trace_steps.first < run->trace_steps.end;
    request.first_sample = samples_before(run);
    for (int32_t i = 0; i < vdnn_dataset_inputs(run->train); i++) {
        if (vdnn_desc_is_integer(&run->request.setup->graph->inputs[i].desc))
            continue;
        request.transforms[i].flip = augment->flip;
        request.transforms[i].crop[0] = augment->crop[0];
        request.transforms[i].crop[1] = augment->crop[1];
    }
    if (first < run->step_count)
        request.batch_limit = (uint64_t)(run->step_count - first);
    return vdnn_loader_create(&request, &run->loader);
}

/* ---- begin and end --------------------------------------------------------------------------- */

int64_t vdnn_training_count_steps(const vdnn_session_options *options, const vdnn_graph *graph,
                                  int64_t epoch_steps)
{
    int64_t epochs = options->epochs > 0 ? options->epochs : graph->training.epochs;
    return options->steps > 0 ? options->steps : epochs * epoch_steps;
}

double vdnn_training_rate(const vdnn_session_options *options, const vdnn_graph *graph)
{
    return options->has_lr ? options->lr : graph->training.settings.lr;
}

static vdnn_status count_steps(vdnn_training_run *run)
{
    const vdnn_session_options *options = run->request.options;
    const vdnn_graph *graph = run->request.setup->graph;
    uint64_t images = vdnn_dataset_count(run->train);
    uint64_t batches = vdnn_loader_batches_per_epoch(images, graph->step_batch, false);
    if (batches == 0)
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s has %llu images, which is less than one batch of %lld",
            options->data, (unsigned long long)images, (long long)graph->step_batch);
    run->epoch_steps = (int64_t)batches;
    run->step_count = vdnn_training_count_steps(options, graph, run->epoch_steps);
    return VDNN_OK;
}

static vdnn_status fill_weights(const vdnn_training_request *request)
{
    const vdnn_session_options *options = request->options;
    const vdnn_plan *plan = request->plans->training;
    vdnn_device *device = request->setup->device;
    if (request->setup->properties.simulated)
        return VDNN_OK; /* there are none */
    return request->base == NULL ? vdnn_weights_fill(plan, device, options->seed, options->init)
                                 : vdnn_resume_load(request->base, plan, device, request->device);
}

vdnn_status vdnn_training_create_executor(vdnn_training_run *run, const vdnn_plan *plan)
{
    const vdnn_training_request *request = &run->request;
    vdnn_status status = vdnn_executor_create(plan, request->setup->device,
                                              request->setup->budget_bytes, &run->executor);
    if (status == VDNN_OK && request->options->verify)
        status = vdnn_executor_verify(run->executor);
    if (status == VDNN_OK && request->options->poison)
        status = vdnn_executor_guard(run->executor);
    return status;
}

vdnn_status vdnn_training_begin(const vdnn_training_request *request, vdnn_training_run *run)
{
    const vdnn_session_options *options = request->options;
    const vdnn_graph *graph = request->setup->graph;
    const char *test = vdnn_training_test_spec(options->data, options->test_data);
    vdnn_training_run fresh = {.request = *request,
                               .step = request->base == NULL ? 0 : request->base->step};
    fresh.begun = fresh.step;
    fresh.slot_count = count_slots(request->setup);
    fresh.staging_bytes = (size_t)fresh.slot_count * batch_bytes(graph);
    vdnn_status status = vdnn_training_open_data(graph, options->data, &fresh.train);
    if (status == VDNN_OK && test != NULL)
        status = vdnn_training_open_test(graph, options->data, test, &fresh.test);
    if (status == VDNN_OK)
        status = count_steps(&fresh);
    if (status == VDNN_OK)
        status = reserve(&fresh);
    if (status == VDNN_OK)
        status = vdnn_lost_time_init(request->plans->training->graph, &fresh.lost);
    if (status == VDNN_OK)
        status = vdnn_step_times_init(request->plans->training, &fresh.times);
    if (status == VDNN_OK)
        status = fill_weights(request);
    if (status == VDNN_OK)
        status = vdnn_training_create_executor(&fresh, request->plans->training);
    vdnn_device_reset_high_water(request->setup->device);
    if (status == VDNN_OK)
        tell_pageable(&fresh);
    if (status == VDNN_OK)
        *run = fresh;
    else
        vdnn_training_end(&fresh);
    return status;
}

void vdnn_training_end(vdnn_training_run *run)
{
    vdnn_timeline_writer_abandon(run->trace);
    vdnn_executor_destroy(run->executor); /* steps in flight release their batches */
    vdnn_executor_destroy(run->evaluation);
    vdnn_loader_destroy(run->loader);
    for (int i = 0; i < run->slot_count; i++)
        for (int32_t k = 0; k < VDNN_INPUTS_MAX; k++)
            if (run->slots[i].inputs[k] != NULL)
                vdnn_device_unstage(run->request.setup->device, run->slots[i].inputs[k]);
    vdnn_dataset_close(run->train);
    vdnn_dataset_close(run->test);
    vdnn_heap_free(run->samples);
    vdnn_lost_time_fini(&run->lost);
    vdnn_step_times_fini(&run->times);
    *run = (vdnn_training_run){0};
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Reserves an item for one more, after those of the steps in flight. */
static vdnn_status reserve_sample(vdnn_training_run *run)
{
    if (run->sample_count + (size_t)(run->begun - run->step) < run->sample_capacity)
        return VDNN_OK;
    size_t capacity = run->sample_capacity == 0 ? FIRST_CAPACITY : 2 * run->sample_capacity;
    vdnn_sample *grown = vdnn_heap_realloc(run->samples, capacity, sizeof *grown);
    if (grown == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu steps", capacity);
    run->samples = grown;
    run->sample_capacity = capacity;
    return VDNN_OK;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The median of one member over the samples from `first` on that have it. `scratch` can hold them.
 */
static double median_from(const vdnn_training_run *run, size_t first, size_t offset,
                          double *scratch)
{
    size_t n = 0;
    for (size_t i = first; i < run->sample_count; i++) {
        memcpy(&scratch[n], (const char *)&run->samples[i] + offset, sizeof scratch[n]);
        if (!isnan(scratch[n]))
            n++;
    }
    qsort(scratch, n, sizeof *scratch, by_value);
    return n == 0 ? 0.0 : (scratch[(n - 1) / 2] + scratch[n / 2]) / 2.0;
}

/* By the plan that is run now, once a step of it was timed. */
static double median(const vdnn_training_run *run, size_t offset, double *scratch)
{
    return median_from(run, run->times.count > 0 ? run->first_sample : 0, offset, scratch);
}

vdnn_status vdnn_training_measure(const vdnn_training_run *run, vdnn_measured *measured)
{
    double *scratch = vdnn_heap_calloc(run->sample_count + 1, sizeof *scratch);
    if (scratch == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the medians of %zu steps",
                                run->sample_count);
    vdnn_measured fresh = run->measured;
    fresh.step_seconds = median(run, offsetof(vdnn_sample, seconds), scratch);
    fresh.stall_seconds = median(run, offsetof(vdnn_sample, stall_seconds), scratch);
    fresh.exposed_copy_seconds = median(run, offsetof(vdnn_sample, exposed_copy_seconds), scratch);
    fresh.exposed_reduce_seconds =
        median(run, offsetof(vdnn_sample, exposed_reduce_seconds), scratch);
    double wall = median(run, offsetof(vdnn_sample, wall_seconds), scratch);
    double images = (double)run->request.setup->graph->step_batch;
    fresh.images_per_second = wall > 0.0 ? images / wall : 0.0;
    vdnn_heap_free(scratch);
    *measured = fresh;
    return VDNN_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void take_peaks(vdnn_training_run *run, const vdnn_executor_result *result)
{
    const vdnn_device *device = run->request.setup->device;
    vdnn_measured *measured = &run->measured;
    for (int t = 0; t < VDNN_TIER_COUNT; t++) {
        measured->peak_bytes[t] = larger(measured->peak_bytes[t], result->live_peak_bytes[t]);
        measured->span_bytes[t] =
            larger(measured->span_bytes[t], vdnn_device_high_water(device, (vdnn_tier)t));
    }
    measured->offload_bytes = result->offload_bytes;
    measured->prefetch_bytes = result->prefetch_bytes;
    measured->spill_bytes = result->spill_bytes;
    measured->fill_bytes = result->fill_bytes;
    run->moved_bytes += result->offload_bytes + result->prefetch_bytes;
}

/* ---- trace ----------------------------------------------------------------------------------- */

/* Of a run that has nothing left to do the trace is empty. */
static vdnn_status check_trace_steps(const vdnn_training_run *run, vdnn_step_range steps)
{
    const bool is_done = run->step >= run->step_count;
    if (is_done || (steps.first < run->step_count && steps.end > run->step))
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_USAGE,
        "--trace-steps: this run makes the steps %lld to %lld, of which none is "
        "from %lld to %lld",
        (long long)run->step + 1, (long long)run->step_count, (long long)steps.first + 1,
        (long long)steps.end);
}

vdnn_status vdnn_training_trace_begin(vdnn_training_run *run, const char *path,
                                      vdnn_step_range steps)
{
    vdnn_timeline_writer *writer = NULL;
    vdnn_status status = check_trace_steps(run, steps);
    if (status == VDNN_OK && path != NULL)
        status = vdnn_timeline_writer_create(path, &writer);
    if (status != VDNN_OK)
        return status;
    if (writer != NULL)
        vdnn_timeline_writer_limit(writer, run->request.setup->budget_bytes);
    vdnn_timeline_writer_abandon(run->trace);
    run->trace = writer;
    vdnn_training_trace_steps(run, steps);
    return VDNN_OK;
}

vdnn_status vdnn_training_trace_end(vdnn_training_run *run)
{
    vdnn_timeline_writer *writer = run->trace;
    run->trace = NULL;
    vdnn_training_trace_steps(run, (vdnn_step_range){0});
    return writer == NULL ? VDNN_OK : vdnn_timeline_writer_close(writer);
}

bool vdnn_training_is_traced(const vdnn_training_run *run, int64_t step)
{
    return step >= run->trace_steps.first && step < run->trace_steps.end;
}

void vdnn_training_trace_steps(vdnn_training_run *run, vdnn_step_range steps)
{
    run->trace_steps = steps;
    if (run->loader != NULL)
        vdnn_loader_record(run->loader, steps.first < steps.end);
}

vdnn_status vdnn_training_trace_reads(vdnn_training_run *run, vdnn_timeline_writer *trace)
{
    enum { SOME = 64 };
    vdnn_loader_read reads[SOME];
    const double begin = vdnn_executor_first_begin(run->executor);
    vdnn_status status = VDNN_OK;
    int count = run->loader == NULL ? 0 : SOME;
    while (status == VDNN_OK && count == SOME) {
        count = vdnn_loader_take_reads(run->loader, reads, SOME);
        for (int i = 0; status == VDNN_OK && i < count; i++) {
            const vdnn_host_span span = {.start = reads[i].start - begin,
                                         .end = reads[i].end - begin,
                                         .number = (int64_t)reads[i].batch + 1,
                                         .bytes = reads[i].bytes};
            status =
                vdnn_timeline_writer_add_read(trace, run->request.device, reads[i].worker, &span);
        }
    }
    return status;
}

void vdnn_training_trace_checkpoint(const vdnn_training_run *run, double start, double end)
{
    const double begin = vdnn_executor_first_begin(run->executor);
    if (run->trace == NULL || !vdnn_training_is_traced(run, run->step - 1))
        return;
    vdnn_timeline_writer_add_checkpoint(
        run->trace,
        &(vdnn_host_span){.start = start - begin, .end = end - begin, .number = run->step});
}

static vdnn_status trace_step(vdnn_training_run *run)
{
    vdnn_status status = vdnn_training_trace_reads(run, run->trace);
    return status == VDNN_OK ? vdnn_timeline_writer_add(
                                   run->trace, 0, vdnn_executor_timeline(run->executor), run->step)
                             : status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

vdnn_step_context vdnn_training_context(const vdnn_training_run *run, uint64_t step,
                                        uint64_t first_sample)
{
    const vdnn_session_options *options = run->request.options;
    const vdnn_training *training = &run->request.setup->graph->training;
    vdnn_schedule_place place = {step, (uint64_t)run->step_count, (uint64_t)run->epoch_steps};
    double base = vdnn_training_rate(options, run->request.setup->graph);
    vdnn_step_context context = {.seed = options->seed,
                                 .step = step,
                                 .first_sample = first_sample,
                                 .settings = training->settings};
    context.settings.lr = vdnn_schedule_rate(training, base, &place);
    return context;
}

static void release(void *loader)
{
    vdnn_loader_release(loader);
}

static void end_load(vdnn_training_run *run)
{
    vdnn_loader_destroy(run->loader);
    run->loader = NULL;
}

/* A simulated device never reads its batch. */
static vdnn_status read_batch(vdnn_training_run *run, vdnn_loader_batch *batch)
{
    *batch = (vdnn_loader_batch){.slot = &run->slots[0]};
    if (is_simulated(run))
        return VDNN_OK;
    vdnn_status status = run->loader == NULL ? begin_load(run) : VDNN_OK;
    return status == VDNN_OK ? vdnn_loader_next(run->loader, batch) : status;
}

/* The batch of a step whose plan loads ahead, if the step before it did not load it. */
static vdnn_status preload(vdnn_training_run *run)
{
    vdnn_loader_batch own;
    vdnn_status status = read_batch(run, &own);
    if (status != VDNN_OK)
        return status;
    status = vdnn_executor_preload(run->executor, (const void *const *)own.slot->inputs);
    if (!is_simulated(run))
        vdnn_loader_release(run->loader);
    return status;
}

/* Where labels are ignored, the mean is over those that count on all devices. */
static vdnn_status count_labels(const vdnn_training_run *run, vdnn_executor_batch *batch)
{
    if (!vdnn_executor_weighs_labels(run->executor))
        return VDNN_OK;
    const vdnn_graph *graph = run->request.setup->graph;
    double counted = (double)vdnn_graph_count_labels(
        graph, batch->inputs[vdnn_graph_labels_row(graph)], graph->batch);
    vdnn_status status = vdnn_group_total(run->request.group, &counted);
    batch->counted = (int64_t)counted;
    return status;
}

/* The batch that the next step loads. If that is for the step after it, there may be none, and an
 * error of reading it is returned in its turn: the loader repeats it then. */
static vdnn_status next_batch(vdnn_training_run *run, vdnn_executor_batch *batch)
{
    const vdnn_graph *graph = run->request.setup->graph;
    bool is_ahead = loads_ahead(run), is_last = run->begun + 1 == run->step_count;
    vdnn_loader_batch loaded;
    uint64_t step = (uint64_t)run->begun;
    uint64_t first_sample = step * (uint64_t)graph->step_batch + (uint64_t)samples_before(run);
    *batch = (vdnn_executor_batch){.context = vdnn_training_context(run, step, first_sample)};
    if (vdnn_executor_needs_batch(run->executor)) {
        vdnn_status status = preload(run);
        if (status != VDNN_OK)
            return status;
    }
    if (is_ahead && is_last)
        return VDNN_OK;
    vdnn_status status = read_batch(run, &loaded);
    if (status != VDNN_OK)
        return is_ahead ? VDNN_OK : status;
    memcpy(batch->inputs, loaded.slot->inputs, sizeof batch->inputs);
    if (!is_simulated(run)) {
        batch->taken = release;
        batch->argument = run->loader;
    }
    return count_labels(run, batch);
}

/* By its position in this run: the first steps of a resumed run are timed too. */
static bool is_timed(const vdnn_training_run *run, int64_t step)
{
    int64_t place = step - run->step + (int64_t)run->sample_count;
    return place < VDNN_TRAINING_TIMED_FIRST || place % VDNN_TRAINING_TIMED_EVERY == 0 ||
           vdnn_training_is_traced(run, step);
}

/* The loader reads no further than step_count, and beyond it without an end. */
static vdnn_status begin_step(vdnn_training_run *run, bool wants_sample)
{
    vdnn_executor_batch batch;
    bool is_first = run->begun == run->step;
    if (is_first)
        run->mark_seconds = now_seconds(run);
    if (is_first && run->begun == run->step_count)
        end_load(run);
    vdnn_status status = reserve_sample(run);
    if (status == VDNN_OK)
        status = next_batch(run, &batch);
    if (status != VDNN_OK)
        return status;
    batch.untimed = !wants_sample && !is_timed(run, run->begun);
    batch.logged = vdnn_training_is_traced(run, run->begun);
    vdnn_executor_begin(run->executor, &batch);
    run->begun++;
    return VDNN_OK;
}

/* A step whose batch no step in flight loads begins alone. */
static bool can_begin(const vdnn_training_run *run)
{
    int64_t under_way = run->begun - run->step;
    return under_way == 0 || (under_way < vdnn_executor_most_under_way(run->executor) &&
                              !vdnn_executor_needs_batch(run->executor));
}

/* An error of beginning a further step is returned once no earlier one is left: the loader repeats
 * it then. */
static vdnn_status begin_steps(vdnn_training_run *run, int64_t last, bool wants_sample)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && run->begun < last && can_begin(run))
        status = begin_step(run, wants_sample);
    if (status != VDNN_OK) /* the other devices do not wait for it */
        vdnn_group_leave(run->request.group, status, vdnn_status_message());
    return run->begun > run->step ? VDNN_OK : status;
}

/* The step counts as failed. */
static vdnn_status check_moved(const vdnn_training_run *run, const vdnn_executor_result *result)
{
    const vdnn_plan *plan = run->request.plans->training;
    const struct {
        const char *text;
        size_t moved, planned;
    } rows[] = {{"out", result->offload_bytes, plan->offload_bytes},
                {"in", result->prefetch_bytes, plan->prefetch_bytes},
                {"to files", result->spill_bytes, plan->spill_bytes},
                {"from files", result->fill_bytes, plan->fill_bytes}};
    for (size_t i = 0; run->request.options->require_offload && i < sizeof rows / sizeof *rows;
         i++) {
        if (rows[i].moved == rows[i].planned)
            continue;
        return vdnn_status_fail(VDNN_MISMATCH,
                                "--require-offload: in step %lld the device copied %zu bytes %s, "
                                "the plan says %zu; the results of this step cannot be trusted",
                                (long long)run->step + 1, rows[i].moved, rows[i].text,
                                rows[i].planned);
    }
    return VDNN_OK;
}

/* What the devices tell each other of a step. */
typedef struct news {
    double loss;  /* of the device's part of the batch */
    int64_t stop; /* the status of a signal, VDNN_OK: there was none */
} news;

/* The loss of the whole batch is what the devices' parts of it add up to, in their order. A signal
 * to one of them is one to all. */
static vdnn_status tell_others(vdnn_training_run *run, double *loss)
{
    vdnn_group *group = run->request.group;
    const news own = {*loss, (int64_t)vdnn_messages_interrupted(run->request.messages)};
    const size_t ranks = (size_t)vdnn_group_ranks(group);
    news *all = vdnn_heap_calloc(ranks, sizeof *all);
    if (all == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu devices", ranks);
    vdnn_status status = vdnn_group_exchange(group, VDNN_LANE_DRIVER, &own, sizeof own, all);
    *loss = 0;
    for (size_t r = 0; status == VDNN_OK && r < ranks; r++) {
        *loss += all[r].loss;
        if (run->stop == VDNN_OK)
            run->stop = (vdnn_status)all[r].stop;
    }
    vdnn_heap_free(all);
    return status;
}

static vdnn_status finish_step(vdnn_training_run *run, vdnn_executor_result *result)
{
    vdnn_status status = vdnn_executor_finish(run->executor, result);
    if (status == VDNN_OK && run->request.group != NULL)
        status = tell_others(run, &result->loss);
    if (status == VDNN_DEVICE || status == VDNN_PEER)
        status = vdnn_status_prefix(status, "step %lld", (long long)run->step + 1);
    return status == VDNN_OK ? check_moved(run, result) : status;
}

/* A step's time counts from the end of the one before it, or from its begin if none was in flight.
 */
static vdnn_sample make_sample(vdnn_training_run *run, const vdnn_executor_result *result)
{
    double begin = run->mark_seconds;
    run->mark_seconds = now_seconds(run);
    vdnn_sample sample = {.step = run->step + 1,
                          .loss = result->loss,
                          .seconds = (double)NAN,
                          .stall_seconds = (double)NAN,
                          .exposed_copy_seconds = (double)NAN,
                          .exposed_reduce_seconds = (double)NAN,
                          .wall_seconds = run->mark_seconds - begin};
    if (result->timed) {
        const vdnn_timeline *timeline = vdnn_executor_timeline(run->executor);
        sample.seconds = result->seconds;
        sample.stall_seconds = result->stall_seconds;
        const vdnn_overlap overlap = vdnn_timeline_overlap(timeline);
        vdnn_lost_time_add(timeline, &overlap, &run->lost);
        vdnn_step_times_add(&run->times, timeline, result->seconds);
        sample.exposed_copy_seconds = overlap.exposed_seconds;
        sample.exposed_reduce_seconds = overlap.exposed_reduce_seconds;
    }
    return sample;
}

static void report_step(const vdnn_training_run *run, const vdnn_executor_result *result)
{
    size_t done = run->sample_count;
    double rate = run->wall_seconds > 0.0 ? (double)done / run->wall_seconds : 0.0;
    vdnn_progress progress = {
        .what = "training",
        .step = run->step,
        .step_count = run->step_count,
        .loss = result->loss,
        .images_per_second = rate * (double)run->request.setup->graph->step_batch,
        .seconds_left = rate > 0.0 ? (double)(run->step_count - run->step) / rate : 0.0,
        .device_bytes = run->measured.peak_bytes[VDNN_TIER_DEVICE],
        .host_bytes = run->measured.peak_bytes[VDNN_TIER_HOST],
        .moved_bytes = run->moved_bytes,
        .simulated = is_simulated(run)};
    vdnn_messages_progress(run->request.messages, &progress);
    bool was_finite = done < 2 || isfinite(run->samples[done - 2].loss);
    if (!isfinite(result->loss) && was_finite && !is_simulated(run))
        vdnn_messages_log(run->request.messages, VDNN_LOG_WARN,
                          "the loss of step %lld is not finite; a smaller --lr may help",
                          (long long)run->step);
}

/* No step is in flight any more, and no other device waits for this one. A retry uses the same
 * batch. */
static vdnn_status give_up(vdnn_training_run *run, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    vdnn_group_leave(run->request.group, status, error.message);
    vdnn_executor_drain(run->executor);
    run->begun = run->step;
    end_load(run);
    return vdnn_first_error_tell(&error);
}

vdnn_status vdnn_training_step(vdnn_training_run *run, int64_t last, vdnn_sample *sample)
{
    vdnn_executor_result result;
    vdnn_status status = begin_steps(run, last, sample != NULL);
    if (status == VDNN_OK)
        status = finish_step(run, &result);
    if (status != VDNN_OK)
        return give_up(run, status);
    vdnn_sample fresh = make_sample(run, &result);
    run->samples[run->sample_count++] = fresh;
    run->wall_seconds += fresh.wall_seconds;
    bool traced = vdnn_training_is_traced(run, run->step);
    run->step++;
    take_peaks(run, &result);
    report_step(run, &result);
    if (traced && run->trace != NULL)
        status = trace_step(run);
    if (status == VDNN_OK && sample != NULL)
        *sample = fresh;
    return status;
}

vdnn_status vdnn_training_drain(vdnn_training_run *run)
{
    vdnn_first_error error = {VDNN_OK, ""};
    while (run->step < run->begun)
        vdnn_first_error_keep(&error, vdnn_training_step(run, run->begun, NULL));
    return vdnn_first_error_tell(&error);
}
