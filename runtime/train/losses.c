#include "runtime/train/losses.h"

#include "runtime/base/heap.h"

#include <math.h>

static const char *const half_texts[VDNN_HALVES] = {"forward", "backward"};

static size_t cell_count(const vdnn_losses *losses)
{
    return ((size_t)losses->graph->layer_count + 1) * VDNN_HALVES;
}

vdnn_status vdnn_losses_init(const vdnn_graph *graph, vdnn_losses *losses)
{
    *losses = (vdnn_losses){.graph = graph};
    losses->splits = vdnn_heap_calloc((size_t)graph->layer_count + 1, sizeof *losses->splits);
    return losses->splits == NULL
               ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the lost time of %d layers",
                                  (int)graph->layer_count)
               : VDNN_OK;
}

void vdnn_losses_fini(vdnn_losses *losses)
{
    vdnn_heap_free(losses->splits);
    *losses = (vdnn_losses){0};
}

void vdnn_losses_add(const vdnn_timeline *timeline, vdnn_losses *losses)
{
    const vdnn_overlap overlap = vdnn_timeline_overlap(timeline);
    vdnn_timeline_split(timeline, losses->splits);
    losses->copy_seconds += overlap.copy_seconds;
    losses->hidden_seconds += overlap.hidden_seconds;
    losses->step_count++;
}

/* ---- what is lost ---------------------------------------------------------------------------- */

static double lost_seconds(const vdnn_time_split *split)
{
    return split->stall_seconds + split->exposed_copy_seconds + split->recompute_seconds;
}

static void add(const vdnn_time_split *more, vdnn_time_split *sum)
{
    sum->compute_seconds += more->compute_seconds;
    sum->recompute_seconds += more->recompute_seconds;
    sum->exposed_copy_seconds += more->exposed_copy_seconds;
    sum->stall_seconds += more->stall_seconds;
}

/* The cell that lost the most of those that lost less than `below`, or as much and come later than
 * `last`; the count of cells: there is none. Cells are in the order of layers and halves. */
static size_t next_worst(const vdnn_losses *losses, double below, size_t last)
{
    const vdnn_time_split *cells = &losses->splits[0][0];
    size_t worst = cell_count(losses);
    for (size_t c = 0; c < cell_count(losses); c++) {
        const double lost = lost_seconds(&cells[c]);
        const bool is_left = lost < below || (lost <= below && c > last);
        if (lost > 0 && is_left &&
            (worst == cell_count(losses) || lost > lost_seconds(&cells[worst])))
            worst = c;
    }
    return worst;
}

typedef void visit(const vdnn_losses *losses, size_t cell, void *argument);

static void visit_worst(const vdnn_losses *losses, size_t most, visit *each, void *argument)
{
    size_t worst = next_worst(losses, HUGE_VAL, 0);
    for (size_t i = 0; i < most && worst < cell_count(losses); i++) {
        each(losses, worst, argument);
        worst = next_worst(losses, lost_seconds(&losses->splits[0][0] + worst), worst);
    }
}

/* "step": of no layer. */
static const char *layer_of(const vdnn_losses *losses, size_t cell)
{
    const size_t layer = cell / VDNN_HALVES;
    return layer < (size_t)losses->graph->layer_count ? losses->graph->layers[layer].name : "step";
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static double mean(const vdnn_losses *losses, double seconds)
{
    return losses->step_count > 0 ? seconds / (double)losses->step_count : 0;
}

static json_t *loss_record(const vdnn_losses *losses, const vdnn_time_split *split)
{
    return json_pack("{s:f, s:f, s:f}", "stall_seconds", mean(losses, split->stall_seconds),
                     "exposed_copy_seconds", mean(losses, split->exposed_copy_seconds),
                     "recompute_seconds", mean(losses, split->recompute_seconds));
}

json_t *vdnn_losses_split(const vdnn_losses *losses)
{
    vdnn_time_split sum = {0};
    for (size_t c = 0; c < cell_count(losses); c++)
        add(&losses->splits[0][0] + c, &sum);
    json_t *object = json_pack("{s:f}", "compute_seconds", mean(losses, sum.compute_seconds));
    json_t *lost = loss_record(losses, &sum);
    (void)json_object_update(object, lost);
    json_decref(lost);
    return object;
}

json_t *vdnn_losses_of_layer(const vdnn_losses *losses, int32_t layer)
{
    vdnn_time_split sum = {0};
    for (int h = 0; h < VDNN_HALVES; h++)
        add(&losses->splits[layer][h], &sum);
    return loss_record(losses, &sum);
}

static void append_record(const vdnn_losses *losses, size_t cell, void *argument)
{
    json_t *object = json_pack("{s:s, s:s}", "layer", layer_of(losses, cell), "pass",
                               half_texts[cell % VDNN_HALVES]);
    json_t *lost = loss_record(losses, &losses->splits[0][0] + cell);
    (void)json_object_update(object, lost);
    json_decref(lost);
    (void)json_array_append_new(argument, object);
}

json_t *vdnn_losses_record(const vdnn_losses *losses, size_t most)
{
    json_t *array = json_array();
    visit_worst(losses, most, append_record, array);
    return array;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void tell_one(const vdnn_losses *losses, size_t cell, void *argument)
{
    const vdnn_time_split *split = &losses->splits[0][0] + cell;
    vdnn_text *text = argument;
    vdnn_text_add(text, "%s%s %s %.3g ms", text->length == 0 ? "lost the most: " : ", ",
                  layer_of(losses, cell), half_texts[cell % VDNN_HALVES],
                  1e3 * mean(losses, lost_seconds(split)));
}

void vdnn_losses_tell(const vdnn_losses *losses, size_t most, vdnn_text *text)
{
    visit_worst(losses, most, tell_one, text);
}
