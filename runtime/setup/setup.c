#include "runtime/setup/setup.h"

#include "alloc/allocator.h"
#include "alloc/file_tier.h"
#include "runtime/base/heap.h"
#include "runtime/base/machine/cores.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/text.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/exec/redzone.h"
#include "runtime/measure/measure_disk.h"
#include "runtime/profile/profile_store.h"
#include "runtime/setup/devices/several_devices.h"

#include <stdio.h>
#include <string.h>

/* The nearest name, which may be that of a card without what says that it is simulated; "gpu" is
 * spelled like "cpu", but means a card. */
static const char *device_hint(char *hint, size_t size, const char *name)
{
    static const char *const names[] = {"auto", "cpu", "cuda", "sim"};
    char *path = NULL;
    if (strncmp(name, "gpu", 3) == 0)
        (void)snprintf(hint, size, " (did you mean cuda%s?)", name[3] == ':' ? name + 3 : "");
    else if (vdnn_device_model_find(name, &path) == VDNN_OK)
        (void)snprintf(hint, size, " (did you mean sim:%s?)", name);
    else
        (void)vdnn_text_hint(hint, size, name, names, 4);
    vdnn_heap_free(path);
    return hint;
}

vdnn_status vdnn_setup_resolve_device(const char *name, const char **kind)
{
    char hint[128];
    if (strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0) {
        *kind = "cpu";
        return VDNN_OK;
    }
    bool is_cuda = strcmp(name, "cuda") == 0 || strncmp(name, "cuda:", 5) == 0;
    if (is_cuda && !vdnn_device_is_built(name))
        return vdnn_status_fail(VDNN_DEVICE,
                                "no CUDA device: this build has none; use --device cpu");
    if (is_cuda || (strncmp(name, "sim:", 4) == 0 && name[4] != '\0')) {
        *kind = name;
        return VDNN_OK;
    }
    if (strncmp(name, "sim", 3) == 0 && (name[3] == '\0' || name[3] == ':'))
        return vdnn_status_fail(VDNN_USAGE,
                                "--device %s: expected sim:NAME, where NAME is a file of "
                                "models/devices or a path, for example sim:titan-x-maxwell",
                                name);
    return vdnn_status_fail(VDNN_USAGE,
                            "--device: there is no '%s'%s; one of auto, cpu, cuda[:N], "
                            "sim:NAME",
                            name, device_hint(hint, sizeof hint, name));
}

static vdnn_status read_size(const char *option, const char *text, size_t whole, size_t *bytes)
{
    vdnn_status status = vdnn_text_parse_size(text, whole, bytes);
    return status == VDNN_OK ? status : vdnn_status_prefix(status, "%s", option);
}

vdnn_status vdnn_setup_budgets(const char *device_mem, const char *host_mem,
                               const vdnn_device_properties *properties, size_t available_bytes,
                               size_t budget_bytes[VDNN_TIER_COUNT])
{
    size_t safe = available_bytes / 10 * 8;
    bool shared = properties->shares_host_memory;
    size_t device_share = shared ? safe / 10 * 6 : properties->free_bytes;
    size_t host_share = shared                  ? safe / 10 * 4
                        : properties->simulated ? properties->host_free_bytes
                                                : safe;
    size_t host_whole = properties->simulated ? properties->host_free_bytes : vdnn_memory_total();
    size_t device = device_share, host = host_share;
    vdnn_status status = VDNN_OK;
    if (device_mem != NULL)
        status = read_size("--device-mem", device_mem, properties->memory_bytes, &device);
    if (status == VDNN_OK && host_mem != NULL)
        status = read_size("--host-mem", host_mem, host_whole, &host);
    if (status != VDNN_OK)
        return status;
    if (shared && device_mem != NULL && host_mem == NULL && device < safe - host_share)
        host = safe - device;
    if (shared && host_mem != NULL && device_mem == NULL && host < safe - device_share)
        device = safe - host;
    budget_bytes[VDNN_TIER_DEVICE] = device;
    budget_bytes[VDNN_TIER_HOST] = host;
    return VDNN_OK;
}

/* Of one budget over both the host has `host_bytes`, or what the device cannot have. */
static void divide_unified(vdnn_setup *setup, size_t host_bytes)
{
    const vdnn_device_properties *properties = &setup->properties;
    const size_t rest = setup->unified_bytes - host_bytes;
    const bool is_limited = !properties->shares_host_memory && rest > properties->free_bytes;
    const size_t device = is_limited ? properties->free_bytes : rest;
    setup->budget_bytes[VDNN_TIER_DEVICE] = device;
    setup->budget_bytes[VDNN_TIER_HOST] = setup->unified_bytes - device;
}

static vdnn_status share_unified(const char *unified_mem, vdnn_setup *setup)
{
    const vdnn_device_properties *properties = &setup->properties;
    const size_t host = properties->shares_host_memory ? 0
                        : properties->simulated        ? properties->host_free_bytes
                                                       : vdnn_memory_total();
    VDNN_TRY(read_size("--unified-mem", unified_mem, properties->memory_bytes + host,
                       &setup->unified_bytes));
    divide_unified(setup, 0);
    return VDNN_OK;
}

bool vdnn_setup_divide(vdnn_setup *setup, const size_t need_bytes[VDNN_TIER_COUNT])
{
    const size_t host_bytes = need_bytes[VDNN_TIER_HOST], all = setup->unified_bytes;
    if (host_bytes <= setup->budget_bytes[VDNN_TIER_HOST] || host_bytes > all ||
        need_bytes[VDNN_TIER_DEVICE] > all - host_bytes)
        return false;
    divide_unified(setup, host_bytes);
    return true;
}

/* More than any plan for the graph has steps: the passes, copies, updates, sums and joins of each
 * layer. */
static int most_events(const vdnn_graph *graph)
{
    return graph->micro_batches * (16 * graph->layer_count + 8 * graph->map_count) + 64;
}

/* That of the first device. */
static vdnn_status take_share(const vdnn_setup *setup, vdnn_graph_options *options)
{
    options->step_batch = options->batch == 0 ? setup->model->batch : options->batch;
    if (options->step_batch < options->devices)
        return vdnn_status_fail(VDNN_USAGE, "--devices: %d devices cannot share a batch of %lld",
                                (int)options->devices, (long long)options->step_batch);
    options->batch = vdnn_graph_share(options->step_batch, options->devices, 0);
    options->gathers = options->reduce == VDNN_REDUCE_GATHER && setup->properties.is_apart;
    return VDNN_OK;
}

/* Of stages as many as keep most of them busy, if the batch has that many samples. */
static int32_t micro_batches(const vdnn_run_options *options, const vdnn_model *model)
{
    enum { MICRO_BATCHES_PER_STAGE = 4 };
    const int64_t batch =
        options->ask.batch == 0 && model != NULL ? model->batch : options->ask.batch;
    int64_t count = options->ask.accumulate;
    if (count == 0 && options->stages > 0)
        count = (int64_t)MICRO_BATCHES_PER_STAGE * options->stages;
    return (int32_t)(options->ask.accumulate == 0 && count > batch ? batch : count);
}

static vdnn_status read_graph(const vdnn_run_options *options, vdnn_setup *setup)
{
    vdnn_status status = VDNN_OK;
    if (options->ask.network == NULL)
        status = vdnn_model_load(options->ask.model, &setup->loaded);
    setup->model = options->ask.network == NULL ? setup->loaded : options->ask.network;
    vdnn_graph_options graph_options = {.batch = options->ask.batch,
                                        .devices = options->devices,
                                        .reduce = options->reduce,
                                        .shards = options->shards,
                                        .micro_batches = micro_batches(options, setup->model),
                                        .rules = options->rules,
                                        .dtype = options->dtype,
                                        .preferred = setup->properties.preferred,
                                        .unfused = !setup->properties.fuses_relu,
                                        .pools_first = setup->properties.pools_first,
                                        .copies_weights = setup->properties.copies_weights,
                                        .is_frozen = vdnn_run_options_only_score(&options->ask),
                                        .zone_bytes =
                                            options->ask.trust->poison ? VDNN_REDZONE_BYTES : 0,
                                        .optimizer = options->optimizer};
    if (status == VDNN_OK && options->devices > 1)
        status = take_share(setup, &graph_options);
    VDNN_IF_OK(status, vdnn_graph_create(setup->model, &graph_options, &setup->graph));
    VDNN_IF_OK(status, vdnn_several_devices_check(setup->properties.kind, options,
                                                  &setup->properties, setup->graph));
    VDNN_IF_OK(status, vdnn_device_grow_events(setup->device, most_events(setup->graph)));
    return status;
}

/* Until the network is known. */
enum { FEWEST_EVENTS = 64 };

static bool is_auto(const vdnn_run_options *options)
{
    return strcmp(options->ask.device, "auto") == 0;
}

/* The first one of this process. */
static vdnn_status open_own(const vdnn_run_options *options, const char *kind, vdnn_setup *setup)
{
    char text[VDNN_DEVICE_TEXT_BYTES];
    int32_t first = 0;
    vdnn_status status = vdnn_several_devices_place(kind, options, &first);
    return status == VDNN_OK ? vdnn_device_open(vdnn_device_beside(kind, first, text),
                                                &setup->device_options, &setup->device)
                             : status;
}

/* A card that cannot be used is worth a message; a machine without one is not. */
static vdnn_status open_card_or_cpu(const vdnn_run_options *options, const vdnn_messages *messages,
                                    vdnn_setup *setup)
{
    bool can_be =
        vdnn_device_is_there("cuda") && vdnn_device_refusal("cuda", options->dtype) == NULL;
    if (can_be && open_own(options, "cuda", setup) == VDNN_OK)
        return VDNN_OK;
    if (can_be)
        vdnn_messages_log(messages, VDNN_LOG_WARN, "using the CPU: %s", vdnn_status_message());
    return open_own(options, "cpu", setup);
}

/* Those of this host, which share its memory and its disk. */
static int32_t devices_here(const vdnn_run_options *options)
{
    return options->local_devices > 1 ? options->local_devices : 1;
}

/* The budget of the file tier, and its rates, which also shows that the folder can be used. */
static vdnn_status open_disk(const vdnn_run_options *options, vdnn_setup *setup)
{
    const char *folder = options->ask.machine->disk;
    size_t *budget = &setup->budget_bytes[VDNN_TIER_FILE], free_bytes = 0;
    if (folder == NULL)
        return VDNN_OK;
    if (vdnn_device_describe(setup->device)->simulated)
        return vdnn_status_fail(VDNN_USAGE, "--disk: device models describe no disk; use --device "
                                            "cpu or cuda");
    vdnn_status status = vdnn_file_tier_free_bytes(folder, &free_bytes);
    *budget = free_bytes / 10 * 8 / (size_t)devices_here(options);
    if (status == VDNN_OK && options->ask.machine->disk_mem != NULL)
        status = read_size("--disk-mem", options->ask.machine->disk_mem, free_bytes, budget);
    if (status == VDNN_OK && *budget > free_bytes)
        status = vdnn_status_fail(VDNN_FILE,
                                  "--disk-mem: %zu bytes, but %s has %zu free: ask for less, or "
                                  "name another folder",
                                  *budget, folder, free_bytes);
    if (status == VDNN_OK && *budget < VDNN_FILE_BLOCK)
        status = vdnn_status_fail(VDNN_FILE,
                                  "%s has %zu bytes free, of which the file tier may take %zu: it "
                                  "needs %d at least; make room, raise --disk-mem, or name "
                                  "another folder",
                                  folder, free_bytes, *budget, VDNN_FILE_BLOCK);
    VDNN_IF_OK(status, vdnn_measure_disk(setup->device, *budget));
    return status == VDNN_OK ? status : vdnn_status_prefix(status, "--disk");
}

static vdnn_status open_device(const vdnn_run_options *options, const char *kind,
                               const vdnn_messages *messages, vdnn_setup *setup)
{
    const int32_t local = devices_here(options);
    const bool has_threads =
        options->ask.process->ranks > 0 && options->ask.threads > 0; /* for itself */
    setup->available_bytes = vdnn_memory_available(&setup->limit) / (size_t)local;
    setup->used_bytes = vdnn_memory_used();
    setup->device_options =
        (vdnn_device_options){.threads = options->ask.threads,
                              .event_count = FEWEST_EVENTS,
                              .nondeterministic = options->ask.planning->nondeterministic,
                              .poison = options->ask.trust->poison,
                              .folders = {[VDNN_TIER_FILE] = options->ask.machine->disk},
                              .devices = has_threads ? 1 : local,
                              .ranks = options->devices,
                              .reduce = options->reduce,
                              .dtype = options->dtype};
    VDNN_TRY(is_auto(options) ? open_card_or_cpu(options, messages, setup)
                              : open_own(options, kind, setup));
    VDNN_TRY(open_disk(options, setup));
    setup->properties = *vdnn_device_describe(setup->device);
    return options->ask.machine->unified_mem == NULL
               ? vdnn_setup_budgets(options->ask.device_mem, options->ask.host_mem,
                                    &setup->properties, setup->available_bytes, setup->budget_bytes)
               : share_unified(options->ask.machine->unified_mem, setup);
}

/* How sure the times of a simulated device are: "calibrated from 282 timings: half of the
 * predicted times are within 10 %". */
static const char *accuracy_text(char *text, size_t size, const vdnn_device_properties *properties)
{
    const vdnn_accuracy *accuracy = &properties->accuracy;
    double percent = 100 * accuracy->half_within;
    if (accuracy->half_within <= 0)
        (void)snprintf(text, size, "%s", properties->calibrated ? "calibrated" : "not calibrated");
    else if (properties->calibrated)
        (void)vdnn_decimal_print(
            text, size,
            "calibrated from %lld timings: half of the predicted times are within %.0f %%",
            (long long)accuracy->timings, percent);
    else
        (void)vdnn_decimal_print(
            text, size,
            "from the datasheet and cards like it: half of the predicted times are within %.0f %%",
            percent);
    return text;
}

const char *vdnn_setup_device_text(char *text, size_t size,
                                   const vdnn_device_properties *properties)
{
    char accuracy[96];
    if (properties->simulated)
        (void)snprintf(text, size, "%s (simulated, %s)", properties->name,
                       accuracy_text(accuracy, sizeof accuracy, properties));
    else
        (void)snprintf(text, size, "%s (%d thread%s)", properties->name, properties->threads,
                       properties->threads == 1 ? "" : "s");
    return text;
}

/* Memory that others take of a card is not part of the budget, which is the arena's alone. */
static void tell_device(const vdnn_messages *messages, const vdnn_graph *graph,
                        const vdnn_device_properties *properties)
{
    char device[sizeof properties->name + 128], taken[32], whole[32], several[48] = "";
    if (graph->devices > 1)
        (void)snprintf(several, sizeof several, "%d devices, each ", (int)graph->devices);
    vdnn_messages_log(messages, VDNN_LOG_INFO, "%s, batch %lld, on %s%s", graph->name,
                      (long long)graph->step_batch, several,
                      vdnn_setup_device_text(device, sizeof device, properties));
    if (properties->taken_bytes > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "context, libraries and other programs take %s of the device's %s",
                          vdnn_text_bytes(taken, sizeof taken, (double)properties->taken_bytes),
                          vdnn_text_bytes(whole, sizeof whole, (double)properties->memory_bytes));
}

static const char *normalized_text(const vdnn_graph *graph, bool is_joint)
{
    const bool is_whole = graph->micro_batches == 1;
    if (graph->devices == 1)
        return "micro-batch";
    if (is_joint)
        return "micro-batch of all devices";
    return is_whole ? "device's share" : "device's micro-batch";
}

/* Nothing where it normalizes all samples of a step together, as devices do that sum their
 * statistics. */
static void tell_statistics(const vdnn_messages *messages, const vdnn_graph *graph)
{
    int64_t samples;
    const vdnn_layer *coupling = vdnn_graph_couples_fewest(graph, &samples);
    if (coupling == NULL || samples == graph->step_batch)
        return;
    const bool is_joint = vdnn_layer_joint_count(coupling, VDNN_FORWARD) > 0;
    vdnn_messages_log(messages, VDNN_LOG_WARN,
                      "layer '%s' normalizes each %s of up to %lld samples by its own statistics: "
                      "the network learns otherwise than from batches of %lld%s",
                      coupling->name, normalized_text(graph, is_joint), (long long)samples,
                      (long long)graph->step_batch,
                      graph->devices > 1 && !is_joint
                          ? "; running statistics are those of the first device"
                          : "");
}

/* Line by line: what an ONNX file does not say. */
static void tell_notes(const vdnn_messages *messages, const vdnn_model *model)
{
    for (const char *line = model->notes; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        vdnn_messages_log(messages, VDNN_LOG_WARN, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* What makes this machine slower than it is: threads that share cores, and other programs. */
static void tell_cores(const vdnn_messages *messages, const vdnn_run_options *options,
                       const vdnn_device_properties *properties)
{
    const int asked = options->ask.threads > properties->threads ? options->ask.threads
                                                                 : properties->threads,
              allowed = vdnn_cores_allowed();
    const vdnn_cores_load now = vdnn_cores_read_load();
    if (asked > allowed)
        vdnn_messages_log(messages, VDNN_LOG_WARN,
                          "%d threads share %d core%s, and wait for each other: --threads %d is "
                          "faster",
                          asked, allowed, allowed == 1 ? "" : "s", allowed);
    if (vdnn_cores_are_busy(&now))
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "the machine is busy, a load of %.1f on %d cores: steps take longer, and "
                          "times that are measured now are too long",
                          now.load, now.cores);
}

static void tell_lacks(const vdnn_messages *messages, const char *kind, vdnn_dtype dtype)
{
    const char *lack;
    for (size_t i = 0; (lack = vdnn_device_lack(kind, dtype, i)) != NULL; i++)
        vdnn_messages_log(messages, VDNN_LOG_WARN, "%s", lack);
}

static vdnn_status check_dtype(const char *kind, vdnn_dtype dtype)
{
    const char *refusal = vdnn_device_refusal(kind, dtype);
    return refusal == NULL ? VDNN_OK : vdnn_status_fail(VDNN_USAGE, "%s", refusal);
}

/* The last failure, and that a plan needs no device. */
static vdnn_status name_models(void)
{
    char why[VDNN_STATUS_MESSAGE_BYTES];
    (void)snprintf(why, sizeof why, "%s", vdnn_status_message());
    return vdnn_status_fail(VDNN_DEVICE,
                            "%s; a plan alone needs no device: --device sim:NAME takes a device "
                            "model, as sim:h100, and sim:FILE a profile recorded on the device",
                            why);
}

vdnn_status vdnn_setup_begin(const vdnn_run_options *options, const vdnn_messages *messages,
                             vdnn_setup *setup)
{
    vdnn_setup fresh = {0};
    const char *kind = NULL;
    vdnn_status status = vdnn_setup_resolve_device(options->ask.device, &kind);
    if (status == VDNN_OK && !is_auto(options))
        status = check_dtype(kind, options->dtype);
    VDNN_IF_OK(status, open_device(options, kind, messages, &fresh));
    if (status == VDNN_DEVICE && options->ask.dry_run)
        status = name_models();
    if (status == VDNN_OK && is_auto(options)) {
        kind = fresh.properties.kind;
        status = check_dtype(kind, options->dtype);
    }
    fresh.kind = kind;
    VDNN_IF_OK(status, read_graph(options, &fresh));
    VDNN_IF_OK(status, vdnn_packings_create(&fresh.packings));
    if (status == VDNN_OK)
        tell_device(messages, fresh.graph, &fresh.properties);
    if (status == VDNN_OK && options->ask.process->rank == 0) {
        tell_notes(messages, fresh.model);
        tell_statistics(messages, fresh.graph);
    }
    if (status == VDNN_OK && options->ask.process->local_rank == 0)
        tell_lacks(messages, kind, options->dtype);
    if (status == VDNN_OK && options->ask.process->local_rank == 0 && !fresh.properties.simulated)
        tell_cores(messages, options, &fresh.properties);
    if (status == VDNN_OK)
        *setup = fresh;
    else
        vdnn_setup_end(&fresh);
    return status;
}

const char *vdnn_setup_init(const vdnn_setup *setup, const vdnn_session_options *options)
{
    return options->init != NULL ? options->init : setup->model->weights;
}

/* So that the profile's file suffices to simulate this device elsewhere. */
static vdnn_status note_device(vdnn_setup *setup)
{
    const vdnn_device_properties *properties = &setup->properties;
    vdnn_profile_device device = {.preferred = properties->preferred,
                                  .fuses_relu = properties->fuses_relu,
                                  .pools_first = properties->pools_first,
                                  .threads = properties->threads,
                                  .memory_bytes = properties->memory_bytes};
    size_t budget_bytes[VDNN_TIER_COUNT] = {0};
    (void)snprintf(device.kind, sizeof device.kind, "%s", properties->kind);
    vdnn_status status =
        vdnn_setup_budgets(NULL, NULL, properties, setup->available_bytes, budget_bytes);
    device.device_bytes = budget_bytes[VDNN_TIER_DEVICE];
    device.host_bytes = budget_bytes[VDNN_TIER_HOST];
    if (status == VDNN_OK)
        vdnn_profile_store_set_device(setup->store, &device);
    return status;
}

static void tell_failed(void *argument, const char *message)
{
    vdnn_messages_log(argument, VDNN_LOG_WARN, "%s", message);
}

static void tell_progress(void *argument, const vdnn_measure_progress *so_far)
{
    const vdnn_progress progress = {.what = "measuring",
                                    .step = so_far->done,
                                    .step_count = so_far->count,
                                    .layer = so_far->layer,
                                    .seconds_left = so_far->seconds_left};
    vdnn_messages_progress(argument, &progress);
}

static vdnn_status ask_to_proceed(void *argument)
{
    vdnn_status status = vdnn_messages_interrupted(argument);
    if (status != VDNN_OK)
        (void)vdnn_status_fail(
            status, "stopped on a signal while the network was measured; "
                    "the cache (unless --no-cache), or --profile FILE, keeps what was measured");
    return status;
}

static vdnn_status read_store(const char *path, const vdnn_messages *messages, vdnn_setup *setup)
{
    bool stale = false;
    vdnn_status status = vdnn_profile_store_read(setup->store, path, &stale);
    size_t cut = status == VDNN_OK ? vdnn_profile_store_cut(setup->store) : 0;
    if (status == VDNN_OK && stale)
        vdnn_messages_log(messages, VDNN_LOG_WARN, "%s", vdnn_status_message());
    if (cut > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "profile %s was cut off while it was measured; its first %zu lines are "
                          "used, the rest is measured",
                          path, cut - 1);
    return status == VDNN_OK ? vdnn_profile_store_keep(setup->store, path) : status;
}

const char *vdnn_setup_key(const vdnn_setup *setup, char key[VDNN_SETUP_KEY_BYTES])
{
    (void)snprintf(key, VDNN_SETUP_KEY_BYTES, "%s, %s, %d threads", setup->properties.name,
                   setup->properties.library, setup->properties.threads);
    return key;
}

/* Kernels that authors work on change their times, not their names. */
static bool may_cache(const vdnn_run_options *options, const vdnn_setup *setup)
{
    return options->ask.planning->cache != NULL && options->ask.profile == NULL &&
           !options->ask.trust->poison && !setup->properties.simulated;
}

static vdnn_status open_cache(const vdnn_run_options *options, vdnn_setup *setup)
{
    return vdnn_profile_cache_open(options->ask.planning->cache,
                                   vdnn_profile_store_key(setup->store), setup->store,
                                   &setup->messages, &setup->cache);
}

vdnn_status vdnn_setup_open_store(const vdnn_run_options *options, const vdnn_messages *messages,
                                  vdnn_setup *setup)
{
    char machine[VDNN_SETUP_KEY_BYTES], key[VDNN_SETUP_KEY_BYTES + 64];
    const bool caches = may_cache(options, setup);
    (void)snprintf(key, sizeof key, "%s%s%s", vdnn_setup_key(setup, machine),
                   caches ? ", vdnn " : "", caches ? vdnn_version() : "");
    setup->messages = *messages;
    setup->observer = (vdnn_measure_observer){.proceed = ask_to_proceed,
                                              .failed = tell_failed,
                                              .progress = tell_progress,
                                              .argument = &setup->messages};
    vdnn_status status = vdnn_profile_store_create(key, &setup->store);
    if (status == VDNN_OK && options->ask.profile != NULL)
        status = read_store(options->ask.profile, messages, setup);
    if (status == VDNN_OK && caches)
        status = open_cache(options, setup);
    if (status == VDNN_OK && !setup->properties.simulated)
        status = note_device(setup);
    return status;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static vdnn_status profile_of(vdnn_setup *setup, const vdnn_graph *graph, vdnn_profile **profile)
{
    return setup->look.seconds > 0
               ? vdnn_measured_profile_look(graph, setup->device, setup->store, &setup->observer,
                                            &setup->look, profile)
               : vdnn_measured_profile_create(graph, setup->device, setup->store, &setup->observer,
                                              profile);
}

static void tell_look(const vdnn_look *look, const vdnn_messages *messages)
{
    if (look->whole_seconds > 0 && look->fresh > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "a first look at the network: %lld of %lld times were measured, by one "
                          "run each; --dry-run measures all, in about %.0f s, for later runs",
                          (long long)look->measured, (long long)look->fresh, look->whole_seconds);
    else if (look->whole_seconds > 0)
        vdnn_messages_log(messages, VDNN_LOG_INFO,
                          "the times are those of a first look; --dry-run measures all, in about "
                          "%.0f s, for later runs",
                          look->whole_seconds);
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* Of all passes, each by its fastest algorithm. */
static double fastest_seconds(const vdnn_graph *graph, const vdnn_profile *profile)
{
    double sum = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (profile->layers[l].choice_count[p] > 0)
                sum += profile->launch_seconds +
                       profile->layers[l]
                           .choices[p][vdnn_profile_fastest(profile, l, (vdnn_pass)p)]
                           .seconds;
    return sum;
}

/* The network in the device's other layout, with its profile. */
static vdnn_status make_other(vdnn_setup *setup, vdnn_graph **graph, vdnn_profile **profile)
{
    vdnn_graph *made = NULL;
    vdnn_graph_options options = vdnn_graph_asked(setup->graph);
    options.preferred = setup->properties.other;
    vdnn_status status = vdnn_graph_create(setup->model, &options, &made);
    VDNN_IF_OK(status, vdnn_device_grow_events(setup->device, most_events(made)));
    VDNN_IF_OK(status, profile_of(setup, made, profile));
    if (status != VDNN_OK) {
        vdnn_graph_destroy(made);
        return status;
    }
    *graph = made;
    return VDNN_OK;
}

/* If the device does not support a layer in it, the network keeps its layout; a recording may not
 * have it at all. */
static vdnn_status pass_over(const vdnn_setup *setup, const vdnn_messages *messages,
                             vdnn_status status)
{
    if (setup->layout != NULL || (status != VDNN_DEVICE && status != VDNN_BAD_INPUT))
        return status;
    vdnn_messages_log(messages, VDNN_LOG_DEBUG, "not in %s: %s",
                      vdnn_layout_text(setup->properties.other), vdnn_status_message());
    return VDNN_OK;
}

static vdnn_status try_other(const vdnn_messages *messages, vdnn_setup *setup)
{
    vdnn_graph *graph = NULL;
    vdnn_profile *profile = NULL;
    vdnn_status status = make_other(setup, &graph, &profile);
    if (status != VDNN_OK)
        return pass_over(setup, messages, status);
    double now = fastest_seconds(setup->graph, setup->profile),
           then = fastest_seconds(graph, profile);
    vdnn_messages_log(messages, VDNN_LOG_DEBUG, "kernels of a step take %.4g s in %s, %.4g s in %s",
                      now, vdnn_layout_text(setup->graph->preferred), then,
                      vdnn_layout_text(graph->preferred));
    if (setup->layout == NULL && then >= now) {
        vdnn_profile_destroy(profile);
        vdnn_graph_destroy(graph);
        return VDNN_OK;
    }
    vdnn_profile_destroy(setup->profile);
    vdnn_graph_destroy(setup->graph);
    setup->profile = profile;
    setup->graph = graph;
    return VDNN_OK;
}

/* Keeps the earlier run's choice: other layouts have other sums. */
static vdnn_status choose_layout(const vdnn_run_options *options, const vdnn_messages *messages,
                                 vdnn_setup *setup)
{
    char told[VDNN_DERIVED_PROFILE_LAYOUT_BYTES] = "";
    const char *before = setup->layout;
    const vdnn_layout own = setup->graph->preferred, other = setup->properties.other;
    vdnn_layout wanted = own;
    vdnn_status status = VDNN_OK;
    if (other == own || setup->graph->dtype == VDNN_F32)
        return VDNN_OK;
    if (options->ask.planning->algos != NULL)
        status = vdnn_derived_profile_layout(options->ask.planning->algos, told);
    if (told[0] != '\0')
        setup->layout = told;
    if (setup->layout != NULL &&
        (!vdnn_layout_find(setup->layout, &wanted) || (wanted != own && wanted != other)))
        status = vdnn_status_fail(VDNN_BAD_INPUT, "there is no layout '%s' of maps: %s or %s",
                                  setup->layout, vdnn_layout_text(own), vdnn_layout_text(other));
    if (status == VDNN_OK && (setup->layout == NULL || wanted == other))
        status = try_other(messages, setup);
    setup->layout = before;
    return status;
}

static vdnn_status measure(const vdnn_run_options *options, const vdnn_messages *messages,
                           vdnn_setup *setup)
{
    vdnn_status status = vdnn_profile_cache_check(setup->cache, setup->graph, setup->device,
                                                  setup->look.seconds > 0, &setup->observer);
    VDNN_IF_OK(status, profile_of(setup, setup->graph, &setup->profile));
    VDNN_IF_OK(status, choose_layout(options, messages, setup));
    return status;
}

vdnn_status vdnn_setup_keep(const vdnn_setup *setup, vdnn_status status)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, status);
    vdnn_first_error_keep(&error, vdnn_profile_store_finish(setup->store));
    vdnn_profile_cache_save(setup->cache);
    return vdnn_first_error_tell(&error);
}

/* Whether plans may run layers in other parts than the file says: of one device, by our rules. */
static bool may_cut(const vdnn_run_options *options, const vdnn_setup *setup)
{
    return options->rules == VDNN_RULES_LEAN && setup->graph->devices == 1 && options->stages == 0;
}

vdnn_status vdnn_setup_measure(const vdnn_run_options *options, const vdnn_messages *messages,
                               vdnn_setup *setup)
{
    vdnn_status status =
        setup->store == NULL ? vdnn_setup_open_store(options, messages, setup) : VDNN_OK;
    vdnn_profile_destroy(setup->profile);
    setup->profile = NULL;
    VDNN_IF_OK(status, vdnn_setup_keep(setup, measure(options, messages, setup)));
    if (status != VDNN_OK)
        return status;
    tell_look(&setup->look, messages);
    vdnn_messages_log(messages, VDNN_LOG_DEBUG, "%zu rows of the profile were measured",
                      vdnn_profile_store_measured_count(setup->store));
    const char *algos = options->ask.planning->algos;
    if (algos != NULL)
        status = vdnn_derived_profile_pin(setup->profile, setup->graph, algos);
    return status == VDNN_OK && may_cut(options, setup)
               ? vdnn_setup_variants_create(setup, algos, &setup->variants)
               : status;
}

/* ---- several devices ------------------------------------------------------------------------- */

vdnn_status vdnn_setup_join(const vdnn_setup *first, int32_t device, vdnn_setup *joined)
{
    char text[VDNN_DEVICE_TEXT_BYTES];
    vdnn_setup fresh = *first;
    fresh.device = NULL;
    vdnn_device_options options = first->device_options;
    options.event_count = most_events(first->graph);
    vdnn_status status =
        vdnn_device_open(vdnn_device_beside(first->kind, device, text), &options, &fresh.device);
    if (status == VDNN_OK)
        *joined = fresh;
    return status;
}

void vdnn_setup_joined_end(vdnn_setup *joined)
{
    vdnn_device_close(joined->device);
    *joined = (vdnn_setup){0};
}

/* Leaves only the algorithms of a plan, where a pass has them. */
static vdnn_status pin_as(const vdnn_plan *plan, vdnn_profile *profile)
{
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT && status == VDNN_OK; p++) {
            const vdnn_algorithm *chosen = plan->algorithms[l][p];
            if (chosen != NULL && vdnn_profile_find(profile, l, (vdnn_pass)p, chosen->name) >= 0)
                status = vdnn_profile_pin(profile, l, (vdnn_pass)p, chosen->name);
        }
    return status;
}

int32_t vdnn_setup_first_count(const vdnn_setup *first)
{
    const vdnn_graph *graph = first->graph;
    const int32_t over = (int32_t)(graph->step_batch % graph->devices);
    return over > 0 ? over : graph->gathers ? 1 : graph->devices;
}

vdnn_status vdnn_setup_lessen(const vdnn_setup *first, const vdnn_plan *plan, vdnn_setup *lesser)
{
    vdnn_setup fresh = *first;
    vdnn_graph_options options = vdnn_graph_asked(first->graph);
    fresh.graph = NULL;
    fresh.profile = NULL;
    fresh.variants = NULL;
    options.batch =
        vdnn_graph_share(options.step_batch, options.devices, vdnn_setup_first_count(first));
    options.gathers = false;
    options.buckets = &plan->buckets;
    vdnn_status status = vdnn_graph_create(first->model, &options, &fresh.graph);
    VDNN_IF_OK(status, vdnn_setup_keep(first, profile_of(&fresh, fresh.graph, &fresh.profile)));
    VDNN_IF_OK(status, pin_as(plan, fresh.profile));
    if (status == VDNN_OK)
        *lesser = fresh;
    else
        vdnn_setup_lesser_end(&fresh);
    return status;
}

void vdnn_setup_lesser_end(vdnn_setup *lesser)
{
    vdnn_profile_destroy(lesser->profile);
    vdnn_graph_destroy(lesser->graph);
    *lesser = (vdnn_setup){0};
}

void vdnn_setup_end(vdnn_setup *setup)
{
    vdnn_packings_destroy(setup->packings);
    vdnn_setup_variants_destroy(setup->variants);
    vdnn_profile_destroy(setup->profile);
    vdnn_profile_cache_close(setup->cache);
    vdnn_profile_store_destroy(setup->store);
    vdnn_device_close(setup->device);
    vdnn_graph_destroy(setup->graph);
    vdnn_graph_destroy(setup->whole);
    vdnn_profile_destroy(setup->whole_profile);
    vdnn_heap_free(setup->stage_ends);
    vdnn_model_destroy(setup->loaded);
    *setup = (vdnn_setup){0};
}
