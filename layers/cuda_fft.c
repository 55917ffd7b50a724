#include "layers/cuda_fft.h"

#include "layers/cuda_library.h"
#include "layers/cuda_stream.h"

static const char *const symbols[] = {
#define X(member, function) #function,
    VDNN_CUDA_FFT_TABLE(X)
#undef X
};

enum { SYMBOLS = sizeof symbols / sizeof *symbols, RANK = 2 };

static struct fft_table {
#define X(member, function) __typeof__(function) *member;
    VDNN_CUDA_FFT_TABLE(X)
#undef X
} table;

_Static_assert(sizeof table == SYMBOLS * sizeof(void *), "it is nothing but its functions");

static int major(void)
{
    int version = 0;
    return table.property(MAJOR_VERSION, &version) == CUFFT_SUCCESS ? version : 0;
}

static vdnn_cuda_library library = {.title = "cuFFT",
                                    .file = "libcufft.so",
                                    .oldest = 11,
                                    .newest = 12,
                                    .symbols = symbols,
                                    .count = SYMBOLS,
                                    .table = &table,
                                    .major = major};

const char *vdnn_cuda_fft_lack(void)
{
    return vdnn_cuda_library_lack(&library);
}

static vdnn_status check(const char *call, cufftResult result)
{
    if (result == CUFFT_SUCCESS)
        return VDNN_OK;
    (void)cudaGetLastError(); /* it may have left one there, which is told here */
    return vdnn_status_fail(VDNN_DEVICE,
                            "cuda: %s failed with result %d of cuFFT; the libcufft that was found "
                            "may be of another version than the driver allows",
                            call, (int)result);
}

static cufftResult make(vdnn_cuda_fft_plan plan, const int64_t *sides, int planes,
                        size_t *work_bytes)
{
    int cells[RANK] = {(int)sides[0], (int)sides[1]};
    int points[RANK] = {cells[0], cells[1] / 2 + 1};
    int whole = cells[0] * cells[1];
    return plan.type == CUFFT_R2C
               ? table.make_many(plan.handle, RANK, cells, cells, 1, whole, points, planes, 1,
                                 plan.type, planes, work_bytes)
               : table.make_many(plan.handle, RANK, cells, points, planes, 1, cells, 1, whole,
                                 plan.type, planes, work_bytes);
}

vdnn_status vdnn_cuda_fft_create(cufftType type, const int64_t *sides, int64_t planes,
                                 vdnn_cuda_fft_plan *plan, size_t *work_bytes)
{
    vdnn_cuda_fft_plan made = {.type = type};
    size_t bytes = 0;
    vdnn_status status = check("cufftCreate", table.create(&made.handle));
    if (status != VDNN_OK)
        return status;
    status = check("cufftSetAutoAllocation", table.set_auto_allocation(made.handle, 0));
    if (status == VDNN_OK)
        status = check("cufftMakePlanMany", make(made, sides, (int)planes, &bytes));
    if (status != VDNN_OK) {
        vdnn_cuda_fft_destroy(made);
        return status;
    }
    *plan = made;
    *work_bytes = bytes;
    return VDNN_OK;
}

void vdnn_cuda_fft_destroy(vdnn_cuda_fft_plan plan)
{
    (void)table.destroy(plan.handle);
}

vdnn_status vdnn_cuda_fft_run(vdnn_cuda_fft_plan plan, cudaStream_t stream, void *work,
                              float *cells, cufftComplex *spectrum)
{
    vdnn_status status = check("cufftSetStream", table.set_stream(plan.handle, stream));
    if (status == VDNN_OK)
        status = check("cufftSetWorkArea", table.set_work_area(plan.handle, work));
    if (status != VDNN_OK)
        return status;
    return plan.type == CUFFT_R2C
               ? check("cufftExecR2C", table.forward(plan.handle, cells, spectrum))
               : check("cufftExecC2R", table.backward(plan.handle, spectrum, cells));
}
