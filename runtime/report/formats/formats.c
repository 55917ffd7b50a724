#include "runtime/report/formats/formats.h"

#include "runtime/report/algorithms.h"
#include "runtime/report/cards.h"

size_t vdnn_report_line(const vdnn_report *report)
{
    return vdnn_text_line(report->options.ask.columns);
}

static vdnn_status write_algorithms(const vdnn_report *report, vdnn_text *text)
{
    return vdnn_algorithms_write_table(&report->setup, vdnn_report_line(report), text);
}

static vdnn_status (*const writers[])(const vdnn_report *report, vdnn_text *text) = {
    [VDNN_REPORT_TABLE] = vdnn_report_write_table,
    [VDNN_REPORT_JSON] = vdnn_report_write_json,
    [VDNN_REPORT_CSV] = vdnn_report_write_csv,
    [VDNN_REPORT_MARKDOWN] = vdnn_report_write_markdown,
    [VDNN_REPORT_HTML] = vdnn_report_write_html,
    [VDNN_REPORT_ALGORITHMS] = write_algorithms,
};

vdnn_status vdnn_report_write(const vdnn_report *report, vdnn_report_format format, vdnn_text *text)
{
    if ((size_t)format >= sizeof writers / sizeof writers[0])
        return vdnn_status_fail(VDNN_USAGE, "a report has no format %d", (int)format);
    return report->cards != NULL ? vdnn_cards_write(report, format, text)
                                 : writers[format](report, text);
}
