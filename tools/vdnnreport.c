#include "tools/program.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    vdnn_option_id option;
    vdnn_report_format format;
} files[] = {
    {VDNN_OPTION_JSON, VDNN_REPORT_JSON},
    {VDNN_OPTION_CSV, VDNN_REPORT_CSV},
    {VDNN_OPTION_MARKDOWN, VDNN_REPORT_MARKDOWN},
    {VDNN_OPTION_HTML, VDNN_REPORT_HTML},
};

enum { FILES = sizeof files / sizeof files[0] };

static vdnn_status write_one(const vdnn_report *report, vdnn_report_format format, const char *path)
{
    vdnn_text text = {0};
    vdnn_status status = vdnn_report_write(report, format, &text);
    if (status == VDNN_OK)
        status = vdnn_program_write(path, &text);
    vdnn_text_fini(&text);
    return status;
}

static vdnn_status write_all(const vdnn_options *options, const vdnn_report *report)
{
    vdnn_status status = VDNN_OK;
    bool wrote = false;
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++) {
        const char *path = vdnn_options_text(options, files[i].option);
        if (path == NULL)
            continue;
        status = write_one(report, files[i].format, path);
        wrote = true;
    }
    bool lists = vdnn_options_flag(options, VDNN_OPTION_ALGORITHMS);
    if (status == VDNN_OK && (lists || !wrote))
        status = write_one(report, lists ? VDNN_REPORT_ALGORITHMS : VDNN_REPORT_TABLE, "-");
    return status == VDNN_OK ? vdnn_report_verdict(report) : status;
}

/* In each format that is asked for, else as a table. */
static vdnn_status compare(const vdnn_options *options)
{
    const vdnn_option_value *value = &options->values[VDNN_OPTION_COMPARE];
    const char *const one[] = {value->text};
    const char *const *paths = value->words == NULL ? one : (const char *const *)value->words;
    const size_t count = value->words == NULL ? 1 : (size_t)value->integer;
    vdnn_status status = VDNN_OK;
    bool wrote = false;
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++)
        status = vdnn_program_check_output(vdnn_options_text(options, files[i].option));
    for (size_t i = 0; status == VDNN_OK && i <= FILES; i++) {
        const char *path = i < FILES ? vdnn_options_text(options, files[i].option)
                           : wrote   ? NULL
                                     : "-";
        vdnn_text text = {0};
        if (path == NULL)
            continue;
        status = vdnn_report_compare(paths, count, i < FILES ? files[i].format : VDNN_REPORT_TABLE,
                                     &text);
        if (status == VDNN_OK)
            status = vdnn_program_write(path, &text);
        vdnn_text_fini(&text);
        wrote = true;
    }
    return status;
}

/* As it can be typed again. */
static const char *command_line(const vdnn_options *options, vdnn_text *text)
{
    vdnn_text_add(text, "vdnnreport");
    for (char *const *word = options->argv + 1; *word != NULL; word++)
        vdnn_text_add(text, strpbrk(*word, " \t\"'$`\\;&|<>()*?") == NULL ? " %s" : " '%s'", *word);
    return text->data;
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
    vdnn_session_options session;
    vdnn_report *report = NULL;
    if (options->values[VDNN_OPTION_COMPARE].given)
        return compare(options);
    vdnn_status status = vdnn_program_session(options, &session);
    if (status == VDNN_OK) {
        session.command = command_line(options, &command);
        session.date = today(date, sizeof date);
    }
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++)
        status = vdnn_program_check_output(vdnn_options_text(options, files[i].option));
    if (status == VDNN_OK)
        status = vdnn_report_create(&session, messages,
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
