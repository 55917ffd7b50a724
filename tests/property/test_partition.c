/* The partitioner against all partitions of small chains, and against PipeDream's partitioner on
 * its own profiles. */

#include "tests/support/files.h"
#include "tests/support/pipedream_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHAINS = 20000, MOST_LAYERS = 7, MOST_DEVICES = 5 };

/* The fastest of all partitions: the slower program. */
typedef struct oracle {
    const vdnn_partition_request *ask;
    double seconds; /* INFINITY: none is allowed */
} oracle;

static double stage_seconds(const vdnn_partition_request *ask, int32_t first, int32_t last,
                            int32_t replicas)
{
    double compute = 0, bytes = 0, cuts = 0;
    for (int32_t l = first; l <= last; l++) {
        compute += ask->layers[l].forward_seconds + ask->layers[l].backward_seconds;
        bytes += ask->layers[l].parameter_bytes;
    }
    if (first > 0)
        cuts = ask->layers[first - 1].cut_bytes;
    if (last + 1 < ask->layer_count)
        cuts = fmax(cuts, ask->layers[last].cut_bytes);
    const double sum = ask->sum_factor * bytes * (replicas - 1) / replicas / ask->bandwidth;
    return fmax(compute / replicas + sum / (ask->micro_batches > 0 ? ask->micro_batches : replicas),
                ask->cut_factor * cuts / ask->bandwidth / replicas);
}

static double stage_memory(const vdnn_partition_request *ask, int32_t first, int32_t last,
                           int32_t replicas, int32_t devices_on)
{
    const double step = ceil((double)ask->micro_batches / replicas),
                 on = ceil((double)devices_on / replicas),
                 all = ceil((double)ask->devices / replicas);
    const double flight = ask->schedule == VDNN_SCHEDULE_GPIPE  ? step
                          : ask->schedule == VDNN_SCHEDULE_1F1B ? fmin(step, on)
                                                                : fmin(step, all);
    double bytes = 0;
    for (int32_t l = first; l <= last; l++)
        bytes += ask->layers[l].resident_bytes + flight * ask->layers[l].stash_bytes;
    return bytes;
}

static void try_all(oracle *own, int32_t first, int32_t devices, int32_t stages, double slowest)
{
    const vdnn_partition_request *ask = own->ask;
    if (first == ask->layer_count) {
        if (devices == 0 && (ask->stages == 0 || stages == ask->stages))
            own->seconds = fmin(own->seconds, slowest);
        return;
    }
    for (int32_t last = first; last < ask->layer_count; last++)
        for (int32_t r = 1; r <= devices; r++)
            if ((ask->replicas == 0 || r == ask->replicas) &&
                (ask->memory_bytes == 0 ||
                 stage_memory(ask, first, last, r, devices) <= ask->memory_bytes))
                try_all(own, last + 1, devices - r, stages + 1,
                        fmax(slowest, stage_seconds(ask, first, last, r)));
}

static vdnn_partition_request draw(vdnn_test_rng *rng, vdnn_partition_layer *layers)
{
    vdnn_partition_request ask = {
        .layers = layers,
        .layer_count = (int32_t)vdnn_test_between(rng, 1, MOST_LAYERS),
        .devices = (int32_t)vdnn_test_between(rng, 1, MOST_DEVICES),
        .bandwidth = (double)vdnn_test_between(rng, 1, 20),
        .cut_factor = (double)vdnn_test_between(rng, 1, 2),
        .sum_factor = (double)vdnn_test_between(rng, 0, 4),
        .micro_batches = (int32_t)vdnn_test_between(rng, 1, 8),
        .schedule = (vdnn_schedule)vdnn_test_between(rng, 0, VDNN_SCHEDULE_COUNT - 1)};
    for (int32_t l = 0; l < ask.layer_count; l++)
        layers[l] = (vdnn_partition_layer){.forward_seconds = (double)vdnn_test_between(rng, 0, 9),
                                           .backward_seconds = (double)vdnn_test_between(rng, 0, 9),
                                           .cut_bytes = vdnn_test_between(rng, 0, 9) == 0
                                                            ? (double)INFINITY
                                                            : (double)vdnn_test_between(rng, 0, 60),
                                           .parameter_bytes = (double)vdnn_test_between(rng, 0, 30),
                                           .resident_bytes = (double)vdnn_test_between(rng, 0, 30),
                                           .stash_bytes = (double)vdnn_test_between(rng, 0, 20)};
    if (vdnn_test_between(rng, 0, 1))
        ask.memory_bytes = (double)vdnn_test_between(rng, 1, 300);
    else if (vdnn_test_between(rng, 0, 1))
        ask.micro_batches = 0;
    if (vdnn_test_between(rng, 0, 1))
        ask.stages = (int32_t)vdnn_test_between(rng, 1, ask.devices);
    if (vdnn_test_between(rng, 0, 2) == 0)
        ask.replicas = (int32_t)vdnn_test_between(rng, 1, ask.devices);
    return ask;
}

static void expect_a_whole_partition(const vdnn_partition_request *ask,
                                     const vdnn_partition *partition)
{
    int32_t next = 0, devices = ask->devices;
    double slowest = 0;
    for (int32_t s = 0; s < partition->stage_count; s++) {
        const vdnn_partition_stage *stage = &partition->stages[s];
        assert_int_equal(stage->first, next);
        assert_true(stage->last >= stage->first && stage->replicas >= 1);
        assert_true(fabs(stage->seconds -
                         stage_seconds(ask, stage->first, stage->last, stage->replicas)) < 1e-9);
        assert_true(ask->memory_bytes == 0 ||
                    fabs(stage->memory_bytes - stage_memory(ask, stage->first, stage->last,
                                                            stage->replicas, devices)) < 1e-9);
        slowest = fmax(slowest, stage->seconds);
        next = stage->last + 1;
        devices -= stage->replicas;
    }
    assert_int_equal(next, ask->layer_count);
    assert_int_equal(devices, 0);
    assert_true(partition->seconds == slowest);
}

TEST(no_partition_of_a_small_chain_is_faster)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    int found = 0, cut = 0, refused = 0;
    for (int i = 0; i < vdnn_test_count(CHAINS); i++) {
        vdnn_partition_layer layers[MOST_LAYERS];
        const vdnn_partition_request ask = draw(&rng, layers);
        oracle best = {&ask, (double)INFINITY};
        vdnn_partition partition = {0};
        try_all(&best, 0, ask.devices, 0, 0);
        const vdnn_status status = vdnn_partition_find(&ask, &partition);
        if (isinf(best.seconds)) {
            assert_true(status == VDNN_USAGE || status == VDNN_NO_FIT);
            refused++;
        } else {
            assert_ok(status);
            assert_true(fabs(partition.seconds - best.seconds) < 1e-9);
            expect_a_whole_partition(&ask, &partition);
            found++;
            cut += partition.stage_count > 1;
        }
        vdnn_partition_fini(&partition);
    }
    assert_true(cut > found / 4 && refused > found / 20);
}

TEST(what_cannot_be_cut_so_is_refused_by_name)
{
    const vdnn_partition_layer layers[] = {{.forward_seconds = 1},
                                           {.forward_seconds = 1, .cut_bytes = (double)INFINITY},
                                           {.forward_seconds = 1, .resident_bytes = 100}};
    vdnn_partition_request ask = {
        .layers = layers, .layer_count = 3, .devices = 3, .bandwidth = 1, .stages = 3};
    vdnn_partition partition = {0};
    assert_status(vdnn_partition_find(&ask, &partition), VDNN_USAGE);
    assert_message("3 stages are too many: the network can be cut at 1 place");
    ask.stages = 2;
    ask.replicas = 2;
    assert_status(vdnn_partition_find(&ask, &partition), VDNN_USAGE);
    assert_message("stages of 2 replicas each do not make 3 devices");
    ask.replicas = 0;
    ask.memory_bytes = 99;
    assert_status(vdnn_partition_find(&ask, &partition), VDNN_NO_FIT);
    assert_message("99 bytes");
    ask.memory_bytes = 100;
    assert_ok(vdnn_partition_find(&ask, &partition));
    assert_int_equal(partition.stages[0].last, 0);
    vdnn_partition_fini(&partition);
}

/* ---- PipeDream's profiles -------------------------------------------------------------------- */

/* Published to two digits after the point: the speed-up of stages on four devices, and of data
 * parallelism. */
static const struct {
    const char *name;
    double stages, replicated;
    int32_t first_replicas; /* of the first stage; 0: several partitions are as fast */
} published[] = {{"vgg16", 3.96, 3.35, 3}, {"resnet50", 3.98, 3.79, 0}, {"gnmt", 3.46, 1.32, 1}};

TEST(pipedreams_partitions_are_found)
{
    enum { DEVICES = 4 };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        char path[256];
        vdnn_partition_layer *layers;
        vdnn_partition best = {0}, replicated = {0};
        (void)snprintf(path, sizeof path, "../shared/reference/partition/%s.graph.txt",
                       published[i].name);
        const int32_t count = vdnn_pipedream_read(path, &layers);
        if (count == 0) {
            free(layers);
            skip_because("%s is not here", path);
            return;
        }
        vdnn_partition_request ask = vdnn_pipedream_request(layers, count, DEVICES);
        assert_ok(vdnn_partition_find(&ask, &best));
        assert_true(vdnn_pipedream_speedup(&ask, &best) >= published[i].stages - 0.005);
        assert_true(published[i].first_replicas == 0 ||
                    best.stages[0].replicas == published[i].first_replicas);
        ask.stages = 1;
        assert_ok(vdnn_partition_find(&ask, &replicated));
        assert_true(fabs(vdnn_pipedream_speedup(&ask, &replicated) - published[i].replicated) <
                    0.005);
        vdnn_partition_fini(&best);
        vdnn_partition_fini(&replicated);
        free(layers);
    }
}
