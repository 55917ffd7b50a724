#include "runtime/planner/clock/link.h"

#include <stddef.h>
#include <string.h>

/* Bytes per second alone, and beside compute, channels and way of the copies of each stream. */
static const struct {
    size_t rate, beside_rate; /* where they are in vdnn_rates */
    uint32_t channels;
    vdnn_clock_way way;
} rows[VDNN_STREAM_COUNT] = {
    [VDNN_STREAM_OUT] = {offsetof(vdnn_rates, copy_out_bytes_per_second),
                         offsetof(vdnn_rates, copy_out_beside_bytes_per_second),
                         1U << VDNN_LINK_OUT | 1U << VDNN_LINK_BOTH, VDNN_CLOCK_OUT},
    [VDNN_STREAM_IN] = {offsetof(vdnn_rates, copy_in_bytes_per_second),
                        offsetof(vdnn_rates, copy_in_beside_bytes_per_second),
                        1U << VDNN_LINK_IN | 1U << VDNN_LINK_BOTH, VDNN_CLOCK_IN},
    [VDNN_STREAM_SPILL] = {offsetof(vdnn_rates, spill_bytes_per_second), 0, 0,
                           VDNN_CLOCK_ELSEWHERE},
    [VDNN_STREAM_FILL] = {offsetof(vdnn_rates, fill_bytes_per_second), 0, 0, VDNN_CLOCK_ELSEWHERE},
};

static double rate_at(const vdnn_rates *rates, size_t at)
{
    double rate;
    memcpy(&rate, (const char *)rates + at, sizeof rate);
    return rate;
}

static double rate_of(const vdnn_rates *rates, vdnn_stream_id direction)
{
    return rate_at(rates, rows[direction].rate);
}

/* 0: as alone. */
static double beside_rate_of(const vdnn_rates *rates, vdnn_stream_id direction)
{
    double beside = rows[direction].way == VDNN_CLOCK_ELSEWHERE
                        ? 0
                        : rate_at(rates, rows[direction].beside_rate);
    return beside < rate_of(rates, direction) ? beside : 0;
}

/* How many times as long compute of each kind takes beside copies of a way, likewise. */
static const size_t factors[VDNN_COMPUTE_KINDS][VDNN_CLOCK_WAYS] = {
    [VDNN_COMPUTE_PRODUCT] = {[VDNN_CLOCK_OUT] = offsetof(vdnn_rates, copy_out_slows_products),
                              [VDNN_CLOCK_IN] = offsetof(vdnn_rates, copy_in_slows_products)},
    [VDNN_COMPUTE_MOVING] = {[VDNN_CLOCK_OUT] = offsetof(vdnn_rates, copy_out_slows_moves),
                             [VDNN_CLOCK_IN] = offsetof(vdnn_rates, copy_in_slows_moves)}};

/* 0: it is not slowed. */
static double factor_of(const vdnn_rates *rates, vdnn_compute_kind kind, vdnn_clock_way way)
{
    const size_t at = factors[kind][way];
    return at == 0 ? 0 : rate_at(rates, at);
}

static bool slows_compute(const vdnn_rates *rates)
{
    bool slows = false;
    for (int k = 0; k < VDNN_COMPUTE_KINDS; k++)
        for (int w = 0; w < VDNN_CLOCK_WAYS; w++)
            slows = slows || factor_of(rates, (vdnn_compute_kind)k, (vdnn_clock_way)w) > 1;
    return slows;
}

vdnn_clock_task vdnn_link_compute(const vdnn_rates *rates, vdnn_stream_id stream,
                                  vdnn_compute_kind kind, double seconds)
{
    vdnn_clock_task task = {.seconds = seconds, .stream = (int32_t)stream};
    for (int w = 0; w < VDNN_CLOCK_WAYS; w++) {
        double factor = factor_of(rates, kind, (vdnn_clock_way)w);
        task.slowed[w] = factor > 1 ? factor - 1 : 0;
    }
    return task;
}

vdnn_clock_task vdnn_link_copy(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes)
{
    return (vdnn_clock_task){.seconds = rates->copy_latency_seconds,
                             .bytes = (double)bytes,
                             .rate = rate_of(rates, direction),
                             .beside_rate = beside_rate_of(rates, direction),
                             .way = rows[direction].way,
                             .channels = rows[direction].channels,
                             .stream = (int32_t)direction};
}

double vdnn_link_seconds(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes)
{
    return rates->copy_latency_seconds + (double)bytes / rate_of(rates, direction);
}

static double way_seconds(const vdnn_reduce_way *way, size_t bytes)
{
    return way->latency_seconds + way->traffic * (double)bytes / way->bytes_per_second;
}

static const vdnn_reduce_way *fastest_way(const vdnn_reduce_rates *reduce, vdnn_reduce_part part,
                                          size_t bytes)
{
    if (part != VDNN_REDUCE_WHOLE)
        return &reduce->half;
    const vdnn_reduce_way *best = &reduce->ways[0];
    for (int i = 1; i < reduce->way_count; i++)
        if (way_seconds(&reduce->ways[i], bytes) < way_seconds(best, bytes))
            best = &reduce->ways[i];
    return best;
}

double vdnn_link_reduce_seconds(const vdnn_rates *rates, vdnn_reduce_part part, size_t bytes)
{
    return way_seconds(fastest_way(&rates->reduce, part, bytes), bytes);
}

vdnn_clock_task vdnn_link_reduce(const vdnn_rates *rates, vdnn_reduce_part part, size_t bytes)
{
    const vdnn_reduce_way *way = fastest_way(&rates->reduce, part, bytes);
    bool crosses = rates->reduce.crossing != VDNN_REDUCE_CROSSES_NOTHING;
    return (vdnn_clock_task){
        .seconds = way->latency_seconds,
        .bytes = way->traffic * (double)bytes,
        .rate = way->bytes_per_second,
        .channels = crosses ? 1U << VDNN_LINK_OUT | 1U << VDNN_LINK_IN | 1U << VDNN_LINK_BOTH : 0,
        .stream = VDNN_STREAM_REDUCE};
}

const double *vdnn_link_channels(const vdnn_rates *rates, int devices,
                                 double channels[VDNN_LINK_CHANNELS])
{
    double out = rates->copy_out_bytes_per_second, in = rates->copy_in_bytes_per_second;
    double larger = out > in ? out : in, both = rates->copy_both_bytes_per_second;
    channels[VDNN_LINK_OUT] = out;
    channels[VDNN_LINK_IN] = in;
    channels[VDNN_LINK_BOTH] = both <= 0 ? out + in : both < larger ? larger : both;
    bool sums =
        rates->reduce.way_count > 0 && rates->reduce.crossing != VDNN_REDUCE_CROSSES_NOTHING;
    bool shares = devices > 1 || sums || channels[VDNN_LINK_BOTH] < out + in;
    return shares || slows_compute(rates) ? channels : NULL;
}
