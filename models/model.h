#ifndef VDNN_MODELS_MODEL_H
#define VDNN_MODELS_MODEL_H

/* A network as in its file: layers with their keys, before shapes.
 *
 * The reader takes plain YAML mappings, lists and scalars in any style; anchors, aliases, tags and
 * numbers in quotes are errors. A repeat is unrolled: {i} in a name or in `from` becomes the number
 * of the iteration, from 1, and {i-1} that of the one before it; in nested repeats those of both,
 * as in "2_1". A layer without `from`
 * reads the one above it in the unrolled file, the first one the first input.
 *
 * Invariant: every layer has a known type, a unique name, a complete config, and a `from` list that
 * names layers or inputs of this model, which share no name; the graph checks the rest.
 * Threads: a model is immutable once read.
 *
 *     status = vdnn_model_read("models/lenet.yaml", &model);
 *     status = vdnn_graph_create(model, &options, &graph);
 *     vdnn_model_destroy(model); // the graph keeps nothing of it
 */

#include "layers/layer.h"

typedef struct vdnn_layer_spec {
    char *name;
    const vdnn_layer_def *def;
    void *config;
    char **from; /* at least one name */
    int32_t from_count;
    char *weight_of; /* the layer whose weight it reads; NULL: none */
    char *labels;    /* of a loss: what they are called; NULL: "labels" */
    vdnn_init init;
    int64_t parts;         /* ranges of samples that its passes run for, one after the other */
    int64_t channel_parts; /* ranges of output channels that they run for, of each of these */
    bool is_frozen;        /* its parameters stay as they are */
    bool is_adapted;       /* it has `lora`: others read the sum, VDNN_ADAPTED_SUM */
    bool is_adapter;       /* of `lora`: weight files may lack it */
    int line;
} vdnn_layer_spec;

/* Of a layer that has `lora`, how many layers later the sum is. */
enum { VDNN_ADAPTED_SUM = 4 };

enum { VDNN_REALS_MAX = 16 };

/* Some numbers. */
typedef struct vdnn_reals {
    double values[VDNN_REALS_MAX];
    int32_t count;
} vdnn_reals;

/* How the learning rate changes after the warm-up (runtime/train/schedule.h). */
typedef struct vdnn_rate_schedule {
    enum { VDNN_RATE_CONSTANT, VDNN_RATE_STEP, VDNN_RATE_COSINE } kind;
    double every;  /* of steps: epochs between them; 0: see `at` */
    vdnn_reals at; /* of steps: the epochs after which they happen, increasing */
    double factor; /* of steps: multiplies the rate */
    double floor;  /* of cosine: the final rate, relative to the base rate */
} vdnn_rate_schedule;

/* Random augmentation of training pictures (runtime/data/transform.h). */
typedef struct vdnn_augment {
    bool flip;
    int64_t crop[2];
} vdnn_augment;

typedef struct vdnn_training {
    const vdnn_optimizer *optimizer; /* never NULL */
    vdnn_settings settings;          /* of that one: the file's, else its presets */
    vdnn_settings given;             /* of the file, -1: it does not have it */
    double clip_norm;                /* of gradients; 0: they are not clipped */
    int64_t epochs;
    double warmup; /* epochs in which the rate rises from 0 */
    vdnn_rate_schedule schedule;
    vdnn_augment augment;
} vdnn_training;

/* Pixels become (pixel - mean) / std: none, one for all channels or one for each. */
typedef struct vdnn_normalization {
    vdnn_reals mean, std;
} vdnn_normalization;

/* What the network reads of each sample: a picture or tokens. */
typedef struct vdnn_input_spec {
    char *name;                      /* "input": the only one, of `input:` */
    int64_t channels, height, width; /* of a picture or volume; else 0 */
    int64_t depth;                   /* of a volume; else 0 */
    int64_t tokens, vocabulary;      /* of tokens: their number, and that of different ones */
    char *tokenizer; /* owned; of tokens: the file that says what they are of a text; NULL: none */
    vdnn_normalization normalization;
    int line;
} vdnn_input_spec;

typedef struct vdnn_model_reader vdnn_model_reader;

struct vdnn_model {
    char *name, *path;
    vdnn_input_spec inputs[VDNN_INPUTS_MAX - 1];
    int32_t input_count;    /* at least one */
    int64_t classes, batch; /* classes 0: none */
    vdnn_layer_spec *layers;
    int32_t layer_count;
    vdnn_training training;
    vdnn_model_reader *reader; /* of a network built in code; else NULL */
    char *weights;             /* the file that has its weights, too; NULL: none */
    char *notes;               /* lines for the user; NULL: none */
};

/* Takes another optimizer, with the file's settings where it has them, else its presets. */
void vdnn_training_choose(vdnn_training *training, const vdnn_optimizer *optimizer);

/* Reads a network file; one whose name ends in ".onnx" by models/onnx/onnx.h. VDNN_BAD_INPUT with
 * "file:line: what, expected what, nearest name" for any error in it, VDNN_FILE if it cannot be
 * opened. */
vdnn_status vdnn_model_read(const char *path, vdnn_model **model);

/* Resolves FILE|NAME: a path that exists, else NAME or NAME.yaml in one of `directories`. On
 * success *path is owned by the caller (vdnn_heap_free). VDNN_BAD_INPUT with the nearest name
 * otherwise. */
vdnn_status vdnn_model_find(const char *name, const char *const *directories, size_t count,
                            char **path);

#endif
