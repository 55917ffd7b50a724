/* The scores of samples: what the loss reads, which is read back from where the plan of evaluations
 * has it. */

#include "runtime/train/training/training_internal.h"

#include "layers/stage.h"
#include "runtime/base/heap.h"

#include <string.h>

/* Scores that are read at a time, but for at least those of a sample. */
enum { PIECE_FLOATS = 1 << 20 };

/* Who is given the scores of samples, and those of the batch that they are of. */
typedef struct receiver {
    vdnn_training_take_scores *take;
    void *context;
    const vdnn_scoring *scoring;
    uint64_t first;      /* sample of the set */
    const char *labels;  /* of the batch */
    size_t sample_bytes; /* of labels */
    int64_t taken;       /* floats of the batch */
} receiver;

/* Whole samples: pieces hold no part of one. */
static vdnn_status take_piece(void *context, int64_t first, int64_t count)
{
    receiver *own = context;
    const int64_t row = own->scoring->row, sample = first / row;
    VDNN_INVARIANT(first, ==, own->taken);
    VDNN_INVARIANT(count % row, ==, 0);
    own->taken += count;
    const vdnn_training_scores scores = {own->first + (uint64_t)sample, count / row,
                                         own->scoring->scores,
                                         own->labels + (size_t)sample * own->sample_bytes};
    return own->take(own->context, &scores);
}

int64_t vdnn_training_score_count(const vdnn_graph *graph)
{
    const vdnn_desc *x = &vdnn_graph_loss(graph)->x[0];
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

/* Of what a step's layer reads what is asked for. */
static vdnn_status read_scores(void *context, int32_t step)
{
    const vdnn_scoring *own = context;
    const vdnn_plan *plan = own->plan;
    const vdnn_step *at = &plan->steps[step];
    vdnn_device *device = own->run->request.setup->device;
    if (at->kind != VDNN_STEP_RUN || at->layer != plan->graph->layer_count - 1)
        return VDNN_OK;
    const vdnn_desc *x = &vdnn_plan_step_layer(plan, at)->x[0];
    const int64_t before = samples_before(plan->graph, at) * own->row,
                  end = before + vdnn_desc_count(x), own_end = own->first + own->count;
    const int64_t from = before > own->first ? before : own->first,
                  to = end < own_end ? end : own_end;
    if (from >= to)
        return VDNN_OK;
    const size_t bytes = vdnn_dtype_bytes(x->dtype);
    const vdnn_access *access = access_of(plan, at, VDNN_BIND_X);
    const vdnn_buffer *buffer = &plan->buffers[access->buffer];
    vdnn_device_wait(device, step);
    for (int64_t i = from; i < to; i += own->capacity) {
        const int64_t count = to - i < own->capacity ? to - i : own->capacity;
        VDNN_TRY(vdnn_device_read(device, own->packed, buffer->tier,
                                  buffer->offset + access->first + (size_t)(i - before) * bytes,
                                  (size_t)count * bytes));
        vdnn_stage_widen(x->dtype, own->packed, own->scores, count);
        if (own->take != NULL)
            VDNN_TRY(own->take(own->context, i, count));
    }
    return VDNN_OK;
}

vdnn_status vdnn_scoring_begin(vdnn_training_run *run, int64_t capacity, vdnn_scoring *own)
{
    const vdnn_plan *plan = run->request.plans->evaluation;
    if (vdnn_training_is_simulated(run) || plan == NULL)
        return vdnn_status_fail(VDNN_USAGE, "%s",
                                vdnn_training_is_simulated(run)
                                    ? "a simulated device computes no scores"
                                    : "no evaluation was planned: there is no test data, and the "
                                      "session does not expect predictions");
    if (vdnn_graph_loss(plan->graph)->param_bytes > 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "the loss '%s' computes the scores of its classes from its "
                                "parameters: what it reads are none",
                                vdnn_graph_loss(plan->graph)->name);
    vdnn_training_end_load(run); /* the next step starts reading ahead again */
    const size_t bytes = vdnn_dtype_bytes(vdnn_graph_loss(plan->graph)->x[0].dtype);
    *own = (vdnn_scoring){.run = run,
                          .plan = plan,
                          .packed = vdnn_heap_calloc((size_t)capacity, bytes),
                          .scores = vdnn_heap_calloc((size_t)capacity, sizeof(float)),
                          .capacity = capacity,
                          .row = vdnn_training_score_count(plan->graph),
                          .count = capacity};
    vdnn_status status = VDNN_OK;
    if (own->packed == NULL || own->scores == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %lld scores", (long long)capacity);
    VDNN_IF_OK(status, vdnn_training_create_evaluation(run));
    if (status != VDNN_OK)
        vdnn_scoring_end(own);
    return status;
}

void vdnn_scoring_end(vdnn_scoring *own)
{
    if (own->run->evaluation != NULL)
        vdnn_executor_drain(own->run->evaluation);
    vdnn_device_reset_high_water(own->run->request.setup->device); /* measured values are steps' */
    vdnn_heap_free(own->packed);
    vdnn_heap_free(own->scores);
}

vdnn_status vdnn_scoring_run(vdnn_scoring *own, void *const *inputs, uint64_t number,
                             uint64_t first_sample)
{
    const vdnn_step_observer observer = {.after = read_scores, .context = own};
    vdnn_training_run *run = own->run;
    vdnn_executor_batch work = {.untimed = true, .observer = &observer};
    vdnn_executor_result result;
    VDNN_TRY(vdnn_messages_interrupted(run->request.messages));
    memcpy(work.inputs, inputs, sizeof work.inputs);
    work.context = vdnn_training_context(run, number, first_sample);
    work.context.evaluate = true;
    return vdnn_executor_step(run->evaluation, &work, &result);
}

/* ---- of a set -------------------------------------------------------------------------------- */

/* Of the next batch. The loader has filled up the last one. */
static vdnn_status score_batch(vdnn_scoring *own, vdnn_loader *loader, uint64_t number,
                               receiver *to)
{
    vdnn_loader_batch batch;
    VDNN_TRY(vdnn_loader_next(loader, &batch));
    to->labels = batch.labels;
    to->taken = 0;
    own->count = batch.valid * own->row;
    vdnn_status status = vdnn_scoring_run(own, batch.slot->inputs, number, batch.first_sample);
    vdnn_loader_release(loader);
    to->first += (uint64_t)batch.valid;
    return status;
}

static vdnn_status score_all(vdnn_scoring *own, const vdnn_dataset *dataset, receiver *to)
{
    vdnn_training_run *run = own->run;
    const vdnn_messages *messages = run->request.messages;
    vdnn_loader_request request = vdnn_training_load_request(run, dataset);
    vdnn_loader *loader = NULL;
    request.keep_remainder = true;
    request.batch_limit = vdnn_loader_batches_per_epoch(
        vdnn_dataset_test_count(dataset, (uint64_t)request.batch), request.batch, true);
    vdnn_status status = vdnn_loader_create(&request, &loader);
    for (uint64_t b = 0; b < request.batch_limit && status == VDNN_OK; b++) {
        status = score_batch(own, loader, b, to);
        const vdnn_progress progress = {
            .what = "scoring", .step = (int64_t)b + 1, .step_count = (int64_t)request.batch_limit};
        if (status == VDNN_OK && request.batch_limit > 1)
            vdnn_messages_progress(messages, &progress);
    }
    vdnn_executor_drain(run->evaluation);
    vdnn_loader_destroy(loader);
    return status;
}

vdnn_status vdnn_training_score(vdnn_training_run *run, const vdnn_dataset *dataset,
                                vdnn_training_take_scores *take, void *context)
{
    const vdnn_graph *graph = run->request.setup->graph;
    const int64_t row = vdnn_training_score_count(graph), fitting = PIECE_FLOATS / row,
                  some = fitting > 1 ? fitting : 1;
    receiver to = {.take = take,
                   .context = context,
                   .sample_bytes = vdnn_graph_batch_bytes(graph, vdnn_graph_labels_row(graph)) /
                                   (size_t)graph->batch};
    vdnn_scoring own;
    VDNN_TRY(vdnn_scoring_begin(run, row * (some < graph->batch ? some : graph->batch), &own));
    own.take = take_piece;
    own.context = &to;
    to.scoring = &own;
    vdnn_status status = score_all(&own, dataset, &to);
    vdnn_scoring_end(&own);
    return status;
}

/* ---- samples that the program has ------------------------------------------------------------ */

typedef struct target {
    float *scores;
    int64_t row;
} target;

static vdnn_status copy_scores(void *context, const vdnn_training_scores *batch)
{
    const target *own = context;
    memcpy(own->scores + (int64_t)batch->first * own->row, batch->scores,
           (size_t)(batch->samples * own->row) * sizeof *own->scores);
    return VDNN_OK;
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
    target own = {scores, vdnn_training_score_count(run->request.setup->graph)};
    vdnn_dataset *dataset = NULL;
    VDNN_TRY(open_samples(run, samples, &dataset));
    vdnn_status status = vdnn_training_score(run, dataset, copy_scores, &own);
    vdnn_dataset_close(dataset);
    return status;
}
