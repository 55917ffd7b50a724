/* What copies and compute take from each other, measured by a clock of this test: launches of a
 * fixed time, copies of a fixed rate, and while these run launches that pass more slowly. */

#include "runtime/device/device_backend.h"
#include "runtime/measure/measure.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

static const double launch_seconds = 1e-3;

/* By direction: the rate of a copy beside compute, and how many times as long compute takes. */
typedef struct pressure {
    double rate, factor;
} pressure;

static struct {
    pressure out, in;
    int disturbed; /* the round that takes far longer; -1: none */
    int rounds;
    vdnn_stream_id copies;                       /* of this round; the compute stream: none */
    size_t bytes;                                /* of each */
    int32_t copy_count, most_copies, first_copy; /* the latter the first one's event */
} clock_;

static vdnn_status begin_round(void *state, int place, bool timed)
{
    clock_.rounds++;
    clock_.copies = VDNN_STREAM_COMPUTE;
    clock_.copy_count = 0;
    return vdnn_device_cpu.round(state, place, timed);
}

/* Nothing is done: all times are the clock's. */
static vdnn_status note_work(void *state, const vdnn_device_work *work)
{
    (void)state;
    if (work->run == NULL) {
        clock_.copies = work->stream;
        clock_.bytes = work->bytes;
        clock_.first_copy = clock_.copy_count == 0 ? work->event : clock_.first_copy;
        clock_.copy_count++;
        if (clock_.copy_count > clock_.most_copies)
            clock_.most_copies = clock_.copy_count;
    }
    return VDNN_OK;
}

/* When so many seconds of compute are done: beside copies of `copy` seconds they pass at 1 /
 * factor.
 */
static double done_at(double seconds, double copy, double factor)
{
    double beside = copy / factor;
    return seconds < beside ? seconds * factor : copy + (seconds - beside);
}

static void read_times(const void *state, int place, int32_t event, double *start, double *end)
{
    enum { DISTURBED = 8 };
    const pressure *own = clock_.copies == VDNN_STREAM_OUT ? &clock_.out : &clock_.in;
    const double copy = clock_.copy_count > 0 ? (double)clock_.bytes / own->rate : 0,
                 copies = copy * clock_.copy_count,
                 longer = clock_.rounds == clock_.disturbed ? DISTURBED : 1;
    const int32_t number = event - clock_.first_copy;
    const bool is_copy = clock_.copy_count > 0 && number >= 0 && number < clock_.copy_count;
    (void)state, (void)place;
    *start = is_copy ? longer * copy * number
                     : longer * done_at(event * launch_seconds, copies, own->factor);
    *end = is_copy ? longer * copy * (number + 1)
                   : longer * done_at((event + 1) * launch_seconds, copies, own->factor);
}

static void measure_for(size_t working_bytes, double rates[VDNN_PROFILE_RATE_COUNT])
{
    static vdnn_device_backend backend;
    vdnn_device *device = NULL;
    vdnn_measure *own = NULL;
    backend = vdnn_device_cpu;
    backend.round = begin_round;
    backend.enqueue = note_work;
    backend.times = read_times;
    vdnn_device_replace(&backend);
    clock_.rounds = 0;
    assert_ok(vdnn_device_open("cpu", &(vdnn_device_options){.threads = 1}, &device));
    assert_ok(vdnn_measure_create(device, working_bytes, &own));
    assert_ok(vdnn_measure_rates(own, rates));
    vdnn_measure_destroy(own);
    vdnn_device_close(device);
    vdnn_device_replace(NULL);
}

static void measure(double rates[VDNN_PROFILE_RATE_COUNT])
{
    measure_for(1 << 20, rates);
}

static void expect(const double rates[VDNN_PROFILE_RATE_COUNT], double out, double in)
{
    const double little = 1e-6;
    assert_true(fabs(rates[VDNN_PROFILE_RATE_copy_out_slows_products] - out) < little);
    assert_true(fabs(rates[VDNN_PROFILE_RATE_copy_out_slows_moves] - out) < little);
    assert_true(fabs(rates[VDNN_PROFILE_RATE_copy_in_slows_products] - in) < little);
    assert_true(fabs(rates[VDNN_PROFILE_RATE_copy_in_slows_moves] - in) < little);
    assert_true(fabs(rates[VDNN_PROFILE_RATE_copy_out_beside_bytes_per_second] / clock_.out.rate -
                     1) < little);
    assert_true(fabs(rates[VDNN_PROFILE_RATE_copy_in_beside_bytes_per_second] / clock_.in.rate -
                     1) < little);
}

TEST(each_direction_has_its_factor_and_its_rate)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    clock_.disturbed = -1;
    clock_.out = (pressure){6e9, 1.5};
    clock_.in = (pressure){4e9, 4};
    measure(rates);
    expect(rates, 1.5, 4);
}

/* Also where the copies outlast compute: 3 of 32 MiB take longer than 32 launches then. */
TEST(a_large_network_is_measured_beside_several_copies)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    clock_.disturbed = -1;
    for (int slow = 1; slow <= 16; slow *= 4) {
        clock_.most_copies = 0;
        clock_.out = (pressure){24e9 / slow, 1.5};
        clock_.in = (pressure){16e9 / slow, 4};
        measure_for((size_t)1 << 27, rates);
        expect(rates, 1.5, 4);
        assert_int_equal(clock_.most_copies, 3);
    }
}

TEST(what_slows_nothing_has_factor_1)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    clock_.disturbed = -1;
    clock_.out = clock_.in = (pressure){6e9, 1};
    measure(rates);
    expect(rates, 1, 1);
}

/* Faster beside a copy than alone, or slower than without any progress, is a disturbance. */
TEST(no_factor_is_below_1_or_without_end)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    clock_.disturbed = -1;
    clock_.out = (pressure){6e9, 0.5};
    clock_.in = (pressure){6e9, 1e6};
    measure(rates);
    expect(rates, 1, 50);
}

TEST(one_disturbed_run_changes_nothing)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    clock_.disturbed = -1;
    clock_.out = (pressure){6e9, 1.5};
    clock_.in = (pressure){4e9, 4};
    measure(rates);
    int rounds = clock_.rounds;
    /* The last pairs: how many launches cover a copy is found before. */
    for (int i = 0; i < 6; i += 2) {
        clock_.disturbed = rounds - i;
        measure(rates);
        expect(rates, 1.5, 4);
    }
}
