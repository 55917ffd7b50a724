#include "runtime/measure/pass_rows.h"

#include "layers/signature.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/measure/settle.h"

#include <math.h>
#include <stdio.h>

/* ---- one row --------------------------------------------------------------------------------- */

vdnn_status vdnn_layer_rows_begin(vdnn_layer_rows *own)
{
    const vdnn_measure_observer *observer = own->observer;
    vdnn_status status = observer == NULL || observer->proceed == NULL
                             ? VDNN_OK
                             : observer->proceed(observer->argument);
    if (status != VDNN_OK || own->measure != NULL)
        return status;
    return vdnn_measure_create(own->device, own->working_bytes, &own->measure);
}

/* Whether `one` can be taken wherever a plan could choose `other`. */
static bool can_replace(const vdnn_choice *one, const vdnn_choice *other)
{
    return one->workspace_bytes <= other->workspace_bytes &&
           one->algorithm->deterministic >= other->algorithm->deterministic &&
           one->algorithm->updates >= other->algorithm->updates;
}

/* Times the fastest: such a slow algorithm is chosen only if there is no memory for all others, and
 * then neither its rank nor the plan depends on its last digit. */
static const double much_slower = 1.5;

/* Times the fastest that can replace it: even the first run of a kernel does not take that much
 * longer than the next. */
static const double never_chosen = 2;

/* And, once that one's time is settled, at least this many times it. */
static const double still_replaced = 1.5;

/* The least time of those measured that can replace it; HUGE_VAL: there is none. */
static double replacing_seconds(const vdnn_pass_rows *rows, const vdnn_choice *choice)
{
    double least = HUGE_VAL;
    for (int32_t i = 0; i < rows->count; i++)
        if (!rows->rivals[i].is_brief && can_replace(&rows->choices[i], choice))
            least = fmin(least, rows->rivals[i].seconds);
    return least;
}

/* By the algorithms measured so far. */
static vdnn_measure_limits limits_of(const vdnn_pass_rows *rows, const vdnn_choice *choice)
{
    double least = HUGE_VAL;
    for (int32_t i = 0; i < rows->count; i++)
        least = fmin(least, rows->rivals[i].seconds);
    return (vdnn_measure_limits){.worth_seconds = much_slower * least,
                                 .brief_seconds = never_chosen * replacing_seconds(rows, choice)};
}

static vdnn_profile_row row_of(const vdnn_pass_rows *rows, const vdnn_choice *choice, bool is_brief)
{
    return (vdnn_profile_row){.signature = rows->layer->signature,
                              .algorithm = choice->algorithm->name,
                              .pass = rows->pass,
                              .batch = rows->layer->x[0].dims[VDNN_N],
                              .seconds = choice->seconds,
                              .workspace_bytes = (int64_t)choice->workspace_bytes,
                              .updates = choice->algorithm->updates,
                              .is_brief = is_brief,
                              .is_provisional = rows->of->looks};
}

static bool is_unusual(const vdnn_layer *layer)
{
    return layer->def->is_unusual != NULL && layer->def->is_unusual(layer);
}

/* *fails: this row failed; others may not. */
static vdnn_status measure(const vdnn_pass_rows *rows, int32_t i, vdnn_measure_limits limits,
                           bool *fails)
{
    vdnn_layer_rows *own = rows->of;
    const vdnn_choice *choice = &rows->choices[i];
    vdnn_pass_time measured = {.seconds = HUGE_VAL};
    VDNN_TRY(vdnn_layer_rows_begin(own));
    vdnn_status status = vdnn_measure_pass(own->measure, rows->layer, rows->pass, choice->algorithm,
                                           &limits, &measured);
    if (status == VDNN_OK && is_unusual(rows->layer))
        status = vdnn_measure_compare(own->measure, rows->layer, rows->pass, choice->algorithm);
    if (status != VDNN_OK)
        measured.seconds = HUGE_VAL;
    rows->rivals[i] = (vdnn_rival){.seconds = measured.seconds,
                                   .is_settled = measured.is_exact,
                                   .is_brief = measured.is_brief};
    *fails = vdnn_measure_fails_alone(status);
    return status;
}

/* Whether the store has its time; one of a first look is good for another alone. */
static bool is_stored(const vdnn_pass_rows *rows, vdnn_profile_row *row)
{
    return vdnn_profile_store_find(rows->of->store, row) &&
           (rows->of->looks || !row->is_provisional);
}

/* Backward passes do not run what a forward pass applies to its output: where a layer with that and
 * one without are equal otherwise, the second one takes the rows of the first. *row: of the layer
 * itself, its seconds those of the other if the store has it. */
static vdnn_status find_equal_pass(const vdnn_pass_rows *rows, vdnn_profile_row *row,
                                   bool *is_found)
{
    vdnn_layer other = *rows->layer;
    vdnn_profile_row found = *row;
    char *signature = NULL;
    *is_found = false;
    if (rows->pass == VDNN_FORWARD)
        return VDNN_OK;
    other.epilogue = other.epilogue == VDNN_EPILOGUE_NONE ? VDNN_EPILOGUE_RELU : VDNN_EPILOGUE_NONE;
    VDNN_TRY(vdnn_signature_make(&other, &signature));
    found.signature = signature;
    *is_found = is_stored(rows, &found);
    if (*is_found) {
        row->seconds = found.seconds;
        row->is_brief = found.is_brief;
    }
    vdnn_heap_free(signature);
    return VDNN_OK;
}

/* Without its time, if that is to be measured. *refusal: why it does not apply; nothing was added.
 * A time from the store has precedence over the device and its model. */
static vdnn_status add_row(vdnn_pass_rows *rows, const vdnn_algorithm *algorithm,
                           const char **refusal, bool *fails)
{
    const vdnn_layer_rows *own = rows->of;
    bool is_simulated = own->properties->simulated;
    vdnn_offer offer;
    vdnn_status status = vdnn_device_ask(own->device, algorithm, rows->layer, rows->pass, &offer);
    *fails = status == VDNN_DEVICE;
    if (status != VDNN_OK)
        return status;
    *refusal = offer.refusal;
    if (offer.refusal != NULL)
        return VDNN_OK;
    vdnn_choice choice = {.algorithm = algorithm, .workspace_bytes = offer.workspace_bytes};
    vdnn_rival rival = {.is_settled = true};
    if (is_simulated) {
        status = vdnn_device_predict(own->device, rows->layer, rows->pass, algorithm,
                                     &rival.seconds, &choice.workspace_bytes);
        *fails = status == VDNN_DEVICE || status == VDNN_BAD_INPUT;
    }
    vdnn_profile_row row = row_of(rows, &choice, false);
    bool is_known = status == VDNN_OK && is_stored(rows, &row);
    bool is_equal = false;
    if (status == VDNN_OK && !is_known && !is_simulated)
        status = find_equal_pass(rows, &row, &is_equal);
    if (status == VDNN_OK && (is_known || is_equal)) {
        rival.seconds = row.seconds;
        rival.is_brief = row.is_brief;
    } else if (!is_simulated)
        rival.seconds = HUGE_VAL;
    if (status != VDNN_OK)
        return status;
    rows->choices[rows->count] = choice;
    rows->rivals[rows->count] = rival;
    rows->is_fresh[rows->count++] = !is_known && !is_simulated;
    return VDNN_OK;
}

/* ---- rows that fail -------------------------------------------------------------------------- */

/* A sticky error of the device is returned by its next call too. */
static bool is_lost(vdnn_device *device)
{
    vdnn_status status = vdnn_device_round(device), late = vdnn_device_synchronize(device);
    return status != VDNN_OK || late != VDNN_OK;
}

static void tell_failure(const vdnn_layer_rows *own, const char *row, const char *error)
{
    char message[2 * VDNN_STATUS_MESSAGE_BYTES];
    const vdnn_measure_observer *observer = own->observer;
    if (observer == NULL || observer->failed == NULL)
        return;
    (void)snprintf(message, sizeof message, "%s failed and is left out: %s", row, error);
    observer->failed(observer->argument, message);
}

/* Leaves out a row that failed with `status`, for the reason in `error`. For lack of memory that is
 * expected; any other failure is reported, and one after which the device does not work ends the
 * measuring. */
static vdnn_status leave_out(vdnn_layer_rows *own, const vdnn_layer *layer, vdnn_pass pass,
                             const vdnn_algorithm *algorithm, vdnn_status status, const char *error)
{
    char row[256];
    (void)snprintf(row, sizeof row, "%s layer '%s': its %s by %s", layer->def->type, layer->name,
                   vdnn_pass_text(pass), algorithm->name);
    bool is_real = !own->properties->simulated;
    if (is_real && is_lost(own->device))
        return vdnn_status_fail(VDNN_DEVICE,
                                "%s left the device in a state in which every operation fails: %s",
                                row, error);
    if (is_real && status == VDNN_DEVICE)
        tell_failure(own, row, error);
    return vdnn_profile_omit(own->profile, layer->index, pass, algorithm, error);
}

static vdnn_status fail_unrecorded(const vdnn_layer_rows *own, const vdnn_layer *layer,
                                   vdnn_pass pass)
{
    return vdnn_status_fail(
        VDNN_BAD_INPUT,
        "%s layer '%s': the profile recorded on %s has no time of its %s for this shape, batch and "
        "data type; only what was measured can be simulated",
        layer->def->type, layer->name, own->properties->name, vdnn_pass_text(pass));
}

static vdnn_status fail_without_choice(const vdnn_layer_rows *own, const vdnn_layer *layer,
                                       vdnn_pass pass, vdnn_status status, const vdnn_text *reasons)
{
    char place[VDNN_STATUS_MESSAGE_BYTES] = "";
    if (status == VDNN_BAD_INPUT && own->path != NULL)
        (void)snprintf(place, sizeof place, "%s:%d: ", own->path, layer->line);
    return vdnn_status_fail(status, "%s%s layer '%s': no algorithm on %s supports its %s%s%s",
                            place, layer->def->type, layer->name, own->properties->kind,
                            vdnn_pass_text(pass), reasons->length > 0 ? ": " : "",
                            reasons->length > 0 ? reasons->data : "");
}

static void add_reason(vdnn_pass_rows *rows, const vdnn_algorithm *algorithm, const char *why)
{
    vdnn_text_put(&rows->reasons, rows->reasons.length > 0 ? "; " : "");
    vdnn_text_put(&rows->reasons, algorithm->name);
    vdnn_text_put(&rows->reasons, ": ");
    vdnn_text_put(&rows->reasons, why);
}

/* Of a row that failed with `status`; its error is the last message. */
static vdnn_status leave_out_row(vdnn_pass_rows *rows, const vdnn_algorithm *algorithm,
                                 vdnn_status status)
{
    char error[VDNN_STATUS_MESSAGE_BYTES];
    rows->lacking = status == VDNN_NO_MEMORY ? status : VDNN_DEVICE;
    (void)snprintf(error, sizeof error, "%s", vdnn_status_message());
    status = leave_out(rows->of, rows->layer, rows->pass, algorithm, status, error);
    if (status == VDNN_OK)
        add_reason(rows, algorithm, error);
    return status;
}

/* Adds a row, or its name and why there is none. */
static vdnn_status add_row_or_reason(vdnn_pass_rows *rows, const vdnn_algorithm *algorithm)
{
    bool fails = false;
    const char *refusal = NULL;
    vdnn_status status = add_row(rows, algorithm, &refusal, &fails);
    if (status != VDNN_OK && fails)
        return leave_out_row(rows, algorithm, status);
    if (status == VDNN_OK && refusal != NULL)
        add_reason(rows, algorithm, refusal);
    return status;
}

/* What becomes of it depends on the other rows. */
static vdnn_status keep_shortage(vdnn_pass_rows *rows, int32_t i)
{
    rows->shortages[i] = vdnn_heap_strdup(vdnn_status_message());
    return rows->shortages[i] != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it",
                                  rows->layer->name);
}

vdnn_status vdnn_pass_rows_measure(vdnn_pass_rows *rows, int32_t i,
                                   const vdnn_measure_limits *limits)
{
    bool fails = false;
    if (isfinite(rows->rivals[i].seconds) || rows->shortages[i] != NULL)
        return VDNN_OK;
    vdnn_status status = measure(rows, i, *limits, &fails);
    if (vdnn_measure_lacks_memory(status))
        return keep_shortage(rows, i);
    rows->is_fresh[i] = !fails;
    return fails ? leave_out_row(rows, rows->choices[i].algorithm, status) : status;
}

static vdnn_status measure_row(vdnn_pass_rows *rows, int32_t i)
{
    const vdnn_measure_limits limits = limits_of(rows, &rows->choices[i]);
    return vdnn_pass_rows_measure(rows, i, &limits);
}

static bool has_time(const vdnn_pass_rows *rows)
{
    bool has = false;
    for (int32_t i = 0; i < rows->count; i++)
        has = has || isfinite(rows->rivals[i].seconds);
    return has;
}

/* A time for plans to be made with, so that they say what fits: not for the store. */
static void estimate_row(vdnn_pass_rows *rows, int32_t i)
{
    const vdnn_measure_observer *observer = rows->of->observer;
    char message[2 * VDNN_STATUS_MESSAGE_BYTES];
    rows->rivals[i] = (vdnn_rival){.seconds = vdnn_measure_nominal_seconds(rows->layer, rows->pass),
                                   .is_settled = true};
    rows->is_fresh[i] = false;
    (void)snprintf(message, sizeof message,
                   "%s layer '%s': the time of its %s by %s is estimated, as there is not the "
                   "memory to measure one sample: %s",
                   rows->layer->def->type, rows->layer->name, vdnn_pass_text(rows->pass),
                   rows->choices[i].algorithm->name, rows->shortages[i]);
    if (observer != NULL && observer->failed != NULL)
        observer->failed(observer->argument, message);
}

/* Rows that there is not the memory to measure are left out if the pass has others. */
static vdnn_status settle_shortages(vdnn_pass_rows *rows)
{
    const bool is_estimated = !has_time(rows);
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < rows->count && status == VDNN_OK; i++) {
        if (rows->shortages[i] == NULL)
            continue;
        if (is_estimated)
            estimate_row(rows, i);
        else
            status = leave_out(rows->of, rows->layer, rows->pass, rows->choices[i].algorithm,
                               VDNN_NO_MEMORY, rows->shortages[i]);
    }
    return status;
}

/* ---- the rows of a pass ---------------------------------------------------------------------- */

int64_t vdnn_layer_rows_algorithms(const vdnn_device *device, const vdnn_layer *layer)
{
    int64_t count = 0;
    for (size_t next = 0; vdnn_device_algorithm(device, layer->def->type, &next) != NULL;)
        count++;
    return count;
}

vdnn_status vdnn_pass_rows_init(vdnn_pass_rows *rows, vdnn_layer_rows *own, const vdnn_layer *layer,
                                int32_t shape, vdnn_pass pass)
{
    const size_t count = (size_t)vdnn_layer_rows_algorithms(own->device, layer);
    /* Every device computes in f32, so that there the layer is at fault; another type may be what
     * the device does not support. */
    const vdnn_status lacking = layer->dtype == VDNN_F32 ? VDNN_BAD_INPUT : VDNN_DEVICE;
    *rows = (vdnn_pass_rows){
        .of = own, .layer = layer, .shape = shape, .pass = pass, .lacking = lacking};
    rows->choices = vdnn_heap_calloc(count, sizeof *rows->choices);
    rows->rivals = vdnn_heap_calloc(count, sizeof *rows->rivals);
    rows->is_fresh = vdnn_heap_calloc(count, sizeof *rows->is_fresh);
    rows->shortages = vdnn_heap_calloc(count, sizeof *rows->shortages);
    return rows->choices != NULL && rows->rivals != NULL && rows->is_fresh != NULL &&
                   rows->shortages != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it",
                                  layer->name);
}

void vdnn_pass_rows_fini(vdnn_pass_rows *rows)
{
    vdnn_heap_free(rows->choices);
    vdnn_heap_free(rows->rivals);
    vdnn_heap_free(rows->is_fresh);
    for (int32_t i = 0; i < rows->count; i++)
        vdnn_heap_free(rows->shortages[i]);
    vdnn_heap_free(rows->shortages);
    vdnn_text_fini(&rows->reasons);
}

static vdnn_status measure_again(void *argument, int32_t i, double *seconds)
{
    vdnn_pass_rows *rows = argument;
    const vdnn_algorithm *algorithm = rows->choices[i].algorithm;
    char error[VDNN_STATUS_MESSAGE_BYTES];
    VDNN_TRY(vdnn_layer_rows_begin(rows->of));
    vdnn_status status =
        vdnn_measure_pass_again(rows->of->measure, rows->layer, rows->pass, algorithm, seconds);
    rows->rivals[i].is_brief = false;
    if (!vdnn_measure_fails_alone(status))
        return status;
    *seconds = HUGE_VAL;
    (void)snprintf(error, sizeof error, "%s", vdnn_status_message());
    return leave_out(rows->of, rows->layer, rows->pass, algorithm, status, error);
}

static vdnn_status fail_empty(const vdnn_pass_rows *rows)
{
    const vdnn_layer_rows *own = rows->of;
    return own->properties->recorded
               ? fail_unrecorded(own, rows->layer, rows->pass)
               : fail_without_choice(own, rows->layer, rows->pass, rows->lacking, &rows->reasons);
}

vdnn_status vdnn_pass_rows_keep(const vdnn_pass_rows *rows, bool is_whole)
{
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++) {
        vdnn_choice choice = rows->choices[i];
        choice.seconds = rows->rivals[i].seconds;
        const vdnn_profile_row row = row_of(rows, &choice, rows->rivals[i].is_brief);
        bool is_kept = isfinite(choice.seconds) && (is_whole || rows->rivals[i].is_settled);
        if (is_kept && rows->is_fresh[i])
            status = vdnn_profile_store_add(rows->of->store, &row);
        if (is_kept && status == VDNN_OK)
            status = vdnn_profile_add(rows->of->profile, rows->shape, rows->pass, choice);
    }
    bool is_empty = rows->of->profile->layers[rows->shape].choice_count[rows->pass] == 0;
    return status == VDNN_OK && is_whole && is_empty ? fail_empty(rows) : status;
}

vdnn_status vdnn_pass_rows_list(vdnn_pass_rows *rows)
{
    const vdnn_device *device = rows->of->device;
    vdnn_status status = VDNN_OK;
    const vdnn_algorithm *algorithm;
    for (size_t next = 0;
         status == VDNN_OK &&
         (algorithm = vdnn_device_algorithm(device, rows->layer->def->type, &next)) != NULL;)
        status = add_row_or_reason(rows, algorithm);
    return status == VDNN_OK && rows->count == 0 ? fail_empty(rows) : status;
}

static vdnn_status measure_rows(vdnn_pass_rows *rows)
{
    vdnn_status status = vdnn_pass_rows_list(rows);
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++)
        if (rows->choices[i].algorithm == rows->of->fastest[rows->pass])
            status = measure_row(rows, i);
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++)
        status = measure_row(rows, i);
    return status == VDNN_OK ? settle_shortages(rows) : status;
}

static void note_fastest(const vdnn_pass_rows *rows)
{
    int32_t best = 0;
    for (int32_t i = 1; i < rows->count; i++)
        best = rows->rivals[i].seconds < rows->rivals[best].seconds ? i : best;
    if (rows->count > 1)
        rows->of->fastest[rows->pass] = rows->choices[best].algorithm;
}

static vdnn_status choose_row(vdnn_pass_rows *rows)
{
    return vdnn_settle(rows->rivals, rows->count, VDNN_SETTLE_CHOICE, measure_again, rows);
}

static vdnn_status time_row(vdnn_pass_rows *rows)
{
    vdnn_status status =
        vdnn_settle(rows->rivals, rows->count, VDNN_SETTLE_TIME, measure_again, rows);
    note_fastest(rows);
    return status;
}

/* If a replacement turned out slower than it seemed, what it replaces is measured after all. Rows
 * of the store were judged when they were added. */
static vdnn_status confirm_rows(vdnn_pass_rows *rows)
{
    static const vdnn_measure_limits none = {.worth_seconds = HUGE_VAL, .brief_seconds = HUGE_VAL};
    vdnn_status status = VDNN_OK;
    bool has_more = false;
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++) {
        const vdnn_rival *own = &rows->rivals[i];
        bool fails = false;
        if (!own->is_brief || !rows->is_fresh[i] ||
            own->seconds > still_replaced * replacing_seconds(rows, &rows->choices[i]))
            continue;
        status = measure(rows, i, none, &fails);
        if (fails)
            status = leave_out_row(rows, rows->choices[i].algorithm, status);
        has_more = true;
    }
    return has_more && status == VDNN_OK ? time_row(rows) : status;
}

/* ---- a layer --------------------------------------------------------------------------------- */

/* A machine's speed of one moment is often that of the next: between two measurements of an
 * algorithm are those of the other passes. */
static vdnn_status take_stages(vdnn_pass_rows rows[VDNN_PASS_COUNT])
{
    static vdnn_status (*const stages[])(vdnn_pass_rows *) = {measure_rows, choose_row, time_row,
                                                              confirm_rows};
    vdnn_status status = VDNN_OK;
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
            if (rows[pass].of != NULL)
                status = stages[s](&rows[pass]);
    return status;
}

vdnn_status vdnn_layer_rows_add(vdnn_layer_rows *own, const vdnn_layer *layer, int32_t shape)
{
    vdnn_pass_rows rows[VDNN_PASS_COUNT] = {{.of = NULL}};
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status status = VDNN_OK;
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
        if (vdnn_layer_has_pass(layer, (vdnn_pass)pass))
            status = vdnn_pass_rows_init(&rows[pass], own, layer, shape, (vdnn_pass)pass);
    VDNN_IF_OK(status, take_stages(rows));
    vdnn_first_error_keep(&error, status);
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        if (rows[pass].of != NULL) {
            vdnn_first_error_keep(&error, vdnn_pass_rows_keep(&rows[pass], status == VDNN_OK));
            vdnn_pass_rows_fini(&rows[pass]);
        }
    return vdnn_first_error_tell(&error);
}
