/* Several devices that share each batch: their arithmetic against that of one device with all of
 * it, under every kind of plan. */

#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/checker/checker.h"
#include "runtime/planner/planner.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/shared_case.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

enum { STEPS = 3, RANDOM_NETWORKS = 200 };

/* ---- devices --------------------------------------------------------------------------------- */

static void *train(void *argument)
{
    vdnn_shared_device *d = argument;
    for (int s = 0; s < STEPS; s++)
        d->loss = vdnn_training_case_step(
                      &d->c, s * VDNN_SHARED_BATCH + d->first,
                      (vdnn_step_context){.step = (uint64_t)s, .settings = {.lr = 0.1}})
                      .loss;
    return NULL;
}

/* Devices that train together, each with its plan. */
typedef struct team {
    vdnn_shared_device list[VDNN_SHARED_MOST_DEVICES];
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
    vdnn_group *ends[VDNN_SHARED_MOST_DEVICES] = {NULL};
    const vdnn_plan *plans[VDNN_SHARED_MOST_DEVICES] = {NULL};
    pthread_t threads[VDNN_SHARED_MOST_DEVICES];
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

static float *train_on(const char *text, const vdnn_shared_kind *kind, vdnn_shared_manner how,
                       double *loss)
{
    team all = {.count = kind->devices};
    for (int32_t r = 0; r < all.count; r++) {
        vdnn_shared_shape(&all.list[r], text, kind, r);
        vdnn_shared_plan(&all.list[r], how);
    }
    return train_team(&all, loss);
}

static const vdnn_shared_kind alone = {.devices = 1, .micros = 1};

static size_t count_floats(const char *text)
{
    vdnn_shared_device d = {.first = 0};
    vdnn_shared_shape(&d, text, &alone, 0);
    const size_t floats = vdnn_graph_param_bytes(d.c.graph) / sizeof(float);
    vdnn_training_case_end(&d.c);
    return floats;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static void compare_plans(const char *text, const vdnn_shared_kind *kind)
{
    const size_t bytes = count_floats(text) * sizeof(float);
    double loss, other_loss;
    float *kept = train_on(text, kind, VDNN_SHARED_KEEP, &loss);
    for (vdnn_shared_manner how = VDNN_SHARED_BY_NEED; how < VDNN_SHARED_MANNERS; how++) {
        float *other = train_on(text, kind, how, &other_loss);
        assert_memory_equal(other, kept, bytes);
        assert_memory_equal(&loss, &other_loss, sizeof loss);
        vdnn_heap_free(other);
    }
    vdnn_heap_free(kept);
}

static void no_plan_changes_a_bit_on_any_number_of_devices(void **state)
{
    static const char *const texts[] = {
        vdnn_shared_plain,  vdnn_shared_ignoring, vdnn_shared_clipped, vdnn_shared_normal,
        vdnn_shared_synced, vdnn_shared_tied,     vdnn_shared_in_parts};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int32_t devices = 1; devices <= VDNN_SHARED_MOST_DEVICES; devices++)
            for (int32_t micros = 1; micros <= (devices % 2 == 0 ? 1 : 2); micros++)
                compare_plans(texts[t], &(vdnn_shared_kind){.devices = devices, .micros = micros});
}

/* Statistics are of a micro-batch, and those of several devices have others than those of one. */
static int32_t most_micros(const char *text, int32_t devices)
{
    return text != vdnn_shared_synced && VDNN_SHARED_BATCH / devices >= 2 ? 2 : 1;
}

static void no_way_of_summing_changes_a_bit(void **state)
{
    static const char *const texts[] = {vdnn_shared_clipped, vdnn_shared_normal, vdnn_shared_tied};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int32_t devices = 2; devices <= VDNN_SHARED_MOST_DEVICES; devices++) {
            const size_t bytes = count_floats(texts[t]) * sizeof(float);
            vdnn_shared_kind kind = {.devices = devices, .micros = 1};
            double loss, other_loss;
            float *ring = train_on(texts[t], &kind, VDNN_SHARED_KEEP, &loss);
            for (kind.reduce = VDNN_REDUCE_RING + 1; kind.reduce < VDNN_REDUCE_COUNT; kind.reduce++)
                for (vdnn_shared_manner how = VDNN_SHARED_BUCKETS; how <= VDNN_SHARED_BY_NEED;
                     how++) {
                    float *other = train_on(texts[t], &kind, how, &other_loss);
                    assert_memory_equal(other, ring, bytes);
                    assert_memory_equal(&loss, &other_loss, sizeof loss);
                    vdnn_heap_free(other);
                }
            vdnn_heap_free(ring);
        }
}

static void compare_shares(const char *text, int32_t devices, size_t optimizer_number)
{
    const size_t bytes = count_floats(text) * sizeof(float);
    vdnn_shared_kind kind = {.devices = devices,
                             .micros = 1 + (int32_t)optimizer_number % most_micros(text, devices),
                             .optimizer = vdnn_optimizer_at((vdnn_optimizer_id)optimizer_number)};
    double loss, other_loss;
    float *whole = train_on(text, &kind, VDNN_SHARED_KEEP, &loss);
    kind.shards = true;
    for (int i = 0; i < 2; i++) { /* all in the memory, and a part */
        const vdnn_shared_manner how =
            i == 0 ? VDNN_SHARED_BUCKETS
                   : (vdnn_shared_manner)(VDNN_SHARED_BY_NEED + (optimizer_number + bytes) % 6);
        float *other = train_on(text, &kind, how, &other_loss);
        assert_memory_equal(other, whole, bytes);
        assert_memory_equal(&loss, &other_loss, sizeof loss);
        vdnn_heap_free(other);
    }
    vdnn_heap_free(whole);
}

/* By every optimizer, in all of the memory or a part, on one vdnn_shared_device too. */
static void updates_by_shares_change_no_bit(void **state)
{
    static const char *const texts[] = {vdnn_shared_plain, vdnn_shared_clipped, vdnn_shared_normal,
                                        vdnn_shared_tied, vdnn_shared_in_parts};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int32_t devices = 1; devices <= VDNN_SHARED_MOST_DEVICES; devices++)
            compare_shares(texts[t], devices, (t + (size_t)devices) % VDNN_OPTIMIZER_COUNT);
}

/* ---- random networks ------------------------------------------------------------------------- */

/* Of one input, in vdnn_shared_plain arithmetic; its layers run in parts, and its batch in
 * micro-batches, as drawn. Shares are equal, so that parts divide them. */
static vdnn_random_model draw_network(uint64_t seed)
{
    vdnn_random_model request = vdnn_random_model_small(seed);
    request.layers = 3 + request.layers / 4;
    request.preferred = VDNN_NCHW;
    request.dtype = VDNN_F32;
    request.words = false;
    request.devices = 2 + (int32_t)(seed % (VDNN_SHARED_MOST_DEVICES - 1));
    request.reduce = (vdnn_reduce_scheme)(seed / 3 % VDNN_REDUCE_COUNT);
    return request;
}

/* Decisions that are drawn, or that keep everything, with the same algorithms. */
static void plan_at_random(vdnn_shared_device *d, uint64_t seed, bool keeps)
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
        vdnn_shared_device *d = &all.list[r];
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
    static const char *const texts[] = {vdnn_shared_plain,   vdnn_shared_ignoring,
                                        vdnn_shared_clipped, vdnn_shared_tied,
                                        vdnn_shared_synced,  vdnn_shared_in_parts};
    static const double bound = 1e-6;
    double most = 0;
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const size_t floats = count_floats(texts[t]);
        double loss, other_loss;
        float *one = train_on(texts[t], &alone, VDNN_SHARED_KEEP, &loss);
        for (int32_t devices = 2; devices <= VDNN_SHARED_MOST_DEVICES; devices++)
            for (int32_t micros = 1; micros <= most_micros(texts[t], devices); micros++) {
                const vdnn_shared_kind kind = {.devices = devices, .micros = micros};
                float *several = train_on(texts[t], &kind, VDNN_SHARED_BY_NEED, &other_loss);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_changes_a_bit_on_any_number_of_devices),
        cmocka_unit_test(updates_by_shares_change_no_bit),
        cmocka_unit_test(no_way_of_summing_changes_a_bit),
        cmocka_unit_test(no_decision_changes_a_bit_of_a_random_network),
        cmocka_unit_test(several_devices_learn_what_one_does),
        cmocka_unit_test(shares_are_as_equal_as_the_batch_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
