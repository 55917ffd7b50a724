#include "tools/program.h"

#include "runtime/output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef VDNN_VERSION
#define VDNN_VERSION "unknown"
#endif
#ifndef VDNN_DATADIR
#define VDNN_DATADIR "/usr/local/share/vdnn"
#endif

enum { PLACES = 4 };

/* Where the networks are, seen from the program: a build tree (build/bin, build/CONFIG/bin), then
 * an installation. */
static const char *const beside[PLACES - 1] = {"../../models", "../../../models",
                                               "../share/vdnn/models"};

static const char *const *model_directories(void)
{
    static char paths[PLACES - 1][PATH_MAX + 32];
    static const char *directories[PLACES];
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL)
        *slash = '\0';
    for (int i = 0; i < PLACES - 1; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/%s", program, beside[i]);
        directories[i] = paths[i];
    }
    directories[PLACES - 1] = VDNN_DATADIR "/models";
    return directories;
}

vdnn_status vdnn_program_setup(const vdnn_options *options, vdnn_setup_options *setup)
{
    const char *model = vdnn_options_text(options, VDNN_OPTION_MODEL);
    const char *dtype = vdnn_options_text(options, VDNN_OPTION_DTYPE);
    if (model == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--model is missing: a network file, or the name of one "
                                "in models/ (for example --model lenet)");
    if (strcmp(dtype, "tf32") == 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "--dtype: tf32 is the arithmetic of GPUs' tensor cores, "
                                "which this version does not run on; use f32 or bf16");
    *setup = (vdnn_setup_options){
        .model = model,
        .directories = model_directories(),
        .directory_count = PLACES,
        .batch = vdnn_options_integer(options, VDNN_OPTION_BATCH),
        .stash = strcmp(vdnn_options_text(options, VDNN_OPTION_STASH), "classic") == 0
                     ? VDNN_STASH_CLASSIC
                     : VDNN_STASH_SLIM,
        .dtype = strcmp(dtype, "bf16") == 0 ? VDNN_BF16 : VDNN_F32,
        .device = vdnn_options_text(options, VDNN_OPTION_DEVICE),
        .device_mem = vdnn_options_text(options, VDNN_OPTION_DEVICE_MEM),
        .host_mem = vdnn_options_text(options, VDNN_OPTION_HOST_MEM),
        .threads = (int)vdnn_options_integer(options, VDNN_OPTION_THREADS),
        .profile = vdnn_options_text(options, VDNN_OPTION_PROFILE),
        .algos = vdnn_options_text(options, VDNN_OPTION_ALGOS)};
    return vdnn_options_integer(options, VDNN_OPTION_THREADS) > 4096
               ? vdnn_status_fail(VDNN_USAGE, "--threads: more than 4096 is too many")
               : VDNN_OK;
}

vdnn_status vdnn_program_check_output(const char *path)
{
    vdnn_output *output = NULL;
    if (path == NULL || strcmp(path, "-") == 0)
        return VDNN_OK;
    vdnn_status status = vdnn_output_create(path, &output);
    if (status == VDNN_OK)
        vdnn_output_abandon(output);
    return status;
}

vdnn_status vdnn_program_write(const char *path, const vdnn_text *text)
{
    vdnn_output *output = NULL;
    if (path == NULL)
        return VDNN_OK;
    if (strcmp(path, "-") == 0) {
        if (fwrite(text->data, 1, text->length, stdout) != text->length || fflush(stdout) != 0)
            return vdnn_status_fail(VDNN_FILE, "standard output cannot be written");
        return VDNN_OK;
    }
    vdnn_status status = vdnn_output_create(path, &output);
    if (status != VDNN_OK)
        return status;
    status = vdnn_output_write(output, text->data, text->length);
    if (status == VDNN_OK)
        return vdnn_output_commit(output);
    vdnn_output_abandon(output);
    return status;
}

static vdnn_status print_help(unsigned program)
{
    vdnn_text text = {0};
    vdnn_options_help(program, &text);
    vdnn_status status = VDNN_OK;
    if (text.failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the help");
    else
        status = vdnn_program_write("-", &text);
    vdnn_text_fini(&text);
    return status;
}

int vdnn_program_main(unsigned program, const char *name, int argc, char **argv,
                      vdnn_program_body body)
{
    vdnn_options options;
    vdnn_console console;
    vdnn_status status = vdnn_options_parse(program, argc, argv, getenv, &options);
    vdnn_console_init(&console, name, status == VDNN_OK ? &options : NULL);
    vdnn_messages messages = vdnn_console_messages(&console);
    if (status == VDNN_OK && vdnn_options_flag(&options, VDNN_OPTION_HELP))
        status = print_help(program);
    else if (status == VDNN_OK && vdnn_options_flag(&options, VDNN_OPTION_VERSION))
        (void)printf("%s %s\n", name, VDNN_VERSION);
    else if (status == VDNN_OK)
        status = body(&options, &messages);
    return vdnn_console_finish(&console, status);
}
