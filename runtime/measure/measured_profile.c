/* A profile from a store's rows, and from measurements of those that are missing. */

#include "runtime/measure/measured_profile.h"
#include "layers/signature.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/measure/measure_internal.h"
#include "runtime/measure/settle.h"
#include "runtime/profile/profile_store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

typedef struct builder {
    const vdnn_graph *graph; /* in one shape */
    vdnn_device *device;
    const vdnn_device_properties *properties;
    vdnn_profile_store *store;
    const vdnn_measure_observer *observer; /* NULL: no observer */
    const vdnn_graph *whole;               /* has the same layers, in other parts; NULL: none */
    const vdnn_profile *of_whole;          /* its profile */
    vdnn_profile *profile;
    vdnn_measure *measure; /* made when the first row is missing */
    int32_t *slots;        /* by signature: the first shape that has it, -1 where free */
    size_t slot_count;
    /* Of the last shape that had a choice: likely to be that of the next one too, which is
     * measured first, so that others are known to be slower. */
    const vdnn_algorithm *fastest[VDNN_PASS_COUNT];
    double begun;                        /* on the machine's clock */
    int64_t measured_work, work_to_come; /* in algorithms (work_of) */
} builder;

/* The rows of one pass of a layer, until all are measured: a choice each, with its time in rivals.
 */
typedef struct pass_rows {
    builder *build;
    const vdnn_layer *layer; /* borrowed */
    int32_t shape;           /* its number */
    vdnn_pass pass;
    vdnn_choice *choices;
    vdnn_rival *rivals;
    bool *is_fresh; /* not in the store yet: to be measured if its seconds are HUGE_VAL */
    int32_t count;
    vdnn_text reasons;   /* why other algorithms have none */
    vdnn_status lacking; /* the error if none has */
} pass_rows;

/* A shape is a layer that runs as a whole, by its index, or behind them one of the layers that its
 * parts are. */
static const vdnn_layer *layer_of(const builder *build, int32_t shape)
{
    const vdnn_graph *graph = build->graph;
    return shape < graph->layer_count ? &graph->layers[shape]
                                      : &graph->part_layers[shape - graph->layer_count];
}

/* ---- one row --------------------------------------------------------------------------------- */

size_t vdnn_measured_profile_working_bytes(const vdnn_graph *graph)
{
    size_t bytes = vdnn_graph_param_bytes(graph) + vdnn_graph_all_state_bytes(graph);
    for (int32_t m = 0; m < graph->map_count; m++)
        bytes += graph->maps[m].bytes;
    return bytes;
}

/* Creates build->measure, once; an error of the observer ends the measuring. */
static vdnn_status begin_measuring(builder *build)
{
    const vdnn_measure_observer *observer = build->observer;
    vdnn_status status = observer == NULL || observer->proceed == NULL
                             ? VDNN_OK
                             : observer->proceed(observer->argument);
    if (status != VDNN_OK || build->measure != NULL)
        return status;
    return vdnn_measure_create(build->device, vdnn_measured_profile_working_bytes(build->graph),
                               &build->measure);
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
static double replacing_seconds(const pass_rows *rows, const vdnn_choice *choice)
{
    double least = HUGE_VAL;
    for (int32_t i = 0; i < rows->count; i++)
        if (!rows->rivals[i].is_brief && can_replace(&rows->choices[i], choice))
            least = fmin(least, rows->rivals[i].seconds);
    return least;
}

/* By the algorithms measured so far. */
static vdnn_measure_limits limits_of(const pass_rows *rows, const vdnn_choice *choice)
{
    double least = HUGE_VAL;
    for (int32_t i = 0; i < rows->count; i++)
        least = fmin(least, rows->rivals[i].seconds);
    return (vdnn_measure_limits){.worth_seconds = much_slower * least,
                                 .brief_seconds = never_chosen * replacing_seconds(rows, choice)};
}

bool vdnn_measured_profile_is_alone(vdnn_status status)
{
    return status == VDNN_NO_MEMORY || status == VDNN_NO_FIT || status == VDNN_DEVICE;
}

static vdnn_profile_row row_of(const pass_rows *rows, const vdnn_choice *choice, bool is_brief)
{
    return (vdnn_profile_row){.signature = rows->layer->signature,
                              .algorithm = choice->algorithm->name,
                              .pass = rows->pass,
                              .batch = rows->layer->x[0].dims[VDNN_N],
                              .seconds = choice->seconds,
                              .workspace_bytes = (int64_t)choice->workspace_bytes,
                              .updates = choice->algorithm->updates,
                              .is_brief = is_brief};
}

/* *fails: this row failed; others may not. */
static vdnn_status measure(const pass_rows *rows, int32_t i, vdnn_measure_limits limits,
                           bool *fails)
{
    builder *build = rows->build;
    const vdnn_choice *choice = &rows->choices[i];
    vdnn_pass_time measured = {.seconds = HUGE_VAL};
    vdnn_status status = begin_measuring(build);
    if (status != VDNN_OK)
        return status;
    status = vdnn_measure_pass(build->measure, rows->layer, rows->pass, choice->algorithm, &limits,
                               &measured);
    rows->rivals[i] = (vdnn_rival){.seconds = measured.seconds,
                                   .is_settled = measured.is_exact,
                                   .is_brief = measured.is_brief};
    *fails = vdnn_measured_profile_is_alone(status);
    return status;
}

/* Backward passes do not run what a forward pass applies to its output: where a layer with that and
 * one without are equal otherwise, the second one takes the rows of the first. *row: of the layer
 * itself, its seconds those of the other if the store has it. */
static vdnn_status find_equal_pass(const pass_rows *rows, vdnn_profile_row *row, bool *is_found)
{
    vdnn_layer other = *rows->layer;
    vdnn_profile_row found = *row;
    char *signature = NULL;
    *is_found = false;
    if (rows->pass == VDNN_FORWARD)
        return VDNN_OK;
    other.epilogue = other.epilogue == VDNN_EPILOGUE_NONE ? VDNN_EPILOGUE_RELU : VDNN_EPILOGUE_NONE;
    vdnn_status status = vdnn_signature_make(&other, &signature);
    if (status != VDNN_OK)
        return status;
    found.signature = signature;
    *is_found = vdnn_profile_store_find(rows->build->store, &found);
    if (*is_found) {
        row->seconds = found.seconds;
        row->is_brief = found.is_brief;
    }
    vdnn_heap_free(signature);
    return VDNN_OK;
}

/* Without its time, if that is to be measured. *refusal: why it does not apply; nothing was added.
 * A time from the store has precedence over the device and its model. */
static vdnn_status add_row(pass_rows *rows, const vdnn_algorithm *algorithm, const char **refusal,
                           bool *fails)
{
    const builder *build = rows->build;
    bool is_simulated = build->properties->simulated;
    vdnn_offer offer;
    vdnn_status status = vdnn_device_ask(build->device, algorithm, rows->layer, rows->pass, &offer);
    *fails = status == VDNN_DEVICE;
    if (status != VDNN_OK)
        return status;
    *refusal = offer.refusal;
    if (offer.refusal != NULL)
        return VDNN_OK;
    vdnn_choice choice = {.algorithm = algorithm, .workspace_bytes = offer.workspace_bytes};
    vdnn_rival rival = {.is_settled = true};
    if (is_simulated) {
        status = vdnn_device_predict(build->device, rows->layer, rows->pass, algorithm,
                                     &rival.seconds, &choice.workspace_bytes);
        *fails = status == VDNN_DEVICE || status == VDNN_BAD_INPUT;
    }
    vdnn_profile_row row = row_of(rows, &choice, false);
    bool is_known = status == VDNN_OK && vdnn_profile_store_find(build->store, &row);
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

static void tell_failure(const builder *build, const char *row, const char *error)
{
    char message[2 * VDNN_STATUS_MESSAGE_BYTES];
    const vdnn_measure_observer *observer = build->observer;
    if (observer == NULL || observer->failed == NULL)
        return;
    (void)snprintf(message, sizeof message, "%s failed and is left out: %s", row, error);
    observer->failed(observer->argument, message);
}

/* Leaves out a row that failed with `status`, for the reason in `error`. For lack of memory that is
 * expected; any other failure is reported, and one after which the device does not work ends the
 * measuring. */
static vdnn_status leave_out(builder *build, const vdnn_layer *layer, vdnn_pass pass,
                             const vdnn_algorithm *algorithm, vdnn_status status, const char *error)
{
    char row[256];
    (void)snprintf(row, sizeof row, "%s layer '%s': its %s by %s", layer->def->type, layer->name,
                   vdnn_pass_text(pass), algorithm->name);
    bool is_real = !build->properties->simulated;
    if (is_real && is_lost(build->device))
        return vdnn_status_fail(VDNN_DEVICE,
                                "%s left the device in a state in which every operation fails: %s",
                                row, error);
    if (is_real && status == VDNN_DEVICE)
        tell_failure(build, row, error);
    return vdnn_profile_omit(build->profile, layer->index, pass, algorithm, error);
}

static vdnn_status fail_unrecorded(const builder *build, const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_status_fail(
        VDNN_BAD_INPUT,
        "%s layer '%s': the profile recorded on %s has no time of its %s for this shape, batch and "
        "data type; only what was measured can be simulated",
        layer->def->type, layer->name, build->properties->name, vdnn_pass_text(pass));
}

static vdnn_status fail_without_choice(const builder *build, const vdnn_layer *layer,
                                       vdnn_pass pass, vdnn_status status, const vdnn_text *reasons)
{
    return vdnn_status_fail(status, "%s layer '%s': no algorithm on %s supports its %s%s%s",
                            layer->def->type, layer->name, build->properties->kind,
                            vdnn_pass_text(pass), reasons->length > 0 ? ": " : "",
                            reasons->length > 0 ? reasons->data : "");
}

static void add_reason(pass_rows *rows, const vdnn_algorithm *algorithm, const char *why)
{
    vdnn_text_put(&rows->reasons, rows->reasons.length > 0 ? "; " : "");
    vdnn_text_put(&rows->reasons, algorithm->name);
    vdnn_text_put(&rows->reasons, ": ");
    vdnn_text_put(&rows->reasons, why);
}

/* Of a row that failed with `status`; its error is the last message. */
static vdnn_status leave_out_row(pass_rows *rows, const vdnn_algorithm *algorithm,
                                 vdnn_status status)
{
    char error[VDNN_STATUS_MESSAGE_BYTES];
    rows->lacking = status == VDNN_NO_MEMORY ? status : VDNN_DEVICE;
    (void)snprintf(error, sizeof error, "%s", vdnn_status_message());
    status = leave_out(rows->build, rows->layer, rows->pass, algorithm, status, error);
    if (status == VDNN_OK)
        add_reason(rows, algorithm, error);
    return status;
}

/* Adds a row, or its name and why there is none. */
static vdnn_status add_row_or_reason(pass_rows *rows, const vdnn_algorithm *algorithm)
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

/* Unless it has its time; a row that fails keeps HUGE_VAL. */
static vdnn_status measure_row(pass_rows *rows, int32_t i)
{
    bool fails = false;
    if (isfinite(rows->rivals[i].seconds))
        return VDNN_OK;
    vdnn_status status = measure(rows, i, limits_of(rows, &rows->choices[i]), &fails);
    return fails ? leave_out_row(rows, rows->choices[i].algorithm, status) : status;
}

/* ---- the rows of a pass ---------------------------------------------------------------------- */

static int64_t count_algorithms(const vdnn_device *device, const vdnn_layer *layer)
{
    int64_t count = 0;
    for (size_t next = 0; vdnn_device_algorithm(device, layer->def->type, &next) != NULL;)
        count++;
    return count;
}

static vdnn_status rows_init(pass_rows *rows, builder *build, int32_t shape, vdnn_pass pass)
{
    const vdnn_layer *layer = layer_of(build, shape);
    const size_t count = (size_t)count_algorithms(build->device, layer);
    *rows = (pass_rows){
        .build = build, .layer = layer, .shape = shape, .pass = pass, .lacking = VDNN_DEVICE};
    rows->choices = vdnn_heap_calloc(count, sizeof *rows->choices);
    rows->rivals = vdnn_heap_calloc(count, sizeof *rows->rivals);
    rows->is_fresh = vdnn_heap_calloc(count, sizeof *rows->is_fresh);
    return rows->choices != NULL && rows->rivals != NULL && rows->is_fresh != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it",
                                  layer->name);
}

static void rows_fini(pass_rows *rows)
{
    vdnn_heap_free(rows->choices);
    vdnn_heap_free(rows->rivals);
    vdnn_heap_free(rows->is_fresh);
    vdnn_text_fini(&rows->reasons);
}

static vdnn_status measure_again(void *argument, int32_t i, double *seconds)
{
    pass_rows *rows = argument;
    const vdnn_algorithm *algorithm = rows->choices[i].algorithm;
    char error[VDNN_STATUS_MESSAGE_BYTES];
    vdnn_status status = begin_measuring(rows->build);
    if (status != VDNN_OK)
        return status;
    status =
        vdnn_measure_pass_again(rows->build->measure, rows->layer, rows->pass, algorithm, seconds);
    rows->rivals[i].is_brief = false;
    if (!vdnn_measured_profile_is_alone(status))
        return status;
    *seconds = HUGE_VAL;
    (void)snprintf(error, sizeof error, "%s", vdnn_status_message());
    return leave_out(rows->build, rows->layer, rows->pass, algorithm, status, error);
}

static vdnn_status fail_empty(const pass_rows *rows)
{
    const builder *build = rows->build;
    return build->properties->recorded
               ? fail_unrecorded(build, rows->layer, rows->pass)
               : fail_without_choice(build, rows->layer, rows->pass, rows->lacking, &rows->reasons);
}

/* Into the store, and into the profile. Of a layer whose measuring failed the store takes what is
 * settled: the rest is measured the next time. */
static vdnn_status keep_rows(const pass_rows *rows, bool is_whole)
{
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++) {
        vdnn_choice choice = rows->choices[i];
        choice.seconds = rows->rivals[i].seconds;
        const vdnn_profile_row row = row_of(rows, &choice, rows->rivals[i].is_brief);
        bool is_kept = isfinite(choice.seconds) && (is_whole || rows->rivals[i].is_settled);
        if (is_kept && rows->is_fresh[i])
            status = vdnn_profile_store_add(rows->build->store, &row);
        if (is_kept && status == VDNN_OK)
            status = vdnn_profile_add(rows->build->profile, rows->shape, rows->pass, choice);
    }
    bool is_empty = rows->build->profile->layers[rows->shape].choice_count[rows->pass] == 0;
    return status == VDNN_OK && is_whole && is_empty ? fail_empty(rows) : status;
}

static vdnn_status measure_rows(pass_rows *rows)
{
    const vdnn_device *device = rows->build->device;
    vdnn_status status = VDNN_OK;
    const vdnn_algorithm *algorithm;
    for (size_t next = 0;
         status == VDNN_OK &&
         (algorithm = vdnn_device_algorithm(device, rows->layer->def->type, &next)) != NULL;)
        status = add_row_or_reason(rows, algorithm);
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++)
        if (rows->choices[i].algorithm == rows->build->fastest[rows->pass])
            status = measure_row(rows, i);
    for (int32_t i = 0; status == VDNN_OK && i < rows->count; i++)
        status = measure_row(rows, i);
    return status == VDNN_OK && rows->count == 0 ? fail_empty(rows) : status;
}

static void note_fastest(const pass_rows *rows)
{
    int32_t best = 0;
    for (int32_t i = 1; i < rows->count; i++)
        best = rows->rivals[i].seconds < rows->rivals[best].seconds ? i : best;
    if (rows->count > 1)
        rows->build->fastest[rows->pass] = rows->choices[best].algorithm;
}

static vdnn_status choose_row(pass_rows *rows)
{
    return vdnn_settle(rows->rivals, rows->count, VDNN_SETTLE_CHOICE, measure_again, rows);
}

static vdnn_status time_row(pass_rows *rows)
{
    vdnn_status status =
        vdnn_settle(rows->rivals, rows->count, VDNN_SETTLE_TIME, measure_again, rows);
    note_fastest(rows);
    return status;
}

/* If a replacement turned out slower than it seemed, what it replaces is measured after all. Rows
 * of the store were judged when they were added. */
static vdnn_status confirm_rows(pass_rows *rows)
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

/* ---- layers ---------------------------------------------------------------------------------- */

static int32_t *slot_of(const builder *build, const vdnn_layer *layer)
{
    size_t mask = build->slot_count - 1;
    size_t i = (size_t)XXH3_64bits(layer->signature, strlen(layer->signature)) & mask;
    while (build->slots[i] >= 0 &&
           strcmp(layer_of(build, build->slots[i])->signature, layer->signature) != 0)
        i = (i + 1) & mask;
    return &build->slots[i];
}

/* Whether the same layer has its rows already where it runs as a whole. */
static bool is_known(const builder *build, int32_t shape)
{
    const vdnn_graph *whole = build->whole;
    return whole != NULL && shape < whole->layer_count &&
           vdnn_graph_part_at(whole, shape, 0) == NULL &&
           strcmp(whole->layers[shape].signature, layer_of(build, shape)->signature) == 0;
}

/* A machine's speed of one moment is often that of the next: between two measurements of an
 * algorithm are those of the other passes. */
static vdnn_status add_shape(builder *build, int32_t shape)
{
    static vdnn_status (*const stages[])(pass_rows *) = {measure_rows, choose_row, time_row,
                                                         confirm_rows};
    const vdnn_layer *layer = layer_of(build, shape);
    int32_t *slot = slot_of(build, layer);
    if (*slot >= 0)
        return vdnn_profile_repeat(build->profile, shape, build->profile, *slot);
    *slot = shape;
    if (is_known(build, shape))
        return vdnn_profile_repeat(build->profile, shape, build->of_whole, shape);
    pass_rows rows[VDNN_PASS_COUNT] = {{.build = NULL}};
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_status status = VDNN_OK;
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
        if (vdnn_layer_has_pass(layer, (vdnn_pass)pass))
            status = rows_init(&rows[pass], build, shape, (vdnn_pass)pass);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
            if (rows[pass].build != NULL)
                status = stages[s](&rows[pass]);
    vdnn_first_error_keep(&error, status);
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        if (rows[pass].build != NULL) {
            vdnn_first_error_keep(&error, keep_rows(&rows[pass], status == VDNN_OK));
            rows_fini(&rows[pass]);
        }
    return vdnn_first_error_tell(&error);
}

/* Bytes that staging reads and writes for each that is staged. */
enum { STAGE_TRAFFIC = 2 };

/* An algorithm that all parts of a layer have: their seconds, and the most workspace of them, with
 * what is staged there. */
static bool join_parts(const builder *build, int32_t layer, vdnn_pass pass, vdnn_choice *choice)
{
    const vdnn_graph *graph = build->graph;
    choice->seconds = 0;
    choice->workspace_bytes = 0;
    for (int32_t p = 0; p < vdnn_graph_part_count(graph, layer); p++) {
        const vdnn_layer *made = vdnn_graph_part_layer(graph, layer, p);
        int32_t shape = graph->layer_count + (int32_t)(made - graph->part_layers);
        int32_t found = vdnn_profile_find(build->profile, shape, pass, choice->algorithm->name);
        if (found < 0)
            return false;
        const vdnn_choice *own = &build->profile->layers[shape].choices[pass][found];
        size_t staged = vdnn_graph_part_staged(graph, layer, p, pass);
        choice->seconds += own->seconds + STAGE_TRAFFIC * (double)staged /
                                              build->profile->elementwise_bytes_per_second;
        if (own->workspace_bytes + staged > choice->workspace_bytes)
            choice->workspace_bytes = own->workspace_bytes + staged;
    }
    return true;
}

/* The choices of a layer in parts are those that all of them have. */
static vdnn_status add_parts(builder *build, int32_t layer)
{
    const vdnn_graph *graph = build->graph;
    const vdnn_layer *first = vdnn_graph_part_layer(graph, layer, 0);
    int32_t shape = graph->layer_count + (int32_t)(first - graph->part_layers);
    vdnn_status status = VDNN_OK;
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++) {
        const vdnn_layer_profile *at = &build->profile->layers[shape];
        for (int32_t i = 0; status == VDNN_OK && i < at->choice_count[pass]; i++) {
            vdnn_choice choice = at->choices[pass][i];
            if (join_parts(build, layer, (vdnn_pass)pass, &choice))
                status = vdnn_profile_add(build->profile, layer, (vdnn_pass)pass, choice);
        }
        if (status == VDNN_OK && at->choice_count[pass] > 0 &&
            build->profile->layers[layer].choice_count[pass] == 0)
            status = vdnn_status_fail(
                VDNN_DEVICE, "%s layer '%s': no algorithm on %s supports its %s in %d parts",
                first->def->type, first->name, build->properties->kind,
                vdnn_pass_text((vdnn_pass)pass), (int)vdnn_graph_part_count(graph, layer));
    }
    return status;
}

/* A rate that is in the store stays: a file of an earlier format has some of them. */
static vdnn_status keep_rate(vdnn_profile_store *store, vdnn_profile_rate rate, double *value)
{
    double stored = vdnn_profile_store_rate(store, rate);
    if (stored <= 0)
        return vdnn_profile_store_set_rate(store, rate, *value);
    *value = stored;
    return VDNN_OK;
}

static vdnn_status add_rates(builder *build)
{
    double rates[VDNN_PROFILE_RATE_COUNT];
    if (build->properties->simulated) {
        vdnn_rates predicted = vdnn_device_predict_rates(build->device);
#define X(name) build->profile->name = predicted.name;
        VDNN_PROFILE_RATE_TABLE(X)
#undef X
        build->profile->reduce = predicted.reduce;
        return VDNN_OK;
    }
    bool known = true;
    for (int i = 0; i < VDNN_PROFILE_RATE_COUNT; i++) {
        rates[i] = vdnn_profile_store_rate(build->store, (vdnn_profile_rate)i);
        known = known && rates[i] > 0;
    }
    vdnn_status status = known ? VDNN_OK : begin_measuring(build);
    if (!known && status == VDNN_OK)
        status = vdnn_measure_rates(build->measure, rates);
    for (int i = 0; status == VDNN_OK && !known && i < VDNN_PROFILE_RATE_COUNT; i++)
        status = keep_rate(build->store, (vdnn_profile_rate)i, &rates[i]);
    if (status != VDNN_OK)
        return status;
#define X(name) build->profile->name = rates[VDNN_PROFILE_RATE_##name];
    VDNN_PROFILE_RATE_TABLE(X)
#undef X
    return VDNN_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool tells_progress(const builder *build)
{
    return build->observer != NULL && build->observer->progress != NULL;
}

/* The algorithms of a layer's passes: short runs take equal times, few or many as they are. 0 if an
 * earlier layer has the rows, or nobody asks. */
static int64_t work_of(const builder *build, int32_t shape)
{
    const vdnn_layer *layer = layer_of(build, shape);
    int64_t passes = 0;
    if (!tells_progress(build) || *slot_of(build, layer) >= 0)
        return 0;
    for (int pass = 0; pass < VDNN_PASS_COUNT; pass++)
        passes += vdnn_layer_has_pass(layer, (vdnn_pass)pass);
    return passes * count_algorithms(build->device, layer);
}

static void clear_slots(builder *build)
{
    for (size_t i = 0; i < build->slot_count; i++)
        build->slots[i] = -1;
}

/* As if all were measured, so that equal layers count once. */
static void count_work(builder *build, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        build->work_to_come += work_of(build, i);
        int32_t *slot = slot_of(build, layer_of(build, i));
        *slot = *slot < 0 ? i : *slot;
    }
    clear_slots(build);
}

static void tell_progress(const builder *build, int32_t done, int32_t count)
{
    const vdnn_measure_observer *observer = build->observer;
    if (build->measure == NULL || !tells_progress(build))
        return;
    double spent = vdnn_measure_now() - build->begun, work = (double)build->measured_work;
    const vdnn_measure_progress so_far = {
        .done = done,
        .count = count,
        .layer = layer_of(build, done)->name,
        .seconds_left = work > 0 ? spent * (double)build->work_to_come / work : 0};
    observer->progress(observer->argument, &so_far);
}

/* All shapes, in order. */
static vdnn_status add_shapes(builder *build, int32_t count)
{
    const vdnn_graph *graph = build->graph;
    vdnn_status status = VDNN_OK;
    build->begun = vdnn_measure_now();
    if (tells_progress(build))
        count_work(build, count);
    for (int32_t i = 0; status == VDNN_OK && i < count; i++) {
        int64_t work = work_of(build, i);
        tell_progress(build, i, count);
        if (i >= graph->layer_count || vdnn_graph_part_at(graph, i, 0) == NULL)
            status = add_shape(build, i);
        build->measured_work += build->measure == NULL ? 0 : work;
        build->work_to_come -= work;
    }
    return status;
}

static vdnn_status measure_shape(void *argument, const vdnn_graph *graph, vdnn_profile **profile)
{
    builder build = *(const builder *)argument;
    build.graph = graph;
    build.slot_count = 16;
    vdnn_first_error error = {VDNN_OK, ""};
    int32_t shapes = graph->layer_count + graph->part_layer_count;
    while (build.slot_count < 2 * (size_t)shapes)
        build.slot_count *= 2;
    vdnn_status status = vdnn_device_select(build.device);
    if (status == VDNN_OK)
        status = vdnn_profile_create_empty(shapes, &build.profile);
    if (status != VDNN_OK)
        return status;
    build.profile->has_link = build.properties->has_link;
    build.profile->spill_bytes_per_second = build.properties->spill_bytes_per_second;
    build.profile->fill_bytes_per_second = build.properties->fill_bytes_per_second;
    build.slots = vdnn_heap_calloc(build.slot_count, sizeof *build.slots);
    if (build.slots == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "profile of %d layers: out of memory",
                                  graph->layer_count);
    if (status == VDNN_OK) {
        clear_slots(&build);
        status = add_rates(&build);
    }
    if (status == VDNN_OK)
        status = add_shapes(&build, shapes);
    for (int32_t i = 0; status == VDNN_OK && i < graph->layer_count; i++)
        if (vdnn_graph_part_at(graph, i, 0) != NULL)
            status = add_parts(&build, i);
    vdnn_first_error_keep(&error, status);
    vdnn_measure_destroy(build.measure);
    status = vdnn_first_error_tell(&error);
    vdnn_heap_free(build.slots);
    if (status == VDNN_OK) {
        vdnn_profile_shorten(build.profile, graph->layer_count);
        *profile = build.profile;
    } else
        vdnn_profile_destroy(build.profile);
    return status;
}

vdnn_status vdnn_measured_profile_create(const vdnn_graph *graph, vdnn_device *device,
                                         vdnn_profile_store *store,
                                         const vdnn_measure_observer *observer,
                                         vdnn_profile **profile)
{
    builder build = {.device = device,
                     .properties = vdnn_device_describe(device),
                     .store = store,
                     .observer = observer};
    return vdnn_profile_create_of(graph, measure_shape, &build, profile);
}

vdnn_status vdnn_measured_profile_predict(const vdnn_graph *graph, vdnn_device *device,
                                          vdnn_profile_store *store, const vdnn_graph *whole,
                                          const vdnn_profile *of_whole, vdnn_profile **profile)
{
    builder build = {.device = device,
                     .properties = vdnn_device_describe(device),
                     .store = store,
                     .whole = whole->lesser == NULL ? whole : NULL,
                     .of_whole = of_whole};
    return vdnn_profile_create_of(graph, measure_shape, &build, profile);
}
