#include "runtime/plan/checker.h"
#include "runtime/train/training.h"

#include <string.h>

typedef struct test {
    vdnn_training_run *run;
    vdnn_loader *loader;
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
    vdnn_status status = vdnn_executor_step(t->run->evaluation, work, &result);
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
    work.context = vdnn_training_context(t->run, number, batch.first_sample);
    work.context.evaluate = true;
    double first = 0.0, second = 0.0;
    if (batch.valid == t->run->request.setup->graph->batch) {
        vdnn_executor_result result = {0};
        status = vdnn_executor_step(t->run->evaluation, &work, &result);
        first = second = result.correct;
    } else {
        const vdnn_loader_slot *slot = &t->run->slots[number % (uint64_t)t->run->slot_count];
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

vdnn_status vdnn_training_evaluate(vdnn_training_run *run, double *accuracy)
{
    const vdnn_setup *setup = run->request.setup;
    if (run->test == NULL || setup->properties.simulated) {
        *accuracy = -1.0;
        return VDNN_OK;
    }
    /* The slots are needed: the next step reads ahead anew. */
    vdnn_loader_destroy(run->loader);
    run->loader = NULL;
    uint64_t count = vdnn_dataset_count(run->test);
    test t = {.run = run,
              .batch_count = vdnn_loader_batches_per_epoch(count, setup->graph->batch, true)};
    vdnn_loader_request request = vdnn_training_load_request(run, run->test);
    request.keep_remainder = true;
    request.batch_limit = t.batch_count;
    double correct = 0.0;
    vdnn_status status = VDNN_OK;
    if (run->evaluation == NULL)
        status = vdnn_checker_check_evaluation(run->request.plans->training,
                                               run->request.plans->evaluation);
    if (status == VDNN_OK && run->evaluation == NULL)
        status = vdnn_executor_create(run->request.plans->evaluation, setup->device,
                                      setup->device_bytes, setup->host_bytes, &run->evaluation);
    if (status == VDNN_OK)
        status = vdnn_loader_create(&request, &t.loader);
    if (status == VDNN_OK)
        status = all_tests(&t, &correct);
    vdnn_loader_destroy(t.loader);
    vdnn_device_reset_high_water(setup->device); /* what is measured is the steps' */
    if (status == VDNN_OK)
        *accuracy = correct / (double)count;
    return status;
}
