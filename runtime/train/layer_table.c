#include "runtime/train/layer_table.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/table.h"

#include <stdio.h>
#include <string.h>

/* A layer's numbers, in milliseconds. */
enum { FORWARD, BACKWARD, STALL, EXPOSED, RECOMPUTE, NUMBERS };

enum { NAME, FIRST_NUMBER, ACTION = FIRST_NUMBER + NUMBERS, COLUMNS };

static const vdnn_table_column columns[COLUMNS] = {
    [NAME] = {"layer", 0, true},
    [FIRST_NUMBER + FORWARD] = {"forward", 0, false},
    [FIRST_NUMBER + BACKWARD] = {"backward", 0, false},
    [FIRST_NUMBER + STALL] = {"stall", 0, false},
    [FIRST_NUMBER + EXPOSED] = {"copies", 0, false},
    [FIRST_NUMBER + RECOMPUTE] = {"recompute", 1, false},
    [ACTION] = {"action", 2, false},
};

/* What is planned has the first numbers alone. */
enum { PLANNED_NUMBERS = STALL };

typedef struct layers {
    const vdnn_record *record;
    const vdnn_plan *plan; /* of the device that is told of */
    vdnn_action *actions;  /* of that */
    size_t count;          /* their sums stand after them */
    size_t shows[COLUMNS]; /* columns of all */
} layers;

static const vdnn_plan *plan_of(const vdnn_record *record)
{
    return record->shares == NULL ? record->plan : record->shares[record->lost_device].plan;
}

/* What belongs to no layer comes last. */
static const char *name_of(const vdnn_graph *graph, int32_t layer)
{
    return layer == graph->layer_count ? "(no layer)" : graph->layers[layer].name;
}

/* Without a run the planned times of a layer, and nothing else. */
static void read_numbers(const layers *own, int32_t layer, double numbers[NUMBERS])
{
    const vdnn_lost_time *lost = own->record->lost;
    memset(numbers, 0, NUMBERS * sizeof *numbers);
    if (lost == NULL) {
        numbers[FORWARD] = own->plan->forward_seconds[layer];
        numbers[BACKWARD] = own->plan->backward_seconds[layer];
        return;
    }
    const vdnn_time_split split = vdnn_lost_time_mean(lost, layer);
    numbers[FORWARD] = vdnn_lost_time_kernels(lost, layer, 0);
    /* recomputing is a separate column */
    numbers[BACKWARD] = vdnn_lost_time_kernels(lost, layer, 1) - split.recompute_seconds;
    numbers[STALL] = split.stall_seconds;
    numbers[EXPOSED] = split.exposed_copy_seconds;
    numbers[RECOMPUTE] = split.recompute_seconds;
}

/* Of the row after the layers, of all of them. */
static double number_of(const layers *own, size_t row, size_t number)
{
    double numbers[NUMBERS], sum = 0;
    const size_t first = row < own->count ? row : 0, end = row < own->count ? row + 1 : own->count;
    for (size_t l = first; l < end; l++) {
        read_numbers(own, (int32_t)l, numbers);
        sum += numbers[number];
    }
    return sum;
}

static const char *cell(const void *context, size_t row, size_t column,
                        char words[VDNN_TABLE_CELL_BYTES])
{
    const layers *own = context;
    const vdnn_graph *graph = own->plan->graph;
    const size_t shown = own->shows[column];
    if (shown == NAME)
        return row < own->count ? name_of(graph, (int32_t)row) : "all";
    if (shown == ACTION)
        return row < (size_t)graph->layer_count
                   ? vdnn_action_text(vdnn_record_action(own->plan, own->actions, (int32_t)row))
                   : "";
    (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.3f",
                             1e3 * number_of(own, row, shown - FIRST_NUMBER));
    return words;
}

static void add_head(const vdnn_record *record, vdnn_text *text)
{
    char line[256];
    const char *of = record->lost == NULL ? "as planned"
                                          : "as the device ran them: kernels, stalls, copies that "
                                            "nothing hid, recompute";
    if (record->shares != NULL && record->lost != NULL)
        (void)snprintf(line, sizeof line,
                       "Milliseconds of a step, %s; device %d, which lost the most", of,
                       (int)record->lost_device);
    else
        (void)snprintf(line, sizeof line, "Milliseconds of a step, %s", of);
    vdnn_text_add_folded(text, line, record->columns);
}

vdnn_status vdnn_layer_table_write(const vdnn_record *record, vdnn_text *text)
{
    const vdnn_plan *plan = plan_of(record);
    const bool is_planned = record->lost == NULL;
    layers own = {.record = record,
                  .plan = plan,
                  .count = (size_t)plan->graph->layer_count + (is_planned ? 0 : 1)};
    vdnn_table_column shown[COLUMNS];
    vdnn_table table = {shown, 0, own.count + 1, cell, &own};
    for (size_t c = 0; c < COLUMNS; c++) {
        if (is_planned && c >= FIRST_NUMBER + PLANNED_NUMBERS && c < ACTION)
            continue;
        own.shows[table.column_count] = c;
        shown[table.column_count++] = columns[c];
    }
    VDNN_TRY(vdnn_plan_find_actions(plan, &own.actions));
    add_head(record, text);
    vdnn_table_add(&table, record->columns, text);
    vdnn_heap_free(own.actions);
    return vdnn_text_status(text, "the layers");
}
