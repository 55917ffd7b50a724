#include "runtime/train/layer_table.h"

#include <stdio.h>
#include <string.h>

enum { FORWARD, BACKWARD, STALL, EXPOSED, RECOMPUTE, NUMBERS, ACTION = NUMBERS, COLUMNS };

/* Behind the layer's name, in milliseconds. */
static const vdnn_text_column columns[COLUMNS] = {
    [FORWARD] = {"forward", 9, 0}, [BACKWARD] = {"backward", 9, 0},   [STALL] = {"stall", 9, 0},
    [EXPOSED] = {"copies", 9, 0},  [RECOMPUTE] = {"recompute", 9, 1}, [ACTION] = {"action", 9, 2},
};

typedef struct table {
    const vdnn_record *record;
    const vdnn_plan *plan; /* of the device that is told of */
    vdnn_text *text;
    int name_width;
    bool shown[COLUMNS];
} table;

static const vdnn_plan *plan_of(const vdnn_record *record)
{
    return record->shares == NULL ? record->plan : record->shares[record->lost_device].plan;
}

/* What belongs to no layer comes last. */
static const char *name_of(const vdnn_graph *graph, int32_t layer)
{
    return layer == graph->layer_count ? "(no layer)" : graph->layers[layer].name;
}

static int longest_name(const vdnn_graph *graph)
{
    size_t longest = strlen("layer");
    for (int32_t l = 0; l <= graph->layer_count; l++)
        if (strlen(name_of(graph, l)) > longest)
            longest = strlen(name_of(graph, l));
    return (int)longest;
}

/* Without a run the planned times of a layer, and nothing else. */
static void read_numbers(const table *own, int32_t layer, double numbers[NUMBERS])
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
    /* recomputing is a column of its own */
    numbers[BACKWARD] = vdnn_lost_time_kernels(lost, layer, 1) - split.recompute_seconds;
    numbers[STALL] = split.stall_seconds;
    numbers[EXPOSED] = split.exposed_copy_seconds;
    numbers[RECOMPUTE] = split.recompute_seconds;
}

static void add_line(const table *own, int32_t layer, double sums[NUMBERS])
{
    const vdnn_graph *graph = own->plan->graph;
    double numbers[NUMBERS];
    read_numbers(own, layer, numbers);
    vdnn_text_add(own->text, "%-*s", own->name_width, name_of(graph, layer));
    for (int c = 0; c < NUMBERS; c++) {
        sums[c] += numbers[c];
        if (own->shown[c])
            vdnn_text_add(own->text, " %*.3f", columns[c].width, 1e3 * numbers[c]);
    }
    if (own->shown[ACTION] && layer < graph->layer_count)
        vdnn_text_add(own->text, " %*s", columns[ACTION].width,
                      vdnn_action_text(vdnn_record_action(own->plan, layer)));
    vdnn_text_add(own->text, "\n");
}

static void add_titles(const table *own)
{
    vdnn_text_add(own->text, "%-*s", own->name_width, "layer");
    for (int c = 0; c < COLUMNS; c++)
        if (own->shown[c])
            vdnn_text_add(own->text, " %*s", columns[c].width, columns[c].title);
    vdnn_text_add(own->text, "\n");
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
    table own = {.record = record, .plan = plan_of(record), .text = text};
    const vdnn_graph *graph = own.plan->graph;
    const int32_t end = graph->layer_count + (record->lost == NULL ? 0 : 1);
    double sums[NUMBERS] = {0};
    own.name_width = longest_name(graph);
    vdnn_text_fit_columns(columns, COLUMNS, (size_t)own.name_width, record->columns, own.shown);
    for (int c = STALL; record->lost == NULL && c <= RECOMPUTE; c++)
        own.shown[c] = false;
    add_head(record, text);
    add_titles(&own);
    for (int32_t l = 0; l < end; l++)
        add_line(&own, l, sums);
    vdnn_text_add(text, "%-*s", own.name_width, "all");
    for (int c = 0; c < NUMBERS; c++)
        if (own.shown[c])
            vdnn_text_add(text, " %*.3f", columns[c].width, 1e3 * sums[c]);
    vdnn_text_add(text, "\n");
    return text->failed ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the layers") : VDNN_OK;
}
