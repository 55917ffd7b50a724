#include "tools/world.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The address of rank 0, HOST:PORT, by a launcher's variables, into `to`; it stays empty where they
 * do not say it. */
typedef vdnn_status find_meeting(char *(*environment)(const char *name),
                                 char to[VDNN_WORLD_ADDRESS_BYTES]);

static find_meeting meet_at_master, meet_at_pet_master, meet_at_slurm_node, meet_at_skypilot_node,
    meet_at_dstack_node;

/* How each launcher calls what it tells its processes, and how they reach each other. The first row
 * whose rank is there counts: mpirun under Slurm sets both, and torchrun may run under any of those
 * below it. Of Slurm it is the number of tasks of the step, which a batch script itself does not
 * have. The last ones start one process on each node. */
typedef struct launcher {
    const char *name, *rank, *ranks, *local_rank, *local_ranks, *transport;
    find_meeting *meeting; /* NULL: VDNN_WORLD_ADDRESS alone says it */
    const char *restarts;  /* how often it started all again; NULL: it does not say */
    const char *per_node;  /* how many processes each node shall have; NULL: it does not say */
    bool is_by_node;
} launcher;

// clang-format off
static const launcher launchers[] = {
    {VDNN_WORLD_RANK, VDNN_WORLD_RANK, VDNN_WORLD_RANKS, VDNN_WORLD_LOCAL_RANK,
     VDNN_WORLD_LOCAL_RANKS, "tcp", NULL, NULL, NULL, false},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "openmpi", NULL, NULL, NULL, false},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "mpich", NULL, NULL,
     NULL, false},
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "tcp", meet_at_master,
     "TORCHELASTIC_RESTART_COUNT", NULL, false},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
     "SLURM_STEP_TASKS_PER_NODE", "tcp", meet_at_slurm_node, "SLURM_RESTART_COUNT", NULL, false},
    {"Kubeflow", "PET_NODE_RANK", "PET_NNODES", NULL, NULL, "tcp", meet_at_pet_master, NULL,
     "PET_NPROC_PER_NODE", true},
    {"SkyPilot", "SKYPILOT_NODE_RANK", "SKYPILOT_NUM_NODES", NULL, NULL, "tcp",
     meet_at_skypilot_node, NULL, NULL, true},
    {"dstack", "DSTACK_NODE_RANK", "DSTACK_NODES_NUM", NULL, NULL, "tcp", meet_at_dstack_node,
     NULL, NULL, true},
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
    {"torchrun", "RANK", count_number, true, true},
    {"torchrun", "WORLD_SIZE", count_number, false, true},
    {"torchrun", "LOCAL_RANK", count_number, true, true},
    {"torchrun", "LOCAL_WORLD_SIZE", count_number, false, true},
    {"torchrun", "GROUP_RANK", count_number, true, true},
    {"Kubeflow", "PET_NODE_RANK", count_number, true, true},
    {"Kubeflow", "PET_NNODES", count_number, false, true},
    {"PyTorch Lightning", "NODE_RANK", count_number, true, false},
    {"Kubeflow", "TF_CONFIG", count_addresses, false, false},
    {"Vertex AI", "CLUSTER_SPEC", count_addresses, false, false},
    {"SageMaker", "SM_HOSTS", count_hosts, false, false},
    {"SkyPilot", "SKYPILOT_NODE_RANK", count_number, true, true},
    {"SkyPilot", "SKYPILOT_NUM_NODES", count_number, false, true},
    {"dstack", "DSTACK_NODE_RANK", count_number, true, true},
    {"dstack", "DSTACK_NODES_NUM", count_number, false, true},
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

/* Of engines that name a host, but no port; processes of two jobs on one host need
 * VDNN_WORLD_ADDRESS. */
enum { USUAL_PORT = 29401, PORTS = 65536 };

static void set_meeting(const char *host, size_t length, int64_t port,
                        char to[VDNN_WORLD_ADDRESS_BYTES])
{
    const bool is_v6 = memchr(host, ':', length) != NULL && host[0] != '[';
    (void)snprintf(to, VDNN_WORLD_ADDRESS_BYTES, is_v6 ? "[%.*s]:%lld" : "%.*s:%lld", (int)length,
                   host, (long long)port);
}

/* torchrun's store is at the port itself: the next one is used. */
static vdnn_status meet_next_to(char *(*environment)(const char *name), const char *host_name,
                                const char *port_name, char to[VDNN_WORLD_ADDRESS_BYTES])
{
    const char *host = environment(host_name), *port = environment(port_name);
    int64_t number = 0;
    if (host == NULL || port == NULL)
        return VDNN_OK;
    if (vdnn_text_parse_integer(port, &number) != VDNN_OK || number < 1 || number >= PORTS)
        return vdnn_status_fail(VDNN_USAGE, "%s=%s is no port", port_name, port);
    set_meeting(host, strlen(host), number + (number + 1 < PORTS ? 1 : -1), to);
    return VDNN_OK;
}

static vdnn_status meet_at_master(char *(*environment)(const char *name),
                                  char to[VDNN_WORLD_ADDRESS_BYTES])
{
    return meet_next_to(environment, "MASTER_ADDR", "MASTER_PORT", to);
}

static vdnn_status meet_at_pet_master(char *(*environment)(const char *name),
                                      char to[VDNN_WORLD_ADDRESS_BYTES])
{
    return meet_next_to(environment, "PET_MASTER_ADDR", "PET_MASTER_PORT", to);
}

/* The first of a list of hosts, one a line. */
static vdnn_status meet_at_skypilot_node(char *(*environment)(const char *name),
                                         char to[VDNN_WORLD_ADDRESS_BYTES])
{
    const char *hosts = environment("SKYPILOT_NODE_IPS");
    if (hosts != NULL)
        set_meeting(hosts, strcspn(hosts, " \t\r\n"), USUAL_PORT, to);
    return VDNN_OK;
}

static vdnn_status meet_at_dstack_node(char *(*environment)(const char *name),
                                       char to[VDNN_WORLD_ADDRESS_BYTES])
{
    const char *host = environment("DSTACK_MASTER_NODE_IP");
    if (host != NULL)
        set_meeting(host, strlen(host), USUAL_PORT, to);
    return VDNN_OK;
}

/* The first host of "node[07-09,12],other" is node07. */
static vdnn_status meet_at_slurm_node(char *(*environment)(const char *name),
                                      char to[VDNN_WORLD_ADDRESS_BYTES])
{
    enum { FIRST_PORT = 12000, PORT_COUNT = 20000, STEPS = 7 };
    const char *hosts = environment("SLURM_STEP_NODELIST"), *job = environment("SLURM_JOB_ID"),
               *step = environment("SLURM_STEP_ID");
    char host[VDNN_WORLD_ADDRESS_BYTES / 2];
    int64_t job_number = 0, step_number = 0;
    if (hosts == NULL || job == NULL || !read_number(job, &job_number))
        return VDNN_OK;
    if (step != NULL)
        (void)read_number(step, &step_number);
    const size_t stem = strcspn(hosts, "[,");
    const char *first = hosts[stem] == '[' ? hosts + stem + 1 : "";
    (void)snprintf(host, sizeof host, "%.*s%.*s", (int)stem, hosts, (int)strcspn(first, "-,]"),
                   first);
    set_meeting(host, strlen(host),
                FIRST_PORT + (job_number % PORT_COUNT * STEPS + step_number % STEPS) % PORT_COUNT,
                to);
    return VDNN_OK;
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
                   {from->restarts, &world->restarts},
                   {VDNN_WORLD_LISTENER, &world->listener}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *text = numbers[i].name == NULL ? NULL : environment(numbers[i].name);
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

/* Where rank 0 is met: as VDNN_WORLD_ADDRESS says, else as the launcher's variables do. */
static vdnn_status find_address(const launcher *from, char *(*environment)(const char *name),
                                vdnn_tools_world *world)
{
    const char *address = environment(VDNN_WORLD_ADDRESS);
    if (address == NULL)
        return from->meeting == NULL ? VDNN_OK : from->meeting(environment, world->address);
    if ((size_t)snprintf(world->address, sizeof world->address, "%s", address) >=
        sizeof world->address)
        return vdnn_status_fail(VDNN_USAGE, "%s has more than %zu characters", VDNN_WORLD_ADDRESS,
                                sizeof world->address - 1);
    return VDNN_OK;
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
        missing = is_blank(world->address) ? VDNN_WORLD_ADDRESS
                  : world->secret == NULL  ? VDNN_WORLD_SECRET
                                           : NULL;
    if (missing == NULL)
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_USAGE,
        "%s is not set, and %s says that this is process %lld of %lld: set %sVDNN_WORLD_SECRET, in "
        "all of them, to words that only they know, for example $(openssl rand -hex 32), made once",
        missing, world->launcher, (long long)world->rank, (long long)world->ranks,
        is_blank(world->address)
            ? "VDNN_WORLD_ADDRESS to HOST:PORT of the host of rank 0, where they meet, and "
            : "");
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
    fresh.is_by_node = from->is_by_node;
    fresh.threads = from == launchers ? 0 : count_threads(environment);
    fresh.transport = transport == NULL ? from->transport : transport;
    fresh.secret = environment(VDNN_WORLD_SECRET);
    status = find_address(from, environment, &fresh);
    if (status == VDNN_OK)
        status = check_meeting(&fresh);
    if (status == VDNN_OK)
        *world = fresh;
    return status;
}

vdnn_status vdnn_tools_world_check_alone(char *(*environment)(const char *name))
{
    const launcher *from = find_launcher(environment);
    const char *text = from == NULL || from->per_node == NULL ? NULL : environment(from->per_node);
    int64_t count = 0;
    if (text == NULL || !read_number(text, &count) || count <= 1)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE,
                            "%s=%s: %s has started one process on this node, which shall have %s: "
                            "`vdnnrun --launch %s ...` starts all of a node",
                            from->per_node, text, from->name, text, text);
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
    process->address = world->address[0] == '\0' ? NULL : world->address;
    process->secret = world->secret;
    process->listener = (int)world->listener;
    if (structs->session.threads == 0)
        structs->session.threads = (int)world->threads;
}
