/* Several devices that share each batch: their arithmetic against that of one device with all of
 * it, under every kind of plan, and broken plans. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/plan_edit.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/training_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

#define HEAD                                                                                       \
    "name: shared\n"                                                                               \
    "input: {channels: 2, height: 10, width: 10}\n"                                                \
    "classes: 4\n"                                                                                 \
    "batch: 7\n"                                                                                   \
    "layers:\n"                                                                                    \
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1}\n"
#define BODY                                                                                       \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: pool1, type: maxpool, kernel: 2}\n"                                                \
    "  - {name: left, type: conv, out: 5, kernel: 1}\n"                                            \
    "  - {name: right, type: conv, out: 5, kernel: 3, pad: 1, from: pool1}\n"                      \
    "  - {name: both, type: add, from: [left, right]}\n"                                           \
    "  - {name: drop, type: dropout, p: 0.4}\n"                                                    \
    "  - {name: fc, type: fc, out: 4}\n"

#define NORMS(second)                                                                              \
    "  - {name: norm1, type: batchnorm, sync: true}\n"                                             \
    "  - {name: middle, type: conv, out: 6, kernel: 3, pad: 1}\n"                                  \
    "  - {name: norm2, type: batchnorm, sync: " second "}\n"

/* Random numbers, a fork; labels that do not count; gradients that are clipped; statistics; layers
 * that share a weight. */
static const char plain[] = HEAD BODY "  - {name: loss, type: softmax_loss}\n",
                  ignoring[] = HEAD BODY "  - {name: loss, type: softmax_loss, ignore: 3}\n",
                  clipped[] = HEAD BODY "  - {name: loss, type: softmax_loss}\n"
                                        "training: {lr: 0.1, clip_norm: 0.5}\n",
                  normal[] = HEAD "  - {name: norm1, type: batchnorm}\n" BODY
                                  "  - {name: loss, type: softmax_loss}\n",
                  synced[] = HEAD NORMS("true") BODY "  - {name: loss, type: softmax_loss}\n",
                  half_synced[] = HEAD NORMS("false") BODY "  - {name: loss, type: softmax_loss}\n",
                  tied[] = HEAD "  - {name: mix1, type: conv, out: 6, kernel: 3, pad: 1}\n"
                                "  - {name: relu2, type: relu}\n"
                                "  - {name: mix2, type: conv, out: 6, kernel: 3, pad: 1,"
                                " weight_of: mix1, bias: false}\n" BODY
                                "  - {name: loss, type: softmax_loss}\n";

/* Parts of the samples and of the channels; the smallest share has one sample. */
static const char in_parts[] =
    "name: shared\n"
    "input: {channels: 2, height: 10, width: 10}\n"
    "classes: 4\n"
    "batch: 7\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 6, kernel: 3, pad: 1, parts: {channels: 2}}\n"
    "  - {name: relu1, type: relu, parts: {channels: 3}}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1, parts: {samples: 1, channels: 2}}\n"
    "  - {name: fc, type: fc, out: 4, parts: {channels: 2}}\n"
    "  - {name: loss, type: softmax_loss}\n";

enum { BATCH = 7, MOST_DEVICES = 4, STEPS = 3, RANDOM_NETWORKS = 200 };

/* What the decisions are: KEEP and BUCKETS keep all on the device. */
typedef enum manner {
    KEEP,
    BUCKETS,
    BY_NEED,
    EACH_LAYER,
    AWAY,
    LEAVING,
    BUCKETS_AWAY,
    BUCKETS_LEAVING,
    MANNERS
} manner;

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct device {
    vdnn_training_case c;
    vdnn_group *end;
    int64_t first; /* sample of a batch */
    double loss;   /* of the last step, its part */
} device;

/* How the gradients of the next devices are summed, and whether each updates its share alone. */
static vdnn_reduce_scheme scheme;
static bool shards;
static const vdnn_optimizer *optimizer; /* NULL: the network's */

static void shape(device *d, const char *text, int32_t devices, int32_t number, int32_t micros)
{
    const vdnn_graph_options options = {.batch = vdnn_graph_share(BATCH, devices, number),
                                        .devices = devices,
                                        .step_batch = BATCH,
                                        .reduce = scheme,
                                        .shards = shards,
                                        .optimizer = optimizer,
                                        .micro_batches = micros,
                                        .rules = VDNN_RULES_LEAN,
                                        .dtype = VDNN_F32};
    vdnn_training_case_parse(&d->c, text, &options);
    d->first = vdnn_graph_share_first(BATCH, devices, number);
}

/* Parameters that can be are offloaded. */
static void send_parameters_away(const vdnn_graph *graph, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].param_bytes > 0 &&
            vdnn_decisions_params_refusal(&graph->layers[l]) == NULL)
            decisions->params[l].action = VDNN_OFFLOAD;
}

/* Gradients of parameters that can be are offloaded while they wait. */
static void send_gradients_away(const vdnn_graph *graph, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (vdnn_decisions_param_gradient_refusal(graph, &graph->layers[l]) == NULL)
            decisions->param_gradients[l] = VDNN_TIER_HOST;
}

static void plan(device *d, manner how)
{
    vdnn_decisions decisions;
    if (how == KEEP || how == BUCKETS)
        assert_ok(vdnn_decisions_init(&decisions, d->c.graph));
    else
        assert_ok(vdnn_eager_decisions(
            d->c.graph, how == EACH_LAYER ? VDNN_SYNC_EACH_LAYER : VDNN_SYNC_BY_NEED, &decisions));
    if (how == AWAY || how == BUCKETS_AWAY)
        send_parameters_away(d->c.graph, &decisions);
    if (how == LEAVING || how == BUCKETS_LEAVING)
        send_gradients_away(d->c.graph, &decisions);
    if (how == BUCKETS || how >= BUCKETS_AWAY)
        decisions.buckets = (vdnn_reduce_buckets){.bytes = how == BUCKETS ? (size_t)1 << 20 : 1500,
                                                  .lag = (int32_t)how % 3};
    assert_ok(vdnn_planner_plan(d->c.graph, d->c.profile, &decisions, &d->c.plan));
    vdnn_decisions_fini(&decisions);
}

static void plan_in_buckets(device *d, vdnn_reduce_buckets buckets)
{
    vdnn_decisions decisions;
    assert_ok(vdnn_decisions_init(&decisions, d->c.graph));
    decisions.buckets = buckets;
    assert_ok(vdnn_planner_plan(d->c.graph, d->c.profile, &decisions, &d->c.plan));
    vdnn_decisions_fini(&decisions);
}

static void *train(void *argument)
{
    device *d = argument;
    for (int s = 0; s < STEPS; s++)
        d->loss = vdnn_training_case_step(
                      &d->c, s * BATCH + d->first,
                      (vdnn_step_context){.step = (uint64_t)s, .settings = {.lr = 0.1}})
                      .loss;
    return NULL;
}

/* Devices that train together, each with its plan. */
typedef struct team {
    device list[MOST_DEVICES];
    int32_t count;
} team;

/* All devices have the same weights, but for statistics. */
static void compare_devices(const team *all, const float *weights)
{
    const vdnn_graph *graph = all->list[0].c.graph;
    for (int32_t r = 1; r < all->count; r++) {
        float *others = vdnn_training_case_weights(&all->list[r].c);
        size_t at = 0;
        for (int32_t l = 0; l < graph->layer_count; l++) {
            const vdnn_layer *layer = &graph->layers[l];
            if (layer->owner != l)
                continue;
            assert_memory_equal(weights + at, others + at, vdnn_layer_summed_bytes(layer));
            at += layer->param_bytes / sizeof(float);
        }
        vdnn_heap_free(others);
    }
}

/* The weights of the first device. The team is gone. */
static float *train_team(team *all, double *loss)
{
    vdnn_group *ends[MOST_DEVICES] = {NULL};
    const vdnn_plan *plans[MOST_DEVICES] = {NULL};
    pthread_t threads[MOST_DEVICES];
    if (all->count > 1)
        assert_ok(vdnn_group_open(&vdnn_transport_in_process, all->count, ends));
    for (int32_t r = 0; r < all->count; r++) {
        all->list[r].c.group = ends[r];
        plans[r] = all->list[r].c.plan;
        vdnn_training_case_begin(&all->list[r].c);
    }
    assert_ok(vdnn_checker_check_devices(plans, all->count));
    for (int32_t r = 0; r < all->count; r++)
        assert_int_equal(vdnn_system_start_thread(&threads[r], train, &all->list[r]), 0);
    *loss = 0;
    for (int32_t r = 0; r < all->count; r++) {
        assert_int_equal(pthread_join(threads[r], NULL), 0);
        *loss += all->list[r].loss;
    }
    float *weights = vdnn_training_case_weights(&all->list[0].c);
    compare_devices(all, weights);
    for (int32_t r = 0; r < all->count; r++) {
        vdnn_training_case_end(&all->list[r].c);
        vdnn_group_close(ends[r]);
    }
    return weights;
}

static float *train_on(const char *text, int32_t devices, int32_t micros, manner how, double *loss)
{
    team all = {.count = devices};
    for (int32_t r = 0; r < devices; r++) {
        shape(&all.list[r], text, devices, r, micros);
        plan(&all.list[r], how);
    }
    return train_team(&all, loss);
}

static size_t count_floats(const char *text)
{
    device d = {.first = 0};
    shape(&d, text, 1, 0, 1);
    const size_t floats = vdnn_graph_param_bytes(d.c.graph) / sizeof(float);
    vdnn_training_case_end(&d.c);
    return floats;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static void compare_plans(const char *text, int32_t devices, int32_t micros)
{
    const size_t bytes = count_floats(text) * sizeof(float);
    double loss, other_loss;
    float *kept = train_on(text, devices, micros, KEEP, &loss);
    for (manner how = BY_NEED; how < MANNERS; how++) {
        float *other = train_on(text, devices, micros, how, &other_loss);
        assert_memory_equal(other, kept, bytes);
        assert_memory_equal(&loss, &other_loss, sizeof loss);
        vdnn_heap_free(other);
    }
    vdnn_heap_free(kept);
}

static void no_plan_changes_a_bit_on_any_number_of_devices(void **state)
{
    static const char *const texts[] = {plain, ignoring, clipped, normal, synced, tied, in_parts};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int32_t devices = 1; devices <= MOST_DEVICES; devices++)
            for (int32_t micros = 1; micros <= (devices % 2 == 0 ? 1 : 2); micros++)
                compare_plans(texts[t], devices, micros);
}

/* Statistics are of a micro-batch, and those of several devices have others than those of one. */
static int32_t most_micros(const char *text, int32_t devices)
{
    return text != synced && BATCH / devices >= 2 ? 2 : 1;
}

static void no_way_of_summing_changes_a_bit(void **state)
{
    static const char *const texts[] = {clipped, normal, tied};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int32_t devices = 2; devices <= MOST_DEVICES; devices++) {
            const size_t bytes = count_floats(texts[t]) * sizeof(float);
            double loss, other_loss;
            float *ring = train_on(texts[t], devices, 1, KEEP, &loss);
            for (scheme = VDNN_REDUCE_RING + 1; scheme < VDNN_REDUCE_COUNT; scheme++)
                for (manner how = BUCKETS; how <= BY_NEED; how++) {
                    float *other = train_on(texts[t], devices, 1, how, &other_loss);
                    assert_memory_equal(other, ring, bytes);
                    assert_memory_equal(&loss, &other_loss, sizeof loss);
                    vdnn_heap_free(other);
                }
            scheme = VDNN_REDUCE_RING;
            vdnn_heap_free(ring);
        }
}

static void compare_shares(const char *text, int32_t devices, size_t optimizer_number)
{
    const size_t bytes = count_floats(text) * sizeof(float);
    const int32_t micros = 1 + (int32_t)optimizer_number % most_micros(text, devices);
    double loss, other_loss;
    optimizer = vdnn_optimizer_at((vdnn_optimizer_id)optimizer_number);
    float *whole = train_on(text, devices, micros, KEEP, &loss);
    shards = true;
    for (int i = 0; i < 2; i++) { /* all in the memory, and a part */
        const manner how = i == 0 ? BUCKETS : (manner)(BY_NEED + (optimizer_number + bytes) % 6);
        float *other = train_on(text, devices, micros, how, &other_loss);
        assert_memory_equal(other, whole, bytes);
        assert_memory_equal(&loss, &other_loss, sizeof loss);
        vdnn_heap_free(other);
    }
    shards = false;
    optimizer = NULL;
    vdnn_heap_free(whole);
}

/* By every optimizer, in all of the memory or a part, on one device too. */
static void updates_by_shares_change_no_bit(void **state)
{
    static const char *const texts[] = {plain, clipped, normal, tied, in_parts};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int32_t devices = 1; devices <= MOST_DEVICES; devices++)
            compare_shares(texts[t], devices, (t + (size_t)devices) % VDNN_OPTIMIZER_COUNT);
}

/* ---- random networks ------------------------------------------------------------------------- */

/* Of one input, in plain arithmetic; its layers run in parts, and its batch in micro-batches, as
 * drawn. Shares are equal, so that parts divide them. */
static vdnn_random_model draw_network(uint64_t seed)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.layers = 3 + request.layers / 4;
    request.preferred = VDNN_NCHW;
    request.dtype = VDNN_F32;
    request.words = false;
    request.devices = 2 + (int32_t)(seed % (MOST_DEVICES - 1));
    request.reduce = (vdnn_reduce_scheme)(seed / 3 % VDNN_REDUCE_COUNT);
    return request;
}

/* Decisions that are drawn, or that keep everything, with the same algorithms. */
static void plan_at_random(device *d, uint64_t seed, bool keeps)
{
    vdnn_test_rng rng = {seed};
    vdnn_decisions drawn, kept;
    assert_ok(vdnn_random_decisions(d->c.graph, d->c.profile, &rng, &drawn));
    assert_ok(vdnn_decisions_init(&kept, d->c.graph));
    memcpy(kept.choice, drawn.choice, (size_t)kept.layer_count * sizeof *kept.choice);
    assert_ok(vdnn_planner_plan(d->c.graph, d->c.profile, keeps ? &kept : &drawn, &d->c.plan));
    vdnn_decisions_fini(&drawn);
    vdnn_decisions_fini(&kept);
}

static float *train_at_random(const vdnn_random_model *request, bool keeps, size_t *bytes,
                              size_t *buckets)
{
    team all = {.count = request->devices};
    double loss;
    for (int32_t r = 0; r < all.count; r++) {
        device *d = &all.list[r];
        assert_ok(vdnn_random_model_graph(request, VDNN_RULES_LEAN, &d->c.graph));
        assert_ok(vdnn_test_profile_of(d->c.graph, VDNN_TEST_ROWS_REAL, &d->c.profile));
        plan_at_random(d, request->seed, keeps);
        d->first = r * d->c.graph->batch;
    }
    *bytes = vdnn_graph_param_bytes(all.list[0].c.graph);
    *buckets += all.list[0].c.plan->buckets.bytes > 0;
    return train_team(&all, &loss);
}

/* Whatever stays or leaves, in whatever parts and buckets, whoever sums and updates. */
static void no_decision_changes_a_bit_of_a_random_network(void **state)
{
    size_t buckets = 0;
    (void)state;
    for (int n = 0; n < vdnn_test_count(RANDOM_NETWORKS); n++) {
        const vdnn_random_model request = draw_network(vdnn_test_seed() + (uint64_t)n);
        size_t bytes;
        vdnn_random_model sharing = request;
        sharing.shards = request.reduce == VDNN_REDUCE_RING;
        float *kept = train_at_random(&request, true, &bytes, &buckets),
              *drawn = train_at_random(&sharing, false, &bytes, &buckets);
        if (memcmp(kept, drawn, bytes) != 0)
            fail_msg("seed %llu: other weights on %d devices", (unsigned long long)request.seed,
                     (int)request.devices);
        vdnn_heap_free(kept);
        vdnn_heap_free(drawn);
    }
    assert_true(buckets > 0);
}

/* Sums in another order differ by roundings: of STEPS gradients of some hundred summands of about
 * 0.1, times a rate of 0.1, by far less than 1e-6. */
static void several_devices_learn_what_one_does(void **state)
{
    static const char *const texts[] = {plain, ignoring, clipped, tied, synced, in_parts};
    static const double bound = 1e-6;
    double most = 0;
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const size_t floats = count_floats(texts[t]);
        double loss, other_loss;
        float *one = train_on(texts[t], 1, 1, KEEP, &loss);
        for (int32_t devices = 2; devices <= MOST_DEVICES; devices++)
            for (int32_t micros = 1; micros <= most_micros(texts[t], devices); micros++) {
                float *several = train_on(texts[t], devices, micros, BY_NEED, &other_loss);
                for (size_t i = 0; i < floats; i++)
                    most = fmax(most, fabs((double)several[i] - (double)one[i]));
                assert_true(fabs(loss - other_loss) < bound * fabs(loss));
                vdnn_heap_free(several);
            }
        vdnn_heap_free(one);
    }
    print_message("weights differ by up to %.2g\n", most);
    assert_true(most < bound);
}

static void shares_are_as_equal_as_the_batch_allows(void **state)
{
    (void)state;
    for (int64_t batch = 1; batch < 40; batch++)
        for (int32_t devices = 1; devices <= batch; devices++) {
            int64_t sum = 0;
            for (int32_t d = 0; d < devices; d++) {
                const int64_t share = vdnn_graph_share(batch, devices, d);
                assert_int_equal(vdnn_graph_share_first(batch, devices, d), sum);
                assert_in_range(share, batch / devices, (batch + devices - 1) / devices);
                sum += share;
            }
            assert_int_equal(sum, batch);
        }
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* The sum of a block runs while the backward of the block before it in the network does. */
static void sums_run_beside_backward(void **state)
{
    (void)state;
    device d = {.first = 0};
    shape(&d, plain, 2, 0, 1);
    plan(&d, KEEP);
    const vdnn_plan *own = d.c.plan;
    int beside = 0, sums = 0;
    for (int32_t i = 0; i < own->step_count; i++) {
        const vdnn_step *step = &own->steps[i];
        if (step->kind != VDNN_STEP_REDUCE)
            continue;
        assert_int_equal(step->stream, VDNN_STREAM_REDUCE);
        assert_true(step->seconds > 0);
        sums++;
        for (int32_t k = i + 1; k < own->step_count; k++) {
            if (own->steps[k].kind == VDNN_STEP_UPDATE && own->steps[k].layer == step->layer)
                break;
            beside += own->steps[k].kind == VDNN_STEP_RUN;
        }
    }
    assert_int_equal(sums, 4);
    assert_true(beside >= sums - 1);
    vdnn_training_case_end(&d.c);
}

static int32_t count_sums(const vdnn_plan *plan, size_t *most, size_t *last)
{
    int32_t count = 0;
    *most = *last = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_REDUCE) {
            *last = plan->steps[i].bytes;
            *most = *last > *most ? *last : *most;
            count++;
        }
    return count;
}

static void expect_title(const vdnn_plan *plan, int32_t sum, const char *title)
{
    vdnn_text text = {0};
    const int32_t step = vdnn_plan_edit_find(plan, VDNN_STEP_REDUCE, -1, sum);
    vdnn_step_title(&text, plan, &plan->steps[step]);
    assert_string_equal(text.data, title);
    vdnn_text_fini(&text);
}

/* fc's gradient has 2,016 bytes, those of right, left and conv1 1,100, 140 and 456. A bucket is
 * full with no less than are left, so that the last one is small; nor with less than a sixteenth of
 * what is decided. */
static void small_gradients_are_summed_together(void **state)
{
    static const struct {
        size_t bytes;
        int32_t sums;
        size_t most, last;
        const char *title; /* of the last one in traces */
    } rows[] = {
        {0, 4, 2016, 456, "reduce conv1"},
        {1500, 3, 2016, 256 + 456, "reduce left to conv1"},
        {2500, 2, 2048 + 1100, 256 + 456, "reduce left to conv1"},
        {1 << 20, 1, 2048 + 1280 + 256 + 456, 2048 + 1280 + 256 + 456, "reduce fc to conv1"}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        device d = {.first = 0};
        size_t most, last;
        shape(&d, plain, 2, 0, 1);
        plan_in_buckets(&d, (vdnn_reduce_buckets){.bytes = rows[r].bytes});
        assert_int_equal(count_sums(d.c.plan, &most, &last), rows[r].sums);
        assert_int_equal(most, rows[r].most);
        assert_int_equal(last, rows[r].last);
        expect_title(d.c.plan, rows[r].sums - 1, rows[r].title);
        vdnn_training_case_end(&d.c);
    }
}

/* Each further bucket that is handed in before one is used leaves more compute to hide a sum. */
static void sums_are_used_as_late_as_is_decided(void **state)
{
    int32_t updates_before = INT32_MAX;
    (void)state;
    for (int32_t lag = 0; lag < 3; lag++) {
        device d = {.first = 0};
        shape(&d, plain, 2, 0, 1);
        plan_in_buckets(&d, (vdnn_reduce_buckets){.lag = lag});
        const int32_t last = vdnn_plan_edit_find(d.c.plan, VDNN_STEP_REDUCE, -1, 3);
        int32_t updates = 0;
        for (int32_t i = 0; i < last; i++)
            updates += d.c.plan->steps[i].kind == VDNN_STEP_UPDATE;
        assert_true(updates < updates_before);
        updates_before = updates;
        vdnn_training_case_end(&d.c);
    }
    assert_int_equal(updates_before, 0);
}

typedef struct breaker {
    device d;
    vdnn_plan *good;
    int32_t first, second; /* sums over devices */
} breaker;

static breaker begin_breaking(const char *text, manner how)
{
    breaker b = {.first = 0};
    shape(&b.d, text, 3, 0, 2);
    plan(&b.d, how);
    b.good = b.d.c.plan;
    assert_ok(vdnn_checker_check(b.good, vdnn_tier_unlimited));
    assert_true(vdnn_plan_edit_is_ordered(b.good));
    b.first = vdnn_plan_edit_find(b.good, VDNN_STEP_REDUCE, -1, 0);
    b.second = vdnn_plan_edit_find(b.good, VDNN_STEP_REDUCE, -1, 1);
    assert_true(b.first > 0 && b.second > 0);
    return b;
}

static void expect_refused(vdnn_plan *broken, const char *message)
{
    vdnn_plan_edit_expect_refused(broken, message);
    vdnn_plan_destroy(broken);
}

/* The step that reads what a sum over devices wrote. */
static int32_t reader_of(const vdnn_plan *plan, int32_t sum)
{
    for (int32_t i = sum + 1; i < plan->step_count; i++) {
        const vdnn_access *dw = vdnn_plan_edit_access(plan, i, VDNN_BIND_DW);
        if (dw != NULL && (dw->mode & VDNN_READ) != 0 && dw->writer == sum)
            return i;
    }
    fail_msg("nothing reads the sum");
    return -1;
}

static void remove_waits_for(vdnn_plan *plan, int32_t step, int32_t target)
{
    for (int32_t k = plan->steps[step].wait_count - 1; k >= 0; k--)
        if (plan->waits[plan->steps[step].first_wait + k] == target)
            vdnn_plan_edit_remove_wait(plan, step, k);
}

static void break_sum(const breaker *b, int32_t sum)
{
    vdnn_plan *broken = vdnn_plan_edit_copy(b->good); /* a gradient that is not summed */
    vdnn_plan_edit_remove(broken, sum);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or twice */
    vdnn_plan_edit_duplicate(broken, sum);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or in part */
    broken->steps[sum].bytes -= sizeof(float);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good);
    broken->steps[sum].bytes -= sizeof(float);
    vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->bytes -= sizeof(float);
    expect_refused(broken, "a sum over devices of");

    broken = vdnn_plan_edit_copy(b->good); /* or read before its sum */
    remove_waits_for(broken, reader_of(broken, sum), sum);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or of another layer */
    broken->steps[sum].layer = broken->steps[sum == b->first ? b->second : b->first].layer;
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(b->good); /* or of another micro-batch */
    broken->steps[sum].micro = 0;
    expect_refused(broken, NULL);
}

/* The gradient of the last micro-batch is summed over the devices before those of the others are
 * added. */
static void sum_too_early(const breaker *b)
{
    vdnn_plan *broken = vdnn_plan_edit_copy(b->good);
    int32_t at = b->first;
    while (at > 0 && broken->steps[at].kind != VDNN_STEP_ACCUMULATE)
        at--;
    assert_int_equal(broken->steps[at].layer, broken->steps[b->first].layer);
    vdnn_plan_edit_move(broken, b->first, at);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);
}

/* The last step of a kind that accesses a buffer, before another step. */
static int32_t before(const vdnn_plan *plan, int32_t step, vdnn_step_kind kind, vdnn_bind bind,
                      int32_t buffer)
{
    for (int32_t i = step - 1; i > 0; i--) {
        const vdnn_access *access = vdnn_plan_edit_access(plan, i, bind);
        if (plan->steps[i].kind == kind && access != NULL && access->buffer == buffer)
            return i;
    }
    fail_msg("no such step");
    return -1;
}

static void a_bucket_is_not_touched_once_it_is_handed_in(void **state)
{
    device d = {.first = 0};
    (void)state;
    shape(&d, normal, 2, 0, 1);
    plan_in_buckets(&d, (vdnn_reduce_buckets){.bytes = (size_t)1 << 20});
    const vdnn_plan *good = d.c.plan;
    assert_ok(vdnn_checker_check(good, vdnn_tier_unlimited));
    const int32_t sum = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 0),
                  bucket = vdnn_plan_edit_access(good, sum, VDNN_BIND_DST)->buffer,
                  run = before(good, sum, VDNN_STEP_RUN, VDNN_BIND_DW, bucket),
                  average = before(good, sum, VDNN_STEP_AVERAGE, VDNN_BIND_DW, bucket);

    vdnn_plan *broken = vdnn_plan_edit_copy(good); /* a gradient is written behind the sum */
    vdnn_plan_edit_move(broken, sum, run);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or while it is taken */
    while (broken->steps[sum].wait_count > 0)
        vdnn_plan_edit_remove_wait(broken, sum, 0);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or statistics are read when they are summed */
    vdnn_plan_edit_move(broken, average, sum);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or one gradient of the bucket is not summed */
    broken->steps[sum].bytes -= 256;
    vdnn_plan_edit_access(broken, sum, VDNN_BIND_DST)->bytes -= 256;
    expect_refused(broken, "a sum over devices of");
    vdnn_training_case_end(&d.c);
}

static void broken_sums_over_devices_are_refused(void **state)
{
    static const char *const texts[] = {plain, clipped, tied};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        breaker b = begin_breaking(texts[t], t % 2 == 0 ? BY_NEED : BUCKETS_AWAY);
        break_sum(&b, b.first);
        break_sum(&b, b.second);
        sum_too_early(&b);
        b.d.c.graph->devices = 1;
        b.d.c.graph->step_batch = b.d.c.graph->batch;
        expect_refused(vdnn_plan_edit_copy(b.good), NULL);
        b.d.c.graph->devices = 3;
        b.d.c.graph->step_batch = b.d.c.graph->batch - 1;
        expect_refused(vdnn_plan_edit_copy(b.good), "are no share of a step of");
        vdnn_training_case_end(&b.d.c);
    }
}

static void break_gather(const device *d, int32_t gather)
{
    const vdnn_plan *good = d->c.plan;
    const int32_t update = vdnn_plan_edit_access(good, gather, VDNN_BIND_DST)->writer;

    vdnn_plan *broken = vdnn_plan_edit_copy(good); /* what the others updated is missing */
    vdnn_plan_edit_remove(broken, gather);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or is gathered twice */
    vdnn_plan_edit_duplicate(broken, gather);
    vdnn_plan_edit_name_writers(broken);
    vdnn_plan_edit_refresh(broken);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or in part */
    broken->steps[gather].bytes -= sizeof(float);
    expect_refused(broken, "of a block are gathered");

    broken = vdnn_plan_edit_copy(good); /* or before it is updated */
    remove_waits_for(broken, gather, update);
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or as it was then */
    vdnn_plan_edit_access(broken, gather, VDNN_BIND_DST)->writer = -1;
    expect_refused(broken, NULL);

    broken = vdnn_plan_edit_copy(good); /* or of another layer */
    broken->steps[gather].layer = broken->steps[gather].layer == 0 ? 1 : 0;
    expect_refused(broken, NULL);
}

/* What is kept of offloaded parameters is what was gathered. */
static void keep_what_was_updated(const device *d, int32_t gather)
{
    const vdnn_plan *good = d->c.plan;
    for (int32_t i = gather + 1; i < good->step_count; i++) {
        const vdnn_access *from = vdnn_plan_edit_access(good, i, VDNN_BIND_SRC);
        if (good->steps[i].kind != VDNN_STEP_COPY_OUT || from->writer != gather)
            continue;
        vdnn_plan *broken = vdnn_plan_edit_copy(good);
        remove_waits_for(broken, i, gather);
        expect_refused(broken, NULL);
        return;
    }
    fail_msg("nothing is kept of what was gathered");
}

static void broken_shares_are_refused(void **state)
{
    static const char *const texts[] = {plain, clipped, tied};
    (void)state;
    shards = true;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        device d = {.first = 0};
        shape(&d, texts[t], 3, 0, 2);
        plan(&d, t % 2 == 0 ? AWAY : BUCKETS);
        vdnn_plan *good = d.c.plan;
        assert_ok(vdnn_checker_check(good, vdnn_tier_unlimited));
        assert_true(vdnn_plan_edit_is_ordered(good));
        const int32_t first = vdnn_plan_edit_find(good, VDNN_STEP_GATHER, -1, 0);
        break_gather(&d, first);
        break_gather(&d, vdnn_plan_edit_find(good, VDNN_STEP_GATHER, -1, 1));
        if (t % 2 == 0)
            keep_what_was_updated(&d, first);
        d.c.graph->shards = false; /* all of it is updated, by state of a share */
        expect_refused(vdnn_plan_edit_copy(good), NULL);
        d.c.graph->shards = true;
        vdnn_training_case_end(&d.c);
    }
    shards = false;
}

/* The state of so many devices takes the memory of one, but for what fills up lines. */
static void each_device_keeps_the_state_of_its_share(void **state)
{
    (void)state;
    for (int32_t devices = 2; devices <= MOST_DEVICES; devices++) {
        device whole = {.first = 0}, share = {.first = 0};
        shape(&whole, normal, devices, 0, 1);
        shards = true;
        shape(&share, normal, devices, 0, 1);
        shards = false;
        plan(&whole, KEEP);
        plan(&share, KEEP);
        const size_t saved = vdnn_graph_shard_saves(share.c.graph),
                     all = vdnn_graph_all_state_bytes(whole.c.graph),
                     own = vdnn_graph_all_state_bytes(share.c.graph);
        assert_int_equal(vdnn_graph_shard_saves(whole.c.graph), 0);
        assert_int_equal(own + saved, all);
        assert_int_equal(share.c.plan->by_category[VDNN_CATEGORY_optimizer], own);
        assert_int_equal(whole.c.plan->by_category[VDNN_CATEGORY_optimizer], all);
        assert_true(own * (size_t)devices >= all / 2 && own < all);
        vdnn_training_case_end(&whole.c);
        vdnn_training_case_end(&share.c);
    }
}

/* ---- plans of all devices -------------------------------------------------------------------- */

enum { TOGETHER = 3 };

static void expect_apart(const device *list, int32_t number, vdnn_plan *broken, const char *message)
{
    const vdnn_plan *plans[TOGETHER] = {NULL};
    for (int32_t d = 0; d < TOGETHER; d++)
        plans[d] = d == number ? broken : list[d].c.plan;
    assert_status(vdnn_checker_check_devices(plans, TOGETHER), VDNN_INTERNAL);
    assert_message(message);
    vdnn_plan_destroy(broken);
}

static void exchange_sums(vdnn_plan *plan, int32_t a, int32_t b)
{
    const vdnn_step first = plan->steps[a];
    plan->steps[a].layer = plan->steps[b].layer;
    plan->steps[a].bytes = plan->steps[b].bytes;
    plan->steps[b].layer = first.layer;
    plan->steps[b].bytes = first.bytes;
}

static void break_together(const device *list, int32_t number)
{
    const vdnn_plan *good = list[number].c.plan;
    const int32_t first = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 0),
                  second = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 1),
                  last = vdnn_plan_edit_find(good, VDNN_STEP_REDUCE, -1, 3);
    vdnn_plan *broken = vdnn_plan_edit_copy(good);
    exchange_sums(broken, first, second);
    expect_apart(list, number, broken, "sum 1 over the devices: device 0 sums");
    broken = vdnn_plan_edit_copy(good);
    broken->steps[second].bytes += 4;
    expect_apart(list, number, broken, "sum 2 over the devices");
    broken = vdnn_plan_edit_copy(good); /* a block is summed at another place of its bucket */
    vdnn_plan_edit_access(broken, vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, -1, 1),
                          VDNN_BIND_DW)
        ->first += VDNN_ALIGNMENT;
    expect_apart(list, number, broken, "device 0 sums the gradient of");
    broken = vdnn_plan_edit_copy(good);
    vdnn_plan_edit_remove(broken, last);
    expect_apart(list, number, broken, "of nothing");
    broken = vdnn_plan_edit_copy(good);
    vdnn_plan_edit_duplicate(broken, last);
    expect_apart(list, number, broken, "sum 5 over the devices");
}

static void plans_that_do_not_go_together_are_refused(void **state)
{
    device list[TOGETHER] = {{.first = 0}};
    const vdnn_plan *plans[TOGETHER] = {NULL};
    (void)state;
    for (int32_t d = 0; d < TOGETHER; d++) {
        shape(&list[d], plain, TOGETHER, d, 1);
        plan(&list[d], d == 1 ? BY_NEED : KEEP);
        plans[d] = list[d].c.plan;
    }
    assert_ok(vdnn_checker_check_devices(plans, TOGETHER));
    for (int32_t d = 0; d < TOGETHER; d++)
        break_together(list, d);
    assert_status(vdnn_checker_check_devices(plans, 2), VDNN_INTERNAL);
    assert_message("plans a step of 7 samples on 3 devices");
    plans[0] = plans[2]; /* 2, 2 and 2 of 7 samples */
    assert_status(vdnn_checker_check_devices(plans, TOGETHER), VDNN_INTERNAL);
    assert_message("compute 6 samples of a step of 7");
    for (int32_t d = 0; d < TOGETHER; d++)
        vdnn_training_case_end(&list[d].c);
}

static void kernels_that_would_wait_for_others_in_vain_are_refused(void **state)
{
    device list[2] = {{.first = 0}};
    const vdnn_plan *plans[2];
    (void)state;
    for (int32_t d = 0; d < 2; d++) {
        shape(&list[d], d == 0 ? synced : half_synced, 2, d, 1);
        plan(&list[d], KEEP);
        plans[d] = list[d].c.plan;
    }
    assert_status(vdnn_checker_check_devices(plans, 2), VDNN_INTERNAL);
    assert_message(
        "device 0 computes forward of norm2, micro-batch 0 together with the others when "
        "device 1 does backward_data of norm1, micro-batch 0");
    for (int32_t d = 0; d < 2; d++)
        vdnn_training_case_end(&list[d].c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_changes_a_bit_on_any_number_of_devices),
        cmocka_unit_test(updates_by_shares_change_no_bit),
        cmocka_unit_test(no_way_of_summing_changes_a_bit),
        cmocka_unit_test(no_decision_changes_a_bit_of_a_random_network),
        cmocka_unit_test(several_devices_learn_what_one_does),
        cmocka_unit_test(shares_are_as_equal_as_the_batch_allows),
        cmocka_unit_test(sums_run_beside_backward),
        cmocka_unit_test(small_gradients_are_summed_together),
        cmocka_unit_test(sums_are_used_as_late_as_is_decided),
        cmocka_unit_test(a_bucket_is_not_touched_once_it_is_handed_in),
        cmocka_unit_test(broken_shares_are_refused),
        cmocka_unit_test(each_device_keeps_the_state_of_its_share),
        cmocka_unit_test(broken_sums_over_devices_are_refused),
        cmocka_unit_test(plans_that_do_not_go_together_are_refused),
        cmocka_unit_test(kernels_that_would_wait_for_others_in_vain_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
