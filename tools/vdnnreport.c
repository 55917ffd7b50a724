#include "runtime/report/algorithms.h"
#include "runtime/report/report.h"
#include "tools/program.h"

typedef vdnn_status (*writer)(const vdnn_report *report, vdnn_text *text);

static const struct {
    vdnn_option_id option;
    writer write;
} files[] = {
    {VDNN_OPTION_JSON, vdnn_report_write_json},
    {VDNN_OPTION_CSV, vdnn_report_write_csv},
    {VDNN_OPTION_MARKDOWN, vdnn_report_write_markdown},
    {VDNN_OPTION_HTML, vdnn_report_write_html},
};

enum { FILES = sizeof files / sizeof files[0] };

static vdnn_status write_one(const vdnn_report *report, writer write, const char *path)
{
    vdnn_text text = {0};
    vdnn_status status = write(report, &text);
    if (status == VDNN_OK)
        status = vdnn_program_write(path, &text);
    vdnn_text_fini(&text);
    return status;
}

static vdnn_status write_algorithms(const vdnn_report *report, vdnn_text *text)
{
    return vdnn_algorithms_write_table(report->setup, text);
}

static vdnn_status write_all(const vdnn_options *options, const vdnn_report *report)
{
    vdnn_status status = VDNN_OK;
    bool wrote = false;
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++) {
        const char *path = vdnn_options_text(options, files[i].option);
        if (path == NULL)
            continue;
        status = write_one(report, files[i].write, path);
        wrote = true;
    }
    bool lists = vdnn_options_flag(options, VDNN_OPTION_ALGORITHMS);
    if (status == VDNN_OK && (lists || !wrote))
        status = write_one(report, lists ? write_algorithms : vdnn_report_write_table, "-");
    return status == VDNN_OK ? vdnn_report_verdict(report) : status;
}

static vdnn_status run(const vdnn_options *options, const vdnn_messages *messages)
{
    vdnn_setup_options setup_options;
    vdnn_setup setup = {0};
    vdnn_report *report = NULL;
    vdnn_status status = vdnn_program_setup(options, &setup_options);
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++)
        status = vdnn_program_check_output(vdnn_options_text(options, files[i].option));
    if (status == VDNN_OK)
        status = vdnn_setup_begin(&setup_options, messages, &setup);
    if (status != VDNN_OK)
        return status;
    status = vdnn_setup_measure(&setup_options, messages, &setup);
    if (status == VDNN_OK)
        status = vdnn_messages_interrupted(messages);
    if (status == VDNN_OK)
        status =
            vdnn_report_create(&setup, vdnn_options_text(options, VDNN_OPTION_POLICIES), &report);
    if (status == VDNN_OK)
        status = write_all(options, report);
    vdnn_report_destroy(report);
    vdnn_setup_end(&setup);
    return status;
}

int main(int argc, char **argv)
{
    return vdnn_program_main(VDNN_PROGRAM_REPORT, "vdnnreport", argc, argv, run);
}
