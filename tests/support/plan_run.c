#include "tests/support/plan_run.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/random.h"
#include "runtime/exec/executor.h"
#include "runtime/train/weights.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { SEED = 11, POISON = 0xff };

static vdnn_device *device;

void vdnn_plan_run_begin(void)
{
    const vdnn_device_options options = {
        .threads = 1, .event_count = 4096, .folders = {[VDNN_TIER_FILE] = "/tmp"}};
    assert_ok(vdnn_device_open("cpu", &options, &device));
}

void vdnn_plan_run_end(void)
{
    vdnn_device_close(device);
}

static void poison(const vdnn_plan *plan)
{
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        assert_ok(vdnn_device_reserve(device, (vdnn_tier)t, plan->span_bytes[t]));
    for (int t = 0; t < VDNN_TIER_FILE; t++)
        if (plan->span_bytes[t] > 0)
            memset(vdnn_device_base(device, (vdnn_tier)t), POISON, plan->span_bytes[t]);
}

typedef struct batches {
    const vdnn_plan *plan;
    void *inputs[2];
} batches;

static int64_t count_of(const batches *b, int32_t input)
{
    const vdnn_graph *graph = b->plan->graph;
    return graph->batch * vdnn_desc_per_sample(&graph->inputs[input].desc);
}

static void fill(const batches *b, uint64_t step)
{
    vdnn_test_rng rng = {SEED + step};
    const vdnn_desc *read = &b->plan->graph->inputs[0].desc;
    float *image = b->inputs[0];
    int32_t *tokens = b->inputs[0], *labels = b->inputs[1];
    for (int64_t i = 0; i < count_of(b, 0); i++)
        if (vdnn_desc_is_integer(read))
            tokens[i] = (int32_t)vdnn_test_between(&rng, 0, read->below - 1);
        else
            image[i] = vdnn_random_unit((uint32_t)vdnn_test_random(&rng)) - 0.5F;
    for (int64_t i = 0; i < count_of(b, 1); i++)
        labels[i] = (int32_t)vdnn_test_between(&rng, 0, b->plan->graph->classes - 1);
}

/* The batch of a step, or where the plan loads ahead that of the next one; the last step has none.
 */
static vdnn_executor_batch batch_of(const batches *b, uint64_t step)
{
    vdnn_executor_batch batch = {.context = {.seed = SEED,
                                             .step = step,
                                             .first_sample = step * (uint64_t)b->plan->graph->batch,
                                             .settings = b->plan->graph->training.settings}};
    const uint64_t loaded = step + vdnn_plan_loads_ahead(b->plan);
    batch.context.settings.lr = 0.01;
    if (loaded == VDNN_PLAN_RUN_STEPS)
        return batch;
    fill(b, loaded);
    for (int i = 0; i < 2; i++)
        batch.inputs[i] = b->inputs[i];
    return batch;
}

static vdnn_status run_steps(const batches *b, vdnn_executor *executor, double *losses)
{
    vdnn_status status = VDNN_OK;
    for (uint64_t s = 0; s < VDNN_PLAN_RUN_STEPS && status == VDNN_OK; s++) {
        if (vdnn_executor_needs_batch(executor)) {
            fill(b, s);
            status = vdnn_executor_preload(executor, (const void *const *)b->inputs);
        }
        const vdnn_executor_batch batch = batch_of(b, s);
        vdnn_executor_result result = {.loss = 0};
        vdnn_executor_begin(executor, &batch);
        status = status == VDNN_OK ? vdnn_executor_finish(executor, &result) : status;
        losses[s] = result.loss;
    }
    return status;
}

static void read_weights(const vdnn_plan *plan, char *weights)
{
    for (int32_t l = 0; l < plan->graph->layer_count; l++) {
        const size_t bytes = plan->graph->layers[l].param_bytes;
        if (bytes == 0 || plan->graph->layers[l].owner != l)
            continue;
        const vdnn_buffer *w = &plan->buffers[plan->param_buffer[l]];
        assert_ok(vdnn_device_read(device, weights, w->tier, w->offset, bytes));
        weights += bytes;
    }
}

vdnn_plan_outcome vdnn_plan_run(const vdnn_plan *plan, bool verifies)
{
    vdnn_plan_outcome outcome = {.bytes = vdnn_graph_param_bytes(plan->graph)};
    batches b = {.plan = plan};
    vdnn_executor *executor = NULL;
    outcome.weights = vdnn_heap_calloc(outcome.bytes + 1, 1);
    assert_non_null(outcome.weights);
    for (int32_t i = 0; i < 2; i++)
        assert_ok(vdnn_device_stage(device, vdnn_graph_batch_bytes(plan->graph, i), &b.inputs[i]));
    poison(plan);
    assert_ok(vdnn_weights_fill(plan, device, SEED, NULL));
    outcome.status = vdnn_executor_create(plan, device, plan->span_bytes, &executor);
    if (outcome.status == VDNN_OK && verifies)
        outcome.status = vdnn_executor_verify(executor);
    if (outcome.status == VDNN_OK)
        outcome.status = run_steps(&b, executor, outcome.losses);
    vdnn_executor_destroy(executor);
    read_weights(plan, outcome.weights);
    for (int32_t i = 0; i < 2; i++)
        vdnn_device_unstage(device, b.inputs[i]);
    return outcome;
}

bool vdnn_plan_outcome_is_same(const vdnn_plan_outcome *a, const vdnn_plan_outcome *b)
{
    return a->status == VDNN_OK && b->status == VDNN_OK && a->bytes == b->bytes &&
           memcmp(a->weights, b->weights, a->bytes) == 0 &&
           memcmp(a->losses, b->losses, sizeof a->losses) == 0;
}

void vdnn_plan_outcome_fini(vdnn_plan_outcome *outcome)
{
    vdnn_heap_free(outcome->weights);
}
