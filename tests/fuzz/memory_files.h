#ifndef VDNN_TESTS_FUZZ_MEMORY_FILES_H
#define VDNN_TESTS_FUZZ_MEMORY_FILES_H

/* Files in memory, in the place of the system's: no call of the system costs an execution its time,
 * and nothing that an input names is touched.
 *
 * Invariant: once begun, the library sees no file but these; all their paths begin with
 * VDNN_MEMORY_FILES.
 * Threads: one.
 *
 *     vdnn_memory_files_begin();
 *     vdnn_memory_files_put("class/1.png", bytes, count);
 *     status = vdnn_input_read(VDNN_MEMORY_FILES "/class/1.png", most, &bytes, &count);
 *     vdnn_memory_files_get("written.json", &bytes, &count);
 *     vdnn_memory_files_clear();
 */

#include <stdbool.h>
#include <stddef.h>

#define VDNN_MEMORY_FILES "/memory"

/* Takes the place of the system's calls; a second call changes nothing. */
void vdnn_memory_files_begin(void);

/* Makes the file anew. Names are relative; folders are there where a file's name says so. */
void vdnn_memory_files_put(const char *name, const void *bytes, size_t count);
/* False where there is none; the bytes stay the module's. */
bool vdnn_memory_files_get(const char *name, const void **bytes, size_t *count);
/* Removes all; nothing may be open. */
void vdnn_memory_files_clear(void);
/* How many files and folders are open. */
int vdnn_memory_files_open_count(void);

#endif
