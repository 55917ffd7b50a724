#include "layers/stage.h"
#include "policies/registry.h"
#include "runtime/base/heap.h"
#include "runtime/exec/executor.h"
#include "runtime/exec/redzone.h"
#include "runtime/planner/planner.h"
#include "tests/support/policy_ask.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/token_network.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

/* Offloading never changes a bit: whatever the policy, the budget, the rules, the optimizer and
 * clipping, training ends with the weights that base gets with the same algorithms. Memory is
 * poisoned before each training, so that a plan that reads memory it did not write ends with NaN.
 * Of every second network base is trained as it is, and the others in guarded memory, which nobody
 * may write beyond.
 */

enum { THREADS = 2, STEPS = 3, BUDGETS = 5, LADDER = 12, POISON = 0xff };

/* The largest first weight. Deep networks with wide layers overflow with the larger one. */
static const float RANDOM_SCALE = 0.4F, DEEP_SCALE = 0.03F;

typedef struct outcome {
    float *weights; /* all parameter blocks, in the order of the layers; owned */
    double losses[STEPS];
} outcome;

/* How a plan is run. Where both copy streams are joined at each layer, as the rules of the paper
 * have it, the live peaks must be the planned ones. */
typedef enum manner { BY_NEED, JOINED, GUARDED } manner;

typedef const vdnn_algorithm *algorithms[VDNN_PASS_COUNT];

typedef struct bench {
    vdnn_device *device;
    uint64_t seed;
    vdnn_test_rng rng;
    vdnn_graph *graph;
    vdnn_profile *profile;
    void *inputs[VDNN_INPUTS_MAX]; /* staging blocks, per input of the graph */
    int32_t first_label;
    size_t weight_floats;
    float weight_scale;
    outcome base; /* of the last training under base, with these algorithms */
    algorithms *base_algorithms;
} bench;

/* ---- setting up ------------------------------------------------------------------------------ */

static int open_device(void **state)
{
    static bench b;
    const vdnn_device_options options = {
        .threads = THREADS, .event_count = 4096, .folders = {[VDNN_TIER_FILE] = "/tmp"}};
    assert_ok(vdnn_device_open("cpu", &options, &b.device));
    *state = &b;
    return 0;
}

static int close_device(void **state)
{
    vdnn_device_close(((bench *)*state)->device);
    return 0;
}

static float draw_float(vdnn_test_rng *rng, float scale)
{
    return scale * (float)vdnn_test_between(rng, -1000, 1000) / 1000;
}

/* Element `i` of an input: a number, or of tokens one that follows from it. */
static void put_element(const bench *b, int32_t input, int64_t i, float value)
{
    const vdnn_desc *desc = &b->graph->inputs[input].desc;
    if (vdnn_desc_is_integer(desc))
        ((int32_t *)b->inputs[input])[i] = (int32_t)(lrintf(1000 * fabsf(value)) % desc->below);
    else
        vdnn_stage_narrow(desc->dtype, &value,
                          (char *)b->inputs[input] + (size_t)i * vdnn_dtype_bytes(desc->dtype), 1);
}

static int64_t count_elements(const bench *b, int32_t input)
{
    return b->graph->batch * vdnn_desc_per_sample(&b->graph->inputs[input].desc);
}

static int32_t *labels_of(const bench *b)
{
    return b->inputs[vdnn_graph_labels_row(b->graph)];
}

static void fill_labels(bench *b)
{
    int32_t *labels = labels_of(b);
    for (int64_t i = 0; i < count_elements(b, vdnn_graph_labels_row(b->graph)); i++)
        labels[i] = (int32_t)(b->graph->ignored != VDNN_NO_LABEL && i % 5 == 3
                                  ? b->graph->ignored
                                  : vdnn_test_between(&b->rng, 0, b->graph->classes - 1));
    b->first_label = labels[0];
}

/* Fills what a network is trained with; the graph is there. */
static void begin_network(bench *b, uint64_t seed, bool guarded)
{
    b->seed = seed;
    b->graph->zone_bytes = guarded ? VDNN_REDZONE_BYTES : 0;
    assert_ok(vdnn_test_profile_of(b->graph, VDNN_TEST_ROWS_REAL, &b->profile));
    b->profile->has_link = seed / 2 % 2 == 0; /* then policies' plans load ahead */
    b->rng = (vdnn_test_rng){seed};
    for (int32_t i = 0; i < b->graph->input_count; i++)
        assert_ok(vdnn_device_stage(b->device, vdnn_graph_batch_bytes(b->graph, i), &b->inputs[i]));
    for (int32_t i = 0; i < vdnn_graph_labels_row(b->graph); i++)
        for (int64_t k = 0; k < count_elements(b, i); k++)
            put_element(b, i, k, draw_float(&b->rng, 1));
    fill_labels(b);
    b->weight_floats = vdnn_graph_param_bytes(b->graph) / sizeof(float);
    b->weight_scale = RANDOM_SCALE;
}

typedef vdnn_random_model drawing(uint64_t seed);

static void begin_random_network(bench *b, drawing *draw, uint64_t seed, vdnn_rules rules)
{
    vdnn_random_model request = draw(seed);
    request.layers = 3 + request.layers / 2;
    assert_ok(vdnn_random_model_graph(&request, rules, &b->graph));
    begin_network(b, seed, seed % 2 != 0);
}

static void begin_named_network(bench *b, const char *path, int64_t batch, vdnn_rules rules,
                                vdnn_dtype dtype, bool guarded)
{
    const vdnn_graph_options options = {.batch = batch,
                                        .rules = rules,
                                        .dtype = dtype,
                                        .preferred = vdnn_device_preferred_layout("cpu")};
    vdnn_model *model;
    assert_ok(vdnn_model_read(path, &model));
    assert_ok(vdnn_graph_create(model, &options, &b->graph));
    vdnn_model_destroy(model);
    begin_network(b, vdnn_test_seed(), guarded);
    b->weight_scale = DEEP_SCALE;
}

static void end_network(bench *b)
{
    for (int32_t i = 0; i < b->graph->input_count; i++)
        vdnn_device_unstage(b->device, b->inputs[i]);
    vdnn_heap_free(b->base.weights);
    vdnn_heap_free(b->base_algorithms);
    b->base.weights = NULL;
    b->base_algorithms = NULL;
    vdnn_profile_destroy(b->profile);
    vdnn_graph_destroy(b->graph);
}

/* ---- training -------------------------------------------------------------------------------- */

static void *allocate(size_t bytes)
{
    void *block = vdnn_heap_calloc(bytes + 1, 1);
    assert_non_null(block);
    return block;
}

static void poison(bench *b, const vdnn_plan *plan)
{
    assert_ok(vdnn_device_reserve(b->device, VDNN_TIER_DEVICE, plan->span_bytes[VDNN_TIER_DEVICE]));
    assert_ok(vdnn_device_reserve(b->device, VDNN_TIER_HOST, plan->span_bytes[VDNN_TIER_HOST]));
    assert_ok(vdnn_device_reserve(b->device, VDNN_TIER_FILE, plan->span_bytes[VDNN_TIER_FILE]));
    memset(vdnn_device_base(b->device, VDNN_TIER_DEVICE), POISON,
           plan->span_bytes[VDNN_TIER_DEVICE]);
    if (plan->span_bytes[VDNN_TIER_HOST] > 0)
        memset(vdnn_device_base(b->device, VDNN_TIER_HOST), POISON,
               plan->span_bytes[VDNN_TIER_HOST]);
}

/* The same first weights whatever the plan, and nothing in the optimizer's slots. */
static void write_weights(bench *b, const vdnn_plan *plan)
{
    vdnn_test_rng rng = {b->seed ^ 0xbeef};
    float *block =
        allocate(vdnn_graph_param_bytes(b->graph) + vdnn_graph_all_state_bytes(b->graph));
    for (int32_t l = 0; l < b->graph->layer_count; l++) {
        const vdnn_layer *layer = &b->graph->layers[l];
        if (layer->param_bytes == 0 || layer->owner != l)
            continue;
        const vdnn_buffer *w = &plan->buffers[plan->param_buffer[l]];
        if (layer->trainable_bytes > 0) {
            const vdnn_buffer *state = &plan->buffers[plan->state_buffer[l]];
            memset(block, 0, state->bytes);
            assert_ok(
                vdnn_device_write(b->device, state->tier, state->offset, block, state->bytes));
        }
        for (size_t i = 0; i < layer->param_bytes / sizeof(float); i++)
            block[i] = draw_float(&rng, b->weight_scale);
        assert_ok(vdnn_device_write(b->device, w->tier, w->offset, block, layer->param_bytes));
    }
    vdnn_heap_free(block);
}

static void read_weights(bench *b, const vdnn_plan *plan, float *weights)
{
    for (int32_t l = 0; l < b->graph->layer_count; l++) {
        const size_t bytes = b->graph->layers[l].param_bytes;
        if (bytes == 0 || b->graph->layers[l].owner != l)
            continue;
        const vdnn_buffer *w = &plan->buffers[plan->param_buffer[l]];
        assert_ok(vdnn_device_read(b->device, weights, w->tier, w->offset, bytes));
        weights += bytes / sizeof(float);
    }
}

/* Operations go up to the zone behind the last buffer and what aligns it, guards to the zone's end.
 */
static void expect_high_water(const bench *b, const vdnn_plan *plan, bool guarded)
{
    const size_t *spans = plan->span_bytes;
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++) {
        size_t high = vdnn_device_high_water(b->device, (vdnn_tier)tier),
               zone = b->graph->zone_bytes;
        if (zone == 0 || spans[tier] == 0 || (guarded && tier == VDNN_TIER_DEVICE))
            assert_int_equal(high, spans[tier]);
        else
            assert_true(spans[tier] - zone - high < VDNN_ALIGNMENT);
    }
}

/* Each step has a batch of its own: another first element of each input, another first label. */
static void fill_batch(const bench *b, uint64_t step)
{
    for (int32_t i = 0; i < vdnn_graph_labels_row(b->graph); i++)
        put_element(b, i, 0, 0.25F * (float)(step + 1));
    labels_of(b)[0] = (int32_t)((b->first_label + (int64_t)step) % b->graph->classes);
}

/* The batch of a step, or where the plan loads ahead that of the next one, of which the last step
 * has none. */
static vdnn_executor_batch batch_of(const bench *b, const vdnn_plan *plan, uint64_t step)
{
    vdnn_executor_batch batch = {.context = {.seed = b->seed,
                                             .step = step,
                                             .first_sample = step * (uint64_t)b->graph->batch,
                                             .settings = b->graph->training.settings}};
    batch.context.settings.lr = 0.01;
    const uint64_t loaded = step + vdnn_plan_loads_ahead(plan);
    if (loaded == STEPS)
        return batch;
    fill_batch(b, loaded);
    memcpy(batch.inputs, b->inputs, sizeof batch.inputs);
    return batch;
}

/* Device bytes whose life a copy begins or ends: a busy machine may copy in later, and an idle one
 * out earlier, than the plan counts them. */
static size_t bytes_by_copies(const vdnn_plan *plan)
{
    size_t bytes = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        const bool is_by_compute = plan->steps[buffer->first_step].stream == VDNN_STREAM_COMPUTE &&
                                   plan->steps[buffer->last_step].stream == VDNN_STREAM_COMPUTE;
        const bool is_result = buffer->class == VDNN_CLASS_RESULT; /* held, but stored before */
        if (buffer->tier == VDNN_TIER_DEVICE && (!is_by_compute || is_result))
            bytes += buffer->bytes;
    }
    return bytes;
}

static void run_steps(bench *b, const vdnn_plan *plan, manner how, outcome *out)
{
    vdnn_executor *executor;
    assert_ok(vdnn_executor_create(plan, b->device, plan->span_bytes, &executor));
    if (how == GUARDED)
        assert_ok(vdnn_executor_guard(executor));
    vdnn_device_reset_high_water(b->device);
    const size_t tiers = vdnn_device_allocation_count(b->device), heap = vdnn_heap_call_count();
    for (uint64_t s = 0; s < STEPS; s++) {
        if (vdnn_executor_needs_batch(executor)) {
            fill_batch(b, s);
            assert_ok(vdnn_executor_preload(executor, (const void *const *)b->inputs));
        }
        const vdnn_executor_batch batch = batch_of(b, plan, s);
        vdnn_executor_result result;
        vdnn_executor_begin(executor, &batch);
        assert_ok(vdnn_executor_finish(executor, &result));
        out->losses[s] = result.loss;
        assert_int_equal(result.offload_bytes, plan->offload_bytes);
        assert_int_equal(result.prefetch_bytes, plan->prefetch_bytes);
        assert_true(result.live_peak_bytes[VDNN_TIER_DEVICE] <= plan->peak_bytes[VDNN_TIER_DEVICE]);
        assert_true(result.live_peak_bytes[VDNN_TIER_HOST] <= plan->peak_bytes[VDNN_TIER_HOST]);
        if (how != JOINED)
            continue;
        const size_t peak = plan->peak_bytes[VDNN_TIER_DEVICE], loose = bytes_by_copies(plan);
        assert_in_range(result.live_peak_bytes[VDNN_TIER_DEVICE], loose < peak ? peak - loose : 0,
                        peak);
        assert_int_equal(result.live_peak_bytes[VDNN_TIER_HOST], plan->peak_bytes[VDNN_TIER_HOST]);
    }
    assert_int_equal(vdnn_device_allocation_count(b->device), tiers);
    assert_int_equal(vdnn_heap_call_count(), heap);
    expect_high_water(b, plan, how == GUARDED);
    vdnn_executor_destroy(executor);
}

static manner manner_of(const bench *b)
{
    return b->graph->rules == VDNN_RULES_PAPER ? JOINED : BY_NEED;
}

static outcome train(bench *b, const vdnn_plan *plan, manner how)
{
    outcome out = {.weights = allocate(b->weight_floats * sizeof(float))};
    poison(b, plan);
    write_weights(b, plan);
    run_steps(b, plan, how, &out);
    read_weights(b, plan, out.weights);
    return out;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Base with the algorithms of another plan, but without recomputing. */
static vdnn_plan *plan_base_like(const bench *b, const vdnn_plan *plan)
{
    const vdnn_policy_ask ask = {
        .graph = b->graph, .profile = b->profile, .budget_bytes = {SIZE_MAX, SIZE_MAX}};
    const vdnn_policy_request request = {.planning = vdnn_policy_ask_planning(&ask),
                                         .algo = VDNN_ALGO_M};
    vdnn_decisions decisions;
    vdnn_plan *base;
    assert_non_null(request.planning);
    assert_ok(vdnn_policy_find("base")->decide(&request, &decisions));
    vdnn_planning_destroy(request.planning);
    for (int32_t l = 0; l < b->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (plan->algorithms[l][p] != NULL)
                decisions.choice[l][p] =
                    vdnn_profile_find(b->profile, l, (vdnn_pass)p, plan->algorithms[l][p]->name);
    for (int32_t m = 0; m < decisions.map_count; m++)
        if (decisions.maps[m].action == VDNN_RECOMPUTE)
            decisions.maps[m].action = VDNN_KEEP;
    assert_ok(vdnn_planner_plan(b->graph, b->profile, &decisions, &base));
    vdnn_decisions_fini(&decisions);
    return base;
}

/* Trains under base with the algorithms of another plan, unless that was done last. */
static void train_base_like(bench *b, const vdnn_plan *plan)
{
    const size_t bytes = (size_t)b->graph->layer_count * sizeof *b->base_algorithms;
    if (b->base_algorithms != NULL && memcmp(b->base_algorithms, plan->algorithms, bytes) == 0)
        return;
    vdnn_heap_free(b->base.weights);
    vdnn_heap_free(b->base_algorithms);
    vdnn_plan *base = plan_base_like(b, plan);
    b->base = train(b, base, manner_of(b));
    b->base_algorithms = allocate(bytes);
    memcpy(b->base_algorithms, base->algorithms, bytes);
    vdnn_plan_destroy(base);
}

static bool same_bits(const bench *b, const outcome *x, const outcome *y)
{
    for (size_t i = 0; i < b->weight_floats; i++)
        if (!isfinite(x->weights[i]) ||
            memcmp(&x->weights[i], &y->weights[i], sizeof(float)) != 0) {
            print_error("weight %zu of %zu: %a and %a\n", i, b->weight_floats,
                        (double)x->weights[i], (double)y->weights[i]);
            return false;
        }
    return memcmp(x->losses, y->losses, sizeof x->losses) == 0;
}

static void compare_with_base(bench *b, const vdnn_plan *plan, manner how)
{
    train_base_like(b, plan);
    outcome found = train(b, plan, b->graph->zone_bytes > 0 ? GUARDED : how);
    if (!same_bits(b, &b->base, &found)) {
        print_error("seed %llu, policy %s %s, arena of %zu bytes: other bits than base\n",
                    (unsigned long long)b->seed, plan->policy, plan->algo,
                    plan->span_bytes[VDNN_TIER_DEVICE]);
        fail();
    }
    vdnn_heap_free(found.weights);
}

/* Budgets that give distinct plans, from ample down: each is what the plan under one byte less than
 * the last one needs. Ends with the smallest that the policy names; a plan can be packed into less
 * than that by luck, but the policy does not promise to find it again. Returns how many. */
static int distinct_budgets(const bench *b, const vdnn_policy *policy, vdnn_algo_mode algo,
                            size_t budgets[LADDER])
{
    vdnn_policy_ask request = {
        .graph = b->graph, .profile = b->profile, .algo = algo, .budget_bytes = {64, SIZE_MAX}};
    vdnn_plan *plan;
    assert_status(vdnn_policy_ask_plan(policy, &request, &plan, NULL), VDNN_NO_FIT);
    const size_t smallest = plan->span_bytes[VDNN_TIER_DEVICE];
    vdnn_plan_destroy(plan);
    int count = 0;
    for (size_t budget = SIZE_MAX; budget >= smallest && count < LADDER - 1;) {
        request.budget_bytes[VDNN_TIER_DEVICE] = budget;
        assert_ok(vdnn_policy_ask_plan(policy, &request, &plan, NULL));
        if (plan->span_bytes[VDNN_TIER_DEVICE] > smallest)
            budgets[count++] = plan->span_bytes[VDNN_TIER_DEVICE];
        budget = plan->span_bytes[VDNN_TIER_DEVICE] - 1;
        vdnn_plan_destroy(plan);
    }
    budgets[count++] = smallest;
    return count;
}

/* A policy at up to `most` of its distinct budgets, the largest and the smallest among them. */
static int compare_policy(bench *b, const vdnn_policy *policy, vdnn_algo_mode algo, int most)
{
    size_t budgets[LADDER] = {0};
    const int count = distinct_budgets(b, policy, algo, budgets),
              used = count < most ? count : most;
    for (int k = 0; k < used; k++) {
        const int pick = used == 1 ? count - 1 : k * (count - 1) / (used - 1);
        const vdnn_policy_ask request = {.graph = b->graph,
                                         .profile = b->profile,
                                         .algo = algo,
                                         .budget_bytes = {budgets[pick], SIZE_MAX}};
        vdnn_plan *plan;
        assert_ok(vdnn_policy_ask_plan(policy, &request, &plan, NULL));
        compare_with_base(b, plan, manner_of(b));
        vdnn_plan_destroy(plan);
    }
    return used;
}

static int compare_policies(bench *b, vdnn_algo_mode algo, int most)
{
    int plans = 0;
    for (size_t p = 0; p < vdnn_policy_count(); p++)
        plans += compare_policy(b, vdnn_policy_at(p), algo, most);
    return plans;
}

static void compare_networks(bench *b, drawing *draw)
{
    int plans = 0, networks = vdnn_test_count(200);
    for (int n = 0; n < networks; n++)
        for (int rules = VDNN_RULES_PAPER; rules <= VDNN_RULES_LEAN; rules++) {
            begin_random_network(b, draw, vdnn_test_seed() + (uint64_t)n, (vdnn_rules)rules);
            plans += compare_policies(b, (vdnn_algo_mode)(n % 2), BUDGETS);
            end_network(b);
        }
    print_message("%d distinct plans of %d networks under two rule sets\n", plans, networks);
}

static void every_policy_gives_the_same_bits_as_base(void **state)
{
    compare_networks(*state, vdnn_random_model_small);
}

static void every_policy_gives_the_same_bits_over_sequences(void **state)
{
    compare_networks(*state, vdnn_random_model_sequence);
}

/* By bits: the paper's rules, bf16. */
enum {
    EVERY_VARIANT = -1,
    LEAN_F32 = 0,
    PAPER_F32 = 1,
    LEAN_BF16 = 2,
    VARIANTS = 4,
    NONE = VARIANTS
};

/* The whole count takes every network under both rule sets and in both data types, a short run the
 * first one so and a small one in bf16, which processors without AVX-512 emulate. Under the thread
 * sanitizer, where kernels have one thread, the first is enough. */
static void every_network_trains_to_the_same_bits(void **state)
{
    static const struct {
        const char *path;
        int64_t batch;
        int in_short_runs;
    } cases[] = {{"models/lenet.yaml", 8, EVERY_VARIANT}, {"models/alexnet.yaml", 2, NONE},
                 {"models/googlenet.yaml", 2, NONE},      {"models/cifar_cnn.yaml", 4, LEAN_BF16},
                 {"models/squeezenet.yaml", 2, NONE},     {"models/resnet50.yaml", 2, NONE},
                 {"models/densenet121.yaml", 2, NONE},    {"models/inception_v3.yaml", 2, NONE},
                 {"models/vgg16.yaml", 1, NONE},          {"models/overfeat.yaml", 1, NONE}};
#ifdef __SANITIZE_THREAD__
    enum { CASES = 1 };
#else
    enum { CASES = sizeof cases / sizeof *cases };
#endif
    bench *b = *state;
    const bool whole = vdnn_test_count(100) == 100;
    for (size_t i = 0; i < CASES; i++)
        for (int variant = 0; variant < VARIANTS; variant++) {
            const int wanted = whole ? EVERY_VARIANT : cases[i].in_short_runs;
            vdnn_rules rules = variant & PAPER_F32 ? VDNN_RULES_PAPER : VDNN_RULES_LEAN;
            vdnn_dtype dtype = variant & LEAN_BF16 ? VDNN_BF16 : VDNN_F32;
            if (wanted != EVERY_VARIANT && wanted != variant)
                continue;
            begin_named_network(b, cases[i].path, cases[i].batch, rules, dtype,
                                ((size_t)variant + i / 2) % 2 == 1);
            const int plans = compare_policies(b, VDNN_ALGO_P, i == 0 ? BUDGETS : whole ? 2 : 1);
            print_message("%s, %s, %s: %d distinct plans\n", cases[i].path, vdnn_dtype_text(dtype),
                          rules == VDNN_RULES_LEAN ? "lean" : "paper", plans);
            end_network(b);
        }
}

static void compare_variants(bench *b, const char *text)
{
    vdnn_model *model = NULL;
    assert_ok(vdnn_model_parse(text, strlen(text), "tokens.yaml", &model));
    for (int variant = 0; variant < VARIANTS; variant++) {
        const vdnn_graph_options options = {.micro_batches = 1 + variant / 2 * 2,
                                            .rules = variant & PAPER_F32 ? VDNN_RULES_PAPER
                                                                         : VDNN_RULES_LEAN,
                                            .dtype = variant & LEAN_BF16 ? VDNN_BF16 : VDNN_F32,
                                            .preferred = vdnn_device_preferred_layout("cpu")};
        assert_ok(vdnn_graph_create(model, &options, &b->graph));
        begin_network(b, vdnn_test_seed() + (uint64_t)variant, variant % 2 == 1);
        const int plans = compare_policies(b, VDNN_ALGO_P, BUDGETS);
        print_message("%s, variant %d: %d distinct plans\n", b->graph->name, variant, plans);
        end_network(b);
    }
    vdnn_model_destroy(model);
}

static void networks_of_tokens_train_to_the_same_bits(void **state)
{
    compare_variants(*state, vdnn_token_network);
    compare_variants(*state, vdnn_position_network);
    compare_variants(*state, vdnn_tied_network);
}

/* ---- pools before ReLUs ---------------------------------------------------------------------- */

/* Windows that overlap, go beyond the map, and lie behind a batch norm; what the second of them
 * makes is read twice. */
static const char pools[] = "name: pools\n"
                            "input: {channels: 3, height: 23, width: 21}\n"
                            "classes: 5\n"
                            "batch: 3\n"
                            "layers:\n"
                            "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                            "  - {name: relu1, type: relu}\n"
                            "  - {name: pool1, type: maxpool, kernel: 3, stride: 2, ceil: true}\n"
                            "  - {name: conv2, type: conv, out: 12, kernel: 3, pad: 1}\n"
                            "  - {name: norm2, type: batchnorm}\n"
                            "  - {name: relu2, type: relu}\n"
                            "  - {name: pool2, type: maxpool, kernel: 3, stride: 1, pad: 1}\n"
                            "  - {name: conv3, type: conv, out: 12, kernel: 3, pad: 1}\n"
                            "  - {name: sum, type: add, from: [conv3, pool2]}\n"
                            "  - {name: relu3, type: relu}\n"
                            "  - {name: pool3, type: maxpool, kernel: 2}\n"
                            "  - {name: fc, type: fc, out: 5}\n"
                            "  - {name: loss, type: softmax_loss}\n";

/* Under base, with max pools before the ReLUs in front of them or behind. */
static outcome train_in_order(bench *b, const vdnn_model *model, vdnn_dtype dtype, bool pools_first)
{
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN,
                                        .dtype = dtype,
                                        .preferred = vdnn_device_preferred_layout("cpu"),
                                        .pools_first = pools_first};
    vdnn_plan *plan;
    assert_ok(vdnn_graph_create(model, &options, &b->graph));
    begin_network(b, vdnn_test_seed(), false);
    const vdnn_policy_ask request = {.graph = b->graph,
                                     .profile = b->profile,
                                     .algo = VDNN_ALGO_M,
                                     .budget_bytes = {SIZE_MAX, SIZE_MAX}};
    assert_ok(vdnn_policy_ask_plan(vdnn_policy_find("base"), &request, &plan, NULL));
    const outcome found = train(b, plan, manner_of(b));
    vdnn_plan_destroy(plan);
    end_network(b);
    return found;
}

static void compare_orders(bench *b, vdnn_model *model, vdnn_dtype dtype)
{
    outcome behind = train_in_order(b, model, dtype, false),
            first = train_in_order(b, model, dtype, true);
    assert_true(same_bits(b, &behind, &first));
    vdnn_heap_free(behind.weights);
    vdnn_heap_free(first.weights);
}

static void pools_before_relus_give_the_same_bits(void **state)
{
    static const char *const paths[] = {"models/lenet.yaml", "models/cifar_cnn.yaml"};
    for (int narrow = 0; narrow < 2; narrow++) {
        const vdnn_dtype dtype = narrow ? VDNN_BF16 : VDNN_F32;
        vdnn_model *model;
        assert_ok(vdnn_model_parse(pools, strlen(pools), "pools.yaml", &model));
        compare_orders(*state, model, dtype);
        vdnn_model_destroy(model);
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            assert_ok(vdnn_model_read(paths[i], &model));
            compare_orders(*state, model, dtype);
            vdnn_model_destroy(model);
        }
    }
}

static void any_legal_decisions_give_the_same_bits_as_base(void **state)
{
    bench *b = *state;
    for (int n = 0; n < vdnn_test_count(2000); n++) {
        begin_random_network(b, vdnn_random_model_small, vdnn_test_seed() + (uint64_t)n,
                             (vdnn_rules)(n % 2));
        for (int k = 0; k < 3; k++) {
            vdnn_decisions decisions;
            vdnn_plan *plan;
            assert_ok(vdnn_random_decisions(b->graph, b->profile, &b->rng, &decisions));
            assert_ok(vdnn_planner_plan(b->graph, b->profile, &decisions, &plan));
            compare_with_base(b, plan, BY_NEED);
            vdnn_plan_destroy(plan);
            vdnn_decisions_fini(&decisions);
        }
        end_network(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_gives_the_same_bits_as_base),
        cmocka_unit_test(every_policy_gives_the_same_bits_over_sequences),
        cmocka_unit_test(every_network_trains_to_the_same_bits),
        cmocka_unit_test(networks_of_tokens_train_to_the_same_bits),
        cmocka_unit_test(any_legal_decisions_give_the_same_bits_as_base),
        cmocka_unit_test(pools_before_relus_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
