#ifndef VDNN_LAYERS_LAYER_H
#define VDNN_LAYERS_LAYER_H

/* Layers: layer types, and the algorithms that compute them.
 *
 * Invariant: a layer never allocates while it runs and never schedules. It declares which buffers
 * its backward needs and how many bytes of workspace an algorithm requires, then computes in memory
 * that the plan assigns. A buffer that a pass did not declare is NULL.
 * Threads: definitions and algorithm rows are const; a kernel is used by one thread at a time.
 *
 *     const vdnn_layer_def *def = vdnn_layer_def_find("conv");
 *     row = vdnn_algorithm_find("conv", "direct", "cpu");
 *     const char *why = vdnn_algorithm_refusal(row, layer, VDNN_FORWARD); // NULL: it applies
 *     status = vdnn_kernel_create(row, layer, VDNN_FORWARD, threads, &kernel);
 *     status = vdnn_kernel_run(kernel, &args);
 *     vdnn_kernel_destroy(kernel);
 *
 * A new kind of layer is one file with a vdnn_layer_def and one line in VDNN_LAYER_DEF_TABLE; a new
 * algorithm one file with a vdnn_algorithm and one line in VDNN_ALGORITHM_TABLE
 * (layers/registry.h).
 */

#include "layers/optimizer.h"
#include "layers/tensor.h"
#include "runtime/base/status.h"

/* ---- passes ---------------------------------------------------------------------------------- */

const char *vdnn_pass_text(vdnn_pass pass);

typedef enum vdnn_rules { VDNN_RULES_PAPER, VDNN_RULES_LEAN } vdnn_rules;

/* ---- a layer in a network -------------------------------------------------------------------- */

typedef struct vdnn_layer vdnn_layer;

/* Parameters of a layer at the most; a custom one has VDNN_MAX_PARAMS. */
enum { VDNN_LAYER_PARAMS = 5, VDNN_PARAM_DIMS = 5 };

/* How parameters are initialized. */
typedef struct vdnn_init {
    enum { VDNN_INIT_HE, VDNN_INIT_XAVIER, VDNN_INIT_NORMAL, VDNN_INIT_ZEROS } kind;
    double std; /* of VDNN_INIT_NORMAL */
} vdnn_init;

/* How a parameter is updated. */
typedef enum vdnn_update_rule {
    VDNN_UPDATE_OPTIMIZER, /* by its gradient, as the network's optimizer does */
    VDNN_UPDATE_AVERAGE,   /* w = (1 - rate) * w + rate * dw: a running statistic, whose "gradient"
                              is the micro-batch's; its slots are not used; after all that are
                              summed */
} vdnn_update_rule;

/* The layout of a parameter in its block. Weight files always have it plain. */
typedef enum vdnn_param_layout {
    VDNN_PARAM_PLAIN,   /* row-major in dims */
    VDNN_PARAM_BLOCKED, /* a convolution's weight as oneDNN's OIhw16i16o or OIdhw16i16o:
                           (O/16, I/16, cells of the kernel, 16 i, 16 o), both padded with zeros to
                           a multiple of 16 */
} vdnn_param_layout;

typedef struct vdnn_param {
    const char *name; /* "weight", "bias", ...: the suffix in weight files */
    int64_t dims[VDNN_PARAM_DIMS];
    int dim_count;
    vdnn_param_layout layout;
    int64_t count;           /* elements without padding, f32 */
    size_t bytes;            /* in the block, with padding */
    size_t offset;           /* bytes into the parameter block, a multiple of 4 */
    bool trainable;          /* has a gradient and slots, at the same offset of their blocks */
    vdnn_update_rule update; /* of a trainable one */
    double rate;             /* of VDNN_UPDATE_AVERAGE */
    bool is_bias;            /* filled with zeros, whatever the init, but for `part` */
    struct {
        int64_t first, count;
        double fill;
    } part;                  /* of a bias: elements that begin with that number */
    double fill;             /* initial value if init does not apply (batch norm's ones) */
    int64_t fan_in, fan_out; /* for he (std = sqrt(2 / fan_in)) and xavier; 0: use fill */
} vdnn_param;

/* Which layouts a layer's maps may have; all its inputs have one. */
typedef enum vdnn_layout_rule {
    VDNN_LAYOUT_PLAIN,    /* reads and writes NCHW; other inputs are converted first */
    VDNN_LAYOUT_SAME,     /* reads any, writes what it reads */
    VDNN_LAYOUT_TO_PLAIN, /* reads any, writes NCHW */
    VDNN_LAYOUT_FREE, /* reads any, but NHWC or padded (vdnn_layout_aligned) if that is the device's
                         preferred one; writes that (vdnn_layout_for) */
} vdnn_layout_rule;

/* How the channels of y can be computed by ranges: at multiples of `unit`, each unit from `x_unit`
 * channels of every input; 0: from all of them. A unit of 0: they cannot. */
typedef struct vdnn_channel_rule {
    int64_t unit, x_unit;
} vdnn_channel_rule;

/* What a layer's inputs may be; the graph refuses others. */
typedef enum vdnn_input_rule {
    VDNN_INPUT_PICTURE, /* numbers, as pictures or vectors */
    VDNN_INPUT_ANY,     /* numbers, also as sequences */
    VDNN_INPUT_TOKENS,  /* integers */
} vdnn_input_rule;

/* What a forward pass applies to y as it writes it, in the place of the layer that follows it
 * (runtime/graph/fusion.h). */
typedef enum vdnn_epilogue {
    VDNN_EPILOGUE_NONE,
    VDNN_EPILOGUE_RELU, /* y = max(0, .) */
} vdnn_epilogue;

/* No label has this number: they are of 32 bits. */
#define VDNN_NO_LABEL INT64_MIN

/* What a loss compares its input with, its labels. */
typedef enum vdnn_target {
    VDNN_TARGET_NONE,    /* the layer is no loss */
    VDNN_TARGET_CLASSES, /* of each row of scores a class, int32_t: softmax makes probabilities */
    VDNN_TARGET_MASKS,   /* the same; what is classified so are areas, judged by their overlap */
    VDNN_TARGET_NUMBERS, /* of each number another one, f32 */
    VDNN_TARGET_CHANCES, /* of each number a probability, f32: sigmoid makes one of the number */
} vdnn_target;

typedef struct vdnn_layer_def {
    const char *type;
    vdnn_role role;
    vdnn_target target;
    vdnn_layout_rule layout_rule;
    vdnn_input_rule input_rule;
    /* Of input i of that many, where they differ. NULL: input_rule is of all of them. */
    vdnn_input_rule (*rule_of_input)(int32_t count, int32_t i);
    bool internal; /* not a type of network files: only the graph inserts it */
    bool joint;    /* backward data writes dw too, reading the maps once; a separate backward filter
                      runs only if no dx is required */
    const vdnn_key *keys;
    size_t key_count, config_bytes;
    size_t later_keys; /* the last ones, which profiles of before do not name: their presets are
                          left out of signatures */
    /* By key: the words that one of VDNN_KEY_WORD can be, in the order of their numbers, then NULL.
     * NULL: no key is of that kind. */
    const char *const *const *words;
    int min_inputs, max_inputs; /* max 0: any number */
    bool in_place;              /* may write y over x and dx over dy */
    bool dx_over_dy;            /* writes the first required dx over dy; those have dy's shape */
    bool dx_over_x;             /* of one input: may write dx over x (vdnn_graph_dx_over_x) */
    bool copies_weight;         /* kernels may read params[0] from a copy (layers/weight_copy.h) */
    bool ties_weight;           /* params[0] may be another layer's, of such a type too */
    bool multiplies;            /* passes are products of matrices: mostly arithmetic */
    bool looks_up;              /* reads rows of its weight, in all as many bytes as y has */
    bool adds_gradient;         /* can add to dw (vdnn_kernel_args.adds_dw) instead of writing it,
                                   to the bits of one pass over all samples; has no statistics */
    bool recompute_is_cheap;    /* one pass over memory recomputes y from x */
    bool recompute_reads_aux;   /* recomputing reads the aux that forward wrote */
    /* Which parts of it are layers (layers/part.h): ranges of samples, if none depends on another;
     * ranges of channels of y, unless there is no rule. `narrow` sets the keys of a layer of so
     * many channels, if there are any. */
    bool splits_samples;
    vdnn_channel_rule (*channel_rule)(const vdnn_layer *layer);
    void (*narrow)(const vdnn_layer *layer, int64_t channels, void *config);
    /* Of low-rank adaptation (models/lora_reader.c): sets the keys of two layers of its type, all
     * zeros before, the first from its inputs to `rank` channels and the second from those to y,
     * both without bias. NULL: no weight of it is adapted. */
    void (*adapt)(const void *config, int64_t rank, void *down, void *up);
    bool aux_by_sample; /* aux is as many bytes of each sample, one after the other */
    /* What backward needs; [0] for backward data, [1] for backward filter. `lean_if_y` is used
     * instead of `lean` if y is stashed anyway because another layer's backward needs it. */
    vdnn_needs paper[2], lean[2], lean_if_y[2];
    /* The same under all rules, of a layer for which its shape, or that it is frozen, says it.
     * NULL, or returns NULL: the rules do. */
    const vdnn_needs *(*needs_of)(const vdnn_layer *layer);
    /* From layer->config, x and dtype to y and params (dims, offsets, fan). An error names the
     * value and the shape that do not fit. Pure. */
    vdnn_status (*infer)(vdnn_layer *layer);
    /* Bytes of the auxiliary tensor that forward saves for backward under layer->needs; NULL: none.
     */
    size_t (*aux_bytes)(const vdnn_layer *layer);
    /* Numbers that a pass sums over the devices which share the batch (vdnn_kernel_devices), if it
     * is not a recompute; at least 1, or 0: it needs nothing of theirs. NULL: no pass does. */
    size_t (*joint_count)(const vdnn_layer *layer, vdnn_pass pass);
    /* The loss of one sample, from what it reads of it, as f32, and its labels: of losses whose
     * mean over a step is that over its samples. NULL: it is that over the labels that count. */
    double (*sample_loss)(const vdnn_layer *layer, const float *x, const void *labels);
    /* Floating-point operations of a pass (a multiply-add is two), for one step of the batch. */
    double (*flops)(const vdnn_layer *layer, vdnn_pass pass);
    /* The depth of that (vdnn_work). NULL: it is not known. */
    double (*depth)(const vdnn_layer *layer, vdnn_pass pass);
    /* Whether its geometry is beyond what networks have and tests cover: what measures an algorithm
     * compares its values with those of the reference then. NULL: none is. */
    bool (*is_unusual)(const vdnn_layer *layer);
} vdnn_layer_def;

struct vdnn_layer {
    char *name; /* owned by the graph, as are all pointers below but def */
    const vdnn_layer_def *def;
    void *config; /* the def's config struct */
    int line;     /* in the network file */
    vdnn_init init;
    int64_t parts;         /* ranges of samples that its passes run for, one after the other */
    int64_t channel_parts; /* ranges of output channels that they run for, of each of these */

    int32_t index;  /* position in forward order */
    int32_t number; /* position among the layers of the network file, without internal ones: in the
                       counters of random numbers */
    int32_t input_count;
    int32_t *inputs; /* tensors */
    int32_t output;  /* tensor */
    vdnn_desc *x;    /* input_count descs */
    vdnn_desc y;
    int32_t devices;       /* that share the batch, each with a sample at least; 0: one */
    int64_t classes;       /* of the network, 0: it has none; a loss checks its input by it */
    vdnn_dtype dtype;      /* of the network's maps: of y where x are integers */
    vdnn_desc labels;      /* of the network, classes of (N); a loss infers others: classes of
                              (N, T), or f32 in the shape of its input */
    int64_t ignored;       /* of a loss: the label that does not count; VDNN_NO_LABEL: all do */
    bool joins_samples;    /* its config says that samples depend on each other: none is cut off */
    int64_t background;    /* of one over masks: the first classes, of which no overlap counts */
    vdnn_layout preferred; /* the device's, for VDNN_LAYOUT_FREE */
    vdnn_epilogue epilogue;
    bool is_fused;     /* forward is the epilogue of the layer before it */
    bool is_frozen;    /* none of its parameters is trained */
    bool is_adapter;   /* files of weights may lack its parameters, which begin as made then */
    bool is_elsewhere; /* another stage of a pipeline has it: it has no pass and no parameters here
                        */

    vdnn_param params[VDNN_LAYER_PARAMS];
    int32_t param_count;
    size_t param_bytes;     /* the parameter block: trainable parameters first */
    size_t trainable_bytes; /* the gradient block, and each slot of the optimizer */
    int32_t owner; /* the layer in whose block its parameters are: itself, or the one whose weight,
                      params[0], it uses too */
    bool is_tied;  /* the block has other layers' parameters as well (runtime/graph/ties.h) */
    bool is_lent;  /* an earlier stage of a pipeline keeps the block and updates it (stage.h) */
    bool adds_dw;  /* adds_gradient, and the backward of another layer of the block comes before */
    size_t copy_bytes; /* of the copy of params[0] that the device's kernels read, if there is one
                          (layers/weight_copy.h); 0: none */

    vdnn_needs needs[VDNN_PASS_COUNT]; /* of the two backward passes, for the graph's rules */
    size_t aux_bytes;
    bool in_place;   /* y is written over x[0], dx over dy */
    bool *wants_dx;  /* per input: a layer before it has parameters */
    char *signature; /* type, config, shapes and needs: equal signatures cost the same time */

    const vdnn_layer *whole; /* borrowed: the layer that this is a part of; NULL: it is no part */
    double share;            /* of a part: what of the whole's samples and channels it has */
};

/* Completes the config by the inputs (vdnn_shape_complete), and infers y and the parameters, none
 * of which is trainable if the layer is frozen. The errors of def->infer. */
vdnn_status vdnn_layer_infer(vdnn_layer *layer);
/* Its type's, but for two. A classifier that computes each position of a sequence, and is no loss,
 * takes as long as a convolution of one by one. An activation whose backward needs its input keeps
 * a map as other feature layers do, and is not computed in place. */
vdnn_role vdnn_layer_role(const vdnn_layer *layer);
/* True if the pass exists for this layer in this graph. */
bool vdnn_layer_has_pass(const vdnn_layer *layer, vdnn_pass pass);
/* What its backward passes need by a rule of its definition, unless needs_of says it: two. */
const vdnn_needs *vdnn_layer_rule(const vdnn_layer *layer, const vdnn_needs rule[2]);
/* What any of its backward passes needs. */
vdnn_needs vdnn_layer_needs(const vdnn_layer *layer);
/* The input whose dx is written over dy; -1: none. */
int32_t vdnn_layer_dx_over_dy(const vdnn_layer *layer);
/* True if forward writes aux: the first run always. */
bool vdnn_layer_writes_aux(const vdnn_layer *layer, bool recompute);
/* The bytes of its gradient block that are summed over micro-batches: all but the running
 * statistics, which come last. */
size_t vdnn_layer_summed_bytes(const vdnn_layer *layer);
/* Numbers that a pass sums over the devices that share the batch; 0: none. */
size_t vdnn_layer_joint_count(const vdnn_layer *layer, vdnn_pass pass);
/* True for a loss whose mean is over labels of which some may not count. */
bool vdnn_layer_counts_labels(const vdnn_layer *layer);
/* False for params[0] of a layer whose weight is another's. */
bool vdnn_layer_owns(const vdnn_layer *layer, int32_t param);
/* True for the one pass that writes the gradient of the parameters. */
bool vdnn_layer_writes_dw(const vdnn_layer *layer, vdnn_pass pass);
double vdnn_layer_flops(const vdnn_layer *layer, vdnn_pass pass);
/* Bytes that a pass must read and write at least (maps, parameters, aux). */
double vdnn_layer_bytes(const vdnn_layer *layer, vdnn_pass pass);

/* Also by an alias; NULL: unknown. */
const vdnn_layer_def *vdnn_layer_def_find(const char *type);
/* What a layer of the first type can apply for one of the second after it; NONE: no pair. */
vdnn_epilogue vdnn_layer_def_epilogue(const vdnn_layer_def *first, const vdnn_layer_def *second);
/* The words of a key, then NULL; NULL: the key is of another kind. */
const char *const *vdnn_layer_def_words(const vdnn_layer_def *def, size_t key);
size_t vdnn_layer_def_count(void);
const vdnn_layer_def *vdnn_layer_def_at(size_t i);

/* ---- algorithms ------------------------------------------------------------------------------ */

/* Values that change from step to step; one per executor, read by kernels. */
typedef struct vdnn_step_context {
    uint64_t seed, step;
    uint64_t first_sample;       /* global index of the batch's first sample in this step */
    bool evaluate;               /* dropout is the identity, batch norm uses running statistics */
    bool admits_nonfinite;       /* updates write what is not finite, too (vdnn_update.found) */
    vdnn_optimizer_id optimizer; /* of all updates; the executor sets it, and clip_norm */
    vdnn_settings settings;      /* with the learning rate of this step */
    double clip_norm;            /* of gradients; 0: they are not clipped */
} vdnn_step_context;

/* What the updates of a layer found that is not finite: 1, else 0. */
typedef struct vdnn_nonfinite {
    uint8_t gradient;
    uint8_t weight; /* or a slot of the optimizer, by a gradient that is finite */
} vdnn_nonfinite;

/* The devices that share the batch, each with some of its samples. */
typedef struct vdnn_kernel_devices {
    /* The numbers of each device become their sum, in the order of the devices; every device makes
     * the same calls in the same order. The errors of the others. */
    vdnn_status (*sum)(void *context, double *numbers, size_t count);
    void *context;
} vdnn_kernel_devices;

/* The memory of one run of a kernel. Everything that the pass did not declare is NULL. Maps have
 * the layout of layer->x[i] and layer->y; dx[i] that of x[i], dy that of y; w, dw and slots those
 * of layer->params. Padding channels of every map and gradient map, and padding of parameters, are
 * zero; a kernel that writes a map writes them too.
 *   forward:         reads x, w, labels; writes y, and aux where aux_bytes > 0
 *   recompute:       forward, the same bits into other memory, in the same step; aux is that of
 *                    forward and is read (recompute_reads_aux), or other memory to write it to
 *   backward data:   reads dy and needs[BACKWARD_DATA]; writes every dx[i] that is not NULL, and dw
 *                    where vdnn_layer_writes_dw
 *   backward filter: reads dy and needs[BACKWARD_FILTER]; writes dw, or, for an algorithm that
 *                    updates and is lent state, updates w and state at once (dw is NULL then)
 * If adds_dw, dw has the gradient of what came before, to which the pass adds its own, element by
 * element in the order of its samples; only of layers with adds_gradient. Else what dw has is lost.
 * Of a block that layers share, a kernel reads and writes its own layer's parameters alone.
 * If a copy of the weight is kept, w_copy is that, for kernels that read w; NULL: a kernel converts
 * w itself if it must.
 * In place: y == x[0]; dx[i] == dy for the input of vdnn_layer_dx_over_dy; with dx_over_x, dx[0]
 * may be x[0]. A loss has no dy: its y is the mean of its own samples, and its dx the gradient of
 * the step's (weight * mean). Every block begins at a multiple of 256 bytes; a parameter in one, at
 * its offset, and a map of some samples of a batch at theirs (layers/part.h). */
typedef struct vdnn_kernel_args {
    void *const *x;
    void *y;
    void *const *dx;
    void *dy;
    void *w, *dw;
    void *state;        /* the optimizer's slots (layers/optimizer.h) */
    const void *w_copy; /* copy_bytes */
    void *aux;
    void *workspace;    /* workspace_bytes */
    const void *labels; /* of layer->labels, in all passes of a loss */
    const vdnn_step_context *context;
    vdnn_nonfinite *found;              /* by an update; NULL: it does not look */
    const vdnn_kernel_devices *devices; /* NULL: this one has the whole batch */
    int64_t first_sample; /* samples of the step before this part's first; 0 where it is all */
    double weight;        /* of a loss's part in the mean of the step: its samples / the step's; 1
                             where it is all */
    bool recompute;       /* forward: y was computed before in this step */
    bool adds_dw;
    void *stream; /* of the device; NULL on cpu */
} vdnn_kernel_args;

typedef struct vdnn_kernel vdnn_kernel;

/* What an algorithm offers for one pass of a layer. */
typedef struct vdnn_offer {
    const char *refusal;    /* why it does not apply (static text); NULL: it does */
    size_t workspace_bytes; /* exact */
} vdnn_offer;

/* Work and depth of a pass: the floating-point operations that an algorithm does (a multiply-add is
 * two), and how many of them have to wait for each other if there is a processor for each: levels
 * of additions, to which the multiplications before them belong. As in Ben-Nun and Hoefler,
 * "Demystifying Parallel and Distributed Deep Learning: An In-Depth Concurrency Analysis" (ACM
 * Computing Surveys 52, 4, 2019). */
typedef struct vdnn_work {
    double operations;
    double depth; /* negative: not known */
} vdnn_work;

typedef struct vdnn_algorithm {
    const char *layer_type, *name;
    const char *device; /* "cpu", "cuda": the kind of device it runs on */
    unsigned passes;    /* bit 1 << vdnn_pass */
    bool deterministic;
    bool rounds_gradient; /* with maps in bf16 it computes the gradient of the weight in bf16 too */
    bool updates; /* its backward filter can do the update too, without a gradient in memory */
    bool multiplies_all; /* does all multiplications that vdnn_layer_flops counts, and transforms no
                            filter: never faster than the processor's peak */
    /* Passes whose bits for a sample are the same in every part of the batch (y, aux, dx), and for
     * a channel of y in every part of the channels (y, rows of dw, dx if parts share no x): neither
     * its neighbours nor their number have any part in its arithmetic. */
    unsigned batch_invariant, channel_invariant;
    bool pictures_only;  /* it does not apply to volumes */
    bool is_reference;   /* what others of its type and device are compared with */
    const void *variant; /* distinguishes rows with the same functions, which alone read it */
    /* Of a pass that it applies to, by the size of its tiles. NULL: those of the direct form, which
     * the layer's definition has. */
    vdnn_work (*work)(const vdnn_layer *layer, vdnn_pass pass, int64_t tile);
    int64_t tile;
    /* All functions get the kernel; for the first three it has neither state nor workspace. NULL:
     * it applies to this layer and pass, on any number of threads; else the reason why not (static
     * text). NULL function: it always applies. */
    const char *(*refusal)(const vdnn_kernel *kernel);
    /* Exact workspace, if it applies; NULL: none. */
    vdnn_status (*workspace)(const vdnn_kernel *kernel, size_t *bytes);
    /* Both at once, for a library that answers them in one query; NULL: the two above. */
    vdnn_status (*ask)(const vdnn_kernel *kernel, vdnn_offer *offer);
    /* Creates what can be prepared ahead (primitives, plans); NULL: nothing. */
    vdnn_status (*create)(const vdnn_kernel *kernel, void **state);
    void (*destroy)(void *state);
    vdnn_status (*run)(const vdnn_kernel *kernel, const vdnn_kernel_args *args);
} vdnn_algorithm;

/* An algorithm prepared for one layer and pass. */
struct vdnn_kernel {
    const vdnn_algorithm *algorithm;
    const vdnn_layer *layer; /* borrowed */
    vdnn_pass pass;
    int threads;
    void *state;
    size_t workspace_bytes;
};

size_t vdnn_algorithm_count(void);
const vdnn_algorithm *vdnn_algorithm_at(size_t i);
const vdnn_algorithm *vdnn_algorithm_find(const char *layer_type, const char *name,
                                          const char *device);
/* Whether it applies, and its workspace. A refusal may be that the layer or the algorithm has no
 * such pass. vdnn_device_ask caches the answers. */
vdnn_status vdnn_algorithm_ask(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                               vdnn_pass pass, int threads, vdnn_offer *offer);
/* The first half alone: NULL if it applies. */
const char *vdnn_algorithm_refusal(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                   vdnn_pass pass);
vdnn_work vdnn_algorithm_work(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                              vdnn_pass pass);
/* The second half alone: VDNN_USAGE if it does not apply. */
vdnn_status vdnn_algorithm_workspace(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                     vdnn_pass pass, int threads, size_t *bytes);

/* VDNN_USAGE if the algorithm does not apply. */
vdnn_status vdnn_kernel_create(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                               vdnn_pass pass, int threads, vdnn_kernel **kernel);
/* The same with an earlier offer, without a query. */
vdnn_status vdnn_kernel_create_offered(const vdnn_algorithm *algorithm, const vdnn_layer *layer,
                                       vdnn_pass pass, int threads, const vdnn_offer *offer,
                                       vdnn_kernel **kernel);
void vdnn_kernel_destroy(vdnn_kernel *kernel);
vdnn_status vdnn_kernel_run(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* ---- operations that belong to no layer type ------------------------------------------------- */

/* The update of a parameter, or of a part of one. Updates of one call do not overlap. */
typedef struct vdnn_update {
    vdnn_update_rule rule;
    double rate;                      /* for VDNN_UPDATE_AVERAGE, which has no slots */
    float *w, *slots[VDNN_MAX_SLOTS]; /* those of the optimizer */
    const float *dw;
    int64_t count;
    const vdnn_norm *norm; /* by whose scale dw is multiplied, in all updates of a call; NULL: it
                              is not */
    /* Of all updates of a call: where they note what is not finite, in memory that the device can
     * write. An element whose weight or slots would become so keeps them, unless the context admits
     * it. NULL: they do not look. */
    vdnn_nonfinite *found;
    const vdnn_layer *layer; /* whose params[0] it is, if that has a copy */
    void *copy;              /* copy of all of it, written too, except padding; NULL: none */
} vdnn_update;

/* `count` pieces of `bytes` each, `stride` from one to the next; contiguous: one piece. */
typedef struct vdnn_stripes {
    size_t offset, bytes, stride;
    int64_t count;
} vdnn_stripes;

/* One row per device kind. Arrays are f32, of `count` elements, and begin at any float or bf16. */
typedef struct vdnn_elementwise {
    const char *device;
    /* All updates that are due together, by their rules:
     *     optimizer   that of the context (layers/update_rules.h); copy = w
     *     average     w = (1 - rate) * w + rate * dw
     */
    vdnn_status (*update)(const vdnn_update *updates, int32_t count, int threads,
                          const vdnn_step_context *context, void *stream);
    /* Adds the squares of dw of the updates by the optimizer, up to VDNN_LAYER_PARAMS of them, to
     * norm->squares, which begins with the first call, and makes norm->scale of the sum. */
    vdnn_status (*norm)(const vdnn_update *updates, int32_t count, bool is_first, int threads,
                        const vdnn_step_context *context, vdnn_norm *norm, void *stream);
    /* sum += part; both of `dtype` */
    vdnn_status (*accumulate)(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream);
    /* Writes zeros. */
    vdnn_status (*clear)(void *at, size_t bytes, int threads, void *stream);
    /* Copies pieces of one block to as many of another, as long and nowhere the same memory. */
    vdnn_status (*move)(const vdnn_stripes *from, const void *source, const vdnn_stripes *to,
                        void *target, int threads, void *stream);
    /* Fills the copy of params[0], with its padding. NULL: the device's kernels read none. */
    vdnn_status (*copy)(const vdnn_layer *layer, const float *w, void *copy, void *stream);
} vdnn_elementwise;

const vdnn_elementwise *vdnn_elementwise_find(const char *device);

#endif
