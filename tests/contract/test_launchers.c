/* What launchers tell their processes, and what processes do that are told too little, or not the
 * same. */

#include "runtime/setup/session_members.h"
#include "runtime/train/description.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NET "vdnnrun --model @/net.yaml --device cpu --seed 5 "

enum { LINE = 512 };

static int make_folder(void **state)
{
    int error = vdnn_test_make_folder(state);
    if (error == 0)
        (void)vdnn_test_network(*state);
    return error;
}

/* Each ends at once, and names what it was told. */
TEST_WITH(a_process_that_is_not_alone_and_cannot_join_is_refused, make_folder,
          vdnn_test_remove_folder)
{
    static const struct {
        const char *variables, *part;
    } rows[] = {
        {"RANK=1", "RANK=1 (torchrun)"},
        {"WORLD_SIZE=2", "WORLD_SIZE=2 (torchrun)"},
        {"LOCAL_RANK=1", "LOCAL_RANK=1 (torchrun)"},
        {"PET_NNODES=1:4", "PET_NNODES=1:4 (Kubeflow)"},
        {"TF_CONFIG={\"cluster\":{\"worker\":[\"a:2222\",\"b:2222\"]},\"task\":{\"index\":0}}",
         "(Kubeflow)"},
        {"CLUSTER_SPEC={\"cluster\":{\"workerpool0\":[\"a:2\"],\"workerpool1\":[\"b:2\"]}}",
         "(Vertex AI)"},
        {"SM_HOSTS=[\"algo-1\",\"algo-2\"]", "(SageMaker)"},
        {"SKYPILOT_NUM_NODES=2", "SKYPILOT_NUM_NODES=2 (SkyPilot)"},
        {"DSTACK_NODE_RANK=1", "DSTACK_NODE_RANK=1 (dstack)"},
        {"NODE_RANK=1", "NODE_RANK=1"},
        {"SLURM_PROCID=1", "SLURM_PROCID=1 (Slurm)"},
        {"OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_RANK=1"},
        {"VDNN_WORLD_RANK=0", "VDNN_WORLD_RANK=0 (vdnn)"},
        {"VDNN_WORLD_RANKS=2", "VDNN_WORLD_RANKS=2 (vdnn)"},
        {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 HOROVOD_SIZE=4", "would join has started"},
        {"RANK=1 VDNN_LAUNCH=2", "RANK=1 (torchrun)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[LINE];
        (void)snprintf(line, sizeof line, "%s " NET "--steps 1 --save @/w", rows[i].variables);
        vdnn_test_run_to(*state, 2, rows[i].part, line);
        vdnn_test_run_to(*state, 2, "VDNN_WORLD_ADDRESS=HOST:PORT", line);
        assert_int_not_equal(access(vdnn_test_path(*state, "w"), F_OK), 0);
    }
}

TEST_WITH(a_launcher_of_one_process_is_no_matter, make_folder, vdnn_test_remove_folder)
{
    static const char *const rows[] = {
        "RANK=0 WORLD_SIZE=1 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 MASTER_ADDR=h MASTER_PORT=29500",
        "PET_NNODES=1 PET_NODE_RANK=0 PET_NPROC_PER_NODE=auto TF_CONFIG={}",
        "TF_CONFIG={\"cluster\":{\"worker\":[\"a:2222\"]},\"task\":{\"index\":0}}",
        "SKYPILOT_NODE_RANK=0 SKYPILOT_NUM_NODES=1 DSTACK_NODE_RANK=0 DSTACK_NODES_NUM=1",
        "SM_HOSTS=[\"algo-1\"] RANK=gold NODE_RANK=",
        "SLURM_PROCID=0 SLURM_NTASKS=8",                     /* the script of a batch */
        "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1",     /* of one process */
        "VDNN_WORLD_RANK=0 VDNN_WORLD_RANKS=1 WORLD_SIZE=2", /* our own are explicit */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[LINE];
        (void)snprintf(line, sizeof line, "%s " NET "--dry-run --device sim:v100", rows[i]);
        vdnn_test_run_to(*state, 0, "", line);
    }
}

TEST_WITH(processes_without_an_address_or_a_secret_are_refused, make_folder,
          vdnn_test_remove_folder)
{
    static const struct {
        const char *variables, *part;
    } rows[] = {
        {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2",
         "VDNN_WORLD_ADDRESS is not set, and Slurm says that this is process 0 of 2"},
        {"RANK=0 WORLD_SIZE=2", "VDNN_WORLD_ADDRESS is not set, and torchrun says"},
        {"RANK=1 WORLD_SIZE=2 MASTER_ADDR=h MASTER_PORT=29500",
         "VDNN_WORLD_SECRET is not set, and torchrun says that this is process 1 of 2: set "
         "VDNN_WORLD_SECRET"},
        {"RANK=1 WORLD_SIZE=2 MASTER_ADDR=h MASTER_PORT=none", "MASTER_PORT=none is no port"},
        {"RANK=2 WORLD_SIZE=2", "torchrun says that this is process 2 of 2"},
        {"PET_NNODES=1:4 PET_NODE_RANK=0", "PET_NNODES=1:4, which Kubeflow sets"},
        {"PET_NNODES=1 PET_NODE_RANK=0 PET_NPROC_PER_NODE=4", "vdnnrun --launch 4"},
        {"SKYPILOT_NODE_RANK=0 SKYPILOT_NUM_NODES=2", "VDNN_WORLD_ADDRESS is not set"},
        {"DSTACK_NODE_RANK=1 DSTACK_NODES_NUM=2 DSTACK_MASTER_NODE_IP=10.0.0.1",
         "VDNN_WORLD_SECRET is not set, and dstack says"},
        {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_JOB_ID=7 SLURM_STEP_NODELIST=n[1-2]",
         "VDNN_WORLD_SECRET is not set, and Slurm says"},
        {"SKYPILOT_NODE_RANK=0 SKYPILOT_NUM_NODES=2 SKYPILOT_NODE_IPS=a VDNN_WORLD_SECRET=",
         "VDNN_WORLD_SECRET is empty"},
        {"VDNN_WORLD_RANK=1 VDNN_WORLD_RANKS=2", "VDNN_WORLD_ADDRESS is not set"},
        {"VDNN_WORLD_RANK=1 VDNN_WORLD_RANKS=2 VDNN_WORLD_ADDRESS=", "ADDRESS is not set"},
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 VDNN_WORLD_TRANSPORT=tcp",
         "VDNN_WORLD_ADDRESS is not set, and Open MPI says"},
        {"VDNN_WORLD_RANK=1 VDNN_WORLD_RANKS=2 VDNN_WORLD_ADDRESS=127.0.0.1:1",
         "VDNN_WORLD_SECRET is not set"},
        {"VDNN_WORLD_RANK=1 VDNN_WORLD_RANKS=2 VDNN_WORLD_ADDRESS=127.0.0.1:1 VDNN_WORLD_SECRET=",
         "VDNN_WORLD_SECRET is empty"},
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 VDNN_WORLD_SECRET=",
         "VDNN_WORLD_SECRET is empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[LINE];
        (void)snprintf(line, sizeof line, "%s " NET "--steps 1", rows[i].variables);
        vdnn_test_run_to(*state, 2, rows[i].part, line);
    }
}

TEST_WITH(a_session_without_an_address_or_a_secret_is_refused, make_folder, vdnn_test_remove_folder)
{
    vdnn_session *session = NULL;
    vdnn_session_options options = {.size = sizeof options,
                                    .model = vdnn_test_path(*state, "net.yaml"),
                                    .device = "cpu",
                                    .process = vdnn_test_topic(process, .ranks = 2)};
    assert_status(vdnn_session_create(&options, NULL, &session), VDNN_USAGE);
    assert_message("rank 0 of 2 has no address");
    vdnn_test_edit(&options, process)->address = "127.0.0.1:1";
    assert_status(vdnn_session_create(&options, NULL, &session), VDNN_USAGE);
    assert_message("rank 0 of 2 has no secret");
    vdnn_test_edit(&options, process)->secret = "";
    assert_status(vdnn_session_create(&options, NULL, &session), VDNN_USAGE);
    assert_message("is empty");
}

/* ---- engines --------------------------------------------------------------------------------- */

/* The algorithms do not depend on times. */
#define FIXED NET "--policy base --algo m --steps 2 "

static int next_port(void)
{
    static int port;
    port = port == 0 ? 20000 + (int)(getpid() % 5000) * 2 : port + 2;
    return port;
}

/* Runs two processes, each with the variables of its rank, which `say` writes. */
static void run_pair(const char *folder, void say(char *line, size_t size, int rank, int port),
                     const char *words)
{
    vdnn_test_run pair[2];
    const int port = next_port();
    for (int r = 0; r < 2; r++) {
        char variables[LINE];
        say(variables, sizeof variables, r, port);
        vdnn_test_start(&pair[r], folder,
                        "%s VDNN_WORLD_SECRET=of-both-0123456789abcdef " FIXED
                        "--peer-timeout 20 %s",
                        variables, words);
    }
    for (int r = 0; r < 2; r++) {
        vdnn_test_finish(&pair[r]);
        vdnn_test_expect(&pair[r], 0, "");
        vdnn_test_run_free(&pair[r]);
    }
}

static void say_torchrun(char *line, size_t size, int rank, int port)
{
    (void)snprintf(line, size,
                   "RANK=%d WORLD_SIZE=2 LOCAL_RANK=%d LOCAL_WORLD_SIZE=2 GROUP_RANK=0 "
                   "MASTER_ADDR=localhost MASTER_PORT=%d PET_NNODES=1 "
                   "TORCHELASTIC_RESTART_COUNT=3",
                   rank, rank, port);
}

static void say_trainer(char *line, size_t size, int rank, int port)
{
    (void)snprintf(line, size,
                   "PET_NODE_RANK=%d PET_NNODES=2 PET_NPROC_PER_NODE=1 "
                   "PET_MASTER_ADDR=127.0.0.1 PET_MASTER_PORT=%d",
                   rank, port);
}

/* Of a step of job 1000 P. */
static void say_slurm(char *line, size_t size, int rank, int port)
{
    (void)snprintf(line, size,
                   "SLURM_PROCID=%d SLURM_STEP_NUM_TASKS=2 SLURM_LOCALID=%d "
                   "SLURM_STEP_TASKS_PER_NODE=2 SLURM_STEP_NODELIST=localhost "
                   "SLURM_JOB_ID=%d SLURM_STEP_ID=0 PMIX_RANK=%d",
                   rank, rank, port, rank);
}

/* The usual port may be taken on this machine, and so the address is said. */
static void say_skypilot(char *line, size_t size, int rank, int port)
{
    (void)snprintf(line, size,
                   "SKYPILOT_NODE_RANK=%d SKYPILOT_NUM_NODES=2 "
                   "SKYPILOT_NODE_IPS=127.0.0.1 VDNN_WORLD_ADDRESS=127.0.0.1:%d",
                   rank, port);
}

TEST_WITH(processes_join_by_the_variables_of_their_engine, make_folder, vdnn_test_remove_folder)
{
    static const struct {
        void (*say)(char *line, size_t size, int rank, int port);
        const char *words, *like; /* the same processes, by --launch */
    } rows[] = {{say_torchrun, "", "2"},
                {say_trainer, "", "2"},
                {say_slurm, "", "2"},
                {say_skypilot, "", "2"},
                {say_skypilot, "--launch 2", "4"},
                {say_trainer, "--launch 2", "4"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[LINE];
        (void)snprintf(words, sizeof words, FIXED "--save @/like.safetensors --launch %s",
                       rows[i].like);
        vdnn_test_run_to(*state, 0, "", words);
        (void)snprintf(words, sizeof words, "--save @/w.safetensors %s", rows[i].words);
        run_pair(*state, rows[i].say, words);
        vdnn_test_same_files(*state, "like.safetensors", "w.safetensors");
    }
}

static void say_hosts(char *line, size_t size, int rank, int port)
{
    (void)snprintf(line, size,
                   "VDNN_LAUNCH=2 VDNN_NODES=2 VDNN_NODE_RANK=%d "
                   "VDNN_MASTER=127.0.0.1:%d",
                   rank, port);
}

TEST_WITH(supervisors_of_several_hosts_start_the_processes_of_each, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", FIXED "--save @/like.safetensors --launch 4");
    run_pair(*state, say_hosts, "--save @/w.safetensors --devices 4");
    vdnn_test_same_files(*state, "like.safetensors", "w.safetensors");
    static const struct {
        const char *words, *part;
    } rows[] = {
        {"--nodes 2 --node-rank 0 --master h:1", "all four"},
        {"--launch 2 --nodes 2", "all four"},
        {"--launch 2 --nodes 2 --node-rank 2 --master h:1", "--node-rank 2: expected 0 to 1"},
        {"--launch 2 --nodes 2 --node-rank 0 --master h:1", "set VDNN_WORLD_SECRET"},
        {"--launch 2 --nodes 2 --node-rank 0 --master h:1 --devices 2", "starts 4 processes"},
    };
    char line[LINE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(line, sizeof line, NET "%s", rows[i].words);
        vdnn_test_run_to(*state, 2, rows[i].part, line);
    }
    (void)snprintf(line, sizeof line,
                   "VDNN_WORLD_SECRET=of-one-0123456789abcdef " NET
                   "--steps 1 --launch 1 --nodes 2 --node-rank 0 --master 127.0.0.1:%d "
                   "--peer-timeout 1",
                   next_port());
    vdnn_test_run_to(*state, 7, "did not come to rank 0", line);
}

/* ---- unlike processes ------------------------------------------------------------------------ */

/* Two processes, of which the second has more words. */
static void expect_of_pair(const char *folder, const char *words, int code, const char *part)
{
    const int port = next_port();
    vdnn_test_run pair[2];
    for (int r = 0; r < 2; r++)
        vdnn_test_start(&pair[r], folder,
                        "VDNN_WORLD_RANK=%d VDNN_WORLD_RANKS=2 VDNN_WORLD_ADDRESS=127.0.0.1:%d "
                        "VDNN_WORLD_SECRET=shared-by-both-0123456789abcdef " NET
                        "--steps 1 --peer-timeout 20 %s",
                        r, port, r == 0 ? "" : words);
    for (int r = 0; r < 2; r++) {
        vdnn_test_finish(&pair[r]);
        vdnn_test_expect(&pair[r], code, part);
        vdnn_test_run_free(&pair[r]);
    }
}

TEST_WITH(options_of_one_process_alone_are_named_with_its_rank, make_folder,
          vdnn_test_remove_folder)
{
    static const struct {
        const char *words, *part;
    } rows[] = {
        {"--disk @", "--disk: not given on rank 0, given on rank 1"},
        {"--reduce gather", "--reduce: \"ring\" on rank 0, \"gather\" on rank 1"},
        {"--trace @/t.json", "--trace: not given on rank 0, given on rank 1"},
        {"--poison", "--poison: not given on rank 0, given on rank 1"},
        {"--dry-run", "--dry-run: not given on rank 0, given on rank 1"},
        {"--max-batch", "--max-batch: not given on rank 0, given on rank 1"},
        {"--verify --require-offload", "--require-offload: not given on rank 0, given on rank 1"},
        {"--test-data synthetic", "--test-data: not given on rank 0, given on rank 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_of_pair(*state, rows[i].words, 2, rows[i].part);
}

TEST_WITH(each_process_has_budgets_and_files_of_its_own, make_folder, vdnn_test_remove_folder)
{
    expect_of_pair(*state, "--device-mem 64MiB --host-mem 64MiB --save @/w --verbose --print-plan",
                   0, "");
    assert_int_not_equal(access(vdnn_test_path(*state, "w"), F_OK), 0);
}

static bool is_member(const char *name)
{
    const vdnn_session_member *member;
    for (size_t i = 0; (member = vdnn_session_member_at(i)) != NULL; i++)
        if (strcmp(member->name, name) == 0)
            return true;
    return false;
}

/* As the header has them: the word before each semicolon, comments left out. */
static size_t expect_rows(char *header, const char *topic)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    char begin[64], finish[64];
    size_t count = 0;
    (void)snprintf(begin, sizeof begin, "typedef struct vdnn_%s_options {", topic);
    (void)snprintf(finish, sizeof finish, "} vdnn_%s_options;", topic);
    char *at = strstr(header, begin), *end = strstr(header, finish);
    assert_non_null(at);
    assert_non_null(end);
    for (char *note; (note = strstr(at, "/*")) != NULL && note < end;)
        memset(note, ' ', (size_t)(strstr(note, "*/") + 2 - note));
    for (char *stop; (stop = strchr(at, ';')) != NULL && stop < end; at = stop + 1, count++) {
        *stop = '\0';
        const char *name = stop;
        while (name > at && strchr(letters, name[-1]) != NULL)
            name--;
        if (!is_member(name) && strcmp(name, "size") != 0 && strstr(at, "_options *") == NULL)
            fail_msg("session_members.awk lists no member '%s'", name);
        *stop = ' ';
    }
    return count;
}

TEST_WITH(every_option_of_a_session_is_listed, make_folder, vdnn_test_remove_folder)
{
    static const char *const topics[] = {"planning", "machine", "dataset", "output", "trust",
                                         "process",  "print",   "report",  "session"};
    char *header;
    size_t bytes, count = 0;
    vdnn_test_read_file("runtime/vdnn.h", &header, &bytes);
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
        count += expect_rows(header, topics[i]);
    assert_true(count > 70);
    free(header);
}

TEST_WITH(builds_of_another_kind_differ, make_folder, vdnn_test_remove_folder)
{
    static const vdnn_description_sides sides = {"on rank 0", "on rank 1"};
    vdnn_text text = {0};
    json_t *left = json_pack("{s:{s:s}}", "process", "build", "release, gcc 12"),
           *right = json_pack("{s:{s:s}}", "process", "build", "debug, gcc 12");
    vdnn_description_compare(left, right, &sides, &text);
    assert_non_null(strstr(text.data, "build of vdnn: \"release, gcc 12\" on rank 0, \"debug"));
    vdnn_text_fini(&text);
    json_decref(left);
    json_decref(right);
}
