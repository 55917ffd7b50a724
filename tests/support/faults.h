#ifndef VDNN_TESTS_SUPPORT_FAULTS_H
#define VDNN_TESTS_SUPPORT_FAULTS_H

/* A system that fails: hooks of runtime/base/system.h which make the n-th call fail, or simulate
 * another machine.
 *
 * Invariant: one fault at a time; end restores the system's calls.
 * Threads: begin and end while no thread of the library runs; the calls are counted atomically.
 *
 *     vdnn_test_fault fault = {.calls = VDNN_TEST_CALL(write), .nth = 3, .error = ENOSPC};
 *     vdnn_test_fault_begin(&fault);
 *     status = vdnn_output_write(output, bytes, count);
 *     size_t calls = vdnn_test_fault_end();   // fewer than nth: nothing has failed
 */

#include "runtime/base/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VDNN_TEST_CALL(name) (UINT64_C(1) << VDNN_SYSTEM_CALL_##name)
#define VDNN_TEST_EVERY_CALL UINT64_MAX

typedef enum vdnn_test_effect {
    VDNN_TEST_FAILS, /* with `error`; close, closedir, munmap and munlock are done all the same */
    VDNN_TEST_IS_SHORT, /* read, pread, write, pwrite, send and recv do one byte, the others all */
    VDNN_TEST_KILLS,    /* SIGKILL, before the call */
} vdnn_test_effect;

typedef struct vdnn_test_fault {
    uint64_t calls; /* which ones are counted: VDNN_TEST_CALL(a) | VDNN_TEST_CALL(b) */
    size_t nth;     /* of those, from 1; 0: none goes wrong */
    bool lasting;   /* and all after it */
    vdnn_test_effect effect;
    int error;
    const char *path; /* only calls with a path that contains this; NULL: all */
    /* A machine: what /proc and /sys hold is read below this folder; NULL: the real one. */
    const char *root;
    struct {
        bool given;
        int what; /* RLIMIT_... */
        rlim_t bytes;
    } limit;
    uint64_t disk_bytes; /* that statvfs finds free; 0: the real number */
} vdnn_test_fault;

void vdnn_test_fault_begin(const vdnn_test_fault *wanted);
/* How many of the calls there were. */
size_t vdnn_test_fault_end(void);

/* What the library has open through the hooks, counted while a fault is begun. */
typedef struct vdnn_test_held {
    long files, folders, mappings;
} vdnn_test_held;
vdnn_test_held vdnn_test_fault_held(void);

const char *vdnn_test_call_text(vdnn_system_call call);

#endif
