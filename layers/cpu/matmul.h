#ifndef VDNN_LAYERS_CPU_MATMUL_H
#define VDNN_LAYERS_CPU_MATMUL_H

/* A matrix product prepared ahead by oneDNN, c = a b + bias, of matrices in f32 or bf16 with any
 * strides. Products of bf16 are summed in f32. A factor can be packed first: converted to the type
 * that the product computes in and to oneDNN's layout for it, in the workspace.
 *
 *     workspace   | a packed | b packed | scratch |
 *                 a part is absent if it is not wanted; each starts at 64 bytes
 *
 * Invariant: nothing is allocated for data while it runs. The bits depend on the shape and the
 * number of threads, which the caller has set (layers/cpu/threads.h), alone.
 * Threads: a product is used by one thread at a time.
 *
 *     result = vdnn_matmul_create(&request, &matmul);
 *     bytes = vdnn_matmul_workspace_bytes(matmul);
 *     result = vdnn_matmul_run(matmul, &(vdnn_matmul_data){.a = x, .b = w, .c = y, ...});
 *     vdnn_matmul_destroy(matmul);
 */

#include "layers/cpu/onednn.h"

/* A matrix in memory: elements from one row, and from one column, to the next. */
typedef struct vdnn_matmul_matrix {
    int64_t rows, columns, row_stride, column_stride;
    vdnn_dtype dtype; /* f32 or bf16 */
    bool packed;      /* of a factor: it is packed, as the request's type */
} vdnn_matmul_matrix;

typedef struct vdnn_matmul_request {
    vdnn_matmul_matrix a, b, c;
    vdnn_dtype dtype; /* of the factors in the product */
    bool bias;        /* f32, one value for each column of c */
} vdnn_matmul_request;

typedef struct vdnn_matmul_data {
    const void *a, *b, *bias;
    void *c;
    void *workspace;
} vdnn_matmul_data;

typedef struct vdnn_matmul vdnn_matmul;

/* dnnl_unimplemented if only plain loops would compute it on this processor. */
dnnl_status_t vdnn_matmul_create(const vdnn_matmul_request *request, vdnn_matmul **matmul);
void vdnn_matmul_destroy(vdnn_matmul *matmul);
size_t vdnn_matmul_workspace_bytes(const vdnn_matmul *matmul);
dnnl_status_t vdnn_matmul_run(const vdnn_matmul *matmul, const vdnn_matmul_data *data);

#endif
