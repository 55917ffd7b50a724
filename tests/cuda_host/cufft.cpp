#include "tests/cuda_host/library.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <cufft.h>
#include <map>
#include <mutex>
#include <vector>

/* Transforms by their definition, in double, side by side. The work area is overwritten. */

namespace
{

using complex = std::complex<double>;

struct lines {
    int64_t stride,
        distance; /* elements from one point of a plane, and from one plane, to the next */
};

struct plan {
    int card = vdnn_cuda_host::current_card();
    cufftType type = CUFFT_R2C;
    int n[2] = {0, 0}, batch = 0;
    bool allocates = true;
    lines from = {0, 0}, to = {0, 0};
    size_t bytes = 0;
    void *area = nullptr;
    cudaStream_t stream = nullptr;

    int half() const
    {
        return n[1] / 2 + 1;
    }
};

std::mutex lock;
std::map<cufftHandle, plan> plans;
cufftHandle last_handle = 0;

/* NULL: there is no such plan. */
plan *find(cufftHandle handle)
{
    std::lock_guard<std::mutex> hold(lock);
    auto found = plans.find(handle);
    return found == plans.end() ? nullptr : &found->second;
}

/* sums[k] over in[i] * e^(sign * 2 pi i k / n) */
void transform_line(std::vector<complex> &line, int sign)
{
    size_t n = line.size();
    std::vector<complex> roots(n), sums(n);
    for (size_t i = 0; i < n; i++)
        roots[i] = std::polar(1.0, sign * 2 * M_PI * (double)i / (double)n);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            sums[k] += line[i] * roots[i * k % n];
    line = sums;
}

void transform_plane(std::vector<complex> &plane, const int *n, int sign)
{
    std::vector<complex> line((size_t)n[1]);
    for (int h = 0; h < n[0]; h++) {
        std::copy_n(plane.begin() + h * n[1], n[1], line.begin());
        transform_line(line, sign);
        std::copy_n(line.begin(), n[1], plane.begin() + h * n[1]);
    }
    line.resize((size_t)n[0]);
    for (int w = 0; w < n[1]; w++) {
        for (int h = 0; h < n[0]; h++)
            line[(size_t)h] = plane[(size_t)(h * n[1] + w)];
        transform_line(line, sign);
        for (int h = 0; h < n[0]; h++)
            plane[(size_t)(h * n[1] + w)] = line[(size_t)h];
    }
}

void to_spectra(const plan &p, const cufftReal *from, cufftComplex *to)
{
    std::vector<complex> plane((size_t)p.n[0] * (size_t)p.n[1]);
    for (int b = 0; b < p.batch; b++) {
        for (size_t i = 0; i < plane.size(); i++)
            plane[i] = (double)from[b * p.from.distance + (int64_t)i * p.from.stride];
        transform_plane(plane, p.n, -1);
        for (int h = 0; h < p.n[0]; h++)
            for (int w = 0; w < p.half(); w++) {
                complex value = plane[(size_t)(h * p.n[1] + w)];
                to[b * p.to.distance + (h * p.half() + w) * p.to.stride] = {(float)value.real(),
                                                                            (float)value.imag()};
            }
    }
}

/* The other half of a spectrum of real cells is this one's conjugate. */
void to_cells(const plan &p, const cufftComplex *from, cufftReal *to)
{
    std::vector<complex> plane((size_t)p.n[0] * (size_t)p.n[1]);
    for (int b = 0; b < p.batch; b++) {
        for (int h = 0; h < p.n[0]; h++)
            for (int w = 0; w < p.n[1]; w++) {
                bool is_kept = w < p.half();
                int row = is_kept ? h : (p.n[0] - h) % p.n[0], column = is_kept ? w : p.n[1] - w;
                cufftComplex value =
                    from[b * p.from.distance + (row * p.half() + column) * p.from.stride];
                plane[(size_t)(h * p.n[1] + w)] = {(double)value.x,
                                                   (double)(is_kept ? value.y : -value.y)};
            }
        transform_plane(plane, p.n, 1);
        for (size_t i = 0; i < plane.size(); i++)
            to[b * p.to.distance + (int64_t)i * p.to.stride] = (float)plane[i].real();
    }
}

template <class From, class To>
cufftResult enqueue(cufftHandle handle, cufftType type, From *from, To *to,
                    void (*transform)(const plan &, const From *, To *))
{
    plan *own = find(handle);
    if (own == nullptr || own->type != type || own->batch == 0)
        return CUFFT_INVALID_PLAN;
    if (own->area == nullptr)
        return CUFFT_NO_WORKSPACE;
    if (vdnn_cuda_host::library_error("cufft") != 0 ||
        !vdnn_cuda_host::can_use(own->card, own->stream, {own->area, from, to}))
        return CUFFT_EXEC_FAILED;
    plan copy = *own;
    vdnn_cuda_host::run_on(own->stream, [copy, from, to, transform] {
        memset(copy.area, 0xff, copy.bytes);
        transform(copy, from, to);
    });
    return CUFFT_SUCCESS;
}

} // namespace

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    *value = type == MAJOR_VERSION ? (int)vdnn_cuda_host::setting_of("cufft") : 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftCreate(cufftHandle *handle)
{
    if (vdnn_cuda_host::library_error("cufftCreate") != 0)
        return CUFFT_ALLOC_FAILED;
    std::lock_guard<std::mutex> hold(lock);
    *handle = ++last_handle;
    plans[*handle] = {};
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    std::lock_guard<std::mutex> hold(lock);
    return plans.erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int does_allocate)
{
    plan *own = find(handle);
    if (own == nullptr)
        return CUFFT_INVALID_PLAN;
    own->allocates = does_allocate != 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *work_bytes)
{
    if (vdnn_cuda_host::library_error(__func__) != 0)
        return CUFFT_ALLOC_FAILED;
    plan *own = find(handle);
    if (own == nullptr || own->allocates)
        return CUFFT_INVALID_PLAN;
    const int *cells = type == CUFFT_R2C ? inembed : onembed;
    const int *points = type == CUFFT_R2C ? onembed : inembed;
    if (rank != 2 || batch < 1 || n[0] < 1 || n[1] < 1 || cells[1] != n[1] ||
        points[1] != n[1] / 2 + 1)
        return CUFFT_INVALID_VALUE;
    own->type = type;
    own->n[0] = n[0];
    own->n[1] = n[1];
    own->batch = batch;
    own->from = {istride, idist};
    own->to = {ostride, odist};
    own->bytes = *work_bytes = 64 + (size_t)n[0] * 8;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    plan *own = find(handle);
    if (own == nullptr)
        return CUFFT_INVALID_PLAN;
    own->area = area;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    plan *own = find(handle);
    if (own == nullptr)
        return CUFFT_INVALID_PLAN;
    own->stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftExecR2C(cufftHandle handle, cufftReal *from, cufftComplex *to)
{
    return enqueue(handle, CUFFT_R2C, from, to, to_spectra);
}

cufftResult cufftExecC2R(cufftHandle handle, cufftComplex *from, cufftReal *to)
{
    return enqueue(handle, CUFFT_C2R, from, to, to_cells);
}
