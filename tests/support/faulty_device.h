#ifndef VDNN_TESTS_SUPPORT_FAULTY_DEVICE_H
#define VDNN_TESTS_SUPPORT_FAULTY_DEVICE_H

/* An adaptor around a device, the CPU's where no other is named: its n-th call fails, a bit of the
 * host tier flips, a kernel writes another one, or a copy is dropped or made twice.
 *
 * Invariant: devices opened between begin and end have it, and are closed before end.
 * Threads: as a device's; the counters are atomic.
 *
 *     vdnn_test_device_fault fault = {.calls = VDNN_TEST_DEVICE_CALL(OPERATION), .nth = 5};
 *     vdnn_test_device_begin(&fault);
 *     status = ...;                                  // VDNN_DEVICE
 *     size_t calls = vdnn_test_device_end();         // fewer than nth: nothing has failed
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name: a call of the backend's table; OPERATION: what was enqueued fails when it runs */
#define VDNN_TEST_DEVICE_TABLE(X)                                                                  \
    X(OPEN)                                                                                        \
    X(RESIZE)                                                                                      \
    X(RESERVE)                                                                                     \
    X(STAGE)                                                                                       \
    X(ROUND)                                                                                       \
    X(ENQUEUE)                                                                                     \
    X(OPERATION)                                                                                   \
    X(TRANSFER)

typedef enum vdnn_test_device_call {
#define X(name) VDNN_TEST_DEVICE_##name,
    VDNN_TEST_DEVICE_TABLE(X)
#undef X
        VDNN_TEST_DEVICE_CALL_COUNT
} vdnn_test_device_call;

#define VDNN_TEST_DEVICE_CALL(name) (1U << VDNN_TEST_DEVICE_##name)

typedef struct vdnn_test_device_fault {
    uint32_t calls; /* which ones are counted */
    size_t nth;     /* of those, from 1; 0: none fails */
    /* Just before the n-th copy from the host tier to the device, one bit of what it reads flips:
     * in byte `flip_byte` of it, counted from the end if negative. 0: none. */
    size_t flip_nth;
    long flip_byte;
    unsigned flip_bit;
    /* The n-th copy between the tiers, in either direction, is not made, or made once more; 0:
     * none.
     */
    size_t drop_nth, double_nth;
    /* The n-th kernel of a layer that runs on the CPU writes one bit otherwise; 0: none does. */
    size_t differ_nth;
    bool skips_checks; /* launches on the copy streams do nothing: a --verify that checks nothing */
    const struct vdnn_device_backend *backend; /* NULL: the CPU's */
} vdnn_test_device_fault;

void vdnn_test_device_begin(const vdnn_test_device_fault *wanted);
size_t vdnn_test_device_end(void);

/* How many kernels of layers ran since begin. */
size_t vdnn_test_device_kernels(void);

/* How many copies there were from the host tier to the device since begin. */
size_t vdnn_test_device_returns(void);

const char *vdnn_test_device_text(vdnn_test_device_call call);

#endif
