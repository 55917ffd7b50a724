#include "tests/support/faulty_device.h"

#include "runtime/device/device_backend.h"
#include "runtime/exec/job_runs.h"

#include <stdatomic.h>
#include <string.h>

static vdnn_test_device_fault fault;
static const vdnn_device_backend *real; /* what the adaptor is around */
static atomic_size_t counted, returned, copied, kernels;
static int32_t event_count; /* of the device; as many behind them are for copies made twice */

const char *vdnn_test_device_text(vdnn_test_device_call call)
{
    static const char *const names[] = {
#define X(name) [VDNN_TEST_DEVICE_##name] = #name,
        VDNN_TEST_DEVICE_TABLE(X)
#undef X
    };
    return names[call];
}

static bool strikes(vdnn_test_device_call call)
{
    return (fault.calls & 1U << call) != 0 && atomic_fetch_add(&counted, 1) + 1 == fault.nth;
}

static vdnn_status fail(vdnn_test_device_call call)
{
    return vdnn_status_fail(VDNN_DEVICE, "the device is made to fail at %s %zu",
                            vdnn_test_device_text(call), fault.nth);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static vdnn_status faulty_open(const char *instance, const vdnn_device_options *options,
                               vdnn_device_properties *properties, void **state)
{
    return strikes(VDNN_TEST_DEVICE_OPEN) ? fail(VDNN_TEST_DEVICE_OPEN)
                                          : real->open(instance, options, properties, state);
}

static vdnn_status faulty_resize(void *state, int32_t count)
{
    if (strikes(VDNN_TEST_DEVICE_RESIZE))
        return fail(VDNN_TEST_DEVICE_RESIZE);
    event_count = count;
    return real->resize(state, 2 * count);
}

static vdnn_status faulty_reserve(void *state, vdnn_tier tier, size_t bytes, void **base,
                                  size_t *locked_bytes)
{
    if (strikes(VDNN_TEST_DEVICE_RESERVE)) {
        /* On failure there is no block; the old one is freed. */
        (void)real->reserve(state, tier, 0, base, locked_bytes);
        return fail(VDNN_TEST_DEVICE_RESERVE);
    }
    return real->reserve(state, tier, bytes, base, locked_bytes);
}

static vdnn_status faulty_stage(void *state, size_t bytes, void **block)
{
    return strikes(VDNN_TEST_DEVICE_STAGE) ? fail(VDNN_TEST_DEVICE_STAGE)
                                           : real->stage(state, bytes, block);
}

static vdnn_status faulty_transfer(void *state, void *to, const void *from, size_t bytes)
{
    return strikes(VDNN_TEST_DEVICE_TRANSFER) ? fail(VDNN_TEST_DEVICE_TRANSFER)
                                              : real->transfer(state, to, from, bytes);
}

/* ---- operations ------------------------------------------------------------------------------ */

static vdnn_status faulty_round(void *state, int place, bool timed)
{
    return strikes(VDNN_TEST_DEVICE_ROUND) ? fail(VDNN_TEST_DEVICE_ROUND)
                                           : real->round(state, place, timed);
}

static vdnn_status fail_operation(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    return fail(VDNN_TEST_DEVICE_OPERATION);
}

static vdnn_status do_nothing(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    return VDNN_OK;
}

/* The one copy before which a bit flips. */
static vdnn_device_work flipped;

static vdnn_status flip_and_copy(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    size_t byte = fault.flip_byte < 0 ? flipped.bytes - (size_t)-fault.flip_byte
                                      : (size_t)fault.flip_byte % flipped.bytes;
    /* The bytes are the host tier's own, and only lent to the copy as const. */
    unsigned char *at = (unsigned char *)((uintptr_t)flipped.from + byte);
    *at ^= (unsigned char)(1U << fault.flip_bit);
    memcpy(flipped.to, flipped.from, flipped.bytes);
    return VDNN_OK;
}

/* In the first number of what it computed: a map, a gradient, or weights that it updated. */
static vdnn_status run_otherwise(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    vdnn_status status = vdnn_job_run_kernel(argument, stream);
    unsigned char *const first[VDNN_PASS_COUNT][2] = {
        [VDNN_FORWARD] = {job->args.y},
        [VDNN_BACKWARD_DATA] = {job->args.dx == NULL ? NULL : job->args.dx[0], job->args.dw},
        [VDNN_BACKWARD_FILTER] = {job->args.dw, job->args.w},
    };
    unsigned char *const *at = first[job->kernel->pass];
    if (at[0] != NULL)
        at[0][0] ^= 1U;
    else if (at[1] != NULL)
        at[1][0] ^= 1U;
    return status;
}

static bool is_copy(const vdnn_device_work *work, int from, int to)
{
    return work->run == NULL && work->from_end == from && work->to_end == to;
}

/* Once on an event of its own, for which nobody waits, before the one that is waited for. */
static vdnn_status enqueue_twice(void *state, const vdnn_device_work *work)
{
    vdnn_device_work first = *work;
    first.event += event_count;
    first.awaited = false;
    vdnn_status status = real->enqueue(state, &first);
    return status == VDNN_OK ? real->enqueue(state, work) : status;
}

static vdnn_status faulty_enqueue(void *state, const vdnn_device_work *work)
{
    vdnn_device_work fresh = *work;
    bool returns = is_copy(work, VDNN_TIER_HOST, VDNN_TIER_DEVICE),
         leaves = is_copy(work, VDNN_TIER_DEVICE, VDNN_TIER_HOST);
    size_t number = returns || leaves ? atomic_fetch_add(&copied, 1) + 1 : SIZE_MAX;
    if (strikes(VDNN_TEST_DEVICE_ENQUEUE))
        return fail(VDNN_TEST_DEVICE_ENQUEUE);
    if (strikes(VDNN_TEST_DEVICE_OPERATION))
        fresh.run = fail_operation;
    if (work->run == vdnn_job_run_kernel && atomic_fetch_add(&kernels, 1) + 1 == fault.differ_nth)
        fresh.run = run_otherwise;
    if (fault.skips_checks && work->run != NULL && work->stream != VDNN_STREAM_COMPUTE)
        fresh.run = do_nothing;
    if (number == fault.drop_nth)
        fresh.run = do_nothing;
    if (number == fault.double_nth)
        return enqueue_twice(state, work);
    if (returns && atomic_fetch_add(&returned, 1) + 1 == fault.flip_nth) {
        flipped = *work;
        fresh.run = flip_and_copy;
    }
    return real->enqueue(state, &fresh);
}

/* ---- begin and end --------------------------------------------------------------------------- */

void vdnn_test_device_begin(const vdnn_test_device_fault *wanted)
{
    static vdnn_device_backend backend;
    real = wanted->backend == NULL ? &vdnn_device_cpu : wanted->backend;
    backend = *real;
    backend.open = faulty_open;
    backend.resize = faulty_resize;
    backend.reserve = faulty_reserve;
    backend.stage = faulty_stage;
    backend.transfer = faulty_transfer;
    backend.round = faulty_round;
    backend.enqueue = faulty_enqueue;
    fault = *wanted;
    atomic_store(&counted, 0);
    atomic_store(&returned, 0);
    atomic_store(&copied, 0);
    atomic_store(&kernels, 0);
    vdnn_device_replace(&backend);
}

size_t vdnn_test_device_end(void)
{
    vdnn_device_replace(NULL);
    return atomic_load(&counted);
}

size_t vdnn_test_device_kernels(void)
{
    return atomic_load(&kernels);
}

size_t vdnn_test_device_returns(void)
{
    return atomic_load(&returned);
}
