#ifndef VDNN_LAYERS_LOSS_SAMPLED_SOFTMAX_H
#define VDNN_LAYERS_LOSS_SAMPLED_SOFTMAX_H

/* A classifier of very many classes and its loss in one layer, for its algorithms (Jean et al.: On
 * Using Very Large Target Vocabulary for Neural Machine Translation, ACL 2015): a step computes the
 * scores of each row's label and of some candidates, which are drawn by how frequent classes are
 * that are numbered from the most frequent one on, P(c) = log((c + 2) / (c + 1)) / log(V + 1).
 *
 *     score(c) = weight_c . x + bias_c
 *     loss     = -log softmax of the label's, of score(c) - log Q(c) of the label and of all
 *                candidates but the label;  Q(c) = 1 - (1 - P(c))^draws, by which c is among them
 *
 * Candidates are all different: draw i is of word i of the random words of the seed, the step and
 * the layer's number, and is repeated where it was drawn before. So they are the same in all parts,
 * micro-batches and devices of a step. An evaluation has the scores of all classes, some at a time.
 *
 *     x        (N, C), or (N, T, C) with a label for each position: rows of C
 *     weight   (V, C), bias (V)
 *     aux      (rows), f32: the logarithm of the sum of a row's exponentials
 *
 * Invariant: after inference 1 <= samples <= V. Threads: const once read; pure functions.
 *
 *     vdnn_sampled_shape s = vdnn_sampled_shape_of(layer);
 *     vdnn_sampled_words(&draws, i / 4, words);
 *     class = vdnn_sampled_class(words[i % 4], s.log_range);
 */

#include "layers/layer.h"
#include "runtime/base/numbers/philox.h"

#include <math.h>

/* Kernels of a card define how such functions are declared there. */
#ifndef VDNN_SAMPLED_FUNCTION
#define VDNN_SAMPLED_FUNCTION static inline
#endif

/* Separates the draws from other users of the same seed. */
#define VDNN_SAMPLED_KEY UINT64_C(0x73616d706c656473)

typedef struct vdnn_sampled_softmax_config {
    int64_t samples, ignore;
} vdnn_sampled_softmax_config;

typedef struct vdnn_sampled_shape {
    int64_t rows, width, classes, samples;
    int64_t bias;     /* elements of the parameter block before it */
    double log_range; /* log(V + 1) */
} vdnn_sampled_shape;

vdnn_sampled_shape vdnn_sampled_shape_of(const vdnn_layer *layer);

/* What the words of a step's draws are of. */
typedef struct vdnn_sampled_draws {
    uint64_t key;
    uint32_t step, layer;
} vdnn_sampled_draws;

static inline vdnn_sampled_draws vdnn_sampled_draws_of(const vdnn_layer *layer,
                                                       const vdnn_kernel_args *args)
{
    vdnn_sampled_draws draws = {args->context->seed ^ VDNN_SAMPLED_KEY,
                                (uint32_t)args->context->step, (uint32_t)layer->number};
    return draws;
}

/* Those of draws 4 * group to 4 * group + 3. */
VDNN_SAMPLED_FUNCTION void vdnn_sampled_words(const vdnn_sampled_draws *draws, int64_t group,
                                              uint32_t words[4])
{
    const uint32_t counter[4] = {draws->step, (uint32_t)group, draws->layer,
                                 (uint32_t)(group >> 32)};
    vdnn_philox(draws->key, counter, words);
}

VDNN_SAMPLED_FUNCTION int32_t vdnn_sampled_class(uint32_t word, double log_range)
{
    return (int32_t)exp(((double)word + 0.5) * 0x1p-32 * log_range) - 1;
}

/* log Q of a class after that many draws. */
VDNN_SAMPLED_FUNCTION float vdnn_sampled_log_share(int64_t c, int64_t draws, double log_range)
{
    double p = log1p(1 / ((double)c + 1)) / log_range;
    return (float)log(-expm1((double)draws * log1p(-p)));
}

#endif
