#ifndef VDNN_MODELS_TRAINING_READER_H
#define VDNN_MODELS_TRAINING_READER_H

/* The section `training` of a network file:
 *
 *     training: {optimizer: sgd, lr: 0.1, momentum: 0.9, weight_decay: 0.0005,
 *                epochs: 90, warmup: 5, clip_norm: 1,
 *                schedule: {type: step, every: 30, factor: 0.1},    # or at: [30, 60, 80]
 *                augment: {flip: true, crop: 4}}
 *     schedule: {type: cosine, floor: 0.01}
 *
 * Invariant: a schedule has the keys of its type and no others, and the section the settings of its
 * optimizer (layers/optimizer.h): sgd where it names none.
 * Threads: any, over their own models.
 *
 *     status = vdnn_training_reader_read(tree, node, model); // -1: the section is absent
 */

#include "models/model.h"
#include "models/yaml_tree.h"

/* Fills model->training; the model's input has been read. */
vdnn_status vdnn_training_reader_read(const vdnn_yaml_tree *tree, int32_t node, vdnn_model *model);

#endif
