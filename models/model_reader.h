#ifndef VDNN_MODELS_MODEL_READER_H
#define VDNN_MODELS_MODEL_READER_H

/* From the tree of a network file to a model.
 *
 *     name, input(s), classes, batch, training -> tables of keys (models/section.h)
 *     layers -> `repeat` unrolled, {i} written out, `from` filled in -> model->layers
 *
 * Invariant: a repeat is unrolled layer by layer, so that the work is bounded by the layers made.
 * Threads: any, over their own models.
 *
 *     status = vdnn_yaml_tree_parse(text, length, path, &tree);
 *     status = vdnn_model_reader_read(tree, model); // model is zeroed
 */

#include "models/model.h"
#include "models/yaml_tree.h"

/* Macros, so that a build for fuzzing can lower them. */
#ifndef VDNN_MODEL_MAX_LAYERS
#define VDNN_MODEL_MAX_LAYERS 100000 /* unrolled */
#endif
#ifndef VDNN_MODEL_MAX_SOURCES
#define VDNN_MODEL_MAX_SOURCES 1000000 /* names in all `from` together, unrolled */
#endif

enum {
    VDNN_MODEL_MAX_NAME = 200,     /* bytes */
    VDNN_MODEL_MAX_ITEM = 1 << 16, /* bytes of the text of an item that is added in code */
};

/* Fills a zeroed model. On failure the model holds what was read so far and can be destroyed. */
vdnn_status vdnn_model_reader_read(const vdnn_yaml_tree *tree, vdnn_model *model);

/* The same for a network given item by item: first all but its layers, into a zeroed model that has
 * a path; then one item of `layers` at a time. An invalid item leaves the model unchanged. */
vdnn_status vdnn_model_reader_begin(const vdnn_yaml_tree *head, vdnn_model *model,
                                    vdnn_model_reader **out);
vdnn_status vdnn_model_reader_add(vdnn_model_reader *reader, const vdnn_yaml_tree *item);
void vdnn_model_reader_end(vdnn_model_reader *reader); /* accepts NULL */

/* Frees what was read of a layer. */
void vdnn_model_reader_forget(vdnn_layer_spec *layer);

#endif
