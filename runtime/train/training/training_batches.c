/* The batches of a training: where they are read from, how, and which one the next step loads. */

#include "runtime/train/training/training_internal.h"

#include <string.h>

/* ---- data ------------------------------------------------------------------------------------ */

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
        return (vdnn_dataset_input){.name = input->name,
                                    .tokens = desc->dims[VDNN_POSITIONS],
                                    .vocabulary = desc->below,
                                    .tokenizer = input->tokenizer};
    int64_t sides[VDNN_SIDES];
    vdnn_desc_sides(desc, sides);
    return (vdnn_dataset_input){.name = input->name,
                                .channels = desc->dims[VDNN_C],
                                .height = sides[VDNN_SIDE_H],
                                .width = sides[VDNN_SIDE_W],
                                .depth = desc->depth};
}

static vdnn_dataset_request data_request(const vdnn_graph *graph, const char *spec, bool orient)
{
    const int32_t row = vdnn_graph_labels_row(graph);
    vdnn_dataset_request request = {.spec = spec,
                                    .orient = orient,
                                    .input_count = row,
                                    .classes = graph->label_input < 0 ? graph->classes : 0,
                                    .labels_name = graph->inputs[row].name,
                                    .labels = vdnn_graph_sample_labels(graph),
                                    .label_input = graph->label_input + 1};
    if (!vdnn_desc_is_integer(&graph->inputs[row].desc))
        request.targets = &graph->inputs[row].desc;
    for (int32_t i = 0; i < row; i++)
        request.inputs[i] = data_input(&graph->inputs[i]);
    if (graph->ignored != VDNN_NO_LABEL)
        request.ignored = &graph->ignored;
    return request;
}

vdnn_status vdnn_training_open_data(const vdnn_graph *graph, const vdnn_session_options *options,
                                    vdnn_dataset **dataset)
{
    vdnn_dataset_request request = data_request(graph, options->data, options->dataset->orient);
    request.source = options->dataset->source;
    request.split = VDNN_SPLIT_TRAIN;
    request.is_whole = options->dataset->test_data != NULL;
    return vdnn_dataset_open(&request, dataset);
}

vdnn_status vdnn_training_open_test(const vdnn_graph *graph, const vdnn_session_options *options,
                                    const char *test, vdnn_dataset **dataset)
{
    vdnn_dataset_request request = data_request(graph, test, options->dataset->orient);
    request.source = options->dataset->test_source;
    request.split = VDNN_SPLIT_TEST;
    request.is_whole = options->dataset->test_data != NULL;
    request.trained_on = options->dataset->source == NULL ? options->data : NULL;
    return vdnn_dataset_open(&request, dataset);
}

vdnn_status vdnn_training_open_unlabelled(const vdnn_graph *graph,
                                          const vdnn_session_options *options, const char *path,
                                          vdnn_dataset **dataset)
{
    vdnn_dataset_request request = data_request(graph, path, options->dataset->orient);
    request.is_unlabelled = true;
    request.split = VDNN_SPLIT_TEST;
    return vdnn_dataset_open(&request, dataset);
}

/* ---- orientations ---------------------------------------------------------------------------- */

static void tell_some(const vdnn_messages *messages, const char *what)
{
    vdnn_messages_log(messages, VDNN_LOG_WARN,
                      "%s: pictures have an EXIF orientation, and are read as they are stored; "
                      "--orient turns them",
                      what);
}

static void tell_count(const vdnn_messages *messages, const char *what,
                       const vdnn_dataset_orientations *found)
{
    const bool are_all = found->seen == found->pictures;
    vdnn_messages_log(messages, found->are_applied ? VDNN_LOG_INFO : VDNN_LOG_WARN,
                      "%s: of %llu pictures%s, %llu %s an EXIF orientation, and %s", what,
                      (unsigned long long)found->seen, are_all ? "" : " that were read",
                      (unsigned long long)found->turned, found->turned == 1 ? "has" : "have",
                      found->are_applied ? "are turned by it (--orient)"
                                         : "are read as they are stored; --orient turns them");
}

static void tell(const vdnn_messages *messages, const char *what, const vdnn_dataset *dataset,
                 bool is_end, vdnn_orientations_told *told)
{
    const vdnn_dataset_orientations found = vdnn_dataset_count_orientations(dataset);
    if (found.turned == 0 || *told == VDNN_ORIENTATIONS_COUNTED)
        return;
    if (is_end || found.seen == found.pictures) {
        tell_count(messages, what, &found);
        *told = VDNN_ORIENTATIONS_COUNTED;
    } else if (*told == VDNN_ORIENTATIONS_UNTOLD && !found.are_applied) {
        tell_some(messages, what);
        *told = VDNN_ORIENTATIONS_TOLD;
    }
}

void vdnn_training_tell_orientations(vdnn_training_run *run, bool is_end)
{
    const vdnn_session_options *options = run->request.options;
    if (options->process->rank > 0 || run->request.device > 0)
        return;
    tell(run->request.messages, "data", run->train, is_end, &run->told[0]);
    if (run->test != NULL)
        tell(run->request.messages, "test data", run->test, is_end, &run->told[1]);
}

/* ---- how they are read ----------------------------------------------------------------------- */

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
int vdnn_training_count_slots(const vdnn_setup *setup)
{
    int64_t batch = setup->graph->batch;
    int64_t count = VDNN_DEVICE_ROUNDS + (2 * most_workers(setup) + batch - 1) / batch;
    int64_t most = has_free_threads(setup) ? VDNN_LOADER_MAX_SLOTS : VDNN_DEVICE_ROUNDS;
    return (int)(count < most ? count : most);
}

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
    if (graph->stage.count > 0) /* all of them run each sample */
        return 0;
    return vdnn_graph_share_first(graph->step_batch, graph->devices, run->request.device);
}

static bool loads_ahead(const vdnn_training_run *run)
{
    return vdnn_plan_loads_ahead(run->request.plans->training);
}

/* What comes in from outside is ignored, or background, or zero. */
static void place_labels(const vdnn_graph *graph, vdnn_loader_request *request)
{
    int64_t planes[3];
    const vdnn_desc *labels = &graph->inputs[vdnn_graph_labels_row(graph)].desc;
    if (graph->label_input >= 0 || !vdnn_graph_label_planes(graph, labels, planes))
        return;
    request->label_size = (vdnn_picture_size){planes[0], planes[1], planes[2]};
    if (vdnn_desc_is_integer(labels) && graph->ignored != VDNN_NO_LABEL)
        request->label_outside = (int32_t)graph->ignored;
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
    request.shuffle = !run->request.options->dataset->no_shuffle;
    request.first_batch = (uint64_t)first;
    request.step_batch = run->request.setup->graph->step_batch;
    request.waits = run->request.options->dataset->feeds;
    request.records = run->trace_steps.first < run->trace_steps.end;
    request.first_sample = samples_before(run);
    for (int32_t i = 0; i < vdnn_dataset_inputs(run->train); i++) {
        if (vdnn_desc_is_integer(&run->request.setup->graph->inputs[i].desc))
            continue;
        request.transforms[i].flip = augment->flip;
        request.transforms[i].crop[0] = augment->crop[0];
        request.transforms[i].crop[1] = augment->crop[1];
    }
    place_labels(run->request.setup->graph, &request);
    if (first < run->step_count && !request.waits)
        request.batch_limit = (uint64_t)(run->step_count - first);
    return vdnn_loader_create(&request, &run->loader);
}

/* ---- of a step ------------------------------------------------------------------------------- */

void vdnn_training_release_batch(void *loader)
{
    vdnn_loader_release(loader);
}

void vdnn_training_end_load(vdnn_training_run *run)
{
    vdnn_loader_destroy(run->loader);
    run->loader = NULL;
}

/* A simulated device never reads its batch. */
static vdnn_status read_batch(vdnn_training_run *run, vdnn_loader_batch *batch)
{
    *batch = (vdnn_loader_batch){.slot = &run->slots[0]};
    if (vdnn_training_is_simulated(run))
        return VDNN_OK;
    if (run->loader == NULL)
        VDNN_TRY(begin_load(run));
    if (run->request.options->dataset->feeds)
        vdnn_loader_allow(run->loader);
    return vdnn_loader_next(run->loader, batch);
}

/* The batch of a step whose plan loads ahead, if the step before it did not load it. */
static vdnn_status preload(vdnn_training_run *run)
{
    vdnn_loader_batch own;
    VDNN_TRY(read_batch(run, &own));
    vdnn_status status =
        vdnn_executor_preload(run->executor, (const void *const *)own.slot->inputs);
    if (!vdnn_training_is_simulated(run))
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

vdnn_status vdnn_training_next_batch(vdnn_training_run *run, vdnn_executor_batch *batch)
{
    const vdnn_graph *graph = run->request.setup->graph;
    bool is_ahead = loads_ahead(run),
         has_no_next = run->begun + 1 == run->step_count || run->request.options->dataset->feeds;
    vdnn_loader_batch loaded;
    uint64_t step = (uint64_t)run->begun;
    uint64_t first_sample = step * (uint64_t)graph->step_batch + (uint64_t)samples_before(run);
    *batch = (vdnn_executor_batch){.context = vdnn_training_context(run, step, first_sample)};
    if (vdnn_executor_needs_batch(run->executor)) {
        vdnn_status status = preload(run);
        if (status != VDNN_OK)
            return status;
    }
    if (is_ahead && has_no_next)
        return VDNN_OK;
    vdnn_status status = read_batch(run, &loaded);
    if (status != VDNN_OK)
        return is_ahead ? VDNN_OK : status;
    memcpy(batch->inputs, loaded.slot->inputs, sizeof batch->inputs);
    if (!vdnn_training_is_simulated(run)) {
        batch->taken = vdnn_training_release_batch;
        batch->argument = run->loader;
    }
    return count_labels(run, batch);
}
