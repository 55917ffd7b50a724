#include "layers/conv/cuda_conv.h"
#include "layers/cuda/epilogue.h"

#include <cublas_v2.h>
#include <cufft.h>

extern "C" {
#include "layers/conv/conv_work.h"
#include "layers/cuda/blas.h"
#include "layers/cuda/fft.h"
#include "runtime/base/heap.h"
}

/* Convolution as a product of spectra: maps and kernels are copied into zeroed planes as large as
 * the padded input, so that nothing wraps around, and at each of the F points of their spectra one
 * complex product goes over channels:
 *
 *     forward           y  (samples x outputs)  = x  (samples x channels) * w^H
 *     backward data     dx (samples x channels) = dy (samples x outputs)  * w
 *     backward filter   dw (outputs x channels) = dy^H * x, summed over the runs of samples
 *
 * x is `pad` cells inside its plane, all others at its corner. For some samples at a time:
 *
 *     workspace   | spectrum of left, of right, of the product | cells of one of them | cuFFT's |
 *
 * A transform is O(log) passes over memory and the products have a kernel's size in them no more:
 * it pays for kernels of 5 x 5 and more with enough channels that the products outweigh reading the
 * spectra. */

enum { LEFT, RIGHT, PRODUCT, ROLES };
enum { MOST_SIDE = 1024 };   /* of a plane */
enum { LARGEST_FACTOR = 7 }; /* of its sides */

static const int sixteen = 16, four = 4;

/* Planes and the data copied into them. */
typedef struct fft_map {
    int64_t planes;
    int side[2];  /* of the map */
    int first[2]; /* its first cell in the plane */
} fft_map;

typedef struct fft_shape {
    int64_t plane[2], cells, points;
    vdnn_cuda_divisor by_cells, by_width;
    int64_t samples; /* of a run */
    fft_map maps[ROLES];
} fft_shape;

/* For the full runs, and for the last one if it is shorter: it has fewer planes, except those of
 * the kernel. */
enum { WHOLE, LAST, RUNS };

typedef struct fft_state {
    vdnn_cuda_fft_plan plans[RUNS * ROLES];
    int count;
    int of[RUNS][ROLES]; /* which of the plans */
} fft_state;

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The next length with factors for which cuFFT is fast. */
static int64_t quick_length(int64_t least)
{
    for (int64_t length = least;; length++) {
        int64_t rest = length;
        for (int64_t factor = 2; factor <= LARGEST_FACTOR; factor++)
            while (rest % factor == 0)
                rest /= factor;
        if (rest == 1)
            return length;
    }
}

static fft_map map_of(int64_t planes, const int *side, const int *first)
{
    return {planes, {side[0], side[1]}, {first[0], first[1]}};
}

static fft_shape shape_of(const vdnn_kernel *kernel, int64_t samples)
{
    const int corner[2] = {0, 0};
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    fft_map x = map_of(samples * c.channels, c.in, c.pad);
    fft_map y = map_of(samples * c.outputs, c.out, corner);
    fft_map w = map_of((int64_t)c.channels * c.outputs, c.kernel, corner);
    const fft_map maps[VDNN_PASS_COUNT][ROLES] = {{x, w, y}, {y, w, x}, {y, x, w}};
    fft_shape s = {};
    for (int d = 0; d < 2; d++)
        s.plane[d] = quick_length((int64_t)c.in[d] + 2 * c.pad[d]);
    s.cells = s.plane[0] * s.plane[1];
    s.by_cells = s.cells;
    s.by_width = s.plane[1];
    s.points = s.plane[0] * (s.plane[1] / 2 + 1);
    s.samples = samples;
    for (int role = 0; role < ROLES; role++)
        s.maps[role] = maps[kernel->pass][role];
    return s;
}

static int64_t most_planes(const fft_shape &s)
{
    int64_t most = 0;
    for (const fft_map &map : s.maps)
        most = map.planes > most ? map.planes : most;
    return most;
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct cell_place {
    int64_t plane;
    int row, column; /* in the map; may lie outside */
} cell_place;

static __device__ __forceinline__ cell_place place_of(const fft_shape &s, const fft_map &map,
                                                      int64_t i)
{
    int cell = (int)(i % s.by_cells);
    return {i / s.by_cells, cell / s.by_width - map.first[0], cell % s.by_width - map.first[1]};
}

static __device__ __forceinline__ bool is_inside(const fft_map &map, const cell_place &p)
{
    return p.row >= 0 && p.row < map.side[0] && p.column >= 0 && p.column < map.side[1];
}

static __device__ __forceinline__ int64_t element_of(const fft_map &map, const cell_place &p)
{
    return (p.plane * map.side[0] + p.row) * map.side[1] + p.column;
}

template <class T>
__global__ static void lay_in(const T *from, float *cells, fft_shape s, fft_map map)
{
    int64_t i = vdnn_cuda_index();
    if (i >= map.planes * s.cells)
        return;
    cell_place place = place_of(s, map, i);
    cells[i] = is_inside(map, place) ? (float)from[element_of(map, place)] : 0.0F;
}

template <class T>
__global__ static void take_out(const float *cells, vdnn_cuda_epilogue epilogue,
                                vdnn_cuda_divisor channels, T *to, fft_shape s, fft_map map)
{
    int64_t i = vdnn_cuda_index();
    if (i >= map.planes * s.cells)
        return;
    cell_place place = place_of(s, map, i);
    if (is_inside(map, place))
        to[element_of(map, place)] = epilogue.of(place.plane % channels, cells[i] / (float)s.cells);
}

/* ---- workspace ------------------------------------------------------------------------------- */

typedef struct fft_memory {
    cufftComplex *spectra[ROLES];
    float *cells;
    void *work;
} fft_memory;

/* Offsets, the work area's last, from the shape of a full run. */
static void lay_out(const fft_shape &s, size_t *offsets)
{
    constexpr size_t ALIGNMENT = 256;
    size_t at = 0;
    for (int part = 0; part <= ROLES; part++) {
        size_t bytes = part < ROLES
                           ? (size_t)(s.points * s.maps[part].planes) * sizeof(cufftComplex)
                           : (size_t)(s.cells * most_planes(s)) * sizeof(float);
        offsets[part] = at;
        at += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    offsets[ROLES + 1] = at;
}

static fft_memory memory_of(const fft_shape &s, void *block)
{
    size_t offsets[ROLES + 2];
    char *base = static_cast<char *>(block);
    fft_memory m = {};
    lay_out(s, offsets);
    for (int role = 0; role < ROLES; role++)
        m.spectra[role] = reinterpret_cast<cufftComplex *>(base + offsets[role]);
    m.cells = reinterpret_cast<float *>(base + offsets[ROLES]);
    m.work = base + offsets[ROLES + 1];
    return m;
}

/* ---- plans ----------------------------------------------------------------------------------- */

static void state_fini(fft_state *state)
{
    while (state->count > 0)
        vdnn_cuda_fft_destroy(state->plans[--state->count]);
}

static vdnn_status add_plans(const fft_shape &s, int run, fft_state *state)
{
    for (int role = 0; role < ROLES; role++) {
        int64_t planes = s.maps[role].planes;
        bool is_there = run == LAST && state->plans[state->of[WHOLE][role]].planes == planes;
        state->of[run][role] = is_there ? state->of[WHOLE][role] : state->count;
        if (is_there)
            continue;
        VDNN_TRY(vdnn_cuda_fft_create(role == PRODUCT ? CUFFT_C2R : CUFFT_R2C, s.plane, planes,
                                      &state->plans[state->count]));
        state->count++;
    }
    return VDNN_OK;
}

static int64_t samples_of_last(const vdnn_kernel *kernel)
{
    return kernel->layer->y.dims[VDNN_N] % vdnn_cuda_conv_samples(kernel, 0);
}

static vdnn_status state_init(const vdnn_kernel *kernel, fft_state *state)
{
    *state = {};
    vdnn_status status =
        add_plans(shape_of(kernel, vdnn_cuda_conv_samples(kernel, 0)), WHOLE, state);
    if (status == VDNN_OK && samples_of_last(kernel) > 0)
        status = add_plans(shape_of(kernel, samples_of_last(kernel)), LAST, state);
    if (status != VDNN_OK)
        state_fini(state);
    return status;
}

static size_t bytes_of(const vdnn_kernel *kernel, const fft_state &state)
{
    size_t offsets[ROLES + 2], work_bytes = 0;
    for (int i = 0; i < state.count; i++)
        if (state.plans[i].work_bytes > work_bytes)
            work_bytes = state.plans[i].work_bytes;
    lay_out(shape_of(kernel, vdnn_cuda_conv_samples(kernel, 0)), offsets);
    return vdnn_cuda_epilogue_room(kernel, offsets[ROLES + 1] + work_bytes);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    fft_state state;
    VDNN_TRY(state_init(kernel, &state));
    *bytes = bytes_of(kernel, state);
    state_fini(&state);
    return VDNN_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The planned workspace is from the sizes of other plans. */
static vdnn_status check_bytes(const vdnn_kernel *kernel, const fft_state &state)
{
    size_t bytes = bytes_of(kernel, state);
    if (bytes == kernel->workspace_bytes)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_DEVICE,
                            "conv layer '%s': %s takes %zu bytes of workspace by cuFFT's plans, "
                            "and took %zu when it was planned",
                            kernel->layer->name, kernel->algorithm->name, bytes,
                            kernel->workspace_bytes);
}

static vdnn_status create(const vdnn_kernel *kernel, void **state)
{
    fft_state *made = static_cast<fft_state *>(vdnn_heap_calloc(1, sizeof(fft_state)));
    if (made == nullptr)
        return vdnn_status_fail(VDNN_NO_MEMORY, "conv layer '%s': no memory for its plans",
                                kernel->layer->name);
    vdnn_status status = state_init(kernel, made);
    VDNN_IF_OK(status, check_bytes(kernel, *made));
    if (status != VDNN_OK) {
        state_fini(made);
        vdnn_heap_free(made);
        return status;
    }
    *state = made;
    return VDNN_OK;
}

static void destroy(void *state)
{
    state_fini(static_cast<fft_state *>(state));
    vdnn_heap_free(state);
}

/* A run of samples on its stream. */
typedef struct fft_run {
    fft_shape s;
    fft_memory memory;
    const fft_state *state;
    int run; /* of RUNS */
    const vdnn_cuda_stream *stream;
    int64_t first; /* sample */
    vdnn_pass pass;
    vdnn_cuda_epilogue epilogue; /* its channels are made planes modulo `outputs` */
    int64_t outputs;
} fft_run;

static vdnn_status transform(const fft_run &r, int role)
{
    return vdnn_cuda_fft_run(r.state->plans[r.state->of[r.run][role]], r.stream->handle,
                             r.memory.work, r.memory.cells, r.memory.spectra[role]);
}

/* From the map's first cell, or the first of this run's samples. */
template <class T> static vdnn_status read_map(const fft_run &r, int role, const T *from)
{
    const fft_map &map = r.s.maps[role];
    VDNN_LAUNCH(lay_in<T>, vdnn_cuda_blocks(map.planes * r.s.cells), VDNN_CUDA_THREADS,
                r.stream->handle, from, r.memory.cells, r.s, map);
    vdnn_status status = vdnn_cuda_launched("cells of a spectrum");
    return status == VDNN_OK ? transform(r, role) : status;
}

template <class T> static vdnn_status write_map(const fft_run &r, T *to)
{
    const fft_map &map = r.s.maps[PRODUCT];
    VDNN_TRY(transform(r, PRODUCT));
    VDNN_LAUNCH(take_out<T>, vdnn_cuda_blocks(map.planes * r.s.cells), VDNN_CUDA_THREADS,
                r.stream->handle, r.memory.cells, r.epilogue, r.outputs, to, r.s, map);
    return vdnn_cuda_launched("cells from a spectrum");
}

/* Elements from the whole batch's map to that of the run's samples. */
static int64_t elements_before(const fft_run &r, int role)
{
    const fft_map &map = r.s.maps[role];
    return r.first * (map.planes / r.s.samples) * map.side[0] * map.side[1];
}

/* At every point, row-major matrices as in the table at the top; to cuBLAS each is its transpose.
 * `c` has `columns` columns. */
static vdnn_status multiply(const fft_run &r, const vdnn_cuda_conv &c)
{
    const int samples = (int)r.s.samples;
    const struct {
        cublasOperation_t right_is, left_is;
        int columns, rows, depth;
    } forms[VDNN_PASS_COUNT] = {
        {CUBLAS_OP_C, CUBLAS_OP_N, c.outputs, samples, c.channels},
        {CUBLAS_OP_N, CUBLAS_OP_N, c.channels, samples, c.outputs},
        {CUBLAS_OP_N, CUBLAS_OP_C, c.channels, c.outputs, samples},
    };
    const auto &form = forms[r.pass];
    vdnn_cuda_product p = {};
    p.is_complex = true;
    p.a_is = form.right_is;
    p.b_is = form.left_is;
    p.m = form.columns;
    p.n = form.rows;
    p.k = form.depth;
    p.a = r.memory.spectra[RIGHT];
    p.a_step = r.s.maps[RIGHT].planes;
    p.b = r.memory.spectra[LEFT];
    p.b_step = r.s.maps[LEFT].planes;
    p.c = r.memory.spectra[PRODUCT];
    p.c_step = r.s.maps[PRODUCT].planes;
    p.count = (int)r.s.points;
    p.beta = r.pass == VDNN_BACKWARD_FILTER && r.first > 0 ? 1 : 0;
    return vdnn_cuda_blas_multiply(r.stream, &p);
}

/* The kernel's spectrum is computed once. */
template <class T>
static vdnn_status run_maps(const fft_run &r, const vdnn_cuda_conv &c, const vdnn_kernel_args *args)
{
    bool is_data = r.pass == VDNN_BACKWARD_DATA;
    const void *from = is_data ? args->dy : args->x[0];
    void *to = is_data ? args->dx[0] : args->y;
    vdnn_status status = VDNN_OK;
    if (r.first == 0)
        status = read_map(r, RIGHT, static_cast<const float *>(args->w));
    VDNN_IF_OK(status, read_map(r, LEFT, static_cast<const T *>(from) + elements_before(r, LEFT)));
    VDNN_IF_OK(status, multiply(r, c));
    return status == VDNN_OK ? write_map(r, static_cast<T *>(to) + elements_before(r, PRODUCT))
                             : status;
}

template <class T>
static vdnn_status run_gradients(const fft_run &r, const vdnn_cuda_conv &c,
                                 const vdnn_kernel_args *args)
{
    const T *x = static_cast<const T *>(args->x[0]), *dy = static_cast<const T *>(args->dy);
    vdnn_status status = read_map(r, LEFT, dy + elements_before(r, LEFT));
    VDNN_IF_OK(status, read_map(r, RIGHT, x + elements_before(r, RIGHT)));
    return status == VDNN_OK ? multiply(r, c) : status;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    int64_t most = vdnn_cuda_conv_samples(kernel, 0);
    bool is_filter = kernel->pass == VDNN_BACKWARD_FILTER;
    vdnn_status status = VDNN_OK;
    fft_run r = {};
    r.state = static_cast<const fft_state *>(kernel->state);
    r.pass = kernel->pass;
    r.stream = vdnn_cuda_stream_of(args);
    r.epilogue = vdnn_cuda_epilogue_of(kernel, args);
    r.outputs = c.outputs;
    r.memory = memory_of(shape_of(kernel, most), args->workspace);
    for (; status == VDNN_OK && r.first < c.samples; r.first += r.s.samples) {
        r.s = shape_of(kernel, vdnn_cuda_conv_samples(kernel, r.first));
        r.run = r.s.samples < most ? LAST : WHOLE;
        status = is_filter ? run_gradients<T>(r, c, args) : run_maps<T>(r, c, args);
    }
    if (status == VDNN_OK && is_filter)
        status = write_map(r, static_cast<float *>(args->dw));
    return status;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_status status = VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
    return vdnn_cuda_epilogue_gradient(kernel, args, status);
}

static const char *refuse_shape(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = INT32_MAX;
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    if (c.groups != 1)
        return "it supports one group only";
    for (int d = 0; d < 2; d++)
        if (c.stride[d] != 1 || c.dilation[d] != 1)
            return "it supports only stride 1 and dilation 1";
    for (int d = 0; d < 2; d++)
        if ((int64_t)c.in[d] + 2 * c.pad[d] > MOST_SIDE)
            return "its padded input has a side of more than 1024";
    fft_shape s = shape_of(kernel, vdnn_cuda_conv_samples(kernel, 0));
    if (most_planes(s) > MOST / s.cells)
        return "its spectra have more than 2^31 cells";
    if (*static_cast<const int *>(kernel->algorithm->variant) < sixteen &&
        c.samples <= vdnn_cuda_conv_samples(kernel, 0))
        return "the batch is not larger than its slices: fft_16 is the same";
    return nullptr;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_conv_refusal(kernel);
    if (why == nullptr)
        why = refuse_shape(kernel);
    if (why == nullptr)
        why = vdnn_cuda_blas_lack();
    return why != nullptr ? why : vdnn_cuda_fft_lack();
}

static constexpr vdnn_algorithm row_of(const char *name, const int *samples)
{
    vdnn_algorithm row =
        vdnn_cuda_row("conv", name, VDNN_CUDA_ALL_PASSES, refusal, run, workspace, samples);
    row.pictures_only = true;
    row.create = create;
    row.destroy = destroy;
    return vdnn_cuda_working(row, vdnn_conv_spectra_work, LARGEST_FACTOR);
}

const vdnn_algorithm vdnn_conv_fft_16_cuda = row_of("fft_16", &sixteen);
const vdnn_algorithm vdnn_conv_fft_4_cuda = row_of("fft_4", &four);
