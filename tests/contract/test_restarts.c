/* What was asked to be resumed is resumed, or is an error: a run never starts from the beginning
 * without a word. And what ends a run that was not to end: signals, closed streams, readers that
 * have gone. */

#include "tests/support/run_program.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NET "vdnnrun --model @/net.yaml --data npy:@ --device cpu --seed 5 --profile @/p "

static int make_folder(void **state)
{
    int error = vdnn_test_make_folder(state);
    if (error == 0) {
        (void)vdnn_test_network(*state);
        vdnn_test_images(*state, 44);
    }
    return error;
}

static bool exists(const char *folder, const char *name)
{
    struct stat info;
    return stat(vdnn_test_path(folder, name), &info) == 0;
}

static void damage(const char *folder, const char *name)
{
    assert_int_equal(truncate(vdnn_test_path(folder, name), 100), 0);
}

/* ---- what is resumed ------------------------------------------------------------------------- */

static pid_t a_child_of(pid_t process)
{
    char path[64], list[64] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    if (fgets(list, sizeof list, file) == NULL)
        list[0] = '\0';
    (void)fclose(file);
    return (pid_t)strtol(list, NULL, 10);
}

TEST_WITH(a_restart_before_the_first_checkpoint_begins_where_the_run_began, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run run;
#define MORE NET "--launch 2 --steps 300 --lr 0.001 --checkpoint-every 100000 --resume @/a "
    vdnn_test_run_to(*state, 0, "", NET "--devices 2 --steps 20 --checkpoint @/a");
    vdnn_test_run_to(*state, 0, "resumes from step 20", MORE "--checkpoint @/b --save @/w1");
    vdnn_test_start(&run, *state, MORE "--checkpoint @/c --save @/w2");
#undef MORE
    vdnn_test_wait_for(&run, "resumes from step 20");
    const pid_t victim = a_child_of(run.pid);
    assert_true(victim > 0 && kill(victim, SIGKILL) == 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 0, "; restart 1 of 3, from the ");
    assert_null(strstr(run.err, "anew"));
    vdnn_test_run_free(&run);
    vdnn_test_expect_same_file(vdnn_test_path(*state, "w1"), vdnn_test_path(*state, "w2"));
}

TEST_WITH(a_run_that_resumes_into_another_folder_leaves_its_beginning_there, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", NET "--steps 4 --checkpoint @/a");
    vdnn_test_run_to(*state, 0, "resumes from step 4",
                     NET "--steps 4 --checkpoint @/b --resume @/a --save @/w1");
    assert_true(exists(*state, "b/step-00000004/manifest.json"));
    vdnn_test_run_to(*state, 0, "resumes from step 4",
                     NET "--steps 6 --checkpoint @/b --resume auto --save @/w2");
    assert_true(exists(*state, "b/step-00000006/manifest.json"));
    vdnn_test_run_to(*state, 6, "resume it (--resume auto)",
                     NET "--steps 8 --checkpoint @/b --resume @/a");
}

TEST_WITH(linked_checkpoints_are_resumed_and_never_removed, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", NET "--steps 4 --checkpoint @/a");
    assert_int_equal(mkdir(vdnn_test_path(*state, "b"), 0700), 0);
    assert_int_equal(symlink("../a/step-00000004", vdnn_test_path(*state, "b/step-00000004")), 0);
    vdnn_test_run_to(*state, 0, "resumes from step 4", NET "--steps 5 --resume @/b");
    vdnn_test_run_to(*state, 0, "resumes from step 4",
                     NET "--steps 8 --checkpoint @/b --checkpoint-every 1 --keep 1 --resume auto");
    assert_true(exists(*state, "a/step-00000004/weights.safetensors"));
    assert_true(exists(*state, "b/step-00000004/weights.safetensors"));
    assert_false(exists(*state, "b/step-00000007"));
    assert_int_equal(mkdir(vdnn_test_path(*state, "c"), 0700), 0);
    assert_int_equal(symlink("../gone", vdnn_test_path(*state, "c/step-00000004")), 0);
    vdnn_test_run_to(*state, 6, "none of them can be used",
                     NET "--steps 8 --checkpoint @/c --resume auto");
}

/* A first checkpoint that was never completed held nothing that could be lost. */
TEST_WITH(where_no_checkpoint_can_be_used_a_run_does_not_begin_anew, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run_to(*state, 0, "", NET "--steps 3 --checkpoint @/c --checkpoint-every 1");
    damage(*state, "c/step-00000003/weights.safetensors");
    damage(*state, "c/step-00000002/losses.safetensors");
    vdnn_test_run_to(*state, 0, "resumes from step 1",
                     NET "--steps 2 --checkpoint @/c --resume auto");
    damage(*state, "c/step-00000001/manifest.json");
    damage(*state, "c/step-00000002/manifest.json");
    vdnn_test_run_to(*state, 6, "none of them can be used",
                     NET "--steps 4 --checkpoint @/c --resume auto --launch 2");
    assert_true(exists(*state, "c/step-00000002/weights.safetensors"));
    for (int step = 1; step <= 2; step++) {
        char name[64];
        (void)snprintf(name, sizeof name, "c/step-0000000%d/manifest.json", step);
        assert_int_equal(unlink(vdnn_test_path(*state, name)), 0);
    }
    vdnn_test_run_to(*state, 0, "starting from the beginning",
                     NET "--steps 4 --checkpoint @/c --resume auto");
    vdnn_test_run_to(*state, 0, "starting from the beginning",
                     NET "--steps 4 --checkpoint @/d --resume auto");
}

/* ---- signals --------------------------------------------------------------------------------- */

TEST_WITH(a_signal_before_the_first_step_says_that_nothing_was_written, make_folder,
          vdnn_test_remove_folder)
{
    vdnn_test_run run;
    vdnn_test_start(&run, *state, "vdnnrun --model vgg16 --batch 2 --steps 9 --checkpoint @/c");
    vdnn_test_wait_for(&run, "vgg16, batch 2");
    assert_int_equal(kill(run.pid, SIGTERM), 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 143, "before the first step; there is no checkpoint");
    vdnn_test_run_free(&run);
}

TEST_WITH(signals_that_end_a_session_or_a_job_write_a_checkpoint, make_folder,
          vdnn_test_remove_folder)
{
    static const int numbers[] = {SIGHUP, SIGUSR2, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vdnn_test_run run;
        char part[64];
        (void)snprintf(part, sizeof part, "c%zu/step-00000005", i);
        vdnn_test_start(&run, *state,
                        NET "--steps 100000000 --checkpoint @/c%zu --checkpoint-every 5 %s", i,
                        i == 0 ? "--launch 2" : "");
        vdnn_test_wait_for_path(&run, vdnn_test_path(*state, part));
        assert_int_equal(kill(run.pid, numbers[i]), 0);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, 75, "--resume auto resumes from it");
        vdnn_test_run_free(&run);
    }
}

/* As under nohup: the terminal is gone, and the processes are still started again. */
TEST_WITH(a_hangup_that_is_ignored_changes_nothing, make_folder, vdnn_test_remove_folder)
{
    vdnn_test_run run;
    (void)signal(SIGHUP, SIG_IGN); /* a program that is started keeps it */
    vdnn_test_start(&run, *state,
                    NET "--launch 2 --steps 400 --checkpoint @/c --checkpoint-every 50");
    (void)signal(SIGHUP, SIG_DFL);
    vdnn_test_wait_for_path(&run, vdnn_test_path(*state, "c/step-00000050/manifest.json"));
    const pid_t victim = a_child_of(run.pid);
    assert_int_equal(kill(run.pid, SIGHUP), 0);
    assert_true(victim > 0 && kill(victim, SIGKILL) == 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 0, "; restart 1 of 3, from the newest checkpoint");
    vdnn_test_run_free(&run);
}

/* ---- streams --------------------------------------------------------------------------------- */

typedef enum streams { CLOSED, NOBODY_READS } streams;

/* Ends in its exit code, or 128 and the signal that killed it. */
static int run_with(streams how, const char *folder)
{
    char program[1024], model[1024], trace[1024], disk[1024], checkpoints[1024], save[1024];
    (void)snprintf(program, sizeof program, "%s/vdnnrun", vdnn_test_bin());
    (void)snprintf(model, sizeof model, "%s/net.yaml", folder);
    (void)snprintf(trace, sizeof trace, "%s/t.json", folder);
    (void)snprintf(disk, sizeof disk, "%s", folder);
    (void)snprintf(checkpoints, sizeof checkpoints, "%s/c", folder);
    (void)snprintf(save, sizeof save, "%s/w", folder);
    char *const words[] = {program,   "--model",     model,          "--steps",    "40",
                           "--trace", trace,         "--checkpoint", checkpoints,  "--threads",
                           "1",       "--disk",      disk,           "--no-cache", "--save",
                           save,      "--log-level", "debug",        NULL};
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        for (int file = 0; file <= STDERR_FILENO; file++)
            (void)(how == CLOSED ? close(file) : dup2(ends[1], file));
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execv(program, words);
        _exit(126);
    }
    (void)close(ends[0]);
    (void)close(ends[1]);
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_WITH(nothing_is_said_into_files_where_the_streams_are_closed, make_folder,
          vdnn_test_remove_folder)
{
    char *bytes;
    size_t count;
    assert_int_equal(run_with(CLOSED, *state), 0);
    json_decref(vdnn_test_json(vdnn_test_path(*state, "t.json")));
    vdnn_test_read_file(vdnn_test_path(*state, "c/lock"), &bytes, &count);
    assert_int_equal(count, 100); /* a line without others */
    free(bytes);
    vdnn_test_run_to(*state, 0, "resumes from step 40",
                     NET "--data synthetic --seed 1 --steps 41 "
                         "--checkpoint @/c --resume auto");
}

/* What it prints is lost, which is an error; what it trains is not. */
TEST_WITH(a_pipe_that_nobody_reads_does_not_end_a_training, make_folder, vdnn_test_remove_folder)
{
    assert_int_equal(run_with(NOBODY_READS, *state), 6);
    assert_true(exists(*state, "c/step-00000040/manifest.json") && exists(*state, "w"));
}
