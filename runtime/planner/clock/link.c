#include "runtime/planner/clock/link.h"

static double rate_of(const vdnn_rates *rates, vdnn_stream_id direction)
{
    return direction == VDNN_STREAM_OUT ? rates->copy_out_bytes_per_second
                                        : rates->copy_in_bytes_per_second;
}

vdnn_clock_task vdnn_link_copy(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes)
{
    uint32_t own = direction == VDNN_STREAM_OUT ? 1U << VDNN_LINK_OUT : 1U << VDNN_LINK_IN;
    return (vdnn_clock_task){.seconds = rates->copy_latency_seconds,
                             .bytes = (double)bytes,
                             .rate = rate_of(rates, direction),
                             .channels = own | 1U << VDNN_LINK_BOTH,
                             .stream = (int32_t)direction};
}

double vdnn_link_seconds(const vdnn_rates *rates, vdnn_stream_id direction, size_t bytes)
{
    return rates->copy_latency_seconds + (double)bytes / rate_of(rates, direction);
}

const double *vdnn_link_channels(const vdnn_rates *rates, int devices,
                                 double channels[VDNN_LINK_CHANNELS])
{
    double out = rates->copy_out_bytes_per_second, in = rates->copy_in_bytes_per_second;
    double larger = out > in ? out : in, both = rates->copy_both_bytes_per_second;
    channels[VDNN_LINK_OUT] = out;
    channels[VDNN_LINK_IN] = in;
    channels[VDNN_LINK_BOTH] = both <= 0 ? out + in : both < larger ? larger : both;
    return devices > 1 || channels[VDNN_LINK_BOTH] < out + in ? channels : NULL;
}
