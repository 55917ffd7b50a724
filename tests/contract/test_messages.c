/* What programs say to one who has mistaken something, or could not know it. */

#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the program says it; `code` is how it ends. */
typedef struct said {
    int code;
    const char *command, *part;
} said;

static void expect_said(const char *folder, const said *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vdnn_test_run_to(folder, cases[i].code, cases[i].part, cases[i].command);
}

#define EXPECT_SAID(cases) expect_said(*state, cases, sizeof(cases) / sizeof *(cases))

TEST_IN_FOLDER(a_word_that_is_no_option_is_told_what_it_may_have_meant)
{
    static const said cases[] = {
        {2, "vdnnrun mine.yaml", "did you mean --model mine.yaml?"},
        {2, "vdnnreport lenet --batch 4", "did you mean --model lenet?"},
        {2, "vdnnrun -model lenet", "did you mean --model?"},
        {2, "vdnnrun --model lenet steps 4", "did you mean --steps?"},
        {2, "vdnnrun --model lenet 4", "'4' is not an option; --help lists all options"},
    };
    EXPECT_SAID(cases);
}

TEST_IN_FOLDER(a_network_or_card_that_is_missing_is_told_which_there_are)
{
    static const said cases[] = {
        {3, "vdnnrun --model resnet --dry-run", ": alexnet, bert_base, "},
        {3, "vdnnrun --model nosuch.yaml --dry-run", "mobilenet_v2, overfeat, "},
        {3, "vdnnreport --model lenet --device sim:h1000", "(did you mean h100?): a10, a100, "},
    };
    EXPECT_SAID(cases);
}

TEST_IN_FOLDER(a_card_or_a_path_is_told_what_stands_before_it)
{
    static const said cases[] = {
        {2, "vdnnrun --model lenet --device h100", "did you mean sim:h100?"},
        {2, "vdnnreport --model lenet --device cpuu", "did you mean cpu?"},
        {2, "vdnnrun --model lenet --data @/pictures", "(a path has its kind in front, images:/"},
    };
    EXPECT_SAID(cases);
}

TEST_IN_FOLDER(a_size_of_a_few_bytes_is_asked_for_its_unit)
{
    static const char question[] = "did you mean 40MiB?";
    static const said cases[] = {
        {4, "vdnnrun --model lenet --device sim:p100 --device-mem 40 --dry-run", question},
        {4, "VDNN_DEVICE_MEM=40 vdnnrun --model lenet --device sim:p100 --dry-run", question},
        {4, "vdnnreport --model lenet --device sim:p100 --device-mem 40", question},
        {4, "vdnnrun --model lenet --device sim:p100 --device-mem 1.5 --dry-run", "mean 1.5MiB?"},
    };
    EXPECT_SAID(cases);
    vdnn_test_run_without_warnings(
        *state, "vdnnrun --model lenet --device sim:p100 --device-mem 40000000 --dry-run");
}

TEST_IN_FOLDER(a_variable_that_sets_no_option_is_a_warning)
{
#define SIMULATED "vdnnrun --model lenet --device sim:p100 --dry-run"
    vdnn_test_run_to_warn(*state,
                          "VDNN_DEVICEMEM is set in the environment, and sets no option "
                          "(did you mean VDNN_DEVICE_MEM?)",
                          "VDNN_DEVICEMEM=1GiB " SIMULATED);
    /* Those of other programs, and of what starts and tests them. */
    vdnn_test_run_without_warnings(*state, "VDNN_POLICIES=dyn VDNN_TEST_SEED=4 " SIMULATED);
#undef SIMULATED
}

TEST_IN_FOLDER(more_threads_than_cores_are_a_warning)
{
    vdnn_test_run run;
    const long threads = sysconf(_SC_NPROCESSORS_ONLN) + 1;
    char said_of_them[64];
    (void)snprintf(said_of_them, sizeof said_of_them, "warning: %ld threads share ", threads);
    vdnn_test_network(*state);
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --dry-run --threads %ld", threads);
    vdnn_test_expect(&run, 0, said_of_them);
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --dry-run --threads 1");
    vdnn_test_expect(&run, 0, "");
    assert_null(strstr(run.err, "threads share"));
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(the_python_version_of_cifar10_is_told_where_the_binary_one_is)
{
    static const char *const files[] = {"data_batch_1", "cifar-10-python.tar.gz"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        vdnn_test_write_file(vdnn_test_path(*state, files[i]), "x", 1);
        vdnn_test_run_to(*state, 3,
                         "of the Python version of CIFAR-10; expected the binary version",
                         "vdnnrun --model cifar_cnn --data cifar10:@ --steps 1 --quiet");
        vdnn_test_run_to(*state, 3, "cifar-10-binary.tar.gz from https://",
                         "vdnnrun --model cifar_cnn --data cifar10:@ --steps 1 --quiet");
        (void)remove(vdnn_test_path(*state, files[i]));
    }
    vdnn_test_make_below(*state, "cifar-10-batches-bin");
    vdnn_test_run_to(*state, 3, "did you mean the folder cifar-10-batches-bin in it?",
                     "vdnnrun --model cifar_cnn --data cifar10:@ --steps 1 --quiet");
}

/* What times there are is estimated, and what ran is simulated. */
TEST_IN_FOLDER(nothing_is_measured_on_a_simulated_device)
{
#define ON " --model lenet --device sim:p100 "
    static const char *const commands[] = {
        "vdnnrun" ON "--steps 2 --verbose",
        "vdnnrun" ON "--device-mem 30MiB --explain --plan-seconds 0.1",
        "vdnnrun" ON "--device-mem 30MiB --max-batch --plan-trials 20",
        "vdnnrun" ON "--policy base --algo p --device-mem 1MiB --dry-run",
        "vdnnreport" ON "--run @/run.json --policies base",
        "vdnnscale" ON "--devices 1,2 --batches 64",
    };
    vdnn_test_run_to(*state, 0, "", "vdnnrun" ON "--steps 2 --json @/run.json");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s", commands[i]);
        assert_true(run.code == 0 || run.code == 4);
        if (strstr(run.err, "measur") != NULL || strstr(run.out, "measur") != NULL)
            fail_msg("%s:\n%s%s", commands[i], run.err, run.out);
        vdnn_test_run_free(&run);
    }
    /* What a page shows of it; its script and its data call the figures of a run measured. */
    static const char *const shown[] = {">measured<", "and measured", " measured`", " measured<"};
    char *page;
    size_t bytes;
    vdnn_test_run_to(*state, 0, "",
                     "vdnnreport" ON "--run @/run.json --policies base --html @/r.html");
    vdnn_test_read_file(vdnn_test_path(*state, "r.html"), &page, &bytes);
    assert_non_null(strstr(page, "as it ran"));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strstr(page, shown[i]) != NULL)
            fail_msg("the page has '%s'", shown[i]);
    free(page);
#undef ON
}

/* A program that has no steps does not speak of them, nor of weights that it never writes. */
TEST_IN_FOLDER(a_signal_is_answered_as_the_program_that_runs)
{
    vdnn_test_run run;
    vdnn_test_start(&run, *state,
                    "vdnnreport --model vgg19 --batch 256 --device sim:titan-x-maxwell "
                    "--device-mem 2GiB --policies opt --plan-seconds 100");
    vdnn_test_wait_for(&run, "vgg19, batch 256");
    assert_int_equal(kill(run.pid, SIGINT), 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 130, "ending as soon as it can; once more ends it at once");
    assert_non_null(strstr(run.err, "stopped on a signal; no results were written"));
    assert_null(strstr(run.err, "weights"));
    assert_null(strstr(run.err, "step"));
    vdnn_test_run_free(&run);
}
