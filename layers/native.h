#ifndef VDNN_LAYERS_NATIVE_H
#define VDNN_LAYERS_NATIVE_H

/* What the plain C kernels of the CPU share.
 *
 * Invariant: a result depends neither on the thread count nor on the instruction set: work is cut
 * where no value crosses, and floating-point contraction is off.
 * Threads: OpenMP inside; a kernel is called by one thread at a time.
 *
 *     #pragma omp parallel for num_threads(threads)
 *     for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
 *         scale(y, vdnn_native_block(block, count));
 *     VDNN_NATIVE_CLONES static void scale(float *y, vdnn_native_range range) { ... }
 */

#include "layers/layer.h"

/* Inner loops are compiled for several instruction sets and chosen at start-up. Sanitizers cannot
 * run in the resolvers, and clang does not know the attribute. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define VDNN_NATIVE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VDNN_NATIVE_CLONES
#endif

enum {
    VDNN_NATIVE_BLOCK = 4096
}; /* elements; a multiple of 8, so that mask bytes have one writer */

typedef struct vdnn_native_range {
    int64_t begin, end;
} vdnn_native_range;

int64_t vdnn_native_blocks(int64_t count);
vdnn_native_range vdnn_native_block(int64_t block, int64_t count);

/* For a mask of one bit an element and a range that begins at a whole byte of it:
 * to[i] = scale * from[i] where bit i is set, else +0. `to` may be `from`. */
void vdnn_native_select(const uint8_t *mask, float scale, const float *from, float *to,
                        vdnn_native_range range);

/* Why a plain kernel cannot work on this layer: it knows f32 in NCHW. */
const char *vdnn_native_refusal(const vdnn_layer *layer, vdnn_pass pass);

#endif
