#ifndef VDNN_RUNTIME_GRAPH_GRAPH_H
#define VDNN_RUNTIME_GRAPH_GRAPH_H

/* The network as a DAG with shapes: layers in forward order, tensors, and the maps that hold them.
 *
 * A *tensor* is a value: the input or the output of one layer. A *map* is the memory that
 * holds a value. A layer in place writes its output over its input, so both tensors have one map:
 *
 *     conv1 --t1--> relu1 (in place) --t2--> pool1 --t3-->
 *     map m1 holds t1, then t2; map m2 holds t3; an auxiliary map holds pool1's argmax
 *
 * If a layer does not support the layout of its input, a conversion (an internal layer `convert`)
 * is inserted:
 *
 *     pool5 (nChw16c) --> pool5:nchw (convert) --> fc6
 *     input (nchw) --> input:nhwc8 (convert) --> conv1 (nhwc), of three channels in bf16
 *
 * A network reads one or more *inputs* of each sample. They are the rows of a table whose last row
 * is the labels; row i of the others is tensor i and map i:
 *
 *     0  image   (N, 3, 32, 32)   f32   tensor 0, map 0
 *     1  words   (N, 20)          i32   tensor 1, map 1
 *     2  labels  (N)              i32   read by the loss alone; of a loss over numbers f32, in
 *                                       the shape of its input
 *
 * Layers that read another layer's weight have their parameters in one block with it
 * (runtime/graph/ties.h).
 *
 * A training step may run its batch in *micro-batches*, one after the other, and update the
 * parameters once, by the mean of their gradients. Their sizes are as equal as the batch allows:
 * the first (batch mod N) have one sample more. The descs of layers, tensors and maps are those of
 * a larger micro-batch; `lesser` is the same network in the shape of a smaller one. The plan has
 * one value of each tensor for every micro-batch.
 *
 * Several *devices* may share the batch of a step; each then has a graph of its share. A
 * micro-batch is weighted by its part of the samples of all devices, so that the sum of the
 * devices' gradients is the gradient of the whole batch.
 *
 * Devices may share the update too. Each then updates its *share* of every block, keeps the
 * optimizer's state of that share alone, and receives the other shares from the other devices.
 *
 * A layer that the file runs in *parts* has each pass once for every range of samples, the first
 * range first. Each part reads and writes its range of bytes of the whole layer's maps:
 *
 *     conv1, parts: 3     forward 0      | forward 1 | forward 2    workspace of a third
 *     y                   | samples 0..2 | 3..5      | 6..8 |
 *
 * The gradient of its parameters is the sum over its parts, in their order, under every policy.
 * Each range of samples may also be cut into ranges of output channels, the first range of channels
 * first. Such a part writes its channels of y and its rows of the parameters' gradient, and the
 * gradient of an input that all parts read is the sum over them, in their order.
 *
 *     fc6, parts: {samples: 2, channels: 3}     forward 0 1 2 | 3 4 5
 *     gradient of x                  first samples: 0 + 1 + 2, other samples: 3 + 4 + 5
 *     gradient of the parameters     rows of 0, 1, 2, then those of 3, 4, 5 are added
 *
 * Invariant: layers are in a topological order (that of the file wherever possible, but max pools
 * may run before ReLUs: order.h), so forward is the list and backward its reverse; the last layer
 * is the only loss.
 * Threads: immutable after creation.
 *
 *     vdnn_graph_options options = {.batch = 64, .rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
 *     status = vdnn_graph_create(model, &options, &graph);
 *     for (i = 0; i < graph->layer_count; i++) use(&graph->layers[i]);
 *     vdnn_graph_destroy(graph);
 */

#include "layers/part.h"
#include "models/model.h"
#include "runtime/base/numbers/shard.h"
#include "runtime/graph/reduce_scheme.h"
#include "runtime/graph/stage.h"

typedef struct vdnn_tensor {
    const char *name; /* the producer's, or the input's; borrowed from the graph */
    vdnn_desc desc;
    int32_t producer; /* index of a layer; -1: the tensor is an input */
    int32_t *readers; /* layers, increasing; reader_count is the paper's reference count */
    int32_t reader_count;
    int32_t map;
    bool has_gradient; /* its producer or a layer before it has parameters; false for the output of
                          the loss */
    bool arrives, departs; /* of a stage: from the one before it, to the one after it */
} vdnn_tensor;

typedef enum vdnn_map_kind {
    VDNN_MAP_INPUT,   /* pictures or tokens of the batch; of a stage also what arrives */
    VDNN_MAP_FEATURE, /* an activation, or a chain of them in place */
    VDNN_MAP_AUX,     /* saved by a layer for its backward: argmax, mask, probabilities */
    VDNN_MAP_RESULT,  /* the loss layer's output: {mean loss, correct predictions}, f32 */
} vdnn_map_kind;

typedef struct vdnn_map {
    vdnn_map_kind kind;
    const char *name; /* the first writer's, or the input's; borrowed */
    size_t bytes;
    int32_t first_writer; /* index of a layer; -1: the map is an input */
    int32_t last_writer;  /* the last layer that works in place on it, or first_writer */
    int32_t *readers;     /* layers that read it in forward after last_writer, increasing; an
                             auxiliary map has none */
    int32_t reader_count;
    int32_t last_forward; /* the last layer that uses it in forward */
    int32_t *needed_by;   /* layers whose backward needs it, decreasing (the order of backward) */
    int32_t needed_count; /* 0: it is not saved for backward */
} vdnn_map;

/* A row of the table of inputs. */
typedef struct vdnn_graph_input {
    const char *name; /* from the file; "input" and "labels" where the file has no name */
    char *next;       /* "next NAME", which plans call this input of the next step; owned */
    vdnn_desc desc;   /* of a larger micro-batch; labels: as the loss infers them */
    vdnn_normalization normalization; /* of an input of pictures */
    char *tokenizer; /* owned; of one of tokens: the file that says what they are of a text; NULL:
                        none */
} vdnn_graph_input;

/* A range of a layer's samples and of its output channels, with the layer that computes it and its
 * range of the auxiliary map. */
typedef struct vdnn_graph_part {
    vdnn_part range;
    const vdnn_layer *layer; /* shared by all parts of equal sample count and equal channels */
    size_t aux_offset, aux_bytes;
} vdnn_graph_part;

typedef struct vdnn_graph_options {
    int64_t batch;             /* samples of a step on this device; 0: the model's batch */
    int32_t devices;           /* how many share the batch of a step; 0: one */
    int64_t step_batch;        /* samples of a step on all devices; 0: `batch` */
    vdnn_reduce_scheme reduce; /* how the devices' gradients are summed */
    bool gathers; /* this device sums all gradients, and has memory into which the others send
                     theirs */
    bool shards;  /* each device updates its share of the parameters, and keeps the optimizer's
                     state of that share alone */
    const vdnn_reduce_buckets *buckets; /* of the sums, as decided for another device; NULL: one
                                           block each, unless the policy decides otherwise */
    int32_t micro_batches;              /* in which the batch is run, at most `batch`; 0: one */
    vdnn_rules rules;
    vdnn_dtype dtype;                /* of maps that hold numbers: F32, TF32, BF16 or F16 */
    vdnn_layout preferred;           /* the layout of maps that the device prefers */
    bool unfused;                    /* the device has no algorithm with an epilogue (fusion.h) */
    bool pools_first;                /* under the lean rules max pools run before ReLUs (order.h) */
    bool copies_weights;             /* the device has algorithms that read copies of weights */
    bool stores_gradients;           /* no update is fused: gradients of parameters are in memory */
    bool is_frozen;                  /* nothing is trained: a step is a forward pass */
    size_t zone_bytes;               /* unused bytes that plans keep after every buffer; 0: none */
    const vdnn_optimizer *optimizer; /* NULL: the model's */
    const int32_t *parts; /* sample parts per layer of the graph; NULL: the model's; borrowed */
    vdnn_stage stage;     /* of a pipeline; count 0: the whole network */
} vdnn_graph_options;

struct vdnn_graph {
    char *name, *path;         /* path: of the file; NULL: the model has no file */
    int64_t batch;             /* samples of a step on this device */
    int64_t classes;           /* 0: the network has none */
    int32_t devices;           /* how many share the batch of a step; at least one */
    int64_t step_batch;        /* samples of a step on all devices */
    vdnn_reduce_scheme reduce; /* how the devices' gradients are summed */
    bool gathers; /* this device holds the others' gradients as well as its gradients */
    bool shards;  /* each device updates its share alone; false for one device */
    vdnn_reduce_buckets buckets;
    bool has_buckets;          /* the buckets are given; the policy does not decide them */
    int32_t micro_batches;     /* of a step, run one after the other; at least one */
    int64_t micro_batch;       /* samples of a larger micro-batch, as in every layer's descs */
    struct vdnn_graph *lesser; /* the network for micro-batches with one sample less, its batch;
                                  same layers, tensors and maps by number; NULL: all are equal */
    vdnn_graph_input inputs[VDNN_INPUTS_MAX];
    int32_t input_count; /* at least two; the labels are the last */
    int32_t label_input; /* the input whose values are the labels, too; -1: none */
    int64_t ignored;     /* the label that does not count; VDNN_NO_LABEL: all labels count */
    vdnn_rules rules;
    vdnn_dtype dtype;
    vdnn_layout preferred;
    bool unfused, pools_first, copies_weights, stores_gradients, is_frozen;
    size_t zone_bytes;
    vdnn_training training;
    vdnn_layer *layers;
    int32_t layer_count;
    vdnn_tensor *tensors; /* the inputs without the labels, then the layers' outputs */
    int32_t tensor_count;
    vdnn_map *maps; /* inputs, features in order of their first writer, then auxiliary maps */
    int32_t map_count;
    int32_t *aux_map; /* per layer: its auxiliary map, or -1 */
    vdnn_graph_part *parts;
    int32_t *first_part; /* per layer: index into parts, with the count at the end; a layer that is
                            run as a whole has no parts */
    vdnn_layer *part_layers; /* of all parts; each shape of a layer once */
    int32_t part_layer_count;
    vdnn_stage stage;               /* count 0: the graph is of the whole network */
    bool learns_behind;             /* of a stage: a later one has parameters that are trained */
    vdnn_stage_block *stage_blocks; /* of a stage: those that cross its cuts, by their owners */
    int32_t stage_block_count;
};

/* The row of the labels, which the loss reads. It is also the number of the other inputs. */
static inline int32_t vdnn_graph_labels_row(const vdnn_graph *graph)
{
    return graph->input_count - 1;
}

static inline const vdnn_desc *vdnn_graph_labels(const vdnn_graph *graph)
{
    return &graph->inputs[vdnn_graph_labels_row(graph)].desc;
}

/* Whether the loss is in this stage; and whether a row of the inputs is read in it. */
static inline bool vdnn_graph_has_loss(const vdnn_graph *graph)
{
    return graph->stage.count == 0 || graph->stage.end == graph->layer_count;
}
static inline bool vdnn_graph_reads_input(const vdnn_graph *graph, int32_t input)
{
    return input == vdnn_graph_labels_row(graph) ? vdnn_graph_has_loss(graph)
                                                 : graph->tensors[input].reader_count > 0;
}
/* The layers that this graph runs: [first, end). */
static inline int32_t vdnn_graph_first_layer(const vdnn_graph *graph)
{
    return graph->stage.count == 0 ? 0 : graph->stage.first;
}
static inline int32_t vdnn_graph_end_layer(const vdnn_graph *graph)
{
    return graph->stage.count == 0 ? graph->layer_count : graph->stage.end;
}

/* A layer is a loss if its type has a target. A layer that reads a tensor twice counts as one
 * reader.
 *
 * Orders the layers, infers shapes and resolves what backward needs. Marks a layer in place if it
 * is the only reader, does not read an input, and no backward pass needs the value it overwrites.
 * Under the lean rules a layer uses its lean_if_y exactly if its output is the last value of its
 * map and another layer's lean needs keep that map. VDNN_BAD_INPUT with file, line and reason for
 * cycles, shapes that do not fit, unread inputs and outputs, no loss or several losses. */
vdnn_status vdnn_graph_create(const vdnn_model *model, const vdnn_graph_options *options,
                              vdnn_graph **graph);
void vdnn_graph_destroy(vdnn_graph *graph);

/* The options that the graph was created with, to create one with another batch or other rules. */
vdnn_graph_options vdnn_graph_asked(const vdnn_graph *graph);

/* The layer whose forward pass writes a tensor: its producer, or the layer that a ReLU is fused
 * into. -1: the tensor is an input. */
int32_t vdnn_graph_writer(const vdnn_graph *graph, int32_t tensor);

/* The layer that works in place on the output of `layer`, a fused ReLU included; -1: none.
 * Following it from a map's first writer gives all writers of the map. */
int32_t vdnn_graph_next_writer(const vdnn_graph *graph, int32_t layer);

/* Whether a layer may write dx over x in backward: nothing else uses x from there on. Only with
 * dx_over_x; plans may have it elsewhere. */
bool vdnn_graph_dx_over_x(const vdnn_graph *graph, const vdnn_layer *layer);
/* True when the backward pass of `layer` reads the map `map` (as X, Y or AUX). */
bool vdnn_graph_needs(const vdnn_graph *graph, int32_t layer, vdnn_pass pass, int32_t map);

/* The most parts that a layer's samples can be cut into; 1: it can only be run as a whole. */
int32_t vdnn_graph_most_parts(const vdnn_graph *graph, int32_t layer);
/* Sets parts[layer] to `count`, but at most what the layer supports and at least what it has. */
void vdnn_graph_in_parts(const vdnn_graph *graph, int32_t count, int32_t *parts);

/* How many times each pass of a layer runs, and one of the ranges; NULL: the layer is whole. */
static inline int32_t vdnn_graph_part_count(const vdnn_graph *graph, int32_t layer)
{
    const int32_t count = graph->first_part[layer + 1] - graph->first_part[layer];
    return count == 0 ? 1 : count;
}
static inline const vdnn_graph_part *vdnn_graph_part_at(const vdnn_graph *graph, int32_t layer,
                                                        int32_t part)
{
    const bool is_whole = graph->first_part[layer] == graph->first_part[layer + 1];
    return is_whole ? NULL : &graph->parts[graph->first_part[layer] + part];
}
/* The layer whose kernels compute a part: `layer` itself, or the layer of the part's range. */
const vdnn_layer *vdnn_graph_part_layer(const vdnn_graph *graph, int32_t layer, int32_t part);
/* The share of a part in the layer's work for a micro-batch; 1: the layer is run as a whole. */
double vdnn_graph_part_share(const vdnn_graph *graph, int32_t layer, int32_t part);
/* Whether a part is the first, or the last, range of channels of its samples. */
bool vdnn_graph_part_begins(const vdnn_graph *graph, int32_t layer, int32_t part);
bool vdnn_graph_part_ends(const vdnn_graph *graph, int32_t layer, int32_t part);
/* Workspace bytes in which the maps of a part's pass are staged (layers/part.h). */
size_t vdnn_graph_part_staged(const vdnn_graph *graph, int32_t layer, int32_t part, vdnn_pass pass);

/* A layer whose forward depends on which samples are in its batch, such as batch norm; NULL: none.
 * Run in micro-batches, such a network learns from other statistics. */
const vdnn_layer *vdnn_graph_couples_samples(const vdnn_graph *graph);
/* Of several such layers the one with the fewest samples in one forward. *samples: the largest such
 * count, that of a micro-batch, over all devices if they sum the layer's statistics. */
const vdnn_layer *vdnn_graph_couples_fewest(const vdnn_graph *graph, int64_t *samples);

/* The network in the shape of micro-batch `micro`, with its sample count in `micro_batch`: `graph`
 * or graph->lesser. */
static inline const vdnn_graph *vdnn_graph_of_micro(const vdnn_graph *graph, int32_t micro)
{
    const bool is_lesser = graph->lesser != NULL && micro >= graph->batch % graph->micro_batches;
    return is_lesser ? graph->lesser : graph;
}
/* How many samples of the step come before a micro-batch. */
int64_t vdnn_graph_first_sample(const vdnn_graph *graph, int32_t micro);
/* The weight of a micro-batch's mean in the mean over the step's batch on all devices: its share of
 * the samples. */
double vdnn_graph_weight(const vdnn_graph *graph, int32_t micro);

/* The same weight for a part of a layer; the micro-batch's weight if the layer is whole. */
double vdnn_graph_part_weight(const vdnn_graph *graph, int32_t micro, int32_t layer, int32_t part);

/* How many samples of a batch a device has (devices count from 0), and how many the devices before
 * it have. Shares are as equal as possible; the first devices have one sample more. */
int64_t vdnn_graph_share(int64_t batch, int32_t devices, int32_t device);
int64_t vdnn_graph_share_first(int64_t batch, int32_t devices, int32_t device);

/* Bytes of the labels, and of the other inputs, of one micro-batch in the shape of `graph`. */
size_t vdnn_graph_label_bytes(const vdnn_graph *graph);
size_t vdnn_graph_input_bytes(const vdnn_graph *graph);

/* Bytes of one input for all samples of a step. */
size_t vdnn_graph_batch_bytes(const vdnn_graph *graph, int32_t input);

/* The loss, and what it compares with. */
const vdnn_layer *vdnn_graph_loss(const vdnn_graph *graph);
vdnn_target vdnn_graph_target(const vdnn_graph *graph);

/* Classes of a sample, where the loss is over positions: each has one; 0: a sample has one, or
 * none.
 */
int64_t vdnn_graph_sample_labels(const vdnn_graph *graph);
/* Whether labels are one for each pixel of the first picture or volume: planes of its height and
 * width, of which that many are in planes[0]. */
bool vdnn_graph_label_planes(const vdnn_graph *graph, const vdnn_desc *labels, int64_t planes[3]);
/* The same of a network that reads tokens, each of which has a label; 0: another network. */
int64_t vdnn_graph_sample_tokens(const vdnn_graph *graph);

/* What people count a network's speed in: "tokens/s" where each token has a label, "sequences/s"
 * where it reads tokens otherwise, else "images/s". */
typedef struct vdnn_rate_unit {
    const char *name;
    double per_sample; /* tokens, sequences or images of it */
} vdnn_rate_unit;

vdnn_rate_unit vdnn_graph_rate_unit(const vdnn_graph *graph);

/* Of a step that has that many samples, on all devices; 0: its time is not known. */
double vdnn_samples_per_second(int64_t samples, double step_seconds);

/* How many of the labels of `samples` samples the loss's mean is over: those not ignored, or all.
 */
int64_t vdnn_graph_count_labels(const vdnn_graph *graph, const void *of_samples, int64_t samples);

/* Whether a layer's backward filter may update the parameters itself: its gradient is that of the
 * whole step, and only the update reads it. */
bool vdnn_graph_can_fuse(const vdnn_graph *graph, int32_t layer);

/* Whether the gradient of a layer's block is complete for a micro-batch once this layer's parts are
 * added: no layer before it has parameters in the block (runtime/graph/ties.h). */
bool vdnn_graph_ends_gradient(const vdnn_graph *graph, const vdnn_layer *layer);
/* The layer of a block that backward comes to before this one; NULL: it is the first. */
const vdnn_layer *vdnn_graph_next_in_block(const vdnn_graph *graph, const vdnn_layer *layer);
/* Where the gradient of a layer's parameters is added up, by a layer's number. Without
 * micro-batches the layers of a block have one sum, the owner's. With them each has a sum over the
 * micro-batches, and that of the layer which ends the gradient is the owner's. */
int32_t vdnn_graph_sum_of(const vdnn_graph *graph, const vdnn_layer *layer);
/* Whether the block of a layer is the layer's, and kept and updated by this stage. */
bool vdnn_graph_keeps(const vdnn_graph *graph, int32_t layer);
/* Of a stage: the block of that layer, if it crosses a cut; NULL: it does not. */
const vdnn_stage_block *vdnn_graph_stage_block(const vdnn_graph *graph, int32_t here);

/* Bytes of all parameter blocks, of all gradient blocks, and of all blocks of optimizer state. */
size_t vdnn_graph_param_bytes(const vdnn_graph *graph);
size_t vdnn_graph_trainable_bytes(const vdnn_graph *graph);
size_t vdnn_graph_all_state_bytes(const vdnn_graph *graph);
/* Bytes of optimizer state that this device keeps for a layer's block; 0: it owns no block. */
size_t vdnn_graph_state_bytes(const vdnn_graph *graph, int32_t layer);

/* Whether each device updates a share of the block that a layer owns. Running statistics are not
 * shared: every device keeps them. */
bool vdnn_graph_is_sharded(const vdnn_graph *graph, const vdnn_layer *block);
/* The range of floats of such a block that a device updates. */
vdnn_shard vdnn_graph_shard(const vdnn_graph *graph, const vdnn_layer *block, int32_t device);
/* The most bytes of a block that any device updates. Plans on every device hold state for that. */
size_t vdnn_graph_updated_bytes(const vdnn_graph *graph, const vdnn_layer *block);
/* Bytes of optimizer state that sharding saves on each device, over all blocks. */
size_t vdnn_graph_shard_saves(const vdnn_graph *graph);

#endif
