#include "runtime/train/lost_time.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/rounded.h"

#include <math.h>
#include <string.h>

static const char *const half_texts[VDNN_HALVES] = {"forward", "backward"};

static size_t cell_count(const vdnn_lost_time *own)
{
    return ((size_t)own->graph->layer_count + 1) * VDNN_HALVES;
}

vdnn_status vdnn_lost_time_init(const vdnn_graph *graph, vdnn_lost_time *own)
{
    *own = (vdnn_lost_time){.graph = graph};
    own->splits = vdnn_heap_calloc((size_t)graph->layer_count + 1, sizeof *own->splits);
    return own->splits == NULL
               ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the lost time of %d layers",
                                  (int)graph->layer_count)
               : VDNN_OK;
}

void vdnn_lost_time_fini(vdnn_lost_time *own)
{
    vdnn_heap_free(own->splits);
    *own = (vdnn_lost_time){0};
}

void vdnn_lost_time_add(const vdnn_timeline *timeline, const vdnn_overlap *overlap,
                        vdnn_lost_time *own)
{
    vdnn_timeline_split(timeline, own->splits);
    own->copy_seconds += overlap->copy_seconds;
    own->hidden_seconds += overlap->hidden_seconds;
    own->step_count++;
}

/* ---- between processes ----------------------------------------------------------------------- */

typedef struct packed_head {
    double copy_seconds, hidden_seconds;
    int64_t step_count;
} packed_head;

static size_t cell_bytes(const vdnn_lost_time *own)
{
    return cell_count(own) * sizeof(vdnn_time_split);
}

size_t vdnn_lost_time_packed_bytes(const vdnn_lost_time *own)
{
    return sizeof(packed_head) + cell_bytes(own);
}

void vdnn_lost_time_pack(const vdnn_lost_time *own, void *packed)
{
    const packed_head head = {own->copy_seconds, own->hidden_seconds, own->step_count};
    memcpy(packed, &head, sizeof head);
    memcpy((char *)packed + sizeof head, own->splits, cell_bytes(own));
}

void vdnn_lost_time_unpack(const void *packed, vdnn_lost_time *own)
{
    packed_head head;
    memcpy(&head, packed, sizeof head);
    own->copy_seconds = head.copy_seconds;
    own->hidden_seconds = head.hidden_seconds;
    own->step_count = head.step_count;
    memcpy(own->splits, (const char *)packed + sizeof head, cell_bytes(own));
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
static size_t next_worst(const vdnn_lost_time *own, double below, size_t last)
{
    const vdnn_time_split *cells = &own->splits[0][0];
    size_t worst = cell_count(own);
    for (size_t c = 0; c < cell_count(own); c++) {
        const double lost = lost_seconds(&cells[c]);
        const bool is_left = lost < below || (lost <= below && c > last);
        if (lost > 0 && is_left && (worst == cell_count(own) || lost > lost_seconds(&cells[worst])))
            worst = c;
    }
    return worst;
}

typedef void visit(const vdnn_lost_time *own, size_t cell, void *argument);

static void visit_worst(const vdnn_lost_time *own, size_t most, visit *each, void *argument)
{
    size_t worst = next_worst(own, HUGE_VAL, 0);
    for (size_t i = 0; i < most && worst < cell_count(own); i++) {
        each(own, worst, argument);
        worst = next_worst(own, lost_seconds(&own->splits[0][0] + worst), worst);
    }
}

/* "step": of no layer. */
static const char *layer_of(const vdnn_lost_time *own, size_t cell)
{
    const size_t layer = cell / VDNN_HALVES;
    return layer < (size_t)own->graph->layer_count ? own->graph->layers[layer].name : "step";
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static double mean(const vdnn_lost_time *own, double seconds)
{
    return own->step_count > 0 ? seconds / (double)own->step_count : 0;
}

static json_t *loss_record(const vdnn_lost_time *own, const vdnn_time_split *split)
{
    return json_pack("{s:f, s:f, s:f}", "stall_seconds", mean(own, split->stall_seconds),
                     "exposed_copy_seconds", mean(own, split->exposed_copy_seconds),
                     "recompute_seconds", mean(own, split->recompute_seconds));
}

vdnn_time_split vdnn_lost_time_mean(const vdnn_lost_time *own, int32_t layer)
{
    vdnn_time_split sum = {0};
    for (int h = 0; h < VDNN_HALVES; h++)
        add(&own->splits[layer][h], &sum);
    return (vdnn_time_split){.compute_seconds = mean(own, sum.compute_seconds),
                             .recompute_seconds = mean(own, sum.recompute_seconds),
                             .exposed_copy_seconds = mean(own, sum.exposed_copy_seconds),
                             .stall_seconds = mean(own, sum.stall_seconds)};
}

double vdnn_lost_time_all(const vdnn_lost_time *own)
{
    double sum = 0;
    for (size_t c = 0; c < cell_count(own); c++)
        sum += lost_seconds(&own->splits[0][0] + c);
    return mean(own, sum);
}

double vdnn_lost_time_kernels(const vdnn_lost_time *own, int32_t layer, int half)
{
    const vdnn_time_split *split = &own->splits[layer][half];
    return mean(own, split->compute_seconds + split->recompute_seconds);
}

double vdnn_lost_time_hidden_share(const vdnn_lost_time *own)
{
    return own->copy_seconds > 0 ? own->hidden_seconds / own->copy_seconds : 1;
}

json_t *vdnn_lost_time_split(const vdnn_lost_time *own)
{
    vdnn_time_split sum = {0};
    for (size_t c = 0; c < cell_count(own); c++)
        add(&own->splits[0][0] + c, &sum);
    json_t *object = json_pack("{s:f}", "compute_seconds", mean(own, sum.compute_seconds));
    json_t *lost = loss_record(own, &sum);
    (void)json_object_update(object, lost);
    json_decref(lost);
    return object;
}

json_t *vdnn_lost_time_of_layer(const vdnn_lost_time *own, int32_t layer)
{
    vdnn_time_split sum = {0};
    for (int h = 0; h < VDNN_HALVES; h++)
        add(&own->splits[layer][h], &sum);
    return loss_record(own, &sum);
}

static void append_record(const vdnn_lost_time *own, size_t cell, void *argument)
{
    json_t *object = json_pack("{s:s, s:s}", "layer", layer_of(own, cell), "pass",
                               half_texts[cell % VDNN_HALVES]);
    json_t *lost = loss_record(own, &own->splits[0][0] + cell);
    (void)json_object_update(object, lost);
    json_decref(lost);
    (void)json_array_append_new(argument, object);
}

json_t *vdnn_lost_time_record(const vdnn_lost_time *own, size_t most)
{
    json_t *array = json_array();
    visit_worst(own, most, append_record, array);
    return array;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* Of what a step lost: a layer that lost less is not worth a look. */
static const double least_share = 0.05;

static void tell_one(const vdnn_lost_time *own, size_t cell, void *argument)
{
    enum { DIGITS = 3 };
    const double lost = mean(own, lost_seconds(&own->splits[0][0] + cell));
    vdnn_text *text = argument;
    const bool is_of_layer = cell / VDNN_HALVES < (size_t)own->graph->layer_count;
    char seconds[32];
    if (lost >= least_share * vdnn_lost_time_all(own))
        vdnn_text_add(text, "%s%s %s %s", text->length == 0 ? "" : ", ",
                      is_of_layer ? layer_of(own, cell) : "between layers,",
                      half_texts[cell % VDNN_HALVES],
                      vdnn_rounded_seconds(seconds, sizeof seconds, lost, DIGITS));
}

void vdnn_lost_time_tell(const vdnn_lost_time *own, size_t most, vdnn_text *text)
{
    visit_worst(own, most, tell_one, text);
}
