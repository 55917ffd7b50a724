#include "tools/world.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How each launcher calls what it tells its processes, and how they reach each other. The first row
 * whose rank is there counts: mpirun under Slurm sets both. Of Slurm it is the number of tasks of
 * the step, which a batch script itself does not have. */
typedef struct launcher {
    const char *name, *rank, *ranks, *local_rank, *local_ranks, *transport;
} launcher;

// clang-format off
static const launcher launchers[] = {
    {VDNN_WORLD_RANK, VDNN_WORLD_RANK, VDNN_WORLD_RANKS, VDNN_WORLD_LOCAL_RANK,
     VDNN_WORLD_LOCAL_RANKS, "tcp"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "openmpi"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "mpich"},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
     "SLURM_STEP_TASKS_PER_NODE", "tcp"},
};
// clang-format on

/* Slurm lists the tasks of all nodes, "2(x3),1": the first node's stand for this one's. */
static bool read_number(const char *text, int64_t *number)
{
    char first[32];
    int64_t value;
    const size_t length = strcspn(text, "(,");
    (void)snprintf(first, sizeof first, "%.*s",
                   (int)(length < sizeof first ? length : sizeof first), text);
    if (vdnn_text_parse_integer(first, &value) != VDNN_OK || value < 0)
        return false;
    *number = value;
    return true;
}

/* ---- launchers whose processes cannot join yet ----------------------------------------------- */

/* "2", and of torchrun's range "1:4" the larger one. 0: it is no number. */
static int64_t count_number(const char *text)
{
    const char *colon = strchr(text, ':');
    int64_t number = 0;
    return read_number(colon == NULL ? text : colon + 1, &number) ? number : 0;
}

/* In a list as JSON, of `"host:port"` or, without ports, of `"host"`. */
static int64_t count_words(const char *text, bool with_port)
{
    int64_t count = 0;
    for (const char *at = strchr(text, '"'), *end; at != NULL; at = strchr(end + 1, '"')) {
        end = strchr(at + 1, '"');
        if (end == NULL)
            break;
        const char *port = end;
        while (port > at + 1 && isdigit((unsigned char)port[-1]))
            port--;
        count += with_port ? port < end && port > at + 2 && port[-1] == ':' : end > at + 1;
    }
    return count;
}

static int64_t count_addresses(const char *text)
{
    return count_words(text, true);
}

static int64_t count_hosts(const char *text)
{
    return count_words(text, false);
}

/* Of a variable that no process has that trains alone. */
static int64_t count_any(const char *text)
{
    const int64_t number = count_number(text);
    return number > 0 ? number : 1;
}

/* A variable that a launcher gives its processes, and how many of them it says there are. */
typedef struct sign {
    const char *launcher, *name;
    int64_t (*count)(const char *text);
    bool is_rank; /* counted from 0: there is at least one more */
    bool joins;   /* of a launcher whose processes join, if all its variables are there */
} sign;

// clang-format off
static const sign signs[] = {
    {"torchrun", "RANK", count_number, true, false},
    {"torchrun", "WORLD_SIZE", count_number, false, false},
    {"torchrun", "LOCAL_RANK", count_number, true, false},
    {"torchrun", "LOCAL_WORLD_SIZE", count_number, false, false},
    {"torchrun", "GROUP_RANK", count_number, true, false},
    {"torchrun", "PET_NODE_RANK", count_number, true, false},
    {"torchrun", "PET_NNODES", count_number, false, false},
    {"PyTorch Lightning", "NODE_RANK", count_number, true, false},
    {"Kubeflow", "TF_CONFIG", count_addresses, false, false},
    {"Vertex AI", "CLUSTER_SPEC", count_addresses, false, false},
    {"SageMaker", "SM_HOSTS", count_hosts, false, false},
    {"SkyPilot", "SKYPILOT_NODE_RANK", count_number, true, false},
    {"SkyPilot", "SKYPILOT_NUM_NODES", count_number, false, false},
    {"dstack", "DSTACK_NODE_RANK", count_number, true, false},
    {"dstack", "DSTACK_NODES_NUM", count_number, false, false},
    {"Horovod", "HOROVOD_RANK", count_number, true, false},
    {"Horovod", "HOROVOD_SIZE", count_number, false, false},
    {"JAX", "JAX_PROCESS_ID", count_number, true, false},
    {"JAX", "JAX_NUM_PROCESSES", count_number, false, false},
    {"PaddlePaddle", "PADDLE_TRAINER_ID", count_number, true, false},
    {"PaddlePaddle", "PADDLE_TRAINERS_NUM", count_number, false, false},
    {"MVAPICH", "MV2_COMM_WORLD_RANK", count_number, true, false},
    {"MVAPICH", "MV2_COMM_WORLD_SIZE", count_number, false, false},
    {"Flux", "FLUX_TASK_RANK", count_number, true, false},
    {"Flux", "FLUX_JOB_SIZE", count_number, false, false},
    {"PALS", "PALS_RANKID", count_number, true, false},
    {"JSM", "JSM_NAMESPACE_RANK", count_number, true, false},
    {"JSM", "JSM_NAMESPACE_SIZE", count_number, false, false},
    {"PMIx", "PMIX_RANK", count_number, true, true},
    {"vdnn", VDNN_WORLD_RANK, count_any, true, true},
    {"vdnn", VDNN_WORLD_RANKS, count_number, false, true},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", count_number, true, true},
    {"Open MPI", "OMPI_COMM_WORLD_SIZE", count_number, false, true},
    {"MPICH", "PMI_RANK", count_number, true, true},
    {"MPICH", "PMI_SIZE", count_number, false, true},
    {"Slurm", "SLURM_PROCID", count_number, true, true},
    {"Slurm", "SLURM_STEP_NUM_TASKS", count_number, false, true},
};
// clang-format on

static vdnn_status refuse_lonely(const vdnn_text *said, int64_t ranks)
{
    return vdnn_status_fail(
        VDNN_USAGE,
        "%s: other processes run along with this one, %s. So that they train together, give each "
        "of them " VDNN_WORLD_RANK " (from 0), " VDNN_WORLD_RANKS ", " VDNN_WORLD_ADDRESS
        "=HOST:PORT of the host of rank 0, and the same " VDNN_WORLD_SECRET
        "; to train alone, unset these variables",
        said->failed || said->length == 0 ? "the environment" : said->data,
        ranks == 0 ? "and it cannot find them by these variables"
                   : "more than those that the launcher it would join has started");
}

/* Processes that do not know of each other would all train the same, and write the same files.
 * `ranks`: those that this one joins. */
static vdnn_status check_signs(char *(*environment)(const char *name), int64_t ranks)
{
    vdnn_text said = {0};
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const sign *one = &signs[i];
        const char *text = environment(one->name);
        const int64_t count =
            text == NULL || (one->joins && ranks > 0) ? 0 : one->count(text) + one->is_rank;
        if (count > 1 && count > ranks)
            vdnn_text_add(&said, "%s%s=%.64s (%s)", said.length == 0 ? "" : ", ", one->name, text,
                          one->launcher);
    }
    if (said.length > 0 || said.failed)
        status = refuse_lonely(&said, ranks);
    vdnn_text_fini(&said);
    return status;
}

/* ---- launchers whose processes join ---------------------------------------------------------- */

/* Numbers that are not there stay; VDNN_USAGE for what is none. */
static vdnn_status read_numbers(const launcher *from, char *(*environment)(const char *name),
                                vdnn_tools_world *world)
{
    const struct {
        const char *name;
        int64_t *number;
    } numbers[] = {{from->rank, &world->rank},
                   {from->ranks, &world->ranks},
                   {from->local_rank, &world->local_rank},
                   {from->local_ranks, &world->local_ranks},
                   {VDNN_WORLD_LISTENER, &world->listener}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *text = environment(numbers[i].name);
        if (text != NULL && !read_number(text, numbers[i].number))
            return vdnn_status_fail(VDNN_USAGE, "%s=%s, which %s sets, is no number of processes",
                                    numbers[i].name, text, from->name);
    }
    return VDNN_OK;
}

/* Where the launcher says how many threads a process has, or binds it to some processors. */
static int64_t count_threads(char *(*environment)(const char *name))
{
    const char *text = environment("OMP_NUM_THREADS");
    int64_t threads = 0;
    cpu_set_t set;
    if (text != NULL && read_number(text, &threads) && threads > 0)
        return threads;
    const bool is_bound = sched_getaffinity(0, sizeof set, &set) == 0 &&
                          CPU_COUNT(&set) < sysconf(_SC_NPROCESSORS_ONLN);
    return is_bound ? CPU_COUNT(&set) : 0;
}

static const launcher *find_launcher(char *(*environment)(const char *name))
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (environment(launchers[i].rank) != NULL && environment(launchers[i].ranks) != NULL)
            return &launchers[i];
    return NULL;
}

/* A secret that a command was to print, which failed, is empty. */
static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* Where the others are met, and how they prove that they are no strangers. MPI knows both. */
static vdnn_status check_meeting(const vdnn_tools_world *world)
{
    const char *missing = NULL;
    if (world->secret != NULL && is_blank(world->secret))
        return vdnn_status_fail(VDNN_USAGE,
                                "VDNN_WORLD_SECRET is empty, and with an empty secret anyone is "
                                "let in: set it to words that only these processes know, for "
                                "example $(openssl rand -hex 32), made once");
    if (strcmp(world->transport, "tcp") == 0 && world->ranks > 1)
        missing = world->address == NULL || is_blank(world->address) ? VDNN_WORLD_ADDRESS
                  : world->secret == NULL                            ? VDNN_WORLD_SECRET
                                                                     : NULL;
    if (missing == NULL)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_USAGE,
        "%s is not set, and %s says that this is process %lld of %lld: set VDNN_WORLD_ADDRESS to "
        "HOST:PORT of the host of rank 0, where they meet, and VDNN_WORLD_SECRET to words that "
        "only they know, for example $(openssl rand -hex 32), made once",
        missing, world->launcher, (long long)world->rank, (long long)world->ranks);
}

vdnn_status vdnn_tools_world_read(char *(*environment)(const char *name), vdnn_tools_world *world)
{
    vdnn_tools_world fresh = {0};
    const launcher *from = find_launcher(environment);
    *world = fresh;
    if (from == NULL)
        return check_signs(environment, 0);
    vdnn_status status = read_numbers(from, environment, &fresh);
    if (status == VDNN_OK && from != launchers) /* those of vdnnrun --launch are explicit */
        status = check_signs(environment, fresh.ranks);
    if (status == VDNN_OK && fresh.rank >= fresh.ranks)
        status = vdnn_status_fail(VDNN_USAGE, "%s says that this is process %lld of %lld",
                                  from->name, (long long)fresh.rank, (long long)fresh.ranks);
    if (status != VDNN_OK)
        return status;
    const char *transport = environment(VDNN_WORLD_TRANSPORT);
    if (fresh.local_ranks > 0 && fresh.local_ranks <= fresh.local_rank)
        fresh.local_ranks = fresh.local_rank + 1;
    fresh.launcher = from->name;
    fresh.threads = from == launchers ? 0 : count_threads(environment);
    fresh.transport = transport == NULL ? from->transport : transport;
    fresh.address = environment(VDNN_WORLD_ADDRESS);
    fresh.secret = environment(VDNN_WORLD_SECRET);
    status = check_meeting(&fresh);
    if (status == VDNN_OK)
        *world = fresh;
    return status;
}

bool vdnn_tools_world_is_own(const vdnn_tools_world *world)
{
    return world->launcher == launchers[0].name;
}

void vdnn_tools_world_place(const vdnn_tools_world *world, vdnn_option_structs *structs)
{
    vdnn_process_options *process = &structs->process;
    process->rank = world->rank;
    process->ranks = world->ranks;
    process->local_rank = world->local_rank;
    process->local_ranks = world->local_ranks;
    process->transport = world->transport;
    process->address = world->address;
    process->secret = world->secret;
    process->listener = (int)world->listener;
    if (structs->session.threads == 0)
        structs->session.threads = (int)world->threads;
}
