/* What becomes of a suite of rows in which one gives wrong values, loses the device or ends the
 * process: the others are told, in the list of failures and in the file of rows. */

#include "tests/support/run_program.h"
#include "tests/support/vdnn_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The quick tests of the suite; the second one is of other layers. */
static const char first_test[] = "a_gradient_that_nobody_wants_is_left_alone",
                  second_test[] = "parameters_get_their_gradient_where_the_input_wants_none";

/* Rows of the file that have these values; NULL: any. */
typedef struct wanted {
    const char *test, *layer, *algorithm, *pass, *result;
} wanted;

static bool has(const json_t *row, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(row, key));
    return value == NULL || (text != NULL && strcmp(text, value) == 0);
}

/* How many rows there are of that kind, and what the last of them says. */
static int count_rows(const char *folder, wanted of, char why[512])
{
    char line[4096];
    int count = 0;
    why[0] = '\0';
    FILE *file = fopen(vdnn_test_path(folder, "rows"), "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strchr(line, '\n') == NULL)
            break; /* it is being written */
        json_t *row = json_loads(line, 0, NULL);
        assert_non_null(row);
        if (has(row, "test", of.test) && has(row, "layer", of.layer) &&
            has(row, "algorithm", of.algorithm) && has(row, "pass", of.pass) &&
            has(row, "result", of.result)) {
            const char *text = json_string_value(json_object_get(row, "why"));
            count++;
            (void)snprintf(why, 512, "%s", text == NULL ? "" : text);
        }
        json_decref(row);
    }
    if (file != NULL)
        (void)fclose(file);
    return count;
}

/* The suite of layers, which lies beside this program. */
static const char *suite(void)
{
    static char path[512];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(length > 0);
    path[length] = '\0';
    for (int i = 0; i < 2; i++)
        *strrchr(path, '/') = '\0';
    size_t used = strlen(path);
    (void)snprintf(path + used, sizeof path - used, "/contract/test_layers");
    return path;
}

static void start(vdnn_test_run *run, const char *folder, const char *settings)
{
    (void)unlink(vdnn_test_path(folder, "rows"));
    vdnn_test_start(run, folder, "VDNN_TEST_ROWS=@/rows %s %s", settings, suite());
}

TEST(a_row_with_a_wrong_value_fails_alone)
{
    char why[512];
    vdnn_test_run run;
    start(&run, *state, "VDNN_TEST_ONLY=*gradient* VDNN_TEST_SPOIL=add/native/backward_data");
    vdnn_test_finish(&run);
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.out, "rows passed, 0 were not run"));
    assert_non_null(strstr(run.out, "add, 2x3x4x5 2x3x4x5 2x3x4x5, bf16, nhwc, native, "
                                    "backward_data: errs by"));
    vdnn_test_run_free(&run);
    int failed = count_rows(*state, (wanted){.result = "failed"}, why);
    assert_true(failed > 1 && strstr(why, "more than") != NULL);
    assert_int_equal(
        count_rows(*state, (wanted){.layer = "add", .pass = "backward_data"}, why) +
            count_rows(*state, (wanted){.layer = "add relu", .pass = "backward_data"}, why),
        failed);
    assert_true(count_rows(*state, (wanted){.layer = "add", .result = "passed"}, why) > 0);
    assert_true(count_rows(*state, (wanted){.test = second_test, .result = "passed"}, why) > 0);
}

TEST(rows_after_the_device_was_lost_are_not_run)
{
    char why[512];
    vdnn_test_run run;
    start(&run, *state, "VDNN_TEST_ONLY=*gradient* VDNN_CUDA_HOST=kernel:9=719");
    vdnn_test_finish(&run);
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.out, "[  SKIPPED ]"));
    vdnn_test_run_free(&run);
    assert_int_equal(count_rows(*state, (wanted){.result = "failed"}, why), 1);
    assert_non_null(strstr(why, "cudaErrorLaunchFailure"));
    assert_non_null(strstr(why, "the device was lost in this row"));
    assert_true(count_rows(*state, (wanted){.test = first_test, .result = "passed"}, why) > 0);
    assert_true(count_rows(*state, (wanted){.test = first_test, .result = "not run"}, why) > 0);
    int left = count_rows(*state, (wanted){.test = second_test}, why);
    assert_true(left > 0);
    assert_int_equal(count_rows(*state, (wanted){.test = second_test, .result = "not run"}, why),
                     left);
}

/* As a time limit ends it. */
TEST(the_row_that_a_signal_ended_is_told)
{
    enum { SOME = 20, MOST_TRIES = 3000 };
    char why[512];
    int passed = 0;
    vdnn_test_run run;
    start(&run, *state, "VDNN_TEST_ONLY=every_row_agrees*");
    for (int i = 0; passed < SOME && i < MOST_TRIES; i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        passed = count_rows(*state, (wanted){.result = "passed"}, why);
    }
    (void)kill(run.pid, SIGTERM);
    vdnn_test_finish(&run);
    assert_int_equal(run.code, 128 + SIGTERM);
    vdnn_test_run_free(&run);
    assert_true(passed >= SOME);
    assert_in_range(count_rows(*state, (wanted){.result = "failed"}, why), 0, 1);
    if (*why != '\0') /* else it was between two rows */
        assert_string_equal(why, "the test ended in this row");
}

int main(void)
{
    return vdnn_test_main(vdnn_test_make_folder, vdnn_test_remove_folder);
}
