#include "layers/cuda/nccl.h"

#include "layers/cuda/library.h"

#ifdef VDNN_NCCL_HEADER /* the machine that compiles has it: it says the same */

#include <nccl.h>

_Static_assert((int)ncclFloat32 == VDNN_NCCL_F32 && (int)ncclSum == VDNN_NCCL_SUM, "its numbers");
_Static_assert(sizeof(ncclUniqueId) == sizeof(vdnn_nccl_id), "its identification");

#define IS(function, ...)                                                                          \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), ncclResult_t(__VA_ARGS__)),  \
                   #function)
IS(ncclGetVersion, int *);
IS(ncclGetUniqueId, ncclUniqueId *);
IS(ncclCommInitRank, vdnn_nccl_comm *, int, ncclUniqueId, int);
IS(ncclCommDestroy, vdnn_nccl_comm);
IS(ncclCommAbort, vdnn_nccl_comm);
IS(ncclCommGetAsyncError, vdnn_nccl_comm, ncclResult_t *);
IS(ncclAllReduce, const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, vdnn_nccl_comm,
   cudaStream_t);
IS(ncclReduce, const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, int, vdnn_nccl_comm,
   cudaStream_t);
IS(ncclBroadcast, const void *, void *, size_t, ncclDataType_t, int, vdnn_nccl_comm, cudaStream_t);

#endif

static const char *const symbols[] = {
#define X(result, member, function, parameters) #function,
    VDNN_CUDA_NCCL_TABLE(X)
#undef X
};

enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static vdnn_cuda_nccl table;

_Static_assert(sizeof table == SYMBOLS * sizeof(void *), "the struct holds only function pointers");

/* From version 2.9 on the major number is the fifth digit from the right, before that the fourth.
 */
static int major(void)
{
    int version = 0;
    if (table.version(&version) != 0)
        return 0;
    return version >= 10000 ? version / 10000 : version / 1000;
}

static vdnn_cuda_library library = {.title = "NCCL",
                                    .file = "libnccl.so",
                                    .oldest = 2,
                                    .newest = 2,
                                    .symbols = symbols,
                                    .count = SYMBOLS,
                                    .table = &table,
                                    .major = major};

const char *vdnn_cuda_nccl_lack(void)
{
    return vdnn_cuda_library_lack(&library);
}

const vdnn_cuda_nccl *vdnn_cuda_nccl_find(void)
{
    return vdnn_cuda_nccl_lack() == NULL ? &table : NULL;
}

vdnn_status vdnn_cuda_nccl_status(const char *call, int status)
{
    return status == 0
               ? VDNN_OK
               : vdnn_status_fail(VDNN_DEVICE, "NCCL: %s: %s", call, table.error_text(status));
}
