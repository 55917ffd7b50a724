#include "runtime/device/sim/collective.h"

#include <math.h>

/* Devices as they are joined. */
typedef struct joined {
    const vdnn_device_model *model;
    double devices, hosts, on_host; /* of all; of one host */
    double bytes_per_second;        /* of a ring inside a host, each way */
    vdnn_reduce_crossing crossing;  /* of such a ring */
} joined;

static joined join(const vdnn_device_model *model, int32_t devices)
{
    double on_host = fmin(devices, (double)model->peers.devices);
    bool is_near = on_host <= (double)model->peers.near_devices;
    double rate = is_near ? model->peers.bytes_per_second : model->peers.far_bytes_per_second;
    int64_t shares = is_near ? model->peers.near_shares_link : model->peers.shares_link;
    double link = fmin(model->link.out_bytes_per_second, model->link.in_bytes_per_second);
    return (joined){.model = model,
                    .devices = devices,
                    .hosts = ceil(devices / on_host),
                    .on_host = on_host,
                    .bytes_per_second = rate > 0 ? rate : link,
                    .crossing =
                        shares != 0 ? VDNN_REDUCE_CROSSES_ONCE : VDNN_REDUCE_CROSSES_NOTHING};
}

/* Of a ring or tree through all of them. */
static double slowest_rate(const joined *all)
{
    double network = all->model->peers.network_bytes_per_second;
    return all->hosts > 1 ? fmin(all->bytes_per_second, network) : all->bytes_per_second;
}

/* A round of a ring has as many hops as devices, one from each host to the next. */
static double ring_hop_seconds(const joined *all)
{
    double between = all->hosts > 1 ? all->hosts / all->devices : 0;
    return (1 - between) * all->model->peers.hop_seconds +
           between * all->model->peers.network_hop_seconds;
}

/* Up and down a tree of the hosts. */
static double tree_hops_seconds(const joined *all)
{
    return 2 * ceil(log2(all->hosts)) * all->model->peers.network_hop_seconds;
}

static vdnn_reduce_rates ring(const joined *all)
{
    const vdnn_device_model *model = all->model;
    const double others = all->devices - 1;
    const vdnn_reduce_way flat = {model->peers.start_seconds + 2 * others * ring_hop_seconds(all),
                                  2 * others / all->devices, slowest_rate(all)};
    const double chain_seconds = 2 * (all->on_host - 1) * model->peers.hop_seconds;
    const vdnn_reduce_way tree = {
        model->peers.start_seconds + chain_seconds + tree_hops_seconds(all), 2, slowest_rate(all)};
    const vdnn_reduce_way half = {model->peers.start_seconds + others * ring_hop_seconds(all),
                                  others / all->devices, slowest_rate(all)};
    return (vdnn_reduce_rates){.ways = {flat, tree},
                               .way_count = all->hosts > 1 ? 2 : 1,
                               .half = half,
                               .crossing = all->crossing};
}

static vdnn_reduce_rates gather(const joined *all)
{
    const vdnn_device_model *model = all->model;
    const double others = all->devices - 1, far = all->devices - all->on_host;
    const double seconds_per_byte =
        fmax(others / all->bytes_per_second, far / model->peers.network_bytes_per_second);
    const double hops_seconds =
        others * model->peers.hop_seconds + far * model->peers.network_hop_seconds;
    return (vdnn_reduce_rates){
        .ways = {{model->peers.start_seconds + 2 * hops_seconds, 2 * others,
                  others / seconds_per_byte}},
        .way_count = 1,
        .crossing = all->crossing,
    };
}

static vdnn_reduce_rates through_host(const joined *all)
{
    const vdnn_device_model *model = all->model;
    const double sharing = fmin((double)model->link.devices, all->on_host);
    const double copies =
        sharing / model->link.out_bytes_per_second + sharing / model->link.in_bytes_per_second;
    const double sums = (all->on_host + 1) / model->host.bytes_per_second;
    const double between = all->hosts > 1 ? 2 / model->peers.network_bytes_per_second : 0;
    return (vdnn_reduce_rates){
        .ways = {{2 * model->link.latency_seconds + tree_hops_seconds(all), 2,
                  2 / (copies + sums + between)}},
        .way_count = 1,
        .crossing = VDNN_REDUCE_CROSSES_EACH,
    };
}

vdnn_reduce_rates vdnn_collective_rates(const vdnn_device_model *model, vdnn_reduce_scheme scheme,
                                        int32_t devices)
{
    static vdnn_reduce_rates (*const schemes[VDNN_REDUCE_COUNT])(const joined *) = {
        [VDNN_REDUCE_RING] = ring,
        [VDNN_REDUCE_GATHER] = gather,
        [VDNN_REDUCE_HOST] = through_host,
    };
    const joined all = join(model, devices);
    vdnn_reduce_rates rates = schemes[scheme](&all);
    rates.compute_share = model->peers.compute_share;
    return rates;
}
