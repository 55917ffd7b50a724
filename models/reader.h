#ifndef VDNN_MODELS_READER_H
#define VDNN_MODELS_READER_H

/* What the readers of a network file share: where they are in it, and names.
 *
 *     model_reader.c    the whole file, repeats, items that are given one by one
 *     input_reader.c    `input` and `inputs`
 *     layer_reader.c    one layer, and `init`
 *     lora_reader.c     `lora`, as layers
 *
 * Invariant: a layer or an input that is not read to its end is in the model, and is freed with it.
 * Threads: any, over their own models.
 *
 *     status = vdnn_reader_name(r, node, "name of an input", VDNN_NOT_IN_INPUTS, &name);
 */

#include "models/model_reader.h"
#include "models/names.h"

enum { VDNN_COUNTER_BYTES = 12 * VDNN_YAML_MAX_DEPTH };

/* The name of the input that `input:` describes. */
#define VDNN_ONLY_INPUT "input"

/* Characters that the name of an input or of labels must not have: it is one of files too. */
#define VDNN_NOT_IN_INPUTS " \"'\\{}[],/"

/* What a repeat replaces in names: by the number of the iteration, and of the one before it. */
#define VDNN_COUNTER "{i}"
#define VDNN_COUNTER_BEFORE "{i-1}"

struct vdnn_model_reader {
    const vdnn_yaml_tree *tree;
    vdnn_model *model;
    int32_t capacity;     /* of model->layers */
    int32_t source_count; /* names in all `from` so far */
    vdnn_names names;
    vdnn_init init;
    /* The value of {i}, "3", in a nested repeat "3_1", and that of {i-1}, "2" or "3_0"; "" outside.
     */
    char counter[VDNN_COUNTER_BYTES], before[VDNN_COUNTER_BYTES];
};

vdnn_status vdnn_reader_no_memory(const vdnn_model_reader *r);
int vdnn_reader_line(const vdnn_model_reader *r, int32_t node);

/* A copy of the text of `node`, with every {i} and {i-1} replaced, the caller's; VDNN_BAD_INPUT if
 * it has one of the characters that are `forbidden`. */
vdnn_status vdnn_reader_name(const vdnn_model_reader *r, int32_t node, const char *what,
                             const char *forbidden, char **name);

/* `init:`; a node of -1 leaves it as it is. */
vdnn_status vdnn_reader_init(const vdnn_model_reader *r, int32_t node, vdnn_init *init);

/* Adds one layer to the model, and those of its `lora`. */
vdnn_status vdnn_reader_layer(vdnn_model_reader *r, int32_t node);
/* Its steps: a layer of zeros at the end, which may move the others; then, once it has a name, that
 * no other has it. */
vdnn_status vdnn_reader_append(vdnn_model_reader *r, int line);
vdnn_status vdnn_reader_claim(vdnn_model_reader *r, const vdnn_layer_spec *layer);
/* `lora:` of the last layer, which the file says is trained or does not. */
vdnn_status vdnn_reader_lora(vdnn_model_reader *r, int32_t node, bool is_trained);

/* The nodes of `input` and `inputs`, one of which is there. */
vdnn_status vdnn_reader_inputs(vdnn_model_reader *r, int32_t only, int32_t named);

#endif
