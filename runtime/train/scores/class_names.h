#ifndef VDNN_RUNTIME_TRAIN_SCORES_CLASS_NAMES_H
#define VDNN_RUNTIME_TRAIN_SCORES_CLASS_NAMES_H

/* The names of a network's classes: those of the data, else those that a file of weights has from
 * the data that these were trained on.
 *
 * Invariant: as many names as the network has classes, or NULL: classes are numbers.
 * Threads: a value.
 *
 *     json_t *names = NULL; // of strings
 *     status = vdnn_class_names_find(dataset, "weights.safetensors", graph->classes, &names);
 *     const char *name = vdnn_class_name(names, 2);
 *     json_decref(names);
 */

#include "runtime/data/dataset.h"

#include <jansson.h>

/* The caller owns the reference. `path`: of safetensors; other files have no names; NULL: none.
 * VDNN_NO_MEMORY, or VDNN_FILE and VDNN_BAD_INPUT of a file that cannot be read. */
vdnn_status vdnn_class_names_find(const vdnn_dataset *dataset, const char *path, int64_t classes,
                                  json_t **names);

/* Borrowed; NULL: the class is a number. */
const char *vdnn_class_name(const json_t *names, int64_t class);

#endif
