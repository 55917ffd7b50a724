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
 * If a layer cannot read its input's layout, a conversion (an internal layer `convert`) is
 * inserted:
 *
 *     pool5 (nChw16c) --> pool5:nchw (convert) --> fc6
 *     input (nchw) --> input:nhwc8 (convert) --> conv1 (nhwc), of three channels in bf16
 *
 * What a network reads of each sample are its *inputs*, one row each of a table. The labels are the
 * last row; row i of the others is tensor i, and map i:
 *
 *     0  image   (N, 3, 32, 32)   f32   tensor 0, map 0
 *     1  words   (N, 20)          i32   tensor 1, map 1
 *     2  labels  (N)              i32   read by the loss alone
 *
 * Layers may read another layer's weight: then their parameters are in one block
 * (runtime/graph/ties.h).
 *
 * A training step may run its batch in *micro-batches*, one after the other, and update the
 * parameters once, by the mean of their gradients. They are as equal as the batch allows: the first
 * batch mod N of them have one sample more. Layers, tensors and maps are those of a larger one;
 * `lesser` is the same network in the shape of the others. The plan has a value of each for every
 * micro-batch.
 *
 * Several *devices* may share the batch of a step, each with a graph of its share. What the mean
 * over a micro-batch counts is then its share of the samples of all devices, so that the sum of
 * their gradients is that of the whole batch.
 *
 * They may share the update, too: each then updates its *share* of every block, keeps the state of
 * the optimizer of that share alone, and has the others' shares from them.
 *
 * A layer that the file says is run in *parts* has each pass once for every range of samples, the
 * first range first; each reads and writes its bytes of the maps of the whole:
 *
 *     conv1, parts: 3     forward 0 | forward 1 | forward 2     workspace for a third of the
 * samples y                 | samples 0 .. 2 | 3 .. 5 | 6 .. 8 |
 *
 * The gradient of its parameters is the sum over its parts, in their order, under every policy. So
 * it may be in parts of its output channels, of each range of samples, the first range of channels
 * first: a part then writes its channels of y and its rows of the gradient of the parameters, and
 * the gradient of what all of them read is the sum over them, in their order.
 *
 *     fc6, parts: {samples: 2, channels: 3}     forward 0 1 2 | 3 4 5
 *     gradient of x                             0 + 1 + 2 of the first samples, 3 + 4 + 5 of the
 * others gradient of the parameters                rows of 0, 1, 2, to which those of 3, 4, 5 are
 * added
 *
 * Invariant: layers are in a topological order (stable in the order of the file, but for max pools
 * before ReLUs: order.h), so producers come before readers and backward is the reverse; the last
 * layer is the one loss.
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

typedef struct vdnn_tensor {
    const char *name; /* of its producer, or of the input; borrowed from the graph */
    vdnn_desc desc;
    int32_t producer; /* layer, -1: it is an input */
    int32_t *readers; /* layers, increasing; the paper's reference count is reader_count */
    int32_t reader_count;
    int32_t map;
    bool has_gradient; /* its producer or a layer before it has parameters; never of the loss's
                          output */
} vdnn_tensor;

typedef enum vdnn_map_kind {
    VDNN_MAP_INPUT,   /* pictures or tokens of the batch */
    VDNN_MAP_FEATURE, /* an activation, or a chain of them in place */
    VDNN_MAP_AUX,     /* saved by a layer for its backward: argmax, mask, probabilities */
    VDNN_MAP_RESULT,  /* the loss layer's output: {mean loss, correct predictions}, f32 */
} vdnn_map_kind;

typedef struct vdnn_map {
    vdnn_map_kind kind;
    const char *name; /* of the first writer, or of the input; borrowed */
    size_t bytes;
    int32_t first_writer; /* layer, -1: it is an input */
    int32_t last_writer;  /* the last layer in place on it; first_writer if none */
    int32_t *readers;     /* layers that read it in forward after last_writer, increasing; for an
                             auxiliary map empty */
    int32_t reader_count;
    int32_t last_forward; /* the last layer that uses it in forward */
    int32_t *needed_by;   /* layers whose backward needs it, decreasing (the order of backward) */
    int32_t needed_count; /* 0: not stashed */
} vdnn_map;

/* A row of the table of inputs. */
typedef struct vdnn_graph_input {
    const char *name; /* as in the file; "input" and "labels" where it has none */
    char *next;       /* what a plan calls that of the next step: "next ", and the name; owned */
    vdnn_desc desc;   /* of a larger micro-batch; labels: (N), or one a position, (N, T) */
    vdnn_normalization normalization; /* of a picture */
} vdnn_graph_input;

/* A range of a layer's samples and of its output channels, as a layer, and its bytes of the layer's
 * auxiliary map. */
typedef struct vdnn_graph_part {
    vdnn_part range;
    const vdnn_layer *layer; /* one for all parts of as many samples of the same channels */
    size_t aux_offset, aux_bytes;
} vdnn_graph_part;

typedef struct vdnn_graph_options {
    int64_t batch;             /* of a whole step of this device; 0: the model's */
    int32_t devices;           /* that share a step's batch; 0: one */
    int64_t step_batch;        /* samples of a step on all devices; 0: those of this one */
    vdnn_reduce_scheme reduce; /* of their gradients */
    bool gathers; /* this device sums them all, in memory of its own, to which the others send
                     theirs */
    bool shards;  /* each updates its share of what they sum, and keeps the optimizer's state of
                     that alone */
    const vdnn_reduce_buckets *buckets; /* likewise, as another device has them; NULL: of one block
                                           each, unless that is decided otherwise */
    int32_t micro_batches;              /* that the batch is run in, at most one a sample; 0: one */
    vdnn_rules rules;
    vdnn_dtype dtype;      /* of the maps of numbers: F32, TF32, BF16 or F16 */
    vdnn_layout preferred; /* of maps, as the device prefers */
    bool unfused;          /* the device has no algorithm with an epilogue (fusion.h) */
    bool pools_first;      /* under the lean rules max pools run before ReLUs (order.h) */
    bool copies_weights;   /* the device has algorithms that read copies of weights */
    size_t zone_bytes;     /* unused bytes that plans leave behind every buffer; 0: none */
    const vdnn_optimizer *optimizer; /* NULL: the model's */
    const int32_t *parts; /* per layer of the graph, of its samples; NULL: the model's; borrowed */
} vdnn_graph_options;

typedef struct vdnn_graph {
    char *name, *path;         /* the file's path; NULL: it has none */
    int64_t batch, classes;    /* of a whole step of this device */
    int32_t devices;           /* that share the batch of a step; at least one */
    int64_t step_batch;        /* samples of a step on all of them */
    vdnn_reduce_scheme reduce; /* how their gradients are summed */
    bool gathers;              /* whether this one has those of the others beside its own then */
    bool shards;               /* whether each updates its share alone; never of one device */
    vdnn_reduce_buckets buckets;
    bool has_buckets;          /* these are given, and not to be decided */
    int32_t micro_batches;     /* that it is run in, one after the other; at least one */
    int64_t micro_batch;       /* samples of the larger ones: those of every layer's descs */
    struct vdnn_graph *lesser; /* of micro-batches with one sample less, which is its whole batch;
                                  same layers, tensors and maps by number; NULL: all are equal */
    vdnn_graph_input inputs[VDNN_INPUTS_MAX];
    int32_t input_count; /* at least two: the labels come last */
    int64_t ignored;     /* label that does not count; VDNN_NO_LABEL: all do */
    vdnn_rules rules;
    vdnn_dtype dtype;
    vdnn_layout preferred;
    bool unfused, pools_first, copies_weights;
    size_t zone_bytes;
    vdnn_training training;
    vdnn_layer *layers;
    int32_t layer_count;
    vdnn_tensor *tensors; /* the inputs but for the labels, then the layers' outputs */
    int32_t tensor_count;
    vdnn_map *maps; /* inputs, features in order of their first writer, then auxiliary maps */
    int32_t map_count;
    int32_t *aux_map; /* per layer: its auxiliary map, or -1 */
    vdnn_graph_part *parts;
    int32_t *first_part; /* per layer, and their number; a layer that is run as a whole has none */
    vdnn_layer *part_layers; /* those of all parts, each shape of a layer once */
    int32_t part_layer_count;
} vdnn_graph;

/* The labels' row, which is also the number of the other inputs; what the loss reads. */
static inline int32_t vdnn_graph_labels_row(const vdnn_graph *graph)
{
    return graph->input_count - 1;
}

static inline const vdnn_desc *vdnn_graph_labels(const vdnn_graph *graph)
{
    return &graph->inputs[vdnn_graph_labels_row(graph)].desc;
}

/* A layer is a loss if its type ends in "_loss". A layer that reads a tensor twice counts as one
 * reader.
 *
 * Orders, infers shapes, marks in place where legal (one reader, not the input, and neither the
 * producer's backward nor its own needs what would be overwritten), resolves what backward needs:
 * under the lean rules a layer uses its lean_if_y exactly if its output is the last value of its
 * map and another layer's lean needs keep that map. VDNN_BAD_INPUT with file, line and reason for
 * cycles, shapes that do not fit, unread inputs and outputs, no loss or several. */
vdnn_status vdnn_graph_create(const vdnn_model *model, const vdnn_graph_options *options,
                              vdnn_graph **graph);
void vdnn_graph_destroy(vdnn_graph *graph);

/* The options of the graph, to make one with another batch or rules. */
vdnn_graph_options vdnn_graph_asked(const vdnn_graph *graph);

/* The layer whose forward pass writes a tensor: its producer, or the layer that a relu is fused
 * into. -1: it is an input. */
int32_t vdnn_graph_writer(const vdnn_graph *graph, int32_t tensor);

/* The layer that works in place on the output of `layer`, fused relus included; -1: none. Followed
 * from a map's first writer on, these are all its writers. */
int32_t vdnn_graph_next_writer(const vdnn_graph *graph, int32_t layer);

/* True when the backward pass of `layer` reads the map `map` (as X, Y or AUX). */
bool vdnn_graph_needs(const vdnn_graph *graph, int32_t layer, vdnn_pass pass, int32_t map);

/* The most parts of its samples that a layer can be run in; 1: it is run as a whole. */
int32_t vdnn_graph_most_parts(const vdnn_graph *graph, int32_t layer);
/* Per layer: that many parts, or the most that it can be run in, but no fewer than it has. */
void vdnn_graph_in_parts(const vdnn_graph *graph, int32_t count, int32_t *parts);

/* How many times each pass of a layer runs, and one of the ranges; NULL: all of it at once. */
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
/* The layer whose kernels run it: the layer itself, or that of its range. */
const vdnn_layer *vdnn_graph_part_layer(const vdnn_graph *graph, int32_t layer, int32_t part);
/* Its share of the layer's work for a micro-batch: 1 for a layer that is run as a whole. */
double vdnn_graph_part_share(const vdnn_graph *graph, int32_t layer, int32_t part);
/* Whether it is the first, or the last, of the ranges of channels of its samples. */
bool vdnn_graph_part_begins(const vdnn_graph *graph, int32_t layer, int32_t part);
bool vdnn_graph_part_ends(const vdnn_graph *graph, int32_t layer, int32_t part);
/* Bytes of the workspace of a pass in which its maps are staged (layers/part.h). */
size_t vdnn_graph_part_staged(const vdnn_graph *graph, int32_t layer, int32_t part, vdnn_pass pass);

/* Whether a layer's forward depends on which samples are in its batch, as batch norm's does: run in
 * micro-batches, such a network learns from other statistics. NULL: none does. */
const vdnn_layer *vdnn_graph_couples_samples(const vdnn_graph *graph);
/* Of several such layers one whose forward has the fewest samples together; *samples: the most that
 * it has: those of a micro-batch, of all devices where they sum its statistics. */
const vdnn_layer *vdnn_graph_couples_fewest(const vdnn_graph *graph, int64_t *samples);

/* The network in the shape of a micro-batch, whose samples are its micro_batch: `graph` or
 * graph->lesser. */
static inline const vdnn_graph *vdnn_graph_of_micro(const vdnn_graph *graph, int32_t micro)
{
    const bool is_lesser = graph->lesser != NULL && micro >= graph->batch % graph->micro_batches;
    return is_lesser ? graph->lesser : graph;
}
/* Samples of the step before those of a micro-batch. */
int64_t vdnn_graph_first_sample(const vdnn_graph *graph, int32_t micro);
/* What the mean over a micro-batch counts in that over the batch of the step, on all devices: its
 * share of the samples. */
double vdnn_graph_weight(const vdnn_graph *graph, int32_t micro);

/* Likewise of a part of a layer; of one that is not cut, of the micro-batch. */
double vdnn_graph_part_weight(const vdnn_graph *graph, int32_t micro, int32_t layer, int32_t part);

/* The samples that a device, counted from 0, has of a batch, and those of the devices before it: as
 * equal as the batch allows, the first ones have the samples that are left over. */
int64_t vdnn_graph_share(int64_t batch, int32_t devices, int32_t device);
int64_t vdnn_graph_share_first(int64_t batch, int32_t devices, int32_t device);

/* Bytes of the labels of one micro-batch, in whose shape the graph is; of its other inputs. */
size_t vdnn_graph_label_bytes(const vdnn_graph *graph);
size_t vdnn_graph_input_bytes(const vdnn_graph *graph);

/* Bytes of an input of all samples of a step. */
size_t vdnn_graph_batch_bytes(const vdnn_graph *graph, int32_t input);

/* How many labels of some samples are not ignored. */
int64_t vdnn_graph_count_labels(const vdnn_graph *graph, const int32_t *labels, int64_t samples);

/* Whether a layer's backward filter may update parameters itself: its gradient is that of the whole
 * step, and nothing but the update reads it. */
bool vdnn_graph_can_fuse(const vdnn_graph *graph, int32_t layer);

/* Whether the gradient of a layer's block is that of its micro-batch once this layer's parts are
 * added to it: no layer before it has parameters in the block (runtime/graph/ties.h). */
bool vdnn_graph_ends_gradient(const vdnn_graph *graph, const vdnn_layer *layer);

/* Bytes of all parameter blocks, of all gradient blocks, and of all blocks of optimizer state. */
size_t vdnn_graph_param_bytes(const vdnn_graph *graph);
size_t vdnn_graph_trainable_bytes(const vdnn_graph *graph);
size_t vdnn_graph_all_state_bytes(const vdnn_graph *graph);
/* Of the optimizer's state that this device keeps of a layer's block; 0 of a layer that owns none.
 */
size_t vdnn_graph_state_bytes(const vdnn_graph *graph, int32_t layer);

/* Of a layer that owns a block: whether each device updates a share of it. Running statistics are
 * no part of that: they are each device's own. */
bool vdnn_graph_is_sharded(const vdnn_graph *graph, const vdnn_layer *block);
/* The floats of such a block that a device updates. */
vdnn_shard vdnn_graph_shard(const vdnn_graph *graph, const vdnn_layer *block, int32_t device);
/* The most bytes of a block that a device updates, of which plans have the state on every device.
 */
size_t vdnn_graph_updated_bytes(const vdnn_graph *graph, const vdnn_layer *block);
/* What sharding saves on each device: of the state of all blocks. */
size_t vdnn_graph_shard_saves(const vdnn_graph *graph);

#endif
