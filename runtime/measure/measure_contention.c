/* What copies and compute take from each other: memory bandwidth, and on the CPU cores.
 *
 *     compute  | launch | launch | launch | launch | launch | launch |      alone: K seconds
 *
 *     compute  | launch | launch | la..unch | la..unch | launch | launch |  beside: K' seconds
 *     copies   |=== bytes ===|=== bytes ====|                               T seconds
 *              |<---------- O ------------->|
 *
 * The copies are of bytes that no cache has, as maps are when they are offloaded. In the O = min(T,
 * K') seconds beside them compute did what takes K - (K' - O) alone: O / (K - (K' - O)) times as
 * long. A moment in which others compute is short beside a long run: those of large networks, whose
 * plans copy much, are longer.
 */

#include "runtime/measure/measure_internal.h"

#include <math.h>

enum {
    RUNS = 7,                   /* of each pair, alone and beside; the middle ones count */
    MOST_LAUNCHES = 32,         /* of a run; the copies' events are behind theirs */
    LEAST_BYTES = 4 << 20,      /* of a copy */
    MOST_BYTES = 64 << 20,      /* larger than most caches, so that it comes from memory */
    SHARE = 4,                  /* of the network's data that is copied */
    BYTES_OF_COPIES = 16 << 20, /* for so many a run has one more copy, */
    MOST_COPIES = 3,            /* up to so many */
    SIDE = 512,                 /* of a product's matrices, which a core's caches hold */
    PRODUCT_ARRAYS = 3          /* its factors and itself */
};

/* Compute takes this many times as long as the copies alone. */
static const double cover = 3;

/* Of the copies' time, the most that compute is taken to have stood still: more is a disturbance,
 * and then, where they are hidden, no better known. */
static const double most_lost = 0.98;

/* Nor has it lost more than this many times what the copies take alone: a core for that long, and
 * as much again for memory. Where others compute too, the two times of compute differ by more. */
static const double most_copies = 2;

/* Below the resolution of any clock. */
static const double least_seconds = 1e-9;

/* ---- what is run ----------------------------------------------------------------------------- */

typedef struct beside {
    vdnn_measure *measure;
    size_t copied_bytes; /* by each copy: behind the operands, and as many of the host tier */
    int32_t copies;      /* of a run */
    vdnn_extent operands;
    int32_t launches; /* of a run */
} beside;

static vdnn_status run_product(void *argument, void *stream)
{
    const beside *own = argument;
    return own->measure->conditions->multiply((float *)(void *)vdnn_measure_base(own->measure),
                                              SIDE, own->measure->properties->threads, stream);
}

static vdnn_status run_moves(void *argument, void *stream)
{
    const beside *own = argument;
    const int64_t count =
        (int64_t)(own->operands.bytes / sizeof(float) / VDNN_MEASURE_UPDATE_ARRAYS);
    return vdnn_measure_run_update(own->measure, count, stream);
}

/* By kind of compute: where its factors are. */
static const struct {
    vdnn_status (*run)(void *argument, void *stream);
    vdnn_profile_rate out, in;
} kinds[] = {
    {run_moves, VDNN_PROFILE_RATE_copy_out_slows_moves, VDNN_PROFILE_RATE_copy_in_slows_moves},
    {run_product, VDNN_PROFILE_RATE_copy_out_slows_products,
     VDNN_PROFILE_RATE_copy_in_slows_products},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static vdnn_status enqueue_copy(const beside *own, vdnn_stream_id stream, int32_t number)
{
    vdnn_extent host = {VDNN_TIER_HOST, 0, own->copied_bytes};
    vdnn_extent device = vdnn_measure_extent(own->measure, own->operands.bytes, own->copied_bytes);
    bool is_out = stream == VDNN_STREAM_OUT;
    return vdnn_device_copy(own->measure->device, stream, MOST_LAUNCHES + number, NULL, 0,
                            is_out ? host : device, is_out ? device : host);
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct times {
    double compute, copies; /* seconds */
} times;

/* `count` launches, 0: none; and copies on `stream`, on the compute stream: none. */
static vdnn_status run_once(beside *own, vdnn_status (*run)(void *, void *), int32_t count,
                            vdnn_stream_id stream, times *taken)
{
    vdnn_device *device = own->measure->device;
    const vdnn_launch launch = {
        .run = run, .argument = own, .extents = &own->operands, .extent_count = 1};
    double begin, start, end;
    vdnn_status status = vdnn_device_round(device);
    for (int32_t i = 0; status == VDNN_OK && i < count; i++)
        status = vdnn_device_launch(device, VDNN_STREAM_COMPUTE, i, NULL, 0, &launch);
    for (int32_t i = 0; status == VDNN_OK && stream != VDNN_STREAM_COMPUTE && i < own->copies; i++)
        status = enqueue_copy(own, stream, i);
    vdnn_status late = vdnn_device_synchronize(device);
    VDNN_IF_OK(status, late);
    if (status != VDNN_OK)
        return status;
    *taken = (times){0};
    if (count > 0) {
        vdnn_device_times(device, 0, &begin, &end);
        vdnn_device_times(device, count - 1, &start, &end);
        taken->compute = end - begin;
    }
    if (stream != VDNN_STREAM_COMPUTE) {
        vdnn_device_times(device, MOST_LAUNCHES, &begin, &end);
        vdnn_device_times(device, MOST_LAUNCHES + own->copies - 1, &start, &end);
        taken->copies = end - begin;
    }
    return VDNN_OK;
}

/* How many launches cover the copies. */
static vdnn_status count_launches(beside *own, vdnn_status (*run)(void *, void *))
{
    times warm, one, copy;
    vdnn_status status = run_once(own, run, 1, VDNN_STREAM_OUT, &warm);
    VDNN_IF_OK(status, run_once(own, run, 1, VDNN_STREAM_COMPUTE, &one));
    VDNN_IF_OK(status, run_once(own, run, 0, VDNN_STREAM_OUT, &copy));
    if (status != VDNN_OK)
        return status;
    double count = ceil(cover * copy.copies / fmax(one.compute, least_seconds));
    own->launches = (int32_t)fmin(fmax(count, 2), MOST_LAUNCHES);
    return VDNN_OK;
}

/* ---- a kind of compute beside a direction ---------------------------------------------------- */

/* Sorts them. */
static double middle(double values[RUNS])
{
    for (int i = 1; i < RUNS; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            double smaller = values[k];
            values[k] = values[k - 1];
            values[k - 1] = smaller;
        }
    return values[RUNS / 2];
}

/* What compute did beside the copies would have taken so long alone, as a share of that time. */
static double progress_of(const times *alone, const times *both)
{
    const double seconds = fmax(fmin(both->copies, both->compute), least_seconds);
    return 1 - (both->compute - alone->compute) / seconds;
}

/* Compute alone, beside copies, and copies alone. In turns, so that a moment in which others
 * compute disturbs all. */
static vdnn_status run_turn(beside *own, vdnn_status (*run)(void *, void *), vdnn_stream_id stream,
                            times *alone, times *both, times *copies)
{
    vdnn_status status = run_once(own, run, own->launches, VDNN_STREAM_COMPUTE, alone);
    VDNN_IF_OK(status, run_once(own, run, own->launches, stream, both));
    return status == VDNN_OK ? run_once(own, run, 0, stream, copies) : status;
}

/* *factor: how many times as long compute takes; *rate: bytes a second of the copies. */
static vdnn_status measure_pair(beside *own, vdnn_status (*run)(void *, void *),
                                vdnn_stream_id stream, double *factor, double *rate)
{
    double progress[RUNS], copied[RUNS], copied_alone[RUNS];
    for (int i = 0; i < RUNS; i++) {
        times alone, both, copies;
        VDNN_TRY(run_turn(own, run, stream, &alone, &both, &copies));
        progress[i] = progress_of(&alone, &both);
        copied[i] = both.copies;
        copied_alone[i] = copies.copies;
    }
    const double seconds = fmax(middle(copied), least_seconds);
    const double most = fmin(most_lost, most_copies * middle(copied_alone) / seconds);
    *factor = 1 / fmin(fmax(middle(progress), 1 - most), 1);
    *rate = (double)own->copied_bytes * own->copies / seconds;
    return VDNN_OK;
}

/* The copies' rates are those beside products: where a step takes its time. */
static vdnn_status measure_kind(beside *own, int kind, double rates[VDNN_PROFILE_RATE_COUNT])
{
    double *out = &rates[kinds[kind].out], *in = &rates[kinds[kind].in];
    VDNN_TRY(count_launches(own, kinds[kind].run));
    VDNN_TRY(measure_pair(own, kinds[kind].run, VDNN_STREAM_OUT, out,
                          &rates[VDNN_PROFILE_RATE_copy_out_beside_bytes_per_second]));
    return measure_pair(own, kinds[kind].run, VDNN_STREAM_IN, in,
                        &rates[VDNN_PROFILE_RATE_copy_in_beside_bytes_per_second]);
}

static size_t copied_bytes_of(const vdnn_measure *measure)
{
    size_t share = measure->working_bytes / SHARE;
    share = share < LEAST_BYTES ? LEAST_BYTES : share > MOST_BYTES ? MOST_BYTES : share;
    return share / VDNN_ALIGNMENT * VDNN_ALIGNMENT;
}

static void take_as_alone(double rates[VDNN_PROFILE_RATE_COUNT])
{
    rates[VDNN_PROFILE_RATE_copy_out_beside_bytes_per_second] =
        rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second];
    rates[VDNN_PROFILE_RATE_copy_in_beside_bytes_per_second] =
        rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second];
    for (int k = 0; k < KINDS; k++)
        rates[kinds[k].out] = rates[kinds[k].in] = 1;
}

vdnn_status vdnn_measure_contention(vdnn_measure *measure, double rates[VDNN_PROFILE_RATE_COUNT])
{
    const size_t product_bytes = PRODUCT_ARRAYS * sizeof(float) * SIDE * SIDE;
    beside own = {.measure = measure, .copied_bytes = copied_bytes_of(measure)};
    const size_t copies = 1 + own.copied_bytes / BYTES_OF_COPIES;
    own.copies = copies < MOST_COPIES ? (int32_t)copies : MOST_COPIES;
    size_t operand_bytes = own.copied_bytes > product_bytes ? own.copied_bytes : product_bytes;
    own.operands = vdnn_measure_extent(measure, 0, operand_bytes);
    take_as_alone(rates);
    vdnn_status status = vdnn_measure_need(measure, operand_bytes + own.copied_bytes);
    if (status == VDNN_DEVICE) /* it has less memory than that: as if they took nothing */
        return VDNN_OK;
    VDNN_IF_OK(status, vdnn_measure_fill(measure, operand_bytes + own.copied_bytes));
    VDNN_IF_OK(status, vdnn_device_reserve(measure->device, VDNN_TIER_HOST, own.copied_bytes));
    measure->filled_bytes = 0; /* operands are written */
    for (int k = 0; status == VDNN_OK && k < KINDS; k++) {
        bool is_lacking = kinds[k].run == run_product && measure->conditions->multiply == NULL;
        if (!is_lacking)
            status = measure_kind(&own, k, rates);
    }
    (void)vdnn_device_reserve(measure->device, VDNN_TIER_HOST, 0);
    return status;
}
