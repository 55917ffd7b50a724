#include "runtime/train/training.h"

#include "alloc/allocator.h"
#include "alloc/heap.h"
#include "runtime/train/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRACE_STEPS = 20, FIRST_CAPACITY = 256 };

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *vdnn_training_test_spec(const char *data, const char *test_data)
{
    if (test_data != NULL)
        return test_data;
    return vdnn_dataset_has_test(data) ? data : NULL;
}

vdnn_status vdnn_training_open_data(const vdnn_graph *graph, const char *spec, vdnn_split split,
                                    vdnn_dataset **dataset)
{
    const int64_t *dims = graph->tensors[0].desc.dims;
    vdnn_dataset_request request = {.spec = spec,
                                    .split = split,
                                    .channels = dims[VDNN_C],
                                    .height = dims[VDNN_H],
                                    .width = dims[VDNN_W],
                                    .classes = graph->classes};
    return vdnn_dataset_open(&request, dataset);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t image_bytes(const vdnn_graph *graph)
{
    return vdnn_desc_bytes(&graph->tensors[0].desc);
}

static size_t label_bytes(const vdnn_graph *graph)
{
    return (size_t)graph->batch * sizeof(int32_t);
}

/* The budgets are promises of the user; this is what the machine really has. */
static vdnn_status check_machine(const vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    size_t on_host = plans->host_bytes + run->staging_bytes;
    size_t need = on_host + (setup->properties.shares_host_memory ? plans->arena_bytes : 0);
    if (need <= setup->available_bytes)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_DEVICE,
                            "the plan fits its budgets, but takes %zu bytes of this machine's "
                            "memory, and %s leaves %zu; a smaller --device-mem or --batch would "
                            "help",
                            need, setup->limit, setup->available_bytes);
}

static vdnn_status reserve(vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    vdnn_status status = check_machine(run);
    if (status == VDNN_OK)
        status = vdnn_device_reserve(setup->device, VDNN_TIER_DEVICE, plans->arena_bytes);
    if (status == VDNN_OK)
        status = vdnn_device_reserve(setup->device, VDNN_TIER_HOST, plans->host_bytes);
    if (status != VDNN_OK)
        return status;
    size_t locked = vdnn_device_locked_bytes(setup->device);
    if (locked < plans->host_bytes)
        vdnn_messages_log(run->request.messages, VDNN_LOG_INFO,
                          "%zu of %zu bytes of the host tier are locked into memory", locked,
                          plans->host_bytes);
    for (int i = 0; status == VDNN_OK && i < VDNN_TRAINING_SLOTS; i++) {
        void *images, *labels;
        status = vdnn_device_stage(setup->device, image_bytes(setup->graph), &images);
        if (status == VDNN_OK)
            status = vdnn_device_stage(setup->device, label_bytes(setup->graph), &labels);
        if (status == VDNN_OK)
            run->slots[i] = (vdnn_loader_slot){.images = images, .labels = labels};
    }
    return status;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static vdnn_status count_steps(vdnn_training_run *run)
{
    const vdnn_session_options *options = run->request.options;
    const vdnn_graph *graph = run->request.setup->graph;
    uint64_t images = vdnn_dataset_count(run->train);
    uint64_t batches = vdnn_loader_batches_per_epoch(images, graph->batch, false);
    if (batches == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s has %llu images, which is less than one batch of %lld",
                                options->data, (unsigned long long)images, (long long)graph->batch);
    int64_t epochs = options->epochs > 0 ? options->epochs : graph->training.epochs;
    run->step_count = options->steps > 0 ? options->steps : epochs * (int64_t)batches;
    return VDNN_OK;
}

vdnn_status vdnn_training_begin(const vdnn_training_request *request, vdnn_training_run *run)
{
    const vdnn_session_options *options = request->options;
    const vdnn_graph *graph = request->setup->graph;
    const char *test = vdnn_training_test_spec(options->data, options->test_data);
    vdnn_training_run fresh = {.request = *request};
    fresh.staging_bytes = VDNN_TRAINING_SLOTS * (image_bytes(graph) + label_bytes(graph));
    vdnn_status status =
        vdnn_training_open_data(graph, options->data, VDNN_SPLIT_TRAIN, &fresh.train);
    if (status == VDNN_OK && test != NULL)
        status = vdnn_training_open_data(graph, test, VDNN_SPLIT_TEST, &fresh.test);
    if (status == VDNN_OK)
        status = count_steps(&fresh);
    if (status == VDNN_OK)
        status = reserve(&fresh);
    if (status == VDNN_OK)
        status = vdnn_weights_fill(request->plans->training, request->setup->device, options->seed,
                                   options->init);
    if (status == VDNN_OK)
        *run = fresh;
    else
        vdnn_training_end(&fresh);
    return status;
}

void vdnn_training_end(vdnn_training_run *run)
{
    for (int i = 0; i < VDNN_TRAINING_SLOTS; i++) {
        if (run->slots[i].images != NULL)
            vdnn_device_unstage(run->request.setup->device, run->slots[i].images);
        if (run->slots[i].labels != NULL)
            vdnn_device_unstage(run->request.setup->device, run->slots[i].labels);
    }
    vdnn_dataset_close(run->train);
    vdnn_dataset_close(run->test);
    vdnn_heap_free(run->samples);
    *run = (vdnn_training_run){0};
}

/* ---- samples --------------------------------------------------------------------------------- */

static vdnn_status add_sample(vdnn_training_run *run, const vdnn_sample *sample)
{
    if (run->sample_count == run->sample_capacity) {
        size_t capacity = run->sample_capacity == 0 ? FIRST_CAPACITY : 2 * run->sample_capacity;
        vdnn_sample *grown = vdnn_heap_realloc(run->samples, capacity, sizeof *grown);
        if (grown == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the losses of %zu steps",
                                    capacity);
        run->samples = grown;
        run->sample_capacity = capacity;
    }
    run->samples[run->sample_count++] = *sample;
    return VDNN_OK;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Of one member of all samples. `scratch` has room for them. */
static double median(const vdnn_training_run *run, size_t offset, double *scratch)
{
    size_t n = run->sample_count;
    for (size_t i = 0; i < n; i++)
        memcpy(&scratch[i], (const char *)&run->samples[i] + offset, sizeof scratch[i]);
    qsort(scratch, n, sizeof *scratch, by_value);
    return n == 0 ? 0.0 : (scratch[(n - 1) / 2] + scratch[n / 2]) / 2.0;
}

static vdnn_status take_medians(vdnn_training_run *run)
{
    double *scratch = vdnn_heap_calloc(run->sample_count, sizeof *scratch);
    if (scratch == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the medians of %zu steps",
                                run->sample_count);
    vdnn_measured *measured = &run->measured;
    measured->step_seconds = median(run, offsetof(vdnn_sample, seconds), scratch);
    measured->stall_seconds = median(run, offsetof(vdnn_sample, stall_seconds), scratch);
    measured->exposed_copy_seconds =
        median(run, offsetof(vdnn_sample, exposed_copy_seconds), scratch);
    double wall = median(run, offsetof(vdnn_sample, wall_seconds), scratch);
    measured->images_per_second =
        wall > 0.0 ? (double)run->request.setup->graph->batch / wall : 0.0;
    vdnn_heap_free(scratch);
    return VDNN_OK;
}

static void take_peaks(vdnn_training_run *run, const vdnn_executor_result *result)
{
    vdnn_measured *measured = &run->measured;
    if (result->device_live_peak_bytes > measured->device_peak_bytes)
        measured->device_peak_bytes = result->device_live_peak_bytes;
    if (result->host_live_peak_bytes > measured->host_peak_bytes)
        measured->host_peak_bytes = result->host_live_peak_bytes;
    measured->offload_bytes = result->offload_bytes;
    measured->prefetch_bytes = result->prefetch_bytes;
    run->moved_bytes += result->offload_bytes + result->prefetch_bytes;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static vdnn_status open_loader(vdnn_training_run *run, vdnn_loader **loader)
{
    const vdnn_graph *graph = run->request.setup->graph;
    vdnn_loader_request request = {.dataset = run->train,
                                   .batch = graph->batch,
                                   .per_sample = vdnn_desc_per_sample(&graph->tensors[0].desc),
                                   .dtype = graph->dtype,
                                   .seed = run->request.options->seed,
                                   .shuffle = run->request.options->shuffle,
                                   .batch_limit = (uint64_t)run->step_count,
                                   .slots = run->slots,
                                   .slot_count = VDNN_TRAINING_SLOTS};
    return vdnn_loader_create(&request, loader);
}

static vdnn_step_context step_context(const vdnn_training_run *run, uint64_t step,
                                      uint64_t first_sample)
{
    const vdnn_session_options *options = run->request.options;
    const vdnn_training *training = &run->request.setup->graph->training;
    return (vdnn_step_context){.seed = options->seed,
                               .step = step,
                               .first_sample = first_sample,
                               .lr = options->lr < 0.0 ? training->lr : options->lr,
                               .momentum = training->momentum,
                               .weight_decay = training->weight_decay};
}

static void release(void *loader)
{
    vdnn_loader_release(loader);
}

static vdnn_status one_step(vdnn_training_run *run, vdnn_loader *loader, vdnn_executor *executor,
                            vdnn_executor_result *result, vdnn_sample *sample)
{
    double begin = now_seconds();
    vdnn_loader_batch batch;
    vdnn_status status = vdnn_loader_next(loader, &batch);
    if (status != VDNN_OK)
        return status;
    vdnn_executor_batch work = {
        .images = batch.images, .labels = batch.labels, .taken = release, .argument = loader};
    work.context = step_context(run, run->sample_count, batch.first_sample);
    status = vdnn_executor_step(executor, &work, result);
    if (status != VDNN_OK)
        return status;
    const vdnn_timeline *timeline = vdnn_executor_timeline(executor);
    *sample = (vdnn_sample){.loss = result->loss,
                            .seconds = result->seconds,
                            .stall_seconds = result->stall_seconds,
                            .exposed_copy_seconds = vdnn_timeline_overlap(timeline).exposed_seconds,
                            .wall_seconds = now_seconds() - begin};
    return VDNN_OK;
}

static void report_step(vdnn_training_run *run, const vdnn_executor_result *result, double begin)
{
    int64_t done = (int64_t)run->sample_count;
    double elapsed = now_seconds() - begin;
    double rate = elapsed > 0.0 ? (double)done / elapsed : 0.0;
    vdnn_progress progress = {.what = "training",
                              .step = done,
                              .step_count = run->step_count,
                              .loss = result->loss,
                              .images_per_second = rate * (double)run->request.setup->graph->batch,
                              .seconds_left =
                                  rate > 0.0 ? (double)(run->step_count - done) / rate : 0.0,
                              .device_bytes = result->device_live_peak_bytes,
                              .host_bytes = result->host_live_peak_bytes,
                              .moved_bytes = run->moved_bytes};
    vdnn_messages_progress(run->request.messages, &progress);
    bool was_finite = done < 2 || isfinite(run->samples[done - 2].loss);
    if (!isfinite(result->loss) && was_finite)
        vdnn_messages_log(run->request.messages, VDNN_LOG_WARN,
                          "the loss of step %lld is not finite; a smaller --lr may help",
                          (long long)done);
}

static vdnn_status all_steps(vdnn_training_run *run, vdnn_loader *loader, vdnn_executor *executor,
                             vdnn_timeline_writer *trace)
{
    double begin = now_seconds();
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && (int64_t)run->sample_count < run->step_count) {
        vdnn_executor_result result;
        vdnn_sample sample;
        status = vdnn_messages_interrupted(run->request.messages);
        if (status == VDNN_OK)
            status = one_step(run, loader, executor, &result, &sample);
        if (status == VDNN_OK && trace != NULL && run->sample_count < TRACE_STEPS)
            status = vdnn_timeline_writer_add(trace, vdnn_executor_timeline(executor),
                                              (int64_t)run->sample_count);
        if (status == VDNN_OK)
            status = add_sample(run, &sample);
        if (status != VDNN_OK)
            break;
        take_peaks(run, &result);
        report_step(run, &result, begin);
    }
    return status == VDNN_OK ? vdnn_messages_interrupted(run->request.messages) : status;
}

vdnn_status vdnn_training_loop(vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const char *trace_path = run->request.options->trace;
    vdnn_loader *loader = NULL;
    vdnn_executor *executor = NULL;
    vdnn_timeline_writer *trace = NULL;
    vdnn_status status = vdnn_executor_create(run->request.plans->training, setup->device,
                                              setup->device_bytes, setup->host_bytes, &executor);
    if (status == VDNN_OK)
        status = open_loader(run, &loader);
    if (status == VDNN_OK && trace_path != NULL)
        status = vdnn_timeline_writer_create(trace_path, &trace);
    vdnn_device_reset_high_water(setup->device);
    if (status == VDNN_OK)
        status = all_steps(run, loader, executor, trace);
    run->measured.device_arena_bytes = vdnn_device_high_water(setup->device, VDNN_TIER_DEVICE);
    run->measured.host_arena_bytes = vdnn_device_high_water(setup->device, VDNN_TIER_HOST);
    if (status == VDNN_OK && trace != NULL) {
        status = vdnn_timeline_writer_close(trace);
        trace = NULL;
    }
    vdnn_timeline_writer_abandon(trace);
    vdnn_loader_destroy(loader);
    vdnn_executor_destroy(executor);
    return status == VDNN_OK ? take_medians(run) : status;
}

/* ---- the evaluation -------------------------------------------------------------------------- */

typedef struct test {
    vdnn_training_run *run;
    vdnn_loader *loader;
    vdnn_executor *executor;
    uint64_t batch_count;
} test;

/* Runs a batch whose samples from `valid` on all have the first one's image and one made-up label.
 */
static vdnn_status test_padded(const test *t, const vdnn_loader_slot *slot, int64_t valid,
                               int32_t label, const vdnn_executor_batch *work, double *correct)
{
    const vdnn_graph *graph = t->run->request.setup->graph;
    size_t bytes = vdnn_desc_bytes(&graph->tensors[0].desc) / (size_t)graph->batch;
    for (int64_t i = valid; i < graph->batch; i++) {
        memcpy((char *)slot->images + (size_t)i * bytes, slot->images, bytes);
        slot->labels[i] = label;
    }
    vdnn_executor_result result;
    vdnn_status status = vdnn_executor_step(t->executor, work, &result);
    if (status == VDNN_OK)
        *correct = result.correct;
    return status;
}

/* The result counts the whole batch. The samples that fill it up are equal, so they are all counted
 * or none is, and under one of two different labels none is: the smaller count is that of the
 * others. */
static vdnn_status test_batch(const test *t, uint64_t number, double *correct)
{
    vdnn_loader_batch batch;
    vdnn_status status = vdnn_loader_next(t->loader, &batch);
    if (status != VDNN_OK)
        return status;
    vdnn_executor_batch work = {.images = batch.images, .labels = batch.labels};
    work.context = step_context(t->run, number, batch.first_sample);
    work.context.evaluate = true;
    double first = 0.0, second = 0.0;
    if (batch.valid == t->run->request.setup->graph->batch) {
        vdnn_executor_result result = {0};
        status = vdnn_executor_step(t->executor, &work, &result);
        first = second = result.correct;
    } else {
        const vdnn_loader_slot *slot = &t->run->slots[number % VDNN_TRAINING_SLOTS];
        status = test_padded(t, slot, batch.valid, 0, &work, &first);
        if (status == VDNN_OK)
            status = test_padded(t, slot, batch.valid, 1, &work, &second);
    }
    vdnn_loader_release(t->loader);
    if (status == VDNN_OK)
        *correct = first < second ? first : second;
    return status;
}

static vdnn_status all_tests(const test *t, double *correct)
{
    const vdnn_messages *messages = t->run->request.messages;
    double sum = 0.0;
    for (uint64_t i = 0; i < t->batch_count; i++) {
        double part;
        vdnn_status status = vdnn_messages_interrupted(messages);
        if (status == VDNN_OK)
            status = test_batch(t, i, &part);
        if (status != VDNN_OK)
            return status;
        sum += part;
        vdnn_progress progress = {
            .what = "testing", .step = (int64_t)i + 1, .step_count = (int64_t)t->batch_count};
        vdnn_messages_progress(messages, &progress);
    }
    *correct = sum;
    return VDNN_OK;
}

vdnn_status vdnn_training_test(vdnn_training_run *run, double *accuracy)
{
    const vdnn_setup *setup = run->request.setup;
    if (run->test == NULL) {
        *accuracy = -1.0;
        return VDNN_OK;
    }
    uint64_t count = vdnn_dataset_count(run->test);
    test t = {.run = run,
              .batch_count = vdnn_loader_batches_per_epoch(count, setup->graph->batch, true)};
    vdnn_loader_request request = {.dataset = run->test,
                                   .batch = setup->graph->batch,
                                   .per_sample =
                                       vdnn_desc_per_sample(&setup->graph->tensors[0].desc),
                                   .dtype = setup->graph->dtype,
                                   .keep_remainder = true,
                                   .batch_limit = t.batch_count,
                                   .slots = run->slots,
                                   .slot_count = VDNN_TRAINING_SLOTS};
    double correct = 0.0;
    vdnn_status status = vdnn_executor_create(run->request.plans->evaluation, setup->device,
                                              setup->device_bytes, setup->host_bytes, &t.executor);
    if (status == VDNN_OK)
        status = vdnn_loader_create(&request, &t.loader);
    if (status == VDNN_OK)
        status = all_tests(&t, &correct);
    vdnn_loader_destroy(t.loader);
    vdnn_executor_destroy(t.executor);
    if (status == VDNN_OK)
        *accuracy = correct / (double)count;
    return status;
}
