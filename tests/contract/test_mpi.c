/* Processes that the launchers of two implementations of MPI start: this program is started by them
 * again, as `test_mpi TRANSPORT WHAT [FOLDER]`. */

#include "runtime/comm/group.h"
#include "runtime/comm/world.h"
#include "tests/support/group_scenes.h"
#include "tests/support/run_program.h"
#include "tests/support/vdnn_test.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct launcher {
    const char *name, *program;
    const char *options;      /* for root, and for few processors */
    const char *recovery;     /* those that survive the loss of a rank are left alive */
    const char *rank, *ranks; /* what it leaves in the environment */
    const vdnn_transport *transport;
} launcher;

static const launcher openmpi = {.name = "openmpi",
                                 .program = "/usr/bin/mpirun.openmpi",
                                 .options = "--allow-run-as-root --oversubscribe --bind-to none -q",
                                 .recovery = "--enable-recovery",
                                 .rank = "OMPI_COMM_WORLD_RANK",
                                 .ranks = "OMPI_COMM_WORLD_SIZE",
                                 .transport = &vdnn_transport_openmpi},
                      mpich = {.name = "mpich",
                               .program = "/usr/bin/mpirun.mpich",
                               .options = "",
                               .recovery = "-disable-auto-cleanup",
                               .rank = "PMI_RANK",
                               .ranks = "PMI_SIZE",
                               .transport = &vdnn_transport_mpich};

enum { LEAST_RANKS = 2, MOST_RANKS = 4, ENOUGH_RANKS = 3, LOST_RANK = 1, MOST_TRIES = 10 };

/* ---- a process of a launcher ----------------------------------------------------------------- */

static int32_t number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text == NULL ? -1 : (int32_t)strtol(text, NULL, 10);
}

/* Those that leave the group as it was, then one that does not. */
static vdnn_status play_scenes(vdnn_group *end, int last)
{
    vdnn_status status = VDNN_OK;
    for (int s = 0; s < VDNN_GROUP_SCENE_COUNT && status == VDNN_OK; s++)
        if (!vdnn_group_scenes[s].ends)
            status = vdnn_group_scenes[s].play(end);
    return status == VDNN_OK ? vdnn_group_scenes[last].play(end) : status;
}

static vdnn_status play_all(vdnn_group *end)
{
    return play_scenes(end,
                       VDNN_GROUP_SCENE_a_rank_that_leaves_ends_all_that_wait_and_all_that_come);
}

static vdnn_status play_sizes(vdnn_group *end)
{
    return play_scenes(end, VDNN_GROUP_SCENE_ranks_that_sum_different_sizes_are_all_told);
}

static vdnn_status lose_a_rank(vdnn_group *end)
{
    float values[1000] = {1};
    vdnn_status status = VDNN_OK;
    (void)signal(SIGUSR1, SIG_IGN); /* by which MPICH's launcher tells of a rank that was lost */
    for (int round = 0; status == VDNN_OK; round++) {
        if (round == 20 && vdnn_group_rank(end) == LOST_RANK)
            (void)raise(SIGKILL);
        status = vdnn_group_sum(end, values, 1000);
    }
    return status;
}

static const struct {
    const char *name;
    vdnn_status (*play)(vdnn_group *end);
} plays[] = {{"all", play_all}, {"sizes", play_sizes}, {"lose", lose_a_rank}};

static vdnn_status play(const launcher *by, const vdnn_transport *transport, const char *what)
{
    const int32_t ranks = number_of(by->ranks);
    const vdnn_world world = {
        .rank = number_of(by->rank), .ranks = ranks, .local_ranks = ranks, .peer_timeout = 20};
    vdnn_group *end;
    vdnn_status status = vdnn_group_join(transport, &world, &end);
    if (status != VDNN_OK)
        return status;
    status = vdnn_status_fail(VDNN_USAGE, "%s?", what);
    for (size_t p = 0; p < sizeof plays / sizeof *plays; p++)
        if (strcmp(plays[p].name, what) == 0)
            status = plays[p].play(end);
    vdnn_group_close(end);
    return status;
}

/* Where Open MPI keeps its files: two processes that begin without its launcher, at once, both make
 * the same folder, and one fails. */
static void have_own_folder(void)
{
    char folder[PATH_MAX];
    const char *parent = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/rank_XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(folder) != NULL)
        (void)setenv("OMPI_MCA_orte_tmpdir_base", folder, 1);
}

/* A launcher that has lost a rank does not always pass on what the others say: they write it to
 * FOLDER/rank_R, which is there once it is whole. */
static void leave_word(const char *folder, int32_t rank)
{
    char part[PATH_MAX], whole[PATH_MAX];
    (void)snprintf(part, sizeof part, "%s/part_%d", folder, (int)rank);
    (void)snprintf(whole, sizeof whole, "%s/rank_%d", folder, (int)rank);
    FILE *file = fopen(part, "w");
    if (file == NULL)
        return;
    (void)fprintf(file, "%s\n", vdnn_status_message());
    (void)fclose(file);
    (void)rename(part, whole);
}

/* test_mpi TRANSPORT WHAT [FOLDER] */
static int be_a_rank(const char *transport, const char *what, const char *folder)
{
    const launcher *by = number_of(openmpi.rank) < 0 ? &mpich : &openmpi,
                   *its = strcmp(transport, openmpi.name) == 0 ? &openmpi : &mpich;
    if (by != its)
        have_own_folder();
    vdnn_status status = play(by, its->transport, what);
    if (status != VDNN_OK && folder != NULL)
        leave_word(folder, number_of(by->rank));
    if (status != VDNN_OK)
        (void)fprintf(stderr, "%s\n", vdnn_status_message());
    return vdnn_status_exit_code(status);
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void require(const launcher *by)
{
    char file[64];
    (void)snprintf(file, sizeof file, "build/lib/vdnn/libvdnn-mpi-%s.so", by->name);
    if (access(by->program, X_OK) != 0)
        skip_because("%s is not installed", by->program);
    if (access(file, R_OK) != 0)
        skip_because("without mpicc.%s, %s was not built", by->name, file);
}

static void launch(vdnn_test_run *run, const launcher *by, const char *options, int ranks,
                   const launcher *its, const char *what)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = '\0';
    vdnn_test_program(run, "/tmp", VDNN_TEST_MPI_LEAKS "%s %s %s -n %d %s %s %s", by->program,
                      by->options, options, ranks, self, its->name, what);
}

static void launch_well(const launcher *by, int ranks, const char *what)
{
    vdnn_test_run run;
    launch(&run, by, "", ranks, by, what);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

static void play_every_scene(const launcher *by)
{
    require(by);
    for (int ranks = LEAST_RANKS; ranks <= MOST_RANKS; ranks++)
        launch_well(by, ranks, "all");
    launch_well(by, ENOUGH_RANKS, "sizes");
}

TEST(every_scene_is_played_under_open_mpi)
{
    play_every_scene(&openmpi);
}

TEST(every_scene_is_played_under_mpich)
{
    play_every_scene(&mpich);
}

TEST_IN_FOLDER(the_transport_of_another_mpi_is_refused)
{
    vdnn_test_run run;
    require(&openmpi);
    require(&mpich);
    assert_int_equal(setenv("TMPDIR", *state, 1), 0);
    launch(&run, &mpich, "", 2, &openmpi, "all");
    vdnn_test_expect(&run, vdnn_status_exit_code(VDNN_USAGE), "of 2, MPI that it is 0 of 1");
    vdnn_test_run_free(&run);
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* Whether the rank lived to say which one was lost. */
static bool named_the_lost(const char *folder, int32_t rank)
{
    char path[PATH_MAX], *words;
    size_t count;
    (void)snprintf(path, sizeof path, "%s/rank_%d", folder, (int)rank);
    if (access(path, R_OK) != 0)
        return false;
    vdnn_test_read_file(path, &words, &count);
    assert_non_null(strstr(words, "rank 1, process "));
    assert_non_null(strstr(words, ", was lost: "));
    free(words);
    return true;
}

/* MPICH's launcher is told to let the others live, and yet kills some at once, now and then all. */
static void lose_under(const launcher *by, const char *folder)
{
    vdnn_test_run run;
    char what[PATH_MAX];
    bool is_named = false;
    require(by);
    launch(&run, by, "", ENOUGH_RANKS, by, "lose");
    assert_int_not_equal(run.code, 0);
    vdnn_test_run_free(&run);
    (void)snprintf(what, sizeof what, "lose %s", folder);
    for (int tries = 0; tries < MOST_TRIES && !is_named; tries++) {
        launch(&run, by, by->recovery, ENOUGH_RANKS, by, what);
        vdnn_test_run_free(&run);
        for (int32_t rank = 0; rank < ENOUGH_RANKS; rank++)
            if (named_the_lost(folder, rank))
                is_named = true;
    }
    assert_true(is_named);
}

TEST_IN_FOLDER(a_killed_rank_is_named_and_hangs_nobody_under_open_mpi)
{
    lose_under(&openmpi, *state);
}

TEST_IN_FOLDER(a_killed_rank_is_named_and_hangs_nobody_under_mpich)
{
    lose_under(&mpich, *state);
}

int main(int count, char **words)
{
    if (count >= 3)
        return be_a_rank(words[1], words[2], count > 3 ? words[3] : NULL);
    return vdnn_test_main(NULL, NULL);
}
