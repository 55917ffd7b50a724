#include "tools/launch.h"
#include "tools/list.h"
#include "tools/program.h"
#include "tools/terminal.h"
#include "tools/world.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static vdnn_status check_checkpoints(const vdnn_options *options)
{
    static const vdnn_option_id needy[] = {VDNN_OPTION_CHECKPOINT_EVERY, VDNN_OPTION_KEEP,
                                           VDNN_OPTION_MAX_RESTARTS};
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

/* Of a run that follows what is said of this one. */
static const char *command_line(const vdnn_options *options, vdnn_text *text)
{
    static const vdnn_option_id without[] = {VDNN_OPTION_EXPLAIN, VDNN_OPTION_MAX_BATCH,
                                             VDNN_OPTION_DRY_RUN, VDNN_OPTION_PRINT_PLAN,
                                             VDNN_OPTION_JSON};
    return vdnn_program_command(options, options->argv[0], without,
                                sizeof without / sizeof *without, text);
}

static vdnn_status fill(const vdnn_options *options, vdnn_option_structs *structs)
{
    const char *json = vdnn_options_text(options, VDNN_OPTION_JSON);
    bool takes_output = json != NULL && strcmp(json, "-") == 0;
    vdnn_status status = vdnn_program_fill(options, structs);
    if (status != VDNN_OK)
        return status;
    vdnn_print_options *print = &structs->print;
    structs->session.dry_run = structs->session.dry_run || print->explain || print->max_batch;
    print->print_footprint = !takes_output;
    print->blocks = vdnn_terminal_has_utf8(getenv);
    if (takes_output && print->print_plan)
        return vdnn_status_fail(VDNN_USAGE, "--print-plan and --json - both write to standard "
                                            "output: give --json a file");
    return check_checkpoints(options);
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

static bool is_signal(vdnn_status status)
{
    return status == VDNN_INTERRUPTED || status == VDNN_TERMINATED || status == VDNN_REQUEUE;
}

/* Also of a training that is done, whatever failed after its last step; and of a dry run whose
 * search for a plan was ended by a signal. */
static bool has_results(const vdnn_session *session, bool dry_run, vdnn_status status)
{
    int64_t count = vdnn_session_step_count(session);
    bool is_done = count > 0 && vdnn_session_step_number(session) == count,
         is_planned = dry_run && vdnn_session_plan(session) != NULL;
    return status == VDNN_OK || status == VDNN_NO_FIT || (is_signal(status) ? is_planned : is_done);
}

/* A run that failed ends as that, also where its results cannot be written either. */
static vdnn_status write_results(const vdnn_session *session, const char *path, vdnn_status status)
{
    vdnn_text message = {0};
    vdnn_text_add(&message, "%s", status == VDNN_OK ? "" : vdnn_status_message());
    vdnn_status written = write_json(session, path);
    if (status != VDNN_OK)
        written = vdnn_status_fail(status, "%s", message.failed ? "out of memory" : message.data);
    vdnn_text_fini(&message);
    return written;
}

/* As text, and as JSON where it is asked for: alone where both would go to standard output. */
static vdnn_status examine(const char *json)
{
    const struct {
        vdnn_report_format format;
        const char *path;
    } files[] = {
        {VDNN_REPORT_TABLE, json != NULL && strcmp(json, "-") == 0 ? NULL : "-"},
        {VDNN_REPORT_JSON, json},
    };
    vdnn_status status = vdnn_program_check_output(json);
    for (size_t i = 0; status == VDNN_OK && i < sizeof files / sizeof files[0]; i++) {
        vdnn_text text = {0};
        if (files[i].path == NULL)
            continue;
        status = vdnn_doctor_write((const char *const *)environ, files[i].format, &text);
        if (status == VDNN_OK)
            status = vdnn_program_write(files[i].path, &text);
        vdnn_text_fini(&text);
    }
    return status;
}

/* ---- several processes ----------------------------------------------------------------------- */

/* Of engines that start one process on each node, that one may start more there. */
static bool is_supervisor(const vdnn_options *options, const vdnn_tools_world *world)
{
    return options->values[VDNN_OPTION_LAUNCH].given && (world->ranks == 0 || world->is_by_node);
}

static const vdnn_option_id of_nodes[] = {VDNN_OPTION_NODES, VDNN_OPTION_NODE_RANK,
                                          VDNN_OPTION_MASTER};
enum { OF_NODES = sizeof of_nodes / sizeof *of_nodes };

/* All three options of several hosts, or none of them. */
static vdnn_status check_nodes(const vdnn_options *options)
{
    const int64_t nodes = options->values[VDNN_OPTION_NODES].integer,
                  node = options->values[VDNN_OPTION_NODE_RANK].integer,
                  launch = options->values[VDNN_OPTION_LAUNCH].integer;
    int given = 0;
    for (int i = 0; i < OF_NODES; i++)
        given += options->values[of_nodes[i]].given;
    if (given == 0)
        return VDNN_OK;
    for (int i = 0; i < OF_NODES; i++)
        if (!options->values[of_nodes[i]].given || !options->values[VDNN_OPTION_LAUNCH].given)
            return vdnn_status_fail(VDNN_USAGE, "several hosts need --launch N --nodes K "
                                                "--node-rank R --master HOST:PORT, all four");
    if (node < 0 || node >= nodes)
        return vdnn_status_fail(VDNN_USAGE, "--node-rank %lld: expected 0 to %lld, of %lld nodes",
                                (long long)node, (long long)nodes - 1, (long long)nodes);
    if (nodes > INT_MAX / launch)
        return vdnn_status_fail(VDNN_USAGE, "--nodes %lld: too many processes", (long long)nodes);
    return VDNN_OK;
}

/* Of --launch: as the options say, else as an engine does that started it on each. */
static int64_t count_nodes(const vdnn_options *options, const vdnn_tools_world *world)
{
    const vdnn_option_value *nodes = &options->values[VDNN_OPTION_NODES];
    return nodes->given ? nodes->integer : world->is_by_node ? world->ranks : 1;
}

/* Each process has one device, whoever started it. */
static vdnn_status read_world(const vdnn_options *options, vdnn_tools_world *world,
                              vdnn_option_structs *structs)
{
    const vdnn_option_value *launch = &options->values[VDNN_OPTION_LAUNCH],
                            *devices = &options->values[VDNN_OPTION_DEVICES];
    vdnn_status status = vdnn_tools_world_read(getenv, world);
    if (status == VDNN_OK && !launch->given)
        status = vdnn_tools_world_check_alone(getenv);
    if (status == VDNN_OK)
        status = check_nodes(options);
    if (status != VDNN_OK)
        return status;
    if (launch->given && world->ranks > 0 && !vdnn_tools_world_is_own(world) && !world->is_by_node)
        return vdnn_status_fail(VDNN_USAGE, "--launch: %s started this process and %lld others",
                                world->launcher, (long long)world->ranks - 1);
    if (launch->integer > INT_MAX)
        return vdnn_status_fail(VDNN_USAGE, "--launch: %lld processes are too many",
                                (long long)launch->integer);
    const int64_t started = launch->integer * count_nodes(options, world);
    if (launch->given && devices->given && devices->integer != started)
        return vdnn_status_fail(VDNN_USAGE,
                                "--devices %lld: --launch %lld starts %lld processes, each with "
                                "one device",
                                (long long)devices->integer, (long long)launch->integer,
                                (long long)started);
    if (world->ranks > 0 && !is_supervisor(options, world)) {
        vdnn_tools_world_place(world, structs);
        structs->session.devices = devices->given ? devices->integer : 0;
    }
    return VDNN_OK;
}

static void tell_restarts(const vdnn_tools_world *world, const vdnn_messages *messages)
{
    char line[128];
    (void)snprintf(line, sizeof line, "restart %lld of all processes by %s",
                   (long long)world->restarts, world->launcher);
    if (world->restarts > 0)
        messages->log(messages->context, VDNN_LOG_INFO, line);
}

static vdnn_status supervise(const vdnn_options *options, const vdnn_tools_world *world,
                             const vdnn_messages *messages)
{
    const bool is_told = options->values[VDNN_OPTION_NODES].given;
    const char *folder = vdnn_options_text(options, VDNN_OPTION_CHECKPOINT),
               *resume = vdnn_options_text(options, VDNN_OPTION_RESUME);
    const vdnn_launch launch = {
        .argv = options->argv,
        .count = (int)vdnn_options_integer(options, VDNN_OPTION_LAUNCH),
        .nodes = (int)count_nodes(options, world),
        .node = (int)(is_told ? vdnn_options_integer(options, VDNN_OPTION_NODE_RANK) : world->rank),
        .master = is_told ? vdnn_options_text(options, VDNN_OPTION_MASTER) : world->address,
        .secret = getenv(VDNN_WORLD_SECRET),
        .most_restarts =
            folder != NULL ? vdnn_options_integer(options, VDNN_OPTION_MAX_RESTARTS) : 0,
        .checkpoints = folder,
        .resumes_elsewhere = resume != NULL && strcmp(resume, "auto") != 0,
        .peer_timeout = options->values[VDNN_OPTION_PEER_TIMEOUT].real};
    if (launch.nodes > 1 && launch.secret == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--launch on %d hosts: set " VDNN_WORLD_SECRET ", on all of them, "
                                "to words that only they know, for example $(openssl rand -hex "
                                "32), made once",
                                launch.nodes);
    return vdnn_launch_run(&launch, messages);
}

static vdnn_status run(const vdnn_options *options, const vdnn_messages *messages)
{
    const char *path = vdnn_options_text(options, VDNN_OPTION_JSON);
    if (vdnn_options_flag(options, VDNN_OPTION_DOCTOR))
        return examine(path);
    if (options->values[VDNN_OPTION_LIST].given)
        return vdnn_list_print(vdnn_options_text(options, VDNN_OPTION_LIST));
    if (options->values[VDNN_OPTION_CALIBRATE].given)
        return vdnn_calibrate(vdnn_options_text(options, VDNN_OPTION_DEVICE),
                              (int)vdnn_options_integer(options, VDNN_OPTION_THREADS),
                              vdnn_options_text(options, VDNN_OPTION_CALIBRATE), messages);
    vdnn_option_structs structs;
    vdnn_text command = {0};
    vdnn_session *session = NULL;
    vdnn_tools_world world = {0};
    vdnn_status status = fill(options, &structs);
    if (status == VDNN_OK)
        status = vdnn_program_check_output(path);
    if (status == VDNN_OK)
        status = read_world(options, &world, &structs);
    if (status == VDNN_OK && is_supervisor(options, &world))
        return supervise(options, &world, messages);
    if (status == VDNN_OK)
        tell_restarts(&world, messages);
    if (status == VDNN_OK) {
        structs.report.command = command_line(options, &command);
        status = vdnn_session_create(&structs.session, messages, &session);
    }
    vdnn_text_fini(&command);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    if (session != NULL && world.rank == 0 && has_results(session, structs.session.dry_run, status))
        status = write_results(session, path, status);
    vdnn_session_destroy(session);
    return status;
}

int main(int argc, char **argv)
{
    return vdnn_program_main(VDNN_PROGRAM_RUN, "vdnnrun", argc, argv, run);
}
