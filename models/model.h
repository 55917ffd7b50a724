#ifndef VDNN_MODELS_MODEL_H
#define VDNN_MODELS_MODEL_H

/* A network as its file says it: layers with their keys, before shapes.
 *
 * Read are plain YAML mappings, lists and scalars in any style; anchors, aliases, tags and numbers
 * in quotes are refused. A repeat is unrolled: {i} in a name or in `from` becomes the number of the
 * round, from 1; in a repeat within a repeat those of both, as in "2_1". A layer without `from`
 * reads the one above it in the unrolled file.
 *
 * Invariant: every layer has a known type, a unique name, a complete config, and a `from` list that
 * names layers of this model or "input"; nothing is said about cycles or shapes (the graph does).
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
    vdnn_init init;
    int line;
} vdnn_layer_spec;

typedef struct vdnn_training {
    double lr, momentum, weight_decay;
    int64_t epochs;
} vdnn_training;

typedef struct vdnn_model {
    char *name, *path;
    int64_t channels, height, width, classes, batch;
    vdnn_layer_spec *layers;
    int32_t layer_count;
    vdnn_training training;
} vdnn_model;

/* Reads a network file. VDNN_BAD_INPUT with "file:line: what, expected what, nearest name" for
 * anything that is wrong with it, VDNN_FILE where it cannot be opened. */
vdnn_status vdnn_model_read(const char *path, vdnn_model **model);

/* The same from memory; `path` is what messages call it. */
vdnn_status vdnn_model_parse(const char *text, size_t length, const char *path, vdnn_model **model);

/* Resolves FILE|NAME: a path that exists, else NAME or NAME.yaml in one of `directories`. On
 * success *path is owned by the caller (vdnn_heap_free). VDNN_BAD_INPUT with the nearest name
 * otherwise. */
vdnn_status vdnn_model_find(const char *name, const char *const *directories, size_t count,
                            char **path);

void vdnn_model_destroy(vdnn_model *model);

#endif
