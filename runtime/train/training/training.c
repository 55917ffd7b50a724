#include "runtime/train/training/training_internal.h"

#include "runtime/base/heap.h"
#include "runtime/train/resume.h"
#include "runtime/train/schedule.h"
#include "runtime/train/scores/class_names.h"
#include "runtime/train/weights.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

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
    const char *init = vdnn_setup_init(request->setup, options);
    return request->base == NULL ? vdnn_weights_fill(plan, device, options->seed, init)
                                 : vdnn_resume_load(request->base, plan, device, request->device);
}

/* Of the data, else those that come with the weights. */
static vdnn_status find_class_names(vdnn_training_run *run)
{
    const vdnn_training_request *request = &run->request;
    const vdnn_checkpoint *base = request->base;
    char path[PATH_MAX];
    const char *file = base == NULL ? vdnn_setup_init(request->setup, request->options) : path;
    if (base != NULL)
        (void)snprintf(path, sizeof path, "%s/" VDNN_CHECKPOINT_WEIGHTS, base->path);
    return vdnn_class_names_find(run->train, file, request->setup->graph->classes,
                                 &run->class_names);
}

vdnn_status vdnn_training_create_executor(vdnn_training_run *run, const vdnn_plan *plan)
{
    const vdnn_training_request *request = &run->request;
    vdnn_status status = vdnn_executor_create(plan, request->setup->device,
                                              request->setup->budget_bytes, &run->executor);
    if (status == VDNN_OK && request->options->trust->verify)
        status = vdnn_executor_verify(run->executor);
    if (status == VDNN_OK && request->options->trust->poison)
        status = vdnn_executor_guard(run->executor);
    return status;
}

/* Before days of training, where the set is small. A simulated device reads no data. */
static void see_orientations(vdnn_training_run *run)
{
    if (vdnn_training_is_simulated(run) || run->request.options->process->rank > 0 ||
        run->request.device > 0)
        return;
    vdnn_dataset_see_orientations(run->train);
    if (run->test != NULL)
        vdnn_dataset_see_orientations(run->test);
    vdnn_training_tell_orientations(run, false);
}

vdnn_status vdnn_training_begin(const vdnn_training_request *request, vdnn_training_run *run)
{
    const vdnn_session_options *options = request->options;
    const vdnn_graph *graph = request->setup->graph;
    const char *test = vdnn_training_test_spec(options->data, options->dataset->test_data);
    vdnn_training_run fresh = {.request = *request,
                               .step = request->base == NULL ? 0 : request->base->step};
    fresh.begun = fresh.step;
    vdnn_status status = vdnn_training_open_data(graph, options, &fresh.train);
    if (status == VDNN_OK && test != NULL)
        status = vdnn_training_open_test(graph, options, test, &fresh.test);
    VDNN_IF_OK(status, find_class_names(&fresh));
    VDNN_IF_OK(status, count_steps(&fresh));
    VDNN_IF_OK(status, vdnn_training_reserve(&fresh));
    VDNN_IF_OK(status, vdnn_lost_time_init(request->plans->training->graph, &fresh.lost));
    VDNN_IF_OK(status, vdnn_step_times_init(request->plans->training, &fresh.times));
    VDNN_IF_OK(status, fill_weights(request));
    VDNN_IF_OK(status, vdnn_training_create_executor(&fresh, request->plans->training));
    vdnn_device_reset_high_water(request->setup->device);
    if (status == VDNN_OK)
        vdnn_training_tell_pageable(&fresh);
    if (status == VDNN_OK)
        see_orientations(&fresh);
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
    json_decref(run->class_names);
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
    context.admits_nonfinite = strcmp(options->trust->on_nan, "warn") == 0;
    return context;
}

/* By its position in this run: the first steps of a resumed run are timed too. */
static bool is_timed(const vdnn_training_run *run, int64_t step)
{
    int64_t place = step - run->step + (int64_t)run->sample_count;
    return place < VDNN_TRAINING_TIMED_FIRST || place % VDNN_TRAINING_TIMED_EVERY == 0 ||
           vdnn_training_is_traced(run, step);
}

/* The loader reads no further than step_count, and beyond it without an end. */
vdnn_status vdnn_training_begin_step(vdnn_training_run *run, bool wants_sample)
{
    vdnn_executor_batch batch;
    bool is_first = run->begun == run->step;
    if (is_first)
        run->mark_seconds = vdnn_training_now(run);
    if (is_first && run->begun == run->step_count)
        vdnn_training_end_load(run);
    vdnn_status status = vdnn_training_reserve_sample(run);
    VDNN_IF_OK(status, vdnn_training_next_batch(run, &batch));
    if (status != VDNN_OK)
        return status;
    batch.untimed = !wants_sample && !is_timed(run, run->begun);
    batch.logged = vdnn_training_is_traced(run, run->begun);
    batch.observer = run->observer;
    vdnn_executor_begin(run->executor, &batch);
    run->begun++;
    return VDNN_OK;
}

/* A step that is observed, or whose batch no step in flight loads, begins alone. */
static bool can_begin(const vdnn_training_run *run)
{
    int64_t under_way = run->begun - run->step;
    return under_way == 0 ||
           (run->observer == NULL && under_way < vdnn_executor_most_under_way(run->executor) &&
            !vdnn_executor_needs_batch(run->executor));
}

/* An error of beginning a further step is returned once no earlier one is left: the loader repeats
 * it then. */
static vdnn_status begin_steps(vdnn_training_run *run, int64_t last, bool wants_sample)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && run->begun < last && can_begin(run))
        status = vdnn_training_begin_step(run, wants_sample);
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
    for (size_t i = 0;
         run->request.options->trust->require_offload && i < sizeof rows / sizeof *rows; i++) {
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

static vdnn_status finish_step(vdnn_training_run *run, vdnn_executor_result *result)
{
    vdnn_status status = vdnn_executor_finish(run->executor, result);
    VDNN_IF_OK(status, vdnn_training_share_step(run, result, -1));
    if (status == VDNN_DEVICE || status == VDNN_PEER)
        status = vdnn_status_prefix(status, "step %lld", (long long)run->step + 1);
    return status == VDNN_OK ? check_moved(run, result) : status;
}

static void report_step(const vdnn_training_run *run, const vdnn_executor_result *result)
{
    const double rate = vdnn_training_steps_per_second(run);
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
        .simulated = vdnn_training_is_simulated(run),
        .sample_tokens = vdnn_graph_sample_tokens(run->request.setup->graph),
        .rate_unit = vdnn_graph_rate_unit(run->request.setup->graph).name};
    vdnn_messages_progress(run->request.messages, &progress);
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
    vdnn_training_end_load(run);
    return vdnn_first_error_tell(&error);
}

static vdnn_status run_step(vdnn_training_run *run, int64_t last, bool wants_sample,
                            vdnn_executor_result *result)
{
    const int64_t pause = vdnn_training_next_pause(run);
    if (run->has_diverged)
        return vdnn_status_fail(VDNN_DIVERGED,
                                "the training diverged in step %lld: no further step is made",
                                (long long)run->step + 1);
    if (vdnn_training_is_replayed(run))
        return vdnn_training_replay(run, result);
    vdnn_status status = begin_steps(run, last < pause ? last : pause, wants_sample);
    return status == VDNN_OK ? finish_step(run, result) : status;
}

vdnn_status vdnn_training_step(vdnn_training_run *run, int64_t last, vdnn_sample *sample)
{
    vdnn_executor_result result;
    vdnn_status status = run_step(run, last, sample != NULL, &result);
    if (status != VDNN_OK)
        return give_up(run, status);
    const vdnn_sample fresh = vdnn_training_add_sample(run, &result);
    bool traced = vdnn_training_is_traced(run, run->step);
    run->step++;
    vdnn_training_take_peaks(run, &result);
    report_step(run, &result);
    vdnn_training_tell_orientations(run, false);
    if (traced && run->trace != NULL)
        status = vdnn_training_trace_step(run);
    if (status == VDNN_OK && vdnn_training_compares_replicas(run))
        status = vdnn_training_check_replicas(run);
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
