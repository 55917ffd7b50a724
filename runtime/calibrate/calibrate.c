#include "runtime/calibrate/calibrate.h"

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/base/system.h"
#include "runtime/base/text.h"
#include "runtime/calibrate/fit_rates.h"
#include "runtime/calibrate/model_file.h"
#include "runtime/device/sim/device_reader.h"
#include "runtime/device/sim/predict.h"
#include "runtime/setup/setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- peaks ----------------------------------------------------------------------------------- */

/* Of a peak, what the fastest product reaches: between 0.71 and 0.99 of a datasheet's on the cards
 * that were measured by others (models/devices/). Rates are relative to the peak, and at most 1. */
static const double share_of_peak = 0.9;

/* By the fastest product, or convolution that is computed as one. Those by Winograd have fewer
 * operations than are counted. */
static double peak_flops(const vdnn_calibrate_timings *timings, vdnn_dtype dtype)
{
    double most = 0;
    for (int32_t i = 0; i < timings->count; i++) {
        const vdnn_calibrate_timing *row = &timings->rows[i];
        if (row->dtype == dtype && row->kind != VDNN_CALIBRATE_BYTES &&
            row->algorithm != VDNN_COST_WINOGRAD_NONFUSED)
            most = fmax(most, vdnn_layer_flops(row->layer, row->pass) / row->seconds);
    }
    return most / share_of_peak;
}

/* Of a smaller type; 0: its products are no faster than those of f32, so that there are no units
 * for it. */
static double tensor_flops(const vdnn_calibrate_timings *timings, vdnn_dtype dtype,
                           double f32_flops)
{
    double flops = peak_flops(timings, dtype);
    return flops >= f32_flops ? flops : 0;
}

static double bytes_rate(const vdnn_calibrate_timing *row)
{
    return vdnn_predict_bytes(row->layer, row->pass) / row->seconds;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Of copies; both ways at once are not slower than the faster one alone, unless that was disturbed.
 */
static double one_way_rate(const double rates[VDNN_PROFILE_RATE_COUNT])
{
    return fmax(rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second],
                rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second]);
}

static double both_ways_rate(const double rates[VDNN_PROFILE_RATE_COUNT])
{
    return fmax(one_way_rate(rates), rates[VDNN_PROFILE_RATE_copy_both_bytes_per_second]);
}

/* The fastest of what moves bytes, copies over the link too, and the middle one of the layers that
 * mostly do as a share of it. */
static vdnn_status find_memory(const vdnn_calibrate_timings *timings, vdnn_device_model *model)
{
    double *rates = vdnn_heap_calloc((size_t)timings->count + 1, sizeof *rates);
    size_t count = 0;
    if (rates == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "calibration: no memory for %d rates",
                                timings->count);
    for (int32_t i = 0; i < timings->count; i++)
        if (timings->rows[i].kind == VDNN_CALIBRATE_BYTES)
            rates[count++] = bytes_rate(&timings->rows[i]);
    qsort(rates, count, sizeof *rates, compare);
    double updates = timings->rates[VDNN_PROFILE_RATE_elementwise_bytes_per_second];
    model->memory.bytes_per_second =
        fmax(fmax(updates, rates[count - 1]), one_way_rate(timings->rates));
    model->layers.memory_efficiency = rates[count / 2] / model->memory.bytes_per_second;
    vdnn_heap_free(rates);
    return VDNN_OK;
}

/* ---- the model ------------------------------------------------------------------------------- */

static void describe(const vdnn_device_properties *properties,
                     const double rates[VDNN_PROFILE_RATE_COUNT], vdnn_device_model *model)
{
    const size_t free_bytes = properties->free_bytes;
    const bool is_part = free_bytes > 0 && free_bytes < properties->memory_bytes;
    model->is_calibrated = true;
    model->memory.bytes = (int64_t)properties->memory_bytes;
    model->memory.usable_bytes = (int64_t)(is_part ? free_bytes : properties->memory_bytes);
    model->compute.launch_seconds = rates[VDNN_PROFILE_RATE_launch_seconds];
    model->compute.multiprocessors =
        properties->multiprocessors > 0 ? properties->multiprocessors : properties->threads;
    model->link.out_bytes_per_second = rates[VDNN_PROFILE_RATE_copy_out_bytes_per_second];
    model->link.in_bytes_per_second = rates[VDNN_PROFILE_RATE_copy_in_bytes_per_second];
    model->link.both_bytes_per_second = both_ways_rate(rates);
    model->link.latency_seconds = rates[VDNN_PROFILE_RATE_copy_latency_seconds];
    model->link.out_beside_bytes_per_second =
        rates[VDNN_PROFILE_RATE_copy_out_beside_bytes_per_second];
    model->link.in_beside_bytes_per_second =
        rates[VDNN_PROFILE_RATE_copy_in_beside_bytes_per_second];
    model->link.out_slows_products = rates[VDNN_PROFILE_RATE_copy_out_slows_products];
    model->link.in_slows_products = rates[VDNN_PROFILE_RATE_copy_in_slows_products];
    model->link.out_slows_moves = rates[VDNN_PROFILE_RATE_copy_out_slows_moves];
    model->link.in_slows_moves = rates[VDNN_PROFILE_RATE_copy_in_slows_moves];
    model->host.bytes = (int64_t)vdnn_memory_total();
}

static vdnn_status fit_model(const vdnn_calibrate_timings *timings, vdnn_calibrate_result *result)
{
    vdnn_device_model *model = &result->model;
    const struct {
        vdnn_calibrate_kind kind;
        vdnn_dtype dtype;
        vdnn_accuracy *errors;
    } fits[] = {
        {VDNN_CALIBRATE_PRODUCT, VDNN_F32, &result->products},
        {VDNN_CALIBRATE_CONVOLUTION, VDNN_F32, &model->accuracy},
        {VDNN_CALIBRATE_PRODUCT, VDNN_BF16, &result->tensor_products},
        {VDNN_CALIBRATE_CONVOLUTION, VDNN_BF16, &result->tensor_convolutions},
    };
    const double f32 = peak_flops(timings, VDNN_F32);
    const double bf16 = tensor_flops(timings, VDNN_BF16, f32);
    model->compute.f32_flops_per_second = f32;
    model->compute.tf32_flops_per_second = tensor_flops(timings, VDNN_TF32, f32);
    model->compute.bf16_flops_per_second = bf16;
    vdnn_status status = find_memory(timings, model);
    for (size_t i = 0; status == VDNN_OK && i < sizeof fits / sizeof *fits; i++)
        if (fits[i].dtype == VDNN_F32 || bf16 > 0)
            status =
                vdnn_calibrate_fit(timings, fits[i].kind, fits[i].dtype, model, fits[i].errors);
    model->layers.gemm_efficiency = model->product.efficiency;
    model->layers.gemm_tile = 128;
    return status;
}

/* Each kind needs shapes to be predicted from others. */
static vdnn_status check_count(const vdnn_calibrate_timings *timings, double seconds)
{
    enum { LEAST = 2 * VDNN_CALIBRATE_FOLDS * VDNN_PASS_COUNT };
    static const struct {
        vdnn_calibrate_kind kind;
        const char *what;
        int32_t least;
    } kinds[] = {{VDNN_CALIBRATE_BYTES, "layers that move bytes", 1},
                 {VDNN_CALIBRATE_PRODUCT, "matrix products", VDNN_CALIBRATE_FOLDS},
                 {VDNN_CALIBRATE_CONVOLUTION, "convolutions", LEAST}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int32_t count = vdnn_calibrate_timings_of(timings, kinds[i].kind, VDNN_F32);
        if (count < kinds[i].least)
            return vdnn_status_fail(VDNN_DEVICE,
                                    "calibration: %d timings of %s in %.0f s, expected %d at "
                                    "least: end other programs, or plan by a device model of "
                                    "another card",
                                    count, kinds[i].what, seconds, kinds[i].least);
    }
    return VDNN_OK;
}

static vdnn_status write_model(const vdnn_device_properties *properties, const char *name,
                               vdnn_calibrate_result *result, vdnn_text *text)
{
    vdnn_device_model *model = &result->model;
    const vdnn_calibrate_card card = {.model = model,
                                      .device = properties->name,
                                      .library = properties->library,
                                      .products = result->products,
                                      .tensor_convolutions = result->tensor_convolutions,
                                      .tensor_products = result->tensor_products};
    vdnn_text fresh = {0};
    (void)snprintf(model->name, sizeof model->name, "%s", name);
    vdnn_calibrate_model_write(&card, &fresh);
    vdnn_status status = VDNN_OK;
    if (fresh.failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "calibration: no memory for the model");
    else
        status = vdnn_device_model_parse(fresh.data, fresh.length, name, model);
    if (status == VDNN_OK)
        vdnn_text_add(text, "%s", fresh.data);
    vdnn_text_fini(&fresh);
    return status;
}

vdnn_status vdnn_calibrate_device(vdnn_device *device, const vdnn_calibrate_options *options,
                                  const char *name, const vdnn_messages *messages,
                                  vdnn_calibrate_result *result, vdnn_text *text)
{
    const vdnn_device_properties *properties = vdnn_device_describe(device);
    vdnn_calibrate_timings timings;
    VDNN_TRY(vdnn_calibrate_timings_measure(device, &options->shapes, options->seconds, messages,
                                            &timings));
    *result = (vdnn_calibrate_result){.left_out = timings.left_out};
    describe(properties, timings.rates, &result->model);
    vdnn_status status = check_count(&timings, options->seconds);
    VDNN_IF_OK(status, fit_model(&timings, result));
    VDNN_IF_OK(status, write_model(properties, name, result, text));
    vdnn_calibrate_timings_fini(&timings);
    return status;
}

/* ---- for programs ---------------------------------------------------------------------------- */

/* With the fit, well under two minutes. */
static const double most_seconds = 90;

/* Of a path: without folders and suffix, as far as a model's name goes, and without what no name
 * may have. */
static void name_of(const char *path, char name[VDNN_DEVICE_NAME_BYTES])
{
    static const char suffix[] = ".yaml";
    const char *slash = strrchr(path, '/'), *file = slash == NULL ? path : slash + 1;
    size_t length = strlen(file), end = sizeof suffix - 1;
    if (length > end && strcmp(file + length - end, suffix) == 0)
        length -= end;
    (void)snprintf(name, VDNN_DEVICE_NAME_BYTES, "%.*s", (int)length, file);
    for (char *c = name; *c != '\0'; c++)
        *c = vdnn_text_has_control((char[]){*c, '\0'}) ? '-' : *c;
}

/* A file of that name may be an earlier model; anything else is not to be replaced. */
static vdnn_status check_target(const char *path)
{
    struct stat found;
    vdnn_device_model model;
    if (strcmp(path, "-") == 0)
        return vdnn_status_fail(VDNN_USAGE, "--calibrate: expected the name of a file, as my.yaml");
    vdnn_status status = vdnn_text_check_path(path);
    if (status != VDNN_OK || vdnn_system_stat(path, &found) != 0)
        return status;
    if (vdnn_device_model_load(path, &model) == VDNN_OK)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE,
                            "--calibrate %s: there is such a file, which is no device model and "
                            "would be replaced: expected another name",
                            path);
}

static vdnn_status open_device(const char *name, int threads, vdnn_device **device)
{
    enum { EVENTS = 64 };
    const vdnn_device_options options = {.threads = threads, .event_count = EVENTS};
    const bool is_auto = strcmp(name, "auto") == 0;
    const char *kind = NULL;
    VDNN_TRY(vdnn_setup_resolve_device(name, &kind));
    if (strncmp(kind, "sim:", strlen("sim:")) == 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "--calibrate: %s is simulated, there is nothing to measure: "
                                "expected --device cpu or cuda[:N]",
                                kind);
    return vdnn_device_open(is_auto && vdnn_device_is_there("cuda") ? "cuda" : kind, &options,
                            device);
}

static void add_errors(vdnn_text *text, const char *what, const vdnn_accuracy *errors)
{
    if (errors->timings == 0)
        return;
    vdnn_text_add(text, "  %-22s %lld timings, half within %.0f %%, nine tenths within %.0f %%\n",
                  what, (long long)errors->timings, 100 * errors->half_within,
                  100 * errors->nine_tenths_within);
}

static void tell(const vdnn_messages *messages, const char *path, const char *device,
                 const vdnn_calibrate_result *result)
{
    const vdnn_device_model *model = &result->model;
    vdnn_text text = {0};
    vdnn_text_add(&text, "%s: device model of %s, for --device sim:%s\n", path, device, path);
    add_errors(&text, "convolutions", &model->accuracy);
    add_errors(&text, "products", &result->products);
    add_errors(&text, "convolutions in bf16", &result->tensor_convolutions);
    add_errors(&text, "products in bf16", &result->tensor_products);
    vdnn_text_add(&text,
                  "  (each third of the shapes as predicted from the others)\n"
                  "  %.4g GFLOP/s, %.4g GB/s of memory, %.4g GB/s out and %.4g GB/s in, "
                  "%.3g us a launch\n",
                  1e-9 * model->compute.f32_flops_per_second, 1e-9 * model->memory.bytes_per_second,
                  1e-9 * model->link.out_bytes_per_second, 1e-9 * model->link.in_bytes_per_second,
                  1e6 * model->compute.launch_seconds);
    if (result->left_out > 0)
        vdnn_text_add(&text, "  %zu of %zu shapes were left out, as there was no time for them\n",
                      result->left_out, vdnn_calibrate_shapes.count);
    if (!text.failed)
        vdnn_messages_print(messages, text.data);
    vdnn_text_fini(&text);
}

vdnn_status vdnn_calibrate(const char *device_name, int threads, const char *path,
                           const vdnn_messages *messages)
{
    const vdnn_calibrate_options options = {vdnn_calibrate_shapes, most_seconds};
    vdnn_messages own;
    vdnn_device *device = NULL;
    vdnn_text text = {0};
    char name[VDNN_DEVICE_NAME_BYTES];
    vdnn_calibrate_result result;
    vdnn_status status = vdnn_messages_take(messages, &own);
    VDNN_IF_OK(status, check_target(path));
    VDNN_IF_OK(status, open_device(device_name, threads, &device));
    if (status == VDNN_OK) {
        name_of(path, name);
        status = vdnn_calibrate_device(device, &options, name, &own, &result, &text);
    }
    VDNN_IF_OK(status, vdnn_text_save(&text, path));
    if (status == VDNN_OK)
        tell(&own, path, vdnn_device_describe(device)->name, &result);
    vdnn_text_fini(&text);
    vdnn_device_close(device);
    return status;
}
