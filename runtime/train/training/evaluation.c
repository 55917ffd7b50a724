#include "runtime/checker/checker.h"
#include "runtime/train/training/training_internal.h"

#include <math.h>
#include <string.h>

typedef struct test {
    vdnn_training_run *run;
    vdnn_loader *loader;
    uint64_t batch_count, begun, done;  /* batches */
    double labels, correct, loss;       /* that count; predictions; the sum over them */
    double counted[VDNN_DEVICE_ROUNDS]; /* labels of the batches under way */
} test;

/* Labels of a batch that count. */
static double count_labels(const test *t, const void *labels)
{
    const vdnn_graph *graph = t->run->request.setup->graph;
    return (double)vdnn_graph_count_labels(graph, labels, graph->batch);
}

static vdnn_executor_batch work_of(const test *t, const vdnn_loader_batch *batch, uint64_t number)
{
    vdnn_executor_batch work = {.untimed = true};
    memcpy(work.inputs, batch->slot->inputs, sizeof work.inputs);
    work.context = vdnn_training_context(t->run, number, batch->first_sample);
    work.context.evaluate = true;
    return work;
}

/* Of several devices each has its share of a step's mean: here a batch is of this one alone. */
static double sum_loss(const test *t, const vdnn_executor_result *result, double labels)
{
    const vdnn_graph *graph = t->run->request.setup->graph;
    const double share = vdnn_executor_weighs_labels(t->run->evaluation)
                             ? 1
                             : (double)graph->batch / (double)graph->step_batch;
    return labels > 0 ? result->loss / share * labels : 0;
}

/* Runs a batch whose samples from `valid` on are all the first one; adds `times` of what it finds.
 */
static vdnn_status test_padded(test *t, const vdnn_loader_slot *slot, int64_t valid, double times,
                               vdnn_executor_batch *work)
{
    const vdnn_graph *graph = t->run->request.setup->graph;
    for (int32_t k = 0; k < graph->input_count; k++) {
        const size_t bytes = vdnn_graph_batch_bytes(graph, k) / (size_t)graph->batch;
        for (int64_t i = valid; i < graph->batch; i++)
            memcpy((char *)slot->inputs[k] + (size_t)i * bytes, slot->inputs[k], bytes);
    }
    vdnn_executor_result result;
    const double labels = count_labels(t, slot->inputs[vdnn_graph_labels_row(graph)]);
    work->counted = (int64_t)labels;
    VDNN_TRY(vdnn_executor_step(t->run->evaluation, work, &result));
    t->labels += times * labels;
    t->correct += times * result.correct;
    t->loss += times * sum_loss(t, &result, labels);
    return VDNN_OK;
}

/* The result counts the whole batch. The filling samples are equal, so what each of them adds is
 * found by a batch of nothing else. */
static vdnn_status test_remainder(test *t)
{
    vdnn_loader_batch batch;
    VDNN_TRY(vdnn_loader_next(t->loader, &batch));
    const vdnn_loader_slot *slot = &t->run->slots[t->done % (uint64_t)t->run->slot_count];
    vdnn_executor_batch work = work_of(t, &batch, t->done);
    const int64_t size = t->run->request.setup->graph->batch;
    const double filling = (double)(size - batch.valid) / (double)size;
    vdnn_status status = test_padded(t, slot, batch.valid, 1, &work);
    VDNN_IF_OK(status, test_padded(t, slot, 1, -filling, &work));
    vdnn_loader_release(t->loader);
    return status;
}

static vdnn_status begin_whole(test *t)
{
    vdnn_loader_batch batch;
    VDNN_TRY(vdnn_loader_next(t->loader, &batch));
    vdnn_executor_batch work = work_of(t, &batch, t->begun);
    work.counted = (int64_t)count_labels(t, batch.labels);
    work.taken = vdnn_training_release_batch;
    work.argument = t->loader;
    t->counted[t->begun % VDNN_DEVICE_ROUNDS] = (double)work.counted;
    vdnn_executor_begin(t->run->evaluation, &work);
    t->begun++;
    return VDNN_OK;
}

/* Runs one more of `count` full batches; the next is begun while it runs. An error of beginning
 * that one is returned in its turn: the loader repeats it then. */
static vdnn_status test_whole(test *t, uint64_t count)
{
    vdnn_status status = VDNN_OK;
    while (status == VDNN_OK && t->begun < count &&
           t->begun - t->done < (uint64_t)vdnn_executor_most_under_way(t->run->evaluation))
        status = begin_whole(t);
    if (t->begun == t->done)
        return status;
    const double labels = t->counted[t->done % VDNN_DEVICE_ROUNDS];
    vdnn_executor_result result = {.correct = 0};
    status = vdnn_executor_finish(t->run->evaluation, &result);
    t->labels += labels;
    t->correct += result.correct;
    t->loss += sum_loss(t, &result, labels);
    return status;
}

static vdnn_status all_tests(test *t)
{
    const vdnn_messages *messages = t->run->request.messages;
    uint64_t batch = (uint64_t)t->run->request.setup->graph->batch;
    uint64_t whole = vdnn_dataset_test_count(t->run->test, batch) / batch;
    for (; t->done < t->batch_count; t->done++) {
        vdnn_status status = vdnn_messages_interrupted(messages);
        VDNN_IF_OK(status, t->done < whole ? test_whole(t, whole) : test_remainder(t));
        if (status != VDNN_OK)
            return status;
        vdnn_progress progress = {
            .what = "testing", .step = (int64_t)t->done + 1, .step_count = (int64_t)t->batch_count};
        vdnn_messages_progress(messages, &progress);
    }
    return VDNN_OK;
}

/* Of no label they are unknown. */
static vdnn_test_scores scores_of(const test *t)
{
    const bool is_judged = vdnn_graph_target(t->run->request.setup->graph) != VDNN_TARGET_NUMBERS;
    if (t->labels > 0.5) /* whole numbers, and shares of them that cancel */
        return (vdnn_test_scores){is_judged ? t->correct / t->labels : -1.0, t->loss / t->labels,
                                  -1.0};
    vdnn_messages_log(t->run->request.messages, VDNN_LOG_WARN,
                      "no label of the test data counts: there is no accuracy");
    return vdnn_nothing_found;
}

/* Of stages the last one has them, and all say the same of it. */
static vdnn_status share_scores(test *t)
{
    const vdnn_training_request *request = &t->run->request;
    if (request->setup->graph->stage.count == 0)
        return VDNN_OK;
    VDNN_TRY(vdnn_group_total(request->group, &t->correct));
    return vdnn_group_total(request->group, &t->loss);
}

vdnn_status vdnn_training_create_evaluation(vdnn_training_run *run)
{
    const vdnn_setup *setup = run->request.setup;
    const vdnn_fit_plans *plans = run->request.plans;
    if (run->evaluation != NULL)
        return VDNN_OK;
    VDNN_TRY(vdnn_checker_check_evaluation(plans->training, plans->evaluation));
    VDNN_TRY(vdnn_executor_create(plans->evaluation, setup->device, setup->budget_bytes,
                                  &run->evaluation));
    if (setup->graph->stage.count > 0)
        VDNN_TRY(vdnn_executor_join(run->evaluation, run->request.group));
    return run->request.options->trust->poison ? vdnn_executor_guard(run->evaluation) : VDNN_OK;
}

vdnn_status vdnn_training_evaluate(vdnn_training_run *run, vdnn_test_scores *found)
{
    const vdnn_setup *setup = run->request.setup;
    if (run->test == NULL || vdnn_training_is_simulated(run)) {
        *found = vdnn_nothing_found;
        return VDNN_OK;
    }
    /* The slots are needed: the next step starts reading ahead again. */
    vdnn_training_end_load(run);
    const uint64_t count = vdnn_dataset_test_count(run->test, (uint64_t)setup->graph->batch);
    test t = {.run = run,
              .batch_count = vdnn_loader_batches_per_epoch(count, setup->graph->batch, true)};
    vdnn_loader_request request = vdnn_training_load_request(run, run->test);
    request.keep_remainder = true;
    request.batch_limit = t.batch_count;
    vdnn_status status = vdnn_training_create_evaluation(run);
    VDNN_IF_OK(status, vdnn_loader_create(&request, &t.loader));
    VDNN_IF_OK(status, all_tests(&t));
    VDNN_IF_OK(status, share_scores(&t));
    vdnn_executor_drain(run->evaluation);
    vdnn_loader_destroy(t.loader);
    vdnn_device_reset_high_water(setup->device); /* measured values are the steps' */
    if (status == VDNN_OK)
        *found = scores_of(&t);
    return status;
}
