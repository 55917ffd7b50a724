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
    const bool has_devices = options->values[VDNN_OPTION_DEVICE_COUNTS].given;
    const vdnn_scale_options lists = {
        .size = sizeof lists,
        .devices = has_devices ? vdnn_options_text(options, VDNN_OPTION_DEVICE_COUNTS) : NULL,
        .batches = vdnn_options_text(options, VDNN_OPTION_BATCHES),
        .converge = options->values[VDNN_OPTION_CONVERGE].real};
    vdnn_status status = vdnn_program_session(options, &session);
    if (status == VDNN_OK) {
        session.policy = vdnn_options_text(options, VDNN_OPTION_POLICY);
        session.algo = vdnn_options_text(options, VDNN_OPTION_ALGO);
        session.data = vdnn_options_text(options, VDNN_OPTION_DATA);
        session.test_data = vdnn_options_text(options, VDNN_OPTION_TEST_DATA);
        session.orient = vdnn_options_flag(options, VDNN_OPTION_ORIENT);
        session.epochs = vdnn_options_integer(options, VDNN_OPTION_EPOCHS);
        session.seed = (uint64_t)vdnn_options_integer(options, VDNN_OPTION_SEED);
    }
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
