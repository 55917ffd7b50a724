#ifndef VDNN_RUNTIME_TRAIN_ADVICE_ADVICE_RECORD_H
#define VDNN_RUNTIME_TRAIN_ADVICE_ADVICE_RECORD_H

/* What would help, and which batch to take, as JSON.
 *
 * Invariant: each row has what the text for people has of it, unrounded. Threads: pure.
 *
 *     json_t *object = vdnn_advice_record_batches(&batches);
 */

#include "runtime/fit/batches.h"
#include "runtime/fit/explain.h"

#include <jansson.h>

json_t *vdnn_advice_record_explanation(const vdnn_explanation *explanation);
json_t *vdnn_advice_record_batches(const vdnn_batches *batches);

#endif
