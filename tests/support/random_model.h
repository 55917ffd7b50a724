#ifndef VDNN_TESTS_SUPPORT_RANDOM_MODEL_H
#define VDNN_TESTS_SUPPORT_RANDOM_MODEL_H

/* Random networks: valid by construction, as the text of a network file.
 *
 * Every type of layer in the registry is used: its keys get random values of ranges that suit their
 * names, and its own shape inference says whether they fit; so a new type is drawn unasked. Of
 * every other network some layers are run in parts, of samples, of channels or of both; some have
 * layers that read the weights of earlier ones, some a second input. Networks fork, join, read
 * older layers, and end in a classifier that reads every output that nothing else reads. A network
 * of sequences begins with an embedding; where nothing is to be joined it classifies positions.
 *
 * Invariant: the same request gives the same text.
 * Threads: any.
 *
 *     vdnn_random_model request = vdnn_random_model_small(seed);
 *     assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &graph));
 *     vdnn_graph_destroy(graph);
 */

#include "runtime/base/text.h"
#include "runtime/graph/graph.h"

typedef struct vdnn_random_model {
    uint64_t seed;
    int32_t layers; /* before the classifier */
    int64_t depth;  /* of volumes; 0: pictures */
    int64_t height, width, channels, batch, classes;
    int64_t max_channels; /* of a convolution's output */
    int64_t max_cells;    /* of a map, channels included */
    int32_t devices; /* that share the step's batch, this one's share of which is what follows; 0:
                        one */
    vdnn_reduce_scheme reduce;
    bool shards;           /* each updates a share alone */
    int32_t micro_batches; /* of `batch` samples each, but for `missing` ones at the end with one
                              less */
    int32_t missing;
    vdnn_stage stage; /* of a pipeline; count 0: the whole network */
    bool copies;      /* its convolutions' kernels read copies of weights */
    int32_t parts; /* of its samples, that each layer is run in that can be; 0: the text says it */
    int32_t reach; /* how many layers back a fork may start */
    bool peer; /* wider ranges of keys, and only what PyTorch computes too: no random numbers, fully
                  connected layers at the end alone, a rectifier after another kind of layer */
    vdnn_layout preferred;
    vdnn_dtype dtype;
    vdnn_optimizer_id optimizer;
    double clip_norm; /* 0: none */
    bool ties;        /* has layers that read the weights of others, where their shapes are equal */
    bool words;       /* has a second input, of tokens, joined with the first at the end */
    int64_t positions; /* it reads as many tokens, and nothing else; 0: a picture */
} vdnn_random_model;

/* 3 to 40 layers, images of 8 to 20, 1 to 36 channels, batches of 1 to 4, of some networks two or
 * three such micro-batches, or with one sample less in the last of them, every preferred layout,
 * data type and optimizer; of every third network gradients are clipped, in every fourth there are
 * ties, two in five have a second input, and every sixth is one of sequences. */
vdnn_random_model vdnn_random_model_small(uint64_t seed);
/* As the small ones, but sequences: 1 to 24 tokens, 2 to 24 elements a position. */
vdnn_random_model vdnn_random_model_sequence(uint64_t seed);
/* 2 to 15 layers, images of 7 to 26, 1 to 20 channels, batches of 3 to 6, for a peer. */
vdnn_random_model vdnn_random_model_peer(uint64_t seed);
/* So many layers, on small images. */
vdnn_random_model vdnn_random_model_big(uint64_t seed, int32_t layers);

/* VDNN_NO_MEMORY. The text is finished with vdnn_text_fini. */
vdnn_status vdnn_random_model_write(const vdnn_random_model *request, vdnn_text *text);

/* The network, read and shaped. */
vdnn_status vdnn_random_model_graph(const vdnn_random_model *request, vdnn_rules rules,
                                    vdnn_graph **graph);

#endif
