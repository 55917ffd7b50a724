#include "layers/conv/conv_stage.h"
#include "layers/count.h"

#include "layers/conv/conv_shape.h"
#include "layers/cpu/threads.h"
#include "layers/stage.h"

#include <string.h>

enum { BLOCK = 16, ALIGNMENT_FLOATS = 16 };

static int64_t aligned(int64_t floats)
{
    return (floats + ALIGNMENT_FLOATS - 1) / ALIGNMENT_FLOATS * ALIGNMENT_FLOATS;
}

const char *vdnn_conv_stage_refusal(const vdnn_layer *layer)
{
    const vdnn_desc *x = &layer->x[0], *y = &layer->y;
    if ((x->dtype != VDNN_F32 && x->dtype != VDNN_BF16) || x->dtype != y->dtype)
        return "it computes in f32 or bf16 only";
    if (vdnn_layout_is_nhwc(x->layout) || vdnn_layout_is_nhwc(y->layout))
        return "it does not support NHWC";
    return NULL;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static bool is_plain(const vdnn_desc *desc)
{
    return desc->dtype == VDNN_F32 && desc->layout == VDNN_NCHW;
}

int64_t vdnn_conv_stage_floats(const vdnn_desc *desc, int64_t images)
{
    return is_plain(desc) ? 0 : aligned(images * vdnn_desc_per_sample(desc));
}

/* Copies some images, block of channels after block of channels, so that one image keeps all
 * threads busy. */
typedef struct transfer {
    const vdnn_desc *desc;
    void *map;
    int64_t first, blocks; /* of an image */
    float *plain;
} transfer;

static transfer transfer_of(const vdnn_desc *desc, int64_t first)
{
    return (transfer){
        .desc = desc, .first = first, .blocks = (desc->dims[VDNN_C] + BLOCK - 1) / BLOCK};
}

/* A block of channels has the layout of an image with that many channels. */
static vdnn_desc block_desc(const transfer *t, int64_t block)
{
    vdnn_desc desc = *t->desc;
    desc.dims[VDNN_C] = vdnn_count_min(desc.dims[VDNN_C] - block * BLOCK, BLOCK);
    return desc;
}

static size_t block_offset(const transfer *t, int64_t item)
{
    int64_t image = t->first + item / t->blocks, block = item % t->blocks;
    int64_t channels = image * vdnn_desc_channels(t->desc) + block * BLOCK;
    int64_t cells = t->desc->dims[VDNN_H] * t->desc->dims[VDNN_W];
    return (size_t)(channels * cells) * vdnn_dtype_bytes(t->desc->dtype);
}

static float *block_plain(const transfer *t, int64_t item)
{
    int64_t channels = item / t->blocks * t->desc->dims[VDNN_C] + item % t->blocks * BLOCK;
    return t->plain + channels * t->desc->dims[VDNN_H] * t->desc->dims[VDNN_W];
}

static void load_block(void *argument, int64_t item, int member)
{
    (void)member;
    const transfer *t = argument;
    vdnn_desc desc = block_desc(t, item % t->blocks);
    vdnn_stage_load(&desc, (const char *)t->map + block_offset(t, item), 0, block_plain(t, item));
}

static void store_block(void *argument, int64_t item, int member)
{
    (void)member;
    const transfer *t = argument;
    vdnn_desc desc = block_desc(t, item % t->blocks);
    vdnn_stage_store(&desc, (char *)t->map + block_offset(t, item), 0, block_plain(t, item));
}

float *vdnn_conv_stage_place(const vdnn_desc *desc, void *map, vdnn_conv_images images, float *room)
{
    return is_plain(desc) ? (float *)map + images.first * vdnn_desc_per_sample(desc) : room;
}

const float *vdnn_conv_stage_load(const vdnn_desc *desc, const void *map, vdnn_conv_images images,
                                  float *room, int threads)
{
    if (is_plain(desc))
        return (const float *)map + images.first * vdnn_desc_per_sample(desc);
    transfer t = transfer_of(desc, images.first);
    memcpy(&t.map, &map, sizeof map); /* only read */
    t.plain = room;
    vdnn_cpu_threads_loop(threads, images.count * t.blocks, load_block, &t);
    return room;
}

void vdnn_conv_stage_store(const vdnn_desc *desc, void *map, vdnn_conv_images images,
                           const float *place, int threads)
{
    if (is_plain(desc))
        return;
    transfer t = transfer_of(desc, images.first);
    t.map = map;
    memcpy(&t.plain, &place, sizeof place); /* only read */
    vdnn_cpu_threads_loop(threads, images.count * t.blocks, store_block, &t);
}

/* ---- weights --------------------------------------------------------------------------------- */

typedef struct weight_transfer {
    const vdnn_param *param;
    char *packed;
    float *plain;
} weight_transfer;

int64_t vdnn_conv_stage_weight_floats(const vdnn_layer *layer)
{
    const vdnn_param *weight = &layer->params[0];
    return weight->layout == VDNN_PARAM_PLAIN ? 0 : aligned(weight->count);
}

static int64_t output_blocks(const vdnn_param *weight)
{
    return (weight->dims[0] + BLOCK - 1) / BLOCK;
}

/* A block of outputs has the layout of a weight with that many outputs. */
static vdnn_param block_param(const vdnn_param *weight, int64_t block)
{
    vdnn_param part = *weight;
    part.bytes = weight->bytes / (size_t)output_blocks(weight);
    part.count = weight->count / weight->dims[0] * BLOCK;
    part.dims[0] = vdnn_count_min(weight->dims[0] - block * BLOCK, BLOCK);
    return part;
}

static void unpack_block(void *argument, int64_t block, int member)
{
    (void)member;
    const weight_transfer *t = argument;
    vdnn_param part = block_param(t->param, block);
    vdnn_stage_unpack(&part, t->packed + (size_t)block * part.bytes, t->plain + block * part.count);
}

static void pack_block(void *argument, int64_t block, int member)
{
    (void)member;
    const weight_transfer *t = argument;
    vdnn_param part = block_param(t->param, block);
    vdnn_stage_pack(&part, t->plain + block * part.count, t->packed + (size_t)block * part.bytes);
}

const float *vdnn_conv_stage_weight_load(const vdnn_layer *layer, const void *block, float *room,
                                         int threads)
{
    const vdnn_param *weight = &layer->params[0];
    if (weight->layout == VDNN_PARAM_PLAIN)
        return block;
    weight_transfer t = {.param = weight, .plain = room};
    memcpy(&t.packed, &block, sizeof block); /* only read */
    vdnn_cpu_threads_loop(threads, output_blocks(weight), unpack_block, &t);
    return room;
}

float *vdnn_conv_stage_weight_place(const vdnn_layer *layer, void *block, float *room)
{
    return layer->params[0].layout == VDNN_PARAM_PLAIN ? block : room;
}

void vdnn_conv_stage_weight_store(const vdnn_layer *layer, void *block, const float *place,
                                  int threads)
{
    const vdnn_param *weight = &layer->params[0];
    if (weight->layout == VDNN_PARAM_PLAIN)
        return;
    weight_transfer t = {.param = weight, .packed = block};
    memcpy(&t.plain, &place, sizeof place); /* only read */
    vdnn_cpu_threads_loop(threads, output_blocks(weight), pack_block, &t);
}

/* ---- bias and relu --------------------------------------------------------------------------- */

typedef struct channels_job {
    vdnn_conv_shape s; /* of the current images */
    const float *bias;
    bool relu;
    float *y;
    const float *dy;
    float *bias_gradient;
    bool begin;
} channels_job;

static void finish_channel(void *argument, int64_t channel, int member)
{
    (void)member;
    const channels_job *job = argument;
    float *restrict y = job->y + channel * job->s.out_cells;
    float bias = job->bias == NULL ? 0 : job->bias[channel % job->s.k];
    for (int64_t i = 0; i < job->s.out_cells; i++)
        y[i] += bias;
    for (int64_t i = 0; job->relu && i < job->s.out_cells; i++)
        y[i] = y[i] <= 0 ? 0 : y[i]; /* NaN is propagated, as by relu */
}

void vdnn_conv_stage_finish(const vdnn_layer *layer, void *w, int64_t count, float *y, int threads)
{
    channels_job job = {
        .s = vdnn_conv_shape_of(layer), .relu = layer->epilogue == VDNN_EPILOGUE_RELU, .y = y};
    job.bias = vdnn_conv_shape_bias(&job.s, w);
    if (job.bias != NULL || job.relu)
        vdnn_cpu_threads_loop(threads, count * job.s.k, finish_channel, &job);
}

static void sum_channel(void *argument, int64_t channel, int member)
{
    (void)member;
    const channels_job *job = argument;
    float sum = vdnn_conv_shape_bias_sum(&job->s, job->dy, channel);
    job->bias_gradient[channel] = job->begin ? sum : job->bias_gradient[channel] + sum;
}

void vdnn_conv_stage_sum_bias(const vdnn_layer *layer, void *dw, vdnn_conv_images images,
                              const float *dy, int threads)
{
    channels_job job = {.s = vdnn_conv_shape_of(layer), .dy = dy, .begin = images.first == 0};
    job.s.n = images.count;
    job.bias_gradient = vdnn_conv_shape_bias(&job.s, dw);
    if (job.bias_gradient != NULL)
        vdnn_cpu_threads_loop(threads, job.s.k, sum_channel, &job);
}
