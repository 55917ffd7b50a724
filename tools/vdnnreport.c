#include "tools/program.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static vdnn_status add_report(void *results, vdnn_report_format format, vdnn_text *text)
{
    return vdnn_report_write(results, format, text);
}

/* What --algorithms lists is printed even where there are files. */
static vdnn_status write_all(const vdnn_options *options, vdnn_report *report)
{
    const bool lists = vdnn_options_flag(options, VDNN_OPTION_ALGORITHMS);
    vdnn_status status = vdnn_program_write_outputs(
        options, add_report, report, lists ? VDNN_REPORT_ALGORITHMS : VDNN_REPORT_TABLE, lists);
    return status == VDNN_OK ? vdnn_report_verdict(report) : status;
}

/* The files of --compare. */
typedef struct reports {
    const char *const *paths;
    size_t count;
} reports;

static vdnn_status add_comparison(void *results, vdnn_report_format format, vdnn_text *text)
{
    const reports *all = results;
    return vdnn_report_compare(all->paths, all->count, format, text);
}

static vdnn_status compare(const vdnn_options *options)
{
    const vdnn_option_value *value = &options->values[VDNN_OPTION_COMPARE];
    const char *const one[] = {value->text};
    reports all = {one, 1};
    if (value->words != NULL)
        all = (reports){(const char *const *)value->words, (size_t)value->integer};
    vdnn_status status = vdnn_program_check_outputs(options);
    if (status == VDNN_OK)
        status =
            vdnn_program_write_outputs(options, add_comparison, &all, VDNN_REPORT_TABLE, false);
    return status;
}

/* SOURCE_DATE_EPOCH is the day for all that shall be the same every day. */
static const char *today(char *date, size_t size)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    const time_t now = given == NULL ? time(NULL) : (time_t)strtoll(given, NULL, 10);
    struct tm day;
    return gmtime_r(&now, &day) != NULL && strftime(date, size, "%Y-%m-%d", &day) > 0 ? date : NULL;
}

static vdnn_status run(const vdnn_options *options, const vdnn_messages *messages)
{
    char date[sizeof "9999-12-31"];
    vdnn_text command = {0};
    vdnn_option_structs structs;
    vdnn_report *report = NULL;
    if (options->values[VDNN_OPTION_COMPARE].given)
        return compare(options);
    vdnn_status status = vdnn_program_fill(options, &structs);
    if (status == VDNN_OK) {
        structs.report.command = vdnn_program_command(options, "vdnnreport", NULL, 0, &command);
        structs.report.date = today(date, sizeof date);
    }
    if (status == VDNN_OK)
        status = vdnn_program_check_outputs(options);
    if (status == VDNN_OK)
        status = vdnn_report_create(&structs.session, messages,
                                    vdnn_options_text(options, VDNN_OPTION_POLICIES), &report);
    if (status == VDNN_OK)
        status = write_all(options, report);
    vdnn_report_destroy(report);
    vdnn_text_fini(&command);
    return status;
}

int main(int argc, char **argv)
{
    return vdnn_program_main(VDNN_PROGRAM_REPORT, "vdnnreport", argc, argv, run);
}
