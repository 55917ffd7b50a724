#ifndef VDNN_TESTS_SUPPORT_FILES_H
#define VDNN_TESTS_SUPPORT_FILES_H

/* A fresh temporary folder for each test, and files in it.
 *
 * Invariant: nothing is written outside the folder; teardown removes it with all that it holds,
 * also after a failed test.
 * Threads: one.
 *
 *     TEST_IN_FOLDER(a_test)
 *     {
 *         const char *path = vdnn_test_path(*state, "weights");
 *         vdnn_test_write_file(path, bytes, count);
 *     }
 */

#include "tests/support/vdnn_test.h"

/* A test in a folder; its state is the folder's path (char *). */
#define TEST_IN_FOLDER(name) TEST_WITH(name, vdnn_test_make_folder, vdnn_test_remove_folder)
int vdnn_test_make_folder(void **state);
int vdnn_test_remove_folder(void **state);

/* A folder with all that it holds. */
void vdnn_test_remove(const char *folder);

/* Makes the folder `to` with all that `from` holds: files and folders. */
void vdnn_test_copy_folder(const char *from, const char *to);

/* For tests that synchronize thousands of files: their folders are made in memory where the system
 * has such a place, unless TMPDIR says where. Before the first test. */
void vdnn_test_make_folders_in_memory(void);

/* FOLDER/NAME, in one of eight buffers that take turns. */
const char *vdnn_test_path(const char *folder, const char *name);

/* Text to FOLDER/a/b/c, whose folders are made. */
void vdnn_test_write_below(const char *folder, const char *path, const char *text);

/* A folder FOLDER/NAME. */
void vdnn_test_make_below(const char *folder, const char *name);

/* The whole file; fails the test where it cannot. */
void vdnn_test_write_file(const char *path, const void *bytes, size_t count);
void vdnn_test_write_packed(const char *path, const void *bytes, size_t count); /* gzip */
/* *bytes is freed with free; NUL-terminated beyond *count. */
void vdnn_test_read_file(const char *path, char **bytes, size_t *count);
/* Fails unless two files of the folder have the same bytes. */
void vdnn_test_same_files(const char *folder, const char *one, const char *other);

/* Fails where the files differ in a byte or in length. */
void vdnn_test_expect_same_file(const char *a, const char *b);

/* A folder of published data, which no clone brings along: NAME in the folder that
 * VDNN_TEST_DATASETS names, or in ../shared/data. The test is skipped where it is missing. */
const char *vdnn_test_data(const char *name);

/* Fashion-MNIST in its four files, which set-up installs; skipped as above. */
const char *vdnn_test_fashion_mnist(void);

/* How many entries the folder has. */
int vdnn_test_folder_count(const char *folder);

#endif
