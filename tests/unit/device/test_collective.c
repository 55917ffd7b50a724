/* What sums over simulated devices take: the formulas, and what must hold of any figures. */

#include "runtime/device/sim/collective.h"
#include "runtime/planner/clock/link.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

static double seconds_of(const vdnn_device_model *model, vdnn_reduce_scheme scheme, int32_t devices,
                         size_t bytes)
{
    const vdnn_rates rates = {.reduce = vdnn_collective_rates(model, scheme, devices)};
    return vdnn_link_reduce_seconds(&rates, VDNN_REDUCE_WHOLE, bytes);
}

/* Four devices a host, two of them near. */
static vdnn_device_model card(void)
{
    return (vdnn_device_model){.link = {.out_bytes_per_second = 12e9,
                                        .in_bytes_per_second = 12e9,
                                        .latency_seconds = 10e-6,
                                        .devices = 2},
                               .host = {.bytes_per_second = 60e9},
                               .peers = {.devices = 4,
                                         .near_devices = 2,
                                         .bytes_per_second = 50e9,
                                         .far_bytes_per_second = 10e9,
                                         .start_seconds = 20e-6,
                                         .hop_seconds = 5e-6,
                                         .shares_link = 1,
                                         .network_bytes_per_second = 5e9,
                                         .network_hop_seconds = 30e-6}};
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-9 * b);
}

TEST(a_ring_takes_its_latencies_and_the_least_bytes_there_can_be)
{
    const vdnn_device_model model = card();
    const double bytes = 1e8;
    assert_near(seconds_of(&model, VDNN_REDUCE_RING, 2, 100000000),
                20e-6 + 2 * 5e-6 + 2 * 1 / 2. * bytes / 50e9);
    assert_near(seconds_of(&model, VDNN_REDUCE_RING, 4, 100000000),
                20e-6 + 6 * 5e-6 + 2 * 3 / 4. * bytes / 10e9);
}

/* A sum that is taken in two steps starts twice. */
TEST(the_halves_of_a_ring_take_its_hops_and_its_bytes)
{
    const vdnn_device_model model = card();
    for (int32_t n = 2; n < 70; n++) {
        const vdnn_rates rates = {.reduce = vdnn_collective_rates(&model, VDNN_REDUCE_RING, n)};
        const vdnn_rates flat = {.reduce = {.ways = {rates.reduce.ways[0]}, .way_count = 1}};
        const double whole = vdnn_link_reduce_seconds(&flat, VDNN_REDUCE_WHOLE, 100000000);
        assert_near(vdnn_link_reduce_seconds(&rates, VDNN_REDUCE_SCATTER, 100000000) +
                        vdnn_link_reduce_seconds(&rates, VDNN_REDUCE_ALL_GATHER, 100000000),
                    whole + 20e-6);
        const vdnn_clock_task task = vdnn_link_reduce(&rates, VDNN_REDUCE_ALL_GATHER, 100000000);
        assert_near(task.seconds + task.bytes / task.rate, (whole + 20e-6) / 2);
    }
}

TEST(hosts_are_joined_by_the_faster_of_a_ring_and_trees)
{
    const vdnn_device_model model = card();
    /* 8 devices on 2 hosts: of 8 hops a round 2 are between hosts. */
    const double hop = (6 * 5e-6 + 2 * 30e-6) / 8;
    assert_near(seconds_of(&model, VDNN_REDUCE_RING, 8, 1000000000),
                20e-6 + 14 * hop + 2 * 7 / 8. * 1e9 / 5e9);
    /* 1,024 on 256 hosts: up and down 8 levels. */
    assert_near(seconds_of(&model, VDNN_REDUCE_RING, 1024, 1000000),
                20e-6 + 6 * 5e-6 + 16 * 30e-6 + 2 * 1e6 / 5e9);
}

TEST(gathering_costs_device_0_what_all_others_send)
{
    const vdnn_device_model model = card();
    assert_near(seconds_of(&model, VDNN_REDUCE_GATHER, 4, 100000000),
                20e-6 + 6 * 5e-6 + 6 * 1e8 / 10e9);
    /* Four of the seven others are on the other host. */
    assert_near(seconds_of(&model, VDNN_REDUCE_GATHER, 8, 100000000),
                20e-6 + 2 * (7 * 5e-6 + 4 * 30e-6) + 2 * 4 * 1e8 / 5e9);
}

TEST(the_host_sums_what_crosses_the_links_that_devices_share)
{
    const vdnn_device_model model = card();
    assert_near(seconds_of(&model, VDNN_REDUCE_HOST, 4, 100000000),
                20e-6 + 2 * 2 * 1e8 / 12e9 + 5 * 1e8 / 60e9);
}

TEST(the_link_to_the_host_is_taken_where_the_model_says)
{
    vdnn_device_model model = card();
    model.peers.near_shares_link = 0;
    assert_int_equal(vdnn_collective_rates(&model, VDNN_REDUCE_RING, 2).crossing,
                     VDNN_REDUCE_CROSSES_NOTHING);
    assert_int_equal(vdnn_collective_rates(&model, VDNN_REDUCE_RING, 3).crossing,
                     VDNN_REDUCE_CROSSES_ONCE);
    assert_int_equal(vdnn_collective_rates(&model, VDNN_REDUCE_HOST, 2).crossing,
                     VDNN_REDUCE_CROSSES_EACH);
}

/* Any figures that a file could have: farther is no faster. */
static vdnn_device_model any_card(vdnn_test_rng *rng)
{
    vdnn_device_model model = card();
    model.link.devices = vdnn_test_between(rng, 1, 4);
    model.peers.devices = vdnn_test_between(rng, 2, 16);
    model.peers.near_devices = vdnn_test_between(rng, 2, 16);
    model.peers.bytes_per_second = 1e9 * (double)vdnn_test_between(rng, 10, 400);
    model.peers.far_bytes_per_second = 1e9 * (double)vdnn_test_between(rng, 1, 10);
    model.peers.hop_seconds = 1e-6 * (double)vdnn_test_between(rng, 0, 20);
    model.peers.network_hop_seconds =
        model.peers.hop_seconds + 1e-6 * (double)vdnn_test_between(rng, 0, 50);
    model.peers.network_bytes_per_second = 1e8 * (double)vdnn_test_between(rng, 1, 4000);
    return model;
}

TEST(more_devices_and_more_bytes_never_take_less)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < 2000; i++) {
        const vdnn_device_model model = any_card(&rng);
        const size_t bytes = (size_t)1 << vdnn_test_between(&rng, 2, 30);
        const double least = 1 - 1e-12;
        for (int s = 0; s < VDNN_REDUCE_COUNT; s++)
            for (int32_t n = 2; n < 70; n++) {
                const vdnn_reduce_scheme scheme = (vdnn_reduce_scheme)s;
                double now = seconds_of(&model, scheme, n, bytes);
                assert_true(seconds_of(&model, scheme, n + 1, bytes) >= now * least);
                assert_true(seconds_of(&model, scheme, n, bytes + bytes / 2) >= now * least);
            }
    }
}

/* Each device sends and receives at least 2 (n - 1) / n of the bytes. */
TEST(no_ring_is_faster_than_its_bandwidth)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < 2000; i++) {
        const vdnn_device_model model = any_card(&rng);
        const double bytes = (double)vdnn_test_between(&rng, 1, 1 << 28);
        for (int32_t n = 2; n < 70; n++) {
            double rate =
                n <= model.peers.devices && n <= model.peers.near_devices
                    ? model.peers.bytes_per_second
                    : fmax(model.peers.far_bytes_per_second, model.peers.bytes_per_second);
            double bound = 2. * (n - 1) / n * bytes / rate;
            assert_true(seconds_of(&model, VDNN_REDUCE_RING, n, (size_t)bytes) >= bound);
        }
    }
}
