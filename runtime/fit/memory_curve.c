#include "runtime/fit/memory_curve.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/plan/lives.h"
#include "runtime/planner/clock/timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 8, LABEL = 12, MOST_COLUMNS = 72, LEAST_COLUMNS = 10 };

/* ---- what is alive --------------------------------------------------------------------------- */

/* The bytes that live at each point, in `live`, from the changes at each. */
static void sum_lives(const vdnn_plan *plan, const vdnn_lives *lives, double *live)
{
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_life *life = &lives->of[b];
        if (plan->buffers[b].tier != VDNN_TIER_DEVICE || life->first == life->end)
            continue;
        live[life->first] += (double)plan->buffers[b].bytes;
        live[life->end] -= (double)plan->buffers[b].bytes;
    }
    for (int32_t p = 1; p < lives->point_count; p++)
        live[p] += live[p - 1];
}

/* A part of the step's time takes the most of all points that reach into it. */
static void raise(double from, double to, double live, size_t count, double *most)
{
    const size_t last = count - 1;
    const size_t first = (size_t)fmin(fmax(from, 0) * (double)count, (double)last),
                 end = (size_t)fmin(fmax(to, 0) * (double)count, (double)last);
    for (size_t i = first; i <= end; i++)
        most[i] = fmax(most[i], live);
}

/* Where the first backward pass begins, as a share of the step, beside the most of each part. */
static double fill_columns(const vdnn_plan *plan, const double *start, const double *live,
                           int32_t point_count, size_t count, double *most)
{
    const double whole = plan->step_seconds > 0 ? plan->step_seconds : 1;
    double backward = 1;
    int32_t point = 0;
    for (int32_t s = 0; s < plan->step_count && point + 1 < point_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (step->stream != VDNN_STREAM_COMPUTE)
            continue;
        const double from = start[s] / whole, to = start[plan->step_count + s] / whole;
        raise(from, to, live[point], count, most);
        raise(to, to, live[point + 1], count, most);
        point += 2;
        if (step->kind == VDNN_STEP_RUN && step->pass != VDNN_FORWARD && from < backward)
            backward = from;
    }
    for (size_t i = 1; i < count; i++) /* between two steps nothing begins to live */
        most[i] = most[i] > 0 ? most[i] : most[i - 1];
    return backward;
}

/* ---- the picture ----------------------------------------------------------------------------- */

typedef struct picture {
    const vdnn_memory_curve *curve;
    const double *most; /* of each column */
    size_t count;
    double top; /* bytes of the uppermost edge */
    int budget; /* the row of its line; -1: above */
    vdnn_text *text;
} picture;

/* From empty to full. */
static const char *const blocks[] = {" ",
                                     "\xe2\x96\x81",
                                     "\xe2\x96\x82",
                                     "\xe2\x96\x83",
                                     "\xe2\x96\x84",
                                     "\xe2\x96\x85",
                                     "\xe2\x96\x86",
                                     "\xe2\x96\x87",
                                     "\xe2\x96\x88"};
static const char *const signs[] = {" ", ".", ":", "#"};

enum { BLOCKS = sizeof blocks / sizeof *blocks, SIGNS = sizeof signs / sizeof *signs };

/* How much of a cell is below the curve, 0 to 1. */
static double filled(const picture *own, int row, size_t column)
{
    const double height = own->most[column] / own->top * ROWS;
    return fmin(fmax(height - row, 0), 1);
}

/* Whatever is not empty can be seen. */
static int level_of(const picture *own, int row, size_t column)
{
    const int most = (own->curve->has_blocks ? BLOCKS : SIGNS) - 1;
    return (int)ceil(filled(own, row, column) * most - 1e-9);
}

static void add_cell(const picture *own, int row, size_t column)
{
    const int level = level_of(own, row, column);
    const bool has_blocks = own->curve->has_blocks;
    if (level == 0 && row == own->budget)
        vdnn_text_add(own->text, "%s", has_blocks ? "\xe2\x94\x80" : "-");
    else
        vdnn_text_add(own->text, "%s", has_blocks ? blocks[level] : signs[level]);
}

/* Without blanks at its end. */
static void add_row(const picture *own, int row)
{
    size_t end = own->count;
    while (row != own->budget && end > 0 && level_of(own, row, end - 1) == 0)
        end--;
    vdnn_text_add(own->text, "%*s |", LABEL, row == own->budget ? "budget" : "");
    for (size_t c = 0; c < end; c++)
        add_cell(own, row, c);
    vdnn_text_add(own->text, "\n");
}

static void add_axis(const picture *own, double backward, double seconds)
{
    char line[2 * MOST_COLUMNS + 64], cells[2][32];
    const int digits = own->curve->digits;
    memset(line, '-', own->count);
    line[own->count] = '\0';
    const size_t at = (size_t)(backward * (double)own->count);
    if (backward < 1 && at < own->count)
        line[at] = '^';
    vdnn_text_add(own->text, "%*s +%s\n", LABEL, "0 B", line);
    vdnn_text_add(own->text, "%*s  0 s; ^ backward from %s; end %s\n", LABEL, "",
                  vdnn_rounded_seconds(cells[0], sizeof cells[0], backward * seconds, digits),
                  vdnn_rounded_seconds(cells[1], sizeof cells[1], seconds, digits));
}

/* Up to twice the peak the line is in the picture. */
static void draw(const vdnn_memory_curve *curve, const vdnn_plan *plan, const double *most,
                 size_t count, double backward, vdnn_text *text)
{
    char cells[2][32], head[160];
    const double peak = (double)plan->peak_bytes[VDNN_TIER_DEVICE];
    const double budget = (double)curve->budget_bytes;
    const bool is_shown = budget <= 2 * peak;
    picture own = {.curve = curve,
                   .most = most,
                   .count = count,
                   .top = is_shown ? fmax(peak, budget) : peak,
                   .budget = -1,
                   .text = text};
    if (is_shown)
        own.budget = (int)fmin(budget / own.top * ROWS, ROWS - 1);
    (void)snprintf(head, sizeof head,
                   "alive over the step, as planned: at most %s; the budget is %s%s",
                   vdnn_text_bytes(cells[0], sizeof cells[0], peak),
                   vdnn_text_bytes(cells[1], sizeof cells[1], budget),
                   is_shown ? "" : ", more than twice that");
    vdnn_text_add_folded(text, head, curve->columns);
    for (int row = ROWS - 1; row >= 0; row--)
        add_row(&own, row);
    add_axis(&own, backward, curve->step_seconds > 0 ? curve->step_seconds : plan->step_seconds);
}

vdnn_status vdnn_memory_curve_add(const vdnn_memory_curve *curve, const vdnn_plan *plan,
                                  const vdnn_profile *profile, vdnn_text *text)
{
    const size_t taken = LABEL + 2, steps = (size_t)plan->step_count;
    const size_t left = curve->columns > taken ? curve->columns - taken : 0;
    const size_t count = left > MOST_COLUMNS    ? MOST_COLUMNS
                         : left < LEAST_COLUMNS ? LEAST_COLUMNS
                                                : left;
    vdnn_lives lives = {0};
    double most[MOST_COLUMNS] = {0};
    double *start = vdnn_heap_calloc(2 * steps, sizeof *start);
    double *live = vdnn_heap_calloc(2 * steps + 1, sizeof *live);
    vdnn_status status = VDNN_OK;
    if (start == NULL || live == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu steps", steps);
    VDNN_IF_OK(status, vdnn_timing_run(plan, profile, start, start + steps));
    VDNN_IF_OK(status, vdnn_lives_init(plan, &lives));
    if (status == VDNN_OK) {
        sum_lives(plan, &lives, live);
        const double backward = fill_columns(plan, start, live, lives.point_count, count, most);
        draw(curve, plan, most, count, backward, text);
        vdnn_lives_fini(&lives);
    }
    vdnn_heap_free(start);
    vdnn_heap_free(live);
    return status;
}
