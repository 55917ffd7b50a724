#include "tools/program.h"

static vdnn_status add_study(void *results, vdnn_report_format format, vdnn_text *text)
{
    return vdnn_scale_write(results, format, text);
}

static vdnn_status run(const vdnn_options *options, const vdnn_messages *messages)
{
    vdnn_option_structs structs;
    vdnn_scale *scale = NULL;
    vdnn_status status = vdnn_program_fill(options, &structs);
    if (status == VDNN_OK)
        status = vdnn_program_check_outputs(options);
    if (status == VDNN_OK)
        status = vdnn_scale_create(&structs.session, &structs.scale, messages, &scale);
    if (status == VDNN_OK)
        status = vdnn_program_write_outputs(options, add_study, scale, VDNN_REPORT_TABLE, false);
    if (status == VDNN_OK)
        status = vdnn_scale_verdict(scale);
    vdnn_scale_destroy(scale);
    return status;
}

int main(int argc, char **argv)
{
    return vdnn_program_main(VDNN_PROGRAM_SCALE, "vdnnscale", argc, argv, run);
}
