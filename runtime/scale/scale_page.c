/* The study as a page: runtime/report/page/scale.html, filled with its JSON and its sentences. */

#include "runtime/report/page/page.h"
#include "runtime/scale/scale.h"

static json_t *cell_records(const vdnn_scale *scale, const vdnn_scale_row *row)
{
    vdnn_scale_cells cells;
    json_t *array = json_array();
    vdnn_scale_fill_cells(row, cells);
    for (int c = 0; c < vdnn_scale_column_count(scale); c++)
        (void)json_array_append_new(array, json_string(cells[c]));
    return array;
}

static json_t *row_records(const vdnn_scale *scale)
{
    json_t *rows = json_array();
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++)
        (void)json_array_append_new(rows, json_pack("{s:s, s:o}", "class",
                                                    row->figures.fits ? "yes" : "no", "cells",
                                                    cell_records(scale, row)));
    return rows;
}

vdnn_status vdnn_scale_write_page(const vdnn_scale *scale, vdnn_text *text)
{
    char device[sizeof scale->setup.properties.name + 128];
    vdnn_text head = {0}, conclusions = {0}, notes = {0};
    json_t *titles = json_array();
    vdnn_text_add(&head, "%s, policy %s, gradients summed by %s",
                  vdnn_setup_device_text(device, sizeof device, &scale->setup.properties),
                  scale->options.policy->name, vdnn_reduce_scheme_text(scale->options.reduce));
    vdnn_scale_conclude(scale, "", "\n", &conclusions);
    vdnn_scale_note_left_out(scale, "", "\n", &notes);
    for (int c = 0; c < vdnn_scale_column_count(scale); c++)
        (void)json_array_append_new(titles, json_string(vdnn_scale_columns[c].title));
    return vdnn_page_write("scale.html",
                           json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                                     scale->setup.graph->name, "head", vdnn_page_lines(&head),
                                     "conclusions", vdnn_page_lines(&conclusions), "titles", titles,
                                     "rows", row_records(scale), "notes", vdnn_page_lines(&notes),
                                     "report", vdnn_scale_record(scale)),
                           text);
}
