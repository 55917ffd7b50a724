#ifndef VDNN_TESTS_SUPPORT_RUN_PROGRAM_H
#define VDNN_TESTS_SUPPORT_RUN_PROGRAM_H

/* Runs the programs as users do, and small inputs for them.
 *
 * Invariant: a program that runs longer than five minutes is killed, and the test fails.
 * Threads: one.
 *
 *     vdnn_test_run run;
 *     vdnn_test_start(&run, folder, "vdnnrun --model %s --dry-run", path);
 *     vdnn_test_finish(&run);                     // or vdnn_test_program for both
 *     assert_int_equal(run.code, 0);
 *     vdnn_test_run_free(&run);
 */

#include "tests/support/files.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct vdnn_test_run {
    pid_t pid;
    int code; /* exit code; 128 + signal when one ended it */
    char out_path[512], err_path[512];
    double seconds;    /* from start to end */
    size_t peak_bytes; /* the most memory that was resident */
    char *out, *err;   /* all of both streams */
} vdnn_test_run;

/* Programs that are started from now on run as a user without rights, where this process has those
 * of root. The folder is given to that user. False where such a user cannot even run them. */
bool vdnn_test_without_rights(const char *folder, bool without);

/* Where the programs are: the environment's VDNN_BIN, else what the build says. */
const char *vdnn_test_bin(void);

/* Before a program that loads an MPI, whose libraries free some of their memory never. */
#define VDNN_TEST_MPI_LEAKS "ASAN_OPTIONS=detect_leaks=0 "

/* `command` begins with the name of one of vdnn's programs, or any program's absolute path, and is
 * split at blanks; `@` in it is the folder; words may be VARIABLE=value before the program.
 * Programs run with one thread and without the cache of profiles unless they are told otherwise. */
void vdnn_test_start(vdnn_test_run *run, const char *folder, const char *command, ...)
    __attribute__((format(printf, 3, 4)));
/* Waits until the program said that, a minute at the most. */
void vdnn_test_wait_for(const vdnn_test_run *run, const char *part);
/* Waits until there is such a file or folder, or the program has ended, a minute at the most. */
void vdnn_test_wait_for_path(const vdnn_test_run *run, const char *path);
void vdnn_test_finish(vdnn_test_run *run);
void vdnn_test_program(vdnn_test_run *run, const char *folder, const char *command, ...)
    __attribute__((format(printf, 3, 4)));
void vdnn_test_run_free(vdnn_test_run *run);

/* Fails, with the program's messages, unless it ended with `code` and said `part`. */
void vdnn_test_expect(vdnn_test_run *run, int code, const char *part);

/* Lines that were broken for a terminal, and go on behind two blanks, are whole again. */
void vdnn_test_unfold(char *text);

/* Its warnings, without those about the processor. */
int vdnn_test_warnings(const vdnn_test_run *run);

/* Runs `command`, which ends well and without a warning. */
void vdnn_test_run_without_warnings(const char *folder, const char *command);

/* Runs `command`, which ends well with one warning, and that has `part`. */
void vdnn_test_run_to_warn(const char *folder, const char *part, const char *command);

/* Runs `command` and expects this of it. */
void vdnn_test_run_to(const char *folder, int code, const char *part, const char *command);

/* Fails where the file is no JSON object. The reference is the caller's. */
json_t *vdnn_test_json(const char *path);

/* FOLDER/net.yaml, a network with two convolutions whose backward takes much more than its weights;
 * input 1 x 12 x 12, ten classes, batch 8. Returns its path. */
const char *vdnn_test_network(const char *folder);

/* FOLDER/tokens.npy and labels.npy for vdnn_position_network (token_network.h). */
void vdnn_test_tokens(const char *folder, int count);
/* FOLDER/images.npy and labels.npy for that network. */
void vdnn_test_images(const char *folder, int count);
/* The same as image.npy and labels.npy, and words.npy: six tokens a sample, below 20. */
void vdnn_test_image_and_words(const char *folder, int count);

#endif
