/* The projection: whole trainings in which each worker is a device, or a pipeline of several. */

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/table.h"
#include "runtime/scale/scale.h"

#include <math.h>
#include <stdio.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* Samples per second of the workers; not a number: they do not fit, or cannot be. */
static vdnn_status find_rate(const vdnn_scale *scale, int32_t workers, int32_t stages,
                             int64_t batch, double *rate)
{
    vdnn_scale_point point = {.devices = workers * stages,
                              .stages = stages,
                              .batch = workers * batch,
                              .schedule = scale->schedule,
                              .reduce = scale->options.reduce,
                              .shards = scale->options.shards};
    vdnn_scale_figures figures = {0};
    vdnn_status status = VDNN_OK;
    *rate = (double)NAN;
    if (vdnn_scale_find_obstacle(scale, point.devices, point.batch, stages) == VDNN_SCALE_NONE)
        status = vdnn_scale_evaluate(scale, &point, &figures);
    if (status == VDNN_OK && figures.fits)
        *rate = vdnn_scale_rate(point.batch, &figures);
    vdnn_scale_figures_fini(&figures);
    return status;
}

static vdnn_status add_rows(vdnn_scale *scale, int64_t batch, int32_t stages, double alone)
{
    double worker;
    vdnn_status status = find_rate(scale, 1, stages, batch, &worker);
    for (size_t d = 0; status == VDNN_OK && d < scale->device_count; d++) {
        const int32_t devices = scale->devices[d], workers = devices / stages;
        double all;
        if (devices % stages != 0)
            continue;
        status = find_rate(scale, workers, stages, batch, &all);
        vdnn_scale_hybrid *row = &scale->hybrid[scale->hybrid_count++];
        *row = (vdnn_scale_hybrid){.devices = devices,
                                   .stages = stages,
                                   .workers = workers,
                                   .batch = batch,
                                   .su_m = worker / alone,
                                   .se_n = all / worker / workers};
        row->epochs_ratio = vdnn_epochs_curve_at(&scale->curve, (double)batch) /
                            vdnn_epochs_curve_at(&scale->curve, (double)batch * workers);
        row->speedup = row->su_m * row->se_n * workers * row->epochs_ratio;
    }
    return status;
}

/* Workers of one device come first: what the others are compared with. */
vdnn_status vdnn_scale_project(vdnn_scale *scale, const char *curve)
{
    vdnn_status status = curve == NULL ? VDNN_OK : vdnn_epochs_curve_read(curve, &scale->curve);
    scale->hybrid = vdnn_heap_calloc(
        scale->batch_count * (scale->stage_count + 1) * scale->device_count, sizeof *scale->hybrid);
    if (status == VDNN_OK && scale->hybrid == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a projection");
    for (size_t b = 0; b < scale->batch_count; b++) {
        double alone = (double)NAN;
        VDNN_IF_OK(status, find_rate(scale, 1, 1, scale->batches[b], &alone));
        VDNN_IF_OK(status, add_rows(scale, scale->batches[b], 1, alone));
        for (size_t s = 0; s < scale->stage_count; s++)
            if (scale->stages[s] > 1)
                VDNN_IF_OK(status, add_rows(scale, scale->batches[b], scale->stages[s], alone));
    }
    return status;
}

json_t *vdnn_scale_hybrid_record(const vdnn_scale *scale)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < scale->hybrid_count; r++) {
        const vdnn_scale_hybrid *row = &scale->hybrid[r];
        const double numbers[] = {row->su_m, row->se_n, row->epochs_ratio, row->speedup};
        static const char *const names[] = {"su_m", "se_n", "epochs_ratio", "speedup"};
        json_t *record = json_pack("{s:i, s:i, s:i, s:I}", "devices", (int)row->devices, "stages",
                                   (int)row->stages, "workers", (int)row->workers, "batch",
                                   (json_int_t)row->batch);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            (void)json_object_set_new(record, names[n],
                                      isfinite(numbers[n]) ? json_real(numbers[n]) : json_null());
        (void)json_array_append_new(rows, record);
    }
    return rows;
}

/* ---- in words -------------------------------------------------------------------------------- */

static const vdnn_table_column columns[] = {
    {"devices", 0, false}, {"batch", 0, false}, {"stages", 0, false},  {"workers", 0, false},
    {"SU_M", 0, false},    {"SE_N", 0, false},  {"E_1/E_N", 0, false}, {"speed-up", 0, false},
};
enum { COLUMNS = sizeof columns / sizeof *columns, WHOLE = 4 };

static const char *fill_cell(const void *context, size_t r, size_t column,
                             char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_scale_hybrid *row = &((const vdnn_scale *)context)->hybrid[r];
    const double numbers[COLUMNS] = {row->devices,      (double)row->batch, row->stages,
                                     row->workers,      row->su_m,          row->se_n,
                                     row->epochs_ratio, row->speedup};
    if (!isfinite(numbers[column]))
        return "-";
    (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, column < WHOLE ? "%.0f" : "%.3f",
                             numbers[column]);
    return words;
}

void vdnn_scale_hybrid_add_table(const vdnn_scale *scale, size_t line, vdnn_text *text)
{
    const vdnn_table table = {columns, COLUMNS, scale->hybrid_count, fill_cell, scale};
    vdnn_text_add(text, "Whole trainings against one device: speed-up = SU_M x SE_N x N x "
                        "E_1/E_N of N workers\n");
    vdnn_table_add(&table, line, text);
    vdnn_text_add(text, "\n");
}

/* The row of data parallelism alone on as many devices. */
static const vdnn_scale_hybrid *alone_of(const vdnn_scale *scale, const vdnn_scale_hybrid *row)
{
    for (const vdnn_scale_hybrid *other = scale->hybrid; other < row; other++)
        if (other->batch == row->batch && other->stages == 1 && other->devices == row->devices)
            return other;
    return NULL;
}

static double gain_of(const vdnn_scale *scale, const vdnn_scale_hybrid *row)
{
    const vdnn_scale_hybrid *alone = alone_of(scale, row);
    return alone == NULL ? (double)NAN : row->speedup / alone->speedup;
}

/* Of stages: the fewest devices on which they win, and the most devices. */
static void conclude_stages(const vdnn_scale *scale, int64_t batch, int32_t stages, vdnn_text *text)
{
    const vdnn_scale_hybrid *first = NULL, *last = NULL;
    for (const vdnn_scale_hybrid *row = scale->hybrid; row < scale->hybrid + scale->hybrid_count;
         row++) {
        const double gain = gain_of(scale, row);
        if (row->batch != batch || row->stages != stages || !isfinite(gain))
            continue;
        if (gain > 1 && (first == NULL || row->devices < first->devices))
            first = row;
        if (last == NULL || row->devices > last->devices)
            last = row;
    }
    vdnn_text_add(text, "Workers of %d stages, batch %lld each: ", (int)stages, (long long)batch);
    const vdnn_scale_hybrid *shown = first == NULL ? last : first;
    if (shown == NULL) {
        vdnn_text_add(text, "nothing to compare with: a device alone, or its epochs, are not "
                            "known.\n");
        return;
    }
    const vdnn_scale_hybrid *alone = alone_of(scale, shown);
    const double epochs = shown->epochs_ratio / alone->epochs_ratio;
    vdnn_text_add(text, "%s %d devices: ",
                  first == NULL ? "data parallelism alone wins on all numbers of devices; on"
                                : "they begin to win on",
                  (int)shown->devices);
    vdnn_text_add(text, "E_%dN/E_N = %.3f, with sums (SE_N/SE_%dN) %.3f, %d/SU_M = %.3f",
                  (int)stages, epochs, (int)stages, epochs * shown->se_n / alone->se_n, (int)stages,
                  stages / shown->su_m);
    vdnn_text_add(text, "; on %d devices they have %.3f times its speed.\n", (int)last->devices,
                  gain_of(scale, last));
}

void vdnn_scale_hybrid_conclude(const vdnn_scale *scale, vdnn_text *text)
{
    if (scale->curve.count == 0)
        vdnn_text_add(text,
                      "Epochs are assumed, not measured: 1 + batch / %d, in some unit "
                      "(--epochs-curve FILE has those of a network).\n",
                      VDNN_EPOCHS_ASSUMED_BATCH);
    for (size_t b = 0; b < scale->batch_count; b++)
        for (size_t s = 0; s < scale->stage_count; s++)
            if (scale->stages[s] > 1)
                conclude_stages(scale, scale->batches[b], scale->stages[s], text);
}
