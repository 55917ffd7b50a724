/* The scores of samples without labels: what the loss reads, which is read back from where the plan
 * of evaluations has it. */

#include "runtime/train/training/training_internal.h"

#include "layers/stage.h"
#include "runtime/base/heap.h"

#include <string.h>

typedef struct prediction {
    vdnn_training_run *run;
    const vdnn_plan *plan; /* of evaluations */
    char *packed;          /* what the loss reads of a batch, in the network's data type */
    float *scores;         /* the same as floats */
    int64_t row;           /* floats of a sample */
} prediction;

static const vdnn_layer *loss_of(const vdnn_graph *graph)
{
    return &graph->layers[graph->layer_count - 1];
}

int64_t vdnn_training_score_count(const vdnn_graph *graph)
{
    const vdnn_desc *x = &loss_of(graph)->x[0];
    return vdnn_desc_count(x) / x->dims[VDNN_N];
}

static const vdnn_access *access_of(const vdnn_plan *plan, const vdnn_step *step, vdnn_bind bind)
{
    int32_t i = step->first_access;
    while (plan->accesses[i].bind != bind)
        i++;
    return &plan->accesses[i];
}

/* Of the batch, which precede those of the step. */
static int64_t samples_before(const vdnn_graph *graph, const vdnn_step *step)
{
    const vdnn_graph_part *part =
        vdnn_graph_part_at(vdnn_graph_of_micro(graph, step->micro), step->layer, step->part);
    return vdnn_graph_first_sample(graph, step->micro) +
           (part == NULL ? 0 : part->range.first_sample);
}

static vdnn_status read_scores(void *context, int32_t step)
{
    const prediction *own = context;
    const vdnn_plan *plan = own->plan;
    const vdnn_step *at = &plan->steps[step];
    vdnn_device *device = own->run->request.setup->device;
    if (at->kind != VDNN_STEP_RUN || at->layer != plan->graph->layer_count - 1)
        return VDNN_OK;
    const vdnn_desc *x = &vdnn_plan_step_layer(plan, at)->x[0];
    const vdnn_access *access = access_of(plan, at, VDNN_BIND_X);
    const vdnn_buffer *buffer = &plan->buffers[access->buffer];
    vdnn_device_wait(device, step);
    VDNN_TRY(vdnn_device_read(device, own->packed, buffer->tier, buffer->offset + access->first,
                              vdnn_desc_bytes(x)));
    vdnn_stage_widen(x->dtype, own->packed,
                     own->scores + samples_before(plan->graph, at) * own->row, vdnn_desc_count(x));
    return VDNN_OK;
}

/* Of the next batch. The loader has filled up the last one. */
static vdnn_status predict_batch(prediction *own, vdnn_loader *loader, uint64_t number,
                                 float *scores, int64_t *valid)
{
    const vdnn_step_observer observer = {.after = read_scores, .context = own};
    vdnn_training_run *run = own->run;
    vdnn_executor_batch work = {.untimed = true, .observer = &observer};
    vdnn_executor_result result;
    vdnn_loader_batch batch;
    VDNN_TRY(vdnn_messages_interrupted(run->request.messages));
    VDNN_TRY(vdnn_loader_next(loader, &batch));
    memcpy(work.inputs, batch.slot->inputs, sizeof work.inputs);
    work.context = vdnn_training_context(run, number, batch.first_sample);
    work.context.evaluate = true;
    vdnn_status status = vdnn_executor_step(run->evaluation, &work, &result);
    vdnn_loader_release(loader);
    if (status != VDNN_OK)
        return status;
    memcpy(scores, own->scores, (size_t)(batch.valid * own->row) * sizeof *scores);
    *valid = batch.valid;
    return VDNN_OK;
}

static vdnn_status predict_all(prediction *own, const vdnn_dataset *dataset, float *scores)
{
    vdnn_training_run *run = own->run;
    vdnn_loader_request request = vdnn_training_load_request(run, dataset);
    vdnn_loader *loader = NULL;
    request.keep_remainder = true;
    request.batch_limit =
        vdnn_loader_batches_per_epoch(vdnn_dataset_count(dataset), request.batch, true);
    vdnn_status status = vdnn_loader_create(&request, &loader);
    int64_t valid = 0;
    for (uint64_t b = 0; b < request.batch_limit && status == VDNN_OK; b++) {
        status = predict_batch(own, loader, b, scores, &valid);
        scores += valid * own->row;
    }
    vdnn_executor_drain(run->evaluation);
    vdnn_loader_destroy(loader);
    vdnn_device_reset_high_water(run->request.setup->device); /* measured values are the steps' */
    return status;
}

static vdnn_status open_samples(const vdnn_training_run *run, const vdnn_data_source *samples,
                                vdnn_dataset **dataset)
{
    vdnn_session_options options = *run->request.options;
    vdnn_dataset_options own = *options.dataset;
    own.source = own.test_source = samples;
    options.dataset = &own;
    return vdnn_training_open_test(run->request.setup->graph, &options, "samples", dataset);
}

vdnn_status vdnn_training_predict(vdnn_training_run *run, const vdnn_data_source *samples,
                                  float *scores)
{
    const vdnn_plan *plan = run->request.plans->evaluation;
    vdnn_dataset *dataset = NULL;
    if (vdnn_training_is_simulated(run) || plan == NULL)
        return vdnn_status_fail(VDNN_USAGE, "%s",
                                vdnn_training_is_simulated(run)
                                    ? "a simulated device computes no scores"
                                    : "no evaluation was planned: there is no test data, and the "
                                      "session does not expect predictions");
    vdnn_training_end_load(run); /* the next step starts reading ahead again */
    const vdnn_desc *x = &loss_of(plan->graph)->x[0];
    const size_t batch = (size_t)plan->graph->batch,
                 row = (size_t)vdnn_training_score_count(plan->graph);
    prediction own = {.run = run,
                      .plan = plan,
                      .packed = vdnn_heap_calloc(1, vdnn_desc_bytes(x)),
                      .scores = vdnn_heap_calloc(batch * row, sizeof(float)),
                      .row = (int64_t)row};
    vdnn_status status = VDNN_OK;
    if (own.packed == NULL || own.scores == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the scores of %zu samples", batch);
    VDNN_IF_OK(status, vdnn_training_create_evaluation(run));
    VDNN_IF_OK(status, open_samples(run, samples, &dataset));
    VDNN_IF_OK(status, predict_all(&own, dataset, scores));
    vdnn_dataset_close(dataset);
    vdnn_heap_free(own.packed);
    vdnn_heap_free(own.scores);
    return status;
}
