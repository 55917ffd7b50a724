#include "runtime/train/session.h"
#include "tools/program.h"

#include <string.h>

static vdnn_status check_checkpoints(const vdnn_options *options)
{
    static const vdnn_option_id needy[] = {VDNN_OPTION_CHECKPOINT_EVERY, VDNN_OPTION_KEEP};
    const char *resume = vdnn_options_text(options, VDNN_OPTION_RESUME);
    if (vdnn_options_text(options, VDNN_OPTION_CHECKPOINT) != NULL)
        return VDNN_OK;
    for (size_t i = 0; i < sizeof needy / sizeof *needy; i++)
        if (options->values[needy[i]].given)
            return vdnn_status_fail(VDNN_USAGE, "--%s needs --checkpoint DIR",
                                    vdnn_option_at(needy[i])->name);
    if (resume != NULL && strcmp(resume, "auto") == 0)
        return vdnn_status_fail(VDNN_USAGE, "--resume auto needs --checkpoint DIR: it takes the "
                                            "newest checkpoint there, if there is one");
    return VDNN_OK;
}

static vdnn_status read_session(const vdnn_options *options, vdnn_session_options *session)
{
    const vdnn_option_value *lr = &options->values[VDNN_OPTION_LR];
    const char *json = vdnn_options_text(options, VDNN_OPTION_JSON);
    bool takes_output = json != NULL && strcmp(json, "-") == 0;
    *session = (vdnn_session_options){
        .version = VDNN_VERSION,
        .policy = vdnn_options_text(options, VDNN_OPTION_POLICY),
        .algo = strcmp(vdnn_options_text(options, VDNN_OPTION_ALGO), "m") == 0 ? VDNN_ALGO_M
                                                                               : VDNN_ALGO_P,
        .epochs = vdnn_options_integer(options, VDNN_OPTION_EPOCHS),
        .steps = vdnn_options_integer(options, VDNN_OPTION_STEPS),
        .seed = (uint64_t)vdnn_options_integer(options, VDNN_OPTION_SEED),
        .lr = lr->given ? lr->real : -1.0,
        .data = vdnn_options_text(options, VDNN_OPTION_DATA),
        .test_data = vdnn_options_text(options, VDNN_OPTION_TEST_DATA),
        .shuffle = !vdnn_options_flag(options, VDNN_OPTION_NO_SHUFFLE),
        .init = vdnn_options_text(options, VDNN_OPTION_INIT),
        .save = vdnn_options_text(options, VDNN_OPTION_SAVE),
        .trace = vdnn_options_text(options, VDNN_OPTION_TRACE),
        .checkpoint = vdnn_options_text(options, VDNN_OPTION_CHECKPOINT),
        .checkpoint_every = vdnn_options_integer(options, VDNN_OPTION_CHECKPOINT_EVERY),
        .keep = vdnn_options_integer(options, VDNN_OPTION_KEEP),
        .resume = vdnn_options_text(options, VDNN_OPTION_RESUME),
        .verify = vdnn_options_flag(options, VDNN_OPTION_VERIFY),
        .dry_run = vdnn_options_flag(options, VDNN_OPTION_DRY_RUN),
        .print_plan = vdnn_options_flag(options, VDNN_OPTION_PRINT_PLAN),
        .print_footprint = !takes_output};
    if (takes_output && session->print_plan)
        return vdnn_status_fail(VDNN_USAGE, "--print-plan and --json - both write to standard "
                                            "output: give --json a file");
    vdnn_status status = check_checkpoints(options);
    return status == VDNN_OK ? vdnn_program_setup(options, &session->setup) : status;
}

static vdnn_status write_json(const vdnn_session *session, const char *path)
{
    vdnn_text json = {0};
    if (path == NULL)
        return VDNN_OK;
    vdnn_status status = vdnn_session_json(session, &json);
    if (status == VDNN_OK)
        status = vdnn_program_write(path, &json);
    vdnn_text_fini(&json);
    return status;
}

/* Also of a training that is done, but for a file of it that could not be written. */
static bool has_results(const vdnn_session *session, vdnn_status status)
{
    int64_t count = vdnn_session_step_count(session);
    bool is_done = count > 0 && vdnn_session_step_number(session) == count;
    return status == VDNN_OK || status == VDNN_NO_FIT || (status == VDNN_FILE && is_done);
}

static vdnn_status run(const vdnn_options *options, const vdnn_messages *messages)
{
    const char *path = vdnn_options_text(options, VDNN_OPTION_JSON);
    vdnn_session_options session_options;
    vdnn_session *session = NULL;
    vdnn_status status = read_session(options, &session_options);
    if (status == VDNN_OK)
        status = vdnn_program_check_output(path);
    if (status == VDNN_OK)
        status = vdnn_session_create(&session_options, messages, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    if (session != NULL && has_results(session, status)) {
        vdnn_status written = write_json(session, path);
        status = written == VDNN_OK ? status : written;
    }
    vdnn_session_destroy(session);
    return status;
}

int main(int argc, char **argv)
{
    return vdnn_program_main(VDNN_PROGRAM_RUN, "vdnnrun", argc, argv, run);
}
