#ifndef VDNN_RUNTIME_TRAIN_FILES_HUGGING_FACE_H
#define VDNN_RUNTIME_TRAIN_FILES_HUGGING_FACE_H

/* Weights of transformers as Hugging Face's library names and shapes them (GPT-2, Llama, Qwen2,
 * BERT, ViT), seen by the names and shapes of the networks in models/: queries, keys and values,
 * which are matrices one after the other there, are one here; GPT-2's matrices are transposed.
 *
 * Invariant: names differ. A transposed tensor is kept whole from one read to the next.
 * Threads: one at a time.
 *
 *     status = vdnn_hugging_face_open(shards, path, &weights);    // NULL: another kind of file
 *     status = vdnn_hugging_face_read_part(weights, "qkv_1.weight", dims, 2, first, count, floats);
 *     vdnn_hugging_face_close(weights);
 */

#include "runtime/data/tensors/shards.h"

typedef struct vdnn_hugging_face vdnn_hugging_face;

/* Borrows shards and path. *weights is NULL if the names are none of these families'. */
vdnn_status vdnn_hugging_face_open(const vdnn_shards *shards, const char *path,
                                   vdnn_hugging_face **weights);
void vdnn_hugging_face_close(vdnn_hugging_face *weights); /* accepts NULL */

/* Tensors that no rule knows keep their names; what training has no use for is left out. */
int32_t vdnn_hugging_face_count(const vdnn_hugging_face *weights);
const char *vdnn_hugging_face_name(const vdnn_hugging_face *weights, int32_t i);
/* As vdnn_safetensors_read_part, in whole rows of dims[0]. */
vdnn_status vdnn_hugging_face_read_part(vdnn_hugging_face *weights, const char *name,
                                        const int64_t *dims, int dim_count, int64_t first,
                                        int64_t count, float *floats);

#endif
