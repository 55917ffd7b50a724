#ifndef VDNN_MODELS_ONNX_NETWORK_H
#define VDNN_MODELS_ONNX_NETWORK_H

/* From the nodes of an ONNX graph to layers: what the operators share.
 *
 * Each name of the graph has a value: a map that a layer computes, a tensor of the file, or
 * integers that are known when the file is read, such as the shape that a Reshape takes.
 *
 * Invariant: a map's dimensions are those that its layer computes; a layer's text is complete.
 * Threads: one.
 *
 *     VDNN_TRY(vdnn_onnx_input(net, 0, &x));
 *     VDNN_TRY(vdnn_onnx_emit(net, name, "relu", &x, 1, ""));
 *     return vdnn_onnx_set_map(net, name, x->dims, x->is_flat);
 */

#include "models/names.h"
#include "models/onnx/onnx.h"
#include "models/onnx/proto.h"
#include "runtime/base/text.h"
#include "runtime/data/tensors/float_types.h"
#include "runtime/data/transform.h"

enum {
    VDNN_ONNX_MOST_INTEGERS = 64, /* of a constant that is computed with */
    VDNN_ONNX_MOST_DIMS = 8,
    VDNN_ONNX_MAP_DIMS = 1 + VDNN_SIDES,
    VDNN_ONNX_NAME_BYTES = 208,
};

/* In integers: the size of the batch, which is not known yet. */
#define VDNN_ONNX_BATCH INT64_MIN

typedef enum vdnn_onnx_kind {
    VDNN_ONNX_NOTHING, /* an output that nothing may read */
    VDNN_ONNX_MAP,
    VDNN_ONNX_TENSOR,
    VDNN_ONNX_INTEGERS,
} vdnn_onnx_kind;

typedef struct vdnn_onnx_value {
    vdnn_onnx_kind kind;
    /* of a map */
    const char *layer;                /* that writes it */
    int64_t dims[VDNN_ONNX_MAP_DIMS]; /* channels, of a volume depth, height, width; 1 beyond */
    int sides;                        /* 2, of a volume 3 */
    bool is_flat;                     /* the graph has it as (N, all of these) */
    bool is_softmax;                  /* only the network's output */
    /* zeros around it, which only a convolution can add: before each side, then after each */
    int64_t pad[2 * VDNN_SIDES];
    int version; /* of the input: how much of its normalization it is after */
    /* of a tensor */
    const vdnn_onnx_tensor *tensor;
    /* of integers */
    const int64_t *integers;
    size_t count;
    int rank; /* 0 or 1 */
} vdnn_onnx_value;

/* Where the values of a tensor are. */
typedef struct vdnn_onnx_place {
    const vdnn_source *source; /* borrowed */
    uint64_t begin;
    const vdnn_float_type *type;
} vdnn_onnx_place;

/* A parameter of a layer, and the tensor that has its values. */
typedef struct vdnn_onnx_weight {
    const char *name;
    int64_t dims[VDNN_PARAM_DIMS]; /* of the parameter */
    int dim_count;
    int64_t count;
    bool is_transposed; /* in the file: dims[1] x dims[0] */
    bool is_one;        /* in the file: one number for all */
    double scale;
    vdnn_onnx_place place;
} vdnn_onnx_weight;

/* Another file with tensors. */
typedef struct vdnn_onnx_file {
    const char *location;
    vdnn_source *source;
} vdnn_onnx_file;

/* Part of a transposed weight, in the order of weight files (tensors.c). */
typedef struct vdnn_onnx_panel {
    const vdnn_onnx_weight *weight; /* NULL: of none */
    int64_t first_row, rows;
    float *values;
} vdnn_onnx_panel;

/* Of the input: scale * x + shift. */
typedef struct vdnn_onnx_normalization {
    double scale[VDNN_TRANSFORM_MAX_CHANNELS], shift[VDNN_TRANSFORM_MAX_CHANNELS];
    bool is_each; /* channels differ; else the first stands for all */
    bool is_read; /* a layer reads it: it is complete */
    int version;  /* how many nodes are part of it */
} vdnn_onnx_normalization;

struct vdnn_onnx {
    vdnn_source *source;
    vdnn_hoard hoard;
    vdnn_onnx_proto proto;
    int64_t opset, batch; /* batch 0: not fixed */
    vdnn_onnx_normalization normalization;

    vdnn_names names; /* of values */
    VDNN_ONNX_LIST(vdnn_onnx_value) values;
    int32_t *readers;           /* per value: how many nodes read it */
    int32_t *reader;            /* per value: the last of them */
    bool *is_done;              /* per node: another one did its work, or nothing needs it */
    vdnn_names layers;          /* names that are taken */
    vdnn_names shared;          /* of tensors that layers have */
    const vdnn_onnx_node *node; /* the one that is read */
    int32_t index;              /* its number, from 0 */

    VDNN_ONNX_LIST(vdnn_onnx_weight) weights;
    VDNN_ONNX_LIST(vdnn_onnx_file) files;
    vdnn_onnx_panel panel;
    vdnn_text text, notes;
    int line; /* of the text */

    /* for notes */
    int32_t convs, biased_convs, norms, sums, shared_count;
    const char *folded, *first_shared;
};

typedef struct vdnn_onnx_operator {
    const char *name;
    int least_inputs, most_inputs; /* most -1: any number */
    const char *attributes;        /* those that are read, separated by blanks */
    vdnn_status (*map)(vdnn_onnx *net);
} vdnn_onnx_operator;

/* NULL beyond the last. */
const vdnn_onnx_operator *vdnn_onnx_operator_at(size_t i);

/* ---- messages -------------------------------------------------------------------------------- */

/* VDNN_BAD_INPUT with the file, the current node and its operator before the text. */
#define vdnn_onnx_refuse(net, ...) (vdnn_onnx_say(net, __VA_ARGS__), (vdnn_status)VDNN_BAD_INPUT)
void vdnn_onnx_say(const vdnn_onnx *net, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* VDNN_NO_MEMORY. */
#define vdnn_onnx_no_memory(net)                                                                   \
    vdnn_status_fail((vdnn_status)VDNN_NO_MEMORY, "%s: no memory for the network",                 \
                     vdnn_source_path((net)->source))

/* ---- attributes of the current node ---------------------------------------------------------- */

const vdnn_onnx_attribute *vdnn_onnx_attribute_find(const vdnn_onnx *net, const char *name);
int64_t vdnn_onnx_integer(const vdnn_onnx *net, const char *name, int64_t preset);
double vdnn_onnx_real(const vdnn_onnx *net, const char *name, double preset);
const char *vdnn_onnx_word(const vdnn_onnx *net, const char *name, const char *preset);
/* Exactly `count` integers; all `preset` if it is absent. */
vdnn_status vdnn_onnx_integers(const vdnn_onnx *net, const char *name, int64_t *integers,
                               size_t count, int64_t preset);

/* ---- inputs of the current node -------------------------------------------------------------- */

bool vdnn_onnx_has_input(const vdnn_onnx *net, size_t i);
/* Any value; VDNN_BAD_INPUT if it is absent. */
vdnn_status vdnn_onnx_any_input(vdnn_onnx *net, size_t i, vdnn_onnx_value **value);
/* A map. */
vdnn_status vdnn_onnx_input(vdnn_onnx *net, size_t i, vdnn_onnx_value **value);
/* A tensor of the file. */
vdnn_status vdnn_onnx_tensor_input(vdnn_onnx *net, size_t i, const vdnn_onnx_tensor **tensor);
/* Integers, also of a tensor. */
vdnn_status vdnn_onnx_integer_input(vdnn_onnx *net, size_t i, const vdnn_onnx_value **integers);
/* A tensor of one number. */
vdnn_status vdnn_onnx_real_input(vdnn_onnx *net, size_t i, double *real);
/* Elements of a map's sample. */
int64_t vdnn_onnx_elements(const vdnn_onnx_value *map);
/* Its dimensions without the batch, "3 x 8 x 8", into `text`, which is returned. */
enum { VDNN_ONNX_SHAPE_TEXT = 96 };
const char *vdnn_onnx_shape_text(const vdnn_onnx_value *map, char text[VDNN_ONNX_SHAPE_TEXT]);
/* Writes a flatten layer after the map's if the graph has it flat but the layer does not. */
vdnn_status vdnn_onnx_flatten(vdnn_onnx *net, vdnn_onnx_value *map);

/* ---- results of the current node ------------------------------------------------------------- */

/* A name for its layer that no other has: that of its weight, its bias, or the node's. */
vdnn_status vdnn_onnx_layer_name(vdnn_onnx *net, const vdnn_onnx_tensor *weight,
                                 const vdnn_onnx_tensor *bias, const char **name);
/* Adds a layer to the text; `keys` are further keys, each with ", " before it. */
vdnn_status vdnn_onnx_emit(vdnn_onnx *net, const char *name, const char *type,
                           vdnn_onnx_value *const *inputs, size_t count, const char *keys, ...)
    __attribute__((format(printf, 6, 7)));
/* Its first output is a map of that shape, integers, or the same as a value. */
vdnn_status vdnn_onnx_set_map(vdnn_onnx *net, const char *layer, const vdnn_onnx_value *like);
vdnn_status vdnn_onnx_set_integers(vdnn_onnx *net, const int64_t *integers, size_t count, int rank);
vdnn_status vdnn_onnx_set_value(vdnn_onnx *net, const char *output, const vdnn_onnx_value *value);

/* ---- tensors --------------------------------------------------------------------------------- */

/* Elements; VDNN_BAD_INPUT if a dimension is negative or there are too many. */
vdnn_status vdnn_onnx_tensor_count(const vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                   int64_t *count);
/* Whether it is a type of floats, which are all read as float32. */
bool vdnn_onnx_is_float(int64_t type);
/* The values of a tensor of floats, `most` at most. */
vdnn_status vdnn_onnx_tensor_floats(vdnn_onnx *net, const vdnn_onnx_tensor *tensor, float *floats,
                                    int64_t most, int64_t *count);
/* Up to VDNN_ONNX_MOST_INTEGERS integers, or floats that are whole numbers. */
vdnn_status vdnn_onnx_tensor_integers(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                      const int64_t **integers, size_t *count);
/* The tensor is the parameter `LAYER.PARAM`, of dims that `like` has. */
vdnn_status vdnn_onnx_add_weight(vdnn_onnx *net, const char *layer, const char *param,
                                 const vdnn_onnx_tensor *tensor, const vdnn_onnx_weight *like);

/* ---- operators ------------------------------------------------------------------------------- */

#define VDNN_ONNX_MAP_FUNCTION(name) vdnn_status vdnn_onnx_map_##name(vdnn_onnx *net)
/* normalization.c */
VDNN_ONNX_MAP_FUNCTION(normalization);
/* Takes the node as part of the input's normalization, if it is one. */
vdnn_status vdnn_onnx_normalize(vdnn_onnx *net, bool *is_done);
/* Adds the keys mean and std to the input's, if there is any. */
void vdnn_onnx_add_normalization(vdnn_onnx *net, int64_t channels);
/* windows.c */
VDNN_ONNX_MAP_FUNCTION(conv_transpose);
VDNN_ONNX_MAP_FUNCTION(conv);
VDNN_ONNX_MAP_FUNCTION(maxpool);
VDNN_ONNX_MAP_FUNCTION(avgpool);
VDNN_ONNX_MAP_FUNCTION(global_maxpool);
VDNN_ONNX_MAP_FUNCTION(global_avgpool);
VDNN_ONNX_MAP_FUNCTION(reduce_mean);
VDNN_ONNX_MAP_FUNCTION(pad);
VDNN_ONNX_MAP_FUNCTION(resize);
/* Before opset 10 it is called so. */
VDNN_ONNX_MAP_FUNCTION(upsample);
/* dense.c */
VDNN_ONNX_MAP_FUNCTION(gemm);
VDNN_ONNX_MAP_FUNCTION(matmul);
/* pointwise.c */
VDNN_ONNX_MAP_FUNCTION(relu);
VDNN_ONNX_MAP_FUNCTION(clip);
VDNN_ONNX_MAP_FUNCTION(gelu);
VDNN_ONNX_MAP_FUNCTION(sigmoid);
VDNN_ONNX_MAP_FUNCTION(tanh);
VDNN_ONNX_MAP_FUNCTION(hardswish);
VDNN_ONNX_MAP_FUNCTION(leaky_relu);
VDNN_ONNX_MAP_FUNCTION(add);
/* Of maps alone. */
VDNN_ONNX_MAP_FUNCTION(product);
VDNN_ONNX_MAP_FUNCTION(concat);
VDNN_ONNX_MAP_FUNCTION(batchnorm);
VDNN_ONNX_MAP_FUNCTION(instancenorm);
VDNN_ONNX_MAP_FUNCTION(layernorm);
VDNN_ONNX_MAP_FUNCTION(lrn);
VDNN_ONNX_MAP_FUNCTION(dropout);
VDNN_ONNX_MAP_FUNCTION(softmax);
VDNN_ONNX_MAP_FUNCTION(identity);
/* shapes.c */
VDNN_ONNX_MAP_FUNCTION(constant);
VDNN_ONNX_MAP_FUNCTION(shape);
VDNN_ONNX_MAP_FUNCTION(gather);
VDNN_ONNX_MAP_FUNCTION(slice);
VDNN_ONNX_MAP_FUNCTION(cast);
VDNN_ONNX_MAP_FUNCTION(mul);
VDNN_ONNX_MAP_FUNCTION(flatten);
VDNN_ONNX_MAP_FUNCTION(reshape);
VDNN_ONNX_MAP_FUNCTION(squeeze);
VDNN_ONNX_MAP_FUNCTION(unsqueeze);
VDNN_ONNX_MAP_FUNCTION(transpose);
/* Whether the axes that the node names are all sides of the map. */
vdnn_status vdnn_onnx_names_sides(vdnn_onnx *net, const vdnn_onnx_value *x, bool *are_sides);
/* Concat of integers, for `concat`. */
vdnn_status vdnn_onnx_join_integers(vdnn_onnx *net);

#endif
