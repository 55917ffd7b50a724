/* Several processes, each with one device, train one network: started by --launch, which restarts
 * them, or by a launcher of MPI. */

#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* No layer couples samples; dropout's numbers depend on the position of a sample in the data. */
static const char NETWORK[] =
    "name: shared\n"
    "input: {channels: 1, height: 12, width: 12}\n"
    "classes: 10\n"
    "batch: 7\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: drop3, type: dropout, p: 0.4}\n"
    "  - {name: fc3, type: fc, out: 32}\n"
    "  - {name: relu3, type: relu}\n"
    "  - {name: fc4, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0.0005, epochs: 1}\n";

enum { RANKS = 3, IMAGES = 44 };

#define NET "vdnnrun --model @/net.yaml --data npy:@ --device cpu --seed 5 "

static int make_folder(void **state)
{
    int error = vdnn_test_make_folder(state);
    if (error == 0) {
        vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), NETWORK, sizeof NETWORK - 1);
        vdnn_test_images(*state, IMAGES);
    }
    return error;
}

static void expect_same(const char *folder, const char *a, const char *b)
{
    vdnn_test_expect_same_file(vdnn_test_path(folder, a), vdnn_test_path(folder, b));
}

/* ---- bits ------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *path, *words; /* before the command of vdnnrun */
} launchers[] = {
    {"--launch", NULL, ""},
    {"Open MPI", "/usr/bin/mpirun.openmpi",
     "--allow-run-as-root --oversubscribe --bind-to none -q"},
    {"MPICH", "/usr/bin/mpirun.mpich", ""},
};

static void launch(const char *folder, size_t by, int ranks, const char *words)
{
    vdnn_test_run run;
    if (launchers[by].path == NULL)
        vdnn_test_program(&run, folder, NET "--launch %d %s", ranks, words);
    else
        vdnn_test_program(&run, folder, VDNN_TEST_MPI_LEAKS "%s %s -n %d %s/" NET "%s",
                          launchers[by].path, launchers[by].words, ranks, vdnn_test_bin(), words);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

/* Of three by --launch, which is quick, all of them; else the first ones. */
static void expect_same_bits(const char *folder, size_t by, int ranks)
{
#define SIX "--profile @/p --algos @/a.json --steps 6 --save @/b "
    enum { ELSEWHERE = 2 };
    static const char *const words[] = {SIX "--policy base", SIX "--policy all --shard optimizer",
                                        SIX "--policy all --rules paper",
                                        SIX "--policy dyn --device-mem 300K",
                                        SIX "--policy dyn --device-mem 300K --shard optimizer"};
    const bool is_quick = launchers[by].path == NULL && ranks == RANKS;
    for (size_t w = 0; w < (is_quick ? sizeof words / sizeof *words : ELSEWHERE); w++) {
        launch(folder, by, ranks, words[w]);
        expect_same(folder, "a", "b");
    }
}

TEST_WITH(processes_give_the_bits_of_devices_in_one_process, make_folder, vdnn_test_remove_folder)
{
    enum { LEAST_RANKS = 2, MOST_RANKS = 4 };
    for (int ranks = LEAST_RANKS; ranks <= MOST_RANKS; ranks++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          NET "--devices %d --profile @/p --steps 6 --save @/a --json @/a.json",
                          ranks);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        for (size_t by = 0; by < sizeof launchers / sizeof *launchers; by++)
            if (launchers[by].path == NULL || access(launchers[by].path, X_OK) == 0)
                expect_same_bits(*state, by, ranks);
            else
                print_message("%s is not installed\n", launchers[by].name);
    }
}

/* Without a profile in a file: what the first one measures is what all plan from. */
TEST_WITH(only_the_first_process_writes_files_and_its_record_has_all_devices, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run run;
    json_t *device;
    size_t d;
    vdnn_test_program(&run, *state, NET "--launch 3 --steps 4 --policy all --json @/r.json");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "4 steps"));
    assert_null(strstr(strstr(run.out, "4 steps") + 1, "4 steps"));
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "r.json")),
           *devices = json_object_get(root, "per_device");
    assert_int_equal(json_array_size(devices), RANKS);
    json_array_foreach(devices, d, device)
    {
        assert_int_equal(vdnn_test_integer_at(device, "batch"), d == 0 ? 3 : 2);
        assert_int_equal(
            vdnn_test_integer_at(vdnn_test_object_at(device, "measured"), "offload_bytes"),
            vdnn_test_integer_at(device, "offload_bytes"));
        assert_true(vdnn_test_number_at(vdnn_test_object_at(device, "measured"), "step_seconds") >
                    0);
    }
    json_decref(root);
}

TEST_WITH(a_run_resumes_on_another_number_of_processes_and_says_so, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", NET "--devices 3 --steps 6 --profile @/p --save @/a --quiet");
    vdnn_test_run_to(*state, 0, "",
                     NET "--launch 3 --steps 3 --profile @/p --checkpoint @/c --shard optimizer");
    vdnn_test_copy_folder(vdnn_test_path(*state, "c"), vdnn_test_path(*state, "d"));
    vdnn_test_run_to(*state, 0, "resumes from step 3",
                     NET "--launch 3 --steps 6 --profile @/p --checkpoint @/c --resume auto "
                         "--save @/b --shard optimizer");
    expect_same(*state, "a", "b");
    vdnn_test_run_to(*state, 0, "devices was 3, is 2 now",
                     NET "--launch 2 --steps 6 --profile @/p --checkpoint @/d --resume auto");
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* What two launchers tell rank `%d`. */
static const char OURS[] = "VDNN_WORLD_RANK=%d VDNN_WORLD_RANKS=2",
                  SLURMS[] = "SLURM_PROCID=%d SLURM_LOCALID=0 SLURM_STEP_NUM_TASKS=2 "
                             "SLURM_STEP_TASKS_PER_NODE=1(x2)";

/* Two processes whose command lines differ, as two hosts could start them. */
static void start_pair(vdnn_test_run pair[2], const char *folder, const char *launcher,
                       const char *const words[2])
{
    static int port;
    port = port == 0 ? 20000 + (int)(getpid() % 10000) : port + 1;
    for (int r = 0; r < 2; r++) {
        char text[128], number[2] = {(char)('0' + r), '\0'};
        const char *at = strstr(launcher, "%d");
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - launcher), launcher, number,
                       at + 2);
        vdnn_test_start(&pair[r], folder,
                        "%s VDNN_WORLD_ADDRESS=127.0.0.1:%d "
                        "VDNN_WORLD_SECRET=shared-by-both-0123456789abcdef " NET
                        "--steps 2 --peer-timeout 20 %s",
                        text, port, words[r]);
    }
}

TEST_WITH(processes_of_slurm_meet_at_the_address_in_their_environment, make_folder,
          vdnn_test_remove_folder)
{
    static const char *const words[] = {"--profile @/p --algos @/a.json --save @/b",
                                        "--algos @/a.json"};
    vdnn_test_run pair[2];
    vdnn_test_run_to(*state, 0, "",
                     NET "--devices 2 --steps 2 --profile @/p --save @/a --json @/a.json");
    start_pair(pair, *state, SLURMS, words);
    for (int r = 0; r < 2; r++) {
        vdnn_test_finish(&pair[r]);
        vdnn_test_expect(&pair[r], 0, "");
        vdnn_test_run_free(&pair[r]);
    }
    expect_same(*state, "a", "b");
}

TEST_WITH(processes_that_train_differently_are_refused_with_what_differs, make_folder,
          vdnn_test_remove_folder)
{
    static const struct {
        const char *words, *part;
    } rows[] = {
        {"--seed 6", "seed: 5 on rank 0, 6 on rank 1 (--seed)"},
        {"--batch 8", "batch: 7 on rank 0, 8 on rank 1 (--batch)"},
        {"--rules paper", "rules: \"lean\" on rank 0, \"paper\" on rank 1 (--rules)"},
        {"--policy all", "policy: \"dyn\" on rank 0, \"all\" on rank 1 (--policy)"},
        {"--steps 3", "steps: 2 on rank 0, 3 on rank 1 (--steps)"},
        {"--lr 0.5", "settings of the optimizer: "},
        {"--data synthetic", "samples in the data: "},
        {"--model @/other.yaml", "layer conv2: "},
        {"--plan-trials 7", " on rank 0, 7 on rank 1 (--plan-trials)"},
        {"--threads 2", "threads: 1 on rank 0, 2 on rank 1 (--threads)"},
    };
    char other[sizeof NETWORK];
    memcpy(other, NETWORK, sizeof NETWORK);
    strstr(other, "out: 16")[6] = '8';
    vdnn_test_write_file(vdnn_test_path(*state, "other.yaml"), other, sizeof NETWORK - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_run pair[2];
        start_pair(pair, *state, OURS, (const char *const[]){"", rows[i].words});
        for (int r = 0; r < 2; r++) {
            vdnn_test_finish(&pair[r]);
            vdnn_test_expect(&pair[r], 3, rows[i].part);
            vdnn_test_run_free(&pair[r]);
        }
    }
}

/* The other process ends with the status of the one that failed, and its words. */
TEST_WITH(a_process_that_cannot_begin_ends_the_other, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run pair[2];
    start_pair(pair, *state, OURS, (const char *const[]){"", "--init @/none"});
    for (int r = 0; r < 2; r++) {
        vdnn_test_finish(&pair[r]);
        vdnn_test_expect(&pair[r], 3, "none");
        vdnn_test_run_free(&pair[r]);
    }
}

TEST_WITH(what_several_processes_cannot_be_is_refused, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 2, "each with one device", NET "--launch 3 --devices 2");
    vdnn_test_run_to(*state, 2, "--max-restarts needs --checkpoint",
                     NET "--launch 3 "
                         "--max-restarts 1");
    vdnn_test_run_to(*state, 2, "least is 1", NET "--launch 0");
    vdnn_test_run_to(*state, 2, "8 devices cannot share a batch of 7", NET "--launch 8");
    vdnn_test_run_to(*state, 4, "does not fit", NET "--launch 2 --device-mem 10K --dry-run");
    vdnn_test_run_to(*state, 2, "Open MPI started this process and 1 others",
                     "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 " NET "--launch 3");
    vdnn_test_run_to(*state, 2, "process 2 of 2",
                     "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2 " NET);
    vdnn_test_run_to(*state, 2, "is no number", "PMI_RANK=x PMI_SIZE=2 " NET);
}

/* ---- processes of the supervisor ------------------------------------------------------------- */

/* A program that has ended keeps its number until it is waited for. */
static bool has_ended(const vdnn_test_run *run)
{
    siginfo_t of = {.si_pid = 0};
    return waitid(P_PID, (id_t)run->pid, &of, WEXITED | WNOHANG | WNOWAIT) != 0 || of.si_pid != 0;
}

/* The process of a rank, once there is one; 0: the supervisor has ended. */
static pid_t rank_of(const vdnn_test_run *run, int rank)
{
    const struct timespec pause = {.tv_nsec = 2 * 1000 * 1000};
    char path[64], wanted[32], *next, variables[16384], list[256];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)run->pid, (int)run->pid);
    (void)snprintf(wanted, sizeof wanted, "VDNN_WORLD_RANK=%d", rank);
    while (!has_ended(run)) {
        FILE *file = fopen(path, "r");
        if (file == NULL)
            return 0;
        size_t length = fread(list, 1, sizeof list - 1, file);
        (void)fclose(file);
        list[length] = '\0';
        for (const char *at = list;; at = next) {
            char name[64];
            const long child = strtol(at, &next, 10);
            if (next == at)
                break;
            (void)snprintf(name, sizeof name, "/proc/%ld/environ", child);
            FILE *environment = fopen(name, "r");
            if (environment == NULL)
                continue;
            length = fread(variables, 1, sizeof variables - 1, environment);
            (void)fclose(environment);
            if (memmem(variables, length, wanted, strlen(wanted) + 1) != NULL)
                return (pid_t)child;
        }
        (void)nanosleep(&pause, NULL);
    }
    return 0;
}

static void wait_seconds(double seconds)
{
    const struct timespec pause = {(time_t)seconds,
                                   (long)((seconds - (double)(time_t)seconds) * 1e9)};
    (void)nanosleep(&pause, NULL);
}

/* A run without an end, once it has written a checkpoint, in FOLDER/NAME. */
static void start_endless(vdnn_test_run *run, const char *folder, const char *name,
                          const char *words)
{
    vdnn_test_start(run, folder,
                    NET "--launch 3 --steps 1000000 --profile @/p --checkpoint @/%s "
                        "--checkpoint-every 5 %s",
                    name, words);
    char first[64];
    (void)snprintf(first, sizeof first, "%s/step-00000005", name);
    vdnn_test_wait_for_path(run, vdnn_test_path(folder, first));
}

TEST_WITH(a_signal_to_any_process_ends_all_after_one_step, make_folder, vdnn_test_remove_folder)
{
    static const struct {
        int number, rank; /* -1: the supervisor */
        int code;
    } rows[] = {{SIGTERM, -1, 75}, {SIGUSR1, 2, 75}, {SIGINT, 0, 130}, {SIGINT, -1, 130}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_run run;
        char name[] = {'c', (char)('0' + i), '\0'};
        start_endless(&run, *state, name, i % 2 == 0 ? "" : "--shard optimizer");
        (void)kill(rows[i].rank < 0 ? run.pid : rank_of(&run, rows[i].rank), rows[i].number);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, rows[i].code, "resumes from it");
        vdnn_test_run_free(&run);
    }
    vdnn_test_run_to(*state, 0, "resumes from step",
                     NET "--devices 3 --steps 1 --profile @/p --checkpoint @/c0 --resume auto");
}

TEST_WITH(a_signal_to_a_run_without_checkpoints_ends_all_with_its_number, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run run;
    /* Losses overflow, which is told before the first line of progress is due. */
    vdnn_test_start(&run, *state,
                    NET "--launch 3 --steps 1000000 --profile @/p --lr 1e30 "
                        "--on-nan warn");
    vdnn_test_wait_for(&run, "is not finite");
    (void)kill(rank_of(&run, 1), SIGTERM);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 143, "no weights were written");
    vdnn_test_run_free(&run);
}

/* After the same step, with or without shares of the state; the healthy checkpoint stays. */
TEST_WITH(a_training_that_diverges_ends_all_with_10, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", NET "--launch 3 --steps 3 --profile @/p --checkpoint @/d");
    vdnn_test_run_to(*state, 10, "the gradient of layer '",
                     NET "--launch 3 --steps 90 --profile @/p --checkpoint @/d --keep 1 "
                         "--resume auto --lr 1e30 --replay-every 2 --check-replicas 2");
    vdnn_test_run_to(*state, 10, "of layer '",
                     NET "--launch 3 --steps 90 --profile @/p --lr 1e30 --shard optimizer");
    vdnn_test_run_to(*state, 0, "resumes from step",
                     NET "--launch 3 --steps 4 --profile @/p --checkpoint @/d --resume auto");
}

/* Whichever process hears of it first. */
TEST_WITH(a_second_interrupt_ends_all_at_once, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run run;
    start_endless(&run, *state, "c", "");
    const pid_t rank = rank_of(&run, 2);
    (void)kill(rank_of(&run, 0), SIGSTOP); /* so that no step ends */
    for (int i = 0; i < 2; i++) {
        (void)kill(run.pid, SIGINT);
        wait_seconds(0.3);
    }
    (void)kill(rank_of(&run, 0), SIGCONT);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 130, "ended with exit code 130: interrupted");
    assert_int_not_equal(kill(rank, 0), 0);
    vdnn_test_run_free(&run);
}

/* A peer that is lost for good. */
TEST_WITH(a_process_that_is_killed_ends_the_others_with_7, make_folder, vdnn_test_remove_folder)
{
    for (int rank = 0; rank < RANKS; rank++) {
        vdnn_test_run run;
        char part[64], name[] = {'c', (char)('0' + rank), '\0'};
        start_endless(&run, *state, name, "--max-restarts 0");
        (void)kill(rank_of(&run, rank), SIGKILL);
        vdnn_test_finish(&run);
        (void)snprintf(part, sizeof part, "rank %d was killed by signal 9", rank);
        vdnn_test_expect(&run, 7, part);
        (void)snprintf(part, sizeof part, "rank %d, process ", rank);
        assert_non_null(strstr(run.err, part));
        assert_non_null(strstr(run.err, "error: step "));
        vdnn_test_run_free(&run);
    }
}

TEST_WITH(a_process_that_is_stopped_is_named_in_time, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run run;
    char path[64];
    start_endless(&run, *state, "c", "--peer-timeout 1 --max-restarts 0");
    const pid_t stopped = rank_of(&run, 1);
    (void)kill(stopped, SIGSTOP);
    vdnn_test_wait_for(&run, "rank 1, process ");
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 7, "rank 1 did not end when others had");
    assert_true(run.seconds < 20);
    (void)snprintf(path, sizeof path, "/proc/%d", (int)stopped);
    assert_int_not_equal(access(path, F_OK), 0);
    vdnn_test_run_free(&run);
}

/* What others see of a process is its command line. */
TEST_WITH(no_command_line_has_the_secret, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run run;
    char path[64], line[4096], variables[16384];
    start_endless(&run, *state, "c", "");
    const pid_t rank = rank_of(&run, 1);
    (void)snprintf(path, sizeof path, "/proc/%d/cmdline", (int)rank);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(line, 1, sizeof line, file);
    (void)fclose(file);
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)rank);
    file = fopen(path, "r");
    assert_non_null(file);
    const size_t count = fread(variables, 1, sizeof variables - 1, file);
    (void)fclose(file);
    const char *secret = memmem(variables, count, "VDNN_WORLD_SECRET=", 18);
    assert_non_null(secret);
    assert_true(strnlen(secret + 18, 65) == 64);
    assert_null(memmem(line, length, secret + 18, 64));
    (void)kill(run.pid, SIGKILL); /* the others end with it */
    vdnn_test_finish(&run);
    vdnn_test_run_free(&run);
    for (int i = 0; i < 200 && kill(rank, 0) == 0; i++)
        wait_seconds(0.02);
    assert_true(kill(rank, 0) != 0 && errno == ESRCH);
}

/* ---- restarts -------------------------------------------------------------------------------- */

/* With a checkpoint in every step, most of the moments are within the writing of one. */
TEST_WITH(a_run_whose_processes_are_killed_ends_with_the_weights_of_an_undisturbed_one, make_folder,
          vdnn_test_remove_folder)
{
    enum { STEPS = 30, MOMENTS = 50 };
    vdnn_test_rng random = {vdnn_test_seed()};
    vdnn_test_run run;
    char save[32];
    const int moments = vdnn_test_count(MOMENTS);
    int killed = 0;
    double whole = 0;
    for (int i = 0; i < 2; i++) { /* the first one measures the profile, too */
        vdnn_test_program(&run, *state,
                          NET "--launch 3 --steps %d --profile @/p --save @/a --checkpoint @/u%d "
                              "--checkpoint-every 5",
                          STEPS, i);
        vdnn_test_expect(&run, 0, "");
        whole = run.seconds;
        vdnn_test_run_free(&run);
    }
    for (int m = 0; m < moments; m++) {
        const int rank = (int)(vdnn_test_random(&random) % RANKS), every = m % 3 == 1 ? 1 : 5;
        const double after = whole * (double)(vdnn_test_random(&random) % 700) / 1000;
        vdnn_test_start(&run, *state,
                        NET "--launch 3 --steps %d --profile @/p --save @/s%d --checkpoint @/c%d "
                            "--checkpoint-every %d --shard %s",
                        STEPS, m, m, every, m % 2 == 0 ? "none" : "optimizer");
        wait_seconds(after);
        const pid_t victim = rank_of(&run, rank);
        if (victim > 0)
            (void)kill(victim, SIGKILL);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, 0, "");
        killed += strstr(run.err, "; restart 1 of 3") != NULL;
        vdnn_test_run_free(&run);
        (void)snprintf(save, sizeof save, "s%d", m);
        expect_same(*state, "a", save);
    }
    print_message("%d of %d runs were restarted\n", killed, moments);
    assert_true(2 * killed >= moments);
}

TEST_WITH(a_supervisor_gives_up_after_so_many_restarts, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run run;
    start_endless(&run, *state, "c", "--max-restarts 1");
    (void)kill(rank_of(&run, 2), SIGKILL);
    vdnn_test_wait_for(&run, "restart 1 of 1");
    vdnn_test_wait_for(&run, "resumes from step ");
    (void)kill(rank_of(&run, 1), SIGKILL);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 7, "rank 1 was killed by signal 9");
    vdnn_test_run_free(&run);
}

/* A checkpoint without its manifest, which is written last. */
static bool is_writing(const char *folder)
{
    DIR *all = opendir(vdnn_test_path(folder, "c"));
    bool is_found = false;
    const struct dirent *entry;
    while (all != NULL && !is_found && (entry = readdir(all)) != NULL) {
        char name[300];
        (void)snprintf(name, sizeof name, "c/%s/manifest.json", entry->d_name);
        is_found = strncmp(entry->d_name, "step-", 5) == 0 &&
                   access(vdnn_test_path(folder, name), F_OK) != 0;
    }
    if (all != NULL)
        (void)closedir(all);
    return is_found;
}

/* As soon as one is begun. Whether that never became whole. */
static bool kill_while_writing(vdnn_test_run *run, const char *folder, int rank)
{
    const pid_t victim = rank_of(run, rank);
    while (!is_writing(folder) && !has_ended(run))
        ;
    (void)kill(victim, SIGKILL);
    for (int i = 0; i < 1000 && kill(victim, 0) == 0; i++)
        wait_seconds(0.001);
    return is_writing(folder);
}

/* Of the rank that writes it, and of one that waits. */
TEST_WITH(a_rank_that_is_killed_while_a_checkpoint_is_written_loses_nothing, make_folder,
          vdnn_test_remove_folder)
{
    enum { HITS = 1, ATTEMPTS = 80, STEPS = 30 };
    vdnn_test_run_to(*state, 0, "",
                     NET "--launch 3 --steps 30 --profile @/p --save @/a --checkpoint @/u "
                         "--checkpoint-every 5");
    int hits[2] = {0}, attempts = 0;
    for (; attempts < ATTEMPTS && (hits[0] < HITS || hits[1] < HITS); attempts++) {
        vdnn_test_run run;
        const int rank = attempts % 2;
        if (attempts > 0)
            vdnn_test_remove(vdnn_test_path(*state, "c"));
        vdnn_test_start(&run, *state,
                        NET "--launch 3 --steps %d --profile @/p --save @/b --checkpoint @/c "
                            "--checkpoint-every 5 --shard %s",
                        STEPS, attempts % 4 < 2 ? "none" : "optimizer");
        hits[rank] += kill_while_writing(&run, *state, rank);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        expect_same(*state, "a", "b");
        assert_false(is_writing(*state));
    }
    print_message("%d attempts\n", attempts);
    assert_true(hits[0] >= HITS && hits[1] >= HITS);
}

/* The training goes on, and all processes end alike. */
TEST_WITH(a_full_disk_ends_all_processes_with_6_and_loses_no_checkpoint, make_folder,
          vdnn_test_remove_folder)
{
    const struct rlimit small = {.rlim_cur = 512, .rlim_max = RLIM_INFINITY};
    vdnn_test_run run;
    start_endless(&run, *state, "c", "--log-level error --shard optimizer");
    /* That of one that writes nothing is nobody's matter. */
    assert_int_equal(prlimit(rank_of(&run, 2), RLIMIT_FSIZE, &small, NULL), 0);
    wait_seconds(0.2);
    assert_false(has_ended(&run));
    assert_int_equal(prlimit(rank_of(&run, 0), RLIMIT_FSIZE, &small, NULL), 0);
    wait_seconds(0.5); /* its messages, to a file, are lost, too */
    (void)kill(run.pid, SIGTERM);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 6, "");
    vdnn_test_run_free(&run);
    vdnn_test_run_to(*state, 0, "resumes from step ",
                     NET "--launch 3 --steps 6 --profile @/p --checkpoint @/c --resume auto");
}
