#ifndef VDNN_TESTS_SUPPORT_BAD_CASE_H
#define VDNN_TESTS_SUPPORT_BAD_CASE_H

/* Command lines that fail: with one line that names place, expectation and remedy, the right exit
 * code, no output files, and little time and memory, however hostile the input.
 *
 * Invariant: a case leaves its folder unchanged.
 * Threads: one.
 *
 *     static const vdnn_test_bad_case cases[] = {
 *         {3, "vdnnrun --model @/cut.yaml --dry-run", "cut.yaml:2: ", "expected a number"},
 *     };
 *     vdnn_test_write_below(folder, "cut.yaml", text);
 *     vdnn_test_expect_refused(folder, cases, 1);
 */

#include "tests/support/files.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct vdnn_test_bad_case {
    int code;
    const char *line;             /* as for vdnn_test_start */
    const char *place, *expected; /* parts of the message */
} vdnn_test_bad_case;

/* Runs each; vdnnrun with files to write, which stay what they were. */
void vdnn_test_expect_refused(const char *folder, const vdnn_test_bad_case *cases, size_t count);

/* Three files of a name that programs are told to write, and that they are still what they were. */
void vdnn_test_put_outputs(const char *folder);
void vdnn_test_expect_outputs(const char *folder);

/* ---- inputs ---------------------------------------------------------------------------------- */

/* A network for pictures of 12 x 12, with so many classes. */
#define VDNN_TEST_NETWORK_OF(classes)                                                              \
    "name: n\ninput: {channels: 1, height: 12, width: 12}\nclasses: " classes                      \
    "\nbatch: 1\nlayers:\n  - {name: f, type: fc, out: " classes                                   \
    "}\n  - {name: l, type: softmax_loss}\n"

/* FOLDER/NAME of that header, whatever it says, and those bytes. */
void vdnn_test_write_safetensors(const char *folder, const char *name, const char *header,
                                 const void *data, size_t bytes);

/* A file of so many bytes that takes none on the disk beyond those it has; false where the file
 * system has none so large. */
bool vdnn_test_make_sparse(const char *folder, const char *name, off_t bytes);

#endif
