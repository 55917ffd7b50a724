/* Real plans of small networks on the CPU device. */

#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/base/numbers/random.h"
#include "runtime/exec/executor.h"
#include "runtime/planner/planner.h"
#include "runtime/train/weights.h"
#include "tests/support/faulty_device.h"
#include "tests/support/policy_ask.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char network[] =
    "name: small\n"
    "input: {channels: 2, height: 12, width: 12}\n"
    "classes: 5\n"
    "batch: 6\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: left, type: conv, out: 4, kernel: 1}\n"
    "  - {name: left_relu, type: relu}\n"
    "  - {name: right, type: conv, out: 8, kernel: 3, pad: 1, from: pool1}\n"
    "  - {name: right_relu, type: relu}\n"
    "  - {name: both, type: concat, from: [left_relu, right_relu]}\n"
    "  - {name: pool2, type: avgpool, kernel: 2}\n"
    "  - {name: drop, type: dropout, p: 0.3}\n"
    "  - {name: fc, type: fc, out: 5}\n"
    "  - {name: loss, type: softmax_loss}\n";

enum { THREADS = 2, SEED = 11 };

#if defined(__SANITIZE_THREAD__)
/* The threads inside the libraries meet at barriers that the sanitizer does not see. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "ignore_noninstrumented_modules=1";
}
#endif

typedef struct fixture {
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_plan *plan, *evaluation; /* of a training, and in the same arena */
    vdnn_device *device;
    vdnn_executor *executor;
    vdnn_executor_batch batch;
} fixture;

static void make_graph(fixture *f, const char *path, int64_t batch)
{
    vdnn_model *model = NULL;
    vdnn_graph_options options = {.batch = batch, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    if (path != NULL)
        assert_ok(vdnn_model_read(path, &model));
    else
        assert_ok(vdnn_model_parse(network, sizeof network - 1, "small.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &f->graph));
    vdnn_model_destroy(model);
    assert_ok(vdnn_test_profile_of(f->graph, VDNN_TEST_ROWS_REAL, &f->profile));
}

static void make_plan_within(fixture *f, const char *policy, size_t device_bytes)
{
    vdnn_policy_ask request = {.graph = f->graph,
                               .profile = f->profile,
                               .algo = VDNN_ALGO_M,
                               .budget_bytes = {device_bytes, SIZE_MAX / 2}};
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find(policy), &request, &f->plan, &f->evaluation));
}

static void make_plan(fixture *f, const char *policy)
{
    make_plan_within(f, policy, SIZE_MAX / 2);
}

static void make_batch(fixture *f)
{
    const vdnn_desc *images = &f->graph->tensors[0].desc;
    int64_t count = vdnn_desc_count(images);
    void *image_block = NULL, *label_block = NULL;
    assert_ok(vdnn_device_stage(f->device, (size_t)count * sizeof(float), &image_block));
    assert_ok(
        vdnn_device_stage(f->device, (size_t)f->graph->batch * sizeof(int32_t), &label_block));
    float *values = image_block;
    int32_t *labels = label_block;
    vdnn_test_rng rng = {SEED};
    for (int64_t i = 0; i < count; i++)
        values[i] = vdnn_random_unit((uint32_t)vdnn_test_random(&rng)) - 0.5F;
    for (int64_t i = 0; i < f->graph->batch; i++)
        labels[i] = (int32_t)vdnn_test_between(&rng, 0, f->graph->classes - 1);
    f->batch = (vdnn_executor_batch){
        .inputs = {values, labels},
        .context = {.seed = SEED,
                    .settings = {.lr = 0.02, .momentum = 0.9, .weight_decay = 0.0005}}};
}

static void open_device(fixture *f)
{
    vdnn_device_options options = {.threads = THREADS, .event_count = 1};
    assert_ok(vdnn_device_open("cpu", &options, &f->device));
    assert_ok(
        vdnn_device_reserve(f->device, VDNN_TIER_DEVICE, f->plan->span_bytes[VDNN_TIER_DEVICE]));
    assert_ok(vdnn_device_reserve(f->device, VDNN_TIER_HOST, f->plan->span_bytes[VDNN_TIER_HOST]));
    assert_ok(vdnn_weights_fill(f->plan, f->device, SEED, NULL));
    make_batch(f);
}

static vdnn_status create_executor(fixture *f)
{
    return vdnn_executor_create(f->plan, f->device, f->plan->span_bytes, &f->executor);
}

static fixture set_up(const char *path, int64_t batch, const char *policy)
{
    fixture f = {0};
    make_graph(&f, path, batch);
    make_plan(&f, policy);
    open_device(&f);
    assert_ok(create_executor(&f));
    return f;
}

/* The small network planned as for a device with a link: where memory is ample its plan loads
 * ahead, with a byte less late. */
static fixture prepare_loading(const char *policy, vdnn_loads loads)
{
    fixture f = {0};
    make_graph(&f, NULL, 0);
    f.profile->has_link = loads != VDNN_LOADS_OWN;
    make_plan(&f, policy);
    if (loads == VDNN_LOADS_LATE) {
        const size_t ample = f.plan->span_bytes[VDNN_TIER_DEVICE];
        vdnn_plan_destroy(f.evaluation);
        vdnn_plan_destroy(f.plan);
        make_plan_within(&f, policy, ample - 1);
    }
    assert_int_equal(f.plan->loads, loads);
    open_device(&f);
    return f;
}

static fixture set_up_loading(const char *policy, vdnn_loads loads)
{
    fixture f = prepare_loading(policy, loads);
    assert_ok(create_executor(&f));
    return f;
}

static fixture set_up_ahead(const char *policy)
{
    return set_up_loading(policy, VDNN_LOADS_AHEAD);
}

static void tear_down(fixture *f)
{
    vdnn_executor_destroy(f->executor);
    vdnn_device_close(f->device);
    vdnn_plan_destroy(f->evaluation);
    vdnn_plan_destroy(f->plan);
    vdnn_profile_destroy(f->profile);
    vdnn_graph_destroy(f->graph);
}

static vdnn_executor_result step(fixture *f)
{
    vdnn_executor_result result;
    memset(&result, 0xFF, sizeof result);
    assert_ok(vdnn_executor_step(f->executor, &f->batch, &result));
    f->batch.context.step++;
    return result;
}

static const char *const policies[] = {"base", "all", "conv", "dyn"};
enum { POLICIES = sizeof policies / sizeof *policies };

/* ---- training -------------------------------------------------------------------------------- */

TEST(lenet_learns_a_batch)
{
    fixture f = set_up("models/lenet.yaml", 8, "base");
    double first = step(&f).loss, last = first;
    assert_true(isfinite(first));
    for (int i = 0; i < 6; i++) {
        vdnn_executor_result result = step(&f);
        last = result.loss;
        assert_true(result.correct >= 0 && result.correct <= 8);
    }
    assert_true(last < first);
    tear_down(&f);
}

/* All parameters, one after the other; the caller frees. */
static unsigned char *read_weights(const fixture *f, size_t *bytes)
{
    *bytes = vdnn_graph_param_bytes(f->graph);
    unsigned char *all = vdnn_heap_calloc(*bytes, 1);
    size_t at = 0;
    assert_non_null(all);
    for (int32_t i = 0; i < f->graph->layer_count; i++) {
        if (f->plan->param_buffer[i] < 0 || f->graph->layers[i].owner != i)
            continue;
        const vdnn_buffer *buffer = &f->plan->buffers[f->plan->param_buffer[i]];
        assert_ok(vdnn_device_read(f->device, all + at, VDNN_TIER_DEVICE, buffer->offset,
                                   f->graph->layers[i].param_bytes));
        at += f->graph->layers[i].param_bytes;
    }
    assert_int_equal(at, *bytes);
    return all;
}

/* Dyn is left out: without a budget it takes other algorithms. */
TEST(policies_with_equal_algorithms_give_the_same_bits)
{
    unsigned char *expected = NULL;
    for (int p = 0; p < POLICIES && strcmp(policies[p], "dyn") != 0; p++) {
        fixture f = set_up(NULL, 0, policies[p]);
        size_t bytes = 0;
        unsigned char *before = read_weights(&f, &bytes);
        for (int i = 0; i < 5; i++)
            (void)step(&f);
        unsigned char *weights = read_weights(&f, &bytes);
        assert_int_not_equal(memcmp(before, weights, bytes), 0);
        if (p == 0)
            expected = weights;
        else
            assert_memory_equal(weights, expected, bytes);
        vdnn_heap_free(before);
        if (p != 0)
            vdnn_heap_free(weights);
        tear_down(&f);
    }
    vdnn_heap_free(expected);
}

TEST(a_step_allocates_nothing)
{
    for (int p = 0; p < POLICIES; p++) {
        fixture f = set_up(NULL, 0, policies[p]);
        size_t tiers = vdnn_device_allocation_count(f.device), heap = vdnn_heap_call_count();
        for (int i = 0; i < 3; i++)
            (void)step(&f);
        assert_int_equal(vdnn_device_allocation_count(f.device), tiers);
        assert_int_equal(vdnn_heap_call_count(), heap);
        tear_down(&f);
    }
}

TEST(a_loss_that_is_no_number_is_a_result_and_no_error)
{
    fixture f = set_up(NULL, 0, "base");
    f.batch.context.settings.lr = 1e30;
    f.batch.context.admits_nonfinite = true;
    vdnn_executor_result result = step(&f);
    for (int i = 0; i < 3; i++)
        result = step(&f);
    assert_true(isnan(result.loss));
    assert_true(result.found.layer >= 0);
    tear_down(&f);
}

TEST(weights_stay_finite_and_the_first_layer_whose_update_was_not_is_told)
{
    size_t bytes = 0;
    fixture f = set_up(NULL, 0, "base");
    vdnn_executor_result result = step(&f);
    assert_int_equal(result.found.layer, -1);
    f.batch.context.settings.lr = 1e30;
    for (int i = 0; i < 4; i++)
        result = step(&f);
    assert_true(result.found.layer >= 0);
    float *weights = (float *)(void *)read_weights(&f, &bytes);
    for (size_t i = 0; i < bytes / sizeof *weights; i++)
        assert_true(isfinite(weights[i]));
    vdnn_heap_free(weights);
    tear_down(&f);
}

TEST(an_evaluation_sees_what_training_wrote_and_changes_nothing)
{
    fixture f = set_up("models/lenet.yaml", 8, "all");
    vdnn_executor *evaluation = NULL;
    vdnn_executor_result result;
    assert_ok(vdnn_executor_create(f.evaluation, f.device, f.plan->span_bytes, &evaluation));
    (void)step(&f);
    size_t bytes = 0;
    unsigned char *before = read_weights(&f, &bytes);
    vdnn_executor_batch batch = f.batch;
    batch.context.evaluate = true;
    assert_ok(vdnn_executor_step(evaluation, &batch, &result));
    unsigned char *after = read_weights(&f, &bytes);
    assert_memory_equal(before, after, bytes);
    f.batch.context.evaluate = true; /* the same forward: without dropout */
    assert_true(result.loss == step(&f).loss);
    vdnn_heap_free(before);
    vdnn_heap_free(after);
    vdnn_executor_destroy(evaluation);
    tear_down(&f);
}

/* ---- steps under way together ---------------------------------------------------------------- */

enum { TOGETHER = 5 };

/* What some steps leave behind, each on labels of its own; the caller frees the weights. */
typedef struct trained {
    double losses[TOGETHER];
    unsigned char *weights;
    size_t bytes;
} trained;

/* A step's labels; a block for each step that is under way. */
static void shift_labels(const fixture *f, int32_t *labels, int step)
{
    for (int64_t i = 0; i < f->graph->batch; i++)
        labels[i] =
            (int32_t)((((const int32_t *)f->batch.inputs[1])[i] + step) % f->graph->classes);
}

static trained train(const char *policy, vdnn_loads loads, int depth, bool untimed)
{
    trained result = {.bytes = 0};
    bool ahead = loads != VDNN_LOADS_OWN;
    fixture f = set_up_loading(policy, loads);
    void *labels[VDNN_DEVICE_ROUNDS];
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        assert_ok(
            vdnn_device_stage(f.device, (size_t)f.graph->batch * sizeof(int32_t), &labels[i]));
    vdnn_executor_batch batch = f.batch;
    batch.untimed = untimed;
    size_t heap = vdnn_heap_call_count();
    if (ahead) {
        shift_labels(&f, labels[0], 0);
        assert_ok(
            vdnn_executor_preload(f.executor, (const void *const[]){batch.inputs[0], labels[0]}));
    }
    for (int begun = 0, done = 0; done < TOGETHER; done++) {
        for (; begun < TOGETHER && begun - done < depth; begun++) {
            int loaded = begun + ahead;
            batch.inputs[1] = labels[loaded % VDNN_DEVICE_ROUNDS];
            batch.inputs[0] = loaded == TOGETHER ? NULL : f.batch.inputs[0];
            batch.context.step = (uint64_t)begun;
            shift_labels(&f, labels[loaded % VDNN_DEVICE_ROUNDS], loaded);
            vdnn_executor_begin(f.executor, &batch);
        }
        assert_int_equal(vdnn_executor_under_way(f.executor), begun - done);
        vdnn_executor_result one;
        assert_ok(vdnn_executor_finish(f.executor, &one));
        result.losses[done] = one.loss;
        assert_int_equal(one.timed, !untimed);
        assert_int_equal(one.live_peak_bytes[VDNN_TIER_DEVICE] > 0, !untimed);
    }
    assert_int_equal(vdnn_heap_call_count(), heap);
    result.weights = read_weights(&f, &result.bytes);
    tear_down(&f);
    return result;
}

TEST(steps_under_way_together_give_the_bits_of_steps_alone)
{
    static const struct {
        vdnn_loads loads;
        int depth;
        bool untimed;
    } forms[] = {{VDNN_LOADS_OWN, VDNN_DEVICE_ROUNDS, false},
                 {VDNN_LOADS_OWN, VDNN_DEVICE_ROUNDS, true},
                 {VDNN_LOADS_AHEAD, 1, false},
                 {VDNN_LOADS_AHEAD, VDNN_DEVICE_ROUNDS, false},
                 {VDNN_LOADS_AHEAD, VDNN_DEVICE_ROUNDS, true},
                 {VDNN_LOADS_LATE, 1, false},
                 {VDNN_LOADS_LATE, VDNN_DEVICE_ROUNDS, false},
                 {VDNN_LOADS_LATE, VDNN_DEVICE_ROUNDS, true}};
    for (int p = 0; p < POLICIES; p++) {
        trained alone = train(policies[p], VDNN_LOADS_OWN, 1, false);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            if (forms[i].loads == VDNN_LOADS_LATE && strcmp(policies[p], "all") != 0)
                continue; /* the others have no memory free in between */
            trained together = train(policies[p], forms[i].loads, forms[i].depth, forms[i].untimed);
            assert_memory_equal(together.losses, alone.losses, sizeof alone.losses);
            assert_memory_equal(together.weights, alone.weights, alone.bytes);
            vdnn_heap_free(together.weights);
        }
        vdnn_heap_free(alone.weights);
    }
}

static void count_taken(void *argument)
{
    ++*(int *)argument;
}

/* Two steps are begun, and an operation of one of them fails: that one is told, a step before it is
 * as it would be alone, one behind it changes nothing. */
static bool fails_in_one_of_two_steps(vdnn_loads loads, size_t nth, size_t *operations,
                                      double expected)
{
    vdnn_test_device_fault fault = {.calls = VDNN_TEST_DEVICE_CALL(OPERATION), .nth = nth};
    vdnn_test_device_begin(&fault);
    fixture f = set_up_loading("all", loads);
    int taken = 0;
    vdnn_executor_batch batch = f.batch;
    batch.taken = count_taken;
    batch.argument = &taken;
    if (vdnn_executor_needs_batch(f.executor))
        assert_ok(vdnn_executor_preload(f.executor, batch.inputs));
    for (int i = 0; i < 2; i++)
        vdnn_executor_begin(f.executor, &batch);
    *operations = (size_t)f.plan->step_count;
    vdnn_executor_result result;
    bool in_first = nth <= *operations, in_second = !in_first && nth <= 2 * *operations;
    if (!in_first) {
        assert_ok(vdnn_executor_finish(f.executor, &result));
        assert_true(result.loss == expected);
        assert_int_equal(vdnn_executor_under_way(f.executor), 1);
    }
    vdnn_status status = vdnn_executor_finish(f.executor, &result);
    assert_int_equal(status, in_first || in_second ? VDNN_DEVICE : VDNN_OK);
    if (status != VDNN_OK)
        assert_message("is made to fail at OPERATION");
    assert_int_equal(vdnn_executor_under_way(f.executor), 0);
    assert_int_equal(taken, 2);
    assert_int_equal(vdnn_executor_needs_batch(f.executor),
                     loads != VDNN_LOADS_OWN && status != VDNN_OK);
    if (status != VDNN_OK)
        (void)step(&f);
    tear_down(&f);
    (void)vdnn_test_device_end();
    return status != VDNN_OK;
}

TEST(whichever_operation_fails_ends_its_own_step_and_the_one_behind_it)
{
    fixture f = set_up(NULL, 0, "all");
    double expected = step(&f).loss;
    tear_down(&f);
    for (int loads = VDNN_LOADS_OWN; loads < VDNN_LOADS_COUNT; loads++) {
        size_t operations = 0, stride = 100 / (size_t)vdnn_test_count(100);
        size_t nth = 1 + vdnn_test_seed() % stride;
        while (fails_in_one_of_two_steps((vdnn_loads)loads, nth, &operations, expected))
            nth += stride;
        assert_true(nth > 2 * operations && nth <= 2 * operations + stride);
    }
}

/* ---- batches loaded ahead -------------------------------------------------------------------- */

/* Whoever does not know the next batch names none, and has to preload it. */
TEST(a_step_whose_batch_no_step_loaded_has_it_preloaded)
{
    vdnn_executor_result result;
    fixture f = set_up(NULL, 0, "all");
    double losses[2];
    for (int i = 0; i < 2; i++)
        losses[i] = step(&f).loss;
    assert_false(vdnn_executor_needs_batch(f.executor));
    tear_down(&f);

    f = set_up_ahead("all");
    vdnn_executor_batch nothing = {.context = f.batch.context};
    for (int i = 0; i < 2; i++) {
        assert_true(vdnn_executor_needs_batch(f.executor));
        assert_ok(vdnn_executor_preload(f.executor, f.batch.inputs));
        assert_false(vdnn_executor_needs_batch(f.executor));
        nothing.context.step = (uint64_t)i;
        vdnn_executor_begin(f.executor, &nothing);
        assert_ok(vdnn_executor_finish(f.executor, &result));
        assert_true(result.loss == losses[i]);
    }
    tear_down(&f);
}

/* It trains on what it is given, whatever was loaded for it. */
TEST(a_step_alone_has_its_own_batch)
{
    vdnn_executor_result result;
    fixture f = set_up(NULL, 0, "all");
    (void)step(&f);
    double expected = step(&f).loss;
    size_t bytes = vdnn_desc_bytes(&f.graph->tensors[0].desc);
    tear_down(&f);

    f = set_up_ahead("all");
    void *other;
    assert_ok(vdnn_device_stage(f.device, bytes, &other));
    memset(other, 0, bytes);
    vdnn_executor_batch next = f.batch;
    next.inputs[0] = other;
    assert_ok(vdnn_executor_preload(f.executor, f.batch.inputs));
    vdnn_executor_begin(f.executor, &next);
    assert_ok(vdnn_executor_finish(f.executor, &result));
    assert_false(vdnn_executor_needs_batch(f.executor));
    f.batch.context.step = 1;
    assert_true(step(&f).loss == expected);
    assert_true(vdnn_executor_needs_batch(f.executor));
    tear_down(&f);
}

/* An evaluation in the same arena leaves the batch alone that was loaded for the next step. */
TEST(an_evaluation_changes_nothing_that_was_loaded_ahead)
{
    double losses[4];
    for (int i = 0; i < 4; i++) {
        const bool evaluates = i % 2;
        fixture f = set_up_loading("all", i < 2 ? VDNN_LOADS_AHEAD : VDNN_LOADS_LATE);
        vdnn_executor *evaluation = NULL;
        vdnn_executor_result result;
        assert_true(f.evaluation->span_bytes[VDNN_TIER_DEVICE] <=
                    f.plan->span_bytes[VDNN_TIER_DEVICE]);
        assert_ok(vdnn_executor_create(f.evaluation, f.device, f.plan->span_bytes, &evaluation));
        assert_false(vdnn_executor_needs_batch(evaluation));
        assert_ok(vdnn_executor_preload(f.executor, f.batch.inputs));
        for (int s = 0; s < 2; s++) {
            vdnn_executor_begin(f.executor, &f.batch);
            assert_ok(vdnn_executor_finish(f.executor, &result));
            vdnn_executor_batch batch = f.batch;
            batch.context.evaluate = true;
            if (evaluates)
                assert_ok(vdnn_executor_step(evaluation, &batch, &(vdnn_executor_result){0}));
        }
        losses[i] = result.loss;
        vdnn_executor_destroy(evaluation);
        tear_down(&f);
    }
    for (int i = 1; i < 4; i++)
        assert_true(losses[i] == losses[0]);
}

/* ---- what is measured ------------------------------------------------------------------------ */

TEST(the_arena_is_used_to_its_last_byte_and_no_further)
{
    for (int p = 0; p < POLICIES; p++) {
        fixture f = set_up(NULL, 0, policies[p]);
        vdnn_device_reset_high_water(f.device);
        (void)step(&f);
        assert_int_equal(vdnn_device_high_water(f.device, VDNN_TIER_DEVICE),
                         f.plan->span_bytes[VDNN_TIER_DEVICE]);
        assert_int_equal(vdnn_device_high_water(f.device, VDNN_TIER_HOST),
                         f.plan->span_bytes[VDNN_TIER_HOST]);
        tear_down(&f);
    }
}

static size_t persistent_bytes(const vdnn_plan *plan)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < plan->buffer_count; i++)
        if (plan->buffers[i].persistent)
            bytes += plan->buffers[i].bytes;
    return bytes;
}

TEST(live_bytes_stay_within_what_was_planned)
{
    for (int p = 0; p < POLICIES; p++) {
        fixture f = set_up(NULL, 0, policies[p]);
        for (int i = 0; i < 3; i++) {
            vdnn_executor_result result = step(&f);
            assert_true(result.live_peak_bytes[VDNN_TIER_DEVICE] > persistent_bytes(f.plan));
            assert_true(result.live_peak_bytes[VDNN_TIER_DEVICE] <=
                        f.plan->peak_bytes[VDNN_TIER_DEVICE]);
            assert_true(result.live_peak_bytes[VDNN_TIER_HOST] <=
                        f.plan->peak_bytes[VDNN_TIER_HOST]);
            assert_int_equal(result.live_peak_bytes[VDNN_TIER_HOST] > 0,
                             f.plan->peak_bytes[VDNN_TIER_HOST] > 0);
            assert_int_equal(result.offload_bytes, f.plan->offload_bytes);
            assert_int_equal(result.prefetch_bytes, f.plan->prefetch_bytes);
        }
        tear_down(&f);
    }
}

/* The bytes of the n-th copy between the tiers, as a negative number where it is a copy in; 0:
 * there are fewer. */
static int64_t bytes_of_copy(const vdnn_plan *plan, size_t n)
{
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        bool leaves = step->kind == VDNN_STEP_COPY_OUT, returns = step->kind == VDNN_STEP_COPY_IN;
        if ((leaves || returns) && --n == 0)
            return leaves ? (int64_t)step->bytes : -(int64_t)step->bytes;
    }
    return 0;
}

/* A step with its n-th copy not made, or made twice; false: it has fewer. */
static bool tells_what_was_copied(size_t n, bool twice)
{
    const vdnn_test_device_fault fault = {.drop_nth = twice ? 0 : n, .double_nth = twice ? n : 0};
    vdnn_test_device_begin(&fault);
    fixture f = set_up(NULL, 0, "all");
    vdnn_executor_result result = step(&f);
    const int64_t bytes = bytes_of_copy(f.plan, n), sign = twice ? 1 : -1;
    assert_int_equal((int64_t)result.offload_bytes - (int64_t)f.plan->offload_bytes,
                     bytes > 0 ? sign * bytes : 0);
    assert_int_equal((int64_t)result.prefetch_bytes - (int64_t)f.plan->prefetch_bytes,
                     bytes < 0 ? -sign * bytes : 0);
    if (bytes != 0) {
        result = step(&f);
        assert_int_equal(result.offload_bytes, f.plan->offload_bytes);
        assert_int_equal(result.prefetch_bytes, f.plan->prefetch_bytes);
    }
    tear_down(&f);
    (void)vdnn_test_device_end();
    return bytes != 0;
}

TEST(bytes_copied_are_those_of_the_device_and_not_of_the_plan)
{
    for (int twice = 0; twice < 2; twice++) {
        size_t n = 1;
        while (tells_what_was_copied(n, twice == 1))
            n++;
        assert_true(n > 4);
    }
}

TEST(the_timeline_obeys_streams_and_waits)
{
    for (int p = 0; p < POLICIES; p++) {
        fixture f = set_up(NULL, 0, policies[p]);
        double offset = -1;
        for (int n = 0; n < 3; n++) {
            vdnn_executor_result result = step(&f);
            const vdnn_timeline *timeline = vdnn_executor_timeline(f.executor);
            double last[VDNN_STREAM_COUNT] = {0}, idle = 0;
            assert_ptr_equal(timeline->plan, f.plan);
            assert_true(timeline->offset_seconds > offset);
            offset = timeline->offset_seconds;
            for (int32_t i = 0; i < f.plan->step_count; i++) {
                const vdnn_step *own = &f.plan->steps[i];
                const vdnn_span *span = &timeline->spans[i];
                assert_true(last[own->stream] <= span->start);
                assert_true(span->start <= span->end);
                if (own->stream == VDNN_STREAM_COMPUTE)
                    idle += span->start - last[own->stream];
                last[own->stream] = span->end;
                for (int32_t k = 0; k < own->wait_count; k++)
                    assert_true(timeline->spans[f.plan->waits[own->first_wait + k]].end <=
                                span->start);
            }
            assert_true(result.stall_seconds >= 0);
            assert_true(result.stall_seconds <= idle);
            assert_true(result.seconds > 0);
            assert_true(result.seconds <= last[VDNN_STREAM_COMPUTE]);
        }
        tear_down(&f);
    }
}

/* ---- refusals and errors --------------------------------------------------------------------- */

TEST(budgets_and_tiers_that_are_too_small_are_refused)
{
    fixture f = {0};
    vdnn_executor *executor = NULL;
    make_graph(&f, NULL, 0);
    make_plan(&f, "all");
    open_device(&f);
    const size_t *span = f.plan->span_bytes;
    const size_t arena = span[VDNN_TIER_DEVICE], host = span[VDNN_TIER_HOST];
    const size_t less_device[VDNN_TIER_COUNT] = {arena - 1, host},
                 less_host[VDNN_TIER_COUNT] = {arena, host - 1};
    assert_status(vdnn_executor_create(f.plan, f.device, less_device, &executor), VDNN_NO_FIT);
    assert_status(vdnn_executor_create(f.plan, f.device, less_host, &executor), VDNN_NO_FIT);
    assert_ok(vdnn_device_reserve(f.device, VDNN_TIER_DEVICE, arena - 1));
    assert_status(vdnn_executor_create(f.plan, f.device, span, &executor), VDNN_INTERNAL);
    assert_message("device tier");
    assert_ok(vdnn_device_reserve(f.device, VDNN_TIER_DEVICE, arena));
    assert_ok(vdnn_device_reserve(f.device, VDNN_TIER_HOST, host - 1));
    assert_status(vdnn_executor_create(f.plan, f.device, span, &executor), VDNN_INTERNAL);
    assert_message("host tier");
    assert_null(executor);
    tear_down(&f);
}

TEST(a_plan_that_does_not_wait_for_its_data_is_refused)
{
    fixture f = {0};
    make_graph(&f, NULL, 0);
    make_plan(&f, "all");
    open_device(&f);
    for (int32_t i = 0; i < f.plan->step_count; i++)
        if (f.plan->steps[i].kind == VDNN_STEP_COPY_IN)
            f.plan->steps[i].wait_count = 0;
    assert_status(create_executor(&f), VDNN_INTERNAL);
    assert_null(f.executor);
    tear_down(&f);
}

static int32_t find_run(const vdnn_plan *plan, const char *layer, vdnn_pass pass)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_RUN && plan->steps[i].pass == pass &&
            strcmp(plan->graph->layers[plan->steps[i].layer].name, layer) == 0)
            return i;
    fail_msg("no run of %s", layer);
    return -1;
}

/* A convolution that computes nothing, waits or fails when told to, and asks for as much workspace
 * as the test says. */
static bool is_broken, is_gated;
static sem_t gate;
static size_t wanted_bytes;

static vdnn_status fragile_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    (void)kernel;
    *bytes = wanted_bytes;
    return VDNN_OK;
}

static vdnn_status fragile_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    (void)args;
    if (is_gated)
        (void)sem_wait(&gate);
    if (is_broken)
        return vdnn_status_fail(VDNN_DEVICE, "%d threads are not enough", kernel->threads);
    return VDNN_OK;
}

static const vdnn_algorithm fragile = {
    .layer_type = "conv",
    .name = "fragile",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD,
    .deterministic = true,
    .workspace = fragile_workspace,
    .run = fragile_run,
};

TEST(a_kernels_error_comes_out_with_its_layer_and_the_next_step_works)
{
    fixture f = {0};
    vdnn_executor_result result, untouched;
    make_graph(&f, NULL, 0);
    make_plan(&f, "all");
    open_device(&f);
    wanted_bytes = 0;
    f.plan->steps[find_run(f.plan, "right", VDNN_FORWARD)].algorithm = &fragile;
    assert_ok(create_executor(&f));
    memset(&result, 0xAB, sizeof result);
    memset(&untouched, 0xAB, sizeof untouched);
    is_broken = true;
    assert_status(vdnn_executor_step(f.executor, &f.batch, &result), VDNN_DEVICE);
    assert_message("'right'");
    assert_message("forward");
    assert_message("threads are not enough");
    assert_memory_equal(&result, &untouched, sizeof result);
    is_broken = false;
    (void)step(&f);
    tear_down(&f);
}

TEST(a_step_is_enqueued_while_the_one_before_it_runs)
{
    fixture f = {0};
    vdnn_executor_result result;
    make_graph(&f, NULL, 0);
    make_plan(&f, "all");
    open_device(&f);
    wanted_bytes = 0;
    f.plan->steps[find_run(f.plan, "right", VDNN_FORWARD)].algorithm = &fragile;
    assert_ok(create_executor(&f));
    (void)sem_init(&gate, 0, 0);
    is_gated = true;
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        vdnn_executor_begin(f.executor, &f.batch);
    /* Both are enqueued, and the first is still to pass the gate. */
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        (void)sem_post(&gate);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++)
        assert_ok(vdnn_executor_finish(f.executor, &result));
    is_gated = false;
    (void)sem_destroy(&gate);
    tear_down(&f);
}

/* The next batch is there while a kernel of this step has still to pass the gate. */
TEST(the_next_batch_is_loaded_while_a_step_computes)
{
    fixture f = prepare_loading("all", VDNN_LOADS_AHEAD);
    vdnn_executor_result result;
    int32_t load = 0;
    wanted_bytes = 0;
    f.plan->steps[find_run(f.plan, "right", VDNN_FORWARD)].algorithm = &fragile;
    assert_ok(create_executor(&f));
    for (int32_t i = 0; i < f.plan->step_count; i++)
        load = f.plan->steps[i].kind == VDNN_STEP_LOAD ? i : load;
    size_t bytes = f.plan->steps[load].bytes;
    const char *place = vdnn_device_base(f.device, VDNN_TIER_DEVICE);
    place += f.plan->buffers[f.plan->ahead[0]].offset;
    void *next;
    assert_ok(vdnn_device_stage(f.device, bytes, &next));
    memset(next, 0x11, bytes);
    vdnn_executor_batch batch = f.batch;
    batch.inputs[0] = next;
    (void)sem_init(&gate, 0, 0);
    is_gated = true;
    assert_ok(vdnn_executor_preload(f.executor, f.batch.inputs));
    assert_memory_equal(place, f.batch.inputs[0], bytes);
    vdnn_executor_begin(f.executor, &batch);
    vdnn_device_wait(f.device, load);
    assert_memory_equal(place, next, bytes);
    (void)sem_post(&gate);
    assert_ok(vdnn_executor_finish(f.executor, &result));
    is_gated = false;
    (void)sem_destroy(&gate);
    tear_down(&f);
}

TEST(what_cannot_be_enqueued_is_told_when_its_turn_comes)
{
    fixture f = set_up(NULL, 0, "all");
    vdnn_executor_result result;
    int32_t labels[6] = {0};
    double expected = step(&f).loss;
    tear_down(&f);
    f = set_up(NULL, 0, "all");
    vdnn_executor_batch batch = f.batch;
    batch.inputs[1] = labels;
    vdnn_executor_begin(f.executor, &f.batch);
    vdnn_executor_begin(f.executor, &batch);
    assert_ok(vdnn_executor_finish(f.executor, &result));
    assert_true(result.loss == expected);
    assert_status(vdnn_executor_finish(f.executor, &result), VDNN_INTERNAL);
    assert_message("staging");
    vdnn_executor_begin(f.executor, &batch);
    vdnn_executor_begin(f.executor, &f.batch);
    assert_status(vdnn_executor_finish(f.executor, &result), VDNN_INTERNAL);
    assert_int_equal(vdnn_executor_under_way(f.executor), 0);
    (void)step(&f);
    vdnn_executor_begin(f.executor, &f.batch); /* what is under way is completed first */
    tear_down(&f);
}

TEST(a_kernel_that_wants_more_workspace_than_the_plan_lends_is_refused)
{
    fixture f = {0};
    make_graph(&f, NULL, 0);
    make_plan(&f, "base");
    open_device(&f);
    wanted_bytes = (size_t)1 << 40;
    f.plan->steps[find_run(f.plan, "right", VDNN_FORWARD)].algorithm = &fragile;
    assert_status(create_executor(&f), VDNN_INTERNAL);
    assert_message("right");
    assert_message("workspace");
    tear_down(&f);
}

TEST(a_batch_outside_the_staging_blocks_is_refused_and_the_next_step_works)
{
    fixture f = set_up(NULL, 0, "all");
    vdnn_executor_result result;
    int32_t labels[6] = {0};
    vdnn_executor_batch batch = f.batch;
    batch.inputs[1] = labels;
    assert_status(vdnn_executor_step(f.executor, &batch, &result), VDNN_INTERNAL);
    assert_message("staging");
    (void)step(&f);
    tear_down(&f);
}

/* Whoever is told that the batch was taken writes over it at once. */
typedef struct taker {
    float *images;
    int64_t count;
    int calls;
} taker;

static void write_over(void *argument)
{
    taker *t = argument;
    t->calls++;
    for (int64_t i = 0; i < t->count; i++)
        t->images[i] = NAN;
}

TEST(a_batch_is_given_back_once_and_not_before_it_was_loaded)
{
    fixture f = set_up(NULL, 0, "all");
    int64_t count = vdnn_desc_count(&f.graph->tensors[0].desc);
    size_t bytes = (size_t)count * sizeof(float);
    float *images = (float *)(void *)(uintptr_t)f.batch.inputs[0], *kept = malloc(bytes);
    assert_non_null(kept);
    memcpy(kept, images, bytes);
    double expected = step(&f).loss;
    tear_down(&f);

    f = set_up(NULL, 0, "all");
    images = (float *)(void *)(uintptr_t)f.batch.inputs[0];
    taker t = {.images = images, .count = count};
    vdnn_executor_batch batch = f.batch;
    vdnn_executor_result result;
    batch.taken = write_over;
    batch.argument = &t;
    assert_ok(vdnn_executor_step(f.executor, &batch, &result));
    assert_true(result.loss == expected);
    assert_int_equal(t.calls, 1);

    memcpy(images, kept, bytes);
    int32_t labels[6] = {0};
    batch.inputs[1] = labels; /* no staging block: it cannot be enqueued */
    assert_status(vdnn_executor_step(f.executor, &batch, &result), VDNN_INTERNAL);
    assert_int_equal(t.calls, 2);
    free(kept);
    tear_down(&f);
}

/* What is taken of a step is the next one's batch. */
TEST(a_batch_that_is_loaded_ahead_is_given_back_once_and_not_before)
{
    vdnn_executor_result result;
    fixture f = set_up(NULL, 0, "all");
    (void)step(&f);
    double expected = step(&f).loss;
    tear_down(&f);

    f = set_up_ahead("all");
    taker t = {.images = (float *)(void *)(uintptr_t)f.batch.inputs[0],
               .count = vdnn_desc_count(&f.graph->tensors[0].desc)};
    vdnn_executor_batch batch = f.batch;
    batch.taken = write_over;
    batch.argument = &t;
    assert_ok(vdnn_executor_preload(f.executor, batch.inputs));
    vdnn_executor_begin(f.executor, &batch);
    assert_ok(vdnn_executor_finish(f.executor, &result));
    assert_int_equal(t.calls, 1);
    batch.inputs[0] = NULL;
    batch.context.step = 1;
    vdnn_executor_begin(f.executor, &batch);
    assert_ok(vdnn_executor_finish(f.executor, &result));
    assert_true(result.loss == expected);
    assert_int_equal(t.calls, 2);
    tear_down(&f);
}

TEST(creation_survives_every_failed_allocation_and_leaks_nothing)
{
    fixture f = {0};
    make_graph(&f, NULL, 0);
    make_plan(&f, "all");
    open_device(&f);
    size_t before = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    size_t stride = 100 / (size_t)vdnn_test_count(100);
    for (size_t n = 1 + vdnn_test_seed() % stride; status != VDNN_OK; n += stride) {
        vdnn_heap_fail_after(n);
        status = create_executor(&f);
        vdnn_heap_fail_after(0);
        if (status != VDNN_OK) {
            assert_status(status, VDNN_NO_MEMORY);
            assert_null(f.executor);
            /* The device keeps the events that it grew. */
            assert_int_equal(vdnn_heap_live_count(), before);
        }
        assert_true(n < 10000);
    }
    (void)step(&f);
    vdnn_executor_destroy(f.executor);
    f.executor = NULL;
    assert_int_equal(vdnn_heap_live_count(), before);
    vdnn_executor_destroy(NULL);
    tear_down(&f);
}

/* ---- verification ---------------------------------------------------------------------------- */

enum { VERIFY_STEPS = 3, MAX_RETURNS = 16 };

/* The layers whose buffers are prefetched in a step, in order. */
static struct {
    char names[MAX_RETURNS][32];
    size_t count;
} coming_back;

static void note_returns(const vdnn_plan *plan)
{
    coming_back.count = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_COPY_IN) {
            assert_true(coming_back.count < MAX_RETURNS);
            (void)snprintf(coming_back.names[coming_back.count++], sizeof *coming_back.names, "%s",
                           plan->steps[i].label);
        }
}

/* Runs some steps with every copy checked, under a fault; how far it came is in *done. */
static vdnn_status run_verified(const vdnn_test_device_fault *fault, int *done)
{
    vdnn_test_device_begin(fault);
    fixture f = set_up(NULL, 0, "all");
    assert_ok(vdnn_executor_verify(f.executor));
    note_returns(f.plan);
    vdnn_status status = VDNN_OK;
    for (*done = 0; *done < VERIFY_STEPS && status == VDNN_OK; ++*done) {
        vdnn_executor_result result;
        f.batch.context.step = (uint64_t)*done;
        status = vdnn_executor_step(f.executor, &f.batch, &result);
        if (status == VDNN_OK)
            assert_true(result.offload_bytes > 0);
    }
    *done -= status != VDNN_OK;
    tear_down(&f);
    (void)vdnn_test_device_end();
    return status;
}

/* True when the flip was caught in the step and at the layer where it happened. */
static bool catches(const vdnn_test_device_fault *fault)
{
    int done;
    if (run_verified(fault, &done) != VDNN_MISMATCH)
        return false;
    size_t at = fault->flip_nth - 1;
    assert_int_equal(done, at / coming_back.count);
    char place[64];
    (void)snprintf(place, sizeof place, "step %d, layer '%s'", done + 1,
                   coming_back.names[at % coming_back.count]);
    assert_message(place);
    assert_message("the host tier does not hold what was copied there");
    return true;
}

TEST(a_flipped_bit_in_the_host_tier_is_caught)
{
    int done;
    vdnn_test_device_fault fault = {0};
    assert_ok(run_verified(&fault, &done));
    assert_int_equal(done, VERIFY_STEPS);
    size_t returns = vdnn_test_device_returns();
    assert_true(coming_back.count >= 2);
    assert_int_equal(returns, VERIFY_STEPS * coming_back.count);
    /* In every copy of every step; at both ends and inside of the buffer; in the lowest and the
     * highest bit. */
    for (fault.flip_nth = 1; fault.flip_nth <= returns; fault.flip_nth++) {
        static const long bytes[] = {0, 100, -1};
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
            fault.flip_byte = bytes[i];
            fault.flip_bit = fault.flip_nth % 2 == 0 ? 0 : 7;
            assert_true(catches(&fault));
        }
    }
}

/* What the test above would say of a check that checks nothing. */
TEST(a_check_left_out_catches_nothing)
{
    vdnn_test_device_fault fault = {.flip_nth = 1, .flip_byte = 0, .skips_checks = true};
    assert_false(catches(&fault));
}

TEST(checked_copies_change_no_weight)
{
    uint64_t sums[2] = {0, 0};
    for (int checked = 0; checked < 2; checked++) {
        fixture f = set_up(NULL, 0, "all");
        if (checked)
            assert_ok(vdnn_executor_verify(f.executor));
        for (int i = 0; i < VERIFY_STEPS; i++)
            (void)step(&f);
        const vdnn_buffer *last = &f.plan->buffers[f.plan->param_buffer[0]];
        const unsigned char *base = vdnn_device_base(f.device, VDNN_TIER_DEVICE);
        for (size_t i = 0; i < last->bytes; i++)
            sums[checked] = 31 * sums[checked] + base[last->offset + i];
        tear_down(&f);
    }
    assert_int_equal(sums[0], sums[1]);
}
