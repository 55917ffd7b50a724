#ifndef VDNN_TESTS_SUPPORT_FILE_COPIES_H
#define VDNN_TESTS_SUPPORT_FILE_COPIES_H

/* Copies between the host and the file tier, for every device alike.
 *
 * Invariant: asserts; leaves no device open, and no file in the folder.
 * Threads: one.
 *
 *     vdnn_test_file_copies("cpu", folder);
 *     vdnn_test_file_copies_that_fail("cpu", folder);
 */

void vdnn_test_file_copies(const char *kind, const char *folder);
void vdnn_test_file_copies_that_fail(const char *kind, const char *folder);

#endif
