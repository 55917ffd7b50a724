#include "layers/cuda/fft.h"

#include "layers/cuda/library.h"
#include "layers/cuda/stream.h"

#include <pthread.h>
#include <string.h>

static const char *const symbols[] = {
#define X(member, function) #function,
    VDNN_CUDA_FFT_TABLE(X)
#undef X
};

enum {
    SYMBOLS = sizeof symbols / sizeof *symbols,
    RANK = 2,
    MOST_IDLE = 16 /* as many as the passes of one layer require in two sizes of a run */
};

static struct fft_table {
#define X(member, function) __typeof__(function) *member;
    VDNN_CUDA_FFT_TABLE(X)
#undef X
} table;

_Static_assert(sizeof table == SYMBOLS * sizeof(void *), "the struct holds only function pointers");

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
    (void)cudaGetLastError(); /* it may have left an error there, which is reported here */
    return vdnn_status_fail(VDNN_DEVICE,
                            "cuda: %s failed with result %d of cuFFT; the libcufft that was found "
                            "may require another version of the driver",
                            call, (int)result);
}

/* ---- idle plans ------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static vdnn_cuda_fft_plan idle[MOST_IDLE]; /* under `lock`; the longest idle one first */
static size_t idle_count;

static bool is_like(const vdnn_cuda_fft_plan *a, const vdnn_cuda_fft_plan *b)
{
    return a->type == b->type && a->card == b->card && a->planes == b->planes &&
           a->sides[0] == b->sides[0] && a->sides[1] == b->sides[1];
}

static void remove_idle(size_t i)
{
    idle_count--;
    memmove(&idle[i], &idle[i + 1], (idle_count - i) * sizeof *idle);
}

/* Takes an equal one. */
static bool take_idle(vdnn_cuda_fft_plan *plan)
{
    bool is_found = false;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < idle_count && !is_found; i++)
        if (is_like(&idle[i], plan)) {
            *plan = idle[i];
            remove_idle(i);
            is_found = true;
        }
    (void)pthread_mutex_unlock(&lock);
    return is_found;
}

/* The first of a card from place `i` on; idle_count: none. */
static size_t find_idle(int card, size_t i)
{
    while (i < idle_count && idle[i].card != card)
        i++;
    return i;
}

/* A plan is destroyed with its card selected. */
static void destroy_idle(size_t i)
{
    (void)table.destroy(idle[i].handle);
    remove_idle(i);
}

void vdnn_cuda_fft_destroy(vdnn_cuda_fft_plan plan)
{
    (void)pthread_mutex_lock(&lock);
    size_t oldest = find_idle(plan.card, 0);
    if (idle_count == MOST_IDLE && oldest < idle_count)
        destroy_idle(oldest);
    if (idle_count < MOST_IDLE)
        idle[idle_count++] = plan;
    else
        (void)table.destroy(plan.handle);
    (void)pthread_mutex_unlock(&lock);
}

void vdnn_cuda_fft_trim(void)
{
    int card = -1;
    (void)pthread_mutex_lock(&lock);
    if (idle_count > 0 && cudaGetDevice(&card) != cudaSuccess)
        (void)cudaGetLastError(); /* the card is lost, and its plans with it */
    for (size_t i = find_idle(card, 0); i < idle_count; i = find_idle(card, i))
        destroy_idle(i);
    (void)pthread_mutex_unlock(&lock);
}

/* ---- plans ----------------------------------------------------------------------------------- */

static cufftResult make(vdnn_cuda_fft_plan *plan)
{
    int planes = (int)plan->planes;
    int cells[RANK] = {(int)plan->sides[0], (int)plan->sides[1]};
    int points[RANK] = {cells[0], cells[1] / 2 + 1};
    int whole = cells[0] * cells[1];
    return plan->type == CUFFT_R2C
               ? table.make_many(plan->handle, RANK, cells, cells, 1, whole, points, planes, 1,
                                 plan->type, planes, &plan->work_bytes)
               : table.make_many(plan->handle, RANK, cells, points, planes, 1, cells, 1, whole,
                                 plan->type, planes, &plan->work_bytes);
}

vdnn_status vdnn_cuda_fft_create(cufftType type, const int64_t *sides, int64_t planes,
                                 vdnn_cuda_fft_plan *plan)
{
    vdnn_cuda_fft_plan made = {.type = type, .sides = {sides[0], sides[1]}, .planes = planes};
    vdnn_status status = VDNN_CUDA_CALL(cudaGetDevice, &made.card);
    if (status == VDNN_OK && take_idle(&made)) {
        *plan = made;
        return VDNN_OK;
    }
    VDNN_IF_OK(status, check("cufftCreate", table.create(&made.handle)));
    if (status != VDNN_OK)
        return status;
    status = check("cufftSetAutoAllocation", table.set_auto_allocation(made.handle, 0));
    VDNN_IF_OK(status, check("cufftMakePlanMany", make(&made)));
    if (status != VDNN_OK) {
        (void)table.destroy(made.handle);
        return status;
    }
    *plan = made;
    return VDNN_OK;
}

vdnn_status vdnn_cuda_fft_run(vdnn_cuda_fft_plan plan, cudaStream_t stream, void *work,
                              float *cells, cufftComplex *spectrum)
{
    vdnn_status status = check("cufftSetStream", table.set_stream(plan.handle, stream));
    VDNN_IF_OK(status, check("cufftSetWorkArea", table.set_work_area(plan.handle, work)));
    if (status != VDNN_OK)
        return status;
    return plan.type == CUFFT_R2C
               ? check("cufftExecR2C", table.forward(plan.handle, cells, spectrum))
               : check("cufftExecC2R", table.backward(plan.handle, spectrum, cells));
}
