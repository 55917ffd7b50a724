#ifndef VDNN_LAYERS_CUDA_NCCL_H
#define VDNN_LAYERS_CUDA_NCCL_H

/* NCCL, if it is found when the program runs. The few types and numbers of its header that are used
 * stand here, as those of cuDNN do: a machine that compiles need not have it.
 *
 * Invariant: either all functions of the table were found, in version 2, or there is none.
 * Threads: any; a communicator is used by one at a time, but can be aborted by any.
 *
 *     const vdnn_cuda_nccl *nccl = vdnn_cuda_nccl_find();
 *     if (nccl == NULL) return vdnn_cuda_nccl_lack();     // a refusal
 *     status = vdnn_cuda_nccl_status("ncclGetUniqueId", nccl->make_id(&id));
 */

#include "runtime/base/status.h"

#include <cuda_runtime_api.h>

typedef struct ncclComm *vdnn_nccl_comm;

/* The ranks of a communicator find each other by it. */
typedef struct vdnn_nccl_id {
    char internal[128];
} vdnn_nccl_id;

enum { VDNN_NCCL_F32 = 7 }; /* ncclDataType_t */
enum { VDNN_NCCL_SUM = 0 }; /* ncclRedOp_t */

/* result, member, function, parameters; a result of int is an ncclResult_t */
#define VDNN_CUDA_NCCL_TABLE(X)                                                                    \
    X(int, version, ncclGetVersion, (int *version))                                                \
    X(const char *, error_text, ncclGetErrorString, (int status))                                  \
    X(int, make_id, ncclGetUniqueId, (vdnn_nccl_id * id))                                          \
    X(int, join, ncclCommInitRank, (vdnn_nccl_comm * comm, int ranks, vdnn_nccl_id id, int rank))  \
    X(int, destroy, ncclCommDestroy, (vdnn_nccl_comm comm))                                        \
    X(int, abort, ncclCommAbort, (vdnn_nccl_comm comm))                                            \
    X(int, late_error, ncclCommGetAsyncError, (vdnn_nccl_comm comm, int *status))                  \
    X(int, begin, ncclGroupStart, (void))                                                          \
    X(int, end, ncclGroupEnd, (void))                                                              \
    X(int, all_reduce, ncclAllReduce,                                                              \
      (const void *from, void *to, size_t count, int type, int operation, vdnn_nccl_comm comm,     \
       cudaStream_t stream))                                                                       \
    X(int, reduce, ncclReduce,                                                                     \
      (const void *from, void *to, size_t count, int type, int operation, int root,                \
       vdnn_nccl_comm comm, cudaStream_t stream))                                                  \
    X(int, broadcast, ncclBroadcast,                                                               \
      (const void *from, void *to, size_t count, int type, int root, vdnn_nccl_comm comm,          \
       cudaStream_t stream))

typedef struct vdnn_cuda_nccl {
#define X(result, member, function, parameters) result(*member) parameters;
    VDNN_CUDA_NCCL_TABLE(X)
#undef X
} vdnn_cuda_nccl;

/* Looks for it once; NULL: not found, or of another version. */
const vdnn_cuda_nccl *vdnn_cuda_nccl_find(void);

/* NULL if it was found, else why not, as text for a refusal. */
const char *vdnn_cuda_nccl_lack(void);

/* VDNN_OK, or VDNN_DEVICE with NCCL's message. */
vdnn_status vdnn_cuda_nccl_status(const char *call, int status);

#endif
