#include "layers/cuda/dnn.h"

#include "layers/cuda/library.h"
#include "layers/cuda/stream.h"

#include <pthread.h>

enum { MOST_CARDS = 64 };

static const char *const symbols[] = {
#define X(result, member, function, parameters) #function,
    VDNN_CUDA_DNN_TABLE(X)
#undef X
};

enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static vdnn_cuda_dnn table;

_Static_assert(sizeof table == SYMBOLS * sizeof(void *), "the struct holds only function pointers");

/* From version 9 on the major number is the fifth digit from the right, before that the fourth. */
static int major(void)
{
    size_t version = table.version();
    return (int)(version >= 90000 ? version / 10000 : version / 1000);
}

static vdnn_cuda_library library = {.title = "cuDNN",
                                    .file = "libcudnn.so",
                                    .oldest = 8,
                                    .newest = 9,
                                    .symbols = symbols,
                                    .count = SYMBOLS,
                                    .table = &table,
                                    .major = major};

/* Held during a query, which takes only host time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static vdnn_dnn_handle handles[MOST_CARDS]; /* under `lock`; by the card's ordinal */

const char *vdnn_cuda_dnn_lack(void)
{
    return vdnn_cuda_library_lack(&library);
}

vdnn_status vdnn_cuda_dnn_check_version(void)
{
    return vdnn_cuda_library_has_other_version(&library)
               ? vdnn_status_fail(VDNN_DEVICE, "%s", vdnn_cuda_dnn_lack())
               : VDNN_OK;
}

void vdnn_cuda_dnn_give_up(const char *reason)
{
    vdnn_cuda_library_give_up(&library, reason);
}

const vdnn_cuda_dnn *vdnn_cuda_dnn_find(void)
{
    return vdnn_cuda_dnn_lack() == NULL ? &table : NULL;
}

vdnn_status vdnn_cuda_dnn_status(const char *call, int status)
{
    if (status == 0)
        return VDNN_OK;
    (void)cudaGetLastError(); /* it may have left an error there, which is reported here */
    return vdnn_status_fail(VDNN_DEVICE,
                            "cuda: %s failed with status %d of cuDNN %zu (%s); its libraries may "
                            "differ in version, or be too new for the driver",
                            call, status, table.version(), table.error_text(status));
}

static vdnn_status find_card(int *card)
{
    cudaError_t error = cudaGetDevice(card);
    if (error != cudaSuccess)
        return vdnn_cuda_fail("cudaGetDevice", error);
    if (*card >= MOST_CARDS)
        return vdnn_status_fail(VDNN_DEVICE,
                                "cuda: cuDNN is supported on cards 0 to %d, this is card %d",
                                MOST_CARDS - 1, *card);
    return VDNN_OK;
}

vdnn_status vdnn_cuda_dnn_begin(vdnn_dnn_handle *handle)
{
    int card = 0;
    (void)pthread_mutex_lock(&lock);
    vdnn_status status = find_card(&card);
    if (status == VDNN_OK && handles[card] == NULL)
        status = vdnn_cuda_dnn_status("cudnnCreate", table.create(&handles[card]));
    if (status != VDNN_OK) {
        (void)pthread_mutex_unlock(&lock);
        return status;
    }
    *handle = handles[card];
    return VDNN_OK;
}

void vdnn_cuda_dnn_end(void)
{
    (void)pthread_mutex_unlock(&lock);
}
