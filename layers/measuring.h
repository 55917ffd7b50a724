#ifndef VDNN_LAYERS_MEASURING_H
#define VDNN_LAYERS_MEASURING_H

/* The conditions under which kernels are measured, established on the device itself: operands
 * filled with numbers, caches filled with other data, a stream that is busy until everything is
 * enqueued. One row per device kind; a simulated device measures nothing and has none.
 *
 * Invariant: like kernels, all of them are enqueued in the stream's order and move no byte over the
 * link.
 * Threads: called from a launch's `run`.
 *
 *     const vdnn_measuring *row = vdnn_measuring_find("cuda");
 *     status = row->fill(operands, offset, bytes, threads, stream);
 *     status = row->number(labels, count, classes, threads, stream);
 *     status = row->sweep(others, bytes, threads, stream);
 *     status = row->hold(1e-4, stream);
 *     status = row->multiply(operands, 512, threads, stream);
 */

#include "runtime/base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_measuring {
    const char *device;
    /* The pattern (layers/pattern.h) from byte `offset` of it on; both numbers of bytes are
     * multiples of VDNN_PATTERN_BLOCK_BYTES. */
    vdnn_status (*fill)(void *to, size_t offset, size_t bytes, int threads, void *stream);
    /* to[i] = i % below: labels of classes. */
    vdnn_status (*number)(int32_t *to, int64_t count, int32_t below, int threads, void *stream);
    /* Accesses the block as other kernels access their maps: smaller caches hold nothing else
     * afterwards. The block's contents are undefined. */
    vdnn_status (*sweep)(void *at, size_t bytes, int threads, void *stream);
    /* Keeps the stream busy for about that long; for 0 seconds, an empty operation. */
    vdnn_status (*hold)(double seconds, void *stream);
    /* A product of two square matrices at `at`, into a third one after them: arithmetic for the
     * most part. NULL where copies take nothing from it: a card has its own unit for copies. */
    vdnn_status (*multiply)(float *at, int64_t side, int threads, void *stream);
} vdnn_measuring;

/* NULL: there is none. */
const vdnn_measuring *vdnn_measuring_find(const char *device);

#endif
