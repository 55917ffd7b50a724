#include "tools/world.h"

#include <errno.h>
#include <sched.h>
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
    {"vdnnrun --launch", VDNN_WORLD_RANK, VDNN_WORLD_RANKS, VDNN_WORLD_LOCAL_RANK,
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
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || strchr("(,", *end) == NULL || errno != 0 || value < 0)
        return false;
    *number = value;
    return true;
}

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

vdnn_status vdnn_tools_world_read(char *(*environment)(const char *name), vdnn_tools_world *world)
{
    vdnn_tools_world fresh = {0};
    const launcher *from = find_launcher(environment);
    *world = fresh;
    if (from == NULL)
        return VDNN_OK;
    vdnn_status status = read_numbers(from, environment, &fresh);
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
    *world = fresh;
    return VDNN_OK;
}

bool vdnn_tools_world_is_own(const vdnn_tools_world *world)
{
    return world->launcher == launchers[0].name;
}

void vdnn_tools_world_place(const vdnn_tools_world *world, vdnn_session_options *options)
{
    options->rank = world->rank;
    options->ranks = world->ranks;
    options->local_rank = world->local_rank;
    options->local_ranks = world->local_ranks;
    options->transport = world->transport;
    options->address = world->address;
    options->secret = world->secret;
    options->listener = (int)world->listener;
    if (options->threads == 0)
        options->threads = (int)world->threads;
}
