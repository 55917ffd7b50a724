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
#include "models/onnx/view.h"
#include "runtime/base/text.h"
#include "runtime/data/tensors/float_types.h"
#include "runtime/data/transform.h"

enum {
    VDNN_ONNX_MOST_INTEGERS = 64, /* of a list of sizes, axes or pads */
    VDNN_ONNX_MOST_INPUTS = 8,    /* of tokens */
    VDNN_ONNX_MAP_DIMS = 1 + VDNN_SIDES,
    VDNN_ONNX_NAME_BYTES = 208,
};

/* Stands for the size of the batch where a file leaves it open: a prime that no dimension has, so
 * that sizes which exporters compute with it are still known to be its multiples. */
enum { VDNN_ONNX_OPEN_BATCH = 999983 };

typedef enum vdnn_onnx_kind {
    VDNN_ONNX_NOTHING, /* an output that nothing may read */
    VDNN_ONNX_MAP,
    VDNN_ONNX_TENSOR,
    VDNN_ONNX_VIEW, /* of a map, a tensor, numbers or scores */
} vdnn_onnx_kind;

/* Products of queries and keys, before or after their softmax (attention.c). */
typedef struct vdnn_onnx_scores vdnn_onnx_scores;

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
    /* of a view: its base is the layer, the scores, the numbers or the tensor, whichever is there
     */
    const vdnn_onnx_view *view;
    const vdnn_onnx_scores *scores;
    bool is_sequence;            /* the layer's dims are positions and features */
    int32_t tokens;              /* of an input of tokens: its number in net->tokens, plus 1 */
    struct vdnn_onnx_join *join; /* of a layer that is written once both halves are read; or NULL */
    const struct vdnn_onnx_pile *pile; /* of nothing that a layer computes; or NULL */
    double factor; /* of a map: what reads it multiplies by that; 0: by nothing */
    /* of a constant */
    const vdnn_onnx_tensor *tensor;
    const double *numbers; /* its base, once that is read */
    bool is_integer;
    /* as a list, once that is asked for */
    const int64_t *integers;
    size_t count;
} vdnn_onnx_value;

/* Two layers side by side, as the directions of an LSTM. */
typedef struct vdnn_onnx_join {
    const char *halves[2];
    bool is_written;
} vdnn_onnx_join;

/* Values along a dimension that no layer joins, as the last states of stacked layers: what reads
 * some of one of them reads that. */
typedef struct vdnn_onnx_pile {
    vdnn_onnx_value **values;
    size_t count;
    int64_t axis;
} vdnn_onnx_pile;

/* A layer of pictures, and the one that makes sequences of them. */
typedef struct vdnn_onnx_cells {
    const char *picture, *sequence;
} vdnn_onnx_cells;

/* Where the values of a tensor are. */
typedef struct vdnn_onnx_place {
    const vdnn_source *source; /* borrowed */
    uint64_t begin;
    const vdnn_float_type *type;
    const double *numbers; /* NULL: they are there */
} vdnn_onnx_place;

/* A parameter of a layer, and the tensor that has its values. */
typedef struct vdnn_onnx_weight {
    const char *name;
    int64_t dims[VDNN_PARAM_DIMS]; /* of the parameter */
    int dim_count;
    int64_t count;
    bool is_transposed; /* in the file: dims[1] x dims[0] */
    bool is_one;        /* in the file: one number for all */
    bool is_table;      /* of an embedding */
    bool has_gates;     /* rows in the order of ONNX's gates, from first_row on */
    int64_t first_row;
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

/* An input of tokens. */
typedef struct vdnn_onnx_tokens {
    const char *name;
    int64_t positions, vocabulary; /* 0: no layer reads it */
} vdnn_onnx_tokens;

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
    vdnn_onnx_tokens tokens[VDNN_ONNX_MOST_INPUTS];
    int32_t token_count;

    vdnn_names names; /* of values */
    VDNN_ONNX_LIST(vdnn_onnx_value) values;
    int32_t *readers;           /* per value: how many nodes read it */
    int32_t *reader;            /* per value: the last of them */
    int32_t *writer;            /* per value: the node that writes it, -1: none */
    bool *is_done;              /* per node: another one did its work, or nothing needs it */
    vdnn_names layers;          /* names that are taken */
    vdnn_names shared;          /* of tensors that layers have */
    const vdnn_onnx_node *node; /* the one that is read */
    int32_t index;              /* its number, from 0 */
    vdnn_onnx_node end;         /* a node after the last one: it reads the output as rows */
    const char *end_input;

    VDNN_ONNX_LIST(vdnn_onnx_cells) cells;
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
/* A tensor: of the file, or computed from such. */
vdnn_status vdnn_onnx_tensor_input(vdnn_onnx *net, size_t i, const vdnn_onnx_tensor **tensor);
/* That of a constant. */
vdnn_status vdnn_onnx_tensor_of(vdnn_onnx *net, vdnn_onnx_value *constant,
                                const vdnn_onnx_tensor **tensor);
/* Whole numbers: `integers` and `count` of the value. */
vdnn_status vdnn_onnx_integer_input(vdnn_onnx *net, size_t i, const vdnn_onnx_value **integers);
/* One number. */
vdnn_status vdnn_onnx_real_input(vdnn_onnx *net, size_t i, double *real);
/* What a reader of the map multiplies by. */
static inline double vdnn_onnx_factor(const vdnn_onnx_value *map)
{
    return map->factor < 0 || map->factor > 0 ? map->factor : 1;
}
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
/* Its first output's; "": it has none. */
const char *vdnn_onnx_output_name(const vdnn_onnx *net);
/* Its first output is a map of that shape, or the same as a value. */
vdnn_status vdnn_onnx_set_map(vdnn_onnx *net, const char *layer, const vdnn_onnx_value *like);
vdnn_status vdnn_onnx_set_result(vdnn_onnx *net, const vdnn_onnx_value *value);
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
/* All numbers of a tensor of any type. */
vdnn_status vdnn_onnx_tensor_numbers(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                     double *numbers, int64_t count);
/* The tensor is the parameter `LAYER.PARAM`, of dims that `like` has. */
vdnn_status vdnn_onnx_add_weight(vdnn_onnx *net, const char *layer, const char *param,
                                 const vdnn_onnx_tensor *tensor, const vdnn_onnx_weight *like);
/* The parameter of an embedding that has the same numbers as the tensor, so that the two were one
 * in training; NULL: none has. */
vdnn_status vdnn_onnx_find_table(vdnn_onnx *net, const vdnn_onnx_tensor *tensor,
                                 const vdnn_onnx_weight *like, const char **name);

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
VDNN_ONNX_MAP_FUNCTION(silu);
VDNN_ONNX_MAP_FUNCTION(tanh);
VDNN_ONNX_MAP_FUNCTION(hardswish);
VDNN_ONNX_MAP_FUNCTION(leaky_relu);
VDNN_ONNX_MAP_FUNCTION(add);
VDNN_ONNX_MAP_FUNCTION(mul);
VDNN_ONNX_MAP_FUNCTION(concat);
VDNN_ONNX_MAP_FUNCTION(batchnorm);
VDNN_ONNX_MAP_FUNCTION(instancenorm);
VDNN_ONNX_MAP_FUNCTION(layernorm);
VDNN_ONNX_MAP_FUNCTION(rmsnorm);
VDNN_ONNX_MAP_FUNCTION(lrn);
VDNN_ONNX_MAP_FUNCTION(dropout);
VDNN_ONNX_MAP_FUNCTION(softmax);
VDNN_ONNX_MAP_FUNCTION(identity);
VDNN_ONNX_MAP_FUNCTION(cast);
/* shapes.c */
VDNN_ONNX_MAP_FUNCTION(constant);
VDNN_ONNX_MAP_FUNCTION(expand);
VDNN_ONNX_MAP_FUNCTION(flatten);
VDNN_ONNX_MAP_FUNCTION(gather);
VDNN_ONNX_MAP_FUNCTION(reshape);
VDNN_ONNX_MAP_FUNCTION(shape);
VDNN_ONNX_MAP_FUNCTION(slice);
VDNN_ONNX_MAP_FUNCTION(split);
VDNN_ONNX_MAP_FUNCTION(squeeze);
VDNN_ONNX_MAP_FUNCTION(unsqueeze);
VDNN_ONNX_MAP_FUNCTION(transpose);
/* Whether the axes that the node names are all sides of the map. */
vdnn_status vdnn_onnx_names_sides(vdnn_onnx *net, const vdnn_onnx_value *x, bool *are_sides);
/* Whether they are axis 1 of 3. */
vdnn_status vdnn_onnx_names_middle(vdnn_onnx *net, bool *is_middle);
/* The view of any value but of nothing. */
vdnn_onnx_view vdnn_onnx_view_of(const vdnn_onnx *net, const vdnn_onnx_value *value);
/* The base of a value in another view: a picture or vector where it is one. */
vdnn_status vdnn_onnx_set_view(vdnn_onnx *net, const char *output, const vdnn_onnx_value *value,
                               const vdnn_onnx_view *view);
/* numbers.c */
bool vdnn_onnx_is_constant(const vdnn_onnx_value *value);
/* The numbers of its base, in memory. */
vdnn_status vdnn_onnx_read_numbers(vdnn_onnx *net, vdnn_onnx_value *value);
/* Those of the value itself, in its order. */
vdnn_status vdnn_onnx_dense_numbers(vdnn_onnx *net, vdnn_onnx_value *value, const double **numbers);
/* Computes a node of constants. */
vdnn_status vdnn_onnx_fold(vdnn_onnx *net, bool *is_done);
/* rewrite.c: known groups of nodes as one. */
vdnn_status vdnn_onnx_rewrite(vdnn_onnx *net);
/* sequences.c */
/* Input i as a vector, or as a sequence: the last dimension is all features of a layer, the others
 * are samples and positions. Writes the layers that this takes. */
vdnn_status vdnn_onnx_rows(vdnn_onnx *net, size_t i, vdnn_onnx_value **rows);
/* The value as one of a sequence that a layer writes: the cells of a picture become positions. */
vdnn_status vdnn_onnx_make_sequence(vdnn_onnx *net, vdnn_onnx_value *value);
/* Its first output is what a layer computed of the rows, with `features` at each position. */
vdnn_status vdnn_onnx_set_rows(vdnn_onnx *net, const char *layer, const vdnn_onnx_value *rows,
                               int64_t features);
/* A sequence as (N, positions, features). */
vdnn_onnx_value vdnn_onnx_sequence(const char *layer, int64_t positions, int64_t features);
VDNN_ONNX_MAP_FUNCTION(embedding);
VDNN_ONNX_MAP_FUNCTION(positions);
VDNN_ONNX_MAP_FUNCTION(first_positions);
VDNN_ONNX_MAP_FUNCTION(mean_of_positions);
VDNN_ONNX_MAP_FUNCTION(lstm);
/* attention.c */
bool vdnn_onnx_are_scores(const vdnn_onnx_value *value);
VDNN_ONNX_MAP_FUNCTION(scores);
VDNN_ONNX_MAP_FUNCTION(attention);
/* Add, Mul, Div, Where and Softmax of scores. */
VDNN_ONNX_MAP_FUNCTION(masked_scores);
VDNN_ONNX_MAP_FUNCTION(scaled_scores);
VDNN_ONNX_MAP_FUNCTION(softmax_of_scores);
VDNN_ONNX_MAP_FUNCTION(where);

#endif
