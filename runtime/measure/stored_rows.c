#include "runtime/measure/stored_rows.h"

#include "runtime/measure/measure.h"
#include "runtime/profile/profile_store.h"

#include <math.h>

typedef struct stored_row {
    const vdnn_layer *layer; /* borrowed; NULL: none */
    const vdnn_algorithm *algorithm;
    double seconds;
} stored_row;

/* ---- which rows ------------------------------------------------------------------------------ */

/* What the store says of an algorithm that this device supports; a file may name others. */
static vdnn_status find_seconds(vdnn_device *device, const vdnn_profile_store *store,
                                const vdnn_layer *layer, vdnn_pass pass,
                                const vdnn_algorithm *algorithm, double *seconds)
{
    vdnn_profile_row row = {.signature = layer->signature,
                            .algorithm = algorithm->name,
                            .pass = pass,
                            .batch = layer->x[0].dims[VDNN_N]};
    vdnn_offer offer = {0};
    *seconds = HUGE_VAL;
    if (!vdnn_profile_store_find(store, &row) || row.is_provisional)
        return VDNN_OK;
    vdnn_status status = vdnn_device_ask(device, algorithm, layer, pass, &offer);
    if (status == VDNN_OK && offer.refusal == NULL)
        *seconds = row.seconds;
    return status;
}

static vdnn_status find_fastest(vdnn_device *device, const vdnn_profile_store *store,
                                const vdnn_layer *layer, vdnn_pass pass, stored_row *fastest)
{
    const vdnn_algorithm *algorithm;
    vdnn_status status = VDNN_OK;
    *fastest = (stored_row){.seconds = HUGE_VAL};
    for (size_t next = 0; status == VDNN_OK && (algorithm = vdnn_device_algorithm(
                                                    device, layer->def->type, &next)) != NULL;) {
        double seconds;
        status = find_seconds(device, store, layer, pass, algorithm, &seconds);
        if (status == VDNN_OK && seconds < fastest->seconds)
            *fastest = (stored_row){layer, algorithm, seconds};
    }
    return status;
}

static vdnn_status find_longest(const vdnn_graph *graph, vdnn_device *device,
                                const vdnn_profile_store *store, vdnn_pass pass,
                                stored_row *longest)
{
    vdnn_status status = VDNN_OK;
    *longest = (stored_row){.seconds = 0};
    for (int32_t l = 0; status == VDNN_OK && l < graph->layer_count; l++) {
        stored_row own;
        if (!vdnn_layer_has_pass(&graph->layers[l], pass))
            continue;
        status = find_fastest(device, store, &graph->layers[l], pass, &own);
        if (status == VDNN_OK && own.layer != NULL && own.seconds > longest->seconds)
            *longest = own;
    }
    return status;
}

/* ---- their times ----------------------------------------------------------------------------- */

static void insert(vdnn_stored_rows *check, double ratio)
{
    int32_t at = check->count++;
    for (; at > 0 && check->ratios[at - 1] > ratio; at--)
        check->ratios[at] = check->ratios[at - 1];
    check->ratios[at] = ratio;
}

static vdnn_status check_row(vdnn_measure *measure, const stored_row *row, vdnn_pass pass,
                             const vdnn_measure_observer *observer, vdnn_stored_rows *check)
{
    double seconds = row->seconds;
    VDNN_TRY(observer == NULL || observer->proceed == NULL ? VDNN_OK
                                                           : observer->proceed(observer->argument));
    vdnn_status status =
        vdnn_measure_pass_again(measure, row->layer, pass, row->algorithm, &seconds);
    if (status == VDNN_OK)
        insert(check, seconds / row->seconds);
    return vdnn_measure_fails_alone(status) ? VDNN_OK : status;
}

vdnn_status vdnn_stored_rows_check(const vdnn_graph *graph, vdnn_device *device,
                                   const vdnn_profile_store *store,
                                   const vdnn_measure_observer *observer, vdnn_stored_rows *check)
{
    vdnn_measure *measure = NULL;
    vdnn_first_error error = {VDNN_OK, ""};
    *check = (vdnn_stored_rows){.count = 0};
    vdnn_status status = vdnn_device_select(device);
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++) {
        stored_row row;
        status = find_longest(graph, device, store, (vdnn_pass)pass, &row);
        if (status != VDNN_OK || row.layer == NULL)
            continue;
        if (measure == NULL)
            status =
                vdnn_measure_create(device, vdnn_measured_profile_working_bytes(graph), &measure);
        VDNN_IF_OK(status, check_row(measure, &row, (vdnn_pass)pass, observer, check));
    }
    vdnn_first_error_keep(&error, status);
    vdnn_measure_destroy(measure);
    return vdnn_first_error_tell(&error);
}

double vdnn_stored_rows_ratio(const vdnn_stored_rows *check)
{
    return check->count == 0 ? 1 : check->ratios[check->count / 2];
}

bool vdnn_stored_rows_hold(const vdnn_stored_rows *check)
{
    double ratio = vdnn_stored_rows_ratio(check);
    return ratio <= VDNN_STORED_ROWS_FACTOR && ratio >= 1 / VDNN_STORED_ROWS_FACTOR;
}
