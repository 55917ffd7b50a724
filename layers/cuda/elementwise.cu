#include "layers/cuda/pack.h"
#include "layers/cuda/weight_turn.h"

extern "C" {
#include "layers/cuda/weight.h"
}

#define VDNN_RULE static __device__ __forceinline__
#define VDNN_RULE_PLUS vdnn_cuda_plus
#define VDNN_RULE_TIMES vdnn_cuda_times
#define VDNN_RULE_OVER vdnn_cuda_over
#define VDNN_RULE_ROOT vdnn_cuda_root
#include "layers/update_rules.h"

/* Bytes moved per element: 12 by an update and 8 for each slot, and those of a copy; 12 by average
 * and accumulate, in bf16 6. Parameters may begin at any float of their block; all blocks of a
 * layer at the same one. */

/* ---- copies of a weight ---------------------------------------------------------------------- */

/* Writes the new weights of a place to the copy: the same values as by vdnn_cuda_weight_convert.
 * `smallest` is the type that places are counted in. */
struct no_copy {
    using smallest = float;
    float *to;

    template <class Place>
    __device__ void operator()(const Place &at, const vdnn_cuda_eight &weights) const
    {
        (void)at;
        (void)weights;
    }
};

struct narrow_copy {
    using smallest = vdnn_cuda_bf16;
    vdnn_cuda_bf16 *to;

    template <class Place>
    __device__ void operator()(const Place &at, const vdnn_cuda_eight &weights) const
    {
        at.store(to, weights);
    }
};

/* Padding is not written: it stays zero after the copy was filled. */
template <class T> struct turned_copy {
    using smallest = float;
    T *to;
    vdnn_cuda_weight_turn turn;

    template <class Place>
    __device__ void operator()(const Place &at, const vdnn_cuda_eight &weights) const
    {
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            if (at.has(k))
                to[turn.place(at.element(k))] = weights.at[k];
    }
};

/* ---- updates --------------------------------------------------------------------------------- */

/* The optimizers, each with the rule for one element. */
#define X(id, name, slots, ...)                                                                    \
    struct optimizer_##name {                                                                      \
        static constexpr int32_t SLOTS = slots;                                                    \
                                                                                                   \
        __device__ void operator()(const vdnn_update_factors *f, float dw, float *w,               \
                                   float *own) const                                               \
        {                                                                                          \
            vdnn_rule_##name(f, dw, w, own);                                                       \
        }                                                                                          \
    };
VDNN_OPTIMIZER_TABLE(X)
#undef X

/* What is not finite is noted by those few threads that find it; `found` NULL: none looks. With
 * `holds` such an element stays as it is. */
struct nonfinite_watch {
    vdnn_nonfinite *found;
    bool holds;

    __device__ void note(float dw) const
    {
        *(isfinite(dw) ? &found->weight : &found->gradient) = 1;
    }
};

/* The slots that the optimizer does not have are not accessed. */
template <class Optimizer, class Copy> struct optimizer_update {
    vdnn_update_factors factors;
    nonfinite_watch watch;
    float *w, *slots[VDNN_MAX_SLOTS];
    const float *dw;
    Copy copy;

    /* Whether the element stays. */
    __device__ bool holds(float gradient, float weight, const float *own) const
    {
        bool is_sound = isfinite(weight) && isfinite(own[0]);
        if constexpr (Optimizer::SLOTS > 1)
            is_sound = is_sound && isfinite(own[1]);
        if (is_sound || watch.found == nullptr)
            return false;
        watch.note(gradient);
        return watch.holds;
    }

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight weights = at.load(w), gradients = at.load(dw), first = at.load(slots[0]),
                        second = {};
        if constexpr (Optimizer::SLOTS > 1)
            second = at.load(slots[1]);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            float own[] = {first.at[k], second.at[k]}, weight = weights.at[k];
            Optimizer{}(&factors, vdnn_cuda_times(gradients.at[k], factors.scale), &weight, own);
            if (holds(gradients.at[k], weight, own))
                continue;
            weights.at[k] = weight;
            first.at[k] = own[0];
            second.at[k] = own[1];
        }
        at.store(slots[0], first);
        if constexpr (Optimizer::SLOTS > 1)
            at.store(slots[1], second);
        at.store(w, weights);
        copy(at, weights);
    }
};

struct move_average {
    float rate;
    nonfinite_watch watch;

    __device__ float operator()(float w, float dw) const
    {
        float average = vdnn_cuda_plus(vdnn_cuda_times(1.0F - rate, w), vdnn_cuda_times(rate, dw));
        if (isfinite(average) || watch.found == nullptr)
            return average;
        watch.note(dw);
        return watch.holds ? w : average;
    }
};

/* The updates of one launch, each with its own blocks. The list is passed by value: all parameters
 * of a kernel are at most 4 KiB. */
enum { UPDATES_AT_ONCE = 64, NO_COPY = -1, PARAMETER_BYTES = 4096 };

struct one_update {
    vdnn_update_rule rule;
    float rate;
    float *w, *slots[VDNN_MAX_SLOTS];
    const float *dw;
    int64_t count;
};

struct update_list {
    vdnn_update_factors factors;
    const vdnn_norm *norm; /* NULL: gradients are not scaled */
    nonfinite_watch watch;
    int32_t count;
    int32_t copied;                /* that has a copy, one at most; NO_COPY: none */
    unsigned end[UPDATES_AT_ONCE]; /* after the last block of each */
    one_update of[UPDATES_AT_ONCE];
};

template <class Optimizer, class Copy>
static __device__ __forceinline__ void optimize(const update_list &list, const one_update &own,
                                                int64_t group, const Copy &copy)
{
    vdnn_update_factors factors = list.factors;
    if (list.norm != nullptr)
        factors.scale = list.norm->scale;
    vdnn_cuda_act<typename Copy::smallest>(
        group, own.count, vdnn_cuda_are_aligned(own.w, own.slots[0], own.slots[1], own.dw),
        optimizer_update<Optimizer, Copy>{
            factors, list.watch, own.w, {own.slots[0], own.slots[1]}, own.dw, copy});
}

template <class Optimizer, class Copy>
__global__ static void update_all(const update_list list, const Copy copy)
{
    int32_t i = 0;
    while (blockIdx.x >= list.end[i])
        i++;
    const one_update &own = list.of[i];
    unsigned block = blockIdx.x - (i == 0 ? 0 : list.end[i - 1]);
    int64_t group = (int64_t)block * blockDim.x + threadIdx.x;
    if (own.rule == VDNN_UPDATE_AVERAGE)
        vdnn_cuda_act<float>(group, own.count, vdnn_cuda_are_aligned(own.w, own.dw),
                             [&](const auto &at) {
                                 at.store(own.w, vdnn_cuda_apply(move_average{own.rate, list.watch},
                                                                 at.load(own.w), at.load(own.dw)));
                             });
    else if (i == list.copied)
        optimize<Optimizer>(list, own, group, copy);
    else
        optimize<Optimizer>(list, own, group, no_copy{});
}

template <class Optimizer, class Copy>
static void launch_with(const update_list *list, const Copy &copy, cudaStream_t stream)
{
    static_assert(sizeof(update_list) + sizeof(Copy) <= PARAMETER_BYTES,
                  "more than a kernel's arguments can hold");
    VDNN_LAUNCH((update_all<Optimizer, Copy>), list->end[list->count - 1], VDNN_CUDA_THREADS,
                stream, *list, copy);
}

template <class T, class Optimizer>
static void launch_turned(const update_list *list, const vdnn_update *copied, cudaStream_t stream)
{
    launch_with<Optimizer>(
        list,
        turned_copy<T>{static_cast<T *>(copied->copy), vdnn_cuda_weight_turn_of(copied->layer)},
        stream);
}

/* `copied`: the update whose copy is written; NULL: none. */
template <class Optimizer>
static void launch_updates(const update_list *list, const vdnn_update *copied, cudaStream_t stream)
{
    if (copied == nullptr)
        launch_with<Optimizer>(list, no_copy{}, stream);
    else if (!vdnn_weight_copy_of(copied->layer).is_turned)
        launch_with<Optimizer>(list, narrow_copy{static_cast<vdnn_cuda_bf16 *>(copied->copy)},
                               stream);
    else if (copied->layer->y.dtype == VDNN_BF16)
        launch_turned<vdnn_cuda_bf16, Optimizer>(list, copied, stream);
    else
        launch_turned<float, Optimizer>(list, copied, stream);
}

typedef void launch_list(const update_list *list, const vdnn_update *copied, cudaStream_t stream);

static launch_list *const launches[] = {
#define X(id, name, ...) launch_updates<optimizer_##name>,
    VDNN_OPTIMIZER_TABLE(X)
#undef X
};

static void finish_list(update_list *list, vdnn_optimizer_id optimizer, const vdnn_update *copied,
                        cudaStream_t stream)
{
    if (list->count > 0 && list->end[list->count - 1] > 0)
        launches[optimizer](list, copied, stream);
    list->count = 0;
    list->copied = NO_COPY;
}

static void append(update_list *list, const vdnn_update *update)
{
    unsigned begin = list->count == 0 ? 0 : list->end[list->count - 1];
    if (update->copy != nullptr)
        list->copied = list->count;
    list->end[list->count] = begin + vdnn_cuda_eight_blocks(update->count);
    list->of[list->count++] = {update->rule, (float)update->rate,
                               update->w,    {update->slots[0], update->slots[1]},
                               update->dw,   update->count};
}

static vdnn_status update(const vdnn_update *updates, int32_t count, int threads,
                          const vdnn_step_context *context, void *stream)
{
    (void)threads;
    cudaStream_t handle = static_cast<vdnn_cuda_stream *>(stream)->handle;
    const vdnn_update *copied = nullptr;
    update_list list = {};
    list.factors = vdnn_optimizer_factors(&context->settings, context->step);
    list.norm = count == 0 ? nullptr : updates[0].norm;
    list.watch = {count == 0 ? nullptr : updates[0].found, !context->admits_nonfinite};
    list.copied = NO_COPY;
    for (int32_t i = 0; i < count; i++) {
        bool has_copy = updates[i].copy != nullptr;
        if (list.count == UPDATES_AT_ONCE || (has_copy && copied != nullptr)) {
            finish_list(&list, context->optimizer, copied, handle);
            copied = nullptr;
        }
        if (has_copy)
            copied = &updates[i];
        append(&list, &updates[i]);
    }
    finish_list(&list, context->optimizer, copied, handle);
    return vdnn_cuda_launched("update");
}

/* ---- the norm of gradients --------------------------------------------------------------------
 */

/* Arrays of one call. */
struct square_list {
    int32_t count;
    const float *dw[VDNN_LAYER_PARAMS];
    int64_t counts[VDNN_LAYER_PARAMS];
};

/* Each block a part: every gridDim.x-th share of VDNN_CUDA_THREADS elements of each array. */
__global__ static void square_parts(const square_list list, vdnn_norm *norm)
{
    double own = 0;
    for (int32_t i = 0; i < list.count; i++)
        for (int64_t k = vdnn_cuda_index(); k < list.counts[i];
             k += (int64_t)gridDim.x * blockDim.x)
            own += (double)list.dw[i][k] * (double)list.dw[i][k];
    double sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        norm->parts[blockIdx.x] = sum;
}

__global__ static void add_parts(vdnn_norm *norm, unsigned parts, bool is_first, double clip_norm)
{
    double sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(
        threadIdx.x < parts ? norm->parts[threadIdx.x] : 0.0);
    if (threadIdx.x > 0)
        return;
    norm->squares = is_first ? sum : norm->squares + sum;
    double scale = clip_norm / (sqrt(norm->squares) + 1e-6);
    norm->scale = scale >= 1 ? 1.0F : (float)scale;
}

static vdnn_status add_norm(const vdnn_update *updates, int32_t count, bool is_first, int threads,
                            const vdnn_step_context *context, vdnn_norm *norm, void *stream)
{
    static_assert((int)VDNN_NORM_PARTS == (int)VDNN_CUDA_THREADS, "a thread adds each part");
    (void)threads;
    cudaStream_t handle = static_cast<vdnn_cuda_stream *>(stream)->handle;
    square_list list = {};
    unsigned parts = 1;
    for (int32_t i = 0; i < count; i++) {
        if (updates[i].rule != VDNN_UPDATE_OPTIMIZER)
            continue;
        list.dw[list.count] = updates[i].dw;
        list.counts[list.count++] = updates[i].count;
        unsigned blocks = vdnn_cuda_blocks(updates[i].count);
        parts = blocks > parts ? blocks : parts;
    }
    parts = parts < VDNN_NORM_PARTS ? parts : (unsigned)VDNN_NORM_PARTS;
    VDNN_LAUNCH(square_parts, parts, VDNN_CUDA_THREADS, handle, list, norm);
    VDNN_LAUNCH(add_parts, 1, VDNN_CUDA_THREADS, handle, norm, parts, is_first, context->clip_norm);
    return vdnn_cuda_launched("norm");
}

/* ---- sums ------------------------------------------------------------------------------------ */

struct add {
    __device__ float operator()(float sum, float part) const
    {
        return sum + part;
    }
};

template <class T>
static vdnn_status accumulate_as(void *sum, const void *part, int64_t count, cudaStream_t stream)
{
    vdnn_cuda_map<T>(stream, count, add{}, static_cast<T *>(sum), static_cast<const T *>(sum),
                     static_cast<const T *>(part));
    return vdnn_cuda_launched("accumulate");
}

static vdnn_status accumulate(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream)
{
    (void)threads;
    return VDNN_CUDA_AS(dtype, accumulate_as, sum, part, count,
                        static_cast<vdnn_cuda_stream *>(stream)->handle);
}

static vdnn_status clear(void *at, size_t bytes, int threads, void *stream)
{
    (void)threads;
    return VDNN_CUDA_CALL(cudaMemsetAsync, at, 0, bytes,
                          static_cast<vdnn_cuda_stream *>(stream)->handle);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

typedef struct piece_ends {
    const char *from;
    char *to;
    int64_t from_stride, to_stride;
} piece_ends;

template <class Word>
__global__ static void move_words(piece_ends ends, vdnn_cuda_divisor words, int64_t count)
{
    int64_t i = vdnn_cuda_index(), piece = i / words;
    int64_t at = i % words * (int64_t)sizeof(Word);
    if (i < count)
        *reinterpret_cast<Word *>(ends.to + piece * ends.to_stride + at) =
            *reinterpret_cast<const Word *>(ends.from + piece * ends.from_stride + at);
}

/* False: some piece is not made of such words. */
template <class Word>
static bool move_as(const piece_ends &ends, size_t bytes, int64_t pieces, cudaStream_t stream)
{
    uintptr_t places =
        reinterpret_cast<uintptr_t>(ends.from) | reinterpret_cast<uintptr_t>(ends.to);
    if ((places | bytes | (uintptr_t)ends.from_stride | (uintptr_t)ends.to_stride) % sizeof(Word))
        return false;
    int64_t words = (int64_t)(bytes / sizeof(Word));
    if (words * pieces > 0)
        VDNN_LAUNCH(move_words<Word>, vdnn_cuda_blocks(words * pieces), VDNN_CUDA_THREADS, stream,
                    ends, words, words * pieces);
    return true;
}

static vdnn_status move(const vdnn_stripes *from, const void *source, const vdnn_stripes *to,
                        void *target, int threads, void *stream)
{
    (void)threads;
    cudaStream_t handle = static_cast<vdnn_cuda_stream *>(stream)->handle;
    const piece_ends ends = {static_cast<const char *>(source) + from->offset,
                             static_cast<char *>(target) + to->offset, (int64_t)from->stride,
                             (int64_t)to->stride};
    (void)(move_as<vdnn_cuda_pack<float>>(ends, from->bytes, from->count, handle) ||
           move_as<uint32_t>(ends, from->bytes, from->count, handle) ||
           move_as<uint16_t>(ends, from->bytes, from->count, handle) ||
           move_as<uint8_t>(ends, from->bytes, from->count, handle));
    return vdnn_cuda_launched("move");
}

static vdnn_status copy_weight(const vdnn_layer *layer, const float *w, void *copy, void *stream)
{
    vdnn_cuda_weight_convert(layer, w, copy, static_cast<vdnn_cuda_stream *>(stream));
    return vdnn_cuda_launched("copy of a weight");
}

const vdnn_elementwise vdnn_elementwise_native_cuda = {"cuda", update, add_norm,   accumulate,
                                                       clear,  move,   copy_weight};
