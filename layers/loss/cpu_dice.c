#include "layers/count.h"
#include "layers/cpu/math.h"
#include "layers/cpu/native.h"
#include "layers/loss/dice.h"

/* Positions are taken LANES at a time, each in a lane of vectors over all classes, and summed by
 * blocks of them, whose sums are added in their order: with any number of threads the same. */
enum { LANES = VDNN_NATIVE_LANES, BLOCK = 64 * LANES };

/* 32,768 classes: a lane's product of BLOCK / LANES sums of exponentials is below 2^1000. */
_Static_assert((int64_t)VDNN_DICE_MOST_CLASSES <= 1 << 15, "products of sums overflow");

/* Per class and lane. */
typedef struct lane_sums {
    double intersection[LANES], probable[LANES], labelled[LANES];
} lane_sums;

/* The memory of a block: `classes` items of each. */
typedef struct block_memory {
    lane_sums *lanes;
    vdnn_dice_sums *sums;
    float *p; /* of LANES positions */
    vdnn_dice_entropy *entropy;
} block_memory;

/* The positions of a block, of one group. */
typedef struct block_place {
    int64_t group, begin, count;
    const void *x; /* of its first position, as the labels */
    const int32_t *labels;
} block_place;

static int64_t blocks_of_group(const vdnn_layer *layer)
{
    return vdnn_count_pieces(vdnn_dice_positions(layer), BLOCK);
}

static int64_t count_blocks(const vdnn_layer *layer)
{
    return vdnn_dice_groups(layer) * blocks_of_group(layer);
}

static size_t block_bytes(const vdnn_layer *layer)
{
    const size_t of_class = sizeof(lane_sums) + sizeof(vdnn_dice_sums) + LANES * sizeof(float);
    return (size_t)layer->classes * of_class + sizeof(vdnn_dice_entropy);
}

static block_memory memory_of(const vdnn_layer *layer, void *workspace, int64_t block)
{
    char *at = (char *)workspace + (size_t)block * block_bytes(layer);
    block_memory memory = {.lanes = (lane_sums *)(void *)at};
    memory.sums = (vdnn_dice_sums *)(void *)(memory.lanes + layer->classes);
    memory.entropy = (vdnn_dice_entropy *)(void *)(memory.sums + layer->classes);
    memory.p = (float *)(void *)(memory.entropy + 1);
    return memory;
}

static block_place place_of(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t block)
{
    const int64_t positions = vdnn_dice_positions(layer), blocks = blocks_of_group(layer);
    block_place place = {.group = block / blocks, .begin = block % blocks * BLOCK};
    const int64_t first = place.group * positions + place.begin;
    place.count = vdnn_count_min(positions - place.begin, BLOCK);
    place.x = vdnn_native_const_at(layer->x[0].dtype, args->x[0], first * layer->classes);
    place.labels = (const int32_t *)args->labels + first;
    return place;
}

/* Of LANES positions from `t` on: their labels, -1 of those that do not count, beyond the block
 * too. */
static void take_labels(const vdnn_layer *layer, const block_place *place, int64_t t,
                        int32_t labels[LANES])
{
    for (int64_t lane = 0; lane < LANES; lane++) {
        const bool is_there = t + lane < place->count;
        const int32_t label = is_there ? place->labels[t + lane] : -1;
        labels[lane] = is_there && label != layer->ignored ? label : -1;
    }
}

/* The probabilities of LANES positions, p[class][lane], their largest scores, and sums of
 * exponentials. The last positions of a block are repeated in the lanes beyond it. */
VDNN_NATIVE_INLINE void softmax(vdnn_dtype dtype, const block_place *place, int64_t t,
                                int64_t classes, float *p, float largest[LANES], double sums[LANES])
{
    int64_t at[LANES];
    float inverse[LANES];
    for (int64_t lane = 0; lane < LANES; lane++)
        at[lane] = vdnn_count_min(t + lane, place->count - 1) * classes;
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++)
        largest[lane] = vdnn_native_load(dtype, place->x, at[lane]);
    for (int64_t c = 1; c < classes; c++)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const float x = vdnn_native_load(dtype, place->x, at[lane] + c);
            largest[lane] = x > largest[lane] ? x : largest[lane];
        }
    for (int lane = 0; lane < LANES; lane++)
        sums[lane] = 0;
    for (int64_t c = 0; c < classes; c++) {
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const float x = vdnn_native_load(dtype, place->x, at[lane] + c);
            p[c * LANES + lane] = vdnn_math_exp(x - largest[lane]);
            sums[lane] += (double)p[c * LANES + lane];
        }
    }
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++)
        inverse[lane] = (float)(1 / sums[lane]);
    for (int64_t c = 0; c < classes; c++)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            p[c * LANES + lane] *= inverse[lane];
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Adds what LANES positions count to the sums of their lanes. */
VDNN_NATIVE_INLINE void add_lanes(const float *p, int64_t classes, const int32_t labels[LANES],
                                  lane_sums *lanes)
{
    for (int64_t c = 0; c < classes; c++)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const double probability = (double)p[c * LANES + lane],
                         is_label = labels[lane] == (int32_t)c ? 1 : 0,
                         counts = labels[lane] >= 0 ? 1 : 0;
            lanes[c].probable[lane] += counts * probability;
            lanes[c].intersection[lane] += is_label * probability;
            lanes[c].labelled[lane] += is_label;
        }
}

/* Entropies are the logarithms of the sums of exponentials, less what the labels' scores are above
 * the largest: one logarithm of each lane's product. */
VDNN_NATIVE_INLINE void sum_block(vdnn_dtype dtype, const vdnn_layer *layer,
                                  const block_place *place, const block_memory *memory)
{
    const int64_t classes = layer->classes;
    double products[LANES], above = 0;
    memset(memory->lanes, 0, (size_t)classes * sizeof *memory->lanes);
    *memory->entropy = (vdnn_dice_entropy){0};
    for (int lane = 0; lane < LANES; lane++)
        products[lane] = 1;
    for (int64_t t = 0; t < place->count; t += LANES) {
        int32_t labels[LANES];
        float largest[LANES];
        double sums[LANES];
        take_labels(layer, place, t, labels);
        softmax(dtype, place, t, classes, memory->p, largest, sums);
        add_lanes(memory->p, classes, labels, memory->lanes);
        for (int64_t lane = 0; lane < LANES; lane++) {
            if (labels[lane] < 0 || labels[lane] >= classes)
                continue;
            const int64_t at = (t + lane) * classes + labels[lane];
            products[lane] *= sums[lane];
            above += (double)(vdnn_native_load(dtype, place->x, at) - largest[lane]);
            memory->entropy->counted++;
        }
    }
    for (int lane = 0; lane < LANES; lane++)
        memory->entropy->sum += log(products[lane]);
    memory->entropy->sum -= above;
    for (int64_t c = 0; c < classes; c++) {
        vdnn_dice_sums sum = {0};
        for (int lane = 0; lane < LANES; lane++) {
            sum.intersection += memory->lanes[c].intersection[lane];
            sum.probable += memory->lanes[c].probable[lane];
            sum.labelled += memory->lanes[c].labelled[lane];
        }
        memory->sums[c] = sum;
    }
}

VDNN_CPU_CLONES static void sum_f32(const vdnn_layer *layer, const block_place *place,
                                    const block_memory *memory)
{
    sum_block(VDNN_F32, layer, place, memory);
}

VDNN_CPU_CLONES static void sum_bf16(const vdnn_layer *layer, const block_place *place,
                                     const block_memory *memory)
{
    sum_block(VDNN_BF16, layer, place, memory);
}

/* Those of a group's blocks, in the memory of its first one. */
static double finish_group(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t group)
{
    const int64_t blocks = blocks_of_group(layer), first = group * blocks;
    const block_memory all = memory_of(layer, args->workspace, first);
    for (int64_t i = 1; i < blocks; i++) {
        const block_memory block = memory_of(layer, args->workspace, first + i);
        all.entropy->sum += block.entropy->sum;
        all.entropy->counted += block.entropy->counted;
        for (int64_t c = 0; c < layer->classes; c++) {
            all.sums[c].intersection += block.sums[c].intersection;
            all.sums[c].probable += block.sums[c].probable;
            all.sums[c].labelled += block.sums[c].labelled;
        }
    }
    float *aux = (float *)args->aux + group * vdnn_dice_stored(layer);
    return vdnn_dice_finish(layer, all.sums, all.entropy, aux);
}

static void forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const int64_t groups = vdnn_dice_groups(layer);
    const bool is_narrow = layer->x[0].dtype == VDNN_BF16;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < count_blocks(layer); block++) {
        const block_place place = place_of(layer, args, block);
        const block_memory memory = memory_of(layer, args->workspace, block);
        (is_narrow ? sum_bf16 : sum_f32)(layer, &place, &memory);
    }
    double loss = 0;
    for (int64_t group = 0; group < groups; group++)
        loss += finish_group(layer, args, group);
    float *y = args->y;
    y[0] = (float)(loss / (double)groups);
    y[1] = 0;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Turns the probabilities of LANES positions into gradients: of dice p[c] (d[c] - sum of p d),
 * where d[c] is its derivative by p[c], and of the entropy p[c] - [c is the label]. */
VDNN_NATIVE_INLINE void turn_lanes(const float *aux, float by, int64_t classes,
                                   const int32_t labels[LANES], float *p)
{
    const float share = aux[2 * classes];
    float mean[LANES] = {0};
    for (int64_t c = 0; c < classes; c++)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const float hit = labels[lane] == (int32_t)c ? aux[2 * c + 1] : 0;
            mean[lane] += p[c * LANES + lane] * (aux[2 * c] + hit);
        }
    for (int64_t c = 0; c < classes; c++)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const bool is_label = labels[lane] == (int32_t)c;
            const float own = p[c * LANES + lane],
                        slope = aux[2 * c] + (is_label ? aux[2 * c + 1] : 0);
            const float gradient =
                own * (slope - mean[lane]) + share * (own - (is_label ? 1.0F : 0.0F));
            p[c * LANES + lane] = labels[lane] < 0 ? 0.0F : gradient / by;
        }
}

/* Rows of classes from lanes of positions, a few at a time. */
VDNN_NATIVE_INLINE void write_lanes(vdnn_dtype dtype, const float *p, int64_t classes,
                                    int64_t count, void *dx, int64_t first)
{
    for (int64_t lane = 0; lane < count; lane++)
        for (int64_t begin = 0; begin < classes; begin += LANES) {
            float buffer[LANES];
            const int64_t some = vdnn_count_min(classes - begin, LANES);
            const vdnn_native_range range = {first + lane * classes + begin,
                                             first + lane * classes + begin + some};
            float *to = vdnn_native_write_begin(dtype, dx, range, buffer);
            for (int64_t c = 0; c < some; c++)
                to[c] = p[(begin + c) * LANES + lane];
            vdnn_native_write_end(dtype, dx, range, to);
        }
}

VDNN_NATIVE_INLINE void turn_block(vdnn_dtype dtype, const vdnn_layer *layer,
                                   const vdnn_kernel_args *args, const block_place *place, float *p)
{
    const int64_t classes = layer->classes, positions = vdnn_dice_positions(layer);
    const float *aux = (const float *)args->aux + place->group * vdnn_dice_stored(layer);
    const float by = vdnn_loss_mean_of(vdnn_dice_groups(layer), args->weight);
    for (int64_t t = 0; t < place->count; t += LANES) {
        int32_t labels[LANES];
        float largest[LANES];
        double sums[LANES];
        take_labels(layer, place, t, labels);
        softmax(dtype, place, t, classes, p, largest, sums);
        turn_lanes(aux, by, classes, labels, p);
        write_lanes(dtype, p, classes, vdnn_count_min(place->count - t, LANES), args->dx[0],
                    (place->group * positions + place->begin + t) * classes);
    }
}

VDNN_CPU_CLONES static void turn_f32(const vdnn_layer *layer, const vdnn_kernel_args *args,
                                     const block_place *place, float *p)
{
    turn_block(VDNN_F32, layer, args, place, p);
}

VDNN_CPU_CLONES static void turn_bf16(const vdnn_layer *layer, const vdnn_kernel_args *args,
                                      const block_place *place, float *p)
{
    turn_block(VDNN_BF16, layer, args, place, p);
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const bool is_narrow = layer->x[0].dtype == VDNN_BF16;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < count_blocks(layer); block++) {
        const block_place place = place_of(layer, args, block);
        float *p = (float *)args->workspace + block * layer->classes * LANES;
        (is_narrow ? turn_bf16 : turn_f32)(layer, args, &place, p);
    }
}

/* ---- row ------------------------------------------------------------------------------------- */

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    const size_t of_block = kernel->pass == VDNN_FORWARD
                                ? block_bytes(layer)
                                : (size_t)layer->classes * LANES * sizeof(float);
    *bytes = (size_t)count_blocks(layer) * of_block;
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    (kernel->pass == VDNN_FORWARD ? forward : backward)(kernel, args);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_dice_native = {
    .layer_type = "dice",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .workspace = workspace,
    .run = run,
};
