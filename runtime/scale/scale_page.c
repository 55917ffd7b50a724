/* The study as a page: throughput, efficiency and memory over the number of devices, a line for
 * each batch. */

#include "runtime/report/page.h"
#include "runtime/scale/scale.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 90, TOP = 40, WIDTH = 620, HEIGHT = 260, TICKS = 4, COLOURS = 6 };

static const char *const colours[COLOURS] = {"#2f6da8", "#b0503e", "#3d8a5f",
                                             "#8a5fa8", "#b08a2f", "#5f6b78"};

typedef double figure(const vdnn_scale_row *row);

static double images_per_second(const vdnn_scale_row *row)
{
    return row->images_per_second;
}

static double efficiency(const vdnn_scale_row *row)
{
    return row->efficiency;
}

static double gib(const vdnn_scale_row *row)
{
    size_t most = 0;
    for (int32_t d = 0; d < row->devices; d++)
        most = row->figures.peak_bytes[d] > most ? row->figures.peak_bytes[d] : most;
    return 0x1p-30 * (double)most;
}

/* Upwards from 0, and over the logarithm of the number of devices. */
typedef struct chart {
    const vdnn_scale *scale;
    figure *of;
    double most, fewest_devices, most_devices;
} chart;

static double x_of(const chart *own, double devices)
{
    double span = log2(own->most_devices / own->fewest_devices);
    return LEFT + (span > 0 ? WIDTH * log2(devices / own->fewest_devices) / span : WIDTH / 2.);
}

static double y_of(const chart *own, double value)
{
    return TOP + HEIGHT * (1 - value / own->most);
}

static chart chart_of(const vdnn_scale *scale, figure *of)
{
    chart own = {.scale = scale, .of = of, .fewest_devices = HUGE_VAL, .most_devices = 1};
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        if (isfinite(of(row)))
            own.most = fmax(own.most, of(row));
        own.fewest_devices = fmin(own.fewest_devices, row->devices);
        own.most_devices = fmax(own.most_devices, row->devices);
    }
    own.most = own.most > 0 ? own.most : 1;
    return own;
}

static void add_axes(const chart *own, vdnn_text *text)
{
    for (int t = 0; t <= TICKS; t++) {
        double value = own->most * t / TICKS, y = y_of(own, value);
        vdnn_text_add(text,
                      "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dde2e8\"/>"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                      LEFT, LEFT + WIDTH, y, y, LEFT - 8, y + 4, value);
    }
    for (size_t d = 0; d < own->scale->device_count; d++)
        if (own->scale->devices[d] <= own->most_devices)
            vdnn_text_add(text, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                          x_of(own, own->scale->devices[d]), TOP + HEIGHT + 20,
                          (int)own->scale->devices[d]);
    vdnn_text_add(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">devices</text>\n",
                  LEFT + WIDTH / 2, TOP + HEIGHT + 40);
}

/* The rows of one batch that fit, in the order of the list. */
static void add_line(const chart *own, size_t b, vdnn_text *text)
{
    const vdnn_scale *scale = own->scale;
    const char *colour = colours[b % COLOURS];
    vdnn_text_add(text, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                  colour);
    for (size_t r = 0; r < scale->row_count; r++)
        if (scale->rows[r].batch == scale->batches[b] && scale->rows[r].figures.fits)
            vdnn_text_add(text, "%.1f,%.1f ", x_of(own, scale->rows[r].devices),
                          y_of(own, own->of(&scale->rows[r])));
    vdnn_text_add(text, "\"/>\n");
    for (size_t r = 0; r < scale->row_count; r++)
        if (scale->rows[r].batch == scale->batches[b] && scale->rows[r].figures.fits)
            vdnn_text_add(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
                          x_of(own, scale->rows[r].devices), y_of(own, own->of(&scale->rows[r])),
                          colour);
    vdnn_text_add(text, "<text x=\"%d\" y=\"%zu\" style=\"fill:%s\">batch %lld</text>\n",
                  LEFT + WIDTH + 16, TOP + 14 + 20 * b, colour, (long long)scale->batches[b]);
}

static void add_chart(const vdnn_scale *scale, const char *title, figure *of, vdnn_text *text)
{
    const chart own = chart_of(scale, of);
    vdnn_text_add(
        text,
        "<svg viewBox=\"0 0 860 %d\" width=\"860\" role=\"img\" aria-label=\"%s by number "
        "of devices\">\n<text x=\"%d\" y=\"20\">%s</text>\n",
        TOP + HEIGHT + 52, title, LEFT, title);
    add_axes(&own, text);
    for (size_t b = 0; b < scale->batch_count; b++)
        add_line(&own, b, text);
    vdnn_text_add(text, "</svg>\n");
}

static void add_table(const vdnn_scale *scale, vdnn_text *text)
{
    vdnn_text_add(text, "<div class=\"scroll\"><table><thead><tr>");
    for (int c = 0; c < vdnn_scale_column_count(scale); c++)
        vdnn_text_add(text, "<th>%s</th>", vdnn_scale_titles[c]);
    vdnn_text_add(text, "</tr></thead><tbody>\n");
    for (const vdnn_scale_row *row = scale->rows; row < scale->rows + scale->row_count; row++) {
        vdnn_scale_cells cells;
        vdnn_scale_fill_cells(row, cells);
        vdnn_text_add(text, row->figures.fits ? "<tr>" : "<tr class=\"no\">");
        for (int c = 0; c < vdnn_scale_column_count(scale); c++)
            vdnn_text_add(text, "<td>%s</td>", cells[c]);
        vdnn_text_add(text, "</tr>\n");
    }
    vdnn_text_add(text, "</tbody></table></div>\n");
}

void vdnn_scale_add_page(const vdnn_scale *scale, vdnn_text *text)
{
    char device[sizeof scale->setup.properties.name + 128];
    vdnn_page_begin(text, scale->setup.graph->name, ": scaling", ": devices and batches");
    vdnn_text_add(text, "<p>");
    vdnn_page_add_escaped(text,
                          vdnn_setup_device_text(device, sizeof device, &scale->setup.properties));
    vdnn_text_add(text, ", policy %s, gradients summed by %s.</p>\n", scale->options.policy->name,
                  vdnn_reduce_scheme_text(scale->options.reduce));
    vdnn_scale_conclude(scale, "<p>", "</p>\n", text);
    add_chart(scale, "images/s", images_per_second, text);
    add_chart(scale, "efficiency", efficiency, text);
    add_chart(scale, "memory of a device, GiB", gib, text);
    add_table(scale, text);
    vdnn_scale_note_left_out(scale, "<p>", "</p>\n", text);
    vdnn_text_add(text,
                  "<p>Efficiency: throughput over that of as many single devices with the same "
                  "batch each. Added devices pay that add half of theirs or more.</p>\n");
    vdnn_page_end(text);
}
