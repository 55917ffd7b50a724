#include "tools/program.h"

static const struct {
    vdnn_option_id option;
    vdnn_report_format format;
} files[] = {
    {VDNN_OPTION_JSON, VDNN_REPORT_JSON},
    {VDNN_OPTION_CSV, VDNN_REPORT_CSV},
    {VDNN_OPTION_HTML, VDNN_REPORT_HTML},
};

enum { FILES = sizeof files / sizeof files[0] };

static vdnn_status write_one(vdnn_scale *scale, vdnn_report_format format, const char *path)
{
    vdnn_text text = {0};
    vdnn_status status = vdnn_scale_write(scale, format, &text);
    if (status == VDNN_OK)
        status = vdnn_program_write(path, &text);
    vdnn_text_fini(&text);
    return status;
}

/* Without a file the table. */
static vdnn_status write_all(const vdnn_options *options, vdnn_scale *scale)
{
    vdnn_status status = VDNN_OK;
    bool wrote = false;
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++) {
        const char *path = vdnn_options_text(options, files[i].option);
        if (path == NULL)
            continue;
        status = write_one(scale, files[i].format, path);
        wrote = true;
    }
    if (status == VDNN_OK && !wrote)
        status = write_one(scale, VDNN_REPORT_TABLE, "-");
    return status == VDNN_OK ? vdnn_scale_verdict(scale) : status;
}

static vdnn_status run(const vdnn_options *options, const vdnn_messages *messages)
{
    vdnn_session_options session;
    vdnn_scale *scale = NULL;
    vdnn_scale_options lists = {.size = sizeof lists};
    vdnn_options_fill(options, VDNN_OPTION_FILLS_SCALE, &lists);
    vdnn_status status = vdnn_program_session(options, &session);
    for (size_t i = 0; status == VDNN_OK && i < FILES; i++)
        status = vdnn_program_check_output(vdnn_options_text(options, files[i].option));
    if (status == VDNN_OK)
        status = vdnn_scale_create(&session, &lists, messages, &scale);
    if (status == VDNN_OK)
        status = write_all(options, scale);
    vdnn_scale_destroy(scale);
    return status;
}

int main(int argc, char **argv)
{
    return vdnn_program_main(VDNN_PROGRAM_SCALE, "vdnnscale", argc, argv, run);
}
