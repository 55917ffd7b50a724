#include "tests/support/bad_case.h"

#include "tests/support/run_program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sanitizers keep freed memory, and shadow all of it. */
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_FACTOR = 6, SECONDS_FACTOR = 10 };
#else
enum { MEMORY_FACTOR = 1, SECONDS_FACTOR = 1 };
#endif
enum { MOST_MIB = 320, MOST_SECONDS = 10 };

/* ---- one run --------------------------------------------------------------------------------- */

static const char *const outputs[] = {"j.json", "w.safetensors", "t.json"};
static const char KEPT[] = "what was there before";

void vdnn_test_put_outputs(const char *folder)
{
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        vdnn_test_write_file(vdnn_test_path(folder, outputs[i]), KEPT, strlen(KEPT));
}

void vdnn_test_expect_outputs(const char *folder)
{
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        char *bytes;
        size_t count;
        vdnn_test_read_file(vdnn_test_path(folder, outputs[i]), &bytes, &count);
        assert_string_equal(bytes, KEPT);
        free(bytes);
    }
}

/* Exactly one line of the program is an error, and it holds nothing that moves a cursor. */
static void check_messages(const vdnn_test_run *run, const vdnn_test_bad_case *one)
{
    int errors = 0;
    for (const char *at = run->err; (at = strstr(at, ": error: ")) != NULL; at++)
        errors++;
    if (errors != 1)
        fail_msg("%s: %d messages instead of one:\n%s", one->line, errors, run->err);
    for (const char *c = run->err; *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 127)
            fail_msg("%s: character %d in a message:\n%s", one->line, *c, run->err);
    size_t length = strlen(run->err);
    assert_true(length > 0 && run->err[length - 1] == '\n');
    const char *line = strstr(run->err, ": error: ");
    if (strchr(line, '\n') != run->err + length - 1)
        fail_msg("%s: something is said after the error:\n%s", one->line, run->err);
}

static void check_case(const char *folder, const vdnn_test_bad_case *one)
{
    vdnn_test_run run;
    bool trains = strncmp(one->line, "vdnnrun", strlen("vdnnrun")) == 0;
    vdnn_test_put_outputs(folder);
    int before = vdnn_test_folder_count(folder);
    vdnn_test_program(&run, folder, "%s%s", one->line,
                      trains ? " --json @/j.json --save @/w.safetensors --trace @/t.json" : "");
    vdnn_test_expect(&run, one->code, one->place);
    vdnn_test_expect(&run, one->code, one->expected);
    check_messages(&run, one);
    assert_string_equal(run.out, "");
    vdnn_test_expect_outputs(folder);
    assert_int_equal(vdnn_test_folder_count(folder), before);
    if (run.seconds > MOST_SECONDS * SECONDS_FACTOR)
        fail_msg("%s: took %.1f s", one->line, run.seconds);
    if (run.peak_bytes >> 20 > MOST_MIB * MEMORY_FACTOR)
        fail_msg("%s: took %zu MiB", one->line, run.peak_bytes >> 20);
    vdnn_test_run_free(&run);
}

void vdnn_test_expect_refused(const char *folder, const vdnn_test_bad_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_case(folder, &cases[i]);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

void vdnn_test_write_safetensors(const char *folder, const char *name, const char *header,
                                 const void *data, size_t bytes)
{
    uint64_t length = strlen(header);
    FILE *file = fopen(vdnn_test_path(folder, name), "we");
    assert_non_null(file);
    assert_int_equal(fwrite(&length, 1, sizeof length, file), sizeof length);
    assert_true(fputs(header, file) >= 0);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

bool vdnn_test_make_sparse(const char *folder, const char *name, off_t bytes)
{
    int file = open(vdnn_test_path(folder, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(file >= 0);
    bool good = ftruncate(file, bytes) == 0;
    assert_int_equal(close(file), 0);
    return good;
}
