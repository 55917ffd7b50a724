#include "runtime/measure/first_look.h"

#include "runtime/base/heap.h"
#include "runtime/measure/measure_internal.h"

#include <math.h>
#include <stdlib.h>

/* How many of the algorithms that a device lists first are likely to be the fastest. */
enum { LIKELY = 2 };

/* An algorithm that was not measured is estimated to take longer than those that were, so that none
 * is chosen for its speed; each further one by this share of the time. */
static const double further_share = 0.25;

/* ---- how long all would take ----------------------------------------------------------------- */

/* Of a row: preparing its memory, and several runs, which are short ones of some samples. */
static const double row_seconds = 0.01, run_seconds = 0.03;
enum { ROW_RUNS = 5 };

double vdnn_first_look_whole_seconds(const vdnn_layer_rows *of, const vdnn_layer *layer,
                                     vdnn_pass pass)
{
    const vdnn_algorithm *algorithm;
    const double run = fmin(vdnn_measure_nominal_seconds(layer, pass), run_seconds);
    double seconds = 0;
    for (size_t next = 0;
         (algorithm = vdnn_device_algorithm(of->device, layer->def->type, &next)) != NULL;) {
        vdnn_profile_row row = {.signature = layer->signature,
                                .algorithm = algorithm->name,
                                .pass = pass,
                                .batch = layer->x[0].dims[VDNN_N]};
        if (vdnn_algorithm_refusal(algorithm, layer, pass) == NULL &&
            (!vdnn_profile_store_find(of->store, &row) || row.is_provisional))
            seconds += row_seconds + ROW_RUNS * run;
    }
    return seconds;
}

/* ---- the passes ------------------------------------------------------------------------------ */

static bool grow(vdnn_first_look *look)
{
    const size_t capacity = look->capacity == 0 ? 64 : 2 * look->capacity;
    if (look->count < look->capacity)
        return true;
    vdnn_pass_rows *passes = vdnn_heap_realloc(look->passes, capacity, sizeof *passes);
    if (passes == NULL)
        return false;
    look->passes = passes;
    look->capacity = capacity;
    return true;
}

static vdnn_status add_pass(vdnn_first_look *look, const vdnn_layer *layer, int32_t shape,
                            vdnn_pass pass)
{
    if (!grow(look))
        return vdnn_status_fail(VDNN_NO_MEMORY, "layer '%s': no memory to measure it", layer->name);
    vdnn_pass_rows *rows = &look->passes[look->count++];
    VDNN_TRY(vdnn_pass_rows_init(rows, look->of, layer, shape, pass));
    VDNN_TRY(vdnn_pass_rows_list(rows));
    for (int32_t i = 0; i < rows->count; i++)
        look->fresh += !isfinite(rows->rivals[i].seconds);
    return VDNN_OK;
}

vdnn_status vdnn_first_look_add(vdnn_first_look *look, const vdnn_layer *layer, int32_t shape)
{
    vdnn_status status = VDNN_OK;
    for (int pass = 0; status == VDNN_OK && pass < VDNN_PASS_COUNT; pass++)
        if (vdnn_layer_has_pass(layer, (vdnn_pass)pass))
            status = add_pass(look, layer, shape, (vdnn_pass)pass);
    return status;
}

void vdnn_first_look_fini(vdnn_first_look *look)
{
    for (size_t i = 0; i < look->count; i++)
        vdnn_pass_rows_fini(&look->passes[i]);
    vdnn_heap_free(look->passes);
    *look = (vdnn_first_look){0};
}

/* ---- measuring ------------------------------------------------------------------------------- */

static double weight(const vdnn_pass_rows *rows)
{
    return vdnn_measure_nominal_seconds(rows->layer, rows->pass);
}

/* The heaviest first; of equal ones the first. */
static int compare(const void *left, const void *right)
{
    const vdnn_pass_rows *const *a = left, *const *b = right;
    const double first = weight(*a), second = weight(*b);
    return first != second ? (first < second) - (first > second) : (*a > *b) - (*a < *b);
}

/* Whether a row is one of those that a turn measures. A pass of which the store has rows chooses
 * among those. */
static bool is_of_turn(const vdnn_pass_rows *rows, int32_t i, int turn)
{
    const bool has_choice = rows->count > 1;
    return turn == 0   ? has_choice && i < LIKELY
           : turn == 1 ? has_choice && i >= LIKELY
                       : !has_choice;
}

static bool is_looked_at(const vdnn_pass_rows *rows)
{
    for (int32_t i = 0; i < rows->count; i++)
        if (!rows->is_fresh[i])
            return true;
    return false;
}

/* One run each: the warm-up. `in_any_case`: all others are estimated by this one. */
static vdnn_status measure(vdnn_first_look *look, vdnn_pass_rows *rows, int turn, bool in_any_case)
{
    static const vdnn_measure_limits once = {.worth_seconds = 1e-12, .brief_seconds = 1e-12};
    vdnn_status status = VDNN_OK;
    if (is_looked_at(rows))
        return VDNN_OK;
    for (int32_t i = 0; i < rows->count && status == VDNN_OK; i++) {
        if (!is_of_turn(rows, i, turn) || (!in_any_case && vdnn_measure_now() >= look->until))
            continue;
        status = vdnn_pass_rows_measure(rows, i, &once);
        look->measured += isfinite(rows->rivals[i].seconds);
    }
    return status;
}

static vdnn_status measure_some(vdnn_first_look *look)
{
    enum { TURNS = 3 };
    vdnn_pass_rows **sorted = vdnn_heap_calloc(look->count + 1, sizeof(vdnn_pass_rows *));
    vdnn_status status = VDNN_OK;
    if (sorted == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to measure %zu passes", look->count);
    for (size_t i = 0; i < look->count; i++)
        sorted[i] = &look->passes[i];
    qsort(sorted, look->count, sizeof *sorted, compare);
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < look->count && status == VDNN_OK; i++)
            status = measure(look, sorted[i], turn, turn == 0 && i == 0);
    vdnn_heap_free(sorted);
    return status;
}

/* ---- estimating ------------------------------------------------------------------------------ */

static double longest(const vdnn_pass_rows *rows)
{
    double most = 0;
    for (int32_t i = 0; i < rows->count; i++)
        if (isfinite(rows->rivals[i].seconds))
            most = fmax(most, rows->rivals[i].seconds);
    return most;
}

/* How much longer than its nominal time a pass with a choice takes, by all that have a time. */
static double slowness(const vdnn_first_look *look)
{
    double seconds = 0, nominal = 0;
    for (size_t p = 0; p < look->count; p++) {
        const vdnn_pass_rows *rows = &look->passes[p];
        double least = HUGE_VAL;
        for (int32_t i = 0; i < rows->count; i++)
            least = fmin(least, rows->rivals[i].seconds);
        if (rows->count < 2 || !isfinite(least))
            continue;
        seconds += least;
        nominal += weight(rows);
    }
    return nominal > 0 ? seconds / nominal : 1;
}

static void estimate(vdnn_pass_rows *rows, double slowness)
{
    const double known = longest(rows), base = known > 0 ? known : weight(rows) * slowness;
    int32_t further = known > 0;
    for (int32_t i = 0; i < rows->count; i++)
        if (!isfinite(rows->rivals[i].seconds) && rows->is_fresh[i])
            rows->rivals[i] =
                (vdnn_rival){.seconds = base * (1 + further_share * further++), .is_settled = true};
}

vdnn_status vdnn_first_look_take(vdnn_first_look *look)
{
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, measure_some(look));
    const double slow = slowness(look);
    for (size_t p = 0; p < look->count; p++) {
        if (error.status == VDNN_OK)
            estimate(&look->passes[p], look->passes[p].count > 1 ? slow : 1);
        vdnn_first_error_keep(&error,
                              vdnn_pass_rows_keep(&look->passes[p], error.status == VDNN_OK));
    }
    return vdnn_first_error_tell(&error);
}
