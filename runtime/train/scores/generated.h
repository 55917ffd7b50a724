#ifndef VDNN_RUNTIME_TRAIN_SCORES_GENERATED_H
#define VDNN_RUNTIME_TRAIN_SCORES_GENERATED_H

/* What was sampled from a network: tokens, those that they follow, and the text that they are.
 *
 * Threads: one.
 *
 *     vdnn_generated own = {0};
 *     status = vdnn_tokens_add(&own.tokens, token);
 *     json = vdnn_generated_json(&own);
 *     vdnn_generated_fini(&own);
 */

#include "runtime/data/text/vocabulary.h"

#include <jansson.h>

typedef struct vdnn_generated {
    vdnn_tokens prompt, tokens;
    vdnn_text text; /* of the tokens; it may end within a character */
} vdnn_generated;

void vdnn_generated_fini(vdnn_generated *own); /* accepts one that is all zero */

/* As an object, in which bytes that are no UTF-8, or 0, are U+FFFD; NULL: no memory. */
json_t *vdnn_generated_json(const vdnn_generated *own);

#endif
